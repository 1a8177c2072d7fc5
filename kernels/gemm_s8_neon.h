/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_neon.h - gemm_s8 for ARMv7 NEON and AArch64. Contract: gemm_s8_scalar.h.

   4 rows x 8 channels in 8 accumulators. Four rows of A are widened once to 16 bits into scratch, four steps
   of one row beside those of the next, and serve every tile: vmlal.s16 takes a step of A straight from its
   lane, so a step of K costs one vmovl for the weights and 8 multiply-adds for 32 products. Registers: 8
   accumulators, 2 of A (the lanes must lie in d0-d7), 2 of weights and 1 widened, of 16.
   Not vmull.s8, vmlal.s8, vpadal.s16, which is shorter: two products of -128 * -128 overflow 16 bits, and a
   weight may be -128. Not vmull.s8, vpadal.s16 either: exact, but as long as this, and it needs A spread by
   vdup. */
#ifndef NNRT_KERNELS_GEMM_S8_NEON_H
#define NNRT_KERNELS_GEMM_S8_NEON_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_neon.h"

#define NNRT__GEMM_S8_NEON_NR 8
#define NNRT__GEMM_S8_NEON_KR 1

/* Widens one row: four steps at `to`, the next four `apart` elements on. Steps past k are 0. */
NNRT__INLINE void nnrt__gemm_s8_neon_widen(int16_t *to, size_t apart, const int8_t *a, size_t k) {
    size_t i;
    for (i = 0; i < k; i += 8, to += 2 * apart) {
        int16x8_t x = vmovl_s8(nnrt__load_bytes_neon(a + i, k - i));
        vst1_s16(to, vget_low_s16(x));
        vst1_s16(to + apart, vget_high_s16(x));
    }
}

NNRT__INLINE void nnrt__gemm_s8_neon_store(int8_t *c, int32x4_t acc0, int32x4_t acc1, nnrt__requantize_x4_neon q0,
                                           nnrt__requantize_x4_neon q1, const nnrt__output_s8_neon *out,
                                           size_t channels) {
    int8x8_t bytes = nnrt__output_bytes_neon(nnrt__requantize_neon(acc0, q0), nnrt__requantize_neon(acc1, q1), out);
    nnrt__store_bytes_neon(c, bytes, channels);
}

/* One row of A against one tile. Two pairs of accumulators, so that a multiply-add does not wait for the last
   one. */
NNRT__INLINE void nnrt__gemm_s8_neon_1(const int16_t *a, const int32_t *tile, size_t k, int8_t *c, size_t channels,
                                       const nnrt__output_s8_neon *out) {
    const int8_t *w = (const int8_t *)(tile + 3 * NNRT__GEMM_S8_NEON_NR);
    int32x4_t acc0 = vld1q_s32(tile), acc1 = vld1q_s32(tile + 4), more0 = vdupq_n_s32(0), more1 = more0;
    for (; k >= 4; k -= 4, a += 4, w += 32) {
        int16x4_t x = vld1_s16(a);
        int8x16_t w01 = vld1q_s8(w), w23 = vld1q_s8(w + 16);
        int16x8_t wide = vmovl_s8(vget_low_s8(w01));
        acc0 = vmlal_lane_s16(acc0, vget_low_s16(wide), x, 0);
        acc1 = vmlal_lane_s16(acc1, vget_high_s16(wide), x, 0);
        wide = vmovl_s8(vget_high_s8(w01));
        more0 = vmlal_lane_s16(more0, vget_low_s16(wide), x, 1);
        more1 = vmlal_lane_s16(more1, vget_high_s16(wide), x, 1);
        wide = vmovl_s8(vget_low_s8(w23));
        acc0 = vmlal_lane_s16(acc0, vget_low_s16(wide), x, 2);
        acc1 = vmlal_lane_s16(acc1, vget_high_s16(wide), x, 2);
        wide = vmovl_s8(vget_high_s8(w23));
        more0 = vmlal_lane_s16(more0, vget_low_s16(wide), x, 3);
        more1 = vmlal_lane_s16(more1, vget_high_s16(wide), x, 3);
    }
    for (; k > 0; k--, a++, w += 8) {
        int16x4_t x = vld1_dup_s16(a);
        int16x8_t wide = vmovl_s8(vld1_s8(w));
        acc0 = vmlal_s16(acc0, vget_low_s16(wide), x);
        acc1 = vmlal_s16(acc1, vget_high_s16(wide), x);
    }
    nnrt__gemm_s8_neon_store(c, vaddq_s32(acc0, more0), vaddq_s32(acc1, more1),
                             nnrt__requantize_prepare_neon(vld1q_s32(tile + 8), vld1q_s32(tile + 16)),
                             nnrt__requantize_prepare_neon(vld1q_s32(tile + 12), vld1q_s32(tile + 20)), out, channels);
}

