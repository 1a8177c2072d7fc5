/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_copy.h - the operators that only move elements: reshapes, joins, cuts, padding, permutations.
   >>cpu_ops_movement_copy

   Each is a shape and one or more boxes for the copy step. Bytes are rescaled where int8 or uint8 input and output have
   different quantizations; the reshaping operators alone take the bytes as they are, as TensorFlow Lite does. */
#ifndef NNRT_CPU_OPS_MOVEMENT_COPY_H
#define NNRT_CPU_OPS_MOVEMENT_COPY_H

#include "ops_movement_base.h"

/* ------------------------------------------------------------------------------- the same bytes, reshaped */

NNRT__FN OH_NN_ReturnCode nnrt__reshape_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const uint32_t src = nnrt__lower_value(lower, node->inputs[0]), dst = nnrt__lower_value(lower, node->outputs[0]);
    nnrt__movement_box box;
    memset(&box, 0, sizeof(box));
    nnrt__movement_loop(&box, (int64_t)in->count, 1, 1);
    nnrt__movement_copy(lower, node, &box, in->dtype, src, dst, NNRT__NONE);
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__reshape_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK], known = 1;
    uint32_t rank = 0, i, open = NNRT__NONE;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS && node->input_count > 1) /* without a shape: to a scalar, in .tflite files */
        code = nnrt__movement_ints(ir, node, 1, dims, NNRT_MAX_RANK, &rank);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < rank; i++) {
        if (dims[i] == 0 && i < in->rank) dims[i] = in->dims[i];
        if (dims[i] == -1) {
            if (open != NNRT__NONE) return nnrt__movement_bad(ir, node, "the shape has more than one -1");
            open = i;
            continue;
        }
        if (dims[i] < 1 || dims[i] > (int64_t)in->count)
            return nnrt__movement_bad(ir, node, "the shape does not hold as many elements as the input");
        known *= dims[i];
        if (known > (int64_t)in->count)
            return nnrt__movement_bad(ir, node, "the shape does not hold as many elements as the input");
    }
    if (open != NNRT__NONE) {
        dims[open] = (int64_t)in->count / known;
        known *= dims[open];
    }
    if (known != (int64_t)in->count)
        return nnrt__movement_bad(ir, node, "the shape does not hold as many elements as the input");
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__squeeze_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t axes[NNRT_MAX_RANK], dims[NNRT_MAX_RANK];
    uint32_t count = 0, mask = 0, rank = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_param(ir, node, OH_NN_SQUEEZE_AXIS, axes, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axes(ir, node, axes, count, in->rank, &mask);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) {
        const bool drop = count == 0 ? in->dims[i] == 1 : (mask >> i & 1) != 0;
        if (drop && in->dims[i] != 1) return nnrt__movement_bad(ir, node, "an axis to drop is not of size 1");
        if (!drop) dims[rank++] = in->dims[i];
    }
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

/* Inserts a dim of size 1 at axis, which lies within -rank - 1..rank. */
NNRT__FN OH_NN_ReturnCode nnrt__movement_insert(nnrt__ir *ir, const nnrt__ir_node *node, int64_t axis) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK + 1];
    uint32_t at, i;
    if (!nnrt__ir_axis(axis, in->rank + 1, &at)) return nnrt__movement_bad(ir, node, "the axis is out of range");
    for (i = 0; i <= in->rank; i++) dims[i] = i < at ? in->dims[i] : i == at ? 1 : in->dims[i - 1];
    return nnrt__movement_set_shape(ir, node, 0, in->rank + 1, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__expand_dims_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    int64_t axis = 0;
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, &axis, 1, &count);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_insert(ir, node, axis);
}

NNRT__FN OH_NN_ReturnCode nnrt__unsqueeze_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__movement_insert(ir, node, nnrt__ir_int(node, OH_NN_UNSQUEEZE_AXIS, INT64_MAX));
}

NNRT__FN OH_NN_ReturnCode nnrt__flatten_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t axis = nnrt__ir_int(node, OH_NN_FLATTEN_AXIS, 1);
    int64_t dims[2];
    uint32_t at;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (axis < -(int64_t)in->rank || axis > (int64_t)in->rank)
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    at = (uint32_t)(axis < 0 ? axis + (int64_t)in->rank : axis);
    dims[0] = nnrt__movement_size(in, 0, at);
    dims[1] = nnrt__movement_size(in, at, in->rank);
    return nnrt__movement_set_shape(ir, node, 0, 2, dims);
}

