#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line tool as its users meet it: every command, every exit code with its message, files left whole.

    make tool && python3 tests/tools/test_tool.py

NNRT_TOOL names another program to test, with words before it if need be: NNRT_TOOL="qemu-arm build/nnrt-armv7".
The trained models of ../shared/models are tried when they are there."""

import json
import os
import random
import re
import resource
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(ROOT, "build", "nnrt")))
METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
GOLDEN = os.path.join(ROOT, "examples", "meter", "golden")
SHARED = os.path.join(ROOT, "..", "shared", "models")
HEIGHT, WIDTH = 32, 20  # of the meter's input; int8, scale 1/255, zero point -128
COMMANDS = ("devices", "inspect", "run", "bench", "compile")
# Largest absolute difference of float models; integer models have to be equal.
TOLERANCE = {"ad01_fp32": 2e-4, "kws_ref_model_float32": 2e-3}


def tool(*arguments, **more):
    environment = dict(os.environ)
    environment.update(more.pop("environment", {}))
    return subprocess.run(TOOL + list(arguments), stdin=subprocess.DEVNULL, stdout=more.pop("stdout", subprocess.PIPE),
                          stderr=subprocess.PIPE, timeout=more.pop("timeout", 300), env=environment, **more)


def contents(path):
    with open(path, "rb") as f:
        return f.read()


class ToolCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.input = os.path.join(GOLDEN, "input0.bin")

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def succeeds(self, *arguments, **more):
        """What a command prints; it must end with 0 and say nothing on stderr."""
        done = tool(*arguments, **more)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), arguments)
        return done.stdout.decode()

    def fails(self, code, pattern, *arguments, **more):
        """The exit code, one line "nnrt: ..." that matches, nothing on stdout but what a file tells of itself."""
        done = tool(*arguments, **more)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, code, "%s: %s" % (arguments, message))
        self.assertRegex(message, r"\Annrt: " + pattern)
        if code != 2:  # wrong usage may add the synopsis
            self.assertEqual(message.count("\n"), 1, message)
        if done.stdout is not None:
            told = rb"(file\n(  .*\n)+\n)?\Z" if arguments[0] == "inspect" else rb"\Z"
            self.assertRegex(done.stdout, rb"\A" + told, arguments)

    def outputs(self, *arguments):
        """The bytes that `run` writes."""
        out = self.path("out.bin")
        self.succeeds("run", *arguments, "--output", out)
        data = contents(out)
        os.remove(out)
        return data

    def golden(self, kind, sample):
        return contents(os.path.join(GOLDEN, "%s%d.bin" % (kind, sample)))

    def picture(self, sample=0):
        """The pixels of a golden input."""
        return bytes((b + 128) & 255 for b in self.golden("input", sample))


class Help(ToolCase):
    def test_help_lists_every_command_and_each_has_its_own(self):
        for call in (("--help",), ("-h",), ("help",)):
            text = self.succeeds(*call)
            for command in COMMANDS:
                self.assertIn("nnrt " + command, text)
        for command in COMMANDS:
            text = self.succeeds("help", command)
            self.assertTrue(text.startswith("usage: nnrt " + command), text)
            self.assertEqual(text, self.succeeds(command, "--help"))

    def test_version_is_one_line_that_begins_with_the_number(self):
        self.assertRegex(self.succeeds("--version"), r"\Annrt \d+\.\d+\.\d+[^\n]*\n\Z")

    def test_a_bare_call_prints_the_help_as_an_error(self):
        done = tool()
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"nnrt run MODEL", done.stderr)


class WrongUsage(ToolCase):
    def test_each_mistake_is_named(self):
        for pattern, arguments in (
                (r"there is no command frobnicate", ("frobnicate",)),
                (r"help: there is no command frobnicate", ("help", "frobnicate")),
                (r"devices: one argument too many: x", ("devices", "x")),
                (r"inspect: MODEL is missing", ("inspect",)),
                (r"inspect: one argument too many: b", ("inspect", "a", "b")),
                (r"there is no command inpsect; did you mean inspect\?", ("inpsect", METER)),
                (r"there is no command warp; see: nnrt help", ("warp", METER)),
                (r"inspect: --runs is an option of nnrt bench", ("inspect", METER, "--runs", "1")),
                (r"compile: --json is an option of nnrt devices", ("compile", METER, "--json")),
                (r"bench: unknown option --thread; did you mean --threads\?", ("bench", METER, "--thread", "2")),
                (r"bench: unknown option --thraeds=2; did you mean --threads\?", ("bench", METER, "--thraeds=2")),
                (r"bench: unknown option --zebra\n", ("bench", METER, "--zebra")),
                (r"bench: --threads and --config nnrt\.threads say the same",
                 ("bench", METER, "--threads", "2", "--config", "nnrt.threads=2")),
                (r"--target cortex-m7f: there is no such target; take cortex-m4",
                 ("inspect", METER, "--target", "cortex-m7f")),
                (r"--target armv7e-m: .*; take cortex-m4", ("inspect", METER, "--target", "armv7e-m")),
                (r"--target armv7-neon: .*; take neon", ("inspect", METER, "--target", "armv7-neon")),
                (r"--target cortex-a55: .*; take armv8-dot", ("inspect", METER, "--target", "cortex-a55")),
                (r"--target avx: .*; take avx2", ("inspect", METER, "--target", "avx")),
                (r"--target 6502: there is no such target; nnrt compile --target \? lists",
                 ("inspect", METER, "--target", "6502")),
                (r"run: --input needs a value", ("run", METER, "--input")),
                (r"run: --input needs a value", ("run", METER, "--input", "--top", "1")),
                (r"run: --top wants a number from 1 to 1000, not \"0\"", ("run", METER, "--top", "0")),
                (r"run: --image-range wants 0\.\.1", ("run", METER, "--image-range", "0..2")),
                (r"run: the model has 1 input\(s\), --input names 0", ("run", METER)),
                (r"run: the model has 1 input\(s\), --input names 2", ("run", METER, "--input", "a", "b")),
                (r"run: the model has 1 output\(s\), --output names 2",
                 ("run", METER, "--input", self.input, "--output", "a", "b")),
                (r"bench: --runs wants a number", ("bench", METER, "--runs", "0")),
                (r"bench: --runs wants a number", ("bench", METER, "--runs", "99999999999999999999999")),
                (r"bench: --runs wants a number", ("bench", METER, "--runs", "5x")),
                (r"bench: --seconds wants a number from 1 to 86400", ("bench", METER, "--seconds", "0")),
                (r"bench: --json and --trace - both want standard output", ("bench", METER, "--json", "--trace", "-")),
                (r"bench: --warmup wants a number", ("bench", METER, "--warmup", "-1")),
                (r"bench: --threads wants a number", ("bench", METER, "--threads", "many")),
                (r"bench: --threads wants a number from 1 to 64, not \"65\"", ("bench", METER, "--threads", "65")),
                (r"bench: --threads wants a number from 1 to 64, not \"0\"", ("bench", METER, "--threads", "0")),
                (r"bench: --performance wants low", ("bench", METER, "--performance", "turbo")),
                (r"bench: --profile takes no value", ("bench", METER, "--profile=1")),
                (r"bench: --shape wants INDEX", ("bench", METER, "--shape", "1x2")),
                (r"bench: --shape wants INDEX", ("bench", METER, "--shape", "0=1x0x3")),
                (r"bench: --shape wants INDEX", ("bench", METER, "--shape", "0=1x2147483648")),
                (r"bench: --shape wants INDEX", ("bench", METER, "--shape", "0=1x2x")),
                (r"bench: --shape wants INDEX", ("bench", METER, "--shape", "0=1x1x1x1x1x1x1x1x1x1x1")),
                (r"--shape 0=1x32x21x1: the model has 1x32x20x1", ("bench", METER, "--shape", "0=1x32x21x1")),
                (r"--shape 1=\.\.\.: the model has 1 input", ("bench", METER, "--shape", "1=1x32x20x1")),
                (r"--device warp: no such device", ("inspect", METER, "--device", "warp")),
                (r"compile: -o PLAN is missing", ("compile", METER)),
                (r"compile: -o needs a value", ("compile", METER, "-o"))):
            with self.subTest(arguments=arguments):
                self.fails(2, pattern, *arguments)

    def test_control_characters_of_arguments_are_not_printed(self):
        done = tool("\x1b[31mred")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn(b"\x1b", done.stderr)


class Devices(ToolCase):
    def test_the_first_device_is_the_default_and_one_is_the_cpu(self):
        lines = self.succeeds("devices").split("\n\n")[0].splitlines()
        self.assertEqual(lines[0].split(), ["id", "name", "type"])
        self.assertEqual([line.split()[-1] == "default" for line in lines[1:]], [True] + [False] * (len(lines) - 2))
        self.assertTrue(any(re.match(r" *\d+ +cpu_nnrt_\S+ +CPU\b", line) for line in lines[1:]), lines)

    def test_a_device_may_be_named_whole_or_by_its_beginning(self):
        name = re.search(r"cpu_nnrt_\S+", self.succeeds("devices")).group()
        for given in (name, "cpu"):
            self.assertIn(name, self.succeeds("inspect", METER, "--device", given))


class Formats(ToolCase):
    def test_a_file_that_no_device_knows_is_refused_with_what_the_build_has(self):
        version = self.succeeds("--version").strip()
        model = self.file("model.onnx", b"\x08\x07ONNX of some kind, which is nobody's")
        pattern = re.escape(model) + r": no device of this build knows the format: it begins with the bytes " \
            r"08074f4e, as no model that nnrt knows; this is " + re.escape(version) + \
            r", .*NNRT_BACKEND_\* \(OH_NN_UNSUPPORTED\)$"
        for arguments in (("inspect", model), ("bench", model), ("run", model, "--input", self.input),
                          ("compile", model, "-o", self.path("plan"))):
            self.fails(1, pattern, *arguments)
        picture = self.file("picture.tflite", b"\x89PNG\r\n\x1a\n")
        self.fails(1, r"\S+: no device .*: it looks like a PNG picture: that is an input, not a model; this is nnrt .*",
                   "bench", picture)
        self.fails(1, re.escape(model) + r": .*neither.*\.tflite.*\(OH_NN_\w+\)$", "inspect", model, "--device", "cpu")

    def test_a_fifo_in_place_of_a_model_is_refused_and_not_waited_for(self):
        os.mkfifo(self.path("fifo"))
        for command in ("inspect", "bench", "compile"):
            self.fails(3, r"\S+fifo: a model has to be a regular file", command, self.path("fifo"),
                       *(["-o", self.path("plan")] if command == "compile" else []), timeout=20)

    def test_a_model_is_a_regular_file(self):
        for command in ("inspect", "bench"):
            self.fails(3, r"/dev/null: a model has to be a regular file", command, "/dev/null")

    def test_inspect_begins_with_what_the_file_tells(self):
        plan = self.path("plan")
        self.succeeds("compile", METER, "-o", plan, "--isa", "scalar", "--threads", "2")
        for model, pattern in ((METER, r"  kind  TensorFlow Lite \.tflite, schema 3\n"),
                               (plan, r"  kind +plan of nnrt, format \d+\n  packed for  scalar\n  threads     2\n")):
            text = self.succeeds("inspect", model, *(("--isa", "scalar") if model == plan else ()))
            self.assertRegex(text, r"\Afile\n" + pattern + r"  size +%d B\n\n  model " % os.path.getsize(model))

    def test_a_damaged_file_of_a_known_format_is_refused(self):
        model = self.file("bad.tflite", b"\xff\xff\xff\xffTFL3" + bytes(100))
        for arguments in (("inspect", model), ("bench", model)):
            self.fails(1, re.escape(model) + r": the \.tflite file is damaged: .*\(OH_NN_INVALID_FILE\)$", *arguments)

    def test_a_config_reaches_the_device(self):
        self.assertIn("RESHAPE", self.succeeds("inspect", METER, "--config", "nnrt.passes=none"))
        self.fails(1, r".*other\.config.*\(OH_NN_\w+\)$", "bench", METER, "--config=other.config=1")
        for value in ("", "=1", "name", "x" * 64 + "=1"):
            self.fails(2, r"inspect: --config wants NAME=VALUE", "inspect", METER, "--config", value)

    def test_the_tool_names_no_vendor(self):
        folder = os.path.join(ROOT, "tools")
        for name in sorted(os.listdir(folder)):
            if os.path.isfile(os.path.join(folder, name)):  # rkchip/ is a chip in software
                self.assertNotRegex(contents(os.path.join(folder, name)).decode().lower(), r"rknn|rknpu|rockchip", name)


class Inspect(ToolCase):
    def test_meter_has_its_input_output_steps_and_memory(self):
        text = self.succeeds("inspect", METER)
        self.assertRegex(text, r"inputs\n +0 +\S+ +int8 +1x32x20x1 +scale 0\.00392\d+, zero point -128 +640 B\n")
        self.assertRegex(text, r"outputs\n +0 +\S+ +int8 +1x10 +scale 0\.0039\d+, zero point -128 +10 B\n")
        for word in ("CONV2D", "FULL_CONNECTION", "SOFTMAX", "per channel"):
            self.assertIn(word, text)
        figures = dict(re.findall(r"^  (arena|scratch|weights|plan|borrowed|heap|build) +(\d+) B", text, re.M))
        self.assertEqual(len(figures), 7)
        self.assertGreater(int(figures["build"]), int(figures["plan"]))
        self.assertGreater(int(figures["arena"]), 0)
        self.assertGreaterEqual(int(figures["arena"]), int(figures["scratch"]))
        self.assertGreaterEqual(int(figures["plan"]), int(figures["weights"]))
        self.assertIn("RAM %d B" % (int(figures["arena"]) + 640 + 10), re.sub(" +", " ", text))

    def test_totals_are_the_sums_of_the_steps(self):
        text = self.succeeds("inspect", METER)
        steps = re.search(r"\nsteps\n.*?\n\n", text, re.S).group()
        rows = [(int(w), int(m)) for w, m in re.findall(r"^ +\d+ .* (\d+) B +(\d+)$", steps, re.M)]
        total = re.search(r"^ +total +(\d+) B +(\d+)$", steps, re.M)
        self.assertGreater(len(rows), 2)
        self.assertEqual(tuple(map(sum, zip(*rows))), tuple(map(int, total.groups())))
        self.assertGreater(int(total.group(2)), 0)

    def test_no_line_ends_in_blanks(self):
        self.assertNotRegex(self.succeeds("inspect", METER), r"(?m)[ \t]$")


class OpenShapes(ToolCase):
    """A .tflite that leaves dimensions open: what it is without --shape, and with it."""

    FLATTEN = os.path.join(ROOT, "tests", "fuzz", "seeds", "tflite", "flatten_open.tflite")  # [1(?), 2, 3] to [1, 6]

    def test_inspect_marks_them_and_tells_the_model_of_another_shape(self):
        text = self.succeeds("inspect", self.FLATTEN)
        self.assertRegex(text, r"\n  0  t0  float32  1\(\?\)x2x3  not quantized +24 B\n")
        self.assertRegex(text, r"\n  0  t7  float32  1x6 ")
        text = self.succeeds("inspect", self.FLATTEN, "--shape", "0=4x2x3")
        self.assertRegex(text, r"\n  0  t0  float32  4\(\?\)x2x3  not quantized +96 B\n")
        self.assertRegex(text, r"\n  0  t7  float32  4x6 ")
        told = json.loads(self.succeeds("inspect", self.FLATTEN, "--json"))
        self.assertEqual((told["inputs"][0]["shape"], told["inputs"][0]["open"]), ([1, 2, 3], [0]))
        self.assertEqual(json.loads(self.succeeds("inspect", METER, "--json"))["inputs"][0]["open"], [])

    def test_runs_and_timings_are_those_of_the_shape(self):
        for rows in (1, 3):
            values = struct.pack("<%df" % (6 * rows), *range(6 * rows))
            shape = ("--shape", "0=%dx2x3" % rows) if rows != 1 else ()
            self.succeeds("run", self.FLATTEN, "--input", self.file("in", values), *shape, "--output",
                          self.path("flat"), "--output", self.path("rows"))
            self.assertEqual(contents(self.path("flat")), values)
            self.assertEqual(contents(self.path("rows")), struct.pack("<i", rows))
        self.succeeds("bench", self.FLATTEN, "--shape", "0=7x2x3", "--runs", "2")

    def test_what_is_fixed_stays(self):
        for shape in ("0=1x2x4", "0=4x2x3x1", "0=4x3x3"):
            done = tool("inspect", self.FLATTEN, "--shape", shape)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"--shape " + shape.encode() + b": the model has 1(?)x2x3 there", done.stderr)


class Run(ToolCase):
    def test_goldens_come_out_byte_for_byte(self):
        for sample in range(6):
            self.assertEqual(self.outputs(METER, "--input", os.path.join(GOLDEN, "input%d.bin" % sample)),
                             self.golden("expected", sample), sample)

    def test_threads_isa_and_performance_change_no_byte(self):
        for options in (("--threads", "2"), ("--threads", "64"), ("--isa", "scalar"), ("--isa=scalar",),
                        ("--performance", "low"),
                        ("--performance", "medium"), ("--performance", "high"), ("--performance", "extreme")):
            with self.subTest(options=options):
                self.assertEqual(self.outputs(METER, "--input", self.input, *options), self.golden("expected", 0))

    def test_without_an_output_file_the_largest_values_are_printed(self):
        stored = struct.unpack("10b", self.golden("expected", 0))
        order = sorted(range(10), key=lambda i: (-stored[i], i))
        for count, options in ((5, ()), (3, ("--top", "3")), (10, ("--top", "1000"))):
            text = self.succeeds("run", METER, "--input", self.input, *options)
            rows = re.findall(r"^ +(\d+) +(\S+) +(-?\d+)$", text, re.M)
            self.assertEqual([(int(c), int(s)) for c, _, s in rows], [(c, stored[c]) for c in order[:count]])
            for c, value, s in rows:
                self.assertAlmostEqual(float(value), (int(s) + 128) / 256.0, places=5)

    def test_output_and_top_can_be_had_together(self):
        out = self.path("out.bin")
        self.assertIn("class", self.succeeds("run", METER, "--input", self.input, "--output", out, "--top", "1"))
        self.assertEqual(contents(out), self.golden("expected", 0))

    def test_a_pipe_can_be_read_and_written(self):
        done = subprocess.run(TOOL + ["run", METER, "--input", "/dev/stdin", "--output", "/dev/stdout"],
                              input=self.golden("input", 0), stdout=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, self.golden("expected", 0)))


class Images(ToolCase):
    def test_a_grey_picture_gives_what_its_pixels_less_128_give(self):
        for sample in range(6):
            path = self.file("a.pgm", b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + self.picture(sample))
            self.assertEqual(self.outputs(METER, "--input", path), self.golden("expected", sample))

    def test_headers_may_hold_comments_and_any_blanks(self):
        for header in (b"P5 20 32 255 ", b"P5\n# drawn\n20 # wide\n\n# high\n32\t\r\n255\n",
                       b"P5#x\n20\n#\n#\n32\n255\n"):
            path = self.file("a.PGM", header + self.picture())
            self.assertEqual(self.outputs(METER, "--input", path), self.golden("expected", 0), header)

    def test_a_colour_picture_is_made_grey(self):
        path = self.file("a.ppm", b"P6 20 32 255\n" + b"".join(bytes((p, p, p)) for p in self.picture()))
        self.assertEqual(self.outputs(METER, "--input", path), self.golden("expected", 0))
        rng = random.Random(20240229)
        colours = bytes(rng.randrange(256) for _ in range(3 * WIDTH * HEIGHT))
        grey = bytes((4899 * colours[i] + 9617 * colours[i + 1] + 1868 * colours[i + 2] + 8192) >> 14
                     for i in range(0, len(colours), 3))
        colour = self.file("b.ppm", b"P6 20 32 255\n" + colours)
        raw = self.file("b.bin", bytes((g - 128) & 255 for g in grey))
        self.assertEqual(self.outputs(METER, "--input", colour), self.outputs(METER, "--input", raw))

    def test_the_range_can_be_chosen(self):
        path = self.file("a.pgm", b"P5 20 32 255\n" + self.picture())
        self.assertEqual(self.outputs(METER, "--input", path, "--image-range", "0..1"), self.golden("expected", 0))
        for option, low in (("-1..1", -1.0), ("0..255", 0.0)):
            reals = [p / 127.5 - 1.0 if low else float(p) for p in self.picture()]
            raw = [max(-128, min(127, int(abs(r) * 255 + 0.5) * (1 if r > 0 else -1) - 128)) for r in reals]
            same = self.file("b.bin", struct.pack("%db" % len(raw), *raw))
            self.assertEqual(self.outputs(METER, "--input", path, "--image-range", option),
                             self.outputs(METER, "--input", same))

    def test_bad_pictures_are_refused_and_the_reason_is_given(self):
        pixels = self.picture()
        for pattern, data in (
                (r"is no (binary PGM|PGM, PPM, PNG)", b""),
                (r"is no binary PGM", b"P2\n20 32\n255\n"),
                (r"the header of the picture is damaged", b"P5"),
                (r"the header of the picture is damaged", b"P5\n20"),
                (r"the header of the picture is damaged", b"P5\n20 32\n255"),
                (r"the header of the picture is damaged", b"P5\n# no end"),
                (r"the header of the picture is damaged", b"P5\n-20 32\n255\n" + pixels),
                (r"the header of the picture is damaged", b"P5\n20 32\n255x" + pixels),
                (r"the header of the picture is damaged", b"P5\n4294967316 32\n255\n" + pixels),
                (r"the header of the picture is damaged", b"P5\n20 99999999999999999999999999\n255\n"),
                (r"the largest pixel value is 65535", b"P5\n20 32\n65535\n" + pixels * 2),
                (r"is 32x20 pixels, the input needs 20x32", b"P5\n32 20\n255\n" + pixels),
                (r"is 0x32 pixels", b"P5\n0 32\n255\n"),
                (r"the picture ends in row 0 of 32", b"P5\n20 32\n255\n"),
                (r"the picture ends in row 31 of 32", b"P5\n20 32\n255\n" + pixels[:-1]),
                (r"the picture ends in row 10 of 32", b"P6\n20 32\n255\n" + pixels),
                (r"more data follows the picture", b"P5\n20 32\n255\n" + pixels + b"\0")):
            with self.subTest(data=data[:24]):
                path = self.file("a.pgm", data)
                self.fails(3, re.escape(path) + ": " + pattern, "run", METER, "--input", path)


class Files(ToolCase):
    def test_what_cannot_be_read_is_named(self):
        nowhere = self.path("nowhere")
        for arguments in (("inspect", nowhere), ("bench", nowhere), ("compile", nowhere, "-o", self.path("p")),
                          ("run", nowhere, "--input", self.input), ("run", METER, "--input", nowhere),
                          ("run", METER, "--input", nowhere + ".pgm")):
            self.fails(3, r"\S+nowhere(\.pgm)?: cannot be read: No such file", *arguments)
            self.fails(3, r"\S+: cannot be read: Is a directory",
                       *[self.folder if "nowhere" in word else word for word in arguments])
        self.assertEqual(os.listdir(self.folder), [])

    def test_inputs_of_the_wrong_size_are_refused(self):
        for size in (0, 1, 639, 641, 5000):
            path = self.file("in.bin", bytes(size))
            self.fails(3, r"\S+: has %d bytes, the input needs 640" % size, "run", METER, "--input", path)

    def test_pipes_of_the_wrong_size_are_refused(self):
        for size, pattern in ((639, b"has 639 bytes"), (641, b"has more than the 640 bytes")):
            done = subprocess.run(TOOL + ["run", METER, "--input", "/dev/stdin"], input=bytes(size),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (3, b""))
            self.assertIn(pattern, done.stderr)

    def test_outputs_that_cannot_be_written_leave_nothing(self):
        for arguments in (("run", METER, "--input", self.input, "--output"), ("compile", METER, "-o")):
            self.fails(3, r"\S+: cannot be written: No such file", *arguments, self.path("no/where"))
            self.fails(3, r"/dev/full: cannot be written: No space left", *arguments, "/dev/full")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_plan_that_does_not_fit_leaves_the_old_file(self):
        path = self.file("plan", b"old")
        self.fails(3, r"\S+: cannot be written: File too large", "compile", METER, "-o", path, restore_signals=False,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual((os.listdir(self.folder), contents(path)), (["plan"], b"old"))

    def test_a_full_standard_output_is_an_error(self):
        with open("/dev/full", "wb") as full:
            self.fails(3, r"standard output: cannot be written: No space left", "devices", stdout=full)


class Refusals(ToolCase):
    def test_what_is_no_model_is_refused_by_the_library(self):
        model = contents(METER)
        for data in (b"", b"x", b"\x1c\0\0\0TFL3", model[:len(model) // 2], bytes(4096)):
            path = self.file("bad.tflite", data)
            for arguments in (("inspect", path), ("bench", path), ("run", path, "--input", self.input),
                              ("compile", path, "-o", self.path("plan"))):
                self.fails(1, re.escape(path) + r": .+ \(OH_NN_[A-Z_]+\)$", *arguments)
        self.assertEqual(os.listdir(self.folder), ["bad.tflite"])

    def test_an_unknown_instruction_set_is_refused(self):
        self.fails(1, r".*\(OH_NN_INVALID_PARAMETER\)$", "inspect", METER, "--isa", "mmx")


class Bench(ToolCase):
    def test_table_has_times_and_memory(self):
        text = self.succeeds("bench", METER, "--runs", "7", "--warmup", "2")
        for name in ("load", "run, min", "run, median", "run, mean", "run, p99"):
            self.assertRegex(text, r"(?m)^  %s +\d+\.\d+ ms" % name)
        self.assertRegex(text, r"7 runs after 2 to warm up")
        for name, unit in (("arena", "B"), ("weights", "B"), ("peak RSS", "KiB")):
            self.assertRegex(text, r"(?m)^  %s +[1-9]\d* %s" % (name, unit))
        self.assertNotIn("steps", text)

    def test_profile_has_one_row_per_step_and_shares_of_a_hundred(self):
        text = self.succeeds("bench", METER, "--runs", "20", "--profile")
        shares = [float(share) for share in re.findall(r" us +(\d+\.\d) %", text)]
        self.assertGreater(len(shares), 2)
        self.assertAlmostEqual(sum(shares), 100.0, delta=0.1 * len(shares))

    def test_times_of_steps_are_those_of_the_timed_runs_and_fit_into_the_run(self):
        # The first run of a process is many times slower than the next, and is no part of what is asked for.
        for _ in range(3):
            told = json.loads(self.succeeds("bench", METER, "--runs", "1", "--warmup", "4", "--profile", "--json"))
            self.assertLessEqual(sum(step["median_us"] for step in told["steps"]), told["run_ms"]["max"] * 1e3)
            for step in told["steps"]:
                self.assertGreaterEqual(step["median_us"], step["min_us"])
            text = self.succeeds("bench", METER, "--runs", "1", "--warmup", "4", "--profile")
            rows = [[float(us) for us in row] for row in re.findall(r"(?m) (\d+\.\d) us +(\d+\.\d) us ", text)]
            self.assertEqual(len(rows), len(told["steps"]))
            longest = float(re.search(r"run, max +(\d+\.\d+) ms", text).group(1)) * 1e3
            self.assertLessEqual(sum(median for _, median in rows), longest + 0.05 * len(rows) + 0.05)
            for least, median in rows:  # of one run
                self.assertEqual(least, median)

    def test_json_is_valid_and_orders_its_times(self):
        for options in ((), ("--profile",)):
            result = json.loads(self.succeeds("bench", METER, "--json", "--runs", "9", *options))
            run = result["run_ms"]
            order = [run[name] for name in ("min", "p50", "p90", "p95", "p99", "max")]
            self.assertEqual(order, sorted(order))
            self.assertTrue(0 < run["min"] <= run["median"] <= run["p99"] and run["min"] <= run["mean"] <= run["max"])
            self.assertTrue(0 <= run["stddev"] <= run["max"] - run["min"] + 1e-6)
            self.assertEqual((result["runs"], result["model"]), (9, METER))
            self.assertGreater(result["memory"]["arena_bytes"], 0)
            self.assertGreater(result["peak_rss_bytes"], 100000)
            for step in result["steps"]:
                self.assertEqual(step["runs"], 14 if options else 0)  # those to warm up included
                self.assertGreaterEqual(step["mean_us"], step["min_us"])

    def test_seconds_end_the_runs(self):
        self.assertGreater(json.loads(self.succeeds("bench", METER, "--json", "--seconds", "1"))["runs"], 1)
        both = json.loads(self.succeeds("bench", METER, "--json", "--seconds", "9", "--runs", "3"))
        self.assertEqual(both["runs"], 3)

    def test_several_executors_run_at_once_and_each_has_its_runs_and_its_track(self):
        path = self.path("trace.json")
        told = json.loads(self.succeeds("bench", METER, "--executors", "3", "--runs", "7", "--deadline", "0.0001",
                                        "--trace", path, "--json"))
        self.assertEqual((told["runs"], [e["runs"] for e in told["executors"]]), (21, [7, 7, 7]))
        self.assertEqual(told["deadline"], {"ms": 0.0001, "missed": 21})
        self.assertGreater(told["runs_per_second"], 0)
        self.assertEqual(max(e["max"] for e in told["executors"]), told["run_ms"]["max"])
        with open(path) as f:
            events = json.load(f)["traceEvents"]
        for track in (1, 2, 3):
            own = [event for event in events if event["tid"] == track]
            runs = [event for event in own if event["name"] == "run"]
            missed = [event for event in own if event["ph"] == "i"]
            self.assertEqual((len(runs), len(missed)), (7, 7))
            for run, late in zip(runs, missed):
                self.assertTrue(run["ts"] <= late["ts"] <= run["ts"] + run["dur"], (run, late))
        self.assertIn(", executor 2", [e["args"]["name"] for e in events if e["tid"] == 3 and e["ph"] == "M"][0])
        one = json.loads(self.succeeds("bench", METER, "--runs", "3", "--deadline", "60000", "--json"))
        self.assertEqual((len(one["executors"]), one["deadline"]["missed"]), (1, 0))
        self.assertIn(" 3  runs longer", self.succeeds("bench", METER, "--runs", "3", "--deadline", "0.0001"))
        for value in ("0", "65", "x"):
            self.fails(2, "bench: --executors wants", "bench", METER, "--executors", value)
        for value in ("0", "-1", "nan"):
            self.fails(2, "bench: --deadline wants", "bench", METER, "--deadline", value)

    def test_a_trace_has_every_run_with_its_steps_inside_one_after_the_other(self):
        path = self.path("trace.json")
        document = json.loads(self.succeeds("bench", METER, "--runs", "4", "--trace", path, "--json"))
        printed = json.loads(self.succeeds("bench", METER, "--runs", "4", "--trace", "-"))
        with open(path) as f:
            for trace in (json.load(f), printed):
                events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
                runs = [event for event in events if event["cat"] == "run"]
                self.assertEqual(len(runs), 4)
                self.assertEqual(events[0]["name"], "load")
                for run in runs:
                    inside = [e for e in events if e["cat"] in ("cpu", "wait", "copy", "npu") and
                              run["ts"] - 0.002 <= e["ts"] and e["ts"] + e["dur"] <= run["ts"] + run["dur"] + 0.002]
                    steps = [e["name"] for e in inside if e["cat"] == "cpu"]
                    self.assertEqual(steps, [step["operator"] for step in document["steps"]])
                    for before, after in zip(inside, inside[1:]):
                        self.assertAlmostEqual(before["ts"] + before["dur"], after["ts"], delta=0.003)

    def test_json_says_what_was_asked_for(self):
        result = json.loads(self.succeeds("bench", METER, "--json", "--runs", "1", "--isa", "scalar", "--threads", "2"))
        self.assertEqual((result["isa"], result["threads"]), ("scalar", 2))
        result = json.loads(self.succeeds("bench", METER, "--json", "--runs", "1"))
        self.assertEqual((result["isa"], result["threads"]), (None, None))

    def test_json_strings_are_escaped(self):
        strange = self.path('a "b"\\\t\x01\x7f\u00e9')
        shutil.copy(METER, strange)
        self.assertEqual(json.loads(self.succeeds("bench", strange, "--json", "--runs", "1"))["model"], strange)


class Plan(ToolCase):
    def test_a_plan_runs_to_the_same_bytes_in_every_command(self):
        plan = self.path("meter.plan")
        text = self.succeeds("compile", METER, "-o", plan)
        self.assertIn("%d B" % os.path.getsize(plan), text)
        self.assertEqual(os.listdir(self.folder), ["meter.plan"])
        for sample in range(6):
            self.assertEqual(self.outputs(plan, "--input", os.path.join(GOLDEN, "input%d.bin" % sample)),
                             self.golden("expected", sample))
        self.assertIn("1x32x20x1", self.succeeds("inspect", plan))
        self.assertEqual(json.loads(self.succeeds("bench", plan, "--json", "--runs", "1"))["model"], plan)

    def test_compiling_twice_gives_the_same_file(self):
        for name in ("a", "b"):
            self.succeeds("compile", METER, "--output", self.path(name))
        self.assertEqual(contents(self.path("a")), contents(self.path("b")))

    def test_a_plan_as_c_holds_its_bytes_its_arena_and_the_steps_that_it_needs(self):
        plan, source = self.path("meter.plan"), self.path("meter-2.h")
        self.succeeds("compile", METER, "--target", "neon", "-o", plan, "--c", source)
        text = contents(source).decode("ascii")
        numbers = re.search(r"meter_2\[METER_2_BYTES\] = \{([^}]*)\}", text).group(1)
        self.assertEqual(bytes(int(n) for n in numbers.split(",") if n.strip()), contents(plan))
        self.assertIn("#define METER_2_BYTES %du" % os.path.getsize(plan), text)
        arena = re.search(r"#define METER_2_ARENA_BYTES (\d+)u", text).group(1)
        self.assertRegex(self.succeeds("inspect", METER, "--config", "nnrt.target=neon", "--config",
                                              "nnrt.stripes=2"), r"\b%s B" % arena)
        self.assertEqual(re.findall(r"X\((\w+), (\w+)\)", text),
                         [("conv_s8", "NEON"), ("max_pool_s8", "NEON"), ("dw_s8", "NEON"), ("avg_pool_s8", "NEON"),
                          ("fc_s8", "NEON"), ("softmax_s8", "SCALAR")])
        self.succeeds("compile", METER, "--target", "neon", "--c", self.path("other.h"))

    def test_a_plan_as_c_tells_its_arena_why_it_has_stripes_and_the_ram(self):
        said = self.succeeds("compile", METER, "--target", "scalar", "--c", self.path("a.h"))
        found = re.search(r"arena +(\d+) B: outputs over inputs or stripes, for 2 % of a run; without "
                          r"\(nnrt.stripes=0\) (\d+) B\n", said)
        arena, whole = int(found.group(1)), int(found.group(2))
        self.assertLess(arena, whole)
        less = int(re.search(r"; (\d+) B with nnrt.inputs=arena\n", said).group(1))
        self.assertIn("RAM %d B: arena, inputs and outputs; and 1 KB of handles; " % (arena + 640 + 10),
                      re.sub(" +", " ", said))
        self.assertIn("ARENA_BYTES %du" % arena, contents(self.path("a.h")).decode("ascii"))
        said = self.succeeds("compile", METER, "--target", "scalar", "--c", self.path("b.h"), "--config",
                             "nnrt.stripes=0")
        self.assertRegex(said, r"arena +%d B\n" % whole)  # what was asked for needs no reason
        self.assertNotIn("arena", self.succeeds("compile", METER, "--target", "scalar", "-o", self.path("plan")))
        self.assertNotIn("nnrt_tensor_create_in_arena", contents(self.path("a.h")).decode("ascii"))
        said = self.succeeds("compile", METER, "--target", "scalar", "--c", self.path("c.h"), "--config",
                             "nnrt.inputs=arena")
        self.assertRegex(said, r"RAM +%d B: arena, inputs and outputs; and 1 KB of handles\n" % less)
        self.assertIn("ARENA_BYTES %du" % (less - 10), contents(self.path("c.h")).decode("ascii"))
        self.assertIn("nnrt_tensor_create_in_arena", contents(self.path("c.h")).decode("ascii"))
        self.assertRegex(self.succeeds("inspect", METER, "--config", "nnrt.inputs=arena", "--config", "nnrt.stripes=2",
                                       "--target", "scalar"), r"RAM +%d B" % less)

    def test_a_plan_as_c_has_no_names_but_those_of_inputs_and_outputs_unless_they_are_wanted(self):
        for more, named in (((), False), (("--config", "nnrt.names=1"), True), (("--config", "nnrt.names=0"), False)):
            self.succeeds("compile", METER, "--target", "scalar", "-o", self.path("plan"), "--c", self.path("a.h"),
                          *more)
            plan = contents(self.path("plan"))
            self.assertTrue(b"\0window\0digit\0" in plan)
            self.assertEqual(b"_conv_2d\0" in plan, named)
        self.succeeds("compile", METER, "-o", self.path("plan"))
        self.assertTrue(b"_conv_2d\0" in contents(self.path("plan")))

    def test_the_list_of_targets_is_the_library_s(self):
        listed = [line.split()[0] for line in self.succeeds("compile", "--target", "?").splitlines()]
        refused = tool("inspect", METER, "--config", "nnrt.target=?").stderr.decode()
        there_are = re.search(r"there are (.*?) \(", refused).group(1).split(", ")
        self.assertEqual(sorted(listed), sorted(there_are))
        for target in listed:
            self.succeeds("inspect", METER, "--target", target)

    def test_a_microcontroller_stands_for_the_target_that_it_runs(self):
        for names, target in (("cortex-m0 cortex-m0+ cortex-m0plus cortex-m3 cortex-m23 rv32 rv32imac", "scalar"),
                              ("cortex-m7 cortex-m33 cortex-m35p", "cortex-m4"),
                              ("cortex-m52 cortex-m85", "cortex-m55")):
            self.succeeds("compile", METER, "--target", target, "-o", self.path("plan"))
            for name in names.split():
                self.succeeds("compile", METER, "--target", name, "-o", self.path("other"))
                self.assertEqual(contents(self.path("other")), contents(self.path("plan")), name)

    def test_a_device_that_is_missing_says_why(self):
        self.fails(1, r"--device rknpu: device rknpu_rockchip_\S+ is not listed: no runtime", "inspect", METER,
                   "--device", "rknpu")

    def test_fewer_names_than_classes_are_said(self):
        with open(self.path("names.txt"), "w") as f:
            f.write("one\ntwo\n")
        done = tool("run", METER, "--input", self.input, "--labels", self.path("names.txt"))
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"names.txt: has 2 names, output 0 has 10 values", done.stderr)

    def test_a_damaged_plan_is_refused(self):
        plan = self.path("meter.plan")
        self.succeeds("compile", METER, "-o", plan)
        data = contents(plan)
        rng = random.Random(7)
        for at in [0, len(data) - 1] + [rng.randrange(len(data)) for _ in range(20)]:
            bad = self.file("bad", data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1:])
            self.fails(1, r"\S+: .+ \(OH_NN_[A-Z_]+\)$", "inspect", bad)
        for size in (1, 63, len(data) // 2, len(data) - 1):
            self.fails(1, r"\S+: .+ \(OH_NN_[A-Z_]+\)$", "inspect", self.file("bad", data[:size]))


class TrainedModels(ToolCase):
    def setUp(self):
        super().setUp()
        if not os.path.isdir(SHARED):
            self.skipTest("skipped, no models")
        self.models = sorted(name for name in os.listdir(SHARED) if os.path.isdir(os.path.join(SHARED, name)))

    def close(self, name, got, want):
        if "float" not in name and "fp32" not in name and name != "pretrainedResnet":
            return got == want
        numbers = [struct.unpack("<%df" % (len(data) // 4), data) for data in (got, want)]
        return len(got) == len(want) and all(abs(a - b) <= TOLERANCE.get(name, 1e-5) for a, b in zip(*numbers))

    def test_models_and_their_plans_give_the_goldens(self):
        for name in self.models:
            with self.subTest(model=name):
                folder = os.path.join(SHARED, name)
                model = os.path.join(folder, name + ".tflite")
                self.assertIn("total", self.succeeds("inspect", model))
                plan = self.path("plan")
                self.succeeds("compile", model, "-o", plan)
                for sample in range(2):
                    data = os.path.join(folder, "input%d.bin" % sample)
                    got = self.outputs(model, "--input", data)
                    self.assertEqual(self.outputs(plan, "--input", data), got)
                    self.assertTrue(self.close(name, got, contents(os.path.join(folder, "expected%d.bin" % sample))))

    def test_a_grey_picture_fills_three_channels(self):
        rng = random.Random(3)
        grey = bytes(rng.randrange(256) for _ in range(96 * 96))
        model = os.path.join(SHARED, "vww_96_int8", "vww_96_int8.tflite")
        picture = self.file("a.pgm", b"P5 96 96 255\n" + grey)
        raw = self.file("a.bin", b"".join(bytes(((g - 128) & 255,)) * 3 for g in grey))
        self.assertEqual(self.outputs(model, "--input", picture), self.outputs(model, "--input", raw))

    def test_a_float_input_gets_pixels_from_0_to_1(self):
        rng = random.Random(4)
        colours = bytes(rng.randrange(256) for _ in range(96 * 96 * 3))
        model = os.path.join(SHARED, "vww_96_float", "vww_96_float.tflite")
        picture = self.file("a.ppm", b"P6 96 96 255\n" + colours)
        raw = self.file("a.bin", struct.pack("<%df" % len(colours), *[c / 255.0 for c in colours]))
        self.assertEqual(self.outputs(model, "--input", picture), self.outputs(model, "--input", raw))

    def test_a_picture_for_an_input_that_is_none_is_refused(self):
        path = self.file("a.pgm", b"P5 1 1 255\nx")
        model = os.path.join(SHARED, "hello_world_int8", "hello_world_int8.tflite")
        self.fails(3, r"\S+: input 0 \(1x1\) takes no image", "run", model, "--input", path)


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
