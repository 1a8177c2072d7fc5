/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_scalar.h - the meaning of dw_s16, depthwise convolution of int16 with int8 weights; the others must
   match it byte for byte.

   pre   taps: pixels * tap_count addresses, each of `channels` readable elements, 2-byte aligned; a tap in the padding
         points at zeros. w: [tap_count][channels], any alignment. out: `pixels` rows of `channels` elements, one after
         another; it overlaps nothing. clamp_min <= clamp_max within int16. tap_count <= 2^22.
   post  out[p][c] = nnrt__finish_s16(sum over t of taps[p * tap_count + t][c] * w[t][c]), an exact sum of at most
         2^44. */
#ifndef NNRT_KERNELS_DW_S16_SCALAR_H
#define NNRT_KERNELS_DW_S16_SCALAR_H

#include "gemm_s16_scalar.h"

typedef struct nnrt__dw_s16_args {
    size_t pixels, channels, tap_count;
    const int16_t *const *taps;
    const int8_t *w;
    nnrt__channels_s16 constants;
    int16_t *out;
    int32_t clamp_min, clamp_max;
} nnrt__dw_s16_args;

NNRT__ASSERT_FN bool nnrt__dw_s16_is_right(const nnrt__dw_s16_args *args) {
    const size_t out_size = args->pixels * args->channels * 2;
    NNRT_ASSERT(args->pixels >= 1 && args->channels >= 1 && args->tap_count <= NNRT__GEMM_S16_K_MAX);
    NNRT_ASSERT(nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__channels_s16_are_right(&args->constants));
    NNRT_ASSERT(args->w != NULL && nnrt__is_aligned(args->out, 2));
    NNRT_ASSERT(nnrt__is_apart(args->w, args->tap_count * args->channels, args->out, out_size));
    NNRT_ASSERT(
        nnrt__are_apart(args->taps, args->pixels * args->tap_count, args->channels * 2, 2, args->out, out_size));
    return true;
}

/* Channels [first, last) of one pixel; the vector kernels end with it. */
NNRT__FN void nnrt__dw_s16_pixel(const nnrt__dw_s16_args *args, size_t pixel, size_t first, size_t last) {
    const int16_t *const *taps = args->taps + pixel * args->tap_count;
    size_t c, t;
    for (c = first; c < last; c++) {
        int64_t sum = 0;
        for (t = 0; t < args->tap_count; t++) sum += (int32_t)taps[t][c] * args->w[t * args->channels + c];
        args->out[pixel * args->channels + c] =
            nnrt__finish_s16(&args->constants, c, sum, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__dw_s16_scalar(const nnrt__dw_s16_args *args) {
    size_t pixel;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (pixel = 0; pixel < args->pixels; pixel++) nnrt__dw_s16_pixel(args, pixel, 0, args->channels);
}

NNRT__FN void nnrt__dw_s16_scalar_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_scalar;
    t->dw_s16_isa = "scalar";
}

#endif /* NNRT_KERNELS_DW_S16_SCALAR_H */
