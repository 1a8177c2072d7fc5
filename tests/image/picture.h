/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h - pictures in memory of exactly their size, and what nnrt_image_to_tensor() makes of them, twice: in
   integers, pixel by pixel, by the formulas of image/resize.h, image/sample.h and image/convert_scalar.h; and in double
   without any rounding, which tells how good those formulas are. */
#ifndef NNRT_TESTS_PICTURE_H
#define NNRT_TESTS_PICTURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct picture {
    nnrt_image image;
    uint8_t *memory[3];
} picture;

static const nnrt_pixel_format all_formats[] = {NNRT_PIXELS_GRAY8,    NNRT_PIXELS_RGB888,   NNRT_PIXELS_BGR888,
                                                NNRT_PIXELS_RGBA8888, NNRT_PIXELS_BGRA8888, NNRT_PIXELS_RGB565,
                                                NNRT_PIXELS_NV12,     NNRT_PIXELS_NV21,     NNRT_PIXELS_I420,
                                                NNRT_PIXELS_YUYV,     NNRT_PIXELS_UYVY};
enum {
    FORMATS = sizeof(all_formats) / sizeof(all_formats[0])
};

static bool has_yuv(nnrt_pixel_format format) { return format >= NNRT_PIXELS_NV12; }

/* Bytes of a row, and rows, of a plane; 0: there is none. */
static size_t bytes_of_row(nnrt_pixel_format format, size_t width, int plane) {
    const size_t pairs = (width + 1) / 2;
    switch ((int)format) {
    case NNRT_PIXELS_GRAY8: return plane == 0 ? width : 0;
    case NNRT_PIXELS_RGB888:
    case NNRT_PIXELS_BGR888: return plane == 0 ? 3 * width : 0;
    case NNRT_PIXELS_RGBA8888:
    case NNRT_PIXELS_BGRA8888: return plane == 0 ? 4 * width : 0;
    case NNRT_PIXELS_RGB565: return plane == 0 ? 2 * width : 0;
    case NNRT_PIXELS_NV12:
    case NNRT_PIXELS_NV21: return plane == 0 ? width : plane == 1 ? 2 * pairs : 0;
    case NNRT_PIXELS_I420: return plane == 0 ? width : pairs;
    default: return plane == 0 ? 4 * pairs : 0;
    }
}

static size_t rows_of_plane(size_t height, int plane) { return plane == 0 ? height : (height + 1) / 2; }

/* Planes of their own, each exactly as large as it has to be, with `gap` bytes between rows, full of noise. */
static picture new_picture(nnrt_pixel_format format, nnrt_yuv yuv, uint32_t width, uint32_t height, size_t gap) {
    picture made;
    memset(&made, 0, sizeof(made));
    made.image.format = format;
    made.image.yuv = yuv;
    made.image.width = width;
    made.image.height = height;
    for (int i = 0; i < 3; i++) {
        const size_t row = bytes_of_row(format, width, i), rows = rows_of_plane(height, i);
        if (row == 0) continue;
        made.image.plane[i].row_stride = row + gap;
        made.image.plane[i].size = (rows - 1) * (row + gap) + row;
        made.memory[i] = malloc(made.image.plane[i].size);
        made.image.plane[i].data = made.memory[i];
        for (size_t b = 0; b < made.image.plane[i].size; b++) made.memory[i][b] = (uint8_t)(noise() >> 7);
    }
    return made;
}

static void free_picture(picture *p) {
    for (int i = 0; i < 3; i++) free(p->memory[i]);
}

