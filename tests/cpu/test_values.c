/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that axes, shapes and counts may come with the run, in any type that holds whole numbers: results are those
   of the definition, outputs get their shapes from the run, values that were met before cost nothing, and those that
   cannot be are refused with the operator and the value, after which the executor is what it was. */
#include "linked.h"

#define SEED 0x76616c75u
#include "one_operator.h"

#define OK(call) cr_assert_eq((int)(call), (int)OH_NN_SUCCESS, "%s", nnrt_last_error())

/* ------------------------------------------------------------------------------------------ lists as tensors */

static const OH_NN_DataType list_types[] = {OH_NN_INT32, OH_NN_INT64,  OH_NN_FLOAT32, OH_NN_INT8,
                                            OH_NN_INT16, OH_NN_UINT32, OH_NN_FLOAT64};

/* values as elements of dtype, into exactly their bytes. */
static void put_list(OH_NN_DataType dtype, size_t count, const int64_t *values, void *to) {
    size_t i;
    for (i = 0; i < count; i++) {
        uint8_t *at = (uint8_t *)to + i * gb_bytes(dtype, 0, NULL);
        const int8_t byte = (int8_t)values[i];
        const int16_t half = (int16_t)values[i];
        const int32_t word = (int32_t)values[i];
        const float real = (float)values[i];
        const double wide = (double)values[i];
        if (dtype == OH_NN_INT8) memcpy(at, &byte, 1);
        if (dtype == OH_NN_INT16) memcpy(at, &half, 2);
        if (dtype == OH_NN_INT32 || dtype == OH_NN_UINT32) memcpy(at, &word, 4);
        if (dtype == OH_NN_INT64) memcpy(at, &values[i], 8);
        if (dtype == OH_NN_FLOAT32) memcpy(at, &real, 4);
        if (dtype == OH_NN_FLOAT64) memcpy(at, &wide, 8);
    }
}

/* The shape of output 0 after a run. */
static void shape_is(const gb_graph *g, size_t rank, const int32_t *dims, const char *what) {
    int32_t *is = NULL;
    uint32_t length = 0, i;
    OK(OH_NNExecutor_GetOutputShape(g->executor, 0, &is, &length));
    cr_assert_eq((size_t)length, rank, "%s: %u dimensions", what, (unsigned)length);
    for (i = 0; i < length; i++) cr_assert_eq(is[i], dims[i], "%s: dimension %u is %d", what, (unsigned)i, (int)is[i]);
}

/* ---------------------------------------------------------------------- what every operator gives, by definition */

/* A model of one operator over x, float32 with elements 0, 1, 2 ..., and a list that comes with the run; the rank of
   the result is known, nothing else. */
typedef struct a_case {
    const char *name;
    OH_NN_OperationType op;
    uint32_t operands[4]; /* what goes into it: X, LIST, ONE (a constant element, 7), ZEROS (a constant list) */
    void (*params)(gb_graph *g);
    size_t rank;
    int32_t dims[4]; /* of x */
    int32_t listed;  /* elements of the list; -1: the list is a scalar */
    struct {
        int64_t list[4];
        size_t rank; /* of the result; 0 ends the runs */
        int32_t dims[4];
        float values[24];
    } runs[4];
} a_case;

enum {
    END,
    X,
    LIST,
    ONE,
    ZEROS,
    INDICES
};

static void keep_sum(gb_graph *g) { gb_param_bool(g, OH_NN_REDUCE_SUM_KEEP_DIMS, true); }
static void last_axis(gb_graph *g) { gb_param_i64(g, OH_NN_TOP_K_AXIS, -1); }
static void five(gb_graph *g) { gb_param_f32(g, OH_NN_CONSTANT_OF_SHAPE_VALUE, 5.0f); }
static void from_one(gb_graph *g) {
    const int64_t offsets[2] = {0, 1};
    gb_param_i64(g, OH_NN_CROP_AXIS, 0);
    gb_param_i64s(g, OH_NN_CROP_OFFSET, 2, offsets);
}

