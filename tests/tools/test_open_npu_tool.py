# SPDX-License-Identifier: Apache-2.0
"""test_open_npu_tool.py - the tool and models for a processor and an NPU in one plan: `nnrt inspect` tells what goes
where and why an operator stays, `nnrt compile` makes plans and C files for a chip on any machine, which refuse to run
elsewhere, and each machine says why it has no such device."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import json_page  # noqa: E402

METER = "examples/meter/meter.tflite"
CHIPS = ("rv1106", "rk3588")


def tool(*arguments):
    return subprocess.run(("build/nnrt",) + arguments, capture_output=True, timeout=60)


class OpenNpu(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def succeeds(self, *arguments):
        done = tool(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def inspect(self, *arguments):
        document = json.loads(self.succeeds("inspect", METER, "--json", *arguments))
        self.assertEqual(json_page.mistakes(document), [])
        return document

    def test_every_operator_is_in_a_part_or_stays_for_a_reason(self):
        for chip in CHIPS:
            document = self.inspect("--target", chip)
            self.assertTrue(all(stay["reason"] for stay in document["stays"]))
            numbers = [stay["operator"] for stay in document["stays"]]
            self.assertEqual(numbers, sorted(set(numbers)))
            whole = self.inspect("--target", "scalar", "--config", "nnrt.passes=none")
            if not any(step["kernel"] == "accelerated" for step in document["steps"]):
                self.assertEqual(len(numbers), len(whole["steps"]))
            else:
                self.assertLess(len(numbers), len(whole["steps"]))
        self.assertEqual(self.inspect()["stays"], [])

    def test_the_page_says_what_goes_where(self):
        text = self.succeeds("inspect", METER, "--target", "rk3588")
        rows = re.search(r"(?s)\nstays on the CPU\n(.*?)\n\n", text).group(1).splitlines()
        self.assertRegex(rows[0], r"^ +\d+  [A-Z0-9_]+ +\S")
        self.assertNotIn("stays on the CPU", self.succeeds("inspect", METER))

    def test_the_accelerator_has_its_operators_and_what_they_cost(self):
        document = self.inspect("--target", "rv1106")
        part, = document["parts"]
        done, stays = document["done"], document["stays"]
        step = document["steps"][part["step"]]
        self.assertEqual(step["kernel"], "accelerated")
        self.assertEqual(sorted(o["operator"] for o in done + stays), list(range(10)))  # those of the meter
        for of_all, of_one in (("tasks", "tasks"), ("tiles", "tiles"), ("read_bytes", "read_bytes"),
                               ("written_bytes", "written_bytes")):
            self.assertEqual(part[of_all], sum(o[of_one] for o in done), of_all)
        self.assertEqual(step["macs"], sum(o["macs"] for o in done))
        self.assertEqual(step["weights_bytes"] >= part["loaded_bytes"] > 16000, True)
        self.assertGreater(part["memory_bytes"], part["loaded_bytes"])
        self.assertTrue(200 < part["estimated_us"] < 1000, part)
        text = self.succeeds("inspect", METER, "--target", "rv1106")
        for number in (part["tasks"], part["tiles"], part["read_bytes"], part["estimated_us"] / 1e3):
            self.assertRegex(text, r"\b%s\b" % number)
        self.assertIn("no silicon has been timed", text)
        rows = re.search(r"(?s)\ndone by the accelerator\n(.*?)\n\n", text).group(1).splitlines()
        self.assertEqual(len(rows), len(done) + 1)
        for name in ("parts", "done", "stays"):
            self.assertEqual(self.inspect()[name], [])

    def test_a_plan_tells_what_its_parts_cost_and_knows_no_operators(self):
        plan = self.path("a.plan")
        self.succeeds("compile", METER, "--target", "rv1106", "-o", plan)
        document = json.loads(self.succeeds("inspect", plan, "--target", "rv1106", "--json"))
        self.assertEqual(document["parts"], self.inspect("--target", "rv1106")["parts"])
        self.assertEqual((document["done"], document["stays"]), ([], []))

    def test_a_plan_for_a_chip_is_made_here_and_does_not_run_here(self):
        for chip in CHIPS:
            plan, source = self.path(chip + ".plan"), self.path(chip + ".h")
            self.succeeds("compile", METER, "--target", chip, "-o", plan, "--c", source)
            with open(source, encoding="ascii") as f:
                steps = dict(re.findall(r"X\((\w+), (\w+)\)", f.read()))
            self.assertEqual(steps.get("accelerated", "SCALAR"), "SCALAR")
            self.assertNotIn(chip.upper(), steps.values())
            self.assertNotEqual(tool("run", plan, "--random", "1").returncode, 0)

    def test_compiling_twice_gives_the_same_plan(self):
        for chip in CHIPS:
            for name in "ab":
                self.succeeds("compile", METER, "--target", chip, "-o", self.path(name))
            with open(self.path("a"), "rb") as a, open(self.path("b"), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_a_machine_without_the_npu_says_why(self):
        listed = self.succeeds("devices")
        for chip in CHIPS:
            if "rknpu_open_" + chip in listed:
                continue
            done = tool("inspect", METER, "--device", "rknpu_open_" + chip)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr.decode(), r"rknpu_open_%s_\S+ is not listed: \S" % chip)


if __name__ == "__main__":
    unittest.main()
