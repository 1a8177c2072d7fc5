/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/model.h - what is read from a .rknn: tasks, the memory that they run in, tensors, operators.

   One structure for the files of both runtimes; mini_file.h and full_file.h fill it. */
#ifndef NNRT_TOOLS_RKCHIP_MODEL_H
#define NNRT_TOOLS_RKCHIP_MODEL_H

#include "flat.h"

enum {
    RKCHIP_TASK_BYTES = 40, /* as the kernel's driver takes them */
    RKCHIP_MOST_TASKS = 65535,
    RKCHIP_MOST_PORTS = 64,
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
    uint32_t bytes;       /* that the file gives it */
    uint64_t address;     /* in the memory of the model */
    uint64_t plane_bytes; /* from a plane to the next; 0: plain, or a picture */
    uint64_t row_bytes;   /* of a picture, whose rows begin at every 16th pixel; 0: it is none */
} rkchip_tensor;

typedef struct rkchip_operator {
    char type[32];
    char name[RKCHIP_NAME];
    uint32_t first_task, task_count;
    bool is_output;  /* it only converts what is an output already: it is not run */
    uint32_t output; /* of is_output: number of the output */
    rkchip_tensor result;
    bool has_result;
} rkchip_operator;

typedef struct rkchip_model {
    rkchip_generation generation;
    const uint8_t *tasks; /* in the file */
    uint32_t task_count;
    const uint8_t *image; /* the first image_bytes of the memory; the rest is 0 */
    uint8_t *own_image;   /* NULL: it lies in the file */
    uint64_t image_bytes, memory_bytes;
    uint32_t words_bytes; /* at address 0 */
    uint64_t weights_bytes, between_bytes;
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

static void rkchip_model_free(rkchip_model *model) {
    free(model->operators);
    free(model->own_image);
    model->operators = NULL;
    model->own_image = NULL;
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

/* Pictures of one, three or four channels lie pixel by pixel. */
static bool rkchip_is_picture(const rkchip_tensor *t) {
    return t->rank == 4 && t->layout == RKCHIP_LAYOUT_PLANES && (t->dims[1] == 1 || t->dims[1] == 3 || t->dims[1] == 4);
}

/* Values of a tensor, lanes that fill up planes not counted. 0: none, or more than any memory. */
static uint64_t rkchip_tensor_values(const rkchip_tensor *t) {
    uint64_t count = 1;
    uint32_t i;
    for (i = 0; i < t->rank; i++) {
        if (t->dims[i] == 0 || t->dims[i] > RKCHIP_MOST_MEMORY / count) return 0;
        count *= t->dims[i];
    }
    return t->rank == 0 ? 0 : count;
}

/* Finds where the planes lie: a file gives a tensor as many bytes as its planes take, each rounded up. false: it is no
   tensor of int8 that is known, or does not lie in the memory of the model. */
static bool rkchip_tensor_settle(const rkchip_model *model, rkchip_tensor *t, bool is_input) {
    const uint64_t values = rkchip_tensor_values(t);
    uint64_t bytes = values;
    t->plane_bytes = 0;
    t->row_bytes = 0;
    if (t->type != RKCHIP_TYPE_INT8 || values == 0) return false;
    if (t->layout == RKCHIP_LAYOUT_PLANES && !(is_input && rkchip_is_picture(t))) {
        const uint64_t pixels = (uint64_t)t->dims[2] * t->dims[3];
        const uint64_t planes = (t->dims[1] + RKCHIP_LANES - 1) / RKCHIP_LANES;
        if (t->rank != 4 || t->dims[0] != 1) return false;
        /* Some outputs of RK3588 have a plane more than their channels need. */
        t->plane_bytes = t->bytes % planes == 0 && t->bytes / planes < 2 * pixels * RKCHIP_LANES
                             ? t->bytes / planes
                             : (pixels + 3) / 4 * 4 * RKCHIP_LANES;
        if (t->plane_bytes < pixels * RKCHIP_LANES) return false;
        bytes = (planes - 1) * t->plane_bytes + pixels * RKCHIP_LANES;
    } else if (t->layout == RKCHIP_LAYOUT_PLANES) {
        if (t->dims[0] != 1) return false;
        t->row_bytes = ((uint64_t)t->dims[3] + 15) / 16 * 16 * t->dims[1];
        bytes = t->row_bytes * t->dims[2];
    } else if (t->layout != RKCHIP_LAYOUT_PLAIN) return false;
    return t->address <= model->memory_bytes && bytes <= model->memory_bytes - t->address;
}

/* An input or output. */
static bool rkchip_settle_port(rkchip_model *model, rkchip_tensor *t, bool is_input) {
    if (t->type != RKCHIP_TYPE_INT8)
        return rkchip_file_refuse(model, "tensor %.64s is not int8 (type %u): other types are not simulated", t->name,
                                  (unsigned)t->type);
    if (!(t->scale > 0.0f && t->scale < 1e30f) || t->zero_point < INT8_MIN || t->zero_point > INT8_MAX)
        return rkchip_file_refuse(model, "tensor %.64s has no scale and zero point of int8", t->name);
    return rkchip_tensor_settle(model, t, is_input) ||
           rkchip_file_refuse(model, "tensor %.64s has no layout and place that are known", t->name);
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

/* Type and name are there: what it is for a run. */
static bool rkchip_settle_operator(rkchip_model *model, rkchip_operator *o, bool on_npu) {
    o->is_output = strcmp(o->type, "OutputOperator") == 0;
    if (o->is_output && !rkchip_find_output(model, o->name, &o->output))
        return rkchip_file_refuse(model, "%.64s is none of the outputs", o->name);
    if (!on_npu && !o->is_output && strcmp(o->type, "InputOperator") != 0)
        return rkchip_file_refuse(model, "%.96s runs on the CPU of the runtime, which is not simulated", o->name);
    return true;
}

#endif /* NNRT_TOOLS_RKCHIP_MODEL_H */
