/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_cortex_m4.h - dw_s16 for the DSP extension of Cortex-M4, M7 and M33. Contract: dw_s16_scalar.h.

   Four channels at a time: sxtb16 widens weights 0 and 2, and 1 and 3, and smlabb to smlatt take each half of the words
   of a tap with its own. Of four channels or more the last four are done together, some of them again. */
#ifndef NNRT_KERNELS_DW_S16_CORTEX_M4_H
#define NNRT_KERNELS_DW_S16_CORTEX_M4_H

#include "cortex_m4.h"
#include "dw_s16_scalar.h"
#include "internal.h"
#include "s16_cortex_m4.h"

/* sum + the product of the upper half of x and the lower one of y; and of the lower and the upper one. */
NNRT__INLINE uint32_t nnrt__dw_s16_cortex_m4_add_tb(uint32_t sum, uint32_t x, uint32_t y) {
    __asm__("smlatb %0, %1, %2, %0" : "+r"(sum) : "r"(x), "r"(y));
    return sum;
}

NNRT__INLINE uint32_t nnrt__dw_s16_cortex_m4_add_bt(uint32_t sum, uint32_t x, uint32_t y) {
    __asm__("smlabt %0, %1, %2, %0" : "+r"(sum) : "r"(x), "r"(y));
    return sum;
}

/* The channels c to c + 3 of all pixels. */
NNRT__INLINE void nnrt__dw_s16_cortex_m4_four(const nnrt__dw_s16_args *args, size_t c,
                                              const nnrt__s16_cortex_m4_channel constants[4]) {
    const size_t channels = args->channels;
    const int16_t *const *taps = args->taps;
    int16_t *out = args->out + c;
    size_t p, t;
    for (p = 0; p < args->pixels; p++, out += channels) {
        const int8_t *w = args->w + c;
        uint32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (t = args->tap_count; t != 0; t--, w += channels) {
            const int16_t *const tap = *taps++ + c;
            const uint32_t x = nnrt__cortex_m4_load(tap), y = nnrt__cortex_m4_load(tap + 2);
            const uint32_t four = nnrt__cortex_m4_load(w);
            const uint32_t even = nnrt__cortex_m4_even(four), odd = nnrt__cortex_m4_odd(four);
            s0 = nnrt__cortex_m4_add_low(s0, x, even);
            s1 = nnrt__dw_s16_cortex_m4_add_tb(s1, x, odd);
            s2 = nnrt__dw_s16_cortex_m4_add_bt(s2, y, even);
            s3 = nnrt__cortex_m4_add_high(s3, y, odd);
        }
        out[0] = nnrt__s16_cortex_m4_finish(&constants[0], s0, args->clamp_min, args->clamp_max);
        out[1] = nnrt__s16_cortex_m4_finish(&constants[1], s1, args->clamp_min, args->clamp_max);
        out[2] = nnrt__s16_cortex_m4_finish(&constants[2], s2, args->clamp_min, args->clamp_max);
        out[3] = nnrt__s16_cortex_m4_finish(&constants[3], s3, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__dw_s16_cortex_m4(const nnrt__dw_s16_args *args) {
    const size_t channels = args->channels;
    size_t p, c, i;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (c = 0; c < channels; c += 4) {
        const size_t first = channels - c < 4 && channels > 4 ? channels - 4 : c;
        const size_t count = channels - first < 4 ? channels - first : 4;
        nnrt__s16_cortex_m4_channel constants[4];
        bool usual = count == 4;
        for (i = 0; usual && i < 4; i++)
            usual = nnrt__s16_cortex_m4_take(&args->constants, first + i, args->tap_count, &constants[i]);
        if (usual) nnrt__dw_s16_cortex_m4_four(args, first, constants);
        else
            for (p = 0; p < args->pixels; p++) nnrt__dw_s16_pixel(args, p, first, first + count);
    }
}

NNRT__FN void nnrt__dw_s16_cortex_m4_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_cortex_m4;
    t->dw_s16_isa = nnrt__isa_name_CORTEX_M4;
}

#endif /* NNRT_KERNELS_DW_S16_CORTEX_M4_H */
