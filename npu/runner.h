/* SPDX-License-Identifier: Apache-2.0 */
/* npu/runner.h - gives up runs of an NPU when the vendor's library hangs.   >>npu_runner

   A hanging vendor call cannot be stopped, only abandoned. Once that may be needed (a deadline for every run, or a run
   with one) a thread of the executor does the runs, while the caller waits:

   in a call    the thread is inside the vendor's library. At the deadline the run is given up and ends
                in OH_NN_TIMEOUT at once. Everything that the call may use stays alive with the thread. When the call
                returns, the thread unwinds without touching the program's tensors, which may be gone. The call itself
                may still use their memory until nnrt__runner_wait_back succeeds.
   elsewhere    the thread converts tensors. It is asked to end at its next call, and waited for, which takes
                milliseconds.

   The next run waits a grace period for the one that was given up; after that the device counts as dead. Closing an
   executor with a hanging call returns at once and leaves its memory to the thread.

   Executors that share memory take turns as a group: the running one holds the group's memory, and all use the group's
   mutex. Mutexes are held briefly, never during a call or a conversion.

   The backend's nnrt__runner_work runs, gives up and frees. Every call of a run that may hang goes through
   nnrt__runner_call. */
#ifndef NNRT_NPU_RUNNER_H
#define NNRT_NPU_RUNNER_H

#include "../core/error.h"
#include "../core/platform.h"

struct nnrt__runner;

/* The backend's side; user is the runner's. */
typedef struct nnrt__runner_work {
    /* Start of the turn: takes over the run's argument. The mutex of the runner is held: no vendor calls. */
    void (*begin)(void *user, const void *argument);
    OH_NN_ReturnCode (*run)(void *user); /* the whole run, in either thread */
    /* From another thread while run is in a call: marks what the call uses as stuck. The mutex is held; never
       blocks. */
    void (*give_up)(void *user);
    /* The hanging call of a closed executor has returned: frees everything, including the runner. */
    void (*end)(void *user);
} nnrt__runner_work;

/* Executors that take turns with the same memory. Zero at first, except the mutex. */
typedef struct nnrt__runner_group {
    nnrt__mutex mutex;            /* of the two fields below and of all runners of the group; held briefly */
    struct nnrt__runner *holder;  /* its run uses the memory; a given-up run until it returns */
    struct nnrt__runner *waiting; /* woken when holder changes */
} nnrt__runner_group;

typedef enum nnrt__runner_phase {
    NNRT__RUNNER_IDLE = 0,
    NNRT__RUNNER_RUNS = 1,
    NNRT__RUNNER_GIVEN_UP = 2 /* the run has ended for its caller, but the thread is still in it */
} nnrt__runner_phase;

typedef struct nnrt__runner {
    const nnrt__runner_work *work;
    void *user;
    nnrt__runner_group *group; /* NULL: none */
    const char *grace_config;  /* the config that sets grace_ms, for the sentence */
    uint32_t grace_ms;

    /* Under *mutex */
    nnrt__mutex own_mutex;
    nnrt__mutex *mutex; /* own_mutex, or the group's */
    nnrt__cond changed; /* anything below */
    nnrt__runner_phase phase;
    bool has_thread;
    bool posted;    /* a run for the thread */
    bool in_call;   /* the thread is in the vendor's library, or unwinds: the program's tensors may be freed */
    bool ends;      /* the run must end at its next call */
    bool cancelled; /* by cancel */
    bool closing;
    bool left;            /* closed while given up: the thread frees everything */
    uint64_t deadline_ns; /* of the run; 0: none */
    nnrt__thread thread;
    OH_NN_ReturnCode result;
    char sentence[NNRT__SENTENCE_SIZE]; /* the sentence of result, from another thread */
    struct nnrt__runner *next_waiting;
} nnrt__runner;

/* --------------------------------------------------------------------------------------------------- life */

/* self is zeroed. false: no mutex; then there is nothing to destroy. group may be NULL, and outlives the runner. */
NNRT__FN bool nnrt__runner_init(nnrt__runner *self, const nnrt__runner_work *work, void *user,
                                nnrt__runner_group *group, uint32_t grace_ms, const char *grace_config) {
    if (!nnrt__mutex_init(&self->own_mutex)) return false;
    if (!nnrt__cond_init(&self->changed)) {
        nnrt__mutex_destroy(&self->own_mutex);
        return false;
    }
    self->work = work;
    self->user = user;
    self->group = group;
    self->mutex = group != NULL ? &group->mutex : &self->own_mutex;
    self->grace_ms = grace_ms;
    self->grace_config = grace_config;
    return true;
}

