/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sums_scalar.h - sums_s8 and sums_f32: sums over rows, each column by itself. Means and sums over the axes
   before the last ones are made of them.

   pre   in: rows >= 1 of n >= 1 elements, row_stride >= n elements apart; sums: n numbers that are not in `in`. s8: at
         most 256 rows, and sums of at most 2^31 - 2^15 in size, so that nothing overflows.
   post  sums[c] += in[0][c], then in[1][c] and so on, one after the other: every instruction set has the bytes of a
         sequential loop (ARMv7: without denormals). */
#ifndef NNRT_KERNELS_SUMS_SCALAR_H
#define NNRT_KERNELS_SUMS_SCALAR_H

#include "internal.h"

#define NNRT__SUMS_S8_ROWS 256u /* of -128 are -2^15 */

NNRT__ASSERT_FN bool nnrt__sums_are_right(const void *in, size_t element, size_t row_stride, size_t rows, size_t n,
                                          const void *sums) {
    NNRT_ASSERT(rows >= 1 && n >= 1 && row_stride >= n);
    NNRT_ASSERT(element != 1 || rows <= NNRT__SUMS_S8_ROWS);
    NNRT_ASSERT(nnrt__is_aligned(in, element) && nnrt__is_aligned(sums, 4));
    NNRT_ASSERT(nnrt__is_apart(in, nnrt__rows_size(rows, n, row_stride, element), sums, n * 4));
    return true;
}

NNRT__FN void nnrt__sums_s8_scalar(const int8_t *in, size_t row_stride, size_t rows, size_t n, int32_t *sums) {
    size_t c;
    NNRT_ASSERT(nnrt__sums_are_right(in, 1, row_stride, rows, n, sums));
    for (; rows != 0; rows--, in += row_stride)
        for (c = 0; c < n; c++) sums[c] += in[c];
}

NNRT__FN void nnrt__sums_f32_scalar(const float *in, size_t row_stride, size_t rows, size_t n, float *sums) {
    size_t c;
    NNRT_ASSERT(nnrt__sums_are_right(in, sizeof(float), row_stride, rows, n, sums));
    for (; rows != 0; rows--, in += row_stride)
        for (c = 0; c < n; c++) sums[c] += in[c];
}

NNRT__FN void nnrt__sums_scalar_install(nnrt__cpu_table *t) {
    t->sums_s8 = nnrt__sums_s8_scalar;
    t->sums_f32 = nnrt__sums_f32_scalar;
    t->sums_s8_isa = t->sums_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_SUMS_SCALAR_H */
