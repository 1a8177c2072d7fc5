#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the tool tells about itself: each row of the tables of tools/options.h is in the help, in the man page and in
the completion of each shell, and those who read them find no mistake.

    make tool && python3 tests/tools/test_tool_help.py

What is not installed of mandoc, man, bash, zsh and fish is not asked; NNRT_TOOL as for test_tool.py."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(ROOT, "build", "nnrt")))


def tool(*arguments):
    done = subprocess.run(TOOL + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def source(name):
    with open(os.path.join(ROOT, "tools", name), encoding="ascii") as f:
        return f.read()


def tables():
    """The commands, and (command, kind, name, letter or None, choices or None) of each option, from the source."""
    bits = {name: eval(value, {"__builtins__": {}}) for name, value in re.findall(
        r"\b(FOR_\w+) = ([0-9x| <]+?)(?:,|\n)", source("arguments.h"))}
    text = source("options.h")
    commands = re.findall(r'\{"(\w+)", (FOR_\w+), command_\w+,', text)
    options = []
    for which, kind, name, letter, choices in re.findall(
            r'\{OPTION_\w+,\s*([\w| ]+?),\s*\'(\w)\',\s*"(--[\w-]+)",\s*(NULL|"-\w"),\s*"[^"]*",\s*(NULL|"[^"]*"),',
            text):
        mask = sum({bits[bit.strip()] for bit in which.split("|")})
        options += [(command, kind, name, None if letter == "NULL" else letter.strip('"'),
                     None if choices == "NULL" else choices.strip('"'))
                    for command, bit in commands if mask & bits[bit]]
    assert len(re.findall(r"\{OPTION_\w+,", text)) == len(set(re.findall(r"\{(OPTION_\w+),", text)))
    return [name for name, _ in commands], options


class Tables(unittest.TestCase):
    def setUp(self):
        self.commands, self.options = tables()
        self.assertGreater(len(self.commands), 4)
        self.assertGreater(len(self.options), 25)

    def told(self, *arguments):
        code, out, err = tool("help", *arguments)
        self.assertEqual((code, err), (0, ""), arguments)
        self.assertNotRegex(out, r"(?m)[ \t]$")
        return out

    def test_each_option_is_in_the_help_of_its_commands_and_in_no_other(self):
        for command in self.commands:
            text = self.told(command)
            told = set(re.findall(r"(?m)^  (?:(-\w), )?(--[\w-]+)(?= )", text))
            self.assertEqual(told, {(letter or "", name) for c, _, name, letter, _ in self.options if c == command})
            self.assertLessEqual(max(map(len, text.splitlines())), 110)

    def test_each_option_is_in_the_man_page(self):
        page = self.told("--man")
        sections = dict(re.findall(r"(?ms)^\.SS nnrt (\w+)(.*?)(?=^\.S)", page))
        for command, _, name, letter, _ in self.options:
            form = "\\fB" + ((letter + ", " if letter else "") + name).replace("-", "\\-") + "\\fR"
            self.assertIn(form, sections[command])

    def test_the_man_page_is_as_its_readers_want_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "nnrt.1")
            with open(path, "w", encoding="ascii") as f:
                f.write(self.told("--man"))
            asked = [(["mandoc", "-Tlint", "-Wwarning", path], {}),
                     (["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], {"MANROFFSEQ": ""})]
            for command, environment in asked:
                if not shutil.which(command[0]) or (command[0] == "man" and not shutil.which("groff")):
                    continue
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env=dict(os.environ, **environment))
                said = (done.stdout if command[0] == "mandoc" else b"") + done.stderr
                # a page without a date is the same in every build
                said = re.sub(rb"(?m)^mandoc: .*: missing date.*\n", b"", said)
                self.assertEqual(said, b"", command)

    def completed(self, *words):
        """What bash offers for the last of the words."""
        script = self.told("--completion", "bash") + "COMP_WORDS=(nnrt %s)\nCOMP_CWORD=%d\n_nnrt\nprintf '%%s\\n' " \
            "\"${COMPREPLY[@]}\"\n" % (" ".join(shlex.quote(word) for word in words), len(words))
        done = subprocess.run(["bash", "--norc", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return set(done.stdout.decode().split())

    @unittest.skipUnless(shutil.which("bash"), "skipped, no bash")
    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.completed(""), set(self.commands) | {"help", "--version", "--help"})
        self.assertEqual(self.completed("comp"), {c for c in self.commands if c.startswith("comp")})
        for command in self.commands:
            want = {word for c, _, name, letter, _ in self.options if c == command for word in (name, letter) if word}
            self.assertEqual(self.completed(command, "-"), want | {"--help"})
        for command, kind, name, _, choices in self.options:
            if choices:
                self.assertEqual(self.completed(command, name, ""), set(choices.split()))
        self.assertEqual(self.completed("help", "ins"), {"inspect"})
        self.assertEqual(self.completed("help", "--completion", ""), {"bash", "zsh", "fish"})
        self.assertEqual(self.completed("inspect", "exam"), {"examples"})

    def test_zsh_and_fish_complete_each_option_and_take_the_script(self):
        zsh, fish = self.told("--completion", "zsh"), self.told("--completion", "fish")
        parts = dict(re.findall(r"(?ms)^    (\w+)\)\n(.*?) ;;$", zsh))
        for command, kind, name, letter, choices in self.options:
            for word in filter(None, (name, letter)):
                self.assertRegex(parts[command], r"'\*%s\[[^]]+\]%s" % (word, "'" if kind == "f" else ":"))
            line = re.search(r"(?m)^complete -c nnrt -n '__fish_seen_subcommand_from %s' -l %s\b(.*)"
                             % (command, name[2:]), fish)
            self.assertIsNotNone(line, (command, name))
            self.assertEqual(bool(re.search(r" -[rx]\b", line.group(1))), kind != "f")
            if letter:
                self.assertIn(" -s " + letter[1:], line.group(1))
            if choices:
                self.assertIn("(%s)" % choices, parts[command])
                self.assertIn("-a '%s'" % choices, line.group(1))
        for shell, script in (("zsh", zsh), ("fish", fish)):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=script.encode(), stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                self.assertEqual((done.returncode, done.stdout), (0, b""), shell)

    @unittest.skipUnless(shutil.which("fish"), "skipped, no fish")
    def test_fish_offers_the_commands_and_an_option(self):
        script = self.told("--completion", "fish") + "complete -C 'nnrt '; complete -C 'nnrt bench --ru'\n"
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(["fish", "-N", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  cwd=home, env=dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home))
        offered = [line.split("\t")[0] for line in done.stdout.decode().splitlines()]
        self.assertEqual(set(offered), set(self.commands) | {"help", "--runs"}, done.stderr)

    def test_another_shell_is_refused(self):
        for words in (("--completion",), ("--completion", "tcsh")):
            code, out, err = tool("help", *words)
            self.assertEqual((code, out, err), (2, "", "nnrt: help: --completion wants bash, zsh or fish\n"))


class Pages(unittest.TestCase):
    def test_every_option_and_target_that_a_page_names_is_one(self):
        helps = dict((c, tool("help", c)[1]) for c in re.findall(r'\{"(\w+)", FOR_', source("options.h")))
        targets = [line.split()[0] for line in tool("compile", "--target", "?")[1].splitlines()]
        pages = [os.path.join("docs", name) for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")]
        tried = 0
        for page in ["README.md", "README.zh.md"] + pages:
            with open(os.path.join(ROOT, page), encoding="utf-8") as f:
                text = f.read()
            for command, rest in re.findall(r"\bnnrt (%s)\b([^`\n|#;]*)" % "|".join(helps), text):
                for option in re.findall(r"(?<=\s)--?[a-z][a-z-]*", rest):
                    self.assertRegex(helps[command], r"(?<![\w-])%s(?![\w-])" % option,
                                     "%s: nnrt %s%s" % (page, command, rest))
                    tried += 1
            for target in re.findall(r"--target ([a-z][\w-]*)", text):
                self.assertIn(target, targets, page)
                tried += 1
        self.assertGreater(tried, 60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
