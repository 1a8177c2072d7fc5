#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dist.py - makes build/dist/nnrt-VERSION and a .tar.gz of it: what a release has. `make dist` calls it.

    nnrt.h, neural_network_runtime/   the product, with its version, commit and SHA-256 in its head
    nnrt.hpp, nnrt.py                 the same for C++11 and Python
    tools/nnrt-PROCESSOR              the tool, linked statically, for each processor that a compiler is here for
    tools/nnrt-report                 makes a page of what the tool measures
    nnrt.1, completion/               its man page, and what bash, zsh and fish complete by
    README.md, docs/                  the pages
    LICENSE, CHANGELOG.md, SHA256SUMS
    nnrt.spdx.json                    bill of materials, SPDX 2.3

Beside it lie the archives of bundles.py, with the same nnrt.h.

The same commit and compilers give the same bytes in every folder: there is no path, user or clock in them. The date is
SOURCE_DATE_EPOCH, else that of the commit; COMMIT is the commit where there is no .git. DIST_FLAGS (-O2) and DIST_TOOLS
(names of TOOLS) choose what is compiled. The static tools have the CPU device, and Rockchip's NPU as far as it needs
no library: one of a vendor wants the C library of its board, which a static program cannot load."""

import datetime
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
CORTEX_A7 = "-mthumb -march=armv7-a -mtune=cortex-a7 -mfpu=neon-vfpv4"
TOOLS = {"x86_64": ("x86_64-linux-gnu-gcc", ""),
         "armv7_hard": ("arm-linux-gnueabihf-gcc", CORTEX_A7 + " -mfloat-abi=hard"),
         "armv7_softfp": ("arm-linux-gnueabi-gcc", CORTEX_A7 + " -mfloat-abi=softfp"),
         "aarch64": ("aarch64-linux-gnu-gcc", "")}


def output(*command):
    try:
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=True).stdout.decode().strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def contents(*path):
    with open(os.path.join(*path), "rb") as f:
        return f.read()


def digest(kind, *path):
    return hashlib.new(kind.lower(), contents(*path)).hexdigest()


def commit_of_tree():
    """The commit, with -modified when the tree is not quite that."""
    commit = os.environ.get("COMMIT") or output("git", "rev-parse", "HEAD")
    modified = not os.environ.get("COMMIT") and output("git", "status", "--porcelain", "--untracked-files=no")
    return (commit or "unknown") + ("-modified" if modified else "")


def epoch():
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct") or 0)


def compile_tool(name, folder):
    """False: there is no compiler for it here."""
    compiler, flags = TOOLS[name]
    if not shutil.which(compiler):
        return False
    command = [compiler, "-std=c99"] + os.environ.get("DIST_FLAGS", "-O2").split() + flags.split()
    if "-DNNRT_NO_CPU" not in command:
        command.append("-DNNRT_BACKEND_RKNPU_OPEN")
    command += ["-static", "-s", "-I.", "-ffile-prefix-map=%s=." % os.path.abspath(ROOT), "-o",
                os.path.abspath(os.path.join(folder, "nnrt-" + name)), "tools/nnrt.c", "-lm", "-lpthread"]
    subprocess.run(command, cwd=ROOT, check=True)
    return True


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


def bill_of_materials(folder, version, commit):
    """SPDX 2.3 of all files that are there."""
    files = []
    for number, path in enumerate(files_below(folder)):
        # A static tool has the C library inside.
        static = path.startswith("tools/") and path != "tools/nnrt-report"
        licence = "Apache-2.0 AND LGPL-2.1-or-later" if static else "Apache-2.0"
        files.append({"fileName": "./" + path, "SPDXID": "SPDXRef-File-%d" % number,
                      "checksums": [{"algorithm": kind, "checksumValue": digest(kind, folder, path)}
                                    for kind in ("SHA1", "SHA256")],
                      "licenseConcluded": licence, "licenseInfoInFiles": ["Apache-2.0"],
                      "copyrightText": "NOASSERTION"})
    sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    created = datetime.datetime.fromtimestamp(epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = re.search(rb"Content ([0-9a-f]{64})", contents(folder, "nnrt.h")).group(1).decode()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": "nnrt-" + version, "documentNamespace": "urn:nnrt:%s:%s" % (version, content),
            "creationInfo": {"created": created, "creators": ["Tool: dist.py"]},
            "packages": [{"name": "nnrt", "SPDXID": "SPDXRef-Package", "versionInfo": version,
                          "downloadLocation": "NOASSERTION", "filesAnalyzed": True, "sourceInfo": "commit " + commit,
                          "packageVerificationCode": {"packageVerificationCodeValue":
                                                      hashlib.sha1("".join(sums).encode()).hexdigest()},
                          "licenseConcluded": "Apache-2.0", "licenseInfoFromFiles": ["Apache-2.0"],
                          "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
                          "primaryPackagePurpose": "LIBRARY"}],
            "files": files,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": "SPDXRef-Package"}] +
                             [{"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS",
                               "relatedSpdxElement": file["SPDXID"]} for file in files]}


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def pack(folder, archive):
    """A .tar.gz that says nothing of who made it, where and when."""
    def plain(member):
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = epoch()
        member.mode = 0o755 if member.isdir() or "/tools/" in member.name else 0o644
        return member
    with open(archive, "wb") as f, gzip.GzipFile("", "wb", 9, f, 0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in files_below(folder):
            tar.add(os.path.join(folder, path), os.path.join(os.path.basename(folder), path), filter=plain)


def main():
    header = contents(ROOT, "core", "api_extensions.h")
    version = re.search(rb'#define NNRT_VERSION "([\w.]+)"', header).group(1).decode()
    commit = commit_of_tree()
    dist = os.path.join(ROOT, "build", "dist")
    folder = os.path.join(dist, "nnrt-" + version)
    shutil.rmtree(dist, ignore_errors=True)
    os.makedirs(os.path.join(folder, "tools"))
    subprocess.run([sys.executable, "amalgamate.py", "--commit", commit, "-o",
                    os.path.abspath(os.path.join(folder, "nnrt.h"))], cwd=ROOT, check=True)
    pages = sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")) + glob.glob(os.path.join(ROOT, "docs", "*.png")) +
                   glob.glob(os.path.join(ROOT, "docs", "*.svg")))
    os.makedirs(os.path.join(folder, "docs"))
    for name in ["LICENSE", "CHANGELOG.md", "README.md", "README.zh.md", "SECURITY.md", "nnrt.hpp", "nnrt.py",
                 os.path.join("tools", "nnrt-report")] + [os.path.relpath(page, ROOT) for page in pages]:
        shutil.copyfile(os.path.join(ROOT, name), os.path.join(folder, name))
    os.chmod(os.path.join(folder, "tools", "nnrt-report"), 0o755)
    tool = os.path.abspath(sys.argv[1])  # of this machine: it tells about itself
    write(os.path.join(folder, "nnrt.1"), subprocess.check_output([tool, "help", "--man"]))
    for shell in ("bash", "zsh", "fish"):
        write(os.path.join(folder, "completion", "nnrt." + shell),
              subprocess.check_output([tool, "help", "--completion", shell]))
    for name in os.environ.get("DIST_TOOLS", " ".join(TOOLS)).split():
        if not compile_tool(name, os.path.join(folder, "tools")):
            print("absent %s: no tool for %s" % (TOOLS[name][0], name))
    bill = json.dumps(bill_of_materials(folder, version, commit), indent=1, sort_keys=True) + "\n"
    write(os.path.join(folder, "nnrt.spdx.json"), bill.encode())
    sums = "".join("%s  %s\n" % (digest("SHA256", folder, path), path) for path in files_below(folder))
    write(os.path.join(folder, "SHA256SUMS"), sums.encode())
    archive = folder + ".tar.gz"
    pack(folder, archive)
    subprocess.run([sys.executable, os.path.join("packaging", "bundles.py"), os.path.abspath(dist),
                    os.path.abspath(os.path.join(folder, "nnrt.h"))], cwd=ROOT, check=True)
    print("%s  %s" % (digest("SHA256", archive), os.path.relpath(archive, ROOT)))


if __name__ == "__main__":
    main()