static const a_case cases[] = {
    {"REDUCE_SUM",
     OH_NN_OPS_REDUCE_SUM,
     {X, LIST},
     NULL,
     2,
     {2, 3},
     1,
     {{{0}, 1, {3}, {3, 5, 7}}, {{1}, 1, {2}, {3, 12}}, {{-1}, 1, {2}, {3, 12}}, {{-2}, 1, {3}, {3, 5, 7}}}},
    {"REDUCE_SUM that keeps axes, a scalar as axis",
     OH_NN_OPS_REDUCE_SUM,
     {X, LIST},
     keep_sum,
     2,
     {2, 3},
     -1,
     {{{0}, 2, {1, 3}, {3, 5, 7}}, {{1}, 2, {2, 1}, {3, 12}}, {{0}, 2, {1, 3}, {3, 5, 7}}}},
    {"REDUCE_MAX of two axes",
     OH_NN_OPS_REDUCE_MAX,
     {X, LIST},
     NULL,
     3,
     {2, 2, 2},
     2,
     {{{0, 1}, 1, {2}, {6, 7}}, {{2, 0}, 1, {2}, {5, 7}}, {{1, -1}, 1, {2}, {3, 7}}}},
    {"TOP_K",
     OH_NN_OPS_TOP_K,
     {X, LIST},
     last_axis,
     2,
     {2, 3},
     -1,
     {{{1}, 2, {2, 1}, {2, 5}}, {{3}, 2, {2, 3}, {2, 1, 0, 5, 4, 3}}, {{2}, 2, {2, 2}, {2, 1, 5, 4}}}},
    {"RESHAPE",
     OH_NN_OPS_RESHAPE,
     {X, LIST},
     NULL,
     2,
     {2, 3},
     2,
     {{{3, 2}, 2, {3, 2}, {0, 1, 2, 3, 4, 5}},
      {{-1, 1}, 2, {6, 1}, {0, 1, 2, 3, 4, 5}},
      {{0, -1}, 2, {2, 3}, {0, 1, 2, 3, 4, 5}},
      {{1, 6}, 2, {1, 6}, {0, 1, 2, 3, 4, 5}}}},
    {"EXPAND_DIMS",
     OH_NN_OPS_EXPAND_DIMS,
     {X, LIST},
     NULL,
     1,
     {3},
     1,
     {{{0}, 2, {1, 3}, {0, 1, 2}}, {{1}, 2, {3, 1}, {0, 1, 2}}, {{-2}, 2, {1, 3}, {0, 1, 2}}}},
    {"TRANSPOSE",
     OH_NN_OPS_TRANSPOSE,
     {X, LIST},
     NULL,
     2,
     {2, 3},
     2,
     {{{1, 0}, 2, {3, 2}, {0, 3, 1, 4, 2, 5}}, {{0, 1}, 2, {2, 3}, {0, 1, 2, 3, 4, 5}}}},
    {"TILE",
     OH_NN_OPS_TILE,
     {X, LIST},
     NULL,
     1,
     {2},
     1,
     {{{2}, 1, {4}, {0, 1, 0, 1}}, {{1}, 1, {2}, {0, 1}}, {{3}, 1, {6}, {0, 1, 0, 1, 0, 1}}}},
    {"PAD",
     OH_NN_OPS_PAD,
     {X, LIST},
     NULL,
     1,
     {2},
     2,
     {{{1, 0}, 1, {3}, {0, 0, 1}}, {{0, 2}, 1, {4}, {0, 1, 0, 0}}, {{0, 0}, 1, {2}, {0, 1}}}},
    {"SLICE from zeros",
     OH_NN_OPS_SLICE,
     {X, ZEROS, LIST},
     NULL,
     2,
     {2, 3},
     2,
     {{{1, 2}, 2, {1, 2}, {0, 1}}, {{2, 1}, 2, {2, 1}, {0, 3}}, {{-1, -1}, 2, {2, 3}, {0, 1, 2, 3, 4, 5}}}},
    {"CROP",
     OH_NN_OPS_CROP,
     {X, LIST},
     from_one,
     2,
     {2, 3},
     2,
     {{{1, 2}, 2, {1, 2}, {1, 2}}, {{2, 1}, 2, {2, 1}, {1, 4}}}},
    {"GATHER",
     OH_NN_OPS_GATHER,
     {X, INDICES, LIST},
     NULL,
     2,
     {2, 2},
     1,
     {{{0}, 2, {3, 2}, {2, 3, 0, 1, 2, 3}},
      {{1}, 2, {2, 3}, {1, 0, 1, 3, 2, 3}},
      {{-2}, 2, {3, 2}, {2, 3, 0, 1, 2, 3}}}},
    {"FILL",
     OH_NN_OPS_FILL,
     {ONE, LIST},
     NULL,
     1,
     {1},
     2,
     {{{2, 3}, 2, {2, 3}, {7, 7, 7, 7, 7, 7}}, {{1, 1}, 2, {1, 1}, {7}}, {{4, 1}, 2, {4, 1}, {7, 7, 7, 7}}}},
    {"CONSTANT_OF_SHAPE",
     OH_NN_OPS_CONSTANT_OF_SHAPE,
     {LIST},
     five,
     1,
     {1},
     2,
     {{{2, 2}, 2, {2, 2}, {5, 5, 5, 5}}, {{1, 3}, 2, {1, 3}, {5, 5, 5}}}}};

