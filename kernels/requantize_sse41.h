/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/requantize_sse41.h - the last step of the int8 kernels for SSE4.1: requantize, add the zero point,
   clamp, store. The same result as nnrt__requantize_s8 (internal.h) for every accumulator, multiplier and
   shift.

   Rounding: nnrt__rounding_doubling_high_mul is floor((product + 2^30) / 2^31) for every sign, so one 64-bit
   add and shift does it; multiplier >= 0 excludes its one overflow. SSE has no shift by lane: left shifts
   multiply by 2^left, right shifts take one instruction per lane.

   The products (finish_sse41) have a shorter way for 1 <= right, which real scales have. Both roundings are one:
   with half = 2^(right - 1), floor((floor((p + 2^30) / 2^31) + half - s) / 2^right), s = 1 for what is rounded away
   from zero downwards, is floor((p + 2^30 + half * 2^31 - s * 2^31) / 2^(31 + right)). s may be taken from the sign
   of the accumulator: where that is negative and the first quotient is 0, the result is 0 either way. The upper half
   of the 64 bits is shifted by what the eight channels have in common, saturated to 16 bits, and pmulhw by
   2^(16 - rest) is the shift by lane: 13 instructions for four channels instead of 21. A rest of 2..7 keeps the
   saturated value beyond every clamp: |x| >= 32767 / 2^7 = 255. */
#ifndef NNRT_KERNELS_REQUANTIZE_SSE41_H
#define NNRT_KERNELS_REQUANTIZE_SSE41_H

#include "internal.h"

/* What four channels need, made once per tile. */
typedef struct nnrt__requantize_x4_sse41 {
    __m128i multiplier, odd_multiplier; /* the second moved down for lanes 1 and 3 */
    __m128i left;                       /* 2^max(shift, 0) */
    __m128i mask, half;                 /* of right = max(-shift, 0): 2^right - 1, and half of it */
    __m128i right[4];                   /* lane by lane, as shift counts */
} nnrt__requantize_x4_sse41;

/* count int32 values, 1..4 of them readable; lanes past them are 0. Not by way of memory, where a load of 16 bytes
   would wait for the smaller stores before it. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__load_up_to_4_sse41(const int32_t *from, size_t count) {
    __m128i x;
    if (count >= 4) return _mm_loadu_si128((const __m128i *)(const void *)from);
    x = _mm_cvtsi32_si128(from[0]);
    if (count > 1) x = _mm_insert_epi32(x, from[1], 1);
    return count > 2 ? _mm_insert_epi32(x, from[2], 2) : x;
}

/* 2^lane for lanes of 0..31: the exponent of a float; 2^31 converts to 0x80000000, which is meant. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__power_of_2_sse41(__m128i exponent) {
    return _mm_cvttps_epi32(_mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(exponent, _mm_set1_epi32(127)), 23)));
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__requantize_prepare_sse41(nnrt__requantize_x4_sse41 *q, __m128i multiplier,
                                                                    __m128i shift) {
    const __m128i zero = _mm_setzero_si128();
    __m128i right = _mm_max_epi32(_mm_sub_epi32(zero, shift), zero);
    q->multiplier = multiplier;
    q->odd_multiplier = _mm_srli_epi64(multiplier, 32);
    q->left = nnrt__power_of_2_sse41(_mm_max_epi32(shift, zero));
    q->mask = _mm_sub_epi32(nnrt__power_of_2_sse41(right), _mm_set1_epi32(1));
    q->half = _mm_srli_epi32(q->mask, 1);
    q->right[0] = _mm_cvtsi32_si128(_mm_extract_epi32(right, 0));
    q->right[1] = _mm_cvtsi32_si128(_mm_extract_epi32(right, 1));
    q->right[2] = _mm_cvtsi32_si128(_mm_extract_epi32(right, 2));
    q->right[3] = _mm_cvtsi32_si128(_mm_extract_epi32(right, 3));
}

/* nnrt__requantize, four lanes. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__requantize_sse41(__m128i acc, const nnrt__requantize_x4_sse41 *q) {
    const __m128i nudge = _mm_set_epi32(0, 1 << 30, 0, 1 << 30);
    __m128i x = _mm_mullo_epi32(acc, q->left);
    __m128i even = _mm_add_epi64(_mm_mul_epi32(x, q->multiplier), nudge);
    __m128i odd = _mm_add_epi64(_mm_mul_epi32(_mm_srli_epi64(x, 32), q->odd_multiplier), nudge);
    /* bits 31..62 of each */
    __m128i y = _mm_blend_epi16(_mm_srli_epi64(even, 31), _mm_slli_epi64(odd, 1), 0xcc);
    __m128i lanes01 = _mm_blend_epi16(_mm_sra_epi32(y, q->right[0]), _mm_sra_epi32(y, q->right[1]), 0x0c);
    __m128i lanes23 = _mm_blend_epi16(_mm_sra_epi32(y, q->right[2]), _mm_sra_epi32(y, q->right[3]), 0xc0);
    __m128i threshold = _mm_sub_epi32(q->half, _mm_srai_epi32(y, 31)); /* half + 1 where negative */
    __m128i up = _mm_cmpgt_epi32(_mm_and_si128(y, q->mask), threshold);
    return _mm_sub_epi32(_mm_blend_epi16(lanes01, lanes23, 0xf0), up);
}

