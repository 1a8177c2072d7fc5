/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_recurrent.h - translators of operators that keep state.   >>tflite_operators_recurrent

   A variable of the file is a tensor that an operator reads and changes in place. Here it is state of the graph: the
   operator reads it and computes another tensor, which becomes the state of the next run. */
#ifndef NNRT_TFLITE_OPERATORS_RECURRENT_H
#define NNRT_TFLITE_OPERATORS_RECURRENT_H

#include "translate.h"

/* The tensor that input number `input`, a variable, becomes in the next run. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_next(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                            uint32_t *next) {
    const uint32_t variable = op->inputs[input];
    OH_NN_ReturnCode code;
    if (t->known[variable] != NNRT__TFLITE_VARIABLE)
        return nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: input %u, tensor %u, is no variable", op->index,
                          op->name, input, variable);
    code = nnrt__tflite_between(t, op, variable, nnrt__tflite_info(t, variable)->dtype, next);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_stored(op, nnrt__graph_add_state(t->store, variable, *next));
    t->known[variable] = (uint8_t)NNRT__TFLITE_CHANGED;
    return code;
}

/* SVDF: inputs (input, weights of features, weights of time, bias or nothing, the variable), options (rank, activation,
   whether hybrid inputs are quantized with a zero point). In the graph the bias is the last. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_svdf(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t bias = op->inputs[3];
    const nnrt_tensor_info *time = nnrt__tflite_info(t, op->inputs[2]), *output = nnrt__tflite_info(t, op->outputs[0]);
    int32_t rank = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_i32(t, op, 0, &rank)) return nnrt__tflite_op_broken(t, op);
    if (time->rank != 2 || output->rank != 2 || rank < 1 || (int64_t)output->dims[1] * rank != time->dims[0])
        return nnrt__tflite_op_wrong(op, "its rank does not fit its shapes");
    code = nnrt__tflite_fuse(t, op, 1, NNRT__TENSOR_SVDF_ACTIVATION);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_next(t, op, 4, &op->outputs[1]);
    if (code != OH_NN_SUCCESS) return code;
    op->inputs[3] = op->inputs[4];
    op->inputs[4] = bias;
    op->input_count = bias != NNRT__TFLITE_ABSENT ? 5 : 4;
    op->output_count = 2;
    return nnrt__tflite_add(t, op);
}

/* The optional inputs of an LSTM: input gate, peepholes, projection, norms. */
NNRT__FN bool nnrt__tflite_lstm_may_lack(uint32_t i) {
    return i == 1 || i == 5 || (i >= 9 && i <= 12) || i == 16 || i == 17 || i >= 20;
}

/* UNIDIRECTIONAL_SEQUENCE_LSTM: inputs as cpu/ops_sequence_lstm.h names them, the variables at 18 and 19; options
   (activation, clip of the cell, clip of the projection, time first, how hybrid inputs are quantized, whether weights
   of the state are diagonal). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_sequence_lstm(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t hidden = op->inputs[18], cell = op->inputs[19], inputs = op->input_count;
    int32_t activation = NNRT__TFL_ACTIVATION_TANH, time_major = 0, diagonal = 0;
    float cell_clip = 0.0f, projection_clip = 0.0f;
    int64_t present = 0;
    uint32_t i;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_byte(t, op, 0, &activation) || !nnrt__tflite_option_f32(t, op, 1, &cell_clip) ||
        !nnrt__tflite_option_f32(t, op, 2, &projection_clip) || !nnrt__tflite_option_byte(t, op, 3, &time_major) ||
        !nnrt__tflite_option_byte(t, op, 5, &diagonal))
        return nnrt__tflite_op_broken(t, op);
    if (activation != NNRT__TFL_ACTIVATION_TANH) return nnrt__tflite_op_unsupported(op, "its fused activation");
    if (diagonal != 0) return nnrt__tflite_op_unsupported(op, "diagonal weights of its state");
    if (nnrt__tflite_info(t, op->outputs[0])->rank != 3)
        return nnrt__tflite_op_wrong(op, "its output has not three dimensions");
    code = nnrt__tflite_next(t, op, 18, &op->outputs[1]);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_next(t, op, 19, &op->outputs[2]);
    if (code != OH_NN_SUCCESS) return code;
    if (hidden == cell) return nnrt__tflite_op_wrong(op, "its two states are one tensor");
    op->input_count = 0;
    for (i = 0; i < inputs; i++) {
        if (op->inputs[i] == NNRT__TFLITE_ABSENT) continue;
        present |= (int64_t)1 << i;
        op->inputs[op->input_count++] = op->inputs[i];
    }
    op->output_count = 3;
    nnrt__tflite_param_i64(op, NNRT__TENSOR_LSTM_PRESENT, present);
    nnrt__tflite_param_byte(op, NNRT__TENSOR_LSTM_TIME_MAJOR, OH_NN_BOOL, time_major != 0);
    nnrt__tflite_param_f32(op, NNRT__TENSOR_LSTM_CELL_CLIP, cell_clip);
    nnrt__tflite_param_f32(op, NNRT__TENSOR_LSTM_PROJECTION_CLIP, projection_clip);
    return nnrt__tflite_add(t, op);
}

#endif /* NNRT_TFLITE_OPERATORS_RECURRENT_H */
