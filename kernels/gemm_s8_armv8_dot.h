/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_dot.h - gemm_s8 for AArch64 with the dot product (Armv8.2: Cortex-A55, -A75 and up). Contract:
   gemm_s8_scalar.h.

   A vector of weights is four channels with four products each; a lane of A, four products of a row, meets all of them
   (sdot). 8 rows x 8 channels in 16 sums, 8 vectors of A and four of weights, which are loaded a step ahead: 28 of 32
   registers, no spill. 16 x 8 x 8 = 1024 products take 79 instructions with GCC 12, 64 of them sdot; by llvm-mca 14 108
   cycles of a Cortex-A55 and 35 of an A76. A tile of 4 rows x 16 channels, which XNNPACK has, loads 20 vectors for
   these 64, this one 16, and pads channels to 8. One row meets two tiles at once: 256 products are 29 instructions, 58
   and 18 cycles. The sums become bytes there: 13 instructions for each 8 of them. 2026-11-26. */
#ifndef NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H
#define NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H

#include "dot_armv8.h"
#include "gemm_s8_armv8_tiles.h"
#include "internal.h"
#include "packing.h"

/* What stands in the loops for row r: its address, its sums, a vector of it. */
#define NNRT__GEMM_S8_DOT_ROW(r)                \
    const int8_t *row##r;                       \
    int32x4_t s##r##0 = bias0, s##r##1 = bias1; \
    int8x16_t x##r
