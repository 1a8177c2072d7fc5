/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_mmz.c - MMZ: blocks with a physical address, which the engine knows, and a virtual one, which the CPU knows.

   A block that was allocated cached has two copies (sim_memory.h): the CPU's is at the virtual address, the engine's at
   the physical one, and MmzFlushCache writes the CPU's dirty lines back and then loads all lines of the range anew, as
   cleaning and invalidating does. */
#define _GNU_SOURCE
#include "sim_hisi.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* What HI_MPI_SYS_Mmap made. */
typedef struct sim_hisi_view {
    sim_context context;
    uint8_t *address;
    size_t size;
    void *pages; /* of it; NULL: it is a piece of the engine's copy */
    size_t page_bytes;
    sim_memory_ref memory;
    size_t offset;
    bool cached;
} sim_hisi_view;

static const sim_kind sim_hisi_view_kind = {"mapping"};

static sim_hisi_block *sim_hisi_block_of(const sim_memory *memory) { return (sim_hisi_block *)memory->vendor; }

int32_t sim_hisi_allocate(uint64_t *physical, void **address, uint32_t size, bool cached) {
    sim_memory *memory;
    uint64_t begin;
    sim_lock();
    begin = sim_hisi_the_chip_locked()->physical;
    if (sim_state.next_phys < begin) sim_state.next_phys = begin;
    memory = sim_memory_make(0, size, cached);
    if (memory) {
        sim_hisi_block_of(memory)->cached = cached;
        *physical = sim_memory_phys(memory);
        *address = memory->map;
    }
    sim_unlock();
    return memory ? SIM_HISI_OK : -1;
}

/* What speaks against freeing it; NULL: nothing. */
static const char *sim_hisi_in_use(uint64_t physical, uint64_t size) {
    if (sim_hisi_task_in(physical, size)) return "freed in use: memory of a task that may still run";
    if (sim_hisi_task_buffer_in(physical, size)) return "freed in use: a task buffer that is registered";
    if (sim_hisi_model_in(physical, size)) return "freed in use: the file of a model that is loaded";
    return NULL;
}

int32_t sim_hisi_free(uint64_t physical, void *address) {
    sim_memory *memory;
    const char *use;
    size_t offset = 0;
    int32_t answer = -1;
    sim_lock();
    memory = sim_memory_at_phys(physical, &offset);
    if (!memory) {
        sim_mistake_locked("wrong address: MmzFree of 0x%llx, which is no memory (or no longer)",
                           (unsigned long long)physical);
    } else if (offset != 0) {
        sim_mistake_locked("wrong address: MmzFree of byte %lu of a block%s", (unsigned long)offset,
                           sim_hisi_model_in(physical, 1) ? ": freed through stBase?" : "");
    } else {
        use = sim_hisi_in_use(physical, memory->size);
        if (use) sim_mistake_locked("%s", use);
        if (address != memory->map)
            sim_mistake_locked("wrong address: MmzFree of a block with a virtual address that is not its own");
        if (sim_lets_pass() || (!use && address == memory->map)) {
            sim_memory_end(memory, false);
            answer = SIM_HISI_OK;
        }
    }
    sim_unlock();
    return answer;
}

void sim_hisi_kept(uint64_t physical) {
    sim_memory *memory;
    size_t offset;
    sim_lock();
    memory = sim_memory_at_phys(physical, &offset);
    if (memory) memory->given_up = true;
    sim_unlock();
}

/* --------------------------------------------------------------------------------------------------------- flushing */

/* The memory that a virtual address is of; NULL: none. */
static sim_memory *sim_hisi_of_address(const void *address, size_t *offset, bool *cached) {
    const uintptr_t at = (uintptr_t)address;
    sim_memory *memory;
    sim_context *context;
    for (memory = sim_state.memories; memory; memory = memory->next) {
        const uintptr_t begin = (uintptr_t)memory->map;
        if (at >= begin && at - begin < memory->size) {
            *offset = (size_t)(at - begin);
            *cached = sim_hisi_block_of(memory)->cached;
            return memory;
        }
    }
    for (context = sim_state.contexts; context; context = context->next) {
        const sim_hisi_view *view = (const sim_hisi_view *)context;
        const uintptr_t begin = context->kind == &sim_hisi_view_kind ? (uintptr_t)view->address : 0;
        memory = context->kind == &sim_hisi_view_kind ? sim_memory_of(&view->memory) : NULL;
        if (memory && at >= begin && at - begin < view->size) {
            *offset = view->offset + (size_t)(at - begin);
            *cached = view->cached;
            return memory;
        }
    }
    return NULL;
}

int32_t sim_hisi_flush(uint64_t physical, void *address, uint32_t size) {
    sim_memory *memory, *other;
    size_t offset = 0, at = 0;
    bool cached = false, wrong;
    if (!address) return SIM_HISI_SYS_NULL;
    sim_lock();
    ++sim_state.syncs[0];
    ++sim_state.syncs[1];
    if (physical == 0) { /* the whole cache */
        for (memory = sim_state.memories; memory; memory = memory->next)
            sim_memory_sync_piece(memory, 0, memory->size, true, true);
        sim_unlock();
        return SIM_HISI_OK;
    }
    memory = sim_hisi_of_address(address, &offset, &cached);
    other = sim_memory_at_phys(physical, &at);
    wrong = !memory || memory != other || offset != at || size > memory->size - offset;
    if (!memory || memory != other || offset != at)
        sim_mistake_locked("wrong address: a flush of physical 0x%llx with a virtual address that is not the same "
                           "memory's",
                           (unsigned long long)physical);
    else if (size > memory->size - offset)
        sim_mistake_locked("wrong size: a flush of %lu bytes from byte %lu on of a block of %lu", (unsigned long)size,
                           (unsigned long)offset, (unsigned long)memory->size);
    if (memory && (!wrong || sim_lets_pass()))
        sim_memory_sync_piece(memory, offset, size < memory->size - offset ? size : memory->size - offset, true, true);
    sim_unlock();
    return wrong && !sim_lets_pass() ? -1 : SIM_HISI_OK;
}

