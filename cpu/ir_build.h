/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_build.h - from the graph to the IR: order of execution, concrete shapes.   >>cpu_ir_build

   The graph may be anything that passed the operator table: nodes in any order, cycles, tensors produced twice, inputs
   that nothing provides. All of that is refused here, so that passes and lowering see a sound graph. */
#ifndef NNRT_CPU_IR_BUILD_H
#define NNRT_CPU_IR_BUILD_H

#include "ir_edit.h"
#include "ops.h"
#ifndef NNRT_NO_SENTENCES
#include "ir_sentences.h"
#else
#include "ir_unsaid.h"
#endif

#define NNRT__IR_MAX_VALUE_BYTES 1073741824u

NNRT__FN bool nnrt__ir_constant_ints(const nnrt__ir_value *value, int64_t *out, uint32_t capacity, uint32_t *count) {
    uint32_t i;
    if (value->data == NULL || value->count > capacity || value->dtype == OH_NN_BOOL) return false;
    for (i = 0; i < value->count; i++) {
        const double real = nnrt__ir_real(value, i);
        if (nnrt__is_integer(value->dtype)) {
            out[i] = nnrt__read_integer(value->dtype, value->data, i);
        } else {
            if (!(real > -9007199254740992.0 && real < 9007199254740992.0)) return false;
            out[i] = nnrt__int_of_real(real);
            if (nnrt__real_of_int(out[i]) != real) return false;
        }
    }
    *count = (uint32_t)value->count;
    return true;
}

/* Sets count and size from dims, which are all known. NULL, or why the shape is impossible. */
NNRT__FN const char *nnrt__ir_measure(nnrt__ir_value *value) {
    size_t count = 1, size;
    uint32_t i;
    for (i = 0; i < value->rank; i++) {
        if (value->dims[i] < 1) return "a dimension of the result is below 1";
        if (!nnrt__mul_size(count, (size_t)value->dims[i], &count)) return "the result is too large";
    }
    if (!nnrt__mul_size(count, nnrt__element_size(value->dtype), &size) || size > NNRT__IR_MAX_VALUE_BYTES)
        return "the result is larger than 1 GiB";
    if (size == 0) return "the result has no data type";
    value->count = count;
    value->size = size;
    value->known = true;
    return NULL;
}

