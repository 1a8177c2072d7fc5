/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/convert_neon.h - the hot loops of convert_scalar.h for ARMv7 NEON and AArch64: the same bytes.
   >>bpu_convert_neon

   ARMv7 NEON flushes subnormal numbers to zero: convert.h calls these only with scales of 0, or of 2^-100 and more,
   which give no subnormal products. Little-endian only. */
#ifndef NNRT_BPU_CONVERT_NEON_H
#define NNRT_BPU_CONVERT_NEON_H

#include <arm_neon.h>

#include "convert_scalar.h"

NNRT__INLINE void nnrt__bpu_reals_neon(int32x4_t q, const float *scales, uint8_t *destination) {
    vst1q_u8(destination, vreinterpretq_u8_f32(vmulq_f32(vcvtq_f32_s32(q), vld1q_f32(scales))));
}

NNRT__FN void nnrt__bpu_dequantize_each_neon(const uint8_t *source, const float *scales, const int32_t *zero_points,
                                             uint8_t *destination, size_t count) {
    size_t i = 0;
    if (zero_points == NULL) {
        for (; i + 8 <= count; i += 8, source += 32, destination += 32) {
            nnrt__bpu_reals_neon(vreinterpretq_s32_u8(vld1q_u8(source)), scales + i, destination);
            nnrt__bpu_reals_neon(vreinterpretq_s32_u8(vld1q_u8(source + 16)), scales + i + 4, destination + 16);
        }
        nnrt__bpu_dequantize_each_scalar(source, scales + i, NULL, destination, count - i);
        return;
    }
    for (; i + 4 <= count; i += 4, source += 16, destination += 16)
        nnrt__bpu_reals_neon(vsubq_s32(vreinterpretq_s32_u8(vld1q_u8(source)), vld1q_s32(zero_points + i)), scales + i,
                             destination);
    nnrt__bpu_dequantize_each_scalar(source, scales + i, zero_points + i, destination, count - i);
}

NNRT__INLINE void nnrt__bpu_widened_neon(int16x8_t narrow, int32_t *q) {
    vst1q_s32(q, vmovl_s16(vget_low_s16(narrow)));
    vst1q_s32(q + 4, vmovl_s16(vget_high_s16(narrow)));
}

NNRT__FN void nnrt__bpu_widen_neon(nnrt__bpu_element element, const uint8_t *source, int32_t *q, size_t count) {
    switch ((int)element) {
    case NNRT__BPU_S8:
        for (; count >= 8; count -= 8, source += 8, q += 8)
            nnrt__bpu_widened_neon(vmovl_s8(vreinterpret_s8_u8(vld1_u8(source))), q);
        break;
    case NNRT__BPU_U8:
        for (; count >= 8; count -= 8, source += 8, q += 8)
            nnrt__bpu_widened_neon(vreinterpretq_s16_u16(vmovl_u8(vld1_u8(source))), q);
        break;
    case NNRT__BPU_S16:
        for (; count >= 8; count -= 8, source += 16, q += 8)
            nnrt__bpu_widened_neon(vreinterpretq_s16_u8(vld1q_u8(source)), q);
        break;
    case NNRT__BPU_U16:
        for (; count >= 4; count -= 4, source += 8, q += 4)
            vst1q_s32(q, vreinterpretq_s32_u32(vmovl_u16(vreinterpret_u16_u8(vld1_u8(source)))));
        break;
    default: break;
    }
    nnrt__bpu_widen_scalar(element, source, q, count);
}

NNRT__FN void nnrt__bpu_install_neon(nnrt__bpu_kernels *kernels) {
    kernels->widen = nnrt__bpu_widen_neon;
    kernels->dequantize_each = nnrt__bpu_dequantize_each_neon;
}

#endif /* NNRT_BPU_CONVERT_NEON_H */
