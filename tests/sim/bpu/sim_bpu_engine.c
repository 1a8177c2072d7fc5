/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_engine.c - the BPU: a thread for each core takes the task that is first, and between two function calls one
   that may interrupt it.

   It reads and writes by physical addresses alone. Memory is touched under the lock, computing is done without it. */
#define _GNU_SOURCE
#include "sim_bpu.h"

#include "../common/sim_crew.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_BPU_MAX_CORES 4u
#define SIM_BPU_HISTORY 512u

static sim_crew sim_bpu_crew = SIM_CREW;
static sim_bpu_task *sim_bpu_on[SIM_BPU_MAX_CORES]; /* what each core does, others' tasks of several cores included */

static struct {
    char kind;
    int64_t custom;
} sim_bpu_past[SIM_BPU_HISTORY];
static unsigned sim_bpu_past_count;

static void sim_bpu_remember(char kind, const sim_bpu_task *task) {
    sim_bpu_past[sim_bpu_past_count % SIM_BPU_HISTORY].kind = kind;
    sim_bpu_past[sim_bpu_past_count++ % SIM_BPU_HISTORY].custom = task->custom;
}

SIM_EXPORT size_t nnrt_sim_bpu_history(char *text, size_t room) {
    size_t length = 0;
    unsigned i;
    sim_lock();
    i = sim_bpu_past_count > SIM_BPU_HISTORY ? sim_bpu_past_count - SIM_BPU_HISTORY : 0;
    if (room) text[0] = 0;
    for (; i < sim_bpu_past_count && length + 24 < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%c%lld ", sim_bpu_past[i % SIM_BPU_HISTORY].kind,
                                   (long long)sim_bpu_past[i % SIM_BPU_HISTORY].custom);
    sim_unlock();
    return length;
}

/* -------------------------------------------------------------------------------------------------------- computing */

/* One run of a job: the network's tensors. */
typedef struct sim_bpu_run {
    const sim_bpu_task *task;
    const sim_bpu_job *job;
    uint32_t number; /* of the batch */
    sim_tensor in[SIM_BPU_MAX_PORTS], out[SIM_BPU_MAX_PORTS];
    void *in_data[SIM_BPU_MAX_PORTS], *out_data[SIM_BPU_MAX_PORTS];
} sim_bpu_run;

/* Reads what the BPU sees of a tensor; NULL: the memory is gone. The caller frees it. */
static uint8_t *sim_bpu_bytes_of(const sim_bpu_memory *memory, const char *what) {
    uint8_t *bytes = (uint8_t *)malloc((size_t)memory->size + 1);
    sim_memory *found;
    size_t offset = 0, lines;
    found = sim_memory_at_phys(memory->physical, &offset);
    if (!bytes || !found || memory->size > found->size - offset) {
        free(bytes);
        return NULL;
    }
    lines = sim_memory_dirty(found, offset, (size_t)memory->size, false);
    if (lines)
        sim_mistake_locked("missing sync: %lu lines of %s were written by the CPU and not cleaned before the run",
                           (unsigned long)lines, what);
    sim_memory_take_piece(found, offset, bytes, (size_t)memory->size);
    return bytes;
}

/* Of a picture of planes: Y, U, V of a pixel. */
typedef struct sim_bpu_picture {
    const uint8_t *luma, *chroma;
    int64_t pitch;
    bool gray;
} sim_bpu_picture;

static uint8_t sim_bpu_pixel(const sim_bpu_picture *picture, int32_t y, int32_t x, uint32_t c) {
    if (c == 0) return picture->luma[y * picture->pitch + x];
    return picture->chroma[y / 2 * picture->pitch + x / 2 * 2 + (int32_t)c - 1];
}

/* The source position of destination number i, in 1/65536: 0 to 0 and last to last. */
static int64_t sim_bpu_step(int32_t from, int32_t to, int32_t i) {
    return to < 2 ? 0 : (((int64_t)(from - 1) * 65536 + (to - 1) / 2) / (to - 1)) * i;
}

