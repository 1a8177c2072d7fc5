/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_factor.h - a map times a constant, one for all or one for each channel.   >>rknpu_open_op_factor

   A depthwise convolution of 1 by 1: on a chip on which products of two maps were never seen, too, and without a
   constant as large as the map. A factor is a weight; where one of them has more than 7 bits behind its zero point,
   weights are signs, and the scales of channels have the rest. */
#ifndef NNRT_RKNPU_OPEN_OP_FACTOR_H
#define NNRT_RKNPU_OPEN_OP_FACTOR_H

#include "../cpu/ops_binary.h"
#include "op_conv.h"

/* Which input of a product is such a constant; NNRT__NONE: none is. */
NNRT__FN uint32_t nnrt__open_npu_factor_of(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(out);
    uint32_t i;
    if (node->op != OH_NN_OPS_MUL && node->op != OH_NN_OPS_ELTWISE) return NNRT__NONE;
    if (((const nnrt__binary_f32_args *)node->spec)->kind != NNRT__BINARY_MUL) return NNRT__NONE;
    for (i = 0; i < 2; i++) {
        const nnrt__ir_value *factor = nnrt__ir_in(ir, node, i), *map = nnrt__ir_in(ir, node, 1 - i);
        const nnrt__open_npu_shape of_map = nnrt__open_npu_shape_of(map);
        if (factor->data == NULL || factor->dtype != OH_NN_INT8 || factor->quant.count != 1) continue;
        if (map->count != out->count || memcmp(&of_map, &shape, sizeof(shape)) != 0) continue;
        if (factor->count == 1 || (factor->count == shape.channels && factor->rank >= 1 &&
                                   (uint32_t)factor->dims[factor->rank - 1] == shape.channels))
            return i;
    }
    return NNRT__NONE;
}

NNRT__FN void nnrt__open_npu_factor_describe(const nnrt__ir *ir, const nnrt__ir_node *node, nnrt__open_npu_conv *c) {
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    const nnrt__open_npu_shape shape = nnrt__open_npu_shape_of(out);
    memset(c, 0, sizeof(*c));
    c->depthwise = true;
    c->height = c->out_height = shape.height;
    c->width = c->out_width = shape.width;
    c->channels = c->outputs = shape.channels;
    c->kernel_h = c->kernel_w = c->stride_h = c->stride_w = c->dilation_h = c->dilation_w = 1;
    c->spread_h = c->spread_w = c->group_channels = c->group_outputs = 1;
    c->output_stride = 1;
    nnrt__open_npu_activation(node, out, &c->low, &c->high);
}

/* Weights and ratios of channels; their ratios are those of the product where *plain. */
NNRT__FN void nnrt__open_npu_factor_weights(const nnrt__ir_value *factor, double ratio, nnrt__open_npu_conv_plan *p,
                                            bool *plain) {
    const int8_t *values = (const int8_t *)factor->data;
    const int32_t zero = factor->quant.zero_points[0];
    uint32_t o;
    *plain = true;
    for (o = 0; o < p->c.outputs; o++) {
        const int32_t value = values[factor->count == 1 ? 0 : o] - zero;
        if (value < -127 || value > 127) *plain = false;
    }
    for (o = 0; o < p->c.outputs; o++) {
        const int32_t value = values[factor->count == 1 ? 0 : o] - zero;
        p->made[o] = (int8_t)(*plain ? value : (value > 0) - (value < 0));
        p->ratios[o] = *plain || value == 0 ? ratio : ratio * (value < 0 ? -value : value);
    }
    p->c.weights = p->made;
}

/* Everything of it. p is to be freed in any case. */
NNRT__FN const char *nnrt__open_npu_factor_plan_of(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__open_npu_facts *facts, nnrt__open_npu_conv_plan *p,
                                                   bool *plain) {
    const uint32_t at = nnrt__open_npu_factor_of(ir, node);
    const nnrt__ir_value *factor = nnrt__ir_in(ir, node, at), *map = nnrt__ir_in(ir, node, 1 - at);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    const char *reason;
    uint32_t o;
    memset(p, 0, sizeof(*p));
    reason = nnrt__open_npu_tensor_refusal(map);
    if (reason != NULL) return reason;
    nnrt__open_npu_factor_describe(ir, node, &p->c);
    reason = nnrt__open_npu_conv_refusal(&p->c, facts);
    if (reason == NULL) reason = nnrt__open_npu_tiles_of(&p->c, facts, false, &p->tiles);
    if (reason != NULL) return reason;
    if (!nnrt__open_npu_conv_plan_room(p)) return "out of memory";
    p->in_zero = map->quant.zero_points[0];
    p->out_zero = out->quant.zero_points[0];
    p->whole = true;
    nnrt__open_npu_factor_weights(factor, map->quant.scales[0] * factor->quant.scales[0] / out->quant.scales[0], p,
                                  plain);
    for (o = 0; o < p->c.outputs; o++) {
        if (!(p->ratios[o] > 0)) return "the scales do not fit the NPU's factors";
        if (!nnrt__open_npu_conv_sum(p, o, 0)) return "a sum may leave the NPU's 32 bits";
    }
    return nnrt__open_npu_conv_finish(p, NULL, facts);
}

NNRT__FN const char *nnrt__open_npu_factor_refusal(const nnrt__ir *ir, const nnrt__ir_node *node,
                                                   const nnrt__open_npu_facts *facts, bool exact) {
    nnrt__open_npu_conv_plan p;
    bool plain = false;
    const char *reason = nnrt__open_npu_factor_plan_of(ir, node, facts, &p, &plain);
    if (reason == NULL && exact && !(plain && nnrt__open_npu_conv_is_exact(&p)))
        reason = "its factors have 15 bits on the NPU: a byte may differ by one";
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

NNRT__FN const char *nnrt__open_npu_factor_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_conv_plan p;
    bool plain;
    const char *reason = nnrt__open_npu_factor_plan_of(m->part, node, m->writer.facts, &p, &plain);
    if (reason == NULL)
        nnrt__open_npu_conv_emit(m, nnrt__open_npu_in(m, node, 1 - nnrt__open_npu_factor_of(m->part, node)),
                                 nnrt__open_npu_out(m, node), &p);
    nnrt__open_npu_conv_plan_free(&p);
    return reason;
}

#endif /* NNRT_RKNPU_OPEN_OP_FACTOR_H */
