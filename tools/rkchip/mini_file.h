/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/mini_file.h - the .rknn of RV1103 and RV1106 (format 0x1004): the program that it is.

     bytes 0      "RKNN", format version, length of the body (rknpu/file.h)
     byte 64      six u32: bytes of the graphs, bytes of the tasks, number of tasks, bytes of the words, bytes of memory
                  between layers, bytes of the weights
     byte 128     tasks of 40 bytes, as the kernel's driver takes them; filled up to 64 bytes
     then         the words, the weights: memory of the NPU from address 0 on, as they are. The memory between layers
                  follows them there, and is not in the file
     then         the graphs, a flatbuffer

   A graph has tensors and operators. Fields of a tensor: 0 type (3 int8), 1 layout (0 plain, 64 planes of 16 channels),
   2 what for (1 input, 2 output, 3 between layers), 3 shape in memory, 4 shape, 5 name, 6 scale, 7 zero point, 8 bytes,
   9 where it begins in its part of the memory. Of an operator: 1 type, 2 name, 3 processor (2: NPU), 4 and 5 tensors in
   and out, 9 how many of the tasks are its own, in the order of both.

   The vendor's format, not documented: this is what eleven public files of toolkits 1.6.0 and 2.3.2 have in common, and
   in all of them the tasks add up. A file that looks otherwise is refused. Everything in it is a stranger's: it is read
   within its bounds only. */
#ifndef NNRT_TOOLS_RKCHIP_MINI_FILE_H
#define NNRT_TOOLS_RKCHIP_MINI_FILE_H

#include "model.h"

enum {
    RKCHIP_MINI_HEADER = 128,
    RKCHIP_MINI_MOST_OPERATORS = 4096
};

/* Sizes of the parts. */
typedef struct rkchip_mini {
    uint32_t words, weights, between; /* bytes */
} rkchip_mini;

/* ---------------------------------------------------------------------------------------- tensors and operators */

static bool rkchip_mini_tensor(const rkchip_mini *mini, const rkchip_flat *flat, uint32_t graph, uint32_t index,
                               rkchip_tensor *t) {
    const uint32_t node = rkchip_flat_table(flat, graph, 0, index);
    uint32_t i, scale;
    memset(t, 0, sizeof(*t));
    if (node == 0) return false;
    t->type = rkchip_flat_byte(flat, node, 0);
    t->layout = rkchip_flat_byte(flat, node, 1);
    (void)rkchip_flat_vector(flat, node, 4, &t->rank);
    if (t->rank > RKCHIP_RANK) return false;
    for (i = 0; i < t->rank; i++) t->dims[i] = rkchip_flat_value(flat, node, 4, i, 0);
    rkchip_flat_text(flat, node, 5, t->name, sizeof(t->name));
    scale = rkchip_flat_value(flat, node, 6, 0, 0);
    memcpy(&t->scale, &scale, sizeof(t->scale));
    t->zero_point = rkchip_signed(rkchip_flat_value(flat, node, 7, 0, 0), 32);
    t->bytes = rkchip_flat_number(flat, node, 8);
    t->address = (uint64_t)mini->words + mini->weights + rkchip_flat_number(flat, node, 9);
    return true;
}

/* Inputs or outputs, whose numbers stand in a field of the graph. */
static bool rkchip_mini_ports(rkchip_model *model, const rkchip_mini *mini, const rkchip_flat *flat, uint32_t graph,
                              bool is_input) {
    rkchip_tensor *ports = is_input ? model->inputs : model->outputs;
    const uint32_t number = is_input ? 2 : 3;
    uint32_t count, i;
    (void)rkchip_flat_vector(flat, graph, number, &count);
    if (count == 0 || count > RKCHIP_MOST_PORTS)
        return rkchip_file_refuse(model, "a graph with %lu inputs or outputs", (unsigned long)count);
    *(is_input ? &model->input_count : &model->output_count) = count;
    for (i = 0; i < count; i++) {
        const uint32_t index = rkchip_flat_value(flat, graph, number, i, UINT32_MAX);
        if (!rkchip_mini_tensor(mini, flat, graph, index, &ports[i]))
            return rkchip_file_refuse(model, "a tensor of the graph is damaged");
        if (!rkchip_settle_port(model, &ports[i], is_input)) return false;
    }
    return true;
}

