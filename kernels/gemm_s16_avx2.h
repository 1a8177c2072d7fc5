/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_avx2.h - gemm_s16 for AVX2. Contract: gemm_s16_scalar.h.

   2 rows x 4 channels in 8 accumulators; weights are widened to 16 bits as they are read, and pmaddwd adds two products
   of at most 2^22 into 32 bits: a lane can take 255 of those, then it goes into 64 bits. A row's length that is no
   multiple of 16 begins with its last 16 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_GEMM_S16_AVX2_H
#define NNRT_KERNELS_GEMM_S16_AVX2_H

#include "gemm_s16_scalar.h"
#include "requantize_sse41.h"

/* Products of a row before the sums of 32 bits go into those of 64. */
#define NNRT__GEMM_S16_CHUNK_AVX2 (254u * 16u)

/* 16 bytes, widened. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s16_wide_avx2(const int8_t *from) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from));
}

/* n < 16 bytes, widened, and zeros. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s16_few_avx2(const int8_t *from, size_t n) {
    return _mm256_cvtepi8_epi16(nnrt__load_up_to_16_sse41(from, n));
}

NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s16_load_avx2(const int16_t *from) {
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

/* sum + 16 products */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s16_add_avx2(__m256i sum, __m256i a, __m256i w) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, w));
}

/* The lanes of a sum, in 64 bits, each with another. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s16_half_avx2(__m256i sum) {
    return _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(sum)),
                            _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sum, 1)));
}

/* Adds the sum over the lanes of the i-th argument to to[i]. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s16_sums_avx2(__m256i a, __m256i b, __m256i c, __m256i d, int64_t *to) {
    const __m256i a4 = nnrt__gemm_s16_half_avx2(a), b4 = nnrt__gemm_s16_half_avx2(b);
    const __m256i c4 = nnrt__gemm_s16_half_avx2(c), d4 = nnrt__gemm_s16_half_avx2(d);
    const __m256i ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a4, b4), _mm256_unpackhi_epi64(a4, b4));
    const __m256i cd = _mm256_add_epi64(_mm256_unpacklo_epi64(c4, d4), _mm256_unpackhi_epi64(c4, d4));
    const __m256i all =
        _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20), _mm256_permute2x128_si256(ab, cd, 0x31));
    __m256i *at = (__m256i *)(void *)to;
    _mm256_storeu_si256(at, _mm256_add_epi64(_mm256_loadu_si256(at), all));
}

NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s16_block_avx2(const nnrt__gemm_s16_args *args, const int16_t *a0,
                                                              const int16_t *a1, size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, k = args->k, tail = k % 16;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    __m256i sum00 = _mm256_setzero_si256(), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    __m256i sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    int64_t sums[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    __m256i x0, x1, y;
    size_t t, end, c;
    if (tail != 0 && k >= 16) {
        const __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(nnrt__last_bytes_mask() + tail));
        const __m256i mask = _mm256_cvtepi8_epi16(last);
        t = k - 16;
        x0 = _mm256_and_si256(nnrt__gemm_s16_load_avx2(a0 + t), mask);
        x1 = _mm256_and_si256(nnrt__gemm_s16_load_avx2(a1 + t), mask);
        y = nnrt__gemm_s16_wide_avx2(w0 + t);
        sum00 = nnrt__gemm_s16_add_avx2(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_avx2(sum10, x1, y);
        y = nnrt__gemm_s16_wide_avx2(w1 + t);
        sum01 = nnrt__gemm_s16_add_avx2(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_avx2(sum11, x1, y);
        y = nnrt__gemm_s16_wide_avx2(w2 + t);
        sum02 = nnrt__gemm_s16_add_avx2(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_avx2(sum12, x1, y);
        y = nnrt__gemm_s16_wide_avx2(w3 + t);
        sum03 = nnrt__gemm_s16_add_avx2(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_avx2(sum13, x1, y);
    } else if (tail != 0) {
        int16_t row[2][16] = {{0}, {0}};
        memcpy(row[0], a0, k * sizeof(int16_t));
        memcpy(row[1], a1, k * sizeof(int16_t));
        x0 = nnrt__gemm_s16_load_avx2(row[0]);
        x1 = nnrt__gemm_s16_load_avx2(row[1]);
        y = nnrt__gemm_s16_few_avx2(w0, k);
        sum00 = nnrt__gemm_s16_add_avx2(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_avx2(sum10, x1, y);
        y = nnrt__gemm_s16_few_avx2(w1, k);
        sum01 = nnrt__gemm_s16_add_avx2(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_avx2(sum11, x1, y);
        y = nnrt__gemm_s16_few_avx2(w2, k);
        sum02 = nnrt__gemm_s16_add_avx2(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_avx2(sum12, x1, y);
        y = nnrt__gemm_s16_few_avx2(w3, k);
        sum03 = nnrt__gemm_s16_add_avx2(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_avx2(sum13, x1, y);
    }
    for (t = 0; t + 16 <= k;) {
        end = k - tail - t > NNRT__GEMM_S16_CHUNK_AVX2 ? t + NNRT__GEMM_S16_CHUNK_AVX2 : k - tail;
        for (; t < end; t += 16) {
            x0 = nnrt__gemm_s16_load_avx2(a0 + t);
            x1 = nnrt__gemm_s16_load_avx2(a1 + t);
            y = nnrt__gemm_s16_wide_avx2(w0 + t);
            sum00 = nnrt__gemm_s16_add_avx2(sum00, x0, y);
            sum10 = nnrt__gemm_s16_add_avx2(sum10, x1, y);
            y = nnrt__gemm_s16_wide_avx2(w1 + t);
            sum01 = nnrt__gemm_s16_add_avx2(sum01, x0, y);
            sum11 = nnrt__gemm_s16_add_avx2(sum11, x1, y);
            y = nnrt__gemm_s16_wide_avx2(w2 + t);
            sum02 = nnrt__gemm_s16_add_avx2(sum02, x0, y);
            sum12 = nnrt__gemm_s16_add_avx2(sum12, x1, y);
            y = nnrt__gemm_s16_wide_avx2(w3 + t);
            sum03 = nnrt__gemm_s16_add_avx2(sum03, x0, y);
            sum13 = nnrt__gemm_s16_add_avx2(sum13, x1, y);
        }
        if (t + 16 > k) break;
        nnrt__gemm_s16_sums_avx2(sum00, sum01, sum02, sum03, sums[0]);
        nnrt__gemm_s16_sums_avx2(sum10, sum11, sum12, sum13, sums[1]);
        sum00 = sum01 = sum02 = sum03 = sum10 = sum11 = sum12 = sum13 = _mm256_setzero_si256();
    }
    nnrt__gemm_s16_sums_avx2(sum00, sum01, sum02, sum03, sums[0]);
    nnrt__gemm_s16_sums_avx2(sum10, sum11, sum12, sum13, sums[1]);
    for (c = 0; c < count; c++) {
        int16_t *to = args->c + i * args->c_stride + j + c;
        *to = nnrt__finish_s16(&args->channels, j + c, sums[0][c], args->clamp_min, args->clamp_max);
        if (i + 1 < args->m)
            to[args->c_stride] = nnrt__finish_s16(&args->channels, j + c, sums[1][c], args->clamp_min, args->clamp_max);
    }
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_s16_avx2(const nnrt__gemm_s16_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int16_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_s16_block_avx2(args, a0, a1, i, j);
    }
}

NNRT__FN void nnrt__gemm_s16_avx2_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_avx2;
    t->gemm_s16_isa = "avx2";
}

#endif /* NNRT_KERNELS_GEMM_S16_AVX2_H */
