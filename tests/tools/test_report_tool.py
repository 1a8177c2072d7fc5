#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/nnrt-report: every number of the page is the one of the JSON, the picture of the arena adds up, the page needs
nothing from outside, files that are none are refused with a sentence; and, where chromium is installed, the browser has
nothing to complain about and nothing is cut off on a phone, a tablet and a desktop.

    make tool && python3 tests/tools/test_report_tool.py"""

import copy
import html
import html.parser
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_tool import METER, ROOT, ToolCase  # noqa: E402

REPORT = os.path.join(ROOT, "tools", "nnrt-report")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "link", "br", "img", "hr", "input"}
WIDTHS = (360, 768, 1440)


class Page(html.parser.HTMLParser):
    """The elements with data-path, and whether tags close in the order in which they open."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.numbers, self.blocks, self.ids, self.outside = [], [], [], [], set(), []
        self.scripts, self.bars, self.heads = [], [], []
        self.text = None
        self.feed(text)
        self.close()
        if self.open:
            self.wrong.append("still open: %s" % self.open)

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.look(tag, dict(attributes))

    def handle_startendtag(self, tag, attributes):
        self.look(tag, dict(attributes))

    def look(self, tag, attributes):
        if "id" in attributes:
            self.ids.add(attributes["id"])
        for name in ("src", "href", "action", "srcset"):
            if name in attributes and attributes[name] != "data:,":
                self.outside.append(attributes[name])
        if tag in ("iframe", "object", "embed"):
            self.outside.append(tag)
        if tag == "script":
            self.scripts.append("")
        if "data-path" in attributes and "data-offset" in attributes:
            self.blocks.append(attributes)
        elif "data-path" in attributes:
            self.text = [attributes["data-path"], attributes.get("value", attributes.get("data-value")), ""]

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        if self.text is not None:
            self.text[2] += data

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</%s> where it does not belong" % tag)
        if tag in ("data", "tspan") and self.text is not None:
            self.numbers.append(tuple(self.text))
            self.text = None


def shown(text):
    """The number that a text stands for, and by how much it may be off, as it is rounded."""
    match = re.fullmatch(r"([-\d,.e+]+) ?(B|KiB|MiB|us|ms|k|M|G)?", text)
    body = match.group(1).replace(",", "")
    unit = {"KiB": 1 << 10, "MiB": 1 << 20, "k": 10 ** 3, "M": 10 ** 6, "G": 10 ** 9}.get(match.group(2), 1)
    decimals = len(body.split(".")[1]) if "." in body else 0
    return float(body) * unit, 0.51 * unit / 10 ** decimals, match.group(2)


def report_module():
    """tools/nnrt-report as a module."""
    loader = importlib.machinery.SourceFileLoader("nnrt_report", REPORT)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("nnrt_report", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class ReportCase(ToolCase):
    def json(self, name, *arguments):
        path = self.path(name)
        with open(path, "w") as f:
            f.write(self.succeeds(*arguments, "--json"))
        return path

    def report(self, *arguments):
        done = subprocess.run([sys.executable, REPORT, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""), arguments)
        return done.stdout.decode("utf-8")

    def refused(self, pattern, *arguments, text=b""):
        done = subprocess.run([sys.executable, REPORT, *arguments], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), r"\Annrt-report: [^\n]*%s[^\n]*\n\Z" % pattern)

    def pages(self):
        """Some pages with the documents that they are made of."""
        before = self.json("before.json", "bench", METER, "--runs", "5", "--profile", "--isa", "scalar")
        after = self.json("after.json", "bench", METER, "--runs", "5", "--profile")
        plain = self.json("plain.json", "inspect", METER, "--performance", "low")
        once = self.json("once.json", "run", METER, "--input", self.input)
        both = self.json("both.json", "inspect", METER, "--target", "rv1106")
        for paths in ((after,), (plain,), (once,), (both,), (before, after), (plain, after), (plain, both)):
            documents = []
            for path in paths:
                with open(path) as f:
                    documents.append(json.load(f))
            yield self.report(*paths), documents


