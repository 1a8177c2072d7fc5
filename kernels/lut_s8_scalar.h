/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_scalar.h - any operator of one byte operand: a table of 256 bytes, made at Build, and its
   look-up.

   An int8 or uint8 byte is its own index, taken as unsigned. Tables of operators that TensorFlow Lite
   computes with integer multipliers (requantization, RELU, RELU6, LEAKY_RELU) are made with the same
   integers, so that the bytes agree; the others are op(dequantized byte) in float, divided by the output
   scale, rounded with ties away from zero. */
#ifndef NNRT_KERNELS_LUT_S8_SCALAR_H
#define NNRT_KERNELS_LUT_S8_SCALAR_H

#include "pack_scalar.h"
#include "quantize_scalar.h"
#include "unary_f32_scalar.h"

/* out may be the very memory of in. */
NNRT__FN void nnrt__lut_s8_scalar(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) out[i] = table[in[i]];
}

typedef struct nnrt__lut_quant {
    double scale; /* > 0 */
    int32_t zero_point;
    bool is_signed;
} nnrt__lut_quant;

/* The number that a byte stands for, before scale and zero point. */
NNRT__INLINE int32_t nnrt__lut_byte(uint32_t byte, bool is_signed) {
    return is_signed && byte >= 128 ? (int32_t)byte - 256 : (int32_t)byte;
}

/* Requantization with a clamp low..high, and with another factor for what is below zero: slope 1 for none,
   else >= 0. */
NNRT__FN void nnrt__lut_requantize(const nnrt__lut_quant *from, const nnrt__lut_quant *to, double slope, float low,
                                   float high, uint8_t *table) {
    const int32_t least = to->is_signed ? -128 : 0, most = to->is_signed ? 127 : 255;
    const int32_t clamp_min = nnrt__quantize_one(low, (float)to->scale, to->zero_point, to->is_signed);
    const int32_t clamp_max = nnrt__quantize_one(high, (float)to->scale, to->zero_point, to->is_signed);
    int32_t multiplier, shift, slope_multiplier, slope_shift;
    uint32_t i;
    nnrt__quantize_multiplier(from->scale / to->scale, &multiplier, &shift);
    nnrt__quantize_multiplier(slope * from->scale / to->scale, &slope_multiplier, &slope_shift);
    for (i = 0; i < 256; i++) {
        const int32_t x = nnrt__lut_byte(i, from->is_signed) - from->zero_point;
        /* beyond 2^22 the result saturates anyway, and below it no left shift of 255 wraps */
        const int32_t scaled = shift > 22 || (x < 0 && slope_shift > 22) ? (x < 0   ? -1024
                                                                            : x > 0 ? 1024
                                                                                    : 0)
                               : x < 0 ? nnrt__requantize(x, slope_multiplier, slope_shift)
                                       : nnrt__requantize(x, multiplier, shift);
        int32_t q = nnrt__clamp_i32(scaled, -1024, 1024) + to->zero_point;
        q = nnrt__clamp_i32(nnrt__clamp_i32(q, clamp_min, clamp_max), least, most);
        table[i] = (uint8_t)q;
    }
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN void nnrt__lut_unary(const nnrt__lut_quant *from, const nnrt__lut_quant *to, uint32_t kind, float alpha,
                              float beta, uint8_t *table) {
    uint32_t i;
    for (i = 0; i < 256; i++) {
        const float x = (float)from->scale * (float)(nnrt__lut_byte(i, from->is_signed) - from->zero_point);
        const float y = nnrt__unary_f32_one(kind, x, alpha, beta);
        table[i] = (uint8_t)nnrt__quantize_one(y, (float)to->scale, to->zero_point, to->is_signed);
    }
}

NNRT__FP_CONTRACT_OFF_END

#endif /* NNRT_KERNELS_LUT_S8_SCALAR_H */
