# SPDX-License-Identifier: Apache-2.0
"""What the models of networks.py compute, element by element, and the golden files of it: lines of text

    golden 1
    input 0 S8 dims 1,5,7,6          (a picture of planes: NV12 dims 1,3,12,20, and H * W * 3 / 2 bytes)
    output 0 S32 dims 1,5,7,12

and an empty one, then the elements of each line in turn, little-endian, in the order of the dimensions and without
padding; those of 4 bits are bytes."""

import random
import struct

import exact
from make_hbm import BGR, BOOL8, CHROMA, F16, F32, F64, GRAY, IMAGE, LUMA, NCHW, PIXELS, RGB, S16, S32, S4, S64, S8, \
    SCALE, SHIFT, U16, U32, U4, U64, U8, YUV444

PACK = {S4: "b", U4: "B", S8: "b", U8: "B", S16: "h", U16: "H", F16: "e", S32: "i", U32: "I", F32: "f", F64: "d",
        S64: "q", U64: "Q", BOOL8: "B", RGB: "B", BGR: "B", YUV444: "B"}
NAMES = {S4: "S4", U4: "U4", S8: "S8", U8: "U8", S16: "S16", U16: "U16", F16: "F16", S32: "S32", U32: "U32", F32: "F32",
         F64: "F64", S64: "S64", U64: "U64", BOOL8: "BOOL8", RGB: "RGB", BGR: "BGR", YUV444: "YUV444"}
RANGES = {S4: (-8, 7), U4: (0, 15), S8: (-128, 127), U8: (0, 255), S16: (-32768, 32767), U16: (0, 65535),
          S32: (-2 ** 31, 2 ** 31 - 1), U32: (0, 2 ** 32 - 1), S64: (-2 ** 40, 2 ** 40), U64: (0, 2 ** 40),
          BOOL8: (0, 1)}


def along(port, values, index):
    return values[0 if len(values) == 1 else index[port.axis]]


def meant(port, index, stored):
    if port.quant == SHIFT:
        return stored / 2 ** along(port, port.shifts, index)
    if port.quant == SCALE:
        return (stored - (along(port, port.zeros, index) if port.zeros else 0)) * along(port, port.scales, index)
    return stored


def stored(port, index, number):
    if port.quant == SHIFT:
        number = number * 2 ** along(port, port.shifts, index)
    if port.quant == SCALE:
        number = number / along(port, port.scales, index) + (along(port, port.zeros, index) if port.zeros else 0)
    if port.type not in RANGES:
        return number
    low, high = RANGES[port.type]
    return max(low, min(high, round(number)))


def to_network(port, index):
    """The place in the network of an element of the port."""
    if port.layout == NCHW and len(index) == 4:
        return (index[0], index[2], index[3], index[1])
    return index


def drawn(port, draw):
    if port.type in (F32, F64, F16):
        return draw.randint(-128, 128) / 64
    low, high = RANGES.get(port.type, (0, 255))
    return draw.randint(max(low, -100), min(high, 100))


def plain(port, dims, draw, values):
    numbers = []
    for index in exact.indices(dims):
        numbers.append(drawn(port, draw))
        if port.role == PIXELS:
            numbers[-1] = draw.randint(0, 255)
        values[to_network(port, index)] = numbers[-1] / 256 if port.role == PIXELS else meant(port, index, numbers[-1])
    return struct.pack("<%d%s" % (len(numbers), PACK[port.type]), *numbers)


def planes(port, shape, draw, values):
    """Y, U and V are the channels; of UCP each plane is an input."""
    _, height, width, _ = shape
    raw = b""
    if port.role != CHROMA:
        luma = [draw.randint(0, 255) for _ in range(height * width)]
        values.update(((0, h, w, 0), luma[h * width + w] / 256) for h in range(height) for w in range(width))
        raw += bytes(luma)
    if port.role in (IMAGE, CHROMA):
        chroma = [draw.randint(0, 255) for _ in range(height * width // 2)]
        values.update(((0, h, w, 1 + c), chroma[h // 2 * width + w // 2 * 2 + c] / 256)
                      for h in range(height) for w in range(width) for c in range(2))
        raw += bytes(chroma)
    return raw


def line(what, number, port, dims):
    kind = {GRAY: "Y", IMAGE: "NV12"}.get(port.role) or NAMES[port.type]
    return "%s %d %s dims %s" % (what, number, kind, ",".join(map(str, dims)))


def at_size(port, network, numbers, size):
    """The dimensions of the port when the network has that shape."""
    return [d if d >= 0 else s for d, s in zip(port.valid, network.tensors[numbers[port.tensor]].shapes[size])]


def golden(model, size=0):
    network, draw = model.network, random.Random(model.name + " golden")
    lines, raw, values = ["golden 1"], [], [{} for _ in network.inputs]
    for number, port in enumerate(model.inputs):
        dims = at_size(port, network, network.inputs, size)
        lines.append(line("input", number, port, dims))
        if port.role in (GRAY, IMAGE, LUMA, CHROMA):
            shape = network.tensors[network.inputs[port.tensor]].shapes[size]
            raw.append(planes(port, shape, draw, values[port.tensor]))
        else:
            raw.append(plain(port, dims, draw, values[port.tensor]))
    results = exact.run(network, values, size)
    for number, port in enumerate(model.outputs):
        dims = at_size(port, network, network.outputs, size)
        result = results[port.tensor]
        lines.append(line("output", number, port, dims))
        ordered = [result[key] for key in sorted(result)]
        found = []
        for place, index in enumerate(exact.indices(dims)):
            same = port.layout == NCHW and len(index) == 4
            found.append(stored(port, index, result[to_network(port, index)] if same else ordered[place]))
        raw.append(struct.pack("<%d%s" % (len(found), PACK[port.type]), *found))
    return "\n".join(lines).encode() + b"\n\n" + b"".join(raw)
