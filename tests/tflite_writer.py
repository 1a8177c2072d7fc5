# SPDX-License-Identifier: Apache-2.0
"""Writes .tflite files for tests, and needs nothing but Python: a flatbuffer whose parts are laid out once, parents
first. graph() makes a model of several operators, model() one of a single operator."""

import struct

FLOAT, INT32, UINT8, INT64, BOOL, INT16, INT8, RESOURCE, INT4 = 0, 2, 3, 4, 6, 7, 9, 13, 17


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
    """A tensor is (type, shape, data or None, scales or None), or that and (..., zero points, quantized dimension), or
    that and (..., True) for a variable, or that and (..., signature), the shape with -1 where it is open."""
    kind, shape, data, scale = tensor[:4]
    zeros, axis = tensor[4:6] if len(tensor) > 4 else ([0] * len(scale or []), 0)
    where, quant = 0, None
    if data is not None:
        where = len(buffers)
        buffers.append(("table", [("vector", "B", data)]))
    if scale is not None:
        quant = ("table", [None, None, ("vector", "f", scale), ("vector", "q", zeros), None, None, ("i", axis)])
    variable = [("i", int(tensor[6]))] if len(tensor) > 6 else []
    if len(tensor) > 7:
        variable += [None, ("vector", "i", tensor[7])]
    return ("table", [("vector", "i", shape), ("i", kind), ("i", where), ("string", "t%d" % index), quant] + variable)


def option(value):
    return ("vector", "i", value) if isinstance(value, list) else \
        ("string", value) if isinstance(value, str) else number(value)


def subgraph(tensors, operators, graph_inputs, graph_outputs, codes, buffers):
    """An operator is (code, type of options, options, inputs, outputs); options are numbers, texts, lists or None. That
    of a custom operator is its name, and its options are bytes."""
    described, steps = [], []
    for index, tensor in enumerate(tensors):
        described.append(describe(tensor, index, buffers))
    for code, options_type, options, inputs, outputs in operators:
        index, custom = len(codes), isinstance(code, str)
        codes.append(("table", [("i", 32), ("string", code), ("i", 1), ("i", 32)] if custom else
                      [("i", min(code, 127)), None, ("i", 1), ("i", code)]))
        steps.append(("table", [("i", index), ("vector", "i", inputs), ("vector", "i", outputs),
                                ("i", options_type) if options_type else None,
                                ("table", [option(v) for v in options]) if options_type else None] +
                      ([("vector", "B", list(options))] if custom else [])))
    return ("table", [("list", described), ("vector", "i", graph_inputs), ("vector", "i", graph_outputs),
                      ("list", steps)])


def graphs(*parts):
    """A model of several subgraphs; each is (tensors, operators, inputs, outputs)."""
    codes, buffers = [], [("table", [])]
    whole = [subgraph(*part, codes, buffers) for part in parts]
    return Writer().finish(("table", [("i", 3), ("list", codes), ("list", whole), None, ("list", buffers)]))


def graph(*part):
    return graphs(part)


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
