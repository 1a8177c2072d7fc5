/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_edit.h - how a graph grows and shrinks while it is compiled.   >>cpu_ir_edit

   A rewrite first reserves everything that it may add (nnrt__ir_reserve). Only that call can fail, and only that call
   moves values and nodes: take pointers to them after it. Additions belong to the IR and are freed with it. Values are
   never removed, so indices stay valid. */
#ifndef NNRT_CPU_IR_EDIT_H
#define NNRT_CPU_IR_EDIT_H

#include "ir.h"

/* Bounds of what one compilation takes, with all that rewrites add. */
#define NNRT__IR_MAX_NODES 65536u
#define NNRT__IR_MAX_VALUES 262144u
#define NNRT__IR_MAX_GROWN 16777216u
#define NNRT__IR_PIECE_BYTES 4096u

/* Bytes to reserve for `count` things of a size. */
#define NNRT__IR_BYTES(count, type) (((count) * sizeof(type) + 7) & ~(size_t)7)

/* Reserves room for this many more values, nodes and bytes. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_reserve(nnrt__ir *ir, uint32_t values, uint32_t nodes, size_t bytes) {
    const uint32_t more_values = ir->value_capacity + ir->value_capacity / 2 + values;
    const uint32_t more_nodes = ir->node_capacity + ir->node_capacity / 2 + nodes;
    if (more_values > NNRT__IR_MAX_GROWN || more_nodes > NNRT__IR_MAX_GROWN)
        return nnrt__fail(OH_NN_FAILED, "the graph has more operators or tensors than %u", NNRT__IR_MAX_GROWN);
    if (ir->value_capacity - ir->value_count < values) {
        nnrt__ir_value *grown = (nnrt__ir_value *)nnrt__realloc(ir->values, more_values, sizeof(*grown));
        if (grown == NULL) return nnrt__fail_memory();
        ir->values = grown;
        ir->value_capacity = more_values;
    }
    if (ir->node_capacity - ir->node_count < nodes) {
        nnrt__ir_node *grown = (nnrt__ir_node *)nnrt__realloc(ir->nodes, more_nodes, sizeof(*grown));
        if (grown == NULL) return nnrt__fail_memory();
        ir->nodes = grown;
        ir->node_capacity = more_nodes;
    }
    if (bytes != 0 && (ir->pieces == NULL || ir->pieces->size - ir->pieces->used < bytes)) {
        const size_t size = bytes < NNRT__IR_PIECE_BYTES ? NNRT__IR_PIECE_BYTES : bytes;
        nnrt__ir_piece *piece = (nnrt__ir_piece *)nnrt__alloc_zero(1, NNRT__IR_BYTES(1, nnrt__ir_piece) + size);
        if (piece == NULL) return nnrt__fail_memory();
        piece->next = ir->pieces;
        piece->size = size;
        ir->pieces = piece;
    }
    return OH_NN_SUCCESS;
}

/* Zeroed memory, aligned for any number, valid until the IR is freed. Its bytes, rounded up to 8, must be reserved. */
NNRT__FN void *nnrt__ir_take(nnrt__ir *ir, size_t count, size_t size) {
    const size_t bytes = (count * size + 7) & ~(size_t)7;
    nnrt__ir_piece *piece = ir->pieces;
    uint8_t *taken;
    NNRT_ASSERT(piece != NULL && piece->size - piece->used >= bytes);
    taken = (uint8_t *)piece + NNRT__IR_BYTES(1, nnrt__ir_piece) + piece->used;
    NNRT_ASSERT(((uintptr_t)taken & 7) == 0);
    piece->used += bytes;
    return taken;
}

/* A new value that nothing computes yet, like another one except for its type. */
NNRT__FN uint32_t nnrt__ir_add_value(nnrt__ir *ir, uint32_t like, OH_NN_DataType dtype) {
    nnrt__ir_value *value = &ir->values[ir->value_count];
    NNRT_ASSERT(ir->value_count < ir->value_capacity && like < ir->value_count);
    *value = ir->values[like];
    value->dtype = dtype;
    value->data = value->first = NULL;
    value->owned = NULL;
    value->input = value->output = value->producer = value->alias = value->form = value->mark = NNRT__NONE;
    value->uses = 0;
    value->known = false;
    return ir->value_count++;
}

/* A constant of integers for an operator. data: static, or owned by the IR. */
NNRT__FN uint32_t nnrt__ir_add_ints(nnrt__ir *ir, const int32_t *data, uint32_t count) {
    const uint32_t i = ir->value_count++;
    nnrt__ir_value *value = &ir->values[i];
    NNRT_ASSERT(i < ir->value_capacity && count >= 1);
    memset(value, 0, sizeof(*value));
    value->name = "";
    value->dtype = OH_NN_INT32;
    value->rank = 1;
    value->dims[0] = (int32_t)count;
    value->count = count;
    value->size = count * sizeof(*data);
    value->data = data;
    value->known = true;
    value->input = value->output = value->producer = value->alias = value->form = value->mark = NNRT__NONE;
    return i;
}

/* Inserts node i before another one, or at the end (NNRT__NONE). */
NNRT__FN void nnrt__ir_link(nnrt__ir *ir, uint32_t i, uint32_t before) {
    nnrt__ir_node *node = &ir->nodes[i];
    node->next = before;
    node->previous = before == NNRT__NONE ? ir->last : ir->nodes[before].previous;
    if (node->previous == NNRT__NONE) ir->first = i;
    else ir->nodes[node->previous].next = i;
    if (before == NNRT__NONE) ir->last = i;
    else ir->nodes[before].previous = i;
}

