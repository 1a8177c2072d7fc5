/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_rvv.h - gemm_s16 for RISC-V's vector extension. Contract: gemm_s16_scalar.h.

   As dots_rvv.h: two rows by two channels, or a single row by four. A lane of 32 bits takes 511 products, then it goes
   into 64 bits; the sums of 16 channels are finished together. */
#ifndef NNRT_KERNELS_GEMM_S16_RVV_H
#define NNRT_KERNELS_GEMM_S16_RVV_H

#include "gemm_s16_scalar.h"
#include "internal.h"
#include "s16_rvv.h"

/* Channels of a block: sums of 64 bits that eight registers of 128 have room for. */
#define NNRT__GEMM_S16_BLOCK_RVV 16u

NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__dots_s16_rvv_load(const int8_t *from, size_t vl) {
    return __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(from, vl), vl);
}

/* Of all lanes, and of what *so_far has if there is something. */
NNRT__TARGET_RVV NNRT__INLINE int64_t nnrt__dots_s16_rvv_sum(const int64_t *so_far, bool adds, vint32m4_t sums,
                                                             size_t lanes) {
    const vint64m1_t first = __riscv_vmv_v_x_i64m1(adds ? *so_far : 0, 1);
    return __riscv_vmv_x_s_i64m1_i64(__riscv_vwredsum_vs_i32m4_i64m1(sums, first, lanes));
}

/* Of the k products, which lanes have room for, of the rows a and b with the channels w and v: a_sums[0..1] and
   b_sums[0..1], or what is added to them. Rows, and channels, may be the same. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_s16_rvv(const int16_t *a, const int16_t *b, const int8_t *w,
                                                        const int8_t *v, size_t k, bool adds, int64_t *a_sums,
                                                        int64_t *b_sums) {
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vint32m4_t s0 = __riscv_vmv_v_x_i32m4(0, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, b += vl, w += vl, v += vl) {
        vint16m2_t a0, b0, w0, v0;
        vl = __riscv_vsetvl_e16m2(k);
        a0 = __riscv_vle16_v_i16m2(a, vl);
        b0 = __riscv_vle16_v_i16m2(b, vl);
        w0 = nnrt__dots_s16_rvv_load(w, vl);
        v0 = nnrt__dots_s16_rvv_load(v, vl);
        s0 = __riscv_vwmacc_vv_i32m4_tu(s0, a0, w0, vl);
        s1 = __riscv_vwmacc_vv_i32m4_tu(s1, a0, v0, vl);
        s2 = __riscv_vwmacc_vv_i32m4_tu(s2, b0, w0, vl);
        s3 = __riscv_vwmacc_vv_i32m4_tu(s3, b0, v0, vl);
    }
    a_sums[0] = nnrt__dots_s16_rvv_sum(&a_sums[0], adds, s0, lanes);
    a_sums[1] = nnrt__dots_s16_rvv_sum(&a_sums[1], adds, s1, lanes);
    b_sums[0] = nnrt__dots_s16_rvv_sum(&b_sums[0], adds, s2, lanes);
    b_sums[1] = nnrt__dots_s16_rvv_sum(&b_sums[1], adds, s3, lanes);
}

/* The same of the row a with each of the `channels` (1..4) at w, `stride` apart: sums[0..3]; those that are not there
   are the first of them. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__dots_s16_rvv_row(const int16_t *a, const int8_t *w, size_t stride,
                                                            size_t channels, size_t k, bool adds, int64_t *sums) {
    const int8_t *v = w + (channels > 1 ? stride : 0), *u = w + (channels > 2 ? 2 * stride : 0);
    const int8_t *t = w + (channels > 3 ? 3 * stride : 0);
    const size_t lanes = __riscv_vsetvlmax_e32m4();
    vint32m4_t s0 = __riscv_vmv_v_x_i32m4(0, lanes), s1 = s0, s2 = s0, s3 = s0;
    size_t vl;
    for (; k != 0; k -= vl, a += vl, w += vl, v += vl, u += vl, t += vl) {
        vint16m2_t a0;
        vl = __riscv_vsetvl_e16m2(k);
        a0 = __riscv_vle16_v_i16m2(a, vl);
        s0 = __riscv_vwmacc_vv_i32m4_tu(s0, a0, nnrt__dots_s16_rvv_load(w, vl), vl);
        s1 = __riscv_vwmacc_vv_i32m4_tu(s1, a0, nnrt__dots_s16_rvv_load(v, vl), vl);
        s2 = __riscv_vwmacc_vv_i32m4_tu(s2, a0, nnrt__dots_s16_rvv_load(u, vl), vl);
        s3 = __riscv_vwmacc_vv_i32m4_tu(s3, a0, nnrt__dots_s16_rvv_load(t, vl), vl);
    }
    sums[0] = nnrt__dots_s16_rvv_sum(&sums[0], adds, s0, lanes);
    sums[1] = nnrt__dots_s16_rvv_sum(&sums[1], adds, s1, lanes);
    sums[2] = nnrt__dots_s16_rvv_sum(&sums[2], adds, s2, lanes);
    sums[3] = nnrt__dots_s16_rvv_sum(&sums[3], adds, s3, lanes);
}

/* nnrt__finish_s16 of the sums of `count` channels from c on, to `out`. */
NNRT__TARGET_RVV NNRT__NOINLINE void nnrt__gemm_s16_finish_rvv(const nnrt__gemm_s16_args *args, size_t c, size_t count,
                                                               const int64_t *sums, int16_t *out) {
    size_t vl;
    for (; count != 0; count -= vl, c += vl, sums += vl, out += vl) {
        vint64m8_t wide;
        vint16m2_t x;
        vl = __riscv_vsetvl_e32m4(count);
        wide = __riscv_vle64_v_i64m8(sums, vl);
        if (args->channels.bias_high != NULL) x = nnrt__wide_s16_rvv(&args->channels, c, wide, vl);
        else x = nnrt__narrow_s16_rvv(&args->channels, c, __riscv_vncvt_x_x_w_i32m4(wide, vl), vl);
        nnrt__store_s16_rvv(out, x, args->clamp_min, args->clamp_max, vl);
    }
}

