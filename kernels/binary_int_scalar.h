/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_int_scalar.h - operators of two integer operands (int32, int64, bool), and comparisons of
   them.

   pre   as binary_f32_scalar.h.
   post  out[i] = op(a[i * a_step], b[i * b_step]), modulo 2^32 (2^64), so that nothing is undefined; division
   truncates and the remainder has the sign of a; the lowest number divided by -1 is itself, with a remainder of 0.
   bool: only ADD, which is "or". Then the clamp. Division by zero gives 0 and makes the kernel return false. */
#ifndef NNRT_KERNELS_BINARY_INT_SCALAR_H
#define NNRT_KERNELS_BINARY_INT_SCALAR_H

#include "binary_f32_scalar.h"

/* What an element is. */
typedef enum nnrt__int_type {
    NNRT__INT_BOOL,
    NNRT__INT_S8,
    NNRT__INT_U8,
    NNRT__INT_S32,
    NNRT__INT_S64,
    NNRT__INT_TYPES
} nnrt__int_type;

typedef struct nnrt__binary_int_args {
    uint32_t kind;                /* nnrt__binary_kind, but for POW and PRELU */
    uint32_t type;                /* NNRT__INT_S32, NNRT__INT_S64; NNRT__INT_BOOL with ADD */
    int64_t clamp_min, clamp_max; /* INT64_MIN, INT64_MAX: no clamp */
} nnrt__binary_int_args;

/* Bytes of an element. */
NNRT__ASSERT_FN size_t nnrt__int_size(uint32_t type) {
    return type == NNRT__INT_S64 ? 8 : type == NNRT__INT_S32 ? 4 : 1;
}

NNRT__INLINE int64_t nnrt__load_int(uint32_t type, const void *from, size_t i) {
    switch (type) {
    case NNRT__INT_BOOL: return ((const uint8_t *)from)[i] != 0;
    case NNRT__INT_S8: return ((const int8_t *)from)[i];
    case NNRT__INT_U8: return ((const uint8_t *)from)[i];
    case NNRT__INT_S32: return ((const int32_t *)from)[i];
    default: return ((const int64_t *)from)[i];
    }
}

/* a / b or a % b, b not 0; INT64_MIN / -1 wraps. */
NNRT__INLINE int64_t nnrt__divide_int(int64_t a, int64_t b, bool remainder) {
    if (b == -1) return remainder ? 0 : (int64_t)(0u - (uint64_t)a);
    return remainder ? a % b : a / b;
}

NNRT__INLINE int64_t nnrt__binary_int_one(uint32_t kind, int64_t a, int64_t b) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (kind) {
    case NNRT__BINARY_ADD: return (int64_t)(x + y);
    case NNRT__BINARY_SUB: return (int64_t)(x - y);
    case NNRT__BINARY_MUL: return (int64_t)(x * y);
    case NNRT__BINARY_DIV: return b == 0 ? 0 : nnrt__divide_int(a, b, false);
    case NNRT__BINARY_MAXIMUM: return a > b ? a : b;
    case NNRT__BINARY_MINIMUM: return a < b ? a : b;
    case NNRT__BINARY_SQUARED_DIFFERENCE: return (int64_t)((x - y) * (x - y));
    default: return b == 0 ? 0 : nnrt__divide_int(a, b, true);
    }
}

NNRT__FN bool nnrt__binary_int_scalar(const nnrt__binary_int_args *args, const void *a, size_t a_step, const void *b,
                                      size_t b_step, void *out, size_t n) {
    const bool divides = args->kind == NNRT__BINARY_DIV || args->kind == NNRT__BINARY_MOD;
    bool ok = true;
    size_t i;
    NNRT_ASSERT(args->kind <= NNRT__BINARY_MOD);
    NNRT_ASSERT(args->type == NNRT__INT_S32 || args->type == NNRT__INT_S64 || args->type == NNRT__INT_BOOL);
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, nnrt__int_size(args->type), out,
                                                nnrt__int_size(args->type), n, true));
    for (i = 0; i < n; i++) {
        /* volatile: read once, so that the divisor, which may be in a mapped file, is the one compared with 0 */
        const volatile int64_t kept = nnrt__load_int(args->type, b, i * b_step);
        const int64_t x = nnrt__load_int(args->type, a, i * a_step), y = kept;
        int64_t result = nnrt__binary_int_one(args->kind, x, y);
        if (divides && y == 0) ok = false;
        if (args->type == NNRT__INT_S32) result = (int32_t)(uint32_t)(uint64_t)result;
        result = result < args->clamp_min ? args->clamp_min : result > args->clamp_max ? args->clamp_max : result;
        if (args->type == NNRT__INT_S32) ((int32_t *)out)[i] = (int32_t)(uint32_t)(uint64_t)result;
        else if (args->type == NNRT__INT_S64) ((int64_t *)out)[i] = result;
        else ((uint8_t *)out)[i] = result != 0 ? 1 : 0;
    }
    return ok;
}

/* type: any nnrt__int_type. out: 0 or 1. */
NNRT__FN void nnrt__compare_int_scalar(uint32_t kind, uint32_t type, const void *a, size_t a_step, const void *b,
                                       size_t b_step, uint8_t *out, size_t n) {
    size_t i;
    NNRT_ASSERT(kind < NNRT__COMPARE_KINDS && type < NNRT__INT_TYPES);
    NNRT_ASSERT(nnrt__binary_operands_are_right(a, a_step, b, b_step, nnrt__int_size(type), out, 1, n, false));
    for (i = 0; i < n; i++) {
        const int64_t x = nnrt__load_int(type, a, i * a_step), y = nnrt__load_int(type, b, i * b_step);
        out[i] = nnrt__compare_one(kind, x<y, x == y, x> y, x != 0, y != 0) ? 1 : 0;
    }
}

#endif /* NNRT_KERNELS_BINARY_INT_SCALAR_H */
