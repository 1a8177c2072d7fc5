/* SPDX-License-Identifier: Apache-2.0 */
/* test_image.c - pictures of every format become tensors by the formulas that image/ states, to the byte; those are as
   near to exact arithmetic as it says; and nothing outside pictures and tensors is touched. */
#include "linked.h"

#include <criterion/criterion.h>

#define SEED 20261123u
#include "noise.h"

#include "image/picture.h"

#define REFUSED(call, words)                                                                      \
    do {                                                                                          \
        cr_assert_eq((call), OH_NN_INVALID_PARAMETER, #call);                                     \
        cr_assert_not_null(strstr(nnrt_last_error(), words), "%s: %s", #call, nnrt_last_error()); \
    } while (0)

static nnrt_layout layout_of(nnrt_order order, OH_NN_DataType type, uint32_t channels, uint32_t height,
                             uint32_t width) {
    nnrt_layout layout;
    memset(&layout, 0, sizeof(layout));
    layout.order = order;
    layout.type = type;
    layout.batches = 1;
    layout.channels = channels;
    layout.height = height;
    layout.width = width;
    return layout;
}

/* ---------------------------------------------------------------------------------------- as it is defined */

/* A tensor of bytes, and of them the ones that are no element: noise that has to stay. */
static void compare(const picture *p, const nnrt_image_options *o, const nnrt_layout *layout, double bound) {
    const size_t wide = layout->row_stride != 0 ? layout->row_stride : layout->width;
    const size_t high = layout->row_count != 0 ? layout->row_count : layout->height;
    size_t bytes = 0, elements = 0;
    nnrt_image_place place;
    cr_assert_eq(nnrt_layout_size(layout, &bytes), OH_NN_SUCCESS);
    uint8_t *got = malloc(bytes), *before = malloc(bytes), *is_element = calloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++) got[i] = before[i] = (uint8_t)(noise() >> 9);
    cr_assert_eq(nnrt_image_find_place(&p->image, o, layout->width, layout->height, &place), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_image_to_tensor(&p->image, o, layout, 1, 0, got, bytes), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (uint32_t y = 0; y < layout->height; y++) {
        for (uint32_t x = 0; x < layout->width; x++) {
            const bool inside = x - place.to.x < place.to.width && y - place.to.y < place.to.height;
            const int channels = (int)layout->channels;
            int rgb[3];
            double exact[3];
            if (inside) {
                pixel_by_formula(p, o->resize, &place, x - place.to.x, y - place.to.y, channels, rgb);
                pixel_in_double(p, o->resize, &place, (int)(x - place.to.x), (int)(y - place.to.y), channels, exact);
            }
            for (int c = 0; c < channels; c++) {
                const int of = channels == 3 && o->channels == NNRT_CHANNELS_BGR ? 2 - c : c;
                const size_t at = layout->order == NNRT_ORDER_NHWC ? (y * wide + x) * layout->channels + (size_t)c
                                                                   : ((size_t)c * high + y) * wide + x;
                const int want = inside ? rgb[of] : o->padding[c];
                cr_assert_eq(got[at], want, "seed %u: format %d, %ux%u to %ux%u, pixel %u, %u channel %d: %d for %d",
                             SEED, (int)p->image.format, p->image.width, p->image.height, layout->width, layout->height,
                             x, y, c, got[at], want);
                cr_assert(!inside || fabs(want - exact[of]) <= bound,
                          "seed %u: format %d, resize %d, pixel %u, %u channel %d: %d is far from %f", SEED,
                          (int)p->image.format, (int)o->resize, x, y, c, want, exact[of]);
                is_element[at] = 1;
                elements++;
            }
        }
    }
    cr_assert_eq(elements, (size_t)layout->channels * layout->height * layout->width);
    for (size_t i = 0; i < bytes; i++) cr_assert(is_element[i] || got[i] == before[i], "byte %zu is no element", i);
    free(got), free(before), free(is_element);
}

/* Rounded once: 1/2 and 0.03 for coefficients. Bilinear, a component may be wrong by 2 * 255/512 for weights of both
   axes and by 1/128; colours of BT.709 multiply that by 1.17 and 2.12. */
static double bound_of(const picture *p, nnrt_resize resize, uint32_t channels) {
    const double component = resize == NNRT_RESIZE_NEAREST ? 0 : 2 * 255 / 512.0 + 1 / 128.0;
    if (!has_yuv(p->image.format)) return 0.5 + component + (channels == 1 ? 0.5 : 0);
    return 0.53 + component * (1.17 + 2.12);
}

Test(image, pictures_of_every_format_are_what_the_formulas_say) {
    static const uint32_t sides[] = {1, 2, 3, 5, 8, 17, 33, 70, 131};
    const int count = sizeof(sides) / sizeof(sides[0]);
    for (int round = 0; round < 60 * FORMATS; round++) {
        const nnrt_pixel_format format = all_formats[round % FORMATS];
        const uint32_t width = sides[noise_in(0, count - 1)], height = sides[noise_in(0, count - 1)];
        picture p = new_picture(format, (nnrt_yuv)noise_in(0, 3), width, height, (size_t)noise_in(0, 1) * 5);
        nnrt_layout layout =
            layout_of(noise_in(0, 1) ? NNRT_ORDER_NHWC : NNRT_ORDER_NCHW, OH_NN_UINT8, noise_in(0, 3) ? 3 : 1,
                      sides[noise_in(0, count - 1)], sides[noise_in(0, count - 1)]);
        nnrt_image_options o;
        memset(&o, 0, sizeof(o));
        o.resize = (nnrt_resize)noise_in(0, 1);
        o.fit = (nnrt_fit)noise_in(0, 2);
        o.channels = (nnrt_channels)noise_in(0, 1);
        for (int i = 0; i < 3; i++) o.padding[i] = (uint8_t)noise_in(0, 255);
        if (noise_in(0, 1)) {
            o.crop.x = (uint32_t)noise_in(0, (int32_t)width - 1);
            o.crop.y = (uint32_t)noise_in(0, (int32_t)height - 1);
            o.crop.width = (uint32_t)noise_in(1, (int32_t)(width - o.crop.x));
            o.crop.height = (uint32_t)noise_in(1, (int32_t)(height - o.crop.y));
        }
        if (noise_in(0, 3) == 0) layout.width = o.crop.width ? o.crop.width : width; /* rows that are not resized */
        if (noise_in(0, 3) == 0) layout.height = o.crop.height ? o.crop.height : height;
        if (noise_in(0, 2) == 0) {
            layout.row_stride = layout.width + (uint32_t)noise_in(0, 16);
            layout.row_count = layout.height + (uint32_t)noise_in(0, 3);
        }
        compare(&p, &o, &layout, bound_of(&p, o.resize, layout.channels));
        free_picture(&p);
    }
}

Test(image, the_largest_sides_do_not_overflow) {
    static const uint32_t shapes[][4] = {{32768, 1, 3, 1}, {1, 32768, 1, 3}, {3, 1, 32768, 1}, {32768, 1, 32767, 1}};
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        const uint32_t *s = shapes[i];
        picture p = new_picture(NNRT_PIXELS_I420, NNRT_YUV_BT601, s[0], s[1], 0);
        const nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, OH_NN_UINT8, 1, s[3], s[2]);
        for (int fit = 0; fit < 3; fit++) {
            nnrt_image_options o;
            memset(&o, 0, sizeof(o));
            o.fit = (nnrt_fit)fit;
            compare(&p, &o, &layout, bound_of(&p, o.resize, 1));
        }
        free_picture(&p);
    }
}

