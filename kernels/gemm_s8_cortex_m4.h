/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_cortex_m4.h - gemm_s8 for the DSP extension of Cortex-M4, M7 and M33. Contract: gemm_s8_scalar.h.

   smlad adds two products of 16 bits; sxtb16 widens two of the four bytes of a word. Four rows of A are widened once
   for all channels, into scratch, side by side: for each four products first the even ones of the four rows, then the
   odd ones, so that ldm loads what the four smlad of half a word of weights take. 16 products are 13 instructions, and
   a word of weights is all that is loaded of them. A single row has nothing to share but itself, among three channels:
   12 products are 18 instructions, and A is read where it lies.

   The loops are assembly as compilers make no ldm of four loads: 13 registers, of which one is kept for the frame. */
#ifndef NNRT_KERNELS_GEMM_S8_CORTEX_M4_H
#define NNRT_KERNELS_GEMM_S8_CORTEX_M4_H

#include "cortex_m4.h"
#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"

#define NNRT__GEMM_S8_CORTEX_M4_ROWS 4u

/* A loop of `steps` >= 1, two at a time: an odd number begins in the middle. */
#define NNRT__CORTEX_M4_LOOP(step)                                \
    "tst %[steps], #1\n\tbne 2f\n"                                \
    "1:\n\t" step "2:\n\t" step "subs %[steps], %[steps], #2\n\t" \
    "bgt 1b"

/* Four products of a channel for each of four rows. */
#define NNRT__CORTEX_M4_FOUR_ROWS                                      \
    "ldr %[x], [%[w]], #4\n\t"                                         \
    "ldm %[a]!, {r4, r5, r6, r8}\n\t"                                  \
    "sxtb16 %[y], %[x]\n\t"                                            \
    "smlad %[s0], r4, %[y], %[s0]\n\tsmlad %[s1], r5, %[y], %[s1]\n\t" \
    "smlad %[s2], r6, %[y], %[s2]\n\tsmlad %[s3], r8, %[y], %[s3]\n\t" \
    "ldm %[a]!, {r4, r5, r6, r8}\n\t"                                  \
    "sxtb16 %[y], %[x], ror #8\n\t"                                    \
    "smlad %[s0], r4, %[y], %[s0]\n\tsmlad %[s1], r5, %[y], %[s1]\n\t" \
    "smlad %[s2], r6, %[y], %[s2]\n\tsmlad %[s3], r8, %[y], %[s3]\n\t"

/* Of one row, whose four bytes are in e and o, with the word of a channel. */
#define NNRT__CORTEX_M4_CHANNEL(load, sum)                                 \
    load "\n\tsxtb16 %[y], %[x]\n\tsmlad " sum ", %[e], %[y], " sum "\n\t" \
         "sxtb16 %[x], %[x], ror #8\n\tsmlad " sum ", %[o], %[x], " sum "\n\t"

/* Four products of one row for each of three channels, whose weights are `next` bytes apart. */
#define NNRT__CORTEX_M4_THREE_CHANNELS                                                                              \
    "ldr %[o], [%[a]], #4\n\tsxtb16 %[e], %[o]\n\tsxtb16 %[o], %[o], ror #8\n\t" NNRT__CORTEX_M4_CHANNEL(           \
        "ldr %[x], [%[w], %[next], lsl #1]", "%[s2]") NNRT__CORTEX_M4_CHANNEL("ldr %[x], [%[w], %[next]]", "%[s1]") \
        NNRT__CORTEX_M4_CHANNEL("ldr %[x], [%[w]], #4", "%[s0]")

/* sums[row] += the products of a channel. a: widened rows. depth: a multiple of 4. */
NNRT__INLINE void nnrt__gemm_s8_cortex_m4_rows(uint32_t sums[4], const uint32_t *a, const int8_t *w, size_t depth) {
    uint32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3], x, y;
    size_t steps = depth / 4;
    if (steps == 0) return;
    __asm__ volatile(NNRT__CORTEX_M4_LOOP(NNRT__CORTEX_M4_FOUR_ROWS)
                     : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [a] "+r"(a), [w] "+r"(w),
                       [steps] "+r"(steps), [x] "=&r"(x), [y] "=&r"(y)
                     :
                     : "r4", "r5", "r6", "r8", "cc", "memory");
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
}

