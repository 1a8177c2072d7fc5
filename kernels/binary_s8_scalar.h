/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s8_scalar.h - the meaning of int8 ADD, SUB, MUL, MAXIMUM, MINIMUM, SQUARED_DIFFERENCE and PRELU,
   with the bytes of TensorFlow Lite's reference kernels.

   pre   n elements; steps as in binary_f32_scalar.h. Zero points, clamp_min and clamp_max lie within
         -128..127, clamp_min <= clamp_max; multipliers are >= 0; input shifts lie in -31..0 (PRELU: -31..30),
         output_shift in -31..30. out may be the very memory of an operand whose step is 1.
   add, sub    add_s8_scalar.h, which is a slot.
   mul, prelu  mul_s8_scalar.h, which is a slot; the other operators have no vector form.
   square  clamp(requantize(d * d) + zo), where d is the difference of the operands, each shifted left by
         NNRT__SQUARED_DIFFERENCE_S8_LEFT_SHIFT and rescaled to twice the larger scale; d * d is at most
         (255 * 2^7)^2.
   max   all three tensors are quantized alike: the larger (smaller) byte, clamped.
   compare  see below. */
#ifndef NNRT_KERNELS_BINARY_S8_SCALAR_H
#define NNRT_KERNELS_BINARY_S8_SCALAR_H

#include "add_s8_scalar.h"
#include "binary_f32_scalar.h"
#include "binary_int_scalar.h"
#include "internal.h"
#include "mul_s8_scalar.h"
#include "pack_scalar.h"

#define NNRT__SQUARED_DIFFERENCE_S8_LEFT_SHIFT 7
#define NNRT__COMPARE_S8_LEFT_SHIFT 8

typedef struct nnrt__compare_s8_args {
    uint32_t kind; /* nnrt__compare_kind */
    int32_t input_zero_point[2], input_multiplier[2], input_shift[2];
    uint32_t reserved;
} nnrt__compare_s8_args;

/* a / b. TensorFlow Lite's kernels for microcontrollers divide the scales of SUB in float and others in double, which
   has other last bits: one result in a thousand of int16 differs by 1. */
NNRT__INLINE double nnrt__scale_ratio(const nnrt__binary_s8_args *args, double a, double b) {
    const float quotient = (float)a / (float)b;
    return args->kind == NNRT__BINARY_SUB ? (double)quotient : a / b;
}

/* Fills the multipliers and shifts from the scales, all > 0. */
NNRT__FN void nnrt__binary_s8_scales(nnrt__binary_s8_args *args, double scale_a, double scale_b, double scale_out) {
    if (args->kind == NNRT__BINARY_MUL) {
        /* in double throughout, as the reference kernels for microcontrollers do; a float product has other
           last bits */
        nnrt__quantize_multiplier(scale_a * scale_b / scale_out, &args->output_multiplier, &args->output_shift);
    } else if (args->kind == NNRT__BINARY_PRELU) {
        nnrt__quantize_multiplier(scale_a / scale_out, &args->input_multiplier[0], &args->input_shift[0]);
        nnrt__quantize_multiplier(scale_a * scale_b / scale_out, &args->output_multiplier, &args->output_shift);
    } else {
        const double twice = 2.0 * (scale_a > scale_b ? scale_a : scale_b);
        const double factor =
            args->kind == NNRT__BINARY_SQUARED_DIFFERENCE
                ? twice * twice / ((double)(1 << 2 * NNRT__SQUARED_DIFFERENCE_S8_LEFT_SHIFT) * scale_out)
                : nnrt__scale_ratio(args, twice, (double)(1 << NNRT__ADD_S8_LEFT_SHIFT) * scale_out);
        nnrt__quantize_multiplier(nnrt__scale_ratio(args, scale_a, twice), &args->input_multiplier[0],
                                  &args->input_shift[0]);
        nnrt__quantize_multiplier(nnrt__scale_ratio(args, scale_b, twice), &args->input_multiplier[1],
                                  &args->input_shift[1]);
        nnrt__quantize_multiplier(factor, &args->output_multiplier, &args->output_shift);
    }
}

