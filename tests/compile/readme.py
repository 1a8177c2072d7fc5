#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes each ```c block of a Markdown file that has a main() to FOLDER/readme_LINE.c, so that it can be compiled.

    tests/compile/readme.py README.md FOLDER"""

import os
import re
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    text = f.read()
for block in re.finditer(r"^```c\n(.*?)^```$", text, re.M | re.S):
    if "main(" in block.group(1):
        line = text.count("\n", 0, block.start()) + 2
        with open(os.path.join(sys.argv[2], "readme_%d.c" % line), "w") as f:
            f.write(block.group(1))
