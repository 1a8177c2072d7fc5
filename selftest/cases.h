/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/cases.h - the tested operators, their inputs and their expected outputs.   >>selftest_cases

   For every integer result the table has the CRC-32 of the output bytes, which must be the same on every processor,
   compiler and instruction set. Float results are compared with a sum in double and may differ by rounding: for K
   products by K * 2^-24 of the sum of their magnitudes. */
#ifndef NNRT_SELFTEST_CASES_H
#define NNRT_SELFTEST_CASES_H

#include "graph.h"

typedef struct nnrt__self_case {
    const char *name;
    OH_NN_OperationType op;
    OH_NN_DataType type;
    int32_t height, width, channels; /* of the input; 1 x 1 for rows */
    int32_t kernel, stride, out;     /* out: channels of the output */
    double out_scale;                /* integers */
    uint32_t crc;                    /* of the output; integers */
} nnrt__self_case;

/* Shapes that are not multiples of what kernels do at a time. */
static const nnrt__self_case nnrt__self_cases[] = {
    {"conv2d int8 3x3", OH_NN_OPS_CONV2D, OH_NN_INT8, 9, 7, 19, 3, 1, 35, 0.4, 0x3d1cb244u},
    {"conv2d int8 1x1", OH_NN_OPS_CONV2D, OH_NN_INT8, 7, 5, 37, 1, 1, 21, 0.2, 0x3f62181du},
    {"conv2d int8 first layer", OH_NN_OPS_CONV2D, OH_NN_INT8, 13, 11, 3, 3, 2, 17, 0.16, 0xa4df360au},
    {"depthwise int8 3x3", OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, OH_NN_INT8, 11, 9, 27, 3, 1, 27, 0.1, 0x037cc2a3u},
    {"depthwise int8 stride 2", OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, OH_NN_INT8, 11, 9, 19, 3, 2, 19, 0.1, 0x7cfc13b0u},
    {"full connection int8", OH_NN_OPS_FULL_CONNECTION, OH_NN_INT8, 1, 1, 131, 1, 1, 43, 0.4, 0xad826085u},
    {"add int8", OH_NN_OPS_ADD, OH_NN_INT8, 5, 7, 13, 0, 0, 13, 0.03, 0x28a78d0au},
    {"average pool int8", OH_NN_OPS_AVG_POOL, OH_NN_INT8, 9, 8, 21, 3, 2, 21, 1.0 / 64, 0xeac12f31u},
    {"max pool int8", OH_NN_OPS_MAX_POOL, OH_NN_INT8, 9, 8, 21, 3, 2, 21, 1.0 / 64, 0xfb34be15u},
    {"softmax int8", OH_NN_OPS_SOFTMAX, OH_NN_INT8, 1, 1, 77, 0, 0, 77, 1.0 / 256, 0x1cdb658fu},
    {"conv2d int16 3x3", OH_NN_OPS_CONV2D, OH_NN_INT16, 9, 7, 11, 3, 1, 18, 0.002, 0x81198730u},
    {"full connection int16", OH_NN_OPS_FULL_CONNECTION, OH_NN_INT16, 1, 1, 131, 1, 1, 43, 0.002, 0xd8e8abb7u},
    {"conv2d float 3x3", OH_NN_OPS_CONV2D, OH_NN_FLOAT32, 9, 7, 19, 3, 1, 35, 0.0, 0},
    {"conv2d float 1x1", OH_NN_OPS_CONV2D, OH_NN_FLOAT32, 7, 5, 37, 1, 1, 21, 0.0, 0},
    {"depthwise float 3x3", OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, OH_NN_FLOAT32, 11, 9, 27, 3, 1, 27, 0.0, 0},
    {"full connection float", OH_NN_OPS_FULL_CONNECTION, OH_NN_FLOAT32, 1, 1, 131, 1, 1, 43, 0.0, 0},
};

/* A case with its numbers. */
typedef struct nnrt__self_data {
    const nnrt__self_case *of;
    int32_t out_height, out_width;
    uint32_t channels_read; /* that one output sums over */
    size_t in_count, out_count, weight_count;
    size_t in_bytes, out_bytes, weight_bytes, bias_bytes;
    void *memory; /* one block of NNRT_MALLOC: what follows */
    void *in, *out, *weights, *bias;
} nnrt__self_data;

NNRT__FN bool nnrt__self_has_weights(const nnrt__self_case *one) {
    return one->op == OH_NN_OPS_CONV2D || one->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE ||
           one->op == OH_NN_OPS_FULL_CONNECTION;
}

/* count numbers of type: integers of all their range, floats from -1 to 1. */
NNRT__FN void nnrt__self_fill(nnrt__self_noise *noise, OH_NN_DataType type, void *to, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (type == OH_NN_INT8) ((int8_t *)to)[i] = (int8_t)nnrt__self_draw(noise, -128, 127);
        else if (type == OH_NN_INT16) ((int16_t *)to)[i] = (int16_t)nnrt__self_draw(noise, -32768, 32767);
        else if (type == OH_NN_INT32) ((int32_t *)to)[i] = nnrt__self_draw(noise, -3000, 3000);
        else ((float *)to)[i] = (float)nnrt__self_draw(noise, -1024, 1024) / 1024.0f;
    }
}

