/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_engine.c - the NNIE: a thread for each core takes one task after the other and computes it.

   It reads and writes by physical addresses alone. Memory is touched under the lock, computing is done without it. */
#define _GNU_SOURCE
#include "sim_hisi.h"

#include "../common/sim_crew.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIM_HISI_MAX_CORES 2u
#define SIM_HISI_CORRUPT SIM_HISI_NNIE(CFG_ERR)

static sim_crew sim_hisi_crew = SIM_CREW;

/* -------------------------------------------------------------------------------------------------------- computing */

/* A task while it is computed. */
typedef struct sim_hisi_run {
    const sim_hisi_task *task;
    const sim_hisi_segment *segment;
    uint32_t inputs, outputs; /* of the network: those of the segment */
    sim_tensor in[NNRT__NNIE_MAX_IO], out[NNRT__NNIE_MAX_IO];
    uint8_t *input_bytes[NNRT__NNIE_MAX_IO]; /* the blobs as they lie */
    size_t input_size[NNRT__NNIE_MAX_IO];
    uint8_t *output_bytes[NNRT__NNIE_MAX_IO]; /* one frame, and where it goes */
    uint8_t *boxes;
    void *in_data[NNRT__NNIE_MAX_IO], *out_data[NNRT__NNIE_MAX_IO];
    bool late;
} sim_hisi_run;

static size_t sim_hisi_frame_bytes(const nnrt__nnie_blob *blob) {
    return (size_t)(sim_hisi_frame_rows(blob) * blob->stride);
}

static size_t sim_hisi_blob_elements(const nnrt__nnie_blob *blob) {
    if (blob->type == NNRT__NNIE_SEQ_S32) return blob->shape.sequence.dim;
    return (size_t)blob->shape.map.width * blob->shape.map.height * blob->shape.map.channels;
}

static size_t sim_hisi_tensor_elements(const sim_tensor *tensor) {
    return sim_tensor_bytes(tensor) / sim_type_size(tensor->type);
}

/* The network of the segment is for such blobs; ROI layers change the first inputs. */
static bool sim_hisi_fits(sim_hisi_run *run) {
    const sim_hisi_task *task = run->task;
    const sim_model *model = run->segment->model;
    uint32_t i;
    if (!model || sim_model_inputs(model) != task->input_count || sim_model_outputs(model) != task->output_count ||
        sim_model_shapes(model) != 1)
        return false;
    for (i = 0; i < task->input_count; i++) {
        sim_model_tensor(model, false, i, 0, &run->in[i]);
        if (i >= run->segment->rois &&
            sim_hisi_tensor_elements(&run->in[i]) != sim_hisi_blob_elements(&task->inputs[i]))
            return false;
    }
    for (i = 0; i < task->output_count; i++) {
        sim_model_tensor(model, true, i, 0, &run->out[i]);
        if (sim_hisi_tensor_elements(&run->out[i]) != sim_hisi_blob_elements(&task->outputs[i])) return false;
    }
    return true;
}

/* Locked: the blobs that are read, as the engine has them. */
static bool sim_hisi_gather(sim_hisi_run *run) {
    const sim_hisi_task *task = run->task;
    uint32_t i;
    for (i = 0; i < task->input_count; i++) {
        run->input_size[i] = (size_t)sim_hisi_blob_bytes(&task->inputs[i], task->steps);
        run->input_bytes[i] = (uint8_t *)malloc(run->input_size[i] + 1);
        run->in_data[i] = calloc(1, sim_tensor_bytes(&run->in[i]));
        if (!run->input_bytes[i] || !run->in_data[i]) return false;
        sim_hisi_read(task->inputs[i].physical, run->input_bytes[i], run->input_size[i]);
    }
    for (i = 0; i < task->output_count; i++) {
        run->output_bytes[i] = (uint8_t *)malloc(sim_hisi_frame_bytes(&task->outputs[i]) + 1);
        run->out_data[i] = calloc(1, sim_tensor_bytes(&run->out[i]));
        if (!run->output_bytes[i] || !run->out_data[i]) return false;
    }
    if (task->boxes.count) {
        const size_t size = (size_t)sim_hisi_blob_bytes(&task->boxes, NULL);
        run->boxes = (uint8_t *)malloc(size + 1);
        if (!run->boxes) return false;
        sim_hisi_read(task->boxes.physical, run->boxes, size);
    }
    return true;
}

