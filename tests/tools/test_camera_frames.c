/* SPDX-License-Identifier: Apache-2.0 */
/* test_camera_frames.c - the frames of examples/camera.c: what a camera gives as NV12 becomes the pixels of BT.601. */
#include "linked.h"

#include "../../examples/camera_frames.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

/* The standard's own formula, in double. */
static double wanted(const frames *f, bool limited, int channel, double y, double u, double v) {
    const double range = limited ? 255.0 / 219.0 : 1.0, colour = limited ? 255.0 / 224.0 : 1.0;
    double value = (y - (limited ? 16.0 : 0.0)) * range;
    if (f->channels == 3 && channel == 0) value += 1.402 * colour * (v - 128.0);
    if (f->channels == 3 && channel == 1) value -= colour * (0.344136 * (u - 128.0) + 0.714136 * (v - 128.0));
    if (f->channels == 3 && channel == 2) value += 1.772 * colour * (u - 128.0);
    return value < 0.0 ? 0.0 : value > 255.0 ? 255.0 : value;
}

Test(camera_frames, nv12_becomes_pixels_within_one_of_the_standard) {
    enum {
        WIDTH = 6,
        HEIGHT = 4
    };
    const uint32_t seed = 20261122;
    uint32_t state = seed;
    frames f;
    memset(&f, 0, sizeof(f));
    f.fd[0] = f.fd[1] = -1;
    f.width = WIDTH;
    f.height = HEIGHT;
    for (int round = 0; round < 2000; round++) {
        const size_t size = WIDTH * HEIGHT;
        uint8_t *nv12 = (uint8_t *)malloc(size * 3 / 2), *pixels;
        const bool limited = round % 2 == 1;
        nnrt_image image;
        f.channels = round % 4 < 2 ? 3 : 1;
        f.size = size * f.channels;
        pixels = (uint8_t *)malloc(f.size);
        f.pixels[1] = pixels;
        cr_assert(nv12 != NULL && pixels != NULL);
        for (size_t i = 0; i < size * 3 / 2; i++) {
            state = state * 1664525u + 1013904223u;
            nv12[i] = (uint8_t)(round < 8 ? (uint32_t)(round % 3 * 127 + round % 2) : state >> 24);
        }
        cr_assert_eq(nnrt_image_of(NNRT_PIXELS_NV12, WIDTH, HEIGHT, nv12, size * 3 / 2, 0, &image), OH_NN_SUCCESS);
        image.yuv = limited ? NNRT_YUV_BT601 : NNRT_YUV_BT601_FULL;
        cr_assert(fill_frame(&f, &image, 1));
        for (size_t y = 0; y < HEIGHT; y++)
            for (size_t x = 0; x < WIDTH; x++)
                for (int c = 0; c < (int)f.channels; c++) {
                    const uint8_t *colour = nv12 + size + y / 2 * WIDTH + x / 2 * 2;
                    const double expected = wanted(&f, limited, c, nv12[y * WIDTH + x], colour[0], colour[1]);
                    const double got = pixels[(y * WIDTH + x) * f.channels + (size_t)c];
                    cr_assert(fabs(got - expected) <= 1.0, "seed %u, round %d: channel %d is %g, not %g",
                              (unsigned)seed, round, c, got, expected);
                }
        free(nv12);
        free(pixels);
    }
}

Test(camera_frames, a_pattern_needs_no_camera_and_changes_with_every_frame) {
    frames f;
    uint8_t first;
    cr_assert(open_frames(&f, NULL, 4, 6, 3));
    cr_assert(f.size == 72 && f.map[0] == NULL && f.camera < 0);
    cr_assert(next_frame(&f, 0));
    first = f.pixels[0][5];
    cr_assert(next_frame(&f, 0) && f.pixels[0][5] != first);
    close_frames(&f);
    cr_assert_not(open_frames(&f, "/dev/null", 4, 6, 3), "no camera");
}
