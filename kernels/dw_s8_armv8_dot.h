/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_armv8_dot.h - dw_s8 for AArch64 with the dot product: planes of 3x3 windows. Contract: dw_s8_scalar.h.
   Lists of taps and rows are the work of dw_s8_neon.h.

   Four rows of a column, 8 channels of each, are turned so that the bytes of a channel are neighbours: one sdot then
   multiplies a column of the window for four channels, and the row below sees the same bytes with its weights one
   further. At stride 1 a column of 8 channels is 4 loads, 4 turns and 12 sdot for two pixels, one below the other: 69
   instructions with the last step (GCC 12), 91 cycles of a Cortex-A55 by llvm-mca 14. By mla of eight, as dw_s8_neon.h
   has it, two pixels are 12 loads, 18 products and 20 sums: 81 and 93. Sides are columns like others, and no tap is
   listed. Sums are exact whatever the weights are. 2026-11-26. */
#ifndef NNRT_KERNELS_DW_S8_ARMV8_DOT_H
#define NNRT_KERNELS_DW_S8_ARMV8_DOT_H

#include "dot_armv8.h"
#include "dw_s8_neon.h"
#include "gemm_s8_armv8_tiles.h"
#include "internal.h"
#include "packing.h"

/* A column of the input: four bytes of each of 8 channels. */
typedef struct nnrt__dw_s8_dot_column {
    int8x16_t low, high;
} nnrt__dw_s8_dot_column;

/* Columns of four rows of the input from left to right. A row outside is `fill` without steps. */
typedef struct nnrt__dw_s8_dot_walk {
    const int8_t *row0, *row1, *row2, *row3;
    size_t step0, step1, step2, step3;
    size_t x, width; /* x counts from below 0, which wraps; width 0: all is outside */
    int8x16_t outside;
} nnrt__dw_s8_dot_walk;

/* The 8 channels from `first` on of the row y; `step` is 0 where it lies outside. */
NNRT__INLINE_FOR_SPEED const int8_t *nnrt__dw_s8_dot_row(const nnrt__dw_plane_s8_args *args, int64_t y, size_t first,
                                                         const int8_t *fill, size_t *step) {
    const size_t left = args->left > 0 && (size_t)args->left < args->in_w ? (size_t)args->left : 0;
    const bool inside = y >= 0 && (uint64_t)y < args->in_h;
    *step = inside ? args->channels : 0;
    return inside ? args->in + ((size_t)y * args->in_w + left) * args->channels + first : fill;
}

NNRT__INLINE nnrt__dw_s8_dot_walk nnrt__dw_s8_dot_begin(const nnrt__dw_plane_s8_args *args, int64_t y, size_t first,
                                                        const int8_t *fill) {
    nnrt__dw_s8_dot_walk walk;
    walk.row0 = nnrt__dw_s8_dot_row(args, y, first, fill, &walk.step0);
    walk.row1 = nnrt__dw_s8_dot_row(args, y + 1, first, fill, &walk.step1);
    walk.row2 = nnrt__dw_s8_dot_row(args, y + 2, first, fill, &walk.step2);
    walk.row3 = nnrt__dw_s8_dot_row(args, y + 3, first, fill, &walk.step3);
    walk.x = (size_t)(int64_t)args->left;
    walk.width = args->in_w;
    walk.outside = vdupq_n_s8((int8_t)args->fill);
    return walk;
}

/* Bytes of four rows to those of 8 channels. */
NNRT__INLINE nnrt__dw_s8_dot_column nnrt__dw_s8_dot_turn(int8x8_t x0, int8x8_t x1, int8x8_t x2, int8x8_t x3) {
    const int8x8_t zero = vdup_n_s8(0);
    const int8x16_t even = vzip1q_s8(vcombine_s8(x0, zero), vcombine_s8(x2, zero));
    const int8x16_t odd = vzip1q_s8(vcombine_s8(x1, zero), vcombine_s8(x3, zero));
    nnrt__dw_s8_dot_column column;
    column.low = vzip1q_s8(even, odd);
    column.high = vzip2q_s8(even, odd);
    return column;
}

/* The next column; rows: of those that count, 3 or 4. */
NNRT__INLINE_FOR_SPEED nnrt__dw_s8_dot_column nnrt__dw_s8_dot_next(nnrt__dw_s8_dot_walk *walk, int rows,
                                                                   size_t channels) {
    nnrt__dw_s8_dot_column column;
    column.low = column.high = walk->outside;
    if (walk->x++ < walk->width) {
        const int8x8_t x0 = nnrt__load_bytes_neon(walk->row0, channels);
        const int8x8_t x1 = nnrt__load_bytes_neon(walk->row1, channels);
        const int8x8_t x2 = nnrt__load_bytes_neon(walk->row2, channels);
        const int8x8_t x3 = rows == 4 ? nnrt__load_bytes_neon(walk->row3, channels) : x2;
        column = nnrt__dw_s8_dot_turn(x0, x1, x2, x3);
        walk->row0 += walk->step0, walk->row1 += walk->step1, walk->row2 += walk->step2, walk->row3 += walk->step3;
    }
    return column;
}