/* Fills in the numbers of one; false: out of memory. */
NNRT__FN bool nnrt__self_draw_case(const nnrt__self_case *one, nnrt__self_data *data) {
    const size_t element = nnrt__element_size(one->type);
    const OH_NN_DataType weight_type = one->type == OH_NN_FLOAT32 ? OH_NN_FLOAT32 : OH_NN_INT8;
    const bool is_deep = one->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    nnrt__self_noise noise;
    uint8_t *at;
    noise.state = 20261123;
    memset(data, 0, sizeof(*data));
    data->of = one;
    data->out_height = one->stride != 0 ? (one->height + one->stride - 1) / one->stride : one->height;
    data->out_width = one->stride != 0 ? (one->width + one->stride - 1) / one->stride : one->width;
    data->channels_read = is_deep ? 1 : (uint32_t)one->channels;
    data->in_count = (size_t)(one->height * one->width * one->channels);
    data->out_count = (size_t)(data->out_height * data->out_width * one->out);
    if (nnrt__self_has_weights(one))
        data->weight_count = (size_t)(one->out * one->kernel * one->kernel) * data->channels_read;
    if (one->op == OH_NN_OPS_ADD) data->weight_count = data->in_count; /* what is added */
    data->in_bytes = data->in_count * element;
    data->out_bytes = data->out_count * element;
    data->weight_bytes = data->weight_count * nnrt__element_size(weight_type);
    data->bias_bytes = (size_t)one->out * 4;
    data->memory = nnrt__alloc(data->in_bytes + data->out_bytes + data->weight_bytes + data->bias_bytes + 32);
    if (data->memory == NULL) return false;
    at = (uint8_t *)data->memory;
    data->bias = at, at += (data->bias_bytes + 7) / 8 * 8;
    data->in = at, at += (data->in_bytes + 7) / 8 * 8;
    data->out = at, at += (data->out_bytes + 7) / 8 * 8;
    data->weights = at;
    nnrt__self_fill(&noise, one->type, data->in, data->in_count);
    nnrt__self_fill(&noise, weight_type, data->weights, data->weight_count);
    nnrt__self_fill(&noise, one->type == OH_NN_FLOAT32 ? OH_NN_FLOAT32 : OH_NN_INT32, data->bias, (size_t)one->out);
    return true;
}