#define NNRT__GEMM_S8_DOT_LOAD(r)              \
    do {                                       \
        x##r = vld1q_s8(row##r), row##r += 16; \
        NNRT__COUNTED_UP(row##r);              \
    } while (0)
#define NNRT__GEMM_S8_DOT_LOAD_4(r)                                                           \
    do {                                                                                      \
        x##r = vreinterpretq_s8_s32(vdupq_n_s32(nnrt__kernel_read_i32(row##r))), row##r += 4; \
        NNRT__COUNTED_UP(row##r);                                                             \
    } while (0)
#define NNRT__GEMM_S8_DOT_WEIGHTS(x, i)                            \
    x##0 = vld1q_s8(w + 32 * i), x##1 = vld1q_s8(w + 32 * i + 16); \
    NNRT__LOADED_HERE(x##0, x##1)
#define NNRT__GEMM_S8_DOT_NEXT(w, steps) \
    w += 32 * steps;                     \
    NNRT__COUNTED_UP(w)
#define NNRT__GEMM_S8_DOT_ADD(r, lane, weights)        \
    NNRT__SDOT_LANE_##lane(s##r##0, weights##0, x##r); \
    NNRT__SDOT_LANE_##lane(s##r##1, weights##1, x##r)
#define NNRT__GEMM_S8_DOT_ADD_4(lane, weights) \
    NNRT__GEMM_S8_DOT_ADD(0, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(1, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(2, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(3, lane, weights)
#define NNRT__GEMM_S8_DOT_ADD_8(lane, weights) \
    NNRT__GEMM_S8_DOT_ADD_4(lane, weights);    \
    NNRT__GEMM_S8_DOT_ADD(4, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(5, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(6, lane, weights);   \
    NNRT__GEMM_S8_DOT_ADD(7, lane, weights)

#define NNRT__GEMM_S8_DOT_ADDED(r, number)               \
    s##r##0 = nnrt__gemm_s8_armv8_plus(s##r##0, number); \
    s##r##1 = nnrt__gemm_s8_armv8_plus(s##r##1, number)

/* What makes bytes of a tile's sums when no shift goes left and all 8 channels are there. */
typedef struct nnrt__gemm_s8_dot_last {
    int32x4_t m0, m1, r0, r1;
    nnrt__output_x16_neon out;
    size_t c_stride;
} nnrt__gemm_s8_dot_last;

NNRT__INLINE nnrt__gemm_s8_dot_last nnrt__gemm_s8_dot_last_of(const nnrt__gemm_s8_armv8_run *run, const int32_t *tile) {
    nnrt__gemm_s8_dot_last last;
    last.m0 = vld1q_s32(tile + 8), last.m1 = vld1q_s32(tile + 12);
    last.r0 = vld1q_s32(tile + 16), last.r1 = vld1q_s32(tile + 20);
    last.out = run->out;
    last.c_stride = run->c_stride;
    return last;
}

/* Sums of four rows to their bytes: as many rows at c as at c2. */
NNRT__INLINE void nnrt__gemm_s8_dot_put(const nnrt__gemm_s8_dot_last *last, int32x4_t s00, int32x4_t s01, int32x4_t s10,
                                        int32x4_t s11, int32x4_t s20, int32x4_t s21, int32x4_t s30, int32x4_t s31,
                                        int8_t *c, int8_t *c2) {
    const int32x4_t m0 = last->m0, m1 = last->m1, r0 = last->r0, r1 = last->r1;
    nnrt__gemm_s8_armv8_put(c, c2, last->c_stride,
                            nnrt__gemm_s8_armv8_narrow(nnrt__gemm_s8_neon_right(s00, s01, m0, m1, r0, r1),
                                                       nnrt__gemm_s8_neon_right(s20, s21, m0, m1, r0, r1), &last->out),
                            nnrt__gemm_s8_armv8_narrow(nnrt__gemm_s8_neon_right(s10, s11, m0, m1, r0, r1),
                                                       nnrt__gemm_s8_neon_right(s30, s31, m0, m1, r0, r1), &last->out));
}

/* The same with any shifts and fewer channels. */
NNRT__INLINE void nnrt__gemm_s8_dot_put_any(const nnrt__gemm_s8_armv8_run *run, int32x4_t s00, int32x4_t s01,
                                            int32x4_t s10, int32x4_t s11, int32x4_t s20, int32x4_t s21, int32x4_t s30,
                                            int32x4_t s31, const int32_t *tile, int8_t *c, int8_t *c2,
                                            size_t channels) {
    nnrt__gemm_s8_armv8_store_1(run, s00, s01, tile, c, channels);
    nnrt__gemm_s8_armv8_store_1(run, s10, s11, tile, c + run->c_stride, channels);
    nnrt__gemm_s8_armv8_store_1(run, s20, s21, tile, c2, channels);
    nnrt__gemm_s8_armv8_store_1(run, s30, s31, tile, c2 + run->c_stride, channels);
}

/* 8 rows against one tile; the second four begin at row `second`. */
NNRT__INLINE void nnrt__gemm_s8_dot_8(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, const int32_t *added,
                                      size_t second, const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    const int32x4_t bias0 = vld1q_s32(tile), bias1 = vld1q_s32(tile + 4);
    const size_t pieces = run->pieces;
    const int8_t *const *b = a + second * pieces;
    int8x16_t w0, w1, v0, v1;
    size_t piece, left;
    int8_t *d; /* of the second rows */
    NNRT__GEMM_S8_DOT_ROW(0);
    NNRT__GEMM_S8_DOT_ROW(1);
    NNRT__GEMM_S8_DOT_ROW(2);
    NNRT__GEMM_S8_DOT_ROW(3);
    NNRT__GEMM_S8_DOT_ROW(4);
    NNRT__GEMM_S8_DOT_ROW(5);
    NNRT__GEMM_S8_DOT_ROW(6);
    NNRT__GEMM_S8_DOT_ROW(7);
    if (added != NULL) {
        const int32_t *const other = added + second;
        NNRT__GEMM_S8_DOT_ADDED(0, added[0]);
        NNRT__GEMM_S8_DOT_ADDED(1, added[1]);
        NNRT__GEMM_S8_DOT_ADDED(2, added[2]);
        NNRT__GEMM_S8_DOT_ADDED(3, added[3]);
        NNRT__GEMM_S8_DOT_ADDED(4, other[0]);
        NNRT__GEMM_S8_DOT_ADDED(5, other[1]);
        NNRT__GEMM_S8_DOT_ADDED(6, other[2]);
        NNRT__GEMM_S8_DOT_ADDED(7, other[3]);
    }
    for (piece = pieces; piece > 0; piece--, a++, b++) {
        row0 = a[0], row1 = a[pieces], row2 = a[2 * pieces], row3 = a[3 * pieces];
        row4 = b[0], row5 = b[pieces], row6 = b[2 * pieces], row7 = b[3 * pieces];
        for (left = run->steps / 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_LOAD(1);
            NNRT__GEMM_S8_DOT_WEIGHTS(v, 1);
            NNRT__GEMM_S8_DOT_ADD(0, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(2);
            NNRT__GEMM_S8_DOT_ADD(1, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(3);
            NNRT__GEMM_S8_DOT_ADD(2, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(4);
            NNRT__GEMM_S8_DOT_ADD(3, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(5);
            NNRT__GEMM_S8_DOT_ADD(4, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(6);
            NNRT__GEMM_S8_DOT_ADD(5, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(7);
            NNRT__GEMM_S8_DOT_ADD(6, 0, w);
            NNRT__GEMM_S8_DOT_ADD(7, 0, w);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 2);
            NNRT__GEMM_S8_DOT_ADD_8(1, v);
            NNRT__GEMM_S8_DOT_WEIGHTS(v, 3);
            NNRT__GEMM_S8_DOT_ADD_8(2, w);
            NNRT__GEMM_S8_DOT_ADD_8(3, v);
            NNRT__GEMM_S8_DOT_NEXT(w, 4);
        }
        for (left = run->steps % 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_LOAD_4(1);
            NNRT__GEMM_S8_DOT_LOAD_4(2);
            NNRT__GEMM_S8_DOT_LOAD_4(3);
            NNRT__GEMM_S8_DOT_LOAD_4(4);
            NNRT__GEMM_S8_DOT_LOAD_4(5);
            NNRT__GEMM_S8_DOT_LOAD_4(6);
            NNRT__GEMM_S8_DOT_LOAD_4(7);
            NNRT__GEMM_S8_DOT_ADD_8(0, w);
            NNRT__GEMM_S8_DOT_NEXT(w, 1);
        }
    }
    d = c + second * run->c_stride;
    if (NNRT__FOR_SPEED && tile[NNRT__TILE8_LEFT] == 0 && channels >= 8) {
        const nnrt__gemm_s8_dot_last last = nnrt__gemm_s8_dot_last_of(run, tile);
        nnrt__gemm_s8_dot_put(&last, s00, s01, s10, s11, s20, s21, s30, s31, c, c + 2 * last.c_stride);
        nnrt__gemm_s8_dot_put(&last, s40, s41, s50, s51, s60, s61, s70, s71, d, d + 2 * last.c_stride);
    } else {
        nnrt__gemm_s8_dot_put_any(run, s00, s01, s10, s11, s20, s21, s30, s31, tile, c, c + 2 * run->c_stride,
                                  channels);
        nnrt__gemm_s8_dot_put_any(run, s40, s41, s50, s51, s60, s61, s70, s71, tile, d, d + 2 * run->c_stride,
                                  channels);
    }
}

/* 4 rows; the second two begin at row `second`. */
NNRT__INLINE void nnrt__gemm_s8_dot_4(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, const int32_t *added,
                                      size_t second, const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    const int32x4_t bias0 = vld1q_s32(tile), bias1 = vld1q_s32(tile + 4);
    const size_t pieces = run->pieces;
    const int8_t *const *b = a + second * pieces;
    int8x16_t w0, w1, v0, v1;
    size_t piece, left;
    int8_t *d; /* of the second rows */
    NNRT__GEMM_S8_DOT_ROW(0);
    NNRT__GEMM_S8_DOT_ROW(1);
    NNRT__GEMM_S8_DOT_ROW(2);
    NNRT__GEMM_S8_DOT_ROW(3);
    if (added != NULL) {
        NNRT__GEMM_S8_DOT_ADDED(0, added[0]);
        NNRT__GEMM_S8_DOT_ADDED(1, added[1]);
        NNRT__GEMM_S8_DOT_ADDED(2, added[second]);
        NNRT__GEMM_S8_DOT_ADDED(3, added[second + 1]);
    }
    for (piece = pieces; piece > 0; piece--, a++, b++) {
        row0 = a[0], row1 = a[pieces], row2 = b[0], row3 = b[pieces];
        for (left = run->steps / 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_LOAD(1);
            NNRT__GEMM_S8_DOT_WEIGHTS(v, 1);
            NNRT__GEMM_S8_DOT_ADD(0, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(2);
            NNRT__GEMM_S8_DOT_ADD(1, 0, w);
            NNRT__GEMM_S8_DOT_LOAD(3);
            NNRT__GEMM_S8_DOT_ADD(2, 0, w);
            NNRT__GEMM_S8_DOT_ADD(3, 0, w);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 2);
            NNRT__GEMM_S8_DOT_ADD_4(1, v);
            NNRT__GEMM_S8_DOT_WEIGHTS(v, 3);
            NNRT__GEMM_S8_DOT_ADD_4(2, w);
            NNRT__GEMM_S8_DOT_ADD_4(3, v);
            NNRT__GEMM_S8_DOT_NEXT(w, 4);
        }
        for (left = run->steps % 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_LOAD_4(1);
            NNRT__GEMM_S8_DOT_LOAD_4(2);
            NNRT__GEMM_S8_DOT_LOAD_4(3);
            NNRT__GEMM_S8_DOT_ADD_4(0, w);
            NNRT__GEMM_S8_DOT_NEXT(w, 1);
        }
    }
    d = c + second * run->c_stride;
    if (NNRT__FOR_SPEED && tile[NNRT__TILE8_LEFT] == 0 && channels >= 8) {
        const nnrt__gemm_s8_dot_last last = nnrt__gemm_s8_dot_last_of(run, tile);
        nnrt__gemm_s8_dot_put(&last, s00, s01, s10, s11, s20, s21, s30, s31, c, d);
    } else {
        nnrt__gemm_s8_dot_put_any(run, s00, s01, s10, s11, s20, s21, s30, s31, tile, c, d, channels);
    }
}

/* One row against two tiles, whose sums are four that do not wait for one another. */
NNRT__INLINE void nnrt__gemm_s8_dot_2_tiles(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list,
                                            int32_t added, const int32_t *tile, const int32_t *next, int8_t *c) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS), *v = (const int8_t *)(next + NNRT__TILE8_WEIGHTS);
    int32x4_t s00 = vld1q_s32(tile), s01 = vld1q_s32(tile + 4), s10 = vld1q_s32(next), s11 = vld1q_s32(next + 4);
    int8x16_t x0, w0, w1, v0, v1;
    size_t piece, left;
#define NNRT__GEMM_S8_DOT_ADD_2(lane)                                \
    w0 = vld1q_s8(w + 32 * lane), w1 = vld1q_s8(w + 32 * lane + 16); \
    NNRT__LOADED_HERE(w0, w1);                                       \
    v0 = vld1q_s8(v + 32 * lane), v1 = vld1q_s8(v + 32 * lane + 16); \
    NNRT__LOADED_HERE(v0, v1);                                       \
    NNRT__SDOT_LANE_##lane(s00, w0, x0);                             \
    NNRT__SDOT_LANE_##lane(s01, w1, x0);                             \
    NNRT__SDOT_LANE_##lane(s10, v0, x0);                             \
    NNRT__SDOT_LANE_##lane(s11, v1, x0)
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row0 = list[piece];
        for (left = run->steps / 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_ADD_2(0);
            NNRT__GEMM_S8_DOT_ADD_2(1);
            NNRT__GEMM_S8_DOT_ADD_2(2);
            NNRT__GEMM_S8_DOT_ADD_2(3);
            NNRT__GEMM_S8_DOT_NEXT(w, 4);
            NNRT__GEMM_S8_DOT_NEXT(v, 4);
        }
        for (left = run->steps % 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_ADD_2(0);
            NNRT__GEMM_S8_DOT_NEXT(w, 1);
            NNRT__GEMM_S8_DOT_NEXT(v, 1);
        }
    }
#undef NNRT__GEMM_S8_DOT_ADD_2
    nnrt__gemm_s8_armv8_store_2_tiles(run, nnrt__gemm_s8_armv8_plus(s00, added), nnrt__gemm_s8_armv8_plus(s01, added),
                                      nnrt__gemm_s8_armv8_plus(s10, added), nnrt__gemm_s8_armv8_plus(s11, added), tile,
                                      next, c);
}

/* One row against one tile; its steps go in turn to two pairs of sums, as each sdot needs the sum of the one before. */
NNRT__INLINE void nnrt__gemm_s8_dot_1(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list, int32_t added,
                                      const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t s10 = vdupq_n_s32(added), s11 = s10, s00 = vld1q_s32(tile), s01 = vld1q_s32(tile + 4);
    int8x16_t x0, w0, w1;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row0 = list[piece];
        for (left = run->steps / 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_LOAD(0);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_ADD(0, 0, w);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 1);
            NNRT__SDOT_LANE_1(s10, w0, x0);
            NNRT__SDOT_LANE_1(s11, w1, x0);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 2);
            NNRT__GEMM_S8_DOT_ADD(0, 2, w);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 3);
            NNRT__SDOT_LANE_3(s10, w0, x0);
            NNRT__SDOT_LANE_3(s11, w1, x0);
            NNRT__GEMM_S8_DOT_NEXT(w, 4);
        }
        for (left = run->steps % 4; left > 0; left--) {
            NNRT__GEMM_S8_DOT_LOAD_4(0);
            NNRT__GEMM_S8_DOT_WEIGHTS(w, 0);
            NNRT__GEMM_S8_DOT_ADD(0, 0, w);
            NNRT__GEMM_S8_DOT_NEXT(w, 1);
        }
    }
    nnrt__gemm_s8_armv8_store_1(run, vaddq_s32(s00, s10), vaddq_s32(s01, s11), tile, c, channels);
}

NNRT__NOINLINE void nnrt__gemm_s8_dot_row(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, int32_t added,
                                          const int32_t *tile, size_t tile_words, int8_t *c, size_t n) {
    for (; NNRT__FOR_SPEED && n >= 16; n -= 16, c += 16, tile += 2 * tile_words)
        nnrt__gemm_s8_dot_2_tiles(run, a, added, tile, tile + tile_words, c);
    for (; n > 0; tile += tile_words) {
        const size_t channels = n < 8 ? n : 8;
        nnrt__gemm_s8_dot_1(run, a, added, tile, c, channels);
        c += channels, n -= channels;
    }
}

NNRT__NOINLINE void nnrt__gemm_s8_dot_tile(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a,
                                           const int32_t *added, size_t rows, const int32_t *tile, int8_t *c,
                                           size_t channels) {
    while (rows > 0) {
        const size_t count = nnrt__gemm_s8_armv8_count(rows);
        if (count > 4) nnrt__gemm_s8_dot_8(run, a, added, count - 4, tile, c, channels);
        else if (count > 1) nnrt__gemm_s8_dot_4(run, a, added, count - 2, tile, c, channels);
        else nnrt__gemm_s8_dot_row(run, a, added != NULL ? added[0] : 0, tile, 0, c, channels < 8 ? channels : 8);
        if (added != NULL) added += count;
        a += count * run->pieces, c += count * run->c_stride, rows -= count;
    }
}

NNRT__FN void nnrt__gemm_s8_armv8_dot(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x4, scratch));
    (void)scratch;
    nnrt__gemm_s8_armv8_tiles(args, 4, nnrt__gemm_s8_dot_tile, nnrt__gemm_s8_dot_row);
}

NNRT__FN void nnrt__gemm_s8_armv8_dot_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_armv8_dot, &nnrt__packing_s8_8x4, "armv8-dot"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_DOT_H */
