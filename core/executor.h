/* SPDX-License-Identifier: Apache-2.0 */
/* core/executor.h - OH_NNExecutor: synchronous runs of a compiled model, and their checks.   >>executor

   A synchronous run allocates nothing: construction or nnrt_executor_prepare has made what it needs. */
#ifndef NNRT_CORE_EXECUTOR_H
#define NNRT_CORE_EXECUTOR_H

#include "executor_facts.h"

/* ---------------------------------------------------------------------------------------- checks of a run */

NNRT__INLINE bool nnrt__same_shape(uint32_t rank, const int32_t *dims, uint32_t other_rank, const int32_t *other) {
    uint32_t k;
    if (rank != other_rank) return false;
    for (k = 0; k < rank; k++)
        if (dims[k] != other[k]) return false;
    return true;
}

/* Whether dims are a possible shape of input i. */
NNRT__FN OH_NN_ReturnCode nnrt__check_input_shape(const OH_NNExecutor *executor, size_t i, uint32_t rank,
                                                  const int32_t *dims) {
    nnrt_io_desc room;
    const nnrt_io_desc *model = nnrt__prepared_port(executor->prepared, i, &room);
    const size_t *range = executor->ports[i].range;
    nnrt__shape_text given, wanted;
    uint32_t k;
    bool fits = NNRT__SHAPES_ARE_FIXED ? nnrt__same_shape(rank, dims, model->rank, model->dims) : rank == model->rank;
    for (k = 0; !NNRT__SHAPES_ARE_FIXED && fits && k < rank; k++) {
        if (dims[k] <= 0)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %zu is %s: dimension %u is not known", i,
                              nnrt__shape_print(&given, rank, dims), (unsigned)k);
        if (range == NULL || ((size_t)dims[k] >= range[k] && (size_t)dims[k] <= range[rank + k])) continue;
        if (model->dims[k] > 0) fits = false;
        else
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %zu is %s: dimension %u can be %zu to %zu", i,
                              nnrt__shape_print(&given, rank, dims), (unsigned)k, range[k], range[rank + k]);
    }
    if (fits) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %zu is %s, the model has %s", i,
                      nnrt__shape_print(&given, rank, dims), nnrt__shape_print(&wanted, model->rank, model->dims));
}

/* All of io but the shape. */
NNRT__INLINE void nnrt__take_buffer(const OH_NNExecutor *executor, const NN_Tensor *tensor, bool declared,
                                    nnrt_io *io) {
    const nnrt__buffer *buffer = tensor->buffer;
    const bool own = buffer->from_device && buffer->device == executor->prepared->device;
    io->data = buffer->data;
    io->size = buffer->size;
    io->dtype = tensor->desc->dtype;
    io->declared = declared;
    io->repeated = false;
    if (NNRT__MAX_DEVICES == 1) return; /* the CPU device needs nothing else */
    io->fd = nnrt__buffer_fd(buffer);
    io->offset = buffer->pages.offset;
    io->memory = own ? buffer->memory->handle : NULL;
}

/* Refuses a tensor whose buffer is too small for its descriptor. Fills io; of an output but for its shape. */
NNRT__FN OH_NN_ReturnCode nnrt__fill_io(const OH_NNExecutor *executor, const NN_Tensor *tensor, size_t port,
                                        nnrt_io *io) {
    const bool output = port >= executor->prepared->input_count;
    const char *what = output ? "output" : "input";
    const size_t index = output ? port - executor->prepared->input_count : port;
    size_t needed;
    if (nnrt__desc_least_size(tensor->desc, &needed) != OH_NN_SUCCESS)
        return nnrt__fail(OH_NN_FAILED, "%s %zu: %s", what, index, nnrt__sentence());
    if (tensor->buffer->size < needed)
        return nnrt__fail(OH_NN_FAILED, "%s %zu has a buffer of %zu bytes, its descriptor needs %zu", what, index,
                          tensor->buffer->size, needed);
    nnrt__take_buffer(executor, tensor, false, io);
    if (NNRT__SHAPES_ARE_FIXED) return OH_NN_SUCCESS; /* no device looks at shapes */
    io->rank = output ? 0 : tensor->desc->rank;
    if (!output) memcpy(io->dims, tensor->desc->dims, sizeof(io->dims));
    return OH_NN_SUCCESS;
}

