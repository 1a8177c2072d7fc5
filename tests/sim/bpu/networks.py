# SPDX-License-Identifier: Apache-2.0
"""The models that tests run on the simulated Horizon boards, and how their tensors lie in the memory of each chip."""

import os

import exact
from make_hbm import BGR, BOOL8, CHROMA, F16, F32, F64, GRAY, IMAGE, LUMA, NCHW, NHWC, NO_LAYOUT, NV12, PIXELS, \
    PYRAMID, RESIZER, RGB, S16, S32, S4, S64, S8, SCALE, SHIFT, SIZES, U16, U32, U4, U64, U8, Y, YUV444, Model, Port
from network import AFFINE, BOOL, FLOAT16, FLOAT32, INT16, INT32, INT64, INT8, UINT16, UINT32, UINT8, Network, Tensor, \
    body_of, read_tflite, with_images

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
TYPES = {FLOAT32: F32, FLOAT16: F16, INT8: S8, UINT8: U8, INT16: S16, UINT16: U16, INT32: S32, UINT32: U32, INT64: S64,
         BOOL: BOOL8}
PITCH = {"x3": 16, "j5": 16, "x5": 16, "s100": 32, "s600": 64}


def up(value, unit):
    return -(-value // unit) * unit


def dense(dims, element, halves=False):
    """halves: two elements in a byte, which the innermost stride does not tell."""
    strides = [element]
    for d in dims[:0:-1]:
        strides.insert(0, -(-d // 2) if halves and len(strides) == 1 else strides[0] * d)
    return strides


# ---- how a tensor lies -------------------------------------------------------------------------------------


def series(run):
    """Bytes that a run of J5 and X5 takes: 256 k + 0, 16, 32, 64 or 128."""
    return run // 256 * 256 + next(step for step in (0, 16, 32, 64, 128, 256) if step >= run % 256)


def aligned_of(chip, port, output):
    """As it was seen of real models; what the CPU part of a model makes or takes is not padded."""
    dims, element = list(port.valid), SIZES[port.type]
    if len(dims) == 3 and not port.cpu and chip != "x3":
        dims[2] = series(dims[2] * element) // element
    if len(dims) != 4 or port.cpu or port.type in (S4, U4):
        return dims
    if port.layout == NCHW:
        dims[3] = up(dims[3] * element, 32) // element if chip == "x3" else series(dims[3] * element) // element
    elif not output and dims[3] <= 4:
        dims[1:3] = [up(dims[1], 2), up(dims[2], 32)]
    elif chip == "x3":
        dims[3] = up(dims[3], 4 if element == 1 else 32 // element)
        dims[2] = up(dims[2], 16 if element == 1 else 1)
    elif element > 1 or dims[3] <= 256:
        dims[3] = series(dims[3] * element) // element
    return dims


def lay_out(chip, port, output):
    if port.role in (GRAY, IMAGE):
        n, c, h, w = port.valid
        pitch = up(w, PITCH[chip])
        port.aligned, port.bytes = [n, c, h, pitch], pitch * h * 3 // 2 if port.role == IMAGE else pitch * h
        port.stride, port.shown = [0] * 4, [0] * 4
        return port
    element = SIZES[port.type]
    if chip.startswith("s"):
        lay_out_ucp(chip, port, output)
        return port
    port.aligned = list(port.valid) if port.role == PIXELS else aligned_of(chip, port, output)
    port.stride = dense(port.aligned, element, port.type in (S4, U4))
    port.shown = list(port.stride)
    port.bytes = port.stride[0] * port.aligned[0]
    return port


def lay_out_ucp(chip, port, output):
    """Rows begin at multiples of the chip's unit; the rows of pictures are the caller's to choose."""
    element = SIZES[port.type]
    port.aligned, port.stride = list(port.valid), dense(port.valid, element, port.type in (S4, U4))
    if port.role in (LUMA, CHROMA, PIXELS):
        port.stride = [-1, -1] + port.stride[2:]
        port.bytes = -1
    elif min(port.valid) < 0:
        port.stride, port.bytes = [-1] * (len(port.valid) - 1) + [element], -1
    elif not port.cpu and port.type not in (S4, U4):
        step = element
        for i in reversed(range(len(port.valid))):
            port.stride[i] = up(step, PITCH[chip]) if i + 2 == len(port.valid) and i > 0 else step
            step = port.stride[i] * port.valid[i]
        port.bytes = step
    else:
        port.bytes = port.stride[0] * port.valid[0]
    port.shown = list(port.stride)


# ---- networks of .tflite ---------------------------------------------------------------------------------


def image_port(chip, name, tensor, number, source=PYRAMID):
    """Gray and NV12 pictures; of UCP two planes, or bytes."""
    n, h, w, c = tensor.shapes[0]
    if chip.startswith("s"):
        if c == 1:
            return [Port(name, U8, NHWC, [n, h, w, 1], number, PIXELS)]
        return [Port(name + "_y", U8, NHWC, [n, h, w, 1], number, LUMA),
                Port(name + "_uv", U8, NHWC, [n, h // 2, w // 2, 2], number, CHROMA)]
    return [Port(name, Y if c == 1 else NV12, NCHW, [n, c, h, w], number, GRAY if c == 1 else IMAGE, source=source)]


def plain_port(name, tensor, number, **more):
    quant = {}
    if tensor.quant == AFFINE:
        quant = {"quant": SCALE, "scales": [tensor.scale], "zeros": [tensor.zp] if tensor.zp else []}
    rank = len(tensor.shapes[0])
    quant.update(more)
    return Port(name, TYPES[tensor.type], NHWC if rank == 4 else NO_LAYOUT, tensor.shapes[0], number, **quant)


def model_of_network(network, chip, name=None, **more):
    """Pictures of 1 and 3 channels are gray and NV12, all else is as the network has it."""
    inputs, outputs = [], []
    for number, index in enumerate(network.inputs):
        tensor = network.tensors[index]
        if tensor.image and tensor.shapes[0][3] in (1, 3):
            inputs += image_port(chip, tensor.name, tensor, number)
        else:
            inputs.append(plain_port(tensor.name, tensor, number))
    for number, index in enumerate(network.outputs):
        outputs.append(plain_port(network.tensors[index].name, network.tensors[index], number))
    for side, ports in enumerate((inputs, outputs)):
        for port in ports:
            lay_out(chip, port, bool(side))
    return Model(name or network.name, inputs, outputs, body_of(network), **more)


def tflite_model(path, chip):
    return model_of_network(with_images(read_tflite(path)), chip)


# ---- models made here ------------------------------------------------------------------------------------


class Maker(exact.Maker):
    """A model of a float network; ports say how its numbers are stored."""

    def __init__(self, name, chip, shapes=1):
        exact.Maker.__init__(self, name, shapes)
        self.name, self.chip, self.ucp = name, chip, chip.startswith("s")

    def port(self, side, name, type, valid, number, layout=NHWC, **more):
        if self.ucp and more.get("quant") == SHIFT:
            more.update(quant=SCALE, scales=[2.0 ** -s for s in more.pop("shifts")])
        if len(valid) != 4:
            layout = NO_LAYOUT
        port = Port(name, type, layout, valid, number, **more)
        (self.outputs if side else self.inputs).append(lay_out(self.chip, port, bool(side)))

    def take(self, name, type, shape, valid=None, **more):
        """An input of the network, and of the model. valid: as the model has it, -1 where it is dynamic."""
        number = self.tensor(name, shape)
        self.net.inputs.append(number)
        self.port(0, name, type, valid or list(self.shape(number)), len(self.net.inputs) - 1, **more)
        return number

    def picture(self, name, shape, source=PYRAMID):
        number = self.tensor(name, shape)
        self.net.inputs.append(number)
        tensor = self.net.tensors[number].as_image([0.0] * 4, [256.0] * 4)
        for port in image_port(self.chip, name, tensor, len(self.net.inputs) - 1, source):
            self.inputs.append(lay_out(self.chip, port, False))
        return number

    def pixels(self, name, type, shape, layout=NHWC):
        number = self.tensor(name, shape)
        self.net.inputs.append(number)
        self.net.tensors[number].as_image([0.0] * 4, [256.0] * 4)
        n, h, w, c = shape
        self.port(0, name, U8 if self.ucp else type, [n, c, h, w] if layout == NCHW else shape,
                  len(self.net.inputs) - 1, layout, role=PIXELS)
        return number

    def give(self, number, name, type, valid=None, **more):
        self.net.outputs.append(number)
        self.port(1, name, type, valid or list(self.shape(number)), len(self.net.outputs) - 1, **more)
        return number

    def model(self, **more):
        model = Model(self.name, self.inputs, self.outputs, body_of(self.net), **more)
        model.network = self.net
        return model


def axis_of(channels):
    """A scale and a zero point for each channel."""
    return {"quant": SCALE, "axis": 3, "scales": [(1 + c % 5) / 1024 for c in range(channels)],
            "zeros": [c % 7 - 3 for c in range(channels)]}


def features(chip):
    make = Maker("features", chip)
    conv = make.conv(make.take("data", S8, [1, 5, 7, 6], quant=SCALE, scales=[1 / 32]), 12)
    make.give(conv, "scaled", S32, **axis_of(12))
    return make.model()


def shifted(chip):
    make = Maker("shifted", chip)
    conv = make.conv(make.take("data", S8, [1, 4, 6, 8], quant=SHIFT, shifts=[5]), 10)
    make.give(conv, "by_channel", S32, quant=SHIFT, axis=3, shifts=[8 + c % 4 for c in range(10)])
    make.give(make.same("copy", conv), "by_one", S16, quant=SHIFT, shifts=[6])
    return make.model()


def detector(chip):
    """One output is made by the CPU, the end of another was deleted."""
    make = Maker("detector", chip)
    conv = make.conv(make.picture("image", [1, 24, 32, 3]), 8, stride=4)
    make.give(make.conv(conv, 4, size=1), "boxes", F32, cpu=True)
    make.give(make.conv(conv, 19, size=1), "scores", S32, **axis_of(19))
    return make.model()


def camera(chip):
    """Rows of 20 pixels, which no chip has."""
    make = Maker("camera", chip)
    make.give(make.conv(make.picture("image", [1, 12, 20, 3]), 5, stride=2), "map", S8, quant=SCALE, scales=[1 / 16],
              zeros=[3])
    return make.model()


def gray(chip):
    make = Maker("gray", chip)
    make.give(make.conv(make.picture("image", [1, 9, 28, 1]), 3), "map", S16, quant=SCALE, scales=[1 / 64])
    return make.model()


def pixels(chip, name, type, layout):
    make = Maker(name, chip)
    make.give(make.conv(make.pixels("image", type, [1, 7, 13, 3], layout), 4), "map", F32, cpu=True)
    return make.model()


def padded(chip):
    """Shapes that are padded differently on each chip."""
    make = Maker("padded", chip)
    data = make.take("data", S8, [1, 5, 20, 2], quant=SCALE, scales=[1 / 32])
    make.give(make.conv(data, 19, size=1), "wide", S32, quant=SCALE, scales=[1 / 2048])
    make.give(make.conv(data, 128, size=1), "deep", S8, quant=SCALE, scales=[1 / 8])
    make.give(make.same("copy", data), "narrow", S8, quant=SCALE, scales=[1 / 32])
    planes = make.reshape(make.full(data, 100), [1, 1, 1, 100])
    make.give(planes, "classes", S32, [1, 100, 1, 1], layout=NCHW, quant=SCALE, scales=[1 / 2048])
    return make.model()


def rotated(chip):
    """X5 tells the strides of such outputs in another order than that of their dimensions."""
    make = Maker("rotated", chip)
    data = make.take("data", S8, [1, 6, 20, 4], quant=SCALE, scales=[1 / 32])
    make.give(make.reshape(make.full(data, 10), [1, 10, 1, 1]), "classes", S32, quant=SCALE, scales=[1 / 2048])
    make.give(make.reshape(make.conv(data, 1), [1, 1, 6, 20]), "argmax", S8, quant=SCALE, scales=[1 / 16])
    make.give(make.reshape(make.conv(data, 4), [1, 2, 12, 20]), "halves", S32, quant=SCALE, scales=[1 / 2048])
    for port in make.outputs if chip == "x5" else []:
        port.shown = [port.stride[0], port.stride[3], port.stride[1], port.stride[2]]
    return make.model()


def without_strides(chip):
    """As files of an old tool chain are."""
    model = features(chip)
    model.name = "old"
    for port in model.inputs + model.outputs:
        port.shown = [0] * 4
    return model


def resizer(chip):
    """An output of 96 bytes on J5 and X5: no multiple of a line of the cache."""
    make = Maker("resizer", chip)
    make.give(make.conv(make.picture("image", [1, 16, 24, 3], RESIZER), 4, stride=8), "map", S32, quant=SCALE,
              scales=[1 / 2048])
    return make.model()


def resizers(chip):
    """Two pictures through the resizer, one tensor that is the caller's."""
    make = Maker("resizers", chip)
    a = make.picture("a", [1, 16, 24, 3], RESIZER)
    b = make.picture("b", [1, 16, 24, 3], RESIZER)
    c = make.take("c", S8, [1, 16, 24, 3], quant=SCALE, scales=[1 / 32])
    make.give(make.same("add", make.same("add", a, b), c), "sum", F32, cpu=True)
    return make.model()


def dynamic(chip):
    sizes = [[1, 8, 12, 4], [1, 5, 7, 4], [1, 16, 3, 4]]
    make = Maker("dynamic", chip, len(sizes))
    data = make.take("data", S8, sizes, [1, -1, -1, 4], quant=SCALE, scales=[1 / 32])
    make.give(make.conv(data, 5), "map", S16, [1, -1, -1, 5], quant=SCALE, scales=[1 / 256])
    return make.model()


def rank3(chip):
    make = Maker("rank3", chip)
    data = make.take("data", F32, [1, 4, 5, 3], cpu=True)
    make.give(make.reshape(make.conv(data, 33), [1, 30, 22]), "rows", S16, quant=SCALE, scales=[1 / 256])
    return make.model()


def batch(chip):
    make = Maker("batch", chip)
    data = make.take("data", S8, [3, 4, 5, 8], quant=SCALE, scales=[1 / 32])
    make.give(make.same("copy", data), "copy", S16, quant=SCALE, scales=[1 / 64])
    return make.model()


def calls(chip):
    """Can be interrupted at eight places."""
    make = Maker("calls", chip)
    make.give(make.same("copy", make.take("data", F32, [1, 8], cpu=True)), "copy", F32, cpu=True)
    return make.model(calls=8)


def small(chip, name, cores=1):
    make = Maker(name, chip)
    make.give(make.full(make.take("data", S8, [1, 16], quant=SCALE, scales=[1 / 32]), 10), "result", S32, quant=SCALE,
              scales=[1 / 2048])
    return make.model(cores=cores)


def same(chip, name, type, kind, **quant):
    """Gives back what it gets. kind: of the network's tensors."""
    net, shape = Network("same_" + name), [1, 3, 5, 6]
    net.inputs, net.outputs = [net.add(Tensor("data", shape, kind))], [net.add(Tensor("copy", shape, kind))]
    net.layer("copy", net.inputs, net.outputs, [0])
    data, copy = [lay_out(chip, Port(("data", "copy")[side], type, NHWC, shape, 0, **quant), side) for side in (0, 1)]
    model = Model(net.name, [data], [copy], body_of(net))
    model.network = net
    return model


SAME = {"s8": (S8, INT8), "u8": (U8, UINT8), "f16": (F16, FLOAT16), "s16": (S16, INT16), "u16": (U16, UINT16),
        "f32": (F32, FLOAT32), "s32": (S32, INT32), "u32": (U32, UINT32), "f64": (F64, FLOAT32), "s64": (S64, INT64),
        "u64": (U64, INT64), "s4": (S4, INT8), "u4": (U4, UINT8)}


def made(chip):
    models = [features(chip), shifted(chip), detector(chip), camera(chip), gray(chip), padded(chip), rotated(chip),
              rank3(chip), batch(chip), calls(chip), small(chip, "small")]
    models += [pixels(chip, "rgb", RGB, NHWC), pixels(chip, "bgr", BGR, NHWC)]
    models += [same(chip, name, *what) for name, what in SAME.items()]
    if chip.startswith("s"):
        models += [dynamic(chip), same(chip, "bool8", BOOL8, BOOL)]
    else:
        models += [without_strides(chip), resizer(chip), resizers(chip), pixels(chip, "yuv444", YUV444, NCHW)]
    return models + ([small(chip, "two_cores", 2)] if chip == "s600" else [])


def the_set(chip):
    """name of the file: its models."""
    files = {"meter": [tflite_model(os.path.join(ROOT, "examples", "meter", "meter.tflite"), chip)]}
    files.update((model.name, [model]) for model in made(chip))
    files["pair"] = [small(chip, "first"), small(chip, "second")]
    files["pair_more"] = [small(chip, "second"), small(chip, "third")]
    return files
