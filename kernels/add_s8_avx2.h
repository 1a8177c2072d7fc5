/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_avx2.h - add_s8 for AVX2. Contract: add_s8_scalar.h. Arithmetic as in add_s8_sse41.h, the formula and
   the long way, sixteen elements at a time: the sums of pretrainedResnet_quant take 10.5 us, the long way alone 30.6.
   Unpacking to 32 bits and packing again both work within halves, so elements 0..3 and 8..11 travel in one vector and
   come back in order. */
#ifndef NNRT_KERNELS_ADD_S8_AVX2_H
#define NNRT_KERNELS_ADD_S8_AVX2_H

#include "add_s8_scalar.h"
#include "add_s8_sse41.h"
#include "internal.h"
#include "requantize_avx2.h"

typedef struct nnrt__add_s8_operand_avx2 {
    __m256i zero_point;        /* 16 bits */
    __m256i high, low;         /* the pairs of factors */
    __m256i half, right, sign; /* of the division */
    __m128i same;              /* sixteen times the first byte */
} nnrt__add_s8_operand_avx2;

NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__add_s8_operand_prepare_avx2(nnrt__add_s8_operand_avx2 *o,
                                                                      const nnrt__binary_s8_args *args, uint32_t which,
                                                                      int8_t first) {
    const int32_t multiplier = args->input_multiplier[which], right = -args->input_shift[which];
    o->zero_point = _mm256_set1_epi16((int16_t)args->input_zero_point[which]);
    o->high = _mm256_set1_epi32(nnrt__add_s8_high_pair(multiplier));
    o->low = _mm256_set1_epi32(nnrt__add_s8_low_pair(multiplier));
    o->half = _mm256_set1_epi32((int32_t)(((uint32_t)1 << right) >> 1));
    o->right = _mm256_set1_epi32(right);
    o->sign = _mm256_set1_epi32(right != 0 ? 31 : 32);
    o->same = _mm_set1_epi8(first);
}

/* nnrt__add_s8_input of eight pairs (d, 64 * d). */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__add_s8_scale_avx2(__m256i pairs, const nnrt__add_s8_operand_avx2 *o) {
    __m256i low = _mm256_add_epi32(_mm256_madd_epi16(pairs, o->low), _mm256_set1_epi32(1 << 10));
    __m256i x = _mm256_add_epi32(_mm256_madd_epi16(pairs, o->high), _mm256_srai_epi32(low, 11));
    x = _mm256_sub_epi32(x, _mm256_srlv_epi32(x, o->sign));
    return _mm256_srav_epi32(_mm256_add_epi32(x, o->half), o->right);
}

