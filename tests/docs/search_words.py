# SPDX-License-Identifier: Apache-2.0
"""Doxygen's search knows titles and names of the API. This adds what stands on the pages: each heading, and each word
with the parts of pages that have it most often. site.py calls it when Doxygen is done."""

import html
import os
import re

MOST_PLACES = 6     # of a word
TOO_COMMON = 0.2    # of all parts: such a word tells nobody where to look
SEARCH = os.path.join("search", "all_%x.js")


def identifier(text):
    """As search.js makes it of what is typed."""
    return re.sub(r"[^a-z0-9]", lambda found: "_%02x" % ord(found.group()), text.lower())


def parts(name, page):
    """(link, heading, words) of each part of a page that begins with a heading, and of what stands before the first."""
    title = html.unescape(re.search(r"<title>nnrt: (.*?)</title>", page).group(1))
    body = page.split('<div class="contents">', 1)[1].split("<!-- contents -->", 1)[0]
    body = re.sub(r'(?s)<div class="toc">.*?</div>|<script.*?</script>', " ", body)
    pieces = re.split(r'(?s)<h[1-4]>(?=<a class="anchor" id=")', body)
    for number, piece in enumerate(pieces):
        heading, link = title, name
        if number > 0:
            head, piece = piece.split("</h", 1)
            heading = html.unescape(re.sub(r"(?s)<[^>]*>", "", head)).strip()
            link += "#" + re.search(r'id="([^"]+)"', head).group(1)
        text = html.unescape(re.sub(r"(?s)<[^>]*>", " ", piece))
        yield link, heading, title, re.findall(r"[a-z][a-z0-9_.-]+[a-z0-9]", text.lower())


def rows_of(pages):
    """{word or heading in small letters: (as it is shown, [(link, where)])}"""
    found, headings, count = {}, {}, 0
    for name, page in pages:
        for link, heading, title, words in parts(name, page):
            count += 1
            where = title if heading == title else "%s: %s" % (title, heading)
            if heading != title:
                headings.setdefault(heading.lower(), (heading, []))[1].append((link, title))
            for word in set(words):
                found.setdefault(word, []).append((words.count(word), link, where))
    rows = dict(headings)
    for word, places in found.items():
        if len(places) <= TOO_COMMON * count and word not in rows:
            places.sort(key=lambda place: -place[0])
            rows[word] = (word, [(link, where) for _, link, where in places[:MOST_PLACES]])
    return rows


def quoted(text):
    return "'%s'" % html.escape(text, quote=True).replace("\\", "\\\\")


def add(site):
    names = sorted(name for name in os.listdir(site) if re.fullmatch(r"md_.*(?<!_zh)\.html", name))
    pages = []
    for name in names:
        with open(os.path.join(site, name), encoding="utf-8") as f:
            pages.append((name, f.read()))
    with open(os.path.join(site, "search", "searchdata.js"), encoding="utf-8") as f:
        letters = re.search(r'0: "(.*)"', f.read()).group(1)
    files = {}
    for key, (shown, places) in sorted(rows_of(pages).items()):
        if key[0] in letters:
            told = ",".join("['../%s',1,%s]" % (link, quoted(where)) for link, where in places)
            row = "['%s_w',[%s,%s]]" % (identifier(key), quoted(shown), told)
            files.setdefault(letters.index(key[0]), []).append(row)
    for number, rows in files.items():
        path = os.path.join(site, SEARCH % number)
        with open(path, encoding="utf-8") as f:
            data = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(data.rstrip()[:-len("];")].rstrip() + ",\n  " + ",\n  ".join(rows) + "\n];\n")
