/* SPDX-License-Identifier: Apache-2.0 */
/* edge.h - one operator on numbers worked out by hand, one row of texts for each: inputs, outputs, or the sentence that
   refuses it.

   A tensor is "TYPE SHAPE: NUMBERS":

       float32 [2,3]: 1 2 nan -inf -0 6     a shape; [] is a scalar
       int8@0.5@3 [4]: -128 0 1 127         the scale and the zero point; the numbers are those that are stored
       int32: 7 -7                          no shape: a pattern, see below
       float16: 0x3c00 0x7e00               bits
       =int64 [1]: -1                       a constant
       ~float32: 2.7182818 0                of an output: within two millionths; else every bit is right, but
                                            for those of a NaN

   A pattern is tried as written, and repeated to 67 elements: more than the widest kernels take at once, with a tail
   left. A pattern of one number beside longer ones stays one element, which is broadcast. Every row is tried with each
   instruction set of the machine, and once more with constants for all inputs, when it is computed at Build.

   Include it after linked.h and <criterion/criterion.h>. */
#ifndef NNRT_TESTS_EDGE_H
#define NNRT_TESTS_EDGE_H

#include "graph_builder.h"
#include "levels.h"

#include <math.h>
#include <stdio.h>

#define EDGE_FN static __attribute__((unused))

enum {
    EDGE_INS = 6,
    EDGE_OUTS = 3,
    EDGE_PARAMS = 4,
    EDGE_REPEATED = 67
};

typedef struct edge_param {
    OH_NN_TensorType type; /* OH_NN_TENSOR: no more of them */
    const char *numbers;
} edge_param;

typedef struct edge {
    OH_NN_OperationType op;
    const char *ins[EDGE_INS], *outs[EDGE_OUTS];
    const char *sentence; /* NULL: it runs; else part of the sentence of Build or of the run */
    edge_param params[EDGE_PARAMS];
} edge;

/* Rows of a table: what runs, with parameters, and what is refused. */
#define EDGE(op, ins, outs)                \
    {                                      \
        OH_NN_OPS_##op, ins, outs, NULL, { \
            { OH_NN_TENSOR, NULL }         \
        }                                  \
    }
#define EDGE_WITH(op, ins, outs, ...)                    \
    {                                                    \
        OH_NN_OPS_##op, ins, outs, NULL, { __VA_ARGS__ } \
    }
#define EDGE_REFUSED(op, ins, outs, sentence, ...)           \
    {                                                        \
        OH_NN_OPS_##op, ins, outs, sentence, { __VA_ARGS__ } \
    }
#define IN(...) \
    { __VA_ARGS__ }
#define OUT(...) \
    { __VA_ARGS__ }

typedef struct edge_tensor {
    OH_NN_DataType dtype;
    bool quantized, constant, pattern, near_enough;
    double scale;
    int32_t zero_point, dims[10];
    size_t rank, count, element, numbers;
    uint8_t *stored; /* `numbers` elements */
    uint8_t *data;   /* exactly count * element bytes */
} edge_tensor;

/* ----------------------------------------------------------------------------------------- reading the texts */

EDGE_FN void edge_store(OH_NN_DataType dtype, const char *token, void *to) {
    const bool is_signed = dtype == OH_NN_INT8 || dtype == OH_NN_INT16 || dtype == OH_NN_INT32 || dtype == OH_NN_INT64;
    const uint64_t bits = is_signed ? (uint64_t)strtoll(token, NULL, 0) : strtoull(token, NULL, 0);
    const uint8_t byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    const float single = strtof(token, NULL);
    const double wide = strtod(token, NULL);
    const size_t size = gb_bytes(dtype, 0, NULL);
    if (dtype == OH_NN_FLOAT32) memcpy(to, &single, size);
    else if (dtype == OH_NN_FLOAT64) memcpy(to, &wide, size);
    else
        memcpy(to,
               size == 1   ? (const void *)&byte
               : size == 2 ? (const void *)&half
               : size == 4 ? (const void *)&word
                           : (const void *)&bits,
               size);
}

/* The numbers of a text after its colon. */
EDGE_FN void edge_read_numbers(edge_tensor *t, const char *text) {
    char copy[2048], *token;
    cr_assert_lt(strlen(text), sizeof copy);
    (void)snprintf(copy, sizeof copy, "%s", text);
    t->stored = (uint8_t *)malloc(strlen(text) / 2 * t->element + t->element);
    cr_assert_not_null(t->stored);
    for (token = strtok(copy, " "); token != NULL; token = strtok(NULL, " "))
        edge_store(t->dtype, token, t->stored + t->numbers++ * t->element);
}

EDGE_FN OH_NN_DataType edge_dtype(const char *text) {
    const size_t length = strcspn(text, "@ :");
    int i;
    for (i = 1; i <= (int)OH_NN_FLOAT64; i++) {
        const char *name = nnrt__dtype_name((OH_NN_DataType)i);
        if (strlen(name) == length && memcmp(name, text, length) == 0) return (OH_NN_DataType)i;
    }
    cr_assert_fail("no data type: %s", text);
    return OH_NN_UNKNOWN;
}

