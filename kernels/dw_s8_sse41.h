/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_sse41.h - dw_s8 for SSE4.1. Contract: dw_s8_scalar.h.

   8 channels a tile, two taps at a time: the bytes of both are interleaved and widened, so that pmaddwd adds the two
   products of a channel into its lane. Two pixels share the widened weights.

   Where 3x3 taps move by one tap from pixel to pixel (stride 1), a column of the input is made ready once for the three
   pixels that see it, as in dw_s8_avx2.h: 8 + 20 vector operations for 72 products instead of 20 + 20.
   Two pixels, 144 products, are 178 instructions (GCC 12), 54 cycles by llvm-mca 14 for haswell. */
#ifndef NNRT_KERNELS_DW_S8_SSE41_H
#define NNRT_KERNELS_DW_S8_SSE41_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_sse41.h"

#define NNRT__DW_S8_SSE41_TILE 8

/* 8 channels: sums of 32 bits, or pairs of 16. */
typedef struct nnrt__dw_s8_sse41_x8 {
    __m128i low, high;
} nnrt__dw_s8_sse41_x8;

/* Two rows of 8 bytes, interleaved and widened. */
NNRT__TARGET_SSE41 NNRT__INLINE nnrt__dw_s8_sse41_x8 nnrt__dw_s8_sse41_pair(__m128i x, __m128i y) {
    const __m128i bytes = _mm_unpacklo_epi8(x, y);
    nnrt__dw_s8_sse41_x8 pair;
    pair.low = _mm_cvtepi8_epi16(bytes);
    pair.high = _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8);
    return pair;
}

/* Weights of tap t and the next, 0 for that past the last. */
NNRT__TARGET_SSE41 NNRT__INLINE nnrt__dw_s8_sse41_x8 nnrt__dw_s8_sse41_weights(const int8_t *w, size_t t,
                                                                               size_t count) {
    return nnrt__dw_s8_sse41_pair(nnrt__load_bytes_sse41(w + t * NNRT__DW_S8_SSE41_TILE, 8),
                                  t + 1 < count ? nnrt__load_bytes_sse41(w + (t + 1) * NNRT__DW_S8_SSE41_TILE, 8)
                                                : _mm_setzero_si128());
}

NNRT__TARGET_SSE41 NNRT__INLINE nnrt__dw_s8_sse41_x8 nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_x8 acc,
                                                                           nnrt__dw_s8_sse41_x8 x,
                                                                           const nnrt__dw_s8_sse41_x8 *w) {
    acc.low = _mm_add_epi32(acc.low, _mm_madd_epi16(x.low, w->low));
    acc.high = _mm_add_epi32(acc.high, _mm_madd_epi16(x.high, w->high));
    return acc;
}

/* Two taps at x and y. */
NNRT__TARGET_SSE41 NNRT__INLINE nnrt__dw_s8_sse41_x8 nnrt__dw_s8_sse41_taps(nnrt__dw_s8_sse41_x8 acc, const int8_t *x,
                                                                            const int8_t *y, size_t channels,
                                                                            const nnrt__dw_s8_sse41_x8 *w) {
    return nnrt__dw_s8_sse41_add(
        acc, nnrt__dw_s8_sse41_pair(nnrt__load_bytes_sse41(x, channels), nnrt__load_bytes_sse41(y, channels)), w);
}