/* Of every type that a tensor may have: the elements are written, all of them, and no byte between or behind them. */
Test(image, nothing_but_the_elements_is_written) {
    static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16, OH_NN_FLOAT16, OH_NN_FLOAT32};
    for (int round = 0; round < 40 * (int)(sizeof(types) / sizeof(types[0])); round++) {
        const OH_NN_DataType type = types[round / 40];
        const size_t element = nnrt__element_size(type);
        nnrt_layout layout = layout_of(round % 2 ? NNRT_ORDER_NHWC : NNRT_ORDER_NCHW, type, round % 4 < 2 ? 3 : 1,
                                       (uint32_t)noise_in(1, 5), (uint32_t)noise_in(1, 40));
        picture p = new_picture(all_formats[round % FORMATS], NNRT_YUV_BT601, 6, 5, 0);
        uint8_t *first, *second, *is_element;
        nnrt_image_options o;
        size_t bytes = 0;
        memset(&o, 0, sizeof(o));
        o.fit = (nnrt_fit)noise_in(0, 2);
        layout.row_stride = layout.width + (uint32_t)noise_in(0, 4);
        layout.row_count = layout.height + (uint32_t)noise_in(0, 2);
        cr_assert_eq(nnrt_layout_size(&layout, &bytes), OH_NN_SUCCESS);
        first = malloc(bytes + 64), second = malloc(bytes + 64), is_element = calloc(bytes + 64, 1);
        memset(first, 0x11, bytes + 64), memset(second, 0xee, bytes + 64);
        cr_assert_eq(nnrt_image_to_tensor(&p.image, &o, &layout, 0.5f, 0, first, bytes), OH_NN_SUCCESS);
        cr_assert_eq(nnrt_image_to_tensor(&p.image, &o, &layout, 0.5f, 0, second, bytes), OH_NN_SUCCESS);
        for (size_t y = 0; y < layout.height; y++)
            for (size_t x = 0; x < layout.width; x++)
                for (size_t c = 0; c < layout.channels; c++) {
                    const size_t at = layout.order == NNRT_ORDER_NHWC
                                          ? (y * layout.row_stride + x) * layout.channels + c
                                          : (c * layout.row_count + y) * layout.row_stride + x;
                    memset(is_element + at * element, 1, element);
                }
        for (size_t i = 0; i < bytes + 64; i++)
            cr_assert(is_element[i] ? first[i] == second[i] : first[i] == 0x11 && second[i] == 0xee,
                      "seed %u, round %d, type %d: byte %zu of %zu", SEED, round, (int)type, i, bytes);
        free(first), free(second), free(is_element);
        free_picture(&p);
    }
}

