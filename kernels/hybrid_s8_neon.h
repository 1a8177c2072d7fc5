/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/hybrid_s8_neon.h - gemm_hybrid and quantize_symmetric_f32 for ARMv7 NEON and AArch64.
   Contract: hybrid_s8_scalar.h.

   2 rows x 4 channels in 8 accumulators of four lanes each. Two products of eight bits go into 16 bits: A is within
   -127..127, so 2 * 127 * 128 is below 2^15 whatever the weights are. Sixteen products of a row with a channel are
   vmull.s8, vmlal.s8 and vpadal.s16: 39 instructions per 128 products on ARMv7 (GCC 12, 2026-11-22), 7 of them
   addresses; by llvm-mca 14 60 cycles of a Cortex-A9, and on AArch64 41 of an A53 and 37 of an A55. On a Cortex-A7 a
   run of kws_ref_model_float32 takes 2.5 M instructions, 15.2 M with portable C. A row's length that is no multiple
   of 16 begins with its last 16 products, of which those that the loop counts are masked away. */
#ifndef NNRT_KERNELS_HYBRID_S8_NEON_H
#define NNRT_KERNELS_HYBRID_S8_NEON_H

#include "f32_neon.h"
#include "fp_contract.h"
#include "hybrid_s8_scalar.h"
#include "internal.h"
#include "requantize_neon.h"

NNRT__FP_CONTRACT_OFF_BEGIN

/* What follows the sums of four channels of one row: count of them are stored. */
NNRT__INLINE void nnrt__gemm_hybrid_store_neon(const nnrt__gemm_hybrid_args *args, int32x4_t sums, float32x4_t scale,
                                               float32x4_t bias, float *c, size_t count) {
    const float32x4_t x = vaddq_f32(vmulq_f32(vcvtq_f32_s32(sums), scale), bias);
    nnrt__store_f32_neon(c, nnrt__clamp_f32_neon(x, vdupq_n_f32(args->clamp_min), vdupq_n_f32(args->clamp_max)), count);
}

/* Up to four floats from j on of n, the rest 0. */
NNRT__INLINE float32x4_t nnrt__gemm_hybrid_load_neon(const float *from, size_t count) {
    float lanes[4] = {0, 0, 0, 0};
    if (count == 4) return vld1q_f32(from);
    memcpy(lanes, from, count * sizeof(float));
    return vld1q_f32(lanes);
}

/* The floats of the channels from j on: the factors of their sums, and their bias. */
NNRT__INLINE void nnrt__gemm_hybrid_floats_neon(const nnrt__gemm_hybrid_args *args, size_t j, size_t count,
                                                float32x4_t *scale, float32x4_t *bias) {
    *scale =
        args->w_scale_stride != 0 ? nnrt__gemm_hybrid_load_neon(args->w_scale + j, count) : vdupq_n_f32(*args->w_scale);
    *scale = vmulq_f32(vdupq_n_f32(args->a_scale), *scale);
    *bias = args->bias != NULL ? nnrt__gemm_hybrid_load_neon(args->bias + j, count) : vdupq_n_f32(0.0f);
}

/* sum + 16 products */
NNRT__INLINE int32x4_t nnrt__gemm_hybrid_16_neon(int32x4_t sum, int8x16_t a, int8x16_t w) {
    const int16x8_t products = vmull_s8(vget_low_s8(a), vget_low_s8(w));
    return vpadalq_s16(sum, vmlal_s8(products, vget_high_s8(a), vget_high_s8(w)));
}

/* n bytes, at most 16 of them; those past n are 0. */
NNRT__INLINE int8x16_t nnrt__gemm_hybrid_bytes_neon(const int8_t *from, size_t n) {
    if (n <= 8) return vcombine_s8(nnrt__load_bytes_neon(from, n), vdup_n_s8(0));
    return vcombine_s8(vld1_s8(from), nnrt__load_bytes_neon(from + 8, n - 8));
}

/* Lane i of the result is the sum over the lanes of the i-th argument. */
NNRT__INLINE int32x4_t nnrt__sums_s32_neon(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d) {
    const int32x2_t a2 = vadd_s32(vget_low_s32(a), vget_high_s32(a));
    const int32x2_t b2 = vadd_s32(vget_low_s32(b), vget_high_s32(b));
    const int32x2_t c2 = vadd_s32(vget_low_s32(c), vget_high_s32(c));
    const int32x2_t d2 = vadd_s32(vget_low_s32(d), vget_high_s32(d));
    return vcombine_s32(vpadd_s32(a2, b2), vpadd_s32(c2, d2));
}

