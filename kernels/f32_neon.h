/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/f32_neon.h - what the float kernels for NEON share: multiply-add, clamp, partial vectors,
   sums over lanes.

   AArch64 always fuses. ARMv7 fuses if the whole file is compiled for it (VFPv4: Cortex-A7, -A15), else the product is
   rounded first. The by-lane form cannot fuse on ARMv7 but saves the broadcast, so GEMM uses it anyway. Both stay
   within the bounds. */
#ifndef NNRT_KERNELS_F32_NEON_H
#define NNRT_KERNELS_F32_NEON_H

#include "internal.h"

#if defined(__aarch64__) || defined(__ARM_FEATURE_FMA)
/* sum + x * y */
NNRT__INLINE float32x4_t nnrt__fma_f32_neon(float32x4_t sum, float32x4_t x, float32x4_t y) {
    return vfmaq_f32(sum, x, y);
}
#else
NNRT__INLINE float32x4_t nnrt__fma_f32_neon(float32x4_t sum, float32x4_t x, float32x4_t y) {
    return vmlaq_f32(sum, x, y);
}
#endif

#if defined(__aarch64__)
/* sum + w * x[0], sum + w * x[1] */
NNRT__INLINE float32x4_t nnrt__fma_lane0_f32_neon(float32x4_t sum, float32x4_t w, float32x2_t x) {
    return vfmaq_lane_f32(sum, w, x, 0);
}
NNRT__INLINE float32x4_t nnrt__fma_lane1_f32_neon(float32x4_t sum, float32x4_t w, float32x2_t x) {
    return vfmaq_lane_f32(sum, w, x, 1);
}
/* x / count; ARMv7 has no vector division, and one of a scalar serves all: two roundings. */
NNRT__INLINE float32x4_t nnrt__divide_f32_neon(float32x4_t x, float count) { return vdivq_f32(x, vdupq_n_f32(count)); }
/* x / y */
NNRT__INLINE float32x4_t nnrt__vf_div_neon(float32x4_t x, float32x4_t y) { return vdivq_f32(x, y); }
/* a > b ? a : b. vmaxq_f32 would give NaN if a is one. */
NNRT__INLINE float32x4_t nnrt__greater_f32_neon(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
/* a < b ? a : b */
NNRT__INLINE float32x4_t nnrt__less_f32_neon(float32x4_t a, float32x4_t b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
/* a < b ? a : b, for a and b that are no NaN. */
NNRT__INLINE float32x4_t nnrt__lesser_f32_neon(float32x4_t a, float32x4_t b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
#else
NNRT__INLINE float32x4_t nnrt__fma_lane0_f32_neon(float32x4_t sum, float32x4_t w, float32x2_t x) {
    return vmlaq_lane_f32(sum, w, x, 0);
}
NNRT__INLINE float32x4_t nnrt__fma_lane1_f32_neon(float32x4_t sum, float32x4_t w, float32x2_t x) {
    return vmlaq_lane_f32(sum, w, x, 1);
}
NNRT__INLINE float32x4_t nnrt__divide_f32_neon(float32x4_t x, float count) { return vmulq_n_f32(x, 1.0f / count); }
/* x / y for y of 1 to infinity, within 4 * 2^-24 of it. */
NNRT__INLINE float32x4_t nnrt__vf_div_neon(float32x4_t x, float32x4_t y) {
    float32x4_t one_over_y = vrecpeq_f32(y);
    one_over_y = vmulq_f32(one_over_y, vrecpsq_f32(y, one_over_y));
    one_over_y = vmulq_f32(one_over_y, vrecpsq_f32(y, one_over_y));
    return vmulq_f32(x, one_over_y);
}
/* Not vcgtq_f32: GCC 12 splits that into scalar compares, as NEON's flush denormals. |a| >=
   |a| is false for a NaN only. Of two zeros either may come out. */
NNRT__INLINE float32x4_t nnrt__greater_f32_neon(float32x4_t a, float32x4_t b) {
    return vmaxq_f32(vbslq_f32(vcageq_f32(a, a), a, b), b);
}
NNRT__INLINE float32x4_t nnrt__less_f32_neon(float32x4_t a, float32x4_t b) {
    return vminq_f32(vbslq_f32(vcageq_f32(a, a), a, b), b);
}
NNRT__INLINE float32x4_t nnrt__lesser_f32_neon(float32x4_t a, float32x4_t b) { return vminq_f32(a, b); }
#endif

/* nnrt__clamp_f32 per lane. */
NNRT__INLINE float32x4_t nnrt__clamp_f32_neon(float32x4_t x, float32x4_t low, float32x4_t high) {
    return nnrt__lesser_f32_neon(nnrt__greater_f32_neon(x, low), high);
}

/* *from in lane 0, zeros in the others. */
NNRT__INLINE float32x4_t nnrt__load1_f32_neon(const float *from) { return vld1q_lane_f32(from, vdupq_n_f32(0.0f), 0); }

/* The first `count` <= 4 lanes to `to`; nothing behind them is touched. */
NNRT__INLINE void nnrt__store_f32_neon(float *to, float32x4_t x, size_t count) {
    float lanes[4];
    if (count == 4) {
        vst1q_f32(to, x);
    } else {
        vst1q_f32(lanes, x);
        for (size_t i = 0; i < count; i++) to[i] = lanes[i];
    }
}

/* Lane i of the result is the sum over the lanes of the i-th argument. */
NNRT__INLINE float32x4_t nnrt__lane_sums_f32_neon(float32x4_t a, float32x4_t b, float32x4_t c, float32x4_t d) {
    const float32x2_t a2 = vadd_f32(vget_low_f32(a), vget_high_f32(a));
    const float32x2_t b2 = vadd_f32(vget_low_f32(b), vget_high_f32(b));
    const float32x2_t c2 = vadd_f32(vget_low_f32(c), vget_high_f32(c));
    const float32x2_t d2 = vadd_f32(vget_low_f32(d), vget_high_f32(d));
    return vcombine_f32(vpadd_f32(a2, b2), vpadd_f32(c2, d2));
}

#endif /* NNRT_KERNELS_F32_NEON_H */
