#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images of the open NPU in programs that are linked statically: with musl, and for ARMv7 under qemu-arm, which is told
of no library on the system.

    python3 tests/rknpu_open/test_open_static.py"""

import os
import shutil
import struct
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SOURCE = os.path.join(ROOT, "tests", "rknpu_open", "static_program.c")
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-O1", "-static", "-Itests", "-isystem", "."]
INTERPRETER, DYNAMIC = 3, 2


def kinds_of_segments(path):
    """Of the program headers of an ELF file, little-endian, of either size."""
    with open(path, "rb") as file:
        raw = file.read()
    wide = raw[4] == 2
    start = struct.unpack_from("<Q" if wide else "<I", raw, 32 if wide else 28)[0]
    size, count = struct.unpack_from("<HH", raw, 54 if wide else 42)
    return {struct.unpack_from("<I", raw, start + i * size)[0] for i in range(count)}


class Static(unittest.TestCase):
    def runs(self, compiler, emulator, *more):
        for tool in [compiler[0]] + emulator[:1]:
            if shutil.which(tool) is None:
                self.skipTest("skipped, no %s" % tool)
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            made = subprocess.run(compiler + FLAGS + list(more) + ["-o", program, SOURCE, "-lpthread"], cwd=ROOT,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(made.returncode, 0, made.stdout.decode())
            self.assertNotIn(b"warning", made.stdout)
            self.assertFalse({INTERPRETER, DYNAMIC} & kinds_of_segments(program), "it is not linked statically")
            done = subprocess.run(emulator + [program], cwd=folder, env={}, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            self.assertRegex(done.stdout.decode(), r"\A[1-9][0-9]{2,} bytes equal\n\Z")

    def test_musl(self):
        self.runs(["musl-gcc"], [])

    def test_armv7(self):
        self.runs(["arm-linux-gnueabihf-gcc", "-march=armv7-a", "-mfpu=neon-vfpv4"],
                  ["qemu-arm", "-L", "/nowhere", "-cpu", "cortex-a7"])

    def test_armv7_with_small_offsets(self):
        """off_t of 32 bits, and of 64, are both had on boards."""
        self.runs(["arm-linux-gnueabihf-gcc", "-march=armv7-a", "-mfpu=neon-vfpv4"],
                  ["qemu-arm", "-L", "/nowhere", "-cpu", "cortex-a7"], "-D_FILE_OFFSET_BITS=64")


if __name__ == "__main__":
    unittest.main()