/* ------------------------------------------------------------------------------------------------ by hand */

static void becomes(const nnrt_image *image, const nnrt_image_options *o, uint32_t channels, uint32_t height,
                    uint32_t width, const uint8_t *want) {
    const nnrt_layout layout = layout_of(NNRT_ORDER_NHWC, OH_NN_UINT8, channels, height, width);
    const size_t size = (size_t)channels * height * width;
    uint8_t *got = malloc(size);
    cr_assert_eq(nnrt_image_to_tensor(image, o, &layout, 1, 0, got, size), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (size_t i = 0; i < size; i++) cr_assert_eq(got[i], want[i], "byte %zu: %d for %d", i, got[i], want[i]);
    free(got);
}

Test(image, colours_that_everybody_knows) {
    static const struct {
        nnrt_yuv yuv;
        uint8_t y, u, v, rgb[3];
    } known[] = {{NNRT_YUV_BT601, 16, 128, 128, {0, 0, 0}},       {NNRT_YUV_BT601, 235, 128, 128, {255, 255, 255}},
                 {NNRT_YUV_BT601, 0, 128, 128, {0, 0, 0}},        {NNRT_YUV_BT601, 255, 128, 128, {255, 255, 255}},
                 {NNRT_YUV_BT601, 81, 90, 240, {254, 0, 0}},      {NNRT_YUV_BT601, 145, 54, 34, {0, 255, 1}},
                 {NNRT_YUV_BT601, 41, 240, 110, {0, 0, 255}},     {NNRT_YUV_BT601_FULL, 100, 128, 128, {100, 100, 100}},
                 {NNRT_YUV_BT601_FULL, 76, 85, 255, {254, 0, 0}}, {NNRT_YUV_BT709, 63, 102, 240, {255, 1, 0}},
                 {NNRT_YUV_BT709_FULL, 18, 255, 116, {0, 0, 254}}};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const uint8_t nv12[3] = {known[i].y, known[i].u, known[i].v};
        nnrt_image image;
        cr_assert_eq(nnrt_image_of(NNRT_PIXELS_NV12, 1, 1, nv12, 3, 0, &image), OH_NN_SUCCESS);
        image.yuv = known[i].yuv;
        becomes(&image, NULL, 3, 1, 1, known[i].rgb);
    }
    {
        const uint8_t words[] = {0x00, 0xf8, 0xe0, 0x07, 0x1f, 0x00, 0x10, 0x84};
        const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 132, 130, 132}, luma[] = {76, 150, 29, 131};
        nnrt_image image;
        cr_assert_eq(nnrt_image_of(NNRT_PIXELS_RGB565, 4, 1, words, 8, 0, &image), OH_NN_SUCCESS);
        becomes(&image, NULL, 3, 1, 4, rgb);
        becomes(&image, NULL, 1, 1, 4, luma);
    }
}

