/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_scalar.h - the meaning of dw_f32: depthwise convolution over tap pointers.

   pre    args as internal.h says; every pointer 4-byte aligned; each tap readable for exactly `channels`
          floats; out writable for exactly `channels` per pixel and disjoint from all taps; tiles packed for
          this slot's width; tap_count < 2^22.
   post   out[p][c] = clamp(bias[c] + sum over t of tap[p][t][c] * w[t][c]), added here in the order of the
          taps.
   bound  as gemm_f32_scalar.h with k = tap_count. */
#ifndef NNRT_KERNELS_DW_F32_SCALAR_H
#define NNRT_KERNELS_DW_F32_SCALAR_H

#include "internal.h"
#include "packing.h"
#include "fp_contract.h"

NNRT__ASSERT_FN bool nnrt__dw_f32_is_right(const nnrt__dw_f32_args *args, const nnrt__packing *packing) {
    const size_t out_size = nnrt__rows_size(args->pixels, args->channels, args->out_stride, 4);
    const size_t tiles = (args->channels + packing->nr - 1) / packing->nr;
    NNRT_ASSERT(args->pixels >= 1 && args->channels >= 1 && args->tap_count <= NNRT__GEMM_K_MAX);
    NNRT_ASSERT(args->pixels == 1 || args->out_stride >= args->channels);
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    NNRT_ASSERT(nnrt__is_aligned(args->out, 4) && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(
        nnrt__is_apart(args->w, tiles * nnrt__packing_tile_size(packing, args->tap_count), args->out, out_size));
    NNRT_ASSERT(
        nnrt__are_apart(args->taps, args->pixels * args->tap_count, args->channels * 4, 4, args->out, out_size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__dw_rows_f32_is_right(const nnrt__dw_rows_f32_args *args, const nnrt__packing *packing) {
    const size_t out_size = nnrt__rows_size(args->pixels, args->channels, args->out_stride, 4);
    const size_t taps = args->kernel_h * args->kernel_w, tiles = (args->channels + packing->nr - 1) / packing->nr;
    const size_t row = (args->pixels - 1) * args->pixel_step + (args->kernel_w - 1) * args->tap_step + args->channels;
    NNRT_ASSERT(args->pixels >= 1 && args->channels >= 1 && taps >= 1 && taps <= NNRT__GEMM_K_MAX);
    NNRT_ASSERT(args->pixels == 1 || args->out_stride >= args->channels);
    NNRT_ASSERT(args->pixel_step >= args->channels && args->tap_step >= args->channels);
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    NNRT_ASSERT(nnrt__is_aligned(args->out, 4) && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, tiles * nnrt__packing_tile_size(packing, taps), args->out, out_size));
    NNRT_ASSERT(nnrt__are_apart(args->rows, args->kernel_h, row * 4, 4, args->out, out_size));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* Channels first..last-1 of all pixels, out of tiles of the given width: also what the wider sets do with a
   rest. */
NNRT__FN void nnrt__dw_f32_scalar_range(const nnrt__dw_f32_args *args, size_t first, size_t last, uint32_t width) {
    const size_t step = nnrt__tile_size(width, 1, 0, 4, 64, args->tap_count) / sizeof(float);
    for (size_t p = 0; p < args->pixels; p++) {
        const float *const *taps = args->taps + p * args->tap_count;
        float *out = args->out + p * args->out_stride;
        for (size_t c = first; c < last; c++) {
            const float *w = (const float *)args->w + c / width * step + c % width;
            float sum = *w;
            for (size_t t = 0; t < args->tap_count; t++) {
                w += width;
                sum += taps[t][c] * *w;
            }
            out[c] = nnrt__clamp_f32(sum, args->clamp_min, args->clamp_max);
        }
    }
}

/* Narrower tiles than 4 would mostly hold the padding to 64 bytes. */
NNRT__FN void nnrt__dw_f32_scalar(const nnrt__dw_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_f32_4x1));
    nnrt__dw_f32_scalar_range(args, 0, args->channels, 4);
}

/* The interior: the taps one after another, as in the list. Channels and tiles as above. */
NNRT__FN void nnrt__dw_rows_f32_scalar_range(const nnrt__dw_rows_f32_args *args, size_t first, size_t last,
                                             uint32_t width) {
    const size_t step = nnrt__tile_size(width, 1, 0, 4, 64, args->kernel_h * args->kernel_w) / sizeof(float);
    for (size_t p = 0; p < args->pixels; p++) {
        float *out = args->out + p * args->out_stride;
        for (size_t c = first; c < last; c++) {
            const float *w = (const float *)args->w + c / width * step + c % width;
            float sum = *w;
            for (size_t i = 0; i < args->kernel_h; i++)
                for (size_t j = 0; j < args->kernel_w; j++) {
                    w += width;
                    sum += args->rows[i][p * args->pixel_step + j * args->tap_step + c] * *w;
                }
            out[c] = nnrt__clamp_f32(sum, args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__dw_rows_f32_scalar(const nnrt__dw_rows_f32_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_f32_4x1));
    nnrt__dw_rows_f32_scalar_range(args, 0, args->channels, 4);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__dw_f32_scalar_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_scalar, NNRT__PORTABLE_DW_ROWS ? nnrt__dw_rows_f32_scalar : NULL,
                                    &nnrt__packing_f32_4x1, "scalar"};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_SCALAR_H */
