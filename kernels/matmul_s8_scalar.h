/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/matmul_s8_scalar.h - a product of two int8 matrices, both known only at run time.

   c[i][j] = finish(sum over t of (a[i][t] - a_zero) * (b[j][t] - b_zero))

   where gemm_s8 wants a zero point of 0 on one side and prepares its matrix beforehand. TensorFlow Lite's BATCH_MATMUL
   of int8 gives these bytes.

   pre   rows of k bytes, a_stride and b_stride apart, any alignment; c of m rows of n bytes, c_stride apart, which
         overlaps neither; k <= NNRT__MATMUL_K_MAX, so that no sum leaves 32 bits; zero points and clamps within
         -128..127. */
#ifndef NNRT_KERNELS_MATMUL_S8_SCALAR_H
#define NNRT_KERNELS_MATMUL_S8_SCALAR_H

#include "internal.h"

#define NNRT__MATMUL_K_MAX 33025 /* 255 * 255 * 33025 < 2^31 */

typedef struct nnrt__matmul_s8_args {
    size_t m, n, k;
    const int8_t *a, *b;
    size_t a_stride, b_stride;
    int8_t *c;
    size_t c_stride;
    int32_t a_zero, b_zero;
    int32_t multiplier, shift, output_zero_point;
    int32_t clamp_min, clamp_max;
} nnrt__matmul_s8_args;

NNRT__ASSERT_FN bool nnrt__matmul_s8_is_right(const nnrt__matmul_s8_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 1);
    NNRT_ASSERT(args->k <= NNRT__MATMUL_K_MAX);
    NNRT_ASSERT(args->m <= 1 || (args->a_stride >= args->k && args->c_stride >= args->n));
    NNRT_ASSERT(args->n <= 1 || args->b_stride >= args->k);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->a_zero) && nnrt__is_byte_quantity(args->b_zero));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point) && nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, 30));
    NNRT_ASSERT(nnrt__is_apart(args->a, nnrt__rows_size(args->m, args->k, args->a_stride, 1), args->c, c_size));
    NNRT_ASSERT(nnrt__is_apart(args->b, nnrt__rows_size(args->n, args->k, args->b_stride, 1), args->c, c_size));
    return true;
}

NNRT__FN void nnrt__matmul_s8_scalar(const nnrt__matmul_s8_args *args) {
    size_t i, j, t;
    NNRT_ASSERT(nnrt__matmul_s8_is_right(args));
    for (i = 0; i < args->m; i++) {
        const int8_t *a = args->a + i * args->a_stride;
        for (j = 0; j < args->n; j++) {
            const int8_t *b = args->b + j * args->b_stride;
            int32_t sum = 0;
            for (t = 0; t < args->k; t++) sum += (a[t] - args->a_zero) * (b[t] - args->b_zero);
            args->c[i * args->c_stride + j] =
                nnrt__requantize_s8((uint32_t)sum, args->multiplier, args->shift, args->output_zero_point,
                                    args->clamp_min, args->clamp_max);
        }
    }
}

#endif /* NNRT_KERNELS_MATMUL_S8_SCALAR_H */
