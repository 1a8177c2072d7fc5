/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/lut_s8_rvv.h - lut_s8 for RISC-V's vector extension. Contract: lut_s8_scalar.h. Bytes are offsets of indexed
   loads: the table need not fit in registers, which it does from 256 bits on, and vrgather of eight registers at once
   takes more of a processor's time than 16 loads from the first cache. */
#ifndef NNRT_KERNELS_LUT_S8_RVV_H
#define NNRT_KERNELS_LUT_S8_RVV_H

#include "internal.h"
#include "lut_s8_scalar.h"

NNRT__TARGET_RVV NNRT__FN void nnrt__lut_s8_rvv(const uint8_t *table, const uint8_t *in, uint8_t *out, size_t n) {
    size_t vl;
    NNRT_ASSERT(nnrt__lut_s8_is_right(table, in, out, n));
    for (; n != 0; n -= vl, in += vl, out += vl) {
        vl = __riscv_vsetvl_e8m8(n);
        __riscv_vse8_v_u8m8(out, __riscv_vluxei8_v_u8m8(table, __riscv_vle8_v_u8m8(in, vl), vl), vl);
    }
}

NNRT__FN void nnrt__lut_s8_rvv_install(nnrt__cpu_table *t) {
    t->lut_s8 = nnrt__lut_s8_rvv;
    t->lut_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_LUT_S8_RVV_H */
