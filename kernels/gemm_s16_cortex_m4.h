/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_cortex_m4.h - gemm_s16 for the DSP extension of Cortex-M4, M7 and M33. Contract: gemm_s16_scalar.h.

   smlad adds two products of 16 bits. sxtb16 widens bytes 0 and 2 of four weights, and 1 and 3; pkhbt and pkhtb put
   them side by side again, for three rows: twelve products are 19 instructions. A single row has its own elements put
   in the weights' order, for three channels: 21. The one to three products behind are added one by one. Sums that leave
   32 bits are those of pieces of rows, added in 64. */
#ifndef NNRT_KERNELS_GEMM_S16_CORTEX_M4_H
#define NNRT_KERNELS_GEMM_S16_CORTEX_M4_H

#include "cortex_m4.h"
#include "gemm_s16_scalar.h"
#include "internal.h"
#include "s16_cortex_m4.h"

#ifdef __OPTIMIZE__
/* Two products of a row, and of a channel. */
#define NNRT__CORTEX_M4_PAIR_S16(row, sum, w) "ldr %[y], [" row "], #4\n\tsmlad " sum ", %[y], " w ", " sum "\n\t"
#define NNRT__CORTEX_M4_CHANNEL_S16(at, sum)                                       \
    "ldr %[x], [" at "], #4\n\tsxtb16 %[y], %[x]\n\tsxtb16 %[x], %[x], ror #8\n\t" \
    "smlad " sum ", %[e], %[y], " sum "\n\tsmlad " sum ", %[o], %[x], " sum "\n\t"

/* sums[i] += the products of four weights at a time, before `end`, and of row i. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_rows(uint32_t sums[3], const int16_t *a, const int16_t *b, const int16_t *c,
                                                const int8_t *w, const int8_t *end) {
    uint32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], x, y, z;
    if (w == end) return;
    __asm__ volatile("1:\n\t"
                     "ldr %[x], [%[w]], #4\n\tsxtb16 %[y], %[x]\n\tsxtb16 %[z], %[x], ror #8\n\t"
                     "pkhbt %[x], %[y], %[z], lsl #16\n\tpkhtb %[z], %[z], %[y], asr #16\n\t" NNRT__CORTEX_M4_PAIR_S16(
                         "%[a]", "%[s0]", "%[x]") NNRT__CORTEX_M4_PAIR_S16("%[a]", "%[s0]", "%[z]")
                         NNRT__CORTEX_M4_PAIR_S16("%[b]", "%[s1]", "%[x]")
                             NNRT__CORTEX_M4_PAIR_S16("%[b]", "%[s1]", "%[z]")
                                 NNRT__CORTEX_M4_PAIR_S16("%[c]", "%[s2]", "%[x]")
                                     NNRT__CORTEX_M4_PAIR_S16("%[c]", "%[s2]", "%[z]") "cmp %[w], %[end]\n\tbne 1b"
                     : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [w] "+r"(w),
                       [x] "=&r"(x), [y] "=&r"(y), [z] "=&r"(z)
                     : [end] "r"(end)
                     : "cc", "memory");
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
}

/* The same of one row and of three channels: weights at u, v and w. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_channels(uint32_t sums[3], const int16_t *a, const int8_t *u,
                                                    const int8_t *v, const int8_t *w, const int8_t *end) {
    uint32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], x, y, e, o;
    if (u == end) return;
    __asm__ volatile(
        "1:\n\t"
        "ldr %[x], [%[a]], #4\n\tldr %[y], [%[a]], #4\n\t"
        "pkhbt %[e], %[x], %[y], lsl #16\n\tpkhtb %[o], %[y], %[x], asr #16\n\t" NNRT__CORTEX_M4_CHANNEL_S16(
            "%[u]", "%[s0]") NNRT__CORTEX_M4_CHANNEL_S16("%[v]", "%[s1]")
            NNRT__CORTEX_M4_CHANNEL_S16("%[w]", "%[s2]") "cmp %[u], %[end]\n\tbne 1b"
        : [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [a] "+r"(a), [u] "+r"(u), [v] "+r"(v), [w] "+r"(w), [x] "=&r"(x),
          [y] "=&r"(y), [e] "=&r"(e), [o] "=&r"(o)
        : [end] "r"(end)
        : "cc", "memory");
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
}

#undef NNRT__CORTEX_M4_PAIR_S16
#undef NNRT__CORTEX_M4_CHANNEL_S16
#else /* compilers find no registers for these loops then */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_rows(uint32_t sums[3], const int16_t *a, const int16_t *b, const int16_t *c,
                                                const int8_t *w, const int8_t *end) {
    for (; w != end; w++) {
        sums[0] += (uint32_t)((int32_t)*a++ * *w);
        sums[1] += (uint32_t)((int32_t)*b++ * *w);
        sums[2] += (uint32_t)((int32_t)*c++ * *w);
    }
}

NNRT__INLINE void nnrt__gemm_s16_cortex_m4_channels(uint32_t sums[3], const int16_t *a, const int8_t *u,
                                                    const int8_t *v, const int8_t *w, const int8_t *end) {
    for (; u != end; a++) {
        sums[0] += (uint32_t)((int32_t)*a * *u++);
        sums[1] += (uint32_t)((int32_t)*a * *v++);
        sums[2] += (uint32_t)((int32_t)*a * *w++);
    }
}
#endif

