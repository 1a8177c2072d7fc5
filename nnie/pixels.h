/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/pixels.h - converts pictures from the orders of cameras and files to the engine's: pure
   functions.   >>nnie_pixels

   What npu/layout.h cannot do: planes in another order, and pairs of chroma. Rows are stride bytes apart; bytes behind
   a row's width are left alone. Regions do not overlap; any alignment. */
#ifndef NNRT_NNIE_PIXELS_H
#define NNRT_NNIE_PIXELS_H

#include "../core/platform.h"

/* height rows of width pixels of 3 bytes, without gaps, into three planes of height rows: the last byte of a pixel goes
   to the first plane. */
NNRT__FN void nnrt__nnie_planes_reversed(const uint8_t *source, uint32_t width, uint32_t height, uint8_t *destination,
                                         size_t stride) {
    uint8_t *third = destination, *second = third + height * stride, *first = second + height * stride;
    uint32_t x, y;
    NNRT_ASSERT(width <= stride);
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++, source += 3) {
            first[x] = source[0];
            second[x] = source[1];
            third[x] = source[2];
        }
        first += stride;
        second += stride;
        third += stride;
    }
}

/* rows rows of width bytes, without gaps, to rows stride bytes apart. */
NNRT__FN void nnrt__nnie_copy_rows(const uint8_t *source, uint32_t width, uint32_t rows, uint8_t *destination,
                                   size_t stride) {
    NNRT_ASSERT(width <= stride);
    for (; rows != 0; rows--, source += width, destination += stride) memcpy(destination, source, width);
}

/* The same, the two bytes of every pair swapped; width is even. */
NNRT__FN void nnrt__nnie_swap_rows(const uint8_t *source, uint32_t width, uint32_t rows, uint8_t *destination,
                                   size_t stride) {
    uint32_t x;
    NNRT_ASSERT(width <= stride);
    for (; rows != 0; rows--, source += width, destination += stride)
        for (x = 0; x + 1 < width; x += 2) {
            destination[x] = source[x + 1];
            destination[x + 1] = source[x];
        }
}

#endif /* NNRT_NNIE_PIXELS_H */
