/* SPDX-License-Identifier: Apache-2.0 */
/* sim_rknn_memory.c - rknn_create_mem and its relatives, rknn_destroy_mem, rknn_mem_sync. */
#include "sim_rknn.h"

#include <signal.h>
#include <string.h>

static nnrt_rknn_tensor_mem *sim_rknn_mem(const sim_memory *memory) { return (nnrt_rknn_tensor_mem *)memory->vendor; }

/* What the caller reads. */
static void sim_rknn_memory_fill(sim_memory *memory, nnrt_rknn_mem_origin origin, int fd, void *virt) {
    nnrt_rknn_tensor_mem *mem = sim_rknn_mem(memory);
    mem->phys_addr = sim_memory_phys(memory);
    mem->virt_addr = virt;
    mem->fd = fd;
    mem->size = (uint32_t)memory->size;
    /* librknnrt does not tell where memory comes from. */
    mem->flags = (uint32_t)(NNRT_SIM_MINI ? origin : NNRT_RKNN_MEM_ALLOC_INSIDE);
    mem->priv_data = NNRT_SIM_MINI || origin == NNRT_RKNN_MEM_ALLOC_INSIDE ? memory : NULL;
}

/* Locked. */
static sim_memory *sim_rknn_memory_make(nnrt_rknn_context handle, size_t size, uint64_t flags) {
    const size_t free_sram = sim_rknn_sram_left();
    sim_memory *memory = sim_memory_make(handle, size, (flags & NNRT_RKNN_MEMORY_NON_CACHEABLE) == 0);
    if (!memory) return NULL;
    if ((flags & NNRT_RKNN_MEMORY_TRY_ALLOC_SRAM) && NNRT_SIM_VERSION >= 0x020302 &&
        memory->buffer->accounted <= free_sram) {
        memory->buffer->sram = memory->buffer->accounted;
        memory->buffer->accounted = 0;
    }
    sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_ALLOC_INSIDE, memory->fd, memory->map);
    return memory;
}

/* With context 0: NULL, but for librknnrt 1.6.0. */
SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem(nnrt_rknn_context handle, uint32_t size) {
    const bool without = !NNRT_SIM_MINI && NNRT_SIM_VERSION == 0x010600 && handle == 0;
    sim_context *context = NULL;
    sim_memory *memory;
    int answer;
    if (without ? sim_enter("rknn_create_mem", &answer) || !sim_rknn_board_fits()
                : sim_rknn_begin_any(handle, "rknn_create_mem", &context) != 0)
        return NULL;
    sim_lock();
    memory = sim_rknn_memory_make(handle, size, NNRT_RKNN_MEMORY_CACHEABLE);
    sim_unlock();
    if (context) sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}

#if NNRT_SIM_VERSION >= 0x020000
SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem2(nnrt_rknn_context handle, uint64_t size, uint64_t flags) {
    const bool free_of_context =
        !NNRT_SIM_MINI && NNRT_SIM_VERSION >= 0x020100 && (flags & NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT) != 0;
    sim_context *context = NULL;
    sim_memory *memory = NULL;
    int answer;
    if (free_of_context) {
        if (sim_enter("rknn_create_mem2", &answer) || !sim_rknn_board_fits()) return NULL;
        handle = 0;
    } else if (sim_rknn_begin_any(handle, "rknn_create_mem2", &context) != 0) {
        return NULL;
    }
    sim_lock();
    if (size <= 0x7fffffffu) memory = sim_rknn_memory_make(handle, (size_t)size, flags);
    sim_unlock();
    if (context) sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}
#endif

/* Locked. What cannot be imported is imported: nothing is looked at before the run. */
static sim_memory *sim_rknn_import_anyway(nnrt_rknn_context handle, size_t size, const char *why) {
    sim_mistake_locked("wrong import: %s", why);
    return sim_lets_pass() ? sim_memory_import_nothing(handle, size) : NULL;
}

SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem_from_fd(nnrt_rknn_context handle, int32_t fd, void *virt,
                                                         uint32_t size, int32_t offset) {
    sim_context *context;
    sim_memory *memory = NULL;
    if (sim_rknn_begin_any(handle, "rknn_create_mem_from_fd", &context) != 0) return NULL;
    sim_lock();
    if (offset >= 0) memory = sim_memory_import(handle, fd, size, (size_t)offset);
    if (!memory) memory = sim_rknn_import_anyway(handle, size, "a descriptor that does not have these bytes");
    if (memory) {
        sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_FROM_FD, fd, virt);
        sim_rknn_mem(memory)->offset = offset;
    }
    sim_unlock();
    sim_end(context);
    return memory ? sim_rknn_mem(memory) : NULL;
}

SIM_EXPORT nnrt_rknn_tensor_mem *rknn_create_mem_from_phys(nnrt_rknn_context handle, uint64_t phys, void *virt,
                                                           uint32_t size) {
    sim_context *context;
    sim_memory *memory;
    if (sim_rknn_begin_any(handle, "rknn_create_mem_from_phys", &context) != 0) return NULL;
    sim_lock();
    memory = sim_memory_import_phys(handle, phys, size);
    if (!memory) memory = sim_rknn_import_anyway(handle, size, "an address that the NPU's memory does not have");
    if (memory) sim_rknn_memory_fill(memory, NNRT_RKNN_MEM_FROM_PHYS, -1, virt);
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
        if (!each->inside || strcmp(each->inside, "rknn_run") != 0) continue;
        for (i = 0; i < context->n_input + context->n_output; ++i) {
            if (sim_memory_of(&context->ports[i].bound) == memory) return true;
        }
        if (sim_memory_of(&context->internal) == memory || sim_memory_of(&context->weights) == memory) return true;
    }
    return false;
}

/* Locked. context: that of the call; NULL: none was given. */
static int sim_rknn_memory_destroy(nnrt_rknn_context handle, sim_context *context, nnrt_rknn_tensor_mem *mem) {
    sim_memory *memory = sim_memory_find(mem);
    const sim_context *owner = memory && memory->owner ? sim_context_find(memory->owner) : NULL;
    bool keep_fd = false;
    if (!mem) return NNRT_RKNN_ERR_PARAM_INVALID;
    if (!memory) {
        sim_mistake_locked(sim_memory_was(mem) ? "double free: rknn_destroy_mem of a memory that was destroyed before"
                                               : "foreign memory: rknn_destroy_mem of what this runtime did not make");
        return NNRT_RKNN_ERR_PARAM_INVALID;
    }
    if (!context && handle) {
        sim_mistake_locked("use after destroy: rknn_destroy_mem with a context that is not alive");
        return NNRT_RKNN_ERR_CTX_INVALID;
    }
    if (!context && (memory->owner || NNRT_SIM_MINI || NNRT_SIM_VERSION < 0x020000)) {
        sim_mistake_locked("wrong context: rknn_destroy_mem without a context of memory that was made with one");
        return NNRT_RKNN_ERR_CTX_INVALID;
    }
    if (owner && owner != context) {
        sim_mistake_locked("foreign memory: rknn_destroy_mem with another context than that which made it");
        if (!sim_lets_pass()) return NNRT_RKNN_ERR_PARAM_INVALID;
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
            sim_mistake_locked("leaked fd: rknn_destroy_mem(0, ...) while a live context could have been given");
        }
    }
    sim_memory_end(memory, keep_fd);
    return 0;
}

SIM_EXPORT int rknn_destroy_mem(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem) {
    sim_context *context = NULL;
    sim_memory *memory;
    int answer = 0;
    bool fault = false, twice;
    if (handle) {
        answer = sim_rknn_begin_any(handle, "rknn_destroy_mem", &context);
        fault = answer != 0 && answer != NNRT_RKNN_ERR_CTX_INVALID;
    } else {
        fault = sim_enter("rknn_destroy_mem", &answer) != 0;
    }
    sim_lock();
    memory = sim_memory_find(mem);
    twice = mem && !memory && sim_memory_was(mem) && (context || handle);
    if (!fault) answer = sim_rknn_memory_destroy(handle, context, mem);
    else if (memory) memory->given_up = true; /* not the caller's leak */
    sim_unlock();
    if (twice && !fault) sim_crash(SIGABRT, "rknn_destroy_mem of a memory that was destroyed before");
    if (context) sim_end(context);
    return answer;
}

