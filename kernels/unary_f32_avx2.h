/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_avx2.h - unary_f32 and softmax_f32 for AVX2: what vectors_f32.h makes them of. Contracts and
   bounds there. Eight elements at a time. */
#ifndef NNRT_KERNELS_UNARY_F32_AVX2_H
#define NNRT_KERNELS_UNARY_F32_AVX2_H

#include "f32_avx2.h"
#include "unary_f32_sse41.h"
#include "vectors_f32.h"

NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_load_avx2(const float *p) { return _mm256_loadu_ps(p); }
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__vf_store_avx2(float *p, __m256 x) { _mm256_storeu_ps(p, x); }
/* The first n of 1 to 7 elements, and `rest` behind them. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_some_avx2(const float *p, size_t n, float rest) {
    const __m256i mask = nnrt__mask_f32_avx2(n);
    return _mm256_blendv_ps(_mm256_set1_ps(rest), _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
}
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__vf_store_some_avx2(float *p, __m256 x, size_t n) {
    _mm256_maskstore_ps(p, nnrt__mask_f32_avx2(n), x);
}
/* Over the lanes. */
NNRT__INLINE NNRT__TARGET_AVX2 float nnrt__vf_most_avx2(__m256 x) {
    return nnrt__vf_most_sse41(_mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}
NNRT__INLINE NNRT__TARGET_AVX2 float nnrt__vf_sum_avx2(__m256 x) {
    return nnrt__vf_sum_sse41(_mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_all_avx2(float x) { return _mm256_set1_ps(x); }
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_add_avx2(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_sub_avx2(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_mul_avx2(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_div_avx2(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
/* sum + x * y */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_fma_avx2(__m256 sum, __m256 x, __m256 y) {
    return _mm256_fmadd_ps(x, y, sum);
}
/* The larger one, of a NaN in x and a number that number. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_max_avx2(__m256 x, __m256 y) { return _mm256_max_ps(x, y); }
/* As the clamp, but a NaN stays one. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_within_avx2(__m256 x, __m256 low, __m256 high) {
    return _mm256_min_ps(high, _mm256_max_ps(low, x));
}
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_abs_avx2(__m256 x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
/* x with the sign of y */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_with_sign_avx2(__m256 x, __m256 y) {
    return _mm256_or_ps(nnrt__vf_abs_avx2(x), _mm256_and_ps(_mm256_set1_ps(-0.0f), y));
}
/* `negative` where x has a sign, else `other` */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_by_sign_avx2(__m256 x, __m256 negative, __m256 other) {
    return _mm256_blendv_ps(other, negative, x);
}
/* 2^(n - 1) for the n that was rounded: 0 for -126, infinity for 129; not beyond these. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__vf_half_power_avx2(__m256 rounded) {
    const __m256i n = _mm256_sub_epi32(_mm256_castps_si256(rounded), _mm256_set1_epi32(NNRT__ROUNDER_F32_BITS - 126));
    return _mm256_castsi256_ps(_mm256_slli_epi32(n, 23));
}

NNRT__VECTORS_F32(avx2, AVX2, NNRT__TARGET_AVX2, __m256, 8)

#endif /* NNRT_KERNELS_UNARY_F32_AVX2_H */
