#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows Doxygen a public header with its comments marked as Doxygen wants them; lines keep their numbers.

    tests/docs/doxygen_filter.py core/api.h

A comment that stands right above a declaration, or behind one, is its documentation. A declaration right below another
one shares its comment. A function without any is an error: the sentence goes to standard error."""

import re
import sys

path = sys.argv[1]
text = open(path, encoding="ascii").read()
first = "/** @file */"  # without it Doxygen leaves out functions that belong to no structure

# The return codes that a comment lists get a line each.
def marked(comment, opening):
    comment = re.sub(r"(\bOH_NN_[A-Z_]+): ", r"<br>`\1`: ", comment)
    comment = re.sub(r"(\.\s+)(OH_NN_[A-Z_]+)(?=\.\s)", r"\1<br>`\2`", comment)
    return opening + comment[2:].replace("@", "\\@")


parts = re.split(r"(/\*.*?\*/)", text, flags=re.S)
for i, part in enumerate(parts):
    if i % 2 == 0:
        continue
    above, below = parts[i - 1], parts[i + 1]
    starts_line = above == "" or above.rsplit("\n", 1)[-1].strip() == ""
    if not starts_line:
        parts[i] = marked(part, "/**<")
    elif re.match(r"\n *[A-Za-z]", below) and not part.startswith("/* -") and not part.startswith("/* SPDX"):
        parts[i] = marked(part, "/**")
        shared = re.sub(r"\s*\n\s*", " ", parts[i])
        parts[i + 1] = re.sub(r";\n(?=NNRT_API)", lambda _: ";\n" + shared + " ", below)
text = "".join(parts)
bare = 0
for found in re.finditer(r"^NNRT_API [^;]*?(\w+)\(", text, flags=re.M):
    if not text[: found.start()].rstrip("\n").endswith("*/"):
        bare += 1
        line = text.count("\n", 0, found.start()) + 1
        sys.stderr.write("%s:%d: warning: %s has no comment right above it\n" % (path, line, found.group(1)))
sys.stdout.write(text.replace("/* SPDX-License-Identifier: Apache-2.0 */", first, 1))
sys.exit(1 if bare else 0)
