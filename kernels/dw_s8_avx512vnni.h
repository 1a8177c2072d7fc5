/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_avx512vnni.h - dw_s8 for AVX-512 VNNI. Contract: dw_s8_scalar.h.

   16 channels a tile, four pixels at once. The 16 bytes of up to four taps lie in the quarters of a vector; vpermd and
   vpshufb turn them so that each channel has its taps side by side, and vpdpbusd adds four products of it. A plus 128
   (a ^ 0x80) is unsigned, and the bias takes the difference back (a_offset of the packing), as in gemm_s8_avx512vnni.h.

   A plane, 3x3, takes the taps of a column at a time, so that a column is made ready once for all pixels that see it.
   With stride 1 it has four rows and serves two rows of the output, six pixels. A pass of four pixels, 576 products, is
   121 instructions (GCC 12), 40 cycles by llvm-mca 14 for icelake-server. What a tile needs is made once for all rows,
   which with short rows is half of the time, and what lies outside of the input is never listed.
   Rows of other kernels take four rows by such columns where they move by one tap or two, and other taps by fours: 5x5
   takes 0.87 of the time that it takes by fours alone, 10 of which its 25 taps need; lists take taps by fours. */
#ifndef NNRT_KERNELS_DW_S8_AVX512VNNI_H
#define NNRT_KERNELS_DW_S8_AVX512VNNI_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx512vnni.h"

#define NNRT__DW_S8_AVX512VNNI_TILE 16
#define NNRT__DW_S8_AVX512VNNI_READY 16 /* vectors of weights that are made once: 64 taps, 8x8 by rows */

/* What does not change from pixel to pixel. */
typedef struct nnrt__dw_s8_avx512vnni_tile {
    __m512i bias;
    const int8_t *w;
    size_t channels; /* from the first of the tile on */
    __mmask16 mask;  /* those of the tile */
    nnrt__finish_x16_avx512vnni q;
    nnrt__output_s8_avx512vnni out;
} nnrt__dw_s8_avx512vnni_tile;

NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_open(nnrt__dw_s8_avx512vnni_tile *tile,
                                                                      const uint8_t *packed, size_t channels) {
    tile->bias = _mm512_loadu_si512(packed);
    tile->w = (const int8_t *)packed + 12 * NNRT__DW_S8_AVX512VNNI_TILE;
    tile->channels = channels;
    tile->mask = (__mmask16)(channels >= 16 ? 0xffffu : (1u << channels) - 1);
    nnrt__finish_prepare_avx512vnni(&tile->q, packed + 64, packed + 128, 16);
}

