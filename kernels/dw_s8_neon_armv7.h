/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dw_s8_neon_armv7.h - the inner loop of dw_s8_neon.h for ARMv7, in assembly: compilers spill it.

   3x3 taps, two pixels of 8 channels at a time. The nine weights, the bias and the zero point stay in registers (q0-q4,
   q5 and q6, q7); q8-q11 hold the sums, q12 and q13 products, d28-d31 columns of a row, each loaded once for both
   pixels. Instructions for two pixels, 2026-11-22: 78 at stride 1, 81 at stride 2, of them 18 multiply and 20 add;
   pixel by pixel from a list of taps it is about 85 for one, by estimate. */
#ifndef NNRT_KERNELS_DW_S8_NEON_ARMV7_H
#define NNRT_KERNELS_DW_S8_NEON_ARMV7_H

#include "requantize_neon.h"

/* clang-format off */
#define NNRT__DW_S8_ARMV7_LOAD(d, row) "vld1.8 {" d "}, [" row "], r3\n\t"
#define NNRT__DW_S8_ARMV7_LAST(d, row) "vld1.8 {" d "}, [" row "], r4\n\t"
/* Both pixels: a tap, and another. */
#define NNRT__DW_S8_ARMV7_FIRST(x0, x1, w) "vmull.s8 q12, " x0 ", " w "\n\t" "vmull.s8 q13, " x1 ", " w "\n\t"
#define NNRT__DW_S8_ARMV7_SECOND(x0, x1, w) "vmlal.s8 q12, " x0 ", " w "\n\t" "vmlal.s8 q13, " x1 ", " w "\n\t"
#define NNRT__DW_S8_ARMV7_BIAS \
    "vaddw.s16 q8, q5, d24\n\t" "vaddw.s16 q9, q6, d25\n\t" "vaddw.s16 q10, q5, d26\n\t" "vaddw.s16 q11, q6, d27\n\t"
#define NNRT__DW_S8_ARMV7_ADD \
    "vaddw.s16 q8, q8, d24\n\t" "vaddw.s16 q9, q9, d25\n\t" "vaddw.s16 q10, q10, d26\n\t" "vaddw.s16 q11, q11, d27\n\t"

/* Columns a b c d: taps a b c of the first pixel and b c d of the second. */
#define NNRT__DW_S8_ARMV7_STRIDE_1 \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r0") NNRT__DW_S8_ARMV7_LOAD("d29", "r0") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r0") NNRT__DW_S8_ARMV7_LAST("d31", "r0") \
    NNRT__DW_S8_ARMV7_FIRST("d28", "d29", "d0") NNRT__DW_S8_ARMV7_SECOND("d29", "d30", "d1") \
    NNRT__DW_S8_ARMV7_BIAS \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r1") NNRT__DW_S8_ARMV7_LOAD("d29", "r1") \
    NNRT__DW_S8_ARMV7_FIRST("d30", "d31", "d2") NNRT__DW_S8_ARMV7_SECOND("d28", "d29", "d3") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r1") NNRT__DW_S8_ARMV7_LAST("d31", "r1") \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d29", "d30", "d4") NNRT__DW_S8_ARMV7_SECOND("d30", "d31", "d5") \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r2") NNRT__DW_S8_ARMV7_LOAD("d29", "r2") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r2") NNRT__DW_S8_ARMV7_LAST("d31", "r2") \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d28", "d29", "d6") NNRT__DW_S8_ARMV7_SECOND("d29", "d30", "d7") \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d30", "d31", "d8") \
    NNRT__DW_S8_ARMV7_ADD

/* Columns a b c d e: taps a b c of the first pixel and c d e of the second. */
#define NNRT__DW_S8_ARMV7_STRIDE_2 \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r0") NNRT__DW_S8_ARMV7_LOAD("d29", "r0") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r0") NNRT__DW_S8_ARMV7_LOAD("d31", "r0") \
    NNRT__DW_S8_ARMV7_FIRST("d28", "d30", "d0") NNRT__DW_S8_ARMV7_SECOND("d29", "d31", "d1") \
    "vld1.8 {d31}, [r0]\n\t" \
    NNRT__DW_S8_ARMV7_BIAS \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r1") NNRT__DW_S8_ARMV7_LOAD("d29", "r1") \
    NNRT__DW_S8_ARMV7_FIRST("d30", "d31", "d2") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r1") NNRT__DW_S8_ARMV7_LOAD("d31", "r1") \
    NNRT__DW_S8_ARMV7_SECOND("d28", "d30", "d3") \
    "vld1.8 {d28}, [r1]\n\t" \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d29", "d31", "d4") NNRT__DW_S8_ARMV7_SECOND("d30", "d28", "d5") \
    NNRT__DW_S8_ARMV7_LOAD("d28", "r2") NNRT__DW_S8_ARMV7_LOAD("d29", "r2") \
    NNRT__DW_S8_ARMV7_LOAD("d30", "r2") NNRT__DW_S8_ARMV7_LOAD("d31", "r2") \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d28", "d30", "d6") NNRT__DW_S8_ARMV7_SECOND("d29", "d31", "d7") \
    "vld1.8 {d31}, [r2]\n\t" \
    NNRT__DW_S8_ARMV7_ADD \
    NNRT__DW_S8_ARMV7_FIRST("d30", "d31", "d8") \
    NNRT__DW_S8_ARMV7_ADD

