/* SPDX-License-Identifier: Apache-2.0 */
/* tools/command_inspect.h - `nnrt inspect`: inputs, outputs, steps, memory, and what the file tells. */
#ifndef NNRT_TOOLS_COMMAND_INSPECT_H
#define NNRT_TOOLS_COMMAND_INSPECT_H

#include "json_model.h"

/* One row per tensor: number, name, type, shape, quantization, bytes. */
static int add_tensor_row(table *t, size_t index, const NN_TensorDesc *desc, unsigned open, double scale,
                          int32_t zero_point) {
    char text[SHAPE_TEXT];
    const char *name = NULL;
    int32_t *dims = NULL;
    size_t rank = 0, bytes = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetName(desc, &name);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetDataType(desc, &type);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
    if (code != OH_NN_SUCCESS) return refused("describe a tensor", code);
    cell(t, "%zu", index);
    cell(t, "%s", name == NULL ? "" : name);
    cell(t, "%s", type_name(type));
    cell(t, "%s", open_shape_text(text, dims, rank, open));
    if (scale > 0.0) cell(t, "scale %.9g, zero point %ld", scale, (long)zero_point);
    else cell(t, "not quantized");
    if (OH_NNTensorDesc_GetByteSize(desc, &bytes) == OH_NN_SUCCESS && bytes > 0) cell(t, "%zu B", bytes);
    else cell(t, "? B"); /* a dimension is unknown */
    return TOOL_OK;
}

static int print_inputs_and_outputs(const session *s) {
    table t = table_begin("rllllr");
    int result = TOOL_OK;
    printf("\ninputs\n");
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) {
        double scale = 0.0;
        int32_t zero_point = 0;
        const OH_NN_ReturnCode code = nnrt_executor_get_input_quant(s->executor, i, &scale, &zero_point);
        result = code == OH_NN_SUCCESS ? add_tensor_row(&t, i, s->input_descs[i], s->open[i], scale, zero_point)
                                       : refused("ask how an input is quantized", code);
    }
    table_end(&t);
    if (result != TOOL_OK) return result;
    printf("\noutputs\n");
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++) {
        double scale = 0.0;
        int32_t zero_point = 0;
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(s->executor, i);
        const OH_NN_ReturnCode code = nnrt_executor_get_output_quant(s->executor, i, &scale, &zero_point);
        result = desc == NULL            ? refused_object("describe an output")
                 : code == OH_NN_SUCCESS ? add_tensor_row(&t, i, desc, 0, scale, zero_point)
                                         : refused("ask how an output is quantized", code);
        if (desc != NULL) OH_NNTensorDesc_Destroy(&desc);
    }
    table_end(&t);
    return result;
}

static void add_weights_kind(table *t, const nnrt_profile_step *step) {
    if (step->weight_scales == 0) cell(t, "-");
    else if (step->weight_scales == 1) cell(t, "per tensor");
    else cell(t, "per channel (%lu)", (unsigned long)step->weight_scales);
}

/* The operator that a step came from, of a part of an accelerator no single one; the name of the step when the device
   does not tell one, as an NPU that runs a whole model at once. */
static const char *step_operator(const nnrt_profile_step *step) {
    if (is_part(step)) return "several";
    return step->op != 0 ? operator_name(step->op) : step->name;
}

/* "-" for a layer of which the device does not tell the shape; a step of a graph always has one. */
static const char *step_shape(char text[SHAPE_TEXT], const nnrt_profile_step *step) {
    return step->op == 0 && step->rank == 0 ? "-" : shape_text(text, step->dims, step->rank);
}

static void print_step_table(const nnrt_profile_step *steps, uint32_t count) {
    static const char *const titles[] = {"step",  "operator",   "kernel",        "isa",     "output", "shape",
                                         "scale", "zero point", "weight scales", "weights", "MACs"};
    unsigned long long macs = 0, weights = 0;
    table t = table_begin("rlllllrrlrr");
    for (size_t i = 0; i < t.columns; i++) cell(&t, "%s", titles[i]);
    for (uint32_t i = 0; i < count; i++) {
        const nnrt_profile_step *step = &steps[i];
        char text[SHAPE_TEXT];
        cell(&t, "%lu", (unsigned long)i);
        cell(&t, "%s", step_operator(step));
        cell(&t, "%s", step->kernel);
        cell(&t, "%s", step->isa);
        cell(&t, "%s", type_name(step->dtype));
        cell(&t, "%s", step_shape(text, step));
        if (step->output_scale > 0.0) {
            cell(&t, "%.6g", step->output_scale);
            cell(&t, "%ld", (long)step->output_zero_point);
        } else {
            cell(&t, "-");
            cell(&t, "-");
        }
        add_weights_kind(&t, step);
        cell(&t, "%llu B", (unsigned long long)step->weights_bytes);
        cell(&t, "%llu", (unsigned long long)step->macs);
        macs += step->macs;
        weights += step->weights_bytes;
    }
    cell(&t, "%s", "");
    cell(&t, "total");
    for (size_t i = 2; i < 9; i++) cell(&t, "%s", "");
    cell(&t, "%llu B", weights);
    cell(&t, "%llu", macs);
    table_end(&t);
}

