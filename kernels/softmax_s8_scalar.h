/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/softmax_s8_scalar.h - int8 softmax in fixed point, with TensorFlow Lite's bytes.

   The output has scale 1/256 and zero point -128, or is int16 with scale 1/65536 and zero point -32768. exp is a
   function of the difference to the row's maximum, and there are 256 differences: so it is a table, made at Build with
   the fixed-point polynomial of the original, and a row costs one look-up per element for the sum and one look-up and
   multiplication for the result. Where flash counts and elements are few, exp is computed by every run instead: the
   table takes 1,024 bytes, the polynomial 150 bytes of code more, and a row 120 instructions of a Cortex-M4 an element
   (the meter's ten; GCC 12.2, 2026-11-26).

   Numbers in fixed point are written Qi.f: i bits left of the point and f right of it, and a sign. */
#ifndef NNRT_KERNELS_SOFTMAX_S8_SCALAR_H
#define NNRT_KERNELS_SOFTMAX_S8_SCALAR_H

#include "pack_scalar.h"

/* A product in fixed point: a * b / 2^31, rounded. There are a dozen of them below. */
NNRT__APART_FOR_SIZE int32_t nnrt__softmax_s8_mul(int32_t a, int32_t b) {
    return nnrt__rounding_doubling_high_mul(a, b);
}

/* x * 2^exponent, saturating. 0 <= exponent < 31. */
NNRT__INLINE_FOR_SPEED int32_t nnrt__saturating_shift_left(int32_t x, int exponent) {
    const int32_t most = INT32_MAX >> exponent;
    return x > most ? INT32_MAX : x < -1 - most ? INT32_MIN : (int32_t)((uint32_t)x << exponent);
}

/* exp(a) for a in [-1/4, 0), Q0.31: Taylor's series to the fourth power around -1/8. */
NNRT__FN int32_t nnrt__exp_of_last_quarter(int32_t a) {
    const int32_t exp_minus_eighth = 1895147668, third = 715827883;
    const int32_t x = a + (1 << 28);
    const int32_t x2 = nnrt__softmax_s8_mul(x, x);
    const int32_t x3 = nnrt__softmax_s8_mul(x2, x);
    const int32_t x4_over_4 = nnrt__rounding_divide_by_pot(nnrt__softmax_s8_mul(x2, x2), 2);
    const int32_t rest = nnrt__rounding_divide_by_pot(nnrt__softmax_s8_mul(x4_over_4 + x3, third) + x2, 1);
    NNRT_ASSERT(a >= -(1 << 29) && a < 0);
    return exp_minus_eighth + nnrt__softmax_s8_mul(exp_minus_eighth, x + rest);
}

/* exp(a) for a <= 0 in Q5.26; the result is Q0.31. Bits of a above a quarter select factors exp(-1/4) ...
   exp(-16). */
NNRT__FN int32_t nnrt__exp_of_negative(int32_t a) {
    static const int32_t factors[7] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
    const int32_t quarter = 1 << 24;
    const int32_t part = (a & (quarter - 1)) - quarter; /* [-1/4, 0) */
    const int32_t remainder = (int32_t)((uint32_t)part - (uint32_t)a);
    int32_t result = nnrt__exp_of_last_quarter(part * 32);
    int bit;
    NNRT_ASSERT(a <= 0);
    if (a == 0) return INT32_MAX;
    for (bit = 0; bit < 7; bit++)
        if (remainder & (1 << (24 + bit))) result = nnrt__softmax_s8_mul(result, factors[bit]);
    return result;
}

/* How a difference of two elements becomes an exponent in Q5.26. */
typedef struct nnrt__softmax_s8_scale {
    int32_t multiplier; /* not negative; times 2^shift / 2^31 */
    int32_t shift;      /* 0..30 */
    int32_t most;       /* the largest difference in range: most * 2^shift <= (2^5 - 1) * 2^26 */
} nnrt__softmax_s8_scale;

/* input_scale > 2^-26, or the result is false and there is no fixed point for it. */
NNRT__FN bool nnrt__softmax_s8_scale_of(double input_scale, nnrt__softmax_s8_scale *scale) {
    const double limit = 2147483647.0;
    double factor = input_scale * (double)(1 << 26);
    if (!(factor > 1.0)) return false;
    if (factor > limit) factor = limit;
    nnrt__quantize_multiplier(factor, &scale->multiplier, &scale->shift);
    if (scale->shift > 30) return false;
    scale->most = (int32_t)floor(31.0 * (double)(1 << 26) / ldexp(1.0, scale->shift));
    return true;
}

/* Does what may come from anywhere keep the bounds above? */
NNRT__FN bool nnrt__softmax_s8_scale_is_right(const nnrt__softmax_s8_scale *scale) {
    return scale->multiplier >= 0 && scale->shift >= 0 && scale->shift <= 30 && scale->most >= 0 &&
           scale->most <= (31 << 26) >> scale->shift;
}

/* exp of an element that is `below` less than the row's maximum, Q0.31; beyond the range it is 0 and counts for
   nothing. */
NNRT__FN int32_t nnrt__softmax_s8_exp(const nnrt__softmax_s8_scale *scale, int32_t below) {
    NNRT_ASSERT(below >= 0 && nnrt__softmax_s8_scale_is_right(scale));
    if (below > scale->most) return 0;
    return nnrt__exp_of_negative(nnrt__softmax_s8_mul(-below * (1 << scale->shift), scale->multiplier));
}

/* exp of input differences 0, -1 .. -255 in Q0.31. false: there is no table. table[0] is INT32_MAX, no entry is
   negative. */
NNRT__FN bool nnrt__softmax_s8_table(double input_scale, int32_t *table) {
    nnrt__softmax_s8_scale scale;
    int32_t i;
    if (!nnrt__softmax_s8_scale_of(input_scale, &scale)) return false;
    for (i = 0; i < 256; i++) table[i] = nnrt__softmax_s8_exp(&scale, i);
    return true;
}

/* 1 / (1 + a) for a in [0, 1), Q0.31: three steps of Newton and Raphson from 48/17 - 32/17 * (1 + a) / 2, in
   Q2.29. */
NNRT__FN int32_t nnrt__one_over_one_plus(int32_t a) {
    const int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) / 2); /* (1 + a) / 2, rounded */
    int32_t x = 1515870810 + nnrt__softmax_s8_mul(half, -1010580540);
    int i;
    NNRT_ASSERT(a >= 0);
    for (i = 0; i < 3; i++) {
        const int32_t error = (1 << 29) - nnrt__softmax_s8_mul(half, x);
        x += nnrt__saturating_shift_left(nnrt__softmax_s8_mul(x, error), 2);
    }
    return nnrt__saturating_shift_left(x, 1);
}

