/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_cortex_m55.h - gemm_s16 for Helium (Cortex-M55, M85). Contract: gemm_s16_scalar.h.

   vmladava adds eight products of 16 bits to a register of 32; weights are widened as they are loaded. Two rows by two
   channels are nine instructions for 32 products, one row by four channels eleven; both count the last products of a
   row by themselves. Sums that leave 32 bits are those of pieces of rows, added in 64. */
#ifndef NNRT_KERNELS_GEMM_S16_CORTEX_M55_H
#define NNRT_KERNELS_GEMM_S16_CORTEX_M55_H

#include "gemm_s16_scalar.h"
#include "internal.h"
#include "s16_cortex_m55.h"

/* Four sums: of four channels, or of two channels for a row and for another one. */
typedef struct nnrt__gemm_s16_cortex_m55_sums {
    uint32_t a, b, c, d;
} nnrt__gemm_s16_cortex_m55_sums;

/* Of two rows and two channels, k products: a, b of row x, c, d of row y. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m55_square(nnrt__gemm_s16_cortex_m55_sums *sums, const int16_t *x,
                                                   const int16_t *y, const int8_t *v, const int8_t *w, size_t k) {
    sums->a = sums->b = sums->c = sums->d = 0;
    if (k == 0) return;
    __asm__ volatile("dlstp.16 lr, %[k]\n"
                     "1:\n\t"
                     "vldrh.u16 q0, [%[x]], #16\n\tvldrb.s16 q2, [%[v]], #8\n\tvmladava.s16 %[a], q0, q2\n\t"
                     "vldrh.u16 q1, [%[y]], #16\n\tvmladava.s16 %[c], q1, q2\n\t"
                     "vldrb.s16 q2, [%[w]], #8\n\tvmladava.s16 %[b], q0, q2\n\tvmladava.s16 %[d], q1, q2\n\t"
                     "letp lr, 1b"
                     : [a] "+Te"(sums->a), [b] "+Te"(sums->b), [c] "+Te"(sums->c), [d] "+Te"(sums->d), [x] "+r"(x),
                       [y] "+r"(y), [v] "+l"(v), [w] "+l"(w)
                     : [k] "r"(k)
                     : "lr", "q0", "q1", "q2", "memory");
}

/* Of one row and the four channels whose weights w lists. */
#ifdef __OPTIMIZE__
#define NNRT__CORTEX_M55_STREAM_S16(at, sum) "vldrb.s16 q1, [" at "], #8\n\tvmladava.s16 " sum ", q0, q1\n\t"
NNRT__INLINE void nnrt__gemm_s16_cortex_m55_line(nnrt__gemm_s16_cortex_m55_sums *sums, const int16_t *x,
                                                 const int8_t *const w[4], size_t k) {
    sums->a = sums->b = sums->c = sums->d = 0;
    if (k == 0) return;
    __asm__ volatile("ldm %[w], {r1, r3, r5, r6}\n\tdlstp.16 lr, %[k]\n"
                     "1:\n\t"
                     "vldrh.u16 q0, [%[x]], #16\n\t" NNRT__CORTEX_M55_STREAM_S16("r1", "%[s0]")
                         NNRT__CORTEX_M55_STREAM_S16("r3", "%[s1]") NNRT__CORTEX_M55_STREAM_S16("r5", "%[s2]")
                             NNRT__CORTEX_M55_STREAM_S16("r6", "%[s3]") "letp lr, 1b"
                     : [s0] "+Te"(sums->a), [s1] "+Te"(sums->b), [s2] "+Te"(sums->c), [s3] "+Te"(sums->d), [x] "+r"(x)
                     : [w] "r"(w), [k] "r"(k)
                     : "r1", "r3", "r5", "r6", "lr", "q0", "q1", "memory");
}
#undef NNRT__CORTEX_M55_STREAM_S16
#else /* compilers find no registers for it then */
NNRT__FN void nnrt__gemm_s16_cortex_m55_line(nnrt__gemm_s16_cortex_m55_sums *sums, const int16_t *x,
                                             const int8_t *const w[4], size_t k) {
    nnrt__gemm_s16_cortex_m55_sums same;
    nnrt__gemm_s16_cortex_m55_square(sums, x, x, w[0], w[1], k);
    nnrt__gemm_s16_cortex_m55_square(&same, x, x, w[2], w[3], k);
    sums->c = same.a;
    sums->d = same.b;
}
#endif

