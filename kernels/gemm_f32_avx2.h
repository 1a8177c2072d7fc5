/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_avx2.h - gemm_f32 for AVX2 and FMA. Contract and bound: gemm_f32_scalar.h.

   nr = 16: a tile step is two vectors. Six rows make 12 sums + 2 weights + 1 broadcast = 15 of 16 registers,
   and 12 chains cover the latency of FMA (4 cycles, 2 per cycle). Up to three rows left over are done singly,
   with four steps of k in flight instead; four or five repeat their last row, which writes the same floats
   again. Of a last tile with 8 channels or fewer only the first vector is computed. A step of six rows, 96 products,
   is 25 instructions (GCC 12), 6.3 cycles by llvm-mca 14 for haswell: 6 is what FMA allows. */
#ifndef NNRT_KERNELS_GEMM_F32_AVX2_H
#define NNRT_KERNELS_GEMM_F32_AVX2_H

#include "internal.h"
#include "packing.h"
#include "f32_avx2.h"
#include "gemm_f32_scalar.h"

/* Where a block lies: its rows of a and c, its channels, the clamp. */
typedef struct nnrt__gemm_f32_avx2_block {
    const float *const *a;
    float *c;
    size_t c_stride, pieces, piece;
    const float *tile;
    bool is_full, is_8;   /* all 16 channels are there, or just 8: masked stores are slow on some processors (Zen) */
    __m256i mask0, mask1; /* lanes that are channels, of the first and the second vector */
    __m256 low, high;
} nnrt__gemm_f32_avx2_block;

NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2_store(const nnrt__gemm_f32_avx2_block *block, float *c,
                                                              __m256 sum0, __m256 sum1) {
    sum0 = nnrt__clamp_f32_avx2(sum0, block->low, block->high);
    sum1 = nnrt__clamp_f32_avx2(sum1, block->low, block->high);
    if (block->is_full) {
        _mm256_storeu_ps(c, sum0);
        _mm256_storeu_ps(c + 8, sum1);
    } else {
        _mm256_maskstore_ps(c, block->mask0, sum0);
        _mm256_maskstore_ps(c + 8, block->mask1, sum1);
    }
}

/* Of a tile with at most 8 channels. */
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2_store_8(const nnrt__gemm_f32_avx2_block *block, float *c,
                                                                __m256 sum) {
    sum = nnrt__clamp_f32_avx2(sum, block->low, block->high);
    if (block->is_8) _mm256_storeu_ps(c, sum);
    else _mm256_maskstore_ps(c, block->mask0, sum);
}

