/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/executor.h - running a model on the NPU: bind, convert, synchronise, run.   >>rknpu_executor

   Rooms     binding.h   memory and caches         executor_general.h   the general API
             profile.h   profile, facts
   Threads   the steps of a run may be done by the thread of npu/runner.h; every vendor call in them is one of
             nnrt__runner_call, after which the program's tensors may be gone.
   Memory    a run allocates nothing but, at its first use, what a new tensor needs. */
#ifndef NNRT_RKNPU_EXECUTOR_H
#define NNRT_RKNPU_EXECUTOR_H

#include "binding.h"
#include "../npu/layout.h"
#include "model.h"
#include "matmul.h"
#include "executor_general.h"
#include "profile.h"

/* ------------------------------------------------------------------------------------- shapes

   The context is entered. */

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_set_shape(void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)argument;
    return nnrt__rknpu_model_set_shape(self->model, self->context, self->wanted_shape, self->attrs);
}

/* The context gets the shape of this run, and self->ports become its ports. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_change_shape(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code;
    uint32_t i;
    if (self->model->shapes.count == 0 || self->shape == self->wanted_shape) return OH_NN_SUCCESS;
    self->shape = UINT32_MAX;
    for (i = 0; i < self->io_count; i++) self->slots[i].valid = false;
    code = nnrt__runner_call(&self->runner, nnrt__rknpu_call_set_shape, self);
    if (code != OH_NN_SUCCESS) return code;
    self->ports = &self->model->shapes.ports[(size_t)self->wanted_shape * self->io_count];
    self->shape = self->wanted_shape;
    return OH_NN_SUCCESS;
}

/* -------------------------------------------------------------------------------------------------- a run */

/* The tensors hold what the ports of this shape need. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_sizes(const nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->io_count; i++) {
        bool input = i < self->model->input_count;
        uint32_t number = input ? i : i - self->model->input_count, size = 0;
        if (!nnrt__layout_size(&self->ports[i].outside, &size) || self->io[i].size < size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u has %zu bytes, the model needs %u",
                              input ? "input" : "output", (unsigned)number, self->io[i].size, (unsigned)size);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_attach_all(nnrt__rknpu_executor *self, bool *complete) {
    OH_NN_ReturnCode code = nnrt__rknpu_change_shape(self);
    uint32_t i;
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_sizes(self);
    *complete = true;
    for (i = 0; i < self->io_count && code == OH_NN_SUCCESS; i++) {
        code = nnrt__rknpu_attach(self, i);
        if (self->slots[i].lacks_own) *complete = false;
    }
    return code;
}

NNRT__FN void nnrt__rknpu_convert_inputs(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->model->input_count; i++)
        if (self->slots[i].copied)
            self->copied_in += nnrt__layout_convert(&self->ports[i].outside, self->io[i].data, &self->ports[i].inside,
                                                    self->slots[i].own->data);
}

NNRT__FN void nnrt__rknpu_convert_outputs(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = self->model->input_count; i < self->io_count; i++)
        if (self->slots[i].copied)
            self->copied_out += nnrt__layout_convert(&self->ports[i].inside, self->slots[i].own->data,
                                                     &self->ports[i].outside, self->io[i].data);
}

/* The zero-copy API, everything being attached. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_zero_copy(nnrt__rknpu_executor *self) {
    const uint32_t inputs = self->model->input_count;
    uint64_t start = nnrt__now_ns(), loaded, computed;
    OH_NN_ReturnCode code = nnrt__rknpu_sync_foreign(self, 0, inputs, NNRT_RKNN_SYNC_BIDIRECTIONAL);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__rknpu_convert_inputs(self);
    code = nnrt__rknpu_sync_inputs(self);
    loaded = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_run_again(self);
    computed = nnrt__now_ns();
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_sync_outputs(self);
    if (code != OH_NN_SUCCESS) return code;
    nnrt__rknpu_convert_outputs(self);
    code = nnrt__rknpu_sync_foreign(self, inputs, self->io_count, NNRT_RKNN_SYNC_TO_DEVICE);
    self->times[0] = loaded - start;
    self->times[1] = computed - loaded;
    self->times[2] = nnrt__now_ns() - computed;
    return code;
}

typedef struct nnrt__rknpu_enter_call {
    nnrt__rknpu_executor *self;
    bool entered;
} nnrt__rknpu_enter_call;

/* Enters the context: whoever is inside is waited for, a call of another thread that was given up in there (about a
   tensor) for a grace. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_enter(void *argument) {
    nnrt__rknpu_enter_call *call = (nnrt__rknpu_enter_call *)argument;
    nnrt__rknpu_context *context = call->self->context;
    call->entered =
        nnrt__rknpu_enter(context) || nnrt__rknpu_enter_until(context, nnrt__runner_grace_ends(&call->self->runner));
    return call->entered ? OH_NN_SUCCESS : nnrt__runner_hangs(&call->self->runner);
}

/* Leaving frees what others could not. */
NNRT__FN void nnrt__rknpu_call_leave(void *argument) { nnrt__rknpu_leave((nnrt__rknpu_context *)argument); }