/* A tile of channels: everything that does not change from pixel to pixel. */
typedef struct nnrt__dw_s8_sse41_tile {
    nnrt__dw_s8_sse41_x8 bias;
    const int8_t *w;
    nnrt__finish_x8_sse41 q;
} nnrt__dw_s8_sse41_tile;

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_open(nnrt__dw_s8_sse41_tile *tile, const uint8_t *packed) {
    tile->bias.low = _mm_loadu_si128((const __m128i *)(const void *)packed);
    tile->bias.high = _mm_loadu_si128((const __m128i *)(const void *)(packed + 16));
    tile->w = (const int8_t *)packed + 12 * NNRT__DW_S8_SSE41_TILE;
    nnrt__finish_prepare_sse41(&tile->q, packed + 32, packed + 64);
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_store(int8_t *to, nnrt__dw_s8_sse41_x8 acc, size_t channels,
                                                             const nnrt__dw_s8_sse41_tile *tile) {
    nnrt__store_bytes_sse41(to, nnrt__finish_sse41(acc.low, acc.high, &tile->q), channels);
}

/* ------------------------------------------------------------------------------------------- lists of taps */

/* One tile, all pixels by twos; an odd last one is its own partner. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_list(const nnrt__dw_s8_args *args, size_t first, size_t channels,
                                                            const nnrt__dw_s8_sse41_tile *tile) {
    const size_t count = args->tap_count;
    size_t p, t;
    for (p = 0; p < args->pixels; p += 2) {
        const size_t more = p + 1 < args->pixels ? 1 : 0;
        const int8_t *const *x = args->taps + p * count, *const *y = x + more * count;
        int8_t *to = args->out + p * args->out_stride + first;
        nnrt__dw_s8_sse41_x8 x_acc = tile->bias, y_acc = tile->bias;
        for (t = 0; t < count; t += 2) {
            const nnrt__dw_s8_sse41_x8 w = nnrt__dw_s8_sse41_weights(tile->w, t, count);
            const size_t u = t + 1 < count ? t + 1 : t; /* its weights are 0 then */
            x_acc = nnrt__dw_s8_sse41_taps(x_acc, x[t] + first, x[u] + first, channels, &w);
            y_acc = nnrt__dw_s8_sse41_taps(y_acc, y[t] + first, y[u] + first, channels, &w);
        }
        nnrt__dw_s8_sse41_store(to, x_acc, channels, tile);
        if (more != 0) nnrt__dw_s8_sse41_store(to + args->out_stride, y_acc, channels, tile);
    }
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__dw_s8_sse41(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_SSE41_TILE, 3, 0, 1, 64, args->tap_count);
    const uint8_t *packed = (const uint8_t *)args->w;
    nnrt__dw_s8_sse41_tile tile;
    size_t c;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_8));
    tile.q.out = nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    for (c = 0; c < args->channels; c += NNRT__DW_S8_SSE41_TILE, packed += tile_size) {
        nnrt__dw_s8_sse41_open(&tile, packed);
        if (args->channels - c >= 8) nnrt__dw_s8_sse41_list(args, c, 8, &tile);
        else nnrt__dw_s8_sse41_list(args, c, args->channels - c, &tile);
    }
}

/* ---------------------------------------------------------------------------------------------------- rows */

/* Where the columns of the input are: rows, the last column, and what it gives. */
typedef struct nnrt__dw_s8_sse41_columns {
    const int8_t *r0, *r1, *r2;
    size_t step, channels;
    __m128i before;                /* of row 2 */
    nnrt__dw_s8_sse41_x8 top, low; /* rows 0 and 1 of the column; row 2 of the column before and of this one */
} nnrt__dw_s8_sse41_columns;

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_next(nnrt__dw_s8_sse41_columns *c) {
    const __m128i here = nnrt__load_bytes_sse41(c->r2, c->channels);
    c->top =
        nnrt__dw_s8_sse41_pair(nnrt__load_bytes_sse41(c->r0, c->channels), nnrt__load_bytes_sse41(c->r1, c->channels));
    c->low = nnrt__dw_s8_sse41_pair(c->before, here);
    c->before = here;
    c->r0 += c->step;
    c->r1 += c->step;
    c->r2 += c->step;
}