/* ------------------------------------------------------------------------------------------------ joining */

NNRT__FN OH_NN_ReturnCode nnrt__concat_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK];
    uint32_t axis, i, k;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_CONCAT_AXIS, 0), in->rank, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    for (i = 0; i < in->rank; i++) dims[i] = i == axis ? 0 : in->dims[i];
    for (k = 0; k < node->input_count; k++) {
        const nnrt__ir_value *next = nnrt__ir_in(ir, node, k);
        if (next->dtype != in->dtype || next->rank != in->rank)
            return nnrt__movement_bad(ir, node, "the inputs do not have one data type and one rank");
        for (i = 0; i < in->rank; i++)
            if (i != axis && next->dims[i] != in->dims[i])
                return nnrt__movement_bad(ir, node,
                                          "the inputs differ in another axis than the one they are joined on");
        dims[axis] += next->dims[axis];
    }
    return nnrt__movement_set_shape(ir, node, 0, in->rank, dims);
}

/* Input k is [outer, pieces[k]], and goes where the ones before it end in [outer, all pieces]. */
NNRT__FN OH_NN_ReturnCode nnrt__join_lower(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t axis) {
    const int64_t outer = nnrt__movement_size(nnrt__ir_in(lower->ir, node, 0), 0, axis);
    const int64_t row = (int64_t)nnrt__ir_out(lower->ir, node, 0)->count / outer;
    int64_t at = 0;
    uint32_t k;
    for (k = 0; k < node->input_count; k++) {
        const int64_t piece = (int64_t)nnrt__ir_in(lower->ir, node, k)->count / outer;
        nnrt__movement_box box;
        OH_NN_ReturnCode code;
        memset(&box, 0, sizeof(box));
        box.dst_offset = at;
        nnrt__movement_loop(&box, outer, piece, row);
        nnrt__movement_loop(&box, piece, 1, 1);
        code = nnrt__movement_lower_box(lower, node, k, 0, &box);
        if (code != OH_NN_SUCCESS) return code;
        at += piece;
    }
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__concat_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t axis = 0;
    nnrt__ir_axis(nnrt__ir_int(node, OH_NN_CONCAT_AXIS, 0), nnrt__ir_in(lower->ir, node, 0)->rank, &axis);
    return nnrt__join_lower(lower, node, axis);
}

NNRT__FN OH_NN_ReturnCode nnrt__stack_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK + 1];
    uint32_t axis, i, k;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_STACK_AXIS, 0), in->rank + 1, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    for (k = 0; k < node->input_count; k++) {
        const nnrt__ir_value *next = nnrt__ir_in(ir, node, k);
        if (next->dtype != in->dtype || next->rank != in->rank ||
            memcmp(next->dims, in->dims, in->rank * sizeof(in->dims[0])) != 0)
            return nnrt__movement_bad(ir, node, "the inputs do not have one data type and one shape");
    }
    for (i = 0; i <= in->rank; i++)
        dims[i] = i < axis ? in->dims[i] : i == axis ? (int32_t)node->input_count : in->dims[i - 1];
    return nnrt__movement_set_shape(ir, node, 0, in->rank + 1, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__stack_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t axis = 0;
    nnrt__ir_axis(nnrt__ir_int(node, OH_NN_STACK_AXIS, 0), nnrt__ir_in(lower->ir, node, 0)->rank + 1, &axis);
    return nnrt__join_lower(lower, node, axis);
}

/* ------------------------------------------------------------------------------------------ cutting apart */

/* Sizes of the outputs on the axis, which has dim elements: the list of the parameters, read whole or not at all,
   whatever its length, or the third input of a node of a .tflite file, where one size may be left open; or equal
   parts. */
