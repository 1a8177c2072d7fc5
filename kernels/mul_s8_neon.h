/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/mul_s8_neon.h - mul_s8 for ARMv7 NEON and AArch64. Contract: mul_s8_scalar.h. Eight elements at a time:
   differences in 16 bits, products in 32, and the last step of the int8 products (requantize_neon.h), with the shorter
   form where the shift of the product is below 0, which it is for the scales of models. PRELU rescales both what is
   kept and the product, and picks by the sign. What is left behind whole vectors goes to the portable loop.
   A product takes 2.8 instructions an element on ARMv7, a sum (add_s8) 3.9, portable C 58; PRELU 5.4 (GCC 12,
   2026-11-25). */
#ifndef NNRT_KERNELS_MUL_S8_NEON_H
#define NNRT_KERNELS_MUL_S8_NEON_H

#include "internal.h"
#include "mul_s8_scalar.h"
#include "requantize_neon.h"

/* Which loop: all are one function, called with a constant. */
typedef enum nnrt__mul_s8_way {
    NNRT__MUL_S8_RIGHT, /* the shift is below 0 */
    NNRT__MUL_S8_ANY,
    NNRT__MUL_S8_PRELU
} nnrt__mul_s8_way;

/* What a call needs, spread. */
typedef struct nnrt__mul_s8_neon_constants {
    int8x8_t zero_point[2];
    nnrt__requantize_x4_neon product, kept; /* PRELU alone has the second */
    nnrt__output_s8_neon bytes;
} nnrt__mul_s8_neon_constants;

NNRT__INLINE int32x4_t nnrt__mul_s8_rescaled_neon(int16x4_t x, int16x4_t y, nnrt__mul_s8_way way,
                                                  const nnrt__mul_s8_neon_constants *k) {
    const int32x4_t product = vmull_s16(x, y), wide = vmovl_s16(x);
    if (way == NNRT__MUL_S8_RIGHT) return nnrt__requantize_right_neon(product, k->product.multiplier, k->product.right);
    if (way == NNRT__MUL_S8_ANY) return nnrt__requantize_neon(product, k->product);
    return vbslq_s32(vreinterpretq_u32_s32(vshrq_n_s32(wide, 31)), nnrt__requantize_neon(product, k->product),
                     nnrt__requantize_neon(wide, k->kept));
}

/* Steps of 0: the pointer is that of eight equal bytes, and stays. n is a multiple of 8. */
NNRT__INLINE void nnrt__mul_s8_loop_neon(const int8_t *a, size_t a_next, const int8_t *b, size_t b_next, int8_t *out,
                                         size_t n, nnrt__mul_s8_way way, const nnrt__mul_s8_neon_constants *constants) {
    const nnrt__mul_s8_neon_constants k = *constants;
    int8_t *const end = out + n;
    for (; out != end; a += a_next, b += b_next, out += 8) {
        const int16x8_t x = vsubl_s8(vld1_s8(a), k.zero_point[0]), y = vsubl_s8(vld1_s8(b), k.zero_point[1]);
        const int32x4_t low = nnrt__mul_s8_rescaled_neon(vget_low_s16(x), vget_low_s16(y), way, &k);
        const int32x4_t high = nnrt__mul_s8_rescaled_neon(vget_high_s16(x), vget_high_s16(y), way, &k);
        vst1_s8(out, nnrt__output_bytes_neon(low, high, &k.bytes));
    }
}

NNRT__FN void nnrt__mul_s8_neon(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                size_t b_step, int8_t *out, size_t n) {
    const size_t whole = n & ~(size_t)7;
    NNRT_ASSERT(nnrt__mul_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (whole != 0) {
        nnrt__mul_s8_neon_constants k;
        int8_t same[2][8];
        const int8_t *from_a = a_step != 0 ? a : (const int8_t *)memset(same[0], *a, 8);
        const int8_t *from_b = b_step != 0 ? b : (const int8_t *)memset(same[1], *b, 8);
        k.zero_point[0] = vdup_n_s8((int8_t)args->input_zero_point[0]);
        k.zero_point[1] = vdup_n_s8((int8_t)args->input_zero_point[1]);
        k.product =
            nnrt__requantize_prepare_neon(vdupq_n_s32(args->output_multiplier), vdupq_n_s32(args->output_shift));
        k.kept =
            nnrt__requantize_prepare_neon(vdupq_n_s32(args->input_multiplier[0]), vdupq_n_s32(args->input_shift[0]));
        k.bytes = nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
        if (args->kind == NNRT__BINARY_PRELU)
            nnrt__mul_s8_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__MUL_S8_PRELU, &k);
        else if (args->output_shift < 0)
            nnrt__mul_s8_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__MUL_S8_RIGHT, &k);
        else nnrt__mul_s8_loop_neon(from_a, a_step * 8, from_b, b_step * 8, out, whole, NNRT__MUL_S8_ANY, &k);
    }
    nnrt__mul_s8_scalar(args, a + whole * a_step, a_step, b + whole * b_step, b_step, out + whole, n - whole);
}

NNRT__FN void nnrt__mul_s8_neon_install(nnrt__cpu_table *t) {
    t->mul_s8 = nnrt__mul_s8_neon;
    t->mul_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_MUL_S8_NEON_H */
