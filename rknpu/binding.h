/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/binding.h - which memory the NPU reads and writes in a run, and who maintains the caches.   >>rknpu_binding

   A tensor in the NPU's layout, in memory that the context can import, is bound in place: rknn_set_io_mem once per new
   tensor, no byte copied. Any other tensor is converted from and to the executor's own memory.

   Caches    around rknn_run the runtime itself cleans and invalidates memory that it made, unless flags forbid it; the
             versions seen so far do so for imports, too (syncs_imports). Bound imports with other versions, and own
             memory with those flags, are synchronised here: once per input before, once per output after. A dma-buf
             that the CPU converts from is cleaned and invalidated before (a camera or the CPU may have written it), one
             that it converts into is cleaned after. */
#ifndef NNRT_RKNPU_BINDING_H
#define NNRT_RKNPU_BINDING_H

#include "device.h"
#include "errors.h"
#include "types.h"

/* ------------------------------------------------------------------------------------- binding

   The context is entered. */

/* Of a call that binds a port. */
typedef struct nnrt__rknpu_bind_call {
    nnrt__rknpu_executor *self;
    uint32_t i;
    nnrt__rknpu_memory *memory;
    nnrt_rknn_tensor_mem *mem;
} nnrt__rknpu_bind_call;

/* Records the binding here, because the runtime uses it even if the run was given up meanwhile. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_set_io_mem(void *argument) {
    const nnrt__rknpu_bind_call *call = (const nnrt__rknpu_bind_call *)argument;
    nnrt__rknpu_slot *slot = &call->self->slots[call->i];
    nnrt_rknn_tensor_attr attr = call->self->ports[call->i].bind; /* a copy: the runtime could write into it */
    const int result = call->self->model->device->library.api.set_io_mem(call->self->context->handle, call->mem, &attr);
    if (result != NNRT_RKNN_SUCC) return nnrt__rknpu_fail(result, "rknn_set_io_mem");
    nnrt__mutex_lock(&call->memory->device->mutex);
    slot->dropped = slot->bound;
    call->memory->references++;
    slot->bound = call->memory;
    nnrt__mutex_unlock(&call->memory->device->mutex);
    slot->mem = call->mem;
    slot->valid = true;
    return OH_NN_SUCCESS;
}

/* Binds port i to mem of memory, unless it is bound already. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_bind(nnrt__rknpu_executor *self, uint32_t i, nnrt__rknpu_memory *memory,
                                           nnrt_rknn_tensor_mem *mem, bool flushed) {
    nnrt__rknpu_slot *slot = &self->slots[i];
    nnrt__rknpu_bind_call call;
    slot->flushed = flushed;
    if (slot->valid && slot->bound == memory && slot->mem == mem) return OH_NN_SUCCESS;
    slot->valid = false;
    call.self = self;
    call.i = i;
    call.memory = memory;
    call.mem = mem;
    return nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_set_io_mem, &call);
}

/* Argument of a call that finds the context's view of a memory. */
typedef struct nnrt__rknpu_view_call {
    nnrt__rknpu_executor *self;
    nnrt__rknpu_memory *memory;
    size_t size;
    nnrt_rknn_tensor_mem *mem;
    bool flushed;
    bool viewed; /* false: this memory has to be copied */
} nnrt__rknpu_view_call;

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_view(void *argument) {
    nnrt__rknpu_view_call *call = (nnrt__rknpu_view_call *)argument;
    const OH_NN_ReturnCode code =
        nnrt__rknpu_memory_view(call->memory, call->self->context, call->size, &call->mem, &call->flushed);
    call->viewed = code == OH_NN_SUCCESS;
    call->flushed = call->flushed || call->self->model->syncs_imports;
    return code == OH_NN_CONNECTION_EXCEPTION ? code : OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_look_at(nnrt__rknpu_executor *self, nnrt__rknpu_memory *memory, size_t size,
                                              nnrt__rknpu_view_call *view) {
    memset(view, 0, sizeof(*view));
    view->self = self;
    view->memory = memory;
    view->size = size;
    return nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_view, view);
}

/* Whether an earlier port of this run uses the tensor's memory in place; then this one gets a copy. */
NNRT__FN bool nnrt__rknpu_is_taken(const nnrt__rknpu_executor *self, uint32_t i) {
    uint32_t k;
    for (k = 0; k < i; k++)
        if (!self->slots[k].copied && self->slots[k].tensor == self->slots[i].tensor) return true;
    return false;
}

