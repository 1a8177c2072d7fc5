/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_scalar.h - add_s8: the meaning of int8 ADD and SUB, with TensorFlow Lite's bytes.

   pre   kind is ADD or SUB; elements, steps, bounds and aliasing as in binary_s8_scalar.h.
   post  x = round((a - za) * 2^20 * input_multiplier[0] * 2^(input_shift[0] - 31)), y alike, and then
         out = clamp(requantize(x + y, or x - y) + zo). |x|, |y| <= 255 * 2^20 < 2^28, so the sum fits. */
#ifndef NNRT_KERNELS_ADD_S8_SCALAR_H
#define NNRT_KERNELS_ADD_S8_SCALAR_H

#include "binary_f32_scalar.h"
#include "internal.h"

#define NNRT__ADD_S8_LEFT_SHIFT 20

/* Shared by all operators of two int8 operands; unused fields keep the bounds, too. */
NNRT__ASSERT_FN bool nnrt__binary_s8_is_right(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                              const int8_t *b, size_t b_step, const int8_t *out, size_t n) {
    const int32_t most = args->kind == NNRT__BINARY_PRELU ? 30 : 0; /* shift of operand a */
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point[0]) && nnrt__is_byte_quantity(args->input_zero_point[1]));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[0], args->input_shift[0], most));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[1], args->input_shift[1], 0));
    NNRT_ASSERT(nnrt__is_factor(args->output_multiplier, args->output_shift, 30));
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, sizeof(int8_t), out, sizeof(int8_t), n, true));
    return true;
}

NNRT__ASSERT_FN bool nnrt__add_s8_is_right(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                           const int8_t *b, size_t b_step, const int8_t *out, size_t n) {
    NNRT_ASSERT(args->kind == NNRT__BINARY_ADD || args->kind == NNRT__BINARY_SUB);
    NNRT_ASSERT(nnrt__binary_s8_is_right(args, a, a_step, b, b_step, out, n));
    return true;
}

/* An operand of ADD or SUB on the common scale. |result| <= 255 * 2^20. */
NNRT__INLINE int32_t nnrt__add_s8_input(const nnrt__binary_s8_args *args, uint32_t which, int8_t q) {
    const int32_t x = ((int32_t)q - args->input_zero_point[which]) * (1 << NNRT__ADD_S8_LEFT_SHIFT);
    return nnrt__requantize(x, args->input_multiplier[which], args->input_shift[which]);
}

/* Is the factor of an operand 1/2? For one operand it is: the common scale is twice the larger one. */
NNRT__INLINE bool nnrt__add_s8_halves(const nnrt__binary_s8_args *args, uint32_t which) {
    return args->input_multiplier[which] == 1 << 30 && args->input_shift[which] == 0;
}

NNRT__FN void nnrt__add_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                  size_t b_step, int8_t *out, size_t n) {
    const int32_t sign = args->kind == NNRT__BINARY_SUB ? -1 : 1;
    size_t i;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i++) {
        const int32_t x = nnrt__add_s8_input(args, 0, a[i * a_step]);
        const int32_t y = nnrt__add_s8_input(args, 1, b[i * b_step]);
        out[i] = nnrt__requantize_s8((uint32_t)(x + sign * y), args->output_multiplier, args->output_shift,
                                     args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

/* The same sum as one linear formula, for the vectors that multiply 16 bits well. A byte is
       (a * factor[0] + b * factor[1] + added) >> shift
   unless the lowest `shift` bits of that are below `band`: then a tie is so near that the definition's roundings
   decide, and the kernel takes the long way. Factors have up to 23 bits, so this affects one of some thousand elements.
   If the scales make every other sum a tie, it affects most of them, and the result is still right. */
typedef struct nnrt__add_s8_linear {
    int32_t factor[2], added;
    int32_t shift, band;
} nnrt__add_s8_linear;

/* 2^exponent, -1022..1023: needed for each row of a tensor, and ldexp takes as long as a hundred sums. */
NNRT__INLINE double nnrt__power_of_2(int32_t exponent) {
    const uint64_t bits = (uint64_t)(uint32_t)(exponent + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* false: the formula overflows 32 bits, or is too coarse to be of use. */
NNRT__FN bool nnrt__add_s8_linear_make(const nnrt__binary_s8_args *args, nnrt__add_s8_linear *l) {
    const double unit = /* bytes, of the common scale */
        (double)args->output_multiplier * nnrt__power_of_2(args->output_shift - 31);
    double real[2], most, error, fine = 16777216.0; /* 2^shift */
    uint32_t added;
    uint32_t k;
    for (k = 0; k < 2; k++)
        real[k] = unit * (double)args->input_multiplier[k] *
                  nnrt__power_of_2(args->input_shift[k] - 31 + NNRT__ADD_S8_LEFT_SHIFT);
    most = (real[0] + real[1] + 1.0) * 256.0; /* of sum and zero point, in bytes */
    if (args->output_shift > 0 || !(most <= 32768.0)) return false;
    for (l->shift = 24; most * fine > 2147483648.0; l->shift--) fine *= 0.5;
    /* of two factors, of two operands with two roundings each, of the output's first rounding, and of this in double */
    error = 255.0 + 2.0 * unit * fine + 0.5 * fine * nnrt__power_of_2(args->output_shift) + 2.0;
    if (error > fine / 16.0) return false;
    l->band = 2 * (int32_t)error;
    added = ((uint32_t)1 << (l->shift - 1)) + (uint32_t)l->band / 2;
    added += (uint32_t)args->output_zero_point << l->shift;
    for (k = 0; k < 2; k++) {
        l->factor[k] = (int32_t)(real[k] * fine + 0.5);
        if (k == 1 && args->kind == NNRT__BINARY_SUB) l->factor[k] = -l->factor[k];
        added -= (uint32_t)args->input_zero_point[k] * (uint32_t)l->factor[k];
    }
    l->added = (int32_t)added;
    return true;
}

/* The factors as pairs of 16 bits, the first one low: upper bits and the lowest 8. */
NNRT__INLINE int32_t nnrt__add_s8_linear_high(const nnrt__add_s8_linear *l) {
    return (int32_t)((uint32_t)(l->factor[1] >> 8) << 16 | ((uint32_t)(l->factor[0] >> 8) & 0xffffu));
}
NNRT__INLINE int32_t nnrt__add_s8_linear_low(const nnrt__add_s8_linear *l) {
    return (int32_t)((uint32_t)(l->factor[1] & 255) << 16 | (uint32_t)(l->factor[0] & 255));
}

/* How many elements take the long way once one of them has to. */
#define NNRT__ADD_S8_LONG_WAY 64

NNRT__FN void nnrt__add_s8_scalar_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_scalar;
    t->add_s8_isa = "scalar";
}

#endif /* NNRT_KERNELS_ADD_S8_SCALAR_H */
