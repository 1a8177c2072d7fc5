/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_avx2.h - gemm_s8 for AVX2. Contract: gemm_s8_scalar.h.

   As gemm_s8_sse41.h with 4 products side by side: a vector of weights is 8 channels, four bytes of A are loaded to all
   lanes, and nothing is summed across lanes. 16 channels a tile, or 8 where there are few.

   Four rows: 8 sums + 2 weights + (a, |a|) + 1 + ones: 14 of 16 registers. 256 products take 36 vector operations, 12
   cycles with three vector units, 16 by llvm-mca 14 for haswell, which multiplies in one; vpmaddwd after widening in
   scratch took as many, and the widening. */
#ifndef NNRT_KERNELS_GEMM_S8_AVX2_H
#define NNRT_KERNELS_GEMM_S8_AVX2_H

#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx2.h"

#define NNRT__GEMM_S8_AVX2_KR 4

/* Two vectors of sums: of 8 channels each, the second unused in a tile of 8. */
typedef struct nnrt__gemm_s8_avx2_sums {
    __m256i low, high;
} nnrt__gemm_s8_avx2_sums;

/* acc + 32 products. size: |a|; lowest: a weight may be -128. */
NNRT__TARGET_AVX2 NNRT__INLINE __m256i nnrt__gemm_s8_avx2_add(__m256i acc, __m256i a, __m256i size, __m256i w,
                                                              bool lowest) {
    if (lowest) {
        const __m256i a_even = _mm256_srai_epi16(_mm256_slli_epi16(a, 8), 8), a_odd = _mm256_srai_epi16(a, 8);
        const __m256i w_even = _mm256_srai_epi16(_mm256_slli_epi16(w, 8), 8), w_odd = _mm256_srai_epi16(w, 8);
        return _mm256_add_epi32(acc,
                                _mm256_add_epi32(_mm256_madd_epi16(a_even, w_even), _mm256_madd_epi16(a_odd, w_odd)));
    }
    return _mm256_add_epi32(
        acc, _mm256_madd_epi16(_mm256_maddubs_epi16(size, _mm256_sign_epi8(w, a)), _mm256_set1_epi16(1)));
}

