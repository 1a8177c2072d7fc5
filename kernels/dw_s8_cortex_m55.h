/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_cortex_m55.h - dw_s8 for Helium (Cortex-M55, M85). Contract: dw_s8_scalar.h.

   Eight channels, a tile: loads widen the bytes of a tap and of weights to 16 bits, vmullb and vmullt multiply the even
   and the odd channels. The words in front of a tile are loaded as even and odd ones, too (vld2), and stores put the
   bytes side by side again. Channels of a tile that is not whole are done one by one. */
#ifndef NNRT_KERNELS_DW_S8_CORTEX_M55_H
#define NNRT_KERNELS_DW_S8_CORTEX_M55_H

#include "cortex_m55.h"
#include "dw_s8_scalar.h"
#include "internal.h"
#include "packing.h"

#define NNRT__DW_S8_CORTEX_M55_HEAD 96u /* bytes in front of the weights of a tile */

/* sums + a tap of eight channels: those of even numbers, and those of odd ones. */
NNRT__INLINE void nnrt__dw_s8_cortex_m55_add(int32x4x2_t *sums, const int8_t *tap, const int8_t *w) {
    const int16x8_t x = __arm_vldrbq_s16(tap), y = __arm_vldrbq_s16(w);
    sums->val[0] = __arm_vaddq_s32(sums->val[0], __arm_vmullbq_int_s16(x, y));
    sums->val[1] = __arm_vaddq_s32(sums->val[1], __arm_vmulltq_int_s16(x, y));
}

/* Are the shifts of a tile usual? */
NNRT__INLINE bool nnrt__dw_s8_cortex_m55_is_usual(const uint8_t *tile) {
    bool usual = true;
    size_t i;
    for (i = 64; i < 96; i += 4) usual = usual && nnrt__cortex_m55_is_usual(nnrt__kernel_read_i32(tile + i));
    return usual;
}

/* Words of the channels, even and odd ones. */
NNRT__INLINE int32x4x2_t nnrt__dw_s8_cortex_m55_words(const uint8_t *tile) {
    return __arm_vld2q_s32((const int32_t *)(const void *)tile);
}

NNRT__INLINE int32x4_t nnrt__dw_s8_cortex_m55_finish(int32x4_t sums, int32x4_t multiplier, int32x4_t shift,
                                                     const nnrt__cortex_m55_range *range) {
    const int32x4_t x = nnrt__cortex_m55_down(__arm_vqrdmulhq_s32(sums, multiplier));
    return nnrt__cortex_m55_clamp(__arm_vrshlq_s32(x, shift), range);
}

NNRT__INLINE void nnrt__dw_s8_cortex_m55_store(const int32x4x2_t *sums, const uint8_t *tile,
                                               const nnrt__cortex_m55_range *range, int8_t *out) {
    const int32x4x2_t multiplier = nnrt__dw_s8_cortex_m55_words(tile + 32);
    const int32x4x2_t shift = nnrt__dw_s8_cortex_m55_words(tile + 64);
    const int32x4_t even = nnrt__dw_s8_cortex_m55_finish(sums->val[0], multiplier.val[0], shift.val[0], range);
    const int32x4_t odd = nnrt__dw_s8_cortex_m55_finish(sums->val[1], multiplier.val[1], shift.val[1], range);
    __arm_vstrbq_s16(out, __arm_vmovntq_s32(__arm_vreinterpretq_s16_s32(even), odd));
}

/* Tiles before the first that is not whole, or whose factors are not usual: the channels of what is left. */
NNRT__INLINE size_t nnrt__dw_s8_cortex_m55_channels(const void *w, size_t tile_size, size_t channels) {
    size_t c = 0;
    while (channels - c >= 8 && nnrt__dw_s8_cortex_m55_is_usual((const uint8_t *)w + c / 8 * tile_size)) c += 8;
    return c;
}

NNRT__FN void nnrt__dw_s8_cortex_m55(const nnrt__dw_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(8, 3, 0, 1, 4, args->tap_count);
    const size_t most = nnrt__dw_s8_cortex_m55_channels(args->w, tile_size, args->channels);
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t c, p, t;
    NNRT_ASSERT(nnrt__dw_s8_is_right(args, &nnrt__packing_dw_s8_8x1));
    for (c = 0; c < most; c += 8, tile += tile_size) {
        const int8_t *const *taps = args->taps;
        int8_t *out = args->out + c;
        for (p = 0; p < args->pixels; p++, out += args->out_stride) {
            const int8_t *w = (const int8_t *)tile + NNRT__DW_S8_CORTEX_M55_HEAD;
            int32x4x2_t sums = nnrt__dw_s8_cortex_m55_words(tile);
            for (t = args->tap_count; t != 0; t--, w += 8) nnrt__dw_s8_cortex_m55_add(&sums, *taps++ + c, w);
            nnrt__dw_s8_cortex_m55_store(&sums, tile, &range, out);
        }
    }
    if (most < args->channels) nnrt__dw_s8_from(args, &nnrt__packing_dw_s8_8x1, most);
}

