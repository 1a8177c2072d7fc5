/* SPDX-License-Identifier: Apache-2.0 */
/* image/convert_neon.h - convert_scalar.h for NEON, eight pixels at a time: the same bytes.   >>image_convert_neon

   Whole arrays of a chunk are converted: what follows its last pixel is never read. */
#ifndef NNRT_IMAGE_CONVERT_NEON_H
#define NNRT_IMAGE_CONVERT_NEON_H

#include "../kernels/internal.h"
#include "convert_scalar.h"

/* nnrt__image_kept of eight sums. Drops 3 bits first, then rounds at the 16th: the dropped bits cannot change a carry
   of the rest. */
NNRT__INLINE void nnrt__image_kept_neon(int32x4_t low, int32x4_t high, uint8_t *to) {
    const int16x4_t a = vqrshrn_n_s32(vshrq_n_s32(low, 3), 16), b = vqrshrn_n_s32(vshrq_n_s32(high, 3), 16);
    vst1_u8(to, vqmovun_s16(vcombine_s16(a, b)));
}

NNRT__FN void nnrt__image_yuv_to_rgb_neon(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
    const int16_t y = (int16_t)m->y, rv = (int16_t)m->rv, gu = (int16_t)m->gu, gv = (int16_t)m->gv;
    const int16_t bu = (int16_t)m->bu;
    const int16x8_t black = vdupq_n_s16((int16_t)(m->black * 64)), middle = vdupq_n_s16(128 * 64);
    uint32_t i;
    for (i = 0; i < chunk->count; i += 8) {
        const int16x8_t light = vsubq_s16(vreinterpretq_s16_u16(vld1q_u16(&chunk->values[0][i])), black);
        const int16x8_t u = vsubq_s16(vreinterpretq_s16_u16(vld1q_u16(&chunk->values[1][i])), middle);
        const int16x8_t v = vsubq_s16(vreinterpretq_s16_u16(vld1q_u16(&chunk->values[2][i])), middle);
        const int16x4_t u0 = vget_low_s16(u), u1 = vget_high_s16(u), v0 = vget_low_s16(v), v1 = vget_high_s16(v);
        const int32x4_t y0 = vmull_n_s16(vget_low_s16(light), y), y1 = vmull_n_s16(vget_high_s16(light), y);
        nnrt__image_kept_neon(vmlal_n_s16(y0, v0, rv), vmlal_n_s16(y1, v1, rv), &chunk->pixels[0][i]);
        nnrt__image_kept_neon(vmlsl_n_s16(vmlsl_n_s16(y0, u0, gu), v0, gv),
                              vmlsl_n_s16(vmlsl_n_s16(y1, u1, gu), v1, gv), &chunk->pixels[1][i]);
        nnrt__image_kept_neon(vmlal_n_s16(y0, u0, bu), vmlal_n_s16(y1, u1, bu), &chunk->pixels[2][i]);
    }
}

NNRT__FN void nnrt__image_round_neon(const uint16_t *values, uint32_t count, uint8_t *pixels) {
    uint32_t i;
    for (i = 0; i < count; i += 8) vst1_u8(pixels + i, vrshrn_n_u16(vld1q_u16(values + i), 6));
}

#endif /* NNRT_IMAGE_CONVERT_NEON_H */
