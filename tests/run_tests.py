#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs test programs and adds up what they say.

    tests/run_tests.py [--emulator "qemu-arm -cpu cortex-a7"] [--timeout SECONDS] [--jobs N] PROGRAM...

A program is a Criterion suite (or one made with tests/criterion_shim), or NAME.py, a unittest suite, which runs
without the emulator. One line per program; the output of those that fail follows it, and what those that pass did
not try. A program that was not built, prints no Synthesis line, takes too long or ends with an error although its
tests passed (a leak report) counts as one failure. A test that skips itself is neither passed nor failed; one that
tries less than it could, but something, is passed. N programs run at a time, 1 unless told. Too long is 300 seconds,
or what --timeout says, and longer by as much as the machine has more to do than it has processors. The last line is
`N passed, N failed, N skipped`."""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

SYNTHESIS = re.compile(r"Synthesis: Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")
RAN = re.compile(r"^Ran (\d+) tests? in ", re.M)
WRONG = re.compile(r"(?:failures|errors|unexpected successes)=(\d+)")
SKIPPED = re.compile(r"\bskipped=(\d+)")
# Criterion leaves skipped tests out of its Synthesis line, and names them only when it is verbose.
SKIP = re.compile(r"^\[SKIP\] ", re.M)
VERBOSE = re.compile(r"^\[(?:RUN |PASS)\] .*\n", re.M)


def run(program, emulator, timeout):
    """Returns passed, failed, skipped, the reason in words when something failed, the program's output, and its
    seconds."""
    start = time.time()
    return run_and_count(program, emulator, timeout) + (time.time() - start,)


def patience(timeout):
    """The seconds that a program may take while the machine is as busy as it is now."""
    return timeout * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def wait(program, timeout):
    """Returns what a program has printed, and 0 or the seconds after which it was ended."""
    start = time.time()
    while True:
        try:
            left = max(patience(timeout) - (time.time() - start), 0.01)
            return program.communicate(timeout=left)[0].decode("utf-8", "replace"), 0
        except subprocess.TimeoutExpired:
            took = time.time() - start
            if took >= patience(timeout):
                program.kill()
                return program.communicate()[0].decode("utf-8", "replace"), took


def run_and_count(program, emulator, timeout):
    if not os.path.exists(program):
        return 0, 1, 0, "was not built, see above", ""
    command = [sys.executable, program] if program.endswith(".py") else emulator.split() + [program]
    done = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            env=dict(os.environ, CRITERION_VERBOSITY_LEVEL="1"))
    printed, late = wait(done, timeout)
    if late:
        return 0, 1, 0, "took more than %.0f s; TIMEOUT=SECONDS lets it take longer" % late, printed
    output = VERBOSE.sub("", re.sub(r"\x1b\[[0-9;]*m", "", printed))
    if program.endswith(".py") and RAN.search(output):
        ran, last = int(RAN.findall(output)[-1]), output.strip().split("\n")[-1]
        wrong, skipped = (sum(int(n) for n in kind.findall(last)) for kind in (WRONG, SKIPPED))
        return max(ran - wrong - skipped, 0), max(wrong, int(done.returncode != 0)), skipped, "", output
    skipped = len(SKIP.findall(output))
    counts = SYNTHESIS.findall(output)
    if not counts:
        return 0, 1, skipped, "ended with %d before its last test" % done.returncode, output
    tested, passed, _, crashed = [int(n) for n in counts[-1]]
    if passed < tested:
        return passed, tested - passed, skipped, "%d of them crashed" % crashed if crashed else "", output
    if done.returncode != 0:
        return passed, 1, skipped, "all tests passed, but it ended with %d" % done.returncode, output
    if tested + skipped == 0:
        return 0, 1, 0, "holds no test", output
    return passed, 0, skipped, "", output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulator", default="")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    passed = failed = skipped = 0
    pool = ThreadPoolExecutor(max_workers=max(args.jobs, 1))
    results = pool.map(lambda program: run(program, args.emulator, args.timeout), args.programs)
    for program, (good, bad, left, why, output, seconds) in zip(args.programs, results):
        passed, failed, skipped = passed + good, failed + bad, skipped + left
        print("%-28s %4d passed, %d failed, %d skipped  %6.1f s%s" % (os.path.basename(program), good, bad, left,
                                                                     seconds, "  (%s)" % why if why else ""))
        if bad and output:
            print("\n".join("    " + line for line in output.strip().split("\n")[-60:]))
        for line in output.split("\n"):
            if not bad and ("skipped, no " in line or line.startswith("[SKIP]")):
                print("    " + line.strip())
        sys.stdout.flush()
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