/* Bilinear, of a ROI of the picture. */
static uint8_t sim_bpu_resized(const sim_bpu_picture *picture, const vendor_roi *roi, int64_t y, int64_t x,
                               uint32_t c) {
    const int32_t bottom = roi->bottom - roi->top, right = roi->right - roi->left;
    const int32_t y0 = (int32_t)(y >> 16), x0 = (int32_t)(x >> 16);
    const int64_t fy = y & 65535, fx = x & 65535;
    const int32_t y1 = y0 < bottom ? y0 + 1 : bottom, x1 = x0 < right ? x0 + 1 : right;
    const int64_t a = sim_bpu_pixel(picture, roi->top + y0, roi->left + x0, c);
    const int64_t b = sim_bpu_pixel(picture, roi->top + y0, roi->left + x1, c);
    const int64_t d = sim_bpu_pixel(picture, roi->top + y1, roi->left + x0, c);
    const int64_t e = sim_bpu_pixel(picture, roi->top + y1, roi->left + x1, c);
    const int64_t top = a * (65536 - fx) + b * fx, low = d * (65536 - fx) + e * fx;
    return (uint8_t)(((top * (65536 - fy) + low * fy) + ((int64_t)1 << 31)) >> 32);
}

static void sim_bpu_from_picture(const sim_bpu_picture *picture, const vendor_roi *roi, const sim_tensor *tensor,
                                 void *data) {
    const int32_t height = (int32_t)tensor->dims[1], width = (int32_t)tensor->dims[2];
    int32_t y, x;
    uint32_t c;
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
            for (c = 0; c < tensor->dims[3] && (c == 0 || !picture->gray); c++) {
                uint8_t pixel;
                if (roi)
                    pixel = sim_bpu_resized(picture, roi, sim_bpu_step(roi->bottom - roi->top + 1, height, y),
                                            sim_bpu_step(roi->right - roi->left + 1, width, x), c);
                else pixel = sim_bpu_pixel(picture, y, x, c);
                sim_bpu_put_pixel(tensor, data, (size_t)y * (size_t)width + (size_t)x, c, pixel);
            }
}

static bool sim_bpu_read_picture(sim_bpu_run *run, const sim_bpu_port *port, const sim_bpu_tensor *tensor,
                                 const vendor_roi *roi, const char *what) {
    const sim_bpu_properties *p = &tensor->properties;
    const uint32_t h = port->layout == VENDOR_NCHW ? 2 : 1;
    uint8_t *first = sim_bpu_bytes_of(&tensor->memory[0], what), *second = NULL;
    sim_bpu_picture picture;
    picture.luma = picture.chroma = first;
    picture.pitch = p->aligned[h + 1];
    picture.gray = port->role == SIM_BPU_GRAY;
    if (first && p->type == VENDOR_NV12_SEPARATE) picture.chroma = second = sim_bpu_bytes_of(&tensor->memory[1], what);
    else if (first) picture.chroma = first + picture.pitch * p->aligned[h];
    if (first && picture.chroma)
        sim_bpu_from_picture(&picture, roi, &run->in[port->tensor], run->in_data[port->tensor]);
    free(first);
    free(second);
    return first && picture.chroma;
}

/* One of the two planes of UCP: into its channels. */
static bool sim_bpu_read_plane(sim_bpu_run *run, const sim_bpu_port *port, const sim_bpu_tensor *tensor,
                               const char *what) {
    const sim_tensor *to = &run->in[port->tensor];
    const int64_t *stride = tensor->properties.stride;
    uint8_t *bytes = sim_bpu_bytes_of(&tensor->memory[0], what);
    const bool luma = port->role == SIM_BPU_LUMA;
    int32_t y, x;
    uint32_t c;
    for (y = 0; bytes && y < (int32_t)to->dims[1]; y++)
        for (x = 0; x < (int32_t)to->dims[2]; x++)
            for (c = luma ? 0 : 1; c < (luma ? 1u : 3u); c++) {
                const int64_t at =
                    luma ? y * stride[1] + x * stride[2] : y / 2 * stride[1] + x / 2 * stride[2] + (c - 1) * stride[3];
                sim_bpu_put_pixel(to, run->in_data[port->tensor], (size_t)y * to->dims[2] + (size_t)x, c, bytes[at]);
            }
    free(bytes);
    return bytes != NULL;
}

