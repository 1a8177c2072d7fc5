/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/pass_affine.h - folds BATCH_NORM, SCALE and BIAS_ADD into the weights of the product before them.
   >>cpu_pass_affine

   Each scales a channel and adds a constant, which scaled weights and a bias can do as well. Only for float32 products,
   and only if nothing else reads the product, its weights or the value between. The new weights and bias are computed
   in double and rounded to float32 once; a result is the same sum, rounded in other places (test_passes allows 1e-5 of
   the largest). Never with OH_NN_PERFORMANCE_LOW, where weights stay in the model. */
#ifndef NNRT_CPU_PASS_AFFINE_H
#define NNRT_CPU_PASS_AFFINE_H

#include "ir_build.h"
#include "ir_helpers.h"

/* Channel o of a product and the affine operator after it: y = x * factor + shift, where x is the sum without `bias`.
   */
typedef struct nnrt__affine_channel {
    double factor, shift;
} nnrt__affine_channel;

NNRT__FN nnrt__affine_channel nnrt__affine_channel_of(const nnrt__ir *ir, const nnrt__ir_node *node, size_t o,
                                                      double bias) {
    nnrt__affine_channel channel = {1.0, 0.0};
    double mean = 0.0;
    if (node->op == OH_NN_OPS_BIAS_ADD) {
        channel.shift = bias + nnrt__constant_real(nnrt__ir_in(ir, node, 1), o);
        return channel;
    }
    channel.factor = nnrt__constant_real(nnrt__ir_in(ir, node, 1), o);
    if (node->op == OH_NN_OPS_BATCH_NORM) {
        mean = nnrt__constant_real(nnrt__ir_in(ir, node, 3), o);
        channel.factor /= sqrt(nnrt__constant_real(nnrt__ir_in(ir, node, 4), o) +
                               (double)((const nnrt__affine_spec *)node->spec)->epsilon);
    }
    channel.shift = (bias - mean) * channel.factor;
    if (node->input_count > 2) channel.shift += nnrt__constant_real(nnrt__ir_in(ir, node, 2), o);
    return channel;
}

/* Is it an affine operator of float32 over the last axis, whose numbers are constant? */
NNRT__FN bool nnrt__is_affine(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *in;
    uint32_t k;
    if (node->op != OH_NN_OPS_BATCH_NORM && node->op != OH_NN_OPS_SCALE && node->op != OH_NN_OPS_BIAS_ADD) return false;
    in = nnrt__ir_in(ir, node, 0);
    if (in->dtype != OH_NN_FLOAT32 || nnrt__ir_out(ir, node, 0)->dtype != OH_NN_FLOAT32 || in->alias != NNRT__NONE)
        return false;
    for (k = 1; k < node->input_count; k++)
        if (!nnrt__is_constant_real(nnrt__ir_in(ir, node, k))) return false;
    if (node->op == OH_NN_OPS_BIAS_ADD) return true;
    return ((const nnrt__affine_spec *)node->spec)->args.first == in->rank - 1;
}

/* Is it a float32 product with weights of its own and nothing after its bias? */
NNRT__FN bool nnrt__takes_affine(const nnrt__ir *ir, const nnrt__ir_node *node) {
    if (node->op != OH_NN_OPS_CONV2D && node->op != OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE &&
        node->op != OH_NN_OPS_FULL_CONNECTION)
        return false;
    if (node->has_affine || node->input_count != 3 || (nnrt__node_fused(node) & ~(uint32_t)NNRT_FUSED_PAD) != 0)
        return false;
    if (nnrt__ir_in(ir, node, 1)->uses != 1 || nnrt__ir_in(ir, node, 1)->data == NULL ||
        nnrt__ir_in(ir, node, 2)->data == NULL)
        return false;
    return ((const nnrt__conv_spec *)node->spec)->type == NNRT__CONV_F32;
}

