/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/cumsum_scalar.h - running sums along an axis.

   A lane is count elements, inner apart; there are outer * inner of them. Along a lane, or backwards where `reverse`
   says so, out is the sum of what was met so far: with the element itself, or, where `exclusive` says so, without.

   pre   outer, count, inner >= 1, their product at most 2^30; in and out [outer, count, inner], one memory or apart.
   float one sum after the other, from 0, each rounded.
   s32, s64  modulo 2^32 and 2^64.
   int8  as TensorFlow Lite's kernel for microcontrollers: sums of x - input_zero_point begin with that of the byte 0,
         which is not 0 where the zero point is not; out = clamp(sum * 2^19 * multiplier * 2^(shift - 31) +
         output_zero_point), with its two roundings. That kernel wraps where a sum leaves -4096..4095; here the result
         saturates. */
#ifndef NNRT_KERNELS_CUMSUM_SCALAR_H
#define NNRT_KERNELS_CUMSUM_SCALAR_H

#include "internal.h"
#include "fp_contract.h"

typedef struct nnrt__cumsum_args {
    uint32_t outer, count, inner;
    uint32_t exclusive, reverse;                 /* 0 or 1 */
    int32_t input_zero_point, output_zero_point; /* int8; else 0 */
    int32_t multiplier, shift;                   /* int8: shift in -31..0 */
} nnrt__cumsum_args;

NNRT__ASSERT_FN bool nnrt__cumsum_is_right(const nnrt__cumsum_args *args, const void *in, const void *out,
                                           size_t element, size_t first, size_t last) {
    const size_t most = (size_t)1 << 30, lanes = (size_t)args->outer * args->inner;
    NNRT_ASSERT(args->outer >= 1 && args->count >= 1 && args->inner >= 1);
    NNRT_ASSERT(args->outer <= most / args->inner && args->count <= most / lanes);
    NNRT_ASSERT(args->exclusive <= 1 && args->reverse <= 1);
    NNRT_ASSERT(first <= last && last <= lanes);
    NNRT_ASSERT(nnrt__elements_are_right(in, element, out, element, lanes * args->count));
    return true;
}

/* The first element of a lane, and how far the next one is; both count elements. */
NNRT__INLINE size_t nnrt__cumsum_lane(const nnrt__cumsum_args *args, size_t lane, ptrdiff_t *step) {
    const size_t first = lane / args->inner * args->count * args->inner + lane % args->inner;
    *step = args->reverse != 0 ? -(ptrdiff_t)args->inner : (ptrdiff_t)args->inner;
    return args->reverse != 0 ? first + (size_t)(args->count - 1) * args->inner : first;
}

/* An int8 result of a sum. */
NNRT__INLINE int8_t nnrt__cumsum_requantize(const nnrt__cumsum_args *args, int64_t sum) {
    const int64_t most = (int64_t)1 << 31;
    const int64_t mask = ((int64_t)1 << -args->shift) - 1;
    int64_t x, remainder;
    if (sum > most) sum = most;
    if (sum < -most) sum = -most;
    x = (sum * args->multiplier + ((int64_t)1 << 11)) >> 12; /* rounded as a product's upper half of sum * 2^19 */
    remainder = x & mask;
    x = (x >> -args->shift) + (remainder > (mask >> 1) + (x < 0 ? 1 : 0) ? 1 : 0);
    x += args->output_zero_point;
    return (int8_t)(x < -128 ? -128 : x > 127 ? 127 : x);
}

/* Lanes [first, last). */
NNRT__FN void nnrt__cumsum_s8_scalar(const nnrt__cumsum_args *args, const int8_t *in, int8_t *out, size_t first,
                                     size_t last, const nnrt__stop *stop) {
    size_t i, end;
    NNRT_ASSERT(nnrt__cumsum_is_right(args, in, out, 1, first, last));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->input_zero_point) && nnrt__is_byte_quantity(args->output_zero_point));
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, 0));
    for (; first < last; first++) {
        int64_t sum = -(int64_t)args->input_zero_point;
        ptrdiff_t step;
        size_t at = nnrt__cumsum_lane(args, first, &step);
        for (i = 0; i < args->count;) {
            for (end = nnrt__piece_end(i, args->count); i < end; i++, at += (size_t)step) {
                const int64_t before = sum;
                sum += in[at] - args->input_zero_point;
                out[at] = nnrt__cumsum_requantize(args, args->exclusive != 0 ? before : sum);
            }
            if (args->count > NNRT__PIECE && nnrt__is_stopped(stop)) return;
        }
    }
}

#define NNRT__CUMSUM(name, type, sum_type)                                                                             \
    NNRT__FN void nnrt__cumsum_##name##_scalar(const nnrt__cumsum_args *args, const type *in, type *out, size_t first, \
                                               size_t last, const nnrt__stop *stop) {                                  \
        size_t i, end;                                                                                                 \
        NNRT_ASSERT(nnrt__cumsum_is_right(args, in, out, sizeof(type), first, last));                                  \
        for (; first < last; first++) {                                                                                \
            sum_type sum = 0;                                                                                          \
            ptrdiff_t step;                                                                                            \
            size_t at = nnrt__cumsum_lane(args, first, &step);                                                         \
            for (i = 0; i < args->count;) {                                                                            \
                for (end = nnrt__piece_end(i, args->count); i < end; i++, at += (size_t)step) {                        \
                    const sum_type before = sum;                                                                       \
                    sum += (sum_type)in[at];                                                                           \
                    out[at] = (type)(args->exclusive != 0 ? before : sum);                                             \
                }                                                                                                      \
                if (args->count > NNRT__PIECE && nnrt__is_stopped(stop)) return;                                       \
            }                                                                                                          \
        }                                                                                                              \
    }

NNRT__FP_CONTRACT_OFF_BEGIN
NNRT__CUMSUM(f32, float, float)
NNRT__FP_CONTRACT_OFF_END
NNRT__CUMSUM(s32, int32_t, uint32_t)
NNRT__CUMSUM(s64, int64_t, uint64_t)
#undef NNRT__CUMSUM

#endif /* NNRT_KERNELS_CUMSUM_SCALAR_H */
