/* SPDX-License-Identifier: Apache-2.0 */
/* nnie/executor.h - runs: tensors in, segments and layers in turn, tensors out.   >>nnie_executor

   A tensor of this device whose bytes are the engine's is used in place; any other is converted to and from the
   executor's own memory. */
#ifndef NNRT_NNIE_EXECUTOR_H
#define NNRT_NNIE_EXECUTOR_H

#include "engine.h"
#include "model.h"
#include "pixels.h"
#include "profile.h"

/* ---------------------------------------------------------------------------------------------- converting */

/* Sets the layouts to that many rows: frames, or boxes. */
NNRT__FN void nnrt__nnie_set_rows(const nnrt__nnie_value *value, uint32_t rows, nnrt__tensor_layout *layout) {
    if (value->is_boxes) layout->h = layout->h_stride = rows;
    else layout->n = rows;
}

/* Converts from's bytes into to's, which have so many rows in this run. */
NNRT__FN uint64_t nnrt__nnie_move_rows(nnrt__nnie_move *move, uint32_t rows, const nnrt__tensor_layout *from,
                                       const void *source, const nnrt__tensor_layout *to, void *destination) {
    if (move == NULL) return nnrt__layout_convert(from, source, to, destination);
    if (move->rows != rows) nnrt__layout_prepare(&move->job, from, to);
    move->rows = rows;
    return nnrt__layout_do(&move->job, source, destination);
}

/* Converts sequence by sequence: the program has them at equal distances, the engine packs them. */
NNRT__FN void nnrt__nnie_convert_sequences(const nnrt__nnie_executor *self, nnrt__nnie_move *move,
                                           const nnrt__tensor_layout *inside, const nnrt__tensor_layout *outside,
                                           uint8_t *packed, uint8_t *spread, bool into) {
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
            (void)nnrt__nnie_move_rows(move, steps, &out, spread, &in, packed);
        } else {
            (void)nnrt__nnie_move_rows(move, steps, &in, packed, &out, spread);
            memset(spread + used, 0, distance - used);
        }
        packed += row * steps;
        spread += distance;
    }
}

/* The program's bytes of port index into the engine's, or back. Returns the bytes of the program's side. */
NNRT__FN uint64_t nnrt__nnie_convert_port(const nnrt__nnie_executor *self, uint32_t index, bool into) {
    const nnrt__nnie_port *port = &self->model->ports[index];
    nnrt__nnie_move *move = self->port_moves[index];
    uint8_t *data = self->npu.places[index].data;
    void *tensor = self->npu.io[index].data;
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
        nnrt__nnie_convert_sequences(self, move, &inside, &outside, data, bytes, into);
        return (uint64_t)self->model->options.batch * self->max_steps * outside.w * 4;
    default:
        nnrt__nnie_set_rows(value, rows, &inside);
        nnrt__nnie_set_rows(value, rows, &outside);
        if (into) return nnrt__nnie_move_rows(move, rows, &outside, tensor, &inside, data);
        return nnrt__nnie_move_rows(move, rows, &inside, data, &outside, tensor);
    }
}

/* Converts a value between the engine's memory and the floats of layers. */
NNRT__FN void nnrt__nnie_convert_reals(const nnrt__nnie_executor *self, uint32_t index, bool into) {
    const nnrt__nnie_value *value = &self->model->values[index];
    float *reals = self->reals + value->reals;
    nnrt__nnie_move *move = self->moves[index];
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
        nnrt__nnie_convert_sequences(self, move, &inside, &outside, data, (uint8_t *)reals, into);
        return;
    }
    nnrt__nnie_set_rows(value, self->rows[index], &inside);
    nnrt__nnie_set_rows(value, self->rows[index], &outside);
    if (into) (void)nnrt__nnie_move_rows(move, self->rows[index], &outside, reals, &inside, data);
    else (void)nnrt__nnie_move_rows(move, self->rows[index], &inside, data, &outside, reals);
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

