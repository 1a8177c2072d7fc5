/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_nearest.h - translator of RESIZE_NEAREST_NEIGHBOR: a GATHER along each axis.
   >>tflite_operators_nearest

   As in TensorFlow Lite the new size is that of the second input, a constant or what a run computes, whatever comes
   in. Where the sizes are known the indices are constants; else operators compute them in the run, in the same
   floats. */
#ifndef NNRT_TFLITE_OPERATORS_NEAREST_H
#define NNRT_TFLITE_OPERATORS_NEAREST_H

#include "operators_math.h"

/* ---------------------------------------------------------------------------------------- sizes that are known */

/* Which of `from` elements element i of `to` is, in float as TensorFlow Lite has it. */
NNRT__FN int32_t nnrt__tflite_nearest(int32_t i, int32_t from, int32_t to, bool align_corners, bool half_pixels) {
    const float scale = align_corners && to > 1 ? (float)(from - 1) / (float)(to - 1) : (float)from / (float)to;
    const float at = ((float)i + (half_pixels ? 0.5f : 0.0f)) * scale;
    const int32_t source = (int32_t)(align_corners ? at + 0.5f : at); /* it is not negative */
    return source < from - 1 ? source : from - 1;
}

/* GATHER along an axis: output element i is the input's nearest to it. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_nearest_along(nnrt__tflite *t, const nnrt__tflite_op *op, int32_t axis,
                                                     const int32_t *options, uint32_t input, uint32_t output) {
    const int32_t from = nnrt__tflite_info(t, input)->dims[axis], to = nnrt__tflite_info(t, output)->dims[axis];
    uint32_t inputs[3];
    int32_t *indices, i;
    OH_NN_ReturnCode code;
    if (from < 1 || to < 1) return nnrt__tflite_op_wrong(op, "a size of its images is below 1");
    if (!nnrt__tflite_charge(t, (size_t)to, 1)) return nnrt__tflite_op_broken(t, op);
    indices = (int32_t *)nnrt__alloc_zero((size_t)to, sizeof(int32_t));
    if (indices == NULL) return nnrt__fail_memory();
    for (i = 0; i < to; i++) indices[i] = nnrt__tflite_nearest(i, from, to, options[0] != 0, options[1] != 0);
    inputs[0] = input;
    code = nnrt__tflite_constant(t, op, OH_NN_INT32, to, indices, &inputs[1]);
    nnrt__free(indices);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_number(t, op, OH_NN_INT32, axis, &inputs[2]);
    return code == OH_NN_SUCCESS ? nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_GATHER, inputs, 3,
                                                                                &output, 1, NULL, 0))
                                 : code;
}

/* ------------------------------------------------------------------------------- sizes that only a run knows */

/* A GATHER along an axis. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_gather_along(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                    uint32_t indices, int32_t axis, uint32_t output) {
    uint32_t number = 0;
    OH_NN_ReturnCode code = nnrt__tflite_number(t, op, OH_NN_INT32, axis, &number);
    return code == OH_NN_SUCCESS ? nnrt__tflite_node(t, op, OH_NN_OPS_GATHER, input, indices, number, output) : code;
}

/* Number `at` of a list of int32, a scalar. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_entry(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t list, int32_t at,
                                             uint32_t *entry) {
    uint32_t index = 0;
    OH_NN_ReturnCode code = nnrt__tflite_number(t, op, OH_NN_INT32, at, &index);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, index, OH_NN_INT32, entry);
    return code == OH_NN_SUCCESS ? nnrt__tflite_gather_along(t, op, list, index, 0, *entry) : code;
}

/* input and a number, in the type of input. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_with(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_OperationType type,
                                            uint32_t input, float number, uint32_t *result) {
    const OH_NN_DataType dtype = nnrt__tflite_info(t, input)->dtype;
    uint32_t operand = 0;
    OH_NN_ReturnCode code = dtype == OH_NN_FLOAT32 ? nnrt__tflite_scalar(t, op, dtype, &number, &operand)
                                                   : nnrt__tflite_number(t, op, dtype, (int32_t)number, &operand);
    return code == OH_NN_SUCCESS ? nnrt__tflite_step(t, op, type, input, operand, input, dtype, result) : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_as(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                          OH_NN_DataType dtype, uint32_t *result) {
    OH_NN_ReturnCode code = nnrt__tflite_between(t, op, input, dtype, result);
    return code == OH_NN_SUCCESS ? nnrt__tflite_cast_node(t, op, input, *result) : code;
}

/* 0, 1 .. count - 1, count being a scalar of int32. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_counting(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t count,
                                                uint32_t *result) {
    static const int32_t open = -1;
    static const uint8_t yes = 1;
    uint32_t inputs[3];
    nnrt_tensor_info info;
    nnrt_param param;
    OH_NN_ReturnCode code = nnrt__tflite_number(t, op, OH_NN_INT32, 0, &inputs[0]);
    inputs[1] = count;
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_number(t, op, OH_NN_INT32, 1, &inputs[2]);
    if (code != OH_NN_SUCCESS) return code;
    info = *nnrt__tflite_info(t, count);
    info.rank = 1;
    info.dims = &open;
    memset(&param, 0, sizeof(param));
    param.type = NNRT__TENSOR_TFLITE;
    param.dtype = OH_NN_BOOL;
    param.count = 1;
    param.data = &yes;
    code = nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, result));
    return code == OH_NN_SUCCESS ? nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_RANGE, inputs, 3,
                                                                                result, 1, &param, 1))
                                 : code;
}

/* from / to, or with aligned corners (from - 1) / (to - 1); to 1, whose only index is 0 in every scale, counts as 2.
   from, to: scalars of int32; *scale: of float. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_nearest_scale(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t from,
                                                     uint32_t to, bool align_corners, uint32_t *scale) {
    uint32_t above = 0, below = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (align_corners) {
        code = nnrt__tflite_with(t, op, OH_NN_OPS_SUB, from, 1.0f, &from);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_with(t, op, OH_NN_OPS_SUB, to, 1.0f, &to);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_with(t, op, OH_NN_OPS_MAXIMUM, to, 1.0f, &to);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_as(t, op, from, OH_NN_FLOAT32, &above);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_as(t, op, to, OH_NN_FLOAT32, &below);
    return code == OH_NN_SUCCESS ? nnrt__tflite_step(t, op, OH_NN_OPS_DIV, above, below, above, OH_NN_FLOAT32, scale)
                                 : code;
}

/* As nnrt__tflite_nearest_along: shape and size are lists of int32 that a run knows, of the input's dimensions and of
   height and width. Numbers below 2^24, which are exact in float, as sizes of images are. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_nearest_in_run(nnrt__tflite *t, const nnrt__tflite_op *op, int32_t axis,
                                                      const int32_t *options, uint32_t shape, uint32_t size,
                                                      uint32_t input, uint32_t output) {
    uint32_t from = 0, to = 0, at = 0, scale = 0, last = 0, indices = 0;
    OH_NN_ReturnCode code = nnrt__tflite_entry(t, op, shape, axis, &from);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_entry(t, op, size, axis - 1, &to);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_nearest_scale(t, op, from, to, options[0] != 0, &scale);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_counting(t, op, to, &indices);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_as(t, op, indices, OH_NN_FLOAT32, &at);
    if (code == OH_NN_SUCCESS && options[1] != 0) code = nnrt__tflite_with(t, op, OH_NN_OPS_ADD, at, 0.5f, &at);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_step(t, op, OH_NN_OPS_MUL, at, scale, at, OH_NN_FLOAT32, &at);
    if (code == OH_NN_SUCCESS && options[0] != 0) code = nnrt__tflite_with(t, op, OH_NN_OPS_ADD, at, 0.5f, &at);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_as(t, op, at, OH_NN_INT32, &indices); /* not negative: cut off */
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_with(t, op, OH_NN_OPS_SUB, from, 1.0f, &last);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_MINIMUM, indices, last, indices, OH_NN_INT32, &indices);
    return code == OH_NN_SUCCESS ? nnrt__tflite_gather_along(t, op, input, indices, axis, output) : code;
}

