/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_sse41.h - gemm_f32 for SSE4.1. Contract and bound: gemm_f32_scalar.h.

   nr = 8: a tile step is two vectors. Four rows make 8 sums + 2 weights + 1 broadcast + 2 products = 13 of 16
   registers. One or two rows left over are done singly, with four steps of k in flight; three repeat the last
   row, which writes the same floats again. A step of four rows, 32 products, is 32 instructions (GCC 12), 8 cycles by
   llvm-mca 14 for haswell, whose additions have one unit. */
#ifndef NNRT_KERNELS_GEMM_F32_SSE41_H
#define NNRT_KERNELS_GEMM_F32_SSE41_H

#include "internal.h"
#include "packing.h"
#include "f32_sse41.h"
#include "gemm_f32_scalar.h"

/* Two sums, clamped, to the first `columns` channels at c; all 8, when there are more. */
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__gemm_f32_sse41_store(float *c, size_t columns, __m128 sum0, __m128 sum1,
                                                                __m128 low, __m128 high) {
    sum0 = nnrt__clamp_f32_sse41(sum0, low, high);
    sum1 = nnrt__clamp_f32_sse41(sum1, low, high);
    if (columns >= 8) {
        _mm_storeu_ps(c, sum0);
        _mm_storeu_ps(c + 4, sum1);
    } else {
        nnrt__store_f32_sse41(c, sum0, columns < 4 ? columns : 4);
        if (columns > 4) nnrt__store_f32_sse41(c + 4, sum1, columns - 4);
    }
}

/* sum + x * w, rounded twice. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__gemm_f32_sse41_add(__m128 sum, __m128 x, const float *w) {
    return _mm_add_ps(sum, _mm_mul_ps(x, _mm_loadu_ps(w)));
}

/* Lane `lane` of x in all lanes, without a copy of x before. */
#define NNRT__GEMM_F32_SSE41_LANE(x, lane) _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(x), (lane)*0x55))