/* 16 bytes, those of the mask; full: it has all. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m128i nnrt__dw_s8_avx512vnni_load(const int8_t *from, __mmask16 mask,
                                                                         bool full) {
    return full ? _mm_loadu_si128((const __m128i *)(const void *)from) : _mm_maskz_loadu_epi8(mask, from);
}

/* Four bytes of each of 16 channels out of the quarters of x. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_turn(__m512i x) {
    const __m512i words = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
    const __m512i bytes = _mm512_set4_epi32(0x0f0b0703, 0x0e0a0602, 0x0d090501, 0x0c080400);
    return _mm512_shuffle_epi8(nnrt__order_avx512vnni(x, words), bytes);
}

/* Four taps. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_4(const int8_t *x0, const int8_t *x1,
                                                                      const int8_t *x2, const int8_t *x3,
                                                                      __mmask16 mask, bool full) {
    const __mmask16 ones = (__mmask16)0xffff;
    __m512i x = _mm512_maskz_broadcast_i32x4(ones, nnrt__dw_s8_avx512vnni_load(x0, mask, full));
    x = _mm512_mask_broadcast_i32x4(x, (__mmask16)0xf0, nnrt__dw_s8_avx512vnni_load(x1, mask, full));
    x = _mm512_mask_broadcast_i32x4(x, (__mmask16)0xf00, nnrt__dw_s8_avx512vnni_load(x2, mask, full));
    x = _mm512_mask_broadcast_i32x4(x, (__mmask16)0xf000, nnrt__dw_s8_avx512vnni_load(x3, mask, full));
    return nnrt__dw_s8_avx512vnni_turn(x);
}

/* Weights of the taps [t, t + count), at most four, and 0 for others. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_weights(const int8_t *w, size_t t, size_t count) {
    const __mmask64 mask = ~(__mmask64)0 >> (64 - 16 * count);
    return nnrt__dw_s8_avx512vnni_turn(_mm512_maskz_loadu_epi8(mask, w + t * NNRT__DW_S8_AVX512VNNI_TILE));
}

/* acc + four products of each channel. By assembly, as nnrt__gemm_s8_avx512vnni_add. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_add(__m512i acc, __m512i x, __m512i w) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(w));
    return acc;
}

NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_unsigned(__m512i x) {
    return _mm512_xor_si512(x, _mm512_set1_epi32((int32_t)0x80808080u));
}

/* Sums of four pixels to their bytes, as nnrt__output_avx512vnni has them. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_finish(__m512i x0, __m512i x1, __m512i x2,
                                                                           __m512i x3,
                                                                           const nnrt__dw_s8_avx512vnni_tile *tile) {
    if (tile->q.is_short) {
        x0 = nnrt__finish_short_avx512vnni(x0, &tile->q);
        x1 = nnrt__finish_short_avx512vnni(x1, &tile->q);
        x2 = nnrt__finish_short_avx512vnni(x2, &tile->q);
        x3 = nnrt__finish_short_avx512vnni(x3, &tile->q);
    } else {
        x0 = nnrt__finish_long_avx512vnni(x0, &tile->q);
        x1 = nnrt__finish_long_avx512vnni(x1, &tile->q);
        x2 = nnrt__finish_long_avx512vnni(x2, &tile->q);
        x3 = nnrt__finish_long_avx512vnni(x3, &tile->q);
    }
    return nnrt__output_avx512vnni(x0, x1, x2, x3, &tile->out);
}

/* ------------------------------------------------------------------------------------------- lists of taps */

/* acc and four taps of a list: t, and those in `at`. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_taps(__m512i acc, const int8_t *const *taps,
                                                                         size_t t, const size_t at[3], size_t first,
                                                                         __m512i w, __mmask16 mask, bool full) {
    const __m512i a = nnrt__dw_s8_avx512vnni_4(taps[t] + first, taps[at[0]] + first, taps[at[1]] + first,
                                               taps[at[2]] + first, mask, full);
    return nnrt__dw_s8_avx512vnni_add(acc, nnrt__dw_s8_avx512vnni_unsigned(a), w);
}

/* Four pixels at once; those past the last are the last again. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_list(const nnrt__dw_s8_args *args, size_t first,
                                                                      const nnrt__dw_s8_avx512vnni_tile *tile,
                                                                      bool full) {
    const size_t count = args->tap_count;
    const __mmask16 mask = tile->mask;
    __m512i ready[NNRT__DW_S8_AVX512VNNI_READY];
    size_t p, t;
    for (t = 0; t < count && t < 4 * NNRT__DW_S8_AVX512VNNI_READY; t += 4)
        ready[t / 4] = nnrt__dw_s8_avx512vnni_weights(tile->w, t, count - t < 4 ? count - t : 4);
    for (p = 0; p < args->pixels; p += 4) {
        const size_t left = args->pixels - p;
        const int8_t *const *taps0 = args->taps + p * count, *const *taps1 = taps0 + (left > 1 ? count : 0);
        const int8_t *const *taps2 = taps1 + (left > 2 ? count : 0), *const *taps3 = taps2 + (left > 3 ? count : 0);
        __m512i x0 = tile->bias, x1 = x0, x2 = x0, x3 = x0;
        for (t = 0; t < count; t += 4) {
            const size_t more = count - t < 4 ? count - t : 4;
            const size_t at[3] = {more > 1 ? t + 1 : t, more > 2 ? t + 2 : t, more > 3 ? t + 3 : t};
            const __m512i w =
                t < 4 * NNRT__DW_S8_AVX512VNNI_READY ? ready[t / 4] : nnrt__dw_s8_avx512vnni_weights(tile->w, t, more);
            x0 = nnrt__dw_s8_avx512vnni_taps(x0, taps0, t, at, first, w, mask, full);
            x1 = nnrt__dw_s8_avx512vnni_taps(x1, taps1, t, at, first, w, mask, full);
            x2 = nnrt__dw_s8_avx512vnni_taps(x2, taps2, t, at, first, w, mask, full);
            x3 = nnrt__dw_s8_avx512vnni_taps(x3, taps3, t, at, first, w, mask, full);
        }
        nnrt__store_4_rows_avx512vnni(args->out + p * args->out_stride + first, args->out_stride,
                                      nnrt__dw_s8_avx512vnni_finish(x0, x1, x2, x3, tile), left, tile->channels);
    }
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__dw_s8_avx512vnni(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_AVX512VNNI_TILE, 3, 0, 1, 64, args->tap_count);
    const uint8_t *packed = (const uint8_t *)args->w;
    nnrt__dw_s8_avx512vnni_tile tile;
    size_t c;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_16_offset));
    tile.out = nnrt__output_prepare_avx512vnni(args->output_zero_point, args->clamp_min, args->clamp_max);
    for (c = 0; c < args->channels; c += NNRT__DW_S8_AVX512VNNI_TILE, packed += tile_size) {
        nnrt__dw_s8_avx512vnni_open(&tile, packed, args->channels - c);
        if (NNRT__FOR_SPEED && tile.channels >= 16) nnrt__dw_s8_avx512vnni_list(args, c, &tile, true);
        else nnrt__dw_s8_avx512vnni_list(args, c, &tile, false);
    }
}

/* ---------------------------------------------------------------------------------------------------- rows */

