/* SPDX-License-Identifier: Apache-2.0 */
/* core/deprecated.h - the executor calls of API 9: SetInput, SetOutput, Run, and memory of the device.   >>deprecated

   They keep their own bindings, one per input and output, which persist after a run. SetInput copies at once, SetOutput
   copies the result after the run; the copies are in device memory, or, where the device has none, in a block of
   NNRT_MALLOC that is made once and grows. The ...WithMemory calls bind memory of Allocate...Memory, which the device
   uses in place. Memory may be allocated in one executor and bound in another of the same device, so the device keeps
   the list. Inputs and outputs are listed separately, as in OpenHarmony. */
#ifndef NNRT_CORE_DEPRECATED_H
#define NNRT_CORE_DEPRECATED_H

#include "executor.h"

typedef struct nnrt__memory_block {
    struct nnrt__memory_block *next;
    const OH_NNExecutor *executor; /* with port, who allocated it: only compared */
    size_t port;
    nnrt__buffer *buffer;
    OH_NN_Memory *memory;
} nnrt__memory_block;

/* ------------------------------------------------------------------------------------------------- memory */

/* Its members are const, so they are set by memcpy. */
NNRT__FN OH_NN_Memory *nnrt__memory_new(void *data, size_t length) {
    OH_NN_Memory *memory = (OH_NN_Memory *)nnrt__alloc(sizeof(*memory));
    if (memory == NULL) return NULL;
    memcpy((uint8_t *)memory + offsetof(OH_NN_Memory, data), &data, sizeof(data));
    memcpy((uint8_t *)memory + offsetof(OH_NN_Memory, length), &length, sizeof(length));
    return memory;
}

NNRT__FN OH_NN_Memory *nnrt__allocate_memory(OH_NNExecutor *executor, size_t port, size_t length) {
    nnrt__device *device = nnrt__device_find(executor->prepared->device->id);
    nnrt__memory_block *block = (nnrt__memory_block *)nnrt__alloc_zero(1, sizeof(*block));
    if (block == NULL) {
        (void)nnrt__fail_memory();
        return NULL;
    }
    block->executor = executor;
    block->port = port;
    block->buffer = nnrt__buffer_create_private(device, length);
    if (block->buffer != NULL) {
        block->memory = nnrt__memory_new(block->buffer->data, length);
        if (block->memory == NULL) (void)nnrt__fail_memory();
    }
    if (block->memory == NULL) {
        nnrt__buffer_release(block->buffer);
        nnrt__free(block);
        return NULL;
    }
    nnrt__mutex_lock(nnrt__device_mutex());
    block->next = device->blocks;
    device->blocks = block;
    nnrt__mutex_unlock(nnrt__device_mutex());
    return block->memory;
}

/* The buffer of the device that begins at data; NULL when there is none. Counted for the caller. */
NNRT__FN nnrt__buffer *nnrt__find_memory(const nnrt__device *device, const void *data) {
    const nnrt__memory_block *block;
    nnrt__buffer *buffer = NULL;
    nnrt__mutex_lock(nnrt__device_mutex());
    for (block = device->blocks; block != NULL && buffer == NULL; block = block->next)
        if (block->buffer->data == data) buffer = nnrt__buffer_retain(block->buffer);
    nnrt__mutex_unlock(nnrt__device_mutex());
    return buffer;
}

/* Frees *memory and its list entry if this port allocated it; otherwise only logs. */
NNRT__FN void nnrt__destroy_memory(const char *function, OH_NNExecutor *executor, size_t port, OH_NN_Memory **memory) {
    nnrt__device *device = nnrt__device_find(executor->prepared->device->id);
    nnrt__memory_block **link;
    nnrt__memory_block *block;
    nnrt__mutex_lock(nnrt__device_mutex());
    for (link = &device->blocks; *link != NULL; link = &(*link)->next)
        if ((*link)->memory == *memory && (*link)->executor == executor && (*link)->port == port) break;
    block = *link;
    if (block != NULL) *link = block->next;
    nnrt__mutex_unlock(nnrt__device_mutex());
    if (block == NULL) {
        nnrt__log(NNRT_LOG_WARNING, "%s: this memory was not allocated here", function);
        return;
    }
    nnrt__buffer_release(block->buffer);
    nnrt__free(block->memory);
    nnrt__free(block);
    *memory = NULL;
}

