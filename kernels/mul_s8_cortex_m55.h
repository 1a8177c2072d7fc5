/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/mul_s8_cortex_m55.h - mul_s8 for Helium (Cortex-M55, M85). Contract: mul_s8_scalar.h. Four elements at a
   time, at the end of a row as many as there are, by predicates; any factor, so that nothing goes the portable way. */
#ifndef NNRT_KERNELS_MUL_S8_CORTEX_M55_H
#define NNRT_KERNELS_MUL_S8_CORTEX_M55_H

#include "cortex_m55.h"
#include "internal.h"
#include "mul_s8_scalar.h"

/* nnrt__requantize of four numbers. What is below zero loses 1 before it is shifted to the right by one or more. */
NNRT__INLINE int32x4_t nnrt__mul_s8_cortex_m55_requantize(int32x4_t x, int32_t multiplier, int32_t shift) {
    x = __arm_vqrdmulhq_n_s32(__arm_vshlq_r_s32(x, shift > 0 ? shift : 0), multiplier);
    return shift < 0 ? __arm_vrshlq_n_s32(nnrt__cortex_m55_down(x), shift) : x;
}

NNRT__FN void nnrt__mul_s8_cortex_m55(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                      size_t b_step, int8_t *out, size_t n) {
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    const nnrt__binary_s8_args own = *args; /* bytes that are stored cannot change it */
    size_t i;
    NNRT_ASSERT(nnrt__mul_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i += 4) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(n - i));
        int32x4_t x = a_step != 0 ? __arm_vldrbq_z_s32(a + i, are_left) : __arm_vdupq_n_s32(*a);
        int32x4_t y = b_step != 0 ? __arm_vldrbq_z_s32(b + i, are_left) : __arm_vdupq_n_s32(*b);
        x = __arm_vsubq_n_s32(x, own.input_zero_point[0]);
        y = __arm_vmulq_s32(x, __arm_vsubq_n_s32(y, own.input_zero_point[1]));
        y = nnrt__mul_s8_cortex_m55_requantize(y, own.output_multiplier, own.output_shift);
        if (own.kind == NNRT__BINARY_PRELU) {
            const mve_pred16_t keeps = __arm_vcmpgeq_n_s32(x, 0);
            x = nnrt__mul_s8_cortex_m55_requantize(x, own.input_multiplier[0], own.input_shift[0]);
            y = __arm_vpselq_s32(x, y, keeps);
        }
        __arm_vstrbq_p_s32(out + i, nnrt__cortex_m55_clamp(y, &range), are_left);
    }
}

NNRT__FN void nnrt__mul_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->mul_s8 = nnrt__mul_s8_cortex_m55;
    t->mul_s8_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_MUL_S8_CORTEX_M55_H */
