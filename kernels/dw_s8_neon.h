/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_neon.h - dw_s8 for ARMv7 NEON and AArch64. Contract: dw_s8_scalar.h.

   8 channels a tile. When no weight of the tile is -128, |a0 * w0 + a1 * w1| <= 2 * 128 * 127 < 2^15, so two
   taps are summed in 16 bits (vmull.s8, vmlal.s8) before they are widened; the tile is looked through for
   that first, which costs less than one pixel. Otherwise each tap is widened by itself. Two pixels share the
   weights. */
#ifndef NNRT_KERNELS_DW_S8_NEON_H
#define NNRT_KERNELS_DW_S8_NEON_H

#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_neon.h"

#define NNRT__DW_S8_NEON_TILE 8

/* Is there a weight of -128 in the tile? */
NNRT__INLINE bool nnrt__dw_s8_neon_has_lowest(const int8_t *w, size_t taps) {
    int8x8_t least = vdup_n_s8(0);
    size_t t;
    for (t = 0; t < taps; t++) least = vmin_s8(least, vld1_s8(w + t * NNRT__DW_S8_NEON_TILE));
    return vget_lane_u64(vreinterpret_u64_u8(vceq_s8(least, vdup_n_s8(-128))), 0) != 0;
}

/* acc[0], acc[1] + the 8 lanes of x. */
NNRT__INLINE void nnrt__dw_s8_neon_add(int32x4_t acc[2], int16x8_t x) {
    acc[0] = vaddw_s16(acc[0], vget_low_s16(x));
    acc[1] = vaddw_s16(acc[1], vget_high_s16(x));
}

/* Two taps. */
NNRT__INLINE void nnrt__dw_s8_neon_pair(int32x4_t acc[2], int8x8_t tap0, int8x8_t tap1, int8x8_t w0, int8x8_t w1,
                                        bool has_lowest) {
    int16x8_t x = vmull_s8(tap0, w0);
    if (has_lowest) {
        nnrt__dw_s8_neon_add(acc, x);
        nnrt__dw_s8_neon_add(acc, vmull_s8(tap1, w1));
    } else {
        nnrt__dw_s8_neon_add(acc, vmlal_s8(x, tap1, w1));
    }
}

/* One tile, `pixels` (1 or 2) pixels: constant arguments make the instances. */
NNRT__INLINE void nnrt__dw_s8_neon_tile(const nnrt__dw_s8_args *args, const int32_t *tile, size_t pixel, int pixels,
                                        bool has_lowest, size_t first, size_t channels, nnrt__requantize_x4_neon q0,
                                        nnrt__requantize_x4_neon q1, const nnrt__output_s8_neon *out) {
    const size_t count = args->tap_count;
    const int8_t *const *taps = args->taps + pixel * count, *const *other_taps = taps + (pixels - 1) * (ptrdiff_t)count;
    const int8_t *w = (const int8_t *)(tile + 3 * NNRT__DW_S8_NEON_TILE);
    int8_t *to = args->out + pixel * args->out_stride + first;
    int32x4_t acc[2], other[2];
    size_t t;
    acc[0] = other[0] = vld1q_s32(tile);
    acc[1] = other[1] = vld1q_s32(tile + 4);
    for (t = 0; t + 2 <= count; t += 2, w += 16) {
        int8x8_t w0 = vld1_s8(w), w1 = vld1_s8(w + 8);
        nnrt__dw_s8_neon_pair(acc, nnrt__load_bytes_neon(taps[t] + first, channels),
                              nnrt__load_bytes_neon(taps[t + 1] + first, channels), w0, w1, has_lowest);
        if (pixels == 2)
            nnrt__dw_s8_neon_pair(other, nnrt__load_bytes_neon(other_taps[t] + first, channels),
                                  nnrt__load_bytes_neon(other_taps[t + 1] + first, channels), w0, w1, has_lowest);
    }
    if (t < count) {
        int8x8_t w0 = vld1_s8(w);
        nnrt__dw_s8_neon_add(acc, vmull_s8(nnrt__load_bytes_neon(taps[t] + first, channels), w0));
        if (pixels == 2)
            nnrt__dw_s8_neon_add(other, vmull_s8(nnrt__load_bytes_neon(other_taps[t] + first, channels), w0));
    }
    nnrt__store_bytes_neon(
        to, nnrt__output_bytes_neon(nnrt__requantize_neon(acc[0], q0), nnrt__requantize_neon(acc[1], q1), out),
        channels);
    if (pixels == 2)
        nnrt__store_bytes_neon(
            to + args->out_stride,
            nnrt__output_bytes_neon(nnrt__requantize_neon(other[0], q0), nnrt__requantize_neon(other[1], q1), out),
            channels);
}

NNRT__FN void nnrt__dw_s8_neon(const nnrt__dw_s8_args *args) {
    const size_t tile_words = nnrt__tile_size(NNRT__DW_S8_NEON_TILE, 3, 0, 1, args->tap_count) / 4;
    const nnrt__output_s8_neon out =
        nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    const int32_t *tile = (const int32_t *)args->w;
    size_t first, pixel;
    for (first = 0; first < args->channels; first += NNRT__DW_S8_NEON_TILE, tile += tile_words) {
        const size_t channels = args->channels - first;
        const bool has_lowest =
            nnrt__dw_s8_neon_has_lowest((const int8_t *)(tile + 3 * NNRT__DW_S8_NEON_TILE), args->tap_count);
        const nnrt__requantize_x4_neon q0 = nnrt__requantize_prepare_neon(vld1q_s32(tile + 8), vld1q_s32(tile + 16));
        const nnrt__requantize_x4_neon q1 = nnrt__requantize_prepare_neon(vld1q_s32(tile + 12), vld1q_s32(tile + 20));
        pixel = 0;
        if (channels >= 8 && !has_lowest)
            for (; pixel + 2 <= args->pixels; pixel += 2)
                nnrt__dw_s8_neon_tile(args, tile, pixel, 2, false, first, 8, q0, q1, &out);
        for (; pixel < args->pixels; pixel++)
            nnrt__dw_s8_neon_tile(args, tile, pixel, 1, true, first, channels, q0, q1, &out);
    }
}

NNRT__FN void nnrt__dw_s8_neon_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_neon, NULL, &nnrt__packing_dw_s8_8, "neon"};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_NEON_H */
