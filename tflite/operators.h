/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators.h - each operator of a .tflite file becomes one of OpenHarmony's, or two.   >>tflite_operators

   nnrt__tflite_rows says which of TensorFlow Lite's operators are read, which options they carry and who
   translates them. A translator gets the operator with counted and checked inputs and outputs, and answers
   with a node of the store. What OpenHarmony wants as an input and TensorFlow Lite has as an option becomes a
   constant tensor behind those of the file, and the other way round an input that must be constant becomes a
   parameter. */
#ifndef NNRT_TFLITE_OPERATORS_H
#define NNRT_TFLITE_OPERATORS_H

#include "schema.h"

struct nnrt__tflite_row;

/* An operator while it is translated: inputs and outputs as they stand in the file, parameters as they are
   added. */
typedef struct nnrt__tflite_op {
    const struct nnrt__tflite_row *row;
    uint32_t index; /* in the file */
    const char *name;
    nnrt__fb_table options;
    bool has_options; /* false: the file has none, and every field has its default */
    uint32_t input_count, output_count, param_count;
    uint32_t inputs[NNRT__MAX_IO];
    uint32_t outputs[NNRT__MAX_IO];
    nnrt_param params[NNRT__MAX_PARAMS];
    int64_t words[32]; /* contents of the parameters */
    uint32_t words_used;
} nnrt__tflite_op;

typedef OH_NN_ReturnCode (*nnrt__tflite_translate)(nnrt__tflite *t, nnrt__tflite_op *op);

typedef struct nnrt__tflite_row {
    uint8_t code;
    uint8_t options;                /* type of its options in the union; 0: they are not looked at */
    uint8_t inputs_min, inputs_max; /* up to the last one that may be absent */
    uint8_t outputs_max;
    OH_NN_OperationType op;
    OH_NN_TensorType param; /* the first parameter that the translator sets, where operators differ only in
                               it */
    nnrt__tflite_translate translate;
} nnrt__tflite_row;

#define NNRT__TFLITE_ABSENT UINT32_MAX /* an optional input that is left out */

/* ------------------------------------------------------------------------------- words of the translators */

NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_broken(const nnrt__tflite *t, const nnrt__tflite_op *op) {
    return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: %s, at byte %zu of %zu%s", op->index, op->name, t->fb.what,
                      t->fb.where, t->fb.size, nnrt__fb_hint(&t->fb));
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_wrong(const nnrt__tflite_op *op, const char *what) {
    return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: %s", op->index, op->name, what);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_unsupported(const nnrt__tflite_op *op, const char *what) {
    return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u, %s: %s is not supported", op->index, op->name, what);
}

/* What the store says is said of the operator; what it refuses is the file's fault. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_stored(const nnrt__tflite_op *op, OH_NN_ReturnCode code) {
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return code;
    return nnrt__tflite_op_wrong(op, nnrt__sentence());
}

NNRT__FN const nnrt_tensor_info *nnrt__tflite_info(const nnrt__tflite *t, uint32_t tensor) {
    return &t->store->tensors[tensor];
}

NNRT__FN void nnrt__tflite_param(nnrt__tflite_op *op, OH_NN_TensorType type, OH_NN_DataType dtype, uint32_t count,
                                 const void *data) {
    nnrt_param *param = &op->params[op->param_count++];
    param->type = type;
    param->dtype = dtype;
    param->count = count;
    param->data = memcpy(&op->words[op->words_used], data, count * nnrt__element_size(dtype));
    op->words_used += dtype == OH_NN_INT64 ? count : 1;
}

NNRT__FN void nnrt__tflite_param_i64(nnrt__tflite_op *op, OH_NN_TensorType type, int64_t value) {
    nnrt__tflite_param(op, type, OH_NN_INT64, 1, &value);
}

NNRT__FN void nnrt__tflite_param_pair(nnrt__tflite_op *op, OH_NN_TensorType type, int32_t height, int32_t width) {
    int64_t pair[2];
    pair[0] = height;
    pair[1] = width;
    nnrt__tflite_param(op, type, OH_NN_INT64, 2, pair);
}

NNRT__FN void nnrt__tflite_param_byte(nnrt__tflite_op *op, OH_NN_TensorType type, OH_NN_DataType dtype, int value) {
    const uint8_t byte = (uint8_t)value;
    nnrt__tflite_param(op, type, dtype, 1, &byte);
}

NNRT__FN void nnrt__tflite_param_f32(nnrt__tflite_op *op, OH_NN_TensorType type, float value) {
    nnrt__tflite_param(op, type, OH_NN_FLOAT32, 1, &value);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_add(nnrt__tflite *t, const nnrt__tflite_op *op) {
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, op->row->op, op->inputs, op->input_count, op->outputs,
                                                        op->output_count, op->params, op->param_count));
}

/* Options; the default is the value that *value comes with. */
NNRT__FN bool nnrt__tflite_option_i32(nnrt__tflite *t, const nnrt__tflite_op *op, unsigned id, int32_t *value) {
    return !op->has_options || nnrt__fb_i32(&t->fb, &op->options, id, value);
}

