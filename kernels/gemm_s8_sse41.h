/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_sse41.h - gemm_s8 for SSE4.1. Contract: gemm_s8_scalar.h.

   8 channels a tile, 8 products side by side: a vector of weights is two channels, 8 bytes of A are loaded to both
   halves of a register (movddup), where they lie. pmaddubsw multiplies unsigned by signed bytes: |a| with the weight
   that has taken over the sign of a, which is exact for every a while no weight is -128, and so is the sum of two in
   16 bits: 2 * 128 * 127 < 2^15. Tiles with such a weight (mark) widen both sides to 16 bits instead.
   Weights are the outer loop: a tile stays in the cache, and its constants are made once, while the rows pass.

   Two rows: 8 sums + 2 x (a, |a|) + 2 + ones: 15 of 16 registers, nothing spilled by GCC 12. 128 products take
   34 vector operations: 12 cycles with three vector units, 9 with four. The form before it, pmaddwd after widening in
   scratch, took 22 for 64; measured, its time is 0.65 to 0.84 of that (Xeon with AVX-512, one core, 2026-11-22). */
#ifndef NNRT_KERNELS_GEMM_S8_SSE41_H
#define NNRT_KERNELS_GEMM_S8_SSE41_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_sse41.h"

#define NNRT__GEMM_S8_SSE41_NR 8
#define NNRT__GEMM_S8_SSE41_KR 8
#define NNRT__GEMM_S8_SSE41_HEAD (12 * NNRT__GEMM_S8_SSE41_NR + 16) /* bytes in front of the weights */

/* 8 bytes to both halves. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s8_sse41_spread(const int8_t *a) {
    double bits;
    memcpy(&bits, a, 8);
    return _mm_castpd_si128(_mm_set1_pd(bits));
}

/* acc + 16 products. lowest: a weight may be -128. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_s8_sse41_add(__m128i acc, __m128i a, __m128i size, __m128i w,
                                                                bool lowest) {
    if (lowest) {
        const __m128i a_even = _mm_srai_epi16(_mm_slli_epi16(a, 8), 8), a_odd = _mm_srai_epi16(a, 8);
        const __m128i w_even = _mm_srai_epi16(_mm_slli_epi16(w, 8), 8), w_odd = _mm_srai_epi16(w, 8);
        return _mm_add_epi32(acc, _mm_add_epi32(_mm_madd_epi16(a_even, w_even), _mm_madd_epi16(a_odd, w_odd)));
    }
    return _mm_add_epi32(acc, _mm_madd_epi16(_mm_maddubs_epi16(size, _mm_sign_epi8(w, a)), _mm_set1_epi16(1)));
}

/* `rows` (1 or 2) rows of A against one tile: constant arguments make the instances. once: q has but `out`, and every
   shift of the tile is negative. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_s8_sse41_rows(const nnrt__gemm_s8_args *args, size_t row, int rows,
                                                              const uint8_t *tile, size_t n, bool lowest, bool once,
                                                              const nnrt__finish_x8_sse41 *q) {
    const int8_t *const *a = args->a + row * args->pieces, *const *b = a + (rows - 1) * (ptrdiff_t)args->pieces;
    const int8_t *w = (const int8_t *)tile + NNRT__GEMM_S8_SSE41_HEAD;
    const __m128i bias0 = _mm_loadu_si128((const __m128i *)(const void *)tile);
    const __m128i bias1 = _mm_loadu_si128((const __m128i *)(const void *)(tile + 16));
    int8_t *c = args->c + row * args->c_stride + n;
    __m128i a0 = _mm_setzero_si128(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    size_t r, i;
    for (r = 0; r < args->pieces; r++) {
        const int8_t *x = a[r], *y = b[r];
        for (i = 0; i < args->piece; i += 8, w += 64) {
            const __m128i x8 = nnrt__gemm_s8_sse41_spread(x + i), x_size = _mm_abs_epi8(x8);
            const __m128i w0 = _mm_loadu_si128((const __m128i *)(const void *)w);
            const __m128i w1 = _mm_loadu_si128((const __m128i *)(const void *)(w + 16));
            const __m128i w2 = _mm_loadu_si128((const __m128i *)(const void *)(w + 32));
            const __m128i w3 = _mm_loadu_si128((const __m128i *)(const void *)(w + 48));
            a0 = nnrt__gemm_s8_sse41_add(a0, x8, x_size, w0, lowest);
            a1 = nnrt__gemm_s8_sse41_add(a1, x8, x_size, w1, lowest);
            a2 = nnrt__gemm_s8_sse41_add(a2, x8, x_size, w2, lowest);
            a3 = nnrt__gemm_s8_sse41_add(a3, x8, x_size, w3, lowest);
            if (rows == 2) {
                const __m128i y8 = nnrt__gemm_s8_sse41_spread(y + i), y_size = _mm_abs_epi8(y8);
                b0 = nnrt__gemm_s8_sse41_add(b0, y8, y_size, w0, lowest);
                b1 = nnrt__gemm_s8_sse41_add(b1, y8, y_size, w1, lowest);
                b2 = nnrt__gemm_s8_sse41_add(b2, y8, y_size, w2, lowest);
                b3 = nnrt__gemm_s8_sse41_add(b3, y8, y_size, w3, lowest);
            }
        }
    }
    a0 = _mm_add_epi32(_mm_hadd_epi32(a0, a1), bias0);
    a2 = _mm_add_epi32(_mm_hadd_epi32(a2, a3), bias1);
    if (args->added != NULL) {
        const __m128i added = _mm_set1_epi32(args->added[row]);
        a0 = _mm_add_epi32(a0, added);
        a2 = _mm_add_epi32(a2, added);
    }
    if (once) {
        const __m128i *constants = (const __m128i *)(const void *)tile;
        a0 = nnrt__requantize_right_sse41(a0, _mm_loadu_si128(constants + 2), _mm_loadu_si128(constants + 4));
        a2 = nnrt__requantize_right_sse41(a2, _mm_loadu_si128(constants + 3), _mm_loadu_si128(constants + 5));
        nnrt__store_bytes_sse41(c, nnrt__output_bytes_sse41(a0, a2, &q->out), args->n - n);
        return;
    }
    nnrt__store_bytes_sse41(c, nnrt__finish_sse41(a0, a2, q), args->n - n);
    if (rows == 2) {
        b0 = _mm_add_epi32(_mm_hadd_epi32(b0, b1), bias0);
        b2 = _mm_add_epi32(_mm_hadd_epi32(b2, b3), bias1);
        if (args->added != NULL) {
            const __m128i added = _mm_set1_epi32(args->added[row + 1]);
            b0 = _mm_add_epi32(b0, added);
            b2 = _mm_add_epi32(b2, added);
        }
        nnrt__store_bytes_sse41(c + args->c_stride, nnrt__finish_sse41(b0, b2, q), args->n - n);
    }
}

/* The only row against one tile after another, as long as the shifts of a tile are all negative and it has no weight of
   -128: nothing is made for them beforehand. Returns the channel behind. */
