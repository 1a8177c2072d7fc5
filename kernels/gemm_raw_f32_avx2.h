/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_f32_avx2.h - gemm_raw_f32 for AVX2 and FMA. Contract and bound: gemm_raw_f32_scalar.h.

   Dot products along k, 2 rows by 4 channels: 6 loads feed 8 FMAs, whose 8 chains cover the latency. One row
   takes two steps at once for as many chains. Channels past the last repeat it and are not stored. One row and one
   channel, the end of a small model, are a sum alone. */
#ifndef NNRT_KERNELS_GEMM_RAW_F32_AVX2_H
#define NNRT_KERNELS_GEMM_RAW_F32_AVX2_H

#include "internal.h"
#include "f32_avx2.h"
#include "gemm_raw_f32_scalar.h"

/* Four sums over lanes, + bias, clamped, to `columns` <= 4 channels at c. */
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__gemm_raw_f32_avx2_finish(const nnrt__gemm_raw_f32_args *args, float *c,
                                                                   const float *bias, size_t columns, __m256 s0,
                                                                   __m256 s1, __m256 s2, __m256 s3) {
    /* low half: lanes 0-3 of each sum's pairs, high half: lanes 4-7 */
    const __m256 quads = _mm256_hadd_ps(_mm256_hadd_ps(s0, s1), _mm256_hadd_ps(s2, s3));
    const __m128i mask = _mm256_castsi256_si128(nnrt__mask_f32_avx2(columns));
    __m128 sum = _mm_add_ps(_mm256_castps256_ps128(quads), _mm256_extractf128_ps(quads, 1));
    if (bias) sum = _mm_add_ps(sum, _mm_maskload_ps(bias, mask));
    sum = _mm_min_ps(_mm_max_ps(sum, _mm_set1_ps(args->clamp_min)), _mm_set1_ps(args->clamp_max));
    _mm_maskstore_ps(c, mask, sum);
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_raw_f32_avx2_2x4(const nnrt__gemm_raw_f32_args *args, size_t i, size_t j) {
    const size_t k = args->k, columns = args->n - j < 4 ? args->n - j : 4;
    const float *a0 = args->a[i], *a1 = args->a[i + 1];
    const float *w0 = args->w + j * args->w_stride, *w1 = columns > 1 ? w0 + args->w_stride : w0,
                *w2 = columns > 2 ? w1 + args->w_stride : w1, *w3 = columns > 3 ? w2 + args->w_stride : w2;
    const float *bias = args->bias ? args->bias + j : NULL;
    float *c = args->c + i * args->c_stride + j;
    const __m256 zero = _mm256_setzero_ps();
    __m256 s00 = zero, s01 = zero, s02 = zero, s03 = zero, s10 = zero, s11 = zero, s12 = zero, s13 = zero;
    size_t t = 0;
    for (; t + 8 <= k; t += 8) {
        const __m256 x0 = _mm256_loadu_ps(a0 + t), x1 = _mm256_loadu_ps(a1 + t);
        __m256 y = _mm256_loadu_ps(w0 + t);
        s00 = _mm256_fmadd_ps(x0, y, s00);
        s10 = _mm256_fmadd_ps(x1, y, s10);
        y = _mm256_loadu_ps(w1 + t);
        s01 = _mm256_fmadd_ps(x0, y, s01);
        s11 = _mm256_fmadd_ps(x1, y, s11);
        y = _mm256_loadu_ps(w2 + t);
        s02 = _mm256_fmadd_ps(x0, y, s02);
        s12 = _mm256_fmadd_ps(x1, y, s12);
        y = _mm256_loadu_ps(w3 + t);
        s03 = _mm256_fmadd_ps(x0, y, s03);
        s13 = _mm256_fmadd_ps(x1, y, s13);
    }
    if (t < k) {
        const __m256i mask = nnrt__mask_f32_avx2(k - t);
        const __m256 x0 = _mm256_maskload_ps(a0 + t, mask), x1 = _mm256_maskload_ps(a1 + t, mask);
        const __m256 y0 = _mm256_maskload_ps(w0 + t, mask), y1 = _mm256_maskload_ps(w1 + t, mask);
        const __m256 y2 = _mm256_maskload_ps(w2 + t, mask), y3 = _mm256_maskload_ps(w3 + t, mask);
        s00 = _mm256_fmadd_ps(x0, y0, s00);
        s10 = _mm256_fmadd_ps(x1, y0, s10);
        s01 = _mm256_fmadd_ps(x0, y1, s01);
        s11 = _mm256_fmadd_ps(x1, y1, s11);
        s02 = _mm256_fmadd_ps(x0, y2, s02);
        s12 = _mm256_fmadd_ps(x1, y2, s12);
        s03 = _mm256_fmadd_ps(x0, y3, s03);
        s13 = _mm256_fmadd_ps(x1, y3, s13);
    }
    nnrt__gemm_raw_f32_avx2_finish(args, c, bias, columns, s00, s01, s02, s03);
    nnrt__gemm_raw_f32_avx2_finish(args, c + args->c_stride, bias, columns, s10, s11, s12, s13);
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_raw_f32_avx2_1x4(const nnrt__gemm_raw_f32_args *args, size_t i, size_t j) {
    const size_t k = args->k, columns = args->n - j < 4 ? args->n - j : 4;
    const float *a = args->a[i];
    const float *w0 = args->w + j * args->w_stride, *w1 = columns > 1 ? w0 + args->w_stride : w0,
                *w2 = columns > 2 ? w1 + args->w_stride : w1, *w3 = columns > 3 ? w2 + args->w_stride : w2;
    const __m256 zero = _mm256_setzero_ps();
    __m256 s0 = zero, s1 = zero, s2 = zero, s3 = zero, r0 = zero, r1 = zero, r2 = zero, r3 = zero;
    size_t t = 0;
    for (; t + 16 <= k; t += 16) {
        const __m256 x = _mm256_loadu_ps(a + t), y = _mm256_loadu_ps(a + t + 8);
        s0 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w0 + t), s0);
        s1 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w1 + t), s1);
        s2 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w2 + t), s2);
        s3 = _mm256_fmadd_ps(x, _mm256_loadu_ps(w3 + t), s3);
        r0 = _mm256_fmadd_ps(y, _mm256_loadu_ps(w0 + t + 8), r0);
        r1 = _mm256_fmadd_ps(y, _mm256_loadu_ps(w1 + t + 8), r1);
        r2 = _mm256_fmadd_ps(y, _mm256_loadu_ps(w2 + t + 8), r2);
        r3 = _mm256_fmadd_ps(y, _mm256_loadu_ps(w3 + t + 8), r3);
    }
    for (; t < k; t += 8) {
        const __m256i mask = nnrt__mask_f32_avx2(k - t);
        const __m256 x = _mm256_maskload_ps(a + t, mask);
        s0 = _mm256_fmadd_ps(x, _mm256_maskload_ps(w0 + t, mask), s0);
        s1 = _mm256_fmadd_ps(x, _mm256_maskload_ps(w1 + t, mask), s1);
        s2 = _mm256_fmadd_ps(x, _mm256_maskload_ps(w2 + t, mask), s2);
        s3 = _mm256_fmadd_ps(x, _mm256_maskload_ps(w3 + t, mask), s3);
    }
    nnrt__gemm_raw_f32_avx2_finish(args, args->c + i * args->c_stride + j, args->bias ? args->bias + j : NULL, columns,
                                   _mm256_add_ps(s0, r0), _mm256_add_ps(s1, r1), _mm256_add_ps(s2, r2),
                                   _mm256_add_ps(s3, r3));
}

