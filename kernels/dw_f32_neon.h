/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_neon.h - dw_f32 for ARMv7 NEON and AArch64. Contract and bound: dw_f32_scalar.h.

   A tile is two vectors, 8 channels; two pixels share each weight that is loaded, and in rows of 3x3 windows at
   stride 1 and 2 the columns, too. In a list of taps an odd last pixel is its own partner. Channels of a last, partial
   tile are worked on by fours, then singly. One tap of two pixels, 16 products, by llvm-mca 14: 11 cycles of a
   Cortex-A9. */
#ifndef NNRT_KERNELS_DW_F32_NEON_H
#define NNRT_KERNELS_DW_F32_NEON_H

#include "internal.h"
#include "packing.h"
#include "dw_f32_scalar.h"
#include "f32_neon.h"
#include "packing.h"

#if defined(__aarch64__)
#include "dw_f32_neon_armv8.h"
#else
#include "dw_f32_neon_armv7.h"
#endif

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
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->tap_count) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c = 0;
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (; c + 8 <= args->channels; c += 8, tile += step) nnrt__dw_f32_neon_8(args, tile, c);
    if (c + 4 <= args->channels) {
        nnrt__dw_f32_neon_4(args, tile, c);
        c += 4;
    }
    nnrt__dw_f32_scalar_range(args, c, args->channels, 8);
}

/* Two windows of 3x3 at a time; an odd last pixel is computed with the one before it, once more. */
NNRT__INLINE void nnrt__dw_f32_neon_line(const nnrt__dw_rows_f32_args *args, size_t first, int stride,
                                         const float *tile) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    const float *rows[3] = {args->rows[0] + first, args->rows[1] + first, args->rows[2] + first};
    float *out = args->out + first;
    size_t left = args->pixels;
    int i;
    while (left > 0) {
        float32x4_t sums[4];
        if (left == 1) {
            for (i = 0; i < 3; i++) rows[i] -= args->pixel_step;
            out -= args->out_stride;
            left = 2;
        }
        sums[0] = sums[2] = vld1q_f32(tile);
        sums[1] = sums[3] = vld1q_f32(tile + 4);
        nnrt__dw_f32_neon_3x3(sums, rows, args->tap_step, stride, tile + 8);
        vst1q_f32(out, nnrt__clamp_f32_neon(sums[0], low, high));
        vst1q_f32(out + 4, nnrt__clamp_f32_neon(sums[1], low, high));
        out += args->out_stride;
        vst1q_f32(out, nnrt__clamp_f32_neon(sums[2], low, high));
        vst1q_f32(out + 4, nnrt__clamp_f32_neon(sums[3], low, high));
        out += args->out_stride;
        left -= 2;
    }
}

/* Any window, the channels [first, first + 8) or those of them that are there, four at a time and then one. */
NNRT__FN void nnrt__dw_f32_neon_window(const nnrt__dw_rows_f32_args *args, size_t first, const float *tile) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    const size_t count = args->channels - first < 8 ? args->channels - first : 8;
    size_t p, c, i, j;
    for (p = 0; p < args->pixels; p++) {
        const size_t at = p * args->pixel_step + first;
        float *out = args->out + p * args->out_stride + first;
        for (c = 0; c < count;) {
            const bool four = c + 4 <= count;
            const float *w = tile + c;
            float32x4_t sum = four ? vld1q_f32(w) : nnrt__load1_f32_neon(w);
            for (i = 0; i < args->kernel_h; i++) {
                const float *from = args->rows[i] + at + c;
                for (j = 0; j < args->kernel_w; j++, from += args->tap_step) {
                    w += 8;
                    sum = four ? nnrt__fma_f32_neon(sum, vld1q_f32(w), vld1q_f32(from))
                               : nnrt__fma_f32_neon(sum, nnrt__load1_f32_neon(w), nnrt__load1_f32_neon(from));
                }
            }
            nnrt__store_f32_neon(out + c, nnrt__clamp_f32_neon(sum, low, high), four ? 4 : 1);
            c += four ? 4 : 1;
        }
    }
}

NNRT__FN void nnrt__dw_rows_f32_neon(const nnrt__dw_rows_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->kernel_h * args->kernel_w) / sizeof(float);
    const bool nine = args->kernel_h == 3 && args->kernel_w == 3 && args->pixels >= 2;
    const float *tile = (const float *)args->w;
    size_t first;
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (first = 0; first < args->channels; first += 8, tile += step)
        if (nine && args->channels - first >= 8 && args->pixel_step == args->tap_step)
            nnrt__dw_f32_neon_line(args, first, 1, tile);
        else if (nine && args->channels - first >= 8 && args->pixel_step == 2 * args->tap_step)
            nnrt__dw_f32_neon_line(args, first, 2, tile);
        else nnrt__dw_f32_neon_window(args, first, tile);
}

NNRT__FN void nnrt__dw_f32_neon_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_neon, nnrt__dw_rows_f32_neon, &nnrt__packing_dw_f32_8, "neon"};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_NEON_H */
