/* SPDX-License-Identifier: Apache-2.0 */
/* networks.h - what is said of operators that are pieces of a network by themselves: the end of an SSD, LSTM, and those
   that only .tflite files have. */
#ifndef NNRT_TESTS_OPERATORS_NETWORKS_H
#define NNRT_TESTS_OPERATORS_NETWORKS_H

#include "said.h"

/* ------------------------------------------------------------------------- DETECTION_POST_PROCESS */

static const said_operand said_inputs_detection[] = {
    {"bbox", "[1, boxes, 4 or more]",
     "y, x, height, width of each box, beside its anchor; more numbers are not looked at", SAID_DATA, SAID_AT_RUN,
     "1 3 4", NULL},
    {"scores", "[1, boxes, columns]", "the last NUM_CLASSES columns are classes", SAID_DATA, SAID_AT_RUN, "1 3 3",
     NULL},
    {"anchors", "[boxes, 4]", "y, x, height, width", SAID_DATA, SAID_AT_BUILD, "3 4", NULL},
};
static const said_operand said_outputs_detection[] = {
    {"bboxes", "[1, rows, 4]", "rows: MAX_DETECTIONS * MAX_CLASSES_PER_DETECTION; ymin, xmin, ymax, xmax", SAID_REAL,
     SAID_AT_RUN, "1 4 4", NULL},
    {"classes", "[1, rows]", NULL, SAID_REAL, SAID_AT_RUN, "1 4", NULL},
    {"confidences", "[1, rows]", NULL, SAID_REAL, SAID_AT_RUN, "1 4", NULL},
    {"numDetections", "[1]", "rows that are filled; the others are 0", SAID_REAL, SAID_AT_RUN, "1", NULL},
};
static const said_param said_params_detection[] = {
    {OH_NN_DETECTION_POST_PROCESS_INPUT_SIZE, "is not looked at", NULL, "0", "0", "300", NULL},
    {OH_NN_DETECTION_POST_PROCESS_SCALE, "of y, x, height, width", "four numbers above 0", NULL, NULL, "10 10 5 5",
     "10 10 5; 10 10 5 5 5; 0 10 5 5; 10 10 5 -5"},
    {OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, "boxes that overlap more are left out", "a number", "0", "0",
     "0.5", "nan"},
    {OH_NN_DETECTION_POST_PROCESS_NMS_SCORE_THRESHOLD, "boxes below it are left out", "a number", "0", "0", "0.25",
     "nan"},
    {OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS, "boxes at most", "1 to 2^30", NULL, NULL, "2", "0; -1; 1073741825"},
    {OH_NN_DETECTION_POST_PROCESS_DETECTIONS_PER_CLASS, "of each class at most, with USE_REGULAR_NMS", "1 to 2^30",
     "must be given with USE_REGULAR_NMS", NULL, NULL, NULL},
    {OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, "rows for each box at most, without it", "1 to 2^30", NULL,
     NULL, "2", "0; -1"},
    {OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES, "without the background", "1 to columns", NULL, NULL, "2", "0; -1; 4"},
    {OH_NN_DETECTION_POST_PROCESS_USE_REGULAR_NMS, "class by class; else each box has the score of its best class",
     NULL, "false", "0", NULL, "1"},
    {OH_NN_DETECTION_POST_PROCESS_OUT_QUANTIZED, "is not looked at: the outputs are float32", NULL, "false", "0", NULL,
     NULL},
};
static const said_wrong said_detection_wrong[] = {
    {"boxes of two dimensions", SAID_INPUT_DIMS, 0, "3 4", SAID_BUILD},
    {"a batch of two", SAID_INPUT_DIMS, 0, "2 3 4", SAID_BUILD},
    {"boxes of three numbers", SAID_INPUT_DIMS, 0, "1 3 3", SAID_BUILD},
    {"scores of other boxes", SAID_INPUT_DIMS, 1, "1 4 3", SAID_BUILD},
    {"anchors of other boxes", SAID_INPUT_DIMS, 2, "4 4", SAID_BUILD},
    {"an output that is not float32", SAID_OUTPUT_TYPE, 1, "int32", SAID_BUILD},
};
static const said_operator said_operators_detection[] = {
    SAID(DETECTION_POST_PROCESS, SAID_LIST(said_inputs_detection), SAID_LIST(said_outputs_detection),
         SAID_LIST(said_params_detection), SAID_LIST(said_detection_wrong), SAID_AS_INPUT,
         "boxes from anchors, the best of them that do not overlap", MINDSPORE ", from .tflite files: " TFLITE),
};

