/* SPDX-License-Identifier: Apache-2.0 */
/* image/to_tensor.h - the one pass from a picture to a tensor.   >>image_to_tensor

   Works in strips of a few columns, row by row: the components of their pixels are interpolated (sample.h), converted
   to 8-bit pixels (convert.h), and turned into elements by a table for each channel. The sources of the columns are
   computed once per strip. */
#ifndef NNRT_IMAGE_TO_TENSOR_H
#define NNRT_IMAGE_TO_TENSOR_H

#include "../data/numbers.h"
#include "../data/reorder.h"
#include "convert.h"

/* The element of each value of each channel, as wide as elements are. */
typedef union nnrt__image_tables {
    uint8_t byte[3][256];
    uint16_t half[3][256];
    uint32_t word[3][256];
} nnrt__image_tables;

typedef struct nnrt__image_pass {
    const nnrt_image *image;
    const nnrt__image_format *format;
    nnrt_image_options options;
    nnrt_image_place place;
    uint32_t channels, width, height; /* of the tensor */
    size_t element;                   /* bytes, as the strides */
    size_t channel_stride, row_stride, pixel_stride;
    uint8_t *to;
    nnrt__image_tables tables;
} nnrt__image_pass;

/* -------------------------------------------------------------------------------------------------- checks */

NNRT__FN OH_NN_ReturnCode nnrt__image_check_options(const char *function, nnrt_image_options *options) {
    uint32_t i;
    if ((unsigned)options->resize > NNRT_RESIZE_NEAREST || (unsigned)options->channels > NNRT_CHANNELS_BGR)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no resize %d, or no order of channels %d", function,
                          (int)options->resize, (int)options->channels);
    for (i = 0; i < 3; i++) {
        const float mean = options->mean[i], deviation = options->deviation[i];
        if (mean - mean != 0.0f || deviation - deviation != 0.0f || deviation < 0.0f)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: mean and deviation of channel %u are no numbers to use",
                              function, (unsigned)i);
        if (deviation == 0.0f) options->deviation[i] = 1.0f;
    }
    return OH_NN_SUCCESS;
}

/* Where elements lie in the tensor. */
NNRT__FN OH_NN_ReturnCode nnrt__image_take_layout(const char *function, const nnrt_layout *layout, size_t to_size,
                                                  nnrt__image_pass *pass) {
    nnrt__tensor_layout taken;
    uint32_t bytes = 0;
    OH_NN_ReturnCode code = nnrt__reorder_take(function, "layout", layout, &taken, &bytes);
    if (code == OH_NN_SUCCESS) code = nnrt__image_check_sides(function, "a tensor", layout->width, layout->height);
    if (code != OH_NN_SUCCESS) return code;
    if (layout->batches != 1 || (layout->channels != 1 && layout->channels != 3) ||
        (layout->order != NNRT_ORDER_NCHW && layout->order != NNRT_ORDER_NHWC))
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%s: a picture is one batch of 1 or 3 channels in NHWC or NCHW, not %u of %u in order %d",
                          function, (unsigned)layout->batches, (unsigned)layout->channels, (int)layout->order);
    if (to_size < bytes)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: to has %zu bytes, its layout takes %u", function, to_size,
                          (unsigned)bytes);
    pass->channels = layout->channels;
    pass->width = layout->width;
    pass->height = layout->height;
    pass->element = nnrt__element_size(layout->type);
    pass->pixel_stride = layout->order == NNRT_ORDER_NHWC ? layout->channels * pass->element : pass->element;
    pass->row_stride = taken.w_stride * pass->pixel_stride;
    pass->channel_stride = layout->order == NNRT_ORDER_NHWC ? pass->element : taken.h_stride * pass->row_stride;
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------------- values */

