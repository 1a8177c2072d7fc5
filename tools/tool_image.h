/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_image.h - picture files as inputs of models: PGM and PPM always, PNG, JPEG and BMP where the tool was
   built with libstb (tool_image_stb.h). What becomes of the pixels is nnrt_image.h's business.

   A file may say anything about itself: sizes are bounded, and compared with what is there, before memory is taken. */
#ifndef NNRT_TOOLS_TOOL_IMAGE_H
#define NNRT_TOOLS_TOOL_IMAGE_H

#include <ctype.h>
#include <math.h>

#include "tool_files.h"

enum {
    PICTURE_SIDE = 32768,              /* of nnrt_image.h */
    PICTURE_PIXELS = 64 * 1024 * 1024, /* 192 MiB of RGB */
    PICTURE_FILE = 256 * 1024 * 1024   /* bytes of a compressed file */
};

/* Whether the name ends like that of a picture, upper case too. */
static bool is_image(const char *path) {
    static const char *const endings[] = {".pgm", ".ppm", ".png", ".jpg", ".jpeg", ".bmp"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const size_t end = strlen(endings[i]);
        size_t k = 0;
        if (length < end) continue;
        while (k < end && tolower((unsigned char)path[length - end + k]) == endings[i][k]) k++;
        if (k == end) return true;
    }
    return false;
}

/* Real values of a black and a white pixel. */
typedef enum image_range {
    RANGE_AUTO,
    RANGE_0_1,
    RANGE_M1_1,
    RANGE_0_255
} image_range;

/* What is done with a picture of another size than the input. */
typedef enum image_fit {
    FIT_NONE, /* it is refused */
    FIT_STRETCH,
    FIT_LETTERBOX,
    FIT_CROP /* the largest part in the middle that has the ratio of the sides */
} image_fit;

/* What the user says of pictures. */
typedef struct image_wishes {
    image_range range;
    image_fit fit;
    nnrt_channels channels;
    bool grey;                   /* colours become luma, in every channel */
    OH_NN_Format order;          /* of the input; OH_NN_FORMAT_NONE: as the model says */
    float mean[3], deviation[3]; /* of pixels 0 to 255 */
    bool has_mean, has_deviation;
} image_wishes;

/* What a picture becomes: a tensor of one. */
typedef struct image_target {
    nnrt_layout layout;
    double scale; /* 0: not quantized */
    int32_t zero_point;
    const image_wishes *wishes;
} image_target;

/* The range that pixels get when the user does not say: what the tensor itself can hold.
   scale >= 0.5 covers 0..255; 256 steps around zero that make up 2 cover -1..1; everything else is fed
   0..1. */
static image_range default_range(const image_target *target) {
    const double middle = target->layout.type == OH_NN_UINT8 ? 127.5 : -0.5;
    if (target->scale >= 0.5 || (target->scale <= 0.0 && target->layout.type == OH_NN_INT16)) return RANGE_0_255;
    if (target->scale > 0.0 && fabs(target->scale * 255.0 - 2.0) < 0.04 && fabs(target->zero_point - middle) < 2.0)
        return RANGE_M1_1;
    return RANGE_0_1;
}

static bool is_byte(OH_NN_DataType type) { return type == OH_NN_INT8 || type == OH_NN_UINT8; }

/* Bytes that are pixels themselves, less 128 in int8: without quantization, or uint8 of which nothing else is said. */
static bool stores_pixels(const image_target *target) {
    const image_wishes *wishes = target->wishes;
    if (!is_byte(target->layout.type) || wishes->has_mean || wishes->has_deviation) return false;
    return target->scale <= 0.0 || (target->layout.type == OH_NN_UINT8 && wishes->range == RANGE_AUTO);
}

/* The range in words, as `nnrt run` prints it. */
static const char *range_text(const image_target *target) {
    /* in the order of image_range */
    static const char *const names[] = {"stored", "0..1", "-1..1", "0..255"};
    if (target->wishes->has_mean || target->wishes->has_deviation) return "(pixel - mean) / deviation";
    if (target->wishes->range != RANGE_AUTO) return names[target->wishes->range];
    return names[target->layout.type == OH_NN_UINT8 ? RANGE_AUTO : default_range(target)];
}