/* acc and four taps from x on, t1, t2 and t3 elements apart from it. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_window(__m512i acc, const int8_t *x, size_t t1,
                                                                           size_t t2, size_t t3, __m512i w,
                                                                           __mmask16 mask, bool full) {
    const __m512i a = nnrt__dw_s8_avx512vnni_4(x, x + t1, x + t2, x + t3, mask, full);
    return nnrt__dw_s8_avx512vnni_add(acc, nnrt__dw_s8_avx512vnni_unsigned(a), w);
}

/* Four rows of `width` taps for the four sums of x, whose pixels are `apart` taps from one another: a column of the
   input is made ready once for all pixels that see it. w: of the columns of a window. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_columns(__m512i x[4], const int8_t *const rows[4],
                                                                         size_t at, size_t tap, size_t width,
                                                                         size_t apart, const __m512i *w, __mmask16 mask,
                                                                         bool full) {
    __m512i x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    size_t c;
    for (c = 0; c < width + 3 * apart; c++, at += tap) {
        const __m512i column = nnrt__dw_s8_avx512vnni_unsigned(
            nnrt__dw_s8_avx512vnni_4(rows[0] + at, rows[1] + at, rows[2] + at, rows[3] + at, mask, full));
        if (c < width) x0 = nnrt__dw_s8_avx512vnni_add(x0, column, w[c]);
        if (c - apart < width) x1 = nnrt__dw_s8_avx512vnni_add(x1, column, w[c - apart]);
        if (c - 2 * apart < width) x2 = nnrt__dw_s8_avx512vnni_add(x2, column, w[c - 2 * apart]);
        if (c - 3 * apart < width) x3 = nnrt__dw_s8_avx512vnni_add(x3, column, w[c - 3 * apart]);
    }
    x[0] = x0, x[1] = x1, x[2] = x2, x[3] = x3;
}

/* Rows of the kernel that are taken by columns, four at a time: where a column is in several windows. */
NNRT__INLINE size_t nnrt__dw_s8_avx512vnni_by_columns(const nnrt__dw_rows_s8_args *args) {
    const size_t rows = args->kernel_h / 4 * 4, tap = args->tap_step;
    if (!NNRT__FOR_SPEED || args->pixels < 4 || args->kernel_w < 3 ||
        rows / 4 * args->kernel_w > NNRT__DW_S8_AVX512VNNI_READY)
        return 0;
    return args->pixel_step == tap || args->pixel_step == 2 * tap ? rows : 0;
}

