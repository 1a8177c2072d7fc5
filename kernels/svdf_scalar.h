/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/svdf_scalar.h - the second half of SVDF: a filter looks at the last results of the first half.

   Each of units * rank filters keeps its last `memory` features, the newest at the end. A step of time moves them on by
   one, puts the new feature behind them and multiplies all with the weights of the filter. The rank filters that follow
   each other make one unit.

   next[f]   state[f][1..memory-1], feature[f]
   dot[f]    sum over t of weights[f][t] * next[f][t]
   out[u]    clamp(bias[u] + sum over r of dot[u * rank + r])

   pre   units, rank, memory >= 1. feature: units * rank; state, next, weights: units * rank * memory, next apart from
         all others; bias: units, or NULL.
   float: in this order, each operation rounded.
   int16: sums modulo 2^32; out = clamp(requantize(sum) + zero_point) as int8. The state is int16, its zero point 0, or
         int8 with a zero point: then features are cut to -128..127 first and the zero point is added to them, modulo
         256. As TensorFlow Lite's kernels for microcontrollers. */
#ifndef NNRT_KERNELS_SVDF_SCALAR_H
#define NNRT_KERNELS_SVDF_SCALAR_H

#include "internal.h"
#include "fp_contract.h"

typedef struct nnrt__svdf_args {
    uint32_t units, rank, memory;
    float clamp_low, clamp_high;          /* float */
    int32_t multiplier, shift;            /* int16: of the sum; shift in -31..30 */
    int32_t state_zero_point, zero_point; /* within int8; the first is 0 where the state is int16 */
    int32_t clamp_min, clamp_max;         /* within int8 */
} nnrt__svdf_args;

/* element: bytes of features; kept: of weights and state. */
NNRT__ASSERT_FN bool nnrt__svdf_is_right(const nnrt__svdf_args *args, const void *feature, size_t element,
                                         const void *weights, const void *state, const void *next, size_t kept) {
    const size_t filters = (size_t)args->units * args->rank, size = filters * args->memory * kept;
    NNRT_ASSERT(args->units >= 1 && args->rank >= 1 && args->memory >= 1);
    NNRT_ASSERT(nnrt__is_aligned(feature, element) && nnrt__is_aligned(weights, kept));
    NNRT_ASSERT(nnrt__is_aligned(state, kept) && nnrt__is_aligned(next, kept));
    NNRT_ASSERT(nnrt__is_apart(feature, filters * element, next, size));
    NNRT_ASSERT(nnrt__is_apart(weights, size, next, size) && nnrt__is_apart(state, size, next, size));
    return true;
}

NNRT__ASSERT_FN bool nnrt__svdf_int_is_right(const nnrt__svdf_args *args) {
    NNRT_ASSERT(nnrt__is_factor(args->multiplier, args->shift, 30));
    NNRT_ASSERT(nnrt__is_byte_quantity(args->zero_point) && nnrt__is_byte_quantity(args->state_zero_point));
    NNRT_ASSERT(nnrt__is_s8_range(args->clamp_min, args->clamp_max));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__FN void nnrt__svdf_f32_scalar(const nnrt__svdf_args *args, const float *feature, const float *weights,
                                    const float *bias, const float *state, float *next, float *out) {
    const size_t memory = args->memory;
    size_t u, r, t;
    NNRT_ASSERT(nnrt__svdf_is_right(args, feature, sizeof(float), weights, state, next, sizeof(float)));
    for (u = 0; u < args->units; u++) {
        float sum = bias != NULL ? bias[u] : 0.0f;
        for (r = 0; r < args->rank; r++, weights += memory, state += memory, next += memory) {
            float dot = 0.0f;
            for (t = 0; t + 1 < memory; t++) next[t] = state[t + 1];
            next[t] = *feature++;
            for (t = 0; t < memory; t++) dot += weights[t] * next[t];
            sum += dot;
        }
        out[u] = nnrt__clamp_f32(sum, args->clamp_low, args->clamp_high);
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__INLINE int8_t nnrt__svdf_finish(const nnrt__svdf_args *args, uint32_t sum) {
    return nnrt__requantize_s8(sum, args->multiplier, args->shift, args->zero_point, args->clamp_min, args->clamp_max);
}

/* With a state of int16. */
NNRT__FN void nnrt__svdf_s16_scalar(const nnrt__svdf_args *args, const int16_t *feature, const int16_t *weights,
                                    const int32_t *bias, const int16_t *state, int16_t *next, int8_t *out) {
    const size_t memory = args->memory;
    size_t u, r, t;
    NNRT_ASSERT(nnrt__svdf_is_right(args, feature, sizeof(int16_t), weights, state, next, sizeof(int16_t)));
    NNRT_ASSERT(nnrt__svdf_int_is_right(args) && args->state_zero_point == 0);
    for (u = 0; u < args->units; u++) {
        uint32_t sum = bias != NULL ? (uint32_t)bias[u] : 0;
        for (r = 0; r < args->rank; r++, weights += memory, state += memory, next += memory) {
            for (t = 0; t + 1 < memory; t++) next[t] = state[t + 1];
            next[t] = *feature++;
            for (t = 0; t < memory; t++) sum += (uint32_t)((int32_t)weights[t] * next[t]);
        }
        out[u] = nnrt__svdf_finish(args, sum);
    }
}

/* With a state of int8. */
NNRT__FN void nnrt__svdf_s8_scalar(const nnrt__svdf_args *args, const int16_t *feature, const int8_t *weights,
                                   const int32_t *bias, const int8_t *state, int8_t *next, int8_t *out) {
    const size_t memory = args->memory;
    size_t u, r, t;
    NNRT_ASSERT(nnrt__svdf_is_right(args, feature, sizeof(int16_t), weights, state, next, sizeof(int8_t)));
    NNRT_ASSERT(nnrt__svdf_int_is_right(args));
    for (u = 0; u < args->units; u++) {
        uint32_t sum = bias != NULL ? (uint32_t)bias[u] : 0;
        for (r = 0; r < args->rank; r++, weights += memory, state += memory, next += memory) {
            const int32_t newest = nnrt__clamp_i32(*feature++, -128, 127) + args->state_zero_point;
            for (t = 0; t + 1 < memory; t++) next[t] = state[t + 1];
            next[t] = (int8_t)(uint8_t)((uint32_t)newest & 0xffu);
            for (t = 0; t < memory; t++) sum += (uint32_t)((int32_t)weights[t] * (next[t] - args->state_zero_point));
        }
        out[u] = nnrt__svdf_finish(args, sum);
    }
}

#endif /* NNRT_KERNELS_SVDF_SCALAR_H */
