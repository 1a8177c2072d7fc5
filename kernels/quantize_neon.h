/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/quantize_neon.h - quantize_f32 and dequantize_f32 for ARMv7 NEON and AArch64. Contract: quantize_scalar.h,
   and its bytes. Eight elements at a time; what is left behind them goes to the portable loop. */
#ifndef NNRT_KERNELS_QUANTIZE_NEON_H
#define NNRT_KERNELS_QUANTIZE_NEON_H

#include "f32_neon.h"
#include "internal.h"
#include "quantize_scalar.h"

#if defined(__aarch64__)
#include "quantize_neon_armv8.h"
#else
#include "quantize_neon_armv7.h"
#endif

NNRT__INLINE float32x4_t nnrt__quantize_4_neon(const float *in, float32x4_t by) {
    return nnrt__clamp_f32_neon(nnrt__quantize_quotient_neon(vld1q_f32(in), by), vdupq_n_f32(-1024.0f),
                                vdupq_n_f32(1024.0f));
}

NNRT__FN void nnrt__quantize_f32_neon(const float *in, float scale, int32_t zero_point, bool is_signed, void *out,
                                      size_t n) {
    const size_t whole = nnrt__quantize_divides_neon(scale) ? n & ~(size_t)7 : 0;
    const float32x4_t by = nnrt__quantize_by_neon(scale);
    const int16x8_t zero_points = vdupq_n_s16((int16_t)zero_point);
    uint8_t *to = (uint8_t *)out;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_is_right(in, sizeof *in, zero_point, out, 1, n));
    for (i = 0; i < whole; i += 8) {
        const float32x4_t low = nnrt__quantize_4_neon(in + i, by), high = nnrt__quantize_4_neon(in + i + 4, by);
        const int16x8_t words = vaddq_s16(
            vcombine_s16(vmovn_s32(nnrt__quantize_round_neon(low)), vmovn_s32(nnrt__quantize_round_neon(high))),
            zero_points);
        if (!nnrt__quantize_is_sure_neon(low, high))
            nnrt__quantize_f32_scalar(in + i, scale, zero_point, is_signed, to + i, 8);
        else vst1_u8(to + i, is_signed ? vreinterpret_u8_s8(vqmovn_s16(words)) : vqmovun_s16(words));
    }
    nnrt__quantize_f32_scalar(in + i, scale, zero_point, is_signed, to + i, n - i);
}

/* is_signed is a constant wherever this is called. n is a multiple of 8. */
NNRT__INLINE void nnrt__dequantize_loop_neon(const uint8_t *in, float scale, int32_t zero_point, bool is_signed,
                                             float *out, size_t n) {
    const int16x8_t zero_points = vdupq_n_s16((int16_t)zero_point);
    size_t i;
    for (i = 0; i < n; i += 8) {
        const uint8x8_t bytes = vld1_u8(in + i);
        const int16x8_t wide = is_signed ? vmovl_s8(vreinterpret_s8_u8(bytes)) : vreinterpretq_s16_u16(vmovl_u8(bytes));
        const int16x8_t x = vsubq_s16(wide, zero_points);
        vst1q_f32(out + i, vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_low_s16(x))), scale));
        vst1q_f32(out + i + 4, vmulq_n_f32(vcvtq_f32_s32(vmovl_s16(vget_high_s16(x))), scale));
    }
}

/* Smaller scales give denormals, which ARMv7's vectors have none of. */
NNRT__FN void nnrt__dequantize_f32_neon(const void *in, float scale, int32_t zero_point, bool is_signed, float *out,
                                        size_t n) {
    const size_t whole = fabsf(scale) >= 1e-30f ? n & ~(size_t)7 : 0;
    const uint8_t *bytes = (const uint8_t *)in;
    NNRT_ASSERT(nnrt__quantize_is_right(in, 1, zero_point, out, sizeof *out, n));
    if (is_signed) nnrt__dequantize_loop_neon(bytes, scale, zero_point, true, out, whole);
    else nnrt__dequantize_loop_neon(bytes, scale, zero_point, false, out, whole);
    nnrt__dequantize_f32_scalar(bytes + whole, scale, zero_point, is_signed, out + whole, n - whole);
}

NNRT__FN void nnrt__quantize_neon_install(nnrt__cpu_table *t) {
    t->quantize_f32 = nnrt__quantize_f32_neon;
    t->dequantize_f32 = nnrt__dequantize_f32_neon;
    t->quantize_f32_isa = t->dequantize_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_QUANTIZE_NEON_H */