static void sim_hisi_run_end(sim_hisi_run *run) {
    uint32_t i;
    for (i = 0; i < NNRT__NNIE_MAX_IO; i++) {
        free(run->input_bytes[i]);
        free(run->output_bytes[i]);
        free(run->in_data[i]);
        free(run->out_data[i]);
    }
    free(run->boxes);
    free(run);
}

/* Locked: frame of output i goes to its place. Rows are written in units of 16 bytes; what is behind that stays. */
static void sim_hisi_put_frame(const sim_hisi_run *run, uint32_t i, uint64_t frame) {
    const nnrt__nnie_blob *blob = &run->task->outputs[i];
    const size_t row = (size_t)sim_hisi_row(blob), unit = (row + 15) / 16 * 16;
    const uint64_t rows = sim_hisi_frame_rows(blob), place = blob->physical + frame * rows * blob->stride;
    uint64_t r;
    size_t k;
    for (r = 0; r < rows; r++) {
        uint8_t *at = run->output_bytes[i] + r * blob->stride;
        for (k = row; k < unit; k++) at[k] = sim_poison_locked();
        sim_hisi_write(place + r * blob->stride, at, unit, run->late);
    }
}

/* Computes once, from in_data, and writes frame of the outputs; of vectors beside sequences at frame vector. */
static int32_t sim_hisi_compute(sim_hisi_run *run, uint64_t frame, uint64_t vector) {
    const void *inputs[NNRT__NNIE_MAX_IO];
    uint32_t i;
    for (i = 0; i < run->task->input_count; i++) inputs[i] = run->in_data[i];
    if (sim_model_run(run->segment->model, 0, inputs, run->out_data, NULL, NULL) != 0) return SIM_HISI_CORRUPT;
    for (i = 0; i < run->task->output_count; i++)
        sim_hisi_from_tensor(&run->task->outputs[i], &run->out[i], run->out_data[i], run->output_bytes[i]);
    sim_lock();
    for (i = 0; i < run->task->output_count; i++)
        sim_hisi_put_frame(run, i, run->task->outputs[i].type == NNRT__NNIE_SEQ_S32 ? frame : vector);
    sim_unlock();
    return SIM_HISI_OK;
}

static void sim_hisi_load_input(sim_hisi_run *run, uint32_t i, uint64_t frame) {
    const nnrt__nnie_blob *blob = &run->task->inputs[i];
    sim_hisi_to_tensor(blob, run->input_bytes[i] + frame * sim_hisi_frame_bytes(blob), &run->in[i], run->in_data[i]);
}

static int32_t sim_hisi_frames(sim_hisi_run *run) {
    int32_t answer = SIM_HISI_OK;
    uint32_t n, i;
    for (n = 0; n < run->task->inputs[0].count && answer == SIM_HISI_OK; n++) {
        for (i = 0; i < run->task->input_count; i++) sim_hisi_load_input(run, i, n);
        answer = sim_hisi_compute(run, n, n);
    }
    return answer;
}

/* Each sequence by itself, from its own vectors on. */
static int32_t sim_hisi_sequences(sim_hisi_run *run) {
    const sim_hisi_task *task = run->task;
    int32_t answer = SIM_HISI_OK;
    uint64_t row = 0;
    uint32_t n, t, i;
    for (n = 0; n < task->inputs[0].count; n++) {
        for (i = 1; i < task->input_count; i++) sim_hisi_load_input(run, i, n);
        for (t = 0; t < task->steps[n] && answer == SIM_HISI_OK; t++, row++) {
            for (i = 0; i < task->input_count; i++)
                if (task->inputs[i].type == NNRT__NNIE_SEQ_S32) sim_hisi_load_input(run, i, row);
            answer = sim_hisi_compute(run, row, n);
            for (i = 0; i < run->segment->feedbacks && answer == SIM_HISI_OK; i++)
                memcpy(run->in_data[run->segment->feedback[i][1]], run->out_data[run->segment->feedback[i][0]],
                       sim_tensor_bytes(&run->in[run->segment->feedback[i][1]]));
        }
    }
    return answer;
}

