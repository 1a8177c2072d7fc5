/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/arithmetic.h - shifts and rounding.

   Every shift of the NPU rounds to the nearest, halves to the even neighbour, unless a bit says away from 0; between
   two values of the table it cuts off. Values are kept in 64 bits here. What silicon does when one leaves 32 bits is
   not known: the job stops. */
#ifndef NNRT_TOOLS_RKCHIP_ARITHMETIC_H
#define NNRT_TOOLS_RKCHIP_ARITHMETIC_H

#include "chip.h"

/* value / 2^shift towards minus infinity. C leaves the shift of a negative number to the compiler; each that nnrt is
   built with shifts the sign in, and a test holds that. */
static int64_t rkchip_floor_shift(int64_t value, unsigned shift) { return value >> shift; }

/* value / 2^shift to the nearest, halves to even. |value| below 2^62, shift below 62. */
static int64_t rkchip_round_shift(int64_t value, unsigned shift) {
    if (shift == 0) return value;
    return rkchip_floor_shift(value + (((int64_t)1 << (shift - 1)) - 1) + (rkchip_floor_shift(value, shift) & 1),
                              shift);
}

/* The same, halves away from 0. */
static int64_t rkchip_round_away(int64_t value, unsigned shift) {
    if (shift == 0) return value;
    return rkchip_floor_shift(value + ((int64_t)1 << (shift - 1)) - (value < 0), shift);
}

/* By another shift where the value is negative: both are fields of registers. */
static int64_t rkchip_scale(int64_t value, unsigned positive, unsigned negative) {
    return rkchip_round_shift(value, value < 0 ? negative : positive);
}

static bool rkchip_is_32(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

static int64_t rkchip_clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

#endif /* NNRT_TOOLS_RKCHIP_ARITHMETIC_H */
