/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_f32_neon_armv7.h - the inner loops of gemm_f32_neon.h for ARMv7, in assembly.

   Four rows: 8 sums, 4 registers with four steps of each row (the scalars of vmla must lie in d0-d15) and 4 of weights,
   32 bytes a load. 4 rows x 8 channels x 4 steps = 128 products: 42 instructions, 32 of them vmla; GCC 12 made 76 of
   the intrinsics, 28 of them for addresses. One row: 15 for 32 products. Cortex-A7: two passes a vmla, 76 for 128
   products; 35 cycles of a Cortex-A9 by llvm-mca 14. 2026-11-22. */
#ifndef NNRT_KERNELS_GEMM_F32_NEON_ARMV7_H
#define NNRT_KERNELS_GEMM_F32_NEON_ARMV7_H

#include "f32_neon.h"

/* One step of four rows: weights w0 and w1, the rows' elements in lanes. */
#define NNRT__GEMM_F32_ARMV7_STEP(w0, w1, x0, x1, x2, x3) \
    "vmla.f32 %q[s00], " w0 ", " x0 "\n\t"                \
    "vmla.f32 %q[s10], " w0 ", " x1 "\n\t"                \
    "vmla.f32 %q[s20], " w0 ", " x2 "\n\t"                \
    "vmla.f32 %q[s30], " w0 ", " x3 "\n\t"                \
    "vmla.f32 %q[s01], " w1 ", " x0 "\n\t"                \
    "vmla.f32 %q[s11], " w1 ", " x1 "\n\t"                \
    "vmla.f32 %q[s21], " w1 ", " x2 "\n\t"                \
    "vmla.f32 %q[s31], " w1 ", " x3 "\n\t"

/* sums[2 * row + half] += rows a, a + stride, a + 2 * stride and a3 of `pieces` pieces of `piece` floats times w. */
NNRT__INLINE void nnrt__gemm_f32_neon_rows(float32x4_t sums[8], const float *const *a, size_t stride,
                                           const float *const *a3, size_t pieces, size_t piece, const float *w) {
    float32x4_t s00 = sums[0], s01 = sums[1], s10 = sums[2], s11 = sums[3];
    float32x4_t s20 = sums[4], s21 = sums[5], s30 = sums[6], s31 = sums[7];
    for (; pieces > 0; pieces--, a++, a3++) {
        const float *row0 = a[0], *row1 = a[stride], *row2 = a[2 * stride], *row3 = a3[0];
        size_t left = piece;
        __asm__(
            "subs %[left], %[left], #4\n\t" /* clang-format off */
                "blo 2f\n\t"
                "1:\n\t"
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                "vld1.32 {d0-d1}, [%[row0]]!\n\t"
                "vld1.32 {d2-d3}, [%[row1]]!\n\t"
                "vld1.32 {d4-d5}, [%[row2]]!\n\t"
                "vld1.32 {d6-d7}, [%[row3]]!\n\t"
                "vld1.32 {d12-d15}, [%[w]]!\n\t"
                NNRT__GEMM_F32_ARMV7_STEP("q4", "q5", "d0[0]", "d2[0]", "d4[0]", "d6[0]")
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                NNRT__GEMM_F32_ARMV7_STEP("q6", "q7", "d0[1]", "d2[1]", "d4[1]", "d6[1]")
                "vld1.32 {d12-d15}, [%[w]]!\n\t"
                NNRT__GEMM_F32_ARMV7_STEP("q4", "q5", "d1[0]", "d3[0]", "d5[0]", "d7[0]")
                "subs %[left], %[left], #4\n\t"
                NNRT__GEMM_F32_ARMV7_STEP("q6", "q7", "d1[1]", "d3[1]", "d5[1]", "d7[1]")
                "bhs 1b\n\t"
                "2:\n\t"
                "adds %[left], %[left], #4\n\t"
                "beq 4f\n\t"
                "3:\n\t"
                "vld1.32 {d0[0]}, [%[row0]]!\n\t"
                "vld1.32 {d2[0]}, [%[row1]]!\n\t"
                "vld1.32 {d4[0]}, [%[row2]]!\n\t"
                "vld1.32 {d6[0]}, [%[row3]]!\n\t"
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                "subs %[left], %[left], #1\n\t"
                NNRT__GEMM_F32_ARMV7_STEP("q4", "q5", "d0[0]", "d2[0]", "d4[0]", "d6[0]")
                "bne 3b\n\t"
                "4:\n\t" /* clang-format on */
            : [row0] "+r"(row0), [row1] "+r"(row1), [row2] "+r"(row2), [row3] "+r"(row3), [w] "+r"(w),
              [left] "+r"(left), [s00] "+w"(s00), [s01] "+w"(s01), [s10] "+w"(s10), [s11] "+w"(s11), [s20] "+w"(s20),
              [s21] "+w"(s21), [s30] "+w"(s30), [s31] "+w"(s31)
            :
            : "cc", "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7");
    }
    sums[0] = s00, sums[1] = s01, sums[2] = s10, sums[3] = s11;
    sums[4] = s20, sums[5] = s21, sums[6] = s30, sums[7] = s31;
}

/* sums[half] += the row a times w. */
NNRT__INLINE void nnrt__gemm_f32_neon_row(float32x4_t sums[2], const float *const *a, size_t pieces, size_t piece,
                                          const float *w) {
    float32x4_t s0 = sums[0], s1 = sums[1], t0 = vdupq_n_f32(0.0f), t1 = t0;
    for (; pieces > 0; pieces--, a++) {
        const float *row = a[0];
        size_t left = piece;
        __asm__("subs %[left], %[left], #4\n\t"
                "blo 2f\n\t"
                "1:\n\t"
                "vld1.32 {d0-d1}, [%[row]]!\n\t"
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                "vld1.32 {d12-d15}, [%[w]]!\n\t"
                "subs %[left], %[left], #4\n\t"
                "vmla.f32 %q[s0], q4, d0[0]\n\t"
                "vmla.f32 %q[s1], q5, d0[0]\n\t"
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                "vmla.f32 %q[t0], q6, d0[1]\n\t"
                "vmla.f32 %q[t1], q7, d0[1]\n\t"
                "vld1.32 {d12-d15}, [%[w]]!\n\t"
                "vmla.f32 %q[s0], q4, d1[0]\n\t"
                "vmla.f32 %q[s1], q5, d1[0]\n\t"
                "vmla.f32 %q[t0], q6, d1[1]\n\t"
                "vmla.f32 %q[t1], q7, d1[1]\n\t"
                "bhs 1b\n\t"
                "2:\n\t"
                "adds %[left], %[left], #4\n\t"
                "beq 4f\n\t"
                "3:\n\t"
                "vld1.32 {d0[0]}, [%[row]]!\n\t"
                "vld1.32 {d8-d11}, [%[w]]!\n\t"
                "subs %[left], %[left], #1\n\t"
                "vmla.f32 %q[s0], q4, d0[0]\n\t"
                "vmla.f32 %q[s1], q5, d0[0]\n\t"
                "bne 3b\n\t"
                "4:\n\t"
                : [row] "+r"(row), [w] "+r"(w), [left] "+r"(left), [s0] "+w"(s0), [s1] "+w"(s1), [t0] "+w"(t0),
                  [t1] "+w"(t1)
                :
                : "cc", "memory", "q0", "q4", "q5", "q6", "q7");
    }
    sums[0] = vaddq_f32(s0, t0);
    sums[1] = vaddq_f32(s1, t1);
}

#endif /* NNRT_KERNELS_GEMM_F32_NEON_ARMV7_H */
