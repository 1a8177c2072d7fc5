/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_f32_sse41.h - binary_f32 for SSE4.1. Contract: binary_f32_scalar.h, and its bytes. Eight elements per
   iteration; the rest, and the operators without vectors (MOD, POW, ATAN2), go to the portable loop. */
#ifndef NNRT_KERNELS_BINARY_F32_SSE41_H
#define NNRT_KERNELS_BINARY_F32_SSE41_H

#include "binary_f32_scalar.h"
#include "f32_sse41.h"
#include "internal.h"

/* maxps and minps give their second operand when one is a NaN or both are zeros, as the definition does. */
NNRT__INLINE NNRT__TARGET_SSE41 __m128 nnrt__binary_f32_op_sse41(uint32_t kind, __m128 a, __m128 b) {
    switch (kind) {
    case NNRT__BINARY_ADD: return _mm_add_ps(a, b);
    case NNRT__BINARY_SUB: return _mm_sub_ps(a, b);
    case NNRT__BINARY_MUL: return _mm_mul_ps(a, b);
    case NNRT__BINARY_DIV: return _mm_div_ps(a, b);
    case NNRT__BINARY_MAXIMUM: return _mm_max_ps(a, b);
    case NNRT__BINARY_MINIMUM: return _mm_min_ps(a, b);
    case NNRT__BINARY_PRELU: return _mm_blendv_ps(_mm_mul_ps(a, b), a, _mm_cmpgt_ps(a, _mm_setzero_ps()));
    default: return _mm_mul_ps(_mm_sub_ps(a, b), _mm_sub_ps(a, b));
    }
}

/* kind and clamps are constants in every call. An operand with step 0 is repeated eight times at `a` (or `b`), and its
   pointer does not advance; a_next and b_next are 8 or 0. n is a multiple of 8. */
NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__binary_f32_loop_sse41(uint32_t kind, bool clamps,
                                                                 const nnrt__binary_f32_args *args, const float *a,
                                                                 size_t a_next, const float *b, size_t b_next,
                                                                 float *out, size_t n) {
    const __m128 low = _mm_set1_ps(args->clamp_min), high = _mm_set1_ps(args->clamp_max);
    float *const end = out + n;
    for (; out != end; a += a_next, b += b_next, out += 8) {
        __m128 x = nnrt__binary_f32_op_sse41(kind, _mm_loadu_ps(a), _mm_loadu_ps(b));
        __m128 y = nnrt__binary_f32_op_sse41(kind, _mm_loadu_ps(a + 4), _mm_loadu_ps(b + 4));
        _mm_storeu_ps(out, clamps ? nnrt__clamp_f32_sse41(x, low, high) : x);
        _mm_storeu_ps(out + 4, clamps ? nnrt__clamp_f32_sse41(y, low, high) : y);
    }
}

NNRT__INLINE NNRT__TARGET_SSE41 void nnrt__binary_f32_whole_sse41(uint32_t kind, const nnrt__binary_f32_args *args,
                                                                  const float *a, size_t a_next, const float *b,
                                                                  size_t b_next, float *out, size_t n) {
    if (args->clamps != 0) nnrt__binary_f32_loop_sse41(kind, true, args, a, a_next, b, b_next, out, n);
    else nnrt__binary_f32_loop_sse41(kind, false, args, a, a_next, b, b_next, out, n);
}

NNRT__TARGET_SSE41 NNRT__FN void nnrt__binary_f32_sse41(const nnrt__binary_f32_args *args, const float *a,
                                                        size_t a_step, const float *b, size_t b_step, float *out,
                                                        size_t n) {
    const size_t whole = n & ~(size_t)7, a_next = a_step * 8, b_next = b_step * 8;
    float a_same[8], b_same[8];
    const float *from_a = a, *from_b = b;
    size_t done = whole;
    NNRT_ASSERT(nnrt__binary_f32_is_right(args, a, a_step, b, b_step, out, n));
    if (whole != 0 && a_step == 0) from_a = nnrt__binary_f32_spread(a_same, 8, *a);
    if (whole != 0 && b_step == 0) from_b = nnrt__binary_f32_spread(b_same, 8, *b);
    switch (args->kind) {
    case NNRT__BINARY_ADD:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_ADD, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SUB:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_SUB, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MUL:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_MUL, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_DIV:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_DIV, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MAXIMUM:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_MAXIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MINIMUM:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_MINIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SQUARED_DIFFERENCE:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_SQUARED_DIFFERENCE, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_PRELU:
        nnrt__binary_f32_whole_sse41(NNRT__BINARY_PRELU, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    default: done = 0;
    }
    nnrt__binary_f32_scalar(args, a + done * a_step, a_step, b + done * b_step, b_step, out + done, n - done);
}

NNRT__FN void nnrt__binary_f32_sse41_install(nnrt__cpu_table *t) {
    t->binary_f32 = nnrt__binary_f32_sse41;
    t->binary_f32_isa = "sse41";
    t->binary_f32_kinds = NNRT__BINARY_F32_VECTORS;
}

#endif /* NNRT_KERNELS_BINARY_F32_SSE41_H */