/* The size of the context's view for port i. The full runtime accepts more than it needs, so its own memory never has
   to be imported; librknnmrt needs the exact size. */
NNRT__FN size_t nnrt__rknpu_view_size(const nnrt__rknpu_executor *self, uint32_t i, const nnrt__rknpu_memory *memory) {
    size_t needed = self->ports[i].bind.size_with_stride;
    if (!self->model->device->library.mini && memory->kind == NNRT__RKNPU_MEMORY_RUNTIME && memory->size > needed)
        return memory->size;
    return needed;
}

/* Finds the view under which a dma-buf that the CPU converts from or to is synchronised. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_look_at_foreign(nnrt__rknpu_executor *self, uint32_t i) {
    nnrt__rknpu_slot *slot = &self->slots[i];
    nnrt__rknpu_view_call view;
    OH_NN_ReturnCode code;
    slot->foreign = NULL;
    if (slot->tensor == NULL || slot->tensor->kind != NNRT__RKNPU_MEMORY_FD) return OH_NN_SUCCESS;
    code = nnrt__rknpu_look_at(self, slot->tensor, slot->tensor->size, &view);
    if (code == OH_NN_SUCCESS && view.viewed) slot->foreign = view.mem;
    return code;
}

/* Binds port i to its tensor, or to own memory. Missing own memory is recorded in the slot. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_attach(nnrt__rknpu_executor *self, uint32_t i) {
    nnrt__rknpu_slot *slot = &self->slots[i];
    const nnrt__rknpu_port *port = &self->ports[i];
    nnrt__rknpu_view_call view;
    OH_NN_ReturnCode code;
    slot->copied = true;
    slot->lacks_own = false;
    if (slot->tensor != NULL && port->direct && !nnrt__rknpu_is_taken(self, i)) {
        code = nnrt__rknpu_look_at(self, slot->tensor, nnrt__rknpu_view_size(self, i, slot->tensor), &view);
        if (code != OH_NN_SUCCESS) return code;
        if (view.viewed) {
            slot->copied = false;
            return nnrt__rknpu_bind(self, i, slot->tensor, view.mem, view.flushed);
        }
    }
    slot->lacks_own = slot->own == NULL || slot->own->size < port->bind.size_with_stride;
    if (slot->lacks_own) return OH_NN_SUCCESS;
    code = nnrt__rknpu_look_at_foreign(self, i);
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__rknpu_look_at(self, slot->own, nnrt__rknpu_view_size(self, i, slot->own), &view);
    if (code == OH_NN_SUCCESS && !view.viewed)
        code = nnrt__fail(OH_NN_FAILED, "memory of the executor cannot be bound to its own context");
    return code == OH_NN_SUCCESS ? nnrt__rknpu_bind(self, i, slot->own, view.mem, view.flushed) : code;
}

/* ------------------------------------------------------------------------------------- own memory

   Outside of the context. */

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_make_own(nnrt__rknpu_executor *self, uint32_t i, size_t size) {
    nnrt__rknpu_slot *slot = &self->slots[i];
    nnrt__rknpu_memory *memory = NULL, *old;
    OH_NN_ReturnCode code = nnrt__rknpu_memory_new(
        self->context, size,
        self->model->options.non_cacheable ? NNRT_RKNN_MEMORY_NON_CACHEABLE : NNRT_RKNN_MEMORY_CACHEABLE, &memory);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&memory->device->mutex);
    old = slot->own;
    slot->own = memory;
    nnrt__mutex_unlock(&memory->device->mutex);
    nnrt__rknpu_memory_release(old); /* what is bound has a reference of its own */
    return OH_NN_SUCCESS;
}

/* Makes what attach has found missing, large enough for every shape. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_make_missing(void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)argument;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        if (!self->slots[i].lacks_own) continue;
        code = nnrt__rknpu_make_own(self, i, self->model->ports[i].inside_size);
        self->slots[i].lacks_own = false;
    }
    return code;
}

/* ------------------------------------------------------------------------------------- moving */

/* Prepares moving port i between its tensor and memory with the layout inside. */
NNRT__FN void nnrt__rknpu_prepare_move(nnrt__rknpu_executor *self, uint32_t i, const nnrt__tensor_layout *inside) {
    const nnrt__tensor_layout *outside = &self->ports[i].outside;
    const bool input = i < self->model->npu.input_count;
    nnrt__layout_job *job = self->slots[i].job;
    if (job != NULL) nnrt__layout_prepare(job, input ? outside : inside, input ? inside : outside);
}

