/* SPDX-License-Identifier: Apache-2.0 */
/* bpu/executor.h - runs: tensors in, a task, tensors out.   >>bpu_executor

   A tensor of this device whose bytes are the board's is used where it lies; any other is converted to and from the
   executor's own memory. */
#ifndef NNRT_BPU_EXECUTOR_H
#define NNRT_BPU_EXECUTOR_H

#include "convert.h"
#include "profile.h"
#include "tasks.h"

/* ---------------------------------------------------------------------------------------------- converting */

/* The program's bytes of input index to the board's. */
NNRT__FN void nnrt__bpu_store_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_slot *slot = &self->slots[index];
    const nnrt__bpu_tensor *shape = &self->shape[port->value];
    const uint8_t *from = (const uint8_t *)self->io[index].data;
    nnrt__bpu_nv12 picture;
    uint32_t run;
    NNRT_ASSERT(index < self->model->input_count && slot->block != NULL);
    NNRT_ASSERT((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= self->io[index].size);
    for (run = 0; run < nnrt__bpu_port_runs(self, index); run++, from += slot->outside_size) {
        uint8_t *to = slot->data + slot->step * run;
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
    self->copied_in += (uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index);
}

/* The board's bytes of output index to the program's. */
NNRT__FN void nnrt__bpu_load_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_slot *slot = &self->slots[index];
    uint8_t *to = (uint8_t *)self->io[index].data;
    uint32_t run;
    NNRT_ASSERT(index >= self->model->input_count && slot->block != NULL);
    NNRT_ASSERT((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= self->io[index].size);
    for (run = 0; run < nnrt__bpu_port_runs(self, index); run++, to += slot->outside_size)
        nnrt__bpu_load(&self->shape[port->value], port->form, slot->data + slot->step * run, to);
    self->copied_out += (uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index);
}

/* ------------------------------------------------------------------------------------------------- a run */

/* The shapes of this run: of dynamic inputs the program's. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_set_shapes(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->value_inputs + model->value_outputs; i++) self->shape[i] = model->values[i].tensor;
    for (i = 0; i < model->input_count && model->is_dynamic && code == OH_NN_SUCCESS; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        if (!self->shape[port->value].is_dynamic) continue;
        if (port->form == NNRT__BPU_FORM_RAW)
            return nnrt__fail(OH_NN_UNSUPPORTED, "bpu.io_raw: the bytes of a dynamic shape do not tell the shape");
        code = nnrt__bpu_set_shape(&model->values[port->value].tensor, self->io[i].dims, port->name,
                                   &self->shape[port->value]);
    }
    return code == OH_NN_SUCCESS && model->resized != 0 ? nnrt__bpu_take_regions(self) : code;
}

/* Bytes of the board that an output of a shape that only the task tells can have, when the program has room for size
   bytes: rows are rounded up, and nobody knows how long they are. */
NNRT__FN uint64_t nnrt__bpu_open_size(const nnrt__bpu_tensor *tensor, uint32_t element, size_t size) {
    const int32_t last = tensor->dims[tensor->rank - 1];
    const uint64_t row = (uint64_t)(last > 0 ? last : 1) * element, wide = tensor->row_alignment;
    if (tensor->size > 0) return (uint64_t)tensor->size;
    return (size / row + 1) * ((row + wide - 1) / wide * wide);
}

/* How many bytes port index has in this run, here and there. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_size_port(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_port *port = &self->model->ports[index];
    const nnrt__bpu_tensor *shape = &self->shape[port->value];
    const nnrt_io *io = &self->io[index];
    nnrt__bpu_slot *slot = &self->slots[index];
    uint64_t size;
    slot->direct = port->direct;
    slot->outside_size = port->outside_size;
    if (shape->is_dynamic) {
        NNRT_ASSERT(index >= self->model->input_count); /* set_shapes has those of inputs */
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
    if (self->model->resized != 0) { /* outputs of regions lie behind each other */
        if (index >= self->model->input_count) slot->step = slot->size;
        slot->direct = slot->direct && (nnrt__bpu_port_runs(self, index) == 1 || slot->step == slot->outside_size);
        if ((uint64_t)slot->step * nnrt__bpu_port_runs(self, index) > INT32_MAX)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "\"%.40s\" of %u regions takes 2 GiB or more", port->name,
                              (unsigned)self->runs);
    }
    if ((uint64_t)slot->outside_size * nnrt__bpu_port_runs(self, index) <= io->size) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "tensor \"%.40s\" has %llu bytes, and %zu are there", port->name,
                      (unsigned long long)slot->outside_size * nnrt__bpu_port_runs(self, index), io->size);
}

