/* SPDX-License-Identifier: Apache-2.0 */
/* group/build.h - building a group: stages, ports, connections.   >>group_build

   Each call checks what it can by itself; checks of the whole group are in plan.h. */
#ifndef NNRT_GROUP_BUILD_H
#define NNRT_GROUP_BUILD_H

#include "../core/arena.h"
#include "types.h"
#include "scheduler.h"
#include "run.h"

/* ------------------------------------------------------------------------------------------------ ending */

NNRT__FN void nnrt__ports_free(nnrt__group_port *ports, uint32_t count) {
    uint32_t i;
    for (i = 0; ports != NULL && i < count; i++) nnrt__free(ports[i].name);
    nnrt__free(ports);
}

NNRT__FN void nnrt__replica_close(nnrt__replica *replica) {
    uint32_t i;
    NNRT_ASSERT(replica->executors == NULL || replica->lane != NULL);
    for (i = 0; replica->executors != NULL && i < replica->lane->worker_count; i++)
        if (replica->executors[i] != NULL) OH_NNExecutor_Destroy(&replica->executors[i]);
    nnrt__free(replica->executors);
    replica->executors = NULL;
}

NNRT__FN void nnrt__stage_free(nnrt__stage *stage) {
    uint32_t i;
    for (i = 0; i < stage->replica_count; i++) nnrt__replica_close(&stage->replicas[i]);
    nnrt__free(stage->replicas);
    nnrt__ports_free(stage->inputs, stage->input_count);
    nnrt__ports_free(stage->outputs, stage->output_count);
    nnrt__free(stage->name);
    nnrt__free(stage->type);
    nnrt__free(stage->parameter);
}

/* ------------------------------------------------------------------------------------------------- names */

/* Refuses a name that no stage, port of a function or input of the group can have. */
NNRT__FN OH_NN_ReturnCode nnrt__check_name(const char *function, const char *name) {
    if (name[0] == '\0') return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a name is \"\"", function);
    if (name[0] != '#' && strchr(name, '.') == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the name \"%.60s\" has a dot, or begins with #", function, name);
}

NNRT__FN bool nnrt__name_is(const char *name, const char *text, size_t length) {
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* The stage with a name of length bytes; NOWHERE: none. */
NNRT__FN uint32_t nnrt__find_stage(const nnrt_group *group, const char *text, size_t length) {
    uint32_t i;
    for (i = 1; i < group->stage_count; i++)
        if (nnrt__name_is(group->stages[i].name, text, length)) return i;
    return NNRT__GROUP_NOWHERE;
}

/* Refuses a finished group, and a name that is taken. */
NNRT__FN OH_NN_ReturnCode nnrt__check_new_name(const char *function, const nnrt_group *group, const char *name) {
    const nnrt__stage *outside = &group->stages[NNRT__GROUP_OUTSIDE];
    OH_NN_ReturnCode code;
    bool taken = nnrt__find_stage(group, name, strlen(name)) != NNRT__GROUP_NOWHERE;
    uint32_t i;
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished", function);
    code = nnrt__check_name(function, name);
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < outside->output_count; i++) taken = taken || strcmp(outside->outputs[i].name, name) == 0;
    if (!taken) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is a stage or input \"%.60s\" already", function, name);
}

/* The number after '#' in text; NOWHERE: there is none. */
NNRT__FN uint32_t nnrt__port_number(const char *text) {
    uint32_t number = 0;
    if (text[0] != '#' || text[1] == '\0') return NNRT__GROUP_NOWHERE;
    for (text++; *text >= '0' && *text <= '9' && number < 100000u; text++)
        number = number * 10 + (uint32_t)(*text - '0');
    return *text == '\0' ? number : NNRT__GROUP_NOWHERE;
}

