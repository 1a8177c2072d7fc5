/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_cortex_m4.h - dw_s8 for the DSP extension of Cortex-M4, M7 and M33. Contract: dw_s8_scalar.h.

   Four channels side by side: a word of a tap and a word of weights, each widened to two words of two channels, are
   four products of one channel each: ten instructions. Channels of a tile that is not whole are done one by one. */
#ifndef NNRT_KERNELS_DW_S8_CORTEX_M4_H
#define NNRT_KERNELS_DW_S8_CORTEX_M4_H

#include "cortex_m4.h"
#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"

#define NNRT__DW_S8_CORTEX_M4_HEAD 48u /* bytes in front of the weights of a tile */

/* Four channels of a tile. */
typedef struct nnrt__dw_s8_cortex_m4_sums {
    uint32_t c0, c1, c2, c3;
} nnrt__dw_s8_cortex_m4_sums;

NNRT__INLINE void nnrt__dw_s8_cortex_m4_begin(nnrt__dw_s8_cortex_m4_sums *sums, const uint8_t *tile) {
    sums->c0 = (uint32_t)nnrt__kernel_read_i32(tile);
    sums->c1 = (uint32_t)nnrt__kernel_read_i32(tile + 4);
    sums->c2 = (uint32_t)nnrt__kernel_read_i32(tile + 8);
    sums->c3 = (uint32_t)nnrt__kernel_read_i32(tile + 12);
}

/* One tap. */
NNRT__INLINE void nnrt__dw_s8_cortex_m4_add(nnrt__dw_s8_cortex_m4_sums *sums, const int8_t *tap, const int8_t *w) {
    const uint32_t x = nnrt__cortex_m4_load(tap), y = nnrt__cortex_m4_load(w);
    const uint32_t x_even = nnrt__cortex_m4_even(x), x_odd = nnrt__cortex_m4_odd(x);
    const uint32_t y_even = nnrt__cortex_m4_even(y), y_odd = nnrt__cortex_m4_odd(y);
    sums->c0 = nnrt__cortex_m4_add_low(sums->c0, x_even, y_even);
    sums->c1 = nnrt__cortex_m4_add_low(sums->c1, x_odd, y_odd);
    sums->c2 = nnrt__cortex_m4_add_high(sums->c2, x_even, y_even);
    sums->c3 = nnrt__cortex_m4_add_high(sums->c3, x_odd, y_odd);
}

/* What the four channels of a tile have in common. */
typedef struct nnrt__dw_s8_cortex_m4_range {
    int32_t zero_point, low, high;
    bool quick; /* all factors are usual, and nothing is clamped */
} nnrt__dw_s8_cortex_m4_range;

NNRT__INLINE_FOR_SPEED bool nnrt__dw_s8_cortex_m4_is_quick(const uint8_t *tile, int32_t low, int32_t high) {
    bool quick = low == -128 && high == 127;
    size_t i;
    for (i = 16; i < 32; i += 4)
        quick =
            quick && nnrt__cortex_m4_is_usual(nnrt__kernel_read_i32(tile + i), nnrt__kernel_read_i32(tile + i + 16));
    return quick;
}

NNRT__INLINE_FOR_SPEED void nnrt__dw_s8_cortex_m4_one(uint32_t sum, const uint8_t *head,
                                                      const nnrt__dw_s8_cortex_m4_range *range, int8_t *out) {
    const int32_t multiplier = nnrt__kernel_read_i32(head + 16), shift = nnrt__kernel_read_i32(head + 32);
    if (range->quick) *out = (int8_t)nnrt__cortex_m4_finish(sum, multiplier, shift, 2 * range->zero_point + 1);
    else *out = nnrt__requantize_s8(sum, multiplier, shift, range->zero_point, range->low, range->high);
}