/* The model of a case. *x_at: the number of x among the inputs, or 2; the list is the other one. */
static void open_case(gb_graph *g, const a_case *c, OH_NN_DataType list_type, size_t *x_at, size_t *list_at) {
    static const int32_t zeros[2] = {0, 0}, ones[3] = {1, 0, 1}, unknown[4] = {-1, -1, -1, -1}, one = 1;
    static const float seven = 7.0f;
    uint32_t in[4], out[2], count = 0, outputs = 1;
    gb_open(g);
    *x_at = 2;
    for (; c->operands[count] != END && count < 4; count++) {
        switch (c->operands[count]) {
        case X:
            *x_at = g->input_count;
            in[count] = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, c->rank, c->dims));
            break;
        case LIST:
            *list_at = g->input_count;
            in[count] = gb_input(g, gb_tensor(g, list_type, c->listed < 0 ? 0 : 1, &c->listed));
            break;
        case ONE: in[count] = gb_constant(g, OH_NN_FLOAT32, 1, &one, &seven); break;
        case ZEROS: in[count] = gb_ints(g, 2, zeros); break;
        default: in[count] = gb_ints(g, 3, ones); break;
        }
    }
    out[0] = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, c->runs[0].rank, unknown));
    if (c->op == OH_NN_OPS_TOP_K) {
        out[1] = gb_output(g, gb_tensor(g, OH_NN_INT32, c->runs[0].rank, unknown));
        outputs = 2;
    }
    if (c->params != NULL) c->params(g);
    OK(gb_op(g, c->op, count, in, outputs, out));
}

/* A run whose outputs may get any shape of their rank that fits into the buffers. */
static OH_NN_ReturnCode run_any(gb_graph *g, const gb_io *inputs, const gb_io *outputs) {
    static const int32_t unknown[4] = {-1, -1, -1, -1};
    NN_Tensor *in[2], *out[2];
    OH_NN_ReturnCode code;
    size_t i;
    for (i = 0; i < g->input_count + g->output_count; i++) {
        const bool input = i < g->input_count;
        const size_t at = input ? i : i - g->input_count;
        const gb_io *io = input ? &inputs[at] : &outputs[at];
        NN_TensorDesc *desc = input ? OH_NNExecutor_CreateInputTensorDesc(g->executor, at)
                                    : OH_NNExecutor_CreateOutputTensorDesc(g->executor, at);
        int32_t *dims = NULL;
        size_t rank = 0;
        OK(OH_NNTensorDesc_GetShape(desc, &dims, &rank));
        if (!input) OK(OH_NNTensorDesc_SetShape(desc, unknown, rank));
        *(input ? &in[at] : &out[at]) = OH_NNTensor_CreateWithSize(gb_device(), desc, io->size);
        OK(OH_NNTensorDesc_Destroy(&desc));
        cr_assert_not_null(input ? in[at] : out[at], "%s", nnrt_last_error());
        if (input) memcpy(OH_NNTensor_GetDataBuffer(in[at]), io->data, io->size);
    }
    code = OH_NNExecutor_RunSync(g->executor, in, g->input_count, out, g->output_count);
    for (i = 0; i < g->input_count; i++) OK(OH_NNTensor_Destroy(&in[i]));
    for (i = 0; i < g->output_count; i++) {
        memcpy(outputs[i].data, OH_NNTensor_GetDataBuffer(out[i]), outputs[i].size);
        OK(OH_NNTensor_Destroy(&out[i]));
    }
    return code;
}

static OH_NN_ReturnCode run_list(gb_graph *g, const a_case *c, size_t x_at, size_t list_at, OH_NN_DataType type,
                                 size_t listed, const int64_t *list, size_t out_count, float *out) {
    float x[24];
    int32_t indices[24];
    uint8_t *bytes = (uint8_t *)malloc(listed * gb_bytes(type, 0, NULL));
    gb_io inputs[2], outputs[2];
    size_t x_bytes = gb_bytes(OH_NN_FLOAT32, c->rank, c->dims), i;
    OH_NN_ReturnCode code;
    cr_assert_not_null(bytes);
    for (i = 0; i < 24; i++) x[i] = (float)i;
    put_list(type, listed, list, bytes);
    inputs[list_at] = gb_buffer(bytes, listed * gb_bytes(type, 0, NULL));
    if (x_at != 2) inputs[x_at] = gb_buffer(x, x_bytes);
    outputs[0] = gb_buffer(out, out_count * 4);
    outputs[1] = gb_buffer(indices, out_count * 4);
    code = run_any(g, inputs, outputs);
    free(bytes);
    return code;
}

static bool holds(OH_NN_DataType type, const int64_t *list) {
    return type != OH_NN_UINT32 || (list[0] >= 0 && list[1] >= 0 && list[2] >= 0 && list[3] >= 0);
}

