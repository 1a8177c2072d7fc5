/* SPDX-License-Identifier: Apache-2.0 */
/* group/plan.h - nnrt_group_finish: checks, orders, shapes and lays out the whole group; and the end of a
   group.   >>group_plan

   Every number that a frame needs is computed here, so that running one only adds. In the order a stage comes after all
   that it reads from; scopes, then shapes, are found in this order. */
#ifndef NNRT_GROUP_PLAN_H
#define NNRT_GROUP_PLAN_H

#include "build.h"
#include "frame.h"

/* Room for the name of a port in a sentence. */
typedef struct nnrt__port_text {
    char text[96];
} nnrt__port_text;

/* "detector.boxes" as to->text, which is returned. */
NNRT__FN const char *nnrt__port_print(nnrt__port_text *to, const nnrt_group *group, uint32_t stage,
                                      const nnrt__group_port *port) {
    const char *name = stage != NNRT__GROUP_OUTSIDE ? group->stages[stage].name : "";
    nnrt__format(to->text, sizeof(to->text), "%.40s%s%.40s", name, name[0] != '\0' ? "." : "", port->name);
    return to->text;
}

/* --------------------------------------------------------------------------------- connections and order */

NNRT__FN OH_NN_ReturnCode nnrt__plan_check_connected(const nnrt_group *group) {
    const nnrt__stage *outside = &group->stages[NNRT__GROUP_OUTSIDE];
    bool used[NNRT_GROUP_MOST_PORTS] = {false};
    nnrt__port_text text;
    uint32_t i, k;
    if (group->stage_count == 1) return nnrt__fail(OH_NN_INVALID_PARAMETER, "the group has no stage");
    for (i = 1; i < group->stage_count; i++)
        for (k = 0; k < group->stages[i].input_count; k++) {
            const nnrt__group_port *input = &group->stages[i].inputs[k];
            if (input->from_stage == NNRT__GROUP_NOWHERE)
                return nnrt__fail(OH_NN_INVALID_PARAMETER, "nothing is connected to %s",
                                  nnrt__port_print(&text, group, i, input));
            if (input->from_stage == NNRT__GROUP_OUTSIDE) used[input->from_port] = true;
        }
    for (i = 0; i < outside->output_count; i++)
        if (!used[i])
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "the input %.60s of the group goes nowhere",
                              outside->outputs[i].name);
    return OH_NN_SUCCESS;
}

/* Lists where outputs go, stage by stage. */
NNRT__FN void nnrt__plan_edges(nnrt_group *group) {
    size_t at = 0;
    uint32_t from, i, k;
    for (from = 0; from < group->stage_count; from++) {
        group->stages[from].first_edge = at;
        for (i = 1; i < group->stage_count; i++)
            for (k = 0; k < group->stages[i].input_count; k++) {
                if (group->stages[i].inputs[k].from_stage != from) continue;
                group->edges[at].stage = i;
                group->edges[at].port = k;
                group->edges[at++].from_port = group->stages[i].inputs[k].from_port;
            }
        group->stages[from].edge_count = (uint32_t)(at - group->stages[from].first_edge);
    }
    NNRT_ASSERT(at == group->edge_count); /* every input is connected, to one output */
}

/* Fills order; a cycle has stages left over. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_order(nnrt_group *group) {
    uint32_t done = 0, found = 1, i;
    for (i = 0; i < group->stage_count; i++) group->stages[i].unordered = group->stages[i].input_count;
    group->order[0] = NNRT__GROUP_OUTSIDE;
    for (; done < found; done++) {
        const nnrt__stage *stage = &group->stages[group->order[done]];
        for (i = 0; i < stage->edge_count; i++) {
            const uint32_t to = group->edges[stage->first_edge + i].stage;
            NNRT_ASSERT(group->stages[to].unordered != 0 && found < group->stage_count);
            if (--group->stages[to].unordered == 0) group->order[found++] = to;
        }
    }
    if (found == group->stage_count) return OH_NN_SUCCESS;
    for (i = 1; group->stages[i].unordered == 0;) i++;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%.60s is behind itself: the connections have a cycle",
                      group->stages[i].name);
}

/* ------------------------------------------------------------------------------------------------ scopes */

