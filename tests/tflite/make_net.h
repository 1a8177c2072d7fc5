/* SPDX-License-Identifier: Apache-2.0 */
/* make_net.h - .tflite files of several operators, for tests. Include it after run_tflite.h. */
#ifndef NNRT_TESTS_MAKE_NET_H
#define NNRT_TESTS_MAKE_NET_H

#include "make_tflite.h"

enum {
    NET_TENSORS = 64,
    NET_OPERATORS = 32,
    NET_ENDS = 8
};

typedef struct net_operator {
    int code, options_type; /* 0: it has none */
    int64_t options[6];
    uint32_t option_count, input_count, output_count;
    int32_t inputs[NET_ENDS], outputs[NET_ENDS];
} net_operator;

/* Operators in the order in which they run; tensors by their numbers. */
typedef struct net {
    tensor_spec tensors[NET_TENSORS];
    net_operator operators[NET_OPERATORS];
    int32_t inputs[NET_ENDS], outputs[NET_ENDS];
    uint32_t tensor_count, operator_count, input_count, output_count;
} net;

MAKE_FN int32_t net_tensor(net *n, tensor_spec t) {
    cr_assert(n->tensor_count < NET_TENSORS);
    n->tensors[n->tensor_count] = t;
    return (int32_t)n->tensor_count++;
}

MAKE_FN int32_t net_input(net *n, tensor_spec t) {
    cr_assert(n->input_count < NET_ENDS);
    return n->inputs[n->input_count++] = net_tensor(n, t);
}

/* A constant of count elements of 4 bytes (BOOL: of 1), a scalar with count 0; data has to live as long as n. */
MAKE_FN int32_t net_constant(net *n, int type, int32_t count, const void *data) {
    tensor_spec t = count != 0 ? list(type, count) : tensor(type, 0, &count);
    t.data = data;
    t.data_size = (uint32_t)((count != 0 ? count : 1) * (type == BOOL ? 1 : 4));
    return net_tensor(n, t);
}

MAKE_FN void net_output(net *n, int32_t at) {
    cr_assert(n->output_count < NET_ENDS);
    n->outputs[n->output_count++] = at;
}

/* An operator that reads a, and b and c unless they are -1, and writes a new tensor, which is the result. */
MAKE_FN int32_t net_add(net *n, int code, int32_t a, int32_t b, int32_t c, tensor_spec out) {
    net_operator *o = &n->operators[n->operator_count++];
    cr_assert(n->operator_count <= NET_OPERATORS);
    memset(o, 0, sizeof *o);
    o->code = code;
    o->inputs[o->input_count++] = a;
    if (b != -1) o->inputs[o->input_count++] = b;
    if (c != -1) o->inputs[o->input_count++] = c;
    return o->outputs[o->output_count++] = net_tensor(n, out);
}

/* Options of the operator that was added last. */
MAKE_FN void net_options(net *n, int type, uint32_t count, const int64_t *fields) {
    net_operator *o = &n->operators[n->operator_count - 1];
    o->options_type = type;
    o->option_count = count;
    memcpy(o->options, fields, count * sizeof fields[0]);
}

/* One more input of the operator that was added last. */
MAKE_FN void net_also(net *n, int32_t input) {
    net_operator *o = &n->operators[n->operator_count - 1];
    cr_assert(o->input_count < NET_ENDS);
    o->inputs[o->input_count++] = input;
}

MAKE_FN void put_net_tensor(maker *m, size_t at, const tensor_spec *t, int64_t buffer) {
    const int64_t fields[8] = {
        0, t->type, buffer, NO, t->scale > 0 ? 0 : NO, t->variable ? 1 : NO, NO, t->signature != NULL ? 0 : NO};
    const size_t table = put_table(m, fields, 8);
    point(m, at, table);
    (void)put_vector(m, field(table, 0), t->dims, t->rank, 4);
    if (t->signature != NULL)
        (void)put_vector(m, field(table, 7), t->signature, t->signature_rank != 0 ? t->signature_rank : t->rank, 4);
    if (t->scale > 0) put_quant(m, table, t);
}

MAKE_FN void put_net_operator(maker *m, size_t at, const net_operator *o, int64_t code) {
    const int64_t fields[5] = {code, 0, 0, o->options_type, o->options_type != 0 ? 0 : NO};
    const size_t table = put_table(m, fields, 5);
    point(m, at, table);
    (void)put_vector(m, field(table, 1), o->inputs, o->input_count, 4);
    (void)put_vector(m, field(table, 2), o->outputs, o->output_count, 4);
    if (o->options_type != 0) point(m, field(table, 4), put_table(m, o->options, o->option_count));
}

MAKE_FN bytes make_net(const net *n) {
    static maker m;
    const int64_t model[5] = {3, 0, 0, NO, 0}, graph[4] = {0, 0, 0, 0};
    size_t root, at, spot;
    uint32_t i;
    bytes b;
    memset(&m, 0, sizeof m);
    put(&m, 0, 4);
    put(&m, 0x334c4654, 4); /* "TFL3" */
    root = put_table(&m, model, 5);
    point(&m, 0, root);
    at = put_vector(&m, field(root, 1), NULL, n->operator_count, 4);
    for (i = 0; i < n->operator_count; i++) point(&m, at + 4 * i, put_code(&m, n->operators[i].code, NULL));
    at = put_vector(&m, field(root, 4), NULL, n->tensor_count, 4);
    for (i = 0; i < n->tensor_count; i++) {
        const int64_t fields[1] = {n->tensors[i].data != NULL ? 0 : NO};
        spot = put_table(&m, fields, 1);
        point(&m, at + 4 * i, spot);
        if (n->tensors[i].data != NULL)
            (void)put_vector(&m, field(spot, 0), n->tensors[i].data, n->tensors[i].data_size, 1);
    }
    at = put_vector(&m, field(root, 2), NULL, 1, 4);
    spot = put_table(&m, graph, 4);
    point(&m, at, spot);
    at = put_vector(&m, field(spot, 0), NULL, n->tensor_count, 4);
    for (i = 0; i < n->tensor_count; i++) put_net_tensor(&m, at + 4 * i, &n->tensors[i], i);
    (void)put_vector(&m, field(spot, 1), n->inputs, n->input_count, 4);
    (void)put_vector(&m, field(spot, 2), n->outputs, n->output_count, 4);
    at = put_vector(&m, field(spot, 3), NULL, n->operator_count, 4);
    for (i = 0; i < n->operator_count; i++) put_net_operator(&m, at + 4 * i, &n->operators[i], i);
    b.size = m.used;
    b.at = (uint8_t *)malloc(b.size);
    cr_assert_not_null(b.at);
    memcpy(b.at, m.at, b.size);
    return b;
}

#endif /* NNRT_TESTS_MAKE_NET_H */
