/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_rvv.h - dw_s8 for RISC-V's vector extension. Contract: dw_s8_scalar.h.

   A vector is channels, of all pixels before the next ones. Of 3x3 taps the weights stay in registers, and two products
   of int8 are added in 16 bits, unless a weight is -128 (mark[0] of packing.h), and then to 32. */
#ifndef NNRT_KERNELS_DW_S8_RVV_H
#define NNRT_KERNELS_DW_S8_RVV_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "rvv.h"

/* sums + a tap. */
NNRT__TARGET_RVV NNRT__INLINE vint32m4_t nnrt__dw_s8_rvv_add(vint32m4_t sums, const int8_t *tap, const int8_t *w,
                                                             size_t vl) {
    return __riscv_vwadd_wv_i32m4(
        sums, __riscv_vwmul_vv_i16m2(__riscv_vle8_v_i8m1(tap, vl), __riscv_vle8_v_i8m1(w, vl), vl), vl);
}

/* A tap times its weights, and two taps. */
NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__dw_s8_rvv_one(const int8_t *tap, vint8m1_t w, size_t vl) {
    return __riscv_vwmul_vv_i16m2(__riscv_vle8_v_i8m1(tap, vl), w, vl);
}

NNRT__TARGET_RVV NNRT__INLINE vint16m2_t nnrt__dw_s8_rvv_two(const int8_t *tap, vint8m1_t w, const int8_t *next,
                                                             vint8m1_t v, size_t vl) {
    return __riscv_vwmacc_vv_i16m2(nnrt__dw_s8_rvv_one(tap, w, vl), __riscv_vle8_v_i8m1(next, vl), v, vl);
}

/* What a tile, and the channels of it that a vector holds, are for a loop over pixels. */
typedef struct nnrt__dw_s8_rvv_block {
    nnrt__rvv_channels of;
    size_t channel;  /* of the tensor */
    const int8_t *w; /* a tap's are nr further */
    int32_t lowest;  /* not 0: a weight is -128 */
} nnrt__dw_s8_rvv_block;

/* tile: the one of the channel. */
NNRT__TARGET_RVV NNRT__INLINE nnrt__dw_s8_rvv_block nnrt__dw_s8_rvv_block_at(const uint8_t *tile, size_t nr,
                                                                             size_t channels, size_t channel,
                                                                             int32_t zero_point, int32_t low,
                                                                             int32_t high) {
    const size_t at = channel % nr, left = channels - channel;
    nnrt__dw_s8_rvv_block block;
    block.of.zero_point = zero_point;
    block.of.low = low;
    block.of.high = high;
    block.channel = channel;
    block.w = (const int8_t *)tile + 12 * nr + 16 + at;
    memcpy(&block.lowest, tile + 12 * nr, sizeof block.lowest);
    nnrt__rvv_channels_at(&block.of, tile, nr, at, nr - at < left ? nr - at : left);
    return block;
}

NNRT__TARGET_RVV NNRT__FN void nnrt__dw_s8_rvv_lists(const nnrt__dw_s8_args *args, size_t nr, size_t tile_size) {
    size_t channel, pixel, tap;
    nnrt__dw_s8_rvv_block block;
    for (channel = 0; channel < args->channels; channel += block.of.vl) {
        const int8_t *const *taps = args->taps;
        int8_t *out = args->out + channel;
        block = nnrt__dw_s8_rvv_block_at((const uint8_t *)args->w + channel / nr * tile_size, nr, args->channels,
                                         channel, args->output_zero_point, args->clamp_min, args->clamp_max);
        for (pixel = 0; pixel < args->pixels; pixel++, taps += args->tap_count, out += args->out_stride) {
            const int8_t *w = block.w;
            vint32m4_t sums = nnrt__rvv_words(&block.of, 0);
            for (tap = 0; tap < args->tap_count; tap++, w += nr)
                sums = nnrt__dw_s8_rvv_add(sums, taps[tap] + channel, w, block.of.vl);
            nnrt__rvv_store(&block.of, sums, nnrt__rvv_words(&block.of, 1), nnrt__rvv_right_of(&block.of), out);
        }
    }
}

