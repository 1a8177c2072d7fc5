/* SPDX-License-Identifier: Apache-2.0 */
/* kernels/boxes_scalar.h - rectangles and how much two of them overlap. */
#ifndef NNRT_KERNELS_BOXES_SCALAR_H
#define NNRT_KERNELS_BOXES_SCALAR_H

#include "internal.h"

typedef struct nnrt__rect {
    float x0, y0, x1, y1;
} nnrt__rect;

/* Intersection over union; edge: 1 where boxes count pixels, else 0. 0 for boxes that do not meet, or are inside out;
   NaN, which is greater than no threshold, for areas that float32 has no number for. */
NNRT__FN float nnrt__rect_overlap(const nnrt__rect *a, const nnrt__rect *b, float edge) {
    const float width = (a->x1 < b->x1 ? a->x1 : b->x1) - (a->x0 > b->x0 ? a->x0 : b->x0) + edge;
    const float height = (a->y1 < b->y1 ? a->y1 : b->y1) - (a->y0 > b->y0 ? a->y0 : b->y0) + edge;
    const float shared = width * height;
    if (!(width > 0.0f && height > 0.0f)) return 0.0f;
    return shared /
           ((a->x1 - a->x0 + edge) * (a->y1 - a->y0 + edge) + (b->x1 - b->x0 + edge) * (b->y1 - b->y0 + edge) - shared);
}

#endif /* NNRT_KERNELS_BOXES_SCALAR_H */
