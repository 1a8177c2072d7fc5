/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_window.h - translators of convolutions, pools, bilinear resizing.   >>tflite_operators_window */
#ifndef NNRT_TFLITE_OPERATORS_WINDOW_H
#define NNRT_TFLITE_OPERATORS_WINDOW_H

#include "translate.h"

/* Padding, and a height and a width that must be positive. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_padding(nnrt__tflite *t, nnrt__tflite_op *op, OH_NN_TensorType type) {
    int32_t padding = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &padding)) return nnrt__tflite_op_broken(t, op);
    if (padding != 0 && padding != 1) return nnrt__tflite_op_wrong(op, "its padding is neither SAME nor VALID");
    nnrt__tflite_param_byte(op, type, OH_NN_INT8, (int)padding);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_height_width(nnrt__tflite *t, nnrt__tflite_op *op, unsigned width_id,
                                                    int32_t absent, OH_NN_TensorType type) {
    int32_t width = absent, height = absent;
    if (!nnrt__tflite_option_i32(t, op, width_id, &width) || !nnrt__tflite_option_i32(t, op, width_id + 1, &height)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (width < 1 || height < 1) return nnrt__tflite_op_wrong(op, "a stride, dilation or kernel size is below 1");
    nnrt__tflite_param_pair(op, type, height, width);
    return OH_NN_SUCCESS;
}

/* The weight of a convolution: four dimensions, as TensorFlow Lite has it. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_weight(const nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                              const nnrt_tensor_info **weight) {
    *weight = nnrt__tflite_info(t, op->inputs[input]);
    if ((*weight)->rank == 4) return OH_NN_SUCCESS;
    return nnrt__tflite_op_wrong(op, "its weights do not have 4 dimensions");
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_bias(nnrt__tflite *t, nnrt__tflite_op *op, int32_t channels) {
    if (op->input_count > 2 && op->inputs[2] != NNRT__TFLITE_ABSENT) return OH_NN_SUCCESS;
    op->input_count = 3;
    return nnrt__tflite_zero_bias(t, op, op->inputs[0], channels, &op->inputs[2]);
}

/* CONV_2D: options (padding, stride w, stride h, activation, dilation w, dilation h). The weights are [out, h, w, in]
   in both; in the file only the channels imply groups. Float input with int8 weights passes as it is. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_conv(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]), *weight;
    OH_NN_ReturnCode code = nnrt__tflite_weight(t, op, 1, &weight);
    int32_t group = 1, channels;
    if (code != OH_NN_SUCCESS) return code;
    channels = weight->dims[0];
    if (input->rank == 4 && input->dims[3] > 0 && input->dims[3] % weight->dims[3] == 0)
        group = input->dims[3] / weight->dims[3];
    code = nnrt__tflite_padding(t, op, OH_NN_CONV2D_PAD_MODE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 1, 0, OH_NN_CONV2D_STRIDES);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 4, 1, OH_NN_CONV2D_DILATION);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_fuse(t, op, 3, OH_NN_CONV2D_ACTIVATION_TYPE);
    if (code == OH_NN_SUCCESS && group != 1) nnrt__tflite_param_i64(op, OH_NN_CONV2D_GROUP, group);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_bias(t, op, channels);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* DEPTHWISE_CONV_2D: options (padding, stride w, stride h, multiplier, activation, dilation w, dilation h).
   The weights stay [1, h, w, out], which the CPU device knows from OpenHarmony's [out, h, w, 1] by their
   first dimension: turning them would cost a copy of what the kernels pack anyway. The multiplier follows
   from the shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_depthwise(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *weight;
    OH_NN_ReturnCode code = nnrt__tflite_weight(t, op, 1, &weight);
    int32_t channels;
    if (code != OH_NN_SUCCESS) return code;
    if (weight->dims[0] != 1) return nnrt__tflite_op_wrong(op, "the first dimension of its weights is not 1");
    channels = weight->dims[3];
    code = nnrt__tflite_padding(t, op, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE);
    if (code == OH_NN_SUCCESS) {
        code = nnrt__tflite_height_width(t, op, 1, 0, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES);
    }
    if (code == OH_NN_SUCCESS) {
        code = nnrt__tflite_height_width(t, op, 5, 1, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_fuse(t, op, 4, OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_bias(t, op, channels);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* TRANSPOSE_CONV with an image or output shape that is only known in a run: the shape is an input of the node, after
   the bias. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_transpose_conv_in_run(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t shape,
                                                             int32_t channels) {
    OH_NN_ReturnCode code;
    if (nnrt__tflite_info(t, shape)->dtype != OH_NN_INT32)
        return nnrt__tflite_op_wrong(op, "the shape of its output is not int32");
    code = nnrt__tflite_fuse(t, op, 3, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_bias(t, op, channels);
    if (code != OH_NN_SUCCESS) return code;
    op->inputs[op->input_count++] = shape;
    nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    return nnrt__tflite_add(t, op);
}

/* TRANSPOSE_CONV: inputs (output shape, weights, input, bias or nothing), options (padding, stride w, stride h,
   activation). The pads that TensorFlow Lite works out from the output shape, SAME or VALID, are given as a list, and
   what the output has beyond the input's reach as output padding. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_transpose_conv(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *weight, *input, *output = nnrt__tflite_info(t, op->outputs[0]);
    const uint32_t bias = op->input_count > 3 ? op->inputs[3] : NNRT__TFLITE_ABSENT;
    const uint32_t data = op->inputs[2], shape = op->inputs[0];
    OH_NN_ReturnCode code = nnrt__tflite_weight(t, op, 1, &weight);
    int64_t pads[4], beyond[2];
    int32_t padding = 0, stride[2] = {0, 0}, channels;
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    input = nnrt__tflite_info(t, data);
    if (input->rank != 4 || output->rank != 4) return nnrt__tflite_op_wrong(op, "its images do not have 4 dimensions");
    if (!nnrt__tflite_option_byte(t, op, 0, &padding) || !nnrt__tflite_option_i32(t, op, 1, &stride[1]) ||
        !nnrt__tflite_option_i32(t, op, 2, &stride[0])) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (padding != 0 && padding != 1) return nnrt__tflite_op_wrong(op, "its padding is neither SAME nor VALID");
    if (stride[0] < 1 || stride[1] < 1) return nnrt__tflite_op_wrong(op, "a stride is below 1");
    channels = weight->dims[0];
    op->inputs[0] = data;
    op->inputs[2] = bias;
    op->input_count = 3;
    nnrt__tflite_param_pair(op, OH_NN_CONV2D_TRANSPOSE_STRIDES, stride[0], stride[1]);
    if (t->resizes || nnrt__tflite_info(t, shape)->data == NULL || nnrt__shape_is_dynamic(input->rank, input->dims) ||
        nnrt__shape_is_dynamic(output->rank, output->dims)) {
        nnrt__tflite_param_byte(op, OH_NN_CONV2D_TRANSPOSE_PAD_MODE, OH_NN_INT8, (int)padding);
        return nnrt__tflite_transpose_conv_in_run(t, op, shape, channels);
    }
    for (i = 0; i < 2; i++) {
        const int64_t reach = ((int64_t)input->dims[1 + i] - 1) * stride[i] + weight->dims[1 + i];
        const int64_t cut = reach - output->dims[1 + i];
        beyond[i] = cut < 0 ? -cut : 0;
        pads[2 * i] = cut > 0 ? cut / 2 : 0;
        pads[2 * i + 1] = cut > 0 ? cut - cut / 2 : 0;
    }
    nnrt__tflite_param(op, OH_NN_CONV2D_TRANSPOSE_PAD, OH_NN_INT64, 4, pads);
    if (beyond[0] != 0 || beyond[1] != 0) {
        nnrt__tflite_param(op, OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, OH_NN_INT64, 2, beyond);
    }
    code = nnrt__tflite_fuse(t, op, 3, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_bias(t, op, channels);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* FULLY_CONNECTED: options (activation, weights format, keep dims). Kept dims are OpenHarmony's axis, rank -
   1. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_fully_connected(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t rank = nnrt__tflite_info(t, op->inputs[0])->rank;
    int32_t format = 0, keep = 0;
    bool biased = op->input_count > 2 && op->inputs[2] != NNRT__TFLITE_ABSENT;
    OH_NN_ReturnCode code = nnrt__tflite_fuse(t, op, 0, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__tflite_option_byte(t, op, 1, &format) || !nnrt__tflite_option_byte(t, op, 2, &keep)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (format != 0) return nnrt__tflite_op_unsupported(op, "the shuffled format of its weights");
    op->input_count = biased ? 3 : 2;
    nnrt__tflite_param_byte(op, OH_NN_FULL_CONNECTION_HAS_BIAS, OH_NN_BOOL, biased);
    if (keep != 0 && rank > 2) nnrt__tflite_param_i64(op, OH_NN_FULL_CONNECTION_AXIS, (int64_t)rank - 1);
    return nnrt__tflite_add(t, op);
}

/* AVERAGE_POOL_2D, MAX_POOL_2D: options (padding, stride w, stride h, kernel w, kernel h, activation).
   OpenHarmony takes the names of either pool for both. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_pool(nnrt__tflite *t, nnrt__tflite_op *op) {
    OH_NN_ReturnCode code = nnrt__tflite_padding(t, op, OH_NN_AVG_POOL_PAD_MODE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 1, 0, OH_NN_AVG_POOL_STRIDE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 3, 0, OH_NN_AVG_POOL_KERNEL_SIZE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_fuse(t, op, 5, OH_NN_AVG_POOL_ACTIVATION_TYPE);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

/* L2_POOL_2D: options as above. The root of the mean of squares, which is not negative, so RELU changes nothing. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_l2_pool(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    const OH_NN_DataType dtype = nnrt__tflite_info(t, output)->dtype;
    uint32_t root = output;
    int32_t activation = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_byte(t, op, 5, &activation)) return nnrt__tflite_op_broken(t, op);
    if (activation < 0 || activation > NNRT__TFL_ACTIVATION_TANH)
        return nnrt__tflite_op_unsupported(op, "its fused activation");
    if (dtype != OH_NN_FLOAT32) return nnrt__tflite_op_unsupported(op, "a data type that is not float32");
    code = nnrt__tflite_padding(t, op, OH_NN_AVG_POOL_PAD_MODE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 1, 0, OH_NN_AVG_POOL_STRIDE);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_height_width(t, op, 3, 0, OH_NN_AVG_POOL_KERNEL_SIZE);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_step(t, op, OH_NN_OPS_SQUARE, op->inputs[0], NNRT__TFLITE_ABSENT, op->inputs[0], dtype,
                                 &op->inputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_between(t, op, output, dtype, &op->outputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_add(t, op);
    if (code == OH_NN_SUCCESS && activation != NNRT__TFL_ACTIVATION_NONE && activation != NNRT__TFL_ACTIVATION_RELU)
        code = nnrt__tflite_between(t, op, output, dtype, &root);
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_node(t, op, OH_NN_OPS_SQRT, op->outputs[0], NNRT__TFLITE_ABSENT, NNRT__TFLITE_ABSENT, root);
    op->after = activation;
    return code == OH_NN_SUCCESS ? nnrt__tflite_activate(t, op, root, output) : code;
}

/* RESIZE_BILINEAR: inputs (image, [height, width]), options (two unused, align corners, half pixel
   centres). The size is two parameters of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_resize(nnrt__tflite *t, nnrt__tflite_op *op) {
    const bool constant = nnrt__tflite_info(t, op->inputs[1])->data != NULL;
    int64_t size[2] = {0, 0};
    int32_t align = 0, half = 0;
    uint32_t count = 0;
    OH_NN_ReturnCode code = constant ? nnrt__tflite_integers(t, op, 1, size, 2, &count) : OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) return code;
    if (constant && (count != 2 || size[0] < 1 || size[1] < 1 || size[0] > INT32_MAX || size[1] > INT32_MAX))
        return nnrt__tflite_op_wrong(op, "its size is not a height and a width");
    if (!nnrt__tflite_option_byte(t, op, 2, &align) || !nnrt__tflite_option_byte(t, op, 3, &half)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (align != 0 && half != 0) return nnrt__tflite_op_wrong(op, "corners and half pixels cannot both be aligned");
    if (constant) {
        op->input_count = 1;
        nnrt__tflite_param_i64(op, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, size[0]);
        nnrt__tflite_param_i64(op, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, size[1]);
    } else {
        nnrt__tflite_param_byte(op, NNRT__TENSOR_TFLITE, OH_NN_BOOL, 1);
    }
    nnrt__tflite_param_byte(op, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, OH_NN_INT8,
                            align != 0  ? 1
                            : half != 0 ? 2
                                        : 0);
    return nnrt__tflite_add(t, op);
}

#endif /* NNRT_TFLITE_OPERATORS_WINDOW_H */