/* Finds the scope of a stage: whose items it runs for. Scopes of earlier stages are known. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_scope(nnrt_group *group, uint32_t number) {
    nnrt__stage *stage = &group->stages[number];
    uint32_t i;
    stage->scope = NNRT__GROUP_OUTSIDE;
    for (i = 0; i < stage->input_count; i++) {
        const nnrt__group_port *input = &stage->inputs[i];
        const nnrt__stage *from = &group->stages[input->from_stage];
        const uint32_t scope = from->outputs[input->from_port].list ? input->from_stage : from->scope;
        if (input->list || scope == NNRT__GROUP_OUTSIDE || scope == stage->scope) continue;
        if (stage->scope != NNRT__GROUP_OUTSIDE)
            return nnrt__fail(OH_NN_INVALID_PARAMETER,
                              "%.40s takes items of %.40s and of %.40s: one of the inputs has to be a list",
                              stage->name, group->stages[stage->scope].name, group->stages[scope].name);
        stage->scope = scope;
    }
    if (stage->most_items != 0 && stage->scope != NNRT__GROUP_OUTSIDE)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%.60s makes a list for every item of %.60s: a list has no lists",
                          stage->name, group->stages[stage->scope].name);
    stage->job_count = stage->scope != NNRT__GROUP_OUTSIDE ? group->stages[stage->scope].most_items : 1;
    NNRT_ASSERT(stage->job_count >= 1 && stage->job_count <= NNRT_GROUP_MOST_ITEMS);
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ shapes */

NNRT__FN void nnrt__port_set(nnrt__group_port *port, OH_NN_DataType dtype, uint32_t rank, const int32_t *dims) {
    NNRT_ASSERT(rank <= NNRT_MAX_RANK);
    port->dtype = dtype;
    port->rank = rank;
    memcpy(port->dims, dims, rank * sizeof(dims[0]));
}

