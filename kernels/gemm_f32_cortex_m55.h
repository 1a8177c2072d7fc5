/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_cortex_m55.h - gemm_f32 for Helium with floats (Cortex-M55, M85). Contract and bound:
   gemm_f32_scalar.h.

   A tile is one vector of four channels. It is loaded for four rows of A, each of which brings one number; of a single
   row a number is loaded for four tiles. 16 products are ten instructions. The loops are assembly for the addresses
   that go on behind each load, and as GCC 12 takes numbers of A through the registers of the float unit. */
#ifndef NNRT_KERNELS_GEMM_F32_CORTEX_M55_H
#define NNRT_KERNELS_GEMM_F32_CORTEX_M55_H

#include "f32_cortex_m55.h"
#include "gemm_f32_scalar.h"
#include "internal.h"
#include "packing.h"

/* Four vectors of sums: of four rows, or of four tiles. */
typedef struct nnrt__gemm_f32_cortex_m55_sums {
    float32x4_t a, b, c, d;
} nnrt__gemm_f32_cortex_m55_sums;

/* Adds the products of a piece of four rows and the tile at w. Returns what follows in the tile. */
NNRT__INLINE const float *nnrt__gemm_f32_cortex_m55_four(nnrt__gemm_f32_cortex_m55_sums *sums, const float *a,
                                                         const float *b, const float *c, const float *d, const float *w,
                                                         size_t piece) {
    uint32_t x;
    if (piece == 0) return w;
    __asm__ volatile("dls lr, %[piece]\n"
                     "1:\n\t"
                     "vldrw.32 q4, [%[w]], #16\n\t"
                     "ldr %[x], [%[a]], #4\n\tvfma.f32 %q[s0], q4, %[x]\n\t"
                     "ldr %[x], [%[b]], #4\n\tvfma.f32 %q[s1], q4, %[x]\n\t"
                     "ldr %[x], [%[c]], #4\n\tvfma.f32 %q[s2], q4, %[x]\n\t"
                     "ldr %[x], [%[d]], #4\n\tvfma.f32 %q[s3], q4, %[x]\n\t"
                     "le lr, 1b"
                     : [s0] "+w"(sums->a), [s1] "+w"(sums->b), [s2] "+w"(sums->c), [s3] "+w"(sums->d), [a] "+r"(a),
                       [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [w] "+r"(w), [x] "=&r"(x)
                     : [piece] "r"(piece)
                     : "lr", "q4", "memory");
    return w;
}

/* Adds the products of a piece of a row and the tiles at a, b, c and d. */
NNRT__INLINE void nnrt__gemm_f32_cortex_m55_one(nnrt__gemm_f32_cortex_m55_sums *sums, const float *row, const float *a,
                                                const float *b, const float *c, const float *d, size_t piece) {
    uint32_t x;
    if (piece == 0) return;
    __asm__ volatile("dls lr, %[piece]\n"
                     "1:\n\t"
                     "ldr %[x], [%[row]], #4\n\t"
                     "vldrw.32 q4, [%[a]], #16\n\tvfma.f32 %q[s0], q4, %[x]\n\t"
                     "vldrw.32 q4, [%[b]], #16\n\tvfma.f32 %q[s1], q4, %[x]\n\t"
                     "vldrw.32 q4, [%[c]], #16\n\tvfma.f32 %q[s2], q4, %[x]\n\t"
                     "vldrw.32 q4, [%[d]], #16\n\tvfma.f32 %q[s3], q4, %[x]\n\t"
                     "le lr, 1b"
                     : [s0] "+w"(sums->a), [s1] "+w"(sums->b), [s2] "+w"(sums->c), [s3] "+w"(sums->d), [a] "+r"(a),
                       [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [row] "+r"(row), [x] "=&r"(x)
                     : [piece] "r"(piece)
                     : "lr", "q4", "memory");
}

/* Up to four rows from `row` on times all channels: what there is of further rows is the last. */
NNRT__FN void nnrt__gemm_f32_cortex_m55_rows(const nnrt__gemm_f32_args *args, size_t row, size_t rows, size_t step) {
    const size_t pieces = args->pieces, stride = args->c_stride, last = rows - 1;
    const float *const *a = args->a + row * pieces;
    const float *const *b = a + (last < 1 ? last : 1) * pieces, *const *c = a + (last < 2 ? last : 2) * pieces;
    const float *const *d = a + last * pieces;
    const float *tile = (const float *)args->w;
    float *out = args->c + row * stride;
    size_t j, r;
    for (j = 0; j < args->n; j += 4, tile += step, out += 4) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(args->n - j));
        const float *w = tile + 4;
        nnrt__gemm_f32_cortex_m55_sums sums;
        sums.a = sums.b = sums.c = sums.d = __arm_vldrwq_f32(tile);
        for (r = 0; r < pieces; r++) w = nnrt__gemm_f32_cortex_m55_four(&sums, a[r], b[r], c[r], d[r], w, args->piece);
        nnrt__store_f32_cortex_m55(out, sums.a, args->clamp_min, args->clamp_max, are_left);
        nnrt__store_f32_cortex_m55(out + (last < 1 ? last : 1) * stride, sums.b, args->clamp_min, args->clamp_max,
                                   are_left);
        nnrt__store_f32_cortex_m55(out + (last < 2 ? last : 2) * stride, sums.c, args->clamp_min, args->clamp_max,
                                   are_left);
        nnrt__store_f32_cortex_m55(out + last * stride, sums.d, args->clamp_min, args->clamp_max, are_left);
    }
}

