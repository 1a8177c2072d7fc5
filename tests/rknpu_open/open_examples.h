/* SPDX-License-Identifier: Apache-2.0 */
/* open_examples.h - an image of every kind of task, by number; for tests of the check and its fuzzer. */
#ifndef NNRT_TESTS_OPEN_EXAMPLES_H
#define NNRT_TESTS_OPEN_EXAMPLES_H

#include "open_file.h"

enum {
    EXAMPLE_FILE = 20,    /* a .rknn */
    EXAMPLE_LAYOUTS = 21, /* and the next: tasks of the vendor's that change the layout alone */
    IMAGE_EXAMPLES = 26
};

/* NULL: there are no more. The caller frees it. */
STREAM_FN uint8_t *image_example(uint32_t which, size_t *size) {
    static const uint32_t sums[4][3] = {{3, 5, 16}, {2, 2, 33}, {1, 1, 1}, {4, 6, 48}};
    image *i;
    conv c;
    if (which >= IMAGE_EXAMPLES) return NULL;
    if (which == EXAMPLE_FILE) return image_of_file("tests/fuzz/seeds/rkchip_file/small.rknn", size);
    i = image_begin(which == 14 || which == 15 || (which >= 17 && which < EXAMPLE_FILE) ? NNRT__OPEN_NPU_RK3588
                                                                                        : NNRT__OPEN_NPU_RV1106);
    if (conv_example(which, &c)) {
        image_conv(i, &c);
        conv_free(&c);
    } else if (which < 12) image_sum(i, sums[which - 8][0], sums[which - 8][1], sums[which - 8][2]);
    else if (which < 14) image_pool(i, 4 + which % 2, 6, which % 2 * 17 + 16);
    else if (which < 16) image_large_conv(i, 4, 5, which == 14 ? 16 : 48, which == 14 ? 40 : 16);
    else if (which == 16) image_nearest(i, 3, 2);
    else if (which == 17) image_large_copies(i, 2, 3, 70, 3);
    else if (which < EXAMPLE_FILE) image_pool(i, which == 18 ? 4 : 5, 6, which == 18 ? 16 : 40);
    else if (which == EXAMPLE_LAYOUTS) image_words(i, 2, 8, 3);
    else if (which == EXAMPLE_LAYOUTS + 1) image_words(i, 1, 8, 1);
    else if (which == EXAMPLE_LAYOUTS + 2) image_dense(i, 4, 24, 16);
    else if (which == EXAMPLE_LAYOUTS + 3) image_dense(i, 3, 172, 4);
    else image_turn(i, 2);
    return image_make(i, size);
}

#endif /* NNRT_TESTS_OPEN_EXAMPLES_H */