bool sim_hisi_where(const void *address, uint64_t *physical, bool *cached) {
    sim_memory *memory;
    size_t offset = 0;
    sim_lock();
    memory = sim_hisi_of_address(address, &offset, cached);
    if (memory) *physical = sim_memory_phys(memory) + offset;
    sim_unlock();
    return memory != NULL;
}

/* --------------------------------------------------------------------------------------------------------- mappings */

/* Of a cached block an uncached mapping shows what the engine has; other mappings show what the block's own does. */
static bool sim_hisi_view_bytes(sim_hisi_view *view, sim_memory *memory) {
    const size_t before = view->offset % 4096;
    if (sim_hisi_block_of(memory)->cached && !view->cached) {
        view->address = sim_memory_device(memory) + view->offset;
        return true;
    }
    view->page_bytes = before + view->size;
    view->pages =
        mmap(NULL, view->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, (off_t)(view->offset - before));
    if (view->pages == MAP_FAILED) return false;
    view->address = (uint8_t *)view->pages + before;
    return true;
}

void *sim_hisi_map(uint64_t physical, uint32_t size, bool cached) {
    sim_hisi_view *view = (sim_hisi_view *)calloc(1, sizeof(*view));
    sim_memory *memory;
    void *address = NULL;
    sim_lock();
    memory = view && size > 0 ? sim_memory_at_phys(physical, &view->offset) : NULL;
    if (memory) {
        view->size = size < memory->size - view->offset ? size : memory->size - view->offset;
        view->cached = cached && sim_hisi_block_of(memory)->cached;
        sim_memory_refer(&view->memory, memory);
        if (sim_hisi_view_bytes(view, memory)) {
            sim_context_add(&view->context, &sim_hisi_view_kind);
            address = view->address;
        }
    }
    sim_unlock();
    if (!address) free(view);
    return address;
}

int32_t sim_hisi_unmap(void *address, uint32_t size) {
    sim_context *context;
    sim_hisi_view *view = NULL;
    if (!address) return SIM_HISI_SYS_NULL;
    sim_lock();
    for (context = sim_state.contexts; context; context = context->next)
        if (context->kind == &sim_hisi_view_kind && ((sim_hisi_view *)context)->address == (uint8_t *)address)
            view = (sim_hisi_view *)context;
    if (view) sim_context_unlink(&view->context);
    else sim_mistake_locked("wrong address: Munmap of what HI_MPI_SYS_Mmap has not made");
    if (view && view->size != size) sim_mistake_locked("wrong size: Munmap with another size than Mmap");
    sim_unlock();
    if (view && view->pages) munmap(view->pages, view->page_bytes);
    free(view);
    return view ? SIM_HISI_OK : -1;
}

/* ------------------------------------------------------------------------------------------- as the device uses it */

sim_hisi_piece sim_hisi_find(uint64_t physical, uint64_t size) {
    sim_hisi_piece piece = {NULL, 0, 0};
    piece.memory = sim_memory_at_phys(physical, &piece.offset);
    if (piece.memory) {
        piece.size = piece.memory->size - piece.offset;
        if (piece.size > size) piece.size = (size_t)size;
    }
    return piece;
}

bool sim_hisi_in_mmz(uint64_t physical, uint64_t size) {
    return sim_hisi_find(physical, size).memory != NULL && size <= sim_state.next_phys - physical;
}

size_t sim_hisi_dirty(uint64_t physical, uint64_t size, bool whole) {
    const sim_hisi_piece piece = sim_hisi_find(physical, size);
    return piece.memory ? sim_memory_dirty(piece.memory, piece.offset, piece.size, whole) : 0;
}

void sim_hisi_read(uint64_t physical, void *to, size_t size) {
    const sim_hisi_piece piece = sim_hisi_find(physical, size);
    size_t i;
    if (piece.memory) sim_memory_take_piece(piece.memory, piece.offset, to, piece.size);
    for (i = piece.size; i < size; ++i) ((uint8_t *)to)[i] = sim_poison_locked();
}

bool sim_hisi_unseen(uint64_t physical, size_t size) {
    const sim_hisi_piece piece = sim_hisi_find(physical, size);
    return piece.memory && sim_memory_unseen(piece.memory, piece.offset, piece.size);
}

void sim_hisi_write(uint64_t physical, const void *from, size_t size, bool late) {
    const sim_hisi_piece piece = sim_hisi_find(physical, size);
    if (piece.memory) sim_memory_give_piece(piece.memory, piece.offset, from, piece.size, !late);
}

void sim_hisi_scribble(uint64_t physical, size_t size) {
    const sim_hisi_piece piece = sim_hisi_find(physical, size);
    size_t i;
    for (i = 0; i < piece.size; ++i) sim_memory_device(piece.memory)[piece.offset + i] = sim_poison_locked();
}
