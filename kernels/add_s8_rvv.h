/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_rvv.h - add_s8 for RISC-V's vector extension. Contract: add_s8_scalar.h. As many elements at a time as
   sums fit in four registers; the roundings are those of rvv.h. */
#ifndef NNRT_KERNELS_ADD_S8_RVV_H
#define NNRT_KERNELS_ADD_S8_RVV_H

#include "add_s8_scalar.h"
#include "internal.h"
#include "rvv.h"

/* nnrt__add_s8_input of the elements at q, or vl times of the one there. A shift of 0 takes no second rounding. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__add_s8_input_rvv(const nnrt__binary_s8_args *args, uint32_t which,
                                                                const int8_t *q, size_t step, size_t vl) {
    const int32_t shift = args->input_shift[which];
    const vint8m1_t bytes = step != 0 ? __riscv_vle8_v_i8m1(q, vl) : __riscv_vmv_v_x_i8m1(*q, vl);
    const vint16m2_t half = __riscv_vwsub_vx_i16m2(bytes, (int8_t)args->input_zero_point[which], vl);
    vint32m4_t x = __riscv_vsll_vx_i32m4(__riscv_vwcvt_x_x_v_i32m4(half, vl), NNRT__ADD_S8_LEFT_SHIFT, vl);
    x = __riscv_vsmul_vx_i32m4(x, args->input_multiplier[which], __RISCV_VXRM_RNU, vl);
    if (shift == 0) return x;
    x = __riscv_vadd_vx_i32m4_mu(__riscv_vmslt_vx_i32m4_b8(x, 0, vl), x, x, -1, vl);
    return __riscv_vssra_vx_i32m4(x, (size_t)(uint32_t)-shift, __RISCV_VXRM_RNU, vl);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__add_s8_rvv(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const int32_t shift = args->output_shift;
    size_t vl;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (shift >= 0) {
        nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n);
        return;
    }
    for (; n != 0; n -= vl, a += vl * a_step, b += vl * b_step, out += vl) {
        vint32m4_t x, y;
        vl = __riscv_vsetvl_e32m4(n);
        x = nnrt__add_s8_input_rvv(args, 0, a, a_step, vl);
        y = nnrt__add_s8_input_rvv(args, 1, b, b_step, vl);
        x = args->kind == NNRT__BINARY_SUB ? __riscv_vsub_vv_i32m4(x, y, vl) : __riscv_vadd_vv_i32m4(x, y, vl);
        x = __riscv_vsmul_vx_i32m4(x, args->output_multiplier, __RISCV_VXRM_RNU, vl);
        x = __riscv_vadd_vx_i32m4_mu(__riscv_vmslt_vx_i32m4_b8(x, 0, vl), x, x, -1, vl);
        __riscv_vse8_v_i8m1(out,
                            nnrt__rvv_narrow(x, __riscv_vmv_v_x_u16m2((uint16_t)-shift, vl), args->output_zero_point,
                                             args->clamp_min, args->clamp_max, vl),
                            vl);
    }
}

NNRT__FN void nnrt__add_s8_rvv_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_rvv;
    t->add_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_ADD_S8_RVV_H */
