/* SPDX-License-Identifier: Apache-2.0 */
/* functions.h - what is said of operators of one operand, and of conversions. */
#ifndef NNRT_TESTS_OPERATORS_FUNCTIONS_H
#define NNRT_TESTS_OPERATORS_FUNCTIONS_H

#include "said.h"

static const said_operand said_one[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_operand said_like_it[] = {
    {"output", "that of the input", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_wrong said_one_wrong[] = {
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_param said_params_leaky_relu[] = {
    {OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, "slope", NULL, "0", "0", "0.25", NULL},
};
static const said_param said_params_clip[] = {
    {OH_NN_CLIP_MIN, "min", NULL, "0", "0", "-1", NULL},
    {OH_NN_CLIP_MAX, "max", NULL, "0", "0", "2", NULL},
};
static const said_param said_params_gelu[] = {
    {OH_NN_GELU_APPROXIMATE, "the form with tanh", NULL, "false", "0", "1", NULL},
};
static const said_param said_params_exp[] = {
    {OH_NN_EXP_BASE, "base; -1 is e", "-1, or more than 0", "-1", "-1", "2", "0; -2"},
    {OH_NN_EXP_SCALE, "scale", NULL, "1", "1", "0.5", NULL},
    {OH_NN_EXP_SHIFT, "shift", NULL, "0", "0", "1", NULL},
};

#define SAID_ONE(op, params, span, computes, source) \
    SAID(op, SAID_LIST(said_one), SAID_LIST(said_like_it), params, SAID_LIST(said_one_wrong), span, computes, source)
static const said_operator said_operators_one[] = {
    SAID_ONE(RELU, SAID_NONE, SAID_AS_INPUT, "max(x, 0)", OPENHARMONY ", 8 bits and int16: " TFLITE),
    SAID_ONE(RELU6, SAID_NONE, SAID_AS_INPUT, "min(max(x, 0), 6)", OPENHARMONY ", 8 bits and int16: " TFLITE),
    SAID_ONE(LEAKY_RELU, SAID_LIST(said_params_leaky_relu), SAID_AS_INPUT, "x < 0 ? slope * x : x",
             OPENHARMONY ", 8 bits and int16: " TFLITE),
    SAID_ONE(CLIP, SAID_LIST(said_params_clip), SAID_AS_INPUT, "min(max(x, min), max)", MINDSPORE),
    SAID_ONE(SIGMOID, SAID_NONE, SAID_FROM_0_TO_1, "1 / (1 + e^-x)", OPENHARMONY ", 8 bits and int16: " TFLITE),
    SAID_ONE(TANH, SAID_NONE, SAID_FROM_M1_TO_1, "tanh x", OPENHARMONY ", 8 bits and int16: " TFLITE),
    SAID_ONE(HSWISH, SAID_NONE, SAID_AS_INPUT, "x * min(max(x + 3, 0), 6) / 6", MINDSPORE ", int8: " TFLITE),
    SAID_ONE(HARD_SIGMOID, SAID_NONE, SAID_FROM_0_TO_1, "min(max(x + 3, 0), 6) / 6", MINDSPORE),
    SAID_ONE(SWISH, SAID_NONE, SAID_AS_INPUT, "x / (1 + e^-x)", MINDSPORE),
    SAID_ONE(GELU, SAID_LIST(said_params_gelu), SAID_AS_INPUT,
             "x / 2 * (1 + erf(x / sqrt 2)), or x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))", MINDSPORE),
    SAID_ONE(ABS, SAID_NONE, SAID_AS_INPUT, "the absolute value", OPENHARMONY ", int8: " TFLITE),
    SAID_ONE(NEG, SAID_NONE, SAID_AS_INPUT, "-x", OPENHARMONY),
    SAID_ONE(SQUARE, SAID_NONE, SAID_AS_INPUT, "x * x", OPENHARMONY),
    SAID_ONE(SQRT, SAID_NONE, SAID_AS_INPUT, "sqrt x; NaN below 0", OPENHARMONY),
    SAID_ONE(RSQRT, SAID_NONE, SAID_AS_INPUT, "1 / sqrt x; infinity for 0, NaN below", OPENHARMONY ", int8: " TFLITE),
    SAID_ONE(RECIPROCAL, SAID_NONE, SAID_AS_INPUT, "1 / x; infinity for 0", OPENHARMONY),
    SAID_ONE(EXP, SAID_LIST(said_params_exp), SAID_AS_INPUT, "base ^ (scale * x + shift)", MINDSPORE),
    SAID_ONE(LOG, SAID_NONE, SAID_AS_INPUT, "ln x; -infinity for 0, NaN below", OPENHARMONY),
    SAID_ONE(SIN, SAID_NONE, SAID_FROM_M1_TO_1, "sin x", OPENHARMONY),
    SAID_ONE(COS, SAID_NONE, SAID_FROM_M1_TO_1, "cos x", OPENHARMONY),
    SAID_ONE(ERF, SAID_NONE, SAID_FROM_M1_TO_1, "the error function", OPENHARMONY),
    SAID_ONE(CEIL, SAID_NONE, SAID_AS_INPUT, "the smallest integer that is not below x", OPENHARMONY),
    SAID_ONE(FLOOR, SAID_NONE, SAID_AS_INPUT, "the largest integer that is not above x", OPENHARMONY),
    SAID_ONE(ROUND, SAID_NONE, SAID_AS_INPUT, "the nearest integer, of two the even one", OPENHARMONY),
};

/* -------------------------------------------------------------------------------------- conversions */

static const said_operand said_inputs_cast[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"type", "any of 4 bytes or more",
     "constant when the operator is added: the first four bytes are the OH_NN_DataType of the output, or 0 for the one "
     "that it is declared with",
     SAID_TYPE, SAID_AT_BUILD, "1", NULL},
};
static const said_operand said_outputs_cast[] = {
    {"output", "that of the input", NULL, SAID_OTHER, SAID_AT_RUN, "2 3", NULL},
};
static const said_wrong said_cast_wrong[] = {
    {"a type that is none", SAID_INPUT_VALUES, 1, "13", SAID_ADD},
    {"a type below 0", SAID_INPUT_VALUES, 1, "-1", SAID_ADD},
    {"a type of less than 4 bytes", SAID_INPUT_TYPE, 1, "int16", SAID_ADD},
    {"a type that is not that of the output", SAID_INPUT_VALUES, 1, "2", SAID_BUILD},
    {"a type of 0", SAID_INPUT_VALUES, 1, "0", SAID_NEVER},
};
static const said_operator said_operators_cast[] = {
    SAID(CAST, SAID_LIST(said_inputs_cast), SAID_LIST(said_outputs_cast), SAID_NONE, SAID_LIST(said_cast_wrong),
         SAID_AS_INPUT, "the same number in another type", OPENHARMONY ", saturation: nnrt"),
};

static const said_operand said_inputs_quant_cast[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_operand said_outputs_quant_cast[] = {
    {"output", "that of the input", NULL, SAID_OTHER, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_quant_cast[] = {
    {OH_NN_QUANT_DTYPE_CAST_SRC_T, "the type of the input",
     "an OH_NN_DataType, or one of MindSpore's numbers for it, 30 to 44", NULL, NULL, "type", "2; 13; 0; 45"},
    {OH_NN_QUANT_DTYPE_CAST_DST_T, "the type of the output", "as above", NULL, NULL, "other", "4; 13; 0; 45"},
    {OH_NN_QUANT_DTYPE_CAST_AXIS, "the axis of scales and zero points, where there are several", "an axis", "0", "0",
     NULL, NULL},
};
static const said_wrong said_quant_cast_wrong[] = {
    {"a quantized side without scale and zero point", SAID_OUTPUT_TYPE, 0, "int8", SAID_BUILD},
};
static const said_operator said_operators_quant_cast[] = {
    SAID(QUANT_DTYPE_CAST, SAID_LIST(said_inputs_quant_cast), SAID_LIST(said_outputs_quant_cast),
         SAID_LIST(said_params_quant_cast), SAID_LIST(said_quant_cast_wrong), SAID_AS_INPUT,
         "the same real value, quantized otherwise or not at all, rounded half away from zero",
         OPENHARMONY ", int16 and int32: " TFLITE),
};

#endif /* NNRT_TESTS_OPERATORS_FUNCTIONS_H */