Test(image, few_pixels_between_few_pixels) {
    const uint8_t two[] = {0, 100}, wider[] = {0, 25, 75, 100}, doubled[] = {0, 0, 100, 100};
    const uint8_t four[] = {0, 10, 20, 30}, half[] = {5, 25}, picked[] = {10, 30}, square[] = {0, 10, 20, 31},
                  mean = 15;
    nnrt_image image;
    nnrt_image_options o;
    memset(&o, 0, sizeof(o));
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_GRAY8, 2, 1, two, 2, 0, &image), OH_NN_SUCCESS);
    becomes(&image, &o, 1, 1, 4, wider);
    o.resize = NNRT_RESIZE_NEAREST;
    becomes(&image, &o, 1, 1, 4, doubled);
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_GRAY8, 4, 1, four, 4, 0, &image), OH_NN_SUCCESS);
    becomes(&image, &o, 1, 1, 2, picked);
    o.resize = NNRT_RESIZE_BILINEAR;
    becomes(&image, &o, 1, 1, 2, half);
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_GRAY8, 2, 2, square, 4, 0, &image), OH_NN_SUCCESS);
    becomes(&image, &o, 1, 1, 1, &mean); /* 15.25 */
}

Test(image, a_picture_of_the_same_size_keeps_its_bytes) {
    picture p = new_picture(NNRT_PIXELS_RGB888, NNRT_YUV_BT601, 67, 5, 0);
    becomes(&p.image, NULL, 3, 5, 67, p.memory[0]);
    free_picture(&p);
}

/* ----------------------------------------------------------------------------------------------- the values */

static void gives(OH_NN_DataType type, double scale, int32_t zero_point, float mean, float deviation, void *to) {
    static const uint8_t pixels[4] = {0, 1, 128, 255};
    const nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, type, 1, 1, 4);
    nnrt_image image;
    nnrt_image_options o;
    size_t size = 0;
    memset(&o, 0, sizeof(o));
    o.mean[0] = mean;
    o.deviation[0] = deviation;
    cr_assert_eq(nnrt_layout_size(&layout, &size), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_GRAY8, 4, 1, pixels, 4, 0, &image), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_image_to_tensor(&image, &o, &layout, scale, zero_point, to, size), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
}

#define GIVES(type, code, scale, zero_point, mean, deviation, ...)                                    \
    do {                                                                                              \
        const type want[4] = {__VA_ARGS__};                                                           \
        type got[4];                                                                                  \
        gives(code, scale, zero_point, mean, deviation, got);                                         \
        for (int i = 0; i < 4; i++)                                                                   \
            cr_assert_eq(got[i], want[i], "value %d: %f for %f", i, (double)got[i], (double)want[i]); \
    } while (0)