/* Decides whether the tensor of port index is used in place, and where it is. false: own memory is missing. */
NNRT__FN bool nnrt__nnie_place_port(nnrt__nnie_executor *self, uint32_t index) {
    const nnrt__nnie_prepared *model = self->model;
    const nnrt__nnie_port *port = &model->ports[index];
    nnrt__npu_place *place = &self->npu.places[index];
    const nnrt_io *io = &self->npu.io[index];
    const nnrt__nnie_value *value;
    place->copied = true;
    if (port->value == NNRT__NNIE_NONE) return true;
    value = &model->values[port->value];
    NNRT_ASSERT(port->value < model->value_count);
    if (!value->has_blob) return true;
    if (value->offset == NNRT__NNIE_NONE)
        return nnrt__npu_place_port(place, io, port->direct && io->size >= value->bytes, model->options.alignment,
                                    value->bytes);
    nnrt__nnie_locate(self, port->value, &place->physical, &place->data);
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
                                &call->self->npu.places[call->index].own);
}

/* Counts the rows of the inputs: boxes, steps. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_count_rows(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t batch = model->options.batch;
    uint32_t i, sum = 0, boxes = 0;
    self->max_steps = model->max_steps;
    for (i = 0; i < model->npu.input_count; i++) {
        const nnrt__nnie_port *port = &model->ports[i];
        if (port->kind == NNRT__NNIE_PORT_SEQUENCE) self->max_steps = (uint32_t)self->npu.io[i].dims[1];
        if (port->value != NNRT__NNIE_NONE && model->values[port->value].is_boxes)
            boxes = (uint32_t)self->npu.io[i].dims[0];
    }
    for (i = 0; i < batch; i++) self->steps[i] = self->max_steps;
    for (i = 0; i < model->npu.input_count; i++) {
        if (model->ports[i].kind != NNRT__NNIE_PORT_STEPS) continue;
        memcpy(self->steps, self->npu.io[i].data, batch * sizeof(self->steps[0]));
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
    uint64_t *time = self->npu.times + 1;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    uint32_t i, k, layer = 0;
    for (i = 0; i < model->stage_count && code == OH_NN_SUCCESS; i++) {
        const nnrt__nnie_stage *stage = &model->stages[i];
        uint64_t start = nnrt__now_ns();
        for (k = 0; k < stage->output_count; k++)
            if (stage->boxes != NNRT__NNIE_NONE) self->rows[stage->outputs[k]] = self->rows[stage->boxes];
        code = nnrt__nnie_run_stage(self, stage);
        *time++ = nnrt__now_ns() - start;
        for (; layer < model->layer_count && model->layers[layer].after == stage->number && code == OH_NN_SUCCESS;
             layer++) {
            start = nnrt__now_ns();
            code = nnrt__nnie_run_layer(self, &model->layers[layer]);
            *time++ = nnrt__now_ns() - start;
        }
    }
    return code;
}

/* Sets the output's actual shape and checks that its tensor has room. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_finish_output(nnrt__nnie_executor *self, uint32_t index) {
    const nnrt__nnie_prepared *model = self->model;
    const nnrt__nnie_port *port = &model->ports[index];
    const nnrt__nnie_value *value = &model->values[port->value];
    const uint32_t rows = self->rows[port->value];
    nnrt_io *io = &self->npu.io[index];
    uint64_t bytes = nnrt__element_size(port->desc.dtype);
    uint32_t d;
    NNRT_ASSERT(index >= model->npu.input_count && index < self->npu.io_count);
    nnrt__npu_take_shape(io, &port->desc);
    for (d = 0; d < io->rank; d++) {
        if (io->dims[d] < 0) io->dims[d] = (int32_t)(d == 0 ? rows : self->max_steps);
        bytes *= (uint32_t)io->dims[d];
    }
    if (bytes > io->size)
        return nnrt__fail(OH_NN_INVALID_PARAMETER, "output %u \"%.40s\" has %llu bytes, and its tensor room for %zu",
                          (unsigned)(index - model->npu.input_count), port->name, (unsigned long long)bytes, io->size);
    if (!value->has_blob) {
        memcpy(io->data, self->reals + value->reals, (size_t)bytes);
        self->npu.copied_out += bytes;
    } else if (self->npu.places[index].copied) {
        self->npu.copied_out += nnrt__nnie_convert_port(self, index, false);
    }
    return OH_NN_SUCCESS;
}

/* A whole run. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_run(nnrt__npu_executor *base) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)base;
    const nnrt__nnie_prepared *model = self->model;
    const uint32_t inputs = base->model->input_count, all = base->io_count;
    uint64_t start = nnrt__now_ns();
    OH_NN_ReturnCode code = nnrt__nnie_count_rows(self);
    uint32_t i;
    self->flushes = self->engine_ns = 0;
    for (i = 0; i < all && code == OH_NN_SUCCESS; i++) {
        nnrt__nnie_own_call call;
        if (nnrt__nnie_place_port(self, i)) continue;
        call.self = self;
        call.index = i;
        code = nnrt__runner_call(&self->npu.runner, nnrt__nnie_call_make_own, &call);
        if (code == OH_NN_SUCCESS) (void)nnrt__nnie_place_port(self, i);
    }
    for (i = 0; i < inputs && code == OH_NN_SUCCESS; i++)
        if (self->npu.places[i].copied && model->ports[i].kind != NNRT__NNIE_PORT_STEPS)
            self->npu.copied_in += nnrt__nnie_convert_port(self, i, true);
    base->times[0] = nnrt__now_ns() - start;
    if (code == OH_NN_SUCCESS) code = nnrt__nnie_run_plan(self);
    start = nnrt__now_ns();
    for (i = inputs; i < all && code == OH_NN_SUCCESS; i++) code = nnrt__nnie_finish_output(self, i);
    base->times[base->model->step_count - 1] = nnrt__now_ns() - start;
    return code;
}

NNRT__FN void nnrt__nnie_give_up(nnrt__npu_executor *base) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)base;
    if (nnrt__atomic_load(&self->in_gate) != 0) nnrt__gate_give_up(&self->model->device->gate);
}

/* Checks that all sequence inputs of a run have the same number of steps. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_check_run(const nnrt__npu_model *base, const nnrt_io *inputs, uint32_t *shape) {
    const nnrt__nnie_prepared *model = (const nnrt__nnie_prepared *)base;
    uint32_t i, steps = 0;
    (void)shape;
    for (i = 0; i < base->input_count; i++) {
        if (model->ports[i].kind != NNRT__NNIE_PORT_SEQUENCE) continue;
        if (steps != 0 && steps != (uint32_t)inputs[i].dims[1])
            return nnrt__fail(OH_NN_INVALID_PARAMETER, "input %u has sequences of %u steps, others of %u", (unsigned)i,
                              (unsigned)inputs[i].dims[1], (unsigned)steps);
        steps = (uint32_t)inputs[i].dims[1];
    }
    return OH_NN_SUCCESS;
}

/* --------------------------------------------------------------------------------------------------- life */

