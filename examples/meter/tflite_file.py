# SPDX-License-Identifier: Apache-2.0
"""Writes and reads .tflite files: the part of schema version 3 that a small int8 network needs.

A .tflite file is a flatbuffer. The `flatbuffers` package and the generated schema classes would be
two dependencies for what is one page of code: a table is a list of fields whose places are
stored in a "vtable" in front of it, and everything that does not fit into a field is reached by
a 32-bit offset that counts forward from the place where it is stored.
"""

import struct

import numpy as np

FILE_IDENTIFIER = b"TFL3"
SCHEMA_VERSION = 3

DTYPE_CODES = {"float32": 0, "int32": 2, "uint8": 3, "int64": 4, "int16": 7, "int8": 9}
DTYPE_NAMES = {code: name for name, code in DTYPE_CODES.items()}
PADDING_CODES = {"SAME": 0, "VALID": 1}
ACTIVATION_CODES = {None: 0, "relu": 1, "relu6": 3}
DEFAULTS = {"padding": "SAME", "activation": None}      # by field kind; numbers have theirs in the row

# Operator -> (builtin code, version that has int8, builtin options type, fields of its options).
# A field is (name, kind, default); its index in the list is its id in the schema.
POOL_FIELDS = [("padding", "padding", 0), ("stride_w", "i32", 0), ("stride_h", "i32", 0),
               ("filter_w", "i32", 0), ("filter_h", "i32", 0), ("activation", "activation", 0)]
OPERATORS = {
    "AVERAGE_POOL_2D": (1, 2, 5, POOL_FIELDS),
    "CONV_2D": (3, 3, 1, [("padding", "padding", 0), ("stride_w", "i32", 0), ("stride_h", "i32", 0),
                          ("activation", "activation", 0), ("dilation_w", "i32", 1),
                          ("dilation_h", "i32", 1)]),
    "DEPTHWISE_CONV_2D": (4, 3, 2, [("padding", "padding", 0), ("stride_w", "i32", 0),
                                    ("stride_h", "i32", 0), ("depth_multiplier", "i32", 0),
                                    ("activation", "activation", 0), ("dilation_w", "i32", 1),
                                    ("dilation_h", "i32", 1)]),
    "FULLY_CONNECTED": (9, 4, 8, [("activation", "activation", 0)]),
    "MAX_POOL_2D": (17, 2, 5, POOL_FIELDS),
    "RESHAPE": (22, 1, 17, []),
    "SOFTMAX": (25, 2, 9, [("beta", "f32", 0.0)]),
}


class Tensor:
    """One tensor; `data` is None for activations, `scale` None for tensors that are not quantized."""

    def __init__(self, name, shape, dtype, data=None, scale=None, zero_point=None, axis=0):
        self.name, self.shape, self.dtype, self.data = name, tuple(shape), dtype, data
        self.scale = None if scale is None else np.atleast_1d(np.asarray(scale, np.float32))
        self.zero_point = None if scale is None else np.atleast_1d(np.asarray(zero_point, np.int64))
        self.axis = axis


class Operator:
    """One operator; `inputs` and `outputs` are tensor numbers, -1 for an optional input left out."""

    def __init__(self, kind, inputs, outputs, **options):
        self.kind, self.inputs, self.outputs = kind, inputs, outputs
        self.options = {name: DEFAULTS.get(field, default) for name, field, default in OPERATORS[kind][3]}
        self.options.update(options)


class Model:
    def __init__(self, tensors, operators, inputs, outputs, description=""):
        self.tensors, self.operators = tensors, operators
        self.inputs, self.outputs, self.description = inputs, outputs, description


# ---- writing: a tree of Table, Vector and str, laid out parents first ------------------------

SCALAR_FORMATS = {"u8": "<B", "i8": "<b", "i32": "<i", "u32": "<I", "i64": "<q", "f32": "<f"}


class Table:
    """Fields are (id, kind, value) with a scalar kind, or kind "ref" and a Table, Vector or str."""

    def __init__(self, *fields):
        self.fields = [f for f in fields if f[2] is not None]


class Vector:
    """Elements of a scalar kind or of kind "ref", or bytes; the first element lies at a multiple of align."""

    def __init__(self, kind, items, align=4):
        self.kind, self.items, self.align = kind, items, align


