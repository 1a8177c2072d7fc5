/* SPDX-License-Identifier: Apache-2.0 */
/* sim_bpu_memory.c - hbSys* and hbUCP*: memory with a physical address, which the BPU knows, and a virtual one.

   What the caller's structure says is believed as far as the vendor's libraries believe it: a flush goes by the virtual
   address, the BPU by the physical one, and freeing needs both to be those of the beginning. */
#define _GNU_SOURCE
#include "sim_bpu.h"

#include <stdlib.h>
#include <string.h>

int32_t sim_bpu_allocate(const sim_bpu_release *release, sim_bpu_memory *memory, uint64_t size, bool cached) {
    sim_memory *made = NULL;
    if (size == 0) return SIM_BPU_ARGUMENT;
    sim_lock();
    if (sim_state.next_phys < sim_bpu_the_chip()->physical) sim_state.next_phys = sim_bpu_the_chip()->physical;
    if (sim_bpu_drives(release)) made = sim_memory_make(0, (size_t)size, cached);
    if (made) {
        memory->physical = sim_memory_phys(made);
        memory->address = made->map;
        memory->size = size;
    }
    sim_unlock();
    return made ? SIM_BPU_OK : SIM_BPU_NO_MEMORY;
}

/* Locked. The memory that a virtual address lies in; NULL: none of the BPU's. */
static sim_memory *sim_bpu_at(const void *address, size_t *offset) {
    const uintptr_t at = (uintptr_t)address;
    sim_memory *memory;
    for (memory = sim_state.memories; memory; memory = memory->next) {
        const uintptr_t begin = (uintptr_t)(memory->map ? memory->map : memory->buffer->cpu);
        if (at >= begin && at - begin < memory->size) {
            *offset = (size_t)(at - begin);
            return memory;
        }
    }
    return NULL;
}

int32_t sim_bpu_free(const sim_bpu_release *release, const sim_bpu_memory *memory, bool fault) {
    sim_memory *found;
    size_t offset = 0, at = 0;
    int32_t answer = SIM_BPU_OK;
    bool used;
    (void)release;
    sim_lock();
    found = sim_memory_at_phys(memory->physical, &offset);
    if (fault) {
        if (found) found->given_up = true;
    } else if (!found || offset != 0 || sim_bpu_at(memory->address, &at) != found || at != 0 || found->imported) {
        answer = SIM_BPU_FREE;
        if (memory->physical || memory->address)
            sim_mistake_locked("foreign memory: physical 0x%llx is freed, and is %s",
                               (unsigned long long)memory->physical,
                               found ? "not what was allocated" : "no memory of the board, or no longer");
    } else {
        used = sim_bpu_in_use(memory->physical, found->size);
        if (used) sim_mistake_locked("freed in use: memory of a task that is not over");
        if (!used || sim_lets_pass()) sim_memory_end(found, false);
        else answer = SIM_BPU_FREE;
    }
    sim_unlock();
    return answer;
}

/* Locked. */
static void sim_bpu_flush_found(const sim_bpu_memory *memory, sim_memory *found, size_t offset, int32_t flag) {
    const size_t left = found->size - offset;
    size_t at = 0;
    const sim_memory *other = sim_memory_at_phys(memory->physical, &at);
    if (other != found || at != offset)
        sim_mistake_locked("wrong address: a flush of physical 0x%llx with a virtual address that is not the same "
                           "memory's",
                           (unsigned long long)memory->physical);
    if (memory->size > left)
        sim_mistake_locked("wrong size: a flush of %llu bytes, and the memory has %lu from there on",
                           (unsigned long long)memory->size, (unsigned long)left);
    sim_memory_sync_piece(found, offset, memory->size < left ? (size_t)memory->size : left, flag == VENDOR_CLEAN,
                          flag == VENDOR_INVALIDATE);
    ++sim_state.syncs[flag == VENDOR_INVALIDATE];
}

int32_t sim_bpu_flush(const sim_bpu_release *release, const sim_bpu_memory *memory, int32_t flag) {
    sim_memory *found;
    size_t offset = 0;
    int32_t answer = SIM_BPU_OK;
    (void)release;
    if (flag != VENDOR_CLEAN && flag != VENDOR_INVALIDATE) return SIM_BPU_ARGUMENT;
    sim_lock();
    found = sim_bpu_at(memory->address, &offset);
    if (found) sim_bpu_flush_found(memory, found, offset, flag);
    else answer = flag == VENDOR_CLEAN ? SIM_BPU_FLUSH : SIM_BPU_INVALIDATE;
    sim_unlock();
    return answer;
}

int32_t sim_bpu_copy(const sim_bpu_memory *memory, const void *from, void *to, uint32_t size) {
    sim_memory *found;
    size_t offset = 0;
    int32_t answer = SIM_BPU_ARGUMENT;
    sim_lock();
    found = sim_bpu_at(memory->address, &offset);
    if (found && size <= found->size - offset) {
        uint8_t *at = (uint8_t *)memory->address;
        answer = SIM_BPU_OK;
        if (from) {
            memcpy(at, from, size);
            sim_memory_sync_piece(found, offset, size, true, false);
        } else {
            sim_memory_sync_piece(found, offset, size, false, true);
            memcpy(to, at, size);
        }
    }
    sim_unlock();
    return answer;
}

int32_t sim_bpu_register(const sim_bpu_memory *memory) {
    size_t offset;
    bool known;
    sim_lock();
    known = sim_memory_at_phys(memory->physical, &offset) != NULL;
    sim_unlock();
    return known ? SIM_BPU_OK : SIM_BPU_REGISTER;
}

/* --------------------------------------------------------------------------------------------------------- a camera */

SIM_EXPORT int nnrt_sim_camera_alloc(size_t size, int cached, uint64_t *physical, void **address) {
    sim_memory *memory;
    sim_lock();
    if (sim_state.next_phys < sim_bpu_the_chip()->physical) sim_state.next_phys = sim_bpu_the_chip()->physical;
    memory = sim_memory_make(0, size, cached != 0);
    if (memory) {
        memory->given_up = memory->imported = true;
        *physical = sim_memory_phys(memory);
        *address = memory->map;
    }
    sim_unlock();
    return memory ? 0 : -1;
}

SIM_EXPORT void nnrt_sim_camera_free(uint64_t physical) {
    sim_memory *memory;
    size_t offset;
    sim_lock();
    memory = sim_memory_at_phys(physical, &offset);
    if (memory && memory->imported) {
        if (sim_bpu_in_use(physical, memory->size))
            sim_mistake_locked("freed in use: memory of a camera, of a task that is not over");
        sim_memory_end(memory, false);
    }
    sim_unlock();
}
