# SPDX-License-Identifier: Apache-2.0
"""Each promise and each refusal of amalgamate.py, on little trees made for the purpose.

    python3 tests/tools/test_amalgamate.py"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402

CC = shlex.split(os.environ.get("CC", "gcc"))
SPDX = "/* SPDX-License-Identifier: Apache-2.0 */\n"
FRONT = SPDX + """/* nnrt.h - v1.2.3 - a front page.
   Everywhere else:
       #include "nnrt.h"
       // #include "core/nowhere.h" */
#ifndef NNRT_H
#define NNRT_H
#include "core/types.h"
#endif /* NNRT_H */
#ifdef NNRT_IMPLEMENTATION
#ifndef NNRT__IMPLEMENTED
#define NNRT__IMPLEMENTED
#include "core/body.h"
#ifdef NNRT_BACKEND_X
#include "nnrt_backend_x.h"
#endif
#endif
#endif
"""


def guarded(name, body):
    return SPDX + "/* %s */\n#ifndef G_%s\n#define G_%s\n%s#endif\n" % ((name,) * 3 + (body,))


class Amalgamation(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        self.write("LICENSE", "The licence.\n")
        self.write("nnrt.h", FRONT)
        self.write("core/types.h", guarded("types", 'typedef int nnrt_t;\n#define NNRT_VERSION "1.2.3"\n'))
        self.write("core/body.h", guarded("body", '#include "types.h"\n'
                                          'static const char *nnrt__s = "/* no comment";\n'))
        self.write("nnrt_backend_x.h", guarded("x", '#include "core/types.h"\nint nnrt_x(nnrt_t t);\n'))

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode("utf-8"))

    def refuses(self, where, what):
        """The refusal names file and line, says what is wrong and how to mend it."""
        with self.assertRaises(amalgamate.Refusal) as caught:
            amalgamate.amalgamate(self.root)
        message = str(caught.exception)
        self.assertTrue(message.startswith(where + ": "), message)
        self.assertIn(what, message)
        self.assertIn("\n  FIX: ", message)

    def test_every_file_stands_once_between_two_seams_and_the_licence_at_the_end(self):
        text = amalgamate.amalgamate(self.root)
        for path in ("core/types.h", "core/body.h", "nnrt_backend_x.h"):
            self.assertEqual(text.count("/* ======== begin %s ======== */\n" % path), 1)
            self.assertEqual(text.count("/* ======== end %s ======== */\n" % path), 1)
        self.assertEqual(text.count("SPDX"), 1)
        self.assertTrue(text.startswith(SPDX))
        self.assertTrue(text.endswith("\n/*\nThe licence.\n*/\n"))
        self.assertIn("nnrt v1.2.3 as one file, made by amalgamate.py from the 4 files", text)

    def test_includes_inside_comments_and_strings_are_left_alone(self):
        self.write("core/body.h", guarded("body", 'static const char *nnrt__s = "\\\n#include \\"core/nowhere.h\\"";\n'
                                          '/*\n#include "core/nowhere.h"\n*/\n// \\\n#include "core/nowhere.h"\n'
                                          "static const char nnrt__c = '\"'; /*\n#include \"core/nowhere.h\"\n*/\n"
                                          "#include \"types.h\"\n"))
        text = amalgamate.amalgamate(self.root)
        self.assertIn('   Everywhere else:\n       #include "nnrt.h"\n', text)
        self.assertEqual(text.count("core/nowhere.h"), 5)
        self.assertNotIn('#include "types.h"', text)

    def test_guards_inside_a_guarded_part_are_dropped_and_others_kept(self):
        text = amalgamate.amalgamate(self.root)
        self.assertNotIn("G_types", text)
        self.write("nnrt.h", SPDX + '/* nnrt.h - v1.2.3 - */\n#include "core/types.h"\n#include "core/body.h"\n'
                   '#include "nnrt_backend_x.h"\n')
        self.assertIn("#ifndef G_types", amalgamate.amalgamate(self.root))

    def test_the_bytes_depend_on_the_contents_only(self):
        first = amalgamate.amalgamate(self.root)
        copy = os.path.join(self.root, "elsewhere")
        os.mkdir(copy)
        for name in ("LICENSE", "nnrt.h", "nnrt_backend_x.h"):
            shutil.copy(os.path.join(self.root, name), copy)
        shutil.copytree(os.path.join(self.root, "core"), os.path.join(copy, "core"))
        self.assertEqual(first, amalgamate.amalgamate(copy))
        self.write("core/types.h", guarded("types", '#define NNRT_VERSION "1.2.3"\n'))
        second = amalgamate.amalgamate(self.root)
        self.assertNotEqual(first.split("Content ")[1][:64], second.split("Content ")[1][:64])

    @unittest.skipUnless(shutil.which(CC[0]), "skipped, no " + CC[0])
    def test_the_preprocessor_sees_the_tree_and_the_one_file_alike(self):
        self.write("build/nnrt.h", amalgamate.amalgamate(self.root))
        for before in ("", "#define NNRT_IMPLEMENTATION\n", "#define NNRT_IMPLEMENTATION\n#define NNRT_BACKEND_X\n",
                       '#include "nnrt.h"\n#define NNRT_IMPLEMENTATION\n#include "nnrt.h"\n'):
            tree, one = [subprocess.run(CC + ["-E", "-P", "-I", os.path.join(self.root, place), "-"],
                                        input=(before + '#include "nnrt.h"\n').encode(), stdout=subprocess.PIPE,
                                        check=True, cwd="/").stdout for place in (".", "build")]
            self.assertEqual(tree, one)
            self.assertEqual(tree.count(b"typedef int nnrt_t;"), 1)

    @unittest.skipUnless(shutil.which("cc"), "no cc")
    def test_the_front_page_copied_alone_says_what_to_copy_and_the_one_file_needs_nothing(self):
        top = os.path.dirname(os.path.abspath(amalgamate.__file__))
        program = b'#define NNRT_IMPLEMENTATION\n#include "nnrt.h"\n'
        with open(os.path.join(top, "nnrt.h")) as page:
            self.write("alone/nnrt.h", page.read())
        self.write("whole/nnrt.h", amalgamate.amalgamate(top))
        alone, whole = [subprocess.run(["cc", "-fsyntax-only", "-x", "c", "-I", os.path.join(self.root, place), "-"],
                                       input=program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/")
                        for place in ("alone", "whole")]
        self.assertIn(b"copy the one file", alone.stdout)
        self.assertNotEqual(alone.returncode, 0)
        self.assertEqual((whole.returncode, whole.stdout), (0, b""))

    def test_openharmonys_names_are_written_beside_the_product_and_only_include_it(self):
        names = ["neural_network_core.h", "neural_network_runtime.h", "neural_network_runtime_type.h"]
        script = os.path.abspath(amalgamate.__file__)
        for options, folder, product in (([], "build", "nnrt.h"), (["-o", "made/other.h"], "made", "other.h")):
            subprocess.check_call([sys.executable, script, "--root", self.root] + options, cwd=self.root)
            self.assertTrue(os.path.isfile(os.path.join(self.root, folder, product)))
            self.assertEqual(sorted(os.listdir(os.path.join(self.root, folder, "neural_network_runtime"))), names)
            for name in names:
                with open(os.path.join(self.root, folder, "neural_network_runtime", name)) as f:
                    lines = [line for line in f.read().split("\n") if line and not line.startswith("/*")]
                self.assertEqual(lines, ['#include "../%s"' % product])

    @unittest.skipUnless(shutil.which(CC[0]), "skipped, no " + CC[0])
    def test_an_application_finds_openharmonys_names_by_the_folder_of_the_product_alone(self):
        subprocess.check_call([sys.executable, os.path.abspath(amalgamate.__file__), "--root", self.root])
        for compiler in (CC + ["-x", "c"], ["g++", "-x", "c++"]):
            if not shutil.which(compiler[0]):
                continue
            for names in (("core",), ("runtime",), ("runtime_type",), ("runtime_type", "core", "runtime", "core")):
                text = "".join('#include "neural_network_runtime/neural_network_%s.h"\n' % name for name in names)
                seen = subprocess.run(compiler + ["-E", "-P", "-I", os.path.join(self.root, "build"), "-"],
                                      input=text.encode(), stdout=subprocess.PIPE, check=True, cwd="/").stdout
                self.assertEqual(seen.count(b"typedef int nnrt_t;"), 1)

    def test_a_missing_file_is_refused(self):
        os.remove(os.path.join(self.root, "core/types.h"))
        self.refuses("nnrt.h:8", 'includes "core/types.h", which does not exist')

    def test_a_cycle_is_refused_with_its_chain(self):
        self.write("core/types.h", guarded("types", '#include "../nnrt_backend_x.h"\n'))
        self.refuses("nnrt_backend_x.h:5", "core/types.h -> nnrt_backend_x.h -> core/types.h")

    def test_a_file_that_nothing_includes_is_refused(self):
        for path in ("core/alone.h", "kernels/deep/alone.h", "cpu/alone.h", "tflite/alone.h", "nnrt_alone.h"):
            self.write(path, SPDX)
            self.refuses(path + ":1", "nothing includes this file")
            os.remove(os.path.join(self.root, path))

    def test_a_second_include_after_a_conditional_first_is_refused(self):
        self.write("core/late.h", guarded("late", ""))
        for condition in ("#ifdef A\n", "#if B\n#elif A\n", "#ifdef A\n#else\n", "#ifndef A\n#define B\n"):
            self.write("core/types.h", guarded("types", condition + '#include "late.h"\n#endif\n'))
            self.write("nnrt_backend_x.h", guarded("x", "\n" + '#include "core/late.h"\n'))
            self.refuses("nnrt_backend_x.h:6", '"core/late.h" is included again, but its first include (core/types.h:')

    def test_a_second_include_in_another_branch_is_refused(self):
        self.write("core/late.h", guarded("late", ""))
        for branch in ("#else\n", "#elif B\n"):
            self.write("core/types.h", guarded("types", '#ifdef A\n#include "late.h"\n%s#include "late.h"\n#endif\n'
                                               % branch))
            self.refuses("core/types.h:8", "under \"ifdef A\"")

    def test_a_second_include_under_the_same_condition_or_deeper_is_allowed(self):
        self.write("core/late.h", guarded("late", "int nnrt_late;\n"))
        again = '#include "core/late.h"\n'
        self.write("core/body.h", guarded("body", "#ifdef A\n" + again + "#endif\n"
                                          "#ifdef A\n" + again + "#if B\n" + again + "#endif\n#endif\n"))
        self.assertEqual(amalgamate.amalgamate(self.root).count("int nnrt_late;"), 1)

    def test_a_second_include_of_a_file_without_guard_is_refused(self):
        self.write("core/types.h", SPDX + "typedef int nnrt_t;\n")
        self.refuses("core/body.h:5", '"core/types.h" is included again, and has no guard')

    def test_an_include_that_is_not_plain_is_refused(self):
        for odd in ("#include NNRT_FILE\n", '/* here */ #include "types.h"\n'):
            self.write("core/body.h", guarded("body", odd))
            self.refuses("core/body.h:5", "cannot tell what this includes")

    def test_bytes_that_are_not_plain_are_refused_with_their_line(self):
        for bad in (b"/* caf\xc3\xa9 */\n", b"int a;\r\n", b"\tint a;\n", b"int a; \n", b"int a;", b"int a;\x00\n"):
            self.write("core/types.h", b"/* 1 */\n/* 2 */\n" + bad)
            self.refuses("core/types.h:3", "only ASCII, LF")

    def test_a_front_page_with_another_version_is_refused(self):
        self.write("nnrt.h", FRONT.replace("v1.2.3", "v1.2.4"))
        self.refuses("nnrt.h:2", "does not begin with the version of NNRT_VERSION")


if __name__ == "__main__":
    unittest.main()