NNRT_API OH_NN_Memory *OH_NNExecutor_AllocateInputMemory(OH_NNExecutor *executor, uint32_t inputIndex, size_t length) {
    static const char function[] = "OH_NNExecutor_AllocateInputMemory";
    if (executor == NULL || length == 0) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s", function,
                         executor == NULL ? "executor is NULL" : "length is 0");
        return NULL;
    }
    if (inputIndex >= executor->prepared->input_count) {
        (void)nnrt__fail_index(function, "input", inputIndex, executor->prepared->input_count);
        return NULL;
    }
    return nnrt__allocate_memory(executor, inputIndex, length);
}

NNRT_API OH_NN_Memory *OH_NNExecutor_AllocateOutputMemory(OH_NNExecutor *executor, uint32_t outputIndex,
                                                          size_t length) {
    static const char function[] = "OH_NNExecutor_AllocateOutputMemory";
    if (executor == NULL || length == 0) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s", function,
                         executor == NULL ? "executor is NULL" : "length is 0");
        return NULL;
    }
    if (outputIndex >= executor->prepared->output_count) {
        (void)nnrt__fail_index(function, "output", outputIndex, executor->prepared->output_count);
        return NULL;
    }
    return nnrt__allocate_memory(executor, executor->prepared->input_count + outputIndex, length);
}

NNRT_API void OH_NNExecutor_DestroyInputMemory(OH_NNExecutor *executor, uint32_t inputIndex, OH_NN_Memory **memory) {
    static const char function[] = "OH_NNExecutor_DestroyInputMemory";
    if (executor == NULL || memory == NULL || *memory == NULL || inputIndex >= executor->prepared->input_count) {
        nnrt__log(NNRT_LOG_WARNING, "%s: no such executor, input or memory", function);
        return;
    }
    nnrt__destroy_memory(function, executor, inputIndex, memory);
}

NNRT_API void OH_NNExecutor_DestroyOutputMemory(OH_NNExecutor *executor, uint32_t outputIndex, OH_NN_Memory **memory) {
    static const char function[] = "OH_NNExecutor_DestroyOutputMemory";
    if (executor == NULL || memory == NULL || *memory == NULL || outputIndex >= executor->prepared->output_count) {
        nnrt__log(NNRT_LOG_WARNING, "%s: no such executor, output or memory", function);
        return;
    }
    nnrt__destroy_memory(function, executor, executor->prepared->input_count + outputIndex, memory);
}

/* ------------------------------------------------------------------------------------------------- inputs */

NNRT__FN OH_NN_ReturnCode nnrt__check_old_quant(const OH_NN_QuantParam *quant) {
    uint32_t i;
    if (quant == NULL) return OH_NN_SUCCESS;
    if (quant->quantCount == 0 || quant->numBits == NULL || quant->scale == NULL || quant->zeroPoint == NULL)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor->quantParam is incomplete");
    for (i = 0; i < quant->quantCount; i++)
        if (quant->numBits[i] != 8 && quant->numBits[i] != 16)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor->quantParam has %u bits; 8 and 16 are possible",
                              (unsigned)quant->numBits[i]);
    return OH_NN_SUCCESS;
}

