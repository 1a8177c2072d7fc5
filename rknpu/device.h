/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/device.h - the Rockchip device: contexts, one thread inside each, and memory for the NPU.   >>rknpu_device

   Three rules: No vendor call is made under device->mutex, because any of them may hang. Only the thread inside a
   context calls the vendor for it. And freeing never waits for a context: what cannot be freed because a call is under
   way stays in the device's list without references, and the next thread to leave a context frees it
   (nnrt__rknpu_sweep). Lock order: device->mutex, then a gate's. */
#ifndef NNRT_RKNPU_DEVICE_H
#define NNRT_RKNPU_DEVICE_H

#include "../core/shared_memory.h"
#include "../npu/dmabuf.h"
#include "errors.h"
#include "types.h"

/* Slot open. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_open(void *user, void **device) {
    nnrt__rknpu_device *made;
    OH_NN_ReturnCode code;
    (void)user;
    made = (nnrt__rknpu_device *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL) return nnrt__fail_memory();
    code = nnrt__rknpu_library_open(&made->library);
    if (code == OH_NN_SUCCESS && !nnrt__mutex_init(&made->mutex)) code = nnrt__fail_memory();
    if (code != OH_NN_SUCCESS) {
        nnrt__free(made);
        return code;
    }
    nnrt__log(NNRT_LOG_INFO, "Rockchip NPU: %s, version %u.%u.%u or later%s%s", made->library.name,
              (unsigned)(made->library.at_least >> 16), (unsigned)(made->library.at_least >> 8 & 255u),
              (unsigned)(made->library.at_least & 255u), made->library.chip[0] != '\0' ? ", chip " : "",
              made->library.chip);
    *device = made;
    return OH_NN_SUCCESS;
}

/* ---------------------------------------------------------------------------------- the gate of a context */

/* Before a vendor call on the context; nnrt__rknpu_leave comes after it. Waits while another thread is inside; false,
   at once, when the context is stuck. */
NNRT__FN bool nnrt__rknpu_enter(nnrt__rknpu_context *context) { return nnrt__gate_enter(&context->gate); }

/* As enter, but waits for a given-up call too, until deadline_ns (of nnrt__now_ns). */
NNRT__FN bool nnrt__rknpu_enter_until(nnrt__rknpu_context *context, uint64_t deadline_ns) {
    return nnrt__gate_enter_until(&context->gate, deadline_ns);
}

/* Gives up the call of the thread inside, from another thread; the context is stuck until that thread leaves. Does
   nothing if nobody is inside. Never blocks. */
NNRT__FN void nnrt__rknpu_give_up(nnrt__rknpu_context *context) { nnrt__gate_give_up(&context->gate); }

/* ----------------------------------------------------------------------------------------------- contexts */

/* Ends a handle that has no context yet, or no longer. */
NNRT__FN void nnrt__rknpu_handle_end(const nnrt__rknpu_library *library, nnrt_rknn_context handle, bool matmul) {
    if (matmul) (void)library->api.matmul_destroy(handle);
    else (void)library->api.destroy(handle);
}

/* Takes over a handle from rknn_init, rknn_dup_context or rknn_matmul_create: one reference, in the device's list. On
   failure (memory) the handle was destroyed. parent may be NULL; it is retained. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_context_new(nnrt__rknpu_device *device, nnrt_rknn_context handle, bool matmul,
                                                  nnrt__rknpu_context *parent, nnrt__rknpu_context **context) {
    nnrt__rknpu_context *made = (nnrt__rknpu_context *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL || !nnrt__gate_init(&made->gate)) {
        nnrt__free(made);
        nnrt__rknpu_handle_end(&device->library, handle, matmul);
        return nnrt__fail_memory();
    }
    made->device = device;
    made->references = 1;
    made->handle = handle;
    made->matmul = matmul;
    made->parent = parent;
    nnrt__mutex_lock(&device->mutex);
    if (parent != NULL) parent->references++;
    made->next = device->contexts;
    device->contexts = made;
    nnrt__mutex_unlock(&device->mutex);
    *context = made;
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__rknpu_context_retain(nnrt__rknpu_context *context) {
    nnrt__mutex_lock(&context->device->mutex);
    context->references++;
    nnrt__mutex_unlock(&context->device->mutex);
}

/* Removes an unreferenced context from the lists and moves its views to *views. false: a thread is inside and will do
   it when it leaves. device->mutex is held. */
