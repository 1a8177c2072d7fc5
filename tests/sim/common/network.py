# SPDX-License-Identifier: Apache-2.0
"""Networks for a simulated NPU: how they are described, packed and converted from .tflite; sim_model_read.c reads them.

A packed network is the body of a vendor's file, in numbers of 32 bits, little-endian; a text is its length and its
bytes:

    "NSIM", 1, multi-core flag, custom string (text)
    number of shapes S; number of tensors, and for each:
        name (text), type, quantization, fl, zp, scale (float), image flag, mean[4], std[4] (floats), rank,
        S times rank dimensions, flag: a constant follows; then its bytes, number of scales per channel, the
        dimension that channels count, and the scales (floats)
    number of inputs, and their tensors; the same for outputs
    number of layers, and for each:
        operator (OPERATORS), the type of a custom operator (text), number of inputs and their tensors, number of
        outputs and their tensors, number of parameters and the parameters (sim_network.h, SIM_P_*), length of
        attributes, and the attributes of a custom operator: for each its name (text), type, number of elements, and
        the elements

Types and quantizations have the numbers of sim_model.h. An optional input that is left out is 0xffffffff.
"""

import os
import struct

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