/* The steps, which a model with open shapes has only after a run. A device without a profile is no
   failure. */
static int print_steps(session *s) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    const int result = ask_profile(s, &steps, &count, &code);
    if (result != TOOL_OK) return result;
    printf("\nsteps\n");
    if (code == OH_NN_SUCCESS) {
        print_step_table(steps, count);
        print_parts(&s->places, s->executor, steps, count);
    }
    if (code == OH_NN_UNSUPPORTED) printf("  the device keeps no list of steps\n");
    else if (code == OH_NN_DYNAMIC_SHAPE)
        printf("  known when the input shapes are (--shape), or in a run, where inputs hold axes or sizes\n");
    else if (code != OH_NN_SUCCESS && code != OH_NN_UNSUPPORTED) return refused("ask for the steps", code);
    return TOOL_OK;
}

static int print_memory(const session *s) {
    nnrt_memory memory;
    table t = table_begin("lrl");
    const OH_NN_ReturnCode code = nnrt_executor_get_memory(s->executor, &memory);
    printf("\nmemory\n");
    if (code == OH_NN_UNSUPPORTED) printf("  the device gives no figures\n");
    if (code == OH_NN_UNSUPPORTED) return TOOL_OK;
    if (code != OH_NN_SUCCESS) return refused("ask for memory figures", code);
    static const char *const names[] = {"arena",    "RAM",  "bound",  "scratch", "weights", "plan",
                                        "borrowed", "heap", "device", "build",   "state"};
    static const char *const meanings[] = {"activations and scratch of one executor",
                                           "arena, inputs and outputs: what firmware needs, and 1 KB of handles",
                                           "what its fullest step needs: no arena of these steps is smaller",
                                           "part of the arena that kernels use while they run",
                                           "constants in the plan: weights, biases, tables",
                                           "whole plan, weights included",
                                           "of plan and weights, what is read in place from the file",
                                           "all that is allocated, arena included",
                                           "memory of an accelerator",
                                           "the most that was allocated at once while the model was built",
                                           "kept from run to run, as it was and as it will be; not in the arena"};
    const size_t sizes[] = {memory.arena_bytes,    memory.arena_bytes + bytes_of_tensors(s),
                            memory.bound_bytes,    memory.scratch_bytes,
                            memory.weights_bytes,  memory.plan_bytes,
                            memory.borrowed_bytes, memory.heap_bytes,
                            memory.device_bytes,   memory.build_peak_bytes,
                            memory.state_bytes};
    /* A device that runs the model as a whole tells nothing of a plan: its zeros are no figures. */
    static const bool of_plan[] = {false, true, true, true, false, true, true, false, false, false, false};
    const bool has_plan = memory.plan_bytes > 0 || memory.bound_bytes > 0;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (of_plan[i] && !has_plan) continue;
        cell(&t, "%s", names[i]);
        cell(&t, "%zu B", sizes[i]);
        cell(&t, "%s", meanings[i]);
    }
    table_end(&t);
    return TOOL_OK;
}

/* One fact, number appended to its name if there is one, when the device tells it. */
static void add_device_fact(table *t, const session *s, const char *name, const char *number) {
    char whole[128], text[1024];
    snprintf(whole, sizeof(whole), "%s%s", name, number);
    if (nnrt_executor_get_info(s->executor, whole, text, sizeof(text)) != OH_NN_SUCCESS || text[0] == '\0') return;
    add_fact(t, whole, text);
}

/* What the device tells in words about itself, the model and its tensors; devices that tell nothing print nothing. */
static void print_facts(const session *s) {
    const nnrt_fact *fact = NULL;
    table t = table_begin("ll");
    if (nnrt_device_get_facts(s->device, &fact) != OH_NN_SUCCESS) return;
    for (; fact->name != NULL; fact++) {
        const size_t count = fact->kind == NNRT_FACT_INPUT    ? s->input_count
                             : fact->kind == NNRT_FACT_OUTPUT ? s->output_count
                                                              : 0;
        if (fact->kind == NNRT_FACT_MODEL) add_device_fact(&t, s, fact->name, "");
        for (size_t i = 0; i < count; i++) {
            char number[24];
            snprintf(number, sizeof(number), "%zu", i);
            add_device_fact(&t, s, fact->name, number);
        }
    }
    if (t.count > 0) printf("\nfacts\n");
    table_end(&t);
}

