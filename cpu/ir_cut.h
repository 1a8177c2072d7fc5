/* SPDX-License-Identifier: Apache-2.0 */
/* cpu/ir_cut.h - extracts a part of a graph, and cuts a graph in two for two devices.   >>cpu_ir_cut

   Both take an IR with known shapes. A part borrows constants, names and parameters from the IR that it was taken from,
   which must outlive it. */
#ifndef NNRT_CPU_IR_CUT_H
#define NNRT_CPU_IR_CUT_H

#include "ir_build.h"

/* The part's index for a value of ir; adds the value if it is new. */
NNRT__FN uint32_t nnrt__ir_part_value(nnrt__ir *ir, uint32_t i, nnrt__ir *part, uint32_t *from) {
    nnrt__ir_value *value;
    if (ir->values[i].mark != NNRT__NONE) return ir->values[i].mark;
    from[part->value_count] = i;
    value = &part->values[part->value_count];
    *value = ir->values[i];
    value->first = NULL;
    value->owned = NULL;
    value->input = value->output = value->producer = value->alias = value->form = value->mark = NNRT__NONE;
    value->uses = 0;
    return ir->values[i].mark = part->value_count++;
}

/* Copies node i of ir into the part, behind the others. */
NNRT__FN void nnrt__ir_part_node(nnrt__ir *ir, uint32_t i, nnrt__ir *part, uint32_t *from) {
    const nnrt__ir_node *source = &ir->nodes[i];
    const uint32_t made = part->node_count++;
    nnrt__ir_node *node = &part->nodes[made];
    uint32_t k;
    *node = *source;
    node->inputs = (uint32_t *)nnrt__ir_take(part, source->input_count, sizeof(uint32_t));
    node->outputs = (uint32_t *)nnrt__ir_take(part, source->output_count, sizeof(uint32_t));
    for (k = 0; k < source->input_count; k++) {
        node->inputs[k] = nnrt__ir_part_value(ir, source->inputs[k], part, from);
        part->values[node->inputs[k]].uses++;
    }
    for (k = 0; k < source->output_count; k++)
        nnrt__ir_set_output(part, made, k, nnrt__ir_part_value(ir, source->outputs[k], part, from));
    nnrt__ir_link(part, made, NNRT__NONE);
}

/* A part's inputs are the values that it reads and does not compute; its outputs are those that others read, the
   model's outputs, and those that nothing reads. A plan needs an input: a part without any gets a number that nothing
   reads. */
NNRT__FN void nnrt__ir_part_ends(const nnrt__ir *ir, nnrt__ir *part, const uint32_t *from) {
    static const int32_t nothing = 0;
    uint32_t i;
    for (i = 0; i < part->value_count; i++) {
        nnrt__ir_value *value = &part->values[i];
        if (value->producer == NNRT__NONE) {
            if (value->data != NULL) continue;
            value->input = part->input_count;
            part->inputs[part->input_count++] = i;
        } else if (value->uses == 0 || value->uses < ir->values[from[i]].uses) {
            value->output = part->output_count;
            value->uses++;
            part->outputs[part->output_count++] = i;
        }
    }
    if (part->input_count == 0) {
        part->inputs[part->input_count++] = nnrt__ir_add_ints(part, &nothing, 1);
        part->values[part->inputs[0]].data = NULL;
        part->values[part->inputs[0]].input = 0;
    }
}

/* Makes part of `count` nodes of ir, in order of execution. *from: for each value of the part the one of ir, in the
   memory of the part; the number behind the last, if there is one, is that of the input that nobody reads. On failure
   the part is empty. ir is as it was. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_take_part(nnrt__ir *ir, const uint32_t *nodes, uint32_t count, nnrt__ir *part,
                                             const uint32_t **from) {
    size_t links = 0, bytes = 0;
    OH_NN_ReturnCode code;
    uint32_t *numbers, i;
    nnrt__ir_init(part);
    for (i = 0; i < count; i++) {
        const nnrt__ir_node *node = &ir->nodes[nodes[i]];
        links += (size_t)node->input_count + node->output_count;
        bytes += NNRT__IR_BYTES(node->input_count, uint32_t) + NNRT__IR_BYTES(node->output_count, uint32_t);
    }
    if (links >= NNRT__IR_MAX_GROWN) return nnrt__fail_memory();
    code = nnrt__ir_reserve(part, (uint32_t)links + 1, count, bytes + 3 * NNRT__IR_BYTES(links + 1, uint32_t));
    if (code != OH_NN_SUCCESS) {
        nnrt__ir_free(part); /* of the three pieces of memory some may be there */
        return code;
    }
    numbers = (uint32_t *)nnrt__ir_take(part, links + 1, sizeof(uint32_t));
    part->inputs = (uint32_t *)nnrt__ir_take(part, links + 1, sizeof(uint32_t));
    part->outputs = (uint32_t *)nnrt__ir_take(part, links + 1, sizeof(uint32_t));
    for (i = 0; i < count; i++) nnrt__ir_part_node(ir, nodes[i], part, numbers);
    for (i = 0; i < part->value_count; i++) ir->values[numbers[i]].mark = NNRT__NONE;
    nnrt__ir_part_ends(ir, part, numbers);
    *from = numbers;
    return OH_NN_SUCCESS;
}

