/* SPDX-License-Identifier: Apache-2.0 */
/* tflite/operators_variable.h - variables that have a name: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, CALL_ONCE.
   >>tflite_operators_variable

   A handle is a tensor without contents that stands for a variable; operators read and assign it in order. Here reading
   and assigning just rename tensors: the tensor read first is state of the graph, later reads get the last assigned
   tensor, and the one held at the end is the state of the next run. A graph named by CALL_ONCE assigns constants before
   the first run: they are the initial contents of the states. */
#ifndef NNRT_TFLITE_OPERATORS_VARIABLE_H
#define NNRT_TFLITE_OPERATORS_VARIABLE_H

#include "translate.h"

/* The first step for every operator, in operators.h. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_open(nnrt__tflite *t, nnrt__tflite_op *op, const nnrt__fb_table *table,
                                            nnrt__fb_vector *inputs, nnrt__fb_vector *outputs);

/* The names that a VAR_HANDLE gives: options (container, name). */
NNRT__FN bool nnrt__tflite_names(nnrt__tflite *t, const nnrt__tflite_op *op, nnrt__tflite_variable *variable) {
    size_t length;
    variable->container = variable->name = "";
    return !op->has_options || (nnrt__fb_string_field(&t->fb, &op->options, 0, &variable->container, &length) &&
                                nnrt__tflite_charge(t, length, 1) &&
                                nnrt__fb_string_field(&t->fb, &op->options, 1, &variable->name, &length) &&
                                nnrt__tflite_charge(t, length, 1));
}

/* Registers a handle in subgraph `graph`: of a new variable, or of one with the same names. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_var_handle_in(nnrt__tflite *t, nnrt__tflite_op *op, uint32_t graph,
                                                     uint32_t tensor) {
    nnrt__tflite_variable *variable;
    uint32_t i;
    if (t->variable_count == NNRT__TFLITE_MAX_HANDLES)
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u, %s: the model has more than %u handles of variables",
                          op->index, op->name, NNRT__TFLITE_MAX_HANDLES);
    if ((t->variable_count & (t->variable_count - 1)) == 0) { /* 0 or a power of two: full */
        variable = (nnrt__tflite_variable *)nnrt__realloc(
            t->variables, t->variable_count != 0 ? 2 * (size_t)t->variable_count : 1, sizeof(*variable));
        if (variable == NULL) return nnrt__fail_memory();
        t->variables = variable;
    }
    variable = &t->variables[t->variable_count];
    memset(variable, 0, sizeof(*variable));
    if (!nnrt__tflite_names(t, op, variable)) return nnrt__tflite_op_broken(t, op);
    variable->graph = graph;
    variable->handle = tensor;
    variable->state = variable->now = NNRT__TFLITE_ABSENT;
    for (i = 0; i < t->variable_count; i++)
        if (strcmp(t->variables[i].name, variable->name) == 0 &&
            strcmp(t->variables[i].container, variable->container) == 0)
            break;
    variable->same = t->variables[i].same = i < t->variable_count ? t->variables[i].same : i;
    t->variable_count++;
    return OH_NN_SUCCESS;
}