Test(values, each_operator_gives_what_its_definition_says_for_lists_of_the_run_in_every_type) {
    size_t i, k, type, run;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const a_case *c = &cases[i];
        for (type = 0; type < sizeof list_types / sizeof list_types[0]; type++) {
            size_t x_at, list_at = 0;
            gb_graph g;
            open_case(&g, c, list_types[type], &x_at, &list_at);
            cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s: %s", c->name, nnrt_last_error());
            for (run = 0; run < 4 && c->runs[run].rank != 0; run++) {
                float out[24];
                size_t count = 1;
                if (!holds(list_types[type], c->runs[run].list)) continue;
                for (k = 0; k < c->runs[run].rank; k++) count *= (size_t)c->runs[run].dims[k];
                cr_assert_eq((int)run_list(&g, c, x_at, list_at, list_types[type],
                                           c->listed < 0 ? 1 : (size_t)c->listed, c->runs[run].list, count, out),
                             (int)OH_NN_SUCCESS, "%s, run %zu: %s", c->name, run, nnrt_last_error());
                for (k = 0; k < count; k++)
                    cr_assert(out[k] == c->runs[run].values[k], "%s, run %zu: element %zu is %g", c->name, run, k,
                              (double)out[k]);
                shape_is(&g, c->runs[run].rank, c->runs[run].dims, c->name);
            }
            gb_close(&g);
        }
    }
}

Test(values, lists_of_floats_may_be_constants) {
    const int32_t dims[2] = {2, 3}, one = 1, three = 3;
    const float axis = 0.0f, x[6] = {0, 1, 2, 3, 4, 5};
    float out[3];
    uint32_t in[2], to;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    in[1] = gb_constant(&g, OH_NN_FLOAT32, 1, &one, &axis);
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, &three));
    OK(gb_op(&g, OH_NN_OPS_REDUCE_SUM, 2, in, 1, &to));
    OK(gb_build(&g));
    OK(gb_run(&g, gb_buffer((void *)(uintptr_t)x, sizeof x), gb_buffer(out, sizeof out)));
    cr_assert(out[0] == 3.0f && out[1] == 5.0f && out[2] == 7.0f);
    gb_close(&g);
}

/* ------------------------------------------------------------------------------------- runs with an executor */

/* y [?, ?] = RESHAPE(x [2, 3], list [2]), with tensors of its own, so that a run allocates nothing by itself. */
typedef struct reshape {
    gb_graph g;
    NN_Tensor *in[2], *out[1];
} reshape;

static void open_reshape(reshape *r, size_t out_bytes) {
    static const int32_t dims[2] = {2, 3}, two = 2, unknown[2] = {-1, -1};
    NN_TensorDesc *desc;
    uint32_t in[2], out;
    size_t i;
    gb_open(&r->g);
    in[0] = gb_input(&r->g, gb_tensor(&r->g, OH_NN_FLOAT32, 2, dims));
    in[1] = gb_input(&r->g, gb_tensor(&r->g, OH_NN_INT32, 1, &two));
    out = gb_output(&r->g, gb_tensor(&r->g, OH_NN_FLOAT32, 2, unknown));
    OK(gb_op(&r->g, OH_NN_OPS_RESHAPE, 2, in, 1, &out));
    OK(gb_build(&r->g));
    for (i = 0; i < 2; i++) {
        desc = OH_NNExecutor_CreateInputTensorDesc(r->g.executor, i);
        r->in[i] = OH_NNTensor_Create(gb_device(), desc);
        cr_assert_not_null(r->in[i], "%s", nnrt_last_error());
        OK(OH_NNTensorDesc_Destroy(&desc));
    }
    desc = OH_NNExecutor_CreateOutputTensorDesc(r->g.executor, 0);
    r->out[0] = OH_NNTensor_CreateWithSize(gb_device(), desc, out_bytes);
    cr_assert_not_null(r->out[0], "%s", nnrt_last_error());
    OK(OH_NNTensorDesc_Destroy(&desc));
    for (i = 0; i < 6; i++) ((float *)OH_NNTensor_GetDataBuffer(r->in[0]))[i] = (float)i;
}

static void close_reshape(reshape *r) {
    OK(OH_NNTensor_Destroy(&r->in[0]));
    OK(OH_NNTensor_Destroy(&r->in[1]));
    OK(OH_NNTensor_Destroy(&r->out[0]));
    gb_close(&r->g);
}

static OH_NN_ReturnCode run_reshape(reshape *r, int32_t rows, int32_t columns) {
    int32_t *list = (int32_t *)OH_NNTensor_GetDataBuffer(r->in[1]);
    list[0] = rows;
    list[1] = columns;
    return OH_NNExecutor_RunSync(r->g.executor, r->in, 2, r->out, 1);
}

/* Runs, and hands back how often it allocated. */
static size_t calls_of(reshape *r, int32_t rows, int32_t columns) {
    const int32_t dims[2] = {rows, columns};
    const float *out = (const float *)OH_NNTensor_GetDataBuffer(r->out[0]);
    const size_t calls = counting_calls();
    size_t i;
    memset(OH_NNTensor_GetDataBuffer(r->out[0]), 0x5a, 24);
    OK(run_reshape(r, rows, columns));
    shape_is(&r->g, 2, dims, "RESHAPE");
    for (i = 0; i < 6; i++) cr_assert(out[i] == (float)i);
    return counting_calls() - calls;
}

