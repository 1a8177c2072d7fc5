/* SPDX-License-Identifier: Apache-2.0 */
/* core/async.h - asynchronous runs: a queue per executor, a worker that empties it, a watchdog for deadlines.   >>async

   Promises  Every accepted run ends in exactly one NN_OnRunDone. Runs are done in the order of acceptance. Callbacks of
             one executor never overlap; nnrt_last_error() inside one tells why its run failed.
   Timeout   Milliseconds from acceptance, waiting in the queue included; 0 and less: no limit. At the deadline the
             device is asked to stop (cancel) and the callback gets OH_NN_TIMEOUT, even when the device hangs; a
             callback that runs longer delays those behind it. What the device does later is dropped; the memory of the
             tensors stays until then, even if the program destroys them, so that it writes nowhere else.
   Death     A run that ends in OH_NN_CONNECTION_EXCEPTION calls NN_OnServiceDied, once per executor, before its
             NN_OnRunDone. Every later run of the compiled model ends in OH_NN_UNAVAILABLE_DEVICE.
   Threads   The worker starts at the first RunAsync, the watchdog at the first with a timeout; both end in Destroy,
             which waits for all runs: for ever, if the device hangs for ever. From inside a callback Destroy would
             wait for itself; it does nothing but log. A callback may queue further runs. */
#ifndef NNRT_CORE_ASYNC_H
#define NNRT_CORE_ASYNC_H

#include "executor.h"

/* One accepted run; one block with its arrays behind it. */
typedef struct nnrt__async_run {
    struct nnrt__async_run *next;
    NN_OnRunDone on_run_done;
    void *user_data;
    NN_Tensor **output_array; /* the program's, for the callback */
    uint64_t deadline_ns;     /* 0: none */
    bool reported;            /* somebody calls the callback, or has */
    bool told;                /* the watchdog's callback has returned */
    nnrt_io *io;              /* inputs, then outputs */
    NN_Tensor **outputs;
    nnrt__buffer **buffers; /* of all tensors, counted */
} nnrt__async_run;

/* Room for a run of this executor; NULL when out of memory. */
NNRT__FN nnrt__async_run *nnrt__async_new(const OH_NNExecutor *executor) {
    size_t count = nnrt__port_count(executor); /* <= 400: nothing overflows */
    nnrt__async_run *run =
        (nnrt__async_run *)nnrt__alloc_zero(1, sizeof(*run) + count * sizeof(run->io[0]) +
                                                   count * sizeof(run->buffers[0]) + count * sizeof(run->outputs[0]));
    if (run == NULL) return NULL;
    run->io = (nnrt_io *)(void *)(run + 1);
    run->buffers = (nnrt__buffer **)(void *)(run->io + count);
    run->outputs = (NN_Tensor **)(void *)(run->buffers + count);
    return run;
}

/* The run is over for everybody. state_mutex is held. */
NNRT__FN void nnrt__async_finish(OH_NNExecutor *executor, nnrt__async_run *run) {
    size_t i;
    for (i = 0; i < nnrt__port_count(executor); i++) nnrt__buffer_release(run->buffers[i]);
    nnrt__free(run);
    executor->pending--;
    nnrt__cond_broadcast(&executor->changed);
}

/* Calls the program. Whoever set run->reported does this, without any mutex. */
NNRT__FN void nnrt__async_report(OH_NNExecutor *executor, const nnrt__async_run *run, OH_NN_ReturnCode code) {
    NN_OnServiceDied died = NULL;
    nnrt__mutex_lock(&executor->callback_mutex);
    if (code == OH_NN_CONNECTION_EXCEPTION) {
        nnrt__mutex_lock(&executor->state_mutex);
        if (!executor->told_death) died = executor->on_service_died;
        executor->told_death = true;
        nnrt__mutex_unlock(&executor->state_mutex);
        if (died != NULL) died(run->user_data);
    }
    run->on_run_done(run->user_data, code, (void **)run->output_array, (int32_t)executor->prepared->output_count);
    nnrt__mutex_unlock(&executor->callback_mutex);
}

