/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_lstm.h - LSTM of one layer, in one direction or two.   >>cpu_ops_lstm

   Sizes come from the inputs; INPUT_SIZE, HIDDEN_SIZE, NUM_LAYERS and NUM_DIRECTIONS must agree with them unless they
   are absent or 0. The bias is added unless HAS_BIAS is given as false: MindSpore Lite always adds it, although the
   default of HAS_BIAS is false. PROJ_SIZE is ignored: there is no input for its weights. The declared rank of the
   output decides its layout: 4 is [seq, directions, batch, hidden], as MindSpore Lite has it; any other is [seq, batch,
   directions * hidden], as the documentation says. The state is an input and an output: nothing is kept between runs.
   */
#ifndef NNRT_CPU_OPS_LSTM_H
#define NNRT_CPU_OPS_LSTM_H

#include "ops_movement_base.h"
#include "steps_lstm.h"

/* Has input i of the node these dimensions? */
NNRT__FN bool nnrt__lstm_has(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i, uint32_t rank, int64_t a,
                             int64_t b, int64_t c) {
    const nnrt__ir_value *value = nnrt__ir_in(ir, node, i);
    return value->rank == rank && value->dims[0] == a && value->dims[1] == b && (rank < 3 || value->dims[2] == c);
}

/* Is a size parameter absent, 0, or equal to this size? */
NNRT__FN bool nnrt__lstm_says(const nnrt__ir_node *node, OH_NN_TensorType type, int64_t size) {
    const int64_t said = nnrt__ir_int(node, type, 0);
    return said == 0 || said == size;
}

typedef struct nnrt__lstm_spec {
    nnrt__lstm_args args;
    bool has_bias;
} nnrt__lstm_spec;

NNRT__FN OH_NN_ReturnCode nnrt__lstm_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__lstm_args *args) {
    const nnrt__ir_value *x = nnrt__ir_in(ir, node, 0), *h = nnrt__ir_in(ir, node, 4);
    int64_t gates, directions;
    uint32_t i;
    for (i = 0; i < 9; i++) {
        const nnrt__ir_value *value = i < 6 ? nnrt__ir_in(ir, node, i) : nnrt__ir_out(ir, node, i - 6);
        if (value->dtype != OH_NN_FLOAT32)
            return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "there is a kernel for float32 only");
    }
    if (x->rank != 3 || h->rank != 3)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the input or the hidden state has not three dimensions");
    directions = nnrt__ir_int(node, OH_NN_LSTM_BIDIRECTIONAL, 0) != 0 ? 2 : 1;
    gates = 4 * (int64_t)h->dims[2];
    args->seq = (uint32_t)x->dims[0];
    args->batch = (uint32_t)x->dims[1];
    args->inputs = (uint32_t)x->dims[2];
    args->hidden = (uint32_t)h->dims[2];
    args->directions = (uint32_t)directions;
    args->by_direction = nnrt__ir_out(ir, node, 0)->rank == 4 ? 1 : 0;
    args->zoneout_cell = nnrt__ir_float(node, OH_NN_LSTM_ZONEOUT_CELL, 0.0f);
    args->zoneout_hidden = nnrt__ir_float(node, OH_NN_LSTM_ZONEOUT_HIDDEN, 0.0f);
    for (i = 4; i < 6; i++)
        if (!nnrt__lstm_has(ir, node, i, 3, directions, x->dims[1], h->dims[2]))
            return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the states are not [directions, batch, hidden]");
    if (!nnrt__lstm_has(ir, node, 1, 3, directions, gates, x->dims[2]) ||
        !nnrt__lstm_has(ir, node, 2, 3, directions, gates, h->dims[2]))
        return nnrt__ir_fail(
            ir, node, OH_NN_FAILED,
            "the weights are not [directions, 4 * hidden, input] and [directions, 4 * hidden, hidden]");
    if (!nnrt__lstm_has(ir, node, 3, 2, directions, 2 * gates, 0))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the bias is not [directions, 8 * hidden]");
    if (!nnrt__lstm_says(node, OH_NN_LSTM_INPUT_SIZE, x->dims[2]) ||
        !nnrt__lstm_says(node, OH_NN_LSTM_HIDDEN_SIZE, h->dims[2]) ||
        !nnrt__lstm_says(node, OH_NN_LSTM_NUM_DIRECTIONS, directions))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "a size among the parameters is not that of the inputs");
    if (!nnrt__lstm_says(node, OH_NN_LSTM_NUM_LAYERS, 1))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "there is a kernel for one layer only");
    if (args->inputs > NNRT__CONV_K_MAX || args->hidden > NNRT__CONV_K_MAX)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "a gate has more products than the kernels can add");
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__lstm_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    nnrt__lstm_spec *spec = (nnrt__lstm_spec *)node->spec;
    const nnrt__lstm_args *args = &spec->args;
    int64_t dims[4], state[3];
    uint32_t rank = 0, i;
    OH_NN_ReturnCode code = nnrt__lstm_read(ir, node, &spec->args);
    if (code != OH_NN_SUCCESS) return code;
    spec->has_bias = nnrt__ir_int(node, OH_NN_LSTM_HAS_BIAS, 1) != 0;
    state[0] = args->directions;
    state[1] = args->batch;
    state[2] = args->hidden;
    dims[rank++] = args->seq;
    if (args->by_direction != 0) dims[rank++] = args->directions;
    dims[rank++] = args->batch;
    dims[rank++] = args->by_direction != 0 ? (int64_t)args->hidden : (int64_t)args->directions * args->hidden;
    code = nnrt__movement_set_shape(ir, node, 0, rank, dims);
    for (i = 1; i < 3 && code == OH_NN_SUCCESS; i++) code = nnrt__movement_set_shape(ir, node, i, 3, state);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__lstm_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    nnrt__ir *ir = lower->ir;
    const nnrt__lstm_spec *spec = (const nnrt__lstm_spec *)node->spec;
    nnrt__step_info info;
    uint32_t inputs[6], outputs[3], i;
    memset(&info, 0, sizeof(info));
    info.macs = (uint64_t)nnrt__ir_out(ir, node, 0)->count * 4 * ((uint64_t)spec->args.inputs + spec->args.hidden);
    info.weights_bytes = nnrt__ir_in(ir, node, 1)->size + nnrt__ir_in(ir, node, 2)->size;
    for (i = 0; i < 6; i++)
        inputs[i] = i == 3 && !spec->has_bias ? NNRT__NONE : nnrt__lower_value(lower, node->inputs[i]);
    for (i = 0; i < 3; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    return nnrt__lower_spec(lower, NNRT__KIND(lstm_f32), node, inputs, 6, outputs, 3, &info);
}

NNRT__CPU_OP_READ(LSTM, nnrt__lstm_spec, NNRT__CPU_HEAVY, nnrt__lstm_infer, nnrt__lstm_lower)

#endif /* NNRT_CPU_OPS_LSTM_H */
