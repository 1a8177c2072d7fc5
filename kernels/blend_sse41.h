/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/blend_sse41.h - blend_s8 and blend_f32 for SSE4.1. Contract: blend_scalar.h.

   Bytes: pmaddwd takes left and right of a row together, exactly, and two pmulld the rows. 1 is taken from what is
   negative, so that half is rounded away from zero. */
#ifndef NNRT_KERNELS_BLEND_SSE41_H
#define NNRT_KERNELS_BLEND_SSE41_H

#include "blend_scalar.h"
#include "requantize_sse41.h"

/* Four channels of two rows, each left and right in turn, in 16 bits. across: 1024 - right and right. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__blend_4_sse41(__m128i upper, __m128i lower, __m128i across, __m128i up,
                                                            __m128i down) {
    const __m128i sum = _mm_add_epi32(_mm_mullo_epi32(_mm_madd_epi16(upper, across), up),
                                      _mm_mullo_epi32(_mm_madd_epi16(lower, across), down));
    return _mm_srai_epi32(_mm_add_epi32(_mm_add_epi32(sum, _mm_srai_epi32(sum, 31)), _mm_set1_epi32(1 << 19)), 20);
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__blend_s8_sse41(const nnrt__blend_s8_args *args) {
    const __m128i across = _mm_set1_epi32((1024 - args->right) + args->right * 65536);
    const __m128i up = _mm_set1_epi32(1024 - args->down), down = _mm_set1_epi32(args->down);
    size_t i;
    NNRT_ASSERT(nnrt__blend_s8_is_right(args));
    if (args->n < 3) {
        nnrt__blend_s8_scalar(args);
        return;
    }
    for (i = 0; i < args->n; i += 8) {
        const size_t left = args->n - i;
        const __m128i a = _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(args->upper[0] + i, left));
        const __m128i b = _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(args->upper[1] + i, left));
        const __m128i c = _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(args->lower[0] + i, left));
        const __m128i d = _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(args->lower[1] + i, left));
        const __m128i x =
            _mm_packs_epi32(nnrt__blend_4_sse41(_mm_unpacklo_epi16(a, b), _mm_unpacklo_epi16(c, d), across, up, down),
                            nnrt__blend_4_sse41(_mm_unpackhi_epi16(a, b), _mm_unpackhi_epi16(c, d), across, up, down));
        nnrt__store_bytes_sse41(args->to + i, _mm_packs_epi16(x, x), left);
    }
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__TARGET_SSE41 NNRT__FN void nnrt__blend_f32_sse41(const nnrt__blend_f32_args *args) {
    const __m128 right = _mm_set1_ps(args->right), down = _mm_set1_ps(args->down);
    size_t i;
    NNRT_ASSERT(nnrt__blend_f32_is_right(args));
    for (i = 0; i + 4 <= args->n; i += 4) {
        const __m128 a = _mm_loadu_ps(args->upper[0] + i), c = _mm_loadu_ps(args->lower[0] + i);
        const __m128 p = _mm_add_ps(a, _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(args->upper[1] + i), a), right));
        const __m128 q = _mm_add_ps(c, _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(args->lower[1] + i), c), right));
        _mm_storeu_ps(args->to + i, _mm_add_ps(p, _mm_mul_ps(_mm_sub_ps(q, p), down)));
    }
    nnrt__blend_f32_from(args, i);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__blend_sse41_install(nnrt__cpu_table *t) {
    t->blend_s8 = nnrt__blend_s8_sse41;
    t->blend_f32 = nnrt__blend_f32_sse41;
    t->blend_s8_isa = t->blend_f32_isa = "sse41";
}

#endif /* NNRT_KERNELS_BLEND_SSE41_H */
