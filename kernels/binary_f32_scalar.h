/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_f32_scalar.h - float operators of two operands, and comparisons.

   pre n elements; a_step and b_step are 1, or 0 for an operand that is one element for all. out may be the memory of an
   operand whose step is 1 (comparisons: of none); otherwise nothing overlaps. post out[i] = op(a[i * a_step], b[i *
   b_step]), one IEEE operation each; then the clamp, when there is one. NaN maximum and minimum take b unless a is
   greater (less); the clamp turns a NaN into its low bound. Comparisons with a NaN are false, but for "not equal". MOD
   is C's fmod: a - n * b for the quotient n cut towards 0, exact, with the sign of a even where it is 0; a where b
   alone is infinite; a NaN where b is 0 or a infinite. */
#ifndef NNRT_KERNELS_BINARY_F32_SCALAR_H
#define NNRT_KERNELS_BINARY_F32_SCALAR_H

#include "fp_contract.h"
#include "internal.h"

typedef enum nnrt__binary_kind {
    NNRT__BINARY_ADD,
    NNRT__BINARY_SUB,
    NNRT__BINARY_MUL,
    NNRT__BINARY_DIV,
    NNRT__BINARY_MAXIMUM,
    NNRT__BINARY_MINIMUM,
    NNRT__BINARY_SQUARED_DIFFERENCE,
    NNRT__BINARY_MOD,   /* the remainder has the sign of a */
    NNRT__BINARY_POW,   /* (scale * a + shift) ^ b; float only */
    NNRT__BINARY_PRELU, /* a > 0 ? a : a * b; float and int8 */
    NNRT__BINARY_ATAN2, /* the angle of the point (b, a); float only */
    NNRT__BINARY_KINDS
} nnrt__binary_kind;

/* Operators with vector kernels (one instruction or two), as bits 1 << nnrt__binary_kind. */
#define NNRT__BINARY_F32_VECTORS                                                                         \
    (1u << NNRT__BINARY_ADD | 1u << NNRT__BINARY_SUB | 1u << NNRT__BINARY_MUL | 1u << NNRT__BINARY_DIV | \
     1u << NNRT__BINARY_MAXIMUM | 1u << NNRT__BINARY_MINIMUM | 1u << NNRT__BINARY_SQUARED_DIFFERENCE |   \
     1u << NNRT__BINARY_PRELU)

typedef enum nnrt__compare_kind {
    NNRT__COMPARE_EQUAL,
    NNRT__COMPARE_NOT_EQUAL,
    NNRT__COMPARE_LESS,
    NNRT__COMPARE_LESS_EQUAL,
    NNRT__COMPARE_GREATER,
    NNRT__COMPARE_GREATER_EQUAL,
    NNRT__COMPARE_AND, /* of a != 0 and b != 0 */
    NNRT__COMPARE_OR,
    NNRT__COMPARE_KINDS
} nnrt__compare_kind;

typedef struct nnrt__binary_f32_args {
    uint32_t kind;              /* nnrt__binary_kind */
    uint32_t clamps;            /* 0: clamp_min and clamp_max are not used */
    float clamp_min, clamp_max; /* of the fused activation */
    float scale, shift;         /* of POW */
} nnrt__binary_f32_args;

/* For assertions, in any kernel of two operands: elements of so many bytes. in_place: `out` may be the memory of one.
   */
NNRT__ASSERT_FN bool nnrt__binary_operands_are_right(const void *a, size_t a_step, const void *b, size_t b_step,
                                                     size_t element, const void *out, size_t out_element, size_t n,
                                                     bool in_place) {
    const size_t a_size = nnrt__rows_size(n, 1, a_step, element), b_size = nnrt__rows_size(n, 1, b_step, element);
    NNRT_ASSERT(a_step <= 1 && b_step <= 1);
    NNRT_ASSERT(nnrt__is_aligned(a, element) && nnrt__is_aligned(b, element) && nnrt__is_aligned(out, out_element));
    NNRT_ASSERT((in_place && a == out) || nnrt__is_apart(a, a_size, out, n * out_element));
    NNRT_ASSERT((in_place && b == out) || nnrt__is_apart(b, b_size, out, n * out_element));
    NNRT_ASSERT(a != out || n == 0 || a_size == n * out_element);
    NNRT_ASSERT(b != out || n == 0 || b_size == n * out_element);
    return true;
}

NNRT__ASSERT_FN bool nnrt__binary_f32_is_right(const nnrt__binary_f32_args *args, const float *a, size_t a_step,
                                               const float *b, size_t b_step, const float *out, size_t n) {
    NNRT_ASSERT(args->kind < NNRT__BINARY_KINDS);
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, sizeof(float), out, sizeof(float), n, true));
    return true;
}

NNRT__FP_CONTRACT_OFF_BEGIN