static size_t heap_of(const OH_NNExecutor *executor) {
    nnrt_memory memory;
    OK(nnrt_executor_get_memory(executor, &memory));
    return memory.heap_bytes;
}

Test(values, those_of_an_earlier_run_cost_no_allocation) {
    reshape r;
    open_reshape(&r, 24);
    cr_assert_neq(calls_of(&r, 1, 6), 0);
    cr_assert_eq(calls_of(&r, 1, 6), 0);
    cr_assert_neq(calls_of(&r, 2, 3), 0);
    cr_assert_neq(calls_of(&r, 3, 2), 0);
    cr_assert_neq(calls_of(&r, 6, 1), 0);
    cr_assert_eq(calls_of(&r, 1, 6), 0, "four are kept");
    cr_assert_eq(calls_of(&r, 3, 2), 0);
    cr_assert_eq(calls_of(&r, 6, 1), 0);
    close_reshape(&r);
}

Test(values, a_fifth_takes_the_place_of_the_one_not_used_for_longest) {
    reshape r;
    open_reshape(&r, 24);
    (void)calls_of(&r, 1, 6), (void)calls_of(&r, 2, 3), (void)calls_of(&r, 3, 2), (void)calls_of(&r, 6, 1);
    cr_assert_eq(calls_of(&r, 1, 6), 0);
    OK(run_reshape(&r, -1, 6)); /* the same shape, by other values: a plan of its own */
    cr_assert_eq(calls_of(&r, 1, 6), 0);
    cr_assert_eq(calls_of(&r, 3, 2), 0);
    cr_assert_eq(calls_of(&r, 6, 1), 0);
    cr_assert_neq(calls_of(&r, 2, 3), 0, "it was the oldest");
    close_reshape(&r);
}

Test(values, that_cannot_be_are_refused_by_operator_and_value_and_the_executor_runs_on) {
    static const struct {
        int32_t rows, columns;
        const char *sentence;
    } bad[] = {{4, 2, "int32 [2] = 4,2"},
               {-1, -1, "the shape has more than one -1; inputs: float32 [2,3], int32 [2] = -1,-1"},
               {-2, 3, "int32 [2] = -2,3"},
               {INT32_MIN, INT32_MIN, "RESHAPE"},
               {INT32_MAX, INT32_MAX, "int32 [2] = 2147483647,2147483647"},
               {65536, 65536, "RESHAPE"},
               {-1, 4, "does not hold as many elements"},
               {0, 4, "int32 [2] = 0,4"}};
    size_t i, heap, held;
    reshape r;
    open_reshape(&r, 24);
    (void)calls_of(&r, 1, 6), (void)calls_of(&r, 2, 3), (void)calls_of(&r, 3, 2), (void)calls_of(&r, 6, 1);
    heap = heap_of(r.g.executor);
    held = counting_bytes();
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_assert_eq((int)run_reshape(&r, bad[i].rows, bad[i].columns), (int)OH_NN_UNAVAILABLE_DEVICE, "row %zu", i);
        cr_assert_not_null(strstr(nnrt_last_error(), bad[i].sentence), "row %zu: %s", i, nnrt_last_error());
        cr_assert_not_null(strstr(nnrt_last_error(), "RESHAPE"), "row %zu: %s", i, nnrt_last_error());
        cr_assert_eq(heap_of(r.g.executor), heap);
        cr_assert_eq(counting_bytes(), held, "row %zu leaks", i);
        cr_assert_eq(calls_of(&r, 1, 6), 0, "row %zu took a plan away", i);
    }
    cr_assert_eq(calls_of(&r, 2, 3) + calls_of(&r, 3, 2) + calls_of(&r, 6, 1), 0);
    close_reshape(&r);
}

Test(values, an_output_too_small_for_what_they_say_is_refused) {
    static const int32_t one = 1, unknown[1] = {-1};
    static const float seven = 7.0f;
    int32_t many = 5, few = 4;
    float out[4];
    uint32_t in[2], to;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_constant(&g, OH_NN_FLOAT32, 1, &one, &seven);
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_INT32, 1, &one));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, unknown));
    OK(gb_op(&g, OH_NN_OPS_FILL, 2, in, 1, &to));
    OK(gb_build(&g));
    cr_assert_eq((int)gb_run(&g, gb_buffer(&many, 4), gb_buffer(out, sizeof out)), (int)OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "output 0 has 16 bytes, the model needs 20"), "%s", nnrt_last_error());
    OK(gb_run(&g, gb_buffer(&few, 4), gb_buffer(out, sizeof out)));
    cr_assert(out[0] == 7.0f && out[3] == 7.0f);
    many = 1 << 28; /* 1 GiB, and one beyond */
    cr_assert_eq((int)gb_run(&g, gb_buffer(&many, 4), gb_buffer(out, sizeof out)), (int)OH_NN_UNAVAILABLE_DEVICE);
    many = (1 << 28) + 1;
    cr_assert_eq((int)gb_run(&g, gb_buffer(&many, 4), gb_buffer(out, sizeof out)), (int)OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "larger than 1 GiB"), "%s", nnrt_last_error());
    gb_close(&g);
}

