/* SPDX-License-Identifier: Apache-2.0 */
/* core/executor_facts.h - what an executor reports: inputs and outputs, profile, memory, facts.   >>executor_facts */
#ifndef NNRT_CORE_EXECUTOR_FACTS_H
#define NNRT_CORE_EXECUTOR_FACTS_H

#include "executor_life.h"

NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetInputCount(const OH_NNExecutor *executor, size_t *inputCount) {
    if (executor == NULL) return nnrt__fail_null("OH_NNExecutor_GetInputCount", "executor");
    if (inputCount == NULL) return nnrt__fail_null("OH_NNExecutor_GetInputCount", "inputCount");
    *inputCount = executor->prepared->input_count;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetOutputCount(const OH_NNExecutor *executor, size_t *outputCount) {
    if (executor == NULL) return nnrt__fail_null("OH_NNExecutor_GetOutputCount", "executor");
    if (outputCount == NULL) return nnrt__fail_null("OH_NNExecutor_GetOutputCount", "outputCount");
    *outputCount = executor->prepared->output_count;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_index(const char *function, const char *what, size_t index, size_t count) {
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no %s %zu, the model has %zu", function, what, index,
                      count);
}

/* A const handle keeps its descriptions unchanged; the locks inside still change. */
NNRT__FN OH_NNExecutor *nnrt__executor_mutable(const OH_NNExecutor *executor) {
    return (OH_NNExecutor *)(uintptr_t)executor;
}

NNRT__FN NN_TensorDesc *nnrt__copy_port_desc(const OH_NNExecutor *executor, size_t port) {
    NN_TensorDesc *desc;
    nnrt_io_desc room;
    const nnrt_io_desc *is = nnrt__prepared_port(executor->prepared, port, &room);
    nnrt__mutex_lock(&nnrt__executor_mutable(executor)->state_mutex);
    desc = !NNRT__SHAPES_ARE_FIXED && executor->ports[port].desc != NULL
               ? nnrt__desc_copy(executor->ports[port].desc)
               : nnrt__desc_new(is->name, is->dtype, is->format, is->rank, is->dims);
    nnrt__mutex_unlock(&nnrt__executor_mutable(executor)->state_mutex);
    if (desc == NULL) (void)nnrt__fail_memory();
    return desc;
}

NNRT_API NN_TensorDesc *OH_NNExecutor_CreateInputTensorDesc(const OH_NNExecutor *executor, size_t index) {
    if (executor == NULL) {
        (void)nnrt__fail_null("OH_NNExecutor_CreateInputTensorDesc", "executor");
        return NULL;
    }
    if (index >= executor->prepared->input_count) {
        (void)nnrt__fail_index("OH_NNExecutor_CreateInputTensorDesc", "input", index, executor->prepared->input_count);
        return NULL;
    }
    return nnrt__copy_port_desc(executor, index);
}

NNRT_API NN_Tensor *nnrt_tensor_create_in_arena(const OH_NNExecutor *executor, size_t index) {
    static const char function[] = "nnrt_tensor_create_in_arena";
    const nnrt__prepared *prepared;
    NN_Tensor *tensor = NULL;
    NN_TensorDesc *desc;
    size_t size;
    if (executor == NULL) {
        (void)nnrt__fail_null(function, "executor");
        return NULL;
    }
    prepared = executor->prepared;
    if (index >= prepared->input_count) {
        (void)nnrt__fail_index(function, "input", index, prepared->input_count);
        return NULL;
    }
    desc = nnrt__copy_port_desc(executor, index);
    if (desc == NULL) return NULL;
    if (nnrt__desc_byte_size(desc, &size) == OH_NN_SUCCESS)
        tensor = nnrt__tensor_new(desc, nnrt__buffer_of_input(prepared->device, executor->object, index, size), size);
    nnrt__desc_free(desc);
    return tensor;
}

NNRT_API NN_TensorDesc *OH_NNExecutor_CreateOutputTensorDesc(const OH_NNExecutor *executor, size_t index) {
    if (executor == NULL) {
        (void)nnrt__fail_null("OH_NNExecutor_CreateOutputTensorDesc", "executor");
        return NULL;
    }
    if (index >= executor->prepared->output_count) {
        (void)nnrt__fail_index("OH_NNExecutor_CreateOutputTensorDesc", "output", index,
                               executor->prepared->output_count);
        return NULL;
    }
    return nnrt__copy_port_desc(executor, executor->prepared->input_count + index);
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetOutputShape(OH_NNExecutor *executor, uint32_t outputIndex, int32_t **shape,
                                                       uint32_t *shapeLength) {
    static const char function[] = "OH_NNExecutor_GetOutputShape";
    NN_TensorDesc *desc;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (shape == NULL) return nnrt__fail_null(function, "shape");
    if (*shape != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: *shape is not NULL", function);
    if (shapeLength == NULL) return nnrt__fail_null(function, "shapeLength");
    if (outputIndex >= executor->prepared->output_count)
        return nnrt__fail_index(function, "output", outputIndex, executor->prepared->output_count);
    nnrt__mutex_lock(&executor->state_mutex);
    desc = nnrt__executor_desc(executor, executor->prepared->input_count + outputIndex);
    if (desc != NULL) *shape = desc->dims;
    if (desc != NULL) *shapeLength = desc->rank;
    nnrt__mutex_unlock(&executor->state_mutex);
    return desc != NULL ? OH_NN_SUCCESS : OH_NN_MEMORY_ERROR;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_GetInputDimRange(const OH_NNExecutor *executor, size_t index,
                                                         size_t **minInputDims, size_t **maxInputDims,
                                                         size_t *shapeLength) {
    static const char function[] = "OH_NNExecutor_GetInputDimRange";
    const nnrt__prepared *prepared;
    nnrt_io_desc room;
    size_t rank, i;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (minInputDims == NULL) return nnrt__fail_null(function, "minInputDims");
    if (maxInputDims == NULL) return nnrt__fail_null(function, "maxInputDims");
    if (shapeLength == NULL) return nnrt__fail_null(function, "shapeLength");
    prepared = executor->prepared;
    for (i = 0; i < prepared->input_count; i++) {
        bool made = true;
        nnrt__mutex_lock(&nnrt__executor_mutable(executor)->state_mutex);
        if (NNRT__SHAPES_ARE_FIXED) made = nnrt__executor_range(nnrt__executor_mutable(executor), i);
        nnrt__mutex_unlock(&nnrt__executor_mutable(executor)->state_mutex);
        if (!made) return nnrt__fail_memory();
        if (executor->ports[i].range == NULL)
            return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: device %s tells no ranges", function,
                              prepared->device->name);
    }
    if (index >= prepared->input_count) return nnrt__fail_index(function, "input", index, prepared->input_count);
    rank = nnrt__prepared_port(prepared, index, &room)->rank;
    *minInputDims = executor->ports[index].range;
    *maxInputDims = executor->ports[index].range + rank;
    *shapeLength = rank;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_device(const OH_NNExecutor *executor, size_t *device_id) {
    if (executor == NULL) return nnrt__fail_null("nnrt_executor_get_device", "executor");
    if (device_id == NULL) return nnrt__fail_null("nnrt_executor_get_device", "device_id");
    *device_id = executor->prepared->device->id;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__executor_quant(const nnrt_io_desc *desc, double *scale, int32_t *zero_point,
                                               const char *function) {
    if (scale == NULL) return nnrt__fail_null(function, "scale");
    if (zero_point == NULL) return nnrt__fail_null(function, "zero_point");
    *scale = desc->scale;
    *zero_point = desc->zero_point;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_input_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                        int32_t *zero_point) {
    static const char function[] = "nnrt_executor_get_input_quant";
    nnrt_io_desc room;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (index >= executor->prepared->input_count)
        return nnrt__fail_index(function, "input", index, executor->prepared->input_count);
    return nnrt__executor_quant(nnrt__prepared_port(executor->prepared, index, &room), scale, zero_point, function);
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_output_quant(const OH_NNExecutor *executor, size_t index, double *scale,
                                                         int32_t *zero_point) {
    static const char function[] = "nnrt_executor_get_output_quant";
    nnrt_io_desc room;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (index >= executor->prepared->output_count)
        return nnrt__fail_index(function, "output", index, executor->prepared->output_count);
    return nnrt__executor_quant(nnrt__prepared_port(executor->prepared, executor->prepared->input_count + index, &room),
                                scale, zero_point, function);
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_profile(const OH_NNExecutor *executor, const nnrt_profile_step **steps,
                                                    uint32_t *step_count) {
    static const char function[] = "nnrt_executor_get_profile";
    const nnrt__device *device;
    OH_NNExecutor *self;
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (steps == NULL) return nnrt__fail_null(function, "steps");
    if (step_count == NULL) return nnrt__fail_null(function, "step_count");
    device = executor->prepared->device;
    if (nnrt__backend_of(device)->profile == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s keeps no profile", function, device->name);
    self = nnrt__executor_mutable(executor);
    code = nnrt__executor_lock(self);
    if (code != OH_NN_SUCCESS) return code;
    if (self->steps == NULL) code = nnrt__backend_of(device)->profile(self->object, &self->steps, &self->step_count);
    if (code == OH_NN_SUCCESS) {
        *steps = self->steps;
        *step_count = self->step_count;
    } else {
        self->steps = NULL; /* a failing profile may have left anything there */
    }
    nnrt__executor_unlock(self);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_schedule(const OH_NNExecutor *executor, const nnrt_schedule **schedule) {
    static const char function[] = "nnrt_executor_get_schedule";
    const nnrt__device *device;
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (schedule == NULL) return nnrt__fail_null(function, "schedule");
    device = executor->prepared->device;
    if (nnrt__backend_of(device)->schedule == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s tells no schedule", function, device->name);
    code = nnrt__executor_lock(nnrt__executor_mutable(executor));
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__backend_of(device)->schedule(executor->object, schedule);
    nnrt__executor_unlock(nnrt__executor_mutable(executor));
    return code;
}

/* Bytes of NNRT_MALLOC that the core holds for executor and its compilation. run_mutex is held. */
NNRT__FN size_t nnrt__executor_bytes(OH_NNExecutor *executor) {
    size_t bytes =
               nnrt__block_bytes(executor) + nnrt__block_bytes(executor->io) + nnrt__prepared_bytes(executor->prepared),
           i;
    nnrt__mutex_lock(&executor->state_mutex);
    bytes += executor->queue_bytes;
    for (i = 0; i < nnrt__port_count(executor); i++) {
        const nnrt__port *port = &executor->ports[i];
        bytes += nnrt__desc_bytes(port->desc) + nnrt__block_bytes(port->range) + nnrt__block_bytes(port->binding);
        if (port->binding != NULL) bytes += nnrt__buffer_bytes(port->binding->buffer);
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    return bytes;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_memory(const OH_NNExecutor *executor, nnrt_memory *memory) {
    static const char function[] = "nnrt_executor_get_memory";
    const nnrt__device *device;
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (memory == NULL) return nnrt__fail_null(function, "memory");
    device = executor->prepared->device;
    if (nnrt__backend_of(device)->memory == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s tells no memory", function, device->name);
    memset(memory, 0, sizeof(*memory));
    code = nnrt__executor_lock(nnrt__executor_mutable(executor));
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__backend_of(device)->memory(executor->object, memory);
    memory->heap_bytes += nnrt__executor_bytes(nnrt__executor_mutable(executor));
    memory->build_peak_bytes = executor->prepared->build_peak_bytes;
    nnrt__executor_unlock(nnrt__executor_mutable(executor));
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_get_info(const OH_NNExecutor *executor, const char *name, char *text,
                                                 size_t size) {
    static const char function[] = "nnrt_executor_get_info";
    const nnrt__device *device;
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (name == NULL) return nnrt__fail_null(function, "name");
    if (text == NULL) return nnrt__fail_null(function, "text");
    if (size == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: size is 0", function);
    device = executor->prepared->device;
    if (nnrt__backend_of(device)->info == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s tells no facts", function, device->name);
    code = nnrt__executor_lock(nnrt__executor_mutable(executor));
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__backend_of(device)->info(executor->object, name, text, size);
    nnrt__executor_unlock(nnrt__executor_mutable(executor));
    return code;
}

#endif /* NNRT_CORE_EXECUTOR_FACTS_H */
