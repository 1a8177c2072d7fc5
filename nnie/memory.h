/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/memory.h - blocks of MMZ: made, counted, flushed, freed.   >>nnie_memory

   A block that the engine may still write to is never given back: the run that uses it has a reference, and so has the
   device for a task that was lost. */
#ifndef NNRT_NNIE_MEMORY_H
#define NNRT_NNIE_MEMORY_H

#include "errors.h"
#include "types.h"

/* name is what /proc/media-mem shows. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_block_new(nnrt__nnie_device *device, const char *name, bool cached, size_t size,
                                               nnrt__nnie_block **block) {
    nnrt__nnie_block *made = (nnrt__nnie_block *)nnrt__alloc_zero(1, sizeof(*made));
    void *address = NULL;
    OH_NN_ReturnCode code;
    if (made == NULL) return nnrt__fail_memory();
    code = nnrt__mmz_allocate(&device->library.api.mmz, name, cached, size, &made->physical, &address);
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    made->device = device;
    made->references = 1;
    made->size = (uint32_t)size;
    made->data = (uint8_t *)address;
    *block = made;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__nnie_block_retain(nnrt__nnie_block *block) {
    nnrt__mutex_lock(&block->device->mutex);
    NNRT_ASSERT(block->references >= 1);
    block->references++;
    nnrt__mutex_unlock(&block->device->mutex);
}

/* NULL is allowed. The last release frees. */
NNRT__FN void nnrt__nnie_block_release(nnrt__nnie_block *block) {
    bool over;
    if (block == NULL) return;
    nnrt__mutex_lock(&block->device->mutex);
    NNRT_ASSERT(block->references > (block->is_lost ? 1 : 0)); /* the list of what is lost has one */
    over = --block->references == 0;
    nnrt__mutex_unlock(&block->device->mutex);
    if (!over) return;
    (void)block->device->library.api.mmz.free_memory(block->physical, block->data);
    nnrt__free(block);
}

/* Writes back and forgets size bytes from physical, data on, of one cached block. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_flush(const nnrt__nnie_device *device, uint64_t physical, void *data,
                                           uint32_t size) {
    return nnrt__mmz_flush(&device->library.api.mmz, physical, data, size);
}

/* ---------------------------------------------------------------------------------------- a task was lost */

/* The engine may still use block, whatever becomes of its owner. NULL is allowed. */
NNRT__FN void nnrt__nnie_lose(nnrt__nnie_device *device, nnrt__nnie_block *block) {
    if (block == NULL) return;
    nnrt__mutex_lock(&device->mutex);
    NNRT_ASSERT(block->device == device && block->references >= 1);
    if (!block->is_lost) {
        block->is_lost = true;
        block->references++;
        block->next_lost = device->lost;
        device->lost = block;
    }
    nnrt__mutex_unlock(&device->mutex);
}

/* The task is over: what it had is given back. */
NNRT__FN void nnrt__nnie_find_again(nnrt__nnie_device *device) {
    for (;;) {
        nnrt__nnie_block *block;
        nnrt__mutex_lock(&device->mutex);
        block = device->lost;
        if (block != NULL) {
            NNRT_ASSERT(block->is_lost && block->references >= 1);
            device->lost = block->next_lost;
            block->is_lost = false;
        }
        nnrt__mutex_unlock(&device->mutex);
        if (block == NULL) return;
        nnrt__nnie_block_release(block);
    }
}

/* --------------------------------------------------------------------------------------- tensors' memory */

/* Slot allocate. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_allocate(void *device, size_t size, nnrt_device_memory *memory) {
    nnrt__nnie_block *block = NULL;
    const OH_NN_ReturnCode code = nnrt__nnie_block_new((nnrt__nnie_device *)device, "nnrt tensor", true, size, &block);
    if (code != OH_NN_SUCCESS) return code;
    memory->data = block->data;
    memory->fd = -1;
    memory->handle = block;
    memory->heap_bytes = nnrt__block_bytes(block);
    return OH_NN_SUCCESS;
}

/* Slot free_memory. */
NNRT__FN void nnrt__nnie_free_memory(void *device, nnrt_device_memory *memory) {
    (void)device;
    nnrt__nnie_block_release((nnrt__nnie_block *)memory->handle);
}

#endif /* NNRT_NNIE_MEMORY_H */