/* Frees what the vendor's driver knows of the executor, and its memory. */
NNRT__FN void nnrt__nnie_close(nnrt__npu_executor *base) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)base;
    nnrt__nnie_prepared *model = (nnrt__nnie_prepared *)base->model;
    uint32_t i;
    if (self->lost_task && nnrt__gate_try(&model->device->gate)) { /* most end soon, and then its memory can be freed,
                                                                      too */
        (void)nnrt__nnie_await_lost(model->device, nnrt__runner_grace_ends(&base->runner));
        nnrt__gate_leave(&model->device->gate);
    }
    if (self->registered) nnrt__nnie_unregister(model, self->block);
    for (i = 0; self->port_moves != NULL && i < base->io_count; i++) nnrt__free(self->port_moves[i]);
    nnrt__free(self->port_moves);
    for (i = 0; self->moves != NULL && i < model->value_count; i++) nnrt__free(self->moves[i]);
    nnrt__free(self->moves);
    nnrt__npu_block_release(self->block);
    nnrt__free(self->reals);
    nnrt__free(self->scratch);
    nnrt__free(self->rows);
    nnrt__free(self->steps);
}

/* Allocates all blocks of NNRT_MALLOC; false: out of memory. */
NNRT__FN bool nnrt__nnie_allocate_blocks(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    self->rows = (uint32_t *)nnrt__alloc_zero(model->value_count, sizeof(self->rows[0]));
    self->steps = (uint32_t *)nnrt__alloc_zero(2u * model->options.batch, sizeof(self->steps[0]));
    if (model->reals != 0) self->reals = (float *)nnrt__alloc_zero(model->reals, sizeof(self->reals[0]));
    if (model->scratch != 0) self->scratch = nnrt__alloc(model->scratch);
    return self->rows != NULL && self->steps != NULL && (model->reals == 0 || self->reals != NULL) &&
           (model->scratch == 0 || self->scratch != NULL);
}

