#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/seeds/tflite/: one model of a few hundred bytes for each kind of operator, with one input, one
output and constants. Needs nothing but Python: the writer below lays every part out once, parents first."""

import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
FLOAT, INT32, INT8 = 0, 2, 9


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


def model(code, options_type, options, tensors, inputs, outputs):
    """tensors: (type, shape, data or None, scale or None). Options are numbers, lists or None."""
    buffers, described = [("table", [])], []
    for kind, shape, data, scale in tensors:
        where = 0
        if data is not None:
            where = len(buffers)
            buffers.append(("table", [("vector", "B", data)]))
        quant = None
        if scale is not None:
            quant = ("table", [None, None, ("vector", "f", scale), ("vector", "q", [0] * len(scale)), None, None,
                               ("i", 0)])
        described.append(("table", [("vector", "i", shape), ("i", kind), ("i", where),
                                    ("string", "t%d" % len(described)), quant]))
    fields = [("vector", "i", v) if isinstance(v, list) else number(v) for v in options]
    operator = ("table", [("i", 0), ("vector", "i", inputs), ("vector", "i", outputs),
                          ("i", options_type) if options_type else None, ("table", fields) if options_type else None])
    graph = ("table", [("list", described), ("vector", "i", [0]), ("vector", "i", outputs), ("list", [operator])])
    codes = ("list", [("table", [("i", min(code, 127)), None, ("i", 1), ("i", code)])])
    return Writer().finish(("table", [("i", 3), codes, ("list", [graph]), None, ("list", buffers)]))


def ints(*values):
    return list(struct.pack("<%di" % len(values), *values))


IMAGE = (FLOAT, [1, 4, 4, 2], None, None)
IMAGE8 = (INT8, [1, 4, 4, 2], None, [0.5])
SEEDS = {
    "add": (0, 11, [1], [IMAGE, IMAGE], [0, 0], [1]),
    "average_pool": (1, 5, [0, 2, 2, 2, 2, 0], [IMAGE8, (INT8, [1, 2, 2, 2], None, [0.5])], [0], [1]),
    "concat_relu": (2, 10, [3, 1], [IMAGE, (FLOAT, [1, 4, 4, 4], None, None)], [0, 0], [1]),
    "conv": (3, 1, [0, 1, 1, 3], [IMAGE8, IMAGE8, (INT8, [2, 1, 1, 2], [1, 2, 3, 4], [0.5, 0.25])], [0, 2], [1]),
    "depthwise": (4, 2, [1, 1, 1, 1, 0], [IMAGE8, IMAGE8, (INT8, [1, 1, 1, 2], [1, 2], [0.5])], [0, 2, -1], [1]),
    "fully_connected": (9, 8, [1, 0, 1], [IMAGE, IMAGE, (FLOAT, [2, 2], [0] * 16, None)], [0, 2], [1]),
    "reshape": (22, 17, [[4, 8]], [IMAGE, (FLOAT, [4, 8], None, None)], [0], [1]),
    "resize": (23, 15, [None, None, 0, 1], [IMAGE, (FLOAT, [1, 8, 8, 2], None, None), (INT32, [2], ints(8, 8), None)],
               [0, 2], [1]),
    "softmax": (25, 9, [1.0], [IMAGE, IMAGE], [0], [1]),
    "pad": (34, 22, [], [IMAGE, (FLOAT, [1, 5, 5, 2], None, None),
                         (INT32, [4, 2], ints(0, 0, 0, 1, 1, 0, 0, 0), None)], [0, 2], [1]),
    "mean": (40, 27, [1], [IMAGE, (FLOAT, [1, 1, 1, 2], None, None), (INT32, [2], ints(1, 2), None)], [0, 2], [1]),
    "squeeze": (43, 30, [[0]], [IMAGE, (FLOAT, [4, 4, 2], None, None)], [0], [1]),
    "split": (49, 35, [2], [IMAGE, (FLOAT, [1, 4, 4, 1], None, None), (FLOAT, [1, 4, 4, 1], None, None),
                            (INT32, [], ints(3), None)], [3, 0], [1, 2]),
    "strided_slice": (45, 32, [1, 1, 0, 0, 0], [IMAGE, IMAGE, (INT32, [4], ints(0, 0, 0, 0), None),
                                                (INT32, [4], ints(1, 4, 4, 2), None),
                                                (INT32, [4], ints(1, 1, 1, 1), None)], [0, 2, 3, 4], [1]),
    "transpose_conv": (67, 49, [0, 2, 2], [IMAGE, (FLOAT, [1, 8, 8, 1], None, None),
                                           (INT32, [4], ints(1, 8, 8, 1), None),
                                           (FLOAT, [1, 2, 2, 2], [0] * 32, None)], [2, 3, 0], [1]),
    "quantize": (114, 0, [], [IMAGE, IMAGE8], [0], [1]),
    "pack": (83, 59, [2, 0], [IMAGE, (FLOAT, [2, 1, 4, 4, 2], None, None)], [0, 0], [1]),
    "custom": (32, 0, [], [IMAGE, IMAGE], [0], [1]),
}

os.makedirs(os.path.join(HERE, "seeds", "tflite"), exist_ok=True)
for name, arguments in SEEDS.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(model(*arguments))