/* Four rows of A against one tile; the first `rows` of them are stored. */
NNRT__INLINE void nnrt__gemm_s8_neon_4(const int16_t *a, const int32_t *tile, size_t k, int8_t *c, size_t c_stride,
                                       size_t rows, size_t channels, const nnrt__output_s8_neon *out) {
    const int8_t *w = (const int8_t *)(tile + 3 * NNRT__GEMM_S8_NEON_NR);
    int32x4_t acc00 = vld1q_s32(tile), acc01 = vld1q_s32(tile + 4);
    int32x4_t acc10 = acc00, acc20 = acc00, acc30 = acc00, acc11 = acc01, acc21 = acc01, acc31 = acc01;
    nnrt__requantize_x4_neon q0, q1;
    for (; k >= 4; k -= 4, a += 16, w += 32) {
        int16x8_t a01 = vld1q_s16(a), a23 = vld1q_s16(a + 8);
        int16x4_t a0 = vget_low_s16(a01), a1 = vget_high_s16(a01), a2 = vget_low_s16(a23), a3 = vget_high_s16(a23);
        int8x16_t w01 = vld1q_s8(w), w23 = vld1q_s8(w + 16);
        int16x8_t wide = vmovl_s8(vget_low_s8(w01));
        acc00 = vmlal_lane_s16(acc00, vget_low_s16(wide), a0, 0);
        acc10 = vmlal_lane_s16(acc10, vget_low_s16(wide), a1, 0);
        acc20 = vmlal_lane_s16(acc20, vget_low_s16(wide), a2, 0);
        acc30 = vmlal_lane_s16(acc30, vget_low_s16(wide), a3, 0);
        acc01 = vmlal_lane_s16(acc01, vget_high_s16(wide), a0, 0);
        acc11 = vmlal_lane_s16(acc11, vget_high_s16(wide), a1, 0);
        acc21 = vmlal_lane_s16(acc21, vget_high_s16(wide), a2, 0);
        acc31 = vmlal_lane_s16(acc31, vget_high_s16(wide), a3, 0);
        wide = vmovl_s8(vget_high_s8(w01));
        acc00 = vmlal_lane_s16(acc00, vget_low_s16(wide), a0, 1);
        acc10 = vmlal_lane_s16(acc10, vget_low_s16(wide), a1, 1);
        acc20 = vmlal_lane_s16(acc20, vget_low_s16(wide), a2, 1);
        acc30 = vmlal_lane_s16(acc30, vget_low_s16(wide), a3, 1);
        acc01 = vmlal_lane_s16(acc01, vget_high_s16(wide), a0, 1);
        acc11 = vmlal_lane_s16(acc11, vget_high_s16(wide), a1, 1);
        acc21 = vmlal_lane_s16(acc21, vget_high_s16(wide), a2, 1);
        acc31 = vmlal_lane_s16(acc31, vget_high_s16(wide), a3, 1);
        wide = vmovl_s8(vget_low_s8(w23));
        acc00 = vmlal_lane_s16(acc00, vget_low_s16(wide), a0, 2);
        acc10 = vmlal_lane_s16(acc10, vget_low_s16(wide), a1, 2);
        acc20 = vmlal_lane_s16(acc20, vget_low_s16(wide), a2, 2);
        acc30 = vmlal_lane_s16(acc30, vget_low_s16(wide), a3, 2);
        acc01 = vmlal_lane_s16(acc01, vget_high_s16(wide), a0, 2);
        acc11 = vmlal_lane_s16(acc11, vget_high_s16(wide), a1, 2);
        acc21 = vmlal_lane_s16(acc21, vget_high_s16(wide), a2, 2);
        acc31 = vmlal_lane_s16(acc31, vget_high_s16(wide), a3, 2);
        wide = vmovl_s8(vget_high_s8(w23));
        acc00 = vmlal_lane_s16(acc00, vget_low_s16(wide), a0, 3);
        acc10 = vmlal_lane_s16(acc10, vget_low_s16(wide), a1, 3);
        acc20 = vmlal_lane_s16(acc20, vget_low_s16(wide), a2, 3);
        acc30 = vmlal_lane_s16(acc30, vget_low_s16(wide), a3, 3);
        acc01 = vmlal_lane_s16(acc01, vget_high_s16(wide), a0, 3);
        acc11 = vmlal_lane_s16(acc11, vget_high_s16(wide), a1, 3);
        acc21 = vmlal_lane_s16(acc21, vget_high_s16(wide), a2, 3);
        acc31 = vmlal_lane_s16(acc31, vget_high_s16(wide), a3, 3);
    }
    for (; k > 0; k--, a++, w += 8) {
        int16x8_t wide = vmovl_s8(vld1_s8(w));
        int16x4_t x = vld1_dup_s16(a);
        acc00 = vmlal_s16(acc00, vget_low_s16(wide), x);
        acc01 = vmlal_s16(acc01, vget_high_s16(wide), x);
        x = vld1_dup_s16(a + 4);
        acc10 = vmlal_s16(acc10, vget_low_s16(wide), x);
        acc11 = vmlal_s16(acc11, vget_high_s16(wide), x);
        x = vld1_dup_s16(a + 8);
        acc20 = vmlal_s16(acc20, vget_low_s16(wide), x);
        acc21 = vmlal_s16(acc21, vget_high_s16(wide), x);
        x = vld1_dup_s16(a + 12);
        acc30 = vmlal_s16(acc30, vget_low_s16(wide), x);
        acc31 = vmlal_s16(acc31, vget_high_s16(wide), x);
    }
    q0 = nnrt__requantize_prepare_neon(vld1q_s32(tile + 8), vld1q_s32(tile + 16));
    q1 = nnrt__requantize_prepare_neon(vld1q_s32(tile + 12), vld1q_s32(tile + 20));
    nnrt__gemm_s8_neon_store(c, acc00, acc01, q0, q1, out, channels);
    nnrt__gemm_s8_neon_store(c + c_stride, acc10, acc11, q0, q1, out, channels);
    nnrt__gemm_s8_neon_store(c + 2 * c_stride, acc20, acc21, q0, q1, out, channels);
    if (rows == 4) nnrt__gemm_s8_neon_store(c + 3 * c_stride, acc30, acc31, q0, q1, out, channels);
}

