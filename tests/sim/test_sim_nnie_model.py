# SPDX-License-Identifier: Apache-2.0
"""The .wk files of the simulated HiSilicon boards have the outside of real ones, make_model.py makes them of .tflite
files too, and the reference that tests compare with computes what is computed here by hand.

    python3 tests/sim/test_sim_nnie_model.py"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(HERE, "nnie"), os.path.join(HERE, "common")]

import make_model                           # noqa: E402
import network                              # noqa: E402
import networks                             # noqa: E402
import reference                            # noqa: E402

METER = os.path.join(ROOT, "examples", "meter", "meter.tflite")


def u32(raw, at):
    return struct.unpack_from("<I", raw, at)[0]


def crc(raw):
    value = 0
    for byte in raw:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xedb88320 if value & 1 else 0)
    return value ^ 0xffffffff


def nodes(raw):
    """(segment, name, height, width, channels, mode, image) of each; where the last one ends."""
    at, found = 192, []
    for segment in range(raw[0x31]):
        count = raw[at + 1] + raw[at + 2]
        at += 16
        for _ in range(count):
            height, width, channels, mode, image, name = struct.unpack_from("<IIIHH32s", raw, at)
            found.append((segment, name.rstrip(b"\0").decode(), height, width, channels, mode, image))
            at += 64
    return found, at


class Outside(unittest.TestCase):
    def test_lengths_versions_and_checksum_are_as_in_real_files(self):
        for name, parts in networks.the_set().items():
            for chip, version in make_model.CHIPS.items():
                raw = make_model.file_of(parts, chip)
                header, payload = u32(raw, 0x34), u32(raw, 0x38)
                found, end = nodes(raw)
                if chip == "hi3559av100":  # it takes its time
                    self.assertEqual(u32(raw, 0), crc(raw[4:header + payload]), name)
                self.assertEqual(len(raw), header + u32(raw, 0xb0) + u32(raw, 0xb4), name)
                self.assertEqual(u32(raw, 0xb0), payload, name)
                self.assertEqual(u32(raw, 4), payload + 64 * len(found), name)
                self.assertEqual(u32(raw, 0xb4), 48 * len(found), name)
                self.assertEqual(end, header, name)
                self.assertEqual((u32(raw, 8), payload % 16, raw[0x31]), (192, 0, len(parts)), name)
                self.assertEqual(tuple(raw[0x10:0x14]), (1, 1) + version, name)

    def test_each_kind_of_node_is_written_as_the_vendor_does(self):
        def of(name):
            return nodes(make_model.file_of(networks.the_set()[name], "hi3516cv500"))[0]
        self.assertEqual(of("picture"), [(0, "data", 9, 13, 3, 0, 1), (0, "conv", 9, 13, 4, 1, 0),
                                         (0, "prob", 1, 1, 10, 0, 0)])
        self.assertEqual(of("yuv420")[0], (0, "data", 10, 14, 3, 0, 3))
        self.assertEqual(of("same_yuv422")[0], (0, "data", 9, 18, 3, 0, 5))
        self.assertEqual(of("vector"), [(0, "vector", 1, 1, 21, 1, 0), (0, "full", 1, 1, 9, 0, 0)])
        self.assertEqual(of("lstm"), [(0, "words", 1, 1, 6, 0, 0), (0, "start", 1, 1, 5, 1, 0),
                                      (0, "text", 4, 1, 1, 1, 1), (0, "state", 5, 1, 1, 1, 0)])
        self.assertEqual(of("ssd")[1], (0, "mbox_loc0_perm", 6, 16, 6, 1, 0))
        self.assertEqual(of("rcnn")[4], (1, "conv5", 4, 6, 8, 0, 0))
        self.assertEqual(of("cpu_between")[2], (1, "sums", 1, 6, 1, 0, 0))


class Converter(unittest.TestCase):
    def run_it(self, *arguments):
        done = subprocess.run([sys.executable, os.path.join(HERE, "nnie", "make_model.py")] + list(arguments),
                              capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_a_tflite_becomes_one_segment(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "meter.wk")
            self.assertEqual(self.run_it(METER, "hi3559av100", path), (0, ""))
            with open(path, "rb") as file:
                found, _ = nodes(file.read())
            self.assertEqual(found, [(0, "window", 32, 20, 1, 0, 1), (0, "digit", 1, 1, 10, 0, 0)])

    def test_what_it_cannot_do_it_says(self):
        self.assertEqual(self.run_it(METER, "rk3588", "/tmp/x.wk")[0], 2)
        self.assertIn("hi3519av100", self.run_it("--all")[1])
        self.assertEqual(self.run_it("/nowhere.tflite", "hi3516cv500", "/tmp/x.wk")[0], 1)
        self.assertIn("not a .tflite", self.run_it(os.path.join(ROOT, "README.md"), "hi3516cv500", "/tmp/x.wk")[1])


class Reference(unittest.TestCase):
    """By hand: weights that are all 1 or index their place."""

    def maker(self, weights, bias):
        make = networks.Maker("by hand")
        values = iter([weights, bias])

        def constant(name, shape, most=32):
            count = 1
            for d in shape:
                count *= d
            return make.net.add(network.Tensor(name, shape, network.FLOAT32, data=network.numbers(
                (next(values) * count)[:count], "f")))
        make.constant = constant
        return make

    def test_a_convolution_sums_its_window_and_zeros_around(self):
        make = self.maker([1.0], [0.5])
        make.output(make.conv(make.input("data", "S32", [1, 3, 3, 1]), 1), "conv")
        frame = [[[4096 * (3 * h + w) for w in range(3)] for h in range(3)]]
        self.assertEqual(reference.run_frames(make.segment(), [[frame]])[0][0],
                         [[[int(4096 * (v + 0.5)) for v in row]
                           for row in ([8, 15, 12], [21, 36, 27], [20, 33, 24])]])

    def test_strides_begin_where_tensorflow_lite_has_them(self):
        make = self.maker([0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], [0.0])
        make.output(make.conv(make.input("data", "S32", [1, 4, 4, 1]), 1, stride=2), "conv")
        frame = [[[4096 * (4 * h + w) for w in range(4)] for h in range(4)]]
        self.assertEqual(reference.run_frames(make.segment(), [[frame]])[0][0],
                         [[[4096 * v for v in row] for row in ([5, 7], [13, 15])]])  # all padding is behind

    def test_a_full_connection_reads_rows_then_columns_then_channels(self):
        make = self.maker([1.0, 10.0, 100.0, 1000.0], [0.0])
        make.output(make.full(make.input("data", "S32", [1, 1, 2, 2]), 1), "full", "VEC_S32")
        frame = [[[1 * 4096, 3 * 4096]], [[2 * 4096, 4 * 4096]]]
        self.assertEqual(reference.run_frames(make.segment(), [[frame]])[0][0], [[[4321 * 4096]]])

    def test_boxes_are_cut_into_parts_that_overlap_where_they_have_to(self):
        roi = networks.Roi("roi", (1, 4, 6), 2, 2, 1 / 8, 4)
        frame = [[[10 * h + w for w in range(6)] for h in range(4)]]

        def largest(*box):
            values = reference.pooled(roi, frame, [4096 * v for v in box])
            return [round(values[(0, y, x, 0)] * 4096) for y in range(2) for x in range(2)]
        self.assertEqual(largest(0, 0, 47, 31), [23, 25, 33, 35])  # rows 0-2 and 2-3, columns 0-3 and 3-5
        self.assertEqual(largest(0, 0, 8, 8), [0, 1, 10, 11])
        self.assertEqual(largest(16, 8, 16, 8), [12, 12, 12, 12])
        self.assertEqual(largest(80, 8, 96, 16), [0, 0, 0, 0])

    def test_a_sequence_begins_with_its_vector_and_hands_on_its_state(self):
        part = networks.the_set()["lstm"][0]
        zero, one = [[[0] * 5]], [[[4096] * 5]]
        words = [[[[64 * k * n for k in range(6)]]] for n in range(4)]
        together = reference.run_steps(part, [words, [zero, one]], [3, 1])
        first = reference.run_steps(part, [words[:3], [zero]], [3])
        second = reference.run_steps(part, [words[3:], [one]], [1])
        self.assertEqual(together[0], first[0] + second[0])
        self.assertEqual(together[1], first[1] + second[1])
        self.assertNotEqual(first[0][0], first[0][1])


if __name__ == "__main__":
    unittest.main()