NNRT__FN bool nnrt__rknpu_context_detach(nnrt__rknpu_context *context, nnrt__rknpu_view **views) {
    nnrt__rknpu_context **link = &context->device->contexts;
    nnrt__rknpu_memory *memory;
    NNRT__ASSERT_HELD(&context->device->mutex);
    if (!nnrt__gate_try(&context->gate)) return false;
    while (*link != context) link = &(*link)->next;
    *link = context->next;
    *views = NULL;
    for (memory = context->device->memories; memory != NULL; memory = memory->next) {
        nnrt__rknpu_view **at = &memory->views;
        while (*at != NULL) {
            nnrt__rknpu_view *view = *at;
            if (view->context != context) {
                at = &view->next;
                continue;
            }
            *at = view->next;
            view->next = *views;
            *views = view;
        }
    }
    return true;
}

/* The newest context without a thread inside, entered and retained. *waiting: there are only others with a thread
   inside. device->mutex is held. */
NNRT__FN nnrt__rknpu_context *nnrt__rknpu_context_idle(nnrt__rknpu_device *device, bool *waiting) {
    nnrt__rknpu_context *context;
    NNRT__ASSERT_HELD(&device->mutex);
    *waiting = false;
    for (context = device->contexts; context != NULL; context = context->next) {
        if (context->references == 0) continue;
        if (nnrt__gate_try(&context->gate)) {
            context->references++;
            return context;
        }
        *waiting = true;
    }
    return NULL;
}

NNRT__FN void nnrt__rknpu_context_drop(nnrt__rknpu_context *context);

/* Memory without a context is freed with any live one: without one librknnrt 2.3.2 leaks a file descriptor. */
NNRT__FN void nnrt__rknpu_destroy_orphan(nnrt__rknpu_device *device, nnrt_rknn_tensor_mem *mem) {
    nnrt__rknpu_context *context;
    bool waiting;
    nnrt__mutex_lock(&device->mutex);
    context = nnrt__rknpu_context_idle(device, &waiting);
    nnrt__mutex_unlock(&device->mutex);
    (void)device->library.api.destroy_mem(context != NULL ? context->handle : 0, mem);
    if (context == NULL) return;
    nnrt__gate_leave(&context->gate);
    nnrt__rknpu_context_drop(context);
}

/* Ends a detached context. Views first: the runtime wants memory to go before its context. Returns the parent, whose
   reference the caller takes over. */
NNRT__FN nnrt__rknpu_context *nnrt__rknpu_context_end(nnrt__rknpu_context *context, nnrt__rknpu_view *views) {
    nnrt__rknpu_device *device = context->device;
    nnrt__rknpu_context *parent = context->parent;
    size_t i;
    while (views != NULL) {
        nnrt__rknpu_view *next = views->next;
        if (views->mem != NULL) (void)device->library.api.destroy_mem(context->handle, views->mem);
        nnrt__free(views);
        views = next;
    }
    nnrt__rknpu_handle_end(&device->library, context->handle, context->matmul);
    for (i = 0; i < NNRT__COUNT_OF(context->kept); i++) nnrt__free(context->kept[i]);
    if (context->model_memory != NULL) nnrt__rknpu_destroy_orphan(device, context->model_memory);
    nnrt__gate_destroy(&context->gate);
    nnrt__free(context);
    return parent;
}

/* Releases one reference without sweeping memory that waited for the context. */
NNRT__FN void nnrt__rknpu_context_drop(nnrt__rknpu_context *context) {
    while (context != NULL) {
        nnrt__rknpu_device *device = context->device;
        nnrt__rknpu_view *views = NULL;
        bool over;
        nnrt__mutex_lock(&device->mutex);
        over = --context->references == 0 && nnrt__rknpu_context_detach(context, &views);
        nnrt__mutex_unlock(&device->mutex);
        context = over ? nnrt__rknpu_context_end(context, views) : NULL;
    }
}

/* Bytes of NNRT_MALLOC that the end of context frees: views, too, whoever made the memory. device->mutex is held. */
NNRT__FN size_t nnrt__rknpu_context_bytes(const nnrt__rknpu_context *context) {
    size_t bytes = nnrt__block_bytes(context), i;
    const nnrt__rknpu_memory *memory;
    const nnrt__rknpu_view *view;
    NNRT__ASSERT_HELD(&context->device->mutex);
    for (i = 0; i < NNRT__COUNT_OF(context->kept); i++) bytes += nnrt__block_bytes(context->kept[i]);
    for (memory = context->device->memories; memory != NULL; memory = memory->next)
        for (view = memory->views; view != NULL; view = view->next)
            if (view->context == context) bytes += nnrt__block_bytes(view);
    return bytes;
}