/* Axes and counts at and beyond their bounds. */
Test(values, axes_and_counts_out_of_range_are_refused_in_the_run) {
    static const struct {
        size_t which; /* of cases */
        int64_t list[2];
        const char *sentence;
    } bad[] = {{0, {2, 0}, "an axis is out of range; inputs: float32 [2,3], int64 [1] = 2"},
               {0, {-3, 0}, "REDUCE_SUM"},
               {0, {INT64_MAX, 0}, "an axis is out of range"},
               {0, {INT64_MIN, 0}, "an axis is out of range"},
               {2, {1, 1}, "an axis is named twice"},
               {2, {1, -2}, "an axis is named twice; inputs: float32 [2,2,2], int64 [2] = 1,-2"},
               {3, {0, 0}, "k is outside 1 to the size of the axis"},
               {3, {4, 0}, "TOP_K"},
               {3, {-1, 0}, "int64 [] = -1"},
               {6, {0, 0}, "an axis is named twice"},
               {7, {0, 0}, "a multiple is below 1"},
               {7, {INT32_MAX, 0}, "TILE"},
               {8, {-1, 0}, "a padding is negative"},
               {9, {3, 1}, "the slice leaves the input"},
               {10, {1, 3}, "the window leaves the input"},
               {12, {0, 3}, "FILL"},
               {12, {65536, 65536}, "large"},
               {13, {INT64_MAX, INT64_MAX}, "CONSTANT_OF_SHAPE"},
               {13, {-1, 1}, "is empty or a size is negative"}};
    size_t i;
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const a_case *c = &cases[bad[i].which];
        const size_t listed = c->listed < 0 ? 1 : (size_t)c->listed;
        size_t x_at, list_at = 0, count = 1, held, k;
        float out[24];
        gb_graph g;
        open_case(&g, c, OH_NN_INT64, &x_at, &list_at);
        OK(gb_build(&g));
        held = counting_bytes();
        cr_assert_eq((int)run_list(&g, c, x_at, list_at, OH_NN_INT64, listed, bad[i].list, 24, out),
                     (int)OH_NN_UNAVAILABLE_DEVICE, "row %zu", i);
        cr_assert_not_null(strstr(nnrt_last_error(), bad[i].sentence), "row %zu: %s", i, nnrt_last_error());
        cr_assert_eq(counting_bytes(), held, "row %zu leaks", i);
        for (k = 0; k < c->runs[0].rank; k++) count *= (size_t)c->runs[0].dims[k];
        OK(run_list(&g, c, x_at, list_at, OH_NN_INT64, listed, c->runs[0].list, count, out));
        for (k = 0; k < count; k++) cr_assert(out[k] == c->runs[0].values[k], "row %zu, element %zu", i, k);
        gb_close(&g);
    }
}

Test(values, floats_that_are_no_whole_numbers_are_refused) {
    static const struct {
        float value;
        const char *sentence;
    } bad[] = {{0.5f, "float32 [1] = 5e-1"},
               {NAN, "float32 [1] = NaN"},
               {INFINITY, "float32 [1] = infinite"},
               {1e30f, "float32 [1] = "},
               {-1.5f, "float32 [1] = -1.5"}};
    size_t x_at, list_at = 0, i;
    float x[6] = {0, 1, 2, 3, 4, 5}, out[3], axis;
    gb_io inputs[2], output;
    gb_graph g;
    open_case(&g, &cases[0], OH_NN_FLOAT32, &x_at, &list_at);
    OK(gb_build(&g));
    inputs[x_at] = gb_buffer(x, sizeof x);
    inputs[list_at] = gb_buffer(&axis, sizeof axis);
    output = gb_buffer(out, sizeof out);
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        axis = bad[i].value;
        cr_assert_eq((int)gb_run_many(&g, inputs, &output), (int)OH_NN_UNAVAILABLE_DEVICE);
        cr_assert_not_null(strstr(nnrt_last_error(), "no short list of whole numbers"), "%s", nnrt_last_error());
        cr_assert_not_null(strstr(nnrt_last_error(), bad[i].sentence), "%s", nnrt_last_error());
    }
    axis = -0.0f;
    OK(gb_run_many(&g, inputs, &output));
    cr_assert(out[0] == 3.0f && out[1] == 5.0f && out[2] == 7.0f);
    gb_close(&g);
}

/* --------------------------------------------------------------------------------------- where they come from */

