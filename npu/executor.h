/* SPDX-License-Identifier: Apache-2.0 */
/* npu/executor.h - executors of every device with an NPU: life, runs, profile and facts.   >>npu_executor

   A vendor's executor begins with a nnrt__npu_executor. runner.h handles runs, deadlines and their ends; the vendor's
   part is in the model's nnrt__npu_vendor. The functions here are slots of the backend. */
#ifndef NNRT_NPU_EXECUTOR_H
#define NNRT_NPU_EXECUTOR_H

#include "block.h"
#include "facts.h"
#include "model.h"

typedef struct nnrt__npu_executor {
    nnrt__runner runner;
    nnrt__npu_model *model;
    uint32_t io_count; /* inputs and outputs */

    /* Of the run under way, or the last one */
    nnrt_io *io;                    /* [io_count] a copy: the caller's may be gone when a late call returns */
    uint32_t shape;                 /* as the vendor's check chose it */
    bool has_run;                   /* once, with success */
    uint64_t copied_in, copied_out; /* bytes that the CPU moved between tensors and the NPU's memory */

    nnrt__npu_place *places; /* [io_count] where the memory of tensors is blocks; else NULL */

    /* [model->step_count] */
    nnrt_profile_step *steps;
    uint64_t *times; /* nanoseconds, set by each run */
} nnrt__npu_executor;

/* Bytes of NNRT_MALLOC that the base holds, without its structure, which is part of the vendor's. */
NNRT__FN size_t nnrt__npu_executor_bytes(const nnrt__npu_executor *self) {
    return nnrt__block_bytes(self->io) + nnrt__block_bytes(self->places) + nnrt__block_bytes(self->steps) +
           nnrt__block_bytes(self->times);
}

/* ------------------------------------------------------------------------------------------------- a run */

/* What a run is about. */
typedef struct nnrt__npu_run_request {
    const nnrt_io *inputs, *outputs;
    uint32_t shape;
} nnrt__npu_run_request;

/* work->begin */
NNRT__FN void nnrt__npu_begin(void *executor, const void *argument) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    const nnrt__npu_run_request *request = (const nnrt__npu_run_request *)argument;
    const uint32_t inputs = self->model->input_count;
    memcpy(self->io, request->inputs, inputs * sizeof(self->io[0]));
    memcpy(self->io + inputs, request->outputs, self->model->output_count * sizeof(self->io[0]));
    self->shape = request->shape;
    if (self->model->vendor->begin != NULL) self->model->vendor->begin(self);
}

/* A reference to a tensor's memory for the run. */
NNRT__FN void nnrt__npu_hold(nnrt__npu_executor *self, uint32_t port, void *memory) {
    if (self->places == NULL) {
        self->model->vendor->hold(self, port, memory);
    } else {
        self->places[port].tensor = (nnrt__npu_block *)memory;
        nnrt__npu_block_retain(self->places[port].tensor);
    }
}

/* Releases all of them: a vendor call, because it may free. */
NNRT__FN void nnrt__npu_call_drop(void *argument) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)argument;
    uint32_t i;
    if (self->places == NULL) self->model->vendor->drop(self);
    for (i = 0; self->places != NULL && i < self->io_count; i++) {
        nnrt__npu_block *tensor = self->places[i].tensor;
        self->places[i].tensor = self->places[i].block = NULL;
        nnrt__npu_block_release(tensor);
    }
}

/* Records counters of the run that just ended, and its times if a profile was asked for. */
NNRT__FN void nnrt__npu_note_run(nnrt__npu_executor *self) {
    const uint32_t count = self->model->step_count;
    uint32_t i;
    self->has_run = true;
    self->steps[0].copied_bytes = self->copied_in;
    self->steps[count - 1].copied_bytes = self->copied_out;
    for (i = 0; i < count && self->model->options->profile; i++) nnrt__step_note(&self->steps[i], self->times[i]);
}