def like_an_npu(document):
    """A document as a device with an NPU tells it: parts in a row, no plan, no schedule."""
    d = copy.deepcopy(document)
    d["steps"] = d["steps"][:3]
    for index, (step, name) in enumerate(zip(d["steps"], ("inputs", "npu_run", "outputs"))):
        step.update(name=name, operator=name, kernel="npu", isa="cpu" if name != "npu_run" else "npu", macs=0, fused=[],
                    scratch_bytes=0, inputs=[0] if index == 0 else [], outputs=[1] if index == 2 else [], window=None)
    ends = [dict(d["inputs"][0], place="input"), dict(d["outputs"][0], place="output")]
    d["tensors"] = [dict(t, index=0, offset=0, first_step=0, last_step=2, view_of=None) for t in ends]
    d["edges"] = [{"tensor": 0, "from": None, "to": 0}, {"tensor": None, "from": 0, "to": 1},
                  {"tensor": None, "from": 1, "to": 2}, {"tensor": 1, "from": 2, "to": None}]
    d["memory"].update(dict.fromkeys(("bound_bytes", "scratch_bytes", "plan_bytes", "borrowed_bytes"), 0),
                       arena_bytes=14144, weights_bytes=13312, device_bytes=28480)
    return d


def long_net(document, times):
    """A chain of so many times the steps, each with all that a node can have to show."""
    d = copy.deepcopy(document)
    count = len(d["steps"])
    d["steps"] = [dict(copy.deepcopy(step), name="%d/%s" % (n, step["name"]), fused=["PAD", "RELU6"][i % 2:],
                       group=n * count + i)
                  for n in range(times) for i, step in enumerate(d["steps"])]
    for step in d["steps"]:
        step.update(window={"kernel": [3, 5], "stride": [2, 1], "dilation": [2, 2], "padding": [0, 1, 2, 3]},
                    operator="DEPTHWISE_CONV2D_NATIVE", shape=[1, 1024, 1024, 1024], macs=123456789)
    d["edges"] = [{"tensor": None, "from": i, "to": i + 1} for i in range(count * times - 1)]
    return d