/* Moves it, as prepared. Returns the bytes. */
NNRT__FN uint64_t nnrt__rknpu_move(const nnrt__rknpu_executor *self, uint32_t i, const nnrt__tensor_layout *inside,
                                   const void *source, void *destination) {
    const nnrt__tensor_layout *outside = &self->ports[i].outside;
    const bool input = i < self->model->npu.input_count;
    if (self->slots[i].job != NULL) return nnrt__layout_do(self->slots[i].job, source, destination);
    return nnrt__layout_convert(input ? outside : inside, source, input ? inside : outside, destination);
}

/* ------------------------------------------------------------------------------------- synchronising

   The context is entered. */

typedef struct nnrt__rknpu_sync_call {
    nnrt__rknpu_executor *self;
    nnrt_rknn_tensor_mem *mem;
    nnrt_rknn_mem_sync_mode mode;
} nnrt__rknpu_sync_call;

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_sync(void *argument) {
    const nnrt__rknpu_sync_call *call = (const nnrt__rknpu_sync_call *)argument;
    call->self->syncs++;
    return nnrt__rknpu_sync(call->self->context, call->mem, call->mode);
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync_mem(nnrt__rknpu_executor *self, nnrt_rknn_tensor_mem *mem,
                                               nnrt_rknn_mem_sync_mode mode) {
    nnrt__rknpu_sync_call call;
    call.self = self;
    call.mem = mem;
    call.mode = mode;
    return nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_sync, &call);
}

/* Whether nnrt must synchronise a port's bound memory around rknn_run. disabled: the flag that keeps the runtime from
   doing it for inputs, or outputs; for tensors it is the program's promise that the CPU does not touch them. */
NNRT__FN bool nnrt__rknpu_needs_sync(const nnrt__rknpu_executor *self, const nnrt__rknpu_slot *slot,
                                     uint32_t disabled) {
    if ((self->model->options.flags & disabled) == 0) return !slot->flushed;
    return slot->copied && !self->model->options.non_cacheable;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync_inputs(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < self->model->npu.input_count && code == OH_NN_SUCCESS; i++)
        if (nnrt__rknpu_needs_sync(self, &self->slots[i], NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE))
            code = nnrt__rknpu_sync_mem(self, self->slots[i].mem, NNRT_RKNN_SYNC_TO_DEVICE);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync_outputs(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = self->model->npu.input_count; i < self->npu.io_count && code == OH_NN_SUCCESS; i++)
        if (nnrt__rknpu_needs_sync(self, &self->slots[i], NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE))
            code = nnrt__rknpu_sync_mem(self, self->slots[i].mem, NNRT_RKNN_SYNC_FROM_DEVICE);
    return code;
}

/* Dma-bufs that the CPU reads or writes itself, for ports first to end. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync_foreign(nnrt__rknpu_executor *self, uint32_t first, uint32_t end,
                                                   nnrt_rknn_mem_sync_mode mode) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = first; i < end && code == OH_NN_SUCCESS; i++)
        if (self->slots[i].copied && self->slots[i].foreign != NULL)
            code = nnrt__rknpu_sync_mem(self, self->slots[i].foreign, mode);
    return code;
}

/* rknn_run alone. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_run(void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)argument;
    const nnrt__rknpu_library *library = &self->model->device->library;
    const int result = library->api.run(self->context->handle, NULL);
    self->gave_up = result == NNRT_RKNN_ERR_TIMEOUT || (result == NNRT_RKNN_ERR_FAIL && self->model->custom[0] == '\0');
    return result == NNRT_RKNN_SUCC ? OH_NN_SUCCESS
                                    : nnrt__rknpu_fail_run(library, self->model->custom, result, ++self->tries);
}

/* The same, repeated up to rknn.retry times while the NPU aborts it; inputs are unchanged. Each try is a separate call,
   so that a deadline ends them all. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_again(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code;
    self->tries = 0;
    do {
        self->gave_up = false;
        code = nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_run, self);
    } while (code != OH_NN_SUCCESS && self->gave_up && self->tries <= self->model->options.retry);
    if (code == OH_NN_SUCCESS && self->tries != 0)
        nnrt__log(NNRT_LOG_WARNING, "rknn_run: the NPU gave up a run %u times before it took it",
                  (unsigned)self->tries);
    return code;
}

#endif /* NNRT_RKNPU_BINDING_H */