/* work->run: a whole run, io being set. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_do_run(void *executor) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    const nnrt__npu_vendor *vendor = self->model->vendor;
    OH_NN_ReturnCode code;
    uint32_t i;
    self->copied_in = self->copied_out = 0;
    for (i = 0; i < self->io_count; i++)
        if (self->io[i].memory != NULL) nnrt__npu_hold(self, i, self->io[i].memory);
    code = vendor->run(self);
    (void)nnrt__runner_call_anyway(&self->runner, nnrt__npu_call_drop, self);
    if (code == OH_NN_SUCCESS) nnrt__npu_note_run(self);
    return code;
}

/* work->give_up */
NNRT__FN void nnrt__npu_give_up(void *executor) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    self->model->vendor->give_up(self);
}

/* Checks inputs or outputs against the model: types, and shapes of inputs. The core has checked counts, ranges, and
   tensors that are exactly as declared. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_check_tensors(const nnrt__npu_model *model, bool output, const nnrt_io *io) {
    const uint32_t first = output ? model->input_count : 0, count = output ? model->output_count : model->input_count;
    nnrt__shape_text given, wanted;
    uint32_t i, d;
    for (i = 0; i < count; i++, io++) {
        const nnrt_io_desc *desc;
        bool same;
        if (io->declared) continue;
        desc = model->vendor->desc(model, first + i);
        same = output || io->rank == desc->rank;
        if (io->dtype != desc->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", output ? "output" : "input",
                              (unsigned)i, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc->dtype));
        for (d = 0; d < desc->rank && same && !output; d++)
            same = desc->dims[d] < 0 ? io->dims[d] > 0 : io->dims[d] == desc->dims[d];
        if (!same)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u is %s, the model has %s", (unsigned)i,
                              nnrt__shape_print(&given, io->rank, io->dims),
                              nnrt__shape_print(&wanted, desc->rank, desc->dims));
    }
    return OH_NN_SUCCESS;
}

/* Gives an output of the run the shape of desc; the vendor fills in open dimensions. */
NNRT__FN void nnrt__npu_take_shape(nnrt_io *io, const nnrt_io_desc *desc) {
    io->rank = desc->rank;
    memcpy(io->dims, desc->dims, sizeof(io->dims));
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    const nnrt__npu_model *model = self->model;
    nnrt__npu_run_request request;
    OH_NN_ReturnCode code = nnrt__npu_check_tensors(model, false, inputs);
    uint32_t i;
    NNRT_ASSERT(input_count == model->input_count && output_count == model->output_count);
    (void)input_count;
    request.inputs = inputs;
    request.outputs = outputs;
    request.shape = 0;
    if (code == OH_NN_SUCCESS) code = nnrt__npu_check_tensors(model, true, outputs);
    if (code == OH_NN_SUCCESS && model->vendor->check != NULL)
        code = model->vendor->check(model, inputs, &request.shape);
    if (code == OH_NN_SUCCESS) code = nnrt__runner_run(&self->runner, model->options->timeout_ms, &request);
    for (i = 0; code == OH_NN_SUCCESS && i < output_count; i++) {
        outputs[i].rank = self->io[model->input_count + i].rank;
        memcpy(outputs[i].dims, self->io[model->input_count + i].dims, sizeof(outputs[i].dims));
    }
    return code;
}

/* -------------------------------------------------------------------------------------------------- life */

/* work->end: nothing of the executor is under way any more. */
NNRT__FN void nnrt__npu_end(void *executor) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    nnrt__npu_model *model = self->model;
    uint32_t i;
    model->vendor->close(self);
    for (i = 0; self->places != NULL && i < self->io_count; i++) nnrt__npu_block_release(self->places[i].own);
    nnrt__free(self->places);
    nnrt__runner_destroy(&self->runner);
    nnrt__free(self->io);
    nnrt__free(self->steps);
    nnrt__free(self->times);
    nnrt__free(self);
    nnrt__npu_count_user(model, false);
}

/* Allocates the blocks of the base; false: out of memory. */
NNRT__FN bool nnrt__npu_allocate_blocks(nnrt__npu_executor *self) {
    self->io = (nnrt_io *)nnrt__alloc_zero(self->io_count, sizeof(self->io[0]));
    self->steps = (nnrt_profile_step *)nnrt__alloc_zero(self->model->step_count, sizeof(self->steps[0]));
    self->times = (uint64_t *)nnrt__alloc_zero(self->model->step_count, sizeof(self->times[0]));
    if (self->model->vendor->hold == NULL)
        self->places = (nnrt__npu_place *)nnrt__alloc_zero(self->io_count, sizeof(self->places[0]));
    return self->io != NULL && self->steps != NULL && self->times != NULL &&
           (self->places != NULL || self->model->vendor->hold != NULL);
}

