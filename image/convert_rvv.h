/* SPDX-License-Identifier: Apache-2.0 */
/* image/convert_rvv.h - convert_scalar.h for RISC-V's vector extension: the same bytes.   >>image_convert_rvv */
#ifndef NNRT_IMAGE_CONVERT_RVV_H
#define NNRT_IMAGE_CONVERT_RVV_H

#include "../kernels/internal.h"
#include "convert_scalar.h"

/* nnrt__image_kept. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__image_kept_rvv(vint32m4_t sums, uint8_t *to, size_t vl) {
    const vint16m2_t half = __riscv_vmax_vx_i16m2(__riscv_vnclip_wx_i16m2(sums, 19, __RISCV_VXRM_RNU, vl), 0, vl);
    const vuint16m2_t none_below_0 = __riscv_vreinterpret_v_i16m2_u16m2(half);
    __riscv_vse8_v_u8m1(to, __riscv_vnclipu_wx_u8m1(none_below_0, 0, __RISCV_VXRM_RNU, vl), vl);
}

/* Values less what is black, or the middle. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__image_from_rvv(const uint16_t *values, int32_t zero, size_t vl) {
    const vint16m2_t x = __riscv_vreinterpret_v_u16m2_i16m2(__riscv_vle16_v_u16m2(values, vl));
    return __riscv_vsub_vx_i16m2(x, (int16_t)zero, vl);
}

NNRT__TARGET_RVV NNRT__FN void nnrt__image_yuv_to_rgb_rvv(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
    const int16_t y = (int16_t)m->y, rv = (int16_t)m->rv, gu = (int16_t)-m->gu, gv = (int16_t)-m->gv;
    const int16_t bu = (int16_t)m->bu;
    const int32_t black = m->black * 64;
    const size_t count = chunk->count;
    size_t i, vl;
    for (i = 0; i < count; i += vl) {
        vint16m2_t u, v;
        vint32m4_t light, green;
        vl = __riscv_vsetvl_e16m2(count - i);
        light = __riscv_vwmul_vx_i32m4(nnrt__image_from_rvv(&chunk->values[0][i], black, vl), y, vl);
        u = nnrt__image_from_rvv(&chunk->values[1][i], 128 * 64, vl);
        v = nnrt__image_from_rvv(&chunk->values[2][i], 128 * 64, vl);
        green = __riscv_vwmacc_vx_i32m4(__riscv_vwmacc_vx_i32m4(light, gu, u, vl), gv, v, vl);
        nnrt__image_kept_rvv(__riscv_vwmacc_vx_i32m4(light, rv, v, vl), &chunk->pixels[0][i], vl);
        nnrt__image_kept_rvv(green, &chunk->pixels[1][i], vl);
        nnrt__image_kept_rvv(__riscv_vwmacc_vx_i32m4(light, bu, u, vl), &chunk->pixels[2][i], vl);
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__image_round_rvv(const uint16_t *values, uint32_t count, uint8_t *pixels) {
    size_t n = count, vl;
    for (; n != 0; n -= vl, values += vl, pixels += vl) {
        vuint16m4_t x;
        vl = __riscv_vsetvl_e16m4(n);
        x = __riscv_vle16_v_u16m4(values, vl);
        __riscv_vse8_v_u8m2(pixels, __riscv_vnclipu_wx_u8m2(x, 6, __RISCV_VXRM_RNU, vl), vl);
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__image_store_three_rvv(const uint8_t *tables, const uint8_t *const values[3],
                                                           uint8_t *to, size_t count) {
    size_t i, vl;
    for (i = 0; i < count; i += vl, to += 3 * vl) {
        vuint8m4_t a, b, c;
        vl = __riscv_vsetvl_e8m4(count - i);
        a = __riscv_vluxei8_v_u8m4(tables, __riscv_vle8_v_u8m4(values[0] + i, vl), vl);
        b = __riscv_vluxei8_v_u8m4(tables + 256, __riscv_vle8_v_u8m4(values[1] + i, vl), vl);
        c = __riscv_vluxei8_v_u8m4(tables + 512, __riscv_vle8_v_u8m4(values[2] + i, vl), vl);
        __riscv_vsse8_v_u8m4(to, 3, a, vl);
        __riscv_vsse8_v_u8m4(to + 1, 3, b, vl);
        __riscv_vsse8_v_u8m4(to + 2, 3, c, vl);
    }
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__image_store_aligned_rvv(const uint32_t *table, const uint8_t *values,
                                                                   uint32_t *to, size_t stride, size_t count) {
    size_t vl;
    for (; count != 0; count -= vl, values += vl, to += vl * stride / sizeof *to) {
        vuint16m2_t at;
        vl = __riscv_vsetvl_e32m4(count);
        at = __riscv_vwmulu_vx_u16m2(__riscv_vle8_v_u8m1(values, vl), sizeof *table, vl);
        __riscv_vsse32_v_u32m4(to, (ptrdiff_t)stride, __riscv_vluxei16_v_u32m4(table, at, vl), vl);
    }
}

/* Tensors lie at any address. */
NNRT__FN void nnrt__image_store_words_rvv(const uint32_t *table, const uint8_t *values, size_t step, uint8_t *to,
                                          size_t stride, size_t count) {
    if (step == 1 && (((uintptr_t)to | stride) & 3) == 0)
        nnrt__image_store_aligned_rvv(table, values, (uint32_t *)(void *)to, stride, count);
    else nnrt__image_store_words_scalar(table, values, step, to, stride, count);
}

#endif /* NNRT_IMAGE_CONVERT_RVV_H */