NNRT__INLINE_FOR_SPEED void nnrt__dw_s8_cortex_m4_store(const nnrt__dw_s8_cortex_m4_sums *sums, const uint8_t *tile,
                                                        const nnrt__dw_s8_cortex_m4_range *range, int8_t *out) {
    nnrt__dw_s8_cortex_m4_one(sums->c0, tile, range, out);
    nnrt__dw_s8_cortex_m4_one(sums->c1, tile + 4, range, out + 1);
    nnrt__dw_s8_cortex_m4_one(sums->c2, tile + 8, range, out + 2);
    nnrt__dw_s8_cortex_m4_one(sums->c3, tile + 12, range, out + 3);
}

NNRT__FN void nnrt__dw_s8_cortex_m4(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(4, 3, 0, 1, 4, args->tap_count), whole = args->channels / 4 * 4;
    const uint8_t *tile = (const uint8_t *)args->w;
    nnrt__dw_s8_cortex_m4_range range;
    size_t c, p, t;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_4));
    range.zero_point = args->output_zero_point;
    range.low = args->clamp_min;
    range.high = args->clamp_max;
    for (c = 0; c < whole; c += 4, tile += tile_size) {
        const int8_t *const *taps = args->taps;
        int8_t *out = args->out + c;
        range.quick = nnrt__dw_s8_cortex_m4_is_quick(tile, range.low, range.high);
        for (p = 0; p < args->pixels; p++, out += args->out_stride) {
            const int8_t *w = (const int8_t *)tile + NNRT__DW_S8_CORTEX_M4_HEAD;
            nnrt__dw_s8_cortex_m4_sums sums;
            nnrt__dw_s8_cortex_m4_begin(&sums, tile);
            for (t = args->tap_count; t != 0; t--, w += 4) nnrt__dw_s8_cortex_m4_add(&sums, *taps++ + c, w);
            nnrt__dw_s8_cortex_m4_store(&sums, tile, &range, out);
        }
    }
    if (whole < args->channels) nnrt__dw_s8_from(args, &nnrt__packing_dw_s8_4, whole);
}

NNRT__FN void nnrt__dw_rows_s8_cortex_m4(const nnrt__dw_rows_s8_args *args) {
    const size_t taps = args->kernel_h * args->kernel_w, whole = args->channels / 4 * 4;
    const size_t tile_size = nnrt__tile_size(4, 3, 0, 1, 4, taps);
    const uint8_t *tile = (const uint8_t *)args->w;
    nnrt__dw_s8_cortex_m4_range range;
    size_t c, p, i, j;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_4));
    range.zero_point = args->output_zero_point;
    range.low = args->clamp_min;
    range.high = args->clamp_max;
    for (c = 0; c < whole; c += 4, tile += tile_size) {
        int8_t *out = args->out + c;
        size_t at = c;
        range.quick = nnrt__dw_s8_cortex_m4_is_quick(tile, range.low, range.high);
        for (p = 0; p < args->pixels; p++, out += args->out_stride, at += args->pixel_step) {
            const int8_t *w = (const int8_t *)tile + NNRT__DW_S8_CORTEX_M4_HEAD;
            nnrt__dw_s8_cortex_m4_sums sums;
            nnrt__dw_s8_cortex_m4_begin(&sums, tile);
            for (i = 0; i < args->kernel_h; i++) {
                const int8_t *tap = args->rows[i] + at;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step, w += 4)
                    nnrt__dw_s8_cortex_m4_add(&sums, tap, w);
            }
            nnrt__dw_s8_cortex_m4_store(&sums, tile, &range, out);
        }
    }
    if (whole < args->channels) nnrt__dw_rows_s8_from(args, &nnrt__packing_dw_s8_4, whole);
}

NNRT__FN void nnrt__dw_s8_cortex_m4_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_cortex_m4, nnrt__dw_rows_s8_cortex_m4, NULL, &nnrt__packing_dw_s8_4,
                                   nnrt__isa_name_CORTEX_M4};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_CORTEX_M4_H */
