/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_tiles.h - what the two gemm_s8 for newer AArch64 processors share: tiles of 8 channels pass
   over bands of rows, 8 rows at a time, and the sums of these become bytes. */
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

/* sums[2 * row + half] = the bias and the products of `rows` <= 8 rows with the 8 channels of a tile; more rows may be
   written. lists[row] are the pieces of a row; those past the last are the last again. */
typedef void (*nnrt__gemm_s8_armv8_rows)(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                         size_t rows, const int32_t *tile, int32x4_t sums[16]);

/* sums[half] of one row. */
typedef void (*nnrt__gemm_s8_armv8_row)(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list,
                                        const int32_t *tile, int32x4_t sums[2]);

/* Sums of `rows` <= 8 rows to their bytes. */
NNRT__INLINE void nnrt__gemm_s8_armv8_store(const nnrt__gemm_s8_armv8_run *run, const int32x4_t sums[16],
                                            const int32_t *tile, int8_t *c, size_t rows, size_t channels) {
    size_t i;
    for (i = 0; i < rows; i++, c += run->c_stride)
        nnrt__store_bytes_neon(c, nnrt__tile_bytes_neon(sums[2 * i], sums[2 * i + 1], tile, &run->out), channels);
}

/* Rows that go together, of `left`: a block of 4 costs as much as half one of 8, which 5 rows would fill badly. */
NNRT__INLINE size_t nnrt__gemm_s8_armv8_count(size_t left) { return left >= 8 ? 8 : left == 5 ? 4 : left; }

/* One row, as full connections have it: one pass over the tiles. */
NNRT__INLINE void nnrt__gemm_s8_armv8_one(const nnrt__gemm_s8_args *args, const nnrt__gemm_s8_armv8_run *run,
                                          size_t tile_words, nnrt__gemm_s8_armv8_row product) {
    const int32_t *tile = (const int32_t *)args->w;
    size_t n;
    for (n = 0; n < args->n; n += 8, tile += tile_words) {
        int32x4_t sums[2];
        product(run, args->a, tile, sums);
        nnrt__store_bytes_neon(args->c + n, nnrt__tile_bytes_neon(sums[0], sums[1], tile, &run->out), args->n - n);
    }
}

/* gemm_s8 over a packing of 8 channels by kr products with marks; the tiles pass over as many rows as fit into a
   quarter of 32 KB of cache. */
NNRT__INLINE void nnrt__gemm_s8_armv8_tiles(const nnrt__gemm_s8_args *args, uint32_t kr,
                                            nnrt__gemm_s8_armv8_rows product, nnrt__gemm_s8_armv8_row one) {
    const size_t depth = nnrt__packed_depth(args->pieces, args->piece, kr), pieces = args->pieces;
    const size_t tile_words = nnrt__tile_size(8, 3, 1, 1, 64, depth) / 4;
    const size_t band = nnrt__rows_in_cache(depth, 8);
    nnrt__gemm_s8_armv8_run run;
    size_t first, n, row, i;
    NNRT_ASSERT(band >= 8 && band % 8 == 0);
    run.pieces = pieces;
    run.steps = (args->piece + kr - 1) / kr;
    run.c_stride = args->c_stride;
    run.out = nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    if (args->m == 1) {
        nnrt__gemm_s8_armv8_one(args, &run, tile_words, one);
        return;
    }
    for (first = 0; first < args->m; first += band) {
        const size_t end = args->m - first < band ? args->m : first + band;
        const int32_t *tile = (const int32_t *)args->w;
        for (n = 0; n < args->n; n += 8, tile += tile_words)
            for (row = first; row < end;) {
                const size_t count = nnrt__gemm_s8_armv8_count(end - row);
                const int8_t *const *lists[8];
                int32x4_t sums[16];
                for (i = 0; i < 8; i++) lists[i] = args->a + (row + (i < count ? i : count - 1)) * pieces;
                product(&run, lists, count, tile, sums);
                nnrt__gemm_s8_armv8_store(&run, sums, tile, args->c + row * args->c_stride + n, count, args->n - n);
                row += count;
            }
    }
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_TILES_H */
