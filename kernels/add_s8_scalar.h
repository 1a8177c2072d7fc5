/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_scalar.h - add_s8: the meaning of int8 ADD and SUB, with TensorFlow Lite's bytes.

   pre   kind is ADD or SUB; elements, steps, bounds and aliasing as in binary_s8_scalar.h.
   post  x = round((a - za) * 2^20 * input_multiplier[0] * 2^(input_shift[0] - 31)), y alike, and then
         out = clamp(requantize(x + y, or x - y) + zo). |x|, |y| <= 255 * 2^20 < 2^28, so the sum fits. */
#ifndef NNRT_KERNELS_ADD_S8_SCALAR_H
#define NNRT_KERNELS_ADD_S8_SCALAR_H

#include "binary_f32_scalar.h"
#include "internal.h"

#define NNRT__ADD_S8_LEFT_SHIFT 20

/* An operand of ADD or SUB on the common scale. |result| <= 255 * 2^20. */
NNRT__INLINE int32_t nnrt__add_s8_input(const nnrt__binary_s8_args *args, uint32_t which, int8_t q) {
    const int32_t x = ((int32_t)q - args->input_zero_point[which]) * (1 << NNRT__ADD_S8_LEFT_SHIFT);
    return nnrt__rounding_divide_by_pot(nnrt__rounding_doubling_high_mul(x, args->input_multiplier[which]),
                                        -args->input_shift[which]);
}

/* Is the factor of an operand 1/2? Of one it is: the common scale is twice the larger one. */
NNRT__INLINE bool nnrt__add_s8_halves(const nnrt__binary_s8_args *args, uint32_t which) {
    return args->input_multiplier[which] == 1 << 30 && args->input_shift[which] == 0;
}

NNRT__FN void nnrt__add_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                  size_t b_step, int8_t *out, size_t n) {
    const int32_t sign = args->kind == NNRT__BINARY_SUB ? -1 : 1;
    size_t i;
    for (i = 0; i < n; i++) {
        const int32_t x = nnrt__add_s8_input(args, 0, a[i * a_step]);
        const int32_t y = nnrt__add_s8_input(args, 1, b[i * b_step]);
        out[i] = nnrt__requantize_s8((uint32_t)(x + sign * y), args->output_multiplier, args->output_shift,
                                     args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__add_s8_scalar_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_scalar;
    t->add_s8_isa = "scalar";
}

#endif /* NNRT_KERNELS_ADD_S8_SCALAR_H */
