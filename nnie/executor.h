/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/executor.h - runs: tensors in, segments and layers in turn, tensors out.   >>nnie_executor

   A tensor of this device whose bytes are the engine's is used where it lies; any other is converted to and from the
   executor's own memory. */
#ifndef NNRT_NNIE_EXECUTOR_H
#define NNRT_NNIE_EXECUTOR_H

#include "engine.h"
#include "model.h"
#include "pixels.h"
#include "profile.h"

/* ---------------------------------------------------------------------------------------------- converting */

/* Layouts of so many rows: frames, or boxes. */
NNRT__FN void nnrt__nnie_set_rows(const nnrt__nnie_value *value, uint32_t rows, nnrt__tensor_layout *layout) {
    if (value->is_boxes) layout->h = layout->h_stride = rows;
    else layout->n = rows;
}

/* Sequence after sequence: the program has each at the same distance, the engine packs them. */
NNRT__FN void nnrt__nnie_convert_sequences(const nnrt__nnie_executor *self, const nnrt__tensor_layout *inside,
                                           const nnrt__tensor_layout *outside, uint8_t *packed, uint8_t *spread,
                                           bool into) {
    const uint32_t batch = self->model->options.batch;
    const size_t row = (size_t)inside->w_stride * 4, distance = (size_t)outside->w * 4 * self->max_steps;
    nnrt__tensor_layout in = *inside, out = *outside;
    uint32_t i;
    in.n = out.n = in.c = out.c = 1;
    for (i = 0; i < batch; i++) {
        const uint32_t steps = self->steps[i];
        const size_t used = (size_t)steps * outside->w * 4;
        NNRT_ASSERT(steps >= 1 && steps <= self->max_steps);
        in.h = in.h_stride = out.h = out.h_stride = steps;
        if (into) {
            (void)nnrt__layout_convert(&out, spread, &in, packed);
        } else {
            (void)nnrt__layout_convert(&in, packed, &out, spread);
            memset(spread + used, 0, distance - used);
        }
        packed += row * steps;
        spread += distance;
    }
}

/* The program's bytes of port into the engine's at data, or back. Returns the bytes of the program's side. */
NNRT__FN uint64_t nnrt__nnie_convert_port(const nnrt__nnie_executor *self, const nnrt__nnie_port *port, uint8_t *data,
                                          void *tensor, bool into) {
    const nnrt__nnie_value *value = &self->model->values[port->value];
    const nnrt__nnie_node *node = &value->node;
    const uint32_t rows = self->rows[port->value];
    const uint32_t lines = (uint32_t)nnrt__nnie_frame_rows(node);
    nnrt__tensor_layout inside = port->inside, outside = port->outside;
    uint8_t *bytes = (uint8_t *)tensor;
    uint32_t i;
    NNRT_ASSERT(port->value < self->model->value_count && value->has_blob && rows <= value->rows);
    if (rows == 0) return 0;
    switch (port->kind) {
    case NNRT__NNIE_PORT_RGB:
        for (i = 0; i < rows; i++)
            nnrt__nnie_planes_reversed(bytes + (size_t)i * lines * node->width, node->width, node->height,
                                       data + (size_t)i * lines * value->stride, value->stride);
        return (uint64_t)rows * lines * node->width;
    case NNRT__NNIE_PORT_CHROMA:
        for (i = 0; i < rows; i++) {
            const uint8_t *from = bytes + (size_t)i * lines * node->width;
            uint8_t *to = data + (size_t)i * lines * value->stride;
            nnrt__nnie_copy_rows(from, node->width, node->height, to, value->stride);
            (port->swap ? nnrt__nnie_swap_rows : nnrt__nnie_copy_rows)(
                from + (size_t)node->height * node->width, node->width, lines - node->height,
                to + (size_t)node->height * value->stride, value->stride);
        }
        return (uint64_t)rows * lines * node->width;
    case NNRT__NNIE_PORT_SEQUENCE:
        nnrt__nnie_convert_sequences(self, &inside, &outside, data, bytes, into);
        return (uint64_t)self->model->options.batch * self->max_steps * outside.w * 4;
    default:
        nnrt__nnie_set_rows(value, rows, &inside);
        nnrt__nnie_set_rows(value, rows, &outside);
        if (into) return nnrt__layout_convert(&outside, tensor, &inside, data);
        return nnrt__layout_convert(&inside, data, &outside, tensor);
    }
}

