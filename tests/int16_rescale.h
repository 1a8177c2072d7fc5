/* SPDX-License-Identifier: Apache-2.0 */
/* int16_rescale.h - numbers of int16, and how TensorFlow Lite rescales them in 64 bits. Define SEED before it. */
#ifndef NNRT_TESTS_INT16_RESCALE_H
#define NNRT_TESTS_INT16_RESCALE_H

#include "noise.h"

#include <math.h>

/* factor = *multiplier * 2^(*exponent - 31) */
NOISE_FN void split_factor(double factor, int64_t *multiplier, int *exponent) {
    *multiplier = llround(frexp(factor, exponent) * 2147483648.0);
    if (*multiplier == (int64_t)1 << 31) {
        *multiplier /= 2;
        ++*exponent;
    }
    if (*exponent < -31) {
        *multiplier = 0;
        *exponent = 0;
    }
}

/* x * factor with a sum of 32 bits: rounded to 31 bits behind the point, then to none, ties away from zero. */
NOISE_FN int64_t rescale(int64_t x, double factor) {
    int64_t multiplier, product, mask;
    int exponent;
    split_factor(factor, &multiplier, &exponent);
    if (exponent > 0) x *= (int64_t)1 << exponent;
    product = x * multiplier;
    product = (product + (product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    if (exponent >= 0) return product;
    mask = (int64_t)1 << -exponent;
    return product >= 0 ? (product + mask / 2) / mask : -((-product + mask / 2) / mask);
}

/* x * factor with a sum of 64 bits: the multiplier has 15 bits, ties go up. */
NOISE_FN int64_t rescale_wide(int64_t x, double factor) {
    int64_t multiplier;
    int exponent;
    split_factor(factor, &multiplier, &exponent);
    multiplier = multiplier < 0x7fff0000 ? (multiplier + 32768) / 65536 : 32767;
    return (int64_t)floor(ldexp((double)(x * multiplier), exponent - 15) + 0.5);
}

/* Even numbers of int16, and now and then the ends of the range. */
NOISE_FN int16_t number(void) {
    const int32_t kind = noise_in(0, 15);
    return (int16_t)(kind == 0 ? -32768 : kind == 1 ? 32767 : noise_in(-32768, 32767));
}

#endif /* NNRT_TESTS_INT16_RESCALE_H */
