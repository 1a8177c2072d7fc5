/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_f32_neon_armv7.h - the inner loop of dw_f32_neon.h for ARMv7, in assembly.

   3x3 taps, two pixels of 8 channels: four sums; each column of a row is loaded once for both pixels, each weight once
   a pass, 32 bytes a load. 95 instructions at stride 1 and 98 at stride 2 for two pixels, of them 36 multiply-adds;
   from a list of taps GCC 12 takes about 165 by estimate. 2026-11-22. */
#ifndef NNRT_KERNELS_DW_F32_NEON_ARMV7_H
#define NNRT_KERNELS_DW_F32_NEON_ARMV7_H

#include "f32_neon.h"

#if defined(__ARM_FEATURE_FMA)
#define NNRT__DW_F32_ARMV7_MLA "vfma.f32 "
#else
#define NNRT__DW_F32_ARMV7_MLA "vmla.f32 "
#endif

/* clang-format off */
#define NNRT__DW_F32_ARMV7_WEIGHTS "vld1.32 {d0-d3}, [%[w]]!\n\t"
#define NNRT__DW_F32_ARMV7_LOAD(d, row) "vld1.32 {" d "}, [%[" row "]], %[step]\n\t"
/* A tap of both pixels. */
#define NNRT__DW_F32_ARMV7_TAP(x0, x1, y0, y1) \
    NNRT__DW_F32_ARMV7_MLA "%q[s00], q0, " x0 "\n\t" NNRT__DW_F32_ARMV7_MLA "%q[s01], q1, " x1 "\n\t" \
    NNRT__DW_F32_ARMV7_MLA "%q[s10], q0, " y0 "\n\t" NNRT__DW_F32_ARMV7_MLA "%q[s11], q1, " y1 "\n\t"

/* Columns a b c d in q2 q3, q4 q5, q6 q7 and q2 q3 again. */
#define NNRT__DW_F32_ARMV7_STRIDE_1(row) \
    NNRT__DW_F32_ARMV7_LOAD("d4-d7", row) NNRT__DW_F32_ARMV7_WEIGHTS \
    NNRT__DW_F32_ARMV7_LOAD("d8-d11", row) NNRT__DW_F32_ARMV7_TAP("q2", "q3", "q4", "q5") \
    NNRT__DW_F32_ARMV7_WEIGHTS NNRT__DW_F32_ARMV7_LOAD("d12-d15", row) \
    NNRT__DW_F32_ARMV7_TAP("q4", "q5", "q6", "q7") \
    NNRT__DW_F32_ARMV7_WEIGHTS "vld1.32 {d4-d7}, [%[" row "]], %[back]\n\t" \
    NNRT__DW_F32_ARMV7_TAP("q6", "q7", "q2", "q3")

/* Columns a b c d e in q2 q3, q4 q5, q6 q7 and again q2 q3 and q4 q5. */
#define NNRT__DW_F32_ARMV7_STRIDE_2(row) \
    NNRT__DW_F32_ARMV7_LOAD("d4-d7", row) NNRT__DW_F32_ARMV7_LOAD("d8-d11", row) NNRT__DW_F32_ARMV7_WEIGHTS \
    NNRT__DW_F32_ARMV7_LOAD("d12-d15", row) NNRT__DW_F32_ARMV7_TAP("q2", "q3", "q6", "q7") \
    NNRT__DW_F32_ARMV7_WEIGHTS NNRT__DW_F32_ARMV7_LOAD("d4-d7", row) \
    NNRT__DW_F32_ARMV7_TAP("q4", "q5", "q2", "q3") \
    NNRT__DW_F32_ARMV7_WEIGHTS "vld1.32 {d8-d11}, [%[" row "]]\n\t" \
    NNRT__DW_F32_ARMV7_TAP("q6", "q7", "q4", "q5")

#define NNRT__DW_F32_ARMV7_PASS(columns) \
    __asm__(columns("row0") columns("row1") columns("row2") \
            : [row0] "+r"(row0), [row1] "+r"(row1), [row2] "+r"(row2), [w] "+r"(w), [s00] "+w"(sums[0]), \
              [s01] "+w"(sums[1]), [s10] "+w"(sums[2]), [s11] "+w"(sums[3]) \
            : [step] "r"(step), [back] "r"(back) \
            : "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7")
/* clang-format on */

/* sums[2 * pixel + half] += the windows of two pixels of 8 channels, `stride` (1 or 2) taps of tap_step floats apart.
   rows point at the first tap, and then at that of the next two pixels. */
NNRT__INLINE void nnrt__dw_f32_neon_3x3(float32x4_t sums[4], const float *rows[3], size_t tap_step, int stride,
                                        const float *w) {
    const float *row0 = rows[0], *row1 = rows[1], *row2 = rows[2];
    const size_t step = tap_step * sizeof(float), back = (size_t)0 - step;
    if (stride == 1) NNRT__DW_F32_ARMV7_PASS(NNRT__DW_F32_ARMV7_STRIDE_1);
    else NNRT__DW_F32_ARMV7_PASS(NNRT__DW_F32_ARMV7_STRIDE_2);
    rows[0] = row0, rows[1] = row1, rows[2] = row2;
}

#endif /* NNRT_KERNELS_DW_F32_NEON_ARMV7_H */
