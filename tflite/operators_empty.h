/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_empty.h - operators that read or write tensors without elements.   >>tflite_operators_empty

   A graph has no tensor with a dimension of 0. The reader knows those of a file by their declared shapes, and handles
   them here:
       all outputs are empty     there is nothing to compute, and no node
       a list has no entries     of axes, sizes or repetitions: nothing changes but, perhaps, the shape
       some of several are empty CONCATENATION and SPLIT_V do without them
       a reduction of nothing    a constant: 0, 1, the end of the type, false or true, and the mean is no number
       a part that is not there  padding around it, and what it would have been put into, are left
   The rest is refused, as are model inputs and outputs without elements: OpenHarmony has no empty tensors. A wrong
   shape in the file is found when something with elements is computed from it. */
#ifndef NNRT_TFLITE_OPERATORS_EMPTY_H
#define NNRT_TFLITE_OPERATORS_EMPTY_H

#include "operators_shape.h"
#include "translate.h"

#include <math.h>

/* TensorFlow Lite's numbers of the operators that are named here. */
enum {
    NNRT__TFL_CONCATENATION = 2,
    NNRT__TFL_RESHAPE = 22,
    NNRT__TFL_PAD = 34,
    NNRT__TFL_TRANSPOSE = 39,
    NNRT__TFL_MEAN = 40,
    NNRT__TFL_STRIDED_SLICE = 45,
    NNRT__TFL_TOPK_V2 = 48,
    NNRT__TFL_PADV2 = 60,
    NNRT__TFL_SLICE = 65,
    NNRT__TFL_TILE = 69,
    NNRT__TFL_SUM = 74,
    NNRT__TFL_SHAPE = 77,
    NNRT__TFL_REDUCE_PROD = 81,
    NNRT__TFL_REDUCE_MAX = 82,
    NNRT__TFL_ONE_HOT = 85,
    NNRT__TFL_REDUCE_MIN = 89,
    NNRT__TFL_REDUCE_ANY = 91,
    NNRT__TFL_FILL = 94,
    NNRT__TFL_RANGE = 96,
    NNRT__TFL_SPLIT_V = 102,
    NNRT__TFL_RANK = 110,
    NNRT__TFL_SCATTER_ND = 122,
    NNRT__TFL_BROADCAST_TO = 130,
    NNRT__TFL_REDUCE_ALL = 140,
    NNRT__TFL_BROADCAST_ARGS = 145,
    NNRT__TFL_UPDATE_SLICE = 151
};

NNRT__FN bool nnrt__tflite_is_empty(const nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t i) {
    return i < op->input_count && op->inputs[i] != NNRT__TFLITE_ABSENT && t->known[op->inputs[i]] == NNRT__TFLITE_EMPTY;
}

/* Whether inputs with elements can give outputs without. */
NNRT__FN bool nnrt__tflite_makes_empty(int code) {
    switch (code) {
    case NNRT__TFL_STRIDED_SLICE:
    case NNRT__TFL_TOPK_V2:
    case NNRT__TFL_SLICE:
    case NNRT__TFL_TILE:
    case NNRT__TFL_SHAPE:
    case NNRT__TFL_ONE_HOT:
    case NNRT__TFL_FILL:
    case NNRT__TFL_RANGE:
    case NNRT__TFL_SPLIT_V:
    case NNRT__TFL_BROADCAST_TO: return true;
    default: return false;
    }
}

NNRT__FN bool nnrt__tflite_reduces(int code) {
    return code == NNRT__TFL_MEAN || code == NNRT__TFL_SUM || code == NNRT__TFL_REDUCE_PROD ||
           code == NNRT__TFL_REDUCE_MAX || code == NNRT__TFL_REDUCE_MIN || code == NNRT__TFL_REDUCE_ANY ||
           code == NNRT__TFL_REDUCE_ALL;
}

/* Whether the second input lists axes, or has an entry for each axis. */
NNRT__FN bool nnrt__tflite_lists_axes(int code) {
    return nnrt__tflite_reduces(code) || code == NNRT__TFL_PAD || code == NNRT__TFL_PADV2 ||
           code == NNRT__TFL_TRANSPOSE || code == NNRT__TFL_STRIDED_SLICE || code == NNRT__TFL_SLICE ||
           code == NNRT__TFL_TILE || code == NNRT__TFL_BROADCAST_TO;
}

