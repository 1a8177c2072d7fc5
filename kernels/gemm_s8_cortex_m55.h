/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_cortex_m55.h - gemm_s8 for Helium (Cortex-M55, M85). Contract: gemm_s8_scalar.h.

   vmladava adds the 16 products of two vectors to a register. A vector of weights is loaded for four rows of A, which
   are read where they lie; of a single row it is loaded for four channels. 64 products are ten instructions. The four
   sums of a channel are rounded in one vector and stored to their rows at once.

   The loops are assembly for the addresses that go on behind each load, which GCC 12 does not make of intrinsics, and
   of four rows it is all pieces of a channel, as GCC keeps what stands around a loop of twelve registers in memory. */
#ifndef NNRT_KERNELS_GEMM_S8_CORTEX_M55_H
#define NNRT_KERNELS_GEMM_S8_CORTEX_M55_H

#include "cortex_m4.h"
#include "cortex_m55.h"
#include "dot_cortex_m55.h"
#include "gemm_s8_cortex_m4.h"
#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"

#define NNRT__GEMM_S8_CORTEX_M55_ROWS 4u
#define NNRT__GEMM_S8_CORTEX_M55_PIECES 12u /* most of four rows at once: their addresses are on the stack */

/* Addresses of a piece of four rows, and its vectors: at least 1. */
typedef struct nnrt__gemm_s8_cortex_m55_four {
    const int8_t *row[4];
    size_t vectors;
} nnrt__gemm_s8_cortex_m55_four;

/* The sums of a channel whose tile begins at *tile, for the pieces from `piece` to `end`, of which there is one at
   least. *tile becomes what follows. */
NNRT__INLINE nnrt__gemm_s8_cortex_m55_sums nnrt__gemm_s8_cortex_m55_channel(const nnrt__gemm_s8_cortex_m55_four *piece,
                                                                            const nnrt__gemm_s8_cortex_m55_four *end,
                                                                            const uint8_t **tile) {
    nnrt__gemm_s8_cortex_m55_sums sums;
    const uint8_t *w = *tile;
    __asm__ volatile("ldr %[s0], [%[w]], #12\n\tmov %[s1], %[s0]\n\tmov %[s2], %[s0]\n\tmov %[s3], %[s0]\n"
                     "1:\n\t"
                     "ldm %[piece]!, {r1, r3, r5, r6, lr}\n\tdls lr, lr\n"
                     "2:\n\t"
                     "vldrb.8 q0, [%[w]], #16\n\t" NNRT__CORTEX_M55_STREAM("r1", "%[s0]")
                         NNRT__CORTEX_M55_STREAM("r3", "%[s1]") NNRT__CORTEX_M55_STREAM("r5", "%[s2]")
                             NNRT__CORTEX_M55_STREAM("r6", "%[s3]") "le lr, 2b\n\t"
                                                                    "cmp %[piece], %[end]\n\tbne 1b"
                     : [s0] "=&Te"(sums.a), [s1] "=&Te"(sums.b), [s2] "=&Te"(sums.c), [s3] "=&Te"(sums.d),
                       [piece] "+&r"(piece), [w] "+&r"(w)
                     : [end] "r"(end)
                     : "r1", "r3", "r5", "r6", "lr", "q0", "q1", "cc", "memory");
    *tile = w;
    return sums;
}

#undef NNRT__CORTEX_M55_STREAM

/* Results of up to four sums the long way; the next one's factor and place are so many bytes further. */
NNRT__NOINLINE void nnrt__gemm_s8_cortex_m55_store(const nnrt__gemm_s8_args *args, const uint8_t *factor,
                                                   int32x4_t sums, size_t count, int8_t *out, size_t next_factor,
                                                   size_t next) {
    uint32_t four[4];
    size_t i;
    __arm_vstrwq_u32(four, __arm_vreinterpretq_u32_s32(sums));
    for (i = 0; i < count; i++)
        out[i * next] = nnrt__requantize_s8(four[i], nnrt__kernel_read_i32(factor + i * next_factor),
                                            nnrt__kernel_read_i32(factor + i * next_factor + 4),
                                            args->output_zero_point, args->clamp_min, args->clamp_max);
}

/* Up to four rows from `row` on, at least two, times all channels: what there is of further rows is the last. */
NNRT__FN void nnrt__gemm_s8_cortex_m55_tile(const nnrt__gemm_s8_args *args, size_t row, size_t rows) {
    const size_t pieces = args->pieces;
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint32x4_t places = __arm_vmulq_n_u32(__arm_vidupq_n_u32(0, 1), (uint32_t)args->c_stride);
    const mve_pred16_t are_rows = __arm_vctp32q((uint32_t)rows);
    const int32x4_t added =
        args->added != NULL ? __arm_vldrwq_z_s32(args->added + row, are_rows) : __arm_vdupq_n_s32(0);
    const int8_t *const *a = args->a + row * pieces;
    const uint8_t *tile = (const uint8_t *)args->w;
    int8_t *out = args->c + row * args->c_stride, *const end = out + args->n;
    nnrt__gemm_s8_cortex_m55_four four[NNRT__GEMM_S8_CORTEX_M55_PIECES];
    size_t r, i;
    for (r = 0; r < pieces; r++) {
        for (i = 0; i < NNRT__GEMM_S8_CORTEX_M55_ROWS; i++) four[r].row[i] = a[(i < rows ? i : rows - 1) * pieces + r];
        four[r].vectors = (args->piece + 15) / 16;
    }
    for (; out < end; out++) {
        const uint8_t *const head = tile;
        const nnrt__gemm_s8_cortex_m55_sums sums = nnrt__gemm_s8_cortex_m55_channel(four, four + pieces, &tile);
        const int32_t shift = nnrt__kernel_read_i32(head + 8);
        int32x4_t x = nnrt__gemm_s8_cortex_m55_vector(&sums);
        x = __arm_vaddq_s32(x, added);
        if (!nnrt__cortex_m55_is_usual(shift)) {
            nnrt__gemm_s8_cortex_m55_store(args, head + 4, x, rows, out, 0, args->c_stride);
            continue;
        }
        x = nnrt__cortex_m55_down(__arm_vqrdmulhq_n_s32(x, nnrt__kernel_read_i32(head + 4)));
        x = nnrt__cortex_m55_clamp(__arm_vrshlq_n_s32(x, shift), &range);
        __arm_vstrbq_scatter_offset_p_s32(out, places, x, are_rows);
    }
}

