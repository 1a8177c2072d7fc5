/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/full_file.h - the .rknn of RK3588 (format 6): the program that is in it, brought to one memory.

     bytes 0      "RKNN", format version, length of the body (rknpu/file.h)
     byte 64      the body, a flatbuffer: 2 graphs, 8 name of the chip, 19 table {bytes of weights, bytes between
                  layers}, 20 blobs, each at an offset of 64 bits

   Fields of a graph: 0 tensors, 1 operators, 2 and 3 numbers of the tensors that go in and come out, 7 where addresses
   come from, 10 the first task of each variant. Of a tensor: 0 type (3 int8), 1 layout (64 planes of 16 channels),
   2 what it is (1 input, 2 output, 3 between layers, 4 and 8 constant, 6 a table of a curve, 9 words, 10 tasks),
   4 shape, 5 name, 10 scale, 11 zero point, 12 bytes, 13 where it lies between layers, 18 its blob. Of an operator:
   1 type, 2 name, 3 processor (2: NPU), 5 what it gives, 10 tasks and 11 tasks that load a table, of each of six
   variants. Of an entry of field 7: 0 name of a tensor, 1 pairs of an offset into it and the number of the word that
   gets the sum.

   Tasks are records of 40 bytes as the kernel's driver takes them, with the place of their words among all words. The
   variants are for one core, for each of two and for each of three; the first is the one that runs here.

   The vendor's format, not documented. Of three files the words that the vendor's runtime 1.6.0 submitted were these,
   all of them but five of each first layer, by which it converts pixels of uint8. Everything in a file is a stranger's:
   it is read within its bounds only. */
#ifndef NNRT_TOOLS_RKCHIP_FULL_FILE_H
#define NNRT_TOOLS_RKCHIP_FULL_FILE_H

#include "model.h"

enum {
    RKCHIP_FULL_BODY = 64,
    RKCHIP_FULL_MOST = 16384, /* tensors, operators */
    RKCHIP_FULL_ALIGN = 64,
    RKCHIP_FULL_INPUT = 1,
    RKCHIP_FULL_OUTPUT = 2,
    RKCHIP_FULL_BETWEEN = 3,
    RKCHIP_FULL_WORDS = 9,
    RKCHIP_FULL_TASKS = 10
};

typedef struct rkchip_full_tensor {
    char name[RKCHIP_NAME];
    uint8_t type, layout, kind;
    uint32_t rank;
    uint32_t dims[RKCHIP_RANK]; /* N, C, H, W where there are four */
    float scale;
    int32_t zero_point;
    uint32_t bytes, blob;
    uint32_t address; /* in the memory of the model; 0: it has no place there */
} rkchip_full_tensor;

typedef struct rkchip_full_operator {
    char type[32];
    char name[RKCHIP_NAME];
    uint32_t first_task, task_count;
    bool on_npu;     /* or nothing is to do; otherwise the runtime's CPU does it */
    uint32_t result; /* number of the tensor that it gives; UINT32_MAX: none */
} rkchip_full_operator;

typedef struct rkchip_full_model {
    uint8_t *memory; /* words at address 0, then constants, what is between layers, inputs and outputs */
    uint64_t memory_bytes, between_bytes;
    uint32_t words_bytes;
    const uint8_t *tasks; /* in the file */
    uint32_t task_count;  /* of the variant for one core, which come first */
    rkchip_full_tensor *tensors;
    uint32_t tensor_count;
    uint32_t inputs[RKCHIP_MOST_PORTS], outputs[RKCHIP_MOST_PORTS]; /* numbers of tensors */
    uint32_t input_count, output_count;
    rkchip_full_operator *operators;
    uint32_t operator_count;
    char sentence[RKCHIP_SENTENCE];
} rkchip_full_model;

static bool rkchip_full_refuse(rkchip_full_model *model, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(model->sentence, sizeof(model->sentence), format, arguments);
    va_end(arguments);
    return false;
}

static bool rkchip_full_damaged(rkchip_full_model *model, const char *what) {
    return rkchip_full_refuse(model, "the .rknn file is damaged: %s", what);
}

/* A blob of the file, and its bytes. NULL: there is none. */
static const uint8_t *rkchip_full_blob(const rkchip_flat *flat, uint32_t number, uint32_t *bytes) {
    const uint32_t node = rkchip_flat_table(flat, rkchip_flat_root(flat), 20, number);
    const uint32_t field = rkchip_flat_field(flat, node, 0, 8);
    uint64_t offset;
    uint32_t at;
    *bytes = 0;
    if (field == 0) return NULL;
    offset = rkchip_read_64(flat->bytes + field);
    if (offset == 0 || offset > flat->size - field) return NULL;
    at = field + (uint32_t)offset;
    *bytes = rkchip_flat_word(flat, at);
    if (flat->size - at < 4 || *bytes > flat->size - at - 4) return NULL;
    return flat->bytes + at + 4;
}

