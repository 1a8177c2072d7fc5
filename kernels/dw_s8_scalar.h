/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_scalar.h - the meaning of dw_s8, depthwise convolution; the others must match it byte for
   byte.

   pre   args as nnrt__dw_s8_args says; w packed by nnrt__pack_dw_s8 with this slot's tile. out overlaps
         nothing.
   post  out[p][c] = clamp(requantize(bias[c] + sum over t of taps[p * tap_count + t][c] * w[t][c]) + zero
         point). The sum is exact modulo 2^32, as in gemm_s8_scalar.h. No tap is read past its `channels`
         elements. */
#ifndef NNRT_KERNELS_DW_S8_SCALAR_H
#define NNRT_KERNELS_DW_S8_SCALAR_H

#include "internal.h"

#define NNRT__DW_S8_SCALAR_TILE 1

/* For any packing: the tests check every slot's layout with it. */
NNRT__INLINE void nnrt__dw_s8_any(const nnrt__dw_s8_args *args, uint32_t tile_channels) {
    size_t tile_size = nnrt__dw_s8_tile_size(args->tap_count, tile_channels);
    size_t pixel, channel, tap;
    for (pixel = 0; pixel < args->pixels; pixel++) {
        const int8_t *const *taps = args->taps + pixel * args->tap_count;
        for (channel = 0; channel < args->channels; channel++) {
            const uint8_t *tile = (const uint8_t *)args->w + channel / tile_channels * tile_size;
            const uint8_t *constants = tile + channel % tile_channels * 4;
            const int8_t *w = (const int8_t *)(tile + tile_channels * 12 + channel % tile_channels);
            uint32_t acc = (uint32_t)nnrt__kernel_read_i32(constants);
            for (tap = 0; tap < args->tap_count; tap++)
                acc += nnrt__product_s8(taps[tap][channel], w[tap * tile_channels]);
            args->out[pixel * args->out_stride + channel] =
                nnrt__requantize_s8(acc, nnrt__kernel_read_i32(constants + tile_channels * 4),
                                    nnrt__kernel_read_i32(constants + tile_channels * 8), args->output_zero_point,
                                    args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__dw_s8_scalar(const nnrt__dw_s8_args *args) { nnrt__dw_s8_any(args, NNRT__DW_S8_SCALAR_TILE); }

NNRT__FN void nnrt__dw_s8_scalar_install(nnrt__cpu_table *t) {
    t->dw_s8.run = nnrt__dw_s8_scalar;
    t->dw_s8.tile = NNRT__DW_S8_SCALAR_TILE;
    t->dw_s8.isa = "scalar";
}

#endif /* NNRT_KERNELS_DW_S8_SCALAR_H */