/* Blocks of four rows; a last block of three computes its third row twice, one or two rows go one by one. */
NNRT__FN void nnrt__gemm_s8_neon(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t tile_words =
        nnrt__tile_size(NNRT__GEMM_S8_NEON_NR, 3, 0, 1,
                        (args->piece + NNRT__GEMM_S8_NEON_KR - 1) / NNRT__GEMM_S8_NEON_KR * NNRT__GEMM_S8_NEON_KR) /
        4;
    const nnrt__output_s8_neon out =
        nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    int16_t *wide = (int16_t *)scratch;
    size_t first = 0;
    while (first < args->m) {
        const size_t left = args->m - first, rows = left >= 4 ? 4 : left == 3 ? 3 : 1;
        const int32_t *tile = (const int32_t *)args->w;
        int8_t *c = args->c + first * args->c_stride;
        size_t i, n;
        if (rows == 1) nnrt__gemm_s8_neon_widen(wide, 4, args->a[first], args->piece);
        else
            for (i = 0; i < 4; i++)
                nnrt__gemm_s8_neon_widen(wide + 4 * i, 16, args->a[first + (i < rows ? i : 2)], args->piece);
        for (n = 0; n < args->n; n += NNRT__GEMM_S8_NEON_NR, tile += tile_words) {
            if (rows == 1) nnrt__gemm_s8_neon_1(wide, tile, args->piece, c + n, args->n - n, &out);
            else nnrt__gemm_s8_neon_4(wide, tile, args->piece, c + n, args->c_stride, rows, args->n - n, &out);
        }
        first += rows;
    }
}

NNRT__FN void nnrt__gemm_s8_neon_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_neon, &nnrt__packing_s8_8x1, "neon"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_NEON_H */