/* sums[i] = k products, k <= NNRT__S16_PRODUCTS_MAX, of three rows and a channel, whose weights w lists three times, or
   of a row, which a lists three times, and three channels. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_piece(uint32_t sums[3], const int16_t *const a[3], const int8_t *const w[3],
                                                 bool is_rows, size_t at, size_t k) {
    const size_t whole = at + k / 4 * 4, end = at + k;
    size_t t;
    sums[0] = sums[1] = sums[2] = 0;
    if (is_rows) nnrt__gemm_s16_cortex_m4_rows(sums, a[0] + at, a[1] + at, a[2] + at, w[0] + at, w[0] + whole);
    else nnrt__gemm_s16_cortex_m4_channels(sums, a[0] + at, w[0] + at, w[1] + at, w[2] + at, w[0] + whole);
    for (t = whole; t < end; t++) {
        sums[0] += (uint32_t)((int32_t)a[0][t] * w[0][t]);
        sums[1] += (uint32_t)((int32_t)a[1][t] * w[1][t]);
        sums[2] += (uint32_t)((int32_t)a[2][t] * w[2][t]);
    }
}

/* The exact sums of all products, of which there may be more. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_sums(int64_t sums[3], const int16_t *const a[3], const int8_t *const w[3],
                                                bool is_rows, size_t k) {
    size_t at, t;
    uint32_t piece[3];
    nnrt__gemm_s16_cortex_m4_piece(piece, a, w, is_rows, 0, k < NNRT__S16_PRODUCTS_MAX ? k : NNRT__S16_PRODUCTS_MAX);
    for (t = 0; t < 3; t++) sums[t] = (int32_t)piece[t];
    for (at = NNRT__S16_PRODUCTS_MAX; at < k; at += NNRT__S16_PRODUCTS_MAX) {
        const size_t left = k - at;
        nnrt__gemm_s16_cortex_m4_piece(piece, a, w, is_rows, at,
                                       left < NNRT__S16_PRODUCTS_MAX ? left : NNRT__S16_PRODUCTS_MAX);
        for (t = 0; t < 3; t++) sums[t] += (int32_t)piece[t];
    }
}

/* The first `most` rows, a multiple of 3, and all channels. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_by_rows(const nnrt__gemm_s16_args *args, size_t most) {
    const int8_t *w = args->w;
    size_t i, j, t;
    for (j = 0; j < args->n; j++, w += args->w_stride) {
        const int8_t *const same[3] = {w, w, w};
        int16_t *c = args->c + j;
        nnrt__s16_cortex_m4_channel channel;
        const bool usual = nnrt__s16_cortex_m4_take(&args->channels, j, args->k, &channel);
        for (i = 0; i < most; i += 3) {
            int64_t sums[3];
            nnrt__gemm_s16_cortex_m4_sums(sums, args->a + i, same, true, args->k);
            for (t = 0; t < 3; t++, c += args->c_stride)
                *c = usual ? nnrt__s16_cortex_m4_finish(&channel, (uint32_t)sums[t], args->clamp_min, args->clamp_max)
                           : nnrt__finish_s16(&args->channels, j, sums[t], args->clamp_min, args->clamp_max);
        }
    }
}

/* Row i and all channels, three at a time; of less at the end, the last takes the place of those that are not there. */
NNRT__INLINE void nnrt__gemm_s16_cortex_m4_row(const nnrt__gemm_s16_args *args, size_t i) {
    const int16_t *const same[3] = {args->a[i], args->a[i], args->a[i]};
    int16_t *const c = args->c + i * args->c_stride;
    size_t j, t;
    for (j = 0; j < args->n; j += 3) {
        const size_t last = args->n - j < 3 ? args->n - j - 1 : 2;
        const int8_t *const first = args->w + j * args->w_stride, *const third = first + last * args->w_stride;
        const int8_t *const w[3] = {first, last == 2 ? first + args->w_stride : third, third};
        int64_t sums[3];
        nnrt__gemm_s16_cortex_m4_sums(sums, same, w, false, args->k);
        for (t = 0; t <= last; t++) {
            nnrt__s16_cortex_m4_channel channel;
            c[j + t] = nnrt__s16_cortex_m4_take(&args->channels, j + t, args->k, &channel)
                           ? nnrt__s16_cortex_m4_finish(&channel, (uint32_t)sums[t], args->clamp_min, args->clamp_max)
                           : nnrt__finish_s16(&args->channels, j + t, sums[t], args->clamp_min, args->clamp_max);
        }
    }
}

NNRT__FN void nnrt__gemm_s16_cortex_m4(const nnrt__gemm_s16_args *args) {
    size_t i = args->m / 3 * 3;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    nnrt__gemm_s16_cortex_m4_by_rows(args, i);
    for (; i < args->m; i++) nnrt__gemm_s16_cortex_m4_row(args, i);
}

NNRT__FN void nnrt__gemm_s16_cortex_m4_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_cortex_m4;
    t->gemm_s16_isa = nnrt__isa_name_CORTEX_M4;
}

#endif /* NNRT_KERNELS_GEMM_S16_CORTEX_M4_H */
