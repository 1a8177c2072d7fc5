#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nnrt inspect --ops`: a build with exactly the line that it prints runs the model to the byte.

    make tool && python3 tests/tools/test_tool_ops.py

NNRT_TOOL and CC as for the other suites; the build takes some seconds."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(ROOT, "build", "nnrt")))
METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
GOLDEN = os.path.join(ROOT, "examples", "meter", "golden")
SEEDS = os.path.join(ROOT, "tests", "fuzz", "seeds", "tflite")


def contents(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


class Ops(unittest.TestCase):
    def printed(self, model):
        done = subprocess.run(TOOL + ["inspect", model, "--ops"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_the_line_is_all_that_the_meter_needs_and_no_more_than_its_model_has(self):
        line = self.printed(METER)
        self.assertRegex(line, r"\A#define NNRT_OPS\(X\)( X\(\w+\)| \\\n   )+\n\Z")
        names = re.findall(r" X\((\w+)\)", line)
        self.assertEqual(set(names), {"CONV2D", "MAX_POOL", "DEPTHWISE_CONV2D_NATIVE", "AVG_POOL", "RESHAPE",
                                      "FULL_CONNECTION", "SOFTMAX"})
        self.assertEqual(len(names), len(set(names)))
        with tempfile.TemporaryDirectory() as folder:
            source, program, out = (os.path.join(folder, name) for name in ("small.c", "small", "out.bin"))
            with open(source, "w", encoding="ascii") as f:
                f.write(line + '#include "tools/nnrt.c"\n')
            subprocess.run(shlex.split(os.environ.get("CC", "gcc")) +
                           ["-std=c99", "-O0", "-I", ROOT, source, "-o", program, "-lm", "-lpthread", "-ldl"],
                           check=True)
            for sample in range(2):
                subprocess.run([program, "run", METER, "--input", os.path.join(GOLDEN, "input%d.bin" % sample),
                                "--output", out], check=True)
                self.assertEqual(contents(out), contents(GOLDEN, "expected%d.bin" % sample))
            done = subprocess.run([program, "inspect", os.path.join(SEEDS, "add.tflite")], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"NNRT_OPS", done.stderr)

    def test_what_build_folds_and_fuses_away_is_in_the_line(self):
        for model, names in (("folded", "ADD DIV TRANSPOSE REDUCE_MEAN"),
                             ("pad_conv_relu", "CONV2D PAD RELU RESHAPE SOFTMAX"),
                             ("open_max_pool", "MAX_POOL")):
            self.assertEqual(set(re.findall(r" X\((\w+)\)", self.printed(os.path.join(SEEDS, model + ".tflite")))),
                             set(names.split()), model)

    def test_a_plan_has_none_and_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = os.path.join(folder, "plan")
            subprocess.run(TOOL + ["compile", METER, "-o", plan], check=True, stdout=subprocess.DEVNULL)
            done = subprocess.run(TOOL + ["inspect", plan, "--ops"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertRegex(done.stderr.decode(), r"\Annrt: \S+: a plan has steps and no operators.*\n\Z")


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
