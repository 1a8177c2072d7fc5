/* SPDX-License-Identifier: Apache-2.0 */
/* test_locks.c - a system that refuses mutexes, conditions or threads: the files that need them fail with a code, or
   make do with fewer, and leak nothing. Only these files are compiled. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>

/* Mutexes and conditions that are there; the asking from now on that is refused, < 0: none. */
static int locks_live, locks_until_refusal = -1, threads_until_refusal = -1;

static int locks_refuse(int *until) { return *until >= 0 && (*until)-- == 0; }

static int locks_mutex(pthread_mutex_t *mutex) {
    if (locks_refuse(&locks_until_refusal)) return ENOMEM;
    locks_live++;
    return pthread_mutex_init(mutex, NULL);
}

static int locks_cond(pthread_cond_t *cond, const pthread_condattr_t *attributes) {
    if (locks_refuse(&locks_until_refusal)) return ENOMEM;
    locks_live++;
    return pthread_cond_init(cond, attributes);
}

static int locks_thread(pthread_t *thread, void *(*body)(void *), void *argument) {
    return locks_refuse(&threads_until_refusal) ? EAGAIN : pthread_create(thread, NULL, body, argument);
}

#define pthread_mutex_init(mutex, attributes) locks_mutex(mutex)
#define pthread_cond_init(cond, attributes) locks_cond(cond, attributes)
#define pthread_mutex_destroy(mutex) (locks_live--, pthread_mutex_destroy(mutex))
#define pthread_cond_destroy(cond) (locks_live--, pthread_cond_destroy(cond))
#define pthread_create(thread, attributes, body, argument) locks_thread(thread, body, argument)

#define NNRT__FN __attribute__((unused)) static
#define NNRT_NO_SIMD
#include "counting_alloc.h"

#include "core/api.h"
#include "core/api_extensions.h"
#include "core/platform.h"
#include "core/error.h"
#include "core/log.h"
#include "core/desc.h"
#include "core/optable.h"
#include "core/graph_store.h"
#include "cpu/team.h"
#include "cpu/queue.h"
#include "group/scheduler.h"
#include "npu/gate.h"

#include <criterion/criterion.h>

/* What the scheduler of groups calls and these tests do not come to. */
OH_NN_ReturnCode OH_NNDevice_GetAllDevicesID(const size_t **ids, uint32_t *count) {
    (void)ids;
    *count = 0;
    return OH_NN_SUCCESS;
}

OH_NN_ReturnCode OH_NNDevice_GetName(size_t device_id, const char **name) {
    *name = "seven";
    return device_id == 7 ? OH_NN_SUCCESS : OH_NN_FAILED;
}

NNRT__FN void nnrt__job_run(nnrt__lane *lane, uint32_t worker, nnrt__job *job) {
    (void)lane;
    (void)worker;
    (void)job;
}
#define NNRT_GROUP_RUN_H /* workers call that one */
#include "group/workers.h"

/* The n-th mutex or condition is refused. true: it was asked for. */
static bool refused(int n, bool (*open)(void)) {
    bool opened, reached;
    locks_until_refusal = n;
    (void)nnrt__fail(OH_NN_FAILED, "stale");
    opened = open();
    reached = locks_until_refusal < 0;
    locks_until_refusal = -1;
    cr_assert_eq(opened, !reached, "lock %d", n);
    cr_assert_eq(locks_live, 0, "lock %d leaves %d", n, locks_live);
    cr_assert_eq(counting_live(), 0, "lock %d", n);
    return reached;
}

static bool open_gate(void) {
    nnrt__gate gate;
    memset(&gate, 0, sizeof(gate));
    if (!nnrt__gate_init(&gate)) return false;
    cr_assert(nnrt__gate_try(&gate));
    nnrt__gate_leave(&gate);
    nnrt__gate_destroy(&gate);
    return true;
}

static bool open_queue(void) {
    nnrt__queue queue;
    const OH_NN_ReturnCode code = nnrt__queue_open(&queue);
    if (code != OH_NN_SUCCESS) {
        cr_assert_eq(code, OH_NN_MEMORY_ERROR);
        cr_assert_str_neq(nnrt__sentence(), "stale");
        return false;
    }
    nnrt__cond_destroy(&queue.changed); /* those of a device live as long as the process */
    nnrt__mutex_destroy(&queue.mutex);
    return true;
}

static bool open_team(void) {
    nnrt__team *team = nnrt__team_new(3, OH_NN_PRIORITY_NONE);
    if (team == NULL) return false;
    cr_assert_eq(team->thread_count, 3u);
    nnrt__team_free(team);
    return true;
}

static bool open_scheduler(void) {
    nnrt_scheduler *scheduler = NULL;
    OH_NN_ReturnCode code = nnrt_scheduler_create(1, &scheduler);
    if (code == OH_NN_SUCCESS) {
        code = nnrt_scheduler_set_device_workers(scheduler, 7, 2); /* a lane more */
        cr_assert_eq(nnrt_scheduler_destroy(&scheduler), OH_NN_SUCCESS);
    }
    cr_assert_null(scheduler);
    if (code == OH_NN_SUCCESS) return true;
    cr_assert_eq(code, OH_NN_MEMORY_ERROR);
    cr_assert_str_eq(nnrt__sentence(), "out of memory");
    return false;
}

Test(locks, what_the_system_refuses_is_said_and_leaves_nothing) {
    bool (*const opens[4])(void) = {open_gate, open_queue, open_team, open_scheduler};
    const int locks[4] = {2, 2, 3, 4};
    int i, n;
    for (i = 0; i < 4; i++) {
        for (n = 0; refused(n, opens[i]); n++) continue;
        cr_assert_eq(n, locks[i], "room %d", i);
    }
}

Test(locks, a_team_has_as_many_threads_as_the_system_gives) {
    int n;
    for (n = 0; n < 4; n++) {
        nnrt__team *team;
        threads_until_refusal = n;
        team = nnrt__team_new(4, OH_NN_PRIORITY_NONE);
        threads_until_refusal = -1;
        cr_assert_not_null(team);
        cr_assert_eq(team->thread_count, n < 3 ? (uint32_t)n + 1 : 4u);
        nnrt__team_free(team);
        cr_assert(locks_live == 0 && counting_live() == 0, "%d threads", n + 1);
    }
}

Test(locks, a_device_whose_workers_cannot_all_be_started_says_so_and_may_be_started_again) {
    int n;
    for (n = 0; n < 4; n++) {
        nnrt_scheduler *scheduler = NULL;
        cr_assert_eq(nnrt_scheduler_create(3, &scheduler), OH_NN_SUCCESS);
        threads_until_refusal = n;
        cr_assert_eq(nnrt__lane_start(scheduler->lanes), n < 3 ? OH_NN_MEMORY_ERROR : OH_NN_SUCCESS);
        threads_until_refusal = -1;
        if (n < 3) cr_assert_str_eq(nnrt__sentence(), "the system starts no thread");
        cr_assert_eq(nnrt__lane_start(scheduler->lanes), OH_NN_SUCCESS);
        cr_assert_eq(nnrt_scheduler_destroy(&scheduler), OH_NN_SUCCESS);
        cr_assert(locks_live == 0 && counting_live() == 0, "%d threads", n);
    }
}
