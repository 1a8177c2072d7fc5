/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/write_plan.h - from an IR whose shapes are known to the finished plan.   >>cpu_write_plan */
#ifndef NNRT_CPU_WRITE_PLAN_H
#define NNRT_CPU_WRITE_PLAN_H

#include "order.h"
#include "passes.h"
#include "plan_load.h"
#include "stripes.h"

NNRT__FN OH_NN_ReturnCode nnrt__fill_state(const nnrt__filling *filling, void *to) {
    const nnrt__ir_value *state = *(const nnrt__ir_value *const *)filling->context;
    memcpy(to, state->first, state->size);
    return OH_NN_SUCCESS;
}

/* The initial contents of a state. */
NNRT__FN uint32_t nnrt__lower_first(nnrt__lower *lower, const nnrt__ir_value *state) {
    if (state->first == NULL) return NNRT__NONE;
    return nnrt__lower_constant(lower, NULL, state->dtype, state->count, nnrt__fill_state, &state, sizeof(state));
}

/* Lowers every node. Inputs, outputs and states come first, as their operands are the plan's first. unnamed: what comes
   after them has no names. */
NNRT__FN OH_NN_ReturnCode nnrt__lower_all(nnrt__lower *lower, bool unnamed, nnrt__refusals *refusals) {
    const nnrt__ir *ir = lower->ir;
    const uint32_t inputs = ir->input_count, ends = inputs + ir->output_count;
    uint32_t i;
    if (nnrt__grow_add(&lower->writer->operands, (ends + ir->state_count) * sizeof(uint32_t)) == NULL)
        return nnrt__fail_memory();
    for (i = 0; i < ends + ir->state_count; i++) {
        const uint32_t value =
            i < ends ? nnrt__lower_value(lower, i < inputs ? ir->inputs[i] : ir->outputs[i - inputs])
                     : nnrt__lower_first(lower, &ir->values[ir->inputs[i - ends + inputs - ir->state_count]]);
        ((uint32_t *)(void *)lower->writer->operands.data)[i] = value;
    }
    lower->unnamed = unnamed;
    for (i = ir->first; lower->status == OH_NN_SUCCESS && i != NNRT__NONE; i = ir->nodes[i].next) {
        const nnrt__ir_node *node = &ir->nodes[i];
        const OH_NN_ReturnCode code = nnrt__cpu_op_find(node->op)->lower(lower, node);
        if (lower->status == OH_NN_SUCCESS) lower->status = code;
        if (lower->status != OH_NN_SUCCESS && lower->status != OH_NN_MEMORY_ERROR && refusals != NULL)
            nnrt__refuse(refusals, node);
    }
    return lower->status;
}

/* May this input of the model lie in the arena? It has to be read by a step, and to be neither an output nor another
   input. */
NNRT__FN bool nnrt__input_may_move(const nnrt__lower *lower, uint32_t input) {
    const nnrt__plan_writer *writer = lower->writer;
    const uint32_t *operands = (const uint32_t *)(const void *)writer->operands.data;
    const uint32_t ends = lower->ir->input_count + lower->ir->output_count;
    const size_t count = writer->operands.size / sizeof(uint32_t);
    bool read = false;
    size_t k;
    for (k = 0; k < count; k++) {
        const nnrt__plan_value *value = operands[k] == NNRT__NONE ? NULL : nnrt__writer_value(writer, operands[k]);
        if (value == NULL || k == input || value->segment != NNRT__SEGMENT_INPUT || value->index != input) continue;
        if (k < ends) return false;
        read = true;
    }
    return read;
}

