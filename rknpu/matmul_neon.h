/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/matmul_neon.h - int32 products into int8 results for ARMv7 NEON and AArch64: the bytes of
   nnrt__rknpu_mm_unpack_s8.   >>rknpu_matmul_neon

   The NPU multiplies faster than one core can requantize, so this is where the time of a large product goes. Rounding:
   vqrdmulh is nnrt__rounding_doubling_high_mul for every multiplier >= 0. vrshl rounds ties up, the definition away
   from zero: where a lane is negative and its shift is not 0, one is subtracted first, which cannot wrap. */
#ifndef NNRT_RKNPU_MATMUL_NEON_H
#define NNRT_RKNPU_MATMUL_NEON_H

#include <arm_neon.h>

#include "matmul_pack.h"

/* Four products of one row, columns first to first + 3, requantized. */
NNRT__INLINE int32x4_t nnrt__rknpu_mm_requantize_neon(const nnrt__rknpu_mm_finish_s8 *how, const int32_t *c,
                                                      size_t first, uint32x4_t row) {
    const int32x4_t shift = vld1q_s32(how->shift + first);
    const int32x4_t left = vmaxq_s32(shift, vdupq_n_s32(0)), right = vminq_s32(shift, vdupq_n_s32(0));
    const uint32x4_t sum = vsubq_u32(vaddq_u32(vreinterpretq_u32_s32(vld1q_s32(c)), vld1q_u32(how->base + first)), row);
    int32x4_t x = vqrdmulhq_s32(vshlq_s32(vreinterpretq_s32_u32(sum), left), vld1q_s32(how->multiplier + first));
    x = vsraq_n_s32(x, vandq_s32(x, right), 31); /* -1 where both are negative */
    return vrshlq_s32(x, right);
}

/* As nnrt__rknpu_mm_unpack_s8. */
NNRT__FN void nnrt__rknpu_mm_unpack_s8_neon(const nnrt__rknpu_mm_finish_s8 *how, const int32_t *c, int8_t *out) {
    const int16x8_t zero = vdupq_n_s16((int16_t)how->out_zero);
    const int8x8_t low = vdup_n_s8((int8_t)how->clamp_min), high = vdup_n_s8((int8_t)how->clamp_max);
    size_t m, first;
    if (how->tile != 4) {
        nnrt__rknpu_mm_unpack_s8(how, c, out);
        return;
    }
    for (m = 0; m < how->m; m++) {
        const uint32x4_t row = vdupq_n_u32(nnrt__rknpu_mm_row_term(how, m));
        int8_t *to = out + m * how->n;
        for (first = 0; first + 8 <= how->n; first += 8) {
            const int32_t *block = c + first * how->m + m * 4;
            const int32x4_t x0 = nnrt__rknpu_mm_requantize_neon(how, block, first, row);
            const int32x4_t x1 = nnrt__rknpu_mm_requantize_neon(how, block + how->m * 4, first + 4, row);
            /* saturating to 16 bits changes nothing: what it cuts lies beyond 8 bits for every zero point */
            const int16x8_t x = vqaddq_s16(vcombine_s16(vqmovn_s32(x0), vqmovn_s32(x1)), zero);
            vst1_s8(to + first, vmin_s8(vmax_s8(vqmovn_s16(x), low), high));
        }
        nnrt__rknpu_mm_unpack_row_s8(how, c, m, first, to);
    }
}

#endif /* NNRT_RKNPU_MATMUL_NEON_H */