/* 1 <= rows <= 6; rows past the last are the last one again. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2_6x16(const nnrt__gemm_f32_avx2_block *block, size_t rows) {
    const size_t cs = block->c_stride, k = block->piece, pieces = block->pieces;
    const size_t r1 = rows > 1 ? 1 : 0, r2 = rows > 2 ? 2 : r1, r3 = rows > 3 ? 3 : r2, r4 = rows > 4 ? 4 : r3,
                 r5 = rows > 5 ? 5 : r4;
    const float *const *a = block->a;
    const float *w = block->tile;
    __m256 s00 = _mm256_loadu_ps(w), s01 = _mm256_loadu_ps(w + 8);
    __m256 s10 = s00, s20 = s00, s30 = s00, s40 = s00, s50 = s00;
    __m256 s11 = s01, s21 = s01, s31 = s01, s41 = s01, s51 = s01;
    for (size_t r = 0; r < pieces; r++, a++) {
        const float *a0 = a[0], *a1 = a[r1 * pieces], *a2 = a[r2 * pieces], *a3 = a[r3 * pieces], *a4 = a[r4 * pieces],
                    *a5 = a[r5 * pieces];
        for (size_t t = 0; t < k; t++) {
            __m256 x, w0, w1;
            w += 16;
            w0 = _mm256_loadu_ps(w);
            w1 = _mm256_loadu_ps(w + 8);
            x = _mm256_broadcast_ss(a0 + t);
            s00 = _mm256_fmadd_ps(x, w0, s00);
            s01 = _mm256_fmadd_ps(x, w1, s01);
            x = _mm256_broadcast_ss(a1 + t);
            s10 = _mm256_fmadd_ps(x, w0, s10);
            s11 = _mm256_fmadd_ps(x, w1, s11);
            x = _mm256_broadcast_ss(a2 + t);
            s20 = _mm256_fmadd_ps(x, w0, s20);
            s21 = _mm256_fmadd_ps(x, w1, s21);
            x = _mm256_broadcast_ss(a3 + t);
            s30 = _mm256_fmadd_ps(x, w0, s30);
            s31 = _mm256_fmadd_ps(x, w1, s31);
            x = _mm256_broadcast_ss(a4 + t);
            s40 = _mm256_fmadd_ps(x, w0, s40);
            s41 = _mm256_fmadd_ps(x, w1, s41);
            x = _mm256_broadcast_ss(a5 + t);
            s50 = _mm256_fmadd_ps(x, w0, s50);
            s51 = _mm256_fmadd_ps(x, w1, s51);
        }
    }
    nnrt__gemm_f32_avx2_store(block, block->c, s00, s01);
    nnrt__gemm_f32_avx2_store(block, block->c + r1 * cs, s10, s11);
    nnrt__gemm_f32_avx2_store(block, block->c + r2 * cs, s20, s21);
    nnrt__gemm_f32_avx2_store(block, block->c + r3 * cs, s30, s31);
    nnrt__gemm_f32_avx2_store(block, block->c + r4 * cs, s40, s41);
    nnrt__gemm_f32_avx2_store(block, block->c + r5 * cs, s50, s51);
}

/* As 6x16, for a tile with at most 8 channels. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2_6x8(const nnrt__gemm_f32_avx2_block *block, size_t rows) {
    const size_t cs = block->c_stride, k = block->piece, pieces = block->pieces;
    const size_t r1 = rows > 1 ? 1 : 0, r2 = rows > 2 ? 2 : r1, r3 = rows > 3 ? 3 : r2, r4 = rows > 4 ? 4 : r3,
                 r5 = rows > 5 ? 5 : r4;
    const float *const *a = block->a;
    const float *w = block->tile;
    __m256 s0 = _mm256_loadu_ps(w), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
    for (size_t r = 0; r < pieces; r++, a++) {
        const float *a0 = a[0], *a1 = a[r1 * pieces], *a2 = a[r2 * pieces], *a3 = a[r3 * pieces], *a4 = a[r4 * pieces],
                    *a5 = a[r5 * pieces];
        for (size_t t = 0; t < k; t++) {
            __m256 w0;
            w += 16;
            w0 = _mm256_loadu_ps(w);
            s0 = _mm256_fmadd_ps(_mm256_broadcast_ss(a0 + t), w0, s0);
            s1 = _mm256_fmadd_ps(_mm256_broadcast_ss(a1 + t), w0, s1);
            s2 = _mm256_fmadd_ps(_mm256_broadcast_ss(a2 + t), w0, s2);
            s3 = _mm256_fmadd_ps(_mm256_broadcast_ss(a3 + t), w0, s3);
            s4 = _mm256_fmadd_ps(_mm256_broadcast_ss(a4 + t), w0, s4);
            s5 = _mm256_fmadd_ps(_mm256_broadcast_ss(a5 + t), w0, s5);
        }
    }
    nnrt__gemm_f32_avx2_store_8(block, block->c, s0);
    nnrt__gemm_f32_avx2_store_8(block, block->c + r1 * cs, s1);
    nnrt__gemm_f32_avx2_store_8(block, block->c + r2 * cs, s2);
    nnrt__gemm_f32_avx2_store_8(block, block->c + r3 * cs, s3);
    nnrt__gemm_f32_avx2_store_8(block, block->c + r4 * cs, s4);
    nnrt__gemm_f32_avx2_store_8(block, block->c + r5 * cs, s5);
}

/* One row: a full connection, or a row left over. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2_1x16(const nnrt__gemm_f32_avx2_block *block) {
    const float *w = block->tile;
    const size_t k = block->piece;
    const __m256 zero = _mm256_setzero_ps();
    __m256 s00 = _mm256_loadu_ps(w), s10 = zero, s20 = zero, s30 = zero;
    __m256 s01 = _mm256_loadu_ps(w + 8), s11 = zero, s21 = zero, s31 = zero;
    w += 16;
    for (size_t r = 0; r < block->pieces; r++) {
        const float *a = block->a[r];
        size_t t = 0;
        for (; t + 4 <= k; t += 4, w += 64) {
            const __m256 x0 = _mm256_broadcast_ss(a + t), x1 = _mm256_broadcast_ss(a + t + 1);
            const __m256 x2 = _mm256_broadcast_ss(a + t + 2), x3 = _mm256_broadcast_ss(a + t + 3);
            s00 = _mm256_fmadd_ps(x0, _mm256_loadu_ps(w), s00);
            s01 = _mm256_fmadd_ps(x0, _mm256_loadu_ps(w + 8), s01);
            s10 = _mm256_fmadd_ps(x1, _mm256_loadu_ps(w + 16), s10);
            s11 = _mm256_fmadd_ps(x1, _mm256_loadu_ps(w + 24), s11);
            s20 = _mm256_fmadd_ps(x2, _mm256_loadu_ps(w + 32), s20);
            s21 = _mm256_fmadd_ps(x2, _mm256_loadu_ps(w + 40), s21);
            s30 = _mm256_fmadd_ps(x3, _mm256_loadu_ps(w + 48), s30);
            s31 = _mm256_fmadd_ps(x3, _mm256_loadu_ps(w + 56), s31);
        }
        for (; t < k; t++, w += 16) {
            const __m256 x = _mm256_broadcast_ss(a + t);
            s00 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w), s00);
            s01 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w + 8), s01);
        }
    }
    nnrt__gemm_f32_avx2_store(block, block->c, _mm256_add_ps(_mm256_add_ps(s00, s10), _mm256_add_ps(s20, s30)),
                              _mm256_add_ps(_mm256_add_ps(s01, s11), _mm256_add_ps(s21, s31)));
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_f32_avx2(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t step = nnrt__tile_size(16, 1, 0, 4, 64, args->pieces * args->piece) / sizeof(float);
    nnrt__gemm_f32_avx2_block block;
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_16x1));
    (void)scratch;
    block.c_stride = args->c_stride;
    block.pieces = args->pieces;
    block.piece = args->piece;
    block.low = _mm256_set1_ps(args->clamp_min);
    block.high = _mm256_set1_ps(args->clamp_max);
    for (size_t j = 0; j < args->n; j += 16) {
        const size_t columns = args->n - j;
        size_t i = 0;
        block.tile = (const float *)args->w + j / 16 * step;
        block.is_full = columns >= 16;
        block.is_8 = columns == 8;
        block.mask0 = nnrt__mask_f32_avx2(columns);
        block.mask1 = nnrt__mask_f32_avx2(columns > 8 ? columns - 8 : 0);
        while (i < args->m) {
            const size_t left = args->m - i, rows = left >= 6 ? 6 : left >= 4 ? left : 1;
            block.a = args->a + i * args->pieces;
            block.c = args->c + i * args->c_stride + j;
            if (rows == 1) nnrt__gemm_f32_avx2_1x16(&block);
            else if (columns > 8) nnrt__gemm_f32_avx2_6x16(&block, rows);
            else nnrt__gemm_f32_avx2_6x8(&block, rows);
            i += rows;
        }
    }
}

NNRT__FN void nnrt__gemm_f32_avx2_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_avx2, &nnrt__packing_f32_16x1, "avx2"};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_AVX2_H */
