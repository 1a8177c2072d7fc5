/* SPDX-License-Identifier: Apache-2.0 */
/* image/sample.h - the components of some pixels of the tensor, each from one or four pixels of the
   picture.   >>image_sample

   Components are interpolated before they are converted to colours. Its value is in 1/64, 0 to 255 * 64:

     a, b, c, d   of the pixels on the left and on the right, above and below; weights f and g in 1/256
     value        floor((((256 - f) a + f b) (256 - g) + ((256 - f) c + f d) g + 512) / 1024)

   U and V of a pixel are those of the group that it is in: nothing is interpolated within a group. */
#ifndef NNRT_IMAGE_SAMPLE_H
#define NNRT_IMAGE_SAMPLE_H

#include "../kernels/internal.h"
#include "planes.h"
#include "resize.h"

/* A function of RISC-V's vectors where there are any, else the portable one. */
#if NNRT__HAVE_RVV
#include "sample_rvv.h"
#define NNRT__IMAGE_BY_RVV(function, chunk) ((chunk)->vectors ? function##_rvv : function##_scalar)
#else
#define NNRT__IMAGE_BY_RVV(function, chunk) function##_scalar
#endif

/* Columns of a strip, a multiple of 8: the intermediate values of a pass are on the stack, below 2 KB. */
#define NNRT__IMAGE_CHUNK 64

/* Some pixels of a row, in columns that all rows share. Values after the last one are undefined. */
typedef struct nnrt__image_chunk {
    uint32_t count;
    bool vectors; /* does the processor have those of RISC-V? */
    /* Of components that each pixel has and, [1], of those that two share: the byte of the pixel on the left in its
       row, of the one on the right, and the weight of that in 1/256; 0: both are the left one. */
    uint32_t left[2][NNRT__IMAGE_CHUNK];
    uint32_t right[2][NNRT__IMAGE_CHUNK];
    uint16_t fraction[NNRT__IMAGE_CHUNK];
    uint16_t values[3][NNRT__IMAGE_CHUNK];
    uint8_t pixels[3][NNRT__IMAGE_CHUNK]; /* R, G, B, or luma */
} nnrt__image_chunk;

/* Fills in the next columns, of which `left` remain; `first` is the first column of the crop. */
NNRT__FN void nnrt__image_chunk_columns(const nnrt__image_format *format, nnrt__image_steps *columns, uint32_t first,
                                        uint32_t left, nnrt__image_chunk *chunk) {
    const uint32_t step = format->component[0].step, pair_step = format->component[1].step;
    uint32_t i;
    NNRT_ASSERT(left >= 1);
    chunk->count = left < NNRT__IMAGE_CHUNK ? left : NNRT__IMAGE_CHUNK;
    for (i = 0; i < chunk->count; i++) {
        const uint32_t column = first + columns->current, next = column + (columns->fraction != 0 ? 1u : 0u);
        chunk->left[0][i] = column * step;
        chunk->right[0][i] = next * step;
        chunk->left[1][i] = (column >> 1) * pair_step;
        chunk->right[1][i] = (next >> 1) * pair_step;
        chunk->fraction[i] = (uint16_t)columns->fraction;
        nnrt__image_steps_next(columns);
    }
}

/* The value above. */
NNRT__INLINE uint16_t nnrt__image_between(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t f, uint32_t g) {
    return (uint16_t)(((a * (256 - f) + b * f) * (256 - g) + (c * (256 - f) + d * f) * g + 512) >> 10);
}

/* Where the component is in two rows, and the weight of the lower one in 1/256. */
typedef struct nnrt__image_rows {
    const uint8_t *top, *bottom;
    uint32_t weight;
} nnrt__image_rows;

