/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/rvv.h - what the kernels of integers for RISC-V's vector extension 1.0 share: the last step.

   A kernel asks for as many elements as there are left and takes as many as the processor gives, so that one program is
   for vectors of any length; sums are groups of four registers, 16 sums where a register has 128 bits, which is the
   least. Nothing behind the last element is read or written. GCC inlines no function into one that is compiled for the
   extension that is not so itself: what calls one of those stands outside.

   vsmul is nnrt__rounding_doubling_high_mul, saturation included. vssra and vnclip add half and shift, as if in more
   bits; with the 1 that is taken away below zero that is nnrt__rounding_divide_by_pot. vnclip saturates to 16 bits and
   to 8, so that the zero point overflows nothing and the clamp comes last. */
#ifndef NNRT_KERNELS_RVV_H
#define NNRT_KERNELS_RVV_H

#include "internal.h"

/* Are these vl shifts all to the right, of channels whose sums need nothing but that? */
NNRT__TARGET_RVV NNRT__INLINE bool nnrt__rvv_are_usual(vint32m4_t shift, size_t vl) {
    const vint32m4_t right = __riscv_vand_vx_i32m4(__riscv_vrsub_vx_i32m4(shift, 0, vl), 31, vl);
    const vbool8_t zero = __riscv_vmseq_vx_i32m4_b8(right, 0, vl);
    return __riscv_vcpop_m_b8(__riscv_vmor_mm_b8(zero, __riscv_vmsgt_vx_i32m4_b8(shift, 0, vl), vl), vl) == 0;
}

/* How far shifts go to the right, 0..31, and to the left. */
NNRT__TARGET_RVV NNRT__INLINE vuint32m4_t nnrt__rvv_right(vint32m4_t shift, size_t vl) {
    const vint32m4_t right = __riscv_vmax_vx_i32m4(__riscv_vrsub_vx_i32m4(shift, 0, vl), 0, vl);
    return __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vand_vx_i32m4(right, 31, vl));
}

NNRT__TARGET_RVV NNRT__INLINE vuint32m4_t nnrt__rvv_left(vint32m4_t shift, size_t vl) {
    return __riscv_vreinterpret_v_i32m4_u32m4(__riscv_vand_vx_i32m4(__riscv_vmax_vx_i32m4(shift, 0, vl), 31, vl));
}

/* Quotients before their shift to the right: less 1 below zero, where there is one. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__rvv_high(vint32m4_t x, vint32m4_t multiplier, vint32m4_t shift,
                                                        bool usual, size_t vl) {
    vbool8_t down;
    if (!usual) x = __riscv_vsll_vv_i32m4(x, nnrt__rvv_left(shift, vl), vl);
    x = __riscv_vsmul_vv_i32m4(x, multiplier, __RISCV_VXRM_RNU, vl);
    down = __riscv_vmslt_vx_i32m4_b8(x, 0, vl);
    if (!usual) down = __riscv_vmand_mm_b8(down, __riscv_vmsne_vx_u32m4_b8(nnrt__rvv_right(shift, vl), 0, vl), vl);
    return __riscv_vadd_vx_i32m4_mu(down, x, x, -1, vl);
}

/* nnrt__requantize. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__rvv_requantize(vint32m4_t x, vint32m4_t multiplier, vint32m4_t shift,
                                                              bool usual, size_t vl) {
    return __riscv_vssra_vv_i32m4(nnrt__rvv_high(x, multiplier, shift, usual, vl), nnrt__rvv_right(shift, vl),
                                  __RISCV_VXRM_RNU, vl);
}

/* Some channels of a tile of weights (packing.h), as many as a vector holds, and what their results have in common. */
typedef struct nnrt__rvv_channels {
    const uint8_t *head; /* their biases; multipliers and shifts follow, each nr words further */
    size_t nr, vl;
    bool usual;
    int32_t zero_point, low, high;
} nnrt__rvv_channels;

/* Biases (0), multipliers (1) or shifts (2). */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__rvv_words(const nnrt__rvv_channels *of, size_t field) {
    return __riscv_vle32_v_i32m4((const int32_t *)(const void *)(of->head + field * of->nr * 4), of->vl);
}

