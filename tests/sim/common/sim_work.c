/* SPDX-License-Identifier: Apache-2.0 */
/* sim_work.c - boards with a queue: what time a task takes, and what the cores did. */
#define _GNU_SOURCE
#include "sim_board.h"

#include <stdlib.h>

#define SIM_MAX_TIMES 16u

static bool sim_times_known;
static unsigned sim_times[SIM_MAX_TIMES]; /* microseconds */
static nnrt_sim_work sim_done;
static unsigned sim_at_work;
static uint64_t sim_since; /* microseconds */

static void sim_times_read(const char *text) {
    unsigned i, last = 0;
    sim_times_known = true;
    for (i = 0; i < SIM_MAX_TIMES; i++) {
        char *end = NULL;
        if (text && *text) {
            last = (unsigned)strtoul(text, &end, 10);
            text = *end == ',' ? end + 1 : end;
        }
        sim_times[i] = last;
    }
}

SIM_EXPORT void nnrt_sim_task_time(const char *microseconds) {
    sim_lock();
    sim_times_read(microseconds);
    sim_unlock();
}

unsigned sim_work_time(unsigned number) {
    if (!sim_times_known) sim_times_read(getenv("NNRT_SIM_TIME"));
    return sim_times[number < SIM_MAX_TIMES ? number : SIM_MAX_TIMES - 1];
}

struct timespec sim_after(long microseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += microseconds / 1000000;
    until.tv_nsec += microseconds % 1000000 * 1000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
    return until;
}

static uint64_t sim_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

void sim_work_count(int change) {
    const uint64_t now = sim_now();
    if (sim_at_work >= 1) sim_done.busy += now - sim_since;
    if (sim_at_work >= 2) sim_done.overlap += now - sim_since;
    sim_since = now;
    if (change > 0) sim_at_work++;
    if (change < 0) {
        sim_at_work--;
        sim_done.tasks++;
    }
    if (sim_at_work > sim_done.most) sim_done.most = sim_at_work;
}

SIM_EXPORT void nnrt_sim_get_work(nnrt_sim_work *work) {
    sim_lock();
    sim_work_count(0);
    *work = sim_done;
    sim_unlock();
}