/* Sixteen values at a time, so that no table of their real numbers is needed. */
NNRT__FN void nnrt__image_fill_tables(nnrt__image_pass *pass, const nnrt__numbers *numbers) {
    uint8_t *elements = (uint8_t *)&pass->tables;
    uint32_t channel, value, i;
    for (channel = 0; channel < pass->channels; channel++) {
        const float mean = pass->options.mean[channel], deviation = pass->options.deviation[channel];
        for (value = 0; value < 256; value += 16) {
            float real[16];
            for (i = 0; i < 16; i++) real[i] = ((float)(value + i) - mean) / deviation;
            nnrt__numbers_quantize(numbers, 0, real, elements + ((size_t)channel * 256 + value) * pass->element, 16);
        }
    }
}

/* Stores count values as elements of a channel, from `to` on. step: distance between values; 0: the same one for
   all. */
NNRT__FN void nnrt__image_store(const nnrt__image_pass *pass, uint32_t channel, const uint8_t *values, size_t step,
                                uint8_t *to, size_t count) {
    const uint8_t *byte = pass->tables.byte[channel];
    const uint16_t *half = pass->tables.half[channel];
    const size_t stride = pass->pixel_stride / pass->element;
    size_t i;
    NNRT_ASSERT(channel < pass->channels && pass->pixel_stride % pass->element == 0);
    if (pass->element == 1)
        for (i = 0; i < count; i++) to[i * stride] = byte[values[i * step]];
    else if (pass->element == 2)
        for (i = 0; i < count; i++) ((uint16_t *)(void *)to)[i * stride] = half[values[i * step]];
    else nnrt__image_store_words_scalar(pass->tables.word[channel], values, step, to, pass->pixel_stride, count);
}

/* ---------------------------------------------------------------------------------------------------- the pass */

NNRT__FN uint8_t *nnrt__image_pixel(const nnrt__image_pass *pass, uint32_t channel, size_t x, size_t y) {
    return pass->to + channel * pass->channel_stride + y * pass->row_stride + x * pass->pixel_stride;
}

NNRT__FN void nnrt__image_pad(const nnrt__image_pass *pass, uint32_t x, uint32_t y, uint32_t count) {
    uint32_t channel;
    NNRT_ASSERT(x <= pass->width && count <= pass->width - x && y < pass->height);
    for (channel = 0; channel < pass->channels; channel++)
        nnrt__image_store(pass, channel, &pass->options.padding[channel], 0, nnrt__image_pixel(pass, channel, x, y),
                          count);
}

/* Stores the pixels of a strip, with that many components, to row y. */
NNRT__FN void nnrt__image_store_row(const nnrt__image_pass *pass, uint32_t components, uint32_t x, uint32_t y,
                                    const nnrt__image_chunk *chunk) {
    const uint8_t *values[3];
    uint32_t i;
    for (i = 0; i < 3; i++) {
        const uint32_t turned = pass->channels == 3 && pass->options.channels == NNRT_CHANNELS_BGR ? 2 - i : i;
        values[i] = chunk->pixels[components == 1 ? 0 : turned];
    }
    if (pass->pixel_stride == 3) { /* bytes of interleaved channels */
        NNRT__IMAGE_BY_RVV(nnrt__image_store_three, chunk)
        (pass->tables.byte[0], values, nnrt__image_pixel(pass, 0, x, y), chunk->count);
        return;
    }
    for (i = 0; i < pass->channels; i++) {
        uint8_t *to = nnrt__image_pixel(pass, i, x, y);
        if (pass->element != 4) {
            nnrt__image_store(pass, i, values[i], 1, to, chunk->count);
        } else {
            NNRT__IMAGE_BY_RVV(nnrt__image_store_words, chunk)
            (pass->tables.word[i], values[i], 1, to, pass->pixel_stride, chunk->count);
        }
    }
}

