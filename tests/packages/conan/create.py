#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`conan create packaging/conan`, in Conan's order, with the stand-in beside this file. Prints what a compiler gets.

    tests/packages/conan/create.py FOLDER"""

import importlib.util
import os
import sys

sys.dont_write_bytecode = True
RECIPE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", "packaging", "conan"))
spec = importlib.util.spec_from_file_location("conanfile", os.path.join(RECIPE, "conanfile.py"))
conanfile = importlib.util.module_from_spec(spec)
spec.loader.exec_module(conanfile)
recipe = conanfile.NnrtConan(RECIPE, os.path.abspath(sys.argv[1]),
                             {"os": "Linux", "arch": "x86_64", "compiler": "gcc", "build_type": "Release"})
for name in ("name", "version", "description", "license", "topics", "package_type", "settings"):
    assert getattr(recipe, name), name
assert recipe.package_type == "header-library" and recipe.name == recipe.name.lower()
for folder in (recipe.source_folder, recipe.build_folder, recipe.package_folder):
    os.makedirs(folder)
recipe.export_sources()
recipe.build()
recipe.package()
recipe.package_id()
recipe.package_info()
assert recipe.cpp_info.bindirs == recipe.cpp_info.libdirs == []
assert sorted(os.listdir(recipe.package_folder)) == ["include", "licenses"]
print(*["-I" + os.path.join(recipe.package_folder, name) for name in recipe.cpp_info.includedirs])
print(*["-l" + name for name in recipe.cpp_info.system_libs])
