/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/scale.h - real factors as the chip multiplies, and how far that is from the CPU device.
   >>rknpu_open_scale

   Of a sum of products the chip makes
       value  = round(sum * factor of the channel / 2^shift)
       output = round((value * factor + (zero point << shift)) / 2^shift)
   with factors of 15 bits, halves to even, cut to int8 (silicon: RV1103; seen: RK3588). The CPU device has one factor
   of 31 bits. The largest channel factor is anywhere in 15 bits, which leaves the other one a choice: the pair is taken
   that is nearest for all channels together. The vendor's compiler makes the largest 2^14 and shifts by 14; here the
   first shift is smaller where the value would have few bits, so that its rounding does not show. Shifts other than 14
   beside a convolution are documented, not seen. */
#ifndef NNRT_RKNPU_OPEN_SCALE_H
#define NNRT_RKNPU_OPEN_SCALE_H

#include <math.h>

#include "../kernels/internal.h"
#include "chip.h"

#define NNRT__OPEN_NPU_SCALE_TRIES 64
#define NNRT__OPEN_NPU_MOST_OUT_SHIFT 47u
#define NNRT__OPEN_NPU_MOST_SHIFT 31u

/* From a value to a byte. */
typedef struct nnrt__open_npu_output {
    int32_t factor; /* below 2^15 */
    uint32_t shift;
    int32_t zero_point;
} nnrt__open_npu_output;

/* From sums to bytes. */
typedef struct nnrt__open_npu_scales {
    uint32_t shift; /* behind the factors of channels */
    nnrt__open_npu_output output;
} nnrt__open_npu_scales;

/* value / 2^shift to the nearest, halves to even. |value| below 2^62. */
NNRT__FN int64_t nnrt__open_npu_round(int64_t value, uint32_t shift) {
    const int64_t unit = (int64_t)1 << shift;
    int64_t whole = value / unit, rest = value % unit;
    if (rest < 0) {
        rest += unit;
        whole--;
    }
    if (2 * rest > unit || (2 * rest == unit && whole % 2 != 0)) whole++;
    return whole;
}

/* The byte that a value becomes. */
NNRT__FN int32_t nnrt__open_npu_byte(int64_t value, const nnrt__open_npu_output *output) {
    const int64_t wide = value * output->factor + output->zero_point * ((int64_t)1 << output->shift);
    const int64_t byte = nnrt__open_npu_round(wide, output->shift);
    return byte < -128 ? -128 : byte > 127 ? 127 : (int32_t)byte;
}

/* The byte that a sum becomes. */
NNRT__FN int32_t nnrt__open_npu_sum_byte(int64_t sum, uint32_t factor, const nnrt__open_npu_scales *scales) {
    return nnrt__open_npu_byte(nnrt__open_npu_round(sum * (int64_t)factor, scales->shift), &scales->output);
}

/* ratio as factor / 2^shift with factor in 2^14..2^15, or less where the shift would be too large. false: ratio is not
   a number, or larger than any factor. */
NNRT__FN bool nnrt__open_npu_output_of(double ratio, nnrt__open_npu_output *output) {
    int exponent;
    double fraction;
    if (!(ratio > 0) || ratio > 16384.0) return false;
    fraction = frexp(ratio, &exponent); /* 0.5 <= fraction < 1 */
    output->factor = (int32_t)(fraction * 32768.0 + 0.5);
    if (output->factor > NNRT__OPEN_NPU_LARGEST_FACTOR) {
        output->factor /= 2;
        exponent++;
    }
    while (15 - exponent > (int)NNRT__OPEN_NPU_MOST_OUT_SHIFT) {
        output->factor /= 2;
        exponent++;
    }
    if (exponent > 15) return false;
    output->shift = (uint32_t)(15 - exponent);
    return true;
}

/* 2^exponent. */
NNRT__FN double nnrt__open_npu_power(int exponent) { return ldexp(1.0, exponent); }

/* The factors of channels for this output, and by how much they miss the ratios, in parts of them, all together. A
   channel whose factor does not fit misses them by a lot. channels may be NULL. */
NNRT__FN double nnrt__open_npu_channels(const double *ratios, uint32_t count, const nnrt__open_npu_scales *scales,
                                        uint16_t *channels) {
    const double unit =
        (double)scales->output.factor / nnrt__open_npu_power((int)scales->shift + (int)scales->output.shift);
    double missed = 0;
    uint32_t i;
    for (i = 0; i < count; i++) {
        const double factor = floor(ratios[i] / unit + 0.5);
        if (factor > NNRT__OPEN_NPU_LARGEST_FACTOR) return (double)count + 1;
        missed += fabs(factor * unit / ratios[i] - 1);
        if (channels != NULL) channels[i] = (uint16_t)factor;
    }
    return missed;
}

