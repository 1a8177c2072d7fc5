#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of one inference on microcontrollers, with what the firmware takes of flash and RAM.

    tests/bench/bench_mcu.py [BOARD...] [--models NAME...] [--optimize=-O3]
    tests/bench/bench_mcu.py [BOARD...] --check tests/bench/figures_mcu.md
    tests/bench/bench_mcu.py [BOARD...] --write tests/bench/figures_mcu.md

Builds bench_mcu.c, its kernels at -O2 and the rest for size, for each board of ROWS and each model, from a plan that
build/nnrt, which has to exist, makes for the board's target, and runs it under QEMU with -icount, whose clock goes by
instructions: the figures repeat exactly. They are no cycles. The meter of examples/ is always there; the others lie
below NNRT_MODELS (default ../shared/models). What is missing is skipped and said.

Prints the tables of figures_mcu.md with what it has measured, "-" for what it has not, and what follows from it: how
far a row misses its goal. --write puts that into the page and leaves the rest of it. --check fails where a figure is
2 % above the page's; the page is for one compiler, and with another one a board is skipped."""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "bare"))
import run as bare  # the boards

OUT = os.path.join(ROOT, "build", "bench_mcu")
HERE = os.path.join(ROOT, "tests", "bench")
PAGE = os.path.join(HERE, "figures_mcu.md")
# column of the page: model
MODELS = {"meter": "meter", "kws": "kws_ref_model", "vww": "vww_96_int8", "person": "person_detect",
          "resnet8": "pretrainedResnet_quant", "ad01": "ad01_int8", "micro_speech": "micro_speech_quantized"}
ROWS = {"m0plus": "Cortex-M0+", "m4": "Cortex-M4", "m7": "Cortex-M7", "m33": "Cortex-M33", "m55": "Cortex-M55",
        "rv32": "RV32IMAC"}
ON_PAGE = ["m4", "m55", "rv32"]
COMPILER = "12.2"  # what the page is for
MOST_GROWTH = 1.02
WARNINGS = "-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()
SECTIONS = "-ffunction-sections -fdata-sections -Wl,--gc-sections".split()


# ------------------------------------------------------------------------------------------------- measuring

def compiler(board):
    return subprocess.check_output([bare.tools(board)[0] + "gcc", "-dumpfullversion"]).decode().strip()


def find(model):
    """The path of the model, and the folder of its samples."""
    if model == "meter":
        folder = os.path.join(ROOT, "examples", "meter")
        return os.path.join(folder, "meter.tflite"), os.path.join(folder, "golden")
    folder = os.environ.get("NNRT_MODELS") or os.path.join(ROOT, "..", "shared", "models")
    return os.path.join(folder, model, model + ".tflite"), os.path.join(folder, model)


def array(name, data):
    return "static const uint8_t %s[] = {%s};\n" % (name, ",".join(map(str, data)))


