#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of tests/bare for microcontrollers and runs them on QEMU's boards: no operating system, the
models in flash, 256 KB of RAM. Every sample has to give the bytes that it gives on a PC. program.c has all of nnrt,
firmware.c as little as a plan needs; interrupts.c, built both ways, has runs inside runs (WITH_INTERRUPTS); kernels.c
has the board's own kernels against the portable ones (WITH_KERNELS).

    tests/bare/run.py [BOARD...]      all of BOARDS, or those named

The models are the meter of examples/ and those of make_models.py. build/nnrt has to exist: it compiles the plans, and
what it computes is what the boards have to. Prints the promises that are not kept, a table of what each program takes,
and `N passed, N failed, N skipped`: a board whose compiler or emulator is missing is skipped."""

import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
OUT = os.path.join(ROOT, "build", "bare")
HERE = os.path.join(ROOT, "tests", "bare")

# QEMU's machine, what the plans of the board are compiled for, what the compiler is told, where flash and RAM are.
Board = namedtuple("Board", "machine target flags flash ram")
BOARDS = {
    # on a Cortex-M3, which runs its code
    "m0plus": Board("mps2-an385", "scalar", "-mthumb -mcpu=cortex-m0plus", 0x00000000, 0x20000000),
    "m4": Board("mps2-an386", "cortex-m4", "-mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", 0x00000000,
                0x20000000),
    "m7": Board("mps2-an500", "cortex-m4", "-mthumb -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard", 0x00000000,
                0x20000000),
    "m33": Board("mps2-an505", "cortex-m4", "-mthumb -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard", 0x10000000,
                 0x38000000),
    "m55": Board("mps3-an547", "cortex-m55", "-mthumb -mcpu=cortex-m55 -mfloat-abi=hard", 0x10000000, 0x30000000),
    "rv32": Board("virt", "scalar", "-march=rv32imac -mabi=ilp32 --specs=picolibc.specs", 0x80000000, 0x80200000),
}
RAM_BYTES, STACK_BYTES = 256 * 1024, 8 * 1024  # as board.ld has them, with half a MB of flash
RV32_FLASH_BYTES = 1024 * 1024                 # its code is larger
FLAGS = ("-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Os -ffunction-sections -fdata-sections "
         "-Wl,--gc-sections").split()
WAYS = ("packed in RAM", "weights in flash", "plan in flash", "own plan in RAM")
LONG_NAMES = {"meter": "meter", "keyword": "keyword spotter", "vww": "visual wake words",
              "detector": "detector"}  # in docs/bare_metal.md
ALL_WAYS = ("meter", "keyword")  # fit the board in each of WAYS; the others are too large but as a plan in flash
# What takes longest comes once for each instruction set: the M7 has the M4's, the M55 the M33's, and kernels are of
# three sorts, the portable ones on a processor that traps unaligned accesses.
WITH_INTERRUPTS = ("m0plus", "m4", "m33", "rv32")
WITH_KERNELS = ("m0plus", "m4", "m55")
SMALLEST = ("NNRT_PLANS_ONLY", "NNRT_NO_SENTENCES", "NNRT_ONE_DEVICE")
# Bounds that a change may not pass without somebody seeing it: bytes of stack, and of code with its constants.
MOST_STACK, MOST_FLASH = 6 * 1024, 176 * 1024


# ---------------------------------------------------------------------------------------------------- boards

def tools(name):
    """Beginning of the names of the compiler's tools, and the emulator."""
    return ("riscv64-unknown-elf-", "qemu-system-riscv32") if name == "rv32" else (
        "arm-none-eabi-", "qemu-system-arm")


