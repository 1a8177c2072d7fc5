/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_armv8_i8mm.h - gemm_s8 for AArch64 with products of int8 matrices (Armv8.6; Neoverse V1, Cortex-A510
   and up). Contract: gemm_s8_scalar.h.

   smmla takes 8 products of two rows and of two channels and adds to four sums. 8 rows x 8 channels in 16 vectors of
   sums, 8 of A and one or two of weights: no spill. 1024 products take 60 instructions with GCC 12, 32 of them smmla;
   with the dot product 79; 31 cycles of a Neoverse N2 by llvm-mca 14. Sums become bytes as they lie, two channels of
   two rows, and only bytes are put in order. One row meets two tiles at once, by sdot. 2026-11-26. */
#ifndef NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H
#define NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H

#include "dot_armv8.h"
#include "gemm_s8_armv8_tiles.h"
#include "internal.h"
#include "packing.h"

/* 8 bytes, in both halves. */
NNRT__INLINE int8x16_t nnrt__gemm_s8_i8mm_twice(const void *from) {
    int64_t x;
    memcpy(&x, from, sizeof x);
    return vreinterpretq_s8_s64(vdupq_n_s64(x));
}

/* What two channels have, for both rows of a pair. */
NNRT__INLINE int32x4_t nnrt__gemm_s8_i8mm_words(const int32_t *two) {
    return vreinterpretq_s32_s8(nnrt__gemm_s8_i8mm_twice(two));
}

/* Of a pair p of rows, r and r + 1: the addresses, the sums of four pairs of channels, the vectors of 8 steps of both
   rows, and of the next 8. */
#define NNRT__GEMM_S8_I8MM_PAIR(p)                                                                        \
    const int8_t *row##p, *other##p;                                                                      \
    int32x4_t s##p##0 = nnrt__gemm_s8_i8mm_words(tile), s##p##1 = nnrt__gemm_s8_i8mm_words(tile + 2);     \
    int32x4_t s##p##2 = nnrt__gemm_s8_i8mm_words(tile + 4), s##p##3 = nnrt__gemm_s8_i8mm_words(tile + 6); \
    int8x16_t x##p, y##p