/* The checks of SetInput behind the executor's lock, in this order; *size gets the bytes of tensor. */
NNRT__FN OH_NN_ReturnCode nnrt__check_old_input(const char *function, const OH_NNExecutor *executor, uint32_t index,
                                                const OH_NN_Tensor *tensor, size_t *size) {
    const nnrt__prepared *prepared = executor->prepared;
    const nnrt_io_desc *desc;
    nnrt_io_desc room;
    OH_NN_ReturnCode code;
    uint32_t k;
    if (index >= prepared->input_count) return nnrt__fail_index(function, "input", index, prepared->input_count);
    desc = nnrt__prepared_port(prepared, index, &room);
    if ((tensor->dimensions == NULL) != (tensor->dimensionCount == 0))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: tensor->dimensions and dimensionCount contradict each other",
                          function);
    code = nnrt__check_input_shape(executor, index, tensor->dimensionCount, tensor->dimensions);
    if (code == OH_NN_SUCCESS)
        code = nnrt__check_shape(tensor->dataType, tensor->dimensionCount, tensor->dimensions, size);
    if (code == OH_NN_SUCCESS) code = nnrt__check_old_quant(tensor->quantParam);
    if (code != OH_NN_SUCCESS) return code;
    if (tensor->dataType != desc->dtype)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: input %u is %s, the model has %s", function, (unsigned)index,
                          nnrt__dtype_name(tensor->dataType), nnrt__dtype_name(desc->dtype));
    if (tensor->type != OH_NN_TENSOR)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: tensor->type is not OH_NN_TENSOR", function);
    for (k = 0; k < desc->rank; k++) {
        nnrt__shape_text given, wanted;
        if (desc->dims[k] <= 0 || desc->dims[k] == tensor->dimensions[k]) continue;
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: input %u is %s, the model has %s", function, (unsigned)index,
                          nnrt__shape_print(&given, desc->rank, tensor->dimensions),
                          nnrt__shape_print(&wanted, desc->rank, desc->dims));
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__check_length(const char *function, size_t length, size_t needed) {
    if (length != 0 && length >= needed) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: length is %zu, the tensor needs %zu", function, length, needed);
}

/* The binding of a port, made by its first such call; NULL: out of memory. */
NNRT__FN nnrt__binding *nnrt__port_binding(nnrt__port *port) {
    if (port->binding == NULL) port->binding = (nnrt__binding *)nnrt__alloc_zero(1, sizeof(*port->binding));
    if (port->binding == NULL) (void)nnrt__fail_memory();
    return port->binding;
}

