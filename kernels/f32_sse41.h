/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/f32_sse41.h - shared by the float kernels for SSE4.1: the clamp, and partial vectors. */
#ifndef NNRT_KERNELS_F32_SSE41_H
#define NNRT_KERNELS_F32_SSE41_H

#include "internal.h"

/* nnrt__clamp_f32 per lane. maxps and minps give their second operand when one is a NaN: the order
   matters. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__clamp_f32_sse41(__m128 x, __m128 low, __m128 high) {
    return _mm_min_ps(_mm_max_ps(x, low), high);
}

/* The first `count` <= 4 lanes to `to`; nothing behind them is touched. */
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__store_f32_sse41(float *to, __m128 x, size_t count) {
    float lanes[4];
    if (count == 4) {
        _mm_storeu_ps(to, x);
    } else {
        _mm_storeu_ps(lanes, x);
        for (size_t i = 0; i < count; i++) to[i] = lanes[i];
    }
}

#endif /* NNRT_KERNELS_F32_SSE41_H */
