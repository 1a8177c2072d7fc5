/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_neon.h - unary_f32 and softmax_f32 for ARMv7 NEON and AArch64: what vectors_f32.h makes them of.
   Contracts and bounds there. Four elements at a time. */
#ifndef NNRT_KERNELS_UNARY_F32_NEON_H
#define NNRT_KERNELS_UNARY_F32_NEON_H

#include "f32_neon.h"
#include "vectors_f32.h"

#define NNRT__TARGET_NEON /* that of the whole file */

NNRT__INLINE float32x4_t nnrt__vf_load_neon(const float *p) { return vld1q_f32(p); }
NNRT__INLINE void nnrt__vf_store_neon(float *p, float32x4_t x) { vst1q_f32(p, x); }
/* The first n of 1 to 3 elements, and `rest` behind them. */
NNRT__INLINE float32x4_t nnrt__vf_some_neon(const float *p, size_t n, float rest) {
    float32x4_t x = vld1q_lane_f32(p, vdupq_n_f32(rest), 0);
    if (n > 1) x = vld1q_lane_f32(p + 1, x, 1);
    return n > 2 ? vld1q_lane_f32(p + 2, x, 2) : x;
}
NNRT__INLINE void nnrt__vf_store_some_neon(float *p, float32x4_t x, size_t n) {
    vst1q_lane_f32(p, x, 0);
    if (n > 1) vst1q_lane_f32(p + 1, x, 1);
    if (n > 2) vst1q_lane_f32(p + 2, x, 2);
}
/* Over the lanes. */
NNRT__INLINE float nnrt__vf_most_neon(float32x4_t x) {
    const float32x2_t two = vmax_f32(vget_low_f32(x), vget_high_f32(x));
    return vget_lane_f32(vpmax_f32(two, two), 0);
}
NNRT__INLINE float nnrt__vf_sum_neon(float32x4_t x) {
    const float32x2_t two = vadd_f32(vget_low_f32(x), vget_high_f32(x));
    return vget_lane_f32(vpadd_f32(two, two), 0);
}
NNRT__INLINE float32x4_t nnrt__vf_all_neon(float x) { return vdupq_n_f32(x); }
NNRT__INLINE float32x4_t nnrt__vf_add_neon(float32x4_t a, float32x4_t b) { return vaddq_f32(a, b); }
NNRT__INLINE float32x4_t nnrt__vf_sub_neon(float32x4_t a, float32x4_t b) { return vsubq_f32(a, b); }
NNRT__INLINE float32x4_t nnrt__vf_mul_neon(float32x4_t a, float32x4_t b) { return vmulq_f32(a, b); }
/* sum + x * y */
NNRT__INLINE float32x4_t nnrt__vf_fma_neon(float32x4_t sum, float32x4_t x, float32x4_t y) {
    return nnrt__fma_f32_neon(sum, x, y);
}
/* The larger one; a NaN where there is one. */
NNRT__INLINE float32x4_t nnrt__vf_max_neon(float32x4_t x, float32x4_t y) { return vmaxq_f32(x, y); }
/* As the clamp, but a NaN stays one. */
NNRT__INLINE float32x4_t nnrt__vf_within_neon(float32x4_t x, float32x4_t low, float32x4_t high) {
    return vminq_f32(vmaxq_f32(x, low), high);
}
NNRT__INLINE float32x4_t nnrt__vf_abs_neon(float32x4_t x) { return vabsq_f32(x); }
/* x with the sign of y */
NNRT__INLINE float32x4_t nnrt__vf_with_sign_neon(float32x4_t x, float32x4_t y) {
    return vbslq_f32(vdupq_n_u32(0x80000000u), y, x);
}
/* `negative` where x has a sign, else `other` */
NNRT__INLINE float32x4_t nnrt__vf_by_sign_neon(float32x4_t x, float32x4_t negative, float32x4_t other) {
    return vbslq_f32(vcltq_s32(vreinterpretq_s32_f32(x), vdupq_n_s32(0)), negative, other);
}
/* 2^(n - 1) for the n that was rounded: 0 for -126, infinity for 129; not beyond these. */
NNRT__INLINE float32x4_t nnrt__vf_half_power_neon(float32x4_t rounded) {
    const int32x4_t n = vsubq_s32(vreinterpretq_s32_f32(rounded), vdupq_n_s32(NNRT__ROUNDER_F32_BITS - 126));
    return vreinterpretq_f32_s32(vshlq_n_s32(n, 23));
}

NNRT__VECTORS_F32(neon, NEON, NNRT__TARGET_NEON, float32x4_t, 4)

#endif /* NNRT_KERNELS_UNARY_F32_NEON_H */
