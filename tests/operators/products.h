/* SPDX-License-Identifier: Apache-2.0 */
/* products.h - what is said of convolutions, full connection, matrix products and pools. */
#ifndef NNRT_TESTS_OPERATORS_PRODUCTS_H
#define NNRT_TESTS_OPERATORS_PRODUCTS_H

#include "said.h"

#define SAID_FUSED "0 none, 1 RELU, 2 RELU6"
#define SAID_STRIDES "[height, width]", "1 to 32768 each", NULL, NULL, "1 1", "0 1; 1; 1 1 1; -1 1; 1 32769"
#define SAID_DILATION "[height, width]", "1 to 32768 each", "1, 1", "1 1", NULL, "0 1; 1; 1 -1"
#define SAID_PADS "[top, bottom, left, right]", "0 to 32768 each", "none", "0 0 0 0", NULL, "-1 0 0 0; 0 0 0 40000"
#define SAID_PAD_MODE                                                                                               \
    "0 SAME: as many outputs as strides fit the input; 1 or 2 VALID: the pads of the list, or none", NULL, "VALID", \
        "1", NULL, NULL

/* -------------------------------------------------------------------------------------------- CONV2D */

static const said_operand said_inputs_conv[] = {
    {"input", "[batch, height, width, in]", NULL, SAID_DATA, SAID_AT_RUN, "1 5 5 4", NULL},
    {"weights", "[out, kernel height, kernel width, in / group]",
     "integers: zero points of 0, one scale or one for each out", SAID_WEIGHTS, SAID_AT_BUILD, "6 3 3 4", NULL},
    {"bias", "[out]", NULL, SAID_BIAS, SAID_AT_BUILD, "6", NULL},
};
static const said_operand said_outputs_conv[] = {
    {"output", "[batch, height', width', out]", NULL, SAID_DATA, SAID_AT_RUN, "1 3 3 6", NULL},
};
static const said_param said_params_conv[] = {
    {OH_NN_CONV2D_STRIDES, SAID_STRIDES},
    {OH_NN_CONV2D_DILATION, SAID_DILATION},
    {OH_NN_CONV2D_PAD, SAID_PADS},
    {OH_NN_CONV2D_PAD_MODE, SAID_PAD_MODE},
    {OH_NN_CONV2D_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
    {OH_NN_CONV2D_GROUP, "groups of channels that do not mix", "1 to in; divides in and out", "1", "1", NULL,
     "0; -1; 2; 5"},
};
static const said_wrong said_conv_wrong[] = {
    {"weights that have not four dimensions", SAID_INPUT_DIMS, 1, "6 3 12", SAID_ADD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "5 5 4", SAID_BUILD},
    {"weights for other channels than those of the input", SAID_INPUT_DIMS, 1, "6 3 3 3", SAID_BUILD},
    {"a bias that is not one value for each output channel", SAID_INPUT_DIMS, 2, "5", SAID_BUILD},
    {"a kernel that is larger than the padded input", SAID_INPUT_DIMS, 0, "1 2 2 4", SAID_BUILD},
    {"weights of another type", SAID_INPUT_TYPE, 1, "float64", SAID_BUILD},
    {"a bias of another type", SAID_INPUT_TYPE, 2, "bool", SAID_BUILD},
    {"a bias of float32 beside int16", SAID_INPUT_TYPE, 2, "int16: float32", SAID_BUILD},
};
static const said_operator said_operators_conv[] = {
    SAID(CONV2D, SAID_LIST(said_inputs_conv), SAID_LIST(said_outputs_conv), SAID_LIST(said_params_conv),
         SAID_LIST(said_conv_wrong), SAID_AS_INPUT, "sums of products over a window, the bias, the activation",
         OPENHARMONY ", integers and float32 with int8 weights: " TFLITE),
};

/* --------------------------------------------------------------------------- DEPTHWISE_CONV2D_NATIVE */

static const said_operand said_inputs_depthwise[] = {
    {"input", "[batch, height, width, in]", NULL, SAID_DATA, SAID_AT_RUN, "1 5 5 4", NULL},
    {"weights", "[out, kernel height, kernel width, 1] or [1, kernel height, kernel width, out]",
     "out is a multiple of in; integers: as of CONV2D", SAID_WEIGHTS, SAID_AT_BUILD, "4 3 3 1", NULL},
    {"bias", "[out]", NULL, SAID_BIAS, SAID_AT_BUILD, "4", NULL},
};
static const said_operand said_outputs_depthwise[] = {
    {"output", "[batch, height', width', out]", NULL, SAID_DATA, SAID_AT_RUN, "1 3 3 4", NULL},
};
static const said_param said_params_depthwise[] = {
    {OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, SAID_STRIDES},
    {OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION, SAID_DILATION},
    {OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD, SAID_PADS},
    {OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, SAID_PAD_MODE},
    {OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
};
static const said_wrong said_depthwise_wrong[] = {
    {"weights that have not four dimensions", SAID_INPUT_DIMS, 1, "4 9 1", SAID_ADD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "5 5 4", SAID_ADD},
    {"weights of two input channels", SAID_INPUT_DIMS, 1, "4 3 3 2", SAID_BUILD},
    {"output channels that are no multiple of the input's", SAID_INPUT_DIMS, 0, "1 5 5 3", SAID_BUILD},
    {"a bias that is not one value for each output channel", SAID_INPUT_DIMS, 2, "3", SAID_BUILD},
    {"a kernel that is larger than the padded input", SAID_INPUT_DIMS, 0, "1 2 2 4", SAID_BUILD},
    {"weights in the second layout", SAID_INPUT_DIMS, 1, "1 3 3 4", SAID_NEVER},
};
static const said_operator said_operators_depthwise[] = {
    SAID(DEPTHWISE_CONV2D_NATIVE, SAID_LIST(said_inputs_depthwise), SAID_LIST(said_outputs_depthwise),
         SAID_LIST(said_params_depthwise), SAID_LIST(said_depthwise_wrong), SAID_AS_INPUT,
         "CONV2D with a group for each input channel; output channel o reads input channel o * in / out",
         OPENHARMONY ", integers and float32 with int8 weights: " TFLITE),
};

/* ---------------------------------------------------------------------------------- CONV2D_TRANSPOSE */

static const said_operand said_inputs_transpose_conv[] = {
    {"input", "[batch, height, width, in]", NULL, SAID_DATA, SAID_AT_RUN, "1 3 3 4", NULL},
    {"weights", "[out, kernel height, kernel width, in / group] or [in, kernel height, kernel width, out / group]",
     "the first where both fit; integers: as of CONV2D", SAID_WEIGHTS, SAID_AT_BUILD, "6 3 3 4", NULL},
    {"bias", "[out]", NULL, SAID_BIAS, SAID_AT_BUILD, "6", NULL},
};
static const said_operand said_outputs_transpose_conv[] = {
    {"output", "[batch, height', width', out]", NULL, SAID_DATA, SAID_AT_RUN, "1 7 7 6", NULL},
};
static const said_param said_params_transpose_conv[] = {
    {OH_NN_CONV2D_TRANSPOSE_STRIDES, "[height, width]", "1 to 32768 each", NULL, NULL, "2 2", "0 2; 2; 2 2 2; -1 2"},
    {OH_NN_CONV2D_TRANSPOSE_DILATION, SAID_DILATION},
    {OH_NN_CONV2D_TRANSPOSE_PAD, "[top, bottom, left, right], taken from the output", "0 to 32768 each", "none",
     "0 0 0 0", NULL, "-1 0 0 0; 9 9 9 9"},
    {OH_NN_CONV2D_TRANSPOSE_PAD_MODE, "0 SAME: input * stride outputs; 1 or 2 VALID: the pads of the list, or none",
     NULL, "VALID", "1", NULL, NULL},
    {OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
    {OH_NN_CONV2D_TRANSPOSE_GROUP, "groups of channels that do not mix", "1 to in; divides in and out", "1", "1", NULL,
     "0; -1; 2; 5"},
    {OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS,
     "rows and columns more at the bottom and the right, or one number for both", "0 to stride - 1", "0", "0 0", NULL,
     "2 0; 0 2; -1; 0 0 0"},
};
static const said_wrong said_transpose_conv_wrong[] = {
    {"weights that have not four dimensions", SAID_INPUT_DIMS, 1, "6 9 4", SAID_ADD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "3 3 4", SAID_BUILD},
    {"weights and bias that fit in neither layout", SAID_INPUT_DIMS, 1, "5 3 3 4", SAID_BUILD},
    {"a bias of another length", SAID_INPUT_DIMS, 2, "5", SAID_BUILD},
    {"weights in the second layout", SAID_INPUT_DIMS, 1, "4 3 3 6", SAID_NEVER},
};
static const said_operator said_operators_transpose_conv[] = {
    SAID(CONV2D_TRANSPOSE, SAID_LIST(said_inputs_transpose_conv), SAID_LIST(said_outputs_transpose_conv),
         SAID_LIST(said_params_transpose_conv), SAID_LIST(said_transpose_conv_wrong), SAID_AS_INPUT,
         "each input pixel adds its products to a window of the output; then the bias and the activation",
         OPENHARMONY ", second layout and SAME: " MINDSPORE ", integers: " TFLITE),
};

/* ------------------------------------------------------------------------------------ FULL_CONNECTION */

static const said_operand said_inputs_full[] = {
    {"input", "any", "rows of as many values as a row of weights has", SAID_DATA, SAID_AT_RUN, "2 4", NULL},
    {"weights", "[out, in]", "integers: as of CONV2D", SAID_WEIGHTS, SAID_AT_BUILD, "3 4", NULL},
    {"bias", "[out]", "may be left out", SAID_BIAS, SAID_AT_BUILD, "3", NULL},
};
static const said_operand said_outputs_full[] = {
    {"output", "[rows, out]; with an axis, the dimensions before it and out", NULL, SAID_DATA, SAID_AT_RUN, "2 3",
     NULL},
};
static const said_param said_params_full[] = {
    {OH_NN_FULL_CONNECTION_AXIS, "the dimensions from here on are a row", "1 to the rank",
     "rows are cut from all elements", NULL, NULL, "0; 3; -1"},
    {OH_NN_FULL_CONNECTION_USE_AXIS, "false together with an axis is refused when the operator is added",
     "true with an axis only", "true where there is an axis", "0", NULL, "1"},
    {OH_NN_FULL_CONNECTION_HAS_BIAS, "agrees with the number of inputs", NULL, "true where there are three inputs", "1",
     NULL, "0"},
    {OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
};
static const said_wrong said_full_wrong[] = {
    {"one input, or more than three", SAID_INPUTS, 0, "1", SAID_BUILD},
    {"four inputs", SAID_INPUTS, 0, "4", SAID_BUILD},
    {"no bias", SAID_INPUTS, 0, "2", SAID_NEVER},
    {"weights that have not two dimensions", SAID_INPUT_DIMS, 1, "3 4 1", SAID_BUILD},
    {"an input that is not whole rows", SAID_INPUT_DIMS, 0, "2 3", SAID_BUILD},
    {"a bias of another length", SAID_INPUT_DIMS, 2, "4", SAID_BUILD},
};
static const said_operator said_operators_full[] = {
    SAID(FULL_CONNECTION, SAID_LIST(said_inputs_full), SAID_LIST(said_outputs_full), SAID_LIST(said_params_full),
         SAID_LIST(said_full_wrong), SAID_AS_INPUT,
         "rows of the input times rows of the weights, the bias, the activation",
         OPENHARMONY ", integers and float32 with int8 weights: " TFLITE),
};

/* -------------------------------------------------------------------------------------------- MATMUL */

static const said_operand said_inputs_matmul[] = {
    {"input1", "[..., m, k]", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"input2", "[..., k, n]", "dimensions before the last two broadcast", SAID_WEIGHTS, SAID_AT_BUILD, "4 5", NULL},
};
static const said_operand said_outputs_matmul[] = {
    {"output", "[..., m, n]", NULL, SAID_DATA, SAID_AT_RUN, "2 3 5", NULL},
};
static const said_param said_params_matmul[] = {
    {OH_NN_MATMUL_TRANSPOSE_A, "input1 is [..., k, m]", NULL, "false", "0", NULL, NULL},
    {OH_NN_MATMUL_TRANSPOSE_B, "input2 is [..., n, k]", NULL, "false", "0", NULL, NULL},
    {OH_NN_MATMUL_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", "1", NULL},
};
static const said_wrong said_matmul_wrong[] = {
    {"an input of less than two dimensions", SAID_INPUT_DIMS, 1, "4", SAID_BUILD},
    {"columns of input1 that are not as many as the rows of input2", SAID_INPUT_DIMS, 1, "3 5", SAID_BUILD},
    {"dimensions that do not broadcast", SAID_INPUT_DIMS, 1, "3 4 5", SAID_BUILD},
};
static const said_operator said_operators_matmul[] = {
    SAID(MATMUL, SAID_LIST(said_inputs_matmul), SAID_LIST(said_outputs_matmul), SAID_LIST(said_params_matmul),
         SAID_LIST(said_matmul_wrong), SAID_AS_INPUT, "the matrix product, then the activation",
         OPENHARMONY ", integers: " TFLITE),
};

/* --------------------------------------------------------------------------------------------- pools */

static const said_operand said_inputs_pool[] = {
    {"input", "[batch, height, width, channels]", NULL, SAID_DATA, SAID_AT_RUN, "1 5 5 3", NULL},
};
static const said_operand said_outputs_pool[] = {
    {"output", "[batch, height', width', channels]", NULL, SAID_DATA, SAID_AT_RUN, "1 2 2 3", NULL},
};
#define SAID_POOL_KERNEL \
    "[height, width]; not looked at with GLOBAL", "1 to 32768 each", NULL, NULL, "2 2", "0 2; 2; 2 2 2"
#define SAID_POOL_STRIDE \
    "[height, width]; not looked at with GLOBAL", "1 to 32768 each", NULL, NULL, "2 2", "0 2; 2; 2 2 2"
#define SAID_POOL_ROUND "of the number of outputs: 0 down, 1 up; SAME has its own", NULL, "down", "0", NULL, NULL
#define SAID_POOL_GLOBAL "the window is the image, one output for each channel", NULL, "false", "0", NULL, NULL
static const said_param said_params_avg_pool[] = {
    {OH_NN_AVG_POOL_KERNEL_SIZE, SAID_POOL_KERNEL},
    {OH_NN_AVG_POOL_STRIDE, SAID_POOL_STRIDE},
    {OH_NN_AVG_POOL_PAD_MODE, SAID_PAD_MODE},
    {OH_NN_AVG_POOL_PAD, SAID_PADS},
    {OH_NN_AVG_POOL_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
    {OH_NN_AVG_POOL_ROUND_MODE, SAID_POOL_ROUND},
    {OH_NN_AVG_POOL_GLOBAL, SAID_POOL_GLOBAL},
};
static const said_param said_params_max_pool[] = {
    {OH_NN_MAX_POOL_KERNEL_SIZE, SAID_POOL_KERNEL},
    {OH_NN_MAX_POOL_STRIDE, SAID_POOL_STRIDE},
    {OH_NN_MAX_POOL_PAD_MODE, SAID_PAD_MODE},
    {OH_NN_MAX_POOL_PAD, SAID_PADS},
    {OH_NN_MAX_POOL_ACTIVATION_TYPE, SAID_FUSED, NULL, "none", "0", NULL, NULL},
    {OH_NN_MAX_POOL_ROUND_MODE, SAID_POOL_ROUND},
    {OH_NN_MAX_POOL_GLOBAL, SAID_POOL_GLOBAL},
};
static const said_wrong said_pool_wrong[] = {
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "5 5 3", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_pool[] = {
    SAID(AVG_POOL, SAID_LIST(said_inputs_pool), SAID_LIST(said_outputs_pool), SAID_LIST(said_params_avg_pool),
         SAID_LIST(said_pool_wrong), SAID_AS_INPUT,
         "the mean of the pixels of the window that are inside the image, 0 where none is",
         MINDSPORE ", integers: " TFLITE),
    SAID(MAX_POOL, SAID_LIST(said_inputs_pool), SAID_LIST(said_outputs_pool), SAID_LIST(said_params_max_pool),
         SAID_LIST(said_pool_wrong), SAID_AS_INPUT,
         "the largest of them, the lowest number of the type where there is none", OPENHARMONY ", integers: " TFLITE),
};

#endif /* NNRT_TESTS_OPERATORS_PRODUCTS_H */
