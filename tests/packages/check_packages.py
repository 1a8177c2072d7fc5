#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifests of packaging/NAME/ have what the documentation of their format asks for, and all tell one version, that
of the library. Those that a program of Debian's can use are used by run.sh.

    tests/packages/check_packages.py"""

import os
import re
import tempfile

import kconfiglib

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGING = os.path.join(ROOT, "packaging")
# Where each package says its version: a file, or a pattern of its name, and what stands before and behind the version.
VERSIONS = {"buildroot": ("package/nnrt/nnrt.mk", r"^NNRT_VERSION = (\S+)$"),
            "openwrt": ("nnrt/Makefile", r"^PKG_VERSION:=(\S+)$"),
            "yocto": ("recipes-nnrt/nnrt", r"nnrt_(\S+)\.bb")}


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as opened:
        return opened.read()


VERSION = re.search(r'#define NNRT_VERSION "(.*)"', text("core", "api_extensions.h")).group(1)


def versions():
    assert sorted(VERSIONS) == sorted(name for name in os.listdir(PACKAGING)
                                      if os.path.isdir(os.path.join(PACKAGING, name)))
    for name, (path, pattern) in VERSIONS.items():
        whole = os.path.join(PACKAGING, name, path)
        said = "\n".join(os.listdir(whole)) if os.path.isdir(whole) else text(whole)
        assert re.findall(pattern, said, re.M) == [VERSION], whole


def buildroot():
    """Buildroot's manual, 9.2: external.desc has a name of [A-Za-z0-9_] and a line for people."""
    said = dict(line.split(": ", 1) for line in text(PACKAGING, "buildroot", "external.desc").splitlines())
    assert set(said) == {"name", "desc"} and re.fullmatch(r"\w+", said["name"])
    folder = os.path.join(PACKAGING, "buildroot")
    os.environ["BR2_EXTERNAL_%s_PATH" % said["name"]] = folder
    for static, got in (("n", "y"), ("y", "n")):
        kconfig(os.path.join(folder, "Config.in"), ["BR2_TOOLCHAIN_HAS_THREADS=y", "BR2_STATIC_LIBS=" + static],
                {"BR2_PACKAGE_NNRT": got, "BR2_PACKAGE_NNRT_TOOL": got})


def kconfig(path, given, expected):
    """The symbols of a file in a system that has those of `given`, when all are asked for: their values are these."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "Kconfig"), "w", encoding="ascii") as out:
            for line in given:
                out.write("config %s\n\tbool\n\tdefault %s\n" % tuple(line.split("=")))
            out.write('source "%s"\n' % path)
        tree = kconfiglib.Kconfig(os.path.join(folder, "Kconfig"), warn_to_stderr=False)
    for name in expected:
        if tree.syms[name].type == kconfiglib.BOOL:
            tree.syms[name].set_value("y")
    assert {name: tree.syms[name].str_value for name in expected} == expected, path
    assert not [warning for warning in tree.warnings if "undefined" in warning], tree.warnings


def main():
    versions()
    buildroot()


if __name__ == "__main__":
    main()
