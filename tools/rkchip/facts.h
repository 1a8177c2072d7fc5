/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/facts.h - what the NPU in software tells of a model: its tasks, its memory, what it would refuse. */
#ifndef NNRT_TOOLS_RKCHIP_FACTS_H
#define NNRT_TOOLS_RKCHIP_FACTS_H

#include "mini_file.h"

/* Half a TOPS at 420 MHz, as the vendor has it. Reading and writing, and the filling of what is narrower than 32
   channels, cost more than products in many layers: no number of a board is promised. */
#define RKCHIP_PRODUCTS_A_CYCLE 512u

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
    (void)snprintf(text, size, "%lu B of words, %lu B of weights, %lu B between layers",
                   (unsigned long)model->words_bytes, (unsigned long)model->weights_bytes,
                   (unsigned long)model->between_bytes);
}

/* Runs every task that a run runs, over zeros, and goes on after each that is refused. chip and memory are a run's. */
static void rkchip_tell_refused(const rkchip_model *model, rkchip *chip, char *text, size_t size) {
    char first[RKCHIP_SENTENCE] = "";
    uint32_t refused = 0, i, k;
    for (i = 0; i < model->operator_count; i++) {
        const rkchip_operator *o = &model->operators[i];
        for (k = 0; !o->is_output && k < o->task_count; k++) {
            const rkchip_task task = rkchip_model_task(model, o->first_task + k);
            if (rkchip_run(chip, o->first_task + k, &task)) continue;
            if (refused++ == 0) memcpy(first, chip->sentence, sizeof(first));
        }
    }
    if (refused == 0) (void)snprintf(text, size, "nothing");
    else (void)snprintf(text, size, "%lu tasks; %s", (unsigned long)refused, first);
}

static void rkchip_tell_cycles(uint64_t macs, char *text, size_t size) {
    (void)snprintf(text, size, "%llu at least, were there nothing but products: an estimate, not a board's",
                   (unsigned long long)((macs + RKCHIP_PRODUCTS_A_CYCLE - 1) / RKCHIP_PRODUCTS_A_CYCLE));
}

#endif /* NNRT_TOOLS_RKCHIP_FACTS_H */
