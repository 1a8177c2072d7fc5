/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/blend_scalar.h - the meaning of blend_s8 and blend_f32: n channels of one pixel between four pixels, as
   bilinear interpolation has them.

   pre   args as the structures below say; n >= 1; `to` does not overlap the others, which may be one another.
   post  s8: the weights of left and right are 1024 - right and right, those of upper and lower 1024 - down and down;
         the sum of the four products, of magnitude 2^27 at most, divided by 2^20, rounded half away from zero. The
         same bytes everywhere.
         f32: p = left + (right - left) * weight of the upper two and q of the lower, then p + (q - p) * weight, each
         operation rounded to float, and never two as one. Where vectors have no denormals (ARMv7) those are 0. */
#ifndef NNRT_KERNELS_BLEND_SCALAR_H
#define NNRT_KERNELS_BLEND_SCALAR_H

#include "internal.h"
#include "fp_contract.h"

typedef struct nnrt__blend_s8_args {
    const int8_t *upper[2], *lower[2]; /* left, right: n bytes each */
    int32_t right, down;               /* 0..1024 */
    int8_t *to;
    size_t n;
} nnrt__blend_s8_args;

typedef struct nnrt__blend_f32_args {
    const float *upper[2], *lower[2];
    float right, down;
    float *to;
    size_t n;
} nnrt__blend_f32_args;

NNRT__ASSERT_FN bool nnrt__blend_s8_is_right(const nnrt__blend_s8_args *args) {
    NNRT_ASSERT(args->n >= 1 && args->to != NULL);
    NNRT_ASSERT(args->right >= 0 && args->right <= 1024 && args->down >= 0 && args->down <= 1024);
    NNRT_ASSERT(nnrt__are_apart(args->upper, 2, args->n, 1, args->to, args->n));
    NNRT_ASSERT(nnrt__are_apart(args->lower, 2, args->n, 1, args->to, args->n));
    return true;
}

NNRT__ASSERT_FN bool nnrt__blend_f32_is_right(const nnrt__blend_f32_args *args) {
    const size_t size = args->n * sizeof(float);
    NNRT_ASSERT(args->n >= 1 && nnrt__is_aligned(args->to, sizeof(float)));
    NNRT_ASSERT(nnrt__are_apart(args->upper, 2, size, sizeof(float), args->to, size));
    NNRT_ASSERT(nnrt__are_apart(args->lower, 2, size, sizeof(float), args->to, size));
    return true;
}

NNRT__FN void nnrt__blend_s8_scalar(const nnrt__blend_s8_args *args) {
    const int32_t right = args->right, left = 1024 - right, down = args->down, up = 1024 - down;
    const int32_t w00 = up * left, w01 = up * right, w10 = down * left, w11 = down * right;
    size_t i;
    NNRT_ASSERT(nnrt__blend_s8_is_right(args));
    for (i = 0; i < args->n; i++) {
        const int32_t sum =
            args->upper[0][i] * w00 + args->upper[1][i] * w01 + args->lower[0][i] * w10 + args->lower[1][i] * w11;
        args->to[i] = (int8_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
    }
}

NNRT__FP_CONTRACT_OFF_BEGIN

/* From element `first` on: what is left behind vectors. */
NNRT__INLINE_FOR_SPEED void nnrt__blend_f32_from(const nnrt__blend_f32_args *args, size_t first) {
    size_t i;
    for (i = first; i < args->n; i++) {
        const float p = args->upper[0][i] + (args->upper[1][i] - args->upper[0][i]) * args->right;
        const float q = args->lower[0][i] + (args->lower[1][i] - args->lower[0][i]) * args->right;
        args->to[i] = p + (q - p) * args->down;
    }
}

NNRT__FN void nnrt__blend_f32_scalar(const nnrt__blend_f32_args *args) {
    NNRT_ASSERT(nnrt__blend_f32_is_right(args));
    nnrt__blend_f32_from(args, 0);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__blend_scalar_install(nnrt__cpu_table *t) {
    t->blend_s8 = nnrt__blend_s8_scalar;
    t->blend_f32 = nnrt__blend_f32_scalar;
    t->blend_s8_isa = t->blend_f32_isa = "scalar";
}

#endif /* NNRT_KERNELS_BLEND_SCALAR_H */
