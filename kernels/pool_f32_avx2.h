/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_f32_avx2.h - avg_pool_f32 and max_pool_f32 for AVX2. Contract and bound: pool_f32_scalar.h;
   each channel is worked on in the scalar order, so here the bytes are the same. */
#ifndef NNRT_KERNELS_POOL_F32_AVX2_H
#define NNRT_KERNELS_POOL_F32_AVX2_H

#include "internal.h"
#include "f32_avx2.h"
#include "pool_f32_scalar.h"

/* One more pixel. maxps gives its second operand when the first is a NaN. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__pool_f32_avx2_add(__m256 so_far, __m256 x, bool average) {
    return average ? _mm256_add_ps(so_far, x) : _mm256_max_ps(x, so_far);
}

/* `average` is a constant at each place of use. */
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__pool_f32_avx2(const nnrt__pool_f32_args *args, bool average) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const __m256 start = _mm256_set1_ps(average ? 0.0f : -INFINITY);
    const __m256 count = _mm256_set1_ps(average ? (float)(args->rows * args->columns) : 1.0f);
    size_t c = 0;
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (; c + 16 <= args->channels; c += 16) {
        __m256 s0 = start, s1 = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels) {
                s0 = nnrt__pool_f32_avx2_add(s0, _mm256_loadu_ps(in), average);
                s1 = nnrt__pool_f32_avx2_add(s1, _mm256_loadu_ps(in + 8), average);
            }
        }
        _mm256_storeu_ps(args->out + c, nnrt__clamp_f32_avx2(_mm256_div_ps(s0, count), low, high));
        _mm256_storeu_ps(args->out + c + 8, nnrt__clamp_f32_avx2(_mm256_div_ps(s1, count), low, high));
    }
    for (; c < args->channels; c += 8) {
        const __m256i mask = nnrt__mask_f32_avx2(args->channels - c);
        __m256 sum = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels)
                sum = nnrt__pool_f32_avx2_add(sum, _mm256_maskload_ps(in, mask), average);
        }
        _mm256_maskstore_ps(args->out + c, mask, nnrt__clamp_f32_avx2(_mm256_div_ps(sum, count), low, high));
    }
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__avg_pool_f32_avx2(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_avx2(args, true);
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__max_pool_f32_avx2(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_avx2(args, false);
}

NNRT__FN void nnrt__pool_f32_avx2_install(nnrt__cpu_table *table) {
    table->avg_pool_f32 = nnrt__avg_pool_f32_avx2;
    table->avg_pool_f32_isa = "avx2";
    table->max_pool_f32 = nnrt__max_pool_f32_avx2;
    table->max_pool_f32_isa = "avx2";
}

#endif /* NNRT_KERNELS_POOL_F32_AVX2_H */
