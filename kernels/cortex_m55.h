/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/cortex_m55.h - what the int8 kernels for Helium (MVE: Cortex-M55, M85) share: the last step of four
   sums at once.

   vqrdmulh is nnrt__rounding_doubling_high_mul, saturation included. vrshl adds half and shifts, as if in more than 32
   bits; with the 1 that is taken away below zero that is nnrt__rounding_divide_by_pot, for shifts to the right by
   one or more. The clamp comes before the zero point, so that nothing overflows. */
#ifndef NNRT_KERNELS_CORTEX_M55_H
#define NNRT_KERNELS_CORTEX_M55_H

#include "internal.h"

/* Does nnrt__cortex_m55_finish take this shift? */
NNRT__INLINE bool nnrt__cortex_m55_is_usual(int32_t shift) { return shift < 0 && shift >= -31; }

/* What results have in common. */
typedef struct nnrt__cortex_m55_range {
    int32x4_t low, high; /* less the zero point */
    int32_t zero_point;
} nnrt__cortex_m55_range;

NNRT__INLINE nnrt__cortex_m55_range nnrt__cortex_m55_range_of(int32_t zero_point, int32_t low, int32_t high) {
    nnrt__cortex_m55_range range;
    range.low = __arm_vdupq_n_s32(low - zero_point);
    range.high = __arm_vdupq_n_s32(high - zero_point);
    range.zero_point = zero_point;
    return range;
}

/* Rounded quotients, less 1 below zero: vrshl of them rounds as nnrt__requantize does. */
NNRT__INLINE int32x4_t nnrt__cortex_m55_down(int32x4_t quotient) {
    return __arm_vaddq_s32(quotient, __arm_vshrq_n_s32(quotient, 31));
}

/* Within the range, and the zero point added. */
NNRT__INLINE int32x4_t nnrt__cortex_m55_clamp(int32x4_t x, const nnrt__cortex_m55_range *range) {
    return __arm_vaddq_n_s32(__arm_vminq_s32(__arm_vmaxq_s32(x, range->low), range->high), range->zero_point);
}

#endif /* NNRT_KERNELS_CORTEX_M55_H */
