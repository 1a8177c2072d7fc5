/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s16_scalar.h - int16 ADD, SUB, MUL, SQUARED_DIFFERENCE, MAXIMUM and MINIMUM, with TensorFlow Lite's
   results.

   A slot, of which ADD, SUB and MUL have vectors.

   pre   n elements; steps as in binary_f32_scalar.h. Zero points are 0; clamp_min <= clamp_max within int16;
         multipliers are >= 0, input shifts lie in -31..0, output_shift in -31..30. out may be the very memory of an
         operand whose step is 1.
   add   x = round(a * 2^15 * input_multiplier[0] * 2^(input_shift[0] - 31)), y alike, then clamp(requantize(x + y, or
         x - y)). Input factors are at most 1/2, so |x|, |y| <= 2^29. It is the form for any scales; the one that
         TensorFlow Lite keeps for models with pot_scale_int16 is not here, as it is not in its kernels for
         microcontrollers.
   square  clamp(requantize(d * d)), d the difference of the operands as for SUB but without the 2^15: |d| <= 2^15.
   mul   clamp(requantize(a * b)); the product is at most 2^30.
   max   all three tensors are quantized alike: the larger (smaller) number, clamped. */
#ifndef NNRT_KERNELS_BINARY_S16_SCALAR_H
#define NNRT_KERNELS_BINARY_S16_SCALAR_H

#include "binary_f32_scalar.h"
#include "binary_s8_scalar.h"
#include "pack_scalar.h"
#include "s16_scalar.h"

#define NNRT__ADD_S16_LEFT_SHIFT 15

/* Fills the multipliers and shifts from the scales, all > 0. */
NNRT__FN void nnrt__binary_s16_scales(nnrt__binary_s8_args *args, double scale_a, double scale_b, double scale_out) {
    const double twice = 2.0 * (scale_a > scale_b ? scale_a : scale_b);
    const bool squares = args->kind == NNRT__BINARY_SQUARED_DIFFERENCE;
    if (args->kind == NNRT__BINARY_MUL) {
        nnrt__quantize_multiplier(scale_a * scale_b / scale_out, &args->output_multiplier, &args->output_shift);
        return;
    }
    nnrt__quantize_multiplier(nnrt__scale_ratio(args, scale_a, twice), &args->input_multiplier[0],
                              &args->input_shift[0]);
    nnrt__quantize_multiplier(nnrt__scale_ratio(args, scale_b, twice), &args->input_multiplier[1],
                              &args->input_shift[1]);
    nnrt__quantize_multiplier(squares
                                  ? twice * twice / scale_out
                                  : nnrt__scale_ratio(args, twice, (double)(1 << NNRT__ADD_S16_LEFT_SHIFT) * scale_out),
                              &args->output_multiplier, &args->output_shift);
}

/* An operand of ADD, SUB or SQUARED_DIFFERENCE on the common scale, shifted left. */
NNRT__INLINE uint32_t nnrt__add_s16_input(const nnrt__binary_s8_args *args, uint32_t which, int16_t q, int left) {
    return (uint32_t)nnrt__requantize((int32_t)q * (1 << left), args->input_multiplier[which],
                                      args->input_shift[which]);
}

/* One element; a sum of a hostile plan wraps. */
NNRT__INLINE int16_t nnrt__binary_s16_one(const nnrt__binary_s8_args *args, int16_t a, int16_t b) {
    uint32_t x;
    if (args->kind == NNRT__BINARY_MAXIMUM || args->kind == NNRT__BINARY_MINIMUM)
        return (int16_t)nnrt__clamp_i32((a > b) == (args->kind == NNRT__BINARY_MAXIMUM) ? a : b, args->clamp_min,
                                        args->clamp_max);
    if (args->kind == NNRT__BINARY_MUL) {
        x = (uint32_t)((int32_t)a * b);
    } else if (args->kind == NNRT__BINARY_SQUARED_DIFFERENCE) {
        x = nnrt__add_s16_input(args, 0, a, 0) - nnrt__add_s16_input(args, 1, b, 0);
        x *= x;
    } else {
        const uint32_t y = nnrt__add_s16_input(args, 1, b, NNRT__ADD_S16_LEFT_SHIFT);
        x = nnrt__add_s16_input(args, 0, a, NNRT__ADD_S16_LEFT_SHIFT);
        x = args->kind == NNRT__BINARY_SUB ? x - y : x + y;
    }
    return nnrt__requantize_s16(x, args->output_multiplier, args->output_shift, args->clamp_min, args->clamp_max);
}

NNRT__ASSERT_FN bool nnrt__binary_s16_is_right(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step,
                                               const int16_t *b, size_t b_step, const int16_t *out, size_t n) {
    NNRT_ASSERT(args->kind <= NNRT__BINARY_SQUARED_DIFFERENCE && args->kind != NNRT__BINARY_DIV);
    NNRT_ASSERT(args->input_zero_point[0] == 0 && args->input_zero_point[1] == 0 && args->output_zero_point == 0);
    NNRT_ASSERT(nnrt__is_s16_range(args->clamp_min, args->clamp_max));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[0], args->input_shift[0], 0));
    NNRT_ASSERT(nnrt__is_factor(args->input_multiplier[1], args->input_shift[1], 0));
    NNRT_ASSERT(nnrt__is_factor(args->output_multiplier, args->output_shift, 30));
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, sizeof(int16_t), out, sizeof(int16_t), n, true));
    return true;
}

/* Are there vectors for this operator, where there are any? */
NNRT__INLINE bool nnrt__binary_s16_rescales(const nnrt__binary_s8_args *args) {
    return args->kind == NNRT__BINARY_ADD || args->kind == NNRT__BINARY_SUB || args->kind == NNRT__BINARY_MUL;
}

NNRT__FN void nnrt__binary_s16_scalar(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step,
                                      const int16_t *b, size_t b_step, int16_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__binary_s16_is_right(args, a, a_step, b, b_step, out, n));
    for (i = 0; i < n; i++) out[i] = nnrt__binary_s16_one(args, a[i * a_step], b[i * b_step]);
}

NNRT__FN void nnrt__binary_s16_scalar_install(nnrt__cpu_table *t) {
    t->binary_s16 = nnrt__binary_s16_scalar;
    t->binary_s16_isa = "scalar";
}

#endif /* NNRT_KERNELS_BINARY_S16_SCALAR_H */
