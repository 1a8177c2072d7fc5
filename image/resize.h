/* SPDX-License-Identifier: Apache-2.0 */
/* image/resize.h - which pixels of the picture a pixel of the tensor is made of, and the way back.   >>image_resize

   Along each axis, `from` pixels of the crop become `to`. Pixel i of the tensor has its centre where (i + 1/2) * from /
   to lies, in pixels of the crop counted from its edge. All of this is exact except for the one rounding below:

     nearest    the pixel that the centre lies in: floor((2 i + 1) * from / (2 to))
     bilinear   between the centres of two: (i + 1/2) * from / to - 1/2, rounded to the nearest 1/256 (halves up) and
                kept within 0..from - 1. The error of a weight is at most 1/512

   Positions advance by a quotient and a remainder, so that no pixel costs a division. 32 bits suffice: sides are at
   most 2^15. */
#ifndef NNRT_IMAGE_RESIZE_H
#define NNRT_IMAGE_RESIZE_H

#include "../core/error.h"
#include "api.h"
#include "planes.h"

/* Steps through the positions of an axis: the current one is floor(numerator / divisor) + remainder / divisor. */
typedef struct nnrt__image_steps {
    int32_t position, remainder; /* 0 <= remainder < divisor */
    int32_t position_step, remainder_step;
    int32_t divisor;
    int32_t last;      /* position of the last pixel */
    uint32_t unit;     /* positions of a pixel, as a shift: 8 or, nearest, 0 */
    uint32_t current;  /* the pixel, counted from the edge of the crop */
    uint32_t fraction; /* of the next one, in 1/256; 0 where there is none */
} nnrt__image_steps;

NNRT__FN void nnrt__image_steps_tell(nnrt__image_steps *steps) {
    const int32_t kept = steps->position < 0 ? 0 : steps->position > steps->last ? steps->last : steps->position;
    NNRT_ASSERT(steps->remainder >= 0 && steps->remainder < steps->divisor);
    NNRT_ASSERT(steps->last >= 0 && (steps->unit == 8 || steps->unit == 0));
    steps->current = (uint32_t)kept >> steps->unit;
    steps->fraction = (uint32_t)kept & ((1u << steps->unit) - 1u);
}

NNRT__FN nnrt__image_steps nnrt__image_steps_begin(nnrt_resize resize, uint32_t from, uint32_t to) {
    const bool bilinear = resize == NNRT_RESIZE_BILINEAR;
    const int32_t source = (int32_t)from, target = (int32_t)to;
    const int32_t numerator = bilinear ? (source - target) * 256 + target : source;
    const int32_t step = source * (bilinear ? 512 : 2);
    nnrt__image_steps steps;
    NNRT_ASSERT(from >= 1 && from <= NNRT__IMAGE_MAX_SIDE && to >= 1 && to <= NNRT__IMAGE_MAX_SIDE);
    steps.unit = bilinear ? 8 : 0;
    steps.divisor = 2 * target;
    steps.position = numerator / steps.divisor;
    steps.remainder = numerator % steps.divisor;
    if (steps.remainder < 0) { /* C rounds towards zero */
        steps.position--;
        steps.remainder += steps.divisor;
    }
    steps.position_step = step / steps.divisor;
    steps.remainder_step = step % steps.divisor;
    steps.last = (source - 1) * (bilinear ? 256 : 1);
    nnrt__image_steps_tell(&steps);
    return steps;
}

NNRT__FN void nnrt__image_steps_next(nnrt__image_steps *steps) {
    steps->position += steps->position_step;
    steps->remainder += steps->remainder_step;
    if (steps->remainder >= steps->divisor) {
        steps->remainder -= steps->divisor;
        steps->position++;
    }
    nnrt__image_steps_tell(steps);
}

/* --------------------------------------------------------------------------------------------------- where */

/* side * to / from to the nearest, halves up, but at least 1. No side is above NNRT__IMAGE_MAX_SIDE. */
NNRT__FN uint32_t nnrt__image_scaled(uint32_t side, uint32_t to, uint32_t from) {
    const uint32_t scaled = (2 * side * to + from) / (2 * from);
    NNRT_ASSERT(side <= NNRT__IMAGE_MAX_SIDE && to <= NNRT__IMAGE_MAX_SIDE && from >= 1);
    return scaled != 0 ? scaled : 1;
}

