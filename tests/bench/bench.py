#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models timed beside something else. Prints ratios, below 1 nnrt (now) is faster; asserts nothing.

    tests/bench/bench.py models           nnrt beside XNNPACK (Debian's libxnnpack-dev, if it is there; with --xnnpack
                                          FOLDER... what CMake has built there, the fastest of them), and with
                                          --base REVISION beside nnrt as it was in that revision of git
    tests/bench/bench.py starts           from bytes in memory to an executor, and all of it given back: a .tflite, and
                                          the plan of one, in two modes; beside the same as models
    tests/bench/bench.py layers MODEL     each operator of one model, nnrt beside XNNPACK
    tests/bench/bench.py arm              instructions of one inference on a Cortex-A7 under QEMU, beside XNNPACK's
    tests/bench/bench.py aarch64          the same on 64-bit cores with NEON, dot products and i8mm, beside an XNNPACK
                                          that CMake has built for them (--xnnpack FOLDER)

Models are folders with a .tflite in NNRT_MODELS, ../shared/models unless told. A pair are two programs that take turns
of some milliseconds, --rounds of them each, and their least times are compared: what else the machine does in the
meantime meets both. Two threads need two cores that nobody else uses. What was measured is kept, with machine, date and
commit, in build/bench_history.json."""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"
HISTORY = ROOT / "build" / "bench_history.json"
MODELS = pathlib.Path(os.environ.get("NNRT_MODELS") or ROOT / ".." / "shared" / "models")
X86 = platform.machine() in ("x86_64", "i686", "AMD64")
# Levels as bench_xnnpack.c knows them, and what nnrt calls the same: the first that it has.
LEVELS = {"sse41": ["sse41"], "avx2": ["avx2"], "vnni": ["avx512vnni", "avxvnni", "vnni"]}
LEVELS = LEVELS if X86 else {"neon": ["neon"]}
# What a start begins with, as bench_nnrt.c knows it.
FORMS = {"model": ".tflite", "plan": "plan", "low-model": "LOW .tflite", "low-plan": "LOW plan"}
# What nnrt calls the sets of 64-bit ARM, a core of QEMU's that has no more, and its number, from which cpuinfo also
# concludes what it can do.
AARCH64 = {"neon": ("cortex-a53", "0xd03"), "armv8-dot": ("cortex-a76", "0xd0b"),
           "armv8-i8mm": ("max,sve=off,sme=off", "0xd0b")}
LIBRARIES = ["-lm", "-lpthread", "-ldl"]

# Instructions of one inference on a Cortex-A7 (Armv7 with NEON), counted in the same way as here: XNNPACK 75db3c093b6d
# through TensorFlow Lite f67457790c9c, GCC 12.2, one thread, 2026-11-22.
XNNPACK_A7 = {
    "ad01_int8": 164462, "ad01_fp32": 192871, "pretrainedResnet_quant": 5440681, "pretrainedResnet": 6697828,
    "kws_ref_model": 1727926, "vww_96_int8": 4448672, "vww_96_float": 5352966, "person_detect": 4329203,
    "micro_speech_quantized": 490400, "hello_world_int8": 2327, "hello_world_float": 2436,
    "kws_ref_model_float32": 3420174}


def told(command):
    """What a command prints; None when it fails."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def machine():
    try:
        names = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        names = []
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def keep(kind, beside, rows):
    """Adds what was measured to the history."""
    history = json.loads(HISTORY.read_text()) if HISTORY.exists() else []
    commit = told(["git", "rev-parse", "--short", "HEAD"])
    if told(["git", "status", "--porcelain", "-uno"]):
        commit = f"{commit}, changed"
    history.append({"kind": kind, "machine": machine(), "date": datetime.datetime.now().isoformat(timespec="seconds"),
                    "commit": commit, "beside": beside, "rows": rows})
    HISTORY.parent.mkdir(exist_ok=True)
    HISTORY.write_text(json.dumps(history, indent=1) + "\n")


