/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/device.h - the NPU in software as a device of nnrt: `sim`, for a .rknn without a board.

   Written against the public interface of backends alone. Inputs and outputs are int8: the last operators of a model
   make other types of its outputs, and the vendor's runtime leaves them out unless they are wanted.

   After a run, the output of every operator is there, channels last: `nnrt run --dump` and `nnrt diff` show them. */
#ifndef NNRT_TOOLS_RKCHIP_DEVICE_H
#define NNRT_TOOLS_RKCHIP_DEVICE_H

#include "../../nnrt.h"

#include <time.h>

#include "facts.h"

#define RKCHIP_DEVICE "sim" /* as --device has it */

/* ----------------------------------------------------------------------------------------------- a model */

typedef struct rkchip_prepared {
    rkchip_model model;
    uint8_t *own; /* the bytes of a file that was read here; NULL: the caller's, who keeps them */
} rkchip_prepared;

static OH_NN_ReturnCode rkchip_read_file(const char *path, uint8_t **bytes, size_t *size) {
    char sentence[RKCHIP_SENTENCE];
    FILE *file = fopen(path, "rb");
    long length = -1;
    *bytes = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length > 0 && (unsigned long)length <= RKCHIP_MOST_MEMORY && fseek(file, 0, SEEK_SET) == 0) {
        *size = (size_t)length;
        *bytes = (uint8_t *)malloc(*size);
        if (*bytes != NULL && fread(*bytes, 1, *size, file) != *size) {
            free(*bytes);
            *bytes = NULL;
        }
    }
    if (file != NULL) (void)fclose(file);
    if (*bytes != NULL) return OH_NN_SUCCESS;
    (void)snprintf(sentence, sizeof(sentence), "%.200s: cannot be read", path);
    return nnrt_backend_fail(OH_NN_INVALID_FILE, sentence);
}

static void rkchip_release(void *prepared) {
    rkchip_prepared *self = (rkchip_prepared *)prepared;
    rkchip_model_free(&self->model);
    free(self->own);
    free(self);
}

