/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_avx512vnni.h - gemm_s8 for AVX-512 VNNI. Contract: gemm_s8_scalar.h.

   vpdpbusd adds four products of unsigned by signed bytes to a lane, exactly: A plus 128 (a ^ 0x80) is unsigned, and
   the bias takes the difference back (a_offset of the packing). A block of rows is made so in scratch, its pieces one
   after another, then every tile passes over it. 16 channels a tile and 12 rows at once; where there are few channels,
   8 and 8 rows in half of the bits.

   Rows that the caller has made so already (nnrt__gemm_s8_flipped) are read where they lie, 8 of them by one tile or
   two.

   12 rows: 12 sums, 1 vector of weights, 12 times one of A. A pass of 768 products is 31 instructions (GCC 12), 8.5
   cycles by llvm-mca 14 for icelake-server, which gives the loads 6.5 and vpdpbusd 6. Measured beside AVX2, same core:
   1x1 of 64 channels and more 0.1 to 0.19 of its time, 3x3 of 16 to 64 channels 0.13 to 0.18, 1x1 of 8 and first layers
   of 8 channels 0.35 to 0.7 (Xeon with AVX-512, shared, 2026-11-23). */
#ifndef NNRT_KERNELS_GEMM_S8_AVX512VNNI_H
#define NNRT_KERNELS_GEMM_S8_AVX512VNNI_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx512vnni.h"

#define NNRT__GEMM_S8_AVX512VNNI_KR 4
#define NNRT__GEMM_S8_AVX512VNNI_ROWS 24 /* of a block in scratch: scratch_rows of the packings */

/* Pieces of a row of A into scratch, one after another, plus 128. What a piece has behind its last 16, 32 or 64 bytes
   is written behind it, too: the next piece or row overwrites that. `piece` is a multiple of 4, and not 0. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_row16(uint8_t *to, const int8_t *const *a,
                                                                         size_t pieces, size_t piece) {
    const __m128i flip = _mm_set1_epi32((int32_t)0x80808080u);
    const __mmask16 mask = (__mmask16)((1u << piece) - 1);
    size_t r;
    for (r = 0; r < pieces; r++, to += piece)
        _mm_storeu_si128((__m128i *)(void *)to, _mm_xor_si128(_mm_maskz_loadu_epi8(mask, a[r]), flip));
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_row32(uint8_t *to, const int8_t *const *a,
                                                                         size_t pieces, size_t piece) {
    const __m256i flip = _mm256_set1_epi32((int32_t)0x80808080u);
    const __mmask32 mask = (__mmask32)(((uint64_t)1 << piece) - 1);
    size_t r;
    for (r = 0; r < pieces; r++, to += piece)
        _mm256_storeu_si256((__m256i *)(void *)to, _mm256_xor_si256(_mm256_maskz_loadu_epi8(mask, a[r]), flip));
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_row64(uint8_t *to, const int8_t *const *a,
                                                                         size_t pieces, size_t piece) {
    const __m512i flip = _mm512_set1_epi32((int32_t)0x80808080u);
    const size_t whole = (piece - 1) & ~(size_t)63;
    const __mmask64 mask = ~(__mmask64)0 >> (64 - (piece - whole));
    size_t r, i;
    for (r = 0; r < pieces; r++, to += piece) {
        const int8_t *from = a[r];
        for (i = 0; i < whole; i += 64)
            _mm512_storeu_si512(to + i, _mm512_xor_si512(_mm512_loadu_si512(from + i), flip));
        _mm512_storeu_si512(to + i, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, from + i), flip));
    }
}

/* `rows` rows, `stride` apart in scratch, and the last of them again up to a multiple of four, if there are several. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_fill(uint8_t *to, size_t stride,
                                                                        const int8_t *const *a, size_t rows,
                                                                        size_t pieces, size_t piece) {
    const size_t filled = rows == 1 ? 1 : (rows + 3) & ~(size_t)3;
    size_t i;
    for (i = 0; i < filled; to += stride, a += i + 1 < rows ? pieces : 0, i++) {
        if (piece <= 16) nnrt__gemm_s8_avx512vnni_row16(to, a, pieces, piece);
        else if (piece <= 32) nnrt__gemm_s8_avx512vnni_row32(to, a, pieces, piece);
        else nnrt__gemm_s8_avx512vnni_row64(to, a, pieces, piece);
    }
}

/* acc + four products of a row in each lane. Not by _mm512_dpbusd_epi32: GCC 12 keeps eight of twelve sums in two
   registers each and copies them to and fro, 16 of 47 instructions of a pass. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__gemm_s8_avx512vnni_add(__m512i acc, const uint8_t *a, __m512i w) {
    const __m512i x = _mm512_set1_epi32(nnrt__kernel_read_i32(a));
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(w));
    return acc;
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE __m256i nnrt__gemm_s8_avx512vnni_add8(__m256i acc, const uint8_t *a, __m256i w) {
    const __m256i x = _mm256_set1_epi32(nnrt__kernel_read_i32(a));
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(w));
    return acc;
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__gemm_s8_avx512vnni_finish(__m512i acc,
                                                                             const nnrt__finish_x16_avx512vnni *q,
                                                                             bool is_short) {
    return is_short ? nnrt__finish_short_avx512vnni(acc, q) : nnrt__finish_long_avx512vnni(acc, q);
}

/* Where a tile goes to. */
typedef struct nnrt__gemm_s8_avx512vnni_tile {
    const uint8_t *packed;
    size_t channels; /* from the first of the tile on */
    size_t stride;   /* of a row in scratch */
    size_t depth, c_stride;
    nnrt__finish_x16_avx512vnni q;
    nnrt__output_s8_avx512vnni out;
} nnrt__gemm_s8_avx512vnni_tile;

