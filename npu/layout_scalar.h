/* SPDX-License-Identifier: Apache-2.0 */
/* npu/layout_scalar.h - the inner loops of layout.h in portable C, which is the definition of every byte.
   >>npu_layout_scalar

   layout.h cuts tensors into tiles of pixels by channels that stay in a first-level cache and hands rows of
   them to the functions of a nnrt__layout_kernels; layout_neon.h and layout_rvv.h have other forms of them.
   Tensors lie at any address, so elements are read and written by memcpy of a constant size, which compilers
   turn into a load or store. No loop divides, multiplies to find its place, or asks for a type.

   What numbers become:
     float32 to 8 or 16 bits  the exact quotient x / scale, rounded once, to the nearest integer, ties to even;
                              then + zp; then clamped. NaN counts as 0, infinities are clamped. A caller who wants ties
                              of x / scale + zp to be even sets parity.
     float32 to 32 bits       the same by a scale that is a power of two, without a zero point.
     8 or 16 bits to float32  (float)(q - zp) * scale: the difference is exact, the product is rounded as the
                              processor's mode says, which is to nearest unless the program changed it.
     32 bits to float32       (float)q * scale: q is rounded, by the same mode.
     float32 to float16       nearest, ties to even; 65520 and more become infinity, subnormals are kept.
     float16 to float32       exact.
     A NaN stays a NaN of its sign and its upper payload bits and becomes quiet. But for the one product no
     rounding mode matters. */
#ifndef NNRT_NPU_LAYOUT_SCALAR_H
#define NNRT_NPU_LAYOUT_SCALAR_H

#include "../core/platform.h"
#include "../kernels/copy_plane_scalar.h"
#include "../kernels/float16.h"

/* How integers represent real numbers. Filled by nnrt__layout_numbers_set. */
typedef struct nnrt__layout_numbers {
    float scale;
    int32_t zp;        /* within 17 bits */
    int32_t parity;    /* of the quotient that a tie rounds to: 0; 1 if zp is odd and ties are those of the sum */
    int32_t low, high; /* of the integer type */
    bool is_signed;
    /* 8 bits, an ordinary scale and a zero point that the type holds: the estimate below decides nearly
       always, and vector units that know no subnormals meet none. */
    bool ordinary;
    float factor;        /* ordinary: 1 / scale */
    uint32_t limit;      /* ordinary: bits of 512 * scale; numbers below it, and only they, fit the estimate */
    uint32_t reals[256]; /* 8 bits, when dequantizing: bits of the float32 of each stored byte */
} nnrt__layout_numbers;

/* Converts count elements side by side. */
typedef void (*nnrt__layout_numbers_call)(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                          uint8_t *destination, size_t count);

/* destination row j is source column j: element i of it is element j of source row i. Rows are stride bytes
   apart; source has rows rows of columns elements. */
typedef void (*nnrt__layout_transpose_call)(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                            uint8_t *destination, size_t destination_stride);

typedef struct nnrt__layout_kernels {
    nnrt__layout_transpose_call transpose_1; /* elements of 1 byte, 2, 4, 8 */
    nnrt__layout_transpose_call transpose_2;
    nnrt__layout_transpose_call transpose_4;
    nnrt__layout_transpose_call transpose_8;
    /* count pieces of bytes bytes; pieces are stride bytes apart. */
    void (*copy_pieces)(const uint8_t *source, size_t source_stride, uint8_t *destination, size_t destination_stride,
                        size_t bytes, size_t count);
    nnrt__layout_numbers_call quantize_8;
    nnrt__layout_numbers_call quantize_16;
    nnrt__layout_numbers_call dequantize_8;
    nnrt__layout_numbers_call dequantize_16;
    nnrt__layout_numbers_call quantize_32; /* fixed point: of numbers only scale is read */
    nnrt__layout_numbers_call dequantize_32;
    nnrt__layout_numbers_call float16_from_float32; /* numbers may be NULL for these two */
    nnrt__layout_numbers_call float32_from_float16;
} nnrt__layout_kernels;

