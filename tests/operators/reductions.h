/* SPDX-License-Identifier: Apache-2.0 */
/* reductions.h - what is said of operators that leave less than they get: reductions, the largest elements. */
#ifndef NNRT_TESTS_OPERATORS_REDUCTIONS_H
#define NNRT_TESTS_OPERATORS_REDUCTIONS_H

#include "said.h"

static const said_operand said_inputs_reduce[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"axis", "[axes]", "no axis twice", SAID_INTS, SAID_AT_BUILD, "1", "1"},
};
static const said_operand said_outputs_reduce[] = {
    {"output", "that of the input without these axes", NULL, SAID_DATA, SAID_AT_RUN, "2 4", NULL},
};
static const said_operand said_outputs_reduce_all[] = {
    {"output", "that of the input without these axes", NULL, SAID_TRUTH, SAID_AT_RUN, "2 4", NULL},
};
#define SAID_KEEP "reduced axes stay with size 1", NULL, "false", "0", "0", NULL
#define SAID_TO_END "one axis, and all behind it; KEEP_DIMS is not looked at", NULL, "false", "0", NULL, NULL
#define SAID_COEFF \
    "factor of the result with REDUCE_TO_END; between -0.00001 and 0.00001: 1", NULL, "1", "0", NULL, NULL
#define SAID_PARAMS_REDUCE(name)                                                              \
    {                                                                                         \
        {OH_NN_##name##_KEEP_DIMS, SAID_KEEP}, {OH_NN_##name##_REDUCE_TO_END, SAID_TO_END}, { \
            OH_NN_##name##_COEFF, SAID_COEFF                                                  \
        }                                                                                     \
    }
