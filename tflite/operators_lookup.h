/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_lookup.h - translators of operators that work by indices.   >>tflite_operators_lookup */
#ifndef NNRT_TFLITE_OPERATORS_LOOKUP_H
#define NNRT_TFLITE_OPERATORS_LOOKUP_H

#include "translate.h"

/* SCATTER_ND: values for the same place are added up, unlike in OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_scatter_nd(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    return nnrt__tflite_add(t, op);
}

/* Prepends ones to *shape, a list of numbers, up to count of them. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_ones_before(nnrt__tflite *t, const nnrt__tflite_op *op, int32_t count,
                                                   uint32_t *shape) {
    const nnrt_tensor_info *info = nnrt__tflite_info(t, *shape);
    const OH_NN_DataType dtype = info->dtype;
    const int32_t missing = count - info->dims[0];
    const int64_t axis = 0;
    uint32_t parts[2], whole = 0;
    int64_t wide[NNRT_MAX_RANK];
    int32_t narrow[NNRT_MAX_RANK];
    nnrt_param param;
    uint32_t i;
    OH_NN_ReturnCode code;
    if (missing == 0) return OH_NN_SUCCESS;
    memset(&param, 0, sizeof(param));
    param.type = OH_NN_CONCAT_AXIS;
    param.dtype = OH_NN_INT64;
    param.count = 1;
    param.data = &axis;
    for (i = 0; i < NNRT_MAX_RANK; i++) wide[i] = narrow[i] = 1;
    parts[1] = *shape;
    code = nnrt__tflite_constant(t, op, dtype, missing,
                                 dtype == OH_NN_INT64 ? (const void *)wide : (const void *)narrow, &parts[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_numbers(t, op, dtype, 1, count, NULL, &whole);
    *shape = whole;
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_CONCAT, parts, 2, &whole, 1, &param, 1));
}

/* BROADCAST_ARGS: inputs (two shapes), the shape that both broadcast to: of two dimensions the one that is not 1, with
   an ASSERT that one is 1 or both are equal. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_broadcast_args(nnrt__tflite *t, nnrt__tflite_op *op) {
    const OH_NN_DataType dtype = nnrt__tflite_info(t, op->inputs[0])->dtype;
    uint32_t shapes[2], truths[5], one = 0, i;
    int32_t count = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    for (i = 0; i < 2; i++) {
        const nnrt_tensor_info *info = nnrt__tflite_info(t, op->inputs[i]);
        if ((info->dtype != OH_NN_INT32 && info->dtype != OH_NN_INT64) || info->dtype != dtype || info->rank != 1)
            return nnrt__tflite_op_wrong(op, "its inputs are not two lists of int32 or of int64");
        if (info->dims[0] < 1 || info->dims[0] > (int32_t)NNRT_MAX_RANK)
            return nnrt__tflite_op_unsupported(op, "a shape of no or of many dimensions");
        if (info->dims[0] > count) count = info->dims[0];
        shapes[i] = op->inputs[i];
    }
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++) code = nnrt__tflite_ones_before(t, op, count, &shapes[i]);
    for (i = 0; i < 5 && code == OH_NN_SUCCESS; i++)
        code = nnrt__tflite_numbers(t, op, OH_NN_BOOL, 1, count, NULL, &truths[i]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_number(t, op, dtype, 1, &one);
    for (i = 0; i < 3 && code == OH_NN_SUCCESS; i++) /* the first is 1, the second is, they are equal */
        code = nnrt__tflite_node(t, op, OH_NN_OPS_EQUAL, shapes[i % 2], i < 2 ? one : shapes[1], NNRT__TFLITE_ABSENT,
                                 truths[i]);
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++)
        code = nnrt__tflite_node(t, op, OH_NN_OPS_LOGICAL_OR, truths[i == 0 ? 0 : 3], truths[i + 1],
                                 NNRT__TFLITE_ABSENT, truths[3 + i]);
    if (code == OH_NN_SUCCESS) {
        uint32_t checked = 0;
        code = nnrt__tflite_numbers(t, op, OH_NN_BOOL, 1, count, NULL, &checked);
        if (code == OH_NN_SUCCESS)
            code = nnrt__tflite_node(t, op, OH_NN_OPS_ASSERT, truths[4], shapes[0], NNRT__TFLITE_ABSENT, checked);
    }
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_WHERE, truths[0], shapes[1], shapes[0], op->outputs[0]);
}

/* A tensor of the shape of output 0 that no file has: of its type, with its quantization, or bool. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_like_output(nnrt__tflite *t, const nnrt__tflite_op *op, bool is_bool,
                                                   uint32_t *index) {
    nnrt_tensor_info info = *nnrt__tflite_info(t, op->outputs[0]);
    info.name = "";
    if (is_bool) {
        memset(&info.quant, 0, sizeof(info.quant));
        info.dtype = OH_NN_BOOL;
    }
    return nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, index));
}

/* SPARSE_TO_DENSE: inputs (indices, shape, values, default). OpenHarmony's inputs are indices, values, shape, with a
   default of 0: for another default the written places are marked, and WHERE chooses. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_sparse_to_dense(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *other = nnrt__tflite_info(t, op->inputs[3]);
    const uint32_t shape = op->inputs[1], otherwise = op->inputs[3], output = op->outputs[0];
    const uint8_t yes = 1;
    uint32_t chosen[3], marks[3];
    OH_NN_ReturnCode code;
    size_t i = 0;
    while (other->data != NULL && i < other->data_size && ((const uint8_t *)other->data)[i] == 0) i++;
    op->inputs[1] = op->inputs[2];
    op->inputs[2] = shape;
    op->input_count = 3;
    if (other->data != NULL && i == other->data_size) return nnrt__tflite_add(t, op);
    marks[0] = op->inputs[0];
    marks[2] = shape;
    chosen[2] = otherwise;
    code = nnrt__tflite_constant(t, op, OH_NN_BOOL, 1, &yes, &marks[1]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_like_output(t, op, true, &chosen[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_like_output(t, op, false, &chosen[1]);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_stored(
            op, nnrt__graph_add_node(t->store, OH_NN_OPS_SPARSE_TO_DENSE, marks, 3, &chosen[0], 1, NULL, 0));
    op->outputs[0] = chosen[1];
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_add(t, op);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_WHERE, chosen, 3, &output, 1, NULL, 0));
}

#endif /* NNRT_TFLITE_OPERATORS_LOOKUP_H */
