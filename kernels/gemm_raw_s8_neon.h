/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/gemm_raw_s8_neon.h - gemm_raw_s8 for ARMv7 NEON and AArch64. Contract: gemm_raw_s8_scalar.h.

   Dot products along K, four channels against one row. Per 8 steps: vmull.s8 (a product is at most 2^14, so
   16 bits hold it), then vpadal.s16 adds neighbours into 32 bits. The channels are the outer loop: their
   weights stay in the cache while the rows pass. */
#ifndef NNRT_KERNELS_GEMM_RAW_S8_NEON_H
#define NNRT_KERNELS_GEMM_RAW_S8_NEON_H

#include "gemm_raw_s8_scalar.h"
#include "internal.h"
#include "requantize_neon.h"

/* acc + 16 products, in four lanes. */
NNRT__INLINE int32x4_t nnrt__gemm_raw_s8_neon_step(int32x4_t acc, int8x16_t a, int8x16_t w) {
    acc = vpadalq_s16(acc, vmull_s8(vget_low_s8(a), vget_low_s8(w)));
    return vpadalq_s16(acc, vmull_s8(vget_high_s8(a), vget_high_s8(w)));
}

/* acc + the products of up to 8 steps at the end of a row. */
NNRT__INLINE int32x4_t nnrt__gemm_raw_s8_neon_end(int32x4_t acc, int8x8_t a, const int8_t *w, size_t left) {
    return vpadalq_s16(acc, vmull_s8(a, nnrt__load_bytes_neon(w, left)));
}

/* The four lanes of acc0, acc1 added up, as two lanes. */
NNRT__INLINE int32x2_t nnrt__gemm_raw_s8_neon_sums(int32x4_t acc0, int32x4_t acc1) {
    return vpadd_s32(vadd_s32(vget_low_s32(acc0), vget_high_s32(acc0)),
                     vadd_s32(vget_low_s32(acc1), vget_high_s32(acc1)));
}

/* The four sums of one row against four channels. The end of a row of 8 or more is read with the bytes before
   it. */
NNRT__INLINE int32x4_t nnrt__gemm_raw_s8_neon_dot(const int8_t *a, const int8_t *const w[4], size_t k) {
    const int8_t *w0 = w[0], *w1 = w[1], *w2 = w[2], *w3 = w[3];
    int32x4_t acc0 = vdupq_n_s32(0), acc1 = acc0, acc2 = acc0, acc3 = acc0;
    size_t i;
    for (i = 0; i + 16 <= k; i += 16) {
        int8x16_t x = vld1q_s8(a + i);
        acc0 = nnrt__gemm_raw_s8_neon_step(acc0, x, vld1q_s8(w0 + i));
        acc1 = nnrt__gemm_raw_s8_neon_step(acc1, x, vld1q_s8(w1 + i));
        acc2 = nnrt__gemm_raw_s8_neon_step(acc2, x, vld1q_s8(w2 + i));
        acc3 = nnrt__gemm_raw_s8_neon_step(acc3, x, vld1q_s8(w3 + i));
    }
    while (i < k) {
        const size_t at = i + 8 <= k ? i : k < 8 ? 0 : k - 8, size = k - at, left = k - i;
        const uint8_t *mask = nnrt__last_bytes_mask() + (left < 8 && k >= 8 ? 8 + left : 16);
        int8x8_t x = vand_s8(nnrt__load_bytes_neon(a + at, size), vreinterpret_s8_u8(vld1_u8(mask)));
        acc0 = nnrt__gemm_raw_s8_neon_end(acc0, x, w0 + at, size);
        acc1 = nnrt__gemm_raw_s8_neon_end(acc1, x, w1 + at, size);
        acc2 = nnrt__gemm_raw_s8_neon_end(acc2, x, w2 + at, size);
        acc3 = nnrt__gemm_raw_s8_neon_end(acc3, x, w3 + at, size);
        i = at + 8;
    }
    return vcombine_s32(nnrt__gemm_raw_s8_neon_sums(acc0, acc1), nnrt__gemm_raw_s8_neon_sums(acc2, acc3));
}

/* count int32 values, 1..4 of them readable; lanes past them are 0. */
NNRT__INLINE int32x4_t nnrt__gemm_raw_s8_neon_constants(const int32_t *from, size_t count) {
    int32x4_t x = vdupq_n_s32(0);
    if (count >= 4) return vld1q_s32(from);
    x = vld1q_lane_s32(from, x, 0);
    if (count > 1) x = vld1q_lane_s32(from + 1, x, 1);
    return count > 2 ? vld1q_lane_s32(from + 2, x, 2) : x;
}

/* The only channel of a layer, as at the end of a regression: a sum of a row is one vector. */
NNRT__NOINLINE void nnrt__gemm_raw_s8_neon_channel(const nnrt__gemm_raw_s8_args *args) {
    const int8_t *w = args->w;
    const size_t k = args->k;
    size_t row, i;
    for (row = 0; row < args->m; row++) {
        const int8_t *a = args->a[row];
        int32x4_t acc = vdupq_n_s32(0);
        uint32_t sum;
        for (i = 0; i + 16 <= k; i += 16) acc = nnrt__gemm_raw_s8_neon_step(acc, vld1q_s8(a + i), vld1q_s8(w + i));
        sum = (uint32_t)args->bias[0] + (uint32_t)vget_lane_s32(nnrt__gemm_raw_s8_neon_sums(acc, acc), 0);
        for (; i < k; i++) sum += nnrt__product_s8(a[i], w[i]);
        args->c[row * args->c_stride] = nnrt__requantize_s8(sum, args->multiplier[0], args->shift[0],
                                                            args->output_zero_point, args->clamp_min, args->clamp_max);
    }
}

NNRT__FN void nnrt__gemm_raw_s8_neon(const nnrt__gemm_raw_s8_args *args) {
    const nnrt__output_s8_neon out =
        nnrt__output_prepare_neon(args->output_zero_point, args->clamp_min, args->clamp_max);
    size_t n, i, row;
    NNRT_ASSERT(nnrt__gemm_raw_s8_is_right(args));
    if (NNRT__FOR_SPEED && args->n == 1) {
        nnrt__gemm_raw_s8_neon_channel(args);
        return;
    }
    for (n = 0; n < args->n; n += 4) {
        const size_t channels = args->n - n < 4 ? args->n - n : 4;
        const int32x4_t bias = nnrt__gemm_raw_s8_neon_constants(args->bias + n, channels);
        const nnrt__requantize_x4_neon q =
            nnrt__requantize_prepare_neon(nnrt__gemm_raw_s8_neon_constants(args->multiplier + n, channels),
                                          nnrt__gemm_raw_s8_neon_constants(args->shift + n, channels));
        const int8_t *w[4]; /* past the last channel: the last again */
        for (i = 0; i < 4; i++) w[i] = args->w + (n + (i < channels ? i : channels - 1)) * args->w_stride;
        for (row = 0; row < args->m; row++) {
            int32x4_t acc = nnrt__gemm_raw_s8_neon_dot(args->a[row], w, args->k);
            acc = nnrt__requantize_neon(vaddq_s32(acc, bias), q);
            nnrt__store_bytes_neon(args->c + row * args->c_stride + n, nnrt__output_bytes_neon(acc, acc, &out),
                                   channels);
        }
    }
}

NNRT__FN void nnrt__gemm_raw_s8_neon_install(nnrt__cpu_table *t) {
    t->gemm_raw_s8 = nnrt__gemm_raw_s8_neon;
    t->gemm_raw_s8_isa = "neon";
}

#endif /* NNRT_KERNELS_GEMM_RAW_S8_NEON_H */
