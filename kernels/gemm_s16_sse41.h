/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_sse41.h - gemm_s16 for SSE4.1. Contract: gemm_s16_scalar.h.

   2 rows x 4 channels in 8 accumulators; weights are widened to 16 bits as they are read, and pmaddwd adds two products
   of at most 2^22 into 32 bits: a lane can take 255 of those, then it goes into 64 bits. A row's length that is no
   multiple of 8 begins with its last 8 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_GEMM_S16_SSE41_H
#define NNRT_KERNELS_GEMM_S16_SSE41_H

#include "gemm_s16_scalar.h"

/* Products of a row before the sums of 32 bits go into those of 64. */
#define NNRT__GEMM_S16_CHUNK_SSE41 (254u * 8u)

/* 8 bytes, widened. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s16_wide_sse41(const int8_t *from) {
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

/* n < 8 bytes, widened, and zeros. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s16_few_sse41(const int8_t *from, size_t n) {
    const uint64_t bytes = nnrt__load_up_to_8(from, n);
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)&bytes));
}

NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s16_load_sse41(const int16_t *from) {
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

/* sum + 8 products */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s16_add_sse41(__m128i sum, __m128i a, __m128i w) {
    return _mm_add_epi32(sum, _mm_madd_epi16(a, w));
}

/* Adds the sums over the lanes of a and of b to to[0] and to[1]. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s16_two_sums_sse41(__m128i a, __m128i b, int64_t *to) {
    const __m128i a2 = _mm_add_epi64(_mm_cvtepi32_epi64(a), _mm_cvtepi32_epi64(_mm_srli_si128(a, 8)));
    const __m128i b2 = _mm_add_epi64(_mm_cvtepi32_epi64(b), _mm_cvtepi32_epi64(_mm_srli_si128(b, 8)));
    const __m128i both = _mm_add_epi64(_mm_unpacklo_epi64(a2, b2), _mm_unpackhi_epi64(a2, b2));
    __m128i *at = (__m128i *)(void *)to;
    _mm_storeu_si128(at, _mm_add_epi64(_mm_loadu_si128(at), both));
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s16_sums_sse41(__m128i a, __m128i b, __m128i c, __m128i d,
                                                               int64_t *to) {
    nnrt__gemm_s16_two_sums_sse41(a, b, to);
    nnrt__gemm_s16_two_sums_sse41(c, d, to + 2);
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s16_block_sse41(const nnrt__gemm_s16_args *args, const int16_t *a0,
                                                                const int16_t *a1, size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, k = args->k, tail = k % 8;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    __m128i sum00 = _mm_setzero_si128(), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    __m128i sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    int64_t sums[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    __m128i x0, x1, y;
    size_t t, end, c;
    if (tail != 0 && k >= 8) {
        const __m128i last = _mm_loadl_epi64((const __m128i *)(const void *)(nnrt__last_bytes_mask() + 8 + tail));
        const __m128i mask = _mm_cvtepi8_epi16(last);
        t = k - 8;
        x0 = _mm_and_si128(nnrt__gemm_s16_load_sse41(a0 + t), mask);
        x1 = _mm_and_si128(nnrt__gemm_s16_load_sse41(a1 + t), mask);
        y = nnrt__gemm_s16_wide_sse41(w0 + t);
        sum00 = nnrt__gemm_s16_add_sse41(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_sse41(sum10, x1, y);
        y = nnrt__gemm_s16_wide_sse41(w1 + t);
        sum01 = nnrt__gemm_s16_add_sse41(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_sse41(sum11, x1, y);
        y = nnrt__gemm_s16_wide_sse41(w2 + t);
        sum02 = nnrt__gemm_s16_add_sse41(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_sse41(sum12, x1, y);
        y = nnrt__gemm_s16_wide_sse41(w3 + t);
        sum03 = nnrt__gemm_s16_add_sse41(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_sse41(sum13, x1, y);
    } else if (tail != 0) {
        int16_t row[2][8] = {{0}, {0}};
        memcpy(row[0], a0, k * sizeof(int16_t));
        memcpy(row[1], a1, k * sizeof(int16_t));
        x0 = nnrt__gemm_s16_load_sse41(row[0]);
        x1 = nnrt__gemm_s16_load_sse41(row[1]);
        y = nnrt__gemm_s16_few_sse41(w0, k);
        sum00 = nnrt__gemm_s16_add_sse41(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_sse41(sum10, x1, y);
        y = nnrt__gemm_s16_few_sse41(w1, k);
        sum01 = nnrt__gemm_s16_add_sse41(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_sse41(sum11, x1, y);
        y = nnrt__gemm_s16_few_sse41(w2, k);
        sum02 = nnrt__gemm_s16_add_sse41(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_sse41(sum12, x1, y);
        y = nnrt__gemm_s16_few_sse41(w3, k);
        sum03 = nnrt__gemm_s16_add_sse41(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_sse41(sum13, x1, y);
    }
    for (t = 0; t + 8 <= k;) {
        end = k - tail - t > NNRT__GEMM_S16_CHUNK_SSE41 ? t + NNRT__GEMM_S16_CHUNK_SSE41 : k - tail;
        for (; t < end; t += 8) {
            x0 = nnrt__gemm_s16_load_sse41(a0 + t);
            x1 = nnrt__gemm_s16_load_sse41(a1 + t);
            y = nnrt__gemm_s16_wide_sse41(w0 + t);
            sum00 = nnrt__gemm_s16_add_sse41(sum00, x0, y);
            sum10 = nnrt__gemm_s16_add_sse41(sum10, x1, y);
            y = nnrt__gemm_s16_wide_sse41(w1 + t);
            sum01 = nnrt__gemm_s16_add_sse41(sum01, x0, y);
            sum11 = nnrt__gemm_s16_add_sse41(sum11, x1, y);
            y = nnrt__gemm_s16_wide_sse41(w2 + t);
            sum02 = nnrt__gemm_s16_add_sse41(sum02, x0, y);
            sum12 = nnrt__gemm_s16_add_sse41(sum12, x1, y);
            y = nnrt__gemm_s16_wide_sse41(w3 + t);
            sum03 = nnrt__gemm_s16_add_sse41(sum03, x0, y);
            sum13 = nnrt__gemm_s16_add_sse41(sum13, x1, y);
        }
        if (t + 8 > k) break;
        nnrt__gemm_s16_sums_sse41(sum00, sum01, sum02, sum03, sums[0]);
        nnrt__gemm_s16_sums_sse41(sum10, sum11, sum12, sum13, sums[1]);
        sum00 = sum01 = sum02 = sum03 = sum10 = sum11 = sum12 = sum13 = _mm_setzero_si128();
    }
    nnrt__gemm_s16_sums_sse41(sum00, sum01, sum02, sum03, sums[0]);
    nnrt__gemm_s16_sums_sse41(sum10, sum11, sum12, sum13, sums[1]);
    for (c = 0; c < count; c++) {
        int16_t *to = args->c + i * args->c_stride + j + c;
        *to = nnrt__finish_s16(&args->channels, j + c, sums[0][c], args->clamp_min, args->clamp_max);
        if (i + 1 < args->m)
            to[args->c_stride] = nnrt__finish_s16(&args->channels, j + c, sums[1][c], args->clamp_min, args->clamp_max);
    }
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__TARGET_SSE41 NNRT__FN void nnrt__gemm_s16_sse41(const nnrt__gemm_s16_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int16_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_s16_block_sse41(args, a0, a1, i, j);
    }
}

NNRT__FN void nnrt__gemm_s16_sse41_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_sse41;
    t->gemm_s16_isa = "sse41";
}

#endif /* NNRT_KERNELS_GEMM_S16_SSE41_H */
