/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/mul_s8_scalar.h - mul_s8: the meaning of int8 MUL and PRELU, with TensorFlow Lite's bytes.

   pre    kind is MUL or PRELU; elements, steps, bounds and aliasing as in binary_s8_scalar.h.
   mul    out = clamp(requantize((a - za) * (b - zb)) + zo); the product is at most 255^2.
   prelu  a >= za: clamp(requantize(a - za) + zo) with input_multiplier[0] and input_shift[0], the ratio of the scales
          of a and out; else as mul. */
#ifndef NNRT_KERNELS_MUL_S8_SCALAR_H
#define NNRT_KERNELS_MUL_S8_SCALAR_H

#include "add_s8_scalar.h"
#include "internal.h"

NNRT__ASSERT_FN bool nnrt__mul_s8_is_right(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                           const int8_t *b, size_t b_step, const int8_t *out, size_t n) {
    NNRT_ASSERT(args->kind == NNRT__BINARY_MUL || args->kind == NNRT__BINARY_PRELU);
    NNRT_ASSERT(nnrt__binary_s8_is_right(args, a, a_step, b, b_step, out, n));
    return true;
}

NNRT__FN void nnrt__mul_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                  size_t b_step, int8_t *out, size_t n) {
    const int32_t kept = args->kind == NNRT__BINARY_PRELU ? 0 : 256; /* a - za from which on it is not multiplied */
    size_t i;
    NNRT_ASSERT(nnrt__mul_s8_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i++) {
        const int32_t x = (int32_t)a[i * a_step] - args->input_zero_point[0];
        const int32_t y = (int32_t)b[i * b_step] - args->input_zero_point[1];
        const bool keeps = x >= kept;
        out[i] = nnrt__requantize_s8((uint32_t)(keeps ? x : x * y),
                                     keeps ? args->input_multiplier[0] : args->output_multiplier,
                                     keeps ? args->input_shift[0] : args->output_shift, args->output_zero_point,
                                     args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__mul_s8_scalar_install(nnrt__cpu_table *t) {
    t->mul_s8 = nnrt__mul_s8_scalar;
    t->mul_s8_isa = "scalar";
}

#endif /* NNRT_KERNELS_MUL_S8_SCALAR_H */
