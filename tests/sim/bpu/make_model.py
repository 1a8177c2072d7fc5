#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes .bin and .hbm files for the simulated Horizon boards; sim_bpu_file.c reads them.

    make_model.py IN.tflite CHIP OUT       one network: .bin of x3, j5, x5, .hbm of s100, s600
    make_model.py --all OUTDIR             the set of the tests, OUTDIR/NAME.CHIP.bin or .hbm

The outside of the file is that of real ones (make_hbm.py), the networks are those of networks.py."""

import os
import sys

sys.dont_write_bytecode = True  # the tree stays as it was
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]

import make_hbm                                                              # noqa: E402
import networks                                                              # noqa: E402
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


def write_all(folder):
    os.makedirs(folder, exist_ok=True)
    for chip in CHIPS:
        for name, models in networks.the_set(chip).items():
            write(folder, name, chip, file_of(models, chip))


def main(arguments):
    if arguments[:1] == ["--all"] and len(arguments) in (2, 3):
        write_all(arguments[1])
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
