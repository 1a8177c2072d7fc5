# SPDX-License-Identifier: Apache-2.0
"""What the int8 reference kernels of TensorFlow Lite compute, bit for bit, in numpy.

This is the second opinion behind the golden files: it shares nothing with the C library, and it was
compared with TensorFlow Lite Micro on published models (run it with --compare, see below).

Accumulators are sums of products of small integers. They are computed by matrix products in
float64, which is exact: every partial sum is an integer far below 2^53.

  tflite_reference.py --compare MODEL.tflite INPUT.bin EXPECTED.bin [INPUT.bin EXPECTED.bin ...]
"""

import math
import sys

import numpy as np

import tflite_file

INT32_MAX = 2 ** 31 - 1
INT32_MIN = -2 ** 31


# ---- 32-bit fixed point ---------------------------------------------------------------------

def quantize_multiplier(real):
    """real = multiplier * 2^(shift - 31), with multiplier in [2^30, 2^31)."""
    if real == 0.0:
        return 0, 0
    mantissa, shift = math.frexp(real)
    multiplier = math.floor(mantissa * 2.0 ** 31 + 0.5)
    if multiplier == 2 ** 31:
        multiplier, shift = multiplier // 2, shift + 1
    if shift < -31:
        return 0, 0
    return multiplier, shift


def doubling_high_mul(a, b):
    """(a * b + 2^30) / 2^31 rounded to nearest (ties away from zero), int64 arrays of int32 values."""
    product = np.asarray(a, np.int64) * np.asarray(b, np.int64)
    nudged = product + np.where(product >= 0, 1 << 30, 1 - (1 << 30))
    high = np.where(nudged >= 0, nudged >> 31, -((-nudged) >> 31))     # C division truncates
    return np.minimum(high, INT32_MAX)                                 # only INT32_MIN squared


def rounding_shift(x, exponent):
    """x / 2^exponent rounded to nearest, ties away from zero."""
    x = np.asarray(x, np.int64)
    exponent = np.asarray(exponent, np.int64)
    mask = (np.int64(1) << exponent) - 1
    threshold = (mask >> 1) + (x < 0)
    return (x >> exponent) + ((x & mask) > threshold)


def rescale(accumulator, multiplier, shift):
    """Two roundings, one in each step, as the reference kernels have it."""
    shift = np.asarray(shift, np.int64)
    left, right = np.maximum(shift, 0), np.maximum(-shift, 0)
    return rounding_shift(doubling_high_mul(np.asarray(accumulator, np.int64) << left, multiplier), right)


def saturate32(x):
    return max(INT32_MIN, min(INT32_MAX, x))


# Softmax works on single numbers; "Qk" below is 32-bit fixed point with k integer bits.

def mul(a, b):
    return int(doubling_high_mul(a, b))


def shift_right(x, exponent):
    return int(rounding_shift(x, exponent))


def exp_of_negative(a):
    """exp(a) as Q0 for a <= 0 in Q5."""
    if a == 0:
        return INT32_MAX
    quarter = 1 << 24
    remainder_of_quarter = (a & (quarter - 1)) - quarter             # in [-1/4, 0)
    x = saturate32(remainder_of_quarter << 5) + (1 << 28)            # Q0, centred on -1/8
    x2 = mul(x, x)
    x3 = mul(x2, x)
    x4 = mul(x2, x2)
    series = shift_right(mul(shift_right(x4, 2) + x3, 715827883) + x2, 1)       # 1/3 in Q0
    result = 1895147668 + mul(1895147668, x + series)                           # exp(-1/8) in Q0
    rest = remainder_of_quarter - a
    # exp(-2^k) in Q0 for k = -2 ... 4: one factor for every bit set in what is left
    for k, factor in zip(range(-2, 5), (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)):
        if rest & (1 << (26 + k)):
            result = mul(result, factor)
    return result