/* ------------------------------------------------------------------------------------------------- moving */

/* The inner loop runs along the longer side. size is a constant in every use. */
NNRT__INLINE void nnrt__layout_transpose(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                         uint8_t *destination, size_t destination_stride, size_t size) {
    size_t i, j;
    if (rows >= columns) {
        for (j = 0; j < columns; j++) {
            const uint8_t *s = source + j * size;
            uint8_t *d = destination + j * destination_stride;
            for (i = rows; i >= 4; i -= 4) {
                memcpy(d, s, size);
                memcpy(d + size, s + source_stride, size);
                memcpy(d + 2 * size, s + 2 * source_stride, size);
                memcpy(d + 3 * size, s + 3 * source_stride, size);
                s += 4 * source_stride;
                d += 4 * size;
            }
            for (; i != 0; i--, s += source_stride, d += size) memcpy(d, s, size);
        }
    } else {
        for (i = 0; i < rows; i++) {
            const uint8_t *s = source + i * source_stride;
            uint8_t *d = destination + i * size;
            for (j = columns; j >= 4; j -= 4) {
                memcpy(d, s, size);
                memcpy(d + destination_stride, s + size, size);
                memcpy(d + 2 * destination_stride, s + 2 * size, size);
                memcpy(d + 3 * destination_stride, s + 3 * size, size);
                s += 4 * size;
                d += 4 * destination_stride;
            }
            for (; j != 0; j--, s += size, d += destination_stride) memcpy(d, s, size);
        }
    }
}

NNRT__FN void nnrt__layout_transpose_1_scalar(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                              uint8_t *destination, size_t destination_stride) {
    nnrt__layout_transpose(source, source_stride, rows, columns, destination, destination_stride, 1);
}

NNRT__FN void nnrt__layout_transpose_2_scalar(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                              uint8_t *destination, size_t destination_stride) {
    nnrt__layout_transpose(source, source_stride, rows, columns, destination, destination_stride, 2);
}

NNRT__FN void nnrt__layout_transpose_4_scalar(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                              uint8_t *destination, size_t destination_stride) {
    nnrt__layout_transpose(source, source_stride, rows, columns, destination, destination_stride, 4);
}

NNRT__FN void nnrt__layout_transpose_8_scalar(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                              uint8_t *destination, size_t destination_stride) {
    nnrt__layout_transpose(source, source_stride, rows, columns, destination, destination_stride, 8);
}

NNRT__FN void nnrt__layout_copy_pieces_scalar(const uint8_t *source, size_t source_stride, uint8_t *destination,
                                              size_t destination_stride, size_t bytes, size_t count) {
    const nnrt__plane_steps from = {0, (ptrdiff_t)source_stride}, to = {0, (ptrdiff_t)destination_stride};
    nnrt__copy_plane(destination, to, source, from, bytes, 1, count);
}

/* ----------------------------------------------------------------------------------- integers and float32 */

/* scale is positive and finite. bits: 8 or 16. */
NNRT__FN void nnrt__layout_numbers_set(nnrt__layout_numbers *numbers, float scale, int32_t zp, int bits, bool is_signed,
                                       bool dequantize) {
    const uint32_t scale_bits = nnrt__float32_bits(scale);
    int32_t code;
    numbers->scale = scale;
    numbers->zp = zp;
    numbers->parity = 0;
    numbers->is_signed = is_signed;
    numbers->low = is_signed ? -(1 << (bits - 1)) : 0;
    numbers->high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    /* 2^-100 <= scale <= 2^100 */
    numbers->ordinary = bits == 8 && scale_bits >= 0x0d800000u && scale_bits <= 0x71800000u && zp >= numbers->low &&
                        zp <= numbers->high;
    numbers->factor = numbers->ordinary ? 1.0f / scale : 0.0f;
    numbers->limit = numbers->ordinary ? scale_bits + (9u << 23) : 0;
    if (!dequantize || bits != 8) return;
    for (code = numbers->low; code <= numbers->high; code++)
        numbers->reals[code & 255] = nnrt__float32_bits((float)(code - zp) * scale);
}

