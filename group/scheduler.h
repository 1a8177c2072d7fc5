/* SPDX-License-Identifier: Apache-2.0 */
/* group/scheduler.h - lanes, and the list of ready jobs.   >>group_scheduler

   A worker takes the first job of the list that its lane may run. The order of the list, by priority and then by the
   sequence of frames, is the whole policy. Its length is at most frames in flight times their stages, and it is walked
   under the mutex. */
#ifndef NNRT_GROUP_SCHEDULER_H
#define NNRT_GROUP_SCHEDULER_H

#include "types.h"

/* ------------------------------------------------------------------------------------------------- lanes */

/* Appends a lane. OH_NN_FAILED: there are as many as there can be; OH_NN_MEMORY_ERROR. The mutex is held. */
NNRT__FN OH_NN_ReturnCode nnrt__lane_new(nnrt_scheduler *scheduler, size_t device_id, uint32_t workers,
                                         nnrt__lane **made) {
    nnrt__lane **link = &scheduler->lanes, *lane;
    uint32_t i;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    NNRT_ASSERT(workers >= 1 && workers <= NNRT_SCHEDULER_MOST_WORKERS);
    if (scheduler->lane_count > NNRT_SCHEDULER_MOST_DEVICES)
        return nnrt__fail(OH_NN_FAILED, "a scheduler drives no more than %u devices", NNRT_SCHEDULER_MOST_DEVICES);
    lane = (nnrt__lane *)nnrt__alloc_zero(1, sizeof(*lane));
    if (lane == NULL || !nnrt__cond_init(&lane->work)) {
        nnrt__free(lane);
        return nnrt__fail_memory();
    }
    lane->scheduler = scheduler;
    lane->device_id = device_id;
    lane->worker_count = workers;
    for (i = 0; i < NNRT_SCHEDULER_MOST_WORKERS; i++) {
        lane->workers[i].lane = lane;
        lane->workers[i].number = i;
    }
    while (*link != NULL) link = &(*link)->next;
    lane->number = scheduler->lane_count++;
    *link = lane;
    *made = lane;
    return OH_NN_SUCCESS;
}

/* The lane of a device, made if there is none: one, whoever asks at the same time. The codes are those of
   nnrt__lane_new. */
NNRT__FN OH_NN_ReturnCode nnrt__lane_of_device(nnrt_scheduler *scheduler, size_t device_id, nnrt__lane **found) {
    nnrt__lane *lane;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    NNRT_ASSERT(device_id != 0); /* that is lane 0 */
    nnrt__mutex_lock(&scheduler->mutex);
    for (lane = scheduler->lanes->next; lane != NULL && lane->device_id != device_id;) lane = lane->next;
    if (lane != NULL) *found = lane;
    else code = nnrt__lane_new(scheduler, device_id, 1, found);
    nnrt__mutex_unlock(&scheduler->mutex);
    return code;
}

/* ----------------------------------------------------------------------------------------- the ready list

   The mutex is held. */

/* Wakes the workers that could take job. */
NNRT__FN void nnrt__ready_wake(nnrt_scheduler *scheduler, uint64_t lanes) {
    nnrt__lane *lane;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    for (lane = scheduler->lanes; lane != NULL; lane = lane->next)
        if ((lanes & nnrt__lane_bit(lane)) != 0) nnrt__cond_broadcast(&lane->work);
}

NNRT__FN uint64_t nnrt__job_lanes(const nnrt__job *job) {
    return job->frame != NULL ? job->group->stages[job->stage].lanes : 1;
}

NNRT__FN void nnrt__ready_put(nnrt_scheduler *scheduler, nnrt__job *job) {
    const unsigned priority = (unsigned)job->group->priority;
    nnrt__job *before = scheduler->last_ready[priority];
    NNRT__ASSERT_HELD(&scheduler->mutex);
    NNRT_ASSERT(!job->ready && job->next == NULL && job->before == NULL && job->waits == 0);
    NNRT_ASSERT(job->frame == NULL || (job->frame->state == NNRT__FRAME_FLYING && !job->frame->ending));
    while (before != NULL && before->sequence > job->sequence) before = before->before;
    job->before = before;
    job->next = before != NULL ? before->next : scheduler->first_ready[priority];
    if (before != NULL) before->next = job;
    else scheduler->first_ready[priority] = job;
    if (job->next != NULL) job->next->before = job;
    else scheduler->last_ready[priority] = job;
    job->ready = true;
    if (job->frame != NULL) job->group->statistics.ready++;
    nnrt__ready_wake(scheduler, nnrt__job_lanes(job));
}

