/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_rvv.h - add_s8 for RISC-V's vector extension. Contract: add_s8_scalar.h. As many elements at a time as
   sums fit in four registers; the roundings are those of rvv.h. */
#ifndef NNRT_KERNELS_ADD_S8_RVV_H
#define NNRT_KERNELS_ADD_S8_RVV_H

#include "add_s8_scalar.h"
#include "internal.h"
#include "rvv.h"

/* nnrt__add_s8_input of differences. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__add_s8_input_rvv(vint16m2_t x, nnrt__rvv_factor factor, size_t vl) {
    const vint32m4_t wide = __riscv_vwcvt_x_x_v_i32m4(x, vl);
    return nnrt__rvv_rescaled(__riscv_vsll_vx_i32m4(wide, NNRT__ADD_S8_LEFT_SHIFT, vl), factor, vl);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__add_s8_rvv(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const nnrt__rvv_factor first = nnrt__rvv_factor_of(args->input_multiplier[0], args->input_shift[0]);
    const nnrt__rvv_factor second = nnrt__rvv_factor_of(args->input_multiplier[1], args->input_shift[1]);
    const nnrt__rvv_factor output = nnrt__rvv_factor_of(args->output_multiplier, args->output_shift);
    const int32_t zero_point[2] = {args->input_zero_point[0], args->input_zero_point[1]};
    const int32_t output_zero_point = args->output_zero_point, low = args->clamp_min, high = args->clamp_max;
    const bool subtracts = args->kind == NNRT__BINARY_SUB;
    size_t vl;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (; n != 0; n -= vl, a += vl * a_step, b += vl * b_step, out += vl) {
        vint32m4_t x, y;
        vl = __riscv_vsetvl_e32m4(n);
        x = nnrt__add_s8_input_rvv(nnrt__rvv_operand_s8(a, a_step, zero_point[0], vl), first, vl);
        y = nnrt__add_s8_input_rvv(nnrt__rvv_operand_s8(b, b_step, zero_point[1], vl), second, vl);
        x = subtracts ? __riscv_vsub_vv_i32m4(x, y, vl) : __riscv_vadd_vv_i32m4(x, y, vl);
        __riscv_vse8_v_i8m1(
            out, nnrt__rvv_bytes(nnrt__rvv_rescaled_s16(x, output, vl), output_zero_point, low, high, vl), vl);
    }
}

NNRT__FN void nnrt__add_s8_rvv_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_rvv;
    t->add_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_ADD_S8_RVV_H */