/* Takes the first waiting run. state_mutex is held. */
NNRT__FN nnrt__async_run *nnrt__async_take(OH_NNExecutor *executor) {
    nnrt__async_run *run = executor->first;
    executor->first = run->next;
    if (executor->first == NULL) executor->last = NULL;
    return run;
}

/* Tells the device before the first run that may be cancelled. run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__async_expect_cancel(OH_NNExecutor *executor, const nnrt__async_run *run) {
    const nnrt_backend *backend = executor->prepared->device->backend;
    OH_NN_ReturnCode code;
    if (run->deadline_ns == 0 || executor->expects_cancel || backend->expect_cancel == NULL) return OH_NN_SUCCESS;
    code = backend->expect_cancel(executor->object);
    executor->expects_cancel = code == OH_NN_SUCCESS;
    return code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR ? code : OH_NN_UNAVAILABLE_DEVICE;
}

/* Lets the device do the current run, unless the watchdog was faster. No mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__async_execute(OH_NNExecutor *executor, nnrt__async_run *run) {
    OH_NN_ReturnCode code, run_code = OH_NN_TIMEOUT;
    bool go;
    nnrt__executor_lock(executor);
    code = nnrt__async_expect_cancel(executor, run);
    if (code != OH_NN_SUCCESS) {
        nnrt__executor_unlock(executor);
        return code;
    }
    nnrt__mutex_lock(&executor->state_mutex);
    go = !run->reported;
    executor->current_runs = go;
    nnrt__mutex_unlock(&executor->state_mutex);
    if (go) run_code = nnrt__executor_run(executor, run->io);
    nnrt__mutex_lock(&executor->state_mutex);
    executor->current_runs = false; /* from here on cancel would hit somebody else */
    nnrt__mutex_unlock(&executor->state_mutex);
    nnrt__executor_unlock(executor);
    return run_code;
}