NNRT__TARGET_SSE41 NNRT__INLINE size_t nnrt__gemm_s8_sse41_one(const nnrt__gemm_s8_args *args, size_t tile_size,
                                                               nnrt__finish_x8_sse41 *q) {
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t n;
    for (n = 0; n < args->n; n += NNRT__GEMM_S8_SSE41_NR, tile += tile_size) {
        if (nnrt__kernel_read_i32(tile + 12 * NNRT__GEMM_S8_SSE41_NR) != 0 ||
            nnrt__kernel_read_i32(tile + 12 * NNRT__GEMM_S8_SSE41_NR + 4) != 0)
            break;
        nnrt__gemm_s8_sse41_rows(args, 0, 1, tile, n, false, true, q);
    }
    return n;
}

/* The channels from n on, where a tile begins. q has but `out`. */
NNRT__TARGET_SSE41 NNRT__NOINLINE void nnrt__gemm_s8_sse41_from(const nnrt__gemm_s8_args *args, size_t tile_size,
                                                                size_t n, nnrt__finish_x8_sse41 *q) {
    const uint8_t *tile = (const uint8_t *)args->w + n / NNRT__GEMM_S8_SSE41_NR * tile_size;
    size_t row;
    for (; n < args->n; n += NNRT__GEMM_S8_SSE41_NR, tile += tile_size) {
        const bool lowest = nnrt__kernel_read_i32(tile + 12 * NNRT__GEMM_S8_SSE41_NR) != 0;
        nnrt__finish_prepare_sse41(q, tile + 32, tile + 64);
        row = 0;
        if (!lowest) {
            for (; row + 2 <= args->m; row += 2) nnrt__gemm_s8_sse41_rows(args, row, 2, tile, n, false, false, q);
            if (row < args->m) nnrt__gemm_s8_sse41_rows(args, row++, 1, tile, n, false, false, q);
        }
        for (; row < args->m; row++) nnrt__gemm_s8_sse41_rows(args, row, 1, tile, n, true, false, q);
    }
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__gemm_s8_sse41(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t tile_size = nnrt__tile_size(NNRT__GEMM_S8_SSE41_NR, 3, 1, 1, 64,
                                             nnrt__packed_depth(args->pieces, args->piece, NNRT__GEMM_S8_SSE41_KR));
    nnrt__finish_x8_sse41 q;
    size_t n;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x8, scratch));
    (void)scratch;
    q.out = nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    n = args->m == 1 ? nnrt__gemm_s8_sse41_one(args, tile_size, &q) : 0;
    if (n < args->n) nnrt__gemm_s8_sse41_from(args, tile_size, n, &q);
}

/* psadbw adds 8 bytes, which are made unsigned. */
NNRT__TARGET_SSE41 NNRT__FN void nnrt__row_sums_sse41(const nnrt__row_sums_args *args) {
    const __m128i flip = _mm_set1_epi8(-128), zero = _mm_setzero_si128();
    const uint32_t flipped = 128u * (uint32_t)((args->piece + 15) / 16 * 16 * args->pieces);
    size_t m, r, i;
    NNRT_ASSERT(nnrt__row_sums_is_right(args));
    for (m = 0; m < args->m; m++) {
        const int8_t *const *a = args->a + m * args->pieces;
        __m128i sum = zero;
        for (r = 0; r < args->pieces; r++) {
            for (i = 0; i + 16 <= args->piece; i += 16)
                sum = _mm_add_epi32(
                    sum, _mm_sad_epu8(_mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(a[r] + i)), flip),
                                      zero));
            if (i < args->piece)
                sum = _mm_add_epi32(
                    sum, _mm_sad_epu8(_mm_xor_si128(nnrt__load_up_to_16_sse41(a[r] + i, args->piece - i), flip), zero));
        }
        sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
        nnrt__row_sums_put(args, m, (uint32_t)_mm_cvtsi128_si32(sum) - flipped);
    }
    nnrt__row_sums_end(args);
}

NNRT__FN void nnrt__gemm_s8_sse41_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_sse41, &nnrt__packing_s8_8x8, "sse41"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->row_sums = nnrt__row_sums_sse41;
}

#endif /* NNRT_KERNELS_GEMM_S8_SSE41_H */