/* Whether port index of this run is used where it lies, and where it lies. false: own memory is missing. */
NNRT__FN bool nnrt__bpu_place_port(nnrt__bpu_executor *self, uint32_t index) {
    nnrt__bpu_slot *slot = &self->slots[index];
    const size_t bytes = nnrt__bpu_port_bytes(self, index);
    if (slot->direct && slot->tensor != NULL) {
        const size_t offset = (size_t)((const uint8_t *)self->io[index].data - slot->tensor->data);
        slot->block = slot->tensor;
        slot->physical = slot->block->physical + offset;
        slot->data = slot->block->data + offset;
        slot->copied = slot->physical % self->model->device->row_alignment != 0 || offset > slot->block->size ||
                       slot->block->size - offset < bytes;
        if (!slot->copied) return true;
    }
    slot->copied = true;
    slot->block = slot->own;
    if (slot->own == NULL || slot->own->size < bytes) return false;
    slot->physical = slot->own->physical;
    slot->data = slot->own->data;
    return true;
}

typedef struct nnrt__bpu_own_call {
    nnrt__bpu_executor *self;
    uint32_t index;
} nnrt__bpu_own_call;

/* Own memory of a port, in place of what was too small. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_call_make_own(void *argument) {
    const nnrt__bpu_own_call *call = (const nnrt__bpu_own_call *)argument;
    const nnrt__bpu_options *options = &call->self->model->options;
    nnrt__bpu_slot *slot = &call->self->slots[call->index];
    nnrt__bpu_block *old = slot->own;
    slot->own = NULL;
    slot->own_is_clean = false;
    nnrt__bpu_block_release(old);
    return nnrt__bpu_block_new(call->self->model->device, !options->uncached,
                               nnrt__bpu_port_bytes(call->self, call->index), &slot->own);
}

/* The output's actual shape. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_finish_output(nnrt__bpu_executor *self, uint32_t index) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_port *port = &model->ports[index];
    nnrt__bpu_slot *slot = &self->slots[index];
    nnrt_io *io = &self->io[index];
    NNRT_ASSERT(index >= model->input_count && index < model->input_count + model->output_count);
    io->rank = port->desc.rank;
    memcpy(io->dims, port->desc.dims, sizeof(io->dims));
    if (model->resized != 0) io->dims[0] = port->unit * (int32_t)self->runs;
    if (port->outside_size == 0) {
        const nnrt__bpu_tensor *shape = &self->shape[port->value];
        nnrt_io_desc desc = port->desc;
        nnrt__bpu_describe_form(shape, port->form, &desc);
        io->rank = desc.rank;
        memcpy(io->dims, desc.dims, sizeof(io->dims));
        slot->outside_size = nnrt__bpu_form_size(shape, port->form);
        if (slot->outside_size == 0 || slot->outside_size > io->size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "output \"%.40s\" has %u bytes, and its tensor room for %zu",
                              port->name, (unsigned)slot->outside_size, io->size);
    }
    if (slot->copied) nnrt__bpu_load_port(self, index);
    return OH_NN_SUCCESS;
}

/* References to memory that only the run needed. What is freed by this is a vendor call, too. */
NNRT__FN void nnrt__bpu_call_drop(void *argument) {
    nnrt__bpu_slot *slot = (nnrt__bpu_slot *)argument;
    nnrt__bpu_block *tensor = slot->tensor;
    slot->tensor = slot->block = NULL;
    nnrt__bpu_block_release(tensor);
}

/* Everything before the task. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_ready_run(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    const uint32_t all = model->input_count + model->output_count;
    OH_NN_ReturnCode code = nnrt__bpu_set_shapes(self);
    uint32_t i, run;
    for (i = 0; i < all && code == OH_NN_SUCCESS; i++) {
        nnrt__bpu_own_call call;
        if (model->ports[i].part == NNRT__BPU_REGIONS) continue; /* no memory of the board's */
        code = nnrt__bpu_size_port(self, i);
        if (code != OH_NN_SUCCESS || nnrt__bpu_place_port(self, i)) continue;
        call.self = self;
        call.index = i;
        code = nnrt__runner_call(&self->runner, nnrt__bpu_call_make_own, &call);
        if (code == OH_NN_SUCCESS) (void)nnrt__bpu_place_port(self, i);
    }
    for (i = 0; i < model->input_count && code == OH_NN_SUCCESS; i++)
        if (self->slots[i].copied) nnrt__bpu_store_port(self, i);
    for (run = 0; run < self->runs && code == OH_NN_SUCCESS; run++)
        for (i = 0; i < all; i++) nnrt__bpu_fill_port(self, i, run);
    return code;
}

