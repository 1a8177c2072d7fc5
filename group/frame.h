/* SPDX-License-Identifier: Apache-2.0 */
/* group/frame.h - frames: made with all their memory, acquired, forwarded, read, released.   >>group_frame */
#ifndef NNRT_GROUP_FRAME_H
#define NNRT_GROUP_FRAME_H

#include "workers.h"

/* ---------------------------------------------------------------------------------- construction and end */

/* A descriptor of a port. NULL with a sentence. */
NNRT__FN NN_TensorDesc *nnrt__port_desc(const nnrt__group_port *port) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    if (desc == NULL) return NULL;
    if (OH_NNTensorDesc_SetName(desc, port->name) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_SetDataType(desc, port->dtype) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_SetFormat(desc, port->format) != OH_NN_SUCCESS ||
        OH_NNTensorDesc_SetShape(desc, port->dims, port->rank) != OH_NN_SUCCESS)
        (void)OH_NNTensorDesc_Destroy(&desc);
    return desc;
}

NNRT__FN void nnrt__group_tensor_free(const nnrt_group *group, NN_Tensor *tensor) {
    if (tensor == NULL) return;
    if (group->has_memory) group->memory.free(group->memory.user, tensor);
    else (void)OH_NNTensor_Destroy(&tensor);
}

/* The tensors of an output. What exists when it fails is freed with the frame. */
NNRT__FN OH_NN_ReturnCode nnrt__frame_fill_cells(nnrt_frame *frame, const nnrt__group_port *port) {
    const nnrt_group *group = frame->group;
    NN_TensorDesc *desc = nnrt__port_desc(port);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    NNRT_ASSERT(port->first_cell + port->cell_count <= group->cell_count);
    if (desc == NULL) return OH_NN_MEMORY_ERROR;
    for (i = 0; i < port->cell_count && code == OH_NN_SUCCESS; i++) {
        NN_Tensor *tensor;
        if (group->has_memory) {
            (void)nnrt__fail(OH_NN_MEMORY_ERROR, "the program allocates no memory for %.60s", port->name);
            tensor = group->memory.allocate(group->memory.user, port->device_id, desc);
        } else {
            tensor = OH_NNTensor_Create(port->device_id, desc);
        }
        frame->cells[port->first_cell + i] = tensor;
        if (tensor == NULL) code = OH_NN_MEMORY_ERROR;
    }
    (void)OH_NNTensorDesc_Destroy(&desc);
    return code;
}

/* Frees an unused frame, which may be incomplete. */
NNRT__FN void nnrt__frame_free(nnrt_frame *frame) {
    const nnrt_group *group = frame->group;
    const uint32_t inputs = group->stages[NNRT__GROUP_OUTSIDE].output_count;
    size_t i;
    for (i = 0; frame->cells != NULL && i < group->cell_count; i++) {
        /* the cells of the inputs come first */
        if (i < inputs && frame->own_inputs != NULL && frame->own_inputs[i] != NULL)
            frame->cells[i] = frame->own_inputs[i];
        nnrt__group_tensor_free(group, frame->cells[i]);
    }
    nnrt__free(frame->cells);
    nnrt__free(frame->own_inputs);
    nnrt__free(frame->arguments);
    nnrt__free(frame->lists);
    nnrt__free(frame->jobs);
    nnrt__free(frame->counts);
    nnrt__free(frame->left);
}

