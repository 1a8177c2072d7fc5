/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sums_neon.h - sums_s8 and sums_f32 for ARMv7 NEON and AArch64. Contract: sums_scalar.h. Eight columns at a
   time, in the sums of an average pool; those of floats are in vectors_f32.h. */
#ifndef NNRT_KERNELS_SUMS_NEON_H
#define NNRT_KERNELS_SUMS_NEON_H

#include "pool_s8_neon.h"
#include "sums_scalar.h"
#include "unary_f32_neon.h"

NNRT__FN void nnrt__sums_s8_neon(const int8_t *in, size_t row_stride, size_t rows, size_t n, int32_t *sums) {
    nnrt__pool_s8_args args;
    int32_t some[8];
    size_t c, i;
    NNRT_ASSERT(nnrt__sums_are_right(in, 1, row_stride, rows, n, sums));
    memset(&args, 0, sizeof args);
    args.in = in;
    args.row_stride = row_stride;
    args.rows = rows;
    args.columns = args.channels = 1;
    for (c = 0; c < n; c += 8) {
        const size_t columns = n - c < 8 ? n - c : 8;
        int32x4_t low, high;
        if (columns < 8) nnrt__pool_s8_neon_sum(&args, c, columns, true, &low, &high);
        else nnrt__pool_s8_neon_sum(&args, c, 8, true, &low, &high);
        vst1q_s32(some, low);
        vst1q_s32(some + 4, high);
        for (i = 0; i < columns; i++) sums[c + i] += some[i];
    }
}

NNRT__FN void nnrt__sums_neon_install(nnrt__cpu_table *t) {
    t->sums_s8 = nnrt__sums_s8_neon;
    t->sums_f32 = nnrt__sums_f32_neon;
    t->sums_s8_isa = t->sums_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_SUMS_NEON_H */