/* Slot open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_open_executor(void *prepared, void **executor) {
    static const nnrt__runner_work work = {nnrt__npu_begin, nnrt__npu_do_run, nnrt__npu_give_up, nnrt__npu_end};
    nnrt__npu_model *model = (nnrt__npu_model *)prepared;
    const nnrt__npu_vendor *vendor = model->vendor;
    nnrt__npu_executor *self = (nnrt__npu_executor *)nnrt__alloc_zero(1, vendor->executor_size);
    OH_NN_ReturnCode code;
    if (self == NULL || !nnrt__runner_init(&self->runner, &work, self, model->group, model->options->hang_grace_ms,
                                           vendor->grace_config)) {
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    nnrt__npu_count_user(model, true);
    self->model = model;
    self->io_count = model->input_count + model->output_count;
    code = nnrt__npu_allocate_blocks(self) ? vendor->open(self) : nnrt__fail_memory();
    if (code == OH_NN_SUCCESS && model->options->timeout_ms != 0) code = nnrt__runner_start(&self->runner);
    if (code != OH_NN_SUCCESS) nnrt__npu_end(self);
    else *executor = self;
    return code;
}

/* Slot close_executor. No run is under way, except one that was given up. */
NNRT__FN void nnrt__npu_close_executor(void *executor) {
    if (nnrt__runner_close(&((nnrt__npu_executor *)executor)->runner)) nnrt__npu_end(executor);
}

/* Slot expect_cancel. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_expect_cancel(void *executor) {
    return nnrt__runner_start(&((nnrt__npu_executor *)executor)->runner);
}

/* Slot cancel. */
NNRT__FN void nnrt__npu_cancel(void *executor) { nnrt__runner_cancel(&((nnrt__npu_executor *)executor)->runner); }

/* Slot wait_late. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_wait_late(void *executor, uint32_t timeout_ms) {
    return nnrt__runner_wait_back(&((nnrt__npu_executor *)executor)->runner, timeout_ms);
}

/* Bytes of own memory, and of NNRT_MALLOC that belong to it; 0 while a run that was given up may use it. */
NNRT__FN size_t nnrt__npu_own_bytes(nnrt__npu_executor *self, size_t *heap) {
    size_t bytes = 0;
    uint32_t i;
    *heap = 0;
    if (nnrt__runner_is_given_up(&self->runner)) return 0;
    for (i = 0; i < self->io_count; i++) {
        if (self->places[i].own == NULL) continue;
        bytes += self->places[i].own->size;
        *heap += nnrt__block_bytes(self->places[i].own);
    }
    return bytes;
}

/* ----------------------------------------------------------------------------------------------- profile */

/* Slot profile: the steps as the vendor named them; inputs and outputs are called bound if nothing was copied. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_profile(void *executor, const nnrt_profile_step **steps, uint32_t *count) {
    nnrt__npu_executor *self = (nnrt__npu_executor *)executor;
    if (nnrt__runner_is_given_up(&self->runner))
        return nnrt__fail(OH_NN_FAILED, "a run that was given up has not come back: there is nothing to tell yet");
    *count = self->model->step_count;
    self->steps[0].kernel = self->has_run && self->copied_in == 0 ? "bind" : "convert";
    self->steps[*count - 1].kernel = self->has_run && self->copied_out == 0 ? "bind" : "convert";
    *steps = self->steps;
    return OH_NN_SUCCESS;
}

/* Refuses facts of a run when there was none. */
NNRT__FN OH_NN_ReturnCode nnrt__npu_check_told(nnrt__npu_executor *self) {
    if (nnrt__runner_is_given_up(&self->runner))
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "a run that was given up has not come back");
    if (!self->has_run) return nnrt__fail(OH_NN_INVALID_PARAMETER, "there was no run yet");
    return OH_NN_SUCCESS;
}

#endif /* NNRT_NPU_EXECUTOR_H */
