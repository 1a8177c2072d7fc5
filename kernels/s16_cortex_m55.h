/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/s16_cortex_m55.h - what the products of int16 for Helium (Cortex-M55, M85) share: the last step of four sums
   at once.

   It takes sums that 32 bits hold exactly, or that the model wants modulo 2^32 anyway (s16_scalar.h). With biases of 64
   bits that is so for sums of at most NNRT__S16_CORTEX_M55_PRODUCTS products where a bias stays within what they leave,
   as those of models do; others go the portable way, channel by channel.

   vqdmulh of the multiplier's upper 15 bits is floor(x * reduced / 2^15). A further shift to the right rounds its last
   bit, and nothing that was cut off before could change that: both floors together are one, so this is
   nnrt__requantize_wide_s16. Of biases of 32 bits it is nnrt__requantize, by cortex_m55.h. */
#ifndef NNRT_KERNELS_S16_CORTEX_M55_H
#define NNRT_KERNELS_S16_CORTEX_M55_H

#include "cortex_m55.h"
#include "gemm_s16_scalar.h"
#include "internal.h"
#include "s16_scalar.h"

#define NNRT__S16_CORTEX_M55_PRODUCTS NNRT__S16_PRODUCTS_MAX

/* What a call has for all of its channels. */
typedef struct nnrt__s16_cortex_m55_range {
    bool wide;          /* biases have 64 bits */
    uint32_t most_bias; /* the largest one that the sums leave room for */
    int32x4_t low, high;
} nnrt__s16_cortex_m55_range;

/* Constants of up to four channels. */
typedef struct nnrt__s16_cortex_m55_four {
    int32x4_t bias, multiplier, shift;
} nnrt__s16_cortex_m55_four;

/* Do sums of so many products fit? */
NNRT__INLINE bool nnrt__s16_cortex_m55_fits(const nnrt__channels_s16 *channels, size_t products) {
    return channels->bias_high == NULL || products <= NNRT__S16_CORTEX_M55_PRODUCTS;
}

/* Of sums that fit. */
NNRT__INLINE nnrt__s16_cortex_m55_range nnrt__s16_cortex_m55_range_of(const nnrt__channels_s16 *channels,
                                                                      size_t products, int32_t low, int32_t high) {
    nnrt__s16_cortex_m55_range range;
    range.wide = channels->bias_high != NULL;
    range.most_bias = range.wide ? (uint32_t)INT32_MAX - ((uint32_t)products << 22) : 0;
    range.low = __arm_vdupq_n_s32(low);
    range.high = __arm_vdupq_n_s32(high);
    return range;
}

/* The constants of the channels first + places[i] where `are_left` has them; false: one is not usual. */
NNRT__INLINE bool nnrt__s16_cortex_m55_take(const nnrt__s16_cortex_m55_range *range, const nnrt__channels_s16 *channels,
                                            size_t first, uint32x4_t places, mve_pred16_t are_left,
                                            nnrt__s16_cortex_m55_four *four) {
    mve_pred16_t odd;
    four->bias = __arm_vldrwq_gather_shifted_offset_z_s32(channels->bias + first, places, are_left);
    four->multiplier = __arm_vldrwq_gather_shifted_offset_z_s32(channels->multiplier + first, places, are_left);
    four->shift = __arm_vldrwq_gather_shifted_offset_z_s32(channels->shift + first, places, are_left);
    /* nnrt__cortex_m55_is_usual: -31 up to -1 */
    odd = __arm_vcmphiq_m_n_u32(__arm_vreinterpretq_u32_s32(__arm_vaddq_n_s32(four->shift, 31)), 30, are_left);
    if (range->wide) {
        const int32x4_t high = __arm_vldrwq_gather_shifted_offset_z_s32(channels->bias_high + first, places, are_left);
        odd |= __arm_vcmpneq_m_s32(high, __arm_vshrq_n_s32(four->bias, 31), are_left);
        odd |=
            __arm_vcmphiq_m_n_u32(__arm_vreinterpretq_u32_s32(__arm_vabsq_s32(four->bias)), range->most_bias, are_left);
        /* rounded to the upper 15 bits */
        four->multiplier =
            __arm_vandq_s32(__arm_vqaddq_n_s32(four->multiplier, 1 << 15), __arm_vdupq_n_s32(-(1 << 16)));
    }
    return odd == 0;
}

/* nnrt__finish_s16 of four sums. */
NNRT__INLINE int32x4_t nnrt__s16_cortex_m55_finish(int32x4_t sums, const nnrt__s16_cortex_m55_four *four,
                                                   const nnrt__s16_cortex_m55_range *range) {
    int32x4_t x = __arm_vaddq_s32(sums, four->bias);
    if (range->wide) x = __arm_vqdmulhq_s32(x, four->multiplier);
    else x = nnrt__cortex_m55_down(__arm_vqrdmulhq_s32(x, four->multiplier));
    x = __arm_vrshlq_s32(x, four->shift);
    return __arm_vminq_s32(__arm_vmaxq_s32(x, range->low), range->high);
}

#endif /* NNRT_KERNELS_S16_CORTEX_M55_H */
