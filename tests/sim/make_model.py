#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .rknn files for the simulated Rockchip board; sim_model.c reads them.

    make_model.py IN.tflite CHIP OUT.rknn [--image] [--uint8-input MEAN,STD] [--multi-core]
    make_model.py --all OUTDIR [FOLDER]

The first converts one network. --image declares the first input a picture, --uint8-input says in addition how pixels
become real numbers: (pixel - MEAN) / STD; without it a pixel p is the stored value p - 128.
The second makes the set of the tests as OUTDIR/NAME.CHIP.rknn: examples/meter and small networks of drawn weights, and
every FOLDER/NAME/NAME.tflite that can be converted.

A real .rknn holds commands for the NPU that only the vendor's compiler writes. Its outside is known and is kept, so
that programs which look at a file before loading it find what they look for: 64 bytes of header ("RKNN", 4 zero
bytes, u64 format version, u64 length of the body, zeros), the body, u64 length of a JSON text, and the text.

The body is a network in numbers of 32 bits, little-endian; a text is its length and its bytes:

    "NSIM", 1, multi-core flag, custom string (text)
    number of shapes S; number of tensors, and for each:
        name (text), type, quantisation, fl, zp, scale (float), image flag, mean[4], std[4] (floats), rank,
        S times rank dimensions, flag: a constant follows; then its bytes, number of scales per channel, the
        dimension that channels count, and the scales (floats)
    number of inputs, and their tensors; the same for outputs
    number of layers, and for each:
        operator (OPERATORS), the type of a custom operator (text), number of inputs and their tensors, number of
        outputs and their tensors, number of parameters and the parameters (sim_network.h, SIM_P_*), length of
        attributes, and the attributes of a custom operator: for each its name (text), type, number of elements, and
        the elements

