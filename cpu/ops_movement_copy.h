/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_copy.h - operators that reshape, join and cut apart.   >>cpu_ops_movement_copy

   Each operator is a shape and one or more boxes for the copy step. Bytes are rescaled if int8 or uint8 input and
   output have different quantizations; only the reshaping operators keep the bytes, as TensorFlow Lite does. */
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
    uint32_t axis = 0, i, k;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axis(ir, node, OH_NN_CONCAT_AXIS, in->rank, &axis);
    if (code != OH_NN_SUCCESS) return code;
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

NNRT__FN OH_NN_ReturnCode nnrt__stack_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK + 1];
    uint32_t axis = 0, i, k;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axis(ir, node, OH_NN_STACK_AXIS, in->rank + 1, &axis);
    if (code != OH_NN_SUCCESS) return code;
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

/* ------------------------------------------------------------------------------------------ cutting apart */

/* Sizes of the outputs along the axis, which has dim elements: the parameter list, whose last size may be open (-1);
   the third input of a .tflite node, where any one may be; or, without a list, equal parts. */
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
    if (code == OH_NN_SUCCESS) code = nnrt__movement_listed_axis(ir, node, OH_NN_SPLIT_AXIS, 0, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if (number != 0 && number != (int64_t)node->output_count)
        return nnrt__movement_bad(ir, node, "the number of outputs differs from the number in the parameters");
    *(uint32_t *)node->spec = axis;
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

NNRT__FN OH_NN_ReturnCode nnrt__unstack_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0);
    int64_t dims[NNRT_MAX_RANK];
    uint32_t axis = 0, i, k, rank = 0;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_axis(ir, node, OH_NN_UNSTACK_AXIS, in->rank, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if ((int64_t)in->dims[axis] != (int64_t)node->output_count)
        return nnrt__movement_bad(ir, node, "there are not as many outputs as the axis has elements");
    for (i = 0; i < in->rank; i++)
        if (i != axis) dims[rank++] = in->dims[i];
    for (k = 0; k < node->output_count && code == OH_NN_SUCCESS; k++)
        code = nnrt__movement_set_shape(ir, node, k, rank, dims);
    return code;
}

/* ----------------------------------------------------------------------------------------------- lowering */

/* Each input of a join, and each output of a split, is [outer, part of a row]; they follow one another in [outer, whole
   row]. */
NNRT__FN OH_NN_ReturnCode nnrt__pieces_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(lower->ir, node, 0), *out = nnrt__ir_out(lower->ir, node, 0);
    const bool joins = node->op == OH_NN_OPS_CONCAT || node->op == OH_NN_OPS_STACK;
    const int64_t outer = nnrt__movement_size(in, 0, *(const uint32_t *)node->spec);
    const int64_t row = (int64_t)(joins ? out : in)->count / outer;
    int64_t at = 0;
    uint32_t k;
    for (k = 0; k < (joins ? node->input_count : node->output_count); k++) {
        const nnrt__ir_value *value = joins ? nnrt__ir_in(lower->ir, node, k) : nnrt__ir_out(lower->ir, node, k);
        const int64_t piece = (int64_t)value->count / outer;
        nnrt__movement_box box;
        OH_NN_ReturnCode code;
        memset(&box, 0, sizeof(box));
        *(joins ? &box.dst_offset : &box.src_offset) = at;
        nnrt__movement_loop(&box, outer, joins ? piece : row, joins ? row : piece);
        nnrt__movement_loop(&box, piece, 1, 1);
        code = nnrt__movement_lower_box(lower, node, joins ? k : 0, joins ? 0 : k, &box);
        if (code != OH_NN_SUCCESS) return code;
        at += piece;
    }
    return lower->status;
}

#endif /* NNRT_CPU_OPS_MOVEMENT_COPY_H */
