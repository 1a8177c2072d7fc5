/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_neon.h - gemm_f32 for ARMv7 NEON and AArch64. Contract and bound: gemm_f32_scalar.h.

   nr = 8: a tile step is two vectors. Four rows make 8 sums + 2 weights + 2 for the four pairs of a = 12 of
   ARMv7's 16 registers, two steps of k per pass: 8 loads feed 16 multiply-adds by lane. One or two rows left
   over are done singly, with four steps of k in flight; three repeat the last row, which writes the same
   floats again. */
#ifndef NNRT_KERNELS_GEMM_F32_NEON_H
#define NNRT_KERNELS_GEMM_F32_NEON_H

#include "internal.h"
#include "packing.h"
#include "f32_neon.h"
#include "gemm_f32_scalar.h"

/* Two sums, clamped, to `columns` <= 8 channels at c. */
NNRT__INLINE void nnrt__gemm_f32_neon_store(const nnrt__gemm_f32_args *args, float *c, size_t columns, float32x4_t sum0,
                                            float32x4_t sum1) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    nnrt__store_f32_neon(c, nnrt__clamp_f32_neon(sum0, low, high), columns < 4 ? columns : 4);
    if (columns > 4) nnrt__store_f32_neon(c + 4, nnrt__clamp_f32_neon(sum1, low, high), columns - 4);
}

/* 1 <= rows <= 4 from row i on; rows past the last are the last one again. */
NNRT__FN void nnrt__gemm_f32_neon_4x8(const nnrt__gemm_f32_args *args, const float *w, size_t i, size_t j, size_t rows,
                                      size_t columns) {
    const size_t r1 = rows > 1 ? 1 : 0, r2 = rows > 2 ? 2 : r1, r3 = rows > 3 ? 3 : r2;
    const size_t k = args->piece, cs = args->c_stride;
    const float *a0 = args->a[i], *a1 = args->a[i + r1], *a2 = args->a[i + r2], *a3 = args->a[i + r3];
    float *c = args->c + i * cs + j;
    float32x4_t s00 = vld1q_f32(w), s01 = vld1q_f32(w + 4);
    float32x4_t s10 = s00, s20 = s00, s30 = s00, s11 = s01, s21 = s01, s31 = s01;
    size_t t = 0;
    w += 8;
    for (; t + 2 <= k; t += 2, w += 16) {
        const float32x2_t x0 = vld1_f32(a0 + t), x1 = vld1_f32(a1 + t), x2 = vld1_f32(a2 + t), x3 = vld1_f32(a3 + t);
        float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
        s00 = nnrt__fma_lane0_f32_neon(s00, w0, x0);
        s10 = nnrt__fma_lane0_f32_neon(s10, w0, x1);
        s20 = nnrt__fma_lane0_f32_neon(s20, w0, x2);
        s30 = nnrt__fma_lane0_f32_neon(s30, w0, x3);
        s01 = nnrt__fma_lane0_f32_neon(s01, w1, x0);
        s11 = nnrt__fma_lane0_f32_neon(s11, w1, x1);
        s21 = nnrt__fma_lane0_f32_neon(s21, w1, x2);
        s31 = nnrt__fma_lane0_f32_neon(s31, w1, x3);
        w0 = vld1q_f32(w + 8);
        w1 = vld1q_f32(w + 12);
        s00 = nnrt__fma_lane1_f32_neon(s00, w0, x0);
        s10 = nnrt__fma_lane1_f32_neon(s10, w0, x1);
        s20 = nnrt__fma_lane1_f32_neon(s20, w0, x2);
        s30 = nnrt__fma_lane1_f32_neon(s30, w0, x3);
        s01 = nnrt__fma_lane1_f32_neon(s01, w1, x0);
        s11 = nnrt__fma_lane1_f32_neon(s11, w1, x1);
        s21 = nnrt__fma_lane1_f32_neon(s21, w1, x2);
        s31 = nnrt__fma_lane1_f32_neon(s31, w1, x3);
    }
    if (t < k) {
        const float32x2_t x0 = vld1_dup_f32(a0 + t), x1 = vld1_dup_f32(a1 + t);
        const float32x2_t x2 = vld1_dup_f32(a2 + t), x3 = vld1_dup_f32(a3 + t);
        const float32x4_t w0 = vld1q_f32(w), w1 = vld1q_f32(w + 4);
        s00 = nnrt__fma_lane0_f32_neon(s00, w0, x0);
        s10 = nnrt__fma_lane0_f32_neon(s10, w0, x1);
        s20 = nnrt__fma_lane0_f32_neon(s20, w0, x2);
        s30 = nnrt__fma_lane0_f32_neon(s30, w0, x3);
        s01 = nnrt__fma_lane0_f32_neon(s01, w1, x0);
        s11 = nnrt__fma_lane0_f32_neon(s11, w1, x1);
        s21 = nnrt__fma_lane0_f32_neon(s21, w1, x2);
        s31 = nnrt__fma_lane0_f32_neon(s31, w1, x3);
    }
    nnrt__gemm_f32_neon_store(args, c, columns, s00, s01);
    nnrt__gemm_f32_neon_store(args, c + r1 * cs, columns, s10, s11);
    nnrt__gemm_f32_neon_store(args, c + r2 * cs, columns, s20, s21);
    nnrt__gemm_f32_neon_store(args, c + r3 * cs, columns, s30, s31);
}

