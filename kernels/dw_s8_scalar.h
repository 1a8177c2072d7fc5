/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_scalar.h - the meaning of dw_s8, depthwise convolution; the others must match it byte for
   byte.

   pre   args as nnrt__dw_s8_args says; w packed by nnrt__pack with this slot's packing. out overlaps
         nothing.
   post  out[p][c] = clamp(requantize(bias[c] + sum over t of taps[p * tap_count + t][c] * w[t][c]) + zero
         point). The sum is exact modulo 2^32, as in gemm_s8_scalar.h. No tap is read past its `channels`
         elements.
   A plane of 3x3 windows is the same with their taps in the order of rows; a tap outside of the input is `fill`, and
   nothing outside of it is read.

   nnrt__dw_s8_any and nnrt__dw_rows_s8_any are these loops; what runs is the same, channel by channel. */
#ifndef NNRT_KERNELS_DW_S8_SCALAR_H
#define NNRT_KERNELS_DW_S8_SCALAR_H

#include "internal.h"
#include "packing.h"

NNRT__ASSERT_FN bool nnrt__dw_s8_is_right(const nnrt__dw_s8_args *args, const nnrt__packing *packing) {
    const size_t out_size = nnrt__rows_size(args->pixels, args->channels, args->out_stride, 1);
    const size_t tiles = (args->channels + packing->nr - 1) / packing->nr;
    NNRT_ASSERT(args->pixels >= 1 && args->channels >= 1);
    NNRT_ASSERT(args->pixels == 1 || args->out_stride >= args->channels);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->out != NULL && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(
        nnrt__is_apart(args->w, tiles * nnrt__packing_tile_size(packing, args->tap_count), args->out, out_size));
    NNRT_ASSERT(nnrt__are_apart(args->taps, args->pixels * args->tap_count, args->channels, 1, args->out, out_size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__dw_rows_s8_is_right(const nnrt__dw_rows_s8_args *args, const nnrt__packing *packing) {
    const size_t out_size = nnrt__rows_size(args->pixels, args->channels, args->out_stride, 1);
    const size_t taps = args->kernel_h * args->kernel_w, tiles = (args->channels + packing->nr - 1) / packing->nr;
    const size_t row = (args->pixels - 1) * args->pixel_step + (args->kernel_w - 1) * args->tap_step + args->channels;
    NNRT_ASSERT(args->pixels >= 1 && args->channels >= 1 && taps >= 1);
    NNRT_ASSERT(args->pixels == 1 || args->out_stride >= args->channels);
    NNRT_ASSERT(args->pixel_step >= args->channels && args->tap_step >= args->channels);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->out != NULL && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, tiles * nnrt__packing_tile_size(packing, taps), args->out, out_size));
    NNRT_ASSERT(nnrt__are_apart(args->rows, args->kernel_h, row, 1, args->out, out_size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__dw_plane_s8_is_right(const nnrt__dw_plane_s8_args *args, const nnrt__packing *packing) {
    const size_t line = args->pixels * args->channels, tiles = (args->channels + packing->nr - 1) / packing->nr;
    const size_t out_size = nnrt__rows_size(args->rows, line, args->out_line, 1);
    NNRT_ASSERT(args->rows >= 1 && args->pixels >= 1 && args->channels >= 1 && args->in_w >= 1);
    NNRT_ASSERT(args->rows == 1 || args->out_line >= line);
    NNRT_ASSERT(args->stride == 1 || args->stride == 2);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point) && nnrt__is_byte_quantity(args->fill));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->in != NULL && args->out != NULL && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, tiles * nnrt__packing_tile_size(packing, 9), args->out, out_size));
    NNRT_ASSERT(nnrt__is_apart(args->in, args->in_h * args->in_w * args->channels, args->out, out_size));
    return true;
}

/* Channel c of a packed block: its tile's head at the channel, and its first weight; the next is nr further. */
NNRT__INLINE const uint8_t *nnrt__dw_s8_channel(const void *w, const nnrt__packing *p, size_t taps, size_t c,
                                                const int8_t **weights) {
    const uint8_t *tile = (const uint8_t *)w + c / p->nr * nnrt__packing_tile_size(p, taps);
    *weights = (const int8_t *)(tile + 12u * p->nr + 16u * p->marks + c % p->nr);
    return tile + c % p->nr * 4;
}

