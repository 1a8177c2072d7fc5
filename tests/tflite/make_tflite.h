/* SPDX-License-Identifier: Apache-2.0 */
/* make_tflite.h - small .tflite files of one operator, for tests. Include it after nnrt.h. */
#ifndef NNRT_TESTS_MAKE_TFLITE_H
#define NNRT_TESTS_MAKE_TFLITE_H

#include <criterion/criterion.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAKE_FN static __attribute__((unused))

typedef struct bytes {
    uint8_t *at;
    size_t size;
} bytes;

#define NO INT64_MIN /* a field that a table does not have */

typedef struct maker {
    uint8_t at[32768];
    size_t used;
} maker;

MAKE_FN void put(maker *m, uint64_t value, size_t width) {
    size_t i;
    cr_assert(m->used + width <= sizeof m->at);
    for (i = 0; i < width; i++) m->at[m->used++] = (uint8_t)(value >> (8 * i));
}

/* A table whose fields all take eight bytes; field i lies at table + 4 + 8 i, the fields that are NO
   excepted. */
MAKE_FN size_t put_table(maker *m, const int64_t *fields, size_t count) {
    size_t i, vtable = m->used, table;
    put(m, 4 + 2 * count, 2);
    put(m, 4 + 8 * count, 2);
    for (i = 0; i < count; i++) put(m, fields[i] == NO ? 0 : 4 + 8 * i, 2);
    table = m->used;
    put(m, table - vtable, 4);
    for (i = 0; i < count; i++) put(m, fields[i] == NO ? 0 : (uint64_t)fields[i], 8);
    return table;
}

MAKE_FN void aim(maker *m, size_t place) {
    const size_t used = m->used;
    m->used = place;
    put(m, used - place, 4);
    m->used = used;
}

MAKE_FN size_t field(size_t table, size_t id) { return table + 4 + 8 * id; }

/* A vector that the offset at place points to; its first element is the result. */
MAKE_FN size_t put_vector(maker *m, size_t place, const void *items, size_t count, size_t width) {
    size_t first;
    aim(m, place);
    put(m, count, 4);
    first = m->used;
    cr_assert(first + count * width + 1 <= sizeof m->at);
    if (items != NULL) memcpy(m->at + first, items, count * width);
    else memset(m->at + first, 0, count * width);
    m->used += count * width;
    return first;
}

enum {
    MOST_MORE = 40,
    MOST_TENSORS = 32
};

typedef struct tensor_spec {
    int type; /* TensorFlow Lite's number: 0 float32, 2 int32, 9 int8 */
    uint32_t rank;
    int32_t dims[NNRT_MAX_RANK + 1];
    const void *data;
    uint32_t data_size;
    float scale; /* 0: not quantized */
    int64_t zero;
    uint32_t scale_count, zero_count; /* 0: one; all the same */
    int64_t axis;
    int64_t offset, length; /* of contents behind the tables; offset 0: none */
    bool variable;
    const int32_t *signature; /* of rank entries; NULL: none */
    uint32_t signature_rank;  /* 0: rank */
} tensor_spec;

typedef struct spec {
    tensor_spec tensors[MOST_TENSORS];
    uint32_t tensor_count;
    int code, options_type;
    int64_t options[8];
    uint32_t option_count;
    const int32_t *shape_option; /* a list of two in option field 0 */
    int32_t inputs[24], outputs[4];
    uint32_t input_count, output_count;
    const uint8_t *custom_options; /* custom_size bytes of them; NULL: none */
    uint32_t custom_size;
    const char *custom;                  /* the name of a custom operator; NULL: none */
    int more[MOST_MORE];                 /* codes of operators behind the first, without options */
    int32_t then_inputs[4], then_output; /* of the first of them; all others have none */
    uint32_t then_input_count;
    const char *more_customs[MOST_MORE]; /* their names, where they are custom */
    uint32_t more_count;
    bool no_buffers;      /* the list of buffers is empty, and every tensor has buffer 0 */
    bool graph_twice;     /* a second subgraph, which is the first once more */
    uint32_t more_inputs; /* tensors 1, 2 ... that are inputs of the model, too */
    int32_t model_outputs[4];
    uint32_t model_output_count; /* 0: those of the operator */
} spec;