/* -------------------------------------------------------------------------------------------- LSTM */

static const said_operand said_inputs_lstm[] = {
    {"input", "[steps, batch, inputs]", NULL, SAID_DATA, SAID_AT_RUN, "2 1 3", NULL},
    {"wIh", "[directions, 4 * hidden, inputs]", "rows in the order of gates: input, output, forget, cell", SAID_DATA,
     SAID_AT_BUILD, "1 8 3", NULL},
    {"wHh", "[directions, 4 * hidden, hidden]", NULL, SAID_DATA, SAID_AT_BUILD, "1 8 2", NULL},
    {"bias", "[directions, 8 * hidden]", "of the input, then of the state", SAID_DATA, SAID_AT_BUILD, "1 16", NULL},
    {"hx", "[directions, batch, hidden]", "the hidden state before", SAID_DATA, SAID_AT_RUN, "1 1 2", NULL},
    {"cx", "[directions, batch, hidden]", "the cell before", SAID_DATA, SAID_AT_RUN, "1 1 2", NULL},
};
static const said_operand said_outputs_lstm[] = {
    {"output",
     "[steps, directions, batch, hidden] where it is declared with four dimensions, else [steps, batch, directions * "
     "hidden]",
     NULL, SAID_DATA, SAID_AT_RUN, "2 1 2", NULL},
    {"hy", "[directions, batch, hidden]", "the hidden state behind", SAID_DATA, SAID_AT_RUN, "1 1 2", NULL},
    {"cy", "[directions, batch, hidden]", "the cell behind", SAID_DATA, SAID_AT_RUN, "1 1 2", NULL},
};
static const said_param said_params_lstm[] = {
    {OH_NN_LSTM_BIDIRECTIONAL, "directions: false 1, true 2", NULL, "false", "0", NULL, "1"},
    {OH_NN_LSTM_HAS_BIAS, "false: the bias is not added", NULL, "true", "1", NULL, NULL},
    {OH_NN_LSTM_INPUT_SIZE, "agrees with the shapes", "0, or inputs", "0", "0", "3", "2; -1"},
    {OH_NN_LSTM_HIDDEN_SIZE, "agrees with the shapes", "0, or hidden", "0", "0", "2", "3; -1"},
    {OH_NN_LSTM_NUM_LAYERS, "there is a kernel for one", "0 or 1", "0", "0", "1", "2; -1"},
    {OH_NN_LSTM_NUM_DIRECTIONS, "agrees with BIDIRECTIONAL", "0, or directions", "0", "0", "1", "2; -1"},
    {OH_NN_LSTM_DROPOUT, "is not looked at", NULL, "0", "0", NULL, NULL},
    {OH_NN_LSTM_ZONEOUT_CELL, "part of the cell that stays in the next step", NULL, "0", "0", "0.25", NULL},
    {OH_NN_LSTM_ZONEOUT_HIDDEN, "part of the hidden state that stays in the next step", NULL, "0", "0", "0.5", NULL},
    {OH_NN_LSTM_PROJ_SIZE, "is not looked at: there is no input for its weights", NULL, "0", "0", NULL, NULL},
};
static const said_wrong said_lstm_wrong[] = {
    {"an input that has not three dimensions", SAID_INPUT_DIMS, 0, "2 3", SAID_BUILD},
    {"weights that do not fit the input", SAID_INPUT_DIMS, 1, "1 8 4", SAID_BUILD},
    {"weights that do not fit the state", SAID_INPUT_DIMS, 2, "1 8 3", SAID_BUILD},
    {"a bias of another length", SAID_INPUT_DIMS, 3, "1 8", SAID_BUILD},
    {"a state of another batch", SAID_INPUT_DIMS, 4, "1 2 2", SAID_BUILD},
    {"a cell of another size", SAID_INPUT_DIMS, 5, "1 1 3", SAID_BUILD},
};
static const said_operator said_operators_lstm[] = {
    SAID(LSTM, SAID_LIST(said_inputs_lstm), SAID_LIST(said_outputs_lstm), SAID_LIST(said_params_lstm),
         SAID_LIST(said_lstm_wrong), SAID_AS_INPUT,
         "c' = sigmoid(forget) c + sigmoid(input) tanh(cell); h' = sigmoid(output) tanh(c'), in each step",
         OPENHARMONY ", order of gates and zoneout: " MINDSPORE),
};