Test(image, mean_deviation_and_scale_make_elements_of_every_type) {
    GIVES(uint8_t, OH_NN_UINT8, 1.0, 0, 0, 0, 0, 1, 128, 255);
    GIVES(uint8_t, OH_NN_UINT8, 1 / 255.0, 0, 0, 255, 0, 1, 128, 255);
    GIVES(int8_t, OH_NN_INT8, 1 / 255.0, -128, 0, 255, -128, -127, 0, 127);
    GIVES(int8_t, OH_NN_INT8, 1 / 128.0, 0, 128, 128, -128, -127, 0, 127);
    GIVES(int8_t, OH_NN_INT8, 2.0, -1, 0, 1, -1, 0, 63, 127); /* 1/2 - 1: away from zero before the zero point */
    GIVES(int8_t, OH_NN_INT8, 0.001, 5, 128, 64, -128, -128, 5, 127);
    GIVES(int16_t, OH_NN_INT16, 0.5, 0, 128, 1, -256, -254, 0, 254);
    GIVES(float, OH_NN_FLOAT32, 0, 0, 127.5f, 127.5f, -1.0f, (1.0f - 127.5f) / 127.5f, 0.5f / 127.5f, 1.0f);
    GIVES(uint16_t, OH_NN_FLOAT16, 0, 0, 128, 64, 0xc000, 0xbff0, 0x0000, 0x3ff0); /* -2, -127/64, 0, 127/64 */
}

Test(image, each_channel_has_its_own_mean_padding_and_place) {
    static const uint8_t rgb[3] = {10, 20, 30};
    const nnrt_layout layout = layout_of(NNRT_ORDER_NCHW, OH_NN_INT16, 3, 1, 2);
    static const int16_t want[6] = {29, 6, 9,
                                    2,  7, 8}; /* B - 1 and 7 - 1; (G - 2) / 2 and (6 - 2) / 2; R - 3, 11 - 3 */
    nnrt_image image;
    nnrt_image_options o;
    int16_t got[6];
    memset(&o, 0, sizeof(o));
    o.fit = NNRT_FIT_LETTERBOX_TOP_LEFT;
    o.channels = NNRT_CHANNELS_BGR;
    o.padding[0] = 7, o.padding[1] = 6, o.padding[2] = 11;
    o.mean[0] = 1, o.mean[1] = 2, o.mean[2] = 3;
    o.deviation[1] = 2;
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_RGB888, 1, 1, rgb, 3, 0, &image), OH_NN_SUCCESS);
    cr_assert_eq(nnrt_image_to_tensor(&image, &o, &layout, 1, 0, got, sizeof(got)), OH_NN_SUCCESS);
    for (int i = 0; i < 6; i++) cr_assert_eq(got[i], want[i], "element %d: %d", i, got[i]);
}

/* ----------------------------------------------------------------------------------------------- letterboxes */

