/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sums_sse41.h - sums_s8 and sums_f32 for SSE4.1. Contract: sums_scalar.h. Eight columns at a time, in the
   sums of an average pool; those of floats are in vectors_f32.h. */
#ifndef NNRT_KERNELS_SUMS_SSE41_H
#define NNRT_KERNELS_SUMS_SSE41_H

#include "pool_s8_sse41.h"
#include "sums_scalar.h"
#include "unary_f32_sse41.h"

NNRT__TARGET_SSE41 NNRT__FN void nnrt__sums_s8_sse41(const int8_t *in, size_t row_stride, size_t rows, size_t n,
                                                     int32_t *sums) {
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
        __m128i low, high;
        if (columns < 8) nnrt__pool_s8_sse41_sum(&args, c, columns, true, &low, &high);
        else nnrt__pool_s8_sse41_sum(&args, c, 8, true, &low, &high);
        _mm_storeu_si128((__m128i *)(void *)some, low);
        _mm_storeu_si128((__m128i *)(void *)(some + 4), high);
        for (i = 0; i < columns; i++) sums[c + i] += some[i];
    }
}

NNRT__FN void nnrt__sums_sse41_install(nnrt__cpu_table *t) {
    t->sums_s8 = nnrt__sums_s8_sse41;
    t->sums_f32 = nnrt__sums_f32_sse41;
    t->sums_s8_isa = t->sums_f32_isa = "sse41";
}

#endif /* NNRT_KERNELS_SUMS_SSE41_H */
