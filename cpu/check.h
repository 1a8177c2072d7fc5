/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/check.h - which operators of a graph Build would refuse, found by compiling it.   >>cpu_check

   There is no second set of rules: the graph is compiled, and the plan thrown away. Build stops at the first refusal;
   this caller reports each refusal, goes on after it with the declared shapes, and keeps nothing. */
#ifndef NNRT_CPU_CHECK_H
#define NNRT_CPU_CHECK_H

#include "prepared.h"

/* Every operator is refused, for the reason that the sentence gives. */
NNRT__FN void nnrt__refuse_all(nnrt__refusals *refusals, const nnrt_graph *graph) {
    uint32_t i;
    for (i = 0; i < graph->node_count; i++) refusals->refuse(refusals->user, i, nnrt__sentence());
}

/* What Build checks of each operator before it compiles. true: one is refused. */
NNRT__FN bool nnrt__refuse_unsupported(void *device, const nnrt_graph *graph, const nnrt__refusals *refusals) {
    bool refused = false;
    uint32_t i;
    for (i = 0; i < graph->node_count; i++) {
        if (nnrt__cpu_supports(device, graph, i) == OH_NN_SUCCESS) continue;
        refusals->refuse(refusals->user, i, nnrt__sentence());
        refused = true;
    }
    return refused;
}

/* Slot check_graph. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_check_graph(void *device, const nnrt_graph *graph, nnrt_refuse_callback refuse,
                                                void *user) {
    nnrt__cpu_prepared *model;
    nnrt__refusals refusals;
    nnrt_request request;
    OH_NN_ReturnCode code;
    bool refused = false;
    memset(&request, 0, sizeof(request));
    refusals.refuse = refuse;
    refusals.user = user;
    refusals.count = 0;
    code = nnrt__cpu_new(device, &request, &model);
    if (code == OH_NN_SUCCESS) {
        refused = nnrt__refuse_unsupported(device, graph, &refusals);
        model->recipe->options.refusals = &refusals;
        code = nnrt__cpu_compile(model, graph);
        nnrt__cpu_release(model);
    }
    if (code == OH_NN_MEMORY_ERROR) return code;
    if (code != OH_NN_SUCCESS && refusals.count == 0) nnrt__refuse_all(&refusals, graph); /* no operator is to blame */
    return code == OH_NN_SUCCESS && !refused ? OH_NN_SUCCESS : OH_NN_FAILED;
}

#endif /* NNRT_CPU_CHECK_H */
