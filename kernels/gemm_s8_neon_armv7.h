/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_neon_armv7.h - the inner loop of gemm_s8_neon.h for ARMv7, in assembly.

   The 16 registers of ARMv7 are all in use: 8 sums, 4 of products, 2 of weights, 2 with two rows of A and their turned
   twins. Compilers order intrinsics so that more values live at once, and spill (GCC 12: 12 stores and loads a step,
   clang 14: 10).

   4 rows x 8 channels x 8 steps = 256 products: 64 instructions, 48 of them multiply (vmull, vmlal: 8 products each, to
   16 bits) or add neighbours (vpadal). Rows 0 and 1 are loaded and turned twice, which is cheaper than fewer products
   in flight: with two of them and each row loaded once it is 62 instructions, but llvm-mca 14 counts 104 cycles instead
   of 68 (Cortex-A9, in-order NEON like the A7's, where it takes a Q register in one pass; A7 with two: 122 passes). By
   lane (vmlal.s16 on widened values) it was 92 instructions and the widening, 86 cycles, 152 passes. 2026-11-22. */
#ifndef NNRT_KERNELS_GEMM_S8_NEON_ARMV7_H
#define NNRT_KERNELS_GEMM_S8_NEON_ARMV7_H

#include "requantize_neon.h"

/* The rows in d0 and d1, their twins in d2 and d3, with the weights of eight channels in q2 and q3: two products of
   each. sum0 and sum1 are the halves of the first row. */
#define NNRT__GEMM_S8_ARMV7_EIGHT(sum0, sum1, other0, other1) \
    "vmull.s8 q4, d0, d4\n\t"                                 \
    "vmull.s8 q5, d1, d4\n\t"                                 \
    "vmull.s8 q6, d0, d6\n\t"                                 \
    "vmull.s8 q7, d1, d6\n\t"                                 \
    "vmlal.s8 q4, d2, d5\n\t"                                 \
    "vmlal.s8 q5, d3, d5\n\t"                                 \
    "vmlal.s8 q6, d2, d7\n\t"                                 \
    "vmlal.s8 q7, d3, d7\n\t"                                 \
    "vpadal.s16 %q[" sum0 "], q4\n\t"                         \
    "vpadal.s16 %q[" other0 "], q5\n\t"                       \
    "vpadal.s16 %q[" sum1 "], q6\n\t"                         \
    "vpadal.s16 %q[" other1 "], q7\n\t"

/* sums[2 * row + half] += rows a, a + stride, a + 2 * stride and a3 of `pieces` pieces of 8 * steps bytes times w.
   steps >= 1. */
NNRT__INLINE void nnrt__gemm_s8_neon_rows(int32x4_t sums[8], const int8_t *const *a, size_t stride,
                                          const int8_t *const *a3, size_t pieces, size_t steps, const int8_t *w) {
    int32x4_t s00 = sums[0], s01 = sums[1], s10 = sums[2], s11 = sums[3];
    int32x4_t s20 = sums[4], s21 = sums[5], s30 = sums[6], s31 = sums[7];
    for (; pieces > 0; pieces--, a++, a3++) {
        const int8_t *row0 = a[0], *row1 = a[stride], *row2 = a[2 * stride], *row3 = a3[0];
        size_t left = steps;
        __asm__("1:\n\t" /* clang-format off */
                "vld1.8 {d0}, [%[row0]]\n\t"
                "vld1.8 {d1}, [%[row1]]\n\t"
                "vld1.8 {d4-d7}, [%[w]]!\n\t"
                "vrev32.16 q1, q0\n\t"
                NNRT__GEMM_S8_ARMV7_EIGHT("s00", "s01", "s10", "s11")
                "vld1.8 {d0}, [%[row2]]!\n\t"
                "vld1.8 {d1}, [%[row3]]!\n\t"
                "vrev32.16 q1, q0\n\t"
                NNRT__GEMM_S8_ARMV7_EIGHT("s20", "s21", "s30", "s31")
                "vld1.8 {d4-d7}, [%[w]]!\n\t"
                "vrev64.16 q1, q0\n\t"
                "vrev64.32 q0, q0\n\t"
                NNRT__GEMM_S8_ARMV7_EIGHT("s20", "s21", "s30", "s31")
                "vld1.8 {d0}, [%[row0]]!\n\t"
                "vld1.8 {d1}, [%[row1]]!\n\t"
                "subs %[left], %[left], #1\n\t"
                "vrev64.16 q1, q0\n\t"
                "vrev64.32 q0, q0\n\t"
                NNRT__GEMM_S8_ARMV7_EIGHT("s00", "s01", "s10", "s11")
                "bne 1b\n\t" /* clang-format on */
                : [row0] "+r"(row0), [row1] "+r"(row1), [row2] "+r"(row2), [row3] "+r"(row3), [w] "+r"(w),
                  [left] "+r"(left), [s00] "+w"(s00), [s01] "+w"(s01), [s10] "+w"(s10), [s11] "+w"(s11),
                  [s20] "+w"(s20), [s21] "+w"(s21), [s30] "+w"(s30), [s31] "+w"(s31)
                :
                : "cc", "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7");
    }
    sums[0] = s00, sums[1] = s01, sums[2] = s10, sums[3] = s11;
    sums[4] = s20, sums[5] = s21, sums[6] = s30, sums[7] = s31;
}

/* Eight channels of four rows to bytes, in place: rows 0 and 1, then 2 and 3. Every shift is negative. `head` is the
   tile's; 45 instructions. */
NNRT__INLINE void nnrt__gemm_s8_neon_finish(const int32x4_t sums[8], const int32_t *head,
                                            const nnrt__output_x16_neon *out, int8x16_t bytes[2]) {
    int32x4_t s00 = sums[0], s01 = sums[1], s10 = sums[2], s11 = sums[3];
    int32x4_t s20 = sums[4], s21 = sums[5], s30 = sums[6], s31 = sums[7];
    __asm__("vldmia %[constants], {d0-d7}\n\t" /* clang-format off */
            "vldmia %[out], {d8-d13}\n\t"
            "vqrdmulh.s32 %q[s00], %q[s00], q0\n\t" "vqrdmulh.s32 %q[s01], %q[s01], q1\n\t"
            "vqrdmulh.s32 %q[s10], %q[s10], q0\n\t" "vqrdmulh.s32 %q[s11], %q[s11], q1\n\t"
            "vqrdmulh.s32 %q[s20], %q[s20], q0\n\t" "vqrdmulh.s32 %q[s21], %q[s21], q1\n\t"
            "vqrdmulh.s32 %q[s30], %q[s30], q0\n\t" "vqrdmulh.s32 %q[s31], %q[s31], q1\n\t"
            "vsra.s32 %q[s00], %q[s00], #31\n\t" "vsra.s32 %q[s01], %q[s01], #31\n\t"
            "vsra.s32 %q[s10], %q[s10], #31\n\t" "vsra.s32 %q[s11], %q[s11], #31\n\t"
            "vsra.s32 %q[s20], %q[s20], #31\n\t" "vsra.s32 %q[s21], %q[s21], #31\n\t"
            "vsra.s32 %q[s30], %q[s30], #31\n\t" "vsra.s32 %q[s31], %q[s31], #31\n\t"
            "vrshl.s32 %q[s00], %q[s00], q2\n\t" "vrshl.s32 %q[s01], %q[s01], q3\n\t"
            "vrshl.s32 %q[s10], %q[s10], q2\n\t" "vrshl.s32 %q[s11], %q[s11], q3\n\t"
            "vrshl.s32 %q[s20], %q[s20], q2\n\t" "vrshl.s32 %q[s21], %q[s21], q3\n\t"
            "vrshl.s32 %q[s30], %q[s30], q2\n\t" "vrshl.s32 %q[s31], %q[s31], q3\n\t"
            "vqmovn.s32 d0, %q[s00]\n\t" "vqmovn.s32 d1, %q[s01]\n\t"
            "vqmovn.s32 d2, %q[s10]\n\t" "vqmovn.s32 d3, %q[s11]\n\t"
            "vqmovn.s32 d4, %q[s20]\n\t" "vqmovn.s32 d5, %q[s21]\n\t"
            "vqmovn.s32 d6, %q[s30]\n\t" "vqmovn.s32 d7, %q[s31]\n\t"
            "vqadd.s16 q0, q0, q4\n\t" "vqadd.s16 q1, q1, q4\n\t"
            "vqadd.s16 q2, q2, q4\n\t" "vqadd.s16 q3, q3, q4\n\t"
            "vqmovn.s16 %e[s00], q0\n\t" "vqmovn.s16 %f[s00], q1\n\t"
            "vqmovn.s16 %e[s01], q2\n\t" "vqmovn.s16 %f[s01], q3\n\t"
            "vmax.s8 %q[s00], %q[s00], q5\n\t" "vmax.s8 %q[s01], %q[s01], q5\n\t"
            "vmin.s8 %q[s00], %q[s00], q6\n\t" "vmin.s8 %q[s01], %q[s01], q6\n\t" /* clang-format on */
            : [s00] "+w"(s00), [s01] "+w"(s01), [s10] "+w"(s10), [s11] "+w"(s11), [s20] "+w"(s20), [s21] "+w"(s21),
              [s30] "+w"(s30), [s31] "+w"(s31)
            : [constants] "r"(head + 8), [out] "r"(out)
            : "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6");
    bytes[0] = vreinterpretq_s8_s32(s00);
    bytes[1] = vreinterpretq_s8_s32(s01);
}

#endif /* NNRT_KERNELS_GEMM_S8_NEON_ARMV7_H */
