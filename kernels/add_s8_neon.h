/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_neon.h - add_s8 for ARMv7 NEON and AArch64. Contract: add_s8_scalar.h. Sixteen elements at a time.

   The operand with the larger scale has the factor 1/2, for that is how the common scale is chosen: it is d * 2^19,
   exactly, and vmlal.s16 of 32 * d and 2^14 adds it in one instruction. Only the other operand is rescaled: its shift
   is below 0, so of the two roundings the second, ties away from zero, is vsra of the sign and vrshl. A forged plan may
   hold other factors; these go to the portable loop, and so does a shift of the output that is not below 0.

   62 instructions per 16 elements on ARMv7 (GCC 12, 2026-11-22); with both operands rescaled and every shift allowed
   it was 110. */
#ifndef NNRT_KERNELS_ADD_S8_NEON_H
#define NNRT_KERNELS_ADD_S8_NEON_H

#include "add_s8_scalar.h"
#include "internal.h"
#include "requantize_neon.h"

/* What a call needs, spread. */
typedef struct nnrt__add_s8_neon_constants {
    int8x8_t rescaled_zero_point, halved_zero_point;
    int16x4_t halved;     /* 2^14, or -2^14 where it is subtracted */
    int16x8_t left;       /* of the rescaled operand: 5; 6 if it is halved, too, and its shift was 0 */
    int32x4_t multiplier; /* of the rescaled operand */
    int32x4_t right;      /* its shift, below 0 */
    int32x4_t output_multiplier, output_right;
    nnrt__output_s8_neon bytes;
} nnrt__add_s8_neon_constants;

/* d * 2^20 * multiplier * 2^(right - 31) of four 2^5 * d, with both roundings. */
NNRT__INLINE int32x4_t nnrt__add_s8_rescaled_neon(int16x4_t d, const nnrt__add_s8_neon_constants *k) {
    int32x4_t x = vqrdmulhq_s32(vshll_n_s16(d, 15), k->multiplier);
    return vrshlq_s32(vsraq_n_s32(x, x, 31), k->right);
}

/* `negate` (subtract the rescaled operand) is a constant in every call. */
NNRT__INLINE int8x8_t nnrt__add_s8_8_neon(int8x8_t rescaled, int8x8_t halved, bool negate,
                                          const nnrt__add_s8_neon_constants *k) {
    const int16x8_t r = vshlq_s16(vsubl_s8(rescaled, k->rescaled_zero_point), k->left);
    const int16x8_t h = vshlq_n_s16(vsubl_s8(halved, k->halved_zero_point), 5);
    int32x4_t x0 = nnrt__add_s8_rescaled_neon(vget_low_s16(r), k);
    int32x4_t x1 = nnrt__add_s8_rescaled_neon(vget_high_s16(r), k);
    if (negate) {
        x0 = vnegq_s32(x0);
        x1 = vnegq_s32(x1);
    }
    x0 = vqrdmulhq_s32(vmlal_s16(x0, vget_low_s16(h), k->halved), k->output_multiplier);
    x1 = vqrdmulhq_s32(vmlal_s16(x1, vget_high_s16(h), k->halved), k->output_multiplier);
    x0 = vrshlq_s32(vsraq_n_s32(x0, x0, 31), k->output_right);
    x1 = vrshlq_s32(vsraq_n_s32(x1, x1, 31), k->output_right);
    return nnrt__output_bytes_neon(x0, x1, &k->bytes);
}

/* If a step is 0, the pointer is to sixteen equal bytes and does not advance. n is a multiple of 16. */
NNRT__INLINE void nnrt__add_s8_loop_neon(const int8_t *rescaled, size_t rescaled_next, const int8_t *halved,
                                         size_t halved_next, int8_t *out, size_t n, bool negate,
                                         const nnrt__add_s8_neon_constants *constants) {
    const nnrt__add_s8_neon_constants k = *constants;
    int8_t *const end = out + n;
    for (; out != end; rescaled += rescaled_next, halved += halved_next, out += 16) {
        const int8x16_t r = vld1q_s8(rescaled), h = vld1q_s8(halved);
        const int8x8_t low = nnrt__add_s8_8_neon(vget_low_s8(r), vget_low_s8(h), negate, &k);
        const int8x8_t high = nnrt__add_s8_8_neon(vget_high_s8(r), vget_high_s8(h), negate, &k);
        vst1q_s8(out, vcombine_s8(low, high));
    }
}

NNRT__FN void nnrt__add_s8_neon(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                size_t b_step, int8_t *out, size_t n) {
    const uint32_t h = nnrt__add_s8_halves(args, 0) ? 0 : 1, r = 1 - h; /* the operand that is halved, the other */
    const bool both = nnrt__add_s8_halves(args, r), subtracts = args->kind == NNRT__BINARY_SUB;
    nnrt__add_s8_neon_constants k;
    int8_t same[2][16];
    const int8_t *from[2];
    size_t next[2], whole = n & ~(size_t)15;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (!nnrt__add_s8_halves(args, h) || (!both && args->input_shift[r] >= 0) || args->output_shift >= 0) whole = 0;
    if (whole != 0) {
        from[0] = a, from[1] = b;
        next[0] = a_step * 16, next[1] = b_step * 16;
        if (a_step == 0) from[0] = (const int8_t *)memset(same[0], *a, 16);
        if (b_step == 0) from[1] = (const int8_t *)memset(same[1], *b, 16);
        k.rescaled_zero_point = vdup_n_s8((int8_t)args->input_zero_point[r]);
        k.halved_zero_point = vdup_n_s8((int8_t)args->input_zero_point[h]);
        k.halved = vdup_n_s16(subtracts && h == 1 ? -(1 << 14) : 1 << 14);
        k.left = vdupq_n_s16(both ? 6 : 5); /* makes the second rounding exist, and exact */
        k.multiplier = vdupq_n_s32(args->input_multiplier[r]);
        k.right = vdupq_n_s32(both ? -1 : args->input_shift[r]);
        k.output_multiplier = vdupq_n_s32(args->output_multiplier);
        k.output_right = vdupq_n_s32(args->output_shift);
        k.bytes = nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
        if (subtracts && r == 1) nnrt__add_s8_loop_neon(from[r], next[r], from[h], next[h], out, whole, true, &k);
        else nnrt__add_s8_loop_neon(from[r], next[r], from[h], next[h], out, whole, false, &k);
    }
    nnrt__add_s8_scalar(args, a + whole * a_step, a_step, b + whole * b_step, b_step, out + whole, n - whole);
}

NNRT__FN void nnrt__add_s8_neon_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_neon;
    t->add_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_ADD_S8_NEON_H */
