/* SPDX-License-Identifier: Apache-2.0 */
/* core/graph.h - graphs with the table of operators, or, with NNRT_PLANS_ONLY, neither.   >>graph */
#ifndef NNRT_CORE_GRAPH_H
#define NNRT_CORE_GRAPH_H

#ifndef NNRT_PLANS_ONLY
#include "graph_store.h"
#else
#include "graph_none.h"
#endif

#endif /* NNRT_CORE_GRAPH_H */