/* work->run: a whole run, io being set. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_do_run(void *executor) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    const nnrt__bpu_model *model = self->model;
    const uint32_t inputs = model->input_count, all = inputs + model->output_count;
    uint64_t start = nnrt__now_ns(), ready, done;
    OH_NN_ReturnCode code;
    uint32_t i;
    self->copied_in = self->copied_out = self->cleans = self->invalidates = self->task_ns = 0;
    for (i = 0; i < all; i++) {
        self->slots[i].tensor = (nnrt__bpu_block *)self->io[i].memory;
        if (self->slots[i].tensor != NULL) nnrt__bpu_block_retain(self->slots[i].tensor);
    }
    code = nnrt__bpu_ready_run(self);
    ready = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__runner_call(&self->runner, nnrt__bpu_call_task, self);
    done = nnrt__now_ns();
    for (i = inputs; i < all && code == OH_NN_SUCCESS; i++) code = nnrt__bpu_finish_output(self, i);
    for (i = 0; i < all; i++) (void)nnrt__runner_call_anyway(&self->runner, nnrt__bpu_call_drop, &self->slots[i]);
    if (code != OH_NN_SUCCESS) return code;
    self->times[0] = ready - start;
    self->times[1] = done - ready;
    self->times[2] = nnrt__now_ns() - done;
    nnrt__bpu_note_times(self);
    return code;
}

/* What a run is about. */
typedef struct nnrt__bpu_run_request {
    const nnrt_io *inputs, *outputs;
} nnrt__bpu_run_request;

/* work->begin */
NNRT__FN void nnrt__bpu_run_begin(void *executor, const void *argument) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    const nnrt__bpu_run_request *request = (const nnrt__bpu_run_request *)argument;
    const nnrt__bpu_options *options = &self->model->options;
    const uint32_t inputs = self->model->input_count;
    memcpy(self->io, request->inputs, inputs * sizeof(self->io[0]));
    memcpy(self->io + inputs, request->outputs, self->model->output_count * sizeof(self->io[0]));
    memset(&self->turn, 0, sizeof(self->turn));
    self->turn.priority = options->priority;
    self->custom_id = options->custom_id_counts ? self->custom_id + 1 : (int64_t)options->custom_id;
}

/* work->give_up */
NNRT__FN void nnrt__bpu_run_give_up(void *executor) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    nnrt__bpu_give_up_turn(self->model->device, &self->turn);
}

/* Types, and shapes of inputs; sizes are the run's to check. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_check_tensors(const nnrt__bpu_model *model, const nnrt_io *inputs,
                                                  const nnrt_io *outputs) {
    nnrt__shape_text given, wanted;
    uint32_t i, d;
    for (i = 0; i < model->input_count + model->output_count; i++) {
        const bool input = i < model->input_count;
        const nnrt_io *io = input ? &inputs[i] : &outputs[i - model->input_count];
        const nnrt_io_desc *desc = &model->ports[i].desc;
        const unsigned number = (unsigned)(input ? i : i - model->input_count);
        bool same = io->rank == desc->rank;
        if (io->dtype != desc->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", input ? "input" : "output",
                              number, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc->dtype));
        if (!input) continue;
        for (d = 0; d < desc->rank && same; d++)
            same = desc->dims[d] < 0 ? io->dims[d] > 0 : io->dims[d] == desc->dims[d];
        if (!same)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u is %s, the model has %s", number,
                              nnrt__shape_print(&given, io->rank, io->dims),
                              nnrt__shape_print(&wanted, desc->rank, desc->dims));
    }
    return OH_NN_SUCCESS;
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    const nnrt__bpu_model *model = self->model;
    nnrt__bpu_run_request request;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (input_count != model->input_count || output_count != model->output_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the model has %u inputs and %u outputs",
                          (unsigned)model->input_count, (unsigned)model->output_count);
    code = nnrt__bpu_check_tensors(model, inputs, outputs);
    request.inputs = inputs;
    request.outputs = outputs;
    if (code == OH_NN_SUCCESS) code = nnrt__runner_run(&self->runner, model->options.timeout_ms, &request);
    for (i = 0; code == OH_NN_SUCCESS && i < model->output_count; i++) {
        outputs[i].rank = self->io[model->input_count + i].rank;
        memcpy(outputs[i].dims, self->io[model->input_count + i].dims, sizeof(outputs[i].dims));
    }
    return code;
}

/* --------------------------------------------------------------------------------------------------- life */

/* work->end: nothing of the executor is under way any more. */
NNRT__FN void nnrt__bpu_executor_end(void *executor) {
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)executor;
    nnrt__bpu_model *model = self->model;
    uint32_t i;
    for (i = 0; self->slots != NULL && i < model->input_count + model->output_count; i++)
        nnrt__bpu_block_release(self->slots[i].own);
    nnrt__runner_destroy(&self->runner);
    nnrt__free(self->slots);
    nnrt__free(self->shape);
    nnrt__free(self->inputs);
    nnrt__free(self->outputs);
    nnrt__free(self->regions);
    nnrt__free(self->answer);
    nnrt__free(self->io);
    nnrt__free(self);
    nnrt__bpu_count_executors(model, false);
}

