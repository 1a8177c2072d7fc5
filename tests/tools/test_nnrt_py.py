#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""nnrt.py: a model of the examples gives its golden bytes, from a file and from memory, with numpy and without, as
stored and as real numbers; what fails says what the library says; nothing is kept. And the library for it shows what is
public and nothing else.

    make shared && python3 tests/tools/test_nnrt_py.py

Runs all of it once more with Debian's python3, which may have numpy where the first one has not."""

import array
import glob
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True
import nnrt  # noqa: E402

METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
GOLDEN = os.path.join(ROOT, "examples", "meter", "golden")
SEEDS = os.path.join(ROOT, "tests", "fuzz", "seeds", "tflite")
TOOL = os.path.join(ROOT, "build", "nnrt")
SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))


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

    def test_open_dimensions_are_given_and_outputs_follow(self):
        with nnrt.Model(os.path.join(SEEDS, "flatten_open.tflite")) as model:  # [1(?), 2, 3] to [1, 6], and the rows
            self.assertEqual((model.inputs[0].shape, model.inputs[0].open), ((1, 2, 3), (0,)))
            for rows, key in ((1, None), (4, 0), (3, "t0"), (1, 0)):
                if key is not None:
                    model.resize({key: (rows, 2, 3)})
                self.assertEqual([t.shape for t in model.inputs + model.outputs], [(rows, 2, 3), (rows, 6), (1,)])
                given = array.array("f", range(6 * rows))
                flat, count = model.run(given)
                self.assertEqual((raw(flat), raw(count)), (given.tobytes(), array.array("i", [rows]).tobytes()))
            for shape in ((1, 2, 4), (0, 2, 3), (2, 2), (-1, 2, 3)):
                with self.assertRaisesRegex((nnrt.Error, ValueError), "the model has|a dimension is below 1"):
                    model.resize({0: shape})
                self.assertEqual([t.shape for t in model.inputs + model.outputs], [(1, 2, 3), (1, 6), (1,)])
            flat, _ = model.run(array.array("f", range(6)))  # a failure has changed nothing
            self.assertEqual(raw(flat), array.array("f", range(6)).tobytes())
            for key, what in ((1, "there is no input 1, the model has 1"), ("t1", "no input t1, or several")):
                with self.assertRaisesRegex(ValueError, what):
                    model.resize({key: (1, 2, 3)})
        with nnrt.Model(os.path.join(SEEDS, "flatten_open.tflite"), shapes={"t0": (2, 2, 3)}) as model:
            self.assertEqual(model.outputs[0].shape, (2, 6))

    def test_three_rows_of_trained_models_are_three_runs(self):
        models = sorted(glob.glob(os.path.join(ROOT, "..", "shared", "models", "*", "*.tflite")))
        if not models:
            self.skipTest("skipped, no ../shared/models")
        for path in models:
            with self.subTest(os.path.basename(path)), nnrt.Model(path) as model:
                one = model.inputs[0]
                if not one.open:
                    continue
                rows, real = [], one.dtype == "float32"
                for k in range(3):
                    numbers = [(i * 37 + k * 11) % 251 for i in range(one.count)]
                    rows.append(array.array("f", [n / 125.5 - 1.0 for n in numbers]).tobytes() if real
                                else bytes(numbers))
                alone = b"".join(raw(model.run(row)[0]) for row in rows)
                model.resize({0: (3,) + one.shape[1:]})
                together = raw(model.run(b"".join(rows))[0])
                if not real:
                    self.assertEqual(together, alone)
                for a, b in zip(array.array("f", together), array.array("f", alone)) if real else ():
                    self.assertLessEqual(abs(a - b), 1e-4 * max(1.0, abs(a)))  # sums in another order

    @unittest.skipUnless(os.path.exists(TOOL), "skipped, no tool")
    def test_a_plan_gives_the_bytes_of_its_model(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = os.path.join(folder, "meter.plan")
            subprocess.run([TOOL, "compile", METER, "-o", plan], stdout=subprocess.DEVNULL, check=True)
            for given in (plan, contents(plan)):
                with nnrt.Model(given) as model:
                    scores, = model.run(contents(GOLDEN, "input4.bin"))
                    self.assertEqual(raw(scores), contents(GOLDEN, "expected4.bin"))

    @unittest.skipUnless(os.path.exists(TOOL) and os.path.isdir(SIM), "skipped, no simulated board")
    def test_files_of_npus_open_as_the_tool_opens_them(self):
        program = "\n".join((
            "import sys; sys.path.insert(0, %r); import nnrt" % ROOT,
            "path, folder, device, dynamic = sys.argv[1:]",
            "with nnrt.Model(path) as model:",
            "    assert model.device.startswith(device), model.device",
            "    data = bytes(i * 7 % 251 for i in range(model.inputs[0].size))",
            "    open(folder + '/in', 'wb').write(data)",
            "    out, = model.run(data)",
            "    open(folder + '/out', 'wb').write(out if isinstance(out, bytes) else out.tobytes())",
            "for key in [dynamic] if dynamic else []:",
            "    model = nnrt.Model(dynamic)",
            "    shapes = [t.shape for t in model.inputs]",
            "    assert -1 in shapes[0] and model.inputs[0].size is None, shapes",
            "    try: model.run(*[b''] * len(shapes)); assert False",
            "    except ValueError as error: assert 'give all of it with shapes or resize' in str(error), error",
            "    model.resize({i: (shape[0], 8, 9, shape[3]) for i, shape in enumerate(shapes)})",
            "    sizes = [t.size for t in model.inputs]",
            "    for _ in range(2): outputs = model.run(*[bytes(size) for size in sizes])",
            "    assert [len(o) if isinstance(o, bytes) else o.nbytes for o in outputs] == "
            "[t.size for t in model.outputs], model.outputs",
            "    model.close()"))
        horizon = os.path.join(SIM, "1.18.6")
        for name, chip, device, dynamic, more in (
                ("meter.rk3588.rknn", "rk3588", "rknpu", "dynamic.rk3588.rknn", {"NNRT_RKNPU_LIBRARY": ""}),
                ("meter.hi3516cv500.wk", "hi3516cv500", "nnie", None,
                 {"NNRT_SIM_SYS": "1", "NNRT_NNIE_LIBRARY": os.path.join(SIM, "libnnie.so")}),
                ("meter.x3.bin", "x3", "bpu", None, {"LD_LIBRARY_PATH": horizon + ":" + SIM,
                                                     "NNRT_BPU_LIBRARY": os.path.join(horizon, "libdnn.so")})):
            environment = dict(os.environ, LD_LIBRARY_PATH=SIM, NNRT_SIM_CHIP=chip, NNRT_SIM_STRICT="1")
            environment.update(more)
            model = os.path.join(SIM, "models", name)
            with tempfile.TemporaryDirectory() as folder, self.subTest(name):
                subprocess.run([sys.executable, "-c", program, model, folder, device,
                                os.path.join(SIM, "models", dynamic) if dynamic else ""], env=environment, check=True)
                subprocess.run([TOOL, "run", model, "--input", folder + "/in", "--output", folder + "/told"],
                               env=environment, stdout=subprocess.DEVNULL, check=True)
                self.assertEqual(contents(folder, "out"), contents(folder, "told"))

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
