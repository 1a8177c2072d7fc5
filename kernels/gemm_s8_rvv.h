/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_rvv.h - gemm_s8 for RISC-V's vector extension. Contract: gemm_s8_scalar.h.

   A vector is channels: weights are widened to 16 bits once for six rows, and vwmacc multiplies them by a byte of a
   row, loaded beside, and adds to 32 bits. Tiles of 32 channels are one vector where registers have 256 bits or more,
   and two where they have 128; tiles of 16 are for what those would pad by more.

   Six rows: 24 registers of sums, 3 of weights, and while sums become bytes 4 of multipliers, 2 of shifts and a mask.
   At 128 bits, 96 products take 15 instructions (clang 19). */
#ifndef NNRT_KERNELS_GEMM_S8_RVV_H
#define NNRT_KERNELS_GEMM_S8_RVV_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "rvv.h"

/* The products of element i of a piece of `most` rows. */
#define NNRT__GEMM_S8_RVV_STEP(i)                                                     \
    {                                                                                 \
        const vint16m2_t x = __riscv_vsext_vf2_i16m2(__riscv_vle8_v_i8m1(w, vl), vl); \
        w += nr;                                                                      \
        s0 = __riscv_vwmacc_vx_i32m4(s0, a0[i], x, vl);                               \
        if (most > 1) {                                                               \
            s1 = __riscv_vwmacc_vx_i32m4(s1, a1[i], x, vl);                           \
            s2 = __riscv_vwmacc_vx_i32m4(s2, a2[i], x, vl);                           \
        }                                                                             \
        if (most > 3) {                                                               \
            s3 = __riscv_vwmacc_vx_i32m4(s3, a3[i], x, vl);                           \
            s4 = __riscv_vwmacc_vx_i32m4(s4, a4[i], x, vl);                           \
            s5 = __riscv_vwmacc_vx_i32m4(s5, a5[i], x, vl);                           \
        }                                                                             \
    }

