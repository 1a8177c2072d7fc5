#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fuzz/seeds/tflite/: one model of a few hundred bytes for each kind of operator, with one input, one
output and constants; models of several operators; and those of uint8, int16 and int4, with state, with variables, and
the end of an SSD. Needs nothing but Python."""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from tflite_writer import (FLOAT, INT4, INT8, INT16, INT32, INT64, RESOURCE, UINT8, floats, graph, graphs, ints,
                           list_of, model)


def image(*shape):
    return (FLOAT, list(shape), None, None)


def image8(*shape, scale=0.5, zero=0):
    return (INT8, list(shape), None, [scale], [zero], 0)


IMAGE = (FLOAT, [1, 4, 4, 2], None, None)
IMAGE8 = (INT8, [1, 4, 4, 2], None, [0.5])
BYTES = [1, 2, 3, 255, 4, 250, 6, 7]
WEIGHTS8 = (INT8, [2, 1, 1, 2], [1, 2, 3, 4], [0.5, 0.25], [0, 0], 0)
BIAS8 = (INT32, [2], ints(5, -7), [0.25, 0.125], [0, 0], 0)
WEIGHTS = (FLOAT, [2, 2, 2, 2], floats(*[0.25 * i for i in range(16)]), None)
BIAS = (FLOAT, [2], floats(1.0, -1.0), None)
COLUMN = (FLOAT, [4, 1], floats(1.0, 2.0, -1.0, 0.5), None)
COLUMN8 = (INT8, [4, 1], [1, 2, 255, 7], [0.25], [3], 0)
INTS = (INT32, [2, 3], None, None)
INTS64 = (INT64, [2, 3], None, None)
SOFT8 = image8(1, 4, 4, 2, scale=1 / 256, zero=-128)
SAME, VALID = 0, 1

# name: code, type of options, options, tensors, inputs, outputs
SEEDS = {
    "add": (0, 11, [1], [IMAGE, IMAGE], [0, 0], [1]),
    "add_broadcast": (0, 11, [3], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "add_s8": (0, 11, [3], [IMAGE8, image8(1, 4, 4, 2, zero=-5), COLUMN8], [2, 0], [1]),
    "add_s32": (0, 11, [0], [INTS, INTS, (INT32, [3], ints(1, -2, 3), None)], [0, 2], [1]),
    "sub_s8": (41, 28, [0], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "sub": (41, 28, [0], [IMAGE, IMAGE, COLUMN], [2, 0], [1]),
    "mul": (18, 21, [1], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "mul_s8": (18, 21, [0], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "mul_s64": (18, 21, [0], [INTS64, INTS64], [0, 0], [1]),
    "div": (42, 29, [0], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "div_s32": (42, 29, [0], [INTS, INTS, (INT32, [2, 1], ints(-1, 2), None)], [0, 2], [1]),
    "maximum": (55, 0, [], [IMAGE, IMAGE, COLUMN], [0, 2], [1]),
    "minimum_s8": (57, 0, [], [IMAGE8, IMAGE8, COLUMN8], [0, 2], [1]),
    "prelu": (54, 0, [], [IMAGE, IMAGE, BIAS], [0, 2], [1]),
    "average_pool": (1, 5, [SAME, 2, 2, 2, 2, 0], [IMAGE8, image8(1, 2, 2, 2)], [0], [1]),
    "average_pool_f32": (1, 5, [VALID, 1, 1, 3, 2, 1], [IMAGE, image(1, 3, 2, 2)], [0], [1]),
    "max_pool": (17, 5, [SAME, 2, 1, 3, 2, 3], [IMAGE8, image8(1, 4, 2, 2)], [0], [1]),
    "max_pool_f32": (17, 5, [VALID, 2, 2, 2, 2, 0], [IMAGE, image(1, 2, 2, 2)], [0], [1]),
    "concat_relu": (2, 10, [3, 1], [IMAGE, image(1, 4, 4, 4)], [0, 0], [1]),
    "concat_s8": (2, 10, [1, 0], [IMAGE8, image8(1, 8, 4, 2, scale=0.25)], [0, 0], [1]),
    "conv": (3, 1, [SAME, 1, 1, 3], [IMAGE8, IMAGE8, WEIGHTS8], [0, 2], [1]),
    "conv_bias": (3, 1, [SAME, 2, 2, 0], [IMAGE8, image8(1, 2, 2, 2, zero=-3), WEIGHTS8, BIAS8], [0, 2, 3], [1]),
    "conv_f32": (3, 1, [VALID, 1, 1, 1], [IMAGE, image(1, 3, 3, 2), WEIGHTS, BIAS], [0, 2, 3], [1]),
    "conv_dilated": (3, 1, [SAME, 1, 1, 0, 2, 3], [IMAGE, IMAGE, WEIGHTS, BIAS], [0, 2, 3], [1]),
    "conv_grouped": (3, 1, [SAME, 1, 1, 0], [IMAGE, IMAGE, (FLOAT, [2, 1, 1, 1], floats(2.0, 3.0), None)],
                     [0, 2], [1]),
    "conv_grouped_s8": (3, 1, [VALID, 1, 1, 0], [IMAGE8, image8(1, 4, 3, 2),
                                                 (INT8, [2, 1, 2, 1], [1, 2, 3, 4], [0.5])], [0, 2], [1]),
    "conv_hybrid": (3, 1, [SAME, 1, 1, 1], [IMAGE, IMAGE, WEIGHTS8, BIAS], [0, 2, 3], [1]),
    "depthwise": (4, 2, [VALID, 1, 1, 1, 0], [IMAGE8, IMAGE8, (INT8, [1, 1, 1, 2], [1, 2], [0.5])], [0, 2, -1], [1]),
    "depthwise_multiplier": (4, 2, [SAME, 2, 1, 2, 3, 1, 2],
                             [IMAGE8, image8(1, 4, 2, 4),
                              (INT8, [1, 2, 1, 4], BYTES, [0.5, 0.25, 0.5, 0.125], [0] * 4, 3)], [0, 2], [1]),
    "depthwise_f32": (4, 2, [SAME, 1, 1, 1, 1], [IMAGE, IMAGE, (FLOAT, [1, 2, 2, 2], floats(*range(8)), None), BIAS],
                      [0, 2, 3], [1]),
    "depthwise_hybrid": (4, 2, [SAME, 1, 1, 2, 0],
                         [IMAGE, image(1, 4, 4, 4), (INT8, [1, 2, 1, 4], BYTES, [0.5, 0.25, 0.5, 0.125], [0] * 4, 3)],
                         [0, 2], [1]),
    "fully_connected": (9, 8, [1, 0, 1], [IMAGE, IMAGE, (FLOAT, [2, 2], floats(1.0, 2.0, 3.0, 4.0), None)],
                        [0, 2], [1]),
    "fully_connected_s8": (9, 8, [0, 0, 0], [image8(2, 4), image8(2, 2, zero=1),
                                             (INT8, [2, 4], BYTES, [0.5, 0.25], [0, 0], 0), BIAS8], [0, 2, 3], [1]),
    "fully_connected_hybrid": (9, 8, [0, 0, 0], [image(2, 4), image(2, 2), (INT8, [2, 4], BYTES, [0.5]), BIAS],
                               [0, 2, 3], [1]),
    "fully_connected_given": (9, 8, [0, 0, 0], [image(2, 2), image(2, 2)], [0, 0], [1]),
    "matmul": (126, 101, [0, 1], [image(2, 3, 4), image(2, 3, 3)], [0, 0], [1]),
    "matmul_s8": (126, 101, [1, 0], [image8(3, 2), image8(2, 2), (INT8, [3, 2], BYTES[:6], [0.5])], [0, 2], [1]),
    "transpose_conv": (67, 49, [SAME, 2, 2], [IMAGE, image(1, 8, 8, 1), list_of(1, 8, 8, 1),
                                              (FLOAT, [1, 2, 2, 2], floats(*range(8)), None)], [2, 3, 0], [1]),
    "transpose_conv_s8": (67, 49, [VALID, 1, 2], [IMAGE8, image8(1, 8, 4, 1), list_of(1, 8, 4, 1),
                                                  (INT8, [1, 2, 1, 2], [1, 2, 3, 4], [0.5])], [2, 3, 0], [1]),
    "reshape": (22, 17, [[4, 8]], [IMAGE, image(4, 8)], [0], [1]),
    "reshape_list": (22, 0, [], [IMAGE8, image8(2, 16), list_of(2, -1)], [0, 2], [1]),
    "squeeze": (43, 30, [[0]], [IMAGE, image(4, 4, 2)], [0], [1]),
    "expand_dims": (70, 0, [], [IMAGE, image(1, 4, 4, 1, 2), (INT32, [], ints(3), None)], [0, 2], [1]),
    "resize": (23, 15, [None, None, 0, 1], [IMAGE, image(1, 8, 8, 2), list_of(8, 8)], [0, 2], [1]),
    "resize_s8": (23, 15, [None, None, 1, 0], [IMAGE8, image8(1, 3, 7, 2), list_of(3, 7)], [0, 2], [1]),
    "softmax": (25, 9, [1.0], [IMAGE, IMAGE], [0], [1]),
    "softmax_s8": (25, 9, [1.0], [IMAGE8, SOFT8], [0], [1]),
    "log_softmax": (50, 0, [], [IMAGE, IMAGE], [0], [1]),
    "pad": (34, 22, [], [IMAGE, image(1, 5, 5, 2), (INT32, [4, 2], ints(0, 0, 0, 1, 1, 0, 0, 0), None)], [0, 2], [1]),
    "pad_s8": (34, 22, [], [IMAGE8, image8(1, 6, 5, 2), (INT32, [4, 2], ints(0, 0, 1, 1, 1, 0, 0, 0), None)],
               [0, 2], [1]),
    "pad_value": (60, 0, [], [IMAGE, image(1, 4, 4, 5), (INT32, [4, 2], ints(0, 0, 0, 0, 0, 0, 1, 2), None),
                              (FLOAT, [1], floats(2.0), None)], [0, 2, 3], [1]),
    "mirror_pad": (100, 77, [0], [IMAGE, image(1, 6, 7, 2), (INT32, [4, 2], ints(0, 0, 1, 1, 2, 1, 0, 0), None)],
                   [0, 2], [1]),
    "mean": (40, 27, [1], [IMAGE, image(1, 1, 1, 2), list_of(1, 2)], [0, 2], [1]),
    "mean_s8": (40, 27, [0], [IMAGE8, image8(1, 2, scale=0.25, zero=4), list_of(1, 2)], [0, 2], [1]),
    "sum": (74, 27, [1], [IMAGE, image(1, 4, 4, 1), list_of(-1)], [0, 2], [1]),
    "reduce_max": (82, 27, [0], [IMAGE, image(1, 4, 2), list_of(1)], [0, 2], [1]),
    "reduce_min_s8": (89, 27, [1], [IMAGE8, image8(1, 1, 4, 2), list_of(1)], [0, 2], [1]),
    "arg_max": (56, 40, [2], [IMAGE, (INT32, [1, 4, 4], None, None), (INT32, [], ints(3), None)], [0, 2], [1]),
    "arg_max_s8": (56, 40, [4], [IMAGE8, (INT64, [1, 4, 2], None, None), (INT32, [], ints(1), None)], [0, 2], [1]),
    "split": (49, 35, [2], [IMAGE, image(1, 4, 4, 1), image(1, 4, 4, 1), (INT32, [], ints(3), None)], [3, 0], [1, 2]),
    "slice": (65, 0, [], [IMAGE, image(1, 2, 3, 2), list_of(0, 1, 1, 0), list_of(1, 2, -1, 2)], [0, 2, 3], [1]),
    "strided_slice": (45, 32, [1, 1, 0, 0, 0], [IMAGE, IMAGE, list_of(0, 0, 0, 0), list_of(1, 4, 4, 2),
                                                list_of(1, 1, 1, 1)], [0, 2, 3, 4], [1]),
    "strided_slice_back": (45, 32, [0, 0, 0, 0, 1], [IMAGE8, image8(2, 2, 2), list_of(0, 3, 0, 0),
                                                     list_of(1, 0, 4, 2), list_of(1, -2, 2, 1)], [0, 2, 3, 4], [1]),
    "transpose": (39, 0, [], [IMAGE, image(2, 4, 1, 4), list_of(3, 1, 0, 2)], [0, 2], [1]),
    "transpose_s8": (39, 0, [], [IMAGE8, image8(1, 2, 4, 4), list_of(0, 3, 1, 2)], [0, 2], [1]),
    "gather": (36, 23, [2, 0], [IMAGE, image(1, 4, 3, 2), list_of(3, 0, 1)], [0, 2], [1]),
    "gather_given": (36, 23, [0, 0], [(INT32, [3], None, None), image(3, 1), COLUMN], [2, 0], [1]),
    "gather_nd": (107, 0, [], [IMAGE, image(3, 2), (INT32, [3, 3], ints(0, 1, 2, 0, 3, 0, 0, 1, 1), None)], [0, 2],
                  [1]),
    "gather_nd_given": (107, 0, [], [(INT32, [2, 1], None, None), image(2, 1), COLUMN], [2, 0], [1]),
    "scatter_nd": (122, 0, [], [image(3, 2), image(4, 2), (INT32, [3, 1], ints(3, 1, 3), None), list_of(4, 2)],
                   [2, 0, 3], [1]),
    "scatter_nd_s8": (122, 0, [], [image8(4), image8(2, 3), (INT32, [4, 2], ints(0, 1, 1, 2, 0, 1, 0, 0), None),
                                   list_of(2, 3)], [2, 0, 3], [1]),
    "sparse_to_dense": (68, 0, [], [image(2), image(3, 2), (INT32, [2, 2], ints(2, 1, 0, 0), None), list_of(3, 2),
                                    (FLOAT, [], floats(0.5), None)], [2, 3, 0, 4], [1]),
    "lrn": (13, 13, [1, 1.0, 0.5, 0.75], [IMAGE, IMAGE], [0], [1]),
    "pack": (83, 59, [2, 0], [IMAGE, image(2, 1, 4, 4, 2)], [0, 0], [1]),
    "pack_one": (83, 59, [1, 1], [IMAGE, image(1, 1, 4, 4, 2)], [0], [1]),
    "space_to_depth": (26, 19, [2], [IMAGE, image(1, 2, 2, 8)], [0], [1]),
    "depth_to_space": (5, 94, [2], [image8(1, 2, 2, 8), IMAGE8], [0], [1]),
    "quantize": (114, 0, [], [IMAGE, IMAGE8], [0], [1]),
    "dequantize": (6, 0, [], [image8(1, 4, 4, 2, zero=7), IMAGE], [0], [1]),
    "requantize": (114, 0, [], [IMAGE8, image8(1, 4, 4, 2, scale=0.125, zero=-9)], [0], [1]),
    "cast": (53, 0, [], [INTS, image(2, 3)], [0], [1]),
    "cast_byte": (53, 0, [], [image(2, 3), (UINT8, [2, 3], None, None)], [0], [1]),
    "custom": (32, 0, [], [IMAGE, IMAGE], [0], [1]),
}
for code, name in ((8, "floor"), (14, "logistic"), (19, "relu"), (21, "relu6"), (28, "tanh"), (47, "exp"), (59, "neg"),
                   (75, "sqrt"), (76, "rsqrt"), (101, "abs"), (117, "hard_swish")):
    SEEDS[name] = (code, 0, [], [IMAGE, IMAGE], [0], [1])
for code, name in ((14, "logistic_s8"), (19, "relu_s8"), (28, "tanh_s8"), (117, "hard_swish_s8"), (101, "abs_s8")):
    SEEDS[name] = (code, 0, [], [IMAGE8, SOFT8], [0], [1])
SEEDS["leaky_relu"] = (98, 75, [0.25], [IMAGE, IMAGE], [0], [1])
SEEDS["leaky_relu_s8"] = (98, 75, [0.25], [IMAGE8, IMAGE8], [0], [1])

# Several operators, for what is done between them: fusing, renaming, folding, sharing of memory.
GRAPHS = {
    "pad_conv_relu": ([IMAGE8, (INT32, [4, 2], ints(0, 0, 1, 1, 1, 1, 0, 0), None), image8(1, 6, 6, 2),
                       (INT8, [2, 3, 3, 2], list(range(36)), [0.5]), IMAGE8, IMAGE8, image8(1, 32),
                       image8(1, 32, scale=1 / 256, zero=-128)],
                      [(34, 22, [], [0, 1], [2]), (3, 1, [VALID, 1, 1, 0], [2, 3], [4]), (19, 0, [], [4], [5]),
                       (22, 0, [], [5], [6]), (25, 9, [1.0], [6], [7])], [0], [7]),
    "folded": ([IMAGE, COLUMN, COLUMN, COLUMN[:2] + (None, None), image(1, 4), image(1, 4, 4, 1), IMAGE],
               [(0, 11, [1], [1, 2], [3]), (39, 0, [], [3, 7], [4]), (40, 27, [1], [0, 8], [5]),
                (42, 29, [0], [0, 9], [6])], [0], [4, 5, 6]),
    "branches": ([IMAGE, IMAGE, IMAGE, IMAGE, IMAGE, image(32)],
                 [(14, 0, [], [0], [1]), (28, 0, [], [1], [2]), (0, 11, [0], [1, 2], [3]), (18, 21, [3], [3, 1], [4]),
                  (22, 0, [], [4], [5])], [0], [3, 5]),
}
GRAPHS["folded"][0].extend([list_of(1, 0), list_of(3), COLUMN])


# ------------------------------------------------------------------------------- other types, and what is kept

def image16(*shape, scale=0.001):
    return (INT16, list(shape), None, [scale], [0], 0)


def image_u8(*shape, scale=0.5, zero=128):
    return (UINT8, list(shape), None, [scale], [zero], 0)


def state(kind, *shape, scale=None, zero=0):
    return (kind, list(shape), None, scale and [scale], [zero] if scale else [], 0, True)


def longs(*values):
    return list(struct.pack("<%dq" % len(values), *values))


WIDE, HALF_WIDE = image16(1, 4, 4, 2), image16(1, 2, 2, 2)
BIAS16 = (INT64, [2], longs(500, -70000), None)
OLD = image_u8(1, 4, 4, 2)
WEIGHTS_U8 = (UINT8, [2, 1, 1, 2], [1, 200, 130, 90], [0.25], [120], 0)
BIAS_U8 = (INT32, [2], ints(5, -7), [0.125], [0], 0)
WEIGHTS4 = (INT4, [2, 1, 1, 2], [0x71, 0xF9], [0.5, 0.25], [0, 0], 0)
SEEDS.update({
    "conv_s16": (3, 1, [SAME, 1, 1, 1], [WIDE, image16(1, 4, 4, 2, scale=0.01), WEIGHTS8, BIAS16], [0, 2, 3], [1]),
    "depthwise_s16": (4, 2, [SAME, 2, 2, 1, 0], [WIDE, HALF_WIDE, (INT8, [1, 2, 1, 2], [1, 2, 255, 4], [0.5, 0.25],
                                                                   [0, 0], 3), BIAS16], [0, 2, 3], [1]),
    "fully_connected_s16": (9, 8, [0, 0, 0], [image16(2, 4), image16(2, 2), (INT8, [2, 4], BYTES, [0.5, 0.25], [0, 0],
                                                                             0), BIAS16], [0, 2, 3], [1]),
    "transpose_conv_s16": (67, 49, [VALID, 1, 2], [WIDE, image16(1, 8, 4, 1), list_of(1, 8, 4, 1),
                                                   (INT8, [1, 2, 1, 2], [1, 2, 3, 4], [0.5], [0], 0)], [2, 3, 0], [1]),
    "matmul_s16": (126, 101, [0, 0], [image16(3, 4), image16(3, 2), (INT8, [4, 2], BYTES, [0.5], [0], 0)], [0, 2], [1]),
    "add_s16": (0, 11, [1], [WIDE, image16(1, 4, 4, 2, scale=0.002)], [0, 0], [1]),
    "sub_s16": (41, 28, [0], [WIDE, WIDE, (INT16, [4, 1], [1, 0, 0, 128, 255, 127, 7, 7], [0.002], [0], 0)], [2, 0],
                [1]),
    "mul_s16": (18, 21, [3], [WIDE, WIDE], [0, 0], [1]),
    "average_pool_s16": (1, 5, [SAME, 2, 2, 2, 2, 0], [WIDE, HALF_WIDE], [0], [1]),
    "max_pool_s16": (17, 5, [SAME, 2, 2, 2, 2, 1], [WIDE, HALF_WIDE], [0], [1]),
    "softmax_s16": (25, 9, [1.0], [WIDE, image16(1, 4, 4, 2, scale=1 / 32768)], [0], [1]),
    "logistic_s16": (14, 0, [], [WIDE, image16(1, 4, 4, 2, scale=1 / 32768)], [0], [1]),
    "tanh_s16": (28, 0, [], [WIDE, image16(1, 4, 4, 2, scale=1 / 32768)], [0], [1]),
    "leaky_relu_s16": (98, 75, [0.25], [WIDE, WIDE], [0], [1]),
    "mean_s16": (40, 27, [1], [WIDE, image16(1, 1, 1, 2), list_of(1, 2)], [0, 2], [1]),
    "pad_s16": (34, 22, [], [WIDE, image16(1, 5, 5, 2), (INT32, [4, 2], ints(0, 0, 0, 1, 1, 0, 0, 0), None)], [0, 2],
                [1]),
    "quantize_s16": (114, 0, [], [IMAGE, WIDE], [0], [1]),
    "requantize_s16": (114, 0, [], [WIDE, image8(1, 4, 4, 2, scale=0.125, zero=-9)], [0], [1]),
    "conv_u8": (3, 1, [SAME, 1, 1, 3], [OLD, image_u8(1, 4, 4, 2, zero=3), WEIGHTS_U8, BIAS_U8], [0, 2, 3], [1]),
    "depthwise_u8": (4, 2, [VALID, 1, 1, 2, 1], [OLD, image_u8(1, 4, 4, 4), (UINT8, [1, 1, 1, 4], [1, 255, 128, 7],
                                                                             [0.25], [130], 0)], [0, 2], [1]),
    "fully_connected_u8": (9, 8, [0, 0, 0], [image_u8(2, 4), image_u8(2, 2), (UINT8, [2, 4], BYTES, [0.25], [100], 0),
                                             BIAS_U8], [0, 2, 3], [1]),
    "add_u8": (0, 11, [1], [OLD, image_u8(1, 4, 4, 2, zero=7)], [0, 0], [1]),
    "mul_u8": (18, 21, [0], [OLD, OLD], [0, 0], [1]),
    "average_pool_u8": (1, 5, [SAME, 2, 2, 2, 2, 0], [OLD, image_u8(1, 2, 2, 2)], [0], [1]),
    "softmax_u8": (25, 9, [1.0], [OLD, image_u8(1, 4, 4, 2, scale=1 / 256, zero=0)], [0], [1]),
    "logistic_u8": (14, 0, [], [OLD, image_u8(1, 4, 4, 2, scale=1 / 256, zero=0)], [0], [1]),
    "concat_u8": (2, 10, [1, 0], [OLD, image_u8(1, 8, 4, 2, scale=0.25, zero=9)], [0, 0], [1]),
    "resize_u8": (23, 15, [None, None, 0, 1], [OLD, image_u8(1, 8, 8, 2), list_of(8, 8)], [0, 2], [1]),
    "quantize_u8": (114, 0, [], [IMAGE, OLD], [0], [1]),
    "conv_s4": (3, 1, [SAME, 1, 1, 0], [IMAGE8, IMAGE8, WEIGHTS4, BIAS8], [0, 2, 3], [1]),
    "fully_connected_s4": (9, 8, [0, 0, 0], [image8(2, 4), image8(2, 2), (INT4, [2, 4], [0x21, 0xF3, 0x54, 0x76],
                                                                          [0.5], [0], 0)], [0, 2, -1], [1]),
    "svdf": (27, 6, [2, 1], [image(2, 3), image(2, 2), (FLOAT, [4, 3], floats(*[0.25 * i - 1 for i in range(12)]),
                                                        None), (FLOAT, [4, 2], floats(*range(8)), None), BIAS,
                             state(FLOAT, 2, 8)], [0, 2, 3, 4, 5], [1]),
    "svdf_hybrid": (27, 6, [2, 0], [image(2, 3), image(2, 2), (INT8, [4, 3], BYTES + BYTES[:4], [0.5], [0], 0),
                                    (INT8, [4, 2], BYTES, [0.25], [0], 0), BIAS, state(FLOAT, 2, 8)], [0, 2, 3, 4, 5],
                    [1]),
    "svdf_s8": (27, 6, [2, 1], [image8(2, 3, scale=0.05, zero=7), image8(2, 2, scale=0.09, zero=-11),
                                (INT8, [4, 3], BYTES + BYTES[:4], [0.01], [0], 0),
                                (INT16, [4, 2], BYTES + BYTES, [0.00003], [0], 0), (INT32, [2], ints(5, -7), None),
                                state(INT16, 2, 8, scale=0.0005)], [0, 2, 3, 4, 5], [1]),
    "svdf_narrow": (27, 6, [1, 0], [image8(2, 3, scale=0.05, zero=7), image8(2, 2, scale=0.09, zero=-11),
                                    (INT8, [2, 3], BYTES[:6], [0.01], [0], 0),
                                    (INT8, [2, 2], BYTES[:4], [0.008], [0], 0), state(INT8, 2, 4, scale=0.1, zero=-5)],
                    [0, 2, 3, -1, 4], [1]),
})


def lstm(kind, weights, bias, cell, x, h, cell_scale, clips, extras):
    """A layer of two units, three inputs and two steps; x and h: scale and zero point, or None. extras: of float32 all
    that it may have."""
    def matrix(*shape):
        count = shape[0] * (shape[1] if len(shape) > 1 else 1)
        data = (BYTES * 2)[:count] if weights == INT8 else floats(*[0.25 * i - 0.5 for i in range(count)])
        return (weights, list(shape), data, [0.01] if weights == INT8 else None, [0] if weights == INT8 else [], 0)

    def vector(values):
        data = {FLOAT: floats, INT32: ints, INT64: longs}[bias](*values)
        return (bias, [2], data, None)
    tensors = [(kind, [1, 2, 3], None, x and [x[0]], [x[1]] if x else [], 0),
               (kind, [1, 2, 2], None, h and [h[0]], [h[1]] if h else [], 0)]
    inputs = [0] + [-1] * (23 if extras else 19)
    def put(at, tensor):
        inputs[at] = len(tensors)
        tensors.append(tensor)
    for gate in range(4):
        put(1 + gate, matrix(2, 3))
        put(5 + gate, matrix(2, 2))
        put(12 + gate, vector([gate, 1 - gate]))
        if extras:
            put(20 + gate, (FLOAT, [2], floats(1.0, 0.5), None))
    for gate in range(3 if extras else 0):
        put(9 + gate, matrix(2))
    if extras:
        put(16, matrix(2, 2))
        put(17, (FLOAT, [2], floats(0.5, -0.5), None))
    put(18, state(kind, 1, 2, scale=h and h[0], zero=h[1] if h else 0))
    put(19, state(cell, 1, 2, scale=cell_scale))
    return (44, 71, [4, clips[0], clips[1], 0], tensors, inputs, [1])


SEEDS["lstm"] = lstm(FLOAT, FLOAT, FLOAT, FLOAT, None, None, None, (0.0, 0.0), False)
SEEDS["lstm_everything"] = lstm(FLOAT, FLOAT, FLOAT, FLOAT, None, None, None, (0.5, 0.25), True)
SEEDS["lstm_hybrid"] = lstm(FLOAT, INT8, FLOAT, FLOAT, None, None, None, (0.5, 0.0), False)
SEEDS["lstm_s8"] = lstm(INT8, INT8, INT32, INT16, (0.02, -4), (0.0078, 3), 2.0 ** -11, (0.0, 0.0), False)
SEEDS["lstm_s16"] = lstm(INT16, INT8, INT64, INT16, (0.00005, 0), (0.00003, 0), 2.0 ** -10, (0.5, 0.0), False)


def flexbuffer(**values):
    """A map of names to numbers: int or float, four bytes each."""
    out, names = bytearray(), []
    for name in sorted(values):
        names.append(len(out))
        out += name.encode() + b"\0"
    out += struct.pack("<I", len(names))
    keys = len(out)
    for name in names:
        out += struct.pack("<I", len(out) - name)
    out += struct.pack("<III", len(out) - keys, 4, len(names))
    start = len(out)
    for name in sorted(values):
        out += struct.pack("<f" if isinstance(values[name], float) else "<i", values[name])
    for name in sorted(values):
        out.append((3 if isinstance(values[name], float) else 1) << 2 | 2)
    return bytes(out) + struct.pack("<IBB", len(out) - start, 9 << 2 | 2, 4)


ANCHORS = (FLOAT, [3, 4], floats(*[0.5, 0.5, 1.0, 1.0] * 3), None)
SCORES = (FLOAT, [1, 3, 3], floats(*[0.1 * i for i in range(9)]), None)
for name, regular in (("detection", 0), ("detection_regular", 1)):
    SEEDS[name] = ("TFLite_Detection_PostProcess", 0,
                   flexbuffer(max_detections=2, max_classes_per_detection=1, detections_per_class=2,
                              use_regular_nms=regular, nms_score_threshold=0.2, nms_iou_threshold=0.5, num_classes=2,
                              y_scale=10.0, x_scale=10.0, h_scale=5.0, w_scale=5.0),
                   [image(1, 3, 4), SCORES, ANCHORS] + [image()] * 4, [0, 1, 2], [3, 4, 5, 6])

# What a run assigns the next one reads; CALL_ONCE gives what the first one reads.
FOUR, HANDLE = image(4), (RESOURCE, [], None, None)
SUM = ([FOUR, HANDLE, FOUR, FOUR],
       [(142, 111, [None, "sum"], [], [1]), (143, 112, [], [1], [2]), (0, 11, [0], [0, 2], [3]),
        (144, 113, [], [1, 3], [])], [0], [3])
ONCE = (SUM[0], [(129, 103, [1], [], [])] + SUM[1], [0], [3])
GIVES = ([HANDLE, (FLOAT, [4], floats(1.0, 2.0, -1.0, 0.5), None)],
         [(142, 111, [None, "sum"], [], [0]), (144, 113, [], [0, 1], [])], [], [])
SEVERAL = {"variable": [SUM], "call_once": [ONCE, GIVES]}

# Outputs that are declared without a shape take what comes: a changed parameter then gets as far as the kernels.
for name in ("add_broadcast", "arg_max", "average_pool_f32", "concat_s8", "conv_bias", "conv_dilated", "conv_f32",
             "conv_grouped_s8", "conv_hybrid", "depth_to_space", "depthwise_f32", "depthwise_multiplier", "expand_dims",
             "fully_connected_s8", "gather", "max_pool", "mean_s8", "mirror_pad", "pack", "pad_s8", "pad_value",
             "prelu", "reduce_max", "reshape_list", "resize", "resize_s8", "slice", "softmax_s8",
             "space_to_depth", "split", "strided_slice_back", "sub_s8", "transpose"):
    code, options_type, options, tensors, inputs, outputs = SEEDS[name]
    shapeless = [tensor[:1] + ([],) + tensor[2:] if index in outputs else tensor
                 for index, tensor in enumerate(tensors)]
    SEEDS["open_" + name] = (code, options_type, options, shapeless, inputs, outputs)

# What Keras' Flatten becomes, of an input with open rows; a scalar that is an output; slices of open rows; signatures
# that cannot be.
def opened(shape, *signature):
    return (FLOAT, shape, None, None, [], 0, False, list(signature))


def flatten(x):
    """tf.reshape(x, [tf.shape(x)[0], 6]), and the number of rows."""
    return ([x, (INT32, [3], None, None), list_of(0), list_of(1), (INT32, [], None, None), (INT32, [], ints(6), None),
             (INT32, [2], None, None), image(1, 6)],
            [(77, 0, None, [0], [1]), (45, 32, [None, None, None, None, 1], [1, 2, 3, 3], [4]),
             (83, 59, [2, None], [4, 5], [6]), (22, 0, None, [0, 6], [7])], [0], [7, 4])


CUTS = ([opened([1, 2, 3], -1, 2, 3), list_of(0, 1), list_of(9, 9), list_of(1, 1), image(1, 1, 3), list_of(-1),
         list_of(0), list_of(-1), image(2, 3)],
        [(45, 32, [1, 1], [0, 1, 2, 3], [4]), (45, 32, [None, 1, None, None, 1], [0, 5, 6, 7], [8])], [0], [4, 8])
OPEN = opened([1, 2, 3, 1], -1, -1, -1, 1)
NEAREST = ([OPEN, (INT32, [4], None, None), list_of(1), list_of(3), list_of(1), (INT32, [2], None, None),
            image(1, 2, 3, 1)],
           [(77, 0, None, [0], [1]), (45, 32, [], [1, 2, 3, 4], [5]), (97, 74, [None, 1], [0, 5], [6])], [0], [6])
TRANSPOSED = ([OPEN, (INT32, [4], None, None), list_of(1, 2, 2, 1), (INT32, [4], None, None),
               (FLOAT, [1, 3, 3, 1], floats(*range(9)), None), image(1, 4, 6, 1)],
              [(77, 0, None, [0], [1]), (18, 21, [], [1, 2], [3]), (67, 49, [None, 2, 2], [3, 4, 0], [5])], [0], [5])
GRAPHS.update({"flatten": flatten(image(1, 2, 3)), "flatten_open": flatten(opened([1, 2, 3], -1, 2, 3)),
               "slices_open": CUTS,
               "nearest_open": NEAREST, "transpose_conv_open": TRANSPOSED,
               "flatten_short_signature": flatten(opened([1, 2, 3], -1, 2)),
               "flatten_wrong_signature": flatten(opened([1, 2, 3], -2, 2, 4))})

os.makedirs(os.path.join(HERE, "seeds", "tflite"), exist_ok=True)
for name, arguments in SEEDS.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(model(*arguments))
for name, arguments in GRAPHS.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(graph(*arguments))
for name, parts in SEVERAL.items():
    with open(os.path.join(HERE, "seeds", "tflite", name + ".tflite"), "wb") as file:
        file.write(graphs(*parts))