NNRT__INLINE int32_t nnrt__squared_difference_s8_input(const nnrt__binary_s8_args *args, uint32_t which, int8_t q) {
    const int32_t x = ((int32_t)q - args->input_zero_point[which]) * (1 << NNRT__SQUARED_DIFFERENCE_S8_LEFT_SHIFT);
    return nnrt__requantize(x, args->input_multiplier[which], args->input_shift[which]);
}

NNRT__FN void nnrt__squared_difference_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                 const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__binary_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i++) {
        const uint32_t d = (uint32_t)nnrt__squared_difference_s8_input(args, 0, a[i * a_step]) -
                           (uint32_t)nnrt__squared_difference_s8_input(args, 1, b[i * b_step]);
        out[i] = nnrt__requantize_s8(d * d, args->output_multiplier, args->output_shift, args->output_zero_point,
                                     args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__extremum_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                       const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const bool most = args->kind == NNRT__BINARY_MAXIMUM;
    size_t i;
    NNRT_ASSERT(args->kind == NNRT__BINARY_MAXIMUM || args->kind == NNRT__BINARY_MINIMUM);
    NNRT_ASSERT(nnrt__binary_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i++) {
        const int8_t x = a[i * a_step], y = b[i * b_step];
        out[i] = (int8_t)nnrt__clamp_i32((x > y) == most ? x : y, args->clamp_min, args->clamp_max);
    }
}

/* The operators that are no slot. */
NNRT__FN void nnrt__other_binary_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                           const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    if (args->kind == NNRT__BINARY_SQUARED_DIFFERENCE)
        nnrt__squared_difference_s8_scalar(args, a, a_step, b, b_step, out, n);
    else nnrt__extremum_s8_scalar(args, a, a_step, b, b_step, out, n);
}

NNRT__FN void nnrt__binary_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                     size_t b_step, int8_t *out, size_t n) {
    switch (args->kind) {
    case NNRT__BINARY_ADD:
    case NNRT__BINARY_SUB: nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_MUL:
    case NNRT__BINARY_PRELU: nnrt__mul_s8_scalar(args, a, a_step, b, b_step, out, n); break;
    default: nnrt__other_binary_s8_scalar(args, a, a_step, b, b_step, out, n);
    }
}

/* An operand of a comparison in units of 2^-8: rounded, so that reals nearer to each other than that are often equal,
   as they are for TensorFlow Lite. */
NNRT__INLINE int32_t nnrt__compare_s8_input(const nnrt__compare_s8_args *args, uint32_t which, int64_t q) {
    return nnrt__requantize(((int32_t)q - args->input_zero_point[which]) * (1 << NNRT__COMPARE_S8_LEFT_SHIFT),
                            args->input_multiplier[which], args->input_shift[which]);
}

/* type: NNRT__INT_S8 or NNRT__INT_U8, whose zero points lie in its range; factors are below 1, shifts in -31..0.
   out: 0 or 1; it may be the very memory of an operand whose step is 1. */
NNRT__FN void nnrt__compare_s8_scalar(const nnrt__compare_s8_args *args, uint32_t type, const void *a, size_t a_step,
                                      const void *b, size_t b_step, uint8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(args->kind < NNRT__COMPARE_KINDS && (type == NNRT__INT_S8 || type == NNRT__INT_U8));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point[0] - (type == NNRT__INT_U8 ? 128 : 0)));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point[1] - (type == NNRT__INT_U8 ? 128 : 0)));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[0], args->input_shift[0], 0));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[1], args->input_shift[1], 0));
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, 1, out, 1, n, true));
    for (i = 0; i < n; i++) {
        const int32_t x = nnrt__compare_s8_input(args, 0, nnrt__load_int(type, a, i * a_step));
        const int32_t y = nnrt__compare_s8_input(args, 1, nnrt__load_int(type, b, i * b_step));
        out[i] = nnrt__compare_one(args->kind, x<y, x == y, x> y, x != 0, y != 0) ? 1 : 0;
    }
}

#endif /* NNRT_KERNELS_BINARY_S8_SCALAR_H */
