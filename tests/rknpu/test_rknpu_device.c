/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_device.c - the Rockchip device without a model: its library, contexts, memory, codes and .rknn files.

   Contexts and memory are tested against a runtime of this file's own, a table of functions that keeps books: what is
   alive, who is inside which context, and every call that the vendor forbids. Opening is tested against the simulated
   boards of every version, where they are built, and against libraries that are none. */
#include "linked.h"

#include <criterion/criterion.h>

#include <dlfcn.h>
#include <stdio.h>

/* ----------------------------------------------------------------------------- a runtime that keeps books */

enum {
    BOOK_CONTEXTS = 1024, /* more than a test opens: a context lives on for memory that it has seen */
    BOOK_MEMORIES = 4096
};

typedef struct book_memory {
    nnrt_rknn_tensor_mem mem; /* first */
    bool alive;
    bool imported;
    nnrt_rknn_context context; /* 0: made without one */
} book_memory;

static struct book {
    pthread_mutex_t mutex;
    bool context_alive[BOOK_CONTEXTS]; /* [handle] */
    int inside[BOOK_CONTEXTS];
    book_memory *memories[BOOK_MEMORIES];
    int contexts, made, live, orphans; /* orphans: freed with context 0 */
    int mistakes;
    char mistake[128]; /* the first */
    bool refuse_import, refuse_create;
    nnrt_rknn_context last_freed_with;
    int32_t last_fd, last_offset;
    void *last_virtual;
    uint32_t last_size, last_flags;
    int syncs[4];
} book = {PTHREAD_MUTEX_INITIALIZER, {false}, {0}, {NULL}, 0, 0, 0, 0, 0, "", false, false, 0, 0, 0, NULL, 0, 0, {0}};

static void book_blame(const char *what) {
    if (book.mistakes++ == 0) (void)snprintf(book.mistake, sizeof(book.mistake), "%s", what);
}

/* Between these the caller is inside the runtime with that context. */
static void book_begin(nnrt_rknn_context context) {
    pthread_mutex_lock(&book.mutex);
    if (context >= BOOK_CONTEXTS || (context != 0 && !book.context_alive[context])) {
        book_blame("a call with a context that is not alive");
        context = 0;
    }
    if (context != 0 && book.inside[context]++ != 0) book_blame("two threads inside one context");
    pthread_mutex_unlock(&book.mutex);
    (void)sched_yield();
    pthread_mutex_lock(&book.mutex);
}

static void book_end(nnrt_rknn_context context) {
    if (context != 0 && context < BOOK_CONTEXTS) book.inside[context]--;
    pthread_mutex_unlock(&book.mutex);
}

static nnrt_rknn_context book_context(void) {
    nnrt_rknn_context handle;
    pthread_mutex_lock(&book.mutex);
    for (handle = 1; handle < BOOK_CONTEXTS && book.context_alive[handle]; handle++) continue;
    cr_assert_lt(handle, BOOK_CONTEXTS);
    book.context_alive[handle] = true;
    book.inside[handle] = 0;
    book.contexts++;
    pthread_mutex_unlock(&book.mutex);
    return handle;
}

static int book_destroy(nnrt_rknn_context context) {
    size_t i;
    book_begin(context);
    for (i = 0; i < BOOK_MEMORIES; i++)
        if (book.memories[i] != NULL && book.memories[i]->alive && book.memories[i]->context == context)
            book_blame("a context ended before its memory");
    book_end(context);
    pthread_mutex_lock(&book.mutex);
    book.context_alive[context] = false;
    book.contexts--;
    pthread_mutex_unlock(&book.mutex);
    return 0;
}

static nnrt_rknn_tensor_mem *book_new(nnrt_rknn_context context, uint32_t size, int fd, void *address, int32_t offset) {
    book_memory *memory = (book_memory *)calloc(1, sizeof(*memory));
    size_t i;
    cr_assert_not_null(memory);
    memory->alive = true;
    memory->context = context;
    memory->imported = fd >= 0;
    memory->mem.fd = fd;
    memory->mem.offset = offset;
    memory->mem.size = size;
    memory->mem.virt_addr = address;
    if (fd < 0) {
        memory->mem.fd = nnrt__shared_memory_open(size);
        memory->mem.virt_addr = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->mem.fd, 0);
    }
    for (i = 0; i < BOOK_MEMORIES && book.memories[i] != NULL; i++) continue;
    cr_assert_lt(i, BOOK_MEMORIES);
    book.memories[i] = memory;
    book.made++;
    book.live++;
    return &memory->mem;
}

static nnrt_rknn_tensor_mem *book_create2(nnrt_rknn_context context, uint64_t size, uint64_t flags) {
    nnrt_rknn_tensor_mem *mem = NULL;
    book_begin(context);
    if (context == 0 && (flags & NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT) == 0) book_blame("memory without a context");
    book.last_flags = (uint32_t)flags;
    if (!book.refuse_create) mem = book_new(context, (uint32_t)size, -1, NULL, 0);
    book_end(context);
    return mem;
}

static nnrt_rknn_tensor_mem *book_create(nnrt_rknn_context context, uint32_t size) {
    return book_create2(context, size, 0);
}

static nnrt_rknn_tensor_mem *book_from_fd(nnrt_rknn_context context, int32_t fd, void *address, uint32_t size,
                                          int32_t offset) {
    nnrt_rknn_tensor_mem *mem = NULL;
    book_begin(context);
    book.last_fd = fd;
    book.last_virtual = address;
    book.last_size = size;
    book.last_offset = offset;
    if (!book.refuse_import) mem = book_new(context, size, fd, address, offset);
    book_end(context);
    return mem;
}

static int book_free(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem) {
    book_memory *memory = (book_memory *)mem;
    size_t i;
    book_begin(context);
    for (i = 0; i < BOOK_MEMORIES && book.memories[i] != memory; i++) continue;
    if (i == BOOK_MEMORIES) {
        book_blame("memory freed twice");
    } else {
        if (memory->context != 0 && memory->context != context) book_blame("memory freed with another context");
        if (context == 0) book.orphans++;
        if (!memory->imported) {
            (void)munmap(mem->virt_addr, mem->size);
            (void)close(mem->fd);
        }
        book.last_freed_with = context;
        book.memories[i] = NULL;
        book.live--;
        free(memory);
    }
    book_end(context);
    return 0;
}

static int book_sync(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode) {
    (void)mem;
    book_begin(context);
    book.syncs[mode]++;
    book_end(context);
    return 0;
}

static int refused_sync(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_mem_sync_mode mode) {
    (void)context;
    (void)mem;
    (void)mode;
    return -5;
}

/* What no test here calls, so that the table is complete. */
static int none_init(nnrt_rknn_context *context, void *model, uint32_t size, uint32_t flag,
                     nnrt_rknn_init_extend *extend) {
    (void)model;
    (void)size;
    (void)flag;
    (void)extend;
    *context = book_context();
    return 0;
}
static int none_query(nnrt_rknn_context context, nnrt_rknn_query_cmd cmd, void *info, uint32_t size) {
    (void)context;
    (void)cmd;
    (void)info;
    (void)size;
    return -1;
}
static int none_run(nnrt_rknn_context context, nnrt_rknn_run_extend *extend) {
    (void)context;
    (void)extend;
    return -1;
}
static int none_set_io(nnrt_rknn_context context, nnrt_rknn_tensor_mem *mem, nnrt_rknn_tensor_attr *attr) {
    (void)context;
    (void)mem;
    (void)attr;
    return -1;
}

static nnrt__rknpu_device *book_device(uint32_t version) {
    static nnrt__rknpu_device device;
    nnrt__rknn_api *api = &device.library.api;
    api->init = none_init;
    api->destroy = book_destroy;
    api->matmul_destroy = book_destroy;
    api->query = none_query;
    api->run = none_run;
    api->create_mem = book_create;
    api->create_mem_from_fd = book_from_fd;
    api->destroy_mem = book_free;
    api->set_io_mem = none_set_io;
    if (version >= NNRT__RKNN_VERSION(1, 6, 0)) api->mem_sync = book_sync;
    if (version >= NNRT__RKNN_VERSION(2, 0, 0)) api->create_mem2 = book_create2;
    device.library.at_least = version;
    cr_assert(nnrt__mutex_init(&device.mutex));
    return &device;
}