NNRT__FN bool nnrt__tflite_option_byte(nnrt__tflite *t, const nnrt__tflite_op *op, unsigned id, int32_t *value) {
    return !op->has_options || nnrt__fb_i8(&t->fb, &op->options, id, value);
}

NNRT__FN bool nnrt__tflite_option_f32(nnrt__tflite *t, const nnrt__tflite_op *op, unsigned id, float *value) {
    return !op->has_options || nnrt__fb_f32(&t->fb, &op->options, id, value);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_activation(nnrt__tflite *t, const nnrt__tflite_op *op, unsigned id,
                                                  OH_NN_FuseType *fuse) {
    int32_t value = 0;
    if (!nnrt__tflite_option_byte(t, op, id, &value)) return nnrt__tflite_op_broken(t, op);
    *fuse = value == 3 ? OH_NN_FUSED_RELU6 : value == 1 ? OH_NN_FUSED_RELU : OH_NN_FUSED_NONE;
    if (value == 2) return nnrt__tflite_op_unsupported(op, "the fused activation RELU_N1_TO_1");
    if (value == 4) return nnrt__tflite_op_unsupported(op, "the fused activation TANH");
    if (value < 0 || value > 3) return nnrt__tflite_op_unsupported(op, "its fused activation");
    return OH_NN_SUCCESS;
}

/* The activation of options field id, as parameter type. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_fuse(nnrt__tflite *t, nnrt__tflite_op *op, unsigned id, OH_NN_TensorType type) {
    OH_NN_FuseType fuse = OH_NN_FUSED_NONE;
    OH_NN_ReturnCode code = nnrt__tflite_activation(t, op, id, &fuse);
    if (code == OH_NN_SUCCESS) nnrt__tflite_param_byte(op, type, OH_NN_INT8, (int)fuse);
    return code;
}

/* A constant tensor behind those of the file. The zeros of a bias are charged, the few numbers of other lists
   not. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_constant(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_DataType dtype,
                                                int32_t count, const void *data, uint32_t *index) {
    nnrt_tensor_info info;
    memset(&info, 0, sizeof(info));
    info.dtype = dtype;
    info.format = OH_NN_FORMAT_NHWC;
    info.type = OH_NN_TENSOR;
    info.rank = 1;
    info.dims = &count;
    info.data = data;
    info.data_size = (size_t)count * nnrt__element_size(dtype);
    return nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, true, index));
}

/* The bias that OpenHarmony's convolutions must have and TensorFlow Lite's may lack: count zeros. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_zero_bias(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                 int32_t count, uint32_t *index) {
    const OH_NN_DataType in = nnrt__tflite_info(t, input)->dtype;
    const OH_NN_DataType dtype = in == OH_NN_INT8 || in == OH_NN_UINT8 ? OH_NN_INT32
                                 : in == OH_NN_INT16                   ? OH_NN_INT64
                                                                       : in;
    OH_NN_ReturnCode code;
    void *zeros;
    if (count < 1) return nnrt__tflite_op_wrong(op, "the weights have no output channels");
    /* One byte of weights has at most one output channel, and the charge of a channel is that byte. */
    if (!nnrt__tflite_charge(t, (size_t)count, 1)) return nnrt__tflite_op_broken(t, op);
    zeros = nnrt__alloc_zero((size_t)count, nnrt__element_size(dtype));
    if (zeros == NULL) return nnrt__fail_memory();
    code = nnrt__tflite_constant(t, op, dtype, count, zeros, index);
    nnrt__free(zeros);
    return code;
}

