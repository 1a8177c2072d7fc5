/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/tasks.h - a task of the library: place, caches, runs, waiting, release.   >>bpu_tasks

   Version 1 starts a task with the call whose control says that no more follow; UCP collects runs and starts with
   hbUCPSubmitTask. Either way it is released exactly once, whatever its result, and until then nobody else waits for
   it.

     wait says          the task
     0                  is done
     timeout            goes on: asked again. A run that was given up goes on, too: releasing a task that runs returns
                        at once, and nobody is told when its memory is free
     run failed         is over
     anything else      asked again a few times; then nobody knows, and its memory is never given back */
#ifndef NNRT_BPU_TASKS_H
#define NNRT_BPU_TASKS_H

#include "model.h"

#define NNRT__BPU_WAIT_MS 1000
#define NNRT__BPU_PAUSE_NS 1000000u
#define NNRT__BPU_ATTEMPTS 4u              /* after an unexpected code */
#define NNRT__BPU_PATIENCE_NS 20000000000u /* for another user's task to end */

/* ------------------------------------------------------------------------------------------------ tensors */

/* Tensor number i of an array. */
NNRT__FN uint8_t *nnrt__bpu_tensor_at(const nnrt__bpu_layout *layout, uint8_t *tensors, size_t i) {
    return tensors + i * layout->tensor_size;
}

/* Memory number i of a tensor. */
NNRT__FN void nnrt__bpu_put_memory(const nnrt__bpu_layout *layout, uint8_t *tensor, uint32_t i, uint64_t physical,
                                   uint8_t *data, size_t size) {
    NNRT_ASSERT(i < layout->memories && data != NULL && size != 0);
    if (layout->is_ucp) {
        nnrt__bpu_ucp_memory memory;
        memory.physical = physical;
        memory.address = data;
        memory.size = size;
        memcpy(tensor + i * layout->memory_size, &memory, sizeof(memory));
    } else {
        nnrt__bpu_dnn_memory memory;
        memset(&memory, 0, sizeof(memory));
        memory.physical = physical;
        memory.address = data;
        memory.size = (uint32_t)size;
        memcpy(tensor + i * layout->memory_size, &memory, sizeof(memory));
    }
}

/* Runs of the task with their own memory at the port. */
NNRT__FN uint32_t nnrt__bpu_port_runs(const nnrt__bpu_executor *self, uint32_t index) {
    NNRT_ASSERT(index < self->npu.io_count && self->runs >= 1);
    return nnrt__bpu_is_shared(self->model, &self->model->ports[index]) ? 1 : self->runs;
}

/* Bytes of the board that the port has in this task. */
NNRT__FN size_t nnrt__bpu_port_bytes(const nnrt__bpu_executor *self, uint32_t index) {
    return self->slots[index].step * (nnrt__bpu_port_runs(self, index) - 1) + self->slots[index].size;
}

/* Fills in port for run number run of the task; regions have one tensor for all of an output. */
NNRT__FN void nnrt__bpu_fill_port(nnrt__bpu_executor *self, uint32_t index, uint32_t run) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_layout *layout = model->device->library.layout;
    const nnrt__bpu_port *port = &model->ports[index];
    const nnrt__bpu_slot *slot = &self->slots[index];
    const nnrt__npu_place *place = &self->npu.places[index];
    const nnrt__bpu_tensor *shape = &self->shape[port->value];
    const nnrt__bpu_value *value = &model->values[port->value];
    const bool input = port->value < model->value_inputs;
    const bool whole = !input && model->resized != 0;
    const size_t offset = nnrt__bpu_is_shared(model, port) ? 0 : slot->step * run;
    uint8_t *tensor =
        input
            ? nnrt__bpu_tensor_at(layout, self->inputs, (size_t)run * model->value_inputs + port->value)
            : nnrt__bpu_tensor_at(layout, self->outputs,
                                  (size_t)(whole ? 0 : run) * model->value_outputs + port->value - model->value_inputs);
    NNRT_ASSERT(run < self->runs && input == (index < model->npu.input_count));
    if (port->part == NNRT__BPU_REGIONS || (whole && run != 0)) return;
    NNRT_ASSERT(place->block != NULL && (shape->is_dynamic || shape->size > 0));
    memcpy(tensor + layout->properties, value->properties, layout->properties_size);
    if (whole) nnrt__bpu_put_runs(layout, self->runs, tensor + layout->properties);
    if (input) nnrt__bpu_put(shape, layout, tensor + layout->properties);
    if (nnrt__bpu_is_shared(model, port)) /* the picture's size, unknown to the model */
        memcpy(tensor + layout->properties + layout->valid, shape->dims, sizeof(shape->dims[0]) * shape->rank);
    if (port->part == NNRT__BPU_ALL && shape->element == NNRT__BPU_NV12_SEPARATE) {
        const size_t luma = nnrt__bpu_luma_size(shape);
        nnrt__bpu_put_memory(layout, tensor, 0, place->physical + offset, place->data + offset, luma);
        nnrt__bpu_put_memory(layout, tensor, 1, place->physical + offset + luma, place->data + offset + luma, luma / 2);
    } else {
        nnrt__bpu_put_memory(layout, tensor, port->part == NNRT__BPU_CHROMA ? 1 : 0, place->physical + offset,
                             place->data + offset, whole ? nnrt__bpu_port_bytes(self, index) : slot->size);
    }
}

