/* SPDX-License-Identifier: Apache-2.0 */
/* group/run.h - running a job, what follows from it, the end of a frame and its callback.   >>group_run

   Exactly one end: a frame is over when all its stages are, or when it is ending (failed or aborted) and none of its
   jobs runs any more. The first decision counts; results of jobs still running then are dropped. */
#ifndef NNRT_GROUP_RUN_H
#define NNRT_GROUP_RUN_H

#include "scheduler.h"

/* ------------------------------------------------------------------------------------------------- a run

   The mutex is not held. What is read here was written under it before the job became ready. */

NNRT__FN const nnrt__group_port *nnrt__input_source(const nnrt_group *group, const nnrt__group_port *input) {
    NNRT_ASSERT(input->from_stage < group->stage_count);
    NNRT_ASSERT(input->from_port < group->stages[input->from_stage].output_count);
    return &group->stages[input->from_stage].outputs[input->from_port];
}

/* The tensor of an output for item; an output that is the same for all items has one. */
NNRT__FN NN_Tensor *const *nnrt__output_cell(const nnrt_frame *frame, const nnrt__group_port *output, uint32_t item) {
    NNRT_ASSERT(output->cell_count == 1 || item < output->cell_count);
    NNRT_ASSERT(output->first_cell + output->cell_count <= frame->group->cell_count);
    return &frame->cells[output->first_cell + (output->cell_count > 1 ? item : 0)];
}

/* How many items of an output a frame has. */
NNRT__FN uint32_t nnrt__output_items(const nnrt_frame *frame, uint32_t stage, uint32_t port) {
    const nnrt__stage *from = &frame->group->stages[stage];
    NNRT_ASSERT(stage < frame->group->stage_count && port < from->output_count);
    return frame->counts[from->outputs[port].list ? stage : from->scope];
}

