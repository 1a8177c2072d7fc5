/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/single_graph.h - one operator as a graph of its own: to infer it alone, or to compute it at Build.
   >>cpu_single_graph

   The operands are tensors of the little graph, numbered as the operator has them: first its inputs, then its outputs,
   also where the operator names one tensor twice. */
#ifndef NNRT_CPU_SINGLE_GRAPH_H
#define NNRT_CPU_SINGLE_GRAPH_H

#include "../core/error.h"

typedef struct nnrt__single_graph {
    nnrt_graph graph;
    nnrt_node node;
    nnrt_tensor_info *tensors; /* all zeros to begin with; room for one more */
    uint32_t *indices, *inputs;
} nnrt__single_graph;

NNRT__FN void nnrt__single_graph_close(nnrt__single_graph *single) {
    nnrt__free(single->indices);
    nnrt__free(single->tensors);
}

/* Operator and parameters are those of node, which stay its own. To be closed after OH_NN_SUCCESS only. */
NNRT__FN OH_NN_ReturnCode nnrt__single_graph_open(nnrt__single_graph *single, const nnrt_node *node) {
    const uint32_t count = node->input_count + node->output_count + 1;
    uint32_t i;
    memset(single, 0, sizeof(*single));
    single->tensors = (nnrt_tensor_info *)nnrt__alloc_zero(count, sizeof(nnrt_tensor_info));
    single->indices = (uint32_t *)nnrt__alloc_zero(2 * (size_t)count, sizeof(uint32_t));
    if (single->tensors == NULL || single->indices == NULL) {
        nnrt__single_graph_close(single);
        return nnrt__fail_memory();
    }
    for (i = 0; i < count; i++) single->indices[i] = i;
    single->node = *node;
    single->node.inputs = single->indices;
    single->node.outputs = single->indices + node->input_count;
    single->inputs = single->indices + count;
    single->graph.tensor_count = count - 1;
    single->graph.node_count = 1;
    single->graph.output_count = node->output_count;
    single->graph.tensors = single->tensors;
    single->graph.nodes = &single->node;
    single->graph.inputs = single->inputs;
    single->graph.outputs = single->node.outputs;
    return OH_NN_SUCCESS;
}

/* Tensor i is an input of the graph. For each at most once. */
NNRT__FN void nnrt__single_graph_input(nnrt__single_graph *single, uint32_t i) {
    single->inputs[single->graph.input_count++] = i;
}

/* An input that nobody reads, one byte: a graph has an input. At most once. */
NNRT__FN void nnrt__single_graph_idle_input(nnrt__single_graph *single) {
    static const int32_t one = 1;
    nnrt_tensor_info *idle = &single->tensors[single->graph.tensor_count];
    idle->name = "";
    idle->dtype = OH_NN_INT8;
    idle->rank = 1;
    idle->dims = &one;
    nnrt__single_graph_input(single, single->graph.tensor_count++);
}

#endif /* NNRT_CPU_SINGLE_GRAPH_H */
