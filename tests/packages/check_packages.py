#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifests of packaging/NAME/ have what the documentation of their format asks for, and all tell one version, that
of the library. Those that a program of Debian's can use are used by run.sh.

    tests/packages/check_packages.py"""

import importlib.util
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree

import kconfiglib
import yaml

sys.dont_write_bytecode = True  # packaging/bundles.py is imported
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGING = os.path.join(ROOT, "packaging")
# Where each package says its version: a file, or a pattern of its name, and what stands before and behind the version.
VERSIONS = {"buildroot": ("package/nnrt/nnrt.mk", r"^NNRT_VERSION = (\S+)$"),
            "arduino": ("library.properties", r"^version=(.*)$"),
            "platformio": ("library.json", r'"version": "(.*)"'),
            "esp-idf": ("idf_component.yml", r'^version: "(.*)"$'),
            "cmsis-pack": ("nnrt.nnrt.pdsc", r'<release version="(.*?)">'),
            "conan": ("conanfile.py", r'^    version = "(.*)"$'),
            "vcpkg": ("nnrt/vcpkg.json", r'"version": "(.*)"'),
            "openwrt": ("nnrt/Makefile", r"^PKG_VERSION:=(\S+)$"),
            "yocto": ("recipes-nnrt/nnrt", r"nnrt_(\S+)\.bb")}


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as opened:
        return opened.read()


VERSION = re.search(r'#define NNRT_VERSION "(.*)"', text("core", "api_extensions.h")).group(1)


def versions():
    # A module of Zephyr has none.
    assert sorted(list(VERSIONS) + ["zephyr"]) == sorted(name for name in os.listdir(PACKAGING)
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


def zephyr():
    """Zephyr's "Modules": name, and in build the folder of CMakeLists.txt and the file of Kconfig."""
    folder = os.path.join(PACKAGING, "zephyr")
    said = yaml.safe_load(text(folder, "zephyr", "module.yml"))
    assert set(said) == {"name", "build"} and set(said["build"]) == {"cmake", "kconfig"}
    assert os.path.isfile(os.path.join(folder, said["build"]["cmake"], "CMakeLists.txt"))
    kconfig(os.path.join(folder, said["build"]["kconfig"]), ["REQUIRES_FULL_LIBC=n"],
            {"NNRT": "y", "NNRT_OPTIONS_FILE": "", "REQUIRES_FULL_LIBC": "y"})


def esp_idf():
    """The manifest of a component: a version, a licence of SPDX, a description, versions of ESP-IDF."""
    said = yaml.safe_load(text(PACKAGING, "esp-idf", "idf_component.yml"))
    assert set(said) == {"version", "description", "license", "dependencies"}
    assert said["license"] == "Apache-2.0" and re.fullmatch(r"[><=~^]+\d+\.\d+", said["dependencies"]["idf"])
    kconfig(os.path.join(PACKAGING, "esp-idf", "Kconfig"), [], {"NNRT_OPTIONS_FILE": ""})


def platformio():
    """Fields, lengths and characters of library.json, as pages and `pio pkg pack` have them."""
    said = json.loads(text(PACKAGING, "platformio", "library.json"))
    assert set(said) == {"name", "version", "description", "keywords", "authors", "license", "frameworks", "platforms",
                         "headers", "build"}
    assert re.fullmatch(r"[A-Za-z0-9-]{1,50}", said["name"]) and len(said["description"]) <= 255
    assert all(re.fullmatch(r"[a-z\d\-+. ]{1,50}", word) for word in said["keywords"])
    assert all(1 <= len(author["name"]) <= 50 for author in said["authors"]) and said["license"] == "Apache-2.0"
    assert set(said["build"]) <= {"flags", "unflags", "includeDir", "srcDir", "srcFilter", "extraScript", "libArchive",
                                  "libLDFMode", "libCompatMode"}


def arduino():
    """Arduino's "Library specification", and the rules of arduino-lint that look at library.properties."""
    said = dict(line.split("=", 1) for line in text(PACKAGING, "arduino", "library.properties").splitlines())
    assert set(said) == {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url",
                         "architectures", "includes"} and all(said.values())
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}", said["name"]) and "arduino" not in said["name"].lower()
    assert said["category"] in ("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control",
                                "Timing", "Data Storage", "Data Processing", "Other")
    # Nobody else's page: until the project has one of its own it is the address of the specification's example.
    assert said["url"] == "http://example.com/" and not said["paragraph"].startswith(said["sentence"])
    assert "avr" not in said["architectures"].split(","), "nnrt needs an int of 32 bits"
    for example in os.listdir(os.path.join(PACKAGING, "arduino", "examples")):
        assert os.path.isfile(os.path.join(PACKAGING, "arduino", "examples", example, example + ".ino"))


def cmsis_pack():
    """The schema of .pdsc: elements of a package that must be there, in their order, and files that are in the pack."""
    root = xml.etree.ElementTree.parse(os.path.join(PACKAGING, "cmsis-pack", "nnrt.nnrt.pdsc")).getroot()
    assert root.tag == "package" and root.get("schemaVersion") == "1.7.7"
    children = [child.tag for child in root]
    assert children[:5] == ["vendor", "name", "description", "url", "license"] and "releases" in children
    component, = root.iter("component")
    assert component.get("Cversion") == VERSION and component.get("Cgroup")
    assert component.get("Cclass") == root.find("taxonomy/description").get("Cclass") == "Machine Learning"
    spec = importlib.util.spec_from_file_location("bundles", os.path.join(PACKAGING, "bundles.py"))
    bundles = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bundles)
    (packed,) = [files for name, _, files in bundles.BUNDLES if name == "%s.%s.%%s.pack" % (root.findtext("vendor"),
                                                                                         root.findtext("name"))]
    for file in component.iter("file"):
        assert any(path == file.get("name") or path.startswith(file.get("name").rstrip("/") + "/") for path in packed)
        assert file.get("category") in ("include", "source", "header")
        assert file.get("attr") != "config" or file.get("version")


def vcpkg():
    """The reference of vcpkg.json: its name is that of the folder, its version a dotted one, its fields are known."""
    said = json.loads(text(PACKAGING, "vcpkg", "nnrt", "vcpkg.json"))
    assert set(said) == {"name", "version", "description", "license", "supports"} and said["license"] == "Apache-2.0"
    assert said["name"] == "nnrt" and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", said["name"])
    assert re.fullmatch(r"!?[a-z]+( & !?[a-z]+)*", said["supports"])


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
    for check in (versions, buildroot, zephyr, esp_idf, platformio, arduino, cmsis_pack, vcpkg):
        check()


if __name__ == "__main__":
    main()