/* The variable of a handle; NULL, with a sentence: the tensor is no handle. */
NNRT__FN nnrt__tflite_variable *nnrt__tflite_variable_of(nnrt__tflite *t, const nnrt__tflite_op *op, uint32_t graph,
                                                         uint32_t tensor) {
    uint32_t i;
    for (i = t->variable_count; i-- > 0;)
        if (t->variables[i].graph == graph && t->variables[i].handle == tensor)
            return &t->variables[t->variables[i].same];
    (void)nnrt__fail(OH_NN_INVALID_FILE, "operator %u, %s: input 0, tensor %u, is no variable", op->index, op->name,
                     tensor);
    return NULL;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_var_handle(nnrt__tflite *t, nnrt__tflite_op *op) {
    if (t->known[op->outputs[0]] != NNRT__TFLITE_HANDLE)
        return nnrt__tflite_op_wrong(op, "its output is no handle of a variable");
    return nnrt__tflite_var_handle_in(t, op, 0, op->outputs[0]);
}

/* Gives the tensor that is read first the initial contents. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_first_contents(nnrt__tflite *t, const nnrt__tflite_op *op,
                                                      const nnrt__tflite_variable *variable, uint32_t tensor) {
    nnrt_tensor_info *info = &t->store->tensors[tensor];
    size_t size = 0;
    if (variable->data == NULL) return OH_NN_SUCCESS;
    if (info->dtype != variable->dtype ||
        nnrt__check_shape(info->dtype, info->rank, info->dims, &size) != OH_NN_SUCCESS || size != variable->data_size)
        return nnrt__tflite_op_wrong(op, "the variable begins with another data type or size");
    info->data = variable->data;
    info->data_size = size;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_read_variable(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_variable *variable = nnrt__tflite_variable_of(t, op, 0, op->inputs[0]);
    const uint32_t output = op->outputs[0];
    if (variable == NULL) return OH_NN_INVALID_FILE;
    if (variable->now != NNRT__TFLITE_ABSENT) return nnrt__tflite_reshaped(t, op, variable->now, output);
    variable->state = variable->now = output;
    t->known[output] = (uint8_t)NNRT__TFLITE_GIVEN;
    return nnrt__tflite_first_contents(t, op, variable, output);
}

NNRT__FN OH_NN_ReturnCode nnrt__tflite_assign_variable(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__tflite_variable *variable = nnrt__tflite_variable_of(t, op, 0, op->inputs[0]);
    if (variable == NULL) return OH_NN_INVALID_FILE;
    if (t->known[op->inputs[1]] == NNRT__TFLITE_HANDLE)
        return nnrt__tflite_op_wrong(op, "a handle of a variable is assigned");
    variable->now = op->inputs[1];
    return OH_NN_SUCCESS;
}

/* Whether an earlier variable holds the same tensor. */
NNRT__FN bool nnrt__tflite_is_held(const nnrt__tflite *t, uint32_t variable) {
    uint32_t i;
    for (i = 0; i < variable; i++)
        if (t->variables[i].state != NNRT__TFLITE_ABSENT && t->variables[i].now == t->variables[variable].now)
            return true;
    return false;
}

/* Makes tensor state that holds next in the next run. If they do not match, the file is at fault. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_keep(nnrt__tflite *t, uint32_t tensor, uint32_t next) {
    const OH_NN_ReturnCode code = nnrt__graph_add_state(t->store, tensor, next);
    if (code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR) return code;
    return nnrt__fail(OH_NN_INVALID_FILE, "a variable: %s", nnrt__sentence());
}

/* Ends all variables: a tensor for what each holds at the end. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_end_variables(nnrt__tflite *t) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__tflite_op op;
    uint32_t i;
    memset(&op, 0, sizeof(op));
    op.index = t->operators.count;
    op.name = "of a copy";
    for (i = 0; i < t->variable_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__tflite_variable *variable = &t->variables[i];
        uint32_t next = variable->now;
        if (variable->state == NNRT__TFLITE_ABSENT) continue;
        if (next != variable->state && (t->known[next] != NNRT__TFLITE_COMPUTED || nnrt__tflite_is_held(t, i))) {
            code = nnrt__tflite_between(t, &op, variable->state, nnrt__tflite_info(t, variable->state)->dtype, &next);
            if (code == OH_NN_SUCCESS) code = nnrt__tflite_reshaped(t, &op, variable->now, next);
        }
        if (code == OH_NN_SUCCESS) code = nnrt__tflite_keep(t, variable->state, next);
    }
    return code;
}

/* -------------------------------------------------------------------------------------------- CALL_ONCE */

/* The constant at `tensor` in the subgraph with these tensors, as initial contents of a variable. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_first_value(nnrt__tflite *t, const nnrt__tflite_op *op,
                                                   const nnrt__fb_vector *tensors, uint32_t tensor,
                                                   nnrt__tflite_variable *variable) {
    nnrt__fb_table table;
    uint32_t buffer = 0;
    int32_t type = 0;
    if (tensor >= tensors->count) return nnrt__tflite_op_wrong(op, "a tensor does not exist");
    if (!nnrt__fb_element_table(&t->fb, tensors, tensor, &table) ||
        !nnrt__fb_i8(&t->fb, &table, NNRT__TFL_TENSOR_TYPE, &type) ||
        !nnrt__fb_u32(&t->fb, &table, NNRT__TFL_TENSOR_BUFFER, &buffer) ||
        !nnrt__tflite_buffer(t, buffer, &variable->data, &variable->data_size))
        return nnrt__tflite_op_broken(t, op);
    variable->dtype = nnrt__tflite_dtype(type);
    return variable->data != NULL ? OH_NN_SUCCESS
                                  : nnrt__tflite_op_unsupported(op, "a variable that does not begin with a constant");
}

/* Tensor i of a list of numbers; NNRT__TFLITE_ABSENT where there is none. */
NNRT__FN uint32_t nnrt__tflite_listed_tensor(const nnrt__tflite *t, const nnrt__fb_vector *list, uint32_t i) {
    const int32_t tensor = i < list->count ? nnrt__fb_element_i32(&t->fb, list, i) : -1;
    return tensor < 0 ? NNRT__TFLITE_ABSENT : (uint32_t)tensor;
}

/* Operator `index` of subgraph `graph`, which runs before the first run: it makes a handle, or assigns a constant. */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_once(nnrt__tflite *t, const nnrt__tflite_op *caller, uint32_t graph,
                                            const nnrt__fb_vector *tensors, const nnrt__fb_table *table) {
    nnrt__fb_vector inputs, outputs;
    nnrt__tflite_variable *variable;
    nnrt__tflite_op op;
    OH_NN_ReturnCode code;
    memset(&op, 0, sizeof(op));
    op.index = caller->index;
    code = nnrt__tflite_open(t, &op, table, &inputs, &outputs);
    if (code != OH_NN_SUCCESS) return code;
    if (op.row->translate == nnrt__tflite_var_handle)
        return nnrt__tflite_var_handle_in(t, &op, graph, nnrt__tflite_listed_tensor(t, &outputs, 0));
    if (op.row->translate != nnrt__tflite_assign_variable)
        return nnrt__fail(OH_NN_UNSUPPORTED, "operator %u, CALL_ONCE, runs %s, which is not supported", caller->index,
                          op.name);
    variable = nnrt__tflite_variable_of(t, &op, graph, nnrt__tflite_listed_tensor(t, &inputs, 0));
    if (variable == NULL) return OH_NN_INVALID_FILE;
    return nnrt__tflite_first_value(t, &op, tensors, nnrt__tflite_listed_tensor(t, &inputs, 1), variable);
}

/* CALL_ONCE: options (subgraph). */
NNRT__FN OH_NN_ReturnCode nnrt__tflite_call_once(nnrt__tflite *t, nnrt__tflite_op *op) {
    nnrt__fb_table graph, table;
    nnrt__fb_vector tensors, operators;
    int32_t which = 0;
    uint32_t i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!nnrt__tflite_option_i32(t, op, 0, &which)) return nnrt__tflite_op_broken(t, op);
    if (which < 1 || (uint32_t)which >= t->graphs.count)
        return nnrt__tflite_op_wrong(op, "its subgraph does not exist, or is the model");
    for (i = 0; i < t->variable_count; i++)
        if (t->variables[i].now != NNRT__TFLITE_ABSENT)
            return nnrt__tflite_op_unsupported(op, "a call behind operators that use variables");
    if (!nnrt__fb_element_table(&t->fb, &t->graphs, (uint32_t)which, &graph) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_TENSORS, 4, &tensors) ||
        !nnrt__fb_vector_field(&t->fb, &graph, NNRT__TFL_GRAPH_OPERATORS, 4, &operators))
        return nnrt__tflite_op_broken(t, op);
    for (i = 0; i < operators.count && code == OH_NN_SUCCESS; i++) {
        if (!nnrt__tflite_charge(t, 1, 32) || !nnrt__fb_element_table(&t->fb, &operators, i, &table))
            return nnrt__tflite_op_broken(t, op);
        code = nnrt__tflite_once(t, op, (uint32_t)which, &tensors, &table);
    }
    return code;
}

#endif /* NNRT_TFLITE_OPERATORS_VARIABLE_H */
