# SPDX-License-Identifier: Apache-2.0
"""nnrt for Conan 2, from the tree that this folder is a part of: conan create packaging/conan"""

import os
import sys

from conan import ConanFile
from conan.tools.files import copy


class NnrtConan(ConanFile):
    name = "nnrt"
    version = "0.1.0"
    description = "OpenHarmony's Neural Network Runtime API in one C header, on the CPU and NPUs"
    license = "Apache-2.0"
    topics = ("neural-network", "inference", "tflite", "openharmony", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, "..", "..")
        copy(self, "*.h", tree, self.export_sources_folder, excludes=("build/*", "tests/*", "tools/*", "examples/*"))
        for name in ("amalgamate.py", "LICENSE", "nnrt.hpp"):
            copy(self, name, tree, self.export_sources_folder)

    def build(self):
        self.run('"%s" "%s" -o "%s"' % (sys.executable, os.path.join(self.source_folder, "amalgamate.py"),
                                        os.path.join(self.build_folder, "include", "nnrt.h")))

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "nnrt.hpp", self.source_folder, os.path.join(self.package_folder, "include"))
        copy(self, "*", os.path.join(self.build_folder, "include"), os.path.join(self.package_folder, "include"))

    # The program compiles the code: one package for all.
    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"] + (["dl"] if self.settings.os == "Linux" else [])
