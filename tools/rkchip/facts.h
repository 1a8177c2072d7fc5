/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/facts.h - what the NPU in software tells of a model: its tasks, its memory, what it would refuse. */
#ifndef NNRT_TOOLS_RKCHIP_FACTS_H
#define NNRT_TOOLS_RKCHIP_FACTS_H

#include "job.h"

/* Products a cycle: of one core of RK3588 by its manual; of RV1106 assumed, by the vendor's half a TOPS and the 420 MHz
   of its driver. Reading and writing cost more than products in many layers: no number of a board is promised. */
static uint32_t rkchip_products_a_cycle(rkchip_generation generation) {
    return generation == RKCHIP_RK3588 ? 1024 : 512;
}

/* Of every kind, how many. */
static void rkchip_tell_tasks(const rkchip_model *model, char *text, size_t size) {
    uint32_t convolutions = 0, copies = 0, pools = 0, others = 0, i;
    for (i = 0; i < model->task_count; i++) {
        const rkchip_task task = rkchip_model_task(model, i);
        if (task.enable == RKCHIP_RUN_CONV) convolutions++;
        else if (task.enable == RKCHIP_RUN_DPU) copies++;
        else if (task.enable == RKCHIP_RUN_POOL) pools++;
        else others++;
    }
    (void)snprintf(text, size, "%lu: %lu convolutions, %lu of the DPU alone, %lu pools, %lu others",
                   (unsigned long)model->task_count, (unsigned long)convolutions, (unsigned long)copies,
                   (unsigned long)pools, (unsigned long)others);
}

static void rkchip_tell_memory(const rkchip_model *model, char *text, size_t size) {
    (void)snprintf(text, size, "%lu B of words, %llu B of weights, %llu B between layers",
                   (unsigned long)model->words_bytes, (unsigned long long)model->weights_bytes,
                   (unsigned long long)model->between_bytes);
}

/* Runs every task that a run runs, over zeros, and goes on after each that is refused. */
static void rkchip_tell_refused(rkchip_job *job, char *text, size_t size) {
    const rkchip_model *model = job->model;
    char first[RKCHIP_SENTENCE] = "";
    uint32_t refused = 0, i, k;
    for (i = 0; i < model->operator_count; i++)
        for (k = 0; !model->operators[i].is_output && k < model->operators[i].task_count; k++) {
            rkchip_operator one = model->operators[i];
            one.first_task += k;
            one.task_count = 1;
            if (rkchip_job_run(job, &one)) continue;
            if (refused++ == 0) memcpy(first, job->chip->sentence, sizeof(first));
        }
    if (refused == 0) (void)snprintf(text, size, "nothing");
    else (void)snprintf(text, size, "%lu tasks; %s", (unsigned long)refused, first);
}

static void rkchip_tell_cycles(const rkchip_model *model, uint64_t macs, char *text, size_t size) {
    const uint32_t products = rkchip_products_a_cycle(model->generation);
    (void)snprintf(text, size, "%llu at least, were there nothing but products: an estimate, not a board's",
                   (unsigned long long)((macs + products - 1) / products));
}

#endif /* NNRT_TOOLS_RKCHIP_FACTS_H */
