/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_neon.h - avg_pool_s8 and max_pool_s8 for ARMv7 NEON and AArch64. Contract:
   pool_s8_scalar.h.

   Average: 8 channels at a time; a window of at most 256 pixels sums in 16 bits (256 * -128 = -2^15 fits), a
   larger one in 32. The division is a float estimate that an integer remainder then corrects, so it is
   exact. */
#ifndef NNRT_KERNELS_POOL_S8_NEON_H
#define NNRT_KERNELS_POOL_S8_NEON_H

#include "internal.h"
#include "pool_s8_scalar.h"
#include "requantize_neon.h"

/* round(sum / count), ties away from zero. The quotient is at most 129, and conversion, 1 / count and product
   are each off by 2^-24 at most, so the estimate differs from the true quotient by less than 1. */
NNRT__INLINE int32x4_t nnrt__pool_s8_neon_divide(int32x4_t sum, int32x4_t count, float reciprocal) {
    int32x4_t value = vaddq_s32(vabsq_s32(sum), vshrq_n_s32(count, 1));
    int32x4_t quotient = vcvtq_s32_f32(vmulq_n_f32(vcvtq_f32_s32(value), reciprocal));
    int32x4_t remainder = vmlsq_s32(value, quotient, count);
    int32x4_t sign = vshrq_n_s32(sum, 31);
    /* one too many: -1 */
    quotient = vsraq_n_s32(quotient, remainder, 31);
    quotient = vsubq_s32(quotient, vreinterpretq_s32_u32(vcgeq_s32(remainder, count))); /* one too few: +1 */
    return vsubq_s32(veorq_s32(quotient, sign), sign);
}

/* Sums of 8 channels; small: the window has at most 256 pixels. Constant arguments make the instances. */
NNRT__INLINE void nnrt__pool_s8_neon_sum(const nnrt__pool_s8_args *args, size_t first, size_t channels, bool small,
                                         int32x4_t *low, int32x4_t *high) {
    int16x8_t narrow = vdupq_n_s16(0);
    int32x4_t wide_low = vdupq_n_s32(0), wide_high = wide_low;
    size_t row, column;
    for (row = 0; row < args->rows; row++) {
        const int8_t *in = args->in + row * args->row_stride + first;
        for (column = 0; column < args->columns; column++, in += args->channels) {
            int8x8_t x = nnrt__load_bytes_neon(in, channels);
            if (small) {
                narrow = vaddw_s8(narrow, x);
            } else {
                int16x8_t wide = vmovl_s8(x);
                wide_low = vaddw_s16(wide_low, vget_low_s16(wide));
                wide_high = vaddw_s16(wide_high, vget_high_s16(wide));
            }
        }
    }
    *low = small ? vmovl_s16(vget_low_s16(narrow)) : wide_low;
    *high = small ? vmovl_s16(vget_high_s16(narrow)) : wide_high;
}

NNRT__FN void nnrt__avg_pool_s8_neon(const nnrt__pool_s8_args *args) {
    const size_t pixels = args->rows * args->columns;
    const nnrt__output_s8_neon out = nnrt__output_prepare_neon(-args->offset, args->clamp_min, args->clamp_max);
    const int32x4_t count = vdupq_n_s32((int32_t)pixels);
    const int32x4_t offset = vdupq_n_s32((int32_t)pixels * args->offset);
    const float reciprocal = 1.0f / (float)(int32_t)pixels;
    size_t first;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (first = 0; first < args->channels; first += 8) {
        const size_t channels = args->channels - first;
        int32x4_t low, high;
        if (pixels > 256) nnrt__pool_s8_neon_sum(args, first, channels, false, &low, &high);
        else if (channels < 8) nnrt__pool_s8_neon_sum(args, first, channels, true, &low, &high);
        else nnrt__pool_s8_neon_sum(args, first, 8, true, &low, &high);
        low = nnrt__pool_s8_neon_divide(vaddq_s32(low, offset), count, reciprocal);
        high = nnrt__pool_s8_neon_divide(vaddq_s32(high, offset), count, reciprocal);
        nnrt__store_bytes_neon(args->out + first, nnrt__output_bytes_neon(low, high, &out), channels);
    }
}

NNRT__INLINE int8x16_t nnrt__pool_s8_neon_max_16(const nnrt__pool_s8_args *args, size_t first) {
    int8x16_t most = vdupq_n_s8(-128);
    size_t row, column;
    for (row = 0; row < args->rows; row++) {
        const int8_t *in = args->in + row * args->row_stride + first;
        for (column = 0; column < args->columns; column++, in += args->channels) most = vmaxq_s8(most, vld1q_s8(in));
    }
    return most;
}

/* The maximum of up to 8 channels. */
NNRT__INLINE int8x8_t nnrt__pool_s8_neon_max_8(const nnrt__pool_s8_args *args, size_t first, size_t channels) {
    int8x8_t most = vdup_n_s8(-128);
    size_t row, column;
    for (row = 0; row < args->rows; row++) {
        const int8_t *in = args->in + row * args->row_stride + first;
        for (column = 0; column < args->columns; column++, in += args->channels)
            most = vmax_s8(most, nnrt__load_bytes_neon(in, channels));
    }
    return most;
}

NNRT__FN void nnrt__max_pool_s8_neon(const nnrt__pool_s8_args *args) {
    const int8x16_t low = vdupq_n_s8((int8_t)args->clamp_min), high = vdupq_n_s8((int8_t)args->clamp_max);
    size_t first = 0;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (; first + 16 <= args->channels; first += 16)
        vst1q_s8(args->out + first, vminq_s8(vmaxq_s8(nnrt__pool_s8_neon_max_16(args, first), low), high));
    for (; first < args->channels; first += 8) {
        const size_t channels = args->channels - first;
        int8x8_t most = nnrt__pool_s8_neon_max_8(args, first, channels);
        most = vmin_s8(vmax_s8(most, vget_low_s8(low)), vget_low_s8(high));
        nnrt__store_bytes_neon(args->out + first, most, channels);
    }
}

NNRT__FN void nnrt__avg_pool_s8_neon_install(nnrt__cpu_table *t) {
    t->avg_pool_s8 = nnrt__avg_pool_s8_neon;
    t->avg_pool_s8_isa = "neon";
}

NNRT__FN void nnrt__max_pool_s8_neon_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_neon;
    t->max_pool_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_POOL_S8_NEON_H */
