/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s16_scalar.h - the meaning of int16 average and max pooling, one window of all channels.

   pre   in points at the window's first pixel; rows * columns in 1..2^23 pixels inside the image, of `channels`
         elements, rows row_stride elements apart. out does not overlap in. clamp_min <= clamp_max within int16.
   post  average: clamp(round(sum / (rows * columns))), ties away from zero; maximum: clamp(max). |sum| <= 2^38. */
#ifndef NNRT_KERNELS_POOL_S16_SCALAR_H
#define NNRT_KERNELS_POOL_S16_SCALAR_H

#include "internal.h"

typedef struct nnrt__pool_s16_args {
    const int16_t *in;
    size_t row_stride;
    size_t rows, columns, channels;
    int16_t *out;
    int32_t clamp_min, clamp_max;
} nnrt__pool_s16_args;

NNRT__FN void nnrt__pool_s16_scalar(const nnrt__pool_s16_args *args, bool average) {
    const int64_t count = (int64_t)(args->rows * args->columns);
    size_t channel, row, column;
    NNRT_ASSERT(nnrt__pool_window_is_right(args->in, args->row_stride, args->rows, args->columns, args->channels,
                                           args->out, sizeof(int16_t)));
    NNRT_ASSERT(nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    for (channel = 0; channel < args->channels; channel++) {
        int64_t sum = 0;
        int32_t most = -32768;
        for (row = 0; row < args->rows; row++)
            for (column = 0; column < args->columns; column++) {
                const int16_t x = args->in[row * args->row_stride + column * args->channels + channel];
                sum += x;
                most = x > most ? x : most;
            }
        if (average) most = (int32_t)((sum < 0 ? sum - count / 2 : sum + count / 2) / count);
        args->out[channel] = (int16_t)nnrt__clamp_i32(most, args->clamp_min, args->clamp_max);
    }
}

#endif /* NNRT_KERNELS_POOL_S16_SCALAR_H */