/* Lets inputs of the model lie in the arena, where a run finds or puts them before its first step. */
NNRT__FN void nnrt__inputs_to_arena(const nnrt__lower *lower) {
    const nnrt__plan_writer *writer = lower->writer;
    uint32_t input, i;
    for (input = 0; input < lower->ir->input_count - lower->ir->state_count; input++) {
        if (!nnrt__input_may_move(lower, input)) continue;
        for (i = 0; i < nnrt__writer_value_count(writer); i++) {
            nnrt__plan_value *value = nnrt__writer_value(writer, i);
            if (value->segment != NNRT__SEGMENT_INPUT || value->index != input) continue;
            value->segment = NNRT__SEGMENT_ARENA;
            value->index = 0;
        }
    }
}

/* Lays out the sections. */
NNRT__FN bool nnrt__writer_layout(nnrt__plan_writer *writer) {
    nnrt__plan_header *header = &writer->header;
    size_t sizes[6], at, i;
    uint64_t *offsets[6];
    sizes[0] = writer->values.size, offsets[0] = &header->values;
    sizes[1] = writer->steps.size, offsets[1] = &header->steps;
    sizes[2] = writer->operands.size, offsets[2] = &header->operands;
    sizes[3] = writer->arguments.size, offsets[3] = &header->arguments;
    sizes[4] = writer->strings.size, offsets[4] = &header->strings;
    sizes[5] = writer->constants_size, offsets[5] = &header->constants;
    if (!nnrt__round_up_size(sizeof(*header), NNRT__PLAN_ALIGNMENT, &at)) return false;
    for (i = 0; i < 6; i++) {
        *offsets[i] = at;
        if (!nnrt__add_size(at, sizes[i], &at) || !nnrt__round_up_size(at, NNRT__PLAN_ALIGNMENT, &at)) return false;
    }
    header->magic = NNRT__PLAN_MAGIC;
    header->version = NNRT__PLAN_VERSION;
    header->shape = NNRT__PLAN_SHAPE;
    header->size = at;
    header->value_count = nnrt__writer_value_count(writer);
    header->step_count = nnrt__writer_step_count(writer);
    header->operand_count = (uint32_t)(writer->operands.size / sizeof(uint32_t));
    header->strings_size = (uint32_t)writer->strings.size;
    header->arguments_size = writer->arguments.size;
    header->constants_size = writer->constants_size;
    return true;
}

/* Copies the finished sections into the block. */
NNRT__FN void nnrt__writer_copy(nnrt__plan_writer *writer) {
    const nnrt__plan_header *header = &writer->header;
    memcpy(writer->block, header, sizeof(*header));
    memcpy(writer->block + header->values, writer->values.data, writer->values.size);
    if (writer->steps.size != 0) memcpy(writer->block + header->steps, writer->steps.data, writer->steps.size);
    memcpy(writer->block + header->operands, writer->operands.data, writer->operands.size);
    if (writer->arguments.size != 0)
        memcpy(writer->block + header->arguments, writer->arguments.data, writer->arguments.size);
    memcpy(writer->block + header->strings, writer->strings.data, writer->strings.size);
}

/* Callback of nnrt__pack. context: the nnrt__mapping. */
NNRT__FN void nnrt__writer_let_go(const void *context, const void *from, size_t size) {
    nnrt__let_go_of_file((const nnrt__mapping *)context, from, size);
}

/* Called when a constant of the graph has been copied or packed: releases its pages. Small ones are not worth a system
   call. */
NNRT__FN void nnrt__writer_taken(const nnrt__mapping *file, const nnrt__ir_value *value) {
    if (file != NULL && value != NULL && value->data != NULL && value->size >= NNRT__PACK_TOLD)
        nnrt__let_go_of_file(file, value->data, value->size);
}

/* Writes the graph's constants that steps read unchanged. file: of the model, or NULL. */
NNRT__FN void nnrt__writer_copy_constants(const nnrt__plan_writer *writer, const nnrt__ir *ir,
                                          const nnrt__mapping *file) {
    uint32_t i;
    for (i = 0; i < ir->value_count; i++) {
        const nnrt__plan_value *value;
        if (writer->of_ir[i] == NNRT__NONE || ir->values[i].data == NULL) continue;
        value = nnrt__writer_value(writer, writer->of_ir[i]);
        if (value->segment != NNRT__SEGMENT_CONSTANT) continue;
        memcpy(writer->block + writer->header.constants + value->offset, ir->values[i].data, ir->values[i].size);
        nnrt__writer_taken(file, &ir->values[i]);
    }
}