/* The two functions for any packing, from channel `first` on: what other kernels do with a tile that is not whole. */
NNRT__INLINE void nnrt__dw_s8_from(const nnrt__dw_s8_args *args, const nnrt__packing *packing, size_t first) {
    const size_t nr = packing->nr;
    size_t pixel, channel, tap;
    for (pixel = 0; pixel < args->pixels; pixel++) {
        const int8_t *const *taps = args->taps + pixel * args->tap_count;
        for (channel = first; channel < args->channels; channel++) {
            const int8_t *w;
            const uint8_t *head = nnrt__dw_s8_channel(args->w, packing, args->tap_count, channel, &w);
            uint32_t acc = (uint32_t)nnrt__kernel_word(head);
            for (tap = 0; tap < args->tap_count; tap++, w += nr)
                acc += (uint32_t)((taps[tap][channel] + packing->a_offset) * *w);
            args->out[pixel * args->out_stride + channel] =
                nnrt__requantize_s8(acc, nnrt__kernel_word(head + nr * 4), nnrt__kernel_word(head + nr * 8),
                                    args->output_zero_point, args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__INLINE void nnrt__dw_rows_s8_from(const nnrt__dw_rows_s8_args *args, const nnrt__packing *packing, size_t first) {
    const size_t nr = packing->nr;
    size_t pixel, channel, i, j;
    for (pixel = 0; pixel < args->pixels; pixel++) {
        const size_t at = pixel * args->pixel_step;
        for (channel = first; channel < args->channels; channel++) {
            const int8_t *w;
            const uint8_t *head = nnrt__dw_s8_channel(args->w, packing, args->kernel_h * args->kernel_w, channel, &w);
            uint32_t acc = (uint32_t)nnrt__kernel_word(head);
            for (i = 0; i < args->kernel_h; i++)
                for (j = 0; j < args->kernel_w; j++, w += nr)
                    acc += (uint32_t)((args->rows[i][at + j * args->tap_step + channel] + packing->a_offset) * *w);
            args->out[pixel * args->out_stride + channel] =
                nnrt__requantize_s8(acc, nnrt__kernel_word(head + nr * 4), nnrt__kernel_word(head + nr * 8),
                                    args->output_zero_point, args->clamp_min, args->clamp_max);
        }
    }
}

/* All channels: the tests check every slot's layout with them. */
NNRT__INLINE void nnrt__dw_s8_any(const nnrt__dw_s8_args *args, const nnrt__packing *packing) {
    nnrt__dw_s8_from(args, packing, 0);
}

NNRT__INLINE void nnrt__dw_rows_s8_any(const nnrt__dw_rows_s8_args *args, const nnrt__packing *packing) {
    nnrt__dw_rows_s8_from(args, packing, 0);
}

/* What runs computes a channel of all pixels before the next one: its factors, and of 3x3 taps its weights, then stay
   in registers. */
typedef struct nnrt__dw_s8_channel_of {
    const int8_t *w;
    int32_t bias, multiplier, shift;
    int32_t zero_point, low, high;
} nnrt__dw_s8_channel_of;

NNRT__INLINE nnrt__dw_s8_channel_of nnrt__dw_s8_channel_at(const uint8_t *tile, int32_t zero_point, int32_t low,
                                                           int32_t high) {
    nnrt__dw_s8_channel_of of;
    of.w = (const int8_t *)tile + 12;
    of.bias = nnrt__kernel_word(tile);
    of.multiplier = nnrt__kernel_word(tile + 4);
    of.shift = nnrt__kernel_word(tile + 8);
    of.zero_point = zero_point;
    of.low = low;
    of.high = high;
    return of;
}

NNRT__INLINE int8_t nnrt__dw_s8_finish(const nnrt__dw_s8_channel_of *of, uint32_t sum) {
    return nnrt__requantize_s8(sum, of->multiplier, of->shift, of->zero_point, of->low, of->high);
}

/* A column of three taps. */
typedef struct nnrt__dw_s8_column {
    int32_t a, b, c;
} nnrt__dw_s8_column;

/* What is at these three places. */
NNRT__INLINE nnrt__dw_s8_column nnrt__dw_s8_column_at(const int8_t *a, const int8_t *b, const int8_t *c) {
    nnrt__dw_s8_column column;
    column.a = *a;
    column.b = *b;
    column.c = *c;
    return column;
}

NNRT__INLINE uint32_t nnrt__dw_s8_column_sum(uint32_t sum, const nnrt__dw_s8_column *x, const nnrt__dw_s8_column *w) {
    return sum + (uint32_t)(x->a * w->a) + (uint32_t)(x->b * w->b) + (uint32_t)(x->c * w->c);
}

/* A channel of 3x3 taps. Where windows are one column apart, each column of the input is loaded once for all three
   windows that it is in. */
NNRT__INLINE void nnrt__dw_s8_3x3(const nnrt__dw_rows_s8_args *args, const nnrt__dw_s8_channel_of *of, size_t channel) {
    const nnrt__dw_s8_column w0 = nnrt__dw_s8_column_at(of->w, of->w + 3, of->w + 6);
    const nnrt__dw_s8_column w1 = nnrt__dw_s8_column_at(of->w + 1, of->w + 4, of->w + 7);
    const nnrt__dw_s8_column w2 = nnrt__dw_s8_column_at(of->w + 2, of->w + 5, of->w + 8);
    const int8_t *a = args->rows[0] + channel, *b = args->rows[1] + channel, *c = args->rows[2] + channel;
    const size_t tap = args->tap_step, step = args->pixel_step, stride = args->out_stride;
    const uint32_t bias = (uint32_t)of->bias;
    int8_t *out = args->out + channel;
    size_t left = args->pixels;
    nnrt__dw_s8_column x = nnrt__dw_s8_column_at(a, b, c);
    uint32_t sum = nnrt__dw_s8_column_sum(bias, &x, &w0), next;
    if (step != tap) {
        for (;; a += step, b += step, c += step, out += stride) {
            x = nnrt__dw_s8_column_at(a + tap, b + tap, c + tap);
            sum = nnrt__dw_s8_column_sum(sum, &x, &w1);
            x = nnrt__dw_s8_column_at(a + 2 * tap, b + 2 * tap, c + 2 * tap);
            *out = nnrt__dw_s8_finish(of, nnrt__dw_s8_column_sum(sum, &x, &w2));
            if (--left == 0) return;
            x = nnrt__dw_s8_column_at(a + step, b + step, c + step);
            sum = nnrt__dw_s8_column_sum(bias, &x, &w0);
        }
    }
    a += tap, b += tap, c += tap;
    x = nnrt__dw_s8_column_at(a, b, c);
    sum = nnrt__dw_s8_column_sum(sum, &x, &w1);
    next = nnrt__dw_s8_column_sum(bias, &x, &w0);
    for (; left != 0; left--, out += stride) {
        a += tap, b += tap, c += tap;
        x = nnrt__dw_s8_column_at(a, b, c);
        *out = nnrt__dw_s8_finish(of, nnrt__dw_s8_column_sum(sum, &x, &w2));
        sum = nnrt__dw_s8_column_sum(next, &x, &w1);
        next = nnrt__dw_s8_column_sum(bias, &x, &w0);
    }
}

/* A channel of any taps by rows. */
NNRT__INLINE void nnrt__dw_s8_rows(const nnrt__dw_rows_s8_args *args, const nnrt__dw_s8_channel_of *of,
                                   size_t channel) {
    int8_t *out = args->out + channel;
    size_t left, at = channel, i, j;
    for (left = args->pixels; left != 0; left--, at += args->pixel_step, out += args->out_stride) {
        const int8_t *w = of->w;
        uint32_t sum = (uint32_t)of->bias;
        for (i = 0; i < args->kernel_h; i++) {
            const int8_t *tap = args->rows[i] + at;
            for (j = args->kernel_w; j != 0; j--, tap += args->tap_step) sum += nnrt__product_s8(*tap, *w++);
        }
        *out = nnrt__dw_s8_finish(of, sum);
    }
}

/* A channel of `count` taps by lists. */
NNRT__INLINE void nnrt__dw_s8_list(const nnrt__dw_s8_args *args, const nnrt__dw_s8_channel_of *of, size_t channel,
                                   size_t count) {
    const int8_t *const *taps = args->taps;
    int8_t *out = args->out + channel;
    size_t left, t;
    for (left = args->pixels; left != 0; left--, taps += count, out += args->out_stride) {
        uint32_t sum = (uint32_t)of->bias;
        for (t = 0; t < count; t++) sum += nnrt__product_s8(taps[t][channel], of->w[t]);
        *out = nnrt__dw_s8_finish(of, sum);
    }
}

NNRT__FN void nnrt__dw_s8_scalar(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(1, 3, 0, 1, 4, args->tap_count);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t c;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_s8_1x1));
    for (c = 0; c < args->channels; c++, tile += tile_size) {
        const nnrt__dw_s8_channel_of of =
            nnrt__dw_s8_channel_at(tile, args->output_zero_point, args->clamp_min, args->clamp_max);
        if (NNRT__FOR_SPEED && args->tap_count == 9) nnrt__dw_s8_list(args, &of, c, 9);
        else nnrt__dw_s8_list(args, &of, c, args->tap_count);
    }
}

NNRT__FN void nnrt__dw_rows_s8_scalar(const nnrt__dw_rows_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(1, 3, 0, 1, 4, args->kernel_h * args->kernel_w);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t c;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_s8_1x1));
    for (c = 0; c < args->channels; c++, tile += tile_size) {
        const nnrt__dw_s8_channel_of of =
            nnrt__dw_s8_channel_at(tile, args->output_zero_point, args->clamp_min, args->clamp_max);
        if (args->kernel_h == 3 && args->kernel_w == 3) nnrt__dw_s8_3x3(args, &of, c);
        else nnrt__dw_s8_rows(args, &of, c);
    }
}

NNRT__FN void nnrt__dw_s8_scalar_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_scalar, NNRT__PORTABLE_DW_ROWS ? nnrt__dw_rows_s8_scalar : NULL, NULL,
                                   &nnrt__packing_s8_1x1, "scalar"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_SCALAR_H */
