/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_scalar.h - the meaning of gemm_s8; every other instruction set must match it byte for byte.

   pre   args as nnrt__gemm_s8_args says; w packed by nnrt__pack_gemm_s8 with this slot's nr and kr.
   post  c[m][n] = clamp(requantize(bias[n] + sum over k of a[m][k] * w[n][k]) + output_zero_point).
         The sum is exact modulo 2^32; |a * w| <= 2^14, so it is exact as it stands while |bias| + k * 2^14 <
         2^31. Bytes of c between n and c_stride are not written. */
#ifndef NNRT_KERNELS_GEMM_S8_SCALAR_H
#define NNRT_KERNELS_GEMM_S8_SCALAR_H

#include "internal.h"

#define NNRT__GEMM_S8_SCALAR_NR 1
#define NNRT__GEMM_S8_SCALAR_KR 1

/* For any packing: the tests check every slot's layout with it. */
NNRT__INLINE void nnrt__gemm_s8_any(const nnrt__gemm_s8_args *args, uint32_t nr, uint32_t kr) {
    size_t tile_size = nnrt__gemm_s8_tile_size(args->k, nr, kr);
    size_t row, channel, step;
    for (row = 0; row < args->m; row++) {
        const int8_t *a = args->a + row * args->a_stride;
        int8_t *c = args->c + row * args->c_stride;
        for (channel = 0; channel < args->n; channel++) {
            const uint8_t *tile = (const uint8_t *)args->w + channel / nr * tile_size;
            const uint8_t *constants = tile + channel % nr * 4;
            const int8_t *w = (const int8_t *)(tile + nr * 12 + channel % nr * kr);
            uint32_t acc = (uint32_t)nnrt__kernel_read_i32(constants);
            for (step = 0; step < args->k; step++) acc += nnrt__product_s8(a[step], w[step / kr * nr * kr + step % kr]);
            c[channel] = nnrt__requantize_s8(acc, nnrt__kernel_read_i32(constants + nr * 4),
                                             nnrt__kernel_read_i32(constants + nr * 8), args->output_zero_point,
                                             args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__gemm_s8_scalar(const nnrt__gemm_s8_args *args, void *scratch) {
    (void)scratch;
    nnrt__gemm_s8_any(args, NNRT__GEMM_S8_SCALAR_NR, NNRT__GEMM_S8_SCALAR_KR);
}

NNRT__FN void nnrt__gemm_s8_scalar_install(nnrt__cpu_table *t) {
    t->gemm_s8.run = nnrt__gemm_s8_scalar;
    t->gemm_s8.scratch_size = NULL;
    t->gemm_s8.mr = 1;
    t->gemm_s8.nr = NNRT__GEMM_S8_SCALAR_NR;
    t->gemm_s8.kr = NNRT__GEMM_S8_SCALAR_KR;
    t->gemm_s8.isa = "scalar";
}

#endif /* NNRT_KERNELS_GEMM_S8_SCALAR_H */
