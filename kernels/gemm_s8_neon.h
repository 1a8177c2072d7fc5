/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_neon.h - gemm_s8 for ARMv7 NEON and AArch64. Contract: gemm_s8_scalar.h.

   A is read where it lies, 8 bytes of a row at a time, and never widened. Two products of int8 are added in 16 bits
   (vmull.s8, vmlal.s8), then two neighbours in 32 (vpadal.s16): four channels of a row stand in a register, each with
   two products, so nothing is summed across in the end. For that each channel needs its pair of A in its own lane:
   instead of spreading each pair over a register (vdup, four a row and 8 bytes) the weights are packed so that A turned
   in itself (vrev32.16, vrev64.32, vrev64.16) meets each channel's four pairs, each in another order; one turn of a Q
   register serves two rows.
   |a0 * w0 + a1 * w1| <= 2 * 128 * 127 < 2^15 where no weight is -128; a tile that has one (mark[0]) takes each product
   by itself, row by row: quantizers that keep weights symmetric make no such tile.

   4 rows x 8 channels in 8 sums, and one row alone. Instructions for 256 products on ARMv7 (2026-11-22): 64,
   counted; by lane with A widened beforehand 92, counted, and the widening. Estimated and not built: dot products
   along k 60, and then 6 to add four sums across, which fewer than 200 steps of k do not pay; vdup for each pair 76. */
#ifndef NNRT_KERNELS_GEMM_S8_NEON_H
#define NNRT_KERNELS_GEMM_S8_NEON_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_neon.h"

#if defined(__aarch64__)
#include "gemm_s8_neon_armv8.h"
#else
#include "gemm_s8_neon_armv7.h"
#endif

/* What is the same for all blocks of a run. */
typedef struct nnrt__gemm_s8_neon_run {
    size_t pieces, steps; /* of 8 bytes in a piece; pieces is 0 when steps is */
    size_t c_stride;
    nnrt__output_x16_neon out;
} nnrt__gemm_s8_neon_run;

/* sum + two products in each lane. */
NNRT__INLINE int32x4_t nnrt__gemm_s8_neon_pair(int32x4_t sum, int8x8_t x, int8x8_t y, int8x16_t w, bool lowest) {
    int16x8_t products = vmull_s8(x, vget_low_s8(w));
    if (!lowest) return vpadalq_s16(sum, vmlal_s8(products, y, vget_high_s8(w)));
    return vpadalq_s16(vpadalq_s16(sum, products), vmull_s8(y, vget_high_s8(w)));
}

/* One row against one tile; `lowest` is a constant at each place of use. added: NULL, or of the rows that are given. */
NNRT__INLINE void nnrt__gemm_s8_neon_1(const nnrt__gemm_s8_neon_run *run, const int8_t *const *a, const int32_t *added,
                                       const int32_t *tile, int8_t *c, size_t channels, bool lowest) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t s0 = vld1q_s32(tile), s1 = vld1q_s32(tile + 4);
    int32x4_t t0 = vdupq_n_s32(added != NULL ? added[0] : 0), t1 = t0;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *from = a[piece];
        for (left = run->steps; left > 0; left--, from += 8) {
            const int8x8_t x = vld1_s8(from), y = vreinterpret_s8_s16(vrev32_s16(vreinterpret_s16_s8(x)));
            const int8x8_t u = vreinterpret_s8_s32(vrev64_s32(vreinterpret_s32_s8(x)));
            const int8x8_t v = vreinterpret_s8_s16(vrev64_s16(vreinterpret_s16_s8(x)));
            s0 = nnrt__gemm_s8_neon_pair(s0, x, y, vld1q_s8(w), lowest), w += 16;
            s1 = nnrt__gemm_s8_neon_pair(s1, x, y, vld1q_s8(w), lowest), w += 16;
            t0 = nnrt__gemm_s8_neon_pair(t0, u, v, vld1q_s8(w), lowest), w += 16;
            t1 = nnrt__gemm_s8_neon_pair(t1, u, v, vld1q_s8(w), lowest), w += 16;
        }
    }
    nnrt__store_bytes_neon(c, nnrt__tile_bytes_neon(vaddq_s32(s0, t0), vaddq_s32(s1, t1), tile, &run->out), channels);
}