/* ---------------------------------------------------------------------------------------- tensors and operators */

static bool rkchip_full_tensor_read(const rkchip_flat *flat, uint32_t node, rkchip_full_tensor *t) {
    uint32_t i, scale;
    if (node == 0) return false;
    t->type = rkchip_flat_byte(flat, node, 0);
    t->layout = rkchip_flat_byte(flat, node, 1);
    t->kind = rkchip_flat_byte(flat, node, 2);
    (void)rkchip_flat_vector(flat, node, 4, &t->rank);
    if (t->rank > RKCHIP_RANK) return false;
    for (i = 0; i < t->rank; i++) t->dims[i] = rkchip_flat_value(flat, node, 4, i, 0);
    rkchip_flat_text(flat, node, 5, t->name, sizeof(t->name));
    scale = rkchip_flat_value(flat, node, 10, 0, 0);
    memcpy(&t->scale, &scale, sizeof(t->scale));
    t->zero_point = rkchip_signed(rkchip_flat_value(flat, node, 11, 0, 0), 32);
    t->bytes = rkchip_flat_number(flat, node, 12);
    t->address = rkchip_flat_number(flat, node, 13); /* for now in what is between layers */
    t->blob = rkchip_flat_number(flat, node, 18);
    return true;
}

static bool rkchip_full_tensors(rkchip_full_model *model, const rkchip_flat *flat, uint32_t graph) {
    uint32_t i;
    (void)rkchip_flat_vector(flat, graph, 0, &model->tensor_count);
    if (model->tensor_count == 0 || model->tensor_count > RKCHIP_FULL_MOST)
        return rkchip_full_refuse(model, "a graph of %lu tensors", (unsigned long)model->tensor_count);
    model->tensors = (rkchip_full_tensor *)calloc(model->tensor_count, sizeof(*model->tensors));
    if (model->tensors == NULL) return rkchip_full_refuse(model, "out of memory");
    for (i = 0; i < model->tensor_count; i++)
        if (!rkchip_full_tensor_read(flat, rkchip_flat_table(flat, graph, 0, i), &model->tensors[i]))
            return rkchip_full_damaged(model, "a tensor of the graph");
    return true;
}

/* Numbers of the tensors in field number of the graph. */
static bool rkchip_full_ports(rkchip_full_model *model, const rkchip_flat *flat, uint32_t graph, uint32_t number,
                              uint32_t *ports, uint32_t *count) {
    uint32_t i;
    (void)rkchip_flat_vector(flat, graph, number, count);
    if (*count == 0 || *count > RKCHIP_MOST_PORTS)
        return rkchip_full_refuse(model, "a graph with %lu inputs or outputs", (unsigned long)*count);
    for (i = 0; i < *count; i++) {
        const rkchip_full_tensor *t;
        ports[i] = rkchip_flat_value(flat, graph, number, i, UINT32_MAX);
        if (ports[i] >= model->tensor_count) return rkchip_full_damaged(model, "an input or output is no tensor");
        t = &model->tensors[ports[i]];
        if (t->type == RKCHIP_TYPE_INT8 && !(t->scale > 0.0f && t->scale < 1e30f))
            return rkchip_full_damaged(model, "an input or output has no scale");
    }
    return true;
}

static bool rkchip_full_operators(rkchip_full_model *model, const rkchip_flat *flat, uint32_t graph, uint32_t tasks) {
    uint32_t i, task = 0;
    (void)rkchip_flat_vector(flat, graph, 1, &model->operator_count);
    if (model->operator_count == 0 || model->operator_count > RKCHIP_FULL_MOST)
        return rkchip_full_refuse(model, "a graph of %lu operators", (unsigned long)model->operator_count);
    model->operators = (rkchip_full_operator *)calloc(model->operator_count, sizeof(*model->operators));
    if (model->operators == NULL) return rkchip_full_refuse(model, "out of memory");
    for (i = 0; i < model->operator_count; i++) {
        rkchip_full_operator *o = &model->operators[i];
        const uint32_t node = rkchip_flat_table(flat, graph, 1, i);
        const uint32_t own = rkchip_flat_value(flat, node, 10, 0, 0), curve = rkchip_flat_value(flat, node, 11, 0, 0);
        rkchip_flat_text(flat, node, 1, o->type, sizeof(o->type));
        rkchip_flat_text(flat, node, 2, o->name, sizeof(o->name));
        o->on_npu = rkchip_flat_byte(flat, node, 3) == RKCHIP_ON_NPU || strcmp(o->type, "InputOperator") == 0 ||
                    strcmp(o->type, "OutputOperator") == 0;
        o->result = rkchip_flat_value(flat, node, 5, 0, UINT32_MAX);
        o->first_task = task;
        if (o->result >= model->tensor_count) o->result = UINT32_MAX;
        if (own > tasks - task || curve > tasks - task - own)
            return rkchip_full_damaged(model, "its operators have more tasks than it has");
        task += o->task_count = own + curve;
    }
    model->task_count = task;
    i = rkchip_flat_value(flat, graph, 10, 3, task);
    return (task > 0 && i == task) ||
           rkchip_full_refuse(model, "its operators have %lu tasks for one core, and those for two begin at %lu",
                              (unsigned long)task, (unsigned long)i);
}

