/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_nnie.c - the NNIE's driver: what it refuses, the queue of each core, Query, the list of task buffers.

   All that is wrong with an argument is one code; the report has the reason in words, as the driver's own log does. */
#define _GNU_SOURCE
#include "sim_hisi.h"

#include "../common/sim_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIM_HISI_ILLEGAL SIM_HISI_NNIE(ILLEGAL_PARAM)
#define SIM_HISI_MAX_TASKS 513u       /* unfinished: one that runs, 512 that wait */
#define SIM_HISI_MAX_TASK_BUFFERS 32u /* nnie_max_tskbuf_num */
#define SIM_HISI_MAX_CORES 2u

typedef struct sim_hisi_core {
    int32_t next;     /* handle */
    int32_t finished; /* handles below are */
    int32_t error;    /* of the engine, noted for one Query */
} sim_hisi_core;

static sim_hisi_core sim_hisi_cores[SIM_HISI_MAX_CORES];
static sim_hisi_task *sim_hisi_tasks; /* that run or wait, and those that the caller does not know to be over */
static uint32_t sim_hisi_task_number;
static pthread_cond_t sim_hisi_ended = PTHREAD_COND_INITIALIZER;
static long sim_hisi_block_ms = -1;

/* ------------------------------------------------------------------------------------------------------------ sizes */

static uint64_t sim_hisi_up(uint64_t size) { return (size + 15) / 16 * 16; }

static uint64_t sim_hisi_roi_bytes(const nnrt__nnie_roi_pool *roi, uint64_t boxes) {
    const uint64_t cells = (uint64_t)roi->height * roi->width, each = 48 + 16 * boxes * (1 + cells);
    if (roi->type == NNRT__NNIE_ROI_POOL_NORMAL) return each + 2 * sim_hisi_up(4 * boxes);
    return each + sim_hisi_up(4 * boxes) + sim_hisi_up(4 * boxes * cells);
}

uint32_t sim_hisi_task_bytes(const nnrt__nnie_model *model, uint32_t number, uint32_t frames, uint32_t boxes) {
    const nnrt__nnie_segment *segment = &model->segment[number];
    const uint64_t inputs = segment->inputs, outputs = segment->outputs;
    uint64_t size = sim_hisi_up(4 * (inputs + outputs)) + sim_hisi_up(8 * outputs);
    uint32_t i;
    if (segment->type == NNRT__NNIE_NET_ROI) {
        size += sim_hisi_up(8 * inputs);
        for (i = 0; i < segment->roi_layers && i < NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS; i++)
            if (segment->roi_layer[i] < NNRT__NNIE_MAX_ROI_LAYERS)
                size += sim_hisi_roi_bytes(&model->roi_pool[segment->roi_layer[i]], boxes);
        return (uint32_t)size;
    }
    for (i = 0; i < inputs && i < NNRT__NNIE_MAX_IO; i++) {
        const nnrt__nnie_node *node = &segment->input[i];
        uint64_t addresses = 1;
        if (node->type == NNRT__NNIE_U8 && node->channels == 3) addresses = 4;
        if (node->type == NNRT__NNIE_YVU420SP || node->type == NNRT__NNIE_YVU422SP) addresses = 2;
        size += sim_hisi_up(8 * frames * (segment->type == NNRT__NNIE_NET_RECURRENT ? 1 : addresses));
    }
    return (uint32_t)(size + (segment->type == NNRT__NNIE_NET_RECURRENT ? 96 : 0));
}

/* --------------------------------------------------------------------------------------------- what is refused */

/* The reason of a refusal; returns what the caller is told. */
static int32_t sim_hisi_refuse(const char *what) {
    sim_log("the driver refuses: %s", what);
    return SIM_HISI_ILLEGAL;
}

/* Addresses of the engine; a virtual one in its place is not in MMZ. */
static bool sim_hisi_memory_is(uint64_t physical, uint64_t size) {
    return physical % 16 == 0 && sim_hisi_in_mmz(physical, size);
}

static bool sim_hisi_is_node(const nnrt__nnie_blob *blob, const nnrt__nnie_node *node) {
    if (blob->type != node->type) return false;
    if (blob->type == NNRT__NNIE_SEQ_S32) return blob->shape.sequence.dim == node->width;
    return blob->shape.map.width == node->width && blob->shape.map.height == node->height &&
           blob->shape.map.channels == node->channels;
}