NNRT__FN OH_NN_ReturnCode nnrt__split_sizes(const nnrt__ir *ir, const nnrt__ir_node *node, int32_t dim,
                                            int64_t *sizes) {
    uint32_t listed = nnrt__ir_ints(node, OH_NN_SPLIT_SIZE_SPLITS, NULL, 0), open = NNRT__NONE, k;
    int64_t left = dim;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (node->input_count > 2) code = nnrt__movement_ints(ir, node, 2, sizes, node->output_count, &listed);
    if (code != OH_NN_SUCCESS) return code;
    if (listed == 0 && dim % (int32_t)node->output_count != 0)
        return nnrt__movement_bad(ir, node, "the axis cannot be split into equal parts");
    if (listed != 0 && listed != node->output_count)
        return nnrt__movement_bad(ir, node, "there are not as many sizes as outputs");
    if (listed != 0 && node->input_count <= 2) nnrt__ir_ints(node, OH_NN_SPLIT_SIZE_SPLITS, sizes, listed);
    for (k = 0; k < node->output_count; k++) {
        if (listed == 0) sizes[k] = dim / (int32_t)node->output_count;
        if (sizes[k] == -1 && open == NNRT__NONE && (node->input_count > 2 || k + 1 == listed)) {
            open = k;
            continue;
        }
        if (sizes[k] < 1 || sizes[k] > left) return nnrt__movement_bad(ir, node, "the sizes do not add up to the axis");
        left -= sizes[k];
    }
    if (open != NNRT__NONE ? left < 1 : left != 0)
        return nnrt__movement_bad(ir, node, "the sizes do not add up to the axis");
    if (open != NNRT__NONE) sizes[open] = left;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__split_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t number = nnrt__ir_int(node, OH_NN_SPLIT_OUTPUT_NUM, 0);
    int64_t dims[NNRT_MAX_RANK], *sizes;
    uint32_t axis = 0, i, k;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axis(ir, node, OH_NN_SPLIT_AXIS, 0, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if (number != 0 && number != (int64_t)node->output_count)
        return nnrt__movement_bad(ir, node, "the number of outputs differs from the number in the parameters");
    sizes = (int64_t *)nnrt__alloc_zero(node->output_count, sizeof(*sizes));
    if (sizes == NULL) return nnrt__fail_memory();
    code = nnrt__split_sizes(ir, node, in->dims[axis], sizes);
    for (i = 0; i < in->rank; i++) dims[i] = in->dims[i];
    for (k = 0; k < node->output_count && code == OH_NN_SUCCESS; k++) {
        dims[axis] = sizes[k];
        code = nnrt__movement_set_shape(ir, node, k, in->rank, dims);
    }
    nnrt__free(sizes);
    return code;
}

/* The opposite of nnrt__join_lower. */
NNRT__FN OH_NN_ReturnCode nnrt__cut_lower(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t axis) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    const int64_t outer = nnrt__movement_size(in, 0, axis), row = (int64_t)in->count / outer;
    int64_t at = 0;
    uint32_t k;
    for (k = 0; k < node->output_count; k++) {
        const int64_t piece = (int64_t)nnrt__ir_out(lower->ir, node, k)->count / outer;
        nnrt__movement_box box;
        OH_NN_ReturnCode code;
        memset(&box, 0, sizeof(box));
        box.src_offset = at;
        nnrt__movement_loop(&box, outer, row, piece);
        nnrt__movement_loop(&box, piece, 1, 1);
        code = nnrt__movement_lower_box(lower, node, 0, k, &box);
        if (code != OH_NN_SUCCESS) return code;
        at += piece;
    }
    return lower->status;
}

NNRT__FN OH_NN_ReturnCode nnrt__split_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t axis = 0;
    const OH_NN_ReturnCode code = nnrt__movement_axis(lower->ir, node, OH_NN_SPLIT_AXIS, 0, &axis);
    return code == OH_NN_SUCCESS ? nnrt__cut_lower(lower, node, axis) : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__unstack_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK];
    uint32_t axis, i, k, rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(nnrt__ir_int(node, OH_NN_UNSTACK_AXIS, 0), in->rank, &axis))
        return nnrt__movement_bad(ir, node, "the axis is out of range");
    if ((int64_t)in->dims[axis] != (int64_t)node->output_count)
        return nnrt__movement_bad(ir, node, "there are not as many outputs as the axis has elements");
    for (i = 0; i < in->rank; i++)
        if (i != axis) dims[rank++] = in->dims[i];
    for (k = 0; k < node->output_count && code == OH_NN_SUCCESS; k++)
        code = nnrt__movement_set_shape(ir, node, k, rank, dims);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__unstack_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    uint32_t axis = 0;
    nnrt__ir_axis(nnrt__ir_int(node, OH_NN_UNSTACK_AXIS, 0), nnrt__ir_in(lower->ir, node, 0)->rank, &axis);
    return nnrt__cut_lower(lower, node, axis);
}

/* ------------------------------------------------------------------------------------- windows

   A window takes size[i] elements of axis i from begin[i] on, stride[i] apart. dropped axes do not appear in the
   output, which changes nothing of the bytes. */
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

