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

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
OURS = re.compile(r"^(NNRT_|nnrt_|OH_NN|NN_)")
FORBIDDEN = re.compile(r"^_?_?(abort|exit|_exit|quick_exit|puts|putchar|perror|assert_fail|assert_rtn|"
                       r"v?f?printf(_chk)?)$")
OPTIONS = set(["NNRT_IMPLEMENTATION", "NNRT_BACKEND_RKNPU", "NNRT_BACKEND_NNIE", "NNRT_BACKEND_BPU",
               "NNRT_GROUPS"])
failed = 0


def verdict(what, names):
    global failed
    print("%-6s %s" % ("FAILED" if names else "ok", what))
    for name in sorted(names)[:20]:
        print("         %s" % name)
    failed += bool(names)


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
    source, made = os.path.join(work, "names.c"), os.path.join(work, "names.o")
    with open(source, "w") as f:
        f.write(text)
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
                    if "<arm_" not in h and "intrin" not in h)
    intrinsics = "".join("#if defined(__x86_64__) && __has_include(%s)\n#include %s\n#endif\n" % (h, h)
                         for h in sorted(set(system)) if "intrin" in h)
    work = tempfile.mkdtemp()
    for compiler in [c for c in ("gcc", "clang") if shutil.which(c)]:
        for form, before in (("API only", ""), ("implementation", "#define NNRT_IMPLEMENTATION\n"),
                             ("implementation without CPU", "#define NNRT_NO_CPU\n#define NNRT_IMPLEMENTATION\n"),
                             ("API with Rockchip", "#define NNRT_BACKEND_RKNPU\n"),
                             ("implementation with Rockchip",
                              "#define NNRT_BACKEND_RKNPU\n#define NNRT_IMPLEMENTATION\n"),
                             ("implementation with HiSilicon",
                              "#define NNRT_BACKEND_NNIE\n#define NNRT_IMPLEMENTATION\n"),
                             ("implementation with Horizon",
                              "#define NNRT_BACKEND_BPU\n#define NNRT_IMPLEMENTATION\n"),
                             ("implementation with groups", "#define NNRT_GROUPS\n#define NNRT_IMPLEMENTATION\n")):
            text = before + '#include "nnrt.h"\n'
            base = before + "#define _GNU_SOURCE 1\n" + empty + intrinsics
            new = macros(compiler, text) - macros(compiler, base) - OPTIONS
            # A reserved name that nnrt.h does not define comes from the C library.
            verdict("%s, %s: macros" % (compiler, form),
                    [n for n in new if not OURS.match(n) and (n in defined or not re.match("_[_A-Z]", n))])
            known = declared(compiler, base, work)[0] | at_file_scope(compiler, base)
            names, made = declared(compiler, text, work)
            symbols = [line.split()[-2:] for line in run(["nm", made]).split("\n") if line.strip()]
            called = set(n for kind, n in symbols if kind == "U")
            # Debug information has a library function or an intrinsic (_mm...) only where it is used.
            verdict("%s, %s: types, constants, functions" % (compiler, form),
                    [n for n in names - known - called if not OURS.match(n) and not n.startswith("_")])
            verdict("%s, %s: global symbols" % (compiler, form),
                    [n for kind, n in symbols if kind.isupper() and kind != "U" and not OURS.match(n)])
            verdict("%s, %s: nothing that prints or ends the program" % (compiler, form),
                    [n for kind, n in symbols if kind == "U" and FORBIDDEN.match(n)])
            verdict("%s, %s: no constructor" % (compiler, form),
                    re.findall(r"\.(?:init_array|ctors)\S*", run(["readelf", "-SW", made])))
    shutil.rmtree(work)
    if failed:
        print("  FIX: give the name the prefix nnrt__ or NNRT__, or return an error instead of the call")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