/* Flushes count written tensors from cells on, in the program's memory. */
NNRT__FN OH_NN_ReturnCode nnrt__flush_written(const nnrt_group *group, const nnrt__group_port *output,
                                              NN_Tensor *const *cells, uint32_t count) {
    const nnrt_group_memory *memory = &group->memory;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (!group->has_memory || memory->flush == NULL || !(output->to_device || output->to_cpu)) return code;
    (void)nnrt__fail(OH_NN_FAILED, "the memory of %.60s could not be flushed", output->name);
    for (i = 0; i < count && code == OH_NN_SUCCESS; i++)
        code = memory->flush(memory->user, cells[i], output->to_device);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__run_model(const nnrt__job *job, OH_NNExecutor *executor) {
    const nnrt_group *group = job->group;
    const nnrt__stage *stage = &group->stages[job->stage];
    const uint32_t inputs = stage->input_count, outputs = stage->output_count;
    NN_Tensor **arguments = job->frame->arguments + stage->first_argument + (size_t)job->item * (inputs + outputs);
    OH_NN_ReturnCode code;
    uint32_t i;
    NNRT_ASSERT(nnrt__stage_is_model(stage) && job->item < stage->job_count);
    for (i = 0; i < inputs; i++)
        arguments[i] = *nnrt__output_cell(job->frame, nnrt__input_source(group, &stage->inputs[i]), job->item);
    for (i = 0; i < outputs; i++) arguments[inputs + i] = *nnrt__output_cell(job->frame, &stage->outputs[i], job->item);
    code = OH_NNExecutor_RunSync(executor, arguments, inputs, arguments + inputs, outputs);
    for (i = 0; i < outputs && code == OH_NN_SUCCESS; i++)
        code = nnrt__flush_written(group, &stage->outputs[i], &arguments[inputs + i], 1);
    return code;
}

/* *items: how many the function says it has made. */
NNRT__FN OH_NN_ReturnCode nnrt__run_function(const nnrt__job *job, uint32_t *items) {
    const nnrt_group *group = job->group;
    const nnrt__stage *stage = &group->stages[job->stage];
    const uint32_t inputs = stage->input_count, outputs = stage->output_count;
    nnrt_group_tensors *lists = job->frame->lists + stage->first_argument + (size_t)job->item * (inputs + outputs);
    nnrt_group_call call;
    OH_NN_ReturnCode code;
    uint32_t i;
    NNRT_ASSERT(!nnrt__stage_is_model(stage) && stage->run != NULL && job->item < stage->job_count);
    for (i = 0; i < inputs; i++) {
        const nnrt__group_port *input = &stage->inputs[i], *from = nnrt__input_source(group, input);
        lists[i].tensors = nnrt__output_cell(job->frame, from, input->list ? 0 : job->item);
        lists[i].count = input->list ? nnrt__output_items(job->frame, input->from_stage, input->from_port) : 1;
    }
    for (i = 0; i < outputs; i++) {
        lists[inputs + i].tensors = nnrt__output_cell(job->frame, &stage->outputs[i], job->item);
        lists[inputs + i].count = stage->outputs[i].list ? stage->most_items : 1;
    }
    call.frame_id = job->frame->id;
    call.item = job->item;
    call.inputs = lists;
    call.outputs = lists + inputs;
    call.item_count = 0;
    (void)nnrt__fail(OH_NN_FAILED, "it gave no reason");
    code = stage->run(stage->user, &call);
    if (code == OH_NN_SUCCESS && call.item_count > stage->most_items && stage->most_items != 0)
        code = nnrt__fail(OH_NN_INVALID_PARAMETER, "%.60s made %u items, %u are possible", stage->type,
                          (unsigned)call.item_count, (unsigned)stage->most_items);
    for (i = 0; i < outputs && code == OH_NN_SUCCESS; i++)
        code = nnrt__flush_written(group, &stage->outputs[i], lists[inputs + i].tensors,
                                   stage->outputs[i].list ? call.item_count : 1);
    *items = stage->most_items != 0 ? call.item_count : 0;
    return code;
}

/* --------------------------------------------------------------------------------------- the end of a frame

   The mutex is held. */

/* Queues the callback of the frame that was forwarded first, if that has ended and no callback is under way. */
NNRT__FN void nnrt__callbacks_wake(nnrt_group *group) {
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    if (group->calling || group->callbacks.ready || group->first_async == NULL ||
        group->first_async->state != NNRT__FRAME_ENDED)
        return;
    group->callbacks.sequence = group->first_async->sequence;
    nnrt__ready_put(group->scheduler, &group->callbacks);
}

NNRT__FN void nnrt__frame_unlink(nnrt_frame *frame) {
    nnrt_group *group = frame->group;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(frame->before != NULL || group->first_flying == frame);
    NNRT_ASSERT(frame->next != NULL || group->last_flying == frame);
    if (frame->before != NULL) frame->before->next = frame->next;
    else group->first_flying = frame->next;
    if (frame->next != NULL) frame->next->before = frame->before;
    else group->last_flying = frame->before;
    frame->next = frame->before = NULL;
}

/* Ends a frame whose result is known and of which nothing runs. */
NNRT__FN void nnrt__frame_over(nnrt_frame *frame) {
    nnrt_group *group = frame->group;
    nnrt_group_statistics *statistics = &group->statistics;
    const uint64_t now = nnrt__now_ns();
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(frame->state == NNRT__FRAME_FLYING && !frame->has_result && frame->running == 0);
    NNRT_ASSERT(frame->ending == (frame->status != NNRT_FRAME_SUCCESS) && (frame->ending || frame->open_stages == 0));
    nnrt__frame_unlink(frame);
    frame->has_result = true;
    if (frame->status == NNRT_FRAME_SUCCESS) {
        statistics->succeeded++;
        nnrt__times_add(&statistics->queued, frame->begin_ns - frame->forward_ns);
        nnrt__times_add(&statistics->executed, now - frame->begin_ns);
        nnrt__times_add(&statistics->total, now - frame->forward_ns);
    } else if (frame->status == NNRT_FRAME_FAILURE) {
        statistics->failed++;
    } else {
        statistics->aborted++;
    }
    frame->state = frame->callback != NULL ? NNRT__FRAME_ENDED : NNRT__FRAME_HELD;
    nnrt__callbacks_wake(group);
    nnrt__ready_wake(group->scheduler, 1); /* in-order functions may be able to run now */
    nnrt__cond_broadcast(&group->scheduler->changed);
}

/* Makes the frame fail or abort, with this sentence. */
NNRT__FN void nnrt__frame_end(nnrt_frame *frame, nnrt_frame_status status, OH_NN_ReturnCode code,
                              const char *sentence) {
    nnrt_group *group = frame->group;
    size_t i;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(frame->state == NNRT__FRAME_FLYING && status != NNRT_FRAME_SUCCESS && code != OH_NN_SUCCESS);
    if (frame->ending) return;
    frame->ending = true;
    frame->status = status;
    frame->code = code;
    nnrt__format(frame->sentence, sizeof(frame->sentence), "%s", sentence);
    for (i = 0; i < group->job_count; i++)
        if (frame->jobs[i].ready) nnrt__ready_remove(group->scheduler, &frame->jobs[i]);
    if (frame->running == 0) nnrt__frame_over(frame);
}

/* Makes one callback. The mutex is released meanwhile. */
NNRT__FN void nnrt__callbacks_run(nnrt__lane *lane, nnrt_group *group) {
    nnrt_scheduler *scheduler = group->scheduler;
    nnrt_frame *frame = group->first_async;
    const nnrt_frame_callback callback = frame->callback;
    const nnrt_frame_status status = frame->status;
    const OH_NN_ReturnCode code = frame->code;
    const uint64_t begin = nnrt__now_ns();
    void *user = frame->user;
    NNRT__ASSERT_HELD(&scheduler->mutex);
    NNRT_ASSERT(!group->calling && frame->state == NNRT__FRAME_ENDED && callback != NULL);
    group->first_async = frame->next_async;
    if (group->first_async == NULL) group->last_async = NULL;
    group->calling = true;
    frame->state = NNRT__FRAME_HELD;
    if (code != OH_NN_SUCCESS) (void)nnrt__fail(code, "%s", frame->sentence);
    nnrt__mutex_unlock(&scheduler->mutex);
    callback(user, frame, status, code);
    nnrt__mutex_lock(&scheduler->mutex);
    lane->runs++;
    lane->busy_ns += nnrt__now_ns() - begin;
    group->calling = false;
    nnrt__callbacks_wake(group);
    NNRT_ASSERT(group->statistics.in_flight != 0);
    group->statistics.in_flight--;
    nnrt__cond_broadcast(&scheduler->changed); /* nnrt_group_destroy may go on once the mutex is released */
}

/* ----------------------------------------------------------------------------------- what follows from a job

   The mutex is held. */

/* One more input of job is ready. */
NNRT__FN void nnrt__job_arrived(nnrt__job *job) {
    NNRT__ASSERT_HELD(&job->group->scheduler->mutex);
    NNRT_ASSERT(job->waits != 0 && !job->ready && !job->done);
    if (--job->waits != 0) return;
    job->run.ready_ns = nnrt__now_ns();
    nnrt__ready_put(job->group->scheduler, job);
}

NNRT__FN void nnrt__all_arrived(const nnrt_frame *frame, const nnrt__stage *stage, uint32_t count) {
    uint32_t i;
    NNRT_ASSERT(count <= stage->job_count);
    for (i = 0; i < count; i++) nnrt__job_arrived(&frame->jobs[stage->first_job + i]);
}

/* All jobs of a stage are done: stages that read its items as a list may run. */
NNRT__FN void nnrt__stage_over(nnrt_frame *frame, const nnrt__stage *stage) {
    const nnrt_group *group = frame->group;
    uint32_t i;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(frame->open_stages != 0 && frame->left[stage - group->stages] == 0);
    frame->open_stages--;
    for (i = 0; i < stage->edge_count; i++) {
        const nnrt__group_edge *edge = &group->edges[stage->first_edge + i];
        const nnrt__stage *to = &group->stages[edge->stage];
        if (to->inputs[edge->port].list) nnrt__all_arrived(frame, to, to->job_count);
    }
}

/* Job is done; items: how many it made, if its stage fans out. */
NNRT__FN void nnrt__job_over(const nnrt__job *job, uint32_t items) {
    nnrt_frame *frame = job->frame;
    const nnrt_group *group = job->group;
    const nnrt__stage *stage = &group->stages[job->stage];
    uint32_t i;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(items <= stage->most_items && frame->left[job->stage] != 0 && !frame->ending);
    if (stage->most_items != 0) {
        frame->counts[job->stage] = items;
        for (i = 0; i < group->stage_count; i++)
            if (group->stages[i].scope == job->stage) frame->left[i] = items;
    }
    for (i = 0; i < stage->edge_count; i++) {
        const nnrt__group_edge *edge = &group->edges[stage->first_edge + i];
        const nnrt__stage *to = &group->stages[edge->stage];
        if (to->inputs[edge->port].list) continue;
        if (stage->outputs[edge->from_port].list) nnrt__all_arrived(frame, to, items);
        else if (stage->scope != NNRT__GROUP_OUTSIDE) nnrt__job_arrived(&frame->jobs[to->first_job + job->item]);
        else nnrt__all_arrived(frame, to, to->job_count);
    }
    if (--frame->left[job->stage] == 0) nnrt__stage_over(frame, stage);
    for (i = 0; stage->most_items != 0 && items == 0 && i < group->stage_count; i++)
        if (group->stages[i].scope == job->stage) nnrt__stage_over(frame, &group->stages[i]);
    if (frame->open_stages == 0) nnrt__frame_over(frame);
}

/* ----------------------------------------------------------------------------------------------- devices */

/* Sets a stage's lanes to those with a live device, or to all if there is none, which then reports the reason. The
   mutex is held, except by nnrt_group_finish, whose group nobody else has yet. */
NNRT__FN void nnrt__stage_choose_lanes(nnrt__stage *stage) {
    uint64_t all = 0, alive = 0;
    uint32_t i;
    if (!nnrt__stage_is_model(stage)) {
        stage->lanes = 1;
        return;
    }
    for (i = 0; i < stage->replica_count; i++) {
        all |= nnrt__lane_bit(stage->replicas[i].lane);
        if (stage->replicas[i].unavailable < NNRT__REPLICA_DEAD) alive |= nnrt__lane_bit(stage->replicas[i].lane);
    }
    stage->lanes = alive != 0 ? alive : all;
}

/* Records whether a run found the device alive. The mutex is held. */
NNRT__FN void nnrt__replica_judge(nnrt__stage *stage, nnrt__replica *replica, OH_NN_ReturnCode code) {
    if (code == OH_NN_CONNECTION_EXCEPTION) replica->unavailable = NNRT__REPLICA_DEAD;
    else if (code != OH_NN_UNAVAILABLE_DEVICE) replica->unavailable = 0;
    else if (replica->unavailable < NNRT__REPLICA_DEAD) replica->unavailable++;
    nnrt__stage_choose_lanes(stage);
}

/* The device of lane; NULL: a function. */
NNRT__FN nnrt__replica *nnrt__stage_replica(const nnrt__stage *stage, const nnrt__lane *lane) {
    uint32_t i;
    for (i = 0; i < stage->replica_count; i++)
        if (stage->replicas[i].lane == lane) return &stage->replicas[i];
    return NULL;
}

/* ------------------------------------------------------------------------------------------------ a job */

/* Records the statistics and result of a finished job. */
NNRT__FN void nnrt__job_account(nnrt__lane *lane, nnrt__job *job, nnrt__replica *replica, OH_NN_ReturnCode code) {
    nnrt__stage *stage = &job->group->stages[job->stage];
    NNRT__ASSERT_HELD(&lane->scheduler->mutex);
    NNRT_ASSERT(!job->done);
    job->run.device_id = lane->device_id;
    job->run.end_ns = nnrt__now_ns();
    job->done = true;
    lane->runs++;
    lane->busy_ns += job->run.end_ns - job->run.begin_ns;
    nnrt__times_add(&stage->statistics.waited, job->run.begin_ns - job->run.ready_ns);
    nnrt__times_add(&stage->statistics.run, job->run.end_ns - job->run.begin_ns);
    if (code != OH_NN_SUCCESS) stage->statistics.failures++;
    if (replica != NULL) nnrt__replica_judge(stage, replica, code);
}

/* Runs job on a worker of lane. The mutex is held at entry and exit, and released meanwhile. */
NNRT__FN void nnrt__job_run(nnrt__lane *lane, uint32_t worker, nnrt__job *job) {
    nnrt_group *group = job->group;
    nnrt_frame *frame = job->frame;
    nnrt__replica *replica;
    char sentence[NNRT__SENTENCE_SIZE];
    OH_NN_ReturnCode code;
    uint32_t items = 0;
    NNRT__ASSERT_HELD(&lane->scheduler->mutex);
    if (frame == NULL) {
        nnrt__callbacks_run(lane, group);
        return;
    }
    NNRT_ASSERT(frame->state == NNRT__FRAME_FLYING && !frame->ending && !job->ready && job->waits == 0);
    replica = nnrt__stage_replica(&group->stages[job->stage], lane);
    NNRT_ASSERT((replica != NULL) == nnrt__stage_is_model(&group->stages[job->stage]));
    NNRT_ASSERT(worker < lane->worker_count);
    frame->running++;
    group->statistics.running++;
    job->run.begin_ns = nnrt__now_ns();
    if (!frame->begun) frame->begin_ns = job->run.begin_ns;
    frame->begun = true;
    nnrt__mutex_unlock(&lane->scheduler->mutex);
    code = replica != NULL ? nnrt__run_model(job, replica->executors[worker]) : nnrt__run_function(job, &items);
    if (code != OH_NN_SUCCESS)
        nnrt__format(sentence, sizeof(sentence), "frame %llu, stage %.60s: %s", (unsigned long long)frame->id,
                     group->stages[job->stage].name, nnrt__sentence());
    nnrt__mutex_lock(&lane->scheduler->mutex);
    nnrt__job_account(lane, job, replica, code);
    if (code == OH_NN_TIMEOUT && replica != NULL) {
        job->late = replica->executors[worker];
        frame->has_late = true;
    }
    NNRT_ASSERT(frame->running != 0 && group->statistics.running != 0);
    frame->running--;
    group->statistics.running--;
    if (frame->ending) {
        if (frame->running == 0) nnrt__frame_over(frame);
    } else if (code != OH_NN_SUCCESS) {
        nnrt__frame_end(frame, NNRT_FRAME_FAILURE, code, sentence);
    } else {
        nnrt__job_over(job, items);
    }
}

#endif /* NNRT_GROUP_RUN_H */
