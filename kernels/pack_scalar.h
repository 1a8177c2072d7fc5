/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pack_scalar.h - packs weights for the slots, and turns real factors and bounds into integers.
   >>kernels_pack_scalar

   All of this happens once, at Build, so it is plain C and has no faster twin. The layouts are those of packing.h. A
   packer reads the caller's weights where they lie, by strides, so OHWI filters, transposed matrices and
   [1, kh, kw, n] depthwise filters all go straight in. */
#ifndef NNRT_KERNELS_PACK_SCALAR_H
#define NNRT_KERNELS_PACK_SCALAR_H

#include "packing.h"

/* Notified of weights that have been packed, in order: their bytes will not be read again. */
typedef struct nnrt__pack_taken {
    void (*tell)(const void *context, const void *from, size_t size); /* NULL: none */
    const void *context;
} nnrt__pack_taken;

#define NNRT__PACK_TOLD ((size_t)1 << 20) /* bytes of weights at a time */

/* Weights in the caller's memory. Product, or tap, k of channel n is w[n * n_stride + k * k_stride], in elements; the
   vectors have an element per channel. */
typedef struct nnrt__weights {
    const void *w; /* int8, or float32 at any alignment */
    size_t n;      /* channels */
    size_t pieces, piece;
    ptrdiff_t n_stride, k_stride;
    const void *bias;                  /* int32, already corrected, or float32; at any alignment; NULL: zeros */
    const int32_t *multiplier, *shift; /* with int8 weights; of a shared packing the first ones are all channels' */
    nnrt__pack_taken taken;            /* called only if channels are contiguous */
} nnrt__weights;

/* The channels [first, first + count) of a vector of words at any alignment, NULL: zeros; the rest of the `room` words
   at `to` is zero already. Returns what follows. */
NNRT__FN uint8_t *nnrt__pack_words(uint8_t *to, const void *from, size_t first, size_t count, size_t room) {
    if (from != NULL) memcpy(to, (const uint8_t *)from + first * 4, count * 4);
    return to + room * 4;
}

/* ---------------------------------------------------------------------------------------- sums and packers

   A model is packed whenever it is loaded without a plan, and byte by byte this took three quarters of that time. So
   weights are read by rows if rows are contiguous, and a group of kr is moved at once. */

#define NNRT__BYTES_OF(byte) ((uint64_t)(byte)*0x0101010101010101u)

NNRT__INLINE uint64_t nnrt__pack_word(const void *from) {
    uint64_t word;
    memcpy(&word, from, sizeof(word));
    return word;
}

/* Is one of n weights -128? */
NNRT__FN bool nnrt__has_lowest(const uint8_t *w, size_t n) {
    uint64_t zeros = 0;
    bool lowest = false;
    for (; n >= 8; n -= 8, w += 8) {
        const uint64_t word = nnrt__pack_word(w) ^ NNRT__BYTES_OF(0x80);
        zeros |= (word - NNRT__BYTES_OF(1)) & ~word; /* its top bit in a byte that was 0; by borrows only above one */
    }
    for (; n != 0; n--, w++) lowest = lowest || *w == 0x80;
    return lowest || (zeros & NNRT__BYTES_OF(0x80)) != 0;
}

/* The sum of n weights of int8, modulo 2^32. Eight at a time as 0..255, pairs in four counters of 16 bits, each of
   which holds 128 pairs. */
NNRT__FN uint32_t nnrt__sum_s8(const int8_t *w, size_t n) {
    const uint64_t even = 0x00ff00ff00ff00ffu;
    uint32_t sum = 0;
    while (n >= 8) {
        const size_t words = n / 8 < 128 ? n / 8 : 128;
        uint64_t pairs = 0;
        size_t i;
        for (i = 0; i < words; i++, w += 8) {
            const uint64_t word = nnrt__pack_word(w) ^ NNRT__BYTES_OF(0x80);
            pairs += (word & even) + (word >> 8 & even);
        }
        pairs = (pairs & 0x0000ffff0000ffffu) + (pairs >> 16 & 0x0000ffff0000ffffu);
        sum += (uint32_t)pairs + (uint32_t)(pairs >> 32) - (uint32_t)words * 8 * 128;
        n -= words * 8;
    }
    for (; n != 0; n--) {
        const int32_t weight = *w++;
        sum += (uint32_t)weight;
    }
    return sum;
}

