/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.h - what is said of operators that go where indices say, choose, make tensors from nothing, or stop a run. */
#ifndef NNRT_TESTS_OPERATORS_LOOKUP_H
#define NNRT_TESTS_OPERATORS_LOOKUP_H

#include "said.h"

/* ------------------------------------------------------------------------------------------ indices */

static const said_operand said_inputs_gather[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"indices", "any", "-size to size - 1 of the axis", SAID_INTS, SAID_AT_RUN, "2", "2 -3"},
    {"axis", "one element", "an axis", SAID_INTS, SAID_AT_BUILD, "1", "1"},
};
static const said_operand said_outputs_gather[] = {
    {"output", "that of the input with the dimensions of indices in place of the axis", NULL, SAID_DATA, SAID_AT_RUN,
     "2 2 4", NULL},
};
static const said_wrong said_gather_wrong[] = {
    {"an axis that is none", SAID_INPUT_VALUES, 2, "3", SAID_BUILD},
    {"two axes", SAID_INPUT_VALUES, 2, "1 1", SAID_BUILD},
    {"indices that are neither int32 nor int64", SAID_INPUT_TYPE, 1, "float32", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"an index that is not there", SAID_INPUT_VALUES, 1, "0 3", SAID_RUN},
    {"a negative index that is not there", SAID_INPUT_VALUES, 1, "0 -4", SAID_RUN},
};
static const said_operand said_inputs_gather_nd[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"indices", "[..., axes that a row names]", "0 to size - 1 of its axis; float32 is cut off to them", SAID_INTS,
     SAID_AT_RUN, "3 2", "0 0 1 2 0 1"},
};
static const said_operand said_outputs_gather_nd[] = {
    {"output", "that of indices without the last dimension, then the axes of the input that a row does not name", NULL,
     SAID_DATA, SAID_AT_RUN, "3 4", NULL},
};
static const said_wrong said_gather_nd_wrong[] = {
    {"rows that name more axes than there are", SAID_INPUT_DIMS, 0, "2", SAID_BUILD},
    {"a scalar of indices", SAID_INPUT_DIMS, 1, "", SAID_BUILD},
    {"indices that are no int32, int64 or float32", SAID_INPUT_TYPE, 1, "int16", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"an index that is not there", SAID_INPUT_VALUES, 1, "0 0 1 3 0 1", SAID_RUN},
    {"a negative index", SAID_INPUT_VALUES, 1, "0 0 1 -1 0 1", SAID_RUN},
};
static const said_operand said_inputs_scatter[] = {
    {"indices", "[..., axes that a row names], two dimensions or more",
     "0 to size - 1 of its axis; float32 is cut off to them", SAID_INTS, SAID_AT_RUN, "2 1", "3 1"},
    {"updates", "that of indices without the last dimension, then the axes of the output that a row does not name",
     NULL, SAID_DATA, SAID_AT_RUN, "2 2", NULL},
    {"shape", "[rank of the output]", "1 or more", SAID_INTS, SAID_AT_BUILD, "2", "4 2"},
};
static const said_operand said_output_shaped[] = {
    {"output", "what shape says", NULL, SAID_DATA, SAID_AT_RUN, "4 2", NULL},
};
static const said_wrong said_scatter_wrong[] = {
    {"rows that name more axes than there are", SAID_INPUT_DIMS, 0, "2 3", SAID_BUILD},
    {"indices of one dimension", SAID_INPUT_DIMS, 0, "2", SAID_BUILD},
    {"other than one update for each row", SAID_INPUT_DIMS, 1, "3 2", SAID_BUILD},
    {"updates that do not fit the shape", SAID_INPUT_VALUES, 2, "4 3", SAID_BUILD},
    {"a size of 0", SAID_INPUT_VALUES, 2, "0 2", SAID_BUILD},
    {"indices that are no int32, int64 or float32", SAID_INPUT_TYPE, 0, "int16", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"an index that is not there", SAID_INPUT_VALUES, 0, "3 4", SAID_RUN},
    {"a negative index", SAID_INPUT_VALUES, 0, "3 -1", SAID_RUN},
};
static const said_operand said_inputs_sparse[] = {
    {"indices", "[rows, rank of the output], or [rows] for one dimension",
     "0 to size - 1 of its axis; float32 is cut off to them", SAID_INTS, SAID_AT_RUN, "3 2", "0 0 1 1 3 0"},
    {"values", "[rows], or one element for all", NULL, SAID_DATA, SAID_AT_RUN, "3", NULL},
    {"sparseShape", "[rank of the output]", "1 or more", SAID_INTS, SAID_AT_BUILD, "2", "4 2"},
};
static const said_wrong said_sparse_wrong[] = {
    {"rows that do not name every axis", SAID_INPUT_VALUES, 2, "4 2 1", SAID_BUILD},
    {"indices of three dimensions", SAID_INPUT_DIMS, 0, "3 1 2", SAID_BUILD},
    {"neither one value nor one for each row", SAID_INPUT_DIMS, 1, "2", SAID_BUILD},
    {"indices that are no int32, int64 or float32", SAID_INPUT_TYPE, 0, "int16", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"an index that is not there", SAID_INPUT_VALUES, 0, "0 0 1 2 3 0", SAID_RUN},
};
static const said_operand said_inputs_one_hot[] = {
    {"indices", "any", "outside 0 to depth - 1 all are offValue", SAID_INTS, SAID_AT_RUN, "3", "0 2 -1"},
    {"depth", "one element", "1 or more", SAID_INTS, SAID_AT_BUILD, "1", "4"},
    {"onValue", "one element", NULL, SAID_DATA, SAID_AT_RUN, "1", NULL},
    {"offValue", "one element", NULL, SAID_DATA, SAID_AT_RUN, "1", NULL},
};
static const said_operand said_outputs_one_hot[] = {
    {"output", "that of indices with a dimension of depth more", NULL, SAID_DATA, SAID_AT_RUN, "3 4", NULL},
};
static const said_param said_params_one_hot[] = {
    {OH_NN_ONE_HOT_AXIS, "where the new dimension stands; -1 last", "-1 to the rank of indices", "-1", "-1", NULL,
     "2; -2"},
};
static const said_wrong said_one_hot_wrong[] = {
    {"a depth of 0", SAID_INPUT_VALUES, 1, "0", SAID_BUILD},
    {"two depths", SAID_INPUT_VALUES, 1, "4 4", SAID_BUILD},
    {"two onValues", SAID_INPUT_DIMS, 2, "2", SAID_BUILD},
    {"onValue and offValue of different types", SAID_INPUT_TYPE, 3, "float64", SAID_BUILD},
    {"indices that are neither int32 nor int64", SAID_INPUT_TYPE, 0, "float32", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_index[] = {
    SAID(GATHER, SAID_LIST(said_inputs_gather), SAID_LIST(said_outputs_gather), SAID_NONE, SAID_LIST(said_gather_wrong),
         SAID_AS_INPUT, "the slices of an axis that indices name", OPENHARMONY ", negative indices: " MINDSPORE),
    SAID(GATHER_ND, SAID_LIST(said_inputs_gather_nd), SAID_LIST(said_outputs_gather_nd), SAID_NONE,
         SAID_LIST(said_gather_nd_wrong), SAID_AS_INPUT, "the slice that each row of indices names", OPENHARMONY),
    SAID(SCATTER_ND, SAID_LIST(said_inputs_scatter), SAID_LIST(said_output_shaped), SAID_NONE,
         SAID_LIST(said_scatter_wrong), SAID_AS_INPUT,
         "bytes of 0, and the update of each row where it names; of two for one place the last", MINDSPORE),
    SAID(SPARSE_TO_DENSE, SAID_LIST(said_inputs_sparse), SAID_LIST(said_output_shaped), SAID_NONE,
         SAID_LIST(said_sparse_wrong), SAID_AS_INPUT,
         "bytes of 0, and the value of each row where it names; of two for one place the last", OPENHARMONY),
    SAID(ONE_HOT, SAID_LIST(said_inputs_one_hot), SAID_LIST(said_outputs_one_hot), SAID_LIST(said_params_one_hot),
         SAID_LIST(said_one_hot_wrong), SAID_AS_INPUT, "onValue where the place is the index, else offValue",
         OPENHARMONY),
};

/* ------------------------------------------------------------------------------------------- choice */

static const said_operand said_inputs_select[] = {
    {"condition", "that of input1, or one element, or [first dimension of input1]", NULL, SAID_TRUTH, SAID_AT_RUN,
     "2 3", NULL},
    {"input1", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"input2", "that of input1", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_operand said_inputs_where[] = {
    {"condition", "any", NULL, SAID_TRUTH, SAID_AT_RUN, "2 1", NULL},
    {"input1", "broadcasts with the condition", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"input2", "broadcasts with both", NULL, SAID_DATA, SAID_AT_RUN, "3", NULL},
};
static const said_operand said_outputs_select[] = {
    {"output", "that of input1", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_operand said_outputs_where[] = {
    {"output", "the broadcast shape", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_wrong said_select_wrong[] = {
    {"a condition that is not bool", SAID_INPUT_TYPE, 0, "int8", SAID_BUILD},
    {"a condition of another shape", SAID_INPUT_DIMS, 0, "2 2", SAID_BUILD},
    {"inputs of different shapes", SAID_INPUT_DIMS, 2, "3", SAID_BUILD},
    {"inputs of different data types", SAID_INPUT_TYPE, 2, "float64", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
    {"a condition for each slice of the first dimension", SAID_INPUT_DIMS, 0, "2", SAID_NEVER},
};
static const said_wrong said_where_wrong[] = {
    {"a condition that is not bool", SAID_INPUT_TYPE, 0, "int8", SAID_BUILD},
    {"shapes that do not broadcast", SAID_INPUT_DIMS, 2, "4", SAID_BUILD},
    {"inputs of different data types", SAID_INPUT_TYPE, 2, "float64", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_select[] = {
    SAID(SELECT, SAID_LIST(said_inputs_select), SAID_LIST(said_outputs_select), SAID_NONE, SAID_LIST(said_select_wrong),
         SAID_AS_INPUT, "condition ? input1 : input2", OPENHARMONY),
    SAID(WHERE, SAID_LIST(said_inputs_where), SAID_LIST(said_outputs_where), SAID_NONE, SAID_LIST(said_where_wrong),
         SAID_AS_INPUT, "condition ? input1 : input2", OPENHARMONY ", broadcast: nnrt"),
};

/* ------------------------------------------------------------------------------ tensors from nothing */

static const said_operand said_inputs_fill[] = {
    {"value", "one element", NULL, SAID_DATA, SAID_AT_RUN, "1", NULL},
    {"shape", "[rank of the output]", "1 or more", SAID_INTS, SAID_AT_BUILD, "2", "4 2"},
};
static const said_wrong said_fill_wrong[] = {
    {"two values", SAID_INPUT_DIMS, 0, "2", SAID_BUILD},
    {"a size of 0", SAID_INPUT_VALUES, 1, "4 0", SAID_BUILD},
    {"a size below 0", SAID_INPUT_VALUES, 1, "-4 2", SAID_BUILD},
    {"a shape that is no numbers", SAID_INPUT_TYPE, 1, "bool", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_inputs_constant_of_shape[] = {
    {"input", "[rank of the output]", "1 or more", SAID_INTS, SAID_AT_BUILD, "2", "4 2"},
};
static const said_operand said_outputs_constant_of_shape[] = {
    {"output", "what the input says", NULL, SAID_DATA, SAID_AT_RUN, "4 2", NULL},
};
static const said_param said_params_constant_of_shape[] = {
    {OH_NN_CONSTANT_OF_SHAPE_DATA_TYPE, "the type of the output, or 0",
     "an OH_NN_DataType, or one of MindSpore's numbers for it, 30 to 44", "that of the output", "0", "type",
     "2; 13; 45"},
    {OH_NN_CONSTANT_OF_SHAPE_VALUE, "the first element fills; in a quantized output it is a real value", NULL, "0", "0",
     NULL, NULL},
};
static const said_wrong said_constant_of_shape_wrong[] = {
    {"a size of 0", SAID_INPUT_VALUES, 0, "4 0", SAID_BUILD},
    {"a size below 0", SAID_INPUT_VALUES, 0, "-4 2", SAID_BUILD},
    {"a shape that is no numbers", SAID_INPUT_TYPE, 0, "bool", SAID_BUILD},
};
static const said_operand said_inputs_range[] = {
    {"input", "any", "is not looked at", SAID_ANY, SAID_AT_RUN, "2", NULL},
};
static const said_operand said_outputs_range[] = {
    {"output", "[ceil((limit - start) / delta)]", NULL, SAID_DATA, SAID_AT_RUN, "5", NULL},
};
static const said_param said_params_range[] = {
    {OH_NN_RANGE_START, "the first number", NULL, "0", "0", NULL, "5; 9"},
    {OH_NN_RANGE_LIMIT, "is not reached", "such that there is a number", NULL, NULL, "5", "0; -1"},
    {OH_NN_RANGE_DELTA, "from one to the next", "not 0", "1", "1", NULL, "0; -1"},
};
static const said_wrong said_range_wrong[] = {
    {"an output of bool", SAID_OUTPUT_TYPE, 0, "bool", SAID_BUILD},
};
static const said_operand said_inputs_shape[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_operand said_outputs_shape[] = {
    {"output", "[rank]", NULL, SAID_INTS, SAID_AT_RUN, "3", NULL},
};
static const said_operand said_outputs_rank[] = {
    {"output", "a scalar, or [1]", NULL, SAID_INTS, SAID_AT_RUN, "1", NULL},
};
static const said_wrong said_shape_wrong[] = {
    {"an output that holds no such numbers", SAID_OUTPUT_TYPE, 0, "int16", SAID_BUILD},
};
static const said_operator said_operators_nothing[] = {
    SAID(FILL, SAID_LIST(said_inputs_fill), SAID_LIST(said_output_shaped), SAID_NONE, SAID_LIST(said_fill_wrong),
         SAID_AS_INPUT, "the value everywhere", OPENHARMONY),
    SAID(CONSTANT_OF_SHAPE, SAID_LIST(said_inputs_constant_of_shape), SAID_LIST(said_outputs_constant_of_shape),
         SAID_LIST(said_params_constant_of_shape), SAID_LIST(said_constant_of_shape_wrong), SAID_AS_INPUT,
         "the value everywhere", OPENHARMONY),
    SAID(RANGE, SAID_LIST(said_inputs_range), SAID_LIST(said_outputs_range), SAID_LIST(said_params_range),
         SAID_LIST(said_range_wrong), SAID_AS_INPUT, "start, start + delta, ...", OPENHARMONY),
    SAID(SHAPE, SAID_LIST(said_inputs_shape), SAID_LIST(said_outputs_shape), SAID_NONE, SAID_LIST(said_shape_wrong),
         SAID_AS_INPUT, "the dimensions of the input", OPENHARMONY),
    SAID(RANK, SAID_LIST(said_inputs_shape), SAID_LIST(said_outputs_rank), SAID_NONE, SAID_LIST(said_shape_wrong),
         SAID_AS_INPUT, "how many dimensions the input has", OPENHARMONY),
};

/* ------------------------------------------------------------------------------------------- ASSERT */

static const said_operand said_inputs_assert[] = {
    {"condition", "any", NULL, SAID_TRUTH, SAID_AT_RUN, "2", NULL},
    {"data", "any", "what the sentence shows", SAID_DATA, SAID_AT_RUN, "3", NULL},
};
static const said_operand said_outputs_assert[] = {
    {"output", "that of the condition", NULL, SAID_TRUTH, SAID_AT_RUN, "2", NULL},
};
static const said_param said_params_assert[] = {
    {OH_NN_ASSERT_SUMMARIZE, "how many elements of data the sentence shows, at most 64", NULL, "0", "0", "3", NULL},
};
static const said_wrong said_assert_wrong[] = {
    {"a condition that is not bool", SAID_INPUT_TYPE, 0, "int8", SAID_BUILD},
    {"an output that is not bool", SAID_OUTPUT_TYPE, 0, "int8", SAID_BUILD},
    {"an element that is false", SAID_INPUT_VALUES, 0, "1 0", SAID_RUN},
};
static const said_operator said_operators_assert[] = {
    SAID(ASSERT, SAID_LIST(said_inputs_assert), SAID_LIST(said_outputs_assert), SAID_LIST(said_params_assert),
         SAID_LIST(said_assert_wrong), SAID_AS_INPUT, "true; it stays in the model when nobody reads that",
         OPENHARMONY),
};

#endif /* NNRT_TESTS_OPERATORS_LOOKUP_H */
