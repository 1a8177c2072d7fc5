/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/matmul_pack.h - matrices into and out of the NPU's layouts: pure functions on bytes.   >>rknpu_matmul_pack

   With K1 = ceil(K / x) and so on, as the io_attr of the vendor's library gives the tiles:
       A  [K1][M][x]            is NC1HWC2 with C = K and W = M, so npu/layout.h does it, float16 included
       B  [N1][K1][sn][sk]      index (((n / sn) * K1 + k / sk) * sn + n % sn) * sk + k % sk
       C  [N1][M][4]            index ((n / 4) * M + m) * 4 + n % 4
   Results are finished with the CPU device's arithmetic: nnrt__requantize_s8 of kernels/internal.h, so that int8
   results are the same bytes. */
#ifndef NNRT_RKNPU_MATMUL_PACK_H
#define NNRT_RKNPU_MATMUL_PACK_H

#include "../npu/layout.h"
#include "matmul_spec.h"

/* How elements of B are stored. */
typedef enum nnrt__rknpu_mm_element {
    NNRT__RKNPU_MM_S8 = 0,
    NNRT__RKNPU_MM_F16 = 1,
    NNRT__RKNPU_MM_S4 = 2 /* two to a byte, the first in the low half */
} nnrt__rknpu_mm_element;

NNRT__FN size_t nnrt__rknpu_mm_element_bits(nnrt__rknpu_mm_element element) {
    return element == NNRT__RKNPU_MM_S8 ? 8 : element == NNRT__RKNPU_MM_F16 ? 16 : 4;
}

/* Bytes of rows x columns elements, already checked to be at most 2^31. */
NNRT__FN size_t nnrt__rknpu_mm_bytes(nnrt__rknpu_mm_element element, size_t rows, size_t columns) {
    return (size_t)((uint64_t)rows * columns * nnrt__rknpu_mm_element_bits(element) / 8);
}

/* Where B's values come from: value (k, n) is element k * k_stride + n * n_stride of data, at any alignment. */
typedef struct nnrt__rknpu_mm_source {
    const void *data;
    OH_NN_DataType dtype; /* int8, float32 or float16 */
    size_t k, n;
    size_t k_stride, n_stride;
} nnrt__rknpu_mm_source;

NNRT__FN int8_t nnrt__rknpu_mm_s8(const nnrt__rknpu_mm_source *from, size_t k, size_t n) {
    return ((const int8_t *)from->data)[k * from->k_stride + n * from->n_stride];
}

NNRT__FN uint16_t nnrt__rknpu_mm_f16(const nnrt__rknpu_mm_source *from, size_t k, size_t n) {
    const size_t at = k * from->k_stride + n * from->n_stride;
    uint16_t half;
    if (from->dtype == OH_NN_FLOAT32)
        return nnrt__float16_from_float32(nnrt__read_f32((const uint8_t *)from->data + 4 * at));
    memcpy(&half, (const uint8_t *)from->data + 2 * at, sizeof(half));
    return half;
}

NNRT__INLINE void nnrt__rknpu_mm_store(nnrt__rknpu_mm_element element, uint8_t *to, size_t at,
                                       const nnrt__rknpu_mm_source *from, size_t k, size_t n) {
    if (element == NNRT__RKNPU_MM_S8) {
        to[at] = (uint8_t)nnrt__rknpu_mm_s8(from, k, n);
    } else if (element == NNRT__RKNPU_MM_F16) {
        const uint16_t half = nnrt__rknpu_mm_f16(from, k, n);
        memcpy(to + 2 * at, &half, sizeof(half));
    } else {
        const unsigned value = (unsigned)nnrt__rknpu_mm_s8(from, k, n) & 15u;
        to[at / 2] = (uint8_t)(at % 2 == 0 ? value | (to[at / 2] & 0xf0u) : (value << 4) | (to[at / 2] & 0x0fu));
    }
}

/* Row-major rows x columns with rows >= from->k and columns >= from->n; the rest is 0. Copies in squares, because one
   side of the copy always crosses cache lines. */
NNRT__FN void nnrt__rknpu_mm_pack_normal(nnrt__rknpu_mm_element element, const nnrt__rknpu_mm_source *from, size_t rows,
                                         size_t columns, void *to) {
    const size_t side = 64;
    size_t k0, n0, k, n;
    memset(to, 0, nnrt__rknpu_mm_bytes(element, rows, columns));
    for (n0 = 0; n0 < from->n; n0 += side)
        for (k0 = 0; k0 < from->k; k0 += side)
            for (k = k0; k < from->k && k < k0 + side; k++)
                for (n = n0; n < from->n && n < n0 + side; n++)
                    nnrt__rknpu_mm_store(element, (uint8_t *)to, k * columns + n, from, k, n);
}