/* The finished model of a case; graph->code says whether. */
NNRT__FN void nnrt__self_model(const nnrt__self_data *data, nnrt__self_graph *graph) {
    const nnrt__self_case *one = data->of;
    const bool is_integer = one->type != OH_NN_FLOAT32, is_row = one->height == 1;
    const double scale = !is_integer ? 0.0 : one->type == OH_NN_INT16 ? 1.0 / 16384 : 1.0 / 64;
    const int32_t zero = one->type == OH_NN_INT8 ? 3 : 0;
    const OH_NN_DataType weight_type = is_integer ? OH_NN_INT8 : OH_NN_FLOAT32;
    const OH_NN_DataType bias_type = is_integer ? OH_NN_INT32 : OH_NN_FLOAT32;
    const bool is_pool = one->op == OH_NN_OPS_AVG_POOL || one->op == OH_NN_OPS_MAX_POOL;
    const bool keeps = is_pool; /* the output has the scale of the input */
    const int32_t last_channel = -1;
    int32_t in_dims[4], out_dims[4], weight_dims[4];
    uint32_t tensor;
    in_dims[0] = out_dims[0] = 1;
    in_dims[1] = one->height, in_dims[2] = one->width, in_dims[3] = one->channels;
    out_dims[1] = data->out_height, out_dims[2] = data->out_width, out_dims[3] = one->out;
    if (is_row) in_dims[1] = one->channels, out_dims[1] = one->out;
    weight_dims[0] = one->out;
    weight_dims[1] = weight_dims[2] = one->kernel;
    weight_dims[3] = (int32_t)data->channels_read;
    nnrt__self_open(graph);
    nnrt__self_input(graph, nnrt__self_tensor(graph, one->type, is_row ? 2 : 4, in_dims, scale, zero));
    graph->output = nnrt__self_tensor(graph, one->type, is_row ? 2 : 4, out_dims, is_integer ? one->out_scale : 0.0,
                                      one->op == OH_NN_OPS_SOFTMAX ? -128
                                      : keeps                      ? zero
                                      : one->type == OH_NN_INT8    ? -5
                                                                   : 0);
    if (one->op == OH_NN_OPS_FULL_CONNECTION) weight_dims[1] = one->channels;
    if (nnrt__self_has_weights(one)) {
        tensor = nnrt__self_tensor(graph, weight_type, one->op == OH_NN_OPS_FULL_CONNECTION ? 2 : 4, weight_dims,
                                   is_integer ? 1.0 / 64 : 0.0, 0);
        nnrt__self_contents(graph, tensor, data->weights, data->weight_bytes);
        nnrt__self_input(graph, tensor);
        tensor = nnrt__self_tensor(graph, bias_type, 1, &one->out, 0.0, 0);
        nnrt__self_contents(graph, tensor, data->bias, data->bias_bytes);
        nnrt__self_input(graph, tensor);
    }
    switch ((int)one->op) {
    case OH_NN_OPS_CONV2D:
        nnrt__self_param_pair(graph, OH_NN_CONV2D_STRIDES, one->stride);
        nnrt__self_param_byte(graph, OH_NN_CONV2D_PAD_MODE, 0);
        break;
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE:
        nnrt__self_param_pair(graph, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, one->stride);
        nnrt__self_param_byte(graph, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, 0);
        break;
    case OH_NN_OPS_AVG_POOL:
        nnrt__self_param_pair(graph, OH_NN_AVG_POOL_KERNEL_SIZE, one->kernel);
        nnrt__self_param_pair(graph, OH_NN_AVG_POOL_STRIDE, one->stride);
        nnrt__self_param_byte(graph, OH_NN_AVG_POOL_PAD_MODE, 0);
        break;
    case OH_NN_OPS_MAX_POOL:
        nnrt__self_param_pair(graph, OH_NN_MAX_POOL_KERNEL_SIZE, one->kernel);
        nnrt__self_param_pair(graph, OH_NN_MAX_POOL_STRIDE, one->stride);
        nnrt__self_param_byte(graph, OH_NN_MAX_POOL_PAD_MODE, 0);
        break;
    case OH_NN_OPS_SOFTMAX: {
        const int64_t axis = last_channel;
        nnrt__self_param(graph, OH_NN_SOFTMAX_AXIS, OH_NN_INT64, 1, &axis);
        break;
    }
    case OH_NN_OPS_ADD:
        tensor = nnrt__self_tensor(graph, one->type, 4, in_dims, 1.0 / 50, -7);
        nnrt__self_contents(graph, tensor, data->weights, data->weight_bytes);
        nnrt__self_input(graph, tensor);
        break;
    default: break;
    }
    nnrt__self_operator(graph, one->op);
}

/* -------------------------------------------------------------------------------- what has to come out */

/* The float at out[y, x, channel] as a sum in double, and the allowed rounding error. */
NNRT__FN double nnrt__self_sum(const nnrt__self_data *data, int32_t y, int32_t x, int32_t channel, double *bound) {
    const nnrt__self_case *one = data->of;
    const bool is_deep = one->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    const int32_t reach = (data->out_height - 1) * one->stride + one->kernel - one->height;
    const int32_t reach_x = (data->out_width - 1) * one->stride + one->kernel - one->width;
    const float *in = (const float *)data->in, *weights = (const float *)data->weights;
    double sum = (double)((const float *)data->bias)[channel], magnitude = sum < 0 ? -sum : sum, product;
    int32_t ky, kx, c;
    for (ky = 0; ky < one->kernel; ky++)
        for (kx = 0; kx < one->kernel; kx++) {
            const int32_t at_y = y * one->stride + ky - (reach > 0 ? reach / 2 : 0);
            const int32_t at_x = x * one->stride + kx - (reach_x > 0 ? reach_x / 2 : 0);
            if (at_y < 0 || at_x < 0 || at_y >= one->height || at_x >= one->width) continue;
            for (c = 0; c < (int32_t)data->channels_read; c++) {
                product =
                    (double)in[(at_y * one->width + at_x) * one->channels + (is_deep ? channel : c)] *
                    (double)
                        weights[((channel * one->kernel + ky) * one->kernel + kx) * (int32_t)data->channels_read + c];
                sum += product;
                magnitude += product < 0 ? -product : product;
            }
        }
    *bound = magnitude * (double)(one->kernel * one->kernel * (int32_t)data->channels_read + 1) / 16777216.0;
    return sum;
}

/* Whether data->out is as expected. */
NNRT__FN bool nnrt__self_is_right(const nnrt__self_data *data) {
    const float *out = (const float *)data->out;
    int32_t y, x, c;
    if (data->of->type != OH_NN_FLOAT32) return nnrt__crc32(0, data->out, data->out_bytes) == data->of->crc;
    for (y = 0; y < data->out_height; y++)
        for (x = 0; x < data->out_width; x++)
            for (c = 0; c < data->of->out; c++, out++) {
                double bound, difference = (double)*out - nnrt__self_sum(data, y, x, c, &bound);
                if (!(difference <= bound && difference >= -bound)) return false;
            }
    return true;
}

#endif /* NNRT_SELFTEST_CASES_H */
