#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds examples/flash as its README says and runs it: on ARMv7 with NEON, and without a system on the boards of
run.py, each with a plan for its processor, the Cortex-M4 with the committed one, too.

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
HEAP = ("malloc", "_malloc_r", "realloc", "calloc", "free", "_free_r", "_sbrk", "sbrk")
passed, failed = [], []


def promise(kept, what, why=""):
    (passed if kept else failed).append(what)
    print("%s %s%s" % ("ok" if kept else "FAILED", what, "" if kept or not why else ":\n" + why))


def compile_plan(target, folder):
    """meter_plan.h in that folder."""
    os.makedirs(folder, exist_ok=True)
    subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", "examples/meter/meter.tflite", "--target",
                           target, "--config", "nnrt.inputs=arena", "--c",
                           os.path.join(folder, "meter_plan.h")], cwd=ROOT, stdout=subprocess.DEVNULL)


def flags(plan, program):
    return run.FLAGS + ["-I", plan, "-Wl,-Map=%s.map" % program]


def linux():
    """The promises of ARMv7 with NEON."""
    program, plan = os.path.join(OUT, "armv7"), os.path.join(OUT, "neon")
    compile_plan("neon", plan)
    subprocess.check_call(["arm-linux-gnueabihf-gcc"] + flags(plan, program) + [
        "-mthumb", "-mcpu=cortex-a7", "-mfpu=neon-vfpv4", "-static", "-I", ROOT, os.path.join(EXAMPLE, "linux.c"),
        os.path.join(EXAMPLE, "flash.c"), "-o", program, "-lm"])
    done = subprocess.run(["qemu-arm", "-cpu", "cortex-a7", program], stdout=subprocess.PIPE, timeout=60)
    answers("ARMv7 with NEON", done.returncode, done.stdout.decode("ascii", "replace"))


def firmware(board, title, plan):
    """The promises of a board with the meter_plan.h of that folder."""
    program = os.path.join(OUT, title.replace(" ", "_"))
    sections = run.link(board, flags(plan, program), [os.path.join(EXAMPLE, "flash.c")], program)
    code, output = run.run(board, program)
    answers(title, code, output)
    symbols = subprocess.check_output([run.tools(board)[0] + "nm", program]).decode()
    at = re.search(r"^([0-9a-f]+) . meter_plan$", symbols, re.M)
    flash = run.BOARDS[board].flash
    promise(at is not None and flash <= int(at.group(1), 16) < flash + 512 * 1024, title + ": the plan is in flash")
    with open(program + ".map") as text:
        place = re.search(r"^ \.rodata\.meter_plan\s+0x0*([0-9a-f]+)\s", text.read(), re.M)
    promise(place is not None and at is not None and int(place.group(1), 16) == int(at.group(1), 16),
            title + ": and the map says so")
    heap = sorted(set(symbols.split()) & set(HEAP))
    promise(not heap, title + ": there is no heap", " ".join(heap))
    with open(os.path.join(plan, "meter_plan.h")) as text:
        plan_bytes = int(re.search(r"_BYTES (\d+)u", text.read()).group(1))
    whole = sum(sections.get(name, 0) for name in (".init", ".text", ".rodata", ".data"))
    print("    flash %d bytes, %d of them the plan" % (whole, plan_bytes))
    return sections[".text"], plan_bytes, output


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
    made = os.path.join(OUT, "scalar")
    compile_plan("scalar", made)
    promise(run.read(os.path.join(made, "meter_plan.h")) == run.read(os.path.join(ROOT, COMMITTED)),
            "the committed plan is what is made now",
            "  FIX: build/nnrt compile examples/meter/meter.tflite --target scalar --config nnrt.inputs=arena --c " +
            COMMITTED)
    skipped = 0
    if shutil.which("arm-linux-gnueabihf-gcc") and shutil.which("qemu-arm"):
        linux()
    else:
        skipped += 1
        print("skipped, no arm-linux-gnueabihf-gcc or qemu-arm")
    for board in run.BOARDS:
        if run.missing(board):
            skipped += 1
            print("skipped, %s: %s" % (run.missing(board), board))
            continue
        if board == "m4":
            code, plan, output = firmware(board, "m4 committed plan", os.path.join(EXAMPLE, "scalar"))
            documented(code, plan, *map(int, re.search(r"arena (\d+), pool (\d+)", output).groups()))
        target = run.BOARDS[board].target
        compile_plan(target, os.path.join(OUT, target))
        firmware(board, "%s with a plan for %s" % (board, target), os.path.join(OUT, target))
    print("%d passed, %d failed, %d skipped" % (len(passed), len(failed), skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
