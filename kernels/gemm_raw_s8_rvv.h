/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_rvv.h - gemm_raw_s8 for RISC-V's vector extension. Contract: gemm_raw_s8_scalar.h. */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_RVV_H
#define NNRT_KERNELS_GEMM_RAW_S8_RVV_H

#include "dots_rvv.h"
#include "gemm_raw_s8_scalar.h"
#include "internal.h"

NNRT__FN int8_t nnrt__gemm_raw_s8_rvv_finish(const nnrt__gemm_raw_s8_args *args, size_t channel, int32_t sum) {
    return nnrt__requantize_s8((uint32_t)args->bias[channel] + (uint32_t)sum, args->multiplier[channel],
                               args->shift[channel], args->output_zero_point, args->clamp_min, args->clamp_max);
}

/* The only row. */
NNRT__FN void nnrt__gemm_raw_s8_rvv_row(const nnrt__gemm_raw_s8_args *args) {
    size_t channel, i;
    for (channel = 0; channel < args->n; channel += 4) {
        const size_t count = args->n - channel < 4 ? args->n - channel : 4;
        int32_t sums[4];
        nnrt__dots_rvv_row(args->a[0], args->w + channel * args->w_stride, args->w_stride, count, args->k, sums);
        for (i = 0; i < count; i++) args->c[channel + i] = nnrt__gemm_raw_s8_rvv_finish(args, channel + i, sums[i]);
    }
}

/* Of an odd last row or channel the sums are made twice, and written twice. */
NNRT__FN void nnrt__gemm_raw_s8_rvv(const nnrt__gemm_raw_s8_args *args) {
    size_t row, channel, i;
    NNRT_ASSERT(nnrt__gemm_raw_s8_is_right(args));
    if (args->m == 1) {
        nnrt__gemm_raw_s8_rvv_row(args);
        return;
    }
    for (channel = 0; channel < args->n; channel += 2) {
        const size_t next = channel + 1 < args->n ? 1 : 0;
        const int8_t *w = args->w + channel * args->w_stride;
        for (row = 0; row < args->m; row += 2) {
            const size_t below = row + 1 < args->m ? 1 : 0;
            int8_t *c = args->c + row * args->c_stride + channel;
            int32_t sums[4];
            nnrt__dots_rvv(args->a[row], args->a[row + below], w, w + next * args->w_stride, args->k, sums);
            for (i = 0; i < 4; i++)
                c[(i / 2 & below) * args->c_stride + (i & next)] =
                    nnrt__gemm_raw_s8_rvv_finish(args, channel + (i & next), sums[i]);
        }
    }
}

NNRT__FN void nnrt__gemm_raw_s8_rvv_install(nnrt__cpu_table *t) {
    t->gemm_raw_s8 = nnrt__gemm_raw_s8_rvv;
    t->gemm_raw_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_GEMM_RAW_S8_RVV_H */