/* Any kernel, four pixels at once: rows by columns, as above, and the taps of others by fours. Where there are columns
   the last four pixels are done together, some of them again. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_any(const nnrt__dw_rows_s8_args *args, size_t first,
                                                                     const nnrt__dw_s8_avx512vnni_tile *tile,
                                                                     bool full) {
    const size_t width = args->kernel_w, tap = args->tap_step, step = args->pixel_step;
    const size_t most = NNRT__DW_S8_AVX512VNNI_READY, columns = nnrt__dw_s8_avx512vnni_by_columns(args);
    const size_t line = width * NNRT__DW_S8_AVX512VNNI_TILE;
    const __mmask16 mask = tile->mask;
    __m512i ready[NNRT__DW_S8_AVX512VNNI_READY], of_columns[NNRT__DW_S8_AVX512VNNI_READY];
    size_t p, i, j, n = 0;
    for (i = 0; i < columns; i += 4)
        for (j = 0; j < width; j++) {
            const int8_t *w = tile->w + i * line + j * NNRT__DW_S8_AVX512VNNI_TILE;
            of_columns[i / 4 * width + j] =
                nnrt__dw_s8_avx512vnni_4(w, w + line, w + 2 * line, w + 3 * line, (__mmask16)0xffff, true);
        }
    for (i = columns; i < args->kernel_h; i++)
        for (j = 0; j < width && n < most; j += 4, n++)
            ready[n] = nnrt__dw_s8_avx512vnni_weights(tile->w, i * width + j, width - j < 4 ? width - j : 4);
    for (p = 0; p < args->pixels; p += 4) {
        const size_t from = columns != 0 && args->pixels - p < 4 ? args->pixels - 4 : p;
        const size_t left = args->pixels - from, at = from * step + first;
        const size_t p1 = left > 1 ? step : 0, p2 = p1 + (left > 2 ? step : 0), p3 = p2 + (left > 3 ? step : 0);
        __m512i sums[4], x0, x1, x2, x3;
        sums[0] = sums[1] = sums[2] = sums[3] = tile->bias;
        for (i = 0; i < columns; i += 4)
            nnrt__dw_s8_avx512vnni_columns(sums, args->rows + i, at, tap, width, step / tap, of_columns + i / 4 * width,
                                           mask, full);
        x0 = sums[0], x1 = sums[1], x2 = sums[2], x3 = sums[3];
        for (n = 0; i < args->kernel_h; i++)
            for (j = 0; j < width; j += 4, n++) {
                const size_t more = width - j < 4 ? width - j : 4;
                const size_t t1 = more > 1 ? tap : 0, t2 = more > 2 ? 2 * tap : 0, t3 = more > 3 ? 3 * tap : 0;
                const __m512i w = n < most ? ready[n] : nnrt__dw_s8_avx512vnni_weights(tile->w, i * width + j, more);
                const int8_t *x = args->rows[i] + at + j * tap;
                x0 = nnrt__dw_s8_avx512vnni_window(x0, x, t1, t2, t3, w, mask, full);
                x1 = nnrt__dw_s8_avx512vnni_window(x1, x + p1, t1, t2, t3, w, mask, full);
                x2 = nnrt__dw_s8_avx512vnni_window(x2, x + p2, t1, t2, t3, w, mask, full);
                x3 = nnrt__dw_s8_avx512vnni_window(x3, x + p3, t1, t2, t3, w, mask, full);
            }
        nnrt__store_4_rows_avx512vnni(args->out + from * args->out_stride + first, args->out_stride,
                                      nnrt__dw_s8_avx512vnni_finish(x0, x1, x2, x3, tile), left, tile->channels);
    }
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__dw_rows_s8_avx512vnni(const nnrt__dw_rows_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_AVX512VNNI_TILE, 3, 0, 1, 64, args->kernel_h * args->kernel_w);
    const uint8_t *packed = (const uint8_t *)args->w;
    nnrt__dw_s8_avx512vnni_tile tile;
    size_t c;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_16_offset));
    tile.out = nnrt__output_prepare_avx512vnni(args->output_zero_point, args->clamp_min, args->clamp_max);
    for (c = 0; c < args->channels; c += NNRT__DW_S8_AVX512VNNI_TILE, packed += tile_size) {
        nnrt__dw_s8_avx512vnni_open(&tile, packed, args->channels - c);
        if (NNRT__FOR_SPEED && tile.channels >= 16) nnrt__dw_s8_avx512vnni_any(args, c, &tile, true);
        else nnrt__dw_s8_avx512vnni_any(args, c, &tile, false);
    }
}

/* -------------------------------------------------------------------------------------------------- planes */

