/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/convert_neon.h - the hot loop of convert_scalar.h for ARMv7 NEON and AArch64: the same bytes.
   >>bpu_convert_neon

   ARMv7 NEON flushes subnormal numbers to zero: convert.h comes here with scales of 0, or of 2^-100 and more, by which
   no product is one. Little-endian only. */
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

NNRT__FN void nnrt__bpu_install_neon(nnrt__bpu_kernels *kernels) {
    kernels->dequantize_each = nnrt__bpu_dequantize_each_neon;
}

#endif /* NNRT_BPU_CONVERT_NEON_H */
