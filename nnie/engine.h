/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/engine.h - one segment on the engine: turn, caches, task, end.   >>nnie_engine

   The driver queues a task and answers Query; nothing wakes a program except a Query that blocks for up to 50 seconds.
   So Query is polled at intervals of a sixteenth of the time so far: the end is noticed at most that late, and a long
   task costs few queries.

     finished                   the task is over
     engine or configuration    over, too: the driver has reset the engine, and says so once
     not ready                  over: there is no driver, or the media system has ended, and tasks with it
     -1                         a signal came in between: asked again
     another code, or too long  nobody knows: the task is lost. Its memory is kept, and nobody is let onto the core
                                until Query says that it has ended */
#ifndef NNRT_NNIE_ENGINE_H
#define NNRT_NNIE_ENGINE_H

#include "device.h"

#define NNRT__NNIE_POLL_LEAST_NS 50000u
#define NNRT__NNIE_POLL_MOST_NS 1000000u
#define NNRT__NNIE_PATIENCE_NS 55000000000u /* the driver's own 50 s, and some */
#define NNRT__NNIE_SIGNALS 1000u            /* answers -1 that are believed */

/* ---------------------------------------------------------------------------------------------- the turn */

/* Whether a code of Query means that the task failed and is over. */
NNRT__FN bool nnrt__nnie_ends_task(int32_t vendor_code) {
    return (uint32_t)vendor_code == NNRT__NNIE_SYS_TIMEOUT || (uint32_t)vendor_code == NNRT__NNIE_CFG_ERR ||
           (uint32_t)vendor_code == NNRT__NNIE_NOTREADY;
}

/* Waits, inside the gate, until a lost task is over, at most until until_ns. OH_NN_CONNECTION_EXCEPTION: it is not. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_await_lost(nnrt__nnie_device *device, uint64_t until_ns) {
    NNRT_ASSERT(nnrt__gate_is_busy(&device->gate));
    while (device->has_lost) {
        int32_t finished = 0;
        const int32_t vendor_code = device->library.api.query(device->core, device->lost_handle, &finished, 0);
        if ((vendor_code == 0 && finished != 0) || nnrt__nnie_ends_task(vendor_code)) {
            device->has_lost = false;
            nnrt__nnie_find_again(device);
        } else if (nnrt__now_ns() >= until_ns) {
            return nnrt__fail(OH_NN_CONNECTION_EXCEPTION,
                              "the NNIE has hung: a task that was given up has not ended; look at dmesg and "
                              "/proc/umap/nnie, load the modules again or reset the board");
        } else {
            nnrt__sleep_ns(NNRT__NNIE_POLL_MOST_NS);
        }
    }
    return OH_NN_SUCCESS;
}

NNRT__FN void nnrt__nnie_leave(nnrt__nnie_executor *self) {
    NNRT_ASSERT(nnrt__atomic_load(&self->in_gate) == 1);
    nnrt__atomic_store(&self->in_gate, 0);
    nnrt__gate_leave(&self->model->device->gate);
}

/* Waits for the core: for a running task without limit, for a given-up one a grace period. On failure the core was not
   taken. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_enter(nnrt__nnie_executor *self) {
    nnrt__nnie_device *device = self->model->device;
    OH_NN_ReturnCode code;
    if (!nnrt__gate_enter(&device->gate) &&
        !nnrt__gate_enter_until(&device->gate, nnrt__runner_grace_ends(&self->npu.runner)))
        return nnrt__runner_hangs(&self->npu.runner);
    NNRT_ASSERT(nnrt__atomic_load(&self->in_gate) == 0);
    nnrt__atomic_store(&self->in_gate, 1);
    code = nnrt__runner_is_given_up(&self->npu.runner)
               ? nnrt__runner_late()
               : nnrt__nnie_await_lost(device, nnrt__runner_grace_ends(&self->npu.runner));
    if (code != OH_NN_SUCCESS) nnrt__nnie_leave(self);
    return code;
}

/* ------------------------------------------------------------------------------------------------ a task */

/* Describes a task's inputs and outputs in the engine's structures. */
NNRT__FN void nnrt__nnie_fill_blob(const nnrt__nnie_executor *self, uint32_t index, const nnrt__nnie_node *node,
                                   uint64_t physical, uint8_t *data, const uint32_t *steps, nnrt__nnie_blob *blob) {
    const nnrt__nnie_value *value = &self->model->values[index];
    NNRT_ASSERT(index < self->model->value_count && value->has_blob);
    memset(blob, 0, sizeof(*blob));
    blob->type = node->type;
    blob->stride = value->stride;
    blob->address = (uint64_t)(uintptr_t)data;
    blob->physical = physical;
    blob->count = value->is_boxes ? 1 : self->rows[index];
    if (node->type == NNRT__NNIE_SEQ_S32) {
        blob->count = self->model->options.batch;
        blob->shape.sequence.dim = node->width;
        blob->shape.sequence.steps = (uint64_t)(uintptr_t)steps;
        return;
    }
    blob->shape.map.width = node->width;
    blob->shape.map.height = value->is_boxes ? self->rows[index] : node->height;
    blob->shape.map.channels = node->channels;
}

