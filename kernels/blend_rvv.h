/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/blend_rvv.h - blend_s8 and blend_f32 for RISC-V's vector extension. Contract: blend_scalar.h.

   Bytes: left and right of a row meet in 32 bits, exactly, then the rows. vssra rounds half up: 1 is taken from what is
   negative. */
#ifndef NNRT_KERNELS_BLEND_RVV_H
#define NNRT_KERNELS_BLEND_RVV_H

#include "blend_scalar.h"
#include "internal.h"

/* vl channels of two pixels side by side, in steps of 1/1024. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__blend_row_s8_rvv(const int8_t *left, const int8_t *right, int32_t weight,
                                                                size_t vl) {
    const vint16m2_t x = __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(left, vl), vl);
    const vint16m2_t y = __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(right, vl), vl);
    return __riscv_vwmacc_vx_i32m4(__riscv_vwmul_vx_i32m4(x, (int16_t)(1024 - weight), vl), (int16_t)weight, y, vl);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__blend_s8_rvv(const nnrt__blend_s8_args *args) {
    size_t i, vl;
    NNRT_ASSERT(nnrt__blend_s8_is_right(args));
    for (i = 0; i < args->n; i += vl) {
        vint32m4_t x, y;
        vl = __riscv_vsetvl_e32m4(args->n - i);
        x = nnrt__blend_row_s8_rvv(args->upper[0] + i, args->upper[1] + i, args->right, vl);
        y = nnrt__blend_row_s8_rvv(args->lower[0] + i, args->lower[1] + i, args->right, vl);
        x = __riscv_vmul_vx_i32m4(x, 1024 - args->down, vl);
        x = __riscv_vmacc_vx_i32m4(x, args->down, y, vl);
        x = __riscv_vadd_vx_i32m4_mu(__riscv_vmslt_vx_i32m4_b8(x, 0, vl), x, x, -1, vl);
        __riscv_vse8_v_i8m1(args->to + i,
                            __riscv_vncvt_x_x_w_i8m1(__riscv_vnclip_wx_i16m2(x, 20, __RISCV_VXRM_RNU, vl), vl), vl);
    }
}

/* p + (q - p) * weight, each step rounded. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m8_t nnrt__blend_two_f32_rvv(vfloat32m8_t p, vfloat32m8_t q, float weight,
                                                                   size_t vl) {
    const vfloat32m8_t difference = __riscv_vfsub_vv_f32m8(q, p, vl);
    return __riscv_vfadd_vv_f32m8(p, __riscv_vfmul_vf_f32m8(difference, weight, vl), vl);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__blend_f32_rvv(const nnrt__blend_f32_args *args) {
    size_t i, vl;
    NNRT_ASSERT(nnrt__blend_f32_is_right(args));
    for (i = 0; i < args->n; i += vl) {
        vfloat32m8_t p, q;
        vl = __riscv_vsetvl_e32m8(args->n - i);
        p = nnrt__blend_two_f32_rvv(__riscv_vle32_v_f32m8(args->upper[0] + i, vl),
                                    __riscv_vle32_v_f32m8(args->upper[1] + i, vl), args->right, vl);
        q = nnrt__blend_two_f32_rvv(__riscv_vle32_v_f32m8(args->lower[0] + i, vl),
                                    __riscv_vle32_v_f32m8(args->lower[1] + i, vl), args->right, vl);
        __riscv_vse32_v_f32m8(args->to + i, nnrt__blend_two_f32_rvv(p, q, args->down, vl), vl);
    }
}

NNRT__FN void nnrt__blend_rvv_install(nnrt__cpu_table *t) {
    t->blend_s8 = nnrt__blend_s8_rvv;
    t->blend_f32 = nnrt__blend_f32_rvv;
    t->blend_s8_isa = t->blend_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_BLEND_RVV_H */
