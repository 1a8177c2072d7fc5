/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_f32_neon.h - gemm_raw_f32 for ARMv7 NEON and AArch64. Contract and bound:
   gemm_raw_f32_scalar.h.

   Dot products along k, 2 rows by 4 channels: 6 loads feed 8 multiply-adds. A row or channels past the last
   repeat it; such channels are not stored, such a row writes the same floats again. */
#ifndef NNRT_KERNELS_GEMM_RAW_F32_NEON_H
#define NNRT_KERNELS_GEMM_RAW_F32_NEON_H

#include "internal.h"
#include "f32_neon.h"
#include "gemm_raw_f32_scalar.h"

/* Four sums over lanes, + bias, clamped, to `columns` <= 4 channels at c. */
NNRT__INLINE void nnrt__gemm_raw_f32_neon_finish(const nnrt__gemm_raw_f32_args *args, float *c, float32x4_t bias,
                                                 size_t columns, float32x4_t sums) {
    nnrt__store_f32_neon(
        c, nnrt__clamp_f32_neon(vaddq_f32(sums, bias), vdupq_n_f32(args->clamp_min), vdupq_n_f32(args->clamp_max)),
        columns);
}

NNRT__FN void nnrt__gemm_raw_f32_neon_2x4(const nnrt__gemm_raw_f32_args *args, size_t i, size_t j, float32x4_t bias) {
    const size_t k = args->k, columns = args->n - j < 4 ? args->n - j : 4, r1 = i + 1 < args->m ? 1 : 0;
    const float *a0 = args->a[i], *a1 = args->a[i + r1];
    const float *w0 = args->w + j * args->w_stride, *w1 = columns > 1 ? w0 + args->w_stride : w0,
                *w2 = columns > 2 ? w1 + args->w_stride : w1, *w3 = columns > 3 ? w2 + args->w_stride : w2;
    float *c = args->c + i * args->c_stride + j;
    const float32x4_t zero = vdupq_n_f32(0.0f);
    float32x4_t s00 = zero, s01 = zero, s02 = zero, s03 = zero, s10 = zero, s11 = zero, s12 = zero, s13 = zero;
    size_t t = 0;
    for (; t + 4 <= k; t += 4) {
        const float32x4_t x0 = vld1q_f32(a0 + t), x1 = vld1q_f32(a1 + t);
        float32x4_t y = vld1q_f32(w0 + t);
        s00 = nnrt__fma_f32_neon(s00, x0, y);
        s10 = nnrt__fma_f32_neon(s10, x1, y);
        y = vld1q_f32(w1 + t);
        s01 = nnrt__fma_f32_neon(s01, x0, y);
        s11 = nnrt__fma_f32_neon(s11, x1, y);
        y = vld1q_f32(w2 + t);
        s02 = nnrt__fma_f32_neon(s02, x0, y);
        s12 = nnrt__fma_f32_neon(s12, x1, y);
        y = vld1q_f32(w3 + t);
        s03 = nnrt__fma_f32_neon(s03, x0, y);
        s13 = nnrt__fma_f32_neon(s13, x1, y);
    }
    for (; t < k; t++) { /* lane 0; the others are 0 */
        const float32x4_t x0 = nnrt__load1_f32_neon(a0 + t), x1 = nnrt__load1_f32_neon(a1 + t);
        s00 = nnrt__fma_f32_neon(s00, x0, nnrt__load1_f32_neon(w0 + t));
        s10 = nnrt__fma_f32_neon(s10, x1, nnrt__load1_f32_neon(w0 + t));
        s01 = nnrt__fma_f32_neon(s01, x0, nnrt__load1_f32_neon(w1 + t));
        s11 = nnrt__fma_f32_neon(s11, x1, nnrt__load1_f32_neon(w1 + t));
        s02 = nnrt__fma_f32_neon(s02, x0, nnrt__load1_f32_neon(w2 + t));
        s12 = nnrt__fma_f32_neon(s12, x1, nnrt__load1_f32_neon(w2 + t));
        s03 = nnrt__fma_f32_neon(s03, x0, nnrt__load1_f32_neon(w3 + t));
        s13 = nnrt__fma_f32_neon(s13, x1, nnrt__load1_f32_neon(w3 + t));
    }
    nnrt__gemm_raw_f32_neon_finish(args, c, bias, columns, nnrt__lane_sums_f32_neon(s00, s01, s02, s03));
    nnrt__gemm_raw_f32_neon_finish(args, c + r1 * args->c_stride, bias, columns,
                                   nnrt__lane_sums_f32_neon(s10, s11, s12, s13));
}

/* Channels outside, rows inside: four rows of w stay in the first-level cache while a passes. */
NNRT__FN void nnrt__gemm_raw_f32_neon(const nnrt__gemm_raw_f32_args *args) {
    NNRT_ASSERT(nnrt__gemm_raw_f32_is_right(args));
    for (size_t j = 0; j < args->n; j += 4) {
        float bias[4] = {0, 0, 0, 0};
        for (size_t u = 0; args->bias && u < 4 && j + u < args->n; u++) bias[u] = args->bias[j + u];
        for (size_t i = 0; i < args->m; i += 2) nnrt__gemm_raw_f32_neon_2x4(args, i, j, vld1q_f32(bias));
    }
}

NNRT__FN void nnrt__gemm_raw_f32_neon_install(nnrt__cpu_table *table) {
    table->gemm_raw_f32 = nnrt__gemm_raw_f32_neon;
    table->gemm_raw_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_GEMM_RAW_F32_NEON_H */