/* A value between the engine's memory and the floats of layers. */
NNRT__FN void nnrt__nnie_convert_reals(const nnrt__nnie_executor *self, uint32_t index, bool into) {
    const nnrt__nnie_value *value = &self->model->values[index];
    float *reals = self->reals + value->reals;
    nnrt__tensor_layout inside, outside;
    uint64_t physical;
    uint8_t *data;
    NNRT_ASSERT(index < self->model->value_count && value->has_blob && value->has_reals);
    NNRT_ASSERT(self->rows[index] <= value->rows);
    if (self->rows[index] == 0) return;
    nnrt__nnie_locate(self, index, &physical, &data);
    nnrt__nnie_inside(value, &inside);
    outside = inside;
    outside.type = OH_NN_FLOAT32;
    outside.w_stride = outside.w;
    if (value->node.type == NNRT__NNIE_SEQ_S32) {
        nnrt__nnie_convert_sequences(self, &inside, &outside, data, (uint8_t *)reals, into);
        return;
    }
    nnrt__nnie_set_rows(value, self->rows[index], &inside);
    nnrt__nnie_set_rows(value, self->rows[index], &outside);
    if (into) (void)nnrt__layout_convert(&outside, reals, &inside, data);
    else (void)nnrt__layout_convert(&inside, data, &outside, reals);
}

/* -------------------------------------------------------------------------------------------------- layers */

NNRT__FN OH_NN_ReturnCode nnrt__nnie_run_layer(nnrt__nnie_executor *self, const nnrt__nnie_layer *layer) {
    const nnrt__nnie_prepared *model = self->model;
    nnrt_nnie_view inputs[NNRT_NNIE_MAX_LAYER_TENSORS], outputs[NNRT_NNIE_MAX_LAYER_TENSORS];
    nnrt_nnie_layer_call call;
    OH_NN_ReturnCode code;
    uint32_t i;
    for (i = 0; i < layer->input_count + layer->output_count; i++) {
        const bool input = i < layer->input_count;
        const uint32_t index = input ? layer->inputs[i] : layer->outputs[i - layer->input_count];
        const nnrt__nnie_value *value = &model->values[index];
        nnrt_nnie_view *view = input ? &inputs[i] : &outputs[i - layer->input_count];
        NNRT_ASSERT(index < model->value_count && value->has_reals);
        NNRT_ASSERT(value->reals + (size_t)value->n * value->c * value->h * value->w <= model->reals);
        view->name = value->name;
        view->data = self->reals + value->reals;
        view->n = input && value->varies ? self->rows[index] : value->n;
        view->c = value->c;
        view->h = input && value->node.type == NNRT__NNIE_SEQ_S32 && value->has_blob ? self->max_steps : value->h;
        view->w = value->w;
        if (input && value->segment != NNRT__NNIE_NONE) nnrt__nnie_convert_reals(self, index, false);
    }
    call.inputs = inputs;
    call.input_count = layer->input_count;
    call.outputs = outputs;
    call.output_count = layer->output_count;
    call.scratch = self->scratch;
    call.scratch_size = layer->scratch_size;
    (void)nnrt__fail(OH_NN_FAILED, "layer \"%.40s\" failed and gave no reason", layer->name);
    code = layer->run(&call, layer->user);
    for (i = 0; i < layer->output_count && code == OH_NN_SUCCESS; i++) {
        const uint32_t index = layer->outputs[i];
        const nnrt__nnie_value *value = &model->values[index];
        if (outputs[i].n > value->n || (outputs[i].n != value->n && !value->varies))
            return nnrt__fail(OH_NN_FAILED, "layer \"%.40s\" made %u of \"%.40s\", and %s %u", layer->name,
                              (unsigned)outputs[i].n, value->name, value->varies ? "at most" : "has to make",
                              (unsigned)value->n);
        self->rows[index] = outputs[i].n;
        if (value->has_blob) nnrt__nnie_convert_reals(self, index, true);
    }
    return code;
}

/* ------------------------------------------------------------------------------------------------- a run */

