/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/matmul_s16_scalar.h - a product of two int16 matrices, both known only at run time.

   c[i][j] = clamp(requantize(sum over t of a[i][t] * b[j][t]))

   The sum is exact in 64 bits, as that of a convolution with an int64 bias. TensorFlow Lite's BATCH_MATMUL of int16
   gives these numbers.

   pre   as matmul_s8_scalar.h, in int16, whose zero points are 0; k <= NNRT__MATMUL_S16_K_MAX; clamps within int16,
         shift within -31..7. */
#ifndef NNRT_KERNELS_MATMUL_S16_SCALAR_H
#define NNRT_KERNELS_MATMUL_S16_SCALAR_H

#include "s16_scalar.h"

#define NNRT__MATMUL_S16_K_MAX 131071 /* 2^30 * k < 2^47 */

typedef struct nnrt__matmul_s16_args {
    size_t m, n, k;
    const int16_t *a, *b;
    size_t a_stride, b_stride;
    int16_t *c;
    size_t c_stride;
    int32_t multiplier, shift;
    int32_t clamp_min, clamp_max;
} nnrt__matmul_s16_args;

NNRT__ASSERT_FN bool nnrt__matmul_s16_is_right(const nnrt__matmul_s16_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 2);
    NNRT_ASSERT(args->k <= NNRT__MATMUL_S16_K_MAX);
    NNRT_ASSERT(args->m <= 1 || (args->a_stride >= args->k && args->c_stride >= args->n));
    NNRT_ASSERT(args->n <= 1 || args->b_stride >= args->k);
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, 7));
    NNRT_ASSERT(nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__is_aligned(args->a, 2) && nnrt__is_aligned(args->b, 2) && nnrt__is_aligned(args->c, 2));
    NNRT_ASSERT(nnrt__is_apart(args->a, nnrt__rows_size(args->m, args->k, args->a_stride, 2), args->c, c_size));
    NNRT_ASSERT(nnrt__is_apart(args->b, nnrt__rows_size(args->n, args->k, args->b_stride, 2), args->c, c_size));
    return true;
}

NNRT__FN void nnrt__matmul_s16_scalar(const nnrt__matmul_s16_args *args) {
    size_t i, j, t;
    NNRT_ASSERT(nnrt__matmul_s16_is_right(args));
    for (i = 0; i < args->m; i++) {
        const int16_t *a = args->a + i * args->a_stride;
        for (j = 0; j < args->n; j++) {
            const int16_t *b = args->b + j * args->b_stride;
            int64_t sum = 0;
            for (t = 0; t < args->k; t++) sum += (int32_t)a[t] * b[t];
            args->c[i * args->c_stride + j] = nnrt__requantize_wide_s16((uint64_t)sum, args->multiplier, args->shift,
                                                                        args->clamp_min, args->clamp_max);
        }
    }
}

#endif /* NNRT_KERNELS_MATMUL_S16_SCALAR_H */
