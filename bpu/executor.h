/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/executor.h - runs: tensors in, a task, tensors out.   >>bpu_executor

   A tensor of this device whose bytes are the board's is used in place; any other is converted to and from the
   executor's own memory. */
#ifndef NNRT_BPU_EXECUTOR_H
#define NNRT_BPU_EXECUTOR_H

#include "convert.h"
#include "profile.h"
#include "tasks.h"

/* ---------------------------------------------------------------------------------------------- converting */

/* Converts the program's bytes of input index to the board's. */
NNRT__FN void nnrt__bpu_store_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_slot *slot = &self->slots[index];
    const nnrt__bpu_tensor *shape = &self->shape[port->value];
    const uint8_t *from = (const uint8_t *)self->npu.io[index].data;
    nnrt__bpu_nv12 picture;
    uint32_t run;
    NNRT_ASSERT(index < self->model->npu.input_count && self->npu.places[index].block != NULL);
    NNRT_ASSERT((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= self->npu.io[index].size);
    for (run = 0; run < nnrt__bpu_port_runs(self, index); run++, from += slot->outside_size) {
        uint8_t *to = self->npu.places[index].data + slot->step * run;
        if (slot->job != NULL) {
            nnrt__bpu_do(slot->job, from, to);
            continue;
        }
        if (port->part == NNRT__BPU_ALL) {
            uint8_t *chroma = shape->element == NNRT__BPU_NV12_SEPARATE ? to + nnrt__bpu_luma_size(shape) : NULL;
            nnrt__bpu_store(shape, port->form, from, to, chroma);
            continue;
        }
        nnrt__bpu_nv12_of(shape, &picture);
        if (port->form == NNRT__BPU_FORM_RAW) picture.width = picture.pitch;
        if (port->part == NNRT__BPU_LUMA) nnrt__bpu_store_plane(&picture, from, to, picture.height, picture.rows);
        else nnrt__bpu_store_plane(&picture, from, to, picture.height / 2, picture.rows / 2);
    }
    self->npu.copied_in += (uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index);
}

/* Converts the board's bytes of output index to the program's. */
NNRT__FN void nnrt__bpu_load_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_slot *slot = &self->slots[index];
    uint8_t *to = (uint8_t *)self->npu.io[index].data;
    const uint8_t *from = self->npu.places[index].data;
    uint32_t run;
    NNRT_ASSERT(index >= self->model->npu.input_count && self->npu.places[index].block != NULL);
    NNRT_ASSERT((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= self->npu.io[index].size);
    for (run = 0; run < nnrt__bpu_port_runs(self, index); run++, to += slot->outside_size) {
        if (slot->job != NULL) nnrt__bpu_do(slot->job, from + slot->step * run, to);
        else nnrt__bpu_load(&self->shape[port->value], port->form, from + slot->step * run, to);
    }
    self->npu.copied_out += (uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index);
}

/* ------------------------------------------------------------------------------------------------- a run */

/* Sets the shapes of this run: for dynamic inputs the program's. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_set_shapes(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->value_inputs + model->value_outputs; i++)
        if (model->values[i].tensor.is_dynamic || model->values[i].resized) self->shape[i] = model->values[i].tensor;
    for (i = 0; i < model->npu.input_count && model->is_dynamic && code == OH_NN_SUCCESS; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        if (!self->shape[port->value].is_dynamic) continue;
        if (port->form == NNRT__BPU_FORM_RAW)
            return nnrt__fail(OH_NN_UNSUPPORTED, "bpu.io_raw: the bytes of a dynamic shape do not tell the shape");
        code = nnrt__bpu_set_shape(&model->values[port->value].tensor, self->npu.io[i].dims, port->name,
                                   &self->shape[port->value]);
    }
    return code == OH_NN_SUCCESS && model->resized != 0 ? nnrt__bpu_take_regions(self) : code;
}

/* Most bytes on the board of an output whose shape only the task knows, when the program has room for size bytes: rows
   of unknown length are rounded up. */
