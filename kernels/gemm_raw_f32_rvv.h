/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_f32_rvv.h - gemm_raw_f32 for RISC-V's vector extension. Contract and bound: gemm_raw_f32_scalar.h.

   As dots_rvv.h: two rows by two channels, or a single row by four, and the lanes are summed once, at the end; products
   are fused. */
#ifndef NNRT_KERNELS_GEMM_RAW_F32_RVV_H
#define NNRT_KERNELS_GEMM_RAW_F32_RVV_H

#include "gemm_raw_f32_scalar.h"
#include "internal.h"

/* Of all lanes. */
NNRT__TARGET_RVV NNRT__INLINE float nnrt__dots_f32_rvv_sum(vfloat32m4_t sums, size_t lanes) {
    const vfloat32m1_t zero = __riscv_vfmv_v_f_f32m1(0.0f, 1);
    return __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredusum_vs_f32m4_f32m1(sums, zero, lanes));
}

/* sums[0..3]: of the k products of the rows a and b with the channels w and v: aw, av, bw, bv. Rows, and channels, may
   be the same. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_f32_rvv(const float *a, const float *b, const float *w, const float *v,
                                                        size_t k, float sums[4]) {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vfloat32m4_t s0 = __riscv_vfmv_v_f_f32m4(0.0f, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, b += vl, w += vl, v += vl) {
        vfloat32m4_t x, w0, v0;
        vl = __riscv_vsetvl_e32m4(k);
        x = __riscv_vle32_v_f32m4(a, vl);
        w0 = __riscv_vle32_v_f32m4(w, vl);
        v0 = __riscv_vle32_v_f32m4(v, vl);
        s0 = __riscv_vfmacc_vv_f32m4_tu(s0, x, w0, vl);
        s1 = __riscv_vfmacc_vv_f32m4_tu(s1, x, v0, vl);
        x = __riscv_vle32_v_f32m4(b, vl);
        s2 = __riscv_vfmacc_vv_f32m4_tu(s2, x, w0, vl);
        s3 = __riscv_vfmacc_vv_f32m4_tu(s3, x, v0, vl);
    }
    sums[0] = nnrt__dots_f32_rvv_sum(s0, lanes);
    sums[1] = nnrt__dots_f32_rvv_sum(s1, lanes);
    sums[2] = nnrt__dots_f32_rvv_sum(s2, lanes);
    sums[3] = nnrt__dots_f32_rvv_sum(s3, lanes);
}

/* sums[0..3]: of the k products of the row a with each of the `channels` (1..4) at w, `stride` apart; those that are
   not there are the first of them. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_f32_rvv_row(const float *a, const float *w, size_t stride,
                                                            size_t channels, size_t k, float sums[4]) {
    const float *v = w + (channels > 1 ? stride : 0), *u = w + (channels > 2 ? 2 * stride : 0);
    const float *t = w + (channels > 3 ? 3 * stride : 0);
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vfloat32m4_t s0 = __riscv_vfmv_v_f_f32m4(0.0f, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, w += vl, v += vl, u += vl, t += vl) {
        vfloat32m4_t a0;
        vl = __riscv_vsetvl_e32m4(k);
        a0 = __riscv_vle32_v_f32m4(a, vl);
        s0 = __riscv_vfmacc_vv_f32m4_tu(s0, a0, __riscv_vle32_v_f32m4(w, vl), vl);
        s1 = __riscv_vfmacc_vv_f32m4_tu(s1, a0, __riscv_vle32_v_f32m4(v, vl), vl);
        s2 = __riscv_vfmacc_vv_f32m4_tu(s2, a0, __riscv_vle32_v_f32m4(u, vl), vl);
        s3 = __riscv_vfmacc_vv_f32m4_tu(s3, a0, __riscv_vle32_v_f32m4(t, vl), vl);
    }
    sums[0] = nnrt__dots_f32_rvv_sum(s0, lanes);
    sums[1] = nnrt__dots_f32_rvv_sum(s1, lanes);
    sums[2] = nnrt__dots_f32_rvv_sum(s2, lanes);
    sums[3] = nnrt__dots_f32_rvv_sum(s3, lanes);
}

/* The only row. */
NNRT__FN void nnrt__gemm_raw_f32_rvv_row(const nnrt__gemm_raw_f32_args *args) {
    size_t channel, i;
    for (channel = 0; channel < args->n; channel += 4) {
        const size_t count = args->n - channel < 4 ? args->n - channel : 4;
        float sums[4];
        nnrt__dots_f32_rvv_row(args->a[0], args->w + channel * args->w_stride, args->w_stride, count, args->k, sums);
        for (i = 0; i < count; i++) {
            const float bias = args->bias != NULL ? args->bias[channel + i] : 0.0f;
            args->c[channel + i] = nnrt__clamp_f32(sums[i] + bias, args->clamp_min, args->clamp_max);
        }
    }
}

/* Of an odd last row or channel the sums are made twice, and written twice. */
NNRT__FN void nnrt__gemm_raw_f32_rvv(const nnrt__gemm_raw_f32_args *args) {
    size_t row, channel, i;
    NNRT_ASSERT(nnrt__gemm_raw_f32_is_right(args));
    if (args->m == 1) {
        nnrt__gemm_raw_f32_rvv_row(args);
        return;
    }
    for (channel = 0; channel < args->n; channel += 2) {
        const size_t next = channel + 1 < args->n ? 1 : 0;
        const float *w = args->w + channel * args->w_stride;
        float bias[2] = {0.0f, 0.0f};
        for (i = 0; args->bias != NULL && i < 2; i++) bias[i] = args->bias[channel + (i & next)];
        for (row = 0; row < args->m; row += 2) {
            const size_t below = row + 1 < args->m ? 1 : 0;
            float *c = args->c + row * args->c_stride + channel;
            float sums[4];
            nnrt__dots_f32_rvv(args->a[row], args->a[row + below], w, w + next * args->w_stride, args->k, sums);
            for (i = 0; i < 4; i++)
                c[(i / 2 & below) * args->c_stride + (i & next)] =
                    nnrt__clamp_f32(sums[i] + bias[i & 1], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__gemm_raw_f32_rvv_install(nnrt__cpu_table *t) {
    t->gemm_raw_f32 = nnrt__gemm_raw_f32_rvv;
    t->gemm_raw_f32_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_GEMM_RAW_F32_RVV_H */