static nnrt__rknpu_context *book_open(nnrt__rknpu_device *device, nnrt__rknpu_context *parent) {
    nnrt__rknpu_context *context = NULL;
    cr_assert_eq(nnrt__rknpu_context_new(device, book_context(), false, parent, &context), OH_NN_SUCCESS);
    return context;
}

static nnrt__rknpu_memory *book_allocate(nnrt__rknpu_device *device, size_t size) {
    nnrt_device_memory memory = {NULL, -1, NULL, 0};
    cr_assert_eq(nnrt__rknpu_allocate(device, size, &memory), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_not_null(memory.data);
    memset(memory.data, 0x5a, size);
    return (nnrt__rknpu_memory *)memory.handle;
}

static size_t open_descriptors(void) {
    size_t count = 0;
    int fd;
    for (fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void book_is_clean(void) {
    cr_assert_eq(book.mistakes, 0, "%s", book.mistake);
    cr_assert_eq(book.live, 0, "%d memories are alive", book.live);
    cr_assert_eq(book.contexts, 0, "%d contexts are alive", book.contexts);
}

static const uint32_t v13 = NNRT__RKNN_VERSION(1, 3, 0), v15 = NNRT__RKNN_VERSION(1, 5, 0),
                      v152 = NNRT__RKNN_VERSION(1, 5, 2), v16 = NNRT__RKNN_VERSION(1, 6, 0),
                      v20 = NNRT__RKNN_VERSION(2, 0, 0), v21 = NNRT__RKNN_VERSION(2, 1, 0);

/* ----------------------------------------------------------------------------------------------- contexts */

Test(rknpu_device, a_context_ends_with_its_last_reference_and_its_parent_after_it) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *parent = book_open(device, NULL), *child = book_open(device, parent);
    nnrt__rknpu_context_retain(child);
    nnrt__rknpu_context_release(parent); /* the child keeps it */
    cr_assert_eq(book.contexts, 2);
    nnrt__rknpu_context_release(child);
    cr_assert_eq(book.contexts, 2);
    nnrt__rknpu_context_release(child);
    nnrt__rknpu_context_release(NULL);
    cr_assert_null(device->contexts);
    book_is_clean();
}

Test(rknpu_device, blocks_and_model_memory_go_after_the_handle) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *context = book_open(device, NULL), *other = book_open(device, NULL);
    context->kept[0] = nnrt__alloc(16); /* AddressSanitizer sees it when it is not freed */
    context->kept[1] = nnrt__alloc(16);
    context->model_memory = book_create2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
    nnrt__rknpu_context_release(context);
    cr_assert_eq(book.last_freed_with, other->handle, "with a context that lives: 2.3.2 leaks without");
    nnrt__rknpu_context_release(other);
    context = book_open(device, NULL);
    context->model_memory = book_create2(0, 64, NNRT_RKNN_MEM_FLAG_ALLOC_NO_CONTEXT);
    nnrt__rknpu_context_release(context);
    cr_assert_eq(book.orphans, 1, "no context lives");
    book_is_clean();
}

typedef struct waiter {
    nnrt__rknpu_context *context;
    int32_t started, answer; /* answer: -1 not yet */
} waiter;

static void *wait_to_enter(void *argument) {
    waiter *w = (waiter *)argument;
    bool entered;
    nnrt__atomic_store(&w->started, 1);
    entered = nnrt__rknpu_enter(w->context);
    if (entered) nnrt__rknpu_leave(w->context);
    nnrt__atomic_store(&w->answer, entered ? 1 : 0);
    return NULL;
}

static void until(int32_t *value, int32_t wanted) {
    int i;
    for (i = 0; i < 5000 && nnrt__atomic_load(value) != wanted; i++) (void)usleep(1000);
    cr_assert_eq(nnrt__atomic_load(value), wanted);
}

Test(rknpu_device, one_thread_is_inside_a_context_and_the_others_wait, .timeout = 30) {
    nnrt__rknpu_context *context = book_open(book_device(v21), NULL);
    waiter w = {context, 0, -1};
    nnrt__thread thread;
    cr_assert(nnrt__rknpu_enter(context));
    cr_assert_not(nnrt__gate_try(&context->gate));
    cr_assert(nnrt__thread_start(&thread, wait_to_enter, &w));
    until(&w.started, 1);
    (void)usleep(20000);
    cr_assert_eq(nnrt__atomic_load(&w.answer), -1);
    nnrt__rknpu_leave(context);
    until(&w.answer, 1);
    nnrt__thread_join(&thread);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

Test(rknpu_device, a_call_that_is_given_up_turns_waiting_threads_away_until_it_leaves, .timeout = 30) {
    nnrt__rknpu_context *context = book_open(book_device(v21), NULL);
    waiter w = {context, 0, -1};
    nnrt__thread thread;
    uint64_t start;
    nnrt__rknpu_give_up(context); /* nobody is inside: nothing happens */
    cr_assert(nnrt__rknpu_enter(context));
    cr_assert(nnrt__thread_start(&thread, wait_to_enter, &w));
    until(&w.started, 1);
    nnrt__rknpu_give_up(context);
    until(&w.answer, 0);
    nnrt__thread_join(&thread);
    cr_assert_not(nnrt__rknpu_enter(context));
    start = nnrt__now_ns();
    cr_assert_not(nnrt__rknpu_enter_until(context, start + 30000000u));
    cr_assert_geq(nnrt__now_ns() - start, 30000000u);
    nnrt__rknpu_leave(context);
    cr_assert_not(nnrt__gate_is_stuck(&context->gate));
    cr_assert(nnrt__rknpu_enter_until(context, nnrt__now_ns()));
    nnrt__rknpu_leave(context);
    cr_assert(nnrt__rknpu_enter(context));
    nnrt__rknpu_leave(context);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

Test(rknpu_device, releasing_a_stuck_context_returns_at_once_and_its_leave_ends_it) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *parent = book_open(device, NULL), *context = book_open(device, parent);
    nnrt__rknpu_memory *memory = book_allocate(device, 100);
    nnrt_rknn_tensor_mem *mem = NULL;
    bool flushed;
    cr_assert_eq(memory->home, context, "the newest");
    nnrt__rknpu_context_release(parent);
    cr_assert(nnrt__rknpu_enter(context));
    cr_assert_eq(nnrt__rknpu_memory_view(memory, context, 50, &mem, &flushed), OH_NN_SUCCESS);
    nnrt__rknpu_give_up(context);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(context);
    cr_assert_eq(book.contexts, 2);
    cr_assert_eq(book.live, 2, "memory of a call under way stays");
    nnrt__rknpu_leave(context);
    cr_assert_null(device->contexts);
    cr_assert_null(device->memories);
    cr_assert_eq(device->dead_memories, 0);
    book_is_clean();
}

/* ------------------------------------------------------------------------------------------------- memory */

Test(rknpu_device, memory_keeps_its_context_alive) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt__rknpu_memory *memory = book_allocate(device, 1000);
    nnrt__rknpu_context_release(context);
    cr_assert_eq(book.contexts, 1);
    memset(memory->data, 1, 1000);
    nnrt__rknpu_memory_retain(memory);
    nnrt__rknpu_memory_release(memory);
    cr_assert_eq(book.live, 1);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_memory_release(NULL);
    book_is_clean();
}

Test(rknpu_device, memory_before_any_context_is_the_runtimes_from_2_1_and_the_systems_before) {
    const uint32_t versions[] = {v13, v20, v21};
    size_t i, before = open_descriptors();
    for (i = 0; i < NNRT__COUNT_OF(versions); i++) {
        nnrt__rknpu_device *device = book_device(versions[i]);
        const bool runtime = versions[i] >= v21;
        nnrt_device_memory memory;
        nnrt__rknpu_memory *handle;
        struct stat status;
        device->library.api.create_mem2 = versions[i] >= v20 ? book_create2 : NULL;
        cr_assert_eq(nnrt__rknpu_allocate(device, 5000, &memory), OH_NN_SUCCESS);
        handle = (nnrt__rknpu_memory *)memory.handle;
        cr_assert_eq(handle->kind, runtime ? NNRT__RKNPU_MEMORY_RUNTIME : NNRT__RKNPU_MEMORY_SYSTEM);
        cr_assert_eq(book.live, runtime ? 1 : 0);
        cr_assert_eq(fstat(memory.fd, &status), 0);
        memset(memory.data, 7, 5000);
        nnrt__rknpu_free_memory(device, &memory);
    }
    cr_assert_eq(book.orphans, 1);
    cr_assert_eq(open_descriptors(), before);
    book_is_clean();
}

Test(rknpu_device, memory_without_a_context_is_freed_with_any_that_lives) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_memory *memory = book_allocate(device, 64), *second = book_allocate(device, 64);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt__rknpu_memory_release(memory);
    cr_assert_eq(book.last_freed_with, context->handle);
    cr_assert(nnrt__rknpu_enter(context));
    nnrt__rknpu_memory_release(second);
    cr_assert_eq(book.live, 1, "the only context is busy: its leave frees");
    nnrt__rknpu_leave(context);
    cr_assert_eq(book.live, 0);
    nnrt__rknpu_context_release(context);
    cr_assert_eq(book.orphans, 0);
    book_is_clean();
}

