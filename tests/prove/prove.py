#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prove.py - proves what stands in the contracts (/*@ ... */) beside functions, for every input, with Frama-C's WP.

    tests/prove/prove.py            all functions below, on 64 and on 32 bits
    tests/prove/prove.py NAME...    only these

A contract says what a caller has to see to (requires), what may be written (assigns) and what holds then (ensures).
WP makes goals of it and of the code: each read and write inside what is valid, no division by zero, no signed
overflow, and in sizes and offsets no unsigned one. A prover (cvc4) has to find each goal true. What is called is known
by its contract alone; a function that stands in no list below is believed: nnrt__read_i32, _i64 and _f32 (memcpy of a
constant size), nnrt__plan_scale_is_right (a union), nnrt__step_kind_in (a row of a table, or NULL), nnrt__kind_accepts,
_scratch and _measure (what a kind of step answers by its own functions: tests/cpu/test_forged.c is for those) and
prove.h. nnrt__plan_load, which calls the checks one after the other, is in no list, nor are nnrt__plan_open, which sees
bytes as structures, and nnrt__plan_make_ready, which calls functions of kinds: that what a check requires holds when it
is called is read, not proved.
Floats are real numbers here, bytes seen as another type of one byte are the same bytes, and the sentences of refusals
are left out (NNRT_NO_SENTENCES).
tests/prove/planted.py tries whether the contracts say enough.
Fails unless all goals are proved; where Frama-C or cvc4 is missing it says so and fails nothing."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MACHINES = (("64 bits", "gcc_x86_64"), ("32 bits", "gcc_x86_32"))
SIZES = ["-warn-unsigned-overflow"]  # shifts that put bytes together are none of sizes
TABLES = ["-wp-init-const"]          # what tables of constants hold, which makes every goal large
# For what cvc4 gives up on as a whole and proves part by part, and where WP drops too much: that a pointer is NULL.
PARTS = ["-wp-split", "-wp-no-filter"]
GROUPS = (
    ("flatbuffer.c", [], "nnrt__read_u16 nnrt__read_u32"),
    ("flatbuffer.c", SIZES,
     "nnrt__fb_bad nnrt__fb_beyond nnrt__fb_inside nnrt__fb_follow nnrt__fb_table_at nnrt__fb_field nnrt__fb_i8 "
     "nnrt__fb_u8 nnrt__fb_i32 nnrt__fb_u32 nnrt__fb_u64 nnrt__fb_f32 nnrt__fb_table_field nnrt__fb_vector_field "
     "nnrt__fb_element_table nnrt__fb_element_i32 nnrt__fb_string_field"),
    ("plan.c", TABLES, "nnrt__element_size"),
    ("plan.c", SIZES,
     "nnrt__mul_size nnrt__add_size nnrt__round_up_size nnrt__fits_size nnrt__inside nnrt__overlap nnrt__plan_refuse "
     "nnrt__plan_section_fits nnrt__plan_check_sections nnrt__plan_check_counts "
     "nnrt__plan_check_value nnrt__plan_check_io nnrt__plan_is_state nnrt__plan_check_states "
     "nnrt__kind_takes_turns nnrt__kind_arguments_size nnrt__plan_check_place nnrt__plan_may_write nnrt__view_fill "
     "nnrt__plan_check_groups nnrt__plan_rounded nnrt__view_end "
     "nnrt__values_bytes nnrt__plan_check_arena nnrt__plan_states_size nnrt__plan_check_memory nnrt__plan_check_work "
     "nnrt__values_overlap nnrt__value_overlaps nnrt__view_overlaps nnrt__plan_ready_size"),
    ("plan.c", SIZES + PARTS,
     "nnrt__plan_check_header nnrt__plan_check_step nnrt__plan_check_scratch nnrt__plan_check_overlap"),
)


def prove(source, options, functions, machine, config, seconds=60):
    """Of each function how many goals are proved, how many there are, and the names of the open ones; and what Frama-C
    has said if it made none."""
    with tempfile.TemporaryDirectory() as work:
        report = os.path.join(work, "report.json")
        command = ["frama-c", "-no-autoload-plugins", "-load-module", "wp,variadic,rtegen", "-machdep", machine,
                   "-cpp-extra-args=-I. -Itests/prove -DNNRT_NO_THREADS -DNNRT_NO_STDIO -DNNRT_NO_SIMD "
                   "-DNNRT_NO_SENTENCES", os.path.join("tests", "prove", source), "-wp", "-wp-rte",
                   "-wp-model", "Typed+cast+real", "-wp-prover", "cvc4", "-wp-timeout", str(seconds), "-wp-par", "1",
                   "-wp-cache", "none", "-wp-session", work, "-wp-report-json", report,
                   "-wp-fct", ",".join(functions)] + options
        if options != TABLES:
            command.append("-wp-no-init-const")
        done = subprocess.run(command, cwd=ROOT, env=dict(os.environ, WHY3CONFIG=config), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        text = done.stdout.decode("utf-8", "replace")
        try:
            with open(report) as f:
                told = json.load(f)
        except (OSError, ValueError):
            told = {}
    goals = {}
    for name in functions:
        here = dict((goal, each["wp:main"]) for goal, each in told.get("wp:functions", {}).get(name, {}).items()
                    if "wp:main" in each and not goal.startswith("wp:"))
        goals[name] = (sum(each.get("valid", 0) for each in here.values()),
                       sum(each.get("total", 0) for each in here.values()),
                       sorted(goal for goal, each in here.items() if each.get("valid", 0) != each.get("total", 0)))
    return goals, text if not told else ""


def main():
    os.chdir(ROOT)
    for tool in ("frama-c", "why3", "cvc4"):
        if shutil.which(tool) is None:
            print("skipped: %s is not installed (apt-get install frama-c-base why3 cvc4)" % tool)
            return 0
    wanted = sys.argv[1:]
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    failed = proved = 0
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(jobs) as pool:
        config = os.path.join(work, "why3.conf")
        subprocess.run(["why3", "config", "-C", config, "detect"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tasks = []
        for source, options, names in GROUPS:
            functions = [name for name in names.split() if not wanted or name in wanted]
            for bits, machine in MACHINES if functions else ():
                tasks.append((bits, pool.submit(prove, source, options, functions, machine, config)))
        for bits, task in tasks:
            goals, text = task.result()
            for name, (valid, total, still_open) in goals.items():
                good = valid == total != 0
                proved += valid
                failed += not good
                print("%-6s %s, %s: %d of %d goals %s"
                      % ("ok" if good else "FAILED", name, bits, valid, total, " ".join(still_open)))
            if text:
                print(text)
    print("%d goals proved, %s" % (proved, "FIX: the contract or the code of what FAILED" if failed else "none open"))
    return 1 if failed or proved == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