NNRT__INLINE int32x4_t nnrt__gemm_s16_cortex_m55_vector(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    int32x4_t x;
    __asm__("vmov %q0[2], %q0[0], %[a], %[c]\n\tvmov %q0[3], %q0[1], %[b], %[d]"
            : "=&w"(x)
            : [a] "r"(a), [b] "r"(b), [c] "r"(c), [d] "r"(d));
    return x;
}

/* Any sums and factors: up to four channels from j on for one row after the other. */
NNRT__NOINLINE void nnrt__gemm_s16_cortex_m55_long(const nnrt__gemm_s16_args *args, const int8_t *const w[4], size_t j,
                                                   size_t count) {
    size_t i, at, c;
    for (i = 0; i < args->m; i++) {
        int64_t sums[4] = {0, 0, 0, 0};
        for (at = 0; at < args->k; at += NNRT__S16_CORTEX_M55_PRODUCTS) {
            const size_t left = args->k - at;
            const int8_t *const from[4] = {w[0] + at, w[1] + at, w[2] + at, w[3] + at};
            nnrt__gemm_s16_cortex_m55_sums piece;
            nnrt__gemm_s16_cortex_m55_line(&piece, args->a[i] + at, from,
                                           left < NNRT__S16_CORTEX_M55_PRODUCTS ? left : NNRT__S16_CORTEX_M55_PRODUCTS);
            sums[0] += (int32_t)piece.a;
            sums[1] += (int32_t)piece.b;
            sums[2] += (int32_t)piece.c;
            sums[3] += (int32_t)piece.d;
        }
        for (c = 0; c < count; c++)
            args->c[i * args->c_stride + j + c] =
                nnrt__finish_s16(&args->channels, j + c, sums[c], args->clamp_min, args->clamp_max);
    }
}

/* Four channels at a time; of less at the end, the last of them takes the place of those that are not there. */
NNRT__FN void nnrt__gemm_s16_cortex_m55(const nnrt__gemm_s16_args *args) {
    const size_t m = args->m, k = args->k, stride = args->c_stride;
    const bool fits = nnrt__s16_cortex_m55_fits(&args->channels, k);
    const nnrt__s16_cortex_m55_range range =
        nnrt__s16_cortex_m55_range_of(&args->channels, fits ? k : 0, args->clamp_min, args->clamp_max);
    const uint32x4_t places = __arm_vidupq_n_u32(0, 1);
    size_t i, j, c;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (j = 0; j < args->n; j += 4) {
        const size_t count = args->n - j < 4 ? args->n - j : 4;
        const mve_pred16_t are_left = __arm_vctp32q((uint32_t)count);
        const int16_t *const *a = args->a;
        int16_t *out = args->c + j;
        nnrt__gemm_s16_cortex_m55_sums x, y;
        nnrt__s16_cortex_m55_four four;
        const int8_t *w[4];
        for (c = 0; c < 4; c++) w[c] = args->w + (j + (c < count ? c : count - 1)) * args->w_stride;
        if (!fits || !nnrt__s16_cortex_m55_take(&range, &args->channels, j, places, are_left, &four)) {
            nnrt__gemm_s16_cortex_m55_long(args, w, j, count);
            continue;
        }
        for (i = m; i >= 2; i -= 2, a += 2, out += 2 * stride) {
            int32x4_t sums;
            nnrt__gemm_s16_cortex_m55_square(&x, a[0], a[1], w[0], w[1], k);
            nnrt__gemm_s16_cortex_m55_square(&y, a[0], a[1], w[2], w[3], k);
            sums = nnrt__gemm_s16_cortex_m55_vector(x.a, x.b, y.a, y.b);
            __arm_vstrhq_p_s32(out, nnrt__s16_cortex_m55_finish(sums, &four, &range), are_left);
            sums = nnrt__gemm_s16_cortex_m55_vector(x.c, x.d, y.c, y.d);
            __arm_vstrhq_p_s32(out + stride, nnrt__s16_cortex_m55_finish(sums, &four, &range), are_left);
        }
        if (i == 0) continue;
        nnrt__gemm_s16_cortex_m55_line(&x, a[0], w, k);
        __arm_vstrhq_p_s32(
            out, nnrt__s16_cortex_m55_finish(nnrt__gemm_s16_cortex_m55_vector(x.a, x.b, x.c, x.d), &four, &range),
            are_left);
    }
}

NNRT__FN void nnrt__gemm_s16_cortex_m55_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_cortex_m55;
    t->gemm_s16_isa = nnrt__isa_name_CORTEX_M55;
}

#endif /* NNRT_KERNELS_GEMM_S16_CORTEX_M55_H */
