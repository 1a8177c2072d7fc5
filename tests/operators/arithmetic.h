/* SPDX-License-Identifier: Apache-2.0 */
/* arithmetic.h - what is said of operators of two operands: arithmetic, comparisons, logic. */
#ifndef NNRT_TESTS_OPERATORS_ARITHMETIC_H
#define NNRT_TESTS_OPERATORS_ARITHMETIC_H

#include "said.h"

static const said_operand said_two[] = {
    {"input1", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 1 4", NULL},
    {"input2", "broadcasts with input1", NULL, SAID_DATA, SAID_AT_RUN, "3 1", NULL},
};
static const said_operand said_broadcast[] = {
    {"output", "the broadcast shape", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_wrong said_two_wrong[] = {
    {"shapes that do not broadcast", SAID_INPUT_DIMS, 1, "2 3", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_wrong said_divide_wrong[] = {
    {"shapes that do not broadcast", SAID_INPUT_DIMS, 1, "2 3", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"an integer is divided by zero", SAID_INPUT_VALUES, 1, "int32: 1 0 2", SAID_RUN},
    {"a float is divided by zero", SAID_INPUT_VALUES, 1, "1 0 2", SAID_NEVER},
};

#define SAID_ACTIVATION "of the result: 0 none, 1 RELU, 2 RELU6"
static const said_param said_params_add[] = {
    {OH_NN_ADD_ACTIVATIONTYPE, SAID_ACTIVATION, NULL, "none", "0", "2", NULL},
};
static const said_param said_params_sub[] = {
    {OH_NN_SUB_ACTIVATIONTYPE, SAID_ACTIVATION, NULL, "none", "0", "1", NULL},
};
static const said_param said_params_mul[] = {
    {OH_NN_MUL_ACTIVATION_TYPE, SAID_ACTIVATION, NULL, "none", "0", "1", NULL},
};
static const said_param said_params_div[] = {
    {OH_NN_DIV_ACTIVATIONTYPE, SAID_ACTIVATION, NULL, "none", "0", "2", NULL},
};
static const said_param said_params_eltwise[] = {
    {OH_NN_ELTWISE_MODE, "0 product, 1 sum, 2 maximum", "0 to 2", "product", "0", "1", "3"},
};
static const said_param said_params_pow[] = {
    {OH_NN_POW_SCALE, "factor of input1", NULL, "1", "1", "2", NULL},
    {OH_NN_POW_SHIFT, "is added to that", NULL, "0", "0", "0.5", NULL},
};

#define SAID_TWO(op, params, wrong, computes, source) \
    SAID(op, SAID_LIST(said_two), SAID_LIST(said_broadcast), params, SAID_LIST(wrong), SAID_AS_INPUT, computes, source)
static const said_operator said_operators_two[] = {
    SAID_TWO(ADD, SAID_LIST(said_params_add), said_two_wrong, "a + b; of bool: a or b",
             OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(SUB, SAID_LIST(said_params_sub), said_two_wrong, "a - b", OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(MUL, SAID_LIST(said_params_mul), said_two_wrong, "a * b", OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(DIV, SAID_LIST(said_params_div), said_divide_wrong,
             "a / b; of integers cut off towards zero; of `FLOOR_DIV` rounded down", OPENHARMONY),
    SAID_TWO(MOD, SAID_NONE, said_divide_wrong,
             "what is left of a / b, cut off towards zero: the sign of a; of `FLOOR_MOD` that of b",
             MINDSPORE ", of .tflite files: " TFLITE),
    SAID_TWO(MAXIMUM, SAID_NONE, said_two_wrong, "the larger of a and b", OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(MINIMUM, SAID_NONE, said_two_wrong, "the smaller of a and b", OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(SQUARED_DIFFERENCE, SAID_NONE, said_two_wrong, "(a - b) * (a - b)", OPENHARMONY ", int8: " TFLITE),
    SAID_TWO(ELTWISE, SAID_LIST(said_params_eltwise), said_two_wrong, "as the mode says",
             OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_TWO(POW, SAID_LIST(said_params_pow), said_two_wrong, "(scale * a + shift) ^ b", MINDSPORE),
};

/* ------------------------------------------------------------------------------------ PRELU, BIAS_ADD */

static const said_operand said_inputs_prelu[] = {
    {"input", "[..., channels]", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"weight", "[channels] or one element", "slopes", SAID_DATA, SAID_AT_RUN, "4", NULL},
};
static const said_operand said_output_234[] = {
    {"output", "that of the input", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_wrong said_prelu_wrong[] = {
    {"neither one slope nor one for each channel", SAID_INPUT_DIMS, 1, "3", SAID_BUILD},
    {"slopes of more dimensions than the input", SAID_INPUT_DIMS, 1, "1 1 1 4", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_prelu[] = {
    SAID(PRELU, SAID_LIST(said_inputs_prelu), SAID_LIST(said_output_234), SAID_NONE, SAID_LIST(said_prelu_wrong),
         SAID_AS_INPUT, "x > 0 ? x : x * weight", OPENHARMONY ", int8: " TFLITE),
};

static const said_operand said_inputs_bias_add[] = {
    {"input", "[..., channels], two dimensions or more", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"bias", "[channels]", "float32, or any constant numbers", SAID_REAL, SAID_AT_RUN, "4", NULL},
};
static const said_wrong said_bias_add_wrong[] = {
    {"a bias that is not one value for each channel", SAID_INPUT_DIMS, 1, "3", SAID_BUILD},
    {"a bias of two dimensions", SAID_INPUT_DIMS, 1, "1 4", SAID_BUILD},
    {"an input of one dimension", SAID_INPUT_DIMS, 0, "4", SAID_BUILD},
    {"a bias of int32 that is not constant", SAID_INPUT_TYPE, 1, "int32", SAID_BUILD},
};
static const said_operator said_operators_bias_add[] = {
    SAID(BIAS_ADD, SAID_LIST(said_inputs_bias_add), SAID_LIST(said_output_234), SAID_NONE,
         SAID_LIST(said_bias_add_wrong), SAID_AS_INPUT, "x + bias of the channel", OPENHARMONY),
};

/* ----------------------------------------------------------------------------- comparisons and logic */

static const said_operand said_truth[] = {
    {"output", "the broadcast shape", NULL, SAID_TRUTH, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_wrong said_compare_wrong[] = {
    {"shapes that do not broadcast", SAID_INPUT_DIMS, 1, "2 3", SAID_BUILD},
    {"an output that is not bool", SAID_OUTPUT_TYPE, 0, "float32", SAID_BUILD},
};
#define SAID_COMPARE(op, computes)                                                                                \
    SAID(op, SAID_LIST(said_two), SAID_LIST(said_truth), SAID_NONE, SAID_LIST(said_compare_wrong), SAID_AS_INPUT, \
         computes, OPENHARMONY)
static const said_operator said_operators_compare[] = {
    SAID_COMPARE(EQUAL, "a == b"),
    SAID_COMPARE(NOT_EQUAL, "a != b"),
    SAID_COMPARE(LESS, "a < b"),
    SAID_COMPARE(LESS_EQUAL, "a <= b"),
    SAID_COMPARE(GREATER, "a > b"),
    SAID_COMPARE(GREATER_EQUAL, "a >= b"),
    SAID_COMPARE(LOGICAL_AND, "a != 0 and b != 0"),
    SAID_COMPARE(LOGICAL_OR, "a != 0 or b != 0"),
};

static const said_operand said_inputs_not[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_operand said_outputs_not[] = {
    {"output", "that of the input", NULL, SAID_TRUTH, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_wrong said_not_wrong[] = {
    {"an output that is not bool", SAID_OUTPUT_TYPE, 0, "float32", SAID_BUILD},
};
static const said_operator said_operators_not[] = {
    SAID(LOGICAL_NOT, SAID_LIST(said_inputs_not), SAID_LIST(said_outputs_not), SAID_NONE, SAID_LIST(said_not_wrong),
         SAID_AS_INPUT, "x == 0", OPENHARMONY),
};

#endif /* NNRT_TESTS_OPERATORS_ARITHMETIC_H */
