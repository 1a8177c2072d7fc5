/* SPDX-License-Identifier: Apache-2.0 */
/* npu/layout_neon.h - the hot loops of layout_scalar.h for ARMv7 NEON and AArch64: the same bytes.   >>npu_layout_neon

   ARMv7 NEON flushes subnormal numbers to zero and gives NaNs of its own. So these functions quantize and dequantize
   only for scales far from that (numbers->ordinary), and convert float16 with integers. Loads and stores use bytes,
   because wider elements need alignment. The rest of a row is done by one more vector that overlaps the last, or by the
   portable loop. Little-endian only, which layout.h ensures. */
#ifndef NNRT_NPU_LAYOUT_NEON_H
#define NNRT_NPU_LAYOUT_NEON_H

#include <arm_neon.h>

#include "layout_scalar.h"

/* ------------------------------------------------------------------------------------------------- moving */

/* 8 x 8 bytes: pairs of bytes, of 16 bits and of 32 bits change places across the diagonal. Pointers go from
   row to row, which leaves ARMv7 compilers enough registers. */
NNRT__INLINE uint8x8x2_t nnrt__layout_two_rows_neon(const uint8_t **s, size_t stride) {
    const uint8x8_t first = vld1_u8(*s), second = vld1_u8(*s + stride);
    *s += stride;
    *s += stride;
    return vtrn_u8(first, second);
}

NNRT__INLINE void nnrt__layout_8x8_neon(const uint8_t *s, size_t ss, uint8_t *d, size_t ds) {
    const uint8x8x2_t a0 = nnrt__layout_two_rows_neon(&s, ss), a2 = nnrt__layout_two_rows_neon(&s, ss);
    const uint8x8x2_t a4 = nnrt__layout_two_rows_neon(&s, ss), a6 = nnrt__layout_two_rows_neon(&s, ss);
    const uint16x4x2_t b0 = vtrn_u16(vreinterpret_u16_u8(a0.val[0]), vreinterpret_u16_u8(a2.val[0]));
    const uint16x4x2_t b1 = vtrn_u16(vreinterpret_u16_u8(a0.val[1]), vreinterpret_u16_u8(a2.val[1]));
    const uint16x4x2_t b4 = vtrn_u16(vreinterpret_u16_u8(a4.val[0]), vreinterpret_u16_u8(a6.val[0]));
    const uint16x4x2_t b5 = vtrn_u16(vreinterpret_u16_u8(a4.val[1]), vreinterpret_u16_u8(a6.val[1]));
    const uint32x2x2_t c0 = vtrn_u32(vreinterpret_u32_u16(b0.val[0]), vreinterpret_u32_u16(b4.val[0]));
    const uint32x2x2_t c1 = vtrn_u32(vreinterpret_u32_u16(b1.val[0]), vreinterpret_u32_u16(b5.val[0]));
    const uint32x2x2_t c2 = vtrn_u32(vreinterpret_u32_u16(b0.val[1]), vreinterpret_u32_u16(b4.val[1]));
    const uint32x2x2_t c3 = vtrn_u32(vreinterpret_u32_u16(b1.val[1]), vreinterpret_u32_u16(b5.val[1]));
    vst1_u8(d, vreinterpret_u8_u32(c0.val[0]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c1.val[0]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c2.val[0]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c3.val[0]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c0.val[1]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c1.val[1]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c2.val[1]));
    d += ds;
    vst1_u8(d, vreinterpret_u8_u32(c3.val[1]));
}