/* Of the channels from `at` on, of which there are `left` in the tile, as many as a vector holds. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__rvv_channels_at(nnrt__rvv_channels *of, const uint8_t *tile, size_t nr,
                                                         size_t at, size_t left) {
    of->head = tile + at * 4;
    of->nr = nr;
    of->vl = __riscv_vsetvl_e32m4(left);
    of->usual = nnrt__rvv_are_usual(nnrt__rvv_words(of, 2), of->vl);
}

NNRT__TARGET_RVV NNRT__INLINE vuint16m2_t nnrt__rvv_right_of(const nnrt__rvv_channels *of) {
    return __riscv_vncvt_x_x_w_u16m2(nnrt__rvv_right(nnrt__rvv_words(of, 2), of->vl), of->vl);
}

/* Quotients as bytes: the zero point added, within low..high. */
NNRT__TARGET_RVV NNRT__INLINE vint8m1_t nnrt__rvv_bytes(vint16m2_t x, int32_t zero_point, int32_t low, int32_t high,
                                                        size_t vl) {
    const vint16m2_t half = __riscv_vsadd_vx_i16m2(x, (int16_t)zero_point, vl);
    const vint8m1_t byte = __riscv_vnclip_wx_i8m1(half, 0, __RISCV_VXRM_RNU, vl);
    return __riscv_vmin_vx_i8m1(__riscv_vmax_vx_i8m1(byte, (int8_t)low, vl), (int8_t)high, vl);
}

/* Sums to their bytes at `out`. multiplier, right: of the channels, which a loop keeps in registers. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__rvv_store(const nnrt__rvv_channels *of, vint32m4_t sums, vint32m4_t multiplier,
                                                   vuint16m2_t right, int8_t *out) {
    if (of->usual) sums = nnrt__rvv_high(sums, multiplier, multiplier, true, of->vl);
    else sums = nnrt__rvv_high(sums, multiplier, nnrt__rvv_words(of, 2), false, of->vl);
    __riscv_vse8_v_i8m1(out,
                        nnrt__rvv_bytes(__riscv_vnclip_wv_i16m2(sums, right, __RISCV_VXRM_RNU, of->vl), of->zero_point,
                                        of->low, of->high, of->vl),
                        of->vl);
}

/* ------------------------------------------------------------------------------------- one factor for all elements */

typedef struct nnrt__rvv_factor {
    int32_t multiplier;
    size_t left, right; /* 0..31 each; one of them is 0 */
} nnrt__rvv_factor;

NNRT__TARGET_RVV NNRT__INLINE nnrt__rvv_factor nnrt__rvv_factor_of(int32_t multiplier, int32_t shift) {
    nnrt__rvv_factor factor;
    factor.multiplier = multiplier;
    factor.left = shift > 0 ? (size_t)shift : 0;
    factor.right = shift > 0 ? 0 : (size_t)-shift;
    return factor;
}

/* Quotients before their shift to the right, as nnrt__rvv_high's. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__rvv_quotients(vint32m4_t x, nnrt__rvv_factor factor, size_t vl) {
    if (factor.left != 0) x = __riscv_vsll_vx_i32m4(x, factor.left, vl);
    x = __riscv_vsmul_vx_i32m4(x, factor.multiplier, __RISCV_VXRM_RNU, vl);
    if (factor.right == 0) return x;
    return __riscv_vadd_vx_i32m4_mu(__riscv_vmslt_vx_i32m4_b8(x, 0, vl), x, x, -1, vl);
}

/* nnrt__requantize. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__rvv_rescaled(vint32m4_t x, nnrt__rvv_factor factor, size_t vl) {
    x = nnrt__rvv_quotients(x, factor, vl);
    return factor.right == 0 ? x : __riscv_vssra_vx_i32m4(x, factor.right, __RISCV_VXRM_RNU, vl);
}

/* The same, saturated to 16 bits. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__rvv_rescaled_s16(vint32m4_t x, nnrt__rvv_factor factor, size_t vl) {
    return __riscv_vnclip_wx_i16m2(nnrt__rvv_quotients(x, factor, vl), factor.right, __RISCV_VXRM_RNU, vl);
}

/* Bytes less their zero point: vl of them, or with a step of 0 vl times the one there. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__rvv_operand_s8(const int8_t *q, size_t step, int32_t zero_point,
                                                              size_t vl) {
    const vint8m1_t bytes = step != 0 ? __riscv_vle8_v_i8m1(q, vl) : __riscv_vmv_v_x_i8m1(*q, vl);
    return __riscv_vwsub_vx_i16m2(bytes, (int8_t)zero_point, vl);
}

#endif /* NNRT_KERNELS_RVV_H */
