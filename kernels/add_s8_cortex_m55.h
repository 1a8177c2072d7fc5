/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/add_s8_cortex_m55.h - add_s8 for Helium (Cortex-M55, M85). Contract: add_s8_scalar.h. Four elements at a
   time, at the end of a row as many as there are; the roundings are those of cortex_m55.h. */
#ifndef NNRT_KERNELS_ADD_S8_CORTEX_M55_H
#define NNRT_KERNELS_ADD_S8_CORTEX_M55_H

#include "add_s8_scalar.h"
#include "cortex_m55.h"
#include "internal.h"

#define NNRT__ADD_S8_CORTEX_M55_SAME 64u /* elements at a time where an operand is one for all */

/* What the rows of a sum have in common: words in the order in which the loop's registers are filled. */
typedef struct nnrt__add_s8_cortex_m55_row {
    int32_t zero[2], low, high, zero_point; /* zero points of a and b times 2^20; the range, less the zero point */
    int32_t multiplier[3], shift[3];        /* of a, of b and of the sum; shifts are usual ones */
    int32_t sign;                           /* of b */
} nnrt__add_s8_cortex_m55_row;

/* The factor of an operand; false: nothing but nnrt__add_s8_scalar takes it. 1/2, as one operand has it, is made nearly
   1 and a shift: 255 * 2^20 times that is rounded to itself. */
NNRT__INLINE bool nnrt__add_s8_cortex_m55_take(nnrt__add_s8_cortex_m55_row *row, uint32_t which,
                                               const nnrt__binary_s8_args *args) {
    const bool halves = nnrt__add_s8_halves(args, which);
    row->zero[which] = args->input_zero_point[which] * (1 << NNRT__ADD_S8_LEFT_SHIFT);
    row->multiplier[which] = halves ? INT32_MAX : args->input_multiplier[which];
    row->shift[which] = halves ? -1 : args->input_shift[which];
    return nnrt__cortex_m55_is_usual(row->shift[which]);
}

/* A rounded quotient in q0 or q1, by way of q2: nnrt__cortex_m55_down and the shift. */
#define NNRT__ADD_S8_CORTEX_M55_SHIFT(x, shift) \
    "vshr.s32 q2, " x ", #31\n\tvadd.i32 " x ", " x ", q2\n\tvrshl.s32 " x ", " shift "\n\t"

/* n elements side by side, n >= 1. Assembly for the loop that counts the elements of the last vector by itself, and as
   GCC 12 reads constants again after each store. */
NNRT__INLINE void nnrt__add_s8_cortex_m55_side_by_side(const nnrt__add_s8_cortex_m55_row *row, const int8_t *a,
                                                       const int8_t *b, int8_t *out, size_t n) {
    __asm__ volatile(
        "ldm %[row]!, {r6, r8, r9, r10, r11}\n\t"
        "vdup.32 q3, r6\n\tvdup.32 q4, r8\n\tvdup.32 q5, r9\n\tvdup.32 q6, r10\n\tvdup.32 q7, r11\n\t"
        "ldm %[row], {r5, r6, r8, r9, r10, r11, r12}\n\tdlstp.32 lr, %[n]\n"
        "1:\n\t"
        "vldrb.s32 q0, [%[a]], #4\n\tvldrb.s32 q1, [%[b]], #4\n\t"
        "vshl.i32 q0, q0, #20\n\tvshl.i32 q1, q1, #20\n\t"
        "vsub.i32 q0, q0, q3\n\tvsub.i32 q1, q1, q4\n\t"
        "vqrdmulh.s32 q0, q0, r5\n\tvqrdmulh.s32 q1, q1, r6\n\t" NNRT__ADD_S8_CORTEX_M55_SHIFT("q0", "r9")
            NNRT__ADD_S8_CORTEX_M55_SHIFT("q1", "r10") "vmla.s32 q0, q1, r12\n\tvqrdmulh.s32 q0, q0, "
                                                       "r8\n\t" NNRT__ADD_S8_CORTEX_M55_SHIFT(
                                                           "q0", "r11") "vmax.s32 q0, q0, q5\n\tvmin.s32 q0, q0, "
                                                                        "q6\n\tvadd.i32 q0, q0, q7\n\t"
                                                                        "vstrb.32 q0, [%[out]], #4\n\tletp lr, 1b"
        : [a] "+l"(a), [b] "+l"(b), [out] "+l"(out), [row] "+r"(row)
        : [n] "r"(n)
        : "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "memory");
}

#undef NNRT__ADD_S8_CORTEX_M55_SHIFT

NNRT__FN void nnrt__add_s8_cortex_m55(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                                      size_t b_step, int8_t *out, size_t n) {
    const size_t most = a_step != 0 && b_step != 0 ? n : NNRT__ADD_S8_CORTEX_M55_SAME;
    int8_t same[2][NNRT__ADD_S8_CORTEX_M55_SAME];
    nnrt__add_s8_cortex_m55_row row;
    size_t count;
    NNRT_ASSERT(nnrt__add_s8_is_right(args, a, a_step, b, b_step, out, n));
    if (!nnrt__add_s8_cortex_m55_take(&row, 0, args) || !nnrt__add_s8_cortex_m55_take(&row, 1, args) ||
        !nnrt__cortex_m55_is_usual(args->output_shift)) {
        nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n);
        return;
    }
    row.low = args->clamp_min - args->output_zero_point;
    row.high = args->clamp_max - args->output_zero_point;
    row.zero_point = args->output_zero_point;
    row.multiplier[2] = args->output_multiplier;
    row.shift[2] = args->output_shift;
    row.sign = args->kind == NNRT__BINARY_SUB ? -1 : 1;
    if (a_step == 0) memset(same[0], *a, sizeof same[0]);
    if (b_step == 0) memset(same[1], *b, sizeof same[1]);
    for (; n != 0; n -= count, a += count * a_step, b += count * b_step, out += count) {
        count = n < most ? n : most;
        nnrt__add_s8_cortex_m55_side_by_side(&row, a_step != 0 ? a : same[0], b_step != 0 ? b : same[1], out, count);
    }
}

NNRT__FN void nnrt__add_s8_cortex_m55_install(nnrt__cpu_table *t) {
    t->add_s8 = nnrt__add_s8_cortex_m55;
    t->add_s8_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_ADD_S8_CORTEX_M55_H */