/* Pixels of 3 or 4 interleaved channels into planes; 16 at least. The last vector overlaps the one before. */
NNRT__FN void nnrt__layout_split_neon(const uint8_t *source, size_t channels, size_t pixels, uint8_t *destination,
                                      size_t plane) {
    size_t i;
    for (i = 0;; i = i + 32 <= pixels ? i + 16 : pixels - 16) {
        uint8_t *d = destination + i;
        if (channels == 3) {
            const uint8x16x3_t x = vld3q_u8(source + 3 * i);
            vst1q_u8(d, x.val[0]);
            vst1q_u8(d + plane, x.val[1]);
            vst1q_u8(d + 2 * plane, x.val[2]);
        } else {
            const uint8x16x4_t x = vld4q_u8(source + 4 * i);
            vst1q_u8(d, x.val[0]);
            vst1q_u8(d + plane, x.val[1]);
            vst1q_u8(d + 2 * plane, x.val[2]);
            vst1q_u8(d + 3 * plane, x.val[3]);
        }
        if (i + 16 == pixels) return;
    }
}

/* And back. */
NNRT__FN void nnrt__layout_interleave_neon(const uint8_t *source, size_t plane, size_t channels, size_t pixels,
                                           uint8_t *destination) {
    size_t i;
    for (i = 0;; i = i + 32 <= pixels ? i + 16 : pixels - 16) {
        const uint8_t *s = source + i;
        if (channels == 3) {
            uint8x16x3_t x;
            x.val[0] = vld1q_u8(s);
            x.val[1] = vld1q_u8(s + plane);
            x.val[2] = vld1q_u8(s + 2 * plane);
            vst3q_u8(destination + 3 * i, x);
        } else {
            uint8x16x4_t x;
            x.val[0] = vld1q_u8(s);
            x.val[1] = vld1q_u8(s + plane);
            x.val[2] = vld1q_u8(s + 2 * plane);
            x.val[3] = vld1q_u8(s + 3 * plane);
            vst4q_u8(destination + 4 * i, x);
        }
        if (i + 16 == pixels) return;
    }
}

NNRT__FN void nnrt__layout_transpose_1_neon(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                            uint8_t *destination, size_t destination_stride) {
    size_t row, column;
    if (rows >= 16 && (columns == 3 || columns == 4) && source_stride == columns) {
        nnrt__layout_split_neon(source, columns, rows, destination, destination_stride);
        return;
    }
    if (columns >= 16 && (rows == 3 || rows == 4) && destination_stride == rows) {
        nnrt__layout_interleave_neon(source, source_stride, rows, columns, destination);
        return;
    }
    if (rows < 8 || columns < 8) {
        nnrt__layout_transpose_1_scalar(source, source_stride, rows, columns, destination, destination_stride);
        return;
    }
    for (column = 0;; column = column + 16 <= columns ? column + 8 : columns - 8) {
        const uint8_t *s = source + column;
        uint8_t *d = destination + column * destination_stride;
        for (row = 0; row + 8 <= rows; row += 8, s += 8 * source_stride)
            nnrt__layout_8x8_neon(s, source_stride, d + row, destination_stride);
        if (row != rows)
            nnrt__layout_8x8_neon(source + column + (rows - 8) * source_stride, source_stride, d + rows - 8,
                                  destination_stride);
        if (column + 8 == columns) return;
    }
}

/* 4 x 4 elements of 2 bytes. */
NNRT__INLINE void nnrt__layout_4x4_neon(const uint8_t *s, size_t ss, uint8_t *d, size_t ds) {
    const uint16x4x2_t a0 = vtrn_u16(vreinterpret_u16_u8(vld1_u8(s)), vreinterpret_u16_u8(vld1_u8(s + ss)));
    const uint16x4x2_t a2 =
        vtrn_u16(vreinterpret_u16_u8(vld1_u8(s + 2 * ss)), vreinterpret_u16_u8(vld1_u8(s + 3 * ss)));
    const uint32x2x2_t b0 = vtrn_u32(vreinterpret_u32_u16(a0.val[0]), vreinterpret_u32_u16(a2.val[0]));
    const uint32x2x2_t b1 = vtrn_u32(vreinterpret_u32_u16(a0.val[1]), vreinterpret_u32_u16(a2.val[1]));
    vst1_u8(d, vreinterpret_u8_u32(b0.val[0]));
    vst1_u8(d + ds, vreinterpret_u8_u32(b1.val[0]));
    vst1_u8(d + 2 * ds, vreinterpret_u8_u32(b0.val[1]));
    vst1_u8(d + 3 * ds, vreinterpret_u8_u32(b1.val[1]));
}