NNRT__INLINE int nnrt__leading_zeros_u32(uint32_t x) {
    int count = 0;
    while (count < 32 && (x & 0x80000000u) == 0) {
        x <<= 1;
        count++;
    }
    return count;
}

/* What the elements of a row are divided by. */
typedef struct nnrt__softmax_s8_total {
    int32_t most; /* the largest element */
    uint32_t reciprocal, half;
    int shift; /* the result of e^x, Q0.31, is e^x * reciprocal / 2^31 / 2^shift, both rounded */
} nnrt__softmax_s8_total;

/* all: the sum of a row's e^x with 19 bits behind the point; results have `bits` of these. Sets all but `most`. */
NNRT__FN void nnrt__softmax_s8_divide(uint64_t all, int bits, nnrt__softmax_s8_total *row) {
    const uint32_t sum = all > (uint64_t)INT32_MAX ? (uint32_t)INT32_MAX : (uint32_t)all;
    const int zeros = nnrt__leading_zeros_u32(sum | 1u); /* sum = 2^(12 - zeros) * (1 + bits behind the first / 2^31) */
    row->reciprocal = (uint32_t)nnrt__one_over_one_plus((int32_t)((sum << zeros) & 0x7fffffffu));
    row->shift = 12 - zeros + 31 - bits;
    if (row->shift > 31) row->reciprocal = 0, row->shift = 31; /* all results are 0 */
    if (row->shift < 0) row->shift = 0;
    row->half = (1u << row->shift) >> 1;
}

/* false: the kernel is stopped. What is no negative number is rounded by adding half of the unit and cutting off. */
NNRT__FN bool nnrt__softmax_s8_total_of(const int32_t *table, const int8_t *in, size_t n, size_t stride, int bits,
                                        const nnrt__stop *stop, nnrt__softmax_s8_total *row) {
    uint64_t all = 0;
    size_t i = 0, end;
    row->most = -128;
    while (i < n) {
        for (end = nnrt__piece_until(stop, i, n); i < end; i++)
            row->most = in[i * stride] > row->most ? in[i * stride] : row->most;
        if (nnrt__is_stopped(stop)) return false;
    }
    for (i = 0; i < n;) {
        for (end = nnrt__piece_until(stop, i, n); i < end; i++)
            all += ((uint32_t)table[row->most - in[i * stride]] + (1u << 11)) >> 12;
        if (nnrt__is_stopped(stop)) return false;
    }
    nnrt__softmax_s8_divide(all, bits, row);
    return true;
}