Test(image, letterboxes_lie_where_yolo_puts_them) {
    static const struct {
        uint32_t width, height, tensor_width, tensor_height;
        nnrt_fit fit;
        nnrt_image_rect to;
    } known[] = {{1920, 1080, 640, 640, NNRT_FIT_LETTERBOX, {0, 140, 640, 360}},
                 {1080, 1920, 640, 640, NNRT_FIT_LETTERBOX, {140, 0, 360, 640}},
                 {1920, 1080, 640, 640, NNRT_FIT_LETTERBOX_TOP_LEFT, {0, 0, 640, 360}},
                 {1920, 1080, 640, 640, NNRT_FIT_STRETCH, {0, 0, 640, 640}},
                 {810, 1080, 640, 640, NNRT_FIT_LETTERBOX, {80, 0, 480, 640}},
                 {100, 33, 64, 64, NNRT_FIT_LETTERBOX, {0, 21, 64, 21}}, /* 21.12; 43 rows left, 21 above */
                 {64, 64, 64, 64, NNRT_FIT_LETTERBOX, {0, 0, 64, 64}},
                 {32768, 1, 32, 32, NNRT_FIT_LETTERBOX, {0, 15, 32, 1}}, /* never less than a pixel */
                 {1, 32768, 32768, 32768, NNRT_FIT_LETTERBOX, {16383, 0, 1, 32768}},
                 {4, 3, 6, 32768, NNRT_FIT_LETTERBOX, {0, 16381, 6, 5}}}; /* 4.5 */
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        nnrt_image image;
        nnrt_image_options o;
        nnrt_image_place place;
        memset(&image, 0, sizeof(image));
        memset(&o, 0, sizeof(o));
        image.width = known[i].width;
        image.height = known[i].height;
        o.fit = known[i].fit;
        cr_assert_eq(nnrt_image_find_place(&image, &o, known[i].tensor_width, known[i].tensor_height, &place),
                     OH_NN_SUCCESS);
        cr_assert(memcmp(&place.to, &known[i].to, sizeof(place.to)) == 0, "row %zu: %u, %u, %u, %u", i, place.to.x,
                  place.to.y, place.to.width, place.to.height);
        cr_assert(place.from.width == image.width && place.from.height == image.height);
    }
}

Test(image, what_was_found_in_a_letterbox_goes_back_to_the_picture) {
    nnrt_image image;
    nnrt_image_options o;
    nnrt_image_place place;
    memset(&image, 0, sizeof(image));
    memset(&o, 0, sizeof(o));
    image.width = 1920, image.height = 1080;
    o.fit = NNRT_FIT_LETTERBOX;
    o.crop.x = 100, o.crop.y = 50, o.crop.width = 1280, o.crop.height = 720;
    cr_assert_eq(nnrt_image_find_place(&image, &o, 640, 640, &place), OH_NN_SUCCESS);
    {
        float points[] = {0, 140, 7, 640, 500, 8, 320, 320, 9, -10, 0, NAN};
        const float want[] = {100, 50, 7, 1380, 770, 8, 740, 410, 9, 80, -230};
        cr_assert_eq(nnrt_image_points_back(&place, points, 4, 3, false), OH_NN_SUCCESS);
        for (int i = 0; i < 11; i++) cr_assert_eq(points[i], want[i], "number %d: %f", i, (double)points[i]);
    }
    {
        float points[] = {-10, 0, 700, 700, NAN, 320};
        cr_assert_eq(nnrt_image_points_back(&place, points, 3, 2, true), OH_NN_SUCCESS);
        cr_assert(points[0] == 100 && points[1] == 50 && points[2] == 1380 && points[3] == 770);
        cr_assert(points[4] != points[4] && points[5] == 410);
    }
    cr_assert_eq(nnrt_image_points_back(&place, NULL, 0, 2, true), OH_NN_SUCCESS);
    {
        float point[2] = {0, 0};
        REFUSED(nnrt_image_points_back(NULL, point, 1, 2, true), "place is NULL");
        REFUSED(nnrt_image_points_back(&place, NULL, 1, 2, true), "points is NULL");
        REFUSED(nnrt_image_points_back(&place, point, 1, 1, true), "stride of 1");
        place.to.width = 0;
        REFUSED(nnrt_image_points_back(&place, point, 1, 2, true), "0 x 360");
    }
}

/* ------------------------------------------------------------------------------------------------- refusals */

