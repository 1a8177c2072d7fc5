# SPDX-License-Identifier: Apache-2.0
"""Pages of simulated boards that mark how a behaviour is known say how many marks of each kind they have.

    python3 tests/sim/test_sim_marks.py"""

import glob
import os
import re
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = re.compile(r"^seen (\d+), documented (\d+), assumed (\d+)$", re.M)
KINDS = ["seen", "documented", "assumed"]


class Marks(unittest.TestCase):
    def test_counts_are_those_of_the_marks(self):
        counted = 0
        for path in glob.glob(os.path.join(HERE, "*", "README.md")):
            with open(path) as file:
                text = file.read()
            claimed = COUNTS.search(text)
            if claimed is None:
                continue
            counted += 1
            behaviours = text[claimed.end():]
            found = [len(re.findall(r"\*%s\*" % kind, behaviours)) for kind in KINDS]
            self.assertEqual([int(n) for n in claimed.groups()], found,
                             "%s; FIX: write 'seen %d, documented %d, assumed %d'" % (os.path.relpath(path), *found))
        self.assertGreater(counted, 0)

    def test_every_behaviour_has_a_mark(self):
        for board in "rknpu", "nnie", "bpu":
            with open(os.path.join(HERE, board, "README.md")) as file:
                text = file.read()
            bullets = re.findall(r"^\* (.*(?:\n  .*)*)", text, re.M)
            self.assertGreater(len(bullets), 50)
            for bullet in bullets:
                self.assertRegex(bullet, r"\*(%s)\*$" % "|".join(KINDS),
                                 "a behaviour that does not say how it is known")


if __name__ == "__main__":
    unittest.main()
