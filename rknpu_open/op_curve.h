/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_curve.h - a function behind a convolution, in the convolution's task.   >>rknpu_open_op_curve

   Seen in most convolutions of the vendor's. The table of a function (op_unary.h) has 128 for a step of the
   convolution's output, so BN makes 128 of it instead of 1. The zero point goes into the biases, and 16 of the 128:
   then sums that round to the next byte begin in the middle between two entries, and the table goes from one result to
   the next within a quarter of a step. A sum that is nearly the next byte gives something between both results. So a
   function is taken in whose results of neighbours are at most 3 apart; then the byte is at most 1 from the result of
   one that is at most 1 from the convolution's. */
#ifndef NNRT_RKNPU_OPEN_OP_CURVE_H
#define NNRT_RKNPU_OPEN_OP_CURVE_H

#include "op_conv.h"
#include "op_gate.h"

#define NNRT__OPEN_NPU_STEEPEST 3
#define NNRT__OPEN_NPU_CURVE_SHIFT 7u /* of a step: 128 */

/* The node that makes the result of a function of value number i and of nothing else: the function, or a product with
   it. NULL: there is none, or somebody else reads what lies between. *map: which input of it is the value. */
NNRT__FN const nnrt__ir_node *nnrt__open_npu_curve_of(const nnrt__ir *ir, uint32_t i, uint32_t *map) {
    const nnrt__ir_node *reader = NULL;
    uint32_t n, k;
    *map = 0;
    if (ir->values[i].output != NNRT__NONE) return NULL;
    for (n = ir->first; n != NNRT__NONE; n = ir->nodes[n].next) {
        const nnrt__ir_node *node = &ir->nodes[n];
        for (k = 0; k < node->input_count && node->inputs[k] != i; k++) {}
        if (k == node->input_count) continue;
        if (reader == NULL) reader = node;
        else if (ir->values[i].uses == 2 && nnrt__open_npu_gate_of(ir, node, map) == reader)
            return *map == k && nnrt__open_npu_only_gates(ir, reader) && ir->values[reader->outputs[0]].uses == 1
                       ? node
                       : NULL;
        else return NULL;
    }
    return reader != NULL && ir->values[i].uses == 1 && nnrt__open_npu_is_function(reader->op) ? reader : NULL;
}

/* Its bytes by those of the convolution, which has an activation of its own. false: they are too far apart, or it is a
   bound, which needs no table. */
NNRT__FN bool nnrt__open_npu_curve_bytes(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t map,
                                         const nnrt__open_npu_conv *c, int8_t *bytes) {
    const nnrt__ir_node *function = nnrt__open_npu_gate_of(ir, node, &map);
    nnrt__open_npu_output output;
    int8_t whole[256];
    int32_t i;
    if (function != NULL) nnrt__open_npu_gate_bytes(ir, node, function, map, whole);
    else nnrt__open_npu_unary_bytes(ir, node, whole);
    if (function == NULL && nnrt__open_npu_unary_is_bound(ir, node, whole, &output)) return false;
    for (i = -128; i < 128; i++) bytes[i & 255] = whole[(i < c->low ? c->low : i > c->high ? c->high : i) & 255];
    for (i = -128; i < 127; i++)
        if (bytes[i & 255] - bytes[(i + 1) & 255] > NNRT__OPEN_NPU_STEEPEST ||
            bytes[(i + 1) & 255] - bytes[i & 255] > NNRT__OPEN_NPU_STEEPEST)
            return false;
    return true;
}

/* Makes a plan of bytes one of what a table takes. false: it does not fit. */
NNRT__FN bool nnrt__open_npu_curve_plan(nnrt__open_npu_conv_plan *p) {
    uint32_t o;
    if (p->scales.output.shift < NNRT__OPEN_NPU_CURVE_SHIFT) return false;
    for (o = 0; o < p->c.outputs; o++) {
        const double move = (p->out_zero + 0.125) / p->ratios[o], bias = p->channels[o].bias + move;
        const double most = (double)p->largest[o] + fabs(move);
        /* half a unit of a sum is less than one of the table's 128 */
        if (p->ratios[o] > 1.0 / 64 || fabs(bias) > 2147483000.0 || most > 2147483000.0 ||
            most * p->factors[o] > 2147483000.0 * nnrt__open_npu_power((int)p->scales.shift))
            return false;
        p->channels[o].bias = (int32_t)floor(bias + 0.5);
    }
    p->bounded = false;
    p->curve = true;
    return true;
}

/* The plan of a convolution with what is behind it. NULL: there is nothing that can be taken in. p is to be freed in
   any case. */
NNRT__FN const nnrt__ir_node *nnrt__open_npu_curve_plan_of(const nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                                           bool picture, nnrt__open_npu_conv_plan *p, int8_t *bytes) {
    uint32_t map;
    const nnrt__ir_node *curve = m->exact ? NULL : nnrt__open_npu_curve_of(m->part, node->outputs[0], &map);
    memset(p, 0, sizeof(*p));
    if (curve == NULL || nnrt__open_npu_conv_count(m->part, node, m->writer.facts) > 1) return NULL;
    if (nnrt__open_npu_conv_plan_of(m->part, node, m->writer.facts, picture, 0, p) != NULL ||
        !nnrt__open_npu_curve_bytes(m->part, curve, map, &p->c, bytes) || !nnrt__open_npu_curve_plan(p))
        return NULL;
    return curve;
}

/* A convolution whose function is taken in writes to where that would. */
NNRT__FN void nnrt__open_npu_curve_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    nnrt__open_npu_conv_plan p;
    const nnrt__ir_node *curve;
    int8_t bytes[256];
    nnrt__open_npu_conv_settle(m, node);
    curve = nnrt__open_npu_curve_plan_of(m, node, nnrt__open_npu_in(m, node, 0)->picture, &p, bytes);
    nnrt__open_npu_conv_plan_free(&p);
    if (curve == NULL) return;
    nnrt__open_npu_out(m, curve)->written = nnrt__open_npu_out(m, node)->written;
    nnrt__open_npu_lie_in(m, nnrt__open_npu_out(m, node), nnrt__open_npu_out(m, curve), 0);
}

NNRT__FN const char *nnrt__open_npu_curve_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, 0), *out = nnrt__open_npu_out(m, node);
    nnrt__open_npu_conv_plan p;
    int8_t bytes[256];
    const bool is = nnrt__open_npu_curve_plan_of(m, node, in->picture, &p, bytes) != NULL;
    if (is) {
        nnrt__open_npu_load_table(m, node, 0, bytes);
        nnrt__open_npu_conv_emit(m, in, out, &p);
    }
    nnrt__open_npu_conv_plan_free(&p);
    return is ? NULL : nnrt__open_npu_conv_write(m, node);
}

#endif /* NNRT_RKNPU_OPEN_OP_CURVE_H */
