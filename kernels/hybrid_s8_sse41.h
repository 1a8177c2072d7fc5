/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_sse41.h - gemm_hybrid and quantize_symmetric_f32 for SSE4.1.
   Contract: hybrid_s8_scalar.h.

   2 rows x 4 channels in 8 accumulators; A and the weights are widened to 16 bits as they are read, and pmaddwd adds
   two products into 32 bits: 28 instructions per 64 products (GCC 12), 9
   cycles by llvm-mca 14 for haswell. A row's length that is no
   multiple of 8 begins with its last 8 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_HYBRID_S8_SSE41_H
#define NNRT_KERNELS_HYBRID_S8_SSE41_H

#include "f32_sse41.h"
#include "fp_contract.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"
#include "requantize_sse41.h"

NNRT__FP_CONTRACT_OFF_BEGIN

/* What follows the sums of four channels of one row: count of them are stored. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_hybrid_store_sse41(const nnrt__gemm_hybrid_args *args, __m128i sums,
                                                                   __m128 scale, __m128 bias, float *c, size_t count) {
    const __m128 x = _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(sums), scale), bias);
    nnrt__store_f32_sse41(c, nnrt__clamp_f32_sse41(x, _mm_set1_ps(args->clamp_min), _mm_set1_ps(args->clamp_max)),
                          count);
}

/* Up to four floats from j on of n, the rest 0. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128 nnrt__gemm_hybrid_load_sse41(const float *from, size_t count) {
    float lanes[4] = {0, 0, 0, 0};
    if (count == 4) return _mm_loadu_ps(from);
    memcpy(lanes, from, count * sizeof(float));
    return _mm_loadu_ps(lanes);
}

/* The floats of the channels from j on: the factors of their sums, and their bias. */
NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_hybrid_floats_sse41(const nnrt__gemm_hybrid_args *args, size_t j,
                                                                    size_t count, __m128 *scale, __m128 *bias) {
    *scale = args->w_scale_stride != 0 ? nnrt__gemm_hybrid_load_sse41(args->w_scale + j, count)
                                       : _mm_set1_ps(*args->w_scale);
    *scale = _mm_mul_ps(_mm_set1_ps(args->a_scale), *scale);
    *bias = args->bias != NULL ? nnrt__gemm_hybrid_load_sse41(args->bias + j, count) : _mm_set1_ps(0.0f);
}

/* 8 bytes, widened. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_hybrid_wide_sse41(const int8_t *from) {
    return _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(from)));
}

/* n < 8 bytes, widened, and zeros. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_hybrid_few_sse41(const int8_t *from, size_t n) {
    return _mm_cvtepi8_epi16(nnrt__load_bytes_sse41(from, n));
}

/* sum + 8 products */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_hybrid_add_sse41(__m128i sum, __m128i a, __m128i w) {
    return _mm_add_epi32(sum, _mm_madd_epi16(a, w));
}

