/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_neon.h - dw_s8 for ARMv7 NEON and AArch64. Contract: dw_s8_scalar.h.

   8 channels a tile. Where no weight of the tile is -128 (mark[0]), |a0 * w0 + a1 * w1| <= 2 * 128 * 127 < 2^15, so two
   taps are summed in 16 bits (vmull.s8, vmlal.s8) before they are widened; otherwise each tap is widened by itself.
   Rows of 3x3 windows at stride 1 and 2 have a loop of their own; other windows, ends of channels and the list of taps
   of a border go tap by tap. */
#ifndef NNRT_KERNELS_DW_S8_NEON_H
#define NNRT_KERNELS_DW_S8_NEON_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_neon.h"

#if defined(__aarch64__)
#include "dw_s8_neon_armv8.h"
#else
#include "dw_s8_neon_armv7.h"
#endif

/* acc[0], acc[1] + the 8 lanes of x. */
NNRT__INLINE void nnrt__dw_s8_neon_add(int32x4_t acc[2], int16x8_t x) {
    acc[0] = vaddw_s16(acc[0], vget_low_s16(x));
    acc[1] = vaddw_s16(acc[1], vget_high_s16(x));
}

/* Two taps, with their weights side by side. */
NNRT__INLINE void nnrt__dw_s8_neon_pair(int32x4_t acc[2], int8x8_t tap0, int8x8_t tap1, int8x16_t w, bool lowest) {
    const int16x8_t x = vmull_s8(tap0, vget_low_s8(w));
    if (lowest) {
        nnrt__dw_s8_neon_add(acc, x);
        nnrt__dw_s8_neon_add(acc, vmull_s8(tap1, vget_high_s8(w)));
    } else {
        nnrt__dw_s8_neon_add(acc, vmlal_s8(x, tap1, vget_high_s8(w)));
    }
}

/* One pixel of one tile from a list of taps: constant arguments make the instances. */
NNRT__INLINE void nnrt__dw_s8_neon_taps(const int8_t *const *taps, size_t count, const int32_t *tile, size_t first,
                                        size_t channels, const nnrt__output_x16_neon *out, int8_t *to, bool lowest) {
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t acc[2];
    acc[0] = vld1q_s32(tile);
    acc[1] = vld1q_s32(tile + 4);
    for (; count >= 2; count -= 2, taps += 2, w += 16)
        nnrt__dw_s8_neon_pair(acc, nnrt__load_bytes_neon(taps[0] + first, channels),
                              nnrt__load_bytes_neon(taps[1] + first, channels), vld1q_s8(w), lowest);
    if (count != 0) nnrt__dw_s8_neon_add(acc, vmull_s8(nnrt__load_bytes_neon(taps[0] + first, channels), vld1_s8(w)));
    nnrt__store_bytes_neon(to, nnrt__tile_bytes_neon(acc[0], acc[1], tile, out), channels);
}

NNRT__FN void nnrt__dw_s8_neon(const nnrt__dw_s8_args *args) {
    const size_t tile_words = nnrt__tile_size(8, 3, 1, 1, 64, args->tap_count) / 4;
    const nnrt__output_x16_neon out =
        nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    const int32_t *tile = (const int32_t *)args->w;
    size_t first, pixel;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_8_marks));
    for (first = 0; first < args->channels; first += 8, tile += tile_words) {
        const size_t channels = args->channels - first;
        const int8_t *const *taps = args->taps;
        int8_t *to = args->out + first;
        for (pixel = 0; pixel < args->pixels; pixel++, taps += args->tap_count, to += args->out_stride)
            if (channels >= 8 && tile[NNRT__TILE8_LOWEST] == 0)
                nnrt__dw_s8_neon_taps(taps, args->tap_count, tile, first, 8, &out, to, false);
            else nnrt__dw_s8_neon_taps(taps, args->tap_count, tile, first, channels, &out, to, true);
    }
}