/* sums[channel] += the products of a row of `steps` words. next: bytes from channel to channel, 0: the same one. */
NNRT__INLINE void nnrt__gemm_s8_cortex_m4_channels(uint32_t sums[3], const int8_t *a, const int8_t *w, size_t next,
                                                   size_t steps) {
    uint32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], x, y, e, o;
    if (steps == 0) return;
    __asm__ volatile(NNRT__CORTEX_M4_LOOP(NNRT__CORTEX_M4_THREE_CHANNELS)
                     : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [a] "+r"(a), [w] "+r"(w), [steps] "+r"(steps),
                       [x] "=&r"(x), [y] "=&r"(y), [e] "=&r"(e), [o] "=&r"(o)
                     : [next] "r"(next)
                     : "cc", "memory");
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
}

/* Rows [row, row + rows) of A, 2 <= rows <= 4, widened to `to`; what there is of further rows is that of the last. */
NNRT__FN void nnrt__gemm_s8_cortex_m4_widen(const nnrt__gemm_s8_args *args, size_t row, size_t rows, uint32_t *to) {
    size_t i, r, k;
    for (i = 0; i < NNRT__GEMM_S8_CORTEX_M4_ROWS; i++) {
        const int8_t *const *a = args->a + (row + (i < rows ? i : rows - 1)) * args->pieces;
        uint32_t *word = to + i;
        for (r = 0; r < args->pieces; r++)
            for (k = 0; k < args->piece; k += 4, word += 8) {
                const uint32_t x = nnrt__cortex_m4_load(a[r] + k);
                word[0] = nnrt__cortex_m4_even(x);
                word[4] = nnrt__cortex_m4_odd(x);
            }
    }
}

/* The result of a sum the long way. Not inline: a single row has no registers left for it. */
NNRT__NOINLINE int8_t nnrt__gemm_s8_cortex_m4_long(const nnrt__gemm_s8_args *args, uint32_t sum,
                                                   const uint8_t *factor) {
    return nnrt__requantize_s8(sum, nnrt__kernel_read_i32(factor), nnrt__kernel_read_i32(factor + 4),
                               args->output_zero_point, args->clamp_min, args->clamp_max);
}

/* The results of a channel for up to four rows, c_stride bytes apart. Whether the short way is right is asked once for
   all. */
NNRT__INLINE void nnrt__gemm_s8_cortex_m4_store(const nnrt__gemm_s8_args *args, const uint32_t *sums, size_t rows,
                                                const uint8_t *factor, const nnrt__cortex_m4_range *range, int8_t *c) {
    const int32_t multiplier = nnrt__kernel_read_i32(factor), shift = nnrt__kernel_read_i32(factor + 4);
    const uint32_t *const end = sums + rows;
    const size_t stride = args->c_stride;
    if (range->whole && nnrt__cortex_m4_is_usual(multiplier, shift))
        for (; sums < end; sums++, c += stride)
            *c = (int8_t)nnrt__cortex_m4_finish(*sums, multiplier, shift, range->offset);
    else
        for (; sums < end; sums++, c += stride)
            *c = nnrt__requantize_s8(*sums, multiplier, shift, range->zero_point, range->low, range->high);
}

/* That of one sum. */
NNRT__INLINE int8_t nnrt__gemm_s8_cortex_m4_one(const nnrt__gemm_s8_args *args, uint32_t sum, const uint8_t *factor,
                                                const nnrt__cortex_m4_range *range) {
    const int32_t multiplier = nnrt__kernel_read_i32(factor), shift = nnrt__kernel_read_i32(factor + 4);
    if (range->whole && nnrt__cortex_m4_is_usual(multiplier, shift))
        return (int8_t)nnrt__cortex_m4_finish(sum, multiplier, shift, range->offset);
    return nnrt__gemm_s8_cortex_m4_long(args, sum, factor);
}

/* Adds to sums[i] what row i adds. Not inline: GCC 12 has no registers left for the products then. */
NNRT__NOINLINE void nnrt__gemm_s8_cortex_m4_add(uint32_t *sums, const int32_t *added, size_t rows) {
    size_t i;
    for (i = 0; i < rows; i++) sums[i] += (uint32_t)added[i];
}

