/* SPDX-License-Identifier: Apache-2.0 */
/* image/convert.h - components of pixels to R, G, B or to luma, 8 bits each.   >>image_convert

   Y, U, V, which sample.h gives in 1/64: with coefficients in 1/8192 of the type's table and black, 16 or 0,

     R = kept((y (Y - black) + rv (V - 128)) / 8192)              kept: rounded to the nearest, halves up, then kept
     G = kept((y (Y - black) - gu (U - 128) - gv (V - 128)) / 8192)     within 0..255
     B = kept((y (Y - black) + bu (U - 128)) / 8192)
     luma = kept(y (Y - black) / 8192)

   The coefficients are those of BT.601 and BT.709 rounded to 1/8192, which moves no result by more than 0.03 before it
   is rounded. R, G and B are rounded from 1/64, and luma of them is (4899 R + 9617 G + 1868 B + 8192) / 16384. No sum
   leaves 32 bits: 64 * 255 * 9539 + 64 * 128 * 17305 < 2^29. */
#ifndef NNRT_IMAGE_CONVERT_H
#define NNRT_IMAGE_CONVERT_H

#include "sample.h"

typedef struct nnrt__image_matrix {
    int32_t black, y, rv, gu, gv, bu;
} nnrt__image_matrix;

NNRT__FN const nnrt__image_matrix *nnrt__image_matrix_of(nnrt_yuv yuv) {
    static const nnrt__image_matrix matrices[] = {{16, 9539, 13075, 3209, 6660, 16525},
                                                  {0, 8192, 11485, 2819, 5850, 14516},
                                                  {16, 9539, 14686, 1747, 4366, 17305},
                                                  {0, 8192, 12901, 1535, 3835, 15201}};
    return &matrices[(unsigned)yuv];
}

/* kept() of a sum of 1/(64 * 8192). */
NNRT__INLINE uint8_t nnrt__image_kept(int32_t sum) {
    const int32_t value = (sum + (1 << 18)) >> 19;
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

NNRT__FN void nnrt__image_yuv_to_rgb(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
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

NNRT__FN void nnrt__image_y_to_luma(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++)
        chunk->pixels[0][i] = nnrt__image_kept(m->y * (chunk->values[0][i] - m->black * 64));
}

NNRT__FN void nnrt__image_round(uint32_t component, nnrt__image_chunk *chunk) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++)
        chunk->pixels[component][i] = (uint8_t)((chunk->values[component][i] + 32u) >> 6);
}

NNRT__FN void nnrt__image_rgb_to_luma(nnrt__image_chunk *chunk) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++)
        chunk->pixels[0][i] = (uint8_t)((4899u * chunk->pixels[0][i] + 9617u * chunk->pixels[1][i] +
                                         1868u * chunk->pixels[2][i] + 8192u) >>
                                        14);
}

/* Values to pixels, of a picture of this format for a tensor of so many channels, 1 or 3. */
NNRT__FN void nnrt__image_convert(const nnrt_image *image, const nnrt__image_format *format, uint32_t channels,
                                  nnrt__image_chunk *chunk) {
    uint32_t i;
    if (format->yuv && channels == 1) {
        nnrt__image_y_to_luma(nnrt__image_matrix_of(image->yuv), chunk);
    } else if (format->yuv) {
        nnrt__image_yuv_to_rgb(nnrt__image_matrix_of(image->yuv), chunk);
    } else {
        for (i = 0; i < format->component_count; i++) nnrt__image_round(i, chunk);
        if (format->component_count == 3 && channels == 1) nnrt__image_rgb_to_luma(chunk);
    }
}

#endif /* NNRT_IMAGE_CONVERT_H */