/* y = RESHAPE(x [2, 3], a + b), b constant: what is computed from the input is known with it. */
Test(values, they_may_be_computed_from_inputs_and_shapes) {
    static const int32_t dims[2] = {2, 3}, dynamic[2] = {-1, 3}, two = 2, three = 3, one = 1;
    static const int32_t unknown[3] = {-1, -1, -1}, added[2] = {1, 1};
    float x[6] = {0, 1, 2, 3, 4, 5}, out[6];
    int32_t list[2] = {2, 1};
    gb_io inputs[2], output = gb_buffer(out, sizeof out);
    uint32_t in[2], sum[2], shape[2], to, k;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    sum[0] = gb_input(&g, gb_tensor(&g, OH_NN_INT32, 1, &two));
    sum[1] = gb_ints(&g, 2, added);
    in[1] = gb_tensor(&g, OH_NN_INT32, 1, &two);
    OK(gb_op(&g, OH_NN_OPS_ADD, 2, sum, 1, &in[1]));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, unknown));
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &to));
    OK(gb_build(&g));
    inputs[0] = gb_buffer(x, sizeof x);
    inputs[1] = gb_buffer(list, sizeof list);
    OK(run_any(&g, inputs, &output)); /* [3, 2] */
    cr_assert_eq(memcmp(out, x, sizeof x), 0);
    shape_is(&g, 2, (const int32_t[2]){3, 2}, "sum");
    list[0] = 5, list[1] = 0;
    OK(run_any(&g, inputs, &output));
    shape_is(&g, 2, (const int32_t[2]){6, 1}, "sum");
    gb_close(&g);
    /* RESHAPE(x [?, 3], {1} and SHAPE(x)) */
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dynamic));
    shape[0] = gb_tensor(&g, OH_NN_INT32, 1, &two);
    OK(gb_op(&g, OH_NN_OPS_SHAPE, 1, in, 1, &shape[0]));
    shape[1] = gb_ints(&g, 1, &one);
    in[1] = gb_tensor(&g, OH_NN_INT32, 1, &three);
    k = shape[0], shape[0] = shape[1], shape[1] = k;
    gb_param_i64(&g, OH_NN_CONCAT_AXIS, 0);
    OK(gb_op(&g, OH_NN_OPS_CONCAT, 2, shape, 1, &in[1]));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, unknown));
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &to));
    OK(gb_build(&g));
    gb_run_shape(&g, 0, 2, dims);
    OK(gb_run(&g, inputs[0], output));
    shape_is(&g, 3, (const int32_t[3]){1, 2, 3}, "shape");
    gb_close(&g);
}

/* The list is dynamic itself, and used as data besides. */
Test(values, the_list_may_be_of_any_length_and_be_read_as_data) {
    static const int32_t dims[2] = {2, 3}, dynamic = -1;
    float x[6] = {0, 1, 2, 3, 4, 5}, out[6];
    int32_t list[3] = {1, 3, 2}, negative[3];
    gb_io inputs[2], outputs[2];
    uint32_t in[2], to, minus, k;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_INT32, 1, &dynamic));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 0, NULL));
    minus = gb_output(&g, gb_tensor(&g, OH_NN_INT32, 1, &dynamic));
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &to));
    OK(gb_op(&g, OH_NN_OPS_NEG, 1, &in[1], 1, &minus));
    OK(gb_build(&g));
    inputs[0] = gb_buffer(x, sizeof x);
    outputs[0] = gb_buffer(out, sizeof out);
    for (k = 1; k <= 3; k++) {
        const int32_t length = (int32_t)k;
        int32_t given[3], i;
        for (i = 0; i < length; i++) given[i] = k == 1 ? 6 : i == length - 1 ? -1 : list[i];
        gb_run_shape(&g, 1, 1, &length);
        inputs[1] = gb_buffer(given, k * 4);
        outputs[1] = gb_buffer(negative, k * 4);
        OK(gb_run_many(&g, inputs, outputs));
        cr_assert_eq(memcmp(out, x, sizeof x), 0);
        for (i = 0; i < length; i++) cr_assert_eq(negative[i], -given[i]);
    }
    {
        int32_t long_list[257] = {0}, length = 257;
        gb_run_shape(&g, 1, 1, &length);
        inputs[1] = gb_buffer(long_list, sizeof long_list);
        outputs[1] = gb_buffer(long_list, sizeof long_list);
        cr_assert_eq((int)gb_run_many(&g, inputs, outputs), (int)OH_NN_UNAVAILABLE_DEVICE);
        cr_assert_not_null(strstr(nnrt_last_error(), "has 1028 bytes; 1024 are possible"), "%s", nnrt_last_error());
    }
    gb_close(&g);
}

