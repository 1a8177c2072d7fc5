#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that programs write are what the programs would write today, the first program of the README says what the
README says that it says, the pages of devices miss nothing that those have, and tests/public_types.h no type.

    make build/print_operators tool sim && python3 tests/tools/test_docs.py"""

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

    def test_the_pictures_of_the_meter_are_what_the_tool_says_of_it(self):
        board = dict(os.environ, LD_LIBRARY_PATH=os.path.join("build", "sim"), NNRT_SIM_CHIP="rv1106")
        models = (("cpu", ["examples/meter/meter.tflite", "--target", "neon"]),
                  ("npu", ["build/sim/models/meter.rv1106.rknn"]))
        with tempfile.TemporaryDirectory() as folder:
            for name, arguments in models:
                with open(os.path.join(folder, name), "wb") as f:
                    subprocess.run([os.path.join("build", "nnrt"), "inspect", "--json"] + arguments, cwd=ROOT,
                                   env=board, stdin=subprocess.DEVNULL, stdout=f, check=True)
            subprocess.run([os.path.join("tests", "docs", "side_by_side.py"), os.path.join(folder, "cpu"),
                            os.path.join(folder, "npu"), folder], cwd=ROOT, check=True)
            for name, _ in models:
                with open(os.path.join(folder, "meter_%s.svg" % name), encoding="ascii") as f:
                    self.assertEqual(contents("docs", "meter_%s.svg" % name), f.read(), "it is old.  FIX: make docs")

    def test_every_link_within_operators_md_leads_to_a_heading(self):
        page = contents("docs", "operators.md")
        headings = set(re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in
                       re.findall(r"(?m)^#+ (.*)$", page))
        links = re.findall(r"\]\(#([^)]*)\)", page)
        self.assertGreater(len(links), 100)
        self.assertEqual(set(links) - headings, set())

    def test_every_sentence_of_the_pages_of_troubles_is_one_of_the_library(self):
        paths = [os.path.relpath(path, ROOT) for form in ("*.h", os.path.join("*", "*.h"))
                 for path in glob.glob(os.path.join(ROOT, form))]
        sources = "".join(contents(path) for path in paths
                          if not path.startswith(("build", "examples", "tests", "tools")))
        text = re.sub(r'"\s*\n\s*"', "", sources)
        models = contents("docs", "models.md")
        for page, least in ((contents("docs", "troubleshooting.md"), 25),
                            (models[models.index("\n## Common refusals"):], 8)):
            pieces = re.findall(r"(?m)^\| `([^`]*)` \|", page)
            self.assertGreater(len(pieces), least)
            for piece in pieces:
                self.assertIn(piece, text)

    def test_every_row_is_in_a_table(self):
        for page in glob.glob(os.path.join(ROOT, "*.md")) + glob.glob(os.path.join(ROOT, "docs", "*.md")):
            with open(page, encoding="utf-8") as f:
                text = f.read()
            for row, below in re.findall(r"(?m)(?<=\n\n)(\|.*)\n(.*)$", text):
                self.assertRegex(below, r"^\|[-:| ]+\|$", "%s: %s" % (page, row))

    def test_every_command_of_these_pages_runs_and_every_name_is_one_of_the_library(self):
        public = contents("core", "api.h") + contents("core", "api_extensions.h") + contents("core", "api_types.h") + \
            contents("data", "api.h") + contents("core", "deprecated.h") + contents("core", "compilation.h") + \
            contents("image", "api.h")
        for name, least in (("tasks.md", 10), ("models.md", 4)):
            page = contents("docs", name)
            commands = re.findall(r"(?m)^    \$ (.*)$", page)
            self.assertGreater(len(commands), least)
            for command in commands:
                done = subprocess.run(command, shell=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=120)
                # doctor: 1 where it finds a problem on this machine
                self.assertIn(done.returncode, (0, 1) if command.endswith(" doctor") else (0,),
                              "%s: %s" % (command, done.stderr.decode()))
            for symbol in re.findall(r"`(OH_NN\w+|nnrt_\w+)`", page):
                self.assertRegex(public, r"\b%s\b" % symbol)
            for link in re.findall(r"\]\((\w+\.md)[#)]", page):
                self.assertTrue(os.path.exists(os.path.join(ROOT, "docs", link)), link)

    def test_the_scripts_of_the_page_of_models_are_python(self):
        scripts = re.findall(r"(?ms)^```python\n(.*?)^```$", contents("docs", "models.md"))
        self.assertGreater(len(scripts), 3)
        for script in scripts:
            compile(script, "models.md", "exec")

    def test_the_ranges_of_inputs_follow_from_scale_and_zero_point(self):
        rows = re.findall(r"(?m)^\| scale ([0-9.]+)\D[^|]*?zero point (-?\d+)[^|]*\| (-?[0-9.]+) \.\. ([0-9.]+) \|",
                          contents("docs", "models.md"))
        self.assertEqual(len(rows), 4)
        for scale, zero_point, lowest, highest in rows:
            for stored, real in ((-128, lowest), (127, highest)):
                self.assertAlmostEqual(float(scale) * (stored - int(zero_point)), float(real),
                                       delta=1.01 * float(scale))

    def test_a_plan_is_opened_in_one_way_on_all_pages(self):
        for path in (("docs", "cheat_sheet.md"), ("docs", "bare_metal.md"), ("examples", "flash", "flash.c")):
            found = re.findall(r"(OH_NNCompilation_Import\w+|OH_NNCompilation_Construct\w+)\([^()]*plan",
                               contents(*path))
            self.assertEqual(found, ["OH_NNCompilation_ImportCacheFromBuffer"], path)

    def test_the_pages_of_images_and_of_groups_end_what_they_begin(self):
        self.assertRegex(contents("docs", "image.md"), r"(?m)^\| .*MobileNet.* \| `mean` 127\.5, `deviation` 127\.5")
        frames = contents("docs", "groups.md").split("nnrt_frame_acquire(", 1)[1].split("```", 1)[0]
        self.assertIn("nnrt_frame_release(frame);", frames)

    def test_the_list_of_public_types_is_complete(self):
        types, listed = contents("core", "api_types.h"), contents("tests", "public_types.h")
        names = set(re.findall(r"(?m)^(?:\}|typedef struct \w+|typedef int8_t) (\w+);", types) +
                    re.findall(r"typedef void \(\*(\w+)\)", types))
        self.assertGreater(len(names), 20)
        self.assertEqual(set(re.findall(r"X\((\w+)[,)]", listed)) - {"type", "structure"}, names)


class Chinese(unittest.TestCase):
    def test_the_chinese_readme_has_the_program_and_commands_of_the_english_one(self):
        with open(os.path.join(ROOT, "README.zh.md"), encoding="utf-8") as f:
            page = f.read()
        english = contents("README.md")
        form = r"(?ms)^```c\n.*?^```$"
        self.assertEqual(re.search(form, page).group(), re.search(form, english).group())
        commands = [line.split(" #")[0].rstrip() for line in re.findall(r"(?m)^    \S.*$", re.sub(form, "", page))]
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertIn("\n" + command, english)
        chinese_links, english_links = [set(re.findall(r"\]\(([\w./]+)\)", text)) for text in (page, english)]
        self.assertEqual(chinese_links - {"README.md"}, english_links - {"README.zh.md"})
        self.assertEqual(len(re.findall("(?m)^## |^- |^[|]", page)), len(re.findall("(?m)^## |^- |^[|]", english)))
        for name in re.findall(r"`((?:docs|examples)/[\w./]*)`", page):
            self.assertTrue(os.path.exists(os.path.join(ROOT, name)), name)


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
            for model, data, says in (("meter/meter.tflite", "meter/pictures/reading_009000.pgm", "to be 640 bytes"),
                                      ("../tests/fuzz/seeds/tflite/add.tflite", "first/first.c", "int8 outputs")):
                done = subprocess.run(["./first", "examples/" + model, "examples/" + data], cwd=clone,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
                self.assertIn(says, done.stdout.decode())
                self.assertEqual(done.returncode, 1)

    def test_every_page_that_it_names_is_a_link_to_a_file(self):
        prose = re.sub(r"(?ms)^```.*?^```$|^    .*?$", "", self.page)
        self.assertEqual(re.findall(r"`[\w./]*\.md`", prose), [])
        links = re.findall(r"\]\(([^)#]+)\)", prose)
        self.assertGreater(len(links), 40)
        for link in links:
            self.assertTrue(os.path.exists(os.path.join(ROOT, link)), link)
        named = set(os.path.basename(link) for link in links)
        pages = set(name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
        self.assertEqual(pages - named, set(), "pages that the README does not name")


class Device:
    """The page of a vendor's device misses nothing that the device has. Classes below say which; this is no test."""

    def setUp(self):
        self.page = contents("docs", self.room + ".md")
        self.front = contents("nnrt_backend_%s.h" % self.room)

    def between(self, begin, end):
        return self.page[self.page.index("\n## " + begin):self.page.index("\n## " + end)]

    def test_every_config_has_its_row_with_every_word_that_it_takes(self):
        table = self.between("Extension configs", self.behind_configs)
        rows = re.findall(r'\{"([a-z]+\.[a-z_0-9]+)", NNRT__[A-Z]+_SET_\w+, (\w+),\s*(?:"([^"]*)"|NULL)',
                          contents(self.room, "config.h"))
        self.assertEqual(len(set(name for name, _, _ in rows)), self.configs)
        for name, kind, words in rows:
            row = re.search(r"^\| `%s` \|.*" % re.escape(name), table, re.M)
            self.assertIsNotNone(row, "%s has no row in docs/%s.md" % (name, self.room))
            for word in words.split("|") if kind.endswith("WORD") else []:
                self.assertIn("`%s`" % word, row.group(), name)
            self.assertTrue(name in self.front or name.startswith("nnrt."), name)
        self.assertEqual(sorted(set(re.findall(r"^\| `((?:%s|nnrt)\.\w+)` \|" % self.prefix, table, re.M))),
                         sorted(set(name for name, _, _ in rows)), "a row of docs/%s.md is about no config" % self.room)

    def test_every_fact_is_listed(self):
        facts = set(name + "N" * name.endswith(".") for name in
                    re.findall(r'\bX\("(%s\.[a-z_.]+)", NNRT_FACT_\w+, ' % self.prefix,
                               contents(self.room, "profile.h")))
        self.assertEqual(len(facts), self.facts)
        table = self.between("Profile and facts", "Errors")
        named = re.findall(r"`(%s\.[a-z_.]+N?)`" % self.prefix, "".join(re.findall(r"(?m)^(\|[^|]*)\|", table)))
        self.assertEqual(sorted(named), sorted(facts), "the table of facts of docs/%s.md" % self.room)
        listed = self.front[self.front.index("Facts for nnrt_executor_get_info"):self.front.index("Does NOT")]
        self.assertEqual(set(re.findall(r"%s\.[a-z_.]+N?" % self.prefix, listed.replace(".,", ","))), facts,
                         "nnrt_backend_%s.h" % self.room)

    def test_what_the_page_names_of_the_tree_is_there(self):
        for path in set(re.findall(r"(?<!build/)\b(?:examples|tests|tools|docs)/[\w/]+(?:\.\w+)?", self.page)):
            self.assertTrue(glob.glob(os.path.join(ROOT, path)), path)
        headers = "".join(contents(os.path.relpath(h, ROOT)) for h in
                          glob.glob(os.path.join(ROOT, "core", "*.h")) +
                          glob.glob(os.path.join(ROOT, self.room, "*.h")))
        for name in set(re.findall(r"\b(?:OH_NN[A-Z]\w+_\w+|nnrt_\w+)(?=[`( ,])", self.page)):
            self.assertTrue(name in headers, name)


class Horizon(Device, unittest.TestCase):
    room, prefix, behind_configs, configs, facts = "bpu", "bpu", "Tasks", 13, 18

    def test_every_code_that_is_named_is_one_of_the_libraries(self):
        known = set(re.findall(r"#define NNRT__(?:BPU|UCP)_\w+ \((-\d+)\)", contents("bpu", "abi.h")))
        named = re.findall(r"(?<!\d)-\d{6,7}", self.between("Errors", "Limits"))
        self.assertGreater(len(named), 15)
        self.assertEqual(set(named) - known, set())


class HiSilicon(Device, unittest.TestCase):
    room, prefix, behind_configs, configs, facts = "nnie", "nnie", "Segments and layers", 15, 14


class Rockchip(Device, unittest.TestCase):
    room, prefix, behind_configs, configs, facts = "rknpu", "rknn", "Several models", 31, 20

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


if __name__ == "__main__":
    unittest.main()
