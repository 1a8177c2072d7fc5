/* SPDX-License-Identifier: Apache-2.0 */
/* image/planes.h - pixel formats, where each component of a pixel is, and checks of the program's
   description.   >>image_planes */
#ifndef NNRT_IMAGE_PLANES_H
#define NNRT_IMAGE_PLANES_H

#include "../core/error.h"
#include "api.h"

/* So that positions in 1/256 pixels, and twice a size times a size, fit 32 bits. */
#define NNRT__IMAGE_MAX_SIDE 32768u

/* The byte of pixel (x, y) is number (x >> shift_x) * step + first of row y >> shift_y. */
typedef struct nnrt__image_component {
    uint8_t plane, first, step, shift_x, shift_y;
} nnrt__image_component;

typedef struct nnrt__image_format {
    const char *name;
    uint8_t plane_count;
    uint8_t component_count; /* 1: luma; 3: R, G, B or Y, U, V */
    bool yuv;
    bool bits_565; /* components are bits of two bytes: first is the lowest one */
    nnrt__image_component component[3];
} nnrt__image_format;

/* NULL: there is no such format. */
NNRT__FN const nnrt__image_format *nnrt__image_format_of(nnrt_pixel_format format) {
    static const nnrt__image_format formats[] = {
        {"GRAY8", 1, 1, false, false, {{0, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}},
        {"RGB888", 1, 3, false, false, {{0, 0, 3, 0, 0}, {0, 1, 3, 0, 0}, {0, 2, 3, 0, 0}}},
        {"BGR888", 1, 3, false, false, {{0, 2, 3, 0, 0}, {0, 1, 3, 0, 0}, {0, 0, 3, 0, 0}}},
        {"RGBA8888", 1, 3, false, false, {{0, 0, 4, 0, 0}, {0, 1, 4, 0, 0}, {0, 2, 4, 0, 0}}},
        {"BGRA8888", 1, 3, false, false, {{0, 2, 4, 0, 0}, {0, 1, 4, 0, 0}, {0, 0, 4, 0, 0}}},
        {"RGB565", 1, 3, false, true, {{0, 11, 2, 0, 0}, {0, 5, 2, 0, 0}, {0, 0, 2, 0, 0}}},
        {"NV12", 2, 3, true, false, {{0, 0, 1, 0, 0}, {1, 0, 2, 1, 1}, {1, 1, 2, 1, 1}}},
        {"NV21", 2, 3, true, false, {{0, 0, 1, 0, 0}, {1, 1, 2, 1, 1}, {1, 0, 2, 1, 1}}},
        {"I420", 3, 3, true, false, {{0, 0, 1, 0, 0}, {1, 0, 1, 1, 1}, {2, 0, 1, 1, 1}}},
        {"YUYV", 1, 3, true, false, {{0, 0, 2, 0, 0}, {0, 1, 4, 1, 0}, {0, 3, 4, 1, 0}}},
        {"UYVY", 1, 3, true, false, {{0, 1, 2, 0, 0}, {0, 0, 4, 1, 0}, {0, 2, 4, 1, 0}}}};
    return (unsigned)format < NNRT__COUNT_OF(formats) ? &formats[(unsigned)format] : NULL;
}

/* Rows, and bytes of a row, of a plane of a picture of this size. Groups of pixels that share U and V are whole. */
NNRT__FN void nnrt__image_plane_extent(const nnrt__image_format *format, uint32_t plane, uint32_t width,
                                       uint32_t height, size_t *row_bytes, size_t *rows) {
    uint32_t i;
    *row_bytes = *rows = 0;
    for (i = 0; i < format->component_count; i++) {
        const nnrt__image_component *c = &format->component[i];
        const size_t bytes = ((size_t)((width - 1) >> c->shift_x) + 1) * c->step;
        if (c->plane != plane) continue;
        if (bytes > *row_bytes) *row_bytes = bytes;
        *rows = (size_t)((height - 1) >> c->shift_y) + 1;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__image_check_sides(const char *function, const char *what, uint32_t width,
                                                  uint32_t height) {
    if (width - 1 < NNRT__IMAGE_MAX_SIDE && height - 1 < NNRT__IMAGE_MAX_SIDE) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s of %u x %u pixels: sides are 1 to %u", function, what,
                      (unsigned)width, (unsigned)height, (unsigned)NNRT__IMAGE_MAX_SIDE);
}

NNRT__FN OH_NN_ReturnCode nnrt__image_no_format(const char *function, nnrt_pixel_format format) {
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no format %d", function, (int)format);
}

/* Of one plane, whose row_bytes and rows are those of nnrt__image_plane_extent. */
NNRT__FN OH_NN_ReturnCode nnrt__image_check_plane(const char *function, const nnrt_image *image,
                                                  const nnrt__image_format *format, uint32_t number, size_t row_bytes,
                                                  size_t rows) {
    const nnrt_plane *plane = &image->plane[number];
    size_t end;
    if (plane->data == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: plane %u of %s is NULL", function, (unsigned)number,
                          format->name);
    if (rows > 1 && plane->row_stride < row_bytes)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: rows of %zu bytes in plane %u of %s cannot be %zu apart",
                          function, row_bytes, (unsigned)number, format->name, plane->row_stride);
    if (nnrt__mul_size(rows - 1, plane->row_stride, &end) && nnrt__add_size(end, row_bytes, &end) && end <= plane->size)
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu rows of %zu bytes, %zu apart, reach past the %zu of plane %u",
                      function, rows, row_bytes, plane->row_stride, plane->size, (unsigned)number);
}

