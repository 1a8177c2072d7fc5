/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dots_rvv.h - sums of products along rows, for weights that stay as the model has them, by RISC-V's vector
   extension.

   Two rows by two channels: of four loads, widened to 16 bits, four vectors of products are added to sums of 32 bits;
   the lanes are summed once, at the end. A last, shorter vector leaves the other lanes as they are. A single row goes
   by four channels. */
#ifndef NNRT_KERNELS_DOTS_RVV_H
#define NNRT_KERNELS_DOTS_RVV_H

#include "internal.h"

NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__dots_rvv_load(const int8_t *from, size_t vl) {
    return __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(from, vl), vl);
}

/* Of all lanes. */
NNRT__TARGET_RVV NNRT__INLINE int32_t nnrt__dots_rvv_sum(vint32m4_t sums, size_t lanes) {
    const vint32m1_t zero = __riscv_vmv_v_x_i32m1(0, 1);
    return __riscv_vmv_x_s_i32m1_i32(__riscv_vredsum_vs_i32m4_i32m1(sums, zero, lanes));
}

/* sums[0..3]: of the k products of the rows a and b with the channels w and v: aw, av, bw, bv; modulo 2^32. Rows, and
   channels, may be the same. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_rvv(const int8_t *a, const int8_t *b, const int8_t *w, const int8_t *v,
                                                    size_t k, int32_t sums[4]) {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vint32m4_t s0 = __riscv_vmv_v_x_i32m4(0, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, b += vl, w += vl, v += vl) {
        vint16m2_t a0, b0, w0, v0;
        vl = __riscv_vsetvl_e16m2(k);
        a0 = nnrt__dots_rvv_load(a, vl);
        b0 = nnrt__dots_rvv_load(b, vl);
        w0 = nnrt__dots_rvv_load(w, vl);
        v0 = nnrt__dots_rvv_load(v, vl);
        s0 = __riscv_vwmacc_vv_i32m4_tu(s0, a0, w0, vl);
        s1 = __riscv_vwmacc_vv_i32m4_tu(s1, a0, v0, vl);
        s2 = __riscv_vwmacc_vv_i32m4_tu(s2, b0, w0, vl);
        s3 = __riscv_vwmacc_vv_i32m4_tu(s3, b0, v0, vl);
    }
    sums[0] = nnrt__dots_rvv_sum(s0, lanes);
    sums[1] = nnrt__dots_rvv_sum(s1, lanes);
    sums[2] = nnrt__dots_rvv_sum(s2, lanes);
    sums[3] = nnrt__dots_rvv_sum(s3, lanes);
}

/* sums[0..3]: of the k products of the row a with each of the `channels` (1..4) at w, `stride` apart; those that are
   not there are the first of them. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_rvv_row(const int8_t *a, const int8_t *w, size_t stride,
                                                        size_t channels, size_t k, int32_t sums[4]) {
    const int8_t *v = w + (channels > 1 ? stride : 0), *u = w + (channels > 2 ? 2 * stride : 0);
    const int8_t *t = w + (channels > 3 ? 3 * stride : 0);
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vint32m4_t s0 = __riscv_vmv_v_x_i32m4(0, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, w += vl, v += vl, u += vl, t += vl) {
        vint16m2_t a0;
        vl = __riscv_vsetvl_e16m2(k);
        a0 = nnrt__dots_rvv_load(a, vl);
        s0 = __riscv_vwmacc_vv_i32m4_tu(s0, a0, nnrt__dots_rvv_load(w, vl), vl);
        s1 = __riscv_vwmacc_vv_i32m4_tu(s1, a0, nnrt__dots_rvv_load(v, vl), vl);
        s2 = __riscv_vwmacc_vv_i32m4_tu(s2, a0, nnrt__dots_rvv_load(u, vl), vl);
        s3 = __riscv_vwmacc_vv_i32m4_tu(s3, a0, nnrt__dots_rvv_load(t, vl), vl);
    }
    sums[0] = nnrt__dots_rvv_sum(s0, lanes);
    sums[1] = nnrt__dots_rvv_sum(s1, lanes);
    sums[2] = nnrt__dots_rvv_sum(s2, lanes);
    sums[3] = nnrt__dots_rvv_sum(s3, lanes);
}

#endif /* NNRT_KERNELS_DOTS_RVV_H */
