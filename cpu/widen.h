/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/widen.h - float16 is how numbers are stored: operators compute in float32.   >>cpu_widen

   A graph with float16 tensors is compiled as one with casts: an operator that computes reads a float32 form of each,
   and what it writes is rounded to float16 behind it. What only moves elements (NNRT__CPU_ANY_TYPE) takes them as they
   are. Constants are widened at Build (cpu/fold.h). */
#ifndef NNRT_CPU_WIDEN_H
#define NNRT_CPU_WIDEN_H

#include "ir_build.h"

/* What is compiled: the graph itself, or one that refers to its tensors. */
typedef struct nnrt__widened {
    nnrt_graph graph;
    nnrt_tensor_info
        *tensors;      /* those of the graph, their float32 forms, and the type of casts; NULL: nothing widens */
    nnrt_node *nodes;  /* those of the graph, then casts */
    uint32_t *links;   /* operands of what changed */
    uint32_t *read_as; /* per tensor of the graph: its float32 form, or NNRT__NONE */
} nnrt__widened;

NNRT__FN bool nnrt__widens(const nnrt_graph *graph, const nnrt_node *node) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    uint32_t k;
    if (row == NULL || (row->flags & NNRT__CPU_ANY_TYPE) != 0) return false;
    for (k = 0; k < node->input_count; k++)
        if (graph->tensors[node->inputs[k]].dtype == OH_NN_FLOAT16) return true;
    for (k = 0; k < node->output_count; k++)
        if (graph->tensors[node->outputs[k]].dtype == OH_NN_FLOAT16) return true;
    return false;
}

NNRT__FN void nnrt__widened_close(nnrt__widened *wide) {
    nnrt__free(wide->tensors);
    nnrt__free(wide->nodes);
    nnrt__free(wide->links);
    nnrt__free(wide->read_as);
}

/* A float32 form of tensor i. */
NNRT__FN uint32_t nnrt__widened_add_tensor(nnrt__widened *wide, uint32_t i) {
    nnrt_tensor_info *tensor = &wide->tensors[wide->graph.tensor_count];
    *tensor = wide->tensors[i];
    tensor->dtype = OH_NN_FLOAT32;
    tensor->data = NULL;
    tensor->data_size = 0;
    return wide->graph.tensor_count++;
}

/* to = the cast of from, as type says. links: room for three. */
NNRT__FN void nnrt__widened_add_cast(nnrt__widened *wide, uint32_t from, uint32_t type, uint32_t to, uint32_t *links) {
    nnrt_node *cast = &wide->nodes[wide->graph.node_count++];
    links[0] = from;
    links[1] = type;
    links[2] = to;
    cast->op = OH_NN_OPS_CAST;
    cast->input_count = 2;
    cast->output_count = 1;
    cast->inputs = links;
    cast->outputs = links + 2;
}

/* Gives node its operands in float32. Returns the links behind those that it took. */
NNRT__FN uint32_t *nnrt__widened_take_node(nnrt__widened *wide, nnrt_node *node, uint32_t type, uint32_t *links) {
    uint32_t *inputs = links, *outputs = links + node->input_count, *next = outputs + node->output_count, k;
    for (k = 0; k < node->input_count; k++) {
        const uint32_t i = node->inputs[k];
        inputs[k] = i;
        if (wide->tensors[i].dtype != OH_NN_FLOAT16) continue;
        if (wide->read_as[i] == NNRT__NONE) {
            wide->read_as[i] = nnrt__widened_add_tensor(wide, i);
            nnrt__widened_add_cast(wide, i, type, wide->read_as[i], next);
            next += 3;
        }
        inputs[k] = wide->read_as[i];
    }
    for (k = 0; k < node->output_count; k++) {
        const uint32_t i = node->outputs[k];
        outputs[k] = i;
        if (wide->tensors[i].dtype != OH_NN_FLOAT16) continue;
        outputs[k] = nnrt__widened_add_tensor(wide, i);
        nnrt__widened_add_cast(wide, outputs[k], type, i, next);
        next += 3;
    }
    node->inputs = inputs;
    node->outputs = outputs;
    return next;
}

/* To be closed after OH_NN_SUCCESS only; the graph has to live as long. */
NNRT__FN OH_NN_ReturnCode nnrt__widened_open(nnrt__widened *wide, const nnrt_graph *graph) {
    static const int32_t declared = 0, one = 1; /* CAST: to the declared type of its output */
    size_t operands = 0;
    uint32_t *links, type, i;
    memset(wide, 0, sizeof(*wide));
    wide->graph = *graph;
    if (graph->node_count > NNRT__IR_MAX_NODES || graph->tensor_count > NNRT__IR_MAX_VALUES) return OH_NN_SUCCESS;
    for (i = 0; i < graph->node_count; i++)
        if (nnrt__widens(graph, &graph->nodes[i]))
            operands += (size_t)graph->nodes[i].input_count + graph->nodes[i].output_count; /* at most 400 each */
    if (operands == 0) return OH_NN_SUCCESS;
    if (!nnrt__op_is_chosen(OH_NN_OPS_CAST))
        return nnrt__fail(OH_NN_UNSUPPORTED, "the model has float16 tensors: its NNRT_OPS needs CAST, too");
    wide->tensors = (nnrt_tensor_info *)nnrt__alloc_zero(graph->tensor_count + operands + 1, sizeof(nnrt_tensor_info));
    wide->nodes = (nnrt_node *)nnrt__alloc_zero(graph->node_count + operands, sizeof(nnrt_node));
    wide->links = (uint32_t *)nnrt__alloc_zero(4 * operands, sizeof(uint32_t));
    wide->read_as = (uint32_t *)nnrt__alloc_zero(graph->tensor_count, sizeof(uint32_t));
    if (wide->tensors == NULL || wide->nodes == NULL || wide->links == NULL || wide->read_as == NULL) {
        nnrt__widened_close(wide);
        return nnrt__fail_memory();
    }
    for (i = 0; i < graph->tensor_count; i++) {
        wide->tensors[i] = graph->tensors[i];
        wide->read_as[i] = NNRT__NONE;
    }
    type = wide->graph.tensor_count++;
    wide->tensors[type].name = "";
    wide->tensors[type].dtype = OH_NN_INT32;
    wide->tensors[type].rank = 1;
    wide->tensors[type].dims = &one;
    wide->tensors[type].data = &declared;
    wide->tensors[type].data_size = sizeof(declared);
    links = wide->links;
    for (i = 0; i < graph->node_count; i++) wide->nodes[i] = graph->nodes[i];
    for (i = 0; i < graph->node_count; i++)
        if (nnrt__widens(graph, &graph->nodes[i])) links = nnrt__widened_take_node(wide, &wide->nodes[i], type, links);
    wide->graph.tensors = wide->tensors;
    wide->graph.nodes = wide->nodes;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_WIDEN_H */
