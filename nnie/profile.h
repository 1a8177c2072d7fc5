/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/profile.h - what an executor of the NNIE device reports about itself.   >>nnie_profile

   Profile   inputs (kernel "bind": all tensors went to the engine as they are; else "convert"), each segment, each
             layer of the program, outputs.
   Facts     by name, for nnrt_executor_get_info: NNRT__NNIE_FACTS is the list, docs/nnie.md explains them. */
#ifndef NNRT_NNIE_PROFILE_H
#define NNRT_NNIE_PROFILE_H

#include "../npu/facts.h"
#include "model.h"

/* ------------------------------------------------------------------------------------------------ profile */

/* What the steps are called. */
NNRT__FN void nnrt__nnie_name_steps(nnrt__nnie_executor *self) {
    static const char *const segments[NNRT__NNIE_MAX_SEGMENTS] = {"segment 0", "segment 1", "segment 2", "segment 3",
                                                                  "segment 4", "segment 5", "segment 6", "segment 7"};
    const nnrt__nnie_prepared *model = self->model;
    nnrt_profile_step *step = self->npu.steps;
    uint32_t i, layer = 0;
    nnrt__step_describe(step++, "inputs", "convert", "cpu", &model->ports[0].desc);
    for (i = 0; i < model->stage_count; i++) {
        nnrt__step_describe(step++, segments[model->stages[i].number], "npu", "npu", NULL);
        for (; layer < model->layer_count && model->layers[layer].after == model->stages[i].number; layer++)
            nnrt__step_describe(step++, model->layers[layer].name, "layer", "cpu", NULL);
    }
    NNRT_ASSERT(layer == model->layer_count && step == self->npu.steps + self->npu.model->step_count - 1);
    nnrt__step_describe(step, "outputs", "convert", "cpu", &model->ports[model->npu.input_count].desc);
}

/* ------------------------------------------------------------------------------------------------- memory */

/* MMZ that the executor and its model hold, and the bytes of NNRT_MALLOC for own memory; the core's intermediate memory
   counts for each model. */
NNRT__FN size_t nnrt__nnie_mmz_bytes(nnrt__nnie_executor *self, size_t *heap) {
    const nnrt__nnie_prepared *model = self->model;
    return nnrt__npu_own_bytes(&self->npu, heap) + self->block->size + model->file->size + model->temporary_size;
}

/* Slot memory. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_memory_figures(void *executor, nnrt_memory *memory) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    const nnrt__nnie_prepared *model = self->model;
    size_t heap;
    uint32_t i;
    memory->device_bytes = nnrt__nnie_mmz_bytes(self, &heap);
    memory->heap_bytes = heap + nnrt__nnie_model_bytes(model) + nnrt__block_bytes(self) +
                         nnrt__block_bytes(self->block) + nnrt__block_bytes(self->reals) +
                         nnrt__block_bytes(self->scratch) + nnrt__block_bytes(self->port_moves) +
                         nnrt__block_bytes(self->rows) + nnrt__block_bytes(self->steps) +
                         nnrt__block_bytes(self->moves) + nnrt__npu_executor_bytes(&self->npu);
    for (i = 0; i < model->value_count; i++) memory->heap_bytes += nnrt__block_bytes(self->moves[i]);
    for (i = 0; i < self->npu.io_count; i++) memory->heap_bytes += nnrt__block_bytes(self->port_moves[i]);
    memory->weights_bytes = model->file->size;
    memory->arena_bytes = self->block->size + model->temporary_size;
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------------- facts */

typedef enum nnrt__nnie_fact_id {
    NNRT__NNIE_FACT_LIBRARY,
    NNRT__NNIE_FACT_CHIPS,
    NNRT__NNIE_FACT_CORE,
    NNRT__NNIE_FACT_MAPPER,
    NNRT__NNIE_FACT_SEGMENTS,
    NNRT__NNIE_FACT_MODEL_BYTES,
    NNRT__NNIE_FACT_TEMPORARY_BYTES,
    NNRT__NNIE_FACT_TASK_BYTES,
    NNRT__NNIE_FACT_MMZ_BYTES,
    NNRT__NNIE_FACT_INPUT,
    NNRT__NNIE_FACT_OUTPUT,
    NNRT__NNIE_FACT_COPIED_BYTES,
    NNRT__NNIE_FACT_FLUSHES,
    NNRT__NNIE_FACT_RUN_US
} nnrt__nnie_fact_id;

#define NNRT__NNIE_FACTS(X)                                                     \
    X("nnie.library", NNRT_FACT_MODEL, NNRT__NNIE_FACT_LIBRARY)                 \
    X("nnie.made_for", NNRT_FACT_MODEL, NNRT__NNIE_FACT_CHIPS)                  \
    X("nnie.core", NNRT_FACT_MODEL, NNRT__NNIE_FACT_CORE)                       \
    X("nnie.mapper", NNRT_FACT_MODEL, NNRT__NNIE_FACT_MAPPER)                   \
    X("nnie.segments", NNRT_FACT_MODEL, NNRT__NNIE_FACT_SEGMENTS)               \
    X("nnie.model_bytes", NNRT_FACT_MODEL, NNRT__NNIE_FACT_MODEL_BYTES)         \
    X("nnie.temporary_bytes", NNRT_FACT_MODEL, NNRT__NNIE_FACT_TEMPORARY_BYTES) \
    X("nnie.task_bytes", NNRT_FACT_MODEL, NNRT__NNIE_FACT_TASK_BYTES)           \
    X("nnie.mmz_bytes", NNRT_FACT_MODEL, NNRT__NNIE_FACT_MMZ_BYTES)             \
    X("nnie.input.", NNRT_FACT_INPUT, NNRT__NNIE_FACT_INPUT)                    \
    X("nnie.output.", NNRT_FACT_OUTPUT, NNRT__NNIE_FACT_OUTPUT)                 \
    X("nnie.copied_bytes", NNRT_FACT_RUN, NNRT__NNIE_FACT_COPIED_BYTES)         \
    X("nnie.flushes", NNRT_FACT_RUN, NNRT__NNIE_FACT_FLUSHES)                   \
    X("nnie.run_us", NNRT_FACT_RUN, NNRT__NNIE_FACT_RUN_US)