/* The zero point and the range of an output, spread. */
typedef struct nnrt__output_s8_sse41 {
    __m128i zero_point; /* 16 bits */
    __m128i low, high;  /* 8 bits */
} nnrt__output_s8_sse41;

NNRT__TARGET_SSE41 NNRT__INLINE nnrt__output_s8_sse41 nnrt__output_prepare_sse41(int32_t zero_point, int32_t low,
                                                                                 int32_t high) {
    nnrt__output_s8_sse41 out;
    out.zero_point = _mm_set1_epi16((int16_t)zero_point);
    out.low = _mm_set1_epi8((int8_t)low);
    out.high = _mm_set1_epi8((int8_t)high);
    return out;
}

/* Requantized lanes of 8 channels to 8 bytes. Saturating to 16 bits first changes nothing: what it cuts lies
   beyond the 8-bit range for every zero point. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__output_bytes_sse41(__m128i x0, __m128i x1,
                                                                 const nnrt__output_s8_sse41 *out) {
    __m128i x = _mm_adds_epi16(_mm_packs_epi32(x0, x1), out->zero_point);
    return _mm_min_epi8(_mm_max_epi8(_mm_packs_epi16(x, x), out->low), out->high);
}

/* What the last step of a product needs for eight channels, made once per tile. */
typedef struct nnrt__finish_x8_sse41 {
    __m128i multiplier[2], odd_multiplier[2];
    __m128i nudge[2], odd_nudge[2]; /* 2^30 + half * 2^31 of lanes 0 and 2, 1 and 3 */
    __m128i shift;                  /* in common, as a shift count */
    __m128i factor;                 /* 2^(16 - rest), 16 bits */
    nnrt__requantize_x4_sse41 any[2];
    nnrt__output_s8_sse41 out;
    bool is_short; /* the shorter way: else only `any` and `out` are set */
} nnrt__finish_x8_sse41;

/* multiplier, shift: 8 readable values each. Channels with multiplier 0, such as those past the last, fit any shift. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__finish_prepare_sse41(nnrt__finish_x8_sse41 *q, const void *multiplier,
                                                                const void *shift) {
    const __m128i zero = _mm_setzero_si128(), limit = _mm_set1_epi16(31),
                  doubled = _mm_set_epi32(0, INT32_MIN, 0, INT32_MIN);
    const __m128i nudge = _mm_set_epi32(0, 1 << 30, 0, 1 << 30);
    __m128i m[2], s[2], right, none, longest;
    int most, least, common, i;
    for (i = 0; i < 2; i++) {
        m[i] = _mm_loadu_si128((const __m128i *)multiplier + i);
        s[i] = _mm_loadu_si128((const __m128i *)shift + i);
    }
    right = _mm_packs_epi32(_mm_and_si128(_mm_max_epi32(_mm_sub_epi32(zero, s[0]), zero), _mm_set1_epi32(31)),
                            _mm_and_si128(_mm_max_epi32(_mm_sub_epi32(zero, s[1]), zero), _mm_set1_epi32(31)));
    none = _mm_packs_epi32(_mm_cmpeq_epi32(m[0], zero), _mm_cmpeq_epi32(m[1], zero));
    right = _mm_andnot_si128(none, right);
    most = 31 - _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_sub_epi16(limit, right))) % 65536;
    longest = _mm_set1_epi16((int16_t)most);
    right = _mm_blendv_epi8(right, longest, none);
    least = _mm_cvtsi128_si32(_mm_minpos_epu16(right)) & 31;
    common = most > 8 ? most - 8 : 0; /* of right - 1 */
    q->is_short = least - 1 - common >= 2;
    if (!q->is_short) {
        for (i = 0; i < 2; i++) nnrt__requantize_prepare_sse41(&q->any[i], m[i], s[i]);
        return;
    }
    q->shift = _mm_cvtsi32_si128(common);
    s[0] = _mm_cvtepi16_epi32(right);
    s[1] = _mm_cvtepi16_epi32(_mm_srli_si128(right, 8));
    for (i = 0; i < 2; i++) {
        const __m128i half = nnrt__power_of_2_sse41(_mm_sub_epi32(s[i], _mm_set1_epi32(1)));
        q->multiplier[i] = m[i];
        q->odd_multiplier[i] = _mm_srli_epi64(m[i], 32);
        q->nudge[i] = _mm_add_epi64(_mm_mul_epu32(half, doubled), nudge);
        q->odd_nudge[i] = _mm_add_epi64(_mm_mul_epu32(_mm_srli_epi64(half, 32), doubled), nudge);
        s[i] = nnrt__power_of_2_sse41(_mm_sub_epi32(_mm_set1_epi32(17 + common), s[i]));
    }
    q->factor = _mm_packs_epi32(s[0], s[1]);
}