/* The integers of a constant input: at most capacity of them. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_integers(const nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                int64_t *values, uint32_t capacity, uint32_t *count) {
    const nnrt_tensor_info *info = nnrt__tflite_info(t, op->inputs[input]);
    uint32_t i;
    if (info->data == NULL) {
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "operator %u, %s: input %u, tensor %u, is not constant, which is not "
                          "supported",
                          op->index, op->name, input, op->inputs[input]);
    }
    if (info->dtype != OH_NN_INT32 && info->dtype != OH_NN_INT64) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: input %u, tensor %u, is %s and must be int32 or int64",
                          op->index, op->name, input, op->inputs[input], nnrt__dtype_name(info->dtype));
    }
    *count = (uint32_t)(info->data_size / nnrt__element_size(info->dtype));
    if (*count > capacity) {
        return nnrt__fail(OH_NN_INVALID_FILE,
                          "operator %u, %s: input %u, tensor %u, has %u elements; at most %u make "
                          "sense",
                          op->index, op->name, input, op->inputs[input], *count, capacity);
    }
    for (i = 0; i < *count; i++) values[i] = nnrt__read_integer(info->dtype, info->data, i);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_integer(const nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                               int64_t *value) {
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__tflite_integers(t, op, input, value, 1, &count);
    return code;
}

/* The dimensions of a tensor as a constant of int32; those of a scalar are [1]. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_dims_constant(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t tensor,
                                                     uint32_t *index) {
    const nnrt_tensor_info *info = nnrt__tflite_info(t, tensor);
    int32_t dims[NNRT_MAX_RANK];
    dims[0] = 1;
    if (info->rank != 0) memcpy(dims, info->dims, info->rank * sizeof(dims[0]));
    return nnrt__tflite_constant(t, op, OH_NN_INT32, info->rank != 0 ? (int32_t)info->rank : 1, dims, index);
}

/* -------------------------------------------------------------------------------------------- translators */