EDGE_FN edge_tensor edge_read(const char *text) {
    const char *colon = strchr(text, ':'), *at = strchr(text, '@'), *open = strchr(text, '[');
    edge_tensor t;
    memset(&t, 0, sizeof t);
    cr_assert_not_null(colon, "%s", text);
    t.constant = *text == '=';
    t.near_enough = *text == '~';
    t.dtype = edge_dtype(text + (t.constant || t.near_enough));
    t.element = gb_bytes(t.dtype, 0, NULL);
    if (at != NULL) {
        char *end;
        t.quantized = true;
        t.scale = strtod(at + 1, &end);
        t.zero_point = (int32_t)strtol(end + 1, NULL, 10);
    }
    t.pattern = open == NULL;
    t.count = 1;
    while (open != NULL && open < colon && *open != ']') {
        char *end;
        if (open[1] == ']') break;
        t.dims[t.rank] = (int32_t)strtol(open + 1, &end, 10);
        t.count *= (size_t)t.dims[t.rank++];
        open = end;
    }
    edge_read_numbers(&t, colon + 1);
    cr_assert(t.pattern || t.numbers == t.count, "%s", text);
    return t;
}

/* Gives a pattern its size, and data that repeat its numbers. */
EDGE_FN void edge_fill(edge_tensor *t, size_t count) {
    size_t i;
    if (t->pattern) {
        t->count = t->numbers == 1 ? 1 : count;
        t->rank = 1;
        t->dims[0] = (int32_t)t->count;
    }
    free(t->data);
    t->data = (uint8_t *)malloc(t->count * t->element);
    cr_assert_not_null(t->data);
    for (i = 0; i < t->count; i++)
        memcpy(t->data + i * t->element, t->stored + i % t->numbers * t->element, t->element);
}

/* ------------------------------------------------------------------------------------------------ comparing */

EDGE_FN bool edge_is_nan(const edge_tensor *t, const uint8_t *at) {
    uint16_t half;
    float single;
    double wide;
    switch (t->dtype) {
    case OH_NN_FLOAT16: memcpy(&half, at, 2); return (half & 0x7fff) > 0x7c00;
    case OH_NN_FLOAT32: memcpy(&single, at, 4); return isnan(single);
    case OH_NN_FLOAT64: memcpy(&wide, at, 8); return isnan(wide);
    default: return false;
    }
}

EDGE_FN bool edge_is_right(const edge_tensor *t, const uint8_t *got, const uint8_t *right) {
    float x, y;
    if (memcmp(got, right, t->element) == 0) return true;
    if (edge_is_nan(t, right)) return edge_is_nan(t, got);
    if (!t->near_enough) return false;
    memcpy(&x, got, sizeof x);
    memcpy(&y, right, sizeof y);
    return fabsf(x - y) <= 2e-6f * fabsf(y);
}

EDGE_FN const char *edge_shown(const edge_tensor *t, const uint8_t *at, char *to, size_t size) {
    uint64_t bits = 0;
    float single;
    double wide;
    memcpy(&bits, at, t->element); /* little endian */
    if (t->dtype == OH_NN_FLOAT32) memcpy(&single, at, 4), (void)snprintf(to, size, "%.9g", (double)single);
    else if (t->dtype == OH_NN_FLOAT64) memcpy(&wide, at, 8), (void)snprintf(to, size, "%.17g", wide);
    else (void)snprintf(to, size, "0x%llx", (unsigned long long)bits);
    return to;
}

/* --------------------------------------------------------------------------------------------------- trying */

EDGE_FN void edge_give_params(gb_graph *g, const edge *e) {
    size_t i;
    for (i = 0; i < EDGE_PARAMS && e->params[i].type != OH_NN_TENSOR; i++) {
        const nnrt__param_row *row = nnrt__op_param(nnrt__op_find((int)e->op), e->params[i].type);
        edge_tensor t;
        memset(&t, 0, sizeof t);
        cr_assert_not_null(row);
        t.dtype = row->dtype;
        t.element = gb_bytes(t.dtype, 0, NULL);
        edge_read_numbers(&t, e->params[i].numbers);
        gb_param_rank(g, e->params[i].type, t.dtype, (int32_t)t.numbers, t.stored,
                      nnrt__param_rank(row) == 0 ? 0u : 1u);
        free(t.stored);
    }
}

EDGE_FN uint32_t edge_declare(gb_graph *g, const edge_tensor *t, bool constant) {
    const uint32_t tensor =
        constant ? gb_constant(g, t->dtype, t->rank, t->dims, t->data) : gb_tensor(g, t->dtype, t->rank, t->dims);
    return t->quantized ? gb_quantize(g, tensor, 1, &t->scale, &t->zero_point) : tensor;
}