NNRT__INLINE float nnrt__binary_f32_one(uint32_t kind, float a, float b, float scale, float shift) {
    switch (kind) {
    case NNRT__BINARY_ADD: return a + b;
    case NNRT__BINARY_SUB: return a - b;
    case NNRT__BINARY_MUL: return a * b;
    case NNRT__BINARY_DIV: return a / b;
    case NNRT__BINARY_MAXIMUM: return a > b ? a : b;
    case NNRT__BINARY_MINIMUM: return a < b ? a : b;
    case NNRT__BINARY_SQUARED_DIFFERENCE: return (a - b) * (a - b);
    case NNRT__BINARY_MOD: return fmodf(a, b);
    case NNRT__BINARY_POW: return powf(scale * a + shift, b);
    case NNRT__BINARY_ATAN2: return atan2f(a, b);
    default: return a > 0.0f ? a : a * b;
    }
}

/* Writes `value` count times to `to`: the vector kernels read an operand with step 0 this way. */
NNRT__INLINE const float *nnrt__binary_f32_spread(float *to, size_t count, float value) {
    size_t i;
    for (i = 0; i < count; i++) to[i] = value;
    return to;
}

/* kind is a constant in every call. Three loops, because compilers vectorize a loop with known steps. */
NNRT__INLINE void nnrt__binary_f32_loop(uint32_t kind, const float *a, size_t a_step, const float *b, size_t b_step,
                                        float *out, size_t n) {
    size_t i;
    if (a_step == 1 && b_step == 1) {
        for (i = 0; i < n; i++) out[i] = nnrt__binary_f32_one(kind, a[i], b[i], 1.0f, 0.0f);
    } else if (a_step == 1) {
        const float value = b[0];
        for (i = 0; i < n; i++) out[i] = nnrt__binary_f32_one(kind, a[i], value, 1.0f, 0.0f);
    } else {
        const float value = a[0];
        for (i = 0; i < n; i++) out[i] = nnrt__binary_f32_one(kind, value, b[i * b_step], 1.0f, 0.0f);
    }
}

NNRT__FN void nnrt__binary_f32_scalar(const nnrt__binary_f32_args *args, const float *a, size_t a_step, const float *b,
                                      size_t b_step, float *out, size_t n) {
    size_t i;
    NNRT_ASSERT(nnrt__binary_f32_is_right(args, a, a_step, b, b_step, out, n));
    switch (args->kind) {
    case NNRT__BINARY_ADD: nnrt__binary_f32_loop(NNRT__BINARY_ADD, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_SUB: nnrt__binary_f32_loop(NNRT__BINARY_SUB, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_MUL: nnrt__binary_f32_loop(NNRT__BINARY_MUL, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_DIV: nnrt__binary_f32_loop(NNRT__BINARY_DIV, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_MAXIMUM: nnrt__binary_f32_loop(NNRT__BINARY_MAXIMUM, a, a_step, b, b_step, out, n); break;
    case NNRT__BINARY_MINIMUM: nnrt__binary_f32_loop(NNRT__BINARY_MINIMUM, a, a_step, b, b_step, out, n); break;
    default:
        for (i = 0; i < n; i++)
            out[i] = nnrt__binary_f32_one(args->kind, a[i * a_step], b[i * b_step], args->scale, args->shift);
    }
    if (args->clamps != 0)
        for (i = 0; i < n; i++) out[i] = nnrt__clamp_f32(out[i], args->clamp_min, args->clamp_max);
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__binary_f32_scalar_install(nnrt__cpu_table *t) {
    t->binary_f32 = nnrt__binary_f32_scalar;
    t->binary_f32_isa = "scalar";
}

NNRT__INLINE bool nnrt__compare_one(uint32_t kind, bool less, bool equal, bool greater, bool a, bool b) {
    switch (kind) {
    case NNRT__COMPARE_EQUAL: return equal;
    case NNRT__COMPARE_NOT_EQUAL: return !equal;
    case NNRT__COMPARE_LESS: return less;
    case NNRT__COMPARE_LESS_EQUAL: return less || equal;
    case NNRT__COMPARE_GREATER: return greater;
    case NNRT__COMPARE_GREATER_EQUAL: return greater || equal;
    case NNRT__COMPARE_AND: return a && b;
    default: return a || b;
    }
}

/* out: 0 or 1. */
NNRT__FN void nnrt__compare_f32_scalar(uint32_t kind, const float *a, size_t a_step, const float *b, size_t b_step,
                                       uint8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(kind < NNRT__COMPARE_KINDS);
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, sizeof(float), out, 1, n, false));
    for (i = 0; i < n; i++) {
        const float x = a[i * a_step], y = b[i * b_step];
        out[i] = nnrt__compare_one(kind, x<y, x == y, x> y, x != 0.0f, y != 0.0f) ? 1 : 0;
    }
}

#endif /* NNRT_KERNELS_BINARY_F32_SCALAR_H */
