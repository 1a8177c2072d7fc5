#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What takes more than a second shows how far it is, on a terminal and nowhere else, and leaves nothing behind.

    make tool && python3 tests/tools/test_tool_progress.py"""

import os
import pty
import re
import select
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_tool import METER, TOOL, ToolCase  # noqa: E402


def on_terminal(*arguments):
    """(what came to the terminal as stderr, stdout)"""
    try:
        master, slave = pty.openpty()
    except OSError:  # in a chroot, mostly: nobody has mounted /dev/pts
        raise unittest.SkipTest("skipped, no pseudo-terminal")
    running = subprocess.Popen(TOOL + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    told, seen = [], b""

    def read_on():
        try:
            return os.read(master, 4096)
        except OSError:  # the last one who held the other end has closed it
            return b""

    while True:
        ready = select.select([master, running.stdout], [], [], 60)[0]
        if master in ready:
            piece = read_on()
            seen += piece
            if not piece:
                break
        if running.stdout in ready:
            piece = os.read(running.stdout.fileno(), 65536)
            told.append(piece)
            if not piece and master not in ready:
                break
    seen += read_on()
    os.close(master)
    told.append(running.stdout.read())
    running.stdout.close()
    assert running.wait(60) == 0
    return seen.decode(), b"".join(told).decode()


class Progress(ToolCase):
    def runs_of(self, seconds):
        """How many runs of the meter take so long here."""
        text = self.succeeds("bench", METER, "--runs", "200", "--threads", "1")
        return max(200, int(1000 * seconds / float(re.search(r"run, min +([\d.]+) ms", text).group(1))))

    def test_bench_says_how_far_it_is_and_takes_the_line_back(self):
        seen, told = on_terminal("bench", METER, "--runs", str(min(1000000, self.runs_of(2.5))), "--threads", "1")
        self.assertRegex(seen, r"\A(\rrun \d+ of \d+, \d+ s: \S+\x1b\[K)+\r\x1b\[K\Z")
        done = [int(n) for n in re.findall(r"run (\d+) of", seen)]
        self.assertEqual(done, sorted(done))
        self.assertIn("run, median", told)
        self.assertLessEqual(max(len(re.sub(r"\x1b\[K", "", line)) for line in seen.split("\r")), 72)

    def test_what_is_fast_and_what_no_person_sees_says_nothing(self):
        self.assertEqual(on_terminal("bench", METER, "--runs", "2")[0], "")
        self.succeeds("bench", METER, "--runs", str(min(1000000, self.runs_of(1.2))), "--threads", "1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