/* Three channels of bytes, wherever they stand. */
static bool sim_bpu_read_pixels(sim_bpu_run *run, const sim_bpu_port *port, const sim_bpu_tensor *tensor,
                                const char *what) {
    const sim_tensor *to = &run->in[port->tensor];
    const int64_t *stride = tensor->properties.stride;
    const bool planes = port->layout == VENDOR_NCHW;
    uint8_t *bytes = sim_bpu_bytes_of(&tensor->memory[0], what);
    uint32_t y, x, c;
    for (y = 0; bytes && y < to->dims[1]; y++)
        for (x = 0; x < to->dims[2]; x++)
            for (c = 0; c < to->dims[3]; c++) {
                const int64_t at = y * stride[planes ? 2 : 1] + x * stride[planes ? 3 : 2] + c * stride[planes ? 1 : 3];
                sim_bpu_put_pixel(to, run->in_data[port->tensor], (size_t)y * to->dims[2] + x, c, bytes[at]);
            }
    free(bytes);
    return bytes != NULL;
}

static bool sim_bpu_read_input(sim_bpu_run *run, uint32_t index) {
    const sim_bpu_model *model = run->job->model;
    const sim_bpu_port *port = &model->ports[0][index];
    const sim_bpu_tensor *tensor = &run->job->inputs[run->number * model->count[0] + index];
    const vendor_roi *roi = NULL;
    uint8_t *bytes;
    char what[32];
    snprintf(what, sizeof(what), "input %u", (unsigned)index);
    if (port->source == VENDOR_FROM_RESIZER) roi = sim_bpu_roi_of(run->task->release, run->job, run->number, index);
    if (port->role == SIM_BPU_GRAY || port->role == SIM_BPU_NV12)
        return sim_bpu_read_picture(run, port, tensor, roi, what);
    if (port->role == SIM_BPU_LUMA || port->role == SIM_BPU_CHROMA) return sim_bpu_read_plane(run, port, tensor, what);
    if (port->role == SIM_BPU_PIXELS) return sim_bpu_read_pixels(run, port, tensor, what);
    bytes = sim_bpu_bytes_of(&tensor->memory[0], what);
    if (!bytes) return false;
    sim_bpu_to_network(port, tensor->properties.valid, tensor->properties.stride, bytes, &run->in[port->tensor],
                       run->in_data[port->tensor]);
    free(bytes);
    return true;
}

/* All alignedByteSize bytes are written: what is no element holds noise. */
static bool sim_bpu_write_output(sim_bpu_run *run, uint32_t index) {
    const sim_bpu_port *port = &run->job->model->ports[1][index];
    const sim_bpu_memory *memory = &run->job->outputs[index].memory[0];
    const bool dynamic = sim_model_shapes(run->job->model->network) > 1;
    sim_bpu_properties now;
    sim_memory *found;
    uint8_t *bytes;
    size_t offset = 0, i, size;
    sim_bpu_output_now(run->job, index, &now);
    size = (size_t)now.bytes;
    found = sim_memory_at_phys(memory->physical, &offset);
    bytes = (uint8_t *)malloc(size + 1);
    if (!bytes || !found || memory->size > found->size - offset) {
        free(bytes);
        return false;
    }
    offset += run->number * size;
    if (sim_memory_dirty(found, offset, size, false))
        sim_mistake_locked("missing sync: output %u was written by the CPU and not cleaned before the run",
                           (unsigned)index);
    if (sim_memory_unseen(found, offset, size))
        sim_mistake_locked("missing sync: output %u is overwritten, and nobody could have read the run before (it was "
                           "not invalidated after it)",
                           (unsigned)index);
    for (i = 0; i < size; i++) bytes[i] = sim_poison_locked();
    sim_bpu_from_network(port, now.valid, dynamic ? now.stride : port->stride, bytes, &run->out[port->tensor],
                         run->out_data[port->tensor]);
    sim_memory_give_piece(found, offset, bytes, size, !run->task->abandoned);
    free(bytes);
    return true;
}

