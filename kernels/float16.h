/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/float16.h - IEEE 754 half precision in integer arithmetic: it needs no support from the processor.

   float32 to float16 takes the nearest, ties to the even one; 65520 and more become infinity, subnormals are kept.
   float16 to float32 is exact. A NaN stays a NaN of its sign and its upper payload bits and becomes quiet. No rounding
   mode matters. */
#ifndef NNRT_KERNELS_FLOAT16_H
#define NNRT_KERNELS_FLOAT16_H

#include "internal.h"

NNRT__INLINE uint32_t nnrt__float32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

NNRT__INLINE float nnrt__float32_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The float16 of the float32 with these bits. */
NNRT__INLINE uint16_t nnrt__float16_from_bits(uint32_t bits) {
    const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    uint32_t half;
    if (magnitude >= 0x38800000u) { /* 2^-14 and more: normal */
        if (magnitude > 0x7f800000u) half = 0x7e00u | (magnitude >> 13 & 0x3ffu);
        else if (magnitude >= 0x47800000u) half = 0x7c00u;
        else /* a carry goes into the exponent, up to infinity */
            half = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    } else if (magnitude > 0x33000000u) { /* above 2^-25: a multiple of 2^-24 */
        const uint32_t shift = 126 - (magnitude >> 23), mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        const uint32_t rest = mantissa & (((uint32_t)1 << shift) - 1), tie = (uint32_t)1 << (shift - 1);
        half = mantissa >> shift;
        half += rest > tie || (rest == tie && (half & 1) != 0) ? 1 : 0;
    } else {
        half = 0;
    }
    return (uint16_t)(sign | half);
}

/* Bits of the float32 that a float16 is. */
NNRT__INLINE uint32_t nnrt__float16_widened(uint32_t half) {
    const uint32_t sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    if (magnitude < 0x400u) return sign | nnrt__float32_bits((float)magnitude * (1.0f / 16777216.0f));
    if (magnitude < 0x7c00u) return sign | ((magnitude << 13) + 0x38000000u);
    return sign | 0x7f800000u | (magnitude > 0x7c00u ? 0x400000u : 0) | (magnitude & 0x3ffu) << 13;
}

NNRT__INLINE uint16_t nnrt__float16_from_float32(float value) {
    return nnrt__float16_from_bits(nnrt__float32_bits(value));
}

NNRT__INLINE float nnrt__float16_to_float32(uint16_t value) {
    return nnrt__float32_of_bits(nnrt__float16_widened(value));
}

#endif /* NNRT_KERNELS_FLOAT16_H */
