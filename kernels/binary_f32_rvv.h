/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_f32_rvv.h - binary_f32 for RISC-V's vector extension. Contract: binary_f32_scalar.h, and its bytes.
   The operators without vectors (MOD, POW, ATAN2) go to the portable loop. */
#ifndef NNRT_KERNELS_BINARY_F32_RVV_H
#define NNRT_KERNELS_BINARY_F32_RVV_H

#include "binary_f32_scalar.h"
#include "f32_rvv.h"
#include "internal.h"

/* vl numbers, or with a step of 0 vl times the one there. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__binary_f32_operand_rvv(const float *x, size_t step, size_t vl) {
    return step != 0 ? __riscv_vle32_v_f32m4(x, vl) : __riscv_vfmv_v_f_f32m4(*x, vl);
}

NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__binary_f32_op_rvv(uint32_t kind, vfloat32m4_t a, vfloat32m4_t b,
                                                                   size_t vl) {
    vfloat32m4_t x;
    switch (kind) {
    case NNRT__BINARY_ADD: return __riscv_vfadd_vv_f32m4(a, b, vl);
    case NNRT__BINARY_SUB: return __riscv_vfsub_vv_f32m4(a, b, vl);
    case NNRT__BINARY_MUL: return __riscv_vfmul_vv_f32m4(a, b, vl);
    case NNRT__BINARY_DIV: return __riscv_vfdiv_vv_f32m4(a, b, vl);
    case NNRT__BINARY_MAXIMUM: /* vfmax would pass over a NaN */
        return __riscv_vmerge_vvm_f32m4(b, a, __riscv_vmfgt_vv_f32m4_b8(a, b, vl), vl);
    case NNRT__BINARY_MINIMUM: return __riscv_vmerge_vvm_f32m4(b, a, __riscv_vmflt_vv_f32m4_b8(a, b, vl), vl);
    case NNRT__BINARY_PRELU:
        x = __riscv_vfmul_vv_f32m4(a, b, vl);
        return __riscv_vmerge_vvm_f32m4(x, a, __riscv_vmfgt_vf_f32m4_b8(a, 0.0f, vl), vl);
    default: x = __riscv_vfsub_vv_f32m4(a, b, vl); return __riscv_vfmul_vv_f32m4(x, x, vl);
    }
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__binary_f32_vectors_rvv(const nnrt__binary_f32_args *args, const float *a,
                                                                  size_t a_step, const float *b, size_t b_step,
                                                                  float *out, size_t n) {
    const float low = args->clamp_min, high = args->clamp_max;
    const uint32_t kind = args->kind;
    const bool clamps = args->clamps != 0;
    size_t vl;
    for (; n != 0; n -= vl, a += vl * a_step, b += vl * b_step, out += vl) {
        vfloat32m4_t x, y;
        vl = __riscv_vsetvl_e32m4(n);
        x = nnrt__binary_f32_operand_rvv(a, a_step, vl);
        y = nnrt__binary_f32_operand_rvv(b, b_step, vl);
        x = nnrt__binary_f32_op_rvv(kind, x, y, vl);
        if (clamps) x = nnrt__clamp_f32_rvv(x, low, high, vl);
        __riscv_vse32_v_f32m4(out, x, vl);
    }
}

NNRT__FN void nnrt__binary_f32_rvv(const nnrt__binary_f32_args *args, const float *a, size_t a_step, const float *b,
                                   size_t b_step, float *out, size_t n) {
    NNRT_ASSERT(nnrt__binary_f32_is_right(args, a, a_step, b, b_step, out, n));
    if ((NNRT__BINARY_F32_VECTORS >> args->kind & 1) != 0)
        nnrt__binary_f32_vectors_rvv(args, a, a_step, b, b_step, out, n);
    else nnrt__binary_f32_scalar(args, a, a_step, b, b_step, out, n);
}

NNRT__FN void nnrt__binary_f32_rvv_install(nnrt__cpu_table *t) {
    t->binary_f32 = nnrt__binary_f32_rvv;
    t->binary_f32_isa = nnrt__isa_name_RVV;
    t->binary_f32_kinds = NNRT__BINARY_F32_VECTORS;
}

#endif /* NNRT_KERNELS_BINARY_F32_RVV_H */
