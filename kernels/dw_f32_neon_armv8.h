/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_neon_armv8.h - the inner loop of dw_f32_neon.h for AArch64: 3x3 taps, two pixels of 8 channels, which
   share the columns of a row. */
#ifndef NNRT_KERNELS_DW_F32_NEON_ARMV8_H
#define NNRT_KERNELS_DW_F32_NEON_ARMV8_H

#include "f32_neon.h"

/* sums[2 * pixel + half] += the windows of two pixels of 8 channels, `stride` (1 or 2) taps of tap_step floats apart.
   rows point at the first tap, and then at that of the next two pixels. */
NNRT__INLINE void nnrt__dw_f32_neon_3x3(float32x4_t sums[4], const float *rows[3], size_t tap_step, int stride,
                                        const float *w) {
    int i, j;
    for (i = 0; i < 3; i++, w += 24) {
        float32x4_t x[10];
        for (j = 0; j < 3 + stride; j++) {
            x[2 * j] = vld1q_f32(rows[i] + (size_t)j * tap_step);
            x[2 * j + 1] = vld1q_f32(rows[i] + (size_t)j * tap_step + 4);
        }
        for (j = 0; j < 3; j++) {
            const float32x4_t w0 = vld1q_f32(w + 8 * j), w1 = vld1q_f32(w + 8 * j + 4);
            sums[0] = vfmaq_f32(sums[0], w0, x[2 * j]);
            sums[1] = vfmaq_f32(sums[1], w1, x[2 * j + 1]);
            sums[2] = vfmaq_f32(sums[2], w0, x[2 * (j + stride)]);
            sums[3] = vfmaq_f32(sums[3], w1, x[2 * (j + stride) + 1]);
        }
        rows[i] += 2 * (size_t)stride * tap_step;
    }
}

#endif /* NNRT_KERNELS_DW_F32_NEON_ARMV8_H */
