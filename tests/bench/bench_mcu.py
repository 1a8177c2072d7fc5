#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of one inference on microcontrollers, with what the program takes of flash and RAM.

    tests/bench/bench_mcu.py [BOARD...] [--models NAME...] [--target NAME] [--optimize -O2]

Builds bench_mcu.c for each board of BOARDS and each int8 model below NNRT_MODELS (default ../shared/models), from a
plan that build/nnrt, which has to exist, makes for the board's target, and runs it under QEMU with -icount, whose clock
goes by instructions: the figures repeat exactly. They are no cycles. Prints a table for figures_mcu.md, which holds
what was measured last; what is missing is skipped and said."""

import argparse
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "bare"))
import run as bare  # the boards with a Cortex-M

OUT = os.path.join(ROOT, "build", "bench_mcu")
HERE = os.path.join(ROOT, "tests", "bench")
MODELS = ("kws_ref_model", "vww_96_int8", "person_detect", "pretrainedResnet_quant", "ad01_int8",
          "micro_speech_quantized")
# name: the target of its plans
TARGETS = dict(bare.TARGETS, rv32="scalar")
WARNINGS = "-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()
SECTIONS = "-ffunction-sections -fdata-sections -Wl,--gc-sections".split()


def array(name, data):
    return "static const uint8_t %s[] = {%s};\n" % (name, ",".join(map(str, data)))


def write_model(model, folder, target):
    """bench_mcu_model.h in a folder of its own; the bytes of the plan and of the samples."""
    out = os.path.join(OUT, "%s-%s" % (model, target))
    os.makedirs(out, exist_ok=True)
    subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", os.path.join(folder, model + ".tflite"),
                           "--target", target, "--c", os.path.join(out, "bench_plan.h")], stdout=subprocess.DEVNULL)
    samples = [bare.read(os.path.join(folder, name)) for name in ("input0.bin", "expected0.bin")]
    with open(os.path.join(out, "bench_mcu_model.h"), "w") as f:
        f.write('#include "bench_plan.h"\n' + array("model_input", samples[0]) + array("model_output", samples[1]))
    plan = int(re.search(r"_BYTES (\d+)u", bare.read(os.path.join(out, "bench_plan.h")).decode()).group(1))
    return out, plan, sum((len(data) + 3) // 4 * 4 for data in samples)


def build(board, include, optimize):
    """The path of the program, and the bytes of its sections by name."""
    program = os.path.join(include, board + ".elf")
    flags = WARNINGS + SECTIONS + [optimize, "-I", ROOT, "-I", bare.HERE, "-I", include,
                                   os.path.join(HERE, "bench_mcu.c"), "-o", program]
    if board == "rv32":
        tools = "riscv64-unknown-elf-"
        flags += ["--specs=picolibc.specs", "-march=rv32imac", "-mabi=ilp32", "--crt0=semihost", "--oslib=semihost",
                  "-Wl,--defsym=__flash=0x80000000,--defsym=__flash_size=0x100000",
                  "-Wl,--defsym=__ram=0x80200000,--defsym=__ram_size=0x80000", os.path.join(HERE, "board_rv32.c")]
    else:
        _, cpu, flash, ram = bare.BOARDS[board]
        tools = "arm-none-eabi-"
        flags += cpu.split() + ["-mthumb", "-nostartfiles", os.path.join(bare.HERE, "startup.c"),
                                "-T", os.path.join(bare.HERE, "board.ld"), "-Wl,--defsym=board_flash=%d" % flash,
                                "-Wl,--defsym=board_ram=%d" % ram]
    subprocess.check_call([tools + "gcc"] + flags + ["-lm"])
    sizes = subprocess.check_output([tools + "size", "-A", program]).decode()
    return program, dict((row[0], int(row[1])) for row in re.findall(r"^(\.\w+)\s+(\d+)", sizes, re.M))


def measure(board, program):
    """The figures of the program by name."""
    if board == "rv32":
        emulator = ["qemu-system-riscv32", "-M", "virt", "-bios", "none"]
    else:
        emulator = ["qemu-system-arm", "-M", bare.BOARDS[board][0]]
    done = subprocess.run(emulator + ["-icount", "shift=4", "-display", "none", "-monitor", "none", "-serial", "none",
                                      "-kernel", program, "-chardev", "stdio,id=out", "-semihosting-config",
                                      "enable=on,target=native,chardev=out"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    text = done.stdout.decode("ascii", "replace")
    if done.returncode != 0 or "run=" not in text:
        raise RuntimeError("%s ended with %d: %s" % (program, done.returncode, text[-300:]))
    return dict((name, int(value)) for name, value in re.findall(r"(\w+)=(\d+)", text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=list(TARGETS), metavar="BOARD", help=", ".join(TARGETS))
    parser.add_argument("--models", nargs="+", default=MODELS, metavar="NAME")
    parser.add_argument("--target", help="plans for this target, on every board")
    parser.add_argument("--optimize", default="-O2")
    options = parser.parse_args()
    folder = os.environ.get("NNRT_MODELS") or os.path.join(ROOT, "..", "shared", "models")
    models = [model for model in options.models if os.path.exists(os.path.join(folder, model, model + ".tflite"))]
    if not models:
        print("skipped, no models in NNRT_MODELS or ../shared/models")
        return 0
    print("| board | model | instructions, million | start-up, million | .text | plan | arena | handles | RAM |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for board in options.boards:
        tools = ("riscv64-unknown-elf-gcc", "qemu-system-riscv32") if board == "rv32" else (
            "arm-none-eabi-gcc", "qemu-system-arm")
        if not all(map(shutil.which, tools)):
            print("skipped, no %s: %s" % (" or ".join(tools), board))
            continue
        for model in models:
            include, plan, samples = write_model(model, os.path.join(folder, model), options.target or TARGETS[board])
            program, sections = build(board, include, options.optimize)
            code = sections[".text"] - (plan + samples if board == "rv32" else 0)  # there with its constants
            f = measure(board, program)
            print("| %s | %s | %.3f | %.3f | %d | %d | %d | %d | %d |" % (
                board, model, f["run"] / 1e6, f["start"] / 1e6, code, plan, f["arena"], f["handles"],
                f["arena"] + f["handles"] + f["tensors"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
