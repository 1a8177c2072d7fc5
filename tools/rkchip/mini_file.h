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

#include "run.h"

enum {
    RKCHIP_TASK_BYTES = 40,
    RKCHIP_HEADER = 128,
    RKCHIP_MOST_TASKS = 65535,
    RKCHIP_MOST_PORTS = 64,
    RKCHIP_MOST_OPERATORS = 4096,
    RKCHIP_RANK = 6,
    RKCHIP_NAME = 128,
    RKCHIP_TYPE_INT8 = 3,
    RKCHIP_LAYOUT_PLAIN = 0,
    RKCHIP_LAYOUT_PLANES = 64,
    RKCHIP_ON_NPU = 2
};

#define RKCHIP_MOST_MEMORY 0x40000000u /* of all parts: more than these chips can have */

typedef struct rkchip_tensor {
    char name[RKCHIP_NAME];
    uint8_t type, layout;
    uint32_t rank;
    uint32_t dims[RKCHIP_RANK]; /* N, C, H, W where there are four */
    float scale;
    int32_t zero_point;
    uint64_t offset; /* in the memory between layers */
} rkchip_tensor;

typedef struct rkchip_operator {
    char type[32];
    char name[RKCHIP_NAME];
    uint32_t first_task, task_count;
    bool is_output;  /* it only converts what is an output already: see there */
    uint32_t output; /* of is_output: number of the output */
    rkchip_tensor result;
    bool has_result;
} rkchip_operator;

typedef struct rkchip_model {
    const uint8_t *tasks;
    const uint8_t *image;
    uint32_t task_count;
    uint32_t words_bytes, weights_bytes, between_bytes;
    rkchip_tensor inputs[RKCHIP_MOST_PORTS], outputs[RKCHIP_MOST_PORTS];
    uint32_t input_count, output_count;
    rkchip_operator *operators;
    uint32_t operator_count;
    char sentence[RKCHIP_SENTENCE];
} rkchip_model;

static bool rkchip_file_refuse(rkchip_model *model, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(model->sentence, sizeof(model->sentence), format, arguments);
    va_end(arguments);
    return false;
}

/* ------------------------------------------------------------------------------------------------ a flatbuffer */

typedef struct rkchip_flat {
    const uint8_t *bytes;
    uint32_t size;
} rkchip_flat;

/* 0 where there is none, and no offset, count or table of a true file is 0. */
static uint32_t rkchip_flat_word(const rkchip_flat *flat, uint32_t at) {
    return at <= flat->size && flat->size - at >= 4 ? rkchip_read_32(flat->bytes + at) : 0;
}

/* Where field number of the table at node is, with room for bytes of it. 0: it is not there. */
static uint32_t rkchip_flat_field(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t bytes) {
    const int64_t fields = (int64_t)node - rkchip_signed(rkchip_flat_word(flat, node), 32);
    uint32_t length, offset;
    if (node == 0 || fields < 0 || fields > (int64_t)flat->size - 4) return 0;
    length = rkchip_read_16(flat->bytes + fields);
    if (length < 6 + 2 * number || length > (int64_t)flat->size - fields) return 0;
    offset = rkchip_read_16(flat->bytes + fields + 4 + 2 * number);
    if (offset == 0 || flat->size - node < bytes || offset > flat->size - node - bytes) return 0;
    return node + offset;
}

/* Where the offset at at leads to. 0: nowhere within. */
static uint32_t rkchip_flat_follow(const rkchip_flat *flat, uint32_t at) {
    const uint32_t distance = rkchip_flat_word(flat, at);
    return at == 0 || distance == 0 || distance > flat->size - at ? 0 : at + distance;
}

/* The root table, whose offset is the first word. */
static uint32_t rkchip_flat_root(const rkchip_flat *flat) {
    const uint32_t root = rkchip_flat_word(flat, 0);
    return root < flat->size ? root : 0;
}

