/* SPDX-License-Identifier: Apache-2.0 */
/* core/executor_life.h - what an executor is; how it is made and destroyed.   >>executor_life

   Each executor has descriptors of its own: a run in one does not change the output shapes that another reports. Two
   mutexes: run_mutex is held while the device runs and serialises runs; state_mutex is held briefly and protects
   descriptors and the queue of async.h. Code that needs both takes run_mutex first. */
#ifndef NNRT_CORE_EXECUTOR_LIFE_H
#define NNRT_CORE_EXECUTOR_LIFE_H

#include "api.h"
#include "arena.h"
#include "compilation.h"
#include "prepared.h"
#include "tensor.h"

/* Where RAM counts more, up to this many inputs and outputs together have their nnrt_io on the stack of a run. */
#define NNRT__FEW_PORTS 4

/* Whether nnrt_io.declared is set, so that a device can skip checks; the CPU device only saves time by it. */
#define NNRT__TELLS_DECLARED (NNRT__FOR_SPEED || NNRT__MAX_DEVICES != 1)

/* What the calls of deprecated.h have bound to an input or output. */
typedef struct nnrt__binding {
    bool bound;
    nnrt__buffer *buffer;        /* the executor's copy; NULL: memory of AllocateInputMemory or AllocateOutputMemory */
    void *data;                  /* that memory, or where SetOutput wants the result */
    size_t length;               /* of data */
    int32_t dims[NNRT_MAX_RANK]; /* of an input: the shape given, of the model's rank */
} nnrt__binding;

/* One input or output. */
typedef struct nnrt__port {
    NN_TensorDesc *desc;    /* of an output: with the shape of the last run; NULL: not asked for yet */
    size_t *range;          /* of an input: rank minima, then rank maxima; NULL: the device has none */
    size_t size;            /* NNRT__TELLS_DECLARED: bytes of the declared shape; SIZE_MAX: not known before a run */
    const NN_Tensor *taken; /* the tensor of the last run, as declared, whose io is still valid; NULL: none */
    nnrt__binding *binding; /* NULL: no deprecated call was made for it */
} nnrt__port;

struct nnrt__async_run;

struct OH_NNExecutor {
    nnrt__prepared *prepared;
    void *object; /* the device's */
    nnrt__fast_mutex run_mutex;
    nnrt__mutex state_mutex;
    nnrt__port *ports;              /* inputs, then outputs; in the block of this structure */
    nnrt_io *io;                    /* of a synchronous run, in the same order; NULL: on its stack (nnrt__run_io) */
    nnrt__lease lease;              /* on an arena of the program's */
    const nnrt_profile_step *steps; /* last given to the program; NULL: not since the last run. Under run_mutex */
    uint32_t step_count;
    /* The queue, async.h; under state_mutex */
    NN_OnRunDone on_run_done;
    NN_OnServiceDied on_service_died;
    int32_t shapes_vary;                  /* atomic: a published shape differed from the declared one */
    struct nnrt__async_run *first, *last; /* waiting */
    struct nnrt__async_run *current;      /* taken by the worker */
    struct nnrt__async_run *overdue;      /* for the reporter */
    size_t pending;                       /* accepted, and its callback has not returned, or the device still runs it */
    size_t queue_bytes;                   /* of NNRT_MALLOC in all these */
    nnrt__cond changed;                   /* anything here has changed */
    bool told_death;
    bool calling;      /* a callback is under way: only one at a time */
    bool current_runs; /* the device is at current */
    bool stop;
    bool expects_cancel; /* the device was told that a run may be cancelled; under run_mutex */
    bool has_worker, has_reporter, has_watchdog;
    nnrt__thread worker, reporter, watchdog;
};

/* Takes run_mutex. Log lines are held until it is released, because the log callback may do anything. Without threads a
   taken mutex is OH_NN_OPERATION_FORBIDDEN: its holder was interrupted and cannot go on. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_lock(OH_NNExecutor *executor) {
    nnrt__log_hold();
    if (nnrt__fast_mutex_lock(&executor->run_mutex)) return OH_NN_SUCCESS;
    nnrt__log_let_go();
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                      "the executor runs already, and this call interrupts it: call when it has returned, or give the "
                      "interrupt an executor of its own");
}

NNRT__FN void nnrt__executor_unlock(OH_NNExecutor *executor) {
    nnrt__fast_mutex_unlock(&executor->run_mutex);
    nnrt__log_let_go();
}

NNRT__FN size_t nnrt__port_count(const OH_NNExecutor *executor) {
    return executor->prepared->input_count + executor->prepared->output_count;
}

/* ---------------------------------------------------------------------------------------------- construct */