/* acc + 4 steps of one row, 8 or 16 channels. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_step(nnrt__gemm_s8_avx2_sums *acc, const int8_t *a, __m256i w0,
                                                            __m256i w1, int nr, bool lowest) {
    const __m256i x = _mm256_set1_epi32(nnrt__kernel_read_i32(a)), size = _mm256_abs_epi8(x);
    acc->low = nnrt__gemm_s8_avx2_add(acc->low, x, size, w0, lowest);
    if (nr == 16) acc->high = nnrt__gemm_s8_avx2_add(acc->high, x, size, w1, lowest);
}

/* acc + the same in every lane. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_more(nnrt__gemm_s8_avx2_sums *acc, int32_t added) {
    const __m256i all = _mm256_set1_epi32(added);
    acc->low = _mm256_add_epi32(acc->low, all);
    acc->high = _mm256_add_epi32(acc->high, all);
}

/* Sums of two rows to their bytes; one row: c1 is c0. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_store(int8_t *c0, int8_t *c1, nnrt__gemm_s8_avx2_sums x,
                                                             nnrt__gemm_s8_avx2_sums y, int nr, size_t channels,
                                                             const nnrt__finish_x8_avx2 q[2],
                                                             const nnrt__output_s8_sse41 *out) {
    const __m128i low = nnrt__output_8_8_avx2(nnrt__finish_avx2(x.low, &q[0]), nnrt__finish_avx2(y.low, &q[0]), out);
    if (nr == 16 && channels > 8) {
        const __m128i high =
            nnrt__output_8_8_avx2(nnrt__finish_avx2(x.high, &q[1]), nnrt__finish_avx2(y.high, &q[1]), out);
        nnrt__store_up_to_16_sse41(c0, _mm_unpacklo_epi64(low, high), channels);
        nnrt__store_up_to_16_sse41(c1, _mm_unpackhi_epi64(low, high), channels);
    } else {
        nnrt__store_halves_avx2(c0, c1, low, channels);
    }
}

/* `most` (1 or 4) rows against one tile of nr (8 or 16) channels: constant arguments make the instances. Of four the
   first `rows` are there, and the others are the last of them again, which writes the same bytes again. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_rows(const nnrt__gemm_s8_args *args, size_t row, int most,
                                                            size_t rows, const uint8_t *tile, int nr, size_t n,
                                                            bool lowest, const nnrt__finish_x8_avx2 q[2],
                                                            const nnrt__output_s8_sse41 *out) {
    const size_t r1 = rows > 1 ? 1 : 0, r2 = rows > 2 ? 2 : r1, r3 = rows > 3 ? 3 : r2;
    const size_t pieces = args->pieces, channels = args->n - n;
    const int8_t *const *a = args->a + row * pieces;
    const int8_t *w = (const int8_t *)tile + 12 * nr + 16;
    int8_t *c = args->c + row * args->c_stride + n;
    nnrt__gemm_s8_avx2_sums acc0, acc1, acc2, acc3;
    size_t r, i;
    acc0.low = acc0.high = _mm256_loadu_si256((const __m256i *)(const void *)tile);
    if (nr == 16) acc0.high = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
    acc1 = acc2 = acc3 = acc0;
    if (args->added != NULL) {
        const int32_t *added = args->added + row;
        nnrt__gemm_s8_avx2_more(&acc0, added[0]);
        nnrt__gemm_s8_avx2_more(&acc1, added[r1]);
        nnrt__gemm_s8_avx2_more(&acc2, added[r2]);
        nnrt__gemm_s8_avx2_more(&acc3, added[r3]);
    }
    for (r = 0; r < pieces; r++) {
        const int8_t *a0 = a[r], *a1 = a[r1 * pieces + r], *a2 = a[r2 * pieces + r], *a3 = a[r3 * pieces + r];
        for (i = 0; i < args->piece; i += 4, w += 4 * nr) {
            const __m256i w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
            const __m256i w1 = nr == 16 ? _mm256_loadu_si256((const __m256i *)(const void *)(w + 32)) : w0;
            nnrt__gemm_s8_avx2_step(&acc0, a0 + i, w0, w1, nr, lowest);
            if (most == 4) {
                nnrt__gemm_s8_avx2_step(&acc1, a1 + i, w0, w1, nr, lowest);
                nnrt__gemm_s8_avx2_step(&acc2, a2 + i, w0, w1, nr, lowest);
                nnrt__gemm_s8_avx2_step(&acc3, a3 + i, w0, w1, nr, lowest);
            }
        }
    }
    nnrt__gemm_s8_avx2_store(c, c + r1 * args->c_stride, acc0, most == 4 ? acc1 : acc0, nr, channels, q, out);
    if (most == 4 && rows > 2)
        nnrt__gemm_s8_avx2_store(c + 2 * args->c_stride, c + r3 * args->c_stride, acc2, acc3, nr, channels, q, out);
}

/* The only row against one tile after another, as long as the shifts of a tile are all negative and it has no weight of
   -128: nothing is made for them beforehand. Returns the channel behind. */
NNRT__TARGET_AVX2 NNRT__INLINE size_t nnrt__gemm_s8_avx2_one(const nnrt__gemm_s8_args *args, int nr, size_t tile_size) {
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w;
    size_t n, r, i;
    for (n = 0; n < args->n; n += (size_t)nr, tile += tile_size) {
        const size_t channels = args->n - n;
        const int8_t *w = (const int8_t *)tile + 12 * nr + 16;
        nnrt__gemm_s8_avx2_sums acc;
        if (nnrt__kernel_read_i32(tile + 12 * nr) != 0 || nnrt__kernel_read_i32(tile + 12 * nr + 4) != 0) break;
        acc.low = acc.high = _mm256_loadu_si256((const __m256i *)(const void *)tile);
        if (nr == 16) acc.high = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
        if (args->added != NULL) nnrt__gemm_s8_avx2_more(&acc, args->added[0]);
        for (r = 0; r < args->pieces; r++) {
            const int8_t *a = args->a[r];
            for (i = 0; i < args->piece; i += 4, w += 4 * nr) {
                const __m256i w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
                const __m256i w1 = nr == 16 ? _mm256_loadu_si256((const __m256i *)(const void *)(w + 32)) : w0;
                nnrt__gemm_s8_avx2_step(&acc, a + i, w0, w1, nr, false);
            }
        }
        acc.low = nnrt__requantize_right_avx2(acc.low, tile + 4 * nr, tile + 8 * nr);
        if (nr == 16) acc.high = nnrt__requantize_right_avx2(acc.high, tile + 96, tile + 160);
        nnrt__store_up_to_16_sse41(args->c + n, nnrt__output_8_8_avx2(acc.low, acc.high, &out),
                                   nr == 16 || channels < 8 ? channels : 8);
    }
    return n;
}

