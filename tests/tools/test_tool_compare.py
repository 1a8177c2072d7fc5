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
import shlex
import struct
import sys
import unittest

import test_tool
from test_tool import METER, contents

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


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