NNRT__FN uint64_t nnrt__bpu_open_size(const nnrt__bpu_tensor *tensor, uint32_t element, size_t size) {
    const int32_t last = tensor->dims[tensor->rank - 1];
    const uint64_t row = (uint64_t)(last > 0 ? last : 1) * element, wide = tensor->row_alignment;
    if (tensor->size > 0) return (uint64_t)tensor->size;
    return (size / row + 1) * ((row + wide - 1) / wide * wide);
}

/* Computes the bytes of port index in this run, for the program and on the board. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_size_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_tensor *shape = &self->shape[port->value];
    const nnrt_io *io = &self->npu.io[index];
    nnrt__bpu_slot *slot = &self->slots[index];
    uint64_t size;
    slot->direct = port->direct;
    slot->outside_size = port->outside_size;
    if (shape->is_dynamic) {
        NNRT_ASSERT(index >= self->model->npu.input_count); /* set_shapes has set those of inputs */
        size = nnrt__bpu_open_size(shape, (uint32_t)nnrt__element_size(io->dtype), io->size);
        if (size > INT32_MAX) return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.40s\" takes 2 GiB or more", port->name);
        slot->size = slot->step = (size_t)size;
        return OH_NN_SUCCESS;
    }
    if (port->outside_size == 0) { /* was dynamic */
        slot->direct = nnrt__bpu_is_direct(shape, port->form);
        slot->outside_size = nnrt__bpu_form_size(shape, port->form);
    }
    NNRT_ASSERT(slot->outside_size != 0);
    slot->size = nnrt__bpu_part_size(port, shape);
    slot->step = nnrt__bpu_part_step(port, shape);
    if (self->model->resized != 0) { /* outputs of regions follow each other */
        if (index >= self->model->npu.input_count) slot->step = slot->size;
        slot->direct = slot->direct && (nnrt__bpu_port_runs(self, index) == 1 || slot->step == slot->outside_size);
        if ((uint64_t)slot->step * nnrt__bpu_port_runs(self, index) > INT32_MAX)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.40s\" of %u regions takes 2 GiB or more", port->name,
                              (unsigned)self->runs);
    }
    if ((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= io->size) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor \"%.40s\" has %llu bytes, and %zu are there", port->name,
                      (unsigned long long)slot->outside_size * nnrt__bpu_port_runs(self, index), io->size);
}

/* Decides whether the tensor of port index is used in place, and where it is. false: own memory is missing. */
NNRT__FN bool nnrt__bpu_place_port(nnrt__bpu_executor *self, uint32_t index) {
    return nnrt__npu_place_port(&self->npu.places[index], &self->npu.io[index], self->slots[index].direct,
                                self->model->device->row_alignment, nnrt__bpu_port_bytes(self, index));
}

typedef struct nnrt__bpu_own_call {
    nnrt__bpu_executor *self;
    uint32_t index;
} nnrt__bpu_own_call;

