/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_avx512vnni.h - add_s8 for AVX-512 VNNI. Contract: add_s8_scalar.h. The linear formula of
   add_s8_sse41.h, 32 elements at a time: vpdpwssd adds the lower halves of the factors to what was added before. Near a
   tie, for the rest and where there is no such formula, it is add_s8_avx2.h. Unpacking and packing both work within
   quarters, so elements come back in order. */
#ifndef NNRT_KERNELS_ADD_S8_AVX512VNNI_H
#define NNRT_KERNELS_ADD_S8_AVX512VNNI_H

#include "add_s8_avx2.h"
#include "internal.h"

/* 32 bytes as words. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__add_s8_widen_avx512vnni(const int8_t *from) {
    return _mm512_maskz_cvtepi8_epi16(~(__mmask32)0, _mm256_loadu_si256((const __m256i *)(const void *)from));
}

/* The linear formula of 16 pairs of a and b. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__add_s8_line_avx512vnni(__m512i pairs, __m512i high, __m512i low,
                                                                          __m512i added) {
    const __m512i upper =
        _mm512_maskz_slli_epi32((__mmask16)0xffff, _mm512_maskz_madd_epi16((__mmask16)0xffff, pairs, high), 8);
    return _mm512_dpwssd_epi32(_mm512_add_epi32(upper, added), pairs, low);
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__add_s8_avx512vnni(const nnrt__binary_s8_args *args, const int8_t *a,
                                                              size_t a_step, const int8_t *b, size_t b_step,
                                                              int8_t *out, size_t n) {
    const __mmask16 ones = (__mmask16)0xffff;
    nnrt__add_s8_linear l;
    size_t i = 0;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (n >= NNRT__ADD_S8_LONG_WAY && a_step != 0 && b_step != 0 && nnrt__add_s8_linear_make(args, &l)) {
        const __m256i lowest = _mm256_set1_epi8((int8_t)args->clamp_min);
        const __m256i highest = _mm256_set1_epi8((int8_t)args->clamp_max);
        const __m512i upper = _mm512_set1_epi32(nnrt__add_s8_linear_high(&l));
        const __m512i lower = _mm512_set1_epi32(nnrt__add_s8_linear_low(&l));
        const __m512i added = _mm512_set1_epi32(l.added), band = _mm512_set1_epi32(l.band);
        const __m512i mask = _mm512_set1_epi32((1 << l.shift) - 1);
        const __m128i shift = _mm_cvtsi32_si128(l.shift);
        while (i + 32 <= n) {
            const __m512i x = nnrt__add_s8_widen_avx512vnni(a + i), y = nnrt__add_s8_widen_avx512vnni(b + i);
            const __m512i low = nnrt__add_s8_line_avx512vnni(_mm512_unpacklo_epi16(x, y), upper, lower, added);
            const __m512i high = nnrt__add_s8_line_avx512vnni(_mm512_unpackhi_epi16(x, y), upper, lower, added);
            const __m512i nearest =
                _mm512_maskz_min_epi32(ones, _mm512_and_si512(low, mask), _mm512_and_si512(high, mask));
            if (_mm512_cmpgt_epi32_mask(band, nearest) == 0) {
                const __m512i words = _mm512_packs_epi32(_mm512_maskz_sra_epi32(ones, low, shift),
                                                         _mm512_maskz_sra_epi32(ones, high, shift));
                const __m256i bytes = _mm512_maskz_cvtsepi16_epi8(~(__mmask32)0, words);
                _mm256_storeu_si256((__m256i *)(void *)(out + i),
                                    _mm256_min_epi8(_mm256_max_epi8(bytes, lowest), highest));
                i += 32;
            } else {
                const size_t count = n - i < NNRT__ADD_S8_LONG_WAY ? n - i : NNRT__ADD_S8_LONG_WAY;
                nnrt__add_s8_exact_avx2(args, a + i, 1, b + i, 1, out + i, count);
                i += count;
            }
        }
    }
    if (i < n) nnrt__add_s8_avx2(args, a + i * a_step, a_step, b + i * b_step, b_step, out + i, n - i);
}

NNRT__FN void nnrt__add_s8_avx512vnni_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_avx512vnni;
    t->add_s8_isa = "avx512vnni";
}

#endif /* NNRT_KERNELS_ADD_S8_AVX512VNNI_H */
