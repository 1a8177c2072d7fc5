/* SPDX-License-Identifier: Apache-2.0 */
/* image/convert_scalar.h - components of pixels to R, G, B or to luma, 8 bits each.   >>image_convert_scalar

   Y, U, V, which sample.h gives in 1/64: with coefficients in 1/8192 of the type's table and black, 16 or 0,

     R = kept((y (Y - black) + rv (V - 128)) / 8192)              kept: rounded to the nearest, halves up, then kept
     G = kept((y (Y - black) - gu (U - 128) - gv (V - 128)) / 8192)     within 0..255
     B = kept((y (Y - black) + bu (U - 128)) / 8192)
     luma = kept(y (Y - black) / 8192)

   The coefficients are those of BT.601 and BT.709 rounded to 1/8192, which moves no result by more than 0.03 before it
   is rounded. R, G and B are rounded from 1/64, and luma of them is (4899 R + 9617 G + 1868 B + 8192) / 16384. No sum
   leaves 32 bits: 64 * 255 * 9539 + 64 * 128 * 17305 < 2^29. */
#ifndef NNRT_IMAGE_CONVERT_SCALAR_H
#define NNRT_IMAGE_CONVERT_SCALAR_H

#include "sample.h"

typedef struct nnrt__image_matrix {
    int32_t black, y, rv, gu, gv, bu;
} nnrt__image_matrix;

/* kept() of a sum of 1/(64 * 8192). */
NNRT__INLINE uint8_t nnrt__image_kept(int32_t sum) {
    const int32_t value = (sum + (1 << 18)) >> 19;
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

NNRT__FN void nnrt__image_yuv_to_rgb_scalar(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
    const int32_t y = m->y, rv = m->rv, gu = m->gu, gv = m->gv, bu = m->bu, black = m->black * 64;
    uint32_t i;
    for (i = 0; i < chunk->count; i++) {
        const int32_t light = y * (chunk->values[0][i] - black);
        const int32_t u = chunk->values[1][i] - 128 * 64, v = chunk->values[2][i] - 128 * 64;
        chunk->pixels[0][i] = nnrt__image_kept(light + rv * v);
        chunk->pixels[1][i] = nnrt__image_kept(light - gu * u - gv * v);
        chunk->pixels[2][i] = nnrt__image_kept(light + bu * u);
    }
}

NNRT__FN void nnrt__image_round_scalar(const uint16_t *values, uint32_t count, uint8_t *pixels) {
    uint32_t i;
    for (i = 0; i < count; i++) pixels[i] = (uint8_t)((values[i] + 32u) >> 6);
}

/* The bytes that three tables of 256 have for pixels, side by side. */
NNRT__FN void nnrt__image_store_three_scalar(const uint8_t *tables, const uint8_t *const values[3], uint8_t *to,
                                             size_t count) {
    const uint8_t *first = values[0], *second = values[1], *third = values[2];
    size_t i;
    for (i = 0; i < count; i++, to += 3) {
        const uint8_t a = tables[first[i]], b = tables[256u + second[i]], c = tables[512u + third[i]];
        to[0] = a, to[1] = b, to[2] = c;
    }
}

/* The words that a table of 256 has for pixels, `stride` bytes apart; step: distance between values; 0: the same one
   for all. */
NNRT__FN void nnrt__image_store_words_scalar(const uint32_t *table, const uint8_t *values, size_t step, uint8_t *to,
                                             size_t stride, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) memcpy(to + i * stride, &table[values[i * step]], 4); /* of float32, too */
}

#endif /* NNRT_IMAGE_CONVERT_SCALAR_H */
