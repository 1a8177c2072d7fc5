/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_f32_scalar.h - the meaning of avg_pool_f32 and max_pool_f32: one window, all channels.

   pre    args as internal.h says; pointers 4-byte aligned; each pixel of the window readable for exactly
          `channels` floats; out writable for exactly `channels` and disjoint from in; 1 <= rows * columns <=
          2^23.
   post   average  out[c] = clamp(sum / count), added in the order of the pixels, rows first.
          maximum  out[c] = clamp(the largest of the window). A NaN counts as -INFINITY, so only NaNs give
                   clamp_min.
   bound  average  |out[c] - exact| <= (count + 1) * 2^-23 * sum |x| / count if sum |x| < 2^127. Underflow
          adds at
                   most 2^-149, but on ARMv7 NEON, which reads a denormal as 0 and gives 0 for one, 2^-124.
          maximum  exact; ARMv7 NEON may take any of several denormals, and a zero for one: within 2^-126. */
#ifndef NNRT_KERNELS_POOL_F32_SCALAR_H
#define NNRT_KERNELS_POOL_F32_SCALAR_H

#include "internal.h"

NNRT__ASSERT_FN bool nnrt__pool_f32_is_right(const nnrt__pool_f32_args *args) {
    NNRT_ASSERT(nnrt__pool_window_is_right(args->in, args->row_stride, args->rows, args->columns, args->channels,
                                           args->out, sizeof(float)));
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    return true;
}

NNRT__FN void nnrt__avg_pool_f32_scalar(const nnrt__pool_f32_args *args) {
    const float count = (float)(args->rows * args->columns);
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (size_t c = 0; c < args->channels; c++) {
        float sum = 0.0f;
        for (size_t y = 0; y < args->rows; y++)
            for (size_t x = 0; x < args->columns; x++) sum += args->in[y * args->row_stride + x * args->channels + c];
        args->out[c] = nnrt__clamp_f32(sum / count, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__max_pool_f32_scalar(const nnrt__pool_f32_args *args) {
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (size_t c = 0; c < args->channels; c++) {
        float most = -INFINITY;
        for (size_t y = 0; y < args->rows; y++)
            for (size_t x = 0; x < args->columns; x++) {
                const float value = args->in[y * args->row_stride + x * args->channels + c];
                most = value > most ? value : most;
            }
        args->out[c] = nnrt__clamp_f32(most, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__pool_f32_scalar_install(nnrt__cpu_table *table) {
    table->avg_pool_f32 = nnrt__avg_pool_f32_scalar;
    table->avg_pool_f32_isa = "scalar";
    table->max_pool_f32 = nnrt__max_pool_f32_scalar;
    table->max_pool_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_POOL_F32_SCALAR_H */