/* Whether port index of this run is used where it lies, and where it lies. false: own memory is missing. */
NNRT__FN bool nnrt__nnie_place_port(nnrt__nnie_executor *self, uint32_t index) {
    const nnrt__nnie_prepared *model = self->model;
    const nnrt__nnie_port *port = &model->ports[index];
    nnrt__nnie_slot *slot = &self->slots[index];
    const nnrt_io *io = &self->io[index];
    const nnrt__nnie_value *value;
    slot->copied = true;
    if (port->value == NNRT__NNIE_NONE) return true;
    value = &model->values[port->value];
    NNRT_ASSERT(port->value < model->value_count);
    if (!value->has_blob) return true;
    if (value->offset != NNRT__NNIE_NONE) {
        nnrt__nnie_locate(self, port->value, &slot->physical, &slot->data);
        return true;
    }
    if (port->direct && slot->tensor != NULL) {
        const size_t offset = (size_t)((const uint8_t *)io->data - slot->tensor->data);
        slot->physical = slot->tensor->physical + offset;
        slot->data = slot->tensor->data + offset;
        slot->copied = slot->physical % model->options.alignment != 0 || io->size < value->bytes ||
                       offset > slot->tensor->size || slot->tensor->size - offset < value->bytes;
        if (!slot->copied) return true;
    }
    if (slot->own == NULL) return false;
    NNRT_ASSERT(slot->own->size >= value->bytes);
    slot->physical = slot->own->physical;
    slot->data = slot->own->data;
    return true;
}

typedef struct nnrt__nnie_own_call {
    nnrt__nnie_executor *self;
    uint32_t index;
} nnrt__nnie_own_call;

NNRT__FN OH_NN_ReturnCode nnrt__nnie_call_make_own(void *argument) {
    const nnrt__nnie_own_call *call = (const nnrt__nnie_own_call *)argument;
    const nnrt__nnie_prepared *model = call->self->model;
    return nnrt__nnie_block_new(model->device, "nnrt copy", true, model->values[model->ports[call->index].value].bytes,
                                &call->self->slots[call->index].own);
}

/* Rows that the inputs bring: boxes, steps. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_count_rows(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t batch = model->options.batch;
    uint32_t i, sum = 0, boxes = 0;
    self->max_steps = model->max_steps;
    for (i = 0; i < model->input_count; i++) {
        const nnrt__nnie_port *port = &model->ports[i];
        if (port->kind == NNRT__NNIE_PORT_SEQUENCE) self->max_steps = (uint32_t)self->io[i].dims[1];
        if (port->value != NNRT__NNIE_NONE && model->values[port->value].is_boxes)
            boxes = (uint32_t)self->io[i].dims[0];
    }
    for (i = 0; i < batch; i++) self->steps[i] = self->max_steps;
    for (i = 0; i < model->input_count; i++) {
        if (model->ports[i].kind != NNRT__NNIE_PORT_STEPS) continue;
        memcpy(self->steps, self->io[i].data, batch * sizeof(self->steps[0]));
    }
    for (i = 0; i < batch; i++) {
        if (self->max_steps != 0 && (self->steps[i] == 0 || self->steps[i] > self->max_steps))
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "sequence %u has %u steps; 1 to %u are possible", (unsigned)i,
                              (unsigned)self->steps[i], (unsigned)self->max_steps);
        self->steps[batch + i] = self->steps[i];
        sum += self->steps[i]; /* at most 256 * 1024 */
    }
    for (i = 0; i < model->value_count; i++) {
        const nnrt__nnie_value *value = &model->values[i];
        if (value->has_blob && value->node.type == NNRT__NNIE_SEQ_S32) self->rows[i] = sum;
        else if (value->is_boxes && !value->has_reals) self->rows[i] = boxes;
        else self->rows[i] = value->varies ? 0 : batch;
    }
    return OH_NN_SUCCESS;
}

