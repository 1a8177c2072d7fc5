# SPDX-License-Identifier: Apache-2.0
"""json_page.py - docs/json.md as a check: what is printed has every field that the page lists for the command, of that
type, and no other."""

import os
import re

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "json.md")
LETTERS = {"devices": "d", "inspect": "i", "run": "r", "bench": "b", "doctor": "o", "diff": "f"}
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict,
         "null": type(None)}
OPTIONAL = {"why_missing"}


def rows():
    """Path: (types, letters of commands)."""
    with open(PAGE, encoding="ascii") as f:
        found = re.findall(r"(?m)^\| `([\w.\[\]]+)` \| ([a-z ]+) \| ([dirbof]+) \|", f.read())
    return {path: (kind.split(" or "), letters) for path, kind, letters in found}


def mistakes(document, seen=None):
    """What is wrong with a document, one sentence each. seen: a set that gets the paths met."""
    page, letter, wrong = rows(), LETTERS.get(document.get("command")), []

    def look(value, path):
        if path not in page:
            wrong.append("%s is not on the page" % path)
            return
        kinds, letters = page[path]
        if seen is not None:
            seen.add(path)
        fits = any(isinstance(value, TYPES[kind]) and (isinstance(value, bool) == (kind == "boolean"))
                   for kind in kinds)
        if not fits or letter not in letters:
            wrong.append("%s of %s is %r, the page says %s in %s" %
                         (path, document.get("command"), value, " or ".join(kinds), letters))
        if isinstance(value, list):
            for element in value:
                look_into(element, path + "[]")
        elif isinstance(value, dict):
            look_into(value, path)

    def look_into(value, path):
        if not isinstance(value, dict):
            look(value, path)
            return
        for key, member in value.items():
            look(member, path + "." + key if path else key)
        wanted = {p[len(path):].lstrip(".") for p, (_, letters) in page.items()
                  if letter in letters and p.startswith(path + "." if path else "")}
        for key in sorted(k for k in wanted if re.fullmatch(r"\w+", k) and k not in value and k not in OPTIONAL):
            if not (document.get("why_missing") and not path):
                wrong.append("%s.%s of %s is missing" % (path, key, document.get("command")))

    if letter is None or document.get("schema") != "nnrt/1":
        return ["no schema nnrt/1, or no command"]
    look_into(document, "")
    return wrong
