#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mechanical part of our style, for every text file of the tree: ASCII, LF, no tab (but in a Makefile), no blank
at a line's end; in code the licence line first, lines of at most 120 columns (aim at 110), files of at most 1,500
lines, and nothing left to do. Prints file:line for each finding."""

import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CODE = (".c", ".h", ".py", ".sh")
TEXT = CODE + (".md", "Makefile", "run", ".gitignore", ".dict")
# Written by a program, or data: long by nature.
GENERATED = re.compile(r"(^|/)(golden|seeds|models)/|_data\.h$|_golden\.h$")


def findings(path, data):
    code = path.endswith(CODE)
    for number, line in enumerate(data.split(b"\n"), 1):
        for pattern, what in ((rb"[^\x20-\x7e\t]", "a byte that is not plain ASCII with LF"),
                              (rb"[ \t]$", "blanks at the end of the line"),
                              (rb"\t" if not path.endswith("Makefile") else rb"[^\t]\t", "a tab")):
            if re.search(pattern, line):
                yield number, what
        if code and len(line) > 120:
            yield number, "%d columns" % len(line)
        if code and re.search(rb"\b(TO" rb"DO|FIX" rb"ME|X" rb"XX)\b", line):
            yield number, "work that is left to do"
    if data and not data.endswith(b"\n"):
        yield number, "the last line has no end"
    if path.endswith((".c", ".h")) and not data.startswith(b"/* SPDX-License-Identifier: Apache-2.0 */\n"):
        yield 1, "the first line is not /* SPDX-License-Identifier: Apache-2.0 */"
    if path.endswith((".c", ".h")) and number > 1501:
        yield 1, "%d lines: more than one person holds in the head; split it" % (number - 1)


def main():
    count = found = 0
    for where, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in (".git", "build", "__pycache__"))
        for name in sorted(files):
            path = os.path.relpath(os.path.join(where, name), ROOT)
            if not name.endswith(TEXT) or GENERATED.search(path):
                continue
            count += 1
            with open(os.path.join(ROOT, path), "rb") as f:
                for line, what in findings(path, f.read()):
                    found += 1
                    print("%s:%d: %s" % (path, line, what))
    print("%d files, %d findings%s" % (count, found, "\n  FIX: mend the named lines" if found else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
