/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/softmax_f32_scalar.h - softmax, its logarithm and the normalisations of a row, in float.

   pre   one row of n >= 1 elements, stride elements apart, in `in` and in `out`; out may be the very memory
   of in. stop as in internal.h.
   post  sums are kept in double; each result is within a few units in the last place of the formula, more where the C
   library's expf is worse. A NaN in a row makes the whole row NaN, but for the clamp of L2. */
#ifndef NNRT_KERNELS_SOFTMAX_F32_SCALAR_H
#define NNRT_KERNELS_SOFTMAX_F32_SCALAR_H

#include "fp_contract.h"
#include "internal.h"

NNRT__FP_CONTRACT_OFF_BEGIN

/* The largest element of a row; false: the kernel is stopped. */
NNRT__FN bool nnrt__row_most_f32(const float *in, size_t n, size_t stride, const nnrt__stop *stop, float *most) {
    float x = in[0];
    size_t i = 0, end;
    while (i < n) {
        for (end = nnrt__piece_end(i, n); i < end; i++) x = in[i * stride] > x ? in[i * stride] : x;
        if (nnrt__is_stopped(stop)) return false;
    }
    *most = x;
    return true;
}

/* exp(x - max) / sum(exp(x - max)) */
NNRT__FN void nnrt__softmax_f32_scalar(const float *in, float *out, size_t n, size_t stride, const nnrt__stop *stop) {
    float most, factor;
    double sum = 0;
    size_t i = 0, end;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));
    if (!nnrt__row_most_f32(in, n, stride, stop, &most)) return;
    while (i < n) {
        for (end = nnrt__piece_end(i, n); i < end; i++) {
            const float x = expf(in[i * stride] - most);
            out[i * stride] = x;
            sum += (double)x;
        }
        if (nnrt__is_stopped(stop)) return;
    }
    factor = (float)(1.0 / sum);
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_end(i, n); i < end; i++) out[i * stride] *= factor;
}

/* x - max - ln(sum(exp(x - max))) */
NNRT__FN void nnrt__log_softmax_f32_scalar(const float *in, float *out, size_t n, size_t stride,
                                           const nnrt__stop *stop) {
    float most;
    double sum = 0, logarithm;
    size_t i = 0, end;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));
    if (!nnrt__row_most_f32(in, n, stride, stop, &most)) return;
    while (i < n) {
        for (end = nnrt__piece_end(i, n); i < end; i++) sum += (double)expf(in[i * stride] - most);
        if (nnrt__is_stopped(stop)) return;
    }
    logarithm = log(sum);
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_end(i, n); i < end; i++)
            out[i * stride] = (float)((double)in[i * stride] - (double)most - logarithm);
}

/* clamp(x / sqrt(max(sum(x^2), epsilon))), the clamp only when `clamps`. */
NNRT__FN void nnrt__l2_normalize_f32_scalar(const float *in, float *out, size_t n, size_t stride, float epsilon,
                                            bool clamps, float clamp_min, float clamp_max, const nnrt__stop *stop) {
    double sum = 0, factor;
    size_t i = 0, end;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));
    while (i < n) {
        for (end = nnrt__piece_end(i, n); i < end; i++) sum += (double)in[i * stride] * (double)in[i * stride];
        if (nnrt__is_stopped(stop)) return;
    }
    factor = 1.0 / sqrt(sum < (double)epsilon ? (double)epsilon : sum);
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_end(i, n); i < end; i++) {
            const float x = (float)((double)in[i * stride] * factor);
            out[i * stride] = clamps ? nnrt__clamp_f32(x, clamp_min, clamp_max) : x;
        }
}

/* x * (bias + alpha * sum)^-beta, where sum is of the squares of the elements from radius before to radius behind, as
   far as the row goes. Contiguous; out is not the memory of in. */
