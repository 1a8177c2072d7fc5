/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_neon_armv8.h - the inner loop of dw_s8_neon.h for AArch64.

   3x3 taps, two pixels of 8 channels at a time, which share the columns of a row. */
#ifndef NNRT_KERNELS_DW_S8_NEON_ARMV8_H
#define NNRT_KERNELS_DW_S8_NEON_ARMV8_H

#include "requantize_neon.h"

/* sum[0], sum[1] + the 8 lanes of x. */
NNRT__INLINE void nnrt__dw_s8_neon_wide(int32x4_t sum[2], int16x8_t x) {
    sum[0] = vaddw_s16(sum[0], vget_low_s16(x));
    sum[1] = vaddw_high_s16(sum[1], x);
}

/* One pixel: the nine taps stand in x, rows apart by five. */
NNRT__INLINE int8x8_t nnrt__dw_s8_neon_nine(const int8x8_t *x, const int8x8_t w[9], const int32_t *tile,
                                            const nnrt__output_x16_neon *out) {
    int32x4_t sum[2];
    sum[0] = vld1q_s32(tile);
    sum[1] = vld1q_s32(tile + 4);
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[0], w[0]), x[1], w[1]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[2], w[2]), x[5], w[3]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[6], w[4]), x[7], w[5]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[10], w[6]), x[11], w[7]));
    nnrt__dw_s8_neon_wide(sum, vmull_s8(x[12], w[8]));
    return nnrt__tile_bytes_neon(sum[0], sum[1], tile, out);
}

/* `pairs` >= 1 pairs of pixels of 8 channels, each pixel `stride` (1 or 2) taps of tap_step bytes from the last. rows
   point at the first tap. tile: without a weight of -128 or a shift that is not negative. */
NNRT__INLINE void nnrt__dw_s8_neon_3x3(const int8_t *const rows[3], size_t tap_step, int stride, const int32_t *tile,
                                       const nnrt__output_x16_neon *out, int8_t *to, size_t out_stride, size_t pairs) {
    const int8_t *from[3], *weights = (const int8_t *)(tile + 28);
    int8x8_t w[9], x[15];
    int i, j;
    for (i = 0; i < 9; i++) w[i] = vld1_s8(weights + 8 * i);
    for (i = 0; i < 3; i++) from[i] = rows[i];
    for (; pairs > 0; pairs--, to += 2 * out_stride) {
        for (i = 0; i < 3; i++) {
            for (j = 0; j < 3 + stride; j++) x[5 * i + j] = vld1_s8(from[i] + (size_t)j * tap_step);
            from[i] += 2 * (size_t)stride * tap_step;
        }
        vst1_s8(to, nnrt__dw_s8_neon_nine(x, w, tile, out));
        vst1_s8(to + out_stride, nnrt__dw_s8_neon_nine(x + stride, w, tile, out));
    }
}

#endif /* NNRT_KERNELS_DW_S8_NEON_ARMV8_H */
