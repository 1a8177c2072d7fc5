/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/binary_s16_cortex_m55.h - binary_s16 for Helium (Cortex-M55, M85). Contract: binary_s16_scalar.h. ADD, SUB
   and MUL, four elements at a time, at the end of a row as many as there are; roundings are those of cortex_m55.h. */
#ifndef NNRT_KERNELS_BINARY_S16_CORTEX_M55_H
#define NNRT_KERNELS_BINARY_S16_CORTEX_M55_H

#include "add_s8_scalar.h"
#include "binary_s16_scalar.h"
#include "cortex_m55.h"
#include "internal.h"

#define NNRT__BINARY_S16_CORTEX_M55_SAME 32u /* elements at a time where an operand is one for all */

/* What the rows of a call have in common: words in the order in which the loop's registers are filled. */
typedef struct nnrt__binary_s16_cortex_m55_row {
    int32_t low, high;
    int32_t multiplier[3], shift[3]; /* of a, of b and of the result; shifts are usual ones */
    int32_t sign;                    /* of b */
} nnrt__binary_s16_cortex_m55_row;

/* The factor of an operand of ADD or SUB; false: nothing but nnrt__binary_s16_scalar takes it. 1/2, as one operand has
   it, is made nearly 1 and a shift: 2^30 or less times that is itself, or 1 more at -2^30, whose half is the same. */
NNRT__INLINE bool nnrt__binary_s16_cortex_m55_take(nnrt__binary_s16_cortex_m55_row *row, uint32_t which,
                                                   const nnrt__binary_s8_args *args) {
    const bool halves = nnrt__add_s8_halves(args, which);
    row->multiplier[which] = halves ? INT32_MAX : args->input_multiplier[which];
    row->shift[which] = halves ? -1 : args->input_shift[which];
    return nnrt__cortex_m55_is_usual(row->shift[which]);
}

/* A rounded quotient, by way of q2: nnrt__cortex_m55_down and the shift. */
#define NNRT__BINARY_S16_CORTEX_M55_SCALE(x, multiplier, shift)                \
    "vqrdmulh.s32 " x ", " x ", " multiplier "\n\tvshr.s32 q2, " x ", #31\n\t" \
    "vadd.i32 " x ", " x ", q2\n\tvrshl.s32 " x ", " shift "\n\t"
#define NNRT__BINARY_S16_CORTEX_M55_LOAD                                 \
    "ldm %[row]!, {r6, r8}\n\tvdup.32 q5, r6\n\tvdup.32 q6, r8\n\t"      \
    "ldm %[row], {r5, r6, r8, r9, r10, r11, r12}\n\tdlstp.32 lr, %[n]\n" \
    "1:\n\t"                                                             \
    "vldrh.s32 q0, [%[a]], #8\n\tvldrh.s32 q1, [%[b]], #8\n\t"
#define NNRT__BINARY_S16_CORTEX_M55_STORE                \
    NNRT__BINARY_S16_CORTEX_M55_SCALE("q0", "r8", "r11") \
    "vmax.s32 q0, q0, q5\n\tvmin.s32 q0, q0, q6\n\tvstrh.32 q0, [%[out]], #8\n\tletp lr, 1b"
#define NNRT__BINARY_S16_CORTEX_M55_OPERANDS                     \
    : [a] "+l"(a), [b] "+l"(b), [out] "+l"(out), [row] "+r"(row)                     \
    : [n] "r"(n)                                                                     \
    : "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "q0", "q1", "q2", "q5", "q6", "memory"

/* n elements side by side, n >= 1. Assembly for the reasons of add_s8_cortex_m55.h. */
NNRT__INLINE void nnrt__binary_s16_cortex_m55_add(const nnrt__binary_s16_cortex_m55_row *row, const int16_t *a,
                                                  const int16_t *b, int16_t *out, size_t n) {
    __asm__ volatile(
        NNRT__BINARY_S16_CORTEX_M55_LOAD
        "vshl.i32 q0, q0, #15\n\tvshl.i32 q1, q1, #15\n\t" NNRT__BINARY_S16_CORTEX_M55_SCALE("q0", "r5", "r9")
            NNRT__BINARY_S16_CORTEX_M55_SCALE("q1", "r6",
                                              "r10") "vmla.s32 q0, q1, r12\n\t" NNRT__BINARY_S16_CORTEX_M55_STORE
                NNRT__BINARY_S16_CORTEX_M55_OPERANDS);
}

