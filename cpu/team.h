/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/team.h - the threads that share the steps of a run.   >>cpu_team

   Threads split the work units of one step and meet before the next; which thread does which unit never changes a byte
   of the result. */
#ifndef NNRT_CPU_TEAM_H
#define NNRT_CPU_TEAM_H

#include "plan.h"

#define NNRT__MAX_THREADS 64u

struct nnrt__team;

typedef struct nnrt__worker {
    struct nnrt__team *team;
    nnrt__thread thread;
    uint32_t index; /* 1.. ; the calling thread is 0 */
} nnrt__worker;

/* One step shared by threads. Workers sleep between steps of a run: a camera has better uses for its
   cores. */
typedef struct nnrt__team {
    nnrt__mutex mutex;
    nnrt__cond wake, done;
    nnrt__worker workers[NNRT__MAX_THREADS];
    uint32_t thread_count;   /* with the caller */
    OH_NN_Priority priority; /* of the workers */
    uint32_t generation;     /* counts steps handed out */
    uint32_t running;        /* workers not yet done with this one */
    bool stop;
    const nnrt__step_kind *kind;
    const nnrt__step_view *view;
    void *const *data;
    uint8_t *scratch;
    size_t scratch_size;
    int32_t *cancel;
    OH_NN_ReturnCode code;
    char sentence[NNRT__SENTENCE_SIZE];
} nnrt__team;

/* Units [first, last) of a step, chunk by chunk, until *cancel is not 0. */
NNRT__FN OH_NN_ReturnCode nnrt__run_units(const nnrt__step_kind *kind, const nnrt__step_view *view,
                                          nnrt__step_call *call) {
    const uint32_t last = call->last;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    while (code == OH_NN_SUCCESS && call->first < last && !nnrt__atomic_load(call->cancel)) {
        call->last = last - call->first > view->chunk ? call->first + view->chunk : last;
        code = kind->run(view, call);
        call->first = call->last;
    }
    return code;
}

/* The share of thread `index` of the present step. */
NNRT__FN OH_NN_ReturnCode nnrt__team_share(const nnrt__team *team, uint32_t index) {
    nnrt__step_call call;
    call.data = team->data;
    call.scratch = team->scratch + (size_t)index * team->scratch_size;
    call.cancel = team->cancel;
    call.first = (uint32_t)((uint64_t)team->view->units * index / team->thread_count);
    call.last = (uint32_t)((uint64_t)team->view->units * (index + 1) / team->thread_count);
    return nnrt__run_units(team->kind, team->view, &call);
}

NNRT__FN void *nnrt__team_body(void *argument) {
    nnrt__worker *worker = (nnrt__worker *)argument;
    nnrt__team *team = worker->team;
    uint32_t seen = 0;
    nnrt__thread_take_priority(team->priority);
    nnrt__mutex_lock(&team->mutex);
    for (;;) {
        OH_NN_ReturnCode code;
        while (!team->stop && team->generation == seen) nnrt__cond_wait(&team->wake, &team->mutex);
        if (team->stop) break;
        seen = team->generation;
        nnrt__mutex_unlock(&team->mutex);
        code = nnrt__team_share(team, worker->index);
        nnrt__mutex_lock(&team->mutex);
        if (code != OH_NN_SUCCESS && team->code == OH_NN_SUCCESS) {
            team->code = code;
            memcpy(team->sentence, nnrt__sentence(), sizeof(team->sentence));
        }
        if (--team->running == 0) nnrt__cond_broadcast(&team->done);
    }
    nnrt__mutex_unlock(&team->mutex);
    return NULL;
}

NNRT__FN void nnrt__team_free(nnrt__team *team) {
    uint32_t i;
    if (team == NULL) return;
    nnrt__mutex_lock(&team->mutex);
    team->stop = true;
    nnrt__cond_broadcast(&team->wake);
    nnrt__mutex_unlock(&team->mutex);
    for (i = 1; i < team->thread_count; i++) nnrt__thread_join(&team->workers[i].thread);
    nnrt__cond_destroy(&team->done);
    nnrt__cond_destroy(&team->wake);
    nnrt__mutex_destroy(&team->mutex);
    nnrt__free(team);
}

/* threads >= 2. Where the system gives fewer threads, the team has fewer. The caller's own thread keeps the priority
   that it has. NULL: out of memory. */
NNRT__FN nnrt__team *nnrt__team_new(uint32_t threads, OH_NN_Priority priority) {
    nnrt__team *team = (nnrt__team *)nnrt__alloc_zero(1, sizeof(nnrt__team));
    bool ok;
    uint32_t i;
    if (team == NULL) return NULL;
    ok = nnrt__mutex_init(&team->mutex);
    if (ok && !nnrt__cond_init(&team->wake)) {
        nnrt__mutex_destroy(&team->mutex);
        ok = false;
    }
    if (ok && !nnrt__cond_init(&team->done)) {
        nnrt__cond_destroy(&team->wake);
        nnrt__mutex_destroy(&team->mutex);
        ok = false;
    }
    if (!ok) {
        nnrt__free(team);
        return NULL;
    }
    team->thread_count = 1;
    team->priority = priority;
    for (i = 1; i < threads; i++) {
        team->workers[i].team = team;
        team->workers[i].index = i;
        if (!nnrt__thread_start(&team->workers[i].thread, nnrt__team_body, &team->workers[i])) break;
        team->thread_count = i + 1;
    }
    return team;
}

/* Runs one step on all threads. */
NNRT__FN OH_NN_ReturnCode nnrt__team_run(nnrt__team *team, const nnrt__step_kind *kind, const nnrt__step_view *view,
                                         void *const *data, uint8_t *scratch, size_t scratch_size, int32_t *cancel) {
    OH_NN_ReturnCode code;
    nnrt__mutex_lock(&team->mutex);
    team->kind = kind;
    team->view = view;
    team->data = data;
    team->scratch = scratch;
    team->scratch_size = scratch_size;
    team->cancel = cancel;
    team->code = OH_NN_SUCCESS;
    team->running = team->thread_count - 1;
    team->generation++;
    nnrt__cond_broadcast(&team->wake);
    nnrt__mutex_unlock(&team->mutex);
    code = nnrt__team_share(team, 0);
    nnrt__mutex_lock(&team->mutex);
    while (team->running != 0) nnrt__cond_wait(&team->done, &team->mutex);
    if (code == OH_NN_SUCCESS && team->code != OH_NN_SUCCESS) code = nnrt__fail(team->code, "%s", team->sentence);
    nnrt__mutex_unlock(&team->mutex);
    return code;
}

#endif /* NNRT_CPU_TEAM_H */
