/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/vectors_f32.h - unary_f32, softmax_f32 and sums_f32 for any instruction set: the bodies, written once.

   An instruction set gives its vector type V of LANES floats and the functions nnrt__vf_NAME_ISA (unary_f32_ISA.h);
   NNRT__VECTORS_F32 makes the kernels of them. Contracts: unary_f32_scalar.h, softmax_f32_scalar.h, sums_scalar.h.

   e^x is 2^n * (1 + p): n is x / ln 2 rounded, p a polynomial of what is left, within 1e-8 of e^rest - 1 on
   -ln 2 / 2 .. ln 2 / 2 and without an error at 0. Bounds, of the formula in real numbers: EXP, SIGMOID,
   SWISH, GELU_TANH within 5e-7 of the result (ARMv7, whose vectors do not divide: 1e-6) and 2e-38, times x where it is
   a factor; EXP and GELU_TANH of a rounded exponent. TANH and ELU within 5e-7 (1e-6) of the result, however small it
   is; the hard ones within 5e-7. The others have portable C's bytes. A result does not depend on the
   element's place in the row.
   SOFTMAX: within twice 5e-7 (1e-6) of the result, of rounded differences, and 2e-38; e^-87.4 and less is 0.

   An element of softmax takes 0.51 ns at AVX2, 1.3 at SSE4.1, 4.3 in portable C; of SIGMOID 0.39, 1.2 and 3.3, of TANH
   0.64, 2.3 and 32 (Zen 4, GCC 12, glibc 2.36, 2026-11-26). */
#ifndef NNRT_KERNELS_VECTORS_F32_H
#define NNRT_KERNELS_VECTORS_F32_H

#include "internal.h"
#include "softmax_f32_scalar.h"
#include "sums_scalar.h"
#include "unary_f32_scalar.h"

#define NNRT__ROUNDER_F32 12582912.0f     /* 1.5 * 2^23: what is added to it is rounded, and is in its lowest bits */
#define NNRT__ROUNDER_F32_BITS 0x4b400000 /* the same number's bits */
#define NNRT__LEAST_EXP_F32 -87.4f        /* e^x is 0 below it, */
#define NNRT__MOST_EXP_F32 89.5f          /* and infinite above this */

/* 1 / ln 2, ln 2 in two pieces, negative, and the polynomial's factors of rest^3 to rest^6. */
#define NNRT__EXP_F32_PER_LN2 1.44269502f
#define NNRT__EXP_F32_LN2_HIGH -0.693359375f /* n of them are exact */
#define NNRT__EXP_F32_LN2_LOW 0.000212194442f
#define NNRT__EXP_F32_3 0.166665763f
#define NNRT__EXP_F32_4 0.0416665524f
#define NNRT__EXP_F32_5 0.00836336799f
#define NNRT__EXP_F32_6 0.00139264192f

/* GELU_TANH is x / (1 + e^y): y = x * (first + third * x^2). */
#define NNRT__GELU_F32_FIRST -1.59576912f
#define NNRT__GELU_F32_THIRD -0.0713548163f

/* The operators that have vectors, as bits 1 << nnrt__unary_kind. */
#define NNRT__UNARY_F32_VECTORS                                                                                      \
    (1u << NNRT__UNARY_CLIP | 1u << NNRT__UNARY_LEAKY_RELU | 1u << NNRT__UNARY_HSWISH |                              \
     1u << NNRT__UNARY_HARD_SIGMOID | 1u << NNRT__UNARY_SIGMOID | 1u << NNRT__UNARY_TANH | 1u << NNRT__UNARY_SWISH | \
     1u << NNRT__UNARY_GELU_TANH | 1u << NNRT__UNARY_ABS | 1u << NNRT__UNARY_SQUARE | 1u << NNRT__UNARY_EXP |        \
     1u << NNRT__UNARY_ELU)

/* of: suffix of the instruction set; token: its name in NNRT__ISAS; target: its attribute; V: a vector of so many
   lanes, at most 8. */
