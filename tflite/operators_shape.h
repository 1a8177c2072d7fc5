/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_shape.h - translators of what moves elements and changes shapes.   >>tflite_operators_shape */
#ifndef NNRT_TFLITE_OPERATORS_SHAPE_H
#define NNRT_TFLITE_OPERATORS_SHAPE_H

#include "translate.h"

/* RESHAPE: the shape is the second input or, in older files, an option (shape); without either, that of the
   output. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reshape(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__fb_vector shape;
    int32_t dims[NNRT_MAX_RANK];
    uint32_t i;
    OH_NN_ReturnCode code;
    if (op->input_count > 1 && op->inputs[1] != NNRT__TFLITE_ABSENT) return nnrt__tflite_add(t, op);
    memset(&shape, 0, sizeof(shape));
    if (op->has_options && !nnrt__fb_vector_field(&t->fb, &op->options, 0, 4, &shape)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (shape.count > NNRT_MAX_RANK) return nnrt__tflite_op_unsupported(op, "a shape of so many dimensions");
    for (i = 0; i < shape.count; i++) dims[i] = nnrt__fb_element_i32(&t->fb, &shape, i);
    op->input_count = 2;
    code = shape.count != 0 ? nnrt__tflite_constant(t, op, OH_NN_INT32, (int32_t)shape.count, dims, &op->inputs[1])
                            : nnrt__tflite_dims_constant(t, op, op->outputs[0], &op->inputs[1]);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* SQUEEZE: options (list of axes; none: every dimension of 1). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_squeeze(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__fb_vector axes;
    int64_t wide[NNRT_MAX_RANK];
    uint32_t i;
    memset(&axes, 0, sizeof(axes));
    if (op->has_options && !nnrt__fb_vector_field(&t->fb, &op->options, 0, 4, &axes)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (axes.count > NNRT_MAX_RANK) return nnrt__tflite_op_wrong(op, "it squeezes more axes than a tensor can have");
    for (i = 0; i < axes.count; i++) wide[i] = nnrt__fb_element_i32(&t->fb, &axes, i);
    if (axes.count != 0) nnrt__tflite_param(op, OH_NN_SQUEEZE_AXIS, OH_NN_INT64, axes.count, wide);
    return nnrt__tflite_add(t, op);
}

/* CONCATENATION: options (axis, activation). OpenHarmony's has no activation: it then writes a tensor like
   the output, and a RELU or RELU6 behind it writes the output. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_concat(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    OH_NN_FuseType fuse = OH_NN_FUSED_NONE;
    nnrt_tensor_info between;
    int32_t axis = 0;
    OH_NN_ReturnCode code = nnrt__tflite_activation(t, op, 1, &fuse);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__tflite_option_i32(t, op, 0, &axis)) return nnrt__tflite_op_broken(t, op);
    if (op->input_count < 2) return nnrt__tflite_op_unsupported(op, "a single input");
    nnrt__tflite_param_i64(op, OH_NN_CONCAT_AXIS, axis);
    if (fuse == OH_NN_FUSED_NONE) return nnrt__tflite_add(t, op);
    between = *nnrt__tflite_info(t, output);
    between.name = "";
    code = nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &between, false, &op->outputs[0]));
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_add(t, op);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store,
                                                        fuse == OH_NN_FUSED_RELU ? OH_NN_OPS_RELU : OH_NN_OPS_RELU6,
                                                        op->outputs, 1, &output, 1, NULL, 0));
}

/* PADV2: the value is the third input, a constant in the type of the first; OpenHarmony's is the real
   value. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_pad_value(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *value = nnrt__tflite_info(t, op->inputs[2]);
    const nnrt_quant *quant = &nnrt__tflite_info(t, op->inputs[0])->quant;
    double real;
    if (value->data == NULL) return nnrt__tflite_op_unsupported(op, "a padding value that is not constant");
    if (value->data_size != nnrt__element_size(value->dtype) ||
        value->dtype != nnrt__tflite_info(t, op->inputs[0])->dtype) {
        return nnrt__tflite_op_wrong(op, "the padding value is not one element of the type of the input");
    }
    if (value->dtype == OH_NN_FLOAT32) {
        real = (double)nnrt__read_f32(value->data);
    } else if (nnrt__is_integer(value->dtype)) {
        const int64_t integer = nnrt__read_integer(value->dtype, value->data, 0);
        if (integer > 16777216 || integer < -16777216) return nnrt__tflite_op_unsupported(op, "so large a value");
        real = quant->count != 0 ? (double)(integer - quant->zero_points[0]) * quant->scales[0] : (double)integer;
    } else {
        return nnrt__tflite_op_unsupported(op, "the type of the padding value");
    }
    if (!(real <= 3.402823466e+38 && real >= -3.402823466e+38)) {
        return nnrt__tflite_op_unsupported(op, "a padding value that is not finite");
    }
    op->input_count = 2;
    nnrt__tflite_param_f32(op, OH_NN_PAD_CONSTANT_VALUE, (float)real);
    return nnrt__tflite_add(t, op);
}

/* MIRROR_PAD: options (mode: 0 reflect, 1 symmetric). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_mirror_pad(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t mode = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &mode)) return nnrt__tflite_op_broken(t, op);
    if (mode != 0 && mode != 1) return nnrt__tflite_op_wrong(op, "its mode is neither REFLECT nor SYMMETRIC");
    mode++;
    nnrt__tflite_param(op, OH_NN_PAD_PADDING_MODE, OH_NN_INT32, 1, &mode);
    return nnrt__tflite_add(t, op);
}

/* STRIDED_SLICE: options (masks of begin, end, ellipsis, new axis, shrink axis; offset). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_strided_slice(nnrt__tflite *t, nnrt__tflite_op *op) {
    static const OH_NN_TensorType types[5] = {OH_NN_STRIDED_SLICE_BEGIN_MASK, OH_NN_STRIDED_SLICE_END_MASK,
                                              OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, OH_NN_STRIDED_SLICE_NEW_AXIS_MASK,
                                              OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK};
    int32_t offset = 0;
    unsigned i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++) {
        int32_t mask = 0;
        if (!nnrt__tflite_option_i32(t, op, i, &mask)) return nnrt__tflite_op_broken(t, op);
        /* may cover several axes */
        if (i == 2 && mask != 0) return nnrt__tflite_op_unsupported(op, "an ellipsis");
        nnrt__tflite_param_i64(op, types[i], mask);
    }
    if (!nnrt__tflite_option_byte(t, op, 5, &offset)) return nnrt__tflite_op_broken(t, op);
    if (offset != 0) return nnrt__tflite_op_unsupported(op, "an end that counts from the beginning");
    return nnrt__tflite_add(t, op);
}