/* Makes the output input i: the same elements with the same quantization. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_is_input(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t i) {
    const nnrt_quant *in = &nnrt__tflite_info(t, op->inputs[i])->quant;
    const nnrt_quant *out = &nnrt__tflite_info(t, op->outputs[0])->quant;
    if (in->count != out->count || in->count > 1 ||
        (in->count == 1 &&
         (memcmp(in->scales, out->scales, sizeof(in->scales[0])) != 0 || in->zero_points[0] != out->zero_points[0])))
        return nnrt__tflite_op_unsupported(op, "an output of another quantization, and a list without entries,");
    op->inputs[0] = op->inputs[i];
    return nnrt__tflite_same_elements(t, op);
}

/* Every element of the output is the one that data holds in its type. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_filled(nnrt__tflite *t, const nnrt__tflite_op *op, const void *data) {
    uint32_t value = 0, shape = 0;
    OH_NN_ReturnCode code = nnrt__tflite_scalar(t, op, nnrt__tflite_info(t, op->outputs[0])->dtype, data, &value);
    if (code == OH_NN_SUCCESS && nnrt__tflite_info(t, op->outputs[0])->rank == 0)
        return nnrt__tflite_to_scalar(t, op, value, op->outputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_dims_constant(t, op, op->outputs[0], &shape);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_FILL, value, shape, NNRT__TFLITE_ABSENT, op->outputs[0]);
}

/* The result of a reduction of no elements. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reduced_nothing(nnrt__tflite *t, const nnrt__tflite_op *op) {
    const OH_NN_DataType dtype = nnrt__tflite_info(t, op->outputs[0])->dtype;
    const int code = op->row->code;
    const float real = code == NNRT__TFL_REDUCE_PROD  ? 1.0f
                       : code == NNRT__TFL_REDUCE_MAX ? -3.402823466e+38f
                       : code == NNRT__TFL_REDUCE_MIN ? 3.402823466e+38f
                       : code == NNRT__TFL_MEAN       ? (float)NAN
                                                      : 0.0f;
    const int32_t whole = code == NNRT__TFL_REDUCE_PROD  ? 1
                          : code == NNRT__TFL_REDUCE_MAX ? INT32_MIN
                          : code == NNRT__TFL_REDUCE_MIN ? INT32_MAX
                                                         : 0;
    const uint8_t all = code == NNRT__TFL_REDUCE_ALL ? 1 : 0;
    if (dtype == OH_NN_FLOAT32) return nnrt__tflite_filled(t, op, &real);
    if (dtype == OH_NN_BOOL) return nnrt__tflite_filled(t, op, &all);
    if (dtype == OH_NN_INT32 && nnrt__tflite_info(t, op->outputs[0])->quant.count == 0)
        return nnrt__tflite_filled(t, op, &whole);
    return nnrt__tflite_op_unsupported(op, "a reduction of no elements in this data type");
}

/* Padding around nothing: zeros, or the value of PADV2. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_padding_alone(nnrt__tflite *t, const nnrt__tflite_op *op) {
    const nnrt_tensor_info *out = nnrt__tflite_info(t, op->outputs[0]);
    uint8_t element[8] = {0};
    uint32_t shape = 0;
    OH_NN_ReturnCode code;
    if (op->row->code == NNRT__TFL_PADV2) {
        code = nnrt__tflite_dims_constant(t, op, op->outputs[0], &shape);
        if (code != OH_NN_SUCCESS) return code;
        return nnrt__tflite_node(t, op, OH_NN_OPS_FILL, op->inputs[2], shape, NNRT__TFLITE_ABSENT, op->outputs[0]);
    }
    if (out->quant.count > 1 || (out->quant.count == 1 && out->dtype != OH_NN_INT8 && out->dtype != OH_NN_UINT8 &&
                                 out->quant.zero_points[0] != 0))
        return nnrt__tflite_op_unsupported(op, "padding around nothing with this quantization");
    if (out->quant.count == 1) element[0] = (uint8_t)((uint32_t)out->quant.zero_points[0] & 0xff);
    return nnrt__tflite_filled(t, op, element);
}

/* SHAPE and RANK of a tensor without elements: numbers that stand in the file. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_empty_shape(nnrt__tflite *t, const nnrt__tflite_op *op) {
    const OH_NN_DataType dtype = nnrt__tflite_info(t, op->outputs[0])->dtype;
    int64_t wide[NNRT_MAX_RANK];
    int32_t narrow[NNRT_MAX_RANK];
    nnrt__fb_table table;
    nnrt__fb_vector shape;
    uint32_t count, constant = 0, i;
    OH_NN_ReturnCode code;
    if (!nnrt__fb_element_table(&t->fb, &t->tensors, op->inputs[0], &table) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_TENSOR_SHAPE, 4, &shape))
        return nnrt__tflite_broken(t, "tensor", op->inputs[0]);
    count = shape.count < NNRT_MAX_RANK ? shape.count : NNRT_MAX_RANK; /* it is not above */
    for (i = 0; i < count; i++) wide[i] = narrow[i] = nnrt__fb_element_i32(&t->fb, &shape, i);
    if (op->row->code == NNRT__TFL_RANK) {
        wide[0] = narrow[0] = (int32_t)count;
        count = 1;
    }
    if (dtype != OH_NN_INT32 && dtype != OH_NN_INT64)
        return nnrt__tflite_op_wrong(op, "its output is neither int32 nor int64");
    code = nnrt__tflite_constant(t, op, dtype, (int32_t)count,
                                 dtype == OH_NN_INT64 ? (const void *)wide : (const void *)narrow, &constant);
    return code == OH_NN_SUCCESS ? nnrt__tflite_reshaped(t, op, constant, op->outputs[0]) : code;
}