NNRT__FN OH_NN_ReturnCode nnrt__ir_set_shape(nnrt__ir *ir, const nnrt__ir_node *node, uint32_t i, uint32_t rank,
                                             const int32_t *dims) {
    nnrt__ir_value *value = nnrt__ir_out(ir, node, i);
    const char *reason;
    uint32_t at;
    if (rank > NNRT_MAX_RANK) return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the result has more than 10 dimensions");
    if (value->rank != rank) {
        /* A rank-0 result and [1] are the same; an output declared without a shape accepts any. */
        bool declared_one = value->rank == 0 || (value->rank == 1 && (value->dims[0] == 1 || value->dims[0] == -1));
        bool inferred_one = rank == 0 || (rank == 1 && dims[0] == 1);
        if (!(declared_one && inferred_one) && value->rank != 0)
            return nnrt__ir_fail_declared(ir, node, value, rank, dims);
        if (value->rank != 0) {
            value->dims[0] = 1;
        } else {
            value->rank = rank;
            for (at = 0; at < rank; at++) value->dims[at] = dims[at];
        }
    } else {
        for (at = 0; at < rank; at++)
            if (value->dims[at] != -1 && value->dims[at] != dims[at])
                return nnrt__ir_fail_declared(ir, node, value, rank, dims);
        for (at = 0; at < rank; at++) value->dims[at] = dims[at];
    }
    reason = nnrt__ir_measure(value);
    if (reason != NULL) return nnrt__ir_fail(ir, node, OH_NN_FAILED, reason);
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__ir_init(nnrt__ir *ir) {
    memset(ir, 0, sizeof(*ir));
    ir->first = ir->last = NNRT__NONE;
}

NNRT__FN void nnrt__ir_free(nnrt__ir *ir) {
    uint32_t i;
    for (i = 0; i < ir->value_count && ir->values != NULL; i++) nnrt__free(ir->values[i].owned);
    while (ir->pieces != NULL) {
        nnrt__ir_piece *piece = ir->pieces;
        ir->pieces = piece->next;
        nnrt__free(piece);
    }
    nnrt__free(ir->values);
    nnrt__free(ir->nodes);
    nnrt__ir_init(ir);
}

/* Does a tensor have quantization parameters that mean something? An operator's parameter is never quantized, whatever
   it was given: OpenHarmony's TFLite delegate gives each such list a scale of 0.0. On an operand of a type that is
   never quantized a scale of 0.0 likewise means none, as in TensorFlow Lite; OpenHarmony itself passes all scales on
   unread. */
NNRT__FN bool nnrt__ir_quant_counts(const nnrt_tensor_info *tensor) {
    const nnrt_quant *quant = &tensor->quant;
    uint32_t i;
    if (tensor->type != OH_NN_TENSOR) return false;
    if (tensor->dtype == OH_NN_INT8 || tensor->dtype == OH_NN_UINT8 || tensor->dtype == OH_NN_INT16) return true;
    for (i = 0; i < quant->count; i++)
        if (quant->scales[i] < 0.0 || quant->scales[i] > 0.0 || quant->scales[i] != quant->scales[i] ||
            quant->zero_points[i] != 0)
            return true;
    return false;
}

/* NULL, or what is wrong with the quantization of a value: scales are positive and finite, zero points of
   the type. */
NNRT__FN const char *nnrt__ir_check_quant(const nnrt__ir_value *value) {
    const nnrt_quant *quant = &value->quant;
    int32_t low = INT32_MIN, high = INT32_MAX;
    uint32_t i;
    if (value->dtype == OH_NN_INT8) low = -128, high = 127;
    if (value->dtype == OH_NN_UINT8) low = 0, high = 255;
    if (value->dtype == OH_NN_INT16) low = -32768, high = 32767;
    for (i = 0; i < quant->count; i++) {
        if (!(quant->scales[i] >= 1e-30) || !(quant->scales[i] <= 1e30))
            return "a quantization scale is not a positive number";
        if (quant->zero_points[i] < low || quant->zero_points[i] > high) return "a zero point is outside its data type";
    }
    return NULL;
}

/* Checks an operand or model input; other tensors may have any quantization. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_take_quant(const nnrt__ir_value *value) {
    const char *reason = nnrt__ir_check_quant(value);
    if (reason == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\": %s", value->name, reason);
}

/* Copies a tensor of the graph into the IR. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_take_value(nnrt__ir *ir, const nnrt_tensor_info *tensor) {
    nnrt__ir_value *value = &ir->values[ir->value_count++];
    uint32_t at;
    NNRT_ASSERT(ir->value_count <= ir->value_capacity);
    memset(value, 0, sizeof(*value));
    if (tensor->rank > NNRT_MAX_RANK)
        return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\" has %u dimensions; the CPU device takes %u", tensor->name,
                          (unsigned)tensor->rank, (unsigned)NNRT_MAX_RANK);
    value->name = tensor->name;
    value->dtype = tensor->dtype;
    value->format = tensor->format;
    value->rank = tensor->rank;
    for (at = 0; at < tensor->rank; at++) value->dims[at] = tensor->dims[at];
    if (nnrt__ir_quant_counts(tensor)) value->quant = tensor->quant;
    value->data = tensor->data;
    value->input = value->output = value->producer = value->alias = value->form = value->mark = NNRT__NONE;
    if (value->data != NULL) {
        const char *reason = nnrt__ir_measure(value);
        if (reason == NULL && value->size != tensor->data_size) reason = "the data has another size than its shape";
        if (reason != NULL) return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\": %s", tensor->name, reason);
    }
    return OH_NN_SUCCESS;
}

/* A state is compiled as one more input and one more output, after those of the program; the executor provides both
   (cpu/state.h). So a failed run changes no state, and the rules for inputs and outputs (when they are written, that
   one may be a constant or another one) need no extra code for states. */
NNRT__FN void nnrt__ir_take_ends(nnrt__ir *ir, const nnrt_graph *graph) {
    uint32_t i;
    ir->state_count = graph->state_count;
    ir->input_count = graph->input_count + graph->state_count;
    ir->output_count = graph->output_count + graph->state_count;
    ir->inputs = (uint32_t *)nnrt__ir_take(ir, ir->input_count, sizeof(uint32_t));
    ir->outputs = (uint32_t *)nnrt__ir_take(ir, ir->output_count, sizeof(uint32_t));
    memcpy(ir->inputs, graph->inputs, graph->input_count * sizeof(uint32_t));
    memcpy(ir->outputs, graph->outputs, graph->output_count * sizeof(uint32_t));
    for (i = 0; i < graph->state_count; i++) {
        ir->inputs[graph->input_count + i] = graph->states[i].tensor;
        ir->outputs[graph->output_count + i] = graph->states[i].next;
    }
}

/* Marks model inputs, with the shapes given, states, and outputs. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_mark_ends(nnrt__ir *ir, const nnrt__shape *shapes) {
    const uint32_t given = ir->input_count - ir->state_count;
    uint32_t i, at;
    for (i = 0; i < ir->input_count; i++) {
        nnrt__ir_value *value = &ir->values[ir->inputs[i]];
        const char *reason;
        if (i >= given) {
            value->first = value->data;
            value->data = NULL;
        }
        /* a constant, or a duplicate */
        if (value->data != NULL || value->input != NNRT__NONE) continue;
        if (shapes != NULL && i < given && shapes[i].rank == value->rank)
            for (at = 0; at < value->rank; at++)
                if (value->dims[at] == -1) value->dims[at] = shapes[i].dims[at];
        if (shapes != NULL && i < given) value->data = shapes[i].values; /* from here on it is a constant */
        if (value->data == NULL) value->input = i;
        reason = nnrt__ir_measure(value);
        if (reason != NULL) return nnrt__fail(OH_NN_FAILED, "model input \"%.60s\": %s", value->name, reason);
    }
    for (i = 0; i < ir->output_count; i++) {
        nnrt__ir_value *value = &ir->values[ir->outputs[i]];
        if (value->output != NNRT__NONE) continue;
        value->output = i;
        value->uses++;
    }
    return OH_NN_SUCCESS;
}