/* One row times all channels. Of four tiles or more the last four are done together, some of them again; of less, the
   first in place of those that are not there. */
NNRT__FN void nnrt__gemm_f32_cortex_m55_row(const nnrt__gemm_f32_args *args, size_t row, size_t step) {
    const size_t tiles = (args->n + 3) / 4, next = tiles < 4 ? 0 : step, count = tiles < 4 ? 1 : 4;
    const float *const *a = args->a + row * args->pieces;
    size_t tile, first, r, i;
    for (tile = 0; tile < tiles; tile += count) {
        const float *w = (const float *)args->w;
        float *out = args->c + row * args->c_stride;
        float32x4_t four[4];
        nnrt__gemm_f32_cortex_m55_sums sums;
        first = tiles - tile < count ? tiles - count : tile;
        w += first * step;
        sums.a = __arm_vldrwq_f32(w);
        sums.b = __arm_vldrwq_f32(w + next);
        sums.c = __arm_vldrwq_f32(w + 2 * next);
        sums.d = __arm_vldrwq_f32(w + 3 * next);
        for (r = 0, w += 4; r < args->pieces; r++, w += 4 * args->piece)
            nnrt__gemm_f32_cortex_m55_one(&sums, a[r], w, w + next, w + 2 * next, w + 3 * next, args->piece);
        four[0] = sums.a;
        four[1] = sums.b;
        four[2] = sums.c;
        four[3] = sums.d;
        for (i = 0; i < count; i++)
            nnrt__store_f32_cortex_m55(out + 4 * (first + i), four[i], args->clamp_min, args->clamp_max,
                                       __arm_vctp32q((uint32_t)(args->n - 4 * (first + i))));
    }
}

NNRT__FN void nnrt__gemm_f32_cortex_m55(const nnrt__gemm_f32_args *args, void *scratch) {
    const size_t step = nnrt__tile_size(4, 1, 0, 4, 64, args->pieces * args->piece) / sizeof(float);
    size_t row, rows;
    NNRT_ASSERT(nnrt__gemm_f32_is_right(args, &nnrt__packing_f32_4x1));
    (void)scratch;
    for (row = 0; row < args->m; row += rows) {
        rows = args->m - row < 4 ? args->m - row : 4;
        if (rows == 1) nnrt__gemm_f32_cortex_m55_row(args, row, step);
        else nnrt__gemm_f32_cortex_m55_rows(args, row, rows, step);
    }
}

NNRT__FN void nnrt__gemm_f32_cortex_m55_install(nnrt__cpu_table *table) {
    const nnrt__gemm_f32_slot slot = {nnrt__gemm_f32_cortex_m55, &nnrt__packing_f32_4x1, nnrt__isa_name_CORTEX_M55};
    table->gemm_f32[0] = table->gemm_f32[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_F32_CORTEX_M55_H */
