/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_recurrent.h - translators of operators that keep state.   >>tflite_operators_recurrent

   A variable of the file is a tensor that an operator reads and changes where it lies. Here it is state of the graph:
   the operator reads it and computes another tensor, which it is in the run behind. */
#ifndef NNRT_TFLITE_OPERATORS_RECURRENT_H
#define NNRT_TFLITE_OPERATORS_RECURRENT_H

#include "translate.h"

/* The tensor that input number `input`, a variable, is in the run behind. */
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

/* QUANT_DTYPE_CAST of one tensor to another. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_requantized(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t input,
                                                   uint32_t output) {
    int64_t types[2];
    nnrt_param params[2];
    uint32_t i;
    types[0] = (int64_t)nnrt__tflite_info(t, input)->dtype;
    types[1] = (int64_t)nnrt__tflite_info(t, output)->dtype;
    memset(params, 0, sizeof(params));
    params[0].type = OH_NN_QUANT_DTYPE_CAST_SRC_T;
    params[1].type = OH_NN_QUANT_DTYPE_CAST_DST_T;
    for (i = 0; i < 2; i++) {
        params[i].dtype = OH_NN_INT64;
        params[i].count = 1;
        params[i].data = &types[i];
    }
    return nnrt__tflite_stored(
        op, nnrt__graph_add_node(t->store, OH_NN_OPS_QUANT_DTYPE_CAST, &input, 1, &output, 1, params, 2));
}

/* A tensor of the shape of `like`, int16 with this scale and zero point 0, or with float32 none. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_wide(nnrt__tflite *t, const nnrt__tflite_op *op, const nnrt_tensor_info *like,
                                            OH_NN_DataType dtype, const double *scale, uint32_t *index) {
    nnrt_tensor_info info;
    memset(&info, 0, sizeof(info));
    info.dtype = dtype;
    info.format = OH_NN_FORMAT_NHWC;
    info.type = OH_NN_TENSOR;
    info.rank = like->rank;
    info.dims = like->dims;
    if (dtype == OH_NN_INT16) {
        info.quant.count = 1;
        info.quant.scales = scale;
    }
    return nnrt__tflite_stored(op, nnrt__graph_add_tensor(t->store, &info, false, index));
}

/* The scale of the features, in units of which a full connection writes them: that of the state, but for the last bits:
   the factor is the one that SVDF's kernels have, which divide in float. */
NNRT__FN double nnrt__tflite_svdf_scale(double input, double weights, double state) {
    const float product = (float)input * (float)weights;
    const float factor = product / (float)state;
    return factor > 0.0f ? (double)product / (double)factor : state;
}

/* The first half of SVDF, a full connection of the input with one row of weights per filter: *features. Of int8, the
   result is int16 in units of the state, or what will be one of int8. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_svdf_features(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t *features) {
    const nnrt_tensor_info *input = nnrt__tflite_info(t, op->inputs[0]);
    const nnrt_tensor_info *weights = nnrt__tflite_info(t, op->inputs[1]);
    const nnrt_tensor_info *state = nnrt__tflite_info(t, op->inputs[4]);
    const bool integer = input->dtype == OH_NN_INT8;
    const uint8_t has_bias = 1;
    uint32_t inputs[3];
    nnrt_tensor_info result;
    nnrt_param param;
    int32_t dims[2];
    double scales[2] = {0, 0}; /* of the input, of the features: the tensors move when some are added */
    OH_NN_ReturnCode code;
    if (input->rank != 2 || weights->rank != 2) return nnrt__tflite_op_wrong(op, "an operand has not two dimensions");
    if (integer && (input->quant.count != 1 || weights->quant.count != 1 || state->quant.count != 1))
        return nnrt__tflite_op_wrong(op, "its input, its weights or its state has not one scale");
    dims[0] = input->dims[0];
    dims[1] = weights->dims[0];
    result = *input;
    result.dims = dims;
    inputs[0] = op->inputs[0];
    inputs[1] = op->inputs[1];
    if (integer) {
        scales[0] = input->quant.scales[0];
        scales[1] = nnrt__tflite_svdf_scale(scales[0], weights->quant.scales[0], state->quant.scales[0]);
        code = nnrt__tflite_zero_bias(t, op, inputs[0], dims[1], &inputs[2]);
        if (code == OH_NN_SUCCESS)
            code = nnrt__tflite_wide(t, op, nnrt__tflite_info(t, op->inputs[0]), OH_NN_INT16, &scales[0], &inputs[0]);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_requantized(t, op, op->inputs[0], inputs[0]);
    } else {
        code = nnrt__tflite_zero_bias(t, op, inputs[0], dims[1], &inputs[2]);
    }
    if (code == OH_NN_SUCCESS)
        code = nnrt__tflite_wide(t, op, &result, integer ? OH_NN_INT16 : OH_NN_FLOAT32, &scales[1], features);
    memset(&param, 0, sizeof(param));
    param.type = OH_NN_FULL_CONNECTION_HAS_BIAS;
    param.dtype = OH_NN_BOOL;
    param.count = 1;
    param.data = &has_bias;
    return code != OH_NN_SUCCESS ? code
                                 : nnrt__tflite_stored(op, nnrt__graph_add_node(t->store, OH_NN_OPS_FULL_CONNECTION,
                                                                                inputs, 3, features, 1, &param, 1));
}

/* SVDF: inputs (input, weights of features, weights of time, bias or nothing, the variable), options (rank, activation,
   whether hybrid inputs are quantized with a zero point). Its halves are two operators. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_svdf(nnrt__tflite *t, nnrt__tflite_op *op) {
    const uint32_t bias = op->inputs[3], state = op->inputs[4];
    const nnrt_tensor_info *time = nnrt__tflite_info(t, op->inputs[2]), *output = nnrt__tflite_info(t, op->outputs[0]);
    uint32_t features = 0, next = 0, weights = op->inputs[2];
    int32_t rank = 0;
    OH_NN_ReturnCode code;
    if (!nnrt__tflite_option_i32(t, op, 0, &rank)) return nnrt__tflite_op_broken(t, op);
    if (time->rank != 2 || output->rank != 2 || rank < 1 || (int64_t)output->dims[1] * rank != time->dims[0])
        return nnrt__tflite_op_wrong(op, "its rank does not fit its shapes");
    code = nnrt__tflite_fuse(t, op, 1, NNRT__TENSOR_SVDF_ACTIVATION);
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_svdf_features(t, op, &features);
    if (code == OH_NN_SUCCESS && nnrt__tflite_info(t, features)->dtype == OH_NN_FLOAT32 &&
        nnrt__tflite_info(t, weights)->dtype == OH_NN_INT8) { /* hybrid: weights of time are only stored in int8 */
        code = nnrt__tflite_wide(t, op, nnrt__tflite_info(t, weights), OH_NN_FLOAT32, NULL, &weights);
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_requantized(t, op, op->inputs[2], weights);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__tflite_next(t, op, 4, &next);
    if (code != OH_NN_SUCCESS) return code;
    op->inputs[0] = features;
    op->inputs[1] = weights;
    op->inputs[2] = state;
    op->inputs[3] = bias;
    op->input_count = bias != NNRT__TFLITE_ABSENT ? 4 : 3;
    op->outputs[1] = next;
    op->output_count = 2;
    return nnrt__tflite_add(t, op);
}

/* What an LSTM may do without: its input gate, peepholes, projection, norms. */
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
