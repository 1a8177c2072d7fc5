/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_helpers.h - what every family of operators asks of the IR: axes, activations, quantization.   >>cpu_ir_helpers

   Each question has one answer for all operators. Two questions about quantization look alike and are not: whether
   steps may be fused (nnrt__ir_same_quant), and whether bytes may be copied (nnrt__ir_moves_unchanged). Whether scales
   and zero points are sound is asked once, by nnrt__ir_build, for every tensor of a graph. */
#ifndef NNRT_CPU_IR_HELPERS_H
#define NNRT_CPU_IR_HELPERS_H

#include "ir.h"

/* Element i of a constant, without its quantization; a NaN for float16. */
NNRT__FN double nnrt__ir_real(const nnrt__ir_value *value, uint32_t i) {
    const uint8_t *at = (const uint8_t *)value->data + (size_t)i * nnrt__element_size(value->dtype);
    double wide;
    if (nnrt__is_integer(value->dtype)) return nnrt__real_of_int(nnrt__read_integer(value->dtype, value->data, i));
    if (value->dtype == OH_NN_FLOAT32) return (double)nnrt__read_f32(at);
    if (value->dtype != OH_NN_FLOAT64) return (double)NAN;
    memcpy(&wide, at, sizeof(wide));
    return wide;
}

/* The node that makes this value, when the value has no other reader than `reader`'s and is no model
   output; NULL: another one. */
NNRT__FN nnrt__ir_node *nnrt__ir_only_producer(nnrt__ir *ir, const nnrt__ir_value *value) {
    if (value->producer == NNRT__NONE || value->uses != 1 || value->output != NNRT__NONE) return NULL;
    return ir->nodes[value->producer].output_count == 1 ? &ir->nodes[value->producer] : NULL;
}

/* axis within -rank..rank - 1 becomes 0..rank - 1; false when there is no such axis. */
NNRT__FN bool nnrt__ir_axis(int64_t axis, uint32_t rank, uint32_t *out) {
    if (axis < 0) axis += (int64_t)rank;
    if (axis < 0 || axis >= (int64_t)rank) return false;
    *out = (uint32_t)axis;
    return true;
}

/* The bounds of the activation in the parameter of that type (OH_NN_TENSOR: the operator has none) and of the one that
   a pass fused in. false: there is nothing to clamp. */
NNRT__FN bool nnrt__activation_bounds(const nnrt__ir_node *node, OH_NN_TensorType type, float *low, float *high) {
    const int64_t own = type == OH_NN_TENSOR ? 0 : nnrt__ir_int(node, type, OH_NN_FUSED_NONE);
    const bool six = own == OH_NN_FUSED_RELU6 || node->activation == (uint32_t)OH_NN_FUSED_RELU6;
    const bool relu = six || own == OH_NN_FUSED_RELU || node->activation == (uint32_t)OH_NN_FUSED_RELU;
    *low = relu ? 0.0f : -INFINITY;
    *high = six ? 6.0f : INFINITY;
    return relu;
}

/* NNRT_FUSED_* of a node: what its passes and its own parameters have it do besides. */
NNRT__FN uint32_t nnrt__node_fused(const nnrt__ir_node *node) {
    static const OH_NN_TensorType types[14] = {OH_NN_ADD_ACTIVATIONTYPE,
                                               OH_NN_AVG_POOL_ACTIVATION_TYPE,
                                               OH_NN_CONV2D_ACTIVATION_TYPE,
                                               OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE,
                                               OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE,
                                               OH_NN_DIV_ACTIVATIONTYPE,
                                               OH_NN_FULL_CONNECTION_ACTIVATIONTYPE,
                                               OH_NN_L2_NORMALIZE_ACTIVATION_TYPE,
                                               OH_NN_MATMUL_ACTIVATION_TYPE,
                                               OH_NN_MAX_POOL_ACTIVATION_TYPE,
                                               OH_NN_MUL_ACTIVATION_TYPE,
                                               OH_NN_SCALE_ACTIVATIONTYPE,
                                               OH_NN_SUB_ACTIVATIONTYPE,
                                               NNRT__TENSOR_SVDF_ACTIVATION};
    uint32_t fused = node->has_padding ? NNRT_FUSED_PAD : 0, i;
    float low, high;
    bool relu = nnrt__activation_bounds(node, OH_NN_TENSOR, &low, &high);
    for (i = 0; i < NNRT__COUNT_OF(types) && !relu; i++) relu = nnrt__activation_bounds(node, types[i], &low, &high);
    if (relu) fused |= high == 6.0f ? NNRT_FUSED_RELU6 : NNRT_FUSED_RELU;
    return fused;
}

/* Of one type, and both not quantized or both with the very same pair: then a step may write the one in place of the
   other and no bit of a result changes. */
NNRT__FN bool nnrt__ir_same_quant(const nnrt__ir_value *a, const nnrt__ir_value *b) {
    if (a->dtype != b->dtype || a->quant.count != b->quant.count) return false;
    if (a->quant.count == 0) return true;
    return a->quant.count == 1 && a->quant.scales[0] == b->quant.scales[0] &&
           a->quant.zero_points[0] == b->quant.zero_points[0];
}

/* Are the bytes of a those of b? Not when both have one pair and the pairs differ in float, in which bytes are
   rescaled. Where one of them says nothing, or speaks of channels, bytes are only moved: what they mean is the
   model's business, and cutting or joining channels changes how many pairs there are. */
NNRT__FN bool nnrt__ir_moves_unchanged(const nnrt__ir_value *a, const nnrt__ir_value *b) {
    double scale_a, scale_b;
    int32_t zero_a, zero_b;
    if (!nnrt__ir_quant(a, &scale_a, &zero_a) || !nnrt__ir_quant(b, &scale_b, &zero_b)) return true;
    return (float)scale_a == (float)scale_b && zero_a == zero_b;
}

#endif /* NNRT_CPU_IR_HELPERS_H */
