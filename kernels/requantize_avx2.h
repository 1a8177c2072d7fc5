/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/requantize_avx2.h - the last step of the int8 kernels for AVX2. Meaning and argument as in
   requantize_sse41.h, eight channels at a time; AVX2 shifts lane by lane. */
#ifndef NNRT_KERNELS_REQUANTIZE_AVX2_H
#define NNRT_KERNELS_REQUANTIZE_AVX2_H

#include "internal.h"
#include "requantize_sse41.h"

/* What eight channels need, made once per tile. */
typedef struct nnrt__requantize_x8_avx2 {
    __m256i multiplier, odd_multiplier;
    __m256i left, right;
    __m256i mask, half;
} nnrt__requantize_x8_avx2;

/* multiplier, shift: 8 readable values each. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__requantize_prepare_avx2(nnrt__requantize_x8_avx2 *q, const void *multiplier,
                                                                  const void *shift) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1);
    __m256i shifts = _mm256_loadu_si256((const __m256i *)shift);
    q->multiplier = _mm256_loadu_si256((const __m256i *)multiplier);
    q->odd_multiplier = _mm256_srli_epi64(q->multiplier, 32);
    q->left = _mm256_max_epi32(shifts, zero);
    q->right = _mm256_max_epi32(_mm256_sub_epi32(zero, shifts), zero);
    q->mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, q->right), one);
    q->half = _mm256_srli_epi32(q->mask, 1);
}

/* nnrt__requantize, eight lanes. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__requantize_avx2(__m256i acc, const nnrt__requantize_x8_avx2 *q) {
    const __m256i nudge = _mm256_set1_epi64x(1 << 30);
    __m256i x = _mm256_sllv_epi32(acc, q->left);
    __m256i even = _mm256_add_epi64(_mm256_mul_epi32(x, q->multiplier), nudge);
    __m256i odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(x, 32), q->odd_multiplier), nudge);
    __m256i y = _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa);
    __m256i threshold = _mm256_sub_epi32(q->half, _mm256_srai_epi32(y, 31)); /* half + 1 where negative */
    __m256i up = _mm256_cmpgt_epi32(_mm256_and_si256(y, q->mask), threshold);
    return _mm256_sub_epi32(_mm256_srav_epi32(y, q->right), up);
}

/* The same where every shift is negative (mark[1] of packing.h) and nothing was made beforehand. multiplier, shift: 8
   readable values each. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__requantize_right_avx2(__m256i acc, const void *multiplier,
                                                                   const void *shift) {
    const __m256i nudge = _mm256_set1_epi64x(1 << 30), m = _mm256_loadu_si256((const __m256i *)multiplier);
    const __m256i less_1 = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)shift), _mm256_set1_epi32(-1));
    __m256i even = _mm256_add_epi64(_mm256_mul_epi32(acc, m), nudge);
    __m256i odd = _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(acc, 32), _mm256_srli_epi64(m, 32)), nudge);
    __m256i y = _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa);
    y = _mm256_add_epi32(y, _mm256_srai_epi32(y, 31)); /* ties away from zero */
    y = _mm256_srav_epi32(y, less_1);                  /* by one bit less, so that adding a half cannot wrap */
    return _mm256_add_epi32(_mm256_srai_epi32(y, 1), _mm256_and_si256(y, _mm256_set1_epi32(1)));
}

/* What the last step of a product needs for eight channels, made once per tile. The shorter way is that of
   nnrt__finish_sse41 for every right >= 1, as AVX2 shifts lane by lane: 12 instructions instead of 15. */
typedef struct nnrt__finish_x8_avx2 {
    __m256i multiplier, odd_multiplier;
    __m256i nudge, odd_nudge;
    __m256i right; /* less 1 */
    nnrt__requantize_x8_avx2 any;
    bool is_short; /* else only `any` is set */
} nnrt__finish_x8_avx2;

/* multiplier, shift: 8 readable values each. Channels with multiplier 0 fit any shift. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__finish_prepare_avx2(nnrt__finish_x8_avx2 *q, const void *multiplier,
                                                              const void *shift) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1);
    const __m256i doubled = _mm256_set1_epi64x((int64_t)1 << 31), nudge = _mm256_set1_epi64x(1 << 30);
    const __m256i m = _mm256_loadu_si256((const __m256i *)multiplier);
    __m256i right = _mm256_sub_epi32(zero, _mm256_loadu_si256((const __m256i *)shift)), half;
    right = _mm256_and_si256(_mm256_max_epi32(right, zero), _mm256_set1_epi32(31));
    right = _mm256_blendv_epi8(right, one, _mm256_cmpeq_epi32(m, zero));
    q->is_short = _mm256_movemask_epi8(_mm256_cmpeq_epi32(right, zero)) == 0;
    if (!q->is_short) {
        nnrt__requantize_prepare_avx2(&q->any, multiplier, shift);
        return;
    }
    q->right = _mm256_sub_epi32(right, one);
    half = _mm256_sllv_epi32(one, q->right);
    q->multiplier = m;
    q->odd_multiplier = _mm256_srli_epi64(m, 32);
    q->nudge = _mm256_add_epi64(_mm256_mul_epu32(half, doubled), nudge);
    q->odd_nudge = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(half, 32), doubled), nudge);
}

/* nnrt__requantize, eight lanes. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__finish_avx2(__m256i acc, const nnrt__finish_x8_avx2 *q) {
    const __m256i sign = _mm256_set1_epi64x((int64_t)1 << 31), odd = _mm256_srli_epi64(acc, 32);
    __m256i y, z;
    if (!q->is_short) return nnrt__requantize_avx2(acc, &q->any);
    y = _mm256_sub_epi64(_mm256_add_epi64(_mm256_mul_epi32(acc, q->multiplier), q->nudge), _mm256_and_si256(acc, sign));
    z = _mm256_sub_epi64(_mm256_add_epi64(_mm256_mul_epi32(odd, q->odd_multiplier), q->odd_nudge),
                         _mm256_and_si256(odd, sign));
    return _mm256_srav_epi32(_mm256_blend_epi32(_mm256_srli_epi64(y, 32), z, 0xaa), q->right);
}

/* Requantized lanes of 8 channels twice, x and y, to 16 bytes: those of x, those of y. */
NNRT__TARGET_AVX2 NNRT__INLINE __m128i nnrt__output_8_8_avx2(__m256i x, __m256i y, const nnrt__output_s8_sse41 *out) {
    const __m256i words = _mm256_adds_epi16(_mm256_packs_epi32(x, y), _mm256_broadcastsi128_si256(out->zero_point));
    const __m256i bytes = _mm256_packs_epi16(words, words);
    const __m128i both = _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    return _mm_min_epi8(_mm_max_epi8(both, out->low), out->high);
}

/* The first n <= 8 bytes of each half of `bytes`. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__store_halves_avx2(int8_t *low, int8_t *high, __m128i bytes, size_t n) {
    nnrt__store_bytes_sse41(low, bytes, n);
    nnrt__store_bytes_sse41(high, _mm_unpackhi_epi64(bytes, bytes), n);
}

#endif /* NNRT_KERNELS_REQUANTIZE_AVX2_H */
