/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/f32_avx2.h - shared by the float kernels for AVX2: the clamp, and partial vectors. */
#ifndef NNRT_KERNELS_F32_AVX2_H
#define NNRT_KERNELS_F32_AVX2_H

#include "internal.h"

/* nnrt__clamp_f32 per lane. maxps and minps give their second operand when one is a NaN: the order
   matters. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__clamp_f32_avx2(__m256 x, __m256 low, __m256 high) {
    return _mm256_min_ps(_mm256_max_ps(x, low), high);
}

/* All bits in lanes 0..count-1, none in the others; a count above 8 is 8. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256i nnrt__mask_f32_avx2(size_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count < 8 ? count : 8)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

#endif /* NNRT_KERNELS_F32_AVX2_H */
