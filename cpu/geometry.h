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

/* The sides alone: kernel rows or columns, stride, dilation, pad, for `count` output positions. */
NNRT__FN bool nnrt__geometry_side_check(int32_t kernel, int32_t stride, int32_t dilation, int32_t pad, int32_t count) {
    return nnrt__in_range(kernel, 1, NNRT__COORDINATE_MAX) && nnrt__in_range(stride, 1, NNRT__GEOMETRY_MAX) &&
           nnrt__in_range(dilation, 1, NNRT__GEOMETRY_MAX) &&
           nnrt__in_range(pad, -NNRT__COORDINATE_MAX, NNRT__COORDINATE_MAX) &&
           (int64_t)(count - 1) * stride + (int64_t)(kernel - 1) * dilation <= NNRT__COORDINATE_MAX;
}

/* For an output of out_h x out_w (a transposed convolution: an input of that size) every coordinate fits
   int32, and kernel_h * kernel_w <= most_taps. */
NNRT__FN bool nnrt__geometry_check(const nnrt__geometry *g, int32_t out_h, int32_t out_w, int64_t most_taps) {
    return nnrt__geometry_side_check(g->kernel_h, g->stride_h, g->dilation_h, g->pad_top, out_h) &&
           nnrt__geometry_side_check(g->kernel_w, g->stride_w, g->dilation_w, g->pad_left, out_w) &&
           (int64_t)g->kernel_h * g->kernel_w <= most_taps;
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