/* Nothing to translate. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_plain(nnrt__tflite *t, nnrt__tflite_op *op) { return nnrt__tflite_add(t, op); }

/* ADD, SUB, MUL, DIV: options (activation, ...). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_arithmetic(nnrt__tflite *t, nnrt__tflite_op *op) {
    OH_NN_ReturnCode code = nnrt__tflite_fuse(t, op, 0, op->row->param);
    return code == OH_NN_SUCCESS ? nnrt__tflite_add(t, op) : code;
}

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

/* CONV_2D: options (padding, stride w, stride h, activation, dilation w, dilation h). The weights are [out,
   h, w, in] in both worlds; groups are said by the channels alone in the file. Float input with int8 weights
   passes as it is. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_conv(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]), *weight;
    OH_NN_ReturnCode code = nnrt__tflite_weight(t, op, 1, &weight);
    int32_t group = 1, channels;
    if (code != OH_NN_SUCCESS) return code;
    channels = weight->dims[0];
    if (input->rank == 4 && input->dims[3] % weight->dims[3] == 0) group = input->dims[3] / weight->dims[3];
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

/* TRANSPOSE_CONV: inputs (output shape, weights, input, bias or nothing), options (padding, stride w, stride
   h, activation). The pads that TensorFlow Lite works out from the output shape, SAME or VALID, are given as
   a list, and what the output has beyond the input's reach as output padding. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_transpose_conv(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *weight, *input, *output = nnrt__tflite_info(t, op->outputs[0]);
    const uint32_t bias = op->input_count > 3 ? op->inputs[3] : NNRT__TFLITE_ABSENT;
    OH_NN_ReturnCode code = nnrt__tflite_weight(t, op, 1, &weight);
    int64_t pads[4], beyond[2];
    int32_t padding = 0, stride[2] = {0, 0}, channels;
    uint32_t i, data = op->inputs[2];
    if (code != OH_NN_SUCCESS) return code;
    input = nnrt__tflite_info(t, data);
    if (input->rank != 4 || output->rank != 4) return nnrt__tflite_op_wrong(op, "its images do not have 4 dimensions");
    if (!nnrt__tflite_option_byte(t, op, 0, &padding) || !nnrt__tflite_option_i32(t, op, 1, &stride[1]) ||
        !nnrt__tflite_option_i32(t, op, 2, &stride[0])) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (padding != 0 && padding != 1) return nnrt__tflite_op_wrong(op, "its padding is neither SAME nor VALID");
    if (stride[0] < 1 || stride[1] < 1) return nnrt__tflite_op_wrong(op, "a stride is below 1");
    for (i = 0; i < 2; i++) {
        const int64_t reach = ((int64_t)input->dims[1 + i] - 1) * stride[i] + weight->dims[1 + i];
        const int64_t cut = reach - output->dims[1 + i];
        beyond[i] = cut < 0 ? -cut : 0;
        pads[2 * i] = cut > 0 ? cut / 2 : 0;
        pads[2 * i + 1] = cut > 0 ? cut - cut / 2 : 0;
    }
    channels = weight->dims[0];
    op->inputs[0] = data;
    op->inputs[2] = bias;
    op->input_count = 3;
    nnrt__tflite_param(op, OH_NN_CONV2D_TRANSPOSE_PAD, OH_NN_INT64, 4, pads);
    nnrt__tflite_param_pair(op, OH_NN_CONV2D_TRANSPOSE_STRIDES, stride[0], stride[1]);
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

/* MEAN, SUM, REDUCE_MAX, REDUCE_MIN: options (keep dims). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reduce(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t keep = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &keep)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_byte(op, op->row->param, OH_NN_BOOL, keep != 0);
    return nnrt__tflite_add(t, op);
}

/* LEAKY_RELU: options (alpha). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_leaky_relu(nnrt__tflite *t, nnrt__tflite_op *op) {
    float alpha = 0.0f;
    if (!nnrt__tflite_option_f32(t, op, 0, &alpha)) return nnrt__tflite_op_broken(t, op);
    nnrt__tflite_param_f32(op, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, alpha);
    return nnrt__tflite_add(t, op);
}

/* SOFTMAX: options (beta), LOG_SOFTMAX: none. Both along the last axis. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_softmax(nnrt__tflite *t, nnrt__tflite_op *op) {
    float beta = op->row->options != 0 ? 0.0f : 1.0f;
    if (op->row->options != 0 && !nnrt__tflite_option_f32(t, op, 0, &beta)) return nnrt__tflite_op_broken(t, op);
    if (!(beta >= 1.0f && beta <= 1.0f)) return nnrt__tflite_op_unsupported(op, "a beta other than 1");
    nnrt__tflite_param_i64(op, op->row->param, -1);
    return nnrt__tflite_add(t, op);
}

/* CAST: the target type is an input of OpenHarmony's. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_cast(nnrt__tflite *t, nnrt__tflite_op *op) {
    const int32_t dtype = (int32_t)nnrt__tflite_info(t, op->outputs[0])->dtype;
    OH_NN_ReturnCode code = nnrt__tflite_constant(t, op, OH_NN_INT32, 1, &dtype, &op->inputs[1]);
    op->input_count = 2;
    return code != OH_NN_SUCCESS ? code
                                 : nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_CAST, op->inputs, 2,
                                                                                op->outputs, 1, NULL, 0));
}

/* QUANTIZE, DEQUANTIZE. Files with float16 weights widen them with DEQUANTIZE, which is a cast. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_quantize(nnrt__tflite *t, nnrt__tflite_op *op) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]);
    const nnrt_tensor_info *output = nnrt__tflite_info(t, op->outputs[0]);
    const nnrt_quant *quant = input->quant.count != 0 ? &input->quant : &output->quant;
    if (input->dtype == OH_NN_FLOAT16 && output->dtype == OH_NN_FLOAT32) return nnrt__tflite_cast(t, op);
    nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_SRC_T, (int64_t)input->dtype);
    nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_DST_T, (int64_t)output->dtype);
    if (quant->count > 1) nnrt__tflite_param_i64(op, OH_NN_QUANT_DTYPE_CAST_AXIS, quant->axis);
    return nnrt__tflite_add(t, op);
}

/* RESIZE_BILINEAR: inputs (image, [height, width]), options (two unused, align corners, half pixel
   centres). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_resize(nnrt__tflite *t, nnrt__tflite_op *op) {
    int64_t size[2] = {0, 0};
    int32_t align = 0, half = 0;
    uint32_t count = 0;
    OH_NN_ReturnCode code = nnrt__tflite_integers(t, op, 1, size, 2, &count);
    if (code != OH_NN_SUCCESS) return code;
    if (count != 2 || size[0] < 1 || size[1] < 1 || size[0] > INT32_MAX || size[1] > INT32_MAX) {
        return nnrt__tflite_op_wrong(op, "its size is not a height and a width");
    }
    if (!nnrt__tflite_option_byte(t, op, 2, &align) || !nnrt__tflite_option_byte(t, op, 3, &half)) {
        return nnrt__tflite_op_broken(t, op);
    }
    if (align != 0 && half != 0) return nnrt__tflite_op_wrong(op, "corners and half pixels cannot both be aligned");
    op->input_count = 1;
    nnrt__tflite_param_i64(op, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, size[0]);
    nnrt__tflite_param_i64(op, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, size[1]);
    nnrt__tflite_param_byte(op, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, OH_NN_INT8,
                            align != 0  ? 1
                            : half != 0 ? 2
                                        : 0);
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

/* BATCH_MATMUL: options (transpose x, transpose y). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_matmul(nnrt__tflite *t, nnrt__tflite_op *op) {
    int32_t x = 0, y = 0;
    if (!nnrt__tflite_option_byte(t, op, 0, &x) || !nnrt__tflite_option_byte(t, op, 1, &y)) {
        return nnrt__tflite_op_broken(t, op);
    }
    nnrt__tflite_param_byte(op, OH_NN_MATMUL_TRANSPOSE_A, OH_NN_BOOL, x != 0);
    nnrt__tflite_param_byte(op, OH_NN_MATMUL_TRANSPOSE_B, OH_NN_BOOL, y != 0);
    return nnrt__tflite_add(t, op);
}

/* ---------------------------------------------------------------------------------------------- the table */