Test(rknpu_device, memory_is_made_in_a_context_that_works) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *idle = book_open(device, NULL), *busy = book_open(device, NULL);
    nnrt__rknpu_memory *memory;
    cr_assert(nnrt__rknpu_enter(busy));
    memory = book_allocate(device, 10);
    cr_assert_eq(memory->home, idle);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(idle);
    nnrt__rknpu_give_up(busy);
    memory = book_allocate(device, 10);
    cr_assert_null(memory->home, "the only context is stuck");
    nnrt__rknpu_memory_release(memory);
    cr_assert_eq(nnrt__rknpu_memory_new(busy, 10, 0, &memory), OH_NN_UNAVAILABLE_DEVICE);
    nnrt__rknpu_leave(busy);
    nnrt__rknpu_context_release(busy);
    book_is_clean();
}

Test(rknpu_device, memory_of_the_backend_asks_for_its_kind_where_the_runtime_knows_kinds) {
    nnrt__rknpu_device *device = book_device(v20);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt__rknpu_memory *memory = NULL;
    cr_assert_eq(nnrt__rknpu_memory_new(context, 4096, NNRT_RKNN_MEMORY_NON_CACHEABLE, &memory), OH_NN_SUCCESS);
    cr_assert_eq(book.last_flags, NNRT_RKNN_MEMORY_NON_CACHEABLE);
    nnrt__rknpu_memory_release(memory);
    device->library.api.create_mem2 = NULL;
    cr_assert_eq(nnrt__rknpu_memory_new(context, 4096, NNRT_RKNN_MEMORY_NON_CACHEABLE, &memory), OH_NN_SUCCESS);
    cr_assert_eq(book.last_flags, 0);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

Test(rknpu_device, no_memory_is_a_code_and_a_sentence_about_cma) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt_device_memory memory;
    nnrt__rknpu_context *context = book_open(device, NULL);
    book.refuse_create = true;
    cr_assert_eq(nnrt__rknpu_allocate(device, 1 << 20, &memory), OH_NN_MEMORY_ERROR);
    cr_assert_not_null(strstr(nnrt_last_error(), "CMA"), "%s", nnrt_last_error());
    cr_assert_not_null(strstr(nnrt_last_error(), "1048576"), "%s", nnrt_last_error());
    book.refuse_create = false;
    cr_assert_eq(nnrt__rknpu_allocate(device, 0, &memory), OH_NN_MEMORY_ERROR);
    if (sizeof(size_t) > 4) cr_assert_eq(nnrt__rknpu_allocate(device, SIZE_MAX / 4, &memory), OH_NN_MEMORY_ERROR);
    nnrt__rknpu_context_release(context);
    cr_assert_null(device->memories);
    book_is_clean();
}

Test(rknpu_device, every_memory_has_a_serial_of_its_own) {
    nnrt__rknpu_device *device = book_device(v21);
    uint64_t last = 0;
    int i;
    for (i = 0; i < 20; i++) {
        nnrt__rknpu_memory *memory = book_allocate(device, 16);
        cr_assert_gt(memory->serial, last);
        last = memory->serial;
        nnrt__rknpu_memory_release(memory);
    }
    book_is_clean();
}

/* -------------------------------------------------------------------------------------------------- views */

Test(rknpu_device, a_context_knows_its_own_memory_and_imports_the_rest_once) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *first = book_open(device, NULL), *second = book_open(device, NULL);
    nnrt__rknpu_memory *memory = book_allocate(device, 300);
    nnrt_rknn_tensor_mem *mem = NULL, *again = NULL, *smaller = NULL;
    bool flushed = false;
    cr_assert_eq(memory->home, second);
    cr_assert(nnrt__rknpu_enter(second));
    cr_assert_eq(nnrt__rknpu_memory_view(memory, second, 300, &mem, &flushed), OH_NN_SUCCESS);
    cr_assert_eq(mem, memory->mem);
    cr_assert(flushed);
    cr_assert_eq(nnrt__rknpu_memory_view(memory, second, 200, &smaller, &flushed), OH_NN_SUCCESS);
    cr_assert_not(flushed);
    cr_assert_eq(smaller->size, 200);
    nnrt__rknpu_leave(second);
    cr_assert(nnrt__rknpu_enter(first));
    cr_assert_eq(nnrt__rknpu_memory_view(memory, first, 300, &mem, &flushed), OH_NN_SUCCESS);
    cr_assert_neq(mem, memory->mem);
    cr_assert_not(flushed);
    cr_assert_eq(book.last_fd, memory->mem->fd);
    cr_assert_eq(book.last_virtual, memory->mem->virt_addr);
    cr_assert_eq(nnrt__rknpu_memory_view(memory, first, 300, &again, &flushed), OH_NN_SUCCESS);
    cr_assert_eq(again, mem);
    cr_assert_eq(book.made, 3);
    cr_assert_eq(nnrt__rknpu_memory_view(memory, first, 301, &again, &flushed), OH_NN_UNSUPPORTED);
    cr_assert_eq(nnrt__rknpu_memory_view(memory, first, 0, &again, &flushed), OH_NN_UNSUPPORTED);
    nnrt__rknpu_leave(first);
    nnrt__rknpu_context_release(first); /* with its view: the memory lives on */
    cr_assert_eq(book.live, 2);
    nnrt__rknpu_context_release(second);
    nnrt__rknpu_memory_release(memory);
    book_is_clean();
}

Test(rknpu_device, a_view_that_a_call_under_way_may_use_goes_when_the_call_comes_back) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *user = book_open(device, NULL), *home = book_open(device, NULL);
    nnrt__rknpu_memory *memory = book_allocate(device, 300);
    nnrt_rknn_tensor_mem *mem = NULL;
    bool flushed;
    cr_assert_eq(memory->home, home);
    cr_assert(nnrt__rknpu_enter(user));
    cr_assert_eq(nnrt__rknpu_memory_view(memory, user, 300, &mem, &flushed), OH_NN_SUCCESS);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(home);
    cr_assert_eq(book.live, 2);
    cr_assert_eq(book.contexts, 2);
    nnrt__rknpu_leave(user);
    cr_assert_eq(book.live, 0);
    cr_assert_eq(book.contexts, 1);
    nnrt__rknpu_context_release(user);
    book_is_clean();
}

Test(rknpu_device, a_refused_import_is_not_asked_for_again) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt_device_memory memory;
    nnrt_rknn_tensor_mem *mem = NULL;
    int fd = nnrt__shared_memory_open(4096);
    bool flushed;
    cr_assert_eq(nnrt__rknpu_import(device, fd, 4096, 0, &memory), OH_NN_SUCCESS);
    cr_assert(nnrt__rknpu_enter(context));
    book.refuse_import = true;
    cr_assert_eq(nnrt__rknpu_memory_view((nnrt__rknpu_memory *)memory.handle, context, 4096, &mem, &flushed),
                 OH_NN_UNSUPPORTED);
    book.refuse_import = false;
    cr_assert_eq(nnrt__rknpu_memory_view((nnrt__rknpu_memory *)memory.handle, context, 4096, &mem, &flushed),
                 OH_NN_UNSUPPORTED);
    cr_assert_eq(book.made, 0);
    nnrt__rknpu_leave(context);
    nnrt__rknpu_free_memory(device, &memory);
    nnrt__rknpu_context_release(context);
    (void)close(fd);
    book_is_clean();
}