NNRT__FN OH_NN_ReturnCode nnrt__frame_fill(nnrt_frame *frame, nnrt_group *group) {
    const nnrt__stage *outside = &group->stages[NNRT__GROUP_OUTSIDE];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i, k;
    frame->group = group;
    frame->cells = (NN_Tensor **)nnrt__alloc_zero(group->cell_count, sizeof(frame->cells[0]));
    frame->own_inputs = (NN_Tensor **)nnrt__alloc_zero(outside->output_count, sizeof(frame->own_inputs[0]));
    frame->arguments = (NN_Tensor **)nnrt__alloc_zero(group->argument_count, sizeof(frame->arguments[0]));
    frame->lists = (nnrt_group_tensors *)nnrt__alloc_zero(group->argument_count, sizeof(frame->lists[0]));
    frame->jobs = (nnrt__job *)nnrt__alloc_zero(group->job_count, sizeof(frame->jobs[0]));
    frame->counts = (uint32_t *)nnrt__alloc_zero(group->stage_count, sizeof(frame->counts[0]));
    frame->left = (uint32_t *)nnrt__alloc_zero(group->stage_count, sizeof(frame->left[0]));
    if (frame->cells == NULL || frame->own_inputs == NULL || frame->arguments == NULL || frame->lists == NULL ||
        frame->jobs == NULL || frame->counts == NULL || frame->left == NULL)
        return nnrt__fail_memory();
    for (i = 0; i < group->stage_count; i++) {
        const nnrt__stage *stage = &group->stages[i];
        for (k = 0; k < stage->job_count; k++) {
            nnrt__job *job = &frame->jobs[stage->first_job + k];
            job->group = group;
            job->frame = frame;
            job->stage = i;
            job->item = k;
        }
        for (k = 0; k < stage->output_count && code == OH_NN_SUCCESS; k++)
            code = nnrt__frame_fill_cells(frame, &stage->outputs[k]);
    }
    if (code != OH_NN_SUCCESS) return code;
    for (i = 0; i < outside->output_count; i++) {
        NNRT_ASSERT(outside->outputs[i].first_cell == i && outside->outputs[i].cell_count == 1);
        frame->own_inputs[i] = frame->cells[i];
    }
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------- acquiring and releasing */

/* A frame in that state; NULL: none. The mutex is held. */
NNRT__FN nnrt_frame *nnrt__frame_in_state(const nnrt_group *group, nnrt__frame_state state) {
    uint32_t i;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    for (i = 0; i < group->frame_count; i++)
        if (group->frames[i].state == state) return &group->frames[i];
    return NULL;
}

/* Whether a run that was given up still uses tensors of frame. The mutex is not held; the frame is the caller's. */
NNRT__FN bool nnrt__frame_is_late(nnrt_frame *frame) {
    size_t i;
    bool late = false;
    if (!frame->has_late) return false;
    for (i = 0; i < frame->group->job_count; i++) {
        nnrt__job *job = &frame->jobs[i];
        if (job->late == NULL) continue;
        if (nnrt_executor_wait_late(job->late, 0) == OH_NN_TIMEOUT) late = true;
        else job->late = NULL;
    }
    frame->has_late = late;
    return late;
}

/* Checks the late frames. The mutex is held at entry and exit, and released meanwhile; true: one is free. */
NNRT__FN bool nnrt__group_ask_late(nnrt_group *group) {
    bool found = false;
    uint32_t i;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    for (i = 0; i < group->frame_count; i++) {
        nnrt_frame *frame = &group->frames[i];
        if (frame->state != NNRT__FRAME_LATE) continue;
        frame->state = NNRT__FRAME_ASKED;
        nnrt__mutex_unlock(&group->scheduler->mutex);
        (void)nnrt__frame_is_late(frame);
        nnrt__mutex_lock(&group->scheduler->mutex);
        NNRT_ASSERT(frame->state == NNRT__FRAME_ASKED); /* nobody else's */
        frame->state = frame->has_late ? NNRT__FRAME_LATE : NNRT__FRAME_FREE;
        found = found || !frame->has_late;
    }
    if (found) nnrt__cond_broadcast(&group->scheduler->changed);
    return found;
}

#define NNRT__GROUP_FOR_EVER UINT64_MAX
#define NNRT__GROUP_LATE_NS 5000000u /* between two checks whether a device is done */

NNRT__FN uint64_t nnrt__group_deadline(int32_t timeout_ms) {
    return timeout_ms < 0 ? NNRT__GROUP_FOR_EVER : nnrt__now_ns() + (uint64_t)timeout_ms * 1000000u;
}

/* Waits for a change; false: until has passed, or there are no threads that could change anything. The mutex is
   held. */
NNRT__FN bool nnrt__scheduler_wait(nnrt_scheduler *scheduler, uint64_t until) {
    NNRT__ASSERT_HELD(&scheduler->mutex);
    if (!NNRT__HAS_THREADS) return false;
    if (until == NNRT__GROUP_FOR_EVER) {
        nnrt__cond_wait(&scheduler->changed, &scheduler->mutex);
        return true;
    }
    if (nnrt__now_ns() >= until) return false;
    (void)nnrt__cond_wait_until(&scheduler->changed, &scheduler->mutex, until);
    return true;
}

/* Takes a free frame; NULL: none before until, or the group is being destroyed. The mutex is held. */
NNRT__FN nnrt_frame *nnrt__frame_take(nnrt_group *group, uint64_t until) {
    nnrt_frame *frame = NULL;
    bool in_time = true;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    group->waiting++;
    while (!group->destroyed) {
        frame = nnrt__frame_in_state(group, NNRT__FRAME_FREE);
        if (frame != NULL || !in_time) break;
        if (nnrt__group_ask_late(group)) continue;
        if (nnrt__frame_in_state(group, NNRT__FRAME_LATE) == NULL) {
            in_time = nnrt__scheduler_wait(group->scheduler, until);
        } else {
            const uint64_t now = nnrt__now_ns(), soon = now + NNRT__GROUP_LATE_NS;
            (void)nnrt__scheduler_wait(group->scheduler, soon < until ? soon : until);
            in_time = NNRT__HAS_THREADS && now < until;
        }
    }
    if (frame != NULL) {
        frame->state = NNRT__FRAME_HELD;
        frame->has_result = false;
    }
    group->waiting--;
    if (group->destroyed) nnrt__cond_broadcast(&group->scheduler->changed);
    return frame;
}

NNRT_API OH_NN_ReturnCode nnrt_frame_acquire(nnrt_group *group, int32_t timeout_ms, nnrt_frame **frame) {
    static const char function[] = "nnrt_frame_acquire";
    nnrt_frame *taken = NULL;
    bool inside, destroyed;
    if (group == NULL) return nnrt__fail_null(function, "group");
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    if (*frame != NULL) return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: *frame is not NULL", function);
    if (!group->finished) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is not finished", function);
    nnrt__mutex_lock(&group->scheduler->mutex);
    inside = timeout_ms != 0 && nnrt__scheduler_is_self(group->scheduler);
    if (!inside) taken = nnrt__frame_take(group, nnrt__group_deadline(timeout_ms));
    destroyed = !inside && taken == NULL && group->destroyed;
    nnrt__mutex_unlock(&group->scheduler->mutex);
    if (inside) return nnrt__fail_inside(function);
    if (destroyed) return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is being destroyed", function);
    if (taken == NULL)
        return nnrt__fail(OH_NN_TIMEOUT, "%s: all frames are in use, or still used by a run that was given up",
                          function);
    *frame = taken;
    return OH_NN_SUCCESS;
}

/* Is it the program's? */
NNRT__FN bool nnrt__frame_is_held(const nnrt_frame *frame) {
    bool held;
    nnrt__mutex_lock(&frame->group->scheduler->mutex);
    held = frame->state == NNRT__FRAME_HELD;
    nnrt__mutex_unlock(&frame->group->scheduler->mutex);
    return held;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_frame_state(const char *function) {
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the frame is in flight, or was not acquired", function);
}

NNRT_API OH_NN_ReturnCode nnrt_frame_release(nnrt_frame *frame) {
    static const char function[] = "nnrt_frame_release";
    nnrt_scheduler *scheduler;
    bool held, late;
    uint32_t i;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    scheduler = frame->group->scheduler;
    nnrt__mutex_lock(&scheduler->mutex);
    held = frame->state == NNRT__FRAME_HELD;
    if (held) frame->state = NNRT__FRAME_ASKED;
    nnrt__mutex_unlock(&scheduler->mutex);
    if (!held) return nnrt__fail_frame_state(function);
    for (i = 0; i < frame->group->stages[NNRT__GROUP_OUTSIDE].output_count; i++) frame->cells[i] = frame->own_inputs[i];
    late = nnrt__frame_is_late(frame);
    nnrt__mutex_lock(&scheduler->mutex);
    frame->state = late ? NNRT__FRAME_LATE : NNRT__FRAME_FREE;
    nnrt__cond_broadcast(&scheduler->changed);
    nnrt__mutex_unlock(&scheduler->mutex);
    if (!late) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_TIMEOUT, "%s: a run that was given up still uses the tensors of the frame", function);
}

/* ------------------------------------------------------------------------------------------------ inputs */

NNRT__FN OH_NN_ReturnCode nnrt__check_input_index(const char *function, const nnrt_frame *frame, size_t index) {
    const nnrt__stage *outside = &frame->group->stages[NNRT__GROUP_OUTSIDE];
    if (!nnrt__frame_is_held(frame)) return nnrt__fail_frame_state(function);
    if (index < outside->output_count) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no input %zu, the group has %u", function, index,
                      (unsigned)outside->output_count);
}

