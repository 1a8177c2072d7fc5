/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/translate.h - an operator being translated, and helpers for its translator.   >>tflite_translate

   A translator gets the operator with counted and checked inputs and outputs, and adds one or more nodes to the store:
   of OpenHarmony's operators where they are equivalent, so that every device that runs them can run the file. An
   operator without a kernel of its own, such as SVDF, is one node here and is decomposed when it is compiled
   (cpu/rewrite_svdf.h). An option of TensorFlow Lite that is an input in OpenHarmony becomes a constant tensor after
   those of the file; an input that must be constant becomes a parameter. */
#ifndef NNRT_TFLITE_TRANSLATE_H
#define NNRT_TFLITE_TRANSLATE_H

#include "open_shapes.h"

struct nnrt__tflite_row;

/* An operator being translated: inputs and outputs as in the file, parameters as they are added. */
typedef struct nnrt__tflite_op {
    const struct nnrt__tflite_row *row;
    uint32_t index; /* in the file */
    const char *name;
    nnrt__fb_table options;
    bool has_options;       /* false: the file has none, and every field has its default */
    nnrt__fb_vector custom; /* options of a custom operator, a flexbuffer */
    uint32_t input_count, output_count, param_count;
    uint32_t empty_inputs, empty_outputs; /* those without elements among them */
    int32_t after;                        /* the file's number of an activation that follows the node; 0: none */
    uint32_t inputs[NNRT__MAX_IO];
    uint32_t outputs[NNRT__MAX_IO];
    nnrt_param params[NNRT__MAX_PARAMS];
    int64_t words[32]; /* contents of the parameters */
    uint32_t words_used;
} nnrt__tflite_op;

typedef OH_NN_ReturnCode (*nnrt__tflite_translate)(nnrt__tflite *t, nnrt__tflite_op *op);