/* Completes an input of the group from the first connected input that has the missing type or shape. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_outside(nnrt_group *group) {
    nnrt__stage *outside = &group->stages[NNRT__GROUP_OUTSIDE];
    uint32_t i, k;
    for (i = 0; i < outside->output_count; i++) {
        nnrt__group_port *port = &outside->outputs[i];
        nnrt__shape_text text;
        nnrt__port_set(port, port->declared_dtype, port->declared_rank, port->declared_dims);
        for (k = 0; k < outside->edge_count; k++) {
            const nnrt__group_edge *edge = &group->edges[outside->first_edge + k];
            const nnrt__group_port *to = &group->stages[edge->stage].inputs[edge->port];
            if (edge->from_port != i) continue;
            if (port->dtype == OH_NN_UNKNOWN) port->dtype = to->declared_dtype;
            if (port->rank == 0) nnrt__port_set(port, port->dtype, to->declared_rank, to->declared_dims);
            if (port->format == OH_NN_FORMAT_NONE) port->format = to->format;
        }
        for (k = 0; k < port->rank && port->dims[k] > 0;) k++;
        if (port->dtype == OH_NN_UNKNOWN || port->rank == 0 || k != port->rank)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "the input %.60s of the group needs a type and a shape: %s %s",
                              port->name, nnrt__dtype_name(port->dtype),
                              nnrt__shape_print(&text, port->rank, port->dims));
    }
    return OH_NN_SUCCESS;
}

/* Gives an input the type and shape of its connection, if it may have them. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_input(const nnrt_group *group, uint32_t stage, nnrt__group_port *input) {
    const nnrt__group_port *from = nnrt__input_source(group, input);
    nnrt__shape_text given, wanted;
    nnrt__port_text here, there;
    bool fits = input->declared_dtype == OH_NN_UNKNOWN || input->declared_dtype == from->dtype;
    uint32_t i;
    if (input->declared_rank != 0) fits = fits && input->declared_rank == from->rank;
    for (i = 0; fits && i < input->declared_rank; i++)
        fits = input->declared_dims[i] <= 0 || input->declared_dims[i] == from->dims[i];
    nnrt__port_set(input, from->dtype, from->rank, from->dims);
    if (fits) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s gives %s %s, %s takes %s %s",
                      nnrt__port_print(&there, group, input->from_stage, from), nnrt__dtype_name(from->dtype),
                      nnrt__shape_print(&given, from->rank, from->dims), nnrt__port_print(&here, group, stage, input),
                      nnrt__dtype_name(input->declared_dtype),
                      nnrt__shape_print(&wanted, input->declared_rank, input->declared_dims));
}

NNRT__FN bool nnrt__port_is_dynamic(const nnrt__group_port *port) {
    uint32_t i;
    for (i = 0; i < port->declared_rank; i++)
        if (port->declared_dims[i] <= 0) return true;
    return false;
}

/* Prepares an executor for the shapes of the inputs. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_prepare(const nnrt__stage *stage, OH_NNExecutor *executor, NN_TensorDesc **descs) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < stage->input_count; i++) {
        descs[i] = nnrt__port_desc(&stage->inputs[i]);
        if (descs[i] == NULL) code = OH_NN_MEMORY_ERROR;
    }
    if (code == OH_NN_SUCCESS) code = nnrt_executor_prepare(executor, descs, stage->input_count);
    for (i = 0; i < stage->input_count; i++)
        if (descs[i] != NULL) (void)OH_NNTensorDesc_Destroy(&descs[i]);
    return code;
}

/* The same of all executors of a model with dynamic shapes. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_prepare_all(const nnrt__stage *stage) {
    NN_TensorDesc **descs;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    bool dynamic = false;
    uint32_t i, k;
    for (i = 0; i < stage->input_count; i++) dynamic = dynamic || nnrt__port_is_dynamic(&stage->inputs[i]);
    if (!dynamic) return OH_NN_SUCCESS;
    descs = (NN_TensorDesc **)nnrt__alloc_zero(stage->input_count, sizeof(descs[0]));
    if (descs == NULL) return nnrt__fail_memory();
    for (i = 0; i < stage->replica_count; i++)
        for (k = 0; k < stage->replicas[i].lane->worker_count && code == OH_NN_SUCCESS; k++)
            code = nnrt__plan_prepare(stage, stage->replicas[i].executors[k], descs);
    nnrt__free(descs);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__plan_model(const nnrt_group *group, uint32_t number) {
    const nnrt__stage *stage = &group->stages[number];
    OH_NN_ReturnCode code = nnrt__plan_prepare_all(stage);
    uint32_t i, k;
    for (i = 0; i < stage->output_count && code == OH_NN_SUCCESS; i++) {
        nnrt__group_port *output = &stage->outputs[i];
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(stage->replicas[0].executors[0], i);
        int32_t *dims = NULL;
        size_t rank = 0;
        if (desc == NULL) return OH_NN_MEMORY_ERROR;
        code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
        if (code == OH_NN_SUCCESS) nnrt__port_set(output, output->declared_dtype, (uint32_t)rank, dims);
        (void)OH_NNTensorDesc_Destroy(&desc);
        for (k = 0; k < output->rank && code == OH_NN_SUCCESS; k++) {
            nnrt__port_text text;
            if (output->dims[k] <= 0)
                code = nnrt__fail(OH_NN_INVALID_PARAMETER, "the shape of %s is not known before a run",
                                  nnrt__port_print(&text, group, number, output));
        }
    }
    return code;
}

/* A port as the program sees it. */
NNRT__FN void nnrt__port_show(nnrt_group_port *to, const nnrt__group_port *from, OH_NN_DataType dtype, uint32_t rank,
                              const int32_t *dims) {
    memset(to, 0, sizeof(*to));
    to->name = from->name;
    to->list = from->list;
    to->dtype = dtype;
    to->rank = rank;
    memcpy(to->dims, dims, rank * sizeof(dims[0]));
}

