#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures as inputs of `nnrt run`: PNG, JPEG, BMP, PPM and PGM; another size, mean and deviation, order of channels;
names of classes; "-" for standard input and output.

    make tool && python3 tests/tools/test_tool_image.py

What becomes of a picture is read from the input that `--dump` writes, and compared with numbers computed here. The
model takes its input through a RELU."""

import base64
import json
import os
import random
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import tflite_writer
from test_tool import METER, TOOL, ToolCase, contents

SEED = 20261124
# 8 x 8 pixels of 200, 30, 60, made with the writer of libstb.
JPEG = zlib.decompress(base64.b64decode(
    "eNr7f+P/AwYBLzdPNwZGRgYGRiBk+H+boYWBmYkJhICABYhYOVhZWVhYudjZ2Th4uHh4uLm4uXn5hAR4+QT5uLkFxAQEhUVERUV5"
    "+MUlxEQkhERERRiZgepZWDlZWTlFeLl5RUgG/w8wCHIwACEzoxIDkyAjsyDj/yOMi4BuZGUEAwYoYGQCuo+NnYOTi1uAgYmRmZmJ"
    "hRnkWqBMLVCOgUWQVUjR0JFNODCRXalQxKhx4kIOZaeNB0WDLn5QMU4qauLkEhOXkJRSVVPX0NQyMTUzt7C0cnZxdXP38PQKDgkN"
    "C4+IjEpOSU1Lz8jMKi4pLSuvqKxqbmlta+/o7Jo0ecrUadNnzJy1aPGSpcuWr1i5atPmLVu3bd+xc9ehw0eOHjt+4uSpS5evXL12"
    "/cbNWw8fPX7y9NnzFy9fffz0+cvXb99//PzFyMDMCAMY/hEE+oeJhYWZhR3kH0amcpCkIAuroiGbkGMge2KhsJJRI4eI08SFGw9y"
    "KhsHfRBNKrrIJaZi8lD1I8hLYB8R56EmsnwE9xDcP/9vMfAwMwIjjFmQwZ7hwyqNRfty/t2x/38TAHodvaw="))


def png(width, height, pixels, channels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + pixels[y * width * channels:(y + 1) * width * channels] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def bmp(width, height, pixels):
    gap = b"\0" * (-3 * width % 4)
    rows = b""
    for y in reversed(range(height)):  # from the bottom, B before R
        row = pixels[3 * y * width:3 * (y + 1) * width]
        rows += b"".join(bytes((row[i + 2], row[i + 1], row[i])) for i in range(0, len(row), 3)) + gap
    return (struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54) +
            struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows)


def bilinear(pixels, width, height, to_width, to_height):
    """RGB at half-pixel centres, in double."""
    def at(place, size, to_size):
        real = min(max((place + 0.5) * size / to_size - 0.5, 0), size - 1)
        low = min(int(real), size - 2) if size > 1 else 0
        return low, min(low + 1, size - 1), real - low
    out = []
    for y in range(to_height):
        top, bottom, fy = at(y, height, to_height)
        for x in range(to_width):
            left, right, fx = at(x, width, to_width)
            for c in range(3):
                def p(row, column):
                    return pixels[3 * (row * width + column) + c]
                out.append((p(top, left) * (1 - fx) + p(top, right) * fx) * (1 - fy) +
                           (p(bottom, left) * (1 - fx) + p(bottom, right) * fx) * fy)
    return out


def has_stb():
    probe = os.path.join(os.environ.get("TMPDIR", "/tmp"), "nnrt-stb-%d.png" % os.getpid())
    with open(probe, "wb") as f:
        f.write(png(20, 32, bytes(640), 1))
    done = subprocess.run(TOOL + ["run", METER, "--input", probe], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    os.remove(probe)
    return b"without libstb" not in done.stderr


STB = has_stb()


class ImageCase(ToolCase):
    def fails_usage(self, words, *arguments):
        done = subprocess.run(TOOL + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
        self.assertIn(words, done.stderr.decode())


class Pictures(ImageCase):
    def relu(self, height, width, channels=3):
        tensor = (tflite_writer.FLOAT, [1, height, width, channels], None, None)
        return self.file("relu.tflite", tflite_writer.model(19, 0, [], [tensor, tensor], [0], [1]))

    def elements(self, picture, *options, model=None):
        """The float32 elements of the input that a picture becomes."""
        folder = self.path("dump")
        self.succeeds("run", model or self.relu(2, 3), "--input", picture, "--dump", folder, *options)
        data = contents(os.path.join(folder, "input0.npy"))
        begin = 10 + struct.unpack_from("<H", data, 8)[0]
        return struct.unpack("<%df" % ((len(data) - begin) // 4), data[begin:])

    def near(self, got, want, bound):
        self.assertEqual(len(got), len(want))
        for g, w in zip(got, want):
            self.assertLessEqual(abs(g - w), bound)

    @unittest.skipUnless(STB, "the tool was built without libstb")
    def test_png_and_bmp_are_what_ppm_is(self):
        rng = random.Random(SEED)
        pixels = bytes(rng.randrange(256) for _ in range(18))
        want = self.elements(self.file("a.ppm", b"P6 3 2 255\n" + pixels))
        self.assertEqual(want, tuple(struct.unpack("<f", struct.pack("<f", p / 255.0))[0] for p in pixels))
        self.assertEqual(self.elements(self.file("a.PNG", png(3, 2, pixels, 3))), want)
        self.assertEqual(self.elements(self.file("a.bmp", bmp(3, 2, pixels))), want)
        with_alpha = b"".join(pixels[i:i + 3] + b"\x40" for i in range(0, 18, 3))
        self.assertEqual(self.elements(self.file("b.png", png(3, 2, with_alpha, 4))), want)
        grey = pixels[:6]
        self.assertEqual(self.elements(self.file("c.png", png(3, 2, grey, 1))),
                         self.elements(self.file("c.pgm", b"P5 3 2 255\n" + grey)))

    @unittest.skipUnless(STB, "the tool was built without libstb")
    def test_a_jpeg_is_near_what_was_drawn(self):
        got = self.elements(self.file("a.jpeg", JPEG), "--image-range", "0..255", model=self.relu(8, 8))
        self.near(got, (200, 30, 60) * 64, 3)

    @unittest.skipUnless(STB, "the tool was built without libstb")
    def test_cut_and_foreign_files_are_refused_with_their_name(self):
        whole = png(3, 2, bytes(18), 3)
        for name, data, words in (("a.png", b"", "is no PGM, PPM, PNG, JPEG or BMP"),
                                  ("a.png", b"GIF89a" + bytes(40), "is no PGM, PPM, PNG, JPEG or BMP"),
                                  ("a.png", whole[:45], "cannot be decoded"),
                                  ("a.png", png(1 << 20, 1, b"", 3), "is"),
                                  ("a.png", whole[:16] + struct.pack(">II", 32768, 32768) + whole[24:], "is"),
                                  ("a.jpg", JPEG[:100], "is no PGM")):
            self.fails(3, r"\S+%s: .*%s" % (name, words), "run", self.relu(2, 3), "--input", self.file(name, data))

    @unittest.skipIf(STB, "the tool was built with libstb")
    def test_without_libstb_it_says_what_to_install(self):
        self.fails(3, r"\S+: this tool was built without libstb", "run", METER, "--input",
                   self.file("a.png", png(3, 2, bytes(18), 3)))

    def test_resizing_is_bilinear_at_half_pixel_centres(self):
        rng = random.Random(SEED + 1)
        for width, height, to_width, to_height in ((7, 5, 3, 2), (3, 2, 8, 9), (1, 1, 4, 3), (16, 4, 5, 4)):
            pixels = bytes(rng.randrange(256) for _ in range(3 * width * height))
            picture = self.file("a.ppm", b"P6 %d %d 255\n" % (width, height) + pixels)
            got = self.elements(picture, "--resize", "stretch", "--image-range", "0..255",
                                model=self.relu(to_height, to_width))
            self.near(got, bilinear(pixels, width, height, to_width, to_height), 1.01)

    def test_a_letterbox_keeps_the_ratio_and_pads_with_114(self):
        picture = self.file("a.ppm", b"P6 4 2 255\n" + bytes((9, 8, 7)) * 8)
        got = self.elements(picture, "--resize", "letterbox", "--image-range", "0..255", model=self.relu(4, 4))
        self.assertEqual(got, (114,) * 12 + (9, 8, 7) * 8 + (114,) * 12)

    def test_a_crop_is_the_middle(self):
        columns = b"".join(bytes((c, c, c)) for c in (1, 2, 3, 4, 5, 6))
        picture = self.file("a.ppm", b"P6 6 2 255\n" + columns * 2)
        got = self.elements(picture, "--resize", "crop", "--image-range", "0..255", model=self.relu(2, 2))
        self.assertEqual(got, (3, 3, 3, 4, 4, 4) * 2)

    def test_mean_deviation_and_order_of_channels(self):
        picture = self.file("a.ppm", b"P6 1 1 255\n" + bytes((200, 100, 50)))
        model = self.relu(1, 1)
        self.near(self.elements(picture, "--mean", "100,50,25", "--std", "50", model=model), (2, 1, 0.5), 1e-6)
        self.near(self.elements(picture, "--std", "100,200,500", model=model), (2, 0.5, 0.1), 1e-6)
        got = self.elements(picture, "--channels", "bgr", "--image-range", "0..255", model=model)
        self.assertEqual(got, (50, 100, 200))
        self.near(self.elements(picture, "--channels", "bgr", "--mean", "1,2,3", model=model), (49, 98, 197), 1e-6)

    @unittest.skipUnless(STB, "the tool was built without libstb")
    def test_a_jpeg_whose_tables_have_more_codes_than_there_is_room_for_is_refused(self):
        first, scan = JPEG.index(b"\xff\xc4"), JPEG.index(b"\xff\xda")
        bad = bytearray(JPEG)
        bad[first + 5:first + 21] = b"\xff" * 16
        table = b"\xff\xc4\0\x13\x10" + b"\1\x80\x80" + bytes(13)  # 257 codes
        for data in (bytes(bad), b"\xff" + bytes(bad), JPEG[:-2] + table + b"\xff\xd9",
                     JPEG[:first] + b"\xff\xfe\0\4ab\0\0\xff" + table + JPEG[first:],
                     JPEG[:scan] + table):
            self.fails(3, r"\S+: cannot be decoded: a table of the JPEG has more than 256 codes", "run",
                       self.relu(8, 8), "--input", self.file("a.jpg", data))
        comment = b"\xff\xfe" + struct.pack(">H", 2 + len(table)) + table  # no table where nobody looks for one
        commented = self.file("b.jpg", JPEG[:first] + comment + JPEG[first:])
        self.assertEqual(self.elements(commented, model=self.relu(8, 8)),
                         self.elements(self.file("a.jpg", JPEG), model=self.relu(8, 8)))

    def test_gray_is_the_luma_in_every_channel(self):
        rng = random.Random(SEED + 2)
        pixels = bytes(rng.randrange(256) for _ in range(18))
        luma = [(4899 * pixels[i] + 9617 * pixels[i + 1] + 1868 * pixels[i + 2] + 8192) >> 14 for i in range(0, 18, 3)]
        picture = self.file("a.ppm", b"P6 3 2 255\n" + pixels)
        got = self.elements(picture, "--channels", "gray", "--image-range", "0..255")
        self.assertEqual(got, tuple(y for y in luma for _ in range(3)))
        grey = self.file("a.pgm", b"P5 3 2 255\n" + pixels[:6])
        self.assertEqual(self.elements(grey, "--channels", "gray"), self.elements(grey))

    def test_planes_of_channels_by_the_option_layout(self):
        rng = random.Random(SEED + 3)
        pixels = bytes(rng.randrange(256) for _ in range(18))
        picture = self.file("a.ppm", b"P6 3 2 255\n" + pixels)
        tensor = self.relu(3, 2, 3)  # 1x3x2x3: three planes of two rows of three pixels, or three rows of two pixels
        got = self.elements(picture, "--layout", "nchw", "--image-range", "0..255", model=tensor)
        self.assertEqual(got, tuple(pixels[3 * i + c] for c in range(3) for i in range(6)))
        self.fails(3, r"\S+: is 3x2 pixels, the input needs 2x3", "run", tensor, "--input", picture, "--layout", "nhwc")

    def test_range_and_mean_at_once_are_refused(self):
        for option in ("--mean", "--std"):
            self.fails_usage("--image-range and --mean or --std", "run", METER, "--input", self.input,
                             "--image-range", "0..1", option, "1")

    def test_no_bytes_of_a_picture_do_harm(self):
        """Bytes of whole pictures, changed at random: an answer or a sentence, and nothing else."""
        rng = random.Random(SEED + 4)
        model = self.relu(2, 3)
        seeds = [b"P6 3 2 255\n" + bytes(18)]
        if STB:
            seeds += [png(3, 2, bytes(range(18)), 3), bmp(3, 2, bytes(range(18))), JPEG]
        for data in seeds * 12:
            changed = bytearray(data)
            for _ in range(rng.randrange(1, 5)):
                changed[rng.randrange(len(changed))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            picture = self.file("a.png", bytes(changed[:rng.choice((len(data), rng.randrange(len(data))))]))
            done = subprocess.run(TOOL + ["run", model, "--input", picture, "--resize", "stretch"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
            self.assertIn(done.returncode, (0, 3), (bytes(changed), done.stderr))
            self.assertEqual(done.stderr == b"", done.returncode == 0)

    def test_wrong_values_of_options_are_refused(self):
        for option, value in (("--mean", "1,2"), ("--mean", "1,2,3,4"), ("--mean", "-1"), ("--mean", "nan"),
                              ("--std", "0"), ("--std", "1,2,0"), ("--resize", "fill"), ("--channels", "grb"),
                              ("--layout", "hwc")):
            self.fails(2, "run: %s wants" % option, "run", METER, "--input", self.input, option, value)

    def test_another_size_is_refused_and_the_sentence_says_how_to_change_it(self):
        self.fails(3, r"\S+: is 1x1 pixels, the input needs 20x32 .*--resize", "run", METER, "--input",
                   self.file("a.pgm", b"P5 1 1 255\nx"))


class Names(ToolCase):
    def test_names_stand_beside_the_largest_values(self):
        names = self.file("names.txt", b"zero\r\none\ntwo\x1b\n" + b"\n" * 7)
        text = self.succeeds("run", METER, "--input", self.input, "--labels", names)
        self.assertRegex(text, r"\n +0 .* zero\n")
        self.assertRegex(text, r"\n +2 .* two\?\n")
        told = json.loads(self.succeeds("run", METER, "--input", self.input, "--labels", names, "--json"))
        self.assertEqual([row["label"] for row in told["top"][0]][:2], ["zero", ""])
        told = json.loads(self.succeeds("run", METER, "--input", self.input, "--json"))
        self.assertIsNone(told["top"][0][0]["label"])
        self.fails(3, r"\S+nowhere: cannot be read", "run", METER, "--input", self.input, "--labels",
                   self.path("nowhere"))


class Standard(ImageCase):
    def piped(self, data, *arguments):
        done = subprocess.run(TOOL + list(arguments), input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60)
        return done.returncode, done.stdout, done.stderr.decode()

    def test_an_array_or_a_picture_on_standard_input_is_known_by_its_first_bytes(self):
        header = b"{'descr': '|i1', 'fortran_order': False, 'shape': (1, 32, 20, 1), }".ljust(117) + b"\n"
        forms = [b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + self.golden("input", 0)]
        pixels = bytes((b + 128) & 255 for b in self.golden("input", 0))
        forms += [b"P5\n20 32\n255\n" + pixels]
        if STB:
            forms += [png(20, 32, pixels, 1), bmp(20, 32, b"".join(bytes((p, p, p)) for p in pixels))]
        for data in forms:
            self.assertEqual(self.piped(data, "run", METER, "--input", "-", "--output", "-"),
                             (0, self.golden("expected", 0), ""), data[:8])

    def test_bytes_of_a_tensor_are_a_tensor_whatever_they_begin_with(self):
        data = b"P5 20 32 255\n".ljust(640, b"\7")
        raw = self.file("raw.bin", data)
        code, got, _ = self.piped(data, "run", METER, "--input", "-", "--output", "-")
        self.assertEqual((code, got), (0, self.outputs(METER, "--input", raw)))

    def test_an_array_or_a_picture_that_ends_too_early_is_refused(self):
        for data, words in ((b"\x93NUMPY\1\0", "damaged"), (b"P5\n20 32\n255\nabc", "ends in row 0 of 32"),
                            (b"", "has 0 bytes, the input needs 640"), (bytes(641), "has more than the 640 bytes")):
            code, out, said = self.piped(data, "run", METER, "--input", "-")
            self.assertEqual((code, out), (3, b""), data)
            self.assertIn(words, said)

    def test_nothing_else_stands_where_an_output_does(self):
        run = ("run", METER, "--input", self.input)
        for words, arguments in (("--json wants, too", run + ("--output", "-", "--json")),
                                 ("--top wants, too", run + ("--output", "-", "--top", "3")),
                                 ("--expect wants, too", run + ("--output", "-", "--expect", self.input)),
                                 ("--labels wants, too", run + ("--output", "-", "--labels", self.input)),
                                 ("takes one file", run + ("--output", "-", "-")),
                                 ("takes one file", ("compile", METER, "-o", "-", "--c", "-")),
                                 ("is read once", ("run", METER, "--input", "-", "-")),
                                 ("is read once", ("run", METER, "--input", "-", "--expect", "-"))):
            self.fails_usage(words, *arguments)

    def test_a_lone_dash_is_standard_input_and_output(self):
        done = subprocess.run(TOOL + ["run", METER, "--input", "-", "--output", "-"], input=self.golden("input", 0),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, self.golden("expected", 0), b""))

    def test_too_few_bytes_on_standard_input_are_refused(self):
        done = subprocess.run(TOOL + ["run", METER, "--input", "-"], input=b"abc", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (3, b""))
        self.assertIn(b"-: has 3 bytes, the input needs 640", done.stderr)

    def test_a_plan_can_be_piped(self):
        plan = self.path("p")
        self.succeeds("compile", METER, "-o", plan)
        done = subprocess.run(TOOL + ["compile", METER, "-o", "-"], stdout=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, contents(plan)))


if __name__ == "__main__":
    if not os.path.exists(TOOL[-1]):
        print("%s is missing\n  FIX: make tool" % TOOL[-1])
        sys.exit(1)
    unittest.main()