/* Nothing runs any more. */
NNRT__FN void nnrt__runner_destroy(nnrt__runner *self) {
    nnrt__cond_destroy(&self->changed);
    nnrt__mutex_destroy(&self->own_mutex);
}

/* -------------------------------------------------------------------------------------------------- calls */

NNRT__FN OH_NN_ReturnCode nnrt__runner_late(void) {
    return nnrt__fail(OH_NN_TIMEOUT, "the run passed its deadline and was given up");
}

NNRT__FN OH_NN_ReturnCode nnrt__runner_hangs(const nnrt__runner *self) {
    return nnrt__fail(OH_NN_CONNECTION_EXCEPTION,
                      "the NPU has hung: a call that was given up did not come back within %u ms (%s); look at the "
                      "kernel log, reset the NPU or the board",
                      (unsigned)self->grace_ms, self->grace_config);
}

/* The end of the grace period for a call that was given up. */
NNRT__FN uint64_t nnrt__runner_grace_ends(const nnrt__runner *self) {
    return nnrt__now_ns() + (uint64_t)self->grace_ms * 1000000u;
}

/* Before a call. false: the run must end now. */
NNRT__FN bool nnrt__runner_call_begins(nnrt__runner *self) {
    bool go;
    if (!self->has_thread) return true;
    nnrt__mutex_lock(self->mutex);
    go = self->phase == NNRT__RUNNER_RUNS && !self->ends;
    self->in_call = true;
    if (self->ends) nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
    return go;
}

/* After a call. false: the run was given up meanwhile. */
NNRT__FN bool nnrt__runner_call_ends(nnrt__runner *self) {
    bool go;
    if (!self->has_thread) return true;
    nnrt__mutex_lock(self->mutex);
    go = self->phase == NNRT__RUNNER_RUNS;
    self->in_call = false;
    nnrt__mutex_unlock(self->mutex);
    return go;
}

/* Part of a run: makes a call that may hang and touches none of the program's tensors. OH_NN_TIMEOUT: the run must end
   without further calls and without touching those tensors; the call was not made, or returned too late, with its
   results in argument. Otherwise the call's code. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_call(nnrt__runner *self, OH_NN_ReturnCode (*call)(void *argument),
                                            void *argument) {
    OH_NN_ReturnCode code;
    if (!nnrt__runner_call_begins(self)) return nnrt__runner_late();
    code = call(argument);
    return nnrt__runner_call_ends(self) ? code : nnrt__runner_late();
}

/* The same for a call that must be made however the run ends, because it releases something. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_call_anyway(nnrt__runner *self, void (*call)(void *argument), void *argument) {
    (void)nnrt__runner_call_begins(self);
    call(argument);
    return nnrt__runner_call_ends(self) ? OH_NN_SUCCESS : nnrt__runner_late();
}

/* Whether a call was abandoned: then what only the thread writes must not be read. Otherwise no run is under way. */
NNRT__FN bool nnrt__runner_is_given_up(nnrt__runner *self) {
    bool given_up;
    nnrt__mutex_lock(self->mutex);
    given_up = self->phase == NNRT__RUNNER_GIVEN_UP;
    nnrt__mutex_unlock(self->mutex);
    return given_up;
}

/* ------------------------------------------------------------------------------------- turns

   *mutex is held. */

/* The deadline of the run has passed, or cancel was called. */
NNRT__FN bool nnrt__runner_must_end(const nnrt__runner *self) {
    return self->cancelled || (self->deadline_ns != 0 && nnrt__now_ns() >= self->deadline_ns);
}

/* Waits for changed, until the earlier of two times; 0: no limit. */
NNRT__FN void nnrt__runner_wait(nnrt__runner *self, uint64_t until_ns) {
    uint64_t deadline = self->deadline_ns;
    NNRT__ASSERT_HELD(self->mutex);
    if (deadline == 0 || (until_ns != 0 && until_ns < deadline)) deadline = until_ns;
    if (deadline == 0) nnrt__cond_wait(&self->changed, self->mutex);
    else (void)nnrt__cond_wait_until(&self->changed, self->mutex, deadline);
}