def models(chosen):
    """[(name, file)], integer models first."""
    found = [(p.parent.name, p) for p in sorted(MODELS.glob("*/*.tflite"))]
    found = [(name, path) for name, path in found if not chosen or name in chosen]
    return sorted(found, key=lambda each: is_float(each[0]))


def is_float(name):
    return name.endswith(("float", "fp32", "float32")) or name == "pretrainedResnet"


def mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if ratios else None


def means(ratios):
    """ratios: {model: ratio}. One line of geometric means."""
    parts = []
    for name, pick in (("int8", lambda m: not is_float(m)), ("float", is_float), ("all", lambda m: True)):
        chosen = [r for m, r in ratios.items() if pick(m)]
        if chosen:
            parts.append(f"{name} {mean(chosen):.2f} ({len(chosen)})")
    return "geometric mean: " + ", ".join(parts)


# ------------------------------------------------------------------------------------------ programs that take turns


def compile_nnrt(out, include, compiler="gcc", flags=()):
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-std=c99", "-O2", "-w", *flags, f"-I{include}", "-o", out,
                    ROOT / "tests/bench/bench_nnrt.c", *LIBRARIES], check=True)
    return out


def link_xnnpack(out, compiler, flags, libraries):
    """Whether bench_xnnpack.c could be built; says why not."""
    out.parent.mkdir(parents=True, exist_ok=True)
    result = subprocess.run([compiler, "-std=c99", "-O2", "-w", "-I.", *flags, "-o", out, "tests/bench/bench_xnnpack.c",
                             *libraries, *LIBRARIES], cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        reasons = [line for line in result.stderr.splitlines() if "error" in line or "undefined" in line]
        print("\n".join(reasons[:3]))
    return result.returncode == 0


def compile_xnnpack(folders, compiler="gcc"):
    """[(name, program)]: of Debian's XNNPACK, or of each folder that CMake has built one in; [] where there is none."""
    if not folders:
        out = BUILD / "bench_xnnpack"
        if link_xnnpack(out, compiler, [], ["-lXNNPACK", "-lpthreadpool", "-lcpuinfo"]):
            version = told(["dpkg-query", "-W", "-f", "${Version}", "libxnnpack-dev"]) or "of unknown version"
            return [(version, out)]
        print("skipped, no XNNPACK; FIX: sudo apt-get install libxnnpack-dev libpthreadpool-dev libcpuinfo-dev")
        return []
    found = []
    for folder in map(pathlib.Path, folders):
        cache = folder / "CMakeCache.txt"
        if not cache.exists():
            sys.exit(f"{folder} is no folder that CMake has built XNNPACK in; HACKING.md, Measure, says how")
        named = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M))
        sources = [named[f"{name}_SOURCE_DIR"] for name in ("XNNPACK", "pthreadpool", "cpuinfo")]
        libraries = [path for name in ("XNNPACK", "xnnpack-microkernels-prod", "pthreadpool", "cpuinfo")
                     for path in sorted(folder.rglob(f"lib{name}.a"))] + ["-lstdc++"]
        out = BUILD / f"bench_xnnpack-{len(found)}"
        if link_xnnpack(out, compiler, [f"-I{source}/include" for source in sources], libraries):
            commit = told(["git", "-C", sources[0], "log", "-1", "--format=%h of %cs"]) or "of unknown version"
            found.append((f"{commit}, {pathlib.Path(named['CMAKE_C_COMPILER']).name}", out))
    return found


