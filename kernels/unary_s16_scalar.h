/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_s16_scalar.h - int16 functions of one operand with TensorFlow Lite's results: RELU, RELU6, LEAKY_RELU,
   ABS, logistic, tanh; and the conversions between quantized integers.

   Logistic and tanh are one table of sigmoid(i / 24), i in 0..255, in 16 bits behind the point, between whose entries
   the functions are straight; the results have 15 bits. The table is made when a model is compiled. */
#ifndef NNRT_KERNELS_UNARY_S16_SCALAR_H
#define NNRT_KERNELS_UNARY_S16_SCALAR_H

#include "pack_scalar.h"
#include "s16_scalar.h"

typedef enum nnrt__unary_s16_kind {
    NNRT__S16_RELU, /* and LEAKY_RELU */
    NNRT__S16_LOGISTIC,
    NNRT__S16_TANH,
    NNRT__S16_ABS,
    NNRT__S16_KINDS
} nnrt__unary_s16_kind;

typedef struct nnrt__unary_s16_args {
    uint32_t kind;
    /* RELU: the factor of what is not below zero, as nnrt__requantize takes it; ABS: of all. Else: input * multiplier,
       rounded and shifted right, is 3 * 2^12 times the real value; multiplier in 0..32767 where shift is not 0, in 0..6
       else */
    int32_t multiplier, shift;
    int32_t slope_multiplier, slope_shift; /* RELU: of what is below zero */
    int32_t slope_sign;                    /* 1 or -1 */
    int32_t clamp_min, clamp_max;          /* RELU, ABS: within int16 */
} nnrt__unary_s16_args;

#define NNRT__SIGMOID_TABLE 256

/* sigmoid(i / 24) * 2^16 and half of what a straight line to the next entry is too low by in the middle, rounded; the
   last entry is the largest number. */
NNRT__FN void nnrt__sigmoid_table(uint16_t *table) {
    int i;
    for (i = 0; i < NNRT__SIGMOID_TABLE; i++) {
        const double here = 65536.0 / (1.0 + exp(-i / 24.0)), next = 65536.0 / (1.0 + exp(-(i + 1) / 24.0));
        const double middle = 65536.0 / (1.0 + exp(-(i + 0.5) / 24.0));
        table[i] = (uint16_t)floor(here + (middle - (here + next) / 2.0) / 2.0 + 0.5);
    }
    table[NNRT__SIGMOID_TABLE - 1] = 65535;
}

/* Factor of the input: for logistic scales of 2^-12, for tanh of 2^-12 and 2^-11 it is exact. False: the scale is so
   large that the factor leaves 16 bits. */
