/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/unary_f32_rvv.h - unary_f32 and softmax_f32 for RISC-V's vector extension. Contracts: unary_f32_scalar.h,
   softmax_f32_scalar.h; bounds, and the formulas of e^x: vectors_f32.h, whose bodies are for vectors of one length.

   Four registers at a time: what is left of x, its polynomial and two more are 16, constants are scalar operands where
   there is such an instruction. The sum of a softmax is kept in double, each lane by itself. */
#ifndef NNRT_KERNELS_UNARY_F32_RVV_H
#define NNRT_KERNELS_UNARY_F32_RVV_H

#include "f32_rvv.h"
#include "internal.h"
#include "vectors_f32.h"

NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__all_f32_rvv(float x, size_t vl) {
    return __riscv_vfmv_v_f_f32m4(x, vl);
}

/* The clamp, but a NaN stays one. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__within_f32_rvv(vfloat32m4_t x, float low, float high, size_t vl) {
    x = __riscv_vfmerge_vfm_f32m4(x, low, __riscv_vmflt_vf_f32m4_b8(x, low, vl), vl);
    return __riscv_vfmerge_vfm_f32m4(x, high, __riscv_vmfgt_vf_f32m4_b8(x, high, vl), vl);
}

/* p * rest + c */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__exp_term_rvv(vfloat32m4_t p, vfloat32m4_t rest, float c, size_t vl) {
    return __riscv_vfmadd_vv_f32m4(p, rest, nnrt__all_f32_rvv(c, vl), vl);
}

/* e^x - 1 without the power of two, which is what *rounded tells. A NaN stays one. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__exp_rest_rvv(vfloat32m4_t x, vfloat32m4_t *rounded, size_t vl) {
    vfloat32m4_t n, rest, p;
    *rounded = __riscv_vfmacc_vf_f32m4(nnrt__all_f32_rvv(NNRT__ROUNDER_F32, vl), NNRT__EXP_F32_PER_LN2, x, vl);
    n = __riscv_vfsub_vf_f32m4(*rounded, NNRT__ROUNDER_F32, vl);
    rest = __riscv_vfmacc_vf_f32m4(x, NNRT__EXP_F32_LN2_HIGH, n, vl);
    rest = __riscv_vfmacc_vf_f32m4(rest, NNRT__EXP_F32_LN2_LOW, n, vl);
    p = __riscv_vfmacc_vf_f32m4(nnrt__all_f32_rvv(NNRT__EXP_F32_5, vl), NNRT__EXP_F32_6, rest, vl);
    p = nnrt__exp_term_rvv(p, rest, NNRT__EXP_F32_4, vl);
    p = nnrt__exp_term_rvv(p, rest, NNRT__EXP_F32_3, vl);
    p = nnrt__exp_term_rvv(p, rest, 0.5f, vl);
    return __riscv_vfmadd_vv_f32m4(p, __riscv_vfmul_vv_f32m4(rest, rest, vl), rest, vl);
}

/* 2^(n - 1) for the n that was rounded: 0 for -126, infinity for 129; not beyond these. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__half_power_rvv(vfloat32m4_t rounded, size_t vl) {
    vint32m4_t n = __riscv_vreinterpret_v_f32m4_i32m4(rounded);
    n = __riscv_vsll_vx_i32m4(__riscv_vsub_vx_i32m4(n, NNRT__ROUNDER_F32_BITS - 126, vl), 23, vl);
    return __riscv_vreinterpret_v_i32m4_f32m4(n);
}

/* Twice p is exact. */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__exp_f32_rvv(vfloat32m4_t x, size_t vl) {
    vfloat32m4_t rounded, p;
    x = nnrt__within_f32_rvv(x, NNRT__LEAST_EXP_F32, NNRT__MOST_EXP_F32, vl);
    p = nnrt__exp_rest_rvv(x, &rounded, vl);
    p = __riscv_vfadd_vf_f32m4(__riscv_vfadd_vv_f32m4(p, p, vl), 2.0f, vl);
    return __riscv_vfmul_vv_f32m4(p, nnrt__half_power_rvv(rounded, vl), vl);
}

/* e^x - 1 for x <= 0 */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__expm1_f32_rvv(vfloat32m4_t x, size_t vl) {
    vfloat32m4_t rounded, p, power;
    x = nnrt__within_f32_rvv(x, -20.0f, 0.0f, vl);
    p = nnrt__exp_rest_rvv(x, &rounded, vl);
    power = nnrt__half_power_rvv(rounded, vl);
    power = __riscv_vfadd_vv_f32m4(power, power, vl);
    return __riscv_vfmacc_vv_f32m4(__riscv_vfsub_vf_f32m4(power, 1.0f, vl), power, p, vl);
}