NNRT_API NN_Tensor *nnrt_frame_get_input(nnrt_frame *frame, size_t index) {
    static const char function[] = "nnrt_frame_get_input";
    if (frame == NULL) {
        (void)nnrt__fail_null(function, "frame");
        return NULL;
    }
    return nnrt__check_input_index(function, frame, index) == OH_NN_SUCCESS ? frame->cells[index] : NULL;
}

/* Functions trust descriptors, so tensor must have the memory that its own needs. */
NNRT__FN OH_NN_ReturnCode nnrt__check_tensor_size(const char *function, const NN_Tensor *tensor,
                                                  const NN_TensorDesc *desc) {
    size_t needed = 0, size = 0, offset = 0;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetByteSize(desc, &needed);
    if (code == OH_NN_SUCCESS) code = OH_NNTensor_GetSize(tensor, &size);
    if (code == OH_NN_SUCCESS) code = OH_NNTensor_GetOffset(tensor, &offset);
    if (code != OH_NN_SUCCESS || size - offset >= needed) return code;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the tensor has %zu bytes, its descriptor needs %zu", function,
                      size - offset, needed);
}

/* Refuses a tensor without the type and shape of port. */
NNRT__FN OH_NN_ReturnCode nnrt__check_tensor(const char *function, const NN_Tensor *tensor,
                                             const nnrt__group_port *port) {
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    OH_NN_DataType dtype = OH_NN_UNKNOWN;
    nnrt__shape_text given, wanted;
    int32_t *dims = NULL;
    size_t rank = 0;
    OH_NN_ReturnCode code = OH_NNTensorDesc_GetDataType(desc, &dtype);
    if (code == OH_NN_SUCCESS) code = OH_NNTensorDesc_GetShape(desc, &dims, &rank);
    if (code != OH_NN_SUCCESS) return code;
    if (dtype == port->dtype && rank == port->rank && memcmp(dims, port->dims, rank * sizeof(dims[0])) == 0)
        return nnrt__check_tensor_size(function, tensor, desc);
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the tensor is %s %s, %.40s is %s %s", function,
                      nnrt__dtype_name(dtype), nnrt__shape_print(&given, (uint32_t)rank, dims), port->name,
                      nnrt__dtype_name(port->dtype), nnrt__shape_print(&wanted, port->rank, port->dims));
}

