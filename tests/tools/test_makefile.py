#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the makefile finds on a machine, and what it says where it does not find it. Nothing is compiled.

    python3 tests/tools/test_makefile.py"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CC = os.environ.get("CC", "gcc")
# What the recipes below call; a compiler and python3 are added where a test wants them.
TOOLS = ("sh", "bash", "env", "make", "grep", "sed", "mkdir", "id", "uname", "xargs", "ls", "test")


@unittest.skipUnless(shutil.which("make"), "skipped, no make")
class Makefile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def make(self, *words, root=ROOT, **environment):
        """(exit code, what it said). The make that runs this test has no say."""
        clean = {name: value for name, value in os.environ.items()
                 if name not in ("CC", "HOST_CC", "SHIM", "SUITES") and not re.match("MAKE|MFLAGS", name)}
        done = subprocess.run(["make", "--no-print-directory", "-C", root] + list(words), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(clean, **environment))
        return done.returncode, done.stdout.decode()

    def machine_with(self, *programs):
        """A PATH with the tools of a bare system, without apt-get, and these."""
        path = tempfile.mkdtemp(dir=self.folder)
        for name in TOOLS:
            if shutil.which(name):
                os.symlink(shutil.which(name), os.path.join(path, name))
        for name in programs:
            with open(os.path.join(path, name), "w") as f:
                f.write("#!/bin/sh\nexit 0\n")
            os.chmod(os.path.join(path, name), 0o755)
        return path

    def test_a_header_that_is_missing_is_not_asked_for(self):
        for word, there, absent in (("build/nnrt", "-DNNRT_TOOL_STB", None),
                                    ("build/native/test_plan", "-lcriterion", "tests/criterion_shim")):
            none = self.make("-n", "-B", word, "CC=%s -nostdinc" % CC)[1]
            self.assertNotIn(there, none)
            if absent:
                self.assertIn("-isystem " + absent, none)

    def test_a_header_that_is_there_is_taken(self):
        for name in ("stb/stb_image.h", "criterion/criterion.h"):
            os.makedirs(os.path.dirname(os.path.join(self.folder, name)))
            open(os.path.join(self.folder, name), "w").close()
        compiler = "CC=%s -nostdinc -I%s" % (CC, shlex.quote(self.folder))
        self.assertIn("-DNNRT_TOOL_STB", self.make("-n", "-B", "build/nnrt", compiler)[1])
        self.assertIn("-lcriterion", self.make("-n", "-B", "build/native/test_plan", compiler)[1])

    def test_the_compiler_is_found_gcc_first(self):
        for programs, found in ((("gcc", "clang", "cc"), "gcc"), (("clang", "cc"), "clang"), (("cc",), "cc")):
            said = self.make("-n", "-B", "build/nnrt", PATH=self.machine_with("python3", *programs))[1]
            self.assertIn("\n%s -std=c99 " % found, "\n" + said)

    def test_the_compiler_that_is_asked_for_is_taken(self):
        path = self.machine_with("python3", "gcc", "clang")
        self.assertIn("\nclang -std=c99 ", "\n" + self.make("-n", "-B", "build/nnrt", PATH=path, CC="clang")[1])
        self.assertIn("\nclang -std=c99 ", "\n" + self.make("-n", "-B", "build/nnrt", "CC=clang", PATH=path)[1])

    def test_a_machine_without_python3_is_told_what_to_install(self):
        for words in ((), ("shared",), ("sim",), ("demo",), ("test", "SUITES=test_plan")):
            code, said = self.make(*words, PATH=self.machine_with("gcc"))
            self.assertNotEqual(code, 0)
            self.assertRegex(said, "(?m)^  FIX: sudo apt-get install.* python3")
            self.assertNotIn("not found", said)
            self.assertNotIn("Traceback", said)

    def test_a_tree_that_cannot_be_written_says_what_to_do(self):
        root = os.path.join(self.folder, "read only")
        os.mkdir(root)
        for name in os.listdir(ROOT):
            if name != "build":
                os.symlink(os.path.abspath(os.path.join(ROOT, name)), os.path.join(root, name))
        open(os.path.join(root, "build"), "w").close()  # whoever runs this cannot make a folder of it
        for words in ((), ("shared",), ("sim",), ("demo",), ("-j2",)):
            code, said = self.make(*words, root=root)
            self.assertNotEqual(code, 0)
            self.assertRegex(said, r"(?m)^build/ cannot be written here.*\n  FIX: cp -r ", words)
            self.assertNotIn("Traceback", said)
            self.assertNotIn("mkdir:", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
