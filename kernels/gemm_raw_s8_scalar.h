/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_scalar.h - the meaning of gemm_raw_s8: gemm_s8 with weights that stay where the model
   has them.

   pre   args as nnrt__gemm_raw_s8_args says; not one byte past the k of a row of a or w may be read.
   post  the same bytes as gemm_s8 (gemm_s8_scalar.h). */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_SCALAR_H
#define NNRT_KERNELS_GEMM_RAW_S8_SCALAR_H

#include "internal.h"

NNRT__FN void nnrt__gemm_raw_s8_scalar(const nnrt__gemm_raw_s8_args *args) {
    size_t row, channel, step;
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