/* Up to four rows from `row` on, at least two, times all channels. */
NNRT__FN void nnrt__gemm_s8_cortex_m4_tile(const nnrt__gemm_s8_args *args, size_t row, size_t rows, uint32_t *scratch) {
    const size_t depth = nnrt__packed_depth(args->pieces, args->piece, 4);
    const size_t tile_size = nnrt__tile_size(1, 3, 0, 1, 4, depth);
    const uint8_t *tile = (const uint8_t *)args->w;
    const nnrt__cortex_m4_range range =
        nnrt__cortex_m4_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    int8_t *c = args->c + row * args->c_stride, *const end = c + args->n;
    nnrt__gemm_s8_cortex_m4_widen(args, row, rows, scratch);
    for (; c < end; c++, tile += tile_size) {
        uint32_t sums[NNRT__GEMM_S8_CORTEX_M4_ROWS];
        sums[0] = sums[1] = sums[2] = sums[3] = (uint32_t)nnrt__kernel_read_i32(tile);
        if (args->added != NULL) nnrt__gemm_s8_cortex_m4_add(sums, args->added + row, rows);
        nnrt__gemm_s8_cortex_m4_rows(sums, scratch, (const int8_t *)tile + 12, depth);
        nnrt__gemm_s8_cortex_m4_store(args, sums, rows, tile + 4, &range, c);
    }
}

/* One row times all channels. Of three or more the last three are always done together, some of them again. */
NNRT__NOINLINE void nnrt__gemm_s8_cortex_m4_row(const nnrt__gemm_s8_args *args, size_t row) {
    const size_t pieces = args->pieces, steps = (args->piece + 3) / 4, head = nnrt__gemm_s8_head(args);
    const size_t tile_size = nnrt__tile_size(1, 0, 0, 1, 4, head + pieces * steps * 4);
    const size_t count = args->n < 3 ? 1 : 3, next = args->n < 3 ? 0 : tile_size;
    const size_t factor_size = args->factor != NULL ? 0 : tile_size; /* from one to the next */
    const int8_t *const *const a = args->a + row * pieces;
    const nnrt__cortex_m4_range range =
        nnrt__cortex_m4_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint32_t added = nnrt__gemm_s8_added(args, row);
    const uint8_t *tile = (const uint8_t *)args->w, *factor = nnrt__gemm_s8_factor(args, tile);
    int8_t *c = args->c + row * args->c_stride, *const end = c + args->n;
    while (c < end) {
        const size_t left = (size_t)(end - c), again = left < count ? count - left : 0;
        const int8_t *w;
        uint32_t sums[3];
        size_t r;
        c -= again;
        tile -= again * tile_size;
        factor -= again * factor_size;
        w = (const int8_t *)tile + head;
        sums[0] = (uint32_t)nnrt__kernel_read_i32(tile) + added;
        sums[1] = (uint32_t)nnrt__kernel_read_i32(tile + next) + added;
        sums[2] = (uint32_t)nnrt__kernel_read_i32(tile + 2 * next) + added;
        for (r = 0; r < pieces; r++, w += steps * 4) nnrt__gemm_s8_cortex_m4_channels(sums, a[r], w, next, steps);
        for (r = 0; r < count; r++, factor += factor_size)
            *c++ = nnrt__gemm_s8_cortex_m4_one(args, sums[r], factor, &range);
        tile += count * tile_size;
    }
}

NNRT__FN void nnrt__gemm_s8_cortex_m4(const nnrt__gemm_s8_args *args, void *scratch) {
    size_t row, rows;
    const size_t most = args->factor != NULL ? 1 : NNRT__GEMM_S8_CORTEX_M4_ROWS;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(
        args, args->factor != NULL ? &nnrt__packing_s8_1x4_shared : &nnrt__packing_s8_1x4, scratch));
    for (row = 0; row < args->m; row += rows) {
        rows = args->m - row < most ? args->m - row : most;
        if (rows == 1) nnrt__gemm_s8_cortex_m4_row(args, row);
        else nnrt__gemm_s8_cortex_m4_tile(args, row, rows, (uint32_t *)scratch);
    }
}

NNRT__FN void nnrt__gemm_s8_cortex_m4_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_cortex_m4, &nnrt__packing_s8_1x4, nnrt__isa_name_CORTEX_M4};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->gemm_s8[1].packing = &nnrt__packing_s8_1x4_shared;
}

#undef NNRT__CORTEX_M4_LOOP
#undef NNRT__CORTEX_M4_FOUR_ROWS
#undef NNRT__CORTEX_M4_CHANNEL
#undef NNRT__CORTEX_M4_THREE_CHANNELS

#endif /* NNRT_KERNELS_GEMM_S8_CORTEX_M4_H */