NNRT__FN bool nnrt__sigmoid_scale(double scale, bool is_tanh, int32_t *multiplier, int32_t *shift) {
    const double logarithm = log(scale) / log(2.0), whole = floor(logarithm + 0.5);
    const int power = whole < -100.0 || whole > 100.0 ? -100 : (int)whole + 12;
    double factor = scale * 3.0 * 4096.0;
    *shift = 0;
    if (fabs(logarithm - whole) < 1e-3 && (power == 0 || (is_tanh && power == 1))) {
        *multiplier = 3 * (1 << power);
        return true;
    }
    for (; factor <= 32767.0 / 2.0 && *shift <= 30; factor *= 2.0) ++*shift;
    if (!(factor < 32768.0)) return false;
    *multiplier = (int32_t)factor;
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* The factors of RELU: ratios of scales in float, as the reference has them. A factor of 2^30 and more becomes the
   largest that there is: every input but 0 saturates. */
NNRT__FN void nnrt__unary_s16_slopes(nnrt__unary_s16_args *args, float in, float out, float alpha) {
    const float ratio = in / out, slope = in * fabsf(alpha) / out;
    nnrt__quantize_multiplier((double)ratio, &args->multiplier, &args->shift);
    nnrt__quantize_multiplier((double)slope, &args->slope_multiplier, &args->slope_shift);
}

NNRT__FP_CONTRACT_OFF_END

/* The input in units of 1 / (3 * 2^12): within +-2^30. */
NNRT__INLINE int32_t nnrt__sigmoid_input(const nnrt__unary_s16_args *args, int16_t x) {
    const int32_t round = args->shift > 0 ? 1 << (args->shift - 1) : 0;
    return (x * args->multiplier + round) >> args->shift;
}

/* Between entry i of the table and the next, `part` of 2^bits on the way: with so many bits more. i < 255. */
NNRT__INLINE uint32_t nnrt__sigmoid_between(const uint16_t *table, uint32_t i, uint32_t part, int bits) {
    return ((uint32_t)table[i] << bits) + part * ((uint32_t)table[i + 1] - table[i]);
}

NNRT__INLINE int16_t nnrt__logistic_s16_one(const nnrt__unary_s16_args *args, const uint16_t *table, int16_t q) {
    const int32_t x = nnrt__sigmoid_input(args, q);
    const uint32_t size = x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
    const uint32_t y = size >> 9 >= 255 ? 0x7fffu << 10 : nnrt__sigmoid_between(table, size >> 9, size & 0x1ff, 9);
    return (int16_t)((x >= 0 ? y + (1u << 9) : (1u << 25) - y + (1u << 9) - 1) >> 10 & 0xffff);
}

NNRT__INLINE int16_t nnrt__tanh_s16_one(const nnrt__unary_s16_args *args, const uint16_t *table, int16_t q) {
    const int32_t x = nnrt__sigmoid_input(args, q);
    const uint32_t size = x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
    const int32_t y =
        size >> 8 >= 255 ? 0xffff << 8 : (int32_t)(nnrt__sigmoid_between(table, size >> 8, size & 0xff, 8) & 0xffffff);
    return (int16_t)((x >= 0 ? y - (1 << 23) + (1 << 7) : -y + (1 << 23) + (1 << 7) - 1) >> 8);
}

NNRT__INLINE int16_t nnrt__relu_s16_one(const nnrt__unary_s16_args *args, int16_t x) {
    const int32_t y = x >= 0 ? nnrt__requantize_saturated(x, args->multiplier, args->shift)
                             : args->slope_sign * nnrt__clamp_i32(nnrt__requantize_saturated(x, args->slope_multiplier,
                                                                                             args->slope_shift),
                                                                  -65536, 65536);
    return (int16_t)nnrt__clamp_i32(y, args->clamp_min, args->clamp_max);
}

NNRT__INLINE int16_t nnrt__abs_s16_one(const nnrt__unary_s16_args *args, int16_t x) {
    const int32_t y = nnrt__requantize_saturated(x < 0 ? -(int32_t)x : x, args->multiplier, args->shift);
    return (int16_t)nnrt__clamp_i32(y, args->clamp_min, args->clamp_max);
}

NNRT__ASSERT_FN bool nnrt__unary_s16_is_right(const nnrt__unary_s16_args *args, const uint16_t *table) {
    const bool scales = args->kind == NNRT__S16_RELU || args->kind == NNRT__S16_ABS;
    NNRT_ASSERT(args->kind < NNRT__S16_KINDS && scales == (table == NULL));
    NNRT_ASSERT(!scales || nnrt__is_factor(args->multiplier, args->shift, 30));
    NNRT_ASSERT(!scales || nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->kind != NNRT__S16_RELU || nnrt__is_factor(args->slope_multiplier, args->slope_shift, 30));
    NNRT_ASSERT(args->kind != NNRT__S16_RELU || args->slope_sign == 1 || args->slope_sign == -1);
    NNRT_ASSERT(scales || (args->multiplier >= 0 && args->multiplier <= 32767));
    NNRT_ASSERT(scales || (args->shift >= 0 && args->shift <= 31 && nnrt__is_aligned(table, 2)));
    return true;
}

/* pre  args as above; table: NNRT__SIGMOID_TABLE entries, of RELU and ABS NULL. out may be the very memory of in. */
NNRT__FN void nnrt__unary_s16_scalar(const nnrt__unary_s16_args *args, const uint16_t *table, const int16_t *in,
                                     int16_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__unary_s16_is_right(args, table));
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(int16_t), out, sizeof(int16_t), n));
    if (args->kind == NNRT__S16_RELU)
        for (i = 0; i < n; i++) out[i] = nnrt__relu_s16_one(args, in[i]);
    else if (args->kind == NNRT__S16_ABS)
        for (i = 0; i < n; i++) out[i] = nnrt__abs_s16_one(args, in[i]);
    else if (args->kind == NNRT__S16_LOGISTIC)
        for (i = 0; i < n; i++) out[i] = nnrt__logistic_s16_one(args, table, in[i]);
    else
        for (i = 0; i < n; i++) out[i] = nnrt__tanh_s16_one(args, table, in[i]);
}

#endif /* NNRT_KERNELS_UNARY_S16_SCALAR_H */
