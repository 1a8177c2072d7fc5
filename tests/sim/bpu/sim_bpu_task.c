/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_task.c - tasks: what is refused, the table, wait, release, callbacks. What a core does is in
   sim_bpu_engine.c. */
#define _GNU_SOURCE
#include "sim_bpu.h"

#include "../common/sim_private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sim_kind sim_bpu_kind_task = {"task"};
pthread_cond_t sim_bpu_ended = PTHREAD_COND_INITIALIZER;

static unsigned sim_bpu_live;      /* tasks that count */
static sim_bpu_task *sim_bpu_left; /* released while they ran */
static uint64_t sim_bpu_submissions;

/* Locked. */
static unsigned sim_bpu_limit(const sim_bpu_release *release) {
    const char *text = release->ucp ? getenv("HB_UCP_MAX_TASK_NUM") : NULL;
    const unsigned limit = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    return limit ? limit : 32;
}

static sim_bpu_task *sim_bpu_task_of(vendor_handle handle) {
    sim_context *context = sim_context_find((sim_handle)(uintptr_t)handle);
    return context && context->kind == &sim_bpu_kind_task ? (sim_bpu_task *)context : NULL;
}

static void sim_bpu_job_free(sim_bpu_job *job) {
    if (job->packed) job->packed->tasks--;
    free(job->rois);
    free(job->inputs);
    free(job->outputs);
    memset(job, 0, sizeof(*job));
}

void sim_bpu_task_free(sim_bpu_task *task) {
    sim_bpu_task **place = &sim_bpu_left;
    uint32_t i;
    while (*place && *place != task) place = &(*place)->left;
    if (*place) *place = task->left;
    for (i = 0; i < task->jobs; i++) sim_bpu_job_free(&task->job[i]);
    if (task->counted) sim_bpu_live--;
    free(task->job);
    free(task);
}

static bool sim_bpu_overlap(const sim_bpu_tensor *tensor, uint64_t physical, uint64_t size) {
    uint32_t k;
    for (k = 0; k < 2; k++)
        if (tensor->memory[k].size && physical < tensor->memory[k].physical + tensor->memory[k].size &&
            tensor->memory[k].physical < physical + size)
            return true;
    return false;
}

static uint32_t sim_bpu_tensors(const sim_bpu_job *job, uint32_t side) {
    if (!job->model) return 1;
    return side ? job->model->count[1] : job->batch * job->model->count[0];
}

static bool sim_bpu_task_uses(const sim_bpu_task *task, uint64_t physical, uint64_t size) {
    uint32_t k, i;
    if (task->state == SIM_BPU_OVER) return false;
    for (k = 0; k < task->jobs; k++) {
        const sim_bpu_job *job = &task->job[k];
        for (i = 0; i < sim_bpu_tensors(job, 0); i++)
            if (sim_bpu_overlap(&job->inputs[i], physical, size)) return true;
        for (i = 0; i < sim_bpu_tensors(job, 1); i++)
            if (sim_bpu_overlap(&job->outputs[i], physical, size)) return true;
    }
    return false;
}

bool sim_bpu_reachable(const void *array) {
    const sim_memory *found;
    size_t offset;
    if (!array) return false;
    sim_lock();
    found = sim_memory_at_phys((uint64_t)(uintptr_t)array, &offset);
    sim_unlock();
    if (!found) return true;
    sim_crash(SIGSEGV,
              "the array of outputs was given where the address of a variable that holds its address is wanted");
    return false;
}

