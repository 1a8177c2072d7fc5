/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_sse41.h - avg_pool_s8 and max_pool_s8 for SSE4.1. Contract: pool_s8_scalar.h.

   Average: 8 channels at a time; a window of at most 256 pixels sums in 16 bits (256 * -128 = -2^15 fits), a
   larger one in 32. The division is a float estimate that an integer remainder then corrects, so it is
   exact. */
#ifndef NNRT_KERNELS_POOL_S8_SSE41_H
#define NNRT_KERNELS_POOL_S8_SSE41_H

#include "internal.h"
#include "pool_s8_scalar.h"
#include "requantize_sse41.h"

/* round(sum / count), ties away from zero. The quotient is at most 256, and conversion, 1 / count and product
   are each off by 2^-24 at most, so the estimate differs from the true quotient by less than 1. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__pool_s8_sse41_divide(__m128i sum, __m128i count, __m128 reciprocal) {
    __m128i value = _mm_add_epi32(_mm_abs_epi32(sum), _mm_srli_epi32(count, 1));
    __m128i quotient = _mm_cvttps_epi32(_mm_mul_ps(_mm_cvtepi32_ps(value), reciprocal));
    __m128i remainder = _mm_sub_epi32(value, _mm_mullo_epi32(quotient, count));
    quotient = _mm_add_epi32(quotient, _mm_srai_epi32(remainder, 31)); /* one too many: -1 */
    quotient = _mm_add_epi32(_mm_add_epi32(quotient, _mm_set1_epi32(1)), _mm_cmpgt_epi32(count, remainder));
    return _mm_sign_epi32(quotient, sum); /* a sum of 0 gives 0, and so does its quotient */
}

/* Sums of 8 channels; small: the window has at most 256 pixels. Constant arguments make the instances. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__pool_s8_sse41_sum(const nnrt__pool_s8_args *args, size_t first,
                                                             size_t channels, bool small, __m128i *low, __m128i *high) {
    __m128i narrow = _mm_setzero_si128(), wide_low = narrow, wide_high = narrow;
    size_t row, column;
    for (row = 0; row < args->rows; row++) {
        const int8_t *in = args->in + row * args->row_stride + first;
        for (column = 0; column < args->columns; column++, in += args->channels) {
            __m128i x = _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(in, channels));
            if (small) {
                narrow = _mm_add_epi16(narrow, x);
            } else {
                wide_low = _mm_add_epi32(wide_low, _mm_cvtepi16_epi32(x));
                wide_high = _mm_add_epi32(wide_high, _mm_cvtepi16_epi32(_mm_srli_si128(x, 8)));
            }
        }
    }
    *low = small ? _mm_cvtepi16_epi32(narrow) : wide_low;
    *high = small ? _mm_cvtepi16_epi32(_mm_srli_si128(narrow, 8)) : wide_high;
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__avg_pool_s8_sse41(const nnrt__pool_s8_args *args) {
    const size_t pixels = args->rows * args->columns;
    const nnrt__output_s8_sse41 out = nnrt__output_prepare_sse41(-args->offset, args->clamp_min, args->clamp_max);
    const __m128i count = _mm_set1_epi32((int32_t)pixels);
    const __m128i offset = _mm_set1_epi32((int32_t)pixels * args->offset);
    const __m128 reciprocal = _mm_set1_ps(1.0f / (float)(int32_t)pixels);
    size_t first;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (first = 0; first < args->channels; first += 8) {
        const size_t channels = args->channels - first;
        __m128i low, high;
        if (pixels > 256) nnrt__pool_s8_sse41_sum(args, first, channels, false, &low, &high);
        else if (channels < 8) nnrt__pool_s8_sse41_sum(args, first, channels, true, &low, &high);
        else nnrt__pool_s8_sse41_sum(args, first, 8, true, &low, &high);
        low = nnrt__pool_s8_sse41_divide(_mm_add_epi32(low, offset), count, reciprocal);
        high = nnrt__pool_s8_sse41_divide(_mm_add_epi32(high, offset), count, reciprocal);
        nnrt__store_bytes_sse41(args->out + first, nnrt__output_bytes_sse41(low, high, &out), channels);
    }
}

/* The maximum of up to 16 channels. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__pool_s8_sse41_max(const nnrt__pool_s8_args *args, size_t first,
                                                                size_t channels) {
    __m128i most = _mm_set1_epi8(-128);
    size_t row, column;
    for (row = 0; row < args->rows; row++) {
        const int8_t *in = args->in + row * args->row_stride + first;
        for (column = 0; column < args->columns; column++, in += args->channels)
            most = _mm_max_epi8(most, nnrt__load_up_to_16_sse41(in, channels));
    }
    return most;
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__max_pool_s8_sse41(const nnrt__pool_s8_args *args) {
    const __m128i low = _mm_set1_epi8((int8_t)args->clamp_min), high = _mm_set1_epi8((int8_t)args->clamp_max);
    size_t first;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (first = 0; first < args->channels; first += 16) {
        const size_t channels = args->channels - first;
        __m128i most =
            channels >= 16 ? nnrt__pool_s8_sse41_max(args, first, 16) : nnrt__pool_s8_sse41_max(args, first, channels);
        nnrt__store_up_to_16_sse41(args->out + first, _mm_min_epi8(_mm_max_epi8(most, low), high), channels);
    }
}

NNRT__FN void nnrt__avg_pool_s8_sse41_install(nnrt__cpu_table *t) {
    t->avg_pool_s8 = nnrt__avg_pool_s8_sse41;
    t->avg_pool_s8_isa = "sse41";
}

NNRT__FN void nnrt__max_pool_s8_sse41_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_sse41;
    t->max_pool_s8_isa = "sse41";
}

#endif /* NNRT_KERNELS_POOL_S8_SSE41_H */
