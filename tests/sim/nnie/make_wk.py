#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .wk files, the models of HiSilicon's NNIE, with the framing of real ones around nothing that could run.

    make_wk.py OUTDIR      the set of the tests, OUTDIR/NAME.wk

What is known of the framing stands in nnie/file.h. Here each file is put together from its outside inwards, as the
vendor's mapper leaves it: header, segments with their nodes, the payload of seven parts and the instructions of each
segment, and a record of 48 bytes for each layer. Weights, tables and instructions are noise of a few bytes. A network
with ROI layers, or one that is recurrent, is put together from what the vendor's library reads: no real file of that
kind was seen.
"""

import os
import struct
import sys
import zlib

CNN, ROI, RECURRENT = 0, 1, 2
MAP, VECTOR = 1, 0                 # how an output lies; an input has it the other way round
S32, U8, YVU420SP, YVU422SP = 0, 1, 3, 5
CV500, HI3559A = (1, 2), (1, 1)    # architectures


def node(name, height, width, channels, mode, image=S32, sequence=0):
    text = name.encode()
    assert len(text) <= 32, name   # the mapper cuts at 31; a name of 32 is what the library cuts
    return struct.pack("<IIIHH32s16x", height, width, channels, mode, sequence or image, text)


def picture(name, height, width, channels, image=U8):
    return node(name, height, width, channels, 0, image)


def output(name, height, width, channels):
    return node(name, height, width, channels, MAP)


def vector(name, count):
    return node(name, 1, 1, count, VECTOR)


def segment(inputs, outputs, net=CNN, roi_layers=0, max_step=0, instructions=None):
    """instructions: bytes in place of noise."""
    return {"inputs": inputs, "outputs": outputs, "net": net, "roi_layers": roi_layers, "max_step": max_step,
            "instructions": instructions}


def noise(size, seed):
    return bytes((seed * 37 + i * 101) % 251 for i in range(size))


def layer_records(segments):
    """One for each input (0x2c) and each output (0x2d, and 1 at offset 17): its shape, and at offset 26 its id."""
    records = b""
    for part in segments:
        for index, one in enumerate(part["inputs"] + part["outputs"]):
            height, width, channels = struct.unpack_from("<III", one)
            is_output = index >= len(part["inputs"])
            records += struct.pack("<BxHHHHHIBB8xH20x", 0x2d if is_output else 0x2c, width, 0, height, channels, 0, 0,
                                   0, is_output, index)
    return records


def wk(segments, arch=CV500, mapper=(1, 2, 1, 1, 10), temporary=4096, simulation=0, model=(1, 1)):
    count = sum(len(s["inputs"]) + len(s["outputs"]) for s in segments)
    header_size = 192 + 16 * len(segments) + 64 * count
    parts = [(0, 0)] * 7
    payload = b""
    for index, size in ((1, 96), (2, 32), (3, 16), (4, 16), (5, 16), (6, 16)):
        parts[index] = (len(payload), size)
        payload += noise(size, index)
    tables = b""
    for index, s in enumerate(segments):
        instructions = s["instructions"] or noise(24 + 8 * index, 9 + index)
        tables += struct.pack("<BBBBHHII", s["net"], len(s["inputs"]), len(s["outputs"]), s["roi_layers"],
                              s["max_step"], 0, len(payload), len(instructions))
        instructions = instructions.ljust(32 + 16 * (index // 2), b"\0")
        instructions += b"\0" * (-len(instructions) % 16)
        tables += b"".join(s["inputs"] + s["outputs"])
        payload += instructions
    parts[0] = (len(payload), 48)
    payload += noise(48, 7)
    payload += b"\0" * (-len(payload) % 16)
    layers = layer_records(segments)
    header = struct.pack("<III", len(payload) + 64 * count, 192, temporary)
    header += bytes(model) + bytes(arch) + bytes(4) + bytes(mapper) + bytes(3) + b"19021911421810".ljust(16, b"\0")
    header += struct.pack("<BBBBIII", simulation, len(segments), 16, 0, header_size, len(payload), 0)
    for offset, length in parts:
        header += struct.pack("<II8x", offset, length)
    header += struct.pack("<II8x", len(payload), len(layers))
    covered = header + tables + payload
    # CRC-32 with the start value 0: as zlib's continued from all ones
    return struct.pack("<I", zlib.crc32(covered, 0xffffffff)) + covered + layers


def the_set():
    """name: bytes. The smallest of each kind."""
    data = picture("data", 28, 28, 1)
    one = segment([data], [vector("prob", 10)])
    cut = "face_rpn_cls_prob_reshape_stride8"[:31]
    return {
        "one_segment": wk([one], mapper=(1, 2, 0, 1, 30)),
        "three_segments": wk([
            segment([picture("data", 112, 110, 3)], [output("conv3", 27, 27, 8), output("pool4", 4, 5, 32)]),
            segment([node("Inner4", 1, 64, 1, 0)], [vector("Inner6", 10)]),
            segment([node("Inner4_b", 4, 20, 8, 0)], [vector("Inner6_2", 10)])]),
        "equal_names": wk([segment([picture("data", 64, 64, 3)], [
            output("bbox", 2, 2, 8), output(cut, 2, 2, 4), output(cut, 4, 4, 4), output(cut, 8, 8, 4)])]),
        "long_name": wk([segment([data], [vector("a_name_of_thirty_two_characters_", 4)])]),
        "luma_chroma": wk([segment([picture("data", 64, 48, 3, YVU420SP)], [vector("prob", 10)]),
                           segment([picture("data", 64, 48, 3, YVU422SP)], [vector("prob", 10)])]),
        "hi3559a": wk([one], arch=HI3559A),
        "simulation": wk([one], simulation=1),
        "roi": wk([segment([data], [output("map", 4, 4, 8)]),
                   segment([node("map", 4, 4, 8, 0)], [vector("class", 5)], net=ROI, roi_layers=1)]),
        "recurrent": wk([segment([node("words", 1, 1, 100, 0), node("start", 1, 1, 32, 1)],
                                 [node("text", 32, 1, 1, MAP, sequence=1), node("state", 32, 1, 1, MAP)],
                                 net=RECURRENT, max_step=20)]),
    }


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    os.makedirs(arguments[0], exist_ok=True)
    for name, raw in the_set().items():
        with open(os.path.join(arguments[0], name + ".wk"), "wb") as file:
            file.write(raw)


if __name__ == "__main__":
    main(sys.argv[1:])
