#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds tests/bare/program.c for Cortex-M processors with newlib and runs it on QEMU's boards: no operating system,
the models in flash, 256 KB of RAM. Every sample has to give the bytes that it gives on a PC. Then interrupts.c, with
all of nnrt and as the smallest firmware has it: runs inside runs; and kernels.c: the board's own against portable ones.

    tests/bare/run.py [BOARD...]      all of BOARDS, or those named

The meter model of examples/ is always there; the keyword model lies in the directory NNRT_MODELS (default
../shared/models) and counts as one skipped test per board where it is absent. build/nnrt has to exist: it compiles
the plans. Prints the promises that are not kept, a table of what each program takes, and `N passed, N failed,
N skipped`."""

import os
import re
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
OUT = os.path.join(ROOT, "build", "bare")
HERE = os.path.join(ROOT, "tests", "bare")

# name: (QEMU's board, what the compiler is told, where flash and RAM are)
BOARDS = {
    "m0plus": ("mps2-an385", "-mcpu=cortex-m0plus", 0x00000000, 0x20000000),  # on a Cortex-M3, which runs its code
    "m4": ("mps2-an386", "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", 0x00000000, 0x20000000),
    "m7": ("mps2-an500", "-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard", 0x00000000, 0x20000000),
    "m55": ("mps3-an547", "-mcpu=cortex-m55 -mfloat-abi=hard", 0x10000000, 0x30000000),
}
# Of each the plans that its processor runs best, and the level that its programs say they have.
TARGETS = {"m0plus": "scalar", "m4": "cortex-m4", "m7": "cortex-m4", "m55": "cortex-m55"}
FLAGS = ("-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Os -mthumb -ffunction-sections "
         "-fdata-sections -nostartfiles -Wl,--gc-sections").split()
WAYS = ("packed in RAM", "weights in flash", "plan in flash", "own plan in RAM")
LONG_NAMES = {"meter": "meter", "kws": "keyword spotter"}  # in docs/bare_metal.md
SMALLEST = ("NNRT_PLANS_ONLY", "NNRT_NO_SENTENCES", "NNRT_ONE_DEVICE")
# Bounds that a change may not pass without somebody seeing it: bytes of stack, and of code with its constants.
MOST_STACK, MOST_FLASH = 6 * 1024, 166 * 1024


def models():
    """(name, path of the model, folder of its samples) of those that are here, and how many are not."""
    folder = os.environ.get("NNRT_MODELS") or os.path.join(ROOT, "..", "shared", "models")
    meter, kws = os.path.join(ROOT, "examples", "meter"), os.path.join(folder, "kws_ref_model")
    wanted = [("meter", os.path.join(meter, "meter.tflite"), os.path.join(meter, "golden")),
              ("kws", os.path.join(kws, "kws_ref_model.tflite"), kws)]
    here = [m for m in wanted if os.path.exists(m[1])]
    return here, len(wanted) - len(here)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def array(name, data):
    return "static const uint8_t %s[] __attribute__((aligned(64))) = {%s};\n" % (name, ",".join(map(str, data)))


def write_models(list_of_models, target):
    """models.c with plans for the target, and what its bytes take in flash."""
    text, rows, size = '#include "models.h"\n\n', [], 0
    for name, path, folder in list_of_models:
        plan = os.path.join(OUT, name + ".plan")
        subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", path, "--target", target, "-o", plan,
                               "--c", os.path.join(OUT, name + ".h")], stdout=subprocess.DEVNULL)
        count = len([f for f in os.listdir(folder) if re.match(r"input\d+\.bin$", f)])
        parts = [("tflite", read(path)), ("plan", read(plan))]
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
    return size


def build(name, flags, flash, ram, source="program.c", defines=()):
    """The path of the program, and the bytes of its sections by name."""
    program = os.path.join(OUT, name + ".elf")
    sources = [os.path.join(HERE, f) for f in ("startup.c", source)] + [os.path.join(OUT, "models.c")]
    defines = ["-D" + define for define in defines]
    subprocess.check_call(["arm-none-eabi-gcc"] + FLAGS + flags.split() + defines + ["-I", ROOT, "-I", HERE] + sources +
                          ["-T", os.path.join(HERE, "board.ld"), "-Wl,--defsym=board_flash=%d" % flash,
                           "-Wl,--defsym=board_ram=%d" % ram, "-o", program, "-lm"])
    sizes = subprocess.check_output(["arm-none-eabi-size", "-A", program]).decode()
    return program, dict((row[0], int(row[1])) for row in re.findall(r"^(\.\w+)\s+(\d+)", sizes, re.M))


def run(board, program):
    command = ["qemu-system-arm", "-M", board, "-display", "none", "-monitor", "none", "-serial", "none", "-kernel",
               program, "-chardev", "stdio,id=out", "-semihosting-config", "enable=on,target=native,chardev=out"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=120)
    except subprocess.TimeoutExpired as late:
        return 1, (late.stdout or b"").decode("ascii", "replace") + "FAILED the board took more than 120 s\n"
    return done.returncode, done.stdout.decode("ascii", "replace")


def interrupt(name, board, flags, flash, ram):
    """Promises of interrupts.c that are kept, and those that are not."""
    good, bad = [], []
    for number, defines in enumerate(((), SMALLEST)):
        program, _ = build("%s_interrupts%d" % (name, number), flags, flash, ram, "interrupts.c", defines)
        code, output = run(board, program)
        failed = re.findall(r"^FAILED .*", output, re.M)
        if (code != 0) != bool(failed) or "each runs afterwards" not in output:
            failed.append("FAILED it ended with %d before its last promise: %s" % (code, output[-300:]))
        bad += ["%s (%s)" % (line, " ".join(defines) or "all of nnrt") for line in failed]
        good += re.findall(r"^ok .*", output, re.M)
    return good, bad


def figures_of(output):
    return [dict((key, int(value)) for key, value in re.findall(r"(\w+)=(\d+)", line))
            for line in re.findall(r"^figures.*", output, re.M)]


def firmware(name, board, flags, flash, ram, names):
    """Promises of firmware.c that are kept, those that are not, and its rows of the table: model, then figures."""
    program, _ = build(name + "_firmware", flags, flash, ram, "firmware.c")
    code, output = run(board, program)
    failed, figures = re.findall(r"^FAILED .*", output, re.M), figures_of(output)
    if (code != 0) != bool(failed) or len(figures) != len(names):
        failed.append("FAILED firmware.c ended with %d before its last promise: %s" % (code, output[-300:]))
    rows = [(names[f["model"]], f["arena"], f["tensors"], f["handles"], f["arena"] + f["tensors"] + f["handles"],
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


def kernels(name, board, flags, flash, ram):
    """The promises of kernels.c, for size, for speed and not optimized, that are kept, and those that are not."""
    good, bad = [], []
    for optimize in ("-Os", "-O2", "-O0"):
        more = " %s -I %s" % (optimize, os.path.join(ROOT, "tests"))
        program, _ = build(name + "_kernels" + optimize, flags + more, flash, ram, "kernels.c")
        code, output = run(board, program)
        kept, not_kept = re.findall(r"^ok .*", output, re.M), re.findall(r"^FAILED .*", output, re.M)
        if (code != 0) != bool(not_kept) or len(kept) + bool(not_kept) != 1:
            not_kept.append("FAILED kernels.c with %s ended with %d: %s" % (optimize, code, output[-300:]))
        good, bad = good + kept, bad + not_kept
    return good, bad


def main():
    chosen = sys.argv[1:] or list(BOARDS)
    os.makedirs(OUT, exist_ok=True)
    list_of_models, absent = models()
    passed = failed = 0
    table = []
    for name in chosen:
        board, flags, flash, ram = BOARDS[name]
        model_bytes = write_models(list_of_models, TARGETS[name])
        program, sections = build(name, flags, flash, ram, defines=["BARE_ISA=\"%s\"" % TARGETS[name]])
        code, output = run(board, program)
        bad = re.findall(r"^FAILED .*", output, re.M)
        good = re.findall(r"^ok .*", output, re.M)
        figures = figures_of(output)
        stack = max([f["stack"] for f in figures] or [0])
        flash_bytes = sections.get(".text", 0) + sections.get(".rodata", 0) + sections.get(".data", 0) - model_bytes
        if len(figures) != len(list_of_models) * len(WAYS) or (code != 0) != bool(bad):
            bad.append("FAILED it ended with %d before its last promise: %s" % (code, output[-300:]))
        for what, is_, most in (("stack", stack, MOST_STACK), ("flash", flash_bytes, MOST_FLASH)):
            (bad if is_ > most else good).append("FAILED %d bytes of %s, at most %d" % (is_, what, most))
        of_parts = [part(name, board, flags, flash, ram) for part in (interrupt, kernels)]
        of_firmware = firmware(name, board, flags, flash, ram, [LONG_NAMES[m[0]] for m in list_of_models])
        for more in of_parts + [of_firmware]:
            good, bad = good + more[0], bad + more[1]
        if name == "m4":
            rows = [("%s, %s" % (LONG_NAMES[list_of_models[f["model"]][0]], WAYS[f["way"]]), f["arena"], f["heap_run"],
                     f["heap_build"], f["stack"]) for f in figures if WAYS[f["way"]] != "own plan in RAM"]
            differ = compare("ways", "| | arena | heap while running |", rows)
            differ += compare("firmware", "| | arena | input, output |", of_firmware[2])
            bad, good = bad + differ, good + ["ok the tables of docs/bare_metal.md"] * (not differ)
        print("%-8s %-12s %3d promises kept, %d not" % (name, board, len(good), len(bad)))
        print("".join("    %s\n" % line for line in bad), end="")
        table.append("%-8s code %6d, constants %5d, data %d, bss %d" % (
            name, sections[".text"], sections[".rodata"] - model_bytes, sections[".data"], sections[".bss"] - 8192))
        table += ["    %-6s %-16s arena %6d, heap while running %6d, while building %6d, stack %d" % (
            list_of_models[f["model"]][0], WAYS[f["way"]], f["arena"], f["heap_run"], f["heap_build"], f["stack"])
            for f in figures]
        table += ["    %-16s firmware: arena %6d, input and output %d, handles %d, sum %6d, stack %d" % row
                  for row in of_firmware[2]]
        passed, failed = passed + len(good), failed + len(bad)
    print("\n".join(table))
    if absent:
        print("skipped, no keyword model in NNRT_MODELS or ../shared/models")
    print("%d passed, %d failed, %d skipped" % (passed, failed, absent * len(chosen)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
