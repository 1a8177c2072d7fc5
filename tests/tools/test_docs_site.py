#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site of `make docs-site`: it is made without a warning, every link leads somewhere, every public function is
there, its front page says what it should and nothing comes from elsewhere; and, where chromium is installed, no page is
wider than a telephone or complains, lines can be read and the search finds.

    python3 tests/tools/test_docs_site.py"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SITE = os.path.join(ROOT, "build", "site", "html")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PROBE = """<html><body><pre id="out"></pre><script>
const pages = %s, widths = [360, 768, 1440];
let left = pages.length * widths.length;
for (const page of pages) for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style.width = width + "px"; frame.style.height = "800px";
  frame.onload = () => {
    const inside = frame.contentDocument, content = inside.getElementById("doc-content");
    let wide = inside.documentElement.scrollWidth, line = 0;
    if (content) wide += content.scrollWidth - content.clientWidth;
    for (const words of inside.querySelectorAll("div.textblock > p, div.memdoc > p"))
      line = Math.max(line, words.clientWidth / parseFloat(frame.contentWindow.getComputedStyle(words).fontSize));
    document.getElementById("out").textContent += "[" + page + " " + width + " " + wide + " " + line + "]";
    if (--left == 0) document.getElementById("out").textContent += "[done]";
  };
  frame.src = page; document.body.appendChild(frame);
}
</script></body></html>
"""
# Every word of a drawing is inside the drawing, inside the box that its middle is in, and on no other word.
DRAWINGS = """<html><body>%s<pre id="out"></pre><script>
let out = "";
for (const svg of document.querySelectorAll("svg")) {
  const whole = svg.getBoundingClientRect(), say = (what, text) => out += "[" + what + ": " + text.textContent + "]";
  const boxes = [...svg.querySelectorAll("rect")].map(box => box.getBoundingClientRect());
  const texts = [...svg.querySelectorAll("text")].map(text => [text, text.getBoundingClientRect()]);
  const within = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  texts.forEach(([text, at], n) => {
    if (!within(at, whole)) say("outside", text);
    const x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;
    for (const box of boxes)
      if (x > box.left && x < box.right && y > box.top && y < box.bottom && !within(at, box)) say("over its box", text);
    for (const [, other] of texts.slice(n + 1))
      if (at.left < other.right && other.left < at.right && at.top + 3 < other.bottom && other.top + 3 < at.bottom)
        say("over another", text);
  });
  out += "[looked]";
}
document.getElementById("out").textContent = out;
</script></body></html>
"""
SEARCH = """<html><body><iframe src="index.html" id="page"></iframe><pre id="out"></pre><script>
const page = document.getElementById("page");
page.onload = () => setTimeout(() => {
  page.contentDocument.getElementById("MSearchField").value = "%s";
  page.contentWindow.searchBox.Search();
  setTimeout(() => {
    const found = page.contentDocument.getElementById("MSearchResults").contentDocument;
    for (const link of found.querySelectorAll("div.SRResult"))
      if (link.style.display != "none") document.getElementById("out").textContent += "[" + link.textContent + "]";
  }, 3000);
}, 1000);
</script></body></html>
"""
THEMED = os.path.exists(os.path.join(os.environ.get("DOXYGEN_AWESOME", "/usr/share/doxygen-awesome-css"),
                                     "doxygen-awesome.css"))


def contents(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


@unittest.skipUnless(shutil.which("doxygen"), "skipped, no doxygen")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = subprocess.run(["make", "-s", "docs-site"], cwd=ROOT, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)

    def setUp(self):
        self.assertEqual(self.made.returncode, 0, self.made.stdout.decode()[-2000:])

    def test_every_link_leads_to_a_page_and_a_place_on_it(self):
        pages = {name: contents(SITE, name) for name in os.listdir(SITE) if name.endswith(".html")}
        places = {name: set(re.findall(r"(?:id|name)=\"([^\"]+)\"", page)) for name, page in pages.items()}
        links = 0
        for name, page in pages.items():
            for target in re.findall(r"<a [^>]*href=\"([^\"]+)\"", page):
                if re.match(r"https?:|javascript:|mailto:", target):
                    continue
                links += 1
                there, _, place = target.partition("#")
                there = there or name
                self.assertTrue(os.path.exists(os.path.join(SITE, there)), "%s: %s" % (name, target))
                if place and there in places:
                    self.assertIn(place, places[there], "%s: %s" % (name, target))
        self.assertGreater(links, 1000)

    def test_every_public_function_and_every_page_is_there(self):
        text = "".join(contents(SITE, name) for name in os.listdir(SITE) if name.endswith("_8h.html"))
        headers = [name for name in contents(ROOT, "docs", "Doxyfile").split() if name.endswith("api.h")
                   or name.endswith("extensions.h")]
        self.assertGreater(len(headers), 10)
        for header in headers:
            for name in re.findall(r"(?m)^NNRT_API [^;(]*?(\w+)\(", contents(ROOT, header)):
                self.assertRegex(text, r"memname\">[^<]*(<a [^>]*>[^<]*</a>)?[^<]*\b%s\b" % name)
        self.assertTrue(os.path.exists(os.path.join(SITE, "md_README_zh.html")))
        for page in os.listdir(os.path.join(ROOT, "docs")):
            if page.endswith(".md"):
                self.assertTrue(os.path.exists(os.path.join(SITE, "md_docs_%s.html" % page[:-3])), page)

    def test_the_front_pages_have_three_numbers_of_the_readme_three_ways_on_and_all_boards(self):
        readme = contents(ROOT, "README.md")
        for name, other in (("index.html", "md_docs_site_index_zh.html"), ("md_docs_site_index_zh.html", "index.html")):
            page = contents(SITE, name)
            numbers = re.search(r"class=\"numbers\">(.*?)</div> *</div>", page, re.S).group(1)
            numbers = re.findall(r"<b>([^<]*)</b>", numbers)
            self.assertEqual(len(numbers), 3)
            for number in numbers:
                self.assertIn(number, readme)
            ways = page.split("class=\"ways\">")[1].split("<h2>")[0]
            self.assertEqual(ways.count("<div><b>"), 3)
            for target in ("docs_install", "docs_bare_metal", "docs_operators", "docs_models"):
                self.assertIn("href=\"md_%s.html" % target, ways)
            self.assertIn("href=\"core_2api_8h.html", ways)
            for device in ("rknpu", "nnie", "bpu"):
                self.assertIn("href=\"md_docs_%s.html\"" % device, page)
            for board in re.findall(r"\b(?:RV|RK|Hi)\d\w+", re.search(r"(?s)\n## Devices(.*?)\n## ", readme).group(1)):
                self.assertIn(board, page)
            for picture in ("overview", "meter_cpu", "meter_npu"):
                self.assertRegex(page, "src=\"%s.svg\" alt=\"[^\"]" % picture)
            self.assertRegex(page, "href=\"%s[\"#]" % other)
        self.assertIn("<html lang=\"zh-CN\"", contents(SITE, "md_README_zh.html"))

    def test_no_page_shows_marks_of_its_source(self):
        for name in os.listdir(SITE):
            if re.match(r"(index|md_.*)\.html", name):
                page = contents(SITE, name)
                self.assertEqual(re.findall(r"\\ilinebr|&lt;/?t[dr]", page), [], name)
                words = re.sub(r"(?s)<code>.*?</code>|<pre.*?</pre>", "", page)
                self.assertEqual(re.findall(r"\*\*[^*<\n]+\*\*|\{#[\w-]+", words), [], name)

    def test_navigation_has_every_page_and_every_public_header(self):
        menu = contents(SITE, "menudata.js")
        for group in ("Start", "Devices", "Guides", "Reference", "API", "About"):
            self.assertIn("text:\"%s\"" % group, menu)
        for name in os.listdir(SITE):
            if re.match(r"md_.*\.html|.*api(__types|__extensions)?_8h\.html", name):
                self.assertIn("url:\"%s\"" % name, menu)

    def test_nothing_comes_from_elsewhere_and_every_picture_has_words(self):
        for folder, _, names in os.walk(SITE):
            for name in names:
                if not name.endswith((".html", ".css")):
                    continue
                page = contents(folder, name)
                loaded = re.findall(r"(?:src|<link[^>]* href)=\"([^\"]*)\"", page) + \
                    re.findall(r"@import ['\"]?([^'\" ;]*)|url\(['\"]?(?!data:)([^)'\"]*)", page)
                self.assertEqual([path for path in loaded if re.match(r"(https?:)?//", "".join(path))], [], name)
                if re.match(r"(index|md_.*)\.html", name):
                    self.assertEqual(re.findall(r"<img[^>]*alt=\"\"[^>]*>|&amp;#\d+;", page), [], name)

    @unittest.skipUnless(THEMED, "skipped, no doxygen-awesome-css")
    def test_the_theme_is_there_as_its_package_has_it(self):
        for name in ("doxygen-awesome.css", "doxygen-awesome-sidebar-only.css", "theme.css"):
            self.assertTrue(os.path.exists(os.path.join(SITE, name)), name)
            self.assertIn("href=\"%s\"" % name, contents(SITE, "index.html"))
        tracked = subprocess.run(["git", "ls-files", "*awesome*"], cwd=ROOT, stdout=subprocess.PIPE).stdout
        self.assertEqual(tracked, b"")

    @unittest.skipUnless(CHROMIUM, "skipped, no chromium")
    def test_the_search_finds_functions_pages_headings_and_words_from_a_folder(self):
        for words, found in (("OH_NNTensor_CreateWithFd", "OH_NNTensor_CreateWithFd"), ("rockchip", "Rockchip's NPU"),
                             ("zero copy", "Zero copy"), ("taskset", "Run two at once"),
                             ("rknn.io_l", "rknn.io_layout")):
            self.assertIn(found, self.dom(SEARCH % words).split("<pre id=\"out\">")[1].split("</pre>")[0], words)

    @unittest.skipUnless(CHROMIUM, "skipped, no chromium")
    def test_words_of_drawings_stay_in_their_boxes(self):
        drawings = [contents(SITE, name + ".svg") for name in ("overview", "overview_narrow", "meter_cpu", "meter_npu")]
        widths = [re.search(r"viewBox=\"0 0 (\d+)", drawing).group(1) for drawing in drawings]
        sized = [drawing.replace("<svg ", "<svg width=\"%s\" " % width, 1)
                 for drawing, width in zip(drawings, widths)]
        # Their styles are of one kind: in one page the last would win.
        for drawing in sized:
            self.assertEqual(re.search(r"<pre id=\"out\">([^<]*)", self.dom(DRAWINGS % drawing)).group(1), "[looked]")

    @unittest.skipUnless(CHROMIUM, "skipped, no chromium")
    def test_no_page_is_wider_than_the_window_or_writes_to_the_console(self):
        pages = sorted(name for name in os.listdir(SITE) if re.match(r"(index|md_.*|.*_8h)\.html$", name))
        self.assertGreater(len(pages), 35)
        for first in range(0, len(pages), 10):
            self.look(pages[first:first + 10])

    def dom(self, page):
        """What chromium makes of a page beside those of the site."""
        probe = os.path.join(SITE, "probe.htm")
        with tempfile.TemporaryDirectory() as folder:
            with open(probe, "w", encoding="ascii") as f:
                f.write(page)
            done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1500,1000",
                                   "--allow-file-access-from-files", "--user-data-dir=" + folder,
                                   "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom",
                                   "file://" + os.path.abspath(probe)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=240)
            os.remove(probe)
        self.assertNotIn(b"CONSOLE", done.stderr, done.stderr.decode()[-2000:])
        return done.stdout.decode()

    def look(self, pages):
        dom = self.dom(PROBE % pages)
        self.assertIn("[done]", dom)
        seen = re.findall(r"\[(\S+) (\d+) (\d+) ([0-9.]+)\]", dom)
        self.assertEqual(len(seen), 3 * len(pages))
        for page, width, wide, line in seen:
            self.assertLessEqual(int(wide), int(width), "%s at %s" % (page, width))
            if THEMED:  # 42 times the height of the letters: some 80 of them
                self.assertLessEqual(float(line), 42.1, "%s at %s" % (page, width))


if __name__ == "__main__":
    unittest.main()