/* Wakes those who wait for the group, whose mutex it is. */
NNRT__FN void nnrt__runner_wake_group(nnrt__runner *self) {
    nnrt__runner *waiting = self->group != NULL ? self->group->waiting : NULL;
    NNRT__ASSERT_HELD(self->mutex);
    for (; waiting != NULL; waiting = waiting->next_waiting) nnrt__cond_broadcast(&waiting->changed);
}

/* The runner to wait for: this one, if its last run was given up, or the holder of the group. NULL: none. */
NNRT__FN const nnrt__runner *nnrt__runner_in_the_way(const nnrt__runner *self) {
    if (self->phase == NNRT__RUNNER_GIVEN_UP) return self;
    return self->group != NULL ? self->group->holder : NULL;
}

/* Waits until this one may run: for a running one of the group without limit, for a given-up one a grace period. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_wait_turn(nnrt__runner *self) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__runner_group *group = self->group;
    const nnrt__runner *other = nnrt__runner_in_the_way(self);
    nnrt__runner **link;
    uint64_t grace_ends = 0;
    NNRT__ASSERT_HELD(self->mutex);
    if (other == NULL) return OH_NN_SUCCESS;
    if (group != NULL) {
        self->next_waiting = group->waiting;
        group->waiting = self;
    }
    while (other != NULL && code == OH_NN_SUCCESS) {
        bool stuck = other->phase == NNRT__RUNNER_GIVEN_UP;
        if (!stuck) grace_ends = 0;
        else if (grace_ends == 0) grace_ends = nnrt__runner_grace_ends(self);
        if (nnrt__runner_must_end(self)) {
            code = nnrt__runner_late();
        } else if (stuck && nnrt__now_ns() >= grace_ends) {
            code = nnrt__runner_hangs(self);
        } else {
            nnrt__runner_wait(self, grace_ends);
            other = nnrt__runner_in_the_way(self);
        }
    }
    if (group != NULL) {
        link = &group->waiting;
        while (*link != self) link = &(*link)->next_waiting;
        *link = self->next_waiting;
    }
    return code;
}

/* The run is over, or its call has returned. */
NNRT__FN void nnrt__runner_end_turn(nnrt__runner *self) {
    NNRT__ASSERT_HELD(self->mutex);
    self->phase = NNRT__RUNNER_IDLE;
    if (self->group != NULL) self->group->holder = NULL;
    nnrt__cond_broadcast(&self->changed);
    nnrt__runner_wake_group(self);
}

/* --------------------------------------------------------------------------------------------- the thread */

NNRT__FN void *nnrt__runner_body(void *argument) {
    nnrt__runner *self = (nnrt__runner *)argument;
    bool left;
    nnrt__mutex_lock(self->mutex);
    for (;;) {
        OH_NN_ReturnCode code;
        while (!self->posted && !self->closing) nnrt__cond_wait(&self->changed, self->mutex);
        if (!self->posted) break;
        self->posted = false;
        nnrt__mutex_unlock(self->mutex);
        code = self->work->run(self->user);
        nnrt__mutex_lock(self->mutex);
        self->result = code;
        memcpy(self->sentence, nnrt__sentence(), sizeof(self->sentence));
        nnrt__runner_end_turn(self);
    }
    left = self->left;
    nnrt__mutex_unlock(self->mutex);
    if (left) self->work->end(self->user);
    return NULL;
}