/* Segment and layers in the order of the plan. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_run_plan(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    nnrt_profile_step *time = self->times + 1;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i, k, layer = 0;
    for (i = 0; i < model->stage_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__nnie_stage *stage = &model->stages[i];
        uint64_t start = nnrt__now_ns();
        for (k = 0; k < stage->output_count; k++)
            if (stage->boxes != NNRT__NNIE_NONE) self->rows[stage->outputs[k]] = self->rows[stage->boxes];
        code = nnrt__nnie_run_stage(self, stage);
        (time++)->last_ns = nnrt__now_ns() - start;
        for (; layer < model->layer_count && model->layers[layer].after == stage->number && code == OH_NN_SUCCESS;
             layer++) {
            start = nnrt__now_ns();
            code = nnrt__nnie_run_layer(self, &model->layers[layer]);
            (time++)->last_ns = nnrt__now_ns() - start;
        }
    }
    return code;
}

/* The output's actual shape; its tensor has room for it. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_finish_output(nnrt__nnie_executor *self, uint32_t index) {
    const nnrt__nnie_prepared *model = self->model;
    const nnrt__nnie_port *port = &model->ports[index];
    const nnrt__nnie_value *value = &model->values[port->value];
    const uint32_t rows = self->rows[port->value];
    nnrt_io *io = &self->io[index];
    uint64_t bytes = nnrt__element_size(port->desc.dtype);
    uint32_t d;
    NNRT_ASSERT(index >= model->input_count && index < model->input_count + model->output_count);
    io->rank = port->desc.rank;
    for (d = 0; d < io->rank; d++) {
        io->dims[d] = port->desc.dims[d];
        if (io->dims[d] < 0) io->dims[d] = (int32_t)(d == 0 ? rows : self->max_steps);
        bytes *= (uint32_t)io->dims[d];
    }
    if (bytes > io->size)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "output %u \"%.40s\" has %llu bytes, and its tensor room for %zu",
                          (unsigned)(index - model->input_count), port->name, (unsigned long long)bytes, io->size);
    if (!value->has_blob) {
        memcpy(io->data, self->reals + value->reals, (size_t)bytes);
        self->copied_out += bytes;
    } else if (self->slots[index].copied) {
        self->copied_out += nnrt__nnie_convert_port(self, port, self->slots[index].data, io->data, false);
    }
    return OH_NN_SUCCESS;
}

/* References to memory that only the run needed. What is freed by this is a vendor call, too. */
NNRT__FN void nnrt__nnie_call_drop(void *argument) {
    nnrt__nnie_slot *slot = (nnrt__nnie_slot *)argument;
    nnrt__nnie_block *tensor = slot->tensor;
    slot->tensor = NULL;
    nnrt__nnie_block_release(tensor);
}

/* All but the references. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_run_all(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t inputs = model->input_count, all = inputs + model->output_count;
    const uint32_t last = 1u + model->stage_count + model->layer_count;
    uint64_t start = nnrt__now_ns();
    OH_NN_ReturnCode code = nnrt__nnie_count_rows(self);
    uint32_t i;
    for (i = 0; i < all && code == OH_NN_SUCCESS; i++) {
        nnrt__nnie_own_call call;
        if (nnrt__nnie_place_port(self, i)) continue;
        call.self = self;
        call.index = i;
        code = nnrt__runner_call(&self->runner, nnrt__nnie_call_make_own, &call);
        if (code == OH_NN_SUCCESS) (void)nnrt__nnie_place_port(self, i);
    }
    for (i = 0; i < inputs && code == OH_NN_SUCCESS; i++)
        if (self->slots[i].copied && model->ports[i].kind != NNRT__NNIE_PORT_STEPS)
            self->copied_in +=
                nnrt__nnie_convert_port(self, &model->ports[i], self->slots[i].data, self->io[i].data, true);
    self->times[0].last_ns = nnrt__now_ns() - start;
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_run_plan(self);
    start = nnrt__now_ns();
    for (i = inputs; i < all && code == OH_NN_SUCCESS; i++) code = nnrt__nnie_finish_output(self, i);
    self->times[last].last_ns = nnrt__now_ns() - start;
    return code;
}

/* work->run: a whole run, io being set. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_do_run(void *executor) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    const uint32_t all = self->model->input_count + self->model->output_count;
    OH_NN_ReturnCode code;
    uint32_t i;
    self->copied_in = self->copied_out = self->flushes = self->engine_ns = 0;
    for (i = 0; i < all; i++) {
        self->slots[i].tensor = (nnrt__nnie_block *)self->io[i].memory;
        if (self->slots[i].tensor != NULL) nnrt__nnie_block_retain(self->slots[i].tensor);
    }
    code = nnrt__nnie_run_all(self);
    for (i = 0; i < all; i++) (void)nnrt__runner_call_anyway(&self->runner, nnrt__nnie_call_drop, &self->slots[i]);
    if (code == OH_NN_SUCCESS) nnrt__nnie_note_times(self);
    return code;
}

/* What a run is about. */
typedef struct nnrt__nnie_run_request {
    const nnrt_io *inputs, *outputs;
} nnrt__nnie_run_request;