NNRT__FN OH_NN_ReturnCode nnrt__window_lower(nnrt__lower *lower, const nnrt__ir_node *node,
                                             const nnrt__copy_window *window) {
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

NNRT__FN OH_NN_ReturnCode nnrt__slice_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__copy_window window;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__slice_window(ir, node, &window);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__movement_set_shape(ir, node, 0, nnrt__ir_in(ir, node, 0)->rank, window.size);
}

NNRT__FN OH_NN_ReturnCode nnrt__slice_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__copy_window window;
    OH_NN_ReturnCode code = nnrt__slice_window(lower->ir, node, &window);
    return code != OH_NN_SUCCESS ? code : nnrt__window_lower(lower, node, &window);
}

/* One axis of a strided slice: what entry begin, end, stride of the lists takes of dim elements. */
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

/* The same as TensorFlow Lite has it: what lies outside of the axis is moved to its ends. */
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

/* How many axes of the input an ellipsis of TensorFlow Lite's stands for: those that no other entry is about. More than
   there are: too many entries. */
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
    nnrt__copy_window window;
    int64_t dims[3 * NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__strided_window(ir, node, &window, dims, &rank);
    return code != OH_NN_SUCCESS ? code : nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__strided_slice_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__copy_window window;
    int64_t dims[3 * NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__strided_window(lower->ir, node, &window, dims, &rank);
    return code != OH_NN_SUCCESS ? code : nnrt__window_lower(lower, node, &window);
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

NNRT__FN OH_NN_ReturnCode nnrt__crop_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__copy_window window;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__crop_window(ir, node, &window);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__movement_set_shape(ir, node, 0, nnrt__ir_in(ir, node, 0)->rank, window.size);
}

NNRT__FN OH_NN_ReturnCode nnrt__crop_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__copy_window window;
    OH_NN_ReturnCode code = nnrt__crop_window(lower->ir, node, &window);
    return code != OH_NN_SUCCESS ? code : nnrt__window_lower(lower, node, &window);
}

/* -------------------------------------------------------------------------------- permuting and repeating */

NNRT__FN OH_NN_ReturnCode nnrt__transpose_axes(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *axes) {
    const uint32_t rank = nnrt__ir_in(ir, node, 0)->rank;
    int64_t list[NNRT_MAX_RANK];
    uint32_t count = 0, mask = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axes(ir, node, list, count, rank, &mask);
    if (code != OH_NN_SUCCESS) return code;
    if (count != rank) return nnrt__movement_bad(ir, node, "the permutation does not name every axis");
    for (i = 0; i < rank; i++) nnrt__ir_axis(list[i], rank, &axes[i]);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__permute_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    uint32_t axes[NNRT_MAX_RANK], i;
    int64_t dims[NNRT_MAX_RANK];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__transpose_axes(ir, node, axes);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) dims[i] = in->dims[axes[i]];
    return nnrt__movement_set_shape(ir, node, 0, in->rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__permute_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    int64_t strides[NNRT_MAX_RANK], out = 1;
    uint32_t axes[NNRT_MAX_RANK], i;
    nnrt__movement_box box;
    OH_NN_ReturnCode code = nnrt__transpose_axes(lower->ir, node, axes);
    if (code != OH_NN_SUCCESS) return code;
    memset(&box, 0, sizeof(box));
    nnrt__movement_strides(in->rank, in->dims, strides);
    for (i = in->rank; i-- > 0;) {
        nnrt__movement_loop(&box, in->dims[axes[i]], strides[axes[i]], out);
        out *= in->dims[axes[i]];
    }
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

/* How often each axis of the output repeats; *rank axes, the last ones of which are the input's. */
NNRT__FN OH_NN_ReturnCode nnrt__tile_times(const nnrt__ir *ir, const nnrt__ir_node *node, int64_t *times,
                                           uint32_t *rank) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t list[NNRT_MAX_RANK], axes[NNRT_MAX_RANK];
    uint32_t count = 0, listed = 0, mask = 0, axis = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_param(ir, node, OH_NN_TILE_DIMS, axes, NNRT_MAX_RANK, &listed);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < count; i++)
        if (list[i] < 1 || list[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a multiple is below 1 or too large");
    *rank = count > in->rank ? count : in->rank;
    for (i = 0; i < NNRT_MAX_RANK; i++) times[i] = 1;
    if (listed != 0 && !(listed == count && memcmp(axes, list, count * sizeof(list[0])) == 0)) {
        *rank = in->rank;
        if (listed != count) return nnrt__movement_bad(ir, node, "there is not one axis per multiple");
        code = nnrt__movement_axes(ir, node, axes, count, in->rank, &mask);
        if (code != OH_NN_SUCCESS) return code;
        for (i = 0; i < count; i++) {
            nnrt__ir_axis(axes[i], in->rank, &axis);
            times[axis] = list[i];
        }
        return OH_NN_SUCCESS;
    }
    if (count < in->rank && !(count == 1 && listed == 0))
        return nnrt__movement_bad(ir, node, "there are fewer multiples than axes");
    for (i = 0; i < count; i++) times[i] = list[i];
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tile_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t times[NNRT_MAX_RANK];
    uint32_t rank = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__tile_times(ir, node, times, &rank);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) times[rank - in->rank + i] *= in->dims[i];
    return nnrt__movement_set_shape(ir, node, 0, rank, times);
}

