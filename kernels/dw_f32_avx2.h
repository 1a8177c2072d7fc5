/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_avx2.h - dw_f32 for AVX2 and FMA. Contract and bound: dw_f32_scalar.h.

   A tile is one vector of 8 channels, so the nine weights of a 3x3 filter, the bias and the clamp stay in registers (12
   of 16) while the pixels pass. Other filters read each weight once for two or four pixels.

   Rows with stride 1 that are 3 or 5 wide go by eights of pixels, as many sums as two multiply-adds of four cycles keep
   busy, and each vector of the input is loaded once for all of them. A row of 5 weights, 320 products, is 79
   instructions (GCC 12), 34 cycles by llvm-mca 14 for haswell. */
#ifndef NNRT_KERNELS_DW_F32_AVX2_H
#define NNRT_KERNELS_DW_F32_AVX2_H

#include "internal.h"
#include "packing.h"
#include "dw_f32_scalar.h"
#include "f32_avx2.h"

/* 8 channels from c on, 9 taps. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_9(const nnrt__dw_f32_args *args, const float *w, size_t c) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const __m256 bias = _mm256_loadu_ps(w), w0 = _mm256_loadu_ps(w + 8), w1 = _mm256_loadu_ps(w + 16),
                 w2 = _mm256_loadu_ps(w + 24), w3 = _mm256_loadu_ps(w + 32), w4 = _mm256_loadu_ps(w + 40),
                 w5 = _mm256_loadu_ps(w + 48), w6 = _mm256_loadu_ps(w + 56), w7 = _mm256_loadu_ps(w + 64),
                 w8 = _mm256_loadu_ps(w + 72);
    const float *const *taps = args->taps;
    float *out = args->out + c;
    for (size_t p = 0; p < args->pixels; p++, taps += 9, out += args->out_stride) {
        __m256 sum = _mm256_fmadd_ps(w0, _mm256_loadu_ps(taps[0] + c), bias);
        sum = _mm256_fmadd_ps(w1, _mm256_loadu_ps(taps[1] + c), sum);
        sum = _mm256_fmadd_ps(w2, _mm256_loadu_ps(taps[2] + c), sum);
        sum = _mm256_fmadd_ps(w3, _mm256_loadu_ps(taps[3] + c), sum);
        sum = _mm256_fmadd_ps(w4, _mm256_loadu_ps(taps[4] + c), sum);
        sum = _mm256_fmadd_ps(w5, _mm256_loadu_ps(taps[5] + c), sum);
        sum = _mm256_fmadd_ps(w6, _mm256_loadu_ps(taps[6] + c), sum);
        sum = _mm256_fmadd_ps(w7, _mm256_loadu_ps(taps[7] + c), sum);
        sum = _mm256_fmadd_ps(w8, _mm256_loadu_ps(taps[8] + c), sum);
        _mm256_storeu_ps(out, nnrt__clamp_f32_avx2(sum, low, high));
    }
}

/* 8 channels from c on, any number of taps. An odd last pixel is its own partner. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_any(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p += 2) {
        const size_t q = p + 1 < args->pixels ? p + 1 : p;
        const float *const *p_taps = args->taps + p * args->tap_count;
        const float *const *q_taps = args->taps + q * args->tap_count;
        const float *w = tile;
        __m256 p_sum = _mm256_loadu_ps(w), q_sum = p_sum;
        for (size_t t = 0; t < args->tap_count; t++) {
            __m256 weight;
            w += 8;
            weight = _mm256_loadu_ps(w);
            p_sum = _mm256_fmadd_ps(weight, _mm256_loadu_ps(p_taps[t] + c), p_sum);
            q_sum = _mm256_fmadd_ps(weight, _mm256_loadu_ps(q_taps[t] + c), q_sum);
        }
        _mm256_storeu_ps(args->out + p * args->out_stride + c, nnrt__clamp_f32_avx2(p_sum, low, high));
        _mm256_storeu_ps(args->out + q * args->out_stride + c, nnrt__clamp_f32_avx2(q_sum, low, high));
    }
}

/* The last 1 to 7 channels: masked loads do not touch what lies behind them. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_rest(const nnrt__dw_f32_args *args, const float *tile, size_t c) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const __m256i mask = nnrt__mask_f32_avx2(args->channels - c);
    for (size_t p = 0; p < args->pixels; p++) {
        const float *const *taps = args->taps + p * args->tap_count;
        const float *w = tile;
        __m256 sum = _mm256_loadu_ps(w);
        for (size_t t = 0; t < args->tap_count; t++) {
            w += 8;
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(w), _mm256_maskload_ps(taps[t] + c, mask), sum);
        }
        _mm256_maskstore_ps(args->out + p * args->out_stride + c, mask, nnrt__clamp_f32_avx2(sum, low, high));
    }
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2(const nnrt__dw_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->tap_count) / sizeof(float);
    const float *tile = (const float *)args->w;
    NNRT_ASSERT(nnrt__dw_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (size_t c = 0; c < args->channels; c += 8, tile += step) {
        if (args->channels - c < 8) nnrt__dw_f32_avx2_rest(args, tile, c);
        else if (args->tap_count == 9) nnrt__dw_f32_avx2_9(args, tile, c);
        else nnrt__dw_f32_avx2_any(args, tile, c);
    }
}

/* Rows, 3x3: as nnrt__dw_f32_avx2_9, without a list. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_3x3(const nnrt__dw_rows_f32_args *args, const float *w, size_t c) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const __m256 bias = _mm256_loadu_ps(w), w0 = _mm256_loadu_ps(w + 8), w1 = _mm256_loadu_ps(w + 16),
                 w2 = _mm256_loadu_ps(w + 24), w3 = _mm256_loadu_ps(w + 32), w4 = _mm256_loadu_ps(w + 40),
                 w5 = _mm256_loadu_ps(w + 48), w6 = _mm256_loadu_ps(w + 56), w7 = _mm256_loadu_ps(w + 64),
                 w8 = _mm256_loadu_ps(w + 72);
    const size_t tap = args->tap_step, step = args->pixel_step;
    const float *r0 = args->rows[0] + c, *r1 = args->rows[1] + c, *r2 = args->rows[2] + c;
    float *out = args->out + c;
    for (size_t p = 0; p < args->pixels; p++, r0 += step, r1 += step, r2 += step, out += args->out_stride) {
        __m256 sum = _mm256_fmadd_ps(w0, _mm256_loadu_ps(r0), bias);
        sum = _mm256_fmadd_ps(w1, _mm256_loadu_ps(r0 + tap), sum);
        sum = _mm256_fmadd_ps(w2, _mm256_loadu_ps(r0 + 2 * tap), sum);
        sum = _mm256_fmadd_ps(w3, _mm256_loadu_ps(r1), sum);
        sum = _mm256_fmadd_ps(w4, _mm256_loadu_ps(r1 + tap), sum);
        sum = _mm256_fmadd_ps(w5, _mm256_loadu_ps(r1 + 2 * tap), sum);
        sum = _mm256_fmadd_ps(w6, _mm256_loadu_ps(r2), sum);
        sum = _mm256_fmadd_ps(w7, _mm256_loadu_ps(r2 + tap), sum);
        sum = _mm256_fmadd_ps(w8, _mm256_loadu_ps(r2 + 2 * tap), sum);
        _mm256_storeu_ps(out, nnrt__clamp_f32_avx2(sum, low, high));
    }
}

/* Rows, any kernel, eight channels, by fours of pixels from `first` on: as many sums as a multiply-add takes cycles.
   Pixels behind the last are the last again. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_fours(const nnrt__dw_rows_f32_args *args, const float *tile, size_t c,
                                                        size_t first) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const size_t tap = args->tap_step, step = args->pixel_step;
    for (size_t p = first; p < args->pixels; p += 4) {
        const size_t left = args->pixels - p, at = p * step + c;
        const size_t to1 = left > 1 ? step : 0, to2 = left > 2 ? 2 * step : to1, to3 = left > 3 ? 3 * step : to2;
        float *out = args->out + p * args->out_stride + c;
        const float *w = tile;
        __m256 sum0 = _mm256_loadu_ps(w), sum1 = sum0, sum2 = sum0, sum3 = sum0;
        for (size_t i = 0; i < args->kernel_h; i++) {
            const float *x = args->rows[i] + at;
            for (size_t j = 0; j < args->kernel_w; j++, x += tap) {
                __m256 weight;
                w += 8;
                weight = _mm256_loadu_ps(w);
                sum0 = _mm256_fmadd_ps(weight, _mm256_loadu_ps(x), sum0);
                sum1 = _mm256_fmadd_ps(weight, _mm256_loadu_ps(x + to1), sum1);
                sum2 = _mm256_fmadd_ps(weight, _mm256_loadu_ps(x + to2), sum2);
                sum3 = _mm256_fmadd_ps(weight, _mm256_loadu_ps(x + to3), sum3);
            }
        }
        _mm256_storeu_ps(out, nnrt__clamp_f32_avx2(sum0, low, high));
        if (left > 1) _mm256_storeu_ps(out + args->out_stride, nnrt__clamp_f32_avx2(sum1, low, high));
        if (left > 2) _mm256_storeu_ps(out + 2 * args->out_stride, nnrt__clamp_f32_avx2(sum2, low, high));
        if (left > 3) _mm256_storeu_ps(out + 3 * args->out_stride, nnrt__clamp_f32_avx2(sum3, low, high));
    }
}

/* Adds vector i of the input, at x, to those of the eight sums that it is part of: tap t of it is in sum i - t. width
   and i are constants, so that only the products are left; sums get their taps in order. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_f32_avx2_vector(__m256 s[8], const float *x, const __m256 w[5],
                                                             size_t width, size_t i) {
    const __m256 a = _mm256_loadu_ps(x);
    if (i < 8) s[i] = _mm256_fmadd_ps(w[0], a, s[i]);
    if (i >= 1 && i < 9) s[i - 1] = _mm256_fmadd_ps(w[1], a, s[i - 1]);
    if (i >= 2 && i < 10) s[i - 2] = _mm256_fmadd_ps(w[2], a, s[i - 2]);
    if (width == 5 && i >= 3 && i < 11) s[i - 3] = _mm256_fmadd_ps(w[3], a, s[i - 3]);
    if (width == 5 && i >= 4 && i < 12) s[i - 4] = _mm256_fmadd_ps(w[4], a, s[i - 4]);
}

/* Adds a kernel row of three or five weights to eight sums, where taps are as far apart as pixels, `step`: each vector
   of the input is loaded once. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_f32_avx2_line(__m256 s[8], const float *x, size_t step, const float *tile,
                                                           size_t width) {
    __m256 w[5];
    w[0] = _mm256_loadu_ps(tile);
    w[1] = _mm256_loadu_ps(tile + 8);
    w[2] = w[3] = w[4] = _mm256_loadu_ps(tile + 16);
    if (width == 5) w[3] = _mm256_loadu_ps(tile + 24);
    if (width == 5) w[4] = _mm256_loadu_ps(tile + 32);
    nnrt__dw_f32_avx2_vector(s, x, w, width, 0);
    nnrt__dw_f32_avx2_vector(s, x + step, w, width, 1);
    nnrt__dw_f32_avx2_vector(s, x + 2 * step, w, width, 2);
    nnrt__dw_f32_avx2_vector(s, x + 3 * step, w, width, 3);
    nnrt__dw_f32_avx2_vector(s, x + 4 * step, w, width, 4);
    nnrt__dw_f32_avx2_vector(s, x + 5 * step, w, width, 5);
    nnrt__dw_f32_avx2_vector(s, x + 6 * step, w, width, 6);
    nnrt__dw_f32_avx2_vector(s, x + 7 * step, w, width, 7);
    nnrt__dw_f32_avx2_vector(s, x + 8 * step, w, width, 8);
    nnrt__dw_f32_avx2_vector(s, x + 9 * step, w, width, 9);
    if (width == 5) nnrt__dw_f32_avx2_vector(s, x + 10 * step, w, width, 10);
    if (width == 5) nnrt__dw_f32_avx2_vector(s, x + 11 * step, w, width, 11);
}

/* Rows with such steps, 3 or 5 wide, by eights of at least eight pixels: 13 loads for 24 multiply-adds, 17 for 40. The
   last five to seven are done with those before them, again, fewer by four. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__dw_f32_avx2_shared(const nnrt__dw_rows_f32_args *args, const float *tile,
                                                             size_t c, size_t width) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    const size_t step = args->pixel_step, to = args->out_stride;
    size_t p = 0;
    while (args->pixels - p > 4) {
        float *out;
        const float *w = tile + 8;
        __m256 s[8];
        if (args->pixels - p < 8) p = args->pixels - 8;
        out = args->out + p * to + c;
        s[0] = s[1] = s[2] = s[3] = s[4] = s[5] = s[6] = s[7] = _mm256_loadu_ps(tile);
        for (size_t i = 0; i < args->kernel_h; i++, w += 8 * width) {
            const float *x = args->rows[i] + p * step + c;
            nnrt__dw_f32_avx2_line(s, x, step, w, width);
        }
        _mm256_storeu_ps(out, nnrt__clamp_f32_avx2(s[0], low, high));
        _mm256_storeu_ps(out + to, nnrt__clamp_f32_avx2(s[1], low, high));
        _mm256_storeu_ps(out + 2 * to, nnrt__clamp_f32_avx2(s[2], low, high));
        _mm256_storeu_ps(out + 3 * to, nnrt__clamp_f32_avx2(s[3], low, high));
        _mm256_storeu_ps(out + 4 * to, nnrt__clamp_f32_avx2(s[4], low, high));
        _mm256_storeu_ps(out + 5 * to, nnrt__clamp_f32_avx2(s[5], low, high));
        _mm256_storeu_ps(out + 6 * to, nnrt__clamp_f32_avx2(s[6], low, high));
        _mm256_storeu_ps(out + 7 * to, nnrt__clamp_f32_avx2(s[7], low, high));
        p += 8;
    }
    if (p < args->pixels) nnrt__dw_f32_avx2_fours(args, tile, c, p);
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_shared_3(const nnrt__dw_rows_f32_args *args, const float *tile,
                                                           size_t c) {
    nnrt__dw_f32_avx2_shared(args, tile, c, 3);
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_shared_5(const nnrt__dw_rows_f32_args *args, const float *tile,
                                                           size_t c) {
    nnrt__dw_f32_avx2_shared(args, tile, c, 5);
}

/* As nnrt__dw_f32_avx2_fours by twos, for the last 1 to 7 channels, which `mask` has. */
NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_f32_avx2_rows(const nnrt__dw_rows_f32_args *args, const float *tile, size_t c,
                                                       __m256i mask) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    for (size_t p = 0; p < args->pixels; p += 2) {
        const size_t more = p + 1 < args->pixels ? 1 : 0, at = p * args->pixel_step + c;
        const float *w = tile;
        __m256 x_sum = _mm256_loadu_ps(w), y_sum = x_sum;
        for (size_t i = 0; i < args->kernel_h; i++) {
            const float *x = args->rows[i] + at, *y = x + more * args->pixel_step;
            for (size_t j = 0; j < args->kernel_w; j++) {
                __m256 weight;
                w += 8;
                weight = _mm256_loadu_ps(w);
                x_sum = _mm256_fmadd_ps(weight, _mm256_maskload_ps(x + j * args->tap_step, mask), x_sum);
                y_sum = _mm256_fmadd_ps(weight, _mm256_maskload_ps(y + j * args->tap_step, mask), y_sum);
            }
        }
        _mm256_maskstore_ps(args->out + p * args->out_stride + c, mask, nnrt__clamp_f32_avx2(x_sum, low, high));
        _mm256_maskstore_ps(args->out + (p + more) * args->out_stride + c, mask,
                            nnrt__clamp_f32_avx2(y_sum, low, high));
    }
}

