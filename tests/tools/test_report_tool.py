#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/nnrt-report: every number of the page is the one of the JSON, the picture of the arena adds up, the page needs
nothing from outside, files that are none are refused with a sentence; and, where chromium is installed, the browser has
nothing to complain about and nothing is cut off on a phone, a tablet and a desktop.

    make tool && python3 tests/tools/test_report_tool.py"""

import copy
import html
import html.parser
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
        if tag in ("script", "iframe", "object", "embed"):
            self.outside.append(tag)
        if "data-path" in attributes and "data-offset" in attributes:
            self.blocks.append(attributes)
        elif "data-path" in attributes:
            self.text = [attributes["data-path"], attributes.get("value", attributes.get("data-value")), ""]

    def handle_data(self, data):
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
        for paths in ((after,), (plain,), (once,), (before, after), (plain, after)):
            documents = []
            for path in paths:
                with open(path) as f:
                    documents.append(json.load(f))
            yield self.report(*paths), documents


class Report(ReportCase):
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
                    times = ["mean_us", "min_us"] if step["runs"] else []
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
            self.assertGreater(wanted, 5)

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
        self.assertNotIn("<script", text)
        self.assertIn("&lt;script&gt;", text)
        for used in re.findall(r"url\(([^)]*)\)", text):
            self.assertIn(used.lstrip("#"), page.ids)

    def test_a_board_that_is_too_small_is_said(self):
        path = self.json("a.json", "inspect", METER)
        self.assertRegex(self.report(path, "--flash", "1M", "--ram", "64K"), r'class="fits">\d+\.\d % of 64\.0 KiB')
        self.assertRegex(self.report(path, "--flash", "1K"), r'class="over">\d+\.\d % of 1,024 B')

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
        pages = [text for text, _ in self.pages()]
        light = self.look(pages, WIDTHS, "--blink-settings=preferredColorScheme=1")
        dark = self.look(pages[-2:], WIDTHS, "--blink-settings=preferredColorScheme=0")
        for answer in light:
            self.assertGreater(min(int(n) for n in re.findall(r"\d+", answer["paper"])[:3]), 200)
        for answer in dark:
            self.assertLess(max(int(n) for n in re.findall(r"\d+", answer["paper"])[:3]), 60)


if __name__ == "__main__":
    unittest.main()