/* Sets *found to the port that text names ("#1" by number); NULL: there is only one. kind: "input" or "output". */
NNRT__FN OH_NN_ReturnCode nnrt__find_port(const char *function, const char *kind, const char *stage,
                                          const nnrt__group_port *ports, uint32_t count, const char *text,
                                          uint32_t *found) {
    nnrt__nearest nearest;
    uint32_t i, matches = 0;
    if (text == NULL) {
        *found = 0;
        if (count == 1) return OH_NN_SUCCESS;
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s has %u %ss: say which one", function, stage,
                          (unsigned)count, kind);
    }
    nearest.wrong = text;
    nearest.name = NULL;
    nearest.distance = strlen(text) / 3 + 1;
    for (i = 0; i < count; i++) {
        nnrt__nearest_offer(&nearest, ports[i].name);
        if (strcmp(ports[i].name, text) != 0) continue;
        *found = i;
        matches++;
    }
    if (matches == 1) return OH_NN_SUCCESS;
    if (matches > 1)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s has %u %ss \"%.60s\": name one by its number, #%u",
                          function, stage, (unsigned)matches, kind, text, (unsigned)*found);
    i = nnrt__port_number(text);
    if (i < count) {
        *found = i;
        return OH_NN_SUCCESS;
    }
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s has no %s \"%.60s\"%s%.60s%s", function, stage, kind, text,
                      nearest.name != NULL ? "; did you mean " : "", nearest.name != NULL ? nearest.name : "",
                      nearest.name != NULL ? "?" : "");
}

/* Splits "stage.port": *port is what follows the dot, NULL without one. */
NNRT__FN OH_NN_ReturnCode nnrt__split_name(const char *function, const nnrt_group *group, const char *text,
                                           uint32_t *stage, const char **port) {
    const char *dot = strchr(text, '.');
    const size_t length = dot != NULL ? (size_t)(dot - text) : strlen(text);
    nnrt__nearest nearest;
    uint32_t i;
    *port = dot != NULL ? dot + 1 : NULL;
    *stage = nnrt__find_stage(group, text, length);
    if (*stage != NNRT__GROUP_NOWHERE) return OH_NN_SUCCESS;
    nearest.wrong = text;
    nearest.name = NULL;
    nearest.distance = strlen(text) / 3 + 1;
    for (i = 1; dot == NULL && i < group->stage_count; i++) nnrt__nearest_offer(&nearest, group->stages[i].name);
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no stage%s for \"%.60s\"%s%.60s%s", function,
                      dot == NULL ? " or input" : "", text, nearest.name != NULL ? "; did you mean " : "",
                      nearest.name != NULL ? nearest.name : "", nearest.name != NULL ? "?" : "");
}

/* The output that text names, inputs of the group among them. */
NNRT__FN OH_NN_ReturnCode nnrt__find_source(const char *function, const nnrt_group *group, const char *text,
                                            uint32_t *stage, uint32_t *port) {
    const nnrt__stage *outside = &group->stages[NNRT__GROUP_OUTSIDE];
    const char *name;
    OH_NN_ReturnCode code;
    uint32_t i;
    for (i = 0; i < outside->output_count; i++) {
        if (strcmp(outside->outputs[i].name, text) != 0) continue;
        *stage = NNRT__GROUP_OUTSIDE;
        *port = i;
        return OH_NN_SUCCESS;
    }
    code = nnrt__split_name(function, group, text, stage, &name);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__find_port(function, "output", group->stages[*stage].name, group->stages[*stage].outputs,
                           group->stages[*stage].output_count, name, port);
}

/* ------------------------------------------------------------------------------------------------- ports */

