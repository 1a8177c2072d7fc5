/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/quantize_neon_armv8.h - what quantize_neon.h divides and rounds with on AArch64: instructions that do what
   the definition says. */
#ifndef NNRT_KERNELS_QUANTIZE_NEON_ARMV8_H
#define NNRT_KERNELS_QUANTIZE_NEON_ARMV8_H

#include "internal.h"

/* What the vectors divide by. */
NNRT__INLINE float32x4_t nnrt__quantize_by_neon(float scale) { return vdupq_n_f32(scale); }

/* Can the vectors divide by this scale? */
NNRT__INLINE bool nnrt__quantize_divides_neon(float scale) {
    (void)scale;
    return true;
}

NNRT__INLINE float32x4_t nnrt__quantize_quotient_neon(float32x4_t x, float32x4_t by) { return vdivq_f32(x, by); }

/* To the nearest number, ties away from zero. */
NNRT__INLINE int32x4_t nnrt__quantize_round_neon(float32x4_t q) { return vcvtaq_s32_f32(q); }

/* Do these quotients round like the true ones? */
NNRT__INLINE bool nnrt__quantize_is_sure_neon(float32x4_t low, float32x4_t high) {
    (void)low;
    (void)high;
    return true;
}

#endif /* NNRT_KERNELS_QUANTIZE_NEON_ARMV8_H */
