/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_window.h - operators that take a window out of a tensor, or pad it.   >>cpu_ops_movement_window */
#ifndef NNRT_CPU_OPS_MOVEMENT_WINDOW_H
#define NNRT_CPU_OPS_MOVEMENT_WINDOW_H

#include "ops_movement_base.h"

/* ------------------------------------------------------------------------------------- windows

   A window takes size[i] elements of axis i from begin[i] on, stride[i] apart. dropped axes are absent from the
   output's shape; the bytes are the same. */
typedef struct nnrt__copy_window {
    int64_t begin[NNRT_MAX_RANK], size[NNRT_MAX_RANK], stride[NNRT_MAX_RANK];
} nnrt__copy_window;

NNRT__FN void nnrt__window_whole(const nnrt__ir_value *in, nnrt__copy_window *window) {
    uint32_t i;
    for (i = 0; i < in->rank; i++) {
        window->begin[i] = 0;
        window->size[i] = in->dims[i];
        window->stride[i] = 1;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__window_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__copy_window *window = (const nnrt__copy_window *)node->spec;
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    int64_t strides[NNRT_MAX_RANK], out = 1;
    nnrt__movement_box box;
    uint32_t i;
    memset(&box, 0, sizeof(box));
    nnrt__movement_strides(in->rank, in->dims, strides);
    for (i = in->rank; i-- > 0;) {
        box.src_offset += window->begin[i] * strides[i];
        nnrt__movement_loop(&box, window->size[i], window->stride[i] * strides[i], out);
        out *= window->size[i];
    }
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

NNRT__FN OH_NN_ReturnCode nnrt__slice_window(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__copy_window *window) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t begin[NNRT_MAX_RANK], size[NNRT_MAX_RANK], axes[NNRT_MAX_RANK];
    uint32_t begins = 0, sizes = 0, listed = 0, mask = 0, axis = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, begin, NNRT_MAX_RANK, &begins);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 2, size, NNRT_MAX_RANK, &sizes);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_param(ir, node, OH_NN_SLICE_AXES, axes, NNRT_MAX_RANK, &listed);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axes(ir, node, axes, listed, in->rank, &mask);
    if (code != OH_NN_SUCCESS) return code;
    if (begins != sizes || begins > in->rank || (listed != 0 && listed != begins))
        return nnrt__movement_bad(ir, node, "begin, size and axes do not have one length");
    nnrt__window_whole(in, window);
    for (i = 0; i < begins; i++) {
        axis = i;
        if (listed != 0) nnrt__ir_axis(axes[i], in->rank, &axis);
        if (begin[i] < 0 || begin[i] > in->dims[axis] || size[i] < -1 || size[i] > in->dims[axis] - begin[i])
            return nnrt__movement_bad(ir, node, "the slice leaves the input");
        window->begin[axis] = begin[i];
        window->size[axis] = size[i] == -1 ? in->dims[axis] - begin[i] : size[i];
    }
    return OH_NN_SUCCESS;
}

/* One axis of a strided slice: the elements that one entry of the lists begin, end, stride takes of dim. */
NNRT__FN const char *nnrt__strided_axis(int64_t dim, int64_t begin, int64_t end, int64_t stride, bool whole_begin,
                                        bool whole_end, bool shrink, int64_t *first, int64_t *size) {
    if (stride == 0) return "a stride is 0";
    if (shrink) stride = 1;
    if (whole_begin) begin = stride > 0 ? 0 : dim - 1;
    else if (begin < 0) begin += dim;
    if (whole_end) end = stride > 0 ? dim : -1;
    else if (end < 0) end += dim;
    if (begin < 0 || begin > dim) return "begin is out of range";
    *first = begin;
    *size = 1;
    if (shrink) return begin < dim ? NULL : "begin is out of range";
    if (end < -1 || end > dim) return "end is out of range";
    if (stride < 0 && begin == dim) begin = dim - 1;
    *first = begin;
    if (stride > 0) *size = end > begin ? (end - begin - 1) / stride + 1 : 0;
    else *size = begin > end ? (begin - end - 1) / (stride < -dim ? dim : -stride) + 1 : 0;
    return NULL;
}

/* The same with TensorFlow Lite's rules: bounds outside the axis are moved to its ends. */
NNRT__FN const char *nnrt__strided_clamped(int64_t dim, int64_t begin, int64_t end, int64_t stride, bool whole_begin,
                                           bool whole_end, bool shrink, int64_t *first, int64_t *size) {
    const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
    if (stride == 0) return "a stride is 0";
    if (whole_begin) begin = stride > 0 ? low : high;
    else if (begin < 0) begin += dim;
    begin = begin < low ? low : begin > high ? high : begin;
    if (whole_end) end = stride > 0 ? high : low;
    else if (end < 0) end += dim;
    end = end < low ? low : end > high ? high : end;
    if (shrink) end = begin + (stride > 0 ? 1 : -1);
    *first = begin;
    if (stride > 0) *size = end > begin ? (end - begin - 1) / stride + 1 : 0;
    else *size = begin > end ? (begin - end - 1) / (stride < -dim ? dim : -stride) + 1 : 0;
    return begin < 0 || begin >= dim || *size < 1 ? "the slice has no elements" : NULL;
}