/* Output axis i walks times[i] times over its input axis: two loops. */
NNRT__FN OH_NN_ReturnCode nnrt__repeat_lower(nnrt__lower *lower, const nnrt__ir_node *node, uint32_t rank,
                                             const int64_t *times) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0);
    int64_t src = 1, dst = 1;
    nnrt__movement_box box;
    uint32_t i;
    memset(&box, 0, sizeof(box));
    for (i = rank; i-- > 0;) {
        const int64_t dim = i + in->rank >= rank ? in->dims[i + in->rank - rank] : 1;
        nnrt__movement_loop(&box, dim, src, dst);
        nnrt__movement_loop(&box, times[i], 0, dst * dim);
        src *= dim;
        dst *= dim * times[i];
    }
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

NNRT__FN OH_NN_ReturnCode nnrt__tile_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    int64_t times[NNRT_MAX_RANK];
    uint32_t rank = 0;
    OH_NN_ReturnCode code = nnrt__tile_times(lower->ir, node, times, &rank);
    return code != OH_NN_SUCCESS ? code : nnrt__repeat_lower(lower, node, rank, times);
}

/* A dim of 1 on either side yields the other; -1 keeps the input's. The shape is a parameter, or, in .tflite files, the
   second input. */
NNRT__FN OH_NN_ReturnCode nnrt__broadcast_to_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t list[NNRT_MAX_RANK], dims[NNRT_MAX_RANK];
    uint32_t count = 0, rank, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS)
        code = node->input_count > 1
                   ? nnrt__movement_ints(ir, node, 1, list, NNRT_MAX_RANK, &count)
                   : nnrt__movement_param(ir, node, OH_NN_BROADCAST_TO_SHAPE, list, NNRT_MAX_RANK, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (count == 0) return nnrt__movement_bad(ir, node, "there is no shape to broadcast to");
    rank = count > in->rank ? count : in->rank;
    for (i = 0; i < rank; i++) {
        const bool has_input = i + in->rank >= rank, has_target = i + count >= rank;
        const int64_t dim = has_input ? in->dims[i + in->rank - rank] : 1;
        const int64_t target = has_target ? list[i + count - rank] : 1;
        if (target == -1 && !has_input) return nnrt__movement_bad(ir, node, "a -1 stands where the input has no axis");
        if (target != -1 && target != 1 && dim != 1 && target != dim)
            return nnrt__movement_bad(ir, node, "the input does not broadcast to the shape");
        dims[i] = target == -1 || target == 1 ? dim : target;
    }
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__broadcast_to_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    int64_t times[NNRT_MAX_RANK];
    uint32_t i, rank = out->rank < in->rank ? in->rank : out->rank;
    for (i = 0; i < rank; i++) {
        const int64_t dim = i + in->rank >= rank ? in->dims[i + in->rank - rank] : 1;
        times[i] = (i + out->rank >= rank ? out->dims[i + out->rank - rank] : 1) / dim;
    }
    return nnrt__repeat_lower(lower, node, rank, times);
}

/* ------------------------------------------------------------------------------------------------ padding */

