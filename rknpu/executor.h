/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/executor.h - running a model on the NPU: bind, convert, synchronise, run.   >>rknpu_executor

   Rooms     binding.h   memory and caches         executor_general.h   the general API
             profile.h   profile, facts
   Threads   the steps of a run may be done by the thread of npu/runner.h; every vendor call goes through
             nnrt__runner_call, after which the program's tensors may be gone.
   Memory    a run allocates only what a new tensor needs at its first use. */
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
    return nnrt__rknpu_model_set_shape(self->model, self->context, self->npu.shape, self->attrs);
}

/* Prepares each port for runs of the current shape: its conversion, and with the general API a buffer. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_prepare_moves(nnrt__rknpu_executor *self) {
    const bool general = self->model->options.general_api;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        if (general) code = nnrt__rknpu_stage(self, i);
        nnrt__rknpu_prepare_move(self, i, general ? &self->slots[i].general : &self->ports[i].inside);
    }
    return code;
}

/* Sets the context's shape for this run, and self->ports to its ports. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_change_shape(nnrt__rknpu_executor *self) {
    OH_NN_ReturnCode code;
    uint32_t i;
    if (self->model->shapes.count == 0 || self->shape == self->npu.shape) return OH_NN_SUCCESS;
    self->shape = UINT32_MAX;
    for (i = 0; i < self->npu.io_count; i++) self->slots[i].valid = false;
    code = nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_set_shape, self);
    if (code != OH_NN_SUCCESS) return code;
    self->ports = &self->model->shapes.ports[(size_t)self->npu.shape * self->npu.io_count];
    code = nnrt__rknpu_prepare_moves(self);
    if (code == OH_NN_SUCCESS) self->shape = self->npu.shape;
    return code;
}

/* -------------------------------------------------------------------------------------------------- a run */

/* Checks that the tensors are large enough for the ports of this shape. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_sizes(const nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->npu.io_count; i++) {
        bool input = i < self->model->npu.input_count;
        uint32_t number = input ? i : i - self->model->npu.input_count;
        if (self->npu.io[i].size < self->ports[i].outside_size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u has %zu bytes, the model needs %u",
                              input ? "input" : "output", (unsigned)number, self->npu.io[i].size,
                              (unsigned)self->ports[i].outside_size);
    }
    return OH_NN_SUCCESS;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_attach_all(nnrt__rknpu_executor *self, bool *complete) {
    OH_NN_ReturnCode code = nnrt__rknpu_change_shape(self);
    uint32_t i;
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_sizes(self);
    *complete = true;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        code = nnrt__rknpu_attach(self, i);
        if (self->slots[i].lacks_own) *complete = false;
    }
    return code;
}

NNRT__FN void nnrt__rknpu_convert_inputs(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->model->npu.input_count; i++)
        if (self->slots[i].copied)
            self->npu.copied_in +=
                nnrt__rknpu_move(self, i, &self->ports[i].inside, self->npu.io[i].data, self->slots[i].own->data);
}

NNRT__FN void nnrt__rknpu_convert_outputs(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = self->model->npu.input_count; i < self->npu.io_count; i++)
        if (self->slots[i].copied)
            self->npu.copied_out +=
                nnrt__rknpu_move(self, i, &self->ports[i].inside, self->slots[i].own->data, self->npu.io[i].data);
}

/* The zero-copy API, everything being attached. The context is entered. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run_zero_copy(nnrt__rknpu_executor *self) {
    const uint32_t inputs = self->model->npu.input_count;
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
    code = nnrt__rknpu_sync_foreign(self, inputs, self->npu.io_count, NNRT_RKNN_SYNC_TO_DEVICE);
    self->npu.times[0] = loaded - start;
    self->npu.times[1] = computed - loaded;
    self->npu.times[2] = nnrt__now_ns() - computed;
    return code;
}

typedef struct nnrt__rknpu_enter_call {
    nnrt__rknpu_executor *self;
    bool entered;
} nnrt__rknpu_enter_call;

/* Enters the context: waits for a thread inside; for a given-up call of another thread (about a tensor) only a grace
   period. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_call_enter(void *argument) {
    nnrt__rknpu_enter_call *call = (nnrt__rknpu_enter_call *)argument;
    nnrt__rknpu_context *context = call->self->context;
    call->entered = nnrt__rknpu_enter(context) ||
                    nnrt__rknpu_enter_until(context, nnrt__runner_grace_ends(&call->self->npu.runner));
    return call->entered ? OH_NN_SUCCESS : nnrt__runner_hangs(&call->self->npu.runner);
}

/* Leaving also frees what others could not. */
NNRT__FN void nnrt__rknpu_call_leave(void *argument) { nnrt__rknpu_leave((nnrt__rknpu_context *)argument); }