/* Starts the thread, if there is none yet. No run is under way. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_start(nnrt__runner *self) {
    bool started = true;
    nnrt__mutex_lock(self->mutex);
    if (!self->has_thread) {
        started = nnrt__thread_start(&self->thread, nnrt__runner_body, self);
        self->has_thread = started;
    }
    nnrt__mutex_unlock(self->mutex);
    if (started) return OH_NN_SUCCESS;
    if (!NNRT__HAS_THREADS)
        return nnrt__fail(OH_NN_UNSUPPORTED, "this build has no threads (NNRT_NO_THREADS) to give up a run with");
    return nnrt__fail(OH_NN_MEMORY_ERROR, "the system starts no thread for runs with a deadline");
}

/* Abandons the call of the thread. *mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_give_up(nnrt__runner *self) {
    NNRT__ASSERT_HELD(self->mutex);
    self->phase = NNRT__RUNNER_GIVEN_UP;
    self->work->give_up(self->user);
    nnrt__runner_wake_group(self);
    return nnrt__runner_late();
}

/* Lets the thread do the run. *mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_run_there(nnrt__runner *self) {
    NNRT__ASSERT_HELD(self->mutex);
    self->posted = true;
    nnrt__cond_broadcast(&self->changed);
    while (self->phase == NNRT__RUNNER_RUNS) {
        if (!nnrt__runner_must_end(self)) {
            nnrt__runner_wait(self, 0);
        } else if (self->in_call) {
            return nnrt__runner_give_up(self);
        } else {
            self->ends = true;
            nnrt__cond_wait(&self->changed, self->mutex);
        }
    }
    return self->result == OH_NN_SUCCESS ? OH_NN_SUCCESS : nnrt__fail(self->result, "%s", self->sentence);
}

/* --------------------------------------------------------------------------------------- for the executor */

/* A whole run: waits for the turn, then work->begin with argument and work->run. timeout_ms 0: no deadline, but cancel
   may end it. A cancel before the run began may have been late for the previous run, so it is dropped; the core repeats
   one that is meant for this run. OH_NN_TIMEOUT, OH_NN_CONNECTION_EXCEPTION (the previous run does not return),
   otherwise the code of run. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_run(nnrt__runner *self, uint32_t timeout_ms, const void *argument) {
    OH_NN_ReturnCode code;
    nnrt__mutex_lock(self->mutex);
    self->deadline_ns = timeout_ms != 0 ? nnrt__now_ns() + (uint64_t)timeout_ms * 1000000u : 0;
    self->cancelled = false;
    code = nnrt__runner_wait_turn(self);
    if (code == OH_NN_SUCCESS) {
        self->work->begin(self->user, argument);
        self->ends = false;
        self->in_call = false;
        self->phase = NNRT__RUNNER_RUNS;
        if (self->group != NULL) self->group->holder = self;
        if (self->has_thread) {
            code = nnrt__runner_run_there(self);
        } else {
            nnrt__mutex_unlock(self->mutex);
            code = self->work->run(self->user);
            nnrt__mutex_lock(self->mutex);
            nnrt__runner_end_turn(self);
        }
    }
    self->cancelled = false;
    nnrt__mutex_unlock(self->mutex);
    return code;
}

/* Asks the run under way to end, from another thread. Never blocks. */
NNRT__FN void nnrt__runner_cancel(nnrt__runner *self) {
    nnrt__mutex_lock(self->mutex);
    self->cancelled = true;
    nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
}

/* Waits until a call that was given up has returned and no longer uses its memory. OH_NN_TIMEOUT: not within
   timeout_ms. From any thread. */
NNRT__FN OH_NN_ReturnCode nnrt__runner_wait_back(nnrt__runner *self, uint32_t timeout_ms) {
    const uint64_t until = nnrt__now_ns() + timeout_ms * (uint64_t)1000000u;
    bool back;
    nnrt__mutex_lock(self->mutex);
    while (self->phase == NNRT__RUNNER_GIVEN_UP && nnrt__cond_wait_until(&self->changed, self->mutex, until)) continue;
    back = self->phase != NNRT__RUNNER_GIVEN_UP;
    nnrt__mutex_unlock(self->mutex);
    return back ? OH_NN_SUCCESS : nnrt__fail(OH_NN_TIMEOUT, "a call that was given up has not come back yet");
}

/* No run is under way, except one that was given up. true: the thread has ended, and the caller frees everything.
   false: its call still hangs; the thread will call work->end when it returns, perhaps before this function does. */
NNRT__FN bool nnrt__runner_close(nnrt__runner *self) {
    bool left, has_thread;
    nnrt__mutex_lock(self->mutex);
    left = self->phase == NNRT__RUNNER_GIVEN_UP;
    has_thread = self->has_thread;
    if (left) nnrt__thread_detach(&self->thread);
    self->left = left;
    self->closing = true;
    nnrt__cond_broadcast(&self->changed);
    nnrt__mutex_unlock(self->mutex);
    if (has_thread && !left) nnrt__thread_join(&self->thread);
    return !left;
}

#endif /* NNRT_NPU_RUNNER_H */