/* mean, deviation and the quantization that give the pixels their values. */
static void choose_values(const image_target *target, nnrt_image_options *options, double *scale, int32_t *zero_point) {
    const image_wishes *wishes = target->wishes;
    const image_range range = wishes->range != RANGE_AUTO ? wishes->range : default_range(target);
    const bool stored = stores_pixels(target), own = wishes->has_mean || wishes->has_deviation;
    const float low = range == RANGE_M1_1 ? 127.5f : 0.0f;
    const float step = range == RANGE_M1_1 ? 127.5f : range == RANGE_0_1 ? 255.0f : 1.0f;
    for (size_t i = 0; i < 3; i++) {
        options->mean[i] = own ? wishes->mean[i] : stored ? 0.0f : low;
        options->deviation[i] = own ? wishes->deviation[i] : stored ? 1.0f : step;
    }
    *scale = stored || target->scale <= 0.0 ? 1.0 : target->scale;
    *zero_point = stored ? (target->layout.type == OH_NN_INT8 ? -128 : 0) : target->zero_point;
}

/* ------------------------------------------------------------------------------------------------- pictures */

typedef struct picture {
    uint8_t *pixels;                /* to be freed */
    size_t width, height, channels; /* 1: grey, 3: RGB */
} picture;

/* Room for a picture of that size, which no file has any other way than by being that large. */
static int open_picture(const char *path, long width, long height, size_t channels, picture *p) {
    if (width < 1 || height < 1 || width > PICTURE_SIDE || height > PICTURE_SIDE || width > PICTURE_PIXELS / height)
        return complain(TOOL_FILE, "%s: is %ldx%ld pixels, only 1 to %d a side and %d in all are taken", path, width,
                        height, (int)PICTURE_SIDE, (int)PICTURE_PIXELS);
    p->width = (size_t)width;
    p->height = (size_t)height;
    p->channels = channels;
    return TOOL_OK;
}

/* A number of an image header and the one blank behind it; -1 when there is none, or it has more than 6
   digits. Blanks and comments (from # to the end of the line) before it are skipped. */
static long read_header_number(FILE *file) {
    long number = 0;
    int digits = 0, c = getc(file);
    while (c == '#' || (c != EOF && isspace(c))) {
        const bool comment = c == '#';
        do c = getc(file);
        while (comment && c != '\n' && c != EOF);
    }
    for (; c >= '0' && c <= '9' && digits < 7; c = getc(file), digits++) number = 10 * number + (c - '0');
    return digits >= 1 && digits <= 6 && c != EOF && isspace(c) ? number : -1;
}

/* The pixels that follow the header; rows that are not there are not given memory. */
static int read_pixels(const char *path, FILE *file, picture *p) {
    const size_t row_size = p->width * p->channels;
    size_t y;
    for (y = 0; y < p->height; y++) {
        if (y % 256 == 0) {
            const size_t rows = p->height - y < 256 ? p->height : y + 256;
            p->pixels = (uint8_t *)reallocate(p->pixels, rows * row_size);
        }
        if (fread(p->pixels + y * row_size, 1, row_size, file) != row_size)
            return complain(TOOL_FILE, "%s: the picture ends in row %zu of %zu", path, y, p->height);
    }
    return getc(file) == EOF ? TOOL_OK : complain(TOOL_FILE, "%s: more data follows the picture", path);
}

/* A binary 8-bit PGM (P5) or PPM (P6), of which the first letter was read. */
static int read_pnm(const char *path, FILE *file, picture *p) {
    const int kind = getc(file);
    if (kind != '5' && kind != '6') return complain(TOOL_FILE, "%s: is no binary PGM (P5) or PPM (P6)", path);
    const long width = read_header_number(file);
    const long height = width < 0 ? -1 : read_header_number(file);
    const long maximum = height < 0 ? -1 : read_header_number(file);
    if (maximum < 0) return complain(TOOL_FILE, "%s: the header of the picture is damaged", path);
    if (maximum != 255)
        return complain(TOOL_FILE, "%s: the largest pixel value is %ld, only 255 (8 bit) is taken", path, maximum);
    const int result = open_picture(path, width, height, kind == '6' ? 3 : 1, p);
    return result == TOOL_OK ? read_pixels(path, file, p) : result;
}

/* From an open file whose first byte was read and put back: decode_compressed(path, file, p), which fills p. */
#ifdef NNRT_TOOL_STB
#include "tool_image_stb.h"
#else
#include "tool_image_no_stb.h"
#endif

/* p is to be freed, whatever comes back. */
static int read_picture(const char *path, FILE *file, picture *p) {
    const int first = getc(file);
    memset(p, 0, sizeof(*p));
    if (first == 'P') return read_pnm(path, file, p);
    ungetc(first, file);
    return decode_compressed(path, file, p);
}

