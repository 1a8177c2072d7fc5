#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What build/nnrt.h adds to the program that includes it: only names that are ours, and no call that prints or ends it.

Compares a file that includes nnrt.h with one that includes the same system headers only:
  macros   of `cc -E -dM`: each that is new is NNRT_*, NNRT__*, nnrt_*, OH_NN* or NN_*
  types    typedefs, struct and enum tags, enumeration constants, functions and variables, from the debug information
  symbols  of `nm`: every global is OH_NN*, NN_* or nnrt_*; none of abort, exit, printf ... is called
gcc and clang, C, as API only and as implementation, with and without the devices of vendors. Needs
gcc or clang, nm, readelf."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
OURS = re.compile(r"^(NNRT_|nnrt_|OH_NN|NN_)")
FORBIDDEN = re.compile(r"^_?_?(abort|exit|_exit|quick_exit|puts|putchar|perror|assert_fail|assert_rtn|"
                       r"v?f?printf(_chk)?)$")
FORMS = (("API only", ""),
         ("implementation and the open NPU", "#define NNRT_BACKEND_RKNPU_OPEN\n#define NNRT_IMPLEMENTATION\n"),
         ("implementation without CPU", "#define NNRT_NO_CPU\n#define NNRT_IMPLEMENTATION\n"),
         ("API with Rockchip", "#define NNRT_BACKEND_RKNPU\n"),
         # What the CPU device adds, the second form has shown: it takes four fifths of the time.
         ("implementation with Rockchip",
          "#define NNRT_NO_CPU\n#define NNRT_BACKEND_RKNPU\n#define NNRT_IMPLEMENTATION\n"),
         ("implementation with HiSilicon",
          "#define NNRT_NO_CPU\n#define NNRT_BACKEND_NNIE\n#define NNRT_IMPLEMENTATION\n"),
         ("implementation with Horizon",
          "#define NNRT_NO_CPU\n#define NNRT_BACKEND_BPU\n#define NNRT_IMPLEMENTATION\n"),
         ("implementation with groups", "#define NNRT_NO_CPU\n#define NNRT_GROUPS\n#define NNRT_IMPLEMENTATION\n"))


def run(command, text=None):
    done = subprocess.run(command, input=text and text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr.decode()))
    return done.stdout.decode("utf-8", "replace")


def macros(compiler, text):
    lines = run([compiler, "-E", "-dM", "-I", os.path.join(ROOT, "build"), "-x", "c", "-"], text).split("\n")
    return set(re.sub(r"\(.*", "", line.split()[1]) for line in lines if line.startswith("#define "))


def declared(compiler, text, work):
    """Names at file scope, and enumeration constants, that the debug information knows."""
    with tempfile.NamedTemporaryFile("w", suffix=".c", dir=work, delete=False) as f:
        f.write(text)
    source, made = f.name, f.name[:-1] + "o"
    keep = ["-fno-eliminate-unused-debug-types", "-fno-eliminate-unused-debug-symbols"] if compiler == "gcc" else []
    run([compiler, "-g", "-O0", "-c", "-I", os.path.join(ROOT, "build"), source, "-o", made] + keep)
    names, tag, depth = set(), "", 0
    for line in run(["readelf", "--debug-dump=info", made]).split("\n"):
        entry = re.match(r"\s*<(\d+)><[0-9a-f]+>.*\(DW_TAG_(\w+)\)", line)
        if entry:
            depth, tag = int(entry.group(1)), entry.group(2)
        name = re.match(r"\s*<[0-9a-f]+>\s+DW_AT_name\s*:\s*(?:\(.*\):)?\s*(\S+)\s*$", line)
        if name and (tag == "enumerator" or depth == 1 and tag != "base_type"):
            names.add(name.group(1))
    return names, made


def at_file_scope(compiler, text):
    """Every word of the preprocessed text that stands in no braces and no parentheses. The debug information has a
    type of a system header only where it is used, so that the empty file's lacks most of them."""
    text = run([compiler, "-E", "-P", "-x", "c", "-"], text)
    inner, found = re.compile(r"\([^(){}]*\)|\{[^(){}]*\}"), 1
    while found:
        text, found = inner.subn(" ", text)
    return set(re.findall(r"\w+", text))


def main():
    with open(os.path.join(ROOT, "build", "nnrt.h"), encoding="ascii") as f:
        header = f.read()
    system = re.findall(r"^\s*#\s*include\s*(<[^>]+>)", header, re.M)
    defined = set(re.findall(r"^\s*#\s*define\s+(\w+)", header, re.M))
    # The header may ask the C library for more than C99; the empty file asks for the same.
    empty = "".join("#if __has_include(%s)\n#include %s\n#endif\n" % (h, h) for h in sorted(set(system))
                    if not re.match("<(arm|riscv)_", h) and "intrin" not in h)
    intrinsics = "".join("#if defined(__x86_64__) && __has_include(%s)\n#include %s\n#endif\n" % (h, h)
                         for h in sorted(set(system)) if "intrin" in h)
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(max_workers=jobs) as pool:
        bare = "#define _GNU_SOURCE 1\n" + empty + intrinsics
        before_us = dict(zip(compilers, pool.map(lambda compiler: named_before_us(compiler, bare, work), compilers)))
        done = pool.map(lambda each: check(*each), [(compiler, form, text, before_us[compiler], defined, work)
                                                    for compiler in compilers for form, text in FORMS])
        failed = sum(say(what, names) for verdicts in done for what, names in verdicts)
    if failed:
        print("  FIX: give the name the prefix nnrt__ or NNRT__, or return an error instead of the call")
    return 1 if failed else 0


def named_before_us(compiler, text, work):
    """Macros, and names at file scope, of a file that includes the same system headers and not nnrt.h."""
    return macros(compiler, text), declared(compiler, text, work)[0] | at_file_scope(compiler, text)


def check(compiler, form, before, before_us, defined, work):
    """What a file with nnrt.h in that form has and should not: pairs of a sentence and the names."""
    text = before + '#include "nnrt.h"\n'
    new = macros(compiler, text) - before_us[0]
    names, made = declared(compiler, text, work)
    symbols = [line.split()[-2:] for line in run(["nm", made]).split("\n") if line.strip()]
    called = set(n for kind, n in symbols if kind == "U")
    what = "%s, %s: " % (compiler, form)
    return [
        # A reserved name that nnrt.h does not define comes from the C library.
        (what + "macros", [n for n in new if not OURS.match(n) and (n in defined or not re.match("_[_A-Z]", n))]),
        # Debug information has a library function or an intrinsic (_mm...) only where it is used.
        (what + "types, constants, functions",
         [n for n in names - before_us[1] - called if not OURS.match(n) and not n.startswith("_")]),
        (what + "global symbols", [n for kind, n in symbols if kind.isupper() and kind != "U" and not OURS.match(n)]),
        (what + "nothing that prints or ends the program",
         [n for kind, n in symbols if kind == "U" and FORBIDDEN.match(n)]),
        (what + "no constructor", re.findall(r"\.(?:init_array|ctors)\S*", run(["readelf", "-SW", made])))]


def say(what, names):
    print("%-6s %s" % ("FAILED" if names else "ok", what))
    for name in sorted(names)[:20]:
        print("         %s" % name)
    return bool(names)


if __name__ == "__main__":
    sys.exit(main())