NNRT_API OH_NN_ReturnCode nnrt_frame_set_input(nnrt_frame *frame, size_t index, NN_Tensor *tensor) {
    static const char function[] = "nnrt_frame_set_input";
    OH_NN_ReturnCode code;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    code = nnrt__check_input_index(function, frame, index);
    if (code == OH_NN_SUCCESS && tensor != NULL)
        code = nnrt__check_tensor(function, tensor, &frame->group->stages[NNRT__GROUP_OUTSIDE].outputs[index]);
    if (code == OH_NN_SUCCESS) frame->cells[index] = tensor != NULL ? tensor : frame->own_inputs[index];
    return code;
}

/* ----------------------------------------------------------------------------------------------- forward */

/* Resets a frame to the state before any stage has run. The mutex is held. */
NNRT__FN void nnrt__frame_reset(nnrt_frame *frame) {
    const nnrt_group *group = frame->group;
    uint32_t i, k;
    NNRT__ASSERT_HELD(&group->scheduler->mutex);
    NNRT_ASSERT(frame->running == 0);
    frame->open_stages = group->stage_count;
    frame->ending = frame->begun = frame->has_result = false;
    frame->status = NNRT_FRAME_SUCCESS;
    frame->code = OH_NN_SUCCESS;
    frame->sentence[0] = '\0';
    frame->forward_ns = nnrt__now_ns();
    frame->sequence = ++group->scheduler->sequence;
    for (i = 0; i < group->stage_count; i++) {
        const nnrt__stage *stage = &group->stages[i];
        frame->left[i] = stage->job_count;
        frame->counts[i] = i == NNRT__GROUP_OUTSIDE ? 1 : 0;
        for (k = 0; k < stage->job_count; k++) {
            nnrt__job *job = &frame->jobs[stage->first_job + k];
            NNRT_ASSERT(!job->ready && job->late == NULL);
            job->waits = stage->input_count;
            job->sequence = frame->sequence;
            job->done = false;
        }
    }
}

