/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_cortex_m55.h - add_s8 for Helium (Cortex-M55, M85). Contract: add_s8_scalar.h. Four elements at a
   time, at the end of a row as many as there are, by predicates; the roundings are those of cortex_m55.h. */
#ifndef NNRT_KERNELS_ADD_S8_CORTEX_M55_H
#define NNRT_KERNELS_ADD_S8_CORTEX_M55_H

#include "add_s8_scalar.h"
#include "cortex_m55.h"
#include "internal.h"

/* nnrt__add_s8_input of four elements. A shift of 0 takes no second rounding. */
NNRT__INLINE int32x4_t nnrt__add_s8_input_cortex_m55(const nnrt__binary_s8_args *args, uint32_t which, int32x4_t q) {
    int32x4_t x = __arm_vshlq_n_s32(__arm_vsubq_n_s32(q, args->input_zero_point[which]), NNRT__ADD_S8_LEFT_SHIFT);
    x = __arm_vqrdmulhq_n_s32(x, args->input_multiplier[which]);
    if (args->input_shift[which] == 0) return x;
    return __arm_vrshlq_n_s32(nnrt__cortex_m55_down(x), args->input_shift[which]);
}

NNRT__FN void nnrt__add_s8_cortex_m55(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                      size_t b_step, int8_t *out, size_t n) {
    const nnrt__cortex_m55_range range =
        nnrt__cortex_m55_range_of(args->output_zero_point, args->clamp_min, args->clamp_max);
    size_t i;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (!nnrt__cortex_m55_is_usual(args->output_shift)) {
        nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n);
        return;
    }
    for (i = 0; i < n; i += 4) {
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)(n - i));
        int32x4_t x = a_step != 0 ? __arm_vldrbq_z_s32(a + i, are_left) : __arm_vdupq_n_s32(*a);
        int32x4_t y = b_step != 0 ? __arm_vldrbq_z_s32(b + i, are_left) : __arm_vdupq_n_s32(*b);
        x = nnrt__add_s8_input_cortex_m55(args, 0, x);
        y = nnrt__add_s8_input_cortex_m55(args, 1, y);
        x = args->kind == NNRT__BINARY_SUB ? __arm_vsubq_s32(x, y) : __arm_vaddq_s32(x, y);
        x = nnrt__cortex_m55_down(__arm_vqrdmulhq_n_s32(x, args->output_multiplier));
        x = nnrt__cortex_m55_clamp(__arm_vrshlq_n_s32(x, args->output_shift), &range);
        __arm_vstrbq_p_s32(out + i, x, are_left);
    }
}

NNRT__FN void nnrt__add_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_cortex_m55;
    t->add_s8_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_ADD_S8_CORTEX_M55_H */
