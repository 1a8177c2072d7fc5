/* SPDX-License-Identifier: Apache-2.0 */
/* tools/json_model.h - a model and its executor as JSON: inputs, outputs, steps, tensors, edges, memory, facts.

   docs/json.md explains every field, and the test of the tool looks that it does. */
#ifndef NNRT_TOOLS_JSON_MODEL_H
#define NNRT_TOOLS_JSON_MODEL_H

#include "arguments.h"
#include "tool_json.h"
#include "tool_steps.h"

/* What a device tells of the compiled model. Pointers belong to the executor and end with its next run. */
typedef struct compiled_model {
    const nnrt_profile_step *steps; /* NULL: the shape of an input is open */
    uint32_t step_count;
    const nnrt_schedule *schedule; /* NULL: the device tells none */
    nnrt_profile_step alone;       /* the step of a device that keeps no list */
    const step_times *times;       /* of runs that count; NULL: the last one does */
} compiled_model;

/* Zero for a device that tells no figures. */
static int ask_memory(const session *s, nnrt_memory *memory, bool *told) {
    const OH_NN_ReturnCode code = nnrt_executor_get_memory(s->executor, memory);
    *told = code == OH_NN_SUCCESS;
    return code == OH_NN_SUCCESS || code == OH_NN_UNSUPPORTED ? TOOL_OK : refused("ask for memory figures", code);
}

/* Before ask_memory, as nnrt inspect does it, so that both tell the same bytes; ask_schedule comes behind. */
static int ask_steps(session *s, compiled_model *model) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    memset(model, 0, sizeof(*model));
    const int result = ask_profile(s, &model->steps, &model->step_count, &code);
    if (result != TOOL_OK || code == OH_NN_SUCCESS || code == OH_NN_DYNAMIC_SHAPE) return result;
    if (code != OH_NN_UNSUPPORTED) return refused("ask for the steps", code);
    model->alone.name = s->device_name;
    model->alone.kernel = model->alone.isa = "";
    model->steps = &model->alone;
    model->step_count = 1;
    return TOOL_OK;
}

static int ask_schedule(const session *s, compiled_model *model) {
    const OH_NN_ReturnCode code = nnrt_executor_get_schedule(s->executor, &model->schedule);
    if (code == OH_NN_SUCCESS || code == OH_NN_DYNAMIC_SHAPE || code == OH_NN_UNSUPPORTED) return TOOL_OK;
    return refused("ask for the schedule", code);
}

/* ---------------------------------------------------------------------------------------- inputs and outputs */

/* -1 for a dimension that is not known. */
static void json_shape(json *j, const int32_t *dims, size_t rank) {
    json_open(j, "shape", '[');
    for (size_t i = 0; i < rank && i < NNRT_MAX_RANK; i++) json_integer(j, NULL, dims[i]);
    json_close(j, ']');
}

/* Name, type, shape, quantization and bytes of an input or output of the model. */
static int json_port(json *j, const NN_TensorDesc *desc, double scale, int32_t zero_point) {
    const char *name = NULL;
    int32_t *dims = NULL;
    size_t rank = 0, bytes = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetName(desc, &name);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetDataType(desc, &type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
    if (code != OH_NN_SUCCESS) return refused("describe a tensor", code);
    json_string(j, "name", name == NULL ? "" : name);
    json_string(j, "type", type_name(type));
    json_shape(j, dims, rank);
    if (scale > 0.0) json_number(j, "scale", scale);
    else json_null(j, "scale");
    if (scale > 0.0) json_integer(j, "zero_point", zero_point);
    else json_null(j, "zero_point");
    if (OH_NNTensorDesc_GetByteSize(desc, &bytes) == OH_NN_SUCCESS && bytes > 0) json_unsigned(j, "bytes", bytes);
    else json_null(j, "bytes"); /* a dimension is unknown */
    return TOOL_OK;
}

static int json_input_port(json *j, const session *s, size_t i) {
    double scale = 0.0;
    int32_t zero_point = 0;
    const OH_NN_ReturnCode code = nnrt_executor_get_input_quant(s->executor, i, &scale, &zero_point);
    if (code != OH_NN_SUCCESS) return refused("ask how an input is quantized", code);
    return json_port(j, s->input_descs[i], scale, zero_point);
}

static int json_input(json *j, const session *s, size_t i) {
    const int result = json_input_port(j, s, i);
    json_open(j, "open", '[');
    for (size_t d = 0; d < NNRT_MAX_RANK; d++)
        if ((s->open[i] >> d & 1) != 0) json_unsigned(j, NULL, d);
    json_close(j, ']');
    return result;
}

static int json_output(json *j, const session *s, size_t i) {
    double scale = 0.0;
    int32_t zero_point = 0;
    NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(s->executor, i);
    const OH_NN_ReturnCode code = nnrt_executor_get_output_quant(s->executor, i, &scale, &zero_point);
    const int result = desc == NULL            ? refused_object("describe an output")
                       : code == OH_NN_SUCCESS ? json_port(j, desc, scale, zero_point)
                                               : refused("ask how an output is quantized", code);
    if (desc != NULL) OH_NNTensorDesc_Destroy(&desc);
    return result;
}

static int json_ports(json *j, const session *s) {
    int result = TOOL_OK;
    json_open(j, "inputs", '[');
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) {
        json_open(j, NULL, '{');
        result = json_input(j, s, i);
        json_close(j, '}');
    }
    json_close(j, ']');
    json_open(j, "outputs", '[');
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++) {
        json_open(j, NULL, '{');
        result = json_output(j, s, i);
        json_close(j, '}');
    }
    json_close(j, ']');
    return result;
}

