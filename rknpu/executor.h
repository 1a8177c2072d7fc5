/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu/executor.h - running a model on the NPU: bind, convert, synchronise, run.   >>rknn_executor

   Rooms     binding.h   memory and caches         executor_general.h   the general API
             runner.h    runs that are given up    profile.h            profile, memory, facts
   Threads   the steps of a run may be done by the runner, runner.h; every vendor call in them stands between
             nnrt__rknpu_call_begins and nnrt__rknpu_call_ends, after which the program's tensors may be gone.
   Memory    a run allocates nothing but, at its first use, what a new tensor or a new shape needs. */
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

/* The context gets the shape of this run, and self->ports become its ports. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_change_shape(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    const uint32_t shape = self->wanted_shape;
    nnrt__rknpu_port *ports;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (model->shapes.count == 0 || self->shape == shape) return OH_NN_SUCCESS;
    self->shape = UINT32_MAX;
    for (i = 0; i < self->io_count; i++) self->slots[i].valid = false;
    if (!nnrt__rknpu_call_begins(self)) return nnrt__rknpu_deadline_passed();
    code = nnrt__rknpu_model_set_shape(model, self->context, shape, self->attrs);
    if (!nnrt__rknpu_call_ends(self)) return nnrt__rknpu_deadline_passed();
    if (code != OH_NN_SUCCESS) return code;
    ports = self->shape_ports[shape];
    if (ports == NULL) {
        ports = (nnrt__rknpu_port *)nnrt__alloc_zero(self->io_count, sizeof(ports[0]));
        if (ports == NULL) return nnrt__fail_memory();
        if (!nnrt__rknpu_call_begins(self)) {
            nnrt__free(ports);
            return nnrt__rknpu_deadline_passed();
        }
        code = nnrt__rknpu_model_ports(model, self->context, true, ports);
        if (!nnrt__rknpu_call_ends(self)) code = nnrt__rknpu_deadline_passed();
        if (code != OH_NN_SUCCESS) {
            nnrt__free(ports);
            return code;
        }
        self->shape_ports[shape] = ports;
    }
    self->ports = ports;
    self->shape = shape;
    return OH_NN_SUCCESS;
}

/* ------------------------------------------------------------------------------------- a run */

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
    if (code == OH_NN_SUCCESS) code = nnrt__rknpu_call_run(self);
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

/* Enters the context: whoever is inside is waited for, a call of another thread that was given up in there (about a
   tensor) for a grace. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_enter_for_run(nnrt__rknpu_executor *self) {
    bool entered;
    if (!nnrt__rknpu_call_begins(self)) return nnrt__rknpu_deadline_passed();
    entered = nnrt__rknpu_enter(self->context) ||
              nnrt__rknpu_enter_until(self->context, nnrt__rknpu_grace_ends(self));
    if (nnrt__rknpu_call_ends(self)) return entered ? OH_NN_SUCCESS : nnrt__rknpu_hangs(self);
    if (entered) nnrt__rknpu_leave(self->context);
    return nnrt__rknpu_deadline_passed();
}

/* One try with the context entered. *complete false: own memory has to be made before the next one. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_try_run(nnrt__rknpu_executor *self, bool *complete) {
    OH_NN_ReturnCode code = nnrt__rknpu_enter_for_run(self);
    *complete = true;
    if (code != OH_NN_SUCCESS) return code;
    if (self->model->options.general_api) {
        code = nnrt__rknpu_change_shape(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_check_sizes(self);
        if (code == OH_NN_SUCCESS) code = nnrt__rknpu_run_general(self);
    } else {
        code = nnrt__rknpu_attach_all(self, complete);
        if (code == OH_NN_SUCCESS && *complete) code = nnrt__rknpu_run_zero_copy(self);
    }
    (void)nnrt__rknpu_call_begins(self); /* leaving frees what others could not */
    nnrt__rknpu_leave(self->context);
    if (!nnrt__rknpu_call_ends(self) && code == OH_NN_SUCCESS) code = nnrt__rknpu_deadline_passed();
    return code;
}