class Program:
    """One that speaks as tests/bench/serve.h says. reason: why it does not run."""

    realtime = False  # before all other programs of the machine, where the system lets it

    def __init__(self, *command):
        if Program.realtime:
            command = ("chrt", "-f", 10) + command
        self.process = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        self.reason = None if first else self.process.stderr.read().strip() or "ended"
        self.notes, _, output = first.partition("|")
        self.output = [float(value) for value in output.split()]
        self.turns = []

    @property
    def least(self):
        return min(self.turns)

    def turn(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.turns.append(float(self.process.stdout.readline()))

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def take_turns(programs, rounds):
    for r in range(rounds):
        for program in programs if r % 2 == 0 else reversed(programs):
            program.turn()
    for program in programs:
        program.end()


def differ(a, b):
    """The largest difference of the outputs, in the largest magnitude of them."""
    largest = max([abs(v) for v in a.output + b.output] + [1e-9])
    return max([abs(x - y) for x, y in zip(a.output, b.output)] + [0]) / largest


def isa_of(nnrt, level):
    """What nnrt calls a level, and the nearest below it that it has."""
    names = LEVELS[level] + (["avx2"] if level == "vnni" else [])
    path = models(None)[0][1]
    for name in names:
        program = Program(nnrt, path, name, 1)
        program.end()
        if program.reason is None:
            return name
    return None


def pairs(kind, beside, nnrt, other_commands, options):
    """Times nnrt and other programs, of which the fastest counts, over models, levels and threads, prints a table for
    each. The median is of the ratios of neighbouring turns."""
    rows = []
    for level in options.levels.split(",") if options.levels else LEVELS:
        isa = isa_of(nnrt, level)
        if isa is None:
            print(f"\n{level}: skipped, nnrt or this processor lacks it")
            continue
        alone = {}
        for threads in map(int, options.threads.split(",")):
            plural = "s" if threads > 1 else ""
            gain = f"   1 -> {threads} threads" if alone else ""
            print(f"\n{level} (nnrt: {isa}), {threads} thread{plural}: us, least of {options.rounds} turns")
            print(f"{'model':26} {'nnrt':>9} {beside.split()[0]:>9} {'ratio':>6} {'median':>6}{gain}")
            ratios, notes = {}, {}
            for name, path in models(options.models):
                programs = [Program(nnrt, path, isa, threads)]
                programs += [Program(*command) for command in other_commands(path, level, isa, threads)]
                reasons = [program.reason for program in programs if program.reason]
                if reasons:
                    print(f"{name:26} skipped: {reasons[0]}")
                    for program in programs:
                        program.end()
                    continue
                take_turns(programs, options.rounds)
                pair = [programs[0], min(programs[1:], key=lambda program: program.least)]
                least = [program.least for program in pair]
                ratios[name] = least[0] / least[1]
                median = statistics.median(a / b for a, b in zip(pair[0].turns, pair[1].turns))
                line = f"{name:26} {least[0] / 1e3:9.2f} {least[1] / 1e3:9.2f} {ratios[name]:6.2f} {median:6.2f}"
                if name in alone:
                    line += f"   {alone[name][0] / least[0]:.2f} / {alone[name][1] / least[1]:.2f}"
                if differ(*pair) > 0.1:
                    line += f"   outputs differ by {differ(*pair):.0%}"
                print(line, flush=True)
                if threads == 1:
                    alone[name] = least
                for note in filter(None, map(str.strip, (pair[0].notes + pair[1].notes).split(";"))):
                    notes.setdefault(note, []).append(name)
                rows.append({"model": name, "level": level, "isa": isa, "threads": threads, "ns": least[0],
                             "beside_ns": least[1], "ratio": round(ratios[name], 4), "median": round(median, 4),
                             "fastest": programs.index(pair[1]) - 1})
            print(means(ratios))
            for note, names in notes.items():
                print(f"  {note}: {', '.join(names)}")
    keep(kind, beside, rows)


def starts(kind, beside, nnrt, others, options):
    """Times how nnrt starts: one thread, for each model and level all FORMS in turns, and others(path, level, isa):
    {form: command} of another program."""
    rows = []
    for level in options.levels.split(",") if options.levels else LEVELS:
        isa = isa_of(nnrt, level)
        if isa is None:
            print(f"\n{level}: skipped, nnrt or this processor lacks it")
            continue
        print(f"\n{level} (nnrt: {isa}), from bytes in memory to an executor, and back: us, least of {options.rounds} "
              f"turns, and ratios")
        print(f"{'model':23}", *(f"{name:>11} {'/' + beside.split()[0]:>8}" if form in others("", level, isa) else
                                f"{name:>11}" for form, name in FORMS.items()), f"{'plan/.tflite':>13} {'of LOW':>7}")
        ratios = {}
        for name, path in models(options.models):
            other = others(path, level, isa)
            programs = {form: Program(nnrt, path, isa, 1, "start", form) for form in FORMS}
            programs.update({form + " beside": Program(*command) for form, command in other.items()})
            reasons = [program.reason for program in programs.values() if program.reason]
            if reasons:
                print(f"{name:23} skipped: {reasons[0]}")
                for program in programs.values():
                    program.end()
                continue
            take_turns(list(programs.values()), options.rounds)
            least = {form: program.least for form, program in programs.items()}
            line = f"{name:23}"
            for form in FORMS:
                line += f" {least[form] / 1e3:11.1f}"
                if form in other:
                    ratio = least[form] / least[form + " beside"]
                    ratios.setdefault(form, {})[name] = ratio
                    line += f" {ratio:8.2f}"
            line += f" {least['plan'] / least['model']:13.2f} {least['low-plan'] / least['low-model']:7.2f}"
            print(line, flush=True)
            rows.append({"model": name, "level": level, "isa": isa, "ns": least})
        for form, of_form in ratios.items():
            print(f"{FORMS[form]}: {means(of_form)}")
    keep(kind + " starts", beside, rows)


def beside_base(nnrt, revision, options):
    commit = told(["git", "rev-parse", "--short", f"{revision}^{{commit}}"])
    if commit is None:
        sys.exit(f"no revision {revision}")
    tree = BUILD / f"base-{commit}"
    tree.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)
    base = compile_nnrt(BUILD / f"bench_nnrt-{commit}", tree)
    print(f"\n==== nnrt, and nnrt at {commit}")
    if options.what == "models":
        pairs("base", commit, nnrt, lambda path, level, isa, threads: [(base, path, isa, threads)], options)
    starts("base", commit, nnrt, lambda path, level, isa: {f: (base, path, isa, 1, "start", f) for f in FORMS}, options)