/* A tap of eight channels at `tap`, and its weights. */
#define NNRT__DW_S8_CORTEX_M55_TAP(tap, weights)                             \
    "vldrb.s16 %q[x], [" tap "]\n\tvldrb.s16 %q[y], [%[w], " weights "]\n\t" \
    "vmullb.s16 %q[z], %q[x], %q[y]\n\tvmullt.s16 %q[x], %q[x], %q[y]\n\t"   \
    "vadd.i32 %q[even], %q[even], %q[z]\n\tvadd.i32 %q[odd], %q[odd], %q[x]\n\t"
#define NNRT__DW_S8_CORTEX_M55_ROW(row, first, second, third)                  \
    NNRT__DW_S8_CORTEX_M55_TAP(row, first)                                     \
    "add " row ", " row                                                        \
    ", %[tap]\n\t" NNRT__DW_S8_CORTEX_M55_TAP(row, second) "add " row ", " row \
                                                           ", %[tap]\n\t" NNRT__DW_S8_CORTEX_M55_TAP(row, third)

/* A tile of 3x3 taps. The taps are assembly: GCC 12 loads them all at once and keeps most of them in memory. */
NNRT__INLINE void nnrt__dw_3x3_s8_cortex_m55(const nnrt__dw_rows_s8_args *args, const uint8_t *tile, size_t channel,
                                             const nnrt__cortex_m55_range *range) {
    const int8_t *const w = (const int8_t *)tile + NNRT__DW_S8_CORTEX_M55_HEAD;
    const int8_t *a = args->rows[0] + channel, *b = args->rows[1] + channel, *c = args->rows[2] + channel;
    const size_t tap = args->tap_step, step = args->pixel_step - 2 * tap, stride = args->out_stride;
    int8_t *out = args->out + channel;
    size_t left;
    for (left = args->pixels; left != 0; left--, a += step, b += step, c += step, out += stride) {
        int32x4x2_t sums = nnrt__dw_s8_cortex_m55_words(tile);
        int32x4_t x, y, z;
        __asm__ volatile(NNRT__DW_S8_CORTEX_M55_ROW("%[a]", "#0", "#8", "#16")
                             NNRT__DW_S8_CORTEX_M55_ROW("%[b]", "#24", "#32", "#40")
                                 NNRT__DW_S8_CORTEX_M55_ROW("%[c]", "#48", "#56", "#64")
                         : [even] "+w"(sums.val[0]), [odd] "+w"(sums.val[1]), [x] "=&w"(x), [y] "=&w"(y), [z] "=&w"(z),
                           [a] "+l"(a), [b] "+l"(b), [c] "+l"(c)
                         : [w] "l"(w), [tap] "r"(tap)
                         : "memory");
        nnrt__dw_s8_cortex_m55_store(&sums, tile, range, out);
    }
}

#undef NNRT__DW_S8_CORTEX_M55_ROW
#undef NNRT__DW_S8_CORTEX_M55_TAP

NNRT__FN void nnrt__dw_rows_s8_cortex_m55(const nnrt__dw_rows_s8_args *args) {
    const size_t tile_size = nnrt__tile_size(8, 3, 0, 1, 4, args->kernel_h * args->kernel_w);
    const size_t most = nnrt__dw_s8_cortex_m55_channels(args->w, tile_size, args->channels);
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t c, p, i, j;
    NNRT_ASSERT(nnrt__dw_rows_s8_is_right(args, &nnrt__packing_dw_s8_8x1));
    for (c = 0; c < most; c += 8, tile += tile_size) {
        int8_t *out = args->out + c;
        size_t at = c;
        if (NNRT__FOR_SPEED && args->kernel_h == 3 && args->kernel_w == 3) {
            nnrt__dw_3x3_s8_cortex_m55(args, tile, c, &range);
            continue;
        }
        for (p = 0; p < args->pixels; p++, out += args->out_stride, at += args->pixel_step) {
            const int8_t *w = (const int8_t *)tile + NNRT__DW_S8_CORTEX_M55_HEAD;
            int32x4x2_t sums = nnrt__dw_s8_cortex_m55_words(tile);
            for (i = 0; i < args->kernel_h; i++) {
                const int8_t *tap = args->rows[i] + at;
                for (j = args->kernel_w; j != 0; j--, tap += args->tap_step, w += 8)
                    nnrt__dw_s8_cortex_m55_add(&sums, tap, w);
            }
            nnrt__dw_s8_cortex_m55_store(&sums, tile, &range, out);
        }
    }
    if (most < args->channels) nnrt__dw_rows_s8_from(args, &nnrt__packing_dw_s8_8x1, most);
}

NNRT__FN void nnrt__dw_s8_cortex_m55_install(nnrt__cpu_table *table) {
    const nnrt__dw_s8_slot slot = {nnrt__dw_s8_cortex_m55, nnrt__dw_rows_s8_cortex_m55, NULL, &nnrt__packing_dw_s8_8x1,
                                   nnrt__isa_name_CORTEX_M55};
    table->dw_s8[0] = table->dw_s8[1] = slot;
}

#endif /* NNRT_KERNELS_DW_S8_CORTEX_M55_H */