static OH_NN_ReturnCode rkchip_prepare(void *device, const nnrt_request *request, void **prepared) {
    const void *bytes = request->model;
    size_t size = request->model_size;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    rkchip_prepared *self;
    (void)device;
    if (request->graph != NULL)
        return nnrt_backend_fail(OH_NN_UNSUPPORTED, "the simulated NPU runs .rknn files, it compiles no graph");
    self = (rkchip_prepared *)calloc(1, sizeof(*self));
    if (self == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
    if (request->model_path != NULL) {
        code = rkchip_read_file(request->model_path, &self->own, &size);
        bytes = self->own;
    }
    if (code == OH_NN_SUCCESS && !rkchip_model_read(&self->model, bytes, size))
        code = nnrt_backend_fail(OH_NN_UNSUPPORTED, self->model.sentence);
    if (code != OH_NN_SUCCESS) {
        rkchip_release(self);
        return code;
    }
    *prepared = self;
    return OH_NN_SUCCESS;
}

static void rkchip_io_count(void *prepared, size_t *inputs, size_t *outputs) {
    const rkchip_model *model = &((const rkchip_prepared *)prepared)->model;
    *inputs = model->input_count;
    *outputs = model->output_count;
}

/* Inputs of four dimensions have their channels last, as the vendor's runtime takes them; outputs have the shape of the
   model. */
static OH_NN_ReturnCode rkchip_io_desc(void *prepared, bool output, size_t index, nnrt_io_desc *desc) {
    const rkchip_model *model = &((const rkchip_prepared *)prepared)->model;
    const rkchip_tensor *t = output ? &model->outputs[index] : &model->inputs[index];
    uint32_t i;
    memset(desc, 0, sizeof(*desc));
    desc->name = t->name;
    desc->dtype = OH_NN_INT8;
    desc->rank = t->rank;
    desc->scale = t->scale;
    desc->zero_point = t->zero_point;
    desc->format = t->rank != 4 ? OH_NN_FORMAT_NONE : output ? OH_NN_FORMAT_NCHW : OH_NN_FORMAT_NHWC;
    for (i = 0; i < t->rank; i++) desc->dims[i] = (int32_t)t->dims[t->rank == 4 && !output && i > 0 ? 1 + i % 3 : i];
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------------- an executor */

typedef struct rkchip_executor {
    const rkchip_model *model;
    rkchip_job job;
    uint8_t *kept; /* outputs of all steps */
    nnrt_profile_step *steps;
    nnrt_schedule_tensor *tensors;
    nnrt_schedule_step *schedule_steps;
    uint32_t *numbers;   /* of each step its output */
    char (*kernels)[48]; /* of each step: the type of the operator, and its tasks */
    uint32_t step_count;
    nnrt_schedule schedule;
    char refuses[2 * RKCHIP_SENTENCE]; /* what a run is refused for; "": nobody has tried */
    uint64_t products;                 /* of a run, with those of padding; of what is not refused */
} rkchip_executor;

static void rkchip_close(void *executor) {
    rkchip_executor *self = (rkchip_executor *)executor;
    rkchip_job_close(&self->job);
    free(self->kept);
    free(self->steps);
    free(self->tensors);
    free(self->schedule_steps);
    free(self->numbers);
    free(self->kernels);
    free(self);
}

/* Is it one that is run and shown? */
static bool rkchip_is_step(const rkchip_operator *o) { return !o->is_output && o->task_count > 0; }

/* Shape and bytes of what a step gives: channels last. false: it is none that can be shown. */
static bool rkchip_show_result(const rkchip_operator *o, nnrt_schedule_tensor *t) {
    const rkchip_tensor *r = &o->result;
    uint32_t i;
    if (!o->has_result || r->rank > NNRT_MAX_RANK) return false;
    t->rank = r->rank;
    t->bytes = (size_t)rkchip_tensor_values(r);
    for (i = 0; i < r->rank; i++) t->dims[i] = (int32_t)r->dims[r->plane_bytes != 0 && i > 0 ? 1 + i % 3 : i];
    t->format = r->plane_bytes != 0 ? OH_NN_FORMAT_NHWC : OH_NN_FORMAT_NONE;
    return true;
}

/* The lists of steps and of what they give; *kept: bytes of all of that. */
static void rkchip_list_steps(rkchip_executor *self, size_t *kept) {
    const rkchip_model *model = self->model;
    uint32_t i, n = 0;
    for (i = 0; i < model->operator_count; i++) {
        const rkchip_operator *o = &model->operators[i];
        nnrt_schedule_tensor *t = &self->tensors[n];
        nnrt_profile_step *step = &self->steps[n];
        nnrt_schedule_step *s = &self->schedule_steps[n];
        if (!rkchip_is_step(o)) continue;
        t->name = o->result.name;
        t->dtype = OH_NN_INT8;
        t->scale = o->result.scale;
        t->zero_point = o->result.zero_point;
        t->quant_count = 1;
        t->place = NNRT_PLACE_ARENA;
        t->first_step = n;
        t->last_step = NNRT_SCHEDULE_NONE;
        t->view_of = NNRT_SCHEDULE_NONE;
        self->numbers[n] = rkchip_show_result(o, t) ? n : NNRT_SCHEDULE_NONE;
        t->offset = *kept;
        *kept += (t->bytes + 63) / 64 * 64;
        step->name = t->name;
        (void)snprintf(self->kernels[n], sizeof(self->kernels[n]), o->task_count == 1 ? "%s" : "%s, %lu tasks", o->type,
                       (unsigned long)o->task_count);
        step->kernel = self->kernels[n];
        step->isa = "npu";
        step->dtype = OH_NN_INT8;
        step->rank = t->rank;
        memcpy(step->dims, t->dims, sizeof(step->dims));
        step->output_scale = t->scale;
        step->output_zero_point = t->zero_point;
        s->outputs = &self->numbers[n];
        s->output_count = 1;
        s->group = n++;
    }
    self->step_count = n;
}

static OH_NN_ReturnCode rkchip_open_executor(void *prepared, void **executor) {
    const rkchip_model *model = &((const rkchip_prepared *)prepared)->model;
    rkchip_executor *self = (rkchip_executor *)calloc(1, sizeof(*self));
    const size_t count = model->operator_count;
    size_t kept = 0;
    if (self == NULL) return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
    self->model = model;
    self->steps = (nnrt_profile_step *)calloc(count, sizeof(*self->steps));
    self->tensors = (nnrt_schedule_tensor *)calloc(count, sizeof(*self->tensors));
    self->schedule_steps = (nnrt_schedule_step *)calloc(count, sizeof(*self->schedule_steps));
    self->numbers = (uint32_t *)calloc(count, sizeof(*self->numbers));
    self->kernels = (char(*)[48])calloc(count, sizeof(*self->kernels));
    if (rkchip_job_open(&self->job, model) && self->steps != NULL && self->tensors != NULL &&
        self->schedule_steps != NULL && self->numbers != NULL && self->kernels != NULL) {
        rkchip_list_steps(self, &kept);
        self->kept = (uint8_t *)calloc(1, kept + 1);
    }
    if (self->kept == NULL) {
        rkchip_close(self);
        return nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
    }
    self->schedule.tensors = self->tensors;
    self->schedule.steps = self->schedule_steps;
    self->schedule.tensor_count = self->schedule.step_count = self->step_count;
    self->schedule.arena = self->kept;
    *executor = self;
    return OH_NN_SUCCESS;
}

/* What a run over zeros is refused for, and its products, without one: once, in a job of its own. */
static OH_NN_ReturnCode rkchip_try_out(rkchip_executor *self) {
    rkchip_job job;
    bool opened;
    if (self->refuses[0] != '\0') return OH_NN_SUCCESS;
    opened = rkchip_job_open(&job, self->model);
    if (opened) {
        rkchip_tell_refused(&job, self->refuses, sizeof(self->refuses));
        self->products = job.chip->macs;
    }
    rkchip_job_close(&job);
    return opened ? OH_NN_SUCCESS : nnrt_backend_fail(OH_NN_MEMORY_ERROR, "out of memory");
}

/* ------------------------------------------------------------------------------------------------- a run */

static uint64_t rkchip_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* All tasks of an operator, as step number n. */
static bool rkchip_run_step(rkchip_executor *self, const rkchip_operator *o, uint32_t n) {
    const uint64_t start = rkchip_now_ns(), macs = self->job.chip->macs;
    nnrt_profile_step *step = &self->steps[n];
    if (!rkchip_job_run(&self->job, o)) return false;
    if (self->numbers[n] != NNRT_SCHEDULE_NONE)
        rkchip_job_get(&self->job, &o->result, true, self->kept + self->tensors[n].offset);
    step->macs = self->job.chip->macs - macs;
    step->last_ns = rkchip_now_ns() - start;
    step->total_ns += step->last_ns;
    if (step->runs == 0 || step->last_ns < step->min_ns) step->min_ns = step->last_ns;
    step->runs++;
    return true;
}

static OH_NN_ReturnCode rkchip_refused_step(const rkchip_executor *self, const rkchip_operator *o) {
    char sentence[2 * RKCHIP_SENTENCE];
    (void)snprintf(sentence, sizeof(sentence), "%.60s: %.180s", o->name, self->job.chip->sentence);
    return nnrt_backend_fail(OH_NN_UNSUPPORTED, sentence);
}

static OH_NN_ReturnCode rkchip_device_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                          size_t output_count) {
    rkchip_executor *self = (rkchip_executor *)executor;
    const rkchip_model *model = self->model;
    uint32_t i, n = 0;
    (void)input_count;
    for (i = 0; i < model->input_count; i++)
        rkchip_job_put(&self->job, &model->inputs[i], (const uint8_t *)inputs[i].data);
    for (i = 0; i < output_count; i++) {
        outputs[i].rank = model->outputs[i].rank;
        for (n = 0; n < outputs[i].rank; n++) outputs[i].dims[n] = (int32_t)model->outputs[i].dims[n];
    }
    n = 0;
    for (i = 0; i < model->operator_count; i++) {
        const rkchip_operator *o = &model->operators[i];
        if (o->is_output)
            rkchip_job_get(&self->job, &model->outputs[o->output], false, (uint8_t *)outputs[o->output].data);
        else if (o->task_count > 0 && !rkchip_run_step(self, o, n++)) return rkchip_refused_step(self, o);
    }
    return OH_NN_SUCCESS;
}

static OH_NN_ReturnCode rkchip_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    const rkchip_executor *self = (const rkchip_executor *)executor;
    *steps = self->steps;
    *count = self->step_count;
    return OH_NN_SUCCESS;
}