/* Columns of the input from left to right: of each the rows that a window sees, one in each quarter. */
typedef struct nnrt__dw_s8_avx512vnni_walk {
    const int8_t *next;                           /* column x, or the first one, of the first row that there is */
    size_t row1, row2, row3, row0;                /* elements from `next` to the rows; of a row outside: 0 */
    __mmask16 inside0, inside1, inside2, inside3; /* the quarter of a row; outside: 0 */
    size_t x, width, step;                        /* x counts from below 0, which wraps */
    __mmask16 mask;
    __m512i fill;
} nnrt__dw_s8_avx512vnni_walk;

/* Begins at row y of the input. rows: of the quarters that count, 3 or 4. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE nnrt__dw_s8_avx512vnni_walk
nnrt__dw_s8_avx512vnni_begin(const nnrt__dw_plane_s8_args *args, int32_t y, size_t first, __mmask16 mask, int rows) {
    const size_t line = args->in_w * args->channels, height = args->in_h, left = (size_t)(int64_t)args->left;
    const size_t y0 = (size_t)(int64_t)y;
    nnrt__dw_s8_avx512vnni_walk walk;
    walk.next = args->in + first + (args->left > 0 && left < args->in_w ? left * args->channels : 0);
    walk.x = left;
    walk.step = args->channels;
    walk.mask = mask;
    walk.fill = _mm512_set1_epi8((int8_t)args->fill);
    walk.row0 = y0 < height ? y0 * line : 0;
    walk.row1 = y0 + 1 < height ? (y0 + 1) * line : 0;
    walk.row2 = y0 + 2 < height ? (y0 + 2) * line : 0;
    walk.row3 = rows == 4 && y0 + 3 < height ? (y0 + 3) * line : 0;
    walk.inside0 = (__mmask16)(y0 < height ? 0xf : 0);
    walk.inside1 = (__mmask16)(y0 + 1 < height ? 0xf0 : 0);
    walk.inside2 = (__mmask16)(y0 + 2 < height ? 0xf00 : 0);
    walk.inside3 = (__mmask16)(rows == 4 && y0 + 3 < height ? 0xf000 : 0);
    walk.width = (walk.inside0 | walk.inside1 | walk.inside2 | walk.inside3) != 0 ? args->in_w : 0;
    return walk;
}

/* The next column, ready for a product. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_next(nnrt__dw_s8_avx512vnni_walk *walk, int rows,
                                                                         bool full) {
    const int8_t *from = walk->next;
    const __mmask16 mask = walk->mask;
    __m512i x = walk->fill;
    if (walk->x++ < walk->width) {
        x = _mm512_mask_broadcast_i32x4(x, walk->inside0, nnrt__dw_s8_avx512vnni_load(from + walk->row0, mask, full));
        x = _mm512_mask_broadcast_i32x4(x, walk->inside1, nnrt__dw_s8_avx512vnni_load(from + walk->row1, mask, full));
        x = _mm512_mask_broadcast_i32x4(x, walk->inside2, nnrt__dw_s8_avx512vnni_load(from + walk->row2, mask, full));
        if (rows == 4)
            x = _mm512_mask_broadcast_i32x4(x, walk->inside3,
                                            nnrt__dw_s8_avx512vnni_load(from + walk->row3, mask, full));
        x = nnrt__dw_s8_avx512vnni_turn(x);
        walk->next += walk->step;
    }
    return nnrt__dw_s8_avx512vnni_unsigned(x);
}

/* acc and three columns. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_9(__m512i acc, __m512i x0, __m512i x1, __m512i x2,
                                                                      const __m512i w[3]) {
    acc = nnrt__dw_s8_avx512vnni_add(acc, x0, w[0]);
    acc = nnrt__dw_s8_avx512vnni_add(acc, x1, w[1]);
    return nnrt__dw_s8_avx512vnni_add(acc, x2, w[2]);
}

/* Column i of the weights: three rows and 0. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE __m512i nnrt__dw_s8_avx512vnni_filter(const int8_t *w, size_t i) {
    const int8_t *from = w + i * NNRT__DW_S8_AVX512VNNI_TILE;
    __m512i x = _mm512_maskz_broadcast_i32x4((__mmask16)0xf, nnrt__dw_s8_avx512vnni_load(from, 0, true));
    x = _mm512_mask_broadcast_i32x4(x, (__mmask16)0xf0, nnrt__dw_s8_avx512vnni_load(from + 48, 0, true));
    x = _mm512_mask_broadcast_i32x4(x, (__mmask16)0xf00, nnrt__dw_s8_avx512vnni_load(from + 96, 0, true));
    return nnrt__dw_s8_avx512vnni_turn(x);
}

/* Stride 1: two rows of the output from y on, by two pixels. A column of four rows is what both of them see, the second
   with the weights v, a byte further. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_line_1(const nnrt__dw_plane_s8_args *args, size_t y,
                                                                        size_t first, const __m512i w[3],
                                                                        const __m512i v[3],
                                                                        const nnrt__dw_s8_avx512vnni_tile *tile,
                                                                        bool full) {
    nnrt__dw_s8_avx512vnni_walk walk = nnrt__dw_s8_avx512vnni_begin(args, args->top + (int32_t)y, first, tile->mask, 4);
    const size_t step = args->channels, below = y + 1 < args->rows ? args->out_line : 0;
    const __m512i bias = tile->bias;
    __m512i a = nnrt__dw_s8_avx512vnni_next(&walk, 4, full), b = nnrt__dw_s8_avx512vnni_next(&walk, 4, full);
    int8_t *to = args->out + y * args->out_line + first;
    size_t p;
    for (p = 0; p < args->pixels; p += 2, to += 2 * step) {
        const __m512i c = nnrt__dw_s8_avx512vnni_next(&walk, 4, full);
        const __m512i d = nnrt__dw_s8_avx512vnni_next(&walk, 4, full);
        nnrt__store_2x2_avx512vnni(to, p + 1 < args->pixels ? step : 0, below,
                                   nnrt__dw_s8_avx512vnni_finish(nnrt__dw_s8_avx512vnni_9(bias, a, b, c, w),
                                                                 nnrt__dw_s8_avx512vnni_9(bias, b, c, d, w),
                                                                 nnrt__dw_s8_avx512vnni_9(bias, a, b, c, v),
                                                                 nnrt__dw_s8_avx512vnni_9(bias, b, c, d, v), tile),
                                   tile->channels);
        a = c;
        b = d;
    }
}

/* Stride 2: the row y of the output, by four pixels. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_line_2(const nnrt__dw_plane_s8_args *args, size_t y,
                                                                        size_t first, const __m512i w[3],
                                                                        const nnrt__dw_s8_avx512vnni_tile *tile,
                                                                        bool full) {
    nnrt__dw_s8_avx512vnni_walk walk =
        nnrt__dw_s8_avx512vnni_begin(args, args->top + 2 * (int32_t)y, first, tile->mask, 3);
    const __m512i bias = tile->bias;
    __m512i a = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
    int8_t *to = args->out + y * args->out_line + first;
    size_t p;
    for (p = 0; p < args->pixels; p += 4, to += 4 * args->channels) {
        __m512i b = nnrt__dw_s8_avx512vnni_next(&walk, 3, full), c = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        __m512i x0 = nnrt__dw_s8_avx512vnni_9(bias, a, b, c, w), x1, x2, x3;
        b = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        a = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        x1 = nnrt__dw_s8_avx512vnni_9(bias, c, b, a, w);
        b = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        c = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        x2 = nnrt__dw_s8_avx512vnni_9(bias, a, b, c, w);
        b = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        a = nnrt__dw_s8_avx512vnni_next(&walk, 3, full);
        x3 = nnrt__dw_s8_avx512vnni_9(bias, c, b, a, w);
        nnrt__store_4_rows_avx512vnni(to, args->channels, nnrt__dw_s8_avx512vnni_finish(x0, x1, x2, x3, tile),
                                      args->pixels - p, tile->channels);
    }
}

/* May 16 bytes be loaded for each pixel of the rows up to y, as if there were so many channels? Those of the pixel
   behind it do no harm, but behind the input nothing is read. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE bool nnrt__dw_s8_avx512vnni_is_inside(const nnrt__dw_plane_s8_args *args,
                                                                           int64_t y,
                                                                           const nnrt__dw_s8_avx512vnni_tile *tile) {
    const size_t behind = y < 0 ? args->in_h - 1 : (uint64_t)y < args->in_h ? args->in_h - 1 - (size_t)y : 0;
    return tile->channels >= 16 || behind * args->in_w * args->channels >= 16 - tile->channels;
}

/* All rows of a tile. */
NNRT__TARGET_AVX512VNNI NNRT__INLINE void nnrt__dw_s8_avx512vnni_plane(const nnrt__dw_plane_s8_args *args, size_t first,
                                                                       const nnrt__dw_s8_avx512vnni_tile *tile) {
    const int8_t *from = tile->w;
    __m512i w[3], v[3];
    size_t y;
    w[0] = nnrt__dw_s8_avx512vnni_filter(from, 0);
    w[1] = nnrt__dw_s8_avx512vnni_filter(from, 1);
    w[2] = nnrt__dw_s8_avx512vnni_filter(from, 2);
    v[0] = _mm512_maskz_slli_epi32((__mmask16)0xffff, w[0], 8);
    v[1] = _mm512_maskz_slli_epi32((__mmask16)0xffff, w[1], 8);
    v[2] = _mm512_maskz_slli_epi32((__mmask16)0xffff, w[2], 8);
    if (args->stride == 1)
        for (y = 0; y < args->rows; y += 2)
            if (NNRT__FOR_SPEED && nnrt__dw_s8_avx512vnni_is_inside(args, (int64_t)args->top + (int64_t)y + 3, tile))
                nnrt__dw_s8_avx512vnni_line_1(args, y, first, w, v, tile, true);
            else nnrt__dw_s8_avx512vnni_line_1(args, y, first, w, v, tile, false);
    else
        for (y = 0; y < args->rows; y++)
            if (NNRT__FOR_SPEED &&
                nnrt__dw_s8_avx512vnni_is_inside(args, (int64_t)args->top + 2 * (int64_t)y + 2, tile))
                nnrt__dw_s8_avx512vnni_line_2(args, y, first, w, tile, true);
            else nnrt__dw_s8_avx512vnni_line_2(args, y, first, w, tile, false);
}

