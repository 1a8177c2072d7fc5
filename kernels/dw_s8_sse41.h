/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_sse41.h - dw_s8 for SSE4.1. Contract: dw_s8_scalar.h.

   8 channels a tile, two taps at a time: the bytes of both taps are interleaved and widened, so that pmaddwd
   adds the two products of a channel into its lane. Two pixels share the widened weights. */
#ifndef NNRT_KERNELS_DW_S8_SSE41_H
#define NNRT_KERNELS_DW_S8_SSE41_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_sse41.h"

#define NNRT__DW_S8_SSE41_TILE 8

/* acc[0], acc[1] + the products of two taps of 8 channels. w_low, w_high: their weights, interleaved and
   widened. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_step(__m128i acc[2], __m128i tap0, __m128i tap1, __m128i w_low,
                                                            __m128i w_high) {
    __m128i taps = _mm_unpacklo_epi8(tap0, tap1);
    acc[0] = _mm_add_epi32(acc[0], _mm_madd_epi16(_mm_cvtepi8_epi16(taps), w_low));
    acc[1] = _mm_add_epi32(acc[1], _mm_madd_epi16(_mm_cvtepi8_epi16(_mm_srli_si128(taps, 8)), w_high));
}

/* One tile, `pixels` (1 or 2) pixels: constant arguments make the two instances. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_tile(const nnrt__dw_s8_args *args, const uint8_t *tile,
                                                            size_t pixel, int pixels, size_t first, size_t channels,
                                                            const nnrt__requantize_x4_sse41 q[2],
                                                            const nnrt__output_s8_sse41 *out) {
    const size_t count = args->tap_count;
    const int8_t *const *taps = args->taps + pixel * count;
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__DW_S8_SSE41_TILE;
    const __m128i zero = _mm_setzero_si128();
    int8_t *to = args->out + pixel * args->out_stride + first;
    __m128i acc[2], other[2];
    size_t t;
    acc[0] = other[0] = _mm_loadu_si128((const __m128i *)(const void *)tile);
    acc[1] = other[1] = _mm_loadu_si128((const __m128i *)(const void *)(tile + 16));
    for (t = 0; t < count; t += 2, w += 16) {
        const bool both = t + 1 < count; /* an odd last tap pairs with zeros */
        __m128i weights = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)w),
                                            both ? _mm_loadl_epi64((const __m128i *)(const void *)(w + 8)) : zero);
        __m128i w_low = _mm_cvtepi8_epi16(weights), w_high = _mm_cvtepi8_epi16(_mm_srli_si128(weights, 8));
        nnrt__dw_s8_sse41_step(acc, nnrt__load_bytes_sse41(taps[t] + first, channels),
                               both ? nnrt__load_bytes_sse41(taps[t + 1] + first, channels) : zero, w_low, w_high);
        if (pixels == 2)
            nnrt__dw_s8_sse41_step(other, nnrt__load_bytes_sse41(taps[count + t] + first, channels),
                                   both ? nnrt__load_bytes_sse41(taps[count + t + 1] + first, channels) : zero, w_low,
                                   w_high);
    }
    nnrt__store_bytes_sse41(
        to, nnrt__output_bytes_sse41(nnrt__requantize_sse41(acc[0], &q[0]), nnrt__requantize_sse41(acc[1], &q[1]), out),
        channels);
    if (pixels == 2)
        nnrt__store_bytes_sse41(to + args->out_stride,
                                nnrt__output_bytes_sse41(nnrt__requantize_sse41(other[0], &q[0]),
                                                         nnrt__requantize_sse41(other[1], &q[1]), out),
                                channels);
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__dw_s8_sse41(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_SSE41_TILE, 3, 0, 1, args->tap_count);
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t first, pixel;
    for (first = 0; first < args->channels; first += NNRT__DW_S8_SSE41_TILE, tile += tile_size) {
        const __m128i *words = (const __m128i *)(const void *)tile;
        const size_t channels = args->channels - first;
        nnrt__requantize_x4_sse41 q[2];
        nnrt__requantize_prepare_sse41(&q[0], _mm_loadu_si128(words + 2), _mm_loadu_si128(words + 4));
        nnrt__requantize_prepare_sse41(&q[1], _mm_loadu_si128(words + 3), _mm_loadu_si128(words + 5));
        pixel = 0;
        if (channels >= 8)
            for (; pixel + 2 <= args->pixels; pixel += 2)
                nnrt__dw_s8_sse41_tile(args, tile, pixel, 2, first, 8, q, &out);
        for (; pixel < args->pixels; pixel++) nnrt__dw_s8_sse41_tile(args, tile, pixel, 1, first, channels, q, &out);
    }
}

NNRT__FN void nnrt__dw_s8_sse41_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_sse41, NULL, &nnrt__packing_dw_s8_8, "sse41"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_SSE41_H */
