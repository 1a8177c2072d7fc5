/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/job.h - a model in memory, with a chip that runs its operators.

   It takes int8, as the board does in place of pictures of uint8: in files of RV1103 and RV1106 the vendor's runtime
   then changes the words of the first layer that convert pixels, and so does this. */
#ifndef NNRT_TOOLS_RKCHIP_JOB_H
#define NNRT_TOOLS_RKCHIP_JOB_H

#include "file.h"

typedef struct rkchip_job {
    const rkchip_model *model; /* has to stay */
    rkchip *chip;
    uint8_t *memory; /* words, weights, what is between layers */
    rkchip_region region;
} rkchip_job;

/* What the vendor's runtime changes where int8 comes in place of pixels. */
static void rkchip_take_int8(const rkchip_model *model, uint8_t *memory) {
    static const struct {
        uint16_t name;
        uint32_t value;
    } words[] = {{CNA_CVT_OFFSET0, 0}, {CNA_CVT_CON0, 9}, {CNA_CVT_CON1, 0x10001}, {CNA_CVT_CON2, 0x10001},
                 {CNA_CVT_CON3, 0},    {CNA_CVT_CON4, 0}, {CNA_CVT_OFFSET3, 0},    {CNA_CVT_ENABLE, 0}};
    uint32_t at, i, b;
    for (at = 0; model->words_bytes - at >= 8; at += 8)
        for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
            for (b = 0;
                 b < 4 && rkchip_read_16(memory + at) == words[i].name && rkchip_read_16(memory + at + 6) == 0x201; b++)
                memory[at + 2 + b] = (uint8_t)(words[i].value >> (8 * b));
}

/* *job is to be closed in any case. false: memory is out. */
static bool rkchip_job_open(rkchip_job *job, const rkchip_model *model) {
    memset(job, 0, sizeof(*job));
    job->model = model;
    job->region.size = model->memory_bytes;
    job->chip = rkchip_create(model->generation);
    job->region.bytes = job->memory = (uint8_t *)calloc(1, (size_t)job->region.size);
    if (job->chip == NULL || job->memory == NULL) return false;
    memcpy(job->memory, model->image, (size_t)model->image_bytes);
    if (model->generation == RKCHIP_RV1106) rkchip_take_int8(model, job->memory);
    return true;
}

static void rkchip_job_close(rkchip_job *job) {
    rkchip_destroy(job->chip);
    free(job->memory);
    job->chip = NULL;
    job->memory = NULL;
}

/* Channel c of pixel i. */
static uint8_t *rkchip_lane(uint8_t *memory, const rkchip_tensor *t, size_t i, size_t c) {
    return memory + c / RKCHIP_LANES * t->plane_bytes + i * RKCHIP_LANES + c % RKCHIP_LANES;
}

/* An input, channels last, to where the first task reads it. Lanes past its channels count for nothing. */
static void rkchip_job_put(const rkchip_job *job, const rkchip_tensor *t, const uint8_t *data) {
    uint8_t *to = job->memory + t->address;
    size_t row, pixels, i, c;
    if (t->row_bytes != 0) {
        row = (size_t)t->dims[3] * t->dims[1];
        for (i = 0; i < t->dims[2]; i++) memcpy(to + i * t->row_bytes, data + i * row, row);
        return;
    }
    if (t->plane_bytes == 0) {
        memcpy(to, data, (size_t)rkchip_tensor_values(t));
        return;
    }
    pixels = (size_t)t->dims[2] * t->dims[3];
    for (i = 0; i < pixels; i++)
        for (c = 0; c < t->dims[1]; c++) *rkchip_lane(to, t, i, c) = data[i * t->dims[1] + c];
}

/* What lies at t: with its channels last, or in the shape of the model. */
static void rkchip_job_get(const rkchip_job *job, const rkchip_tensor *t, bool channels_last, uint8_t *data) {
    uint8_t *from = job->memory + t->address;
    size_t pixels, i, c;
    if (t->plane_bytes == 0) {
        memcpy(data, from, (size_t)rkchip_tensor_values(t));
        return;
    }
    pixels = (size_t)t->dims[2] * t->dims[3];
    for (i = 0; i < pixels; i++)
        for (c = 0; c < t->dims[1]; c++)
            data[channels_last ? i * t->dims[1] + c : c * pixels + i] = *rkchip_lane(from, t, i, c);
}

/* All tasks of an operator. false: job->chip->sentence says why one was refused. */
static bool rkchip_job_run(rkchip_job *job, const rkchip_operator *o) {
    uint32_t i;
    job->chip->memory.regions = &job->region; /* job may have moved since it was opened */
    job->chip->memory.count = 1;
    for (i = 0; i < o->task_count; i++) {
        const rkchip_task task = rkchip_model_task(job->model, o->first_task + i);
        if (!rkchip_run(job->chip, o->first_task + i, &task)) return false;
    }
    return true;
}

#endif /* NNRT_TOOLS_RKCHIP_JOB_H */
