/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/convert_scalar.h - the inner loops of convert.h in portable C, which is the definition of every byte.
   >>bpu_convert_scalar

   What npu/layout_scalar.h does not have: elements of 4 bits, a scale for each element, and integers of 32 and 64 bits.
     float32 to integers  the integer nearest to x / scale + zero point in double, ties to even, clamped to the type.
                          NaN counts as 0, and so does everything with a scale of 0. Up to 16 bits that is the exact
                          quotient, as in layout_scalar.h.
     integers to float32  (float)(q - zero point) * scale; the difference is exact up to 32 bits, and in double for 64.
   A shift is a scale of 2^-shift. Elements lie at any address. */
#ifndef NNRT_BPU_CONVERT_SCALAR_H
#define NNRT_BPU_CONVERT_SCALAR_H

#include "../npu/layout.h"
#include "tensor.h"

/* count integers of 32 bits at source, each with its scale and zero point (NULL: all are 0), to float32. No difference
   leaves 32 bits. */
typedef void (*nnrt__bpu_dequantize_call)(const uint8_t *source, const float *scales, const int32_t *zero_points,
                                          uint8_t *destination, size_t count);

/* count elements of 4, 8 or 16 bits, as integers of 32 bits. Elements of 4 bits begin with a byte. */
typedef void (*nnrt__bpu_widen_call)(nnrt__bpu_element element, const uint8_t *source, int32_t *q, size_t count);

typedef struct nnrt__bpu_kernels {
    nnrt__layout_kernels layout;
    nnrt__bpu_widen_call widen;
    nnrt__bpu_dequantize_call dequantize_each;
} nnrt__bpu_kernels;

NNRT__FN void nnrt__bpu_dequantize_each_scalar(const uint8_t *source, const float *scales, const int32_t *zero_points,
                                               uint8_t *destination, size_t count) {
    size_t i;
    for (i = 0; i < count; i++, source += 4, destination += 4) {
        const int32_t q = nnrt__read_i32(source) - (zero_points != NULL ? zero_points[i] : 0);
        const float real = (float)q * scales[i];
        memcpy(destination, &real, 4);
    }
}

/* Rounds to the nearest integer between -2^53 and 2^53, ties to even, in every rounding mode. */
NNRT__INLINE double nnrt__bpu_nearest(double value) {
    const int64_t cut = (int64_t)value;
    const double rest = value - (double)cut; /* exact */
    if (rest > 0.5 || (rest == 0.5 && (cut & 1) != 0)) return (double)(cut + 1);
    if (rest < -0.5 || (rest == -0.5 && (cut & 1) != 0)) return (double)(cut - 1);
    return (double)cut;
}

/* x / scale + zero point as an integer of low to high, which are integers; what lies between 2^52 and them has no
   fraction. */
NNRT__INLINE double nnrt__bpu_quantized(float x, float scale, double zero_point, double low, double high) {
    const bool counts = x == x && scale != 0.0f;
    const double value = (counts ? (double)x / (double)scale : 0.0) + zero_point;
    if (value <= low) return low;
    if (value >= high) return high;
    return value < 4503599627370496.0 && value > -4503599627370496.0 ? nnrt__bpu_nearest(value) : value;
}

/* The least and the greatest number of an integer type; for 64 bits the greatest + 1, which is exact in double;
   nnrt__bpu_write_integer clamps it. */
NNRT__FN void nnrt__bpu_range(nnrt__bpu_element element, double *low, double *high) {
    const uint32_t bits = nnrt__bpu_element_bits(element);
    const bool is_signed = element == NNRT__BPU_S4 || element == NNRT__BPU_S8 || element == NNRT__BPU_S16 ||
                           element == NNRT__BPU_S32 || element == NNRT__BPU_S64;
    const double half = (double)((uint64_t)1 << (bits - 1));
    *low = is_signed ? -half : 0.0;
    *high = (is_signed ? half : half * 2.0) - (bits == 64 ? 0.0 : 1.0);
}

