#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/seeds/rkchip/: jobs as fuzz_rkchip.c reads them, of tasks that run, of tasks that inherit from
others, and of addresses that end where memory ends. And seeds/rkchip_file/: whole files for fuzz_rkchip_file.c."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sim", "rknpu"))

import make_stream  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CONV, DEPTHWISE, PICTURE, COPY, NEAREST, WORDS, TURN, DENSE, POOL, TABLES = range(10)
SHORT = 2  # half of the words: the way of a task, with a byte behind it


def task(kind, sizes, changes=(), way=()):
    """changes are bytes each: how, the number of the word (two bytes), and what the kind of change reads."""
    return bytes([kind, *sizes, len(changes)]) + b"".join(bytes(c) for c in changes) + bytes(way or [0])


def conv(kind, rows=2, columns=3, inputs=32, outputs=16, kernel=0b0101, padding=128, form=0, stages=0, zero=8, **rest):
    return task(kind, [rows | columns << 2, inputs, outputs, kernel, padding, form, stages, zero], **rest)


def copy(kind, rows=1, columns=3, channels=31, gap=0, changes_scale=0, adds=0, add=0, shift=0, **rest):
    return task(kind, [rows, columns, channels, gap, changes_scale, adds, add, shift], **rest)


def pool(*sizes, **rest):
    return task(POOL, sizes or [1, 1, 1, 0b0101, 0x11, 0, 0], **rest)


JOBS = {
    "dense": conv(CONV) + conv(CONV, form=4) + conv(CONV, kernel=0b0111010, form=3),
    "stages": b"".join(conv(CONV, stages=s) for s in (1, 2, 3, 16)),
    "depthwise": conv(DEPTHWISE) + conv(DEPTHWISE, stages=2),
    "slopes": conv(CONV, outputs=7, form=16, stages=2) + conv(PICTURE, outputs=15, form=24, stages=2),
    "transposed": conv(CONV, form=0x60) + conv(DEPTHWISE, form=0x20) + conv(CONV, outputs=4, form=0x40),
    "picture": conv(PICTURE, inputs=1) + conv(PICTURE, inputs=0, form=8) + conv(PICTURE, inputs=2, form=8),
    "curve": task(TABLES, [30, 0]) + conv(CONV, stages=35) + conv(DEPTHWISE, stages=35),
    "half_a_table": task(TABLES, [30, 2]) + conv(CONV, stages=32),
    "copies": copy(COPY) + copy(COPY, gap=1) + copy(COPY, changes_scale=1, add=100, shift=3) + copy(COPY, adds=1),
    "narrow_picture": conv(PICTURE, rows=16 | 2, columns=3, inputs=1) + conv(PICTURE, rows=16 | 2, inputs=0, form=8),
    "operands": b"".join(copy(COPY, channels=15, adds=a, add=100, shift=3) for a in (1, 3, 5, 7, 11)),
    "factors": copy(COPY, channels=15, adds=19, add=100, shift=3) + copy(COPY, channels=2, adds=27, changes_scale=1),
    "layouts": copy(NEAREST) + copy(WORDS) + copy(TURN) + copy(DENSE) + copy(DENSE, gap=1),
    "pools": pool() + pool(3, 2, 0, 0b1010, 0x22, 0x11, 1),
    "averages": pool(1, 1, 1, 0b10000101, 0, 0x11, 0) + pool(3, 2, 0, 0b10000101, 0, 0, 1),
    "groups": copy(COPY) + copy(COPY, gap=1) + copy(COPY, way=[SHORT, 0]) + copy(COPY, way=[SHORT, 0]),
    # Words 29 and 40 of a convolution are the addresses of its input and its weights, 55 that of its output.
    "ends": b"".join(conv(CONV, changes=[[3, at, 0, back]]) for at in (29, 40, 55) for back in (128, 16)),
    "pool_at_the_end": pool(changes=[[3, 24, 0, 224]]) + pool(changes=[[3, 31, 0, 224]]),
    "island": copy(COPY, rows=0, columns=2, channels=15, changes=[[4, 62, 0, 48]]),
    "other_blocks": conv(CONV, way=[1, 0x0d]) + copy(COPY, way=[1, 0x60]),
    "another_bit": conv(CONV, way=[3, 40, 50]),
}

if __name__ == "__main__":
    folder = os.path.join(HERE, "seeds", "rkchip")
    os.makedirs(folder, exist_ok=True)
    for name, job in JOBS.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(job)
    folder = os.path.join(HERE, "seeds", "rkchip_file")
    os.makedirs(folder, exist_ok=True)
    whole = make_stream.file_of(*make_stream.network(1))
    for name, raw in (("small.rknn", whole), ("cut.rknn", whole[:len(whole) // 2])):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(raw)