Test(values, that_no_run_can_know_before_shapes_are_refused_at_build) {
    static const int32_t dims[2] = {2, 3}, two = 2, unknown[2] = {-1, -1}, image[4] = {1, 2, 2, 2}, kernel[2] = {2, 2};
    uint32_t in[2], between[2], to;
    const bool *can = NULL;
    uint32_t count = 0;
    gb_graph g;
    /* of a pool: work that is not done while compiling */
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    between[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, image));
    between[1] = gb_tensor(&g, OH_NN_FLOAT32, 4, (const int32_t[4]){1, 1, 1, 2});
    gb_param_i64s(&g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, (const int64_t[2]){kernel[0], kernel[1]});
    gb_param_i64s(&g, OH_NN_MAX_POOL_STRIDE, 2, (const int64_t[2]){1, 1});
    gb_param_i8(&g, OH_NN_MAX_POOL_PAD_MODE, 1);
    OK(gb_op(&g, OH_NN_OPS_MAX_POOL, 1, between, 1, &between[1]));
    in[1] = gb_tensor(&g, OH_NN_FLOAT32, 1, &two);
    between[0] = between[1];
    between[1] = gb_ints(&g, 1, &two);
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, between, 1, &in[1]));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, unknown));
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &to));
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), "depends on an operator that is not computed before shapes are known"),
                       "%s", nnrt_last_error());
    OK(OH_NNModel_GetAvailableOperations(g.model, gb_device(), &can, &count));
    cr_assert(count == 3 && can[0] && can[1] && !can[2]);
    gb_close(&g);
    /* of state */
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    in[1] = gb_tensor(&g, OH_NN_INT32, 1, &two);
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, unknown));
    OK(gb_op(&g, OH_NN_OPS_RESHAPE, 2, in, 1, &to));
    between[0] = gb_tensor(&g, OH_NN_INT32, 1, &two);
    OK(gb_op(&g, OH_NN_OPS_NEG, 1, &in[1], 1, &between[0]));
    OK(nnrt_model_add_state(g.model, in[1], between[0]));
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), "is state, which every run changes"), "%s", nnrt_last_error());
    gb_close(&g);
}

/* A CROP by the shape of its second input needs no value of it: any size will do, and the model is static. */
Test(values, a_window_that_is_a_shape_is_never_read) {
    static const int32_t dims[3] = {2, 20, 20}, window[3] = {1, 20, 20};
    uint32_t in[2], to;
    size_t size = 0;
    gb_graph g;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, dims));
    in[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, window));
    to = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, window));
    gb_param_i64(&g, OH_NN_CROP_AXIS, 0);
    OK(gb_op(&g, OH_NN_OPS_CROP, 2, in, 1, &to));
    OK(gb_build(&g));
    OK(nnrt_compilation_get_arena(g.compilation, &size));
    gb_close(&g);
}

/* ----------------------------------------------------------------------------------------------- life and memory */

Test(values, such_a_model_is_neither_prepared_nor_saved) {
    NN_TensorDesc *descs[2];
    uint8_t buffer[64];
    size_t size = 0, i;
    reshape r;
    open_reshape(&r, 24);
    for (i = 0; i < 2; i++) descs[i] = OH_NNExecutor_CreateInputTensorDesc(r.g.executor, i);
    cr_assert_eq((int)nnrt_executor_prepare(r.g.executor, descs, 2), (int)OH_NN_UNSUPPORTED);
    cr_assert_not_null(strstr(nnrt_last_error(), "shapes depend on what input 1 holds"), "%s", nnrt_last_error());
    for (i = 0; i < 2; i++) OK(OH_NNTensorDesc_Destroy(&descs[i]));
    cr_assert_neq((int)OH_NNCompilation_ExportCacheToBuffer(r.g.compilation, buffer, sizeof buffer, &size),
                  (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "one plan per shape and no cache"), "%s", nnrt_last_error());
    cr_assert_eq(calls_of(&r, 2, 3) == 0, false);
    close_reshape(&r);
}

Test(values, without_memory_a_run_fails_and_everything_stays) {
    size_t n, held, heap;
    bool through = false;
    reshape r;
    open_reshape(&r, 24);
    (void)calls_of(&r, 1, 6), (void)calls_of(&r, 2, 3), (void)calls_of(&r, 3, 2), (void)calls_of(&r, 6, 1);
    held = counting_bytes();
    heap = heap_of(r.g.executor);
    for (n = 0; !through; n++) {
        OH_NN_ReturnCode code;
        counting_fail_at((long)n);
        code = run_reshape(&r, -1, 2);
        through = !counting_failed();
        counting_fail_never();
        if (through) {
            cr_assert_eq((int)code, (int)OH_NN_SUCCESS);
            break;
        }
        cr_assert_eq((int)code, (int)OH_NN_MEMORY_ERROR, "allocation %zu: %s", n, nnrt_last_error());
        cr_assert_eq(counting_bytes(), held, "allocation %zu leaks", n);
        cr_assert_eq(heap_of(r.g.executor), heap);
        cr_assert_eq(calls_of(&r, 1, 6) + calls_of(&r, 2, 3) + calls_of(&r, 3, 2) + calls_of(&r, 6, 1), 0);
    }
    cr_assert_gt(n, 10);
    close_reshape(&r);
}
