/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_s16_neon.h - gemm_s16 for ARMv7 NEON and AArch64. Contract: gemm_s16_scalar.h.

   2 rows x 4 channels in 8 accumulators of four lanes; weights are widened to 16 bits as they are read, and vmlal.s16
   adds a product of at most 2^22 to 32 bits: a lane can take 511 of those, then it goes into 64 bits. A row's length
   that is no multiple of 8 begins with its last 8 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_GEMM_S16_NEON_H
#define NNRT_KERNELS_GEMM_S16_NEON_H

#include "gemm_s16_scalar.h"
#include "requantize_neon.h"

/* Products of a row before the sums of 32 bits go into those of 64. */
#define NNRT__GEMM_S16_CHUNK_NEON (254u * 8u)

/* sum + 8 products */
NNRT__INLINE int32x4_t nnrt__gemm_s16_add_neon(int32x4_t sum, int16x8_t a, int16x8_t w) {
    sum = vmlal_s16(sum, vget_low_s16(a), vget_low_s16(w));
    return vmlal_s16(sum, vget_high_s16(a), vget_high_s16(w));
}

/* Adds the sums over the lanes of a and of b to to[0] and to[1]. */
NNRT__INLINE void nnrt__gemm_s16_two_sums_neon(int32x4_t a, int32x4_t b, int64_t *to) {
    const int64x2_t a2 = vpaddlq_s32(a), b2 = vpaddlq_s32(b);
    const int64x1_t a1 = vadd_s64(vget_low_s64(a2), vget_high_s64(a2)),
                    b1 = vadd_s64(vget_low_s64(b2), vget_high_s64(b2));
    vst1q_s64(to, vaddq_s64(vld1q_s64(to), vcombine_s64(a1, b1)));
}

NNRT__INLINE void nnrt__gemm_s16_sums_neon(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d, int64_t *to) {
    nnrt__gemm_s16_two_sums_neon(a, b, to);
    nnrt__gemm_s16_two_sums_neon(c, d, to + 2);
}

NNRT__INLINE void nnrt__gemm_s16_block_neon(const nnrt__gemm_s16_args *args, const int16_t *a0, const int16_t *a1,
                                            size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, k = args->k, tail = k % 8;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    int32x4_t sum00 = vdupq_n_s32(0), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    int32x4_t sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    int64_t sums[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    int16x8_t x0, x1, y;
    size_t t, end, c;
    if (tail != 0 && k >= 8) {
        const int16x8_t mask = vmovl_s8(vld1_s8((const int8_t *)nnrt__last_bytes_mask() + 8 + tail));
        t = k - 8;
        x0 = vandq_s16(vld1q_s16(a0 + t), mask);
        x1 = vandq_s16(vld1q_s16(a1 + t), mask);
        y = vmovl_s8(vld1_s8(w0 + t));
        sum00 = nnrt__gemm_s16_add_neon(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_neon(sum10, x1, y);
        y = vmovl_s8(vld1_s8(w1 + t));
        sum01 = nnrt__gemm_s16_add_neon(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_neon(sum11, x1, y);
        y = vmovl_s8(vld1_s8(w2 + t));
        sum02 = nnrt__gemm_s16_add_neon(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_neon(sum12, x1, y);
        y = vmovl_s8(vld1_s8(w3 + t));
        sum03 = nnrt__gemm_s16_add_neon(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_neon(sum13, x1, y);
    } else if (tail != 0) {
        int16_t row[2][8] = {{0}, {0}};
        memcpy(row[0], a0, k * sizeof(int16_t));
        memcpy(row[1], a1, k * sizeof(int16_t));
        x0 = vld1q_s16(row[0]);
        x1 = vld1q_s16(row[1]);
        y = vmovl_s8(nnrt__load_bytes_neon(w0, k));
        sum00 = nnrt__gemm_s16_add_neon(sum00, x0, y);
        sum10 = nnrt__gemm_s16_add_neon(sum10, x1, y);
        y = vmovl_s8(nnrt__load_bytes_neon(w1, k));
        sum01 = nnrt__gemm_s16_add_neon(sum01, x0, y);
        sum11 = nnrt__gemm_s16_add_neon(sum11, x1, y);
        y = vmovl_s8(nnrt__load_bytes_neon(w2, k));
        sum02 = nnrt__gemm_s16_add_neon(sum02, x0, y);
        sum12 = nnrt__gemm_s16_add_neon(sum12, x1, y);
        y = vmovl_s8(nnrt__load_bytes_neon(w3, k));
        sum03 = nnrt__gemm_s16_add_neon(sum03, x0, y);
        sum13 = nnrt__gemm_s16_add_neon(sum13, x1, y);
    }
    for (t = 0; t + 8 <= k;) {
        end = k - tail - t > NNRT__GEMM_S16_CHUNK_NEON ? t + NNRT__GEMM_S16_CHUNK_NEON : k - tail;
        for (; t < end; t += 8) {
            x0 = vld1q_s16(a0 + t);
            x1 = vld1q_s16(a1 + t);
            y = vmovl_s8(vld1_s8(w0 + t));
            sum00 = nnrt__gemm_s16_add_neon(sum00, x0, y);
            sum10 = nnrt__gemm_s16_add_neon(sum10, x1, y);
            y = vmovl_s8(vld1_s8(w1 + t));
            sum01 = nnrt__gemm_s16_add_neon(sum01, x0, y);
            sum11 = nnrt__gemm_s16_add_neon(sum11, x1, y);
            y = vmovl_s8(vld1_s8(w2 + t));
            sum02 = nnrt__gemm_s16_add_neon(sum02, x0, y);
            sum12 = nnrt__gemm_s16_add_neon(sum12, x1, y);
            y = vmovl_s8(vld1_s8(w3 + t));
            sum03 = nnrt__gemm_s16_add_neon(sum03, x0, y);
            sum13 = nnrt__gemm_s16_add_neon(sum13, x1, y);
        }
        if (t + 8 > k) break;
        nnrt__gemm_s16_sums_neon(sum00, sum01, sum02, sum03, sums[0]);
        nnrt__gemm_s16_sums_neon(sum10, sum11, sum12, sum13, sums[1]);
        sum00 = sum01 = sum02 = sum03 = sum10 = sum11 = sum12 = sum13 = vdupq_n_s32(0);
    }
    nnrt__gemm_s16_sums_neon(sum00, sum01, sum02, sum03, sums[0]);
    nnrt__gemm_s16_sums_neon(sum10, sum11, sum12, sum13, sums[1]);
    for (c = 0; c < count; c++) {
        int16_t *to = args->c + i * args->c_stride + j + c;
        *to = nnrt__finish_s16(&args->channels, j + c, sums[0][c], args->clamp_min, args->clamp_max);
        if (i + 1 < args->m)
            to[args->c_stride] = nnrt__finish_s16(&args->channels, j + c, sums[1][c], args->clamp_min, args->clamp_max);
    }
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__FN void nnrt__gemm_s16_neon(const nnrt__gemm_s16_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_s16_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int16_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_s16_block_neon(args, a0, a1, i, j);
    }
}

NNRT__FN void nnrt__gemm_s16_neon_install(nnrt__cpu_table *t) {
    t->gemm_s16 = nnrt__gemm_s16_neon;
    t->gemm_s16_isa = "neon";
}

#endif /* NNRT_KERNELS_GEMM_S16_NEON_H */
