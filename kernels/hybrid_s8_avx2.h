/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_avx2.h - gemm_hybrid and quantize_symmetric_f32 for AVX2.
   Contract: hybrid_s8_scalar.h.

   64 products of 16 channels are widened to 16 bits and turned where they lie, so that a vector has two products of
   each of 8 channels; all rows pass over it, four at a time, widened, too. pmaddwd adds two products into 32 bits: 8
   sums + 2 weights + 1 of a row + 1, 25 instructions for 128 products (GCC 12), 8 cycles by llvm-mca 14 for haswell,
   which multiplies in one unit; 5 on Zen 4. Between two times 64 products the sums wait in c. pmaddubsw takes a sign
   and a second multiplication, 6 cycles on Zen 4.

   Fewer than 16 rows, 8 channels or fewer, or -Os: 2 rows x 4 channels in 8 sums along the rows, 25 instructions for
   128 products and what adds up the lanes of the sums. A row's length that is no multiple of 16 begins with its last 16
   products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_HYBRID_S8_AVX2_H
#define NNRT_KERNELS_HYBRID_S8_AVX2_H

#include "f32_avx2.h"
#include "f32_sse41.h"
#include "fp_contract.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"
#include "requantize_sse41.h"

#define NNRT__GEMM_HYBRID_AVX2_FEW 16 /* fewer rows are not worth turning weights for */

NNRT__FP_CONTRACT_OFF_BEGIN

/* What follows the sums of four channels of one row: count of them are stored. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_store_avx2(const nnrt__gemm_hybrid_args *args, __m128i sums,
                                                                 __m128 scale, __m128 bias, float *c, size_t count) {
    const __m128 x = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(sums), scale), bias);
    nnrt__store_f32_sse41(c, nnrt__clamp_f32_sse41(x, _mm_set1_ps(args->clamp_min), _mm_set1_ps(args->clamp_max)),
                          count);
}

/* Up to four floats from j on of n, the rest 0. */
NNRT__TARGET_AVX2 NNRT__INLINE __m128 nnrt__gemm_hybrid_load_avx2(const float *from, size_t count) {
    float lanes[4] = {0, 0, 0, 0};
    if (count == 4) return _mm_loadu_ps(from);
    memcpy(lanes, from, count * sizeof(float));
    return _mm_loadu_ps(lanes);
}

/* The floats of the channels from j on: the factors of their sums, and their bias. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_floats_avx2(const nnrt__gemm_hybrid_args *args, size_t j,
                                                                  size_t count, __m128 *scale, __m128 *bias) {
    *scale =
        args->w_scale_stride != 0 ? nnrt__gemm_hybrid_load_avx2(args->w_scale + j, count) : _mm_set1_ps(*args->w_scale);
    *scale = _mm_mul_ps(_mm_set1_ps(args->a_scale), *scale);
    *bias = args->bias != NULL ? nnrt__gemm_hybrid_load_avx2(args->bias + j, count) : _mm_set1_ps(0.0f);
}

/* 16 bytes, widened. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_hybrid_wide_avx2(const int8_t *from) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(from)));
}

/* n bytes, at most 16 of them, widened, and zeros. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_hybrid_few_avx2(const int8_t *from, size_t n) {
    return _mm256_cvtepi8_epi16(nnrt__load_up_to_16_sse41(from, n));
}

/* sum + 16 products */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_hybrid_add_avx2(__m256i sum, __m256i a, __m256i w) {
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, w));
}

/* Lane i of the result is the sum over the lanes of the i-th argument. */
NNRT__TARGET_AVX2 NNRT__INLINE __m128i nnrt__gemm_hybrid_sums_avx2(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i low = _mm256_hadd_epi32(a, b), high = _mm256_hadd_epi32(c, d), both = _mm256_hadd_epi32(low, high);
    return _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}

NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_block_avx2(const nnrt__gemm_hybrid_args *args, const int8_t *a0,
                                                                 const int8_t *a1, size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, k = args->k, tail = k % 16;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    __m256i sum00 = _mm256_setzero_si256(), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    __m256i sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    __m256i x0, x1, y;
    float *c = args->c + i * args->c_stride + j;
    __m128 scale, bias;
    size_t t;
    if (tail != 0 && k >= 16) {
        const __m128i last = _mm_loadu_si128((const __m128i *)(const void *)(nnrt__last_bytes_mask() + tail));
        const __m256i mask = _mm256_cvtepi8_epi16(last);
        t = k - 16;
        x0 = _mm256_and_si256(nnrt__gemm_hybrid_wide_avx2(a0 + t), mask);
        x1 = _mm256_and_si256(nnrt__gemm_hybrid_wide_avx2(a1 + t), mask);
        y = nnrt__gemm_hybrid_wide_avx2(w0 + t);
        sum00 = nnrt__gemm_hybrid_add_avx2(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_avx2(sum10, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w1 + t);
        sum01 = nnrt__gemm_hybrid_add_avx2(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_avx2(sum11, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w2 + t);
        sum02 = nnrt__gemm_hybrid_add_avx2(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_avx2(sum12, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w3 + t);
        sum03 = nnrt__gemm_hybrid_add_avx2(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_avx2(sum13, x1, y);
    } else if (tail != 0) {
        x0 = nnrt__gemm_hybrid_few_avx2(a0, k);
        x1 = nnrt__gemm_hybrid_few_avx2(a1, k);
        y = nnrt__gemm_hybrid_few_avx2(w0, k);
        sum00 = nnrt__gemm_hybrid_add_avx2(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_avx2(sum10, x1, y);
        y = nnrt__gemm_hybrid_few_avx2(w1, k);
        sum01 = nnrt__gemm_hybrid_add_avx2(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_avx2(sum11, x1, y);
        y = nnrt__gemm_hybrid_few_avx2(w2, k);
        sum02 = nnrt__gemm_hybrid_add_avx2(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_avx2(sum12, x1, y);
        y = nnrt__gemm_hybrid_few_avx2(w3, k);
        sum03 = nnrt__gemm_hybrid_add_avx2(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_avx2(sum13, x1, y);
    }
    for (t = 0; t + 16 <= k; t += 16) {
        x0 = nnrt__gemm_hybrid_wide_avx2(a0 + t);
        x1 = nnrt__gemm_hybrid_wide_avx2(a1 + t);
        y = nnrt__gemm_hybrid_wide_avx2(w0 + t);
        sum00 = nnrt__gemm_hybrid_add_avx2(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_avx2(sum10, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w1 + t);
        sum01 = nnrt__gemm_hybrid_add_avx2(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_avx2(sum11, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w2 + t);
        sum02 = nnrt__gemm_hybrid_add_avx2(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_avx2(sum12, x1, y);
        y = nnrt__gemm_hybrid_wide_avx2(w3 + t);
        sum03 = nnrt__gemm_hybrid_add_avx2(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_avx2(sum13, x1, y);
    }
    nnrt__gemm_hybrid_floats_avx2(args, j, count, &scale, &bias);
    nnrt__gemm_hybrid_store_avx2(args, nnrt__gemm_hybrid_sums_avx2(sum00, sum01, sum02, sum03), scale, bias, c, count);
    if (i + 1 < args->m)
        nnrt__gemm_hybrid_store_avx2(args, nnrt__gemm_hybrid_sums_avx2(sum10, sum11, sum12, sum13), scale, bias,
                                     c + args->c_stride, count);
}

/* Some products of 9 to 16 channels, and what becomes of their sums. */
typedef struct nnrt__gemm_hybrid_tile_avx2 {
    size_t at, depth;  /* of k products: the first, and how many, 64 but for the last */
    bool begins, ends; /* the first, the last of the k products are there */
    bool is_full;      /* all 16 channels are there */
    __m256i mask;      /* lanes of the second vector that are channels */
    __m256 scale[2], bias[2], low, high;
    __m256i w[64]; /* [2 * t] and the next: products at + 2t and at + 2t + 1 of each channel; 0 behind k */
} nnrt__gemm_hybrid_tile_avx2;

/* 8 bytes of two channels, widened. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_hybrid_two_avx2(const uint64_t bytes[5]) {
    const __m128i low = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)bytes));
    const __m128i high = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(bytes + 4)));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_turn_avx2(nnrt__gemm_hybrid_tile_avx2 *tile,
                                                                const int8_t *const w[16]) {
    for (size_t t = 0; t < tile->depth; t += 8) {
        const size_t left = tile->depth - t;
        uint64_t bytes[16];
        size_t i;
        for (i = 0; left >= 8 && i < 16; i++) memcpy(bytes + i, w[i] + tile->at + t, 8);
        for (; i < 16; i++) bytes[i] = nnrt__load_up_to_8(w[i] + tile->at + t, left);
        for (i = 0; i < 2; i++) {
            const uint64_t *from = bytes + 8 * i;
            const __m256i w0 = nnrt__gemm_hybrid_two_avx2(from), w1 = nnrt__gemm_hybrid_two_avx2(from + 1);
            const __m256i w2 = nnrt__gemm_hybrid_two_avx2(from + 2), w3 = nnrt__gemm_hybrid_two_avx2(from + 3);
            const __m256i low01 = _mm256_unpacklo_epi32(w0, w1), high01 = _mm256_unpackhi_epi32(w0, w1);
            const __m256i low23 = _mm256_unpacklo_epi32(w2, w3), high23 = _mm256_unpackhi_epi32(w2, w3);
            tile->w[t + i] = _mm256_unpacklo_epi64(low01, low23);
            tile->w[t + i + 2] = _mm256_unpackhi_epi64(low01, low23);
            tile->w[t + i + 4] = _mm256_unpacklo_epi64(high01, high23);
            tile->w[t + i + 6] = _mm256_unpackhi_epi64(high01, high23);
        }
    }
}

/* sums + two products of a row with each of 16 channels, where they are: GCC moves what it adds to elsewhere. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_row_avx2(__m256i sums[2], const int16_t *a, __m256i w0,
                                                               __m256i w1) {
    const __m256i x = _mm256_set1_epi32(nnrt__kernel_read_i32(a));
    sums[0] = nnrt__gemm_hybrid_add_avx2(sums[0], x, w0);
    sums[1] = nnrt__gemm_hybrid_add_avx2(sums[1], x, w1);
    __asm__("" : "+x"(sums[0]), "+x"(sums[1]));
}

/* The sums of a row so far. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_begin_avx2(const nnrt__gemm_hybrid_tile_avx2 *tile,
                                                                 const float *c, __m256i sums[2]) {
    sums[0] = sums[1] = _mm256_setzero_si256();
    if (tile->begins) return;
    sums[0] = _mm256_castps_si256(_mm256_loadu_ps(c));
    sums[1] = _mm256_castps_si256(_mm256_maskload_ps(c + 8, tile->mask));
}

/* The sums of a row, or what comes out of them, to c. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_end_avx2(const nnrt__gemm_hybrid_tile_avx2 *tile, float *c,
                                                               __m256i sums[2]) {
    __m256 x = _mm256_castsi256_ps(sums[0]), y = _mm256_castsi256_ps(sums[1]);
    if (tile->ends) {
        x = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums[0]), tile->scale[0]), tile->bias[0]);
        y = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums[1]), tile->scale[1]), tile->bias[1]);
        x = nnrt__clamp_f32_avx2(x, tile->low, tile->high);
        y = nnrt__clamp_f32_avx2(y, tile->low, tile->high);
    }
    _mm256_storeu_ps(c, x);
    if (tile->is_full) _mm256_storeu_ps(c + 8, y);
    else _mm256_maskstore_ps(c + 8, tile->mask, y);
}

/* Four rows, of which `count` are there; the others are the last of them again, which writes the same again. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_hybrid_four_avx2(const nnrt__gemm_hybrid_tile_avx2 *tile,
                                                                const int8_t *const *rows, size_t count, float *c,
                                                                size_t stride) {
    const size_t r1 = count > 1 ? 1 : 0, r2 = count > 2 ? 2 : r1, r3 = count > 3 ? 3 : r2;
    const size_t from[4] = {0, r1, r2, r3};
    int16_t a[4][64];
    __m256i s0[2], s1[2], s2[2], s3[2];
    size_t i, t;
    for (i = 0; i < 4; i++) {
        const int8_t *row = rows[from[i]] + tile->at;
        for (t = 0; t + 32 <= tile->depth; t += 32) {
            const __m256i x = nnrt__gemm_hybrid_wide_avx2(row + t), y = nnrt__gemm_hybrid_wide_avx2(row + t + 16);
            _mm256_storeu_si256((__m256i *)(void *)(a[i] + t), x);
            _mm256_storeu_si256((__m256i *)(void *)(a[i] + t + 16), y);
        }
        for (; t < tile->depth; t += 16)
            _mm256_storeu_si256((__m256i *)(void *)(a[i] + t), nnrt__gemm_hybrid_few_avx2(row + t, tile->depth - t));
    }
    nnrt__gemm_hybrid_begin_avx2(tile, c, s0);
    nnrt__gemm_hybrid_begin_avx2(tile, c + r1 * stride, s1);
    nnrt__gemm_hybrid_begin_avx2(tile, c + r2 * stride, s2);
    nnrt__gemm_hybrid_begin_avx2(tile, c + r3 * stride, s3);
    for (t = 0; t < tile->depth; t += 2) {
        const __m256i w0 = tile->w[t], w1 = tile->w[t + 1];
        nnrt__gemm_hybrid_row_avx2(s0, a[0] + t, w0, w1);
        nnrt__gemm_hybrid_row_avx2(s1, a[1] + t, w0, w1);
        nnrt__gemm_hybrid_row_avx2(s2, a[2] + t, w0, w1);
        nnrt__gemm_hybrid_row_avx2(s3, a[3] + t, w0, w1);
    }
    nnrt__gemm_hybrid_end_avx2(tile, c, s0);
    nnrt__gemm_hybrid_end_avx2(tile, c + r1 * stride, s1);
    nnrt__gemm_hybrid_end_avx2(tile, c + r2 * stride, s2);
    nnrt__gemm_hybrid_end_avx2(tile, c + r3 * stride, s3);
}

/* All rows against 16 channels from j on, or those that are there, at least 9. k >= 1 */
NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_hybrid_channels_avx2(const nnrt__gemm_hybrid_args *args, size_t j) {
    const size_t channels = args->n - j < 16 ? args->n - j : 16;
    nnrt__gemm_hybrid_tile_avx2 tile;
    const int8_t *w[16];
    size_t i;
    for (i = 0; i < 16; i++) w[i] = args->w + (j + (i < channels ? i : channels - 1)) * args->w_stride;
    tile.is_full = channels == 16;
    tile.mask = nnrt__mask_f32_avx2(channels - 8);
    tile.low = _mm256_set1_ps(args->clamp_min);
    tile.high = _mm256_set1_ps(args->clamp_max);
    tile.scale[0] = tile.scale[1] = _mm256_set1_ps(*args->w_scale);
    if (args->w_scale_stride != 0) {
        tile.scale[0] = _mm256_loadu_ps(args->w_scale + j);
        tile.scale[1] = _mm256_maskload_ps(args->w_scale + j + 8, tile.mask);
    }
    tile.scale[0] = _mm256_mul_ps(_mm256_set1_ps(args->a_scale), tile.scale[0]);
    tile.scale[1] = _mm256_mul_ps(_mm256_set1_ps(args->a_scale), tile.scale[1]);
    tile.bias[0] = tile.bias[1] = _mm256_setzero_ps();
    if (args->bias != NULL) {
        tile.bias[0] = _mm256_loadu_ps(args->bias + j);
        tile.bias[1] = _mm256_maskload_ps(args->bias + j + 8, tile.mask);
    }
    for (tile.at = 0; tile.at < args->k; tile.at += 64) {
        tile.depth = args->k - tile.at < 64 ? args->k - tile.at : 64;
        tile.begins = tile.at == 0;
        tile.ends = tile.at + tile.depth == args->k;
        nnrt__gemm_hybrid_turn_avx2(&tile, w);
        for (i = 0; i < args->m; i += 4)
            nnrt__gemm_hybrid_four_avx2(&tile, args->a + i, args->m - i, args->c + i * args->c_stride + j,
                                        args->c_stride);
    }
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_hybrid_avx2(const nnrt__gemm_hybrid_args *args) {
    size_t i, j, turned = 0;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    if (NNRT__FOR_SPEED && args->m >= NNRT__GEMM_HYBRID_AVX2_FEW && args->k != 0)
        for (; turned + 8 < args->n; turned += 16) nnrt__gemm_hybrid_channels_avx2(args, turned);
    for (i = 0; i < args->m; i += 2) {
        const int8_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = turned; j < args->n; j += 4) nnrt__gemm_hybrid_block_avx2(args, a0, a1, i, j);
    }
}

/* 8 quantized values. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__quantize_symmetric_some_avx2(const float *in, __m256 inverse) {
    const __m256 x = _mm256_mul_ps(_mm256_loadu_ps(in), inverse);
    const __m256 half = _mm256_or_ps(_mm256_and_ps(x, _mm256_set1_ps(-0.0f)), _mm256_set1_ps(NNRT__ALMOST_HALF));
    return _mm256_cvttps_epi32(_mm256_add_ps(x, half));
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__quantize_symmetric_f32_avx2(const float *in, size_t count, int8_t *out,
                                                                  float *scale) {
    const size_t whole = count & ~(size_t)15;
    const __m256i size = _mm256_set1_epi32(0x7fffffff);
    __m256i most0 = _mm256_setzero_si256(), most1 = most0;
    uint32_t lanes[8], bits = 0;
    float range, inverse;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    for (i = 0; i < whole; i += 16) { /* floats of one sign are ordered as integers */
        most0 = _mm256_max_epi32(most0, _mm256_and_si256(_mm256_castps_si256(_mm256_loadu_ps(in + i)), size));
        most1 = _mm256_max_epi32(most1, _mm256_and_si256(_mm256_castps_si256(_mm256_loadu_ps(in + i + 8)), size));
    }
    _mm256_storeu_si256((__m256i *)(void *)lanes, _mm256_max_epi32(most0, most1));
    for (i = 0; i < 8; i++) bits = lanes[i] > bits ? lanes[i] : bits;
    for (i = whole; i < count; i++) {
        uint32_t own;
        memcpy(&own, &in[i], sizeof(own));
        own &= 0x7fffffffu;
        bits = own > bits ? own : bits;
    }
    if (!nnrt__quantize_symmetric_is_plain(bits)) {
        nnrt__quantize_symmetric_f32_scalar(in, count, out, scale);
        return;
    }
    memcpy(&range, &bits, sizeof(range));
    *scale = range / 127.0f;
    inverse = 127.0f / range;
    for (i = 0; i < whole; i += 16) {
        const __m256i low = nnrt__quantize_symmetric_some_avx2(in + i, _mm256_set1_ps(inverse));
        const __m256i high = nnrt__quantize_symmetric_some_avx2(in + i + 8, _mm256_set1_ps(inverse));
        const __m256i pairs = _mm256_packs_epi32(low, high), order = _mm256_permute4x64_epi64(pairs, 0xd8);
        const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(order), _mm256_extracti128_si256(order, 1));
        _mm_storeu_si128((__m128i *)(void *)(out + i), bytes);
    }
    for (; i < count; i++) {
        const float x = in[i] * inverse;
        out[i] = (int8_t)(x < 0.0f ? x - NNRT__ALMOST_HALF : x + NNRT__ALMOST_HALF);
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__hybrid_s8_avx2_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_avx2;
    t->gemm_hybrid_isa = "avx2";
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_avx2;
    t->quantize_symmetric_f32_isa = "avx2";
}

#endif /* NNRT_KERNELS_HYBRID_S8_AVX2_H */
