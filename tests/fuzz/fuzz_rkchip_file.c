/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_rkchip_file.c - a whole .rknn for the NPU in software: header, tasks, words, graph. `make fuzz`.
   Properties  (1) any bytes: reading returns, with a model or with a printable sentence; (2) nothing outside of them is
               read; (3) each input and output, and what an operator gives, lies in the memory of the model; (4) the
               operators have the tasks of the file, each once; (5) all of them run, or are refused with a sentence that
               begins with the number of the task.
   Seeds       make_stream.py's network, whole and cut off. Files of more than 128 KiB of memory are read and not run,
               so that a run is short. */
#define RKCHIP_MOST_VALUES ((uint64_t)1 << 18)

#include "../../tools/rkchip/job.h"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_sentence(const char *sentence) {
    size_t i;
    MUST(sentence[0] != '\0');
    for (i = 0; sentence[i] != '\0'; i++) MUST(sentence[i] >= ' ' && sentence[i] < 0x7f);
    MUST(i < RKCHIP_SENTENCE);
}

static void lies_within(const rkchip_model *model, const rkchip_tensor *t, bool is_input) {
    const uint64_t values = rkchip_tensor_values(t);
    const uint64_t bytes = t->row_bytes != 0     ? t->row_bytes * t->dims[2]
                           : t->plane_bytes == 0 ? values
                                                 : (t->dims[1] + 15) / 16 * t->plane_bytes;
    MUST(values != 0 && (is_input || t->plane_bytes != 0 || t->layout == RKCHIP_LAYOUT_PLAIN));
    MUST(t->address <= model->memory_bytes && bytes <= model->memory_bytes - t->address + t->plane_bytes);
    MUST(t->rank >= 1 && t->rank <= RKCHIP_RANK && strlen(t->name) < sizeof(t->name));
}

static void looks_right(const rkchip_model *model) {
    uint32_t i, tasks = 0;
    MUST(model->input_count >= 1 && model->output_count >= 1);
    for (i = 0; i < model->input_count; i++) lies_within(model, &model->inputs[i], true);
    for (i = 0; i < model->output_count; i++) lies_within(model, &model->outputs[i], false);
    for (i = 0; i < model->operator_count; i++) {
        MUST(model->operators[i].first_task == tasks);
        MUST(!model->operators[i].is_output || model->operators[i].output < model->output_count);
        tasks += model->operators[i].task_count;
    }
    MUST(tasks == model->task_count);
}

static void runs(const rkchip_model *model) {
    static uint8_t data[1 << 17];
    rkchip_job job;
    uint32_t i;
    MUST(rkchip_job_open(&job, model));
    for (i = 0; i < model->input_count; i++) rkchip_job_put(&job, &model->inputs[i], data);
    for (i = 0; i < model->operator_count; i++) {
        const rkchip_operator *o = &model->operators[i];
        unsigned long task = 0;
        if (o->is_output) rkchip_job_get(&job, &model->outputs[o->output], i % 2 == 0, data);
        if (o->is_output || rkchip_job_run(&job, o)) continue;
        is_sentence(job.chip->sentence);
        MUST(sscanf(job.chip->sentence, "task %lu: ", &task) == 1);
        MUST(task >= o->first_task && task < o->first_task + (unsigned long)o->task_count);
    }
    rkchip_job_close(&job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *exact = (uint8_t *)malloc(size != 0 ? size : 1); /* a read behind the end is seen */
    rkchip_model model;
    MUST(exact != NULL);
    if (size != 0) memcpy(exact, data, size);
    if (rkchip_model_read(&model, exact, size)) {
        looks_right(&model);
        if (model.memory_bytes <= 1 << 17) runs(&model);
    } else is_sentence(model.sentence);
    rkchip_model_free(&model);
    free(exact);
    return 0;
}