/* CONCATENATION without what has no elements. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_joined(nnrt__tflite *t, nnrt__tflite_op *op) {
    uint32_t kept = 0, i;
    for (i = 0; i < op->input_count; i++)
        if (!nnrt__tflite_is_empty(t, op, i)) op->inputs[kept++] = op->inputs[i];
    if (kept == 0) return nnrt__tflite_op_wrong(op, "its output has elements and no input has");
    op->input_count = kept;
    return op->row->translate(t, op);
}

/* Translates an operator with an empty tensor whose outputs have elements. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_of_empty(nnrt__tflite *t, nnrt__tflite_op *op) {
    const int code = op->row->code;
    const float zero[2] = {0.0f, 0.0f};
    uint32_t i = 0;
    if (code == NNRT__TFL_CONCATENATION) return nnrt__tflite_joined(t, op);
    if (code == NNRT__TFL_SHAPE || code == NNRT__TFL_RANK) return nnrt__tflite_empty_shape(t, op);
    if (nnrt__tflite_is_empty(t, op, 0)) {
        if (nnrt__tflite_reduces(code)) return nnrt__tflite_reduced_nothing(t, op);
        if (code == NNRT__TFL_PAD || code == NNRT__TFL_PADV2) return nnrt__tflite_padding_alone(t, op);
        if (code == NNRT__TFL_SCATTER_ND && !nnrt__tflite_is_empty(t, op, 2)) return nnrt__tflite_filled(t, op, zero);
        if (code == NNRT__TFL_FILL || code == NNRT__TFL_BROADCAST_ARGS) return nnrt__tflite_is_input(t, op, 1);
    } else if (nnrt__tflite_is_empty(t, op, 1)) {
        if (code == NNRT__TFL_RESHAPE) return nnrt__tflite_same_elements(t, op);
        if (code == NNRT__TFL_UPDATE_SLICE || code == NNRT__TFL_BROADCAST_ARGS || nnrt__tflite_lists_axes(code))
            return nnrt__tflite_is_input(t, op, 0);
    }
    while (i + 1 < op->input_count && !nnrt__tflite_is_empty(t, op, i)) i++;
    return nnrt__tflite_not_empty(t, op->inputs[i]);
}

/* Translates an operator with an empty input or output. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_with_empty(nnrt__tflite *t, nnrt__tflite_op *op) {
    const int code = op->row->code;
    const bool reads_none =
        op->empty_inputs != 0 && (!nnrt__tflite_lists_axes(code) || nnrt__tflite_is_empty(t, op, 0));
    if (op->empty_outputs == 0) return nnrt__tflite_of_empty(t, op);
    if (op->empty_outputs == op->output_count && (reads_none || nnrt__tflite_makes_empty(code))) return OH_NN_SUCCESS;
    if (code == NNRT__TFL_SPLIT_V && op->empty_inputs == 0) return op->row->translate(t, op);
    return nnrt__tflite_op_unsupported(op, "an output with a dimension of 0, of inputs that have none,");
}

#endif /* NNRT_TFLITE_OPERATORS_EMPTY_H */
