/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/schedule.h - a plan as data for tools: edges, and places in the arena from step to step.   >>cpu_schedule

   A plan has operands and offsets, but does not say that two tensors are one memory in two shapes: the second is read,
   or is an output, though no step has written it. It then shows what was last written to its place. So one walk over
   the steps, with a table of what is at each place, finds such tensors and the lives that Build planned with. */
#ifndef NNRT_CPU_SCHEDULE_H
#define NNRT_CPU_SCHEDULE_H

#include "executor.h"
#include "steps_conv_pool.h"
#include "steps_stripes.h"

/* One block: this, and its arrays behind it. */
typedef struct nnrt__schedule_block {
    nnrt_schedule schedule;
    nnrt_schedule_tensor *tensors;
    nnrt_schedule_step *steps;
    uint32_t *operands; /* as in the plan */
    uint32_t *places;   /* [mask + 1] a tensor or NNRT__NONE each: a hash table by place */
    uint32_t mask;      /* a power of two - 1, and at least twice the tensors */
} nnrt__schedule_block;

/* Appends room for count elements. */
NNRT__FN bool nnrt__schedule_room(size_t *total, size_t count, size_t size, size_t *offset) {
    size_t bytes;
    *offset = *total;
    return nnrt__mul_size(count, size, &bytes) && nnrt__add_size(*total, bytes, total) &&
           nnrt__round_up_size(*total, 8, total);
}

/* NULL: memory is out. */
NNRT__FN nnrt__schedule_block *nnrt__schedule_new(const nnrt__plan_header *header) {
    nnrt__schedule_block *block = NULL;
    size_t total = 0, mask = 1, at[5];
    uint8_t *memory;
    while (mask / 2 < header->value_count) mask = 2 * mask + 1;
    if (nnrt__schedule_room(&total, 1, sizeof(*block), &at[0]) &&
        nnrt__schedule_room(&total, header->value_count, sizeof(nnrt_schedule_tensor), &at[1]) &&
        nnrt__schedule_room(&total, header->step_count, sizeof(nnrt_schedule_step), &at[2]) &&
        nnrt__schedule_room(&total, header->operand_count, sizeof(uint32_t), &at[3]) &&
        nnrt__schedule_room(&total, mask + 1, sizeof(uint32_t), &at[4]))
        block = (nnrt__schedule_block *)nnrt__alloc_zero(total, 1);
    if (block == NULL) return NULL;
    memory = (uint8_t *)block;
    block->tensors = (nnrt_schedule_tensor *)(void *)(memory + at[1]);
    block->steps = (nnrt_schedule_step *)(void *)(memory + at[2]);
    block->operands = (uint32_t *)(void *)(memory + at[3]);
    block->places = (uint32_t *)(void *)(memory + at[4]);
    block->mask = (uint32_t)mask;
    memset(block->places, 0xff, (mask + 1) * sizeof(uint32_t));
    return block;
}

/* Where a value of the plan is, without reference to segments. */
NNRT__FN nnrt_place nnrt__schedule_place(const nnrt__plan_header *header, const nnrt__plan_value *value,
                                         uint32_t *index) {
    const bool in = value->segment == NNRT__SEGMENT_INPUT, out = value->segment == NNRT__SEGMENT_OUTPUT;
    const uint32_t states_at = (in ? header->input_count : header->output_count) - header->state_count;
    const bool is_state = (in || out) && value->index >= states_at;
    *index = is_state ? value->index - states_at : value->index;
    if (in) return is_state ? NNRT_PLACE_STATE : NNRT_PLACE_INPUT;
    if (out) return is_state ? NNRT_PLACE_NEXT_STATE : NNRT_PLACE_OUTPUT;
    if (value->segment == NNRT__SEGMENT_CONSTANT) return NNRT_PLACE_PLAN;
    return value->segment == NNRT__SEGMENT_MODEL ? NNRT_PLACE_MODEL : NNRT_PLACE_ARENA;
}

NNRT__FN void nnrt__schedule_describe(nnrt_schedule_tensor *out, const nnrt__loaded_plan *plan,
                                      const nnrt__plan_value *value) {
    uint32_t k;
    out->name = plan->strings + value->name;
    out->dtype = (OH_NN_DataType)value->dtype;
    out->format = (OH_NN_Format)value->format;
    out->rank = value->rank;
    for (k = 0; k < value->rank; k++) out->dims[k] = value->dims[k];
    out->scale = value->scale;
    out->zero_point = value->zero_point;
    out->quant_count = value->quant_count;
    out->place = nnrt__schedule_place(plan->header, value, &out->index);
    out->offset = (size_t)value->offset;
    out->bytes = (size_t)value->size;
    out->first_step = out->last_step = out->view_of = NNRT__NONE;
}