/* R, G, B or Y, U, V or luma of one pixel. */
static void components_of(const picture *p, size_t x, size_t y, int component[3]) {
    const nnrt_image *m = &p->image;
    const uint8_t *row = p->memory[0] + y * m->plane[0].row_stride;
    const uint8_t *second = p->memory[1] != NULL ? p->memory[1] + y / 2 * m->plane[1].row_stride : NULL;
    const uint8_t *third = p->memory[2] != NULL ? p->memory[2] + y / 2 * m->plane[2].row_stride : NULL;
    const uint8_t *four = row + x / 2 * 4;
    int word, i;
    switch ((int)m->format) {
    case NNRT_PIXELS_GRAY8: component[0] = component[1] = component[2] = row[x]; break;
    case NNRT_PIXELS_RGB888:
        for (i = 0; i < 3; i++) component[i] = row[3 * x + (size_t)i];
        break;
    case NNRT_PIXELS_BGR888:
        for (i = 0; i < 3; i++) component[i] = row[3 * x + 2 - (size_t)i];
        break;
    case NNRT_PIXELS_RGBA8888:
        for (i = 0; i < 3; i++) component[i] = row[4 * x + (size_t)i];
        break;
    case NNRT_PIXELS_BGRA8888:
        for (i = 0; i < 3; i++) component[i] = row[4 * x + 2 - (size_t)i];
        break;
    case NNRT_PIXELS_RGB565:
        word = row[2 * x] + 256 * row[2 * x + 1];
        component[0] = word / 2048 * 8 + word / 2048 / 4;
        component[1] = word / 32 % 64 * 4 + word / 32 % 64 / 16;
        component[2] = word % 32 * 8 + word % 32 / 4;
        break;
    case NNRT_PIXELS_NV12:
        component[0] = row[x], component[1] = second[x / 2 * 2], component[2] = second[x / 2 * 2 + 1];
        break;
    case NNRT_PIXELS_NV21:
        component[0] = row[x], component[2] = second[x / 2 * 2], component[1] = second[x / 2 * 2 + 1];
        break;
    case NNRT_PIXELS_I420: component[0] = row[x], component[1] = second[x / 2], component[2] = third[x / 2]; break;
    case NNRT_PIXELS_YUYV: component[0] = four[x % 2 * 2], component[1] = four[1], component[2] = four[3]; break;
    default: component[0] = four[x % 2 * 2 + 1], component[1] = four[0], component[2] = four[2]; break;
    }
}

/* ------------------------------------------------------------------------------------------- by the formulas */

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/* Position of pixel i of `to` among `from`, in 1/256. */
static int64_t position_of(nnrt_resize resize, int64_t i, int64_t from, int64_t to) {
    int64_t at;
    if (resize == NNRT_RESIZE_NEAREST) return (2 * i + 1) * from / (2 * to) * 256;
    at = floor_divide(((2 * i + 1) * from - to) * 256 + to, 2 * to); /* floor(p + 1/2) */
    return at < 0 ? 0 : at > (from - 1) * 256 ? (from - 1) * 256 : at;
}

static int kept_of(int64_t numerator, int64_t denominator) {
    const int64_t value = floor_divide(2 * numerator + denominator, 2 * denominator);
    return value < 0 ? 0 : value > 255 ? 255 : (int)value;
}