NNRT__FN NNRT__TARGET_AVX2 void nnrt__dw_rows_f32_avx2(const nnrt__dw_rows_f32_args *args) {
    const size_t step = nnrt__tile_size(8, 1, 0, 4, 64, args->kernel_h * args->kernel_w) / sizeof(float);
    const bool is_3x3 = args->kernel_h == 3 && args->kernel_w == 3;
    const bool shares = NNRT__FOR_SPEED && args->pixel_step == args->tap_step && args->pixels >= 8;
    const float *tile = (const float *)args->w;
    NNRT_ASSERT(nnrt__dw_rows_f32_is_right(args, &nnrt__packing_dw_f32_8));
    for (size_t c = 0; c < args->channels; c += 8, tile += step) {
        if (shares && args->kernel_w == 3 && args->channels - c >= 8) nnrt__dw_f32_avx2_shared_3(args, tile, c);
        else if (shares && args->kernel_w == 5 && args->channels - c >= 8) nnrt__dw_f32_avx2_shared_5(args, tile, c);
        else if (is_3x3 && args->channels - c >= 8) nnrt__dw_f32_avx2_3x3(args, tile, c);
        else if (args->channels - c >= 8) nnrt__dw_f32_avx2_fours(args, tile, c, 0);
        else nnrt__dw_f32_avx2_rows(args, tile, c, nnrt__mask_f32_avx2(args->channels - c));
    }
}

NNRT__FN void nnrt__dw_f32_avx2_install(nnrt__cpu_table *table) {
    const nnrt__dw_f32_slot slot = {nnrt__dw_f32_avx2, nnrt__dw_rows_f32_avx2, &nnrt__packing_dw_f32_8, "avx2"};
    table->dw_f32[0] = table->dw_f32[1] = slot;
}

#endif /* NNRT_KERNELS_DW_F32_AVX2_H */
