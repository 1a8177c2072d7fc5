/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/blend_neon.h - blend_s8 and blend_f32 for ARMv7 NEON and AArch64. Contract: blend_scalar.h.

   Bytes: left and right of a row meet in 32 bits, exactly, then the rows. vrshr rounds half up: 1 is taken from what is
   negative. */
#ifndef NNRT_KERNELS_BLEND_NEON_H
#define NNRT_KERNELS_BLEND_NEON_H

#include "blend_scalar.h"
#include "requantize_neon.h"

/* Four channels of four pixels. */
NNRT__INLINE int32x4_t nnrt__blend_4_neon(int16x4_t a, int16x4_t b, int16x4_t c, int16x4_t d,
                                          const nnrt__blend_s8_args *args) {
    const int16_t right = (int16_t)args->right, left = (int16_t)(1024 - args->right);
    const int32x4_t upper = vmlal_n_s16(vmull_n_s16(a, left), b, right);
    const int32x4_t lower = vmlal_n_s16(vmull_n_s16(c, left), d, right);
    const int32x4_t sum = vmlaq_n_s32(vmulq_n_s32(upper, 1024 - args->down), lower, args->down);
    return vrshrq_n_s32(vsraq_n_s32(sum, sum, 31), 20);
}

NNRT__FN void nnrt__blend_s8_neon(const nnrt__blend_s8_args *args) {
    size_t i;
    NNRT_ASSERT(nnrt__blend_s8_is_right(args));
    if (args->n < 3) {
        nnrt__blend_s8_scalar(args);
        return;
    }
    for (i = 0; i < args->n; i += 8) {
        const size_t left = args->n - i;
        const int16x8_t a = vmovl_s8(nnrt__load_bytes_neon(args->upper[0] + i, left));
        const int16x8_t b = vmovl_s8(nnrt__load_bytes_neon(args->upper[1] + i, left));
        const int16x8_t c = vmovl_s8(nnrt__load_bytes_neon(args->lower[0] + i, left));
        const int16x8_t d = vmovl_s8(nnrt__load_bytes_neon(args->lower[1] + i, left));
        const int16x4_t low =
            vmovn_s32(nnrt__blend_4_neon(vget_low_s16(a), vget_low_s16(b), vget_low_s16(c), vget_low_s16(d), args));
        const int16x4_t high =
            vmovn_s32(nnrt__blend_4_neon(vget_high_s16(a), vget_high_s16(b), vget_high_s16(c), vget_high_s16(d), args));
        nnrt__store_bytes_neon(args->to + i, vmovn_s16(vcombine_s16(low, high)), left);
    }
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN void nnrt__blend_f32_neon(const nnrt__blend_f32_args *args) {
    const float32x4_t right = vdupq_n_f32(args->right), down = vdupq_n_f32(args->down);
    size_t i;
    NNRT_ASSERT(nnrt__blend_f32_is_right(args));
    for (i = 0; i + 4 <= args->n; i += 4) {
        const float32x4_t a = vld1q_f32(args->upper[0] + i), c = vld1q_f32(args->lower[0] + i);
        const float32x4_t p = vaddq_f32(a, vmulq_f32(vsubq_f32(vld1q_f32(args->upper[1] + i), a), right));
        const float32x4_t q = vaddq_f32(c, vmulq_f32(vsubq_f32(vld1q_f32(args->lower[1] + i), c), right));
        vst1q_f32(args->to + i, vaddq_f32(p, vmulq_f32(vsubq_f32(q, p), down)));
    }
    nnrt__blend_f32_from(args, i);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__blend_neon_install(nnrt__cpu_table *t) {
    t->blend_s8 = nnrt__blend_s8_neon;
    t->blend_f32 = nnrt__blend_f32_neon;
    t->blend_s8_isa = t->blend_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_BLEND_NEON_H */