/* One model, one run. folded: everything is constant, and the model has an unused input. */
EDGE_FN void edge_run(const edge *e, edge_tensor *ins, size_t in_count, edge_tensor *outs, size_t out_count,
                      const char *level, bool folded) {
    static const int32_t one[1] = {1};
    const char *name = nnrt__op_name((int)e->op);
    uint32_t inputs[EDGE_INS], outputs[EDGE_OUTS];
    float idle = 0;
    gb_io from[EDGE_INS + 1], to[EDGE_OUTS];
    OH_NN_ReturnCode code;
    gb_graph g;
    size_t i, k, given = 0;
    gb_open(&g);
    g.isa = level;
    for (i = 0; i < in_count; i++) {
        const bool constant = folded || ins[i].constant;
        inputs[i] = edge_declare(&g, &ins[i], constant);
        if (constant) continue;
        (void)gb_input(&g, inputs[i]);
        from[given++] = gb_buffer(ins[i].data, ins[i].count * ins[i].element);
    }
    if (given == 0) {
        (void)gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, one));
        from[given++] = gb_buffer(&idle, sizeof idle);
    }
    for (i = 0; i < out_count; i++) {
        outputs[i] = gb_output(&g, edge_declare(&g, &outs[i], false));
        to[i] = gb_buffer(malloc(outs[i].count * outs[i].element), outs[i].count * outs[i].element);
        cr_assert_not_null(to[i].data);
    }
    edge_give_params(&g, e);
    code = gb_op(&g, e->op, (uint32_t)in_count, inputs, (uint32_t)out_count, outputs);
    if (code == OH_NN_SUCCESS) code = gb_build(&g);
    if (code == OH_NN_SUCCESS) code = gb_run_many(&g, from, to);
    if (e->sentence != NULL) {
        cr_assert_neq((int)code, (int)OH_NN_SUCCESS, "%s of %s was not refused", name, e->ins[0]);
        cr_assert_not_null(strstr(nnrt_last_error(), e->sentence), "%s of %s: \"%s\" does not say \"%s\"", name,
                           e->ins[0], nnrt_last_error(), e->sentence);
    } else {
        cr_assert_eq((int)code, (int)OH_NN_SUCCESS, "%s of %s, %s: %s", name, e->ins[0], level, nnrt_last_error());
    }
    for (i = 0; i < out_count; i++) {
        for (k = 0; e->sentence == NULL && k < outs[i].count; k++) {
            const uint8_t *got = (const uint8_t *)to[i].data + k * outs[i].element;
            const uint8_t *right = outs[i].data + k * outs[i].element;
            char a[32], b[32];
            cr_assert(edge_is_right(&outs[i], got, right), "%s of %s, %s%s: element %zu of %zu is %s, not %s", name,
                      e->ins[0], level, folded ? ", folded" : "", k, outs[i].count,
                      edge_shown(&outs[i], got, a, sizeof a), edge_shown(&outs[i], right, b, sizeof b));
        }
        free(to[i].data);
    }
    gb_close(&g);
}

/* Checks everything that a row promises. */
EDGE_FN void edge_try(const edge *e) {
    edge_tensor ins[EDGE_INS], outs[EDGE_OUTS];
    size_t in_count = 0, out_count = 0, longest = 1, i, times, level;
    bool pattern = false;
    while (in_count < EDGE_INS && e->ins[in_count] != NULL) ins[in_count] = edge_read(e->ins[in_count]), in_count++;
    while (out_count < EDGE_OUTS && e->outs[out_count] != NULL)
        outs[out_count] = edge_read(e->outs[out_count]), out_count++;
    for (i = 0; i < in_count; i++)
        if (ins[i].pattern && ins[i].numbers > longest) longest = ins[i].numbers;
    for (i = 0; i < out_count; i++) pattern = pattern || outs[i].pattern;
    for (times = 0; times < (pattern ? 2u : 1u); times++) {
        for (i = 0; i < in_count; i++) edge_fill(&ins[i], times == 0 ? longest : EDGE_REPEATED);
        for (i = 0; i < out_count; i++) edge_fill(&outs[i], times == 0 ? longest : EDGE_REPEATED);
        for (level = 0; level < NNRT__TARGET_COUNT; level++) {
            if ((nnrt__targets[level].isa & ~levels_here()) != 0) continue;
            edge_run(e, ins, in_count, outs, out_count, nnrt__targets[level].name, false);
            if (e->sentence == NULL) edge_run(e, ins, in_count, outs, out_count, nnrt__targets[level].name, true);
        }
    }
    for (i = 0; i < in_count; i++) free(ins[i].stored), free(ins[i].data);
    for (i = 0; i < out_count; i++) free(outs[i].stored), free(outs[i].data);
}

#define EDGE_TRY(rows)                                                                                 \
    do {                                                                                               \
        size_t at_row;                                                                                 \
        for (at_row = 0; at_row < sizeof(rows) / sizeof(rows)[0]; at_row++) edge_try(&(rows)[at_row]); \
    } while (0)

#endif /* NNRT_TESTS_EDGE_H */
