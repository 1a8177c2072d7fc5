/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_neon.h - gemm_f32 for ARMv7 NEON and AArch64. Contract and bound: gemm_f32_scalar.h.

   nr = 8: a tile step is two vectors. Four rows, of pieces wherever they lie, make 8 sums; one or two rows left over
   are done singly; of three the last is computed twice and writes the same floats again. */
#ifndef NNRT_KERNELS_GEMM_F32_NEON_H
#define NNRT_KERNELS_GEMM_F32_NEON_H

#include "internal.h"
#include "f32_neon.h"
#include "gemm_f32_scalar.h"
#include "packing.h"

#if defined(__aarch64__)
#include "gemm_f32_neon_armv8.h"
#else
#include "gemm_f32_neon_armv7.h"
#endif

/* Two sums, clamped, to the first 8 of `channels` channels at c. */
NNRT__INLINE void nnrt__gemm_f32_neon_store(float *c, const float32x4_t sums[2], size_t channels, float32x4_t low,
                                            float32x4_t high) {
    const float32x4_t x = nnrt__clamp_f32_neon(sums[0], low, high), y = nnrt__clamp_f32_neon(sums[1], low, high);
    if (channels < 4) {
        nnrt__store_f32_neon(c, x, channels);
        return;
    }
    vst1q_f32(c, x);
    nnrt__store_f32_neon(c + 4, y, channels < 8 ? channels - 4 : 4);
}

/* `rows` rows, 3 or 4 (the fourth is the third again) or 1, against one tile. */
NNRT__FN void nnrt__gemm_f32_neon_4(const nnrt__gemm_f32_args *args, size_t first, const float *tile, size_t n,
                                    size_t rows) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    const float *const *a = args->a + first * args->pieces;
    const size_t stride = args->c_stride, channels = args->n - n;
    float *c = args->c + first * stride + n;
    float32x4_t sums[8];
    sums[0] = sums[2] = sums[4] = sums[6] = vld1q_f32(tile);
    sums[1] = sums[3] = sums[5] = sums[7] = vld1q_f32(tile + 4);
    nnrt__gemm_f32_neon_rows(sums, a, args->pieces, a + (rows - 1) * args->pieces, args->pieces, args->piece, tile + 8);
    nnrt__gemm_f32_neon_store(c, sums, channels, low, high);
    nnrt__gemm_f32_neon_store(c + stride, sums + 2, channels, low, high);
    nnrt__gemm_f32_neon_store(c + 2 * stride, sums + 4, channels, low, high);
    nnrt__gemm_f32_neon_store(c + (rows - 1) * stride, sums + 6, channels, low, high);
}

NNRT__FN void nnrt__gemm_f32_neon_1(const nnrt__gemm_f32_args *args, size_t row, const float *tile, size_t n) {
    float32x4_t sums[2];
    sums[0] = vld1q_f32(tile);
    sums[1] = vld1q_f32(tile + 4);
    nnrt__gemm_f32_neon_row(sums, args->a + row * args->pieces, args->pieces, args->piece, tile + 8);
    nnrt__gemm_f32_neon_store(args->c + row * args->c_stride + n, sums, args->n - n, vdupq_n_f32(args->clamp_min),
                              vdupq_n_f32(args->clamp_max));
}

/* Few weights stay in the first-level cache while rows pass by fours; else a tile stays there while all rows pass. */
NNRT__FN void nnrt__gemm_f32_neon(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t depth = args->pieces * args->piece, step = nnrt__tile_size(8, 1, 0, 4, 64, depth) / sizeof(float);
    const size_t band = (args->n + 7) / 8 * step <= 4096 ? 4 : nnrt__rows_in_cache(depth * sizeof(float), 4);
    size_t first, n, i;
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_8x1));
    NNRT_ASSERT(band >= 4 && band % 4 == 0);
    (void)scratch;
    for (first = 0; first < args->m; first += band) {
        const size_t rows = args->m - first < band ? args->m - first : band;
        const float *tile = (const float *)args->w;
        for (n = 0; n < args->n; n += 8, tile += step)
            for (i = 0; i < rows;) {
                const size_t count = rows - i < 3 ? 1 : rows - i == 3 ? 3 : 4;
                if (count == 1) nnrt__gemm_f32_neon_1(args, first + i, tile, n);
                else nnrt__gemm_f32_neon_4(args, first + i, tile, n, count);
                i += count;
            }
    }
}

NNRT__FN void nnrt__gemm_f32_neon_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_neon, &nnrt__packing_f32_8x1, "neon"};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_NEON_H */
