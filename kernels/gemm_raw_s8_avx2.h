/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_avx2.h - gemm_raw_s8 for AVX2. Contract: gemm_raw_s8_scalar.h.

   As gemm_raw_s8_sse41.h, 16 steps of K in one register. */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_AVX2_H
#define NNRT_KERNELS_GEMM_RAW_S8_AVX2_H

#include "gemm_raw_s8_scalar.h"
#include "gemm_raw_s8_sse41.h"
#include "internal.h"
#include "requantize_avx2.h"

/* acc + 16 products, in eight lanes. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_raw_s8_avx2_step(__m256i acc, __m256i a, __m128i w) {
    return _mm256_add_epi32(acc, _mm256_madd_epi16(a, _mm256_cvtepi8_epi16(w)));
}

/* The four sums of one row against four channels. The end of a row of 16 or more is read with the bytes
   before it. */
NNRT__TARGET_AVX2 NNRT__INLINE __m128i nnrt__gemm_raw_s8_avx2_dot(const int8_t *a, const int8_t *const w[4], size_t k) {
    const int8_t *w0 = w[0], *w1 = w[1], *w2 = w[2], *w3 = w[3];
    __m256i acc0 = _mm256_setzero_si256(), acc1 = acc0, acc2 = acc0, acc3 = acc0;
    size_t i;
    for (i = 0; i + 16 <= k; i += 16) {
        __m256i x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(a + i)));
        acc0 = nnrt__gemm_raw_s8_avx2_step(acc0, x, _mm_loadu_si128((const __m128i *)(const void *)(w0 + i)));
        acc1 = nnrt__gemm_raw_s8_avx2_step(acc1, x, _mm_loadu_si128((const __m128i *)(const void *)(w1 + i)));
        acc2 = nnrt__gemm_raw_s8_avx2_step(acc2, x, _mm_loadu_si128((const __m128i *)(const void *)(w2 + i)));
        acc3 = nnrt__gemm_raw_s8_avx2_step(acc3, x, _mm_loadu_si128((const __m128i *)(const void *)(w3 + i)));
    }
    if (i < k) {
        const size_t at = k < 16 ? 0 : k - 16, size = k - at;
        const uint8_t *mask = nnrt__last_bytes_mask() + (k < 16 ? 16 : k - i);
        __m256i x = _mm256_cvtepi8_epi16(_mm_and_si128(nnrt__load_up_to_16_sse41(a + at, size),
                                                       _mm_loadu_si128((const __m128i *)(const void *)mask)));
        acc0 = nnrt__gemm_raw_s8_avx2_step(acc0, x, nnrt__load_up_to_16_sse41(w0 + at, size));
        acc1 = nnrt__gemm_raw_s8_avx2_step(acc1, x, nnrt__load_up_to_16_sse41(w1 + at, size));
        acc2 = nnrt__gemm_raw_s8_avx2_step(acc2, x, nnrt__load_up_to_16_sse41(w2 + at, size));
        acc3 = nnrt__gemm_raw_s8_avx2_step(acc3, x, nnrt__load_up_to_16_sse41(w3 + at, size));
    }
    acc0 = _mm256_hadd_epi32(_mm256_hadd_epi32(acc0, acc1), _mm256_hadd_epi32(acc2, acc3));
    return _mm_add_epi32(_mm256_castsi256_si128(acc0), _mm256_extracti128_si256(acc0, 1));
}

/* The first `fours` channels; past the last one of all, the last again. */
NNRT__TARGET_AVX2 NNRT__NOINLINE void nnrt__gemm_raw_s8_avx2_fours(const nnrt__gemm_raw_s8_args *args, size_t fours) {
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    size_t n, i, row;
    for (n = 0; n < fours; n += 4) {
        const size_t channels = args->n - n < 4 ? args->n - n : 4;
        const __m128i bias = nnrt__load_up_to_4_sse41(args->bias + n, channels);
        nnrt__requantize_x4_sse41 q;
        const int8_t *w[4];
        for (i = 0; i < 4; i++) w[i] = args->w + (n + (i < channels ? i : channels - 1)) * args->w_stride;
        nnrt__requantize_prepare_sse41(&q, nnrt__load_up_to_4_sse41(args->multiplier + n, channels),
                                       nnrt__load_up_to_4_sse41(args->shift + n, channels));
        for (row = 0; row < args->m; row++) {
            __m128i acc = nnrt__gemm_raw_s8_avx2_dot(args->a[row], w, args->k);
            acc = nnrt__requantize_sse41(_mm_add_epi32(acc, bias), &q);
            nnrt__store_bytes_sse41(args->c + row * args->c_stride + n, nnrt__output_bytes_sse41(acc, acc, &out),
                                    channels);
        }
    }
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_raw_s8_avx2(const nnrt__gemm_raw_s8_args *args) {
    const size_t fours = args->n % 4 == 1 ? args->n - 1 : args->n;
    NNRT_ASSERT(nnrt__gemm_raw_s8_is_right(args));
    if (fours != 0) nnrt__gemm_raw_s8_avx2_fours(args, fours);
    if (fours < args->n) nnrt__gemm_raw_s8_sse41_alone(args, fours);
}

NNRT__FN void nnrt__gemm_raw_s8_avx2_install(nnrt__cpu_table *t) {
    t->gemm_raw_s8 = nnrt__gemm_raw_s8_avx2;
    t->gemm_raw_s8_isa = "avx2";
}

#endif /* NNRT_KERNELS_GEMM_RAW_S8_AVX2_H */