/* ------------------------------------------------------------------------------------------------ the operator */

/* inputs (image, [height, width]), options (align corners, half pixel centres). Rows are gathered first, which are
   whole pieces of memory. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_resize_nearest(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]), *output = nnrt__tflite_info(t, op->outputs[0]);
    const nnrt_tensor_info *list = nnrt__tflite_info(t, op->inputs[1]);
    const bool known = !t->resizes && list->data != NULL && !nnrt__shape_is_dynamic(input->rank, input->dims) &&
                       !nnrt__shape_is_dynamic(output->rank, output->dims);
    nnrt_tensor_info rows = *input;
    int32_t dims[4], options[2] = {0, 0};
    int64_t size[2] = {0, 0};
    uint32_t count = 0, between = 0, shape = 0;
    OH_NN_ReturnCode code = list->data != NULL ? nnrt__tflite_integers(t, op, 1, size, 2, &count) : OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__tflite_option_byte(t, op, 0, &options[0]) || !nnrt__tflite_option_byte(t, op, 1, &options[1]))
        return nnrt__tflite_op_broken(t, op);
    if (input->rank != 4 || output->rank != 4)
        return nnrt__tflite_op_wrong(op, "its size is not the height and width of its output");
    if (list->data != NULL && (count != 2 || size[0] < 1 || size[1] < 1 ||
                               (known && (size[0] != output->dims[1] || size[1] != output->dims[2]))))
        return nnrt__tflite_op_wrong(op, "its size is not the height and width of its output");
    if (!known && list->dtype != OH_NN_INT32) return nnrt__tflite_op_unsupported(op, "a size that is not int32");
    if (!known && options[0] != 0 && options[1] != 0)
        return nnrt__tflite_op_unsupported(op, "aligned corners and half pixels at once, in sizes that a run knows");
    memcpy(dims, input->dims, sizeof(dims));
    dims[1] = known ? output->dims[1] : -1;
    rows.name = "";
    rows.dims = dims;
    rows.data = NULL;
    rows.data_size = 0;
    code = nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &rows, false, &between));
    if (code == OH_NN_SUCCESS && known) {
        code = nnrt__tflite_nearest_along(t, op, 1, options, op->inputs[0], between);
        return code == OH_NN_SUCCESS ? nnrt__tflite_nearest_along(t, op, 2, options, between, op->outputs[0]) : code;
    }
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_shape_of(t, op, op->inputs[0], OH_NN_INT32, &shape);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_nearest_in_run(t, op, 1, options, shape, op->inputs[1], op->inputs[0], between);
    return code == OH_NN_SUCCESS
               ? nnrt__tflite_nearest_in_run(t, op, 2, options, shape, op->inputs[1], between, op->outputs[0])
               : code;
}

#endif /* NNRT_TFLITE_OPERATORS_NEAREST_H */