NNRT__INLINE void nnrt__binary_s16_cortex_m55_mul(const nnrt__binary_s16_cortex_m55_row *row, const int16_t *a,
                                                  const int16_t *b, int16_t *out, size_t n) {
    __asm__ volatile(NNRT__BINARY_S16_CORTEX_M55_LOAD
                     "vmul.i32 q0, q0, q1\n\t" NNRT__BINARY_S16_CORTEX_M55_STORE NNRT__BINARY_S16_CORTEX_M55_OPERANDS);
}

#undef NNRT__BINARY_S16_CORTEX_M55_SCALE
#undef NNRT__BINARY_S16_CORTEX_M55_STORE
#undef NNRT__BINARY_S16_CORTEX_M55_LOAD
#undef NNRT__BINARY_S16_CORTEX_M55_OPERANDS

/* Fills what the loops read; false: nothing but nnrt__binary_s16_scalar takes these arguments. */
NNRT__INLINE bool nnrt__binary_s16_cortex_m55_row_of(nnrt__binary_s16_cortex_m55_row *row,
                                                     const nnrt__binary_s8_args *args) {
    memset(row, 0, sizeof *row);
    row->low = args->clamp_min;
    row->high = args->clamp_max;
    row->multiplier[2] = args->output_multiplier;
    row->shift[2] = args->output_shift;
    row->sign = args->kind == NNRT__BINARY_SUB ? -1 : 1;
    if (!nnrt__binary_s16_rescales(args) || !nnrt__cortex_m55_is_usual(row->shift[2])) return false;
    return args->kind == NNRT__BINARY_MUL ||
           (nnrt__binary_s16_cortex_m55_take(row, 0, args) && nnrt__binary_s16_cortex_m55_take(row, 1, args));
}

NNRT__FN void nnrt__binary_s16_cortex_m55(const nnrt__binary_s8_args *args, const int16_t *a, size_t a_step,
                                          const int16_t *b, size_t b_step, int16_t *out, size_t n) {
    const size_t most = a_step != 0 && b_step != 0 ? n : NNRT__BINARY_S16_CORTEX_M55_SAME;
    int16_t same[2][NNRT__BINARY_S16_CORTEX_M55_SAME];
    nnrt__binary_s16_cortex_m55_row row;
    size_t count, i;
    NNRT_ASSERT(nnrt__binary_s16_is_right(args, a, a_step, b, b_step, out, n));
    if (!nnrt__binary_s16_cortex_m55_row_of(&row, args)) {
        nnrt__binary_s16_scalar(args, a, a_step, b, b_step, out, n);
        return;
    }
    for (i = 0; i < NNRT__BINARY_S16_CORTEX_M55_SAME; i++) {
        if (a_step == 0) same[0][i] = *a;
        if (b_step == 0) same[1][i] = *b;
    }
    for (; n != 0; n -= count, a += count * a_step, b += count * b_step, out += count) {
        const int16_t *const x = a_step != 0 ? a : same[0], *const y = b_step != 0 ? b : same[1];
        count = n < most ? n : most;
        if (args->kind == NNRT__BINARY_MUL) nnrt__binary_s16_cortex_m55_mul(&row, x, y, out, count);
        else nnrt__binary_s16_cortex_m55_add(&row, x, y, out, count);
    }
}

NNRT__FN void nnrt__binary_s16_cortex_m55_install(nnrt__cpu_table *t) {
    t->binary_s16 = nnrt__binary_s16_cortex_m55;
    t->binary_s16_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_BINARY_S16_CORTEX_M55_H */
