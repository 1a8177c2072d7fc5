/* SPDX-License-Identifier: Apache-2.0 */
/* tools/tool_dump.h - what a run has computed: the inputs and outputs of the model and the outputs of every step, in
   memory, and from there in a folder of .npy files with an index.

   Steps are those of the compiled model. Where a device tells no schedule, or another tensor has taken the place of
   one, there is a sentence in place of the numbers. */
#ifndef NNRT_TOOLS_TOOL_DUMP_H
#define NNRT_TOOLS_TOOL_DUMP_H

#include "tool_compare.h"

typedef enum dump_role {
    DUMP_INPUT,
    DUMP_OUTPUT,
    DUMP_STEP
} dump_role;

/* One tensor. */
typedef struct dump_tensor {
    dump_role role;
    uint32_t step;  /* of DUMP_STEP */
    uint32_t index; /* of the input, the output, or among the outputs of the step */
    char *name;
    char operation[40]; /* of DUMP_STEP: the operator that the step came from, or its name */
    uint32_t fused;     /* NNRT_FUSED_* */
    npy_form form;
    OH_NN_Format format;
    double scale; /* 0: not quantized, or not by one pair */
    int32_t zero_point;
    size_t elements;
    void *data;      /* NULL: it is not there, and: */
    const char *why; /* a sentence; NULL: it is there */
} dump_tensor;

typedef struct dump {
    dump_tensor *tensors; /* inputs, outputs, steps in their order */
    size_t count, capacity;
} dump;

static void dump_free(dump *d) {
    for (size_t i = 0; i < d->count; i++) {
        free(d->tensors[i].name);
        free(d->tensors[i].data);
    }
    free(d->tensors);
    memset(d, 0, sizeof(*d));
}

/* One more, empty. */
static dump_tensor *dump_add(dump *d) {
    if (d->count == d->capacity) {
        const size_t capacity = d->capacity == 0 ? 64 : 2 * d->capacity;
        dump_tensor *grown = (dump_tensor *)allocate(capacity * sizeof(*grown));
        if (d->count > 0) memcpy(grown, d->tensors, d->count * sizeof(*grown));
        free(d->tensors);
        d->tensors = grown;
        d->capacity = capacity;
    }
    dump_tensor *t = &d->tensors[d->count++];
    memset(t, 0, sizeof(*t));
    return t;
}

static char *copy_text(const char *text) {
    char *copy = (char *)allocate(strlen(text) + 1);
    strcpy(copy, text);
    return copy;
}

/* Copies the elements; form is set. */
static void dump_fill(dump_tensor *t, const void *data) {
    size_t bytes = 0;
    if (npy_element_size(t->form.type) == 0 || !npy_bytes(&t->form, &bytes)) {
        t->why = "its type has no name in a .npy file";
        return;
    }
    t->elements = bytes / npy_element_size(t->form.type);
    t->data = allocate(bytes);
    if (bytes > 0) memcpy(t->data, data, bytes);
}

/* ------------------------------------------------------------------------------------------- from an executor */

/* An input or output of the model. */
static int dump_port(dump *d, const session *s, bool output, size_t i) {
    const NN_Tensor *tensor = output ? s->outputs[i] : s->inputs[i];
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    const char *name = NULL;
    dump_tensor *t = dump_add(d);
    t->role = output ? DUMP_OUTPUT : DUMP_INPUT;
    t->index = (uint32_t)i;
    const int result = tensor_form(tensor, &t->form);
    if (result != TOOL_OK) return result;
    OH_NN_ReturnCode code = output ? nnrt_executor_get_output_quant(s->executor, i, &t->scale, &t->zero_point)
                                   : nnrt_executor_get_input_quant(s->executor, i, &t->scale, &t->zero_point);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetName(desc, &name);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetFormat(desc, &t->format);
    if (code != OH_NN_SUCCESS) return refused("describe a tensor", code);
    t->name = copy_text(name == NULL ? "" : name);
    dump_fill(t, OH_NNTensor_GetDataBuffer(tensor));
    return TOOL_OK;
}

