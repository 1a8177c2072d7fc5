/* SPDX-License-Identifier: Apache-2.0 */
/* core/async.h - asynchronous runs: a queue per executor, a worker that empties it, a watchdog for deadlines.   >>async

   Promises  Every accepted run ends in exactly one NN_OnRunDone. Runs are done in the order of acceptance, each after
             the callback of the one before has returned. Callbacks of one executor never overlap; nnrt_last_error()
             inside one says why its run failed. A callback is called without a lock and may call every nnrt function
             except Destroy of its own executor.
   Timeout   Milliseconds from acceptance, waiting in the queue included; 0 and less: no limit. At the deadline the
             device is asked to stop (cancel), and asked again at growing intervals until the run has returned, so that
             a cancel before the backend starts to look for one is not lost. The callback gets OH_NN_TIMEOUT when the
             run has returned and its tensors are free, but at most NNRT__ASYNC_GRACE_MS after the deadline, even if the
             device hangs. A late result is dropped; until then the tensors' memory is kept, even if the program
             destroys them, because the device may still write it. nnrt_executor_wait_late waits for that end.
   Stuck     A callback or run that takes long, or never ends, delays no cancel and no callback of another executor.
             Callbacks of the same executor wait for each other, as they never overlap; those of runs past their
             deadline do not wait for a run.
   Death     A run that ends in OH_NN_CONNECTION_EXCEPTION calls NN_OnServiceDied, once per executor, before its
             NN_OnRunDone; not if it was already reported as OH_NN_TIMEOUT, because the program may have freed its user
             data. Every later run of the compiled model ends in OH_NN_UNAVAILABLE_DEVICE.
   Threads   The worker runs the queue and calls back for runs that return. The watchdog watches the clock and cancels;
             it never calls the program. The reporter calls back for late runs that do not return, and for those whose
             deadline passes in the queue. The worker starts at the first RunAsync, the others at the first with a
             timeout; all end in Destroy, which waits for all runs: for ever, if the device hangs for ever. Inside a
             callback Destroy would wait for itself, so it only logs. A callback may queue further runs. */
#ifndef NNRT_CORE_ASYNC_H
#define NNRT_CORE_ASYNC_H

#include "executor.h"

#define NNRT__ASYNC_GRACE_MS 20u      /* how long a run may take to return after its deadline before it is reported */
#define NNRT__ASYNC_LONGEST_PAUSE 64u /* ms between two cancels of one run; the first pause is 1 ms */