/* Writes an integer of any type made by nnrt__bpu_quantized. */
NNRT__FN void nnrt__bpu_write_integer(nnrt__bpu_element element, double value, uint8_t *to) {
    int64_t q;
    uint64_t u;
    if (element == NNRT__BPU_U64) {
        u = value >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)value;
        memcpy(to, &u, 8);
    } else if (element == NNRT__BPU_S64) {
        q = value >= 9223372036854775808.0 ? INT64_MAX : (int64_t)value;
        memcpy(to, &q, 8);
    } else {
        const uint32_t word = (uint32_t)(int64_t)value;
        const uint16_t half = (uint16_t)word;
        switch (nnrt__bpu_element_bits(element)) {
        case 32: memcpy(to, &word, 4); break;
        case 16: memcpy(to, &half, 2); break;
        default: *to = (uint8_t)word; break;
        }
    }
}

/* One integer of 32 or 64 bits. */
NNRT__FN double nnrt__bpu_read_wide(nnrt__bpu_element element, const uint8_t *from) {
    uint64_t u;
    if (element == NNRT__BPU_S32) return (double)nnrt__read_i32(from);
    if (element == NNRT__BPU_U32) return (double)(uint32_t)nnrt__read_i32(from);
    if (element == NNRT__BPU_S64) return (double)nnrt__read_i64(from);
    memcpy(&u, from, 8);
    return (double)u;
}

NNRT__FN void nnrt__bpu_widen_scalar(nnrt__bpu_element element, const uint8_t *source, int32_t *q, size_t count) {
    size_t i;
    uint16_t u;
    int16_t s;
    switch ((int)element) {
    case NNRT__BPU_S4:
        for (i = 0; i < count; i++) q[i] = (((source[i / 2] >> (i % 2 * 4)) & 15) ^ 8) - 8;
        break;
    case NNRT__BPU_U4:
        for (i = 0; i < count; i++) q[i] = (source[i / 2] >> (i % 2 * 4)) & 15;
        break;
    case NNRT__BPU_S8:
        for (i = 0; i < count; i++) q[i] = (int8_t)source[i];
        break;
    case NNRT__BPU_U8:
        for (i = 0; i < count; i++) q[i] = source[i];
        break;
    case NNRT__BPU_S16:
        for (i = 0; i < count; i++) {
            memcpy(&s, source + 2 * i, 2);
            q[i] = s;
        }
        break;
    case NNRT__BPU_U16:
    default:
        for (i = 0; i < count; i++) {
            memcpy(&u, source + 2 * i, 2);
            q[i] = u;
        }
        break;
    }
}

/* count bytes, each of which holds an element of 4 bits in its low half, two in one. The other half of the last byte
   is 0. */
NNRT__FN void nnrt__bpu_pack(const uint8_t *source, uint8_t *destination, size_t count) {
    size_t i;
    for (i = 0; i + 1 < count; i += 2) *destination++ = (uint8_t)((source[i] & 15) | source[i + 1] << 4);
    if (i < count) *destination = source[i] & 15;
}

/* And back, to int8 or uint8. */
NNRT__FN void nnrt__bpu_unpack(bool is_signed, const uint8_t *source, uint8_t *destination, size_t count) {
    const uint8_t sign = is_signed ? 8 : 0;
    size_t i;
    for (i = 0; i < count; i++) destination[i] = (uint8_t)((((source[i / 2] >> (i % 2 * 4)) & 15) ^ sign) - sign);
}

NNRT__FN void nnrt__bpu_install_scalar(nnrt__bpu_kernels *kernels) {
    nnrt__layout_install_scalar(&kernels->layout);
    kernels->widen = nnrt__bpu_widen_scalar;
    kernels->dequantize_each = nnrt__bpu_dequantize_each_scalar;
}

#endif /* NNRT_BPU_CONVERT_SCALAR_H */
