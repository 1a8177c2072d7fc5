#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What run_tests.py counts: programs that say what Criterion and its stand-in say, and Python suites, with tests that
pass, fail and skip themselves."""

import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run_tests.py")
sys.path.insert(0, os.path.dirname(RUN))
sys.dont_write_bytecode = True
import run_tests  # noqa: E402

SUITE = """import unittest
class T(unittest.TestCase):
    def test_a(self): pass
    def test_b(self): self.skipTest("skipped, no models")
    @unittest.skipUnless(False, "no gcc")
    def test_c(self): pass
    %s
unittest.main()
"""


def says(tested, passed, *lines):
    """A program's text: what it prints."""
    line = "[====] Synthesis: Tested: %d | Passing: %d | Failing: %d | Crashing: 0 " % (tested, passed, tested - passed)
    return "#!/bin/sh\ncat <<'END'\n%s\nEND\nexit %d\n" % ("\n".join(lines + (line,)), passed != tested)


class Counting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_tests(self, **programs):
        paths = []
        for name, text in programs.items():
            path = os.path.join(self.folder.name, name + (".py" if text.startswith("import") else ""))
            with open(path, "w") as f:
                f.write(text)
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
            paths.append(path)
        done = subprocess.run([sys.executable, RUN] + paths, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode(), done.returncode

    def ends_with(self, line, result, **programs):
        output, code = self.run_tests(**programs)
        self.assertEqual(output.rstrip("\n").split("\n")[-1], line, output)
        self.assertEqual(code, result, output)
        return output

    def test_what_passes_is_counted_and_nothing_is_skipped(self):
        self.ends_with("3 passed, 0 failed, 0 skipped", 0, test_a=says(2, 2), test_b=says(1, 1))

    def test_a_test_that_skips_itself_is_not_passed_and_its_reason_is_shown(self):
        output = self.ends_with("2 passed, 0 failed, 2 skipped", 0, test_a=says(
            2, 2, "[RUN ] a::b", "[SKIP] a::b: skipped, no models", "[\x1b[0;35mSKIP\x1b[0m] a::c: not here"))
        self.assertIn("    [SKIP] a::b: skipped, no models\n", output)
        self.assertIn("a::c: not here", output)

    def test_a_program_whose_tests_are_all_skipped_does_not_fail(self):
        self.ends_with("0 passed, 0 failed, 1 skipped", 0, test_a=says(0, 0, "[SKIP] a::b: no"))
        self.ends_with("0 passed, 1 failed, 0 skipped", 1, test_a=says(0, 0))

    def test_a_test_that_tries_less_than_it_could_is_passed_and_says_so(self):
        output = self.ends_with("1 passed, 0 failed, 0 skipped", 0,
                                test_a=says(1, 1, "skipped, no simulated rk3588 1.4.0"))
        self.assertIn("    skipped, no simulated rk3588 1.4.0\n", output)

    def test_what_fails_is_shown_without_the_names_of_what_passed(self):
        output = self.ends_with("1 passed, 1 failed, 1 skipped", 1, test_a=says(
            2, 1, "[RUN ] a::b", "[PASS] a::b: (0.00s)", "[FAIL] a::c: (0.00s)", "[SKIP] a::d: no"))
        self.assertIn("[FAIL] a::c", output)
        self.assertIsNone(re.search("a::b", output), output)

    def test_tests_of_python_that_are_skipped_are_counted_as_those(self):
        self.ends_with("1 passed, 0 failed, 2 skipped", 0, test_a=SUITE % "")
        self.ends_with("2 passed, 1 failed, 4 skipped", 1, test_a=SUITE % "",
                       test_b=SUITE % "def test_d(self): self.fail()")

    def wait_with_load(self, load):
        """What becomes of a program of half a second that has a tenth, on a machine that is so busy."""
        path = os.path.join(self.folder.name, "test_slow")
        with open(path, "w") as f:
            f.write(says(1, 1).replace("cat", "sleep 0.5; cat", 1))
        os.chmod(path, 0o755)
        real = os.getloadavg
        self.addCleanup(setattr, os, "getloadavg", real)
        os.getloadavg = lambda: (load * os.cpu_count(), 0, 0)
        return run_tests.run_and_count(path, "", 0.1)

    def test_what_takes_too_long_fails_and_says_how_to_wait(self):
        passed, failed, _, why, _ = self.wait_with_load(0.1)
        self.assertEqual((passed, failed), (0, 1))
        self.assertRegex(why, "took more than .* s; TIMEOUT=SECONDS")

    def test_a_busy_machine_is_waited_for(self):
        self.assertEqual(self.wait_with_load(600)[:2], (1, 0))


if __name__ == "__main__":
    unittest.main()