/* Checks a port of the program. open: type and shape may be missing. */
NNRT__FN OH_NN_ReturnCode nnrt__check_port(const char *function, const nnrt_group_port *port, bool open) {
    OH_NN_ReturnCode code;
    uint32_t i;
    if (port->name == NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a port has no name", function);
    code = nnrt__check_name(function, port->name);
    if (code != OH_NN_SUCCESS) return code;
    if ((port->dtype != OH_NN_UNKNOWN && nnrt__element_size(port->dtype) == 0) || port->rank > NNRT_MAX_RANK)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s has data type %d and %u dimensions", function, port->name,
                          (int)port->dtype, (unsigned)port->rank);
    if (!open && (port->dtype == OH_NN_UNKNOWN || port->rank == 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s has no data type or no shape", function, port->name);
    for (i = 0; i < port->rank; i++)
        if (port->dims[i] <= 0)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: dimension %u of %.60s is %d", function, (unsigned)i,
                              port->name, (int)port->dims[i]);
    return OH_NN_SUCCESS;
}

/* Copies a port of the program; false: out of memory. */
NNRT__FN bool nnrt__port_copy(nnrt__group_port *to, const nnrt_group_port *from) {
    NNRT_ASSERT(from->rank <= NNRT_MAX_RANK); /* nnrt__check_port */
    to->name = nnrt__copy_string(from->name);
    if (to->name == NULL) return false;
    to->list = from->list;
    to->declared_dtype = from->dtype;
    to->declared_rank = from->rank;
    memcpy(to->declared_dims, from->dims, from->rank * sizeof(from->dims[0]));
    to->format = OH_NN_FORMAT_NONE;
    to->from_stage = NNRT__GROUP_NOWHERE;
    return true;
}

/* Sets a port from a model's descriptor. */
NNRT__FN OH_NN_ReturnCode nnrt__port_take(nnrt__group_port *to, const NN_TensorDesc *desc) {
    const char *name = NULL;
    int32_t *dims = NULL;
    size_t rank = 0;
    if (desc == NULL) return OH_NN_MEMORY_ERROR;
    if (OH_NNTensorDesc_GetName(desc, &name) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_GetDataType(desc, &to->declared_dtype) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_GetFormat(desc, &to->format) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_GetShape(desc, &dims, &rank) != OH_NN_SUCCESS)
        return OH_NN_FAILED;
    NNRT_ASSERT(rank <= NNRT_MAX_RANK);
    to->declared_rank = (uint32_t)rank;
    memcpy(to->declared_dims, dims, rank * sizeof(dims[0]));
    to->from_stage = NNRT__GROUP_NOWHERE;
    to->name = nnrt__copy_string(name);
    return to->name != NULL ? OH_NN_SUCCESS : nnrt__fail_memory();
}

/* ------------------------------------------------------------------------------------------------ models */

/* Makes executors of compilation for all workers of its device. After a failure the caller closes those that exist. */
NNRT__FN OH_NN_ReturnCode nnrt__replica_open(const char *function, nnrt_group *group, OH_NNCompilation *compilation,
                                             nnrt__replica *replica) {
    OH_NN_ReturnCode code = nnrt__check_built(function, compilation);
    OH_NNExecutor *first;
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    first = OH_NNExecutor_Construct(compilation);
    if (first == NULL) return OH_NN_MEMORY_ERROR;
    code = nnrt_executor_get_device(first, &replica->device_id);
    if (code == OH_NN_SUCCESS) code = nnrt__lane_of_device(group->scheduler, replica->device_id, &replica->lane);
    if (code != OH_NN_SUCCESS) {
        OH_NNExecutor_Destroy(&first);
        return code;
    }
    nnrt__mutex_lock(&group->scheduler->mutex);
    replica->lane->used = true;
    nnrt__mutex_unlock(&group->scheduler->mutex);
    replica->executors = (OH_NNExecutor **)nnrt__alloc_zero(replica->lane->worker_count, sizeof(replica->executors[0]));
    if (replica->executors == NULL) {
        OH_NNExecutor_Destroy(&first);
        return nnrt__fail_memory();
    }
    replica->executors[0] = first;
    for (i = 1; i < replica->lane->worker_count; i++) {
        replica->executors[i] = OH_NNExecutor_Construct(compilation);
        if (replica->executors[i] == NULL) return OH_NN_MEMORY_ERROR;
    }
    return OH_NN_SUCCESS;
}

/* Inputs and outputs of an executor, as ports of stage. What exists when it fails is freed with the stage. */
NNRT__FN OH_NN_ReturnCode nnrt__stage_describe_model(nnrt__stage *stage, const OH_NNExecutor *executor) {
    OH_NN_ReturnCode code;
    size_t inputs = 0, outputs = 0, i;
    (void)OH_NNExecutor_GetInputCount(executor, &inputs);
    (void)OH_NNExecutor_GetOutputCount(executor, &outputs);
    stage->inputs = (nnrt__group_port *)nnrt__alloc_zero(inputs, sizeof(stage->inputs[0]));
    stage->outputs = (nnrt__group_port *)nnrt__alloc_zero(outputs, sizeof(stage->outputs[0]));
    if (stage->inputs == NULL || stage->outputs == NULL) return nnrt__fail_memory();
    stage->input_count = (uint32_t)inputs;
    stage->output_count = (uint32_t)outputs;
    for (i = 0, code = OH_NN_SUCCESS; i < inputs + outputs && code == OH_NN_SUCCESS; i++) {
        NN_TensorDesc *desc = i < inputs ? OH_NNExecutor_CreateInputTensorDesc(executor, i)
                                         : OH_NNExecutor_CreateOutputTensorDesc(executor, i - inputs);
        code = nnrt__port_take(i < inputs ? &stage->inputs[i] : &stage->outputs[i - inputs], desc);
        if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    }
    return code;
}

NNRT__FN bool nnrt__ports_are_same(const nnrt__group_port *a, const nnrt__group_port *b, uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; i++)
        if (a[i].declared_dtype != b[i].declared_dtype || a[i].declared_rank != b[i].declared_rank ||
            memcmp(a[i].declared_dims, b[i].declared_dims, a[i].declared_rank * sizeof(a[i].declared_dims[0])) != 0)
            return false;
    return true;
}

