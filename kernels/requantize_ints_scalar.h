/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/requantize_ints_scalar.h - quantized integers with another scale, zero point or type, with TensorFlow Lite's
   results.

   pre   multiplier >= 0 and shift in -31..30, as nnrt__quantize_multiplier makes them of the ratio of scales. in and
         out have n elements of their types, aligned; they overlap nowhere.
   post  out = clamp(requantize(in - input_zero_point) + output_zero_point) within the type of out. What a shift to the
         left takes beyond 32 bits saturates. */
#ifndef NNRT_KERNELS_REQUANTIZE_INTS_SCALAR_H
#define NNRT_KERNELS_REQUANTIZE_INTS_SCALAR_H

#include "quantize_scalar.h"
#include "s16_scalar.h"

typedef struct nnrt__requantize_ints_args {
    int32_t multiplier, shift;
    int32_t input_zero_point, output_zero_point;
} nnrt__requantize_ints_args;

/* from, to: nnrt__cast_type, of 8, 16 and 32 bits. */
NNRT__FN void nnrt__requantize_ints_scalar(const nnrt__requantize_ints_args *args, uint32_t from, const void *in,
                                           uint32_t to, void *out, size_t n) {
    const int64_t low = to == NNRT__CAST_U8    ? 0
                        : to == NNRT__CAST_S8  ? -128
                        : to == NNRT__CAST_S16 ? -32768
                                               : INT32_MIN;
    const int64_t high = to == NNRT__CAST_U8 ? 255 : -1 - low;
    size_t i;
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, 30));
    NNRT_ASSERT(from == NNRT__CAST_S8 || from == NNRT__CAST_U8 || from == NNRT__CAST_S16 || from == NNRT__CAST_S32);
    NNRT_ASSERT(to == NNRT__CAST_S8 || to == NNRT__CAST_U8 || to == NNRT__CAST_S16 || to == NNRT__CAST_S32);
    NNRT_ASSERT(nnrt__is_aligned(in, nnrt__cast_size(from)) && nnrt__is_aligned(out, nnrt__cast_size(to)));
    NNRT_ASSERT(nnrt__is_apart(in, n * nnrt__cast_size(from), out, n * nnrt__cast_size(to)));
    for (i = 0; i < n; i++) {
        const int64_t x = (int64_t)nnrt__cast_load_int(from, in, i) - args->input_zero_point;
        const int32_t kept = x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x;
        const int64_t y =
            (int64_t)nnrt__requantize_saturated(kept, args->multiplier, args->shift) + args->output_zero_point;
        nnrt__cast_store_int(to, out, i, (uint64_t)(y < low ? low : y > high ? high : y));
    }
}

#endif /* NNRT_KERNELS_REQUANTIZE_INTS_SCALAR_H */