/* One try with the context entered. *complete false: own memory has to be made before the next one. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_try_run(nnrt__rknpu_executor *self, bool *complete) {
    nnrt__rknpu_enter_call call;
    OH_NN_ReturnCode code, left;
    *complete = true;
    call.self = self;
    call.entered = false;
    code = nnrt__runner_call(&self->runner, nnrt__rknpu_call_enter, &call);
    if (!call.entered) return code;
    if (code == OH_NN_SUCCESS && self->model->options.general_api) {
        code = nnrt__rknpu_change_shape(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_sizes(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_run_general(self);
    } else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_attach_all(self, complete);
        if (code == OH_NN_SUCCESS && *complete) code = nnrt__rknpu_run_zero_copy(self);
    }
    left = nnrt__runner_call_anyway(&self->runner, nnrt__rknpu_call_leave, self->context);
    return code == OH_NN_SUCCESS ? left : code;
}

/* References to memory that only the run needed. What is freed by this is a vendor call, too. */
NNRT__FN void nnrt__rknpu_call_drop(void *argument) {
    nnrt__rknpu_slot *slot = (nnrt__rknpu_slot *)argument;
    nnrt__rknpu_memory *tensor = slot->tensor, *dropped = slot->dropped;
    nnrt__rknpu_device *device = tensor != NULL ? tensor->device : dropped != NULL ? dropped->device : NULL;
    if (device == NULL) return;
    nnrt__mutex_lock(&device->mutex);
    slot->tensor = slot->dropped = NULL;
    nnrt__mutex_unlock(&device->mutex);
    nnrt__rknpu_memory_release(tensor);
    nnrt__rknpu_memory_release(dropped);
}

/* work->run: a whole run, io and wanted_shape being set. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_do_run(void *executor) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    const uint32_t inputs = self->model->input_count;
    OH_NN_ReturnCode code;
    bool complete = false;
    uint32_t i, k;
    self->copied_in = self->copied_out = self->syncs = 0;
    if (self->matmul != NULL) return nnrt__rknpu_matmul_run(self->matmul, self->io, self->io + inputs);
    for (i = 0; i < self->io_count; i++) {
        self->slots[i].tensor = (nnrt__rknpu_memory *)self->io[i].memory;
        if (self->slots[i].tensor != NULL) nnrt__rknpu_memory_retain(self->slots[i].tensor);
    }
    do {
        code = nnrt__rknpu_try_run(self, &complete);
        if (code == OH_NN_SUCCESS && !complete)
            code = nnrt__runner_call(&self->runner, nnrt__rknpu_call_make_missing, self);
    } while (code == OH_NN_SUCCESS && !complete);
    for (i = inputs; i < self->io_count && code == OH_NN_SUCCESS; i++) {
        const nnrt_io_desc *desc = &self->ports[i].desc;
        self->io[i].rank = desc->rank;
        for (k = 0; k < desc->rank; k++) self->io[i].dims[k] = desc->dims[k];
    }
    for (i = 0; i < self->io_count; i++)
        (void)nnrt__runner_call_anyway(&self->runner, nnrt__rknpu_call_drop, &self->slots[i]);
    if (code == OH_NN_SUCCESS) nnrt__rknpu_note_times(self);
    return code;
}

/* What a run is about. */
typedef struct nnrt__rknpu_run_request {
    const nnrt_io *inputs, *outputs;
    uint32_t shape;
} nnrt__rknpu_run_request;

/* work->begin */
NNRT__FN void nnrt__rknpu_run_begin(void *executor, const void *argument) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    const nnrt__rknpu_run_request *request = (const nnrt__rknpu_run_request *)argument;
    const uint32_t inputs = self->model->input_count;
    memcpy(self->io, request->inputs, inputs * sizeof(self->io[0]));
    memcpy(self->io + inputs, request->outputs, self->model->output_count * sizeof(self->io[0]));
    self->wanted_shape = request->shape;
}

