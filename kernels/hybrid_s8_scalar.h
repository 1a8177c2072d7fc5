/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_scalar.h - float activations with int8 weights: TensorFlow Lite's "hybrid" operators.

   The activations of one batch element are quantized at run time, symmetrically with one scale; the products are summed
   in integers; the sum is scaled back. Padding is 0. Weights stay as the model has them, so a plan fits every
   instruction set: in rows of 16 and more products the sums over lanes cost less than packing would save. Numbers as in
   TensorFlow Lite (SymmetricQuantizeFloats, and the per-channel and per-tensor hybrid kernels that add the bias after
   scaling). Sums are exact and what follows is rounded step by step, so every instruction set gives the same
   floats; the vectors of ARMv7 and of Helium alone flush what is denormal. */
#ifndef NNRT_KERNELS_HYBRID_S8_SCALAR_H
#define NNRT_KERNELS_HYBRID_S8_SCALAR_H

#include "internal.h"
#include "fp_contract.h"

typedef struct nnrt__gemm_hybrid_args {
    size_t m, n, k;
    const int8_t *const *a; /* [m]: rows of exactly k readable bytes within -127..127, as the quantizer gives them;
                               a -128, which only a forged plan has, gives some number */
    float a_scale;
    const int8_t *w; /* n rows of k, w_stride apart; any alignment, any bytes */
    size_t w_stride;
    const float *w_scale;
    size_t w_scale_stride; /* 1: a scale per channel; 0: one for all */
    const float *bias;     /* n, or NULL */
    float *c;              /* m rows of n; does not overlap a or w */
    size_t c_stride;
    float clamp_min, clamp_max;
} nnrt__gemm_hybrid_args;

#define NNRT__HYBRID_K_MAX 131071u /* times 128 * 128 is below 2^31 */

NNRT__ASSERT_FN bool nnrt__gemm_hybrid_is_right(const nnrt__gemm_hybrid_args *args) {
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 4);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1 && args->k <= NNRT__HYBRID_K_MAX);
    NNRT_ASSERT(args->n == 1 || args->w_stride >= args->k);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(args->clamp_min <= args->clamp_max);
    NNRT_ASSERT(args->w != NULL && nnrt__is_aligned(args->w_scale, 4) && args->w_scale_stride <= 1);
    NNRT_ASSERT(args->bias == NULL || nnrt__is_aligned(args->bias, 4));
    NNRT_ASSERT(nnrt__is_aligned(args->c, 4));
    NNRT_ASSERT(nnrt__is_apart(args->w, nnrt__rows_size(args->n, args->k, args->w_stride, 1), args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m, args->k, 1, args->c, c_size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__quantize_symmetric_is_right(const float *in, size_t count, const int8_t *out,
                                                       const float *scale) {
    NNRT_ASSERT(nnrt__is_aligned(in, 4) && out != NULL && nnrt__is_aligned(scale, 4));
    NNRT_ASSERT(nnrt__is_apart(in, count * 4, out, count) && nnrt__is_apart(in, count * 4, scale, 4));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* range = max |in[i]|, *scale = range / 127, out[i] = round(in[i] * (127 / range)) with ties away from zero,
   within -127..127. Zeros only, or nothing: out is 0 and *scale 1. A NaN counts as 0. An infinity makes *scale
   infinite and all of out 0.

   pre    in and out have exactly count elements and do not overlap; in 4-byte aligned.
   bound  for finite input and range >= 2^-100: |in[i] - out[i] * *scale| <= *scale * (0.5 + 2^-14). */
NNRT__FN void nnrt__quantize_symmetric_f32_scalar(const float *in, size_t count, int8_t *out, float *scale) {
    float range = 0.0f, inverse;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    for (size_t i = 0; i < count; i++) {
        const float size = in[i] < 0.0f ? -in[i] : in[i];
        range = size > range ? size : range;
    }
    *scale = range > 0.0f ? range / 127.0f : 1.0f;
    inverse = range > 0.0f ? 127.0f / range : 0.0f;
    for (size_t i = 0; i < count; i++) {
        /* adding a half is exact in double, so cutting off rounds; 0 * INFINITY is a NaN, too */
        const float product = in[i] * inverse;
        const double x = product == product ? (double)nnrt__clamp_f32(product, -127.0f, 127.0f) : 0.0;
        out[i] = (int8_t)(x < 0.0 ? x - 0.5 : x + 0.5);
    }
}

/* c[i][j] = clamp((sum over t of a[i][t] * w[j][t]) * (a_scale * w_scale[j]) + bias[j]), where the sum is an
   exact integer and everything after it is float, each step rounded.

   pre    args as above; floats 4-byte aligned; k <= 131071, so |sum| <= k * 128 * 128 < 2^31.
   bound  |c[i][j] - exact| <= 5 * 2^-24 * (|sum * a_scale * w_scale[j]| + |bias[j]|), without underflow. */
NNRT__FN void nnrt__gemm_hybrid_scalar(const nnrt__gemm_hybrid_args *args) {
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    for (size_t j = 0; j < args->n; j++) {
        const int8_t *w = args->w + j * args->w_stride;
        const float scale = args->a_scale * args->w_scale[j * args->w_scale_stride];
        const float bias = args->bias ? args->bias[j] : 0.0f;
        for (size_t i = 0; i < args->m; i++) {
            const int8_t *a = args->a[i];
            int32_t sum = 0;
            for (size_t t = 0; t < args->k; t++) sum += (int32_t)a[t] * w[t];
            args->c[i * args->c_stride + j] =
                nnrt__clamp_f32((float)sum * scale + bias, args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FP_CONTRACT_OFF_END

/* The vector kernels quantize where range is at least 2^-100 and finite, and no input is a NaN: |in[i]| * (127 / range)
   is then below 127.5, and rounding is cutting off after half a unit less 2^-25 was added, which is right for every
   float of that size. bits: of the largest |in[i]|, as an integer, which orders NaNs above infinity. */
NNRT__INLINE bool nnrt__quantize_symmetric_is_plain(uint32_t bits) { return bits >= 0x0d800000u && bits < 0x7f800000u; }
#define NNRT__ALMOST_HALF 0.49999997f

NNRT__FN void nnrt__hybrid_s8_scalar_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_scalar;
    t->gemm_hybrid_isa = "scalar";
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_scalar;
    t->quantize_symmetric_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_HYBRID_S8_SCALAR_H */