#if NNRT_SIM_VERSION >= 0x010600
SIM_EXPORT int rknn_mem_sync(nnrt_rknn_context handle, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode) {
    /* librknnrt 1.6.0 needs no context. */
    const bool without = !NNRT_SIM_MINI && NNRT_SIM_VERSION < 0x020000 && handle == 0;
    sim_context *context = NULL;
    sim_memory *memory;
    int answer = 0;
    if (without ? sim_enter("rknn_mem_sync", &answer)
                : (answer = sim_rknn_begin_any(handle, "rknn_mem_sync", &context)))
        return answer;
    answer = 0;
    sim_lock();
    memory = sim_memory_find(mem);
    if (!memory) {
        if (mem) sim_mistake_locked("use after destroy: rknn_mem_sync of memory that is not alive");
        answer = NNRT_RKNN_ERR_PARAM_INVALID;
    } else {
        if (memory->owner && memory->owner != handle)
            sim_mistake_locked("foreign memory: rknn_mem_sync with another context than that which made it");
        if ((int)mode < 1 || (int)mode > 3) {
            sim_mistake_locked("wrong direction: rknn_mem_sync with mode %d", (int)mode);
            answer = sim_lets_pass() ? 0 : NNRT_RKNN_ERR_PARAM_INVALID;
        }
        sim_memory_sync(memory, ((int)mode & 1) != 0, ((int)mode & 2) != 0);
    }
    sim_unlock();
    if (context) sim_end(context);
    return answer;
}
#endif

/* ------------------------------------------------------------------------------------- as the NPU uses it */

/* How often the runtime syncs a tensor of the caller in one run. Imported memory, too: in all librknnmrt and in
   librknnrt up to 1.6.0, as seen; later ones are assumed to leave it alone. */
typedef struct sim_rknn_flush {
    unsigned syncs;
    sim_care care;
} sim_rknn_flush;

static sim_rknn_flush sim_rknn_flush_of(const sim_context *context, bool output, bool by_npu) {
    const uint32_t asked = context->kind == &sim_rknn_kind_model ? ((const sim_rknn_context *)context)->flags : 0;
    const bool off = (asked & (output ? NNRT_RKNN_FLAG_DISABLE_FLUSH_OUTPUT_MEM_CACHE
                                      : NNRT_RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE)) != 0;
    sim_rknn_flush flush = {1, SIM_CARE_ALL};
    if (NNRT_SIM_MINI) {
        if (!output && NNRT_SIM_VERSION < 0x020200) flush.syncs = off ? 1 : 2; /* the flag stops one of the two */
        else flush.syncs = off ? 0 : 1;
    } else if (NNRT_SIM_VERSION < 0x020000) {
        flush.syncs = output ? (by_npu ? 2 : 1) : (by_npu ? 1 : 0);
    } else {
        flush.syncs = off ? 0 : 1;
        flush.care = SIM_CARE_RUNTIME;
    }
    if (off && flush.syncs == 0) flush.care = output ? SIM_CARE_NOBODY : SIM_CARE_CALLER;
    return flush;
}

static bool sim_rknn_is_import(const void *mem) {
    const sim_memory *memory = sim_memory_find(mem);
    return memory && memory->imported;
}

int sim_rknn_memory_take(const sim_context *context, const void *mem, void *to, size_t size, bool by_npu,
                         const char *what) {
    const sim_rknn_flush flush = sim_rknn_flush_of(context, false, by_npu);
    sim_lock();
    if (flush.care == SIM_CARE_ALL || !sim_rknn_is_import(mem)) sim_state.run_syncs[0] += flush.syncs;
    sim_unlock();
    return sim_memory_read(mem, to, size, flush.care, what);
}

int sim_rknn_memory_give(const sim_context *context, const void *mem, const void *from, size_t size, bool by_npu,
                         const char *what) {
    const sim_rknn_flush flush = sim_rknn_flush_of(context, true, by_npu);
    sim_lock();
    if (flush.care == SIM_CARE_ALL || !sim_rknn_is_import(mem)) sim_state.run_syncs[1] += flush.syncs;
    sim_unlock();
    return sim_memory_write(mem, from, size, flush.care, context->delayed, what);
}