Test(rknpu_device, a_descriptor_is_imported_at_any_offset_without_a_copy) {
    const size_t offsets[] = {0, 1, 64, 4095, 4096, 4100, 8191};
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *context = book_open(device, NULL);
    size_t i, before;
    int fd = nnrt__shared_memory_open(8192);
    uint8_t *whole = (uint8_t *)mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    cr_assert_neq((void *)whole, MAP_FAILED);
    before = open_descriptors();
    for (i = 0; i < NNRT__COUNT_OF(offsets); i++) {
        const size_t size = 8192 - offsets[i];
        nnrt_device_memory memory;
        nnrt_rknn_tensor_mem *mem = NULL;
        bool flushed = true;
        cr_assert_eq(nnrt__rknpu_import(device, fd, 8192, offsets[i], &memory), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_eq(memory.fd, -1);
        whole[offsets[i]] = (uint8_t)(i + 1);
        cr_assert_eq(*(uint8_t *)memory.data, i + 1);
        cr_assert(nnrt__rknpu_enter(context));
        cr_assert_eq(nnrt__rknpu_memory_view((nnrt__rknpu_memory *)memory.handle, context, size, &mem, &flushed),
                     OH_NN_SUCCESS);
        nnrt__rknpu_leave(context);
        cr_assert_not(flushed);
        cr_assert_eq(book.last_size, size);
        cr_assert_eq((size_t)book.last_offset, offsets[i]);
        cr_assert_eq((uint8_t *)book.last_virtual + book.last_offset, (uint8_t *)memory.data);
        nnrt__rknpu_free_memory(device, &memory);
        cr_assert_eq(open_descriptors(), before);
    }
    (void)munmap(whole, 8192);
    (void)close(fd);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

Test(rknpu_device, a_descriptor_that_cannot_be_mapped_is_refused) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt_device_memory memory;
    int fd = open("/dev/null", O_RDONLY);
    size_t before = open_descriptors();
    cr_assert_eq(nnrt__rknpu_import(device, fd, 4096, 0, &memory), OH_NN_INVALID_PARAMETER);
    (void)close(fd);
    cr_assert_eq(nnrt__rknpu_import(device, fd, 4096, 0, &memory), OH_NN_INVALID_PARAMETER);
    cr_assert_eq(open_descriptors(), before - 1);
    cr_assert_null(device->memories);
}

Test(rknpu_device, memory_of_the_system_is_no_view) {
    nnrt__rknpu_device *device = book_device(v13);
    nnrt__rknpu_memory *memory = book_allocate(device, 64);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt_rknn_tensor_mem *mem = NULL;
    bool flushed;
    cr_assert(nnrt__rknpu_enter(context));
    cr_assert_eq(nnrt__rknpu_memory_view(memory, context, 64, &mem, &flushed), OH_NN_UNSUPPORTED);
    nnrt__rknpu_leave(context);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

Test(rknpu_device, synchronisation_is_one_call_or_the_dma_buf_way_of_old_runtimes) {
    nnrt__rknpu_device *device = book_device(v16);
    nnrt__rknpu_context *context = book_open(device, NULL);
    nnrt__rknpu_memory *memory = book_allocate(device, 64);
    cr_assert(nnrt__rknpu_enter(context));
    cr_assert_eq(nnrt__rknpu_sync(context, memory->mem, NNRT_RKNN_SYNC_TO_DEVICE), OH_NN_SUCCESS);
    cr_assert_eq(nnrt__rknpu_sync(context, memory->mem, NNRT_RKNN_SYNC_FROM_DEVICE), OH_NN_SUCCESS);
    cr_assert_eq(book.syncs[NNRT_RKNN_SYNC_TO_DEVICE], 1);
    cr_assert_eq(book.syncs[NNRT_RKNN_SYNC_FROM_DEVICE], 1);
    device->library.api.mem_sync = refused_sync;
    cr_assert_eq(nnrt__rknpu_sync(context, memory->mem, NNRT_RKNN_SYNC_TO_DEVICE), OH_NN_INVALID_PARAMETER);
    device->library.api.mem_sync = NULL; /* this memory is no dma-buf: nothing to do, and no error */
    cr_assert_eq(nnrt__rknpu_sync(context, memory->mem, NNRT_RKNN_SYNC_BIDIRECTIONAL), OH_NN_SUCCESS);
    nnrt__rknpu_leave(context);
    nnrt__rknpu_memory_release(memory);
    nnrt__rknpu_context_release(context);
    book_is_clean();
}

/* -------------------------------------------------------------------------------------------- all at once */

enum {
    CROWD = 4,
    ROUNDS = 150
};

typedef struct crowd {
    nnrt__rknpu_device *device;
    nnrt__rknpu_context *shared;
    uint32_t seed;
} crowd;

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void *live_in_the_crowd(void *argument) {
    crowd *c = (crowd *)argument;
    nnrt__rknpu_memory *kept[4] = {NULL, NULL, NULL, NULL};
    int round;
    size_t i;
    for (round = 0; round < ROUNDS; round++) {
        nnrt__rknpu_context *own = book_open(c->device, round % 3 == 0 ? c->shared : NULL);
        nnrt__rknpu_context *user = next_random(&c->seed) % 2 != 0 ? own : c->shared;
        i = next_random(&c->seed) % NNRT__COUNT_OF(kept);
        nnrt__rknpu_memory_release(kept[i]);
        kept[i] = book_allocate(c->device, 1 + next_random(&c->seed) % 200);
        if (nnrt__rknpu_enter(user)) {
            for (i = 0; i < NNRT__COUNT_OF(kept); i++) {
                nnrt_rknn_tensor_mem *mem = NULL;
                bool flushed;
                if (kept[i] == NULL) continue;
                cr_assert_eq(nnrt__rknpu_memory_view(kept[i], user, kept[i]->size, &mem, &flushed), OH_NN_SUCCESS);
                cr_assert_eq(nnrt__rknpu_sync(user, mem, NNRT_RKNN_SYNC_TO_DEVICE), OH_NN_SUCCESS);
            }
            if (next_random(&c->seed) % 8 == 0) nnrt__rknpu_give_up(user);
            i = next_random(&c->seed) % NNRT__COUNT_OF(kept);
            nnrt__rknpu_memory_release(kept[i]);
            kept[i] = NULL;
            nnrt__rknpu_leave(user);
        }
        nnrt__rknpu_context_release(own);
    }
    for (i = 0; i < NNRT__COUNT_OF(kept); i++) nnrt__rknpu_memory_release(kept[i]);
    return NULL;
}

Test(rknpu_device, threads_make_use_and_free_contexts_and_memory_at_once, .timeout = 120) {
    nnrt__rknpu_device *device = book_device(v21);
    nnrt__rknpu_context *shared = book_open(device, NULL);
    nnrt__thread threads[CROWD];
    crowd crowds[CROWD];
    uint32_t i;
    for (i = 0; i < CROWD; i++) {
        crowds[i].device = device;
        crowds[i].shared = shared;
        crowds[i].seed = 20 + i;
        cr_assert(nnrt__thread_start(&threads[i], live_in_the_crowd, &crowds[i]));
    }
    for (i = 0; i < CROWD; i++) nnrt__thread_join(&threads[i]);
    nnrt__rknpu_context_release(shared);
    cr_assert_null(device->contexts);
    cr_assert_null(device->memories);
    cr_assert_eq(device->dead_memories, 0);
    book_is_clean();
}

/* -------------------------------------------------------------------------------------------- the library */

static int some_int(void) { return 0; }

/* A library of that version, as section 1 of the vendor's symbol tables has it: everything that it exports. */
static void fill(nnrt__rknn_api *api, nnrt__rknn_probe *probe, uint32_t version, bool mini) {
    int (*here)(void) = some_int;
    char *slots = (char *)api;
    size_t i;
    memset(api, 0, sizeof(*api));
    memset(probe, 0, sizeof(*probe));
    for (i = 0; i < sizeof(*api) / sizeof(here); i++) memcpy(slots + i * sizeof(here), &here, sizeof(here));
    if (mini) {
        nnrt__rknpu_library_forget_matmul(api);
        api->set_core_mask = NULL;
        api->set_batch_core_num = NULL;
        api->register_custom_ops = NULL;
        api->custom_op_get_op_attr = NULL;
    }
    probe->set_input_shape = version >= v15;
    if (version < v152) api->set_input_shapes = NULL;
    if (version < v16) {
        api->mem_sync = NULL;
        api->register_custom_ops = NULL;
        api->custom_op_get_op_attr = NULL;
    }
    if (version < v20) {
        api->create_mem2 = NULL;
        api->matmul_set_quant_params = NULL;
        api->matmul_get_quant_params = NULL;
        api->matmul_set_dynamic_shape = NULL;
        api->b_to_native = NULL;
    }
    if (version < v21) api->matmul_create_dynamic_shape = NULL;
    if (version == v20 && !mini) memcpy(&probe->matmul_create_dyn_shape, &here, sizeof(here));
}

Test(rknpu_library, the_symbols_prove_version_and_kind) {
    const uint32_t versions[] = {v13, v15, v152, v16, v20, v21};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(versions); i++) {
        const uint32_t newer = i + 1 < NNRT__COUNT_OF(versions) ? versions[i + 1] : 0;
        nnrt__rknpu_library library;
        nnrt__rknn_probe probe;
        memset(&library, 0, sizeof(library));
        fill(&library.api, &probe, versions[i], false);
        nnrt__rknpu_library_judge(&library, &probe);
        cr_assert_not(library.mini);
        cr_assert_eq(library.at_least, versions[i]);
        cr_assert_eq(library.below, newer);
        cr_assert_eq(library.api.matmul_create != NULL, versions[i] >= v15);
        cr_assert_eq(library.api.matmul_run != NULL, versions[i] >= v15);
        cr_assert_eq(library.api.b_to_native != NULL, versions[i] >= v21);
        cr_assert_eq(library.api.matmul_create_dynamic_shape != NULL, versions[i] >= v20);
        cr_assert_not_null(library.api.inputs_set);
        cr_assert_not_null(library.api.dup_context);

        fill(&library.api, &probe, versions[i], true);
        nnrt__rknpu_library_judge(&library, &probe);
        cr_assert(library.mini);
        cr_assert_eq(library.at_least, versions[i] > v20 ? v20 : versions[i]);
        cr_assert_eq(library.below, versions[i] >= v20 ? 0 : newer, "a mini runtime of 2.0 or later tells no more");
        cr_assert_null(library.api.inputs_set, "exported, but without effect");
        cr_assert_null(library.api.outputs_get);
        cr_assert_null(library.api.outputs_release);
        cr_assert_null(library.api.dup_context);
        cr_assert_null(library.api.set_input_shapes);
        cr_assert_null(library.api.matmul_create);
        cr_assert_null(library.api.matmul_create_dynamic_shape);
        cr_assert_null(library.api.b_to_native);
        cr_assert_eq(library.api.mem_sync != NULL, versions[i] >= v16);
        cr_assert_null(nnrt__rknpu_library_missing(&library.api));
    }
}

Test(rknpu_library, a_matmul_without_one_of_its_functions_is_none) {
    size_t k;
    for (k = 0; k < 4; k++) {
        nnrt__rknpu_library library;
        nnrt__rknn_probe probe;
        memset(&library, 0, sizeof(library));
        fill(&library.api, &probe, v21, false);
        if (k == 0) library.api.matmul_create = NULL;
        if (k == 1) library.api.matmul_set_io_mem = NULL;
        if (k == 2) library.api.matmul_run = NULL;
        if (k == 3) library.api.matmul_destroy = NULL;
        nnrt__rknpu_library_judge(&library, &probe);
        cr_assert(library.api.matmul_create == NULL && library.api.matmul_run == NULL);
        cr_assert_null(library.api.b_to_native);
    }
}

Test(rknpu_library, a_function_that_everything_needs_is_named_when_it_is_missing) {
    static const char *const names[] = {"rknn_init",        "rknn_destroy",    "rknn_query",
                                        "rknn_run",         "rknn_create_mem", "rknn_create_mem_from_fd",
                                        "rknn_destroy_mem", "rknn_set_io_mem"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        nnrt__rknpu_library library;
        nnrt__rknn_probe probe;
        memset(&library, 0, sizeof(library));
        nnrt__format(library.name, sizeof(library.name), "some.so");
        fill(&library.api, &probe, v21, false);
        if (i == 0) library.api.init = NULL;
        if (i == 1) library.api.destroy = NULL;
        if (i == 2) library.api.query = NULL;
        if (i == 3) library.api.run = NULL;
        if (i == 4) library.api.create_mem = NULL;
        if (i == 5) library.api.create_mem_from_fd = NULL;
        if (i == 6) library.api.destroy_mem = NULL;
        if (i == 7) library.api.set_io_mem = NULL;
        cr_assert_str_eq(nnrt__rknpu_library_missing(&library.api), names[i]);
        cr_assert_eq(nnrt__rknpu_library_finish(&library, &probe, "/dev/null", NULL), OH_NN_UNAVAILABLE_DEVICE);
        cr_assert_not_null(strstr(nnrt_last_error(), names[i]), "%s", nnrt_last_error());
        cr_assert_not_null(strstr(nnrt_last_error(), "some.so"), "%s", nnrt_last_error());
    }
}

#define TREE(text) text, sizeof(text)

Test(rknpu_library, the_chip_is_the_last_that_the_device_tree_names) {
    static const struct {
        const char *compatible;
        size_t size;
        const char *chip;
    } cases[] = {{TREE("rockchip,rk3588-evb1-lp4-v10\0rockchip,rk3588"), "rk3588"},
                 {TREE("radxa,rock-5a\0rockchip,rk3588s"), "rk3588s"},
                 {TREE("rockchip,rk3588s\0vendor,more"), "rk3588s"},
                 {TREE("luckfox,pico\0rockchip,rv1103"), "rv1103"},
                 {TREE("rockchip,rv1106g-38x38-ipc-v10\0rockchip,rv1106"), "rv1106"},
                 {"rockchip,rk3566", sizeof("rockchip,rk3566") - 1, "rk3566"}, /* cut off before its zero */
                 {TREE("rockchip,"), ""},
                 {TREE("brcm,bcm2711\0raspberrypi,4-model-b"), ""},
                 {"", 0, ""},
                 {TREE("\0\0\0"), ""},
                 {TREE("rockchip,abcdefghijklmnopqrstuvwxyz0123456789"), "abcdefghijklmnopqrstuvwxyz01234"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        char *exact = (char *)malloc(cases[i].size != 0 ? cases[i].size : 1);
        char chip[32];
        memcpy(exact, cases[i].compatible, cases[i].size);
        nnrt__board_chip_of(exact, cases[i].size, "rockchip,", chip, sizeof(chip));
        cr_assert_str_eq(chip, cases[i].chip);
        free(exact);
    }
}

static char logged[1024];
static void remember(void *user, nnrt_log_level level, const char *line) {
    (void)user;
    if (level != NNRT_LOG_INFO && strstr(line, "device rknpu_") != NULL)
        (void)snprintf(logged, sizeof(logged), "%s", line); /* the others say why they are not listed, too */
}

/* Is the NPU listed? In any case the program has a device: the CPU is there. */
static bool npu_is_listed(void) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    bool npu = false, cpu = false;
    nnrt_set_log(remember, NULL);
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        cr_assert_eq(OH_NNDevice_GetName(ids[i], &name), OH_NN_SUCCESS);
        npu = npu || strcmp(name, "rknpu_rockchip_" NNRT_VERSION) == 0;
        cpu = cpu || strncmp(name, "cpu_", 4) == 0;
    }
    cr_assert(cpu, "the CPU is always there");
    return npu;
}