/* 3x3 taps of which no weight is -128. */
NNRT__TARGET_RVV NNRT__INLINE void nnrt__dw_s8_rvv_3x3(const nnrt__dw_rows_s8_args *args,
                                                       const nnrt__dw_s8_rvv_block *block) {
    const size_t vl = block->of.vl, nr = block->of.nr, tap = args->tap_step;
    const vint8m1_t w0 = __riscv_vle8_v_i8m1(block->w, vl), w1 = __riscv_vle8_v_i8m1(block->w + nr, vl);
    const vint8m1_t w2 = __riscv_vle8_v_i8m1(block->w + 2 * nr, vl), w3 = __riscv_vle8_v_i8m1(block->w + 3 * nr, vl);
    const vint8m1_t w4 = __riscv_vle8_v_i8m1(block->w + 4 * nr, vl), w5 = __riscv_vle8_v_i8m1(block->w + 5 * nr, vl);
    const vint8m1_t w6 = __riscv_vle8_v_i8m1(block->w + 6 * nr, vl), w7 = __riscv_vle8_v_i8m1(block->w + 7 * nr, vl);
    const vint8m1_t w8 = __riscv_vle8_v_i8m1(block->w + 8 * nr, vl);
    const vint32m4_t multiplier = nnrt__rvv_words(&block->of, 1);
    const vuint16m2_t right = nnrt__rvv_right_of(&block->of);
    const int8_t *a = args->rows[0] + block->channel, *b = args->rows[1] + block->channel;
    const int8_t *c = args->rows[2] + block->channel;
    int8_t *out = args->out + block->channel;
    size_t left;
    for (left = args->pixels; left != 0; left--, out += args->out_stride) {
        const vint16m2_t x = nnrt__dw_s8_rvv_two(a, w0, a + tap, w1, vl);
        const vint16m2_t y = nnrt__dw_s8_rvv_two(a + 2 * tap, w2, b, w3, vl);
        const vint16m2_t z = nnrt__dw_s8_rvv_two(b + tap, w4, b + 2 * tap, w5, vl);
        const vint16m2_t u = nnrt__dw_s8_rvv_two(c, w6, c + tap, w7, vl);
        const vint16m2_t v = nnrt__dw_s8_rvv_one(c + 2 * tap, w8, vl);
        vint32m4_t sums = __riscv_vwadd_wv_i32m4(nnrt__rvv_words(&block->of, 0), x, vl);
        sums = __riscv_vwadd_wv_i32m4(sums, y, vl);
        sums = __riscv_vwadd_wv_i32m4(sums, z, vl);
        sums = __riscv_vwadd_wv_i32m4(sums, u, vl);
        nnrt__rvv_store(&block->of, __riscv_vwadd_wv_i32m4(sums, v, vl), multiplier, right, out);
        a += args->pixel_step, b += args->pixel_step, c += args->pixel_step;
    }
}

NNRT__TARGET_RVV NNRT__FN void nnrt__dw_s8_rvv_rows(const nnrt__dw_rows_s8_args *args, size_t nr, size_t tile_size) {
    size_t channel, pixel, i, j;
    nnrt__dw_s8_rvv_block block;
    for (channel = 0; channel < args->channels; channel += block.of.vl) {
        int8_t *out = args->out + channel;
        size_t at = channel;
        block = nnrt__dw_s8_rvv_block_at((const uint8_t *)args->w + channel / nr * tile_size, nr, args->channels,
                                         channel, args->output_zero_point, args->clamp_min, args->clamp_max);
        if (args->kernel_h == 3 && args->kernel_w == 3 && block.lowest == 0) {
            nnrt__dw_s8_rvv_3x3(args, &block);
            continue;
        }
        for (pixel = 0; pixel < args->pixels; pixel++, at += args->pixel_step, out += args->out_stride) {
            const int8_t *w = block.w;
            vint32m4_t sums = nnrt__rvv_words(&block.of, 0);
            for (i = 0; i < args->kernel_h; i++) {
                const int8_t *tap = args->rows[i] + at;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step, w += nr)
                    sums = nnrt__dw_s8_rvv_add(sums, tap, w, block.of.vl);
            }
            nnrt__rvv_store(&block.of, sums, nnrt__rvv_words(&block.of, 1), nnrt__rvv_right_of(&block.of), out);
        }
    }
}

NNRT__FN void nnrt__dw_s8_rvv(const nnrt__dw_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_32_marks));
    nnrt__dw_s8_rvv_lists(args, 32, nnrt__tile_size(32, 3, 1, 1, 4, args->tap_count));
}

NNRT__FN void nnrt__dw_s8_rvv_narrow(const nnrt__dw_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_16_marks));
    nnrt__dw_s8_rvv_lists(args, 16, nnrt__tile_size(16, 3, 1, 1, 4, args->tap_count));
}

NNRT__FN void nnrt__dw_rows_s8_rvv(const nnrt__dw_rows_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_32_marks));
    nnrt__dw_s8_rvv_rows(args, 32, nnrt__tile_size(32, 3, 1, 1, 4, args->kernel_h * args->kernel_w));
}

NNRT__FN void nnrt__dw_rows_s8_rvv_narrow(const nnrt__dw_rows_s8_args *args) {
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_16_marks));
    nnrt__dw_s8_rvv_rows(args, 16, nnrt__tile_size(16, 3, 1, 1, 4, args->kernel_h * args->kernel_w));
}

NNRT__FN void nnrt__dw_s8_rvv_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot wide = {nnrt__dw_s8_rvv, nnrt__dw_rows_s8_rvv, NULL, &nnrt__packing_dw_s8_32_marks,
                                   nnrt__isa_name_RVV};
    const nnrt__dw_s8_slot narrow = {nnrt__dw_s8_rvv_narrow, nnrt__dw_rows_s8_rvv_narrow, NULL,
                                     &nnrt__packing_dw_s8_16_marks, nnrt__isa_name_RVV};
    table->dw_s8[0] = wide;
    table->dw_s8[1] = narrow;
}

#endif /* NNRT_KERNELS_DW_S8_RVV_H */
