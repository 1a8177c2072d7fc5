#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows Doxygen a page of Markdown: links to files that are no pages of the site become plain words, and what it would
take for commands of its own stays text.

    tests/docs/doxygen_page.py docs/tool.md"""

import os
import re
import sys

path = sys.argv[1]
BESIDE = ("README", "README.zh", "HACKING", "SECURITY", "CHANGELOG")
FRONT = ("index", "index.zh")


def page_of(target):
    """The page of the site that a link leads to, "tool"; None: there is no such page."""
    base, extension = os.path.splitext(os.path.basename(target))
    if extension != ".md":
        return None
    return base if base in BESIDE + FRONT or os.path.exists(os.path.join("docs", base + ".md")) else None


def anchor(page, heading):
    """The name of a heading, unlike every other one of the site."""
    slug = re.sub(r"[^a-z0-9_ -]", "", heading.lower()).strip().replace(" ", "-")
    return ("%s-%s" % (page.replace(".", "_"), slug or "part")).lower()


def link(found):
    text, target = found.group(1), found.group(2)
    if re.match(r"https?:", target) or target.endswith(".png"):
        return found.group(0)
    if re.search(r"(^|_|/)api(_types|_extensions)?\.h$", target):
        return '@ref %s "%s"' % (target.replace("../", ""), text)
    name, _, place = target.partition("#")
    page = os.path.splitext(os.path.basename(path))[0] if name == "" else page_of(name)
    if page is None:
        return text
    if place == "":
        folder = "" if page in BESIDE else "docs/site/" if page in FRONT else "docs/"
        return "[%s](%s%s.md)" % (text, folder, page)
    return "[%s](#%s)" % (text, anchor(page, place))


def line(text):
    heading = re.match(r"(##+) (.*)\n", text)
    if heading:
        name = anchor(os.path.splitext(os.path.basename(path))[0], heading.group(2))
        count = seen.get(name, 0)
        seen[name] = count + 1
        return "%s %s {#%s}\n" % (heading.group(1), heading.group(2), name + ("-%d" % count if count else ""))
    text = re.sub(r"&#(\d+);", lambda found: chr(int(found.group(1))), text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text) if re.search(r"[^\x00-\x7f]", text) else text
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?<![\\\w])([@\\])(?=\w)", r"\\\1", parts[i])
        parts[i] = re.sub(r"(?<!!)\[([^\]]*)\]\(([^)]*)\)", link, parts[i])
    for i in range(1, len(parts), 2):  # right behind Chinese Doxygen loses where code that starts with a dot begins
        if parts[i].startswith("`.") and parts[i - 1] and ord(parts[i - 1][-1]) > 127:
            parts[i] = "&zwj;" + parts[i]
        if "'" in parts[i]:  # to Doxygen code in single backticks ends there, too
            parts[i] = "`%s`" % parts[i]
    return "".join(parts)


seen = {}
fenced = False
lines = open(path, encoding="utf-8").readlines()
if sum(text.startswith("## ") for text in lines) > 3:
    lines[1:1] = ["\n", "[TOC]\n"]
for text in lines:
    if text.startswith("```"):
        fenced = not fenced
    sys.stdout.write(text if fenced or text.startswith("    ") else line(text))
