/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_sse41.h - gemm_raw_s8 for SSE4.1. Contract: gemm_raw_s8_scalar.h.

   Dot products along K, 16 steps at a time, four channels against one row so that A is widened once for four.
   The channels are the outer loop: their weights stay in the cache while the rows pass. */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_SSE41_H
#define NNRT_KERNELS_GEMM_RAW_S8_SSE41_H

#include "gemm_raw_s8_scalar.h"
#include "internal.h"
#include "requantize_sse41.h"

/* acc + 16 products, in four lanes. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_raw_s8_sse41_step(__m128i acc, __m128i a_low, __m128i a_high,
                                                                     __m128i w) {
    acc = _mm_add_epi32(acc, _mm_madd_epi16(a_low, _mm_cvtepi8_epi16(w)));
    return _mm_add_epi32(acc, _mm_madd_epi16(a_high, _mm_cvtepi8_epi16(_mm_srli_si128(w, 8))));
}

/* The four sums of one row against four channels. The end of a row of 16 or more is read with the bytes
   before it. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_raw_s8_sse41_dot(const int8_t *a, const int8_t *const w[4],
                                                                    size_t k) {
    const int8_t *w0 = w[0], *w1 = w[1], *w2 = w[2], *w3 = w[3];
    __m128i acc0 = _mm_setzero_si128(), acc1 = acc0, acc2 = acc0, acc3 = acc0;
    size_t i;
    for (i = 0; i + 16 <= k; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
        __m128i low = _mm_cvtepi8_epi16(x), high = _mm_cvtepi8_epi16(_mm_srli_si128(x, 8));
        acc0 = nnrt__gemm_raw_s8_sse41_step(acc0, low, high, _mm_loadu_si128((const __m128i *)(const void *)(w0 + i)));
        acc1 = nnrt__gemm_raw_s8_sse41_step(acc1, low, high, _mm_loadu_si128((const __m128i *)(const void *)(w1 + i)));
        acc2 = nnrt__gemm_raw_s8_sse41_step(acc2, low, high, _mm_loadu_si128((const __m128i *)(const void *)(w2 + i)));
        acc3 = nnrt__gemm_raw_s8_sse41_step(acc3, low, high, _mm_loadu_si128((const __m128i *)(const void *)(w3 + i)));
    }
    if (i < k) {
        const size_t at = k < 16 ? 0 : k - 16, size = k - at;
        const uint8_t *mask = nnrt__last_bytes_mask() + (k < 16 ? 16 : k - i);
        __m128i x = _mm_and_si128(nnrt__load_up_to_16_sse41(a + at, size),
                                  _mm_loadu_si128((const __m128i *)(const void *)mask));
        __m128i low = _mm_cvtepi8_epi16(x), high = _mm_cvtepi8_epi16(_mm_srli_si128(x, 8));
        acc0 = nnrt__gemm_raw_s8_sse41_step(acc0, low, high, nnrt__load_up_to_16_sse41(w0 + at, size));
        acc1 = nnrt__gemm_raw_s8_sse41_step(acc1, low, high, nnrt__load_up_to_16_sse41(w1 + at, size));
        acc2 = nnrt__gemm_raw_s8_sse41_step(acc2, low, high, nnrt__load_up_to_16_sse41(w2 + at, size));
        acc3 = nnrt__gemm_raw_s8_sse41_step(acc3, low, high, nnrt__load_up_to_16_sse41(w3 + at, size));
    }
    return _mm_hadd_epi32(_mm_hadd_epi32(acc0, acc1), _mm_hadd_epi32(acc2, acc3));
}

/* 8 bytes as 16 bits. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_raw_s8_sse41_widen(const int8_t *from) {
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

/* Channel n alone, where it is the last of a group of four: what is made for four would take longer than its sum. a is
   read by 8 bytes, as the step before stored them: 16 that were stored in two halves arrive later, as they have to wait
   for the cache. */
NNRT__TARGET_SSE41 NNRT__NOINLINE void nnrt__gemm_raw_s8_sse41_alone(const nnrt__gemm_raw_s8_args *args, size_t n) {
    const int8_t *w = args->w + n * args->w_stride;
    size_t row, i;
    for (row = 0; row < args->m; row++) {
        const int8_t *a = args->a[row];
        __m128i sums = _mm_cvtsi32_si128(args->bias[n]);
        uint32_t acc;
        for (i = 0; i + 8 <= args->k; i += 8)
            sums = _mm_add_epi32(
                sums, _mm_madd_epi16(nnrt__gemm_raw_s8_sse41_widen(a + i), nnrt__gemm_raw_s8_sse41_widen(w + i)));
        sums = _mm_hadd_epi32(sums, sums);
        acc = (uint32_t)_mm_cvtsi128_si32(_mm_hadd_epi32(sums, sums));
        for (; i < args->k; i++) acc += nnrt__product_s8(a[i], w[i]);
        args->c[row * args->c_stride + n] = nnrt__requantize_s8(
            acc, args->multiplier[n], args->shift[n], args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

/* The first `fours` channels; past the last one of all, the last again. */
NNRT__TARGET_SSE41 NNRT__NOINLINE void nnrt__gemm_raw_s8_sse41_fours(const nnrt__gemm_raw_s8_args *args, size_t fours) {
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
            __m128i acc = nnrt__gemm_raw_s8_sse41_dot(args->a[row], w, args->k);
            acc = nnrt__requantize_sse41(_mm_add_epi32(acc, bias), &q);
            nnrt__store_bytes_sse41(args->c + row * args->c_stride + n, nnrt__output_bytes_sse41(acc, acc, &out),
                                    channels);
        }
    }
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__gemm_raw_s8_sse41(const nnrt__gemm_raw_s8_args *args) {
    const size_t fours = args->n % 4 == 1 ? args->n - 1 : args->n;
    NNRT_ASSERT(nnrt__gemm_raw_s8_is_right(args));
    if (fours != 0) nnrt__gemm_raw_s8_sse41_fours(args, fours);
    if (fours < args->n) nnrt__gemm_raw_s8_sse41_alone(args, fours);
}

NNRT__FN void nnrt__gemm_raw_s8_sse41_install(nnrt__cpu_table *t) {
    t->gemm_raw_s8 = nnrt__gemm_raw_s8_sse41;
    t->gemm_raw_s8_isa = "sse41";
}

#endif /* NNRT_KERNELS_GEMM_RAW_S8_SSE41_H */
