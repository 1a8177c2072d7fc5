/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_scalar.h - the meaning of avg_pool_s8 and max_pool_s8, one window of all channels.

   pre   args as nnrt__pool_s8_args says; rows and columns count only pixels inside the image.
   post  average: clamp(round(sum / (rows * columns))), ties away from zero, or, with offset 128, up; maximum:
         clamp(max). |sum| <= 2^23 * 2^7 = 2^30; with the offset it is at most 2^23 * 255, and half the count more:
         int32 holds it. */
#ifndef NNRT_KERNELS_POOL_S8_SCALAR_H
#define NNRT_KERNELS_POOL_S8_SCALAR_H

#include "internal.h"

NNRT__ASSERT_FN bool nnrt__pool_s8_is_right(const nnrt__pool_s8_args *args) {
    NNRT_ASSERT(nnrt__pool_window_is_right(args->in, args->row_stride, args->rows, args->columns, args->channels,
                                           args->out, sizeof(int8_t)));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->offset == 0 || args->offset == 128);
    return true;
}

NNRT__FN void nnrt__avg_pool_s8_scalar(const nnrt__pool_s8_args *args) {
    int32_t count = (int32_t)(args->rows * args->columns);
    size_t channel, row, column;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel++) {
        int32_t sum = count * args->offset;
        for (row = 0; row < args->rows; row++)
            for (column = 0; column < args->columns; column++)
                sum += args->in[row * args->row_stride + column * args->channels + channel];
        sum = (sum < 0 ? sum - count / 2 : sum + count / 2) / count;
        args->out[channel] = (int8_t)nnrt__clamp_i32(sum - args->offset, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__max_pool_s8_scalar(const nnrt__pool_s8_args *args) {
    size_t channel, row, column;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel++) {
        int32_t most = -128;
        for (row = 0; row < args->rows; row++)
            for (column = 0; column < args->columns; column++) {
                int32_t x = args->in[row * args->row_stride + column * args->channels + channel];
                most = x > most ? x : most;
            }
        args->out[channel] = (int8_t)nnrt__clamp_i32(most, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__avg_pool_s8_scalar_install(nnrt__cpu_table *t) {
    t->avg_pool_s8 = nnrt__avg_pool_s8_scalar;
    t->avg_pool_s8_isa = "scalar";
}

NNRT__FN void nnrt__max_pool_s8_scalar_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_scalar;
    t->max_pool_s8_isa = "scalar";
}

#endif /* NNRT_KERNELS_POOL_S8_SCALAR_H */