/* Fills the constants of steps. file: of the model, or NULL. */
NNRT__FN OH_NN_ReturnCode nnrt__writer_fill_constants(const nnrt__plan_writer *writer, const nnrt__ir *ir,
                                                      const nnrt__mapping *file) {
    const nnrt__pending *pending = (const nnrt__pending *)(const void *)writer->pending.data;
    const size_t count = writer->pending.size / sizeof(nnrt__pending);
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    nnrt__filling filling;
    uint32_t k;
    size_t i;
    filling.ir = ir;
    filling.taken.tell = file != NULL ? nnrt__writer_let_go : NULL;
    filling.taken.context = file;
    for (i = 0; code == OH_NN_SUCCESS && i < count; i++) {
        const nnrt__plan_value *value = nnrt__writer_value(writer, pending[i].value);
        filling.node = pending[i].node;
        filling.context = writer->contexts.data + pending[i].context;
        filling.count = (size_t)value->dims[0];
        code = pending[i].fill(&filling, writer->block + writer->header.constants + value->offset);
        for (k = 0; filling.node != NULL && k < filling.node->input_count; k++)
            if (filling.node->inputs[k] < ir->value_count) nnrt__writer_taken(file, nnrt__ir_in(ir, filling.node, k));
    }
    return code;
}

/* The block that storage i belongs to. Until blocks are placed, offset is the number of the storage that this one was
   joined to, or its own (a union-find, with path halving). */
NNRT__FN uint32_t nnrt__storage_root(nnrt__block *blocks, uint32_t i) {
    while (blocks[i].offset != i) {
        blocks[i].offset = blocks[blocks[i].offset].offset;
        i = (uint32_t)blocks[i].offset;
    }
    return i;
}

/* Lets the output of a step that may overwrite an input that dies there share its memory: their storages are joined. */
NNRT__FN void nnrt__share_in_place(const nnrt__loaded_plan *plan, uint32_t *storages, nnrt__block *blocks) {
    uint32_t i, k;
    for (i = 0; i < plan->header->value_count; i++) blocks[storages[i]].offset = storages[i];
    for (i = 0; i < plan->header->step_count; i++) {
        const nnrt__step_view *view = &plan->views[i];
        const nnrt__plan_value *output = nnrt__step_output(view, 0);
        uint32_t to;
        if (!plan->kinds[i]->in_place || output->segment != NNRT__SEGMENT_ARENA || view->output_count != 1) continue;
        to = nnrt__storage_root(blocks, storages[output - plan->values]);
        for (k = 0; k < view->input_count; k++) {
            const nnrt__plan_value *input = view->operands[k];
            uint32_t from;
            if (input == NULL || input->segment != NNRT__SEGMENT_ARENA || input->size != output->size) continue;
            from = nnrt__storage_root(blocks, storages[input - plan->values]);
            if (from == to || blocks[from].last != i || blocks[to].first != i) continue;
            blocks[from].last = blocks[to].last;
            blocks[to].size = 0;
            blocks[to].offset = from;
            break;
        }
    }
    for (i = 0; i < plan->header->value_count; i++) storages[i] = nnrt__storage_root(blocks, storages[i]);
}

