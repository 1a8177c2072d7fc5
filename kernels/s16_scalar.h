/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/s16_scalar.h - what the int16 kernels share: requantization of sums, bounds of activations.

   The scheme is TensorFlow Lite's 16x8: int16 activations with one scale and zero point 0, int8 weights with zero
   point 0. A model says by the type of its bias how sums are kept:
       int64   the sum is exact in 64 bits, and the multiplier is rounded to its upper 15 bits;
       int32   the sum is kept modulo 2^32 and rescaled as that of an int8 operator is. */
#ifndef NNRT_KERNELS_S16_SCALAR_H
#define NNRT_KERNELS_S16_SCALAR_H

#include "fp_contract.h"
#include "internal.h"

/* clamp(round(x * multiplier * 2^(shift - 31))), ties up, with the multiplier rounded to 15 bits; low and high lie
   within int16. Exact while |x| < 2^47 and shift lies in -31..7, which Build checks; from a hostile plan the product
   wraps and any shift gives some number. The reference kernels cut a result that leaves 32 bits off; here it
   saturates. */
NNRT__INLINE int16_t nnrt__requantize_wide_s16(uint64_t x, int32_t multiplier, int32_t shift, int32_t low,
                                               int32_t high) {
    const int32_t reduced = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) >> 16 : 0x7fff;
    const unsigned total = (15u - (uint32_t)shift) & 63u;
    const int64_t result = (int64_t)(x * (uint64_t)(int64_t)reduced + ((uint64_t)1 << total >> 1)) >> total;
    return (int16_t)(result < low ? low : result > high ? high : result);
}

/* nnrt__requantize of any x, with x * 2^shift kept within 32 bits where it would leave them. */
NNRT__INLINE int32_t nnrt__requantize_saturated(int32_t x, int32_t multiplier, int32_t shift) {
    const int left = shift > 0 ? (int)((uint32_t)shift & 31u) : 0;
    const int64_t shifted = (int64_t)x * ((int64_t)1 << left);
    const int32_t kept = shifted < INT32_MIN ? INT32_MIN : shifted > INT32_MAX ? INT32_MAX : (int32_t)shifted;
    return nnrt__requantize(kept, multiplier, shift > 0 ? 0 : shift);
}

/* clamp(x * multiplier * 2^(shift - 31)) of a sum modulo 2^32, with the rescale of int8 operators. */
NNRT__INLINE int16_t nnrt__requantize_s16(uint32_t x, int32_t multiplier, int32_t shift, int32_t low, int32_t high) {
    return (int16_t)nnrt__clamp_i32(nnrt__requantize((int32_t)x, multiplier, shift), low, high);
}

/* What goes with each output channel: n of each. bias_high NULL: biases have 32 bits, and so have sums. */
typedef struct nnrt__channels_s16 {
    const int32_t *bias, *bias_high, *multiplier, *shift;
} nnrt__channels_s16;

NNRT__ASSERT_FN bool nnrt__channels_s16_are_right(const nnrt__channels_s16 *channels) {
    NNRT_ASSERT(nnrt__is_aligned(channels->bias, 4));
    NNRT_ASSERT(channels->bias_high == NULL || nnrt__is_aligned(channels->bias_high, 4));
    NNRT_ASSERT(nnrt__is_aligned(channels->multiplier, 4) && nnrt__is_aligned(channels->shift, 4));
    return true;
}

/* The last step of every product with int8 weights: bias, rescale and clamp of the exact sum of channel c. */
NNRT__INLINE int16_t nnrt__finish_s16(const nnrt__channels_s16 *channels, size_t c, int64_t sum, int32_t low,
                                      int32_t high) {
    const uint32_t bias = (uint32_t)channels->bias[c];
    if (channels->bias_high == NULL)
        return nnrt__requantize_s16((uint32_t)(uint64_t)sum + bias, channels->multiplier[c], channels->shift[c], low,
                                    high);
    return nnrt__requantize_wide_s16((uint64_t)sum + ((uint64_t)(uint32_t)channels->bias_high[c] << 32 | bias),
                                     channels->multiplier[c], channels->shift[c], low, high);
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* clamp(round(x / scale) + zero_point): the quotient in float, ties away from zero. A NaN becomes the lowest value.
   zero_point lies within int16. */
NNRT__INLINE int32_t nnrt__quantize_one_s16(float x, float scale, int32_t zero_point) {
    const double quotient = (double)nnrt__clamp_f32(x / scale, -131072.0f, 131072.0f); /* +- 0.5 is exact */
    return nnrt__clamp_i32((int32_t)(quotient + copysign(0.5, quotient)) + zero_point, -32768, 32767);
}

NNRT__FN void nnrt__quantize_s16_scalar(const float *in, float scale, int32_t zero_point, int16_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(zero_point >= -32768 && zero_point <= 32767);
    for (i = 0; i < n; i++) out[i] = (int16_t)nnrt__quantize_one_s16(in[i], scale, zero_point);
}

/* scale * (q - zero_point), one rounding. */
NNRT__FN void nnrt__dequantize_s16_scalar(const int16_t *in, float scale, int32_t zero_point, float *out, size_t n) {
    size_t i;
    NNRT_ASSERT(zero_point >= -32768 && zero_point <= 32767);
    for (i = 0; i < n; i++) out[i] = scale * (float)(in[i] - zero_point);
}

NNRT__FP_CONTRACT_OFF_END

/* The quantized range of an activation that keeps low..high, as nnrt__clamp_range_to_quantized. */
NNRT__FN void nnrt__clamp_range_to_s16(float low, float high, float scale, int32_t *clamp_min, int32_t *clamp_max) {
    *clamp_min = nnrt__quantize_one_s16(low, scale, 0);
    *clamp_max = nnrt__quantize_one_s16(high, scale, 0);
}

#endif /* NNRT_KERNELS_S16_SCALAR_H */