NNRT__FN void nnrt__layout_transpose_2_neon(const uint8_t *source, size_t source_stride, size_t rows, size_t columns,
                                            uint8_t *destination, size_t destination_stride) {
    size_t row, column;
    if (rows < 4 || columns < 4) {
        nnrt__layout_transpose_2_scalar(source, source_stride, rows, columns, destination, destination_stride);
        return;
    }
    for (column = 0;; column = column + 8 <= columns ? column + 4 : columns - 4) {
        const uint8_t *s = source + 2 * column;
        uint8_t *d = destination + column * destination_stride;
        for (row = 0; row + 4 <= rows; row += 4, s += 4 * source_stride)
            nnrt__layout_4x4_neon(s, source_stride, d + 2 * row, destination_stride);
        if (row != rows)
            nnrt__layout_4x4_neon(source + 2 * column + (rows - 4) * source_stride, source_stride, d + 2 * (rows - 4),
                                  destination_stride);
        if (column + 4 == columns) return;
    }
}

/* Blocks of 8 and 16 bytes, and the 9 to 15 bytes that are left of the last one. */
NNRT__FN void nnrt__layout_copy_pieces_neon(const uint8_t *source, size_t source_stride, uint8_t *destination,
                                            size_t destination_stride, size_t bytes, size_t count) {
    if (bytes == 16) {
        for (; count != 0; count--, source += source_stride, destination += destination_stride)
            vst1q_u8(destination, vld1q_u8(source));
    } else if (bytes == 8) {
        for (; count != 0; count--, source += source_stride, destination += destination_stride)
            vst1_u8(destination, vld1_u8(source));
    } else if (bytes > 8 && bytes < 16) {
        for (; count != 0; count--, source += source_stride, destination += destination_stride) {
            const uint8x8_t first = vld1_u8(source), last = vld1_u8(source + bytes - 8);
            vst1_u8(destination, first);
            vst1_u8(destination + bytes - 8, last);
        }
    } else {
        nnrt__layout_copy_pieces_scalar(source, source_stride, destination, destination_stride, bytes, count);
    }
}

/* ----------------------------------------------------------------------------------- integers and float32 */

/* Four numbers / scale in steps of 2^-16, saturated; a NaN gives 0. */
NNRT__INLINE int32x4_t nnrt__layout_steps_neon(const uint8_t *source, float32x4_t factor) {
    return vcvtq_n_s32_f32(vmulq_f32(vreinterpretq_f32_u8(vld1q_u8(source)), factor), 16);
}

/* All ones where the estimate lies within 8 steps of a tie. */
NNRT__INLINE uint16x8_t nnrt__layout_near_tie_neon(int32x4_t a, int32x4_t b) {
    const int16x8_t fraction = vcombine_s16(vmovn_s32(a), vmovn_s32(b));
    return vcleq_u16(vaddq_u16(vreinterpretq_u16_s16(fraction), vdupq_n_u16(0x8008)), vdupq_n_u16(16));
}