/* All blocks of NNRT_MALLOC; false: memory is out. */
NNRT__FN bool nnrt__bpu_allocate_blocks(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    const nnrt__bpu_layout *layout = model->device->library.layout;
    const uint32_t ports = model->input_count + model->output_count, batch = model->options.batch;
    const uint32_t most = model->resized != 0 ? NNRT__BPU_MAX_BATCH : batch;
    self->slots = (nnrt__bpu_slot *)nnrt__alloc_zero(ports, sizeof(self->slots[0]));
    self->io = (nnrt_io *)nnrt__alloc_zero(ports, sizeof(self->io[0]));
    self->shape = (nnrt__bpu_tensor *)nnrt__alloc_zero((size_t)model->value_inputs + model->value_outputs,
                                                       sizeof(self->shape[0]));
    self->inputs = (uint8_t *)nnrt__alloc_zero((size_t)most * model->value_inputs, layout->tensor_size);
    self->outputs = (uint8_t *)nnrt__alloc_zero((size_t)batch * model->value_outputs, layout->tensor_size);
    self->answer = (uint8_t *)nnrt__alloc_zero(1, nnrt__bpu_query_size(layout));
    self->regions = (nnrt__bpu_region *)nnrt__alloc_zero((size_t)most * model->resized + 1, sizeof(self->regions[0]));
    return self->slots != NULL && self->io != NULL && self->shape != NULL && self->inputs != NULL &&
           self->outputs != NULL && self->answer != NULL && self->regions != NULL;
}

/* Own memory where no tensor can be used as it is, so that runs make none. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_equip(nnrt__bpu_executor *self) {
    const nnrt__bpu_model *model = self->model;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < model->input_count + model->output_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__bpu_port *port = &model->ports[i];
        const nnrt__bpu_tensor *tensor = &model->values[port->value].tensor;
        nnrt__bpu_own_call call;
        if (port->direct || tensor->is_dynamic || model->resized != 0) continue; /* regions: nobody knows how many */
        self->slots[i].size = nnrt__bpu_part_size(port, tensor);
        self->slots[i].step = nnrt__bpu_part_step(port, tensor);
        call.self = self;
        call.index = i;
        code = nnrt__bpu_call_make_own(&call);
    }
    return code;
}

/* Slot open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_open_executor(void *prepared, void **executor) {
    static const nnrt__runner_work work = {nnrt__bpu_run_begin, nnrt__bpu_do_run, nnrt__bpu_run_give_up,
                                           nnrt__bpu_executor_end};
    nnrt__bpu_model *model = (nnrt__bpu_model *)prepared;
    nnrt__bpu_executor *self = (nnrt__bpu_executor *)nnrt__alloc_zero(1, sizeof(*self));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (self == NULL ||
        !nnrt__runner_init(&self->runner, &work, self, NULL, model->options.hang_grace_ms, "bpu.hang_grace_ms")) {
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    nnrt__bpu_count_executors(model, true);
    self->model = model;
    self->runs = model->options.batch;
    if (!nnrt__bpu_allocate_blocks(self)) code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS) code = nnrt__bpu_equip(self);
    if (code == OH_NN_SUCCESS) nnrt__bpu_name_steps(self);
    if (code == OH_NN_SUCCESS && model->options.timeout_ms != 0) code = nnrt__runner_start(&self->runner);
    if (code != OH_NN_SUCCESS) nnrt__bpu_executor_end(self);
    else *executor = self;
    return code;
}

/* Slot close_executor. No run is under way, but for one that was given up. */
NNRT__FN void nnrt__bpu_close_executor(void *executor) {
    if (nnrt__runner_close(&((nnrt__bpu_executor *)executor)->runner)) nnrt__bpu_executor_end(executor);
}

/* Slot expect_cancel. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_expect_cancel(void *executor) {
    return nnrt__runner_start(&((nnrt__bpu_executor *)executor)->runner);
}

/* Slot cancel. */
NNRT__FN void nnrt__bpu_cancel(void *executor) { nnrt__runner_cancel(&((nnrt__bpu_executor *)executor)->runner); }

/* Slot wait_late. */
NNRT__FN OH_NN_ReturnCode nnrt__bpu_wait_late(void *executor, uint32_t timeout_ms) {
    return nnrt__runner_wait_back(&((nnrt__bpu_executor *)executor)->runner, timeout_ms);
}

#endif /* NNRT_BPU_EXECUTOR_H */
