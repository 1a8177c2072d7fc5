#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .bin and .hbm files for the simulated Horizon boards; sim_bpu_file.c reads them.

    make_model.py IN.tflite CHIP OUT       one network: .bin of x3, j5, x5, .hbm of s100, s600
    make_model.py --all OUTDIR [MODELS]    the set of the tests, OUTDIR/NAME.CHIP.bin or .hbm, NAME.CHIP.golden, and
                                           those of MODELS/NAME/NAME.tflite that can be converted

The outside of the file is that of real ones (make_hbm.py), the networks are those of networks.py, and what they compute
is in the golden files that reference.py describes."""

import os
import sys

sys.dont_write_bytecode = True  # the tree stays as it was
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]

import make_hbm                                                              # noqa: E402
import networks                                                              # noqa: E402
import reference                                                             # noqa: E402
from network import Refused                                                  # noqa: E402

CHIPS = ["x3", "j5", "x5", "s100", "s600"]


def is_ucp(chip):
    return chip.startswith("s")


def file_of(models, chip, **other):
    return make_hbm.elf(models, chip, **other) if is_ucp(chip) else make_hbm.bin_file(models, chip, **other)


def write(folder, name, chip, raw, ending=None):
    ending = ending or ("hbm" if is_ucp(chip) else "bin")
    with open(os.path.join(folder, "%s.%s.%s" % (name, chip, ending)), "wb") as file:
        file.write(raw)


# A chip whose models another one takes and does not run, or refuses.
OTHERS = {"x3": "x5", "j5": "x5", "x5": "j5", "s100": "s600", "s600": "s100"}


def write_spoiled(folder, chip, model):
    """Files that a board refuses, each for a reason of its own."""
    whole = file_of([model], chip)
    write(folder, "other_march", chip, file_of([model], chip, march=OTHERS[chip]))
    write(folder, "broken_short", chip, whole[:len(whole) // 2])
    write(folder, "broken_body", chip, whole.replace(b"SIMB", b"SIMC"))
    write(folder, "broken_magic", chip, b"XX" + whole[2:])
    write(folder, "broken_empty", chip, b"")
    if is_ucp(chip):
        return
    for name, version in ("version4", "4.0.0"), ("too_old", "3.3.9"), ("oldest", "3.4.0"), ("newer", "3.99.1"):
        write(folder, name, chip, file_of([model], chip, version=version))
    write(folder, "image", chip, make_hbm.image([model], chip), "hbm")


def write_all(folder, models=None):
    os.makedirs(folder, exist_ok=True)
    known = {}  # what a model computes is the same on chips of one kind: they differ in where it stands
    for chip in CHIPS:
        files = networks.the_set(chip)
        old = {"old": {"version": "3.13.27"}}
        for name, parts in files.items():
            write(folder, name, chip, file_of(parts, chip, **({} if is_ucp(chip) else old.get(name, {}))))
            network = getattr(parts[0], "network", None) if len(parts) == 1 else None
            for size in range(network.shapes if network else 0):
                ending = ".%d" % size if network.shapes > 1 else ""
                key = (is_ucp(chip), name, size)
                if key not in known:
                    known[key] = reference.golden(parts[0], size)
                write(folder, name + ending, chip, known[key], "golden")
        write_spoiled(folder, chip, files["small"][0])
        for name in sorted(os.listdir(models)) if models else []:
            path = os.path.join(models, name, name + ".tflite")
            if os.path.exists(path):
                write_converted(folder, chip, name, path)


def write_converted(folder, chip, name, path):
    try:
        write(folder, name, chip, file_of([networks.tflite_model(path, chip)], chip))
    except Refused as why:
        print("%s: %s" % (name, why))


def main(arguments):
    if arguments[:1] == ["--all"] and len(arguments) in (2, 3):
        write_all(arguments[1], arguments[2] if len(arguments) == 3 else None)
        return 0
    if len(arguments) != 3 or arguments[1] not in CHIPS:
        sys.stderr.write(__doc__.split("\n\n")[1] + "\nchips: " + " ".join(CHIPS) + "\n")
        return 2
    with open(arguments[2], "wb") as file:
        file.write(file_of([networks.tflite_model(arguments[0], arguments[1])], arguments[1]))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, OSError) as error:
        sys.stderr.write("make_model.py: %s\n" % error)
        sys.exit(1)