NNRT__FN void nnrt__ready_remove(nnrt_scheduler *scheduler, nnrt__job *job) {
    const unsigned priority = (unsigned)job->group->priority;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    NNRT_ASSERT(job->ready);
    NNRT_ASSERT(job->before != NULL || scheduler->first_ready[priority] == job);
    NNRT_ASSERT(job->next != NULL || scheduler->last_ready[priority] == job);
    NNRT_ASSERT(job->frame == NULL || job->group->statistics.ready != 0);
    if (job->before != NULL) job->before->next = job->next;
    else scheduler->first_ready[priority] = job->next;
    if (job->next != NULL) job->next->before = job->before;
    else scheduler->last_ready[priority] = job->before;
    job->next = job->before = NULL;
    job->ready = false;
    if (job->frame != NULL) job->group->statistics.ready--;
}

/* An in-order function runs for a frame after it has finished all earlier frames and items. The worker that has
   finished such a call looks for the next one itself, so no other need be woken. */
NNRT__FN bool nnrt__job_has_turn(const nnrt__job *job) {
    const nnrt__stage *stage;
    const nnrt_frame *earlier;
    uint32_t i;
    NNRT__ASSERT_HELD(&job->group->scheduler->mutex);
    if (job->frame == NULL) return true;
    stage = &job->group->stages[job->stage];
    if (!stage->in_order) return true;
    for (i = 0; i < job->item; i++)
        if (!job->frame->jobs[stage->first_job + i].done) return false;
    for (earlier = job->frame->before; earlier != NULL; earlier = earlier->before)
        if (earlier->left[job->stage] != 0) return false;
    return true;
}

/* Takes the first job that lane may run; NULL: there is none. */
NNRT__FN nnrt__job *nnrt__ready_take(nnrt_scheduler *scheduler, const nnrt__lane *lane) {
    unsigned priority;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    for (priority = 0; priority < NNRT__GROUP_PRIORITIES; priority++) {
        nnrt__job *job;
        for (job = scheduler->first_ready[priority]; job != NULL; job = job->next) {
            if ((nnrt__job_lanes(job) & nnrt__lane_bit(lane)) == 0 || !nnrt__job_has_turn(job)) continue;
            nnrt__ready_remove(scheduler, job);
            return job;
        }
    }
    return NULL;
}

/* --------------------------------------------------------------------------------------------- the calls */

NNRT__FN void nnrt__scheduler_free(nnrt_scheduler *scheduler) {
    while (scheduler->lanes != NULL) {
        nnrt__lane *lane = scheduler->lanes;
        scheduler->lanes = lane->next;
        nnrt__cond_destroy(&lane->work);
        nnrt__free(lane);
    }
    nnrt__cond_destroy(&scheduler->changed);
    nnrt__mutex_destroy(&scheduler->mutex);
    nnrt__free(scheduler);
}