/* Frees everything that exists of an executor whose threads have ended. */
NNRT__FN void nnrt__executor_free(OH_NNExecutor *executor) {
    size_t i;
    NNRT_ASSERT(executor->lease.held == 0);
    nnrt__lease_unlist(&executor->lease);
    if (executor->object != NULL) nnrt__backend_of(executor->prepared->device)->close_executor(executor->object);
    for (i = 0; i < nnrt__port_count(executor); i++) {
        const nnrt__port port = executor->ports[i];
        nnrt__desc_free(port.desc);
        nnrt__free(port.range);
        if (port.binding != NULL) nnrt__buffer_release(port.binding->buffer);
        nnrt__free(port.binding);
    }
    nnrt__free(executor->io);
    nnrt__prepared_release(executor->prepared);
    nnrt__free(executor);
}

/* The range of input i, if the device has ranges; false when out of memory. Made with the executor, or on demand if no
   run needs it. */
NNRT__FN bool nnrt__executor_range(OH_NNExecutor *executor, size_t i) {
    const nnrt__prepared *prepared = executor->prepared;
    nnrt_io_desc room;
    const size_t rank = nnrt__prepared_port(prepared, i, &room)->rank;
    size_t *range;
    if (executor->ports[i].range != NULL || nnrt__backend_of(prepared->device)->input_range == NULL) return true;
    range = (size_t *)nnrt__alloc_zero(2 * rank, sizeof(range[0]));
    if (range == NULL) return false;
    if (nnrt__backend_of(prepared->device)->input_range(prepared->object, i, range, range + rank) == OH_NN_SUCCESS) {
        executor->ports[i].range = range;
    } else {
        nnrt__free(range);
    }
    return true;
}

/* The descriptor of a port, made with the executor, or on demand if no run needs it; NULL: out of memory. */
NNRT__FN NN_TensorDesc *nnrt__executor_desc(const OH_NNExecutor *executor, size_t i) {
    nnrt__port *port = &executor->ports[i];
    nnrt_io_desc room;
    const nnrt_io_desc *is = nnrt__prepared_port(executor->prepared, i, &room);
    if (port->desc == NULL) port->desc = nnrt__desc_new(is->name, is->dtype, is->format, is->rank, is->dims);
    if (port->desc == NULL) (void)nnrt__fail_memory();
    return port->desc;
}

/* Bytes of a tensor as declared, if they are known; else SIZE_MAX. */
NNRT__FN size_t nnrt__port_size(const nnrt_io_desc *declared) {
    size_t size = nnrt__element_size(declared->dtype);
    uint32_t k;
    if (size == 0) return SIZE_MAX;
    for (k = 0; k < declared->rank; k++)
        if (declared->dims[k] < 1 || !nnrt__mul_size(size, (size_t)declared->dims[k], &size)) return SIZE_MAX;
    return size;
}

/* Where a run of this thread describes its tensors: inputs, then outputs. few: on its stack. */
typedef struct nnrt__few_io {
    nnrt_io io[NNRT__FOR_RAM ? NNRT__FEW_PORTS : 1];
} nnrt__few_io;
NNRT__INLINE nnrt_io *nnrt__run_io(const OH_NNExecutor *executor, nnrt__few_io *few) {
    return NNRT__FOR_RAM && executor->io == NULL ? few->io : executor->io;
}

/* The device's part. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_open(OH_NNExecutor *executor) {
    const nnrt__prepared *prepared = executor->prepared;
    const nnrt_backend *backend = nnrt__backend_of(prepared->device);
    return executor->lease.first == NULL && NNRT__MAX_DEVICES != 1 /* the CPU device does the same for NULL */
               ? backend->open_executor(prepared->object, &executor->object)
               : backend->open_executor_in(prepared->object, executor->lease.first, &executor->object);
}