typedef struct nnrt__tflite_row {
    uint8_t code;
    uint8_t options;                /* type of its options in the union; 0: they are ignored */
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

/* Turns a refusal of the store into one about the operator: the file is at fault. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_stored(const nnrt__tflite_op *op, OH_NN_ReturnCode code) {
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return code;
    return nnrt__tflite_op_wrong(op, nnrt__sentence());
}

NNRT__FN const nnrt_tensor_info *nnrt__tflite_info(const nnrt__tflite *t, uint32_t tensor) {
    NNRT_ASSERT(tensor < t->store->graph.tensor_count);
    return &t->store->tensors[tensor];
}

NNRT__FN void nnrt__tflite_param(nnrt__tflite_op *op, OH_NN_TensorType type, OH_NN_DataType dtype, uint32_t count,
                                 const void *data) {
    nnrt_param *param = &op->params[op->param_count++];
    NNRT_ASSERT(op->param_count <= NNRT__MAX_PARAMS);
    NNRT_ASSERT(op->words_used + (count * nnrt__element_size(dtype) + 7) / 8 <= NNRT__COUNT_OF(op->words));
    param->type = type;
    param->dtype = dtype;
    param->count = count;
    param->data = memcpy(&op->words[op->words_used], data, count * nnrt__element_size(dtype));
    op->words_used += (uint32_t)((count * nnrt__element_size(dtype) + 7) / 8);
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

/* A tensor between two nodes of one operator: the shape of `like` and, with its data type, its quantization. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_between(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t like,
                                               OH_NN_DataType dtype, uint32_t *index) {
    nnrt_tensor_info info = *nnrt__tflite_info(t, like);
    info.name = "";
    info.data = NULL;
    info.data_size = 0;
    if (info.dtype != dtype) memset(&info.quant, 0, sizeof(info.quant));
    info.dtype = dtype;
    return nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, index));
}

/* A node of up to three inputs (NNRT__TFLITE_ABSENT: none) and one output, without parameters. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_node(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_OperationType type,
                                            uint32_t a, uint32_t b, uint32_t c, uint32_t output) {
    uint32_t inputs[3], count = 1;
    inputs[0] = a;
    if (b != NNRT__TFLITE_ABSENT) inputs[count++] = b;
    if (c != NNRT__TFLITE_ABSENT) inputs[count++] = c;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, type, inputs, count, &output, 1, NULL, 0));
}

/* The same with a new intermediate tensor as result, whose number is *result. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_step(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_OperationType type,
                                            uint32_t a, uint32_t b, uint32_t like, OH_NN_DataType dtype,
                                            uint32_t *result) {
    OH_NN_ReturnCode code = nnrt__tflite_between(t, op, like, dtype, result);
    return code == OH_NN_SUCCESS ? nnrt__tflite_node(t, op, type, a, b, NNRT__TFLITE_ABSENT, *result) : code;
}

/* CLIP between two bounds. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_clip(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input, float low,
                                            float high, uint32_t output) {
    nnrt_param params[2];
    memset(params, 0, sizeof(params));
    params[0].type = OH_NN_CLIP_MIN;
    params[0].data = &low;
    params[1].type = OH_NN_CLIP_MAX;
    params[1].data = &high;
    params[0].dtype = params[1].dtype = OH_NN_FLOAT32;
    params[0].count = params[1].count = 1;
    return nnrt__tflite_stored(
        op, nnrt__graph_add_node(t->store, OH_NN_OPS_CLIP, &input, 1, &output, 1, params, NNRT__COUNT_OF(params)));
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_add_as(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_OperationType type) {
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, type, op->inputs, op->input_count, op->outputs,
                                                        op->output_count, op->params, op->param_count));
}

/* Adds the file's activation after the node, unless input and output are the same tensor. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_activate(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                uint32_t output) {
    if (input == output) return OH_NN_SUCCESS;
    if (op->after == NNRT__TFL_ACTIVATION_RELU_N1_TO_1) return nnrt__tflite_clip(t, op, input, -1.0f, 1.0f, output);
    return nnrt__tflite_node(t, op,
                             op->after == NNRT__TFL_ACTIVATION_RELU    ? OH_NN_OPS_RELU
                             : op->after == NNRT__TFL_ACTIVATION_RELU6 ? OH_NN_OPS_RELU6
                                                                       : OH_NN_OPS_TANH,
                             input, NNRT__TFLITE_ABSENT, NNRT__TFLITE_ABSENT, output);
}

/* Adds the node, and after it an activation that is not one of its parameters: the node then writes a tensor like the
   output. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_add(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t output = op->outputs[0];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (op->after != NNRT__TFL_ACTIVATION_NONE)
        code = nnrt__tflite_between(t, op, output, nnrt__tflite_info(t, output)->dtype, &op->outputs[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_add_as(t, op, op->row->op);
    return code == OH_NN_SUCCESS ? nnrt__tflite_activate(t, op, op->outputs[0], output) : code;
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

/* The activation of options field id: as parameter type if OpenHarmony has it, otherwise after the node. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_fuse(nnrt__tflite *t, nnrt__tflite_op *op, unsigned id, OH_NN_TensorType type) {
    int32_t value = 0;
    if (!nnrt__tflite_option_byte(t, op, id, &value)) return nnrt__tflite_op_broken(t, op);
    if (value < 0 || value > NNRT__TFL_ACTIVATION_TANH) return nnrt__tflite_op_unsupported(op, "its fused activation");
    if (value == NNRT__TFL_ACTIVATION_RELU_N1_TO_1 || value == NNRT__TFL_ACTIVATION_TANH) op->after = value;
    nnrt__tflite_param_byte(op, type, OH_NN_INT8,
                            value == NNRT__TFL_ACTIVATION_RELU    ? (int)OH_NN_FUSED_RELU
                            : value == NNRT__TFL_ACTIVATION_RELU6 ? (int)OH_NN_FUSED_RELU6
                                                                  : (int)OH_NN_FUSED_NONE);
    return OH_NN_SUCCESS;
}

/* A tensor after those of the file: a scalar (rank 0, count 1) or a list (rank 1) of count numbers. data are copied;
   NULL: a node will compute it. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_numbers(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_DataType dtype,
                                               uint32_t rank, int32_t count, const void *data, uint32_t *index) {
    nnrt_tensor_info info;
    memset(&info, 0, sizeof(info));
    info.dtype = dtype;
    info.format = OH_NN_FORMAT_NHWC;
    info.type = OH_NN_TENSOR;
    info.rank = rank;
    info.dims = rank != 0 ? &count : NULL;
    info.data = data;
    info.data_size = (size_t)count * nnrt__element_size(dtype);
    return nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, true, index));
}

/* A constant list. The zeros of a bias are charged, the few numbers of other lists are not. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_constant(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_DataType dtype,
                                                int32_t count, const void *data, uint32_t *index) {
    return nnrt__tflite_numbers(t, op, dtype, 1, count, data, index);
}

/* A constant scalar. It broadcasts with any tensor without changing the rank, which a list of one does if the tensor is
   a scalar. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_scalar(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_DataType dtype,
                                              const void *data, uint32_t *index) {
    return nnrt__tflite_numbers(t, op, dtype, 0, 1, data, index);
}

/* One number in the type of a tensor, a scalar. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_number(nnrt__tflite *t, const nnrt__tflite_op *op, OH_NN_DataType dtype,
                                              int32_t number, uint32_t *index) {
    const float real = (float)number;
    const int64_t wide = number;
    if (dtype == OH_NN_FLOAT32) return nnrt__tflite_scalar(t, op, dtype, &real, index);
    if (dtype == OH_NN_INT32) return nnrt__tflite_scalar(t, op, dtype, &number, index);
    if (dtype == OH_NN_INT64) return nnrt__tflite_scalar(t, op, dtype, &wide, index);
    return nnrt__tflite_op_unsupported(op, "the data type of its inputs");
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

/* The dimensions of a tensor, which is no scalar, as a constant of int32. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_dims_constant(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t tensor,
                                                     uint32_t *index) {
    const nnrt_tensor_info *info = nnrt__tflite_info(t, tensor);
    int32_t dims[NNRT_MAX_RANK];
    NNRT_ASSERT(info->rank >= 1 && info->rank <= NNRT_MAX_RANK); /* a tensor of no elements does not exist */
    memcpy(dims, info->dims, info->rank * sizeof(dims[0]));      /* adding a tensor moves them */
    return nnrt__tflite_constant(t, op, OH_NN_INT32, (int32_t)info->rank, dims, index);
}