class Report(ReportCase):
    def document(self, *arguments):
        return json.loads(self.succeeds(*arguments, "--json"))

    def page_of(self, *documents):
        return self.report(*[self.file("d%d.json" % i, json.dumps(d).encode()) for i, d in enumerate(documents)])

    def test_bars_are_as_long_as_their_numbers_are_large(self):
        for text, documents in self.pages():
            bars = re.findall(r'data-bar="([\w ]+)" data-amount="([-\d.e+]+)" style="width:([\d.]+)%"', text)
            self.assertGreater(len(bars), sum(len(d["steps"]) for d in documents))
            for kind in {kind for kind, _, _ in bars}:
                own = [(float(amount), float(width)) for of, amount, width in bars if of == kind]
                most, full = max(own)
                for amount, width in own:
                    self.assertAlmostEqual(width, full * amount / most if most else 0, delta=0.002, msg=kind)
                if kind not in ("Flash", "RAM"):
                    self.assertEqual(full, 100.0 if most else 0.0)

    def test_times_are_medians_that_fit_into_the_run(self):
        told = self.document("bench", METER, "--runs", "9", "--profile")
        for step in told["steps"]:
            step["mean_us"] *= 1000  # as the first, cold run makes it
        text = self.page_of(told)
        self.assertNotIn("mean_us", text)
        for index, step in enumerate(told["steps"]):
            self.assertIn('value="%s" data-path="0.steps.%d.median_us"' % (json.dumps(step["median_us"]), index), text)
        for step in told["steps"]:  # what an older tool has printed
            del step["median_us"]
        self.assertIn('data-path="0.steps.0.min_us"', self.page_of(told))

    def test_a_table_a_picture_and_a_bar_chart_have_one_unit_each_and_as_many_decimals(self):
        told = self.document("bench", METER, "--runs", "5", "--profile")
        for us in (1.0, 350.0, 90000.0):  # of the slowest step
            documents = [copy.deepcopy(told), like_an_npu(told)]
            documents[1]["steps"][1]["median_us"] = documents[1]["steps"][1]["min_us"] = us
            documents[1]["run_ms"].update(median=us / 1000, min=us / 1000)
            text = self.page_of(*documents)
            tables = re.findall(r'<table class="figures.*?</table>', text, re.S)
            for part in (r'<div class="bars.*?</section>', r'<table class="steps.*?</table>',
                         r'<svg class="graph.*?</svg>'):
                for found in re.findall(part, text, re.S):
                    said = re.findall(r'_us">([\d,.]+) (us|ms)<', found)
                    self.assertGreater(len(said), 2)
                    self.assertEqual(len({unit for _, unit in said}), 1, part)
                    self.assertEqual(len({len(n.partition(".")[2]) for n, _ in said}), 1, part)
            for found in tables:
                self.assertEqual(len({u for u in re.findall(r"_ms[.\w]*\">[\d,.]+ (us|ms)<", found)}), 1)
                self.assertEqual(set(re.findall(r"_bytes\">[\d,.]+ (\w+)<", found)), {"B"})
            cards = "".join(re.findall(r'<div class="card">.*?</div>', text))
            self.assertEqual(len(set(re.findall(r"[\d.]+ (B|KiB|MiB)<", cards))), 1)
            self.assertEqual(len(set(re.findall(r'class="axis"[^>]*>[\d,.]+ (\w+)<', text))), 1)

    def test_what_a_device_does_not_tell_is_no_number(self):
        npu = like_an_npu(self.document("bench", METER, "--runs", "5", "--profile"))
        for which, text in enumerate((self.page_of(npu), self.page_of(self.document("inspect", METER), npu))):
            paths = {path for path, _, _ in Page(text).numbers}
            for name in ("bound", "plan", "scratch", "borrowed"):
                self.assertNotIn("%d.memory.%s_bytes" % (which, name), paths)
            self.assertIn("no bound is told", text)
            self.assertIn("tells what its arena takes, and not what lies in it", text)
            self.assertNotIn("bound 0", re.sub(r"<[^>]*>", "", text))
            # what the accelerator holds has its arena in it: it is counted once
            self.assertIn('data-bar="RAM" data-amount="28480"', text)
            self.assertNotIn('data-bar="RAM" data-amount="14144"', text)

    def test_each_operator_is_told_with_its_place_its_cost_or_the_reason_why_it_stays(self):
        told = self.document("inspect", METER, "--target", "rv1106")
        told["stays"][0]["reason"] = "<b>because</b>"
        for which, text in enumerate((self.page_of(told), self.page_of(self.document("inspect", METER), told))):
            page = Page(text)
            self.assertEqual(page.wrong, [])
            paths = {path for path, _, _ in page.numbers}
            for key, fields in (("done", ("operator", "tasks", "tiles", "macs", "read_bytes", "written_bytes")),
                                ("stays", ("operator",)), ("parts", tuple(told["parts"][0]))):
                self.assertGreater(len(told[key]), 0)
                for index in range(len(told[key])):
                    for field in fields:
                        self.assertIn("%d.%s.%d.%s" % (which, key, index, field), paths)
            table = re.search(r'<table class="places">.*?</table>', text, re.S).group(0)
            numbers = [int(n) for n in re.findall(r'_?operator">(\d+)<', table)]
            self.assertEqual(numbers, list(range(10)))
            self.assertIn("&lt;b&gt;because&lt;/b&gt;", table)
            self.assertIn("no silicon has been timed", text)
            self.assertIn("rv1106 does <b>100.0 %</b> of the MACs, in 1 of 2 steps.", text)
            self.assertIn('<g class="node npu"', text)
        plan = dict(told, done=[], stays=[])
        self.assertIn("A plan has steps and no operators", self.page_of(plan))
        for key in ("parts", "done", "stays"):  # what an older tool has printed
            del told[key]
        self.assertNotIn("Processor and accelerator", self.page_of(told))
        self.assertNotIn("Processor and accelerator", self.page_of(self.document("inspect", METER)))

    def test_a_step_tells_its_window_and_name_in_the_graph_its_title_and_the_table(self):
        told = self.document("inspect", METER)
        text = self.page_of(told)
        self.assertIn("kernel 3x3, stride 1x1, dilation 1x1, padding 1 1 1 1 (top, bottom, left, right)", text)
        for where in (r'<g class="node.*?</g>', r'<tr class="(?:fast|portable)">.*?</tr>'):
            found = re.findall(where, text, re.S)
            self.assertEqual(len(found), len(told["steps"]))
            for step, one in zip(told["steps"], found):
                self.assertIn(html.escape(step["name"]), one)
            for index, window in ((0, "3x3 pad 1"), (1, "2x2 stride 2"), (3, "1x1"), (6, "2x1 stride 2x1")):
                self.assertRegex(found[index], r">%s ?<" % window)
        self.assertIn("3x5 stride 2x1 dilation 2 pad 0 1 2 3", self.page_of(long_net(told, 1)))

    def test_a_graph_that_does_not_fit_says_so(self):
        told = self.document("inspect", METER)
        self.assertNotIn('class="more"', self.page_of(told))
        text = self.page_of(long_net(told, 5))
        self.assertIn(">45 steps: the frame scrolls down to 44 DEPTHWISE_CONV2D</p>", text)
        self.assertEqual(text.count('<g class="node'), 45)
        printed = re.search(r"@media print\{(.*)\}\s*</style>", text, re.S).group(1)
        self.assertIn(".scroll,.scroll.tall,.long .scroll.tall{max-height:none;overflow:visible", printed)

    def test_code_is_that_of_docs_sizes(self):
        with open(os.path.join(ROOT, "docs", "sizes.md"), encoding="utf-8") as f:
            rows = re.findall(r"(?m)^\| ([^|]+) \| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \| \d+ \|$", f.read())
        sizes = {}
        for processor, program, *sections in rows:
            if program == "all operators" or re.fullmatch(r"five steps(, (NEON|SSE41))?", program):
                sizes.setdefault(processor, []).append(sum(int(s) for s in sections))
        module = report_module()
        self.assertEqual(sorted(module.CODE_BYTES), sorted(sizes))
        for processor, both in sizes.items():
            for said, size in zip(module.CODE_BYTES[processor], both):
                self.assertLess(abs(said - size), size / 20, "%s: %d, docs/sizes.md has %d" % (processor, said, size))
        targets = re.findall(r"(?m)^  ([a-z][\w-]+) ", self.succeeds("compile", "--target", "?"))
        self.assertEqual(sorted(targets), sorted(module.PROCESSORS))
        text = self.report(self.json("neon.json", "inspect", METER, "--target", "neon"), "--flash", "1M")
        most, least = module.CODE_BYTES["ARMv7 Thumb-2"]
        self.assertIn("on ARMv7 Thumb-2 from %.1f KiB (a plan of five steps) to %.1f KiB (every operator)" %
                      (least / 1024, most / 1024), text)
        plan = self.document("inspect", METER, "--target", "neon")["memory"]["plan_bytes"]
        shares = tuple(100 * (plan + code) / 2 ** 20 for code in (least, most))
        self.assertIn("%.1f to %.1f %% of the flash" % shares, text)
        self.assertIn("Code comes on top", self.report(self.json("here.json", "inspect", METER)))

    def check_numbers(self, page, documents):
        for path, value, text in page.numbers:
            at = documents[int(path.split(".")[0])]
            for key in path.split(".")[1:]:
                at = at[int(key)] if isinstance(at, list) else at[key]
            self.assertEqual(json.loads(value), at, path)
            number, off, unit = shown(text)
            if unit == "us" and path.startswith(("0.run_ms", "1.run_ms", "0.load_ms", "1.load_ms")):
                number, off = number / 1000, off / 1000
            if unit == "ms" and path.endswith("_us"):
                number, off = number * 1000, off * 1000
            self.assertLessEqual(abs(number - at), max(off, 6e-4 * abs(at)), "%s: %s for %r" % (path, text, at))

    def test_every_number_is_that_of_the_json_and_all_that_matter_are_there(self):
        for text, documents in self.pages():
            page = Page(text)
            self.assertEqual(page.wrong, [])
            self.check_numbers(page, documents)
            paths = {path for path, _, _ in page.numbers}
            for number, document in enumerate(documents):
                for key in document["memory"]:
                    self.assertIn("%d.memory.%s" % (number, key), paths)
                for index, step in enumerate(document["steps"]):
                    times = ["median_us", "min_us"] if step["runs"] else []
                    for key in ["macs", "weights_bytes", "scratch_bytes"] + times:
                        self.assertIn("%d.steps.%d.%s" % (number, index, key), paths)

    def test_the_picture_of_the_arena_has_every_tensor_and_every_scratch_in_its_place(self):
        for text, documents in self.pages():
            drawn = {block["data-path"]: block for block in Page(text).blocks}
            wanted = 0
            for number, document in enumerate(documents):
                for index, tensor in enumerate(document["tensors"]):
                    if tensor["place"] != "arena" or tensor["view_of"] is not None:
                        continue
                    block = drawn["%d.tensors.%d" % (number, index)]
                    shows = [t for i, t in enumerate(document["tensors"]) if i == index or t["view_of"] == index]
                    self.assertEqual([int(block["data-" + k]) for k in ("offset", "bytes", "first", "last")],
                                     [tensor["offset"], tensor["bytes"], tensor["first_step"],
                                      max(t["last_step"] for t in shows)])
                    wanted += 1
                for index, step in enumerate(document["steps"]):
                    if step["scratch_bytes"]:
                        block = drawn["%d.steps.%d" % (number, index)]
                        self.assertEqual([int(block["data-" + k]) for k in ("offset", "bytes", "first")],
                                         [step["scratch_offset"], step["scratch_bytes"], index])
                        wanted += 1
            self.assertEqual(len(drawn), wanted)
            self.assertGreater(wanted, 5 if len(documents[0]["steps"]) > 2 else 0)

    def test_the_graph_has_every_step_and_marks_portable_code_and_what_was_fused(self):
        for text, documents in self.pages():
            nodes = re.findall(r'<g class="node (\w+)( fused)?" data-step="(\d+)">', text)
            steps = [step for document in documents for step in document["steps"]]
            self.assertEqual(len(nodes), len(steps))
            for (kind, fused, _), step in zip(nodes, steps):
                self.assertEqual((kind == "portable", bool(fused)), (step["isa"] == "scalar", bool(step["fused"])))
            self.assertGreaterEqual(text.count('class="edge"'), sum(len(d["steps"]) for d in documents))

    def test_a_page_needs_nothing_from_outside_and_holds_no_name_of_a_model_as_code(self):
        strange = self.path('<script>alert("x")<b>&amp;\u00e9')
        shutil.copy(METER, strange.replace("</", "_"))
        text = self.report(self.json("strange.json", "inspect", strange))
        page = Page(text)
        self.assertEqual((page.wrong, page.outside), ([], []))
        self.assertEqual(page.scripts, [report_module().SCRIPT])  # one, of the program's own, the same for every model
        self.assertEqual(text.count("<script"), 1)
        self.assertIn("&lt;script&gt;", text)
        for used in re.findall(r"url\(([^)]*)\)", text):
            self.assertIn(used.lstrip("#"), page.ids)

    def test_a_board_that_is_too_small_is_said(self):
        path = self.json("a.json", "inspect", METER)
        self.assertRegex(self.report(path, "--flash", "1M", "--ram", "64K"), r'class="fits">\d+\.\d % of 64\.0 KiB')
        self.assertRegex(self.report(path, "--flash", "1K"), r'class="over">\d+\.\d % of 1\.0 KiB')

    def test_what_is_no_json_of_the_tool_is_refused_with_a_sentence(self):
        self.refused("No such file", self.path("none"))
        self.refused("no JSON", "-", text=b"\xff\xfe")
        self.refused("no JSON", "-", text=b"[" * 100000)
        self.refused("schema nnrt/1", "-", text=b"[]")
        self.refused("schema nnrt/1", "-", text=b'{"schema": "nnrt/2"}')
        self.refused("has no steps", "-", text=self.succeeds("devices", "--json").encode())
        # any one field taken away or turned into something else: a page or a sentence, never a traceback
        whole = json.loads(self.succeeds("inspect", METER, "--json"))
        shuffled = random.Random(20261123)
        for _ in range(24):
            broken = copy.deepcopy(whole)
            at = shuffled.choice([broken, broken["memory"], shuffled.choice(broken["steps"]),
                                  shuffled.choice(broken["tensors"]), shuffled.choice(broken["edges"])])
            key = shuffled.choice(sorted(at))
            at[key] = shuffled.choice([None, [], {}, "x", -1, 10 ** 30, 0.5])
            done = subprocess.run([sys.executable, REPORT, "-"], input=json.dumps(broken).encode(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
            self.assertIn(done.returncode, (0, 3), "%s: %s" % (key, at[key]))
            self.assertNotIn(b"Traceback", done.stderr, "%s: %s" % (key, at[key]))


# Of each frame: elements that stick out of it, unless they are in what scrolls, and texts that leave their box.
PROBE = """<script>
function look(frame) {
  const page = frame.contentDocument, width = frame.clientWidth, out = [], scrolls = e => e.closest(".scroll");
  for (const e of page.querySelectorAll("body *")) {
    const box = e.getBoundingClientRect();
    if (box.width > 0 && !e.closest("defs") && (box.right > width + 0.5 || box.left < -0.5) && !scrolls(e))
      out.push(e.tagName + "." + e.getAttribute("class") + " to " + Math.round(box.right));
    if (!e.children.length && e.scrollWidth > e.clientWidth + 1 && e.clientWidth && !e.closest("svg") && !scrolls(e))
      out.push(e.tagName + " cut: " + e.textContent.slice(0, 30));
  }
  for (const e of page.querySelectorAll("g.node text, g.port text, g.tensor text")) {
    const body = e.parentElement.querySelector("rect").getBoundingClientRect(), box = e.getBoundingClientRect();
    if (box.right > body.right + 1 || box.left < body.left - 1) out.push("text out of its box: " + e.textContent);
  }
  for (const e of page.querySelectorAll("svg text")) {
    const whole = e.closest("svg").getBoundingClientRect(), box = e.getBoundingClientRect();
    if (box.right > whole.right || box.left < whole.left || box.bottom > whole.bottom || box.top < whole.top)
      out.push("text out of its drawing: " + e.textContent);
  }
  const bars = {};
  for (const e of page.querySelectorAll("[data-bar]"))
    (bars[e.dataset.bar] = bars[e.dataset.bar] || []).push([Number(e.dataset.amount), e.getBoundingClientRect().width]);
  for (const [kind, all] of Object.entries(bars)) {
    const [most, full] = all.reduce((a, b) => b[0] > a[0] ? b : a);
    if (most > 0 && full < 30) out.push(kind + " has room for " + full);
    for (const [amount, long] of all)
      if (most > 0 && Math.abs(long - full * amount / most) > 0.6)
        out.push(kind + ": " + amount + " is " + long + " long");
  }
  for (const e of page.querySelectorAll("g.node")) {
    const inside = e.querySelector("rect.body").getBoundingClientRect();
    const texts = [...e.querySelectorAll("text")].map(t => t.getBoundingClientRect());
    texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
      if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
        out.push("texts meet in " + e.dataset.step);
    }));
    const heat = e.querySelector(".heat"), time = e.querySelector(".time");
    if (heat && heat.getBoundingClientRect().right > time.getBoundingClientRect().left)
      out.push("bar under the time of " + e.dataset.step);
    if (texts.some(t => t.bottom > inside.bottom)) out.push("text below its box: " + e.dataset.step);
  }
  for (const table of page.querySelectorAll("table.steps")) {
    const heads = [...table.tHead.rows[0].cells], rows = () => [...table.tBodies[0].rows];
    const at = heads.findIndex(h => h.textContent === "MACs");
    const column = () => rows().map(r => Number(r.cells[at].querySelector("data").value));
    const before = rows().map(r => r.textContent), count = column();
    heads[at].querySelector("button").click();
    const down = [...count].sort((a, b) => b - a), said = heads[at].getAttribute("aria-sort");
    if (said !== "descending" || JSON.stringify(column()) !== JSON.stringify(down)) out.push("no order: " + column());
    heads[0].querySelector("button").click();
    const after = rows().map(r => r.textContent);
    if (heads[at].getAttribute("aria-sort") || JSON.stringify(after) !== JSON.stringify(before))
      out.push("the order of the steps does not come back");
  }
  for (const frame of page.querySelectorAll(".frame.long")) {
    const nodes = frame.querySelectorAll("g.node").length, scroll = frame.querySelector(".scroll");
    const more = frame.querySelector(".more"), said = /^\u2026 ([0-9]+) more of ([0-9]+) steps/.exec(more.textContent);
    if (!said || said[2] != nodes || said[1] > nodes - 3) out.push("says " + more.textContent);
    scroll.scrollTop = scroll.scrollHeight;
    scroll.dispatchEvent(new Event("scroll"));
    if (more.textContent !== nodes + " steps") out.push("at the end: " + more.textContent);
  }
  if (page.documentElement.scrollWidth > width) out.push("page is " + page.documentElement.scrollWidth + " wide");
  return {out: out.slice(0, 9), numbers: page.querySelectorAll("data").length,
          paper: getComputedStyle(page.body).backgroundColor};
}
addEventListener("load", () => {
  const answer = document.body.appendChild(document.createElement("pre"));
  answer.id = "answer";
  answer.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
});
</script>"""


@unittest.skipUnless(CHROMIUM, "skipped, no chromium")
class Browser(ReportCase):
    def look(self, pages, widths, *options):
        """What each page answers in frames of these widths; the console stays empty."""
        frames = "".join('<iframe width="%d" height="900" style="border:0;display:block" srcdoc="%s"></iframe>' %
                         (width, html.escape(text, quote=True)) for text in pages for width in widths)
        head = '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,">'
        path = self.file("frames.html", (head + PROBE + frames).encode())
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                               "--window-size=1500,1000", "--user-data-dir=" + self.path("profile"), *options,
                               "--dump-dom", "file://" + path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=240)
        self.assertEqual(re.findall(r"CONSOLE[^\n]*", done.stderr.decode(errors="replace")), [])
        answer = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout.decode(), re.S)
        self.assertIsNotNone(answer, done.stdout[-300:])
        answers = json.loads(html.unescape(answer.group(1)))
        self.assertEqual(len(answers), len(pages) * len(widths))
        for number, answer in enumerate(answers):
            where = "page %d, %d pixels" % (number // len(widths), widths[number % len(widths)])
            self.assertEqual(answer["out"], [], where)
            self.assertGreater(answer["numbers"], 20)
        return answers

    def test_no_error_and_nothing_cut_off_on_any_screen_in_light_and_in_dark(self):
        told = json.loads(self.succeeds("bench", METER, "--runs", "5", "--profile", "--json"))
        pages = [text for text, _ in self.pages()]
        paths = [self.file("%d.json" % i, json.dumps(d).encode())
                 for i, d in enumerate((told, like_an_npu(told), long_net(told, 13)))]
        pages += [self.report(paths[0], paths[1]), self.report(paths[2])]
        light = self.look(pages, WIDTHS, "--blink-settings=preferredColorScheme=1")
        dark = self.look(pages[-2:], WIDTHS, "--blink-settings=preferredColorScheme=0")
        for answer in light:
            self.assertGreater(min(int(n) for n in re.findall(r"\d+", answer["paper"])[:3]), 200)
        for answer in dark:
            self.assertLess(max(int(n) for n in re.findall(r"\d+", answer["paper"])[:3]), 60)


if __name__ == "__main__":
    unittest.main()