/* The entry of the place that tensor t is at. */
NNRT__FN uint32_t *nnrt__schedule_entry(const nnrt__schedule_block *block, uint32_t t) {
    const nnrt_schedule_tensor *is = &block->tensors[t];
    uint32_t at =
        ((uint32_t)(is->offset / NNRT__PLAN_ALIGNMENT) + 977u * is->index + 131u * (uint32_t)is->place) * 2654435761u;
    for (at ^= at >> 15;; at++) {
        uint32_t *entry = &block->places[at & block->mask];
        const nnrt_schedule_tensor *other = &block->tensors[*entry == NNRT__NONE ? t : *entry];
        if (other->place == is->place && other->index == is->index && other->offset == is->offset) return entry;
    }
}

/* Tensor t is read, by a step or at the end by the program: which tensor's contents does it show? */
NNRT__FN void nnrt__schedule_read(const nnrt__schedule_block *block, uint32_t t) {
    nnrt_schedule_tensor *tensor = &block->tensors[t];
    uint32_t *entry;
    if (tensor->place == NNRT_PLACE_PLAN || tensor->place == NNRT_PLACE_MODEL) return;
    if (tensor->first_step != NNRT__NONE || tensor->view_of != NNRT__NONE) return;
    entry = nnrt__schedule_entry(block, t);
    if (*entry == NNRT__NONE) *entry = t;
    if (*entry == t) return;
    tensor->view_of = *entry;
    tensor->first_step = block->tensors[*entry].first_step;
    tensor->last_step = block->tensors[*entry].last_step;
}

/* Operand k of step i, a tensor or NNRT__NONE. */
NNRT__FN void nnrt__schedule_touch(const nnrt__schedule_block *block, const nnrt__loaded_plan *plan, uint32_t i,
                                   uint32_t k, uint32_t t) {
    nnrt_schedule_tensor *tensor;
    nnrt__block life;
    if (t == NNRT__NONE) return;
    if (k < plan->views[i].input_count) nnrt__schedule_read(block, t);
    else *nnrt__schedule_entry(block, t) = t;
    tensor = &block->tensors[t];
    memset(&life, 0, sizeof(life));
    life.first = tensor->first_step;
    life.last = tensor->last_step != NNRT__NONE ? tensor->last_step : 0;
    nnrt__arena_live(plan, i, k, &life);
    tensor->first_step = life.first;
    tensor->last_step = life.last;
}

/* Pad behind the last position: how far count windows reach over size. 0: not at all. */
NNRT__FN int32_t nnrt__schedule_behind(int32_t kernel, int32_t stride, int32_t dilation, int32_t before, int32_t count,
                                       int32_t size) {
    const int64_t behind = (int64_t)(count - 1) * stride + (int64_t)(kernel - 1) * dilation + 1 - before - size;
    return behind > 0 ? (int32_t)behind : 0;
}

/* The window of a step whose arguments begin with a geometry; in_h and out_h: rows of the whole tensors, though the
   step may have windows of them. For a transposed convolution in and out are swapped, and its pad may be negative. */
NNRT__FN void nnrt__schedule_geometry(nnrt_window *out, const nnrt__step_view *view, const nnrt__geometry *g,
                                      int32_t in_h, int32_t out_h) {
    const bool transposed = nnrt__step_op(view->step) == OH_NN_OPS_CONV2D_TRANSPOSE;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *made = nnrt__step_output(view, 0);
    const int32_t height = transposed ? out_h : in_h, rows = transposed ? in_h : out_h;
    const int32_t width = transposed ? made->dims[2] : in->dims[2], columns = transposed ? in->dims[2] : made->dims[2];
    out->kernel[0] = g->kernel_h;
    out->kernel[1] = g->kernel_w;
    out->stride[0] = g->stride_h;
    out->stride[1] = g->stride_w;
    out->dilation[0] = g->dilation_h;
    out->dilation[1] = g->dilation_w;
    out->padding[0] = g->pad_top;
    out->padding[1] = nnrt__schedule_behind(g->kernel_h, g->stride_h, g->dilation_h, g->pad_top, rows, height);
    out->padding[2] = g->pad_left;
    out->padding[3] = nnrt__schedule_behind(g->kernel_w, g->stride_w, g->dilation_w, g->pad_left, columns, width);
}