/* Whether tensor is exactly what the model declares for a port, and that is static. Fills io completely. */
NNRT__NOINLINE bool nnrt__take_port(const OH_NNExecutor *executor, const NN_Tensor *tensor, size_t port, nnrt_io *io) {
    nnrt_io_desc room;
    const nnrt_io_desc *model = nnrt__prepared_port(executor->prepared, port, &room);
    if (tensor == NULL || tensor->buffer->size < executor->ports[port].size || tensor->desc->dtype != model->dtype ||
        !nnrt__same_shape(tensor->desc->rank, tensor->desc->dims, model->rank, model->dims))
        return false;
    nnrt__take_buffer(executor, tensor, true, io);
    io->rank = model->rank;
    memcpy(io->dims, model->dims, sizeof(io->dims));
    return true;
}

/* The tensor of a port of a run. */
NNRT__INLINE NN_Tensor *nnrt__port_tensor(const OH_NNExecutor *executor, NN_Tensor *const *inputs,
                                          NN_Tensor *const *outputs, size_t port) {
    const size_t inputs_end = executor->prepared->input_count;
    return port < inputs_end ? inputs[port] : outputs[port - inputs_end];
}

/* Whether all tensors are exactly what the model declares, as in most runs: then no other check is needed. Fills io:
   inputs, then outputs. */
NNRT__FN bool nnrt__take_declared(const OH_NNExecutor *executor, NN_Tensor *const *inputs, NN_Tensor *const *outputs,
                                  nnrt_io *io) {
    size_t i;
    for (i = 0; i < nnrt__port_count(executor); i++)
        if (!nnrt__take_port(executor, nnrt__port_tensor(executor, inputs, outputs, i), i, &io[i])) return false;
    return true;
}

/* Whether executor->io, and the result of its checks, is kept from run to run. */
#define NNRT__REMEMBERS (NNRT__FOR_SPEED && !NNRT__FOR_RAM)

/* Makes the next run check all tensors again. */
NNRT__FN void nnrt__executor_forget(OH_NNExecutor *executor) {
    size_t i;
    for (i = 0; NNRT__REMEMBERS && i < nnrt__port_count(executor); i++) executor->ports[i].taken = NULL;
}

/* Whether these are the tensors of the last run, unchanged since: then executor->io is still right. A tensor at a
   reused address, a changed one, and one that another executor has run with do not have this port's mark. */
NNRT__INLINE_FOR_SPEED bool nnrt__taken_already(const nnrt__port *port, NN_Tensor *const *tensors, size_t count) {
    NN_Tensor *const *const end = tensors + count;
    if (!NNRT__REMEMBERS) return false;
    for (; tensors != end; tensors++, port++) {
        const NN_TensorDesc *desc;
        if (*tensors == NULL || *tensors != port->taken) return false;
        desc = (*tensors)->desc;
        if (nnrt__atomic_peek_mark(&desc->taken) != (const void *)port || nnrt__atomic_peek(&desc->shown) != 0)
            return false;
    }
    return true;
}

/* Marks the tensors that nnrt__take_declared has accepted, for the next run. */
NNRT__FN void nnrt__executor_remember(OH_NNExecutor *executor, NN_Tensor *const *inputs, NN_Tensor *const *outputs) {
    size_t i;
    for (i = 0; NNRT__REMEMBERS && i < nnrt__port_count(executor); i++) {
        nnrt__port *port = &executor->ports[i];
        port->taken = nnrt__port_tensor(executor, inputs, outputs, i);
        nnrt__atomic_set_mark(&port->taken->desc->taken, port);
    }
}

/* The arguments alone. */
NNRT__FN OH_NN_ReturnCode nnrt__check_run_arguments(const char *function, const OH_NNExecutor *executor,
                                                    NN_Tensor *const *inputs, size_t input_count,
                                                    NN_Tensor *const *outputs, size_t output_count) {
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (inputs == NULL) return nnrt__fail_null(function, "inputTensor");
    if (input_count == 0 || input_count > NNRT__MAX_IO)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: inputCount is %zu", function, input_count);
    if (outputs == NULL) return nnrt__fail_null(function, "outputTensor");
    if (output_count == 0 || output_count > NNRT__MAX_IO)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: outputCount is %zu", function, output_count);
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_dead(const nnrt__prepared *prepared) {
    return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "device %s died: the model has to be compiled again",
                      prepared->device->name);
}