/* What is added to rows from `row` of a block on. */
NNRT__INLINE const int32_t *nnrt__gemm_s8_avx512vnni_from(const int32_t *added, size_t row) {
    return added != NULL ? added + row : NULL;
}

/* The first `rows` of four rows of 16 channels. added: NULL, or of these rows. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_store(int8_t *c, __m512i x0, __m512i x1, __m512i x2,
                                                                         __m512i x3, size_t rows, const int32_t *added,
                                                                         const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                         bool is_short) {
    __m512i bytes;
    if (added != NULL) {
        x0 = _mm512_add_epi32(x0, _mm512_set1_epi32(added[0]));
        x1 = _mm512_add_epi32(x1, _mm512_set1_epi32(added[1]));
        x2 = _mm512_add_epi32(x2, _mm512_set1_epi32(added[2]));
        x3 = _mm512_add_epi32(x3, _mm512_set1_epi32(added[3]));
    }
    bytes = nnrt__output_avx512vnni(nnrt__gemm_s8_avx512vnni_finish(x0, &t->q, is_short),
                                    nnrt__gemm_s8_avx512vnni_finish(x1, &t->q, is_short),
                                    nnrt__gemm_s8_avx512vnni_finish(x2, &t->q, is_short),
                                    nnrt__gemm_s8_avx512vnni_finish(x3, &t->q, is_short), &t->out);
    nnrt__store_4_rows_avx512vnni(c, t->c_stride, bytes, rows, t->channels);
}

/* 12 rows, of which the first `rows`, 5 or more, are there; the last four are the first again if they are not. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_12(const uint8_t *a, size_t rows, int8_t *c,
                                                                      const int32_t *added,
                                                                      const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                      bool is_short) {
    const size_t s = t->stride, s2 = 2 * s, s3 = 3 * s, depth = t->depth;
    const uint8_t *b = a + 4 * s, *d = rows > 8 ? b + 4 * s : a, *w = t->packed + 12 * 16;
    __m512i x0 = _mm512_loadu_si512(t->packed), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0;
    __m512i x6 = x0, x7 = x0, x8 = x0, x9 = x0, x10 = x0, x11 = x0;
    size_t i;
    for (i = 0; i < depth; i += 4, w += 64) {
        const __m512i v = _mm512_loadu_si512(w);
        x0 = nnrt__gemm_s8_avx512vnni_add(x0, a + i, v);
        x1 = nnrt__gemm_s8_avx512vnni_add(x1, a + i + s, v);
        x2 = nnrt__gemm_s8_avx512vnni_add(x2, a + i + s2, v);
        x3 = nnrt__gemm_s8_avx512vnni_add(x3, a + i + s3, v);
        x4 = nnrt__gemm_s8_avx512vnni_add(x4, b + i, v);
        x5 = nnrt__gemm_s8_avx512vnni_add(x5, b + i + s, v);
        x6 = nnrt__gemm_s8_avx512vnni_add(x6, b + i + s2, v);
        x7 = nnrt__gemm_s8_avx512vnni_add(x7, b + i + s3, v);
        x8 = nnrt__gemm_s8_avx512vnni_add(x8, d + i, v);
        x9 = nnrt__gemm_s8_avx512vnni_add(x9, d + i + s, v);
        x10 = nnrt__gemm_s8_avx512vnni_add(x10, d + i + s2, v);
        x11 = nnrt__gemm_s8_avx512vnni_add(x11, d + i + s3, v);
    }
    nnrt__gemm_s8_avx512vnni_store(c, x0, x1, x2, x3, 4, added, t, is_short);
    nnrt__gemm_s8_avx512vnni_store(c + 4 * t->c_stride, x4, x5, x6, x7, rows - 4,
                                   nnrt__gemm_s8_avx512vnni_from(added, 4), t, is_short);
    if (rows > 8)
        nnrt__gemm_s8_avx512vnni_store(c + 8 * t->c_stride, x8, x9, x10, x11, rows - 8,
                                       nnrt__gemm_s8_avx512vnni_from(added, 8), t, is_short);
}

/* 4 rows, of which the first `rows` are there. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_4(const uint8_t *a, size_t rows, int8_t *c,
                                                                     const int32_t *added,
                                                                     const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                     bool is_short) {
    const size_t s = t->stride;
    const uint8_t *w = t->packed + 12 * 16;
    __m512i x0 = _mm512_loadu_si512(t->packed), x1 = x0, x2 = x0, x3 = x0;
    size_t i;
    for (i = 0; i < t->depth; i += 4, w += 64) {
        const __m512i v = _mm512_loadu_si512(w);
        x0 = nnrt__gemm_s8_avx512vnni_add(x0, a + i, v);
        x1 = nnrt__gemm_s8_avx512vnni_add(x1, a + i + s, v);
        x2 = nnrt__gemm_s8_avx512vnni_add(x2, a + i + 2 * s, v);
        x3 = nnrt__gemm_s8_avx512vnni_add(x3, a + i + 3 * s, v);
    }
    nnrt__gemm_s8_avx512vnni_store(c, x0, x1, x2, x3, rows, added, t, is_short);
}

/* One row: four sums, as each waits for itself. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_1(const uint8_t *a, int8_t *c, const int32_t *added,
                                                                     const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                     bool is_short) {
    const uint8_t *w = t->packed + 12 * 16;
    __m512i x0 = _mm512_loadu_si512(t->packed), x1 = _mm512_setzero_si512(), x2 = x1, x3 = x1;
    size_t i;
    for (i = 0; i + 16 <= t->depth; i += 16, w += 256) {
        x0 = nnrt__gemm_s8_avx512vnni_add(x0, a + i, _mm512_loadu_si512(w));
        x1 = nnrt__gemm_s8_avx512vnni_add(x1, a + i + 4, _mm512_loadu_si512(w + 64));
        x2 = nnrt__gemm_s8_avx512vnni_add(x2, a + i + 8, _mm512_loadu_si512(w + 128));
        x3 = nnrt__gemm_s8_avx512vnni_add(x3, a + i + 12, _mm512_loadu_si512(w + 192));
    }
    for (; i < t->depth; i += 4, w += 64) x1 = nnrt__gemm_s8_avx512vnni_add(x1, a + i, _mm512_loadu_si512(w));
    x0 = _mm512_add_epi32(_mm512_add_epi32(x0, x1), _mm512_add_epi32(x2, x3));
    if (added != NULL) x0 = _mm512_add_epi32(x0, _mm512_set1_epi32(added[0]));
    nnrt__gemm_s8_avx512vnni_store(c, x0, x0, x0, x0, 1, NULL, t, is_short);
}

/* All rows of a block in scratch against a tile of 16 channels. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_rows(const uint8_t *a, size_t rows, int8_t *c,
                                                                        const int32_t *added,
                                                                        const nnrt__gemm_s8_avx512vnni_tile *t) {
    size_t i = 0;
    if (!t->q.is_short) {
        for (; i < rows; i++)
            nnrt__gemm_s8_avx512vnni_1(a + i * t->stride, c + i * t->c_stride, nnrt__gemm_s8_avx512vnni_from(added, i),
                                       t, false);
        return;
    }
    for (; rows - i > 4; i += rows - i < 12 ? rows - i : 12)
        nnrt__gemm_s8_avx512vnni_12(a + i * t->stride, rows - i, c + i * t->c_stride,
                                    nnrt__gemm_s8_avx512vnni_from(added, i), t, true);
    if (rows - i == 1)
        nnrt__gemm_s8_avx512vnni_1(a + i * t->stride, c + i * t->c_stride, nnrt__gemm_s8_avx512vnni_from(added, i), t,
                                   true);
    else if (i < rows)
        nnrt__gemm_s8_avx512vnni_4(a + i * t->stride, rows - i, c + i * t->c_stride,
                                   nnrt__gemm_s8_avx512vnni_from(added, i), t, true);
}

/* ------------------------------------------------------------------------------------- one tile, in place */