/* work->begin */
NNRT__FN void nnrt__nnie_run_begin(void *executor, const void *argument) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    const nnrt__nnie_run_request *request = (const nnrt__nnie_run_request *)argument;
    const uint32_t inputs = self->model->input_count;
    memcpy(self->io, request->inputs, inputs * sizeof(self->io[0]));
    memcpy(self->io + inputs, request->outputs, self->model->output_count * sizeof(self->io[0]));
}

/* work->give_up */
NNRT__FN void nnrt__nnie_run_give_up(void *executor) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    if (nnrt__atomic_load(&self->in_gate) != 0) nnrt__gate_give_up(&self->model->device->gate);
}

/* Types, shapes, sizes. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_tensors(const nnrt__nnie_prepared *model, const nnrt_io *inputs,
                                                   const nnrt_io *outputs) {
    nnrt__shape_text given, wanted;
    uint32_t i, d, steps = 0;
    for (i = 0; i < model->input_count + model->output_count; i++) {
        const bool input = i < model->input_count;
        const nnrt_io *io = input ? &inputs[i] : &outputs[i - model->input_count];
        const nnrt__nnie_port *port = &model->ports[i];
        const nnrt_io_desc *desc = &port->desc;
        const unsigned number = (unsigned)(input ? i : i - model->input_count);
        uint64_t bytes = nnrt__element_size(desc->dtype);
        bool same = io->rank == desc->rank;
        if (io->dtype != desc->dtype)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s %u is %s, the model has %s", input ? "input" : "output",
                              number, nnrt__dtype_name(io->dtype), nnrt__dtype_name(desc->dtype));
        if (!input) continue;
        for (d = 0; d < desc->rank && same; d++) {
            const uint32_t most = d == 0 ? model->max_boxes : model->max_steps;
            same = desc->dims[d] < 0 ? io->dims[d] > 0 && (uint32_t)io->dims[d] <= most : io->dims[d] == desc->dims[d];
            bytes *= (uint32_t)io->dims[d]; /* checked: at most outside_size */
        }
        if (!same)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u is %s, the model has %s", number,
                              nnrt__shape_print(&given, io->rank, io->dims),
                              nnrt__shape_print(&wanted, desc->rank, desc->dims));
        if (bytes > io->size)
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u has %zu bytes, and its shape %llu", number, io->size,
                              (unsigned long long)bytes);
        if (port->kind != NNRT__NNIE_PORT_SEQUENCE) continue;
        if (steps != 0 && steps != (uint32_t)io->dims[1])
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u has sequences of %u steps, others of %u", number,
                              (unsigned)io->dims[1], (unsigned)steps);
        steps = (uint32_t)io->dims[1];
    }
    return OH_NN_SUCCESS;
}

/* Slot run. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                         size_t output_count) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)executor;
    const nnrt__nnie_prepared *model = self->model;
    nnrt__nnie_run_request request;
    OH_NN_ReturnCode code;
    uint32_t i;
    if (input_count != model->input_count || output_count != model->output_count)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "the model has %u inputs and %u outputs",
                          (unsigned)model->input_count, (unsigned)model->output_count);
    code = nnrt__nnie_check_tensors(model, inputs, outputs);
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

/* What the vendor's driver knows of the executor, and its memory. */
NNRT__FN void nnrt__nnie_executor_free(nnrt__nnie_executor *self) {
    nnrt__nnie_prepared *model = self->model;
    uint32_t i;
    if (self->lost_task && nnrt__gate_try(&model->device->gate)) { /* most end soon, and then its memory can go, too */
        (void)nnrt__nnie_await_lost(model->device, nnrt__runner_grace_ends(&self->runner));
        nnrt__gate_leave(&model->device->gate);
    }
    if (self->registered) nnrt__nnie_unregister(model, self->block);
    for (i = 0; self->slots != NULL && i < model->input_count + model->output_count; i++)
        nnrt__nnie_block_release(self->slots[i].own);
    nnrt__nnie_block_release(self->block);
    nnrt__runner_destroy(&self->runner);
    nnrt__free(self->reals);
    nnrt__free(self->scratch);
    nnrt__free(self->slots);
    nnrt__free(self->rows);
    nnrt__free(self->steps);
    nnrt__free(self->io);
    nnrt__free(self->times);
    nnrt__free(self);
}

