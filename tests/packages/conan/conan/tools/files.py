# SPDX-License-Identifier: Apache-2.0
"""copy, as Conan's reference has it: files below src whose path matches, with their folders, into dst."""

import os
import shutil
from fnmatch import fnmatch


def copy(conanfile, pattern, src, dst, keep_path=True, excludes=None, ignore_case=True, overwrite_equal=False):
    copied = []
    for where, _, names in os.walk(src):
        for path in (os.path.relpath(os.path.join(where, name), src) for name in names):
            if fnmatch(path, pattern) and not any(fnmatch(path, excluded) for excluded in excludes or ()):
                os.makedirs(os.path.dirname(os.path.join(dst, path)), exist_ok=True)
                copied.append(shutil.copy(os.path.join(src, path), os.path.join(dst, path)))
    return copied