NNRT__FN void *nnrt__async_worker(void *argument) {
    OH_NNExecutor *executor = (OH_NNExecutor *)argument;
    nnrt__thread_take_priority(executor->prepared->priority);
    nnrt__mutex_lock(&executor->state_mutex);
    for (;;) {
        nnrt__async_run *run;
        OH_NN_ReturnCode code;
        while (executor->first == NULL && !executor->stop) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
        if (executor->first == NULL) break;
        run = nnrt__async_take(executor);
        executor->current = run;
        nnrt__mutex_unlock(&executor->state_mutex);
        code = nnrt__async_execute(executor, run);
        nnrt__mutex_lock(&executor->state_mutex);
        executor->current = NULL;
        if (!run->reported) {
            run->reported = true;
            if (code == OH_NN_SUCCESS) nnrt__publish_shapes(executor, run->io, run->outputs);
            nnrt__mutex_unlock(&executor->state_mutex);
            nnrt__async_report(executor, run, code);
            nnrt__mutex_lock(&executor->state_mutex);
        } else {
            while (!run->told) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
        }
        nnrt__async_finish(executor, run);
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    return NULL;
}

/* The run whose deadline comes first; NULL when none has one. state_mutex is held. */
NNRT__FN nnrt__async_run *nnrt__async_most_urgent(const OH_NNExecutor *executor) {
    nnrt__async_run *urgent = executor->current, *run;
    if (urgent != NULL && (urgent->deadline_ns == 0 || urgent->reported)) urgent = NULL;
    for (run = executor->first; run != NULL; run = run->next)
        if (run->deadline_ns != 0 && (urgent == NULL || run->deadline_ns < urgent->deadline_ns)) urgent = run;
    return urgent;
}

/* Removes run from those that wait; false when it is not among them. state_mutex is held. */
NNRT__FN bool nnrt__async_unqueue(OH_NNExecutor *executor, const nnrt__async_run *run) {
    nnrt__async_run *before = NULL, *at = executor->first;
    while (at != NULL && at != run) {
        before = at;
        at = at->next;
    }
    if (at == NULL) return false;
    if (before != NULL) before->next = at->next;
    else executor->first = at->next;
    if (executor->last == at) executor->last = before;
    return true;
}

NNRT__FN void *nnrt__async_watchdog(void *argument) {
    OH_NNExecutor *executor = (OH_NNExecutor *)argument;
    const nnrt_backend *backend = executor->prepared->device->backend;
    nnrt__mutex_lock(&executor->state_mutex);
    while (!executor->stop) {
        nnrt__async_run *run = nnrt__async_most_urgent(executor);
        bool waiting;
        if (run == NULL) {
            nnrt__cond_wait(&executor->changed, &executor->state_mutex);
            continue;
        }
        if (nnrt__now_ns() < run->deadline_ns) {
            (void)nnrt__cond_wait_until(&executor->changed, &executor->state_mutex, run->deadline_ns);
            continue;
        }
        run->reported = true;
        waiting = nnrt__async_unqueue(executor, run);
        if (!waiting && executor->current_runs && backend->cancel != NULL) backend->cancel(executor->object);
        nnrt__mutex_unlock(&executor->state_mutex);
        nnrt__async_report(
            executor, run,
            nnrt__fail(OH_NN_TIMEOUT, "the run passed its deadline%s", waiting ? " before the device came to it" : ""));
        nnrt__mutex_lock(&executor->state_mutex);
        if (waiting) {
            nnrt__async_finish(executor, run);
        } else {
            run->told = true;
            nnrt__cond_broadcast(&executor->changed);
        }
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- the calls */

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOnRunDone(OH_NNExecutor *executor, NN_OnRunDone onRunDone) {
    if (executor == NULL) return nnrt__fail_null("OH_NNExecutor_SetOnRunDone", "executor");
    if (onRunDone == NULL) return nnrt__fail_null("OH_NNExecutor_SetOnRunDone", "onRunDone");
    nnrt__mutex_lock(&executor->state_mutex);
    executor->on_run_done = onRunDone;
    nnrt__mutex_unlock(&executor->state_mutex);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_SetOnServiceDied(OH_NNExecutor *executor, NN_OnServiceDied onServiceDied) {
    if (executor == NULL) return nnrt__fail_null("OH_NNExecutor_SetOnServiceDied", "executor");
    if (onServiceDied == NULL) return nnrt__fail_null("OH_NNExecutor_SetOnServiceDied", "onServiceDied");
    nnrt__mutex_lock(&executor->state_mutex);
    executor->on_service_died = onServiceDied;
    nnrt__mutex_unlock(&executor->state_mutex);
    return OH_NN_SUCCESS;
}

/* Appends run, starting the threads that it needs. state_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__async_accept(OH_NNExecutor *executor, nnrt__async_run *run) {
    run->on_run_done = executor->on_run_done;
    if (run->on_run_done == NULL)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                          "OH_NNExecutor_RunAsync: OH_NNExecutor_SetOnRunDone has to be called before");
    if (!executor->has_worker)
        executor->has_worker = nnrt__thread_start(&executor->worker, nnrt__async_worker, executor);
    if (run->deadline_ns != 0 && !executor->has_watchdog)
        executor->has_watchdog = nnrt__thread_start(&executor->watchdog, nnrt__async_watchdog, executor);
    if (!executor->has_worker || (run->deadline_ns != 0 && !executor->has_watchdog))
        return nnrt__fail(OH_NN_MEMORY_ERROR, "OH_NNExecutor_RunAsync: the system starts no thread");
    if (executor->last != NULL) executor->last->next = run;
    else executor->first = run;
    executor->last = run;
    executor->pending++;
    nnrt__cond_broadcast(&executor->changed);
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode OH_NNExecutor_RunAsync(OH_NNExecutor *executor, NN_Tensor *inputTensor[], size_t inputCount,
                                                 NN_Tensor *outputTensor[], size_t outputCount, int32_t timeout,
                                                 void *userData) {
    static const char function[] = "OH_NNExecutor_RunAsync";
    nnrt__async_run *run;
    size_t i;
    OH_NN_ReturnCode code =
        nnrt__check_run_arguments(function, executor, inputTensor, inputCount, outputTensor, outputCount);
    if (code != OH_NN_SUCCESS) return code;
    if (userData == NULL) return nnrt__fail_null(function, "userData");
    if (!NNRT__HAS_THREADS)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: this build has no threads (NNRT_NO_THREADS)", function);
    run = nnrt__async_new(executor);
    if (run == NULL) return nnrt__fail_memory();
    /* Under the mutex: the end of an earlier run with the same output tensors writes their shapes under it. */
    nnrt__mutex_lock(&executor->state_mutex);
    code = nnrt__check_run_tensors(function, executor, inputTensor, inputCount, outputTensor, outputCount, run->io);
    nnrt__mutex_unlock(&executor->state_mutex);
    if (code != OH_NN_SUCCESS) {
        nnrt__free(run);
        return code;
    }
    run->user_data = userData;
    run->output_array = outputTensor;
    if (timeout > 0) run->deadline_ns = nnrt__now_ns() + (uint64_t)timeout * 1000000u;
    for (i = 0; i < inputCount; i++) run->buffers[i] = nnrt__buffer_retain(inputTensor[i]->buffer);
    for (i = 0; i < outputCount; i++) {
        run->outputs[i] = outputTensor[i];
        run->buffers[inputCount + i] = nnrt__buffer_retain(outputTensor[i]->buffer);
    }
    nnrt__mutex_lock(&executor->state_mutex);
    code = nnrt__async_accept(executor, run);
    nnrt__mutex_unlock(&executor->state_mutex);
    if (code == OH_NN_SUCCESS) return code;
    for (i = 0; i < inputCount + outputCount; i++) nnrt__buffer_release(run->buffers[i]);
    nnrt__free(run);
    return code;
}

/* Waits for all runs and ends the threads; false, and nothing happens, on one of these threads. */
NNRT__FN bool nnrt__async_stop(OH_NNExecutor *executor) {
    bool worker, watchdog;
    nnrt__mutex_lock(&executor->state_mutex);
    worker = executor->has_worker;
    watchdog = executor->has_watchdog;
    if ((worker && nnrt__thread_is_self(&executor->worker)) ||
        (watchdog && nnrt__thread_is_self(&executor->watchdog))) {
        nnrt__mutex_unlock(&executor->state_mutex);
        return false;
    }
    while (executor->pending != 0) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
    executor->stop = true;
    nnrt__cond_broadcast(&executor->changed);
    nnrt__mutex_unlock(&executor->state_mutex);
    if (worker) nnrt__thread_join(&executor->worker);
    if (watchdog) nnrt__thread_join(&executor->watchdog);
    return true;
}

NNRT_API void OH_NNExecutor_Destroy(OH_NNExecutor **executor) {
    OH_NNExecutor *gone;
    if (executor == NULL || *executor == NULL) {
        nnrt__log(NNRT_LOG_WARNING, "OH_NNExecutor_Destroy: there is no executor");
        return;
    }
    gone = *executor;
    if (!nnrt__async_stop(gone)) {
        nnrt__log(NNRT_LOG_ERROR, "OH_NNExecutor_Destroy: not from inside a callback of the executor");
        return;
    }
    nnrt__executor_lock(gone); /* a synchronous run of another thread ends first */
    nnrt__executor_unlock(gone);
    nnrt__executor_destroy_locks(gone);
    nnrt__executor_free(gone);
    *executor = NULL;
}

#endif /* NNRT_CORE_ASYNC_H */
