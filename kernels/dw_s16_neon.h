/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_neon.h - dw_s16 for ARMv7 NEON and AArch64. Contract: dw_s16_scalar.h.

   Eight channels at a time; vmlal.s16 adds a product of at most 2^22 to 32 bits, 511 times at most. */
#ifndef NNRT_KERNELS_DW_S16_NEON_H
#define NNRT_KERNELS_DW_S16_NEON_H

#include "dw_s16_scalar.h"

/* The sums of the channels c to c + 7. */
NNRT__INLINE void nnrt__dw_s16_sums_neon(const int16_t *const *taps, const int8_t *w, size_t count, size_t channels,
                                         size_t c, int32_t *sums) {
    int32x4_t low = vdupq_n_s32(0), high = low;
    size_t t;
    for (t = 0; t < count; t++) {
        const int16x8_t x = vld1q_s16(taps[t] + c), y = vmovl_s8(vld1_s8(w + t * channels + c));
        low = vmlal_s16(low, vget_low_s16(x), vget_low_s16(y));
        high = vmlal_s16(high, vget_high_s16(x), vget_high_s16(y));
    }
    vst1q_s32(sums, low);
    vst1q_s32(sums + 4, high);
}

/* The last channels that are no eight begin among those before them; fewer than eight are done one by one. */
NNRT__FN void nnrt__dw_s16_neon(const nnrt__dw_s16_args *args) {
    const size_t channels = args->channels;
    int32_t sums[8];
    size_t pixel, at, c, k;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (pixel = 0; pixel < args->pixels; pixel++) {
        if (channels < 8 || args->tap_count > NNRT__S16_PRODUCTS_MAX) {
            nnrt__dw_s16_pixel(args, pixel, 0, channels);
            continue;
        }
        for (at = 0; at < channels; at += 8) {
            c = at + 8 <= channels ? at : channels - 8;
            nnrt__dw_s16_sums_neon(args->taps + pixel * args->tap_count, args->w, args->tap_count, channels, c, sums);
            for (k = 0; k < 8; k++)
                args->out[pixel * channels + c + k] =
                    nnrt__finish_s16(&args->constants, c + k, sums[k], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__dw_s16_neon_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_neon;
    t->dw_s16_isa = "neon";
}

#endif /* NNRT_KERNELS_DW_S16_NEON_H */