/* Makes own memory of a port, replacing one that was too small. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_call_make_own(void *argument) {
    const nnrt__bpu_own_call *call = (const nnrt__bpu_own_call *)argument;
    const nnrt__bpu_options *options = &call->self->model->options;
    nnrt__npu_block **own = &call->self->npu.places[call->index].own, *old = *own;
    *own = NULL;
    call->self->slots[call->index].own_is_clean = false;
    nnrt__npu_block_release(old);
    return nnrt__bpu_block_new(call->self->model->device, !options->uncached,
                               nnrt__bpu_port_bytes(call->self, call->index), own);
}

/* The output's actual shape. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_finish_output(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_port *port = &model->ports[index];
    nnrt__bpu_slot *slot = &self->slots[index];
    nnrt_io *io = &self->npu.io[index];
    NNRT_ASSERT(index >= model->npu.input_count && index < self->npu.io_count);
    nnrt__npu_take_shape(io, &port->desc);
    if (model->resized != 0) io->dims[0] = port->unit * (int32_t)self->runs;
    if (port->outside_size == 0) {
        const nnrt__bpu_tensor *shape = &self->shape[port->value];
        nnrt_io_desc desc = port->desc;
        nnrt__bpu_describe_form(shape, port->form, &desc);
        nnrt__npu_take_shape(io, &desc);
        slot->outside_size = nnrt__bpu_form_size(shape, port->form);
        if (slot->outside_size == 0 || slot->outside_size > io->size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "output \"%.40s\" has %u bytes, and its tensor room for %zu",
                              port->name, (unsigned)slot->outside_size, io->size);
    }
    if (self->npu.places[index].copied) nnrt__bpu_load_port(self, index);
    return OH_NN_SUCCESS;
}

/* Everything before the task. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_ready_run(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    const uint32_t all = self->npu.io_count;
    OH_NN_ReturnCode code = nnrt__bpu_set_shapes(self);
    uint32_t i, run;
    for (i = 0; i < all && code == OH_NN_SUCCESS; i++) {
        nnrt__bpu_own_call call;
        if (model->ports[i].part == NNRT__BPU_REGIONS) continue; /* no memory of the board's */
        code = nnrt__bpu_size_port(self, i);
        if (code != OH_NN_SUCCESS || nnrt__bpu_place_port(self, i)) continue;
        call.self = self;
        call.index = i;
        code = nnrt__runner_call(&self->npu.runner, nnrt__bpu_call_make_own, &call);
        if (code == OH_NN_SUCCESS) (void)nnrt__bpu_place_port(self, i);
    }
    for (i = 0; i < model->npu.input_count && code == OH_NN_SUCCESS; i++)
        if (self->npu.places[i].copied) nnrt__bpu_store_port(self, i);
    for (run = 0; run < self->runs && code == OH_NN_SUCCESS; run++)
        for (i = 0; i < all; i++) nnrt__bpu_fill_port(self, i, run);
    return code;
}

/* A whole run. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_run(nnrt__npu_executor *base) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)base;
    uint64_t start = nnrt__now_ns(), ready, done;
    OH_NN_ReturnCode code;
    uint32_t i;
    self->cleans = self->invalidates = self->task_ns = 0;
    code = nnrt__bpu_ready_run(self);
    ready = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__runner_call(&base->runner, nnrt__bpu_call_task, self);
    done = nnrt__now_ns();
    for (i = base->model->input_count; i < base->io_count && code == OH_NN_SUCCESS; i++)
        code = nnrt__bpu_finish_output(self, i);
    base->times[0] = ready - start;
    base->times[1] = done - ready;
    base->times[2] = nnrt__now_ns() - done;
    return code;
}

NNRT__FN void nnrt__bpu_begin(nnrt__npu_executor *base) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)base;
    const nnrt__bpu_options *options = &self->model->options;
    memset(&self->turn, 0, sizeof(self->turn));
    self->turn.priority = options->priority;
    self->custom_id = options->custom_id_counts ? self->custom_id + 1 : (int64_t)options->custom_id;
}

NNRT__FN void nnrt__bpu_give_up(nnrt__npu_executor *base) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)base;
    nnrt__bpu_give_up_turn(self->model->device, &self->turn);
}

/* --------------------------------------------------------------------------------------------------- life */

NNRT__FN void nnrt__bpu_close(nnrt__npu_executor *base) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)base;
    uint32_t i;
    for (i = 0; self->slots != NULL && i < base->io_count; i++) nnrt__free(self->slots[i].job);
    nnrt__free(self->slots);
    nnrt__free(self->shape);
    nnrt__free(self->inputs);
    nnrt__free(self->outputs);
    nnrt__free(self->regions);
    nnrt__free(self->answer);
}