/* One number, exactly. A quotient of two float32 that is not a tie is at least 2^-26 away from every tie,
   and those of interest are below 2^18: a quotient in double, and its sum with 2^18, stay on the right side
   in every rounding mode, and ties are exact. */
NNRT__FN int32_t nnrt__layout_quantize_one(const nnrt__layout_numbers *numbers, uint32_t bits) {
    const double most = 262144.0; /* even, so that parity survives the addition */
    double quotient, rest;
    int32_t rounded;
    if ((bits & 0x7fffffffu) > 0x7f800000u) bits = 0; /* NaN */
    quotient = (double)nnrt__float32_of_bits(bits) / (double)numbers->scale;
    if (quotient >= most) return numbers->high;
    if (quotient <= -most) return numbers->low;
    quotient += most;
    rounded = (int32_t)quotient; /* not negative: the floor */
    rest = quotient - (double)rounded;
    if (rest > 0.5 || (rest == 0.5 && (rounded & 1) != numbers->parity)) rounded++;
    rounded += numbers->zp - 262144;
    return rounded < numbers->low ? numbers->low : rounded > numbers->high ? numbers->high : rounded;
}

/* x * factor in steps of 2^-16 is at most 5 steps beside the quotient where a difference could be seen,
   which is below 256: two roundings of 2^-23 in any mode, and the cut to an integer. So an estimate that is
   not within 8 steps of a tie has decided; the others, one of 4,000 of measured data, are divided. */
NNRT__FN void nnrt__layout_quantize_8_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                             uint8_t *destination, size_t count) {
    const float factor = numbers->factor * 65536.0f;
    const uint32_t limit = numbers->limit;
    const int32_t low = numbers->low, high = numbers->high, zp = numbers->zp;
    for (; count != 0; count--, source += 4, destination++) {
        uint32_t bits;
        int32_t q;
        memcpy(&bits, source, 4);
        if ((bits & 0x7fffffffu) < limit) {
            const uint32_t steps = (uint32_t)(int32_t)(nnrt__float32_of_bits(bits) * factor) + (1024u << 16) + 0x8000u;
            if (((steps + 8) & 0xffffu) > 16) {
                q = (int32_t)(steps >> 16) - 1024 + zp;
                q = q < low ? low : q > high ? high : q;
                *destination = (uint8_t)q;
                continue;
            }
        }
        q = nnrt__layout_quantize_one(numbers, bits);
        *destination = (uint8_t)q;
    }
}

NNRT__FN void nnrt__layout_quantize_16_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                              uint8_t *destination, size_t count) {
    for (; count != 0; count--, source += 4, destination += 2) {
        uint32_t bits;
        int16_t q;
        memcpy(&bits, source, 4);
        q = (int16_t)nnrt__layout_quantize_one(numbers, bits);
        memcpy(destination, &q, 2);
    }
}

NNRT__FN void nnrt__layout_dequantize_8_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                               uint8_t *destination, size_t count) {
    const uint32_t *reals = numbers->reals;
    for (; count >= 4; count -= 4, source += 4, destination += 16) {
        const uint32_t a = reals[source[0]], b = reals[source[1]], c = reals[source[2]], d = reals[source[3]];
        memcpy(destination, &a, 4);
        memcpy(destination + 4, &b, 4);
        memcpy(destination + 8, &c, 4);
        memcpy(destination + 12, &d, 4);
    }
    for (; count != 0; count--, source++, destination += 4) memcpy(destination, &reals[*source], 4);
}