static bool sim_hisi_picture_fits(const nnrt__nnie_blob *blob) {
    const uint32_t width = blob->shape.map.width, height = blob->shape.map.height;
    const uint32_t channels = blob->shape.map.channels;
    if (sim_hisi_element(blob->type) != 1) return true;
    if (width < 8 || width > 4096 || height < 8 || height > 4096) return false;
    if (blob->type == NNRT__NNIE_U8)
        return channels == 1 || channels == 3 || (sim_hisi_the_chip_locked()->odd_channels && channels <= 4);
    return width % 2 == 0 && (blob->type == NNRT__NNIE_YVU422SP || height % 2 == 0);
}

/* steps: of the sequences; NULL: it has none. */
static int32_t sim_hisi_check_blob(const nnrt__nnie_blob *blob, const nnrt__nnie_node *node, const uint32_t *steps,
                                   const char *what) {
    uint64_t bytes;
    sim_hisi_piece piece;
    if (!sim_hisi_is_node(blob, node)) return sim_hisi_refuse("a blob with another type or shape than its node");
    if (blob->stride == 0 || blob->stride % 16 != 0 || blob->stride < sim_hisi_row(blob)) {
        sim_mistake_locked("wrong stride: %s has %lu bytes from row to row, and a row has %lu%s", what,
                           (unsigned long)blob->stride, (unsigned long)sim_hisi_row(blob),
                           blob->stride * sim_hisi_element(blob->type) >= sim_hisi_row(blob) &&
                                   sim_hisi_element(blob->type) != 1
                               ? ": taken as elements?"
                               : "");
        return SIM_HISI_ILLEGAL;
    }
    if (!sim_hisi_picture_fits(blob)) return sim_hisi_refuse("a picture of a size that the engine has not");
    if (blob->count == 0) return sim_hisi_refuse("a blob of 0 frames");
    bytes = sim_hisi_blob_bytes(blob, steps);
    if (!sim_hisi_memory_is(blob->physical, bytes)) {
        sim_mistake_locked("wrong address: %s is at physical 0x%llx, which is no memory of the board%s", what,
                           (unsigned long long)blob->physical,
                           blob->address && sim_hisi_memory_is(blob->address, 1)
                               ? ": its virtual address would be one, they are swapped"
                               : "");
        return SIM_HISI_ILLEGAL;
    }
    piece = sim_hisi_find(blob->physical, bytes);
    if (piece.size < bytes)
        sim_mistake_locked("outside memory: %s has %lu bytes and begins where its block has %lu left", what,
                           (unsigned long)bytes, (unsigned long)piece.size);
    return SIM_HISI_OK;
}

static int32_t sim_hisi_check_boxes(const sim_hisi_forward *call) {
    const nnrt__nnie_segment *segment = &call->model->segment[call->segment];
    const nnrt__nnie_blob *boxes = call->boxes;
    uint32_t i, most = UINT32_MAX;
    for (i = 0; i < segment->roi_layers && i < NNRT__NNIE_MAX_SEGMENT_ROI_LAYERS; i++) {
        const nnrt__nnie_roi_pool *roi = &call->model->roi_pool[segment->roi_layer[i] % NNRT__NNIE_MAX_ROI_LAYERS];
        if (roi->max_boxes < most) most = roi->max_boxes;
    }
    if (call->proposals != 1) return sim_hisi_refuse("another number of proposals than 1");
    if (boxes->type != NNRT__NNIE_S32 || boxes->shape.map.width != 4 || boxes->shape.map.channels != 1 ||
        boxes->count != 1 || boxes->shape.map.height == 0 || boxes->shape.map.height > most)
        return sim_hisi_refuse("boxes of another shape, none, or too many");
    if (boxes->stride == 0 || boxes->stride % 16 != 0) return sim_hisi_refuse("boxes with a stride that is none");
    if (!sim_hisi_memory_is(boxes->physical, sim_hisi_blob_bytes(boxes, NULL))) {
        sim_mistake_locked("wrong address: boxes at physical 0x%llx, which is no memory of the board",
                           (unsigned long long)boxes->physical);
        return SIM_HISI_ILLEGAL;
    }
    return SIM_HISI_OK;
}

