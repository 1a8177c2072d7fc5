/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/dot_cortex_m55.h - four sums of products for Helium: what gemm_s8 and gemm_hybrid share. */
#ifndef NNRT_KERNELS_DOT_CORTEX_M55_H
#define NNRT_KERNELS_DOT_CORTEX_M55_H

#include "internal.h"

/* Four sums: of four rows, or of four channels. Of it all, the compiler keeps no array in memory. */
typedef struct nnrt__gemm_s8_cortex_m55_sums {
    uint32_t a, b, c, d;
} nnrt__gemm_s8_cortex_m55_sums;

#define NNRT__CORTEX_M55_STREAM(at, sum) "vldrb.8 q1, [" at "], #16\n\tvmladava.s8 " sum ", q0, q1\n\t"

/* The products of `common` and of each stream; begin and end are those of the loop. */
#define NNRT__CORTEX_M55_DOT(begin, end)                                                                         \
    __asm__ volatile(begin " lr, %[count]\n"                                                                     \
                           "1:\n\t"                                                                              \
                           "vldrb.8 q0, [%[common]], #16\n\t" NNRT__CORTEX_M55_STREAM("%[a]", "%[s0]")           \
                               NNRT__CORTEX_M55_STREAM("%[b]", "%[s1]") NNRT__CORTEX_M55_STREAM("%[c]", "%[s2]") \
                                   NNRT__CORTEX_M55_STREAM("%[d]", "%[s3]") end " lr, 1b"                        \
                     : [s0] "+Te"(sums->a), [s1] "+Te"(sums->b), [s2] "+Te"(sums->c), [s3] "+Te"(sums->d),       \
                       [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [common] "+r"(common)                 \
                     : [count] "r"(count)                                                                        \
                     : "lr", "q0", "q1", "memory")

/* Adds the products of `common` and of each stream. count: vectors of 16 bytes that there are, all readable; at least
   1. Returns what follows in `common`. */
NNRT__INLINE const int8_t *nnrt__gemm_s8_cortex_m55_dot(nnrt__gemm_s8_cortex_m55_sums *sums, const int8_t *common,
                                                        const int8_t *a, const int8_t *b, const int8_t *c,
                                                        const int8_t *d, size_t count) {
    NNRT__CORTEX_M55_DOT("dls", "le");
    return common;
}

/* The same of `count` bytes; nothing behind them is read. */
NNRT__INLINE void nnrt__gemm_s8_cortex_m55_dot_bytes(nnrt__gemm_s8_cortex_m55_sums *sums, const int8_t *common,
                                                     const int8_t *a, const int8_t *b, const int8_t *c, const int8_t *d,
                                                     size_t count) {
    NNRT__CORTEX_M55_DOT("dlstp.8", "letp");
}

#undef NNRT__CORTEX_M55_DOT

NNRT__INLINE int32x4_t nnrt__gemm_s8_cortex_m55_vector(const nnrt__gemm_s8_cortex_m55_sums *sums) {
    int32x4_t x;
    __asm__("vmov %q0[2], %q0[0], %[a], %[c]\n\tvmov %q0[3], %q0[1], %[b], %[d]"
            : "=&w"(x)
            : [a] "r"(sums->a), [b] "r"(sums->b), [c] "r"(sums->c), [d] "r"(sums->d));
    return x;
}

#endif /* NNRT_KERNELS_DOT_CORTEX_M55_H */