/* Starts the frame. callback NULL: a thread waits for it. The mutex is held. */
NNRT__FN void nnrt__frame_launch(nnrt_frame *frame, uint64_t frame_id, nnrt_frame_callback callback, void *user) {
    nnrt_group *group = frame->group;
    nnrt__frame_reset(frame);
    frame->id = frame_id;
    frame->callback = callback;
    frame->user = user;
    frame->state = NNRT__FRAME_FLYING;
    group->statistics.in_flight++;
    frame->next = NULL;
    frame->before = group->last_flying;
    if (group->last_flying != NULL) group->last_flying->next = frame;
    else group->first_flying = frame;
    group->last_flying = frame;
    if (callback != NULL) {
        frame->next_async = NULL;
        if (group->last_async != NULL) group->last_async->next_async = frame;
        else group->first_async = frame;
        group->last_async = frame;
    }
    nnrt__job_over(&frame->jobs[0], 0); /* the outside: its outputs are ready */
}

/* Everything before the launch. */
NNRT__FN OH_NN_ReturnCode nnrt__frame_ready(const char *function, nnrt_frame *frame) {
    const nnrt__stage *outside = &frame->group->stages[NNRT__GROUP_OUTSIDE];
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    if (!nnrt__frame_is_held(frame)) return nnrt__fail_frame_state(function);
    if (nnrt__frame_is_late(frame))
        return nnrt__fail(OH_NN_TIMEOUT, "%s: a run that was given up still uses the tensors of the frame", function);
    for (i = 0; i < outside->output_count && code == OH_NN_SUCCESS; i++)
        if (frame->cells[i] == frame->own_inputs[i])
            code = nnrt__flush_written(frame->group, &outside->outputs[i], &frame->cells[i], 1);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__fail_destroyed(const char *function) {
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the group is being destroyed", function);
}

NNRT_API OH_NN_ReturnCode nnrt_frame_forward_sync(nnrt_frame *frame, uint64_t frame_id) {
    static const char function[] = "nnrt_frame_forward_sync";
    nnrt_scheduler *scheduler;
    OH_NN_ReturnCode code;
    bool inside;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    scheduler = frame->group->scheduler;
    nnrt__mutex_lock(&scheduler->mutex);
    inside = nnrt__scheduler_is_self(scheduler);
    nnrt__mutex_unlock(&scheduler->mutex);
    if (inside) return nnrt__fail_inside(function);
    code = nnrt__frame_ready(function, frame);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&scheduler->mutex);
    if (frame->group->destroyed) {
        code = nnrt__fail_destroyed(function);
    } else {
        nnrt__frame_launch(frame, frame_id, NULL, NULL);
        while (frame->state == NNRT__FRAME_FLYING) {
            if (NNRT__HAS_THREADS) nnrt__cond_wait(&scheduler->changed, &scheduler->mutex);
            else (void)nnrt__scheduler_help(scheduler);
        }
        code = frame->code;
        if (code != OH_NN_SUCCESS) (void)nnrt__fail(code, "%s", frame->sentence);
        NNRT_ASSERT(frame->state == NNRT__FRAME_HELD && frame->has_result);
        NNRT_ASSERT(frame->group->statistics.in_flight != 0);
        frame->group->statistics.in_flight--;
        nnrt__cond_broadcast(&scheduler->changed);
    }
    nnrt__mutex_unlock(&scheduler->mutex);
    return code;
}

NNRT_API OH_NN_ReturnCode nnrt_frame_forward_async(nnrt_frame *frame, uint64_t frame_id, nnrt_frame_callback callback,
                                                   void *user) {
    static const char function[] = "nnrt_frame_forward_async";
    OH_NN_ReturnCode code;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    if (callback == NULL) return nnrt__fail_null(function, "callback");
    if (!NNRT__HAS_THREADS)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: this build has no threads (NNRT_NO_THREADS)", function);
    code = nnrt__frame_ready(function, frame);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__mutex_lock(&frame->group->scheduler->mutex);
    if (frame->group->destroyed) code = nnrt__fail_destroyed(function);
    else nnrt__frame_launch(frame, frame_id, callback, user);
    nnrt__mutex_unlock(&frame->group->scheduler->mutex);
    return code;
}

