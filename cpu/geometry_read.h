/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/geometry_read.h - geometries from the parameters of operators.   >>cpu_geometry_read

   Functions that return text return NULL on success, else a sentence that says why not. */
#ifndef NNRT_CPU_GEOMETRY_READ_H
#define NNRT_CPU_GEOMETRY_READ_H

#include "geometry.h"
#include "ir.h"

/* The types under which core/optable.h stores each parameter. */
typedef struct nnrt__geometry_params {
    OH_NN_TensorType strides, dilation, pad_mode, pad;
} nnrt__geometry_params;

/* What the parameters of an operator say. */
typedef struct nnrt__conv_window {
    int32_t stride_h, stride_w, dilation_h, dilation_w;
    bool same;       /* pads come from the sizes */
    int32_t pads[4]; /* else: top, bottom, left, right */
} nnrt__conv_window;

/* A list of exactly two values in 1..NNRT__GEOMETRY_MAX. */
NNRT__FN bool nnrt__ir_pair(const nnrt__ir_node *node, OH_NN_TensorType type, int32_t *h, int32_t *w) {
    int64_t list[2] = {0, 0};
    if (nnrt__ir_ints(node, type, list, 2) != 2) return false;
    if (!nnrt__in_range(list[0], 1, NNRT__GEOMETRY_MAX) || !nnrt__in_range(list[1], 1, NNRT__GEOMETRY_MAX))
        return false;
    *h = (int32_t)list[0];
    *w = (int32_t)list[1];
    return true;
}

/* dilation OH_NN_TENSOR: the operator has none. */
NNRT__FN const char *nnrt__conv_window_read(const nnrt__ir_node *node, const nnrt__geometry_params *types,
                                            nnrt__conv_window *window) {
    int64_t list[4] = {0, 0, 0, 0};
    uint32_t count, i;
    memset(window, 0, sizeof(*window));
    window->dilation_h = window->dilation_w = 1;
    if (!nnrt__ir_pair(node, types->strides, &window->stride_h, &window->stride_w))
        return "strides must be two values from 1 to 32768";
    if (types->dilation != OH_NN_TENSOR && nnrt__ir_param(node, types->dilation) != NULL &&
        !nnrt__ir_pair(node, types->dilation, &window->dilation_h, &window->dilation_w))
        return "dilation must be two values from 1 to 32768";
    window->same = nnrt__ir_int(node, types->pad_mode, 1) == 0;
    count = nnrt__ir_ints(node, types->pad, list, 4);
    if (count != 0 && count != 4) return "pads must be four values";
    for (i = 0; i < 4; i++) {
        if (!nnrt__in_range(list[i], 0, NNRT__GEOMETRY_MAX)) return "pads must be from 0 to 32768";
        window->pads[i] = (int32_t)list[i];
    }
    return NULL;
}

/* SAME: ceil(in / stride) positions, and the pad before the first of them. */
NNRT__FN int32_t nnrt__same_side(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, int32_t *pad) {
    const int32_t out = (int32_t)(((int64_t)in + stride - 1) / stride);
    const int64_t total = (int64_t)(out - 1) * stride + (int64_t)(kernel - 1) * dilation + 1 - in;
    *pad = total > 0 ? (int32_t)(total / 2) : 0;
    return out;
}

/* A convolution over in_h x in_w. kernel_h and kernel_w of g are set; the rest of g and the output size are
   made here. */
NNRT__FN const char *nnrt__geometry_conv(const nnrt__conv_window *window, int32_t in_h, int32_t in_w, nnrt__geometry *g,
                                         int32_t *out_h, int32_t *out_w) {
    const int64_t effective_h = (int64_t)(g->kernel_h - 1) * window->dilation_h + 1;
    const int64_t effective_w = (int64_t)(g->kernel_w - 1) * window->dilation_w + 1;
    int64_t height = in_h, width = in_w;
    if (height > NNRT__COORDINATE_MAX / 4 || width > NNRT__COORDINATE_MAX / 4 ||
        effective_h > NNRT__COORDINATE_MAX / 4 || effective_w > NNRT__COORDINATE_MAX / 4)
        return "the padded input or the dilated kernel is too large";
    g->stride_h = window->stride_h;
    g->stride_w = window->stride_w;
    g->dilation_h = window->dilation_h;
    g->dilation_w = window->dilation_w;
    if (window->same) {
        *out_h = nnrt__same_side(in_h, g->kernel_h, g->stride_h, g->dilation_h, &g->pad_top);
        *out_w = nnrt__same_side(in_w, g->kernel_w, g->stride_w, g->dilation_w, &g->pad_left);
    } else {
        height += window->pads[0] + window->pads[1];
        width += window->pads[2] + window->pads[3];
        if (effective_h > height || effective_w > width) return "the kernel is larger than the padded input";
        *out_h = (int32_t)((height - effective_h) / g->stride_h + 1);
        *out_w = (int32_t)((width - effective_w) / g->stride_w + 1);
        g->pad_top = window->pads[0];
        g->pad_left = window->pads[2];
    }
    return NULL;
}

