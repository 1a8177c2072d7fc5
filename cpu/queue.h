/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/queue.h - which run goes first when runs of several priorities compete for the cores.   >>cpu_queue

   A run counts its threads while it is under way, unless no executor of a lower priority is open when it begins: small
   models would notice the cost of counting. Before each of its steps it waits while runs of higher priorities could use
   every core by themselves. So a higher run waits for at most one step of a lower one; when several wait, the highest
   goes first; and if there are cores to spare, all run at once. Runs of one priority never wait for each other, so a
   program that sets no priority, or the same for all, never waits here. The operating system decides which thread runs
   on which core. A wait always ends after some milliseconds: lower runs become slow, but never starve. */
#ifndef NNRT_CPU_QUEUE_H
#define NNRT_CPU_QUEUE_H

#include "../core/error.h"

#define NNRT__QUEUE_WAIT_NS 20000000u /* longest wait before one step */

/* Ranks of OH_NN_Priority: LOW, then NONE and MEDIUM, then HIGH. */
#define NNRT__QUEUE_RANKS 3u

/* All runs of the process on the CPU device. */
typedef struct nnrt__queue {
    nnrt__mutex mutex;
    nnrt__cond changed; /* a run has ended, or is cancelled */
    int32_t cores;
    uint64_t wait_ns;
    int32_t above[NNRT__QUEUE_RANKS]; /* atomic: threads of the runs under way that have a higher rank */
    int32_t waiting;                  /* atomic: runs that wait; changed under mutex */
    int32_t lower[NNRT__QUEUE_RANKS]; /* atomic: open executors that have a lower rank */
} nnrt__queue;

/* One run. */
typedef struct nnrt__place {
    nnrt__queue *queue;
    uint32_t rank;
    int32_t threads;
    int32_t *cancel; /* not 0: the run is cancelled */
} nnrt__place;

/* Initialises a zeroed queue; without threads nothing looks into it. */
NNRT__FN OH_NN_ReturnCode nnrt__queue_open(nnrt__queue *queue) {
    if (!NNRT__HAS_THREADS) return OH_NN_SUCCESS;
    if (!nnrt__mutex_init(&queue->mutex)) return nnrt__fail_memory();
    if (!nnrt__cond_init(&queue->changed)) {
        nnrt__mutex_destroy(&queue->mutex);
        return nnrt__fail_memory();
    }
    queue->cores = nnrt__core_count();
    queue->wait_ns = NNRT__QUEUE_WAIT_NS;
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__place_rank(OH_NN_Priority priority) {
    if (priority == OH_NN_PRIORITY_LOW) return 0;
    return priority == OH_NN_PRIORITY_HIGH ? 2 : 1;
}

/* An executor of this rank is opened (1) or closed (-1). */
NNRT__FN void nnrt__queue_note(nnrt__queue *queue, uint32_t rank, int32_t change) {
    NNRT_ASSERT(rank < NNRT__QUEUE_RANKS);
    NNRT_ASSERT(change == 1 || change == -1);
    while (NNRT__HAS_THREADS && ++rank < NNRT__QUEUE_RANKS) (void)nnrt__atomic_add(&queue->lower[rank], change);
}

NNRT__FN void nnrt__place_count(const nnrt__place *place, int32_t threads) {
    uint32_t rank;
    NNRT_ASSERT(place->rank < NNRT__QUEUE_RANKS);
    for (rank = 0; NNRT__HAS_THREADS && rank < place->rank; rank++)
        (void)nnrt__atomic_add(&place->queue->above[rank], threads);
}

NNRT__FN void nnrt__place_begin(const nnrt__place *place) { nnrt__place_count(place, place->threads); }

/* Wakes the waiting runs, to check again. */
NNRT__FN void nnrt__queue_wake(nnrt__queue *queue) {
    nnrt__mutex_lock(&queue->mutex);
    nnrt__cond_broadcast(&queue->changed);
    nnrt__mutex_unlock(&queue->mutex);
}

NNRT__FN void nnrt__place_end(const nnrt__place *place) {
    if (!NNRT__HAS_THREADS || place->rank == 0) return; /* nobody is lower */
    nnrt__place_count(place, -place->threads);
    /* A run adds itself to waiting before it reads above: so either it is seen here, or it sees the new count. */
    if (nnrt__atomic_add(&place->queue->waiting, 0) != 0) nnrt__queue_wake(place->queue);
}

/* Must the step wait? */
NNRT__INLINE bool nnrt__place_must_wait(const nnrt__place *place) {
    return NNRT__HAS_THREADS && nnrt__atomic_peek(&place->queue->above[place->rank]) >= place->queue->cores;
}

/* Before a step: returns when the step may run, or the run is cancelled. */
NNRT__FN void nnrt__place_wait(const nnrt__place *place) {
    nnrt__queue *queue = place->queue;
    int32_t *above = &queue->above[place->rank];
    uint64_t until;
    bool waiting = true;
    NNRT_ASSERT(place->rank < NNRT__QUEUE_RANKS);
    if (!nnrt__place_must_wait(place)) return;
    until = nnrt__now_ns() + queue->wait_ns;
    nnrt__mutex_lock(&queue->mutex);
    (void)nnrt__atomic_add(&queue->waiting, 1);
    while (waiting && nnrt__atomic_load(above) >= queue->cores && !nnrt__atomic_load(place->cancel))
        waiting = nnrt__cond_wait_until(&queue->changed, &queue->mutex, until);
    (void)nnrt__atomic_add(&queue->waiting, -1);
    nnrt__mutex_unlock(&queue->mutex);
}

#endif /* NNRT_CPU_QUEUE_H */