/* Row 0 and channel j alone, in the order of nnrt__gemm_raw_f32_avx2_1x4. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_raw_f32_avx2_1x1(const nnrt__gemm_raw_f32_args *args, size_t j) {
    const float *a = args->a[0], *w = args->w + j * args->w_stride;
    const size_t k = args->k;
    __m256 s = _mm256_setzero_ps(), r = s;
    __m128 sum;
    size_t t = 0;
    for (; t + 16 <= k; t += 16) {
        s = _mm256_fmadd_ps(_mm256_loadu_ps(a + t), _mm256_loadu_ps(w + t), s);
        r = _mm256_fmadd_ps(_mm256_loadu_ps(a + t + 8), _mm256_loadu_ps(w + t + 8), r);
    }
    for (; t < k; t += 8) {
        const __m256i mask = nnrt__mask_f32_avx2(k - t);
        s = _mm256_fmadd_ps(_mm256_maskload_ps(a + t, mask), _mm256_maskload_ps(w + t, mask), s);
    }
    s = _mm256_add_ps(s, r);
    s = _mm256_hadd_ps(s, s);
    s = _mm256_hadd_ps(s, s);
    sum = _mm_add_ss(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
    if (args->bias) sum = _mm_add_ss(sum, _mm_set_ss(args->bias[j]));
    sum = _mm_min_ss(_mm_max_ss(sum, _mm_set_ss(args->clamp_min)), _mm_set_ss(args->clamp_max));
    _mm_store_ss(args->c + j, sum);
}

/* Channels outside, rows inside: four rows of w stay in the first-level cache while a passes. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__gemm_raw_f32_avx2(const nnrt__gemm_raw_f32_args *args) {
    NNRT_ASSERT(nnrt__gemm_raw_f32_is_right(args));
    for (size_t j = 0; j < args->n; j += 4) {
        size_t i = 0;
        for (; i + 2 <= args->m; i += 2) nnrt__gemm_raw_f32_avx2_2x4(args, i, j);
        if (args->m == 1 && j + 1 == args->n) nnrt__gemm_raw_f32_avx2_1x1(args, j);
        else if (i < args->m) nnrt__gemm_raw_f32_avx2_1x4(args, i, j);
    }
}

NNRT__FN void nnrt__gemm_raw_f32_avx2_install(nnrt__cpu_table *table) {
    table->gemm_raw_f32 = nnrt__gemm_raw_f32_avx2;
    table->gemm_raw_f32_isa = "avx2";
}

#endif /* NNRT_KERNELS_GEMM_RAW_F32_AVX2_H */