class Layout:
    """Appends objects to one byte array. Offsets are patched when their target gets its place."""

    def __init__(self):
        self.bytes = bytearray()
        self.pending = []           # (place of the offset, object it points to), in file order

    def pad(self, align, extra=0):
        """Zero bytes until the position `extra` bytes further on is a multiple of align."""
        while (len(self.bytes) + extra) % align:
            self.bytes.append(0)

    def put(self, kind, value):
        if kind == "ref":
            self.pending.append((len(self.bytes), value))
            value, kind = 0, "u32"
        self.bytes += struct.pack(SCALAR_FORMATS[kind], value)

    def put_string(self, text):
        raw = text.encode("ascii")
        self.pad(4)
        place = len(self.bytes)
        self.put("u32", len(raw))
        self.bytes += raw + b"\0"
        return place

    def put_vector(self, vector):
        self.pad(max(vector.align, 8 if vector.kind == "i64" else 4), extra=4)
        place = len(self.bytes)
        self.put("u32", len(vector.items))
        if isinstance(vector.items, bytes):
            self.bytes += vector.items
        else:
            for item in vector.items:
                self.put(vector.kind, item)
        return place

    def put_table(self, table):
        # Largest fields first behind the 4-byte offset of the vtable, so that nothing needs a hole.
        def width(kind):
            return 4 if kind == "ref" else struct.calcsize(SCALAR_FORMATS[kind])

        ordered = sorted(table.fields, key=lambda f: -width(f[1]))
        slots = [0] * (1 + max([f[0] for f in ordered], default=-1))
        position = 4
        for number, kind, _ in ordered:
            slots[number] = position
            position += width(kind)
        vtable = struct.pack("<%dH" % (2 + len(slots)), 4 + 2 * len(slots), position, *slots)
        self.pad(4, extra=len(vtable))
        vtable_place = len(self.bytes)
        self.bytes += vtable
        place = len(self.bytes)
        self.bytes += struct.pack("<i", place - vtable_place)
        for _, kind, value in ordered:
            self.put(kind, value)
        return place

    def finish(self, root):
        self.put("ref", root)
        self.bytes += FILE_IDENTIFIER
        while self.pending:
            where, target = self.pending.pop(0)
            if isinstance(target, str):
                place = self.put_string(target)
            elif isinstance(target, Vector):
                place = self.put_vector(target)
            else:
                place = self.put_table(target)
            struct.pack_into("<I", self.bytes, where, place - where)
        self.pad(16)
        return bytes(self.bytes)


def option_table(operator, fields):
    encoded = []
    for number, (name, kind, _) in enumerate(fields):
        value = operator.options[name]
        if kind == "padding":
            kind, value = "i8", PADDING_CODES[value]
        elif kind == "activation":
            kind, value = "i8", ACTIVATION_CODES[value]
        encoded.append((number, kind, value))
    return Table(*encoded)


def write_model(model):
    """The bytes of the .tflite file of a Model."""
    buffers = [Table()]                                     # buffer 0 is "no data" by convention
    tensors = []
    for tensor in model.tensors:
        buffer_number = 0
        if tensor.data is not None:
            buffer_number = len(buffers)
            raw = np.ascontiguousarray(tensor.data, tensor.data.dtype.newbyteorder("<")).tobytes()
            buffers.append(Table((0, "ref", Vector("u8", raw, align=16))))
        quantization = None
        if tensor.scale is not None:
            quantization = Table((2, "ref", Vector("f32", [float(s) for s in tensor.scale])),
                                 (3, "ref", Vector("i64", [int(z) for z in tensor.zero_point])),
                                 (6, "i32", tensor.axis))
        tensors.append(Table((0, "ref", Vector("i32", list(tensor.shape))),
                             (1, "i8", DTYPE_CODES[tensor.dtype]), (2, "u32", buffer_number),
                             (3, "ref", tensor.name), (4, "ref", quantization)))
    kinds = sorted({op.kind for op in model.operators}, key=lambda k: OPERATORS[k][0])
    codes = [Table((0, "i8", OPERATORS[k][0]), (2, "i32", OPERATORS[k][1]), (3, "i32", OPERATORS[k][0]))
             for k in kinds]
    operators = []
    for op in model.operators:
        _, _, options_type, fields = OPERATORS[op.kind]
        operators.append(Table((0, "u32", kinds.index(op.kind)), (1, "ref", Vector("i32", op.inputs)),
                               (2, "ref", Vector("i32", op.outputs)), (3, "u8", options_type),
                               (4, "ref", option_table(op, fields))))
    graph = Table((0, "ref", Vector("ref", tensors)), (1, "ref", Vector("i32", model.inputs)),
                  (2, "ref", Vector("i32", model.outputs)), (3, "ref", Vector("ref", operators)),
                  (4, "ref", "main"))
    return Layout().finish(Table((0, "u32", SCHEMA_VERSION), (1, "ref", Vector("ref", codes)),
                                 (2, "ref", Vector("ref", [graph])), (3, "ref", model.description),
                                 (4, "ref", Vector("ref", buffers))))