/* Checks the arguments against the model, and the tensors. Fills io: inputs, then outputs. */
NNRT__FN OH_NN_ReturnCode nnrt__check_run_tensors(const char *function, const OH_NNExecutor *executor,
                                                  NN_Tensor *const *inputs, size_t input_count,
                                                  NN_Tensor *const *outputs, size_t output_count, nnrt_io *io) {
    nnrt__prepared *prepared = executor->prepared;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    size_t i;
    if (input_count != prepared->input_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu inputs were given, the model has %zu", function,
                          input_count, prepared->input_count);
    if (output_count != prepared->output_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu outputs were given, the model has %zu", function,
                          output_count, prepared->output_count);
    if (nnrt__atomic_load(&prepared->dead) != 0) return nnrt__fail_dead(prepared);
    if (NNRT__TELLS_DECLARED && nnrt__take_declared(executor, inputs, outputs, io)) return OH_NN_SUCCESS;
    for (i = 0; i < input_count + output_count && code == OH_NN_SUCCESS; i++) {
        const NN_Tensor *tensor = nnrt__port_tensor(executor, inputs, outputs, i);
        if (tensor == NULL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %s %zu is NULL", function,
                              i < input_count ? "input" : "output", i < input_count ? i : i - input_count);
        if (i < input_count) code = nnrt__check_input_shape(executor, i, tensor->desc->rank, tensor->desc->dims);
    }
    for (i = 0; i < input_count + output_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__fill_io(executor, nnrt__port_tensor(executor, inputs, outputs, i), i, &io[i]);
    return code;
}

/* -------------------------------------------------------------------------------------------------- a run */

/* Turns the device's code for a run into OH_NN_UNAVAILABLE_DEVICE, unless the program can act on it. On success every
   output has a valid rank. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_judge(OH_NNExecutor *executor, const nnrt_io *io, OH_NN_ReturnCode code) {
    nnrt__prepared *prepared = executor->prepared;
    size_t inputs = prepared->input_count, i;
    if (code == OH_NN_CONNECTION_EXCEPTION) nnrt__atomic_store(&prepared->dead, 1);
    if (code == OH_NN_CONNECTION_EXCEPTION || code == OH_NN_MEMORY_ERROR || code == OH_NN_INVALID_PARAMETER ||
        code == OH_NN_TIMEOUT)
        return code;
    if (code != OH_NN_SUCCESS) return OH_NN_UNAVAILABLE_DEVICE;
    for (i = 0; NNRT__MAX_DEVICES != 1 && i < prepared->output_count; i++) /* nnrt's own device is believed */
        if (io[inputs + i].rank == 0 || io[inputs + i].rank > NNRT_MAX_RANK)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "output %zu came with %u dimensions; 1 to %d are possible", i,
                              (unsigned)io[inputs + i].rank, NNRT_MAX_RANK);
    return OH_NN_SUCCESS;
}

/* Runs with tensors of which nothing is remembered. run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_run(OH_NNExecutor *executor, nnrt_io *io) {
    nnrt__prepared *prepared = executor->prepared;
    size_t inputs = prepared->input_count;
    OH_NN_ReturnCode code;
    NNRT_ASSERT(nnrt__fast_mutex_is_taken(&executor->run_mutex));
    nnrt__executor_forget(executor);
    if (nnrt__atomic_load(&prepared->dead) != 0) return nnrt__fail_dead(prepared);
    code = nnrt__lease_take(&executor->lease);
    if (code != OH_NN_SUCCESS) return code;
    executor->steps = NULL;
    code = nnrt__backend_of(prepared->device)->run(executor->object, io, inputs, io + inputs, prepared->output_count);
    nnrt__lease_give_back(&executor->lease);
    return nnrt__executor_judge(executor, io, code);
}

/* Sets a descriptor to the actual shape of an output. */
NNRT__FN void nnrt__publish_shape(NN_TensorDesc *desc, uint32_t rank, const int32_t *dims) {
    nnrt__desc_changes(desc);
    desc->rank = rank;
    memcpy(desc->dims, dims, sizeof(desc->dims));
}

/* Sets the executor's output shapes, and those of the tensors unless NULL, to the actual ones. state_mutex is held. */
NNRT__FN void nnrt__publish_shapes(OH_NNExecutor *executor, const nnrt_io *io, NN_Tensor *const *outputs) {
    size_t inputs = executor->prepared->input_count, i;
    for (i = 0; i < executor->prepared->output_count; i++) {
        NN_TensorDesc *desc = executor->ports[inputs + i].desc;
        const nnrt_io *from = &io[inputs + i];
        nnrt_io_desc room;
        const nnrt_io_desc *model = nnrt__prepared_port(executor->prepared, inputs + i, &room);
        if (NNRT__SHAPES_ARE_FIXED) { /* as the executor has them */
            if (outputs != NULL) nnrt__publish_shape(outputs[i]->desc, model->rank, model->dims);
            continue;
        }
        if (!nnrt__same_shape(from->rank, from->dims, model->rank, model->dims))
            nnrt__atomic_store(&executor->shapes_vary, 1);
        desc->rank = from->rank;
        memcpy(desc->dims, from->dims, sizeof(desc->dims));
        if (outputs != NULL) nnrt__publish_shape(outputs[i]->desc, from->rank, from->dims);
    }
}

