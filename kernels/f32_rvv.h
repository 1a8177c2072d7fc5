/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/f32_rvv.h - what the float kernels for RISC-V's vector extension share: clamp, rounding. */
#ifndef NNRT_KERNELS_F32_RVV_H
#define NNRT_KERNELS_F32_RVV_H

#include "hybrid_s8_scalar.h"
#include "internal.h"

/* nnrt__clamp_f32: of a NaN and a number vfmax is the number. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__clamp_f32_rvv(vfloat32m4_t x, float low, float high, size_t vl) {
    return __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(x, low, vl), high, vl);
}

/* Numbers clamped, to c. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__store_f32_rvv(float *c, vfloat32m4_t x, float low, float high, size_t vl) {
    __riscv_vse32_v_f32m4(c, nnrt__clamp_f32_rvv(x, low, high, vl), vl);
}

/* Of 16 bits: rounded to the nearest, ties away from zero, as cutting off after almost a half was added does for every
   float; |x| below 2^15. In two steps: QEMU 7.2 ends at vfncvt.rtz. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__round_f32_rvv(vfloat32m4_t x, size_t vl) {
    const vfloat32m4_t half = __riscv_vfmv_v_f_f32m4(NNRT__ALMOST_HALF, vl);
    x = __riscv_vfadd_vv_f32m4(x, __riscv_vfsgnj_vv_f32m4(half, x, vl), vl);
    return __riscv_vncvt_x_x_w_i16m2(__riscv_vfcvt_rtz_x_f_v_i32m4(x, vl), vl);
}

#endif /* NNRT_KERNELS_F32_RVV_H */