/* work->give_up */
NNRT__FN void nnrt__rknpu_run_give_up(void *executor) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    if (self->context != NULL) nnrt__rknpu_give_up(self->context);
    else nnrt__rknpu_matmul_give_up(self->matmul);
}

/* Types, and shapes of a static model. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_tensors(const nnrt__rknpu_model *model, const nnrt_io *inputs,
                                                    const nnrt_io *outputs) {
    nnrt__shape_text given, wanted;
    uint32_t i;
    for (i = 0; i < model->input_count + model->output_count; i++) {
        bool input = i < model->input_count;
        const nnrt_io *io = input ? &inputs[i] : &outputs[i - model->input_count];
        const nnrt_io_desc *desc = &model->ports[i].desc;
        unsigned number = (unsigned)(input ? i : i - model->input_count);
        if (io->dtype != desc->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", input ? "input" : "output",
                              number, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc->dtype));
        if (!input || model->shapes.count != 0) continue;
        if (io->rank != desc->rank || memcmp(io->dims, desc->dims, desc->rank * sizeof(io->dims[0])) != 0)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u is %s, the model has %s", number,
                              nnrt__shape_print(&given, io->rank, io->dims),
                              nnrt__shape_print(&wanted, desc->rank, desc->dims));
    }
    return OH_NN_SUCCESS;
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                          size_t output_count) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    const nnrt__rknpu_model *model = self->model;
    nnrt__rknpu_run_request request;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (input_count != model->input_count || output_count != model->output_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the model has %u inputs and %u outputs",
                          (unsigned)model->input_count, (unsigned)model->output_count);
    if ((model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the model was built for its facts only (rknn.info_only)");
    code = nnrt__rknpu_check_tensors(model, inputs, outputs);
    request.inputs = inputs;
    request.outputs = outputs;
    request.shape = 0;
    if (code == OH_NN_SUCCESS && model->shapes.count != 0)
        code = nnrt__rknpu_model_shape(model, inputs, &request.shape);
    if (code == OH_NN_SUCCESS) code = nnrt__runner_run(&self->runner, model->options.timeout_ms, &request);
    for (i = 0; code == OH_NN_SUCCESS && i < model->output_count; i++) {
        outputs[i].rank = self->io[model->input_count + i].rank;
        memcpy(outputs[i].dims, self->io[model->input_count + i].dims, sizeof(outputs[i].dims));
    }
    return code;
}

/* --------------------------------------------------------------------------------------------------- life */

NNRT__FN void nnrt__rknpu_slot_free(nnrt__rknpu_slot *slot) {
    if (slot->bound != NULL) nnrt__rknpu_memory_release(slot->bound);
    if (slot->own != NULL) nnrt__rknpu_memory_release(slot->own);
    nnrt__free(slot->staging);
}

NNRT__FN void nnrt__rknpu_executor_free(nnrt__rknpu_executor *self) {
    uint32_t i;
    if (self->matmul != NULL) nnrt__rknpu_matmul_close(self->matmul);
    for (i = 0; self->slots != NULL && i < self->io_count; i++) nnrt__rknpu_slot_free(&self->slots[i]);
    if (self->context != NULL) nnrt__rknpu_model_give(self->model, self->context);
    nnrt__runner_destroy(&self->runner);
    nnrt__free(self->slots);
    nnrt__free(self->attrs);
    nnrt__free(self->general_inputs);
    nnrt__free(self->general_outputs);
    nnrt__free(self->io);
    nnrt__free(self->steps);
    nnrt__free(self->step_text);
    nnrt__free(self);
}

/* Bytes of NNRT_MALLOC that the executor alone holds, but for contexts and memory of the device. */
NNRT__FN size_t nnrt__rknpu_executor_bytes(const nnrt__rknpu_executor *self) {
    size_t bytes = nnrt__block_bytes(self) + nnrt__block_bytes(self->slots) + nnrt__block_bytes(self->attrs) +
                   nnrt__block_bytes(self->general_inputs) + nnrt__block_bytes(self->general_outputs) +
                   nnrt__block_bytes(self->io) + nnrt__block_bytes(self->steps) + nnrt__block_bytes(self->step_text);
    uint32_t i;
    for (i = 0; i < self->io_count; i++) bytes += nnrt__block_bytes(self->slots[i].staging);
    return self->matmul != NULL ? bytes + nnrt__rknpu_matmul_state_bytes(self->matmul) : bytes;
}