/* ------------------------------------------------------------------------------------------------- caches */

/* Writes the CPU's cache back to a port's memory, or empties it. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_flush_port(nnrt__bpu_executor *self, uint32_t index, int32_t flag) {
    const nnrt__npu_place *place = &self->npu.places[index];
    const size_t bytes = nnrt__bpu_port_bytes(self, index);
    if (place->block == NULL || !place->block->cached) return OH_NN_SUCCESS; /* NULL: regions */
    if (flag == NNRT__BPU_CLEAN) self->cleans++;
    else self->invalidates++;
    return nnrt__bpu_flush(place->block, (size_t)(place->data - place->block->data), bytes, flag);
}

/* Writes back the CPU's cache of inputs, and of outputs, whose dirty lines could overwrite results later. The CPU only
   reads own outputs. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_clean_ports(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        nnrt__bpu_slot *slot = &self->slots[i];
        const bool own_output = i >= model->npu.input_count && self->npu.places[i].copied;
        if (own_output && slot->own_is_clean) continue;
        code = nnrt__bpu_flush_port(self, i, NNRT__BPU_CLEAN);
        if (own_output) slot->own_is_clean = code == OH_NN_SUCCESS;
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_invalidate_outputs(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->npu.output_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__bpu_flush_port(self, model->npu.input_count + i, NNRT__BPU_INVALIDATE);
    return code;
}

/* ------------------------------------------------------------------------------------------------ a task */

NNRT__FN bool nnrt__bpu_is_task_limit(int32_t vendor_code) {
    return vendor_code == NNRT__BPU_TASK_LIMIT || vendor_code == NNRT__UCP_TASK_LIMIT;
}

/* Adds run number run to *task, creating it if NULL; with the last run version 1 starts it. Regions are one call for
   all runs. */
NNRT__FN int32_t nnrt__bpu_infer(nnrt__bpu_executor *self, uint32_t run, nnrt__bpu_handle *task) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_library *library = &model->device->library;
    const nnrt__bpu_layout *layout = library->layout;
    const nnrt__bpu_options *options = &model->options;
    uint8_t *inputs = nnrt__bpu_tensor_at(layout, self->inputs, (size_t)run * model->value_inputs);
    void *outputs = nnrt__bpu_tensor_at(layout, self->outputs, (size_t)run * model->value_outputs);
    const int32_t more = run + 1 < options->batch;
    const int32_t regions = (int32_t)(self->runs * (layout->has_custom_id ? model->resized : 1));
    NNRT_ASSERT(run < options->batch && (model->resized == 0 || options->batch == 1));
    if (layout->is_ucp) return library->api.ucp_infer(task, outputs, inputs, model->handle);
    if (layout->has_custom_id) {
        nnrt__bpu_control_1_14 control;
        memset(&control, 0, sizeof(control));
        control.core = (int32_t)options->cores;
        control.priority = (int32_t)options->priority;
        control.more = more;
        control.custom_id = self->custom_id;
        if (model->resized != 0)
            return library->api.infer_regions(task, &outputs, inputs, self->regions, regions, model->handle, &control);
        return library->api.infer(task, &outputs, inputs, model->handle, &control);
    } else {
        nnrt__bpu_control_1_6 control;
        memset(&control, 0, sizeof(control));
        control.core = (int32_t)options->cores;
        control.priority = (int32_t)options->priority;
        control.more = more;
        if (model->resized != 0)
            return library->api.infer_regions(task, &outputs, inputs, self->regions, regions, model->handle, &control);
        return library->api.infer(task, &outputs, inputs, model->handle, &control);
    }
}

