/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s8_avxvnni.h - gemm_s8 for AVX-VNNI. Contract: gemm_s8_scalar.h.

   For processors that have the products of gemm_s8_avx512vnni.h in 256 bits only. Weights are packed as there, rows of
   A are made ready in scratch as there; 16 channels a tile are two vectors. The last step is that of AVX2.

   6 rows: 12 sums, 2 vectors of weights, 1 of A: 15 of 16 registers. A pass of 384 products is 24 instructions (GCC 12
   and clang 14), 6 cycles by llvm-mca 14 for alderlake. Measured beside AVX2, same core: 0.18 to 0.35 of its time where
   there are 30 products and more, as long with 8 (Xeon with both sets, shared, 2026-11-23). */
#ifndef NNRT_KERNELS_GEMM_S8_AVXVNNI_H
#define NNRT_KERNELS_GEMM_S8_AVXVNNI_H

#include "gemm_s8_avx2.h"
#include "gemm_s8_scalar.h"
#include "internal.h"
#include "packing.h"
#include "requantize_avx2.h"

#define NNRT__GEMM_S8_AVXVNNI_KR 4
#define NNRT__GEMM_S8_AVXVNNI_ROWS 24 /* of a block in scratch: scratch_rows of the packings */

/* Pieces of a row of A to scratch, one after another, plus 128. What a piece has behind its last 16 or 32 bytes is
   written behind it, too: the next piece or row overwrites that. `piece` is a multiple of 4; mask: words of its
   rest. */
NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_row16(uint8_t *to, const int8_t *const *a, size_t pieces,
                                                                   size_t piece, __m128i mask) {
    size_t r;
    for (r = 0; r < pieces; r++, to += piece)
        _mm_storeu_si128((__m128i *)(void *)to,
                         _mm_xor_si128(_mm_maskload_epi32((const int *)(const void *)a[r], mask), _mm_set1_epi8(-128)));
}

NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_row32(uint8_t *to, const int8_t *const *a, size_t pieces,
                                                                   size_t piece, __m256i mask) {
    const __m256i flip = _mm256_set1_epi8(-128);
    const size_t rest = piece % 32;
    size_t r, i;
    for (r = 0; r < pieces; r++, to += rest) {
        const int8_t *from = a[r];
        for (i = 0; i + 32 <= piece; i += 32, to += 32, from += 32)
            _mm256_storeu_si256((__m256i *)(void *)to,
                                _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(const void *)from), flip));
        if (rest == 0) continue;
        _mm256_storeu_si256((__m256i *)(void *)to,
                            _mm256_xor_si256(_mm256_maskload_epi32((const int *)(const void *)from, mask), flip));
    }
}

/* `rows` rows, `stride` apart in scratch, and the last of them again up to a multiple of six, if there are several. */
NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_fill(uint8_t *to, size_t stride, const int8_t *const *a,
                                                                  size_t rows, size_t pieces, size_t piece) {
    const size_t filled = rows == 1 ? 1 : (rows + 5) / 6 * 6;
    const int32_t words = (int32_t)(piece <= 16 ? piece : piece % 32) / 4;
    const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(words), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    size_t i;
    for (i = 0; i < filled; to += stride, a += i + 1 < rows ? pieces : 0, i++) {
        if (piece <= 16) nnrt__gemm_s8_avxvnni_row16(to, a, pieces, piece, _mm256_castsi256_si128(mask));
        else nnrt__gemm_s8_avxvnni_row32(to, a, pieces, piece, mask);
    }
}

/* acc + four products in each lane. Not by _mm256_dpbusd_avx_epi32: GCC 12 keeps sums in two registers each, and two of
   twelve on the stack. */
NNRT__TARGET_AVXVNNI NNRT__INLINE __m256i nnrt__gemm_s8_avxvnni_add(__m256i acc, __m256i a, __m256i w) {
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(acc) : "x"(a), "x"(w));
    return acc;
}

/* The same of a row, for 8 or 16 channels. */
NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_step(nnrt__gemm_s8_avx2_sums *acc, const uint8_t *a,
                                                                  __m256i w0, __m256i w1, int nr) {
    const __m256i x = _mm256_set1_epi32(nnrt__kernel_read_i32(a));
    acc->low = nnrt__gemm_s8_avxvnni_add(acc->low, x, w0);
    if (nr == 16) acc->high = nnrt__gemm_s8_avxvnni_add(acc->high, x, w1);
}

/* `most` (1 or 6) rows, `stride` apart in scratch, against one tile of nr (8 or 16) channels: constant arguments make
   the instances. Of six the first `rows` are there. added: NULL, or of these rows. */
NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_rows(const uint8_t *a, size_t stride, size_t depth,
                                                                  int most, size_t rows, const uint8_t *tile, int nr,
                                                                  int8_t *c, size_t c_stride, size_t channels,
                                                                  const int32_t *added, const nnrt__finish_x8_avx2 q[2],
                                                                  const nnrt__output_s8_sse41 *out) {
    const uint8_t *b = a + (most == 6 ? 3 * stride : 0), *w = tile + 12 * nr;
    nnrt__gemm_s8_avx2_sums x0, x1, x2, x3, x4, x5;
    size_t i;
    x0.low = x0.high = _mm256_loadu_si256((const __m256i *)(const void *)tile);
    if (nr == 16) x0.high = _mm256_loadu_si256((const __m256i *)(const void *)(tile + 32));
    x1 = x2 = x3 = x4 = x5 = x0;
    for (i = 0; i < depth; i += 4, w += 4 * nr) {
        const __m256i w0 = _mm256_loadu_si256((const __m256i *)(const void *)w);
        const __m256i w1 = nr == 16 ? _mm256_loadu_si256((const __m256i *)(const void *)(w + 32)) : w0;
        nnrt__gemm_s8_avxvnni_step(&x0, a + i, w0, w1, nr);
        if (most == 6) {
            nnrt__gemm_s8_avxvnni_step(&x1, a + i + stride, w0, w1, nr);
            nnrt__gemm_s8_avxvnni_step(&x2, a + i + 2 * stride, w0, w1, nr);
            nnrt__gemm_s8_avxvnni_step(&x3, b + i, w0, w1, nr);
            nnrt__gemm_s8_avxvnni_step(&x4, b + i + stride, w0, w1, nr);
            nnrt__gemm_s8_avxvnni_step(&x5, b + i + 2 * stride, w0, w1, nr);
        }
    }
    if (added != NULL) nnrt__gemm_s8_avx2_more(&x0, added[0]);
    if (most == 1) {
        nnrt__gemm_s8_avx2_store(c, c, x0, x0, nr, channels, q, out);
        return;
    }
    if (added != NULL) {
        nnrt__gemm_s8_avx2_more(&x1, added[1]);
        if (rows > 2) nnrt__gemm_s8_avx2_more(&x2, added[2]);
        if (rows > 3) nnrt__gemm_s8_avx2_more(&x3, added[3]);
        if (rows > 4) nnrt__gemm_s8_avx2_more(&x4, added[4]);
        if (rows > 5) nnrt__gemm_s8_avx2_more(&x5, added[5]);
    }
    nnrt__gemm_s8_avx2_store(c, c + c_stride, x0, x1, nr, channels, q, out);
    if (rows > 2)
        nnrt__gemm_s8_avx2_store(c + 2 * c_stride, c + (rows > 3 ? 3 : 2) * c_stride, x2, rows > 3 ? x3 : x2, nr,
                                 channels, q, out);
    if (rows > 4)
        nnrt__gemm_s8_avx2_store(c + 4 * c_stride, c + (rows > 5 ? 5 : 4) * c_stride, x4, rows > 5 ? x5 : x4, nr,
                                 channels, q, out);
}

NNRT__TARGET_AVXVNNI NNRT__INLINE void nnrt__gemm_s8_avxvnni_any(const nnrt__gemm_s8_args *args, void *scratch,
                                                                 int nr) {
    const size_t piece = (args->piece + NNRT__GEMM_S8_AVXVNNI_KR - 1) & ~(size_t)(NNRT__GEMM_S8_AVXVNNI_KR - 1);
    const size_t depth = args->pieces * piece, stride = nnrt__packing_scratch_row(depth);
    const size_t tile_size = nnrt__tile_size((uint32_t)nr, 3, 0, 1, 64, depth), most = NNRT__GEMM_S8_AVXVNNI_ROWS;
    const nnrt__output_s8_sse41 out =
        nnrt__output_prepare_sse41(args->output_zero_point, args->clamp_min, args->clamp_max);
    uint8_t *const block = (uint8_t *)scratch;
    nnrt__finish_x8_avx2 q[2];
    size_t first, n, i;
    NNRT_ASSERT(nnrt__packing_s8_16x4_offset.scratch_rows == most && nnrt__packing_s8_8x4_offset.scratch_rows == most);
    for (first = 0; first < args->m; first += most) {
        const size_t rows = args->m - first < most ? args->m - first : most;
        const uint8_t *tile = (const uint8_t *)args->w;
        nnrt__gemm_s8_avxvnni_fill(block, stride, args->a + first * args->pieces, rows, args->pieces, piece);
        for (n = 0; n < args->n; n += (size_t)nr, tile += tile_size) {
            const int32_t *added = args->added != NULL ? args->added + first : NULL;
            int8_t *c = args->c + first * args->c_stride + n;
            nnrt__finish_prepare_avx2(&q[0], tile + 4 * nr, tile + 8 * nr);
            if (nr == 16) nnrt__finish_prepare_avx2(&q[1], tile + 96, tile + 160);
            for (i = 0; i + 1 < rows; i += 6)
                nnrt__gemm_s8_avxvnni_rows(block + i * stride, stride, depth, 6, rows - i, tile, nr,
                                           c + i * args->c_stride, args->c_stride, args->n - n,
                                           added != NULL ? added + i : NULL, q, &out);
            if (i < rows)
                nnrt__gemm_s8_avxvnni_rows(block + i * stride, stride, depth, 1, 1, tile, nr, c + i * args->c_stride,
                                           args->c_stride, args->n - n, added != NULL ? added + i : NULL, q, &out);
        }
    }
}

NNRT__TARGET_AVXVNNI NNRT__FN void nnrt__gemm_s8_avxvnni(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_16x4_offset, scratch));
    nnrt__gemm_s8_avxvnni_any(args, scratch, 16);
}

NNRT__TARGET_AVXVNNI NNRT__FN void nnrt__gemm_s8_avxvnni_narrow(const nnrt__gemm_s8_args *args, void *scratch) {
    NNRT_ASSERT(nnrt__gemm_s8_is_right(args, &nnrt__packing_s8_8x4_offset, scratch));
    nnrt__gemm_s8_avxvnni_any(args, scratch, 8);
}

NNRT__FN void nnrt__gemm_s8_avxvnni_install(nnrt__cpu_table *table) {
    const nnrt__gemm_s8_slot wide = {nnrt__gemm_s8_avxvnni, &nnrt__packing_s8_16x4_offset, "avxvnni"};
    const nnrt__gemm_s8_slot narrow = {nnrt__gemm_s8_avxvnni_narrow, &nnrt__packing_s8_8x4_offset, "avxvnni"};
    table->gemm_s8[0] = wide;
    table->gemm_s8[1] = narrow;
}

#endif /* NNRT_KERNELS_GEMM_S8_AVXVNNI_H */
