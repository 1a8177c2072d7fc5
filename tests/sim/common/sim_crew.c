/* SPDX-License-Identifier: Apache-2.0 */
/* sim_crew.c - threads of a board that has queues. */
#define _GNU_SOURCE
#include "sim_crew.h"
#include "sim_private.h"

#include <errno.h>
#include <stdlib.h>

static sim_crew *sim_crews; /* that have a thread */

/* At exit. A task that hangs is let go, also one that begins to only now. */
static void sim_crew_stop(sim_crew *crew) {
    const struct timespec pause = {0, 1000000};
    unsigned core, left = 0;
    sim_lock();
    for (core = 0; core < SIM_CREW_MAX; core++) left += crew->started[core];
    crew->stopping = true;
    pthread_cond_broadcast(&crew->work);
    while (crew->gone < left) {
        sim_unlock();
        nnrt_sim_release_hang();
        nanosleep(&pause, NULL);
        sim_lock();
    }
    sim_unlock();
    for (core = 0; core < SIM_CREW_MAX; core++)
        if (crew->started[core]) pthread_join(crew->threads[core], NULL);
}

static void sim_crews_stop(void) {
    for (; sim_crews; sim_crews = sim_crews->next) sim_crew_stop(sim_crews);
}

bool sim_crew_wake(sim_crew *crew, unsigned number, void *(*core)(void *number)) {
    if (!crew->known) {
        crew->known = true;
        if (!sim_crews) atexit(sim_crews_stop);
        crew->next = sim_crews;
        sim_crews = crew;
    }
    if (!crew->started[number])
        crew->started[number] = pthread_create(&crew->threads[number], NULL, core, (void *)(uintptr_t)number) == 0;
    pthread_cond_broadcast(&crew->work);
    return crew->started[number];
}

void sim_crew_wait(sim_crew *crew) { pthread_cond_wait(&crew->work, sim_the_mutex()); }

void sim_crew_take_time(sim_crew *crew, long microseconds) {
    const struct timespec until = sim_after(microseconds);
    if (microseconds == 0) return;
    while (!crew->stopping && pthread_cond_timedwait(&crew->work, sim_the_mutex(), &until) != ETIMEDOUT) continue;
}

void sim_crew_leave(sim_crew *crew) {
    crew->gone++;
    sim_unlock();
}