Test(image, planes_in_one_memory_follow_each_other) {
    static const uint8_t memory[64] = {0};
    nnrt_image m;
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, 15 + 12, 0, &m), OH_NN_SUCCESS);
    cr_assert(m.plane[0].row_stride == 5 && m.plane[1].row_stride == 6 && m.plane[1].data == memory + 15 &&
              m.plane[1].size == 12 && m.yuv == NNRT_YUV_BT601);
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_NV21, 5, 3, memory, 21 + 8 + 6, 7, &m), OH_NN_SUCCESS);
    cr_assert(m.plane[1].row_stride == 8 && m.plane[1].data == memory + 21);
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_I420, 5, 3, memory, 21 + 8 + 7, 7, &m), OH_NN_SUCCESS);
    cr_assert(m.plane[1].row_stride == 4 && m.plane[2].data == memory + 29 && m.plane[2].size == 7);
    REFUSED(nnrt_image_of(NNRT_PIXELS_I420, 5, 3, memory, 21 + 8 + 6, 7, &m), "reach past the 6 of plane 2");
    REFUSED(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, 26, 0, &m), "reach past");
    REFUSED(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, 20, 7, &m), "end with plane 0 of NV12");
    REFUSED(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, 15, 0, &m), "reach past the 0 of plane 1");
    REFUSED(nnrt_image_of(NNRT_PIXELS_RGB888, 5, 3, memory, 64, 14, &m), "cannot be 14 apart");
    REFUSED(nnrt_image_of(NNRT_PIXELS_RGB888, 5, 3, memory, 64, SIZE_MAX, &m), "reach past");
    REFUSED(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, SIZE_MAX, SIZE_MAX / 2, &m), "reach past");
    REFUSED(nnrt_image_of(NNRT_PIXELS_NV12, 5, 3, memory, SIZE_MAX, SIZE_MAX / 3 + 1, &m), "end with plane 0");
    REFUSED(nnrt_image_of(NNRT_PIXELS_GRAY8, 0, 3, memory, 64, 0, &m), "0 x 3 pixels");
    REFUSED(nnrt_image_of(NNRT_PIXELS_GRAY8, 3, 32769, memory, SIZE_MAX, 0, &m), "3 x 32769 pixels");
    REFUSED(nnrt_image_of((nnrt_pixel_format)11, 3, 3, memory, 64, 0, &m), "no format 11");
    REFUSED(nnrt_image_of(NNRT_PIXELS_GRAY8, 3, 3, NULL, 64, 0, &m), "data is NULL");
    REFUSED(nnrt_image_of(NNRT_PIXELS_GRAY8, 3, 3, memory, 64, 0, NULL), "image is NULL");
}