/* ---------------------------------------------------------------------------------------------------- steps */

/* A number of a tensor or step. */
static void json_index(json *j, const char *key, uint32_t index) {
    if (index == NNRT_SCHEDULE_NONE) json_null(j, key);
    else json_unsigned(j, key, index);
}

static void json_indices(json *j, const char *key, const uint32_t *indices, uint32_t count) {
    json_open(j, key, '[');
    for (uint32_t i = 0; i < count; i++) json_index(j, NULL, indices[i]);
    json_close(j, ']');
}

static void json_fused(json *j, uint32_t fused) {
    json_open(j, "fused", '[');
    if ((fused & NNRT_FUSED_PAD) != 0) json_string(j, NULL, "PAD");
    if ((fused & NNRT_FUSED_RELU) != 0) json_string(j, NULL, "RELU");
    if ((fused & NNRT_FUSED_RELU6) != 0) json_string(j, NULL, "RELU6");
    json_close(j, ']');
}

static void json_numbers(json *j, const char *key, const int32_t *numbers, size_t count) {
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) json_integer(j, NULL, numbers[i]);
    json_close(j, ']');
}

/* NULL, or one without a kernel: null. */
static void json_window(json *j, const nnrt_window *window) {
    if (window == NULL || window->kernel[0] == 0) {
        json_null(j, "window");
        return;
    }
    json_open(j, "window", '{');
    json_numbers(j, "kernel", window->kernel, 2);
    json_numbers(j, "stride", window->stride, 2);
    json_numbers(j, "dilation", window->dilation, 2);
    json_numbers(j, "padding", window->padding, 4);
    json_close(j, '}');
}

/* What the schedule adds to a step. */
static void json_scheduled(json *j, const nnrt_schedule_step *step) {
    json_indices(j, "inputs", step->inputs, step->input_count);
    json_indices(j, "outputs", step->outputs, step->output_count);
    json_unsigned(j, "scratch_offset", step->scratch_offset);
    json_unsigned(j, "scratch_bytes", step->scratch_bytes);
    json_fused(j, step->fused);
    json_unsigned(j, "turns", step->turns);
    json_unsigned(j, "group", step->group);
    json_window(j, &step->window);
}

/* Numbers from first to first + count - 1. */
static void json_range(json *j, const char *key, size_t first, size_t count) {
    json_open(j, key, '[');
    for (size_t i = 0; i < count; i++) json_unsigned(j, NULL, first + i);
    json_close(j, ']');
}

/* The same of a device that tells no schedule: steps in a row, the model's inputs into the first. */
static void json_in_a_row(json *j, const session *s, const compiled_model *model, uint32_t i) {
    json_range(j, "inputs", 0, i == 0 ? s->input_count : 0);
    json_range(j, "outputs", s->input_count, i + 1 == model->step_count ? s->output_count : 0);
    json_unsigned(j, "scratch_offset", 0);
    json_unsigned(j, "scratch_bytes", 0);
    json_fused(j, 0);
    json_unsigned(j, "turns", 0);
    json_unsigned(j, "group", i);
    json_window(j, NULL);
}

