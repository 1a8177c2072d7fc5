/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_neon_armv8.h - the inner loop of gemm_s8_neon.h for AArch64.

   A table look-up makes two of a row's four orders at once. 4 rows x 8 channels x 8 steps = 256 products: 65
   instructions with GCC 12, 79 cycles of a Cortex-A53 and 77 of an A55 by llvm-mca 14. */
#ifndef NNRT_KERNELS_GEMM_S8_NEON_ARMV8_H
#define NNRT_KERNELS_GEMM_S8_NEON_ARMV8_H

#include "requantize_neon.h"

/* sum + two products in each lane: of the orders in the halves of x with the weights in the halves of w. */
NNRT__INLINE int32x4_t nnrt__gemm_s8_neon_two(int32x4_t sum, int8x16_t x, int8x16_t w) {
    return vpadalq_s16(sum, vmlal_high_s8(vmull_s8(vget_low_s8(x), vget_low_s8(w)), x, w));
}

/* sums[2 * row + half] += rows a, a + stride, a + 2 * stride and a3 of `pieces` pieces of 8 * steps bytes times w.
   steps >= 1. */
NNRT__INLINE void nnrt__gemm_s8_neon_rows(int32x4_t sums[8], const int8_t *const *a, size_t stride,
                                          const int8_t *const *a3, size_t pieces, size_t steps, const int8_t *w) {
    static const uint8_t order[32] = {0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 0, 1, 6, 7, 4, 5,
                                      4, 5, 6, 7, 0, 1, 2, 3, 6, 7, 4, 5, 2, 3, 0, 1};
    const uint8x16_t first = vld1q_u8(order), second = vld1q_u8(order + 16);
    int32x4_t s00 = sums[0], s01 = sums[1], s10 = sums[2], s11 = sums[3];
    int32x4_t s20 = sums[4], s21 = sums[5], s30 = sums[6], s31 = sums[7];
    for (; pieces > 0; pieces--, a++, a3++) {
        const int8_t *row0 = a[0], *row1 = a[stride], *row2 = a[2 * stride], *row3 = a3[0];
        size_t left = steps;
        do {
            const int8x16_t w0 = vld1q_s8(w), w1 = vld1q_s8(w + 16), w2 = vld1q_s8(w + 32), w3 = vld1q_s8(w + 48);
            const int8x8_t zero = vdup_n_s8(0);
            const int8x16_t x0 = vcombine_s8(vld1_s8(row0), zero), x1 = vcombine_s8(vld1_s8(row1), zero);
            const int8x16_t x2 = vcombine_s8(vld1_s8(row2), zero), x3 = vcombine_s8(vld1_s8(row3), zero);
            int8x16_t x = vqtbl1q_s8(x0, first), y = vqtbl1q_s8(x1, first);
            s00 = nnrt__gemm_s8_neon_two(s00, x, w0);
            s10 = nnrt__gemm_s8_neon_two(s10, y, w0);
            s01 = nnrt__gemm_s8_neon_two(s01, x, w1);
            s11 = nnrt__gemm_s8_neon_two(s11, y, w1);
            x = vqtbl1q_s8(x2, first);
            y = vqtbl1q_s8(x3, first);
            s20 = nnrt__gemm_s8_neon_two(s20, x, w0);
            s30 = nnrt__gemm_s8_neon_two(s30, y, w0);
            s21 = nnrt__gemm_s8_neon_two(s21, x, w1);
            s31 = nnrt__gemm_s8_neon_two(s31, y, w1);
            x = vqtbl1q_s8(x0, second);
            y = vqtbl1q_s8(x1, second);
            s00 = nnrt__gemm_s8_neon_two(s00, x, w2);
            s10 = nnrt__gemm_s8_neon_two(s10, y, w2);
            s01 = nnrt__gemm_s8_neon_two(s01, x, w3);
            s11 = nnrt__gemm_s8_neon_two(s11, y, w3);
            x = vqtbl1q_s8(x2, second);
            y = vqtbl1q_s8(x3, second);
            s20 = nnrt__gemm_s8_neon_two(s20, x, w2);
            s30 = nnrt__gemm_s8_neon_two(s30, y, w2);
            s21 = nnrt__gemm_s8_neon_two(s21, x, w3);
            s31 = nnrt__gemm_s8_neon_two(s31, y, w3);
            row0 += 8, row1 += 8, row2 += 8, row3 += 8, w += 64;
        } while (--left > 0);
    }
    sums[0] = s00, sums[1] = s01, sums[2] = s10, sums[3] = s11;
    sums[4] = s20, sums[5] = s21, sums[6] = s30, sums[7] = s31;
}

NNRT__INLINE int16x8_t nnrt__gemm_s8_neon_right(int32x4_t sum0, int32x4_t sum1, int32x4_t m0, int32x4_t m1,
                                                int32x4_t r0, int32x4_t r1) {
    return vqmovn_high_s32(vqmovn_s32(nnrt__requantize_right_neon(sum0, m0, r0)),
                           nnrt__requantize_right_neon(sum1, m1, r1));
}

/* Eight channels of four rows to bytes: rows 0 and 1, then 2 and 3. Every shift is negative. `head` is the tile's. */
NNRT__INLINE void nnrt__gemm_s8_neon_finish(const int32x4_t sums[8], const int32_t *head,
                                            const nnrt__output_x16_neon *out, int8x16_t bytes[2]) {
    const int32x4_t m0 = vld1q_s32(head + 8), m1 = vld1q_s32(head + 12);
    const int32x4_t r0 = vld1q_s32(head + 16), r1 = vld1q_s32(head + 20);
    int i;
    for (i = 0; i < 2; i++) {
        const int16x8_t x = nnrt__gemm_s8_neon_right(sums[4 * i], sums[4 * i + 1], m0, m1, r0, r1);
        const int16x8_t y = nnrt__gemm_s8_neon_right(sums[4 * i + 2], sums[4 * i + 3], m0, m1, r0, r1);
        bytes[i] = vqmovn_high_s16(vqmovn_s16(vqaddq_s16(x, out->zero_point)), vqaddq_s16(y, out->zero_point));
        bytes[i] = vminq_s8(vmaxq_s8(bytes[i], out->low), out->high);
    }
}

#endif /* NNRT_KERNELS_GEMM_S8_NEON_ARMV8_H */