static bool sim_hisi_feedback_fits(const sim_hisi_run *run) {
    uint32_t i;
    for (i = 0; i < run->segment->feedbacks; i++) {
        const uint32_t output = run->segment->feedback[i][0], input = run->segment->feedback[i][1];
        if (output >= run->task->output_count || input >= run->task->input_count ||
            run->out[output].type != run->in[input].type ||
            sim_tensor_bytes(&run->out[output]) != sim_tensor_bytes(&run->in[input]))
            return false;
    }
    return true;
}

/* The cells [*from, *to) of the map under part k of parts of the box [low, high], which is in pixels of the picture. */
static void sim_hisi_bin(double low, double high, double scale, uint32_t k, uint32_t parts, uint32_t size,
                         uint32_t *from, uint32_t *to) {
    const double begin = floor(low * scale + 0.5), end = floor(high * scale + 0.5);
    const double length = end - begin + 1 > 1 ? end - begin + 1 : 1;
    double first = begin + floor(length * k / parts), last = begin + ceil(length * (k + 1) / parts);
    first = first < 0 ? 0 : first > size ? size : first;
    last = last < 0 ? 0 : last > size ? size : last;
    *from = (uint32_t)first;
    *to = (uint32_t)last;
}

static double sim_hisi_box(const sim_hisi_run *run, uint32_t box, uint32_t k) {
    int32_t number;
    memcpy(&number, run->boxes + (size_t)box * run->task->boxes.stride + 4 * (size_t)k, 4);
    return number / 4096.0;
}

/* ROI pooling number k, of box: the largest of each part, 0 of an empty one. float32, NHWC. */
static void sim_hisi_pool(sim_hisi_run *run, uint32_t k, uint32_t box) {
    const nnrt__nnie_roi_pool *roi = &run->segment->roi[k];
    const nnrt__nnie_blob *blob = &run->task->inputs[k];
    const double scale = roi->spatial_scale / 4096.0;
    float *to = (float *)run->in_data[k];
    uint32_t y, x, c, h, w, top, bottom, left, right;
    for (y = 0; y < roi->height; y++)
        for (x = 0; x < roi->width; x++) {
            sim_hisi_bin(sim_hisi_box(run, box, 1), sim_hisi_box(run, box, 3), scale, y, roi->height,
                         blob->shape.map.height, &top, &bottom);
            sim_hisi_bin(sim_hisi_box(run, box, 0), sim_hisi_box(run, box, 2), scale, x, roi->width,
                         blob->shape.map.width, &left, &right);
            for (c = 0; c < roi->maps; c++) {
                double most = 0;
                for (h = top; h < bottom; h++)
                    for (w = left; w < right; w++) {
                        int32_t number;
                        const size_t row = (size_t)c * blob->shape.map.height + h;
                        memcpy(&number, run->input_bytes[k] + row * blob->stride + 4 * (size_t)w, 4);
                        if ((h == top && w == left) || number / 4096.0 > most) most = number / 4096.0;
                    }
                *to++ = (float)most;
            }
        }
}

static bool sim_hisi_rois_fit(const sim_hisi_run *run) {
    uint32_t k;
    if (run->segment->rois == 0 || run->segment->rois > run->task->input_count) return false;
    for (k = 0; k < run->segment->rois; k++) {
        const nnrt__nnie_roi_pool *roi = &run->segment->roi[k];
        if (run->in[k].type != SIM_FLOAT32 || run->task->inputs[k].type != NNRT__NNIE_S32 ||
            run->task->inputs[k].shape.map.channels != roi->maps || roi->type != NNRT__NNIE_ROI_POOL_NORMAL ||
            sim_hisi_tensor_elements(&run->in[k]) != (size_t)roi->maps * roi->height * roi->width)
            return false;
    }
    return true;
}

static int32_t sim_hisi_boxes(sim_hisi_run *run) {
    int32_t answer = SIM_HISI_OK;
    uint32_t box, k;
    for (k = run->segment->rois; k < run->task->input_count; k++) sim_hisi_load_input(run, k, 0);
    for (box = 0; box < run->task->boxes.shape.map.height && answer == SIM_HISI_OK; box++) {
        for (k = 0; k < run->segment->rois; k++) sim_hisi_pool(run, k, box);
        answer = sim_hisi_compute(run, box, box);
    }
    return answer;
}

