/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s8_scalar.h - the meaning of int8 ADD, SUB, MUL, MAXIMUM and MINIMUM, with TensorFlow Lite's
   bytes.

   pre   n elements; steps as in binary_f32_scalar.h. Zero points, clamp_min and clamp_max lie within
         -128..127, clamp_min <= clamp_max; multipliers are >= 0; input shifts lie in -31..0, output_shift in
         -31..30. out may be the very memory of an operand whose step is 1.
   add   add_s8_scalar.h, which is a slot; the other operators have no vector form.
   mul   clamp(requantize((a - za) * (b - zb)) + zo); the product is at most 255^2.
   max   all three tensors are quantized alike: the larger (smaller) byte, clamped. */
#ifndef NNRT_KERNELS_BINARY_S8_SCALAR_H
#define NNRT_KERNELS_BINARY_S8_SCALAR_H

#include "add_s8_scalar.h"
#include "binary_f32_scalar.h"
#include "internal.h"
#include "pack_scalar.h"

/* Fills the multipliers and shifts from the scales, all > 0. */
NNRT__FN void nnrt__binary_s8_scales(nnrt__binary_s8_args *args, double scale_a, double scale_b, double scale_out) {
    if (args->kind == NNRT__BINARY_MUL) {
        /* in double throughout, as the reference kernels for microcontrollers do; a float product has other
           last bits */
        nnrt__quantize_multiplier(scale_a * scale_b / scale_out, &args->output_multiplier, &args->output_shift);
    } else {
        const double twice = 2.0 * (scale_a > scale_b ? scale_a : scale_b);
        nnrt__quantize_multiplier(scale_a / twice, &args->input_multiplier[0], &args->input_shift[0]);
        nnrt__quantize_multiplier(scale_b / twice, &args->input_multiplier[1], &args->input_shift[1]);
        nnrt__quantize_multiplier(twice / ((double)(1 << NNRT__ADD_S8_LEFT_SHIFT) * scale_out),
                                  &args->output_multiplier, &args->output_shift);
    }
}

NNRT__FN void nnrt__mul_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                  size_t b_step, int8_t *out, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        const int32_t x = (int32_t)a[i * a_step] - args->input_zero_point[0];
        const int32_t y = (int32_t)b[i * b_step] - args->input_zero_point[1];
        out[i] = nnrt__requantize_s8((uint32_t)(x * y), args->output_multiplier, args->output_shift,
                                     args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__extremum_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step,
                                       const int8_t *b, size_t b_step, int8_t *out, size_t n) {
    const bool most = args->kind == NNRT__BINARY_MAXIMUM;
    size_t i;
    for (i = 0; i < n; i++) {
        const int8_t x = a[i * a_step], y = b[i * b_step];
        out[i] = (int8_t)nnrt__clamp_i32((x > y) == most ? x : y, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__binary_s8_scalar(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                     size_t b_step, int8_t *out, size_t n) {
    switch (args->kind) {
    case NNRT__BINARY_ADD:
    case NNRT__BINARY_SUB: nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_MUL: nnrt__mul_s8_scalar(args, a, a_step, b, b_step, out, n); break;
    default: nnrt__extremum_s8_scalar(args, a, a_step, b, b_step, out, n);
    }
}

#endif /* NNRT_KERNELS_BINARY_S8_SCALAR_H */
