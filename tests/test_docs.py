#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that programs write are what the programs would write today.

    make build/print_operators && python3 tests/test_docs.py"""

import os
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


class Docs(unittest.TestCase):
    def test_operators_md_says_what_the_tables_of_the_library_say(self):
        printed = subprocess.run([os.path.join("build", "print_operators")], cwd=ROOT, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, check=True).stdout
        with open(os.path.join(ROOT, "docs", "operators.md"), "rb") as f:
            self.assertEqual(f.read().decode(), printed.decode(), "docs/operators.md is old.  FIX: make docs")


if __name__ == "__main__":
    unittest.main()