/* before[i] = pads[2 * i], after[i] = pads[2 * i + 1]. */
NNRT__FN OH_NN_ReturnCode nnrt__pad_read(const nnrt__ir *ir, const nnrt__ir_node *node, int64_t *pads) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t mode = nnrt__ir_int(node, OH_NN_PAD_PADDING_MODE, 0);
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 1, pads, 2 * NNRT_MAX_RANK, &count);
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
    const int64_t mode = nnrt__ir_int(node, OH_NN_PAD_PADDING_MODE, 0);
    int64_t pads[2 * NNRT_MAX_RANK], dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__pad_read(ir, node, pads);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < in->rank; i++) dims[i] = in->dims[i] + pads[2 * i] + pads[2 * i + 1];
    if (mode != 0) {
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
    const int64_t mode = nnrt__ir_int(node, OH_NN_PAD_PADDING_MODE, 0);
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    int64_t pads[2 * NNRT_MAX_RANK], before[NNRT_MAX_RANK];
    nnrt__movement_box box;
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__pad_read(lower->ir, node, pads);
    if (code != OH_NN_SUCCESS) return code;
    if (mode != 0 && in->rank != 0) {
        const uint32_t src = nnrt__lower_value(lower, node->inputs[0]);
        nnrt__mirror *mirror =
            (nnrt__mirror *)nnrt__lower_step(lower, NNRT__KIND(pad_mirror), node, &src, 1, &dst, 1, NULL);
        if (mirror == NULL) return lower->status;
        mirror->rank = in->rank;
        mirror->element_size = (uint32_t)nnrt__element_size(in->dtype);
        mirror->edge = mode == 2 ? 1 : 0;
        for (i = 0; i < in->rank; i++) {
            mirror->dims[i] = in->dims[i];
            mirror->before[i] = (int32_t)pads[2 * i];
            mirror->after[i] = (int32_t)pads[2 * i + 1];
        }
        return lower->status;
    }
    for (i = 0; i < in->rank; i++) before[i] = pads[2 * i];
    if (out->count != in->count)
        nnrt__movement_fill_number(lower, node, out, (double)nnrt__ir_float(node, OH_NN_PAD_CONSTANT_VALUE, 0.0f), dst,
                                   out->count);
    nnrt__pad_box(in->rank, in->dims, out->dims, before, &box);
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

/* --------------------------------------------------------------------------------- space, depth and batch */

/* The axes of height, width and channel: NCHW where the input says so. Batch is axis 0. */
typedef struct nnrt__block_layout {
    uint32_t height, width, channel;
} nnrt__block_layout;

NNRT__FN void nnrt__block_axes(const nnrt__ir_value *in, nnrt__block_layout *layout) {
    const bool channel_first = in->format == OH_NN_FORMAT_NCHW;
    layout->height = channel_first ? 2 : 1;
    layout->width = channel_first ? 3 : 2;
    layout->channel = channel_first ? 1 : 3;
}

NNRT__FN OH_NN_ReturnCode nnrt__depth_to_space_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t block = nnrt__ir_int(node, OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE, 0);
    nnrt__block_layout layout;
    int64_t dims[4];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4) return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    nnrt__block_axes(in, &layout);
    if (block < 1 || block > 32768 || in->dims[layout.channel] % (block * block) != 0)
        return nnrt__movement_bad(ir, node, "the channels cannot be divided by the square of the block size");
    for (i = 0; i < 4; i++) dims[i] = in->dims[i];
    dims[layout.channel] /= block * block;
    dims[layout.height] *= block;
    dims[layout.width] *= block;
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* Six loops over n, y, x of the small image, i, j of the block and the channels of one block place. blocks: strides of
   i and j and of the channel in the deep value; deep and wide are the two values' dims. */
NNRT__FN OH_NN_ReturnCode nnrt__block_lower(nnrt__lower *lower, const nnrt__ir_node *node, int64_t block, bool to_space,
                                            bool channel_major) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const nnrt__ir_value *deep = to_space ? in : out, *wide = to_space ? out : in;
    int64_t deep_strides[4], wide_strides[4], channels, depth;
    nnrt__block_layout layout;
    nnrt__movement_box box;
    int64_t loops[6][3]; /* count, stride in deep, stride in wide */
    uint32_t i;
    nnrt__block_axes(in, &layout);
    nnrt__movement_strides(4, deep->dims, deep_strides);
    nnrt__movement_strides(4, wide->dims, wide_strides);
    channels = wide->dims[layout.channel];
    depth = deep_strides[layout.channel];
    memset(loops, 0, sizeof(loops));
    loops[0][0] = deep->dims[0], loops[0][1] = deep_strides[0], loops[0][2] = wide_strides[0];
    loops[1][0] = deep->dims[layout.height], loops[1][1] = deep_strides[layout.height];
    loops[1][2] = block * wide_strides[layout.height];
    loops[2][0] = deep->dims[layout.width], loops[2][1] = deep_strides[layout.width];
    loops[2][2] = block * wide_strides[layout.width];
    loops[3][0] = block, loops[3][1] = channel_major ? block * depth : block * channels * depth;
    loops[3][2] = wide_strides[layout.height];
    loops[4][0] = block, loops[4][1] = channel_major ? depth : channels * depth,
    loops[4][2] = wide_strides[layout.width];
    loops[5][0] = channels, loops[5][1] = channel_major ? block * block * depth : depth;
    loops[5][2] = wide_strides[layout.channel];
    memset(&box, 0, sizeof(box));
    for (i = 0; i < 6; i++)
        nnrt__movement_loop(&box, loops[i][0], loops[i][to_space ? 1 : 2], loops[i][to_space ? 2 : 1]);
    return nnrt__movement_lower_box(lower, node, 0, 0, &box);
}