/* Copies an operator of the graph into the IR, behind the others. */
NNRT__FN void nnrt__ir_take_node(nnrt__ir *ir, const nnrt_node *source, uint32_t origin) {
    const uint32_t i = ir->node_count++;
    nnrt__ir_node *node = &ir->nodes[i];
    uint32_t k;
    NNRT_ASSERT(i < ir->node_capacity);
    memset(node, 0, sizeof(*node));
    node->op = source->op;
    node->origin = origin;
    node->params = source->params;
    node->param_count = source->param_count;
    node->input_count = source->input_count;
    node->output_count = source->output_count;
    node->inputs = (uint32_t *)nnrt__ir_take(ir, source->input_count, sizeof(uint32_t));
    node->outputs = (uint32_t *)nnrt__ir_take(ir, source->output_count, sizeof(uint32_t));
    for (k = 0; k < source->input_count; k++) {
        node->inputs[k] = source->inputs[k];
        ir->values[source->inputs[k]].uses++;
    }
    for (k = 0; k < source->output_count; k++) nnrt__ir_set_output(ir, i, k, source->outputs[k]);
    nnrt__ir_link(ir, i, NNRT__NONE);
}

/* Says which node of the graph makes a value, as its producer; each at most once. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_find_producers(nnrt__ir *ir, const nnrt_graph *graph) {
    uint32_t i, k;
    for (i = 0; i < graph->node_count; i++) {
        const nnrt_node *node = &graph->nodes[i];
        for (k = 0; k < node->output_count; k++) {
            nnrt__ir_value *value = &ir->values[node->outputs[k]];
            if (value->producer != NNRT__NONE || value->data != NULL || value->input != NNRT__NONE)
                return nnrt__fail(OH_NN_FAILED, "tensor \"%.60s\" is produced twice, or is constant or a model input",
                                  value->name);
            value->producer = i;
        }
    }
    return OH_NN_SUCCESS;
}

/* Adds the nodes in order of execution (Kahn's algorithm: `waiting` counts the inputs of a node that are not computed
   yet). */
