#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One model on a CPU and on an NPU, as two pictures of the same height that stand side by side: what the compiled steps
are, what does them, and what memory the whole takes. `make docs` calls it, with what `nnrt inspect --json` prints.

    tests/docs/side_by_side.py CPU.json NPU.json FOLDER    writes FOLDER/meter_cpu.svg and FOLDER/meter_npu.svg

Without times: a simulated NPU has none that mean anything."""

import html
import json
import os
import sys

WIDTH, HEAD, ROW, GAP, FOOT = 460, 66, 34, 8, 62
STYLE = """text { font-family: "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-size: 13.5px; fill: #1b2733; }
.head { font-size: 19px; font-weight: 600; }
.operator { font-weight: 600; }
.soft { fill: #4a5866; }
.right { text-anchor: end; }
.middle { text-anchor: middle; }
.way { stroke: #8a99aa; stroke-width: 2; }
.port { fill: none; stroke: #8a99aa; stroke-width: 1.5; stroke-dasharray: 4 3; }
.cpu { fill: #eef4ff; stroke: #2f6fde; stroke-width: 1.5; }
.portable { fill: #fdeced; stroke: #c9252d; stroke-width: 1.5; }
.npu { fill: #f4eefe; stroke: #7a3fd1; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.soft { fill: #a9b6c3; }
.cpu { fill: #1d2839; stroke: #6ea2ff; }
.portable { fill: #3a1c20; stroke: #ff6b70; }
.npu { fill: #2a2140; stroke: #b48cff; }
}"""
# What a device of the library is called by people, by the beginning of its name and what it was built for.
TITLES = {"cpu": {"neon": "CPU: Cortex-A7"}, "rknpu": {"rv1106": "NPU: RV1106"}}


def shape(step):
    return "x".join(str(size) for size in step["shape"])


def words(place, x, y, text):
    return '<text class="%s" x="%d" y="%d">%s</text>' % (place, x, y, html.escape(text))


def box(kind, top, height):
    return '<rect class="%s" x="10" y="%d" width="%d" height="%d" rx="8"/>' % (kind, top, WIDTH - 20, height)


def kib(count):
    return "%.1f KiB" % (count / 1024)


def row(step, top):
    """A step of the CPU: what, with which window, what comes out, by which instructions."""
    window = step["window"]
    said = ["x".join(str(k) for k in window["kernel"])] if window else []
    said += ["+" + name for name in step["fused"]]
    name = step["operator"].replace("_NATIVE", "").replace("FULL_CONNECTION", "FULLY_CONNECTED")
    middle = '<text x="22" y="%d"><tspan class="operator">%s</tspan> <tspan class="soft">%s</tspan></text>' % (
        top + 22, html.escape(name), html.escape(" ".join(said)))
    portable = step["isa"] == "scalar"
    return [box("portable" if portable else "cpu", top, ROW), middle, words("soft right", 366, top + 22, shape(step)),
            words("soft right", WIDTH - 22, top + 22, "plain C" if portable else step["isa"].upper())]


def accelerator(run, step, top, height):
    """The network, which runs as a whole."""
    middle = top + height // 2
    return [box("npu", top, height), words("operator middle", WIDTH // 2, middle - 14, "the whole network, one run"),
            words("soft middle", WIDTH // 2, middle + 10, "weights %s, output %s" % (kib(step["weights_bytes"]),
                                                                                  shape(step))),
            words("soft middle", WIDTH // 2, middle + 34, "by Rockchip's %s" % next(
                f["text"] for f in run["facts"] if f["label"] == "rknn.library"))]


def helper(step, top):
    """What the CPU does before and after the NPU."""
    what = {"convert": "input into the NPU's layout", "bind": "output in place, no copy"}[step["kernel"]]
    return [box("cpu", top, ROW), words("", 22, top + 22, what),
            words("soft right", WIDTH - 22, top + 22, "CPU")]


def picture(run, title, rows):
    """rows: of steps that the taller of the two pictures has."""
    steps, memory, mid = run["steps"], run["memory"], WIDTH // 2
    npu = [step for step in steps if step["isa"] == "npu"]
    bottom = HEAD + (rows + 2) * (ROW + GAP) - GAP
    parts = [words("head", 10, 26, title),
             words("soft", 10, 50, "%s, %d bytes%s" % (os.path.basename(run["model"]), run["file"]["bytes"],
                                                 ", on a simulated board" if npu else "")),
             '<path class="way" d="M%d %dV%d"/>' % (mid, HEAD + ROW, bottom - ROW)]
    for name, tensor, top in (("input", run["inputs"][0], HEAD), ("output", run["outputs"][0], bottom - ROW)):
        parts += ['<rect class="port" x="110" y="%d" width="240" height="%d" rx="17"/>' % (top, ROW),
                  words("middle", mid, top + 22, "%s %s %s" % (name, tensor["type"], shape(tensor)))]
    top = HEAD + ROW + GAP
    for step in steps:
        height = ROW
        if step in npu:
            height = (rows - len(steps) + 1) * (ROW + GAP) - GAP
            parts += accelerator(run, step, top, height)
        else:
            parts += helper(step, top) if npu else row(step, top)
        top += height + GAP
    used = "NPU's memory %s, weights and arena included" % kib(memory["device_bytes"]) if npu else \
        "arena %s, weights %s" % (kib(memory["arena_bytes"]), kib(memory["weights_bytes"]))
    parts.append(words("soft middle", mid, bottom + 34, used))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">\n<style>\n%s\n'
            '</style>\n%s\n</svg>\n' % (WIDTH, bottom + FOOT, html.escape(title), STYLE, "\n".join(parts)))


def main():
    runs = [json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3]]
    rows = max(len(run["steps"]) for run in runs)
    for run, name in zip(runs, ("cpu", "npu")):
        kind = run["device"].split("_")[0]
        chip = run["target"] or next(f["text"] for f in run["facts"] if f["label"] == "rknn.chip")
        with open(os.path.join(sys.argv[3], "meter_%s.svg" % name), "w", encoding="ascii") as f:
            f.write(picture(run, TITLES[kind][chip], rows))


if __name__ == "__main__":
    main()