/* nnrt__add_s8_input of sixteen bytes. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__add_s8_input_avx2(__m128i bytes, const nnrt__add_s8_operand_avx2 *o,
                                                            __m256i x[2]) {
    __m256i d = _mm256_sub_epi16(_mm256_cvtepi8_epi16(bytes), o->zero_point);
    __m256i d64 = _mm256_slli_epi16(d, 6);
    x[0] = nnrt__add_s8_scale_avx2(_mm256_unpacklo_epi16(d, d64), o);
    x[1] = nnrt__add_s8_scale_avx2(_mm256_unpackhi_epi16(d, d64), o);
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__add_s8_exact_avx2(const nnrt__binary_s8_args *args, const int8_t *a,
                                                        size_t a_step, const int8_t *b, size_t b_step, int8_t *out,
                                                        size_t n) {
    const __m256i sign = _mm256_set1_epi32(args->kind == NNRT__BINARY_SUB ? -1 : 1);
    const __m256i multipliers = _mm256_set1_epi32(args->output_multiplier);
    const __m256i shifts = _mm256_set1_epi32(args->output_shift);
    const __m256i zero_point = _mm256_set1_epi16((int16_t)args->output_zero_point);
    const __m128i lowest = _mm_set1_epi8((int8_t)args->clamp_min);
    const __m128i highest = _mm_set1_epi8((int8_t)args->clamp_max);
    nnrt__requantize_x8_avx2 q;
    nnrt__add_s8_operand_avx2 in_a, in_b;
    size_t i;
    if (n == 0) return;
    nnrt__requantize_prepare_avx2(&q, &multipliers, &shifts);
    nnrt__add_s8_operand_prepare_avx2(&in_a, args, 0, a[0]);
    nnrt__add_s8_operand_prepare_avx2(&in_b, args, 1, b[0]);
    for (i = 0; i < n; i += 16) {
        __m256i x[2], y[2], sums;
        __m128i bytes;
        nnrt__add_s8_input_avx2(a_step != 0 ? nnrt__load_up_to_16_sse41(a + i, n - i) : in_a.same, &in_a, x);
        nnrt__add_s8_input_avx2(b_step != 0 ? nnrt__load_up_to_16_sse41(b + i, n - i) : in_b.same, &in_b, y);
        x[0] = nnrt__requantize_avx2(_mm256_add_epi32(x[0], _mm256_sign_epi32(y[0], sign)), &q);
        x[1] = nnrt__requantize_avx2(_mm256_add_epi32(x[1], _mm256_sign_epi32(y[1], sign)), &q);
        sums = _mm256_adds_epi16(_mm256_packs_epi32(x[0], x[1]), zero_point);
        bytes = _mm_packs_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        bytes = _mm_min_epi8(_mm_max_epi8(bytes, lowest), highest);
        nnrt__store_up_to_16_sse41(out + i, bytes, n - i);
    }
}

/* The linear formula of four sums in each half of a vector, by pairs of a and b. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__add_s8_line_avx2(__m256i pairs, __m256i high, __m256i low, __m256i added) {
    const __m256i upper = _mm256_slli_epi32(_mm256_madd_epi16(pairs, high), 8);
    return _mm256_add_epi32(upper, _mm256_add_epi32(_mm256_madd_epi16(pairs, low), added));
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__add_s8_avx2(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                  const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const __m128i lowest = _mm_set1_epi8((int8_t)args->clamp_min), highest = _mm_set1_epi8((int8_t)args->clamp_max);
    nnrt__add_s8_linear l;
    int8_t same[2][16];
    size_t i = 0;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (n >= NNRT__ADD_S8_LONG_WAY && nnrt__add_s8_linear_make(args, &l)) {
        const __m256i upper = _mm256_set1_epi32(nnrt__add_s8_linear_high(&l));
        const __m256i lower = _mm256_set1_epi32(nnrt__add_s8_linear_low(&l));
        const __m256i added = _mm256_set1_epi32(l.added), band = _mm256_set1_epi32(l.band);
        const __m256i mask = _mm256_set1_epi32((1 << l.shift) - 1);
        const __m128i shift = _mm_cvtsi32_si128(l.shift);
        if (a_step == 0) memset(same[0], *a, 16);
        if (b_step == 0) memset(same[1], *b, 16);
        while (i + 16 <= n) {
            const int8_t *from_a = a_step != 0 ? a + i : same[0], *from_b = b_step != 0 ? b + i : same[1];
            const __m256i x = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from_a));
            const __m256i y = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)from_b));
            const __m256i low = nnrt__add_s8_line_avx2(_mm256_unpacklo_epi16(x, y), upper, lower, added);
            const __m256i high = nnrt__add_s8_line_avx2(_mm256_unpackhi_epi16(x, y), upper, lower, added);
            const __m256i nearest = _mm256_min_epi32(_mm256_and_si256(low, mask), _mm256_and_si256(high, mask));
            if (_mm256_movemask_epi8(_mm256_cmpgt_epi32(band, nearest)) == 0) {
                const __m256i words = _mm256_packs_epi32(_mm256_sra_epi32(low, shift), _mm256_sra_epi32(high, shift));
                const __m128i bytes =
                    _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
                _mm_storeu_si128((__m128i *)(void *)(out + i), _mm_min_epi8(_mm_max_epi8(bytes, lowest), highest));
                i += 16;
            } else {
                const size_t count = n - i < NNRT__ADD_S8_LONG_WAY ? n - i : NNRT__ADD_S8_LONG_WAY;
                nnrt__add_s8_exact_avx2(args, a + i * a_step, a_step, b + i * b_step, b_step, out + i, count);
                i += count;
            }
        }
    }
    nnrt__add_s8_exact_avx2(args, a + i * a_step, a_step, b + i * b_step, b_step, out + i, n - i);
}

NNRT__FN void nnrt__add_s8_avx2_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_avx2;
    t->add_s8_isa = "avx2";
}

#endif /* NNRT_KERNELS_ADD_S8_AVX2_H */