/* Where the parts lie in the last file made. */
static struct {
    size_t model, graph, op, options, tensor[MOST_TENSORS], data[MOST_TENSORS], codes, buffers, code, quant, buffer;
} place;

/* Points the offset at `from`, which is there already, to `to`. */
MAKE_FN void point(maker *m, size_t from, size_t to) {
    const size_t used = m->used;
    m->used = from;
    put(m, to - from, 4);
    m->used = used;
}

MAKE_FN size_t put_code(maker *m, int code, const char *custom) {
    const int64_t fields[4] = {code < 127 ? code : 127, custom != NULL ? 0 : NO, 1, code};
    const size_t table = put_table(m, fields, 4);
    if (custom != NULL) {
        (void)put_vector(m, field(table, 1), custom, strlen(custom), 1);
        put(m, 0, 1);
    }
    return table;
}

/* Scales and zero points, the last thing in the file if this is its last tensor. */
MAKE_FN void put_quant(maker *m, size_t tensor, const tensor_spec *t) {
    const int64_t quant[7] = {NO, NO, 0, 0, NO, NO, t->axis};
    const uint32_t scales = t->scale_count != 0 ? t->scale_count : 1;
    const uint32_t zeros = t->zero_count != 0 ? t->zero_count : scales;
    const size_t table = put_table(m, quant, 7);
    size_t first;
    uint32_t i;
    place.quant = table;
    point(m, field(tensor, 4), table);
    first = put_vector(m, field(table, 2), NULL, scales, 4);
    for (i = 0; i < scales; i++) memcpy(m->at + first + 4 * i, &t->scale, 4);
    first = put_vector(m, field(table, 3), NULL, zeros, 8);
    for (i = 0; i < zeros; i++) memcpy(m->at + first + 8 * i, &t->zero, 8);
}