NNRT__FN OH_NN_ReturnCode nnrt__depth_to_space_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    return nnrt__block_lower(lower, node, nnrt__ir_int(node, OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE, 0), true,
                             nnrt__ir_int(node, OH_NN_DEPTH_TO_SPACE_MODE, 0) == 1);
}

NNRT__FN OH_NN_ReturnCode nnrt__space_to_depth_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    const int64_t block = nnrt__ir_int(node, OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE, 0);
    nnrt__block_layout layout;
    int64_t dims[4];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code != OH_NN_SUCCESS) return code;
    if (in->rank != 4) return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    nnrt__block_axes(in, &layout);
    if (block < 2 || block > 32768 || in->dims[layout.height] % block != 0 || in->dims[layout.width] % block != 0)
        return nnrt__movement_bad(ir, node, "height and width cannot be divided by the block size, or that is below 2");
    for (i = 0; i < 4; i++) dims[i] = in->dims[i];
    dims[layout.channel] *= block * block;
    dims[layout.height] /= block;
    dims[layout.width] /= block;
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__space_to_depth_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    return nnrt__block_lower(lower, node, nnrt__ir_int(node, OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE, 0), false, false);
}

/* Block of height and width, and four pads or crops: top, bottom, left, right. */
NNRT__FN OH_NN_ReturnCode nnrt__batch_read(const nnrt__ir *ir, const nnrt__ir_node *node, bool to_batch, int64_t *block,
                                           int64_t *edges) {
    const OH_NN_TensorType block_type =
        to_batch ? OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE : OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE;
    const OH_NN_TensorType edge_type = to_batch ? OH_NN_SPACE_TO_BATCH_ND_PADDINGS : OH_NN_BATCH_TO_SPACE_ND_CROPS;
    uint32_t count, i;
    memset(edges, 0, 4 * sizeof(edges[0]));
    if (nnrt__ir_in(ir, node, 0)->rank != 4)
        return nnrt__movement_bad(ir, node, "the input does not have 4 dimensions");
    if (nnrt__ir_ints(node, block_type, block, 2) != 2)
        return nnrt__movement_bad(ir, node, "the block is not two numbers");
    count = nnrt__ir_ints(node, edge_type, edges, 4);
    if (count != 0 && count != 4) return nnrt__movement_bad(ir, node, "the paddings or crops are not four numbers");
    for (i = 0; i < 2; i++)
        if (block[i] < 1 || block[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a block size is below 1 or too large");
    for (i = 0; i < 4; i++)
        if (edges[i] < 0 || edges[i] > INT32_MAX)
            return nnrt__movement_bad(ir, node, "a padding or crop is negative or too large");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__space_to_batch_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t block[2], edges[4], dims[4];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__batch_read(ir, node, true, block, edges);
    if (code != OH_NN_SUCCESS) return code;
    dims[1] = in->dims[1] + edges[0] + edges[1];
    dims[2] = in->dims[2] + edges[2] + edges[3];
    if (dims[1] % block[0] != 0 || dims[2] % block[1] != 0)
        return nnrt__movement_bad(ir, node, "the padded image cannot be divided into blocks");
    if (block[0] * block[1] > INT32_MAX || dims[1] > INT32_MAX || dims[2] > INT32_MAX)
        return nnrt__movement_bad(ir, node, "the result is too large");
    dims[0] = in->dims[0] * (block[0] * block[1]);
    dims[1] /= block[0];
    dims[2] /= block[1];
    dims[3] = in->dims[3];
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__batch_to_space_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t block[2], edges[4], dims[4];
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__batch_read(ir, node, false, block, edges);
    if (code != OH_NN_SUCCESS) return code;
    if (in->dims[0] % (block[0] * block[1]) != 0)
        return nnrt__movement_bad(ir, node, "the batch cannot be divided by the block");
    dims[0] = in->dims[0] / (block[0] * block[1]);
    dims[1] = in->dims[1] * block[0] - edges[0] - edges[1];
    dims[2] = in->dims[2] * block[1] - edges[2] - edges[3];
    dims[3] = in->dims[3];
    return nnrt__movement_set_shape(ir, node, 0, 4, dims);
}

/* The whole image [n, h * bh, w * bw, c] against the batches [bh, bw, n, h, w, c]. */
NNRT__FN void nnrt__batch_box(const int32_t *small, const int64_t *block, bool to_batch, nnrt__movement_box *box) {
    const int64_t n = small[0] / (block[0] * block[1]), h = small[1], w = small[2], c = small[3];
    const int64_t row = w * block[1] * c, image = h * block[0] * row;
    const int64_t counts[6] = {block[0], block[1], n, h, w, c};
    const int64_t batches[6] = {block[1] * n * h * w * c, n * h * w * c, h * w * c, w * c, c, 1};
    const int64_t whole[6] = {row, c, image, row * block[0], c * block[1], 1};
    uint32_t i;
    memset(box, 0, sizeof(*box));
    for (i = 0; i < 6; i++)
        nnrt__movement_loop(box, counts[i], to_batch ? whole[i] : batches[i], to_batch ? batches[i] : whole[i]);
}

/* Through a padded image when there is a padding. */
NNRT__FN OH_NN_ReturnCode nnrt__space_to_batch_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    int64_t block[2], edges[4], before[4];
    int32_t padded[4];
    uint32_t dst, table, src, image;
    nnrt__movement_box box;
    OH_NN_ReturnCode code = nnrt__batch_read(lower->ir, node, true, block, edges);
    if (code != OH_NN_SUCCESS) return code;
    if (edges[0] + edges[1] + edges[2] + edges[3] == 0) {
        nnrt__batch_box(out->dims, block, true, &box);
        return nnrt__movement_lower_box(lower, node, 0, 0, &box);
    }
    memset(before, 0, sizeof(before));
    before[1] = edges[0];
    before[2] = edges[2];
    memcpy(padded, in->dims, sizeof(padded));
    padded[1] += (int32_t)(edges[0] + edges[1]);
    padded[2] += (int32_t)(edges[2] + edges[3]);
    table = nnrt__movement_table(lower, node, in, out);
    src = nnrt__lower_value(lower, node->inputs[0]);
    dst = nnrt__lower_value(lower, node->outputs[0]);
    image = nnrt__lower_temporary(lower, in->dtype, 4, padded);
    nnrt__movement_fill_number(lower, node, out, 0.0, image, out->count);
    nnrt__pad_box(4, in->dims, padded, before, &box);
    nnrt__movement_copy(lower, node, &box, in->dtype, src, image, table);
    nnrt__batch_box(out->dims, block, true, &box);
    nnrt__movement_copy(lower, node, &box, in->dtype, image, dst, NNRT__NONE);
    return lower->status;
}

/* Through the whole image when there is a crop. */
NNRT__FN OH_NN_ReturnCode nnrt__batch_to_space_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    int64_t block[2], edges[4], strides[4], step = 1;
    int32_t whole[4];
    uint32_t dst, table, src, image, i;
    nnrt__movement_box box;
    OH_NN_ReturnCode code = nnrt__batch_read(lower->ir, node, false, block, edges);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__batch_box(in->dims, block, false, &box);
    if (edges[0] + edges[1] + edges[2] + edges[3] == 0) return nnrt__movement_lower_box(lower, node, 0, 0, &box);
    whole[0] = out->dims[0];
    whole[1] = (int32_t)(in->dims[1] * block[0]);
    whole[2] = (int32_t)(in->dims[2] * block[1]);
    whole[3] = out->dims[3];
    table = nnrt__movement_table(lower, node, in, out);
    src = nnrt__lower_value(lower, node->inputs[0]);
    dst = nnrt__lower_value(lower, node->outputs[0]);
    image = nnrt__lower_temporary(lower, in->dtype, 4, whole);
    nnrt__movement_copy(lower, node, &box, in->dtype, src, image, table);
    nnrt__movement_strides(4, whole, strides);
    memset(&box, 0, sizeof(box));
    box.src_offset = edges[0] * strides[1] + edges[2] * strides[2];
    for (i = 4; i-- > 0;) {
        nnrt__movement_loop(&box, out->dims[i], strides[i], step);
        step *= out->dims[i];
    }
    nnrt__movement_copy(lower, node, &box, in->dtype, image, dst, NNRT__NONE);
    return lower->status;
}

#endif /* NNRT_CPU_OPS_MOVEMENT_COPY_H */
