#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nnrt_selftest(): the numbers that it compares integers with are those of TensorFlow Lite's arithmetic, computed here
in Python without the library; it passes; and with a kernel that is broken on purpose it fails and says which one.

    make tool && python3 tests/tools/test_selftest.py

NNRT_TOOL and CC as for the other suites; the build takes some seconds."""

import math
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(ROOT, "build", "nnrt")))
CC = shlex.split(os.environ.get("CC", "gcc"))


class Noise:
    def __init__(self):
        self.state = 20261123

    def draw(self, low, high):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return low + (self.state >> 32) % (high - low + 1)

    def many(self, count, low, high):
        return [self.draw(low, high) for _ in range(count)]


def multiplier_of(factor):
    mantissa, exponent = math.frexp(factor)
    return math.floor(mantissa * 2**31 + 0.5), exponent


def divided(a, b):
    """a / b toward zero."""
    return a // b if a >= 0 else -(-a // b)


def rescale(x, multiplier, shift):
    """MultiplyByQuantizedMultiplier of 32 bits: it rounds twice."""
    x *= 2**max(shift, 0)
    product = x * multiplier
    high = divided(product + (2**30 if product >= 0 else 1 - 2**30), 2**31)
    down = max(-shift, 0)
    rest = high % 2**down
    return (high >> down) + (rest > (2**down - 1 >> 1) + (high < 0))


def rescale_wide(x, multiplier, shift):
    """The same of 64 bits, with 16 bits of the multiplier."""
    return (x * (multiplier + 2**15 >> 16) + 2**(14 - shift)) >> (15 - shift)


def kept(x, bits):
    return max(-2**(bits - 1), min(2**(bits - 1) - 1, x))


def answer(op, bits, height, width, channels, kernel, stride, out, scale):
    """The output bytes of a row of nnrt__self_cases."""
    noise = Noise()
    step = stride or 1
    rows, columns = -(-height // step), -(-width // step)
    read = 1 if op == "DEPTHWISE_CONV2D_NATIVE" else channels
    x = noise.many(height * width * channels, -2**(bits - 1), 2**(bits - 1) - 1)
    in_scale, in_zero, out_zero = (1 / 64, 3, -5) if bits == 8 else (1 / 16384, 0, 0)
    result = []
    if op == "ADD":
        other = noise.many(len(x), -128, 127)
        twice = 2 * max(in_scale, 1 / 50)
        first, second = multiplier_of(in_scale / twice), multiplier_of(1 / 50 / twice)
        last = multiplier_of(twice / (2**20 * scale))
        for a, b in zip(x, other):
            total = rescale((a - in_zero) * 2**20, *first) + rescale((b + 7) * 2**20, *second)
            result.append(kept(rescale(total, *last) + out_zero, 8))
        return struct.pack("<%db" % len(result), *result)
    is_pool = op in ("AVG_POOL", "MAX_POOL")
    weights = [] if is_pool else noise.many(out * kernel * kernel * read, -128, 127)
    bias = noise.many(out, -3000, 3000)
    factor = multiplier_of(in_scale / 64 / scale)
    above = max(0, (rows - 1) * step + kernel - height) // 2
    left = max(0, (columns - 1) * step + kernel - width) // 2
    for place in range(rows * columns * out):
        row, column, channel = place // out // columns, place // out % columns, place % out
        total, window = 0, []
        for tap in range(kernel * kernel):
            at_row = row * step + tap // kernel - above
            at_column = column * step + tap % kernel - left
            if not (0 <= at_row < height and 0 <= at_column < width):
                continue
            pixel = (at_row * width + at_column) * channels
            if is_pool:
                window.append(x[pixel + channel])
                continue
            for c in range(read):
                value = x[pixel + (channel if read == 1 and channels != 1 else c)]
                total += (value - in_zero) * weights[(channel * kernel * kernel + tap) * read + c]
        if op == "MAX_POOL":
            result.append(max(window))
        elif op == "AVG_POOL":
            total, half = sum(window), len(window) // 2
            result.append(divided(total + (half if total > 0 else -half), len(window)))
        else:
            wide = bits == 16 and op == "FULL_CONNECTION"
            result.append(kept((rescale_wide if wide else rescale)(total + bias[channel], *factor) + out_zero, bits))
    return struct.pack("<%d%s" % (len(result), "b" if bits == 8 else "h"), *result)


class Selftest(unittest.TestCase):
    def test_the_numbers_in_the_library_are_those_of_the_arithmetic(self):
        with open(os.path.join(ROOT, "selftest", "cases.h")) as f:
            rows = re.findall(r'\{"([^"]*)", OH_NN_OPS_(\w+), OH_NN_INT(8|16), ([^}]*), 0x(\w+)u\}', f.read())
        self.assertEqual(len(rows), 12)
        for name, op, bits, numbers, crc in rows:
            if op == "SOFTMAX":  # test_kernels_elementwise has its exponential
                continue
            *shape, scale = numbers.split(", ")
            scale = eval(scale, {"__builtins__": {}})
            output = answer(op, int(bits), *map(int, shape), scale)
            self.assertEqual("%08x" % zlib.crc32(output), crc, name)
            at_the_ends = sum(value in (-2**(int(bits) - 1), 2**(int(bits) - 1) - 1)
                              for value, in struct.iter_unpack("<b" if bits == "8" else "<h", output))
            self.assertLess(at_the_ends, len(output) / int(bits) * 8 / 20, name + ": most of it is cut off")

    def test_it_passes_on_this_machine_with_every_instruction_set(self):
        done = subprocess.run(TOOL + ["selftest"], stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(lines[0], r"^nnrt \d+\.\d+\.\d+ .*isa=\w+")
        levels = re.findall(r"(?m)^(\S+): (\d+) passed, 0 failed$", done.stdout)
        self.assertEqual(levels[0][0], "scalar")
        total = sum(int(passed) for _, passed in levels)
        self.assertEqual(lines[-1], "selftest: %d passed, 0 failed, 0 skipped" % total)
        self.assertEqual(len(re.findall(r"million products/s", done.stdout)), 3 * len(levels))
        self.assertTrue(all(len(line) <= 120 for line in lines))

    def test_a_broken_kernel_is_found_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(ROOT):
                if name.endswith(".h") or name in ("bpu", "core", "cpu", "data", "detection", "dsp", "group", "image",
                                                   "kernels", "nnie", "npu", "rknpu", "selftest", "tflite"):
                    path = os.path.join(ROOT, name)
                    (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, os.path.join(folder, name))
            broken = os.path.join(folder, "kernels", "dw_s8_scalar.h")
            with open(broken) as f:
                text = f.read()
            self.assertEqual(text.count("of.bias = nnrt__kernel_word(tile);"), 1)
            with open(broken, "w") as f:
                f.write(text.replace("of.bias = nnrt__kernel_word(tile);", "of.bias = nnrt__kernel_word(tile) + 4000;"))
            program = os.path.join(folder, "selftest_program")
            subprocess.run(CC + ["-std=c99", "-O0", "-w", "-I", folder, "-o", program,
                                 os.path.join(ROOT, "examples", "selftest.c"), "-lm", "-lpthread", "-ldl"], check=True)
            done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        found = re.findall(r"(?m)^  FAILED   (.*), scalar: CRC-32 0x[0-9a-f]+ in place of 0x[0-9a-f]+$", done.stdout)
        self.assertEqual(found, ["depthwise int8 3x3", "depthwise int8 stride 2"])
        self.assertRegex(done.stdout, r"(?m)^selftest: \d+ passed, [1-9]\d* failed, 0 skipped$")
        self.assertIn("the first: depthwise int8 3x3, scalar", done.stdout.splitlines()[-1])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
