/* SPDX-License-Identifier: Apache-2.0 */
/* group/workers.h - the threads of lanes, which run what is ready.   >>group_workers */
#ifndef NNRT_GROUP_WORKERS_H
#define NNRT_GROUP_WORKERS_H

#include "run.h"

NNRT__FN void *nnrt__lane_body(void *argument) {
    const nnrt__lane_worker *worker = (const nnrt__lane_worker *)argument;
    nnrt__lane *lane = worker->lane;
    nnrt_scheduler *scheduler = lane->scheduler;
    nnrt__mutex_lock(&scheduler->mutex);
    while (!scheduler->stop) {
        nnrt__job *job = nnrt__ready_take(scheduler, lane);
        if (job != NULL) nnrt__job_run(lane, worker->number, job);
        else nnrt__cond_wait(&lane->work, &scheduler->mutex);
    }
    nnrt__mutex_unlock(&scheduler->mutex);
    return NULL;
}

/* Starts the missing workers of lane. */
NNRT__FN OH_NN_ReturnCode nnrt__lane_start(nnrt__lane *lane) {
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    nnrt__mutex_lock(&lane->scheduler->mutex);
    if (lane->since_ns == 0) lane->since_ns = nnrt__now_ns();
    for (i = 0; NNRT__HAS_THREADS && i < lane->worker_count && code == OH_NN_SUCCESS; i++) {
        nnrt__lane_worker *worker = &lane->workers[i];
        if (worker->started) continue;
        worker->started = nnrt__thread_start(&worker->thread, nnrt__lane_body, worker);
        if (!worker->started) code = nnrt__fail(OH_NN_MEMORY_ERROR, "the system starts no thread");
    }
    nnrt__mutex_unlock(&lane->scheduler->mutex);
    return code;
}

/* Without threads: runs one job of any lane in this one; false: nothing is ready. The mutex is held. */
NNRT__FN bool nnrt__scheduler_help(nnrt_scheduler *scheduler) {
    nnrt__lane *lane;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    for (lane = scheduler->lanes; lane != NULL; lane = lane->next) {
        nnrt__job *job = nnrt__ready_take(scheduler, lane);
        if (job == NULL) continue;
        nnrt__job_run(lane, 0, job);
        return true;
    }
    return false;
}

#endif /* NNRT_GROUP_WORKERS_H */