/* The steps of a sequence, which are given by a virtual address; NULL: it is none. */
static const uint32_t *sim_hisi_steps_of(const nnrt__nnie_blob *blob) {
    return blob->type == NNRT__NNIE_SEQ_S32 ? (const uint32_t *)(uintptr_t)blob->shape.sequence.steps : NULL;
}

static int32_t sim_hisi_check_sequences(const sim_hisi_forward *call) {
    const nnrt__nnie_segment *segment = &call->model->segment[call->segment];
    const uint32_t *steps = sim_hisi_steps_of(&call->inputs[0]);
    uint32_t i, k;
    if (!steps) return sim_hisi_refuse("a recurrent segment whose first input is no sequence");
    if (call->inputs[0].count == 0 || call->inputs[0].count > 256)
        return sim_hisi_refuse("0 or more than 256 sequences");
    for (i = 0; i < call->inputs[0].count; i++)
        if (steps[i] == 0 || steps[i] > segment->max_steps)
            return sim_hisi_refuse("a sequence of 0 steps, or of too many");
    for (k = 0; k < call->output_count; k++) {
        const uint32_t *other = sim_hisi_steps_of(&call->outputs[k]);
        if (other && call->outputs[k].count != call->inputs[0].count)
            return sim_hisi_refuse("another number of sequences than the first input has");
        if (other && memcmp(other, steps, call->inputs[0].count * sizeof(*steps)) != 0)
            sim_mistake_locked("wrong steps: output %u has other steps than the input", (unsigned)k);
    }
    return SIM_HISI_OK;
}

static int32_t sim_hisi_check_memories(const sim_hisi_forward *call) {
    const uint32_t boxes = call->boxes ? call->boxes->shape.map.height : 0;
    const uint32_t needed = sim_hisi_task_bytes(call->model, call->segment, call->inputs[0].count, boxes);
    if (call->temporary.size < call->model->temporary_size) {
        sim_mistake_locked("wrong size: a TmpBuf of %lu bytes, and the model needs %lu",
                           (unsigned long)call->temporary.size, (unsigned long)call->model->temporary_size);
        return SIM_HISI_ILLEGAL;
    }
    if (call->task.size < needed) {
        sim_mistake_locked("wrong size: a TskBuf of %lu bytes, and segment %u needs %lu",
                           (unsigned long)call->task.size, (unsigned)call->segment, (unsigned long)needed);
        return SIM_HISI_ILLEGAL;
    }
    if (!sim_hisi_memory_is(call->temporary.physical, call->temporary.size) ||
        !sim_hisi_memory_is(call->task.physical, call->task.size) ||
        !sim_hisi_memory_is(call->model->base.physical, call->model->base.size)) {
        sim_mistake_locked("wrong address: TmpBuf, TskBuf or the model is no memory of the board");
        return SIM_HISI_ILLEGAL;
    }
    return SIM_HISI_OK;
}

static int32_t sim_hisi_check_blobs(const sim_hisi_forward *call) {
    const nnrt__nnie_segment *segment = &call->model->segment[call->segment];
    uint32_t i;
    char what[32];
    for (i = 0; i < call->input_count; i++) {
        const nnrt__nnie_blob *blob = &call->inputs[i];
        int32_t answer;
        snprintf(what, sizeof(what), "input %u", (unsigned)i);
        if (blob->count == 0 || blob->count > 256 || blob->count != call->inputs[0].count)
            return sim_hisi_refuse("inputs of 0 or of more than 256 frames, or of different numbers");
        answer = sim_hisi_check_blob(blob, &segment->input[i], sim_hisi_steps_of(blob), what);
        if (answer != SIM_HISI_OK) return answer;
    }
    for (i = 0; i < call->output_count; i++) {
        int32_t answer;
        snprintf(what, sizeof(what), "output %u", (unsigned)i);
        answer =
            sim_hisi_check_blob(&call->outputs[i], &segment->output[i], sim_hisi_steps_of(&call->outputs[i]), what);
        if (answer != SIM_HISI_OK) return answer;
        if (call->outputs[i].count != (call->boxes ? call->boxes->shape.map.height : call->inputs[0].count))
            sim_log("output %u has another count than what is computed", (unsigned)i);
    }
    return SIM_HISI_OK;
}

