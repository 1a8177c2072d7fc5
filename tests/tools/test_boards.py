#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One program, every board: the tool, compiled once, and the camera example on the CPU and on each simulated chip.

    make tool sim examples && python3 tests/tools/test_boards.py

The same input has to give the same bytes from the .tflite on the CPU and from the .rknn on each simulated NPU, whatever
its layouts, its runtime's version and the way that data go in and out. A simulated board that sees a mistake or a leak
ends the program with 97 (NNRT_SIM_STRICT), so none goes unseen here."""

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import json_page  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TOOL = shlex.split(os.environ.get("NNRT_TOOL", os.path.join(ROOT, "build", "nnrt")))
CAMERA = os.path.join(ROOT, "build", "examples", "camera")
OPENHARMONY = os.path.join(ROOT, "build", "examples", "openharmony")
SIM = os.path.abspath(os.environ.get("NNRT_SIM_DIR", os.path.join(ROOT, "build", "sim")))
METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")
INPUT_BYTES = 32 * 20
MINI = ("rv1103", "rv1106")
FULL = ("rk3562", "rk3566", "rk3568", "rk3576", "rk3588")
OLDER = ("1.4.0", "1.5.2", "1.6.0", "2.0.0", "2.1.0")


def on(chip, *command, version="", **more):
    """Runs command on a simulated board; version "": the newest runtime."""
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(SIM, version), NNRT_SIM_CHIP=chip, NNRT_SIM_STRICT="1")
    environment.pop("NNRT_RKNPU_LIBRARY", None)
    environment.update(more)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=99,
                          env=environment)


def rknn(chip, name="meter"):
    return os.path.join(SIM, "models", "%s.%s.rknn" % (name, chip))


@unittest.skipUnless(os.path.isdir(SIM), "skipped, no simulated board")
class Boards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.random = random.Random(20261121)

    def path(self, name):
        return os.path.join(self.folder, name)

    def picture(self, size=INPUT_BYTES):
        with open(self.path("in"), "wb") as f:
            f.write(bytes(self.random.randrange(256) for _ in range(size)))
        return self.path("in")

    def run_model(self, chip, model, picture, *options, **more):
        """The bytes of the model's only output."""
        out = self.path("out")
        if os.path.exists(out):
            os.remove(out)
        done = on(chip, *TOOL, "run", model, "--input", picture, "--output", out, *options, **more)
        self.assertEqual(done.returncode, 0, "%s %s: %s" % (chip, options, done.stderr.decode()))
        with open(out, "rb") as f:
            return f.read()

    def on_cpu(self, picture):
        return self.run_model("rk3588", METER, picture, "--device", "cpu")

    def test_the_same_int8_bytes_on_the_cpu_and_on_every_chip(self):
        for _ in range(3):
            picture = self.picture()
            expected = self.on_cpu(picture)
            for chip in MINI + FULL:
                self.assertEqual(self.run_model(chip, rknn(chip), picture), expected, chip)

    def test_json_of_an_npu_is_on_its_page_and_its_steps_hang_together(self):
        for chip in ("rk3588", "rv1106"):
            for command in (("inspect",), ("bench", "--runs", "3", "--profile")):
                done = on(chip, *TOOL, command[0], rknn(chip), "--json", *command[1:])
                self.assertEqual((done.returncode, done.stderr), (0, b""), chip)
                document = json.loads(done.stdout.decode())
                self.assertEqual(json_page.mistakes(document), [], chip)
                last = len(document["steps"]) - 1
                ends = [(edge["from"], edge["to"]) for edge in document["edges"]]
                self.assertEqual(ends, [(None, 0)] + [(i, i + 1) for i in range(last)] + [(last, None)])
                self.assertTrue(document["facts"])

    def test_diff_names_what_is_wrong_with_the_results_of_a_board(self):
        planted = {"": "none", "layout": "layout", "stride": "stride", "channels": "channels",
                   "zero_point": "zero point", "scale": "scale", "saturation": "saturation", "rounding": "rounding"}
        for chip in ("rk3588", "rv1106"):
            good = self.path("good_" + chip)
            done = on(chip, *TOOL, "run", rknn(chip, "c40"), "--dump", good, "--input", self.picture(4 * 9 * 40))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            for fault, cause in planted.items():
                done = on(chip, *TOOL, "diff", good, rknn(chip, "c40"), "--json", NNRT_SIM_RESULT=fault)
                self.assertEqual(done.returncode, 1 if fault else 0, done.stderr)
                output, = json.loads(done.stdout.decode())["differences"]
                self.assertEqual(output["cause"], cause, "%s: %s" % (chip, output["guess"]))

    def test_diff_names_what_is_wrong_with_the_results_of_a_board_of_another_vendor(self):
        whole = ("layout", "stride", "channels", "zero_point", "scale", "saturation", "rounding")
        folders = {"x5": SIM, "s100": os.path.join(SIM, "3.13.6")}
        # the results of an NNIE are floats: nothing of their quantization can be wrong
        for chip, name, size, faults in (("x5", "same_s8.x5.bin", 90, whole), ("s100", "same_s8.s100.hbm", 90, whole),
                                         ("hi3559av100", "features.hi3559av100.wk", 4 * 210, whole[:3])):
            model, good = os.path.join(SIM, "models", name), self.path("good_" + chip)
            if not os.path.exists(model):
                self.skipTest("skipped, no such board")
            board = {"NNRT_SIM_SYS": "1", "NNRT_NNIE_LIBRARY": os.path.join(SIM, "libnnie.so")}
            if chip in folders:
                board = {"NNRT_BPU_LIBRARY": os.path.join(folders[chip], "libdnn.so"),
                         "LD_LIBRARY_PATH": "%s:%s" % (folders[chip], SIM)}
            done = on(chip, *TOOL, "run", model, "--dump", good, "--input", self.picture(size), **board)
            self.assertEqual((done.returncode, done.stderr), (0, b""), chip)
            for fault in ("",) + faults:
                done = on(chip, *TOOL, "diff", good, model, "--json", NNRT_SIM_RESULT=fault, **board)
                self.assertEqual(done.returncode, 1 if fault else 0, done.stderr)
                output, = json.loads(done.stdout.decode())["differences"]
                self.assertEqual(output["cause"], fault.replace("_", " ") or "none", "%s: %s" % (chip, output["guess"]))

    def test_of_a_board_inputs_and_outputs_are_dumped(self):
        for chip in ("rk3588", "rv1106"):
            folder = self.path(chip)
            picture = self.picture()
            result = self.run_model(chip, rknn(chip), picture, "--dump", folder)
            with open(os.path.join(folder, "index.json"), encoding="ascii") as f:
                tensors = json.load(f)["tensors"]
            self.assertEqual([t["file"] for t in tensors[:2]], ["input0.npy", "output0.npy"])
            for tensor in tensors[2:]:
                self.assertIsNone(tensor["file"])
                self.assertIn("inside the device", tensor["why"])
            with open(os.path.join(folder, "output0.npy"), "rb") as f:
                self.assertTrue(f.read().endswith(b"\n" + result))

    def test_a_tflite_goes_to_the_cpu_although_an_npu_is_there(self):
        picture = self.picture()
        for chip in ("rv1106", "rk3588"):
            self.assertEqual(self.run_model(chip, METER, picture), self.on_cpu(picture))

    def test_every_way_in_and_out_gives_the_same_bytes(self):
        picture = self.picture()
        expected = self.on_cpu(picture)
        for chip in ("rv1106", "rk3566", "rk3588"):
            ways = [["rknn.io_layout=nhwc"], ["rknn.io_layout=nchw"], ["rknn.cacheable=0"],
                    ["rknn.memory=outside"], ["rknn.timeout_ms=5000"]]
            if chip not in MINI:
                ways += [["rknn.api=general"], ["rknn.memory=internal_outside"], ["rknn.model_zero_copy=1"],
                         ["nnrt.profile=1"]]
            for way in ways:
                options = [word for config in way for word in ("--config", config)]
                self.assertEqual(self.run_model(chip, rknn(chip), picture, *options), expected, "%s %s" % (chip, way))

    def test_every_version_of_the_runtime_gives_the_same_bytes(self):
        picture = self.picture()
        expected = self.on_cpu(picture)
        tried = 0
        for version in OLDER:
            for chip in ("rk3566", "rk3588", "rv1106"):
                library = "librknnmrt.so" if chip in MINI else "librknnrt.so"
                if not os.path.exists(os.path.join(SIM, version, library)):
                    continue
                model = rknn(chip)
                if version == "1.4.0" or version < "1.6" and chip in MINI:  # takes no newer format, and says so
                    done = on(chip, *TOOL, "run", model, "--input", picture, version=version)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertRegex(done.stderr.decode(), r"needs runtime 1\.[56]")
                    model = rknn(chip, "meter_v1" if version == "1.4.0" else "meter_v4")
                    if not os.path.exists(model):
                        continue
                result = self.run_model(chip, model, picture, version=version)
                self.assertEqual(result, expected, "%s %s" % (chip, version))
                tried += 1
        self.assertGreater(tried, 5)

    def test_devices_lists_the_npu_first_and_says_why_it_is_missing(self):
        for chip in ("rv1106", "rk3566", "rk3588"):
            listed = on(chip, *TOOL, "devices").stdout.decode()
            self.assertLess(listed.find("rknpu_rockchip_"), listed.find("cpu_nnrt_"), listed)
            self.assertGreaterEqual(listed.find("rknpu_rockchip_"), 0, listed)
        gone = on("rk3588", *TOOL, "devices", NNRT_SIM_DEVICE="0")
        self.assertEqual(gone.returncode, 0)
        text = gone.stdout.decode() + gone.stderr.decode()
        self.assertIn("cpu_nnrt_", text)
        self.assertIn("/dev/rknpu", text)

    def test_bench_and_inspect_know_the_npu(self):
        for chip in ("rv1106", "rk3588"):
            done = on(chip, *TOOL, "bench", rknn(chip), "--runs", "5")
            self.assertEqual(done.returncode, 0, done.stderr)
            done = on(chip, *TOOL, "inspect", rknn(chip))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(chip, done.stdout.decode())
            memory = done.stdout.decode().split("\nmemory\n")[1].split("\n\n")[0]
            self.assertRegex(memory, r"(?m)^  device +[1-9]\d* B")
            # a device without a plan has no figures of one: no bound of 0 bytes
            self.assertNotRegex(memory, r"(?m)^  (bound|scratch|plan|borrowed) ")

    def test_bench_traces_the_runs_of_every_npu(self):
        boards = [(chip, "rknn", {}) for chip in MINI + FULL]
        nnie = {"NNRT_SIM_SYS": "1", "NNRT_NNIE_LIBRARY": os.path.join(SIM, "libnnie.so")}
        boards += [(chip, "wk", nnie) for chip in ("hi3516cv500", "hi3519av100", "hi3559av100")]
        for chip, version, ending in (("x3", "1.18.6", "bin"), ("j5", "1.24.5", "bin"), ("x5", ".", "bin"),
                                      ("s100", "3.6.1", "hbm"), ("s600", "3.13.6", "hbm")):
            folder = os.path.join(SIM, version)
            boards.append((chip, ending, {"NNRT_BPU_LIBRARY": os.path.join(folder, "libdnn.so"),
                                          "LD_LIBRARY_PATH": "%s:%s" % (folder, SIM)}))
        for chip, ending, more in boards:
            with self.subTest(chip):
                trace = self.path(chip + ".json")
                done = on(chip, *TOOL, "bench", os.path.join(SIM, "models", "meter.%s.%s" % (chip, ending)), "--runs",
                          "4", "--warmup", "0", "--trace", trace, **more)
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                with open(trace) as f:
                    events = json.load(f)["traceEvents"]
                self.assertEqual(sum(event["name"] == "run" for event in events), 4)
                steps = [event["args"] for event in events if "step" in event.get("args", {})]
                self.assertEqual([step["output"] for step in steps if step["step"] == 0], ["inputs"] * 4)
                self.assertTrue(all(step["kernel"] and step["isa"] for step in steps))

    def test_a_model_for_another_chip_is_refused_with_both_names(self):
        for chip, other in (("rv1106", "rk3588"), ("rk3588", "rv1106"), ("rk3566", "rk3588")):
            done = on(chip, *TOOL, "run", rknn(other), "--input", self.picture())
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(other, done.stderr.decode())

    @unittest.skipUnless(os.path.exists(CAMERA), "build/examples/camera was not built")
    def test_the_camera_sees_the_same_classes_everywhere(self):
        cpu = on("rk3588", CAMERA, METER)
        self.assertEqual(cpu.returncode, 0, cpu.stderr)
        expected = [line for line in cpu.stdout.decode().split("\n") if "class" in line]
        self.assertTrue(expected, cpu.stdout)
        for chip in MINI + FULL:
            seen = on(chip, CAMERA, rknn(chip))
            self.assertEqual(seen.returncode, 0, "%s: %s" % (chip, seen.stderr.decode()))
            self.assertEqual([line for line in seen.stdout.decode().split("\n") if "class" in line], expected, chip)

    @unittest.skipUnless(os.path.exists(OPENHARMONY), "build/examples/openharmony was not built")
    def test_an_unchanged_application_runs_on_the_first_device_whatever_it_wishes_for(self):
        cpu_model = on("rk3588", OPENHARMONY, self.folder, METER, NNRT_SIM_DEVICE="0")
        self.assertEqual(cpu_model.returncode, 0, cpu_model.stderr)
        self.assertIn("device cpu_nnrt_", cpu_model.stdout.decode())
        self.assertEqual(sorted(os.listdir(self.folder)), ["0.nncache", "cache_info.nncache"])
        expected = cpu_model.stdout.decode().split("\n")[1]
        for chip in ("",) + MINI + FULL:  # "": a machine without NPU
            folder = os.path.join(self.folder, chip + "cache")
            os.mkdir(folder)
            for _ in range(2):  # the second build finds the cache, where there is one
                more = {} if chip else {"NNRT_SIM_DEVICE": "0"}
                done = on(chip or "rk3588", OPENHARMONY, folder, **more)
                self.assertEqual(done.returncode, 0, "%s: %s" % (chip, done.stderr.decode()))
                lines = done.stdout.decode().split("\n")
                self.assertIn("rknpu_rockchip_" if chip else "cpu_nnrt_", lines[0])
                self.assertEqual(lines[1], "result 0 2 4 6 8 10 12 14 16 18 20 22")
            if not chip:
                continue
            before = os.listdir(folder)
            done = on(chip, OPENHARMONY, folder, rknn(chip))
            self.assertEqual(done.returncode, 0, "%s: %s" % (chip, done.stderr.decode()))
            self.assertEqual(done.stdout.decode().split("\n")[1], expected, chip)
            self.assertEqual(os.listdir(folder), before)

    @unittest.skipUnless(os.path.isdir(os.path.join(ROOT, "build", "examples")), "the examples were not built")
    def test_every_example_runs_unchanged_with_an_npu_as_first_device(self):
        folder = os.path.join(ROOT, "build", "examples")
        for name, arguments in (("hello", []), ("offline_model", [METER]), ("async", [METER])):
            program = os.path.join(folder, name)
            if not os.path.exists(program):
                continue
            for chip in ("rv1106", "rk3588"):
                done = on(chip, program, *arguments)
                self.assertEqual(done.returncode, 0, "%s %s: %s" % (name, chip, done.stderr.decode()))


if __name__ == "__main__":
    unittest.main()