#define NNRT__ANY ((uint8_t)NNRT__MAX_IO)

/* With NNRT_OPS the translators of all other operators are left out: bit number % 30 of word number / 30 says
   that the operator of that number is chosen. */
#ifdef NNRT_OPS
#define NNRT__CHOSEN_BIT(op, word) | ((int)(op) / 30 == (word) ? 1 << ((int)(op) % 30) : 0)
#define NNRT__CHOSEN_0(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 0)
#define NNRT__CHOSEN_1(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 1)
#define NNRT__CHOSEN_2(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 2)
#define NNRT__CHOSEN_3(name) NNRT__CHOSEN_BIT(OH_NN_OPS_##name, 3)
enum {
    nnrt__chosen_0 = 0 NNRT_OPS(NNRT__CHOSEN_0),
    nnrt__chosen_1 = 0 NNRT_OPS(NNRT__CHOSEN_1),
    nnrt__chosen_2 = 0 NNRT_OPS(NNRT__CHOSEN_2),
    nnrt__chosen_3 = 0 NNRT_OPS(NNRT__CHOSEN_3)
};
#define NNRT__CHOSEN_WORD(op) \
    ((op) < 30 ? nnrt__chosen_0 : (op) < 60 ? nnrt__chosen_1 : (op) < 90 ? nnrt__chosen_2 : nnrt__chosen_3)
#define NNRT__CHOSEN(op) (NNRT__CHOSEN_WORD(op) >> (op) % 30 & 1)
#define NNRT__TFLITE_CHOSEN(op, translate) (NNRT__CHOSEN((int)OH_NN_OPS_##op) != 0 ? translate : NULL)
#else
#define NNRT__TFLITE_CHOSEN(op, translate) translate
#endif

#define NNRT__ROW(code, options, inputs_min, inputs_max, outputs_max, op, param, translate) \
    {                                                                                       \
        code, options, inputs_min, inputs_max, outputs_max, OH_NN_OPS_##op, OH_NN_##param,  \
            NNRT__TFLITE_CHOSEN(op, translate)                                              \
    }

