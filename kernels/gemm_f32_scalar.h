/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_scalar.h - the meaning of gemm_f32: c = clamp(bias + a * w^T) with packed weights.

   pre    args as internal.h says; every pointer 4-byte aligned; a readable for exactly `piece` floats per piece, c
          writable for exactly n; tiles packed for this slot's nr; k < 2^22.
   post   c[i][j] = clamp(bias[j] + a[i][0] * w[j][0] + a[i][1] * w[j][1] + ...), added here from left to
          right, each step rounded to float. clamp is nnrt__clamp_f32: a NaN becomes clamp_min.
   bound  with S = |bias[j]| + sum |a[i][t] * w[j][t]| < 2^127, every instruction set stays within
              |c[i][j] - exact| <= (k + 1) * 2^-23 * S
          however it orders or fuses the sum. Underflow adds at most (k + 1) * 2^-149, but on ARMv7 NEON
          and Helium, which read a denormal as 0 and give 0 for one, 2^-126 * (2 * k + 2 + sum |a[i][t]| + sum
          |w[j][t]|). */
#ifndef NNRT_KERNELS_GEMM_F32_SCALAR_H
#define NNRT_KERNELS_GEMM_F32_SCALAR_H

#include "internal.h"
#include "packing.h"
#include "fp_contract.h"

NNRT__ASSERT_FN bool nnrt__gemm_f32_is_right(const nnrt__gemm_f32_args *args, const nnrt__packing *packing) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 4), depth = args->pieces * args->piece;
    const size_t w_size = (args->n + packing->nr - 1) / packing->nr * nnrt__packing_tile_size(packing, depth);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1 && args->pieces >= 1 && depth <= NNRT__GEMM_K_MAX);
    NNRT_ASSERT(args->pieces == 1 || packing->pieces);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    NNRT_ASSERT(nnrt__is_aligned(args->c, 4) && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, w_size, args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m * args->pieces, args->piece * 4, 4, args->c, c_size));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* nr = 4: four independent sums keep even a scalar pipeline busy. */
NNRT__FN void nnrt__gemm_f32_scalar(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t step = nnrt__tile_size(4, 1, 0, 4, 64, args->pieces * args->piece) / sizeof(float);
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_4x1));
    (void)scratch;
    for (size_t j = 0; j < args->n; j += 4) {
        const float *tile = (const float *)args->w + j / 4 * step;
        const size_t columns = args->n - j < 4 ? args->n - j : 4;
        for (size_t i = 0; i < args->m; i++) {
            const float *const *a = args->a + i * args->pieces;
            const float *w = tile + 4;
            float *c = args->c + i * args->c_stride + j;
            float sum[4] = {tile[0], tile[1], tile[2], tile[3]};
            for (size_t r = 0; r < args->pieces; r++)
                for (size_t t = 0; t < args->piece; t++, w += 4) {
                    sum[0] += a[r][t] * w[0];
                    sum[1] += a[r][t] * w[1];
                    sum[2] += a[r][t] * w[2];
                    sum[3] += a[r][t] * w[3];
                }
            for (size_t u = 0; u < columns; u++) c[u] = nnrt__clamp_f32(sum[u], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__gemm_f32_scalar_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_scalar, &nnrt__packing_f32_4x1, "scalar"};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_SCALAR_H */
