/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_cortex_m55.h - unary_f32 and softmax_f32 for Helium with floats (Cortex-M55, M85): what
   vectors_f32.h makes them of. Contracts and bounds there. Four elements at a time; Helium does not divide, quotients
   are those of the scalar unit. */
#ifndef NNRT_KERNELS_UNARY_F32_CORTEX_M55_H
#define NNRT_KERNELS_UNARY_F32_CORTEX_M55_H

#include "internal.h"
#include "vectors_f32.h"

#define NNRT__TARGET_CORTEX_M55 /* that of the whole file */

NNRT__INLINE float32x4_t nnrt__vf_load_cortex_m55(const float *p) { return __arm_vldrwq_f32(p); }
NNRT__INLINE void nnrt__vf_store_cortex_m55(float *p, float32x4_t x) { __arm_vstrwq_f32(p, x); }
/* The first n of 1 to 3 elements, and `rest` behind them. */
NNRT__INLINE float32x4_t nnrt__vf_some_cortex_m55(const float *p, size_t n, float rest) {
    const mve_pred16_t are_left = __arm_vctp32q((uint32_t)n);
    return __arm_vpselq_f32(__arm_vldrwq_z_f32(p, are_left), __arm_vdupq_n_f32(rest), are_left);
}
NNRT__INLINE void nnrt__vf_store_some_cortex_m55(float *p, float32x4_t x, size_t n) {
    __arm_vstrwq_p_f32(p, x, __arm_vctp32q((uint32_t)n));
}
/* Over the lanes. */
NNRT__INLINE float nnrt__vf_most_cortex_m55(float32x4_t x) { return __arm_vmaxnmvq_f32(-INFINITY, x); }
NNRT__INLINE float nnrt__vf_sum_cortex_m55(float32x4_t x) {
    return (__arm_vgetq_lane_f32(x, 0) + __arm_vgetq_lane_f32(x, 1)) +
           (__arm_vgetq_lane_f32(x, 2) + __arm_vgetq_lane_f32(x, 3));
}
NNRT__INLINE float32x4_t nnrt__vf_all_cortex_m55(float x) { return __arm_vdupq_n_f32(x); }
NNRT__INLINE float32x4_t nnrt__vf_add_cortex_m55(float32x4_t a, float32x4_t b) { return __arm_vaddq_f32(a, b); }
NNRT__INLINE float32x4_t nnrt__vf_sub_cortex_m55(float32x4_t a, float32x4_t b) { return __arm_vsubq_f32(a, b); }
NNRT__INLINE float32x4_t nnrt__vf_mul_cortex_m55(float32x4_t a, float32x4_t b) { return __arm_vmulq_f32(a, b); }
/* x / y */
NNRT__INLINE float32x4_t nnrt__vf_div_cortex_m55(float32x4_t x, float32x4_t y) { return x / y; }
/* sum + x * y */
NNRT__INLINE float32x4_t nnrt__vf_fma_cortex_m55(float32x4_t sum, float32x4_t x, float32x4_t y) {
    return __arm_vfmaq_f32(sum, x, y);
}
/* The larger one; of a NaN and a number the number. */
NNRT__INLINE float32x4_t nnrt__vf_max_cortex_m55(float32x4_t x, float32x4_t y) { return __arm_vmaxnmq_f32(x, y); }
/* nnrt__clamp_f32 per lane. */
NNRT__INLINE float32x4_t nnrt__clamp_f32_cortex_m55(float32x4_t x, float32x4_t low, float32x4_t high) {
    return __arm_vminnmq_f32(__arm_vmaxnmq_f32(x, low), high);
}
/* As the clamp, but a NaN stays one. Which numbers are none their bits tell: clang 19 takes x == x to be true. */
NNRT__INLINE float32x4_t nnrt__vf_within_cortex_m55(float32x4_t x, float32x4_t low, float32x4_t high) {
    const uint32x4_t size = __arm_vreinterpretq_u32_f32(__arm_vabsq_f32(x));
    return __arm_vpselq_f32(x, nnrt__clamp_f32_cortex_m55(x, low, high), __arm_vcmphiq_n_u32(size, 0x7f800000));
}
NNRT__INLINE float32x4_t nnrt__vf_abs_cortex_m55(float32x4_t x) { return __arm_vabsq_f32(x); }
/* x with the sign of y */
NNRT__INLINE float32x4_t nnrt__vf_with_sign_cortex_m55(float32x4_t x, float32x4_t y) {
    const uint32x4_t sign = __arm_vandq_u32(__arm_vreinterpretq_u32_f32(y), __arm_vdupq_n_u32(0x80000000u));
    return __arm_vreinterpretq_f32_u32(__arm_vorrq_u32(__arm_vreinterpretq_u32_f32(__arm_vabsq_f32(x)), sign));
}
/* `negative` where x has a sign, else `other` */
NNRT__INLINE float32x4_t nnrt__vf_by_sign_cortex_m55(float32x4_t x, float32x4_t negative, float32x4_t other) {
    return __arm_vpselq_f32(negative, other, __arm_vcmpltq_n_s32(__arm_vreinterpretq_s32_f32(x), 0));
}
/* 2^(n - 1) for the n that was rounded: 0 for -126, infinity for 129; not beyond these. */
NNRT__INLINE float32x4_t nnrt__vf_half_power_cortex_m55(float32x4_t rounded) {
    const int32x4_t n = __arm_vsubq_n_s32(__arm_vreinterpretq_s32_f32(rounded), NNRT__ROUNDER_F32_BITS - 126);
    return __arm_vreinterpretq_f32_s32(__arm_vshlq_n_s32(n, 23));
}

NNRT__VECTORS_F32(cortex_m55, CORTEX_M55, NNRT__TARGET_CORTEX_M55, float32x4_t, 4)

#endif /* NNRT_KERNELS_UNARY_F32_CORTEX_M55_H */