/* sum[0], sum[1] += a column's products. */
NNRT__INLINE void nnrt__dw_s8_dot_add(int32x4_t sum[2], nnrt__dw_s8_dot_column x, nnrt__dw_s8_dot_column w) {
    NNRT__SDOT(sum[0], x.low, w.low);
    NNRT__SDOT(sum[1], x.high, w.high);
}

/* Two pixels of three columns each; the second has the same weights, or those of the row below. One column after the
   other: a loop over them GCC leaves a loop, through the stack. */
NNRT__INLINE_FOR_SPEED void nnrt__dw_s8_dot_two(int32x4_t sum[4], const int32_t *tile,
                                                const nnrt__dw_s8_dot_column x[3], const nnrt__dw_s8_dot_column w[3],
                                                const nnrt__dw_s8_dot_column y[3], const nnrt__dw_s8_dot_column v[3]) {
    sum[0] = sum[2] = vld1q_s32(tile);
    sum[1] = sum[3] = vld1q_s32(tile + 4);
    nnrt__dw_s8_dot_add(sum, x[0], w[0]);
    nnrt__dw_s8_dot_add(sum + 2, y[0], v[0]);
    nnrt__dw_s8_dot_add(sum, x[1], w[1]);
    nnrt__dw_s8_dot_add(sum + 2, y[1], v[1]);
    nnrt__dw_s8_dot_add(sum, x[2], w[2]);
    nnrt__dw_s8_dot_add(sum + 2, y[2], v[2]);
}

/* Two pixels to their bytes, side by side. */
NNRT__INLINE_FOR_SPEED int8x16_t nnrt__dw_s8_dot_bytes(const int32x4_t sum[4], const int32_t *tile,
                                                       const nnrt__output_x16_neon *out) {
    if (tile[NNRT__TILE8_LEFT] == 0) {
        const int32x4_t m0 = vld1q_s32(tile + 8), m1 = vld1q_s32(tile + 12);
        const int32x4_t r0 = vld1q_s32(tile + 16), r1 = vld1q_s32(tile + 20);
        return nnrt__gemm_s8_armv8_narrow(nnrt__gemm_s8_neon_right(sum[0], sum[1], m0, m1, r0, r1),
                                          nnrt__gemm_s8_neon_right(sum[2], sum[3], m0, m1, r0, r1), out);
    }
    return vcombine_s8(nnrt__tile_bytes_neon(sum[0], sum[1], tile, out),
                       nnrt__tile_bytes_neon(sum[2], sum[3], tile, out));
}

/* Stride 1: two rows of the output from y on. w, v: the weights of a column for the upper and the lower. */
NNRT__INLINE void nnrt__dw_s8_dot_line_1(const nnrt__dw_plane_s8_args *args, size_t y, size_t first,
                                         const int32_t *tile, const nnrt__dw_s8_dot_column w[3],
                                         const nnrt__dw_s8_dot_column v[3], const nnrt__output_x16_neon *out,
                                         const int8_t *fill, size_t channels) {
    nnrt__dw_s8_dot_walk walk = nnrt__dw_s8_dot_begin(args, (int64_t)args->top + (int64_t)y, first, fill);
    const size_t step = args->channels, below = y + 1 < args->rows ? args->out_line : 0;
    int8_t *to = args->out + y * args->out_line + first;
    nnrt__dw_s8_dot_column x[3];
    size_t left;
    x[0] = nnrt__dw_s8_dot_next(&walk, 4, channels);
    x[1] = nnrt__dw_s8_dot_next(&walk, 4, channels);
    for (left = args->pixels; left > 0; left--, to += step) {
        int32x4_t sum[4];
        int8x16_t bytes;
        x[2] = nnrt__dw_s8_dot_next(&walk, 4, channels);
        nnrt__dw_s8_dot_two(sum, tile, x, w, x, v);
        bytes = nnrt__dw_s8_dot_bytes(sum, tile, out);
        nnrt__store_bytes_neon(to + below, vget_high_s8(bytes), channels); /* the upper last: below may be 0 */
        nnrt__store_bytes_neon(to, vget_low_s8(bytes), channels);
        x[0] = x[1];
        x[1] = x[2];
    }
}

