/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/sums_rvv.h - sums_s8 and sums_f32 for RISC-V's vector extension. Contract: sums_scalar.h. Bytes are added in
   16 bits, which 256 of them fit in, and these sums once to those of 32. */
#ifndef NNRT_KERNELS_SUMS_RVV_H
#define NNRT_KERNELS_SUMS_RVV_H

#include "internal.h"
#include "sums_scalar.h"

NNRT__TARGET_RVV NNRT__FN void nnrt__sums_s8_rvv(const int8_t *in, size_t row_stride, size_t rows, size_t n,
                                                 int32_t *sums) {
    size_t row, vl;
    NNRT_ASSERT(nnrt__sums_are_right(in, 1, row_stride, rows, n, sums));
    for (; n != 0; n -= vl, in += vl, sums += vl) {
        const int8_t *from = in;
        vint16m4_t some;
        vl = __riscv_vsetvl_e8m2(n);
        some = __riscv_vmv_v_x_i16m4(0, vl);
        for (row = rows; row != 0; row--, from += row_stride)
            some = __riscv_vwadd_wv_i16m4(some, __riscv_vle8_v_i8m2(from, vl), vl);
        __riscv_vse32_v_i32m8(sums, __riscv_vwadd_wv_i32m8(__riscv_vle32_v_i32m8(sums, vl), some, vl), vl);
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__sums_f32_rvv(const float *in, size_t row_stride, size_t rows, size_t n,
                                                  float *sums) {
    size_t row, vl;
    NNRT_ASSERT(nnrt__sums_are_right(in, sizeof(float), row_stride, rows, n, sums));
    for (; n != 0; n -= vl, in += vl, sums += vl) {
        const float *from = in;
        vfloat32m8_t all;
        vl = __riscv_vsetvl_e32m8(n);
        all = __riscv_vle32_v_f32m8(sums, vl);
        for (row = rows; row != 0; row--, from += row_stride)
            all = __riscv_vfadd_vv_f32m8(all, __riscv_vle32_v_f32m8(from, vl), vl);
        __riscv_vse32_v_f32m8(sums, all, vl);
    }
}

NNRT__FN void nnrt__sums_rvv_install(nnrt__cpu_table *t) {
    t->sums_s8 = nnrt__sums_s8_rvv;
    t->sums_f32 = nnrt__sums_f32_rvv;
    t->sums_s8_isa = t->sums_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_SUMS_RVV_H */