Types and quantisations have the numbers of rknpu/abi.h. An optional input that is left out is 0xffffffff.
"""

import json
import os
import random
import struct
import sys

CHIPS = ["rv1103", "rv1106", "rk3562", "rk3566", "rk3568", "rk3576", "rk3588"]
TOOLKIT = "2.3.2 (compiler version: 2.3.2 (simulated))"
FORMAT = 6                      # what toolkits since 1.6 write
ABSENT = 0xFFFFFFFF

FLOAT32, FLOAT16, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, BOOL = range(10)
NONE, DFP, AFFINE = range(3)
PACK = {FLOAT32: "f", FLOAT16: "e", INT8: "b", UINT8: "B", INT16: "h", UINT16: "H", INT32: "i", UINT32: "I",
        INT64: "q", BOOL: "B"}
OPERATORS = {"copy": 0, "conv": 1, "depthwise": 2, "full": 3, "average_pool": 4, "max_pool": 5, "add": 6, "softmax": 7,
             "reshape": 8, "pad": 9, "logistic": 10, "relu": 11, "custom": 12}
SAME, VALID = 0, 1
LINEAR, RELU, RELU6 = 0, 1, 3


class Refused(Exception):
    """A network that cannot be converted; the text says why."""


# ---- networks ---------------------------------------------------------------------------------


class Tensor:
    """shapes: one list of dimensions per shape of the network. data: the bytes of a constant."""

    def __init__(self, name, shapes, type=INT8, scale=None, zp=0, fl=None, data=None, scales=None, axis=0):
        self.name, self.type, self.data, self.axis = name, type, data, axis
        self.shapes = [list(s) for s in (shapes if isinstance(shapes[0], (list, tuple)) else [shapes])]
        self.quant = DFP if fl is not None else AFFINE if scale is not None else NONE
        self.scale, self.zp, self.fl, self.scales = scale or 0.0, zp, fl or 0, scales or []
        self.image, self.mean, self.std = False, [0.0] * 4, [1.0] * 4

    def as_image(self, mean=None, std=None):
        self.image = True
        if mean is None and self.quant == AFFINE:
            mean, std = [128.0 + self.zp] * 4, [1.0 / self.scale] * 4
        self.mean, self.std = mean or [0.0] * 4, std or [255.0] * 4
        return self


class Network:
    def __init__(self, name, shapes=1):
        self.name, self.shapes, self.multi_core = name, shapes, False
        self.custom_string = "made by make_model.py: " + name
        self.tensors, self.inputs, self.outputs, self.layers = [], [], [], []

    def add(self, tensor):
        if len(tensor.shapes) == 1:
            tensor.shapes = tensor.shapes * self.shapes
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def layer(self, operator, inputs, outputs, params=(), type="", attributes=b""):
        self.layers.append((operator, list(inputs), list(outputs), list(params), type, attributes))
        return outputs[0]


def bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


def text(value):
    raw = value.encode("ascii", "replace")[:255]
    return struct.pack("<I", len(raw)) + raw


def numbers(values, kind="I"):
    return struct.pack("<%d%s" % (len(values), kind), *values)


def pack_tensor(tensor):
    out = [text(tensor.name), numbers([tensor.type, tensor.quant, tensor.fl]), numbers([tensor.zp], "i"),
           numbers([tensor.scale], "f"), numbers([int(tensor.image)]), numbers(tensor.mean + tensor.std, "f"),
           numbers([len(tensor.shapes[0])])]
    out += [numbers(shape) for shape in tensor.shapes]
    out.append(numbers([int(tensor.data is not None)]))
    if tensor.data is not None:
        out += [tensor.data, numbers([len(tensor.scales), tensor.axis]), numbers(tensor.scales, "f")]
    return b"".join(out)


def pack_layer(layer):
    operator, inputs, outputs, params, type, attributes = layer
    return b"".join([numbers([OPERATORS[operator]]), text(type), numbers([len(inputs)] + inputs),
                     numbers([len(outputs)] + outputs), numbers([len(params)]), numbers(params, "i"),
                     numbers([len(attributes)]), attributes])


def body_of(network):
    out = [b"NSIM", numbers([1, int(network.multi_core)]), text(network.custom_string), numbers([network.shapes]),
           numbers([len(network.tensors)])]
    out += [pack_tensor(t) for t in network.tensors]
    out += [numbers([len(network.inputs)] + network.inputs), numbers([len(network.outputs)] + network.outputs)]
    out.append(numbers([len(network.layers)]))
    out += [pack_layer(layer) for layer in network.layers]
    return b"".join(out)


def file_of(body, chip, version=FORMAT, toolkit=TOOLKIT):
    """The whole file: the outside around the body."""
    words = json.dumps({"version": toolkit, "target_platform": [chip], "ori_network_platform": "TFLITE"}).encode()
    header = b"RKNN\0\0\0\0" + struct.pack("<QQ", version, len(body))
    return header.ljust(64, b"\0") + body + struct.pack("<Q", len(words)) + words


# ---- .tflite ----------------------------------------------------------------------------------


class Table:
    """A table of a flatbuffer: field number -> value of the kind that is asked for."""

    def __init__(self, raw, place):
        self.raw, self.place = raw, place
        self.vtable = place - struct.unpack_from("<i", raw, place)[0]

    def at(self, field):
        size = struct.unpack_from("<H", self.raw, self.vtable)[0]
        slot = 4 + 2 * field
        offset = struct.unpack_from("<H", self.raw, self.vtable + slot)[0] if slot < size else 0
        return self.place + offset if offset else None

    def get(self, field, kind, default=0):
        place = self.at(field)
        return default if place is None else struct.unpack_from("<" + kind, self.raw, place)[0]

    def follow(self, field):
        place = self.at(field)
        return None if place is None else place + struct.unpack_from("<I", self.raw, place)[0]

    def table(self, field):
        place = self.follow(field)
        return None if place is None else Table(self.raw, place)

    def vector(self, field, kind):
        place = self.follow(field)
        if place is None:
            return []
        count = struct.unpack_from("<I", self.raw, place)[0]
        return list(struct.unpack_from("<%d%s" % (count, kind), self.raw, place + 4))

    def bytes(self, field):
        place = self.follow(field)
        if place is None:
            return b""
        return self.raw[place + 4:place + 4 + struct.unpack_from("<I", self.raw, place)[0]]

    def tables(self, field):
        place = self.follow(field)
        offsets = self.vector(field, "I")
        return [Table(self.raw, place + 4 + 4 * i + offset) for i, offset in enumerate(offsets)]


TFLITE_TYPES = {0: FLOAT32, 1: FLOAT16, 2: INT32, 3: UINT8, 4: INT64, 6: BOOL, 7: INT16, 9: INT8}


def tflite_tensor(table, buffers, number):
    kind = table.get(1, "b")
    if kind not in TFLITE_TYPES:
        raise Refused("tensor %d has type %d" % (number, kind))
    shape = table.vector(0, "i") or [1]
    name = table.bytes(3).decode("ascii", "replace") or "tensor%d" % number
    quant = table.table(4)
    scales = quant.vector(2, "f") if quant else []
    zps = quant.vector(3, "q") if quant else []
    data = buffers[table.get(2, "I")].bytes(0) or None
    tensor = Tensor(name, shape, TFLITE_TYPES[kind], scales[0] if scales else None, zps[0] if zps else 0, data=data)
    if len(scales) > 1:
        tensor.scales, tensor.axis = scales, min(quant.get(6, "i"), len(shape) - 1)
    return tensor


def window_params(options, stride_w, activation, last_two, default):
    """[activation, valid, stride h, stride w, then dilation or window h, w] of the fields of an options table."""
    return [options.get(activation, "b"), options.get(0, "b"), options.get(stride_w + 1, "i"),
            options.get(stride_w, "i"), options.get(last_two + 1, "i", default), options.get(last_two, "i", default)]


def tflite_layer(network, code, inputs, outputs, options):
    inputs = [ABSENT if i < 0 else i for i in inputs]
    first = network.tensors[inputs[0]]
    if code == 3:
        network.layer("conv", inputs, outputs, window_params(options, 1, 3, 4, 1))
    elif code == 4:
        network.layer("depthwise", inputs, outputs, window_params(options, 1, 4, 5, 1))
    elif code in (1, 17):
        network.layer("average_pool" if code == 1 else "max_pool", inputs, outputs, window_params(options, 1, 5, 3, 0))
    elif code == 9:
        network.layer("full", inputs, outputs, [options.get(0, "b")])
    elif code == 0:
        network.layer("add", inputs, outputs, [options.get(0, "b") if options else 0])
    elif code == 25:
        network.layer("softmax", inputs, outputs, [0, bits(options.get(0, "f"))])
    elif code == 22:
        network.layer("reshape", inputs[:1], outputs)
    elif code == 34:
        pads = network.tensors[inputs[1]]
        values = struct.unpack("<%d%s" % (2 * len(first.shapes[0]), PACK[pads.type]), pads.data)
        network.layer("pad", inputs[:1], outputs, [0] + list(values))
    elif code == 14 and first.type == FLOAT32:
        network.layer("logistic", inputs, outputs)
    elif code in (19, 21):
        network.layer("relu", inputs, outputs, [RELU if code == 19 else RELU6])
    else:
        raise Refused("builtin operator %d is not one of the simulated NPU" % code)


def refuse_hybrid(network):
    for operator, inputs, outputs, _, _, _ in network.layers:
        if operator in ("conv", "depthwise", "full") and network.tensors[inputs[0]].type == FLOAT32 and \
                network.tensors[inputs[1]].type == INT8:
            raise Refused("hybrid: float32 activations with int8 weights")


def read_tflite(path):
    with open(path, "rb") as file:
        raw = file.read()
    if raw[4:8] != b"TFL3":
        raise Refused("not a .tflite file")
    model = Table(raw, struct.unpack_from("<I", raw, 0)[0])
    codes = [max(code.get(0, "b"), code.get(3, "i")) for code in model.tables(1)]
    graph = model.tables(2)[0]
    buffers = model.tables(4)
    network = Network(os.path.basename(path).rsplit(".", 1)[0])
    for number, table in enumerate(graph.tables(0)):
        network.add(tflite_tensor(table, buffers, number))
    network.inputs, network.outputs = graph.vector(1, "i"), graph.vector(2, "i")
    for table in graph.tables(3):
        tflite_layer(network, codes[table.get(0, "I")], table.vector(1, "i"), table.vector(2, "i"), table.table(4))
    refuse_hybrid(network)
    return network


def with_images(network):
    """Every input that the NPU reads as a picture becomes one."""
    for number in network.inputs:
        shape = network.tensors[number].shapes[0]
        if len(shape) == 4 and shape[3] in (1, 3, 4) and network.tensors[number].type in (INT8, FLOAT16, FLOAT32):
            network.tensors[number].as_image()
    return network


# ---- networks of drawn weights ------------------------------------------------------------------


class Maker:
    """Builds a network layer by layer; the weights are drawn from the seed, which is the name when none is given."""

    def __init__(self, name, shapes=1, type=INT8, quant=AFFINE, seed=None):
        self.net, self.random = Network(name, shapes), random.Random(seed or name)
        self.type, self.quant = type, quant

    def tensor(self, name, shapes, scale=0.05, zp=-3):
        if self.quant == AFFINE:
            return self.net.add(Tensor(name, shapes, self.type, scale if self.type == INT8 else scale / 64, zp))
        return self.net.add(Tensor(name, shapes, self.type, fl=(5 if self.type == INT8 else 10)
                                   if self.quant == DFP else None))

    def input(self, name, shapes, scale=0.03, zp=5):
        self.net.inputs.append(self.tensor(name, shapes, scale, zp))
        return self.net.inputs[-1]

    def image(self, name, shapes):
        number = self.input(name, shapes, 1 / 255, -128)
        self.net.tensors[number].as_image()
        return number

    def output(self, number):
        self.net.outputs.append(number)

    def shapes_of(self, number):
        return self.net.tensors[number].shapes

    def weights(self, name, shape, channels, axis):
        count = 1
        for d in shape:
            count *= d
        if self.type == INT8 and self.quant == AFFINE:
            values = numbers([self.random.randint(-127, 127) for _ in range(count)], "b")
            scales = [self.random.uniform(0.002, 0.006) for _ in range(channels)]
            return self.net.add(Tensor(name, shape, INT8, scales[0], data=values, scales=scales, axis=axis))
        values = numbers([self.random.uniform(-0.5, 0.5) for _ in range(count)], "f")
        return self.net.add(Tensor(name, shape, FLOAT32, data=values))

    def bias(self, name, channels):
        if self.type == INT8 and self.quant == AFFINE:
            return self.net.add(Tensor(name, [channels], INT32,
                                       data=numbers([self.random.randint(-900, 900) for _ in range(channels)], "i")))
        return self.net.add(Tensor(name, [channels], FLOAT32,
                                   data=numbers([self.random.uniform(-1, 1) for _ in range(channels)], "f")))

    def conv(self, number, channels, size=3, stride=1, activation=LINEAR, name="conv"):
        depth = self.shapes_of(number)[0][3]
        shapes = [[s[0], -(-s[1] // stride), -(-s[2] // stride), channels] for s in self.shapes_of(number)]
        w = self.weights(name + "_weights", [channels, size, size, depth], channels, 0)
        b = self.bias(name + "_bias", channels)
        out = self.tensor(name, shapes)
        return self.net.layer("conv", [number, w, b], [out], [activation, SAME, stride, stride, 1, 1])

    def depthwise(self, number, size=3, name="depthwise"):
        depth = self.shapes_of(number)[0][3]
        w = self.weights(name + "_weights", [1, size, size, depth], depth, 3)
        out = self.tensor(name, self.shapes_of(number))
        b = self.bias(name + "_bias", depth)
        return self.net.layer("depthwise", [number, w, b], [out], [RELU, SAME, 1, 1, 1, 1])

    def full(self, number, channels, name="full"):
        rows = self.shapes_of(number)[0][0]
        depth = 1
        for d in self.shapes_of(number)[0][1:]:
            depth *= d
        w = self.weights(name + "_weights", [channels, depth], channels, 0)
        out = self.tensor(name, [rows, channels])
        return self.net.layer("full", [number, w, self.bias(name + "_bias", channels)], [out], [LINEAR])

    def softmax(self, number, name="softmax"):
        out = self.tensor(name, self.shapes_of(number), 1 / 256, -128)
        return self.net.layer("softmax", [number], [out], [0, bits(1.0)])

    def pool(self, number, name="pool"):
        shapes = [[s[0], s[1] // 2, s[2] // 2, s[3]] for s in self.shapes_of(number)]
        source = self.net.tensors[number]
        out = self.tensor(name, shapes, source.scale, source.zp)
        return self.net.layer("average_pool", [number], [out], [LINEAR, VALID, 2, 2, 2, 2])

    def add(self, a, b, name="add"):
        return self.net.layer("add", [a, b], [self.tensor(name, self.shapes_of(a), 0.09, 7)], [LINEAR])


def one_conv(name, shape, channels, type=INT8, quant=AFFINE, seed=None):
    make = Maker(name, 1, type, quant, seed)
    source = make.image("input", shape) if shape[3] in (1, 3, 4) else make.input("input", shape)
    make.output(make.conv(source, channels))
    return make.net


def windows():
    """Padding, the largest of windows, and a RELU that changes the quantisation."""
    make = Maker("windows")
    source = make.input("input", [2, 6, 7, 3], 0.05, -20)
    padded = make.tensor("padded", [2, 9, 9, 3], 0.05, -20)
    most = make.tensor("most", [2, 4, 5, 3], 0.05, -20)
    clipped = make.tensor("clipped", [2, 4, 5, 3], 0.08, -128)
    make.net.layer("pad", [source], [padded], [0, 0, 0, 1, 2, 0, 2, 0, 0])
    make.net.layer("max_pool", [padded], [most], [LINEAR, VALID, 2, 2, 3, 1])
    make.output(make.net.layer("relu", [most], [clipped], [RELU]))
    return make.net


def two_in_two_out():
    make = Maker("two")
    picture, words = make.image("picture", [1, 8, 10, 3]), make.input("words", [1, 16])
    make.output(make.depthwise(make.conv(picture, 12)))
    make.output(make.softmax(make.full(words, 10)))
    return make.net


def batch():
    make = Maker("batch4")
    make.output(make.full(make.pool(make.conv(make.image("input", [4, 6, 10, 3]), 16)), 10))
    return make.net


def dynamic():
    sizes = [(12, 20), (8, 9), (16, 33)]
    make = Maker("dynamic", len(sizes))
    picture = make.image("picture", [[1, h, w, 3] for h, w in sizes])
    features = make.input("features", [[1, h, w, 24] for h, w in sizes])
    make.output(make.add(make.conv(picture, 24, activation=RELU), features))
    return make.net


def dynamic_rows():
    make = Maker("dynamic_rows", 3)
    a = make.input("a", [[rows, 20] for rows in (1, 4, 7)])
    b = make.input("b", [[rows, 20] for rows in (1, 4, 7)])
    make.output(make.add(a, b))
    return make.net


def custom():
    """The custom operator "nnrtScale": y = x * factor + offset[channel]; float32 between float16 input and output."""
    net = Network("custom")
    shape = [1, 5, 6, 8]
    source, before = net.add(Tensor("input", shape, FLOAT16)), net.add(Tensor("before", shape, FLOAT32))
    after, output = net.add(Tensor("after", shape, FLOAT32)), net.add(Tensor("output", shape, FLOAT16))
    attributes = text("factor") + numbers([FLOAT32, 1]) + numbers([2.0], "f")
    attributes += text("offset") + numbers([INT32, 8]) + numbers(range(-3, 5), "i")
    net.layer("copy", [source], [before], [0])
    net.layer("custom", [before], [after], [], "nnrtScale", attributes)
    net.layer("copy", [after], [output], [0])
    net.inputs, net.outputs = [source], [output]
    return net


def identity(name, shape, type=INT8, scale=None, zp=0, fl=None):
    net = Network(name)
    net.inputs = [net.add(Tensor("input", shape, type, scale, zp, fl))]
    net.outputs = [net.add(Tensor("output", shape, type, scale, zp, fl))]
    net.layer("copy", net.inputs, net.outputs, [0])
    return with_images(net)


def several_cores():
    net = one_conv("multi_core", [1, 16, 16, 16], 32)
    net.multi_core = True
    return net


def chain():
    make = Maker("chain")
    a = make.conv(make.image("input", [1, 24, 24, 3]), 16, stride=2, activation=RELU, name="stem")
    b = make.depthwise(a)
    c = make.add(make.conv(b, 16, size=1, name="point"), a)
    make.output(make.softmax(make.full(make.pool(c), 10)))
    return make.net


def drawn():
    """The networks of drawn weights."""
    return [
        one_conv("odd", [1, 7, 13, 3], 20), one_conv("gray", [1, 9, 17, 1], 16), one_conv("c5", [1, 6, 10, 5], 5),
        one_conv("c40", [1, 4, 9, 40], 40), one_conv("half_c24", [1, 5, 7, 24], 24, FLOAT16, NONE),
        # The same weights in several types.
        one_conv("float", [1, 9, 11, 3], 10, FLOAT32, NONE, "picture"),
        one_conv("half", [1, 9, 11, 3], 10, FLOAT16, NONE, "picture"),
        one_conv("float_c8", [1, 5, 6, 8], 12, FLOAT32, NONE, "features"),
        one_conv("int16", [1, 5, 6, 8], 12, INT16, AFFINE, "features"),
        one_conv("dfp8", [1, 5, 6, 8], 12, INT8, DFP, "features"),
        one_conv("dfp16", [1, 5, 6, 8], 12, INT16, DFP, "features"),
        windows(), two_in_two_out(), batch(), dynamic(), dynamic_rows(), custom(), several_cores(), chain(),
        identity("same_int8", [1, 3, 5, 40], INT8, 0.1, 3), identity("same_wide", [1, 2, 301, 3], INT8, 1 / 255, -128),
        identity("same_half", [1, 3, 5, 20], FLOAT16), identity("same_float", [1, 3, 5, 20], FLOAT32),
        identity("same_int16", [1, 3, 5, 20], INT16, 0.001, 40),
        identity("same_uint8", [1, 3, 5, 20], UINT8, 0.05, 100),
        identity("same_int64", [2, 9], INT64), identity("same_bool", [12], BOOL),
        identity("same_vector", [1, 70], INT8, 0.2, -7), identity("same_rank1", [33], INT8, 0.2, -7),
        identity("same_rank3", [2, 7, 9], INT8, 0.2, -7),
    ]


# ---- the set of the tests -----------------------------------------------------------------------


def write(folder, name, chip, raw):
    with open(os.path.join(folder, "%s.%s.rknn" % (name, chip)), "wb") as file:
        file.write(raw)


def write_spoiled(folder, chip, body):
    """Files that nobody can run, each for a reason of its own."""
    whole = file_of(body, chip)
    write(folder, "version1", chip, file_of(body, chip, 1, "1.3.0 (simulated)"))
    write(folder, "version4", chip, file_of(body, chip, 4, "1.4.0 (simulated)"))
    write(folder, "version7", chip, file_of(body, chip, 7, "3.0.0 (simulated)"))
    write(folder, "broken_platform", chip, file_of(body, "rk9999"))
    write(folder, "broken_header", chip, whole[:40])
    write(folder, "broken_short", chip, whole[:64 + len(body) // 2])
    write(folder, "broken_json", chip, whole[:64 + len(body) + 20])
    write(folder, "broken_magic", chip, b"XKNN" + whole[4:])
    write(folder, "broken_body", chip, whole[:64] + b"\xa5" * len(body) + whole[64 + len(body):])
    write(folder, "encrypted", chip, b"CYPTRKNN" + whole[8:])


def write_all(folder, models=None):
    os.makedirs(folder, exist_ok=True)
    here = os.path.dirname(os.path.abspath(__file__))
    meter = with_images(read_tflite(os.path.join(here, "..", "..", "examples", "meter", "meter.tflite")))
    networks = [meter] + drawn()
    for name in sorted(os.listdir(models)) if models else []:
        path = os.path.join(models, name, name + ".tflite")
        if not os.path.exists(path):
            continue
        try:
            networks.append(with_images(read_tflite(path)))
        except Refused as why:
            print("%s: %s" % (name, why))
    for network in networks:
        body = body_of(network)
        for chip in CHIPS:
            write(folder, network.name, chip, file_of(body, chip))
    old = body_of(meter)
    for chip in CHIPS:
        write(folder, "meter_v4", chip, file_of(old, chip, 4, "1.4.0 (simulated)"))
        write_spoiled(folder, chip, body_of(one_conv("odd", [1, 7, 13, 3], 20)))


def main(arguments):
    flags = [a for a in arguments if a.startswith("--")]
    if flags[:1] == ["--all"] and len(arguments) in (2, 3):
        write_all(arguments[1], arguments[2] if len(arguments) == 3 else None)
        return 0
    norm = None
    if "--uint8-input" in arguments:
        at = arguments.index("--uint8-input")
        norm = [float(x) for x in arguments[at + 1].split(",")]
        del arguments[at:at + 2]
    files = [a for a in arguments if not a.startswith("--")]
    if len(files) != 3 or files[1] not in CHIPS or not set(flags) <= {"--image", "--uint8-input", "--multi-core"}:
        sys.stderr.write(__doc__.split("\n\n")[1] + "\nchips: " + " ".join(CHIPS) + "\n")
        return 2
    network = read_tflite(files[0])
    if norm is not None:
        network.tensors[network.inputs[0]].as_image([norm[0]] * 4, [norm[1]] * 4)
    elif "--image" in flags:
        network.tensors[network.inputs[0]].as_image()
    network.multi_core = "--multi-core" in flags
    with open(files[2], "wb") as file:
        file.write(file_of(body_of(network), files[1]))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, OSError) as error:
        sys.stderr.write("make_model.py: %s\n" % error)
        sys.exit(1)
    except (struct.error, IndexError, ValueError) as error:
        sys.stderr.write("make_model.py: a damaged .tflite file, or numbers that are none: %s\n" % error)
        sys.exit(1)
