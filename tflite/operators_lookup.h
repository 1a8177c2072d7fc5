/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_lookup.h - translators of what goes where indices say.   >>tflite_operators_lookup */
#ifndef NNRT_TFLITE_OPERATORS_LOOKUP_H
#define NNRT_TFLITE_OPERATORS_LOOKUP_H

#include "translate.h"

/* SCATTER_ND: rows of indices that name one place twice are added up, unlike OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_scatter_nd(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    return nnrt__tflite_add(t, op);
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

/* SPARSE_TO_DENSE: inputs (indices, shape, values, default). OpenHarmony's are indices, values, shape, and its default
   is 0: of another one the places that are written are marked, and WHERE chooses. */
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