/* ----------------------------------------------------------------------------------------- freeing memory */

/* Something that can be freed now: a view, or a memory without views, with the context to free it with, which is
   entered and retained. */
typedef struct nnrt__rknpu_work {
    nnrt__rknpu_context *context; /* NULL: none is needed, or none lives */
    nnrt__rknpu_memory *memory;
    nnrt__rknpu_view *view; /* NULL: memory itself */
} nnrt__rknpu_work;

/* Whether part of an unreferenced memory can be freed now. device->mutex is held. */
NNRT__FN bool nnrt__rknpu_memory_work(nnrt__rknpu_memory *memory, nnrt__rknpu_work *work) {
    nnrt__rknpu_view **at;
    bool waiting = false;
    work->context = NULL;
    work->memory = memory;
    work->view = NULL;
    for (at = &memory->views; *at != NULL; at = &(*at)->next) {
        if (!nnrt__gate_try(&(*at)->context->gate)) continue;
        work->view = *at;
        work->context = work->view->context;
        work->context->references++;
        *at = work->view->next;
        return true;
    }
    if (memory->views != NULL) return false;
    if (memory->kind != NNRT__RKNPU_MEMORY_RUNTIME) return true;
    if (memory->home != NULL) {
        if (!nnrt__gate_try(&memory->home->gate)) return false;
        work->context = memory->home; /* and its reference */
        return true;
    }
    work->context = nnrt__rknpu_context_idle(memory->device, &waiting);
    return work->context != NULL || !waiting;
}

/* Frees a memory that has left the list, the vendor's part with context, which may be NULL. */
NNRT__FN void nnrt__rknpu_memory_end(nnrt__rknpu_memory *memory, nnrt__rknpu_context *context) {
    if (memory->mem != NULL)
        (void)memory->device->library.api.destroy_mem(context != NULL ? context->handle : 0, memory->mem);
    if (memory->map != NULL) (void)munmap(memory->map, memory->map_size);
    if (memory->kind != NNRT__RKNPU_MEMORY_RUNTIME && memory->fd >= 0) (void)close(memory->fd);
    nnrt__free(memory);
}

/* Frees everything that is unreferenced and not in use by a call. A thread claims a memory by -1 references while it
   works on it, so that it is not freed before its last view. */
NNRT__FN void nnrt__rknpu_sweep(nnrt__rknpu_device *device) {
    for (;;) {
        nnrt__rknpu_memory **link;
        nnrt__rknpu_work work;
        bool found = false;
        nnrt__mutex_lock(&device->mutex);
        for (link = &device->memories; *link != NULL; link = &(*link)->next) {
            found = (*link)->references == 0 && nnrt__rknpu_memory_work(*link, &work);
            if (found) break;
        }
        if (found) {
            work.memory->references = -1;
            if (work.view == NULL) {
                *link = work.memory->next;
                device->dead_memories--;
            }
        }
        nnrt__mutex_unlock(&device->mutex);
        if (!found) return;
        if (work.view == NULL) {
            nnrt__rknpu_memory_end(work.memory, work.context);
        } else {
            if (work.view->mem != NULL) (void)device->library.api.destroy_mem(work.context->handle, work.view->mem);
            nnrt__free(work.view);
            nnrt__mutex_lock(&device->mutex);
            work.memory->references = 0;
            nnrt__mutex_unlock(&device->mutex);
        }
        if (work.context == NULL) continue;
        nnrt__gate_leave(&work.context->gate);
        nnrt__rknpu_context_drop(work.context);
    }
}

/* The last release destroys views, handle, kept blocks and the structure. A stuck context is destroyed when the
   given-up call leaves it. NULL is allowed. */
NNRT__FN void nnrt__rknpu_context_release(nnrt__rknpu_context *context) {
    nnrt__rknpu_device *device;
    if (context == NULL) return;
    device = context->device;
    nnrt__rknpu_context_drop(context);
    nnrt__rknpu_sweep(device);
}

