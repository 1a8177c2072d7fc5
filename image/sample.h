/* SPDX-License-Identifier: Apache-2.0 */
/* image/sample.h - the components of some pixels of the tensor, each made of one or four pixels of the picture.
   >>image_sample

   A component is interpolated before it is part of a colour. Its value is in 1/64, 0 to 255 * 64:

     a, b, c, d   of the pixels on the left and on the right, above and below; weights f and g in 1/256
     value        floor((((256 - f) a + f b) (256 - g) + ((256 - f) c + f d) g + 512) / 1024)

   U and V of a pixel are those of the group that it is in: nothing is interpolated within a group. */
#ifndef NNRT_IMAGE_SAMPLE_H
#define NNRT_IMAGE_SAMPLE_H

#include "planes.h"
#include "resize.h"

/* Pixels that are computed at a time, so that what is in between lies on the stack: below 1 KB. */
#define NNRT__IMAGE_CHUNK 64

typedef struct nnrt__image_chunk {
    uint32_t count;
    uint16_t left[NNRT__IMAGE_CHUNK];     /* column of the picture */
    uint16_t fraction[NNRT__IMAGE_CHUNK]; /* weight of the column on its right, in 1/256; 0: there may be none */
    uint16_t values[3][NNRT__IMAGE_CHUNK];
    uint8_t pixels[3][NNRT__IMAGE_CHUNK]; /* R, G, B, or luma */
} nnrt__image_chunk;

/* The next columns, of which left are left; `first` is that of the crop. */
NNRT__FN void nnrt__image_chunk_columns(nnrt__image_chunk *chunk, nnrt__image_steps *columns, uint32_t first,
                                        uint32_t left) {
    uint32_t i;
    chunk->count = left < NNRT__IMAGE_CHUNK ? left : NNRT__IMAGE_CHUNK;
    for (i = 0; i < chunk->count; i++) {
        chunk->left[i] = (uint16_t)(first + columns->current);
        chunk->fraction[i] = (uint16_t)columns->fraction;
        nnrt__image_steps_next(columns);
    }
}

/* The value above. */
NNRT__INLINE uint16_t nnrt__image_between(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t f, uint32_t g) {
    return (uint16_t)(((a * (256 - f) + b * f) * (256 - g) + (c * (256 - f) + d * f) * g + 512) >> 10);
}

/* Each of one pixel of the row at `top`. */
NNRT__FN void nnrt__image_sample_nearest(const nnrt__image_component *c, const uint8_t *top, nnrt__image_chunk *chunk,
                                         uint16_t *values) {
    const size_t step = c->step;
    const unsigned shift = c->shift_x;
    uint32_t i;
    for (i = 0; i < chunk->count; i++) values[i] = (uint16_t)(top[((size_t)chunk->left[i] >> shift) * step] << 6);
}

/* Each of four, of two rows; bottom_weight in 1/256. */
NNRT__FN void nnrt__image_sample_four(const nnrt__image_component *c, const uint8_t *top, const uint8_t *bottom,
                                      uint32_t bottom_weight, const nnrt__image_chunk *chunk, uint16_t *values) {
    const size_t step = c->step;
    const unsigned shift = c->shift_x;
    uint32_t i;
    for (i = 0; i < chunk->count; i++) {
        const uint32_t f = chunk->fraction[i];
        const size_t left = chunk->left[i], right = left + (f != 0 ? 1u : 0u);
        const size_t a = (left >> shift) * step, b = (right >> shift) * step;
        values[i] = nnrt__image_between(top[a], top[b], bottom[a], bottom[b], f, bottom_weight);
    }
}

/* Component `first` of a pixel of RGB565: 5 or 6 bits become 8, so that all ones are 255. */
NNRT__INLINE uint32_t nnrt__image_565(const uint8_t *row, uint32_t column, unsigned first) {
    const uint32_t pixel = row[2 * column] | (uint32_t)row[2 * column + 1] << 8, bits = pixel >> first;
    return first == 5 ? (bits & 63u) << 2 | (bits & 63u) >> 4 : (bits & 31u) << 3 | (bits & 31u) >> 2;
}

NNRT__FN void nnrt__image_sample_565(unsigned first, const uint8_t *top, const uint8_t *bottom, uint32_t bottom_weight,
                                     const nnrt__image_chunk *chunk, uint16_t *values) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++) {
        const uint32_t f = chunk->fraction[i], left = chunk->left[i], right = left + (f != 0 ? 1u : 0u);
        values[i] = nnrt__image_between(nnrt__image_565(top, left, first), nnrt__image_565(top, right, first),
                                        nnrt__image_565(bottom, left, first), nnrt__image_565(bottom, right, first), f,
                                        bottom_weight);
    }
}

/* Component `number` of the chunk, from row `row` and the one below it with its weight in 1/256; 0: there may be none.
   one: no weight is another than 0. */
NNRT__FN void nnrt__image_sample(const nnrt_image *image, const nnrt__image_format *format, uint32_t number,
                                 uint32_t row, uint32_t bottom_weight, bool one, nnrt__image_chunk *chunk) {
    const nnrt__image_component *c = &format->component[number];
    const nnrt_plane *plane = &image->plane[c->plane];
    const uint8_t *data = (const uint8_t *)plane->data + (format->bits_565 ? 0 : c->first);
    const uint8_t *top = data + (size_t)(row >> c->shift_y) * plane->row_stride;
    const uint8_t *bottom = data + (size_t)((row + (bottom_weight != 0 ? 1u : 0u)) >> c->shift_y) * plane->row_stride;
    uint16_t *values = chunk->values[number];
    if (format->bits_565) nnrt__image_sample_565(c->first, top, bottom, bottom_weight, chunk, values);
    else if (one) nnrt__image_sample_nearest(c, top, chunk, values);
    else nnrt__image_sample_four(c, top, bottom, bottom_weight, chunk, values);
}

#endif /* NNRT_IMAGE_SAMPLE_H */
