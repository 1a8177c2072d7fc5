/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_f32_sse41.h - avg_pool_f32 and max_pool_f32 for SSE4.1. Contract and bound: pool_f32_scalar.h;
   each channel is worked on in the scalar order, so here the bytes are the same. */
#ifndef NNRT_KERNELS_POOL_F32_SSE41_H
#define NNRT_KERNELS_POOL_F32_SSE41_H

#include "internal.h"
#include "f32_sse41.h"
#include "pool_f32_scalar.h"

/* One more pixel. maxps gives its second operand when the first is a NaN. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__pool_f32_sse41_add(__m128 so_far, __m128 x, bool average) {
    return average ? _mm_add_ps(so_far, x) : _mm_max_ps(x, so_far);
}

/* `average` is a constant at each place of use. */
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__pool_f32_sse41(const nnrt__pool_f32_args *args, bool average) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    const __m128 start = _mm_set1_ps(average ? 0.0f : -INFINITY);
    const __m128 count = _mm_set1_ps(average ? (float)(args->rows * args->columns) : 1.0f);
    size_t c = 0;
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (; c + 8 <= args->channels; c += 8) {
        __m128 s0 = start, s1 = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels) {
                s0 = nnrt__pool_f32_sse41_add(s0, _mm_loadu_ps(in), average);
                s1 = nnrt__pool_f32_sse41_add(s1, _mm_loadu_ps(in + 4), average);
            }
        }
        _mm_storeu_ps(args->out + c, nnrt__clamp_f32_sse41(_mm_div_ps(s0, count), low, high));
        _mm_storeu_ps(args->out + c + 4, nnrt__clamp_f32_sse41(_mm_div_ps(s1, count), low, high));
    }
    for (; c < args->channels; c++) { /* lane 0 */
        __m128 sum = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels)
                sum = nnrt__pool_f32_sse41_add(sum, _mm_load_ss(in), average);
        }
        _mm_store_ss(args->out + c, nnrt__clamp_f32_sse41(_mm_div_ps(sum, count), low, high));
    }
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__avg_pool_f32_sse41(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_sse41(args, true);
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__max_pool_f32_sse41(const nnrt__pool_f32_args *args) {
    nnrt__pool_f32_sse41(args, false);
}

NNRT__FN void nnrt__pool_f32_sse41_install(nnrt__cpu_table *table) {
    table->avg_pool_f32 = nnrt__avg_pool_f32_sse41;
    table->avg_pool_f32_isa = "sse41";
    table->max_pool_f32 = nnrt__max_pool_f32_sse41;
    table->max_pool_f32_isa = "sse41";
}

#endif /* NNRT_KERNELS_POOL_F32_SSE41_H */
