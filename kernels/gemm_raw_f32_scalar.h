/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_f32_scalar.h - the meaning of gemm_raw_f32: gemm_f32 over the model's own [n][k] weights.

   pre    args as internal.h says; every pointer 4-byte aligned; rows of a and w readable for exactly k
          floats; bias may be NULL, which means 0; c does not overlap a, w or bias; k < 2^22.
   post   c[i][j] = clamp(sum over t of a[i][t] * w[j][t] + bias[j]), added here from left to right with the
          bias last.
   bound  as gemm_f32_scalar.h. */
#ifndef NNRT_KERNELS_GEMM_RAW_F32_SCALAR_H
#define NNRT_KERNELS_GEMM_RAW_F32_SCALAR_H

#include "internal.h"
#include "fp_contract.h"

NNRT__ASSERT_FN bool nnrt__gemm_raw_f32_is_right(const nnrt__gemm_raw_f32_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 4);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1 && args->k <= NNRT__GEMM_K_MAX);
    NNRT_ASSERT(args->n == 1 || args->w_stride >= args->k);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    NNRT_ASSERT(nnrt__is_aligned(args->w, 4) && nnrt__is_aligned(args->c, 4));
    NNRT_ASSERT(args->bias == NULL || nnrt__is_aligned(args->bias, 4));
    NNRT_ASSERT(args->bias == NULL || nnrt__is_apart(args->bias, args->n * 4, args->c, c_size));
    NNRT_ASSERT(nnrt__is_apart(args->w, nnrt__rows_size(args->n, args->k, args->w_stride, 4), args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m, args->k * 4, 4, args->c, c_size));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN void nnrt__gemm_raw_f32_scalar(const nnrt__gemm_raw_f32_args *args) {
    NNRT_ASSERT(nnrt__gemm_raw_f32_is_right(args));
    for (size_t j = 0; j < args->n; j++) {
        const float *w = args->w + j * args->w_stride;
        const float bias = args->bias ? args->bias[j] : 0.0f;
        for (size_t i = 0; i < args->m; i++) {
            const float *a = args->a[i];
            float sum = 0.0f;
            for (size_t t = 0; t < args->k; t++) sum += a[t] * w[t];
            args->c[i * args->c_stride + j] = nnrt__clamp_f32(sum + bias, args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__gemm_raw_f32_scalar_install(nnrt__cpu_table *table) {
    table->gemm_raw_f32 = nnrt__gemm_raw_f32_scalar;
    table->gemm_raw_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_GEMM_RAW_F32_SCALAR_H */
