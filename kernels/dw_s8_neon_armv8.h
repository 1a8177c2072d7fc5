/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_neon_armv8.h - the inner loop of dw_s8_neon.h for AArch64.

   3x3 taps, two pixels of 8 channels at a time, which share the columns of a row. What a tile has in common stays in
   registers; stride 1, 144 products, is 81 instructions (GCC 12), 133 cycles of a Cortex-A53 and 93 of an A55 by
   llvm-mca 14. */
#ifndef NNRT_KERNELS_DW_S8_NEON_ARMV8_H
#define NNRT_KERNELS_DW_S8_NEON_ARMV8_H

#include "requantize_neon.h"

/* sum[0], sum[1] + the 8 lanes of x. */
NNRT__INLINE void nnrt__dw_s8_neon_wide(int32x4_t sum[2], int16x8_t x) {
    sum[0] = vaddw_s16(sum[0], vget_low_s16(x));
    sum[1] = vaddw_high_s16(sum[1], x);
}

/* sum += one pixel: the nine taps stand in x, rows apart by five. */
NNRT__INLINE void nnrt__dw_s8_neon_nine(int32x4_t sum[2], const int8x8_t *x, const int8x8_t w[9]) {
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[0], w[0]), x[1], w[1]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[2], w[2]), x[5], w[3]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[6], w[4]), x[7], w[5]));
    nnrt__dw_s8_neon_wide(sum, vmlal_s8(vmull_s8(x[10], w[6]), x[11], w[7]));
    nnrt__dw_s8_neon_wide(sum, vmull_s8(x[12], w[8]));
}

/* The columns of a row that two pixels have, one by one: a loop over them GCC leaves a loop, through the stack. */
NNRT__INLINE void nnrt__dw_s8_neon_columns(int8x8_t *x, const int8_t *from, size_t tap_step, int stride) {
    x[0] = vld1_s8(from);
    x[1] = vld1_s8(from + tap_step);
    x[2] = vld1_s8(from + 2 * tap_step);
    x[3] = vld1_s8(from + 3 * tap_step);
    if (stride == 2) x[4] = vld1_s8(from + 4 * tap_step);
}

/* `pairs` >= 1 pairs of pixels of 8 channels, each pixel `stride` (1 or 2) taps of tap_step bytes from the last. rows
   point at the first tap. tile: without a weight of -128 or a shift that is not negative. */
NNRT__INLINE void nnrt__dw_s8_neon_3x3(const int8_t *const rows[3], size_t tap_step, int stride, const int32_t *tile,
                                       const nnrt__output_x16_neon *out, int8_t *to, size_t out_stride, size_t pairs) {
    const int32x4_t bias0 = vld1q_s32(tile), bias1 = vld1q_s32(tile + 4);
    const int32x4_t m0 = vld1q_s32(tile + 8), m1 = vld1q_s32(tile + 12);
    const int32x4_t s0 = vld1q_s32(tile + 16), s1 = vld1q_s32(tile + 20);
    const int8_t *from0 = rows[0], *from1 = rows[1], *from2 = rows[2],
                 *weights = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    const size_t pair = 2 * (size_t)stride * tap_step;
    int8x8_t w[9], x[15];
    int i;
    for (i = 0; i < 9; i++) w[i] = vld1_s8(weights + 8 * i);
    for (; pairs > 0; pairs--, to += 2 * out_stride, from0 += pair, from1 += pair, from2 += pair) {
        int32x4_t sum[2][2];
        int16x8_t first, second;
        int8x16_t bytes;
        nnrt__dw_s8_neon_columns(x, from0, tap_step, stride);
        nnrt__dw_s8_neon_columns(x + 5, from1, tap_step, stride);
        nnrt__dw_s8_neon_columns(x + 10, from2, tap_step, stride);
        sum[0][0] = sum[1][0] = bias0;
        sum[0][1] = sum[1][1] = bias1;
        nnrt__dw_s8_neon_nine(sum[0], x, w);
        nnrt__dw_s8_neon_nine(sum[1], x + stride, w);
        first = vcombine_s16(vqmovn_s32(nnrt__requantize_right_neon(sum[0][0], m0, s0)),
                             vqmovn_s32(nnrt__requantize_right_neon(sum[0][1], m1, s1)));
        second = vcombine_s16(vqmovn_s32(nnrt__requantize_right_neon(sum[1][0], m0, s0)),
                              vqmovn_s32(nnrt__requantize_right_neon(sum[1][1], m1, s1)));
        bytes = vcombine_s8(vqmovn_s16(vqaddq_s16(first, out->zero_point)),
                            vqmovn_s16(vqaddq_s16(second, out->zero_point)));
        bytes = vminq_s8(vmaxq_s8(bytes, out->low), out->high);
        vst1_s8(to, vget_low_s8(bytes));
        vst1_s8(to + out_stride, vget_high_s8(bytes));
    }
}

#endif /* NNRT_KERNELS_DW_S8_NEON_ARMV8_H */