/* How many products all lanes take. */
NNRT__TARGET_RVV NNRT__NOINLINE size_t nnrt__gemm_s16_most_rvv(void) {
    return NNRT__S16_PRODUCTS_MAX * __riscv_vsetvlmax_e32m4();
}

/* The sums of a block of `count` channels and of two rows, or the only one, from `row` on. Those of an odd last row or
   channel are made twice. */
NNRT__FN void nnrt__gemm_s16_sums_rvv(const nnrt__gemm_s16_args *args, size_t row, size_t channel, size_t count,
                                      size_t most, int64_t sums[2][NNRT__GEMM_S16_BLOCK_RVV]) {
    const size_t stride = args->w_stride;
    const int16_t *a = args->a[row], *b = args->a[row + 1 < args->m ? row + 1 : row];
    size_t i, k, piece;
    for (i = 0; i < count; i += args->m == 1 ? 4 : 2) {
        k = 0;
        do {
            const int8_t *w = args->w + (channel + i) * stride + k, *v = i + 1 < count ? w + stride : w;
            piece = args->k - k < most ? args->k - k : most;
            if (args->m == 1) nnrt__dots_s16_rvv_row(a + k, w, stride, count - i, piece, k != 0, sums[0] + i);
            else nnrt__dots_s16_rvv(a + k, b + k, w, v, piece, k != 0, sums[0] + i, sums[1] + i);
            k += piece;
        } while (k < args->k);
    }
}

NNRT__FN void nnrt__gemm_s16_rvv(const nnrt__gemm_s16_args *args) {
    const size_t most = nnrt__gemm_s16_most_rvv();
    size_t row, channel;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (channel = 0; channel < args->n; channel += NNRT__GEMM_S16_BLOCK_RVV) {
        const size_t left = args->n - channel;
        const size_t count = left < NNRT__GEMM_S16_BLOCK_RVV ? left : NNRT__GEMM_S16_BLOCK_RVV;
        for (row = 0; row < args->m; row += 2) {
            int16_t *c = args->c + row * args->c_stride + channel;
            int64_t sums[2][NNRT__GEMM_S16_BLOCK_RVV];
            nnrt__gemm_s16_sums_rvv(args, row, channel, count, most, sums);
            nnrt__gemm_s16_finish_rvv(args, channel, count, sums[0], c);
            if (row + 1 < args->m) nnrt__gemm_s16_finish_rvv(args, channel, count, sums[1], c + args->c_stride);
        }
    }
}

NNRT__FN void nnrt__gemm_s16_rvv_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_rvv;
    t->gemm_s16_isa = nnrt__isa_name_RVV;
}

#endif /* NNRT_KERNELS_GEMM_S16_RVV_H */