/* Finds where value index is in this run. */
NNRT__FN void nnrt__nnie_locate(const nnrt__nnie_executor *self, uint32_t index, uint64_t *physical, uint8_t **data) {
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t offset = model->values[index].offset;
    uint32_t i;
    NNRT_ASSERT(index < model->value_count && model->values[index].has_blob);
    if (offset != NNRT__NNIE_NONE) {
        NNRT_ASSERT(offset >= model->task_size && model->values[index].bytes <= model->block_size - offset);
        *physical = self->block->physical + offset;
        *data = self->block->data + offset;
        return;
    }
    for (i = 0; model->ports[i].value != index; i++) continue; /* a value without a place is a port's */
    NNRT_ASSERT(i < self->npu.io_count);
    *physical = self->npu.places[i].physical;
    *data = self->npu.places[i].data;
}

/* Bytes of value index that this run uses. */
NNRT__FN uint32_t nnrt__nnie_used_bytes(const nnrt__nnie_executor *self, uint32_t index) {
    const nnrt__nnie_value *value = &self->model->values[index];
    NNRT_ASSERT(value->rows != 0 && value->bytes % value->rows == 0 && self->rows[index] <= value->rows);
    return value->bytes / value->rows * self->rows[index];
}

typedef struct nnrt__nnie_task {
    nnrt__nnie_executor *self;
    const nnrt__nnie_stage *stage;
    nnrt__nnie_blob inputs[NNRT__NNIE_MAX_IO], outputs[NNRT__NNIE_MAX_IO], boxes;
} nnrt__nnie_task;

NNRT__FN OH_NN_ReturnCode nnrt__nnie_flush_value(nnrt__nnie_executor *self, uint32_t index) {
    const uint32_t bytes = nnrt__nnie_used_bytes(self, index);
    uint64_t physical;
    uint8_t *data;
    if (bytes == 0) return OH_NN_SUCCESS; /* 0 may mean all of the cache */
    nnrt__nnie_locate(self, index, &physical, &data);
    self->flushes++;
    return nnrt__nnie_flush(self->model->device, physical, data, bytes);
}

/* Before the task: writes back the CPU's cache of inputs, and flushes outputs, whose dirty lines could overwrite
   results. After it: the outputs again. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_flush_task(nnrt__nnie_task *task, bool before) {
    nnrt__nnie_executor *self = task->self;
    const nnrt__nnie_stage *stage = task->stage;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; before && i < stage->input_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__nnie_flush_value(self, stage->inputs[i]);
    if (before && code == OH_NN_SUCCESS && stage->boxes != NNRT__NNIE_NONE)
        code = nnrt__nnie_flush_value(self, stage->boxes);
    if (before && code == OH_NN_SUCCESS) {
        self->flushes++;
        code = nnrt__nnie_flush(self->model->device, self->block->physical, self->block->data, self->model->task_size);
    }
    for (i = 0; i < stage->output_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__nnie_flush_value(self, stage->outputs[i]);
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_submit(nnrt__nnie_task *task) {
    nnrt__nnie_executor *self = task->self;
    const nnrt__nnie_prepared *model = self->model;
    const nnrt__nnie_device *device = model->device;
    const nnrt__nnie_stage *stage = task->stage;
    nnrt__nnie_memory temporary, task_memory;
    int32_t vendor_code;
    NNRT_ASSERT(nnrt__gate_is_busy(&model->device->gate) && !device->has_lost); /* the core is this one's */
    NNRT_ASSERT(device->temporary != NULL && device->temporary->size >= model->temporary_size);
    NNRT_ASSERT(stage->number < model->loaded->segments);
    memset(&temporary, 0, sizeof(temporary));
    memset(&task_memory, 0, sizeof(task_memory));
    temporary.physical = device->temporary->physical;
    temporary.address = (uint64_t)(uintptr_t)device->temporary->data;
    temporary.size = (uint32_t)device->temporary->size;
    task_memory.physical = self->block->physical;
    task_memory.address = (uint64_t)(uintptr_t)self->block->data;
    task_memory.size = model->task_size;
    self->handle = -1;
    if (stage->type == NNRT__NNIE_NET_ROI) {
        nnrt__nnie_forward_boxes control;
        memset(&control, 0, sizeof(control));
        control.inputs = stage->input_count;
        control.outputs = stage->output_count;
        control.proposals = 1;
        control.segment = stage->number;
        control.core = device->core;
        control.temporary = temporary;
        control.task = task_memory;
        vendor_code = device->library.api.forward_boxes(&self->handle, task->inputs, &task->boxes, model->loaded,
                                                        task->outputs, &control, 1);
        if (vendor_code != 0) return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_ForwardWithBbox");
    } else {
        nnrt__nnie_forward control;
        memset(&control, 0, sizeof(control));
        control.inputs = stage->input_count;
        control.outputs = stage->output_count;
        control.segment = stage->number;
        control.core = device->core;
        control.temporary = temporary;
        control.task = task_memory;
        vendor_code =
            device->library.api.forward(&self->handle, task->inputs, model->loaded, task->outputs, &control, 1);
        if (vendor_code != 0) return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_Forward");
    }
    return OH_NN_SUCCESS;
}