def missing(name):
    """What this machine has not got for the board; empty: nothing."""
    prefix, emulator = tools(name)
    for tool in (prefix + "gcc", emulator):
        if not shutil.which(tool):
            return "no " + tool
    done = subprocess.run([prefix + "gcc"] + BOARDS[name].flags.split() + ["-E", "-x", "c", "-"],
                          input=b"#include <stdlib.h>\n", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return "" if done.returncode == 0 else "no C library for " + prefix + "gcc"


def link(name, flags, sources, program):
    """Compiles a program for the board, with its start and its memory; returns the bytes of its sections by name."""
    prefix, board = tools(name)[0], BOARDS[name]
    if name == "rv32":
        start = ["--crt0=semihost", "--oslib=semihost", os.path.join(HERE, "startup_rv32.c")]
        memory = {"__flash": board.flash, "__flash_size": RV32_FLASH_BYTES, "__ram": board.ram,
                  "__ram_size": RAM_BYTES, "__heap_end": board.ram + RAM_BYTES - STACK_BYTES}
    else:
        start = ["-nostartfiles", os.path.join(HERE, "startup.c"), "-T", os.path.join(HERE, "board.ld")]
        memory = {"board_flash": board.flash, "board_ram": board.ram}
    subprocess.check_call([prefix + "gcc"] + board.flags.split() + flags + ["-I", ROOT, "-I", HERE] + start + sources +
                          ["-Wl,--defsym=%s=%d" % place for place in sorted(memory.items())] + ["-o", program, "-lm"])
    sizes = subprocess.check_output([prefix + "size", "-A", program]).decode()
    return dict((row[0], int(row[1])) for row in re.findall(r"^(\.\w+)\s+(\d+)", sizes, re.M))


def run(name, program, more=(), timeout=120):
    """How the program has ended, and what it has printed. more: for the emulator."""
    bios = ["-bios", "none"] if name == "rv32" else []
    command = [tools(name)[1], "-M", BOARDS[name].machine] + bios + list(more) + [
        "-display", "none", "-monitor", "none", "-serial", "none", "-kernel", program, "-chardev", "stdio,id=out",
        "-semihosting-config", "enable=on,target=native,chardev=out"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return 1, (late.stdout or b"").decode("ascii", "replace") + "FAILED the board took more than %d s\n" % timeout
    return done.returncode, done.stdout.decode("ascii", "replace")


# ---------------------------------------------------------------------------------------------------- models

def read(path):
    with open(path, "rb") as f:
        return f.read()


def array(name, data):
    return "static const uint8_t %s[] __attribute__((aligned(64))) = {%s};\n" % (name, ",".join(map(str, data)))


def models():
    """(name, path of the model, folder of its samples)."""
    subprocess.check_call([sys.executable, os.path.join(HERE, "make_models.py"), OUT])
    meter = os.path.join(ROOT, "examples", "meter")
    made = [(name, os.path.join(OUT, name)) for name in LONG_NAMES if name != "meter"]
    for name, folder in made:
        path = os.path.join(folder, name + ".tflite")
        for i in range(count_samples(folder)):
            subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "run", path, "--input",
                                   os.path.join(folder, "input%d.bin" % i), "--output",
                                   os.path.join(folder, "expected%d.bin" % i)], stdout=subprocess.DEVNULL)
    return [("meter", os.path.join(meter, "meter.tflite"), os.path.join(meter, "golden"))] + [
        (name, os.path.join(folder, name + ".tflite"), folder) for name, folder in made]


def count_samples(folder):
    return len([f for f in os.listdir(folder) if re.match(r"input\d+\.bin$", f)])