NNRT__INLINE void nnrt__gemm_hybrid_block_neon(const nnrt__gemm_hybrid_args *args, const int8_t *a0, const int8_t *a1,
                                               size_t i, size_t j) {
    const size_t count = args->n - j < 4 ? args->n - j : 4, stride = args->w_stride, tail = args->k % 16;
    const int8_t *w0 = args->w + j * stride, *w1 = count > 1 ? w0 + stride : w0;
    const int8_t *w2 = count > 2 ? w1 + stride : w1, *w3 = count > 3 ? w2 + stride : w2;
    int32x4_t sum00 = vdupq_n_s32(0), sum01 = sum00, sum02 = sum00, sum03 = sum00;
    int32x4_t sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
    int8x16_t x0, x1, y0, y1, y2, y3;
    float *c = args->c + i * args->c_stride + j;
    float32x4_t scale, bias;
    size_t k;
    if (tail != 0) {
        if (args->k >= 16) {
            const size_t last = args->k - 16;
            const int8x16_t mask = vreinterpretq_s8_u8(vld1q_u8(nnrt__last_bytes_mask() + tail));
            x0 = vandq_s8(vld1q_s8(a0 + last), mask);
            x1 = vandq_s8(vld1q_s8(a1 + last), mask);
            y0 = vld1q_s8(w0 + last);
            y1 = vld1q_s8(w1 + last);
            y2 = vld1q_s8(w2 + last);
            y3 = vld1q_s8(w3 + last);
        } else {
            x0 = nnrt__gemm_hybrid_bytes_neon(a0, tail);
            x1 = nnrt__gemm_hybrid_bytes_neon(a1, tail);
            y0 = nnrt__gemm_hybrid_bytes_neon(w0, tail);
            y1 = nnrt__gemm_hybrid_bytes_neon(w1, tail);
            y2 = nnrt__gemm_hybrid_bytes_neon(w2, tail);
            y3 = nnrt__gemm_hybrid_bytes_neon(w3, tail);
        }
        sum00 = nnrt__gemm_hybrid_16_neon(sum00, x0, y0);
        sum10 = nnrt__gemm_hybrid_16_neon(sum10, x1, y0);
        sum01 = nnrt__gemm_hybrid_16_neon(sum01, x0, y1);
        sum11 = nnrt__gemm_hybrid_16_neon(sum11, x1, y1);
        sum02 = nnrt__gemm_hybrid_16_neon(sum02, x0, y2);
        sum12 = nnrt__gemm_hybrid_16_neon(sum12, x1, y2);
        sum03 = nnrt__gemm_hybrid_16_neon(sum03, x0, y3);
        sum13 = nnrt__gemm_hybrid_16_neon(sum13, x1, y3);
    }
    for (k = args->k; k >= 16; k -= 16, a0 += 16, a1 += 16, w0 += 16, w1 += 16, w2 += 16, w3 += 16) {
        x0 = vld1q_s8(a0);
        x1 = vld1q_s8(a1);
        y0 = vld1q_s8(w0);
        sum00 = nnrt__gemm_hybrid_16_neon(sum00, x0, y0);
        sum10 = nnrt__gemm_hybrid_16_neon(sum10, x1, y0);
        y1 = vld1q_s8(w1);
        sum01 = nnrt__gemm_hybrid_16_neon(sum01, x0, y1);
        sum11 = nnrt__gemm_hybrid_16_neon(sum11, x1, y1);
        y2 = vld1q_s8(w2);
        sum02 = nnrt__gemm_hybrid_16_neon(sum02, x0, y2);
        sum12 = nnrt__gemm_hybrid_16_neon(sum12, x1, y2);
        y3 = vld1q_s8(w3);
        sum03 = nnrt__gemm_hybrid_16_neon(sum03, x0, y3);
        sum13 = nnrt__gemm_hybrid_16_neon(sum13, x1, y3);
    }
    nnrt__gemm_hybrid_floats_neon(args, j, count, &scale, &bias);
    nnrt__gemm_hybrid_store_neon(args, nnrt__sums_s32_neon(sum00, sum01, sum02, sum03), scale, bias, c, count);
    if (i + 1 < args->m)
        nnrt__gemm_hybrid_store_neon(args, nnrt__sums_s32_neon(sum10, sum11, sum12, sum13), scale, bias,
                                     c + args->c_stride, count);
}