/* As nnrt__layout_quantize_8_scalar; sixteen numbers, one of which is near a tie, go there. */
NNRT__FN void nnrt__layout_quantize_8_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                           uint8_t *destination, size_t count) {
    const float32x4_t factor = vdupq_n_f32(numbers->factor);
    const int16x8_t zp = vdupq_n_s16((int16_t)numbers->zp);
    const bool is_signed = numbers->is_signed;
    if (!numbers->ordinary) {
        nnrt__layout_quantize_8_scalar(numbers, source, destination, count);
        return;
    }
    for (; count >= 16; count -= 16, source += 64, destination += 16) {
        const int32x4_t a = nnrt__layout_steps_neon(source, factor);
        const int32x4_t b = nnrt__layout_steps_neon(source + 16, factor);
        const int32x4_t c = nnrt__layout_steps_neon(source + 32, factor);
        const int32x4_t d = nnrt__layout_steps_neon(source + 48, factor);
        const uint16x8_t near_tie = vorrq_u16(nnrt__layout_near_tie_neon(a, b), nnrt__layout_near_tie_neon(c, d));
        const uint32x2_t any = vreinterpret_u32_u16(vorr_u16(vget_low_u16(near_tie), vget_high_u16(near_tie)));
        int16x8_t low = vcombine_s16(vqrshrn_n_s32(a, 16), vqrshrn_n_s32(b, 16));
        int16x8_t high = vcombine_s16(vqrshrn_n_s32(c, 16), vqrshrn_n_s32(d, 16));
        if ((vget_lane_u32(any, 0) | vget_lane_u32(any, 1)) != 0) {
            nnrt__layout_quantize_8_scalar(numbers, source, destination, 16);
            continue;
        }
        low = vqaddq_s16(low, zp);
        high = vqaddq_s16(high, zp);
        if (is_signed) vst1q_u8(destination, vreinterpretq_u8_s8(vcombine_s8(vqmovn_s16(low), vqmovn_s16(high))));
        else vst1q_u8(destination, vcombine_u8(vqmovun_s16(low), vqmovun_s16(high)));
    }
    nnrt__layout_quantize_8_scalar(numbers, source, destination, count);
}

/* Eight differences q - zp, of 16 bits, times scale. */
NNRT__INLINE void nnrt__layout_reals_neon(int16x8_t q, float32x4_t scale, uint8_t *destination) {
    const float32x4_t low = vcvtq_f32_s32(vmovl_s16(vget_low_s16(q)));
    const float32x4_t high = vcvtq_f32_s32(vmovl_s16(vget_high_s16(q)));
    vst1q_u8(destination, vreinterpretq_u8_f32(vmulq_f32(low, scale)));
    vst1q_u8(destination + 16, vreinterpretq_u8_f32(vmulq_f32(high, scale)));
}

NNRT__FN void nnrt__layout_dequantize_8_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                             uint8_t *destination, size_t count) {
    const float32x4_t scale = vdupq_n_f32(numbers->scale);
    const int16x8_t zp = vdupq_n_s16((int16_t)numbers->zp);
    if (!numbers->ordinary) {
        nnrt__layout_dequantize_8_scalar(numbers, source, destination, count);
        return;
    }
    if (numbers->is_signed) {
        for (; count >= 16; count -= 16, source += 16, destination += 64) {
            const int8x16_t q = vreinterpretq_s8_u8(vld1q_u8(source));
            nnrt__layout_reals_neon(vsubq_s16(vmovl_s8(vget_low_s8(q)), zp), scale, destination);
            nnrt__layout_reals_neon(vsubq_s16(vmovl_s8(vget_high_s8(q)), zp), scale, destination + 32);
        }
    } else {
        for (; count >= 16; count -= 16, source += 16, destination += 64) {
            const uint8x16_t q = vld1q_u8(source);
            const int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(q)));
            const int16x8_t high = vreinterpretq_s16_u16(vmovl_u8(vget_high_u8(q)));
            nnrt__layout_reals_neon(vsubq_s16(low, zp), scale, destination);
            nnrt__layout_reals_neon(vsubq_s16(high, zp), scale, destination + 32);
        }
    }
    nnrt__layout_dequantize_8_scalar(numbers, source, destination, count);
}

