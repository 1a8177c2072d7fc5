/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sums_avx2.h - sums_f32 for AVX2: vectors_f32.h. Contract: sums_scalar.h. */
#ifndef NNRT_KERNELS_SUMS_AVX2_H
#define NNRT_KERNELS_SUMS_AVX2_H

#include "unary_f32_avx2.h"

NNRT__FN void nnrt__sums_avx2_install(nnrt__cpu_table *t) {
    t->sums_f32 = nnrt__sums_f32_avx2;
    t->sums_f32_isa = "avx2";
}

#endif /* NNRT_KERNELS_SUMS_AVX2_H */