/* Rows of a plane of the resized picture: channels 0, or 1 and 2 at every second pixel. */
static void sim_bpu_resize_plane(const sim_bpu_picture *picture, const sim_bpu_job *job, uint32_t c, uint8_t *to) {
    const sim_bpu_properties *p = &job->outputs[0].properties;
    const uint32_t h = p->layout == VENDOR_NCHW ? 2 : 1;
    const vendor_roi *roi = job->rois;
    const int32_t step = c ? 2 : 1;
    int32_t y, x;
    for (y = 0; y < p->valid[h]; y += step)
        for (x = 0; x < p->valid[h + 1]; x += step)
            to[y / step * p->aligned[h + 1] + (c ? x + (int32_t)c - 1 : x)] =
                sim_bpu_resized(picture, roi, sim_bpu_step(roi->bottom - roi->top + 1, p->valid[h], y),
                                sim_bpu_step(roi->right - roi->left + 1, p->valid[h + 1], x), c);
}

/* Noise is written where no pixel stands. */
static bool sim_bpu_give_plane(const sim_bpu_memory *memory, const uint8_t *bytes) {
    sim_memory *found;
    size_t offset = 0;
    found = sim_memory_at_phys(memory->physical, &offset);
    if (!found || memory->size > found->size - offset) return false;
    sim_memory_give_piece(found, offset, bytes, (size_t)memory->size, true);
    return true;
}

static int32_t sim_bpu_compute_resize(const sim_bpu_job *job) {
    const sim_bpu_tensor *in = &job->inputs[0], *out = &job->outputs[0];
    const uint32_t h = in->properties.layout == VENDOR_NCHW ? 2 : 1, to = out->properties.layout == VENDOR_NCHW ? 2 : 1;
    const size_t luma = (size_t)(out->properties.aligned[to] * out->properties.aligned[to + 1]);
    const bool apart = in->properties.type == VENDOR_NV12_SEPARATE;
    uint8_t *first = sim_bpu_bytes_of(&in->memory[0], "the picture"), *result = (uint8_t *)malloc(luma * 2);
    uint8_t *second = first && apart ? sim_bpu_bytes_of(&in->memory[1], "the picture") : NULL;
    sim_bpu_picture picture;
    bool good = first && result && (second || !apart);
    size_t i;
    picture.luma = first;
    picture.pitch = in->properties.aligned[h + 1];
    picture.gray = in->properties.type == VENDOR_Y;
    if (good) picture.chroma = apart ? second : first + picture.pitch * in->properties.aligned[h];
    for (i = 0; good && i < luma * 2; i++) result[i] = sim_poison_locked();
    if (good) sim_bpu_resize_plane(&picture, job, 0, result);
    if (good && !picture.gray) sim_bpu_resize_plane(&picture, job, 1, result + luma);
    if (good && !picture.gray) sim_bpu_resize_plane(&picture, job, 2, result + luma);
    good = good && sim_bpu_give_plane(&out->memory[0], result);
    if (good && apart) good = sim_bpu_give_plane(&out->memory[1], result + luma);
    free(first);
    free(second);
    free(result);
    return good ? SIM_BPU_OK : SIM_BPU_RUN_FAILED;
}

