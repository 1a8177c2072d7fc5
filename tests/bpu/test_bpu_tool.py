#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tool and Horizon's files: what it tells of them without a board, what runs on simulated ones; and that the seeds
are those that tests/sim/bpu/make_files.py makes.

    make tool && python3 tests/bpu/test_bpu_tool.py

NNRT_TOOL as in test_tool.py."""

import os
import re
import struct
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(FOLDER, "..", "tools"), os.path.join(FOLDER, "..", "sim", "bpu")]
sys.dont_write_bytecode = True
from make_files import main, the_set
from test_tool import ROOT, TOOL, ToolCase, contents

SEEDS = os.path.join(ROOT, "tests", "fuzz", "seeds", "bpu_file")
REASON = r"no library of Horizon: libdnn\.so is .*NNRT_BPU_LIBRARY names none"
SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))
GOOD = sorted(name for name in the_set() if name != "mixed.bin")


class Files(ToolCase):
    def test_the_seeds_are_what_the_script_makes(self):
        made = self.path("made")
        main([made])
        self.assertEqual(set(os.listdir(made)) - set(os.listdir(SEEDS)), set(), "FIX: make_files.py %s" % SEEDS)
        for name in os.listdir(made):
            self.assertEqual(contents(os.path.join(SEEDS, name)), contents(os.path.join(made, name)),
                             "%s is old.  FIX: make_files.py %s" % (name, SEEDS))

    def test_inspect_tells_all_and_says_that_there_is_no_device(self):
        for name in GOOD:
            raw = the_set()[name]
            text = self.succeeds("inspect", self.file(name, raw))
            self.assertRegex(text, r"\Afile\n  kind +Horizon \.(bin|hbm)")
            self.assertRegex(text, r"\n  made for +\S+")
            if not raw.startswith(b"\x7fELF"):
                self.assertRegex(text, r"\n  model 0 +\w+, \d inputs?, \d outputs?.*\n  input 0\.0 +\w+: .*(\n.*)*"
                                       r"\n  output 0\.0 +\w+: ")
            self.assertRegex(text, r"\n  size +%d B\n\nThe rest needs device bpu_\S+, which is not here: %s\n\Z" %
                             (len(raw), REASON))

    def test_the_page_of_the_tool_shows_what_it_prints(self):
        page = contents(os.path.join(ROOT, "docs", "tool.md")).decode()
        path, shown = re.search(r"    \$ build/nnrt inspect (tests/\S+\.bin)\n((?:    .*\n|\n)+)", page).groups()
        printed = self.succeeds("inspect", os.path.join(ROOT, path))
        self.assertEqual(re.sub(r"(?m)^    ", "", shown).strip(), printed.strip())

    def test_what_is_to_run_is_refused_with_the_reason(self):
        for name in ("x5.bin", "x3.hbm", "s600.hbm"):
            model = self.file(name, the_set()[name])
            pattern = "%s: is for device bpu_horizon_\\S+, which is not here: %s \\(OH_NN_UNAVAILABLE_DEVICE\\)$" % \
                (re.escape(model), REASON)
            for arguments in (("run", model, "--input", self.input), ("bench", model),
                              ("compile", model, "-o", self.path("plan"))):
                self.fails(1, pattern, *arguments)

    def test_no_device_is_listed(self):
        text = self.succeeds("devices")
        self.assertRegex(text, r"\n  device bpu_horizon_\S+ is not listed: %s\n" % REASON)
        self.assertNotRegex(text, r"\d +bpu_")

    def test_a_damaged_file_is_refused_whatever_is_done_with_it(self):
        raw = the_set()["x5.bin"]
        at = raw.index(b"weights")
        model = self.file("model.bin", raw[:at] + b"W" + raw[at + 1:])
        self.fails(1, re.escape(model) + r": .*its checksum of weights is 0x[0-9a-f]+, and the bytes give 0x[0-9a-f]+.*"
                   r"\(OH_NN_INVALID_FILE\)$", "inspect", model)
        model = self.file("short.bin", raw[:1000])
        for command in ("inspect", "bench"):
            self.fails(1, re.escape(model) + r": .*is cut off: it has 1000 bytes, and \d+ more belong to it "
                       r"\(OH_NN_INVALID_FILE\)$", command, model)

    def test_control_characters_of_a_name_are_not_printed(self):
        raw = the_set()["x5.bin"].replace(b"output0", b"a\x1b[31m\x07")
        self.assertNotRegex(self.succeeds("inspect", self.file("model.bin", raw)), r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@unittest.skipUnless(os.path.exists(os.path.join(SIM, "libdnn.so")), "skipped, no simulated board")
class Boards(ToolCase):
    LIBRARIES = {"x3": "1.18.6", "j5": "1.24.5", "x5": ".", "s100": "3.13.6", "s600": "3.12.3"}

    def on(self, chip, *arguments, code=0):
        """What the tool prints, or its complaint for another code than 0. A mistake or a leak that the board sees ends
        it with 97."""
        folder = os.path.join(SIM, self.LIBRARIES[chip])
        environment = dict(os.environ, NNRT_SIM_CHIP=chip, NNRT_SIM_STRICT="1",
                           LD_LIBRARY_PATH="%s:%s" % (folder, SIM),
                           NNRT_BPU_LIBRARY=os.path.join(folder, "libdnn.so"))
        done = subprocess.run(TOOL + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=99, env=environment)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return (done.stderr if code else done.stdout).decode()

    def model(self, chip, name="meter"):
        return os.path.join(SIM, "models", "%s.%s.%s" % (name, chip, "hbm" if chip.startswith("s") else "bin"))

    def test_every_chip_runs_the_meter_with_the_same_bytes(self):
        pixels = self.file("pixels", bytes(i * 7 % 251 for i in range(640)))
        answers = set()
        for chip in self.LIBRARIES:
            out = self.path("out." + chip)
            self.on(chip, "run", self.model(chip), "--input", pixels, "--output", out)
            answers.add(contents(out))
        self.assertEqual(len(answers), 1)
        scores = struct.unpack("<10b", answers.pop())
        self.assertGreater(max(scores), min(scores))

    def test_devices_and_facts_are_told(self):
        self.assertRegex(self.on("x5", "devices"), r"\d +bpu_horizon_\S+")
        text = self.on("x5", "inspect", self.model("x5", "detector"))
        for fact in (r"made for +bayes-e: X5\n", r"input 0\.0 +.*nv12", r"bpu\.march +bayes-e\n",
                     r"bpu\.output\.1 +.*int32"):
            self.assertRegex(text, fact)

    def test_one_model_of_a_file_is_chosen_by_name(self):
        text = self.on("s600", "inspect", self.model("s600", "pair"), "--config", "bpu.model=second")
        self.assertRegex(text, r"bpu\.model_name +second\n")
        text = self.on("x3", "inspect", self.model("x3", "pair"), "--config", "bpu.model=first")
        self.assertRegex(text, r"  model 0 +first.*(\n.*)*\n  model 1 +second(.*\n)+.*bpu\.model_name +first\n")

    def test_regions_of_a_picture_are_a_file_of_their_own(self):
        picture = self.file("picture", bytes(i * 7 % 251 for i in range(64 * 72)))  # 64 x 48, for a model of 24 x 16

        def run(chip, *regions, code=0):
            sides = self.file("regions", b"".join(struct.pack("<4i", *region) for region in regions))
            out = self.path("out")
            said = self.on(chip, "run", self.model(chip, "resizer"), "--shape", "0=1x72x64", "--shape",
                           "1=%dx4" % len(regions), "--input", picture, "--input", sides, "--output", out, code=code)
            return said if code else contents(out)

        one, other = (0, 0, 23, 15), (10, 10, 41, 33)
        for chip in ("x3", "j5", "x5"):
            self.assertEqual(run(chip, one, other, one), run(chip, one) + run(chip, other) + run(chip, one))
            # The outputs' sizes are unknown before a run, so the tool tries larger ones: not what it may complain of.
            self.assertIn("run: region 1 from (10,10) to (64,33), both inside, is not in a picture of 64x48 (OH_NN_INV",
                          run(chip, one, (10, 10, 64, 33), code=1))

    def test_bench_times_the_task(self):
        text = self.on("s100", "bench", self.model("s100"), "--runs", "3", "--profile")
        for step in ("inputs", "task", "outputs"):
            self.assertIn(step, text)


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