/* [n1][k1][sub_n][sub_k] with k1 * sub_k >= from->k and n1 * sub_n >= from->n; the rest is 0. Not int4, whose halves
   the NPU expects swapped. */
NNRT__FN void nnrt__rknpu_mm_pack_native(nnrt__rknpu_mm_element element, const nnrt__rknpu_mm_source *from,
                                         const uint32_t dims[4], void *to) {
    const size_t k1 = dims[1], sub_n = dims[2], sub_k = dims[3];
    size_t k0, n0, k, n;
    memset(to, 0, nnrt__rknpu_mm_bytes(element, k1 * sub_k, dims[0] * sub_n));
    for (n0 = 0; n0 < from->n; n0 += sub_n) {
        for (k0 = 0; k0 < from->k; k0 += sub_k) {
            const size_t tile = (n0 / sub_n * k1 + k0 / sub_k) * sub_n * sub_k;
            const size_t n_count = from->n - n0 < sub_n ? from->n - n0 : sub_n;
            const size_t k_count = from->k - k0 < sub_k ? from->k - k0 : sub_k;
            for (n = 0; n < n_count; n++)
                for (k = 0; k < k_count; k++)
                    nnrt__rknpu_mm_store(element, (uint8_t *)to, tile + n * sub_k + k, from, k0 + k, n0 + n);
        }
    }
}