/* Releases the task. A failing release leaves it alive, unless the library does not know it, and is tried once more. */
NNRT__FN void nnrt__bpu_release_task(const nnrt__bpu_library *library, nnrt__bpu_handle task) {
    const int32_t vendor_code = library->api.release_task(task);
    if (vendor_code != 0 && vendor_code != NNRT__BPU_INVALID_TASK && vendor_code != NNRT__UCP_INVALID_TASK)
        (void)library->api.release_task(task);
}

/* A task with all runs, started; NULL on failure: none is left. */
NNRT__FN int32_t nnrt__bpu_make_task(nnrt__bpu_executor *self, nnrt__bpu_handle *task, const char **what) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_library *library = &model->device->library;
    const bool is_ucp = library->layout->is_ucp != 0;
    nnrt__bpu_handle made = NULL;
    int32_t vendor_code = 0;
    uint32_t run;
    *what = is_ucp ? "hbDNNInferV2" : model->resized != 0 ? "hbDNNRoiInfer" : "hbDNNInfer";
    for (run = 0; run < model->options.batch && vendor_code == 0; run++) {
        nnrt__bpu_handle handle = made;
        vendor_code = nnrt__bpu_infer(self, run, &handle);
        if (vendor_code == 0) made = handle; /* after a failure it may be anything */
    }
    if (vendor_code == 0 && is_ucp) {
        nnrt__bpu_schedule schedule;
        memset(&schedule, 0, sizeof(schedule));
        schedule.priority = (int32_t)model->options.priority;
        schedule.custom_id = self->custom_id;
        schedule.cores = model->schedule;
        *what = "hbUCPSubmitTask";
        vendor_code = library->api.submit(made, &schedule);
    }
    if (vendor_code != 0 && made != NULL) {
        nnrt__bpu_release_task(library, made);
        made = NULL;
    }
    *task = made;
    return vendor_code;
}

/* The task may still run: its memory is never freed. */
NNRT__FN void nnrt__bpu_lose_task(nnrt__bpu_executor *self) {
    const uint32_t count = self->npu.io_count;
    uint32_t i;
    for (i = 0; i < count; i++)
        if (self->npu.places[i].block != NULL) nnrt__bpu_lose(self->npu.places[i].block); /* NULL: regions */
    nnrt__log(NNRT_LOG_WARNING, "memory of %u tensors is kept for a task that nobody knows the end of",
              (unsigned)count);
}

