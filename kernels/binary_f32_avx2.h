/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_f32_avx2.h - binary_f32 for AVX2. Contract: binary_f32_scalar.h, and its bytes. Sixteen elements per
   iteration; the rest, and the operators without vectors (MOD, POW, ATAN2), go to the portable loop. */
#ifndef NNRT_KERNELS_BINARY_F32_AVX2_H
#define NNRT_KERNELS_BINARY_F32_AVX2_H

#include "binary_f32_scalar.h"
#include "f32_avx2.h"
#include "internal.h"

/* maxps and minps give their second operand when one is a NaN or both are zeros, as the definition does. */
NNRT__INLINE NNRT__TARGET_AVX2 __m256 nnrt__binary_f32_op_avx2(uint32_t kind, __m256 a, __m256 b) {
    switch (kind) {
    case NNRT__BINARY_ADD: return _mm256_add_ps(a, b);
    case NNRT__BINARY_SUB: return _mm256_sub_ps(a, b);
    case NNRT__BINARY_MUL: return _mm256_mul_ps(a, b);
    case NNRT__BINARY_DIV: return _mm256_div_ps(a, b);
    case NNRT__BINARY_MAXIMUM: return _mm256_max_ps(a, b);
    case NNRT__BINARY_MINIMUM: return _mm256_min_ps(a, b);
    case NNRT__BINARY_PRELU:
        return _mm256_blendv_ps(_mm256_mul_ps(a, b), a, _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_GT_OQ));
    default: return _mm256_mul_ps(_mm256_sub_ps(a, b), _mm256_sub_ps(a, b));
    }
}

/* kind and clamps are constants in every call. An operand with step 0 is repeated sixteen times at `a` (or `b`), and
   its pointer does not advance; a_next and b_next are 16 or 0. n is a multiple of 16. */
NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__binary_f32_loop_avx2(uint32_t kind, bool clamps,
                                                               const nnrt__binary_f32_args *args, const float *a,
                                                               size_t a_next, const float *b, size_t b_next, float *out,
                                                               size_t n) {
    const __m256 low = _mm256_set1_ps(args->clamp_min), high = _mm256_set1_ps(args->clamp_max);
    float *const end = out + n;
    for (; out != end; a += a_next, b += b_next, out += 16) {
        __m256 x = nnrt__binary_f32_op_avx2(kind, _mm256_loadu_ps(a), _mm256_loadu_ps(b));
        __m256 y = nnrt__binary_f32_op_avx2(kind, _mm256_loadu_ps(a + 8), _mm256_loadu_ps(b + 8));
        _mm256_storeu_ps(out, clamps ? nnrt__clamp_f32_avx2(x, low, high) : x);
        _mm256_storeu_ps(out + 8, clamps ? nnrt__clamp_f32_avx2(y, low, high) : y);
    }
}

NNRT__INLINE NNRT__TARGET_AVX2 void nnrt__binary_f32_whole_avx2(uint32_t kind, const nnrt__binary_f32_args *args,
                                                                const float *a, size_t a_next, const float *b,
                                                                size_t b_next, float *out, size_t n) {
    if (args->clamps != 0) nnrt__binary_f32_loop_avx2(kind, true, args, a, a_next, b, b_next, out, n);
    else nnrt__binary_f32_loop_avx2(kind, false, args, a, a_next, b, b_next, out, n);
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__binary_f32_avx2(const nnrt__binary_f32_args *args, const float *a, size_t a_step,
                                                      const float *b, size_t b_step, float *out, size_t n) {
    const size_t whole = n & ~(size_t)15, a_next = a_step * 16, b_next = b_step * 16;
    float a_same[16], b_same[16];
    const float *from_a = a, *from_b = b;
    size_t done = whole;
    NNRT_ASSERT(nnrt__binary_f32_is_right(args, a, a_step, b, b_step, out, n));
    if (whole != 0 && a_step == 0) from_a = nnrt__binary_f32_spread(a_same, 16, *a);
    if (whole != 0 && b_step == 0) from_b = nnrt__binary_f32_spread(b_same, 16, *b);
    switch (args->kind) {
    case NNRT__BINARY_ADD:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_ADD, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SUB:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_SUB, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MUL:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_MUL, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_DIV:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_DIV, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MAXIMUM:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_MAXIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MINIMUM:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_MINIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SQUARED_DIFFERENCE:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_SQUARED_DIFFERENCE, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_PRELU:
        nnrt__binary_f32_whole_avx2(NNRT__BINARY_PRELU, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    default: done = 0;
    }
    nnrt__binary_f32_scalar(args, a + done * a_step, a_step, b + done * b_step, b_step, out + done, n - done);
}

NNRT__FN void nnrt__binary_f32_avx2_install(nnrt__cpu_table *t) {
    t->binary_f32 = nnrt__binary_f32_avx2;
    t->binary_f32_isa = "avx2";
    t->binary_f32_kinds = NNRT__BINARY_F32_VECTORS;
}

#endif /* NNRT_KERNELS_BINARY_F32_AVX2_H */
