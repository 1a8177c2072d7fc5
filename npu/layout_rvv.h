/* SPDX-License-Identifier: Apache-2.0 */
/* npu/layout_rvv.h - the hot loops of layout_scalar.h for RISC-V's vector extension: the same bytes.   >>npu_layout_rvv

   Loads and stores of more than a byte need the alignment of their elements, which tensors may lack: those go to the
   portable loops. float16 takes an extension of its own. */
#ifndef NNRT_NPU_LAYOUT_RVV_H
#define NNRT_NPU_LAYOUT_RVV_H

#include "../kernels/internal.h"
#include "layout_scalar.h"

/* ------------------------------------------------------------------------------------------------- moving */

/* Elements of `bits`: along the longer side, which strides are loaded from, or stored to. */
#define NNRT__LAYOUT_STRIDES_RVV(name, bits)                                                                     \
    NNRT__TARGET_RVV NNRT__NOINLINE void name(const uint8_t *source, size_t source_stride, size_t rows,          \
                                              size_t columns, uint8_t *destination, size_t destination_stride) { \
        size_t left, at, vl;                                                                                     \
        for (at = 0; rows >= columns && at < columns; at++) {                                                    \
            const uint##bits##_t *s = (const uint##bits##_t *)(const void *)source + at;                         \
            uint##bits##_t *d = (uint##bits##_t *)(void *)(destination + at * destination_stride);               \
            for (left = rows; left != 0; left -= vl, d += vl, s += vl * source_stride / sizeof *s) {             \
                vl = __riscv_vsetvl_e##bits##m4(left);                                                           \
                __riscv_vse##bits##_v_u##bits##m4(                                                               \
                    d, __riscv_vlse##bits##_v_u##bits##m4(s, (ptrdiff_t)source_stride, vl), vl);                 \
            }                                                                                                    \
        }                                                                                                        \
        for (at = 0; rows < columns && at < rows; at++) {                                                        \
            const uint##bits##_t *s = (const uint##bits##_t *)(const void *)(source + at * source_stride);       \
            uint##bits##_t *d = (uint##bits##_t *)(void *)destination + at;                                      \
            for (left = columns; left != 0; left -= vl, s += vl, d += vl * destination_stride / sizeof *d) {     \
                vl = __riscv_vsetvl_e##bits##m4(left);                                                           \
                __riscv_vsse##bits##_v_u##bits##m4(d, (ptrdiff_t)destination_stride,                             \
                                                   __riscv_vle##bits##_v_u##bits##m4(s, vl), vl);                \
            }                                                                                                    \
        }                                                                                                        \
    }
NNRT__LAYOUT_STRIDES_RVV(nnrt__layout_transpose_1_rvv, 8)
NNRT__LAYOUT_STRIDES_RVV(nnrt__layout_strides_2_rvv, 16)
NNRT__LAYOUT_STRIDES_RVV(nnrt__layout_strides_4_rvv, 32)
#undef NNRT__LAYOUT_STRIDES_RVV

/* Are addresses and strides multiples of `size`, a power of two? bits: those of all of them. */
NNRT__FN bool nnrt__layout_is_aligned(uintptr_t bits, size_t size) { return (bits & (size - 1)) == 0; }

NNRT__FN void nnrt__layout_transpose_2_rvv(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                           uint8_t *destination, size_t destination_stride) {
    if (nnrt__layout_is_aligned((uintptr_t)source | source_stride | (uintptr_t)destination | destination_stride, 2))
        nnrt__layout_strides_2_rvv(source, source_stride, rows, columns, destination, destination_stride);
    else nnrt__layout_transpose_2_scalar(source, source_stride, rows, columns, destination, destination_stride);
}

NNRT__FN void nnrt__layout_transpose_4_rvv(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                           uint8_t *destination, size_t destination_stride) {
    if (nnrt__layout_is_aligned((uintptr_t)source | source_stride | (uintptr_t)destination | destination_stride, 4))
        nnrt__layout_strides_4_rvv(source, source_stride, rows, columns, destination, destination_stride);
    else nnrt__layout_transpose_4_scalar(source, source_stride, rows, columns, destination, destination_stride);
}

/* ----------------------------------------------------------------------------------- integers and float32 */

/* vl numbers from `source` on: false, and nothing written, if an estimate lies within 8 steps of a tie, or
   is a NaN. Those beyond 32 bits of steps saturate, as the bytes do. */
NNRT__TARGET_RVV NNRT__INLINE bool nnrt__layout_quantize_some_rvv(const nnrt__layout_numbers *numbers,
                                                                  const float *source, uint8_t *destination,
                                                                  size_t vl) {
    const vfloat32m4_t x = __riscv_vle32_v_f32m4(source, vl);
    const vint32m4_t steps =
        __riscv_vfcvt_rtz_x_f_v_i32m4(__riscv_vfmul_vf_f32m4(x, numbers->factor * 65536.0f, vl), vl);
    const vuint16m2_t fraction = __riscv_vreinterpret_v_i16m2_u16m2(__riscv_vncvt_x_x_w_i16m2(steps, vl));
    const vbool8_t ties = __riscv_vmsleu_vx_u16m2_b8(__riscv_vadd_vx_u16m2(fraction, 0x8008, vl), 16, vl);
    vint16m2_t q;
    if (__riscv_vcpop_m_b8(__riscv_vmor_mm_b8(ties, __riscv_vmfne_vv_f32m4_b8(x, x, vl), vl), vl) != 0) return false;
    q = __riscv_vsadd_vx_i16m2(__riscv_vnclip_wx_i16m2(steps, 16, __RISCV_VXRM_RNU, vl), (int16_t)numbers->zp, vl);
    q = __riscv_vmin_vx_i16m2(__riscv_vmax_vx_i16m2(q, (int16_t)numbers->low, vl), (int16_t)numbers->high, vl);
    __riscv_vse8_v_i8m1((int8_t *)destination, __riscv_vncvt_x_x_w_i8m1(q, vl), vl);
    return true;
}