/* acc + four products of a row that lies where it was given. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__gemm_s8_avx512vnni_flip(__m512i acc, const int8_t *a, __m512i w) {
    const __m512i flip = _mm512_set1_epi32((int32_t)0x80808080u);
    const __m512i x = _mm512_xor_si512(_mm512_set1_epi32(nnrt__kernel_read_i32(a)), flip);
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(w));
    return acc;
}

/* All rows, by eights, against the only tile, whose shifts are all negative. They are read once, and flipping each word
   costs less than the copy: 0.81 of the time for 1x1 of 8 to 16 channels, 0.92 for 3x3 of 16 (Zen 4). With two tiles it
   costs more, 1.02 to 1.07. Rows past the last are the last again. Returns the row behind: up to four are left. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE size_t nnrt__gemm_s8_avx512vnni_in_place(const nnrt__gemm_s8_args *args,
                                                                              const int32_t *added, size_t piece,
                                                                              const nnrt__gemm_s8_avx512vnni_tile *t) {
    const size_t pieces = args->pieces, stride = args->c_stride;
    size_t m = 0, r, i;
    for (; args->m - m > 4; m += args->m - m < 8 ? args->m - m : 8) {
        const size_t rows = args->m - m;
        const int8_t *const *p0 = args->a + m * pieces, *const *p1 = p0 + pieces, *const *p2 = p1 + pieces;
        const int8_t *const *p3 = p2 + pieces, *const *p4 = p3 + pieces, *const *p5 = p4 + (rows > 5 ? pieces : 0);
        const int8_t *const *p6 = p5 + (rows > 6 ? pieces : 0), *const *p7 = p6 + (rows > 7 ? pieces : 0);
        const uint8_t *w = t->packed + 12 * 16;
        __m512i x0 = _mm512_loadu_si512(t->packed), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;
        int8_t *c = args->c + m * stride;
        for (r = 0; r < pieces; r++) {
            const int8_t *a0 = p0[r], *a1 = p1[r], *a2 = p2[r], *a3 = p3[r];
            const int8_t *a4 = p4[r], *a5 = p5[r], *a6 = p6[r], *a7 = p7[r];
            for (i = 0; i < piece; i += 4, w += 64) {
                const __m512i v = _mm512_loadu_si512(w);
                x0 = nnrt__gemm_s8_avx512vnni_flip(x0, a0 + i, v);
                x1 = nnrt__gemm_s8_avx512vnni_flip(x1, a1 + i, v);
                x2 = nnrt__gemm_s8_avx512vnni_flip(x2, a2 + i, v);
                x3 = nnrt__gemm_s8_avx512vnni_flip(x3, a3 + i, v);
                x4 = nnrt__gemm_s8_avx512vnni_flip(x4, a4 + i, v);
                x5 = nnrt__gemm_s8_avx512vnni_flip(x5, a5 + i, v);
                x6 = nnrt__gemm_s8_avx512vnni_flip(x6, a6 + i, v);
                x7 = nnrt__gemm_s8_avx512vnni_flip(x7, a7 + i, v);
            }
        }
        nnrt__gemm_s8_avx512vnni_store(c, x0, x1, x2, x3, 4, nnrt__gemm_s8_avx512vnni_from(added, m), t, true);
        nnrt__gemm_s8_avx512vnni_store(c + 4 * stride, x4, x5, x6, x7, rows - 4,
                                       nnrt__gemm_s8_avx512vnni_from(added, m + 4), t, true);
    }
    return m;
}

/* -------------------------------------------------------------------------------------------- flipped rows */

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__gemm_s8_avx512vnni_flip_row(uint8_t *to, const int8_t *from, size_t count) {
    const __m512i flip = _mm512_set1_epi32((int32_t)0x80808080u);
    __mmask64 mask;
    for (; count >= 64; count -= 64, to += 64, from += 64)
        _mm512_storeu_si512(to, _mm512_xor_si512(_mm512_loadu_si512(from), flip));
    if (count == 0) return;
    mask = ~(__mmask64)0 >> (64 - count);
    _mm512_mask_storeu_epi8(to, mask, _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, from), flip));
}

