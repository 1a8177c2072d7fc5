#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipe of packaging/yocto read as BitBake reads it, as far as this recipe goes, its tasks run by a shell, and
the files that it installs put into its packages. There is no BitBake to do it: it is in no distribution.

    tests/packages/yocto/build.py FOLDER    FOLDER/image is what was installed"""

import hashlib
import os
import re
import subprocess
import sys
from fnmatch import fnmatch

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
LAYER = os.path.join(ROOT, "packaging", "yocto")
WORK = os.path.abspath(sys.argv[1])
RECIPE, = [os.path.join(where, name) for where, _, names in os.walk(LAYER) for name in names if name.endswith(".bb")]
# What bitbake.conf, the classes and a machine give a recipe.
GIVEN = {"CC": "arm-linux-gnueabihf-gcc -mfpu=neon", "AR": "arm-linux-gnueabihf-gcc-ar", "BUILD_CC": "gcc",
         "CFLAGS": "-O0 -DNNRT_NO_CPU", "LDFLAGS": "-Wl,-z,relro", "prefix": "/usr", "bindir": "/usr/bin",
         "includedir": "/usr/include", "libdir": "/usr/lib", "datadir": "/usr/share", "docdir": "/usr/share/doc",
         "PYTHON_SITEPACKAGES_DIR": "/usr/lib/python3.12/site-packages", "B": WORK + "/b", "D": WORK + "/image",
         "THISDIR": os.path.dirname(RECIPE), "PN": "nnrt", "FILES_SOLIBSDEV": "/usr/lib/lib*.so",
         "FILES:nnrt": "/usr/lib/lib*.so.*",
         "FILES:nnrt-dev": "/usr/include ${FILES_SOLIBSDEV} /usr/lib/pkgconfig /usr/lib/cmake",
         "FILES:nnrt-staticdev": "/usr/lib/*.a", "FILES:nnrt-doc": "/usr/share/doc /usr/share/man",
         "FILES:nnrt-bash-completion": "/usr/share/bash-completion"}
# In this order a file goes to the first package that takes it; the recipe's own stand in front.
PACKAGES = "nnrt-bash-completion nnrt-staticdev nnrt-dev nnrt-doc nnrt"
CLASSES = ("externalsrc", "python3native", "bash-completion")  # of OpenEmbedded-Core


class Data(dict):
    def getVar(self, name):
        return self.expand(self.get(name, ""))

    def expand(self, text):
        text = re.sub(r"\$\{@(.*?)\}", lambda found: str(eval(found.group(1), {"d": self, "os": os})), text)
        return re.sub(r"\$\{([\w:.${}-]+?)\}", lambda found: self.getVar(found.group(1)) if found.group(1) in self
                      else found.group(0), text)


def read(path, data):
    """Assignments into data; the shell functions."""
    functions = {}
    with open(path, encoding="ascii") as opened:
        text = opened.read().replace("\\\n", " ")
    for name, body in re.findall(r"^(\w+)\(\) \{\n(.*?)^\}$", text, re.M | re.S):
        functions[name] = body
    text = re.sub(r"^\w+\(\) \{\n.*?^\}$", "", text, flags=re.M | re.S)
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        inherit = re.fullmatch(r"inherit (.*)", line)
        if inherit:
            assert all(name in CLASSES for name in inherit.group(1).split()), line
            continue
        name, kind, value = re.fullmatch(r'([\w:${}\[\]-]+) (=|:=|\?=|\+=|=\+|\.=) "(.*)"', line).groups()
        name = data.expand(name)
        old = data.get(name, "")
        data[name] = {"=": value, ":=": data.expand(value), "?=": old or value, "+=": old + " " + value,
                      "=+": value + " " + old, ".=": old + value}[kind]
    return functions


def run(name, functions, data):
    script = "set -e\noe_runmake() { make -s %s \"$@\"; }\n%s" % (data.getVar("EXTRA_OEMAKE"),
                                                                  data.expand(functions[name]))
    subprocess.run(["sh", "-c", script], cwd=data["B"], check=True)


def main():
    layer = Data(LAYERDIR=LAYER)
    read(os.path.join(LAYER, "conf", "layer.conf"), layer)
    for name in ("BBPATH", "BBFILES", "BBFILE_PATTERN_nnrt", "BBFILE_PRIORITY_nnrt", "LAYERSERIES_COMPAT_nnrt"):
        assert layer.getVar(name), name
    assert layer["BBFILE_COLLECTIONS"].split() == ["nnrt"]
    assert any(fnmatch(RECIPE, pattern) for pattern in layer.getVar("BBFILES").split())
    assert re.match(layer.getVar("BBFILE_PATTERN_nnrt"), RECIPE)

    data = Data(GIVEN, PACKAGES=PACKAGES)
    functions = read(RECIPE, data)
    for name in ("SUMMARY", "LICENSE", "LIC_FILES_CHKSUM", "EXTERNALSRC"):
        assert data.getVar(name), name
    data["S"] = data.getVar("EXTERNALSRC")
    assert os.path.samefile(data["S"], ROOT)
    path, md5 = re.fullmatch(r"file://(\S+);md5=(\w{32})", data["LIC_FILES_CHKSUM"]).groups()
    with open(os.path.join(ROOT, path), "rb") as opened:
        assert hashlib.md5(opened.read()).hexdigest() == md5, "LIC_FILES_CHKSUM"
    for folder in ("B", "D"):
        os.makedirs(data[folder])
    for name in ("do_configure", "do_compile", "do_install"):
        run(name, functions, data)

    packages = data.getVar("PACKAGES").split()
    assert len(set(packages)) == len(packages)
    contents = {package: [] for package in packages}
    for where, _, names in os.walk(data["D"]):
        for name in names:
            path = os.path.join(where, name)[len(data["D"]):]
            owner = [package for package in packages
                     if any(fnmatch(path, taken) or path.startswith(taken + "/")
                            for taken in data.getVar("FILES:" + package).split())]
            assert owner, path + " is in no package"  # QA: installed-vs-shipped
            contents[owner[0]].append(os.path.basename(path))
    assert sorted(contents["nnrt-tool"]) == ["_nnrt", "nnrt", "nnrt.fish"]
    assert sorted(contents["nnrt"]) == ["libneural_network_core.so", "libneural_network_runtime.so",
                                        "libnnrt.so.0.1", "libnnrt.so.0.1.0"], contents["nnrt"]
    assert "nnrt.h" in contents["nnrt-dev"] and "libnnrt.so" in contents["nnrt-dev"]
    assert sorted(contents["nnrt-python"]) == ["nnrt-report", "nnrt.py"]


if __name__ == "__main__":
    main()
