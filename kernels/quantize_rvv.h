/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/quantize_rvv.h - quantize_f32 and dequantize_f32 for RISC-V's vector extension. Contract: quantize_scalar.h,
   and its bytes: quotients are divisions, as there. */
#ifndef NNRT_KERNELS_QUANTIZE_RVV_H
#define NNRT_KERNELS_QUANTIZE_RVV_H

#include "f32_rvv.h"
#include "internal.h"
#include "quantize_scalar.h"

NNRT__TARGET_RVV NNRT__FN void nnrt__quantize_f32_rvv(const float *in, float scale, int32_t zero_point, bool is_signed,
                                                      void *out, size_t n) {
    uint8_t *to = (uint8_t *)out;
    size_t vl;
    NNRT_ASSERT(nnrt__quantize_is_right(in, sizeof *in, zero_point, out, 1, n));
    for (; n != 0; n -= vl, in += vl, to += vl) {
        vfloat32m4_t x;
        vint16m2_t half;
        vl = __riscv_vsetvl_e32m4(n);
        x = __riscv_vfdiv_vf_f32m4(__riscv_vle32_v_f32m4(in, vl), scale, vl);
        half = nnrt__round_f32_rvv(nnrt__clamp_f32_rvv(x, -1024.0f, 1024.0f, vl), vl);
        half = __riscv_vadd_vx_i16m2(half, (int16_t)zero_point, vl);
        if (is_signed) {
            __riscv_vse8_v_i8m1((int8_t *)to, __riscv_vnclip_wx_i8m1(half, 0, __RISCV_VXRM_RNU, vl), vl);
        } else {
            const vuint16m2_t none_below_0 = __riscv_vreinterpret_v_i16m2_u16m2(__riscv_vmax_vx_i16m2(half, 0, vl));
            __riscv_vse8_v_u8m1(to, __riscv_vnclipu_wx_u8m1(none_below_0, 0, __RISCV_VXRM_RNU, vl), vl);
        }
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__dequantize_f32_rvv(const void *in, float scale, int32_t zero_point, bool is_signed,
                                                        float *out, size_t n) {
    const uint8_t *from = (const uint8_t *)in;
    size_t vl;
    NNRT_ASSERT(nnrt__quantize_is_right(in, 1, zero_point, out, sizeof *out, n));
    for (; n != 0; n -= vl, from += vl, out += vl) {
        vuint8m1_t bytes;
        vint16m2_t half;
        vl = __riscv_vsetvl_e32m4(n);
        bytes = __riscv_vle8_v_u8m1(from, vl);
        if (is_signed) half = __riscv_vsext_vf2_i16m2(__riscv_vreinterpret_v_u8m1_i8m1(bytes), vl);
        else half = __riscv_vreinterpret_v_u16m2_i16m2(__riscv_vzext_vf2_u16m2(bytes, vl));
        half = __riscv_vsub_vx_i16m2(half, (int16_t)zero_point, vl);
        __riscv_vse32_v_f32m4(out, __riscv_vfmul_vf_f32m4(__riscv_vfwcvt_f_x_v_f32m4(half, vl), scale, vl), vl);
    }
}

NNRT__FN void nnrt__quantize_rvv_install(nnrt__cpu_table *t) {
    t->quantize_f32 = nnrt__quantize_f32_rvv;
    t->dequantize_f32 = nnrt__dequantize_f32_rvv;
    t->quantize_f32_isa = t->dequantize_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_QUANTIZE_RVV_H */