/* Allocates all blocks of NNRT_MALLOC; false: out of memory. */
NNRT__FN bool nnrt__bpu_allocate_blocks(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_layout *layout = model->device->library.layout;
    const uint32_t batch = model->options.batch;
    const uint32_t most = model->resized != 0 ? NNRT__BPU_MAX_BATCH : batch;
    self->slots = (nnrt__bpu_slot *)nnrt__alloc_zero(self->npu.io_count, sizeof(self->slots[0]));
    self->shape = (nnrt__bpu_tensor *)nnrt__alloc_zero((size_t)model->value_inputs + model->value_outputs,
                                                       sizeof(self->shape[0]));
    self->inputs = (uint8_t *)nnrt__alloc_zero((size_t)most * model->value_inputs, layout->tensor_size);
    self->outputs = (uint8_t *)nnrt__alloc_zero((size_t)batch * model->value_outputs, layout->tensor_size);
    self->answer = (uint8_t *)nnrt__alloc_zero(1, nnrt__bpu_query_size(layout));
    self->regions = (nnrt__bpu_region *)nnrt__alloc_zero((size_t)most * model->resized + 1, sizeof(self->regions[0]));
    return self->slots != NULL && self->shape != NULL && self->inputs != NULL && self->outputs != NULL &&
           self->answer != NULL && self->regions != NULL;
}

/* Prepares the conversion of a port whose bytes are not the board's, if its shape is fixed. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_prepare_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_value *value = &self->model->values[port->value];
    nnrt__bpu_slot *slot = &self->slots[index];
    if (port->direct || port->part != NNRT__BPU_ALL || port->form == NNRT__BPU_FORM_RAW || value->tensor.is_dynamic ||
        value->resized || nnrt__bpu_is_nv12(value->tensor.element))
        return OH_NN_SUCCESS;
    slot->job = (nnrt__bpu_job *)nnrt__alloc(sizeof(*slot->job));
    if (slot->job == NULL) return nnrt__fail_memory();
    nnrt__bpu_prepare_job(slot->job, &value->tensor, port->form, index < self->npu.model->input_count);
    return OH_NN_SUCCESS;
}

/* Makes what runs do not change: shapes, conversions, and own memory of ports whose tensors cannot be used in place. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_equip(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->value_inputs + model->value_outputs; i++) self->shape[i] = model->values[i].tensor;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        const nnrt__bpu_tensor *tensor = &model->values[port->value].tensor;
        nnrt__bpu_own_call call;
        code = nnrt__bpu_prepare_port(self, i);
        if (code != OH_NN_SUCCESS || port->direct || tensor->is_dynamic || model->resized != 0)
            continue; /* regions: their number is not known yet */
        self->slots[i].size = nnrt__bpu_part_size(port, tensor);
        self->slots[i].step = nnrt__bpu_part_step(port, tensor);
        call.self = self;
        call.index = i;
        code = nnrt__bpu_call_make_own(&call);
    }
    return code;
}

NNRT__FN OH_NN_ReturnCode nnrt__bpu_open_run(nnrt__npu_executor *base) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)base;
    OH_NN_ReturnCode code;
    self->model = (nnrt__bpu_model *)base->model;
    self->runs = self->model->options.batch;
    if (!nnrt__bpu_allocate_blocks(self)) return nnrt__fail_memory();
    code = nnrt__bpu_equip(self);
    if (code == OH_NN_SUCCESS) nnrt__bpu_name_steps(self);
    return code;
}

static const nnrt__npu_vendor nnrt__bpu_vendor = {
    /* grace_config  */ "bpu.hang_grace_ms",
    /* model_size    */ sizeof(nnrt__bpu_model),
    /* executor_size */ sizeof(nnrt__bpu_executor),
    /* prepare       */ nnrt__bpu_prepare_model,
    /* release       */ nnrt__bpu_release,
    /* desc          */ nnrt__bpu_desc,
    /* open          */ nnrt__bpu_open_run,
    /* close         */ nnrt__bpu_close,
    /* check         */ NULL,
    /* begin         */ nnrt__bpu_begin,
    /* run           */ nnrt__bpu_run,
    /* give_up       */ nnrt__bpu_give_up,
    /* hold          */ NULL,
    /* drop          */ NULL};

/* Slot prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_prepare(void *device, const nnrt_request *request, void **prepared) {
    return nnrt__npu_prepare(&nnrt__bpu_vendor, device, &((nnrt__bpu_device *)device)->mutex, request, prepared);
}

#endif /* NNRT_BPU_EXECUTOR_H */
