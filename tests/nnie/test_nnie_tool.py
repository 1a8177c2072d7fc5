#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tool and HiSilicon's files: what it tells of them without a board, what runs on simulated ones; and that the
seeds are those that tests/sim/nnie/make_wk.py makes.

    make tool && python3 tests/nnie/test_nnie_tool.py

NNRT_TOOL as in test_tool.py."""

import os
import re
import struct
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(FOLDER, "..", "tools"), os.path.join(FOLDER, "..", "sim", "nnie")]
sys.dont_write_bytecode = True
from make_wk import main, node, segment, the_set, vector, wk
from test_tool import ROOT, TOOL, ToolCase, contents

SEEDS = os.path.join(ROOT, "tests", "fuzz", "seeds", "wk_file")
REASON = (r"no library of HiSilicon: libnnie\.so is not where the loader looks \(LD_LIBRARY_PATH, /usr/lib\), and "
          r"NNRT_NNIE_LIBRARY names none")
SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))


class Files(ToolCase):
    def test_the_seeds_are_what_the_script_makes(self):
        made = self.path("made")
        main([made])
        self.assertEqual(set(os.listdir(made)) - set(os.listdir(SEEDS)), set(), "FIX: make_wk.py %s" % SEEDS)
        for name in os.listdir(made):
            self.assertEqual(contents(os.path.join(SEEDS, name)), contents(os.path.join(made, name)),
                             "%s is old.  FIX: make_wk.py %s" % (name, SEEDS))

    def test_inspect_tells_all_and_says_that_there_is_no_device(self):
        for name, raw in the_set().items():
            text = self.succeeds("inspect", self.file(name + ".wk", raw))
            self.assertRegex(text, r"\Afile\n  kind +HiSilicon \.wk")
            self.assertRegex(text, r"\n  input 0\.0 +\w+: \S+(.*\n)+  output 0\.0 +\w+")
            self.assertRegex(text, r"\n  size +%d B\n\nThe rest needs device nnie_\S+, which is not here: %s\n\Z" %
                             (len(raw), REASON))

    def test_the_page_of_the_tool_shows_what_it_prints(self):
        page = contents(os.path.join(ROOT, "docs", "tool.md")).decode()
        path, shown = re.search(r"    \$ build/nnrt inspect (tests/\S+\.wk)\n((?:    .*\n|\n)+)", page).groups()
        printed = self.succeeds("inspect", os.path.join(ROOT, path))
        self.assertEqual(re.sub(r"(?m)^    ", "", shown).strip(), printed.strip())

    def test_what_is_to_run_is_refused_with_the_reason(self):
        model = self.file("model.wk", the_set()["one_segment"])
        pattern = "%s: is for device nnie_hisilicon_\\S+, which is not here: %s \\(OH_NN_UNAVAILABLE_DEVICE\\)$" % \
            (re.escape(model), REASON)
        for arguments in (("run", model, "--input", self.input), ("bench", model),
                          ("compile", model, "-o", self.path("plan"))):
            self.fails(1, pattern, *arguments)

    def test_no_device_is_listed(self):
        text = self.succeeds("devices")
        self.assertRegex(text, r"\n  device nnie_hisilicon_\S+ is not listed: %s\n" % REASON)
        self.assertNotRegex(text, r"\d +nnie_")

    def test_a_damaged_file_is_refused_whatever_is_done_with_it(self):
        raw = bytearray(the_set()["one_segment"])
        raw[400] ^= 1
        model = self.file("model.wk", bytes(raw))
        pattern = r": .*its checksum is 0x[0-9a-f]+, and its bytes give 0x[0-9a-f]+.*\(OH_NN_INVALID_FILE\)$"
        for command in ("inspect", "bench"):
            self.fails(1, re.escape(model) + pattern, command, model)

    def test_control_characters_of_a_name_are_not_printed(self):
        raw = wk([segment([node("a\x1b[31m\x07", 8, 8, 1, 0, 1)], [vector("prob", 10)])])
        self.assertNotRegex(self.succeeds("inspect", self.file("model.wk", raw)), r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@unittest.skipUnless(os.path.exists(os.path.join(SIM, "libnnie.so")), "skipped, no simulated board")
class Boards(ToolCase):
    def on(self, chip, *arguments):
        """A mistake or a leak that the board sees ends the tool with 97."""
        environment = dict(os.environ, NNRT_SIM_CHIP=chip, NNRT_SIM_STRICT="1", NNRT_SIM_SYS="1",
                           NNRT_NNIE_LIBRARY=os.path.join(SIM, "libnnie.so"))
        done = subprocess.run(TOOL + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=99, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def model(self, chip, name="meter"):
        return os.path.join(SIM, "models", "%s.%s.wk" % (name, chip))

    def test_every_chip_runs_the_meter_with_the_same_bytes(self):
        pixels = self.file("pixels", bytes(i * 7 % 251 for i in range(640)))
        answers = set()
        for chip in ("hi3516cv500", "hi3519av100", "hi3559av100"):
            out = self.path("out." + chip)
            self.on(chip, "run", self.model(chip), "--input", pixels, "--output", out)
            answers.add(contents(out))
        self.assertEqual(len(answers), 1)
        scores = struct.unpack("<10f", answers.pop())
        self.assertAlmostEqual(sum(scores), 1, delta=0.05)

    def test_devices_and_facts_are_told(self):
        self.assertRegex(self.on("hi3559av100", "devices"), r"nnie_hisilicon_\S+(.*\n)+.*nnie1_hisilicon_\S+")
        self.assertNotRegex(self.on("hi3516cv500", "devices"), r"\d +nnie1_")
        text = self.on("hi3516cv500", "inspect", self.model("hi3516cv500", "equal_names"))
        for fact in (r"nnie\.segments +1\n", r"nnie\.task_bytes +\d+\n",
                     r"nnie\.output\.3 +.*#3: S32, 8 x 8 x 4 channels"):
            self.assertRegex(text, fact)

    def test_bench_times_segments(self):
        text = self.on("hi3519av100", "bench", self.model("hi3519av100", "three_segments"), "--runs", "3", "--profile")
        for step in ("inputs", "segment 0", "segment 1", "segment 2", "outputs"):
            self.assertIn(step, text)


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
