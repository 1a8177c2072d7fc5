/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_memory.c - rknn_create_mem and its relatives, rknn_destroy_mem, rknn_mem_sync. */
#include "sim_rknn.h"

#include <string.h>

static nnrt_rknn_tensor_mem *sim_rknn_mem(const sim_memory *memory) {
    return (nnrt_rknn_tensor_mem *)memory->vendor;
}

/* What the caller reads. */
static void sim_rknn_memory_fill(sim_memory *memory, nnrt_rknn_mem_origin origin, int fd, void *virt) {
    nnrt_rknn_tensor_mem *mem = sim_rknn_mem(memory);
    mem->phys_addr = sim_memory_phys(memory);
    mem->virt_addr = virt;
    mem->fd = fd;
    mem->size = (uint32_t)memory->size;
    mem->flags = (uint32_t)origin;
    mem->priv_data = memory;
}

/* Locked. */
static sim_memory *sim_rknn_memory_make(nnrt_rknn_context handle, size_t size, uint64_t flags) {
    const size_t free_sram = sim_rknn_sram_left();
    sim_memory *memory = sim_memory_make(handle, size, (flags & NNRT_RKNN_MEMORY_NON_CACHEABLE) == 0);
    if (!memory)
        return NULL;
    if ((flags & NNRT_RKNN_MEMORY_TRY_ALLOC_SRAM) && NNRT_SIM_VERSION >= 0x020302 &&
        memory->buffer->accounted <= free_sram) {
        memory->buffer->sram = memory->buffer->accounted;
        memory->buffer->accounted = 0;
    }
    sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_ALLOC_INSIDE, memory->fd, memory->map);
    return memory;
}

SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem(nnrt_rknn_context handle, uint32_t size) {
    sim_context *context;
    sim_memory *memory;
    if (sim_begin(handle, NULL, "rknn_create_mem", &context) != 0)
        return NULL;
    sim_lock();
    memory = sim_rknn_memory_make(handle, size, NNRT_RKNN_MEMORY_CACHEABLE);
    sim_unlock();
    sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}

#if NNRT_SIM_VERSION >= 0x020000
SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem2(nnrt_rknn_context handle, uint64_t size, uint64_t flags) {
    const bool free_of_context =
        NNRT_SIM_VERSION >= 0x020100 && (flags & NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT) != 0;
    sim_context *context = NULL;
    sim_memory *memory = NULL;
    int answer;
    if (free_of_context) {
        if (sim_enter("rknn_create_mem2", &answer) || !sim_rknn_board_fits())
            return NULL;
        handle = 0;
    } else if (sim_begin(handle, NULL, "rknn_create_mem2", &context) != 0) {
        return NULL;
    }
    sim_lock();
    if (size <= 0x7fffffffu)
        memory = sim_rknn_memory_make(handle, (size_t)size, flags);
    sim_unlock();
    if (context)
        sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}
#endif

SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem_from_fd(nnrt_rknn_context handle, int32_t fd, void *virt,
                                                         uint32_t size, int32_t offset) {
    sim_context *context;
    sim_memory *memory = NULL;
    if (sim_begin(handle, NULL, "rknn_create_mem_from_fd", &context) != 0)
        return NULL;
    sim_lock();
    if (offset >= 0)
        memory = sim_memory_import(handle, fd, size, (size_t)offset);
    if (memory) {
        sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_FROM_FD, fd, virt);
        sim_rknn_mem(memory)->offset = offset;
    }
    sim_unlock();
    sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}

SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem_from_phys(nnrt_rknn_context handle, uint64_t phys,
                                                           void *virt, uint32_t size) {
    sim_context *context;
    sim_memory *memory;
    if (sim_begin(handle, NULL, "rknn_create_mem_from_phys", &context) != 0)
        return NULL;
    sim_lock();
    memory = sim_memory_import_phys(handle, phys, size);
    if (memory)
        sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_FROM_PHYS, -1, virt);
    sim_unlock();
    sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}

/* Locked: is the NPU at work on it? In rknn_run is a context of rknn_init only. */
static bool sim_rknn_memory_in_use(const sim_memory *memory) {
    const sim_context *each;
    uint32_t i;
    for (each = sim_state.contexts; each; each = each->next) {
        const sim_rknn_context *context = (const sim_rknn_context *)each;
        if (!each->inside || strcmp(each->inside, "rknn_run") != 0)
            continue;
        for (i = 0; i < context->n_input + context->n_output; ++i) {
            if (sim_memory_of(&context->ports[i].bound) == memory)
                return true;
        }
        if (sim_memory_of(&context->internal) == memory || sim_memory_of(&context->weights) == memory)
            return true;
    }
    return false;
}

