/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pack_scalar.h - packs weights for the slots, and turns real factors and bounds into integers.
   >>kernels_pack_scalar

   All of this happens once, at Build, so it is plain C and has no faster twin. The layouts are those of
   internal.h. A packer reads the caller's weights where they lie, by strides, so OHWI filters, transposed matrices
   and [1, kh, kw, n] depthwise filters all go straight in. It writes every byte of the packed block, padding
   included, so that equal weights make equal blocks. */
#ifndef NNRT_KERNELS_PACK_SCALAR_H
#define NNRT_KERNELS_PACK_SCALAR_H

#include "internal.h"

/* ------------------------------------------------------------------------------------- sizes

   Bytes of a packed block; false, and *size untouched, when that does not fit size_t. nr, kr, tile >= 1, and
   small as the constants of a slot are. */

/* ceil(count / per_tile) tiles, each round_up(per_tile * (head + element * round_up(steps, granule)), 64)
   bytes. */
NNRT__FN bool nnrt__packed_size(size_t count, uint32_t per_tile, size_t head, size_t element, size_t steps,
                                uint32_t granule, size_t *size) {
    size_t tiles = count / per_tile + (count % per_tile != 0), rounded, bytes;
    size_t most = (SIZE_MAX - 63) / per_tile; /* bytes of one channel at which a tile still fits */
    if (steps > SIZE_MAX - granule) return false;
    rounded = (steps + granule - 1) / granule * granule;
    if (head > most || rounded > (most - head) / element) return false;
    bytes = (per_tile * (head + element * rounded) + 63) & ~(size_t)63;
    if (tiles != 0 && bytes > SIZE_MAX / tiles) return false;
    *size = tiles * bytes;
    return true;
}

NNRT__FN bool nnrt__gemm_s8_packed_size(size_t n, size_t k, uint32_t nr, uint32_t kr, size_t *size) {
    return nnrt__packed_size(n, nr, 12, 1, k, kr, size);
}

NNRT__FN bool nnrt__gemm_f32_packed_size(size_t n, size_t k, uint32_t nr, uint32_t kr, size_t *size) {
    return nnrt__packed_size(n, nr, 4, 4, k, kr, size);
}

NNRT__FN bool nnrt__dw_s8_packed_size(size_t channels, size_t taps, uint32_t tile, size_t *size) {
    return nnrt__packed_size(channels, tile, 12, 1, taps, 1, size);
}

NNRT__FN bool nnrt__dw_f32_packed_size(size_t channels, size_t taps, uint32_t tile, size_t *size) {
    return nnrt__packed_size(channels, tile, 4, 4, taps, 1, size);
}

/* ------------------------------------------------------------------------------------- packers

   packed: as many bytes as the size function says, 4-byte aligned; overlaps nothing. */

/* Weights where they lie. Product, or tap, k of channel n is w[n * n_stride + k * k_stride], in elements; the vectors
   have an element per channel. */
typedef struct nnrt__weights {
    const void *w; /* int8, or float32 at any alignment */
    size_t n, k;   /* channels, products of each */
    ptrdiff_t n_stride, k_stride;
    const void *bias; /* int32, already corrected for the input zero point, or float32; at any alignment; NULL: zeros */
    const int32_t *multiplier, *shift; /* with int8 weights */
} nnrt__weights;

/* count 4-byte values from `from`, at any alignment, then zeros up to `padded`. from may be NULL: all
   zeros. */
NNRT__FN uint8_t *nnrt__pack_words(uint8_t *to, const void *from, size_t first, size_t count, size_t padded) {
    memset(to, 0, padded * 4);
    if (from != NULL) memcpy(to, (const uint8_t *)from + first * 4, count * 4);
    return to + padded * 4;
}

NNRT__FN void nnrt__pack_gemm_s8(void *packed, const nnrt__weights *from, uint32_t nr, uint32_t kr) {
    size_t tile_size = nnrt__gemm_s8_tile_size(from->k, nr, kr), first, j, i;
    uint8_t *tile = (uint8_t *)packed;
    for (first = 0; first < from->n; first += nr, tile += tile_size) {
        size_t channels = from->n - first < nr ? from->n - first : nr;
        uint8_t *to = tile;
        memset(tile, 0, tile_size);
        to = nnrt__pack_words(to, from->bias, first, channels, nr);
        to = nnrt__pack_words(to, from->multiplier, first, channels, nr);
        to = nnrt__pack_words(to, from->shift, first, channels, nr);
        for (j = 0; j < channels; j++) {
            const uint8_t *w = (const uint8_t *)from->w + (ptrdiff_t)(first + j) * from->n_stride;
            for (i = 0; i < from->k; i++) to[i / kr * nr * kr + j * kr + i % kr] = w[(ptrdiff_t)i * from->k_stride];
        }
    }
}

NNRT__FN void nnrt__pack_gemm_f32(void *packed, const nnrt__weights *from, uint32_t nr, uint32_t kr) {
    size_t tile_size = nnrt__gemm_f32_tile_size(from->k, nr, kr), first, j, i;
    uint8_t *tile = (uint8_t *)packed;
    for (first = 0; first < from->n; first += nr, tile += tile_size) {
        size_t channels = from->n - first < nr ? from->n - first : nr;
        uint8_t *to = tile;
        memset(tile, 0, tile_size);
        to = nnrt__pack_words(to, from->bias, first, channels, nr);
        for (j = 0; j < channels; j++) {
            const uint8_t *w = (const uint8_t *)from->w + (ptrdiff_t)(first + j) * from->n_stride * 4;
            for (i = 0; i < from->k; i++)
                memcpy(to + (i / kr * nr * kr + j * kr + i % kr) * 4, w + (ptrdiff_t)i * from->k_stride * 4, 4);
        }
    }
}

/* A depthwise block is one of products with kr 1: tap by tap, the channels of a tile side by side. */
NNRT__FN void nnrt__pack_dw_s8(void *packed, const nnrt__weights *from, uint32_t tile) {
    nnrt__pack_gemm_s8(packed, from, tile, 1);
}

NNRT__FN void nnrt__pack_dw_f32(void *packed, const nnrt__weights *from, uint32_t tile) {
    nnrt__pack_gemm_f32(packed, from, tile, 1);
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