NNRT__FN void nnrt__rknpu_leave(nnrt__rknpu_context *context) {
    nnrt__rknpu_device *device = context->device;
    nnrt__rknpu_view *views = NULL;
    bool over, sweep;
    nnrt__mutex_lock(&device->mutex);
    nnrt__gate_leave(&context->gate);
    over = context->references == 0 && nnrt__rknpu_context_detach(context, &views);
    sweep = over || device->dead_memories != 0;
    nnrt__mutex_unlock(&device->mutex);
    if (over) nnrt__rknpu_context_drop(nnrt__rknpu_context_end(context, views));
    if (sweep) nnrt__rknpu_sweep(device);
}

/* ------------------------------------------------------------------------------------------------- memory */

NNRT__FN nnrt__rknpu_memory *nnrt__rknpu_memory_struct(nnrt__rknpu_device *device, nnrt__rknpu_memory_kind kind,
                                                       size_t size) {
    nnrt__rknpu_memory *memory = (nnrt__rknpu_memory *)nnrt__alloc_zero(1, sizeof(*memory));
    if (memory == NULL) {
        (void)nnrt__fail_memory();
        return NULL;
    }
    memory->device = device;
    memory->references = 1;
    memory->kind = kind;
    memory->size = size;
    memory->fd = -1;
    return memory;
}

/* Puts a complete memory into the device's list, its home retained. */
NNRT__FN void nnrt__rknpu_memory_list(nnrt__rknpu_memory *memory) {
    nnrt__rknpu_device *device = memory->device;
    nnrt__mutex_lock(&device->mutex);
    memory->serial = ++device->serial;
    memory->next = device->memories;
    device->memories = memory;
    if (memory->home != NULL) memory->home->references++;
    nnrt__mutex_unlock(&device->mutex);
}

/* Hands a complete memory to the core, for a tensor. */
NNRT__FN void nnrt__rknpu_memory_hand_out(nnrt__rknpu_memory *made, int fd, nnrt_device_memory *memory) {
    nnrt__mutex_lock(&made->device->mutex);
    made->of_tensor = true;
    nnrt__mutex_unlock(&made->device->mutex);
    memory->data = made->data;
    memory->fd = fd;
    memory->handle = made;
    memory->heap_bytes = nnrt__block_bytes(made);
}

/* Memory of the runtime; context is entered, NULL: without one, which api.create_mem2 of 2.1.0 can. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_make(nnrt__rknpu_device *device, nnrt__rknpu_context *context, size_t size,
                                                  uint32_t flags, nnrt__rknpu_memory **memory) {
    const nnrt__rknn_api *api = &device->library.api;
    nnrt__rknpu_memory *made;
    const uint64_t bytes = size;
    if (bytes == 0 || bytes > UINT32_MAX)
        return nnrt__fail(OH_NN_MEMORY_ERROR, "NPU memory comes in blocks of 1 byte to 4 GiB, not of %zu bytes", size);
    made = nnrt__rknpu_memory_struct(device, NNRT__RKNPU_MEMORY_RUNTIME, size);
    if (made == NULL) return OH_NN_MEMORY_ERROR;
    if (context == NULL) made->mem = api->create_mem2(0, bytes, flags | NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
    else if (flags != NNRT_RKNN_MEMORY_DEFAULT && api->create_mem2 != NULL)
        made->mem = api->create_mem2(context->handle, bytes, flags);
    else made->mem = api->create_mem(context->handle, (uint32_t)bytes);
    if (made->mem == NULL || made->mem->virt_addr == NULL) {
        nnrt__rknpu_memory_end(made, context);
        return nnrt__rknpu_fail_memory(size);
    }
    made->data = (uint8_t *)made->mem->virt_addr + made->mem->offset;
    made->fd = made->mem->fd;
    made->offset = (size_t)made->mem->offset;
    made->home = context;
    nnrt__rknpu_memory_list(made);
    *memory = made;
    return OH_NN_SUCCESS;
}

/* If the runtime has none: system memory, which is copied. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_system(nnrt__rknpu_device *device, size_t size,
                                                    nnrt__rknpu_memory **memory) {
    nnrt__rknpu_memory *made = nnrt__rknpu_memory_struct(device, NNRT__RKNPU_MEMORY_SYSTEM, size);
    if (made == NULL) return OH_NN_MEMORY_ERROR;
    made->fd = nnrt__shared_memory_open(size);
    if (made->fd >= 0) made->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, made->fd, 0);
    if (made->map == NULL || made->map == MAP_FAILED) {
        made->map = NULL;
        nnrt__rknpu_memory_end(made, NULL);
        return nnrt__fail(OH_NN_MEMORY_ERROR, "the system gives no shared memory of %zu bytes", size);
    }
    made->map_size = size;
    made->data = made->map;
    nnrt__rknpu_memory_list(made);
    *memory = made;
    return OH_NN_SUCCESS;
}

/* Memory that the backend itself needs with a context (bound I/O, arenas, B of a matmul): one reference, in the
   context's own. flags as of rknn_create_mem2; runtimes without it ignore them. Enters and leaves the context itself:
   the caller is outside. Contents are undefined. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_new(nnrt__rknpu_context *context, size_t size, uint32_t flags,
                                                 nnrt__rknpu_memory **memory) {
    OH_NN_ReturnCode code;
    if (!nnrt__rknpu_enter(context)) return nnrt__rknpu_fail_stuck();
    code = nnrt__rknpu_memory_make(context->device, context, size, flags, memory);
    nnrt__rknpu_leave(context);
    return code;
}

/* The newest working context, entered and retained; if all have a thread inside, waits for one.
   NULL: none. */
