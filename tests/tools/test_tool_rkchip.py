#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`--device sim`: a .rknn of RV1106 on the NPU in software.

    make tool && python3 tests/tools/test_tool_rkchip.py

The files are made by tests/sim/rknpu/make_stream.py, which computes what their networks give from the definition of the
layers, without looking at the stream. Damaged ones end with a sentence, whatever is damaged."""

import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sim", "rknpu"))

import make_stream
from test_tool import METER, ROOT, TOOL, ToolCase, contents, tool

SEED = 20261125


def npy(path):
    """Values of an .npy of int8."""
    raw = contents(path)
    return [struct.unpack("b", raw[i:i + 1])[0] for i in range(10 + struct.unpack_from("<H", raw, 8)[0], len(raw))]


class RkchipCase(ToolCase):
    def made(self, seed=1):
        """A file, an input, and what every layer gives for it, channels last."""
        layers, source, result = make_stream.network(seed)
        draw = random.Random(SEED + seed)
        data = [draw.randint(-128, 127) for _ in range(source.height * source.width * source.channels)]
        model = self.file("small.rknn", make_stream.file_of(layers, source, result))
        return model, self.file("in.bin", bytes(v & 255 for v in data)), make_stream.reference(layers, source, data)

    def ends(self, model):
        """Inspects a file that may be damaged: ended by itself, with a sentence where it did not succeed."""
        done = tool("inspect", model, "--device", "sim")
        self.assertIn(done.returncode, (0, 1, 3, 4), done.stderr)
        if done.returncode != 0:
            self.assertRegex(done.stderr.decode(), r"\Annrt: .*\n\Z")
        return done


class Runs(RkchipCase):
    def test_every_layer_has_the_bytes_of_its_definition(self):
        for seed in (1, 2, 5):  # the last has a picture of 28 columns
            model, data, known = self.made(seed)
            folder = self.path("layers%d" % seed)
            self.succeeds("run", model, "--device", "sim", "--input", data, "--dump", folder)
            index = json.loads(contents(os.path.join(folder, "index.json")).decode())
            steps = [t for t in index["tensors"] if t["role"] == "step"]
            self.assertEqual([t["name"] for t in steps], [n for n in known if n != "picture"])
            for t in steps:
                self.assertEqual(npy(os.path.join(folder, t["file"])), known[t["name"]], (seed, t["name"]))

    def test_outputs_have_the_shape_of_the_model(self):
        model, data, known = self.made()
        pixels, channels = 9, 5
        shaped = bytes(known["scores"][i * channels + c] & 255 for c in range(channels) for i in range(pixels))
        self.assertEqual(self.outputs(model, "--device", "sim", "--input", data), shaped)

    def test_a_second_run_gives_the_same(self):
        model, data, _ = self.made()
        out, again = self.path("a.bin"), self.path("b.bin")
        for path in (out, again):
            self.succeeds("run", model, "--device", "sim", "--input", data, "--output", path)
        self.assertEqual(contents(out), contents(again))
        self.assertIn("100 runs", self.succeeds("bench", model, "--device", "sim"))

    def test_inspect_tells_tasks_memory_and_that_nothing_is_refused(self):
        text = self.succeeds("inspect", self.made()[0], "--device", "sim")
        self.assertRegex(text, r"device +sim_rockchip_npu\n")
        self.assertRegex(text, r"sim\.tasks +8: 6 convolutions, 1 of the DPU alone, 1 pools, 0 others\n")
        self.assertRegex(text, r"sim\.memory +\d+ B of words, \d+ B of weights, \d+ B between layers\n")
        self.assertRegex(text, r"sim\.refuses +nothing\n")
        products = 16 * 16 * 9 * (8 * 16 + 8 + 40 * 16) + 16 * 16 * 16 * 40 + 3 * 3 * (9 * 48 * 24 + 32 * 5)
        self.assertRegex(text, r"sim\.cycles +%d at least" % -(-products // 512))

    def test_the_device_is_there_only_when_it_is_asked_for(self):
        self.assertNotIn("sim_rockchip", self.succeeds("devices"))


class Refusals(RkchipCase):
    def changed(self, register, value, task=0):
        """The file with another value in the first word of a task that writes the register."""
        raw = bytearray(contents(self.made()[0]))
        tasks = struct.unpack_from("<I", raw, 68)[0]
        amount, address = struct.unpack_from("<I4xQ", raw, 128 + 40 * task + 24)
        at = 128 + tasks + address
        for place in range(at, at + 8 * amount, 8):
            word = struct.unpack_from("<Q", raw, place)[0]
            if word & 0xffff == register:
                struct.pack_into("<Q", raw, place, word >> 48 << 48 | value << 16 | register)
                return self.file("changed.rknn", bytes(raw))
        raise AssertionError("task %d does not write 0x%x" % (task, register))

    def test_an_unknown_word_is_named_with_its_task_and_value(self):
        for register, value, task in ((0x4070, 0x108200c0, 1), (0x100c, 0x120, 1), (0x1184, 0x100, 0),
                                      (0x4084, 0x40004000, 2), (0x6024, 0x12, 5), (0x5044, 0x17850, 3)):
            model = self.changed(register, value, task)
            pattern = r".*task %d: register 0x%04x is .*0x%08x" % (task, register, value)
            self.fails(1, pattern, "run", model, "--device", "sim", "--input", self.path("in.bin"))
            self.assertRegex(self.succeeds("inspect", model, "--device", "sim"),
                             r"sim\.refuses +\d+ tasks; " + pattern[2:])

    def test_an_address_outside_of_the_memory_is_named(self):
        for register, task in ((0x1070, 1), (0x1110, 0), (0x4020, 2), (0x5020, 1), (0x5018, 4), (0x5038, 4),
                               (0x6070, 5), (0x701c, 5)):
            model = self.changed(register, 0xfffffff0, task)
            self.fails(1, r".*task %d: register 0x%04x: \d+ bytes at 0x\w+ are not memory" % (task, register), "run",
                       model, "--device", "sim", "--input", self.path("in.bin"))

    def test_what_runs_on_the_cpu_is_named(self):
        raw = contents(self.made()[0])
        layers, source, result = make_stream.network(1)
        plain = make_stream.file_of(layers, source, result)
        self.assertEqual(raw, plain)
        graph = plain.rindex(b"RKNN") - 4
        # The processor of an operator is the byte 2 of its table, which is the only one with that value there.
        for at in [m.start() for m in re.finditer(b"\x02\0\0\0", plain[graph:])]:
            changed = plain[:graph + at] + b"\0" + plain[graph + at + 1:]
            done = tool("inspect", self.file("cpu.rknn", changed), "--device", "sim")
            if b"runs on the CPU of the runtime" in done.stderr:
                return
        self.fail("no operator of the CPU was refused")

    def test_files_for_other_chips_and_other_files_are_refused(self):
        raw = contents(self.made()[0])
        for form, pattern in ((2, r".*only files of format 0x1004"), (6, r".*damaged: it names no chip")):
            self.fails(1, pattern, "inspect",
                       self.file("other.rknn", raw[:8] + struct.pack("<Q", form) + raw[16:]), "--device", "sim")
        self.fails(1, r".*", "inspect", METER, "--device", "sim")

    def test_cut_files_are_refused(self):
        raw = contents(self.made()[0])
        for size in list(range(0, 256, 13)) + list(range(256, len(raw) - 120, 997)):
            done = self.ends(self.file("cut.rknn", raw[:size]))
            self.assertNotEqual(done.returncode, 0, size)

    def test_damaged_files_end_with_a_sentence(self):
        raw = contents(self.made()[0])
        draw = random.Random(SEED)
        graph = raw.rindex(b"RKNN")
        for i in range(150):
            changed = bytearray(raw)
            first, last = ((64, 88), (128, 500), (graph, len(raw)), (0, len(raw)))[i % 4]
            for _ in range(draw.randint(1, 4)):
                changed[draw.randrange(first, last)] = draw.choice((0, 1, 0x7f, 0x80, 0xff, draw.randrange(256)))
            self.ends(self.file("damaged.rknn", bytes(changed)))


class Board(RkchipCase):
    """The same file through the simulated board's library, as a program on a board has it."""

    def test_the_library_gives_the_bytes_of_the_definition_and_reports_no_mistake(self):
        library = os.path.join(ROOT, "build", "sim")
        if not os.path.exists(os.path.join(library, "librknnmrt.so")):
            self.skipTest("skipped, no simulated board: make sim")
        model, data, known = self.made()
        out = self.path("out.bin")
        for strict in ("0", "1"):
            board = {"LD_LIBRARY_PATH": library, "NNRT_SIM_CHIP": "rv1106", "NNRT_SIM_STRICT": strict}
            self.succeeds("run", model, "--input", data, "--output", out, "--config", "rknn.io_layout=nhwc",
                          environment=board)
            self.assertEqual(contents(out), bytes(v & 255 for v in known["scores"]))


    def test_selftest_compares_the_npu_with_the_one_in_software(self):
        library = os.path.join(ROOT, "build", "sim")
        if not os.path.exists(os.path.join(library, "librknnmrt.so")):
            self.skipTest("skipped, no simulated board: make sim")
        board = {"LD_LIBRARY_PATH": library, "NNRT_SIM_CHIP": "rv1106"}
        model = self.made()[0]
        text = self.succeeds("selftest", "--npu", model, model, environment=board)
        self.assertEqual(text.count(": 0 of 180 bytes differ, 4 inputs, rknpu_rockchip_"), 2, text)
        done = tool("selftest", "--npu", model, environment=dict(board, NNRT_SIM_RESULT="rounding"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout.decode(), r"DIFFERS .* input 0, output 0, byte \d+: the NPU has -?\d+, the one")
        done = tool("selftest", "--npu", model)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"is for device rknpu_rockchip_\S+, which is not here")


class Readme(unittest.TestCase):
    def test_its_commands_work_and_give_the_bytes_of_the_definition(self):
        commands = re.findall(r"^    (python3 tests/sim/rknpu/make_stream.py .*)\n    (build/nnrt run .* sim .*)$",
                              contents(os.path.join(ROOT, "README.md")).decode(), re.M)
        self.assertEqual(len(commands), 1)
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "build"))
            os.symlink(os.path.abspath(os.path.join(ROOT, "tests")), os.path.join(folder, "tests"))
            for command in commands[0]:
                words = TOOL + command.split()[1:] if command.startswith("build/nnrt") else command.split()
                subprocess.run(words, cwd=folder, check=True, stdin=subprocess.DEVNULL)
            known = make_stream.network(1)[2]
            output = npy(os.path.join(folder, "build", "layers", "output0.npy"))
            self.assertEqual(len(output), known.channels * known.height * known.width)
            self.assertEqual(bytes(v & 255 for v in output), contents(os.path.join(folder, "build", "small.out")))


if __name__ == "__main__":
    unittest.main()
