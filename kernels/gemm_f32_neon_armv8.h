/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_neon_armv8.h - the inner loops of gemm_f32_neon.h for AArch64: four steps of k per pass.

   128 products are 45 instructions (GCC 12), 32 of them fmla: 64 cycles of a Cortex-A53, for which llvm-mca 14
   counts two a fmla, and 38 of an A55. */
#ifndef NNRT_KERNELS_GEMM_F32_NEON_ARMV8_H
#define NNRT_KERNELS_GEMM_F32_NEON_ARMV8_H

#include "f32_neon.h"

/* sums[2 * row + half] += rows a, a + stride, a + 2 * stride and a3 of `pieces` pieces of `piece` floats times w. */
NNRT__INLINE void nnrt__gemm_f32_neon_rows(float32x4_t sums[8], const float *const *a, size_t stride,
                                           const float *const *a3, size_t pieces, size_t piece, const float *w) {
    float32x4_t s00 = sums[0], s01 = sums[1], s10 = sums[2], s11 = sums[3];
    float32x4_t s20 = sums[4], s21 = sums[5], s30 = sums[6], s31 = sums[7], w0, w1;
    for (; pieces > 0; pieces--, a++, a3++) {
        const float *row0 = a[0], *row1 = a[stride], *row2 = a[2 * stride], *row3 = a3[0];
        size_t left = piece;
        for (; left >= 4; left -= 4) {
            const float32x4_t x0 = vld1q_f32(row0), x1 = vld1q_f32(row1), x2 = vld1q_f32(row2), x3 = vld1q_f32(row3);
            row0 += 4, row1 += 4, row2 += 4, row3 += 4;
            w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w += 8;
            s00 = vfmaq_laneq_f32(s00, w0, x0, 0);
            s10 = vfmaq_laneq_f32(s10, w0, x1, 0);
            s20 = vfmaq_laneq_f32(s20, w0, x2, 0);
            s30 = vfmaq_laneq_f32(s30, w0, x3, 0);
            s01 = vfmaq_laneq_f32(s01, w1, x0, 0);
            s11 = vfmaq_laneq_f32(s11, w1, x1, 0);
            s21 = vfmaq_laneq_f32(s21, w1, x2, 0);
            s31 = vfmaq_laneq_f32(s31, w1, x3, 0);
            w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w += 8;
            s00 = vfmaq_laneq_f32(s00, w0, x0, 1);
            s10 = vfmaq_laneq_f32(s10, w0, x1, 1);
            s20 = vfmaq_laneq_f32(s20, w0, x2, 1);
            s30 = vfmaq_laneq_f32(s30, w0, x3, 1);
            s01 = vfmaq_laneq_f32(s01, w1, x0, 1);
            s11 = vfmaq_laneq_f32(s11, w1, x1, 1);
            s21 = vfmaq_laneq_f32(s21, w1, x2, 1);
            s31 = vfmaq_laneq_f32(s31, w1, x3, 1);
            w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w += 8;
            s00 = vfmaq_laneq_f32(s00, w0, x0, 2);
            s10 = vfmaq_laneq_f32(s10, w0, x1, 2);
            s20 = vfmaq_laneq_f32(s20, w0, x2, 2);
            s30 = vfmaq_laneq_f32(s30, w0, x3, 2);
            s01 = vfmaq_laneq_f32(s01, w1, x0, 2);
            s11 = vfmaq_laneq_f32(s11, w1, x1, 2);
            s21 = vfmaq_laneq_f32(s21, w1, x2, 2);
            s31 = vfmaq_laneq_f32(s31, w1, x3, 2);
            w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w += 8;
            s00 = vfmaq_laneq_f32(s00, w0, x0, 3);
            s10 = vfmaq_laneq_f32(s10, w0, x1, 3);
            s20 = vfmaq_laneq_f32(s20, w0, x2, 3);
            s30 = vfmaq_laneq_f32(s30, w0, x3, 3);
            s01 = vfmaq_laneq_f32(s01, w1, x0, 3);
            s11 = vfmaq_laneq_f32(s11, w1, x1, 3);
            s21 = vfmaq_laneq_f32(s21, w1, x2, 3);
            s31 = vfmaq_laneq_f32(s31, w1, x3, 3);
        }
        for (; left > 0; left--, row0++, row1++, row2++, row3++) {
            w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4), w += 8;
            s00 = vfmaq_n_f32(s00, w0, row0[0]);
            s10 = vfmaq_n_f32(s10, w0, row1[0]);
            s20 = vfmaq_n_f32(s20, w0, row2[0]);
            s30 = vfmaq_n_f32(s30, w0, row3[0]);
            s01 = vfmaq_n_f32(s01, w1, row0[0]);
            s11 = vfmaq_n_f32(s11, w1, row1[0]);
            s21 = vfmaq_n_f32(s21, w1, row2[0]);
            s31 = vfmaq_n_f32(s31, w1, row3[0]);
        }
    }
    sums[0] = s00, sums[1] = s01, sums[2] = s10, sums[3] = s11;
    sums[4] = s20, sums[5] = s21, sums[6] = s30, sums[7] = s31;
}

/* sums[half] += the row a times w. */
NNRT__INLINE void nnrt__gemm_f32_neon_row(float32x4_t sums[2], const float *const *a, size_t pieces, size_t piece,
                                          const float *w) {
    float32x4_t s0 = sums[0], s1 = sums[1], t0 = vdupq_n_f32(0.0f), t1 = t0;
    for (; pieces > 0; pieces--, a++) {
        const float *row = a[0];
        size_t left = piece;
        for (; left >= 4; left -= 4, row += 4) {
            const float32x4_t x = vld1q_f32(row);
            s0 = vfmaq_laneq_f32(s0, vld1q_f32(w), x, 0);
            s1 = vfmaq_laneq_f32(s1, vld1q_f32(w + 4), x, 0);
            w += 8;
            t0 = vfmaq_laneq_f32(t0, vld1q_f32(w), x, 1);
            t1 = vfmaq_laneq_f32(t1, vld1q_f32(w + 4), x, 1);
            w += 8;
            s0 = vfmaq_laneq_f32(s0, vld1q_f32(w), x, 2);
            s1 = vfmaq_laneq_f32(s1, vld1q_f32(w + 4), x, 2);
            w += 8;
            t0 = vfmaq_laneq_f32(t0, vld1q_f32(w), x, 3);
            t1 = vfmaq_laneq_f32(t1, vld1q_f32(w + 4), x, 3);
            w += 8;
        }
        for (; left > 0; left--, row++, w += 8) {
            s0 = vfmaq_n_f32(s0, vld1q_f32(w), row[0]);
            s1 = vfmaq_n_f32(s1, vld1q_f32(w + 4), row[0]);
        }
    }
    sums[0] = vaddq_f32(s0, t0);
    sums[1] = vaddq_f32(s1, t1);
}

#endif /* NNRT_KERNELS_GEMM_F32_NEON_ARMV8_H */
