/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/profile.h - what an executor of the BPU device reports about itself.   >>bpu_profile

   Profile   inputs (kernel "bind": all tensors went to the BPU as they are; else "convert"), the task, outputs.
   Facts     by name, for nnrt_executor_get_info: NNRT__BPU_FACTS is the list, docs/bpu.md explains them. */
#ifndef NNRT_BPU_PROFILE_H
#define NNRT_BPU_PROFILE_H

#include "../npu/facts.h"
#include "model.h"

/* ------------------------------------------------------------------------------------------------ profile */

/* What the steps are called. */
NNRT__FN void nnrt__bpu_name_steps(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    nnrt__step_describe(&self->npu.steps[0], "inputs", "convert", "cpu", &model->ports[0].desc);
    nnrt__step_describe(&self->npu.steps[1], "task", "npu", "npu", NULL);
    nnrt__step_describe(&self->npu.steps[2], "outputs", "convert", "cpu", &model->ports[model->npu.input_count].desc);
}

/* ------------------------------------------------------------------------------------------------- memory */

/* BPU memory of the executor alone, and the bytes of NNRT_MALLOC for it. */
NNRT__FN size_t nnrt__bpu_own_bytes(nnrt__bpu_executor *self, size_t *heap) {
    size_t jobs = 0, bytes;
    uint32_t i;
    for (i = 0; i < self->npu.io_count; i++) jobs += nnrt__block_bytes(self->slots[i].job);
    bytes = nnrt__npu_own_bytes(&self->npu, heap);
    *heap += jobs;
    return bytes;
}

/* Slot memory. The library does not report its memory for instructions and weights, about the file's size. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_memory_figures(void *executor, nnrt_memory *memory) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    size_t heap;
    memory->arena_bytes = memory->device_bytes = nnrt__bpu_own_bytes(self, &heap);
    memory->heap_bytes =
        heap + nnrt__bpu_model_bytes(self->model) + nnrt__block_bytes(self) + nnrt__block_bytes(self->slots) +
        nnrt__block_bytes(self->shape) + nnrt__block_bytes(self->inputs) + nnrt__block_bytes(self->outputs) +
        nnrt__block_bytes(self->answer) + nnrt__block_bytes(self->regions) + nnrt__npu_executor_bytes(&self->npu);
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------------- facts */

typedef enum nnrt__bpu_fact_id {
    NNRT__BPU_FACT_LIBRARY,
    NNRT__BPU_FACT_VERSION,
    NNRT__BPU_FACT_CHIP,
    NNRT__BPU_FACT_MARCH,
    NNRT__BPU_FACT_MODEL,
    NNRT__BPU_FACT_MODELS,
    NNRT__BPU_FACT_MODEL_MARCH,
    NNRT__BPU_FACT_FILE_BYTES,
    NNRT__BPU_FACT_CORES,
    NNRT__BPU_FACT_PRIORITY,
    NNRT__BPU_FACT_BPU_BYTES,
    NNRT__BPU_FACT_DEVICE_BYTES,
    NNRT__BPU_FACT_TENSOR,
    NNRT__BPU_FACT_COPIED_BYTES,
    NNRT__BPU_FACT_CLEANS,
    NNRT__BPU_FACT_INVALIDATES,
    NNRT__BPU_FACT_RUN_US
} nnrt__bpu_fact_id;

