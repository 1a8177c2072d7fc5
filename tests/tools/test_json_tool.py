#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tool prints with --json: every field is on docs/json.md with its type, every field of the page is printed,
the parts agree with one another, and a command that fails prints none.

    make tool && python3 tests/tools/test_json_tool.py"""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import json_page  # noqa: E402
from test_tool import GOLDEN, METER, ROOT, ToolCase  # noqa: E402

INPUT = os.path.join(GOLDEN, "input0.bin")
FOREIGN = os.path.join(ROOT, "tests", "fuzz", "seeds", "wk_file", "equal_names.wk")


class Json(ToolCase):
    def document(self, *arguments):
        document = json.loads(self.succeeds(*arguments, "--json"))
        self.assertEqual(json_page.mistakes(document, self.seen), [], arguments)
        self.assertEqual(document["command"], arguments[0])
        return document

    def setUp(self):
        super().setUp()
        self.seen = set()

    def test_every_field_is_on_the_page_and_every_field_of_the_page_is_printed(self):
        self.document("devices")
        self.document("doctor", "--root", self.folder)
        self.document("inspect", METER)
        self.document("inspect", METER, "--performance", "low", "--isa", "scalar", "--threads", "2")
        self.document("inspect", METER, "--target", "scalar")
        targets = [line.split()[0] for line in self.succeeds("compile", "--target", "?").splitlines()]
        for target in targets[-3:]:  # chips with an accelerator, where there are any
            self.document("inspect", METER, "--target", target)
        self.document("inspect", os.path.join(ROOT, "tests", "fuzz", "seeds", "tflite", "flatten_open.tflite"))
        self.document("run", METER, "--input", INPUT)
        self.document("run", METER, "--input", INPUT, "--expect", os.path.join(GOLDEN, "expected0.bin"))
        self.document("bench", METER, "--runs", "3", "--profile", "--deadline", "1000")
        self.document("diff", METER, METER)
        missing = set(json_page.rows()) - self.seen
        # Said only of a device that is not here, or by devices with an NPU.
        self.assertEqual(missing - {"why_missing", "missing[]", "facts[].label", "facts[].text"}, set())

    def test_a_file_of_a_device_that_is_not_here_tells_itself_and_why(self):
        document = self.document("inspect", FOREIGN)
        self.assertIsNone(document["device"])
        self.assertGreater(len(document["why_missing"]), 10)
        self.assertGreater(len(document["file"]["facts"]), 3)

    def test_a_command_that_fails_prints_nothing(self):
        self.fails(3, "", "inspect", self.path("none"), "--json")
        self.fails(1, "", "bench", self.file("bad", b"no model at all"), "--json")
        self.fails(3, "", "run", METER, "--input", self.file("short", b"x"), "--json")

    def test_edges_are_what_steps_read_and_write(self):
        for options in ((), ("--performance", "low"), ("--config", "nnrt.passes=none")):
            d = self.document("inspect", METER, *options)
            writers, edges = {}, []

            def root(tensor):
                view_of = d["tensors"][tensor]["view_of"]
                return tensor if view_of is None else root(view_of)

            def edge(tensor, to):
                if d["tensors"][root(tensor)]["place"] not in ("plan", "model"):
                    edges.append({"tensor": tensor, "from": writers.get(root(tensor)), "to": to})

            for number, step in enumerate(d["steps"]):
                for tensor in step["inputs"]:
                    if tensor is not None:
                        edge(tensor, number)
                for tensor in step["outputs"]:
                    writers[tensor] = number
            self.assertEqual(d["edges"][:-1], edges, options)
            self.assertEqual((d["edges"][-1]["from"], d["edges"][-1]["to"]), (len(d["steps"]) - 1, None))

    def test_windows_are_those_of_the_model(self):
        square = {"kernel": [3, 3], "stride": [1, 1], "dilation": [1, 1], "padding": [1, 1, 1, 1]}
        valid, halves = dict(square, padding=[0] * 4), dict(square, kernel=[2, 2], stride=[2, 2], padding=[0] * 4)
        wanted = [square, halves, square, dict(valid, kernel=[1, 1]), halves, valid,
                  dict(valid, kernel=[2, 1], stride=[2, 1]), None, None]
        for options in ((), ("--performance", "low"), ("--isa", "scalar")):
            steps = self.document("inspect", METER, *options)["steps"]
            self.assertEqual([s["window"] for s in steps], wanted, options)
        seeds = os.path.join(ROOT, "tests", "fuzz", "seeds", "tflite")
        up = self.document("inspect", os.path.join(seeds, "transpose_conv_s8.tflite"))
        self.assertEqual([s["window"] for s in up["steps"] if s["operator"] == "CONV2D_TRANSPOSE"],
                         [dict(valid, kernel=[2, 1], stride=[2, 1])])

    def test_what_lies_in_the_arena_ends_where_the_arena_does(self):
        d = self.document("inspect", METER)
        ends = [t["offset"] + (t["bytes"] + 63) // 64 * 64 for t in d["tensors"] if t["place"] == "arena"]
        ends += [s["scratch_offset"] + s["scratch_bytes"] for s in d["steps"]]
        self.assertEqual(max(ends), d["memory"]["arena_bytes"])
        self.assertLessEqual(d["memory"]["bound_bytes"], d["memory"]["arena_bytes"])

    def test_times_are_there_with_a_profile_and_only_then(self):
        self.assertEqual({s["runs"] for s in self.document("bench", METER, "--runs", "3")["steps"]}, {0})
        timed = self.document("bench", METER, "--runs", "3", "--warmup", "1", "--profile")["steps"]
        self.assertEqual({s["runs"] for s in timed}, {4})
        for step in timed:
            self.assertTrue(0 < step["min_us"] <= min(step["mean_us"], step["median_us"]))

    def test_the_largest_values_are_those_of_the_text(self):
        d = self.document("run", METER, "--input", INPUT, "--top", "3")
        text = self.succeeds("run", METER, "--input", INPUT, "--top", "3")
        self.assertEqual(len(d["top"][0]), 3)
        for best in d["top"][0]:
            self.assertRegex(text, r"(?m)^ +%d +%s +%d$" % (best["class"], "%.6g" % best["value"], best["stored"]))

    def test_figures_are_those_of_the_text(self):
        d = self.document("inspect", METER)
        text = self.succeeds("inspect", METER)
        for name in ("arena", "bound", "scratch", "weights", "plan", "borrowed", "heap", "device", "state"):
            self.assertRegex(text, r"(?m)^  %s +%d B" % (name, d["memory"][name + "_bytes"]))
        self.assertRegex(text, r"(?m)^ +total +%d B +%d$" % (sum(s["weights_bytes"] for s in d["steps"]),
                                                             sum(s["macs"] for s in d["steps"])))


if __name__ == "__main__":
    unittest.main()