NNRT__NOINLINE void nnrt__gemm_s8_neon_row(const nnrt__gemm_s8_neon_run *run, const int8_t *const *a,
                                           const int32_t *added, const int32_t *tile, int8_t *c, size_t channels) {
    nnrt__gemm_s8_neon_1(run, a, added, tile, c, channels, false);
}

NNRT__NOINLINE void nnrt__gemm_s8_neon_row_lowest(const nnrt__gemm_s8_neon_run *run, const int8_t *const *a,
                                                  const int32_t *added, const int32_t *tile, int8_t *c,
                                                  size_t channels) {
    nnrt__gemm_s8_neon_1(run, a, added, tile, c, channels, true);
}

/* Three or four rows (the fourth is the third again) against one tile without a weight of -128. */
NNRT__INLINE void nnrt__gemm_s8_neon_4(const nnrt__gemm_s8_neon_run *run, const int8_t *const *a, const int32_t *added,
                                       const int32_t *tile, int8_t *c, size_t rows, size_t channels) {
    const size_t c_stride = run->c_stride;
    int8_t *const c3 = c + (rows - 1) * c_stride;
    int32x4_t sums[8];
    int8x16_t bytes[2];
    sums[0] = sums[2] = sums[4] = sums[6] = vld1q_s32(tile);
    sums[1] = sums[3] = sums[5] = sums[7] = vld1q_s32(tile + 4);
    if (added != NULL) {
        sums[0] = vaddq_s32(sums[0], vdupq_n_s32(added[0]));
        sums[1] = vaddq_s32(sums[1], vdupq_n_s32(added[0]));
        sums[2] = vaddq_s32(sums[2], vdupq_n_s32(added[1]));
        sums[3] = vaddq_s32(sums[3], vdupq_n_s32(added[1]));
        sums[4] = vaddq_s32(sums[4], vdupq_n_s32(added[2]));
        sums[5] = vaddq_s32(sums[5], vdupq_n_s32(added[2]));
        sums[6] = vaddq_s32(sums[6], vdupq_n_s32(added[rows - 1]));
        sums[7] = vaddq_s32(sums[7], vdupq_n_s32(added[rows - 1]));
    }
    nnrt__gemm_s8_neon_rows(sums, a, run->pieces, a + (rows - 1) * run->pieces, run->pieces, run->steps,
                            (const int8_t *)(tile + NNRT__TILE8_WEIGHTS));
    if (tile[NNRT__TILE8_LEFT] == 0) {
        nnrt__gemm_s8_neon_finish(sums, tile, &run->out, bytes);
    } else {
        bytes[0] = vcombine_s8(nnrt__tile_bytes_neon(sums[0], sums[1], tile, &run->out),
                               nnrt__tile_bytes_neon(sums[2], sums[3], tile, &run->out));
        bytes[1] = vcombine_s8(nnrt__tile_bytes_neon(sums[4], sums[5], tile, &run->out),
                               nnrt__tile_bytes_neon(sums[6], sums[7], tile, &run->out));
    }
    if (channels >= 8) {
        vst1_s8(c, vget_low_s8(bytes[0]));
        vst1_s8(c + c_stride, vget_high_s8(bytes[0]));
        vst1_s8(c + 2 * c_stride, vget_low_s8(bytes[1]));
        vst1_s8(c3, vget_high_s8(bytes[1]));
    } else {
        nnrt__store_bytes_neon(c, vget_low_s8(bytes[0]), channels);
        nnrt__store_bytes_neon(c + c_stride, vget_high_s8(bytes[0]), channels);
        nnrt__store_bytes_neon(c + 2 * c_stride, vget_low_s8(bytes[1]), channels);
        nnrt__store_bytes_neon(c3, vget_high_s8(bytes[1]), channels);
    }
}