/* code, options; inputs min, max; outputs max; operator, parameter, translator (NULL: not in NNRT_OPS) */
static const nnrt__tflite_row nnrt__tflite_rows[] = {
    NNRT__ROW(0, 11, 2, 2, 1, ADD, ADD_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(1, 5, 1, 1, 1, AVG_POOL, TENSOR, nnrt__tflite_pool),
    NNRT__ROW(2, 10, 1, NNRT__ANY, 1, CONCAT, TENSOR, nnrt__tflite_concat),
    NNRT__ROW(3, 1, 2, 3, 1, CONV2D, TENSOR, nnrt__tflite_conv),
    NNRT__ROW(4, 2, 2, 3, 1, DEPTHWISE_CONV2D_NATIVE, TENSOR, nnrt__tflite_depthwise),
    NNRT__ROW(5, 94, 1, 1, 1, DEPTH_TO_SPACE, DEPTH_TO_SPACE_BLOCK_SIZE, nnrt__tflite_block),
    NNRT__ROW(6, 0, 1, 1, 1, QUANT_DTYPE_CAST, TENSOR, nnrt__tflite_quantize),
    NNRT__ROW(8, 0, 1, 1, 1, FLOOR, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(9, 8, 2, 3, 1, FULL_CONNECTION, TENSOR, nnrt__tflite_fully_connected),
    NNRT__ROW(14, 0, 1, 1, 1, SIGMOID, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(17, 5, 1, 1, 1, MAX_POOL, TENSOR, nnrt__tflite_pool),
    NNRT__ROW(18, 21, 2, 2, 1, MUL, MUL_ACTIVATION_TYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(19, 0, 1, 1, 1, RELU, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(21, 0, 1, 1, 1, RELU6, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(22, 17, 1, 2, 1, RESHAPE, TENSOR, nnrt__tflite_reshape),
    NNRT__ROW(23, 15, 2, 2, 1, RESIZE_BILINEAR, TENSOR, nnrt__tflite_resize),
    NNRT__ROW(25, 9, 1, 1, 1, SOFTMAX, SOFTMAX_AXIS, nnrt__tflite_softmax),
    NNRT__ROW(26, 19, 1, 1, 1, SPACE_TO_DEPTH, SPACE_TO_DEPTH_BLOCK_SIZE, nnrt__tflite_block),
    NNRT__ROW(28, 0, 1, 1, 1, TANH, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(34, 0, 2, 2, 1, PAD, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(36, 23, 2, 2, 1, GATHER, TENSOR, nnrt__tflite_gather),
    NNRT__ROW(39, 0, 2, 2, 1, TRANSPOSE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(40, 27, 2, 2, 1, REDUCE_MEAN, REDUCE_MEAN_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(41, 28, 2, 2, 1, SUB, SUB_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(42, 29, 2, 2, 1, DIV, DIV_ACTIVATIONTYPE, nnrt__tflite_arithmetic),
    NNRT__ROW(43, 30, 1, 1, 1, SQUEEZE, TENSOR, nnrt__tflite_squeeze),
    NNRT__ROW(45, 32, 4, 4, 1, STRIDED_SLICE, TENSOR, nnrt__tflite_strided_slice),
    NNRT__ROW(47, 0, 1, 1, 1, EXP, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(49, 35, 2, 2, NNRT__ANY, SPLIT, TENSOR, nnrt__tflite_split),
    NNRT__ROW(50, 0, 1, 1, 1, LOG_SOFTMAX, LOG_SOFTMAX_AXIS, nnrt__tflite_softmax),
    NNRT__ROW(53, 0, 1, 1, 1, CAST, TENSOR, nnrt__tflite_cast),
    NNRT__ROW(54, 0, 2, 2, 1, PRELU, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(55, 0, 2, 2, 1, MAXIMUM, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(56, 0, 2, 2, 1, ARG_MAX, TENSOR, nnrt__tflite_arg_max),
    NNRT__ROW(57, 0, 2, 2, 1, MINIMUM, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(59, 0, 1, 1, 1, NEG, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(60, 0, 3, 3, 1, PAD, TENSOR, nnrt__tflite_pad_value),
    NNRT__ROW(65, 0, 3, 3, 1, SLICE, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(67, 49, 3, 4, 1, CONV2D_TRANSPOSE, TENSOR, nnrt__tflite_transpose_conv),
    NNRT__ROW(70, 0, 2, 2, 1, EXPAND_DIMS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(74, 27, 2, 2, 1, REDUCE_SUM, REDUCE_SUM_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(75, 0, 1, 1, 1, SQRT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(76, 0, 1, 1, 1, RSQRT, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(82, 27, 2, 2, 1, REDUCE_MAX, REDUCE_MAX_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(83, 59, 1, NNRT__ANY, 1, STACK, TENSOR, nnrt__tflite_pack),
    NNRT__ROW(89, 27, 2, 2, 1, REDUCE_MIN, REDUCE_MIN_KEEP_DIMS, nnrt__tflite_reduce),
    NNRT__ROW(98, 75, 1, 1, 1, LEAKY_RELU, TENSOR, nnrt__tflite_leaky_relu),
    NNRT__ROW(100, 77, 2, 2, 1, PAD, TENSOR, nnrt__tflite_mirror_pad),
    NNRT__ROW(101, 0, 1, 1, 1, ABS, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(114, 0, 1, 1, 1, QUANT_DTYPE_CAST, TENSOR, nnrt__tflite_quantize),
    NNRT__ROW(117, 0, 1, 1, 1, HSWISH, TENSOR, nnrt__tflite_plain),
    NNRT__ROW(126, 101, 2, 2, 1, MATMUL, TENSOR, nnrt__tflite_matmul)};

#undef NNRT__ANY
#undef NNRT__ROW

NNRT__FN const nnrt__tflite_row *nnrt__tflite_find(int32_t code) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(nnrt__tflite_rows); i++) {
        if (nnrt__tflite_rows[i].code == code) return &nnrt__tflite_rows[i];
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------ from the file */

/* Whether input i of the operator may be left out: only what stands behind the inputs that it must have. */
NNRT__FN bool nnrt__tflite_may_lack(const nnrt__tflite_row *row, uint32_t i) {
    return i >= row->inputs_min && row->inputs_max <= 4;
}

/* The operators of a file stand in the order in which they run: what one reads, an earlier one has
   written. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_inputs(nnrt__tflite *t, nnrt__tflite_op *op, const nnrt__fb_vector *inputs) {
    uint32_t i;
    for (i = 0; i < inputs->count; i++) {
        const int32_t tensor = nnrt__fb_element_i32(&t->fb, inputs, i);
        if (tensor == -1 && nnrt__tflite_may_lack(op->row, i)) {
            op->inputs[i] = NNRT__TFLITE_ABSENT;
            continue;
        }
        if (tensor < 0 || (uint32_t)tensor >= t->tensors.count) {
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "operator %u, %s: input %u is tensor %d, which does not exist, at "
                              "byte %zu",
                              op->index, op->name, i, (int)tensor, inputs->at + 4 * (size_t)i);
        }
        if (t->known[tensor] == NNRT__TFLITE_UNKNOWN) {
            return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: input %u, tensor %d, is used before it is computed",
                              op->index, op->name, i, (int)tensor);
        }
        op->inputs[i] = (uint32_t)tensor;
    }
    op->input_count = inputs->count;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_outputs(nnrt__tflite *t, nnrt__tflite_op *op,
                                                  const nnrt__fb_vector *outputs) {
    uint32_t i;
    for (i = 0; i < outputs->count; i++) {
        const int32_t tensor = nnrt__fb_element_i32(&t->fb, outputs, i);
        if (tensor < 0 || (uint32_t)tensor >= t->tensors.count) {
            return nnrt__fail(OH_NN_INVALID_FILE,
                              "operator %u, %s: output %u is tensor %d, which does not exist, at "
                              "byte %zu",
                              op->index, op->name, i, (int)tensor, outputs->at + 4 * (size_t)i);
        }
        if (t->known[tensor] != NNRT__TFLITE_UNKNOWN) {
            return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: output %u, tensor %d, is %s already", op->index,
                              op->name, i, (int)tensor,
                              t->known[tensor] == NNRT__TFLITE_GIVEN      ? "a model input"
                              : t->known[tensor] == NNRT__TFLITE_CONSTANT ? "a constant"
                                                                          : "computed");
        }
        t->known[tensor] = (uint8_t)NNRT__TFLITE_COMPUTED;
        op->outputs[i] = (uint32_t)tensor;
    }
    op->output_count = outputs->count;
    return OH_NN_SUCCESS;
}

#define NNRT__TFLITE_LABEL_SIZE 72 /* of an operator's name with its quotes */

/* Which operator it is: row, and the name for sentences. label (NNRT__TFLITE_LABEL_SIZE bytes) gets what to call it
   where it is OH_NN_UNSUPPORTED. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_op_code(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t code_index, char *label) {
    nnrt__fb_table table;
    const char *custom;
    size_t length;
    int32_t deprecated = 0, code = 0;
    if (code_index >= t->codes.count) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u has operator code %u of %u", op->index, code_index,
                          t->codes.count);
    }
    if (!nnrt__fb_element_table(&t->fb, &t->codes, code_index, &table) ||
        !nnrt__fb_i8(&t->fb, &table, NNRT__TFL_CODE_DEPRECATED, &deprecated) ||
        !nnrt__fb_string_field(&t->fb, &table, NNRT__TFL_CODE_CUSTOM, &custom, &length) ||
        !nnrt__fb_i32(&t->fb, &table, NNRT__TFL_CODE_BUILTIN, &code)) {
        return nnrt__tflite_broken(t, "operator code", code_index);
    }
    if (deprecated > code)
        code = deprecated; /* files up to 2020 have only the byte, later ones a number
                                                 above it */
    op->row = nnrt__tflite_find(code);
    op->name = nnrt__tflite_operator_name(code);
    if (code == NNRT__TFL_CUSTOM) {
        nnrt__format(label, NNRT__TFLITE_LABEL_SIZE, "\"%.60s\"", custom);
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u is the custom operator \"%.60s\", which is not supported",
                          op->index, custom);
    }
    if (code < 0) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator code %u is %d, at byte %zu", code_index, (int)code, table.at);
    }
    if (op->row != NULL && op->row->translate != NULL) return OH_NN_SUCCESS;
    if (op->name != NULL) nnrt__format(label, NNRT__TFLITE_LABEL_SIZE, "%s", op->name);
    else nnrt__format(label, NNRT__TFLITE_LABEL_SIZE, "builtin operator %d", (int)code);
    if (op->row != NULL) {
        return nnrt__fail(OH_NN_UNSUPPORTED,
                          "operator %u, %s: this build leaves the operator out: it is not "
                          "in its NNRT_OPS",
                          op->index, op->name);
    }
    if (op->name == NULL) {
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u is builtin operator %d, which is not supported", op->index,
                          (int)code);
    }
    return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u, %s, is not supported", op->index, op->name);
}

/* Does list, of labels that each follow ", ", have label? */
NNRT__FN bool nnrt__tflite_listed(const char *list, const char *label) {
    const size_t length = strlen(label);
    for (; (list = strchr(list, ',')) != NULL; list++)
        if (list[1] == ' ' && strlen(list) >= 2 + length && memcmp(list + 2, label, length) == 0 &&
            (list[2 + length] == ',' || list[2 + length] == '\0'))
            return true;
    return false;
}

/* All operators before the first tensor is looked at: that one of them is not supported is what a person can do
   something about, and tensors of such a model are often odd, too. The sentence is about the first one and names the
   others. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_check_codes(nnrt__tflite *t) {
    char sentence[NNRT__SENTENCE_SIZE], label[NNRT__TFLITE_LABEL_SIZE], list[NNRT__SENTENCE_SIZE];
    size_t first = 0;  /* bytes of list that the first label takes; 0: all are supported so far */
    bool more = false; /* one had no room */
    uint32_t i;
    list[0] = '\0';
    for (i = 0; i < t->operators.count; i++) {
        const size_t used = strlen(list);
        nnrt__tflite_op op;
        nnrt__fb_table table;
        uint32_t code_index = 0;
        OH_NN_ReturnCode code;
        op.index = i;
        if (!nnrt__fb_element_table(&t->fb, &t->operators, i, &table) ||
            !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_OPERATOR_CODE, &code_index))
            return nnrt__tflite_broken(t, "operator", i);
        code = nnrt__tflite_op_code(t, &op, code_index, label);
        if (code == OH_NN_SUCCESS || (code == OH_NN_UNSUPPORTED && nnrt__tflite_listed(list, label))) continue;
        if (code != OH_NN_UNSUPPORTED) return code;
        if (first == 0) {
            memcpy(sentence, nnrt__sentence(), sizeof(sentence));
            nnrt__format(list, sizeof(list), ", %s", label);
            first = strlen(list);
        } else if (strlen(sentence) + strlen("; nor ") + used - first + strlen(label) + strlen(", ...") <
                   sizeof(sentence)) {
            nnrt__format(list + used, sizeof(list) - used, ", %s", label);
        } else {
            more = true;
        }
    }
    if (first == 0) return OH_NN_SUCCESS;
    if (list[first] == '\0') return nnrt__fail(OH_NN_UNSUPPORTED, "%s", sentence);
    return nnrt__fail(OH_NN_UNSUPPORTED, "%s; nor %s%s", sentence, list + first + 2, more ? ", ..." : "");
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_operator(nnrt__tflite *t, uint32_t index) {
    char label[NNRT__TFLITE_LABEL_SIZE];
    nnrt__tflite_op op;
    nnrt__fb_table table;
    nnrt__fb_vector inputs, outputs;
    uint32_t code_index = 0, options_type = 0;
    bool has_table = false;
    OH_NN_ReturnCode code;
    memset(&op, 0, sizeof(op));
    op.index = index;
    if (!nnrt__tflite_charge(t, 1, 32) || !nnrt__fb_element_table(&t->fb, &t->operators, index, &table) ||
        !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_OPERATOR_CODE, &code_index)) {
        return nnrt__tflite_broken(t, "operator", index);
    }
    code = nnrt__tflite_op_code(t, &op, code_index, label);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_OPERATOR_INPUTS, 4, &inputs) ||
        !nnrt__fb_vector_field(&t->fb, &table, NNRT__TFL_OPERATOR_OUTPUTS, 4, &outputs) ||
        !nnrt__fb_u8(&t->fb, &table, NNRT__TFL_OPERATOR_OPTIONS_TYPE, &options_type) ||
        !nnrt__tflite_charge(t, inputs.count, 4) || !nnrt__tflite_charge(t, outputs.count, 4)) {
        return nnrt__tflite_op_broken(t, &op);
    }
    if (inputs.count < op.row->inputs_min || inputs.count > op.row->inputs_max) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, takes %u to %u inputs, not %u", index, op.name,
                          (unsigned)op.row->inputs_min, (unsigned)op.row->inputs_max, inputs.count);
    }
    if (outputs.count < 1 || outputs.count > op.row->outputs_max) {
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, has 1 to %u outputs, not %u", index, op.name,
                          (unsigned)op.row->outputs_max, outputs.count);
    }
    if (op.row->options != 0 && options_type != 0) {
        if (options_type != op.row->options) {
            return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s, has options of type %u, not %u, at byte %zu", index,
                              op.name, options_type, (unsigned)op.row->options, table.at);
        }
        if (!nnrt__fb_table_field(&t->fb, &table, NNRT__TFL_OPERATOR_OPTIONS, &op.options, &has_table)) {
            return nnrt__tflite_op_broken(t, &op);
        }
        if (!has_table) return nnrt__tflite_op_wrong(&op, "its options have a type and no contents");
        op.has_options = true;
    }
    code = nnrt__tflite_op_inputs(t, &op, &inputs);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_op_outputs(t, &op, &outputs);
    return code == OH_NN_SUCCESS ? op.row->translate(t, &op) : code;
}

#endif /* NNRT_TFLITE_OPERATORS_H */