/* 3x3, the step of taps is that of pixels. x: the sum of the pixel that ends at the next column, y: of that after. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_3x3_shared(const nnrt__dw_rows_s8_args *args, size_t first,
                                                                  size_t channels, const nnrt__dw_s8_sse41_tile *tile) {
    const __m128i zero = _mm_setzero_si128(), w0 = nnrt__load_bytes_sse41(tile->w, 8);
    const __m128i w1 = nnrt__load_bytes_sse41(tile->w + 8, 8), w2 = nnrt__load_bytes_sse41(tile->w + 16, 8);
    const nnrt__dw_s8_sse41_x8 top0 = nnrt__dw_s8_sse41_pair(w0, nnrt__load_bytes_sse41(tile->w + 24, 8));
    const nnrt__dw_s8_sse41_x8 top1 = nnrt__dw_s8_sse41_pair(w1, nnrt__load_bytes_sse41(tile->w + 32, 8));
    const nnrt__dw_s8_sse41_x8 top2 = nnrt__dw_s8_sse41_pair(w2, nnrt__load_bytes_sse41(tile->w + 40, 8));
    const nnrt__dw_s8_sse41_x8 low01 = nnrt__dw_s8_sse41_weights(tile->w, 6, 9);
    const nnrt__dw_s8_sse41_x8 low2 = nnrt__dw_s8_sse41_pair(zero, nnrt__load_bytes_sse41(tile->w + 64, 8));
    const size_t stride = args->out_stride;
    int8_t *to = args->out + first;
    nnrt__dw_s8_sse41_columns c;
    nnrt__dw_s8_sse41_x8 x, y, done, next;
    size_t p;
    c.r0 = args->rows[0] + first;
    c.r1 = args->rows[1] + first;
    c.r2 = args->rows[2] + first;
    c.step = args->pixel_step;
    c.channels = channels;
    c.before = zero;
    nnrt__dw_s8_sse41_next(&c);
    x = nnrt__dw_s8_sse41_add(tile->bias, c.top, &top0);
    nnrt__dw_s8_sse41_next(&c);
    x = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(x, c.top, &top1), c.low, &low01);
    y = nnrt__dw_s8_sse41_add(tile->bias, c.top, &top0);
    for (p = 0; p + 2 <= args->pixels; p += 2, to += 2 * stride) {
        nnrt__dw_s8_sse41_next(&c);
        done = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(x, c.top, &top2), c.low, &low2);
        y = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(y, c.top, &top1), c.low, &low01);
        x = nnrt__dw_s8_sse41_add(tile->bias, c.top, &top0);
        nnrt__dw_s8_sse41_next(&c);
        next = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(y, c.top, &top2), c.low, &low2);
        x = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(x, c.top, &top1), c.low, &low01);
        y = nnrt__dw_s8_sse41_add(tile->bias, c.top, &top0);
        nnrt__dw_s8_sse41_store(to, done, channels, tile);
        nnrt__dw_s8_sse41_store(to + stride, next, channels, tile);
    }
    if (p < args->pixels) {
        nnrt__dw_s8_sse41_next(&c);
        done = nnrt__dw_s8_sse41_add(nnrt__dw_s8_sse41_add(x, c.top, &top2), c.low, &low2);
        nnrt__dw_s8_sse41_store(to, done, channels, tile);
    }
}

/* The sum of one pixel of 3x3, its taps at r0, r1, r2 and after them; w: the pairs of weights. */
NNRT__TARGET_SSE41 NNRT__INLINE nnrt__dw_s8_sse41_x8 nnrt__dw_s8_sse41_9(nnrt__dw_s8_sse41_x8 acc, const int8_t *r0,
                                                                         const int8_t *r1, const int8_t *r2, size_t tap,
                                                                         size_t channels,
                                                                         const nnrt__dw_s8_sse41_x8 w[5]) {
    acc = nnrt__dw_s8_sse41_taps(acc, r0, r0 + tap, channels, &w[0]);
    acc = nnrt__dw_s8_sse41_taps(acc, r0 + 2 * tap, r1, channels, &w[1]);
    acc = nnrt__dw_s8_sse41_taps(acc, r1 + tap, r1 + 2 * tap, channels, &w[2]);
    acc = nnrt__dw_s8_sse41_taps(acc, r2, r2 + tap, channels, &w[3]);
    return nnrt__dw_s8_sse41_taps(acc, r2 + 2 * tap, r2 + 2 * tap, channels, &w[4]);
}

