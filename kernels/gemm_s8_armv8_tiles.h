/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_tiles.h - what the two gemm_s8 for newer AArch64 processors share: tiles of 8 channels pass
   over bands of rows, up to 8 rows at a time, and the sums of these become bytes while they are in registers. */
#ifndef NNRT_KERNELS_GEMM_S8_ARMV8_TILES_H
#define NNRT_KERNELS_GEMM_S8_ARMV8_TILES_H

#include "gemm_s8_neon.h"
#include "internal.h"
#include "packing.h"

/* What is the same for all blocks of a run. */
typedef struct nnrt__gemm_s8_armv8_run {
    size_t pieces, steps; /* of kr bytes in a piece */
    size_t c_stride;
    nnrt__output_x16_neon out;
} nnrt__gemm_s8_armv8_run;

/* Bytes of `rows` rows from `a` on and of the channels of a tile that there are. added: NULL, or of these rows. */
typedef void (*nnrt__gemm_s8_armv8_tile)(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a,
                                         const int32_t *added, size_t rows, const int32_t *tile, int8_t *c,
                                         size_t channels);

/* One row, as full connections have it, over n channels. added: to its sums. */
typedef void (*nnrt__gemm_s8_armv8_row)(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, int32_t added,
                                        const int32_t *tile, size_t tile_words, int8_t *c, size_t n);

/* Rows that go together, of `left`: a block of 4 costs as much as half one of 8, which 5 rows would fill badly. A block
   that has fewer rows than it takes makes some of them twice. */
NNRT__INLINE size_t nnrt__gemm_s8_armv8_count(size_t left) { return left >= 8 ? 8 : left == 5 ? 4 : left; }

/* sums + the same in every lane. */
NNRT__INLINE int32x4_t nnrt__gemm_s8_armv8_plus(int32x4_t sums, int32_t added) {
    return vaddq_s32(sums, vdupq_n_s32(added));
}

/* Rows of 8 channels in 16 bits, to bytes. */
NNRT__INLINE int8x16_t nnrt__gemm_s8_armv8_narrow(int16x8_t x, int16x8_t y, const nnrt__output_x16_neon *out) {
    const int8x16_t bytes = vqmovn_high_s16(vqmovn_s16(vqaddq_s16(x, out->zero_point)), vqaddq_s16(y, out->zero_point));
    return vminq_s8(vmaxq_s8(bytes, out->low), out->high);
}

/* 8 bytes for each of four rows: 0 and 2 in `even`, 1 and 3 in `odd`; rows 2 and 3 are c_stride apart as well and begin
   at c2. */
NNRT__INLINE void nnrt__gemm_s8_armv8_put(int8_t *c, int8_t *c2, size_t c_stride, int8x16_t even, int8x16_t odd) {
    vst1_s8(c, vget_low_s8(even));
    vst1_s8(c + c_stride, vget_low_s8(odd));
    vst1_s8(c2, vget_high_s8(even));
    vst1_s8(c2 + c_stride, vget_high_s8(odd));
}

/* The sums of one row. */
NNRT__NOINLINE void nnrt__gemm_s8_armv8_store_1(const nnrt__gemm_s8_armv8_run *run, int32x4_t s0, int32x4_t s1,
                                                const int32_t *tile, int8_t *c, size_t channels) {
    nnrt__store_bytes_neon(c, nnrt__tile_bytes_neon(s0, s1, tile, &run->out), channels);
}

/* The sums of one row with two tiles that are whole. */
NNRT__INLINE void nnrt__gemm_s8_armv8_store_2_tiles(const nnrt__gemm_s8_armv8_run *run, int32x4_t s00, int32x4_t s01,
                                                    int32x4_t s10, int32x4_t s11, const int32_t *tile,
                                                    const int32_t *next, int8_t *c) {
    if ((tile[NNRT__TILE8_LEFT] | next[NNRT__TILE8_LEFT]) == 0) {
        const int16x8_t x = nnrt__gemm_s8_neon_right(s00, s01, vld1q_s32(tile + 8), vld1q_s32(tile + 12),
                                                     vld1q_s32(tile + 16), vld1q_s32(tile + 20));
        const int16x8_t y = nnrt__gemm_s8_neon_right(s10, s11, vld1q_s32(next + 8), vld1q_s32(next + 12),
                                                     vld1q_s32(next + 16), vld1q_s32(next + 20));
        vst1q_s8(c, nnrt__gemm_s8_armv8_narrow(x, y, &run->out));
    } else {
        nnrt__gemm_s8_armv8_store_1(run, s00, s01, tile, c, 8);
        nnrt__gemm_s8_armv8_store_1(run, s10, s11, next, c + 8, 8);
    }
}

/* gemm_s8 over a packing of 8 channels by kr products with marks; the tiles pass over as many rows as fit into a
   quarter of 32 KB of cache. */
NNRT__INLINE void nnrt__gemm_s8_armv8_tiles(const nnrt__gemm_s8_args *args, uint32_t kr, nnrt__gemm_s8_armv8_tile rows,
                                            nnrt__gemm_s8_armv8_row row) {
    const size_t depth = nnrt__packed_depth(args->pieces, args->piece, kr);
    const size_t tile_words = nnrt__tile_size(8, 3, 1, 1, 64, depth) / 4;
    nnrt__gemm_s8_armv8_run run;
    size_t band, first, n;
    run.pieces = args->pieces;
    run.steps = (args->piece + kr - 1) / kr;
    run.c_stride = args->c_stride;
    run.out = nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    if (args->m == 1) {
        row(&run, args->a, args->added != NULL ? args->added[0] : 0, (const int32_t *)args->w, tile_words, args->c,
            args->n);
        return;
    }
    band = nnrt__rows_in_cache(depth, 8);
    NNRT_ASSERT(band >= 8 && band % 8 == 0);
    for (first = 0; first < args->m; first += band) {
        const size_t count = args->m - first < band ? args->m - first : band;
        const int32_t *tile = (const int32_t *)args->w, *added = args->added != NULL ? args->added + first : NULL;
        for (n = 0; n < args->n; n += 8, tile += tile_words)
            rows(&run, args->a + first * args->pieces, added, count, tile, args->c + first * args->c_stride + n,
                 args->n - n);
    }
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_TILES_H */