def reciprocal_of_one_plus(a):
    """1 / (1 + a) as Q0 for a in [0, 1) in Q0: three Newton steps from a linear guess."""
    total = a + INT32_MAX
    half = (total + 1) // 2
    x = 1515870810 + mul(half, -1010580540)                          # 48/17 and -32/17 in Q2
    for _ in range(3):
        x += saturate32(mul(x, (1 << 29) - mul(half, x)) << 2)
    return saturate32(x << 1)


def softmax_row(row, multiplier, shift, difference_min):
    top = int(max(row))
    differences = [int(v) - top for v in row]
    exponentials = [exp_of_negative(int(doubling_high_mul(d << shift, multiplier)))
                    if d >= difference_min else None for d in differences]
    total = sum(shift_right(e, 12) for e in exponentials if e is not None)       # Q12
    headroom = 32 - total.bit_length()
    scale = reciprocal_of_one_plus((total << headroom) - (1 << 31))
    result = []
    for e in exponentials:
        value = -128 if e is None else shift_right(mul(scale, e), 12 - headroom + 31 - 8) - 128
        result.append(max(-128, min(127, value)))
    return result


# ---- operators: x is an int64 array, the result is too ---------------------------------------

def activation_range(output, activation):
    """The int8 interval that a fused activation leaves."""
    scale, zero_point = output.scale[0], int(output.zero_point[0])
    low, high = -128, 127
    if activation in ("relu", "relu6"):
        low = max(low, zero_point)
    if activation == "relu6":
        high = min(high, zero_point + int(math.floor(float(np.float32(6.0) / scale) + 0.5)))
    return low, high


