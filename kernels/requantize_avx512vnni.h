/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/requantize_avx512vnni.h - the last step of the int8 kernels for AVX-512. Meaning and argument as in
   requantize_sse41.h and requantize_avx2.h, 16 lanes at a time: of 16 channels of a pixel, or of 8 channels of two.

   Four vectors take 2 + 4 * 11 vector operations for 64 bytes in the shorter way, 12 instead of 18 by one at a time.

   Where GCC's own functions have an operand without a value, which it warns of, their form with a mask of ones stands
   here: it makes the same instruction. */
#ifndef NNRT_KERNELS_REQUANTIZE_AVX512VNNI_H
#define NNRT_KERNELS_REQUANTIZE_AVX512VNNI_H

#include "internal.h"

/* What 16 lanes need, made once per tile. */
typedef struct nnrt__finish_x16_avx512vnni {
    __m512i multiplier, odd_multiplier; /* even lanes; odd ones, moved down */
    __m512i nudge, odd_nudge;           /* 2^30 + half * 2^31; the longer way: 2^30 */
    __m512i left;
    __m512i right; /* less 1; the longer way: itself */
    bool is_short; /* every lane has right >= 1 */
} nnrt__finish_x16_avx512vnni;

/* The zero point and the range of an output, spread. */
typedef struct nnrt__output_s8_avx512vnni {
    __m512i zero_point; /* 16 bits */
    __m512i low, high;  /* 8 bits */
} nnrt__output_s8_avx512vnni;

NNRT__TARGET_AVX512VNNI NNRT__INLINE nnrt__output_s8_avx512vnni nnrt__output_prepare_avx512vnni(int32_t zero_point,
                                                                                                int32_t low,
                                                                                                int32_t high) {
    nnrt__output_s8_avx512vnni out;
    out.zero_point = _mm512_set1_epi16((int16_t)zero_point);
    out.low = _mm512_set1_epi8((int8_t)low);
    out.high = _mm512_set1_epi8((int8_t)high);
    return out;
}