/* The first of count values of 4 bytes in field number. 0: there are none. */
static uint32_t rkchip_flat_vector(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t *count) {
    const uint32_t vector = rkchip_flat_follow(flat, rkchip_flat_field(flat, node, number, 4));
    *count = rkchip_flat_word(flat, vector);
    if (vector == 0 || flat->size - vector < 4 || *count > (flat->size - vector - 4) / 4) *count = 0;
    return *count == 0 ? 0 : vector + 4;
}

/* Value number index of the vector in field number, or missing. */
static uint32_t rkchip_flat_value(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t index,
                                  uint32_t missing) {
    uint32_t count;
    const uint32_t first = rkchip_flat_vector(flat, node, number, &count);
    return index < count ? rkchip_flat_word(flat, first + 4 * index) : missing;
}

/* Table number index of the vector in field number. 0: there is none. */
static uint32_t rkchip_flat_table(const rkchip_flat *flat, uint32_t node, uint32_t number, uint32_t index) {
    uint32_t count;
    const uint32_t first = rkchip_flat_vector(flat, node, number, &count);
    return index < count ? rkchip_flat_follow(flat, first + 4 * index) : 0;
}

static uint8_t rkchip_flat_byte(const rkchip_flat *flat, uint32_t node, uint32_t number) {
    const uint32_t at = rkchip_flat_field(flat, node, number, 1);
    return at != 0 ? flat->bytes[at] : 0;
}

static uint32_t rkchip_flat_number(const rkchip_flat *flat, uint32_t node, uint32_t number) {
    const uint32_t at = rkchip_flat_field(flat, node, number, 4);
    return at != 0 ? rkchip_read_32(flat->bytes + at) : 0;
}

/* The text in field number, cut to fit; what does not print becomes '?'. */
static void rkchip_flat_text(const rkchip_flat *flat, uint32_t node, uint32_t number, char *to, size_t size) {
    const uint32_t at = rkchip_flat_follow(flat, rkchip_flat_field(flat, node, number, 4));
    uint32_t length = rkchip_flat_word(flat, at), i;
    if (at == 0 || flat->size - at < 4 || length > flat->size - at - 4) length = 0;
    for (i = 0; i < length && i + 1 < size; i++) {
        const uint8_t c = flat->bytes[at + 4 + i];
        to[i] = c > ' ' && c < 0x7f ? (char)c : '?';
    }
    to[i] = '\0';
}

/* ---------------------------------------------------------------------------------------- tensors and operators */

/* Bytes of a tensor in memory. 0: none that is known, or more than any memory. */
static uint64_t rkchip_tensor_bytes(const rkchip_tensor *t, bool is_picture) {
    uint64_t count = 1;
    uint32_t i;
    for (i = 0; i < t->rank; i++) {
        const uint32_t dim = t->rank == 4 && i == 1 && t->layout == RKCHIP_LAYOUT_PLANES && !is_picture
                                 ? (t->dims[1] + RKCHIP_LANES - 1) / RKCHIP_LANES * RKCHIP_LANES
                                 : t->dims[i];
        if (dim == 0 || dim > RKCHIP_MOST_MEMORY / count) return 0;
        count *= dim;
    }
    return t->rank == 0 ? 0 : count;
}

/* Pictures of one, three or four channels lie pixel by pixel. */
static bool rkchip_is_picture(const rkchip_tensor *t) {
    return t->rank == 4 && t->layout == RKCHIP_LAYOUT_PLANES && (t->dims[1] == 1 || t->dims[1] == 3 || t->dims[1] == 4);
}

static bool rkchip_read_tensor(const rkchip_flat *flat, uint32_t graph, uint32_t index, rkchip_tensor *t) {
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
    t->offset = rkchip_flat_number(flat, node, 9);
    return true;
}