/* R, G, B (or luma in [0], of a tensor of one channel) of pixel (x, y) of what is no padding. */
static void pixel_by_formula(const picture *p, nnrt_resize resize, const nnrt_image_place *place, int64_t x, int64_t y,
                             int channels, int rgb[3]) {
    static const int coefficients[4][6] = {{16, 9539, 13075, 3209, 6660, 16525},
                                           {0, 8192, 11485, 2819, 5850, 14516},
                                           {16, 9539, 14686, 1747, 4366, 17305},
                                           {0, 8192, 12901, 1535, 3835, 15201}};
    const int64_t px = position_of(resize, x, place->from.width, place->to.width);
    const int64_t py = position_of(resize, y, place->from.height, place->to.height);
    const int *c = coefficients[p->image.yuv];
    int64_t value[3] = {0, 0, 0}, f = px % 256, g = py % 256, light;
    for (int j = 0; j < 4; j++) {
        const int64_t weight = (j % 2 == 0 ? 256 - f : f) * (j / 2 == 0 ? 256 - g : g);
        int component[3];
        if (weight == 0) continue;
        components_of(p, place->from.x + (size_t)(px / 256 + j % 2), place->from.y + (size_t)(py / 256 + j / 2),
                      component);
        for (int i = 0; i < 3; i++) value[i] += weight * component[i];
    }
    for (int i = 0; i < 3; i++) value[i] = (value[i] + 512) / 1024; /* in 1/64 */
    if (!has_yuv(p->image.format)) {
        for (int i = 0; i < 3; i++) rgb[i] = (int)((value[i] + 32) / 64);
        if (channels == 1 && p->image.format != NNRT_PIXELS_GRAY8)
            rgb[0] = (4899 * rgb[0] + 9617 * rgb[1] + 1868 * rgb[2] + 8192) / 16384;
        return;
    }
    light = c[1] * (value[0] - 64 * c[0]);
    value[1] -= 64 * 128, value[2] -= 64 * 128;
    rgb[0] = kept_of(light + (channels == 1 ? 0 : c[2] * value[2]), 64 * 8192);
    rgb[1] = kept_of(light - c[3] * value[1] - c[4] * value[2], 64 * 8192);
    rgb[2] = kept_of(light + c[5] * value[1], 64 * 8192);
}

/* ------------------------------------------------------------------------------------------------ in double */

static double within(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

/* The same pixel without a rounding, but for nearest: there which pixel it is can be a tie. */
static void pixel_in_double(const picture *p, nnrt_resize resize, const nnrt_image_place *place, int x, int y,
                            int channels, double rgb[3]) {
    const bool high = p->image.yuv == NNRT_YUV_BT709 || p->image.yuv == NNRT_YUV_BT709_FULL;
    const bool full = p->image.yuv == NNRT_YUV_BT601_FULL || p->image.yuv == NNRT_YUV_BT709_FULL;
    const double kr = high ? 0.2126 : 0.299, kb = high ? 0.0722 : 0.114, kg = 1 - kr - kb;
    double px = (x + 0.5) * place->from.width / place->to.width - 0.5;
    double py = (y + 0.5) * place->from.height / place->to.height - 0.5;
    double value[3] = {0, 0, 0}, light, u, v;
    if (resize == NNRT_RESIZE_NEAREST) {
        px = (double)(position_of(resize, x, place->from.width, place->to.width) / 256);
        py = (double)(position_of(resize, y, place->from.height, place->to.height) / 256);
    }
    px = within(px, 0, place->from.width - 1.0), py = within(py, 0, place->from.height - 1.0);
    for (int j = 0; j < 4; j++) {
        const double fx = px - floor(px), fy = py - floor(py);
        const double weight = (j % 2 == 0 ? 1 - fx : fx) * (j / 2 == 0 ? 1 - fy : fy);
        int component[3];
        if (weight == 0) continue;
        components_of(p, place->from.x + (size_t)px + (size_t)(j % 2), place->from.y + (size_t)py + (size_t)(j / 2),
                      component);
        for (int i = 0; i < 3; i++) value[i] += weight * component[i];
    }
    if (!has_yuv(p->image.format)) {
        for (int i = 0; i < 3; i++) rgb[i] = value[i];
        if (channels == 1) rgb[0] = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
        return;
    }
    light = full ? value[0] : (value[0] - 16) * 255 / 219;
    u = (value[1] - 128) * (full ? 1 : 255.0 / 224), v = (value[2] - 128) * (full ? 1 : 255.0 / 224);
    if (channels == 1) u = v = 0;
    rgb[0] = within(light + 2 * (1 - kr) * v, 0, 255);
    rgb[1] = within(light - 2 * (1 - kb) * kb / kg * u - 2 * (1 - kr) * kr / kg * v, 0, 255);
    rgb[2] = within(light + 2 * (1 - kb) * u, 0, 255);
}

#endif /* NNRT_TESTS_PICTURE_H */