static OH_NN_ReturnCode rkchip_schedule(void *executor, const nnrt_schedule **schedule) {
    *schedule = &((const rkchip_executor *)executor)->schedule;
    return OH_NN_SUCCESS;
}

static const nnrt_fact rkchip_facts[] = {{"sim.tasks", NNRT_FACT_MODEL},
                                         {"sim.memory", NNRT_FACT_MODEL},
                                         {"sim.refuses", NNRT_FACT_MODEL},
                                         {"sim.cycles", NNRT_FACT_MODEL},
                                         {NULL, NNRT_FACT_END}};

/* Slot info. */
static OH_NN_ReturnCode rkchip_info(void *executor, const char *name, char *text, size_t size) {
    rkchip_executor *self = (rkchip_executor *)executor;
    const bool refuses = strcmp(name, "sim.refuses") == 0, cycles = strcmp(name, "sim.cycles") == 0;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (size < sizeof(self->refuses)) return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "512 bytes are needed");
    if (refuses || cycles) code = rkchip_try_out(self);
    if (code != OH_NN_SUCCESS) return code;
    if (refuses) memcpy(text, self->refuses, sizeof(self->refuses));
    else if (cycles) rkchip_tell_cycles(self->model, self->products, text, size);
    else if (strcmp(name, "sim.tasks") == 0) rkchip_tell_tasks(self->model, text, size);
    else if (strcmp(name, "sim.memory") == 0) rkchip_tell_memory(self->model, text, size);
    else code = nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "no such fact");
    return code;
}