/* Kinds are recognised by their arguments: readers of a plan do not know their ids. */
NNRT__FN void nnrt__schedule_window(nnrt_window *out, const nnrt__step_view *view) {
    const OH_NN_OperationType op = nnrt__step_op(view->step);
    const size_t size = view->step->arguments_shape & 0xffffu;
    const nnrt__plan_value *in = nnrt__step_input(view, 0), *made = nnrt__step_output(view, 0);
    const nnrt__stripes_args *stripes = (const nnrt__stripes_args *)view->arguments;
    const bool is_pool = op == OH_NN_OPS_MAX_POOL || op == OH_NN_OPS_AVG_POOL;
    const bool is_conv =
        op == OH_NN_OPS_CONV2D || op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE || op == OH_NN_OPS_CONV2D_TRANSPOSE;
    if (in == NULL || in->rank != 4 || made->rank != 4) return;
    if (is_conv && size == sizeof(*stripes))
        nnrt__schedule_geometry(out, view, &stripes->conv.geometry, stripes->in.height, stripes->out.height);
    else if (is_conv && size == sizeof(nnrt__conv_args))
        nnrt__schedule_geometry(out, view, &nnrt__conv_args_of(view)->geometry, in->dims[1], made->dims[1]);
    else if (is_pool && size == sizeof(nnrt__pool_args))
        nnrt__schedule_geometry(out, view, &((const nnrt__pool_args *)view->arguments)->geometry, in->dims[1],
                                made->dims[1]);
}

/* Fills block from the plan. */
NNRT__FN void nnrt__schedule_fill(nnrt__schedule_block *block, const nnrt__loaded_plan *plan) {
    const nnrt__plan_header *header = plan->header;
    nnrt_schedule *schedule = &block->schedule;
    uint32_t i, k, last;
    schedule->tensors = block->tensors;
    schedule->steps = block->steps;
    schedule->inputs = block->operands;
    schedule->outputs = block->operands + header->input_count;
    schedule->tensor_count = header->value_count;
    schedule->step_count = header->step_count;
    schedule->input_count = header->input_count - header->state_count;
    schedule->output_count = header->output_count - header->state_count;
    if (header->operand_count != 0) memcpy(block->operands, plan->operands, header->operand_count * sizeof(uint32_t));
    for (i = 0; i < header->value_count; i++) nnrt__schedule_describe(&block->tensors[i], plan, &plan->values[i]);
    for (i = 0; i < header->input_count; i++) nnrt__schedule_read(block, block->operands[i]);
    for (i = 0; i < header->step_count; i++) {
        const nnrt__plan_step *step = &plan->steps[i];
        nnrt_schedule_step *out = &block->steps[i];
        out->inputs = block->operands + step->first_operand;
        out->outputs = out->inputs + step->input_count;
        out->input_count = step->input_count;
        out->output_count = step->output_count;
        out->scratch_offset = (size_t)step->scratch_offset;
        out->scratch_bytes = (size_t)step->scratch_size * header->threads; /* inside the arena */
        out->fused = nnrt__step_fused(step);
        out->turns = step->turns;
        out->group = i;
        nnrt__schedule_window(&out->window, &plan->views[i]);
        if (step->turns != 0) nnrt__group_of(plan, i, &out->group, &last);
        for (k = 0; k < step->input_count + step->output_count; k++)
            nnrt__schedule_touch(block, plan, i, k, out->inputs[k]);
    }
    for (i = 0; i < header->output_count; i++) nnrt__schedule_read(block, schedule->outputs[i]);
}

/* Slot schedule. */
NNRT__FN OH_NN_ReturnCode nnrt__cpu_schedule(void *executor, const nnrt_schedule **schedule) {
    nnrt__cpu_executor *self = (nnrt__cpu_executor *)executor;
    nnrt__schedule_block *block;
    if (self->last == NULL)
        return nnrt__fail(OH_NN_DYNAMIC_SHAPE, "a model with dynamic shapes has no schedule before its first run");
    block = nnrt__schedule_new(self->last->instance.plan->header);
    if (block == NULL) return nnrt__fail_memory();
    nnrt__schedule_fill(block, self->last->instance.plan);
    block->schedule.arena = self->last->instance.arena;
    nnrt__free(self->schedule);
    self->schedule = block;
    *schedule = &block->schedule;
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_SCHEDULE_H */