/* Stride 2: the row y of the output, by two pixels. */
NNRT__INLINE void nnrt__dw_s8_dot_line_2(const nnrt__dw_plane_s8_args *args, size_t y, size_t first,
                                         const int32_t *tile, const nnrt__dw_s8_dot_column w[3],
                                         const nnrt__output_x16_neon *out, const int8_t *fill, size_t channels) {
    nnrt__dw_s8_dot_walk walk = nnrt__dw_s8_dot_begin(args, (int64_t)args->top + 2 * (int64_t)y, first, fill);
    int8_t *to = args->out + y * args->out_line + first;
    nnrt__dw_s8_dot_column x[5];
    size_t p;
    x[0] = nnrt__dw_s8_dot_next(&walk, 3, channels);
    for (p = 0; p < args->pixels; p += 2, to += 2 * args->channels) {
        int32x4_t sum[4];
        int8x16_t bytes;
        x[1] = nnrt__dw_s8_dot_next(&walk, 3, channels);
        x[2] = nnrt__dw_s8_dot_next(&walk, 3, channels);
        x[3] = nnrt__dw_s8_dot_next(&walk, 3, channels);
        x[4] = nnrt__dw_s8_dot_next(&walk, 3, channels);
        nnrt__dw_s8_dot_two(sum, tile, x, w, x + 2, w);
        bytes = nnrt__dw_s8_dot_bytes(sum, tile, out);
        nnrt__store_bytes_neon(to, vget_low_s8(bytes), channels);
        if (p + 1 < args->pixels) nnrt__store_bytes_neon(to + args->channels, vget_high_s8(bytes), channels);
        x[0] = x[4];
    }
}

/* The weights of a column, of three rows and 0, and of 0 and three rows. */
NNRT__INLINE void nnrt__dw_s8_dot_weights(const int8_t *from, nnrt__dw_s8_dot_column *w, nnrt__dw_s8_dot_column *v) {
    *w = nnrt__dw_s8_dot_turn(vld1_s8(from), vld1_s8(from + 24), vld1_s8(from + 48), vdup_n_s8(0));
    v->low = vreinterpretq_s8_s32(vshlq_n_s32(vreinterpretq_s32_s8(w->low), 8));
    v->high = vreinterpretq_s8_s32(vshlq_n_s32(vreinterpretq_s32_s8(w->high), 8));
}

/* All rows of a tile. */
NNRT__INLINE void nnrt__dw_s8_dot_tile(const nnrt__dw_plane_s8_args *args, size_t first, const int32_t *tile,
                                       const nnrt__output_x16_neon *out, const int8_t *fill, size_t channels) {
    const int8_t *from = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    nnrt__dw_s8_dot_column w[3], v[3];
    size_t y;
    nnrt__dw_s8_dot_weights(from, &w[0], &v[0]);
    nnrt__dw_s8_dot_weights(from + 8, &w[1], &v[1]);
    nnrt__dw_s8_dot_weights(from + 16, &w[2], &v[2]);
    if (args->stride == 1)
        for (y = 0; y < args->rows; y += 2) nnrt__dw_s8_dot_line_1(args, y, first, tile, w, v, out, fill, channels);
    else
        for (y = 0; y < args->rows; y++) nnrt__dw_s8_dot_line_2(args, y, first, tile, w, out, fill, channels);
}

NNRT__FN void nnrt__dw_plane_s8_armv8_dot(const nnrt__dw_plane_s8_args *args) {
    const size_t tile_words = nnrt__tile_size(8, 3, 1, 1, 64, 9) / 4;
    const nnrt__output_x16_neon out =
        nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    const int32_t *tile = (const int32_t *)args->w;
    int8_t fill[8];
    size_t first;
    NNRT_ASSERT(nnrt__dw_plane_s8_is_right(args, &nnrt__packing_dw_s8_8_marks));
    memset(fill, args->fill, sizeof fill);
    for (first = 0; first < args->channels; first += 8, tile += tile_words)
        if (NNRT__FOR_SPEED && args->channels - first >= 8) nnrt__dw_s8_dot_tile(args, first, tile, &out, fill, 8);
        else nnrt__dw_s8_dot_tile(args, first, tile, &out, fill, args->channels - first);
}

NNRT__FN void nnrt__dw_s8_armv8_dot_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_neon, nnrt__dw_rows_s8_neon,
                                   NNRT__FOR_SPEED ? nnrt__dw_plane_s8_armv8_dot : NULL, &nnrt__packing_dw_s8_8_marks,
                                   "armv8-dot"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_ARMV8_DOT_H */
