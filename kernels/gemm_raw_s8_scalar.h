/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_scalar.h - the meaning of gemm_raw_s8: gemm_s8 with weights that stay where the model
   has them.

   pre   args as nnrt__gemm_raw_s8_args says; not one byte past the k of a row of a or w may be read.
   post  the same bytes as gemm_s8 (gemm_s8_scalar.h). */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_SCALAR_H
#define NNRT_KERNELS_GEMM_RAW_S8_SCALAR_H

#include "internal.h"

NNRT__ASSERT_FN bool nnrt__gemm_raw_s8_is_right(const nnrt__gemm_raw_s8_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 1);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1);
    NNRT_ASSERT(args->n == 1 || args->w_stride >= args->k);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->w != NULL && args->c != NULL);
    NNRT_ASSERT(nnrt__is_aligned(args->bias, 4));
    NNRT_ASSERT(nnrt__is_aligned(args->multiplier, 4) && nnrt__is_aligned(args->shift, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, nnrt__rows_size(args->n, args->k, args->w_stride, 1), args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m, args->k, 1, args->c, c_size));
    return true;
}

NNRT__FN void nnrt__gemm_raw_s8_scalar(const nnrt__gemm_raw_s8_args *args) {
    size_t row, channel, step;
    NNRT_ASSERT(nnrt__gemm_raw_s8_is_right(args));
    for (row = 0; row < args->m; row++) {
        const int8_t *a = args->a[row];
        int8_t *c = args->c + row * args->c_stride;
        for (channel = 0; channel < args->n; channel++) {
            const int8_t *w = args->w + channel * args->w_stride;
            uint32_t acc = (uint32_t)args->bias[channel];
            for (step = 0; step < args->k; step++) acc += nnrt__product_s8(a[step], w[step]);
            c[channel] = nnrt__requantize_s8(acc, args->multiplier[channel], args->shift[channel],
                                             args->output_zero_point, args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__gemm_raw_s8_scalar_install(nnrt__cpu_table *t) {
    t->gemm_raw_s8 = nnrt__gemm_raw_s8_scalar;
    t->gemm_raw_s8_isa = "scalar";
}

#endif /* NNRT_KERNELS_GEMM_RAW_S8_SCALAR_H */