/* As nnrt__tile_bytes_neon where every shift is negative: multiplier and shift to q12-q15, the range to q12 and q13. */
#define NNRT__DW_S8_ARMV7_FINISH \
    "vldmia r10, {d24-d31}\n\t" \
    "vqrdmulh.s32 q8, q8, q12\n\t" "vqrdmulh.s32 q9, q9, q13\n\t" \
    "vqrdmulh.s32 q10, q10, q12\n\t" "vqrdmulh.s32 q11, q11, q13\n\t" \
    "vldmia r12, {d24-d27}\n\t" \
    "vsra.s32 q8, q8, #31\n\t" "vsra.s32 q9, q9, #31\n\t" "vsra.s32 q10, q10, #31\n\t" "vsra.s32 q11, q11, #31\n\t" \
    "vrshl.s32 q8, q8, q14\n\t" "vrshl.s32 q9, q9, q15\n\t" \
    "vrshl.s32 q10, q10, q14\n\t" "vrshl.s32 q11, q11, q15\n\t" \
    "vqmovn.s32 d16, q8\n\t" "vqmovn.s32 d17, q9\n\t" "vqmovn.s32 d20, q10\n\t" "vqmovn.s32 d21, q11\n\t" \
    "vqadd.s16 q8, q8, q7\n\t" "vqadd.s16 q10, q10, q7\n\t" \
    "vqmovn.s16 d16, q8\n\t" "vqmovn.s16 d17, q10\n\t" \
    "vmax.s8 q8, q8, q12\n\t" "vmin.s8 q8, q8, q13\n\t" \
    "vst1.8 {d16}, [r5], r6\n\t" "vst1.8 {d17}, [r5], r6\n\t"

#define NNRT__DW_S8_ARMV7_LOOP(columns) \
    __asm__ volatile("ldmia r0, {r0-r6, r8, r10, r12}\n\t" \
                     "sub r4, r10, #32\n\t" \
                     "vldmia r4, {d10-d13}\n\t" \
                     "add r4, r10, #80\n\t" \
                     "vldmia r4, {d0-d8}\n\t" \
                     "sub r4, r12, #16\n\t" \
                     "vldmia r4, {d14-d15}\n\t" \
                     "rsb r4, r3, #0\n\t" \
                     "1:\n\t" \
                     columns NNRT__DW_S8_ARMV7_FINISH \
                     "subs r8, r8, #1\n\t" \
                     "bne 1b\n\t" \
                     : "+r"(at) \
                     : \
                     : "cc", "memory", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r10", "r12", "q0", "q1", \
                       "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9", "q10", "q11", "q12", "q13", "q14", "q15")
/* clang-format on */

/* What the loop keeps in r0-r6, r8, r10 and r12, in this order. It takes them by itself: given to a compiler one by one
   they do not fit beside a frame pointer (r7 of Thumb, r11 of ARM) and what -O0 or -fPIC need, and it gives up. */
typedef struct nnrt__dw_s8_armv7_call {
    const int8_t *row0, *row1, *row2;
    size_t step;
    const void *back; /* r4: free until the loop has its own */
    int8_t *to;
    size_t out_stride, pairs;
    const int32_t *constants; /* multipliers of the tile: bias 32 bytes before, weights 80 bytes behind */
    const uint8_t *range;     /* of the output; its zero point 16 bytes before */
} nnrt__dw_s8_armv7_call;

/* `pairs` >= 1 pairs of pixels of 8 channels, each pixel `stride` (1 or 2) taps of tap_step bytes from the last. rows
   point at the first tap. tile: without a weight of -128 or a shift that is not negative. */
NNRT__INLINE void nnrt__dw_s8_neon_3x3(const int8_t *const rows[3], size_t tap_step, int stride, const int32_t *tile,
                                       const nnrt__output_x16_neon *out, int8_t *to, size_t out_stride, size_t pairs) {
    const nnrt__dw_s8_armv7_call call = {rows[0], rows[1],    rows[2], tap_step, NULL,
                                         to,      out_stride, pairs,   tile + 8, (const uint8_t *)out + 16};
    register const nnrt__dw_s8_armv7_call *at __asm__("r0") = &call;
    if (stride == 1) NNRT__DW_S8_ARMV7_LOOP(NNRT__DW_S8_ARMV7_STRIDE_1);
    else NNRT__DW_S8_ARMV7_LOOP(NNRT__DW_S8_ARMV7_STRIDE_2);
}

#endif /* NNRT_KERNELS_DW_S8_NEON_ARMV7_H */
