/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_neon.h - add_s8 for ARMv7 NEON and AArch64. Contract: add_s8_scalar.h. Eight elements at a
   time. An operand is rescaled as an accumulator is (requantize_neon.h), with a left shift and a right shift at
   once, which no multiplier and shift of a tensor has. */
#ifndef NNRT_KERNELS_ADD_S8_NEON_H
#define NNRT_KERNELS_ADD_S8_NEON_H

#include "add_s8_scalar.h"
#include "internal.h"
#include "requantize_neon.h"

typedef struct nnrt__add_s8_operand_neon {
    int8x8_t zero_point;
    int8x8_t same; /* eight times the first byte: the operand, where its step is 0 */
    nnrt__requantize_x4_neon q;
} nnrt__add_s8_operand_neon;

NNRT__INLINE nnrt__add_s8_operand_neon nnrt__add_s8_operand_prepare_neon(const nnrt__binary_s8_args *args,
                                                                         uint32_t which, int8_t first) {
    nnrt__add_s8_operand_neon o;
    o.zero_point = vdup_n_s8((int8_t)args->input_zero_point[which]);
    o.same = vdup_n_s8(first);
    o.q.multiplier = vdupq_n_s32(args->input_multiplier[which]);
    o.q.left = vdupq_n_s32(NNRT__ADD_S8_LEFT_SHIFT);
    o.q.right = vdupq_n_s32(args->input_shift[which]);
    return o;
}

NNRT__FN void nnrt__add_s8_neon(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                size_t b_step, int8_t *out, size_t n) {
    const int32x4_t sign = vdupq_n_s32(args->kind == NNRT__BINARY_SUB ? -1 : 1);
    const nnrt__requantize_x4_neon q =
        nnrt__requantize_prepare_neon(vdupq_n_s32(args->output_multiplier), vdupq_n_s32(args->output_shift));
    const nnrt__output_s8_neon bytes =
        nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    nnrt__add_s8_operand_neon in_a, in_b;
    size_t i;
    if (n == 0) return;
    in_a = nnrt__add_s8_operand_prepare_neon(args, 0, a[0]);
    in_b = nnrt__add_s8_operand_prepare_neon(args, 1, b[0]);
    for (i = 0; i < n; i += 8) {
        int8x8_t a8 = a_step != 0 ? nnrt__load_bytes_neon(a + i, n - i) : in_a.same;
        int8x8_t b8 = b_step != 0 ? nnrt__load_bytes_neon(b + i, n - i) : in_b.same;
        int16x8_t a16 = vsubl_s8(a8, in_a.zero_point), b16 = vsubl_s8(b8, in_b.zero_point);
        int32x4_t x0 = nnrt__requantize_neon(vmovl_s16(vget_low_s16(a16)), in_a.q);
        int32x4_t x1 = nnrt__requantize_neon(vmovl_s16(vget_high_s16(a16)), in_a.q);
        int32x4_t y0 = nnrt__requantize_neon(vmovl_s16(vget_low_s16(b16)), in_b.q);
        int32x4_t y1 = nnrt__requantize_neon(vmovl_s16(vget_high_s16(b16)), in_b.q);
        x0 = nnrt__requantize_neon(vmlaq_s32(x0, y0, sign), q);
        x1 = nnrt__requantize_neon(vmlaq_s32(x1, y1, sign), q);
        nnrt__store_bytes_neon(out + i, nnrt__output_bytes_neon(x0, x1, &bytes), n - i);
    }
}

NNRT__FN void nnrt__add_s8_neon_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_neon;
    t->add_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_ADD_S8_NEON_H */