bool sim_bpu_in_use(uint64_t physical, uint64_t size) {
    const sim_context *context;
    const sim_bpu_task *task;
    for (context = sim_state.contexts; context; context = context->next)
        if (context->kind == &sim_bpu_kind_task && sim_bpu_task_uses((const sim_bpu_task *)context, physical, size))
            return true;
    for (task = sim_bpu_left; task; task = task->left)
        if (sim_bpu_task_uses(task, physical, size)) return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------ what is refused */

static int32_t sim_bpu_refuse(const char *what) {
    sim_log("refused: %s", what);
    return SIM_BPU_ARGUMENT;
}

/* The task's own copy of what a tensor needs: memory->size becomes the bytes that the BPU touches. */
static int32_t sim_bpu_need(sim_bpu_memory *memory, int64_t bytes, const char *what) {
    const sim_memory *found;
    size_t offset = 0;
    found = sim_memory_at_phys(memory->physical, &offset);
    if (!found) {
        sim_mistake_locked("foreign memory: %s is at physical 0x%llx, which is no memory of the board", what,
                           (unsigned long long)memory->physical);
        return SIM_BPU_ARGUMENT;
    }
    if (bytes < 0 || (uint64_t)bytes > memory->size || (uint64_t)bytes > found->size - offset) {
        sim_mistake_locked("wrong size: %s needs %lld bytes, is said to have %llu, and %lu are there", what,
                           (long long)bytes, (unsigned long long)memory->size, (unsigned long)(found->size - offset));
        return SIM_BPU_ARGUMENT;
    }
    memory->size = (uint64_t)bytes;
    return SIM_BPU_OK;
}

static bool sim_bpu_is_image(const sim_bpu_port *port) {
    return port->role == SIM_BPU_GRAY || port->role == SIM_BPU_NV12;
}

/* Pictures of 1.x in one or two planes; rows of alignedShape's columns. free_size: of a ROI, the picture is any. */
static int32_t sim_bpu_check_image(const sim_bpu_port *port, sim_bpu_tensor *tensor, bool free_size, const char *what) {
    const uint32_t h = port->layout == VENDOR_NCHW ? 2 : 1, w = h + 1;
    sim_bpu_properties *p = &tensor->properties;
    const bool apart = p->type == VENDOR_NV12_SEPARATE;
    const int64_t pitch = p->aligned[w], rows = p->aligned[h];
    int32_t answer;
    if (p->type != (int32_t)port->type && !(port->type == VENDOR_NV12 && apart))
        return sim_bpu_refuse("a picture of another type than the model's");
    if (p->rank != port->rank || (!free_size && memcmp(p->valid, port->valid, p->rank * sizeof(p->valid[0])) != 0))
        return sim_bpu_refuse("a picture of another size than the model's");
    if (p->valid[h] <= 0 || p->valid[w] <= 0 || rows < p->valid[h] || pitch < p->valid[w])
        return sim_bpu_refuse("an alignedShape below the validShape");
    if (port->role == SIM_BPU_NV12 && (p->valid[h] % 2 != 0 || p->valid[w] % 2 != 0))
        return sim_bpu_refuse("an NV12 picture of an odd size");
    if (pitch != p->valid[w] && pitch % sim_bpu_the_chip()->pitch != 0)
        return sim_bpu_refuse("rows that are no multiple of 16 bytes");
    if (!apart)
        return sim_bpu_need(&tensor->memory[0], port->role == SIM_BPU_NV12 ? pitch * rows * 3 / 2 : pitch * rows, what);
    if (tensor->memory[0].physical % 16 != 0 || tensor->memory[1].physical % 16 != 0)
        return sim_bpu_refuse("a plane that does not begin at a multiple of 16");
    answer = sim_bpu_need(&tensor->memory[0], pitch * rows, what);
    return answer == SIM_BPU_OK ? sim_bpu_need(&tensor->memory[1], pitch * rows / 2, what) : answer;
}

/* A tensor of 1.x: aligned as the model has it, or not padded, which is padded for the caller where it is no feature
   map. properties.stride becomes how it lies. */
static int32_t sim_bpu_check_plain(const sim_bpu_port *port, sim_bpu_tensor *tensor, const char *what) {
    sim_bpu_properties *p = &tensor->properties;
    const size_t dims = port->rank * sizeof(p->valid[0]);
    const uint32_t element = sim_bpu_type_bytes(port->type);
    if (p->type != (int32_t)port->type) return sim_bpu_refuse("a tensor of another type than the model's");
    if (p->rank != port->rank || memcmp(p->valid, port->valid, dims) != 0)
        return sim_bpu_refuse("another validShape than the model's");
    memcpy(p->stride, port->stride, sizeof(p->stride));
    if (memcmp(p->aligned, port->aligned, dims) != 0) {
        if (memcmp(p->aligned, port->valid, dims) != 0)
            return sim_bpu_refuse("an alignedShape that is neither the model's nor the validShape");
        if (port->role == SIM_BPU_PIXELS) {
            sim_bpu_dense(port->valid, port->rank, element, p->stride);
            return sim_bpu_need(&tensor->memory[0], sim_bpu_span(port->valid, p->stride, port->rank, port->type), what);
        }
    }
    return sim_bpu_need(&tensor->memory[0], port->bytes, what);
}

/* A tensor of UCP: strides are the caller's, all of them filled in. */
static int32_t sim_bpu_check_ucp(const sim_bpu_port *port, sim_bpu_tensor *tensor, const char *what) {
    const uint32_t unit = sim_bpu_the_chip()->pitch, element = sim_bpu_type_bytes(port->type);
    sim_bpu_properties *p = &tensor->properties;
    bool dynamic = false;
    uint32_t i;
    if (!tensor->memory[0].address || (uintptr_t)tensor->memory[0].address % unit != 0)
        return sim_bpu_refuse("a virtual address that is NULL or not aligned");
    if (p->type != (int32_t)port->type || p->rank != port->rank)
        return sim_bpu_refuse("a tensor of another type or rank than the model's");
    for (i = 0; i < port->rank; i++) {
        if (p->valid[i] <= 0 || (port->valid[i] >= 0 && p->valid[i] != port->valid[i]))
            return sim_bpu_refuse("another validShape than the model's, or a dimension that is not filled in");
        dynamic = dynamic || port->shown[i] < 0;
    }
    for (i = port->rank; i-- > 0;) {
        int64_t least = i + 1 < port->rank ? p->stride[i + 1] * p->valid[i + 1] : element;
        if (i + 2 == port->rank) least = sim_bpu_row(port->type, p->valid[i + 1], p->stride[i + 1]);
        if (p->stride[i] < least || p->stride[i] % element != 0)
            return sim_bpu_refuse("a stride that is not filled in, or below what the dimensions need");
        if (dynamic && port->shown[i] < 0 && i + 1 < port->rank && p->stride[i] % unit != 0)
            return sim_bpu_refuse("rows that the board cannot read: pad them");
    }
    return sim_bpu_need(&tensor->memory[0], sim_bpu_span(p->valid, p->stride, p->rank, port->type), what);
}

/* Of the network's tensor, the dimensions that the port has at that shape. */
static void sim_bpu_port_dims(const sim_bpu_model *model, bool output, const sim_bpu_port *port, uint32_t shape,
                              int32_t *dims) {
    sim_tensor tensor;
    uint32_t i;
    memcpy(dims, port->valid, sizeof(port->valid));
    sim_model_tensor(model->network, output, port->tensor, shape, &tensor);
    if (sim_model_shapes(model->network) == 1 || tensor.rank != port->rank) return;
    for (i = 0; i < port->rank; i++) dims[i] = (int32_t)tensor.dims[i];
    if (port->role == SIM_BPU_LUMA) dims[3] = 1;
    if (port->role == SIM_BPU_CHROMA) {
        dims[1] /= 2;
        dims[2] /= 2;
        dims[3] = 2;
    }
    if (port->layout == VENDOR_NCHW && port->rank == 4) {
        dims[1] = (int32_t)tensor.dims[3];
        dims[2] = (int32_t)tensor.dims[1];
        dims[3] = (int32_t)tensor.dims[2];
    }
}

/* The shape of the network that all inputs have. */
static int32_t sim_bpu_choose_shape(sim_bpu_job *job) {
    const sim_bpu_model *model = job->model;
    int32_t dims[SIM_BPU_MAX_RANK];
    uint32_t i;
    for (job->shape = 0; job->shape < sim_model_shapes(model->network); job->shape++) {
        bool same = true;
        for (i = 0; i < model->count[0]; i++) {
            sim_bpu_port_dims(model, false, &model->ports[0][i], job->shape, dims);
            same = same && (job->rois || memcmp(dims, job->inputs[i].properties.valid,
                                                model->ports[0][i].rank * sizeof(dims[0])) == 0);
        }
        if (same) return SIM_BPU_OK;
    }
    return sim_bpu_refuse("sizes that the model has not");
}

static int64_t sim_bpu_up(int64_t size, int64_t unit) { return (size + unit - 1) / unit * unit; }

/* With what is dynamic filled in: dimensions, strides, bytes of one run. */
void sim_bpu_output_now(const sim_bpu_job *job, uint32_t index, sim_bpu_properties *p) {
    const sim_bpu_port *port = &job->model->ports[1][index];
    int64_t step = sim_bpu_type_bytes(port->type);
    uint32_t i;
    sim_bpu_describe(port, p);
    if (sim_model_shapes(job->model->network) == 1) return;
    sim_bpu_port_dims(job->model, true, port, job->shape, p->valid);
    for (i = port->rank; i-- > 0;) {
        p->stride[i] = i + 1 < port->rank ? sim_bpu_up(step, sim_bpu_the_chip()->pitch) : step;
        step = p->stride[i] * p->valid[i];
    }
    p->bytes = step;
}

static int32_t sim_bpu_check_output(const sim_bpu_job *job, uint32_t index, bool ucp) {
    const sim_bpu_port *port = &job->model->ports[1][index];
    sim_bpu_tensor *tensor = &job->outputs[index];
    sim_bpu_properties now;
    char what[32];
    snprintf(what, sizeof(what), "output %u", (unsigned)index);
    if (ucp && tensor->properties.type != (int32_t)port->type)
        return sim_bpu_refuse("an output of another type than the model's");
    if (ucp && (!tensor->memory[0].address || (uintptr_t)tensor->memory[0].address % sim_bpu_the_chip()->pitch != 0))
        return sim_bpu_refuse("a virtual address that is NULL or not aligned");
    sim_bpu_output_now(job, index, &now);
    return sim_bpu_need(&tensor->memory[0], now.bytes * job->batch, what);
}

/* ------------------------------------------------------------------------------------------------------------ ROIs */

/* Of the model's inputs, those that come through the resizer. */
static uint32_t sim_bpu_resizers(const sim_bpu_model *model) {
    uint32_t i, count = 0;
    for (i = 0; i < model->count[0]; i++) count += model->ports[0][i].source == VENDOR_FROM_RESIZER;
    return count;
}

static bool sim_bpu_scale_fits(const sim_bpu_chip *chip, int32_t from, int32_t to) {
    if (chip->letters[0] == 'X') return from >= 16 && from < 256 && from * 8 >= to && from < to * 2;
    return from >= 2 && from <= 4096 && to >= 2 && ((int64_t)(from - 1) * 65536 + (to - 1) / 2) / (to - 1) <= 262143;
}

static int32_t sim_bpu_check_roi(const sim_bpu_port *port, const sim_bpu_tensor *tensor, const vendor_roi *roi) {
    const sim_bpu_chip *chip = sim_bpu_the_chip();
    const uint32_t h = port->layout == VENDOR_NCHW ? 2 : 1, w = h + 1;
    const int32_t width = roi->right - roi->left + 1, height = roi->bottom - roi->top + 1;
    const sim_bpu_properties *p = &tensor->properties;
    if (roi->left < 0 || roi->top < 0 || width < 1 || height < 1 || roi->right >= p->valid[w] ||
        roi->bottom >= p->valid[h])
        return sim_bpu_refuse("a ROI outside the picture");
    if (chip->letters[0] == 'X' && (roi->left % 2 || roi->top % 2 || roi->right % 2 == 0 || roi->bottom % 2 == 0))
        return sim_bpu_refuse("a ROI that does not begin at even and end at odd coordinates");
    if (chip->letters[0] == 'X' && (int64_t)port->valid[h] * port->valid[w] >= 18432)
        return sim_bpu_refuse("a model that is too large for the resizer");
    if (p->aligned[w] > 131072 || p->valid[w] > 4096) return sim_bpu_refuse("a picture that is too large");
    if (!sim_bpu_scale_fits(chip, width, port->valid[w]) || !sim_bpu_scale_fits(chip, height, port->valid[h]))
        return sim_bpu_refuse("a ROI that is too small, too large, or scaled too much");
    return SIM_BPU_OK;
}

/* How many ROIs of the call belong to one run. Before 1.14 it is one, which all inputs of the run share. */
static uint32_t sim_bpu_rois_each(const sim_bpu_release *release, const sim_bpu_model *model) {
    return release->version < 0x010e00 ? 1 : sim_bpu_resizers(model);
}

static int32_t sim_bpu_take_rois(const sim_bpu_release *release, const sim_bpu_infer *infer, sim_bpu_job *job) {
    const uint32_t each = sim_bpu_rois_each(release, job->model);
    job->batch = 1;
    if (!infer->rois)
        return sim_bpu_resizers(job->model) ? sim_bpu_refuse("Infer of a model that is for ROIs") : SIM_BPU_OK;
    if (sim_bpu_resizers(job->model) == 0) return sim_bpu_refuse("RoiInfer of a model without a resizer");
    if (infer->roi_count == 0 || infer->roi_count % each != 0) return sim_bpu_refuse("another number of ROIs");
    job->batch = infer->roi_count / each;
    if (job->batch > SIM_BPU_MAX_BATCH) return SIM_BPU_BATCH_SIZE;
    job->roi_count = infer->roi_count;
    job->rois = (vendor_roi *)malloc(infer->roi_count * sizeof(*job->rois));
    if (!job->rois) return SIM_BPU_NO_MEMORY;
    memcpy(job->rois, infer->rois, infer->roi_count * sizeof(*job->rois));
    return SIM_BPU_OK;
}

const vendor_roi *sim_bpu_roi_of(const sim_bpu_release *release, const sim_bpu_job *job, uint32_t run, uint32_t input) {
    const uint32_t each = sim_bpu_rois_each(release, job->model);
    uint32_t i, number = 0;
    for (i = 0; i < input; i++) number += job->model->ports[0][i].source == VENDOR_FROM_RESIZER;
    return &job->rois[run * each + (each == 1 ? 0 : number)];
}

uint32_t sim_bpu_batch_of(const sim_bpu_release *release, const sim_bpu_model *model, uint32_t rois) {
    const uint32_t each = sim_bpu_rois_each(release, model);
    if (rois == 0) return 1;
    return each && rois % each == 0 ? rois / each : 0;
}

/* ------------------------------------------------------------------------------------------------------------ a job */

static int32_t sim_bpu_check_inputs(const sim_bpu_release *release, sim_bpu_job *job) {
    const sim_bpu_model *model = job->model;
    uint32_t i, run;
    int32_t answer = SIM_BPU_OK;
    char what[32];
    for (run = 0; run < job->batch; run++)
        for (i = 0; i < model->count[0] && answer == SIM_BPU_OK; i++) {
            const sim_bpu_port *port = &model->ports[0][i];
            sim_bpu_tensor *tensor = &job->inputs[run * model->count[0] + i];
            const bool roi = port->source == VENDOR_FROM_RESIZER;
            snprintf(what, sizeof(what), "input %u", (unsigned)i);
            if (release->ucp) answer = sim_bpu_check_ucp(port, tensor, what);
            else if (sim_bpu_is_image(port)) answer = sim_bpu_check_image(port, tensor, roi, what);
            else answer = sim_bpu_check_plain(port, tensor, what);
            if (answer == SIM_BPU_OK && roi)
                answer = sim_bpu_check_roi(port, tensor, sim_bpu_roi_of(release, job, run, i));
        }
    return answer;
}

/* Locked. Copies what the caller's tensors say. */
static int32_t sim_bpu_job_make(const sim_bpu_release *release, const sim_bpu_infer *infer, sim_bpu_job *job) {
    int32_t answer;
    uint32_t i;
    memset(job, 0, sizeof(*job));
    job->model = sim_bpu_model_locked(infer->model, &job->packed);
    if (!job->model) return SIM_BPU_MODEL_HANDLE;
    job->packed->tasks++;
    answer = sim_bpu_take_rois(release, infer, job);
    if (answer != SIM_BPU_OK) return answer;
    if (infer->input_count != job->batch * job->model->count[0]) return SIM_BPU_ARGUMENT;
    job->inputs = (sim_bpu_tensor *)malloc((infer->input_count + 1) * sizeof(*job->inputs));
    job->outputs = (sim_bpu_tensor *)malloc((infer->output_count + 1) * sizeof(*job->outputs));
    if (!job->inputs || !job->outputs) return SIM_BPU_NO_MEMORY;
    memcpy(job->inputs, infer->inputs, infer->input_count * sizeof(*job->inputs));
    memcpy(job->outputs, infer->outputs, infer->output_count * sizeof(*job->outputs));
    answer = sim_bpu_check_inputs(release, job);
    if (answer == SIM_BPU_OK) answer = sim_bpu_choose_shape(job);
    for (i = 0; i < job->model->count[1] && answer == SIM_BPU_OK; i++)
        answer = sim_bpu_check_output(job, i, release->ucp);
    return answer;
}

static int32_t sim_bpu_add_job(sim_bpu_task *task, const sim_bpu_job *job) {
    sim_bpu_job *more = (sim_bpu_job *)realloc(task->job, (task->jobs + 1) * sizeof(*more));
    if (!more) return SIM_BPU_NO_MEMORY;
    task->job = more;
    more[task->jobs++] = *job;
    if (job->model && job->model->cores > task->together) task->together = job->model->cores;
    return SIM_BPU_OK;
}

static uint32_t sim_bpu_all_cores(void) { return (1u << sim_bpu_the_chip()->cores) - 1; }

static int32_t sim_bpu_check_control(const sim_bpu_control *control) {
    if (control->priority < 0 || control->priority > 255) return sim_bpu_refuse("a priority outside 0 to 255");
    if (control->core < 0 || ((uint32_t)control->core & ~sim_bpu_all_cores()) != 0)
        return sim_bpu_refuse("a core that is not there");
    return SIM_BPU_OK;
}

static void sim_bpu_dispatch(sim_bpu_task *task) {
    task->state = SIM_BPU_WAITING;
    task->submitted = true;
    task->serial = ++sim_bpu_submissions;
    sim_bpu_wake();
}

/* The task that a call goes on with, or a new one; NULL: *answer says why not. */
static sim_bpu_task *sim_bpu_begin_task(const sim_bpu_release *release, vendor_handle handle, int32_t *answer) {
    sim_bpu_task *task = NULL;
    *answer = SIM_BPU_TASK_HANDLE;
    if (handle) {
        task = sim_bpu_task_of(handle);
        if (task && task->submitted) *answer = release->ucp ? SIM_BPU_API_USE : SIM_BPU_TASK_HANDLE;
        return task && !task->submitted ? task : NULL;
    }
    *answer = SIM_BPU_TASK_NUMBER;
    if (sim_bpu_live < sim_bpu_limit(release)) {
        *answer = SIM_BPU_NO_MEMORY;
        task = (sim_bpu_task *)calloc(1, sizeof(*task));
    }
    if (!task) return NULL;
    task->release = release;
    task->cores = sim_bpu_all_cores();
    task->counted = true;
    task->together = 1;
    sim_bpu_live++;
    sim_context_add(&task->context, &sim_bpu_kind_task);
    return task;
}

static uint32_t sim_bpu_runs(const sim_bpu_task *task) {
    uint32_t i, runs = 0;
    for (i = 0; i < task->jobs; i++) runs += task->job[i].batch;
    return runs;
}

int32_t sim_bpu_enqueue(const sim_bpu_release *release, vendor_handle *handle, const sim_bpu_infer *infer,
                        const sim_bpu_control *control) {
    sim_bpu_task *task = NULL;
    sim_bpu_job job;
    int32_t answer;
    bool is_new = !*handle;
    sim_lock();
    memset(&job, 0, sizeof(job));
    answer = control ? sim_bpu_check_control(control) : SIM_BPU_OK;
    if (answer == SIM_BPU_OK) answer = sim_bpu_job_make(release, infer, &job);
    if (answer == SIM_BPU_OK) task = sim_bpu_begin_task(release, *handle, &answer);
    if (task) {
        answer = SIM_BPU_OK;
        if (sim_bpu_runs(task) + job.batch > SIM_BPU_MAX_BATCH) answer = SIM_BPU_BATCH_SIZE;
        if (release->ucp && task->jobs && (task->together > 1 || job.model->cores > 1)) answer = SIM_BPU_API_USE;
        if (answer == SIM_BPU_OK) answer = sim_bpu_add_job(task, &job);
    }
    if (answer != SIM_BPU_OK) {
        sim_bpu_job_free(&job);
        if (task && is_new) {
            sim_context_unlink(&task->context);
            sim_bpu_task_free(task);
        }
        if (!release->ucp && is_new) *handle = NULL;
    } else {
        *handle = (vendor_handle)(uintptr_t)task->context.handle;
        if (control) {
            task->priority = control->priority;
            task->custom = control->custom;
            task->cores = control->core ? (uint32_t)control->core : sim_bpu_all_cores();
            if (!control->more) sim_bpu_dispatch(task);
        }
    }
    sim_unlock();
    return answer;
}

/* --------------------------------------------------------------------------------------------------------- resizing */

/* Pictures are NCHW or NHWC: the dimension of rows. */
static uint32_t sim_bpu_rows_of(const sim_bpu_properties *p) { return p->layout == VENDOR_NCHW ? 2 : 1; }

static int32_t sim_bpu_check_picture(sim_bpu_tensor *tensor, const char *what) {
    sim_bpu_properties *p = &tensor->properties;
    const uint32_t h = sim_bpu_rows_of(p), w = h + 1;
    const int64_t pitch = p->aligned[w], rows = p->aligned[h];
    const bool gray = p->type == VENDOR_Y, apart = p->type == VENDOR_NV12_SEPARATE;
    int32_t answer;
    if (p->rank != 4 || (!gray && !apart && p->type != VENDOR_NV12)) return sim_bpu_refuse("no picture of planes");
    if (p->valid[w] < 1 || p->valid[w] > 4080 || p->valid[h] < 1 || p->valid[h] > 4080 || rows < p->valid[h] ||
        pitch < p->valid[w] || pitch < 16 || pitch > 4080 || pitch % 16 != 0)
        return sim_bpu_refuse("a picture of a size or pitch that cannot be resized");
    if (!gray && (p->valid[w] % 2 != 0 || p->valid[h] % 2 != 0))
        return sim_bpu_refuse("an NV12 picture of an odd size");
    if (!apart) return sim_bpu_need(&tensor->memory[0], gray ? pitch * rows : pitch * rows * 3 / 2, what);
    answer = sim_bpu_need(&tensor->memory[0], pitch * rows, what);
    return answer == SIM_BPU_OK ? sim_bpu_need(&tensor->memory[1], pitch * rows / 2, what) : answer;
}

/* 1/185 to below 256. */
static bool sim_bpu_resizes(int32_t from, int32_t to) { return (int64_t)to * 185 >= from && to < (int64_t)from * 256; }

static int32_t sim_bpu_resize_job(sim_bpu_job *job, const vendor_roi *roi) {
    const sim_bpu_properties *in = &job->inputs[0].properties, *out = &job->outputs[0].properties;
    const uint32_t h = sim_bpu_rows_of(in), to = sim_bpu_rows_of(out);
    vendor_roi *all = job->rois;
    int32_t answer = sim_bpu_check_picture(&job->inputs[0], "the picture");
    if (answer == SIM_BPU_OK) answer = sim_bpu_check_picture(&job->outputs[0], "the resized picture");
    if (answer != SIM_BPU_OK) return answer;
    if (in->type != out->type) return sim_bpu_refuse("pictures of two types");
    all->left = roi ? roi->left : 0;
    all->top = roi ? roi->top : 0;
    all->right = roi ? roi->right : in->valid[h + 1] - 1;
    all->bottom = roi ? roi->bottom : in->valid[h] - 1;
    if (all->left < 0 || all->top < 0 || all->right < all->left || all->bottom < all->top ||
        all->right >= in->valid[h + 1] || all->bottom >= in->valid[h])
        return sim_bpu_refuse("a ROI outside the picture");
    if (!sim_bpu_resizes(all->right - all->left + 1, out->valid[to + 1]) ||
        !sim_bpu_resizes(all->bottom - all->top + 1, out->valid[to]))
        return sim_bpu_refuse("too much of a change in size");
    return SIM_BPU_OK;
}

int32_t sim_bpu_resize(const sim_bpu_release *release, vendor_handle *handle, const sim_bpu_tensor *output,
                       const sim_bpu_tensor *input, const vendor_roi *roi, const sim_bpu_control *control) {
    sim_bpu_task *task = NULL;
    sim_bpu_job job;
    int32_t answer;
    memset(&job, 0, sizeof(job));
    job.batch = job.roi_count = 1;
    job.rois = (vendor_roi *)calloc(1, sizeof(*job.rois));
    job.inputs = (sim_bpu_tensor *)malloc(sizeof(*job.inputs));
    job.outputs = (sim_bpu_tensor *)malloc(sizeof(*job.outputs));
    sim_lock();
    answer = job.rois && job.inputs && job.outputs ? sim_bpu_check_control(control) : SIM_BPU_NO_MEMORY;
    if (answer == SIM_BPU_OK) {
        *job.inputs = *input;
        *job.outputs = *output;
        answer = sim_bpu_resize_job(&job, roi);
    }
    if (answer == SIM_BPU_OK && *handle) answer = SIM_BPU_TASK_HANDLE;
    if (answer == SIM_BPU_OK) task = sim_bpu_begin_task(release, NULL, &answer);
    if (task) answer = sim_bpu_add_job(task, &job);
    if (answer != SIM_BPU_OK) {
        sim_bpu_job_free(&job);
        if (task) {
            sim_context_unlink(&task->context);
            sim_bpu_task_free(task);
        }
    } else {
        task->priority = control->priority;
        task->cores = control->core ? (uint32_t)control->core : sim_bpu_all_cores();
        *handle = (vendor_handle)(uintptr_t)task->context.handle;
        sim_bpu_dispatch(task);
    }
    sim_unlock();
    return answer;
}

/* ------------------------------------------------------------------------------------------------------- submission */

/* May a task be submitted so? *cores are those that it may run on; 0: the board has none of them. */
static int32_t sim_bpu_check_submit(const sim_bpu_task *task, const sim_bpu_control *control, uint32_t *cores) {
    const uint32_t named = (uint32_t)(control->cores & VENDOR_UCP_BPU_CORES);
    uint32_t count = 0, i;
    for (i = 0; i < 4; i++) count += named >> i & 1;
    if (control->priority < 0 || control->priority > 255) return sim_bpu_refuse("a priority outside 0 to 255");
    if (control->cores & ~VENDOR_UCP_BITS) return sim_bpu_refuse("a backend that nobody knows");
    if (task->submitted) return SIM_BPU_API_USE;
    if (task->together > 1 && (count != task->together || (control->cores & VENDOR_UCP_BPU_ANY) != 0))
        return sim_bpu_refuse("a model of several cores, and not as many cores named");
    *cores = named & sim_bpu_all_cores();
    if (control->cores == 0 || (control->cores & VENDOR_UCP_BPU_ANY) != 0) *cores = sim_bpu_all_cores();
    if (task->together > 1 && *cores != named) *cores = 0;
    return SIM_BPU_OK;
}

int32_t sim_bpu_submit(const sim_bpu_release *release, vendor_handle handle, const sim_bpu_control *control) {
    sim_bpu_task *task;
    uint32_t cores = 0;
    int32_t answer = SIM_BPU_TASK_HANDLE;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (task) answer = sim_bpu_check_submit(task, control, &cores);
    if (answer == SIM_BPU_OK && cores == 0 && release->version >= 0x030c00)
        answer = sim_bpu_refuse("cores that this board has not");
    if (answer == SIM_BPU_OK) {
        task->priority = control->priority;
        task->custom = control->custom;
        task->cores = cores;
        if (cores) sim_bpu_dispatch(task);
        else { /* found out by the dispatcher: the callback runs before the caller knows that it submitted */
            task->submitted = true;
            sim_bpu_task_over(task, SIM_BPU_ARGUMENT);
        }
    }
    sim_unlock();
    return answer;
}

int32_t sim_bpu_infer_now(const sim_bpu_release *release, const sim_bpu_infer *infer) {
    const sim_bpu_control control = {0, 0, 0, 0, 0};
    const sim_bpu_model *model = sim_bpu_model_of(infer->model);
    vendor_handle handle = NULL;
    int32_t answer;
    if (model && (model->cores > 1 || sim_model_shapes(model->network) > 1)) return SIM_BPU_API_USE;
    answer = sim_bpu_enqueue(release, &handle, infer, NULL);
    if (answer != SIM_BPU_OK) return answer;
    answer = sim_bpu_submit(release, handle, &control);
    if (answer == SIM_BPU_OK) answer = sim_bpu_wait(release, handle, 0);
    (void)sim_bpu_release_task(release, handle, false);
    return answer;
}

/* --------------------------------------------------------------------------------------------------- wait, release */

/* Locked, with the lock given back meanwhile: false: the time is over. */
static bool sim_bpu_wait_for(sim_bpu_task *task, int32_t milliseconds) {
    const struct timespec until = sim_after((milliseconds > 0 ? milliseconds : 0) * 1000L);
    bool ended = task->state == SIM_BPU_OVER;
    task->waiters++;
    while (!ended && !task->abandoned) {
        const bool late = milliseconds > 0
                              ? pthread_cond_timedwait(&sim_bpu_ended, sim_the_mutex(), &until) == ETIMEDOUT
                              : pthread_cond_wait(&sim_bpu_ended, sim_the_mutex()) != 0;
        if (!task->release->ucp) ended = task->state == SIM_BPU_OVER;
        else if (task->tokens) {
            task->tokens--;
            ended = true;
        }
        if (late) break;
    }
    task->waiters--;
    return ended || task->abandoned;
}

int32_t sim_bpu_wait(const sim_bpu_release *release, vendor_handle handle, int32_t milliseconds) {
    sim_bpu_task *task;
    int32_t answer = SIM_BPU_TASK_HANDLE;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (task && !task->submitted) answer = release->ucp ? SIM_BPU_TASK_HANDLE : SIM_BPU_API_USE;
    else if (task && task->in_done && pthread_equal(task->caller, pthread_self())) answer = task->status;
    else if (task) {
        const bool ended = sim_bpu_wait_for(task, milliseconds);
        answer = task->abandoned ? SIM_BPU_TASK_HANDLE : ended ? task->status : SIM_BPU_TIMEOUT;
        if (task->abandoned && task->state == SIM_BPU_OVER && task->waiters == 0) sim_bpu_task_free(task);
    }
    sim_unlock();
    return answer;
}

int32_t sim_bpu_release_task(const sim_bpu_release *release, vendor_handle handle, bool fault) {
    sim_bpu_task *task;
    int32_t answer = SIM_BPU_OK;
    (void)release;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (!task) answer = SIM_BPU_TASK_HANDLE;
    else if (fault) task->context.given_up = true;
    else if (task->in_done && pthread_equal(task->caller, pthread_self())) answer = SIM_BPU_API_USE;
    else {
        sim_context_unlink(&task->context);
        if (task->state != SIM_BPU_RUNNING) task->state = SIM_BPU_OVER;
        if (task->state == SIM_BPU_RUNNING || task->waiters || task->in_done) {
            task->abandoned = true;
            task->left = sim_bpu_left;
            sim_bpu_left = task;
            pthread_cond_broadcast(&sim_bpu_ended);
        } else sim_bpu_task_free(task);
    }
    sim_unlock();
    return answer;
}

int32_t sim_bpu_on_done(const sim_bpu_release *release, vendor_handle handle, vendor_done done, void *user,
                        int32_t (*translate)(int32_t answer)) {
    sim_bpu_task *task;
    int32_t answer = SIM_BPU_OK;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (!task || (release->ucp && task->submitted)) answer = SIM_BPU_TASK_HANDLE;
    else if (!done) answer = SIM_BPU_ARGUMENT;
    else {
        task->done = done;
        task->user = user;
        task->translate = translate;
        if (task->state == SIM_BPU_OVER && !task->done_called) sim_bpu_wake(); /* a thread of the library calls it */
    }
    sim_unlock();
    return answer;
}

void sim_bpu_call_done(sim_bpu_task *task) {
    const vendor_done done = task->done;
    const int32_t status = task->status;
    if (!done || task->abandoned) return;
    task->done_called = task->in_done = true;
    task->caller = pthread_self();
    sim_unlock();
    done((vendor_handle)(uintptr_t)task->context.handle, task->translate(status), task->user);
    sim_lock();
    task->in_done = false;
}

void sim_bpu_task_over(sim_bpu_task *task, int32_t status) {
    task->status = status;
    sim_bpu_call_done(task);
    task->state = SIM_BPU_OVER;
    task->tokens = 1;
    pthread_cond_broadcast(&sim_bpu_ended);
    if (task->abandoned && task->waiters == 0) sim_bpu_task_free(task);
}

/* -------------------------------------------------------------------------------------------------------- questions */

int32_t sim_bpu_task_output(vendor_handle handle, int32_t run, int32_t output, sim_bpu_properties *properties) {
    const sim_bpu_task *task;
    int32_t answer = SIM_BPU_ARGUMENT;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (!task) answer = SIM_BPU_TASK_HANDLE;
    else if (run >= 0 && (uint32_t)run < task->jobs && output >= 0 && task->job[run].model &&
             (uint32_t)output < task->job[run].model->count[1]) {
        answer = SIM_BPU_OK;
        if (task->state == SIM_BPU_OVER) sim_bpu_output_now(&task->job[run], (uint32_t)output, properties);
        else sim_bpu_describe(&task->job[run].model->ports[1][output], properties);
    }
    sim_unlock();
    return answer;
}

int32_t sim_bpu_task_latency(vendor_handle handle, int32_t *microseconds) {
    const sim_bpu_task *task;
    uint32_t i;
    sim_lock();
    task = sim_bpu_task_of(handle);
    if (task) *microseconds = 0;
    for (i = 0; task && i < task->jobs; i++)
        *microseconds += (int32_t)(task->job[i].batch * (task->job[i].model ? task->job[i].model->latency : 100));
    sim_unlock();
    return task ? SIM_BPU_OK : SIM_BPU_TASK_HANDLE;
}
