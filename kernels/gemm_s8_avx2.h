/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_avx2.h - gemm_s8 for AVX2. Contract: gemm_s8_scalar.h.

   Four rows of A are widened once to 16 bits into scratch, then serve every tile. Per two steps of K a tile
   is 16 channels x 2 bytes; widened, vpmaddwd against a broadcast pair of A adds both products into 32 bits
   without horizontal work: |a0 * w0 + a1 * w1| <= 2^15, exact. vpmaddubsw would saturate, so it is not
   used. */
#ifndef NNRT_KERNELS_GEMM_S8_AVX2_H
#define NNRT_KERNELS_GEMM_S8_AVX2_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx2.h"

#define NNRT__GEMM_S8_AVX2_NR 16
#define NNRT__GEMM_S8_AVX2_KR 2

/* int16 elements from row to row in scratch. */
NNRT__INLINE size_t nnrt__gemm_s8_avx2_row(size_t k) { return (k + 15) & ~(size_t)15; }

/* Widens k bytes, and zeros up to a multiple of 16. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_widen(int16_t *to, const int8_t *a, size_t k) {
    size_t i;
    for (i = 0; i + 16 <= k; i += 16)
        _mm256_storeu_si256((__m256i *)(void *)(to + i),
                            _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(a + i))));
    if (i < k)
        _mm256_storeu_si256((__m256i *)(void *)(to + i), _mm256_cvtepi8_epi16(nnrt__load_up_to_16_sse41(a + i, k - i)));
}

/* Two steps of K of one row, to all lanes. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s8_avx2_pair(const int16_t *a) {
    return _mm256_set1_epi32(nnrt__kernel_read_i32(a));
}

/* acc[0], acc[1] + two steps of K of one row. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_step(__m256i acc[2], __m256i a, const int8_t *w) {
    __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)w));
    __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(w + 16)));
    acc[0] = _mm256_add_epi32(acc[0], _mm256_madd_epi16(a, w0));
    acc[1] = _mm256_add_epi32(acc[1], _mm256_madd_epi16(a, w1));
}

/* One row of A against one tile. Four pairs at a time, into two sets of accumulators: the loop is short. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_1(const int16_t *a, const uint8_t *tile, size_t pairs, int8_t *c,
                                                         size_t channels, const nnrt__output_s8_sse41 *out) {
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__GEMM_S8_AVX2_NR;
    nnrt__requantize_x8_avx2 q[2];
    __m256i acc[2], more[2];
    acc[0] = _mm256_loadu_si256((const __m256i *)(const void *)tile);
    acc[1] = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
    more[0] = more[1] = _mm256_setzero_si256();
    for (; pairs >= 4; pairs -= 4, a += 8, w += 128) {
        nnrt__gemm_s8_avx2_step(acc, nnrt__gemm_s8_avx2_pair(a), w);
        nnrt__gemm_s8_avx2_step(more, nnrt__gemm_s8_avx2_pair(a + 2), w + 32);
        nnrt__gemm_s8_avx2_step(acc, nnrt__gemm_s8_avx2_pair(a + 4), w + 64);
        nnrt__gemm_s8_avx2_step(more, nnrt__gemm_s8_avx2_pair(a + 6), w + 96);
    }
    for (; pairs > 0; pairs--, a += 2, w += 32) nnrt__gemm_s8_avx2_step(acc, nnrt__gemm_s8_avx2_pair(a), w);
    acc[0] = _mm256_add_epi32(acc[0], more[0]);
    acc[1] = _mm256_add_epi32(acc[1], more[1]);
    nnrt__requantize_prepare_avx2(&q[0], tile + 64, tile + 128);
    nnrt__requantize_prepare_avx2(&q[1], tile + 96, tile + 160);
    nnrt__store_up_to_16_sse41(c, nnrt__output_bytes_avx2(acc[0], acc[1], q, out), channels);
}

/* Four rows of A, `row` apart, against one tile; the first `rows` of them are stored. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_4(const int16_t *a, size_t row, const uint8_t *tile,
                                                         size_t pairs, int8_t *c, size_t c_stride, size_t rows,
                                                         size_t channels, const nnrt__output_s8_sse41 *out) {
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__GEMM_S8_AVX2_NR;
    const int16_t *a0 = a, *a1 = a + row, *a2 = a + 2 * row, *a3 = a + 3 * row;
    nnrt__requantize_x8_avx2 q[2];
    __m256i acc00 = _mm256_loadu_si256((const __m256i *)(const void *)tile);
    __m256i acc01 = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
    __m256i acc10 = acc00, acc20 = acc00, acc30 = acc00, acc11 = acc01, acc21 = acc01, acc31 = acc01;
    size_t i;
    for (i = 0; i < pairs; i++, w += 32) {
        __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)w));
        __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(w + 16)));
        __m256i x = nnrt__gemm_s8_avx2_pair(a0 + 2 * i);
        acc00 = _mm256_add_epi32(acc00, _mm256_madd_epi16(x, w0));
        acc01 = _mm256_add_epi32(acc01, _mm256_madd_epi16(x, w1));
        x = nnrt__gemm_s8_avx2_pair(a1 + 2 * i);
        acc10 = _mm256_add_epi32(acc10, _mm256_madd_epi16(x, w0));
        acc11 = _mm256_add_epi32(acc11, _mm256_madd_epi16(x, w1));
        x = nnrt__gemm_s8_avx2_pair(a2 + 2 * i);
        acc20 = _mm256_add_epi32(acc20, _mm256_madd_epi16(x, w0));
        acc21 = _mm256_add_epi32(acc21, _mm256_madd_epi16(x, w1));
        x = nnrt__gemm_s8_avx2_pair(a3 + 2 * i);
        acc30 = _mm256_add_epi32(acc30, _mm256_madd_epi16(x, w0));
        acc31 = _mm256_add_epi32(acc31, _mm256_madd_epi16(x, w1));
    }
    nnrt__requantize_prepare_avx2(&q[0], tile + 64, tile + 128);
    nnrt__requantize_prepare_avx2(&q[1], tile + 96, tile + 160);
    nnrt__store_up_to_16_sse41(c, nnrt__output_bytes_avx2(acc00, acc01, q, out), channels);
    nnrt__store_up_to_16_sse41(c + c_stride, nnrt__output_bytes_avx2(acc10, acc11, q, out), channels);
    nnrt__store_up_to_16_sse41(c + 2 * c_stride, nnrt__output_bytes_avx2(acc20, acc21, q, out), channels);
    if (rows == 4)
        nnrt__store_up_to_16_sse41(c + 3 * c_stride, nnrt__output_bytes_avx2(acc30, acc31, q, out), channels);
}

/* Blocks of four rows; a last block of three computes its third row twice, one or two rows go one by one. */
NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_s8_avx2(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t row = nnrt__gemm_s8_avx2_row(args->piece), pairs = args->piece / 2 + args->piece % 2;
    const size_t tile_size =
        nnrt__tile_size(NNRT__GEMM_S8_AVX2_NR, 3, 0, 1,
                        (args->piece + NNRT__GEMM_S8_AVX2_KR - 1) / NNRT__GEMM_S8_AVX2_KR * NNRT__GEMM_S8_AVX2_KR);
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    int16_t *wide = (int16_t *)scratch;
    size_t first = 0;
    while (first < args->m) {
        const size_t left = args->m - first, rows = left >= 4 ? 4 : left == 3 ? 3 : 1;
        const uint8_t *tile = (const uint8_t *)args->w;
        int8_t *c = args->c + first * args->c_stride;
        size_t i, n;
        for (i = 0; i < (rows == 1 ? 1u : 4u); i++)
            nnrt__gemm_s8_avx2_widen(wide + i * row, args->a[first + (i < rows ? i : 2)], args->piece);
        for (n = 0; n < args->n; n += NNRT__GEMM_S8_AVX2_NR, tile += tile_size) {
            if (rows == 1) nnrt__gemm_s8_avx2_1(wide, tile, pairs, c + n, args->n - n, &out);
            else nnrt__gemm_s8_avx2_4(wide, row, tile, pairs, c + n, args->c_stride, rows, args->n - n, &out);
        }
        first += rows;
    }
}

NNRT__FN void nnrt__gemm_s8_avx2_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_avx2, &nnrt__packing_s8_16x2, "avx2"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_AVX2_H */
