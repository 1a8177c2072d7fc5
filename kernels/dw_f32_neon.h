/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_neon.h - dw_f32 for ARMv7 NEON and AArch64. Contract and bound: dw_f32_scalar.h.

   A tile is two vectors, 8 channels; two pixels share each weight that is loaded. An odd last pixel is its
   own partner. Channels of a last, partial tile are worked on by fours, then singly. */
#ifndef NNRT_KERNELS_DW_F32_NEON_H
#define NNRT_KERNELS_DW_F32_NEON_H

#include "internal.h"
#include "packing.h"
#include "dw_f32_scalar.h"
#include "f32_neon.h"

NNRT__FN void nnrt__dw_f32_neon_8(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p += 2) {
        const size_t q = p + 1 < args->pixels ? p + 1 : p;
        const float *const *p_taps = args->taps + p * args->tap_count;
        const float *const *q_taps = args->taps + q * args->tap_count;
        float *p_out = args->out + p * args->out_stride + c, *q_out = args->out + q * args->out_stride + c;
        const float *w = tile;
        float32x4_t p0 = vld1q_f32(w), p1 = vld1q_f32(w + 4), q0 = p0, q1 = p1;
        for (size_t t = 0; t < args->tap_count; t++) {
            const float *p_in = p_taps[t] + c, *q_in = q_taps[t] + c;
            float32x4_t w0, w1;
            w += 8;
            w0 = vld1q_f32(w);
            w1 = vld1q_f32(w + 4);
            p0 = nnrt__fma_f32_neon(p0, w0, vld1q_f32(p_in));
            p1 = nnrt__fma_f32_neon(p1, w1, vld1q_f32(p_in + 4));
            q0 = nnrt__fma_f32_neon(q0, w0, vld1q_f32(q_in));
            q1 = nnrt__fma_f32_neon(q1, w1, vld1q_f32(q_in + 4));
        }
        vst1q_f32(p_out, nnrt__clamp_f32_neon(p0, low, high));
        vst1q_f32(p_out + 4, nnrt__clamp_f32_neon(p1, low, high));
        vst1q_f32(q_out, nnrt__clamp_f32_neon(q0, low, high));
        vst1q_f32(q_out + 4, nnrt__clamp_f32_neon(q1, low, high));
    }
}

/* The first 4 channels of a partial tile. */
NNRT__FN void nnrt__dw_f32_neon_4(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p++) {
        const float *const *taps = args->taps + p * args->tap_count;
        const float *w = tile;
        float32x4_t sum = vld1q_f32(w);
        for (size_t t = 0; t < args->tap_count; t++) {
            w += 8;
            sum = nnrt__fma_f32_neon(sum, vld1q_f32(w), vld1q_f32(taps[t] + c));
        }
        vst1q_f32(args->out + p * args->out_stride + c, nnrt__clamp_f32_neon(sum, low, high));
    }
}

NNRT__FN void nnrt__dw_f32_neon(const nnrt__dw_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, args->tap_count) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c = 0;
    for (; c + 8 <= args->channels; c += 8, tile += step) nnrt__dw_f32_neon_8(args, tile, c);
    if (c + 4 <= args->channels) {
        nnrt__dw_f32_neon_4(args, tile, c);
        c += 4;
    }
    nnrt__dw_f32_scalar_range(args, c, args->channels, 8);
}

NNRT__FN void nnrt__dw_f32_neon_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_neon, NULL, &nnrt__packing_dw_f32_8, "neon"};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_NEON_H */
