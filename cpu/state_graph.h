/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/state_graph.h - a graph with state as one without: each state is an input and an output more.   >>cpu_state_graph

   What is compiled knows no state: it reads inputs and writes outputs. The executor gives it, behind those of the
   program, the contents of each state and room for the next ones (cpu/state.h). So a run that fails has changed
   nothing, and whatever is true of inputs and outputs, when they are written, that they may be constants or one
   another, is true of states without another line. */
#ifndef NNRT_CPU_STATE_GRAPH_H
#define NNRT_CPU_STATE_GRAPH_H

#include "../core/graph.h"

typedef struct nnrt__state_graph {
    nnrt_graph graph; /* states are the last state_count of the inputs and of the outputs */
    uint32_t *ends;   /* NULL: there is no state */
} nnrt__state_graph;

NNRT__FN void nnrt__state_graph_close(nnrt__state_graph *with) { nnrt__free(with->ends); }

/* To be closed after OH_NN_SUCCESS only; graph has to live as long. */
NNRT__FN OH_NN_ReturnCode nnrt__state_graph_open(nnrt__state_graph *with, const nnrt_graph *graph) {
    const uint32_t states = graph->state_count, inputs = graph->input_count + states;
    uint32_t i;
    with->graph = *graph;
    with->ends = NULL;
    if (states == 0) return OH_NN_SUCCESS;
    with->ends = (uint32_t *)nnrt__alloc((size_t)(inputs + graph->output_count + states) * sizeof(uint32_t));
    if (with->ends == NULL) return nnrt__fail_memory();
    memcpy(with->ends, graph->inputs, graph->input_count * sizeof(uint32_t));
    memcpy(with->ends + inputs, graph->outputs, graph->output_count * sizeof(uint32_t));
    for (i = 0; i < states; i++) {
        with->ends[graph->input_count + i] = graph->states[i].tensor;
        with->ends[inputs + graph->output_count + i] = graph->states[i].next;
    }
    with->graph.inputs = with->ends;
    with->graph.outputs = with->ends + inputs;
    with->graph.input_count += states;
    with->graph.output_count += states;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_STATE_GRAPH_H */
