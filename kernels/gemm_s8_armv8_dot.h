/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_dot.h - gemm_s8 for AArch64 with the dot product (Armv8.2: Cortex-A55, -A75 and up). Contract:
   gemm_s8_scalar.h.

   A vector of weights is four channels with four products each; a lane of A, four products of a row, meets all of them
   (sdot). 8 rows x 8 channels in 16 sums, 8 vectors of A and two of weights: 26 of 32 registers, no spill. 16 x 8 x 8 =
   1024 products take 80 instructions with GCC 12 and 81 with clang 14, 64 of them sdot; by llvm-mca 14 132 cycles of
   a Cortex-A55 and 36 of an A76. A tile of 4 rows x 16
   channels, which XNNPACK has, loads 20 vectors for these 64, this one 16, and pads channels to 8. 2026-11-23. */
#ifndef NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H
#define NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H

#include "dot_armv8.h"
#include "gemm_s8_armv8_tiles.h"
#include "internal.h"
#include "packing.h"

/* What stands in the loops for row r: its address, its sums, a vector of it. */
#define NNRT__GEMM_S8_DOT_ROW(r)                                        \
    const int8_t *row##r;                                               \
    int32x4_t s##r##0 = vld1q_s32(tile), s##r##1 = vld1q_s32(tile + 4); \
    int8x16_t x##r
#define NNRT__GEMM_S8_DOT_BEGIN(r) row##r = lists[r][piece]
#define NNRT__GEMM_S8_DOT_LOAD(r) x##r = vld1q_s8(row##r), row##r += 16
#define NNRT__GEMM_S8_DOT_LOAD_4(r) x##r = vreinterpretq_s8_s32(vdupq_n_s32(nnrt__kernel_read_i32(row##r))), row##r += 4
#define NNRT__GEMM_S8_DOT_WEIGHTS w0 = vld1q_s8(w), w1 = vld1q_s8(w + 16), w += 32
#define NNRT__GEMM_S8_DOT_PUT(r) sums[2 * r] = s##r##0, sums[2 * r + 1] = s##r##1
#define NNRT__GEMM_S8_DOT_ADD(r, lane)         \
    NNRT__SDOT_LANE_##lane(s##r##0, w0, x##r); \
    NNRT__SDOT_LANE_##lane(s##r##1, w1, x##r)
#define NNRT__GEMM_S8_DOT_ADD_4(lane) \
    NNRT__GEMM_S8_DOT_ADD(0, lane);   \
    NNRT__GEMM_S8_DOT_ADD(1, lane);   \
    NNRT__GEMM_S8_DOT_ADD(2, lane);   \
    NNRT__GEMM_S8_DOT_ADD(3, lane)
#define NNRT__GEMM_S8_DOT_ADD_8(lane) \
    NNRT__GEMM_S8_DOT_ADD_4(lane);    \
    NNRT__GEMM_S8_DOT_ADD(4, lane);   \
    NNRT__GEMM_S8_DOT_ADD(5, lane);   \
    NNRT__GEMM_S8_DOT_ADD(6, lane);   \
    NNRT__GEMM_S8_DOT_ADD(7, lane)

/* 8 rows against one tile. */
NNRT__INLINE void nnrt__gemm_s8_dot_8(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                      const int32_t *tile, int32x4_t sums[16]) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int8x16_t w0, w1;
    size_t piece, left;
    NNRT__GEMM_S8_DOT_ROW(0);
    NNRT__GEMM_S8_DOT_ROW(1);
    NNRT__GEMM_S8_DOT_ROW(2);
    NNRT__GEMM_S8_DOT_ROW(3);
    NNRT__GEMM_S8_DOT_ROW(4);
    NNRT__GEMM_S8_DOT_ROW(5);
    NNRT__GEMM_S8_DOT_ROW(6);
    NNRT__GEMM_S8_DOT_ROW(7);
    for (piece = 0; piece < run->pieces; piece++) {
        NNRT__GEMM_S8_DOT_BEGIN(0);
        NNRT__GEMM_S8_DOT_BEGIN(1);
        NNRT__GEMM_S8_DOT_BEGIN(2);
        NNRT__GEMM_S8_DOT_BEGIN(3);
        NNRT__GEMM_S8_DOT_BEGIN(4);
        NNRT__GEMM_S8_DOT_BEGIN(5);
        NNRT__GEMM_S8_DOT_BEGIN(6);
        NNRT__GEMM_S8_DOT_BEGIN(7);
        for (left = run->steps; left >= 4; left -= 4) {
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_ADD(0, 0);
            NNRT__GEMM_S8_DOT_LOAD(1);
            NNRT__GEMM_S8_DOT_ADD(1, 0);
            NNRT__GEMM_S8_DOT_LOAD(2);
            NNRT__GEMM_S8_DOT_ADD(2, 0);
            NNRT__GEMM_S8_DOT_LOAD(3);
            NNRT__GEMM_S8_DOT_ADD(3, 0);
            NNRT__GEMM_S8_DOT_LOAD(4);
            NNRT__GEMM_S8_DOT_ADD(4, 0);
            NNRT__GEMM_S8_DOT_LOAD(5);
            NNRT__GEMM_S8_DOT_ADD(5, 0);
            NNRT__GEMM_S8_DOT_LOAD(6);
            NNRT__GEMM_S8_DOT_ADD(6, 0);
            NNRT__GEMM_S8_DOT_LOAD(7);
            NNRT__GEMM_S8_DOT_ADD(7, 0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_8(1);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_8(2);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_8(3);
        }
        for (; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_LOAD_4(1);
            NNRT__GEMM_S8_DOT_LOAD_4(2);
            NNRT__GEMM_S8_DOT_LOAD_4(3);
            NNRT__GEMM_S8_DOT_LOAD_4(4);
            NNRT__GEMM_S8_DOT_LOAD_4(5);
            NNRT__GEMM_S8_DOT_LOAD_4(6);
            NNRT__GEMM_S8_DOT_LOAD_4(7);
            NNRT__GEMM_S8_DOT_ADD_8(0);
        }
    }
    NNRT__GEMM_S8_DOT_PUT(0);
    NNRT__GEMM_S8_DOT_PUT(1);
    NNRT__GEMM_S8_DOT_PUT(2);
    NNRT__GEMM_S8_DOT_PUT(3);
    NNRT__GEMM_S8_DOT_PUT(4);
    NNRT__GEMM_S8_DOT_PUT(5);
    NNRT__GEMM_S8_DOT_PUT(6);
    NNRT__GEMM_S8_DOT_PUT(7);
}