/* Locked. context: that of the call; NULL: none was given. */
static int sim_rknn_memory_destroy(nnrt_rknn_context handle, sim_context *context,
                                   nnrt_rknn_tensor_mem *mem) {
    sim_memory *memory = sim_memory_find(mem);
    const sim_context *owner = memory && memory->owner ? sim_context_find(memory->owner) : NULL;
    bool keep_fd = false;
    if (!mem)
        return NNRT_RKNN_ERR_PARAM_INVALID;
    if (!memory) {
        sim_mistake_locked(sim_memory_was(mem)
                               ? "double free: rknn_destroy_mem of a memory that was destroyed before"
                               : "foreign memory: rknn_destroy_mem of what this runtime did not make");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (!context && handle) {
        sim_mistake_locked("use after destroy: rknn_destroy_mem with a context that is not alive");
        return NNRT_RKNN_ERR_CTX_INVALID;
    }
    if (!context && memory->owner) {
        sim_mistake_locked(
            "wrong context: rknn_destroy_mem without a context of memory that was made with one");
        return NNRT_RKNN_ERR_CTX_INVALID;
    }
    if (owner && owner != context) {
        sim_mistake_locked("foreign memory: rknn_destroy_mem with another context than that which made it");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (sim_rknn_memory_in_use(memory)) {
        sim_mistake_locked("use after destroy: rknn_destroy_mem of memory that the NPU is at work on");
        return NNRT_RKNN_ERR_FAIL;
    }
    if (!context) {
        keep_fd = true;
        sim_log("rknn_destroy_mem(0) leaks a descriptor");
        if (sim_state.contexts) { /* a live context would have avoided it */
            ++sim_state.leaked_fds;
            sim_mistake_locked(
                "leaked fd: rknn_destroy_mem(0, ...) while a live context could have been given");
        }
    }
    sim_memory_end(memory, keep_fd);
    return 0;
}

SIM_EXPORT int rknn_destroy_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem) {
    sim_context *context = NULL;
    sim_memory *memory;
    int answer = 0;
    bool fault = false;
    if (handle) {
        answer = sim_begin(handle, NULL, "rknn_destroy_mem", &context);
        fault = answer != 0 && answer != NNRT_RKNN_ERR_CTX_INVALID;
    } else {
        fault = sim_enter("rknn_destroy_mem", &answer) != 0;
    }
    sim_lock();
    memory = sim_memory_find(mem);
    if (!fault)
        answer = sim_rknn_memory_destroy(handle, context, mem);
    else if (memory)
        memory->given_up = true; /* not the caller's leak */
    sim_unlock();
    if (context)
        sim_end(context);
    return answer;
}

#if NNRT_SIM_VERSION >= 0x010600
SIM_EXPORT int rknn_mem_sync(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem,
                             nnrt_rknn_mem_sync_mode mode) {
    sim_context *context;
    sim_memory *memory;
    int answer = sim_begin(handle, NULL, "rknn_mem_sync", &context);
    if (answer != 0)
        return answer;
    sim_lock();
    memory = sim_memory_find(mem);
    if (!memory || (int)mode < 1 || (int)mode > 3) {
        if (mem && !memory)
            sim_mistake_locked("use after destroy: rknn_mem_sync of memory that is not alive");
        answer = NNRT_RKNN_ERR_PARAM_INVALID;
    } else {
        if (memory->owner && memory->owner != handle)
            sim_mistake_locked("foreign memory: rknn_mem_sync with another context than that which made it");
        sim_memory_sync(memory, ((int)mode & 1) != 0, ((int)mode & 2) != 0);
    }
    sim_unlock();
    sim_end(context);
    return answer;
}
#endif

/* ---------------------------------------------------------------------- as the NPU uses it */

/* Flags of rknn_init can have the runtime leave the caches alone; a matmul context has none. */
static sim_care sim_rknn_care(const sim_context *context, uint32_t flag, sim_care care) {
    const bool model = context->kind == &sim_rknn_kind_model;
    return model && (((const sim_rknn_context *)context)->flags & flag) ? care : SIM_CARE_RUNTIME;
}

int sim_rknn_memory_take(const sim_context *context, const void *mem, void *to, size_t size,
                         const char *what) {
    const uint32_t flag = NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE;
    return sim_memory_read(mem, to, size, sim_rknn_care(context, flag, SIM_CARE_CALLER), what);
}

int sim_rknn_memory_give(const sim_context *context, const void *mem, const void *from, size_t size,
                         const char *what) {
    const uint32_t flag = NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE;
    return sim_memory_write(mem, from, size, sim_rknn_care(context, flag, SIM_CARE_NOBODY), context->delayed,
                            what);
}
