/* SPDX-License-Identifier: Apache-2.0 */
/* test_tflite_variables.c - variables that have a name, in .tflite files of several operators and two subgraphs: what a
   run assigns the next one reads, and what CALL_ONCE gives the first one reads. */
#include "linked.h"

#include "offline_runner.h"

#include "make_tflite.h"

enum {
    ADD = 0,
    CALL_ONCE = 129,
    VAR_HANDLE = 142,
    READ_VARIABLE = 143,
    ASSIGN_VARIABLE = 144
};
enum {
    FLOAT32 = 0,
    INT32 = 2,
    RESOURCE = 13
};
enum {
    MOST_OPS = 8,
    MOST_OF_A_GRAPH = 10
};

/* A tensor of four; first: its contents, NULL: none. */
typedef struct value {
    int type;
    const float *first;
} value;

typedef struct op_spec {
    int code;
    const char *name; /* of VAR_HANDLE */
    int32_t number;   /* of CALL_ONCE */
    int32_t in[2], out;
    uint32_t in_count, out_count;
} op_spec;

typedef struct graph_spec {
    value values[MOST_OF_A_GRAPH];
    uint32_t value_count;
    op_spec ops[MOST_OPS];
    uint32_t op_count;
    int32_t inputs[2], outputs[3];
    uint32_t input_count, output_count;
} graph_spec;

static op_spec call_once(int32_t graph) {
    const op_spec op = {CALL_ONCE, NULL, graph, {0, 0}, 0, 0, 0};
    return op;
}
static op_spec var_handle(const char *name, int32_t out) {
    const op_spec op = {VAR_HANDLE, name, 0, {0, 0}, out, 0, 1};
    return op;
}
static op_spec read_variable(int32_t handle, int32_t out) {
    const op_spec op = {READ_VARIABLE, NULL, 0, {handle, 0}, out, 1, 1};
    return op;
}
static op_spec assign_variable(int32_t handle, int32_t from) {
    const op_spec op = {ASSIGN_VARIABLE, NULL, 0, {handle, from}, 0, 2, 0};
    return op;
}
static op_spec add(int32_t a, int32_t b, int32_t out) {
    const op_spec op = {ADD, NULL, 0, {a, b}, out, 2, 1};
    return op;
}

static void put_op(maker *m, size_t at, const op_spec *op, int64_t code_index) {
    static const int types[5][2] = {
        {ADD, 0}, {CALL_ONCE, 103}, {VAR_HANDLE, 111}, {READ_VARIABLE, 112}, {ASSIGN_VARIABLE, 113}};
    int64_t type = 0;
    size_t table, options, i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++)
        if (types[i][0] == op->code) type = types[i][1];
    {
        const int64_t fields[5] = {code_index, 0, 0, type, type != 0 ? 0 : NO};
        table = put_table(m, fields, 5);
    }
    point(m, at, table);
    (void)put_vector(m, field(table, 1), op->in, op->in_count, 4);
    (void)put_vector(m, field(table, 2), &op->out, op->out_count, 4);
    if (type != 0) {
        const int64_t fields[2] = {op->code == CALL_ONCE ? op->number : NO, op->name != NULL ? 0 : NO};
        options = put_table(m, fields, 2);
        point(m, field(table, 4), options);
        if (op->name != NULL) {
            (void)put_vector(m, field(options, 1), op->name, strlen(op->name), 1);
            put(m, 0, 1);
        }
    }
}

