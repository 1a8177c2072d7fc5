#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_commits.sh sees the one commit of a branch that does not build, and the one that says too much or too little.

    python3 tests/tools/test_check_commits.py"""

import os
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "check_commits.sh")
CC = os.environ.get("CC", "gcc")


@unittest.skipUnless(shutil.which("git"), "skipped, no git")
class Commits(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.git("init", "-q")
        os.mkdir(os.path.join(self.root, "tests"))
        shutil.copy(SCRIPT, os.path.join(self.root, "tests"))
        self.write("amalgamate.py", 'import os\nos.makedirs("build")\n'
                                    'open("build/nnrt.h", "w").write(open("nnrt.h").read())\n')
        self.write("nnrt.h", "int nnrt_version(void);\n")
        self.write("packaging/nnrt.c", '#include "nnrt.h"\nint nnrt_version(void) { return 1; }\n')
        self.write("tools/nnrt.c", '#include "nnrt.h"\nint main(void) { return nnrt_version(); }\n')
        self.commit("one: first", "As it is.")

    def git(self, *arguments):
        subprocess.check_call(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b.example"] +
                              list(arguments))

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def commit(self, *paragraphs):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", *[word for text in paragraphs for word in ("-m", text)])

    def look(self, *base):
        done = subprocess.run(["bash", os.path.join(self.root, "tests", "check_commits.sh")] + list(base),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, CC=CC))
        return done.returncode, done.stdout.decode()

    def test_commits_that_build_and_say_why_pass(self):
        self.commit("two: second", "Because.")
        code, said = self.look()
        self.assertEqual((code, said.split("\n")[-2]), (0, "2 passed, 0 failed, 0 skipped"), said)

    def test_a_commit_that_is_mended_by_the_next_one_fails(self):
        self.write("nnrt.h", "int nnrt_version(int);\n")
        self.commit("two: breaks", "Because.")
        self.write("nnrt.h", "int nnrt_version(void);\n")
        self.commit("three: mends", "Because.")
        code, said = self.look("HEAD~2")
        self.assertEqual((code, said.split("\n")[-2]), (1, "1 passed, 1 failed, 0 skipped"), said)
        self.assertRegex(said, r"FAILED  \w+ two: breaks\n +does not build: ")
        self.assertEqual(self.look("HEAD~1")[0], 0)

    def test_a_long_subject_and_a_missing_body_fail(self):
        self.commit("two: " + 68 * "x", "Because.")
        self.commit("three: no reason")
        code, said = self.look("HEAD~2")
        self.assertEqual(code, 1)
        self.assertIn("its subject has 73 characters, at most 72", said)
        self.assertIn("no body says why", said)

    def test_a_base_that_is_not_there_fails(self):
        self.assertEqual(self.look("no-such-revision")[0], 1)


if __name__ == "__main__":
    unittest.main()
