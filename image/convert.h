/* SPDX-License-Identifier: Apache-2.0 */
/* image/convert.h - components of pixels to R, G, B or to luma: the formulas of convert_scalar.h.   >>image_convert */
#ifndef NNRT_IMAGE_CONVERT_H
#define NNRT_IMAGE_CONVERT_H

#include "../kernels/internal.h"
#include "convert_scalar.h"
#if NNRT__HAVE_NEON
#include "convert_neon.h"
#define NNRT__IMAGE_WITH(function, chunk) function##_neon
#else
#define NNRT__IMAGE_WITH(function, chunk) NNRT__IMAGE_BY_RVV(function, chunk)
#endif
#if NNRT__HAVE_RVV
#include "convert_rvv.h"
#endif

NNRT__FN const nnrt__image_matrix *nnrt__image_matrix_of(nnrt_yuv yuv) {
    static const nnrt__image_matrix matrices[] = {{16, 9539, 13075, 3209, 6660, 16525},
                                                  {0, 8192, 11485, 2819, 5850, 14516},
                                                  {16, 9539, 14686, 1747, 4366, 17305},
                                                  {0, 8192, 12901, 1535, 3835, 15201}};
    NNRT_ASSERT((unsigned)yuv <= NNRT_YUV_BT709_FULL);
    return &matrices[(unsigned)yuv];
}

NNRT__FN void nnrt__image_y_to_luma(const nnrt__image_matrix *m, nnrt__image_chunk *chunk) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++)
        chunk->pixels[0][i] = nnrt__image_kept(m->y * (chunk->values[0][i] - m->black * 64));
}

NNRT__FN void nnrt__image_rgb_to_luma(nnrt__image_chunk *chunk) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++)
        chunk->pixels[0][i] = (uint8_t)((4899u * chunk->pixels[0][i] + 9617u * chunk->pixels[1][i] +
                                         1868u * chunk->pixels[2][i] + 8192u) >>
                                        14);
}

/* Converts values of a picture of this format to pixels for a tensor of 1 or 3 channels. bytes: they are 8-bit pixels
   already, not Y, U and V. */
NNRT__FN void nnrt__image_convert(const nnrt_image *image, const nnrt__image_format *format, uint32_t channels,
                                  bool bytes, nnrt__image_chunk *chunk) {
    uint32_t i;
    NNRT_ASSERT((channels == 1 || channels == 3) && chunk->count <= NNRT__IMAGE_CHUNK);
    if (format->yuv && channels == 1) {
        nnrt__image_y_to_luma(nnrt__image_matrix_of(image->yuv), chunk);
    } else if (format->yuv) {
        NNRT__IMAGE_WITH(nnrt__image_yuv_to_rgb, chunk)(nnrt__image_matrix_of(image->yuv), chunk);
    } else {
        for (i = 0; i < format->component_count && !bytes; i++)
            NNRT__IMAGE_WITH(nnrt__image_round, chunk)(chunk->values[i], chunk->count, chunk->pixels[i]);
        if (format->component_count == 3 && channels == 1) nnrt__image_rgb_to_luma(chunk);
    }
}

#endif /* NNRT_IMAGE_CONVERT_H */