/* Bits 32..63 of acc * multiplier + nudge, less 2^31 where acc is negative. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__finish_high_sse41(__m128i acc, const nnrt__finish_x8_sse41 *q, int i) {
    const __m128i sign = _mm_set_epi32(0, INT32_MIN, 0, INT32_MIN), odd = _mm_srli_epi64(acc, 32);
    const __m128i y =
        _mm_sub_epi64(_mm_add_epi64(_mm_mul_epi32(acc, q->multiplier[i]), q->nudge[i]), _mm_and_si128(acc, sign));
    const __m128i z = _mm_sub_epi64(_mm_add_epi64(_mm_mul_epi32(odd, q->odd_multiplier[i]), q->odd_nudge[i]),
                                    _mm_and_si128(odd, sign));
    return _mm_blend_epi16(_mm_srli_epi64(y, 32), z, 0xcc);
}

/* Sums of eight channels to 8 bytes, in the lower half. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__finish_sse41(__m128i acc0, __m128i acc1, const nnrt__finish_x8_sse41 *q) {
    __m128i x;
    if (!q->is_short)
        return nnrt__output_bytes_sse41(nnrt__requantize_sse41(acc0, &q->any[0]),
                                        nnrt__requantize_sse41(acc1, &q->any[1]), &q->out);
    x = _mm_packs_epi32(_mm_sra_epi32(nnrt__finish_high_sse41(acc0, q, 0), q->shift),
                        _mm_sra_epi32(nnrt__finish_high_sse41(acc1, q, 1), q->shift));
    x = _mm_adds_epi16(_mm_mulhi_epi16(x, q->factor), q->out.zero_point);
    return _mm_min_epi8(_mm_max_epi8(_mm_packs_epi16(x, x), q->out.low), q->out.high);
}

/* nnrt__requantize, four lanes, where every shift is negative (mark[1] of packing.h) and nothing was made beforehand,
   as for one row. Both shifts to the right are products: by multiplier / 2^31, and by 2^(31 + shift) / 2^31. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__requantize_right_sse41(__m128i acc, __m128i multiplier, __m128i shift) {
    const __m128i nudge = _mm_set_epi32(0, 1 << 30, 0, 1 << 30);
    const __m128i scale =
        _mm_cvttps_epi32(_mm_castsi128_ps(_mm_slli_epi32(_mm_add_epi32(shift, _mm_set1_epi32(127 + 31)), 23)));
    __m128i even = _mm_add_epi64(_mm_mul_epi32(acc, multiplier), nudge);
    __m128i odd = _mm_add_epi64(_mm_mul_epi32(_mm_srli_epi64(acc, 32), _mm_srli_epi64(multiplier, 32)), nudge);
    even = _mm_srli_epi64(even, 31);
    odd = _mm_srli_epi64(odd, 31);
    even = _mm_add_epi32(even, _mm_srai_epi32(even, 31)); /* ties away from zero */
    odd = _mm_add_epi32(odd, _mm_srai_epi32(odd, 31));
    even = _mm_add_epi64(_mm_mul_epi32(even, scale), nudge);
    odd = _mm_add_epi64(_mm_mul_epi32(odd, _mm_srli_epi64(scale, 32)), nudge);
    return _mm_blend_epi16(_mm_srli_epi64(even, 31), _mm_slli_epi64(odd, 1), 0xcc);
}

/* The first n <= 8 bytes. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__store_bytes_sse41(int8_t *to, __m128i bytes, size_t n) {
    if (n >= 8) {
        _mm_storel_epi64((__m128i *)(void *)to, bytes);
    } else {
        uint64_t low;
        _mm_storel_epi64((__m128i *)(void *)&low, bytes);
        nnrt__store_up_to_8(to, low, n);
    }
}

/* n bytes, at most 8 of them; those past n are 0. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__load_bytes_sse41(const int8_t *from, size_t n) {
    uint64_t low;
    if (n >= 8) return _mm_loadl_epi64((const __m128i *)(const void *)from);
    low = nnrt__load_up_to_8(from, n);
    return _mm_loadl_epi64((const __m128i *)(const void *)&low);
}

/* n bytes, at most 16 of them; those past n are 0. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__load_up_to_16_sse41(const int8_t *from, size_t n) {
    if (n >= 16) return _mm_loadu_si128((const __m128i *)(const void *)from);
    if (n <= 8) return nnrt__load_bytes_sse41(from, n);
    return _mm_unpacklo_epi64(nnrt__load_bytes_sse41(from, 8), nnrt__load_bytes_sse41(from + 8, n - 8));
}

/* The first n <= 16 bytes. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__store_up_to_16_sse41(int8_t *to, __m128i bytes, size_t n) {
    if (n >= 16) {
        _mm_storeu_si128((__m128i *)(void *)to, bytes);
    } else {
        nnrt__store_bytes_sse41(to, bytes, n);
        if (n > 8) nnrt__store_bytes_sse41(to + 8, _mm_srli_si128(bytes, 8), n - 8);
    }
}

#endif /* NNRT_KERNELS_REQUANTIZE_SSE41_H */