def beside_xnnpack(nnrt, options):
    found = compile_xnnpack(options.xnnpack)
    if not found:
        return
    version = "; ".join(name for name, _ in found)
    print(f"\n==== nnrt, and XNNPACK {version}, each limited to the level")
    if version.startswith("0.0~git2022"):
        print("This release has AVX-512 kernels for int8, but none for VNNI, and no dynamic quantization.")
    if options.what == "models":
        pairs("xnnpack", f"XNNPACK {version}", nnrt, lambda path, level, isa, threads: [
            (program, path, level, isa, threads) for _, program in found], options)
    starts("xnnpack", f"XNNPACK {version}", nnrt,
           lambda path, level, isa: {"model": (found[0][1], path, level, isa, 1, "start")}, options)


def run_models(options):
    if not models(options.models):
        print(f"skipped, no models in {MODELS}; FIX: NNRT_MODELS=DIRECTORY")
        return
    nnrt = compile_nnrt(BUILD / "bench_nnrt", ROOT)
    if options.base:
        beside_base(nnrt, options.base, options)
    beside_xnnpack(nnrt, options)
    print(f"\nkept in {HISTORY.relative_to(ROOT)}")


def run_layers(options):
    level = options.levels or list(LEVELS)[-1]
    nnrt, found = compile_nnrt(BUILD / "bench_nnrt", ROOT), compile_xnnpack(options.xnnpack)
    xnnpack = found[0][1] if found else None
    for name, path in models([options.model]):
        isa = isa_of(nnrt, level)
        least = [{}, {}]
        for _ in range(options.rounds // 5 + 1):
            commands = [[nnrt, path, isa, 1, "layers", 60], [xnnpack, path, level, isa, 1, "layers", 1]]
            for which, command in enumerate(commands):
                if command[0] is None:
                    continue
                for line in told(list(map(str, command))).splitlines():
                    layer, _, time = line.rpartition("\t")
                    least[which][layer] = min(least[which].get(layer, math.inf), float(time))
        print(f"{name}, {level} (nnrt: {isa}): us; nnrt runs as one step what XNNPACK may run as two")
        for layer in list(least[0]) + [layer for layer in least[1] if layer not in least[0]]:
            times = [part.get(layer) for part in least]
            cells = [f"{t / 1e3:9.2f}" if t is not None else f"{'-':>9}" for t in times]
            ratio = f"{times[0] / times[1]:6.2f}" if None not in times and times[1] else f"{'':6}"
            print(f"{cells[0]} {cells[1]} {ratio}  {layer[-90:]}")


# ------------------------------------------------------------------------------------------ instructions on a Cortex-A7


def run_arm(options):
    plugin_source = MODELS / ".." / "tools" / "guest_instructions.c"
    root = os.environ.get("ARM_ROOT", "/usr/arm-linux-gnueabihf")
    missing = [what for what, there in (
        (f"models in {MODELS}", models(options.models)), (f"plugin {plugin_source}", plugin_source.exists()),
        ("arm-linux-gnueabihf-gcc", told(["arm-linux-gnueabihf-gcc", "--version"])),
        ("qemu-arm", told(["qemu-arm", "--version"]))) if not there]
    if missing:
        print("skipped, no " + ", no ".join(missing))
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    plugin = BUILD / "guest_instructions.so"
    subprocess.run(["gcc", "-O2", "-w", "-shared", "-fPIC", "-o", plugin, plugin_source], check=True)
    nnrt = compile_nnrt(BUILD / "bench_nnrt-cortex-a7", ROOT, "arm-linux-gnueabihf-gcc",
                        ["-mcpu=cortex-a7", "-mfpu=neon-vfpv4", "-mfloat-abi=hard"])

    def count(path, runs):
        command = ["qemu-arm", "-L", root, "-cpu", "cortex-a7", "-plugin", plugin, nnrt, path, options.levels or "neon",
                   1, "runs", runs]
        said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stderr
        counts = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", said)}
        counts["all"] = int(re.search(r"guest_insns (\d+)", said).group(1))
        return counts

    print("instructions of one inference on a Cortex-A7, and XNNPACK's (75db3c093b6d, 2026-11-22)")
    print(f"{'model':26} {'nnrt':>12} {'XNNPACK':>12} {'ratio':>6}   simd: multiply   other    load   store |"
          "  branch  memory    rest")
    ratios, rows = {}, []
    for name, path in models(options.models):
        once, more = count(path, 1), count(path, 11)
        each = {key: (more[key] - once[key]) / 10 for key in more}
        peer = XNNPACK_A7.get(name)
        line = f"{name:26} {each['all']:12,.0f}"
        if peer:
            ratios[name] = each["all"] / peer
            line += f" {peer:12,} {ratios[name]:6.2f}"
        else:
            line += " " * 20
        rest = each["int_other"] + each["int_mul"] + each["vfp_scalar"]
        shares = [each["simd_mul"], each["simd_other"], each["simd_load"], each["simd_store"]]
        line += "   " + " ".join(f"{share / each['all']:14.0%}" if i == 0 else f"{share / each['all']:7.0%}"
                                 for i, share in enumerate(shares))
        shares = [each["branch"], each["load"] + each["store"], rest]
        line += " |" + "".join(f"{share / each['all']:8.0%}" for share in shares)
        print(line, flush=True)
        rows.append({"model": name, "instructions": each["all"], "ratio": ratios.get(name), "classes": each})
    print(means(ratios))
    keep("arm", "XNNPACK 75db3c093b6d", rows)


def root_with_core(root, isa, number):
    """What qemu-aarch64 -L takes: the files of `root`, and a /proc/cpuinfo of such a core, as QEMU shows the PC's."""
    folder = BUILD / f"root-{isa}"
    (folder / "proc").mkdir(parents=True, exist_ok=True)
    lines = ["CPU implementer : 0x41", "CPU architecture: 8", "CPU variant : 0x1", f"CPU part : {number}",
             "CPU revision : 0"]
    (folder / "proc" / "cpuinfo").write_text("".join("\n".join([f"processor : {i}", *lines, "\n"]) for i in range(2)))
    if not (folder / "lib").exists():
        (folder / "lib").symlink_to(pathlib.Path(root) / "lib")
    return folder


def run_aarch64(options):
    plugin_source = MODELS / ".." / "tools" / "guest_instructions.c"
    root = os.environ.get("AARCH64_ROOT", "/usr/aarch64-linux-gnu")
    compiler = "aarch64-linux-gnu-gcc"
    missing = [what for what, there in (
        (f"models in {MODELS}", models(options.models)), (f"plugin {plugin_source}", plugin_source.exists()),
        (compiler, told([compiler, "--version"])), ("qemu-aarch64", told(["qemu-aarch64", "--version"])),
        ("XNNPACK (--xnnpack)", options.xnnpack)) if not there]
    if missing:
        print("skipped, no " + ", no ".join(missing))
        return
    plugin = BUILD / "guest_instructions.so"
    nnrt = compile_nnrt(BUILD / "bench_nnrt-aarch64", ROOT, compiler)
    subprocess.run(["gcc", "-O2", "-w", "-shared", "-fPIC", "-o", plugin, plugin_source], check=True)
    found = compile_xnnpack(options.xnnpack, compiler)
    rows = []
    for isa, (cpu, number) in AARCH64.items():
        prefix = root_with_core(root, isa, number)

        def count(program, *arguments):
            command = ["qemu-aarch64", "-L", prefix, "-cpu", cpu, "-plugin", plugin, program, *arguments]
            said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stderr
            return int(re.search(r"guest_insns (\d+)", said).group(1))

        print(f"\n{isa} ({cpu}): instructions of one inference, nnrt, XNNPACK {found[0][0]}, ratio")
        ratios = {}
        for name, path in models(options.models):
            each = [(count(*command, 11) - count(*command, 1)) / 10 for command in (
                (nnrt, path, isa, 1, "runs"), (found[0][1], path, "all", isa, 1, "runs"))]
            ratios[name] = each[0] / each[1]
            print(f"{name:26} {each[0]:12,.0f} {each[1]:12,.0f} {ratios[name]:6.2f}", flush=True)
            rows.append({"model": name, "isa": isa, "instructions": each[0], "beside": each[1]})
        print(means(ratios))
    keep("aarch64", f"XNNPACK {found[0][0]}", rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["models", "starts", "layers", "arm", "aarch64"])
    parser.add_argument("model", nargs="?", help="of layers: the name of its folder")
    parser.add_argument("--base", default=os.environ.get("BENCH_BASE"), help="a revision of git")
    parser.add_argument("--xnnpack", nargs="*", default=(os.environ.get("BENCH_XNNPACK") or "").split(),
                        help="folders that CMake has built XNNPACK in; HACKING.md says how")
    parser.add_argument("--models", nargs="*", default=(os.environ.get("BENCH_MODELS") or "").split())
    parser.add_argument("--levels", default=os.environ.get("BENCH_LEVELS"), help=f"some of {','.join(LEVELS)}")
    parser.add_argument("--threads", default=os.environ.get("BENCH_THREADS") or "1,2")
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("BENCH_ROUNDS") or 25))
    parser.add_argument("--realtime", action="store_true", default=bool(os.environ.get("BENCH_REALTIME")),
                        help="with a priority above all other programs' (chrt -f), where the system lets it")
    options = parser.parse_args()
    Program.realtime = options.realtime and told(["chrt", "-f", "10", "true"]) is not None
    {"models": run_models, "starts": run_models, "layers": run_layers, "arm": run_arm,
     "aarch64": run_aarch64}[options.what](options)


if __name__ == "__main__":
    main()