/* Buffer 0 is empty, buffer i + 1 is that of constant i of the file. */
static bytes make_graphs(const graph_spec *graphs, uint32_t count) {
    static maker m;
    static const int32_t four = 4;
    const int64_t model[5] = {3, 0, 0, NO, 0}, parts[4] = {0, 0, 0, 0};
    const float *constants[2 * MOST_OF_A_GRAPH];
    uint32_t constant_count = 0, code = 0, code_count = 0, g, i;
    size_t top, codes, list, buffers;
    bytes b;
    memset(&m, 0, sizeof m);
    put(&m, 0, 4);
    put(&m, 0x334c4654, 4); /* "TFL3" */
    aim(&m, 0);
    m.at[0] = (uint8_t)(m.used + 4 + 2 * 5);
    top = put_table(&m, model, 5);
    for (g = 0; g < count; g++) code_count += graphs[g].op_count;
    codes = put_vector(&m, field(top, 1), NULL, code_count, 4);
    list = put_vector(&m, field(top, 2), NULL, count, 4);
    for (g = 0; g < count; g++) {
        const graph_spec *s = &graphs[g];
        const size_t graph = put_table(&m, parts, 4);
        size_t at;
        point(&m, list + 4 * g, graph);
        at = put_vector(&m, field(graph, 0), NULL, s->value_count, 4);
        for (i = 0; i < s->value_count; i++) {
            const int64_t fields[3] = {0, s->values[i].type, s->values[i].first != NULL ? constant_count + 1 : 0};
            const size_t tensor = put_table(&m, fields, 3);
            point(&m, at + 4 * i, tensor);
            (void)put_vector(&m, field(tensor, 0), &four, s->values[i].type == RESOURCE ? 0 : 1, 4);
            if (s->values[i].first != NULL) constants[constant_count++] = s->values[i].first;
        }
        (void)put_vector(&m, field(graph, 1), s->inputs, s->input_count, 4);
        (void)put_vector(&m, field(graph, 2), s->outputs, s->output_count, 4);
        at = put_vector(&m, field(graph, 3), NULL, s->op_count, 4);
        for (i = 0; i < s->op_count; i++, code++) {
            point(&m, codes + 4 * code, put_code(&m, s->ops[i].code, NULL));
            put_op(&m, at + 4 * i, &s->ops[i], (int64_t)code);
        }
    }
    buffers = put_vector(&m, field(top, 4), NULL, constant_count + 1, 4);
    for (i = 0; i <= constant_count; i++) {
        const int64_t fields[1] = {i != 0 ? 0 : NO};
        const size_t buffer = put_table(&m, fields, 1);
        point(&m, buffers + 4 * i, buffer);
        if (i != 0) (void)put_vector(&m, field(buffer, 0), constants[i - 1], 16, 1);
    }
    b.size = m.used;
    b.at = (uint8_t *)malloc(b.size);
    memcpy(b.at, m.at, b.size);
    return b;
}

/* An executor of the file, kept between runs. */
typedef struct model {
    bytes file;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
} model;

