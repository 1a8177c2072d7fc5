/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/pool_s8_cortex_m55.h - avg_pool_s8 and max_pool_s8 for Helium (Cortex-M55, M85). Contract: pool_s8_scalar.h.

   Average: four channels at a time, in 32 bits; maximum: sixteen. At the end as many as there are, by predicates. */
#ifndef NNRT_KERNELS_POOL_S8_CORTEX_M55_H
#define NNRT_KERNELS_POOL_S8_CORTEX_M55_H

#include "cortex_m55.h"
#include "internal.h"
#include "pool_s8_scalar.h"

/* round(sum / count), ties away from zero. reciprocal: 2^32 / count, cut off. The magnitude is below 2^31, so its
   product with the reciprocal, cut off, is the quotient or 1 less; the remainder tells. */
NNRT__INLINE int32x4_t nnrt__pool_s8_cortex_m55_divide(int32x4_t sum, uint32_t count, uint32_t reciprocal) {
    const int32x4_t sign = __arm_vshrq_n_s32(sum, 31);
    const uint32x4_t value = __arm_vaddq_n_u32(__arm_vreinterpretq_u32_s32(__arm_vabsq_s32(sum)), count / 2);
    const uint32x4_t quotient = __arm_vmulhq_u32(value, __arm_vdupq_n_u32(reciprocal));
    const uint32x4_t remainder = __arm_vsubq_u32(value, __arm_vmulq_n_u32(quotient, count));
    /* less than the remainder by 1 where the quotient is 1 too small: below zero */
    const int32x4_t more =
        __arm_vshrq_n_s32(__arm_vreinterpretq_s32_u32(__arm_vsubq_u32(__arm_vdupq_n_u32(count - 1), remainder)), 31);
    const int32x4_t x = __arm_vsubq_s32(__arm_vreinterpretq_s32_u32(quotient), more);
    return __arm_vsubq_s32(__arm_veorq_s32(x, sign), sign);
}

NNRT__FN void nnrt__avg_pool_s8_cortex_m55(const nnrt__pool_s8_args *args) {
    const nnrt__cortex_m55_range range = nnrt__cortex_m55_range_of(-args->offset, args->clamp_min, args->clamp_max);
    const uint32_t count = (uint32_t)(args->rows * args->columns);
    const uint32_t reciprocal = count == 1 ? UINT32_MAX : (uint32_t)(0u - count) / count + 1;
    size_t channel, row, column;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel += 4) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(args->channels - channel));
        int32x4_t sum = __arm_vdupq_n_s32((int32_t)count * args->offset);
        for (row = 0; row < args->rows; row++) {
            const int8_t *in = args->in + row * args->row_stride + channel;
            for (column = args->columns; column != 0; column--, in += args->channels)
                sum = __arm_vaddq_s32(sum, __arm_vldrbq_z_s32(in, are_left));
        }
        sum = nnrt__cortex_m55_clamp(nnrt__pool_s8_cortex_m55_divide(sum, count, reciprocal), &range);
        __arm_vstrbq_p_s32(args->out + channel, sum, are_left);
    }
}

NNRT__FN void nnrt__max_pool_s8_cortex_m55(const nnrt__pool_s8_args *args) {
    const int8x16_t low = __arm_vdupq_n_s8((int8_t)args->clamp_min), high = __arm_vdupq_n_s8((int8_t)args->clamp_max);
    size_t channel, row, column;
    NNRT_ASSERT(nnrt__pool_s8_is_right(args));
    for (channel = 0; channel < args->channels; channel += 16) {
        const mve_pred16_t are_left = __arm_vctp8q((uint32_t)(args->channels - channel));
        int8x16_t most = low;
        for (row = 0; row < args->rows; row++) {
            const int8_t *in = args->in + row * args->row_stride + channel;
            for (column = args->columns; column != 0; column--, in += args->channels)
                most = __arm_vmaxq_s8(most, __arm_vldrbq_z_s8(in, are_left));
        }
        __arm_vstrbq_p_s8(args->out + channel, __arm_vminq_s8(most, high), are_left);
    }
}

NNRT__FN void nnrt__avg_pool_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->avg_pool_s8 = nnrt__avg_pool_s8_cortex_m55;
    t->avg_pool_s8_isa = nnrt__isa_name_CORTEX_M55;
}

NNRT__FN void nnrt__max_pool_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->max_pool_s8 = nnrt__max_pool_s8_cortex_m55;
    t->max_pool_s8_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_POOL_S8_CORTEX_M55_H */
