/* SPDX-License-Identifier: Apache-2.0 */
/* movement.h - what is said of operators that move elements: reshapes, joins, cuts, windows, permutations, padding,
   blocks, and of the one that resizes. */
#ifndef NNRT_TESTS_OPERATORS_MOVEMENT_H
#define NNRT_TESTS_OPERATORS_MOVEMENT_H

#include "said.h"

static const said_wrong said_move_wrong[] = {
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};

/* ----------------------------------------------------------------------------------------- reshapes */

static const said_operand said_inputs_reshape[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"inputShape", "[rank of the output]", "0: as in the input; one may be -1: what is left", SAID_INTS, SAID_AT_BUILD,
     "2", "6 -1"},
};
static const said_operand said_outputs_reshape[] = {
    {"output", "what inputShape says", NULL, SAID_DATA, SAID_AT_RUN, "6 4", NULL},
};
static const said_wrong said_reshape_wrong[] = {
    {"a shape of another number of elements", SAID_INPUT_VALUES, 1, "6 5", SAID_BUILD},
    {"a shape that cannot be filled", SAID_INPUT_VALUES, 1, "7 -1", SAID_BUILD},
    {"two numbers of -1", SAID_INPUT_VALUES, 1, "-1 -1", SAID_BUILD},
    {"a number below -1", SAID_INPUT_VALUES, 1, "-2 12", SAID_BUILD},
    {"a shape that is no numbers", SAID_INPUT_TYPE, 1, "bool", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_inputs_expand[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"axis", "one element", "-rank - 1 to rank", SAID_INTS, SAID_AT_BUILD, "1", "1"},
};
static const said_operand said_output_expanded[] = {
    {"output", "that of the input with a dimension of 1 more", NULL, SAID_DATA, SAID_AT_RUN, "2 1 3", NULL},
};
static const said_wrong said_expand_wrong[] = {
    {"an axis above the rank", SAID_INPUT_VALUES, 1, "3", SAID_BUILD},
    {"an axis below -rank - 1", SAID_INPUT_VALUES, 1, "-4", SAID_BUILD},
    {"two axes", SAID_INPUT_VALUES, 1, "1 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_input_23[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_unsqueeze[] = {
    {OH_NN_UNSQUEEZE_AXIS, "where the new dimension stands", "-rank - 1 to rank", NULL, NULL, "1", "3; -4"},
};
static const said_operand said_input_squeeze[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "1 2 1 3", NULL},
};
static const said_operand said_output_squeeze[] = {
    {"output", "that of the input without these axes", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_squeeze[] = {
    {OH_NN_SQUEEZE_AXIS, "the axes that go; lists of several parameters are joined", "axes of size 1, none twice",
     "every axis of size 1", "0 2", NULL, "1; 4; -5; 0 0"},
};
static const said_operand said_input_flatten[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_operand said_output_flatten[] = {
    {"output", "[product of the dimensions before the axis, product of the others]", NULL, SAID_DATA, SAID_AT_RUN,
     "2 12", NULL},
};
static const said_param said_params_flatten[] = {
    {OH_NN_FLATTEN_AXIS, "the first axis of the second product", "-rank to rank", "1", "1", NULL, "4; -4"},
};
static const said_operator said_operators_reshape[] = {
    SAID(RESHAPE, SAID_LIST(said_inputs_reshape), SAID_LIST(said_outputs_reshape), SAID_NONE,
         SAID_LIST(said_reshape_wrong), SAID_AS_INPUT, "the same bytes", OPENHARMONY),
    SAID(SQUEEZE, SAID_LIST(said_input_squeeze), SAID_LIST(said_output_squeeze), SAID_LIST(said_params_squeeze),
         SAID_LIST(said_move_wrong), SAID_AS_INPUT, "the same bytes", OPENHARMONY),
    SAID(EXPAND_DIMS, SAID_LIST(said_inputs_expand), SAID_LIST(said_output_expanded), SAID_NONE,
         SAID_LIST(said_expand_wrong), SAID_AS_INPUT, "the same bytes", OPENHARMONY),
    SAID(UNSQUEEZE, SAID_LIST(said_input_23), SAID_LIST(said_output_expanded), SAID_LIST(said_params_unsqueeze),
         SAID_LIST(said_move_wrong), SAID_AS_INPUT, "the same bytes", OPENHARMONY),
    SAID(FLATTEN, SAID_LIST(said_input_flatten), SAID_LIST(said_output_flatten), SAID_LIST(said_params_flatten),
         SAID_LIST(said_move_wrong), SAID_AS_INPUT, "the same bytes", OPENHARMONY),
};

/* ------------------------------------------------------------------------------------ joins and cuts */

static const said_operand said_inputs_concat[] = {
    {"input", "any", "two or more, alike but for the size of the axis", SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"input", "that of the first but for the axis", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_operand said_outputs_concat[] = {
    {"output", "that of an input, the axis as large as all together", NULL, SAID_DATA, SAID_AT_RUN, "4 3", NULL},
};
static const said_param said_params_concat[] = {
    {OH_NN_CONCAT_AXIS, "where they are joined", "an axis", "0", "0", NULL, "2; -3"},
};
static const said_wrong said_concat_wrong[] = {
    {"inputs that differ in another axis", SAID_INPUT_DIMS, 1, "2 4", SAID_BUILD},
    {"inputs of different ranks", SAID_INPUT_DIMS, 1, "2 3 1", SAID_BUILD},
    {"inputs of different data types", SAID_INPUT_TYPE, 1, "float64", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_outputs_stack[] = {
    {"output", "that of an input with a dimension more, of as many as there are inputs", NULL, SAID_DATA, SAID_AT_RUN,
     "2 2 3", NULL},
};
static const said_operand said_inputs_stack[] = {
    {"input", "any", "two or more of one shape", SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"input", "that of the first", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_stack[] = {
    {OH_NN_STACK_AXIS, "where the new dimension stands", "-rank - 1 to rank", "0", "0", NULL, "3; -4"},
};
static const said_wrong said_stack_wrong[] = {
    {"inputs of different shapes", SAID_INPUT_DIMS, 1, "3 2", SAID_BUILD},
    {"inputs of different data types", SAID_INPUT_TYPE, 1, "float64", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_input_split[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "4 3", NULL},
};
static const said_operand said_outputs_split[] = {
    {"output", "that of the input but for the axis", "one or more", SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"output", "as above", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_split[] = {
    {OH_NN_SPLIT_AXIS, "where it is cut", "an axis", "0", "0", NULL, "2; -3"},
    {OH_NN_SPLIT_OUTPUT_NUM, "agrees with the number of outputs", NULL, "their number", "2", NULL, "1; 3; -1"},
    {OH_NN_SPLIT_SIZE_SPLITS, "of each output on the axis; the last may be -1: the rest; lists are joined",
     "1 or more, together the axis", "equal parts", "2 2", NULL, "1 2; 2 2 1; 4; 0 4; 3 2"},
};
static const said_wrong said_split_wrong[] = {
    {"an axis that has no equal parts", SAID_INPUT_DIMS, 0, "5 3", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 1, "float64", SAID_BUILD},
};
static const said_operand said_input_unstack[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 2", NULL},
};
static const said_operand said_outputs_unstack[] = {
    {"output", "that of the input without the axis", "as many as the axis is long", SAID_DATA, SAID_AT_RUN, "2", NULL},
    {"output", "as above", NULL, SAID_DATA, SAID_AT_RUN, "2", NULL},
};
static const said_param said_params_unstack[] = {
    {OH_NN_UNSTACK_AXIS, "the axis that goes", "an axis", "0", "0", NULL, "2; -3"},
};
static const said_wrong said_unstack_wrong[] = {
    {"other than one output for each index", SAID_INPUT_DIMS, 0, "3 2", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 1, "float64", SAID_BUILD},
};
static const said_operator said_operators_join[] = {
    SAID(CONCAT, SAID_LIST(said_inputs_concat), SAID_LIST(said_outputs_concat), SAID_LIST(said_params_concat),
         SAID_LIST(said_concat_wrong), SAID_AS_INPUT, "one behind the other", OPENHARMONY ", rescaled bytes: " TFLITE),
    SAID(STACK, SAID_LIST(said_inputs_stack), SAID_LIST(said_outputs_stack), SAID_LIST(said_params_stack),
         SAID_LIST(said_stack_wrong), SAID_AS_INPUT, "one behind the other on a new axis", OPENHARMONY),
    SAID(SPLIT, SAID_LIST(said_input_split), SAID_LIST(said_outputs_split), SAID_LIST(said_params_split),
         SAID_LIST(said_split_wrong), SAID_AS_INPUT, "pieces, in order", OPENHARMONY),
    SAID(UNSTACK, SAID_LIST(said_input_unstack), SAID_LIST(said_outputs_unstack), SAID_LIST(said_params_unstack),
         SAID_LIST(said_unstack_wrong), SAID_AS_INPUT, "the slices of an axis", OPENHARMONY),
};

/* ------------------------------------------------------------------------------------------- windows */

static const said_operand said_inputs_slice[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "4 5", NULL},
    {"begin", "[axes that are cut]", "0 to the size of the axis", SAID_INTS, SAID_AT_BUILD, "2", "1 2"},
    {"size", "that of begin", "1 to what is left; -1: all of it", SAID_INTS, SAID_AT_BUILD, "2", "2 -1"},
};
static const said_operand said_outputs_slice[] = {
    {"output", "that of the input, these axes of these sizes", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_slice[] = {
    {OH_NN_SLICE_AXES, "the axes that begin and size speak of", "axes, as many as begin has, none twice", "0, 1, ...",
     "0 1", NULL, "0; 0 0; 2 0; -3 0"},
};
static const said_wrong said_slice_wrong[] = {
    {"begin and size of different lengths", SAID_INPUT_VALUES, 1, "1", SAID_BUILD},
    {"a begin below 0", SAID_INPUT_VALUES, 1, "-1 2", SAID_BUILD},
    {"a begin behind the input", SAID_INPUT_VALUES, 1, "5 2", SAID_BUILD},
    {"a size that leaves the input", SAID_INPUT_VALUES, 2, "4 1", SAID_BUILD},
    {"a size of 0", SAID_INPUT_VALUES, 2, "0 1", SAID_BUILD},
    {"a size below -1", SAID_INPUT_VALUES, 2, "-2 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_inputs_strided[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "4 5", NULL},
    {"begin", "[entries]", "-size to size of its axis", SAID_INTS, SAID_AT_BUILD, "2", "0 1"},
    {"end", "that of begin", "-size - 1 to size of its axis", SAID_INTS, SAID_AT_BUILD, "2", "4 -1"},
    {"strides", "that of begin", "not 0; below 0 backwards", SAID_INTS, SAID_AT_BUILD, "2", "2 1"},
};
static const said_operand said_outputs_strided[] = {
    {"output", "for each entry ceil((end - begin) / stride), then the axes that have none", NULL, SAID_DATA,
     SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_strided[] = {
    {OH_NN_STRIDED_SLICE_BEGIN_MASK, "bit i: entry i begins at the edge", NULL, "0", "0", NULL, NULL},
    {OH_NN_STRIDED_SLICE_END_MASK, "bit i: entry i ends at the edge", NULL, "0", "0", NULL, NULL},
    {OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, "bit i, the lowest that is set: entry i takes its whole axis", NULL, "0", "0",
     NULL, NULL},
    {OH_NN_STRIDED_SLICE_NEW_AXIS_MASK, "bit i: entry i is a new axis of size 1", NULL, "0", "0", NULL, NULL},
    {OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK, "bit i: entry i takes the element at begin, and the axis goes", NULL, "0",
     "0", NULL, NULL},
};
static const said_wrong said_strided_wrong[] = {
    {"lists of different lengths", SAID_INPUT_VALUES, 2, "4", SAID_BUILD},
    {"more entries than axes", SAID_INPUT_DIMS, 0, "4", SAID_BUILD},
    {"a stride of 0", SAID_INPUT_VALUES, 3, "2 0", SAID_BUILD},
    {"a begin outside its axis", SAID_INPUT_VALUES, 1, "0 6", SAID_BUILD},
    {"a begin below -size", SAID_INPUT_VALUES, 1, "0 -6", SAID_BUILD},
    {"an end outside its axis", SAID_INPUT_VALUES, 2, "5 -1", SAID_BUILD},
    {"an end below -size - 1", SAID_INPUT_VALUES, 2, "4 -7", SAID_BUILD},
    {"nothing between begin and end", SAID_INPUT_VALUES, 2, "4 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_inputs_crop[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "4 5", NULL},
    {"shape", "of the rank of the input: its own shape is that of the output",
     "or, where the input has more dimensions than "
     "one, a constant list of sizes: one for each axis, or for each axis from AXIS on",
     SAID_INTS, SAID_AT_BUILD, "2", "2 3"},
};
static const said_operand said_outputs_crop[] = {
    {"output", "what shape says", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
};
static const said_param said_params_crop[] = {
    {OH_NN_CROP_AXIS, "the first axis that is cut", "an axis", "0", "0", NULL, "2; -3"},
    {OH_NN_CROP_OFFSET, "where the window begins on each axis from AXIS on, or one number for all", "0 to what is left",
     "0", "0", "1 1", "3 0; 0 3; -1; 1 1 1"},
};
static const said_wrong said_crop_wrong[] = {
    {"a window that leaves the input", SAID_INPUT_VALUES, 1, "2 6", SAID_BUILD},
    {"a size of 0", SAID_INPUT_VALUES, 1, "0 3", SAID_BUILD},
    {"neither a size for each axis nor one for each that is cut", SAID_INPUT_VALUES, 1, "2 3 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_window[] = {
    SAID(SLICE, SAID_LIST(said_inputs_slice), SAID_LIST(said_outputs_slice), SAID_LIST(said_params_slice),
         SAID_LIST(said_slice_wrong), SAID_AS_INPUT, "a box of the input", OPENHARMONY ", size -1: " MINDSPORE),
    SAID(STRIDED_SLICE, SAID_LIST(said_inputs_strided), SAID_LIST(said_outputs_strided), SAID_LIST(said_params_strided),
         SAID_LIST(said_strided_wrong), SAID_AS_INPUT, "every stride-th element from begin to before end",
         MINDSPORE ", masks with negative strides: nnrt"),
    SAID(CROP, SAID_LIST(said_inputs_crop), SAID_LIST(said_outputs_crop), SAID_LIST(said_params_crop),
         SAID_LIST(said_crop_wrong), SAID_AS_INPUT, "a box of the input", MINDSPORE ", list of sizes: " OPENHARMONY),
};

/* ------------------------------------------------------------------------ permutations and repetitions */

static const said_operand said_inputs_transpose[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
    {"permutation", "[rank]", "every axis once", SAID_INTS, SAID_AT_BUILD, "3", "2 0 1"},
};
static const said_operand said_outputs_transpose[] = {
    {"output", "dimension i is permutation[i] of the input", NULL, SAID_DATA, SAID_AT_RUN, "4 2 3", NULL},
};
static const said_wrong said_transpose_wrong[] = {
    {"a permutation that names an axis twice", SAID_INPUT_VALUES, 1, "2 0 0", SAID_BUILD},
    {"a permutation that leaves one out", SAID_INPUT_VALUES, 1, "1 0", SAID_BUILD},
    {"an axis that is none", SAID_INPUT_VALUES, 1, "3 0 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_inputs_tile[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"multiples", "[rank] or longer", "1 or more", SAID_INTS, SAID_AT_BUILD, "2", "2 3"},
};
static const said_operand said_outputs_tile[] = {
    {"output", "that of the input, as often", NULL, SAID_DATA, SAID_AT_RUN, "4 9", NULL},
};
static const said_param said_params_tile[] = {
    {OH_NN_TILE_DIMS, "the axes that multiples speaks of, or multiples once more",
     "as many axes as multiples, none twice", "the last axes in order; of one multiple the first", "0 1", NULL,
     "0; 0 0; 0 2; 0 -3"},
};
static const said_wrong said_tile_wrong[] = {
    {"a multiple of 0", SAID_INPUT_VALUES, 1, "2 0", SAID_BUILD},
    {"fewer multiples than axes, but more than one", SAID_INPUT_DIMS, 0, "2 3 1", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_input_broadcast[] = {
    {"input", "any", NULL, SAID_DATA, SAID_AT_RUN, "3 1", NULL},
};
static const said_operand said_output_broadcast[] = {
    {"output", "the broadcast shape of the input and SHAPE", NULL, SAID_DATA, SAID_AT_RUN, "2 3 4", NULL},
};
static const said_param said_params_broadcast[] = {
    {OH_NN_BROADCAST_TO_SHAPE, "with what it broadcasts; -1 keeps the dimension of the input", "-1, or 1 or more", NULL,
     NULL, "2 3 4", "2 2 4; -1 3 4; 2 3 0"},
};
static const said_operator said_operators_repeat[] = {
    SAID(TRANSPOSE, SAID_LIST(said_inputs_transpose), SAID_LIST(said_outputs_transpose), SAID_NONE,
         SAID_LIST(said_transpose_wrong), SAID_AS_INPUT, "axes in another order", OPENHARMONY),
    SAID(TILE, SAID_LIST(said_inputs_tile), SAID_LIST(said_outputs_tile), SAID_LIST(said_params_tile),
         SAID_LIST(said_tile_wrong), SAID_AS_INPUT, "the input again and again",
         OPENHARMONY ", axes in TILE_DIMS: " MINDSPORE),
    SAID(BROADCAST_TO, SAID_LIST(said_input_broadcast), SAID_LIST(said_output_broadcast),
         SAID_LIST(said_params_broadcast), SAID_LIST(said_move_wrong), SAID_AS_INPUT, "dimensions of 1 repeated",
         OPENHARMONY),
};

/* ---------------------------------------------------------------------------------------------- PAD */

static const said_operand said_inputs_pad[] = {
    {"inputX", "any", NULL, SAID_DATA, SAID_AT_RUN, "2 3", NULL},
    {"paddings", "[rank, 2]", "before and behind each axis: 0 or more", SAID_INTS, SAID_AT_BUILD, "2 2", "1 1 0 2"},
};
static const said_operand said_outputs_pad[] = {
    {"output", "that of inputX, larger by the paddings", NULL, SAID_DATA, SAID_AT_RUN, "4 5", NULL},
};
static const said_param said_params_pad[] = {
    {OH_NN_PAD_CONSTANT_VALUE, "the real value that fills", NULL, "0", "0", NULL, NULL},
    {OH_NN_PAD_PADDING_MODE, "0 constant, 1 reflect: without the edge, 2 symmetric: with it", "0 to 2", "constant", "0",
     NULL, "3"},
};
static const said_wrong said_pad_wrong[] = {
    {"a padding below 0", SAID_INPUT_VALUES, 1, "1 1 0 -1", SAID_BUILD},
    {"other than two for each axis", SAID_INPUT_VALUES, 1, "1 1 0", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_pad[] = {
    SAID(PAD, SAID_LIST(said_inputs_pad), SAID_LIST(said_outputs_pad), SAID_LIST(said_params_pad),
         SAID_LIST(said_pad_wrong), SAID_AS_INPUT, "the input with edges", OPENHARMONY ", modes: " MINDSPORE),
};

/* ------------------------------------------------------------------------------------------- blocks */

static const said_operand said_input_deep[] = {
    {"input", "[batch, height, width, channels]; [batch, channels, height, width] where its format is NCHW", NULL,
     SAID_DATA, SAID_AT_RUN, "1 2 3 8", NULL},
};
static const said_operand said_output_wide[] = {
    {"output", "[batch, height * block, width * block, channels / block / block]", NULL, SAID_DATA, SAID_AT_RUN,
     "1 4 6 2", NULL},
};
static const said_param said_params_depth_to_space[] = {
    {OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE, "block", "1 to 32768", NULL, NULL, "2", "0; -2; 3; 32769"},
    {OH_NN_DEPTH_TO_SPACE_MODE, "0 DCR: channels of a block lie apart, 1 CRD: side by side", NULL, "DCR", "0", NULL,
     NULL},
};
static const said_wrong said_depth_to_space_wrong[] = {
    {"channels that cannot be divided", SAID_INPUT_DIMS, 0, "1 2 3 6", SAID_BUILD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "2 3 8", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_input_wide[] = {
    {"input", "[batch, height, width, channels]; [batch, channels, height, width] where its format is NCHW", NULL,
     SAID_DATA, SAID_AT_RUN, "1 4 6 2", NULL},
};
static const said_operand said_output_deep[] = {
    {"output", "[batch, height / block, width / block, channels * block * block]", NULL, SAID_DATA, SAID_AT_RUN,
     "1 2 3 8", NULL},
};
static const said_param said_params_space_to_depth[] = {
    {OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE, "block", "2 to 32768", NULL, NULL, "2", "0; 1; -2; 3; 32770"},
};
static const said_wrong said_space_to_depth_wrong[] = {
    {"a height that cannot be divided", SAID_INPUT_DIMS, 0, "1 5 6 2", SAID_BUILD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "4 6 2", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operand said_input_image[] = {
    {"input", "[batch, height, width, channels]", NULL, SAID_DATA, SAID_AT_RUN, "1 4 6 2", NULL},
};
static const said_operand said_output_batches[] = {
    {"output", "[batch * block, padded height / block, padded width / block, channels]", NULL, SAID_DATA, SAID_AT_RUN,
     "4 2 3 2", NULL},
};
static const said_param said_params_space_to_batch[] = {
    {OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE, "[height, width]", "1 or more", NULL, NULL, "2 2", "0 2; -1 2; 3 2"},
    {OH_NN_SPACE_TO_BATCH_ND_PADDINGS, "[[top, bottom], [left, right]]", "0 or more", "none", "0 0 0 0", NULL,
     "-2 0 0 0; 1 0 0 0"},
};
static const said_operand said_input_batches[] = {
    {"input", "[batch, height, width, channels]", NULL, SAID_DATA, SAID_AT_RUN, "4 2 3 2", NULL},
};
static const said_operand said_output_image[] = {
    {"output", "[batch / block, height * block - crops, width * block - crops, channels]", NULL, SAID_DATA, SAID_AT_RUN,
     "1 4 6 2", NULL},
};
static const said_param said_params_batch_to_space[] = {
    {OH_NN_BATCH_TO_SPACE_ND_BLOCKSIZE, "[height, width]", "1 or more", NULL, NULL, "2 2", "0 2; 2; 3 2; -1 2; 2 2 2"},
    {OH_NN_BATCH_TO_SPACE_ND_CROPS, "[[top, bottom], [left, right]]", "0 or more, less than the image", "none",
     "0 0 0 0", NULL, "-1 0 0 0; 4 0 0 0; 0 0 3 3; 0 0 0 0 0"},
};
static const said_wrong said_space_to_batch_wrong[] = {
    {"a padded image that cannot be divided", SAID_INPUT_DIMS, 0, "1 5 6 2", SAID_BUILD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "4 6 2", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_wrong said_batch_to_space_wrong[] = {
    {"batches that cannot be divided", SAID_INPUT_DIMS, 0, "3 2 3 2", SAID_BUILD},
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "4 2 3", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_block[] = {
    SAID(DEPTH_TO_SPACE, SAID_LIST(said_input_deep), SAID_LIST(said_output_wide), SAID_LIST(said_params_depth_to_space),
         SAID_LIST(said_depth_to_space_wrong), SAID_AS_INPUT, "channels become blocks of pixels",
         OPENHARMONY ", order: " MINDSPORE),
    SAID(SPACE_TO_DEPTH, SAID_LIST(said_input_wide), SAID_LIST(said_output_deep), SAID_LIST(said_params_space_to_depth),
         SAID_LIST(said_space_to_depth_wrong), SAID_AS_INPUT, "blocks of pixels become channels", OPENHARMONY),
    SAID(SPACE_TO_BATCH_ND, SAID_LIST(said_input_image), SAID_LIST(said_output_batches),
         SAID_LIST(said_params_space_to_batch), SAID_LIST(said_space_to_batch_wrong), SAID_AS_INPUT,
         "pixels of a block go to batches of their own", OPENHARMONY),
    SAID(BATCH_TO_SPACE_ND, SAID_LIST(said_input_batches), SAID_LIST(said_output_image),
         SAID_LIST(said_params_batch_to_space), SAID_LIST(said_batch_to_space_wrong), SAID_AS_INPUT,
         "the way back, then the crops", OPENHARMONY),
};

/* ------------------------------------------------------------------------------------ RESIZE_BILINEAR */

static const said_operand said_input_resize[] = {
    {"input", "[batch, height, width, channels]", NULL, SAID_DATA, SAID_AT_RUN, "1 4 4 2", NULL},
};
static const said_operand said_output_resize[] = {
    {"output", "[batch, NEW_HEIGHT, NEW_WIDTH, channels]", NULL, SAID_DATA, SAID_AT_RUN, "1 7 6 2", NULL},
};
static const said_param said_params_resize[] = {
    {OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, "of the output", "1 or more", NULL, NULL, "7", "0; -1"},
    {OH_NN_RESIZE_BILINEAR_NEW_WIDTH, "of the output", "1 or more", NULL, NULL, "6", "0; -1"},
    {OH_NN_RESIZE_BILINEAR_PRESERVE_ASPECT_RATIO, "must be false", "false", "false", "0", NULL, "1"},
    {OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE,
     "where output o lies in the input: 0 o * in / out, 1 o * (in - 1) / (out - 1), 2 (o + 0.5) * in / out - 0.5, at "
     "least 0",
     "0 to 2", "0", "0", "2", "3; -1"},
    {OH_NN_RESIZE_BILINEAR_EXCLUDE_OUTSIDE, "is not looked at", NULL, "0", "0", "1", NULL},
};
static const said_wrong said_resize_wrong[] = {
    {"an input that has not four dimensions", SAID_INPUT_DIMS, 0, "4 4 2", SAID_BUILD},
    {"an output of another data type", SAID_OUTPUT_TYPE, 0, "float64", SAID_BUILD},
};
static const said_operator said_operators_resize[] = {
    SAID(RESIZE_BILINEAR, SAID_LIST(said_input_resize), SAID_LIST(said_output_resize), SAID_LIST(said_params_resize),
         SAID_LIST(said_resize_wrong), SAID_AS_INPUT, "interpolated between the four nearest pixels",
         MINDSPORE ", int8 of one quantization: " TFLITE),
};

#endif /* NNRT_TESTS_OPERATORS_MOVEMENT_H */