/* Odd lanes to even ones; what lies in the odd ones does not matter to products. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__odd_avx512vnni(__m512i x) {
    return _mm512_maskz_shuffle_epi32((__mmask16)0xffff, x, (_MM_PERM_ENUM)0xf5);
}

/* Even lanes of 64 bits by odd halves: multiplier times x. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__mul_avx512vnni(__m512i x, __m512i multiplier) {
    return _mm512_maskz_mul_epi32((__mmask8)0xff, x, multiplier);
}

/* Both halves. The plain functions of GCC 12 begin with a value that they leave open, and warn of it in C++. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__join_avx512vnni(__m256i low, __m256i high) {
    return _mm512_maskz_inserti64x4((__mmask8)0xff, _mm512_castsi256_si512(low), high, 1);
}

/* 16 words, or 8 twice: count says. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__finish_words_avx512vnni(const void *words, int count) {
    const __m256i *from = (const __m256i *)words;
    return nnrt__join_avx512vnni(_mm256_loadu_si256(from), _mm256_loadu_si256(from + (count == 16 ? 1 : 0)));
}

/* multiplier, shift: of count, 8 or 16, channels, all readable; 8 of them are those of the upper lanes, too. Channels
   with multiplier 0 fit any shift. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__finish_prepare_avx512vnni(nnrt__finish_x16_avx512vnni *q,
                                                                          const void *multiplier, const void *shift,
                                                                          int count) {
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1), least = _mm512_set1_epi64(1 << 30);
    const __m512i m = nnrt__finish_words_avx512vnni(multiplier, count);
    const __m512i s = nnrt__finish_words_avx512vnni(shift, count);
    const __mmask16 ones = (__mmask16)0xffff;
    __m512i right = _mm512_maskz_max_epi32(ones, _mm512_sub_epi32(zero, s), zero), half;
    q->multiplier = m;
    q->odd_multiplier = nnrt__odd_avx512vnni(m);
    q->left = _mm512_maskz_max_epi32(ones, s, zero);
    right = _mm512_and_si512(right, _mm512_set1_epi32(31));
    q->is_short = (_mm512_cmpeq_epi32_mask(right, zero) & ~_mm512_cmpeq_epi32_mask(m, zero)) == 0;
    if (!q->is_short) {
        q->right = right;
        q->nudge = q->odd_nudge = least;
        return;
    }
    q->right = _mm512_sub_epi32(_mm512_maskz_max_epi32(ones, right, one), one);
    half = _mm512_maskz_sllv_epi32(ones, one, q->right);
    q->nudge =
        _mm512_add_epi64(_mm512_maskz_mul_epu32((__mmask8)0xff, half, _mm512_set1_epi64((int64_t)1 << 31)), least);
    q->odd_nudge = _mm512_add_epi64(
        _mm512_maskz_mul_epu32((__mmask8)0xff, nnrt__odd_avx512vnni(half), _mm512_set1_epi64((int64_t)1 << 31)), least);
}

/* nnrt__requantize, 16 lanes, the shorter way. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__finish_short_avx512vnni(__m512i acc,
                                                                           const nnrt__finish_x16_avx512vnni *q) {
    const __m512i sign = _mm512_set1_epi64((int64_t)1 << 31), odd = nnrt__odd_avx512vnni(acc);
    const __m512i y = _mm512_sub_epi64(_mm512_add_epi64(nnrt__mul_avx512vnni(acc, q->multiplier), q->nudge),
                                       _mm512_and_si512(acc, sign));
    const __m512i z = _mm512_sub_epi64(_mm512_add_epi64(nnrt__mul_avx512vnni(odd, q->odd_multiplier), q->odd_nudge),
                                       _mm512_and_si512(odd, sign));
    const __m512i both = _mm512_mask_shuffle_epi32(z, (__mmask16)0x5555, y, (_MM_PERM_ENUM)0xf5);
    return _mm512_maskz_srav_epi32((__mmask16)0xffff, both, q->right);
}

/* The longer way. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__finish_long_avx512vnni(__m512i acc,
                                                                          const nnrt__finish_x16_avx512vnni *q) {
    const __mmask16 ones = (__mmask16)0xffff;
    const __m512i x = _mm512_maskz_sllv_epi32(ones, acc, _mm512_and_si512(q->left, _mm512_set1_epi32(31)));
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i even = _mm512_add_epi64(nnrt__mul_avx512vnni(x, q->multiplier), q->nudge);
    const __m512i odd =
        _mm512_add_epi64(nnrt__mul_avx512vnni(nnrt__odd_avx512vnni(x), q->odd_multiplier), q->odd_nudge);
    const __m512i both = _mm512_mask_mov_epi32(_mm512_maskz_srli_epi64((__mmask8)0xff, even, 31), (__mmask16)0xaaaa,
                                               _mm512_maskz_slli_epi64((__mmask8)0xff, odd, 1)); /* bits 31..62 */
    const __m512i mask = _mm512_sub_epi32(_mm512_maskz_sllv_epi32(ones, one, q->right), one);
    const __m512i threshold = _mm512_sub_epi32(_mm512_maskz_srli_epi32(ones, mask, 1),
                                               _mm512_maskz_srai_epi32(ones, both, 31)); /* half + 1 where negative */
    const __mmask16 up = _mm512_cmpgt_epi32_mask(_mm512_and_si512(both, mask), threshold);
    const __m512i shifted = _mm512_maskz_srav_epi32(ones, both, q->right);
    return _mm512_mask_add_epi32(shifted, up, shifted, one);
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__finish_avx512vnni(__m512i acc,
                                                                     const nnrt__finish_x16_avx512vnni *q) {
    return q->is_short ? nnrt__finish_short_avx512vnni(acc, q) : nnrt__finish_long_avx512vnni(acc, q);
}

/* nnrt__requantize of 16 lanes whose shifts are negative or whose multipliers are 0, with nothing made beforehand, as
   nnrt__requantize_right_sse41 has it: what a tile that meets one row takes. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__requantize_right_avx512vnni(__m512i acc, __m512i multiplier,
                                                                               __m512i shift) {
    const __mmask8 all = (__mmask8)0xff;
    const __m512i nudge = _mm512_set1_epi64(1 << 30);
    const __m512i scale = _mm512_maskz_sllv_epi32((__mmask16)0xffff, _mm512_set1_epi32(1),
                                                  _mm512_add_epi32(shift, _mm512_set1_epi32(31)));
    __m512i even = _mm512_add_epi64(nnrt__mul_avx512vnni(acc, multiplier), nudge);
    __m512i odd =
        _mm512_add_epi64(nnrt__mul_avx512vnni(nnrt__odd_avx512vnni(acc), nnrt__odd_avx512vnni(multiplier)), nudge);
    even = _mm512_maskz_srai_epi64(all, even, 31);
    odd = _mm512_maskz_srai_epi64(all, odd, 31);
    even = _mm512_add_epi64(even, _mm512_maskz_srai_epi64(all, even, 63)); /* ties away from zero */
    odd = _mm512_add_epi64(odd, _mm512_maskz_srai_epi64(all, odd, 63));
    even = _mm512_add_epi64(nnrt__mul_avx512vnni(even, scale), nudge);
    odd = _mm512_add_epi64(nnrt__mul_avx512vnni(odd, nnrt__odd_avx512vnni(scale)), nudge);
    return _mm512_mask_mov_epi32(_mm512_maskz_srli_epi64(all, even, 31), (__mmask16)0xaaaa,
                                 _mm512_maskz_slli_epi64(all, odd, 1));
}

