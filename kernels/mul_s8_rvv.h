/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/mul_s8_rvv.h - mul_s8 for RISC-V's vector extension. Contract: mul_s8_scalar.h. As many elements at a time as
   products fit in four registers; the roundings are those of rvv.h. PRELU rescales both what is kept and the product,
   and picks by the sign. */
#ifndef NNRT_KERNELS_MUL_S8_RVV_H
#define NNRT_KERNELS_MUL_S8_RVV_H

#include "internal.h"
#include "mul_s8_scalar.h"
#include "rvv.h"

NNRT__TARGET_RVV NNRT__FN void nnrt__mul_s8_rvv(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                                const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const nnrt__rvv_factor kept = nnrt__rvv_factor_of(args->input_multiplier[0], args->input_shift[0]);
    const nnrt__rvv_factor product = nnrt__rvv_factor_of(args->output_multiplier, args->output_shift);
    const int32_t zero_point[2] = {args->input_zero_point[0], args->input_zero_point[1]};
    const int32_t output_zero_point = args->output_zero_point, low = args->clamp_min, high = args->clamp_max;
    const bool keeps = args->kind == NNRT__BINARY_PRELU;
    size_t vl;
    NNRT_ASSERT(nnrt__mul_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (; n != 0; n -= vl, a += vl * a_step, b += vl * b_step, out += vl) {
        vint16m2_t x, y, half;
        vl = __riscv_vsetvl_e32m4(n);
        x = nnrt__rvv_operand_s8(a, a_step, zero_point[0], vl);
        y = nnrt__rvv_operand_s8(b, b_step, zero_point[1], vl);
        half = nnrt__rvv_rescaled_s16(__riscv_vwmul_vv_i32m4(x, y, vl), product, vl);
        if (keeps) {
            y = nnrt__rvv_rescaled_s16(__riscv_vwcvt_x_x_v_i32m4(x, vl), kept, vl);
            half = __riscv_vmerge_vvm_i16m2(y, half, __riscv_vmslt_vx_i16m2_b8(x, 0, vl), vl);
        }
        __riscv_vse8_v_i8m1(out, nnrt__rvv_bytes(half, output_zero_point, low, high, vl), vl);
    }
}

NNRT__FN void nnrt__mul_s8_rvv_install(nnrt__cpu_table *t) {
    t->mul_s8 = nnrt__mul_s8_rvv;
    t->mul_s8_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_MUL_S8_RVV_H */