Test(rknpu_library, without_any_runtime_the_program_goes_on_and_hears_why) {
    void *there = dlopen("librknnrt.so", RTLD_NOW);
    if (there != NULL) cr_skip_test("skipped, this machine has a runtime");
    (void)unsetenv("NNRT_RKNPU_LIBRARY");
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "librknnrt.so"), "%s", logged);
    cr_assert_not_null(strstr(logged, "LD_LIBRARY_PATH"), "%s", logged);
}

Test(rknpu_library, a_library_that_is_named_and_missing_is_told) {
    (void)setenv("NNRT_RKNPU_LIBRARY", "/nowhere/librknnrt.so", 1);
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "/nowhere/librknnrt.so"), "%s", logged);
}

Test(rknpu_library, a_name_that_is_too_long_is_told) {
    char name[400];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    (void)setenv("NNRT_RKNPU_LIBRARY", name, 1);
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "too long"), "%s", logged);
}

Test(rknpu_library, a_library_that_is_no_runtime_is_told) {
    (void)setenv("NNRT_RKNPU_LIBRARY", "libm.so.6", 1);
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "rknn_init"), "%s", logged);
}

Test(rknpu_library, only_the_absence_of_the_library_itself_is_no_news) {
    cr_assert(nnrt__library_is_absence("a.so cannot be loaded: a.so: cannot open shared object file: No such file or "
                                       "directory",
                                       "a.so"));
    cr_assert(nnrt__library_is_absence("a.so cannot be loaded: Error loading shared library a.so: No such file or "
                                       "directory",
                                       "a.so"));
    cr_assert(nnrt__library_is_absence("a.so cannot be loaded: File not found", "a.so"));
    cr_assert_not(nnrt__library_is_absence("a.so cannot be loaded: libc.so.0: cannot open shared object file: No such "
                                           "file or directory (it is for programs built with uClibc)",
                                           "a.so"));
    cr_assert_not(
        nnrt__library_is_absence("a.so cannot be loaded: /usr/lib/a.so: wrong ELF class: ELFCLASS64", "a.so"));
}