/* 3x3, any steps. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_3x3(const nnrt__dw_rows_s8_args *args, size_t first,
                                                           size_t channels, const nnrt__dw_s8_sse41_tile *tile) {
    const int8_t *r0 = args->rows[0] + first, *r1 = args->rows[1] + first, *r2 = args->rows[2] + first;
    const size_t tap = args->tap_step;
    nnrt__dw_s8_sse41_x8 w[5];
    size_t p;
    w[0] = nnrt__dw_s8_sse41_weights(tile->w, 0, 9);
    w[1] = nnrt__dw_s8_sse41_weights(tile->w, 2, 9);
    w[2] = nnrt__dw_s8_sse41_weights(tile->w, 4, 9);
    w[3] = nnrt__dw_s8_sse41_weights(tile->w, 6, 9);
    w[4] = nnrt__dw_s8_sse41_weights(tile->w, 8, 9);
    for (p = 0; p < args->pixels; p += 2) {
        const size_t more = p + 1 < args->pixels ? 1 : 0, x = p * args->pixel_step, y = (p + more) * args->pixel_step;
        int8_t *to = args->out + p * args->out_stride + first;
        const nnrt__dw_s8_sse41_x8 x_acc = nnrt__dw_s8_sse41_9(tile->bias, r0 + x, r1 + x, r2 + x, tap, channels, w);
        const nnrt__dw_s8_sse41_x8 y_acc = nnrt__dw_s8_sse41_9(tile->bias, r0 + y, r1 + y, r2 + y, tap, channels, w);
        nnrt__dw_s8_sse41_store(to, x_acc, channels, tile);
        if (more != 0) nnrt__dw_s8_sse41_store(to + args->out_stride, y_acc, channels, tile);
    }
}

/* Any kernel: the taps of a row by twos, an odd last one with its own weight and a 0. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__dw_s8_sse41_rows(const nnrt__dw_rows_s8_args *args, size_t first,
                                                            size_t channels, const nnrt__dw_s8_sse41_tile *tile) {
    const size_t width = args->kernel_w, tap = args->tap_step;
    size_t p, i, j;
    for (p = 0; p < args->pixels; p += 2) {
        const size_t more = p + 1 < args->pixels ? 1 : 0;
        const size_t at = p * args->pixel_step + first, other = more * args->pixel_step;
        int8_t *to = args->out + p * args->out_stride + first;
        const int8_t *w = tile->w;
        nnrt__dw_s8_sse41_x8 x_acc = tile->bias, y_acc = tile->bias;
        for (i = 0; i < args->kernel_h; i++, w += width * NNRT__DW_S8_SSE41_TILE) {
            const int8_t *x = args->rows[i] + at, *y = x + other;
            for (j = 0; j < width; j += 2, x += 2 * tap, y += 2 * tap) {
                const nnrt__dw_s8_sse41_x8 weights = nnrt__dw_s8_sse41_weights(w, j, width);
                const size_t next = j + 1 < width ? tap : 0;
                x_acc = nnrt__dw_s8_sse41_taps(x_acc, x, x + next, channels, &weights);
                y_acc = nnrt__dw_s8_sse41_taps(y_acc, y, y + next, channels, &weights);
            }
        }
        nnrt__dw_s8_sse41_store(to, x_acc, channels, tile);
        if (more != 0) nnrt__dw_s8_sse41_store(to + args->out_stride, y_acc, channels, tile);
    }
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__dw_rows_s8_sse41(const nnrt__dw_rows_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_SSE41_TILE, 3, 0, 1, 64, args->kernel_h * args->kernel_w);
    const bool is_3x3 = args->kernel_h == 3 && args->kernel_w == 3;
    const uint8_t *packed = (const uint8_t *)args->w;
    nnrt__dw_s8_sse41_tile tile;
    size_t c;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_8));
    tile.q.out = nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    for (c = 0; c < args->channels; c += NNRT__DW_S8_SSE41_TILE, packed += tile_size) {
        const size_t left = args->channels - c;
        nnrt__dw_s8_sse41_open(&tile, packed);
        if (left < 8) nnrt__dw_s8_sse41_rows(args, c, left, &tile);
        else if (!is_3x3) nnrt__dw_s8_sse41_rows(args, c, 8, &tile);
        else if (args->pixel_step == args->tap_step) nnrt__dw_s8_sse41_3x3_shared(args, c, 8, &tile);
        else nnrt__dw_s8_sse41_3x3(args, c, 8, &tile);
    }
}

NNRT__FN void nnrt__dw_s8_sse41_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_sse41, nnrt__dw_rows_s8_sse41, NULL, &nnrt__packing_dw_s8_8, "sse41"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_SSE41_H */