static model open_model(const graph_spec *graphs, uint32_t count) {
    static const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    model m;
    m.file = make_graphs(graphs, count);
    m.compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(m.file.at, m.file.size);
    cr_assert_eq((int)off_build(m.compilation, &settings), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    m.executor = OH_NNExecutor_Construct(m.compilation);
    cr_assert_not_null(m.executor, "%s", nnrt_last_error());
    return m;
}

static void close_model(model *m) {
    OH_NNExecutor_Destroy(&m->executor);
    OH_NNCompilation_Destroy(&m->compilation);
    free(m->file.at);
}

/* One run on an input of four times x; of output i the four are want[i], and each step more than the one before. */
static void run(const model *m, float x, size_t count, const float *want, float step) {
    NN_Tensor *in = off_tensor(OH_NNExecutor_CreateInputTensorDesc(m->executor, 0), 16), *out[3];
    float *data = (float *)OH_NNTensor_GetDataBuffer(in);
    size_t i, k;
    for (k = 0; k < 4; k++) data[k] = x;
    for (i = 0; i < count; i++) out[i] = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(m->executor, i), 16);
    cr_assert_eq((int)OH_NNExecutor_RunSync(m->executor, &in, 1, out, count), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (i = 0; i < count; i++)
        for (k = 0; k < 4; k++) {
            const float got = ((const float *)OH_NNTensor_GetDataBuffer(out[i]))[k];
            cr_assert_eq(got, want[i] + step * (float)k, "output %zu, element %zu: %g", i, k, (double)got);
        }
    (void)OH_NNTensor_Destroy(&in);
    for (i = 0; i < count; i++) (void)OH_NNTensor_Destroy(&out[i]);
}

static void value_of(graph_spec *s, int type, const float *first) {
    s->values[s->value_count].type = type;
    s->values[s->value_count++].first = first;
}

/* Tensor 0 is the input, 1 a handle, 2 what is read from it, 3 the sum of both, which is the output. */
static graph_spec sum_with_variable(void) {
    graph_spec s;
    memset(&s, 0, sizeof s);
    value_of(&s, FLOAT32, NULL);
    value_of(&s, RESOURCE, NULL);
    value_of(&s, FLOAT32, NULL);
    value_of(&s, FLOAT32, NULL);
    s.input_count = s.output_count = 1;
    s.outputs[0] = 3;
    s.ops[0] = var_handle("sum", 1);
    s.ops[1] = read_variable(1, 2);
    s.ops[2] = add(0, 2, 3);
    s.ops[3] = assign_variable(1, 3);
    s.op_count = 4;
    return s;
}

/* The subgraph that gives `name` these contents. */
static graph_spec first_contents(const char *name, const float *first) {
    graph_spec s;
    memset(&s, 0, sizeof s);
    value_of(&s, RESOURCE, NULL);
    value_of(&s, FLOAT32, first);
    s.ops[0] = var_handle(name, 0);
    s.ops[1] = assign_variable(0, 1);
    s.op_count = 2;
    return s;
}

static void insert(graph_spec *s, uint32_t at, op_spec op) {
    memmove(&s->ops[at + 1], &s->ops[at], (s->op_count - at) * sizeof op);
    s->ops[at] = op;
    s->op_count++;
}

static const float begin[4] = {10, 20, 30, 40};

Test(tflite_variables, what_a_run_assigns_the_next_one_reads_and_the_first_one_reads_zeros) {
    const graph_spec s = sum_with_variable();
    const float want[3] = {1, 3, 6};
    model m = open_model(&s, 1);
    run(&m, 1, 1, &want[0], 0);
    run(&m, 2, 1, &want[1], 0);
    run(&m, 3, 1, &want[2], 0);
    cr_assert_eq((int)nnrt_executor_reset(m.executor), (int)OH_NN_SUCCESS);
    run(&m, 1, 1, &want[0], 0);
    close_model(&m);
}

Test(tflite_variables, call_once_gives_what_the_first_run_reads_also_after_a_reset) {
    graph_spec s[2];
    const float want[2] = {11, 12};
    model m;
    s[0] = sum_with_variable();
    s[1] = first_contents("sum", begin);
    insert(&s[0], 0, call_once(1));
    m = open_model(s, 2);
    run(&m, 1, 1, &want[0], 10);
    run(&m, 1, 1, &want[1], 10);
    cr_assert_eq((int)nnrt_executor_reset(m.executor), (int)OH_NN_SUCCESS);
    run(&m, 1, 1, &want[0], 10);
    close_model(&m);
}

Test(tflite_variables, two_executors_share_none) {
    const graph_spec s = sum_with_variable();
    const float want[2] = {1, 2};
    model m = open_model(&s, 1), other = open_model(&s, 1);
    run(&m, 1, 1, &want[0], 0);
    run(&m, 1, 1, &want[1], 0);
    run(&other, 1, 1, &want[0], 0);
    close_model(&m);
    close_model(&other);
}

/* Outputs: what the run before left, twice, read by another handle the second time; and the input, by way of it. */
Test(tflite_variables, the_order_of_reading_and_assigning_is_kept) {
    graph_spec s = sum_with_variable();
    const float want[2][3] = {{0, 0, 5}, {5, 5, 7}};
    model m;
    value_of(&s, RESOURCE, NULL);
    value_of(&s, FLOAT32, NULL);
    s.ops[2] = var_handle("sum", 4);
    s.ops[3] = read_variable(4, 5);
    s.ops[4] = assign_variable(4, 0);
    s.ops[5] = read_variable(1, 3);
    s.op_count = 6;
    s.output_count = 3;
    s.outputs[0] = 2;
    s.outputs[1] = 5;
    s.outputs[2] = 3;
    m = open_model(&s, 1);
    run(&m, 5, 3, want[0], 0);
    run(&m, 7, 3, want[1], 0);
    close_model(&m);
}

/* Two variables that change places, and one that nobody assigns; the sum is of the two. */
Test(tflite_variables, variables_may_hold_one_value_or_that_of_each_other) {
    static const float one[4] = {1, 1, 1, 1};
    graph_spec s[3];
    const float want[2] = {1, 2};
    uint32_t way;
    for (way = 0; way < 2; way++) {
        model m;
        s[0] = sum_with_variable();
        value_of(&s[0], RESOURCE, NULL);
        value_of(&s[0], FLOAT32, NULL);
        s[0].ops[0] = call_once(1);
        s[0].ops[1] = var_handle("a", 1);
        s[0].ops[2] = var_handle("b", 4);
        s[0].ops[3] = read_variable(1, 2);
        s[0].ops[4] = read_variable(4, 5);
        s[0].ops[5] = assign_variable(1, way == 0 ? 5 : 0);
        s[0].ops[6] = assign_variable(4, way == 0 ? 2 : 0);
        s[0].ops[7] = add(2, 5, 3);
        s[0].op_count = 8;
        s[1] = first_contents("a", one);
        m = open_model(s, 2);
        run(&m, 1, 1, &want[0], 0);
        run(&m, 1, 1, &want[way == 0 ? 0 : 1], 0);
        run(&m, 1, 1, &want[way == 0 ? 0 : 1], 0);
        close_model(&m);
    }
}

static void refused(const graph_spec *graphs, uint32_t count, const char *word) {
    const bytes file = make_graphs(graphs, count);
    nnrt__graph_store *store = NULL;
    const OH_NN_ReturnCode code = nnrt__tflite_read(file.at, file.size, &store);
    cr_assert(code == OH_NN_INVALID_FILE || code == OH_NN_UNSUPPORTED, "%d: %s", (int)code, nnrt_last_error());
    cr_assert(strstr(nnrt_last_error(), word) != NULL, "no \"%s\" in \"%s\"", word, nnrt_last_error());
    cr_assert_null(store);
    free(file.at);
}

Test(tflite_variables, what_is_no_variable_and_what_cannot_begin_so_is_refused) {
    graph_spec s[2];
    s[0] = sum_with_variable();
    s[0].ops[1].in[0] = 0;
    refused(s, 1, "READ_VARIABLE: input 0, tensor 0, is no variable");
    s[0] = sum_with_variable();
    s[0].ops[0].out = 2;
    refused(s, 1, "VAR_HANDLE: its output is no handle");
    s[0] = sum_with_variable();
    s[0].ops[2].in[1] = 1;
    refused(s, 1, "ADD: input 1, tensor 1, is the handle of a variable");
    s[0] = sum_with_variable();
    s[0].ops[2].out = 1;
    refused(s, 1, "is the handle of a variable already");
    s[0] = sum_with_variable();
    s[0].ops[3].in[1] = 1;
    refused(s, 1, "a handle of a variable is assigned");
    s[0] = sum_with_variable();
    s[0].inputs[1] = 1;
    s[0].input_count = 2;
    refused(s, 1, "model input 1, tensor 1, is the handle of a variable");
    s[0] = sum_with_variable();
    s[0].outputs[0] = 1;
    refused(s, 1, "a handle of one");
    s[0] = sum_with_variable();
    s[0].values[2].type = INT32;
    s[0].ops[2].in[1] = 0;
    refused(s, 1, "cannot be one state");
}

Test(tflite_variables, a_call_that_does_more_than_give_constants_is_refused) {
    graph_spec s[2], good[2];
    good[0] = sum_with_variable();
    good[1] = first_contents("sum", begin);
    insert(&good[0], 0, call_once(1));
    memcpy(s, good, sizeof s);
    s[0].ops[0].number = 0;
    refused(s, 2, "its subgraph does not exist, or is the model");
    s[0].ops[0].number = 2;
    refused(s, 2, "its subgraph does not exist, or is the model");
    s[0].ops[0].number = -1;
    refused(s, 2, "its subgraph does not exist, or is the model");
    memcpy(s, good, sizeof s);
    s[1].ops[1] = add(1, 1, 1);
    refused(s, 2, "CALL_ONCE, runs ADD");
    memcpy(s, good, sizeof s);
    s[1].values[1].first = NULL;
    refused(s, 2, "does not begin with a constant");
    memcpy(s, good, sizeof s);
    s[1].ops[1].in[1] = 7;
    refused(s, 2, "a tensor does not exist");
    memcpy(s, good, sizeof s);
    s[1].values[1].type = INT32;
    refused(s, 2, "begins with another data type or size");
    memcpy(s, good, sizeof s);
    s[0] = sum_with_variable();
    insert(&s[0], 2, call_once(1));
    refused(s, 2, "a call behind operators that use variables");
}

Test(tflite_variables, a_file_cut_anywhere_is_refused_and_nothing_is_kept) {
    graph_spec s[2];
    bytes file;
    size_t n;
    s[0] = sum_with_variable();
    s[1] = first_contents("sum", begin);
    insert(&s[0], 0, call_once(1));
    file = make_graphs(s, 2);
    for (n = 0; n < file.size; n++) {
        uint8_t *cut = (uint8_t *)malloc(n + 1);
        nnrt__graph_store *store = NULL;
        memcpy(cut + 1, file.at, n);
        if (nnrt__tflite_read(cut + 1, n, &store) != OH_NN_SUCCESS) cr_assert_null(store);
        nnrt__graph_store_release(store);
        cr_assert_eq(counting_live(), 0);
        free(cut);
    }
    free(file.at);
}