static void json_step(json *j, const compiled_model *model, uint32_t i) {
    const nnrt_profile_step *step = &model->steps[i];
    json_string(j, "name", step->name);
    json_string(j, "operator", step->op != 0 ? operator_name(step->op) : step->name);
    json_string(j, "kernel", step->kernel);
    json_string(j, "isa", step->isa);
    json_string(j, "type", type_name(step->dtype));
    json_shape(j, step->dims, step->rank);
    if (step->output_scale > 0.0) json_number(j, "scale", step->output_scale);
    else json_null(j, "scale");
    if (step->output_scale > 0.0) json_integer(j, "zero_point", step->output_zero_point);
    else json_null(j, "zero_point");
    json_unsigned(j, "macs", step->macs);
    json_unsigned(j, "weights_bytes", step->weights_bytes);
    json_unsigned(j, "weight_scales", step->weight_scales);
    json_unsigned(j, "runs", step->runs);
    json_time(j, "min_us", (double)step->min_ns / 1e3, 3);
    json_time(j, "mean_us", step->runs == 0 ? 0.0 : (double)step->total_ns / step->runs / 1e3, 3);
    json_time(j, "median_us", step_median_us(model->times, model->steps, i, model->step_count), 3);
    json_unsigned(j, "copied_bytes", step->copied_bytes);
}

static void json_steps(json *j, const session *s, const compiled_model *model) {
    if (model->steps == NULL) {
        json_null(j, "steps");
        return;
    }
    json_open(j, "steps", '[');
    for (uint32_t i = 0; i < model->step_count; i++) {
        json_open(j, NULL, '{');
        json_step(j, model, i);
        if (model->schedule != NULL) json_scheduled(j, &model->schedule->steps[i]);
        else json_in_a_row(j, s, model, i);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* -------------------------------------------------------------------------------------- tensors and edges */

static const char *place_name(nnrt_place place) {
    static const char *const names[] = {"arena", "input", "output", "state", "next_state", "plan", "model"};
    return (size_t)place < sizeof(names) / sizeof(names[0]) ? names[place] : "?";
}

static void json_tensor(json *j, const nnrt_schedule_tensor *tensor) {
    json_string(j, "name", tensor->name);
    json_string(j, "type", type_name(tensor->dtype));
    json_shape(j, tensor->dims, tensor->rank);
    if (tensor->scale > 0.0) json_number(j, "scale", tensor->scale);
    else json_null(j, "scale");
    if (tensor->scale > 0.0) json_integer(j, "zero_point", tensor->zero_point);
    else json_null(j, "zero_point");
    json_unsigned(j, "bytes", tensor->bytes);
    json_string(j, "place", place_name(tensor->place));
    json_unsigned(j, "index", tensor->index);
    json_unsigned(j, "offset", tensor->offset);
    json_index(j, "first_step", tensor->first_step);
    json_index(j, "last_step", tensor->last_step);
    json_index(j, "view_of", tensor->view_of);
}

/* An input or output of the model in place of a tensor of the schedule. */
static int json_port_tensor(json *j, const session *s, bool output, size_t i, uint32_t step) {
    json_open(j, NULL, '{');
    const int result = output ? json_output(j, s, i) : json_input_port(j, s, i);
    json_string(j, "place", output ? "output" : "input");
    json_unsigned(j, "index", i);
    json_unsigned(j, "offset", 0);
    json_unsigned(j, "first_step", step);
    json_unsigned(j, "last_step", step);
    json_null(j, "view_of");
    json_close(j, '}');
    return result;
}

static int json_tensors(json *j, const session *s, const compiled_model *model) {
    int result = TOOL_OK;
    if (model->steps == NULL) {
        json_null(j, "tensors");
        return result;
    }
    json_open(j, "tensors", '[');
    for (uint32_t t = 0; model->schedule != NULL && t < model->schedule->tensor_count; t++) {
        json_open(j, NULL, '{');
        json_tensor(j, &model->schedule->tensors[t]);
        json_close(j, '}');
    }
    if (model->schedule == NULL) {
        const uint32_t last = model->step_count > 0 ? model->step_count - 1 : 0;
        for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) result = json_port_tensor(j, s, false, i, 0);
        for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++)
            result = json_port_tensor(j, s, true, i, last);
    }
    json_close(j, ']');
    return result;
}