NNRT__FN nnrt__rknpu_context *nnrt__rknpu_context_borrow(nnrt__rknpu_device *device) {
    for (;;) {
        nnrt__rknpu_context *context;
        bool waiting;
        nnrt__mutex_lock(&device->mutex);
        context = nnrt__rknpu_context_idle(device, &waiting);
        if (context == NULL && waiting) {
            for (context = device->contexts; context != NULL; context = context->next) {
                if (context->references != 0 && !nnrt__gate_is_stuck(&context->gate)) break;
            }
            if (context != NULL) context->references++;
        } else {
            waiting = false;
        }
        nnrt__mutex_unlock(&device->mutex);
        if (context == NULL || !waiting || nnrt__rknpu_enter(context)) return context;
        nnrt__rknpu_context_release(context); /* it got stuck: look for another one */
    }
}

/* Slot allocate. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_allocate(void *device, size_t size, nnrt_device_memory *memory) {
    nnrt__rknpu_device *self = (nnrt__rknpu_device *)device;
    nnrt__rknpu_context *context = nnrt__rknpu_context_borrow(self);
    nnrt__rknpu_memory *made = NULL;
    OH_NN_ReturnCode code;
    if (context != NULL) {
        code = nnrt__rknpu_memory_make(self, context, size, NNRT_RKNN_MEMORY_DEFAULT, &made);
        nnrt__rknpu_leave(context);
        nnrt__rknpu_context_release(context);
    } else if (self->library.at_least >= NNRT__RKNN_VERSION(2, 1, 0)) {
        code = nnrt__rknpu_memory_make(self, NULL, size, NNRT_RKNN_MEMORY_DEFAULT, &made);
    } else {
        code = nnrt__rknpu_memory_system(self, size, &made);
    }
    if (code != OH_NN_SUCCESS) return code;
    nnrt__rknpu_memory_hand_out(made, made->offset == 0 ? made->fd : -1, memory); /* the program takes it to be 0 */
    return OH_NN_SUCCESS;
}

/* The whole [0, size) is mapped, as rknn_create_mem_from_fd wants the address of the descriptor's first byte. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_import(void *device, int fd, size_t size, size_t offset,
                                             nnrt_device_memory *memory) {
    nnrt__rknpu_memory *made =
        nnrt__rknpu_memory_struct((nnrt__rknpu_device *)device, NNRT__RKNPU_MEMORY_FD, size - offset);
    if (made == NULL) return OH_NN_MEMORY_ERROR;
    made->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (made->fd < 0) {
        nnrt__rknpu_memory_end(made, NULL);
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%d cannot be duplicated as a file descriptor", fd);
    }
    made->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, made->fd, 0);
    if (made->map == MAP_FAILED) {
        made->map = NULL;
        nnrt__rknpu_memory_end(made, NULL);
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "the file descriptor cannot be mapped for reading and writing; of a camera it has to be "
                          "exported with O_RDWR");
    }
    made->map_size = size;
    made->data = (uint8_t *)made->map + offset;
    made->offset = offset;
    nnrt__rknpu_memory_list(made);
    nnrt__rknpu_memory_hand_out(made, -1, memory); /* our descriptor is private: the caller keeps its own */
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__rknpu_memory_retain(nnrt__rknpu_memory *memory) {
    nnrt__mutex_lock(&memory->device->mutex);
    memory->references++;
    nnrt__mutex_unlock(&memory->device->mutex);
}