static const said_param said_params_reduce_sum[] = SAID_PARAMS_REDUCE(REDUCE_SUM);
static const said_param said_params_reduce_mean[] = SAID_PARAMS_REDUCE(REDUCE_MEAN);
static const said_param said_params_reduce_max[] = SAID_PARAMS_REDUCE(REDUCE_MAX);
static const said_param said_params_reduce_min[] = SAID_PARAMS_REDUCE(REDUCE_MIN);
static const said_param said_params_reduce_prod[] = SAID_PARAMS_REDUCE(REDUCE_PROD);
static const said_param said_params_reduce_l2[] = SAID_PARAMS_REDUCE(REDUCE_L2);
static const said_param said_params_reduce_all[] = SAID_PARAMS_REDUCE(REDUCE_ALL);
static const said_param said_params_all[] = {
    {OH_NN_ALL_KEEP_DIMS, "reduced axes stay with size 1: 0 no, any other number yes", NULL, "0", "0", "0", NULL},
};
static const said_wrong said_reduce_wrong[] = {
    {"an axis that is none", SAID_INPUT_VALUES, 1, "3", SAID_BUILD},
    {"a negative axis that is none", SAID_INPUT_VALUES, 1, "-4", SAID_BUILD},
    {"an axis that is named twice", SAID_INPUT_VALUES, 1, "1 -2", SAID_BUILD},
    {"axes that are no numbers", SAID_INPUT_TYPE, 1, "bool", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
#define SAID_REDUCE(op, outputs, params, computes, source)                                                       \
    SAID(op, SAID_LIST(said_inputs_reduce), SAID_LIST(outputs), SAID_LIST(params), SAID_LIST(said_reduce_wrong), \
         SAID_AS_INPUT, computes, source)
static const said_operator said_operators_reduce[] = {
    SAID_REDUCE(REDUCE_SUM, said_outputs_reduce, said_params_reduce_sum, "the sum; of int32, modulo 2^32",
                OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_REDUCE(REDUCE_MEAN, said_outputs_reduce, said_params_reduce_mean, "the mean; of int32, cut off towards zero",
                OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_REDUCE(REDUCE_MAX, said_outputs_reduce, said_params_reduce_max, "the largest", OPENHARMONY),
    SAID_REDUCE(REDUCE_MIN, said_outputs_reduce, said_params_reduce_min, "the smallest", OPENHARMONY),
    SAID_REDUCE(REDUCE_PROD, said_outputs_reduce, said_params_reduce_prod, "the product; of int32, modulo 2^32",
                OPENHARMONY ", int8 and int16: " TFLITE),
    SAID_REDUCE(REDUCE_L2, said_outputs_reduce, said_params_reduce_l2, "sqrt(sum of x^2)", OPENHARMONY),
    SAID_REDUCE(REDUCE_ALL, said_outputs_reduce_all, said_params_reduce_all, "is every element true?", OPENHARMONY),
    SAID_REDUCE(ALL, said_outputs_reduce_all, said_params_all, "is every element other than 0?", OPENHARMONY),
};

/* ------------------------------------------------------------------------------------ ARG_MAX, TOP_K */

static const said_operand said_inputs_arg_max[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_operand said_outputs_arg_max[] = {
    {"output", "that of the input without the axis",
     "indices; with OUT_MAX_VALUE the elements, in the type of the input", SAID_INTS, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_arg_max[] = {
    {OH_NN_ARG_MAX_AXIS, "where to search", "an axis", "-1", "-1", NULL, "3; -4"},
    {OH_NN_ARG_MAX_KEEPDIMS, "the axis stays with size 1", NULL, "false", "0", NULL, NULL},
    {OH_NN_ARG_MAX_TOP_K, "how many, the largest first, in place of the axis", "1 to the size of the axis", "1", "1",
     NULL, "0; 5"},
    {OH_NN_ARG_MAX_OUT_MAX_VALUE, "the elements, not their indices", NULL, "false", "0", NULL, NULL},
};
static const said_wrong said_arg_max_wrong[] = {
    {"indices that are neither int32 nor int64", SAID_OUTPUT_TYPE, 0, "float32", SAID_BUILD},
    {"a scalar", SAID_INPUT_DIMS, 0, "", SAID_BUILD},
};
static const said_operand said_inputs_top_k[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "5 4", NULL},
    {"k", "one element", "1 to the size of the axis", SAID_INTS, SAID_AT_BUILD, "1", "2"},
};
static const said_operand said_outputs_top_k[] = {
    {"output1", "that of the input, the axis of size k", "the elements", SAID_DATA, SAID_AT_RUN, "2 4", NULL},
    {"output2", "that of output1", "their indices", SAID_INTS, SAID_AT_RUN, "2 4", NULL},
};
static const said_param said_params_top_k[] = {
    {OH_NN_TOP_K_SORTED, "the largest first; else by rising index", NULL, "true", "1", NULL, NULL},
    {OH_NN_TOP_K_AXIS, "where to search", "an axis", "0", "0", NULL, "2; -3"},
};
static const said_wrong said_top_k_wrong[] = {
    {"k of 0", SAID_INPUT_VALUES, 1, "0", SAID_BUILD},
    {"k above the size of the axis", SAID_INPUT_VALUES, 1, "6", SAID_BUILD},
    {"two numbers for k", SAID_INPUT_VALUES, 1, "2 2", SAID_BUILD},
    {"elements of another type than the input's", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"indices that are neither int32 nor int64", SAID_OUTPUT_TYPE, 1, "float32", SAID_BUILD},
};
static const said_operator said_operators_top[] = {
    SAID(ARG_MAX, SAID_LIST(said_inputs_arg_max), SAID_LIST(said_outputs_arg_max), SAID_LIST(said_params_arg_max),
         SAID_LIST(said_arg_max_wrong), SAID_AS_INPUT, "where the largest element is, the first of equal ones",
         MINDSPORE ", NaN above all numbers: nnrt"),
    SAID(TOP_K, SAID_LIST(said_inputs_top_k), SAID_LIST(said_outputs_top_k), SAID_LIST(said_params_top_k),
         SAID_LIST(said_top_k_wrong), SAID_AS_INPUT, "the k largest elements and where they are",
         MINDSPORE ", NaN above all numbers: nnrt"),
};

#endif /* NNRT_TESTS_OPERATORS_REDUCTIONS_H */