def write_models(list_of_models, target, with_tflite):
    """models.c with plans for the target, and models_steps.h with the steps of all; what the bytes take in flash.
    with_tflite: for program.c, else for firmware.c, where inputs lie in the arena."""
    text, steps, rows, size = '#include "models.h"\n\n', "", [], 0
    for name, path, folder in list_of_models:
        plan = os.path.join(OUT, name + ".plan")
        subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", path, "--target", target, "-o", plan,
                               "--config", "nnrt.inputs=" + ("apart" if with_tflite else "arena"),
                               "--c", os.path.join(OUT, name + ".h")], stdout=subprocess.DEVNULL)
        steps += re.search(r"#define %s_STEPS\(X\)(.*\\\n)*.*\n" % name.upper(),
                           read(os.path.join(OUT, name + ".h")).decode()).group()
        count = count_samples(folder)
        parts = [("tflite", read(path) if with_tflite else b"\0"), ("plan", read(plan))]
        for kind in ("input", "expected"):
            parts.append((kind, b"".join(read(os.path.join(folder, "%s%d.bin" % (kind, i))) for i in range(count))))
        text += "".join(array("%s_%s" % (name, what), data) for what, data in parts)
        size += sum((len(data) + 63) // 64 * 64 for _, data in parts)
        rows.append('{"%s", %s_tflite, %d, %s_plan, %d, %d, %d, %d, %s_input, %s_expected}' % (
            name, name, len(parts[0][1]), name, len(parts[1][1]), count, len(parts[2][1]) // count,
            len(parts[3][1]) // count, name, name))
    text += "const bare_model bare_models[] = {%s};\n" % ",\n".join(rows)
    text += "const size_t bare_model_count = %d;\n" % len(rows)
    with open(os.path.join(OUT, "models.c"), "w") as f:
        f.write(text)
    with open(os.path.join(OUT, "models_steps.h"), "w") as f:
        f.write(steps + "#define MODELS_STEPS(X) %s\n" % " ".join(m[0].upper() + "_STEPS(X)" for m in list_of_models))
    return size


# -------------------------------------------------------------------------------------------------- programs

def build(name, output, source, flags=(), defines=()):
    """The path of the program, and the bytes of its sections by name."""
    program = os.path.join(OUT, "%s%s.elf" % (name, output))
    sizes = link(name, FLAGS + list(flags) + ["-D" + define for define in defines],
                 [os.path.join(HERE, source), os.path.join(OUT, "models.c")], program)
    return program, sizes


def interrupt(name):
    """Promises of interrupts.c that are kept, and those that are not."""
    good, bad = [], []
    for number, defines in enumerate(((), SMALLEST)):
        program, _ = build(name, "_interrupts%d" % number, "interrupts.c", defines=defines)
        code, output = run(name, program)
        failed = re.findall(r"^FAILED .*", output, re.M)
        if (code != 0) != bool(failed) or "each runs afterwards" not in output:
            failed.append("FAILED it ended with %d before its last promise: %s" % (code, output[-300:]))
        bad += ["%s (%s)" % (line, " ".join(defines) or "all of nnrt") for line in failed]
        good += re.findall(r"^ok .*", output, re.M)
    return good, bad


def figures_of(output):
    return [dict((key, int(value)) for key, value in re.findall(r"(\w+)=(\d+)", line))
            for line in re.findall(r"^figures.*", output, re.M)]


def firmware(name, names):
    """Promises of firmware.c that are kept, those that are not, and its rows of the table: model, then figures."""
    program, _ = build(name, "_firmware", "firmware.c", ["-I", OUT])
    code, output = run(name, program)
    failed, figures = re.findall(r"^FAILED .*", output, re.M), figures_of(output)
    if (code != 0) != bool(failed) or len(figures) != len(names):
        failed.append("FAILED firmware.c ended with %d before its last promise: %s" % (code, output[-300:]))
    rows = [(names[f["model"]], f["arena"], f["output"], f["handles"], f["arena"] + f["output"] + f["handles"],
             f["stack"]) for f in figures]
    return re.findall(r"^ok .*", output, re.M), failed, rows


def compare(title, head, rows):
    """What docs/bare_metal.md has otherwise than measured in its table with that head; the last figure of a row is the
    stack, of which compilers differ: a quarter and 512 bytes more are a growth."""
    text = read(os.path.join(ROOT, "docs", "bare_metal.md")).decode()
    told = {}
    for line in text[text.index(head):].split("\n\n")[0].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        told[re.sub(r" \([^)]*\)", "", cells[0])] = [int(cell.replace(",", "")) for cell in cells[1:]]
    bad = []
    for row in rows:
        is_, said = list(row[1:]), told.get(row[0])
        if said is None or is_[:-1] != said[:-1] or is_[-1] > said[-1] * 5 // 4 + 512:
            bad.append("FAILED docs/bare_metal.md, %s, %s: it has %s, measured are %s" % (title, row[0], said, is_))
    return bad


def kernels(name):
    """The promises of kernels.c, for size, for speed and not optimized, that are kept, and those that are not."""
    good, bad = [], []
    for optimize in ("-Os", "-O2", "-O0"):
        program, _ = build(name, "_kernels" + optimize, "kernels.c", [optimize, "-I", os.path.join(ROOT, "tests")])
        code, output = run(name, program)
        kept, not_kept = re.findall(r"^ok .*", output, re.M), re.findall(r"^FAILED .*", output, re.M)
        if (code != 0) != bool(not_kept) or len(kept) + bool(not_kept) != 1:
            not_kept.append("FAILED kernels.c with %s ended with %d: %s" % (optimize, code, output[-300:]))
        good, bad = good + kept, bad + not_kept
    return good, bad


def everything(name, list_of_models):
    """All programs on a board: promises that are kept, those that are not, and lines of the table."""
    of_all_ways = [m for m in list_of_models if m[0] in ALL_WAYS]
    model_bytes = write_models(of_all_ways, BOARDS[name].target, True)
    program, sections = build(name, "", "program.c", defines=["BARE_ISA=\"%s\"" % BOARDS[name].target])
    code, output = run(name, program)
    good, bad = (re.findall(r"^%s .*" % word, output, re.M) for word in ("ok", "FAILED"))
    figures = figures_of(output)
    stack = max([f["stack"] for f in figures] or [0])
    flash_bytes = sum(sections.get(part, 0) for part in (".init", ".text", ".rodata", ".data")) - model_bytes
    if len(figures) != len(of_all_ways) * len(WAYS) or (code != 0) != bool(bad):
        bad.append("FAILED it ended with %d before its last promise: %s" % (code, output[-300:]))
    for what, is_, most in (("stack", stack, MOST_STACK), ("flash", flash_bytes, MOST_FLASH)):
        if name != "rv32" or what == "stack":
            (bad if is_ > most else good).append("FAILED %d bytes of %s, at most %d" % (is_, what, most))
    parts = [part(name) for part, boards in ((interrupt, WITH_INTERRUPTS), (kernels, WITH_KERNELS)) if name in boards]
    write_models(list_of_models, BOARDS[name].target, False)
    of_firmware = firmware(name, [LONG_NAMES[m[0]] for m in list_of_models])
    for more in parts + [of_firmware]:
        good, bad = good + more[0], bad + more[1]
    if name == "m4":
        rows = [("%s, %s" % (LONG_NAMES[of_all_ways[f["model"]][0]], WAYS[f["way"]]), f["arena"], f["heap_run"],
                 f["heap_build"], f["stack"]) for f in figures if WAYS[f["way"]] != "own plan in RAM"]
        differ = compare("ways", "| | arena | heap while running |", rows)
        differ += compare("firmware", "| | arena with input | output |", of_firmware[2])
        bad, good = bad + differ, good + ["ok the tables of docs/bare_metal.md"] * (not differ)
    table = ["%-8s flash without models %6d, bss %d" % (name, flash_bytes, sections[".bss"])]
    table += ["    %-8s %-16s arena %6d, heap while running %6d, while building %6d, stack %d" % (
        of_all_ways[f["model"]][0], WAYS[f["way"]], f["arena"], f["heap_run"], f["heap_build"], f["stack"])
        for f in figures]
    table += ["    %-17s firmware: arena %6d, output %d, handles %d, sum %6d, stack %d" % row
              for row in of_firmware[2]]
    return good, bad, table


def main():
    chosen = sys.argv[1:] or list(BOARDS)
    os.makedirs(OUT, exist_ok=True)
    list_of_models = models()
    passed = failed = skipped = 0
    table = []
    for name in chosen:
        if missing(name):
            print("skipped, %s: %s" % (missing(name), name))
            skipped += 1
            continue
        good, bad, rows = everything(name, list_of_models)
        print("%-8s %-12s %3d promises kept, %d not" % (name, BOARDS[name].machine, len(good), len(bad)))
        print("".join("    %s\n" % line for line in bad), end="")
        table += rows
        passed, failed = passed + len(good), failed + len(bad)
    print("\n".join(table))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