static bool ranges_meet(size_t a, size_t a_bytes, size_t b, size_t b_bytes) {
    return a_bytes > 0 && b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

/* Whether tensor t, which step has written into the arena, is still there after the last step. */
static bool is_still_there(const nnrt_schedule *s, const nnrt_schedule_tensor *t, uint32_t step) {
    for (uint32_t later = step + 1; later < s->step_count; later++) {
        const nnrt_schedule_step *by = &s->steps[later];
        if (ranges_meet(t->offset, t->bytes, by->scratch_offset, by->scratch_bytes)) return false;
        for (uint32_t k = 0; k < by->output_count; k++) {
            if (by->outputs[k] == NNRT_SCHEDULE_NONE) continue;
            const nnrt_schedule_tensor *other = &s->tensors[by->outputs[k]];
            if (other->place == NNRT_PLACE_ARENA && ranges_meet(t->offset, t->bytes, other->offset, other->bytes))
                return false;
        }
    }
    return true;
}

/* Where the bytes of an output of a step are; NULL: *why says why they are nowhere. */
static const void *step_output_data(const session *s, const nnrt_schedule *schedule, const nnrt_schedule_tensor *t,
                                    uint32_t step, const char **why) {
    if (schedule->steps[step].turns != 0 && t->place == NNRT_PLACE_ARENA) {
        *why = "computed some rows at a time, of which the arena holds a window";
        return NULL;
    }
    if (t->place == NNRT_PLACE_OUTPUT && t->index < s->output_count)
        return OH_NNTensor_GetDataBuffer(s->outputs[t->index]);
    if (t->place != NNRT_PLACE_ARENA || schedule->arena == NULL) {
        *why = "state, which the executor keeps to itself";
        return NULL;
    }
    if (is_still_there(schedule, t, step)) return (const uint8_t *)schedule->arena + t->offset;
    *why = "another tensor has taken its place: the plan was compiled without nnrt.keep";
    return NULL;
}

static void dump_step(dump *d, const session *s, const compiled_model *model, uint32_t i) {
    const nnrt_profile_step *step = &model->steps[i];
    const nnrt_schedule *schedule = model->schedule;
    const uint32_t outputs = schedule != NULL ? schedule->steps[i].output_count : 1;
    for (uint32_t k = 0; k < outputs; k++) {
        const uint32_t number = schedule != NULL ? schedule->steps[i].outputs[k] : NNRT_SCHEDULE_NONE;
        if (schedule != NULL && number == NNRT_SCHEDULE_NONE) continue; /* optional, and absent */
        dump_tensor *t = dump_add(d);
        t->role = DUMP_STEP;
        t->step = i;
        t->index = k;
        snprintf(t->operation, sizeof(t->operation), "%s", step->op != 0 ? operator_name(step->op) : step->name);
        if (schedule == NULL) {
            t->name = copy_text(step->name);
            t->form.type = step->dtype;
            t->form.rank = step->rank < NNRT_MAX_RANK ? step->rank : NNRT_MAX_RANK;
            memcpy(t->form.dims, step->dims, t->form.rank * sizeof(t->form.dims[0]));
            t->why = "inside the device, which tells no schedule";
            continue;
        }
        const nnrt_schedule_tensor *tensor = &schedule->tensors[number];
        t->name = copy_text(tensor->name);
        t->fused = schedule->steps[i].fused;
        t->form.type = tensor->dtype;
        t->form.rank = tensor->rank;
        memcpy(t->form.dims, tensor->dims, tensor->rank * sizeof(t->form.dims[0]));
        t->format = tensor->format;
        t->scale = tensor->scale;
        t->zero_point = tensor->zero_point;
        const void *data = step_output_data(s, schedule, tensor, i, &t->why);
        if (data != NULL) dump_fill(t, data);
    }
}

/* All that the last run of s has left behind. *d has to be freed in any case. */
static int dump_collect(dump *d, session *s) {
    compiled_model model;
    int result = TOOL_OK;
    memset(d, 0, sizeof(*d));
    for (size_t i = 0; i < s->input_count && result == TOOL_OK; i++) result = dump_port(d, s, false, i);
    for (size_t i = 0; i < s->output_count && result == TOOL_OK; i++) result = dump_port(d, s, true, i);
    if (result == TOOL_OK) result = ask_steps(s, &model);
    if (result == TOOL_OK) result = ask_schedule(s, &model);
    for (uint32_t i = 0; result == TOOL_OK && i < model.step_count; i++) dump_step(d, s, &model, i);
    return result;
}

/* ------------------------------------------------------------------------------------------------ to a folder */

static const char *role_name(dump_role role) {
    return role == DUMP_INPUT ? "input" : role == DUMP_OUTPUT ? "output" : "step";
}

static const char *format_name(OH_NN_Format format) {
    return format == OH_NN_FORMAT_NCHW ? "NCHW" : format == OH_NN_FORMAT_NHWC ? "NHWC" : NULL;
}

/* "input0.npy", "step012.npy", "step012_1.npy": of numbers alone, as names come from the model. */
static void dump_file_name(const dump_tensor *t, char name[48]) {
    if (t->role != DUMP_STEP) snprintf(name, 48, "%s%lu.npy", role_name(t->role), (unsigned long)t->index);
    else if (t->index == 0) snprintf(name, 48, "step%03lu.npy", (unsigned long)t->step);
    else snprintf(name, 48, "step%03lu_%lu.npy", (unsigned long)t->step, (unsigned long)t->index);
}

static char *path_in(const char *folder, const char *name) {
    const size_t room = strlen(folder) + strlen(name) + 2;
    char *path = (char *)allocate(room);
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

static void json_dump_tensor(json *j, const dump_tensor *t) {
    char name[48];
    dump_file_name(t, name);
    json_open(j, NULL, '{');
    json_string(j, "file", t->data != NULL ? name : NULL);
    json_string(j, "why", t->why);
    json_string(j, "role", role_name(t->role));
    if (t->role == DUMP_STEP) json_unsigned(j, "step", t->step);
    else json_null(j, "step");
    json_unsigned(j, "index", t->index);
    json_string(j, "name", t->name);
    json_string(j, "operator", t->role == DUMP_STEP ? t->operation : NULL);
    json_fused(j, t->fused);
    json_string(j, "type", type_name(t->form.type));
    json_shape(j, t->form.dims, t->form.rank);
    json_string(j, "layout", format_name(t->format));
    if (t->scale > 0.0) json_number(j, "scale", t->scale);
    else json_null(j, "scale");
    if (t->scale > 0.0) json_integer(j, "zero_point", t->zero_point);
    else json_null(j, "zero_point");
    json_close(j, '}');
}

static int write_file(const char *folder, const char *name, const void *head, size_t head_size, const void *data,
                      size_t size) {
    char *path = path_in(folder, name);
    output_file file;
    int result = output_write_parts(&file, path, head, head_size, data, size);
    if (result == TOOL_OK) result = output_commit(&file);
    free(path);
    return result;
}

static int dump_write_tensor(const char *folder, const dump_tensor *t) {
    char head[NPY_WRITTEN], name[48];
    if (t->data == NULL) return TOOL_OK;
    dump_file_name(t, name);
    npy_write_header(head, &t->form);
    return write_file(folder, name, head, sizeof(head), t->data, t->elements * npy_element_size(t->form.type));
}

/* Makes the folder if it is not there; what an earlier dump left in it is replaced, the index last. */
static int dump_write(const dump *d, const arguments *a, const session *s, const char *folder) {
    json j;
    int result = TOOL_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return write_failed(folder);
    for (size_t i = 0; i < d->count && result == TOOL_OK; i++) result = dump_write_tensor(folder, &d->tensors[i]);
    if (result != TOOL_OK) return result;
    json_begin(&j, "dump");
    json_identity(&j, a, s);
    json_open(&j, "tensors", '[');
    for (size_t i = 0; i < d->count; i++) json_dump_tensor(&j, &d->tensors[i]);
    json_close(&j, ']');
    json_close(&j, '}');
    json_raw(&j, "\n");
    result = write_file(folder, "index.json", "", 0, j.text, j.used);
    json_free(&j);
    return result;
}

#endif /* NNRT_TOOLS_TOOL_DUMP_H */