/* How many axes of the input TensorFlow Lite's ellipsis stands for: those without an entry. More than there are: too
   many entries. */
NNRT__FN uint32_t nnrt__strided_ellipsis(uint32_t rank, uint32_t count, uint64_t ellipses, uint64_t news) {
    uint32_t others = 0, i;
    for (i = 0; i < count; i++) others += ((ellipses | news) >> i & 1) == 0 ? 1 : 0;
    return rank - others; /* of too many it wraps around */
}

/* The window, and the shape of the output: dims, *rank (at most 2 * NNRT_MAX_RANK). */
NNRT__FN OH_NN_ReturnCode nnrt__strided_window(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__copy_window *window,
                                               int64_t *dims, uint32_t *rank) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const uint64_t begins = (uint64_t)nnrt__ir_int(node, OH_NN_STRIDED_SLICE_BEGIN_MASK, 0);
    const uint64_t ends = (uint64_t)nnrt__ir_int(node, OH_NN_STRIDED_SLICE_END_MASK, 0);
    const uint64_t ellipses = (uint64_t)nnrt__ir_int(node, OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, 0);
    const uint64_t news = (uint64_t)nnrt__ir_int(node, OH_NN_STRIDED_SLICE_NEW_AXIS_MASK, 0);
    const uint64_t shrinks = (uint64_t)nnrt__ir_int(node, OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK, 0);
    const uint64_t ellipsis = ellipses & (~ellipses + 1);
    const bool clamps = nnrt__ir_int(node, NNRT__TENSOR_TFLITE, 0) != 0;
    int64_t begin[2 * NNRT_MAX_RANK], end[2 * NNRT_MAX_RANK], stride[2 * NNRT_MAX_RANK];
    uint32_t count = 0, other = 0, third = 0, axis = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, begin, 2 * NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 2, end, 2 * NNRT_MAX_RANK, &other);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 3, stride, 2 * NNRT_MAX_RANK, &third);
    if (code != OH_NN_SUCCESS) return code;
    if (count != other || count != third)
        return nnrt__movement_bad(ir, node, "begin, end and strides do not have one length");
    nnrt__window_whole(in, window);
    *rank = 0;
    for (i = 0; i < count; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        const bool shrink = (shrinks & bit) != 0 && (ellipsis & bit) == 0;
        const char *reason;
        if (clamps && (ellipses & bit) != 0) { /* also over a new axis, as in TensorFlow Lite */
            uint32_t left = nnrt__strided_ellipsis(in->rank, count, ellipses, news);
            if (ellipses != ellipsis || left > in->rank)
                return nnrt__movement_bad(ir, node, "it has two ellipses, or more entries than the input has axes");
            for (; left > 0; left--) dims[(*rank)++] = in->dims[axis++];
            continue;
        }
        if ((news & bit) != 0) {
            dims[(*rank)++] = 1;
            continue;
        }
        if (axis == in->rank) return nnrt__movement_bad(ir, node, "begin has more entries than the input has axes");
        reason = (clamps ? nnrt__strided_clamped : nnrt__strided_axis)(
            in->dims[axis], begin[i], end[i], stride[i], ((begins | ellipsis) & bit) != 0,
            ((ends | ellipsis) & bit) != 0, shrink, &window->begin[axis], &window->size[axis]);
        if (reason != NULL) return nnrt__movement_bad(ir, node, reason);
        window->stride[axis] = window->size[axis] > 1 ? stride[i] : 1;
        if (!shrink) dims[(*rank)++] = window->size[axis];
        axis++;
    }
    for (; axis < in->rank; axis++) dims[(*rank)++] = in->dims[axis];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__strided_slice_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    int64_t dims[3 * NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__strided_window(ir, node, (nnrt__copy_window *)node->spec, dims, &rank);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__crop_window(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__copy_window *window) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *shape = nnrt__ir_in(ir, node, 1);
    int64_t offsets[NNRT_MAX_RANK], sizes[NNRT_MAX_RANK];
    uint32_t axis, offset_count = 0, size_count = in->rank, i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_CROP_AXIS, 0), in->rank, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    if (shape->rank == in->rank) {
        for (i = 0; i < in->rank; i++) sizes[i] = shape->dims[i];
    } else {
        if (shape->rank != 1) return nnrt__movement_bad(ir, node, "the window has another rank than the input");
        code = nnrt__movement_ints(ir, node, 1, sizes, NNRT_MAX_RANK, &size_count);
    }
    if (code == OH_NN_SUCCESS)
        code = nnrt__movement_param(ir, node, OH_NN_CROP_OFFSET, offsets, NNRT_MAX_RANK, &offset_count);
    if (code != OH_NN_SUCCESS) return code;
    if (size_count != in->rank && size_count != in->rank - axis)
        return nnrt__movement_bad(ir, node, "the window has neither a size per axis nor one per cropped axis");
    if (offset_count > 1 && offset_count != in->rank - axis)
        return nnrt__movement_bad(ir, node, "there is not one offset per cropped axis");
    nnrt__window_whole(in, window);
    for (i = 0; i < in->rank; i++) {
        if (i >= axis && offset_count != 0) window->begin[i] = offsets[offset_count == 1 ? 0 : i - axis];
        if (size_count == in->rank) window->size[i] = sizes[i];
        else if (i >= axis) window->size[i] = sizes[i - axis];
        if (window->begin[i] < 0 || window->begin[i] > in->dims[i] || window->size[i] < 1 ||
            window->size[i] > in->dims[i] - window->begin[i])
            return nnrt__movement_bad(ir, node, "the window leaves the input");
    }
    return OH_NN_SUCCESS;
}

