/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_movement_choose.h - operators that look up and choose.   >>cpu_ops_movement_choose */
#ifndef NNRT_CPU_OPS_MOVEMENT_CHOOSE_H
#define NNRT_CPU_OPS_MOVEMENT_CHOOSE_H

#include "ops_movement_base.h"

/* -------------------------------------------------------------------------------- looking up and choosing */

/* The axis, and how many axes before it are batches that the indices have, too (the fourth input; only nodes of .tflite
   files have one). */
NNRT__FN OH_NN_ReturnCode nnrt__gather_axis(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *axis,
                                            uint32_t *batches) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *indices = nnrt__ir_in(ir, node, 1);
    int64_t listed = 0, shared = 0;
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_ints(ir, node, 2, &listed, 1, &count);
    if (code == OH_NN_SUCCESS && node->input_count > 3) code = nnrt__movement_ints(ir, node, 3, &shared, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__ir_axis(listed, in->rank, axis)) return nnrt__movement_bad(ir, node, "the axis is out of range");
    if (shared < 0) shared += indices->rank;
    if (shared < 0 || shared > (int64_t)indices->rank || shared > (int64_t)*axis)
        return nnrt__movement_bad(ir, node, "there are more batches than axes in front of the one that is gathered");
    *batches = (uint32_t)shared;
    for (i = 0; i < *batches; i++)
        if (in->dims[i] != indices->dims[i])
            return nnrt__movement_bad(ir, node, "the indices do not have the batches of the input");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, 0), *indices = nnrt__ir_in(ir, node, 1);
    int64_t dims[2 * NNRT_MAX_RANK];
    nnrt__gather_args *args = (nnrt__gather_args *)node->spec;
    uint32_t axis = 0, batches = 0, rank = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 0);
    if (code == OH_NN_SUCCESS) code = nnrt__gather_axis(ir, node, &axis, &batches);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__movement_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    for (i = 0; i < axis; i++) dims[rank++] = in->dims[i];
    for (i = batches; i < indices->rank; i++) dims[rank++] = indices->dims[i];
    for (i = axis + 1; i < in->rank; i++) dims[rank++] = in->dims[i];
    args->outer = (uint32_t)nnrt__movement_size(in, 0, axis);
    args->dim = (uint32_t)in->dims[axis];
    args->inner = (uint32_t)nnrt__movement_size(in, axis + 1, in->rank);
    args->batches = (uint32_t)nnrt__movement_size(in, 0, batches);
    return nnrt__movement_set_shape(ir, node, 0, rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__gather_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t inputs[2];
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[1]);
    return nnrt__lower_spec(lower, NNRT__KIND(gather), node, inputs, 2, &dst, 1, NULL);
}

NNRT__FN OH_NN_ReturnCode nnrt__one_hot_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *indices = nnrt__ir_in(ir, node, 0), *on = nnrt__ir_in(ir, node, 2);
    int64_t dims[NNRT_MAX_RANK + 1], depth = 0;
    const int64_t place = nnrt__ir_int(node, OH_NN_ONE_HOT_AXIS, -1);
    nnrt__one_hot_args *args = (nnrt__one_hot_args *)node->spec;
    uint32_t axis, count = 0, i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 3);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_ints(ir, node, 1, &depth, 1, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__movement_is_index(indices)) return nnrt__movement_bad(ir, node, "the indices must be int32 or int64");
    if (nnrt__ir_in(ir, node, 3)->dtype != on->dtype || nnrt__ir_in(ir, node, 3)->count != 1 || on->count != 1)
        return nnrt__movement_bad(ir, node, "the values for on and off are not one element each, of one data type");
    if (depth < 1) return nnrt__movement_bad(ir, node, "the depth is below 1");
    if (place < -1 || place > (int64_t)indices->rank) return nnrt__movement_bad(ir, node, "the axis is out of range");
    axis = place == -1 ? indices->rank : (uint32_t)place;
    for (i = 0; i <= indices->rank; i++)
        dims[i] = i < axis ? indices->dims[i] : i == axis ? depth : indices->dims[i - 1];
    args->outer = (uint32_t)nnrt__movement_size(indices, 0, axis);
    args->depth = (uint32_t)depth;
    args->inner = (uint32_t)nnrt__movement_size(indices, axis, indices->rank);
    return nnrt__movement_set_shape(ir, node, 0, indices->rank + 1, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__one_hot_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t inputs[3];
    inputs[0] = nnrt__lower_value(lower, node->inputs[0]);
    inputs[1] = nnrt__lower_value(lower, node->inputs[2]);
    inputs[2] = nnrt__lower_value(lower, node->inputs[3]);
    return nnrt__lower_spec(lower, NNRT__KIND(one_hot), node, inputs, 3, &dst, 1, NULL);
}