/* count pieces of `unit` bytes, which follow each other at w, to places that are `stride` bytes apart. A copy whose
   size the compiler knows is one move. */
NNRT__FN void nnrt__pack_units(uint8_t *to, const uint8_t *w, size_t count, size_t unit, size_t stride) {
    size_t i;
    if (unit == stride) memcpy(to, w, count * unit);
    else if (unit == 4)
        for (i = 0; i < count; i++) memcpy(to + i * stride, w + i * 4, 4);
    else if (unit == 8)
        for (i = 0; i < count; i++) memcpy(to + i * stride, w + i * 8, 8);
    else
        for (i = 0; i < count; i++) memcpy(to + i * stride, w + i * unit, unit);
}

/* The same of 8 bytes for channel c of a turned packing: their four pairs have places of their own. */
NNRT__FN void nnrt__pack_turned(uint8_t *to, const uint8_t *w, size_t count, const nnrt__packing *p, size_t c) {
    const size_t stride = (size_t)p->nr * 8, a = nnrt__packed_place(p, c, 0), b = nnrt__packed_place(p, c, 2);
    const size_t d = nnrt__packed_place(p, c, 4), e = nnrt__packed_place(p, c, 6);
    for (; count != 0; count--, to += stride, w += 8) {
        memcpy(to + a, w, 2);
        memcpy(to + b, w + 2, 2);
        memcpy(to + d, w + 4, 2);
        memcpy(to + e, w + 6, 2);
    }
}

/* Groups of kr that all channels of a tile have written before the next ones: what they write stays in the cache. */
#define NNRT__PACK_BLOCK 64u

/* Weights of the channels [first, first + channels), the products of each in one piece, into the tile at `to`. */
NNRT__FN void nnrt__pack_rows(uint8_t *to, const nnrt__weights *from, const nnrt__packing *p, size_t first,
                              size_t channels) {
    const size_t element = p->element, unit = p->kr * element, group = p->nr * unit, whole = from->piece / p->kr;
    const size_t left = from->piece % p->kr;
    size_t r, i, j, c;
    for (r = 0; r < from->pieces; r++, to += (whole + (left != 0)) * group)
        for (i = 0; i <= whole; i += NNRT__PACK_BLOCK) {
            const size_t count = whole - i < NNRT__PACK_BLOCK ? whole - i : NNRT__PACK_BLOCK;
            for (c = 0; c < channels; c++) {
                const uint8_t *w = (const uint8_t *)from->w +
                                   (ptrdiff_t)(first + c) * from->n_stride * (ptrdiff_t)element +
                                   (r * from->piece + i * p->kr) * element;
                if (p->turned) nnrt__pack_turned(to + i * group, w, count, p, c);
                else nnrt__pack_units(to + i * group + c * unit, w, count, unit, group);
                for (j = 0; count < NNRT__PACK_BLOCK && j < left; j++)
                    memcpy(to + whole * group + nnrt__packed_place(p, c, j) * element, w + count * unit + j * element,
                           element);
            }
        }
}

/* The same with any strides. Where kr is 1, the channels side by side in the model are so in the tile. */
NNRT__FN void nnrt__pack_columns(uint8_t *to, const nnrt__weights *from, const nnrt__packing *p, size_t first,
                                 size_t channels) {
    const size_t element = p->element, kr = p->kr, group = p->nr * kr * element;
    const uint8_t *w = (const uint8_t *)from->w + (ptrdiff_t)first * from->n_stride * (ptrdiff_t)element;
    size_t r, i, c;
    for (r = 0; r < from->pieces; r++)
        for (i = 0; i < from->piece; i++, w += from->k_stride * (ptrdiff_t)element) {
            if (i % kr == 0 && (r != 0 || i != 0)) to += group;
            if (kr == 1 && from->n_stride == 1) memcpy(to, w, channels * element);
            else
                for (c = 0; c < channels; c++)
                    memcpy(to + nnrt__packed_place(p, c, i % kr) * element,
                           w + (ptrdiff_t)c * from->n_stride * (ptrdiff_t)element, element);
        }
}