Test(image, what_does_not_fit_is_refused_and_nothing_is_written) {
    uint8_t pixels[8 * 6 * 3] = {0}, to[4 * 4 * 3], untouched[sizeof(to)];
    const nnrt_layout good = layout_of(NNRT_ORDER_NHWC, OH_NN_UINT8, 3, 4, 4);
    nnrt_image_options o;
    nnrt_image image, m;
    nnrt_layout layout;
    memset(&o, 0, sizeof(o));
    memset(to, 0x5a, sizeof(to));
    memset(untouched, 0x5a, sizeof(untouched));
    cr_assert_eq(nnrt_image_of(NNRT_PIXELS_RGB888, 8, 6, pixels, sizeof(pixels), 0, &image), OH_NN_SUCCESS);
#define TRY(words) REFUSED(nnrt_image_to_tensor(&m, &o, &layout, 1, 0, to, sizeof(to)), words)
#define WITH(change, words)                                 \
    do {                                                    \
        m = image, layout = good, memset(&o, 0, sizeof(o)); \
        change;                                             \
        TRY(words);                                         \
    } while (0)
    WITH(m.plane[0].data = NULL, "plane 0 of RGB888 is NULL");
    WITH(m.plane[0].size--, "reach past the 143");
    WITH(m.plane[0].row_stride = 23, "cannot be 23 apart");
    WITH(m.plane[0].row_stride = SIZE_MAX / 4, "reach past");
    WITH(m.width = 0, "0 x 6");
    WITH(m.height = 40000, "8 x 40000");
    WITH(m.format = (nnrt_pixel_format)99, "no format 99");
    WITH(m.format = NNRT_PIXELS_NV12, "plane 1 of NV12 is NULL");
    WITH(m.yuv = (nnrt_yuv)4, "no meaning 4");
    WITH(o.resize = (nnrt_resize)2, "no resize 2");
    WITH(o.fit = (nnrt_fit)3, "no fit 3");
    WITH(o.channels = (nnrt_channels)2, "channels 2");
    WITH(o.mean[1] = NAN, "channel 1");
    WITH(o.deviation[2] = -1, "channel 2");
    WITH(o.deviation[0] = INFINITY, "channel 0");
    WITH((o.crop.x = 1, o.crop.width = 8, o.crop.height = 6), "not inside");
    WITH((o.crop.y = 6, o.crop.width = 1, o.crop.height = 1), "not inside");
    WITH((o.crop.x = UINT32_MAX, o.crop.width = 2, o.crop.height = 1), "not inside");
    WITH((o.crop.x = 1, o.crop.width = UINT32_MAX, o.crop.height = 1), "not inside");
    WITH((o.crop.x = 1, o.crop.width = 1, o.crop.height = 7), "not inside");
    WITH((o.crop.y = 1, o.crop.width = 8, o.crop.height = 6), "not inside");
    WITH((o.crop.x = 7, o.crop.y = 5, o.crop.width = 1, o.crop.height = 2), "not inside");
    WITH((o.crop.x = 7, o.crop.y = 5, o.crop.width = 2, o.crop.height = 1), "not inside");
    WITH((o.crop.x = 8, o.crop.width = 1, o.crop.height = 1), "not inside");
    WITH((o.crop.y = UINT32_MAX, o.crop.width = 1, o.crop.height = 2), "not inside");
    WITH((o.crop.y = 1, o.crop.width = 1, o.crop.height = UINT32_MAX), "not inside");
    WITH(o.crop.width = 3, "not inside");
    WITH(o.crop.height = 3, "not inside");
    WITH(layout.batches = 2, "to_tensor: a picture is one batch");
    WITH(layout.channels = 2, "1 or 3 channels");
    WITH((layout.order = NNRT_ORDER_NC1HWC2, layout.block = 4), "NHWC or NCHW");
    WITH(layout.order = (nnrt_order)7, "no layout");
    WITH((layout.type = OH_NN_INT32, layout.height = layout.width = 2), "not int8, uint8");
    WITH(layout.type = OH_NN_UNKNOWN, "no layout");
    WITH(layout.type = OH_NN_INT16, "to has 48 bytes, its layout takes 96");
    WITH(layout.row_stride = 3, "no layout");
    WITH(layout.width = 0, "no layout");
    WITH(layout.width = 40000, "40000 x 4");
    m = image, layout = good, memset(&o, 0, sizeof(o));
    REFUSED(nnrt_image_to_tensor(&m, &o, &layout, 1, 0, to, sizeof(to) - 1), "to has 47 bytes");
    REFUSED(nnrt_image_to_tensor(&m, &o, &layout, 0, 0, to, sizeof(to)), "no float32 above 0");
    REFUSED(nnrt_image_to_tensor(&m, &o, &layout, 1, 256, to, sizeof(to)), "zero point 256");
    REFUSED(nnrt_image_to_tensor(&m, &o, &layout, 1, 0, NULL, sizeof(to)), "to is NULL");
    REFUSED(nnrt_image_to_tensor(&m, &o, NULL, 1, 0, to, sizeof(to)), "layout is NULL");
    REFUSED(nnrt_image_to_tensor(NULL, &o, &layout, 1, 0, to, sizeof(to)), "image is NULL");
    cr_assert(memcmp(to, untouched, sizeof(to)) == 0);
    {
        nnrt_image_place place;
        REFUSED(nnrt_image_find_place(NULL, &o, 4, 4, &place), "image is NULL");
        REFUSED(nnrt_image_find_place(&m, &o, 4, 4, NULL), "place is NULL");
        REFUSED(nnrt_image_find_place(&m, &o, 4, 0, &place), "a tensor of 4 x 0");
        cr_assert_eq(nnrt_image_find_place(&m, NULL, 4, 4, &place), OH_NN_SUCCESS);
    }
}
