/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_scalar.h - the meaning of gemm_s16, int16 activations with int8 weights; every other instruction
   set must match it byte for byte.

   pre   a: m rows of exactly k readable elements, 2-byte aligned. w: n rows of k bytes as the model has them, w_stride
         apart, any alignment. c: m rows of n elements, c_stride elements apart; it overlaps neither a nor w.
         clamp_min <= clamp_max within int16. k <= 2^22.
   post  c[m][n] = nnrt__finish_s16(sum over k of a[m][k] * w[n][k]). |a * w| <= 2^22, so the sum is at most 2^44 and
         exact. Elements of c between n and c_stride are not written.

   Weights stay as they are: rows of 16 and more products need no packing, and a plan fits every instruction set. */
#ifndef NNRT_KERNELS_GEMM_S16_SCALAR_H
#define NNRT_KERNELS_GEMM_S16_SCALAR_H

#include "s16_scalar.h"

typedef struct nnrt__gemm_s16_args {
    size_t m, n, k;
    const int16_t *const *a;
    const int8_t *w;
    size_t w_stride;
    nnrt__channels_s16 channels;
    int16_t *c;
    size_t c_stride;
    int32_t clamp_min, clamp_max;
} nnrt__gemm_s16_args;

#define NNRT__GEMM_S16_K_MAX ((size_t)1 << 22)

NNRT__ASSERT_FN bool nnrt__gemm_s16_is_right(const nnrt__gemm_s16_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 2);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1 && args->k <= NNRT__GEMM_S16_K_MAX);
    NNRT_ASSERT(args->n == 1 || args->w_stride >= args->k);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__channels_s16_are_right(&args->channels));
    NNRT_ASSERT(args->w != NULL && nnrt__is_aligned(args->c, 2));
    NNRT_ASSERT(nnrt__is_apart(args->w, nnrt__rows_size(args->n, args->k, args->w_stride, 1), args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m, args->k * 2, 2, args->c, c_size));
    return true;
}

NNRT__FN void nnrt__gemm_s16_scalar(const nnrt__gemm_s16_args *args) {
    size_t i, j, t;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (i = 0; i < args->m; i++) {
        const int16_t *a = args->a[i];
        for (j = 0; j < args->n; j++) {
            const int8_t *w = args->w + j * args->w_stride;
            int64_t sum = 0;
            for (t = 0; t < args->k; t++) sum += (int32_t)a[t] * w[t];
            args->c[i * args->c_stride + j] =
                nnrt__finish_s16(&args->channels, j, sum, args->clamp_min, args->clamp_max);
        }
    }
}

/* Products of 16 bits with 8 that a lane of 32 bits can take: 511 * 2^22 < 2^31. */
#define NNRT__S16_PRODUCTS_MAX 511u

NNRT__FN void nnrt__gemm_s16_scalar_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_scalar;
    t->gemm_s16_isa = "scalar";
}

#endif /* NNRT_KERNELS_GEMM_S16_SCALAR_H */
