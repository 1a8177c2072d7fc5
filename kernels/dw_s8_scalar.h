/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_scalar.h - the meaning of dw_s8, depthwise convolution; the others must match it byte for
   byte.

   pre   args as nnrt__dw_s8_args says; w packed by nnrt__pack with this slot's packing. out overlaps
         nothing.
   post  out[p][c] = clamp(requantize(bias[c] + sum over t of taps[p * tap_count + t][c] * w[t][c]) + zero
         point). The sum is exact modulo 2^32, as in gemm_s8_scalar.h. No tap is read past its `channels`
         elements.
   A plane of 3x3 windows is the same with their taps in the order of rows; a tap outside of the input is `fill`, and
   nothing outside of it is read. */
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
            uint32_t acc = (uint32_t)nnrt__kernel_read_i32(head);
            for (tap = 0; tap < args->tap_count; tap++, w += nr)
                acc += (uint32_t)((taps[tap][channel] + packing->a_offset) * *w);
            args->out[pixel * args->out_stride + channel] =
                nnrt__requantize_s8(acc, nnrt__kernel_read_i32(head + nr * 4), nnrt__kernel_read_i32(head + nr * 8),
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
            uint32_t acc = (uint32_t)nnrt__kernel_read_i32(head);
            for (i = 0; i < args->kernel_h; i++)
                for (j = 0; j < args->kernel_w; j++, w += nr)
                    acc += (uint32_t)((args->rows[i][at + j * args->tap_step + channel] + packing->a_offset) * *w);
            args->out[pixel * args->out_stride + channel] =
                nnrt__requantize_s8(acc, nnrt__kernel_read_i32(head + nr * 4), nnrt__kernel_read_i32(head + nr * 8),
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

NNRT__FN void nnrt__dw_s8_scalar(const nnrt__dw_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_s8_1x1));
    nnrt__dw_s8_any(args, &nnrt__packing_s8_1x1);
}

NNRT__FN void nnrt__dw_rows_s8_scalar(const nnrt__dw_rows_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_s8_1x1));
    nnrt__dw_rows_s8_any(args, &nnrt__packing_s8_1x1);
}

NNRT__FN void nnrt__dw_s8_scalar_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_scalar, NNRT__PORTABLE_DW_ROWS ? nnrt__dw_rows_s8_scalar : NULL, NULL,
                                   &nnrt__packing_s8_1x1, "scalar"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_SCALAR_H */
