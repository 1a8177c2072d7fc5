/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_scalar.h - any operator of one byte operand: a table of 256 bytes, made at Build, and its
   look-up.

   An int8 or uint8 byte is its own index, taken as unsigned. The bytes are those of TensorFlow Lite's reference
   kernels: operators that these compute with integer multipliers (requantization, RELU, RELU6, LEAKY_RELU, ABS,
   HSWISH, RSQRT) are made with the same integers, and the ratios of scales are rounded to float where they round
   them; the others are op(dequantized byte) in float, times the reciprocal of the output scale, rounded with ties
   away from zero, or for SQRT divided by the output scale and cut off towards zero.
   Where the reference fails or is undefined, the table still has a value: results beyond 32 bits saturate; RSQRT and
   SQRT of numbers below zero, and every NaN, are the lowest byte. */
#ifndef NNRT_KERNELS_LUT_S8_SCALAR_H
#define NNRT_KERNELS_LUT_S8_SCALAR_H

#include "pack_scalar.h"
#include "quantize_scalar.h"
#include "unary_f32_scalar.h"

/* out may be the very memory of in; neither has a byte in common with the table. */
NNRT__ASSERT_FN bool nnrt__lut_s8_is_right(const uint8_t *table, const uint8_t *in, const uint8_t *out, size_t n) {
    NNRT_ASSERT(table != NULL && nnrt__elements_are_right(in, 1, out, 1, n));
    NNRT_ASSERT(nnrt__is_apart(table, 256, out, n));
    return true;
}

NNRT__FN void nnrt__lut_s8_scalar(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__lut_s8_is_right(table, in, out, n));
    for (i = 0; i < n; i++) out[i] = table[in[i]];
}

NNRT__FN void nnrt__lut_s8_scalar_install(nnrt__cpu_table *t) {
    t->lut_s8 = nnrt__lut_s8_scalar;
    t->lut_s8_isa = "scalar";
}

typedef struct nnrt__lut_quant {
    double scale; /* > 0 */
    int32_t zero_point;
    bool is_signed;
} nnrt__lut_quant;

NNRT__ASSERT_FN bool nnrt__lut_quant_is_right(const nnrt__lut_quant *quant) {
    NNRT_ASSERT(quant->scale > 0);
    NNRT_ASSERT(nnrt__is_byte_quantity(quant->zero_point - (quant->is_signed ? 0 : 128)));
    return true;
}

/* The number that a byte stands for, before scale and zero point. */
NNRT__INLINE int32_t nnrt__lut_byte(uint32_t byte, bool is_signed) {
    return is_signed && byte >= 128 ? (int32_t)byte - 256 : (int32_t)byte;
}

/* x times a factor of nnrt__quantize_multiplier, |x| <= 255: exact within -1024..1024, and saturated there. Beyond a
   shift of 22 it is saturated anyway, and below it no left shift of 255 wraps. */
NNRT__INLINE int32_t nnrt__lut_scaled(int32_t x, int32_t multiplier, int32_t shift) {
    if (shift > 22) return x < 0 ? -1024 : x > 0 ? 1024 : 0;
    return nnrt__clamp_i32(nnrt__requantize(x, multiplier, shift), -1024, 1024);
}

NNRT__INLINE uint8_t nnrt__lut_stored(const nnrt__lut_quant *to, int32_t q) {
    return (uint8_t)nnrt__clamp_i32(q + to->zero_point, to->is_signed ? -128 : 0, to->is_signed ? 127 : 255);
}

