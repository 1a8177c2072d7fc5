/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/quantize_neon_armv7.h - what quantize_neon.h divides and rounds with on ARMv7, which has no division of
   vectors: a product with 1 / scale is within 2^-12 of the quotient (at most 1024, three roundings of 2^-24), and where
   it is nearer than 2^-11 to a tie the portable loop decides. */
#ifndef NNRT_KERNELS_QUANTIZE_NEON_ARMV7_H
#define NNRT_KERNELS_QUANTIZE_NEON_ARMV7_H

#include "internal.h"

/* What the vectors multiply with. */
NNRT__INLINE float32x4_t nnrt__quantize_by_neon(float scale) { return vdupq_n_f32(1.0f / scale); }

/* Can the vectors divide by this scale? NEON treats denormals as 0: with the accepted scales neither the scale nor its
   reciprocal is one, and a denormal input divided by them is far below a half. */
NNRT__INLINE bool nnrt__quantize_divides_neon(float scale) { return scale >= 1e-30f && scale <= 1e30f; }

NNRT__INLINE float32x4_t nnrt__quantize_quotient_neon(float32x4_t x, float32x4_t by) { return vmulq_f32(x, by); }

/* To the nearest number; ties never reach this. */
NNRT__INLINE int32x4_t nnrt__quantize_round_neon(float32x4_t q) {
    const uint32x4_t sign = vandq_u32(vreinterpretq_u32_f32(q), vdupq_n_u32(0x80000000u));
    const uint32x4_t half = vorrq_u32(sign, vreinterpretq_u32_f32(vdupq_n_f32(0.5f)));
    return vcvtq_s32_f32(vaddq_f32(q, vreinterpretq_f32_u32(half)));
}

/* Do these quotients round like the true ones? They do if the fraction of |q|, in units of 2^-16, is no nearer than
   2^-11 to a half. */
NNRT__INLINE uint32x4_t nnrt__quantize_near_tie_neon(float32x4_t q) {
    const uint32x4_t fine = vcvtq_n_u32_f32(vabsq_f32(q), 16);
    const uint32x4_t above = vandq_u32(vsubq_u32(fine, vdupq_n_u32((1 << 15) - 32)), vdupq_n_u32(0xffff));
    return vcltq_u32(above, vdupq_n_u32(65));
}
NNRT__INLINE bool nnrt__quantize_is_sure_neon(float32x4_t low, float32x4_t high) {
    const uint32x4_t both = vorrq_u32(nnrt__quantize_near_tie_neon(low), nnrt__quantize_near_tie_neon(high));
    const uint32x2_t any = vorr_u32(vget_low_u32(both), vget_high_u32(both));
    return vget_lane_u64(vreinterpret_u64_u32(any), 0) == 0;
}

#endif /* NNRT_KERNELS_QUANTIZE_NEON_ARMV7_H */
