#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the outside of Horizon's model files: a .hbm of X3, J5 and X5, a .bin with one inside, an ELF as S100 and S600
have it. What stands inside for instructions and weights is the caller's: no BPU runs it. Layouts: bpu/hbm.h, bpu/bin.h.

    tests/sim/bpu/make_files.py FOLDER    writes one small file of each kind, the seeds of tests/fuzz/fuzz_bpu_file.c"""

import os
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # the tree stays as it was

MARCHES = {"bernoulli2": b"X2A", "bayes": b"B25", "bayes-e": b"B2E"}
MEMORY, RESIZER, PYRAMID = 0, 1, 2  # where an input comes from
INT8, INT16, INT32 = 1, 2, 3
NHWC, NCHW = 0, 2
FLOAT = 1  # numbers of ONNX, for a .bin; int8 3, int16 5, int32 6


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """Of protobuf: of an int, a text or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def value_info(name, kind, dims):
    return field(1, name) + field(2, field(1, kind) + field(2, b"".join(varint(d) for d in dims)))


def tensor(name, dims, element=INT8, order=NHWC, source=MEMORY, stored=None):
    """Of a .hbm: four dimensions n, h, w, c, and what is stored of them."""
    return {"name": name, "dims": dims, "stored": stored or dims, "element": element, "order": order, "source": source}


def part(name, inputs, outputs, instructions=b"BPU code", weights=b"weights"):
    """A model of a .hbm."""
    return {"name": name, "inputs": inputs, "outputs": outputs, "instructions": instructions, "weights": weights}


def aligned(raw, to=16):
    return raw + bytes(-len(raw) % to)


def part_bytes(p, letters):
    """A model: its own header, tensors, lists, names, instructions, weights. Offsets count from its begin."""
    tensors = p["inputs"] + p["outputs"]
    at_lists = 0x140
    at_tensors = at_lists + 8 * len(tensors)
    at_names = at_tensors + 100 * len(tensors)
    names, places = b"", []
    for name in [p["name"]] + [t["name"] for t in tensors]:
        places.append(at_names + len(names))
        names += name.encode() + b"\0"
    rows = b""
    for i, t in enumerate(tensors):
        row = [0] * 25
        row[0] = places[i + 1] - (at_tensors + 100 * i)
        row[1] = i
        row[2] = (1 << 32) - (at_tensors + 100 * i)
        row[4:8], row[8:12] = t["stored"], t["dims"]
        row[13], row[14], row[15] = t["element"], t["order"], t["source"]
        row[16] = 1 if i < len(p["inputs"]) else 2
        rows += struct.pack("<25I", *row)
    at_code = at_names + len(aligned(names, 16))
    at_code += -at_code % 16
    at_weights = at_code + len(aligned(p["instructions"]))
    head = bytearray(at_lists)
    struct.pack_into("<I4s", head, 128, places[0], letters + b"\0")
    struct.pack_into("<4I", head, 164, at_code, len(p["instructions"]) // 8, len(p["instructions"]),
                     zlib.crc32(p["instructions"]))
    struct.pack_into("<3I", head, 188, at_weights, len(p["weights"]), zlib.crc32(p["weights"]))
    struct.pack_into("<2I", head, 224, at_tensors, len(tensors))
    struct.pack_into("<4I", head, 272, at_lists, len(p["inputs"]), at_lists + 8 * len(p["inputs"]), len(p["outputs"]))
    raw = bytes(head) + b"".join(struct.pack("<Q", i) for i in range(len(tensors))) + rows + names
    raw += bytes(at_code - len(raw))
    return raw + aligned(p["instructions"]) + aligned(p["weights"]), places[0]


def hbm(march, parts, runtime="3.15.55.0", compiler="3.49.15", multiple=16):
    """A .hbm of X3, J5 or X5. Real ones are a multiple of 65,536 bytes long."""
    letters = MARCHES[march]
    numbers = [int(n) for n in runtime.split(".")[:3]]
    body, offsets, names = b"", [], []
    begin = 168 + 16 * len(parts)
    for p in parts:
        raw, name = part_bytes(p, letters)
        offsets.append(begin + len(body))
        names.append(begin + len(body) + name)
        body += raw
    table = b"".join(struct.pack("<Q", n) for n in offsets + names)
    raw = bytearray(aligned(b"#" + letters + b"hbm#########" + bytes(168) + table + body, multiple))
    struct.pack_into("<3I32s32s3I", raw, 16, *numbers, runtime.encode(), compiler.encode(),
                     *[int(n) for n in compiler.split(".")[:3]])
    struct.pack_into("<3I", raw, 104, 168, len(raw) - 16, len(parts))
    return bytes(raw)


def graph(name, nodes, image, inputs, outputs):
    """nodes: types; image: a .hbm or None; inputs: (name, element, dims, picture, source); outputs: (name, element,
    dims)."""
    codes = {"featuremap": 5, "gray": 6, "nv12": 7}  # those of packed pictures are not known
    raw = b"".join(field(1, field(1, "x") + field(2, "y") + field(3, "node_%d" % i) + field(4, kind))
                   for i, kind in enumerate(nodes))
    raw += field(2, name)
    raw += field(3, field(1, field(1, 1) + field(2, b"\2")) + field(2, struct.pack("<2f", 0.5, 2)) + field(8, "scale"))
    if image is not None:
        raw += field(3, field(1, field(1, 8)) + field(5, image) + field(8, "PACKED_HBM_MODEL"))
    raw += b"".join(field(4, value_info(*i[:3])) for i in inputs)
    raw += b"".join(field(5, value_info(*o)) for o in outputs)
    return raw + field(7, bytes(codes.get(i[3], 0) for i in inputs)) + field(8, bytes(2 for i in inputs))


