#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""amalgamate.py - makes build/nnrt.h, the one file that users copy, out of the tree below nnrt.h.

    python3 amalgamate.py             write build/nnrt.h, and build/neural_network_runtime/, OpenHarmony's names for it
    python3 amalgamate.py --check     prove that the one file means what the tree means (needs a C compiler)

The script is stupid on purpose: it puts each file in the place of its first #include "..." and drops the later
ones. It evaluates no macro, moves nothing and renames nothing. Whatever that cannot do faithfully is refused,
with the file, the line and a FIX: a missing file, a cycle, a file that nothing includes, a file included again
after a first include that a false #if may have skipped, and bytes that are not plain ASCII with LF. The output
holds no clock, user or path: the same tree gives the same bytes everywhere."""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# every *.h below these, and every nnrt_*.h, must be reached
ROOMS = ("bpu", "core", "cpu", "data", "detection", "dsp",
         "group", "image", "kernels", "nnie", "npu", "rknpu", "selftest", "tflite")
# what applications written for OpenHarmony include: each is one line that includes the product
FORWARDING = ("neural_network_runtime/neural_network_core.h", "neural_network_runtime/neural_network_runtime.h",
              "neural_network_runtime/neural_network_runtime_type.h")
SPDX = re.compile(r"\A/\* SPDX-License-Identifier: [^*]*\*/\n+")


class Refusal(Exception):
    def __init__(self, path, line, what, fix):
        Exception.__init__(self, "%s:%d: %s\n  FIX: %s" % (path, line, what, fix))


def mask(text):
    """The text with comments and literals blanked out, of the same length and with the same line ends."""
    token = re.compile(r"//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.S)
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def conditions(masked):
    """For each line: the directive on it (keyword, rest), and the #if groups around it as a list of (text, is_guard).
    A group `#ifndef X`, `#define X` is a guard: it is true the first time, so it hides nothing from an amalgam."""
    lines = masked.split("\n")
    words = [re.match(r"\s*#\s*(\w+)\s*(.*?)\s*$", line) for line in lines]
    stack, out = [], []
    for i, word in enumerate(words):
        key, rest = word.groups() if word else ("", "")
        before = list(stack)
        if key in ("if", "ifdef", "ifndef"):
            following = next((w.groups() for w in words[i + 1:] if w), ("", ""))
            is_guard = key == "ifndef" and following == ("define", rest)
            stack.append(("%s %s" % (key, rest), is_guard))
        elif key in ("elif", "else") and stack:
            stack[-1] = ("not (%s), %s %s" % (stack[-1][0], key, rest), False)
        elif key == "endif" and stack:
            stack.pop()
        out.append((key, rest, before))
    return out


def whole_file_guard(info):
    """The line numbers (#ifndef, #define, #endif) of a guard around the whole file, or None."""
    used = [i for i, (key, _, _) in enumerate(info) if key]
    if len(used) < 3 or info[used[0]][0] != "ifndef" or info[used[1]][:2] != ("define", info[used[0]][1]):
        return None
    last = used[-1]
    inside = all(info[i][2] for i in range(used[0] + 1, last + 1))
    return (used[0], used[1], last) if info[last][0] == "endif" and len(info[last][2]) == 1 and inside else None


class Tree:
    def __init__(self, root):
        self.root, self.first, self.bytes = root, {}, {}

    def read(self, path, by, line):
        full = os.path.join(self.root, path)
        if not os.path.isfile(full):
            raise Refusal(by, line, 'includes "%s", which does not exist' % path,
                          "correct the name, or add the file; a vendor's header is written <like_this.h>")
        with open(full, "rb") as f:
            data = f.read()
        bad = re.search(rb"[^\n\x20-\x7e]|[ ]\n|[^\n]\Z", data)
        if bad:
            raise Refusal(path, data.count(b"\n", 0, bad.start()) + 1,
                          "byte 0x%02x: only ASCII, LF, no tab and no blank before a line end" % bad.group()[0],
                          "retype that character, or strip the blanks; the file must also end with LF")
        self.bytes[path] = data
        return data.decode("ascii")

    def resolve(self, name, path):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        return beside if os.path.isfile(os.path.join(self.root, beside)) else os.path.normpath(name)

    def inline(self, path, by="amalgamate.py", at=1, around=(), chain=(), guarded=False):
        """The text of one file with everything it includes. `around` are the conditions it stands under."""
        text = self.read(path, by, at)
        raw, info = text.split("\n"), conditions(mask(text))
        guard = whole_file_guard(info)
        drop = set(guard) if guard and guarded else set()
        self.first[path] = (around, guard is not None, "%s:%d" % (by, at))
        out = []
        for i, (key, rest, stack) in enumerate(info):
            name = re.match(r'\s*#\s*include\s*"([^"]+)"\s*(?:/[/*].*)?$', raw[i]) if key == "include" else None
            if name:
                under = around + tuple(text for text, is_guard in stack if not is_guard)
                out.append(self.include(self.resolve(name.group(1), path), path, i + 1, under, chain + (path,),
                                        guarded or any(is_guard for _, is_guard in stack)))
            elif key == "include" and not rest.startswith("<"):
                raise Refusal(path, i + 1, "cannot tell what this includes",
                              'write #include "file" alone on its line, without a macro or a comment before it')
            elif i not in drop:
                out.append(raw[i] + "\n")
        return re.sub(r"\n{3,}", "\n\n", "".join(out)).strip("\n") + "\n"

    def include(self, path, by, line, around, chain, guarded):
        if path in chain:
            raise Refusal(by, line, "include cycle: %s" % " -> ".join(chain[chain.index(path):] + (path,)),
                          "break the cycle by moving what both need into a file that neither includes back")
        if path in self.first:
            first, has_guard, where = self.first[path]
            if not set(first) <= set(around):
                raise Refusal(by, line, '"%s" is included again, but its first include (%s) stands under "%s"'
                              % (path, where, next(text for text in first if text not in around)),
                              "include it before that condition, where it is always seen")
            if not has_guard:
                raise Refusal(by, line, '"%s" is included again, and has no guard' % path,
                              "give it #ifndef, #define, ... #endif around the whole file")
            return ""
        body = SPDX.sub("", self.inline(path, by, line, around, chain, guarded)).strip("\n")
        return "/* ======== begin %s ======== */\n%s\n/* ======== end %s ======== */\n" % (path, body, path)

    def orphans(self):
        found = [f for f in os.listdir(self.root) if re.match(r"nnrt_\w+\.h$", f)]
        for room in ROOMS:
            for where, _, files in os.walk(os.path.join(self.root, room)):
                found += [os.path.relpath(os.path.join(where, f), self.root) for f in files if f.endswith(".h")]
        return sorted(set(found) - set(self.first))


def amalgamate(root, commit=None):
    tree = Tree(root)
    body = SPDX.sub("", tree.inline("nnrt.h"))
    for path in tree.orphans():
        raise Refusal(path, 1, "nothing includes this file", "include it from its front page, or delete it")
    version = re.search(r'#define NNRT_VERSION "([\w.]+)"', body)
    if not version or "nnrt.h - v%s " % version.group(1) not in body.split("\n")[0]:
        raise Refusal("nnrt.h", 2, "the front page does not begin with the version of NNRT_VERSION",
                      "write the same version into both")
    digest = hashlib.sha256()
    for path in sorted(tree.bytes):
        digest.update(("%s %d\n" % (path, len(tree.bytes[path]))).encode() + tree.bytes[path])
    count, licence = len(tree.bytes), tree.read("LICENSE", "amalgamate.py", 1).strip("\n")
    return ("/* SPDX-License-Identifier: Apache-2.0 */\n"
            "/* nnrt v%s as one file, made by amalgamate.py from the %d files of the tree: mend the tree, not this.\n"
            "   Content %s (SHA-256 of their names, sizes and bytes).%s\n"
            '   Where a file of the tree begins: search for "begin core/". The licence stands at the end. */\n'
            "#define NNRT__ONE_FILE\n\n"
            "%s\n/*\n%s\n*/\n" % (version.group(1), count, digest.hexdigest(),
                                  "\n   Commit %s." % commit if commit else "", body, licence))


# (name, what comes before the include, language). Each is preprocessed from the tree and from the one file.
FULL = "#define NNRT_IMPLEMENTATION\n"
CONFIGURATIONS = [("api only", "", "c"), ("implementation", FULL, "c"), ("api only, C++", "", "c++"),
                  ("implementation, C++", FULL, "c++"), ("api, then implementation twice",
                   '#include "nnrt.h"\n' + FULL + '#include "nnrt.h"\n', "c")]
CONFIGURATIONS += [(d, "#define %s\n" % d.replace("=", " ") + FULL, "c")
                   for d in ("NNRT_NO_CPU", "NNRT_NO_THREADS", "NNRT_NO_STDIO", "NNRT_NO_SIMD", "NNRT_API=static")]
RKNPU = "#define NNRT_BACKEND_RKNPU\n"
CONFIGURATIONS += [("NNRT_BACKEND_RKNPU", RKNPU + FULL, "c"), ("NNRT_BACKEND_RKNPU, api only", RKNPU, "c"),
                   ("NNRT_BACKEND_RKNPU, C++", RKNPU + FULL, "c++"),
                   ("NNRT_RKNPU_LINK", RKNPU + "#define NNRT_RKNPU_LINK\n" + FULL, "c"),
                   ("NNRT_BACKEND_RKNPU, NNRT_NO_CPU", RKNPU + "#define NNRT_NO_CPU\n" + FULL, "c"),
                   ("api, then NNRT_BACKEND_RKNPU", '#include "nnrt.h"\n' + RKNPU + FULL, "c")]
NNIE = "#define NNRT_BACKEND_NNIE\n"
CONFIGURATIONS += [("NNRT_BACKEND_NNIE", NNIE + FULL, "c"), ("NNRT_BACKEND_NNIE, C++", NNIE + FULL, "c++"),
                   ("NNRT_BACKEND_RKNPU, NNRT_BACKEND_NNIE", RKNPU + NNIE + FULL, "c"),
                   ("api, then NNRT_BACKEND_NNIE", '#include "nnrt.h"\n' + NNIE + FULL, "c")]
BPU = "#define NNRT_BACKEND_BPU\n"
CONFIGURATIONS += [("NNRT_BACKEND_BPU", BPU + FULL, "c"), ("NNRT_BACKEND_BPU, C++", BPU + FULL, "c++"),
                   ("all three NPUs", RKNPU + NNIE + BPU + FULL, "c"),
                   ("api, then NNRT_BACKEND_BPU", '#include "nnrt.h"\n' + BPU + FULL, "c")]
CONFIGURATIONS += [("NNRT_DSP", "#define NNRT_DSP\n" + FULL, "c"),
                   ("NNRT_DSP, NNRT_NNIE_LINK", "#define NNRT_DSP\n#define NNRT_NNIE_LINK\n" + FULL, "c++")]
DETECTION = "#define NNRT_DETECTION\n"
CONFIGURATIONS += [("NNRT_DETECTION", DETECTION + FULL, "c"), ("NNRT_DETECTION, api only, C++", DETECTION, "c++"),
                   ("api, then NNRT_DETECTION", '#include "nnrt.h"\n' + DETECTION + FULL, "c")]
IMAGE = "#define NNRT_IMAGE\n"
CONFIGURATIONS += [("NNRT_IMAGE", IMAGE + FULL, "c"), ("NNRT_IMAGE, api only, C++", IMAGE, "c++"),
                   ("api, then NNRT_IMAGE", '#include "nnrt.h"\n' + IMAGE + FULL, "c")]
GROUPS = "#define NNRT_GROUPS\n"
CONFIGURATIONS += [("NNRT_GROUPS", GROUPS + FULL, "c"), ("NNRT_GROUPS, api only, C++", GROUPS, "c++"),
                   ("api, then NNRT_GROUPS", '#include "nnrt.h"\n' + GROUPS + FULL, "c")]
COMPILERS = [("gcc", ""), ("gcc", "-mavx2 -mfma"), ("clang", ""), ("arm-linux-gnueabihf-gcc", "-mfpu=vfpv3-d16"),
             ("arm-linux-gnueabihf-gcc", "-mcpu=cortex-a7 -mfpu=neon-vfpv4"), ("aarch64-linux-gnu-gcc", "")]


def check(root):
    """Prints one line per comparison; returns how many failed."""
    failed, runs, work = 0, [], tempfile.mkdtemp()
    for seed in ("1", "2"):  # two processes, two places, two hash orders: nothing of that may show
        os.mkdir(os.path.join(work, seed))
        subprocess.check_call([sys.executable, os.path.abspath(__file__), "--root", os.path.abspath(root), "-o",
                               os.path.join(work, seed, "nnrt.h")], cwd=os.path.join(work, seed),
                              env=dict(os.environ, PYTHONHASHSEED=seed, TZ="UTC-%s" % seed))
        with open(os.path.join(work, seed, "nnrt.h"), "rb") as f:
            runs.append(f.read())
    same = runs[0] == runs[1]
    failed += not same
    print("%-6s two runs give the same %d bytes" % ("ok" if same else "FAILED", len(runs[0])))
    for compiler, flags in COMPILERS:
        if not shutil.which(compiler):
            print("absent %s" % compiler)
            continue
        for name, before, language in CONFIGURATIONS:
            with ThreadPoolExecutor(2) as both:
                out = list(both.map(lambda place: subprocess.run(
                    [compiler, "-E", "-P", "-x", language, "-I", place] + flags.split() + ["-"],
                    input=(before + '#include "nnrt.h"\n').encode(), cwd=work, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE), (os.path.abspath(root), os.path.join(work, "1"))))
            if b"cannot execute" in out[0].stderr:  # a C compiler installed without its C++ half
                continue
            text = [o.stdout for o in out]
            if compiler == "clang":  # its -P leaves some empty lines, and indents a line that began with an empty macro
                text = [re.sub(rb"(?m)^[ \n]+", b"", t) for t in text]
            same = out[0].returncode == 0 == out[1].returncode and text[0] == text[1]
            failed += not same
            print("%-6s %s %s, %s" % ("ok" if same else "FAILED", compiler, flags, name))
            if not same:
                print((out[0].stderr + out[1].stderr).decode()[:600] +
                      "  FIX: the same macro is seen differently; run both through %s -E -P and compare" % compiler)
    shutil.rmtree(work)
    return failed


def forwarding(path, product):
    """The text of one header of FORWARDING. The product has its own guard; this one has none to disagree with it."""
    return ("/* SPDX-License-Identifier: Apache-2.0 */\n"
            "/* %s - the name that OpenHarmony has for what is in %s. */\n"
            '#include "../%s"\n' % (os.path.basename(path), product, product))


def write(path, text):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="\n") as f:
        f.write(text)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Makes build/nnrt.h out of the tree below nnrt.h.")
    parser.add_argument("--root", default=here, help="where nnrt.h is (default: beside this script)")
    parser.add_argument("-o", "--output", help="the file to write (default: build/nnrt.h below the root); beside it "
                        "stand OpenHarmony's names for it")
    parser.add_argument("--commit", help="what to say of where the tree comes from: a release does")
    parser.add_argument("--check", action="store_true", help="compare the one file with the tree; write nothing")
    args = parser.parse_args()
    try:
        text = amalgamate(args.root, args.commit)
        if args.check:
            return 1 if check(args.root) else 0
    except Refusal as refusal:
        sys.stderr.write("amalgamate.py: %s\n" % refusal)
        return 1
    output = args.output or os.path.join(args.root, "build", "nnrt.h")
    for path in FORWARDING:
        write(os.path.join(os.path.dirname(output), path), forwarding(path, os.path.basename(output)))
    write(output, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