/* The pixels of row y in the strip whose columns are in chunk and begin at x. */
NNRT__FN void nnrt__image_row(const nnrt__image_pass *pass, uint32_t x, uint32_t y, const nnrt__image_steps *rows,
                              nnrt__image_chunk *chunk) {
    const nnrt_image_rect *from = &pass->place.from;
    const nnrt__image_format *format = pass->format;
    const bool one = pass->options.resize == NNRT_RESIZE_NEAREST ||
                     (from->width == pass->place.to.width && rows->fraction == 0); /* from one pixel each, not four */
    const uint32_t components = format->yuv && pass->channels == 1 ? 1 : format->component_count;
    const bool bytes = one && !format->yuv && !format->bits_565; /* which need no arithmetic */
    uint32_t i;
    NNRT_ASSERT(x < pass->width && chunk->count <= pass->width - x && y < pass->height);
    NNRT_ASSERT(rows->current + (rows->fraction != 0 ? 1u : 0u) < from->height);
    for (i = 0; i < components; i++) {
        const nnrt__image_rows found =
            nnrt__image_rows_of(pass->image, format, i, from->y + rows->current, rows->fraction);
        if (bytes) nnrt__image_sample_bytes(found.top, chunk->left[0], chunk->count, chunk->pixels[i]);
        else nnrt__image_sample(format, i, &found, one, chunk);
    }
    nnrt__image_convert(pass->image, format, pass->channels, bytes, chunk);
    nnrt__image_store_row(pass, components, x, y, chunk);
}

/* What is padding. */
NNRT__FN void nnrt__image_pad_all(const nnrt__image_pass *pass) {
    const nnrt_image_rect *to = &pass->place.to;
    uint32_t y;
    for (y = 0; y < pass->height; y++) {
        if (y - to->y < to->height) {
            nnrt__image_pad(pass, 0, y, to->x);
            nnrt__image_pad(pass, to->x + to->width, y, pass->width - to->x - to->width);
        } else {
            nnrt__image_pad(pass, 0, y, pass->width);
        }
    }
}

NNRT__FN void nnrt__image_run(const nnrt__image_pass *pass) {
    const nnrt_image_rect *from = &pass->place.from, *to = &pass->place.to;
    const nnrt__image_steps first_row = nnrt__image_steps_begin(pass->options.resize, from->height, to->height);
    nnrt__image_steps columns = nnrt__image_steps_begin(pass->options.resize, from->width, to->width);
    nnrt__image_chunk chunk;
    uint32_t x, y;
    memset(&chunk, 0, sizeof(chunk));
    chunk.vectors = nnrt__rvv_is_here();
    nnrt__image_pad_all(pass);
    for (x = 0; x < to->width; x += chunk.count) {
        nnrt__image_steps rows = first_row;
        nnrt__image_chunk_columns(pass->format, &columns, from->x, to->width - x, &chunk);
        for (y = 0; y < to->height; y++) {
            nnrt__image_row(pass, to->x + x, to->y + y, &rows, &chunk);
            nnrt__image_steps_next(&rows);
        }
    }
}

NNRT_API OH_NN_ReturnCode nnrt_image_to_tensor(const nnrt_image *image, const nnrt_image_options *options,
                                               const nnrt_layout *layout, double scale, int32_t zero_point, void *to,
                                               size_t to_size) {
    static const char function[] = "nnrt_image_to_tensor";
    nnrt__image_pass pass;
    nnrt__numbers numbers;
    OH_NN_ReturnCode code = nnrt__image_check(function, image, &pass.format);
    if (code != OH_NN_SUCCESS) return code;
    memset(&pass.options, 0, sizeof(pass.options));
    if (options != NULL) pass.options = *options;
    code = nnrt__image_check_options(function, &pass.options);
    if (code == OH_NN_SUCCESS) code = nnrt__image_take_layout(function, layout, to_size, &pass);
    if (code != OH_NN_SUCCESS) return code;
    numbers = nnrt__numbers_of(function, layout->type, 1, 1, 256, &scale, &zero_point);
    code = nnrt__numbers_check(&numbers, image, to);
    if (code == OH_NN_SUCCESS)
        code = nnrt__image_place(function, image, &pass.options, pass.width, pass.height, &pass.place);
    if (code != OH_NN_SUCCESS) return code;
    pass.image = image;
    pass.to = (uint8_t *)to;
    nnrt__image_fill_tables(&pass, &numbers);
    nnrt__image_run(&pass);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_IMAGE_TO_TENSOR_H */
