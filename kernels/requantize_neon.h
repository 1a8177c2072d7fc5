/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/requantize_neon.h - the last step of the int8 kernels for NEON: requantize, add the zero point,
   clamp, store. The same result as nnrt__requantize_s8 (internal.h) for every accumulator, multiplier and
   shift.

   Rounding: vqrdmulh is floor((2 * a * b + 2^31) / 2^32), which is nnrt__rounding_doubling_high_mul for every
   sign; multiplier >= 0 excludes its one overflow. vrshl rounds ties up, the definition away from zero: where
   the lane is negative and the shift is not 0, one is subtracted first. That cannot wrap: |vqrdmulh| < 2^31,
   as the multiplier. */
#ifndef NNRT_KERNELS_REQUANTIZE_NEON_H
#define NNRT_KERNELS_REQUANTIZE_NEON_H

#include "internal.h"

/* Places in a tile of 8 channels with marks (kernels/packing.h), in words. */
enum {
    NNRT__TILE8_LOWEST = 24, /* mark[0]: a weight is -128 */
    NNRT__TILE8_LEFT = 25,   /* mark[1]: a factor is 1 or more */
    NNRT__TILE8_WEIGHTS = 28
};

/* What four channels need, made once per tile. */
typedef struct nnrt__requantize_x4_neon {
    int32x4_t multiplier, left, right; /* left = max(shift, 0), right = min(shift, 0) */
} nnrt__requantize_x4_neon;

NNRT__INLINE nnrt__requantize_x4_neon nnrt__requantize_prepare_neon(int32x4_t multiplier, int32x4_t shift) {
    nnrt__requantize_x4_neon q;
    q.multiplier = multiplier;
    q.left = vmaxq_s32(shift, vdupq_n_s32(0));
    q.right = vminq_s32(shift, vdupq_n_s32(0));
    return q;
}

/* nnrt__requantize, four lanes. */
NNRT__INLINE int32x4_t nnrt__requantize_neon(int32x4_t acc, nnrt__requantize_x4_neon q) {
    int32x4_t x = vqrdmulhq_s32(vshlq_s32(acc, q.left), q.multiplier);
    x = vsraq_n_s32(x, vandq_s32(x, q.right), 31); /* -1 where both are negative */
    return vrshlq_s32(x, q.right);
}

/* The same where every shift is negative, which most tiles of products are (mark[1] of packing.h): then each negative
   lane is corrected and nothing is shifted left, two instructions fewer. */
NNRT__INLINE int32x4_t nnrt__requantize_right_neon(int32x4_t acc, int32x4_t multiplier, int32x4_t shift) {
    int32x4_t x = vqrdmulhq_s32(acc, multiplier);
    return vrshlq_s32(vsraq_n_s32(x, x, 31), shift);
}

/* The zero point and the range of an output, spread. */
typedef struct nnrt__output_s8_neon {
    int16x8_t zero_point;
    int8x8_t low, high;
} nnrt__output_s8_neon;

NNRT__INLINE nnrt__output_s8_neon nnrt__output_prepare_neon(int32_t zero_point, int32_t low, int32_t high) {
    nnrt__output_s8_neon out;
    out.zero_point = vdupq_n_s16((int16_t)zero_point);
    out.low = vdup_n_s8((int8_t)low);
    out.high = vdup_n_s8((int8_t)high);
    return out;
}

/* Requantized lanes of 8 channels to 8 bytes. Saturating to 16 bits first changes nothing: what it cuts lies
   beyond the 8-bit range for every zero point. */
NNRT__INLINE int8x8_t nnrt__output_bytes_neon(int32x4_t x0, int32x4_t x1, const nnrt__output_s8_neon *out) {
    int16x8_t x = vqaddq_s16(vcombine_s16(vqmovn_s32(x0), vqmovn_s32(x1)), out->zero_point);
    return vmin_s8(vmax_s8(vqmovn_s16(x), out->low), out->high);
}

/* The first n < 8 bytes. */
NNRT__INLINE_FOR_SPEED void nnrt__store_some_neon(int8_t *to, int8x8_t bytes, size_t n) {
    nnrt__store_up_to_8(to, vget_lane_u64(vreinterpret_u64_s8(bytes), 0), n);
}

/* n < 8 bytes; those past n are 0. */
NNRT__INLINE_FOR_SPEED int8x8_t nnrt__load_some_neon(const int8_t *from, size_t n) {
    return vcreate_s8(nnrt__load_up_to_8(from, n));
}

/* The first n <= 8 bytes. */
NNRT__INLINE void nnrt__store_bytes_neon(int8_t *to, int8x8_t bytes, size_t n) {
    if (n >= 8) vst1_s8(to, bytes);
    else nnrt__store_some_neon(to, bytes, n);
}

/* n bytes, at most 8 of them; those past n are 0. */
NNRT__INLINE int8x8_t nnrt__load_bytes_neon(const int8_t *from, size_t n) {
    return n >= 8 ? vld1_s8(from) : nnrt__load_some_neon(from, n);
}

/* What kernels over packed weights need of an output; assembly reads the three words of 16 bytes. */
typedef struct nnrt__output_x16_neon {
    int16x8_t zero_point;
    int8x16_t low, high;
} nnrt__output_x16_neon;

NNRT__INLINE nnrt__output_x16_neon nnrt__output_x16_prepare_neon(int32_t zero_point, int32_t low, int32_t high) {
    nnrt__output_x16_neon out;
    out.zero_point = vdupq_n_s16((int16_t)zero_point);
    out.low = vdupq_n_s8((int8_t)low);
    out.high = vdupq_n_s8((int8_t)high);
    return out;
}

/* The sums of a tile's 8 channels to bytes. head: bias, multiplier and shift of 8 channels and the marks. */
NNRT__INLINE_FOR_SPEED int8x8_t nnrt__tile_bytes_neon(int32x4_t sum0, int32x4_t sum1, const int32_t *head,
                                                      const nnrt__output_x16_neon *out) {
    const int32x4_t m0 = vld1q_s32(head + 8), m1 = vld1q_s32(head + 12);
    const int32x4_t s0 = vld1q_s32(head + 16), s1 = vld1q_s32(head + 20);
    int16x8_t x;
    if (head[25] == 0) {
        sum0 = nnrt__requantize_right_neon(sum0, m0, s0);
        sum1 = nnrt__requantize_right_neon(sum1, m1, s1);
    } else {
        sum0 = nnrt__requantize_neon(sum0, nnrt__requantize_prepare_neon(m0, s0));
        sum1 = nnrt__requantize_neon(sum1, nnrt__requantize_prepare_neon(m1, s1));
    }
    x = vqaddq_s16(vcombine_s16(vqmovn_s32(sum0), vqmovn_s32(sum1)), out->zero_point);
    return vmin_s8(vmax_s8(vqmovn_s16(x), vget_low_s8(out->low)), vget_low_s8(out->high));
}

#endif /* NNRT_KERNELS_REQUANTIZE_NEON_H */