/* CROP and SLICE. */
NNRT__FN OH_NN_ReturnCode nnrt__window_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__copy_window *window = (nnrt__copy_window *)node->spec;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS)
        code = node->op == OH_NN_OPS_CROP ? nnrt__crop_window(ir, node, window) : nnrt__slice_window(ir, node, window);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__movement_set_shape(ir, node, 0, nnrt__ir_in(ir, node, 0)->rank, window->size);
}

/* ------------------------------------------------------------------------------------------------ padding */

typedef struct nnrt__pad_spec {
    int64_t pads[2 * NNRT_MAX_RANK]; /* before and after each axis */
    int64_t mode;                    /* 0: value; 1: mirrored; 2: with the edge */
    float value;
} nnrt__pad_spec;

NNRT__FN OH_NN_ReturnCode nnrt__pad_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__pad_spec *spec) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t mode = nnrt__ir_int(node, OH_NN_PAD_PADDING_MODE, 0), *pads = spec->pads;
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, spec->pads, 2 * NNRT_MAX_RANK, &count);
    spec->mode = mode;
    spec->value = nnrt__ir_float(node, OH_NN_PAD_CONSTANT_VALUE, 0.0f);
    if (code != OH_NN_SUCCESS) return code;
    if (count != 2 * in->rank) return nnrt__movement_bad(ir, node, "the paddings are not two per axis");
    if (mode < 0 || mode > 2) return nnrt__movement_bad(ir, node, "there is no such padding mode");
    for (i = 0; i < count; i++) {
        if (pads[i] < 0 || pads[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a padding is negative or too large");
        if (mode != 0 && pads[i] > in->dims[i / 2] - (mode == 1 ? 1 : 0))
            return nnrt__movement_bad(ir, node, "a mirrored padding is wider than what it mirrors");
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__pad_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    nnrt__pad_spec *spec = (nnrt__pad_spec *)node->spec;
    int64_t dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__pad_read(ir, node, spec);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) dims[i] = in->dims[i] + spec->pads[2 * i] + spec->pads[2 * i + 1];
    if (spec->mode != 0) {
        code = nnrt__movement_need_same_quant(ir, node, 0);
        if (code != OH_NN_SUCCESS) return code;
    }
    return nnrt__movement_set_shape(ir, node, 0, in->rank, dims);
}

/* Where a box of the input's shape goes in an output with `before` elements in front of each axis. */
NNRT__FN void nnrt__pad_box(uint32_t rank, const int32_t *dims, const int32_t *padded, const int64_t *before,
                            nnrt__movement_box *box) {
    int64_t src = 1, dst = 1;
    uint32_t i;
    memset(box, 0, sizeof(*box));
    for (i = rank; i-- > 0;) {
        box->dst_offset += before[i] * dst;
        nnrt__movement_loop(box, dims[i], src, dst);
        src *= dims[i];
        dst *= padded[i];
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__pad_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const nnrt__pad_spec *spec = (const nnrt__pad_spec *)node->spec;
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    int64_t before[NNRT_MAX_RANK];
    nnrt__movement_box box;
    uint32_t i;
    if (spec->mode != 0 && in->rank != 0) {
        const uint32_t src = nnrt__lower_value(lower, node->inputs[0]);
        nnrt__mirror *mirror =
            (nnrt__mirror *)nnrt__lower_step(lower, NNRT__KIND(pad_mirror), node, &src, 1, &dst, 1, NULL);
        if (mirror == NULL) return lower->status;
        mirror->rank = in->rank;
        mirror->element_size = (uint32_t)nnrt__element_size(in->dtype);
        mirror->edge = spec->mode == 2 ? 1 : 0;
        for (i = 0; i < in->rank; i++) {
            mirror->dims[i] = in->dims[i];
            mirror->before[i] = (int32_t)spec->pads[2 * i];
            mirror->after[i] = (int32_t)spec->pads[2 * i + 1];
        }
        return lower->status;
    }
    for (i = 0; i < in->rank; i++) before[i] = spec->pads[2 * i];
    if (out->count != in->count) nnrt__movement_fill_number(lower, node, out, (double)spec->value, dst, out->count);
    nnrt__pad_box(in->rank, in->dims, out->dims, before, &box);
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

#endif /* NNRT_CPU_OPS_MOVEMENT_WINDOW_H */