static OH_NN_ReturnCode rkchip_memory_figures(void *executor, nnrt_memory *memory) {
    const rkchip_executor *self = (const rkchip_executor *)executor;
    memory->device_bytes = (size_t)self->job.region.size;
    memory->weights_bytes = (size_t)self->model->weights_bytes;
    return OH_NN_SUCCESS;
}

/* Makes the device, once. */
static OH_NN_ReturnCode rkchip_register(void) {
    static const nnrt_backend backend = {.version = NNRT_BACKEND_VERSION,
                                         .name = RKCHIP_DEVICE,
                                         .vendor = "rockchip",
                                         .device_version = "npu",
                                         .type = OH_NN_OTHERS,
                                         .capabilities = NNRT_NEEDS_NO_CACHE,
                                         .prepare = rkchip_prepare,
                                         .release = rkchip_release,
                                         .io_count = rkchip_io_count,
                                         .io_desc = rkchip_io_desc,
                                         .open_executor = rkchip_open_executor,
                                         .close_executor = rkchip_close,
                                         .run = rkchip_device_run,
                                         .profile = rkchip_profile,
                                         .memory = rkchip_memory_figures,
                                         .info = rkchip_info,
                                         .facts = rkchip_facts,
                                         .schedule = rkchip_schedule};
    static bool registered;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (!registered) code = nnrt_register_backend(&backend, NULL);
    registered = registered || code == OH_NN_SUCCESS;
    return code;
}

#endif /* NNRT_TOOLS_RKCHIP_DEVICE_H */
