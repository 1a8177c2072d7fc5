/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/l2_s8_scalar.h - rows of int8 divided by their norm, with the bytes of TensorFlow Lite's reference kernel.

   pre   n elements, stride apart, n at most NNRT__L2_S8_MOST so that the sum of squares fits; out may be the very
         memory of in, and overlaps it in no other way. zero_point within -128..127.
   post  clamp(requantize(in - zero_point, 128 / norm)), of scale 1 / 128 and zero point 0; the norm is that of
         in - zero_point, its reciprocal nnrt__inverse_sqrt_multiplier. A row of zeros stays one. */
#ifndef NNRT_KERNELS_L2_S8_SCALAR_H
#define NNRT_KERNELS_L2_S8_SCALAR_H

#include "internal.h"
#include "lut_s8_scalar.h"

#define NNRT__L2_S8_MOST 32768u /* times 255^2 is below 2^31 */

NNRT__FN void nnrt__l2_normalize_s8_scalar(int32_t zero_point, const int8_t *in, int8_t *out, size_t n, size_t stride) {
    int32_t sum = 0, multiplier, shift;
    size_t i;
    NNRT_ASSERT(nnrt__row_is_right(in, 1, out, 1, n, stride));
    NNRT_ASSERT(n <= NNRT__L2_S8_MOST && nnrt__is_byte_quantity(zero_point));
    for (i = 0; i < n; i++) {
        const int32_t x = (int32_t)in[i * stride] - zero_point;
        sum += x * x;
    }
    nnrt__inverse_sqrt_multiplier(sum, &multiplier, &shift);
    for (i = 0; i < n; i++)
        out[i * stride] = (int8_t)nnrt__clamp_i32(
            nnrt__requantize((int32_t)in[i * stride] - zero_point, multiplier, shift + 7), -128, 127);
}

#endif /* NNRT_KERNELS_L2_S8_SCALAR_H */