/* ------------------------------------------------------------------------------------------------- the memory */

static bool rkchip_full_is_port(const rkchip_full_model *model, uint32_t index) {
    const uint8_t kind = model->tensors[index].kind;
    uint32_t i;
    for (i = 0; i < model->output_count; i++)
        if (model->outputs[i] == index) return true;
    return kind == RKCHIP_FULL_INPUT || kind == RKCHIP_FULL_OUTPUT;
}

/* Has it bytes in the file that are to lie in memory? */
static bool rkchip_full_is_constant(const rkchip_full_model *model, uint32_t index) {
    const rkchip_full_tensor *t = &model->tensors[index];
    return t->blob != 0 && t->kind != RKCHIP_FULL_WORDS && t->kind != RKCHIP_FULL_TASKS &&
           t->kind != RKCHIP_FULL_BETWEEN && !rkchip_full_is_port(model, index);
}

/* bytes more at the end of the memory; *address is where they begin. false: there is no room for as many. */
static bool rkchip_full_place(rkchip_full_model *model, uint64_t bytes, uint32_t *address) {
    const uint64_t end = (model->memory_bytes + RKCHIP_FULL_ALIGN - 1) / RKCHIP_FULL_ALIGN * RKCHIP_FULL_ALIGN;
    *address = 0;
    if (bytes > RKCHIP_MOST_MEMORY || end + bytes > RKCHIP_MOST_MEMORY)
        return rkchip_full_refuse(model, "it needs more memory than the NPU can reach");
    *address = (uint32_t)end;
    model->memory_bytes = end + bytes;
    return true;
}

/* An address for every tensor. Constants lie one behind the other: the NPU reads whole groups of channels, past the end
   of a short table. */
static bool rkchip_full_addresses(rkchip_full_model *model, const rkchip_flat *flat, uint64_t between) {
    uint32_t i, first, bytes;
    for (i = 0; i < model->tensor_count; i++) {
        rkchip_full_tensor *t = &model->tensors[i];
        if (!rkchip_full_is_constant(model, i)) continue;
        if (rkchip_full_blob(flat, t->blob, &bytes) == NULL)
            return rkchip_full_damaged(model, "a constant is not in it");
        if (!rkchip_full_place(model, bytes, &t->address)) return false;
    }
    if (!rkchip_full_place(model, between, &first)) return false;
    model->between_bytes = between;
    for (i = 0; i < model->tensor_count; i++) {
        rkchip_full_tensor *t = &model->tensors[i];
        if (rkchip_full_is_port(model, i)) {
            if (!rkchip_full_place(model, t->bytes, &t->address)) return false;
        } else if (t->kind == RKCHIP_FULL_BETWEEN) {
            if (t->address > between || t->bytes > between - t->address)
                return rkchip_full_damaged(model, "a tensor does not lie in the memory of the model");
            t->address += first;
        }
    }
    return true;
}

static void rkchip_full_copy_constants(rkchip_full_model *model, const rkchip_flat *flat) {
    uint32_t i, bytes;
    for (i = 0; i < model->tensor_count; i++) {
        const rkchip_full_tensor *t = &model->tensors[i];
        const uint8_t *blob = rkchip_full_is_constant(model, i) ? rkchip_full_blob(flat, t->blob, &bytes) : NULL;
        if (blob != NULL) memcpy(model->memory + t->address, blob, bytes);
    }
}

static const rkchip_full_tensor *rkchip_full_find(const rkchip_full_model *model, const char *name) {
    uint32_t i;
    for (i = 0; i < model->tensor_count; i++)
        if (strcmp(model->tensors[i].name, name) == 0) return &model->tensors[i];
    return NULL;
}