/* SPLIT: inputs (axis, value), options (number of parts). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_split(nnrt__tflite *t, nnrt__tflite_op *op) {
    int64_t axis = 0;
    int32_t parts = 0;
    OH_NN_ReturnCode code = nnrt__tflite_integer(t, op, 0, &axis);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__tflite_option_i32(t, op, 0, &parts)) return nnrt__tflite_op_broken(t, op);
    if (parts < 0 || (uint32_t)parts != op->output_count) {
        return nnrt__tflite_op_wrong(op, "the number of parts is not that of the outputs");
    }
    op->inputs[0] = op->inputs[1];
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_AXIS, axis);
    nnrt__tflite_param_i64(op, OH_NN_SPLIT_OUTPUT_NUM, parts);
    return nnrt__tflite_add(t, op);
}

/* ARG_MAX: inputs (value, axis). The type of the output is its tensor's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_arg_max(nnrt__tflite *t, nnrt__tflite_op *op) {
    int64_t axis = 0;
    OH_NN_ReturnCode code = nnrt__tflite_integer(t, op, 1, &axis);
    if (code != OH_NN_SUCCESS) return code;
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_ARG_MAX_AXIS, axis);
    return nnrt__tflite_add(t, op);
}

/* SPACE_TO_DEPTH, DEPTH_TO_SPACE: options (block size). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_block(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t block = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &block)) return nnrt__tflite_op_broken(t, op);
    if (block < 1) return nnrt__tflite_op_wrong(op, "its block size is below 1");
    nnrt__tflite_param_i64(op, op->row->param, block);
    return nnrt__tflite_add(t, op);
}

/* GATHER: options (axis, batch dims). The axis is an input of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_gather(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t axis = 0, batches = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_i32(t, op, 0, &axis) || !nnrt__tflite_option_i32(t, op, 1, &batches)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (batches != 0) return nnrt__tflite_op_unsupported(op, "a gather in batches");
    op->input_count = 3;
    code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &axis, &op->inputs[2]);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* PACK: options (number of values, axis). OpenHarmony's stack has two inputs at least; one is an
   unsqueeze. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_pack(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t values = 0, axis = 0;
    if (!nnrt__tflite_option_i32(t, op, 0, &values) || !nnrt__tflite_option_i32(t, op, 1, &axis)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (values < 0 || (uint32_t)values != op->input_count) {
        return nnrt__tflite_op_wrong(op, "the number of values is not that of the inputs");
    }
    nnrt__tflite_param_i64(op, values > 1 ? OH_NN_STACK_AXIS : OH_NN_UNSQUEEZE_AXIS, axis);
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, values > 1 ? OH_NN_OPS_STACK : OH_NN_OPS_UNSQUEEZE,
                                                        op->inputs, op->input_count, op->outputs, op->output_count,
                                                        op->params, op->param_count));
}

#endif /* NNRT_TFLITE_OPERATORS_SHAPE_H */