/* Until such a vector; how many were written. */
NNRT__TARGET_RVV NNRT__NOINLINE size_t nnrt__layout_quantize_next_rvv(const nnrt__layout_numbers *numbers,
                                                                      const float *source, uint8_t *destination,
                                                                      size_t count) {
    size_t done = 0, vl;
    for (; done < count; done += vl) {
        vl = __riscv_vsetvl_e32m4(count - done);
        if (!nnrt__layout_quantize_some_rvv(numbers, source + done, destination + done, vl)) return done;
    }
    return done;
}

/* As nnrt__layout_quantize_8_scalar; sixteen numbers, one of which is near a tie, go there. */
NNRT__FN void nnrt__layout_quantize_8_rvv(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                          uint8_t *destination, size_t count) {
    const bool by_vectors = numbers->ordinary && nnrt__layout_is_aligned((uintptr_t)source, 4);
    while (by_vectors && count != 0) {
        const size_t done =
            nnrt__layout_quantize_next_rvv(numbers, (const float *)(const void *)source, destination, count);
        const size_t rest = count - done < 16 ? count - done : 16;
        nnrt__layout_quantize_8_scalar(numbers, source + 4 * done, destination + done, rest);
        source += 4 * (done + rest);
        destination += done + rest;
        count -= done + rest;
    }
    nnrt__layout_quantize_8_scalar(numbers, source, destination, count);
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__layout_reals_8_rvv(const nnrt__layout_numbers *numbers,
                                                              const uint8_t *source, float *to, size_t count) {
    const bool is_signed = numbers->is_signed;
    size_t vl;
    for (; count != 0; count -= vl, source += vl, to += vl) {
        vuint8m1_t bytes;
        vint32m4_t q;
        vl = __riscv_vsetvl_e32m4(count);
        bytes = __riscv_vle8_v_u8m1(source, vl);
        if (is_signed) q = __riscv_vsext_vf4_i32m4(__riscv_vreinterpret_v_u8m1_i8m1(bytes), vl);
        else q = __riscv_vreinterpret_v_u32m4_i32m4(__riscv_vzext_vf4_u32m4(bytes, vl));
        q = __riscv_vsub_vx_i32m4(q, numbers->zp, vl);
        __riscv_vse32_v_f32m4(to, __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(q, vl), numbers->scale, vl), vl);
    }
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__layout_reals_16_rvv(const nnrt__layout_numbers *numbers,
                                                               const int16_t *source, float *to, size_t count) {
    size_t vl;
    for (; count != 0; count -= vl, source += vl, to += vl) {
        vint32m4_t q;
        vl = __riscv_vsetvl_e32m4(count);
        q = __riscv_vsext_vf2_i32m4(__riscv_vle16_v_i16m2(source, vl), vl);
        q = __riscv_vsub_vx_i32m4(q, numbers->zp, vl);
        __riscv_vse32_v_f32m4(to, __riscv_vfmul_vf_f32m4(__riscv_vfcvt_f_x_v_f32m4(q, vl), numbers->scale, vl), vl);
    }
}

NNRT__FN void nnrt__layout_dequantize_8_rvv(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                            uint8_t *destination, size_t count) {
    if (nnrt__layout_is_aligned((uintptr_t)destination, 4))
        nnrt__layout_reals_8_rvv(numbers, source, (float *)(void *)destination, count);
    else nnrt__layout_dequantize_8_scalar(numbers, source, destination, count);
}

NNRT__FN void nnrt__layout_dequantize_16_rvv(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                             uint8_t *destination, size_t count) {
    if (nnrt__layout_is_aligned((uintptr_t)source, 2) && nnrt__layout_is_aligned((uintptr_t)destination, 4))
        nnrt__layout_reals_16_rvv(numbers, (const int16_t *)(const void *)source, (float *)(void *)destination, count);
    else nnrt__layout_dequantize_16_scalar(numbers, source, destination, count);
}

NNRT__FN void nnrt__layout_install_rvv(nnrt__layout_kernels *kernels) {
    kernels->transpose_1 = nnrt__layout_transpose_1_rvv;
    kernels->transpose_2 = nnrt__layout_transpose_2_rvv;
    kernels->transpose_4 = nnrt__layout_transpose_4_rvv;
    kernels->quantize_8 = nnrt__layout_quantize_8_rvv;
    kernels->dequantize_8 = nnrt__layout_dequantize_8_rvv;
    kernels->dequantize_16 = nnrt__layout_dequantize_16_rvv;
}

#endif /* NNRT_NPU_LAYOUT_RVV_H */