/* Requantization with a clamp low..high; factor: the ratio of the scales. */
NNRT__FN void nnrt__lut_requantize(const nnrt__lut_quant *from, const nnrt__lut_quant *to, double factor, float low,
                                   float high, uint8_t *table) {
    const int32_t clamp_min = nnrt__quantize_one(low, (float)to->scale, to->zero_point, to->is_signed);
    const int32_t clamp_max = nnrt__quantize_one(high, (float)to->scale, to->zero_point, to->is_signed);
    int32_t multiplier, shift;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    nnrt__quantize_multiplier(factor, &multiplier, &shift);
    for (i = 0; i < 256; i++) {
        const int32_t x = nnrt__lut_byte(i, from->is_signed) - from->zero_point;
        const int32_t q = nnrt__lut_scaled(x, multiplier, shift) + to->zero_point;
        table[i] = (uint8_t)nnrt__clamp_i32(q, clamp_min, clamp_max);
    }
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* The ratio of the scales as a float. */
NNRT__INLINE double nnrt__lut_ratio_f32(const nnrt__lut_quant *from, const nnrt__lut_quant *to) {
    const float ratio = (float)from->scale / (float)to->scale;
    return (double)ratio;
}

/* LEAKY_RELU: what is below zero is scaled by the float scale * alpha / scale. A negative alpha negates the product
   with its magnitude. */
NNRT__FN void nnrt__lut_leaky_relu(const nnrt__lut_quant *from, const nnrt__lut_quant *to, float alpha,
                                   uint8_t *table) {
    const float slope = (float)from->scale * alpha / (float)to->scale;
    const int32_t sign = slope < 0.0f ? -1 : 1;
    int32_t multiplier, shift, slope_multiplier, slope_shift;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    nnrt__quantize_multiplier(nnrt__lut_ratio_f32(from, to), &multiplier, &shift);
    nnrt__quantize_multiplier((double)fabsf(slope), &slope_multiplier, &slope_shift);
    for (i = 0; i < 256; i++) {
        const int32_t x = nnrt__lut_byte(i, from->is_signed) - from->zero_point;
        table[i] = nnrt__lut_stored(to, x >= 0 ? nnrt__lut_scaled(x, multiplier, shift)
                                               : sign * nnrt__lut_scaled(x, slope_multiplier, slope_shift));
    }
}

NNRT__FN void nnrt__lut_abs(const nnrt__lut_quant *from, const nnrt__lut_quant *to, uint8_t *table) {
    int32_t multiplier, shift;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    nnrt__quantize_multiplier(nnrt__lut_ratio_f32(from, to), &multiplier, &shift);
    for (i = 0; i < 256; i++) {
        const int32_t x = nnrt__lut_byte(i, from->is_signed) - from->zero_point;
        table[i] = nnrt__lut_stored(to, nnrt__lut_scaled(x < 0 ? -x : x, multiplier, shift));
    }
}

/* x * 2^left, saturated; left within 0..31. */
NNRT__INLINE int32_t nnrt__shift_left_saturated(int32_t x, int32_t left) {
    const int64_t wide = (int64_t)x * ((int64_t)1 << left);
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* ------------------------------------------------------------------------------------- HSWISH in 16 bits */

/* round(a * b / 2^15), the halves towards positive infinity below zero and away from zero above; both within 16
   bits. */
NNRT__INLINE int32_t nnrt__lut_high_product_s16(int32_t a, int32_t b) {
    const int32_t product = a * b;
    if (a == -32768 && b == -32768) return 32767;
    return (product + (product >= 0 ? 16384 : -16383)) / 32768;
}

/* The upper half of a multiplier, rounded. */
NNRT__INLINE int32_t nnrt__lut_multiplier_s16(int32_t multiplier) {
    return multiplier >= INT32_MAX - 32768 ? 32767 : (multiplier + 32768) >> 16;
}

NNRT__INLINE int32_t nnrt__lut_shifted_s16(int32_t x, int32_t left) {
    return nnrt__clamp_i32(nnrt__shift_left_saturated(x, left), -32768, 32767);
}

/* x * min(max(x + 3, 0), 6) / 6 with x, its factor and the product in 16 bits each. false, and nothing written: the
   input scale is at least 128 times that of the output, which the reference refuses. */
NNRT__FN bool nnrt__lut_hswish(const nnrt__lut_quant *from, const nnrt__lut_quant *to, uint8_t *table) {
    const float fine_scale = 1.0f / 128.0f * (float)from->scale;
    const float out_factor = fine_scale / (float)to->scale, ramp_factor = fine_scale / (3.0f / 32768.0f);
    int32_t out_multiplier, out_shift, ramp_multiplier, ramp_shift;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    nnrt__quantize_multiplier((double)out_factor, &out_multiplier, &out_shift);
    nnrt__quantize_multiplier((double)ramp_factor, &ramp_multiplier, &ramp_shift);
    if (out_shift > 0) return false;
    out_multiplier = nnrt__lut_multiplier_s16(out_multiplier);
    ramp_multiplier = nnrt__lut_multiplier_s16(ramp_multiplier);
    for (i = 0; i < 256; i++) {
        const int32_t fine = 128 * (nnrt__lut_byte(i, from->is_signed) - from->zero_point);
        const int32_t value = nnrt__lut_high_product_s16(fine, out_multiplier);
        int32_t ramp = fine; /* of x from -3 to 3: from -2^15 to 2^15 - 1 */
        if (ramp_shift > 0) ramp = nnrt__lut_shifted_s16(ramp, ramp_shift - 1);
        ramp = nnrt__lut_high_product_s16(ramp, ramp_multiplier);
        if (ramp_shift > 0) ramp = nnrt__lut_shifted_s16(ramp, 1);
        if (ramp_shift < 0) ramp = nnrt__rounding_divide_by_pot(ramp, -ramp_shift);
        ramp = (ramp + 32768) >> 1;
        table[i] = nnrt__lut_stored(to, nnrt__rounding_divide_by_pot(ramp * value / 32768, -out_shift));
    }
    return true;
}

/* ------------------------------------------------------------------------------------- RSQRT */

/* 1 / sqrt(x) as multiplier and shift of nnrt__requantize: five steps of Newton's method from 1, in 32 bits of which 28
   are behind the point. x >= 0; 0 is taken for 1. */
NNRT__FN void nnrt__inverse_sqrt_multiplier(int32_t x, int32_t *multiplier, int32_t *shift) {
    const int32_t one = 1 << 28, three_halves = one + one / 2, half_sqrt_2 = 1518500250;
    int32_t up = 0, half, y = one, i;
    NNRT_ASSERT(x >= 0);
    *multiplier = INT32_MAX;
    *shift = 0;
    if (x <= 1) return;
    *shift = 11;
    for (; x >= 1 << 29; ++*shift) x /= 4;
    while (x < 1 << (27 - 2 * up)) up++; /* x * 4^up within 2^27..2^29 */
    *shift -= up;
    half = nnrt__rounding_divide_by_pot(x << (2 * up) >> 1, 1);
    for (i = 0; i < 5; i++) { /* y * (3 - x * y^2) / 2 */
        const int32_t square = nnrt__rounding_doubling_high_mul(y, y);
        const int32_t cube = nnrt__shift_left_saturated(nnrt__rounding_doubling_high_mul(square, y), 6);
        const int32_t first = nnrt__rounding_doubling_high_mul(three_halves, y);
        const int32_t second = nnrt__rounding_doubling_high_mul(half, cube);
        y = nnrt__shift_left_saturated((int32_t)((uint32_t)first - (uint32_t)second), 3);
    }
    y = nnrt__rounding_doubling_high_mul(y, half_sqrt_2);
    for (; *shift < 0; ++*shift) y *= 2;
    *multiplier = y;
    *shift = -*shift;
}

/* 1 / sqrt(x): 20 bits behind the point for 1 / sqrt(byte), and 1 / (sqrt(scale) * scale) times that. 1 / sqrt(0) is
   the highest byte. */
NNRT__FN void nnrt__lut_rsqrt(const nnrt__lut_quant *from, const nnrt__lut_quant *to, uint8_t *table) {
    const float divisor = sqrtf((float)from->scale) * (float)to->scale;
    int32_t multiplier, shift;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    nnrt__quantize_multiplier(1.0 / (double)divisor, &multiplier, &shift);
    for (i = 0; i < 256; i++) {
        const int32_t x = nnrt__lut_byte(i, from->is_signed) - from->zero_point;
        int32_t inverse, inverse_shift, q = x < 0 ? -1024 : 1024;
        if (x > 0) {
            nnrt__inverse_sqrt_multiplier(x, &inverse, &inverse_shift);
            inverse = nnrt__requantize(1, inverse, inverse_shift + 20); /* within 2^16..2^20 */
            if (shift < -11) q = 0;
            else if (shift <= 30) q = nnrt__clamp_i32(nnrt__requantize(inverse, multiplier, shift - 20), -1024, 1024);
        }
        table[i] = nnrt__lut_stored(to, q);
    }
}

/* ------------------------------------------------------------------------------------- float functions */

NNRT__FN void nnrt__lut_unary(const nnrt__lut_quant *from, const nnrt__lut_quant *to, uint32_t kind, float alpha,
                              float beta, uint8_t *table) {
    const float scale = (float)to->scale, inverse = 1.0f / scale;
    uint32_t i;
    NNRT_ASSERT(nnrt__lut_quant_is_right(from) && nnrt__lut_quant_is_right(to));
    for (i = 0; i < 256; i++) {
        const float x = (float)from->scale * (float)(nnrt__lut_byte(i, from->is_signed) - from->zero_point);
        const float y = nnrt__unary_f32_one(kind, x, alpha, beta);
        const float q = kind == NNRT__UNARY_SQRT ? truncf(y / scale) : y * inverse;
        table[i] = (uint8_t)nnrt__quantize_one(q, 1.0f, to->zero_point, to->is_signed);
    }
}

NNRT__FP_CONTRACT_OFF_END

#endif /* NNRT_KERNELS_LUT_S8_SCALAR_H */
