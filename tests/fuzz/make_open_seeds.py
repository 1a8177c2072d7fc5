#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/seeds/open_image/: images of tests/rknpu_open/open_examples.h as fuzz_open_image.c reads them,
unchanged and with one change of a place, a size with all that follow it, and a tail."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGES = 21
A_WORD, A_BYTE = 1, 0
AT_THE_END, ALL = 4, 8


def word(how, number, amount, task=0):
    return bytes([A_WORD, how, number & 255, number >> 8, amount, task])


def main():
    folder = os.path.join(HERE, "seeds", "open_image")
    os.makedirs(folder, exist_ok=True)
    seeds = {"image%u" % i: bytes([i]) for i in range(IMAGES)}
    for i in (0, 2, 3, 11, 13, 15, 20):
        for number in range(20, 60, 13):
            seeds["place%u_%u" % (i, number)] = bytes([i]) + word(AT_THE_END, number, 1)
            seeds["size%u_%u" % (i, number)] = bytes([i]) + word(2 | ALL, number, 129)
    seeds["tail"] = bytes([20]) + word(0, 400, 3, 1)
    seeds["header"] = bytes([0, A_BYTE, 40, 0, 255])
    seeds["raw"] = bytes([255]) + b"1OPN" + bytes(100)
    for name, data in seeds.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
