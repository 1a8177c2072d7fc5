#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Doxygen for `make docs-site`, in the root of the tree: docs/Doxyfile, with the theme of the package
doxygen-awesome-css where it is installed. Without it the pages have Doxygen's own looks and docs/site.css.

    python3 tests/docs/site.py

DOXYGEN_AWESOME is another folder with the theme's files; "" goes without."""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import search_words  # noqa: E402

SITE = os.path.join("build", "site", "html")
THEME = os.environ.get("DOXYGEN_AWESOME", "/usr/share/doxygen-awesome-css")
FILES = ("doxygen-awesome.css", "doxygen-awesome-sidebar-only.css")
THEMED = """@INCLUDE = docs/Doxyfile
HTML_EXTRA_STYLESHEET = %s docs/site/theme.css
GENERATE_TREEVIEW = YES
DISABLE_INDEX = NO
FULL_SIDEBAR = NO
TREEVIEW_WIDTH = 300
"""

paths = [os.path.join(THEME, name) for name in FILES]
settings = "@INCLUDE = docs/Doxyfile\n"
if THEME and all(os.path.exists(path) for path in paths):
    settings = THEMED % " ".join('"%s"' % path for path in paths)
else:
    print("plain looks: doxygen-awesome-css is not installed (apt-get install doxygen-awesome-css)")
done = subprocess.run(["doxygen", "-"], input=settings.encode())
if done.returncode != 0:
    sys.exit(done.returncode)


def code(found):
    """A short word of code is broken nowhere, not behind the dashes of an option either."""
    text = found.group(1).replace("\\|", "|")
    return "<code>%s</code>" % re.sub(r"[^\s<>]*-[^\s<>]*",
                                      lambda word: '<span class="word">%s</span>' % word.group()
                                      if len(word.group()) <= 26 else word.group(), text)


def finished(name, page):
    """A page as Doxygen has written it, with what it has no setting for."""
    page = page.replace("<html xmlns", '<html lang="%s" xmlns' % ("zh-CN" if name.endswith("_zh.html") else "en"), 1)
    # The words of a picture are read by those who do not see it. An object is white in the dark.
    picture = r'<(?:object|img)[^>]* (?:data|src)="([^"]+)"[^>]*>(?:</object>)?'
    page = re.sub(picture + r'\s*<div class="caption">\s*([^<]*)</div>', r'<img src="\1" alt="\2"/>', page)
    page = re.sub(r'alt=""( style="[^"]*")? class="inline" title="([^"]*)"', r'alt="\2" class="inline"', page)
    page = re.sub(r"<code>([^<>]*)</code>", code, page)
    if name in titles:  # six headers are called api.h: the folder belongs to the title
        page = re.sub(r"(<title>nnrt: |<div class=\"title\">)[^<]* File Reference", r"\g<1>" + titles[name], page)
    return page


titles = {}
with open(os.path.join("docs", "Doxyfile"), encoding="utf-8") as f:
    headers = re.findall(r"\S+\.h(?=\s)", f.read().split("INPUT ", 1)[1].split("FILE_PATTERNS", 1)[0])
for path in headers:
    mangled = path.replace("_", "__").replace(".", "_8").replace("/", "_2") + ".html"
    titles[mangled if os.path.exists(os.path.join(SITE, mangled)) else mangled.split("_2", 1)[1]] = path
for name in sorted(os.listdir(SITE)):
    if name.endswith(".html"):
        with open(os.path.join(SITE, name), encoding="utf-8") as f:
            page = f.read()
        with open(os.path.join(SITE, name), "w", encoding="utf-8") as f:
            f.write(finished(name, page))
search_words.add(SITE)