def write_model(model, target):
    """bench_mcu_model.h in a folder of its own; the bytes of the plan, and those of input and output."""
    out = os.path.join(OUT, "%s-%s" % (model, target))
    path, samples = find(model)
    os.makedirs(out, exist_ok=True)
    subprocess.check_call([os.path.join(ROOT, "build", "nnrt"), "compile", path, "--target", target, "--config",
                           "nnrt.inputs=arena", "--c", os.path.join(out, "bench_plan.h")], stdout=subprocess.DEVNULL)
    samples = [bare.read(os.path.join(samples, name)) for name in ("input0.bin", "expected0.bin")]
    with open(os.path.join(out, "bench_mcu_model.h"), "w") as f:
        f.write('#include "bench_plan.h"\n' + array("model_input", samples[0]) + array("model_output", samples[1]))
    plan = int(re.search(r"_BYTES (\d+)u", bare.read(os.path.join(out, "bench_plan.h")).decode()).group(1))
    return out, plan, sum((len(data) + 3) // 4 * 4 for data in samples)


def build(board, include, optimize, checksum):
    """The path of the program, and what it has in flash, the plan and the samples included."""
    program = os.path.join(include, board + ".elf")
    flags = WARNINGS + SECTIONS + [optimize, "-I", include] + (["-DBENCH_CHECKSUM"] if checksum else [])
    sizes = bare.link(board, flags, [os.path.join(HERE, "bench_mcu.c")], program)
    return program, sum(sizes.get(name, 0) for name in (".init", ".text", ".rodata", ".data"))


def run(board, program):
    """What the program prints, by name."""
    code, text = bare.run(board, program, ["-icount", "shift=4"], 600)
    if code != 0 or "run=" not in text:
        raise RuntimeError("%s ended with %d: %s" % (program, code, text[-300:]))
    return dict((name, int(value)) for name, value in re.findall(r"(\w+)=(\d+)", text))


def kernels(board, optimize):
    """The rows of bench_mcu_kernels.c: instructions of the portable kernels and of the board's own."""
    os.makedirs(OUT, exist_ok=True)
    program = os.path.join(OUT, "kernels-%s.elf" % board)
    flags = WARNINGS + SECTIONS + [optimize, "-I", os.path.join(ROOT, "tests")]
    bare.link(board, flags, [os.path.join(HERE, "bench_mcu_kernels.c")], program)
    return bare.run(board, program, ["-icount", "shift=4"], 600)[1]


def measure(board, model, optimize, checksum):
    """{(table, row): figure} of a model on a board. checksum: also what a start takes that reads it."""
    row, target = ROWS[board], bare.BOARDS[board].target
    include, plan, samples = write_model(model, target)
    program, flash = build(board, include, optimize, False)
    figures = run(board, program)
    found = {("Instructions", row): figures["run"] / 1e6, ("Start-up", row): figures["start"] / 1e3,
             ("Flash", row + ", code"): flash - plan - samples, ("Flash", row + ", plan"): plan,
             ("Flash", row): flash - samples, ("RAM", row): figures["arena"] + figures["pool"]}
    if checksum:
        program, _ = build(board, include, optimize, True)
        found["Start-up", row + ", checksum"] = run(board, program)["start"] / 1e3
    return found


# -------------------------------------------------------------------------------------------------- the page

FORMATS = {"Instructions": "%.3f", "Start-up": "%.1f", "Flash": "%d", "RAM": "%d"}


class Page:
    """Lines of figures_mcu.md; its figures by (table, row, column), a table's name being the word of its heading."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.cells = {}  # (table, row, column): text
        self.rows = []   # (number of its line, table, row, columns)
        table, columns = "", []
        for number, line in enumerate(self.lines):
            if line.startswith("## "):
                table = line[3:].split(",")[0]
            if not line.startswith("|"):
                columns = []
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
            if not cells or line.startswith("|-"):
                continue
            if not columns:
                columns = cells[1:]
                continue
            if any((table, cells[0], c) in self.cells for c in columns):
                continue  # of a later table, with the same kernels on another board: nothing here asks for it
            self.rows.append((number, table, cells[0], columns))
            self.cells.update(((table, cells[0], c), text) for c, text in zip(columns, cells[1:]))

    def number(self, table, row, column):
        try:
            return float(self.cells.get((table, row, column), "").replace(",", ""))
        except ValueError:
            return None

    def set(self, table, row, column, figure):
        text = (FORMATS[table] % figure) if figure is not None else "-"
        self.cells[table, row, column] = re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", text) if "." not in text else text

    def derive(self):
        """Rows that follow from others: "X, goal: 1 % of a run", and "X, missed by", in percent of "X, goal"."""
        for _, table, row, columns in self.rows:
            board = row.split(",")[0]
            for column in columns:
                if row.endswith(", goal: 1 % of a run"):
                    whole = self.number("Instructions", board, column)
                    self.set(table, row, column, whole * 10 if whole is not None else None)
        for _, table, row, columns in self.rows:
            if not row.endswith(", missed by"):
                continue
            board = row.split(",")[0]
            goal = next(r for _, t, r, _ in self.rows if t == table and r.startswith(board + ", goal"))
            for column in columns:
                is_, most = self.number(table, board, column), self.number(table, goal, column)
                if is_ is None or most is None:
                    text = "-"
                else:
                    text = "%.1f %%" % (100 * (is_ / most - 1)) if is_ > most else "kept"
                self.cells[table, row, column] = text

    def text(self):
        lines = list(self.lines)
        for number, table, row, columns in self.rows:
            lines[number] = "| %s |" % " | ".join([row] + [self.cells[table, row, c] for c in columns])
        return "\n".join(lines) + "\n"


def show(page, found, boards):
    """The page's tables, of what is measured only what has been found now."""
    for _, table, row, columns in page.rows:
        if any(row == ROWS[b] or row.startswith(ROWS[b] + ", ") for b in ROWS):
            if re.search(", (goal|missed|portable)", row) is None:
                for column in columns:
                    page.set(table, row, column, found.get((table, row, column)))
    page.derive()
    text = page.text()
    print("\n".join(text[text.index("## "):].splitlines()))
    rows = {(table, row) for _, table, row, _ in page.rows}
    for (table, row, column), figure in sorted(found.items()):
        if (table, row) not in rows and row.split(",")[0] in [ROWS[b] for b in boards]:
            print("%s, %s, %s: %s" % (table, row, column, FORMATS[table] % figure))


def growth(page, found):
    """Sentences of what has grown, and of what the page does not have."""
    bad = []
    for (table, row, column), figure in sorted(found.items()):
        told = page.number(table, row, column)
        if told is None:
            bad.append("%s, %s, %s: %s, and the page has no such figure" % (
                table, row, column, FORMATS[table] % figure))
        elif figure > told * MOST_GROWTH:
            bad.append("%s, %s, %s: %s, and %s on the page: %.1f %% more" % (
                table, row, column, FORMATS[table] % figure, page.cells[table, row, column],
                100 * (figure / told - 1)))
    return bad


# ------------------------------------------------------------------------------------------------------ main

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=ON_PAGE, metavar="BOARD", help=", ".join(ROWS))
    parser.add_argument("--models", nargs="+", default=list(MODELS), metavar="NAME", help=", ".join(MODELS))
    parser.add_argument("--optimize", default="-O2", help="for the kernels (default -O2); the rest is made for size")
    parser.add_argument("--check", metavar="PAGE", help="fail where a figure is 2 %% above this page's")
    parser.add_argument("--kernels", action="store_true", help="instructions of kernels instead, portable and own")
    parser.add_argument("--write", metavar="PAGE", help="put the figures into this page")
    options = parser.parse_args()
    if options.kernels:
        for board in options.boards:
            why = bare.missing(board)
            print("skipped, %s: %s\n" % (why, board) if why else kernels(board, options.optimize), end="")
        return 0
    page = Page(bare.read(options.check or options.write or PAGE).decode())
    found, bad = {}, []
    passed = skipped = 0
    for board in options.boards:
        why = bare.missing(board)
        if not why and options.check and not compiler(board).startswith(COMPILER + "."):
            why = "the page is for GCC %s, this is %s" % (COMPILER, compiler(board))
        if why:
            print("skipped, %s: %s" % (why, board))
            skipped += len(options.models)
            continue
        for column in options.models:
            model = MODELS[column]
            if not os.path.exists(find(model)[0]):
                print("skipped, no %s in NNRT_MODELS or ../shared/models: %s" % (model, board))
                skipped += 1
                continue
            checksum = board == "m4" and (not options.check or column == "meter")
            try:
                figures = measure(board, model, options.optimize, checksum)
            except (RuntimeError, subprocess.SubprocessError) as error:
                bad.append("%s on %s: %s" % (model, board, error))
                continue
            figures = dict((key + (column,), figure) for key, figure in figures.items())
            found.update(figures)
            grown = growth(page, figures) if options.check else []
            bad += grown
            passed += not grown
    if options.check:
        derived = Page(page.text())
        derived.derive()
        if derived.text() != page.text():
            bad.append("the rows \"goal: 1 %% of a run\" and \"missed by\" of %s do not follow from the others" %
                       options.check)
    elif options.write:
        for (table, row, column), figure in found.items():
            page.set(table, row, column, figure)
        page.derive()
        with open(options.write, "w") as f:
            f.write(page.text())
    else:
        show(page, found, options.boards)
    print("".join("FAILED %s\n" % line for line in bad), end="")
    if bad and options.check:
        print("What is meant to grow is written anew by tests/bench/bench_mcu.py --write %s" % options.check)
    if options.check:
        print("%d passed, %d failed, %d skipped" % (passed, len(bad), skipped))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