/* Gives a binding a buffer of length bytes, unless its present one is large enough. */
NNRT__FN OH_NN_ReturnCode nnrt__binding_buffer(const OH_NNExecutor *executor, nnrt__binding *binding, size_t length) {
    nnrt__buffer *buffer;
    if (binding->buffer != NULL && binding->buffer->size >= length) return OH_NN_SUCCESS;
    buffer = nnrt__buffer_create_private(executor->prepared->device, length);
    if (buffer == NULL) return nnrt__fail(OH_NN_MEMORY_ERROR, "no memory for a copy: %s", nnrt__sentence());
    nnrt__buffer_release(binding->buffer);
    binding->buffer = buffer;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetInput(OH_NNExecutor *executor, uint32_t inputIndex,
                                                 const OH_NN_Tensor *tensor, const void *dataBuffer, size_t length) {
    static const char function[] = "OH_NNExecutor_SetInput";
    nnrt__binding *binding;
    OH_NN_ReturnCode code;
    size_t size = 0;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (tensor == NULL) return nnrt__fail_null(function, "tensor");
    if (dataBuffer == NULL) return nnrt__fail_null(function, "dataBuffer");
    if (length == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: length is 0", function);
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__check_old_input(function, executor, inputIndex, tensor, &size);
    if (code == OH_NN_SUCCESS) code = nnrt__check_length(function, length, size);
    if (code == OH_NN_SUCCESS) {
        binding = nnrt__port_binding(&executor->ports[inputIndex]);
        code = binding == NULL ? OH_NN_MEMORY_ERROR : nnrt__binding_buffer(executor, binding, length);
        if (code == OH_NN_SUCCESS) {
            memcpy(binding->buffer->data, dataBuffer, size);
            memcpy(binding->dims, tensor->dimensions, tensor->dimensionCount * sizeof(binding->dims[0]));
            binding->bound = true;
        }
    }
    nnrt__executor_unlock(executor);
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetInputWithMemory(OH_NNExecutor *executor, uint32_t inputIndex,
                                                           const OH_NN_Tensor *tensor, const OH_NN_Memory *memory) {
    static const char function[] = "OH_NNExecutor_SetInputWithMemory";
    nnrt__binding *binding = NULL;
    OH_NN_ReturnCode code;
    size_t size = 0;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (tensor == NULL) return nnrt__fail_null(function, "tensor");
    if (memory == NULL) return nnrt__fail_null(function, "memory");
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__check_old_input(function, executor, inputIndex, tensor, &size);
    if (code == OH_NN_SUCCESS) code = nnrt__check_length(function, memory->length, size);
    if (code == OH_NN_SUCCESS) {
        binding = nnrt__port_binding(&executor->ports[inputIndex]);
        if (binding == NULL) code = OH_NN_MEMORY_ERROR;
    }
    if (code == OH_NN_SUCCESS) {
        nnrt__buffer_release(binding->buffer);
        binding->buffer = NULL;
        binding->data = memory->data;
        binding->length = memory->length;
        memcpy(binding->dims, tensor->dimensions, tensor->dimensionCount * sizeof(binding->dims[0]));
        binding->bound = true;
    }
    nnrt__executor_unlock(executor);
    return code;
}

/* ------------------------------------------------------------------------------------------------ outputs */

/* Binds data as output index, with or without a buffer of the executor's. */
NNRT__FN OH_NN_ReturnCode nnrt__bind_output(const char *function, OH_NNExecutor *executor, uint32_t index, void *data,
                                            size_t length, bool own_buffer) {
    const nnrt__prepared *prepared = executor->prepared;
    nnrt__binding *binding = NULL;
    const NN_TensorDesc *desc;
    OH_NN_ReturnCode code;
    size_t needed;
    if (index >= prepared->output_count) return nnrt__fail_index(function, "output", index, prepared->output_count);
    desc = nnrt__executor_desc(executor, prepared->input_count + index);
    if (desc == NULL) return OH_NN_MEMORY_ERROR;
    code = nnrt__desc_least_size(desc, &needed);
    if (code == OH_NN_SUCCESS) code = nnrt__check_length(function, length, needed);
    if (code == OH_NN_SUCCESS) {
        binding = nnrt__port_binding(&executor->ports[prepared->input_count + index]);
        if (binding == NULL) code = OH_NN_MEMORY_ERROR;
    }
    if (code == OH_NN_SUCCESS && own_buffer) code = nnrt__binding_buffer(executor, binding, length);
    if (code != OH_NN_SUCCESS) return code;
    if (!own_buffer) {
        nnrt__buffer_release(binding->buffer);
        binding->buffer = NULL;
    }
    binding->data = data;
    binding->length = length;
    binding->bound = true;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOutput(OH_NNExecutor *executor, uint32_t outputIndex, void *dataBuffer,
                                                  size_t length) {
    static const char function[] = "OH_NNExecutor_SetOutput";
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (dataBuffer == NULL) return nnrt__fail_null(function, "dataBuffer");
    if (length == 0) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: length is 0", function);
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__bind_output(function, executor, outputIndex, dataBuffer, length, true);
    nnrt__executor_unlock(executor);
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOutputWithMemory(OH_NNExecutor *executor, uint32_t outputIndex,
                                                            const OH_NN_Memory *memory) {
    static const char function[] = "OH_NNExecutor_SetOutputWithMemory";
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (memory == NULL) return nnrt__fail_null(function, "memory");
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__bind_output(function, executor, outputIndex, memory->data, memory->length, false);
    nnrt__executor_unlock(executor);
    return code;
}

/* ---------------------------------------------------------------------------------------------------- Run */

/* Fills io of a bound port; *buffer (counted) is its memory, NULL if that was never allocated. */
NNRT__FN void nnrt__fill_port_io(const OH_NNExecutor *executor, size_t i, nnrt_io *io, nnrt__buffer **buffer) {
    const nnrt__binding *binding = executor->ports[i].binding;
    nnrt_io_desc room;
    *buffer = binding->buffer != NULL ? nnrt__buffer_retain(binding->buffer)
                                      : nnrt__find_memory(executor->prepared->device, binding->data);
    memset(io, 0, sizeof(*io));
    if (*buffer == NULL) return;
    io->data = (*buffer)->data;
    io->size = (*buffer)->size;
    if (binding->buffer == NULL && binding->length < io->size) io->size = binding->length;
    io->fd = nnrt__buffer_fd(*buffer);
    io->offset = (*buffer)->pages.offset;
    if ((*buffer)->from_device) io->memory = (*buffer)->memory->handle;
    io->dtype = nnrt__prepared_port(executor->prepared, i, &room)->dtype;
}

/* After a run: copies the results of SetOutput to the program. All sizes are checked before the first copy. */
NNRT__FN OH_NN_ReturnCode nnrt__copy_outputs(const OH_NNExecutor *executor, const nnrt_io *run) {
    size_t inputs = executor->prepared->input_count, i;
    int pass;
    for (pass = 0; pass < 2; pass++) {
        for (i = inputs; i < nnrt__port_count(executor); i++) {
            const nnrt__binding *binding = executor->ports[i].binding;
            const nnrt_io *io = &run[i];
            NN_TensorDesc shape = *executor->ports[i].desc; /* made by nnrt__bind_output */
            OH_NN_ReturnCode code;
            size_t size;
            if (!NNRT__SHAPES_ARE_FIXED) { /* else the descriptor has it, and the device reports none */
                shape.rank = io->rank;
                memcpy(shape.dims, io->dims, sizeof(shape.dims));
            }
            code = nnrt__desc_byte_size(&shape, &size);
            if (code != OH_NN_SUCCESS)
                return nnrt__fail(OH_NN_INVALID_PARAMETER, "output %zu: %s", i - inputs, nnrt__sentence());
            if (binding->length < size || io->size < size)
                return nnrt__fail(OH_NN_INVALID_PARAMETER, "output %zu has %zu bytes, room is for %zu", i - inputs,
                                  size, binding->length);
            if (pass == 1 && binding->buffer != NULL) memcpy(binding->data, io->data, size);
        }
    }
    return OH_NN_SUCCESS;
}

/* run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__run_bound(OH_NNExecutor *executor) {
    const nnrt__prepared *prepared = executor->prepared;
    size_t count = nnrt__port_count(executor), i, filled = 0;
    nnrt__buffer *buffers[2 * NNRT__MAX_IO];
    nnrt__few_io few;
    nnrt_io *io = nnrt__run_io(executor, &few);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    NNRT__ASSERT_HELD(&executor->run_mutex);
    nnrt__executor_forget(executor);
    for (i = 0; i < count; i++)
        if (executor->ports[i].binding == NULL || !executor->ports[i].binding->bound)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNExecutor_Run: %s %zu is not set",
                              i < prepared->input_count ? "input" : "output",
                              i < prepared->input_count ? i : i - prepared->input_count);
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++) {
        nnrt__fill_port_io(executor, i, &io[i], &buffers[i]);
        filled++;
        if (buffers[i] == NULL)
            code = nnrt__fail(OH_NN_INVALID_PARAMETER, "OH_NNExecutor_Run: %s %zu is memory that was not allocated",
                              i < prepared->input_count ? "input" : "output",
                              i < prepared->input_count ? i : i - prepared->input_count);
        if (i < prepared->input_count) {
            nnrt_io_desc room;
            io[i].rank = nnrt__prepared_port(prepared, i, &room)->rank;
            memcpy(io[i].dims, executor->ports[i].binding->dims, sizeof(io[i].dims));
        }
    }
    if (code == OH_NN_SUCCESS) code = nnrt__executor_run(executor, io);
    if (code == OH_NN_SUCCESS) code = nnrt__copy_outputs(executor, io);
    if (code == OH_NN_SUCCESS) {
        nnrt__mutex_lock(&executor->state_mutex);
        nnrt__publish_shapes(executor, io, NULL);
        nnrt__mutex_unlock(&executor->state_mutex);
    }
    for (i = 0; i < filled; i++) nnrt__buffer_release(buffers[i]);
    return code;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_Run(OH_NNExecutor *executor) {
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null("OH_NNExecutor_Run", "executor");
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__run_bound(executor);
    nnrt__executor_unlock(executor);
    return code;
}

#endif /* NNRT_CORE_DEPRECATED_H */