/* Component `number` in row `row` and the one below it; weight 0: there may be none. */
NNRT__FN nnrt__image_rows nnrt__image_rows_of(const nnrt_image *image, const nnrt__image_format *format,
                                              uint32_t number, uint32_t row, uint32_t weight) {
    const nnrt__image_component *c = &format->component[number];
    const nnrt_plane *plane = &image->plane[c->plane];
    const uint8_t *data = (const uint8_t *)plane->data + (format->bits_565 ? 0 : c->first);
    nnrt__image_rows rows;
    NNRT_ASSERT(number < format->component_count);
    NNRT_ASSERT(row + (weight != 0 ? 1u : 0u) < image->height && weight < 256);
    rows.top = data + (size_t)(row >> c->shift_y) * plane->row_stride;
    rows.bottom = data + (size_t)((row + (weight != 0 ? 1u : 0u)) >> c->shift_y) * plane->row_stride;
    rows.weight = weight;
    return rows;
}

/* Copies 8-bit components, each from one pixel. */
NNRT__FN void nnrt__image_sample_bytes(const uint8_t *row, const uint32_t *left, uint32_t count, uint8_t *pixels) {
    uint32_t i;
    for (i = 0; i < count; i++) pixels[i] = row[left[i]];
}

/* Each of one. */
NNRT__FN void nnrt__image_sample_one_scalar(const uint8_t *row, const uint32_t *left, uint32_t count,
                                            uint16_t *values) {
    uint32_t i;
    for (i = 0; i < count; i++) values[i] = (uint16_t)(row[left[i]] * 64u);
}

/* Each of four, those of two rows; weight: of the lower one. */
NNRT__FN void nnrt__image_sample_four_scalar(const uint8_t *top, const uint8_t *bottom, const uint32_t *left,
                                             const uint32_t *right, const uint16_t *fraction, uint32_t weight,
                                             uint32_t count, uint16_t *values) {
    uint32_t i;
    for (i = 0; i < count; i++)
        values[i] =
            nnrt__image_between(top[left[i]], top[right[i]], bottom[left[i]], bottom[right[i]], fraction[i], weight);
}

/* The component whose lowest bit is `first`, of a pixel of RGB565: 5 or 6 bits become 8, so that all ones are 255. */
NNRT__INLINE uint32_t nnrt__image_565(const uint8_t *pixel, unsigned first) {
    const uint32_t bits = (pixel[0] | (uint32_t)pixel[1] << 8) >> first;
    return first == 5 ? (bits & 63u) << 2 | (bits & 63u) >> 4 : (bits & 31u) << 3 | (bits & 31u) >> 2;
}

NNRT__FN void nnrt__image_sample_565(const nnrt__image_rows *rows, const nnrt__image_chunk *chunk, unsigned first,
                                     uint16_t *values) {
    uint32_t i;
    for (i = 0; i < chunk->count; i++) {
        const uint32_t left = chunk->left[0][i], right = chunk->right[0][i];
        values[i] =
            nnrt__image_between(nnrt__image_565(rows->top + left, first), nnrt__image_565(rows->top + right, first),
                                nnrt__image_565(rows->bottom + left, first),
                                nnrt__image_565(rows->bottom + right, first), chunk->fraction[i], rows->weight);
    }
}

/* The values of component `number`. one: all weights are 0. */
NNRT__FN void nnrt__image_sample(const nnrt__image_format *format, uint32_t number, const nnrt__image_rows *rows,
                                 bool one, nnrt__image_chunk *chunk) {
    const nnrt__image_component *c = &format->component[number];
    const uint32_t *left = chunk->left[c->shift_x], *right = chunk->right[c->shift_x];
    uint16_t *values = chunk->values[number];
    if (format->bits_565) {
        nnrt__image_sample_565(rows, chunk, c->first, values);
    } else if (one) {
        NNRT__IMAGE_BY_RVV(nnrt__image_sample_one, chunk)(rows->top, left, chunk->count, values);
    } else {
        NNRT__IMAGE_BY_RVV(nnrt__image_sample_four, chunk)
        (rows->top, rows->bottom, left, right, chunk->fraction, rows->weight, chunk->count, values);
    }
}

#endif /* NNRT_IMAGE_SAMPLE_H */