/* The dimensions of a tensor, which is no scalar, as the run has them. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_shape_of(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t tensor,
                                                OH_NN_DataType dtype, uint32_t *index) {
    const int32_t rank = (int32_t)nnrt__tflite_info(t, tensor)->rank;
    const OH_NN_ReturnCode code = nnrt__tflite_numbers(t, op, dtype, 1, rank, NULL, index);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_SHAPE, tensor, NNRT__TFLITE_ABSENT, NNRT__TFLITE_ABSENT, *index);
}

/* RESHAPE to a scalar, which has no list of dimensions. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_to_scalar(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                 uint32_t output) {
    const uint8_t yes = 1;
    nnrt_param param;
    memset(&param, 0, sizeof(param));
    param.type = NNRT__TENSOR_TFLITE;
    param.dtype = OH_NN_BOOL;
    param.count = 1;
    param.data = &yes;
    return nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_RESHAPE, &input, 1, &output, 1, &param, 1));
}

/* A copy of the elements, in the shape that the output has. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_reshaped(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                uint32_t output) {
    uint32_t shape = 0;
    OH_NN_ReturnCode code;
    const nnrt_tensor_info *to = nnrt__tflite_info(t, output);
    if (to->rank == 0) return nnrt__tflite_to_scalar(t, op, input, output);
    if (t->resizes && to->rank == nnrt__tflite_info(t, input)->rank) /* no caller changes a dimension */
        code = nnrt__tflite_shape_of(t, op, input, OH_NN_INT32, &shape);
    else code = nnrt__tflite_dims_constant(t, op, output, &shape);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__tflite_node(t, op, OH_NN_OPS_RESHAPE, input, shape, NNRT__TFLITE_ABSENT, output);
}

#endif /* NNRT_TFLITE_TRANSLATE_H */