/* One try with the context entered. *complete false: own memory must be made before the next try. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_try_run(nnrt__rknpu_executor *self, bool *complete) {
    nnrt__rknpu_enter_call call;
    OH_NN_ReturnCode code, left;
    *complete = true;
    call.self = self;
    call.entered = false;
    code = nnrt__runner_call(&self->npu.runner, nnrt__rknpu_call_enter, &call);
    if (!call.entered) return code;
    if (code == OH_NN_SUCCESS && self->model->options.general_api) {
        code = nnrt__rknpu_change_shape(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_sizes(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_run_general(self);
    } else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_attach_all(self, complete);
        if (code == OH_NN_SUCCESS && *complete) code = nnrt__rknpu_run_zero_copy(self);
    }
    left = nnrt__runner_call_anyway(&self->npu.runner, nnrt__rknpu_call_leave, self->context);
    return code == OH_NN_SUCCESS ? left : code;
}

/* A reference to a tensor's memory for the run. */
NNRT__FN void nnrt__rknpu_hold(nnrt__npu_executor *base, uint32_t port, void *memory) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    self->slots[port].tensor = (nnrt__rknpu_memory *)memory;
    nnrt__rknpu_memory_retain(self->slots[port].tensor);
}

NNRT__FN void nnrt__rknpu_drop(nnrt__npu_executor *base) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    nnrt__rknpu_device *device = self->model->device;
    uint32_t i;
    for (i = 0; i < base->io_count; i++) {
        nnrt__rknpu_slot *slot = &self->slots[i];
        nnrt__rknpu_memory *tensor = slot->tensor, *dropped = slot->dropped;
        if (tensor == NULL && dropped == NULL) continue;
        nnrt__mutex_lock(&device->mutex);
        slot->tensor = slot->dropped = NULL;
        nnrt__mutex_unlock(&device->mutex);
        nnrt__rknpu_memory_release(tensor);
        nnrt__rknpu_memory_release(dropped);
    }
}

/* A whole run. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run(nnrt__npu_executor *base) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    const uint32_t inputs = base->model->input_count;
    OH_NN_ReturnCode code;
    bool complete = false;
    uint32_t i;
    self->syncs = 0;
    if (self->matmul != NULL) return nnrt__rknpu_matmul_run(self->matmul, base->io, base->io + inputs);
    do {
        code = nnrt__rknpu_try_run(self, &complete);
        if (code == OH_NN_SUCCESS && !complete)
            code = nnrt__runner_call(&base->runner, nnrt__rknpu_call_make_missing, self);
    } while (code == OH_NN_SUCCESS && !complete);
    for (i = inputs; i < base->io_count && code == OH_NN_SUCCESS; i++)
        nnrt__npu_take_shape(&base->io[i], &self->ports[i].desc);
    return code;
}

NNRT__FN void nnrt__rknpu_give_up_run(nnrt__npu_executor *base) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    if (self->context != NULL) nnrt__rknpu_give_up(self->context);
    else nnrt__rknpu_matmul_give_up(self->matmul);
}

/* Finds the shape of a dynamic model that the inputs have. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_run(const nnrt__npu_model *base, const nnrt_io *inputs, uint32_t *shape) {
    const nnrt__rknpu_model *model = (const nnrt__rknpu_model *)base;
    return model->shapes.count != 0 ? nnrt__rknpu_model_shape(model, inputs, shape) : OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------------------- life */

NNRT__FN void nnrt__rknpu_slot_free(nnrt__rknpu_slot *slot) {
    if (slot->bound != NULL) nnrt__rknpu_memory_release(slot->bound);
    if (slot->own != NULL) nnrt__rknpu_memory_release(slot->own);
    nnrt__free(slot->staging);
    nnrt__free(slot->job);
}

NNRT__FN void nnrt__rknpu_close(nnrt__npu_executor *base) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    uint32_t i;
    if (self->matmul != NULL) nnrt__rknpu_matmul_close(self->matmul);
    for (i = 0; self->slots != NULL && i < base->io_count; i++) nnrt__rknpu_slot_free(&self->slots[i]);
    if (self->context != NULL) nnrt__rknpu_model_give(self->model, self->context);
    nnrt__free(self->slots);
    nnrt__free(self->attrs);
    nnrt__free(self->general_inputs);
    nnrt__free(self->general_outputs);
    nnrt__free(self->steps);
    nnrt__free(self->step_text);
}

/* Bytes of NNRT_MALLOC that the executor alone holds, without contexts and memory of the device. */
NNRT__FN size_t nnrt__rknpu_executor_bytes(const nnrt__rknpu_executor *self) {
    size_t bytes = nnrt__block_bytes(self) + nnrt__block_bytes(self->slots) + nnrt__block_bytes(self->attrs) +
                   nnrt__block_bytes(self->general_inputs) + nnrt__block_bytes(self->general_outputs) +
                   nnrt__npu_executor_bytes(&self->npu) + nnrt__block_bytes(self->steps) +
                   nnrt__block_bytes(self->step_text);
    uint32_t i;
    for (i = 0; i < self->npu.io_count; i++)
        bytes += nnrt__block_bytes(self->slots[i].staging) + nnrt__block_bytes(self->slots[i].job);
    return self->matmul != NULL ? bytes + nnrt__rknpu_matmul_state_bytes(self->matmul) : bytes;
}