# ---- reading: for files that we trust; the library has the reader for those that we do not ----

class View:
    """A table inside the bytes of a file."""

    def __init__(self, raw, place):
        self.raw, self.place = raw, place
        self.vtable = place - struct.unpack_from("<i", raw, place)[0]
        self.slots = struct.unpack_from("<H", raw, self.vtable)[0] // 2 - 2

    def where(self, number):
        if number >= self.slots:
            return None
        offset = struct.unpack_from("<H", self.raw, self.vtable + 4 + 2 * number)[0]
        return self.place + offset if offset else None

    def scalar(self, number, kind, default=0):
        place = self.where(number)
        return default if place is None else struct.unpack_from(SCALAR_FORMATS[kind], self.raw, place)[0]

    def target(self, number):
        place = self.where(number)
        return None if place is None else place + struct.unpack_from("<I", self.raw, place)[0]

    def table(self, number):
        place = self.target(number)
        return None if place is None else View(self.raw, place)

    def array(self, number, dtype):
        """A vector of scalars, None if the field is absent."""
        place = self.target(number)
        if place is None:
            return None
        count = struct.unpack_from("<I", self.raw, place)[0]
        return np.frombuffer(self.raw, np.dtype(dtype).newbyteorder("<"), count, place + 4)

    def tables(self, number):
        place = self.target(number)
        count = 0 if place is None else struct.unpack_from("<I", self.raw, place)[0]
        spots = [place + 4 + 4 * i for i in range(count)]
        return [View(self.raw, s + struct.unpack_from("<I", self.raw, s)[0]) for s in spots]

    def text(self, number):
        raw = self.array(number, "u1")
        return "" if raw is None else raw.tobytes().decode("ascii")


def read_tensor(view, buffers):
    shape = view.array(0, "i4")
    shape = () if shape is None else tuple(int(d) for d in shape)
    dtype = DTYPE_NAMES[view.scalar(1, "i8")]
    data = buffers[view.scalar(2, "u32")].array(0, "u1")
    if data is not None and data.size:
        data = np.frombuffer(data.tobytes(), np.dtype(dtype).newbyteorder("<")).reshape(shape)
    else:
        data = None
    quantization = view.table(4)
    scale = None if quantization is None else quantization.array(2, "f4")
    if scale is None or not scale.size:
        return Tensor(view.text(3), shape, dtype, data)
    zero_point = quantization.array(3, "i8")
    if zero_point is None:
        zero_point = np.zeros(scale.size, np.int64)
    return Tensor(view.text(3), shape, dtype, data, scale, zero_point, quantization.scalar(6, "i32"))


def read_options(view, fields):
    options = {}
    for number, (name, kind, default) in enumerate(fields):
        stored = {"padding": "i8", "activation": "i8"}.get(kind, kind)
        value = default if view is None else view.scalar(number, stored, default)
        if kind == "padding":
            value = {code: text for text, code in PADDING_CODES.items()}[value]
        elif kind == "activation":
            value = {code: text for text, code in ACTIVATION_CODES.items()}[value]
        options[name] = value
    return options


def read_model(raw):
    """The Model in the bytes of a .tflite file; KeyError for an operator that OPERATORS lacks."""
    if raw[4:8] != FILE_IDENTIFIER:
        raise ValueError("not a .tflite file")
    root = View(raw, struct.unpack_from("<I", raw, 0)[0])
    buffers = root.tables(4)
    names = {row[0]: kind for kind, row in OPERATORS.items()}
    codes = [max(c.scalar(0, "i8"), c.scalar(3, "i32")) for c in root.tables(1)]
    graph = root.tables(2)[0]
    operators = []
    for view in graph.tables(3):
        kind = names[codes[view.scalar(0, "u32")]]
        operators.append(Operator(kind, [int(i) for i in view.array(1, "i4")],
                                  [int(i) for i in view.array(2, "i4")],
                                  **read_options(view.table(4), OPERATORS[kind][3])))
    return Model([read_tensor(t, buffers) for t in graph.tables(0)], operators,
                 [int(i) for i in graph.array(1, "i4")], [int(i) for i in graph.array(2, "i4")],
                 root.text(3))
