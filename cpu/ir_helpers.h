/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_helpers.h - what all operators need from the IR: axes, activations, quantization.   >>cpu_ir_helpers

   One place, so that all operators agree. Two questions about quantization look alike but differ: whether steps may be
   fused (nnrt__ir_same_quant), and whether bytes may be copied (nnrt__ir_moves_unchanged). nnrt__ir_build alone checks
   that scales and zero points are sound, once for every tensor. */
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

/* The node that computes this value, if `reader` is its only reader and it is no model output; else NULL. */
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

/* The bounds of a node's activation. false: there is nothing to clamp. */
NNRT__FN bool nnrt__activation_bounds(const nnrt__ir_node *node, float *low, float *high) {
    *low = node->activation == OH_NN_FUSED_NONE ? -INFINITY : 0.0f;
    *high = node->activation == OH_NN_FUSED_RELU6 ? 6.0f : INFINITY;
    return node->activation != OH_NN_FUSED_NONE;
}

/* NNRT_FUSED_* of a node: the extra work that passes or its own parameters gave it. */
NNRT__FN uint32_t nnrt__node_fused(const nnrt__ir_node *node) {
    const uint32_t padding = node->has_padding ? NNRT_FUSED_PAD : 0;
    if (node->activation == OH_NN_FUSED_NONE) return padding;
    return padding | (node->activation == OH_NN_FUSED_RELU6 ? NNRT_FUSED_RELU6 : NNRT_FUSED_RELU);
}

/* Same type, and both not quantized or both with the same scale and zero point: then a step may write one in place of
   the other without changing a bit of any result. */
NNRT__FN bool nnrt__ir_same_quant(const nnrt__ir_value *a, const nnrt__ir_value *b) {
    if (a->dtype != b->dtype || a->quant.count != b->quant.count) return false;
    if (a->quant.count == 0) return true;
    return a->quant.count == 1 && a->quant.scales[0] == b->quant.scales[0] &&
           a->quant.zero_points[0] == b->quant.zero_points[0];
}

/* Are the bytes of a also those of b? Not if both have one scale and zero point and these differ in float, the
   precision in which bytes are rescaled. If one has none, or one per channel, bytes are only moved: their meaning is up
   to the model, and cutting or joining channels changes how many pairs there are. */
NNRT__FN bool nnrt__ir_moves_unchanged(const nnrt__ir_value *a, const nnrt__ir_value *b) {
    double scale_a, scale_b;
    int32_t zero_a, zero_b;
    if (!nnrt__ir_quant(a, &scale_a, &zero_a) || !nnrt__ir_quant(b, &scale_b, &zero_b)) return true;
    return (float)scale_a == (float)scale_b && zero_a == zero_b;
}

#endif /* NNRT_CPU_IR_HELPERS_H */
