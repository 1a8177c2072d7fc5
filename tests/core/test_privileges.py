#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program with more rights than its user takes nothing from that user's environment: no library is loaded because a
variable names it, no instruction set is chosen. Such programs are set-user-ID, set-group-ID, or have capabilities on
their file, and may have made their ids equal since.

    python3 tests/core/test_privileges.py      as root, on a file system where set-user-ID means something"""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NOBODY = 65534
LIBRARIES = ("NNRT_RKNPU_LIBRARY", "NNRT_NNIE_LIBRARY", "NNRT_BPU_LIBRARY", "NNRT_DSP_LIBRARY")

# What the user of the program would like to have run with its rights.
FOREIGN = r"""
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { printf("%s=loaded as %d\n", NAME, (int)geteuid()); }
"""


def no_rights_here(folder):
    """Why nothing can be tried; "": it can."""
    if os.geteuid() != 0:
        return "skipped, no root to give a program rights"
    if os.statvfs(folder).f_flag & os.ST_NOSUID:
        return "skipped, no rights on this file system: it is mounted nosuid"
    with open("/proc/self/status") as status:
        if "NoNewPrivs:\t1" in status.read():
            return "skipped, no rights here: the system gives a program none (no_new_privs)"
    return ""


class Privileges(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="nnrt-privileges-")
        why = no_rights_here(cls.folder)
        if why:
            shutil.rmtree(cls.folder)
            raise unittest.SkipTest(why)
        os.chmod(cls.folder, 0o755)
        cls.plain = os.path.join(cls.folder, "plain")
        compiler = os.environ.get("CC", "cc").split()
        subprocess.check_call(compiler + ["-std=c99", "-w", "-O0", "-I" + ROOT, "-o", cls.plain,
                                          os.path.join(ROOT, "tests", "core", "privileges.c"),
                                          "-lm", "-lpthread", "-ldl", "-lrt"])
        cls.environment = {"NNRT_ISA": "none-such", "HB_UCP_MAX_TASK_NUM": "7", "LD_LIBRARY_PATH": "/nowhere"}
        source = os.path.join(cls.folder, "foreign.c")
        with open(source, "w") as file:
            file.write(FOREIGN)
        for name in LIBRARIES:
            cls.environment[name] = os.path.join(cls.folder, name + ".so")
            subprocess.check_call(compiler + ["-shared", "-fPIC", '-DNAME="%s"' % name, "-o", cls.environment[name],
                                              source])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def program(self, name):
        path = os.path.join(self.folder, name)
        shutil.copy(self.plain, path)
        return path

    def run_as_nobody(self, *command, **options):
        def become():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        done = subprocess.run(command, env=self.environment, cwd="/", preexec_fn=become, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, **options)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def takes_nothing(self, *command, **options):
        text = self.run_as_nobody(*command, **options)
        self.assertNotIn("loaded as", text, "foreign code ran")
        for name in LIBRARIES + ("LD_LIBRARY_PATH", "HB_UCP_MAX_TASK_NUM", "NNRT_ISA"):
            self.assertIn("\n%s=0\n" % name, "\n" + text)
        self.assertIn("\nprivileged=1\nprivileged_by_proc=1\n", text)

    def test_a_program_without_rights_takes_all_of_it(self):
        text = self.run_as_nobody(self.plain)
        for name in LIBRARIES:
            self.assertIn("%s=loaded as %d\n" % (name, NOBODY), text)
        for name in LIBRARIES + ("LD_LIBRARY_PATH", "HB_UCP_MAX_TASK_NUM", "NNRT_ISA"):
            self.assertIn("\n%s=1\n" % name, "\n" + text)
        self.assertIn("\nprivileged=0\nprivileged_by_proc=0\n", text)
        self.assertIn("\nprivileged_by_proc_without_descriptors=1\n", text, "who starts a program may leave it none")

    def test_a_program_with_capabilities_takes_nothing(self):
        path = self.program("capable")
        try:
            done = subprocess.run(["setcap", "cap_net_raw,cap_dac_override+ep", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, universal_newlines=True)
        except FileNotFoundError:
            self.skipTest("skipped, no setcap")
        if done.returncode != 0:
            self.skipTest("skipped, no capabilities of files: " + done.stdout.strip())
        self.takes_nothing(path)

    def test_a_program_with_a_capability_that_opens_no_file_takes_nothing(self):
        path = self.program("capable_of_little")
        if shutil.which("setcap") is None or subprocess.call(["setcap", "cap_net_bind_service+ep", path],
                                                             stderr=subprocess.DEVNULL) != 0:
            self.skipTest("skipped, no capabilities of files, or no setcap")
        self.takes_nothing(path)

    def test_a_set_user_id_program_takes_nothing_also_when_its_ids_are_equal(self):
        path = self.program("set_user_id")
        os.chmod(path, 0o4755)
        self.takes_nothing(path)
        self.takes_nothing(path, "setuid")

    def test_a_set_group_id_program_takes_nothing_also_when_its_ids_are_equal(self):
        path = self.program("set_group_id")
        os.chown(path, 0, 0)
        os.chmod(path, 0o2755)
        self.takes_nothing(path)
        self.takes_nothing(path, "setuid")

    def test_root_itself_is_heard(self):
        text = subprocess.check_output([self.plain], env=self.environment, universal_newlines=True)
        self.assertIn("NNRT_RKNPU_LIBRARY=loaded as 0\n", text)


if __name__ == "__main__":
    unittest.main()
