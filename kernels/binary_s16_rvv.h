/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s16_rvv.h - binary_s16 for RISC-V's vector extension. Contract: binary_s16_scalar.h. ADD, SUB and MUL,
   as many elements at a time as sums fit in four registers, with the roundings of rvv.h; other operators go to the
   portable loop. */
#ifndef NNRT_KERNELS_BINARY_S16_RVV_H
#define NNRT_KERNELS_BINARY_S16_RVV_H

#include "binary_s16_scalar.h"
#include "internal.h"
#include "rvv.h"

/* vl numbers, or with a step of 0 vl times the one there. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__rvv_operand_s16(const int16_t *q, size_t step, size_t vl) {
    return step != 0 ? __riscv_vle16_v_i16m2(q, vl) : __riscv_vmv_v_x_i16m2(*q, vl);
}

/* nnrt__add_s16_input. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__add_s16_input_rvv(vint16m2_t x, nnrt__rvv_factor factor, size_t vl) {
    const vint32m4_t wide = __riscv_vwcvt_x_x_v_i32m4(x, vl);
    return nnrt__rvv_rescaled(__riscv_vsll_vx_i32m4(wide, NNRT__ADD_S16_LEFT_SHIFT, vl), factor, vl);
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__rescaled_s16_rvv(const nnrt__binary_s8_args *args, const int16_t *a,
                                                            size_t a_step, const int16_t *b, size_t b_step,
                                                            int16_t *out, size_t n) {
    const nnrt__rvv_factor first = nnrt__rvv_factor_of(args->input_multiplier[0], args->input_shift[0]);
    const nnrt__rvv_factor second = nnrt__rvv_factor_of(args->input_multiplier[1], args->input_shift[1]);
    const nnrt__rvv_factor output = nnrt__rvv_factor_of(args->output_multiplier, args->output_shift);
    const int16_t low = (int16_t)args->clamp_min, high = (int16_t)args->clamp_max;
    const bool multiplies = args->kind == NNRT__BINARY_MUL, subtracts = args->kind == NNRT__BINARY_SUB;
    size_t vl;
    for (; n != 0; n -= vl, a += vl * a_step, b += vl * b_step, out += vl) {
        vint16m2_t p, q;
        vint32m4_t x;
        vl = __riscv_vsetvl_e32m4(n);
        p = nnrt__rvv_operand_s16(a, a_step, vl);
        q = nnrt__rvv_operand_s16(b, b_step, vl);
        if (multiplies) {
            x = __riscv_vwmul_vv_i32m4(p, q, vl);
        } else {
            const vint32m4_t y = nnrt__add_s16_input_rvv(q, second, vl);
            x = nnrt__add_s16_input_rvv(p, first, vl);
            x = subtracts ? __riscv_vsub_vv_i32m4(x, y, vl) : __riscv_vadd_vv_i32m4(x, y, vl);
        }
        p = nnrt__rvv_rescaled_s16(x, output, vl);
        __riscv_vse16_v_i16m2(out, __riscv_vmin_vx_i16m2(__riscv_vmax_vx_i16m2(p, low, vl), high, vl), vl);
    }
}

NNRT__FN void nnrt__binary_s16_rvv(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step, const int16_t *b,
                                   size_t b_step, int16_t *out, size_t n) {
    NNRT_ASSERT(nnrt__binary_s16_is_right(args, a, a_step, b, b_step, out, n));
    if (nnrt__binary_s16_rescales(args)) nnrt__rescaled_s16_rvv(args, a, a_step, b, b_step, out, n);
    else nnrt__binary_s16_scalar(args, a, a_step, b, b_step, out, n);
}

NNRT__FN void nnrt__binary_s16_rvv_install(nnrt__cpu_table *t) {
    t->binary_s16 = nnrt__binary_s16_rvv;
    t->binary_s16_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_BINARY_S16_RVV_H */