/* Makes value input k of node i, in place of the present one. */
NNRT__FN void nnrt__ir_set_input(nnrt__ir *ir, uint32_t i, uint32_t k, uint32_t value) {
    uint32_t *input = &ir->nodes[i].inputs[k];
    NNRT_ASSERT(k < ir->nodes[i].input_count && value < ir->value_count && ir->values[*input].uses >= 1);
    ir->values[*input].uses--;
    ir->values[value].uses++;
    *input = value;
}

/* Makes value output k of node i. */
NNRT__FN void nnrt__ir_set_output(nnrt__ir *ir, uint32_t i, uint32_t k, uint32_t value) {
    NNRT_ASSERT(k < ir->nodes[i].output_count && value < ir->value_count);
    ir->nodes[i].outputs[k] = value;
    ir->values[value].producer = i;
}

/* Bytes to reserve for nnrt__ir_add_node. */
#define NNRT__IR_NODE_BYTES(inputs) (NNRT__IR_BYTES(inputs, uint32_t) + NNRT__IR_BYTES(1, uint32_t))

/* Adds an operator with one output, on behalf of operator number `origin`. */
NNRT__FN uint32_t nnrt__ir_add_node(nnrt__ir *ir, uint32_t before, OH_NN_OperationType op, uint32_t origin,
                                    const uint32_t *inputs, uint32_t input_count, uint32_t output) {
    const uint32_t i = ir->node_count++;
    nnrt__ir_node *node = &ir->nodes[i];
    uint32_t k;
    NNRT_ASSERT(i < ir->node_capacity);
    memset(node, 0, sizeof(*node));
    node->op = op;
    node->origin = origin;
    node->input_count = input_count;
    node->output_count = 1;
    node->inputs = (uint32_t *)nnrt__ir_take(ir, input_count, sizeof(uint32_t));
    node->outputs = (uint32_t *)nnrt__ir_take(ir, 1, sizeof(uint32_t));
    for (k = 0; k < input_count; k++) {
        node->inputs[k] = inputs[k];
        ir->values[inputs[k]].uses++;
    }
    nnrt__ir_set_output(ir, i, 0, output);
    nnrt__ir_link(ir, i, before);
    return i;
}

/* Removes input k of node i; later inputs move up. */
NNRT__FN void nnrt__ir_remove_input(nnrt__ir *ir, uint32_t i, uint32_t k) {
    nnrt__ir_node *node = &ir->nodes[i];
    NNRT_ASSERT(k < node->input_count && ir->values[node->inputs[k]].uses >= 1);
    ir->values[node->inputs[k]].uses--;
    for (node->input_count--; k < node->input_count; k++) node->inputs[k] = node->inputs[k + 1];
}

/* Bytes to reserve for nnrt__ir_add_cast. */
#define NNRT__IR_CAST_BYTES (NNRT__IR_NODE_BYTES(1) + NNRT__IR_BYTES(2, nnrt_param) + NNRT__IR_BYTES(2, int64_t))

/* Adds a QUANT_DTYPE_CAST from one value to another. */
NNRT__FN void nnrt__ir_add_cast(nnrt__ir *ir, uint32_t before, uint32_t origin, uint32_t from, uint32_t to) {
    const uint32_t cast = nnrt__ir_add_node(ir, before, OH_NN_OPS_QUANT_DTYPE_CAST, origin, &from, 1, to);
    int64_t *types = (int64_t *)nnrt__ir_take(ir, 2, sizeof(*types));
    nnrt_param *params = (nnrt_param *)nnrt__ir_take(ir, 2, sizeof(*params));
    uint32_t k;
    types[0] = (int64_t)ir->values[from].dtype;
    types[1] = (int64_t)ir->values[to].dtype;
    for (k = 0; k < 2; k++) {
        params[k].type = k == 0 ? OH_NN_QUANT_DTYPE_CAST_SRC_T : OH_NN_QUANT_DTYPE_CAST_DST_T;
        params[k].dtype = OH_NN_INT64;
        params[k].count = 1;
        params[k].data = &types[k];
    }
    ir->nodes[cast].params = params;
    ir->nodes[cast].param_count = 2;
}

/* Removes node i: its operands lose a reader, its outputs their producer. */
NNRT__FN void nnrt__ir_erase(nnrt__ir *ir, uint32_t i) {
    nnrt__ir_node *node = &ir->nodes[i];
    uint32_t k;
    NNRT_ASSERT(i < ir->node_count && !node->erased);
    if (node->previous == NNRT__NONE) ir->first = node->next;
    else ir->nodes[node->previous].next = node->next;
    if (node->next == NNRT__NONE) ir->last = node->previous;
    else ir->nodes[node->next].previous = node->previous;
    for (k = 0; k < node->input_count; k++) {
        NNRT_ASSERT(ir->values[node->inputs[k]].uses >= 1);
        ir->values[node->inputs[k]].uses--;
    }
    for (k = 0; k < node->output_count; k++)
        if (ir->values[node->outputs[k]].producer == i) ir->values[node->outputs[k]].producer = NNRT__NONE;
    node->erased = true;
}

#endif /* NNRT_CPU_IR_EDIT_H */