/* Lane i of the result is the sum over the lanes of the i-th argument. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__gemm_hybrid_sums_sse41(__m128i a, __m128i b, __m128i c, __m128i d) {
    return _mm_hadd_epi32(_mm_hadd_epi32(a, b), _mm_hadd_epi32(c, d));
}

NNRT__TARGET_SSE41 NNRT__INLINE void nnrt__gemm_hybrid_block_sse41(const nnrt__gemm_hybrid_args *args, const int8_t *a0,
                                                                   const int8_t *a1, size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, k = args->k, tail = k % 8;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    __m128i sum00 = _mm_setzero_si128(), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    __m128i sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    __m128i x0, x1, y;
    float *c = args->c + i * args->c_stride + j;
    __m128 scale, bias;
    size_t t;
    if (tail != 0 && k >= 8) {
        const __m128i last = _mm_loadl_epi64((const __m128i *)(const void *)(nnrt__last_bytes_mask() + 8 + tail));
        const __m128i mask = _mm_cvtepi8_epi16(last);
        t = k - 8;
        x0 = _mm_and_si128(nnrt__gemm_hybrid_wide_sse41(a0 + t), mask);
        x1 = _mm_and_si128(nnrt__gemm_hybrid_wide_sse41(a1 + t), mask);
        y = nnrt__gemm_hybrid_wide_sse41(w0 + t);
        sum00 = nnrt__gemm_hybrid_add_sse41(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_sse41(sum10, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w1 + t);
        sum01 = nnrt__gemm_hybrid_add_sse41(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_sse41(sum11, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w2 + t);
        sum02 = nnrt__gemm_hybrid_add_sse41(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_sse41(sum12, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w3 + t);
        sum03 = nnrt__gemm_hybrid_add_sse41(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_sse41(sum13, x1, y);
    } else if (tail != 0) {
        x0 = nnrt__gemm_hybrid_few_sse41(a0, k);
        x1 = nnrt__gemm_hybrid_few_sse41(a1, k);
        y = nnrt__gemm_hybrid_few_sse41(w0, k);
        sum00 = nnrt__gemm_hybrid_add_sse41(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_sse41(sum10, x1, y);
        y = nnrt__gemm_hybrid_few_sse41(w1, k);
        sum01 = nnrt__gemm_hybrid_add_sse41(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_sse41(sum11, x1, y);
        y = nnrt__gemm_hybrid_few_sse41(w2, k);
        sum02 = nnrt__gemm_hybrid_add_sse41(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_sse41(sum12, x1, y);
        y = nnrt__gemm_hybrid_few_sse41(w3, k);
        sum03 = nnrt__gemm_hybrid_add_sse41(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_sse41(sum13, x1, y);
    }
    for (t = 0; t + 8 <= k; t += 8) {
        x0 = nnrt__gemm_hybrid_wide_sse41(a0 + t);
        x1 = nnrt__gemm_hybrid_wide_sse41(a1 + t);
        y = nnrt__gemm_hybrid_wide_sse41(w0 + t);
        sum00 = nnrt__gemm_hybrid_add_sse41(sum00, x0, y);
        sum10 = nnrt__gemm_hybrid_add_sse41(sum10, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w1 + t);
        sum01 = nnrt__gemm_hybrid_add_sse41(sum01, x0, y);
        sum11 = nnrt__gemm_hybrid_add_sse41(sum11, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w2 + t);
        sum02 = nnrt__gemm_hybrid_add_sse41(sum02, x0, y);
        sum12 = nnrt__gemm_hybrid_add_sse41(sum12, x1, y);
        y = nnrt__gemm_hybrid_wide_sse41(w3 + t);
        sum03 = nnrt__gemm_hybrid_add_sse41(sum03, x0, y);
        sum13 = nnrt__gemm_hybrid_add_sse41(sum13, x1, y);
    }
    nnrt__gemm_hybrid_floats_sse41(args, j, count, &scale, &bias);
    nnrt__gemm_hybrid_store_sse41(args, nnrt__gemm_hybrid_sums_sse41(sum00, sum01, sum02, sum03), scale, bias, c,
                                  count);
    if (i + 1 < args->m)
        nnrt__gemm_hybrid_store_sse41(args, nnrt__gemm_hybrid_sums_sse41(sum10, sum11, sum12, sum13), scale, bias,
                                      c + args->c_stride, count);
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__TARGET_SSE41 NNRT__FN void nnrt__gemm_hybrid_sse41(const nnrt__gemm_hybrid_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int8_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_hybrid_block_sse41(args, a0, a1, i, j);
    }
}

/* 4 quantized values. */
NNRT__TARGET_SSE41 NNRT__INLINE __m128i nnrt__quantize_symmetric_some_sse41(const float *in, __m128 inverse) {
    const __m128 x = _mm_mul_ps(_mm_loadu_ps(in), inverse);
    const __m128 half = _mm_or_ps(_mm_and_ps(x, _mm_set1_ps(-0.0f)), _mm_set1_ps(NNRT__ALMOST_HALF));
    return _mm_cvttps_epi32(_mm_add_ps(x, half));
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__quantize_symmetric_f32_sse41(const float *in, size_t count, int8_t *out,
                                                                    float *scale) {
    const size_t whole = count & ~(size_t)7;
    const __m128i size = _mm_set1_epi32(0x7fffffff);
    __m128i most0 = _mm_setzero_si128(), most1 = most0;
    uint32_t lanes[4], bits = 0;
    float range, inverse;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    for (i = 0; i < whole; i += 8) { /* floats of one sign are ordered as integers */
        most0 = _mm_max_epi32(most0, _mm_and_si128(_mm_castps_si128(_mm_loadu_ps(in + i)), size));
        most1 = _mm_max_epi32(most1, _mm_and_si128(_mm_castps_si128(_mm_loadu_ps(in + i + 4)), size));
    }
    _mm_storeu_si128((__m128i *)(void *)lanes, _mm_max_epi32(most0, most1));
    for (i = 0; i < 4; i++) bits = lanes[i] > bits ? lanes[i] : bits;
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
    for (i = 0; i < whole; i += 8) {
        const __m128i low = nnrt__quantize_symmetric_some_sse41(in + i, _mm_set1_ps(inverse));
        const __m128i high = nnrt__quantize_symmetric_some_sse41(in + i + 4, _mm_set1_ps(inverse));
        const __m128i words = _mm_packs_epi32(low, high);
        _mm_storel_epi64((__m128i *)(void *)(out + i), _mm_packs_epi16(words, words));
    }
    for (; i < count; i++) {
        const float x = in[i] * inverse;
        out[i] = (int8_t)(x < 0.0f ? x - NNRT__ALMOST_HALF : x + NNRT__ALMOST_HALF);
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__hybrid_s8_sse41_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_sse41;
    t->gemm_hybrid_isa = "sse41";
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_sse41;
    t->quantize_symmetric_f32_isa = "sse41";
}

#endif /* NNRT_KERNELS_HYBRID_S8_SSE41_H */