/* One side of a pool: floor or ceil of the positions, at least one. */
NNRT__FN int32_t nnrt__pool_side(int32_t in, int32_t before, int32_t after, int32_t kernel, int32_t stride,
                                 bool ceiling) {
    const int64_t room = (int64_t)in + before + after - kernel;
    if (room < 0) return 1;
    return (int32_t)((room + (ceiling ? stride - 1 : 0)) / stride + 1);
}

/* A pool: as nnrt__geometry_conv, with dilation 1 and the pools' own rules for the output size. */
NNRT__FN const char *nnrt__geometry_pool(const nnrt__conv_window *window, bool ceiling, int32_t in_h, int32_t in_w,
                                         nnrt__geometry *g, int32_t *out_h, int32_t *out_w) {
    if (in_h > NNRT__COORDINATE_MAX / 4 || in_w > NNRT__COORDINATE_MAX / 4) return "the input is too large";
    g->stride_h = window->stride_h;
    g->stride_w = window->stride_w;
    g->dilation_h = g->dilation_w = 1;
    if (window->same) {
        *out_h = nnrt__same_side(in_h, g->kernel_h, g->stride_h, 1, &g->pad_top);
        *out_w = nnrt__same_side(in_w, g->kernel_w, g->stride_w, 1, &g->pad_left);
    } else {
        *out_h = nnrt__pool_side(in_h, window->pads[0], window->pads[1], g->kernel_h, g->stride_h, ceiling);
        *out_w = nnrt__pool_side(in_w, window->pads[2], window->pads[3], g->kernel_w, g->stride_w, ceiling);
        g->pad_top = window->pads[0];
        g->pad_left = window->pads[2];
    }
    return NULL;
}

/* The output size of a transposed convolution over in_h x in_w: input pixel (y, x) and tap (i, j) add to
   output pixel (y * stride_h - pad_top + i * dilation_h, ...). extra_h and extra_w are the output paddings.
   */
NNRT__FN const char *nnrt__geometry_transposed(const nnrt__conv_window *window, int32_t extra_h, int32_t extra_w,
                                               int32_t in_h, int32_t in_w, nnrt__geometry *g, int32_t *out_h,
                                               int32_t *out_w) {
    const int64_t full_h = (int64_t)(in_h - 1) * window->stride_h + (int64_t)(g->kernel_h - 1) * window->dilation_h + 1;
    const int64_t full_w = (int64_t)(in_w - 1) * window->stride_w + (int64_t)(g->kernel_w - 1) * window->dilation_w + 1;
    int64_t height, width;
    if (full_h > NNRT__COORDINATE_MAX / 4 || full_w > NNRT__COORDINATE_MAX / 4) return "the output is too large";
    g->stride_h = window->stride_h;
    g->stride_w = window->stride_w;
    g->dilation_h = window->dilation_h;
    g->dilation_w = window->dilation_w;
    if (window->same) {
        height = (int64_t)in_h * g->stride_h + extra_h;
        width = (int64_t)in_w * g->stride_w + extra_w;
        g->pad_top = (int32_t)((full_h - height) / 2);
        g->pad_left = (int32_t)((full_w - width) / 2);
    } else {
        height = full_h - window->pads[0] - window->pads[1] + extra_h;
        width = full_w - window->pads[2] - window->pads[3] + extra_w;
        g->pad_top = window->pads[0];
        g->pad_left = window->pads[2];
    }
    if (height < 1 || width < 1) return "the pads leave no output";
    *out_h = (int32_t)height;
    *out_w = (int32_t)width;
    return NULL;
}

/* One side of a transposed convolution in a .tflite file, which states its output size: the leading pad is that of the
   forward convolution from that size, SAME or VALID, whatever the input's size. */
NNRT__FN int32_t nnrt__transposed_pad(int64_t out, int64_t effective, int32_t stride, bool same) {
    const int64_t back = same ? (out + stride - 1) / stride : (out + stride - effective) / stride;
    const int64_t total = (back - 1) * stride + effective - out;
    return total > 0 ? (int32_t)(total / 2) : 0;
}

/* As nnrt__geometry_transposed, for an output of out_h x out_w: output beyond the input's reach is bias alone;
   contributions beyond the output are cut off. */
NNRT__FN const char *nnrt__geometry_transposed_to(const nnrt__conv_window *window, int64_t out_h, int64_t out_w,
                                                  nnrt__geometry *g) {
    const int64_t effective_h = (int64_t)(g->kernel_h - 1) * window->dilation_h + 1;
    const int64_t effective_w = (int64_t)(g->kernel_w - 1) * window->dilation_w + 1;
    if (out_h < 1 || out_w < 1) return "the shape of the output has a height or width below 1";
    if (out_h > NNRT__COORDINATE_MAX / 4 || out_w > NNRT__COORDINATE_MAX / 4) return "the output is too large";
    g->stride_h = window->stride_h;
    g->stride_w = window->stride_w;
    g->dilation_h = window->dilation_h;
    g->dilation_w = window->dilation_w;
    g->pad_top = nnrt__transposed_pad(out_h, effective_h, g->stride_h, window->same);
    g->pad_left = nnrt__transposed_pad(out_w, effective_w, g->stride_w, window->same);
    return NULL;
}

#endif /* NNRT_CPU_GEOMETRY_READ_H */