/* One row: a full connection, or a row left over. */
NNRT__FN void nnrt__gemm_f32_neon_1x8(const nnrt__gemm_f32_args *args, const float *w, size_t i, size_t j,
                                      size_t columns) {
    const float *a = args->a[i];
    const size_t k = args->piece;
    const float32x4_t zero = vdupq_n_f32(0.0f);
    float32x4_t s00 = vld1q_f32(w), s10 = zero, s20 = zero, s30 = zero;
    float32x4_t s01 = vld1q_f32(w + 4), s11 = zero, s21 = zero, s31 = zero;
    size_t t = 0;
    w += 8;
    for (; t + 4 <= k; t += 4, w += 32) {
        const float32x4_t x = vld1q_f32(a + t);
        const float32x2_t x01 = vget_low_f32(x), x23 = vget_high_f32(x);
        s00 = nnrt__fma_lane0_f32_neon(s00, vld1q_f32(w), x01);
        s01 = nnrt__fma_lane0_f32_neon(s01, vld1q_f32(w + 4), x01);
        s10 = nnrt__fma_lane1_f32_neon(s10, vld1q_f32(w + 8), x01);
        s11 = nnrt__fma_lane1_f32_neon(s11, vld1q_f32(w + 12), x01);
        s20 = nnrt__fma_lane0_f32_neon(s20, vld1q_f32(w + 16), x23);
        s21 = nnrt__fma_lane0_f32_neon(s21, vld1q_f32(w + 20), x23);
        s30 = nnrt__fma_lane1_f32_neon(s30, vld1q_f32(w + 24), x23);
        s31 = nnrt__fma_lane1_f32_neon(s31, vld1q_f32(w + 28), x23);
    }
    for (; t < k; t++, w += 8) {
        const float32x2_t x = vld1_dup_f32(a + t);
        s00 = nnrt__fma_lane0_f32_neon(s00, vld1q_f32(w), x);
        s01 = nnrt__fma_lane0_f32_neon(s01, vld1q_f32(w + 4), x);
    }
    nnrt__gemm_f32_neon_store(args, args->c + i * args->c_stride + j, columns,
                              vaddq_f32(vaddq_f32(s00, s10), vaddq_f32(s20, s30)),
                              vaddq_f32(vaddq_f32(s01, s11), vaddq_f32(s21, s31)));
}

NNRT__FN void nnrt__gemm_f32_neon(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, args->piece) / sizeof(float);
    const float *tile = (const float *)args->w;
    (void)scratch;
    for (size_t j = 0; j < args->n; j += 8, tile += step) {
        const size_t columns = args->n - j < 8 ? args->n - j : 8;
        size_t i = 0;
        while (i < args->m) {
            const size_t left = args->m - i, rows = left >= 4 ? 4 : left == 3 ? 3 : 1;
            if (rows == 1) nnrt__gemm_f32_neon_1x8(args, tile, i, j, columns);
            else nnrt__gemm_f32_neon_4x8(args, tile, i, j, rows, columns);
            i += rows;
        }
    }
}

NNRT__FN void nnrt__gemm_f32_neon_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_neon, &nnrt__packing_f32_8x1, "neon"};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_NEON_H */