/* Do all int8 values fit int4? */
NNRT__FN bool nnrt__rknpu_mm_fits_s4(const nnrt__rknpu_mm_source *from) {
    size_t k, n;
    for (k = 0; k < from->k; k++)
        for (n = 0; n < from->n; n++)
            if (nnrt__rknpu_mm_s8(from, k, n) < -8 || nnrt__rknpu_mm_s8(from, k, n) > 7) return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ A */

/* Writes m x k values, dense, or k x m when transposed, into [k1][m][tile]; what lies past k becomes 0. The NPU
   takes int8 or float16. */
NNRT__FN void nnrt__rknpu_mm_pack_a(const void *from, OH_NN_DataType dtype, size_t m, size_t k, bool transposed,
                                    uint32_t k1, uint32_t tile, void *to) {
    nnrt__tensor_layout source, target;
    memset(&source, 0, sizeof(source));
    source.order = transposed ? NNRT__ORDER_NCHW : NNRT__ORDER_NHWC;
    source.type = dtype == OH_NN_INT8 || dtype == OH_NN_FLOAT32 ? dtype : OH_NN_FLOAT16;
    source.n = source.h = source.h_stride = 1;
    source.c = (uint32_t)k;
    source.w = source.w_stride = (uint32_t)m;
    target = source;
    target.order = NNRT__ORDER_NC1HWC2;
    target.type = dtype == OH_NN_INT8 ? OH_NN_INT8 : OH_NN_FLOAT16;
    target.c1 = k1;
    target.c2 = tile;
    (void)nnrt__layout_convert(&source, from, &target, to);
}

/* sums[i] = sum of row i of A, modulo 2^32. */
NNRT__FN void nnrt__rknpu_mm_row_sums(const int8_t *a, size_t m, size_t k, bool transposed, uint32_t *sums) {
    size_t i, j;
    for (i = 0; i < m; i++) {
        uint32_t sum = 0;
        for (j = 0; j < k; j++) {
            const int32_t value = a[transposed ? j * m + i : i * k + j];
            sum += (uint32_t)value;
        }
        sums[i] = sum;
    }
}

/* ------------------------------------------------------------------------------------- what int8 needs beside the
   product

   sum (a - za) * (b - zb) = sum a * b - za * sum b - zb * sum a + k * za * zb, everything modulo 2^32 */

/* base[n] = bias[n] - za * sum of column n of B + k * za * zb. bias may be NULL; any alignment. */
NNRT__FN void nnrt__rknpu_mm_base(const nnrt__rknpu_mm_source *b, const void *bias, int32_t a_zero, int32_t b_zero,
                                  uint32_t *base) {
    const uint32_t constant = (uint32_t)b->k * (uint32_t)a_zero * (uint32_t)b_zero;
    const bool columns_lie_together = b->k_stride == 1;
    const size_t outer = columns_lie_together ? b->n : b->k, inner = columns_lie_together ? b->k : b->n;
    size_t i, j;
    memset(base, 0, b->n * sizeof(base[0]));
    for (i = 0; i < outer && a_zero != 0; i++) {
        for (j = 0; j < inner; j++) {
            const size_t k = columns_lie_together ? j : i, n = columns_lie_together ? i : j;
            const int32_t value = nnrt__rknpu_mm_s8(b, k, n);
            base[n] += (uint32_t)value;
        }
    }
    for (i = 0; i < b->n; i++)
        base[i] =
            (bias != NULL ? nnrt__read_u32((const uint8_t *)bias + 4 * i) : 0) - (uint32_t)a_zero * base[i] + constant;
}

/* Multiplier and shift of each column. */
NNRT__FN void nnrt__rknpu_mm_multipliers(const nnrt_quant *a, const nnrt_quant *b, const nnrt_quant *out, size_t n,
                                         int32_t *multiplier, int32_t *shift) {
    size_t i;
    for (i = 0; i < n; i++) {
        nnrt__quantize_multiplier(nnrt__rknpu_mm_factor(a, b, out, i), &multiplier[i], &shift[i]);
    }
}

/* ------------------------------------------------------------------------------------------------------ C */

/* The int32 products into the dense m x n result. row_sums may be NULL when b_zero is 0. C is 4-byte aligned. */
typedef struct nnrt__rknpu_mm_finish_s8 {
    size_t m, n;
    size_t tile; /* columns of a block of C */
    const uint32_t *base, *row_sums;
    const int32_t *multiplier, *shift;
    int32_t b_zero, out_zero, clamp_min, clamp_max;
} nnrt__rknpu_mm_finish_s8;

/* The correction of every product of row m for the zero point of B. */
NNRT__INLINE uint32_t nnrt__rknpu_mm_row_term(const nnrt__rknpu_mm_finish_s8 *how, size_t m) {
    return how->row_sums != NULL ? (uint32_t)how->b_zero * how->row_sums[m] : 0;
}

/* Columns first, a multiple of the tile, to n of row m into to. */
NNRT__FN void nnrt__rknpu_mm_unpack_row_s8(const nnrt__rknpu_mm_finish_s8 *how, const int32_t *c, size_t m,
                                           size_t first, int8_t *to) {
    const uint32_t row = nnrt__rknpu_mm_row_term(how, m);
    size_t j;
    for (; first < how->n; first += how->tile) {
        const int32_t *block = c + first * how->m + m * how->tile;
        const size_t count = how->n - first < how->tile ? how->n - first : how->tile;
        for (j = 0; j < count; j++)
            to[first + j] =
                nnrt__requantize_s8((uint32_t)block[j] + how->base[first + j] - row, how->multiplier[first + j],
                                    how->shift[first + j], how->out_zero, how->clamp_min, how->clamp_max);
    }
}

NNRT__FN void nnrt__rknpu_mm_unpack_s8(const nnrt__rknpu_mm_finish_s8 *how, const int32_t *c, int8_t *out) {
    size_t m;
    for (m = 0; m < how->m; m++) nnrt__rknpu_mm_unpack_row_s8(how, c, m, 0, out + m * how->n);
}

/* The float32 products, plus bias (never NULL), clamped, as float32 or float16. */
NNRT__FN void nnrt__rknpu_mm_unpack_float(const float *c, size_t m, size_t n, size_t tile, const float *bias, float low,
                                          float high, OH_NN_DataType dtype, void *out) {
    size_t i, first, j;
    for (i = 0; i < m; i++) {
        for (first = 0; first < n; first += tile) {
            const float *block = c + first * m + i * tile;
            const size_t count = n - first < tile ? n - first : tile;
            uint8_t *to = (uint8_t *)out + (i * n + first) * (dtype == OH_NN_FLOAT32 ? 4 : 2);
            for (j = 0; j < count; j++) {
                const float value = nnrt__clamp_f32(block[j] + bias[first + j], low, high);
                const uint16_t half = dtype == OH_NN_FLOAT32 ? 0 : nnrt__float16_from_float32(value);
                if (dtype == OH_NN_FLOAT32) memcpy(to + 4 * j, &value, sizeof(value));
                else memcpy(to + 2 * j, &half, sizeof(half));
            }
        }
    }
}

#endif /* NNRT_RKNPU_MATMUL_PACK_H */