def table(march, inputs, builder="1.24.3", compiler="3.49.15", runtime="3.15.55.0", more=()):
    sources = ", ".join("'%s': '%s'" % (i[0], i[4]) for i in inputs) + ", '_default_value': 'ddr'"
    rows = [("INPUT_NAMES", "".join(i[0] + ";" for i in inputs)), ("MARCH", march), ("BUILDER_VERSION", builder),
            ("HBDK_VERSION", compiler), ("HBDK_RUNTIME_VERSION", " " + runtime),
            ("INPUT_TYPE_RT", "".join(i[3] + ";" for i in inputs)), ("input-source", "{%s}" % sources)]
    return b"".join(field(1, field(1, key) + field(2, value)) for key, value in rows + list(more))


def model_bin(*models):
    """A .bin: models are pairs of a graph and a table. Of several it is as the tool packs them."""
    raw = b"".join(field(5, g) for g, _ in models) + b"".join(field(6, t) for _, t in models)
    return (field(1, 1) + field(2, 1) if len(models) == 1 else b"") + raw


def elf(sections):
    """An ELF file of 64 bits with sections (name, bytes)."""
    strings, rows, body = b"\0", [(0, 0, 0, 0)], b""
    for name, raw in list(sections) + [(".shstrtab", None)]:
        at = len(strings)
        strings += name.encode() + b"\0"
        raw = strings if raw is None else raw
        rows.append((at, 3 if name == ".shstrtab" else 1, 64 + len(body), len(raw)))
        body += aligned(raw)
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<2HI3QI6H", 3, 0, 1, 0, 0, 64 + len(body), 0, 64, 0, 0, 64,
                                                      len(rows), len(rows) - 1)
    return head + body + b"".join(struct.pack("<2I4Q2I2Q", name, kind, 0, 0, at, size, 0, 0, 1, 0)
                                  for name, kind, at, size in rows)


def hbm_ucp(march, body=b"body"):
    """An ELF with the sections of a .hbm of S100 and S600."""
    return elf([(".horizon.hbm_info", b"march\0" + march.encode() + b"\0" if march else b"no march\0"),
                (".horizon.hbm_checksum", bytes(16)), (".horizon.string_info", b"strings\0"),
                (".horizon.binary_info", body)])


def the_set():
    """{name: bytes}, one of each kind."""
    picture = ("images", 3, [1, 64, 96, 3], "nv12", "pyramid")
    gray = ("image_l", 3, [1, 28, 28, 1], "gray", "pyramid")
    crop = ("crop", 3, [1, 128, 64, 3], "nv12", "resizer")
    map_ = ("fbank", FLOAT, [1, 1, 40, 100], "featuremap", "ddr")
    image = tensor("images", [1, 64, 96, 3], source=PYRAMID, stored=[1, 64, 96, 4])
    boxes = tensor("boxes_quantized", [1, 8, 12, 19], INT32, stored=[1, 8, 12, 32])
    scores = tensor("scores_quantized", [1, 1, 1, 10], INT32, NCHW, stored=[1, 1, 8, 10])
    half = tensor("half", [1, 1, 8400, 22], INT16, stored=[1, 1, 8400, 32])
    detector = part("main_graph_subgraph_0", [image], [boxes, scores])
    small = part("main_graph_subgraph_1", [tensor("in", [1, 1, 1, 8])], [half])
    outputs = [("output0", FLOAT, [1, 8, 12, 19]), ("318", 6, [1, 10]), ("argmax", 3, [])]

    def one(march, name, inputs, outs, parts, **versions):
        of_image = {k: v for k, v in versions.items() if k != "builder"}
        return (graph(name, ["BPU", "Dequantize"], hbm(march, parts, **of_image) if parts else None, inputs, outs),
                table(march, inputs, **versions))

    old = {"runtime": "3.13.27", "compiler": "3.27.4"}
    return {
        "x5.bin": model_bin(one("bayes-e", "detector", [picture], outputs, [detector])),
        "x3.bin": model_bin(one("bernoulli2", "words", [gray, map_, crop], outputs[:1], [detector, small, small],
                                builder="1.6.8", **old)),
        "j5.bin": model_bin(one("bayes", "detector", [picture], outputs[1:], [detector], runtime="3.15.10.0")),
        "packed.bin": model_bin(one("bayes-e", "detector", [picture], outputs, [detector]),
                                one("bayes-e", "words", [map_], outputs[1:2], [small])),
        "twins.bin": model_bin(*[one("bayes-e", "detector", [picture], outputs[:1], [detector])] * 2),
        "cpu.bin": model_bin(one("bayes", "plain", [map_], outputs[:1], [])),
        "mixed.bin": model_bin(one("bayes-e", "a", [picture], outputs[:1], [detector]),
                               one("bayes", "b", [picture], outputs[:1], [detector])),
        "x3.hbm": hbm("bernoulli2", [part("elevation", [image], [scores])], **old),
        "j5.hbm": hbm("bayes", [part("lanes", [tensor("crop", [1, 128, 64, 3], source=RESIZER), image], [boxes])]),
        "x5.hbm": hbm("bayes-e", [part("stereo", [image], [boxes, half]), part("words", small["inputs"], [half]),
                                  part("stereo", [image], [scores])]),
        "s100.hbm": hbm_ucp("nash-e"),
        "s600.hbm": hbm_ucp("nash-p"),
        "several.hbm": hbm_ucp("nash-e nash-m"),
        "untold.hbm": hbm_ucp(""),
    }


def main(arguments):
    os.makedirs(arguments[0], exist_ok=True)
    for name, raw in the_set().items():
        with open(os.path.join(arguments[0], name), "wb") as out:
            out.write(raw)


if __name__ == "__main__":
    main(sys.argv[1:])