NNRT__FN void nnrt__rknpu_memory_release(nnrt__rknpu_memory *memory) {
    nnrt__rknpu_device *device;
    bool dead;
    if (memory == NULL) return;
    device = memory->device;
    nnrt__mutex_lock(&device->mutex);
    dead = --memory->references == 0;
    if (dead) device->dead_memories++;
    nnrt__mutex_unlock(&device->mutex);
    if (dead) nnrt__rknpu_sweep(device);
}

/* Slot free_memory. */
NNRT__FN void nnrt__rknpu_free_memory(void *device, nnrt_device_memory *memory) {
    nnrt__rknpu_device *self = (nnrt__rknpu_device *)device;
    nnrt__rknpu_memory *gone = (nnrt__rknpu_memory *)memory->handle;
    nnrt__mutex_lock(&self->mutex);
    gone->of_tensor = false; /* contexts that have it bound own the rest */
    nnrt__mutex_unlock(&self->mutex);
    nnrt__rknpu_memory_release(gone);
}

/* -------------------------------------------------------------------------------------------------- views */

/* The rknn_tensor_mem under which context knows the first size bytes of memory: its own when it was made there with
   exactly this size, else an import of its fd, made at first use and kept. A refused import is remembered as a view
   without mem: the runtime is not asked again for every run. *flushed: the runtime itself cleans and invalidates it
   around rknn_run (its own memory); otherwise the user must call nnrt__rknpu_sync. The context is entered.
   OH_NN_UNSUPPORTED, without a sentence worth showing: this memory cannot be bound (kind SYSTEM, no fd, too small):
   copy instead. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_memory_view(nnrt__rknpu_memory *memory, nnrt__rknpu_context *context, size_t size,
                                                  nnrt_rknn_tensor_mem **mem, bool *flushed) {
    nnrt__rknpu_device *device = memory->device;
    nnrt__rknpu_view *view;
    *flushed = false;
    if (memory->kind == NNRT__RKNPU_MEMORY_RUNTIME && memory->home == context && memory->size == size) {
        *mem = memory->mem;
        *flushed = true;
        return OH_NN_SUCCESS;
    }
    if (memory->kind == NNRT__RKNPU_MEMORY_SYSTEM || memory->fd < 0 || size == 0 || size > memory->size ||
        memory->offset > (size_t)INT32_MAX || size > (size_t)INT32_MAX)
        return nnrt__fail(OH_NN_UNSUPPORTED, "this memory cannot be given to the NPU");
    nnrt__mutex_lock(&device->mutex);
    for (view = memory->views; view != NULL; view = view->next)
        if (view->context == context && view->size == size) break;
    nnrt__mutex_unlock(&device->mutex);
    if (view == NULL) { /* nobody else makes it: the caller is inside context */
        view = (nnrt__rknpu_view *)nnrt__alloc_zero(1, sizeof(*view));
        if (view == NULL) return nnrt__fail_memory();
        view->context = context;
        view->size = (uint32_t)size;
        view->mem = device->library.api.create_mem_from_fd(context->handle, memory->fd,
                                                           memory->mem != NULL ? memory->mem->virt_addr : memory->map,
                                                           (uint32_t)size, (int32_t)memory->offset);
        nnrt__mutex_lock(&device->mutex);
        view->next = memory->views;
        memory->views = view;
        nnrt__mutex_unlock(&device->mutex);
    }
    if (view->mem == NULL) return nnrt__fail(OH_NN_UNSUPPORTED, "the runtime cannot import this file descriptor");
    *mem = view->mem;
    return OH_NN_SUCCESS;
}

/* ---------------------------------------------------------------------------------------- synchronisation */

/* rknn_mem_sync, or the dma-buf ioctl on runtimes before 1.6. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_sync(nnrt__rknpu_context *context, nnrt_rknn_tensor_mem *mem,
                                           nnrt_rknn_mem_sync_mode mode) {
    const nnrt__rknn_api *api = &context->device->library.api;
    if (api->mem_sync != NULL) {
        int code = api->mem_sync(context->handle, mem, mode);
        return code == NNRT_RKNN_SUCC ? OH_NN_SUCCESS : nnrt__rknpu_fail(code, "rknn_mem_sync");
    }
    if (mode != NNRT_RKNN_SYNC_FROM_DEVICE) nnrt__dma_buf_sync(mem->fd, NNRT__DMA_BUF_END_WRITE);
    if (mode != NNRT_RKNN_SYNC_TO_DEVICE) nnrt__dma_buf_sync(mem->fd, NNRT__DMA_BUF_START_READ);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_RKNPU_DEVICE_H */