/* The task may still be in the engine: keeps all that it uses. */
NNRT__FN void nnrt__nnie_lose_task(nnrt__nnie_executor *self) {
    nnrt__nnie_device *device = self->model->device;
    uint32_t i;
    NNRT_ASSERT(nnrt__gate_is_busy(&device->gate) && !device->has_lost);
    self->lost_task = true;
    device->has_lost = true;
    device->lost_handle = self->handle;
    nnrt__nnie_lose(device, self->block);
    nnrt__nnie_lose(device, self->model->file);
    nnrt__nnie_lose(device, device->temporary);
    for (i = 0; i < self->npu.io_count; i++) {
        nnrt__nnie_lose(device, self->npu.places[i].own);
        nnrt__nnie_lose(device, self->npu.places[i].tensor);
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_wait(nnrt__nnie_executor *self) {
    const nnrt__nnie_device *device = self->model->device;
    uint64_t waited = 0;
    uint32_t signals = 0;
    for (;;) {
        uint64_t pause = waited / 16;
        int32_t finished = 0;
        const int32_t vendor_code = device->library.api.query(device->core, self->handle, &finished, 0);
        if (vendor_code == 0 && finished != 0) return OH_NN_SUCCESS;
        if (nnrt__nnie_ends_task(vendor_code)) return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_Query");
        if (vendor_code == -1) signals++;
        if (waited > NNRT__NNIE_PATIENCE_NS || signals > NNRT__NNIE_SIGNALS ||
            (vendor_code != 0 && vendor_code != -1 && (uint32_t)vendor_code != NNRT__NNIE_QUERY_TIMEOUT)) {
            nnrt__nnie_lose_task(self);
            if (vendor_code == 0) return nnrt__fail(OH_NN_TIMEOUT, "the NNIE has not finished in 55 seconds");
            return nnrt__nnie_fail(vendor_code, "HI_MPI_SVP_NNIE_Query");
        }
        if (pause < NNRT__NNIE_POLL_LEAST_NS) pause = NNRT__NNIE_POLL_LEAST_NS;
        if (pause > NNRT__NNIE_POLL_MOST_NS) pause = NNRT__NNIE_POLL_MOST_NS;
        nnrt__sleep_ns(pause);
        waited += pause;
    }
}

/* A whole task as one call for the runner, so that giving up a run abandons all of it. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_call_task(void *argument) {
    nnrt__nnie_task *task = (nnrt__nnie_task *)argument;
    nnrt__nnie_executor *self = task->self;
    OH_NN_ReturnCode code = nnrt__nnie_enter(self);
    const uint64_t start = nnrt__now_ns();
    if (code != OH_NN_SUCCESS) return code;
    code = nnrt__nnie_flush_task(task, true);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_submit(task);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_wait(self);
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_flush_task(task, false);
    self->engine_ns += nnrt__now_ns() - start;
    nnrt__nnie_leave(self);
    return code;
}

/* Runs stage; its inputs are where they belong. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_run_stage(nnrt__nnie_executor *self, const nnrt__nnie_stage *stage) {
    const nnrt__nnie_segment *segment = &self->model->loaded->segment[stage->number];
    nnrt__nnie_task task; /* 1.6 KB */
    uint64_t physical;
    uint8_t *data;
    uint32_t i;
    if (stage->boxes != NNRT__NNIE_NONE && self->rows[stage->boxes] == 0) return OH_NN_SUCCESS; /* nothing to do */
    task.self = self;
    task.stage = stage;
    for (i = 0; i < stage->input_count; i++) {
        nnrt__nnie_locate(self, stage->inputs[i], &physical, &data);
        nnrt__nnie_fill_blob(self, stage->inputs[i], &segment->input[i], physical, data, self->steps, &task.inputs[i]);
    }
    for (i = 0; i < stage->output_count; i++) {
        nnrt__nnie_locate(self, stage->outputs[i], &physical, &data);
        nnrt__nnie_fill_blob(self, stage->outputs[i], &segment->output[i], physical, data,
                             self->steps + self->model->options.batch, &task.outputs[i]);
    }
    if (stage->boxes != NNRT__NNIE_NONE) {
        nnrt__nnie_locate(self, stage->boxes, &physical, &data);
        nnrt__nnie_fill_blob(self, stage->boxes, &self->model->values[stage->boxes].node, physical, data, NULL,
                             &task.boxes);
    }
    return nnrt__runner_call(&self->npu.runner, nnrt__nnie_call_task, &task);
}

#endif /* NNRT_NNIE_ENGINE_H */
