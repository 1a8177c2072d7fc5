/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/op_gate.h - a map times a function of itself: SiLU.   >>rknpu_open_op_gate

   Converters say x * sigmoid(x) as two operators. The product is a function of one byte, so one table has it: the CPU
   device's bytes, on a chip that has no products, too, and a task less. The function itself is left out where nobody
   else reads it. */
#ifndef NNRT_RKNPU_OPEN_OP_GATE_H
#define NNRT_RKNPU_OPEN_OP_GATE_H

#include "../cpu/ops_binary.h"
#include "op_unary.h"

/* The function in a product with what it is a function of. NULL: node is no such product. *first: which input of node
   is the map itself. */
NNRT__FN const nnrt__ir_node *nnrt__open_npu_gate_of(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t *first) {
    uint32_t i;
    if (node->op != OH_NN_OPS_MUL && node->op != OH_NN_OPS_ELTWISE) return NULL;
    if (((const nnrt__binary_f32_args *)node->spec)->kind != NNRT__BINARY_MUL) return NULL;
    for (i = 0; i < 2; i++) {
        const uint32_t maker = nnrt__ir_in(ir, node, 1 - i)->producer;
        const nnrt__ir_node *function = maker != NNRT__NONE ? &ir->nodes[maker] : NULL;
        if (function == NULL || function->inputs[0] != node->inputs[i]) continue;
        if (function->op != OH_NN_OPS_SIGMOID && function->op != OH_NN_OPS_TANH &&
            function->op != OH_NN_OPS_HARD_SIGMOID)
            continue;
        if (nnrt__open_npu_tensor_refusal(nnrt__ir_out(ir, function, 0)) != NULL ||
            nnrt__open_npu_same_shape_refusal(ir, function) != NULL)
            continue;
        *first = i;
        return function;
    }
    return NULL;
}

/* Do such products read the output of node, and nobody else? */
NNRT__FN bool nnrt__open_npu_only_gates(const nnrt__ir *ir, const nnrt__ir_node *node) {
    const uint32_t value = node->outputs[0];
    uint32_t n, k, first, readers = 0;
    if (ir->values[value].output != NNRT__NONE) return false;
    for (n = ir->first; n != NNRT__NONE; n = ir->nodes[n].next)
        for (k = 0; k < ir->nodes[n].input_count; k++) {
            if (ir->nodes[n].inputs[k] != value) continue;
            if (nnrt__open_npu_gate_of(ir, &ir->nodes[n], &first) != node || k == first) return false;
            readers++;
        }
    return readers != 0;
}

NNRT__FN void nnrt__open_npu_function_settle(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    if (nnrt__open_npu_only_gates(m->part, node)) nnrt__open_npu_out(m, node)->used = false;
}

/* Whether a convolution has written it already (op_curve.h): input and output are one. */
NNRT__FN bool nnrt__open_npu_is_there(nnrt__open_npu_compiler *m, const nnrt__ir_node *node, uint32_t input) {
    const nnrt__open_npu_tensor *in = nnrt__open_npu_in(m, node, input), *out = nnrt__open_npu_out(m, node);
    return in->root == out->root && in->first == out->first;
}

NNRT__FN const char *nnrt__open_npu_function_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node) {
    if (nnrt__open_npu_only_gates(m->part, node) || nnrt__open_npu_is_there(m, node, 0)) return NULL;
    return nnrt__open_npu_unary_write(m, node);
}

/* Bytes of the product, by the byte of the map. */
NNRT__FN void nnrt__open_npu_gate_bytes(const nnrt__ir *ir, const nnrt__ir_node *node, const nnrt__ir_node *function,
                                        uint32_t first, int8_t *bytes) {
    const nnrt__ir_value *in = nnrt__ir_in(ir, node, first), *gate = nnrt__ir_in(ir, node, 1 - first);
    const nnrt__ir_value *out = nnrt__ir_out(ir, node, 0);
    nnrt__binary_s8_args args;
    int8_t map[256], function_bytes[256];
    int32_t i;
    memset(&args, 0, sizeof(args));
    args.kind = NNRT__BINARY_MUL;
    args.input_zero_point[0] = in->quant.zero_points[0];
    args.input_zero_point[1] = gate->quant.zero_points[0];
    args.output_zero_point = out->quant.zero_points[0];
    nnrt__open_npu_activation(node, out, &args.clamp_min, &args.clamp_max);
    nnrt__binary_s8_scales(&args, in->quant.scales[0], gate->quant.scales[0], out->quant.scales[0]);
    nnrt__open_npu_unary_bytes(ir, function, function_bytes);
    for (i = 0; i < 256; i++) map[i] = (int8_t)(i < 128 ? i : i - 256);
    nnrt__binary_s8_scalar(&args, map, 1, function_bytes, 1, bytes, 256);
}

NNRT__FN const char *nnrt__open_npu_gate_write(nnrt__open_npu_compiler *m, const nnrt__ir_node *node,
                                               const nnrt__ir_node *function, uint32_t first) {
    int8_t bytes[256];
    if (nnrt__open_npu_is_there(m, node, first)) return NULL;
    nnrt__open_npu_gate_bytes(m->part, node, function, first, bytes);
    nnrt__open_npu_table_write(m, node, first, bytes);
    return NULL;
}

#endif /* NNRT_RKNPU_OPEN_OP_GATE_H */
