/* SPDX-License-Identifier: Apache-2.0 */
/* image/sample_rvv.h - the inner loops of sample.h for RISC-V's vector extension: the same values.   >>image_sample_rvv

   Pixels of a row lie at any distance, so their bytes are indexed loads. */
#ifndef NNRT_IMAGE_SAMPLE_RVV_H
#define NNRT_IMAGE_SAMPLE_RVV_H

#include "../kernels/internal.h"

NNRT__TARGET_RVV NNRT__FN void nnrt__image_sample_one_rvv(const uint8_t *row, const uint32_t *left, uint32_t count,
                                                          uint16_t *values) {
    size_t n = count, vl;
    for (; n != 0; n -= vl, left += vl, values += vl) {
        vuint8m1_t x;
        vl = __riscv_vsetvl_e8m1(n);
        x = __riscv_vluxei32_v_u8m1(row, __riscv_vle32_v_u32m4(left, vl), vl);
        __riscv_vse16_v_u16m2(values, __riscv_vwmulu_vx_u16m2(x, 64, vl), vl);
    }
}

/* Of pixels of a row, (256 - f) of the left one and f of the right one: 16 bits. */
NNRT__TARGET_RVV NNRT__INLINE vuint16m2_t nnrt__image_row_rvv(const uint8_t *row, vuint32m4_t left, vuint32m4_t right,
                                                              vuint16m2_t fraction, size_t vl) {
    const vuint16m2_t a = __riscv_vzext_vf2_u16m2(__riscv_vluxei32_v_u8m1(row, left, vl), vl);
    const vuint16m2_t b = __riscv_vzext_vf2_u16m2(__riscv_vluxei32_v_u8m1(row, right, vl), vl);
    const vuint16m2_t rest = __riscv_vrsub_vx_u16m2(fraction, 256, vl);
    return __riscv_vmacc_vv_u16m2(__riscv_vmul_vv_u16m2(a, rest, vl), b, fraction, vl);
}

/* vnclipu adds half of 1024. */
NNRT__TARGET_RVV NNRT__FN void nnrt__image_sample_four_rvv(const uint8_t *top, const uint8_t *bottom,
                                                           const uint32_t *left, const uint32_t *right,
                                                           const uint16_t *fraction, uint32_t weight, uint32_t count,
                                                           uint16_t *values) {
    size_t n = count, vl;
    for (; n != 0; n -= vl, left += vl, right += vl, fraction += vl, values += vl) {
        vuint32m4_t from, to, sum;
        vuint16m2_t f, x;
        vl = __riscv_vsetvl_e8m1(n);
        from = __riscv_vle32_v_u32m4(left, vl);
        to = __riscv_vle32_v_u32m4(right, vl);
        f = __riscv_vle16_v_u16m2(fraction, vl);
        x = nnrt__image_row_rvv(top, from, to, f, vl);
        sum = __riscv_vwmulu_vx_u32m4(x, (uint16_t)(256 - weight), vl);
        x = nnrt__image_row_rvv(bottom, from, to, f, vl);
        sum = __riscv_vwmaccu_vx_u32m4(sum, (uint16_t)weight, x, vl);
        __riscv_vse16_v_u16m2(values, __riscv_vnclipu_wx_u16m2(sum, 10, __RISCV_VXRM_RNU, vl), vl);
    }
}

#endif /* NNRT_IMAGE_SAMPLE_RVV_H */