/* Nodes of one device that can run together: behind what the parts before it make, and before all that reads them. */
typedef struct nnrt__ir_part {
    uint32_t device;       /* 0 or 1 */
    const uint32_t *nodes; /* in order of execution */
    uint32_t count;
} nnrt__ir_part;

typedef struct nnrt__ir_cut {
    nnrt__ir_part *parts; /* in order of execution, devices in turns */
    uint32_t part_count;
    uint32_t *nodes; /* of all parts */
} nnrt__ir_cut;

NNRT__FN void nnrt__ir_cut_free(nnrt__ir_cut *cut) {
    nnrt__free(cut->parts);
    nnrt__free(cut->nodes);
    memset(cut, 0, sizeof(*cut));
}

/* The stage of a node: how often data changes device on the longest path to it; even for device 0, odd for device 1.
   Nodes of one stage never wait for each other by way of the other device. */
NNRT__FN uint32_t nnrt__ir_stage(const nnrt__ir *ir, const nnrt__ir_node *node, uint32_t device,
                                 const uint32_t *stages) {
    uint32_t stage = device, k;
    for (k = 0; k < node->input_count; k++) {
        const uint32_t producer = ir->values[node->inputs[k]].producer;
        uint32_t after;
        if (producer == NNRT__NONE) continue;
        after = stages[producer] + (stages[producer] % 2 != device ? 1 : 0);
        if (after > stage) stage = after;
    }
    return stage;
}

/* Sorts the nodes by stage, in parts; parts[] has one of each stage, all zeros. */
NNRT__FN void nnrt__ir_cut_sort(const nnrt__ir *ir, const uint32_t *stages, uint32_t stage_count, nnrt__ir_cut *cut) {
    nnrt__ir_part *parts = cut->parts;
    uint32_t *places = cut->nodes + ir->node_count; /* where the next node of a stage stands */
    uint32_t used = 0, i;
    for (i = ir->first; i != NNRT__NONE; i = ir->nodes[i].next) parts[stages[i]].count++;
    for (i = 0; i < stage_count; i++) {
        parts[i].device = i % 2;
        parts[i].nodes = cut->nodes + used;
        places[i] = used;
        used += parts[i].count;
    }
    for (i = ir->first; i != NNRT__NONE; i = ir->nodes[i].next) cut->nodes[places[stages[i]]++] = i;
    for (i = 0; i < stage_count; i++) /* device 0 may have no node in the first stage */
        if (parts[i].count != 0) parts[cut->part_count++] = parts[i];
}

/* Cuts ir into parts. takes: does device 1 take that node? Device 0 has the rest. To be freed after OH_NN_SUCCESS. */
NNRT__FN OH_NN_ReturnCode nnrt__ir_cut_in_two(const nnrt__ir *ir,
                                              bool (*takes)(void *user, const nnrt__ir *ir, uint32_t node), void *user,
                                              nnrt__ir_cut *cut) {
    uint32_t *stages = (uint32_t *)nnrt__alloc_zero((size_t)ir->node_count + 1, sizeof(uint32_t));
    uint32_t last = 0, i;
    memset(cut, 0, sizeof(*cut));
    for (i = ir->first; stages != NULL && i != NNRT__NONE; i = ir->nodes[i].next) {
        stages[i] = nnrt__ir_stage(ir, &ir->nodes[i], takes(user, ir, i) ? 1 : 0, stages);
        if (stages[i] > last) last = stages[i];
    }
    cut->nodes = (uint32_t *)nnrt__alloc_zero((size_t)ir->node_count + last + 1, sizeof(uint32_t));
    cut->parts = (nnrt__ir_part *)nnrt__alloc_zero((size_t)last + 1, sizeof(nnrt__ir_part));
    if (stages == NULL || cut->nodes == NULL || cut->parts == NULL) {
        nnrt__free(stages);
        nnrt__ir_cut_free(cut);
        return nnrt__fail_memory();
    }
    nnrt__ir_cut_sort(ir, stages, last + 1, cut);
    nnrt__free(stages);
    return OH_NN_SUCCESS;
}

#endif /* NNRT_CPU_IR_CUT_H */