/* 1 <= rows <= 4 from row i on; rows past the last are the last one again. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_f32_sse41_4x8(const nnrt__gemm_f32_args *args, const float *w, size_t i,
                                                          size_t j, size_t rows, size_t columns) {
    const size_t r1 = rows > 1 ? 1 : 0, r2 = rows > 2 ? 2 : r1, r3 = rows > 3 ? 3 : r2, cs = args->c_stride;
    const size_t pieces = args->pieces;
    const float *const *a = args->a + i * pieces;
    float *c = args->c + i * cs + j;
    __m128 s00 = _mm_loadu_ps(w), s01 = _mm_loadu_ps(w + 4);
    __m128 s10 = s00, s20 = s00, s30 = s00, s11 = s01, s21 = s01, s31 = s01, low, high;
    for (size_t r = 0; r < pieces; r++, a++) {
        const float *a0 = a[0], *a1 = a[r1 * pieces], *a2 = a[r2 * pieces], *a3 = a[r3 * pieces];
        for (size_t t = 0; t < args->piece; t++) {
            __m128 x, w0, w1;
            w += 8;
            w0 = _mm_loadu_ps(w);
            w1 = _mm_loadu_ps(w + 4);
            x = _mm_set1_ps(a0[t]);
            s00 = _mm_add_ps(s00, _mm_mul_ps(x, w0));
            s01 = _mm_add_ps(s01, _mm_mul_ps(x, w1));
            x = _mm_set1_ps(a1[t]);
            s10 = _mm_add_ps(s10, _mm_mul_ps(x, w0));
            s11 = _mm_add_ps(s11, _mm_mul_ps(x, w1));
            x = _mm_set1_ps(a2[t]);
            s20 = _mm_add_ps(s20, _mm_mul_ps(x, w0));
            s21 = _mm_add_ps(s21, _mm_mul_ps(x, w1));
            x = _mm_set1_ps(a3[t]);
            s30 = _mm_add_ps(s30, _mm_mul_ps(x, w0));
            s31 = _mm_add_ps(s31, _mm_mul_ps(x, w1));
        }
    }
    low = _mm_set1_ps(args->clamp_min);
    high = _mm_set1_ps(args->clamp_max);
    nnrt__gemm_f32_sse41_store(c, columns, s00, s01, low, high);
    nnrt__gemm_f32_sse41_store(c + r1 * cs, columns, s10, s11, low, high);
    nnrt__gemm_f32_sse41_store(c + r2 * cs, columns, s20, s21, low, high);
    nnrt__gemm_f32_sse41_store(c + r3 * cs, columns, s30, s31, low, high);
}

/* Row i, a full connection or a row left over, by the channels from j to end, whose first tile is at w; step: floats
   of a tile. Four steps of k are in flight. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_f32_sse41_row(const nnrt__gemm_f32_args *args, const float *tile,
                                                          size_t step, size_t i, size_t j, size_t end) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    const float *const *a = args->a + i * args->pieces, *const *const a_end = a + args->pieces;
    const size_t k = args->piece;
    float *c = args->c + i * args->c_stride;
    for (; j < end; j += 8, tile += step) {
        __m128 s00 = _mm_loadu_ps(tile), s10 = _mm_setzero_ps(), s20 = s10, s30 = s10;
        __m128 s01 = _mm_loadu_ps(tile + 4), s11 = s10, s21 = s10, s31 = s10;
        const float *w = tile + 8;
        for (const float *const *piece = a; piece != a_end; piece++) {
            const float *x = *piece, *const x_end = x + k;
            for (size_t fours = k / 4; fours != 0; fours--, x += 4, w += 32) {
                const __m128 x4 = _mm_loadu_ps(x);
                const __m128 x0 = NNRT__GEMM_F32_SSE41_LANE(x4, 0), x1 = NNRT__GEMM_F32_SSE41_LANE(x4, 1);
                const __m128 x2 = NNRT__GEMM_F32_SSE41_LANE(x4, 2), x3 = NNRT__GEMM_F32_SSE41_LANE(x4, 3);
                s00 = nnrt__gemm_f32_sse41_add(s00, x0, w);
                s01 = nnrt__gemm_f32_sse41_add(s01, x0, w + 4);
                s10 = nnrt__gemm_f32_sse41_add(s10, x1, w + 8);
                s11 = nnrt__gemm_f32_sse41_add(s11, x1, w + 12);
                s20 = nnrt__gemm_f32_sse41_add(s20, x2, w + 16);
                s21 = nnrt__gemm_f32_sse41_add(s21, x2, w + 20);
                s30 = nnrt__gemm_f32_sse41_add(s30, x3, w + 24);
                s31 = nnrt__gemm_f32_sse41_add(s31, x3, w + 28);
            }
            for (; x != x_end; x++, w += 8) {
                const __m128 x0 = _mm_set1_ps(*x);
                s00 = nnrt__gemm_f32_sse41_add(s00, x0, w);
                s01 = nnrt__gemm_f32_sse41_add(s01, x0, w + 4);
            }
        }
        nnrt__gemm_f32_sse41_store(c + j, end - j, _mm_add_ps(_mm_add_ps(s00, s10), _mm_add_ps(s20, s30)),
                                   _mm_add_ps(_mm_add_ps(s01, s11), _mm_add_ps(s21, s31)), low, high);
    }
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_f32_sse41(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->pieces * args->piece) / sizeof(float);
    const float *tile = (const float *)args->w;
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_8x1));
    (void)scratch;
    if (args->m == 1) {
        nnrt__gemm_f32_sse41_row(args, tile, step, 0, 0, args->n);
        return;
    }
    for (size_t j = 0; j < args->n; j += 8, tile += step) {
        const size_t columns = args->n - j < 8 ? args->n - j : 8;
        size_t i = 0;
        while (i < args->m) {
            const size_t left = args->m - i, rows = left >= 4 ? 4 : left == 3 ? 3 : 1;
            if (rows == 1) nnrt__gemm_f32_sse41_row(args, tile, step, i, j, j + columns);
            else nnrt__gemm_f32_sse41_4x8(args, tile, i, j, rows, columns);
            i += rows;
        }
    }
}

NNRT__FN void nnrt__gemm_f32_sse41_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_sse41, &nnrt__packing_f32_8x1, "sse41"};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_SSE41_H */
