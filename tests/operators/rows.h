/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h - what is said of operators that look at a row at a time: softmax, normalisations, scaling per channel. */
#ifndef NNRT_TESTS_OPERATORS_ROWS_H
#define NNRT_TESTS_OPERATORS_ROWS_H

#include "said.h"

static const said_operand said_input_row[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_operand said_output_row[] = {
    {"output", "that of the input", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_wrong said_row_wrong[] = {
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};

static const said_param said_params_softmax[] = {
    {OH_NN_SOFTMAX_AXIS, "the axis of the sum", "an axis", "-1", "-1", "1", "3; -4"},
};
static const said_param said_params_log_softmax[] = {
    {OH_NN_LOG_SOFTMAX_AXIS, "the axis of the sum", "an axis", "0", "0", "1", "3; -4"},
};
static const said_operator said_operators_softmax[] = {
    SAID(SOFTMAX, SAID_LIST(said_input_row), SAID_LIST(said_output_row), SAID_LIST(said_params_softmax),
         SAID_LIST(said_row_wrong), SAID_FROM_0_TO_1, "e^x / sum of e^x", OPENHARMONY ", int8 and int16: " TFLITE),
    SAID(LOG_SOFTMAX, SAID_LIST(said_input_row), SAID_LIST(said_output_row), SAID_LIST(said_params_log_softmax),
         SAID_LIST(said_row_wrong), SAID_AS_INPUT, "x - ln(sum of e^x)", OPENHARMONY),
};

static const said_param said_params_l2[] = {
    {OH_NN_L2_NORMALIZE_AXIS, "the axes of the sum", "axes; between two of them only axes of size 1", "all axes",
     "0 1 2", "2", "3; -4"},
    {OH_NN_L2_NORMALIZE_EPSILON, "the least that the sum is", NULL, "0.000001", "0.000001", NULL, NULL},
    {OH_NN_L2_NORMALIZE_ACTIVATION_TYPE, "0 none, 1 RELU, 2 RELU6", NULL, "none", "0", NULL, NULL},
};
static const said_wrong said_l2_wrong[] = {
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"axes with another one between them", SAID_PARAM, OH_NN_L2_NORMALIZE_AXIS, "0 2", SAID_BUILD},
};
static const said_operator said_operators_l2[] = {
    SAID(L2_NORMALIZE, SAID_LIST(said_input_row), SAID_LIST(said_output_row), SAID_LIST(said_params_l2),
         SAID_LIST(said_l2_wrong), SAID_FROM_M1_TO_1, "x / sqrt(max(sum of x^2, epsilon)), then the activation",
         MINDSPORE ", int8 of scale 1/128: " TFLITE),
};

static const said_param said_params_lrn[] = {
    {OH_NN_LRN_DEPTH_RADIUS, "elements on either side that are added", "0 or more", "0", "0", "1", "-1"},
    {OH_NN_LRN_BIAS, "bias", NULL, "0", "0", "1", NULL},
    {OH_NN_LRN_ALPHA, "alpha, not divided by anything", NULL, "0", "0", "0.5", NULL},
    {OH_NN_LRN_BETA, "beta", NULL, "0", "0", "0.75", NULL},
    {OH_NN_LRN_NORM_REGION, "0 across channels", NULL, "across channels", "0", NULL, NULL},
};
static const said_operator said_operators_lrn[] = {
    SAID(LRN, SAID_LIST(said_input_row), SAID_LIST(said_output_row), SAID_LIST(said_params_lrn),
         SAID_LIST(said_row_wrong), SAID_AS_INPUT,
         "x * (bias + alpha * sum of x^2)^-beta, the sum over the neighbours on the last axis", MINDSPORE),
};

/* --------------------------------------------------------------------------- LAYER_NORM, INSTANCE_NORM */

static const said_operand said_inputs_layer_norm[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"gamma", "the dimensions of the input from BEGIN_NORM_AXIS on", "float32, or any constant numbers", SAID_REAL,
     SAID_AT_RUN, "3 4", NULL},
    {"beta", "that of gamma", "float32, or any constant numbers", SAID_REAL, SAID_AT_RUN, "3 4", NULL},
};
static const said_param said_params_layer_norm[] = {
    {OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, "the first axis of what is normalised", "1 to rank - 1", "1", "1", NULL, NULL},
    {OH_NN_LAYER_NORM_EPSILON, "is added to the variance", NULL, "0.0000001", "0.0000001", NULL, NULL},
    {OH_NN_LAYER_NORM_BEGIN_PARAM_AXIS, "is not looked at: the shape of gamma says it", NULL, "1", "1", NULL, NULL},
};
static const said_wrong said_layer_norm_wrong[] = {
    {"an axis that is not in 1 to rank - 1", SAID_PARAM, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, "0", SAID_ADD},
    {"a negative axis", SAID_PARAM, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, "-1", SAID_ADD},
    {"gamma of another rank", SAID_INPUT_DIMS, 1, "4", SAID_ADD},
    {"gamma of another shape", SAID_INPUT_DIMS, 1, "4 3", SAID_ADD},
    {"beta of another shape", SAID_INPUT_DIMS, 2, "3 5", SAID_ADD},
};
static const said_operand said_inputs_instance_norm[] = {
    {"input", "[batch, ..., channels]; [batch, channels, ...] where its format is NCHW or ND", NULL, SAID_DATA,
     SAID_AT_RUN, "2 3 4", NULL},
    {"scale", "[channels]", "float32, or any constant numbers", SAID_REAL, SAID_AT_RUN, "4", NULL},
    {"bias", "[channels]", "float32, or any constant numbers", SAID_REAL, SAID_AT_RUN, "4", NULL},
};
static const said_param said_params_instance_norm[] = {
    {OH_NN_INSTANCE_NORM_EPSILON, "is added to the variance", NULL, "0", "0", "0.01", NULL},
};
static const said_wrong said_instance_norm_wrong[] = {
    {"an input of less than two dimensions", SAID_INPUT_DIMS, 0, "4", SAID_BUILD},
    {"a scale of another length", SAID_INPUT_DIMS, 1, "3", SAID_BUILD},
    {"a bias of another length", SAID_INPUT_DIMS, 2, "3", SAID_BUILD},
};
#define SAID_NORMALIZED "(x - mean) / sqrt(variance + epsilon) * "
static const said_operator said_operators_normalize[] = {
    SAID(LAYER_NORM, SAID_LIST(said_inputs_layer_norm), SAID_LIST(said_output_row), SAID_LIST(said_params_layer_norm),
         SAID_LIST(said_layer_norm_wrong), SAID_AS_INPUT, SAID_NORMALIZED "gamma + beta", OPENHARMONY),
    SAID(INSTANCE_NORM, SAID_LIST(said_inputs_instance_norm), SAID_LIST(said_output_row),
         SAID_LIST(said_params_instance_norm), SAID_LIST(said_instance_norm_wrong), SAID_AS_INPUT,
         SAID_NORMALIZED "scale + bias, over the dimensions but batch and channels", OPENHARMONY),
};

/* --------------------------------------------------------------------------------- BATCH_NORM, SCALE */

static const said_operand said_inputs_batch_norm[] = {
    {"input", "[..., channels]", "whatever its format is", SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"scale", "[channels]", "numbers", SAID_REAL, SAID_AT_BUILD, "4", NULL},
    {"offset", "[channels]", "numbers", SAID_REAL, SAID_AT_BUILD, "4", NULL},
    {"mean", "[channels]", "numbers", SAID_REAL, SAID_AT_BUILD, "4", NULL},
    {"variance", "[channels]", "numbers", SAID_REAL, SAID_AT_BUILD, "4", NULL},
};
static const said_param said_params_batch_norm[] = {
    {OH_NN_BATCH_NORM_EPSILON, "is added to the variance", NULL, "0.0001", "0.0001", "0.5", NULL},
};
static const said_wrong said_batch_norm_wrong[] = {
    {"a scale that is not one value for each channel", SAID_INPUT_DIMS, 1, "3", SAID_BUILD},
    {"a variance of another length", SAID_INPUT_DIMS, 4, "3", SAID_BUILD},
    {"numbers of a type that stands for none", SAID_INPUT_TYPE, 2, "bool", SAID_BUILD},
};
static const said_operand said_inputs_scale[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"scale", "some neighbouring dimensions of the input, from AXIS on", "numbers", SAID_REAL, SAID_AT_BUILD, "3 4",
     NULL},
    {"bias", "that of the scale", "numbers", SAID_REAL, SAID_AT_BUILD, "3 4", NULL},
};
static const said_param said_params_scale[] = {
    {OH_NN_SCALE_AXIS, "where in the input the dimensions of the scale begin", "an axis", NULL, NULL, "1",
     "0; 2; 3; -4"},
    {OH_NN_SCALE_ACTIVATIONTYPE, "0 none, 1 RELU, 2 RELU6", NULL, "none", "0", NULL, NULL},
};
static const said_wrong said_scale_wrong[] = {
    {"a scale that does not fit there", SAID_INPUT_DIMS, 1, "3 5", SAID_BUILD},
    {"a bias of another size", SAID_INPUT_DIMS, 2, "3", SAID_BUILD},
    {"numbers of a type that stands for none", SAID_INPUT_TYPE, 2, "bool", SAID_BUILD},
};
static const said_operator said_operators_affine[] = {
    SAID(BATCH_NORM, SAID_LIST(said_inputs_batch_norm), SAID_LIST(said_output_row), SAID_LIST(said_params_batch_norm),
         SAID_LIST(said_batch_norm_wrong), SAID_AS_INPUT, SAID_NORMALIZED "scale + offset", OPENHARMONY),
    SAID(SCALE, SAID_LIST(said_inputs_scale), SAID_LIST(said_output_row), SAID_LIST(said_params_scale),
         SAID_LIST(said_scale_wrong), SAID_AS_INPUT, "x * scale + bias, then the activation", OPENHARMONY),
};

#endif /* NNRT_TESTS_OPERATORS_ROWS_H */
