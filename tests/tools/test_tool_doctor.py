#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`nnrt doctor` on machines that are made for it: a folder with /proc, /sys and /dev as a board has them, and the
simulated boards for what the library says.

    make tool sim && python3 tests/tools/test_tool_doctor.py"""

import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import json_page  # noqa: E402
from test_tool import ROOT, TOOL, ToolCase  # noqa: E402

SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))
BOARD = {
    "proc/sys/kernel/osrelease": "5.10.160\n",
    "proc/device-tree/model": "A camera\0",
    "proc/meminfo": "MemTotal:  33516 kB\nMemFree:  1 kB\nMemAvailable: 24788 kB\nCmaTotal:  24576 kB\n"
                    "CmaFree:  20480 kB\n",
    "dev/npu0": "",
    "sys/module/npu/version": "0.9.2\n",
    "sys/devices/system/cpu/online": "0\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "1104000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "1104000\n",
    "sys/class/thermal/thermal_zone0/temp": "61000\n"}
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("NNRT_")}


class Doctor(ToolCase):
    def root(self, **changes):
        """A board; a change of None takes the file away."""
        files = dict(BOARD, **changes)
        folder = self.path("root%d" % len(os.listdir(self.folder)))
        os.mkdir(folder)
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if text is not None:
                with open(path, "w", encoding="ascii") as f:
                    f.write(text)
        return folder

    def examine(self, *arguments, environment=None, **more):
        """Findings by name, the last one of a name; the text says the same as the JSON."""
        run = lambda *last: subprocess.run(  # noqa: E731
            TOOL + ["doctor", *arguments, *last], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=60, env=dict(CLEAN, **(environment or {})), **more)
        done, text = run("--json"), run()
        self.assertEqual((done.stderr, text.stderr, text.returncode), (b"", b"", done.returncode))
        document = json.loads(done.stdout)
        self.assertEqual(json_page.mistakes(document), [])
        # Free memory is another number at each call.
        told, same = document["findings"], lambda words: re.sub(r"\d+", "0", " ".join(words.split()))  # noqa: E731
        words = same(text.stdout.decode())
        for f in told:
            self.assertIn(same("%(status)s %(name)s %(text)s" % f), words)
            self.assertIn(same(f["advice"] or ""), words)
            self.assertTrue(f["advice"] or f["status"] == "ok" or f["name"] == "device", f)
        self.assertEqual(done.returncode, 1 if any(f["status"] == "problem" for f in told) else 0)
        self.all = told
        return {f["name"]: f for f in told}

    def test_a_board_in_order_has_nothing_to_do_but_for_its_library(self):
        found = self.examine("--root", self.root(), "--cache", self.folder)
        self.assertEqual({n for n, f in found.items() if f["status"] != "ok"}, {"device"})
        self.assertRegex(next(f for f in self.all if f["name"] == "device")["text"], r"\Acpu_nnrt_\S+, the default\Z")
        self.assertRegex(found["device"]["text"], "node of an NPU, and no device uses it")
        for name, text in (("kernel", "Linux 5.10.160"), ("node", "/dev/npu0 can be opened"), ("driver", "npu: 0.9.2"),
                           ("memory", "32 MiB, 24 MiB available"), ("CMA", "20480 of 24576 KiB free"),
                           ("cores", "online: 0"), ("governor", "cpu0: performance, 1104 of 1104 MHz")):
            self.assertEqual((found[name]["status"], found[name]["text"]), ("ok", text))
        self.assertNotIn("heat", found)

    def test_each_fault_is_found_and_has_its_advice(self):
        governor = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
        meminfo = BOARD["proc/meminfo"]
        for changes, name, status, text, advice in (
                ({governor: "ondemand\n"}, "governor", "note", "ondemand", "echo performance"),
                ({"sys/class/thermal/thermal_zone0/temp": "97000"}, "heat", "note", "97 degrees", "cool"),
                ({"proc/meminfo": meminfo.replace("20480", "1024")}, "CMA", "problem", "1024 of 24576", "cma=SIZE"),
                ({"proc/meminfo": meminfo.split("Cma")[0]}, "CMA", "note", "has none", "cma=SIZE"),
                ({"proc/meminfo": meminfo.replace("24788", "9000")}, "memory", "note", "8 MiB available", "inspect"),
                ({"dev/npu0": None}, "node", "note", "no node", "load its driver")):
            found = self.examine("--root", self.root(**changes))
            self.assertEqual(found[name]["status"], status, name)
            self.assertIn(text, found[name]["text"])
            self.assertIn(advice, found[name]["advice"])

    def test_a_node_of_a_render_driver_counts_when_the_driver_is_that_of_an_npu(self):
        for driver, seen in (("npu_of_somebody", True), ("gpu_of_somebody", False)):
            folder = self.root(**{"dev/npu0": None, "dev/dri/renderD129": "", "sys/class/drm/renderD129/device/x": ""})
            os.symlink("../../bus/drivers/" + driver, os.path.join(folder, "sys/class/drm/renderD129/device/driver"))
            self.assertEqual("renderD129" in self.examine("--root", folder)["node"]["text"], seen)

    def test_the_driver_of_mainline_is_one_of_an_npu(self):
        folder = self.root(**{"dev/npu0": None, "dev/accel/accel0": "", "sys/module/rocket/x": "",
                              "sys/module/npu/version": None})
        found = self.examine("--root", folder)
        self.assertEqual(found["node"]["text"], "/dev/accel/accel0 can be opened")
        self.assertIn("rocket", [f["text"] for f in self.all if f["name"] == "driver"])

    @unittest.skipUnless(os.getuid() == 0 and sys.version_info >= (3, 9), "skipped, only root can be somebody else")
    def test_rights_that_a_user_lacks_are_named_with_the_group(self):
        folder, node = self.root(), "dev/npu0"
        os.chmod(self.folder, 0o755)
        os.chown(os.path.join(folder, node), 0, 44)
        os.chmod(os.path.join(folder, node), 0o660)
        os.mkdir(self.path("cache"), 0o755)
        try:
            found = self.examine("--root", folder, "--cache", self.path("cache"), user=65534, group=65534,
                                 extra_groups=[])
        except PermissionError:
            self.skipTest("skipped, nobody may not reach the tool")
        self.assertEqual(found["node"]["status"], "problem")
        self.assertRegex(found["node"]["text"], r"/dev/npu0: this user may not .*\(mode 0660, group 44\)")
        self.assertRegex(found["node"]["advice"], r"group 44 .*udev")
        self.assertEqual(found["cache"]["status"], "problem")
        self.assertIn("cannot write", found["cache"]["text"])

    def test_a_cache_is_a_folder_that_is_there(self):
        for path, text in ((self.path("none"), "No such file"), (self.file("file", b""), "is no folder")):
            found = self.examine("--cache", path)
            self.assertEqual(found["cache"]["status"], "problem")
            self.assertIn(text, found["cache"]["text"])
        self.assertRegex(self.examine("--cache", self.folder)["cache"]["text"], r"can be written, \d+ KiB free")

    def test_variables_of_nnrt_are_shown(self):
        found = self.examine("--root", self.path("empty"), environment={"NNRT_ISA": "scalar"})
        self.assertEqual(found["environment"]["text"], "NNRT_ISA=scalar")
        self.assertNotIn("kernel", found)

    def test_what_a_machine_says_does_not_reach_the_terminal_as_control_characters(self):
        folder = self.root(**{"proc/device-tree/model": "\033[31mred",
                              "sys/module/npu/version": "\033]0;x\007" + "9" * 300})
        done = subprocess.run(TOOL + ["doctor", "--root", folder], stdout=subprocess.PIPE)
        self.assertFalse(re.search(rb"[\x00-\x09\x0b-\x1f]", done.stdout))
        self.assertIn(b"?[31mred", done.stdout)

    @unittest.skipUnless(os.path.isdir(SIM), "skipped, no simulated board")
    def test_on_simulated_boards_the_device_is_the_default_and_no_problem(self):
        board = {"LD_LIBRARY_PATH": SIM}
        for chip in ("rv1106", "rk3588", "hi3516cv500"):
            self.examine("--root", self.root(), environment=dict(board, NNRT_SIM_CHIP=chip))
            devices = [f for f in self.all if f["name"] == "device"]
            self.assertTrue(devices[0]["text"].endswith(", the default"), chip)
            self.assertFalse(devices[0]["text"].startswith("cpu_"), chip)
            self.assertNotIn("problem", [f["status"] for f in devices], chip)


if __name__ == "__main__":
    unittest.main(argv=sys.argv, verbosity=1)