#define NNRT__GEMM_S8_I8MM_LOAD(p)                                     \
    do {                                                               \
        const int64x2_t a0 = vreinterpretq_s64_s8(vld1q_s8(row##p));   \
        const int64x2_t b0 = vreinterpretq_s64_s8(vld1q_s8(other##p)); \
        x##p = vreinterpretq_s8_s64(vzip1q_s64(a0, b0));               \
        y##p = vreinterpretq_s8_s64(vzip2q_s64(a0, b0));               \
        row##p += 16, other##p += 16;                                  \
        NNRT__COUNTED_UP(row##p);                                      \
        NNRT__COUNTED_UP(other##p);                                    \
    } while (0)
#define NNRT__GEMM_S8_I8MM_LOAD_8(p) x##p = vcombine_s8(vld1_s8(row##p), vld1_s8(other##p))
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
    w += 64;                         \
    NNRT__COUNTED_UP(w)
#define NNRT__GEMM_S8_I8MM_ADD_2(q, x) \
    w0 = vld1q_s8(w + 16 * q);         \
    NNRT__SMMLA(s0##q, x##0, w0)
#define NNRT__GEMM_S8_I8MM_STEP_2(x) \
    NNRT__GEMM_S8_I8MM_ADD_2(0, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(1, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(2, x);  \
    NNRT__GEMM_S8_I8MM_ADD_2(3, x);  \
    w += 64;                         \
    NNRT__COUNTED_UP(w)

/* To the sums of a pair, of two rows by two channels each: what is added to the two rows. */
#define NNRT__GEMM_S8_I8MM_ADDED(p, two)                                                 \
    {                                                                                    \
        const int32x4_t both = vcombine_s32(vdup_n_s32((two)[0]), vdup_n_s32((two)[1])); \
        s##p##0 = vaddq_s32(s##p##0, both), s##p##1 = vaddq_s32(s##p##1, both);          \
        s##p##2 = vaddq_s32(s##p##2, both), s##p##3 = vaddq_s32(s##p##3, both);          \
    }

/* Sums of a pair of rows, by rows: sums[2 * row + half]. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_turn(int32x4_t sums[4]) {
    const int64x2_t a = vreinterpretq_s64_s32(sums[0]), b = vreinterpretq_s64_s32(sums[1]);
    const int64x2_t c = vreinterpretq_s64_s32(sums[2]), d = vreinterpretq_s64_s32(sums[3]);
    sums[0] = vreinterpretq_s32_s64(vzip1q_s64(a, b));
    sums[1] = vreinterpretq_s32_s64(vzip1q_s64(c, d));
    sums[2] = vreinterpretq_s32_s64(vzip2q_s64(a, b));
    sums[3] = vreinterpretq_s32_s64(vzip2q_s64(c, d));
}

/* Sums of a pair of rows to bytes: channels 0 and 1 of both, channels 2 and 3 of both ... Every shift is negative. */
NNRT__INLINE int8x16_t nnrt__gemm_s8_i8mm_bytes(const int32x4_t s[4], const int32_t *tile,
                                                const nnrt__output_x16_neon *out) {
    const int32x4_t m0 = nnrt__gemm_s8_i8mm_words(tile + 8), m1 = nnrt__gemm_s8_i8mm_words(tile + 10);
    const int32x4_t m2 = nnrt__gemm_s8_i8mm_words(tile + 12), m3 = nnrt__gemm_s8_i8mm_words(tile + 14);
    const int32x4_t r0 = nnrt__gemm_s8_i8mm_words(tile + 16), r1 = nnrt__gemm_s8_i8mm_words(tile + 18);
    const int32x4_t r2 = nnrt__gemm_s8_i8mm_words(tile + 20), r3 = nnrt__gemm_s8_i8mm_words(tile + 22);
    return nnrt__gemm_s8_armv8_narrow(nnrt__gemm_s8_neon_right(s[0], s[1], m0, m1, r0, r1),
                                      nnrt__gemm_s8_neon_right(s[2], s[3], m2, m3, r2, r3), out);
}

/* Sums of a pair of rows to their bytes. */
NNRT__INLINE_FOR_SPEED void nnrt__gemm_s8_i8mm_store_2(const nnrt__gemm_s8_armv8_run *run, int32x4_t s0, int32x4_t s1,
                                                       int32x4_t s2, int32x4_t s3, const int32_t *tile, int8_t *c,
                                                       size_t channels) {
    int32x4_t sums[4] = {s0, s1, s2, s3};
    nnrt__gemm_s8_i8mm_turn(sums);
    nnrt__gemm_s8_armv8_store_1(run, sums[0], sums[1], tile, c, channels);
    nnrt__gemm_s8_armv8_store_1(run, sums[2], sums[3], tile, c + run->c_stride, channels);
}

/* Sums of two pairs of rows. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_store_4(const nnrt__gemm_s8_armv8_run *run, const int32x4_t first[4],
                                             const int32x4_t last[4], const int32_t *tile, int8_t *c, size_t channels) {
    int8_t *c2 = c + 2 * run->c_stride;
    if (NNRT__FOR_SPEED && tile[NNRT__TILE8_LEFT] == 0 && channels >= 8) {
        const int16x8_t x = vreinterpretq_s16_s8(nnrt__gemm_s8_i8mm_bytes(first, tile, &run->out));
        const int16x8_t y = vreinterpretq_s16_s8(nnrt__gemm_s8_i8mm_bytes(last, tile, &run->out));
        nnrt__gemm_s8_armv8_put(c, c2, run->c_stride, vreinterpretq_s8_s16(vuzp1q_s16(x, y)),
                                vreinterpretq_s8_s16(vuzp2q_s16(x, y)));
    } else {
        nnrt__gemm_s8_i8mm_store_2(run, first[0], first[1], first[2], first[3], tile, c, channels);
        nnrt__gemm_s8_i8mm_store_2(run, last[0], last[1], last[2], last[3], tile, c2, channels);
    }
}

/* 8 rows against one tile; the second four begin at row `second`. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_8(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, const int32_t *added,
                                       size_t second, const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    const size_t pieces = run->pieces;
    const int8_t *const *b = a + second * pieces;
    int8x16_t w0;
    size_t piece, left;
    NNRT__GEMM_S8_I8MM_PAIR(0);
    NNRT__GEMM_S8_I8MM_PAIR(1);
    NNRT__GEMM_S8_I8MM_PAIR(2);
    NNRT__GEMM_S8_I8MM_PAIR(3);
    if (added != NULL) {
        NNRT__GEMM_S8_I8MM_ADDED(0, added);
        NNRT__GEMM_S8_I8MM_ADDED(1, added + 2);
        NNRT__GEMM_S8_I8MM_ADDED(2, added + second);
        NNRT__GEMM_S8_I8MM_ADDED(3, added + second + 2);
    }
    for (piece = pieces; piece > 0; piece--, a++, b++) {
        row0 = a[0], other0 = a[pieces], row1 = a[2 * pieces], other1 = a[3 * pieces];
        row2 = b[0], other2 = b[pieces], row3 = b[2 * pieces], other3 = b[3 * pieces];
        for (left = run->steps / 2; left > 0; left--) {
            NNRT__GEMM_S8_I8MM_LOAD(0);
            NNRT__GEMM_S8_I8MM_LOAD(1);
            NNRT__GEMM_S8_I8MM_LOAD(2);
            NNRT__GEMM_S8_I8MM_LOAD(3);
            NNRT__GEMM_S8_I8MM_STEP_8(x);
            NNRT__GEMM_S8_I8MM_STEP_8(y);
        }
        if (run->steps % 2 != 0) {
            NNRT__GEMM_S8_I8MM_LOAD_8(0);
            NNRT__GEMM_S8_I8MM_LOAD_8(1);
            NNRT__GEMM_S8_I8MM_LOAD_8(2);
            NNRT__GEMM_S8_I8MM_LOAD_8(3);
            NNRT__GEMM_S8_I8MM_STEP_8(x);
        }
    }
    {
        const int32x4_t sums[4][4] = {
            {s00, s01, s02, s03}, {s10, s11, s12, s13}, {s20, s21, s22, s23}, {s30, s31, s32, s33}};
        nnrt__gemm_s8_i8mm_store_4(run, sums[0], sums[1], tile, c, channels);
        nnrt__gemm_s8_i8mm_store_4(run, sums[2], sums[3], tile, c + second * run->c_stride, channels);
    }
}

/* Two rows. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_2(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, const int32_t *added,
                                       const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int8x16_t w0;
    size_t piece, left;
    NNRT__GEMM_S8_I8MM_PAIR(0);
    if (added != NULL) {
        NNRT__GEMM_S8_I8MM_ADDED(0, added);
    }
    for (piece = run->pieces; piece > 0; piece--, a++) {
        row0 = a[0], other0 = a[run->pieces];
        for (left = run->steps / 2; left > 0; left--) {
            NNRT__GEMM_S8_I8MM_LOAD(0);
            NNRT__GEMM_S8_I8MM_STEP_2(x);
            NNRT__GEMM_S8_I8MM_STEP_2(y);
        }
        if (run->steps % 2 != 0) {
            NNRT__GEMM_S8_I8MM_LOAD_8(0);
            NNRT__GEMM_S8_I8MM_STEP_2(x);
        }
    }
    nnrt__gemm_s8_i8mm_store_2(run, s00, s01, s02, s03, tile, c, channels);
}

/* One row: every processor with products of matrices has the dot product, too (Armv8.4). A vector of weights holds 8
   steps of two channels, so that a sum is two lanes. */
#define NNRT__GEMM_S8_I8MM_ADD_1(s, w, step)                              \
    w0 = vld1q_s8(w + 64 * step), w1 = vld1q_s8(w + 64 * step + 16);      \
    NNRT__LOADED_HERE(w0, w1);                                            \
    w2 = vld1q_s8(w + 64 * step + 32), w3 = vld1q_s8(w + 64 * step + 48); \
    NNRT__LOADED_HERE(w2, w3);                                            \
    NNRT__SDOT(s##0, w0, x);                                              \
    NNRT__SDOT(s##1, w1, x);                                              \
    NNRT__SDOT(s##2, w2, x);                                              \
    NNRT__SDOT(s##3, w3, x)
#define NNRT__GEMM_S8_I8MM_LOAD_1                \
    x = nnrt__gemm_s8_i8mm_twice(row), row += 8; \
    NNRT__COUNTED_UP(row)
#define NNRT__GEMM_S8_I8MM_NEXT(w, steps) \
    w += 64 * steps;                      \
    NNRT__COUNTED_UP(w)

/* The lanes of one row's sums added up, the bias, and what is added to all. */
NNRT__INLINE int32x4_t nnrt__gemm_s8_i8mm_four(int32x4_t s0, int32x4_t s1, const int32_t *bias, int32_t added) {
    return vaddq_s32(nnrt__gemm_s8_armv8_plus(vld1q_s32(bias), added), vpaddq_s32(s0, s1));
}

/* Against two tiles. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_2_tiles(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list,
                                             int32_t added, const int32_t *tile, const int32_t *next, int8_t *c) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS), *v = (const int8_t *)(next + NNRT__TILE8_WEIGHTS);
    int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
    int8x16_t x, w0, w1, w2, w3;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row = list[piece];
        for (left = run->steps / 2; left > 0; left--) {
            NNRT__GEMM_S8_I8MM_LOAD_1;
            NNRT__GEMM_S8_I8MM_ADD_1(s, w, 0);
            NNRT__GEMM_S8_I8MM_ADD_1(t, v, 0);
            NNRT__GEMM_S8_I8MM_LOAD_1;
            NNRT__GEMM_S8_I8MM_ADD_1(s, w, 1);
            NNRT__GEMM_S8_I8MM_ADD_1(t, v, 1);
            NNRT__GEMM_S8_I8MM_NEXT(w, 2);
            NNRT__GEMM_S8_I8MM_NEXT(v, 2);
        }
        if (run->steps % 2 != 0) {
            NNRT__GEMM_S8_I8MM_LOAD_1;
            NNRT__GEMM_S8_I8MM_ADD_1(s, w, 0);
            NNRT__GEMM_S8_I8MM_ADD_1(t, v, 0);
            NNRT__GEMM_S8_I8MM_NEXT(w, 1);
            NNRT__GEMM_S8_I8MM_NEXT(v, 1);
        }
    }
    nnrt__gemm_s8_armv8_store_2_tiles(
        run, nnrt__gemm_s8_i8mm_four(s0, s1, tile, added), nnrt__gemm_s8_i8mm_four(s2, s3, tile + 4, added),
        nnrt__gemm_s8_i8mm_four(t0, t1, next, added), nnrt__gemm_s8_i8mm_four(t2, t3, next + 4, added), tile, next, c);
}

/* Against one. */
NNRT__INLINE void nnrt__gemm_s8_i8mm_1(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *list, int32_t added,
                                       const int32_t *tile, int8_t *c, size_t channels) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;
    int8x16_t x, w0, w1, w2, w3;
    size_t piece, left;
    for (piece = 0; piece < run->pieces; piece++) {
        const int8_t *row = list[piece];
        for (left = run->steps; left > 0; left--) {
            NNRT__GEMM_S8_I8MM_LOAD_1;
            NNRT__GEMM_S8_I8MM_ADD_1(s, w, 0);
            NNRT__GEMM_S8_I8MM_NEXT(w, 1);
        }
    }
    nnrt__gemm_s8_armv8_store_1(run, nnrt__gemm_s8_i8mm_four(s0, s1, tile, added),
                                nnrt__gemm_s8_i8mm_four(s2, s3, tile + 4, added), tile, c, channels);
}

NNRT__NOINLINE void nnrt__gemm_s8_i8mm_row(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a, int32_t added,
                                           const int32_t *tile, size_t tile_words, int8_t *c, size_t n) {
    for (; NNRT__FOR_SPEED && n >= 16; n -= 16, c += 16, tile += 2 * tile_words)
        nnrt__gemm_s8_i8mm_2_tiles(run, a, added, tile, tile + tile_words, c);
    for (; n > 0; tile += tile_words) {
        const size_t channels = n < 8 ? n : 8;
        nnrt__gemm_s8_i8mm_1(run, a, added, tile, c, channels);
        c += channels, n -= channels;
    }
}

NNRT__NOINLINE void nnrt__gemm_s8_i8mm_tile(const nnrt__gemm_s8_armv8_run *run, const int8_t *const *a,
                                            const int32_t *added, size_t rows, const int32_t *tile, int8_t *c,
                                            size_t channels) {
    while (rows > 0) {
        const size_t some = nnrt__gemm_s8_armv8_count(rows), count = some > 4 ? some : some > 1 ? 2 : 1;
        if (count > 4) nnrt__gemm_s8_i8mm_8(run, a, added, count - 4, tile, c, channels);
        else if (count == 2) nnrt__gemm_s8_i8mm_2(run, a, added, tile, c, channels);
        else nnrt__gemm_s8_i8mm_row(run, a, added != NULL ? added[0] : 0, tile, 0, c, channels < 8 ? channels : 8);
        if (added != NULL) added += count;
        a += count * run->pieces, c += count * run->c_stride, rows -= count;
    }
}

NNRT__FN void nnrt__gemm_s8_armv8_i8mm(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x8, scratch));
    (void)scratch;
    nnrt__gemm_s8_armv8_tiles(args, 8, nnrt__gemm_s8_i8mm_tile, nnrt__gemm_s8_i8mm_row);
}

NNRT__FN void nnrt__gemm_s8_armv8_i8mm_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_armv8_i8mm, &nnrt__packing_s8_8x8, "armv8-i8mm"};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
}

#endif /* NNRT_KERNELS_GEMM_S8_ARMV8_I8MM_H */