/* --------------------------------------------------------------------------------------- simulated boards */

/* false: not built. */
static bool simulated(const char *version, const char *library, const char *chip) {
    const char *folder = getenv("NNRT_SIM_DIR");
    char path[512];
    (void)snprintf(path, sizeof(path), "%s/%s%s%s", folder != NULL ? folder : "build/sim", version,
                   version[0] != '\0' ? "/" : "", library);
    (void)setenv("NNRT_RKNPU_LIBRARY", path, 1);
    (void)setenv("NNRT_SIM_CHIP", chip, 1);
    (void)setenv("NNRT_SIM_REPORT", "0", 1);
    if (access(path, F_OK) == 0) return true;
    fprintf(stderr, "skipped, no simulated board %s\n", path);
    return false;
}

Test(rknpu_library, every_version_of_the_simulated_runtimes_is_recognised) {
    static const struct {
        const char *version, *library, *chip;
        uint32_t at_least, below;
    } cases[] = {{"1.4.0", "librknnrt.so", "rk3588", 0x010300, 0x010500},
                 {"1.5.2", "librknnrt.so", "rk3566", 0x010502, 0x010600},
                 {"1.6.0", "librknnrt.so", "rk3562", 0x010600, 0x020000},
                 {"2.0.0", "librknnrt.so", "rk3568", 0x020000, 0x020100},
                 {"2.1.0", "librknnrt.so", "rk3576", 0x020100, 0},
                 {"", "librknnrt.so", "rk3588", 0x020100, 0},
                 {"1.6.0", "librknnmrt.so", "rv1103", 0x010600, 0x020000},
                 {"2.0.0", "librknnmrt.so", "rv1106", 0x020000, 0},
                 {"", "librknnmrt.so", "rv1106", 0x020000, 0}};
    unsigned tried = 0;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        nnrt__rknpu_library library;
        if (!simulated(cases[i].version, cases[i].library, cases[i].chip)) continue;
        tried++;
        cr_assert_eq(nnrt__rknpu_library_open(&library), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_eq(library.at_least, cases[i].at_least, "%s %s: %x", cases[i].version, cases[i].library,
                     (unsigned)library.at_least);
        cr_assert_eq(library.below, cases[i].below);
        cr_assert_eq(library.mini, strcmp(cases[i].library, "librknnmrt.so") == 0);
    }
    if (tried == 0) cr_skip_test("see above");
}

Test(rknpu_library, a_board_is_listed) {
    if (!simulated("", "librknnrt.so", "rk3588")) cr_skip_test("see above");
    cr_assert(npu_is_listed(), "%s", logged);
}

Test(rknpu_library, a_board_without_a_device_node_is_not_listed) {
    (void)setenv("NNRT_SIM_DEVICE", "0", 1);
    if (!simulated("", "librknnrt.so", "rk3588")) cr_skip_test("see above");
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "/dev/rknpu"), "%s", logged);
}

Test(rknpu_library, the_runtime_of_another_chip_is_not_listed) {
    if (!simulated("", "librknnrt.so", "rv1106")) cr_skip_test("see above");
    cr_assert_not(npu_is_listed());
    cr_assert_not_null(strstr(logged, "librknnmrt"), "%s", logged);
}

/* -------------------------------------------------------------------------------------------------- codes */

Test(rknpu_errors, every_code_of_the_vendor_is_a_code_and_a_whole_sentence) {
    static const OH_NN_ReturnCode codes[15] = {OH_NN_FAILED,
                                               OH_NN_FAILED,
                                               OH_NN_TIMEOUT,
                                               OH_NN_CONNECTION_EXCEPTION,
                                               OH_NN_MEMORY_ERROR,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_INVALID_FILE,
                                               OH_NN_FAILED,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_INVALID_PARAMETER,
                                               OH_NN_UNSUPPORTED,
                                               OH_NN_INVALID_FILE,
                                               OH_NN_INVALID_FILE,
                                               OH_NN_INVALID_FILE,
                                               OH_NN_FAILED};
    const int unknown[] = {1, 7, -15, -100, INT32_MAX, INT32_MIN};
    char tail[32];
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(codes); i++) {
        cr_assert_eq(nnrt__rknpu_fail(-(int)i, "rknn_set_internal_mem of model"), codes[i], "code -%zu", i);
        (void)snprintf(tail, sizeof(tail), "(rknn code %d)", -(int)i);
        cr_assert_eq(strncmp(nnrt_last_error(), "rknn_set_internal_mem of model: ", 32), 0);
        cr_assert_not_null(strstr(nnrt_last_error(), tail), "cut: %s", nnrt_last_error());
    }
    for (i = 0; i < NNRT__COUNT_OF(codes); i++) {
        (void)nnrt__rknpu_fail(-(int)i,
                               "a call of the runtime's with a name that is longer than there is room for here");
        (void)snprintf(tail, sizeof(tail), "(rknn code %d)", -(int)i);
        cr_assert_str_eq(nnrt_last_error() + strlen(nnrt_last_error()) - strlen(tail), tail);
        cr_assert_null(strstr(nnrt_last_error(), " ... "), "%s", nnrt_last_error());
    }
    for (i = 0; i < NNRT__COUNT_OF(unknown); i++) {
        cr_assert_eq(nnrt__rknpu_fail(unknown[i], "rknn_run"), OH_NN_FAILED);
        (void)snprintf(tail, sizeof(tail), "(rknn code %d)", unknown[i]);
        cr_assert_not_null(strstr(nnrt_last_error(), tail), "%s", nnrt_last_error());
    }
}

