#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tool and Rockchip's files: what they tell on a machine without an NPU, and the facts on a simulated one.

    make tool sim && python3 tests/rknpu/test_rknpu_tool.py

NNRT_TOOL and NNRT_SIM_DIR as in test_tool.py and test_boards.py."""

import os
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from test_tool import METER, ROOT, TOOL, ToolCase, contents, tool

SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))


class NoNpu(ToolCase):
    """A machine without an NPU; tests/tools/test_boards.py runs models where there is one."""

    NOWHERE = {"NNRT_RKNPU_LIBRARY": "/nowhere/librknnrt.so"}

    def rknn(self, text=b'{"target_platform": ["rk3588"], "version": "2.3.2"}'):
        body = bytes(100)
        return self.file("model.rknn", b"RKNN" + bytes(4) + struct.pack("<QQ", 6, len(body)) + bytes(40) + body +
                         struct.pack("<Q", len(text)) + text)

    def test_a_missing_npu_is_listed_with_the_reason(self):
        text = self.succeeds("devices", environment=self.NOWHERE)
        self.assertRegex(text, r"\n\n  device rknpu_\S+ is not listed: .*/nowhere/librknnrt\.so")
        self.assertRegex(text, r"cpu_nnrt_\S+ +CPU +default\n")

    def test_inspect_tells_chip_toolkit_and_runtime_without_an_npu(self):
        text = self.succeeds("inspect", self.rknn(), environment=self.NOWHERE)
        for line in ("made for  rk3588", "toolkit   2.3.2", "runtime   1.5.2", "kind      Rockchip .rknn, format 6"):
            self.assertIn("  " + line + "\n", text)
        self.assertRegex(text, r"\nThe rest needs device rknpu_rockchip_\S+, which is not here: .*/nowhere/librknnrt")

    def test_what_is_to_run_is_refused_with_the_reason(self):
        model = self.rknn()
        pattern = re.escape(model) + \
            r": is for device rknpu_rockchip_\S+, which is not here: .*/nowhere/.*\(OH_NN_UNAVAILABLE_DEVICE\)$"
        for arguments in (("run", model, "--input", self.input), ("bench", model),
                          ("compile", model, "-o", self.path("plan"))):
            self.fails(1, pattern, *arguments, environment=self.NOWHERE)

    def test_another_device_may_be_asked_by_name(self):
        model = self.rknn()
        for command in ("inspect", "bench"):
            self.fails(1, re.escape(model) + r": .*neither a \.tflite.*\(OH_NN_\w+\)$",
                       command, model, "--device", "cpu", environment=self.NOWHERE)

    def test_an_encrypted_file_tells_that_it_is(self):
        text = self.succeeds("inspect", self.file("model.rknn", b"CYPTRKNN" + bytes(64)), environment=self.NOWHERE)
        self.assertRegex(text, r"\Afile\n  kind  Rockchip \.rknn, encrypted: .*\n  size  72 B\n\nThe rest needs ")

    def test_damaged_files_are_refused(self):
        whole = contents(self.rknn())
        for size in (8, 23, 24, 63, 64, 100):
            model = self.file("cut.rknn", whole[:size])
            for command in ("inspect", "bench"):
                self.fails(1, re.escape(model) + r": .+ cut off.+ \(OH_NN_INVALID_FILE\)$", command, model)

    def test_control_characters_of_a_file_are_not_printed(self):
        model = self.rknn(b'{"target_platform": "rk\x1b[31m", "version": "\x07\x9b"}')
        self.assertNotRegex(self.succeeds("inspect", model, environment=self.NOWHERE), r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@unittest.skipUnless(os.path.isdir(SIM), "skipped, no simulated board")
class Npu(ToolCase):
    def environment(self, chip):
        return {"LD_LIBRARY_PATH": SIM, "NNRT_SIM_CHIP": chip, "NNRT_SIM_STRICT": "1", "NNRT_RKNPU_LIBRARY": ""}

    def on(self, chip, *arguments):
        return self.succeeds(*arguments, environment=self.environment(chip))

    def model(self, chip):
        return os.path.join(SIM, "models", "meter.%s.rknn" % chip)

    def test_the_facts_of_the_device_follow_those_of_the_file(self):
        for chip in ("rv1106", "rk3588"):
            text = self.on(chip, "inspect", self.model(chip))
            self.assertRegex(text, r"\Afile\n  kind +Rockchip \.rknn, format (0x1004|6)\n  made for +%s\n" % chip)
            facts = re.findall(r"(?m)^  (rknn\.\S+) +\S", text[text.index("\nfacts\n"):])
            self.assertIn("rknn.driver_version", facts)
            self.assertIn("rknn.output.0", facts)
            self.assertNotIn("rknn.syncs", facts)  # of a run, and there was none
            self.assertEqual(len(set(facts)), len(facts))

    def test_copies_for_a_layout_that_nobody_asked_for_are_told_on_stderr(self):
        heads = os.path.join(SIM, "models", "heads.%s.rknn")
        note = "nnrt: note: outputs of 1218000 bytes are converted after every run; rknn.io_layout nhwc may need "
        rows = (("rv1106", None, note, 1218000), ("rv1106", "nhwc", "", 8400),
                ("rk3588", None, "", None))
        for chip, layout, beginning, copied in rows:
            asked = ["--config", "rknn.io_layout=" + layout] if layout else []
            for command in (["inspect"], ["bench", "--runs", "1", "--warmup", "0", "--profile"],
                            ["bench", "--runs", "1", "--warmup", "0", "--json"]):
                done = tool(command[0], heads % chip, *command[1:], *asked, environment=self.environment(chip))
                said = done.stderr.decode()
                self.assertEqual(done.returncode, 0, said)
                self.assertTrue(said.startswith(beginning) and bool(said) == bool(beginning), said)
                if copied is not None and "--profile" in command:
                    self.assertRegex(done.stdout.decode(), r"(?m)^ +2  outputs .* %d B$" % copied)

    def test_bytes_of_no_element_are_told_on_stderr(self):
        done = tool("bench", self.model("rk3566"), "--runs", "1", "--config", "rknn.io_layout=native",
                    environment=self.environment("rk3566"))
        self.assertRegex(done.stderr.decode(), r"\Annrt: note: rknn\.io_layout native: 1 of the outputs has bytes of ")

    def test_only_an_npu_has_a_column_of_copied_bytes(self):
        for model, copies in ((self.model("rk3588"), True), (METER, False)):
            text = self.on("rk3588", "bench", model, "--runs", "3", "--profile")
            self.assertEqual(bool(re.search(r"GMAC/s  +copied\n", text)), copies)


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
