/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ops_svdf.h - SVDF: the half after the full connection (cpu/rewrite_svdf.h).   >>cpu_ops_svdf

   Inputs     features [batch, filters], weights of time [filters, memory], state [batch, filters * memory], bias
              [filters / rank] if there is one
   Outputs    [batch, filters / rank]; the state of the next run
   Types      float32; or int16 features in units of the state's scale, weights and state both int16 or both int8, an
              int32 bias and an int8 output. The rank follows from the shapes.
   The fused activation clamps floats only, as in TensorFlow Lite's kernels. */
#ifndef NNRT_CPU_OPS_SVDF_H
#define NNRT_CPU_OPS_SVDF_H

#include "../kernels/pack_scalar.h"
#include "ir_helpers.h"
#include "kinds.h"
#include "steps_svdf.h"

/* The factor for the sums: state times weights in units of the output. In float, as in TensorFlow Lite. */
NNRT__FN double nnrt__svdf_factor(const nnrt__ir_value *state, const nnrt__ir_value *weights,
                                  const nnrt__ir_value *out) {
    const float product = (float)state->quant.scales[0] * (float)weights->quant.scales[0];
    const float factor = product / (float)out->quant.scales[0];
    return (double)factor;
}

/* The largest magnitude that the sum of a unit can have; args->rank and memory are set. */
NNRT__FN uint64_t nnrt__svdf_largest_sum(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__svdf_args *args) {
    const nnrt__ir_value *bias = node->input_count > 3 ? nnrt__ir_in(ir, node, 3) : NULL;
    const uint64_t product = nnrt__ir_in(ir, node, 2)->dtype == OH_NN_INT8 ? 128u * 255u : 32768u * 32768u;
    const uint64_t products = (uint64_t)args->rank * args->memory * product; /* below 2^62 */
    uint64_t largest = 0;
    size_t i;
    if (bias != NULL && (bias->data == NULL || bias->dtype != OH_NN_INT32)) return INT32_MAX;
    for (i = 0; bias != NULL && i < bias->count; i++) {
        const int64_t value = nnrt__read_integer(bias->dtype, bias->data, (uint32_t)i);
        if ((uint64_t)(value < 0 ? -value : value) > largest) largest = (uint64_t)(value < 0 ? -value : value);
    }
    return products > INT32_MAX - largest ? INT32_MAX : products + largest; /* sums are modulo 2^32 */
}

/* OH_NN_SUCCESS: the quantization is complete, and *args has it. */
NNRT__FN OH_NN_ReturnCode nnrt__svdf_read_quant(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__svdf_args *args) {
    const nnrt__ir_value *weights = nnrt__ir_in(ir, node, 1), *state = nnrt__ir_in(ir, node, 2);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    double scale;
    int32_t weights_zero;
    if (weights->dtype != state->dtype || (state->dtype != OH_NN_INT16 && state->dtype != OH_NN_INT8) ||
        nnrt__ir_in(ir, node, 0)->dtype != OH_NN_INT16 || out->dtype != OH_NN_INT8)
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "data types must be float32, or int8 with weights of time and state of int16 or int8");
    if (!nnrt__ir_quant(state, &scale, &args->state_zero_point) || !nnrt__ir_quant(weights, &scale, &weights_zero) ||
        !nnrt__ir_quant(out, &scale, &args->zero_point) || weights_zero != 0 ||
        (state->dtype == OH_NN_INT16 && args->state_zero_point != 0))
        return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED,
                             "a scale is missing, or a zero point is not 0 where it must be");
    nnrt__quantize_multiplier(nnrt__svdf_factor(state, weights, out), &args->multiplier, &args->shift);
    return nnrt__ir_check_rescale(ir, node, nnrt__svdf_factor(state, weights, out) * out->quant.scales[0],
                                  nnrt__svdf_largest_sum(ir, node, args), args->shift);
}