/* As nnrt__layout_dequantize_16_scalar: no product is subnormal by a scale of 2^-100 and more. */
NNRT__FN void nnrt__layout_dequantize_16_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                              uint8_t *destination, size_t count) {
    const float32x4_t scale = vdupq_n_f32(numbers->scale);
    const int32x4_t zp = vdupq_n_s32(numbers->zp);
    if (nnrt__float32_bits(numbers->scale) < 0x0d800000u) {
        nnrt__layout_dequantize_16_scalar(numbers, source, destination, count);
        return;
    }
    for (; count >= 8; count -= 8, source += 16, destination += 32) {
        const int16x8_t q = vreinterpretq_s16_u8(vld1q_u8(source));
        const float32x4_t low = vcvtq_f32_s32(vsubq_s32(vmovl_s16(vget_low_s16(q)), zp));
        const float32x4_t high = vcvtq_f32_s32(vsubq_s32(vmovl_s16(vget_high_s16(q)), zp));
        vst1q_u8(destination, vreinterpretq_u8_f32(vmulq_f32(low, scale)));
        vst1q_u8(destination + 16, vreinterpretq_u8_f32(vmulq_f32(high, scale)));
    }
    nnrt__layout_dequantize_16_scalar(numbers, source, destination, count);
}

/* As nnrt__layout_dequantize_32_scalar: no product is subnormal by a scale of 2^-100 and more. */
NNRT__FN void nnrt__layout_dequantize_32_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                              uint8_t *destination, size_t count) {
    const float32x4_t scale = vdupq_n_f32(numbers->scale);
    if (nnrt__float32_bits(numbers->scale) < 0x0d800000u) {
        nnrt__layout_dequantize_32_scalar(numbers, source, destination, count);
        return;
    }
    for (; count >= 8; count -= 8, source += 32, destination += 32) {
        const float32x4_t low = vcvtq_f32_s32(vreinterpretq_s32_u8(vld1q_u8(source)));
        const float32x4_t high = vcvtq_f32_s32(vreinterpretq_s32_u8(vld1q_u8(source + 16)));
        vst1q_u8(destination, vreinterpretq_u8_f32(vmulq_f32(low, scale)));
        vst1q_u8(destination + 16, vreinterpretq_u8_f32(vmulq_f32(high, scale)));
    }
    nnrt__layout_dequantize_32_scalar(numbers, source, destination, count);
}

/* ------------------------------------------------------------------------------- float16 and float32

   Not by the conversion instructions: not every Cortex-A7 toolchain offers them, and what they do with NaNs,
   subnormal numbers and ties is up to bits that the program may have set. */

/* Multiples of 2^-24 in numbers below 2^-14, ties to even whatever the rounding mode. Wider numbers give
   anything. */
#if defined(__aarch64__)
NNRT__INLINE uint32x4_t nnrt__layout_subnormals_neon(float32x4_t magnitude) {
    return vcvtnq_u32_f32(vmulq_n_f32(magnitude, 16777216.0f));
}
#else
/* ARMv7 NEON always rounds to nearest, and the last bit of 0.5 is 2^-24. */
NNRT__INLINE uint32x4_t nnrt__layout_subnormals_neon(float32x4_t magnitude) {
    const float32x4_t half = vdupq_n_f32(0.5f);
    return vsubq_u32(vreinterpretq_u32_f32(vaddq_f32(magnitude, half)), vreinterpretq_u32_f32(half));
}
#endif

NNRT__INLINE uint16x4_t nnrt__layout_halves_neon(uint32x4_t bits) {
    const uint32x4_t magnitude = vandq_u32(bits, vdupq_n_u32(0x7fffffffu));
    /* 65536 and more give infinity, as what rounds up to it does */
    const uint32x4_t finite = vminq_u32(magnitude, vdupq_n_u32(0x47800000u));
    const uint32x4_t odd = vandq_u32(vshrq_n_u32(finite, 13), vdupq_n_u32(1));
    const uint32x4_t normal = vshrq_n_u32(vaddq_u32(vsubq_u32(finite, vdupq_n_u32(0x38000000u - 0xfffu)), odd), 13);
    const uint32x4_t small = nnrt__layout_subnormals_neon(vreinterpretq_f32_u32(magnitude));
    const uint32x4_t nan = vorrq_u32(vandq_u32(vshrq_n_u32(magnitude, 13), vdupq_n_u32(0x3ffu)), vdupq_n_u32(0x7e00u));
    uint32x4_t half = vbslq_u32(vcltq_u32(magnitude, vdupq_n_u32(0x38800000u)), small, normal);
    half = vbslq_u32(vcgtq_u32(magnitude, vdupq_n_u32(0x7f800000u)), nan, half);
    return vmovn_u32(vorrq_u32(half, vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(0x8000u))));
}