def padded(x, options, filter_h, filter_w, fill):
    """x with the border that SAME asks for: the odd row or column goes to the bottom and right."""
    if options["padding"] == "VALID":
        return x
    amounts = []
    for size, stride, extent in ((x.shape[1], options["stride_h"], filter_h),
                                 (x.shape[2], options["stride_w"], filter_w)):
        total = max((-(-size // stride) - 1) * stride + extent - size, 0)
        amounts.append((total // 2, total - total // 2))
    return np.pad(x, ((0, 0), amounts[0], amounts[1], (0, 0)), constant_values=fill)


def windows(x, options, filter_h, filter_w, fill):
    """[batch, out_h, out_w, filter_h, filter_w, channels]"""
    if options.get("dilation_h", 1) != 1 or options.get("dilation_w", 1) != 1:
        raise ValueError("dilation is not supported")
    x = padded(x, options, filter_h, filter_w, fill)
    view = np.lib.stride_tricks.sliding_window_view(x, (filter_h, filter_w), (1, 2))
    return view[:, ::options["stride_h"], ::options["stride_w"]].transpose(0, 1, 2, 4, 5, 3)


def finish(accumulator, multipliers, output, activation):
    multiplier, shift = np.array(multipliers, np.int64).T
    low, high = activation_range(output, activation)
    return np.clip(rescale(accumulator, multiplier, shift) + int(output.zero_point[0]), low, high)


def convolution_multipliers(x, weight, output, channels):
    """Double arithmetic throughout, from the scales that the file stores as float32."""
    scales = np.broadcast_to(weight.scale.astype(np.float64), channels)
    return [quantize_multiplier(float(x.scale[0]) * s / float(output.scale[0])) for s in scales]


def conv_2d(value, tensors, output, options):
    x, weight, bias = tensors
    count, filter_h, filter_w, depth = weight.shape
    zero_point = int(x.zero_point[0])
    patches = windows(value, options, filter_h, filter_w, zero_point) - zero_point
    flat = patches.reshape(-1, filter_h * filter_w * depth).astype(np.float64)
    accumulator = (flat @ weight.data.reshape(count, -1).T.astype(np.float64)).astype(np.int64)
    accumulator = accumulator.reshape(patches.shape[:3] + (count,)) + bias.data
    return finish(accumulator, convolution_multipliers(x, weight, output, count), output,
                  options["activation"])


def depthwise_conv_2d(value, tensors, output, options):
    x, weight, bias = tensors
    _, filter_h, filter_w, count = weight.shape
    zero_point = int(x.zero_point[0])
    patches = windows(value, options, filter_h, filter_w, zero_point) - zero_point
    patches = np.repeat(patches, count // x.shape[3], axis=5)        # depth multiplier
    accumulator = (patches * weight.data[0].astype(np.int64)).sum((3, 4)) + bias.data
    return finish(accumulator, convolution_multipliers(x, weight, output, count), output,
                  options["activation"])


def fully_connected(value, tensors, output, options):
    x, weight, bias = tensors
    flat = (value.reshape(-1, weight.shape[1]) - int(x.zero_point[0])).astype(np.float64)
    accumulator = (flat @ weight.data.T.astype(np.float64)).astype(np.int64)
    if bias is not None:
        accumulator = accumulator + bias.data
    product = np.float32(x.scale[0] * weight.scale[0])               # one rounding to float32 here
    multiplier = quantize_multiplier(float(product) / float(output.scale[0]))
    return finish(accumulator, [multiplier] * weight.shape[0], output, options["activation"])


def max_pool_2d(value, tensors, output, options):
    low, high = activation_range(output, options["activation"])
    patches = windows(value, options, options["filter_h"], options["filter_w"], -129)
    return np.clip(patches.max((3, 4)), low, high)


def average_pool_2d(value, tensors, output, options):
    """Cells outside the picture do not count."""
    low, high = activation_range(output, options["activation"])
    size = options["filter_h"], options["filter_w"]
    total = windows(value, options, *size, 0).sum((3, 4))
    count = windows(np.ones_like(value), options, *size, 0).sum((3, 4))
    magnitude = (np.abs(total) + count // 2) // count                # round half away from zero
    return np.clip(np.where(total > 0, magnitude, -magnitude), low, high)


def reshape(value, tensors, output, options):
    return value.reshape((len(value),) + tuple(output.shape[1:]))


def softmax(value, tensors, output, options):
    real = min(float(options["beta"]) * float(tensors[0].scale[0]) * 2.0 ** 26, 2.0 ** 31 - 1.0)
    multiplier, shift = quantize_multiplier(real)
    difference_min = -math.floor(31.0 * 2.0 ** 26 / 2.0 ** shift)
    rows = [softmax_row(row, multiplier, shift, difference_min)
            for row in value.reshape(-1, value.shape[-1])]
    return np.array(rows, np.int64).reshape(value.shape)


KERNELS = {"CONV_2D": conv_2d, "DEPTHWISE_CONV_2D": depthwise_conv_2d, "FULLY_CONNECTED": fully_connected,
           "MAX_POOL_2D": max_pool_2d, "AVERAGE_POOL_2D": average_pool_2d, "RESHAPE": reshape,
           "SOFTMAX": softmax}


def run(model, pictures, stop_before=None):
    """The output for int8 pictures [batch, ...]; with stop_before, what enters that operator."""
    values = {model.inputs[0]: np.asarray(pictures, np.int64)}
    for op in model.operators:
        if op.kind == stop_before:
            return values[op.inputs[0]].astype(np.int8)
        tensors = [model.tensors[i] if i >= 0 else None for i in op.inputs]
        output = model.tensors[op.outputs[0]]
        values[op.outputs[0]] = KERNELS[op.kind](values[op.inputs[0]], tensors, output, op.options)
    return values[model.outputs[0]].astype(np.int8)


def compare(arguments):
    with open(arguments[0], "rb") as file:
        model = tflite_file.read_model(file.read())
    shape = model.tensors[model.inputs[0]].shape
    different = 0
    for input_path, expected_path in zip(arguments[1::2], arguments[2::2]):
        result = run(model, np.fromfile(input_path, np.int8).reshape(shape)).reshape(-1)
        expected = np.fromfile(expected_path, np.int8)
        largest = int(np.abs(result.astype(int) - expected.astype(int)).max())
        print("%s: largest difference %d" % (input_path, largest))
        different += largest != 0
    return different


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] != "--compare":
        sys.exit(__doc__)
    sys.exit(1 if compare(sys.argv[2:]) else 0)