static bool sim_bpu_run_begin(sim_bpu_run *run) {
    const sim_model *network = run->job->model->network;
    uint32_t i;
    bool good = sim_model_inputs(network) <= SIM_BPU_MAX_PORTS && sim_model_outputs(network) <= SIM_BPU_MAX_PORTS;
    for (i = 0; good && i < sim_model_inputs(network); i++) {
        sim_model_tensor(network, false, i, run->job->shape, &run->in[i]);
        run->in_data[i] = calloc(1, sim_tensor_bytes(&run->in[i]) + 1);
        good = run->in_data[i] != NULL;
    }
    for (i = 0; good && i < sim_model_outputs(network); i++) {
        sim_model_tensor(network, true, i, run->job->shape, &run->out[i]);
        run->out_data[i] = calloc(1, sim_tensor_bytes(&run->out[i]) + 1);
        good = run->out_data[i] != NULL;
    }
    for (i = 0; good && i < run->job->model->count[0]; i++) good = sim_bpu_read_input(run, i);
    return good;
}

/* Locked, the lock is given back meanwhile. */
static int32_t sim_bpu_compute(const sim_bpu_task *task, const sim_bpu_job *job, uint32_t number) {
    sim_bpu_run *run = job->model ? (sim_bpu_run *)calloc(1, sizeof(*run)) : NULL;
    int32_t answer = SIM_BPU_RUN_FAILED;
    uint32_t i;
    if (!job->model) return sim_bpu_compute_resize(job);
    if (!run) return answer;
    run->task = task;
    run->job = job;
    run->number = number;
    if (strcmp(job->model->march, sim_bpu_the_chip()->march) != 0) {
        sim_log("Incompatible Platform: a model for %s", job->model->march);
    } else if (sim_bpu_run_begin(run)) {
        int failed;
        sim_unlock();
        failed = sim_model_run(job->model->network, job->shape, (const void *const *)run->in_data, run->out_data, NULL,
                               NULL);
        sim_lock();
        if (!failed) answer = SIM_BPU_OK;
        for (i = 0; i < job->model->count[1] && answer == SIM_BPU_OK; i++)
            if (!sim_bpu_write_output(run, i)) answer = SIM_BPU_RUN_FAILED;
    }
    for (i = 0; i < SIM_BPU_MAX_PORTS; i++) {
        free(run->in_data[i]);
        free(run->out_data[i]);
    }
    free(run);
    return answer;
}

/* -------------------------------------------------------------------------------------------------------- the cores */

/* 1.x: 255 interrupts others; UCP: 254 ordinary ones, 255 both. */
static unsigned sim_bpu_class(const sim_bpu_task *task) {
    if (task->priority == 255) return 2;
    return task->release->ucp && task->priority == 254 ? 1 : 0;
}

static bool sim_bpu_before(const sim_bpu_task *a, const sim_bpu_task *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->custom != b->custom) return a->custom < b->custom;
    return a->serial < b->serial;
}

/* May a task of several cores begin, led by that core? */
static bool sim_bpu_all_free(const sim_bpu_task *task) {
    uint32_t core, count = 0;
    for (core = 0; core < SIM_BPU_MAX_CORES; core++) count += (task->cores >> core & 1) && !sim_bpu_on[core];
    return count >= task->together;
}

/* The task that the core is to do now, in place of the one that it does; NULL: none. */
static sim_bpu_task *sim_bpu_next_task(uint32_t core, const sim_bpu_task *now) {
    sim_bpu_task *found = NULL;
    sim_context *context;
    for (context = sim_state.contexts; context; context = context->next) {
        sim_bpu_task *task = (sim_bpu_task *)context;
        if (context->kind != &sim_bpu_kind_task || task->state != SIM_BPU_WAITING || !(task->cores >> core & 1))
            continue;
        if (now && (sim_bpu_class(task) <= sim_bpu_class(now) || task->together > 1)) continue;
        if (task->together > 1 && !sim_bpu_all_free(task)) continue;
        if (!found || sim_bpu_before(task, found)) found = task;
    }
    return found;
}

static void sim_bpu_occupy(uint32_t core, sim_bpu_task *task, sim_bpu_task *before) {
    uint32_t i, more = task->together - 1;
    sim_bpu_on[core] = before ? before : task;
    for (i = 0; i < SIM_BPU_MAX_CORES && more; i++) {
        if (i == core || !(task->cores >> i & 1) || sim_bpu_on[i]) continue;
        sim_bpu_on[i] = task;
        more--;
    }
}