/* Slot facts. */
static const nnrt_fact nnrt__nnie_facts[] = {NNRT__NNIE_FACTS(NNRT__FACT_ROW){NULL, NNRT_FACT_END}};

/* Describes a port as the engine sees it. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_tell_port(const nnrt__nnie_executor *self, const nnrt_fact *fact, const char *name,
                                               const char *digits, char *text, size_t size) {
    static const char *const kinds[6] = {"S32", "U8", "YVU420SP", "YVU422SP", "VEC_S32", "SEQ_S32"};
    const nnrt__nnie_prepared *model = self->model;
    const bool output = fact->kind == NNRT_FACT_OUTPUT;
    const nnrt__nnie_port *port;
    uint32_t number;
    char told[160];
    const OH_NN_ReturnCode code =
        nnrt__fact_tensor(name, digits, output ? model->npu.output_count : model->npu.input_count, &number);
    if (code != OH_NN_SUCCESS) return code;
    port = &model->ports[(output ? model->npu.input_count : 0) + number];
    if (port->value == NNRT__NNIE_NONE || !model->values[port->value].has_blob) {
        nnrt__format(told, sizeof(told), "%s: %s", port->name, port->value == NNRT__NNIE_NONE ? "steps" : "of a layer");
    } else {
        const nnrt__nnie_value *value = &model->values[port->value];
        nnrt__format(told, sizeof(told), "%s: %s, %u x %u x %u channels, rows of %u bytes, %s", port->name,
                     kinds[value->node.type], (unsigned)value->node.height, (unsigned)value->node.width,
                     (unsigned)value->node.channels, (unsigned)value->stride, port->direct ? "in place" : "converted");
    }
    return nnrt__tell(told, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_tell_mapper(const nnrt__nnie_prepared *model, char *text, size_t size) {
    char told[32];
    nnrt__format(told, sizeof(told), "%u.%u.%u.%u.%u", model->mapper[0], model->mapper[1], model->mapper[2],
                 model->mapper[3], model->mapper[4]);
    return nnrt__tell(told, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_tell_run(nnrt__nnie_executor *self, nnrt__nnie_fact_id id, char *text,
                                              size_t size) {
    const OH_NN_ReturnCode code = nnrt__npu_check_told(&self->npu);
    if (code != OH_NN_SUCCESS) return code;
    if (id == NNRT__NNIE_FACT_COPIED_BYTES)
        return nnrt__tell_number(self->npu.copied_in + self->npu.copied_out, text, size);
    if (id == NNRT__NNIE_FACT_FLUSHES) return nnrt__tell_number(self->flushes, text, size);
    return nnrt__tell_number(self->engine_ns / 1000u, text, size);
}

/* Slot info. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_info(void *executor, const char *name, char *text, size_t size) {
    static const nnrt__nnie_fact_id ids[] = {NNRT__NNIE_FACTS(NNRT__FACT_ANSWER)};
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    const nnrt__nnie_prepared *model = self->model;
    const char *digits;
    size_t heap;
    const nnrt_fact *fact = nnrt__fact_find(nnrt__nnie_facts, name, "the NNIE device", &digits);
    if (fact == NULL) return OH_NN_INVALID_PARAMETER;
    if (fact->kind == NNRT_FACT_INPUT || fact->kind == NNRT_FACT_OUTPUT)
        return nnrt__nnie_tell_port(self, fact, name, digits, text, size);
    switch (ids[fact - nnrt__nnie_facts]) {
    case NNRT__NNIE_FACT_LIBRARY: return nnrt__tell(model->device->library.name, text, size);
    case NNRT__NNIE_FACT_CHIPS: return nnrt__tell(nnrt__wk_chips(model->architecture), text, size);
    case NNRT__NNIE_FACT_CORE: return nnrt__tell_number(model->device->core, text, size);
    case NNRT__NNIE_FACT_MAPPER: return nnrt__nnie_tell_mapper(model, text, size);
    case NNRT__NNIE_FACT_SEGMENTS: return nnrt__tell_number(model->stage_count, text, size);
    case NNRT__NNIE_FACT_MODEL_BYTES: return nnrt__tell_number(model->file->size, text, size);
    case NNRT__NNIE_FACT_TEMPORARY_BYTES: return nnrt__tell_number(model->temporary_size, text, size);
    case NNRT__NNIE_FACT_TASK_BYTES: return nnrt__tell_number(model->task_size, text, size);
    case NNRT__NNIE_FACT_MMZ_BYTES: return nnrt__tell_number(nnrt__nnie_mmz_bytes(self, &heap), text, size);
    default: return nnrt__nnie_tell_run(self, ids[fact - nnrt__nnie_facts], text, size);
    }
}

#endif /* NNRT_NNIE_PROFILE_H */