NNRT__FN void nnrt__lrn_f32_scalar(const float *in, float *out, size_t n, size_t radius, float bias, float alpha,
                                   float beta, const nnrt__stop *stop) {
    size_t i, k, end, looked = 0;
    NNRT_ASSERT(n >= 1 && nnrt__is_aligned(in, 4) && nnrt__is_aligned(out, 4));
    NNRT_ASSERT(nnrt__is_apart(in, n * 4, out, n * 4));
    for (i = 0; i < n; i++) {
        const size_t first = i > radius ? i - radius : 0, last = n - i > radius ? i + radius : n - 1;
        double sum = 0;
        for (k = first; k <= last;) {
            for (end = nnrt__piece_end(k, last + 1); k < end; k++, looked++) sum += (double)in[k] * (double)in[k];
            if (looked < NNRT__PIECE) continue;
            looked = 0;
            if (nnrt__is_stopped(stop)) return;
        }
        out[i] = (float)((double)in[i] * pow((double)bias + (double)alpha * sum, -(double)beta));
    }
}

/* (x - mean) / sqrt(variance + epsilon) * scale + bias, with scale and bias scale_step elements apart: 0 for
   one of each. The variance is the mean of (x - mean)^2. scale and bias may be the memory of out only where n
   is the whole of out and scale_step is 1. */
NNRT__FN void nnrt__normalize_f32_scalar(const float *in, const float *scale, const float *bias, size_t scale_step,
                                         float epsilon, float *out, size_t n, size_t stride, const nnrt__stop *stop) {
    double mean = 0, variance = 0, factor;
    size_t i, end;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));
    NNRT_ASSERT(scale_step <= 1);
    NNRT_ASSERT(
        nnrt__is_in_place_or_apart(scale, nnrt__rows_size(n, 1, scale_step, 4), out, nnrt__rows_size(n, 1, stride, 4)));
    NNRT_ASSERT(
        nnrt__is_in_place_or_apart(bias, nnrt__rows_size(n, 1, scale_step, 4), out, nnrt__rows_size(n, 1, stride, 4)));
    for (i = 0; i < n;) {
        for (end = nnrt__piece_end(i, n); i < end; i++) mean += (double)in[i * stride];
        if (nnrt__is_stopped(stop)) return;
    }
    mean /= (double)n;
    for (i = 0; i < n;) {
        for (end = nnrt__piece_end(i, n); i < end; i++) {
            const double x = (double)in[i * stride] - mean;
            variance += x * x;
        }
        if (nnrt__is_stopped(stop)) return;
    }
    factor = 1.0 / sqrt(variance / (double)n + (double)epsilon);
    for (i = 0; i < n && !nnrt__is_stopped(stop);)
        for (end = nnrt__piece_end(i, n); i < end; i++) {
            const double x = ((double)in[i * stride] - mean) * factor;
            out[i * stride] = (float)(x * (double)scale[i * scale_step] + (double)bias[i * scale_step]);
        }
}

/* (x - mean) * scale + bias with one of each, then the clamp when `clamps`. Contiguous. */
NNRT__FN void nnrt__affine_f32_scalar(const float *in, float mean, float scale, float bias, float *out, size_t n,
                                      bool clamps, float clamp_min, float clamp_max) {
    size_t i;
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(float), out, sizeof(float), n));
    for (i = 0; i < n; i++) out[i] = (in[i] - mean) * scale + bias;
    if (clamps)
        for (i = 0; i < n; i++) out[i] = nnrt__clamp_f32(out[i], clamp_min, clamp_max);
}

/* The same for a row of n channels, with n of each. */
NNRT__FN void nnrt__affine_row_f32_scalar(const float *in, const float *mean, const float *scale, const float *bias,
                                          float *out, size_t n, bool clamps, float clamp_min, float clamp_max) {
    size_t i;
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(float), out, sizeof(float), n));
    NNRT_ASSERT(nnrt__elements_are_right(mean, sizeof(float), out, sizeof(float), n));
    NNRT_ASSERT(nnrt__elements_are_right(scale, sizeof(float), out, sizeof(float), n));
    NNRT_ASSERT(nnrt__elements_are_right(bias, sizeof(float), out, sizeof(float), n));
    for (i = 0; i < n; i++) out[i] = (in[i] - mean[i]) * scale[i] + bias[i];
    if (clamps)
        for (i = 0; i < n; i++) out[i] = nnrt__clamp_f32(out[i], clamp_min, clamp_max);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__softmax_f32_scalar_install(nnrt__cpu_table *t) {
    t->softmax_f32 = nnrt__softmax_f32_scalar;
    t->softmax_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_SOFTMAX_F32_SCALAR_H */