/* One pixel of one tile from rows, each at its first tap. */
NNRT__INLINE void nnrt__dw_s8_neon_window(const nnrt__dw_rows_s8_args *args, size_t at, const int32_t *tile,
                                          size_t channels, const nnrt__output_x16_neon *out, int8_t *to, bool lowest) {
    const size_t step = args->tap_step;
    const int8_t *w = (const int8_t *)(tile + NNRT__TILE8_WEIGHTS);
    int32x4_t acc[2];
    size_t i, left;
    acc[0] = vld1q_s32(tile);
    acc[1] = vld1q_s32(tile + 4);
    for (i = 0; i < args->kernel_h; i++) {
        const int8_t *from = args->rows[i] + at;
        for (left = args->kernel_w; left >= 2; left -= 2, from += 2 * step, w += 16)
            nnrt__dw_s8_neon_pair(acc, nnrt__load_bytes_neon(from, channels),
                                  nnrt__load_bytes_neon(from + step, channels), vld1q_s8(w), lowest);
        if (left == 0) continue;
        nnrt__dw_s8_neon_add(acc, vmull_s8(nnrt__load_bytes_neon(from, channels), vld1_s8(w)));
        w += 8;
    }
    nnrt__store_bytes_neon(to, nnrt__tile_bytes_neon(acc[0], acc[1], tile, out), channels);
}

/* The loop of 3x3 windows over one tile; an odd last pixel is computed with the one before it, once more. */
NNRT__FN void nnrt__dw_s8_neon_line(const nnrt__dw_rows_s8_args *args, size_t first, int stride, const int32_t *tile,
                                    const nnrt__output_x16_neon *out) {
    size_t at = 0, pixel = 0, pairs = args->pixels / 2;
    do {
        const int8_t *const rows[3] = {args->rows[0] + at + first, args->rows[1] + at + first,
                                       args->rows[2] + at + first};
        int8_t *to = args->out + pixel * args->out_stride + first;
        if (stride == 1) nnrt__dw_s8_neon_3x3(rows, args->tap_step, 1, tile, out, to, args->out_stride, pairs);
        else nnrt__dw_s8_neon_3x3(rows, args->tap_step, 2, tile, out, to, args->out_stride, pairs);
        if (pixel + 2 * pairs == args->pixels) return;
        pixel = args->pixels - 2;
        at = pixel * args->pixel_step;
        pairs = 1;
    } while (true);
}

NNRT__FN void nnrt__dw_rows_s8_neon(const nnrt__dw_rows_s8_args *args) {
    const size_t tile_words = nnrt__tile_size(8, 3, 1, 1, 64, args->kernel_h * args->kernel_w) / 4;
    const nnrt__output_x16_neon out =
        nnrt__output_x16_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    const int stride = args->kernel_h != 3 || args->kernel_w != 3 || args->pixels < 2 ? 0
                       : args->pixel_step == args->tap_step                           ? 1
                       : args->pixel_step == 2 * args->tap_step                       ? 2
                                                                                      : 0;
    const int32_t *tile = (const int32_t *)args->w;
    size_t first, pixel;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_8_marks));
    for (first = 0; first < args->channels; first += 8, tile += tile_words) {
        const size_t channels = args->channels - first;
        int8_t *to = args->out + first;
        if (stride != 0 && channels >= 8 && tile[NNRT__TILE8_LOWEST] == 0 && tile[NNRT__TILE8_LEFT] == 0) {
            nnrt__dw_s8_neon_line(args, first, stride, tile, &out);
            continue;
        }
        for (pixel = 0; pixel < args->pixels; pixel++, to += args->out_stride)
            if (channels >= 8 && tile[NNRT__TILE8_LOWEST] == 0)
                nnrt__dw_s8_neon_window(args, pixel * args->pixel_step + first, tile, 8, &out, to, false);
            else nnrt__dw_s8_neon_window(args, pixel * args->pixel_step + first, tile, channels, &out, to, true);
    }
}

NNRT__FN void nnrt__dw_s8_neon_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_neon, nnrt__dw_rows_s8_neon, NULL, &nnrt__packing_dw_s8_8_marks, "neon"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_NEON_H */