#define NNRT__BPU_FACTS(X)                                              \
    X("bpu.library", NNRT_FACT_MODEL, NNRT__BPU_FACT_LIBRARY)           \
    X("bpu.version", NNRT_FACT_MODEL, NNRT__BPU_FACT_VERSION)           \
    X("bpu.chip", NNRT_FACT_MODEL, NNRT__BPU_FACT_CHIP)                 \
    X("bpu.march", NNRT_FACT_MODEL, NNRT__BPU_FACT_MARCH)               \
    X("bpu.model_name", NNRT_FACT_MODEL, NNRT__BPU_FACT_MODEL)          \
    X("bpu.models", NNRT_FACT_MODEL, NNRT__BPU_FACT_MODELS)             \
    X("bpu.model_march", NNRT_FACT_MODEL, NNRT__BPU_FACT_MODEL_MARCH)   \
    X("bpu.file_bytes", NNRT_FACT_MODEL, NNRT__BPU_FACT_FILE_BYTES)     \
    X("bpu.model_cores", NNRT_FACT_MODEL, NNRT__BPU_FACT_CORES)         \
    X("bpu.task_priority", NNRT_FACT_MODEL, NNRT__BPU_FACT_PRIORITY)    \
    X("bpu.own_bytes", NNRT_FACT_MODEL, NNRT__BPU_FACT_BPU_BYTES)       \
    X("bpu.device_bytes", NNRT_FACT_MODEL, NNRT__BPU_FACT_DEVICE_BYTES) \
    X("bpu.input.", NNRT_FACT_INPUT, NNRT__BPU_FACT_TENSOR)             \
    X("bpu.output.", NNRT_FACT_OUTPUT, NNRT__BPU_FACT_TENSOR)           \
    X("bpu.copied_bytes", NNRT_FACT_RUN, NNRT__BPU_FACT_COPIED_BYTES)   \
    X("bpu.cleans", NNRT_FACT_RUN, NNRT__BPU_FACT_CLEANS)               \
    X("bpu.invalidates", NNRT_FACT_RUN, NNRT__BPU_FACT_INVALIDATES)     \
    X("bpu.run_us", NNRT_FACT_RUN, NNRT__BPU_FACT_RUN_US)

/* Slot facts. */
static const nnrt_fact nnrt__bpu_facts[] = {NNRT__BPU_FACTS(NNRT__FACT_ROW){NULL, NNRT_FACT_END}};

/* " 1 x 28" behind text of size characters: dimensions, or strides where dims is NULL. */
NNRT__FN void nnrt__bpu_append_dims(char *text, size_t size, uint32_t rank, const int32_t *dims,
                                    const int64_t *strides) {
    uint32_t i;
    for (i = 0; i < rank; i++) {
        const size_t used = strlen(text);
        nnrt__format(text + used, size - used, "%s%lld", i == 0 ? "[" : ",",
                     dims != NULL ? (long long)dims[i] : (long long)strides[i]);
    }
    nnrt__format(text + strlen(text), size - strlen(text), "]");
}

