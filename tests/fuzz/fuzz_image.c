/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_image.c - a driver tells sizes and strides of its pictures, and a detector what to crop. `make fuzz`. The bytes
   are read as a picture, options and a layout, then as the pixels.
   Properties  (1) anything is refused with a sentence, or becomes a tensor; (2) nothing outside the planes and the
               tensor is touched, all of which are exactly as large as they say; (3) the same picture gives the same
               elements, and what is no element stays; (4) a tensor that is a byte too small is refused, and so is a
               place where the pass is; (5) the corners of the place come back as those of the crop.
   Seeds       a few formats, by name. */
#include "linked.h"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *next;
static size_t left;

static uint8_t take(void) {
    if (left == 0) return 0;
    left--;
    return *next++;
}

/* 1 to most, now and then anything. */
static uint32_t take_count(uint32_t most) {
    const uint8_t byte = take();
    return byte < 0xf8 ? 1 + byte % most : (uint32_t)take() << 24 | (uint32_t)take() << 8 | take();
}

static float take_number(void) {
    const uint8_t byte = take();
    uint32_t bits = 0x7f000000u | (uint32_t)take() << 20;
    float value;
    if (byte != 0xff) return (float)byte;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void *fresh(size_t size) {
    void *block = malloc(size != 0 ? size : 1);
    MUST(block != NULL);
    return block;
}

static nnrt_image image;
static nnrt_image_options options;
static nnrt_layout layout;
static void *planes[3];

static void take_picture(void) {
    uint32_t i;
    memset(&image, 0, sizeof(image));
    image.format = (nnrt_pixel_format)(take() % 12);
    image.yuv = (nnrt_yuv)(take() % 5);
    image.width = take_count(80);
    image.height = take_count(40);
    for (i = 0; i < 3; i++) {
        nnrt_plane *plane = &image.plane[i];
        const uint8_t kind = take();
        const size_t unit = i == 0 && image.format != NNRT_PIXELS_GRAY8 && image.format < NNRT_PIXELS_NV12 ? 4 : 2;
        plane->row_stride = (kind & 1u) != 0 ? take_count(400) : (size_t)(image.width % 256 + 1) * unit;
        plane->size = (kind & 2u) != 0 ? take_count(8192) % 65536 : plane->row_stride % 1024 * (image.height % 256);
        plane->data = planes[i] = fresh(plane->size);
        memset(planes[i], take(), plane->size);
        if (plane->size != 0) ((uint8_t *)planes[i])[plane->size - 1] = take();
    }
}

static void take_options(void) {
    uint32_t i;
    memset(&options, 0, sizeof(options));
    if (take() % 2 != 0) {
        options.crop.x = take_count(40) - 1, options.crop.y = take_count(20) - 1;
        options.crop.width = take_count(40), options.crop.height = take_count(20);
    }
    options.resize = (nnrt_resize)(take() % 3 % (1 + take() % 3));
    options.fit = (nnrt_fit)(take() % 4);
    options.channels = (nnrt_channels)(take() % 2);
    for (i = 0; i < 3; i++) options.padding[i] = take(), options.mean[i] = take_number();
    for (i = 0; i < 3; i++) options.deviation[i] = take_number();
}

static void take_layout(void) {
    static const OH_NN_DataType types[] = {OH_NN_UINT8,   OH_NN_INT8,    OH_NN_INT16,
                                           OH_NN_FLOAT16, OH_NN_FLOAT32, OH_NN_INT32};
    memset(&layout, 0, sizeof(layout));
    layout.order = (nnrt_order)(take() % 4);
    layout.type = types[take() % 6];
    layout.batches = take() < 0xf0 ? 1 : 2;
    layout.channels = take() % 2 != 0 ? 3 : take_count(4);
    layout.height = take_count(40);
    layout.width = take_count(80);
    if (take() % 2 != 0) layout.row_stride = layout.width + take() % 8, layout.row_count = layout.height + take() % 4;
    layout.block = take() % 4;
}

static void try_it(double scale, int32_t zero_point) {
    OH_NN_ReturnCode code;
    uint8_t *made[2], *first;
    nnrt_image_place place;
    float corners[4];
    size_t bytes = 0, i;
    (void)nnrt_backend_fail(OH_NN_FAILED, "");
    if (nnrt_layout_size(&layout, &bytes) != OH_NN_SUCCESS || bytes > 1 << 20) return;
    made[0] = (uint8_t *)fresh(bytes), made[1] = (uint8_t *)fresh(bytes), first = (uint8_t *)fresh(bytes);
    memset(made[0], 0x55, bytes), memset(made[1], 0xaa, bytes);
    code = nnrt_image_to_tensor(&image, &options, &layout, scale, zero_point, made[0], bytes);
    MUST(code == OH_NN_SUCCESS || (code == OH_NN_INVALID_PARAMETER && nnrt_last_error()[0] != '\0'));
    MUST(nnrt_image_to_tensor(&image, &options, &layout, scale, zero_point, made[1], bytes) == code);
    for (i = 0; i < bytes; i++) /* each byte is of an element, or stays */
        MUST(code == OH_NN_SUCCESS ? made[0][i] == made[1][i] || (made[0][i] == 0x55 && made[1][i] == 0xaa)
                                   : made[0][i] == 0x55 && made[1][i] == 0xaa);
    if (code == OH_NN_SUCCESS) {
        MUST(nnrt_image_to_tensor(&image, &options, &layout, scale, zero_point, first, bytes - 1) ==
             OH_NN_INVALID_PARAMETER);
        MUST(nnrt_image_find_place(&image, &options, layout.width, layout.height, &place) == OH_NN_SUCCESS);
        MUST(place.from.width - 1 < image.width && place.from.x <= image.width - place.from.width);
        MUST(place.to.width - 1 < layout.width && place.to.y <= layout.height - place.to.height);
        corners[0] = (float)place.to.x, corners[1] = (float)place.to.y;
        corners[2] = (float)(place.to.x + place.to.width), corners[3] = (float)(place.to.y + place.to.height);
        MUST(nnrt_image_points_back(&place, corners, 2, 2, true) == OH_NN_SUCCESS);
        MUST(corners[0] == (float)place.from.x && corners[1] == (float)place.from.y);
        MUST(corners[2] <= (float)(place.from.x + place.from.width) && corners[3] > corners[1]);
    }
    free(made[0]), free(made[1]), free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t i;
    int32_t zero_point;
    next = data;
    left = size;
    take_picture();
    take_options();
    take_layout();
    zero_point = (int8_t)take();
    try_it((double)take_number() / 16, zero_point);
    for (i = 0; i < 3; i++) free(planes[i]);
    return 0;
}
