/* SPDX-License-Identifier: Apache-2.0 */
/* sim_crew.h - the threads of a board that has queues: one for each core, started when there is work for it, stopped at
   exit before the report. A task that hangs is let go then. */
#ifndef NNRT_TESTS_SIM_CREW_H
#define NNRT_TESTS_SIM_CREW_H

#include "sim_board.h"

#include <pthread.h>

#define SIM_CREW_MAX 4u

typedef struct sim_crew {
    pthread_cond_t work; /* something has changed for them */
    bool known;          /* for the end */
    bool stopping;       /* they are to end */
    unsigned gone;       /* have ended */
    struct sim_crew *next;
    bool started[SIM_CREW_MAX];
    pthread_t threads[SIM_CREW_MAX];
} sim_crew;

#define SIM_CREW                                                        \
    {                                                                   \
        PTHREAD_COND_INITIALIZER, false, false, 0, NULL, {false}, { 0 } \
    }

/* All of it locked. There is work for core number; false: it has no thread. core gets the number, locks, works until
   crew->stopping, and ends with sim_crew_leave. */
bool sim_crew_wake(sim_crew *crew, unsigned number, void *(*core)(void *number));
/* The lock is given back meanwhile. */
void sim_crew_wait(sim_crew *crew);
void sim_crew_take_time(sim_crew *crew, long microseconds); /* of a task; not when they are to end */
/* Unlocks. */
void sim_crew_leave(sim_crew *crew);

#endif /* NNRT_TESTS_SIM_CREW_H */
