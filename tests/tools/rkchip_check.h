/* SPDX-License-Identifier: Apache-2.0 */
/* rkchip_check.h - a convolution of rkchip_conv.h, run and compared. After Criterion. */
#ifndef NNRT_TESTS_RKCHIP_CHECK_H
#define NNRT_TESTS_RKCHIP_CHECK_H

#include "rkchip_conv.h"

/* Runs it, and compares every byte of the output's memory; lanes past the channels are 0. Frees its values. */
STREAM_FN void conv_check(conv *c, const char *what) {
    const uint32_t height = conv_out_height(c), width = conv_out_width(c), planes = planes_of(c->outputs);
    const size_t row = (size_t)width * 16, plane = row * height;
    job j;
    stream s;
    conv_values(c);
    if (c->dpu.factor == 0) conv_spread(c);
    job_begin(&j);
    if (c->curve != NULL) cr_assert(curve_load(&j, c->curve), "%s: %s", what, j.chip->sentence);
    uint8_t *out = conv_memory(c, &j);
    int8_t *wanted = conv_reference(c);
    conv_words(c, &s);
    cr_assert(job_run(&j, &s, STREAM_CONV), "seed %u, %s: %s", SEED, what, j.chip->sentence);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t o = 0; o < planes * 16; o++) {
                const int is = (int8_t)out[plane_at(plane, row, y, x, o)];
                const int has_to = o < c->outputs ? wanted[((size_t)y * width + x) * c->outputs + o] : 0;
                cr_assert_eq(is, has_to, "seed %u, %s: %ux%ux%u to %ux%ux%u, kernel %ux%u: at %u,%u,%u is %d, not %d",
                             SEED, what, c->height, c->width, c->channels, height, width, c->outputs, c->kernel_height,
                             c->kernel_width, y, x, o, is, has_to);
            }
    free(wanted);
    job_end(&j);
    conv_free(c);
}

#endif /* NNRT_TESTS_RKCHIP_CHECK_H */