/* ------------------------------------------------------------------------------ of .tflite files only */

static const said_operand said_inputs_svdf[] = {
    {"input", "[batch, inputs]", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
    {"weights of features", "[filters, inputs]", NULL, SAID_WEIGHTS, SAID_AT_BUILD, "", NULL},
    {"weights of time", "[filters, memory]", NULL, SAID_WEIGHTS, SAID_AT_BUILD, "", NULL},
    {"state", "[batch, filters * memory]", "of the run before", SAID_DATA, SAID_AT_RUN, "", NULL},
    {"bias", "[filters / rank]", "may be absent", SAID_BIAS, SAID_AT_BUILD, "", NULL},
};
static const said_operand said_outputs_svdf[] = {
    {"output", "[batch, filters / rank]", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
    {"next state", "that of the state", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operand said_inputs_sequence_lstm[] = {
    {"inputs", "those of UNIDIRECTIONAL_SEQUENCE_LSTM, in its order",
     "without those that are absent; weights are constants", SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operand said_outputs_sequence_lstm[] = {
    {"output", "[steps, batch, outputs] or [batch, steps, outputs]", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
    {"next hidden state", "that of the hidden state", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
    {"next cell", "that of the cell", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operand said_inputs_cumsum[] = {
    {"value", "any", "float32, int32, int64 or int8", SAID_DATA, SAID_AT_RUN, "", NULL},
    {"axis", "one number", NULL, SAID_INTS, SAID_AT_BUILD, "", NULL},
};
static const said_operand said_outputs_cumsum[] = {
    {"output", "that of the value", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operand said_inputs_update[] = {
    {"operand", "any", "of any data type", SAID_DATA, SAID_AT_RUN, "", NULL},
    {"update", "as many dimensions as operand, none larger", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
    {"start", "[dimensions of operand]", "outside: moved until the update lies within", SAID_INTS, SAID_AT_RUN, "",
     NULL},
};
static const said_operand said_outputs_update[] = {
    {"output", "that of operand", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operand said_inputs_nearest[] = {
    {"image", "[batch, height, width, channels]", "of any data type", SAID_DATA, SAID_AT_RUN, "", NULL},
    {"size", "[2]", "the new height and width", SAID_INTS, SAID_AT_BUILD, "", NULL},
};
static const said_operand said_outputs_nearest[] = {
    {"output", "[batch, new height, new width, channels]", NULL, SAID_DATA, SAID_AT_RUN, "", NULL},
};
static const said_operator said_operators_files[] = {
    SAID(SVDF, SAID_LIST(said_inputs_svdf), SAID_LIST(said_outputs_svdf), SAID_NONE, SAID_NONE, SAID_AS_INPUT,
         "sums over the last features of each filter, which a full connection makes of the input", TFLITE),
    SAID(SEQUENCE_LSTM, SAID_LIST(said_inputs_sequence_lstm), SAID_LIST(said_outputs_sequence_lstm), SAID_NONE,
         SAID_NONE, SAID_AS_INPUT, "an LSTM over a sequence", TFLITE),
    SAID(CUMSUM, SAID_LIST(said_inputs_cumsum), SAID_LIST(said_outputs_cumsum), SAID_NONE, SAID_NONE, SAID_AS_INPUT,
         "the sum of what stands in front along the axis", TFLITE),
    SAID(DYNAMIC_UPDATE_SLICE, SAID_LIST(said_inputs_update), SAID_LIST(said_outputs_update), SAID_NONE, SAID_NONE,
         SAID_AS_INPUT, "operand, with the update in place of what stands there", TFLITE),
    SAID(RESIZE_NEAREST, SAID_LIST(said_inputs_nearest), SAID_LIST(said_outputs_nearest), SAID_NONE, SAID_NONE,
         SAID_AS_INPUT, "the pixel nearest to each of the new image", TFLITE),
};

#endif /* NNRT_TESTS_OPERATORS_NETWORKS_H */