static void json_edge(json *j, uint32_t tensor, uint32_t from, uint32_t to) {
    json_open(j, NULL, '{');
    json_index(j, "tensor", tensor);
    json_index(j, "from", from);
    json_index(j, "to", to);
    json_close(j, '}');
}

/* writers: of each tensor the step that has written it last, or NNRT_SCHEDULE_NONE. Constants are no edges. */
static void json_edge_into(json *j, const nnrt_schedule *schedule, const uint32_t *writers, uint32_t t, uint32_t to) {
    uint32_t root = t;
    if (t == NNRT_SCHEDULE_NONE) return;
    while (schedule->tensors[root].view_of != NNRT_SCHEDULE_NONE) root = schedule->tensors[root].view_of;
    if (schedule->tensors[root].place == NNRT_PLACE_PLAN || schedule->tensors[root].place == NNRT_PLACE_MODEL) return;
    json_edge(j, t, writers[root], to);
}

static void json_edges_of(json *j, const nnrt_schedule *schedule) {
    uint32_t *writers = (uint32_t *)allocate(schedule->tensor_count * sizeof(uint32_t) + 1);
    memset(writers, 0xff, schedule->tensor_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < schedule->step_count; i++) {
        const nnrt_schedule_step *step = &schedule->steps[i];
        for (uint32_t k = 0; k < step->input_count; k++) json_edge_into(j, schedule, writers, step->inputs[k], i);
        for (uint32_t k = 0; k < step->output_count; k++)
            if (step->outputs[k] != NNRT_SCHEDULE_NONE) writers[step->outputs[k]] = i;
    }
    for (uint32_t i = 0; i < schedule->output_count; i++)
        json_edge_into(j, schedule, writers, schedule->outputs[i], NNRT_SCHEDULE_NONE);
    free(writers);
}

static void json_edges(json *j, const session *s, const compiled_model *model) {
    if (model->steps == NULL) {
        json_null(j, "edges");
        return;
    }
    json_open(j, "edges", '[');
    if (model->schedule != NULL) json_edges_of(j, model->schedule);
    else {
        for (size_t i = 0; i < s->input_count; i++) json_edge(j, (uint32_t)i, NNRT_SCHEDULE_NONE, 0);
        for (uint32_t i = 1; i < model->step_count; i++) json_edge(j, NNRT_SCHEDULE_NONE, i - 1, i);
        for (size_t i = 0; i < s->output_count; i++)
            json_edge(j, (uint32_t)(s->input_count + i), model->step_count - 1, NNRT_SCHEDULE_NONE);
    }
    json_close(j, ']');
}

/* ------------------------------------------------------------------------------------------- memory and facts */

static void json_memory(json *j, const nnrt_memory *memory, bool told) {
    if (!told) {
        json_null(j, "memory");
        return;
    }
    json_open(j, "memory", '{');
    json_unsigned(j, "arena_bytes", memory->arena_bytes);
    json_unsigned(j, "bound_bytes", memory->bound_bytes);
    json_unsigned(j, "scratch_bytes", memory->scratch_bytes);
    json_unsigned(j, "weights_bytes", memory->weights_bytes);
    json_unsigned(j, "plan_bytes", memory->plan_bytes);
    json_unsigned(j, "borrowed_bytes", memory->borrowed_bytes);
    json_unsigned(j, "heap_bytes", memory->heap_bytes);
    json_unsigned(j, "device_bytes", memory->device_bytes);
    json_unsigned(j, "build_peak_bytes", memory->build_peak_bytes);
    json_unsigned(j, "state_bytes", memory->state_bytes);
    json_close(j, '}');
}

/* A thing that a file tells of itself. */
static void json_label(void *user, const char *label, const char *text) {
    json *j = (json *)user;
    json_open(j, NULL, '{');
    json_string(j, "label", label);
    json_string(j, "text", text);
    json_close(j, '}');
}

/* One fact, number appended to its name if there is one, when the device tells it. */
static void json_fact(json *j, const session *s, const char *name, const char *number) {
    char whole[128], text[1024];
    snprintf(whole, sizeof(whole), "%s%s", name, number);
    if (nnrt_executor_get_info(s->executor, whole, text, sizeof(text)) != OH_NN_SUCCESS || text[0] == '\0') return;
    json_label(j, whole, text);
}

