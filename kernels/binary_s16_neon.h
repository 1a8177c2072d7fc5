/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s16_neon.h - binary_s16 for ARMv7 NEON and AArch64. Contract: binary_s16_scalar.h. ADD, SUB and MUL,
   eight elements at a time, by the last step of the int8 products (requantize_neon.h), which sums do for both operands,
   too. What is left behind them, and other operators, go to the portable loop. */
#ifndef NNRT_KERNELS_BINARY_S16_NEON_H
#define NNRT_KERNELS_BINARY_S16_NEON_H

#include "binary_s16_scalar.h"
#include "internal.h"
#include "requantize_neon.h"

/* What a call needs, spread. */
typedef struct nnrt__binary_s16_neon_constants {
    nnrt__requantize_x4_neon input[2], output; /* MUL has the last alone */
    int16x8_t low, high;
} nnrt__binary_s16_neon_constants;

/* kind is a constant wherever this is called. */
NNRT__INLINE int16x4_t nnrt__binary_s16_4_neon(int16x4_t a, int16x4_t b, uint32_t kind,
                                               const nnrt__binary_s16_neon_constants *k) {
    int32x4_t x;
    if (kind == NNRT__BINARY_MUL) {
        x = vmull_s16(a, b);
    } else {
        const int32x4_t y = nnrt__requantize_neon(vshll_n_s16(b, NNRT__ADD_S16_LEFT_SHIFT), k->input[1]);
        x = nnrt__requantize_neon(vshll_n_s16(a, NNRT__ADD_S16_LEFT_SHIFT), k->input[0]);
        x = kind == NNRT__BINARY_SUB ? vsubq_s32(x, y) : vaddq_s32(x, y);
    }
    return vqmovn_s32(nnrt__requantize_neon(x, k->output));
}

/* Steps of 0: the pointer is that of eight equal numbers, and stays. n is a multiple of 8. */
NNRT__INLINE void nnrt__binary_s16_loop_neon(const int16_t *a, size_t a_next, const int16_t *b, size_t b_next,
                                             int16_t *out, size_t n, uint32_t kind,
                                             const nnrt__binary_s16_neon_constants *constants) {
    const nnrt__binary_s16_neon_constants k = *constants;
    int16_t *const end = out + n;
    for (; out != end; a += a_next, b += b_next, out += 8) {
        const int16x8_t x = vld1q_s16(a), y = vld1q_s16(b);
        const int16x4_t low = nnrt__binary_s16_4_neon(vget_low_s16(x), vget_low_s16(y), kind, &k);
        const int16x4_t high = nnrt__binary_s16_4_neon(vget_high_s16(x), vget_high_s16(y), kind, &k);
        vst1q_s16(out, vminq_s16(vmaxq_s16(vcombine_s16(low, high), k.low), k.high));
    }
}

NNRT__INLINE nnrt__requantize_x4_neon nnrt__binary_s16_factor_neon(int32_t multiplier, int32_t shift) {
    return nnrt__requantize_prepare_neon(vdupq_n_s32(multiplier), vdupq_n_s32(shift));
}

NNRT__FN void nnrt__binary_s16_neon(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step, const int16_t *b,
                                    size_t b_step, int16_t *out, size_t n) {
    const size_t whole = nnrt__binary_s16_rescales(args) ? n & ~(size_t)7 : 0;
    NNRT_ASSERT(nnrt__binary_s16_is_right(args, a, a_step, b, b_step, out, n));
    if (whole != 0) {
        nnrt__binary_s16_neon_constants k;
        int16_t same[2][8];
        const int16_t *from_a = a, *from_b = b;
        if (a_step == 0) vst1q_s16(same[0], vdupq_n_s16(*a)), from_a = same[0];
        if (b_step == 0) vst1q_s16(same[1], vdupq_n_s16(*b)), from_b = same[1];
        k.input[0] = nnrt__binary_s16_factor_neon(args->input_multiplier[0], args->input_shift[0]);
        k.input[1] = nnrt__binary_s16_factor_neon(args->input_multiplier[1], args->input_shift[1]);
        k.output = nnrt__binary_s16_factor_neon(args->output_multiplier, args->output_shift);
        k.low = vdupq_n_s16((int16_t)args->clamp_min);
        k.high = vdupq_n_s16((int16_t)args->clamp_max);
        if (args->kind == NNRT__BINARY_MUL)
            nnrt__binary_s16_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__BINARY_MUL, &k);
        else if (args->kind == NNRT__BINARY_SUB)
            nnrt__binary_s16_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__BINARY_SUB, &k);
        else nnrt__binary_s16_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__BINARY_ADD, &k);
    }
    nnrt__binary_s16_scalar(args, a + whole * a_step, a_step, b + whole * b_step, b_step, out + whole, n - whole);
}

NNRT__FN void nnrt__binary_s16_neon_install(nnrt__cpu_table *t) {
    t->binary_s16 = nnrt__binary_s16_neon;
    t->binary_s16_isa = "neon";
}

#endif /* NNRT_KERNELS_BINARY_S16_NEON_H */