/* An input or output, in the memory between layers. */
static bool rkchip_read_port(rkchip_model *model, const rkchip_flat *flat, uint32_t graph, uint32_t index,
                             bool is_input, rkchip_tensor *t) {
    uint64_t bytes;
    if (!rkchip_read_tensor(flat, graph, index, t))
        return rkchip_file_refuse(model, "a tensor of the graph is damaged");
    bytes = rkchip_tensor_bytes(t, is_input && rkchip_is_picture(t));
    if (t->type != RKCHIP_TYPE_INT8)
        return rkchip_file_refuse(model, "tensor %.64s is not int8 (type %u): other types are not simulated", t->name,
                                  (unsigned)t->type);
    if ((t->layout != RKCHIP_LAYOUT_PLAIN && t->layout != RKCHIP_LAYOUT_PLANES) ||
        (t->layout == RKCHIP_LAYOUT_PLANES && (t->rank != 4 || t->dims[0] != 1)))
        return rkchip_file_refuse(model, "tensor %.64s has a layout that is not known", t->name);
    if (!(t->scale > 0.0f && t->scale < 1e30f) || t->zero_point < INT8_MIN || t->zero_point > INT8_MAX)
        return rkchip_file_refuse(model, "tensor %.64s has no scale and zero point of int8", t->name);
    if (bytes == 0 || t->offset > model->between_bytes || bytes > model->between_bytes - t->offset)
        return rkchip_file_refuse(model, "tensor %.64s does not lie in the memory of the model", t->name);
    return true;
}

/* Number of the output that has the name behind the colon of "OutputOperator:name". */
static bool rkchip_find_output(const rkchip_model *model, const char *name, uint32_t *output) {
    const char *colon = strchr(name, ':');
    uint32_t i;
    for (i = 0; colon != NULL && i < model->output_count; i++)
        if (strcmp(model->outputs[i].name, colon + 1) == 0) {
            *output = i;
            return true;
        }
    return false;
}

static bool rkchip_read_operator(rkchip_model *model, const rkchip_flat *flat, uint32_t graph, uint32_t index,
                                 rkchip_operator *o) {
    const uint32_t node = rkchip_flat_table(flat, graph, 1, index);
    const bool on_npu = rkchip_flat_byte(flat, node, 3) == RKCHIP_ON_NPU;
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
    o->is_output = strcmp(o->type, "OutputOperator") == 0;
    if (o->is_output && !rkchip_find_output(model, o->name, &o->output))
        return rkchip_file_refuse(model, "%.64s is none of the outputs", o->name);
    if (!on_npu && !o->is_output && strcmp(o->type, "InputOperator") != 0)
        return rkchip_file_refuse(model, "%.96s runs on the CPU of the runtime, which is not simulated", o->name);
    o->has_result = result != UINT32_MAX && rkchip_read_tensor(flat, graph, result, &o->result);
    return true;
}

static bool rkchip_read_graph(rkchip_model *model, const rkchip_flat *flat, uint32_t graph) {
    uint32_t count, i, task = 0;
    (void)rkchip_flat_vector(flat, graph, 2, &model->input_count);
    (void)rkchip_flat_vector(flat, graph, 3, &model->output_count);
    if (model->input_count == 0 || model->input_count > RKCHIP_MOST_PORTS || model->output_count == 0 ||
        model->output_count > RKCHIP_MOST_PORTS)
        return rkchip_file_refuse(model, "a graph with %lu inputs and %lu outputs", (unsigned long)model->input_count,
                                  (unsigned long)model->output_count);
    for (i = 0; i < model->input_count; i++)
        if (!rkchip_read_port(model, flat, graph, rkchip_flat_value(flat, graph, 2, i, UINT32_MAX), true,
                              &model->inputs[i]))
            return false;
    for (i = 0; i < model->output_count; i++)
        if (!rkchip_read_port(model, flat, graph, rkchip_flat_value(flat, graph, 3, i, UINT32_MAX), false,
                              &model->outputs[i]))
            return false;
    (void)rkchip_flat_vector(flat, graph, 1, &count);
    if (count == 0 || count > RKCHIP_MOST_OPERATORS)
        return rkchip_file_refuse(model, "a graph of %lu operators", (unsigned long)count);
    model->operators = (rkchip_operator *)calloc(count, sizeof(*model->operators));
    if (model->operators == NULL) return rkchip_file_refuse(model, "out of memory");
    model->operator_count = count;
    for (i = 0; i < count; i++) {
        model->operators[i].first_task = task;
        if (!rkchip_read_operator(model, flat, graph, i, &model->operators[i])) return false;
        if (model->operators[i].task_count > model->task_count - task)
            return rkchip_file_refuse(model, "the operators have more tasks than the file");
        task += model->operators[i].task_count;
    }
    return task == model->task_count || rkchip_file_refuse(model, "the file has %lu tasks, and its operators %lu",
                                                           (unsigned long)model->task_count, (unsigned long)task);
}