/* Does one of the int8 channels [first, first + channels) have a weight of -128? */
NNRT__FN bool nnrt__pack_has_lowest(const nnrt__weights *from, size_t first, size_t channels) {
    const size_t k = from->pieces * from->piece;
    const uint8_t *w = (const uint8_t *)from->w + (ptrdiff_t)first * from->n_stride;
    bool lowest = false;
    size_t i, c;
    if (from->k_stride == 1)
        for (c = 0; c < channels && !lowest; c++) lowest = nnrt__has_lowest(w + (ptrdiff_t)c * from->n_stride, k);
    else
        for (i = 0; i < k; i++)
            for (c = 0; c < channels; c++)
                lowest = lowest || w[(ptrdiff_t)i * from->k_stride + (ptrdiff_t)c * from->n_stride] == 0x80;
    return lowest;
}

NNRT__ASSERT_FN bool nnrt__weights_are_right(const nnrt__weights *from, const nnrt__packing *p) {
    NNRT_ASSERT(from->n >= 1 && from->w != NULL && (p->element == 1 || p->element == 4));
    NNRT_ASSERT(p->nr >= 1 && p->kr >= 1 && (p->head == 3 || p->head == 1) && (p->element == 1 || p->head == 1));
    NNRT_ASSERT(!p->turned || (p->kr == 8 && p->nr % 4 == 0 && p->element == 1));
    NNRT_ASSERT(p->element != 1 || (nnrt__is_aligned(from->multiplier, 4) && nnrt__is_aligned(from->shift, 4)));
    return true;
}

/* packed: nnrt__packing_size bytes, 4-byte aligned, all of them written, padding included, so that equal weights make
   equal blocks; overlaps nothing. */
NNRT__FN void nnrt__pack(void *packed, const nnrt__packing *p, const nnrt__weights *from) {
    const size_t tile_size = nnrt__packing_tile_size(p, nnrt__packed_depth(from->pieces, from->piece, p->kr));
    const uint8_t *w = (const uint8_t *)from->w;
    size_t first, j, told = 0;
    uint8_t *tile = (uint8_t *)packed + nnrt__packing_front(p);
    NNRT_ASSERT(nnrt__weights_are_right(from, p) && nnrt__is_aligned(packed, 4));
    if (nnrt__packing_is_shared(p)) {
        memcpy(packed, from->multiplier, 4);
        memcpy((uint8_t *)packed + 4, from->shift, 4);
    }
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
        if (from->k_stride == 1) nnrt__pack_rows(to, from, p, first, channels);
        else nnrt__pack_columns(to, from, p, first, channels);
        if (p->marks && nnrt__pack_has_lowest(from, first, channels)) marks[0] = 1;
        for (j = 0; p->marks && j < channels; j++)
            if (from->shift[first + j] >= 0 && from->multiplier[first + j] != 0) marks[1] = 1;
        if (p->marks) memcpy(mark, marks, sizeof(marks));
        if (from->taken.tell != NULL && from->k_stride == 1 && from->n_stride > 0) {
            const size_t rows = (first + channels - 1) * (size_t)from->n_stride + from->pieces * from->piece;
            const size_t taken = rows * p->element;
            if (taken - told < NNRT__PACK_TOLD) continue;
            from->taken.tell(from->taken.context, w + told, taken - told);
            told = taken;
        }
    }
}

/* ------------------------------------------------------------------------------------ quantization constants

   As TensorFlow Lite computes them (QuantizeMultiplier and CalculateActivationRangeQuantized), so that the
   bytes of whole models agree with it. */

/* factor = multiplier * 2^(shift - 31), rounded to 31 bits. Below 2^-32: 0; above what shift 30 can say: the
   largest. A factor that is negative or not a number gives 0. */
NNRT__FN void nnrt__quantize_multiplier(double factor, int32_t *multiplier, int32_t *shift) {
    uint32_t fixed = 0; /* at most 2^31: 32 bits convert in one instruction, 64 in a library call */
    int exponent = 0;
    if (factor > 1e30) {
        fixed = INT32_MAX;
        exponent = 30;
    } else if (factor > 0) {
        /* frexp gives [0.5, 1); the sum is exact, so this is round() with ties away from zero */
        fixed = (uint32_t)(frexp(factor, &exponent) * 2147483648.0 + 0.5);
        if (fixed == (uint32_t)1 << 31) {
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
    NNRT_ASSERT(scale > 0 && nnrt__is_byte_quantity(zero_point));
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
