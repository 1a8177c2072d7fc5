/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_sse41.h - add_s8 for SSE4.1. Contract: add_s8_scalar.h. Eight elements at a time.

   A sum is a linear formula (nnrt__add_s8_linear) wherever no tie is near: unpacking makes pairs (a, b), and pmaddwd
   with the upper and the lower bits of both factors does the rest. The long way around a tie is exact as it stands. The
   sums of pretrainedResnet_quant, 28672 bytes, take 18.2 us together, the long way alone 59.7 (AMD EPYC, GCC 12,
   2026-11-22).

   The long way. An operand is d = q - zero_point, nine bits and a sign, so its product with a multiplier m needs no 64
   bits: with m = high * 2^11 + low, floor((d * 2^20 * m + 2^30) / 2^31) = d * high + floor((d * low + 2^10) / 2^11).
   high has 20 bits and is split again, high = top * 2^6 + middle, because pmaddwd takes factors of 16 bits: the
   pair (d, 64 * d) times (middle, top) is d * high, times (low, 0) it is d * low.

   Division by 2^right, ties away from zero: (x + half - (1 where x < 0)) >> right with half = 2^right / 2; right
   = 0 takes nothing off. |x| < 2^29 where right > 0, and half <= 2^30, so the sum fits. */
#ifndef NNRT_KERNELS_ADD_S8_SSE41_H
#define NNRT_KERNELS_ADD_S8_SSE41_H

#include "add_s8_scalar.h"
#include "internal.h"
#include "requantize_sse41.h"

typedef struct nnrt__add_s8_divide_sse41 {
    __m128i half;
    __m128i right, sign; /* shift counts; sign is 31, or 32 where nothing is to be taken off */
} nnrt__add_s8_divide_sse41;

typedef struct nnrt__add_s8_operand_sse41 {
    __m128i zero_point; /* 16 bits */
    __m128i high, low;  /* the pairs of factors */
    nnrt__add_s8_divide_sse41 divide;
    __m128i same; /* eight times the first byte: the operand, where its step is 0 */
} nnrt__add_s8_operand_sse41;

/* The factors of an operand's multiplier, as pairs of 16 bits with the first one low. */
NNRT__INLINE int32_t nnrt__add_s8_high_pair(int32_t multiplier) {
    return (int32_t)((uint32_t)(multiplier >> 17) << 16 | (uint32_t)(multiplier >> 11 & 63));
}
NNRT__INLINE int32_t nnrt__add_s8_low_pair(int32_t multiplier) { return multiplier & 2047; }

NNRT__TARGET_SSE41 NNRT__INLINE nnrt__add_s8_divide_sse41 nnrt__add_s8_divide_prepare_sse41(int32_t right) {
    nnrt__add_s8_divide_sse41 d;
    d.half = _mm_set1_epi32((int32_t)(((uint32_t)1 << right) >> 1));
    d.right = _mm_cvtsi32_si128(right);
    d.sign = _mm_cvtsi32_si128(right != 0 ? 31 : 32);
    return d;
}

NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__add_s8_divided_sse41(__m128i x, const nnrt__add_s8_divide_sse41 *d) {
    x = _mm_sub_epi32(x, _mm_srl_epi32(x, d->sign));
    return _mm_sra_epi32(_mm_add_epi32(x, d->half), d->right);
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__add_s8_operand_prepare_sse41(nnrt__add_s8_operand_sse41 *o,
                                                                        const nnrt__binary_s8_args *args,
                                                                        uint32_t which, int8_t first) {
    const int32_t multiplier = args->input_multiplier[which];
    o->zero_point = _mm_set1_epi16((int16_t)args->input_zero_point[which]);
    o->high = _mm_set1_epi32(nnrt__add_s8_high_pair(multiplier));
    o->low = _mm_set1_epi32(nnrt__add_s8_low_pair(multiplier));
    o->divide = nnrt__add_s8_divide_prepare_sse41(-args->input_shift[which]);
    o->same = _mm_set1_epi8(first);
}

/* nnrt__add_s8_input of four pairs (d, 64 * d). */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__add_s8_scale_sse41(__m128i pairs, const nnrt__add_s8_operand_sse41 *o) {
    __m128i low = _mm_add_epi32(_mm_madd_epi16(pairs, o->low), _mm_set1_epi32(1 << 10));
    __m128i x = _mm_add_epi32(_mm_madd_epi16(pairs, o->high), _mm_srai_epi32(low, 11));
    return nnrt__add_s8_divided_sse41(x, &o->divide);
}

/* nnrt__add_s8_input of eight bytes. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__add_s8_input_sse41(__m128i bytes, const nnrt__add_s8_operand_sse41 *o,
                                                              __m128i x[2]) {
    __m128i d = _mm_sub_epi16(_mm_cvtepi8_epi16(bytes), o->zero_point), d64 = _mm_slli_epi16(d, 6);
    x[0] = nnrt__add_s8_scale_sse41(_mm_unpacklo_epi16(d, d64), o);
    x[1] = nnrt__add_s8_scale_sse41(_mm_unpackhi_epi16(d, d64), o);
}

/* nnrt__requantize with one multiplier and one shift for all lanes; otherwise as nnrt__requantize_sse41. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__add_s8_output_sse41(__m128i x, __m128i multiplier, __m128i left,
                                                                  const nnrt__add_s8_divide_sse41 *divide) {
    const __m128i nudge = _mm_set_epi32(0, 1 << 30, 0, 1 << 30);
    __m128i even, odd;
    x = _mm_sll_epi32(x, left);
    even = _mm_add_epi64(_mm_mul_epi32(x, multiplier), nudge);
    odd = _mm_add_epi64(_mm_mul_epi32(_mm_srli_epi64(x, 32), multiplier), nudge);
    x = _mm_blend_epi16(_mm_srli_epi64(even, 31), _mm_slli_epi64(odd, 1), 0xcc);
    return nnrt__add_s8_divided_sse41(x, divide);
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__add_s8_exact_sse41(const nnrt__binary_s8_args *args, const int8_t *a,
                                                          size_t a_step, const int8_t *b, size_t b_step, int8_t *out,
                                                          size_t n) {
    const int32_t shift = args->output_shift;
    const __m128i sign = _mm_set1_epi32(args->kind == NNRT__BINARY_SUB ? -1 : 1);
    const __m128i multiplier = _mm_set1_epi32(args->output_multiplier);
    const __m128i left = _mm_cvtsi32_si128(shift > 0 ? shift : 0);
    const nnrt__add_s8_divide_sse41 divide = nnrt__add_s8_divide_prepare_sse41(shift > 0 ? 0 : -shift);
    const nnrt__output_s8_sse41 bytes =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    nnrt__add_s8_operand_sse41 in_a, in_b;
    size_t i;
    if (n == 0) return;
    nnrt__add_s8_operand_prepare_sse41(&in_a, args, 0, a[0]);
    nnrt__add_s8_operand_prepare_sse41(&in_b, args, 1, b[0]);
    for (i = 0; i < n; i += 8) {
        __m128i x[2], y[2];
        nnrt__add_s8_input_sse41(a_step != 0 ? nnrt__load_bytes_sse41(a + i, n - i) : in_a.same, &in_a, x);
        nnrt__add_s8_input_sse41(b_step != 0 ? nnrt__load_bytes_sse41(b + i, n - i) : in_b.same, &in_b, y);
        x[0] = _mm_add_epi32(x[0], _mm_sign_epi32(y[0], sign));
        x[1] = _mm_add_epi32(x[1], _mm_sign_epi32(y[1], sign));
        x[0] = nnrt__add_s8_output_sse41(x[0], multiplier, left, &divide);
        x[1] = nnrt__add_s8_output_sse41(x[1], multiplier, left, &divide);
        nnrt__store_bytes_sse41(out + i, nnrt__output_bytes_sse41(x[0], x[1], &bytes), n - i);
    }
}

/* The linear formula of four sums in each half of a vector, by pairs of a and b. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__add_s8_line_sse41(__m128i pairs, __m128i high, __m128i low,
                                                                __m128i added) {
    const __m128i upper = _mm_slli_epi32(_mm_madd_epi16(pairs, high), 8);
    return _mm_add_epi32(upper, _mm_add_epi32(_mm_madd_epi16(pairs, low), added));
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__add_s8_sse41(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                    const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const __m128i lowest = _mm_set1_epi8((int8_t)args->clamp_min), highest = _mm_set1_epi8((int8_t)args->clamp_max);
    nnrt__add_s8_linear l;
    int8_t same[2][8];
    size_t i = 0;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (n >= NNRT__ADD_S8_LONG_WAY && nnrt__add_s8_linear_make(args, &l)) {
        const __m128i upper = _mm_set1_epi32(nnrt__add_s8_linear_high(&l));
        const __m128i lower = _mm_set1_epi32(nnrt__add_s8_linear_low(&l));
        const __m128i added = _mm_set1_epi32(l.added), band = _mm_set1_epi32(l.band);
        const __m128i mask = _mm_set1_epi32((1 << l.shift) - 1);
        const __m128i shift = _mm_cvtsi32_si128(l.shift);
        if (a_step == 0) memset(same[0], *a, 8);
        if (b_step == 0) memset(same[1], *b, 8);
        while (i + 8 <= n) {
            const int8_t *from_a = a_step != 0 ? a + i : same[0], *from_b = b_step != 0 ? b + i : same[1];
            const __m128i x = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)from_a));
            const __m128i y = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)from_b));
            const __m128i low = nnrt__add_s8_line_sse41(_mm_unpacklo_epi16(x, y), upper, lower, added);
            const __m128i high = nnrt__add_s8_line_sse41(_mm_unpackhi_epi16(x, y), upper, lower, added);
            const __m128i nearest = _mm_min_epi32(_mm_and_si128(low, mask), _mm_and_si128(high, mask));
            if (_mm_movemask_epi8(_mm_cmpgt_epi32(band, nearest)) == 0) {
                const __m128i words = _mm_packs_epi32(_mm_sra_epi32(low, shift), _mm_sra_epi32(high, shift));
                const __m128i bytes = _mm_packs_epi16(words, words);
                _mm_storel_epi64((__m128i *)(void *)(out + i), _mm_min_epi8(_mm_max_epi8(bytes, lowest), highest));
                i += 8;
            } else {
                const size_t count = n - i < NNRT__ADD_S8_LONG_WAY ? n - i : NNRT__ADD_S8_LONG_WAY;
                nnrt__add_s8_exact_sse41(args, a + i * a_step, a_step, b + i * b_step, b_step, out + i, count);
                i += count;
            }
        }
    }
    nnrt__add_s8_exact_sse41(args, a + i * a_step, a_step, b + i * b_step, b_step, out + i, n - i);
}

NNRT__FN void nnrt__add_s8_sse41_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_sse41;
    t->add_s8_isa = "sse41";
}

#endif /* NNRT_KERNELS_ADD_S8_SSE41_H */
