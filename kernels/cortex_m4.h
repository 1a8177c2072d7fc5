/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/cortex_m4.h - instructions of the DSP extension (Cortex-M4, M7, M33, and ARMv6 up without NEON), and the last
   step of the int8 kernels made of them.

   They are written as such, as the compilers' arm_acle.h has had them for different times: GCC since 10. Each is one
   instruction and reads nothing but its operands. */
#ifndef NNRT_KERNELS_CORTEX_M4_H
#define NNRT_KERNELS_CORTEX_M4_H

#include "internal.h"

/* Bytes 0 and 2 of a word, or 1 and 3, each widened to a half of the result. */
NNRT__INLINE uint32_t nnrt__cortex_m4_even(uint32_t x) {
    uint32_t y;
    __asm__("sxtb16 %0, %1" : "=r"(y) : "r"(x));
    return y;
}

NNRT__INLINE uint32_t nnrt__cortex_m4_odd(uint32_t x) {
    uint32_t y;
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(y) : "r"(x));
    return y;
}

/* sum + the product of the lower halves, or of the upper ones; modulo 2^32. */
NNRT__INLINE uint32_t nnrt__cortex_m4_add_low(uint32_t sum, uint32_t x, uint32_t y) {
    __asm__("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(x), "r"(y));
    return sum;
}

NNRT__INLINE uint32_t nnrt__cortex_m4_add_high(uint32_t sum, uint32_t x, uint32_t y) {
    __asm__("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(x), "r"(y));
    return sum;
}

/* Four bytes, or two numbers of 16 bits, at any address. */
NNRT__INLINE uint32_t nnrt__cortex_m4_load(const void *from) {
    uint32_t x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Is this a factor that nnrt__cortex_m4_finish takes, as those of nearly every channel are: normalized, and below 1? */
NNRT__INLINE bool nnrt__cortex_m4_is_usual(int32_t multiplier, int32_t shift) {
    return multiplier >= 1 << 30 && shift < 0 && shift >= -20;
}

/* nnrt__requantize_s8 of a usual factor with the clamp -128..127. offset: 2 * zero_point + 1.

   smmulr of twice the sum is the rounded quotient. A sum beyond 2^30 is doubled with saturation: its quotient is then
   2^29 or more, as it would be without, and after at most 20 bits beyond every clamp. The shift is that of
   nnrt__requantize; the last bit is rounded together with the zero point, and ssat shifts it out. */
NNRT__INLINE int32_t nnrt__cortex_m4_finish(uint32_t sum, int32_t multiplier, int32_t shift, int32_t offset) {
    int32_t x, y;
    __asm__("qadd %0, %1, %1" : "=r"(x) : "r"(sum));
    __asm__("smmulr %0, %1, %2" : "=r"(x) : "r"(x), "r"(multiplier));
    x = ((x + (x >> 31)) >> ~shift) + offset;
    __asm__("ssat %0, #8, %1, asr #1" : "=r"(y) : "r"(x));
    return y;
}

/* What results have in common. */
typedef struct nnrt__cortex_m4_range {
    int32_t zero_point, low, high, offset;
    bool whole; /* -128..127 */
} nnrt__cortex_m4_range;

NNRT__INLINE nnrt__cortex_m4_range nnrt__cortex_m4_range_of(int32_t zero_point, int32_t low, int32_t high) {
    nnrt__cortex_m4_range range;
    range.zero_point = zero_point;
    range.low = low;
    range.high = high;
    range.offset = 2 * zero_point + 1;
    range.whole = low == -128 && high == 127;
    return range;
}

/* nnrt__requantize_s8, by the short way where that is right. */
NNRT__INLINE int8_t nnrt__cortex_m4_requantize(uint32_t sum, int32_t multiplier, int32_t shift,
                                               const nnrt__cortex_m4_range *range) {
    if (range->whole && nnrt__cortex_m4_is_usual(multiplier, shift))
        return (int8_t)nnrt__cortex_m4_finish(sum, multiplier, shift, range->offset);
    return nnrt__requantize_s8(sum, multiplier, shift, range->zero_point, range->low, range->high);
}

#endif /* NNRT_KERNELS_CORTEX_M4_H */