/* work->end: nothing of the executor is under way any more. */
NNRT__FN void nnrt__rknpu_executor_end(void *executor) {
    nnrt__rknpu_model *model = ((nnrt__rknpu_executor *)executor)->model;
    nnrt__rknpu_executor_free((nnrt__rknpu_executor *)executor);
    nnrt__rknpu_count_executors(model, false);
}

/* All blocks that do not depend on shapes; false: memory is out. */
NNRT__FN bool nnrt__rknpu_allocate_blocks(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    self->slots = (nnrt__rknpu_slot *)nnrt__alloc_zero(self->io_count, sizeof(self->slots[0]));
    self->io = (nnrt_io *)nnrt__alloc_zero(self->io_count, sizeof(self->io[0]));
    if (self->slots == NULL || self->io == NULL) return false;
    if (model->options.general_api) {
        self->general_inputs = (nnrt_rknn_input *)nnrt__alloc_zero(model->input_count, sizeof(self->general_inputs[0]));
        self->general_outputs =
            (nnrt_rknn_output *)nnrt__alloc_zero(model->output_count, sizeof(self->general_outputs[0]));
        if (self->general_inputs == NULL || self->general_outputs == NULL) return false;
    }
    if (model->shapes.count == 0) return true;
    self->attrs = (nnrt_rknn_tensor_attr *)nnrt__alloc_zero(model->input_count, sizeof(self->attrs[0]));
    return self->attrs != NULL;
}

/* What runs need of the context: own memory for every port that cannot be bound directly. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_equip(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    OH_NN_ReturnCode code = nnrt__rknpu_model_take(self->model, &self->context);
    uint32_t i;
    if (code != OH_NN_SUCCESS) {
        self->context = NULL;
        return code;
    }
    if ((model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0) return OH_NN_SUCCESS;
    for (i = 0; i < self->io_count && code == OH_NN_SUCCESS; i++) {
        if (model->options.general_api) code = nnrt__rknpu_stage(self, i);
        else if (!model->ports[i].direct) code = nnrt__rknpu_make_own(self, i, model->ports[i].inside_size);
    }
    return code;
}

/* Slot open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_open_executor(void *prepared, void **executor) {
    static const nnrt__runner_work work = {nnrt__rknpu_run_begin, nnrt__rknpu_do_run, nnrt__rknpu_run_give_up,
                                           nnrt__rknpu_executor_end};
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)prepared;
    nnrt__runner_group *group = model->arena != NULL ? &model->arena->group : NULL;
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)nnrt__alloc_zero(1, sizeof(*self));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (self == NULL ||
        !nnrt__runner_init(&self->runner, &work, self, group, model->options.hang_grace_ms, "rknn.hang_grace_ms")) {
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    nnrt__rknpu_count_executors(model, true);
    self->model = model;
    self->io_count = model->input_count + model->output_count; /* <= 2 * NNRT__RKNPU_MAX_IO */
    self->ports = model->ports;
    self->shape = UINT32_MAX;
    if (!nnrt__rknpu_allocate_blocks(self)) code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS && model->matmul != NULL) {
        code = nnrt__rknpu_matmul_open(model, &self->runner, &self->matmul);
        if (code != OH_NN_SUCCESS) self->matmul = NULL;
    } else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_equip(self);
    }
    if (code == OH_NN_SUCCESS && model->options.timeout_ms != 0) code = nnrt__runner_start(&self->runner);
    if (code != OH_NN_SUCCESS) nnrt__rknpu_executor_end(self);
    else *executor = self;
    return code;
}

/* Slot close_executor. No run is under way, but for one that was given up. */
NNRT__FN void nnrt__rknpu_close_executor(void *executor) {
    if (nnrt__runner_close(&((nnrt__rknpu_executor *)executor)->runner)) nnrt__rknpu_executor_end(executor);
}

/* Slot expect_cancel. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_expect_cancel(void *executor) {
    return nnrt__runner_start(&((nnrt__rknpu_executor *)executor)->runner);
}

/* Slot cancel. */
NNRT__FN void nnrt__rknpu_cancel(void *executor) { nnrt__runner_cancel(&((nnrt__rknpu_executor *)executor)->runner); }

/* Slot wait_late. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_wait_late(void *executor, uint32_t timeout_ms) {
    return nnrt__runner_wait_back(&((nnrt__rknpu_executor *)executor)->runner, timeout_ms);
}

#endif /* NNRT_RKNPU_EXECUTOR_H */
