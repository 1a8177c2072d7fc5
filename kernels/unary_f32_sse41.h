/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_sse41.h - unary_f32 and softmax_f32 for SSE4.1: what vectors_f32.h makes them of. Contracts and
   bounds there. Four elements at a time. */
#ifndef NNRT_KERNELS_UNARY_F32_SSE41_H
#define NNRT_KERNELS_UNARY_F32_SSE41_H

#include "f32_sse41.h"
#include "vectors_f32.h"

NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_load_sse41(const float *p) { return _mm_loadu_ps(p); }
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__vf_store_sse41(float *p, __m128 x) { _mm_storeu_ps(p, x); }
/* The first n of 1 to 3 elements, and `rest` behind them. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_some_sse41(const float *p, size_t n, float rest) {
    return _mm_setr_ps(p[0], n > 1 ? p[1] : rest, n > 2 ? p[2] : rest, rest);
}
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__vf_store_some_sse41(float *p, __m128 x, size_t n) {
    nnrt__store_f32_sse41(p, x, n);
}
/* Over the lanes. */
NNRT__INLINE NNRT__TARGET_SSE41 float nnrt__vf_most_sse41(__m128 x) {
    x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}
NNRT__INLINE NNRT__TARGET_SSE41 float nnrt__vf_sum_sse41(__m128 x) {
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_all_sse41(float x) { return _mm_set1_ps(x); }
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_add_sse41(__m128 a, __m128 b) { return _mm_add_ps(a, b); }
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_sub_sse41(__m128 a, __m128 b) { return _mm_sub_ps(a, b); }
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_mul_sse41(__m128 a, __m128 b) { return _mm_mul_ps(a, b); }
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_div_sse41(__m128 a, __m128 b) { return _mm_div_ps(a, b); }
/* sum + x * y */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_fma_sse41(__m128 sum, __m128 x, __m128 y) {
    return _mm_add_ps(sum, _mm_mul_ps(x, y));
}
/* The larger one, of a NaN in x and a number that number. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_max_sse41(__m128 x, __m128 y) { return _mm_max_ps(x, y); }
/* As the clamp, but a NaN stays one. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_within_sse41(__m128 x, __m128 low, __m128 high) {
    return _mm_min_ps(high, _mm_max_ps(low, x));
}
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_abs_sse41(__m128 x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }
/* x with the sign of y */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_with_sign_sse41(__m128 x, __m128 y) {
    return _mm_or_ps(nnrt__vf_abs_sse41(x), _mm_and_ps(_mm_set1_ps(-0.0f), y));
}
/* `negative` where x has a sign, else `other` */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_by_sign_sse41(__m128 x, __m128 negative, __m128 other) {
    return _mm_blendv_ps(other, negative, x);
}
/* 2^(n - 1) for the n that was rounded: 0 for -126, infinity for 129; not beyond these. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__vf_half_power_sse41(__m128 rounded) {
    const __m128i n = _mm_sub_epi32(_mm_castps_si128(rounded), _mm_set1_epi32(NNRT__ROUNDER_F32_BITS - 126));
    return _mm_castsi128_ps(_mm_slli_epi32(n, 23));
}

NNRT__VECTORS_F32(sse41, SSE41, NNRT__TARGET_SSE41, __m128, 4)

#endif /* NNRT_KERNELS_UNARY_F32_SSE41_H */