/* Whether a file that begins with these bytes, of which there are 8, is a picture, if it is one of ours. */
static bool begins_as_image(const uint8_t *bytes) {
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[] = {0xff, 0xd8, 0xff};
    if (bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6')) return isspace(bytes[2]) || bytes[2] == '#';
    return memcmp(bytes, png, sizeof(png)) == 0 || memcmp(bytes, jpeg, sizeof(jpeg)) == 0 ||
           (bytes[0] == 'B' && bytes[1] == 'M');
}

/* -------------------------------------------------------------------------------------------- what it becomes */

/* The largest part in the middle that has the ratio of the tensor's sides. */
static nnrt_image_rect middle_of(const picture *p, const nnrt_layout *layout) {
    const uint64_t width = p->width, height = p->height, w = layout->width, h = layout->height;
    nnrt_image_rect rect;
    rect.width = (uint32_t)(width * h > height * w ? (height * w + h / 2) / h : width);
    rect.height = (uint32_t)(width * h > height * w ? height : (width * h + w / 2) / w);
    if (rect.width < 1) rect.width = 1;
    if (rect.height < 1) rect.height = 1;
    rect.x = ((uint32_t)width - rect.width) / 2;
    rect.y = ((uint32_t)height - rect.height) / 2;
    return rect;
}

/* Colours become luma, as nnrt_image_to_tensor() has it. */
static int make_grey(picture *p) {
    nnrt_image image;
    nnrt_layout layout;
    if (p->channels == 1) return TOOL_OK;
    memset(&layout, 0, sizeof(layout));
    layout.order = NNRT_ORDER_NHWC;
    layout.type = OH_NN_UINT8;
    layout.batches = layout.channels = layout.block = 1;
    layout.height = (uint32_t)p->height;
    layout.width = (uint32_t)p->width;
    const size_t size = p->width * p->height;
    uint8_t *grey = (uint8_t *)allocate(size);
    OH_NN_ReturnCode code =
        nnrt_image_of(NNRT_PIXELS_RGB888, layout.width, layout.height, p->pixels, 3 * size, 0, &image);
    if (code == OH_NN_SUCCESS) code = nnrt_image_to_tensor(&image, NULL, &layout, 1.0, 0, grey, size);
    free(p->pixels);
    p->pixels = grey;
    p->channels = 1;
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("make a picture grey", code);
}

static int convert_picture(const char *path, const picture *p, const image_target *target, void *tensor, size_t size) {
    const nnrt_layout *layout = &target->layout;
    const image_fit fit = target->wishes->fit;
    nnrt_image_options options;
    nnrt_image image;
    double scale;
    int32_t zero_point;
    if (fit == FIT_NONE && (p->width != layout->width || p->height != layout->height))
        return complain(TOOL_FILE,
                        "%s: is %zux%zu pixels, the input needs %ux%u (width x height); --resize makes it so", path,
                        p->width, p->height, (unsigned)layout->width, (unsigned)layout->height);
    memset(&options, 0, sizeof(options));
    options.fit = fit == FIT_LETTERBOX ? NNRT_FIT_LETTERBOX : NNRT_FIT_STRETCH;
    memset(options.padding, 114, sizeof(options.padding));
    options.channels = target->wishes->channels;
    if (fit == FIT_CROP) options.crop = middle_of(p, layout);
    choose_values(target, &options, &scale, &zero_point);
    OH_NN_ReturnCode code =
        nnrt_image_of(p->channels == 3 ? NNRT_PIXELS_RGB888 : NNRT_PIXELS_GRAY8, (uint32_t)p->width,
                      (uint32_t)p->height, p->pixels, p->width * p->height * p->channels, 0, &image);
    if (code == OH_NN_SUCCESS) code = nnrt_image_to_tensor(&image, &options, layout, scale, zero_point, tensor, size);
    return code == OH_NN_SUCCESS ? TOOL_OK : refused("make a picture the input", code);
}

/* Reads a picture from an open file into the `size` bytes of a tensor. */
static int read_image(const char *path, FILE *file, const image_target *target, void *tensor, size_t size) {
    picture p;
    int result = read_picture(path, file, &p);
    if (result == TOOL_OK && target->wishes->grey) result = make_grey(&p);
    if (result == TOOL_OK) result = convert_picture(path, &p, target, tensor, size);
    free(p.pixels);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_IMAGE_H */