/* Allocates the conversions of runs; false: out of memory. */
NNRT__FN bool nnrt__nnie_allocate_moves(nnrt__nnie_executor *self) {
    const nnrt__nnie_prepared *model = self->model;
    uint32_t i;
    self->moves = (nnrt__nnie_move **)nnrt__alloc_zero(model->value_count, sizeof(self->moves[0]));
    self->port_moves = (nnrt__nnie_move **)nnrt__alloc_zero(self->npu.io_count, sizeof(self->port_moves[0]));
    if (self->moves == NULL || self->port_moves == NULL) return false;
    for (i = 0; i < model->value_count; i++) {
        if (!model->values[i].has_blob || !model->values[i].has_reals) continue;
        self->moves[i] = (nnrt__nnie_move *)nnrt__alloc_zero(1, sizeof(*self->moves[i]));
        if (self->moves[i] == NULL) return false;
    }
    for (i = 0; i < self->npu.io_count; i++) {
        const nnrt__nnie_port *port = &model->ports[i];
        if (port->direct || port->value == NNRT__NNIE_NONE || !model->values[port->value].has_blob ||
            (port->kind != NNRT__NNIE_PORT_TENSOR && port->kind != NNRT__NNIE_PORT_SEQUENCE))
            continue;
        self->port_moves[i] = (nnrt__nnie_move *)nnrt__alloc_zero(1, sizeof(*self->port_moves[i]));
        if (self->port_moves[i] == NULL) return false;
    }
    return true;
}

NNRT__FN OH_NN_ReturnCode nnrt__nnie_open_run(nnrt__npu_executor *base) {
    nnrt__nnie_executor *self = (nnrt__nnie_executor *)base;
    nnrt__nnie_prepared *model = (nnrt__nnie_prepared *)base->model;
    OH_NN_ReturnCode code;
    self->model = model;
    if (!nnrt__nnie_allocate_blocks(self) || !nnrt__nnie_allocate_moves(self)) return nnrt__fail_memory();
    code = nnrt__nnie_block_new(model->device, "nnrt executor", true, model->block_size, &self->block);
    if (code != OH_NN_SUCCESS) return code;
    self->registered = nnrt__nnie_register(model, self->block);
    nnrt__nnie_name_steps(self);
    return OH_NN_SUCCESS;
}

static const nnrt__npu_vendor nnrt__nnie_vendor = {
    /* grace_config  */ "nnie.hang_grace_ms",
    /* model_size    */ sizeof(nnrt__nnie_prepared),
    /* executor_size */ sizeof(nnrt__nnie_executor),
    /* prepare       */ nnrt__nnie_prepare_model,
    /* release       */ nnrt__nnie_release,
    /* desc          */ nnrt__nnie_desc,
    /* open          */ nnrt__nnie_open_run,
    /* close         */ nnrt__nnie_close,
    /* check         */ nnrt__nnie_check_run,
    /* begin         */ NULL,
    /* run           */ nnrt__nnie_run,
    /* give_up       */ nnrt__nnie_give_up,
    /* hold          */ NULL,
    /* drop          */ NULL};

/* Slot prepare. */
NNRT__FN OH_NN_ReturnCode nnrt__nnie_prepare(void *device, const nnrt_request *request, void **prepared) {
    return nnrt__npu_prepare(&nnrt__nnie_vendor, device, &((nnrt__nnie_device *)device)->mutex, request, prepared);
}

#endif /* NNRT_NNIE_EXECUTOR_H */