/* Checks everything about a picture and returns its format. */
NNRT__FN OH_NN_ReturnCode nnrt__image_check(const char *function, const nnrt_image *image,
                                            const nnrt__image_format **format) {
    OH_NN_ReturnCode code;
    uint32_t i;
    if (image == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: image is NULL", function);
    *format = nnrt__image_format_of(image->format);
    if (*format == NULL) return nnrt__image_no_format(function, image->format);
    if ((unsigned)image->yuv > NNRT_YUV_BT709_FULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no meaning %d of Y, U and V", function,
                          (int)image->yuv);
    code = nnrt__image_check_sides(function, "a picture", image->width, image->height);
    for (i = 0; i < (*format)->plane_count && code == OH_NN_SUCCESS; i++) {
        size_t row_bytes, rows;
        nnrt__image_plane_extent(*format, i, image->width, image->height, &row_bytes, &rows);
        code = nnrt__image_check_plane(function, image, *format, i, row_bytes, rows);
    }
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_image_of(nnrt_pixel_format format, uint32_t width, uint32_t height, const void *data,
                                        size_t size, size_t row_stride, nnrt_image *image) {
    static const char function[] = "nnrt_image_of";
    const nnrt__image_format *known = nnrt__image_format_of(format);
    nnrt_image made;
    size_t at = 0, row_bytes, rows, bytes;
    uint32_t i;
    OH_NN_ReturnCode code;
    if (image == NULL || data == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s is NULL", function, image == NULL ? "image" : "data");
    if (known == NULL) return nnrt__image_no_format(function, format);
    code = nnrt__image_check_sides(function, "a picture", width, height);
    if (code != OH_NN_SUCCESS) return code;
    memset(&made, 0, sizeof(made));
    made.format = format;
    made.width = width;
    made.height = height;
    for (i = 0; i < known->plane_count; i++) {
        nnrt_plane *plane = &made.plane[i];
        nnrt__image_plane_extent(known, i, width, height, &row_bytes, &rows);
        if (row_stride == 0) plane->row_stride = row_bytes;
        else if (i == 0) plane->row_stride = row_stride;
        else
            plane->row_stride =
                known->plane_count == 2 ? row_stride + (row_stride & 1) : row_stride / 2 + (row_stride & 1);
        plane->data = (const uint8_t *)data + at;
        plane->size = size - at;
        code = nnrt__image_check_plane(function, &made, known, i, row_bytes, rows);
        if (code != OH_NN_SUCCESS) return code;
        if (i + 1 == known->plane_count) break;
        if (!nnrt__mul_size(plane->row_stride, rows, &bytes) || bytes > plane->size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu bytes end with plane %u of %s", function, size,
                              (unsigned)i, known->name);
        at += bytes;
    }
    *image = made;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_IMAGE_PLANES_H */