/* Descriptors, ranges and room for a run. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_fill(OH_NNExecutor *executor) {
    const nnrt__prepared *prepared = executor->prepared;
    size_t count = nnrt__port_count(executor), i;
    const bool on_stack = NNRT__FOR_RAM && count <= NNRT__FEW_PORTS;
    if (!on_stack) executor->io = (nnrt_io *)nnrt__alloc_zero(count, sizeof(executor->io[0]));
    if (!on_stack && executor->io == NULL) return nnrt__fail_memory();
    for (i = 0; NNRT__TELLS_DECLARED && i < count; i++) {
        nnrt_io_desc room;
        executor->ports[i].size = nnrt__port_size(nnrt__prepared_port(prepared, i, &room));
    }
    for (i = 0; i < count; i++) {
        if (!NNRT__FOR_RAM && nnrt__executor_desc(executor, i) == NULL) return OH_NN_MEMORY_ERROR;
        if (!NNRT__SHAPES_ARE_FIXED && i < prepared->input_count && !nnrt__executor_range(executor, i))
            return nnrt__fail_memory();
    }
    return nnrt__executor_open(executor);
}

NNRT__FN bool nnrt__executor_init_locks(OH_NNExecutor *executor) {
    if (!nnrt__fast_mutex_init(&executor->run_mutex)) return false;
    if (nnrt__mutex_init(&executor->state_mutex)) {
        if (nnrt__cond_init(&executor->changed)) return true;
        nnrt__mutex_destroy(&executor->state_mutex);
    }
    nnrt__fast_mutex_destroy(&executor->run_mutex);
    return false;
}

NNRT__FN void nnrt__executor_destroy_locks(OH_NNExecutor *executor) {
    nnrt__cond_destroy(&executor->changed);
    nnrt__mutex_destroy(&executor->state_mutex);
    nnrt__fast_mutex_destroy(&executor->run_mutex);
}

/* An executor of a built compilation, in that arena. */
NNRT__FN OH_NN_ReturnCode nnrt__executor_make(OH_NNCompilation *compilation, const nnrt__lease *lease,
                                              OH_NNExecutor **made) {
    const size_t ports = compilation->prepared->input_count + compilation->prepared->output_count; /* at most 400 */
    OH_NNExecutor *executor = (OH_NNExecutor *)nnrt__alloc_zero(1, sizeof(*executor) + ports * sizeof(nnrt__port));
    OH_NN_ReturnCode code;
    if (executor == NULL || !nnrt__executor_init_locks(executor)) {
        nnrt__free(executor);
        return nnrt__fail_memory();
    }
    executor->ports = (nnrt__port *)(void *)(executor + 1);
    executor->prepared = nnrt__prepared_retain(compilation->prepared);
    executor->lease = *lease;
    code = nnrt__executor_fill(executor);
    if (code != OH_NN_SUCCESS) {
        executor->object = NULL; /* a failing open_executor may have left anything there */
        nnrt__executor_destroy_locks(executor);
        nnrt__executor_free(executor);
        return code;
    }
    nnrt__lease_list(&executor->lease);
    *made = executor;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NNExecutor *OH_NNExecutor_Construct(OH_NNCompilation *compilation) {
    static const nnrt__lease none = {NULL, 0, NULL, 0};
    OH_NNExecutor *executor = NULL;
    if (nnrt__check_built("OH_NNExecutor_Construct", compilation) == OH_NN_SUCCESS)
        (void)nnrt__executor_make(compilation, &none, &executor);
    return executor;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_construct_in(OH_NNCompilation *compilation, void *arena, size_t bytes,
                                                     OH_NNExecutor **executor) {
    static const char function[] = "nnrt_executor_construct_in";
    nnrt__lease lease = {NULL, 0, NULL, 0};
    OH_NN_ReturnCode code = nnrt__check_built(function, compilation);
    if (code != OH_NN_SUCCESS) return code;
    if (arena == NULL) return nnrt__fail_null(function, "arena");
    if (executor == NULL) return nnrt__fail_null(function, "executor");
    code = nnrt__lease_make(function, compilation, arena, bytes, &lease);
    return code == OH_NN_SUCCESS ? nnrt__executor_make(compilation, &lease, executor) : code;
}

#endif /* NNRT_CORE_EXECUTOR_LIFE_H */
