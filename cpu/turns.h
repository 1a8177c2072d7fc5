/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/turns.h - whose turn it is when runs of several priorities want the same cores.   >>cpu_turns

   A run counts its threads from its beginning to its end, unless no executor of a lower priority is open when it
   begins: counting is what a small model would notice. Before each of its steps it waits while runs of higher
   priorities could use every core by themselves. So at most one step of a lower run stands between a higher one and the
   cores; when several wait, the highest goes first; and where cores are left, all run at the same time. Runs of one
   priority never wait for each other: a program that sets none, or one for all, never waits here. Which thread runs on
   which core, and how equal ones share them, is the system's business.
   A wait ends after some milliseconds all the same: lower runs become slow, and none stands still for ever. */
#ifndef NNRT_CPU_TURNS_H
#define NNRT_CPU_TURNS_H

#include "../core/error.h"

#define NNRT__TURN_WAIT_NS 20000000u /* longest wait before one step */

/* Ranks of OH_NN_Priority: LOW, then NONE and MEDIUM, then HIGH. */
#define NNRT__TURN_RANKS 3u

/* All runs of the process on the CPU device. */
typedef struct nnrt__turns {
    nnrt__mutex mutex;
    nnrt__cond changed; /* a run has ended, or is to end */
    int32_t cores;
    uint64_t wait_ns;
    int32_t above[NNRT__TURN_RANKS]; /* atomic: threads of the runs under way that have a higher rank */
    int32_t waiting;                 /* atomic: runs that wait; changed under mutex */
    int32_t lower[NNRT__TURN_RANKS]; /* atomic: open executors that have a lower rank */
} nnrt__turns;

/* One run. */
typedef struct nnrt__turn {
    nnrt__turns *turns;
    uint32_t rank;
    int32_t threads;
    int32_t *cancel; /* not 0: the run is to end */
} nnrt__turn;

NNRT__FN OH_NN_ReturnCode nnrt__turns_open(nnrt__turns *turns) {
    memset(turns, 0, sizeof(*turns));
    if (!nnrt__mutex_init(&turns->mutex)) return nnrt__fail_memory();
    if (!nnrt__cond_init(&turns->changed)) {
        nnrt__mutex_destroy(&turns->mutex);
        return nnrt__fail_memory();
    }
    turns->cores = nnrt__core_count();
    turns->wait_ns = NNRT__TURN_WAIT_NS;
    return OH_NN_SUCCESS;
}

NNRT__FN uint32_t nnrt__turn_rank(OH_NN_Priority priority) {
    if (priority == OH_NN_PRIORITY_LOW) return 0;
    return priority == OH_NN_PRIORITY_HIGH ? 2 : 1;
}

/* An executor of this rank is opened (1) or closed (-1). */
NNRT__FN void nnrt__turns_note(nnrt__turns *turns, uint32_t rank, int32_t change) {
    NNRT_ASSERT(rank < NNRT__TURN_RANKS);
    NNRT_ASSERT(change == 1 || change == -1);
    while (NNRT__HAS_THREADS && ++rank < NNRT__TURN_RANKS) (void)nnrt__atomic_add(&turns->lower[rank], change);
}

NNRT__FN void nnrt__turn_count(const nnrt__turn *turn, int32_t threads) {
    uint32_t rank;
    NNRT_ASSERT(turn->rank < NNRT__TURN_RANKS);
    for (rank = 0; NNRT__HAS_THREADS && rank < turn->rank; rank++)
        (void)nnrt__atomic_add(&turn->turns->above[rank], threads);
}

NNRT__FN void nnrt__turn_begin(const nnrt__turn *turn) { nnrt__turn_count(turn, turn->threads); }

/* Lets those who wait look again. */
NNRT__FN void nnrt__turns_wake(nnrt__turns *turns) {
    nnrt__mutex_lock(&turns->mutex);
    nnrt__cond_broadcast(&turns->changed);
    nnrt__mutex_unlock(&turns->mutex);
}

NNRT__FN void nnrt__turn_end(const nnrt__turn *turn) {
    if (!NNRT__HAS_THREADS || turn->rank == 0) return; /* nobody is lower */
    nnrt__turn_count(turn, -turn->threads);
    /* Who begins to wait adds to waiting before it looks at above: it either is seen here or sees what was counted. */
    if (nnrt__atomic_add(&turn->turns->waiting, 0) != 0) nnrt__turns_wake(turn->turns);
}

/* Must the step wait? */
NNRT__INLINE bool nnrt__turn_is_over(const nnrt__turn *turn) {
    return NNRT__HAS_THREADS && nnrt__atomic_peek(&turn->turns->above[turn->rank]) >= turn->turns->cores;
}

/* Before a step: returns when it may be done, or the run is to end. */
NNRT__FN void nnrt__turn_wait(const nnrt__turn *turn) {
    nnrt__turns *turns = turn->turns;
    int32_t *above = &turns->above[turn->rank];
    uint64_t until;
    bool waiting = true;
    NNRT_ASSERT(turn->rank < NNRT__TURN_RANKS);
    if (!nnrt__turn_is_over(turn)) return;
    until = nnrt__now_ns() + turns->wait_ns;
    nnrt__mutex_lock(&turns->mutex);
    (void)nnrt__atomic_add(&turns->waiting, 1);
    while (waiting && nnrt__atomic_load(above) >= turns->cores && !nnrt__atomic_load(turn->cancel))
        waiting = nnrt__cond_wait_until(&turns->changed, &turns->mutex, until);
    (void)nnrt__atomic_add(&turns->waiting, -1);
    nnrt__mutex_unlock(&turns->mutex);
}

#endif /* NNRT_CPU_TURNS_H */
