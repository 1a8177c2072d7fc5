/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_f32_neon.h - binary_f32 for ARMv7 NEON and AArch64. Contract: binary_f32_scalar.h. AArch64 gives its
   bytes; ARMv7 flushes denormals, and of two zeros either may be the greater. Eight elements per iteration; the rest,
   and the operators without vectors (MOD, POW, ATAN2, and DIV, which ARMv7 lacks), go to the portable loop. */
#ifndef NNRT_KERNELS_BINARY_F32_NEON_H
#define NNRT_KERNELS_BINARY_F32_NEON_H

#include "binary_f32_scalar.h"
#include "f32_neon.h"
#include "internal.h"

NNRT__INLINE float32x4_t nnrt__binary_f32_op_neon(uint32_t kind, float32x4_t a, float32x4_t b) {
    switch (kind) {
    case NNRT__BINARY_ADD: return vaddq_f32(a, b);
    case NNRT__BINARY_SUB: return vsubq_f32(a, b);
    case NNRT__BINARY_MUL: return vmulq_f32(a, b);
    case NNRT__BINARY_MAXIMUM: return nnrt__greater_f32_neon(a, b);
    case NNRT__BINARY_MINIMUM: return nnrt__less_f32_neon(a, b);
    case NNRT__BINARY_PRELU: /* as integers: GCC 12 splits ARMv7's float compare; a NaN stays one */
        return vbslq_f32(vcgtq_s32(vreinterpretq_s32_f32(a), vdupq_n_s32(0)), a, vmulq_f32(a, b));
    default: return vmulq_f32(vsubq_f32(a, b), vsubq_f32(a, b));
    }
}

/* kind and clamps are constants in every call. An operand with step 0 is repeated eight times at `a` (or `b`), and its
   pointer does not advance; a_next and b_next are 8 or 0. n is a multiple of 8. */
NNRT__INLINE void nnrt__binary_f32_loop_neon(uint32_t kind, bool clamps, const nnrt__binary_f32_args *args,
                                             const float *a, size_t a_next, const float *b, size_t b_next, float *out,
                                             size_t n) {
    const float32x4_t low = vdupq_n_f32(args->clamp_min), high = vdupq_n_f32(args->clamp_max);
    float *const end = out + n;
    for (; out != end; a += a_next, b += b_next, out += 8) {
        float32x4_t x = nnrt__binary_f32_op_neon(kind, vld1q_f32(a), vld1q_f32(b));
        float32x4_t y = nnrt__binary_f32_op_neon(kind, vld1q_f32(a + 4), vld1q_f32(b + 4));
        vst1q_f32(out, clamps ? nnrt__clamp_f32_neon(x, low, high) : x);
        vst1q_f32(out + 4, clamps ? nnrt__clamp_f32_neon(y, low, high) : y);
    }
}

NNRT__INLINE void nnrt__binary_f32_whole_neon(uint32_t kind, const nnrt__binary_f32_args *args, const float *a,
                                              size_t a_next, const float *b, size_t b_next, float *out, size_t n) {
    if (args->clamps != 0) nnrt__binary_f32_loop_neon(kind, true, args, a, a_next, b, b_next, out, n);
    else nnrt__binary_f32_loop_neon(kind, false, args, a, a_next, b, b_next, out, n);
}

NNRT__FN void nnrt__binary_f32_neon(const nnrt__binary_f32_args *args, const float *a, size_t a_step, const float *b,
                                    size_t b_step, float *out, size_t n) {
    const size_t whole = n & ~(size_t)7, a_next = a_step * 8, b_next = b_step * 8;
    float a_same[8], b_same[8];
    const float *from_a = a, *from_b = b;
    size_t done = whole;
    NNRT_ASSERT(nnrt__binary_f32_is_right(args, a, a_step, b, b_step, out, n));
    if (whole != 0 && a_step == 0) from_a = nnrt__binary_f32_spread(a_same, 8, *a);
    if (whole != 0 && b_step == 0) from_b = nnrt__binary_f32_spread(b_same, 8, *b);
    switch (args->kind) {
    case NNRT__BINARY_ADD:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_ADD, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SUB:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_SUB, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MUL:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_MUL, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MAXIMUM:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_MAXIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_MINIMUM:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_MINIMUM, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_SQUARED_DIFFERENCE:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_SQUARED_DIFFERENCE, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    case NNRT__BINARY_PRELU:
        nnrt__binary_f32_whole_neon(NNRT__BINARY_PRELU, args, from_a, a_next, from_b, b_next, out, whole);
        break;
    default: done = 0;
    }
    nnrt__binary_f32_scalar(args, a + done * a_step, a_step, b + done * b_step, b_step, out + done, n - done);
}

NNRT__FN void nnrt__binary_f32_neon_install(nnrt__cpu_table *t) {
    t->binary_f32 = nnrt__binary_f32_neon;
    t->binary_f32_isa = "neon";
    t->binary_f32_kinds = NNRT__BINARY_F32_VECTORS & ~(1u << NNRT__BINARY_DIV);
}

#endif /* NNRT_KERNELS_BINARY_F32_NEON_H */