#define NNRT__VECTORS_F32(of, token, target, V, lanes)                                                                 \
    /* e^x - 1 without the power of two, which is what *rounded tells. A NaN stays one. */                             \
    NNRT__INLINE target V nnrt__exp_rest_##of(V x, V *rounded) {                                                       \
        const V rounder = nnrt__vf_all_##of(NNRT__ROUNDER_F32);                                                        \
        V n, rest, p = nnrt__vf_all_##of(NNRT__EXP_F32_6);                                                             \
        *rounded = nnrt__vf_fma_##of(rounder, x, nnrt__vf_all_##of(NNRT__EXP_F32_PER_LN2));                            \
        n = nnrt__vf_sub_##of(*rounded, rounder);                                                                      \
        rest = nnrt__vf_fma_##of(x, n, nnrt__vf_all_##of(NNRT__EXP_F32_LN2_HIGH));                                     \
        rest = nnrt__vf_fma_##of(rest, n, nnrt__vf_all_##of(NNRT__EXP_F32_LN2_LOW));                                   \
        p = nnrt__vf_fma_##of(nnrt__vf_all_##of(NNRT__EXP_F32_5), p, rest);                                            \
        p = nnrt__vf_fma_##of(nnrt__vf_all_##of(NNRT__EXP_F32_4), p, rest);                                            \
        p = nnrt__vf_fma_##of(nnrt__vf_all_##of(NNRT__EXP_F32_3), p, rest);                                            \
        p = nnrt__vf_fma_##of(nnrt__vf_all_##of(0.5f), p, rest);                                                       \
        return nnrt__vf_fma_##of(rest, nnrt__vf_mul_##of(rest, rest), p);                                              \
    }                                                                                                                  \
    NNRT__INLINE target V nnrt__exp_f32_##of(V x) {                                                                    \
        V rounded, p;                                                                                                  \
        x = nnrt__vf_within_##of(x, nnrt__vf_all_##of(NNRT__LEAST_EXP_F32), nnrt__vf_all_##of(NNRT__MOST_EXP_F32));    \
        p = nnrt__exp_rest_##of(x, &rounded);                                                                          \
        p = nnrt__vf_fma_##of(nnrt__vf_all_##of(2.0f), p, nnrt__vf_all_##of(2.0f));                                    \
        return nnrt__vf_mul_##of(p, nnrt__vf_half_power_##of(rounded));                                                \
    }                                                                                                                  \
    /* e^x - 1 for x <= 0 */                                                                                           \
    NNRT__INLINE target V nnrt__expm1_f32_##of(V x) {                                                                  \
        V rounded, p, power;                                                                                           \
        x = nnrt__vf_within_##of(x, nnrt__vf_all_##of(-20.0f), nnrt__vf_all_##of(0.0f));                               \
        p = nnrt__exp_rest_##of(x, &rounded);                                                                          \
        power = nnrt__vf_half_power_##of(rounded);                                                                     \
        power = nnrt__vf_add_##of(power, power);                                                                       \
        return nnrt__vf_fma_##of(nnrt__vf_sub_##of(power, nnrt__vf_all_##of(1.0f)), power, p);                         \
    }                                                                                                                  \
    /* clamp(x + 3, 0, 6) / 6 */                                                                                       \
    NNRT__INLINE target V nnrt__hard_sigmoid_##of(V x) {                                                               \
        x = nnrt__vf_add_##of(x, nnrt__vf_all_##of(3.0f));                                                             \
        x = nnrt__clamp_f32_##of(x, nnrt__vf_all_##of(0.0f), nnrt__vf_all_##of(6.0f));                                 \
        return nnrt__vf_mul_##of(x, nnrt__vf_all_##of(1.0f / 6.0f));                                                   \
    }                                                                                                                  \
    NNRT__INLINE target V nnrt__unary_f32_vector_##of(uint32_t kind, V x, V alpha, V beta) {                           \
        const V zero = nnrt__vf_all_##of(0.0f), one = nnrt__vf_all_##of(1.0f); /* -0 + 0 has no sign */                \
        V y;                                                                                                           \
        switch (kind) {                                                                                                \
        case NNRT__UNARY_CLIP: return nnrt__clamp_f32_##of(x, alpha, beta);                                            \
        case NNRT__UNARY_LEAKY_RELU:                                                                                   \
            return nnrt__vf_by_sign_##of(nnrt__vf_add_##of(x, zero), nnrt__vf_mul_##of(alpha, x), x);                  \
        case NNRT__UNARY_HSWISH: /* from -3 down: 0, without a sign */                                                 \
            x = nnrt__clamp_f32_##of(x, nnrt__vf_all_##of(-3.0f), nnrt__vf_all_##of(INFINITY));                        \
            y = nnrt__vf_sub_##of(nnrt__vf_all_##of(-3.0f), x);                                                        \
            return nnrt__vf_by_sign_##of(y, nnrt__vf_mul_##of(x, nnrt__hard_sigmoid_##of(x)), zero);                   \
        case NNRT__UNARY_HARD_SIGMOID: return nnrt__hard_sigmoid_##of(x);                                              \
        case NNRT__UNARY_ABS: return nnrt__vf_abs_##of(x);                                                             \
        case NNRT__UNARY_SQUARE: return nnrt__vf_mul_##of(x, x);                                                       \
        case NNRT__UNARY_ELU: return nnrt__vf_by_sign_##of(nnrt__vf_add_##of(x, zero), nnrt__expm1_f32_##of(x), x);    \
        case NNRT__UNARY_TANH: /* -m / (2 + m) of m = e^(-2 |x|) - 1 */                                                \
            y = nnrt__vf_abs_##of(x);                                                                                  \
            y = nnrt__expm1_f32_##of(nnrt__vf_sub_##of(nnrt__vf_sub_##of(zero, y), y));                                \
            y = nnrt__vf_div_##of(y, nnrt__vf_add_##of(nnrt__vf_all_##of(2.0f), y));                                   \
            return nnrt__vf_with_sign_##of(y, x);                                                                      \
        case NNRT__UNARY_EXP: return nnrt__exp_f32_##of(nnrt__vf_add_##of(nnrt__vf_mul_##of(alpha, x), beta));         \
        case NNRT__UNARY_GELU_TANH: /* (1 + tanh(y)) / 2 is 1 / (1 + e^-2y) */                                         \
            y = nnrt__vf_mul_##of(x, x);                                                                               \
            y = nnrt__vf_fma_##of(nnrt__vf_all_##of(NNRT__GELU_F32_FIRST), y,                                          \
                                  nnrt__vf_all_##of(NNRT__GELU_F32_THIRD));                                            \
            y = nnrt__vf_mul_##of(y, x);                                                                               \
            break;                                                                                                     \
        default: y = nnrt__vf_sub_##of(zero, x);                                                                       \
        }                                                                                                              \
        y = nnrt__vf_add_##of(one, nnrt__exp_f32_##of(y));                                                             \
        return nnrt__vf_div_##of(kind == NNRT__UNARY_SIGMOID ? one : x, y);                                            \
    }                                                                                                                  \
    NNRT__FN target void nnrt__unary_f32_##of(uint32_t kind, const float *in, float alpha, float beta, float *out,     \
                                              size_t n) {                                                              \
        const V alphas = nnrt__vf_all_##of(alpha), betas = nnrt__vf_all_##of(beta);                                    \
        V x;                                                                                                           \
        NNRT_ASSERT(kind < NNRT__UNARY_KINDS);                                                                         \
        NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(float), out, sizeof(float), n));                               \
        if ((NNRT__UNARY_F32_VECTORS >> kind & 1) == 0) {                                                              \
            nnrt__unary_f32_scalar(kind, in, alpha, beta, out, n);                                                     \
            return;                                                                                                    \
        }                                                                                                              \
        for (;; n -= (lanes), in += (lanes), out += (lanes)) { /* one body for whole vectors and the last one */       \
            if (n >= (lanes)) x = nnrt__vf_load_##of(in);                                                              \
            else if (n != 0) x = nnrt__vf_some_##of(in, n, 0.0f);                                                      \
            else return;                                                                                               \
            x = nnrt__unary_f32_vector_##of(kind, x, alphas, betas);                                                   \
            if (n < (lanes)) break;                                                                                    \
            nnrt__vf_store_##of(out, x);                                                                               \
        }                                                                                                              \
        nnrt__vf_store_some_##of(out, x, n);                                                                           \
    }                                                                                                                  \
    /* The largest of n elements and of `most`; of a row with a NaN anything. */                                       \
    NNRT__INLINE target float nnrt__most_f32_##of(const float *in, size_t n, float most) {                             \
        V all = nnrt__vf_all_##of(most);                                                                               \
        for (; n >= (lanes); n -= (lanes), in += (lanes)) all = nnrt__vf_max_##of(nnrt__vf_load_##of(in), all);        \
        if (n != 0) all = nnrt__vf_max_##of(nnrt__vf_some_##of(in, n, most), all);                                     \
        return nnrt__vf_most_##of(all);                                                                                \
    }                                                                                                                  \
    /* out = e^(in - most) of n elements, whose sum is the result: lanes in float, 16 vectors at a time. */            \
    NNRT__INLINE target double nnrt__exps_f32_##of(const float *in, float *out, size_t n, float most) {                \
        const V mosts = nnrt__vf_all_##of(most);                                                                       \
        double sum = 0;                                                                                                \
        V x;                                                                                                           \
        while (n >= (lanes)) {                                                                                         \
            V sums = nnrt__vf_all_##of(0.0f);                                                                          \
            size_t turns = n / (lanes) < 16 ? n / (lanes) : 16;                                                        \
            n -= turns * (lanes);                                                                                      \
            for (; turns != 0; turns--, in += (lanes), out += (lanes)) {                                               \
                x = nnrt__exp_f32_##of(nnrt__vf_sub_##of(nnrt__vf_load_##of(in), mosts));                              \
                nnrt__vf_store_##of(out, x);                                                                           \
                sums = nnrt__vf_add_##of(sums, x);                                                                     \
            }                                                                                                          \
            sum += (double)nnrt__vf_sum_##of(sums);                                                                    \
        }                                                                                                              \
        if (n == 0) return sum;                                                                                        \
        x = nnrt__exp_f32_##of(nnrt__vf_sub_##of(nnrt__vf_some_##of(in, n, -INFINITY), mosts));                        \
        nnrt__vf_store_some_##of(out, x, n);                                                                           \
        return sum + (double)nnrt__vf_sum_##of(x);                                                                     \
    }                                                                                                                  \
    NNRT__FN target void nnrt__softmax_f32_##of(const float *in, float *out, size_t n, size_t stride,                  \
                                                const nnrt__stop *stop) {                                              \
        float most = -INFINITY, factor;                                                                                \
        double sum = 0;                                                                                                \
        size_t i, k, end;                                                                                              \
        NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));                             \
        if (stride != 1) {                                                                                             \
            nnrt__softmax_f32_scalar(in, out, n, stride, stop);                                                        \
            return;                                                                                                    \
        }                                                                                                              \
        for (i = 0; i < n; i = end) {                                                                                  \
            end = nnrt__piece_end(i, n);                                                                               \
            most = nnrt__most_f32_##of(in + i, end - i, most);                                                         \
            if (nnrt__is_stopped(stop)) return;                                                                        \
        }                                                                                                              \
        for (i = 0; i < n; i = end) {                                                                                  \
            end = nnrt__piece_end(i, n);                                                                               \
            sum += nnrt__exps_f32_##of(in + i, out + i, end - i, most);                                                \
            if (nnrt__is_stopped(stop)) return;                                                                        \
        }                                                                                                              \
        factor = (float)(1.0 / sum);                                                                                   \
        for (i = 0; i < n && !nnrt__is_stopped(stop); i = end) {                                                       \
            end = nnrt__piece_end(i, n);                                                                               \
            for (k = i; end - k >= (lanes); k += (lanes))                                                              \
                nnrt__vf_store_##of(out + k,                                                                           \
                                    nnrt__vf_mul_##of(nnrt__vf_load_##of(out + k), nnrt__vf_all_##of(factor)));        \
            for (; k < end; k++) out[k] *= factor;                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    NNRT__FN target void nnrt__sums_f32_##of(const float *in, size_t row_stride, size_t rows, size_t n, float *sums) { \
        size_t row, done;                                                                                              \
        NNRT_ASSERT(nnrt__sums_are_right(in, sizeof(float), row_stride, rows, n, sums));                               \
        for (; n >= (lanes); n -= done, in += done, sums += done) {                                                    \
            const size_t second = n >= 2 * (lanes) ? (lanes) : 0; /* else the same once more */                        \
            V x = nnrt__vf_load_##of(sums), y = nnrt__vf_load_##of(sums + second);                                     \
            for (row = 0; row < rows; row++) {                                                                         \
                x = nnrt__vf_add_##of(x, nnrt__vf_load_##of(in + row * row_stride));                                   \
                y = nnrt__vf_add_##of(y, nnrt__vf_load_##of(in + row * row_stride + second));                          \
            }                                                                                                          \
            nnrt__vf_store_##of(sums, x);                                                                              \
            nnrt__vf_store_##of(sums + second, y);                                                                     \
            done = second + (lanes);                                                                                   \
        }                                                                                                              \
        if (n != 0) nnrt__sums_f32_scalar(in, row_stride, rows, n, sums);                                              \
    }                                                                                                                  \
    NNRT__FN void nnrt__unary_f32_##of##_install(nnrt__cpu_table *t) {                                                 \
        t->unary_f32 = nnrt__unary_f32_##of;                                                                           \
        t->unary_f32_isa = nnrt__isa_name_##token;                                                                     \
        t->unary_f32_kinds = NNRT__UNARY_F32_VECTORS;                                                                  \
    }                                                                                                                  \
    NNRT__FN void nnrt__softmax_f32_##of##_install(nnrt__cpu_table *t) {                                               \
        t->softmax_f32 = nnrt__softmax_f32_##of;                                                                       \
        t->softmax_f32_isa = nnrt__isa_name_##token;                                                                   \
    }

#endif /* NNRT_KERNELS_VECTORS_F32_H */
