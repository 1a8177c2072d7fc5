#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nnrt.hpp keeps its promises (tests/hpp/program.cpp): C++11 of g++ and clang++ with every warning an error, without
exceptions and types at run time, and with NNRT_HPP_EXCEPTIONS; and it stands beside itself in two files of a program.

    python3 tests/tools/test_hpp.py

The library is compiled once, which takes some seconds; a compiler that is not here is skipped."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CC = shlex.split(os.environ.get("CC", "gcc"))
METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
GOLDEN = os.path.join(ROOT, "examples", "meter", "golden")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
LIBRARIES = ["-lm", "-lpthread", "-ldl"]


class Hpp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.library = os.path.join(cls.folder.name, "nnrt.o")
        subprocess.run(CC + ["-std=c99", "-O0", "-I", ROOT, "-c", "-o", cls.library,
                             os.path.join(ROOT, "examples", "first", "nnrt.c")], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def passes(self, compiler, *options):
        if shutil.which(compiler) is None:
            self.skipTest("skipped, no " + compiler)
        program, again = os.path.join(self.folder.name, "program"), os.path.join(self.folder.name, "again.cpp")
        with open(again, "w") as f:
            f.write('#include "nnrt.hpp"\nint opens(const char *path);\n'
                    "int opens(const char *path) { nnrt::Session session; return session.open(path) ? 1 : 0; }\n")
        subprocess.run([compiler, "-std=c++11", *WARNINGS, *options, "-I", ROOT, "-o", program,
                        os.path.join(ROOT, "tests", "hpp", "program.cpp"), again, self.library, *LIBRARIES], check=True)
        golden = [os.path.join(GOLDEN, name) for name in ("input2.bin", "expected2.bin")]
        done = subprocess.run([program, METER, *golden], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "0 failures\n"))

    def test_gcc_without_exceptions_and_types_at_run_time(self):
        self.passes("g++", "-fno-exceptions", "-fno-rtti")

    def test_gcc_with_exceptions(self):
        self.passes("g++", "-DNNRT_HPP_EXCEPTIONS", "-O2")

    def test_clang_without_exceptions_and_types_at_run_time(self):
        self.passes("clang++", "-fno-exceptions", "-fno-rtti")

    def test_clang_with_exceptions(self):
        self.passes("clang++", "-DNNRT_HPP_EXCEPTIONS", "-std=c++17")

    @unittest.skipIf(shutil.which("g++") is None, "skipped, no g++")
    def test_the_program_of_the_page_runs(self):
        with open(os.path.join(ROOT, "docs", "cpp.md")) as f:
            lines = f.read().split("\n")
        begin = lines.index('    #include "nnrt.hpp"')
        end = next(i for i in range(begin, len(lines)) if lines[i] == "    }" and lines[i + 1] == "")
        page, program = os.path.join(self.folder.name, "page.cpp"), os.path.join(self.folder.name, "page")
        with open(page, "w") as f:
            f.write("\n".join(line[4:] for line in lines[begin:end + 1]) + "\n")
        subprocess.run(["g++", "-std=c++11", *WARNINGS, "-I", ROOT, "-o", program, page, self.library, *LIBRARIES],
                       check=True)
        done = subprocess.run([program, METER], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 10))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
