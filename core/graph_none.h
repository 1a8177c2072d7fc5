/* SPDX-License-Identifier: Apache-2.0 */
/* core/graph_none.h - in place of graph_store.h and optable.h with NNRT_PLANS_ONLY: no graph is ever made.
   >>graph_none */
#ifndef NNRT_CORE_GRAPH_NONE_H
#define NNRT_CORE_GRAPH_NONE_H

#include "log.h"

/* The refusal of everything that needs a graph or an uncompiled model. */
#define NNRT__PLANS_ONLY_TEXT "this build runs plans only (NNRT_PLANS_ONLY): compile the model with `nnrt compile`"

typedef struct nnrt__graph_store nnrt__graph_store; /* none is ever made: every pointer to one is NULL */

NNRT__FN bool nnrt__graph_store_here(const nnrt__graph_store *store) {
    (void)store;
    return false;
}
NNRT__FN void nnrt__graph_store_retain(nnrt__graph_store *store) { (void)store; }
NNRT__FN void nnrt__graph_store_release(nnrt__graph_store *store) { (void)store; }
NNRT__FN size_t nnrt__graph_store_bytes(const nnrt__graph_store *store) {
    (void)store;
    return 0;
}
NNRT__FN const nnrt_graph *nnrt__graph_store_graph(const nnrt__graph_store *store) {
    (void)store;
    return NULL;
}
NNRT__FN bool nnrt__graph_store_complete(const nnrt__graph_store *store) {
    (void)store;
    return false;
}

/* The operator's name in profiles. */
NNRT__FN const char *nnrt__op_name(int op) {
    (void)op;
    return "";
}

#endif /* NNRT_CORE_GRAPH_NONE_H */
