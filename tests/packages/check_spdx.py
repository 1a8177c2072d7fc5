#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of a release has what SPDX 2.3 asks for, and is about the files beside it.

    tests/packages/check_spdx.py build/dist/nnrt-VERSION"""

import hashlib
import json
import os
import re
import sys

FOLDER = sys.argv[1]
with open(os.path.join(FOLDER, "nnrt.spdx.json"), encoding="ascii") as opened:
    BILL = json.load(opened)
PACKAGE, = BILL["packages"]


def digest(kind, path):
    with open(os.path.join(FOLDER, path), "rb") as f:
        return hashlib.new(kind.lower(), f.read()).hexdigest()


# SPDX 2.3, 6 (document), 7 (package), 8 (file), 11 (relationship): what is mandatory, and its form
assert BILL["spdxVersion"] == "SPDX-2.3" and BILL["dataLicense"] == "CC0-1.0" and BILL["SPDXID"] == "SPDXRef-DOCUMENT"
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", BILL["creationInfo"]["created"])
assert all(re.match(r"(Tool|Person|Organization): ", who) for who in BILL["creationInfo"]["creators"])
assert re.match(r"\w+:[^#\s]+\Z", BILL["documentNamespace"]) and BILL["name"] and PACKAGE["name"]
assert PACKAGE["downloadLocation"] and PACKAGE["filesAnalyzed"] is True
names = [BILL["SPDXID"], PACKAGE["SPDXID"]] + [file["SPDXID"] for file in BILL["files"]]
assert len(set(names)) == len(names) and all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in names)
for relation in BILL["relationships"]:
    assert relation["spdxElementId"] in names and relation["relatedSpdxElement"] in names
assert any(r["relationshipType"] == "DESCRIBES" for r in BILL["relationships"])
for file in BILL["files"]:
    assert {c["algorithm"]: c["checksumValue"] for c in file["checksums"]} == {
        kind: digest(kind, file["fileName"]) for kind in ("SHA1", "SHA256")}, file["fileName"]
# 7.9: SHA-1 of the sorted SHA-1 of the files, one behind the other
sums = "".join(sorted(digest("SHA1", file["fileName"]) for file in BILL["files"]))
assert PACKAGE["packageVerificationCode"]["packageVerificationCodeValue"] == hashlib.sha1(sums.encode()).hexdigest()
there = {"./" + os.path.relpath(os.path.join(where, name), FOLDER)
         for where, _, files in os.walk(FOLDER) for name in files}
assert there - {"./nnrt.spdx.json", "./SHA256SUMS"} == {file["fileName"] for file in BILL["files"]}
