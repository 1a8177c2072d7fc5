/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_sse41.h - gemm_s8 for SSE4.1. Contract: gemm_s8_scalar.h.

   As gemm_s8_avx2.h with 8 channels a tile. SSE has no broadcast from memory, so the four widened rows are
   interleaved pair by pair in scratch, [k / 2][row][2]: one load brings a pair of every row, one shuffle
   spreads it. */
#ifndef NNRT_KERNELS_GEMM_S8_SSE41_H
#define NNRT_KERNELS_GEMM_S8_SSE41_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_sse41.h"

#define NNRT__GEMM_S8_SSE41_NR 8
#define NNRT__GEMM_S8_SSE41_KR 2

/* 8 steps of one row, widened; steps past `left` are 0. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s8_sse41_load(const int8_t *a, size_t left) {
    return _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(a, left));
}

/* One row as it is. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_widen_1(__m128i *to, const int8_t *a, size_t k) {
    size_t i;
    for (i = 0; i < k; i += 8) _mm_storeu_si128(to++, nnrt__gemm_s8_sse41_load(a + i, k - i));
}

/* Four rows, interleaved by pairs: a 4 x 4 transposition of 32-bit units. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_widen_4(__m128i *to, const int8_t *a0, const int8_t *a1,
                                                                 const int8_t *a2, const int8_t *a3, size_t k) {
    size_t i;
    for (i = 0; i < k; i += 8, to += 4) {
        __m128i r0 = nnrt__gemm_s8_sse41_load(a0 + i, k - i), r1 = nnrt__gemm_s8_sse41_load(a1 + i, k - i);
        __m128i r2 = nnrt__gemm_s8_sse41_load(a2 + i, k - i), r3 = nnrt__gemm_s8_sse41_load(a3 + i, k - i);
        __m128i low01 = _mm_unpacklo_epi32(r0, r1), high01 = _mm_unpackhi_epi32(r0, r1);
        __m128i low23 = _mm_unpacklo_epi32(r2, r3), high23 = _mm_unpackhi_epi32(r2, r3);
        _mm_storeu_si128(to, _mm_unpacklo_epi64(low01, low23));
        _mm_storeu_si128(to + 1, _mm_unpackhi_epi64(low01, low23));
        _mm_storeu_si128(to + 2, _mm_unpacklo_epi64(high01, high23));
        _mm_storeu_si128(to + 3, _mm_unpackhi_epi64(high01, high23));
    }
}

/* The constants of a tile. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_constants(nnrt__requantize_x4_sse41 q[2],
                                                                   const uint8_t *tile) {
    const __m128i *words = (const __m128i *)(const void *)tile;
    nnrt__requantize_prepare_sse41(&q[0], _mm_loadu_si128(words + 2), _mm_loadu_si128(words + 4));
    nnrt__requantize_prepare_sse41(&q[1], _mm_loadu_si128(words + 3), _mm_loadu_si128(words + 5));
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_store(int8_t *c, __m128i acc0, __m128i acc1,
                                                               const nnrt__requantize_x4_sse41 q[2],
                                                               const nnrt__output_s8_sse41 *out, size_t channels) {
    __m128i bytes =
        nnrt__output_bytes_sse41(nnrt__requantize_sse41(acc0, &q[0]), nnrt__requantize_sse41(acc1, &q[1]), out);
    nnrt__store_bytes_sse41(c, bytes, channels);
}

/* One row of A against one tile. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_1(const int16_t *a, const uint8_t *tile, size_t pairs,
                                                           int8_t *c, size_t channels,
                                                           const nnrt__output_s8_sse41 *out) {
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__GEMM_S8_SSE41_NR;
    nnrt__requantize_x4_sse41 q[2];
    __m128i acc0 = _mm_loadu_si128((const __m128i *)(const void *)tile);
    __m128i acc1 = _mm_loadu_si128((const __m128i *)(const void *)(tile + 16));
    size_t i;
    for (i = 0; i < pairs; i++, w += 16) {
        __m128i x = _mm_set1_epi32(nnrt__kernel_read_i32(a + 2 * i));
        __m128i w0 = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)w));
        __m128i w1 = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(w + 8)));
        acc0 = _mm_add_epi32(acc0, _mm_madd_epi16(w0, x));
        acc1 = _mm_add_epi32(acc1, _mm_madd_epi16(w1, x));
    }
    nnrt__gemm_s8_sse41_constants(q, tile);
    nnrt__gemm_s8_sse41_store(c, acc0, acc1, q, out, channels);
}

/* Four interleaved rows of A against one tile; the first `rows` of them are stored. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_4(const __m128i *a, const uint8_t *tile, size_t pairs,
                                                           int8_t *c, size_t c_stride, size_t rows, size_t channels,
                                                           const nnrt__output_s8_sse41 *out) {
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__GEMM_S8_SSE41_NR;
    nnrt__requantize_x4_sse41 q[2];
    __m128i acc00 = _mm_loadu_si128((const __m128i *)(const void *)tile);
    __m128i acc01 = _mm_loadu_si128((const __m128i *)(const void *)(tile + 16));
    __m128i acc10 = acc00, acc20 = acc00, acc30 = acc00, acc11 = acc01, acc21 = acc01, acc31 = acc01;
    size_t i;
    for (i = 0; i < pairs; i++, w += 16) {
        __m128i rows4 = _mm_loadu_si128(a + i), x;
        __m128i w0 = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)w));
        __m128i w1 = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(w + 8)));
        x = _mm_shuffle_epi32(rows4, 0x00);
        acc00 = _mm_add_epi32(acc00, _mm_madd_epi16(x, w0));
        acc01 = _mm_add_epi32(acc01, _mm_madd_epi16(x, w1));
        x = _mm_shuffle_epi32(rows4, 0x55);
        acc10 = _mm_add_epi32(acc10, _mm_madd_epi16(x, w0));
        acc11 = _mm_add_epi32(acc11, _mm_madd_epi16(x, w1));
        x = _mm_shuffle_epi32(rows4, 0xaa);
        acc20 = _mm_add_epi32(acc20, _mm_madd_epi16(x, w0));
        acc21 = _mm_add_epi32(acc21, _mm_madd_epi16(x, w1));
        x = _mm_shuffle_epi32(rows4, 0xff);
        acc30 = _mm_add_epi32(acc30, _mm_madd_epi16(x, w0));
        acc31 = _mm_add_epi32(acc31, _mm_madd_epi16(x, w1));
    }
    nnrt__gemm_s8_sse41_constants(q, tile);
    nnrt__gemm_s8_sse41_store(c, acc00, acc01, q, out, channels);
    nnrt__gemm_s8_sse41_store(c + c_stride, acc10, acc11, q, out, channels);
    nnrt__gemm_s8_sse41_store(c + 2 * c_stride, acc20, acc21, q, out, channels);
    if (rows == 4) nnrt__gemm_s8_sse41_store(c + 3 * c_stride, acc30, acc31, q, out, channels);
}

/* Blocks of four rows; a last block of three computes its third row twice, one or two rows go one by one. */
NNRT__TARGET_SSE41 NNRT__FN void nnrt__gemm_s8_sse41(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t pairs = args->piece / 2 + args->piece % 2;
    const size_t tile_size =
        nnrt__tile_size(NNRT__GEMM_S8_SSE41_NR, 3, 0, 1,
                        (args->piece + NNRT__GEMM_S8_SSE41_KR - 1) / NNRT__GEMM_S8_SSE41_KR * NNRT__GEMM_S8_SSE41_KR);
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    size_t first = 0;
    while (first < args->m) {
        const size_t left = args->m - first, rows = left >= 4 ? 4 : left == 3 ? 3 : 1;
        const uint8_t *tile = (const uint8_t *)args->w;
        const int8_t *const *a = args->a + first;
        int8_t *c = args->c + first * args->c_stride;
        size_t n;
        if (rows == 1) nnrt__gemm_s8_sse41_widen_1((__m128i *)scratch, a[0], args->piece);
        else nnrt__gemm_s8_sse41_widen_4((__m128i *)scratch, a[0], a[1], a[2], a[rows - 1], args->piece);
        for (n = 0; n < args->n; n += NNRT__GEMM_S8_SSE41_NR, tile += tile_size) {
            if (rows == 1) nnrt__gemm_s8_sse41_1((const int16_t *)scratch, tile, pairs, c + n, args->n - n, &out);
            else
                nnrt__gemm_s8_sse41_4((const __m128i *)scratch, tile, pairs, c + n, args->c_stride, rows, args->n - n,
                                      &out);
        }
        first += rows;
    }
}

NNRT__FN void nnrt__gemm_s8_sse41_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_sse41, &nnrt__packing_s8_8x2, "sse41"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_SSE41_H */