/* Whether the shapes of a run are those of the model, of the tensors and of all earlier runs, as for every model whose
   shapes do not depend on its inputs. */
NNRT__INLINE_FOR_SPEED bool nnrt__shapes_stay(OH_NNExecutor *executor, const nnrt_io *run) {
    const nnrt__prepared *prepared = executor->prepared;
    const size_t end = prepared->input_count + prepared->output_count;
    size_t i;
    if (!NNRT__TELLS_DECLARED || nnrt__atomic_peek(&executor->shapes_vary) != 0) return false;
    for (i = prepared->input_count; i < end; i++) {
        const nnrt_io *io = &run[i];
        const nnrt_io_desc *model;
        nnrt_io_desc room;
        if (!io->declared) return false;
        if (NNRT__SHAPES_ARE_FIXED) continue; /* nnrt__take_port has checked that they are as declared */
        model = nnrt__prepared_port(prepared, i, &room);
        if (!nnrt__same_shape(io->rank, io->dims, model->rank, model->dims)) return false;
    }
    return true;
}

/* Checks the tensors of a synchronous run if they are not those of the last one. run_mutex is held. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__executor_take(OH_NNExecutor *executor, const char *function,
                                                    NN_Tensor *const *inputs, size_t input_count,
                                                    NN_Tensor *const *outputs, size_t output_count, nnrt_io *io) {
    OH_NN_ReturnCode code;
    NNRT_ASSERT(nnrt__fast_mutex_is_taken(&executor->run_mutex));
    nnrt__executor_forget(executor);
    code = nnrt__check_run_tensors(function, executor, inputs, input_count, outputs, output_count, io);
    if (code != OH_NN_SUCCESS || !io[0].declared) return code;
    nnrt__executor_remember(executor, inputs, outputs);
    return OH_NN_SUCCESS;
}

/* The end of a run that failed or changed shapes. */
NNRT__NOINLINE OH_NN_ReturnCode nnrt__executor_end(OH_NNExecutor *executor, const nnrt_io *io,
                                                   NN_Tensor *const *outputs, OH_NN_ReturnCode code) {
    nnrt__executor_forget(executor);
    code = nnrt__executor_judge(executor, io, code);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&executor->state_mutex);
    nnrt__publish_shapes(executor, io, outputs);
    nnrt__mutex_unlock(&executor->state_mutex);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunSync(OH_NNExecutor *executor, NN_Tensor *inputTensor[], size_t inputCount,
                                                NN_Tensor *outputTensor[], size_t outputCount) {
    static const char function[] = "OH_NNExecutor_RunSync";
    nnrt__prepared *prepared;
    nnrt__few_io few;
    nnrt_io *io;
    OH_NN_ReturnCode code =
        nnrt__check_run_arguments(function, executor, inputTensor, inputCount, outputTensor, outputCount);
    if (code == OH_NN_SUCCESS) code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    prepared = executor->prepared;
    io = nnrt__run_io(executor, &few);
    if (inputCount != prepared->input_count || outputCount != prepared->output_count ||
        !nnrt__taken_already(executor->ports, inputTensor, inputCount) ||
        !nnrt__taken_already(executor->ports + inputCount, outputTensor, outputCount))
        code = nnrt__executor_take(executor, function, inputTensor, inputCount, outputTensor, outputCount, io);
    else io[0].repeated = true;
    if (code == OH_NN_SUCCESS && nnrt__atomic_load(&prepared->dead) != 0) code = nnrt__fail_dead(prepared);
    if (code == OH_NN_SUCCESS && executor->lease.bytes != 0) code = nnrt__lease_take(&executor->lease);
    if (code == OH_NN_SUCCESS) {
        executor->steps = NULL;
        code = nnrt__backend_of(prepared->device)->run(executor->object, io, inputCount, io + inputCount, outputCount);
        if (executor->lease.bytes != 0) nnrt__lease_give_back(&executor->lease);
        if (code != OH_NN_SUCCESS || !nnrt__shapes_stay(executor, io))
            code = nnrt__executor_end(executor, io, outputTensor, code);
    }
    nnrt__executor_unlock(executor);
    return code;
}

/* --------------------------------------------------------------------------------- shapes before their run */

