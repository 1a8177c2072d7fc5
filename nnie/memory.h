/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/memory.h - reference-counted blocks of MMZ.   >>nnie_memory

   A block that the engine may still write is never freed: the run that uses it holds a reference, and the device holds
   one for a lost task. */
#ifndef NNRT_NNIE_MEMORY_H
#define NNRT_NNIE_MEMORY_H

#include "errors.h"
#include "types.h"

NNRT__FN void nnrt__nnie_block_free(nnrt__npu_block *block) {
    const nnrt__nnie_device *device = (const nnrt__nnie_device *)block->device;
    (void)device->library.api.mmz.free_memory(block->physical, block->data);
}

/* name is what /proc/media-mem shows. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_block_new(nnrt__nnie_device *device, const char *name, bool cached, size_t size,
                                               nnrt__npu_block **block) {
    nnrt__npu_block *made = (nnrt__npu_block *)nnrt__alloc_zero(1, sizeof(*made));
    void *address = NULL;
    OH_NN_ReturnCode code;
    if (made == NULL) return nnrt__fail_memory();
    code = nnrt__mmz_allocate(&device->library.api.mmz, name, cached, size, &made->physical, &address);
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    made->device = device;
    made->mutex = &device->mutex;
    made->free_memory = nnrt__nnie_block_free;
    made->references = 1;
    made->size = size;
    made->data = (uint8_t *)address;
    *block = made;
    return OH_NN_SUCCESS;
}

/* Writes back and invalidates size bytes at physical, data, in one cached block. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_flush(const nnrt__nnie_device *device, uint64_t physical, void *data,
                                           uint32_t size) {
    return nnrt__mmz_flush(&device->library.api.mmz, physical, data, size);
}

/* ---------------------------------------------------------------------------------------- a task was lost */

/* The engine may still use block, whatever becomes of its owner. NULL is allowed. */
NNRT__FN void nnrt__nnie_lose(nnrt__nnie_device *device, nnrt__npu_block *block) {
    if (block == NULL) return;
    nnrt__mutex_lock(&device->mutex);
    NNRT_ASSERT(block->device == device && block->references >= 1);
    if (!block->lost) {
        block->lost = true;
        block->references++;
        block->next_lost = device->lost;
        device->lost = block;
    }
    nnrt__mutex_unlock(&device->mutex);
}

/* The lost task is over: releases what it used. */
NNRT__FN void nnrt__nnie_find_again(nnrt__nnie_device *device) {
    for (;;) {
        nnrt__npu_block *block;
        nnrt__mutex_lock(&device->mutex);
        block = device->lost;
        if (block != NULL) {
            NNRT_ASSERT(block->lost && block->references >= 1);
            device->lost = block->next_lost;
            block->lost = false;
        }
        nnrt__mutex_unlock(&device->mutex);
        if (block == NULL) return;
        nnrt__npu_block_release(block);
    }
}

/* --------------------------------------------------------------------------------------- tensors' memory */

/* Slot allocate. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_allocate(void *device, size_t size, nnrt_device_memory *memory) {
    nnrt__npu_block *block = NULL;
    const OH_NN_ReturnCode code = nnrt__nnie_block_new((nnrt__nnie_device *)device, "nnrt tensor", true, size, &block);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__npu_block_hand_out(block, memory);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_NNIE_MEMORY_H */