/* Fails; the model may have been made for another board, which only shows now. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_fail_run(const nnrt__bpu_model *model, int32_t vendor_code, const char *what) {
    if (vendor_code != NNRT__BPU_RUN_FAILED && vendor_code != NNRT__UCP_RUN_FAILED)
        return nnrt__bpu_fail(vendor_code, what);
    if (model->device->march == NULL && model->march[0] != '\0')
        return nnrt__fail(OH_NN_FAILED,
                          "%s: the BPU gave up the run. The model is for march %.32s, and which one this board has is "
                          "not known: was it compiled for this board? Else look at dmesg (code %d)",
                          what, model->march, (int)vendor_code);
    return nnrt__bpu_fail(vendor_code, what);
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_wait(nnrt__bpu_executor *self, nnrt__bpu_handle task) {
    const nnrt__bpu_library *library = &self->model->device->library;
    const char *what = library->layout->is_ucp ? "hbUCPWaitTaskDone" : "hbDNNWaitTaskDone";
    uint32_t attempts = 0;
    for (;;) {
        const int32_t vendor_code = library->api.wait(task, NNRT__BPU_WAIT_MS);
        if (vendor_code == 0) return OH_NN_SUCCESS;
        if (vendor_code == NNRT__BPU_RUN_FAILED || vendor_code == NNRT__UCP_RUN_FAILED)
            return nnrt__bpu_fail_run(self->model, vendor_code, what);
        if (vendor_code != NNRT__BPU_TIMEOUT && vendor_code != NNRT__UCP_TIMEOUT && ++attempts == NNRT__BPU_ATTEMPTS) {
            nnrt__bpu_lose_task(self);
            return nnrt__bpu_fail_run(self->model, vendor_code, what);
        }
        nnrt__sleep_ns(NNRT__BPU_PAUSE_NS);
    }
}

/* Shapes of dynamic outputs, which the task knows until it is released. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_ask_outputs(nnrt__bpu_executor *self, nnrt__bpu_handle task) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_library *library = &model->device->library;
    uint32_t i;
    for (i = 0; i < model->npu.output_count; i++) {
        const nnrt__bpu_port *port = &model->ports[model->npu.input_count + i];
        nnrt__bpu_tensor *shape = &self->shape[port->value];
        OH_NN_ReturnCode code;
        int32_t vendor_code;
        if (!model->values[port->value].tensor.is_dynamic) continue;
        nnrt__bpu_query_begin(library->layout, self->answer);
        vendor_code = library->api.task_output(self->answer, task, 0, (int32_t)(port->value - model->value_inputs));
        if (vendor_code != 0) return nnrt__bpu_fail(vendor_code, "hbDNNGetTaskOutputTensorProperties");
        code = nnrt__bpu_query_end(library, self->answer);
        if (code == OH_NN_SUCCESS)
            code = nnrt__bpu_describe(shape, library->layout, self->answer, model->device->row_alignment, port->name);
        if (code != OH_NN_SUCCESS) return code;
        if (shape->is_dynamic || (uint64_t)shape->size > self->slots[model->npu.input_count + i].size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER,
                              "output %u \"%.40s\" has %lld bytes, and its tensor room for %zu", (unsigned)i,
                              port->name, (long long)shape->size, self->slots[model->npu.input_count + i].size);
    }
    return OH_NN_SUCCESS;
}

/* With a place: makes the task, waits, releases. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_run_task(nnrt__bpu_executor *self, bool *full) {
    const nnrt__bpu_model *model = self->model;
    nnrt__bpu_handle task;
    const char *what;
    OH_NN_ReturnCode code;
    const int32_t vendor_code = nnrt__bpu_make_task(self, &task, &what);
    *full = nnrt__bpu_is_task_limit(vendor_code);
    if (vendor_code != 0) return nnrt__bpu_fail_run(model, vendor_code, what);
    code = nnrt__bpu_wait(self, task);
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_invalidate_outputs(self);
    if (code == OH_NN_SUCCESS && model->is_dynamic) code = nnrt__bpu_ask_outputs(self, task);
    nnrt__bpu_release_task(&model->device->library, task);
    return code;
}

/* A whole task as one call for the runner, so that giving up a run abandons all of it. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_call_task(void *argument) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)argument;
    nnrt__bpu_device *device = self->model->device;
    const uint64_t begin = nnrt__now_ns();
    uint64_t start = begin;
    OH_NN_ReturnCode code;
    bool full = false;
    do {
        if (full) nnrt__sleep_ns(NNRT__BPU_PAUSE_NS);
        if (!nnrt__bpu_take_place(device, &self->turn)) return nnrt__runner_late();
        start = nnrt__now_ns();
        code = full ? OH_NN_SUCCESS : nnrt__bpu_clean_ports(self);
        if (code == OH_NN_SUCCESS) code = nnrt__bpu_run_task(self, &full);
        nnrt__bpu_give_place(device);
    } while (full && nnrt__now_ns() - begin < NNRT__BPU_PATIENCE_NS); /* tasks of other code in this process */
    self->task_ns += nnrt__now_ns() - start;
    return code;
}

#endif /* NNRT_BPU_TASKS_H */
