/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/geometry.h - where the windows of convolutions and pools lie.   >>cpu_geometry

   Build turns strides, dilations, pad modes and pad lists into one nnrt__geometry; a step keeps it in its arguments. A
   step does not trust that the output's size fits the geometry: it clips every window to the input. So
   nnrt__geometry_check only has to prove that every coordinate fits int32. */
#ifndef NNRT_CPU_GEOMETRY_H
#define NNRT_CPU_GEOMETRY_H

#include "plan.h"

/* Largest kernel side, stride, dilation and pad, and largest coordinate that any window may reach: far
   above what models use, and every product of two stays within int64, every sum of a few within int32. */
#define NNRT__GEOMETRY_MAX 32768
#define NNRT__COORDINATE_MAX 1000000000
#define NNRT__TAPS_MAX (1 << 20)

/* Output row y and kernel row i read input row y * stride_h - pad_top + i * dilation_h; the same for
   columns. A transposed convolution writes where this one reads, and may have negative pads. */
typedef struct nnrt__geometry {
    int32_t kernel_h, kernel_w;
    int32_t stride_h, stride_w;
    int32_t dilation_h, dilation_w;
    int32_t pad_top, pad_left;
} nnrt__geometry;

NNRT__INLINE bool nnrt__in_range(int64_t x, int64_t low, int64_t high) { return x >= low && x <= high; }

/* Do all coordinates of one side, of `count` >= 1 positions, fit int32? kernel and dilation are 1 or more. */
NNRT__INLINE bool nnrt__geometry_side_fits(int32_t kernel, int32_t stride, int32_t dilation, int32_t count) {
    NNRT_ASSERT(count >= 1);
    return (uint64_t)(uint32_t)(count - 1) * (uint32_t)stride + (uint64_t)(uint32_t)(kernel - 1) * (uint32_t)dilation <=
           NNRT__COORDINATE_MAX;
}

/* For an output of out_h x out_w (a transposed convolution: an input of that size) every coordinate fits
   int32, and kernel_h * kernel_w <= most_taps, which is below 2^24. What is out of range is huge less 1 without a sign;
   NNRT__GEOMETRY_MAX is a power of two. */
NNRT__FN bool nnrt__geometry_check(const nnrt__geometry *g, int32_t out_h, int32_t out_w, uint32_t most_taps) {
    const uint32_t rows = (uint32_t)g->kernel_h - 1u, columns = (uint32_t)g->kernel_w - 1u;
    const uint32_t steps = ((uint32_t)g->stride_h - 1u) | ((uint32_t)g->stride_w - 1u) |
                           ((uint32_t)g->dilation_h - 1u) | ((uint32_t)g->dilation_w - 1u);
    const uint32_t top = (uint32_t)g->pad_top + NNRT__COORDINATE_MAX,
                   left = (uint32_t)g->pad_left + NNRT__COORDINATE_MAX;
    return rows < most_taps && columns < most_taps && (uint64_t)(rows + 1u) * (columns + 1u) <= most_taps &&
           steps < NNRT__GEOMETRY_MAX && top <= 2u * NNRT__COORDINATE_MAX && left <= 2u * NNRT__COORDINATE_MAX &&
           nnrt__geometry_side_fits(g->kernel_h, g->stride_h, g->dilation_h, out_h) &&
           nnrt__geometry_side_fits(g->kernel_w, g->stride_w, g->dilation_w, out_w);
}

/* The taps first <= i < *last of a window that starts at `start` and lie within 0 <= start + i * dilation
   < size. */
NNRT__INLINE int32_t nnrt__first_tap(int32_t start, int32_t dilation, int32_t kernel) {
    int32_t first = start >= 0 ? 0 : (int32_t)(((int64_t)dilation - 1 - start) / dilation);
    return first < kernel ? first : kernel;
}
NNRT__INLINE int32_t nnrt__last_tap(int32_t start, int32_t dilation, int32_t kernel, int32_t size) {
    int32_t last = start >= size ? 0 : (int32_t)(((int64_t)size - start + dilation - 1) / dilation);
    return last < kernel ? last : kernel;
}

#endif /* NNRT_CPU_GEOMETRY_H */