/* Every word of an address gets it. */
static bool rkchip_full_relocate(rkchip_full_model *model, const rkchip_flat *flat, uint32_t graph) {
    uint32_t entries, i, k, b, left = model->words_bytes / 8; /* no word gets two addresses */
    (void)rkchip_flat_vector(flat, graph, 7, &entries);
    if (entries > RKCHIP_FULL_MOST) return rkchip_full_damaged(model, "more addresses than tensors");
    for (i = 0; i < entries; i++) {
        const uint32_t node = rkchip_flat_table(flat, graph, 7, i);
        const uint32_t pairs = rkchip_flat_follow(flat, rkchip_flat_field(flat, node, 1, 4));
        const uint32_t count = rkchip_flat_word(flat, pairs);
        char name[RKCHIP_NAME];
        const rkchip_full_tensor *t;
        rkchip_flat_text(flat, node, 0, name, sizeof(name));
        t = rkchip_full_find(model, name);
        if (t == NULL || count > left || count > (flat->size - pairs) / 8)
            return rkchip_full_damaged(model, "addresses of a tensor that it has not");
        left -= count;
        for (k = 0; k < count; k++) {
            const uint32_t offset = rkchip_flat_word(flat, pairs + 4 + 8 * k);
            const uint32_t word = rkchip_flat_word(flat, pairs + 8 + 8 * k), value = t->address + offset;
            if (word >= model->words_bytes / 8) return rkchip_full_damaged(model, "an address for no word");
            for (b = 0; b < 4; b++) model->memory[(size_t)word * 8 + 2 + b] = (uint8_t)(value >> (8 * b));
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------- the file */

static void rkchip_full_free(rkchip_full_model *model) {
    free(model->memory);
    free(model->tensors);
    free(model->operators);
    model->memory = NULL;
    model->tensors = NULL;
    model->operators = NULL;
}

/* The blob of the only tensor of that kind. */
static const uint8_t *rkchip_full_part(const rkchip_full_model *model, const rkchip_flat *flat, uint8_t kind,
                                       uint32_t *bytes) {
    uint32_t i;
    *bytes = 0;
    for (i = 0; i < model->tensor_count; i++)
        if (model->tensors[i].kind == kind) return rkchip_full_blob(flat, model->tensors[i].blob, bytes);
    return NULL;
}

static bool rkchip_full_graph(rkchip_full_model *model, const rkchip_flat *flat, uint32_t graph) {
    const uint32_t sizes = rkchip_flat_field(flat, rkchip_flat_root(flat), 19, 4);
    const uint32_t between = rkchip_flat_field(flat, rkchip_flat_follow(flat, sizes), 1, 8);
    const uint8_t *words;
    uint32_t task_bytes;
    if (!rkchip_full_tensors(model, flat, graph)) return false;
    model->tasks = rkchip_full_part(model, flat, RKCHIP_FULL_TASKS, &task_bytes);
    words = rkchip_full_part(model, flat, RKCHIP_FULL_WORDS, &model->words_bytes);
    if (model->tasks == NULL || words == NULL || between == 0)
        return rkchip_full_refuse(model, "the file has no command stream of the kind that is known");
    if (!rkchip_full_ports(model, flat, graph, 2, model->inputs, &model->input_count) ||
        !rkchip_full_ports(model, flat, graph, 3, model->outputs, &model->output_count) ||
        !rkchip_full_operators(model, flat, graph, task_bytes / RKCHIP_TASK_BYTES))
        return false;
    model->memory_bytes = model->words_bytes;
    if (!rkchip_full_addresses(model, flat, rkchip_read_64(flat->bytes + between))) return false;
    model->memory = (uint8_t *)calloc(1, (size_t)model->memory_bytes + 1);
    if (model->memory == NULL) return rkchip_full_refuse(model, "out of memory");
    memcpy(model->memory, words, model->words_bytes);
    rkchip_full_copy_constants(model, flat);
    return rkchip_full_relocate(model, flat, graph);
}

/* Reads the file, whose bytes stay the caller's and are needed as long as the model is; the model has to be freed in
   any case. false: model->sentence says what it is instead. */
static bool rkchip_full_read(rkchip_full_model *model, const void *file, size_t size) {
    const uint8_t *bytes = (const uint8_t *)file;
    uint64_t length;
    uint32_t graphs;
    char target[16];
    rkchip_flat flat;
    memset(model, 0, sizeof(*model));
    if (size < RKCHIP_FULL_BODY + 8 || memcmp(bytes, "RKNN\0\0\0\0", 8) != 0)
        return rkchip_full_refuse(model, "it is no .rknn file");
    if (rkchip_read_64(bytes + 8) != 6)
        return rkchip_full_refuse(model, "of the files for RK3588 only those of format 6 are known; this one has %llu",
                                  (unsigned long long)rkchip_read_64(bytes + 8));
    length = rkchip_read_64(bytes + 16);
    if (length < 8 || length > size - RKCHIP_FULL_BODY || length > INT32_MAX)
        return rkchip_full_damaged(model, "its parts do not fit into it");
    flat.bytes = bytes + RKCHIP_FULL_BODY;
    flat.size = (uint32_t)length;
    rkchip_flat_text(&flat, rkchip_flat_root(&flat), 8, target, sizeof(target));
    if (target[0] == '\0') return rkchip_full_damaged(model, "it names no chip");
    if (strcmp(target, "rk3588") != 0) return rkchip_full_refuse(model, "it is for %.15s, not for rk3588", target);
    (void)rkchip_flat_vector(&flat, rkchip_flat_root(&flat), 2, &graphs);
    if (graphs != 1) return rkchip_full_refuse(model, "the file has %lu graphs", (unsigned long)graphs);
    return rkchip_full_graph(model, &flat, rkchip_flat_table(&flat, rkchip_flat_root(&flat), 2, 0));
}

static void rkchip_full_give_tensor(const rkchip_full_tensor *from, rkchip_tensor *to) {
    memcpy(to->name, from->name, sizeof(to->name));
    to->type = from->type;
    to->layout = from->layout;
    to->rank = from->rank;
    memcpy(to->dims, from->dims, sizeof(to->dims));
    to->scale = from->scale;
    to->zero_point = from->zero_point;
    to->bytes = from->bytes;
    to->address = from->address;
}

static bool rkchip_full_give_operators(rkchip_model *model, const rkchip_full_model *full) {
    uint32_t i;
    model->operators = (rkchip_operator *)calloc(full->operator_count, sizeof(*model->operators));
    if (model->operators == NULL) return rkchip_file_refuse(model, "out of memory");
    model->operator_count = full->operator_count;
    for (i = 0; i < full->operator_count; i++) {
        const rkchip_full_operator *from = &full->operators[i];
        rkchip_operator *o = &model->operators[i];
        memcpy(o->type, from->type, sizeof(o->type));
        memcpy(o->name, from->name, sizeof(o->name));
        o->first_task = from->first_task;
        o->task_count = from->task_count;
        if (from->result != UINT32_MAX) {
            const rkchip_full_tensor *t = &full->tensors[from->result];
            rkchip_full_give_tensor(t, &o->result);
            o->has_result = t->address != 0 && rkchip_tensor_settle(model, &o->result, t->kind == RKCHIP_FULL_INPUT);
        }
        if (!rkchip_settle_operator(model, o, from->on_npu)) return false;
    }
    return true;
}

/* What was read, as a model. Takes the memory. */
static bool rkchip_full_give(rkchip_model *model, rkchip_full_model *full) {
    uint32_t i;
    model->generation = RKCHIP_RK3588;
    model->tasks = full->tasks;
    model->task_count = full->task_count;
    model->image = model->own_image = full->memory;
    full->memory = NULL;
    model->image_bytes = model->memory_bytes = full->memory_bytes;
    model->words_bytes = full->words_bytes;
    model->between_bytes = full->between_bytes;
    model->weights_bytes = full->memory_bytes - full->words_bytes - full->between_bytes;
    model->input_count = full->input_count;
    model->output_count = full->output_count;
    for (i = 0; i < full->input_count; i++) {
        rkchip_full_give_tensor(&full->tensors[full->inputs[i]], &model->inputs[i]);
        if (!rkchip_settle_port(model, &model->inputs[i], true)) return false;
    }
    for (i = 0; i < full->output_count; i++) {
        rkchip_full_give_tensor(&full->tensors[full->outputs[i]], &model->outputs[i]);
        if (!rkchip_settle_port(model, &model->outputs[i], false)) return false;
    }
    return rkchip_full_give_operators(model, full);
}

/* Fills model, which is zero. false: model->sentence says what the file is instead. */
static bool rkchip_full_model_read(rkchip_model *model, const uint8_t *bytes, size_t size) {
    rkchip_full_model full;
    bool good = rkchip_full_read(&full, bytes, size);
    if (good) good = rkchip_full_give(model, &full);
    else memcpy(model->sentence, full.sentence, sizeof(model->sentence));
    rkchip_full_free(&full);
    return good;
}

#endif /* NNRT_TOOLS_RKCHIP_FULL_FILE_H */
