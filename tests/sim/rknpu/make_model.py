#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .rknn files for the simulated Rockchip board; sim_rknn_file.c and sim_model_read.c read them.

    make_model.py IN.tflite CHIP OUT.rknn [--image] [--uint8-input MEAN,STD] [--multi-core]
    make_model.py --all OUTDIR [FOLDER]

The first converts one network. --image declares the first input a picture, --uint8-input says in addition how pixels
become real numbers: (pixel - MEAN) / STD; without it a pixel p is the stored value p - 128.
The second makes the set of the tests as OUTDIR/NAME.CHIP.rknn: examples/meter and small networks of drawn weights, and
every FOLDER/NAME/NAME.tflite that can be converted.

A real .rknn holds commands for the NPU that only the vendor's compiler writes. Its outside is known and is kept, so
that programs which look at a file before loading it find what they look for: 64 bytes of header ("RKNN", 4 zero
bytes, u64 format version, u64 length of the body, zeros), the body, u64 length of a JSON text, and the text.

The body is a packed network of ../common/network.py.
"""

import json
import os
import struct
import sys

sys.dont_write_bytecode = True  # the tree stays as it was
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))

import drawn                                            # noqa: E402
from network import Refused, body_of, read_tflite       # noqa: E402

CHIPS = ["rv1103", "rv1106", "rk3562", "rk3566", "rk3568", "rk3576", "rk3588"]
TOOLKIT = "2.3.2 (compiler version: 2.3.2 (simulated))"
FORMATS = {False: 6, True: 0x1004}  # what toolkits since 1.6 write: for librknnrt, for librknnmrt
OLD_FORMATS = {False: [1, 4], True: [0x1001, 0x1003]}  # before 1.5 and before 1.6; those of librknnmrt are assumed
NO_FORMATS = {False: 7, True: 0x1000}  # that no runtime takes


def is_mini(chip):
    return chip.startswith("rv")


def file_of(body, chip, version=None, toolkit=TOOLKIT):
    """The whole file: the outside around the body."""
    version = FORMATS[is_mini(chip)] if version is None else version
    words = json.dumps({"version": toolkit, "target_platform": [chip], "ori_network_platform": "TFLITE"}).encode()
    header = b"RKNN\0\0\0\0" + struct.pack("<QQ", version, len(body))
    return header.ljust(64, b"\0") + body + struct.pack("<Q", len(words)) + words


# ---- the set of the tests -----------------------------------------------------------------------


def write(folder, name, chip, raw):
    with open(os.path.join(folder, "%s.%s.rknn" % (name, chip)), "wb") as file:
        file.write(raw)


def write_spoiled(folder, chip, body):
    """Files that nobody, or not everybody, can run, each for a reason of its own."""
    whole = file_of(body, chip)
    write(folder, "version1", chip, file_of(body, chip, OLD_FORMATS[is_mini(chip)][0], "1.3.0 (simulated)"))
    write(folder, "version4", chip, file_of(body, chip, OLD_FORMATS[is_mini(chip)][1], "1.4.0 (simulated)"))
    write(folder, "version7", chip, file_of(body, chip, NO_FORMATS[is_mini(chip)], "3.0.0 (simulated)"))
    write(folder, "broken_platform", chip, file_of(body, "rk9999", FORMATS[is_mini(chip)]))
    write(folder, "broken_header", chip, whole[:40])
    write(folder, "broken_short", chip, whole[:64 + len(body) // 2])
    write(folder, "broken_json", chip, whole[:64 + len(body) + 20])
    write(folder, "broken_magic", chip, b"XKNN" + whole[4:])
    write(folder, "broken_body", chip, whole[:64] + b"\xa5" * len(body) + whole[64 + len(body):])
    write(folder, "encrypted", chip, b"CYPTRKNN" + whole[8:])


def write_all(folder, models=None):
    os.makedirs(folder, exist_ok=True)
    networks = drawn.networks(models)
    for network in networks:
        body = body_of(network)
        for chip in CHIPS:
            write(folder, network.name, chip, file_of(body, chip))
    named = {network.name: network for network in networks}
    old, spoiled = body_of(named["meter"]), body_of(named["odd"])
    for chip in CHIPS:
        write(folder, "meter_v4", chip, file_of(old, chip, OLD_FORMATS[is_mini(chip)][1], "1.4.0 (simulated)"))
        write_spoiled(folder, chip, spoiled)


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