static void print_identity(const arguments *a, const session *s) {
    table t = table_begin("ll");
    cell(&t, "model");
    cell(&t, "%s", a->build.model);
    cell(&t, "device");
    cell(&t, "%s", s->device_name);
    cell(&t, "library");
    cell(&t, "%s", nnrt_version());
    if (a->build.isa != NULL) {
        cell(&t, "isa");
        cell(&t, "%s", a->build.isa);
    }
    if (a->build.threads != NULL) {
        cell(&t, "threads");
        cell(&t, "%s", a->build.threads);
    }
    table_end(&t);
}

/* The file tells about itself first, and where its device is not here that is all: no failure, but said. */
static int inspect_file(const arguments *a, bool *finished) {
    model_file model;
    chosen_device device = {0, NULL};
    bool found = false;
    int result = print_file(a->build.model, &model);
    *finished = result != TOOL_OK;
    if (result != TOOL_OK || model.device == NULL) return result;
    printf("\n");
    if (a->build.device != NULL) return TOOL_OK;
    result = look_for_exactly(model.device, &device, &found);
    *finished = !found;
    if (result == TOOL_OK && *finished)
        printf("The rest needs device %s, which is not here: %s\n", model.device, why_missing(model.device));
    return result;
}

/* The device of the file, and whether it is here; --device takes its place. */
static int file_json(json *j, const arguments *a, bool *here) {
    model_file model;
    chosen_device device = {0, NULL};
    json_open(j, "file", '{');
    json_open(j, "facts", '[');
    int result = look_at_file(a->build.model, &model, json_label, j);
    json_close(j, ']');
    json_unsigned(j, "bytes", model.size);
    json_string(j, "device", model.device);
    json_close(j, '}');
    *here = true;
    if (result != TOOL_OK || a->build.device != NULL) return result;
    if (model.code != OH_NN_SUCCESS && model.code != OH_NN_UNSUPPORTED) return refused(a->build.model, model.code);
    if (model.device != NULL) result = look_for_exactly(model.device, &device, here);
    if (result == TOOL_OK && !*here) json_string(j, "why_missing", why_missing(model.device));
    return result;
}

static int inspect_json(const arguments *a) {
    session s;
    json j;
    bool here = false;
    json_begin(&j, "inspect");
    int result = file_json(&j, a, &here);
    if (result == TOOL_OK && !here) json_identity(&j, a, NULL);
    if (result != TOOL_OK || !here) return json_end(&j, result);
    result = session_open(&s, &a->build);
    if (result == TOOL_OK) json_identity(&j, a, &s);
    if (result == TOOL_OK) result = json_session(&j, &s, NULL);
    session_close(&s);
    return json_end(&j, result);
}

/* "#define NNRT_OPS(X) X(CONV2D) ...", in lines that end with a backslash. */
static int inspect_ops(const arguments *a) {
    char names[4096];
    session s;
    int result = session_open(&s, &a->build);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (result == TOOL_OK) code = nnrt_executor_get_info(s.executor, "cpu.operators", names, sizeof(names));
    if (result == TOOL_OK && code != OH_NN_SUCCESS) result = refused(a->build.model, code);
    if (result == TOOL_OK) {
        int column = printf("#define NNRT_OPS(X)");
        for (const char *name = names; *name != '\0'; name += strcspn(name, " "), name += *name == ' ') {
            const int length = (int)strcspn(name, " ");
            if (column + length + 4 > 108) {
                printf(" \\\n   ");
                column = 3;
            }
            column += printf(" X(%.*s)", length, name);
        }
        printf("\n");
    }
    session_close(&s);
    return result;
}

static int command_inspect(const arguments *a) {
    session s;
    bool finished = false;
    if (a->ops) return inspect_ops(a);
    if (a->json) return inspect_json(a);
    int result = inspect_file(a, &finished);
    if (finished) return result;
    result = session_open(&s, &a->build);
    if (result == TOOL_OK) {
        print_identity(a, &s);
        result = print_inputs_and_outputs(&s);
    }
    if (result == TOOL_OK) result = print_steps(&s);
    if (result == TOOL_OK) result = print_memory(&s);
    if (result == TOOL_OK) print_facts(&s);
    session_close(&s);
    return result;
}

#endif /* NNRT_TOOLS_COMMAND_INSPECT_H */
