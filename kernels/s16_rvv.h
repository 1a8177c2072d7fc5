/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/s16_rvv.h - the last step of products of int16 with int8, by RISC-V's vector extension. */
#ifndef NNRT_KERNELS_S16_RVV_H
#define NNRT_KERNELS_S16_RVV_H

#include "rvv.h"
#include "s16_scalar.h"

/* nnrt__requantize_wide_s16 of the sums of the channels from c on, before its clamp: saturated to 16 bits. vnclip is
   its rounding and its shift, of which it takes as many bits. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__wide_s16_rvv(const nnrt__channels_s16 *channels, size_t c,
                                                            vint64m8_t sums, size_t vl) {
    const vuint32m4_t low = __riscv_vle32_v_u32m4((const uint32_t *)channels->bias + c, vl);
    const vint64m8_t high = __riscv_vwcvt_x_x_v_i64m8(__riscv_vle32_v_i32m4(channels->bias_high + c, vl), vl);
    vint32m4_t x;
    sums = __riscv_vadd_vv_i64m8(sums, __riscv_vsll_vx_i64m8(high, 32, vl), vl);
    sums =
        __riscv_vreinterpret_v_u64m8_i64m8(__riscv_vwaddu_wv_u64m8(__riscv_vreinterpret_v_i64m8_u64m8(sums), low, vl));
    x = __riscv_vmin_vx_i32m4(__riscv_vle32_v_i32m4(channels->multiplier + c, vl), 0x7ffeffff, vl);
    x = __riscv_vssra_vx_i32m4(x, 16, __RISCV_VXRM_RNU, vl);
    sums = __riscv_vmul_vv_i64m8(sums, __riscv_vwcvt_x_x_v_i64m8(x, vl), vl);
    x = __riscv_vrsub_vx_i32m4(__riscv_vle32_v_i32m4(channels->shift + c, vl), 15, vl);
    x = __riscv_vnclip_wv_i32m4(sums, __riscv_vreinterpret_v_i32m4_u32m4(x), __RISCV_VXRM_RNU, vl);
    return __riscv_vnclip_wx_i16m2(x, 0, __RISCV_VXRM_RNU, vl);
}

/* nnrt__requantize_s16 of them, modulo 2^32. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__narrow_s16_rvv(const nnrt__channels_s16 *channels, size_t c,
                                                              vint32m4_t sums, size_t vl) {
    const vint32m4_t shift = __riscv_vle32_v_i32m4(channels->shift + c, vl);
    const vuint16m2_t right = __riscv_vncvt_x_x_w_u16m2(nnrt__rvv_right(shift, vl), vl);
    sums = __riscv_vadd_vv_i32m4(sums, __riscv_vle32_v_i32m4(channels->bias + c, vl), vl);
    sums = nnrt__rvv_high(sums, __riscv_vle32_v_i32m4(channels->multiplier + c, vl), shift, false, vl);
    return __riscv_vnclip_wv_i16m2(sums, right, __RISCV_VXRM_RNU, vl);
}

NNRT__TARGET_RVV NNRT__INLINE void nnrt__store_s16_rvv(int16_t *out, vint16m2_t x, int32_t low, int32_t high,
                                                       size_t vl) {
    x = __riscv_vmin_vx_i16m2(__riscv_vmax_vx_i16m2(x, (int16_t)low, vl), (int16_t)high, vl);
    __riscv_vse16_v_i16m2(out, x, vl);
}

#endif /* NNRT_KERNELS_S16_RVV_H */