/* The result of an element with this e^x. */
NNRT__INLINE int32_t nnrt__softmax_s8_one(const nnrt__softmax_s8_total *row, int32_t exponential) {
    const uint64_t product = (uint64_t)row->reciprocal * (uint32_t)exponential + (1u << 30);
    const uint32_t result = ((uint32_t)(product >> 31) + row->half) >> row->shift;
    return (int32_t)(result & 0x7fffffffu);
}

/* A row with results of `bits` bits, 8 or 16, in integers of that size. */
NNRT__INLINE_FOR_SPEED void nnrt__softmax_s8_row(const int32_t *table, const int8_t *in, void *out, size_t n,
                                                 size_t stride, int bits, const nnrt__stop *stop) {
    const int32_t most = (1 << bits) - 1, zero_point = 1 << (bits - 1);
    nnrt__softmax_s8_total row;
    size_t i, end;
    if (!nnrt__softmax_s8_total_of(table, in, n, stride, bits, stop, &row)) return;
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_until(stop, i, n); i < end; i++) {
            const int32_t q = nnrt__softmax_s8_one(&row, table[row.most - in[i * stride]]); /* >= 0 */
            const int32_t result = (q > most ? most : q) - zero_point;
            if (bits == 8) ((int8_t *)out)[i * stride] = (int8_t)result;
            else ((int16_t *)out)[i * stride] = (int16_t)result;
        }
}

/* pre   one row of n >= 1 elements, stride elements apart, in `in` and in `out`; out may be the very memory
   of in; stop as in internal.h. table: 256 entries that are not negative (others give wrong bytes, but nothing worse).
   The sum is Q12.19 and saturates: at 4096 elements that are all the maximum. */
NNRT__FN void nnrt__softmax_s8_scalar(const int32_t *table, const int8_t *in, int8_t *out, size_t n, size_t stride,
                                      const nnrt__stop *stop) {
    NNRT_ASSERT(nnrt__row_is_right(in, 1, out, 1, n, stride));
    NNRT_ASSERT(nnrt__is_aligned(table, 4));
    nnrt__softmax_s8_row(table, in, out, n, stride, 8, stop);
}

/* The same with an int16 output of scale 1/65536 and zero point -32768; out does not overlap in. */
NNRT__FN void nnrt__softmax_s8_to_s16_scalar(const int32_t *table, const int8_t *in, int16_t *out, size_t n,
                                             size_t stride, const nnrt__stop *stop) {
    NNRT_ASSERT((const void *)in != out && nnrt__row_is_right(in, 1, out, 2, n, stride));
    NNRT_ASSERT(nnrt__is_aligned(table, 4));
    nnrt__softmax_s8_row(table, in, out, n, stride, 16, stop);
}

/* Most elements of a row without a table. */
#define NNRT__SOFTMAX_S8_FEW 32u

/* nnrt__softmax_s8_scalar without a table: the same bytes for a row of 1 to NNRT__SOFTMAX_S8_FEW elements side by side;
   out may be in. */
NNRT__FN void nnrt__softmax_few_s8_scalar(const nnrt__softmax_s8_scale *scale, const int8_t *in, int8_t *out,
                                          size_t n) {
    int32_t exps[NNRT__SOFTMAX_S8_FEW], most = -128;
    nnrt__softmax_s8_total row;
    uint64_t all = 0;
    size_t i;
    NNRT_ASSERT(n >= 1 && n <= NNRT__SOFTMAX_S8_FEW && nnrt__row_is_right(in, 1, out, 1, n, 1));
    for (i = 0; i < n; i++) most = in[i] > most ? in[i] : most;
    for (i = 0; i < n; i++) {
        exps[i] = nnrt__softmax_s8_exp(scale, most - in[i]);
        all += ((uint32_t)exps[i] + (1u << 11)) >> 12;
    }
    nnrt__softmax_s8_divide(all, 8, &row);
    for (i = 0; i < n; i++) {
        const int32_t q = nnrt__softmax_s8_one(&row, exps[i]); /* >= 0 */
        out[i] = (int8_t)((q > 255 ? 255 : q) - 128);
    }
}

#endif /* NNRT_KERNELS_SOFTMAX_S8_SCALAR_H */