/* work->end: nothing of the executor is under way any more. */
NNRT__FN void nnrt__nnie_executor_end(void *executor) {
    nnrt__nnie_prepared *model = ((nnrt__nnie_executor *)executor)->model;
    nnrt__nnie_executor_free((nnrt__nnie_executor *)executor);
    nnrt__nnie_count_executors(model, false);
}

/* All blocks of NNRT_MALLOC; false: memory is out. */
NNRT__FN bool nnrt__nnie_allocate_blocks(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t io = model->input_count + model->output_count;
    self->slots = (nnrt__nnie_slot *)nnrt__alloc_zero(io, sizeof(self->slots[0]));
    self->io = (nnrt_io *)nnrt__alloc_zero(io, sizeof(self->io[0]));
    self->rows = (uint32_t *)nnrt__alloc_zero(model->value_count, sizeof(self->rows[0]));
    self->steps = (uint32_t *)nnrt__alloc_zero(2u * model->options.batch, sizeof(self->steps[0]));
    self->times =
        (nnrt_profile_step *)nnrt__alloc_zero(2u + model->stage_count + model->layer_count, sizeof(self->times[0]));
    if (model->reals != 0) self->reals = (float *)nnrt__alloc_zero(model->reals, sizeof(self->reals[0]));
    if (model->scratch != 0) self->scratch = nnrt__alloc(model->scratch);
    return self->slots != NULL && self->io != NULL && self->rows != NULL && self->steps != NULL &&
           self->times != NULL && (model->reals == 0 || self->reals != NULL) &&
           (model->scratch == 0 || self->scratch != NULL);
}

/* Slot open_executor. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_open_executor(void *prepared, void **executor) {
    static const nnrt__runner_work work = {nnrt__nnie_run_begin, nnrt__nnie_do_run, nnrt__nnie_run_give_up,
                                           nnrt__nnie_executor_end};
    nnrt__nnie_prepared *model = (nnrt__nnie_prepared *)prepared;
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)nnrt__alloc_zero(1, sizeof(*self));
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    if (self == NULL ||
        !nnrt__runner_init(&self->runner, &work, self, NULL, model->options.hang_grace_ms, "nnie.hang_grace_ms")) {
        nnrt__free(self);
        return nnrt__fail_memory();
    }
    nnrt__nnie_count_executors(model, true);
    self->model = model;
    if (!nnrt__nnie_allocate_blocks(self)) code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS)
        code = nnrt__nnie_block_new(model->device, "nnrt executor", true, model->block_size, &self->block);
    if (code == OH_NN_SUCCESS) self->registered = nnrt__nnie_register(model, self->block);
    if (code == OH_NN_SUCCESS) nnrt__nnie_name_steps(self);
    if (code == OH_NN_SUCCESS && model->options.timeout_ms != 0) code = nnrt__runner_start(&self->runner);
    if (code != OH_NN_SUCCESS) nnrt__nnie_executor_end(self);
    else *executor = self;
    return code;
}

/* Slot close_executor. No run is under way, but for one that was given up. */
NNRT__FN void nnrt__nnie_close_executor(void *executor) {
    if (nnrt__runner_close(&((nnrt__nnie_executor *)executor)->runner)) nnrt__nnie_executor_end(executor);
}

/* Slot expect_cancel. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_expect_cancel(void *executor) {
    return nnrt__runner_start(&((nnrt__nnie_executor *)executor)->runner);
}

/* Slot cancel. */
NNRT__FN void nnrt__nnie_cancel(void *executor) { nnrt__runner_cancel(&((nnrt__nnie_executor *)executor)->runner); }

/* Slot wait_late. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_wait_late(void *executor, uint32_t timeout_ms) {
    return nnrt__runner_wait_back(&((nnrt__nnie_executor *)executor)->runner, timeout_ms);
}

#endif /* NNRT_NNIE_EXECUTOR_H */