/* One accepted run, in one block with its arrays. Under state_mutex, except what never changes. */
typedef struct nnrt__async_run {
    struct nnrt__async_run *next; /* in the queue, then in the reporter's list */
    NN_OnRunDone on_run_done;
    void *user_data;
    NN_Tensor **output_array; /* the program's, for the callback */
    uint64_t deadline_ns;     /* 0: none */
    uint64_t cancel_ns;       /* of a late run: when to cancel it next */
    uint32_t pause_ms;        /* until the cancel after that */
    bool late;                /* its deadline passed after the worker had taken it */
    bool decided;             /* result is final; whoever sets this makes the callback, or leaves it to the reporter */
    bool waited;              /* owned by the reporter: its deadline passed in the queue */
    bool told;                /* the reporter's callback has returned */
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

NNRT__FN void nnrt__async_free(const OH_NNExecutor *executor, nnrt__async_run *run) {
    size_t i;
    for (i = 0; i < nnrt__port_count(executor); i++) nnrt__buffer_release(run->buffers[i]);
    nnrt__free(run);
}

/* ------------------------------------------------------------------------------------------------- queues

   state_mutex is held. */

/* Takes the first waiting run. */
NNRT__FN nnrt__async_run *nnrt__async_take(OH_NNExecutor *executor) {
    nnrt__async_run *run = executor->first;
    NNRT__ASSERT_HELD(&executor->state_mutex);
    NNRT_ASSERT(run != NULL);
    executor->first = run->next;
    if (executor->first == NULL) executor->last = NULL;
    return run;
}

/* Removes run from the queue; false if it is not there. */
NNRT__FN bool nnrt__async_unqueue(OH_NNExecutor *executor, const nnrt__async_run *run) {
    nnrt__async_run *before = NULL, *at = executor->first;
    NNRT__ASSERT_HELD(&executor->state_mutex);
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

/* Sets the result of an undecided run to OH_NN_TIMEOUT and hands it to the reporter. */
NNRT__FN void nnrt__async_hand_over(OH_NNExecutor *executor, nnrt__async_run *run) {
    nnrt__async_run **link = &executor->overdue;
    while (*link != NULL) link = &(*link)->next;
    *link = run;
    run->next = NULL;
    run->decided = true;
    nnrt__cond_broadcast(&executor->changed);
}

/* ---------------------------------------------------------------------------------------------- callbacks */

/* Calls the program, from the thread that owns the report. state_mutex is held at entry and exit, and released for the
   call. */
NNRT__FN void nnrt__async_report(OH_NNExecutor *executor, const nnrt__async_run *run, OH_NN_ReturnCode code) {
    NN_OnServiceDied died = NULL;
    NNRT__ASSERT_HELD(&executor->state_mutex);
    while (executor->calling) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
    executor->calling = true;
    if (code == OH_NN_CONNECTION_EXCEPTION) {
        if (!executor->told_death) died = executor->on_service_died;
        executor->told_death = true;
    }
    if (code == OH_NN_SUCCESS) nnrt__publish_shapes(executor, run->io, run->outputs);
    nnrt__mutex_unlock(&executor->state_mutex);
    if (died != NULL) died(run->user_data);
    run->on_run_done(run->user_data, code, (void **)run->output_array, (int32_t)executor->prepared->output_count);
    nnrt__mutex_lock(&executor->state_mutex);
    executor->calling = false;
    nnrt__cond_broadcast(&executor->changed);
}

/* Frees a run that nobody uses any more. state_mutex is held at entry and exit, and released while the device frees
   memory. */
NNRT__FN void nnrt__async_finish(OH_NNExecutor *executor, nnrt__async_run *run) {
    NNRT__ASSERT_HELD(&executor->state_mutex);
    NNRT_ASSERT(executor->pending > 0);
    NNRT_ASSERT(executor->queue_bytes >= nnrt__block_bytes(run));
    executor->queue_bytes -= nnrt__block_bytes(run);
    nnrt__mutex_unlock(&executor->state_mutex);
    nnrt__async_free(executor, run);
    nnrt__mutex_lock(&executor->state_mutex);
    executor->pending--;
    nnrt__cond_broadcast(&executor->changed);
}

/* ------------------------------------------------------------------------------------------------- worker */

/* Tells the device, before the first run that may be cancelled. run_mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__async_expect_cancel(OH_NNExecutor *executor, const nnrt__async_run *run) {
    const nnrt_backend *backend = nnrt__backend_of(executor->prepared->device);
    OH_NN_ReturnCode code;
    NNRT__ASSERT_HELD(&executor->run_mutex);
    if (run->deadline_ns == 0 || executor->expects_cancel || backend->expect_cancel == NULL) return OH_NN_SUCCESS;
    code = backend->expect_cancel(executor->object);
    executor->expects_cancel = code == OH_NN_SUCCESS;
    return code == OH_NN_SUCCESS || code == OH_NN_MEMORY_ERROR ? code : OH_NN_UNAVAILABLE_DEVICE;
}

/* Runs the current run on the device, unless the watchdog came first. No mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__async_execute(OH_NNExecutor *executor, nnrt__async_run *run) {
    OH_NN_ReturnCode code, run_code = OH_NN_TIMEOUT;
    bool go;
    (void)nnrt__executor_lock(executor); /* with threads this waits */
    code = nnrt__async_expect_cancel(executor, run);
    if (code != OH_NN_SUCCESS) {
        nnrt__executor_unlock(executor);
        return code;
    }
    nnrt__mutex_lock(&executor->state_mutex);
    go = !run->decided && !run->late; /* it waited too long for a synchronous run */
    executor->current_runs = go;
    nnrt__mutex_unlock(&executor->state_mutex);
    if (go) run_code = nnrt__executor_run(executor, run->io);
    nnrt__mutex_lock(&executor->state_mutex);
    executor->current_runs = false; /* a cancel from here on would hit another run */
    nnrt__cond_broadcast(&executor->changed);
    nnrt__mutex_unlock(&executor->state_mutex);
    nnrt__executor_unlock(executor);
    return run_code;
}

NNRT__FN OH_NN_ReturnCode nnrt__async_late(void) { return nnrt__fail(OH_NN_TIMEOUT, "the run passed its deadline"); }

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
        if (!run->decided) {
            run->decided = true;
            if (run->late && code != OH_NN_CONNECTION_EXCEPTION) code = nnrt__async_late();
            nnrt__async_report(executor, run, code);
        } else {
            while (!run->told) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
        }
        nnrt__async_finish(executor, run);
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ reporter */

NNRT__FN void *nnrt__async_reporter(void *argument) {
    OH_NNExecutor *executor = (OH_NNExecutor *)argument;
    nnrt__mutex_lock(&executor->state_mutex);
    for (;;) {
        nnrt__async_run *run;
        while (executor->overdue == NULL && !executor->stop)
            nnrt__cond_wait(&executor->changed, &executor->state_mutex);
        run = executor->overdue;
        if (run == NULL) break;
        executor->overdue = run->next;
        if (run->waited) {
            nnrt__async_report(executor, run,
                               nnrt__fail(OH_NN_TIMEOUT, "the run passed its deadline before the device came to it"));
            nnrt__async_finish(executor, run);
        } else {
            nnrt__async_report(executor, run, nnrt__async_late());
            run->told = true; /* the worker has it still */
            nnrt__cond_broadcast(&executor->changed);
        }
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    return NULL;
}

/* ----------------------------------------------------------------------------------------------- watchdog

   state_mutex is held. */

#define NNRT__ASYNC_NEVER UINT64_MAX

/* When the watchdog must next check the current run, which may be NULL. */
NNRT__FN uint64_t nnrt__async_current_due(const OH_NNExecutor *executor) {
    const nnrt__async_run *run = executor->current;
    uint64_t due = NNRT__ASYNC_NEVER;
    NNRT__ASSERT_HELD(&executor->state_mutex);
    if (run == NULL || run->deadline_ns == 0) return due;
    if (!run->late) return run->decided ? due : run->deadline_ns;
    if (!run->decided) due = run->deadline_ns + NNRT__ASYNC_GRACE_MS * (uint64_t)1000000u;
    return executor->current_runs && run->cancel_ns < due ? run->cancel_ns : due;
}

/* The waiting run whose deadline comes first; NULL: none has one. */
NNRT__FN nnrt__async_run *nnrt__async_most_urgent(const OH_NNExecutor *executor) {
    nnrt__async_run *urgent = NULL, *run;
    NNRT__ASSERT_HELD(&executor->state_mutex);
    for (run = executor->first; run != NULL; run = run->next)
        if (run->deadline_ns != 0 && (urgent == NULL || run->deadline_ns < urgent->deadline_ns)) urgent = run;
    return urgent;
}

/* The current run is due. */
NNRT__FN void nnrt__async_watch_current(OH_NNExecutor *executor, uint64_t now) {
    const nnrt_backend *backend = nnrt__backend_of(executor->prepared->device);
    nnrt__async_run *run = executor->current;
    NNRT__ASSERT_HELD(&executor->state_mutex);
    if (!run->late) {
        run->late = true;
        run->cancel_ns = backend->cancel != NULL ? now : NNRT__ASYNC_NEVER;
        run->pause_ms = 1;
    }
    if (executor->current_runs && now >= run->cancel_ns) {
        backend->cancel(executor->object);
        run->cancel_ns = now + run->pause_ms * (uint64_t)1000000u;
        if (run->pause_ms < NNRT__ASYNC_LONGEST_PAUSE) run->pause_ms *= 2;
    }
    if (!run->decided && now >= run->deadline_ns + NNRT__ASYNC_GRACE_MS * (uint64_t)1000000u)
        nnrt__async_hand_over(executor, run);
}

NNRT__FN void *nnrt__async_watchdog(void *argument) {
    OH_NNExecutor *executor = (OH_NNExecutor *)argument;
    nnrt__mutex_lock(&executor->state_mutex);
    while (!executor->stop) {
        nnrt__async_run *waiting = nnrt__async_most_urgent(executor);
        const uint64_t current_due = nnrt__async_current_due(executor);
        const uint64_t waiting_due = waiting != NULL ? waiting->deadline_ns : NNRT__ASYNC_NEVER;
        const uint64_t due = current_due < waiting_due ? current_due : waiting_due, now = nnrt__now_ns();
        if (due == NNRT__ASYNC_NEVER) {
            nnrt__cond_wait(&executor->changed, &executor->state_mutex);
        } else if (now < due) {
            (void)nnrt__cond_wait_until(&executor->changed, &executor->state_mutex, due);
        } else if (now >= current_due) {
            nnrt__async_watch_current(executor, now);
        } else {
            (void)nnrt__async_unqueue(executor, waiting);
            waiting->waited = true;
            nnrt__async_hand_over(executor, waiting);
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
    NNRT__ASSERT_HELD(&executor->state_mutex);
    run->on_run_done = executor->on_run_done;
    if (run->on_run_done == NULL)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                          "OH_NNExecutor_RunAsync: OH_NNExecutor_SetOnRunDone has to be called before");
    if (!executor->has_worker)
        executor->has_worker = nnrt__thread_start(&executor->worker, nnrt__async_worker, executor);
    if (run->deadline_ns != 0 && !executor->has_reporter)
        executor->has_reporter = nnrt__thread_start(&executor->reporter, nnrt__async_reporter, executor);
    if (run->deadline_ns != 0 && !executor->has_watchdog)
        executor->has_watchdog = nnrt__thread_start(&executor->watchdog, nnrt__async_watchdog, executor);
    if (!executor->has_worker || (run->deadline_ns != 0 && !(executor->has_reporter && executor->has_watchdog)))
        return nnrt__fail(OH_NN_MEMORY_ERROR, "OH_NNExecutor_RunAsync: the system starts no thread");
    if (executor->last != NULL) executor->last->next = run;
    else executor->first = run;
    executor->last = run;
    executor->pending++;
    executor->queue_bytes += nnrt__block_bytes(run);
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
    /* Needs the mutex: an earlier run with the same output tensors writes their shapes when it ends. */
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
    nnrt__async_free(executor, run);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_executor_wait_late(OH_NNExecutor *executor, uint32_t timeout_ms) {
    const uint64_t until = nnrt__now_ns() + timeout_ms * (uint64_t)1000000u;
    const nnrt_backend *backend;
    uint64_t now;
    bool back;
    if (executor == NULL) return nnrt__fail_null("nnrt_executor_wait_late", "executor");
    nnrt__mutex_lock(&executor->state_mutex);
    for (;;) {
        back = !executor->current_runs || !executor->current->decided;
        now = nnrt__now_ns();
        if (back || now >= until) break;
        (void)nnrt__cond_wait_until(&executor->changed, &executor->state_mutex, until);
    }
    nnrt__mutex_unlock(&executor->state_mutex);
    if (!back) return nnrt__fail(OH_NN_TIMEOUT, "a run that passed its deadline has not come back yet");
    backend = nnrt__backend_of(executor->prepared->device);
    if (backend->wait_late == NULL) return OH_NN_SUCCESS;
    return backend->wait_late(executor->object, now < until ? (uint32_t)((until - now) / 1000000u) : 0);
}

/* Waits for all runs and ends the threads; does nothing and returns false on a thread that is in a callback. */
NNRT__FN bool nnrt__async_stop(OH_NNExecutor *executor) {
    bool worker, reporter, watchdog;
    nnrt__mutex_lock(&executor->state_mutex);
    worker = executor->has_worker;
    reporter = executor->has_reporter;
    watchdog = executor->has_watchdog;
    if ((worker && nnrt__thread_is_self(&executor->worker)) ||
        (reporter && nnrt__thread_is_self(&executor->reporter))) {
        nnrt__mutex_unlock(&executor->state_mutex);
        return false;
    }
    while (executor->pending != 0) nnrt__cond_wait(&executor->changed, &executor->state_mutex);
    executor->stop = true;
    nnrt__cond_broadcast(&executor->changed);
    nnrt__mutex_unlock(&executor->state_mutex);
    if (worker) nnrt__thread_join(&executor->worker);
    if (reporter) nnrt__thread_join(&executor->reporter);
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
    if (nnrt__executor_lock(gone) != OH_NN_SUCCESS) { /* synchronous runs of other threads have ended by now */
        nnrt__log(NNRT_LOG_ERROR, "OH_NNExecutor_Destroy: not while the executor runs");
        return;
    }
    nnrt__executor_unlock(gone);
    nnrt__executor_destroy_locks(gone);
    nnrt__executor_free(gone);
    *executor = NULL;
}

#endif /* NNRT_CORE_ASYNC_H */