/* Adds a float32 constant with the shape of `like` and data to be filled. NNRT__NONE: out of memory. */
NNRT__FN uint32_t nnrt__affine_add_constant(nnrt__ir *ir, uint32_t like, float **data) {
    const size_t size = ir->values[like].size;
    uint32_t to;
    *data = (float *)nnrt__alloc(size);
    if (*data == NULL) return NNRT__NONE;
    to = nnrt__ir_add_value(ir, like, OH_NN_FLOAT32);
    ir->values[to].data = ir->values[to].owned = *data;
    ir->values[to].known = true;
    return to;
}

/* Folds node i into the product, node `into`, unless a factor is no finite float32. */
NNRT__FN OH_NN_ReturnCode nnrt__move_affine(nnrt__ir *ir, uint32_t i, uint32_t into) {
    OH_NN_ReturnCode code = nnrt__ir_reserve(ir, 2, 0, 0);
    const nnrt__ir_node *node = &ir->nodes[i], *product = &ir->nodes[into];
    const nnrt__conv_spec *spec = (const nnrt__conv_spec *)product->spec;
    const uint8_t *old_weights, *old_bias;
    const uint32_t result = node->outputs[0];
    uint32_t weights, bias;
    float *w = NULL, *b = NULL;
    size_t o, k;
    if (code != OH_NN_SUCCESS) return code;
    old_weights = (const uint8_t *)nnrt__ir_in(ir, product, 1)->data;
    old_bias = (const uint8_t *)nnrt__ir_in(ir, product, 2)->data;
    for (o = 0; o < (size_t)spec->out_c; o++) {
        const double factor = nnrt__affine_channel_of(ir, node, o, 0.0).factor;
        if (!(factor > -1e30 && factor < 1e30)) return OH_NN_SUCCESS;
    }
    weights = nnrt__affine_add_constant(ir, product->inputs[1], &w);
    bias = weights == NNRT__NONE ? NNRT__NONE : nnrt__affine_add_constant(ir, product->inputs[2], &b);
    if (bias == NNRT__NONE) return nnrt__fail_memory();
    for (o = 0; o < (size_t)spec->out_c; o++) {
        const nnrt__affine_channel channel =
            nnrt__affine_channel_of(ir, node, o, (double)nnrt__read_f32(old_bias + 4 * o));
        b[o] = (float)channel.shift;
        for (k = 0; k < spec->k; k++) {
            const ptrdiff_t at = (ptrdiff_t)o * spec->channel_stride + (ptrdiff_t)k * spec->k_stride;
            w[at] = (float)((double)nnrt__read_f32(old_weights + 4 * at) * channel.factor);
        }
    }
    ir->nodes[into].activation = node->activation;
    ir->nodes[into].has_affine = true;
    nnrt__ir_set_input(ir, into, 1, weights);
    nnrt__ir_set_input(ir, into, 2, bias);
    nnrt__ir_erase(ir, i);
    nnrt__ir_set_output(ir, into, 0, result);
    return OH_NN_SUCCESS;
}

/* Each product takes one, so that the size of the weights bounds Build's work. */
NNRT__FN OH_NN_ReturnCode nnrt__pass_affine(nnrt__ir *ir) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i, next;
    if (!nnrt__op_is_chosen(OH_NN_OPS_BATCH_NORM) && !nnrt__op_is_chosen(OH_NN_OPS_SCALE) &&
        !nnrt__op_is_chosen(OH_NN_OPS_BIAS_ADD))
        return OH_NN_SUCCESS;
    for (i = ir->first; code == OH_NN_SUCCESS && i != NNRT__NONE; i = next) {
        const nnrt__ir_value *middle = nnrt__ir_in(ir, &ir->nodes[i], 0);
        next = ir->nodes[i].next;
        if (nnrt__is_affine(ir, &ir->nodes[i]) && nnrt__ir_only_producer(ir, middle) != NULL &&
            nnrt__takes_affine(ir, &ir->nodes[middle->producer]))
            code = nnrt__move_affine(ir, i, middle->producer);
    }
    return code;
}

#endif /* NNRT_CPU_PASS_AFFINE_H */
