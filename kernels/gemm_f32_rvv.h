/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_rvv.h - gemm_f32 for RISC-V's vector extension. Contract and bound: gemm_f32_scalar.h.

   As gemm_s8_rvv.h: a vector is channels, of a tile of 32 or 16, and an element of a row is a scalar operand. Six rows
   make 24 registers of sums and 4 of weights; products are fused. */
#ifndef NNRT_KERNELS_GEMM_F32_RVV_H
#define NNRT_KERNELS_GEMM_F32_RVV_H

#include "f32_rvv.h"
#include "gemm_f32_scalar.h"
#include "internal.h"
#include "packing.h"

/* The products of element i of a piece of `most` rows. */
#define NNRT__GEMM_F32_RVV_STEP(i)                           \
    {                                                        \
        const vfloat32m4_t x = __riscv_vle32_v_f32m4(w, vl); \
        w += nr;                                             \
        s0 = __riscv_vfmacc_vf_f32m4(s0, a0[i], x, vl);      \
        if (most > 1) {                                      \
            s1 = __riscv_vfmacc_vf_f32m4(s1, a1[i], x, vl);  \
            s2 = __riscv_vfmacc_vf_f32m4(s2, a2[i], x, vl);  \
        }                                                    \
        if (most > 3) {                                      \
            s3 = __riscv_vfmacc_vf_f32m4(s3, a3[i], x, vl);  \
            s4 = __riscv_vfmacc_vf_f32m4(s4, a4[i], x, vl);  \
            s5 = __riscv_vfmacc_vf_f32m4(s5, a5[i], x, vl);  \
        }                                                    \
    }

/* `most` (1, 3 or 6) rows from `row` on, of which the first channel of c is at `c` and its bias at `w`: constant
   arguments make the instances. Of them `rows` are there, and the others are the last of them again, which is not
   written. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__gemm_f32_rvv_rows(const nnrt__gemm_f32_args *args, const float *w, size_t nr,
                                                           size_t vl, float *c, size_t row, size_t rows, int most) {
    const size_t pieces = args->pieces, last = rows - 1, stride = args->c_stride;
    const float *const *a = args->a + row * pieces;
    const float low = args->clamp_min, high = args->clamp_max;
    vfloat32m4_t s0 = __riscv_vle32_v_f32m4(w, vl), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
    size_t r, i;
    w += nr;
    for (r = 0; r < pieces; r++, a++) {
        const float *a0 = a[0], *a1 = a[(last < 1 ? last : 1) * pieces], *a2 = a[(last < 2 ? last : 2) * pieces];
        const float *a3 = a[(last < 3 ? last : 3) * pieces], *a4 = a[(last < 4 ? last : 4) * pieces];
        const float *a5 = a[last * pieces];
        for (i = args->piece; i >= 4; i -= 4) {
            NNRT__GEMM_F32_RVV_STEP(0)
            NNRT__GEMM_F32_RVV_STEP(1)
            NNRT__GEMM_F32_RVV_STEP(2)
            NNRT__GEMM_F32_RVV_STEP(3)
            a0 += 4, a1 += 4, a2 += 4, a3 += 4, a4 += 4, a5 += 4;
        }
        for (; i != 0; i--) {
            NNRT__GEMM_F32_RVV_STEP(0)
            a0++, a1++, a2++, a3++, a4++, a5++;
        }
    }
    nnrt__store_f32_rvv(c, s0, low, high, vl);
    if (most > 1 && last >= 1) nnrt__store_f32_rvv(c + stride, s1, low, high, vl);
    if (most > 1 && last >= 2) nnrt__store_f32_rvv(c + 2 * stride, s2, low, high, vl);
    if (most > 3 && last >= 3) nnrt__store_f32_rvv(c + 3 * stride, s3, low, high, vl);
    if (most > 3 && last >= 4) nnrt__store_f32_rvv(c + 4 * stride, s4, low, high, vl);
    if (most > 3 && last >= 5) nnrt__store_f32_rvv(c + 5 * stride, s5, low, high, vl);
}

#undef NNRT__GEMM_F32_RVV_STEP

NNRT__TARGET_RVV NNRT__FN void nnrt__gemm_f32_rvv_tiles(const nnrt__gemm_f32_args *args, size_t nr) {
    const size_t step = nr * (1 + args->pieces * args->piece);
    const float *tile = (const float *)args->w;
    size_t n, at, row, rows, vl;
    for (n = 0; n < args->n; n += nr, tile += step) {
        const size_t channels = args->n - n < nr ? args->n - n : nr;
        for (at = 0; at < channels; at += vl) {
            vl = __riscv_vsetvl_e32m4(channels - at);
            for (row = 0; row < args->m; row += rows) {
                float *c = args->c + row * args->c_stride + n + at;
                rows = args->m - row < 6 ? args->m - row : 6;
                if (rows > 3) nnrt__gemm_f32_rvv_rows(args, tile + at, nr, vl, c, row, rows, 6);
                else if (rows > 1) nnrt__gemm_f32_rvv_rows(args, tile + at, nr, vl, c, row, rows, 3);
                else nnrt__gemm_f32_rvv_rows(args, tile + at, nr, vl, c, row, 1, 1);
            }
        }
    }
}

NNRT__FN void nnrt__gemm_f32_rvv(const nnrt__gemm_f32_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_32x1));
    (void)scratch;
    nnrt__gemm_f32_rvv_tiles(args, 32);
}

NNRT__FN void nnrt__gemm_f32_rvv_narrow(const nnrt__gemm_f32_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_16x1));
    (void)scratch;
    nnrt__gemm_f32_rvv_tiles(args, 16);
}

NNRT__FN void nnrt__gemm_f32_rvv_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot wide = {nnrt__gemm_f32_rvv, &nnrt__packing_f32_32x1, nnrt__isa_name_RVV};
    const nnrt__gemm_f32_slot narrow = {nnrt__gemm_f32_rvv_narrow, &nnrt__packing_f32_16x1, nnrt__isa_name_RVV};
    table->gemm_f32[0] = wide;
    table->gemm_f32[1] = narrow;
}

#endif /* NNRT_KERNELS_GEMM_F32_RVV_H */
