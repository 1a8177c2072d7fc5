#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tool compares and what it takes: numpy's files, expected outputs, dumps, the difference of two models.

    make tool && python3 tests/tools/test_tool_compare.py

Numpy itself is not needed: its files are made and read here by the description of its format. NNRT_TOOL as for
test_tool.py."""

import ast
import json
import math
import os
import random
import re
import shlex
import shutil
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import json_page  # noqa: E402
import test_tool  # noqa: E402
from test_tool import METER, contents  # noqa: E402

TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(test_tool.ROOT, "build", "nnrt")))
ABS = os.path.join(test_tool.ROOT, "tests", "fuzz", "seeds", "tflite", "abs.tflite")  # float32 1x4x4x2
LETTERS = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "i4": "i", "i8": "q", "f2": "e", "f4": "f", "f8": "d"}


def npy(header, data=b"", version=(1, 0), length=None):
    """A file of numpy's with that header, which is text or (descr, shape)."""
    if not isinstance(header, (str, bytes)):
        header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % header
    text = header.encode() if isinstance(header, str) else header
    head = b"\x93NUMPY" + bytes(version)
    wide = version[0] > 1
    text += b" " * (-(len(head) + (4 if wide else 2) + len(text) + 1) % 64) + b"\n"
    return head + struct.pack("<I" if wide else "<H", len(text) if length is None else length) + text + data