NNRT__FN OH_NN_ReturnCode nnrt__ir_order(nnrt__ir *ir, const nnrt_graph *graph, size_t edges, uint32_t *work) {
    uint32_t *waiting = work;                     /* [node_count] */
    uint32_t *queue = work + graph->node_count;   /* [node_count] */
    uint32_t *first = queue + graph->node_count;  /* [tensor_count]: list of consumers of a tensor, */
    uint32_t *next = first + graph->tensor_count; /* [edges]: as edges chained by next */
    uint32_t *edge_node = next + edges;           /* [edges] */
    uint32_t head = 0, tail = 0, edge = 0, i, k;
    for (i = 0; i < graph->tensor_count; i++) first[i] = NNRT__NONE;
    for (i = 0; i < graph->node_count; i++) {
        const nnrt_node *node = &graph->nodes[i];
        waiting[i] = 0;
        for (k = 0; k < node->input_count; k++) {
            const nnrt__ir_value *value = &ir->values[node->inputs[k]];
            if (value->producer != NNRT__NONE) {
                waiting[i]++;
                edge_node[edge] = i;
                next[edge] = first[node->inputs[k]];
                first[node->inputs[k]] = edge++;
            } else if (value->data == NULL && value->input == NNRT__NONE) {
                return nnrt__fail(OH_NN_FAILED, "%s reads tensor \"%.60s\", which nothing produces",
                                  nnrt__op_name((int)node->op), value->name);
            }
        }
        if (waiting[i] == 0) queue[tail++] = i;
    }
    for (; head < tail; head++) {
        const nnrt_node *source = &graph->nodes[queue[head]];
        nnrt__ir_take_node(ir, source, queue[head]);
        for (k = 0; k < source->output_count; k++)
            for (edge = first[source->outputs[k]]; edge != NNRT__NONE; edge = next[edge])
                if (--waiting[edge_node[edge]] == 0) queue[tail++] = edge_node[edge];
    }
    return head == graph->node_count ? OH_NN_SUCCESS : nnrt__fail(OH_NN_FAILED, "the graph has a cycle");
}

/* Makes the IR with nodes in order, shapes of inputs and constants known. shapes: one per model input, or
   NULL when none is dynamic. On failure the IR is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_build(nnrt__ir *ir, const nnrt_graph *graph, const nnrt__shape *shapes) {
    const size_t ends = (size_t)graph->input_count + graph->output_count + 2 * (size_t)graph->state_count + 2;
    OH_NN_ReturnCode code;
    uint32_t *work = NULL;
    size_t bytes = NNRT__IR_BYTES(ends, uint32_t), edges = 0;
    uint32_t i;
    nnrt__ir_init(ir);
    if (graph->node_count > NNRT__IR_MAX_NODES || graph->tensor_count > NNRT__IR_MAX_VALUES)
        return nnrt__fail(OH_NN_FAILED, "the graph has more than %u operators or %u tensors",
                          (unsigned)NNRT__IR_MAX_NODES, (unsigned)NNRT__IR_MAX_VALUES);
    for (i = 0; i < graph->node_count; i++) {
        edges += graph->nodes[i].input_count; /* at most 200 each */
        bytes += NNRT__IR_BYTES(graph->nodes[i].input_count, uint32_t) +
                 NNRT__IR_BYTES(graph->nodes[i].output_count, uint32_t);
    }
    code = nnrt__ir_reserve(ir, graph->tensor_count, graph->node_count, bytes);
    for (i = 0; code == OH_NN_SUCCESS && i < graph->tensor_count; i++)
        code = nnrt__ir_take_value(ir, &graph->tensors[i]);
    if (code == OH_NN_SUCCESS) {
        nnrt__ir_take_ends(ir, graph);
        code = nnrt__ir_mark_ends(ir, shapes);
    }
    if (code == OH_NN_SUCCESS) code = nnrt__ir_find_producers(ir, graph);
    if (code == OH_NN_SUCCESS) {
        work = (uint32_t *)nnrt__alloc((2 * (size_t)graph->node_count + graph->tensor_count + 2 * edges) *
                                       sizeof(uint32_t));
        code = work != NULL ? nnrt__ir_order(ir, graph, edges, work) : nnrt__fail_memory();
    }
    nnrt__free(work);
    if (code != OH_NN_SUCCESS) nnrt__ir_free(ir);
    return code;
}

