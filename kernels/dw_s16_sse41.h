/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_sse41.h - dw_s16 for SSE4.1. Contract: dw_s16_scalar.h.

   Eight channels at a time: two taps side by side, of which pmaddwd adds the products into 32 bits, 255 times
   at most. */
#ifndef NNRT_KERNELS_DW_S16_SSE41_H
#define NNRT_KERNELS_DW_S16_SSE41_H

#include "dw_s16_scalar.h"
#include "gemm_s16_sse41.h"

/* The sums of the channels c to c + 7. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s16_sums_sse41(const int16_t *const *taps, const int8_t *w, size_t count,
                                                             size_t channels, size_t c, int32_t *sums) {
    __m128i low = _mm_setzero_si128(), high = low;
    size_t t;
    for (t = 0; t < count; t += 2) {
        const bool two = t + 1 < count;
        const __m128i x0 = nnrt__gemm_s16_load_sse41(taps[t] + c);
        const __m128i x1 = two ? nnrt__gemm_s16_load_sse41(taps[t + 1] + c) : _mm_setzero_si128();
        const __m128i w0 = nnrt__gemm_s16_wide_sse41(w + t * channels + c);
        const __m128i w1 = two ? nnrt__gemm_s16_wide_sse41(w + (t + 1) * channels + c) : _mm_setzero_si128();
        low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(x0, x1), _mm_unpacklo_epi16(w0, w1)));
        high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(x0, x1), _mm_unpackhi_epi16(w0, w1)));
    }
    _mm_storeu_si128((__m128i *)(void *)sums, low);
    _mm_storeu_si128((__m128i *)(void *)(sums + 4), high);
}

/* The last channels that are no eight begin among those before them; fewer than eight are done one by one. */
NNRT__TARGET_SSE41 NNRT__FN void nnrt__dw_s16_sse41(const nnrt__dw_s16_args *args) {
    const size_t channels = args->channels;
    int32_t sums[8];
    size_t pixel, at, c, k;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (pixel = 0; pixel < args->pixels; pixel++) {
        if (channels < 8 || args->tap_count > 510) {
            nnrt__dw_s16_pixel(args, pixel, 0, channels);
            continue;
        }
        for (at = 0; at < channels; at += 8) {
            c = at + 8 <= channels ? at : channels - 8;
            nnrt__dw_s16_sums_sse41(args->taps + pixel * args->tap_count, args->w, args->tap_count, channels, c, sums);
            for (k = 0; k < 8; k++)
                args->out[pixel * channels + c + k] =
                    nnrt__finish_s16(&args->constants, c + k, sums[k], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__dw_s16_sse41_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_sse41;
    t->dw_s16_isa = "sse41";
}

#endif /* NNRT_KERNELS_DW_S16_SSE41_H */
