#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a .rknn of RV1106 with a true command stream, for the NPU in software (tools/rkchip).

    make_stream.py OUT.rknn [--seed N] [--reference OUTPUT.bin INPUT.bin]

A small network with drawn weights: a picture of 32 x 32, a convolution of it with stride 2, a depthwise one, two dense
ones that are added, a largest value, a map of 3 x 3, whose planes are longer than its pixels, and an output. Files of
this shape are what the vendor's compiler writes, as far as eleven public ones tell: every register is written with the
value that theirs have for the same layer, or by the formula that holds for all of theirs. tools/rkchip/mini_file.h
describes the file.

--reference writes an input and what the network makes of it, computed here from the definition of its layers, on
tensors with channels last, without looking at any word of the stream.
"""

import math
import random
import struct
import sys

LANES = 16
DENSE, DEPTHWISE = 0, 7
CNA, CORE, DPU, RDMA, PPU, PPU_RDMA, DDMA = 0x201, 0x801, 0x1001, 0x2001, 0x4001, 0x8001, 0x401
HEADER = 128
INT8, INT32 = 3, 6
PLAIN, PLANES = 0, 64


def align(value, to):
    return (value + to - 1) // to * to


# ---- a network: layers from their definition ------------------------------------------------------


class Map:
    """A tensor between layers: height, width, channels, and what it is quantized with."""

    def __init__(self, name, height, width, channels, scale, zero_point, picture=False):
        self.name, self.height, self.width, self.channels = name, height, width, channels
        self.scale, self.zero_point, self.picture = scale, zero_point, picture
        self.address = None

    def plane_bytes(self):
        return align(self.height * self.width, 4) * LANES

    def bytes(self):
        if self.picture:  # rows begin at every 16th pixel
            return self.height * align(self.width, 16) * self.channels
        return align(self.channels, LANES) // LANES * self.plane_bytes()


def shift_even(value, shift):
    """value / 2^shift, halves to the even neighbour."""
    if shift == 0:
        return value
    floor, rest, half = value >> shift, value & ((1 << shift) - 1), 1 << (shift - 1)
    return floor + (1 if rest > half or (rest == half and floor & 1) else 0)


def int8(value):
    return max(-128, min(127, value))


class Conv:
    """A convolution. weights[o][y][x][c], zeros[o], biases[o], scales[o] of 14 bits; relu: negative sums become 0."""

    def __init__(self, source, result, kernel, stride, pad, depthwise, relu, draw):
        self.source, self.result, self.kernel, self.stride, self.pad = source, result, kernel, stride, pad
        self.depthwise, self.relu = depthwise, relu
        inputs = 1 if depthwise else source.channels
        outputs = result.channels
        self.zeros = [draw.randint(-40, 40) for _ in range(outputs)]
        if depthwise:
            self.zeros[0] = -128  # stored as 0x80, which means +128
        self.weights = [[[[draw.randint(-128, 127) for _ in range(inputs)] for _ in range(kernel)]
                         for _ in range(kernel)] for _ in range(outputs)]
        self.scales = [draw.randint(9000, 16384) for _ in range(outputs)]
        self.scales[-1] = 16384
        self.biases = [draw.randint(-20000, 20000) - source.zero_point * self.sum_of(o) for o in range(outputs)]
        self.factor = draw.randint(16384, 32767)
        # So that outputs fill int8: sums of so many products spread about this far.
        spread = 50 * 80 * (kernel * kernel * inputs) ** 0.5
        self.shift = round(math.log2(self.factor * spread / 45))

    def sum_of(self, o):
        return sum(w - self.zeros[o] for row in self.weights[o] for pixel in row for w in pixel)

    def run(self, data):
        s, r = self.source, self.result
        out = []
        for y in range(r.height):
            for x in range(r.width):
                for o in range(r.channels):
                    total = self.biases[o]
                    for j in range(self.kernel):
                        for i in range(self.kernel):
                            v, h = y * self.stride + j - self.pad, x * self.stride + i - self.pad
                            inside = 0 <= v < s.height and 0 <= h < s.width
                            for c in ([o] if self.depthwise else range(s.channels)):
                                value = data[(v * s.width + h) * s.channels + c] if inside else s.zero_point
                                total += value * (self.weights[o][j][i][0 if self.depthwise else c] - self.zeros[o])
                    if self.relu:
                        total = max(total, 0)
                    value = shift_even(total * self.scales[o], 14)
                    out.append(int8(shift_even(value * self.factor + (r.zero_point << self.shift), self.shift)))
        return out


class Add:
    """Two maps of one size: each minus its zero point, times a factor of its own."""

    def __init__(self, first, second, result):
        self.source, self.second, self.result = first, second, result
        self.first_factor, self.second_factor, self.factor, self.shift = 0x3000, 0x5000, 0x4800, 27

    def run(self, first, second):
        out = []
        for a, b in zip(first, second):
            value = shift_even((a - self.source.zero_point) * self.first_factor, 1)
            value += shift_even((b - self.second.zero_point) * self.second_factor, 1)
            out.append(int8(shift_even(value * self.factor + (self.result.zero_point << self.shift), self.shift)))
        return out


class Pool:
    """The largest of windows of 2 x 2."""

    def __init__(self, source, result):
        self.source, self.result = source, result

    def run(self, data):
        s, r = self.source, self.result
        return [max(data[((2 * y + j) * s.width + 2 * x + i) * s.channels + c] for j in (0, 1) for i in (0, 1))
                for y in range(r.height) for x in range(r.width) for c in range(r.channels)]


def network(seed):
    """The layers, the input, the output."""
    draw = random.Random(seed)
    picture = Map("picture", 32, 32 - draw.randrange(2) * 4, 3, 1.0 / 255, -128, picture=True)
    columns = picture.width // 2
    first = Map("first", 16, columns, 8, 0.05, -11)
    deep = Map("deep", 16, columns, 8, 0.04, 3)
    left = Map("left", 16, columns, 40, 0.06, 7)
    right = Map("right", 16, columns, 40, 0.07, -20)
    both = Map("both", 16, columns, 40, 0.09, -5)
    small = Map("small", 8, columns // 2, 40, 0.09, -5)
    odd = Map("odd", 3, (columns // 2 + 1) // 3, 24, 0.08, 2)
    scores = Map("scores", 3, (columns // 2 + 1) // 3, 5, 0.1, 1)
    layers = [Conv(picture, first, 3, 2, 1, False, True, draw), Conv(first, deep, 3, 1, 1, True, False, draw),
              Conv(deep, left, 1, 1, 0, False, False, draw), Conv(deep, right, 3, 1, 1, False, True, draw),
              Add(left, right, both), Pool(both, small), Conv(small, odd, 3, 3, 1, False, True, draw),
              Conv(odd, scores, 1, 1, 0, False, False, draw)]
    return layers, picture, scores


# ---- the stream -----------------------------------------------------------------------------------


class Image:
    """Words, then constants, then what is between layers, at addresses from 0 on."""

    def __init__(self):
        self.tasks, self.words, self.constants = [], [], bytearray()

    def constant(self, raw):
        self.constants += b"\0" * (-len(self.constants) % 64)
        at = len(self.constants)
        self.constants += raw
        return at

    def task(self, enable, operator, words, mask):
        self.tasks.append((enable, operator, len(words), 8 * len(self.words), mask))
        self.words += words
        self.words += [0x0101 << 48 | 0x10, 0x0101 << 48 | 0x14, 0x0041 << 48, 0x0081 << 48 | enable << 16 | 8]
        self.words += [0] * (-len(self.words) % 8)


def word(target, register, value):
    return target << 48 | (value & 0xffffffff) << 16 | register


def dense_bytes(layer):
    """Blocks of 16 output channels, parts of 32 input channels, taps, channels out, channels in."""
    lanes = 4 if layer.source.picture else align(layer.source.channels, LANES)
    raw = bytearray()
    for block in range(0, layer.result.channels, 16):
        outs = range(block, min(block + 16, layer.result.channels))
        for part in range(0, lanes, 32):
            for j in range(layer.kernel):
                for i in range(layer.kernel):
                    for o in outs:
                        for c in range(part, min(part + 32, lanes)):
                            inside = c < layer.source.channels
                            raw.append((layer.weights[o][j][i][c] if inside else layer.zeros[o]) & 255)
    return bytes(raw)


def depthwise_bytes(layer):
    """Blocks of 32 channels, taps, pairs of a weight and its zero point, negated."""
    lanes = align(layer.source.channels, LANES)
    raw = bytearray()
    for block in range(0, lanes, 32):
        for j in range(layer.kernel):
            for i in range(layer.kernel):
                for c in range(block, min(block + 32, lanes)):
                    inside = c < layer.result.channels
                    raw += bytes([layer.weights[c][j][i][0] & 255 if inside else 0,
                                  -layer.zeros[c] & 255 if inside else 0])
    return bytes(raw)


def table_bytes(layer):
    """Groups of four channels: biases, zero points (not beside depthwise weights), scales."""
    raw = bytearray()
    for group in range(0, layer.result.channels, 4):
        channels = [c if c < layer.result.channels else None for c in range(group, group + 4)]
        raw += b"".join(struct.pack("<i", 0 if c is None else layer.biases[c]) for c in channels)
        if not layer.depthwise:
            raw += b"".join(struct.pack("<h", 0 if c is None else -layer.zeros[c]) for c in channels)
        raw += b"".join(struct.pack("<H", 0 if c is None else layer.scales[c]) for c in channels)
    return bytes(raw)


def convolution(layer, image, places):
    """All 126 registers of a convolution; places: address of what is between layers, constants."""
    s, r, k = layer.source, layer.result, layer.kernel
    lanes, outs = align(s.channels, LANES), align(r.channels, LANES)
    stored = 4 if s.picture else lanes
    kernels = 2 if layer.depthwise else r.channels
    weights = places.constant(depthwise_bytes(layer) if layer.depthwise else dense_bytes(layer))
    table = places.constant(table_bytes(layer))
    per_kernel, last = k * k * stored, (r.height - 1) << 16 | (r.width - 1)
    entries = (s.width * (lanes // 16) + 1) // 2
    plane, atoms = r.plane_bytes(), align(s.height * s.width, 4)
    wide = align(r.channels, 32) if layer.depthwise else outs
    line = atoms if s.picture else s.width * 4
    lower = 0 if layer.relu else 0x80000000
    cna = {0x1004: 0xe, 0x100c: 0x2000a000 if s.picture else layer.depthwise * DEPTHWISE, 0x1010: 0xe0, 0x1014:
           layer.stride << 3 | layer.stride, 0x101c: 0xffe00000 if s.picture else 0, 0x1020: s.width << 16 | s.height,
           0x1024: (s.channels - 1) << 16 | lanes, 0x1028: r.width, 0x102c: r.width * r.height, 0x1030:
           per_kernel * kernels, 0x1034: per_kernel, 0x1038: k << 24 | k << 16 | kernels, 0x103c: entries << 16, 0x1040:
           8, 0x1044: s.width << 16 | entries, 0x1048: 0x04000000, 0x104c: 0xe38e0 if s.picture else 9, 0x1050:
           0x40004000 if s.picture else 0x10001, 0x1054: 0x14000 if s.picture else 0x10001, 0x1058:
           0xffe00000 if s.picture else 0, 0x105c: 0xffe00000 if s.picture else 0, 0x1060: 0, 0x1064: 0, 0x1068:
           layer.pad << 8 | layer.pad, 0x106c: 0, 0x1070: places.address(s), 0x1074: 0, 0x1078: 0x400f400f, 0x107c:
           line, 0x1080: atoms, 0x1084: line << 16 | 1 if s.picture else s.width << 16 | s.height, 0x1088: lanes,
           0x108c: 0xff if s.picture else 0, 0x1094: 0, 0x1100: 0, 0x1104: 0, 0x1110: weights, 0x1140: 0, 0x1144: 0,
           0x1184: s.zero_point & 0xffff, 0x1188: per_kernel // 2, 0x118c: (s.width - 1) << 16 | (s.width - 1)}
    core = {0x3004: 0xe, 0x3010: 0xa if layer.depthwise else 1, 0x3014: last, 0x3018: wide - 1, 0x301c:
            0x20 if s.picture else 0}
    dpu = dpu_registers(r, wide)
    dpu.update({0x400c: 0x1fc if layer.depthwise else 0x1e4, 0x4040: 0x101c92 if layer.depthwise else 0x121d80, 0x4048:
                0 if layer.depthwise else 1, 0x4050: 0x70000125 if layer.depthwise else 0x30000001, 0x4054:
                0x0e000000 if layer.depthwise else 0x8e000000, 0x4058: ((r.channels - 1) // 16) << 16 |
                (7 if layer.depthwise else 3), 0x4060: 0x12 if layer.relu else 0x13, 0x406c: lower, 0x40e0: lower,
                0x4080: r.zero_point, 0x4084: layer.factor, 0x4088: layer.shift, 0x4020: places.address(r), 0x40c0:
                2 * plane if layer.depthwise else plane})
    rdma = rdma_registers(r, outs)
    rdma.update({0x501c: 0xa if layer.depthwise else 0xe, 0x5020: table, 0x5044:
                 0x7816 if layer.depthwise else 0x7810})
    image.task(0x1d, layer, words_of(cna, core, dpu, rdma), 0x300)


def dpu_registers(r, wide):
    return {0x4004: 0xe, 0x400c: 0x1e5, 0x4010: 0x800000, 0x4014: 0, 0x4018: 0, 0x401c: 0x7fffffff, 0x4020: 0, 0x4024:
            r.plane_bytes(), 0x4028: 0x7fffffff, 0x402c: 0x7fffffff, 0x4030: r.width - 1, 0x4034: r.height - 1, 0x4038:
            0, 0x403c: (r.channels - 1) << 16 | (wide - 1), 0x4040: 0x53, 0x4044: 0, 0x4048: 0, 0x404c: 0x80000000,
            0x4050: 0x30000002, 0x4054: 0, 0x4058: ((r.channels - 1) // 16) << 16 | 3, 0x405c:
            (r.height - 1) << 16 | (r.width - 1), 0x4060: 0x13, 0x4064: 0, 0x4068: 0, 0x406c: 0x80000000, 0x4070:
            0x10041c1, 0x4074: 0, 0x4078: 1, 0x407c: 0x80000000, 0x4080: 0, 0x4084: 0x10001, 0x4088: 0, 0x4090: 0,
            0x4094: 0, 0x4098: 0, 0x409c: 0, 0x40a0: 0, 0x40c0: r.plane_bytes(), 0x40c4: 0, 0x40d8: 0x80000000, 0x40dc:
            0x7fffffff, 0x40e0: 0x80000000, 0x40e4: 0x7fffffff, 0x40e8: 0x80000000, 0x40ec: 0x7fffffff, 0x4100: 0,
            0x4104: 0, 0x4108: 0, 0x410c: 0, 0x4110: 0, 0x4114: 0, 0x4118: 0, 0x411c: 0, 0x4120: 0, 0x4124: 0, 0x4128:
            0, 0x412c: 0}


def rdma_registers(r, outs):
    return {0x5004: 0xe, 0x500c: r.width - 1, 0x5010: r.height - 1, 0x5014: outs - 1, 0x5018: 0, 0x501c: 0, 0x5020: 0,
            0x5028: 0, 0x502c: 0, 0x5034: 1, 0x5038: 0, 0x5040: 0, 0x5044: 0x907809, 0x5048: 0, 0x504c: 0, 0x5064: 0,
            0x5068: 0x1010101, 0x506c: 0}


def words_of(*blocks):
    targets = {1: CNA, 3: CORE, 4: DPU, 5: RDMA, 6: PPU, 7: PPU_RDMA}
    words = [word(targets[register >> 12], register, value) for block in blocks for register, value in block.items()]
    return words + [word(DDMA, 0x8028, 0xc), word(DDMA, 0x802c, 0xffffffff)]


def addition(layer, image, places):
    """78 registers; the second map comes from beside."""
    r, outs = layer.result, align(layer.result.channels, LANES)
    dpu, rdma = dpu_registers(r, outs), rdma_registers(r, outs)
    dpu.update({0x4018: -layer.source.zero_point, 0x4020: places.address(r), 0x4040: 0x100212, 0x4048:
                layer.first_factor << 16, 0x4050: 0x30000000, 0x4054: 0x01000000, 0x4070: 0x8002c0c0, 0x4074:
                -layer.second.zero_point, 0x4078: 1 << 16 | layer.second_factor, 0x4080: r.zero_point, 0x4084:
                0x10000 | layer.factor, 0x4088: layer.shift})
    rdma.update({0x5018: places.address(layer.source), 0x5034: 0x40000004, 0x5038: places.address(layer.second), 0x5040:
                 layer.second.plane_bytes()})
    image.task(0x18, layer, words_of(dpu, rdma), 0x300)


def pooling(layer, image, places):
    s, r, lanes = layer.source, layer.result, align(layer.source.channels, LANES)
    ppu = {0x6004: 0xe, 0x600c: s.width - 1, 0x6010: s.height - 1, 0x6014: lanes - 1, 0x6018: r.width - 1, 0x601c:
           r.height - 1, 0x6020: lanes - 1, 0x6024: 0x11, 0x6034: 0x110101, 0x6038: 0, 0x603c: 0, 0x6040: 0}
    ppu.update({0x6044 + 4 * i: 0x7ff80 if i < 4 else 0 for i in range(11)})
    ppu.update({0x6070: places.address(r), 0x607c: r.plane_bytes(), 0x6084: r.plane_bytes(), 0x60dc: 3})
    rdma = {0x7004: 0xe, 0x700c: s.width - 1, 0x7010: s.height - 1, 0x7014: lanes - 1, 0x701c: places.address(s),
            0x7024: s.width * LANES, 0x7028: s.plane_bytes(), 0x7030: 0x40}
    image.task(0x60, layer, words_of(ppu, rdma), 0xc00)


class Places:
    """Addresses need the sizes of words and constants, which are known after a first pass."""

    def __init__(self, image, words_bytes, between):
        self.image, self.words_bytes, self.between = image, words_bytes, between

    def constant(self, raw):
        return self.words_bytes + self.image.constant(raw)

    def address(self, tensor):
        return self.between + tensor.address


def stream(layers, words_bytes, between):
    image = Image()
    places = Places(image, words_bytes, between)
    for layer in layers:
        {Conv: convolution, Add: addition, Pool: pooling}[type(layer)](layer, image, places)
    image.words += [0] * (-len(image.words) % 8)
    image.constants += b"\0" * (-len(image.constants) % 64)
    return image


# ---- the graph, a flatbuffer ----------------------------------------------------------------------


class Flat:
    """Written from the front: tables first, what they refer to behind them."""

    def __init__(self):
        self.raw, self.later = bytearray(b"\0\0\0\0RKNN"), []

    def table(self, fields):
        """fields: number to ("u8" | "u32", value) or a function that writes something and returns its position."""
        self.raw += b"\0" * (-len(self.raw) % 4)
        count, offset, places = max(fields) + 1, 4, {}
        for number in sorted(fields):
            places[number] = offset
            offset += 4
        start = len(self.raw)
        self.raw += struct.pack("<HH", 4 + 2 * count, offset)
        self.raw += b"".join(struct.pack("<H", places.get(i, 0)) for i in range(count))
        self.raw += b"\0" * (-len(self.raw) % 4)
        table = len(self.raw)
        self.raw += struct.pack("<i", table - start) + b"\0" * (offset - 4)
        for number, field in fields.items():
            at = table + places[number]
            if isinstance(field, tuple):
                struct.pack_into({"u8": "<B", "u32": "<I"}[field[0]], self.raw, at, field[1])
            else:
                self.later.append((at, field))
        return table

    def finish(self, root):
        struct.pack_into("<I", self.raw, 0, root)
        while self.later:
            at, write = self.later.pop(0)
            position = write()
            struct.pack_into("<I", self.raw, at, position - at)
        return bytes(self.raw + b"\0" * (-len(self.raw) % 4))

    def text(self, value):
        def write():
            self.raw += b"\0" * (-len(self.raw) % 4)
            at = len(self.raw)
            self.raw += struct.pack("<I", len(value)) + value.encode() + b"\0"
            return at
        return write

    def vector(self, form, values):
        def write():
            self.raw += b"\0" * (-len(self.raw) % 4)
            at = len(self.raw)
            self.raw += struct.pack("<I", len(values)) + b"".join(struct.pack(form, v) for v in values)
            return at
        return write

    def tables(self, rows):
        def write():
            self.raw += b"\0" * (-len(self.raw) % 4)
            at = len(self.raw)
            self.raw += struct.pack("<I", len(rows)) + b"\0" * (4 * len(rows))
            for i, row in enumerate(rows):
                position = self.table(row)
                struct.pack_into("<I", self.raw, at + 4 + 4 * i, position - (at + 4 + 4 * i))
            return at
        return write


def graph_of(layers, source, result):
    maps = [source] + [layer.result for layer in layers]
    flat = Flat()
    tensors = [{3: flat.vector("<i", []), 10: ("u32", 0xffffffff)}]  # number 0 is nobody's
    for tensor in maps:
        use = 1 if tensor is source else 2 if tensor is result else 3
        planes = align(tensor.channels, LANES) // LANES
        native = [1, 1, tensor.height, tensor.width, tensor.channels] if tensor.picture else [
            1, planes, tensor.height, tensor.width, LANES]
        tensors.append({0: ("u8", INT8), 1: ("u8", PLANES), 2: ("u8", use), 3: flat.vector("<i", native),
                        4: flat.vector("<i", [1, tensor.channels, tensor.height, tensor.width]),
                        5: flat.text(tensor.name), 6: flat.vector("<f", [tensor.scale]),
                        7: flat.vector("<i", [tensor.zero_point]), 8: ("u32", tensor.bytes()),
                        9: ("u32", tensor.address), 10: ("u32", maps.index(tensor))})
    kinds = {Conv: "Conv", Add: "Add", Pool: "MaxPool"}
    number = {tensor.name: i + 1 for i, tensor in enumerate(maps)}
    operators = [{1: flat.text("InputOperator"), 2: flat.text("InputOperator:" + source.name),
                  5: flat.vector("<i", [number[source.name]]), 9: flat.vector("<i", [0])}]
    for layer in layers:
        kind = "ConvRelu" if getattr(layer, "relu", False) else kinds[type(layer)]
        inputs = [number[layer.source.name]] + ([number[layer.second.name]] if isinstance(layer, Add) else [])
        operators.append({1: flat.text(kind), 2: flat.text("%s:%s" % (kinds[type(layer)], layer.result.name)),
                          3: ("u8", 2), 4: flat.vector("<i", inputs),
                          5: flat.vector("<i", [number[layer.result.name]]), 9: flat.vector("<i", [1])})
    operators.append({1: flat.text("OutputOperator"), 2: flat.text("OutputOperator:" + result.name),
                      4: flat.vector("<i", [number[result.name]]), 9: flat.vector("<i", [0])})
    root = flat.table({0: ("u32", 6), 1: flat.text("RKNPU t3"), 2: flat.tables(
        [{0: flat.tables(tensors), 1: flat.tables(operators), 2: flat.vector("<i", [number[source.name]]),
          3: flat.vector("<i", [number[result.name]])}]), 6: flat.text("rv1106")})
    return flat.finish(root)


# ---- the file -------------------------------------------------------------------------------------


def file_of(layers, source, result):
    at = 0
    for tensor in [source] + [layer.result for layer in layers]:
        tensor.address = at
        at += align(tensor.bytes(), 64)
    first = stream(layers, 0, 0)  # for the sizes
    words_bytes = 8 * len(first.words)
    image = stream(layers, words_bytes, words_bytes + len(first.constants))
    tasks = b"".join(struct.pack("<8IQ", 0, i + 1, enable, mask, 0x1ffff, 0, amount, 0, address)
                     for i, (enable, _, amount, address, mask) in enumerate(image.tasks))
    tasks += b"\0" * (-len(tasks) % 64)
    graph = graph_of(layers, source, result)
    body = struct.pack("<6I", len(graph), len(tasks), len(image.tasks), words_bytes, at, len(image.constants))
    body = body.ljust(64, b"\0") + tasks + struct.pack("<%dQ" % len(image.words), *image.words)
    body += bytes(image.constants) + graph
    text = b'{"target_platform":["rv1106"],"version":"2.3.2 (simulated)","ori_network_platform":"ONNX"}'
    header = b"RKNN\0\0\0\0" + struct.pack("<QQ", 0x1004, len(body))
    return header.ljust(64, b"\0") + body + struct.pack("<Q", len(text)) + text


def reference(layers, source, data):
    known = {source.name: data}
    for layer in layers:
        inputs = [known[layer.source.name]] + ([known[layer.second.name]] if isinstance(layer, Add) else [])
        known[layer.result.name] = layer.run(*inputs)
    return known


def main(arguments):
    seed = 1
    if "--seed" in arguments:
        at = arguments.index("--seed")
        seed = int(arguments[at + 1])
        del arguments[at:at + 2]
    layers, source, result = network(seed)
    if len(arguments) not in (1, 4) or (len(arguments) == 4 and arguments[1] != "--reference"):
        sys.stderr.write(__doc__.split("\n\n")[1] + "\n")
        return 2
    with open(arguments[0], "wb") as file:
        file.write(file_of(layers, source, result))
    if len(arguments) == 4:
        draw = random.Random(seed + 1000)
        data = [draw.randint(-128, 127) for _ in range(source.height * source.width * source.channels)]
        known = reference(layers, source, data)[result.name]
        pixels = result.height * result.width
        shaped = [known[i * result.channels + c] for c in range(result.channels) for i in range(pixels)]
        for path, values in ((arguments[2], shaped), (arguments[3], data)):
            with open(path, "wb") as file:
                file.write(bytes(v & 255 for v in values))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
