#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of tests/bench/figures_mcu.md notices what grows: bench_mcu.py without boards, its figures made up.

    python3 tests/tools/test_bench_mcu.py"""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))
import bench_mcu  # noqa: E402

PAGE = """# Figures

## Instructions, million

| | meter | ad01 |
|---|---:|---:|
| Cortex-M4 | 2.000 | 0.530 |
| Cortex-M4, goal | - | 0.52 |
| Cortex-M4, missed by | - | 1.9 % |
| RV32IMAC | 4.000 | - |

Older ones:

| | meter | ad01 |
|---|---:|---:|
| Cortex-M4, portable kernels of before | 6.1 | 1.4 |

Kernels on one board, and the same on another:

| | portable | own |
|---|---:|---:|
| gemm_s16 | 1,000 | 100 |

| | portable | own |
|---|---:|---:|
| gemm_s16 | 2,000 | 300 |

## Flash, bytes

| | meter | ad01 |
|---|---:|---:|
| Cortex-M4 | 48,000 | 310,000 |

## Start-up, thousand instructions

| | meter | ad01 |
|---|---:|---:|
| Cortex-M4 | 21.8 | 5.0 |
| Cortex-M4, goal: 1 % of a run | 20.0 | 5.3 |
| Cortex-M4, missed by | 9.0 % | kept |
"""
SAME = {("Instructions", "Cortex-M4"): 2.0, ("Flash", "Cortex-M4"): 48000, ("Start-up", "Cortex-M4"): 21.8}


def call(arguments, figures=None, page=PAGE, compiler="12.2.1", missing=""):
    """What the script answers, what it prints, and the page afterwards; measuring a board gives figures."""
    with tempfile.NamedTemporaryFile("w+", suffix=".md") as f:
        f.write(page)
        f.flush()
        out = io.StringIO()
        measured = mock.Mock(side_effect=figures) if callable(figures) else mock.Mock(return_value=figures or SAME)
        with mock.patch.multiple(bench_mcu, measure=measured, compiler=lambda board: compiler), \
                mock.patch.object(bench_mcu.bare, "missing", lambda board: missing), \
                mock.patch.object(sys, "argv", ["bench_mcu.py", "m4", "--models", "meter", *arguments, f.name]), \
                contextlib.redirect_stdout(out):
            code = bench_mcu.main()
        with open(f.name) as after:
            return code, out.getvalue(), after.read()


class Check(unittest.TestCase):
    def test_the_same_figures_pass(self):
        code, text, page = call(["--check"])
        self.assertEqual((code, page), (0, PAGE), text)
        self.assertIn("1 passed, 0 failed, 0 skipped\n", text)

    def test_each_figure_fails_when_it_has_grown_by_more_than_2_percent(self):
        for key, figure in SAME.items():
            for factor, fails in ((0.5, 0), (1.019, 0), (1.021, 1), (3, 1)):
                code, text, _ = call(["--check"], {**SAME, key: figure * factor})
                self.assertEqual(code, fails, "%s x %s: %s" % (key, factor, text))
                if fails:
                    self.assertIn("FAILED %s, %s, meter: " % key, text)
                    self.assertIn("0 passed, 1 failed, 0 skipped\n", text)

    def test_a_figure_that_the_page_does_not_have_fails(self):
        code, text, _ = call(["--check"], {**SAME, ("RAM", "Cortex-M4"): 8264})
        self.assertEqual(code, 1)
        self.assertIn("FAILED RAM, Cortex-M4, meter: 8264, and the page has no such figure", text)

    def test_a_program_that_does_not_end_well_fails_and_the_others_are_still_tried(self):
        def broken(*_):
            raise RuntimeError("other bytes than on a PC")
        code, text, _ = call(["--check"], broken)
        self.assertEqual(code, 1)
        self.assertIn("FAILED meter on m4: other bytes than on a PC", text)

    def test_a_row_that_does_not_follow_from_the_others_fails(self):
        for right, wrong in (("1.9 %", "kept"), ("1.9 %", "1.0 %"), ("| 20.0 |", "| 21.0 |"), ("9.0 %", "8.0 %")):
            code, text, _ = call(["--check"], page=PAGE.replace(right, wrong))
            self.assertEqual(code, 1, wrong)
            self.assertIn("do not follow from the others", text)

    def test_another_compiler_and_a_machine_without_one_are_skipped_with_a_sentence(self):
        grown = {("Flash", "Cortex-M4"): 90000}
        for more, sentence in (({"compiler": "13.1.0"}, "the page is for GCC 12.2, this is 13.1.0"),
                               ({"missing": "no arm-none-eabi-gcc"}, "no arm-none-eabi-gcc")):
            code, text, _ = call(["--check"], grown, **more)
            self.assertEqual(code, 0)
            self.assertIn("skipped, %s: m4\n" % sentence, text)
            self.assertIn("0 passed, 0 failed, 1 skipped\n", text)

    def test_another_compiler_s_figures_can_be_written_all_the_same(self):
        self.assertIn("| Cortex-M4 | 48,000 |", call(["--write"], compiler="13.1.0")[2])


class Write(unittest.TestCase):
    def test_what_is_measured_is_replaced_with_what_follows_from_it_and_nothing_else(self):
        figures = {("Instructions", "Cortex-M4"): 2.5, ("Flash", "Cortex-M4"): 1234567}
        _, text, page = call(["--write"], figures)
        want = PAGE.replace("2.000", "2.500").replace("48,000", "1,234,567").replace("| 20.0 |", "| 25.0 |")
        self.assertEqual(page, want.replace("9.0 %", "kept"), text)

    def test_the_page_of_the_tree_follows_from_itself(self):
        with open(bench_mcu.PAGE) as f:
            text = f.read()
        page = bench_mcu.Page(text)
        page.derive()
        self.assertEqual(page.text(), text)
        for board in bench_mcu.ON_PAGE:
            for table in bench_mcu.FORMATS:
                for column in bench_mcu.MODELS:
                    self.assertIsNotNone(page.number(table, bench_mcu.ROWS[board], column))


if __name__ == "__main__":
    unittest.main()