NNRT_API OH_NN_ReturnCode nnrt_scheduler_create(uint32_t function_workers, nnrt_scheduler **scheduler) {
    static const char function[] = "nnrt_scheduler_create";
    nnrt_scheduler *made;
    nnrt__lane *functions;
    OH_NN_ReturnCode code;
    if (scheduler == NULL) return nnrt__fail_null(function, "scheduler");
    if (*scheduler != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: *scheduler is not NULL", function);
    if (function_workers > NNRT_SCHEDULER_MOST_WORKERS)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: function_workers is %u, at most %u are possible", function,
                          (unsigned)function_workers, NNRT_SCHEDULER_MOST_WORKERS);
    if (function_workers == 0) {
        const int cores = nnrt__core_count();
        function_workers = cores < 4 ? (uint32_t)cores : 4;
    }
    made = (nnrt_scheduler *)nnrt__alloc_zero(1, sizeof(*made));
    if (made == NULL || !nnrt__mutex_init(&made->mutex)) {
        nnrt__free(made);
        return nnrt__fail_memory();
    }
    if (!nnrt__cond_init(&made->changed)) {
        nnrt__mutex_destroy(&made->mutex);
        nnrt__free(made);
        return nnrt__fail_memory();
    }
    nnrt__mutex_lock(&made->mutex);
    code = nnrt__lane_new(made, 0, function_workers, &functions);
    nnrt__mutex_unlock(&made->mutex);
    if (code != OH_NN_SUCCESS) {
        nnrt__scheduler_free(made);
        return code;
    }
    *scheduler = made;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_scheduler_set_device_workers(nnrt_scheduler *scheduler, size_t device_id,
                                                            uint32_t workers) {
    static const char function[] = "nnrt_scheduler_set_device_workers";
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t count = 0;
    nnrt__lane *lane;
    OH_NN_ReturnCode code;
    bool used;
    if (scheduler == NULL) return nnrt__fail_null(function, "scheduler");
    if (workers == 0 || workers > NNRT_SCHEDULER_MOST_WORKERS)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: workers is %u, 1 to %u are possible", function,
                          (unsigned)workers, NNRT_SCHEDULER_MOST_WORKERS);
    if (device_id == 0) {
        if (OH_NNDevice_GetAllDevicesID(&ids, &count) != OH_NN_SUCCESS || count == 0)
            return nnrt__fail(OH_NN_FAILED, "%s: there is no device", function);
        device_id = ids[0];
    }
    if (OH_NNDevice_GetName(device_id, &name) != OH_NN_SUCCESS) return OH_NN_FAILED;
    code = nnrt__lane_of_device(scheduler, device_id, &lane);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&scheduler->mutex);
    used = lane->used;
    if (!used) lane->worker_count = workers;
    nnrt__mutex_unlock(&scheduler->mutex);
    if (!used) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: a model on %.60s was added to a group already", function, name);
}

NNRT_API OH_NN_ReturnCode nnrt_scheduler_get_statistics(nnrt_scheduler *scheduler, size_t index,
                                                        nnrt_device_statistics *statistics) {
    static const char function[] = "nnrt_scheduler_get_statistics";
    const nnrt__lane *lane;
    const nnrt__job *job;
    unsigned priority;
    if (scheduler == NULL) return nnrt__fail_null(function, "scheduler");
    if (statistics == NULL) return nnrt__fail_null(function, "statistics");
    nnrt__mutex_lock(&scheduler->mutex);
    for (lane = scheduler->lanes; lane != NULL && lane->number != index;) lane = lane->next;
    if (lane != NULL) {
        memset(statistics, 0, sizeof(*statistics));
        statistics->device_id = lane->device_id;
        statistics->workers = lane->worker_count;
        statistics->runs = lane->runs;
        statistics->busy_ns = lane->busy_ns;
        if (lane->since_ns != 0) statistics->elapsed_ns = nnrt__now_ns() - lane->since_ns;
        for (priority = 0; priority < NNRT__GROUP_PRIORITIES; priority++)
            for (job = scheduler->first_ready[priority]; job != NULL; job = job->next)
                if ((nnrt__job_lanes(job) & nnrt__lane_bit(lane)) != 0) statistics->ready++;
    }
    nnrt__mutex_unlock(&scheduler->mutex);
    if (lane != NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the scheduler has no device number %zu", function, index);
}

NNRT_API OH_NN_ReturnCode nnrt_scheduler_destroy(nnrt_scheduler **scheduler) {
    static const char function[] = "nnrt_scheduler_destroy";
    nnrt_scheduler *gone;
    nnrt__lane *lane;
    uint32_t i, groups;
    bool inside;
    if (scheduler == NULL) return nnrt__fail_null(function, "scheduler");
    if (*scheduler == NULL) return nnrt__fail_null(function, "*scheduler");
    gone = *scheduler;
    nnrt__mutex_lock(&gone->mutex);
    inside = nnrt__scheduler_is_self(gone);
    groups = gone->group_count;
    if (!inside && groups == 0) {
        gone->stop = true;
        nnrt__ready_wake(gone, UINT64_MAX);
    }
    nnrt__mutex_unlock(&gone->mutex);
    if (inside) return nnrt__fail_inside(function);
    if (groups != 0)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: groups of it have to be destroyed before: %u", function,
                          (unsigned)groups);
    for (lane = gone->lanes; lane != NULL; lane = lane->next)
        for (i = 0; i < lane->worker_count; i++)
            if (lane->workers[i].started) nnrt__thread_join(&lane->workers[i].thread);
    nnrt__scheduler_free(gone);
    *scheduler = NULL;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_GROUP_SCHEDULER_H */