NNRT__FN OH_NN_ReturnCode nnrt__plan_function(const nnrt_group *group, uint32_t number) {
    static const char function[] = "nnrt_group_finish";
    const nnrt__stage *stage = &group->stages[number];
    nnrt_group_port *ports; /* too many for a stack of a small board */
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    ports = (nnrt_group_port *)nnrt__alloc_zero((size_t)stage->input_count + stage->output_count, sizeof(ports[0]));
    if (ports == NULL) return nnrt__fail_memory();
    for (i = 0; i < stage->input_count; i++)
        nnrt__port_show(&ports[i], &stage->inputs[i], stage->inputs[i].dtype, stage->inputs[i].rank,
                        stage->inputs[i].dims);
    for (i = 0; i < stage->output_count; i++) {
        const nnrt__group_port *output = &stage->outputs[i];
        nnrt__port_show(&ports[stage->input_count + i], output, output->declared_dtype, output->declared_rank,
                        output->declared_dims);
    }
    (void)nnrt__fail(OH_NN_FAILED, "%.60s cannot describe its outputs", stage->name);
    if (stage->describe != NULL) code = stage->describe(stage->user, ports, ports + stage->input_count);
    for (i = 0; i < stage->output_count && code == OH_NN_SUCCESS; i++) {
        nnrt_group_port *shown = &ports[stage->input_count + i];
        shown->name = stage->outputs[i].name;
        code = nnrt__check_port(function, shown, false);
        if (code == OH_NN_SUCCESS) nnrt__port_set(&stage->outputs[i], shown->dtype, shown->rank, shown->dims);
    }
    nnrt__free(ports);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__plan_shapes(const nnrt_group *group, uint32_t number) {
    const nnrt__stage *stage = &group->stages[number];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < stage->input_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__plan_input(group, number, &stage->inputs[i]);
    if (code != OH_NN_SUCCESS) return code;
    return nnrt__stage_is_model(stage) ? nnrt__plan_model(group, number) : nnrt__plan_function(group, number);
}

/* ------------------------------------------------------------------------------------------------ layout */

/* The CPU device, for what no device touches; 0, the first device, without one. */
NNRT__FN size_t nnrt__plan_cpu(void) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    if (OH_NNDevice_GetAllDevicesID(&ids, &count) != OH_NN_SUCCESS) return 0;
    for (i = 0; i < count; i++) {
        OH_NN_DeviceType type = OH_NN_OTHERS;
        if (OH_NNDevice_GetType(ids[i], &type) == OH_NN_SUCCESS && type == OH_NN_CPU) return ids[i];
    }
    return 0;
}

/* Decides the device of an output's memory, and whether it must be flushed after writing. */
NNRT__FN void nnrt__plan_memory(nnrt_group *group, uint32_t number, size_t cpu) {
    nnrt__stage *stage = &group->stages[number];
    const bool model = nnrt__stage_is_model(stage);
    uint32_t i, k;
    for (i = 0; i < stage->output_count; i++) {
        nnrt__group_port *output = &stage->outputs[i];
        output->device_id = model ? stage->replicas[0].device_id : 0;
        output->to_device = output->to_cpu = false;
        for (k = 0; k < stage->edge_count; k++) {
            const nnrt__group_edge *edge = &group->edges[stage->first_edge + k];
            const nnrt__stage *to = &group->stages[edge->stage];
            if (edge->from_port != i) continue;
            if (!nnrt__stage_is_model(to)) {
                output->to_cpu = output->to_cpu || model;
                continue;
            }
            output->to_device = output->to_device || !model;
            if (output->device_id == 0) output->device_id = to->replicas[0].device_id;
        }
        if (output->device_id == 0) output->device_id = cpu;
    }
}

