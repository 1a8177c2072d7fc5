/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pack_scalar.h - packs weights for the slots, and turns real factors and bounds into integers.
   >>kernels_pack_scalar

   All of this happens once, at Build, so it is plain C and has no faster twin. The layouts are those of packing.h. A
   packer reads the caller's weights where they lie, by strides, so OHWI filters, transposed matrices and
   [1, kh, kw, n] depthwise filters all go straight in. */
#ifndef NNRT_KERNELS_PACK_SCALAR_H
#define NNRT_KERNELS_PACK_SCALAR_H

#include "packing.h"

/* Weights where they lie. Product, or tap, k of channel n is w[n * n_stride + k * k_stride], in elements; the vectors
   have an element per channel. */
typedef struct nnrt__weights {
    const void *w; /* int8, or float32 at any alignment */
    size_t n;      /* channels */
    size_t pieces, piece;
    ptrdiff_t n_stride, k_stride;
    const void *bias;                  /* int32, already corrected, or float32; at any alignment; NULL: zeros */
    const int32_t *multiplier, *shift; /* with int8 weights */
} nnrt__weights;

/* The channels [first, first + count) of a vector of words at any alignment, NULL: zeros; the rest of the `room` words
   at `to` is zero already. Returns what follows. */
NNRT__FN uint8_t *nnrt__pack_words(uint8_t *to, const void *from, size_t first, size_t count, size_t room) {
    if (from != NULL) memcpy(to, (const uint8_t *)from + first * 4, count * 4);
    return to + room * 4;
}

/* One channel of the tile whose weights begin at `to`. Returns whether a weight of int8 is -128. */
NNRT__FN bool nnrt__pack_channel(uint8_t *to, const nnrt__weights *from, const nnrt__packing *p, size_t channel) {
    const size_t element = p->element, kr = p->kr, group = (size_t)p->nr * kr * element;
    const uint8_t *w = (const uint8_t *)from->w + (ptrdiff_t)channel * from->n_stride * (ptrdiff_t)element;
    const ptrdiff_t step = from->k_stride * (ptrdiff_t)element;
    bool lowest = false;
    size_t r, i, j, count;
    for (r = 0; r < from->pieces; r++)
        for (i = 0; i < from->piece; i += kr, to += group) {
            count = from->piece - i < kr ? from->piece - i : kr;
            for (j = 0; j < count; j++, w += step) {
                memcpy(to + nnrt__packed_place(p, channel % p->nr, j) * element, w, element);
                lowest = lowest || *w == 0x80;
            }
        }
    return lowest && element == 1;
}

/* packed: nnrt__packing_size bytes, 4-byte aligned, all of them written, padding included, so that equal weights make
   equal blocks; overlaps nothing. */
NNRT__FN void nnrt__pack(void *packed, const nnrt__packing *p, const nnrt__weights *from) {
    const size_t tile_size = nnrt__packing_tile_size(p, nnrt__packed_depth(from->pieces, from->piece, p->kr));
    size_t first, j;
    uint8_t *tile = (uint8_t *)packed;
    for (first = 0; first < from->n; first += p->nr, tile += tile_size) {
        const size_t channels = from->n - first < p->nr ? from->n - first : p->nr;
        uint8_t *to = tile, *mark;
        int32_t marks[2] = {0, 0};
        memset(tile, 0, tile_size);
        to = nnrt__pack_words(to, from->bias, first, channels, p->nr);
        if (p->head == 3) {
            to = nnrt__pack_words(to, from->multiplier, first, channels, p->nr);
            to = nnrt__pack_words(to, from->shift, first, channels, p->nr);
        }
        mark = to;
        to += 16u * p->marks;
        for (j = 0; j < channels; j++)
            if (nnrt__pack_channel(to, from, p, first + j)) marks[0] = 1;
        for (j = 0; p->marks && j < channels; j++)
            if (from->shift[first + j] >= 0 && from->multiplier[first + j] != 0) marks[1] = 1;
        if (p->marks) memcpy(mark, marks, sizeof(marks));
    }
}

/* ------------------------------------------------------------------------------------ quantization constants

   As TensorFlow Lite computes them (QuantizeMultiplier and CalculateActivationRangeQuantized), so that the
   bytes of whole models agree with it. */

/* factor = multiplier * 2^(shift - 31), rounded to 31 bits. Below 2^-32: 0; above what shift 30 can say: the
   largest. A factor that is negative or not a number gives 0. */
NNRT__FN void nnrt__quantize_multiplier(double factor, int32_t *multiplier, int32_t *shift) {
    int64_t fixed = 0;
    int exponent = 0;
    if (factor > 1e30) {
        fixed = INT32_MAX;
        exponent = 30;
    } else if (factor > 0) {
        /* frexp gives [0.5, 1); the sum is exact, so this is round() with ties away from zero */
        fixed = (int64_t)(frexp(factor, &exponent) * 2147483648.0 + 0.5);
        if (fixed == (int64_t)1 << 31) {
            fixed /= 2;
            exponent++;
        }
        if (exponent < -31) {
            fixed = 0;
            exponent = 0;
        }
        if (exponent > 30) {
            fixed = INT32_MAX;
            exponent = 30;
        }
    }
    *multiplier = (int32_t)fixed;
    *shift = exponent;
}

/* zero_point + round(bound / scale), ties away from zero, within -128..127. -INFINITY, INFINITY: no bound on
   that side. scale > 0, zero_point within -128..127. */
NNRT__FN int32_t nnrt__clamp_to_quantized(float bound, float scale, int32_t zero_point) {
    float quotient = bound / scale;
    double x = quotient < -512.0f ? -512.0 : quotient < 512.0f ? (double)quotient : 512.0;
    int32_t rounded = x < 0 ? -(int32_t)(0.5 - x) : (int32_t)(x + 0.5);
    return nnrt__clamp_i32(zero_point + rounded, -128, 127);
}

/* The quantized range of an activation that keeps low..high: relu is 0, INFINITY; relu6 is 0, 6; none is
   -INFINITY, INFINITY. */
NNRT__FN void nnrt__clamp_range_to_quantized(float low, float high, float scale, int32_t zero_point, int32_t *clamp_min,
                                             int32_t *clamp_max) {
    *clamp_min = nnrt__clamp_to_quantized(low, scale, zero_point);
    *clamp_max = nnrt__clamp_to_quantized(high, scale, zero_point);
}

#endif /* NNRT_KERNELS_PACK_SCALAR_H */