static int32_t sim_hisi_check(const sim_hisi_forward *call) {
    const nnrt__nnie_segment *segment;
    int32_t answer = SIM_HISI_OK;
    if (call->core >= sim_hisi_the_chip_locked()->cores) return sim_hisi_refuse("there is no such core");
    if (call->segment >= call->model->segments || call->segment >= NNRT__NNIE_MAX_SEGMENTS)
        return sim_hisi_refuse("there is no such segment");
    segment = &call->model->segment[call->segment];
    if (call->input_count != segment->inputs || call->output_count != segment->outputs)
        return sim_hisi_refuse("other numbers of inputs or outputs than the segment's");
    if ((segment->type == NNRT__NNIE_NET_ROI) != (call->boxes != NULL))
        return sim_hisi_refuse("Forward of a ROI segment, or ForwardWithBbox of another one");
    if (call->boxes && call->inputs[0].count != 1) return sim_hisi_refuse("boxes of more than one frame");
    if (call->boxes) answer = sim_hisi_check_boxes(call);
    if (answer == SIM_HISI_OK && segment->type == NNRT__NNIE_NET_RECURRENT) answer = sim_hisi_check_sequences(call);
    if (answer == SIM_HISI_OK) answer = sim_hisi_check_blobs(call);
    return answer == SIM_HISI_OK ? sim_hisi_check_memories(call) : answer;
}

/* ------------------------------------------------------------------------------------------------- what is noticed */

static bool sim_hisi_overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size) {
    return a < b + b_size && b < a + a_size;
}

/* Is that memory of a task that may not be over: its own, or what it reads and writes? */
static bool sim_hisi_task_uses(const sim_hisi_task *task, uint64_t physical, uint64_t size) {
    uint32_t i;
    bool uses = sim_hisi_overlap(physical, size, task->temporary.physical, task->temporary_size) ||
                sim_hisi_overlap(physical, size, task->task.physical, task->task_size) ||
                sim_hisi_overlap(physical, size, task->base.physical, task->base.size) ||
                (task->boxes.count &&
                 sim_hisi_overlap(physical, size, task->boxes.physical, sim_hisi_blob_bytes(&task->boxes, NULL)));
    for (i = 0; i < task->input_count; i++)
        uses = uses || sim_hisi_overlap(physical, size, task->inputs[i].physical,
                                        sim_hisi_blob_bytes(&task->inputs[i], task->steps));
    for (i = 0; i < task->output_count; i++)
        uses = uses || sim_hisi_overlap(physical, size, task->outputs[i].physical,
                                        sim_hisi_blob_bytes(&task->outputs[i], task->steps));
    return uses;
}

bool sim_hisi_task_in(uint64_t physical, uint64_t size) {
    const sim_hisi_task *task;
    for (task = sim_hisi_tasks; task; task = task->next)
        if (!task->seen && (physical == 0 || sim_hisi_task_uses(task, physical, size))) return true;
    return sim_hisi_dsp_in(physical, size);
}

/* Buffers that another task may still use: both get noise. */
static void sim_hisi_notice_sharing(const sim_hisi_task *task) {
    const sim_hisi_task *other;
    for (other = sim_hisi_tasks; other; other = other->next) {
        if (other->seen) continue;
        if (sim_hisi_overlap(task->task.physical, task->task_size, other->task.physical, other->task_size))
            sim_mistake_locked("shared task buffer: the TskBuf is that of a task that may still run");
        if (sim_hisi_overlap(task->temporary.physical, task->temporary_size, other->temporary.physical,
                             other->temporary_size))
            sim_mistake_locked("shared temporary buffer: the TmpBuf is that of a task that may still run");
    }
}

static void sim_hisi_notice_dirty(uint64_t physical, uint64_t size, bool whole, const char *what, const char *then) {
    const size_t lines = sim_hisi_dirty(physical, size, whole);
    if (lines)
        sim_mistake_locked("missing sync: %lu lines of %s were written by the CPU and not flushed before the task: %s",
                           (unsigned long)lines, what, then);
}