NNRT__TARGET_AVX512VNNI NNRT__FN void nnrt__dw_plane_s8_avx512vnni(const nnrt__dw_plane_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(NNRT__DW_S8_AVX512VNNI_TILE, 3, 0, 1, 64, 9);
    const uint8_t *packed = (const uint8_t *)args->w;
    nnrt__dw_s8_avx512vnni_tile tile;
    size_t c;
    NNRT_ASSERT(nnrt__dw_plane_s8_is_right(args, &nnrt__packing_dw_s8_16_offset));
    tile.out = nnrt__output_prepare_avx512vnni(args->output_zero_point, args->clamp_min, args->clamp_max);
    for (c = 0; c < args->channels; c += NNRT__DW_S8_AVX512VNNI_TILE, packed += tile_size) {
        nnrt__dw_s8_avx512vnni_open(&tile, packed, args->channels - c);
        nnrt__dw_s8_avx512vnni_plane(args, c, &tile);
    }
}

NNRT__FN void nnrt__dw_s8_avx512vnni_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_avx512vnni, nnrt__dw_rows_s8_avx512vnni,
                                   NNRT__FOR_SPEED ? nnrt__dw_plane_s8_avx512vnni : NULL,
                                   &nnrt__packing_dw_s8_16_offset, "avx512vnni"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_AVX512VNNI_H */