def read_npy(data):
    """(descr, shape, values) of a file, as numpy's description of the format has it."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    size, = struct.unpack("<H", data[8:10])
    assert (10 + size) % 64 == 0 and data[9 + size:10 + size] == b"\n"
    header = ast.literal_eval(data[10:10 + size].decode("ascii"))
    assert sorted(header) == ["descr", "fortran_order", "shape"] and header["fortran_order"] is False
    count = 1
    for dim in header["shape"]:
        count *= dim
    values = struct.unpack("<%d%s" % (count, LETTERS[header["descr"][1:]]), data[10 + size:])
    return header["descr"], header["shape"], values


class CompareCase(test_tool.ToolCase):
    def run_with(self, name, data):
        return self.outputs(METER, "--input", self.file(name, data))


class Npy(CompareCase):
    SHAPE = (1, 32, 20, 1)

    def test_an_array_of_the_inputs_type_and_shape_gives_the_golden(self):
        for sample in range(6):
            for name, version in (("a.npy", (1, 0)), ("a.NPY", (2, 0)), ("b.npy", (3, 0))):
                data = npy(("|i1", self.SHAPE), self.golden("input", sample), version)
                self.assertEqual(self.run_with(name, data), self.golden("expected", sample))

    def test_headers_may_be_written_in_any_way_that_python_reads(self):
        data = self.golden("input", 0)
        for header in ("{'descr':'<i1','fortran_order':False,'shape':(1,32,20,1)}",
                       '{"shape": (1, 32, 20, 1,), "fortran_order": False, "descr": "|i1"}',
                       "{ 'fortran_order' : False , 'shape' : ( 1 , 32,20 ,1 ) , 'descr' : '>i1' , }"):
            self.assertEqual(self.run_with("a.npy", npy(header, data)), self.golden("expected", 0), header)

    def test_an_output_is_an_array_that_numpy_reads(self):
        out = self.path("out.npy")
        self.succeeds("run", METER, "--input", self.input, "--output", out)
        descr, shape, values = read_npy(contents(out))
        self.assertEqual((descr, shape), ("|i1", (1, 10)))
        self.assertEqual(struct.pack("10b", *values), self.golden("expected", 0))
        self.assertEqual(os.listdir(self.folder), ["out.npy"])

    def test_what_does_not_fit_the_tensor_is_said(self):
        data = self.golden("input", 0)
        for pattern, array in (
                (r"holds int8 32x20, the tensor is int8 1x32x20x1", npy(("|i1", (32, 20)), data)),
                (r"holds int8 1x20x32x1, the tensor is int8 1x32x20x1", npy(("|i1", (1, 20, 32, 1)), data)),
                (r"holds uint8 1x32x20x1, the tensor is int8", npy(("|u1", self.SHAPE), data)),
                (r"holds bool 1x32x20x1, the tensor is int8", npy(("|b1", self.SHAPE), data)),
                (r"holds float32 1x32x20x1, the tensor is int8", npy(("<f4", self.SHAPE), data * 4)),
                (r"holds float16 .*", npy(("<f2", self.SHAPE), data * 2)),
                (r"holds int64 .*", npy(("<i8", self.SHAPE), data * 8)),
                (r"holds int8 scalar, the tensor", npy(("|i1", ()), data[:1])),
                (r"holds int8 640, the tensor", npy(("|i1", (640,)), data)),
                (r"its elements are big-endian \(>f4\)", npy((">f4", self.SHAPE), data * 4)),
                (r"elements of type '<c8' are not taken", npy(("<c8", self.SHAPE), data * 8)),
                (r"elements of type '\|O' are not taken", npy(("|O", self.SHAPE), data)),
                (r"is in Fortran's order", npy("{'descr': '|i1', 'fortran_order': True, 'shape': (1, 32, 20, 1), }",
                                               data)),
                (r"holds records of several fields",
                 npy("{'descr': [('a', '|i1')], 'fortran_order': False, 'shape': (1, 32, 20, 1), }", data)),
                (r"the elements end after 639 of 640 bytes", npy(("|i1", self.SHAPE), data[:-1])),
                (r"the elements end after 0 of 640 bytes", npy(("|i1", self.SHAPE))),
                (r"more data follows the elements", npy(("|i1", self.SHAPE), data + b"\0")),
                (r"is a .npy file of version 4\.0", npy(("|i1", self.SHAPE), data, (4, 0))),
                (r"is a .npy file of version 1\.1", npy(("|i1", self.SHAPE), data, (1, 1))),
                (r"is no .npy file of numpy", data),
                (r"is no .npy file of numpy", b""),
                (r"is no .npy file of numpy", b"\x93NUMPY\x01"),
                (r"the header of the \.npy file is damaged", b"\x93NUMPY\x01\x00\x10"),
                (r"the header of the \.npy file is cut off", b"\x93NUMPY\x01\x00\x10\x00{"),
                (r"the header of the \.npy file is damaged", npy(("|i1", self.SHAPE), data, (2, 0), 0xffffffff)),
                (r"the header of the \.npy file is cut off", npy(("|i1", self.SHAPE), b"", (2, 0), 65535))):
            with self.subTest(pattern=pattern):
                path = self.file("a.npy", array)
                self.fails(3, r"\S+a\.npy: " + pattern, "run", METER, "--input", path)

    def test_hostile_headers_are_damaged_ones(self):
        for header in ("", "{", "{}", "{'descr': '|i1'}", "['descr']", "{'descr': '|i1', 'shape': (1,)}",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 32, 20, 1), } x",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 32, 20, 1), 'descr': '|i1', }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 32, 20, 1), 'more': '|i1', }",
                       "{'descr': '|i1', 'fortran_order': Fals, 'shape': (1, 32, 20, 1), }",
                       "{'descr': '|i1', 'fortran_order': 0, 'shape': (1, 32, 20, 1), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (1, -32, 20, 1), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (1 32 20 1), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (640), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (,), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': 640, }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (2147483648,), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999999999999999999,), }",
                       "{'descr': '|i1', 'fortran_order': False, 'shape': (%s), }" % ("1," * 11),
                       "{'descr': '|i1' 'fortran_order': False, 'shape': (1, 32, 20, 1), }",
                       "{'%s': '|i1', 'fortran_order': False, 'shape': (1, 32, 20, 1), }" % ("d" * 5000)):
            with self.subTest(header=header[:70]):
                path = self.file("a.npy", npy(header, self.golden("input", 0)))
                self.fails(3, r"\S+a\.npy: the header of the \.npy file is damaged", "run", METER, "--input", path)
        path = self.file("a.npy", npy(("<f8", (2147483647,) * 9)))
        self.fails(3, r"\S+a\.npy: holds float64 2147483647x", "run", METER, "--input", path)

    def test_any_change_of_a_header_is_refused_or_means_the_same(self):
        array = npy(("|i1", self.SHAPE), self.golden("input", 0))
        rng = random.Random(20240301)
        for _ in range(60):
            at, to = rng.randrange(128), rng.randrange(256)
            done = test_tool.tool("run", METER, "--output", self.path("out"), "--input",
                                  self.file("a.npy", array[:at] + bytes([to]) + array[at + 1:]))
            self.assertIn(done.returncode, (0, 3), (at, to, done.stderr))
            if done.returncode == 0:
                self.assertEqual(contents(self.path("out")), self.golden("expected", 0), (at, to))


class Expect(CompareCase):
    def setUp(self):
        super().setUp()
        self.got = self.golden("expected", 0)
        self.values = struct.unpack("10b", self.got)

    def compared(self, code, expected, *more):
        done = test_tool.tool("run", METER, "--input", self.input, "--json", "--expect",
                              self.file("want.bin", struct.pack("10b", *expected)), *more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), code)
        result, = json.loads(done.stdout)["compared"]
        return result

    def test_the_golden_is_equal(self):
        self.assertEqual(self.compared(0, self.values),
                         {"file": self.path("want.bin"), "equal": True, "elements": 10, "differing": 0, "beyond": 0,
                          "tolerance": 0, "max_error": 0, "at": [0, 0], "expected": self.values[0],
                          "got": self.values[0], "cosine": 1})

    def test_every_figure_is_that_of_the_elements(self):
        rng = random.Random(20240302)
        for tolerance in (0, 1, 2.5, 40):
            want = [max(-128, min(127, v + rng.choice((0, 0, 0, 1, -1, 2, 3, -41)))) for v in self.values]
            errors = [abs(a - b) for a, b in zip(want, self.values)]
            worst = errors.index(max(errors))
            cosine = sum(a * b for a, b in zip(want, self.values)) / math.sqrt(
                sum(a * a for a in want) * sum(b * b for b in self.values))
            beyond = sum(e > tolerance for e in errors)
            result = self.compared(1 if beyond else 0, want, "--tolerance", str(tolerance))
            self.assertAlmostEqual(result.pop("cosine"), cosine, places=9)
            self.assertEqual(result, {
                "file": self.path("want.bin"), "equal": beyond == 0, "elements": 10, "beyond": beyond,
                "differing": sum(e > 0 for e in errors), "tolerance": tolerance, "max_error": max(errors),
                "at": [0, worst], "expected": want[worst], "got": self.values[worst]})

    def test_the_exit_code_is_1_just_beyond_the_tolerance_and_the_sentence_says_where(self):
        want = list(self.values)
        want[7] += 3
        path = self.file("want.bin", struct.pack("10b", *want))
        for tolerance, code in (("3", 0), ("2.999", 1), ("1e1", 0)):
            done = test_tool.tool("run", METER, "--input", self.input, "--expect", path, "--tolerance", tolerance)
            self.assertEqual(done.returncode, code, tolerance)
            self.assertRegex(done.stdout.decode(), r"(?m)^  output 0 +3 +%s +%d +%d +0,7 +1 of 10 +\d\.\d+$" % (
                "%g" % float(tolerance), want[7], self.values[7]))
            if code == 1:
                self.assertEqual(done.stderr.decode(), "nnrt: output 0: 1 of 10 elements differ from %s by more than "
                                 "2.999, at most by 3\n" % path)

    def test_an_array_of_numpys_is_expected_with_its_type_and_shape(self):
        for pattern, array in ((None, npy(("|i1", (1, 10)), self.got)),
                               (r"holds int8 10, the tensor is int8 1x10", npy(("|i1", (10,)), self.got)),
                               (r"holds float32 1x10, the tensor is int8", npy(("<f4", (1, 10)), self.got * 4))):
            arguments = ("run", METER, "--input", self.input, "--expect", self.file("want.npy", array))
            if pattern is None:
                self.assertIn("0 of 10", self.succeeds(*arguments))
            else:
                self.fails(3, r"\S+want\.npy: " + pattern, *arguments)

    def test_what_was_written_is_equal_to_what_comes_out(self):
        for name in ("out.npy", "out.bin"):
            self.succeeds("run", METER, "--input", self.input, "--output", self.path(name))
            self.succeeds("run", METER, "--input", self.input, "--expect", self.path(name))

    def test_files_and_numbers_that_do_not_fit_are_refused(self):
        self.fails(3, r"\S+: has 9 bytes, the output needs 10", "run", METER, "--input", self.input, "--expect",
                   self.file("want.bin", self.got[:9]))
        self.fails(2, r"run: the model has 1 output\(s\), --expect names 2 file\(s\)", "run", METER, "--input",
                   self.input, "--expect", self.path("a"), self.path("b"))
        for wrong in ("", "-1", "nan", "inf", "1x", " 1", "1e999"):
            self.fails(2, r"run: --tolerance wants a number from 0 on", "run", METER, "--input", self.input,
                       "--tolerance", wrong)

    def test_floats_may_differ_by_a_little_of_the_largest_number(self):
        values = [-1000.0] + [i / 4.0 for i in range(31)]
        inputs = self.file("in.bin", struct.pack("<32f", *values))
        for error, code in ((0.0, 0), (0.0099, 0), (0.0102, 1)):
            want = self.file("want.bin", struct.pack("<32f", *([1000.0] + values[1:5] + [values[5] + error] +
                                                               values[6:])))
            done = test_tool.tool("run", ABS, "--input", inputs, "--expect", want)
            self.assertEqual(done.returncode, code, (error, done.stderr))
        for word in (float("nan"), float("inf")):
            want = self.file("want.bin", struct.pack("<32f", 1000.0, word, *values[2:]))
            done = test_tool.tool("run", ABS, "--input", inputs, "--expect", want, "--json", "--tolerance", "1000")
            result, = json.loads(done.stdout)["compared"]
            self.assertEqual((done.returncode, result["max_error"], result["expected"], result["got"], result["at"],
                              result["beyond"]), (1, None, None, 0, [0, 0, 0, 1], 1))
            same = self.file("same.bin", struct.pack("<32f", -1000.0, word, *values[2:]))
            self.assertIn(" 0 of 32", self.succeeds("run", ABS, "--input", same, "--expect", want))


class Dump(CompareCase):
    FIELDS = {"file", "why", "role", "step", "index", "name", "operator", "fused", "type", "shape", "layout", "scale",
              "zero_point"}

    def dump(self, name, model, *options):
        """The tensors of the index, each with its "values" where it has a file."""
        folder = self.path(name)
        self.assertEqual(self.succeeds("run", model, "--dump", folder, *options), "")
        with open(os.path.join(folder, "index.json")) as f:
            document = json.load(f)
        self.assertEqual((document["schema"], document["command"], document["model"]), ("nnrt/1", "dump", model))
        for tensor in document["tensors"]:
            self.assertEqual(set(tensor), self.FIELDS)
            self.assertEqual(tensor["file"] is None, tensor["why"] is not None)
            if tensor["file"] is not None:
                descr, shape, tensor["values"] = read_npy(contents(os.path.join(folder, tensor["file"])))
                self.assertEqual(list(shape), tensor["shape"])
                self.assertEqual({"|i1": "int8", "<f4": "float32"}[descr], tensor["type"])
        files = {tensor["file"] for tensor in document["tensors"] if tensor["file"]} | {"index.json"}
        self.assertLessEqual(files, set(os.listdir(folder)))
        return document["tensors"]

    def test_inputs_outputs_and_every_step_are_there(self):
        tensors = self.dump("d", METER, "--input", self.input)
        steps = [t for t in tensors if t["role"] == "step"]
        inspected = json.loads(self.succeeds("inspect", METER, "--json"))["steps"]
        self.assertEqual([(t["step"], t["operator"], t["shape"], t["scale"], t["fused"]) for t in steps],
                         [(i, s["operator"], s["shape"], s["scale"], s["fused"]) for i, s in enumerate(inspected)])
        self.assertEqual([t["role"] for t in tensors[:3]], ["input", "output", "step"])
        for tensor, golden in ((tensors[0], self.golden("input", 0)), (tensors[1], self.golden("expected", 0)),
                               (steps[-1], self.golden("expected", 0))):
            self.assertEqual(struct.pack("%db" % len(golden), *tensor["values"]), golden)

    def test_a_pooling_step_holds_the_largest_of_what_the_step_before_it_holds(self):
        steps = [t for t in self.dump("d", METER, "--input", self.input) if t["role"] == "step"]
        for before, after in ((steps[0], steps[1]), (steps[3], steps[4])):
            self.assertEqual(after["operator"], "MAX_POOL")
            _, height, width, channels = after["shape"]
            got = before["values"]

            def at(y, x, c):
                return got[(y * before["shape"][2] + x) * channels + c]

            self.assertEqual(after["values"], tuple(
                max(at(2 * y + dy, 2 * x + dx, c) for dy in (0, 1) for dx in (0, 1))
                for y in range(height) for x in range(width) for c in range(channels)))
            self.assertGreater(len(set(got)), 20)

    def test_instruction_sets_and_threads_and_small_arenas_compute_the_same(self):
        first = self.dump("a", METER, "--input", self.input)
        for options in (("--isa", "scalar"), ("--threads", "3"), ("--performance", "low"),
                        ("--config", "nnrt.stripes=100")):
            self.assertEqual(self.dump("b", METER, "--input", self.input, *options), first, options)

    def test_what_is_fused_has_its_own_tensors_without_passes(self):
        tensors = self.dump("d", METER, "--input", self.input, "--config", "nnrt.passes=none")
        self.assertEqual({tuple(t["fused"]) for t in tensors}, {(), ("RELU",)})
        self.assertGreater(len(tensors), len(self.dump("e", METER, "--input", self.input)))
        self.assertEqual(struct.pack("10b", *tensors[1]["values"]), self.golden("expected", 0))

    def test_of_a_plan_what_is_gone_is_said_to_be(self):
        plan, kept = self.path("plan"), self.path("kept")
        self.succeeds("compile", METER, "-o", plan)
        self.succeeds("compile", METER, "-o", kept, "--config", "nnrt.keep=1")
        whole = self.dump("a", METER, "--input", self.input)
        self.assertEqual(self.dump("b", kept, "--input", self.input), whole)
        part = self.dump("c", plan, "--input", self.input)
        gone = [t["step"] for t in part if t["file"] is None]
        self.assertGreater(len(gone), 3)
        for a, b in zip(whole, part):
            if b["file"] is None:
                self.assertIn("nnrt.keep", b["why"])
            else:
                self.assertEqual(a, b)

    def test_floats_of_any_rank_can_be_dumped_and_read_again(self):
        inputs = self.file("in.bin", struct.pack("<32f", *[i - 7.5 for i in range(32)]))
        tensors = self.dump("d", ABS, "--input", inputs)
        self.assertEqual(tensors[1]["values"], tuple(abs(i - 7.5) for i in range(32)))
        self.succeeds("run", ABS, "--input", self.path("d/input0.npy"), "--expect", self.path("d/output0.npy"))

    def test_a_folder_that_cannot_be_written_is_named(self):
        for folder in (self.path("no/where"), self.input, "/proc/nnrt"):
            self.fails(3, r"\S+: cannot be written: ", "run", METER, "--input", self.input, "--dump", folder)


class Diff(CompareCase):
    """The faults are planted into what a dump has of a step; test_diff_cause.c has the same of many shapes."""

    def setUp(self):
        super().setUp()
        self.folder_a, self.folder_b = self.path("a"), self.path("b")
        for folder in (self.folder_a, self.folder_b):
            self.succeeds("run", METER, "--input", self.input, "--dump", folder)
        with open(os.path.join(self.folder_a, "index.json")) as f:
            self.tensors = json.load(f)["tensors"]

    def diff(self, code, a, b, *options):
        done = test_tool.tool("diff", a, b, "--json", *options)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (code, code), done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(json_page.mistakes(document), [])
        return document

    def plant(self, name, change):
        """Changes the values of one file of the second dump; change(values, shape) gives the new ones."""
        path = os.path.join(self.folder_b, name)
        descr, shape, values = read_npy(contents(path))
        with open(path, "wb") as f:
            f.write(npy((descr, shape), struct.pack("%d%s" % (len(values), LETTERS[descr[1:]]),
                                                    *change(values, shape))))

    def test_a_model_is_equal_to_itself_its_plan_its_dump_and_its_scalar_kernels(self):
        plan = self.path("plan")
        self.succeeds("compile", METER, "-o", plan, "--config", "nnrt.keep=1")
        for a, b, options in ((METER, METER, ("--config-b", "nnrt.isa=scalar")), (METER, plan, ()),
                              (METER, self.folder_a, ()), (self.folder_a, METER, ()), (plan, self.folder_b, ()),
                              (self.folder_a, self.folder_b, ()), (METER, METER, ("--input", self.input))):
            document = self.diff(0, a, b, *options)
            self.assertEqual((document["first"], len(document["differences"]), document["alone_a"]), (None, 10, 0))
            self.assertEqual({d["differing"] for d in document["differences"]}, {0})
            self.assertEqual({d["cosine"] for d in document["differences"]}, {1})
        self.assertIn("10", self.succeeds("diff", METER, METER))

    def test_each_planted_fault_is_named_and_so_is_the_first_step_that_has_it(self):
        def nchw(values, shape):
            _, h, w, c = shape
            return [values[(y * w + x) * c + k] for k in range(c) for y in range(h) for x in range(w)]

        def padded(values, shape):
            row = shape[2] * shape[3]
            rows = [list(values[i:i + row]) + [0] * (96 - row) for i in range(0, len(values), row)]
            return [v for r in rows for v in r][:len(values)]

        def clip(low, high, values):
            return [max(low, min(high, v)) for v in values]

        for cause, words, change in (
                ("layout", "as NCHW where A has NHWC", nchw),
                ("stride", "rows of 80 elements (axes 2 and on) lie 96 apart in B", padded),
                ("zero point", "+7 steps", lambda v, s: clip(-128, 127, [x + 7 for x in v])),
                ("scale", "A times 0.50", lambda v, s: [(x + 129) // 2 - 128 for x in v]),
                ("saturation", "cut off to 0..", lambda v, s: clip(-128, -40, v)),
                ("channels", "axis 3 in the opposite order", lambda v, s: [v[i // 8 * 8 + 7 - i % 8]
                                                                           for i in range(len(v))]),
                ("rounding", "more than one step", lambda v, s: [min(127, x + i % 2) for i, x in enumerate(v)]),
                ("unknown", "none of the usual", lambda v, s: random.Random(5).sample(v, len(v)))):
            with self.subTest(cause=cause):
                shutil.copy(os.path.join(self.folder_a, "step002.npy"), self.folder_b)
                self.plant("step002.npy", change)
                document = self.diff(0, self.folder_a, self.folder_b)  # no output differs
                first = document["differences"][document["first"]]
                self.assertEqual((first["step"], first["operator"], first["cause"]),
                                 (2, "DEPTHWISE_CONV2D_NATIVE", cause), first["guess"])
                self.assertIn(words, first["guess"])
                text = self.succeeds("diff", self.folder_a, self.folder_b)
                self.assertRegex(text, r"first that differs\n  step 2  2_depthwise_conv_2d  " +
                                 re.escape(first["guess"]))

    def test_figures_are_of_real_values(self):
        self.plant("step003.npy", lambda v, s: list(v[:100]) + [v[100] + (5 if v[100] < 100 else -5)] + list(v[101:]))
        tensor = next(t for t in self.tensors if t["file"] == "step003.npy")
        d = self.diff(0, self.folder_a, self.folder_b)["differences"][3]
        self.assertAlmostEqual(d["max_error"], 5 * tensor["scale"])
        self.assertEqual((d["differing"], d["at"]), (1, [0, 0, 4, 4]))
        self.assertEqual(self.diff(0, self.folder_a, self.folder_b, "--tolerance", "%.9g" % (5.1 * tensor["scale"]))
                         ["first"], None)

    def test_an_output_that_differs_is_exit_code_1(self):
        self.plant("output0.npy", lambda v, s: [x ^ 1 for x in v])
        document = self.diff(1, self.folder_a, self.folder_b)
        self.assertEqual(document["differences"][document["first"]]["role"], "output")
        self.assertEqual(document["differences"][-1]["cause"], "rounding")
        done = test_tool.tool("diff", METER, self.folder_b)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rb"\Annrt: .*: 1 output\(s\) differ\n\Z")
        self.assertIn(b"outputs that differ\n  output 0  digit  rounding", done.stdout)

    def test_another_model_differs_in_shape(self):
        done = test_tool.tool("diff", ABS, METER)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rb"input 0 of .* has another number of elements")
        floats = self.path("floats")
        self.succeeds("run", ABS, "--input", self.file("in", bytes(128)), "--dump", floats)
        self.assertFalse(self.diff(1, floats, self.folder_a)["differences"][-1]["comparable"])

    def test_damaged_dumps_are_refused(self):
        index = os.path.join(self.folder_b, "index.json")
        text = contents(index)
        for pattern, data in ((r"the JSON is damaged", b""), (r"the JSON is damaged", text[:-20]),
                              (r"the JSON is damaged", text + b"x"), (r"the JSON is damaged", b"[" * 100000),
                              (r"it is too long, or no text", text + b"\0"),
                              (r"nnrt run --dump writes one", b"{}"), (r"nnrt run --dump writes one", b"[]"),
                              (r"nnrt run --dump writes one", b'{"command": "dump", "tensors": 3}'),
                              (r"a tensor lacks role, name or shape", b'{"command": "dump", "tensors": [3]}'),
                              (r"a tensor lacks", text.replace(b"[1, 10]", b"[1, -10]")),
                              (r"a tensor lacks", text.replace(b"[1, 10]", b"[1, 1e99]")),
                              (r"a tensor lacks", text.replace(b'"step", "step": 3', b'"stop", "step": 3')),
                              (r"a file of it is not in its folder", text.replace(b"step003.npy", b"../a/step003.npy")),
                              (r"a file of it is not in its folder", text.replace(b"step003.npy", b"/etc/passwd"))):
            with self.subTest(data=data[:40]):
                with open(index, "wb") as f:
                    f.write(data)
                self.fails(3, r"\S+index\.json: is no index of a dump: " + pattern, "diff", self.folder_a,
                           self.folder_b)
        for pattern, data in ((r"step003\.npy: its type or shape is not what index\.json says",
                               text.replace(b"[1, 16, 10, 24]", b"[1, 16, 10, 25]")),
                              (r"step003\.npy: its type or shape",
                               text.replace(b'"int8", "shape": [1, 16, 10, 24]', b'"uint8", "shape": [1, 16, 10, 24]')),
                              (r"nothing\.npy: cannot be read: No such file", text.replace(b"step003", b"nothing"))):
            with open(index, "wb") as f:
                f.write(data)
            self.fails(3, r"\S+" + pattern, "diff", self.folder_a, self.folder_b)
        with open(index, "wb") as f:
            f.write(text)
        step = os.path.join(self.folder_b, "step003.npy")
        with open(step, "r+b") as f:
            f.truncate(os.path.getsize(step) - 1)
        self.fails(3, r"\S+step003\.npy: the elements end after 3839 of 3840", "diff", self.folder_a, self.folder_b)
        huge = b'"int8", "shape": [2147483647, 2147483647, 1, 24]'
        with open(index, "wb") as f:
            f.write(text.replace(b'"int8", "shape": [1, 16, 10, 24]', huge))
        self.file("b/step003.npy", npy(("|i1", (2147483647, 2147483647, 1, 24))))
        self.fails(3, r"\S+step003\.npy: ", "diff", self.folder_a, self.folder_b)

    def test_wrong_usage_is_said(self):
        self.fails(2, r"diff: B is missing", "diff", METER)
        self.fails(2, r"diff: --input is for models, and both are dumps", "diff", self.folder_a, self.folder_b,
                   "--input", self.input)
        self.fails(2, r"diff: the model has 1 input\(s\), --input names 2 file\(s\)", "diff", METER, METER, "--input",
                   self.input, self.input)
        self.fails(3, r"\S+: is no index of a dump|\S+index.json: cannot be read", "diff", METER, self.folder)

    def test_a_float_model_and_its_quantized_one_get_the_same_real_inputs(self):
        if not os.path.isdir(test_tool.SHARED):
            self.skipTest("skipped, no models")
        pair = [os.path.join(test_tool.SHARED, name, name + ".tflite") for name in ("vww_96_float", "vww_96_int8")]
        for a, b in (pair, pair[::-1]):
            document = self.diff(0, a, b, "--tolerance", "0.2")
            self.assertGreater(len(document["differences"]), 20)
            for d in document["differences"]:
                self.assertGreater(d["cosine"], 0.9, d["name"])


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