static void json_facts(json *j, const session *s) {
    const nnrt_fact *fact = NULL;
    json_open(j, "facts", '[');
    if (nnrt_device_get_facts(s->device, &fact) != OH_NN_SUCCESS) fact = NULL;
    for (; fact != NULL && fact->name != NULL; fact++) {
        const size_t count = fact->kind == NNRT_FACT_INPUT    ? s->input_count
                             : fact->kind == NNRT_FACT_OUTPUT ? s->output_count
                                                              : 0;
        if (fact->kind == NNRT_FACT_MODEL) json_fact(j, s, fact->name, "");
        for (size_t i = 0; i < count; i++) {
            char number[24];
            snprintf(number, sizeof(number), "%zu", i);
            json_fact(j, s, fact->name, number);
        }
    }
    json_close(j, ']');
}

/* Steps that an accelerator does, and what they cost. */
static void json_parts(json *j, const session *s, const compiled_model *model) {
    part_cost cost;
    json_open(j, "parts", '[');
    for (uint32_t i = 0; model->steps != NULL && i < model->step_count; i++) {
        if (!is_part(&model->steps[i]) || !ask_part(s->executor, i, &cost)) continue;
        json_open(j, NULL, '{');
        json_unsigned(j, "step", i);
        json_unsigned(j, "tasks", cost.tasks);
        json_unsigned(j, "tiles", cost.tiles);
        json_unsigned(j, "read_bytes", cost.read);
        json_unsigned(j, "written_bytes", cost.written);
        json_unsigned(j, "loaded_bytes", cost.loaded);
        json_unsigned(j, "memory_bytes", cost.memory);
        json_unsigned(j, "estimated_us", cost.estimated_us);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* Operators that an accelerator does, or those that it does not get, and why. */
static void json_places(json *j, const char *key, const session *s, bool stay) {
    json_open(j, key, '[');
    for (size_t i = 0; i < s->places.count; i++) {
        const placing *one = &s->places.list[i];
        if (stay != (one->reason[0] != '\0')) continue;
        json_open(j, NULL, '{');
        json_unsigned(j, "operator", one->number);
        json_string(j, "name", one->name);
        if (stay) json_string(j, "reason", one->reason);
        else {
            json_unsigned(j, "tasks", one->tasks);
            json_unsigned(j, "tiles", one->tiles);
            json_unsigned(j, "macs", one->macs);
            json_unsigned(j, "read_bytes", one->read);
            json_unsigned(j, "written_bytes", one->written);
        }
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* ------------------------------------------------------------------------------------------------- the whole */

/* The model and how it was asked to be built; s NULL: its device is not here. */
static void json_identity(json *j, const arguments *a, const session *s) {
    static const char *const modes[] = {NULL, "low", "medium", "high", "extreme"};
    json_string(j, "model", a->build.model);
    json_string(j, "device", s != NULL ? s->device_name : NULL);
    json_string(j, "isa", a->build.isa);
    json_string(j, "target", a->build.target);
    if (a->build.threads != NULL) json_unsigned(j, "threads", strtoul(a->build.threads, NULL, 10));
    else json_null(j, "threads");
    json_string(j, "performance", modes[a->build.performance]);
}

/* Everything that is known of a session. times: of its steps; NULL: those of the last run. */
static int json_session(json *j, session *s, const step_times *times) {
    compiled_model model;
    nnrt_memory memory;
    bool told = false;
    memset(&memory, 0, sizeof(memory));
    int result = ask_steps(s, &model);
    model.times = times;
    if (result == TOOL_OK) result = ask_memory(s, &memory, &told);
    if (result == TOOL_OK) result = ask_schedule(s, &model);
    if (result == TOOL_OK) result = json_ports(j, s);
    if (result != TOOL_OK) return result;
    json_steps(j, s, &model);
    result = json_tensors(j, s, &model);
    json_edges(j, s, &model);
    json_memory(j, &memory, told);
    json_facts(j, s);
    json_parts(j, s, &model);
    json_places(j, "done", s, false);
    json_places(j, "stays", s, true);
    return result;
}

#endif /* NNRT_TOOLS_JSON_MODEL_H */