/* Refuses an executor whose inputs or outputs differ from those of stage. */
NNRT__FN OH_NN_ReturnCode nnrt__check_replica(const char *function, const nnrt__stage *stage,
                                              const nnrt__replica *replica) {
    nnrt__stage other;
    OH_NN_ReturnCode code;
    bool same;
    uint32_t i;
    for (i = 0; i < stage->replica_count; i++)
        if (stage->replicas[i].lane == replica->lane)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s is on this device already", function, stage->name);
    memset(&other, 0, sizeof(other));
    code = nnrt__stage_describe_model(&other, replica->executors[0]);
    same = code == OH_NN_SUCCESS && other.input_count == stage->input_count &&
           other.output_count == stage->output_count &&
           nnrt__ports_are_same(other.inputs, stage->inputs, stage->input_count) &&
           nnrt__ports_are_same(other.outputs, stage->outputs, stage->output_count);
    nnrt__stage_free(&other);
    if (code != OH_NN_SUCCESS || same) return code;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: inputs or outputs of the model are not those of %.60s", function,
                      stage->name);
}

/* --------------------------------------------------------------------------------------------- functions */

/* Checks the inputs or outputs of a function; *lists: whether there is a list. */
NNRT__FN OH_NN_ReturnCode nnrt__check_ports(const char *function, const nnrt_group_port *ports, uint32_t count,
                                            uint32_t least, bool open, bool *lists) {
    uint32_t i, k;
    *lists = false;
    if (count < least || count > NNRT_GROUP_MOST_PORTS || (count != 0 && ports == NULL))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a function has %u to %u inputs or outputs, not %u", function,
                          (unsigned)least, NNRT_GROUP_MOST_PORTS, ports != NULL ? (unsigned)count : 0u);
    for (i = 0; i < count; i++) {
        OH_NN_ReturnCode code = nnrt__check_port(function, &ports[i], open);
        if (code != OH_NN_SUCCESS) return code;
        for (k = 0; k < i; k++)
            if (strcmp(ports[i].name, ports[k].name) == 0)
                return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: two are called \"%.60s\"", function, ports[i].name);
        *lists = *lists || ports[i].list;
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__check_function(const char *function, const nnrt_group_function *given) {
    OH_NN_ReturnCode code;
    bool lists;
    if (given->type == NULL) return nnrt__fail_null(function, "type");
    if (given->run == NULL) return nnrt__fail_null(function, "run");
    code = nnrt__check_ports(function, given->inputs, given->input_count, 1, true, &lists);
    if (code == OH_NN_SUCCESS)
        code = nnrt__check_ports(function, given->outputs, given->output_count, 0, given->describe != NULL, &lists);
    if (code != OH_NN_SUCCESS) return code;
    if (lists ? given->most_items >= 1 && given->most_items <= NNRT_GROUP_MOST_ITEMS : given->most_items == 0)
        return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: most_items is %u: 1 to %u with a list among the outputs, else 0",
                      function, (unsigned)given->most_items, NNRT_GROUP_MOST_ITEMS);
}