/* `rows` rows against one tile. */
NNRT__FN void nnrt__gemm_s8_neon_tile(const nnrt__gemm_s8_neon_run *run, const int8_t *const *a, size_t a_step,
                                      const int32_t *added, const int32_t *tile, int8_t *c, size_t rows,
                                      size_t channels) {
    while (rows > 0) {
        const size_t count = tile[NNRT__TILE8_LOWEST] != 0 || rows < 3 ? 1 : rows == 3 ? 3 : 4;
        if (count > 1) nnrt__gemm_s8_neon_4(run, a, added, tile, c, count, channels);
        else if (tile[NNRT__TILE8_LOWEST] == 0) nnrt__gemm_s8_neon_row(run, a, added, tile, c, channels);
        else nnrt__gemm_s8_neon_row_lowest(run, a, added, tile, c, channels);
        if (added != NULL) added += count;
        a += count * a_step, c += count * run->c_stride, rows -= count;
    }
}

/* The tiles pass over as many rows as fit into a quarter of 32 KB of cache. */
NNRT__NOINLINE void nnrt__gemm_s8_neon_bands(const nnrt__gemm_s8_args *args, const nnrt__gemm_s8_neon_run *run,
                                             size_t depth, size_t tile_size) {
    const size_t band = nnrt__rows_in_cache(depth, 4);
    size_t first, n;
    NNRT_ASSERT(band >= 4 && band % 4 == 0);
    for (first = 0; first < args->m; first += band) {
        const size_t rows = args->m - first < band ? args->m - first : band;
        const int32_t *tile = (const int32_t *)args->w;
        for (n = 0; n < args->n; n += 8, tile += tile_size / 4)
            nnrt__gemm_s8_neon_tile(run, args->a + first * args->pieces, args->pieces,
                                    args->added != NULL ? args->added + first : NULL, tile,
                                    args->c + first * args->c_stride + n, rows, args->n - n);
    }
}

NNRT__FN void nnrt__gemm_s8_neon(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t depth = nnrt__packed_depth(args->pieces, args->piece, 8),
                 tile_size = nnrt__tile_size(8, 3, 1, 1, 64, depth);
    const int32_t *tile = (const int32_t *)args->w;
    nnrt__gemm_s8_neon_run run;
    size_t n;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x8_turned, scratch));
    (void)scratch;
    run.steps = (args->piece + 7) / 8;
    run.pieces = run.steps == 0 ? 0 : args->pieces;
    run.c_stride = args->c_stride;
    run.out = nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    if (args->m != 1) {
        nnrt__gemm_s8_neon_bands(args, &run, depth, tile_size);
        return;
    }
    for (n = 0; n < args->n; n += 8, tile += tile_size / 4) {
        if (tile[NNRT__TILE8_LOWEST] == 0)
            nnrt__gemm_s8_neon_row(&run, args->a, args->added, tile, args->c + n, args->n - n);
        else nnrt__gemm_s8_neon_row_lowest(&run, args->a, args->added, tile, args->c + n, args->n - n);
    }
}

NNRT__FN void nnrt__row_sums_neon(const nnrt__row_sums_args *args) {
    size_t m, r, i;
    NNRT_ASSERT(nnrt__row_sums_is_right(args));
    for (m = 0; m < args->m; m++) {
        const int8_t *const *a = args->a + m * args->pieces;
        int32x4_t sums = vdupq_n_s32(0);
        int64x2_t pairs;
        uint32_t rest = 0;
        for (r = 0; r < args->pieces; r++) {
            for (i = 0; i + 16 <= args->piece; i += 16) sums = vpadalq_s16(sums, vpaddlq_s8(vld1q_s8(a[r] + i)));
            for (; i + 8 <= args->piece; i += 8) sums = vaddw_s16(sums, vpaddl_s8(vld1_s8(a[r] + i)));
            for (; i < args->piece; i++) {
                const int32_t value = a[r][i];
                rest += (uint32_t)value;
            }
        }
        pairs = vpaddlq_s32(sums);
        nnrt__row_sums_put(args, m, rest + (uint32_t)vgetq_lane_s64(pairs, 0) + (uint32_t)vgetq_lane_s64(pairs, 1));
    }
    nnrt__row_sums_end(args);
}

NNRT__FN void nnrt__gemm_s8_neon_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_neon, &nnrt__packing_s8_8x8_turned, "neon"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->row_sums = nnrt__row_sums_neon;
}

#endif /* NNRT_KERNELS_GEMM_S8_NEON_H */