/* Sums of 8 rows by one or two tiles. */
typedef struct nnrt__gemm_s8_avx512vnni_sums {
    __m512i x[8], y[8];
} nnrt__gemm_s8_avx512vnni_sums;

/* Four products of each row, at a[row] + i; the weights of the second tile lie `next` bytes behind the first's. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_step(nnrt__gemm_s8_avx512vnni_sums *s,
                                                                        const uint8_t *const a[8], size_t i,
                                                                        const uint8_t *w, size_t next, bool two) {
    const __m512i v = _mm512_loadu_si512(w), v2 = two ? _mm512_loadu_si512(w + next) : v;
    s->x[0] = nnrt__gemm_s8_avx512vnni_add(s->x[0], a[0] + i, v);
    s->x[1] = nnrt__gemm_s8_avx512vnni_add(s->x[1], a[1] + i, v);
    s->x[2] = nnrt__gemm_s8_avx512vnni_add(s->x[2], a[2] + i, v);
    s->x[3] = nnrt__gemm_s8_avx512vnni_add(s->x[3], a[3] + i, v);
    s->x[4] = nnrt__gemm_s8_avx512vnni_add(s->x[4], a[4] + i, v);
    s->x[5] = nnrt__gemm_s8_avx512vnni_add(s->x[5], a[5] + i, v);
    s->x[6] = nnrt__gemm_s8_avx512vnni_add(s->x[6], a[6] + i, v);
    s->x[7] = nnrt__gemm_s8_avx512vnni_add(s->x[7], a[7] + i, v);
    if (!two) return;
    s->y[0] = nnrt__gemm_s8_avx512vnni_add(s->y[0], a[0] + i, v2);
    s->y[1] = nnrt__gemm_s8_avx512vnni_add(s->y[1], a[1] + i, v2);
    s->y[2] = nnrt__gemm_s8_avx512vnni_add(s->y[2], a[2] + i, v2);
    s->y[3] = nnrt__gemm_s8_avx512vnni_add(s->y[3], a[3] + i, v2);
    s->y[4] = nnrt__gemm_s8_avx512vnni_add(s->y[4], a[4] + i, v2);
    s->y[5] = nnrt__gemm_s8_avx512vnni_add(s->y[5], a[5] + i, v2);
    s->y[6] = nnrt__gemm_s8_avx512vnni_add(s->y[6], a[6] + i, v2);
    s->y[7] = nnrt__gemm_s8_avx512vnni_add(s->y[7], a[7] + i, v2);
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_store_8(int8_t *c, const __m512i x[8], size_t rows,

                                                                           const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                           bool is_short) {
    nnrt__gemm_s8_avx512vnni_store(c, x[0], x[1], x[2], x[3], rows, NULL, t, is_short);
    if (rows > 4)
        nnrt__gemm_s8_avx512vnni_store(c + 4 * t->c_stride, x[4], x[5], x[6], x[7], rows - 4, NULL, t, is_short);
}

/* 8 rows, of which the first `rows` are there, against a tile, and `two`: the next one as well, for which what is
   loaded of A serves, too. Cycles for each vpdpbusd, 3x3 of 16, 32 and 64 channels on Zen 4, which does one: 1.27,
   1.12, 1.06. Of the first 0.19 are the last step, whose 14 instructions for 16 results find no port that is free. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_flipped(const int8_t *const *from, size_t rows,
                                                                           size_t pieces, size_t piece, int8_t *c,
                                                                           const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                           bool two, bool is_short) {
    const int8_t *const *p1 = from + (rows > 1 ? pieces : 0), *const *p2 = p1 + (rows > 2 ? pieces : 0);
    const int8_t *const *p3 = p2 + (rows > 3 ? pieces : 0), *const *p4 = p3 + (rows > 4 ? pieces : 0);
    const int8_t *const *p5 = p4 + (rows > 5 ? pieces : 0), *const *p6 = p5 + (rows > 6 ? pieces : 0);
    const int8_t *const *p7 = p6 + (rows > 7 ? pieces : 0);
    const uint8_t *w = t->packed + 12 * 16;
    const size_t next = two ? (size_t)(t[1].packed - t->packed) : 0;
    nnrt__gemm_s8_avx512vnni_sums s;
    size_t r, i;
    s.x[0] = s.x[1] = s.x[2] = s.x[3] = s.x[4] = s.x[5] = s.x[6] = s.x[7] = _mm512_loadu_si512(t->packed);
    s.y[0] = s.y[1] = s.y[2] = s.y[3] = s.y[4] = s.y[5] = s.y[6] = s.y[7] = _mm512_loadu_si512(t->packed + next);
    for (r = 0; r < pieces; r++) {
        const uint8_t *a[8];
        a[0] = (const uint8_t *)from[r], a[1] = (const uint8_t *)p1[r], a[2] = (const uint8_t *)p2[r];
        a[3] = (const uint8_t *)p3[r], a[4] = (const uint8_t *)p4[r], a[5] = (const uint8_t *)p5[r];
        a[6] = (const uint8_t *)p6[r], a[7] = (const uint8_t *)p7[r];
        for (i = 0; i < piece; i += 4, w += 64) nnrt__gemm_s8_avx512vnni_step(&s, a, i, w, next, two);
    }
    nnrt__gemm_s8_avx512vnni_store_8(c, s.x, rows, t, is_short);
    if (two) nnrt__gemm_s8_avx512vnni_store_8(c + 16, s.y, rows, t + 1, is_short);
}

/* Every row of the args against one or two tiles, whose c is that of the first channel. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_flipped_rows(const nnrt__gemm_s8_args *args,
                                                                                size_t piece, int8_t *c,
                                                                                const nnrt__gemm_s8_avx512vnni_tile *t,
                                                                                bool two, bool is_short) {
    size_t m;
    for (m = 0; m < args->m; m += 8)
        nnrt__gemm_s8_avx512vnni_flipped(args->a + m * args->pieces, args->m - m < 8 ? args->m - m : 8, args->pieces,
                                         piece, c + m * args->c_stride, t, two, is_short);
}

/* The same for a tile of any shifts, which are rare. */
NNRT__TARGET_AVX512VNNI NNRT__NOINLINE void nnrt__gemm_s8_avx512vnni_flipped_any(
    const nnrt__gemm_s8_args *args, size_t piece, int8_t *c, const nnrt__gemm_s8_avx512vnni_tile *t) {
    nnrt__gemm_s8_avx512vnni_flipped_rows(args, piece, c, t, false, false);
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__gemm_s8_avx512vnni_run_flipped(const nnrt__gemm_s8_args *args) {
    const size_t piece = (args->piece + NNRT__GEMM_S8_AVX512VNNI_KR - 1) & ~(size_t)(NNRT__GEMM_S8_AVX512VNNI_KR - 1);
    const size_t depth = args->pieces * piece, tile_size = nnrt__tile_size(16, 3, 0, 1, 64, depth);
    nnrt__gemm_s8_avx512vnni_tile t[2];
    size_t n, tiles;
    NNRT_ASSERT(nnrt__gemm_s8_args_are_right(args, &nnrt__packing_s8_16x4_offset) && args->added == NULL);
    t[0].packed = (const uint8_t *)args->w;
    t[0].depth = depth;
    t[0].c_stride = args->c_stride;
    t[0].out = nnrt__output_prepare_avx512vnni(args->output_zero_point, args->clamp_min, args->clamp_max);
    t[1] = t[0];
    for (n = 0; n < args->n; n += 16 * tiles, t[0].packed += tiles * tile_size) {
        int8_t *c = args->c + n;
        tiles = args->n - n > 16 ? 2 : 1;
        t[0].channels = args->n - n;
        nnrt__finish_prepare_avx512vnni(&t[0].q, t[0].packed + 64, t[0].packed + 128, 16);
        if (tiles == 2) {
            t[1].packed = t[0].packed + tile_size;
            t[1].channels = args->n - n - 16;
            nnrt__finish_prepare_avx512vnni(&t[1].q, t[1].packed + 64, t[1].packed + 128, 16);
        }
        if (!t[0].q.is_short || (tiles == 2 && !t[1].q.is_short)) {
            tiles = 1;
            if (t[0].q.is_short) nnrt__gemm_s8_avx512vnni_flipped_rows(args, piece, c, t, false, true);
            else nnrt__gemm_s8_avx512vnni_flipped_any(args, piece, c, t);
        } else if (tiles == 2) {
            nnrt__gemm_s8_avx512vnni_flipped_rows(args, piece, c, t, true, true);
        } else {
            nnrt__gemm_s8_avx512vnni_flipped_rows(args, piece, c, t, false, true);
        }
    }
}

/* ------------------------------------------------------------------------------------------- few channels */

/* The first `rows` of 8 rows of 8 channels. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_store8(int8_t *c, const __m256i x[8], size_t rows,
                                                                          const nnrt__gemm_s8_avx512vnni_tile *t) {
    const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i y0 = nnrt__join_avx512vnni(x[0], x[1]);
    const __m512i y1 = nnrt__join_avx512vnni(x[2], x[3]);
    const __m512i y2 = nnrt__join_avx512vnni(x[4], x[5]);
    const __m512i y3 = nnrt__join_avx512vnni(x[6], x[7]);
    const __m512i bytes = nnrt__order_avx512vnni(
        nnrt__output_avx512vnni(nnrt__finish_avx512vnni(y0, &t->q), nnrt__finish_avx512vnni(y1, &t->q),
                                nnrt__finish_avx512vnni(y2, &t->q), nnrt__finish_avx512vnni(y3, &t->q), &t->out),
        order);
    __mmask16 mask = (__mmask16)(t->channels >= 8 ? 0xffu : (1u << t->channels) - 1);
    size_t i;
    if (rows >= 8 && t->channels == 8 && t->c_stride == 8) {
        _mm512_storeu_si512(c, bytes);
        return;
    }
    for (i = 0; i < 8 && i < rows; i++, c += t->c_stride) {
        const __m128i part = i < 2   ? nnrt__quarter_avx512vnni(bytes, 0)
                             : i < 4 ? nnrt__quarter_avx512vnni(bytes, 1)
                             : i < 6 ? nnrt__quarter_avx512vnni(bytes, 2)
                                     : nnrt__quarter_avx512vnni(bytes, 3);
        _mm_mask_storeu_epi8(c, mask, i % 2 == 0 ? part : _mm_unpackhi_epi64(part, part));
    }
}

/* 8 rows, of which the first `rows` are there; the last four are the first again if they are not. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_8(const uint8_t *a, size_t rows, int8_t *c,
                                                                     const int32_t *added,
                                                                     const nnrt__gemm_s8_avx512vnni_tile *t) {
    const size_t s = t->stride, s2 = 2 * s, s3 = 3 * s;
    const uint8_t *b = rows > 4 ? a + 4 * s : a, *w = t->packed + 12 * 8;
    const __m256i bias = _mm256_loadu_si256((const __m256i *)(const void *)t->packed);
    __m256i x[8];
    size_t i;
    x[0] = x[1] = x[2] = x[3] = x[4] = x[5] = x[6] = x[7] = bias;
    if (added != NULL) {
        x[0] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[0]));
        x[1] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[1]));
        x[2] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[2]));
        x[3] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[3]));
    }
    if (added != NULL && rows > 4) {
        x[4] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[4]));
        x[5] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[5]));
        x[6] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[6]));
        x[7] = _mm256_add_epi32(bias, _mm256_set1_epi32(added[7]));
    }
    for (i = 0; i < t->depth; i += 4, w += 32) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)w);
        x[0] = nnrt__gemm_s8_avx512vnni_add8(x[0], a + i, v);
        x[1] = nnrt__gemm_s8_avx512vnni_add8(x[1], a + i + s, v);
        x[2] = nnrt__gemm_s8_avx512vnni_add8(x[2], a + i + s2, v);
        x[3] = nnrt__gemm_s8_avx512vnni_add8(x[3], a + i + s3, v);
        x[4] = nnrt__gemm_s8_avx512vnni_add8(x[4], b + i, v);
        x[5] = nnrt__gemm_s8_avx512vnni_add8(x[5], b + i + s, v);
        x[6] = nnrt__gemm_s8_avx512vnni_add8(x[6], b + i + s2, v);
        x[7] = nnrt__gemm_s8_avx512vnni_add8(x[7], b + i + s3, v);
    }
    nnrt__gemm_s8_avx512vnni_store8(c, x, rows, t);
}

/* One row. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_1_of_8(const uint8_t *a, int8_t *c,
                                                                          const int32_t *added,
                                                                          const nnrt__gemm_s8_avx512vnni_tile *t) {
    const uint8_t *w = t->packed + 12 * 8;
    __m256i x[8];
    size_t i;
    x[0] = _mm256_loadu_si256((const __m256i *)(const void *)t->packed);
    x[1] = _mm256_set1_epi32(added != NULL ? added[0] : 0);
    for (i = 0; i + 8 <= t->depth; i += 8, w += 64) {
        x[0] = nnrt__gemm_s8_avx512vnni_add8(x[0], a + i, _mm256_loadu_si256((const __m256i *)(const void *)w));
        x[1] =
            nnrt__gemm_s8_avx512vnni_add8(x[1], a + i + 4, _mm256_loadu_si256((const __m256i *)(const void *)(w + 32)));
    }
    if (i < t->depth)
        x[0] = nnrt__gemm_s8_avx512vnni_add8(x[0], a + i, _mm256_loadu_si256((const __m256i *)(const void *)w));
    x[0] = _mm256_add_epi32(x[0], x[1]);
    x[1] = x[2] = x[3] = x[4] = x[5] = x[6] = x[7] = x[0];
    nnrt__gemm_s8_avx512vnni_store8(c, x, 1, t);
}

/* All rows of a block in scratch against a tile of 8 channels. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_rows8(const uint8_t *a, size_t rows, int8_t *c,
                                                                         const int32_t *added,
                                                                         const nnrt__gemm_s8_avx512vnni_tile *t) {
    size_t i = 0;
    for (; rows - i > 1; i += rows - i < 8 ? rows - i : 8)
        nnrt__gemm_s8_avx512vnni_8(a + i * t->stride, rows - i, c + i * t->c_stride,
                                   nnrt__gemm_s8_avx512vnni_from(added, i), t);
    if (i < rows)
        nnrt__gemm_s8_avx512vnni_1_of_8(a + i * t->stride, c + i * t->c_stride, nnrt__gemm_s8_avx512vnni_from(added, i),
                                        t);
}

/* ------------------------------------------------------------------------------------------ one short row */

#define NNRT__GEMM_S8_AVX512VNNI_SHORT 64 /* products: one sum is enough, and A is read where it lies */

/* The only row, a short one, against one tile of 16 channels after another, as long as the shifts of a tile are all
   negative: nothing is made beforehand. Returns the channel behind. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE size_t nnrt__gemm_s8_avx512vnni_short(const nnrt__gemm_s8_args *args, size_t piece,
                                                                           size_t tile_size) {
    const __m512i flip = _mm512_set1_epi32((int32_t)0x80808080u), zero = _mm512_setzero_si512();
    const __m256i zero_point = _mm256_set1_epi16((int16_t)args->output_zero_point);
    const __m128i low = _mm_set1_epi8((int8_t)args->clamp_min), high = _mm_set1_epi8((int8_t)args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t n, r, i;
    for (n = 0; n < args->n; n += 16, tile += tile_size) {
        const __m512i multiplier = _mm512_loadu_si512(tile + 64), shift = _mm512_loadu_si512(tile + 128);
        const uint8_t *w = tile + 12 * 16;
        __m512i acc = _mm512_loadu_si512(tile);
        __m256i words;
        if ((_mm512_cmplt_epi32_mask(shift, zero) | _mm512_cmpeq_epi32_mask(multiplier, zero)) != 0xffff) break;
        for (r = 0; r < args->pieces; r++) {
            const int8_t *a = args->a[r];
            for (i = 0; i < piece; i += 4, w += 64) {
                const __m512i x = _mm512_xor_si512(_mm512_set1_epi32(nnrt__kernel_read_i32(a + i)), flip);
                __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(_mm512_loadu_si512(w)));
            }
        }
        acc = nnrt__requantize_right_avx512vnni(acc, multiplier, shift);
        words = _mm256_adds_epi16(_mm512_maskz_cvtsepi32_epi16((__mmask16)0xffff, acc), zero_point);
        nnrt__store_up_to_16_avx512vnni(
            args->c + n, _mm_min_epi8(_mm_max_epi8(_mm256_maskz_cvtsepi16_epi8((__mmask16)0xffff, words), low), high),
            args->n - n);
    }
    return n;
}

/* --------------------------------------------------------------------------------------------- all of it */

/* added: args->added. Where it is not NULL a function of its own has it, but in -Os: a branch among twelve sums costs
   the others registers, 5 to 18 % of their time (GCC 12). */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__gemm_s8_avx512vnni_any(const nnrt__gemm_s8_args *args, void *scratch,
                                                                       int nr, const int32_t *added) {
    const size_t piece = (args->piece + NNRT__GEMM_S8_AVX512VNNI_KR - 1) & ~(size_t)(NNRT__GEMM_S8_AVX512VNNI_KR - 1);
    const size_t most = NNRT__GEMM_S8_AVX512VNNI_ROWS;
    nnrt__gemm_s8_avx512vnni_tile t;
    uint8_t *const block = (uint8_t *)scratch;
    size_t first = 0, n, tile_size;
    NNRT_ASSERT(nnrt__packing_s8_16x4_offset.scratch_rows == most && nnrt__packing_s8_8x4_offset.scratch_rows == most);
    t.depth = args->pieces * piece;
    t.stride = nnrt__packing_scratch_row(t.depth);
    t.c_stride = args->c_stride;
    t.out = nnrt__output_prepare_avx512vnni(args->output_zero_point, args->clamp_min, args->clamp_max);
    tile_size = nnrt__tile_size((uint32_t)nr, 3, 0, 1, 64, t.depth);
    if (NNRT__FOR_SPEED && nr == 16 && args->n <= 16 && args->m > 4) {
        t.packed = (const uint8_t *)args->w;
        t.channels = args->n;
        nnrt__finish_prepare_avx512vnni(&t.q, t.packed + 64, t.packed + 128, 16);
        if (t.q.is_short) first = nnrt__gemm_s8_avx512vnni_in_place(args, added, piece, &t);
    }
    for (; first < args->m; first += most) {
        const size_t rows = args->m - first < most ? args->m - first : most;
        t.packed = (const uint8_t *)args->w;
        nnrt__gemm_s8_avx512vnni_fill(block, t.stride, args->a + first * args->pieces, rows, args->pieces, piece);
        for (n = 0; n < args->n; n += (size_t)nr, t.packed += tile_size) {
            int8_t *c = args->c + first * args->c_stride + n;
            t.channels = args->n - n;
            nnrt__finish_prepare_avx512vnni(&t.q, t.packed + 4 * nr, t.packed + 8 * nr, nr);
            if (nr == 16)
                nnrt__gemm_s8_avx512vnni_rows(block, rows, c, nnrt__gemm_s8_avx512vnni_from(added, first), &t);
            else nnrt__gemm_s8_avx512vnni_rows8(block, rows, c, nnrt__gemm_s8_avx512vnni_from(added, first), &t);
        }
    }
}

NNRT__TARGET_AVX512VNNI NNRT__NOINLINE void nnrt__gemm_s8_avx512vnni_wide(const nnrt__gemm_s8_args *args,
                                                                          void *scratch) {
    nnrt__gemm_s8_avx512vnni_any(args, scratch, 16, NNRT__FOR_SPEED ? NULL : args->added);
}

NNRT__TARGET_AVX512VNNI NNRT__NOINLINE void nnrt__gemm_s8_avx512vnni_wide_added(const nnrt__gemm_s8_args *args,
                                                                                void *scratch) {
    nnrt__gemm_s8_avx512vnni_any(args, scratch, 16, args->added);
}

NNRT__TARGET_AVX512VNNI NNRT__NOINLINE void nnrt__gemm_s8_avx512vnni_narrow_added(const nnrt__gemm_s8_args *args,
                                                                                  void *scratch) {
    nnrt__gemm_s8_avx512vnni_any(args, scratch, 8, args->added);
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__gemm_s8_avx512vnni(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t piece = (args->piece + NNRT__GEMM_S8_AVX512VNNI_KR - 1) & ~(size_t)(NNRT__GEMM_S8_AVX512VNNI_KR - 1);
    const size_t depth = args->pieces * piece;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_16x4_offset, scratch));
    if (NNRT__FOR_SPEED && args->added != NULL) {
        nnrt__gemm_s8_avx512vnni_wide_added(args, scratch);
        return;
    }
    if (args->m == 1 && args->added == NULL && depth <= NNRT__GEMM_S8_AVX512VNNI_SHORT &&
        nnrt__gemm_s8_avx512vnni_short(args, piece, nnrt__tile_size(16, 3, 0, 1, 64, depth)) >= args->n)
        return;
    nnrt__gemm_s8_avx512vnni_wide(args, scratch); /* from the first channel on: tiles of other shifts are rare */
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__gemm_s8_avx512vnni_narrow(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x4_offset, scratch));
    if (NNRT__FOR_SPEED && args->added != NULL) nnrt__gemm_s8_avx512vnni_narrow_added(args, scratch);
    else nnrt__gemm_s8_avx512vnni_any(args, scratch, 8, NNRT__FOR_SPEED ? NULL : args->added);
}

NNRT__FN void nnrt__gemm_s8_avx512vnni_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot wide = {nnrt__gemm_s8_avx512vnni, &nnrt__packing_s8_16x4_offset, "avx512vnni"};
    const nnrt__gemm_s8_slot narrow = {nnrt__gemm_s8_avx512vnni_narrow, &nnrt__packing_s8_8x4_offset, "avx512vnni"};
    const nnrt__gemm_s8_flipped flipped = {&nnrt__packing_s8_16x4_offset, nnrt__gemm_s8_avx512vnni_run_flipped,
                                           nnrt__gemm_s8_avx512vnni_flip_row};
    table->gemm_s8[0] = wide;
    table->gemm_s8[1] = narrow;
    if (NNRT__HAVE_FLIPPED) table->gemm_s8_flipped = flipped;
}

#endif /* NNRT_KERNELS_GEMM_S8_AVX512VNNI_H */