NNRT__FN OH_NN_ReturnCode nnrt__svdf_read(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__svdf_args *args) {
    const nnrt__ir_value *x = nnrt__ir_in(ir, node, 0), *weights = nnrt__ir_in(ir, node, 1);
    const nnrt__ir_value *state = nnrt__ir_in(ir, node, 2);
    const nnrt__ir_value *bias = node->input_count > 3 ? nnrt__ir_in(ir, node, 3) : NULL;
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0), *next = nnrt__ir_out(ir, node, 1);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    int32_t units;
    args->clamp_min = -128;
    args->clamp_max = 127;
    if (x->rank != 2 || weights->rank != 2 || state->rank != 2 || out->rank != 2 || out->dims[1] < 1)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "an operand has not two dimensions");
    units = out->dims[1];
    if (weights->dims[0] != x->dims[1] || x->dims[1] % units != 0 || state->dims[0] != x->dims[0] ||
        (int64_t)state->dims[1] != (int64_t)x->dims[1] * weights->dims[1] ||
        (bias != NULL && (bias->rank != 1 || bias->dims[0] != units)))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shapes of weights, state, bias and output do not agree");
    args->units = (uint32_t)units;
    args->rank = (uint32_t)(x->dims[1] / units);
    args->memory = (uint32_t)weights->dims[1];
    (void)nnrt__activation_bounds(node, &args->clamp_low, &args->clamp_high);
    if (next->dtype != state->dtype)
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the next state has another data type");
    if (x->dtype != OH_NN_FLOAT32 || weights->dtype != OH_NN_FLOAT32 || state->dtype != OH_NN_FLOAT32 ||
        out->dtype != OH_NN_FLOAT32)
        code = nnrt__svdf_read_quant(ir, node, args);
    if (code == OH_NN_SUCCESS && bias != NULL &&
        bias->dtype != (x->dtype == OH_NN_FLOAT32 ? OH_NN_FLOAT32 : OH_NN_INT32))
        code = nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, "the bias has another data type than the sums");
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__svdf_infer(nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *x = nnrt__ir_in(ir, node, 0), *state = nnrt__ir_in(ir, node, 2);
    nnrt__svdf_args *args = (nnrt__svdf_args *)node->spec;
    int32_t dims[2];
    OH_NN_ReturnCode code = nnrt__svdf_read(ir, node, args);
    if (code != OH_NN_SUCCESS) return code;
    dims[0] = x->dims[0];
    dims[1] = (int32_t)args->units;
    code = nnrt__ir_set_shape(ir, node, 0, 2, dims);
    return code == OH_NN_SUCCESS ? nnrt__ir_set_shape(ir, node, 1, 2, state->dims) : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__svdf_lower(nnrt__lower *lower, const nnrt__ir_node *node) {
    const nnrt__ir *ir = lower->ir;
    const bool real = nnrt__ir_in(ir, node, 0)->dtype == OH_NN_FLOAT32;
    nnrt__step_info info;
    uint32_t inputs[4], outputs[2], i;
    memset(&info, 0, sizeof(info));
    info.macs = nnrt__ir_in(ir, node, 2)->count;
    info.weights_bytes = nnrt__ir_in(ir, node, 1)->size;
    info.weight_scales = real ? 0 : 1;
    for (i = 0; i < 4; i++) inputs[i] = i < node->input_count ? nnrt__lower_value(lower, node->inputs[i]) : NNRT__NONE;
    for (i = 0; i < 2; i++) outputs[i] = nnrt__lower_value(lower, node->outputs[i]);
    return nnrt__lower_spec(lower, real ? NNRT__KIND(svdf_f32) : NNRT__KIND(svdf_int), node, inputs, 4, outputs, 2,
                            &info);
}

NNRT__CPU_OP_READ(SVDF, nnrt__svdf_args, 0, nnrt__svdf_infer, nnrt__svdf_lower)

#endif /* NNRT_CPU_OPS_SVDF_H */