static void sim_bpu_leave(uint32_t core, const sim_bpu_task *task, sim_bpu_task *before) {
    uint32_t i;
    for (i = 0; i < SIM_BPU_MAX_CORES; i++)
        if (sim_bpu_on[i] == task) sim_bpu_on[i] = NULL;
    sim_bpu_on[core] = before;
    pthread_cond_broadcast(&sim_bpu_crew.work);
}

static void sim_bpu_do(uint32_t core, sim_bpu_task *task, sim_bpu_task *before);

/* Function calls of one run, with what may interrupt between two of them. false: it is to stop. */
static bool sim_bpu_function_calls(uint32_t core, sim_bpu_task *task, const sim_bpu_model *model) {
    uint32_t i;
    for (i = 0; i < (model ? model->calls : 1) && !task->abandoned && !sim_bpu_crew.stopping; i++) {
        sim_bpu_task *other;
        sim_crew_take_time(&sim_bpu_crew, (long)sim_work_time(0));
        for (other = sim_bpu_next_task(core, task); other && !sim_bpu_crew.stopping;
             other = sim_bpu_next_task(core, task))
            sim_bpu_do(core, other, task);
    }
    return !task->abandoned && !sim_bpu_crew.stopping;
}

/* Locked; the lock is given back meanwhile. */
static void sim_bpu_do(uint32_t core, sim_bpu_task *task, sim_bpu_task *before) {
    int answer = SIM_BPU_OK;
    bool late = false;
    uint32_t k, run;
    task->state = SIM_BPU_RUNNING;
    sim_bpu_occupy(core, task, before);
    sim_bpu_remember('b', task);
    if (!before) sim_work_count(1);
    sim_unlock();
    if (!sim_enter_late("task", &answer, &late)) answer = SIM_BPU_OK;
    sim_lock();
    for (k = 0; k < task->jobs && answer == SIM_BPU_OK; k++)
        for (run = 0; run < task->job[k].batch && answer == SIM_BPU_OK; run++)
            answer = sim_bpu_function_calls(core, task, task->job[k].model) ? sim_bpu_compute(task, &task->job[k], run)
                                                                            : SIM_BPU_RUN_FAILED;
    sim_bpu_remember('e', task);
    if (!before) sim_work_count(-1);
    sim_bpu_leave(core, task, before);
    sim_bpu_task_over(task, answer);
}

/* A callback that was set when its task was over already. */
static sim_bpu_task *sim_bpu_next_done(void) {
    sim_context *context;
    for (context = sim_state.contexts; context; context = context->next) {
        sim_bpu_task *task = (sim_bpu_task *)context;
        if (context->kind == &sim_bpu_kind_task && task->state == SIM_BPU_OVER && task->done && !task->done_called)
            return task;
    }
    return NULL;
}

static void *sim_bpu_core_thread(void *user) {
    const uint32_t core = (uint32_t)(uintptr_t)user;
    sim_lock();
    while (!sim_bpu_crew.stopping) {
        sim_bpu_task *done = core == 0 ? sim_bpu_next_done() : NULL;
        sim_bpu_task *task = sim_bpu_on[core] ? NULL : sim_bpu_next_task(core, NULL);
        if (done) {
            sim_bpu_call_done(done);
            if (done->abandoned && done->waiters == 0) sim_bpu_task_free(done);
        } else if (task) sim_bpu_do(core, task, NULL);
        else sim_crew_wait(&sim_bpu_crew);
    }
    sim_crew_leave(&sim_bpu_crew);
    return NULL;
}

void sim_bpu_wake(void) {
    uint32_t core;
    for (core = 0; core < sim_bpu_the_chip()->cores; core++)
        (void)sim_crew_wake(&sim_bpu_crew, core, sim_bpu_core_thread);
}