static void sim_hisi_notice(const sim_hisi_task *task) {
    char what[32];
    uint32_t i;
    sim_hisi_notice_sharing(task);
    for (i = 0; i < task->input_count; i++) {
        snprintf(what, sizeof(what), "input %u", (unsigned)i);
        sim_hisi_notice_dirty(task->inputs[i].physical, sim_hisi_blob_bytes(&task->inputs[i], task->steps), false, what,
                              "old bytes are computed with");
    }
    if (task->boxes.count)
        sim_hisi_notice_dirty(task->boxes.physical, sim_hisi_blob_bytes(&task->boxes, NULL), false, "the boxes",
                              "old bytes are computed with");
    for (i = 0; i < task->output_count; i++) {
        snprintf(what, sizeof(what), "output %u", (unsigned)i);
        sim_hisi_notice_dirty(task->outputs[i].physical, sim_hisi_blob_bytes(&task->outputs[i], task->steps), true,
                              what, "they will overwrite results");
    }
    sim_hisi_notice_dirty(task->task.physical, task->task_size, true, "the TskBuf", "they will overwrite the task");
    sim_hisi_notice_dirty(task->base.physical, task->base.size, false, "the model's file", "it is not complete");
}

/* -------------------------------------------------------------------------------------------------------- the queue */

static void sim_hisi_task_free(sim_hisi_task *task) {
    sim_hisi_net_release(task->net);
    free(task->steps);
    free(task);
}

static sim_hisi_task *sim_hisi_task_new(const sim_hisi_forward *call) {
    sim_hisi_task *task = (sim_hisi_task *)calloc(1, sizeof(*task));
    const uint32_t *steps = sim_hisi_steps_of(&call->inputs[0]);
    const uint32_t count = call->inputs[0].count;
    if (!task) return NULL;
    if (steps) {
        task->steps = (uint32_t *)malloc(count * sizeof(*steps));
        if (!task->steps) {
            free(task);
            return NULL;
        }
        memcpy(task->steps, steps, count * sizeof(*steps));
    }
    task->instant = call->instant;
    task->core = call->core;
    task->segment = call->segment;
    task->type = call->model->segment[call->segment].type;
    task->input_count = call->input_count;
    task->output_count = call->output_count;
    memcpy(task->inputs, call->inputs, call->input_count * sizeof(task->inputs[0]));
    memcpy(task->outputs, call->outputs, call->output_count * sizeof(task->outputs[0]));
    if (call->boxes) task->boxes = *call->boxes;
    task->temporary = call->temporary;
    task->task = call->task;
    task->base = call->model->base;
    task->temporary_size = call->model->temporary_size;
    task->task_size =
        sim_hisi_task_bytes(call->model, call->segment, count, call->boxes ? call->boxes->shape.map.height : 0);
    task->net = sim_hisi_net_of(call->model);
    if (task->net) task->net->references++;
    return task;
}

/* What the driver leaves in the TskBuf for the engine: here the number of the task, which it looks for. */
static void sim_hisi_task_write(sim_hisi_task *task) {
    const sim_hisi_piece piece = sim_hisi_find(task->task.physical, task->task_size);
    task->number = ++sim_hisi_task_number;
    sim_hisi_scribble(task->task.physical, task->task_size);
    if (piece.size >= sizeof(task->number))
        memcpy(sim_memory_device(piece.memory) + piece.offset, &task->number, sizeof(task->number));
}

static uint32_t sim_hisi_unfinished(void) {
    const sim_hisi_task *task;
    uint32_t count = 0;
    for (task = sim_hisi_tasks; task; task = task->next) count += task->state != SIM_HISI_OVER;
    return count;
}

static int32_t sim_hisi_accept(const sim_hisi_forward *call, int32_t *handle) {
    sim_hisi_task *task, **end = &sim_hisi_tasks;
    const unsigned mistakes = sim_mistakes_locked();
    int32_t answer = sim_hisi_check(call);
    if (answer != SIM_HISI_OK) return answer;
    if (sim_hisi_unfinished() >= SIM_HISI_MAX_TASKS) return SIM_HISI_NNIE(BUF_FULL);
    task = sim_hisi_task_new(call);
    if (!task) return SIM_HISI_NNIE(NOMEM);
    if (!task->net) sim_mistake_locked("no model: a task of a model that is not loaded");
    sim_hisi_notice(task);
    if (!sim_lets_pass() && sim_mistakes_locked() != mistakes) {
        sim_hisi_task_free(task);
        return SIM_HISI_ILLEGAL;
    }
    sim_hisi_task_write(task);
    task->handle = sim_hisi_cores[task->core].next++;
    *handle = task->handle;
    while (*end) end = &(*end)->next;
    *end = task;
    sim_hisi_engine_wake(task->core);
    return SIM_HISI_OK;
}

