#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that programs write are what the programs would write today, the first program of the README says what the
README says that it says, docs/rknpu.md misses nothing that the Rockchip device has, and tests/public_types.h no type.

    make build/print_operators && python3 tests/tools/test_docs.py"""

import glob
import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def contents(*path):
    with open(os.path.join(ROOT, *path), encoding="ascii") as f:
        return f.read()


class Docs(unittest.TestCase):
    def test_operators_md_says_what_the_tables_of_the_library_say(self):
        printed = subprocess.run([os.path.join("build", "print_operators")], cwd=ROOT, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, check=True).stdout
        with open(os.path.join(ROOT, "docs", "operators.md"), "rb") as f:
            self.assertEqual(f.read().decode(), printed.decode(), "docs/operators.md is old.  FIX: make docs")

    def test_the_list_of_public_types_is_complete(self):
        types, listed = contents("core", "api_types.h"), contents("tests", "public_types.h")
        names = set(re.findall(r"(?m)^(?:\}|typedef struct \w+|typedef int8_t) (\w+);", types) +
                    re.findall(r"typedef void \(\*(\w+)\)", types))
        self.assertGreater(len(names), 20)
        self.assertEqual(set(re.findall(r"X\((\w+)[,)]", listed)) - {"type", "structure"}, names)


class Readme(unittest.TestCase):
    def setUp(self):
        self.page = contents("README.md")
        self.program = re.search(r"^```c\n(.*?)^```$", self.page, re.M | re.S)

    def test_the_first_program_is_the_one_among_the_examples(self):
        self.assertEqual(self.program.group(1), contents("examples", "first", "first.c").split("\n", 1)[1])
        library = contents("examples", "first", "nnrt.c").split("*/\n")[-1]
        self.assertIn(re.sub("^", "    ", library.rstrip("\n"), flags=re.M), self.page)

    def test_its_commands_work_from_a_clone_and_print_what_the_page_shows(self):
        compile_it, run_it, answer = re.search(r"^    (cc .*)\n    (\./.*)\n    (.*)$", self.page[self.program.end():],
                                               re.M).groups()
        with tempfile.TemporaryDirectory() as clone:
            for name in os.listdir(ROOT):
                if name not in (".git", "build"):
                    os.symlink(os.path.abspath(os.path.join(ROOT, name)), os.path.join(clone, name))
            done = subprocess.run("%s && %s" % (compile_it, run_it), shell=True, cwd=clone, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.stdout.decode(), answer + "\n")
            self.assertEqual(done.returncode, 0)


class HiSilicon(unittest.TestCase):
    def setUp(self):
        self.page = contents("docs", "nnie.md")

    def between(self, begin, end):
        return self.page[self.page.index("\n## " + begin):self.page.index("\n## " + end)]

    def test_every_config_has_its_row_with_every_word_that_it_takes(self):
        table = self.between("Extension configs", "Segments and layers")
        rows = re.findall(r'\{"([a-z]+\.[a-z_0-9]+)", NNRT__NNIE_SET_\w+, (\w+),\s*(?:"([^"]*)"|NULL)',
                          contents("nnie", "config.h"))
        self.assertEqual(len(rows), 15)
        for name, kind, words in rows:
            row = re.search(r"^\| `%s` \|.*" % re.escape(name), table, re.M)
            self.assertIsNotNone(row, "%s has no row in docs/nnie.md" % name)
            for word in words.split("|") if kind.endswith("WORD") else []:
                self.assertIn("`%s`" % word, row.group(), name)
        self.assertEqual(sorted(re.findall(r"^\| `((?:nnie|nnrt)\.\w+)` \|", table, re.M)),
                         sorted(name for name, _, _ in rows), "a row of docs/nnie.md is about no config")
        page = contents("nnrt_backend_nnie.h")
        for name, _, _ in rows:
            self.assertTrue(name in page or name.startswith("nnrt."), name)

    def test_every_fact_is_listed(self):
        facts = set(name + "N" * name.endswith(".") for name in
                    re.findall(r'\bX\("(nnie\.[a-z_.]+)", NNRT_FACT_\w+, ', contents("nnie", "profile.h")))
        self.assertEqual(len(facts), 14)
        table = self.between("Profile and facts", "Errors")
        named = re.findall(r"`(nnie\.[a-z_.]+N?)`", "".join(re.findall(r"(?m)^(\|[^|]*)\|", table)))
        self.assertEqual(sorted(named), sorted(facts), "the table of facts of docs/nnie.md")
        page = contents("nnrt_backend_nnie.h")
        page = page[page.index("Facts for nnrt_executor_get_info"):page.index("Does NOT")]
        self.assertEqual(set(re.findall(r"nnie\.[a-z_.]+N?", page.replace(".,", ","))), facts, "nnrt_backend_nnie.h")


class Rockchip(unittest.TestCase):
    def setUp(self):
        self.page = contents("docs", "rknpu.md")

    def between(self, begin, end):
        return self.page[self.page.index("\n## " + begin):self.page.index("\n## " + end)]

    def test_every_config_has_its_row_with_every_word_that_it_takes(self):
        table = self.between("Extension configs", "Several models")
        rows = re.findall(r'\{"([a-z]+\.[a-z_0-9]+)", NNRT__RKNPU_SET_\w+, (\w+),\s*(?:"([^"]*)"|NULL)',
                          contents("rknpu", "config.h"))
        self.assertGreater(len(rows), 25)
        for name, kind, words in rows:
            row = re.search(r"^\| `%s` \|.*" % re.escape(name), table, re.M)
            self.assertIsNotNone(row, "%s has no row in docs/rknpu.md" % name)
            for word in words.split("|") if kind.endswith("WORD") else []:
                self.assertIn("`%s`" % word, row.group(), name)
        self.assertEqual(sorted(set(re.findall(r"^\| `((?:rknn|nnrt)\.\w+)` \|", table, re.M))),
                         sorted(set(name for name, _, _ in rows)), "a row of docs/rknpu.md is about no config")

    def test_every_fact_is_listed(self):
        facts = set(name + "N" * name.endswith(".") for name in
                    re.findall(r'\bX\("(rknn\.[a-z_.]+)", NNRT_FACT_\w+, ', contents("rknpu", "profile.h")))
        self.assertGreater(len(facts), 15)
        table = self.between("Profile and facts", "Errors")
        named = re.findall(r"`(rknn\.[a-z_.]+N?)`", "".join(re.findall(r"(?m)^(\|[^|]*)\|", table)))
        self.assertEqual(sorted(named), sorted(facts), "the table of facts of docs/rknpu.md")
        page = contents("nnrt_backend_rknpu.h")
        page = page[page.index("Facts for nnrt_executor_get_info"):page.index("Does NOT")]
        self.assertEqual(set(re.findall(r"rknn\.[a-z_.]+N?", page.replace(".,", ","))), facts, "nnrt_backend_rknpu.h")

    def test_every_code_of_the_vendor_is_listed(self):
        table = self.between("Errors", "From rknn_api")
        codes = re.findall(r"#define NNRT_RKNN_(?:ERR|SKIP)_?\w* \((-\d+)\)", contents("rknpu", "abi.h"))
        self.assertEqual(len(codes), 14)
        for code in codes:
            self.assertRegex(table, r"\| [^|]*%s\b[^|]*\|" % code)

    def test_every_function_of_the_vendor_has_its_row_in_the_migration_table(self):
        table = self.between("From rknn_api", "Assumed")
        for header in ("rknn_api.h", "rknn_custom_op.h"):
            for name in re.findall(r"\b(rknn_\w+)\(rknn_", contents("tests", "compile", "vendor", header)):
                if name not in ("rknn_create_mem_from_mb_blk", "rknn_set_input_shape", "rknn_create_mem2"):
                    self.assertIn(name, table)

    def test_what_the_page_names_of_the_tree_is_there(self):
        for path in set(re.findall(r"(?<!build/)\b(?:examples|tests|tools|docs)/[\w/]+(?:\.\w+)?", self.page)):
            self.assertTrue(glob.glob(os.path.join(ROOT, path)), path)
        headers = "".join(contents(os.path.relpath(h, ROOT)) for h in
                          glob.glob(os.path.join(ROOT, "core", "*.h")) + [os.path.join(ROOT, "rknpu", "abi.h")])
        for name in set(re.findall(r"\b(?:OH_NN[A-Z]\w+_\w+|nnrt_\w+)(?=[`( ,])", self.page)):
            self.assertIn(name, headers)


if __name__ == "__main__":
    unittest.main()
