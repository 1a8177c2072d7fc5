#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds examples/flash as its README says and runs it: on ARMv7 with NEON, and without a system on a Cortex-M4.

Proves that the committed plan is, byte for byte, what build/nnrt (which has to exist) makes of the meter's model; that
each program gives the same scores as a PC; that the plan lies in flash, by the linker's map; and that there is no heap,
as nothing of one is in the program. Prints what each takes, and `N passed, N failed, N skipped`."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # the boards

ROOT, EXAMPLE = run.ROOT, os.path.join(run.ROOT, "examples", "flash")
OUT = os.path.join(ROOT, "build", "flash")
COMMITTED = "examples/flash/scalar/meter_plan.h"
FLAGS = [flag for flag in run.FLAGS if flag != "-nostartfiles"]
HEAP = ("malloc", "_malloc_r", "realloc", "calloc", "free", "_free_r", "_sbrk", "sbrk")
passed, failed = [], []


def promise(kept, what, why=""):
    (passed if kept else failed).append(what)
    print("%s %s%s" % ("ok" if kept else "FAILED", what, "" if kept or not why else ":\n" + why))


def compile_plan(target, to):
    subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", "examples/meter/meter.tflite", "--target",
                           target, "--c", to], cwd=ROOT, stdout=subprocess.DEVNULL)


def build(compiler, flags, plan, sources, more, name):
    """The path of the program; its map is beside it."""
    program = os.path.join(OUT, name)
    subprocess.check_call([compiler] + FLAGS + flags.split() + ["-I", ROOT, "-I", plan, "-I", run.HERE] + sources +
                          [os.path.join(EXAMPLE, "flash.c"), "-Wl,-Map=%s.map" % program, "-o", program, "-lm"] + more)
    return program


def answers(name, code, output):
    print("".join("    %s\n" % line for line in output.splitlines()), end="")
    promise(code == 0 and output.startswith("digit 8, 98 %\n"), "%s: the scores of a PC" % name, output)


def documented(code, plan, arena, pool):
    """docs/bare_metal.md has these figures; of code a sixth and 512 bytes may differ, as compilers do."""
    row = re.search(r"^\| `examples/flash` \|(.*)\|$", run.read(os.path.join(ROOT, "docs", "bare_metal.md")).decode(),
                    re.M)
    told = [int(cell.replace(",", "")) for cell in row.group(1).split("|")] if row else []
    is_ = [code, plan, arena, pool]
    promise(len(told) == 4 and told[1:] == is_[1:] and code <= told[0] * 7 // 6 + 512,
            "Cortex-M4: as docs/bare_metal.md has it", "  it has %s, measured are %s" % (told, is_))


def main():
    os.makedirs(os.path.join(OUT, "neon"), exist_ok=True)
    made = os.path.join(OUT, "meter_plan.h")
    compile_plan("scalar", made)
    promise(run.read(made) == run.read(os.path.join(ROOT, COMMITTED)), "the committed plan is what is made now",
            "  FIX: build/nnrt compile examples/meter/meter.tflite --target scalar --c " + COMMITTED)
    compile_plan("neon", os.path.join(OUT, "neon", "meter_plan.h"))
    skipped = 0
    if shutil.which("arm-linux-gnueabihf-gcc") and shutil.which("qemu-arm"):
        program = build("arm-linux-gnueabihf-gcc", "-mcpu=cortex-a7 -mfpu=neon-vfpv4 -static",
                        os.path.join(OUT, "neon"), [os.path.join(EXAMPLE, "linux.c")], [], "armv7")
        done = subprocess.run(["qemu-arm", "-cpu", "cortex-a7", program], stdout=subprocess.PIPE, timeout=60)
        answers("ARMv7 with NEON", done.returncode, done.stdout.decode("ascii", "replace"))
    else:
        skipped += 1
        print("skipped, no arm-linux-gnueabihf-gcc or qemu-arm")
    if shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm"):
        board, flags, flash, ram = run.BOARDS["m4"]
        program = build("arm-none-eabi-gcc", flags + " -nostartfiles", os.path.join(EXAMPLE, "scalar"),
                        [os.path.join(run.HERE, "startup.c")],
                        ["-T", os.path.join(run.HERE, "board.ld"), "-Wl,--defsym=board_flash=%d" % flash,
                         "-Wl,--defsym=board_ram=%d" % ram], "cortex-m4")
        code, output = run.run(board, program)
        answers("Cortex-M4", code, output)
        symbols = subprocess.check_output(["arm-none-eabi-nm", program]).decode()
        at = re.search(r"^([0-9a-f]+) . meter_plan$", symbols, re.M)
        promise(at is not None and flash <= int(at.group(1), 16) < flash + 512 * 1024,
                "Cortex-M4: the plan is in flash")
        with open(program + ".map") as text:
            place = re.search(r"^ \.rodata\.meter_plan\s+0x0*([0-9a-f]+)\s", text.read(), re.M)
        promise(place is not None and at is not None and int(place.group(1), 16) == int(at.group(1), 16),
                "Cortex-M4: and the map says so")
        heap = sorted(set(symbols.split()) & set(HEAP))
        promise(not heap, "Cortex-M4: there is no heap", " ".join(heap))
        sizes = subprocess.check_output(["arm-none-eabi-size", "-A", program]).decode()
        sections = dict((row[0], int(row[1])) for row in re.findall(r"^(\.\w+)\s+(\d+)", sizes, re.M))
        plan = int(re.search(r"_BYTES (\d+)u", run.read(made).decode()).group(1))
        print("    flash %d bytes: code %d, plan %d, other constants and initial data %d; RAM %d, stack 8192" % (
            sections[".text"] + sections[".rodata"] + sections[".data"], sections[".text"], plan,
            sections[".rodata"] - plan + sections[".data"], sections[".data"] + sections[".bss"] - 8192))
        documented(sections[".text"], plan, *map(int, re.search(r"arena (\d+), pool (\d+)", output).groups()))
    else:
        skipped += 1
        print("skipped, no arm-none-eabi-gcc or qemu-system-arm")
    print("%d passed, %d failed, %d skipped" % (len(passed), len(failed), skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
