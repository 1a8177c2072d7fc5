/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_avx2.h - dw_s8 for AVX2. Contract: dw_s8_scalar.h.

   As dw_s8_sse41.h with 16 channels a tile and four pixels to the widened weights. */
#ifndef NNRT_KERNELS_DW_S8_AVX2_H
#define NNRT_KERNELS_DW_S8_AVX2_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx2.h"

#define NNRT__DW_S8_AVX2_TILE 16

/* acc[0], acc[1] + the products of two taps of 16 channels. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_s8_avx2_step(__m256i acc[2], __m128i tap0, __m128i tap1, __m256i w_low,
                                                          __m256i w_high) {
    __m256i low = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(tap0, tap1));
    __m256i high = _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(tap0, tap1));
    acc[0] = _mm256_add_epi32(acc[0], _mm256_madd_epi16(low, w_low));
    acc[1] = _mm256_add_epi32(acc[1], _mm256_madd_epi16(high, w_high));
}

/* Two taps of one pixel; the second is absent when `both` is false, and its weights are then zeros. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_s8_avx2_taps(__m256i acc[2], const int8_t *const *taps, bool both,
                                                          size_t first, size_t channels, __m256i w_low,
                                                          __m256i w_high) {
    __m128i tap0 = nnrt__load_up_to_16_sse41(taps[0] + first, channels);
    __m128i tap1 = both ? nnrt__load_up_to_16_sse41(taps[1] + first, channels) : _mm_setzero_si128();
    nnrt__dw_s8_avx2_step(acc, tap0, tap1, w_low, w_high);
}

/* One tile, `pixels` (1 or 4) pixels: constant arguments make the two instances. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_s8_avx2_tile(const nnrt__dw_s8_args *args, const uint8_t *tile,
                                                          size_t pixel, int pixels, size_t first, size_t channels,
                                                          const nnrt__requantize_x8_avx2 q[2],
                                                          const nnrt__output_s8_sse41 *out) {
    const size_t count = args->tap_count, stride = args->out_stride;
    const int8_t *const *taps = args->taps + pixel * count;
    const int8_t *w = (const int8_t *)tile + 12 * NNRT__DW_S8_AVX2_TILE;
    int8_t *to = args->out + pixel * stride + first;
    __m256i acc0[2], acc1[2], acc2[2], acc3[2];
    size_t t;
    acc0[0] = acc1[0] = acc2[0] = acc3[0] = _mm256_loadu_si256((const __m256i *)(const void *)tile);
    acc0[1] = acc1[1] = acc2[1] = acc3[1] = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
    for (t = 0; t < count; t += 2, w += 32) {
        const bool both = t + 1 < count;
        __m128i w0 = _mm_loadu_si128((const __m128i *)(const void *)w);
        __m128i w1 = both ? _mm_loadu_si128((const __m128i *)(const void *)(w + 16)) : _mm_setzero_si128();
        __m256i w_low = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(w0, w1));
        __m256i w_high = _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(w0, w1));
        nnrt__dw_s8_avx2_taps(acc0, taps + t, both, first, channels, w_low, w_high);
        if (pixels == 4) {
            nnrt__dw_s8_avx2_taps(acc1, taps + count + t, both, first, channels, w_low, w_high);
            nnrt__dw_s8_avx2_taps(acc2, taps + 2 * count + t, both, first, channels, w_low, w_high);
            nnrt__dw_s8_avx2_taps(acc3, taps + 3 * count + t, both, first, channels, w_low, w_high);
        }
    }
    nnrt__store_up_to_16_sse41(to, nnrt__output_bytes_avx2(acc0[0], acc0[1], q, out), channels);
    if (pixels == 4) {
        nnrt__store_up_to_16_sse41(to + stride, nnrt__output_bytes_avx2(acc1[0], acc1[1], q, out), channels);
        nnrt__store_up_to_16_sse41(to + 2 * stride, nnrt__output_bytes_avx2(acc2[0], acc2[1], q, out), channels);
        nnrt__store_up_to_16_sse41(to + 3 * stride, nnrt__output_bytes_avx2(acc3[0], acc3[1], q, out), channels);
    }
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__dw_s8_avx2(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_AVX2_TILE, 3, 0, 1, args->tap_count);
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t first, pixel;
    for (first = 0; first < args->channels; first += NNRT__DW_S8_AVX2_TILE, tile += tile_size) {
        const size_t channels = args->channels - first;
        nnrt__requantize_x8_avx2 q[2];
        nnrt__requantize_prepare_avx2(&q[0], tile + 64, tile + 128);
        nnrt__requantize_prepare_avx2(&q[1], tile + 96, tile + 160);
        pixel = 0;
        if (channels >= 16)
            for (; pixel + 4 <= args->pixels; pixel += 4)
                nnrt__dw_s8_avx2_tile(args, tile, pixel, 4, first, 16, q, &out);
        for (; pixel < args->pixels; pixel++) nnrt__dw_s8_avx2_tile(args, tile, pixel, 1, first, channels, q, &out);
    }
}

NNRT__FN void nnrt__dw_s8_avx2_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_avx2, NULL, &nnrt__packing_dw_s8_16, "avx2"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_AVX2_H */