/* ----------------------------------------------------------------------------------------------- results */

/* Refuses a frame that is in flight or never was. */
NNRT__FN OH_NN_ReturnCode nnrt__check_ended(const char *function, const nnrt_frame *frame) {
    if (nnrt__frame_is_held(frame) && frame->has_result) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the frame was not forwarded yet, or is in flight", function);
}

NNRT_API OH_NN_ReturnCode nnrt_frame_get_result(const nnrt_frame *frame, nnrt_frame_status *status,
                                                OH_NN_ReturnCode *code, uint64_t *frame_id) {
    OH_NN_ReturnCode checked;
    if (frame == NULL) return nnrt__fail_null("nnrt_frame_get_result", "frame");
    checked = nnrt__check_ended("nnrt_frame_get_result", frame);
    if (checked != OH_NN_SUCCESS) return checked;
    if (status != NULL) *status = frame->status;
    if (code != NULL) *code = frame->code;
    if (frame_id != NULL) *frame_id = frame->id;
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__check_output_index(const char *function, const nnrt_frame *frame, size_t index) {
    OH_NN_ReturnCode code = nnrt__check_ended(function, frame);
    if (code != OH_NN_SUCCESS) return code;
    if (frame->status != NNRT_FRAME_SUCCESS)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "%s: the frame has not succeeded", function);
    if (index < frame->group->output_count) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no output %zu, the group has %u", function, index,
                      (unsigned)frame->group->output_count);
}

NNRT_API OH_NN_ReturnCode nnrt_frame_get_output_count(const nnrt_frame *frame, size_t index, uint32_t *count) {
    static const char function[] = "nnrt_frame_get_output_count";
    OH_NN_ReturnCode code;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    if (count == NULL) return nnrt__fail_null(function, "count");
    code = nnrt__check_output_index(function, frame, index);
    if (code == OH_NN_SUCCESS)
        *count = nnrt__output_items(frame, frame->group->outputs[index].stage, frame->group->outputs[index].port);
    return code;
}

NNRT_API NN_Tensor *nnrt_frame_get_output(const nnrt_frame *frame, size_t index, uint32_t item) {
    static const char function[] = "nnrt_frame_get_output";
    const nnrt__group_output *output;
    uint32_t count;
    if (frame == NULL) {
        (void)nnrt__fail_null(function, "frame");
        return NULL;
    }
    if (nnrt__check_output_index(function, frame, index) != OH_NN_SUCCESS) return NULL;
    output = &frame->group->outputs[index];
    count = nnrt__output_items(frame, output->stage, output->port);
    if (item >= count) {
        (void)nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no item %u, output %zu has %u", function,
                         (unsigned)item, index, (unsigned)count);
        return NULL;
    }
    return *nnrt__output_cell(frame, &frame->group->stages[output->stage].outputs[output->port], item);
}

NNRT_API OH_NN_ReturnCode nnrt_frame_get_run(const nnrt_frame *frame, size_t index, uint32_t item,
                                             nnrt_frame_run *run) {
    static const char function[] = "nnrt_frame_get_run";
    const nnrt__stage *stage;
    OH_NN_ReturnCode code;
    if (frame == NULL) return nnrt__fail_null(function, "frame");
    if (run == NULL) return nnrt__fail_null(function, "run");
    code = nnrt__check_ended(function, frame);
    if (code != OH_NN_SUCCESS) return code;
    if (index >= frame->group->stage_count - 1) /* without the outside */
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: there is no stage %zu, the group has %u", function, index,
                          (unsigned)(frame->group->stage_count - 1));
    stage = &frame->group->stages[index + 1];
    if (item >= stage->job_count || !frame->jobs[stage->first_job + item].done)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: item %u of %.60s did not run", function, (unsigned)item,
                          stage->name);
    *run = frame->jobs[stage->first_job + item].run;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_GROUP_FRAME_H */