int32_t sim_hisi_enqueue(const sim_hisi_forward *call, int32_t *handle) {
    int32_t answer;
    sim_lock();
    answer = sim_hisi_sys_ready() ? sim_hisi_accept(call, handle) : SIM_HISI_NNIE(NOTREADY);
    if (answer != SIM_HISI_OK) *handle = -1;
    sim_unlock();
    return answer;
}

sim_hisi_task *sim_hisi_next_task(uint32_t core) {
    sim_hisi_task *task = sim_hisi_tasks;
    while (task && (task->core != core || task->state != SIM_HISI_WAITING)) task = task->next;
    return task;
}

/* Tasks that are over and known to be so are forgotten. */
static void sim_hisi_forget(void) {
    sim_hisi_task **place = &sim_hisi_tasks;
    while (*place) {
        sim_hisi_task *task = *place;
        if (task->state == SIM_HISI_OVER && task->seen) {
            *place = task->next;
            sim_hisi_task_free(task);
        } else place = &task->next;
    }
}

void sim_hisi_task_over(sim_hisi_task *task, int32_t error) {
    sim_hisi_core *core = &sim_hisi_cores[task->core];
    task->state = SIM_HISI_OVER;
    if (error) core->error = error;
    else if (task->instant) core->finished = task->handle + 1;
    pthread_cond_broadcast(&sim_hisi_ended);
    if (task->seen) sim_hisi_forget();
}

/* ----------------------------------------------------------------------------------------------------------- Query */

static void sim_hisi_seen_up_to(uint32_t core, int32_t handle) {
    sim_hisi_task *task;
    for (task = sim_hisi_tasks; task; task = task->next)
        if (task->core == core && task->handle <= handle) task->seen = true;
    sim_hisi_forget();
}

struct timespec sim_hisi_block_end(void) {
    if (sim_hisi_block_ms < 0) {
        const char *text = getenv("NNRT_SIM_BLOCK");
        sim_hisi_block_ms = text && *text ? strtol(text, NULL, 10) : 50000;
    }
    return sim_after(sim_hisi_block_ms * 1000);
}

static int32_t sim_hisi_query_locked(uint32_t number, int32_t handle, int32_t *finished, bool block) {
    sim_hisi_core *core = &sim_hisi_cores[number];
    const struct timespec until = sim_hisi_block_end();
    bool late = false;
    for (;;) {
        if (core->finished > handle) {
            *finished = 1;
            sim_hisi_seen_up_to(number, handle);
            return SIM_HISI_OK;
        }
        if (core->error) { /* told once; the engine was reset, nothing runs any more */
            const int32_t error = core->error;
            core->error = 0;
            sim_hisi_seen_up_to(number, handle);
            return error;
        }
        if (!block) {
            *finished = 0;
            return SIM_HISI_OK;
        }
        if (late) return SIM_HISI_NNIE(QUERY_TIMEOUT);
        late = pthread_cond_timedwait(&sim_hisi_ended, sim_the_mutex(), &until) == ETIMEDOUT;
    }
}

int32_t sim_hisi_query(uint32_t core, int32_t handle, int32_t *finished, bool block) {
    int32_t answer = SIM_HISI_NNIE(NOTREADY);
    sim_lock();
    /* Before the first task Query is how a program asks which cores there are, and whether the driver is. */
    if (handle >= sim_hisi_cores[core].next && (block || sim_hisi_cores[core].next != 0))
        sim_mistake_locked("wrong handle: Query of %ld on core %u, which has not been given out", (long)handle,
                           (unsigned)core);
    if (sim_hisi_sys_ready()) answer = sim_hisi_query_locked(core, handle, finished, block);
    sim_unlock();
    return answer;
}

