/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_scalar.h - the meaning of gemm_s8; every other instruction set must match it byte for byte.

   pre   args as nnrt__gemm_s8_args says; w packed by nnrt__pack with this slot's packing.
   post  c[m][n] = clamp(requantize(bias[n] + added[m] + sum over k of a[m][k] * w[n][k]) + output_zero_point).
         The sum is exact modulo 2^32; |a * w| <= 2^14, so it is exact as it stands while |bias| + k * 2^14 <
         2^31. Bytes of c between n and c_stride are not written.

   nnrt__gemm_s8_any is that loop; what runs is the same in tiles of two rows and two channels. */
#ifndef NNRT_KERNELS_GEMM_S8_SCALAR_H
#define NNRT_KERNELS_GEMM_S8_SCALAR_H

#include "internal.h"
#include "packing.h"

/* All but scratch. */
NNRT__ASSERT_FN bool nnrt__gemm_s8_args_are_right(const nnrt__gemm_s8_args *args, const nnrt__packing *packing) {
    const size_t padded = nnrt__packed_depth(1, args->piece, packing->kr), depth = args->pieces * padded;
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 1), count = args->m * args->pieces;
    const size_t w_size = (args->n + packing->nr - 1) / packing->nr * nnrt__packing_tile_size(packing, depth);
    NNRT_ASSERT(args->m >= 1 && args->n >= 1 && args->pieces >= 1);
    NNRT_ASSERT(args->pieces == 1 || packing->pieces);
    NNRT_ASSERT(args->m == 1 || args->c_stride >= args->n);
    NNRT_ASSERT(nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(args->c != NULL && nnrt__is_aligned(args->w, 4));
    NNRT_ASSERT(nnrt__packing_is_shared(packing) ? nnrt__is_aligned(args->factor, 4) : args->factor == NULL);
    NNRT_ASSERT(nnrt__is_apart(args->w, w_size, args->c, c_size));
    NNRT_ASSERT(nnrt__are_apart(args->a, count, padded, 1, args->c, c_size));
    NNRT_ASSERT(args->added == NULL || nnrt__is_apart(args->added, (args->m + 3) / 4 * 16, args->c, c_size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__gemm_s8_is_right(const nnrt__gemm_s8_args *args, const nnrt__packing *packing,
                                            const void *scratch) {
    const size_t padded = nnrt__packed_depth(1, args->piece, packing->kr), depth = args->pieces * padded;
    const size_t c_size = nnrt__rows_size(args->m, args->n, args->c_stride, 1), count = args->m * args->pieces;
    const size_t kept = nnrt__packing_scratch(packing, args->m, depth);
    NNRT_ASSERT(nnrt__gemm_s8_args_are_right(args, packing));
    NNRT_ASSERT(kept == 0 || nnrt__is_aligned(scratch, 64));
    NNRT_ASSERT(kept == 0 || nnrt__are_apart(args->a, count, padded, 1, scratch, kept));
    NNRT_ASSERT(kept == 0 || nnrt__is_apart(args->c, c_size, scratch, kept));
    return true;
}

/* Multiplier and shift of the channel whose tile begins at `tile`, if tiles have their own. */
NNRT__INLINE const uint8_t *nnrt__gemm_s8_factor(const nnrt__gemm_s8_args *args, const uint8_t *tile) {
    return args->factor != NULL ? (const uint8_t *)args->factor : tile + 4;
}

/* Bytes in front of the weights of a tile of one channel. */
NNRT__INLINE size_t nnrt__gemm_s8_head(const nnrt__gemm_s8_args *args) { return args->factor != NULL ? 4 : 12; }

/* What is added to the sums of a row. */
NNRT__INLINE uint32_t nnrt__gemm_s8_added(const nnrt__gemm_s8_args *args, size_t row) {
    return args->added != NULL ? (uint32_t)args->added[row] : 0;
}

/* For any packing: the tests check every slot's layout with it. a_offset wraps into the sum like all else. */
NNRT__INLINE void nnrt__gemm_s8_any(const nnrt__gemm_s8_args *args, const nnrt__packing *packing) {
    const size_t nr = packing->nr, kr = packing->kr, group = nr * kr;
    const size_t tile_size =
        nnrt__packing_tile_size(packing, nnrt__packed_depth(args->pieces, args->piece, packing->kr));
    size_t row, channel, r, step;
    for (row = 0; row < args->m; row++) {
        const int8_t *const *a = args->a + row * args->pieces;
        int8_t *c = args->c + row * args->c_stride;
        for (channel = 0; channel < args->n; channel++) {
            const uint8_t *tile = (const uint8_t *)args->w + channel / nr * tile_size;
            const uint8_t *constants = tile + channel % nr * 4;
            const uint8_t *factor = args->factor != NULL ? (const uint8_t *)args->factor : constants + nr * 4;
            const size_t shift = args->factor != NULL ? 4 : nr * 4;
            const int8_t *w = (const int8_t *)(tile + nr * packing->head * 4 + 16u * packing->marks);
            uint32_t acc = (uint32_t)nnrt__kernel_word(constants) + nnrt__gemm_s8_added(args, row);
            for (r = 0; r < args->pieces; r++, w += (args->piece + kr - 1) / kr * group)
                for (step = 0; step < args->piece; step++)
                    acc += (uint32_t)((a[r][step] + packing->a_offset) *
                                      w[step / kr * group + nnrt__packed_place(packing, channel % nr, step % kr)]);
            c[channel] = nnrt__requantize_s8(acc, nnrt__kernel_word(factor), nnrt__kernel_word(factor + shift),
                                             args->output_zero_point, args->clamp_min, args->clamp_max);
        }
    }
}

/* Sums of two rows and two channels. A product of each loads four bytes for four products, and 32-bit processors keep
   all of it in registers. */
typedef struct nnrt__gemm_s8_sums {
    uint32_t a_w, a_x, b_w, b_x;
} nnrt__gemm_s8_sums;

/* One product of each. rows: 1 leaves out the second. */
NNRT__INLINE void nnrt__gemm_s8_add(nnrt__gemm_s8_sums *sums, int32_t a, int32_t b, int32_t w, int32_t x, int rows) {
    sums->a_w += (uint32_t)(a * w);
    sums->a_x += (uint32_t)(a * x);
    NNRT__SUMMED(sums->a_w);
    NNRT__SUMMED(sums->a_x);
    if (rows == 1) return;
    sums->b_w += (uint32_t)(b * w);
    sums->b_x += (uint32_t)(b * x);
    NNRT__SUMMED(sums->b_w);
    NNRT__SUMMED(sums->b_x);
}

/* Adds the products of a piece of `count` elements. Returns what follows the weights of the first channel. */
NNRT__APART_FOR_SIZE const int8_t *nnrt__gemm_s8_piece(nnrt__gemm_s8_sums *sums, const int8_t *a, const int8_t *b,
                                                       const int8_t *w, const int8_t *x, size_t count, int rows) {
    nnrt__gemm_s8_sums s = *sums; /* in registers: *sums might be what a and w point to */
    for (; NNRT__FOR_SPEED && count >= 4; count -= 4, a += 4, b += 4, w += 4, x += 4) {
        nnrt__gemm_s8_add(&s, a[0], b[0], w[0], x[0], rows);
        nnrt__gemm_s8_add(&s, a[1], b[1], w[1], x[1], rows);
        nnrt__gemm_s8_add(&s, a[2], b[2], w[2], x[2], rows);
        nnrt__gemm_s8_add(&s, a[3], b[3], w[3], x[3], rows);
    }
    for (; count != 0; count--) nnrt__gemm_s8_add(&s, *a++, *b++, *w++, *x++, rows);
    *sums = s;
    return w;
}

/* The results of a channel; the second is `below` bytes behind the first. */
NNRT__INLINE_FOR_SPEED void nnrt__gemm_s8_finish(const nnrt__gemm_s8_args *args, const uint8_t *factor, uint32_t a,
                                                 uint32_t b, int8_t *c, size_t below, int rows) {
    const int32_t multiplier = nnrt__kernel_word(factor), shift = nnrt__kernel_word(factor + 4);
    c[0] = nnrt__requantize_s8(a, multiplier, shift, args->output_zero_point, args->clamp_min, args->clamp_max);
    if (rows == 1) return;
    c[below] = nnrt__requantize_s8(b, multiplier, shift, args->output_zero_point, args->clamp_min, args->clamp_max);
}

/* `rows` rows (1 or 2) from `row` on times all channels, two at a time; an odd last one is computed twice. more: 0: the
   second row is the first again. shared: args->factor, or NULL where the caller knows that it is. */
NNRT__INLINE void nnrt__gemm_s8_rows(const nnrt__gemm_s8_args *args, size_t row, size_t more, int rows,
                                     const uint8_t *shared) {
    const size_t head = shared != NULL ? 4 : 12;
    const size_t tile_size = nnrt__tile_size(1, 0, 0, 1, 4, head + args->pieces * args->piece);
    const int8_t *const *a = args->a + row * args->pieces, *const *b = a + more * args->pieces;
    const uint8_t *tile = (const uint8_t *)args->w;
    int8_t *c = args->c + row * args->c_stride, *const end = c + args->n;
    const uint32_t a_added = nnrt__gemm_s8_added(args, row), b_added = nnrt__gemm_s8_added(args, row + more);
    for (; c < end; c += 2, tile += 2 * tile_size) {
        const size_t next = end - c > 1 ? tile_size : 0, below = more * args->c_stride;
        const int8_t *w = (const int8_t *)tile + head;
        nnrt__gemm_s8_sums sums;
        size_t r;
        sums.a_w = (uint32_t)nnrt__kernel_word(tile) + a_added;
        sums.a_x = (uint32_t)nnrt__kernel_word(tile + next) + a_added;
        sums.b_w = (uint32_t)nnrt__kernel_word(tile) + b_added;
        sums.b_x = (uint32_t)nnrt__kernel_word(tile + next) + b_added;
        for (r = 0; r < args->pieces; r++) w = nnrt__gemm_s8_piece(&sums, a[r], b[r], w, w + next, args->piece, rows);
        nnrt__gemm_s8_finish(args, shared != NULL ? shared : tile + 4, sums.a_w, sums.b_w, c, below, rows);
        if (next == 0) continue;
        nnrt__gemm_s8_finish(args, shared != NULL ? shared : tile + next + 4, sums.a_x, sums.b_x, c + 1, below, rows);
    }
}

NNRT__FN void nnrt__gemm_s8_scalar(const nnrt__gemm_s8_args *args, void *scratch) {
    const uint8_t *const shared = (const uint8_t *)args->factor;
    const size_t most = NNRT__FOR_SPEED && shared != NULL ? 1 : 2;
    size_t row, rows;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(
        args, args->factor != NULL ? &nnrt__packing_s8_1x1_shared : &nnrt__packing_s8_1x1, scratch));
    (void)scratch;
    for (row = 0; row < args->m; row += rows) {
        rows = args->m - row < most ? 1 : most;
        if (NNRT__FOR_SPEED && rows == 1) nnrt__gemm_s8_rows(args, row, 0, 1, shared);
        else nnrt__gemm_s8_rows(args, row, NNRT__FOR_SPEED ? 1 : rows - 1, 2, NNRT__FOR_SPEED ? NULL : shared);
    }
}

/* --------------------------------------------------------------------------------------------- sums of rows */

NNRT__ASSERT_FN bool nnrt__row_sums_is_right(const nnrt__row_sums_args *args) {
    const size_t size = (args->m + 3) / 4 * 16;
    NNRT_ASSERT(args->m >= 1 && args->pieces >= 1 && args->sums != NULL);
    NNRT_ASSERT(nnrt__are_apart(args->a, args->m * args->pieces, args->piece, 1, args->sums, size));
    return true;
}

/* `sum` of row m where it belongs. */
NNRT__INLINE void nnrt__row_sums_put(const nnrt__row_sums_args *args, size_t m, uint32_t sum) {
    args->sums[m] = (int32_t)((sum - (uint32_t)args->origin) * (uint32_t)args->factor);
}

NNRT__INLINE void nnrt__row_sums_end(const nnrt__row_sums_args *args) {
    size_t m;
    for (m = args->m; m % 4 != 0; m++) args->sums[m] = 0;
}

NNRT__FN void nnrt__row_sums_scalar(const nnrt__row_sums_args *args) {
    size_t m, r, i;
    NNRT_ASSERT(nnrt__row_sums_is_right(args));
    for (m = 0; m < args->m; m++) {
        uint32_t sum = 0;
        for (r = 0; r < args->pieces; r++) {
            const int8_t *const a = args->a[m * args->pieces + r];
            for (i = 0; i < args->piece; i++) {
                const int32_t value = a[i];
                sum += (uint32_t)value;
            }
        }
        nnrt__row_sums_put(args, m, sum);
    }
    nnrt__row_sums_end(args);
}

NNRT__FN void nnrt__gemm_s8_scalar_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_scalar, &nnrt__packing_s8_1x1, "scalar"};
    const nnrt__gemm_s8_flipped none = {NULL, NULL, NULL};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->gemm_s8[1].packing = &nnrt__packing_s8_1x1_shared;
    table->gemm_s8_flipped = none;
    table->row_sums = nnrt__row_sums_scalar;
}

#endif /* NNRT_KERNELS_GEMM_S8_SCALAR_H */