/* Blocks of two rows and four channels; of a last block the row and the channels that are not there are others again,
   and are not stored. */
NNRT__FN void nnrt__gemm_hybrid_neon(const nnrt__gemm_hybrid_args *args) {
    size_t i, j;
    NNRT_ASSERT(nnrt__gemm_hybrid_is_right(args));
    for (i = 0; i < args->m; i += 2) {
        const int8_t *const a0 = args->a[i], *const a1 = args->a[i + 1 < args->m ? i + 1 : i];
        for (j = 0; j < args->n; j += 4) nnrt__gemm_hybrid_block_neon(args, a0, a1, i, j);
    }
}

/* Four quantized values. */
NNRT__INLINE int16x4_t nnrt__quantize_symmetric_4_neon(const float *in, float32x4_t inverse) {
    const uint32x4_t sign = vdupq_n_u32(0x80000000u);
    const float32x4_t x = vmulq_f32(vld1q_f32(in), inverse);
    const float32x4_t half = vbslq_f32(sign, x, vdupq_n_f32(NNRT__ALMOST_HALF));
    return vmovn_s32(vcvtq_s32_f32(vaddq_f32(x, half)));
}

NNRT__FN void nnrt__quantize_symmetric_f32_neon(const float *in, size_t count, int8_t *out, float *scale) {
    const size_t whole = count & ~(size_t)7;
    uint32x4_t most0 = vdupq_n_u32(0), most1 = most0;
    uint32_t lanes[4], bits = 0;
    float range, inverse;
    size_t i;
    NNRT_ASSERT(nnrt__quantize_symmetric_is_right(in, count, out, scale));
    for (i = 0; i < whole; i += 8) { /* floats of one sign are ordered as integers */
        most0 = vmaxq_u32(most0, vreinterpretq_u32_f32(vabsq_f32(vld1q_f32(in + i))));
        most1 = vmaxq_u32(most1, vreinterpretq_u32_f32(vabsq_f32(vld1q_f32(in + i + 4))));
    }
    vst1q_u32(lanes, vmaxq_u32(most0, most1));
    for (i = 0; i < 4; i++) bits = lanes[i] > bits ? lanes[i] : bits;
    for (i = whole; i < count; i++) {
        uint32_t own;
        memcpy(&own, &in[i], sizeof(own));
        own &= 0x7fffffffu;
        bits = own > bits ? own : bits;
    }
    if (!nnrt__quantize_symmetric_is_plain(bits)) {
        nnrt__quantize_symmetric_f32_scalar(in, count, out, scale);
        return;
    }
    memcpy(&range, &bits, sizeof(range));
    *scale = range / 127.0f;
    inverse = 127.0f / range;
    for (i = 0; i < whole; i += 8) {
        const int16x4_t low = nnrt__quantize_symmetric_4_neon(in + i, vdupq_n_f32(inverse));
        const int16x4_t high = nnrt__quantize_symmetric_4_neon(in + i + 4, vdupq_n_f32(inverse));
        vst1_s8(out + i, vmovn_s16(vcombine_s16(low, high)));
    }
    for (; i < count; i++) {
        const float x = in[i] * inverse;
        out[i] = (int8_t)(x < 0.0f ? x - NNRT__ALMOST_HALF : x + NNRT__ALMOST_HALF);
    }
}

NNRT__FP_CONTRACT_OFF_END

NNRT__FN void nnrt__hybrid_s8_neon_install(nnrt__cpu_table *t) {
    t->gemm_hybrid = nnrt__gemm_hybrid_neon;
    t->gemm_hybrid_isa = "neon";
    t->quantize_symmetric_f32 = nnrt__quantize_symmetric_f32_neon;
    t->quantize_symmetric_f32_isa = "neon";
}

#endif /* NNRT_KERNELS_HYBRID_S8_NEON_H */
