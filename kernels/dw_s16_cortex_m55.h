/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s16_cortex_m55.h - dw_s16 for Helium (Cortex-M55, M85). Contract: dw_s16_scalar.h.

   Eight channels at a time, at the end as many as there are, by predicates: vmullb and vmullt multiply the even and the
   odd channels, whose constants come from every other word, and stores put the results side by side again. */
#ifndef NNRT_KERNELS_DW_S16_CORTEX_M55_H
#define NNRT_KERNELS_DW_S16_CORTEX_M55_H

#include "dw_s16_scalar.h"
#include "internal.h"
#include "s16_cortex_m55.h"

/* Sums of up to eight channels: of the even ones, and of the odd ones. `taps` lists addresses that `channel` bytes are
   added to; count >= 1, and the weights of two taps are `next` bytes apart. Compilers have no name in common for the
   register of predicates: it is left as it was. */
NNRT__INLINE int32x4x2_t nnrt__dw_s16_cortex_m55_sums(const int16_t *const *taps, size_t channel, const int8_t *w,
                                                      size_t next, size_t count, uint32_t channels) {
    int32x4x2_t sums;
    uint32_t kept, tap;
    sums.val[0] = sums.val[1] = __arm_vdupq_n_s32(0);
    __asm__ volatile("vmrs %[kept], p0\n\tvctp.16 %[channels]\n\tdls lr, %[count]\n"
                     "1:\n\t"
                     "ldr %[tap], [%[taps]], #4\n\tadd %[tap], %[channel]\n\t"
                     "vpstt\n\tvldrht.u16 q0, [%[tap]]\n\tvldrbt.s16 q1, [%[w]]\n\t"
                     "add %[w], %[next]\n\t"
                     "vmullb.s16 q2, q0, q1\n\tvmullt.s16 q0, q0, q1\n\t"
                     "vadd.i32 %q[even], %q[even], q2\n\tvadd.i32 %q[odd], %q[odd], q0\n\t"
                     "le lr, 1b\n\t"
                     "vmsr p0, %[kept]"
                     : [even] "+w"(sums.val[0]), [odd] "+w"(sums.val[1]), [taps] "+r"(taps), [w] "+l"(w),
                       [kept] "=&r"(kept), [tap] "=&r"(tap)
                     : [channel] "r"(channel), [next] "r"(next), [count] "r"(count), [channels] "r"(channels)
                     : "lr", "q0", "q1", "q2", "memory");
    return sums;
}

NNRT__FN void nnrt__dw_s16_cortex_m55(const nnrt__dw_s16_args *args) {
    const size_t channels = args->channels, count = args->tap_count;
    const bool fits = count != 0 && nnrt__s16_cortex_m55_fits(&args->constants, count);
    const nnrt__s16_cortex_m55_range range =
        nnrt__s16_cortex_m55_range_of(&args->constants, fits ? count : 0, args->clamp_min, args->clamp_max);
    const uint32x4_t places = __arm_vidupq_n_u32(0, 2);
    size_t c, p;
    NNRT_ASSERT(nnrt__dw_s16_is_right(args));
    for (c = 0; c < channels; c += 8) {
        const uint32_t left = channels - c < 8 ? (uint32_t)(channels - c) : 8;
        const int16_t *const *taps = args->taps;
        nnrt__s16_cortex_m55_four even, odd;
        if (!fits ||
            !nnrt__s16_cortex_m55_take(&range, &args->constants, c, places, __arm_vctp32q((left + 1) / 2), &even) ||
            !nnrt__s16_cortex_m55_take(&range, &args->constants, c + 1, places, __arm_vctp32q(left / 2), &odd)) {
            for (p = 0; p < args->pixels; p++) nnrt__dw_s16_pixel(args, p, c, c + left);
            continue;
        }
        for (p = 0; p < args->pixels; p++, taps += count) {
            const int32x4x2_t sums = nnrt__dw_s16_cortex_m55_sums(taps, c * 2, args->w + c, channels, count, left);
            const int32x4_t low = nnrt__s16_cortex_m55_finish(sums.val[0], &even, &range);
            const int32x4_t high = nnrt__s16_cortex_m55_finish(sums.val[1], &odd, &range);
            __arm_vstrhq_p_s16(args->out + p * channels + c, __arm_vmovntq_s32(__arm_vreinterpretq_s16_s32(low), high),
                               __arm_vctp16q(left));
        }
    }
}

NNRT__FN void nnrt__dw_s16_cortex_m55_install(nnrt__cpu_table *t) {
    t->dw_s16 = nnrt__dw_s16_cortex_m55;
    t->dw_s16_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_DW_S16_CORTEX_M55_H */
