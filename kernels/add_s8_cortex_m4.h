/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_cortex_m4.h - add_s8 for the DSP extension of Cortex-M4, M7 and M33. Contract: add_s8_scalar.h.

   smmulr of twice a number is its rounded quotient, as in cortex_m4.h; operands are so small that nothing saturates. */
#ifndef NNRT_KERNELS_ADD_S8_CORTEX_M4_H
#define NNRT_KERNELS_ADD_S8_CORTEX_M4_H

#include "add_s8_scalar.h"
#include "cortex_m4.h"
#include "internal.h"

/* What the elements of an operand have in common. */
typedef struct nnrt__add_s8_cortex_m4_input {
    int32_t zero, multiplier; /* zero point times 2^21 */
    int32_t shift;            /* to the right, less 1 */
} nnrt__add_s8_cortex_m4_input;

/* false: nothing but nnrt__add_s8_scalar takes the factor. 1/2, as one operand has it, is made nearly 1 and a shift:
   255 * 2^20 times that is rounded to itself. */
NNRT__INLINE bool nnrt__add_s8_cortex_m4_take(nnrt__add_s8_cortex_m4_input *input, const nnrt__binary_s8_args *args,
                                              uint32_t which) {
    const bool halves = nnrt__add_s8_halves(args, which);
    input->zero = args->input_zero_point[which] * (2 << NNRT__ADD_S8_LEFT_SHIFT);
    input->multiplier = halves ? INT32_MAX : args->input_multiplier[which];
    input->shift = halves ? 0 : ~args->input_shift[which];
    return input->shift >= 0;
}

/* nnrt__add_s8_input. */
NNRT__INLINE int32_t nnrt__add_s8_cortex_m4_one(const nnrt__add_s8_cortex_m4_input *input, int8_t q) {
    int32_t x = (int32_t)q * (2 << NNRT__ADD_S8_LEFT_SHIFT) - input->zero;
    __asm__("smmulr %0, %1, %2" : "=r"(x) : "r"(x), "r"(input->multiplier));
    return (((x + (x >> 31)) >> input->shift) + 1) >> 1;
}

NNRT__FN void nnrt__add_s8_cortex_m4(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                     size_t b_step, int8_t *out, size_t n) {
    const int32_t sign = args->kind == NNRT__BINARY_SUB ? -1 : 1;
    const int32_t multiplier = args->output_multiplier, shift = args->output_shift;
    const int32_t offset = 2 * args->output_zero_point + 1;
    const int8_t *const end = out + n;
    nnrt__add_s8_cortex_m4_input of_a, of_b;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (!nnrt__add_s8_cortex_m4_take(&of_a, args, 0) || !nnrt__add_s8_cortex_m4_take(&of_b, args, 1) ||
        args->clamp_min != -128 || args->clamp_max != 127 || !nnrt__cortex_m4_is_usual(multiplier, shift)) {
        nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n);
        return;
    }
    for (; out < end; out++, a += a_step, b += b_step) {
        const int32_t x = nnrt__add_s8_cortex_m4_one(&of_a, *a), y = nnrt__add_s8_cortex_m4_one(&of_b, *b);
        *out = (int8_t)nnrt__cortex_m4_finish((uint32_t)(x + sign * y), multiplier, shift, offset);
    }
}

NNRT__FN void nnrt__add_s8_cortex_m4_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_cortex_m4;
    t->add_s8_isa = nnrt__isa_name_CORTEX_M4;
}

#endif /* NNRT_KERNELS_ADD_S8_CORTEX_M4_H */