SIM_EXPORT void nnrt_sim_block_time(unsigned milliseconds) {
    sim_lock();
    sim_hisi_block_ms = (long)milliseconds;
    sim_unlock();
}

/* ----------------------------------------------------------------------------------------------------- task buffers */

typedef struct sim_hisi_task_buffer {
    sim_context context;
    uint64_t physical;
    uint32_t size;
} sim_hisi_task_buffer;

static const sim_kind sim_hisi_task_buffer_kind = {"task buffer"};
static uint32_t sim_hisi_task_buffers;
static bool sim_hisi_any_task_buffer; /* since the start */

static sim_hisi_task_buffer *sim_hisi_task_buffer_at(uint64_t physical) {
    sim_context *context = sim_state.contexts;
    while (context &&
           (context->kind != &sim_hisi_task_buffer_kind || ((sim_hisi_task_buffer *)context)->physical != physical))
        context = context->next;
    return (sim_hisi_task_buffer *)context;
}

bool sim_hisi_task_buffer_in(uint64_t physical, uint64_t size) {
    sim_context *context;
    for (context = sim_state.contexts; context; context = context->next) {
        const sim_hisi_task_buffer *buffer = (const sim_hisi_task_buffer *)context;
        if (context->kind == &sim_hisi_task_buffer_kind && !context->given_up &&
            sim_hisi_overlap(physical, size, buffer->physical, buffer->size))
            return true;
    }
    return false;
}

static int32_t sim_hisi_add_locked(const nnrt__nnie_memory *memory) {
    sim_hisi_task_buffer *buffer;
    if (!sim_hisi_sys_ready()) return SIM_HISI_NNIE(NOTREADY);
    if (memory->physical == 0 || memory->size == 0 || !sim_hisi_memory_is(memory->physical, memory->size))
        return sim_hisi_refuse("a task buffer that is no memory of the board");
    if (sim_hisi_task_buffer_at(memory->physical)) {
        sim_mistake_locked("registered twice: a task buffer that is in the list already");
        return SIM_HISI_NNIE(EXIST);
    }
    if (sim_hisi_task_buffers >= SIM_HISI_MAX_TASK_BUFFERS) return SIM_HISI_NNIE(BUF_FULL);
    buffer = (sim_hisi_task_buffer *)calloc(1, sizeof(*buffer));
    if (!buffer) return SIM_HISI_NNIE(NOMEM);
    buffer->physical = memory->physical;
    buffer->size = memory->size;
    sim_context_add(&buffer->context, &sim_hisi_task_buffer_kind);
    sim_hisi_any_task_buffer = true;
    sim_hisi_task_buffers++;
    return SIM_HISI_OK;
}

int32_t sim_hisi_add_task_buffer(const nnrt__nnie_memory *memory) {
    int32_t answer;
    sim_lock();
    answer = sim_hisi_add_locked(memory);
    sim_unlock();
    return answer;
}

static int32_t sim_hisi_remove_locked(const nnrt__nnie_memory *memory, bool fault) {
    sim_hisi_task_buffer *buffer = sim_hisi_task_buffer_at(memory->physical);
    if (fault) {
        if (buffer) buffer->context.given_up = true;
        return SIM_HISI_OK;
    }
    if (!sim_hisi_sys_ready() || !sim_hisi_any_task_buffer) return SIM_HISI_NNIE(NOTREADY);
    if (memory->physical == 0 || memory->physical % 16 != 0 || memory->size == 0 || !buffer) {
        sim_mistake_locked("not registered: RemoveTskBuf of what is not in the list (or no longer)");
        return SIM_HISI_ILLEGAL;
    }
    if (sim_hisi_task_in(buffer->physical, buffer->size))
        sim_mistake_locked("removed in use: the task buffer of a task that may still run");
    sim_context_unlink(&buffer->context);
    free(buffer);
    sim_hisi_task_buffers--;
    return SIM_HISI_OK;
}

int32_t sim_hisi_remove_task_buffer(const nnrt__nnie_memory *memory, bool fault) {
    int32_t answer;
    sim_lock();
    answer = sim_hisi_remove_locked(memory, fault);
    sim_unlock();
    return answer;
}
