/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/memory.h - memory held by an executor of the Rockchip device and its compilation.   >>rknpu_memory

   heap_bytes is everything that is freed when both are gone and nothing else keeps it: their blocks, the contexts and
   memory that they refer to, and the contexts that those need. What several compilations share (a context whose weights
   or SRAM others use, memory of a group) is in the figure of each. Tensors of the program are not included, but the
   contexts' views of them are, and so is memory that a context has bound although its tensor is gone. Nor is the device
   itself, which is opened once per process. */
#ifndef NNRT_RKNPU_MEMORY_H
#define NNRT_RKNPU_MEMORY_H

#include "executor.h"

/* Whether from keeps what alive; true if they are the same. */
NNRT__FN bool nnrt__rknpu_leads_to(const nnrt__rknpu_context *from, const nnrt__rknpu_context *what) {
    while (from != NULL && from != what) from = from->parent;
    return from != NULL;
}

/* Whether runs use context, or it is kept for them. */
NNRT__FN bool nnrt__rknpu_uses_context(const nnrt__rknpu_executor *self, const nnrt__rknpu_context *context) {
    return nnrt__rknpu_leads_to(self->context, context) || nnrt__rknpu_leads_to(self->model->context, context) ||
           (self->matmul != NULL && nnrt__rknpu_matmul_holds_context(self->matmul, context));
}

/* Whether only a call under way in one of the contexts keeps memory. device->mutex is held. */
NNRT__FN bool nnrt__rknpu_waits_for(const nnrt__rknpu_executor *self, const nnrt__rknpu_memory *memory) {
    const nnrt__rknpu_view *view;
    if (memory->references > 0) return false;
    for (view = memory->views; view != NULL; view = view->next)
        if (nnrt__rknpu_uses_context(self, view->context)) return true;
    return memory->home != NULL && nnrt__rknpu_uses_context(self, memory->home);
}

/* Whether the executor uses what holding lists, or its compilation keeps it. */
NNRT__FN bool nnrt__rknpu_is_held_by(const nnrt__rknpu_executor *self, const nnrt__rknpu_holding *holding) {
    return holding->context == self->context || holding->context == self->model->context;
}

/* device->mutex is held. */
NNRT__FN bool nnrt__rknpu_holds_memory(const nnrt__rknpu_executor *self, const nnrt__rknpu_memory *memory) {
    const nnrt__rknpu_holding *holding;
    uint32_t i;
    if (memory->of_tensor) return false;
    for (i = 0; i < self->npu.io_count; i++) {
        const nnrt__rknpu_slot *slot = &self->slots[i];
        if (slot->own == memory || slot->bound == memory || slot->tensor == memory || slot->dropped == memory)
            return true;
    }
    for (holding = self->model->holdings; holding != NULL; holding = holding->next)
        if ((holding->weights == memory || holding->internal == memory) && nnrt__rknpu_is_held_by(self, holding))
            return true;
    if (self->model->arena != NULL && self->model->arena->memory == memory) return true;
    if (self->matmul != NULL && nnrt__rknpu_matmul_holds_memory(self->matmul, memory)) return true;
    return nnrt__rknpu_waits_for(self, memory);
}

/* device->mutex is held. */
NNRT__FN bool nnrt__rknpu_holds_context(const nnrt__rknpu_executor *self, const nnrt__rknpu_context *context) {
    const nnrt__rknpu_memory *memory;
    NNRT__ASSERT_HELD(&context->device->mutex);
    if (nnrt__rknpu_uses_context(self, context)) return true;
    for (memory = context->device->memories; memory != NULL; memory = memory->next)
        if (nnrt__rknpu_leads_to(memory->home, context) && nnrt__rknpu_holds_memory(self, memory)) return true;
    return false;
}

/* Bytes of NNRT_MALLOC that the executor and its compilation hold. Also true while a call that was given up hangs: what
   it may change meanwhile changes under the device's mutex. */
NNRT__FN size_t nnrt__rknpu_heap_bytes(const nnrt__rknpu_executor *self) {
    nnrt__rknpu_device *device = self->model->device;
    size_t bytes = nnrt__rknpu_executor_bytes(self) + nnrt__rknpu_model_bytes(self->model);
    const nnrt__rknpu_context *context;
    const nnrt__rknpu_memory *memory;
    const nnrt__rknpu_holding *holding;
    nnrt__mutex_lock(&device->mutex);
    for (holding = self->model->holdings; holding != NULL; holding = holding->next)
        if (nnrt__rknpu_is_held_by(self, holding)) bytes += nnrt__block_bytes(holding);
    for (context = device->contexts; context != NULL; context = context->next)
        if (nnrt__rknpu_holds_context(self, context)) bytes += nnrt__rknpu_context_bytes(context);
    for (memory = device->memories; memory != NULL; memory = memory->next)
        if (nnrt__rknpu_holds_memory(self, memory)) bytes += nnrt__block_bytes(memory);
    nnrt__mutex_unlock(&device->mutex);
    return bytes;
}

/* Slot memory. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_figures(void *executor, nnrt_memory *memory) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    const nnrt_rknn_mem_size *size;
    uint32_t i;
    memory->heap_bytes = nnrt__rknpu_heap_bytes(self);
    if (self->matmul != NULL) {
        nnrt__rknpu_matmul_memory(self->matmul, memory);
        return OH_NN_SUCCESS;
    }
    size = nnrt__rknpu_sizes(self);
    memory->arena_bytes = size->total_internal_size;
    memory->weights_bytes = size->total_weight_size;
    memory->device_bytes = (size_t)size->total_weight_size + size->total_internal_size;
    if (nnrt__runner_is_given_up(&self->npu.runner)) return OH_NN_SUCCESS;
    for (i = 0; i < self->npu.io_count; i++)
        if (self->slots[i].own != NULL) memory->device_bytes += self->slots[i].own->size;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_MEMORY_H */