static bool rkchip_mini_operator(rkchip_model *model, const rkchip_mini *mini, const rkchip_flat *flat, uint32_t graph,
                                 uint32_t index, rkchip_operator *o) {
    const uint32_t node = rkchip_flat_table(flat, graph, 1, index);
    const uint32_t result = rkchip_flat_value(flat, node, 5, 0, UINT32_MAX);
    uint32_t counts, i;
    rkchip_flat_text(flat, node, 1, o->type, sizeof(o->type));
    rkchip_flat_text(flat, node, 2, o->name, sizeof(o->name));
    (void)rkchip_flat_vector(flat, node, 9, &counts);
    for (i = 0; i < counts; i++) {
        const uint32_t tasks = rkchip_flat_value(flat, node, 9, i, 0);
        if (tasks > RKCHIP_MOST_TASKS - o->task_count)
            return rkchip_file_refuse(model, "an operator has too many tasks");
        o->task_count += tasks;
    }
    o->has_result = result != UINT32_MAX && rkchip_mini_tensor(mini, flat, graph, result, &o->result) &&
                    rkchip_tensor_settle(model, &o->result, false);
    return rkchip_settle_operator(model, o, rkchip_flat_byte(flat, node, 3) == RKCHIP_ON_NPU);
}

static bool rkchip_mini_graph(rkchip_model *model, const rkchip_mini *mini, const rkchip_flat *flat, uint32_t graph) {
    uint32_t count, i, task = 0;
    if (!rkchip_mini_ports(model, mini, flat, graph, true) || !rkchip_mini_ports(model, mini, flat, graph, false))
        return false;
    (void)rkchip_flat_vector(flat, graph, 1, &count);
    if (count == 0 || count > RKCHIP_MINI_MOST_OPERATORS)
        return rkchip_file_refuse(model, "a graph of %lu operators", (unsigned long)count);
    model->operators = (rkchip_operator *)calloc(count, sizeof(*model->operators));
    if (model->operators == NULL) return rkchip_file_refuse(model, "out of memory");
    model->operator_count = count;
    for (i = 0; i < count; i++) {
        model->operators[i].first_task = task;
        if (!rkchip_mini_operator(model, mini, flat, graph, i, &model->operators[i])) return false;
        if (model->operators[i].task_count > model->task_count - task)
            return rkchip_file_refuse(model, "the operators have more tasks than the file");
        task += model->operators[i].task_count;
    }
    return task == model->task_count || rkchip_file_refuse(model, "the file has %lu tasks, and its operators %lu",
                                                           (unsigned long)model->task_count, (unsigned long)task);
}

/* --------------------------------------------------------------------------------------------------- the file */

/* Fills model, which is zero. false: model->sentence says what the file is instead. */
static bool rkchip_mini_read(rkchip_model *model, const uint8_t *bytes, size_t size) {
    uint32_t graph_bytes, task_bytes, graphs;
    uint64_t used;
    rkchip_flat flat;
    rkchip_mini mini;
    if (size < RKCHIP_MINI_HEADER) return rkchip_file_refuse(model, "the .rknn file is cut off");
    graph_bytes = rkchip_read_32(bytes + 64);
    task_bytes = rkchip_read_32(bytes + 68);
    model->task_count = rkchip_read_32(bytes + 72);
    mini.words = rkchip_read_32(bytes + 76);
    mini.between = rkchip_read_32(bytes + 80);
    mini.weights = rkchip_read_32(bytes + 84);
    used = (uint64_t)RKCHIP_MINI_HEADER + task_bytes + mini.words + mini.weights + graph_bytes;
    if (used > size || model->task_count == 0 || model->task_count > RKCHIP_MOST_TASKS ||
        task_bytes / RKCHIP_TASK_BYTES < model->task_count || mini.words > RKCHIP_MOST_MEMORY ||
        mini.weights > RKCHIP_MOST_MEMORY || mini.between > RKCHIP_MOST_MEMORY)
        return rkchip_file_refuse(model, "the .rknn file is damaged: its parts do not fit into it");
    model->generation = RKCHIP_RV1106;
    model->tasks = bytes + RKCHIP_MINI_HEADER;
    model->image = model->tasks + task_bytes;
    model->image_bytes = (uint64_t)mini.words + mini.weights;
    model->memory_bytes = model->image_bytes + mini.between;
    model->words_bytes = mini.words;
    model->weights_bytes = mini.weights;
    model->between_bytes = mini.between;
    flat.bytes = model->image + model->image_bytes;
    flat.size = graph_bytes;
    if (graph_bytes < 8 || graph_bytes > INT32_MAX || memcmp(flat.bytes + 4, "RKNN", 4) != 0)
        return rkchip_file_refuse(model, "the .rknn file is damaged: it has no graph");
    (void)rkchip_flat_vector(&flat, rkchip_flat_root(&flat), 2, &graphs);
    if (graphs != 1) return rkchip_file_refuse(model, "the file has %lu graphs", (unsigned long)graphs);
    return rkchip_mini_graph(model, &mini, &flat, rkchip_flat_table(&flat, rkchip_flat_root(&flat), 2, 0));
}

#endif /* NNRT_TOOLS_RKCHIP_MINI_FILE_H */