/* "int8 [1,24,24,2], stored as [1,24,24,4], strides [...], 2304 bytes, converted" */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_tell_port(const nnrt__bpu_model *model, const nnrt__bpu_port *port, char *text,
                                              size_t size) {
    static const char *const names[20] = {"int4",
                                          "uint4",
                                          "int8",
                                          "uint8",
                                          "float16",
                                          "int16",
                                          "uint16",
                                          "float32",
                                          "int32",
                                          "uint32",
                                          "float64",
                                          "int64",
                                          "uint64",
                                          "bool",
                                          "Y",
                                          "NV12",
                                          "NV12 in two memories",
                                          "YUV444",
                                          "RGB",
                                          "BGR"};
    static const char *const quants[3] = {"", ", shifts", ", scales"};
    const nnrt__bpu_tensor *tensor = &model->values[port->value].tensor;
    char told[480];
    if (port->part == NNRT__BPU_REGIONS) {
        nnrt__format(told, sizeof(told), "%.100s: regions of the picture, int32 [N,4]", port->name);
        return nnrt__tell(told, text, size);
    }
    nnrt__format(told, sizeof(told), "%.100s: %s ", port->name, names[(unsigned)tensor->element]);
    nnrt__bpu_append_dims(told, sizeof(told), tensor->rank, tensor->dims, NULL);
    if (!tensor->is_dynamic) {
        nnrt__format(told + strlen(told), sizeof(told) - strlen(told), ", strides ");
        nnrt__bpu_append_dims(told, sizeof(told), tensor->rank, NULL, tensor->strides);
        nnrt__format(told + strlen(told), sizeof(told) - strlen(told), ", %lld bytes", (long long)tensor->size);
    }
    nnrt__format(told + strlen(told), sizeof(told) - strlen(told), "%s%s, %s", quants[(unsigned)tensor->quant],
                 tensor->was_rotated ? ", strides of the library put right" : "",
                 tensor->is_dynamic ? "dynamic"
                 : port->direct     ? "in place"
                                    : "converted");
    return nnrt__tell(told, text, size);
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_tell_run(nnrt__bpu_executor *self, nnrt__bpu_fact_id id, char *text, size_t size) {
    const OH_NN_ReturnCode code = nnrt__npu_check_told(&self->npu);
    if (code != OH_NN_SUCCESS) return code;
    if (id == NNRT__BPU_FACT_COPIED_BYTES)
        return nnrt__tell_number(self->npu.copied_in + self->npu.copied_out, text, size);
    if (id == NNRT__BPU_FACT_CLEANS) return nnrt__tell_number(self->cleans, text, size);
    if (id == NNRT__BPU_FACT_INVALIDATES) return nnrt__tell_number(self->invalidates, text, size);
    return nnrt__tell_number(self->task_ns / 1000u, text, size);
}

NNRT__FN uint64_t nnrt__bpu_device_bytes(nnrt__bpu_device *device) {
    uint64_t bytes;
    nnrt__mutex_lock(&device->mutex);
    bytes = device->bytes;
    nnrt__mutex_unlock(&device->mutex);
    return bytes;
}

/* Slot info. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_info(void *executor, const char *name, char *text, size_t size) {
    static const nnrt__bpu_fact_id ids[] = {NNRT__BPU_FACTS(NNRT__FACT_ANSWER)};
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_march *march = model->device->march;
    const char *digits;
    const nnrt_fact *fact = nnrt__fact_find(nnrt__bpu_facts, name, "the BPU device", &digits);
    uint32_t number;
    size_t heap;
    OH_NN_ReturnCode code;
    if (fact == NULL) return OH_NN_INVALID_PARAMETER;
    switch (ids[fact - nnrt__bpu_facts]) {
    case NNRT__BPU_FACT_LIBRARY: return nnrt__tell(model->device->library.name, text, size);
    case NNRT__BPU_FACT_VERSION: return nnrt__tell(model->device->library.version, text, size);
    case NNRT__BPU_FACT_CHIP: return march != NULL ? nnrt__tell(march->chips, text, size) : nnrt__tell_nothing(name);
    case NNRT__BPU_FACT_MARCH: return march != NULL ? nnrt__tell(march->name, text, size) : nnrt__tell_nothing(name);
    case NNRT__BPU_FACT_MODEL: return nnrt__tell(model->name, text, size);
    case NNRT__BPU_FACT_MODELS: return nnrt__tell(model->names, text, size);
    case NNRT__BPU_FACT_MODEL_MARCH:
        return model->march[0] != '\0' ? nnrt__tell(model->march, text, size) : nnrt__tell_nothing(name);
    case NNRT__BPU_FACT_FILE_BYTES: return nnrt__tell_number(model->file_size, text, size);
    case NNRT__BPU_FACT_CORES: return nnrt__tell_number(model->cores, text, size);
    case NNRT__BPU_FACT_PRIORITY: return nnrt__tell_number(model->options.priority, text, size);
    case NNRT__BPU_FACT_BPU_BYTES: return nnrt__tell_number(nnrt__bpu_own_bytes(self, &heap), text, size);
    case NNRT__BPU_FACT_DEVICE_BYTES: return nnrt__tell_number(nnrt__bpu_device_bytes(model->device), text, size);
    case NNRT__BPU_FACT_TENSOR:
        number = fact->kind == NNRT_FACT_INPUT ? model->npu.input_count : model->npu.output_count;
        code = nnrt__fact_tensor(name, digits, number, &number);
        if (code != OH_NN_SUCCESS) return code;
        return nnrt__bpu_tell_port(
            model, &model->ports[(fact->kind == NNRT_FACT_INPUT ? 0 : model->npu.input_count) + number], text, size);
    default: return nnrt__bpu_tell_run(self, ids[fact - nnrt__bpu_facts], text, size);
    }
}

#endif /* NNRT_BPU_PROFILE_H */