/* --------------------------------------------------------------------------------------------------- the file */

static void rkchip_model_free(rkchip_model *model) {
    free(model->operators);
    model->operators = NULL;
}

/* Reads the file, whose bytes stay the caller's and are needed as long as the model is; the model has to be freed in
   any case. false: model->sentence says what it is instead. */
static bool rkchip_model_read(rkchip_model *model, const void *file, size_t size) {
    const uint8_t *bytes = (const uint8_t *)file;
    uint32_t graph_bytes, task_bytes, graphs;
    uint64_t used;
    rkchip_flat flat;
    memset(model, 0, sizeof(*model));
    if (size < RKCHIP_HEADER || memcmp(bytes, "RKNN\0\0\0\0", 8) != 0)
        return rkchip_file_refuse(model, "it is no .rknn file");
    if (rkchip_read_64(bytes + 8) != 0x1004)
        return rkchip_file_refuse(model,
                                  "only files of format 0x1004, for RV1103 and RV1106, are simulated; this one "
                                  "has format 0x%llx",
                                  (unsigned long long)rkchip_read_64(bytes + 8));
    graph_bytes = rkchip_read_32(bytes + 64);
    task_bytes = rkchip_read_32(bytes + 68);
    model->task_count = rkchip_read_32(bytes + 72);
    model->words_bytes = rkchip_read_32(bytes + 76);
    model->between_bytes = rkchip_read_32(bytes + 80);
    model->weights_bytes = rkchip_read_32(bytes + 84);
    used = (uint64_t)RKCHIP_HEADER + task_bytes + model->words_bytes + model->weights_bytes + graph_bytes;
    if (used > size || model->task_count == 0 || model->task_count > RKCHIP_MOST_TASKS ||
        task_bytes / RKCHIP_TASK_BYTES < model->task_count || model->words_bytes > RKCHIP_MOST_MEMORY ||
        model->weights_bytes > RKCHIP_MOST_MEMORY || model->between_bytes > RKCHIP_MOST_MEMORY)
        return rkchip_file_refuse(model, "the .rknn file is damaged: its parts do not fit into it");
    model->tasks = bytes + RKCHIP_HEADER;
    model->image = model->tasks + task_bytes;
    flat.bytes = model->image + model->words_bytes + model->weights_bytes;
    flat.size = graph_bytes;
    if (graph_bytes < 8 || graph_bytes > INT32_MAX || memcmp(flat.bytes + 4, "RKNN", 4) != 0)
        return rkchip_file_refuse(model, "the .rknn file is damaged: it has no graph");
    (void)rkchip_flat_vector(&flat, rkchip_flat_root(&flat), 2, &graphs);
    if (graphs != 1) return rkchip_file_refuse(model, "the file has %lu graphs", (unsigned long)graphs);
    return rkchip_read_graph(model, &flat, rkchip_flat_table(&flat, rkchip_flat_root(&flat), 2, 0));
}

/* Task number i. */
static rkchip_task rkchip_model_task(const rkchip_model *model, uint32_t i) {
    const uint8_t *at = model->tasks + (size_t)i * RKCHIP_TASK_BYTES;
    rkchip_task task;
    task.enable = rkchip_read_32(at + 8);
    task.amount = rkchip_read_32(at + 24);
    task.address = rkchip_read_64(at + 32);
    return task;
}

#endif /* NNRT_TOOLS_RKCHIP_MINI_FILE_H */