NNRT__FN nnrt__group_port *nnrt__ports_copy(const nnrt_group_port *from, uint32_t count) {
    nnrt__group_port *ports = (nnrt__group_port *)nnrt__alloc_zero(count, sizeof(ports[0]));
    uint32_t i;
    for (i = 0; ports != NULL && i < count; i++) {
        if (nnrt__port_copy(&ports[i], &from[i])) continue;
        nnrt__ports_free(ports, count);
        return NULL;
    }
    return ports;
}

/* ------------------------------------------------------------------------------------------------ stages */

/* Appends stage; on success the group owns it with all it has. */
NNRT__FN OH_NN_ReturnCode nnrt__group_append(const char *function, nnrt_group *group, nnrt__stage *stage) {
    nnrt__stage *stages;
    if (group->stage_count > NNRT_GROUP_MOST_STAGES)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a group has no more than %u stages", function,
                          NNRT_GROUP_MOST_STAGES);
    stages = (nnrt__stage *)nnrt__realloc(group->stages, (size_t)group->stage_count + 1, sizeof(stages[0]));
    if (stages == NULL) return nnrt__fail_memory();
    stage->statistics.name = stage->name;
    group->stages = stages;
    stages[group->stage_count++] = *stage;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__add_model(const char *function, nnrt_group *group, const char *name,
                                          OH_NNCompilation *compilation, nnrt__stage *stage) {
    OH_NN_ReturnCode code;
    stage->name = nnrt__copy_string(name);
    stage->replicas = (nnrt__replica *)nnrt__alloc_zero(1, sizeof(stage->replicas[0]));
    if (stage->name == NULL || stage->replicas == NULL) return nnrt__fail_memory();
    code = nnrt__replica_open(function, group, compilation, &stage->replicas[0]);
    stage->replica_count = 1;
    if (code == OH_NN_SUCCESS) code = nnrt__stage_describe_model(stage, stage->replicas[0].executors[0]);
    if (code == OH_NN_SUCCESS) code = nnrt__group_append(function, group, stage);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_group_add_model(nnrt_group *group, const char *name, OH_NNCompilation *compilation) {
    static const char function[] = "nnrt_group_add_model";
    nnrt__stage stage;
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (name == NULL) return nnrt__fail_null(function, "name");
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    code = nnrt__check_new_name(function, group, name);
    if (code != OH_NN_SUCCESS) return code;
    memset(&stage, 0, sizeof(stage));
    code = nnrt__add_model(function, group, name, compilation, &stage);
    if (code != OH_NN_SUCCESS) nnrt__stage_free(&stage);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_group_add_replica(nnrt_group *group, const char *name, OH_NNCompilation *compilation) {
    static const char function[] = "nnrt_group_add_replica";
    nnrt__replica replica, *replicas;
    nnrt__stage *stage;
    OH_NN_ReturnCode code;
    uint32_t number;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (name == NULL) return nnrt__fail_null(function, "name");
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished", function);
    number = nnrt__find_stage(group, name, strlen(name));
    if (number == NNRT__GROUP_NOWHERE || !nnrt__stage_is_model(&group->stages[number]))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: no model is called \"%.60s\"", function, name);
    stage = &group->stages[number];
    memset(&replica, 0, sizeof(replica));
    code = nnrt__replica_open(function, group, compilation, &replica);
    if (code == OH_NN_SUCCESS) code = nnrt__check_replica(function, stage, &replica);
    if (code == OH_NN_SUCCESS) {
        replicas =
            (nnrt__replica *)nnrt__realloc(stage->replicas, (size_t)stage->replica_count + 1, sizeof(replicas[0]));
        if (replicas == NULL) code = nnrt__fail_memory();
        else stage->replicas = replicas;
    }
    if (code == OH_NN_SUCCESS) stage->replicas[stage->replica_count++] = replica;
    else nnrt__replica_close(&replica);
    return code;
}

/* Adds a stage that calls given: with user if parameter is NULL, else with a copy of its size bytes. */
NNRT__FN OH_NN_ReturnCode nnrt__add_function(const char *function, nnrt_group *group, const char *name,
                                             const nnrt_group_function *given, void *user, const void *parameter,
                                             size_t size) {
    nnrt__stage stage;
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (name == NULL) return nnrt__fail_null(function, "name");
    if (given == NULL) return nnrt__fail_null(function, "function");
    if (parameter == NULL && size != 0) return nnrt__fail_null(function, "parameter");
    code = nnrt__check_new_name(function, group, name);
    if (code == OH_NN_SUCCESS) code = nnrt__check_function(function, given);
    if (code != OH_NN_SUCCESS) return code;
    memset(&stage, 0, sizeof(stage));
    stage.name = nnrt__copy_string(name);
    stage.type = nnrt__copy_string(given->type);
    stage.inputs = nnrt__ports_copy(given->inputs, given->input_count);
    stage.input_count = given->input_count;
    stage.outputs = nnrt__ports_copy(given->outputs, given->output_count);
    stage.output_count = given->output_count;
    if (parameter != NULL) stage.parameter = nnrt__alloc(size);
    stage.describe = given->describe;
    stage.run = given->run;
    stage.most_items = given->most_items;
    stage.in_order = given->in_order;
    if (stage.name == NULL || stage.type == NULL || stage.inputs == NULL || stage.outputs == NULL ||
        (parameter != NULL && stage.parameter == NULL)) {
        code = nnrt__fail_memory();
    } else {
        if (parameter != NULL) memcpy(stage.parameter, parameter, size);
        stage.user = parameter != NULL ? stage.parameter : user;
        code = nnrt__group_append(function, group, &stage);
    }
    if (code != OH_NN_SUCCESS) nnrt__stage_free(&stage);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_group_add_connector(nnrt_group *group, const char *name,
                                                   const nnrt_group_function *function, void *user) {
    return nnrt__add_function("nnrt_group_add_connector", group, name, function, user, NULL, 0);
}

NNRT_API OH_NN_ReturnCode nnrt_group_add_plugin(nnrt_group *group, const char *name,
                                                const nnrt_group_function *function, const void *parameter,
                                                size_t size) {
    return nnrt__add_function("nnrt_group_add_plugin", group, name, function, NULL, parameter, size);
}

/* ------------------------------------------------------------------------------------------- the outside */

NNRT_API OH_NN_ReturnCode nnrt_group_add_input(nnrt_group *group, const nnrt_group_port *port) {
    static const char function[] = "nnrt_group_add_input";
    nnrt__group_port *ports, added;
    nnrt__stage *outside;
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (port == NULL) return nnrt__fail_null(function, "port");
    code = nnrt__check_port(function, port, true);
    if (code == OH_NN_SUCCESS) code = nnrt__check_new_name(function, group, port->name);
    if (code != OH_NN_SUCCESS) return code;
    outside = &group->stages[NNRT__GROUP_OUTSIDE];
    if (port->list)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s is a list: frames have one of it", function, port->name);
    if (outside->output_count >= NNRT_GROUP_MOST_PORTS)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a group has no more than %u inputs", function,
                          NNRT_GROUP_MOST_PORTS);
    memset(&added, 0, sizeof(added));
    if (!nnrt__port_copy(&added, port)) return nnrt__fail_memory();
    ports = (nnrt__group_port *)nnrt__realloc(outside->outputs, (size_t)outside->output_count + 1, sizeof(ports[0]));
    if (ports == NULL) {
        nnrt__free(added.name);
        return nnrt__fail_memory();
    }
    outside->outputs = ports;
    ports[outside->output_count++] = added;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_add_output(nnrt_group *group, const char *from) {
    static const char function[] = "nnrt_group_add_output";
    uint32_t stage, port;
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (from == NULL) return nnrt__fail_null(function, "from");
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished", function);
    code = nnrt__find_source(function, group, from, &stage, &port);
    if (code != OH_NN_SUCCESS) return code;
    if (stage == NNRT__GROUP_OUTSIDE)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s is an input of the group", function, from);
    if (group->output_count >= NNRT_GROUP_MOST_PORTS)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: a group has no more than %u outputs", function,
                          NNRT_GROUP_MOST_PORTS);
    group->outputs[group->output_count].stage = stage;
    group->outputs[group->output_count++].port = port;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_connect(nnrt_group *group, const char *from, const char *to) {
    static const char function[] = "nnrt_group_connect";
    uint32_t from_stage, from_port, to_stage, to_port;
    const char *name;
    nnrt__group_port *input;
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (from == NULL) return nnrt__fail_null(function, "from");
    if (to == NULL) return nnrt__fail_null(function, "to");
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished", function);
    code = nnrt__find_source(function, group, from, &from_stage, &from_port);
    if (code == OH_NN_SUCCESS) code = nnrt__split_name(function, group, to, &to_stage, &name);
    if (code == OH_NN_SUCCESS)
        code = nnrt__find_port(function, "input", group->stages[to_stage].name, group->stages[to_stage].inputs,
                               group->stages[to_stage].input_count, name, &to_port);
    if (code != OH_NN_SUCCESS) return code;
    input = &group->stages[to_stage].inputs[to_port];
    if (input->from_stage != NNRT__GROUP_NOWHERE)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %.60s is connected already", function, to);
    input->from_stage = from_stage;
    input->from_port = from_port;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_set_memory(nnrt_group *group, const nnrt_group_memory *memory) {
    static const char function[] = "nnrt_group_set_memory";
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (memory == NULL) return nnrt__fail_null(function, "memory");
    if (memory->allocate == NULL) return nnrt__fail_null(function, "allocate");
    if (memory->free == NULL) return nnrt__fail_null(function, "free");
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished", function);
    group->memory = *memory;
    group->has_memory = true;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_create(nnrt_scheduler *scheduler, const char *name, nnrt_group_priority priority,
                                            nnrt_group **group) {
    static const char function[] = "nnrt_group_create";
    nnrt_group *made;
    if (scheduler == NULL) return nnrt__fail_null(function, "scheduler");
    if (name == NULL) return nnrt__fail_null(function, "name");
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (*group != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: *group is not NULL", function);
    if ((unsigned)priority >= NNRT__GROUP_PRIORITIES)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: priority is %d, 0 (highest) to 4 (lowest) are possible",
                          function, (int)priority);
    made = (nnrt_group *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL) return nnrt__fail_memory();
    made->name = nnrt__copy_string(name);
    made->stages = (nnrt__stage *)nnrt__alloc_zero(1, sizeof(made->stages[0]));
    if (made->name == NULL || made->stages == NULL) {
        nnrt__free(made->name);
        nnrt__free(made->stages);
        nnrt__free(made);
        return nnrt__fail_memory();
    }
    made->stage_count = 1;
    made->scheduler = scheduler;
    made->priority = priority;
    made->callbacks.group = made;
    nnrt__mutex_lock(&scheduler->mutex);
    scheduler->group_count++;
    nnrt__mutex_unlock(&scheduler->mutex);
    *group = made;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_GROUP_BUILD_H */