/* Requantized lanes a to d to 64 bytes: of each 128 bits the four of a, of b, of c, of d. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__output_avx512vnni(__m512i a, __m512i b, __m512i c, __m512i d,
                                                                     const nnrt__output_s8_avx512vnni *out) {
    const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(a, b), out->zero_point);
    const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(c, d), out->zero_point);
    return _mm512_min_epi8(_mm512_max_epi8(_mm512_packs_epi16(low, high), out->low), out->high);
}

/* Words of 32 bits in this order. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__order_avx512vnni(__m512i x, __m512i order) {
    return _mm512_maskz_permutexvar_epi32((__mmask16)0xffff, order, x);
}

/* 128 bits of x: constant part. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m128i nnrt__quarter_avx512vnni(__m512i x, int part) {
    return part == 0   ? _mm512_maskz_extracti32x4_epi32((__mmask8)0xf, x, 0)
           : part == 1 ? _mm512_maskz_extracti32x4_epi32((__mmask8)0xf, x, 1)
           : part == 2 ? _mm512_maskz_extracti32x4_epi32((__mmask8)0xf, x, 2)
                       : _mm512_maskz_extracti32x4_epi32((__mmask8)0xf, x, 3);
}

/* The first n bytes; 16 and more are 16. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__store_up_to_16_avx512vnni(int8_t *to, __m128i bytes, size_t n) {
    if (n >= 16) _mm_storeu_si128((__m128i *)(void *)to, bytes);
    else _mm_mask_storeu_epi8(to, (__mmask16)((1u << n) - 1), bytes);
}

/* What nnrt__output_avx512vnni made of 16 channels of four rows: the first n channels of the first `rows` of them, each
   `stride` bytes behind the last. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__store_4_rows_avx512vnni(int8_t *to, size_t stride, __m512i bytes,
                                                                        size_t rows, size_t n) {
    const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i x = nnrt__order_avx512vnni(bytes, order);
    nnrt__store_up_to_16_avx512vnni(to, nnrt__quarter_avx512vnni(x, 0), n);
    if (rows > 1) nnrt__store_up_to_16_avx512vnni(to + stride, nnrt__quarter_avx512vnni(x, 1), n);
    if (rows > 2) nnrt__store_up_to_16_avx512vnni(to + 2 * stride, nnrt__quarter_avx512vnni(x, 2), n);
    if (rows > 3) nnrt__store_up_to_16_avx512vnni(to + 3 * stride, nnrt__quarter_avx512vnni(x, 3), n);
}

/* The same for two pixels of one row and the two below: the second is `right` elements behind the first, the third
   `below`; where that is 0 there are none. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__store_2x2_avx512vnni(int8_t *to, size_t right, size_t below,
                                                                     __m512i bytes, size_t n) {
    const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i x = nnrt__order_avx512vnni(bytes, order);
    nnrt__store_up_to_16_avx512vnni(to, nnrt__quarter_avx512vnni(x, 0), n);
    if (right != 0) nnrt__store_up_to_16_avx512vnni(to + right, nnrt__quarter_avx512vnni(x, 1), n);
    if (below == 0) return;
    nnrt__store_up_to_16_avx512vnni(to + below, nnrt__quarter_avx512vnni(x, 2), n);
    if (right != 0) nnrt__store_up_to_16_avx512vnni(to + below + right, nnrt__quarter_avx512vnni(x, 3), n);
}

#endif /* NNRT_KERNELS_REQUANTIZE_AVX512VNNI_H */