/* Notes where the output of a step that works in order may lie over its input, which dies there. */
NNRT__FN void nnrt__note_overlaps(const nnrt__loaded_plan *plan, const uint32_t *storages, nnrt__block *blocks) {
    uint32_t i, k;
    for (i = 0; i < plan->header->step_count; i++) {
        const nnrt__step_view *view = &plan->views[i];
        const nnrt__plan_value *in = nnrt__step_input(view, 0), *out = nnrt__step_output(view, 0);
        nnrt__overlap_bytes overlap;
        nnrt__block *block;
        uint32_t from;
        bool fits = true;
        if (in == NULL || in->segment != NNRT__SEGMENT_ARENA || out->segment != NNRT__SEGMENT_ARENA) continue;
        from = storages[in - plan->values];
        block = &blocks[storages[out - plan->values]];
        if (block == &blocks[from] || block->first != i || blocks[from].last != i || view->output_count != 1) continue;
        for (k = 1; k < view->input_count; k++) {
            const nnrt__plan_value *other = view->operands[k];
            if (other != NULL && other->segment == NNRT__SEGMENT_ARENA && storages[other - plan->values] == from)
                fits = false;
        }
        if (!fits || !nnrt__overlap_of(view, plan->kinds[i], &overlap)) continue;
        block->below = nnrt__distance_rounded(overlap.below, block->size);
        block->above = nnrt__distance_rounded(overlap.above, blocks[from].size);
        block->over = from + 1;
        block->odd = !blocks[from].odd;
    }
}

/* The steps of the group that step i is in. */
NNRT__FN void nnrt__group_of(const nnrt__loaded_plan *plan, uint32_t i, uint32_t *first, uint32_t *last) {
    NNRT_ASSERT(plan->steps[i].turns != 0 && i < plan->header->step_count);
    *first = *last = i;
    while (*first > 0 && plan->steps[*first - 1].turns != 0 && plan->steps[*first - 1].back == 0) --*first;
    while (plan->steps[*last].back == 0) ++*last;
}

/* Extends the life of block, operand k of step i, over the step. In a group it lives through all turns, unless it is a
   window of which the next turn needs no row. */
NNRT__FN void nnrt__arena_live(const nnrt__loaded_plan *plan, uint32_t i, uint32_t k, nnrt__block *block) {
    const nnrt__step_view *view = &plan->views[i];
    uint32_t first = i, last = i, begin, end;
    NNRT_ASSERT(i < plan->header->step_count && k < view->input_count + view->output_count);
    if (view->step->turns != 0) {
        const nnrt__stripe *out = &nnrt__stripes_args_of(view)->out;
        nnrt__group_of(plan, i, &begin, &end);
        if (k >= view->input_count ? nnrt__stripe_keeps(out) || nnrt__stripe_is_whole(out) : begin == i) {
            first = begin;
            last = end;
        }
    }
    if (block->first == NNRT__NONE || first < block->first) block->first = first;
    if (last > block->last) block->last = last;
}

/* Lets every tensor live until the last step, so that all can be read after a run. */
NNRT__FN void nnrt__keep_all(nnrt__block *blocks, uint32_t count, uint32_t steps) {
    uint32_t i;
    NNRT_ASSERT(steps >= 1);
    for (i = 0; i < count; i++)
        if (blocks[i].size != 0) blocks[i].last = steps - 1;
}

/* Computes lifetimes, in-place steps and offsets, and patches the block. keep: as in nnrt__compile_options. overlap:
   outputs may lie over inputs. blocks: one per storage, then one per step for its scratch. */
