/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_sse41.h - dw_f32 for SSE4.1. Contract and bound: dw_f32_scalar.h.

   A tile is two vectors, 8 channels; two pixels share each weight that is loaded. An odd last pixel is its
   own partner. Channels of a last, partial tile are worked on by fours, then singly. One tap of two
   pixels, 16 products, is 22 instructions (GCC 12), 5.5 cycles by llvm-mca 14 for haswell. */
#ifndef NNRT_KERNELS_DW_F32_SSE41_H
#define NNRT_KERNELS_DW_F32_SSE41_H

#include "internal.h"
#include "packing.h"
#include "dw_f32_scalar.h"
#include "f32_sse41.h"

NNRT__FN NNRT__TARGET_SSE41 void nnrt__dw_f32_sse41_8(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p += 2) {
        const size_t q = p + 1 < args->pixels ? p + 1 : p;
        const float *const *p_taps = args->taps + p * args->tap_count;
        const float *const *q_taps = args->taps + q * args->tap_count;
        float *p_out = args->out + p * args->out_stride + c, *q_out = args->out + q * args->out_stride + c;
        const float *w = tile;
        __m128 p0 = _mm_loadu_ps(w), p1 = _mm_loadu_ps(w + 4), q0 = p0, q1 = p1;
        for (size_t t = 0; t < args->tap_count; t++) {
            const float *p_in = p_taps[t] + c, *q_in = q_taps[t] + c;
            __m128 w0, w1;
            w += 8;
            w0 = _mm_loadu_ps(w);
            w1 = _mm_loadu_ps(w + 4);
            p0 = _mm_add_ps(p0, _mm_mul_ps(w0, _mm_loadu_ps(p_in)));
            p1 = _mm_add_ps(p1, _mm_mul_ps(w1, _mm_loadu_ps(p_in + 4)));
            q0 = _mm_add_ps(q0, _mm_mul_ps(w0, _mm_loadu_ps(q_in)));
            q1 = _mm_add_ps(q1, _mm_mul_ps(w1, _mm_loadu_ps(q_in + 4)));
        }
        _mm_storeu_ps(p_out, nnrt__clamp_f32_sse41(p0, low, high));
        _mm_storeu_ps(p_out + 4, nnrt__clamp_f32_sse41(p1, low, high));
        _mm_storeu_ps(q_out, nnrt__clamp_f32_sse41(q0, low, high));
        _mm_storeu_ps(q_out + 4, nnrt__clamp_f32_sse41(q1, low, high));
    }
}

/* The first 4 channels of a partial tile. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__dw_f32_sse41_4(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p++) {
        const float *const *taps = args->taps + p * args->tap_count;
        const float *w = tile;
        __m128 sum = _mm_loadu_ps(w);
        for (size_t t = 0; t < args->tap_count; t++) {
            w += 8;
            sum = _mm_add_ps(sum, _mm_mul_ps(_mm_loadu_ps(w), _mm_loadu_ps(taps[t] + c)));
        }
        _mm_storeu_ps(args->out + p * args->out_stride + c, nnrt__clamp_f32_sse41(sum, low, high));
    }
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__dw_f32_sse41(const nnrt__dw_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->tap_count) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c = 0;
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (; c + 8 <= args->channels; c += 8, tile += step) nnrt__dw_f32_sse41_8(args, tile, c);
    if (c + 4 <= args->channels) {
        nnrt__dw_f32_sse41_4(args, tile, c);
        c += 4;
    }
    nnrt__dw_f32_scalar_range(args, c, args->channels, 8);
}

/* Rows: 8 channels, two pixels share each weight that is loaded. */
NNRT__FN NNRT__TARGET_SSE41 void nnrt__dw_f32_sse41_rows(const nnrt__dw_rows_f32_args *args, const float *tile,
                                                         size_t c) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    const size_t tap = args->tap_step;
    for (size_t p = 0; p < args->pixels; p += 2) {
        const size_t more = p + 1 < args->pixels ? 1 : 0, at = p * args->pixel_step + c;
        float *p_out = args->out + p * args->out_stride + c, *q_out = p_out + more * args->out_stride;
        const float *w = tile;
        __m128 p0 = _mm_loadu_ps(w), p1 = _mm_loadu_ps(w + 4), q0 = p0, q1 = p1;
        for (size_t i = 0; i < args->kernel_h; i++) {
            const float *p_in = args->rows[i] + at, *q_in = p_in + more * args->pixel_step;
            for (size_t j = 0; j < args->kernel_w; j++, p_in += tap, q_in += tap) {
                __m128 w0, w1;
                w += 8;
                w0 = _mm_loadu_ps(w);
                w1 = _mm_loadu_ps(w + 4);
                p0 = _mm_add_ps(p0, _mm_mul_ps(w0, _mm_loadu_ps(p_in)));
                p1 = _mm_add_ps(p1, _mm_mul_ps(w1, _mm_loadu_ps(p_in + 4)));
                q0 = _mm_add_ps(q0, _mm_mul_ps(w0, _mm_loadu_ps(q_in)));
                q1 = _mm_add_ps(q1, _mm_mul_ps(w1, _mm_loadu_ps(q_in + 4)));
            }
        }
        _mm_storeu_ps(p_out, nnrt__clamp_f32_sse41(p0, low, high));
        _mm_storeu_ps(p_out + 4, nnrt__clamp_f32_sse41(p1, low, high));
        _mm_storeu_ps(q_out, nnrt__clamp_f32_sse41(q0, low, high));
        _mm_storeu_ps(q_out + 4, nnrt__clamp_f32_sse41(q1, low, high));
    }
}

NNRT__FN NNRT__TARGET_SSE41 void nnrt__dw_rows_f32_sse41(const nnrt__dw_rows_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->kernel_h * args->kernel_w) / sizeof(float);
    const float *tile = (const float *)args->w;
    size_t c = 0;
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (; c + 8 <= args->channels; c += 8, tile += step) nnrt__dw_f32_sse41_rows(args, tile, c);
    nnrt__dw_rows_f32_scalar_range(args, c, args->channels, 8);
}

NNRT__FN void nnrt__dw_f32_sse41_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_sse41, nnrt__dw_rows_f32_sse41, &nnrt__packing_dw_f32_8, "sse41"};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_SSE41_H */
