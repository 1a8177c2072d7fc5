/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/values.h - which inputs' values must be known before a model can be compiled.
   >>cpu_values

   Axes, the shape of a RESHAPE, the k of a TOP_K: inference reads the values of some operands (flags of nnrt__cpu_op).
   Most are constants. Those computed from the shapes of other tensors are folded before they are needed. If they come
   from inputs of the model, the model is dynamic: it is compiled in a run, with the contents of these inputs as
   constants, and the executor keeps the plan for the next run with the same values. */
#ifndef NNRT_CPU_VALUES_H
#define NNRT_CPU_VALUES_H

#include "compiled.h"
#include "ir.h"

/* The origin of a tensor: the number of a node, or one of these. */
#define NNRT__FROM_INPUT 0x80000000u /* + the number of the model input */
#define NNRT__FROM_STATE 0xfffffffeu
#define NNRT__FROM_NOWHERE 0xffffffffu

/* A search from operands back to model inputs. */
typedef struct nnrt__values {
    const nnrt_graph *graph;
    uint32_t *from;  /* [tensor_count] */
    uint32_t *open;  /* [tensor_count]: tensors whose values are needed, origin not yet followed */
    uint32_t *asked; /* [tensor_count]: 1: was in open */
    uint32_t open_count;
    uint32_t *givers; /* nnrt__cpu_prepared */
} nnrt__values;

/* Does inference for node read the values of input i? CROP uses only the shape of a second input that has the rank of
   the first. */
NNRT__FN bool nnrt__values_read(const nnrt_graph *graph, const nnrt_node *node, uint32_t i) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    if (row == NULL || !nnrt__ir_reads_values(row, node->input_count, i)) return false;
    return node->op != OH_NN_OPS_CROP || graph->tensors[node->inputs[0]].rank != graph->tensors[node->inputs[1]].rank;
}

/* Does node have an operand whose values are needed and that is not constant? */
NNRT__FN bool nnrt__values_wanted(const nnrt_graph *graph, const nnrt_node *node) {
    uint32_t i;
    for (i = 0; i < node->input_count; i++)
        if (graph->tensors[node->inputs[i]].data == NULL && nnrt__values_read(graph, node, i)) return true;
    return false;
}

NNRT__FN OH_NN_ReturnCode nnrt__values_open(nnrt__values *values, const nnrt_graph *graph, uint32_t *givers) {
    const uint32_t count = graph->tensor_count;
    uint32_t i, k;
    values->graph = graph;
    values->givers = givers;
    values->open_count = 0;
    values->from = (uint32_t *)nnrt__alloc_zero(count, 3 * sizeof(uint32_t));
    if (values->from == NULL) return nnrt__fail_memory();
    values->open = values->from + count;
    values->asked = values->open + count;
    for (i = 0; i < count; i++) values->from[i] = NNRT__FROM_NOWHERE;
    for (i = 0; i < graph->node_count; i++)
        for (k = 0; k < graph->nodes[i].output_count; k++) values->from[graph->nodes[i].outputs[k]] = i;
    for (i = 0; i < graph->input_count; i++) values->from[graph->inputs[i]] = NNRT__FROM_INPUT + i;
    for (i = 0; i < graph->state_count; i++) values->from[graph->states[i].tensor] = NNRT__FROM_STATE;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__values_close(nnrt__values *values) { nnrt__free(values->from); }

NNRT__FN void nnrt__values_ask(nnrt__values *values, uint32_t tensor) {
    if (values->asked[tensor] != 0) return;
    values->asked[tensor] = 1;
    values->open[values->open_count++] = tensor;
}

NNRT__FN OH_NN_ReturnCode nnrt__values_refuse(const nnrt__values *values, const nnrt_node *node, const char *reason) {
    const char *output = node->output_count != 0 ? values->graph->tensors[node->outputs[0]].name : "";
    return nnrt__fail(
        OH_NN_UNSUPPORTED,
        "%s (output \"%.60s\"): the input that gives the axes, shape or range %s; it can be a constant, a "
        "short model input, or computed from these and from shapes",
        nnrt__op_name((int)node->op), output, reason);
}

/* Marks model input i as one whose values are needed. NULL, or why that is not possible. */
NNRT__FN const char *nnrt__values_give(nnrt__values *values, uint32_t i) {
    const nnrt_tensor_info *tensor = &values->graph->tensors[values->graph->inputs[i]];
    size_t bytes = nnrt__element_size(tensor->dtype);
    uint32_t k;
    for (k = 0; k < tensor->rank; k++)
        if (tensor->dims[k] > 0 && !nnrt__mul_size(bytes, (size_t)tensor->dims[k], &bytes)) bytes = SIZE_MAX;
    if (bytes > NNRT__VALUES_MOST) return "depends on a model input of more than 1 KiB";
    values->givers[i / 32] |= 1u << i % 32;
    return NULL;
}

/* Traces the values that node needs back to their origin. OH_NN_UNSUPPORTED: no run can know them before shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__values_follow(nnrt__values *values, const nnrt_node *node) {
    const nnrt_graph *graph = values->graph;
    const char *reason = NULL;
    uint32_t i;
    for (i = 0; i < node->input_count; i++)
        if (nnrt__values_read(graph, node, i)) nnrt__values_ask(values, node->inputs[i]);
    while (values->open_count != 0 && reason == NULL) {
        const uint32_t tensor = values->open[--values->open_count], from = values->from[tensor];
        const nnrt__cpu_op *row;
        if (from == NNRT__FROM_STATE) reason = "is state, which every run changes";
        if (from >= NNRT__FROM_STATE || graph->tensors[tensor].data != NULL) continue;
        if (from >= NNRT__FROM_INPUT) {
            reason = nnrt__values_give(values, from - NNRT__FROM_INPUT);
            continue;
        }
        if (nnrt__ir_asks_shape(graph->nodes[from].op)) continue;
        row = nnrt__cpu_op_find(graph->nodes[from].op);
        if (row == NULL || (row->flags & NNRT__CPU_HEAVY) != 0)
            reason = "depends on an operator that is not computed before shapes are known";
        for (i = 0; i < graph->nodes[from].input_count; i++) nnrt__values_ask(values, graph->nodes[from].inputs[i]);
    }
    return reason == NULL ? OH_NN_SUCCESS : nnrt__values_refuse(values, node, reason);
}

/* Finds the model inputs whose values the operators of graph need, or those of `only` when it is not NULL: their bits
   in givers are set. */
NNRT__FN OH_NN_ReturnCode nnrt__values_find(const nnrt_graph *graph, const nnrt_node *only, uint32_t *givers) {
    nnrt__values values;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    memset(&values, 0, sizeof(values));
    for (i = 0; code == OH_NN_SUCCESS && i < graph->node_count; i++) {
        const nnrt_node *node = &graph->nodes[i];
        if ((only != NULL && node != only) || !nnrt__values_wanted(graph, node)) continue;
        if (values.from == NULL) code = nnrt__values_open(&values, graph, givers);
        if (code == OH_NN_SUCCESS) code = nnrt__values_follow(&values, node);
    }
    nnrt__values_close(&values);
    return code;
}

#endif /* NNRT_CPU_VALUES_H */
