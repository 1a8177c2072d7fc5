/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/memory.h - memory that the BPU reaches: allocation, import, reference counts, cache maintenance.   >>bpu_memory

   The library allocates it contiguously, with a physical address for the BPU and a virtual one for the CPU, cached or
   not. Each allocation holds a file descriptor, so there are few and they are kept. A block that a task may still use
   is never freed: the run that uses it holds a reference. */
#ifndef NNRT_BPU_MEMORY_H
#define NNRT_BPU_MEMORY_H

#include "types.h"

/* ------------------------------------------------------------------------------------------ vendor calls */

NNRT__FN int32_t nnrt__bpu_allocate_bytes(const nnrt__bpu_library *library, bool cached, size_t size,
                                          nnrt__npu_block *block) {
    const nnrt__bpu_api *api = &library->api;
    int32_t vendor_code;
    if (library->layout->is_ucp) {
        nnrt__bpu_ucp_memory memory;
        memset(&memory, 0, sizeof(memory));
        vendor_code = (cached ? api->ucp_allocate_cached : api->ucp_allocate)(&memory, size, 0);
        block->physical = memory.physical;
        block->data = (uint8_t *)memory.address;
    } else {
        nnrt__bpu_dnn_memory memory;
        memset(&memory, 0, sizeof(memory));
        vendor_code = (cached ? api->allocate_cached : api->allocate)(&memory, (uint32_t)size);
        block->physical = memory.physical;
        block->data = (uint8_t *)memory.address;
    }
    return vendor_code;
}

NNRT__FN void nnrt__bpu_free_bytes(const nnrt__npu_block *block) {
    const nnrt__bpu_library *library = &((const nnrt__bpu_device *)block->device)->library;
    if (library->layout->is_ucp) {
        nnrt__bpu_ucp_memory memory;
        memory.physical = block->physical;
        memory.address = block->data;
        memory.size = block->size;
        (void)library->api.ucp_free(&memory);
    } else {
        nnrt__bpu_dnn_memory memory;
        memset(&memory, 0, sizeof(memory));
        memory.physical = block->physical;
        memory.address = block->data;
        memory.size = (uint32_t)block->size;
        (void)library->api.free_memory(&memory);
    }
}

/* flag NNRT__BPU_CLEAN or NNRT__BPU_INVALIDATE, of size bytes that begin offset bytes inside block. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_flush(const nnrt__npu_block *block, size_t offset, size_t size, int32_t flag) {
    const nnrt__bpu_library *library = &((const nnrt__bpu_device *)block->device)->library;
    int32_t vendor_code;
    NNRT_ASSERT(size != 0 && offset <= block->size && size <= block->size - offset); /* 0 may mean all of the cache */
    if (library->layout->is_ucp) {
        nnrt__bpu_ucp_memory memory;
        memory.physical = block->physical + offset;
        memory.address = block->data + offset;
        memory.size = size;
        vendor_code = library->api.ucp_flush(&memory, flag);
    } else {
        nnrt__bpu_dnn_memory memory;
        memset(&memory, 0, sizeof(memory));
        memory.physical = block->physical + offset;
        memory.address = block->data + offset;
        memory.size = (uint32_t)size;
        vendor_code = library->api.flush(&memory, flag);
    }
    if (vendor_code == 0) return OH_NN_SUCCESS;
    (void)nnrt__bpu_fail(vendor_code, library->layout->is_ucp ? "hbUCPMemFlush" : "hbSysFlushMem");
    return OH_NN_FAILED; /* whatever it is: no argument of the program's */
}

/* ------------------------------------------------------------------------------------------------ blocks */

/* Nobody refers to block any more. */
NNRT__FN void nnrt__bpu_block_free(nnrt__npu_block *block) {
    nnrt__bpu_device *device = (nnrt__bpu_device *)block->device;
    nnrt__mutex_lock(&device->mutex);
    NNRT_ASSERT(device->bytes >= block->size);
    device->bytes -= block->size;
    nnrt__mutex_unlock(&device->mutex);
    nnrt__bpu_free_bytes(block);
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_block_new(nnrt__bpu_device *device, bool cached, size_t size,
                                              nnrt__npu_block **block) {
    const bool is_ucp = device->library.layout->is_ucp != 0;
    nnrt__npu_block *made;
    int32_t vendor_code;
    if (size == 0 || size > INT32_MAX)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "BPU memory comes in blocks of 1 byte to 2 GiB, not of %zu bytes", size);
    made = (nnrt__npu_block *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL) return nnrt__fail_memory();
    made->device = device;
    made->mutex = &device->mutex;
    made->free_memory = nnrt__bpu_block_free;
    made->references = 1;
    made->size = size;
    made->cached = cached;
    vendor_code = nnrt__bpu_allocate_bytes(&device->library, cached, size, made);
    if (vendor_code == 0 && (made->data == NULL || made->physical == 0)) {
        nnrt__bpu_free_bytes(made);
        vendor_code = is_ucp ? NNRT__UCP_OUT_OF_MEMORY : NNRT__BPU_SYS_OUT_OF_MEMORY;
    }
    if (vendor_code != 0) {
        char what[64];
        nnrt__free(made);
        nnrt__format(what, sizeof(what), "%s of %zu bytes", is_ucp ? "hbUCPMalloc" : "hbSysAllocMem", size);
        return nnrt__bpu_fail(vendor_code, what);
    }
    nnrt__mutex_lock(&device->mutex);
    device->bytes += size;
    nnrt__mutex_unlock(&device->mutex);
    *block = made;
    return OH_NN_SUCCESS;
}

/* A task whose end is unknown may use block: its memory is never freed. */
NNRT__FN void nnrt__bpu_lose(nnrt__npu_block *block) {
    nnrt__mutex_lock(block->mutex);
    NNRT_ASSERT(block->references >= 1);
    block->lost = true;
    nnrt__mutex_unlock(block->mutex);
}

/* --------------------------------------------------------------------------------------- tensors' memory */

/* Slot allocate. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_allocate(void *device, size_t size, nnrt_device_memory *memory) {
    nnrt__npu_block *block = NULL;
    const OH_NN_ReturnCode code = nnrt__bpu_block_new((nnrt__bpu_device *)device, true, size, &block);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__npu_block_hand_out(block, memory);
    return OH_NN_SUCCESS;
}

/* Slot import_physical. It is unknown whether the program's mapping is cached: flushing an uncached one does
   nothing. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_import_physical(void *device, uint64_t physical, void *address, size_t size,
                                                    nnrt_device_memory *memory) {
    nnrt__npu_block *block = (nnrt__npu_block *)nnrt__alloc_zero(1, sizeof(*block));
    if (block == NULL) return nnrt__fail_memory();
    block->device = device;
    block->mutex = &((nnrt__bpu_device *)device)->mutex;
    block->references = 1;
    block->physical = physical;
    block->data = (uint8_t *)address;
    block->size = size;
    block->cached = true;
    nnrt__npu_block_hand_out(block, memory);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_BPU_MEMORY_H */
