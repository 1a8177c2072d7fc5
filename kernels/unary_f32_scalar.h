/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_scalar.h - float operators of one operand, and the few that int32 has too.

   pre   n elements; out may be the very memory of in, and overlaps it in no other way.
   post  out[i] = op(in[i]): IEEE operations where there is one, else the C library's function.
   NaN   CLIP (RELU and RELU6 are CLIP) turns a NaN into its low bound, as nnrt__clamp_f32 says; HSWISH and
         HARD_SIGMOID turn it into 0; all others keep it. */
#ifndef NNRT_KERNELS_UNARY_F32_SCALAR_H
#define NNRT_KERNELS_UNARY_F32_SCALAR_H

#include "fp_contract.h"
#include "internal.h"

typedef enum nnrt__unary_kind {
    NNRT__UNARY_CLIP,       /* min(max(x, alpha), beta) */
    NNRT__UNARY_LEAKY_RELU, /* x >= 0 ? x : alpha * x */
    NNRT__UNARY_HSWISH,     /* x * HARD_SIGMOID(x) */
    NNRT__UNARY_HARD_SIGMOID,
    NNRT__UNARY_SIGMOID,
    NNRT__UNARY_TANH,
    NNRT__UNARY_SWISH,
    NNRT__UNARY_GELU,      /* x/2 * (1 + erf(x / sqrt 2)) */
    NNRT__UNARY_GELU_TANH, /* x/2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) */
    NNRT__UNARY_ABS,
    NNRT__UNARY_NEG,
    NNRT__UNARY_SQUARE,
    NNRT__UNARY_SQRT,
    NNRT__UNARY_RSQRT,
    NNRT__UNARY_EXP, /* e ^ (alpha * x + beta) */
    NNRT__UNARY_LOG,
    NNRT__UNARY_SIN,
    NNRT__UNARY_COS,
    NNRT__UNARY_ERF,
    NNRT__UNARY_CEIL,
    NNRT__UNARY_FLOOR,
    NNRT__UNARY_ROUND, /* ties to even */
    NNRT__UNARY_RECIPROCAL,
    NNRT__UNARY_ELU, /* x < 0 ? e^x - 1 : x */
    NNRT__UNARY_KINDS
} nnrt__unary_kind;

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__INLINE float nnrt__hard_sigmoid_f32(float x) { return nnrt__clamp_f32(x + 3.0f, 0.0f, 6.0f) / 6.0f; }

NNRT__INLINE float nnrt__unary_f32_one(uint32_t kind, float x, float alpha, float beta) {
    switch (kind) {
    case NNRT__UNARY_CLIP: return nnrt__clamp_f32(x, alpha, beta);
    case NNRT__UNARY_LEAKY_RELU: return x < 0.0f ? alpha * x : x;
    case NNRT__UNARY_HSWISH: return x > -3.0f ? x < 3.0f ? x * (x + 3.0f) / 6.0f : x : 0.0f;
    case NNRT__UNARY_HARD_SIGMOID: return nnrt__hard_sigmoid_f32(x);
    case NNRT__UNARY_SIGMOID: return 1.0f / (1.0f + expf(-x));
    case NNRT__UNARY_TANH: return tanhf(x);
    case NNRT__UNARY_SWISH: return x / (1.0f + expf(-x));
    case NNRT__UNARY_GELU: return 0.5f * x * (1.0f + erff(x * 0.70710678f));
    case NNRT__UNARY_GELU_TANH: return 0.5f * x * (1.0f + tanhf((0.79788456f + 0.03567741f * x * x) * x));
    case NNRT__UNARY_ABS: return fabsf(x);
    case NNRT__UNARY_NEG: return -x;
    case NNRT__UNARY_SQUARE: return x * x;
    case NNRT__UNARY_SQRT: return sqrtf(x);
    case NNRT__UNARY_RSQRT: return 1.0f / sqrtf(x);
    case NNRT__UNARY_EXP: return expf(alpha * x + beta);
    case NNRT__UNARY_LOG: return logf(x);
    case NNRT__UNARY_SIN: return sinf(x);
    case NNRT__UNARY_COS: return cosf(x);
    case NNRT__UNARY_ERF: return erff(x);
    case NNRT__UNARY_CEIL: return ceilf(x);
    case NNRT__UNARY_FLOOR: return floorf(x);
    case NNRT__UNARY_ROUND: return rintf(x);
    case NNRT__UNARY_ELU: return x < 0.0f ? expm1f(x) : x;
    default: return 1.0f / x;
    }
}

/* kind is a constant wherever this is called. */
NNRT__INLINE void nnrt__unary_f32_loop(uint32_t kind, const float *in, float alpha, float beta, float *out, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) out[i] = nnrt__unary_f32_one(kind, in[i], alpha, beta);
}

/* The cheap kinds have loops of their own; a call of the C library hides the switch of the others. */
NNRT__FN void nnrt__unary_f32_scalar(uint32_t kind, const float *in, float alpha, float beta, float *out, size_t n) {
    NNRT_ASSERT(kind < NNRT__UNARY_KINDS);
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(float), out, sizeof(float), n));
    switch (kind) {
    case NNRT__UNARY_CLIP: nnrt__unary_f32_loop(NNRT__UNARY_CLIP, in, alpha, beta, out, n); break;
    case NNRT__UNARY_LEAKY_RELU: nnrt__unary_f32_loop(NNRT__UNARY_LEAKY_RELU, in, alpha, beta, out, n); break;
    case NNRT__UNARY_HSWISH: nnrt__unary_f32_loop(NNRT__UNARY_HSWISH, in, alpha, beta, out, n); break;
    case NNRT__UNARY_HARD_SIGMOID: nnrt__unary_f32_loop(NNRT__UNARY_HARD_SIGMOID, in, alpha, beta, out, n); break;
    case NNRT__UNARY_SIGMOID: nnrt__unary_f32_loop(NNRT__UNARY_SIGMOID, in, alpha, beta, out, n); break;
    case NNRT__UNARY_SQUARE: nnrt__unary_f32_loop(NNRT__UNARY_SQUARE, in, alpha, beta, out, n); break;
    default: nnrt__unary_f32_loop(kind, in, alpha, beta, out, n);
    }
}

NNRT__FP_CONTRACT_OFF_END

/* ABS, NEG or SQUARE of int32, modulo 2^32. */
NNRT__FN void nnrt__unary_s32_scalar(uint32_t kind, const int32_t *in, int32_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(kind == NNRT__UNARY_ABS || kind == NNRT__UNARY_NEG || kind == NNRT__UNARY_SQUARE);
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(int32_t), out, sizeof(int32_t), n));
    for (i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)in[i];
        out[i] = (int32_t)(kind == NNRT__UNARY_SQUARE ? x * x : kind == NNRT__UNARY_NEG || in[i] < 0 ? 0u - x : x);
    }
}

NNRT__FN void nnrt__unary_f32_scalar_install(nnrt__cpu_table *t) {
    t->unary_f32 = nnrt__unary_f32_scalar;
    t->unary_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_UNARY_F32_SCALAR_H */
