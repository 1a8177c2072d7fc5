/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_f32_neon.h - avg_pool_f32 and max_pool_f32 for ARMv7 NEON and AArch64. Contract and bound:
   pool_f32_scalar.h. Each channel is worked on in the scalar order, so AArch64 gives the same bytes; ARMv7
   multiplies by 1 / count and flushes denormals. */
#ifndef NNRT_KERNELS_POOL_F32_NEON_H
#define NNRT_KERNELS_POOL_F32_NEON_H

#include "internal.h"
#include "f32_neon.h"
#include "pool_f32_scalar.h"

/* One more pixel; a NaN is passed over by the maximum. */
NNRT__INLINE float32x4_t nnrt__pool_f32_neon_add(float32x4_t so_far, float32x4_t x, bool average) {
    return average ? vaddq_f32(so_far, x) : nnrt__greater_f32_neon(x, so_far);
}

/* `average` is a constant at each place of use. */
NNRT__INLINE void nnrt__pool_f32_neon(const nnrt__pool_f32_args *args, bool average) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    const float32x4_t start = vdupq_n_f32(average ? 0.0f : -INFINITY);
    const float count = average ? (float)(args->rows * args->columns) : 1.0f;
    size_t c = 0;
    NNRT_ASSERT(nnrt__pool_f32_is_right(args));
    for (; c + 8 <= args->channels; c += 8) {
        float32x4_t s0 = start, s1 = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels) {
                s0 = nnrt__pool_f32_neon_add(s0, vld1q_f32(in), average);
                s1 = nnrt__pool_f32_neon_add(s1, vld1q_f32(in + 4), average);
            }
        }
        vst1q_f32(args->out + c, nnrt__clamp_f32_neon(nnrt__divide_f32_neon(s0, count), low, high));
        vst1q_f32(args->out + c + 4, nnrt__clamp_f32_neon(nnrt__divide_f32_neon(s1, count), low, high));
    }
    for (; c < args->channels; c++) { /* lane 0 */
        float32x4_t sum = start;
        for (size_t y = 0; y < args->rows; y++) {
            const float *in = args->in + y * args->row_stride + c;
            for (size_t x = 0; x < args->columns; x++, in += args->channels)
                sum = nnrt__pool_f32_neon_add(sum, nnrt__load1_f32_neon(in), average);
        }
        vst1q_lane_f32(args->out + c, nnrt__clamp_f32_neon(nnrt__divide_f32_neon(sum, count), low, high), 0);
    }
}

NNRT__FN void nnrt__avg_pool_f32_neon(const nnrt__pool_f32_args *args) { nnrt__pool_f32_neon(args, true); }

NNRT__FN void nnrt__max_pool_f32_neon(const nnrt__pool_f32_args *args) { nnrt__pool_f32_neon(args, false); }

NNRT__FN void nnrt__pool_f32_neon_install(nnrt__cpu_table *table) {
    table->avg_pool_f32 = nnrt__avg_pool_f32_neon;
    table->avg_pool_f32_isa = "neon";
    table->max_pool_f32 = nnrt__max_pool_f32_neon;
    table->max_pool_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_POOL_F32_NEON_H */