/* References to memory that only the run needed. What is freed by this is a vendor call, too. */
NNRT__FN void nnrt__rknpu_drop(nnrt__rknpu_executor *self) {
    uint32_t i;
    for (i = 0; i < self->io_count; i++) {
        nnrt__rknpu_slot *slot = &self->slots[i];
        (void)nnrt__rknpu_call_begins(self);
        if (slot->tensor != NULL) nnrt__rknpu_memory_release(slot->tensor);
        if (slot->dropped != NULL) nnrt__rknpu_memory_release(slot->dropped);
        (void)nnrt__rknpu_call_ends(self);
        slot->tensor = NULL;
        slot->dropped = NULL;
    }
}

NNRT__FN OH_NN_ReturnCode nnrt__rknpu_do_run(nnrt__rknpu_executor *self) {
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
        if (code == OH_NN_SUCCESS && !complete) code = nnrt__rknpu_make_missing(self);
    } while (code == OH_NN_SUCCESS && !complete);
    for (i = inputs; i < self->io_count && code == OH_NN_SUCCESS; i++) {
        const nnrt_io_desc *desc = &self->ports[i].desc;
        self->io[i].rank = desc->rank;
        for (k = 0; k < desc->rank; k++) self->io[i].dims[k] = desc->dims[k];
    }
    nnrt__rknpu_drop(self);
    if (code == OH_NN_SUCCESS) nnrt__rknpu_note_times(self);
    return code;
}

NNRT__FN bool nnrt__rknpu_guard_begins(void *executor) {
    return nnrt__rknpu_call_begins((nnrt__rknpu_executor *)executor);
}

NNRT__FN bool nnrt__rknpu_guard_ends(void *executor) { return nnrt__rknpu_call_ends((nnrt__rknpu_executor *)executor); }

/* Types, and shapes of a static model. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_check_tensors(const nnrt__rknpu_model *model, const nnrt_io *inputs,
                                                    const nnrt_io *outputs) {
    uint32_t i, k;
    for (i = 0; i < model->input_count + model->output_count; i++) {
        bool input = i < model->input_count;
        const nnrt_io *io = input ? &inputs[i] : &outputs[i - model->input_count];
        const nnrt_io_desc *desc = &model->ports[i].desc;
        unsigned number = (unsigned)(input ? i : i - model->input_count);
        if (io->dtype != desc->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", input ? "input" : "output",
                              number, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc->dtype));
        if (!input || model->shapes.count != 0) continue;
        for (k = 0; k < desc->rank; k++)
            if (io->rank != desc->rank || io->dims[k] != desc->dims[k])
                return nnrt__fail(OH_NN_INVALID_PARAMETER,
                                  "input %u has another shape than the model: dimension %u is %d, not %d", number,
                                  (unsigned)k, (int)io->dims[k], (int)desc->dims[k]);
    }
    return OH_NN_SUCCESS;
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                          size_t output_count) {
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)executor;
    const nnrt__rknpu_model *model = self->model;
    uint32_t shape = 0;
    OH_NN_ReturnCode code;
    if (input_count != model->input_count || output_count != model->output_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the model has %u inputs and %u outputs",
                          (unsigned)model->input_count, (unsigned)model->output_count);
    if ((model->options.flags & NNRT_RKNN_FLAG_COLLECT_MODEL_INFO_ONLY) != 0)
        return nnrt__fail(OH_NN_OPERATION_FORBIDDEN, "the model was built for its facts only (rknn.info_only)");
    code = nnrt__rknpu_check_tensors(model, inputs, outputs);
    if (code == OH_NN_SUCCESS && model->shapes.count != 0) code = nnrt__rknpu_model_shape(model, inputs, &shape);
    return code == OH_NN_SUCCESS ? nnrt__rknpu_run_io(self, inputs, outputs, shape) : code;
}

/* ------------------------------------------------------------------------------------- life */

NNRT__FN void nnrt__rknpu_slot_free(nnrt__rknpu_slot *slot) {
    if (slot->bound != NULL) nnrt__rknpu_memory_release(slot->bound);
    if (slot->own != NULL) nnrt__rknpu_memory_release(slot->own);
    nnrt__free(slot->staging);
}