NNRT__FN OH_NN_ReturnCode nnrt__place_arena(nnrt__loaded_plan *plan, nnrt__plan_writer *writer, bool keep,
                                            bool overlap) {
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)writer->block;
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(writer->block + header->values);
    nnrt__plan_step *steps = (nnrt__plan_step *)(void *)(writer->block + header->steps);
    uint32_t *storages = (uint32_t *)(void *)writer->storages.data;
    uint32_t count = writer->storage_count + header->step_count, i, k;
    nnrt__block *blocks = (nnrt__block *)nnrt__alloc_zero(count, sizeof(nnrt__block));
    size_t total = 0, largest = 0;
    uint64_t bound = 0;
    bool ok = blocks != NULL;
    if (!ok) return nnrt__fail_memory();
    for (i = 0; i < writer->storage_count; i++) blocks[i].first = NNRT__NONE;
    for (i = 0; ok && i < header->step_count; i++) {
        const nnrt__step_view *view = &plan->views[i];
        nnrt__block *scratch = &blocks[writer->storage_count + i];
        size_t bytes = 0;
        for (k = 0; ok && k < view->input_count + view->output_count; k++) {
            const nnrt__plan_value *value = view->operands[k];
            nnrt__block *block;
            if (value == NULL || value->segment != NNRT__SEGMENT_ARENA) continue;
            block = &blocks[storages[value - plan->values]];
            ok = nnrt__round_up_size((size_t)value->size, NNRT__PLAN_ALIGNMENT, &bytes);
            if (bytes > block->size) block->size = bytes;
            nnrt__arena_live(plan, i, k, block);
        }
        bytes = 0;
        if (ok && plan->kinds[i]->scratch != NULL) ok = plan->kinds[i]->scratch(view, &bytes);
        ok = ok && nnrt__round_up_size(bytes, NNRT__PLAN_ALIGNMENT, &bytes);
        steps[i].scratch_size = bytes;
        ok = ok && nnrt__mul_size(bytes, header->threads, &scratch->size);
        scratch->first = scratch->last = i;
        if (scratch->size > largest) largest = scratch->size;
    }
    for (i = 0; ok && i < header->input_count; i++) { /* alive before the first step */
        const nnrt__plan_value *value = plan->operand_values[i];
        if (value->segment == NNRT__SEGMENT_ARENA) blocks[storages[value - plan->values]].first = 0;
    }
    if (ok && keep) nnrt__keep_all(blocks, writer->storage_count, header->step_count);
    if (ok && !keep) nnrt__share_in_place(plan, storages, blocks);
    if (ok && !keep && overlap) nnrt__note_overlaps(plan, storages, blocks);
    ok = ok && nnrt__arena_plan(blocks, count, header->step_count, &total, &bound);
    for (i = 0; ok && i < header->value_count; i++)
        if (values[i].segment == NNRT__SEGMENT_ARENA) values[i].offset = blocks[storages[i]].offset;
    for (i = 0; ok && i < header->step_count; i++) steps[i].scratch_offset = blocks[writer->storage_count + i].offset;
    nnrt__free(blocks);
    if (!ok) return nnrt__fail(OH_NN_MEMORY_ERROR, "no room to plan the arena");
    if (total > NNRT__PLAN_MAX_ARENA)
        return nnrt__fail(OH_NN_FAILED, "the model needs more than 1 GiB for its activations");
    header->arena_size = total;
    header->arena_bound = bound;
    header->scratch_size = largest;
    return OH_NN_SUCCESS;
}

