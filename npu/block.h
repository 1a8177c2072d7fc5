/* SPDX-License-Identifier: Apache-2.0 */
/* npu/block.h - reference-counted memory that an NPU reaches by a physical address, and where a port of a run
   lies.   >>npu_block

   A block that a task may still use is never freed: the run that uses it holds a reference, and a run whose end is
   unknown makes the block lost. */
#ifndef NNRT_NPU_BLOCK_H
#define NNRT_NPU_BLOCK_H

#include "../core/error.h"
#include "../core/platform.h"

typedef struct nnrt__npu_block {
    void *device;                                       /* the vendor's */
    nnrt__mutex *mutex;                                 /* the device's: of references and what is lost */
    void (*free_memory)(struct nnrt__npu_block *block); /* a vendor call; NULL: the program's own, which frees it */
    int32_t references;
    uint64_t physical;
    uint8_t *data;
    size_t size;
    bool cached;                       /* the CPU sees it through its cache */
    bool lost;                         /* a task whose end is unknown may use it: never freed */
    struct nnrt__npu_block *next_lost; /* where lost tasks can end: each block is in the list once */
} nnrt__npu_block;

NNRT__FN void nnrt__npu_block_retain(nnrt__npu_block *block) {
    nnrt__mutex_lock(block->mutex);
    NNRT_ASSERT(block->references >= 1);
    block->references++;
    nnrt__mutex_unlock(block->mutex);
}

/* NULL is allowed. The last release frees. */
NNRT__FN void nnrt__npu_block_release(nnrt__npu_block *block) {
    bool over, frees;
    if (block == NULL) return;
    nnrt__mutex_lock(block->mutex);
    NNRT_ASSERT(block->references >= 1);
    over = --block->references == 0;
    frees = over && block->free_memory != NULL && !block->lost;
    nnrt__mutex_unlock(block->mutex);
    if (frees) block->free_memory(block);
    if (over) nnrt__free(block);
}

/* Makes block a tensor's memory, which takes over the reference. */
NNRT__FN void nnrt__npu_block_hand_out(nnrt__npu_block *block, nnrt_device_memory *memory) {
    memory->data = block->data;
    memory->fd = -1;
    memory->handle = block;
    memory->heap_bytes = nnrt__block_bytes(block);
}

/* Slot free_memory. */
NNRT__FN void nnrt__npu_free_memory(void *device, nnrt_device_memory *memory) {
    (void)device;
    nnrt__npu_block_release((nnrt__npu_block *)memory->handle);
}

/* Where the NPU has a port. */
typedef struct nnrt__npu_place {
    nnrt__npu_block *own; /* the executor's, where a tensor cannot be used as it is; NULL: not yet */
    /* Of the run under way */
    nnrt__npu_block *tensor; /* counted: the tensor's memory, when this device made it */
    nnrt__npu_block *block;  /* either of them */
    uint64_t physical;
    uint8_t *data;
    bool copied; /* between the tensor and own */
} nnrt__npu_place;

/* Places a port in the tensor of io if that is NPU memory (direct), aligned, and has room for bytes; otherwise in own
   memory. false: that is missing, or too small. */
NNRT__FN bool nnrt__npu_place_port(nnrt__npu_place *place, const nnrt_io *io, bool direct, uint32_t alignment,
                                   size_t bytes) {
    nnrt__npu_block *tensor = direct ? place->tensor : NULL;
    size_t offset = 0;
    place->copied = true;
    place->block = place->own;
    if (tensor != NULL) {
        offset = (size_t)((const uint8_t *)io->data - tensor->data);
        place->copied =
            (tensor->physical + offset) % alignment != 0 || offset > tensor->size || tensor->size - offset < bytes;
    }
    if (!place->copied) place->block = tensor;
    else if (place->own == NULL || place->own->size < bytes) return false;
    else offset = 0;
    place->physical = place->block->physical + offset;
    place->data = place->block->data + offset;
    return true;
}

#endif /* NNRT_NPU_BLOCK_H */