/* One operator; tensor 0 is the model's input, the operator's outputs are the model's. */
MAKE_FN bytes make(const spec *s) {
    static maker m;
    const int64_t model[5] = {3, 0, 0, NO, 0}, graph[4] = {0, 0, 0, 0};
    const int64_t op[6] = {0, 0, 0, s->options_type, s->options_type != 0 ? 0 : NO, s->custom_options != NULL ? 0 : NO};
    static const int32_t first[4] = {0, 1, 2, 3};
    size_t spot, list, tensors;
    uint32_t i;
    bytes b;
    memset(&m, 0, sizeof m);
    put(&m, 0, 4);
    put(&m, 0x334c4654, 4); /* "TFL3" */
    aim(&m, 0);
    /* The offset of the root counts to the table, which lies behind its vtable. */
    m.at[0] = (uint8_t)(m.used + 4 + 2 * 5);
    place.model = put_table(&m, model, 5);
    place.codes = put_vector(&m, field(place.model, 1), NULL, 1 + s->more_count, 4);
    place.code = put_code(&m, s->code, s->custom);
    point(&m, place.codes, place.code);
    for (i = 0; i < s->more_count; i++)
        point(&m, place.codes + 4 * (i + 1), put_code(&m, s->more[i], s->more_customs[i]));
    list = put_vector(&m, field(place.model, 2), NULL, s->graph_twice ? 2 : 1, 4);
    place.graph = put_table(&m, graph, 4);
    point(&m, list, place.graph);
    if (s->graph_twice) point(&m, list + 4, place.graph);
    tensors = put_vector(&m, field(place.graph, 0), NULL, s->tensor_count, 4);
    (void)put_vector(&m, field(place.graph, 1), first, 1 + s->more_inputs, 4);
    if (s->model_output_count != 0)
        (void)put_vector(&m, field(place.graph, 2), s->model_outputs, s->model_output_count, 4);
    else (void)put_vector(&m, field(place.graph, 2), s->outputs, s->output_count, 4);
    list = put_vector(&m, field(place.graph, 3), NULL, 1 + s->more_count, 4);
    place.op = put_table(&m, op, s->custom_options != NULL ? 6 : 5);
    if (s->custom_options != NULL) (void)put_vector(&m, field(place.op, 5), s->custom_options, s->custom_size, 1);
    point(&m, list, place.op);
    for (i = 0; i < s->more_count; i++) {
        const bool then = i == 0 && s->then_input_count != 0;
        const int64_t other[5] = {i + 1, then ? 0 : NO, then ? 0 : NO, 0, NO};
        const size_t table = put_table(&m, other, 5);
        point(&m, list + 4 * (i + 1), table);
        if (!then) continue;
        (void)put_vector(&m, field(table, 1), s->then_inputs, s->then_input_count, 4);
        (void)put_vector(&m, field(table, 2), &s->then_output, 1, 4);
    }
    (void)put_vector(&m, field(place.op, 1), s->inputs, s->input_count, 4);
    (void)put_vector(&m, field(place.op, 2), s->outputs, s->output_count, 4);
    if (s->options_type != 0) {
        place.options = put_table(&m, s->options, s->option_count);
        list = m.used;
        m.used = field(place.op, 4);
        put(&m, place.options - m.used, 4);
        m.used = list;
        if (s->shape_option != NULL) (void)put_vector(&m, field(place.options, 0), s->shape_option, 2, 4);
    }
    place.buffers = put_vector(&m, field(place.model, 4), NULL, s->no_buffers ? 0 : s->tensor_count + 1, 4);
    for (i = 0; i <= s->tensor_count && !s->no_buffers; i++) {
        const tensor_spec *t = i != 0 ? &s->tensors[i - 1] : NULL;
        const bool filled = t != NULL && t->data != NULL, behind = t != NULL && t->offset != 0;
        const int64_t fields[3] = {filled ? 0 : NO, behind ? t->offset : NO, behind ? t->length : NO};
        spot = put_table(&m, fields, 3);
        place.buffer = spot;
        point(&m, place.buffers + 4 * i, spot);
        if (filled) place.data[i - 1] = put_vector(&m, field(spot, 0), t->data, t->data_size, 1);
    }
    for (i = 0; i < s->tensor_count; i++) {
        const tensor_spec *t = &s->tensors[i];
        const int64_t fields[8] = {0,
                                   t->type,
                                   s->no_buffers ? 0 : (int64_t)i + 1,
                                   NO,
                                   t->scale > 0 ? 0 : NO,
                                   t->variable ? 1 : NO,
                                   NO,
                                   t->signature != NULL ? 0 : NO};
        place.tensor[i] = put_table(&m, fields, t->signature != NULL ? 8 : t->variable ? 6 : 5);
        point(&m, tensors + 4 * i, place.tensor[i]);
        (void)put_vector(&m, field(place.tensor[i], 0), t->dims, t->rank, 4);
        if (t->signature != NULL)
            (void)put_vector(&m, field(place.tensor[i], 7), t->signature,
                             t->signature_rank != 0 ? t->signature_rank : t->rank, 4);
        if (t->scale > 0) put_quant(&m, place.tensor[i], t);
    }
    b.size = m.used;
    b.at = (uint8_t *)malloc(b.size);
    memcpy(b.at, m.at, b.size);
    return b;
}

/* One image in, one image out. */
MAKE_FN spec unary(int code) {
    static const tensor_spec image = {0, 4, {1, 4, 4, 2, 0}, NULL, 0, 0, 0, 0, 0, 0, 0, 0, false, NULL, 0};
    spec s;
    memset(&s, 0, sizeof s);
    s.tensors[0] = image;
    s.tensors[1] = image;
    s.tensor_count = 2;
    s.code = code;
    s.input_count = s.output_count = 1;
    s.outputs[0] = 1;
    return s;
}

/* One more input of the operator: a list of constants. */
MAKE_FN void add_constant(spec *s, int type, uint32_t count, const void *data, uint32_t size) {
    tensor_spec *t = &s->tensors[s->tensor_count];
    t->type = type;
    t->rank = 1;
    t->dims[0] = (int32_t)count;
    t->data = data;
    t->data_size = size;
    s->inputs[s->input_count++] = (int32_t)s->tensor_count++;
}

#endif /* NNRT_TESTS_MAKE_TFLITE_H */