/* One row times all channels. Of four or more the last four are always done together, some of them again; of less, one
   of them four times. */
NNRT__NOINLINE void nnrt__gemm_s8_cortex_m55_row(const nnrt__gemm_s8_args *args, size_t row) {
    const size_t vectors = (args->piece + 15) / 16, pieces = vectors != 0 ? args->pieces : 0;
    const size_t head = nnrt__gemm_s8_head(args);
    const size_t tile_size = nnrt__tile_size(1, 0, 0, 1, 4, head + pieces * vectors * 16);
    const size_t count = args->n < 4 ? 1 : 4, next = args->n < 4 ? 0 : tile_size;
    const size_t factor_size = args->factor != NULL ? 0 : tile_size; /* from one to the next */
    const int8_t *const *const a = args->a + row * args->pieces;
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint32x4_t places = __arm_vmulq_n_u32(__arm_vidupq_n_u32(0, 1), (uint32_t)factor_size);
    const mve_pred16_t are_channels = __arm_vctp32q((uint32_t)count);
    const uint32_t added = nnrt__gemm_s8_added(args, row);
    const uint8_t *tile = (const uint8_t *)args->w, *factor = nnrt__gemm_s8_factor(args, tile);
    int8_t *out = args->c + row * args->c_stride, *const end = out + args->n;
    for (; out < end; out += count, tile += count * tile_size, factor += count * factor_size) {
        const size_t left = (size_t)(end - out), again = left < count ? count - left : 0;
        nnrt__gemm_s8_cortex_m55_sums sums;
        int32x4_t x, multiplier, shift;
        const int8_t *w;
        size_t r;
        out -= again;
        tile -= again * tile_size;
        factor -= again * factor_size;
        w = (const int8_t *)tile + head;
        sums.a = (uint32_t)nnrt__kernel_read_i32(tile) + added;
        sums.b = (uint32_t)nnrt__kernel_read_i32(tile + next) + added;
        sums.c = (uint32_t)nnrt__kernel_read_i32(tile + 2 * next) + added;
        sums.d = (uint32_t)nnrt__kernel_read_i32(tile + 3 * next) + added;
        for (r = 0; r < pieces; r++, w += vectors * 16)
            (void)nnrt__gemm_s8_cortex_m55_dot(&sums, a[r], w, w + next, w + 2 * next, w + 3 * next, vectors);
        x = nnrt__gemm_s8_cortex_m55_vector(&sums);
        multiplier = __arm_vldrwq_gather_offset_z_s32((const int32_t *)(const void *)factor, places, are_channels);
        shift = __arm_vldrwq_gather_offset_z_s32((const int32_t *)(const void *)(factor + 4), places, are_channels);
        if (__arm_vcmphiq_m_n_u32(__arm_vreinterpretq_u32_s32(__arm_vaddq_n_s32(shift, 31)), 30, are_channels) != 0) {
            nnrt__gemm_s8_cortex_m55_store(args, factor, x, count, out, factor_size, 1);
            continue;
        }
        x = nnrt__cortex_m55_down(__arm_vqrdmulhq_s32(x, multiplier));
        x = nnrt__cortex_m55_clamp(__arm_vrshlq_s32(x, shift), &range);
        __arm_vstrbq_p_s32(out, x, are_channels);
    }
}

NNRT__FN void nnrt__gemm_s8_cortex_m55(const nnrt__gemm_s8_args *args, void *scratch) {
    const bool fits = args->pieces <= NNRT__GEMM_S8_CORTEX_M55_PIECES && args->piece != 0 && args->factor == NULL;
    const size_t most = fits ? NNRT__GEMM_S8_CORTEX_M55_ROWS : 1;
    size_t row, rows;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(
        args, args->factor != NULL ? &nnrt__packing_s8_1x16_shared : &nnrt__packing_s8_1x16, scratch));
    (void)scratch;
    for (row = 0; row < args->m; row += rows) {
        rows = args->m - row < most ? args->m - row : most;
        if (rows == 1) nnrt__gemm_s8_cortex_m55_row(args, row);
        else nnrt__gemm_s8_cortex_m55_tile(args, row, rows);
    }
}

NNRT__FN void nnrt__gemm_s8_cortex_m55_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot slot = {nnrt__gemm_s8_cortex_m55, &nnrt__packing_s8_1x16, nnrt__isa_name_CORTEX_M55};
    table->gemm_s8[0] = table->gemm_s8[1] = slot;
    table->gemm_s8[1].packing = &nnrt__packing_s8_1x16_shared;
}

#endif /* NNRT_KERNELS_GEMM_S8_CORTEX_M55_H */