/* Of a picture and a tensor whose sides were checked. */
NNRT__FN OH_NN_ReturnCode nnrt__image_place(const char *function, const nnrt_image *image,
                                            const nnrt_image_options *options, uint32_t width, uint32_t height,
                                            nnrt_image_place *place) {
    const nnrt_image_rect whole = {0, 0, image->width, image->height};
    nnrt_image_rect from = options->crop, to = {0, 0, width, height};
    if ((from.x | from.y | from.width | from.height) == 0) from = whole;
    if (from.x >= image->width || from.y >= image->height || from.width - 1 >= image->width - from.x ||
        from.height - 1 >= image->height - from.y)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: crop of %u x %u pixels at %u, %u is not inside %u x %u",
                          function, (unsigned)from.width, (unsigned)from.height, (unsigned)from.x, (unsigned)from.y,
                          (unsigned)image->width, (unsigned)image->height);
    if ((unsigned)options->fit > NNRT_FIT_LETTERBOX_TOP_LEFT)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no fit %d", function, (int)options->fit);
    if (options->fit != NNRT_FIT_STRETCH) {
        if (width * from.height <= height * from.width) to.height = nnrt__image_scaled(from.height, width, from.width);
        else to.width = nnrt__image_scaled(from.width, height, from.height);
    }
    if (options->fit == NNRT_FIT_LETTERBOX) {
        to.x = (width - to.width) / 2;
        to.y = (height - to.height) / 2;
    }
    NNRT_ASSERT(to.width >= 1 && to.width <= width - to.x);
    NNRT_ASSERT(to.height >= 1 && to.height <= height - to.y);
    place->from = from;
    place->to = to;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_image_find_place(const nnrt_image *image, const nnrt_image_options *options,
                                                uint32_t width, uint32_t height, nnrt_image_place *place) {
    static const char function[] = "nnrt_image_find_place";
    static const nnrt_image_options plain = {
        {0, 0, 0, 0}, NNRT_RESIZE_BILINEAR, NNRT_FIT_STRETCH, {0, 0, 0}, NNRT_CHANNELS_RGB, {0, 0, 0}, {0, 0, 0}};
    OH_NN_ReturnCode code;
    if (image == NULL || place == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, image == NULL ? "image" : "place");
    code = nnrt__image_check_sides(function, "a picture", image->width, image->height);
    if (code == OH_NN_SUCCESS) code = nnrt__image_check_sides(function, "a tensor", width, height);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__image_place(function, image, options != NULL ? options : &plain, width, height, place);
}

/* ------------------------------------------------------------------------------------------------ the way back */

/* x of the tensor, in pixels of the picture. */
NNRT__FN float nnrt__image_back(float x, uint32_t to, uint32_t to_size, uint32_t from, uint32_t from_size, bool clip) {
    const float scaled = (x - (float)to) * ((float)from_size / (float)to_size);
    const float end = (float)from_size;
    return (float)from + (!clip ? scaled : scaled < 0.0f ? 0.0f : scaled > end ? end : scaled);
}

NNRT_API OH_NN_ReturnCode nnrt_image_points_back(const nnrt_image_place *place, float *points, size_t count,
                                                 size_t stride, bool clip) {
    static const char function[] = "nnrt_image_points_back";
    size_t i;
    if (place == NULL || (points == NULL && count != 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, place == NULL ? "place" : "points");
    if (place->to.width == 0 || place->to.height == 0 || stride < 2)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %u x %u pixels of the tensor, a stride of %zu", function,
                          (unsigned)place->to.width, (unsigned)place->to.height, stride);
    for (i = 0; i < count; i++) {
        float *point = points + i * stride;
        point[0] = nnrt__image_back(point[0], place->to.x, place->to.width, place->from.x, place->from.width, clip);
        point[1] = nnrt__image_back(point[1], place->to.y, place->to.height, place->from.y, place->from.height, clip);
    }
    return OH_NN_SUCCESS;
}

#endif /* NNRT_IMAGE_RESIZE_H */
