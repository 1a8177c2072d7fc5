#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/seeds/tflite/: one model of a few hundred bytes for each kind of operator, with one input, one
output and constants. Needs nothing but Python: the writer below lays every part out once, parents first."""

import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
FLOAT, INT32, UINT8, INT64, BOOL, INT8 = 0, 2, 3, 4, 6, 9


class Writer:
    def __init__(self):
        self.bytes = bytearray()
        self.pending = []

    def emit(self, part):
        """A part is ("table", fields), ("vector", format, items) or ("list", parts); a field is (format, value), a
        part, or None. Offsets to parts are filled in when the part gets its place."""
        while len(self.bytes) % 4:
            self.bytes.append(0)
        if part[0] == "vector":
            start = len(self.bytes)
            self.bytes += struct.pack("<I%d%s" % (len(part[2]), part[1]), len(part[2]), *part[2])
            return start
        if part[0] == "string":
            start = len(self.bytes)
            self.bytes += struct.pack("<I", len(part[1])) + part[1].encode() + b"\0"
            return start
        if part[0] == "list":
            start = len(self.bytes)
            self.bytes += struct.pack("<I", len(part[1]))
            for item in part[1]:
                self.refer(item)
            return start
        fields = part[1]
        place, slots = 4, []
        for field in fields:
            slots.append(0 if field is None else place)
            place += 0 if field is None else 4
        vtable = len(self.bytes)
        self.bytes += struct.pack("<%dH" % (2 + len(slots)), 4 + 2 * len(slots), place, *slots)
        start = len(self.bytes)
        self.bytes += struct.pack("<i", start - vtable)
        for field in fields:
            if field is None:
                continue
            if field[0] in ("i", "I", "f"):
                self.bytes += struct.pack("<" + field[0], field[1])
            else:
                self.refer(field)
        return start

    def refer(self, part):
        self.pending.append((len(self.bytes), part))
        self.bytes += b"\0\0\0\0"

    def finish(self, root):
        self.refer(root)
        self.bytes += b"TFL3"
        while self.pending:
            where, part = self.pending.pop(0)
            struct.pack_into("<I", self.bytes, where, self.emit(part) - where)
        return bytes(self.bytes)


def number(value):
    return None if value is None else ("f", value) if isinstance(value, float) else ("i", value)


def describe(tensor, index, buffers):
    """A tensor is (type, shape, data or None, scales or None), or that and (..., zero points, quantized dimension)."""
    kind, shape, data, scale = tensor[:4]
    zeros, axis = tensor[4:] if len(tensor) > 4 else ([0] * len(scale or []), 0)
    where, quant = 0, None
    if data is not None:
        where = len(buffers)
        buffers.append(("table", [("vector", "B", data)]))
    if scale is not None:
        quant = ("table", [None, None, ("vector", "f", scale), ("vector", "q", zeros), None, None, ("i", axis)])
    return ("table", [("vector", "i", shape), ("i", kind), ("i", where), ("string", "t%d" % index), quant])


def graph(tensors, operators, graph_inputs, graph_outputs):
    """An operator is (code, type of options, options, inputs, outputs); options are numbers, lists or None."""
    buffers, described, codes, steps = [("table", [])], [], [], []
    for index, tensor in enumerate(tensors):
        described.append(describe(tensor, index, buffers))
    for index, (code, options_type, options, inputs, outputs) in enumerate(operators):
        codes.append(("table", [("i", min(code, 127)), None, ("i", 1), ("i", code)]))
        fields = [("vector", "i", v) if isinstance(v, list) else number(v) for v in options]
        steps.append(("table", [("i", index), ("vector", "i", inputs), ("vector", "i", outputs),
                                ("i", options_type) if options_type else None,
                                ("table", fields) if options_type else None]))
    whole = ("table", [("list", described), ("vector", "i", graph_inputs), ("vector", "i", graph_outputs),
                       ("list", steps)])
    return Writer().finish(("table", [("i", 3), ("list", codes), ("list", [whole]), None, ("list", buffers)]))


def model(code, options_type, options, tensors, inputs, outputs):
    """One operator; tensor 0 is the input of the model."""
    return graph(tensors, [(code, options_type, options, inputs, outputs)], [0], outputs)


def ints(*values):
    return list(struct.pack("<%di" % len(values), *values))


def floats(*values):
    return list(struct.pack("<%df" % len(values), *values))


def list_of(*values):
    """A constant of int32."""
    return (INT32, [len(values)], ints(*values), None)


def image(*shape):
    return (FLOAT, list(shape), None, None)


def image8(*shape, scale=0.5, zero=0):
    return (INT8, list(shape), None, [scale], [zero], 0)


IMAGE = (FLOAT, [1, 4, 4, 2], None, None)
IMAGE8 = (INT8, [1, 4, 4, 2], None, [0.5])
BYTES = [1, 2, 3, 255, 4, 250, 6, 7]
WEIGHTS8 = (INT8, [2, 1, 1, 2], [1, 2, 3, 4], [0.5, 0.25], [0, 0], 0)
BIAS8 = (INT32, [2], ints(5, -7), [0.25, 0.125], [0, 0], 0)
WEIGHTS = (FLOAT, [2, 2, 2, 2], floats(*[0.25 * i for i in range(16)]), None)
BIAS = (FLOAT, [2], floats(1.0, -1.0), None)
COLUMN = (FLOAT, [4, 1], floats(1.0, 2.0, -1.0, 0.5), None)
COLUMN8 = (INT8, [4, 1], [1, 2, 255, 7], [0.25], [3], 0)
INTS = (INT32, [2, 3], None, None)
INTS64 = (INT64, [2, 3], None, None)
SOFT8 = image8(1, 4, 4, 2, scale=1 / 256, zero=-128)
SAME, VALID = 0, 1

# name: code, type of options, options, tensors, inputs, outputs
SEEDS = {
    "add": (0, 11, [1], [IMAGE, IMAGE], [0, 0], [1]),
    "add_broadcast": (0, 11, [3], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "add_s8": (0, 11, [3], [IMAGE8, image8(1, 4, 4, 2, zero=-5), COLUMN8], [2, 0], [1]),
    "add_s32": (0, 11, [0], [INTS, INTS, (INT32, [3], ints(1, -2, 3), None)], [0, 2], [1]),
    "sub_s8": (41, 28, [0], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "sub": (41, 28, [0], [IMAGE, IMAGE, COLUMN], [2, 0], [1]),
    "mul": (18, 21, [1], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "mul_s8": (18, 21, [0], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "mul_s64": (18, 21, [0], [INTS64, INTS64], [0, 0], [1]),
    "div": (42, 29, [0], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "div_s32": (42, 29, [0], [INTS, INTS, (INT32, [2, 1], ints(-1, 2), None)], [0, 2], [1]),
    "maximum": (55, 0, [], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "minimum_s8": (57, 0, [], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "prelu": (54, 0, [], [IMAGE, IMAGE, BIAS], [0, 2], [1]),
    "average_pool": (1, 5, [SAME, 2, 2, 2, 2, 0], [IMAGE8, image8(1, 2, 2, 2)], [0], [1]),
    "average_pool_f32": (1, 5, [VALID, 1, 1, 3, 2, 1], [IMAGE, image(1, 3, 2, 2)], [0], [1]),
    "max_pool": (17, 5, [SAME, 2, 1, 3, 2, 3], [IMAGE8, image8(1, 4, 2, 2)], [0], [1]),
    "max_pool_f32": (17, 5, [VALID, 2, 2, 2, 2, 0], [IMAGE, image(1, 2, 2, 2)], [0], [1]),
    "concat_relu": (2, 10, [3, 1], [IMAGE, image(1, 4, 4, 4)], [0, 0], [1]),
    "concat_s8": (2, 10, [1, 0], [IMAGE8, image8(1, 8, 4, 2, scale=0.25)], [0, 0], [1]),
    "conv": (3, 1, [SAME, 1, 1, 3], [IMAGE8, IMAGE8, WEIGHTS8], [0, 2], [1]),
    "conv_bias": (3, 1, [SAME, 2, 2, 0], [IMAGE8, image8(1, 2, 2, 2, zero=-3), WEIGHTS8, BIAS8], [0, 2, 3], [1]),
    "conv_f32": (3, 1, [VALID, 1, 1, 1], [IMAGE, image(1, 3, 3, 2), WEIGHTS, BIAS], [0, 2, 3], [1]),
    "conv_dilated": (3, 1, [SAME, 1, 1, 0, 2, 3], [IMAGE, IMAGE, WEIGHTS, BIAS], [0, 2, 3], [1]),
    "conv_grouped": (3, 1, [SAME, 1, 1, 0], [IMAGE, IMAGE, (FLOAT, [2, 1, 1, 1], floats(2.0, 3.0), None)],
                     [0, 2], [1]),
    "conv_grouped_s8": (3, 1, [VALID, 1, 1, 0], [IMAGE8, image8(1, 4, 3, 2),
                                                 (INT8, [2, 1, 2, 1], [1, 2, 3, 4], [0.5])], [0, 2], [1]),
    "conv_hybrid": (3, 1, [SAME, 1, 1, 1], [IMAGE, IMAGE, WEIGHTS8, BIAS], [0, 2, 3], [1]),
    "depthwise": (4, 2, [VALID, 1, 1, 1, 0], [IMAGE8, IMAGE8, (INT8, [1, 1, 1, 2], [1, 2], [0.5])], [0, 2, -1], [1]),
    "depthwise_multiplier": (4, 2, [SAME, 2, 1, 2, 3, 1, 2],
                             [IMAGE8, image8(1, 4, 2, 4),
                              (INT8, [1, 2, 1, 4], BYTES, [0.5, 0.25, 0.5, 0.125], [0] * 4, 3)], [0, 2], [1]),
    "depthwise_f32": (4, 2, [SAME, 1, 1, 1, 1], [IMAGE, IMAGE, (FLOAT, [1, 2, 2, 2], floats(*range(8)), None), BIAS],
                      [0, 2, 3], [1]),
    "depthwise_hybrid": (4, 2, [SAME, 1, 1, 2, 0],
                         [IMAGE, image(1, 4, 4, 4), (INT8, [1, 2, 1, 4], BYTES, [0.5, 0.25, 0.5, 0.125], [0] * 4, 3)],
                         [0, 2], [1]),
    "fully_connected": (9, 8, [1, 0, 1], [IMAGE, IMAGE, (FLOAT, [2, 2], floats(1.0, 2.0, 3.0, 4.0), None)],
                        [0, 2], [1]),
    "fully_connected_s8": (9, 8, [0, 0, 0], [image8(2, 4), image8(2, 2, zero=1),
                                             (INT8, [2, 4], BYTES, [0.5, 0.25], [0, 0], 0), BIAS8], [0, 2, 3], [1]),
    "fully_connected_hybrid": (9, 8, [0, 0, 0], [image(2, 4), image(2, 2), (INT8, [2, 4], BYTES, [0.5]), BIAS],
                               [0, 2, 3], [1]),
    "fully_connected_given": (9, 8, [0, 0, 0], [image(2, 2), image(2, 2)], [0, 0], [1]),
    "matmul": (126, 101, [0, 1], [image(2, 3, 4), image(2, 3, 3)], [0, 0], [1]),
    "matmul_s8": (126, 101, [1, 0], [image8(3, 2), image8(2, 2), (INT8, [3, 2], BYTES[:6], [0.5])], [0, 2], [1]),
    "transpose_conv": (67, 49, [SAME, 2, 2], [IMAGE, image(1, 8, 8, 1), list_of(1, 8, 8, 1),
                                              (FLOAT, [1, 2, 2, 2], floats(*range(8)), None)], [2, 3, 0], [1]),
    "transpose_conv_s8": (67, 49, [VALID, 1, 2], [IMAGE8, image8(1, 8, 4, 1), list_of(1, 8, 4, 1),
                                                  (INT8, [1, 2, 1, 2], [1, 2, 3, 4], [0.5])], [2, 3, 0], [1]),
    "reshape": (22, 17, [[4, 8]], [IMAGE, image(4, 8)], [0], [1]),
    "reshape_list": (22, 0, [], [IMAGE8, image8(2, 16), list_of(2, -1)], [0, 2], [1]),
    "squeeze": (43, 30, [[0]], [IMAGE, image(4, 4, 2)], [0], [1]),
    "expand_dims": (70, 0, [], [IMAGE, image(1, 4, 4, 1, 2), (INT32, [], ints(3), None)], [0, 2], [1]),
    "resize": (23, 15, [None, None, 0, 1], [IMAGE, image(1, 8, 8, 2), list_of(8, 8)], [0, 2], [1]),
    "resize_s8": (23, 15, [None, None, 1, 0], [IMAGE8, image8(1, 3, 7, 2), list_of(3, 7)], [0, 2], [1]),
    "softmax": (25, 9, [1.0], [IMAGE, IMAGE], [0], [1]),
    "softmax_s8": (25, 9, [1.0], [IMAGE8, SOFT8], [0], [1]),
    "log_softmax": (50, 0, [], [IMAGE, IMAGE], [0], [1]),
    "pad": (34, 22, [], [IMAGE, image(1, 5, 5, 2), (INT32, [4, 2], ints(0, 0, 0, 1, 1, 0, 0, 0), None)], [0, 2], [1]),
    "pad_s8": (34, 22, [], [IMAGE8, image8(1, 6, 5, 2), (INT32, [4, 2], ints(0, 0, 1, 1, 1, 0, 0, 0), None)],
               [0, 2], [1]),
    "pad_value": (60, 0, [], [IMAGE, image(1, 4, 4, 5), (INT32, [4, 2], ints(0, 0, 0, 0, 0, 0, 1, 2), None),
                              (FLOAT, [1], floats(2.0), None)], [0, 2, 3], [1]),
    "mirror_pad": (100, 77, [0], [IMAGE, image(1, 6, 7, 2), (INT32, [4, 2], ints(0, 0, 1, 1, 2, 1, 0, 0), None)],
                   [0, 2], [1]),
    "mean": (40, 27, [1], [IMAGE, image(1, 1, 1, 2), list_of(1, 2)], [0, 2], [1]),
    "mean_s8": (40, 27, [0], [IMAGE8, image8(1, 2, scale=0.25, zero=4), list_of(1, 2)], [0, 2], [1]),
    "sum": (74, 27, [1], [IMAGE, image(1, 4, 4, 1), list_of(-1)], [0, 2], [1]),
    "reduce_max": (82, 27, [0], [IMAGE, image(1, 4, 2), list_of(1)], [0, 2], [1]),
    "reduce_min_s8": (89, 27, [1], [IMAGE8, image8(1, 1, 4, 2), list_of(1)], [0, 2], [1]),
    "arg_max": (56, 40, [2], [IMAGE, (INT32, [1, 4, 4], None, None), (INT32, [], ints(3), None)], [0, 2], [1]),
    "arg_max_s8": (56, 40, [4], [IMAGE8, (INT64, [1, 4, 2], None, None), (INT32, [], ints(1), None)], [0, 2], [1]),
    "split": (49, 35, [2], [IMAGE, image(1, 4, 4, 1), image(1, 4, 4, 1), (INT32, [], ints(3), None)], [3, 0], [1, 2]),
    "slice": (65, 0, [], [IMAGE, image(1, 2, 3, 2), list_of(0, 1, 1, 0), list_of(1, 2, -1, 2)], [0, 2, 3], [1]),
    "strided_slice": (45, 32, [1, 1, 0, 0, 0], [IMAGE, IMAGE, list_of(0, 0, 0, 0), list_of(1, 4, 4, 2),
                                                list_of(1, 1, 1, 1)], [0, 2, 3, 4], [1]),
    "strided_slice_back": (45, 32, [0, 0, 0, 0, 1], [IMAGE8, image8(2, 2, 2), list_of(0, 3, 0, 0),
                                                     list_of(1, 0, 4, 2), list_of(1, -2, 2, 1)], [0, 2, 3, 4], [1]),
    "transpose": (39, 0, [], [IMAGE, image(2, 4, 1, 4), list_of(3, 1, 0, 2)], [0, 2], [1]),
    "transpose_s8": (39, 0, [], [IMAGE8, image8(1, 2, 4, 4), list_of(0, 3, 1, 2)], [0, 2], [1]),
    "gather": (36, 23, [2, 0], [IMAGE, image(1, 4, 3, 2), list_of(3, 0, 1)], [0, 2], [1]),
    "gather_given": (36, 23, [0, 0], [(INT32, [3], None, None), image(3, 1), COLUMN], [2, 0], [1]),
    "gather_nd": (107, 0, [], [IMAGE, image(3, 2), (INT32, [3, 3], ints(0, 1, 2, 0, 3, 0, 0, 1, 1), None)], [0, 2],
                  [1]),
    "gather_nd_given": (107, 0, [], [(INT32, [2, 1], None, None), image(2, 1), COLUMN], [2, 0], [1]),
    "scatter_nd": (122, 0, [], [image(3, 2), image(4, 2), (INT32, [3, 1], ints(3, 1, 3), None), list_of(4, 2)],
                   [2, 0, 3], [1]),
    "scatter_nd_s8": (122, 0, [], [image8(4), image8(2, 3), (INT32, [4, 2], ints(0, 1, 1, 2, 0, 1, 0, 0), None),
                                   list_of(2, 3)], [2, 0, 3], [1]),
    "sparse_to_dense": (68, 0, [], [image(2), image(3, 2), (INT32, [2, 2], ints(2, 1, 0, 0), None), list_of(3, 2),
                                    (FLOAT, [], floats(0.5), None)], [2, 3, 0, 4], [1]),
    "lrn": (13, 13, [1, 1.0, 0.5, 0.75], [IMAGE, IMAGE], [0], [1]),
    "pack": (83, 59, [2, 0], [IMAGE, image(2, 1, 4, 4, 2)], [0, 0], [1]),
    "pack_one": (83, 59, [1, 1], [IMAGE, image(1, 1, 4, 4, 2)], [0], [1]),
    "space_to_depth": (26, 19, [2], [IMAGE, image(1, 2, 2, 8)], [0], [1]),
    "depth_to_space": (5, 94, [2], [image8(1, 2, 2, 8), IMAGE8], [0], [1]),
    "quantize": (114, 0, [], [IMAGE, IMAGE8], [0], [1]),
    "dequantize": (6, 0, [], [image8(1, 4, 4, 2, zero=7), IMAGE], [0], [1]),
    "requantize": (114, 0, [], [IMAGE8, image8(1, 4, 4, 2, scale=0.125, zero=-9)], [0], [1]),
    "cast": (53, 0, [], [INTS, image(2, 3)], [0], [1]),
    "cast_byte": (53, 0, [], [image(2, 3), (UINT8, [2, 3], None, None)], [0], [1]),
    "custom": (32, 0, [], [IMAGE, IMAGE], [0], [1]),
}
for code, name in ((8, "floor"), (14, "logistic"), (19, "relu"), (21, "relu6"), (28, "tanh"), (47, "exp"), (59, "neg"),
                   (75, "sqrt"), (76, "rsqrt"), (101, "abs"), (117, "hard_swish")):
    SEEDS[name] = (code, 0, [], [IMAGE, IMAGE], [0], [1])
for code, name in ((14, "logistic_s8"), (19, "relu_s8"), (28, "tanh_s8"), (117, "hard_swish_s8"), (101, "abs_s8")):
    SEEDS[name] = (code, 0, [], [IMAGE8, SOFT8], [0], [1])
SEEDS["leaky_relu"] = (98, 75, [0.25], [IMAGE, IMAGE], [0], [1])
SEEDS["leaky_relu_s8"] = (98, 75, [0.25], [IMAGE8, IMAGE8], [0], [1])

# Several operators, for what is done between them: fusing, renaming, folding, sharing of memory.
GRAPHS = {
    "pad_conv_relu": ([IMAGE8, (INT32, [4, 2], ints(0, 0, 1, 1, 1, 1, 0, 0), None), image8(1, 6, 6, 2),
                       (INT8, [2, 3, 3, 2], list(range(36)), [0.5]), IMAGE8, IMAGE8, image8(1, 32),
                       image8(1, 32, scale=1 / 256, zero=-128)],
                      [(34, 22, [], [0, 1], [2]), (3, 1, [VALID, 1, 1, 0], [2, 3], [4]), (19, 0, [], [4], [5]),
                       (22, 0, [], [5], [6]), (25, 9, [1.0], [6], [7])], [0], [7]),
    "folded": ([IMAGE, COLUMN, COLUMN, COLUMN[:2] + (None, None), image(1, 4), image(1, 4, 4, 1), IMAGE],
               [(0, 11, [1], [1, 2], [3]), (39, 0, [], [3, 7], [4]), (40, 27, [1], [0, 8], [5]),
                (42, 29, [0], [0, 9], [6])], [0], [4, 5, 6]),
    "branches": ([IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, image(32)],
                 [(14, 0, [], [0], [1]), (28, 0, [], [1], [2]), (0, 11, [0], [1, 2], [3]), (18, 21, [3], [3, 1], [4]),
                  (22, 0, [], [4], [5])], [0], [3, 5]),
}
GRAPHS["folded"][0].extend([list_of(1, 0), list_of(3), COLUMN])

# Outputs that are declared without a shape take what comes: a changed parameter then gets as far as the kernels.
for name in ("add_broadcast", "arg_max", "average_pool_f32", "concat_s8", "conv_bias", "conv_dilated", "conv_f32",
             "conv_grouped_s8", "conv_hybrid", "depth_to_space", "depthwise_f32", "depthwise_multiplier", "expand_dims",
             "fully_connected_s8", "gather", "max_pool", "mean_s8", "mirror_pad", "pack", "pad_s8", "pad_value",
             "prelu", "reduce_max", "reshape_list", "resize", "resize_s8", "slice", "softmax_s8",
             "space_to_depth", "split", "strided_slice_back", "sub_s8", "transpose"):
    code, options_type, options, tensors, inputs, outputs = SEEDS[name]
    shapeless = [tensor[:1] + ([],) + tensor[2:] if index in outputs else tensor
                 for index, tensor in enumerate(tensors)]
    SEEDS["open_" + name] = (code, options_type, options, shapeless, inputs, outputs)

os.makedirs(os.path.join(HERE, "seeds", "tflite"), exist_ok=True)
for name, arguments in SEEDS.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(model(*arguments))
for name, arguments in GRAPHS.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(graph(*arguments))
