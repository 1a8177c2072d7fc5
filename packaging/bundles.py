#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bundles.py - the packages of systems that want everything in one folder, as archives: what packaging/NAME/ has, and
nnrt.h in it. `make bundles` calls it.

    packaging/bundles.py FOLDER [HEADER]    HEADER is the one file; without it it is made

The same tree gives the same bytes."""

import os
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
HEADER = "nnrt.h of amalgamate.py"
FIRMWARE = "packaging/firmware.c"
# Name of the archive; the folder in it; what stands there, and the file of the tree that it is.
BUNDLES = (
    ("nnrt-arduino-%s.zip", "nnrt", {
        "library.properties": "packaging/arduino/library.properties",
        "examples/Version/Version.ino": "packaging/arduino/examples/Version/Version.ino",
        "src/nnrt.h": HEADER, "src/nnrt.c": FIRMWARE, "src/nnrt.hpp": "nnrt.hpp"}),
    ("nnrt-platformio-%s.zip", "nnrt", {
        "library.json": "packaging/platformio/library.json",
        "include/nnrt.h": HEADER, "src/nnrt.c": FIRMWARE, "include/nnrt.hpp": "nnrt.hpp"}),
    ("nnrt-esp-idf-%s.zip", "nnrt", {
        "idf_component.yml": "packaging/esp-idf/idf_component.yml",
        "CMakeLists.txt": "packaging/esp-idf/CMakeLists.txt", "Kconfig": "packaging/esp-idf/Kconfig",
        "nnrt.h": HEADER, "nnrt.c": FIRMWARE, "nnrt.hpp": "nnrt.hpp"}),
    ("nnrt-zephyr-%s.zip", "nnrt", {
        "zephyr/module.yml": "packaging/zephyr/zephyr/module.yml",
        "CMakeLists.txt": "packaging/zephyr/CMakeLists.txt", "Kconfig": "packaging/zephyr/Kconfig",
        "nnrt.h": HEADER, "nnrt.c": FIRMWARE, "nnrt.hpp": "nnrt.hpp"}),
    # VENDOR.NAME.VERSION.pack, and nothing around it
    ("nnrt.nnrt.%s.pack", "", {
        "nnrt.nnrt.pdsc": "packaging/cmsis-pack/nnrt.nnrt.pdsc",
        "Config/nnrt_options.h": "packaging/cmsis-pack/nnrt_options.h",
        "Include/nnrt.h": HEADER, "Source/nnrt.c": FIRMWARE, "Include/nnrt.hpp": "nnrt.hpp"}))


def contents(path):
    with open(os.path.join(ROOT, path), "rb") as opened:
        return opened.read()


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    if len(sys.argv) > 2:
        header = contents(os.path.abspath(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as work:
            made = os.path.join(work, "nnrt.h")
            subprocess.run([sys.executable, "amalgamate.py", "-o", made], cwd=ROOT, check=True)
            header = contents(made)
    version = re.search(rb'#define NNRT_VERSION "([\w.]+)"', header).group(1).decode()
    for name, inside, files in BUNDLES:
        with zipfile.ZipFile(os.path.join(folder, name % version), "w", zipfile.ZIP_DEFLATED) as archive:
            for path, source in sorted(dict(files, LICENSE="LICENSE").items()):
                # The oldest date that an archive can tell: there is no clock in it.
                entry = zipfile.ZipInfo(os.path.join(inside, path), (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, header if source == HEADER else contents(source))


if __name__ == "__main__":
    main()
