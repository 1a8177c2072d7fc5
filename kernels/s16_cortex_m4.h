/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/s16_cortex_m4.h - what the products of int16 for the DSP extension (Cortex-M4, M7, M33) share: the last step.

   A biased sum of 32 bits, as models have them, times the multiplier's upper 15 bits is cut off at 2^16, which smmul
   does, then at the bit that is rounded. A floor of a floor is one, so this is nnrt__requantize_wide_s16 for shifts of
   -2 and less. */
#ifndef NNRT_KERNELS_S16_CORTEX_M4_H
#define NNRT_KERNELS_S16_CORTEX_M4_H

#include "gemm_s16_scalar.h"
#include "internal.h"
#include "s16_scalar.h"

/* The constants of a channel, for sums that 32 bits hold or that are wanted modulo 2^32. */
typedef struct nnrt__s16_cortex_m4_channel {
    uint32_t bias;
    int32_t multiplier, shift; /* wide: the upper 15 bits, and how many to the right before the last one */
    bool wide;
} nnrt__s16_cortex_m4_channel;

/* Those of channel c, for sums of so many products; false: nothing but nnrt__finish_s16 takes them. */
NNRT__INLINE bool nnrt__s16_cortex_m4_take(const nnrt__channels_s16 *channels, size_t c, size_t products,
                                           nnrt__s16_cortex_m4_channel *to) {
    const int32_t bias = channels->bias[c], multiplier = channels->multiplier[c], shift = channels->shift[c];
    int32_t most;
    to->bias = (uint32_t)bias;
    to->multiplier = multiplier;
    to->shift = shift;
    to->wide = channels->bias_high != NULL;
    if (!to->wide) return true;
    if (products > NNRT__S16_PRODUCTS_MAX || shift > -2 || shift < -31 || multiplier < 0) return false;
    most = INT32_MAX - ((int32_t)products << 22); /* what the sums leave room for */
    to->multiplier = multiplier < 0x7fff0000 ? (multiplier + (1 << 15)) & ~0xffff : 0x7fff0000;
    to->shift = -2 - shift;
    return bias <= most && bias >= -most && channels->bias_high[c] == (bias < 0 ? -1 : 0);
}

/* nnrt__finish_s16 */
NNRT__INLINE int16_t nnrt__s16_cortex_m4_finish(const nnrt__s16_cortex_m4_channel *channel, uint32_t sum, int32_t low,
                                                int32_t high) {
    const int32_t x = (int32_t)(sum + channel->bias);
    int32_t y;
    if (!channel->wide) return nnrt__requantize_s16((uint32_t)x, channel->multiplier, channel->shift, low, high);
    y = (int32_t)((int64_t)x * channel->multiplier >> 32) >> channel->shift;
    return (int16_t)nnrt__clamp_i32((y + 1) >> 1, low, high);
}

#endif /* NNRT_KERNELS_S16_CORTEX_M4_H */
