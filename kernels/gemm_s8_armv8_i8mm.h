/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_i8mm.h - gemm_s8 for AArch64 with products of int8 matrices (Armv8.6; Neoverse V1, Cortex-A510
   and up). Contract: gemm_s8_scalar.h.

   smmla takes 8 products of two rows and of two channels and adds to four sums. 8 rows x 8 channels in 16 vectors of
   sums, 8 of A and one or two of weights: no spill. 1024 products take 61 instructions with GCC 12 and clang 14, 32 of
   them smmla; with the dot product 80; 31 cycles of a Neoverse N2 by llvm-mca 14. 2026-11-23. */
#ifndef NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H
#define NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H

#include "dot_armv8.h"
#include "gemm_s8_armv8_tiles.h"
#include "internal.h"
#include "packing.h"

/* Of a pair p of rows, r and r + 1: the addresses, the sums of four pairs of channels, the vectors of 8 steps of both
   rows, and of the next 8. */
#define NNRT__GEMM_S8_I8MM_PAIR(p)                                                        \
    const int8_t *row##p, *other##p;                                                      \
    int32x4_t s##p##0 = bias[0], s##p##1 = bias[1], s##p##2 = bias[2], s##p##3 = bias[3]; \
    int8x16_t x##p, y##p
#define NNRT__GEMM_S8_I8MM_BEGIN(p) row##p = lists[2 * p][piece], other##p = lists[2 * p + 1][piece]
#define NNRT__GEMM_S8_I8MM_LOAD(p)                                    \
    do {                                                              \
        const int64x2_t a = vreinterpretq_s64_s8(vld1q_s8(row##p));   \
        const int64x2_t b = vreinterpretq_s64_s8(vld1q_s8(other##p)); \
        x##p = vreinterpretq_s8_s64(vzip1q_s64(a, b));                \
        y##p = vreinterpretq_s8_s64(vzip2q_s64(a, b));                \
        row##p += 16, other##p += 16;                                 \
    } while (0)
#define NNRT__GEMM_S8_I8MM_LOAD_8(p) x##p = vcombine_s8(vld1_s8(row##p), vld1_s8(other##p)), row##p += 8, other##p += 8
#define NNRT__GEMM_S8_I8MM_PUT(p)                                                               \
    do {                                                                                        \
        const int64x2_t a = vreinterpretq_s64_s32(s##p##0), b = vreinterpretq_s64_s32(s##p##1); \
        const int64x2_t c = vreinterpretq_s64_s32(s##p##2), d = vreinterpretq_s64_s32(s##p##3); \
        sums[4 * p] = vreinterpretq_s32_s64(vzip1q_s64(a, b));                                  \
        sums[4 * p + 1] = vreinterpretq_s32_s64(vzip1q_s64(c, d));                              \
        sums[4 * p + 2] = vreinterpretq_s32_s64(vzip2q_s64(a, b));                              \
        sums[4 * p + 3] = vreinterpretq_s32_s64(vzip2q_s64(c, d));                              \
    } while (0)
/* The pair q of channels of the next 8 steps with four pairs of rows. */
#define NNRT__GEMM_S8_I8MM_ADD_8(q, x) \
    w0 = vld1q_s8(w + 16 * q);         \
    NNRT__SMMLA(s0##q, x##0, w0);      \
    NNRT__SMMLA(s1##q, x##1, w0);      \
    NNRT__SMMLA(s2##q, x##2, w0);      \
    NNRT__SMMLA(s3##q, x##3, w0)
#define NNRT__GEMM_S8_I8MM_STEP_8(x) \
    NNRT__GEMM_S8_I8MM_ADD_8(0, x);  \
    NNRT__GEMM_S8_I8MM_ADD_8(1, x);  \
    NNRT__GEMM_S8_I8MM_ADD_8(2, x);  \
    NNRT__GEMM_S8_I8MM_ADD_8(3, x);  \
    w += 64
#define NNRT__GEMM_S8_I8MM_ADD_2(q, x) \
    w0 = vld1q_s8(w + 16 * q);         \
    NNRT__SMMLA(s0##q, x##0, w0)
#define NNRT__GEMM_S8_I8MM_STEP_2(x) \
    NNRT__GEMM_S8_I8MM_ADD_2(0, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(1, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(2, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(3, x);  \
    w += 64

/* The pair q of channels of the next 8 steps with one row, twice in x. */
#define NNRT__GEMM_S8_I8MM_ADD_1(q) \
    w0 = vld1q_s8(w + 16 * q);      \
    NNRT__SDOT(s##q, w0, x)

/* The bias of four pairs of channels, for both rows of a pair. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_bias(const int32_t *tile, int32x4_t bias[4]) {
    int i;
    for (i = 0; i < 4; i++) bias[i] = vcombine_s32(vld1_s32(tile + 2 * i), vld1_s32(tile + 2 * i));
}

/* 8 rows against one tile. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_8(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                       const int32_t *tile, const int32x4_t bias[4], int32x4_t sums[16]) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int8x16_t w0;
    size_t piece, left;
    NNRT__GEMM_S8_I8MM_PAIR(0);
    NNRT__GEMM_S8_I8MM_PAIR(1);
    NNRT__GEMM_S8_I8MM_PAIR(2);
    NNRT__GEMM_S8_I8MM_PAIR(3);
    for (piece = 0; piece < run->pieces; piece++) {
        NNRT__GEMM_S8_I8MM_BEGIN(0);
        NNRT__GEMM_S8_I8MM_BEGIN(1);
        NNRT__GEMM_S8_I8MM_BEGIN(2);
        NNRT__GEMM_S8_I8MM_BEGIN(3);
        for (left = run->steps; left >= 2; left -= 2) {
            NNRT__GEMM_S8_I8MM_LOAD(0);
            NNRT__GEMM_S8_I8MM_LOAD(1);
            NNRT__GEMM_S8_I8MM_LOAD(2);
            NNRT__GEMM_S8_I8MM_LOAD(3);
            NNRT__GEMM_S8_I8MM_STEP_8(x);
            NNRT__GEMM_S8_I8MM_STEP_8(y);
        }
        if (left != 0) {
            NNRT__GEMM_S8_I8MM_LOAD_8(0);
            NNRT__GEMM_S8_I8MM_LOAD_8(1);
            NNRT__GEMM_S8_I8MM_LOAD_8(2);
            NNRT__GEMM_S8_I8MM_LOAD_8(3);
            NNRT__GEMM_S8_I8MM_STEP_8(x);
        }
    }
    NNRT__GEMM_S8_I8MM_PUT(0);
    NNRT__GEMM_S8_I8MM_PUT(1);
    NNRT__GEMM_S8_I8MM_PUT(2);
    NNRT__GEMM_S8_I8MM_PUT(3);
}

/* Two rows; the last of an odd number is two that are the same: its weights take longer to load. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_2(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const *lists,
                                       const int32_t *tile, const int32x4_t bias[4], int32x4_t *sums) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int8x16_t w0;
    size_t piece, left;
    NNRT__GEMM_S8_I8MM_PAIR(0);
    for (piece = 0; piece < run->pieces; piece++) {
        NNRT__GEMM_S8_I8MM_BEGIN(0);
        for (left = run->steps; left >= 2; left -= 2) {
            NNRT__GEMM_S8_I8MM_LOAD(0);
            NNRT__GEMM_S8_I8MM_STEP_2(x);
            NNRT__GEMM_S8_I8MM_STEP_2(y);
        }
        if (left != 0) {
            NNRT__GEMM_S8_I8MM_LOAD_8(0);
            NNRT__GEMM_S8_I8MM_STEP_2(x);
        }
    }
    NNRT__GEMM_S8_I8MM_PUT(0);
}

/* One row: every processor with products of matrices has the dot product, too (Armv8.4). A vector of weights holds 8
   steps of two channels, so that a sum is two lanes. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_1(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list,
                                       const int32_t *tile, int32x4_t sums[2]) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;
    int8x16_t w0, x;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row = list[piece];
        for (left = run->steps; left > 0; left--) {
            x = vcombine_s8(vld1_s8(row), vld1_s8(row)), row += 8;
            NNRT__GEMM_S8_I8MM_ADD_1(0);
            NNRT__GEMM_S8_I8MM_ADD_1(1);
            NNRT__GEMM_S8_I8MM_ADD_1(2);
            NNRT__GEMM_S8_I8MM_ADD_1(3);
            w += 64;
        }
    }
    sums[0] = vaddq_s32(vld1q_s32(tile), vpaddq_s32(s0, s1));
    sums[1] = vaddq_s32(vld1q_s32(tile + 4), vpaddq_s32(s2, s3));
}

NNRT__FN void nnrt__gemm_s8_i8mm_rows(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                      size_t rows, const int32_t *tile, int32x4_t sums[16]) {
    int32x4_t bias[4];
    size_t i;
    nnrt__gemm_s8_i8mm_bias(tile, bias);
    if (rows > 4) nnrt__gemm_s8_i8mm_8(run, lists, tile, bias, sums);
    else
        for (i = 0; i < rows; i += 2) nnrt__gemm_s8_i8mm_2(run, lists + i, tile, bias, sums + 2 * i);
}

NNRT__FN void nnrt__gemm_s8_armv8_i8mm(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x8, scratch));
    (void)scratch;
    nnrt__gemm_s8_armv8_tiles(args, 8, nnrt__gemm_s8_i8mm_rows, nnrt__gemm_s8_i8mm_1);
}

NNRT__FN void nnrt__gemm_s8_armv8_i8mm_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_armv8_i8mm, &nnrt__packing_s8_8x8, "armv8-i8mm"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H */
