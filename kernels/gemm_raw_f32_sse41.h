/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_f32_sse41.h - gemm_raw_f32 for SSE4.1. Contract and bound: gemm_raw_f32_scalar.h.

   Dot products along k, 2 rows by 4 channels: 6 loads feed 8 products. A row or channels past the last repeat
   it; such channels are not stored, such a row writes the same floats again. A last channel without
   others in its group of four is summed alone, to the same floats: the other three would be most of a small model. */
#ifndef NNRT_KERNELS_GEMM_RAW_F32_SSE41_H
#define NNRT_KERNELS_GEMM_RAW_F32_SSE41_H

#include "internal.h"
#include "f32_sse41.h"
#include "gemm_raw_f32_scalar.h"

/* Four sums over lanes, + bias, clamped, to `columns` <= 4 channels at c. */
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__gemm_raw_f32_sse41_finish(const nnrt__gemm_raw_f32_args *args, float *c,
                                                                     __m128 bias, size_t columns, __m128 s0, __m128 s1,
                                                                     __m128 s2, __m128 s3) {
    __m128 sum = _mm_hadd_ps(_mm_hadd_ps(s0, s1), _mm_hadd_ps(s2, s3));
    sum = nnrt__clamp_f32_sse41(_mm_add_ps(sum, bias), _mm_set1_ps(args->clamp_min), _mm_set1_ps(args->clamp_max));
    nnrt__store_f32_sse41(c, sum, columns);
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_raw_f32_sse41_2x4(const nnrt__gemm_raw_f32_args *args, size_t i, size_t j,
                                                              __m128 bias) {
    const size_t k = args->k, columns = args->n - j < 4 ? args->n - j : 4, r1 = i + 1 < args->m ? 1 : 0;
    const float *a0 = args->a[i], *a1 = args->a[i + r1];
    const float *w0 = args->w + j * args->w_stride, *w1 = columns > 1 ? w0 + args->w_stride : w0,
                *w2 = columns > 2 ? w1 + args->w_stride : w1, *w3 = columns > 3 ? w2 + args->w_stride : w2;
    float *c = args->c + i * args->c_stride + j;
    const __m128 zero = _mm_setzero_ps();
    __m128 s00 = zero, s01 = zero, s02 = zero, s03 = zero, s10 = zero, s11 = zero, s12 = zero, s13 = zero;
    size_t t = 0;
    for (; t + 4 <= k; t += 4) {
        const __m128 x0 = _mm_loadu_ps(a0 + t), x1 = _mm_loadu_ps(a1 + t);
        __m128 y = _mm_loadu_ps(w0 + t);
        s00 = _mm_add_ps(s00, _mm_mul_ps(x0, y));
        s10 = _mm_add_ps(s10, _mm_mul_ps(x1, y));
        y = _mm_loadu_ps(w1 + t);
        s01 = _mm_add_ps(s01, _mm_mul_ps(x0, y));
        s11 = _mm_add_ps(s11, _mm_mul_ps(x1, y));
        y = _mm_loadu_ps(w2 + t);
        s02 = _mm_add_ps(s02, _mm_mul_ps(x0, y));
        s12 = _mm_add_ps(s12, _mm_mul_ps(x1, y));
        y = _mm_loadu_ps(w3 + t);
        s03 = _mm_add_ps(s03, _mm_mul_ps(x0, y));
        s13 = _mm_add_ps(s13, _mm_mul_ps(x1, y));
    }
    for (; t < k; t++) { /* lane 0; the others are 0 */
        const __m128 x0 = _mm_load_ss(a0 + t), x1 = _mm_load_ss(a1 + t);
        s00 = _mm_add_ps(s00, _mm_mul_ps(x0, _mm_load_ss(w0 + t)));
        s10 = _mm_add_ps(s10, _mm_mul_ps(x1, _mm_load_ss(w0 + t)));
        s01 = _mm_add_ps(s01, _mm_mul_ps(x0, _mm_load_ss(w1 + t)));
        s11 = _mm_add_ps(s11, _mm_mul_ps(x1, _mm_load_ss(w1 + t)));
        s02 = _mm_add_ps(s02, _mm_mul_ps(x0, _mm_load_ss(w2 + t)));
        s12 = _mm_add_ps(s12, _mm_mul_ps(x1, _mm_load_ss(w2 + t)));
        s03 = _mm_add_ps(s03, _mm_mul_ps(x0, _mm_load_ss(w3 + t)));
        s13 = _mm_add_ps(s13, _mm_mul_ps(x1, _mm_load_ss(w3 + t)));
    }
    nnrt__gemm_raw_f32_sse41_finish(args, c, bias, columns, s00, s01, s02, s03);
    nnrt__gemm_raw_f32_sse41_finish(args, c + r1 * args->c_stride, bias, columns, s10, s11, s12, s13);
}

/* Channel j alone, for all rows. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_raw_f32_sse41_alone(const nnrt__gemm_raw_f32_args *args, size_t j) {
    const float *w = args->w + j * args->w_stride;
    const float bias = args->bias ? args->bias[j] : 0.0f;
    for (size_t i = 0; i < args->m; i++) {
        const float *a = args->a[i];
        __m128 sum = _mm_setzero_ps();
        size_t t = 0;
        for (; t + 4 <= args->k; t += 4) sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(a + t), _mm_loadu_ps(w + t)));
        for (; t < args->k; t++) /* lane 0; the others are 0 */
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_load_ss(a + t), _mm_load_ss(w + t)));
        sum = _mm_hadd_ps(sum, sum);
        sum = _mm_add_ss(_mm_hadd_ps(sum, sum), _mm_set_ss(bias));
        _mm_store_ss(args->c + i * args->c_stride + j,
                     nnrt__clamp_f32_sse41(sum, _mm_set_ss(args->clamp_min), _mm_set_ss(args->clamp_max)));
    }
}

/* Channels outside, rows inside: four rows of w stay in the first-level cache while a passes. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__gemm_raw_f32_sse41(const nnrt__gemm_raw_f32_args *args) {
    NNRT_ASSERT(nnrt__gemm_raw_f32_is_right(args));
    for (size_t j = 0; j < args->n; j += 4) {
        float bias[4] = {0, 0, 0, 0};
        if (j + 1 == args->n) {
            nnrt__gemm_raw_f32_sse41_alone(args, j);
            return;
        }
        for (size_t u = 0; args->bias && u < 4 && j + u < args->n; u++) bias[u] = args->bias[j + u];
        for (size_t i = 0; i < args->m; i += 2) nnrt__gemm_raw_f32_sse41_2x4(args, i, j, _mm_loadu_ps(bias));
    }
}

NNRT__FN void nnrt__gemm_raw_f32_sse41_install(nnrt__cpu_table *table) {
    table->gemm_raw_f32 = nnrt__gemm_raw_f32_sse41;
    table->gemm_raw_f32_isa = "sse41";
}

#endif /* NNRT_KERNELS_GEMM_RAW_F32_SSE41_H */