/* Strides of a value in an output of that shape, 0 where it repeats; false when it does not broadcast. */
NNRT__FN bool nnrt__select_strides(const nnrt__ir_value *value, uint32_t rank, const int64_t *dims, int32_t *strides) {
    int64_t stride = 1;
    uint32_t i;
    if (value->rank > rank) return false;
    for (i = 0; i < rank; i++) strides[i] = 0;
    for (i = value->rank; i-- > 0;) {
        const uint32_t at = i + rank - value->rank;
        if (value->dims[i] != 1 && value->dims[i] != dims[at]) return false;
        if (value->dims[i] != 1) strides[at] = (int32_t)stride;
        stride *= value->dims[i];
    }
    return true;
}

/* Shape of the output and strides of condition, a and b. SELECT: equal shapes, or a condition of one element, or
   one per slice of axis 0; WHERE: any that broadcast. */
NNRT__FN OH_NN_ReturnCode nnrt__select_shape(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *rank,
                                             int64_t *dims, int32_t strides[3][NNRT_MAX_RANK]) {
    const nnrt__ir_value *condition = nnrt__ir_in(ir, node, 0), *a = nnrt__ir_in(ir, node, 1);
    uint32_t i, k;
    *rank = 0;
    for (k = 0; k < 3; k++) {
        const uint32_t other = nnrt__ir_in(ir, node, k)->rank;
        if (other > *rank && (k != 0 || node->op == OH_NN_OPS_WHERE)) *rank = other;
    }
    for (i = 0; i < *rank; i++) {
        dims[i] = 1;
        for (k = node->op == OH_NN_OPS_WHERE ? 0 : 1; k < 3; k++) {
            const nnrt__ir_value *value = nnrt__ir_in(ir, node, k);
            if (i + value->rank < *rank) continue;
            if (dims[i] == 1) dims[i] = value->dims[i + value->rank - *rank];
        }
    }
    for (k = 0; k < 3; k++) {
        const nnrt__ir_value *value = nnrt__ir_in(ir, node, k);
        const bool equal = value->rank == *rank && value->count == nnrt__ir_in(ir, node, 1)->count;
        bool fits = nnrt__select_strides(value, *rank, dims, strides[k]);
        if (node->op == OH_NN_OPS_SELECT && k != 0) fits = fits && equal;
        if (node->op == OH_NN_OPS_SELECT && k == 0 && !(fits && equal)) {
            fits = condition->count == 1 || (condition->rank == 1 && a->rank > 1 && condition->dims[0] == a->dims[0]);
            for (i = 0; i < *rank; i++) strides[0][i] = 0;
            if (condition->count != 1 && *rank != 0) strides[0][0] = 1;
        }
        if (!fits) return nnrt__movement_bad(ir, node, "the shapes of the inputs do not go together");
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__select_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__select_args *args = (nnrt__select_args *)node->spec;
    int32_t strides[3][NNRT_MAX_RANK];
    int64_t dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code = nnrt__movement_same_type(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_same_type(ir, node, 2);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 1);
    if (code == OH_NN_SUCCESS) code = nnrt__movement_need_same_quant(ir, node, 2);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__ir_in(ir, node, 0)->dtype != OH_NN_BOOL)
        return nnrt__movement_bad(ir, node, "the condition must be bool");
    code = nnrt__select_shape(ir, node, &args->rank, dims, strides);
    if (code != OH_NN_SUCCESS) return code;
    args->element_size = (uint32_t)nnrt__element_size(nnrt__ir_out(ir, node, 0)->dtype);
    for (i = 0; i < args->rank; i++) {
        args->dims[i] = (int32_t)dims[i];
        args->condition[i] = strides[0][i];
        args->a[i] = strides[1][i];
        args->b[i] = strides[2][i];
    }
    return nnrt__movement_set_shape(ir, node, 0, args->rank, dims);
}

NNRT__FN OH_NN_ReturnCode nnrt__select_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const uint32_t dst = nnrt__lower_value(lower, node->outputs[0]);
    uint32_t inputs[3], i;
    for (i = 0; i < 3; i++) inputs[i] = nnrt__lower_value(lower, node->inputs[i]);
    return nnrt__lower_spec(lower, NNRT__KIND(select), node, inputs, 3, &dst, 1, NULL);
}

#endif /* NNRT_CPU_OPS_MOVEMENT_CHOOSE_H */
