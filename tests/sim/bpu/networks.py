# SPDX-License-Identifier: Apache-2.0
"""The models that tests run on the simulated Horizon boards, and how their tensors lie in the memory of each chip."""

import os

from make_hbm import BOOL8, CHROMA, F16, F32, GRAY, IMAGE, LUMA, NCHW, NHWC, NO_LAYOUT, NV12, PIXELS, PYRAMID, S16, \
    S32, S64, S8, SCALE, SIZES, U16, U32, U8, Y, Model, Port
from network import AFFINE, BOOL, FLOAT16, FLOAT32, INT16, INT32, INT64, INT8, UINT16, UINT32, UINT8, body_of, \
    read_tflite, with_images

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
TYPES = {FLOAT32: F32, FLOAT16: F16, INT8: S8, UINT8: U8, INT16: S16, UINT16: U16, INT32: S32, UINT32: U32, INT64: S64,
         BOOL: BOOL8}
PITCH = {"x3": 16, "j5": 16, "x5": 16, "s100": 32, "s600": 64}


def up(value, unit):
    return -(-value // unit) * unit


def dense(dims, element):
    strides = [element]
    for d in dims[:0:-1]:
        strides.insert(0, strides[0] * d)
    return strides


# ---- how a tensor lies -------------------------------------------------------------------------------------


def series(run):
    """Bytes that a run of J5 and X5 takes: 256 k + 0, 16, 32, 64 or 128."""
    return run // 256 * 256 + next(step for step in (0, 16, 32, 64, 128, 256) if step >= run % 256)


def aligned_of(chip, port, output):
    """As it was seen of real models; what the CPU part of a model makes or takes is not padded."""
    dims, element = list(port.valid), SIZES[port.type]
    if len(dims) != 4 or port.cpu:
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
    port.stride = dense(port.aligned, element)
    port.shown = list(port.stride)
    port.bytes = port.stride[0] * port.aligned[0]
    return port


def lay_out_ucp(chip, port, output):
    """Rows begin at multiples of the chip's unit; the rows of pictures are the caller's to choose."""
    element = SIZES[port.type]
    port.aligned, port.stride = list(port.valid), dense(port.valid, element)
    if port.role in (LUMA, CHROMA, PIXELS):
        port.stride = [-1, -1] + port.stride[2:]
        port.bytes = -1
    elif not port.cpu and min(port.valid) > 0:
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


def the_set(chip):
    """name of the file: its models."""
    meter = os.path.join(ROOT, "examples", "meter", "meter.tflite")
    return {"meter": [tflite_model(meter, chip)]}
