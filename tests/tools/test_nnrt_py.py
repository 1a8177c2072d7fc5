#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nnrt.py: a model of the examples gives its golden bytes, from a file and from memory, with numpy and without, as
stored and as real numbers; what fails says what the library says; nothing is kept. And the library for it shows what is
public and nothing else.

    make shared && python3 tests/tools/test_nnrt_py.py

Runs all of it once more with Debian's python3, which may have numpy where the first one has not."""

import array
import os
import subprocess
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True
import nnrt  # noqa: E402

METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
GOLDEN = os.path.join(ROOT, "examples", "meter", "golden")


def contents(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def raw(output):
    return output if isinstance(output, bytes) else output.tobytes()


class Python(unittest.TestCase):
    def test_a_file_gives_its_golden_bytes(self):
        with nnrt.Model(METER) as model:
            self.assertEqual([(t.dtype, t.size) for t in model.inputs], [("int8", len(contents(GOLDEN, "input0.bin")))])
            for i in range(6):
                scores, = model.run(contents(GOLDEN, "input%d.bin" % i))
                self.assertEqual(raw(scores), contents(GOLDEN, "expected%d.bin" % i))

    def test_memory_and_settings_give_the_same(self):
        model = nnrt.Model(contents(METER), device="cpu", performance="low", threads=2, isa="scalar",
                           config={"nnrt.profile": "1"})
        self.assertTrue(model.device.startswith("cpu"))
        scores, = model.run(memoryview(contents(GOLDEN, "input3.bin")))
        self.assertEqual(raw(scores), contents(GOLDEN, "expected3.bin"))
        model.close()
        model.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            model.run(b"")

    def test_real_numbers_go_in_and_come_out(self):
        with nnrt.Model(METER) as model:
            picture, scores = model.inputs[0], model.outputs[0]
            stored = array.array("b", contents(GOLDEN, "input2.bin"))
            real = array.array("f", [picture.scale * (q - picture.zero_point) for q in stored])
            result, = model.run_real(real)
            expected = array.array("b", contents(GOLDEN, "expected2.bin"))
            flat = result.ravel() if nnrt.numpy is not None else result
            self.assertEqual(len(flat), scores.count)
            for value, q in zip(flat, expected):
                self.assertAlmostEqual(float(value), scores.scale * (q - scores.zero_point), places=6)

    @unittest.skipIf(nnrt.numpy is None, "skipped, no numpy")
    def test_arrays_of_numpy_have_shape_and_type(self):
        numpy = nnrt.numpy
        with nnrt.Model(METER) as model:
            shape = model.inputs[0].shape
            picture = numpy.frombuffer(contents(GOLDEN, "input1.bin"), "int8").reshape(shape)
            scores, = model.run(numpy.asfortranarray(picture))  # any order in memory
            self.assertEqual((scores.dtype, scores.shape), (numpy.dtype("int8"), model.outputs[0].shape))
            self.assertEqual(scores.tobytes(), contents(GOLDEN, "expected1.bin"))
            with self.assertRaisesRegex(TypeError, "input 0 is int8, not float32"):
                model.run(picture.astype("float32"))

    @unittest.skipIf(nnrt.numpy is None, "skipped, no numpy")
    def test_the_program_of_the_page_runs(self):
        page = contents(ROOT, "docs", "python.md").decode()
        lines = page[page.index("    import nnrt, numpy"):page.index("| | |")].splitlines()
        done = subprocess.run([sys.executable, "-c", "\n".join(line[4:] for line in lines)], cwd=ROOT,
                              stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"int8 \[1, 32, 20, 1\](?s:.*)\n8 0\.9\d*\n$")

    def test_what_fails_says_what_the_library_says(self):
        with self.assertRaisesRegex(nnrt.Error, "/no/such/model") as caught:
            nnrt.Model("/no/such/model")
        self.assertEqual(caught.exception.name, "OH_NN_INVALID_FILE")
        with self.assertRaisesRegex(nnrt.Error, "nnrt.nothing"):
            nnrt.Model(METER, config={"nnrt.nothing": "1"})
        with self.assertRaisesRegex(ValueError, "no device tpu, or several; there are: .*cpu"):
            nnrt.Model(METER, device="tpu")
        with self.assertRaises(nnrt.Error):
            nnrt.Model(contents(METER)[:-5000])
        with nnrt.Model(METER) as model:
            with self.assertRaisesRegex(ValueError, "input 0 has 3 bytes, the model needs"):
                model.run(b"abc")
            with self.assertRaisesRegex(ValueError, "2 inputs were given, the model has 1"):
                model.run(b"", b"")

    def test_a_python_that_ignores_its_environment_ignores_the_library_named_there(self):
        environment = dict(os.environ, NNRT_LIBRARY="/nowhere/libnnrt.so")
        program = "import sys; sys.path.insert(0, %r); import nnrt; nnrt.version()" % ROOT
        for flag, code in (("-B", 1), ("-E", 0)):
            done = subprocess.run([sys.executable, flag, "-c", program], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True)
            self.assertEqual(done.returncode, code, done.stdout)

    def test_library_and_devices_are_told(self):
        self.assertRegex(nnrt.version(), r"^\d+\.\d+\.\d+ .*cpu")
        self.assertIn("cpu", [kind for _, _, kind in nnrt.devices()])

    def test_a_thousand_models_take_no_more_memory_than_one(self):
        def pages():
            with open("/proc/self/statm") as f:
                return int(f.read().split()[1])
        if not os.path.exists("/proc/self/statm"):
            self.skipTest("skipped, no /proc")
        for _ in range(100):
            nnrt.Model(METER).run(contents(GOLDEN, "input0.bin"))
        before = pages()
        for _ in range(1000):
            nnrt.Model(METER).run(contents(GOLDEN, "input0.bin"))
        self.assertLess(pages() - before, 200, "one run leaves a page behind")

    def test_all_of_this_with_the_numpy_of_another_python(self):
        other = "/usr/bin/python3"
        if nnrt.numpy is not None or not os.path.exists(other):
            self.skipTest("skipped, no other python3")
        if subprocess.run([other, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("skipped, no numpy")
        done = subprocess.run([other, os.path.abspath(__file__)], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_library_shows_what_is_public_and_nothing_else(self):
        names = subprocess.run(["nm", "-D", "--defined-only", nnrt._find()], stdout=subprocess.PIPE, text=True,
                               check=True)
        shown = [line.split()[-1] for line in names.stdout.splitlines()]
        self.assertGreater(len(shown), 100)
        self.assertEqual([name for name in shown if not name.startswith(("OH_NN", "nnrt_")) or "__" in name], [])


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