NNRT__FN void nnrt__layout_float16_from_float32_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                     uint8_t *destination, size_t count) {
    for (; count >= 8; count -= 8, source += 32, destination += 16) {
        const uint16x4_t low = nnrt__layout_halves_neon(vreinterpretq_u32_u8(vld1q_u8(source)));
        const uint16x4_t high = nnrt__layout_halves_neon(vreinterpretq_u32_u8(vld1q_u8(source + 16)));
        vst1q_u8(destination, vreinterpretq_u8_u16(vcombine_u16(low, high)));
    }
    nnrt__layout_float16_from_float32_scalar(numbers, source, destination, count);
}

NNRT__INLINE uint32x4_t nnrt__layout_widened_neon(uint16x4_t half) {
    const uint32x4_t wide = vmovl_u16(half);
    const uint32x4_t magnitude = vandq_u32(wide, vdupq_n_u32(0x7fffu));
    const uint32x4_t bias = vdupq_n_u32(0x38000000u);
    /* infinities and NaNs: the exponent goes up to its end */
    const uint32x4_t special = vandq_u32(vcgeq_u32(magnitude, vdupq_n_u32(0x7c00u)), bias);
    const uint32x4_t quiet = vandq_u32(vcgtq_u32(magnitude, vdupq_n_u32(0x7c00u)), vdupq_n_u32(0x400000u));
    const uint32x4_t normal = vorrq_u32(vaddq_u32(vaddq_u32(vshlq_n_u32(magnitude, 13), bias), special), quiet);
    const uint32x4_t small = vreinterpretq_u32_f32(vcvtq_n_f32_u32(magnitude, 24));
    const uint32x4_t bits = vbslq_u32(vcltq_u32(magnitude, vdupq_n_u32(0x400u)), small, normal);
    return vorrq_u32(bits, vshlq_n_u32(vsubq_u32(wide, magnitude), 16));
}

NNRT__FN void nnrt__layout_float32_from_float16_neon(const nnrt__layout_numbers *numbers, const uint8_t *source,
                                                     uint8_t *destination, size_t count) {
    for (; count >= 8; count -= 8, source += 16, destination += 32) {
        const uint16x8_t half = vreinterpretq_u16_u8(vld1q_u8(source));
        vst1q_u8(destination, vreinterpretq_u8_u32(nnrt__layout_widened_neon(vget_low_u16(half))));
        vst1q_u8(destination + 16, vreinterpretq_u8_u32(nnrt__layout_widened_neon(vget_high_u16(half))));
    }
    nnrt__layout_float32_from_float16_scalar(numbers, source, destination, count);
}

NNRT__FN void nnrt__layout_install_neon(nnrt__layout_kernels *kernels) {
    kernels->transpose_1 = nnrt__layout_transpose_1_neon;
    kernels->transpose_2 = nnrt__layout_transpose_2_neon;
    kernels->copy_pieces = nnrt__layout_copy_pieces_neon;
    kernels->quantize_8 = nnrt__layout_quantize_8_neon;
    kernels->dequantize_8 = nnrt__layout_dequantize_8_neon;
    kernels->dequantize_16 = nnrt__layout_dequantize_16_neon;
    kernels->dequantize_32 = nnrt__layout_dequantize_32_neon;
    kernels->float16_from_float32 = nnrt__layout_float16_from_float32_neon;
    kernels->float32_from_float16 = nnrt__layout_float32_from_float16_neon;
}

#endif /* NNRT_NPU_LAYOUT_NEON_H */