NNRT__FN void nnrt__layout_dequantize_16_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                uint8_t *destination, size_t count) {
    const float scale = numbers->scale;
    const int32_t zp = numbers->zp;
    for (; count != 0; count--, source += 2, destination += 4) {
        int16_t q;
        float real;
        memcpy(&q, source, 2);
        real = (float)(q - zp) * scale;
        memcpy(destination, &real, 4);
    }
}

/* One number in steps of 1 / factor, a power of two: the product is exact, and so is what a cut towards 0 leaves. */
NNRT__INLINE int32_t nnrt__layout_fixed_point(uint32_t bits, double factor) {
    double steps, rest;
    int32_t cut;
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0; /* NaN */
    steps = (double)nnrt__float32_of_bits(bits) * factor;
    if (steps >= 2147483647.0) return INT32_MAX;
    if (steps <= -2147483648.0) return INT32_MIN;
    cut = (int32_t)steps;
    rest = steps - (double)cut;
    if (rest > 0.5 || (rest == 0.5 && (cut & 1) != 0)) return cut + 1;
    if (rest < -0.5 || (rest == -0.5 && (cut & 1) != 0)) return cut - 1;
    return cut;
}

NNRT__FN void nnrt__layout_quantize_32_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                              uint8_t *destination, size_t count) {
    const double factor = 1.0 / (double)numbers->scale;
    for (; count != 0; count--, source += 4, destination += 4) {
        uint32_t bits;
        int32_t q;
        memcpy(&bits, source, 4);
        q = nnrt__layout_fixed_point(bits, factor);
        memcpy(destination, &q, 4);
    }
}

NNRT__FN void nnrt__layout_dequantize_32_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                uint8_t *destination, size_t count) {
    const float scale = numbers->scale;
    for (; count != 0; count--, source += 4, destination += 4) {
        int32_t q;
        float real;
        memcpy(&q, source, 4);
        real = (float)q * scale;
        memcpy(destination, &real, 4);
    }
}

/* ------------------------------------------------------------------------------------ float16 and float32 */

NNRT__FN void nnrt__layout_float16_from_float32_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                       uint8_t *destination, size_t count) {
    (void)numbers;
    for (; count != 0; count--, source += 4, destination += 2) {
        uint32_t bits;
        uint16_t half;
        memcpy(&bits, source, 4);
        half = nnrt__float16_from_bits(bits);
        memcpy(destination, &half, 2);
    }
}

NNRT__FN void nnrt__layout_float32_from_float16_scalar(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                       uint8_t *destination, size_t count) {
    (void)numbers;
    for (; count != 0; count--, source += 2, destination += 4) {
        uint16_t half;
        uint32_t bits;
        memcpy(&half, source, 2);
        bits = nnrt__float16_widened(half);
        memcpy(destination, &bits, 4);
    }
}

NNRT__FN void nnrt__layout_install_scalar(nnrt__layout_kernels *kernels) {
    kernels->transpose_1 = nnrt__layout_transpose_1_scalar;
    kernels->transpose_2 = nnrt__layout_transpose_2_scalar;
    kernels->transpose_4 = nnrt__layout_transpose_4_scalar;
    kernels->transpose_8 = nnrt__layout_transpose_8_scalar;
    kernels->copy_pieces = nnrt__layout_copy_pieces_scalar;
    kernels->quantize_8 = nnrt__layout_quantize_8_scalar;
    kernels->quantize_16 = nnrt__layout_quantize_16_scalar;
    kernels->dequantize_8 = nnrt__layout_dequantize_8_scalar;
    kernels->dequantize_16 = nnrt__layout_dequantize_16_scalar;
    kernels->quantize_32 = nnrt__layout_quantize_32_scalar;
    kernels->dequantize_32 = nnrt__layout_dequantize_32_scalar;
    kernels->float16_from_float32 = nnrt__layout_float16_from_float32_scalar;
    kernels->float32_from_float16 = nnrt__layout_float32_from_float16_scalar;
}

#endif /* NNRT_NPU_LAYOUT_SCALAR_H */