/* Numbers cells, jobs and arguments. false: they do not fit into size_t. */
NNRT__FN bool nnrt__plan_layout(nnrt_group *group) {
    const size_t cpu = nnrt__plan_cpu();
    uint32_t i, k;
    group->cell_count = group->job_count = group->argument_count = 0;
    for (i = 0; i < group->stage_count; i++) {
        nnrt__stage *stage = &group->stages[i];
        size_t arguments;
        nnrt__plan_memory(group, i, cpu);
        nnrt__stage_choose_lanes(stage);
        for (k = 0; k < stage->output_count; k++) {
            stage->outputs[k].first_cell = group->cell_count;
            stage->outputs[k].cell_count = stage->outputs[k].list ? stage->most_items : stage->job_count;
            if (!nnrt__add_size(group->cell_count, stage->outputs[k].cell_count, &group->cell_count)) return false;
        }
        stage->first_job = group->job_count;
        stage->first_argument = group->argument_count;
        if (!nnrt__mul_size((size_t)stage->input_count + stage->output_count, stage->job_count, &arguments) ||
            !nnrt__add_size(group->argument_count, arguments, &group->argument_count) ||
            !nnrt__add_size(group->job_count, stage->job_count, &group->job_count))
            return false;
    }
    for (i = 0; i < group->output_count; i++) {
        nnrt__stage *stage = &group->stages[group->outputs[i].stage];
        if (nnrt__stage_is_model(stage)) stage->outputs[group->outputs[i].port].to_cpu = true;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ finish */

NNRT__FN void nnrt__plan_free(nnrt_group *group) {
    uint32_t i;
    for (i = 0; i < group->frame_count; i++) nnrt__frame_free(&group->frames[i]);
    nnrt__free(group->frames);
    nnrt__free(group->order);
    nnrt__free(group->edges);
    group->frames = NULL;
    group->order = NULL;
    group->edges = NULL;
    group->frame_count = 0;
}

/* Starts the workers of every device of the group, and those for functions and callbacks. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_start(const nnrt_group *group) {
    OH_NN_ReturnCode code = nnrt__lane_start(group->scheduler->lanes);
    uint32_t i, k;
    for (i = 0; i < group->stage_count; i++)
        for (k = 0; k < group->stages[i].replica_count && code == OH_NN_SUCCESS; k++)
            code = nnrt__lane_start(group->stages[i].replicas[k].lane);
    return code;
}

/* All of it. What exists when it fails is freed with nnrt__plan_free. */
NNRT__FN OH_NN_ReturnCode nnrt__plan_make(nnrt_group *group, uint32_t frames) {
    OH_NN_ReturnCode code = nnrt__plan_check_connected(group);
    uint32_t i;
    if (code != OH_NN_SUCCESS) return code;
    group->edge_count = 0;
    for (i = 0; i < group->stage_count; i++) group->edge_count += group->stages[i].input_count;
    group->order = (uint32_t *)nnrt__alloc_zero(group->stage_count, sizeof(group->order[0]));
    group->edges = (nnrt__group_edge *)nnrt__alloc_zero(group->edge_count, sizeof(group->edges[0]));
    if (group->order == NULL || group->edges == NULL) return nnrt__fail_memory();
    nnrt__plan_edges(group);
    code = nnrt__plan_order(group);
    for (i = 0; i < group->stage_count && code == OH_NN_SUCCESS; i++) code = nnrt__plan_scope(group, group->order[i]);
    if (code == OH_NN_SUCCESS) code = nnrt__plan_outside(group);
    for (i = 1; i < group->stage_count && code == OH_NN_SUCCESS; i++) code = nnrt__plan_shapes(group, group->order[i]);
    if (code != OH_NN_SUCCESS) return code;
    if (!nnrt__plan_layout(group)) return nnrt__fail_memory();
    group->frames = (nnrt_frame *)nnrt__alloc_zero(frames, sizeof(group->frames[0]));
    if (group->frames == NULL) return nnrt__fail_memory();
    for (; group->frame_count < frames && code == OH_NN_SUCCESS; group->frame_count++)
        code = nnrt__frame_fill(&group->frames[group->frame_count], group);
    return code == OH_NN_SUCCESS ? nnrt__plan_start(group) : code;
}

NNRT_API OH_NN_ReturnCode nnrt_group_finish(nnrt_group *group, uint32_t frames) {
    static const char function[] = "nnrt_group_finish";
    OH_NN_ReturnCode code;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is finished already", function);
    if (frames == 0 || frames > NNRT_GROUP_MOST_FRAMES)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: frames is %u, 1 to %u are possible", function, (unsigned)frames,
                          NNRT_GROUP_MOST_FRAMES);
    code = nnrt__plan_make(group, frames);
    group->finished = code == OH_NN_SUCCESS;
    if (code != OH_NN_SUCCESS) nnrt__plan_free(group);
    return code;
}

/* ------------------------------------------------------------------------------------- the end of a group */

NNRT_API OH_NN_ReturnCode nnrt_group_abort(nnrt_group *group) {
    nnrt_frame *frame;
    if (group == NULL) return nnrt__fail_null("nnrt_group_abort", "group");
    nnrt__mutex_lock(&group->scheduler->mutex);
    for (frame = group->first_flying; frame != NULL;) {
        nnrt_frame *next = frame->next;
        nnrt__frame_end(frame, NNRT_FRAME_ABORT, OH_NN_FAILED, "the frame was aborted");
        frame = next;
    }
    nnrt__mutex_unlock(&group->scheduler->mutex);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_wait(nnrt_group *group, int32_t timeout_ms) {
    static const char function[] = "nnrt_group_wait";
    const uint64_t until = nnrt__group_deadline(timeout_ms);
    bool inside, in_time = true;
    if (group == NULL) return nnrt__fail_null(function, "group");
    nnrt__mutex_lock(&group->scheduler->mutex);
    inside = nnrt__scheduler_is_self(group->scheduler);
    group->waiting++;
    while (!inside && in_time && group->statistics.in_flight != 0)
        in_time = nnrt__scheduler_wait(group->scheduler, until);
    in_time = group->statistics.in_flight == 0;
    group->waiting--;
    nnrt__cond_broadcast(&group->scheduler->changed);
    nnrt__mutex_unlock(&group->scheduler->mutex);
    if (inside) return nnrt__fail_inside(function);
    return in_time ? OH_NN_SUCCESS : nnrt__fail(OH_NN_TIMEOUT, "%s: frames are in flight", function);
}

NNRT_API OH_NN_ReturnCode nnrt_group_destroy(nnrt_group **group) {
    static const char function[] = "nnrt_group_destroy";
    nnrt_scheduler *scheduler;
    nnrt_group *gone;
    bool inside;
    uint32_t i;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (*group == NULL) return nnrt__fail_null(function, "*group");
    gone = *group;
    scheduler = gone->scheduler;
    nnrt__mutex_lock(&scheduler->mutex);
    inside = nnrt__scheduler_is_self(scheduler);
    if (!inside) {
        gone->destroyed = true;
        nnrt__cond_broadcast(&scheduler->changed);
        while (gone->statistics.in_flight != 0 || gone->waiting != 0)
            nnrt__cond_wait(&scheduler->changed, &scheduler->mutex);
        NNRT_ASSERT(gone->first_flying == NULL && gone->first_async == NULL && !gone->callbacks.ready &&
                    !gone->calling);
        NNRT_ASSERT(scheduler->group_count != 0);
        scheduler->group_count--;
    }
    nnrt__mutex_unlock(&scheduler->mutex);
    if (inside) return nnrt__fail_inside(function);
    nnrt__plan_free(gone);
    for (i = 0; i < gone->stage_count; i++) nnrt__stage_free(&gone->stages[i]);
    nnrt__free(gone->stages);
    nnrt__free(gone->name);
    nnrt__free(gone);
    *group = NULL;
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------- statistics */

NNRT_API OH_NN_ReturnCode nnrt_group_get_statistics(nnrt_group *group, nnrt_group_statistics *statistics) {
    if (group == NULL) return nnrt__fail_null("nnrt_group_get_statistics", "group");
    if (statistics == NULL) return nnrt__fail_null("nnrt_group_get_statistics", "statistics");
    nnrt__mutex_lock(&group->scheduler->mutex);
    *statistics = group->statistics;
    nnrt__mutex_unlock(&group->scheduler->mutex);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_group_get_stage_statistics(nnrt_group *group, size_t index,
                                                          nnrt_stage_statistics *statistics) {
    static const char function[] = "nnrt_group_get_stage_statistics";
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (statistics == NULL) return nnrt__fail_null(function, "statistics");
    if (index >= group->stage_count - 1) /* without the outside */
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no stage %zu, the group has %u", function, index,
                          (unsigned)(group->stage_count - 1));
    nnrt__mutex_lock(&group->scheduler->mutex);
    *statistics = group->stages[index + 1].statistics;
    nnrt__mutex_unlock(&group->scheduler->mutex);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_GROUP_PLAN_H */