/* The channels from n on, where a tile begins. */
NNRT__TARGET_AVX2 NNRT__INLINE void nnrt__gemm_s8_avx2_from(const nnrt__gemm_s8_args *args, int nr, size_t tile_size,
                                                            size_t n) {
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    const uint8_t *tile = (const uint8_t *)args->w + n / (size_t)nr * tile_size;
    nnrt__finish_x8_avx2 q[2];
    size_t row;
    for (; n < args->n; n += (size_t)nr, tile += tile_size) {
        const bool lowest = nnrt__kernel_read_i32(tile + 12 * nr) != 0;
        nnrt__finish_prepare_avx2(&q[0], tile + 4 * nr, tile + 8 * nr);
        if (nr == 16) nnrt__finish_prepare_avx2(&q[1], tile + 96, tile + 160);
        row = 0;
        if (!lowest) {
            for (; row + 1 < args->m; row += 4)
                nnrt__gemm_s8_avx2_rows(args, row, 4, args->m - row, tile, nr, n, false, q, &out);
            if (row < args->m) nnrt__gemm_s8_avx2_rows(args, row++, 1, 1, tile, nr, n, false, q, &out);
        }
        for (; row < args->m; row++) nnrt__gemm_s8_avx2_rows(args, row, 1, 1, tile, nr, n, true, q, &out);
    }
}

NNRT__TARGET_AVX2 NNRT__NOINLINE void nnrt__gemm_s8_avx2_from_16(const nnrt__gemm_s8_args *args, size_t tile_size,
                                                                 size_t n) {
    nnrt__gemm_s8_avx2_from(args, 16, tile_size, n);
}

NNRT__TARGET_AVX2 NNRT__NOINLINE void nnrt__gemm_s8_avx2_from_8(const nnrt__gemm_s8_args *args, size_t tile_size,
                                                                size_t n) {
    nnrt__gemm_s8_avx2_from(args, 8, tile_size, n);
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_s8_avx2(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t tile_size =
        nnrt__tile_size(16, 3, 1, 1, 64, nnrt__packed_depth(args->pieces, args->piece, NNRT__GEMM_S8_AVX2_KR));
    const size_t n = args->m == 1 ? nnrt__gemm_s8_avx2_one(args, 16, tile_size) : 0;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_16x4, scratch));
    (void)scratch;
    if (n < args->n) nnrt__gemm_s8_avx2_from_16(args, tile_size, n);
}

NNRT__TARGET_AVX2 NNRT__FN void nnrt__gemm_s8_avx2_narrow(const nnrt__gemm_s8_args *args, void *scratch) {
    const size_t tile_size =
        nnrt__tile_size(8, 3, 1, 1, 64, nnrt__packed_depth(args->pieces, args->piece, NNRT__GEMM_S8_AVX2_KR));
    const size_t n = args->m == 1 ? nnrt__gemm_s8_avx2_one(args, 8, tile_size) : 0;
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x4, scratch));
    (void)scratch;
    if (n < args->n) nnrt__gemm_s8_avx2_from_8(args, tile_size, n);
}

NNRT__FN void nnrt__gemm_s8_avx2_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot wide = {nnrt__gemm_s8_avx2, &nnrt__packing_s8_16x4, "avx2"};
    const nnrt__gemm_s8_slot narrow = {nnrt__gemm_s8_avx2_narrow, &nnrt__packing_s8_8x4, "avx2"};
    table->gemm_s8[0] = wide;
    table->gemm_s8[1] = narrow;
}

#endif /* NNRT_KERNELS_GEMM_S8_AVX2_H */
