#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The inner loops of the kernels as a processor is said to run them: what the heads of kernels/*.h tell of cycles.

    tests/bench/mca.py [WORD...]    loops whose name or processor has one of the words, say sse41 or cortex-a53; all, if
                                    there is none. --show prints the loops as well

Compiles the kernels as `make bench` does (-O2), takes of each function the loop without a loop inside that multiplies
most for its length, and asks llvm-mca for the cycles of a pass; ?: it cannot tell. A model of a processor, not a
measurement: it knows neither caches nor branches. LLVM has none of a Cortex-A7, whose NEON takes a Q register in two
passes: the Cortex-A9 stands for it. Products of a loop that also finishes rows count what multiplies, not what is kept.
Asserts nothing."""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """#define NNRT_IMPLEMENTATION
#include "nnrt_cpu_kernels.h"
int main(void) {
    nnrt__cpu_table table;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    return table.gemm_s8[0].run == NULL;
}
"""
# compiler, its options, those of llvm-mca
TARGETS = {
    "x86": ("gcc", [], ["-mtriple=x86_64"]),
    "armv7": ("arm-linux-gnueabihf-gcc", ["-marm", "-mcpu=cortex-a7", "-mfpu=neon-vfpv4"],
              ["-mtriple=armv7-linux-gnueabihf", "-mattr=+neon,+vfp4"]),
    "armv8": ("aarch64-linux-gnu-gcc", [], ["-mtriple=aarch64-linux-gnu", "-mattr=+dotprod,+i8mm"]),
}
# function: target, processors, the instruction that multiplies, products of one
LOOPS = [
    ("gemm_s8_sse41_from", "x86", ["haswell"], r"pmaddubsw", 16),
    ("gemm_s8_avx2_from_16", "x86", ["haswell"], r"vpmaddubsw .*ymm", 32),
    ("gemm_s8_avxvnni", "x86", ["alderlake"], r"(\{vex\} )?vpdpbusd .*ymm", 32),
    ("gemm_s8_avx512vnni_wide", "x86", ["icelake-server"], r"vpdpbusd .*zmm", 64),
    ("dw_rows_s8_sse41", "x86", ["haswell"], r"pmaddwd", 8),
    ("dw_rows_s8_avx2", "x86", ["haswell"], r"vpmaddwd .*ymm", 16),
    ("dw_plane_s8_avx512vnni", "x86", ["icelake-server"], r"vpdpbusd .*zmm", 64),
    ("gemm_hybrid_sse41", "x86", ["haswell"], r"pmaddwd", 8),
    ("gemm_hybrid_avx2", "x86", ["haswell"], r"vpmaddwd .*ymm", 16),
    ("gemm_f32_sse41", "x86", ["haswell"], r"mulps", 4),
    ("gemm_f32_avx2", "x86", ["haswell"], r"vfmadd\d+ps .*ymm", 8),
    ("dw_rows_f32_sse41", "x86", ["haswell"], r"mulps", 4),
    ("dw_rows_f32_avx2", "x86", ["haswell"], r"vfmadd\d+ps .*ymm", 8),
    ("gemm_s8_neon_bands", "armv7", ["cortex-a9"], r"vmull\.s8|vmlal\.s8", 8),
    ("dw_rows_s8_neon", "armv7", ["cortex-a9"], r"vmull\.s8|vmlal\.s8", 8),
    ("gemm_hybrid_neon", "armv7", ["cortex-a9"], r"vmull\.s8|vmlal\.s8", 8),
    ("gemm_f32_neon", "armv7", ["cortex-a9"], r"v(mla|fma)\.f32 q", 4),
    ("dw_f32_neon", "armv7", ["cortex-a9"], r"v(mla|fma)\.f32 q", 4),
    ("gemm_s8_neon_bands", "armv8", ["cortex-a53", "cortex-a55"], r"sm(ull|lal)2? v\d+\.8h", 8),
    ("dw_rows_s8_neon", "armv8", ["cortex-a53", "cortex-a55"], r"sm(ull|lal)2? v\d+\.8h", 8),
    ("gemm_hybrid_neon", "armv8", ["cortex-a53", "cortex-a55"], r"sm(ull|lal)2? v\d+\.8h", 8),
    ("gemm_f32_neon", "armv8", ["cortex-a53", "cortex-a55"], r"fmla v\d+\.4s", 4),
    ("dw_rows_f32_neon", "armv8", ["cortex-a53", "cortex-a55"], r"fmla v\d+\.4s", 4),
    ("gemm_s8_dot_tile", "armv8", ["cortex-a55", "cortex-a76"], r"sdot", 16),
    ("gemm_s8_dot_row", "armv8", ["cortex-a55", "cortex-a76"], r"sdot", 16),
    ("gemm_s8_i8mm_tile", "armv8", ["neoverse-n2"], r"smmla", 32),
]
# Functions that the compiler may leave on their own.
PARTS = {"dw_rows_s8_neon": ["dw_s8_neon_line"], "gemm_f32_sse41": ["gemm_f32_sse41_4x8"],
         "gemm_f32_avx2": ["gemm_f32_avx2_6x16"], "gemm_s8_avxvnni": ["gemm_s8_avxvnni_wide"]}
LABEL = re.compile(r"^(\.L\w+|\d+):$")
JUMP = re.compile(r"^(?:j\w+|b(?:\.?\w\w)?|cbn?z \w+,|tbn?z \w+, ?#?\d+,) ?(\.L\w+|\d+(?=b$))b?$")
# Instructions that are not in every assembler are written as numbers (kernels/dot_armv8.h).
INST = re.compile(r"^\.inst (\w+) \+ \.Lnnrt_v(\d+) \+ \(\.Lnnrt_v(\d+) << 5\) \+ \(\.Lnnrt_v(\d+) << 16\)$")


def assembly(target, folder):
    """Function to its lines: labels and instructions. None: the compiler is not there."""
    compiler, options, _ = TARGETS[target]
    if not shutil.which(compiler):
        print(f"{target}: skipped, no {compiler}")
        return None
    source, out = pathlib.Path(folder, "kernels.c"), pathlib.Path(folder, target + ".s")
    source.write_text(PROGRAM)
    subprocess.run([compiler, "-std=c99", "-O2", "-w", *options, "-I", str(ROOT), "-S", "-o", str(out), str(source)],
                   check=True)
    functions, lines = collections.defaultdict(list), []
    for line in out.read_text().splitlines():
        line = re.sub(r"\s+", " ", line.split("//")[0].split("@")[0]).strip()
        name = re.match(r"^([A-Za-z]\w*)(?:\.\w+)*:$", line)
        if name:
            lines = functions[name.group(1)]
        elif line.startswith(".inst "):
            lines.append(INST.sub(r"\1 v\2.4s, v\3.16b, v\4.16b", re.sub(r"0x4f[8a]0e[08]00", "sdot", line).replace(
                "0x4e80a400", "smmla")))
        elif LABEL.match(line) or re.match(r"^[{\w]", line):
            lines.append(line)
    return functions


def inner_loops(lines):
    """Runs of instructions from a label to a jump back to it that have no other such run inside."""
    labels, loops = {}, set()
    for i, line in enumerate(lines):
        jump = JUMP.match(line)
        if LABEL.match(line):
            labels[line[:-1]] = i
        elif jump and jump.group(1) in labels: # it is behind its label
            loops.add((labels[jump.group(1)], i))
    for first, last in sorted(loops):
        if not any(first <= a and b <= last and (a, b) != (first, last) for a, b in loops):
            yield [line for line in lines[first:last + 1] if not line.endswith(":")]


def cycles(loop, target, processor):
    """Of a pass, or None."""
    passes = 1000
    text = re.sub(r"^(b\w*) \d+b$", r"\1 .L0", "\n".join(loop), flags=re.M)  # it knows no labels of numbers
    asked = subprocess.run(["llvm-mca", *TARGETS[target][2], f"-mcpu={processor}", f"-iterations={passes}"],
                           input=text + "\n", capture_output=True, text=True, check=False)
    total = re.search(r"^Total Cycles:\s+(\d+)$", asked.stdout, re.M)
    return int(total.group(1)) / passes if total and "error" not in asked.stderr else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if not shutil.which("llvm-mca"):
        sys.exit("skipped, no llvm-mca; FIX: sudo apt-get install llvm")
    wanted = [(name, target, processor, multiply, products)
              for name, target, processors, multiply, products in LOOPS for processor in processors
              if not options.words or any(word in f"{name} {target} {processor}" for word in options.words)]
    functions = {}
    with tempfile.TemporaryDirectory() as folder:
        for target in dict.fromkeys(row[1] for row in wanted):
            functions[target] = assembly(target, folder)
    print(f"{'loop':26} {'processor':15} {'products':>8} {'instructions':>12} {'cycles':>8} {'products a cycle':>16}")
    for name, target, processor, multiply, products in wanted:
        if functions[target] is None:
            continue
        loops = [loop for part in (name, *PARTS.get(name, []))
                 for loop in inner_loops(functions[target]["nnrt__" + part])]
        counts = [(sum(bool(re.match(multiply, line)) for line in loop), loop) for loop in loops]
        count, loop = max(counts, key=lambda pair: pair[0] ** 2 / len(pair[1]), default=(0, []))
        took = cycles(loop, target, processor) if count else None
        rest = f"{took:8.1f} {count * products / took:16.1f}" if took else "       ?"
        print(f"{name:26} {processor:15} {count * products:8} {len(loop):12} {rest}")
        if options.show:
            print("    " + "\n    ".join(loop))


if __name__ == "__main__":
    main()
