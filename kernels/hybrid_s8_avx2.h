/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_avx2.h - gemm_hybrid and quantize_symmetric_f32 for AVX2.
   Contract: hybrid_s8_scalar.h.

   2 rows x 4 channels in 8 accumulators; A and the weights are widened to 16 bits as they are read, and pmaddwd adds
   two products into 32 bits: 25 instructions per 128 products (GCC 12), 8
   cycles by llvm-mca 14 for haswell. A row's length that is no
   multiple of 16 begins with its last 16 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_HYBRID_S8_AVX2_H
#define NNRT_KERNELS_HYBRID_S8_AVX2_H

#include "f32_sse41.h"
#include "fp_contract.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"
#include "requantize_sse41.h"

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

/* n < 16 bytes, widened, and zeros. */
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

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_hybrid_avx2(const nnrt__gemm_hybrid_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int8_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_hybrid_block_avx2(args, a0, a1, i, j);
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