/* clamp(x + 3, 0, 6) / 6 */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__hard_sigmoid_rvv(vfloat32m4_t x, size_t vl) {
    x = nnrt__clamp_f32_rvv(__riscv_vfadd_vf_f32m4(x, 3.0f, vl), 0.0f, 6.0f, vl);
    return __riscv_vfmul_vf_f32m4(x, 1.0f / 6.0f, vl);
}

/* 1 + e^x */
NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__exp_and_1_rvv(vfloat32m4_t x, size_t vl) {
    return __riscv_vfadd_vf_f32m4(nnrt__exp_f32_rvv(x, vl), 1.0f, vl);
}

NNRT__TARGET_RVV NNRT__INLINE vfloat32m4_t nnrt__unary_f32_vector_rvv(uint32_t kind, vfloat32m4_t x, float alpha,
                                                                      float beta, size_t vl) {
    vfloat32m4_t y;
    switch (kind) {
    case NNRT__UNARY_CLIP: return nnrt__clamp_f32_rvv(x, alpha, beta, vl);
    case NNRT__UNARY_LEAKY_RELU:
        return __riscv_vfmul_vf_f32m4_mu(__riscv_vmflt_vf_f32m4_b8(x, 0.0f, vl), x, x, alpha, vl);
    case NNRT__UNARY_HSWISH: /* from -3 down: 0, without a sign */
        x = __riscv_vfmax_vf_f32m4(x, -3.0f, vl);
        y = __riscv_vfmul_vv_f32m4(x, nnrt__hard_sigmoid_rvv(x, vl), vl);
        return __riscv_vfmerge_vfm_f32m4(y, 0.0f, __riscv_vmfle_vf_f32m4_b8(x, -3.0f, vl), vl);
    case NNRT__UNARY_HARD_SIGMOID: return nnrt__hard_sigmoid_rvv(x, vl);
    case NNRT__UNARY_ABS: return __riscv_vfabs_v_f32m4(x, vl);
    case NNRT__UNARY_SQUARE: return __riscv_vfmul_vv_f32m4(x, x, vl);
    case NNRT__UNARY_ELU:
        return __riscv_vmerge_vvm_f32m4(x, nnrt__expm1_f32_rvv(x, vl), __riscv_vmflt_vf_f32m4_b8(x, 0.0f, vl), vl);
    case NNRT__UNARY_TANH: /* -m / (2 + m) of m = e^(-2 |x|) - 1 */
        y = nnrt__expm1_f32_rvv(__riscv_vfmul_vf_f32m4(__riscv_vfabs_v_f32m4(x, vl), -2.0f, vl), vl);
        y = __riscv_vfdiv_vv_f32m4(y, __riscv_vfadd_vf_f32m4(y, 2.0f, vl), vl);
        return __riscv_vfsgnj_vv_f32m4(y, x, vl);
    case NNRT__UNARY_EXP:
        x = __riscv_vfadd_vf_f32m4(__riscv_vfmul_vf_f32m4(x, alpha, vl), beta, vl);
        return nnrt__exp_f32_rvv(x, vl);
    case NNRT__UNARY_GELU_TANH: /* (1 + tanh(y)) / 2 is 1 / (1 + e^-2y) */
        y = __riscv_vfmul_vv_f32m4(x, x, vl);
        y = __riscv_vfmacc_vf_f32m4(nnrt__all_f32_rvv(NNRT__GELU_F32_FIRST, vl), NNRT__GELU_F32_THIRD, y, vl);
        return __riscv_vfdiv_vv_f32m4(x, nnrt__exp_and_1_rvv(__riscv_vfmul_vv_f32m4(y, x, vl), vl), vl);
    case NNRT__UNARY_SIGMOID:
        return __riscv_vfrdiv_vf_f32m4(nnrt__exp_and_1_rvv(__riscv_vfneg_v_f32m4(x, vl), vl), 1.0f, vl);
    default: return __riscv_vfdiv_vv_f32m4(x, nnrt__exp_and_1_rvv(__riscv_vfneg_v_f32m4(x, vl), vl), vl); /* SWISH */
    }
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__unary_f32_vectors_rvv(uint32_t kind, const float *in, float alpha,
                                                                 float beta, float *out, size_t n) {
    size_t vl;
    for (; n != 0; n -= vl, in += vl, out += vl) {
        vl = __riscv_vsetvl_e32m4(n);
        __riscv_vse32_v_f32m4(out, nnrt__unary_f32_vector_rvv(kind, __riscv_vle32_v_f32m4(in, vl), alpha, beta, vl),
                              vl);
    }
}

NNRT__FN void nnrt__unary_f32_rvv(uint32_t kind, const float *in, float alpha, float beta, float *out, size_t n) {
    NNRT_ASSERT(kind < NNRT__UNARY_KINDS);
    NNRT_ASSERT(nnrt__elements_are_right(in, sizeof(float), out, sizeof(float), n));
    if ((NNRT__UNARY_F32_VECTORS >> kind & 1) != 0) nnrt__unary_f32_vectors_rvv(kind, in, alpha, beta, out, n);
    else nnrt__unary_f32_scalar(kind, in, alpha, beta, out, n);
}

/* ------------------------------------------------------------------------------------------------- softmax */

/* The largest of n elements and of `most`; of a row with a NaN anything. */
NNRT__TARGET_RVV NNRT__NOINLINE float nnrt__most_f32_rvv(const float *in, size_t n, float most) {
    const size_t lanes = __riscv_vsetvlmax_e32m8();
    vfloat32m8_t all = __riscv_vfmv_v_f_f32m8(most, lanes);
    size_t vl;
    for (; n != 0; n -= vl, in += vl) {
        vl = __riscv_vsetvl_e32m8(n);
        all = __riscv_vfmax_vv_f32m8_tu(all, all, __riscv_vle32_v_f32m8(in, vl), vl);
    }
    return __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredmax_vs_f32m8_f32m1(all, __riscv_vfmv_v_f_f32m1(most, 1), lanes));
}

