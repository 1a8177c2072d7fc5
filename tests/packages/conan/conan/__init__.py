# SPDX-License-Identifier: Apache-2.0
"""What Conan 2 gives a recipe, as far as that of packaging/conan goes."""

import subprocess
import types


class ConanFile:
    def __init__(self, recipe_folder, folder, settings):
        self.recipe_folder = recipe_folder
        self.export_sources_folder = self.source_folder = folder + "/source"
        self.build_folder, self.package_folder = folder + "/build", folder + "/package"
        self.settings = types.SimpleNamespace(**settings)
        self.cpp_info = types.SimpleNamespace(bindirs=["bin"], libdirs=["lib"], includedirs=["include"], system_libs=[])
        self.info = types.SimpleNamespace(clear=lambda: None)

    def run(self, command):
        subprocess.run(command, shell=True, cwd=self.build_folder, check=True)