/* From the writer to the finished block. */
NNRT__FN OH_NN_ReturnCode nnrt__write_plan(nnrt__lower *lower, const nnrt__compile_options *options, void **memory) {
    const nnrt__mapping *file = options->keep_weights ? NULL : options->file; /* runs read constants kept in it */
    nnrt__plan_writer *writer = lower->writer;
    nnrt__loaded_plan plan;
    OH_NN_ReturnCode code;
    uint32_t i;
    writer->header.isa = options->kernels->isa;
    writer->header.threads = options->threads;
    for (i = 0; i < nnrt__writer_value_count(writer); i++)
        if (nnrt__writer_value(writer, i)->segment == NNRT__SEGMENT_MODEL)
            writer->header.model_size = options->model_size;
    if (!nnrt__writer_layout(writer)) return nnrt__fail_memory();
    if (writer->header.size > options->bounds.memory)
        return nnrt__fail(OH_NN_FAILED, "the model needs %llu bytes without activations; nnrt.max_memory allows %llu",
                          (unsigned long long)writer->header.size, (unsigned long long)options->bounds.memory);
    writer->block = (uint8_t *)nnrt__alloc_aligned_zero((size_t)writer->header.size, NNRT__PLAN_ALIGNMENT, memory);
    if (writer->block == NULL) return nnrt__fail_memory();
    nnrt__writer_copy(writer);
    nnrt__writer_copy_constants(writer, lower->ir, file);
    code = nnrt__writer_fill_constants(writer, lower->ir, file);
    if (code != OH_NN_SUCCESS) return code;
    memset(&plan, 0, sizeof(plan));
    plan.block = writer->block;
    plan.constants = writer->block + writer->header.constants;
    code = nnrt__plan_open(&plan);
    for (i = 0; code == OH_NN_SUCCESS && i < writer->header.step_count; i++)
        code = nnrt__plan_check_step(&plan, i, options->kernels, NULL);
    if (code == OH_NN_INVALID_FILE)
        code = nnrt__fail(OH_NN_FAILED, "the compiled model is wrong: %s", nnrt__sentence());
    if (code == OH_NN_SUCCESS)
        code = nnrt__place_arena(&plan, writer, options->keep,
                                 options->stripes != 0 && options->threads == 1 &&
                                     (options->passes & NNRT__PASS_OVERLAP) != 0);
    nnrt__plan_unload(&plan);
    return code;
}

/* Runs passes and lowering, and writes the plan. On success the caller frees *memory; *plan is the first 64-byte
   aligned address in it, *size the plan's size. *whole: bytes alive at the fullest step without stripes; 0: there are
   no stripes. */
NNRT__FN OH_NN_ReturnCode nnrt__write_ir(nnrt__ir *ir, const nnrt__compile_options *options, void **memory,
                                         uint8_t **plan, size_t *size, uint64_t *whole) {
    nnrt__plan_writer writer;
    nnrt__lower lower;
    OH_NN_ReturnCode code;
    uint32_t i;
    *memory = NULL;
    *whole = 0;
    memset(&writer, 0, sizeof(writer));
    memset(&lower, 0, sizeof(lower));
    code = nnrt__run_passes(ir, options->passes, options->keep_weights);
    writer.model = options->model;
    writer.model_size = options->model_size;
    writer.header.input_count = ir->input_count;
    writer.header.output_count = ir->output_count;
    writer.header.state_count = ir->state_count;
    writer.of_ir = (uint32_t *)nnrt__alloc_zero(ir->value_count, sizeof(uint32_t));
    if (code == OH_NN_SUCCESS && (writer.of_ir == NULL || nnrt__grow_add(&writer.strings, 1) == NULL))
        code = nnrt__fail_memory();
    if (code == OH_NN_SUCCESS) {
        for (i = 0; i < ir->value_count; i++) writer.of_ir[i] = NNRT__NONE;
        lower.ir = ir;
        lower.kernels = options->kernels;
        lower.keep_weights = options->keep_weights;
        lower.writer = &writer;
        code = nnrt__lower_all(&lower, options->unnamed, options->refusals);
    }
    if (code == OH_NN_SUCCESS && options->inputs_in_arena) nnrt__inputs_to_arena(&lower);
    if (code == OH_NN_SUCCESS && (options->passes & NNRT__PASS_ORDER)) code = nnrt__order_steps(&lower);
    if (nnrt__kinds_take_turns() && code == OH_NN_SUCCESS && options->stripes != 0 && options->threads == 1)
        code = nnrt__cut_stripes(&lower, options->stripes, (options->passes & NNRT__PASS_OVERLAP) != 0, whole);
    if (code == OH_NN_SUCCESS) code = nnrt__write_plan(&lower, options, memory);
    *plan = writer.block;
    *size = (size_t)writer.header.size;
    if (code != OH_NN_SUCCESS) {
        nnrt__free(*memory);
        *memory = NULL;
    }
    nnrt__writer_free(&writer);
    return code;
}

#endif /* NNRT_CPU_WRITE_PLAN_H */