/* -1 of rknn_run is one code for three causes. */
Test(rknpu_errors, a_failing_run_has_a_sentence_for_each_cause_that_can_be_told_apart) {
    static const struct {
        bool mini;
        const char *custom;
        int vendor_code;
        uint32_t tries;
        const char *begin, *part;
    } cases[] = {{false, "cstScale", -1, 1, "rknn_run: ", "custom operator cstScale, which the program has to give"},
                 {true, "", -1, 1, "rknn_run: ", "While the ISP streams from a camera"},
                 {true, "", -1, 4, "rknn_run, 4 times: ", "While the ISP streams from a camera"},
                 {false, "", -1, 1, "rknn_run: ", "another context of the program holds the core"},
                 {false, "cstScale", -2, 2, "rknn_run, 2 times: ", "did not finish in the driver's time"},
                 {true, "", -5, 1, "rknn_run: ", "refused an argument"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        nnrt__rknpu_library library;
        memset(&library, 0, sizeof(library));
        library.mini = cases[i].mini;
        (void)nnrt__rknpu_fail_run(&library, cases[i].custom, cases[i].vendor_code, cases[i].tries);
        cr_expect_eq(strncmp(nnrt_last_error(), cases[i].begin, strlen(cases[i].begin)), 0, "%s", nnrt_last_error());
        cr_expect_not_null(strstr(nnrt_last_error(), cases[i].part), "case %zu: %s", i, nnrt_last_error());
        cr_expect_not_null(strstr(nnrt_last_error(), "(rknn code -"));
        cr_expect_null(strstr(nnrt_last_error(), " ... "), "cut: %s", nnrt_last_error());
    }
}

/* What rknn_init answers for a library whose device node is at path. */
static OH_NN_ReturnCode init_failed(const char *path, const char *missing, int vendor_code) {
    nnrt__rknpu_library library;
    memset(&library, 0, sizeof(library));
    nnrt__format(library.node, sizeof(library.node), "%s", path);
    return nnrt__rknpu_fail_init(&library, missing, vendor_code);
}

Test(rknpu_errors, a_failing_init_tells_the_node_first_and_then_its_own_reasons) {
    static const struct {
        const char *node, *missing;
        int vendor_code;
        OH_NN_ReturnCode code;
        const char *part;
    } cases[] = {
        {"/dev/null", "", -1, OH_NN_FAILED, "\"E RKNN\" line on the console (rknn code -1)"},
        {"/dev/null", "MatMul:/attn/MatMul_1", -1, OH_NN_FAILED, "the model leaves MatMul:/attn/MatMul_1 to the CPU"},
        {"/dev/null", "MatMul:/attn/MatMul_1", -6, OH_NN_INVALID_FILE, "for another chip than this one"},
        {"/dev/null", "", -3, OH_NN_CONNECTION_EXCEPTION, "driver is loaded"},
        {"/dev/null", "", -100, OH_NN_FAILED, "(rknn code -100)"},
        {"/nonexistent", "", -1, OH_NN_UNAVAILABLE_DEVICE, "/nonexistent cannot be opened: it is not there"},
        {"/", "", -1, OH_NN_UNAVAILABLE_DEVICE, "/ cannot be opened: the NPU's driver refuses"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        cr_assert_eq(init_failed(cases[i].node, cases[i].missing, cases[i].vendor_code), cases[i].code, "case %zu", i);
        cr_assert_not_null(strstr(nnrt_last_error(), cases[i].part), "case %zu: %s", i, nnrt_last_error());
    }
    cr_assert_eq(nnrt__rknpu_fail_closed("/dev/rknpu", EACCES, -1), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_str_eq(nnrt_last_error(), "rknn_init: /dev/rknpu cannot be opened: this user has no right to; run as "
                                        "root, or give the user's group the node by a udev rule (rknn code -1)");
}

Test(rknpu_library, versions_that_were_seen_synchronise_imports_and_others_are_not_trusted) {
    static const struct {
        bool mini;
        uint32_t version;
        bool syncs;
    } cases[] = {{true, NNRT__RKNN_VERSION(1, 5, 2), false},
                 {true, NNRT__RKNN_VERSION(1, 6, 0), true},
                 {true, NNRT__RKNN_VERSION(2, 3, 2), true},
                 {true, NNRT__RKNN_VERSION(2, 3, 3), false},
                 {true, 0, false},
                 {false, NNRT__RKNN_VERSION(1, 3, 0), false},
                 {false, NNRT__RKNN_VERSION(1, 4, 0), true},
                 {false, NNRT__RKNN_VERSION(1, 6, 0), true},
                 {false, NNRT__RKNN_VERSION(2, 0, 0), false},
                 {false, 0, false}};
    nnrt__rknpu_library library;
    size_t i;
    memset(&library, 0, sizeof(library));
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        library.mini = cases[i].mini;
        cr_assert_eq(nnrt__rknpu_syncs_imports(&library, cases[i].version), cases[i].syncs, "case %zu", i);
    }
}

/* -------------------------------------------------------------------------------------------- .rknn files */

/* A file of exactly *size bytes; the caller frees it. */
static uint8_t *rknn_file(uint64_t version, size_t body, const char *json, size_t *size) {
    const size_t header = version == 1 ? 24 : 64, length = strlen(json);
    uint8_t *file;
    size_t i;
    *size = header + body + 8 + length;
    file = (uint8_t *)calloc(1, *size);
    cr_assert_not_null(file);
    memcpy(file, "RKNN", 4);
    for (i = 0; i < 8; i++) {
        file[8 + i] = (uint8_t)(version >> (8 * i));
        file[16 + i] = (uint8_t)((uint64_t)body >> (8 * i));
        file[header + body + i] = (uint8_t)((uint64_t)length >> (8 * i));
    }
    memset(file + header, 0xab, body);
    memcpy(file + header + body + 8, json, length);
    return file;
}

Test(rknn_file, it_tells_the_chip_and_the_toolkit) {
    static const struct {
        uint64_t version;
        const char *json, *platform, *toolkit, *runtime;
    } cases[] = {
        {1, "{\"target_platform\":[\"rk3588\"],\"version\":\"1.4.0-22dcfef4\"}", "rk3588", "1.4.0-22dcfef4", ""},
        {4, "{\"target_platform\": \"rk3566\"}", "rk3566", "", "1.5.0"},
        {0x1004, "{ \"version\" : \"2.3.2 (compiler 2.3.2)\" ,\n\t\"target_platform\" : [ \"rv1106\", \"rv1103\" ]}",
         "rv1106", "2.3.2", "1.6.0"},
        {0x1002, "{\"target_platform\":[\"rv1103\"]}", "rv1103", "", ""},
        {0x1005, "{\"target_platform\":[\"rv1106\"]}", "rv1106", "", "1.6.0"},
        {6, "{\"graph\":[{\"version\":\"x\",\"target_platform\":\"y\"}],\"target_platform\":[\"rk3576\"]}", "rk3576",
         "", "1.5.2"},
        {6, "{\"name\":\"a \\\" \\\\\",\"version\":\"2.0\",\"brackets\":\"]}]}{\",\"target_platform\":[\"rk3562\"]}",
         "rk3562", "2.0", "1.5.2"},
        {5, "{\"target_platform\":null,\"version\":7}", "", "", "1.5.2"},
        {6, "{\"target_platform\":[],\"version\":[]}", "", "", "1.5.2"},
        {6, "[\"target_platform\",\"rk3588\"]", "", "", "1.5.2"},
        {6, "{\"target_platform\":\"0123456789012345678901234567890123456789\"}", "0123456789012345678901234567890", "",
         "1.5.2"},
        {6, "{\"version\":\"2.3\\n\\u0041\"}", "", "2.3\\n\\u0041", "1.5.2"},
        {6, "", "", "", "1.5.2"},
        {7, "{\"target_platform\":[\"rk9999\"]}", "rk9999", "", ""},
        {100, "{\"target_platform\":[\"rk9999\"]}", "rk9999", "", ""}};
    size_t i, body;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        for (body = 0; body < 200; body += 99) {
            nnrt_rknn_model_info info;
            size_t size;
            uint8_t *file = rknn_file(cases[i].version, body, cases[i].json, &size);
            cr_assert_eq(nnrt_rknn_inspect(file, size, &info), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(info.format_version, cases[i].version);
            cr_assert_eq(info.encrypted, 0);
            cr_assert_str_eq(info.platform, cases[i].platform);
            cr_assert_str_eq(info.toolkit, cases[i].toolkit);
            cr_assert_str_eq(info.minimum_runtime, cases[i].runtime);
            free(file);
        }
    }
}

Test(rknn_file, an_encrypted_file_tells_that_it_is) {
    nnrt_rknn_model_info info;
    cr_assert_eq(nnrt_rknn_inspect("CYPTRKNN\1\2\3\4", 12, &info), OH_NN_SUCCESS);
    cr_assert_eq(info.encrypted, 1);
    cr_assert_eq(info.format_version, 0);
    cr_assert_str_eq(info.platform, "");
}

Test(rknn_file, a_file_that_is_cut_off_or_something_else_is_refused) {
    const char *json = "{\"target_platform\":[\"rk3588\"],\"version\":\"2.3.2\"}";
    size_t size, cut, at;
    uint8_t *file = rknn_file(6, 40, json, &size);
    nnrt_rknn_model_info info;
    memset(&info, 0x77, sizeof(info));
    for (cut = 0; cut < size; cut++) {
        uint8_t *exact = (uint8_t *)malloc(cut != 0 ? cut : 1);
        OH_NN_ReturnCode code;
        memcpy(exact, file, cut);
        code = nnrt_rknn_inspect(exact, cut, &info);
        cr_assert_eq(code, cut < 104 ? OH_NN_INVALID_FILE : OH_NN_SUCCESS, "%zu bytes", cut);
        if (cut < 104) cr_assert_eq(info.format_version, 0x77777777u, "unchanged on failure");
        free(exact);
    }
    for (at = 0; at < 24; at++) { /* every byte of the header at its largest; a version of 32 bits is no damage */
        const bool version = at >= 8 && at < 12;
        uint8_t *exact = (uint8_t *)malloc(size);
        memcpy(exact, file, size);
        exact[at] = 0xff;
        cr_assert_eq(nnrt_rknn_inspect(exact, size, &info), version ? OH_NN_SUCCESS : OH_NN_INVALID_FILE, "byte %zu",
                     at);
        free(exact);
    }
    for (at = 104; at < 112; at++) { /* and of the length of the text, which is then read to the end of the file */
        uint8_t *exact = (uint8_t *)malloc(size);
        memcpy(exact, file, size);
        exact[at] = 0xff;
        cr_assert_eq(nnrt_rknn_inspect(exact, size, &info), OH_NN_SUCCESS);
        cr_assert_str_eq(info.platform, "rk3588");
        free(exact);
    }
    cr_assert_eq(nnrt_rknn_inspect(NULL, 8, &info), OH_NN_INVALID_PARAMETER);
    cr_assert_eq(nnrt_rknn_inspect(file, size, NULL), OH_NN_INVALID_PARAMETER);
    free(file);
}

Test(rknn_file, damaged_text_is_read_as_far_as_it_goes) {
    const char *json = "{\"target_platform\":[\"rk3588\"],\"version\":\"2.3.2\",\"a\\\"b\":{\"c\":[1,2]}}";
    const uint32_t seed = 77;
    uint32_t state = seed, round;
    cr_log_info("seed %u", (unsigned)seed);
    for (round = 0; round < 3000; round++) {
        nnrt_rknn_model_info info;
        size_t size, k, changes = 1 + next_random(&state) % 4;
        uint8_t *file = rknn_file(6, 8, json, &size);
        for (k = 0; k < changes; k++)
            file[80 + next_random(&state) % (size - 80)] = (uint8_t) "\"\\{}[]:, \0x"[next_random(&state) % 11];
        cr_assert_eq(nnrt_rknn_inspect(file, size, &info), OH_NN_SUCCESS);
        cr_assert_lt(strlen(info.platform), sizeof(info.platform));
        cr_assert_lt(strlen(info.toolkit), sizeof(info.toolkit));
        free(file);
    }
}

/* What file_check answers to a model of a platform on a board whose runtime is from at_least on, and before below. */
static OH_NN_ReturnCode check_between(const char *platform, const char *chip, bool mini, uint32_t format,
                                      uint32_t at_least, uint32_t below) {
    nnrt__rknn_file_info info;
    nnrt__rknpu_library library;
    memset(&info, 0, sizeof(info));
    memset(&library, 0, sizeof(library));
    nnrt__format(info.platform, sizeof(info.platform), "%s", platform);
    info.format_version = format;
    nnrt__format(library.name, sizeof(library.name), "%s", mini ? "librknnmrt.so" : "librknnrt.so");
    nnrt__format(library.chip, sizeof(library.chip), "%s", chip);
    library.mini = mini;
    library.at_least = at_least;
    library.below = below;
    return nnrt__rknn_file_check(&info, &library);
}

static OH_NN_ReturnCode check(const char *platform, const char *chip, bool mini, uint32_t format, uint32_t below) {
    return check_between(platform, chip, mini, format, v20, below);
}

Test(rknn_file, a_model_runs_on_the_chips_of_its_family_only) {
    static const struct {
        const char *name;
        int family;
        bool mini;
    } chips[] = {{"rk3562", 1, false},  {"rk3566", 2, false}, {"rk3568", 2, false},  {"rk3568b2", 2, false},
                 {"rk3576", 3, false},  {"rk3588", 4, false}, {"rk3588s", 4, false}, {"RK3588", 4, false},
                 {"rv1126b", 5, false}, {"rv1103", 6, true},  {"rv1106", 6, true},   {"rv1106g3", 6, true},
                 {"rv1103b", 7, true},  {"rv1106b", 7, true}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(chips); i++) {
        for (k = 0; k < NNRT__COUNT_OF(chips); k++) {
            const uint32_t format = chips[i].mini ? 0x1004 : 6;
            const OH_NN_ReturnCode code = check(chips[i].name, chips[k].name, chips[k].mini, format, 0);
            cr_assert_eq(code, chips[i].family == chips[k].family ? OH_NN_SUCCESS : OH_NN_INVALID_FILE, "%s on %s",
                         chips[i].name, chips[k].name);
            if (code == OH_NN_SUCCESS) continue;
            cr_assert_not_null(strstr(nnrt_last_error(), chips[i].name), "%s", nnrt_last_error());
            cr_assert_not_null(strstr(nnrt_last_error(), chips[k].name), "%s", nnrt_last_error());
        }
        const uint32_t format = chips[i].mini ? 0x1004 : 6;
        cr_assert_eq(check(chips[i].name, "", chips[i].mini, format, 0), OH_NN_SUCCESS);
        cr_assert_eq(check(chips[i].name, "", !chips[i].mini, format, 0), OH_NN_INVALID_FILE, "the other runtime");
        cr_assert_eq(check("", chips[i].name, chips[i].mini, format, 0), OH_NN_SUCCESS, "the file tells no chip");
        cr_assert_eq(check("rk4000", chips[i].name, chips[i].mini, format, 0), OH_NN_SUCCESS, "nobody knows that chip");
    }
    cr_assert_eq(check("rk1808", "", false, 1, 0), OH_NN_INVALID_FILE, "the NPU before this one");
    cr_assert_eq(check("rv1126", "rv1126b", false, 1, 0), OH_NN_INVALID_FILE);
    cr_assert_eq(check("rk3566", "rk3588", false, 1, 0), OH_NN_SUCCESS, "the vendor's own models of format 1 say so");
    (void)check("rk3588", "rv1106", true, 6, 0);
    cr_assert_str_eq(nnrt_last_error(), "the model was made for rk3588 and this board is an rv1106: convert it again "
                                        "with target_platform rv1106");
}

Test(rknn_file, a_format_is_refused_only_where_the_symbols_prove_that_the_runtime_is_too_old) {
    const uint32_t below[] = {v15, v152, v16, v20, v21, 0};
    const uint32_t newest[] = {2, 4, 6, 6, 6, 6};
    uint32_t i, format;
    for (i = 0; i < NNRT__COUNT_OF(below); i++)
        for (format = 1; format <= 6; format++)
            cr_assert_eq(check("rk3588", "rk3588", false, format, below[i]),
                         format <= newest[i] ? OH_NN_SUCCESS : OH_NN_INVALID_FILE, "format %u below %x",
                         (unsigned)format, (unsigned)below[i]);
    for (format = 0x1004; format <= 0x1006; format++) {
        const OH_NN_ReturnCode old = check_between("rv1106", "rv1106", true, format, v152, v16);
        cr_assert_eq(old, OH_NN_INVALID_FILE, "librknnmrt 1.5.2 dies of format %x", (unsigned)format);
        cr_assert_not_null(strstr(nnrt_last_error(), "needs runtime 1.6.0"), "%s", nnrt_last_error());
        cr_assert_eq(check_between("rv1106", "rv1106", true, format, v16, v20), OH_NN_SUCCESS);
        cr_assert_eq(check_between("rv1106", "rv1106", true, format, v20, 0), OH_NN_SUCCESS);
    }
    (void)check("rk3588", "rk3588", false, 6, v152);
    cr_assert_not_null(strstr(nnrt_last_error(), "needs runtime 1.5.2"), "%s", nnrt_last_error());
    cr_assert_eq(check("", "", false, 7, v16), OH_NN_SUCCESS, "a format of the future is the runtime's to judge");
    cr_assert_eq(check("", "", true, 0x2000, v21), OH_NN_SUCCESS);
}

Test(rknn_file, a_format_tells_the_runtime_where_the_text_tells_no_chip) {
    char name[12];
    cr_assert_eq(check("", "", false, 0x1004, 0), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "format 0x1004, which is for rv1103 and rv1106"), "%s",
                       nnrt_last_error());
    cr_assert_eq(check("", "", true, 6, 0), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "format 6, which is for other chips"), "%s", nnrt_last_error());
    cr_assert_eq(check_between("", "", true, 4, v152, v16), OH_NN_SUCCESS, "what librknnmrt 1.5.2 took is not known");
    cr_assert_eq(check_between("", "", true, 0x1003, v152, v16), OH_NN_SUCCESS);
    cr_assert_eq(check_between("", "", true, 0x1003, v16, v20), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "before 1.6.0"), "%s", nnrt_last_error());
    cr_assert_str_eq(nnrt__rknn_format_name(6, name), "6");
    cr_assert_str_eq(nnrt__rknn_format_name(UINT32_MAX, name), "0xffffffff");
}