/* Makes the IR of one operator of a graph, with a separate value for each operand, even if it names one tensor twice;
   operands that are not constant become inputs. On failure the IR is empty. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_build_alone(nnrt__ir *ir, const nnrt_graph *graph, const nnrt_node *node) {
    const uint32_t inputs = node->input_count, count = inputs + node->output_count;
    OH_NN_ReturnCode code;
    nnrt_node alone = *node;
    uint32_t *numbers, i;
    nnrt__ir_init(ir);
    code = nnrt__ir_reserve(ir, count, 1, 2 * NNRT__IR_BYTES((size_t)count + 2, uint32_t));
    for (i = 0; code == OH_NN_SUCCESS && i < count; i++)
        code = nnrt__ir_take_value(ir, &graph->tensors[i < inputs ? node->inputs[i] : node->outputs[i - inputs]]);
    if (code == OH_NN_SUCCESS) {
        numbers = (uint32_t *)nnrt__ir_take(ir, count, sizeof(uint32_t));
        for (i = 0; i < count; i++) numbers[i] = i;
        ir->inputs = numbers;
        alone.inputs = numbers;
        ir->input_count = inputs;
        alone.outputs = numbers + inputs;
        code = nnrt__ir_mark_ends(ir, NULL); /* also fails on a shape that is not known yet */
    }
    if (code == OH_NN_SUCCESS) nnrt__ir_take_node(ir, &alone, 0);
    else nnrt__ir_free(ir);
    return code;
}

/* Reports, if asked to, that node is refused; the sentence says why. */
NNRT__FN void nnrt__refuse(nnrt__refusals *refusals, const nnrt__ir_node *node) {
    refusals->count++;
    refusals->refuse(refusals->user, node->origin, nnrt__sentence());
}

/* Can the shapes of node be inferred? Not if an earlier one was skipped and declares no shape. */
NNRT__FN bool nnrt__ir_inputs_known(const nnrt__ir *ir, const nnrt__ir_node *node) {
    uint32_t k;
    for (k = 0; k < node->input_count; k++)
        if (!nnrt__ir_in(ir, node, k)->known) return false;
    return true;
}

/* The activation among the parameters of a node. */
NNRT__FN uint32_t nnrt__ir_own_activation(const nnrt__ir_node *node) {
    const nnrt__op_row *row = nnrt__op_find((int)node->op);
    uint32_t i;
    for (i = 0; i < node->param_count; i++) {
        const nnrt__param_row *param = nnrt__op_param(row, node->params[i].type);
        if (param != NULL && (param->flags & NNRT__PARAM_ACTIVATION) != 0)
            return (uint32_t)nnrt__ir_int(node, param->type, OH_NN_FUSED_NONE);
    }
    return OH_NN_FUSED_NONE;
}

/* Infers one node. OH_NN_UNSUPPORTED: the device has no kernel for it. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_infer_node(nnrt__ir *ir, nnrt__ir_node *node) {
    const nnrt__cpu_op *row = nnrt__cpu_op_find(node->op);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t k;
    if (row == NULL) return nnrt__ir_fail(ir, node, OH_NN_UNSUPPORTED, NNRT__NO_KERNEL);
    if (!nnrt__ir_inputs_known(ir, node))
        return nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shape of an input is not known");
    for (k = 0; code == OH_NN_SUCCESS && k < node->input_count; k++)
        code = nnrt__ir_take_quant(nnrt__ir_in(ir, node, k));
    for (k = 0; code == OH_NN_SUCCESS && k < node->output_count; k++)
        code = nnrt__ir_take_quant(nnrt__ir_out(ir, node, k));
    if (code == OH_NN_SUCCESS) code = nnrt__ir_reserve(ir, 0, 0, NNRT__IR_BYTES(row->spec, uint8_t));
    if (code != OH_NN_SUCCESS) return code;
    node->spec = row->spec != 0 ? nnrt__ir_take(ir, row->spec, 1) : NULL;
    node->activation = nnrt__ir_own_activation(node);
    code = row->infer(ir, node);
    for (k = 0; code == OH_NN_SUCCESS && k < node->output_count; k++)
        if (!nnrt__ir_out(ir, node, k)->known)
            code = nnrt__ir_fail(ir, node, OH_NN_FAILED, "the shape of an output could not be inferred");
    return code;
}

/* Is every output of the model computed, and is the quantization of its inputs, unread ones included, sound? */
NNRT__FN OH_NN_ReturnCode nnrt__ir_check_ends(const nnrt__ir *ir) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < ir->input_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__ir_take_quant(&ir->values[ir->inputs[i]]);
    for (i = 0; i < ir->output_count && code == OH_NN_SUCCESS; i++)
        if (!ir->values[ir->outputs[i]].known)
            code =
                nnrt__fail(OH_NN_FAILED, "model output \"%.60s\" is never computed", ir->values[ir->outputs[i]].name);
    return code;
}

#endif /* NNRT_CPU_IR_BUILD_H */