/* The same where channels are far apart: steps[i] are what sums of a channel make at most, and what counts is how many
   steps the worst channel is away. */
NNRT__FN double nnrt__open_npu_worst_channel(const double *ratios, const double *steps, uint32_t count,
                                             const nnrt__open_npu_scales *scales) {
    const double unit =
        (double)scales->output.factor / nnrt__open_npu_power((int)scales->shift + (int)scales->output.shift);
    double worst = 0;
    uint32_t i;
    for (i = 0; i < count; i++) {
        const double factor = floor(ratios[i] / unit + 0.5), away = fabs(factor * unit / ratios[i] - 1) * steps[i];
        if (factor > NNRT__OPEN_NPU_LARGEST_FACTOR) return (double)count * 256;
        if (away > worst) worst = away;
    }
    return worst;
}

/* Scales of a convolution: ratio of each channel > 0, and the largest sum, in magnitude, that there can be. channels:
   room for count factors. whole: the first shift is 0 where that fits, so that there is one rounding. steps: NULL, or
   of nnrt__open_npu_worst_channel, for which more factors are tried. false: they cannot be had. */
NNRT__FN bool nnrt__open_npu_scales_of(const double *ratios, const double *steps, uint32_t count, int64_t largest_sum,
                                       int32_t zero_point, bool whole, nnrt__open_npu_scales *scales,
                                       uint16_t *channels) {
    const uint32_t tries = NNRT__OPEN_NPU_SCALE_TRIES * (steps != NULL ? 8 : 1);
    double most = 0, best = -1;
    uint32_t shift = whole ? 0 : 14, i;
    for (i = 0; i < count; i++)
        if (ratios[i] > most) most = ratios[i];
    if (!(most > 0)) return false;
    /* of a value at least 13 bits count for one step of the output, unless it would leave 32 bits */
    while (shift > 0 && most * nnrt__open_npu_power((int)shift - 15) > nnrt__open_npu_power(-13)) shift--;
    while (shift < NNRT__OPEN_NPU_MOST_SHIFT &&
           (double)largest_sum * NNRT__OPEN_NPU_LARGEST_FACTOR > 2147483000.0 * nnrt__open_npu_power((int)shift))
        shift++;
    for (i = 0; i < tries; i++) {
        const double largest = NNRT__OPEN_NPU_LARGEST_FACTOR - (double)i * (16384.0 / tries);
        nnrt__open_npu_scales tried;
        double missed;
        tried.shift = shift;
        tried.output.zero_point = zero_point;
        if (!nnrt__open_npu_output_of(most * nnrt__open_npu_power((int)shift) / largest, &tried.output)) continue;
        missed = steps != NULL ? nnrt__open_npu_worst_channel(ratios, steps, count, &tried)
                               : nnrt__open_npu_channels(ratios, count, &tried, NULL);
        if (best >= 0 && missed >= best) continue;
        best = missed;
        *scales = tried;
    }
    if (best < 0 || nnrt__open_npu_channels(ratios, count, scales, NULL) > count) return false;
    (void)nnrt__open_npu_channels(ratios, count, scales, channels);
    return true;
}

/* ----------------------------------------------------------------------------------------- beside the CPU device */

/* What the CPU device makes of a sum. */
typedef struct nnrt__open_npu_cpu {
    int32_t multiplier, shift, zero_point;
} nnrt__open_npu_cpu;

/* The least sum from -largest..largest + 1 on that becomes `byte` or more. */
NNRT__FN int64_t nnrt__open_npu_threshold(int32_t byte, uint32_t factor, const nnrt__open_npu_scales *scales,
                                          int64_t largest) {
    int64_t low = -largest, high = largest + 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (nnrt__open_npu_sum_byte(middle, factor, scales) >= byte) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* Does every sum from -largest to largest, below 2^31, become the same byte on both? Both only ever rise. */
NNRT__FN bool nnrt__open_npu_same(uint32_t factor, const nnrt__open_npu_scales *scales, const nnrt__open_npu_cpu *cpu,
                                  int64_t largest) {
    int32_t byte;
    for (byte = -127; byte <= 127; byte++) {
        const int64_t at = nnrt__open_npu_threshold(byte, factor, scales, largest);
        if (at <= largest &&
            nnrt__requantize_s8((uint32_t)at, cpu->multiplier, cpu->shift, cpu->zero_point, -128, 127) < byte)
            return false;
        if (at > -largest &&
            nnrt__requantize_s8((uint32_t)(at - 1), cpu->multiplier, cpu->shift, cpu->zero_point, -128, 127) >= byte)
            return false;
    }
    return true;
}

#endif /* NNRT_RKNPU_OPEN_SCALE_H */