/* Allocates all blocks that do not depend on shapes; false: out of memory. */
NNRT__FN bool nnrt__rknpu_allocate_blocks(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    self->slots = (nnrt__rknpu_slot *)nnrt__alloc_zero(self->npu.io_count, sizeof(self->slots[0]));
    if (self->slots == NULL) return false;
    if (model->options.general_api) {
        self->general_inputs =
            (nnrt_rknn_input *)nnrt__alloc_zero(model->npu.input_count, sizeof(self->general_inputs[0]));
        self->general_outputs =
            (nnrt_rknn_output *)nnrt__alloc_zero(model->npu.output_count, sizeof(self->general_outputs[0]));
        if (self->general_inputs == NULL || self->general_outputs == NULL) return false;
    }
    if (model->shapes.count == 0) return true;
    self->attrs = (nnrt_rknn_tensor_attr *)nnrt__alloc_zero(model->npu.input_count, sizeof(self->attrs[0]));
    return self->attrs != NULL;
}

/* Makes own memory for every port that cannot be bound directly. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_equip(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    OH_NN_ReturnCode code = nnrt__rknpu_model_take(self->model, &self->context);
    uint32_t i;
    if (code != OH_NN_SUCCESS) {
        self->context = NULL;
        return code;
    }
    if ((model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0) return OH_NN_SUCCESS;
    for (i = 0; i < self->npu.io_count && code == OH_NN_SUCCESS; i++) {
        if (model->ports[i].direct && !model->options.general_api && model->shapes.count == 0) continue;
        self->slots[i].job = (nnrt__layout_job *)nnrt__alloc(sizeof(nnrt__layout_job));
        if (self->slots[i].job == NULL) return nnrt__fail_memory();
        if (!model->ports[i].direct && !model->options.general_api)
            code = nnrt__rknpu_make_own(self, i, model->ports[i].inside_size);
    }
    return code == OH_NN_SUCCESS && (model->shapes.count == 0 || model->options.general_api)
               ? nnrt__rknpu_prepare_moves(self)
               : code;
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_open_run(nnrt__npu_executor *base) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)base;
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)base->model;
    OH_NN_ReturnCode code;
    self->model = model;
    self->ports = model->ports;
    self->shape = UINT32_MAX;
    if (!nnrt__rknpu_allocate_blocks(self)) return nnrt__fail_memory();
    if (model->matmul == NULL) return nnrt__rknpu_equip(self);
    code = nnrt__rknpu_matmul_open(model, &base->runner, &self->matmul);
    if (code != OH_NN_SUCCESS) self->matmul = NULL;
    return code;
}

/* -------------------------------------------------------------------------------------------------- slots */

static const nnrt__npu_vendor nnrt__rknpu_vendor = {
    /* grace_config  */ "rknn.hang_grace_ms",
    /* model_size    */ sizeof(nnrt__rknpu_model),
    /* executor_size */ sizeof(nnrt__rknpu_executor),
    /* prepare       */ nnrt__rknpu_prepare_model,
    /* release       */ nnrt__rknpu_release,
    /* desc          */ nnrt__rknpu_desc,
    /* open          */ nnrt__rknpu_open_run,
    /* close         */ nnrt__rknpu_close,
    /* check         */ nnrt__rknpu_check_run,
    /* begin         */ NULL,
    /* run           */ nnrt__rknpu_run,
    /* give_up       */ nnrt__rknpu_give_up_run,
    /* hold          */ nnrt__rknpu_hold,
    /* drop          */ nnrt__rknpu_drop};

/* Slot prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_prepare(void *device, const nnrt_request *request, void **prepared) {
    return nnrt__npu_prepare(&nnrt__rknpu_vendor, device, &((nnrt__rknpu_device *)device)->mutex, request, prepared);
}

/* Slot check_graph: prepares the graph, with float16 allowed, and releases it. This also checks what supports cannot
   know: the order, the size, and whether the library accepts the matrices. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_graph(void *device, const nnrt_graph *graph, nnrt_refuse_callback refuse,
                                                  void *user) {
    nnrt_request request;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    void *prepared = NULL;
    uint32_t i;
    for (i = 0; i < graph->node_count; i++) {
        if (nnrt__rknpu_supports(device, graph, i) == OH_NN_SUCCESS) continue;
        refuse(user, i, nnrt__sentence());
        code = OH_NN_FAILED;
    }
    if (code != OH_NN_SUCCESS) return code;
    memset(&request, 0, sizeof(request));
    request.graph = graph;
    request.enable_float16 = true;
    code = nnrt__rknpu_prepare(device, &request, &prepared);
    if (code == OH_NN_SUCCESS) nnrt__npu_release(prepared);
    for (i = 0; i < graph->node_count && code != OH_NN_SUCCESS && code != OH_NN_MEMORY_ERROR; i++)
        refuse(user, i, nnrt__sentence());
    return code;
}

#endif /* NNRT_RKNPU_EXECUTOR_H */