/* Whether shapes depend on the run. Even with static inputs they may, if the device compiles from the graph later. */
NNRT__FN bool nnrt__executor_is_dynamic(const OH_NNExecutor *executor) {
    const nnrt__prepared *prepared = executor->prepared;
    const nnrt_backend *backend = nnrt__backend_of(prepared->device);
    size_t i, k;
    if (NNRT__SHAPES_ARE_FIXED) return false;
    if (backend->needs_graph != NULL && backend->prepare_shapes != NULL && backend->needs_graph(prepared->object))
        return true;
    for (i = 0; i < prepared->input_count; i++) {
        const size_t *range = executor->ports[i].range;
        if (nnrt__shape_is_dynamic(prepared->io[i].rank, prepared->io[i].dims)) return true;
        for (k = 0; range != NULL && k < prepared->io[i].rank; k++)
            if (range[k] != range[prepared->io[i].rank + k]) return true; /* a shape that need not stay */
    }
    return false;
}

/* Checks the descriptors and fills the inputs of io. run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__check_shapes(OH_NNExecutor *executor, NN_TensorDesc *const *descs, nnrt_io *io) {
    const nnrt__prepared *prepared = executor->prepared;
    size_t i;
    NNRT_ASSERT(nnrt__fast_mutex_is_taken(&executor->run_mutex));
    nnrt__executor_forget(executor);
    memset(io, 0, nnrt__port_count(executor) * sizeof(io[0]));
    for (i = 0; i < prepared->input_count; i++) {
        const NN_TensorDesc *desc = descs[i];
        nnrt_io_desc room;
        const nnrt_io_desc *model = nnrt__prepared_port(prepared, i, &room);
        OH_NN_ReturnCode code;
        if (desc == NULL)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "nnrt_executor_prepare: the descriptor of input %zu is NULL", i);
        if (desc->dtype != model->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %zu is %s, the model has %s", i,
                              nnrt__dtype_name(desc->dtype), nnrt__dtype_name(model->dtype));
        code = nnrt__check_input_shape(executor, i, desc->rank, desc->dims);
        if (code != OH_NN_SUCCESS) return code;
        io[i].fd = -1;
        io[i].dtype = desc->dtype;
        io[i].rank = desc->rank;
        memcpy(io[i].dims, desc->dims, sizeof(desc->dims));
    }
    return OH_NN_SUCCESS;
}

/* run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__prepare_shapes(OH_NNExecutor *executor, NN_TensorDesc *const *descs) {
    nnrt__prepared *prepared = executor->prepared;
    const nnrt_backend *backend = nnrt__backend_of(prepared->device);
    const size_t inputs = prepared->input_count;
    nnrt__few_io few;
    nnrt_io *io = nnrt__run_io(executor, &few);
    OH_NN_ReturnCode code = nnrt__check_shapes(executor, descs, io);
    if (code != OH_NN_SUCCESS) return code;
    if (nnrt__atomic_load(&prepared->dead) != 0) return nnrt__fail_dead(prepared);
    if (!nnrt__executor_is_dynamic(executor)) return OH_NN_SUCCESS;
    if (backend->prepare_shapes == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "nnrt_executor_prepare: device %s prepares shapes in their first run",
                          prepared->device->name);
    executor->steps = NULL; /* those of the earlier shapes may be freed */
    code = backend->prepare_shapes(executor->object, io, inputs, io + inputs, prepared->output_count);
    if (code == OH_NN_UNSUPPORTED) return code;
    code = nnrt__executor_judge(executor, io, code);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&executor->state_mutex);
    nnrt__publish_shapes(executor, io, NULL);
    nnrt__mutex_unlock(&executor->state_mutex);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_prepare(OH_NNExecutor *executor, NN_TensorDesc *const inputs[],
                                                size_t input_count) {
    static const char function[] = "nnrt_executor_prepare";
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    if (inputs == NULL) return nnrt__fail_null(function, "inputs");
    if (input_count != executor->prepared->input_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: %zu inputs were given, the model has %zu", function,
                          input_count, executor->prepared->input_count);
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__prepare_shapes(executor, inputs);
    nnrt__executor_unlock(executor);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_reset(OH_NNExecutor *executor) {
    const nnrt_backend *backend;
    OH_NN_ReturnCode code;
    if (executor == NULL) return nnrt__fail_null("nnrt_executor_reset", "executor");
    backend = nnrt__backend_of(executor->prepared->device);
    code = nnrt__executor_lock(executor);
    if (code != OH_NN_SUCCESS) return code;
    if (backend->reset != NULL) code = backend->reset(executor->object);
    nnrt__executor_unlock(executor);
    return code;
}

#endif /* NNRT_CORE_EXECUTOR_H */