NNRT__FN void nnrt__rknpu_executor_free(nnrt__rknpu_executor *self) {
    uint32_t i;
    if (self->matmul != NULL) nnrt__rknpu_matmul_close(self->matmul);
    for (i = 0; self->slots != NULL && i < self->io_count; i++) nnrt__rknpu_slot_free(&self->slots[i]);
    for (i = 0; self->shape_ports != NULL && i < self->model->shapes.count; i++) nnrt__free(self->shape_ports[i]);
    if (self->context != NULL) nnrt__rknpu_model_give(self->model, self->context);
    nnrt__cond_destroy(&self->changed);
    nnrt__mutex_destroy(&self->own_mutex);
    nnrt__free(self->slots);
    nnrt__free((void *)self->shape_ports);
    nnrt__free(self->attrs);
    nnrt__free(self->general_inputs);
    nnrt__free(self->general_outputs);
    nnrt__free(self->io);
    nnrt__free(self->steps);
    nnrt__free(self->step_text);
    nnrt__free(self);
}

/* All blocks that do not depend on shapes; false: memory is out. */
NNRT__FN bool nnrt__rknpu_allocate_blocks(nnrt__rknpu_executor *self) {
    const nnrt__rknpu_model *model = self->model;
    self->slots = (nnrt__rknpu_slot *)nnrt__alloc_zero(self->io_count, sizeof(self->slots[0]));
    self->io = (nnrt_io *)nnrt__alloc_zero(self->io_count, sizeof(self->io[0]));
    if (self->slots == NULL || self->io == NULL) return false;
    if (model->options.general_api) {
        self->general_inputs =
            (nnrt_rknn_input *)nnrt__alloc_zero(model->input_count, sizeof(self->general_inputs[0]));
        self->general_outputs =
            (nnrt_rknn_output *)nnrt__alloc_zero(model->output_count, sizeof(self->general_outputs[0]));
        if (self->general_inputs == NULL || self->general_outputs == NULL) return false;
    }
    if (model->shapes.count == 0) return true;
    self->shape_ports = (nnrt__rknpu_port **)nnrt__alloc_zero(model->shapes.count, sizeof(self->shape_ports[0]));
    self->attrs = (nnrt_rknn_tensor_attr *)nnrt__alloc_zero(model->input_count, sizeof(self->attrs[0]));
    return self->shape_ports != NULL && self->attrs != NULL;
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
    nnrt__rknpu_model *model = (nnrt__rknpu_model *)prepared;
    nnrt__rknpu_executor *self = (nnrt__rknpu_executor *)nnrt__alloc_zero(1, sizeof(*self));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (self == NULL || !nnrt__mutex_init(&self->own_mutex)) {
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    if (!nnrt__cond_init(&self->changed)) {
        nnrt__mutex_destroy(&self->own_mutex);
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    self->model = model;
    self->mutex = model->arena != NULL ? &model->arena->run_mutex : &self->own_mutex;
    self->io_count = model->input_count + model->output_count; /* <= 2 * NNRT__RKNPU_MAX_IO */
    self->ports = model->ports;
    self->shape = UINT32_MAX;
    if (!nnrt__rknpu_allocate_blocks(self)) code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS && model->matmul != NULL) {
        code = nnrt__rknpu_matmul_open(model, &self->matmul);
        if (code != OH_NN_SUCCESS) self->matmul = NULL;
        else nnrt__rknpu_matmul_guard(self->matmul, nnrt__rknpu_guard_begins, nnrt__rknpu_guard_ends, self);
    } else if (code == OH_NN_SUCCESS) {
        code = nnrt__rknpu_equip(self);
    }
    if (code == OH_NN_SUCCESS && model->options.timeout_ms != 0) code = nnrt__rknpu_start_runner(self);
    if (code != OH_NN_SUCCESS) nnrt__rknpu_executor_free(self);
    else *executor = self;
    return code;
}

/* Slot expect_cancel. */
NNRT__FN OH_NN_ReturnCode nnrt__rknpu_expect_cancel(void *executor) {
    return nnrt__rknpu_start_runner((nnrt__rknpu_executor *)executor);
}

#endif /* NNRT_RKNPU_EXECUTOR_H */