/* `most` (1, 3 or 6) rows from `row` on, of which the first channel of c is at `c` and the weights at `w`: constant
   arguments make the instances. Of them `rows` are there, and the others are the last of them again, which is not
   written. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__gemm_s8_rvv_rows(const nnrt__gemm_s8_args *args, const nnrt__rvv_channels *of,
                                                          const int8_t *w, int8_t *c, size_t row, size_t rows,
                                                          int most) {
    const size_t vl = of->vl, nr = of->nr, pieces = args->pieces, last = rows - 1, stride = args->c_stride;
    const int8_t *const *a = args->a + row * pieces;
    vint32m4_t s0 = nnrt__rvv_words(of, 0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, multiplier;
    vuint16m2_t right;
    size_t r, i;
    for (r = 0; r < pieces; r++, a++) {
        const int8_t *a0 = a[0], *a1 = a[(last < 1 ? last : 1) * pieces], *a2 = a[(last < 2 ? last : 2) * pieces];
        const int8_t *a3 = a[(last < 3 ? last : 3) * pieces], *a4 = a[(last < 4 ? last : 4) * pieces];
        const int8_t *a5 = a[last * pieces];
        for (i = args->piece; i >= 4; i -= 4) {
            NNRT__GEMM_S8_RVV_STEP(0)
            NNRT__GEMM_S8_RVV_STEP(1)
            NNRT__GEMM_S8_RVV_STEP(2)
            NNRT__GEMM_S8_RVV_STEP(3)
            a0 += 4, a1 += 4, a2 += 4, a3 += 4, a4 += 4, a5 += 4;
        }
        for (; i != 0; i--) {
            NNRT__GEMM_S8_RVV_STEP(0)
            a0++, a1++, a2++, a3++, a4++, a5++;
        }
    }
    if (args->added != NULL) {
        const int32_t *added = args->added + row;
        s0 = __riscv_vadd_vx_i32m4(s0, added[0], vl);
        if (most > 1) {
            s1 = __riscv_vadd_vx_i32m4(s1, added[last < 1 ? last : 1], vl);
            s2 = __riscv_vadd_vx_i32m4(s2, added[last < 2 ? last : 2], vl);
        }
        if (most > 3) {
            s3 = __riscv_vadd_vx_i32m4(s3, added[3], vl);
            s4 = __riscv_vadd_vx_i32m4(s4, added[last < 4 ? last : 4], vl);
            s5 = __riscv_vadd_vx_i32m4(s5, added[last], vl);
        }
    }
    multiplier = nnrt__rvv_words(of, 1);
    right = nnrt__rvv_right_of(of);
    nnrt__rvv_store(of, s0, multiplier, right, c);
    if (most > 1 && last >= 1) nnrt__rvv_store(of, s1, multiplier, right, c + stride);
    if (most > 1 && last >= 2) nnrt__rvv_store(of, s2, multiplier, right, c + 2 * stride);
    if (most > 3 && last >= 3) nnrt__rvv_store(of, s3, multiplier, right, c + 3 * stride);
    if (most > 3 && last >= 4) nnrt__rvv_store(of, s4, multiplier, right, c + 4 * stride);
    if (most > 3 && last >= 5) nnrt__rvv_store(of, s5, multiplier, right, c + 5 * stride);
}

#undef NNRT__GEMM_S8_RVV_STEP

NNRT__TARGET_RVV NNRT__FN void nnrt__gemm_s8_rvv_tiles(const nnrt__gemm_s8_args *args, size_t nr, size_t tile_size) {
    const uint8_t *tile = (const uint8_t *)args->w;
    nnrt__rvv_channels of;
    size_t n, at, row, rows;
    of.zero_point = args->output_zero_point;
    of.low = args->clamp_min;
    of.high = args->clamp_max;
    for (n = 0; n < args->n; n += nr, tile += tile_size) {
        const size_t channels = args->n - n < nr ? args->n - n : nr;
        for (at = 0; at < channels; at += of.vl) {
            const int8_t *w = (const int8_t *)tile + 12 * nr + at;
            nnrt__rvv_channels_at(&of, tile, nr, at, channels - at);
            for (row = 0; row < args->m; row += rows) {
                int8_t *c = args->c + row * args->c_stride + n + at;
                rows = args->m - row < 6 ? args->m - row : 6;
                if (rows > 3) nnrt__gemm_s8_rvv_rows(args, &of, w, c, row, rows, 6);
                else if (rows > 1) nnrt__gemm_s8_rvv_rows(args, &of, w, c, row, rows, 3);
                else nnrt__gemm_s8_rvv_rows(args, &of, w, c, row, 1, 1);
            }
        }
    }
}

NNRT__FN void nnrt__gemm_s8_rvv(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_32x1, scratch));
    (void)scratch;
    nnrt__gemm_s8_rvv_tiles(args, 32, nnrt__tile_size(32, 3, 0, 1, 4, args->pieces * args->piece));
}

NNRT__FN void nnrt__gemm_s8_rvv_narrow(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_16x1, scratch));
    (void)scratch;
    nnrt__gemm_s8_rvv_tiles(args, 16, nnrt__tile_size(16, 3, 0, 1, 4, args->pieces * args->piece));
}

/* Of `count` bytes. */
NNRT__TARGET_RVV NNRT__NOINLINE uint32_t nnrt__sum_of_row_rvv(const int8_t *a, size_t count) {
    vint32m1_t sum = __riscv_vmv_v_x_i32m1(0, 1);
    size_t vl;
    for (; count != 0; count -= vl, a += vl) {
        vl = __riscv_vsetvl_e16m8(count);
        sum = __riscv_vwredsum_vs_i16m8_i32m1(__riscv_vsext_vf2_i16m8(__riscv_vle8_v_i8m4(a, vl), vl), sum, vl);
    }
    return (uint32_t)__riscv_vmv_x_s_i32m1_i32(sum);
}

NNRT__FN void nnrt__row_sums_rvv(const nnrt__row_sums_args *args) {
    size_t m, r;
    NNRT_ASSERT(nnrt__row_sums_is_right(args));
    for (m = 0; m < args->m; m++) {
        uint32_t sum = 0;
        for (r = 0; r < args->pieces; r++) sum += nnrt__sum_of_row_rvv(args->a[m * args->pieces + r], args->piece);
        nnrt__row_sums_put(args, m, sum);
    }
    nnrt__row_sums_end(args);
}

NNRT__FN void nnrt__gemm_s8_rvv_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot wide = {nnrt__gemm_s8_rvv, &nnrt__packing_s8_32x1, nnrt__isa_name_RVV};
    const nnrt__gemm_s8_slot narrow = {nnrt__gemm_s8_rvv_narrow, &nnrt__packing_s8_16x1, nnrt__isa_name_RVV};
    table->gemm_s8[0] = wide;
    table->gemm_s8[1] = narrow;
    table->row_sums = nnrt__row_sums_rvv;
}

#endif /* NNRT_KERNELS_GEMM_S8_RVV_H */