/* 4 rows. */
NNRT__INLINE void nnrt__gemm_s8_dot_4(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                      const int32_t *tile, int32x4_t sums[16]) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int8x16_t w0, w1;
    size_t piece, left;
    NNRT__GEMM_S8_DOT_ROW(0);
    NNRT__GEMM_S8_DOT_ROW(1);
    NNRT__GEMM_S8_DOT_ROW(2);
    NNRT__GEMM_S8_DOT_ROW(3);
    for (piece = 0; piece < run->pieces; piece++) {
        NNRT__GEMM_S8_DOT_BEGIN(0);
        NNRT__GEMM_S8_DOT_BEGIN(1);
        NNRT__GEMM_S8_DOT_BEGIN(2);
        NNRT__GEMM_S8_DOT_BEGIN(3);
        for (left = run->steps; left >= 4; left -= 4) {
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_ADD(0, 0);
            NNRT__GEMM_S8_DOT_LOAD(1);
            NNRT__GEMM_S8_DOT_ADD(1, 0);
            NNRT__GEMM_S8_DOT_LOAD(2);
            NNRT__GEMM_S8_DOT_ADD(2, 0);
            NNRT__GEMM_S8_DOT_LOAD(3);
            NNRT__GEMM_S8_DOT_ADD(3, 0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_4(1);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_4(2);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD_4(3);
        }
        for (; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_LOAD_4(1);
            NNRT__GEMM_S8_DOT_LOAD_4(2);
            NNRT__GEMM_S8_DOT_LOAD_4(3);
            NNRT__GEMM_S8_DOT_ADD_4(0);
        }
    }
    NNRT__GEMM_S8_DOT_PUT(0);
    NNRT__GEMM_S8_DOT_PUT(1);
    NNRT__GEMM_S8_DOT_PUT(2);
    NNRT__GEMM_S8_DOT_PUT(3);
}

/* One row; its steps go in turn to two pairs of sums, as each sdot needs the sum of the one before. */
NNRT__INLINE void nnrt__gemm_s8_dot_1(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list,
                                      const int32_t *tile, int32x4_t sums[2]) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t s10 = vdupq_n_s32(0), s11 = s10, s00 = vld1q_s32(tile), s01 = vld1q_s32(tile + 4);
    int8x16_t x0, w0, w1;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row0 = list[piece];
        for (left = run->steps; left >= 4; left -= 4) {
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD(0, 0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__SDOT_LANE_1(s10, w0, x0);
            NNRT__SDOT_LANE_1(s11, w1, x0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD(0, 2);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__SDOT_LANE_3(s10, w0, x0);
            NNRT__SDOT_LANE_3(s11, w1, x0);
        }
        for (; left > 0; left--) {
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_WEIGHTS;
            NNRT__GEMM_S8_DOT_ADD(0, 0);
        }
    }
    sums[0] = vaddq_s32(s00, s10);
    sums[1] = vaddq_s32(s01, s11);
}

NNRT__FN void nnrt__gemm_s8_dot_rows(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *const lists[8],
                                     size_t rows, const int32_t *tile, int32x4_t sums[16]) {
    if (rows > 4) nnrt__gemm_s8_dot_8(run, lists, tile, sums);
    else if (rows > 1) nnrt__gemm_s8_dot_4(run, lists, tile, sums);
    else nnrt__gemm_s8_dot_1(run, lists[0], tile, sums);
}

NNRT__FN void nnrt__gemm_s8_armv8_dot(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x4, scratch));
    (void)scratch;
    nnrt__gemm_s8_armv8_tiles(args, 4, nnrt__gemm_s8_dot_rows, nnrt__gemm_s8_dot_1);
}

NNRT__FN void nnrt__gemm_s8_armv8_dot_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_armv8_dot, &nnrt__packing_s8_8x4, "armv8-dot"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H */
