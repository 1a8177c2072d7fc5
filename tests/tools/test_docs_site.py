#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site of `make docs-site`: it is made without a warning, every link leads somewhere, every public function is
there, and, where chromium is installed, no page is wider than a telephone or complains.

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
    const wide = frame.contentDocument.documentElement.scrollWidth;
    document.getElementById("out").textContent += "[" + page + " " + width + " " + wide + "]";
    if (--left == 0) document.getElementById("out").textContent += "[done]";
  };
  frame.src = page; document.body.appendChild(frame);
}
</script></body></html>
"""


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

    @unittest.skipUnless(CHROMIUM, "skipped, no chromium")
    def test_no_page_is_wider_than_the_window_or_writes_to_the_console(self):
        pages = sorted(name for name in os.listdir(SITE) if re.match(r"(index|md_.*|.*_8h)\.html$", name))
        self.assertGreater(len(pages), 35)
        for first in range(0, len(pages), 10):
            self.look(pages[first:first + 10])

    def look(self, pages):
        probe = os.path.join(SITE, "probe.htm")
        with tempfile.TemporaryDirectory() as folder:
            with open(probe, "w", encoding="ascii") as f:
                f.write(PROBE % pages)
            done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1500,1000",
                                   "--allow-file-access-from-files", "--user-data-dir=" + folder,
                                   "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom",
                                   "file://" + os.path.abspath(probe)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=240)
            os.remove(probe)
        self.assertNotIn(b"CONSOLE", done.stderr, done.stderr.decode()[-2000:])
        dom = done.stdout.decode()
        self.assertIn("[done]", dom)
        seen = re.findall(r"\[(\S+) (\d+) (\d+)\]", dom)
        self.assertEqual(len(seen), 3 * len(pages))
        for page, width, wide in seen:
            self.assertLessEqual(int(wide), int(width), "%s at %s" % (page, width))


if __name__ == "__main__":
    unittest.main()