/* out = e^(in - most) of n elements, whose sum is the result. */
NNRT__TARGET_RVV NNRT__NOINLINE double nnrt__exps_f32_rvv(const float *in, float *out, size_t n, float most) {
    const size_t lanes = __riscv_vsetvlmax_e32m4(); /* as many doubles are eight registers */
    vfloat64m8_t sums = __riscv_vfmv_v_f_f64m8(0.0, lanes);
    size_t vl;
    for (; n != 0; n -= vl, in += vl, out += vl) {
        vfloat32m4_t x;
        vl = __riscv_vsetvl_e32m4(n);
        x = nnrt__exp_f32_rvv(__riscv_vfsub_vf_f32m4(__riscv_vle32_v_f32m4(in, vl), most, vl), vl);
        __riscv_vse32_v_f32m4(out, x, vl);
        sums = __riscv_vfwadd_wv_f64m8_tu(sums, sums, x, vl);
    }
    return __riscv_vfmv_f_s_f64m1_f64(__riscv_vfredusum_vs_f64m8_f64m1(sums, __riscv_vfmv_v_f_f64m1(0.0, 1), lanes));
}

NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__scale_f32_rvv(float *x, size_t n, float factor) {
    size_t vl;
    for (; n != 0; n -= vl, x += vl) {
        vl = __riscv_vsetvl_e32m8(n);
        __riscv_vse32_v_f32m8(x, __riscv_vfmul_vf_f32m8(__riscv_vle32_v_f32m8(x, vl), factor, vl), vl);
    }
}

NNRT__FN void nnrt__softmax_f32_rvv(const float *in, float *out, size_t n, size_t stride, const nnrt__stop *stop) {
    float most = -INFINITY, factor;
    double sum = 0;
    size_t i, end;
    NNRT_ASSERT(nnrt__row_is_right(in, sizeof(float), out, sizeof(float), n, stride));
    if (stride != 1) {
        nnrt__softmax_f32_scalar(in, out, n, stride, stop);
        return;
    }
    for (i = 0; i < n; i = end) {
        end = nnrt__piece_end(i, n);
        most = nnrt__most_f32_rvv(in + i, end - i, most);
        if (nnrt__is_stopped(stop)) return;
    }
    for (i = 0; i < n; i = end) {
        end = nnrt__piece_end(i, n);
        sum += nnrt__exps_f32_rvv(in + i, out + i, end - i, most);
        if (nnrt__is_stopped(stop)) return;
    }
    factor = (float)(1.0 / sum);
    for (i = 0; i < n && !nnrt__is_stopped(stop); i = end) {
        end = nnrt__piece_end(i, n);
        nnrt__scale_f32_rvv(out + i, end - i, factor);
    }
}

NNRT__FN void nnrt__unary_f32_rvv_install(nnrt__cpu_table *t) {
    t->unary_f32 = nnrt__unary_f32_rvv;
    t->unary_f32_isa = nnrt__isa_name_RVV;
    t->unary_f32_kinds = NNRT__UNARY_F32_VECTORS;
}

NNRT__FN void nnrt__softmax_f32_rvv_install(nnrt__cpu_table *t) {
    t->softmax_f32 = nnrt__softmax_f32_rvv;
    t->softmax_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_UNARY_F32_RVV_H */
