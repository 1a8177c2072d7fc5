/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_neon_armv8.h - the inner loop of dw_f32_neon.h for AArch64: 3x3 taps, two pixels of 8 channels, which
   share the columns of a row. A pair, stride 1, 144 products, is 113 instructions (GCC 12),
   208 cycles of a Cortex-A53 and 136 of an A55 by llvm-mca 14. */
#ifndef NNRT_KERNELS_DW_F32_NEON_ARMV8_H
#define NNRT_KERNELS_DW_F32_NEON_ARMV8_H

#include "f32_neon.h"

/* sums += one tap of both pixels: 8 channels of w times those at x and at y. */
NNRT__INLINE void nnrt__dw_f32_neon_tap(float32x4_t sums[4], const float *w, const float32x4_t *x,
                                        const float32x4_t *y) {
    const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
    sums[0] = vfmaq_f32(sums[0], w0, x[0]);
    sums[1] = vfmaq_f32(sums[1], w1, x[1]);
    sums[2] = vfmaq_f32(sums[2], w0, y[0]);
    sums[3] = vfmaq_f32(sums[3], w1, y[1]);
}

NNRT__INLINE void nnrt__dw_f32_neon_column(float32x4_t x[2], const float *from) {
    x[0] = vld1q_f32(from);
    x[1] = vld1q_f32(from + 4);
}

/* One row of the windows. Columns and taps are written out: a loop over them GCC leaves a loop, through the stack. */
NNRT__INLINE void nnrt__dw_f32_neon_row(float32x4_t sums[4], const float *row, size_t tap_step, int stride,
                                        const float *w) {
    float32x4_t x[10];
    nnrt__dw_f32_neon_column(x, row);
    nnrt__dw_f32_neon_column(x + 2, row + tap_step);
    nnrt__dw_f32_neon_column(x + 4, row + 2 * tap_step);
    nnrt__dw_f32_neon_column(x + 6, row + 3 * tap_step);
    if (stride == 2) nnrt__dw_f32_neon_column(x + 8, row + 4 * tap_step);
    nnrt__dw_f32_neon_tap(sums, w, x, x + 2 * stride);
    nnrt__dw_f32_neon_tap(sums, w + 8, x + 2, x + 2 * stride + 2);
    nnrt__dw_f32_neon_tap(sums, w + 16, x + 4, x + 2 * stride + 4);
}

/* sums[2 * pixel + half] += the windows of two pixels of 8 channels, `stride` (1 or 2) taps of tap_step floats apart.
   rows point at the first tap, and then at that of the next two pixels. */
NNRT__INLINE void nnrt__dw_f32_neon_3x3(float32x4_t sums[4], const float *rows[3], size_t tap_step, int stride,
                                        const float *w) {
    const size_t pair = 2 * (size_t)stride * tap_step;
    nnrt__dw_f32_neon_row(sums, rows[0], tap_step, stride, w);
    nnrt__dw_f32_neon_row(sums, rows[1], tap_step, stride, w + 24);
    nnrt__dw_f32_neon_row(sums, rows[2], tap_step, stride, w + 48);
    rows[0] += pair;
    rows[1] += pair;
    rows[2] += pair;
}

#endif /* NNRT_KERNELS_DW_F32_NEON_ARMV8_H */