/* Locked. Results of the run before that nobody has seen; all rows of all frames that will be written. */
static void sim_hisi_notice_unseen(const sim_hisi_task *task) {
    uint32_t i;
    for (i = 0; i < task->output_count; i++) {
        const nnrt__nnie_blob *blob = &task->outputs[i];
        const size_t unit = (size_t)((sim_hisi_row(blob) + 15) / 16 * 16);
        uint64_t rows = sim_hisi_blob_bytes(blob, task->steps) / blob->stride, r;
        for (r = 0; r < rows; r++)
            if (sim_hisi_unseen(blob->physical + r * blob->stride, unit)) {
                sim_mistake_locked("missing sync: output %u is overwritten, and nobody could have read the run before "
                                   "(no flush after it)",
                                   (unsigned)i);
                break;
            }
    }
}

/* Locked. Is everything of the task in memory what it was? */
static int32_t sim_hisi_look_at(const sim_hisi_task *task) {
    uint8_t *now;
    uint32_t number = 0;
    bool same;
    if (!task->net) return SIM_HISI_CORRUPT;
    sim_hisi_read(task->task.physical, &number, sizeof(number));
    if (number != task->number) {
        sim_log("the TskBuf is not the task's any more");
        return SIM_HISI_CORRUPT;
    }
    now = (uint8_t *)malloc(task->net->size + 1);
    if (!now) return SIM_HISI_CORRUPT;
    sim_hisi_read(task->base.physical, now, task->net->size);
    same = memcmp(now, task->net->payload, task->net->size) == 0;
    free(now);
    if (!same && sim_hisi_dirty(task->base.physical, task->base.size, false) == 0)
        sim_mistake_locked("model overwritten: the file of a model is not what was loaded");
    sim_hisi_notice_unseen(task);
    sim_hisi_scribble(task->temporary.physical, task->temporary_size);
    return same ? SIM_HISI_OK : SIM_HISI_CORRUPT;
}

static int32_t sim_hisi_execute(const sim_hisi_task *task, bool late) {
    sim_hisi_run *run = (sim_hisi_run *)calloc(1, sizeof(*run));
    int32_t answer;
    bool good = run != NULL;
    sim_lock();
    answer = sim_hisi_look_at(task);
    if (good) {
        run->task = task;
        run->late = late;
        if (answer == SIM_HISI_OK) {
            run->segment = &task->net->segment[task->segment];
            good = sim_hisi_fits(run) && sim_hisi_gather(run);
        }
    }
    sim_unlock();
    if (answer == SIM_HISI_OK) {
        if (!good) answer = SIM_HISI_CORRUPT;
        else if (task->type == NNRT__NNIE_NET_ROI)
            answer = sim_hisi_rois_fit(run) ? sim_hisi_boxes(run) : SIM_HISI_CORRUPT;
        else if (task->type == NNRT__NNIE_NET_RECURRENT)
            answer = sim_hisi_feedback_fits(run) ? sim_hisi_sequences(run) : SIM_HISI_CORRUPT;
        else answer = sim_hisi_frames(run);
    }
    if (run) sim_hisi_run_end(run);
    return answer;
}

/* -------------------------------------------------------------------------------------------------------- the cores */

static void *sim_hisi_core_thread(void *user) {
    const uint32_t core = (uint32_t)(uintptr_t)user;
    sim_lock();
    for (;;) {
        sim_hisi_task *task = sim_hisi_next_task(core);
        int answer = 0;
        bool late = false;
        if (sim_hisi_crew.stopping) break;
        if (!task) {
            sim_crew_wait(&sim_hisi_crew);
            continue;
        }
        task->state = SIM_HISI_RUNNING;
        sim_work_count(1);
        sim_crew_take_time(&sim_hisi_crew, (long)sim_work_time(task->segment));
        sim_unlock();
        if (sim_enter_late("task", &answer, &late)) {
            if (answer == sim_the_board.no_device || answer == sim_the_board.failed)
                answer = SIM_HISI_NNIE(SYS_TIMEOUT);
        } else answer = sim_hisi_execute(task, late);
        sim_lock();
        sim_work_count(-1);
        sim_hisi_task_over(task, answer);
    }
    sim_crew_leave(&sim_hisi_crew);
    return NULL;
}

void sim_hisi_engine_wake(uint32_t core) { (void)sim_crew_wake(&sim_hisi_crew, core, sim_hisi_core_thread); }
