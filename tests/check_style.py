#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mechanical part of our style, for every text file of the tree: ASCII (but in *.zh.md), LF, no tab (but in a
Makefile or Kconfig), no blank at a line's end; in code the licence line first, lines of at most 120 columns (aim at
110), files of at most 1,500 lines, and nothing left to do; C as .clang-format has it, where clang-format 14 is
installed (other versions lay out otherwise). And the tags by which a room is found: each stands once, in the
first paragraph of its room, and none is named that is not. The environment is read in one
place. Prints file:line for each finding.

    tests/check_style.py            checks
    tests/check_style.py --format   lays out every C file; `make format`"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CODE = (".c", ".h", ".py", ".sh")
MAKE = ("Makefile", ".mk", "Config.in", "Kconfig")
TEXT = CODE + MAKE + (".md", "run", ".gitignore", ".dict", "CMakeLists.txt", ".cmake", ".in", "meson.build")
ENVIRONMENT = "core/platform_files.h"
# Written by a program, or data: long by nature.
GENERATED = re.compile(r"(^|/)(golden|seeds|models)/|_data\.h$|_golden\.h$|_plan\.h$")


def findings(path, data):
    code = path.endswith(CODE)
    other = rb"[^\x20-\x7e\t\x80-\xff]" if path.endswith(".zh.md") else rb"[^\x20-\x7e\t]"
    for number, line in enumerate(data.split(b"\n"), 1):
        for pattern, what in ((other, "a byte that is not plain ASCII with LF"),
                              (rb"[ \t]$", "blanks at the end of the line"),
                              (rb"\t" if not path.endswith(MAKE) else rb"[^\t]\t", "a tab")):
            if re.search(pattern, line):
                yield number, what
        if code and len(line) > 120:
            yield number, "%d columns" % len(line)
        if code and re.search(rb"\b(TO" rb"DO|FIX" rb"ME|X" rb"XX)\b", line):
            yield number, "work that is left to do"
        if path.endswith(".h") and not path.startswith("tests/") and path != ENVIRONMENT and b"getenv(" in line:
            yield number, "getenv: nnrt__environment knows whom not to believe"
    if data and not data.endswith(b"\n"):
        yield number, "the last line has no end"
    if path.endswith((".c", ".h")) and not data.startswith(b"/* SPDX-License-Identifier: Apache-2.0 */\n"):
        yield 1, "the first line is not /* SPDX-License-Identifier: Apache-2.0 */"
    if path.endswith((".c", ".h")) and number > 1501:
        yield 1, "%d lines: more than one person holds in the head; split it" % (number - 1)


def tag_of(path):
    """The tag of a room: core/cache.h is cache, cpu/plan.h cpu_plan, nnrt_backend_cpu.h cpu; None: it has none."""
    front = re.match(r"nnrt_(?:backend_)?(\w+)\.h$", path)
    room = re.match(r"(?:core/|(?=(?:bpu|cpu|data|detection|dsp|group|image|nnie|npu|rknpu|rknpu_open|selftest|"
                    r"tflite)/|kernels/(?:compiler|internal|isas|pack_scalar|packing)\.))([\w/]+)\.h$", path)
    return front.group(1) if front else room.group(1).replace("/", "_") if room else None


def tag_findings(files):
    """Of >>tags in headers, sources and pages: a room without its own, one told twice, one that no room has."""
    text = {}
    for path in files:
        if path.endswith((".h", ".c", ".md")):
            with open(os.path.join(ROOT, path), "rb") as f:
                text[path] = f.read().decode("ascii", "replace")
    tags = dict((tag_of(path), path) for path in text if tag_of(path))
    tags["config"] = "nnrt.h"
    for path, data in text.items():
        lines, own, here = data.split("\n"), tag_of(path), 0
        first = next((number for number, line in enumerate(lines, 1) if number > 1 and (
            not line.strip() or line.rstrip().endswith("*/"))), 0)
        for number, line in enumerate(lines, 1):
            for tag in re.findall(r"(?<![\w>)])>>([a-z][\w:]*)", line):
                here += tag == own
                if tag not in tags:
                    yield path, number, "no room has the tag >>%s" % tag
                elif tag == own and (here > 1 or number > first):
                    yield path, number, "the room's tag belongs into its first paragraph, once"
        if own and not here:
            yield path, 1, "the first paragraph does not end with >>%s" % own
    if text["nnrt.h"].count(">>config\n") != 1:
        yield "nnrt.h", 1, "the options do not begin at >>config"
    for tag, path in sorted(tags.items()):
        if path.startswith("core/") and not re.search(r">>%s\b" % tag, text["nnrt.h"]):
            yield "nnrt.h", 1, ">>%s is not in the list of rooms" % tag


def clang_format():
    """The name of clang-format 14; None where there is none."""
    for name in ("clang-format-14", "clang-format"):
        try:
            if b"version 14." in subprocess.run([name, "--version"], stdout=subprocess.PIPE).stdout:
                return name
        except OSError:
            continue
    return None


def lay_out(tool, paths, way):
    """Runs the tool over the files, as many at a time as there are cores; what it says."""
    def one(part):
        return subprocess.run([tool, "--style=file"] + way + part, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=ROOT).stdout.decode("utf-8", "replace")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(one, [paths[i:i + 20] for i in range(0, len(paths), 20)]))


def layout_findings(paths):
    """The first wrong line of each file; None without the tool."""
    tool, seen = clang_format(), set()
    if tool is None:
        return None
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: (?:warning|error): code should be", lay_out(
            tool, paths, ["--dry-run", "--Werror"]), re.M):
        if path not in seen:
            seen.add(path)
            print("%s:%s: not laid out as .clang-format has it" % (path, line))
    return len(seen)


def text_files():
    for where, folders, files in os.walk(ROOT):
        folders[:] = sorted(f for f in folders if f not in (".git", "build", "__pycache__"))
        for name in sorted(files):
            path = os.path.relpath(os.path.join(where, name), ROOT)
            if name.endswith(TEXT) and not GENERATED.search(path):
                yield path


def main():
    files = list(text_files())
    sources = [path for path in files if path.endswith((".c", ".h"))]
    if sys.argv[1:] == ["--format"]:
        tool = clang_format()
        if tool is None:
            print("no clang-format 14\n  FIX: sudo apt-get install clang-format-14")
            return 1
        print(lay_out(tool, sources, ["-i"]) + "%d files laid out" % len(sources))
        return 0
    found = 0
    for path in files:
        with open(os.path.join(ROOT, path), "rb") as f:
            for line, what in findings(path, f.read()):
                found += 1
                print("%s:%d: %s" % (path, line, what))
    for path, line, what in tag_findings(files):
        found += 1
        print("%s:%d: %s" % (path, line, what))
    wrong = layout_findings(sources)
    if wrong is None:
        print("no clang-format 14: the layout of %d files was not looked at" % len(sources))
    found += wrong or 0
    print("%d files, %d findings%s" % (len(files), found, "\n  FIX: make format, or mend the named lines" if found
                                       else ""))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
