/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_elementwise.c - elementwise operators, softmax and normalisations through the API, against their
   formulas in double precision. Shapes and data are drawn from a fixed seed that every message names. */
#include "linked.h"

#include "graph_builder.h"

#include <math.h>

#define SEED 5150u

#include "noise.h"

/* A tensor of a test: its data as stored and as real numbers. scale 0: not quantized. */
typedef struct tensor {
    OH_NN_DataType dtype;
    size_t rank, count, bytes;
    int32_t dims[10];
    double scale;
    int32_t zero_point;
    void *data;
    double *real;
} tensor;

static tensor make(OH_NN_DataType dtype, size_t rank, const int32_t *dims) {
    tensor t;
    size_t i;
    memset(&t, 0, sizeof t);
    t.dtype = dtype;
    t.rank = rank;
    t.count = 1;
    for (i = 0; i < rank; i++) t.count *= (size_t)(t.dims[i] = dims[i]);
    t.bytes = gb_bytes(dtype, rank, dims);
    t.data = calloc(t.bytes, 1);
    t.real = (double *)calloc(t.count, sizeof *t.real);
    return t;
}

static tensor make_s8(size_t rank, const int32_t *dims, double scale, int32_t zero_point) {
    tensor t = make(OH_NN_INT8, rank, dims);
    t.scale = scale;
    t.zero_point = zero_point;
    return t;
}

static void unmake(tensor *t) {
    free(t->data);
    free(t->real);
}

/* From the stored data to real numbers. */
static void read_back(tensor *t) {
    size_t i;
    for (i = 0; i < t->count; i++) {
        double x = t->dtype == OH_NN_FLOAT32 ? (double)((float *)t->data)[i]
                   : t->dtype == OH_NN_INT32 ? (double)((int32_t *)t->data)[i]
                   : t->dtype == OH_NN_INT8  ? (double)((int8_t *)t->data)[i]
                                             : (double)((uint8_t *)t->data)[i];
        t->real[i] = t->scale != 0 ? t->scale * (x - t->zero_point) : x;
    }
}

static void fill(tensor *t, double low, double high) {
    size_t i;
    for (i = 0; i < t->count; i++) {
        if (t->dtype == OH_NN_FLOAT32) ((float *)t->data)[i] = (float)noise_between(low, high);
        else if (t->dtype == OH_NN_INT32) ((int32_t *)t->data)[i] = noise_in((int32_t)low, (int32_t)high);
        else if (t->dtype == OH_NN_INT8) ((int8_t *)t->data)[i] = (int8_t)noise_in(-128, 127);
        else ((uint8_t *)t->data)[i] = (uint8_t)noise_in(0, t->dtype == OH_NN_BOOL ? 1 : 255);
    }
    read_back(t);
}

static uint32_t declare(gb_graph *g, const tensor *t) {
    uint32_t index = gb_tensor(g, t->dtype, t->rank, t->dims);
    return t->scale != 0 ? gb_quantize(g, index, 1, &t->scale, &t->zero_point) : index;
}

/* Runs one operator, whose parameters were given before, on model inputs; out is read back. */
static OH_NN_ReturnCode run(gb_graph *g, OH_NN_OperationType op, size_t count, tensor *const *in, tensor *out) {
    uint32_t inputs[3], output;
    gb_io from[3], to;
    OH_NN_ReturnCode code;
    size_t i;
    for (i = 0; i < count; i++) {
        inputs[i] = gb_input(g, declare(g, in[i]));
        from[i] = gb_buffer(in[i]->data, in[i]->bytes);
    }
    output = gb_output(g, declare(g, out));
    to = gb_buffer(out->data, out->bytes);
    code = gb_op(g, op, (uint32_t)count, inputs, 1, &output);
    if (code == OH_NN_SUCCESS) code = gb_build(g);
    if (code == OH_NN_SUCCESS) code = gb_run_many(g, from, &to);
    if (code == OH_NN_SUCCESS) read_back(out);
    return code;
}

/* How far a result may be from the formula: of float, relative to its size; of int8, steps of the output,
   after the formula was limited to what the output can say. */
static void expect(const tensor *out, size_t i, double real, double relative, double steps, const char *what) {
    double least, most;
    if (out->scale == 0) {
        if (isnan(real) ? isnan(out->real[i]) : real == out->real[i]) return;
        cr_assert(fabs(out->real[i] - real) <= relative * (1.0 + fabs(real)),
                  "%s, seed %u, element %zu: %.9g, not %.9g", what, SEED, i, out->real[i], real);
        return;
    }
    least = out->scale * (-128 - out->zero_point);
    most = out->scale * (127 - out->zero_point);
    real = real < least ? least : real > most ? most : real;
    cr_assert(fabs(out->real[i] - real) <= steps * out->scale, "%s, seed %u, element %zu: %.9g, not %.9g, step %g",
              what, SEED, i, out->real[i], real, out->scale);
}

/* ------------------------------------------------------------------------------------------- remainders

   Written down by hand: the quotient is cut towards 0, so that the remainder has the sign of the dividend. */

static void remainders(OH_NN_DataType dtype, const void *a, const void *b, void *got, int32_t count,
                       OH_NN_ReturnCode want) {
    const size_t bytes = (size_t)count * (dtype == OH_NN_INT64 ? 8 : 4);
    uint32_t inputs[2], output;
    gb_io in[2], out = gb_buffer(got, bytes);
    gb_graph g;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor(&g, dtype, 1, &count));
    inputs[1] = gb_input(&g, gb_tensor(&g, dtype, 1, &count));
    output = gb_output(&g, gb_tensor(&g, dtype, 1, &count));
    in[0] = gb_buffer((void *)(uintptr_t)a, bytes);
    in[1] = gb_buffer((void *)(uintptr_t)b, bytes);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MOD, 2, inputs, 1, &output), OH_NN_SUCCESS);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_run_many(&g, in, &out), (int)want, "%s", nnrt_last_error());
    gb_close(&g);
}

Test(ops_elementwise, the_remainder_of_integers_has_the_sign_of_the_dividend) {
    static const int32_t a[] = {7, -7, 7, -7, 6, -6, 0, 1, -1, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MAX, 5};
    static const int32_t b[] = {3, 3, -3, -3, 3, -3, -5, 9, 9, -1, 1, INT32_MAX, INT32_MIN, INT32_MIN};
    static const int32_t want[] = {1, -1, 1, -1, 0, 0, 0, 1, -1, 0, 0, -1, INT32_MAX, 5};
    static const int32_t zeros[NNRT__COUNT_OF(a)] = {0};
    const int32_t count = (int32_t)NNRT__COUNT_OF(a);
    int32_t got[NNRT__COUNT_OF(a)];
    int64_t wide_a[NNRT__COUNT_OF(a)], wide_b[NNRT__COUNT_OF(a)], wide_got[NNRT__COUNT_OF(a)];
    size_t i;
    remainders(OH_NN_INT32, a, b, got, count, OH_NN_SUCCESS);
    for (i = 0; i < NNRT__COUNT_OF(a); i++) {
        cr_assert_eq(got[i], want[i], "%d mod %d: %d", (int)a[i], (int)b[i], (int)got[i]);
        wide_a[i] = a[i];
        wide_b[i] = b[i];
    }
    wide_a[9] = wide_a[10] = wide_a[11] = INT64_MIN;
    wide_b[11] = INT64_MAX;
    remainders(OH_NN_INT64, wide_a, wide_b, wide_got, count, OH_NN_SUCCESS);
    for (i = 0; i < NNRT__COUNT_OF(a); i++) cr_assert_eq(wide_got[i], (int64_t)want[i], "%zu", i);
    remainders(OH_NN_INT32, a, zeros, got, count, OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "an integer is divided by zero"), "%s", nnrt_last_error());
}

/* A remainder of 0 has that sign, too. */
Test(ops_elementwise, the_remainder_of_floats_has_the_sign_of_the_dividend) {
    static const float a[] = {5.5f, -5.5f, 5.5f, -5.5f, 6,    -6,    0,  -0.0f,     1, -1,       INFINITY,
                              1,    NAN,   1,    0,     0.1f, 1e30f, -3, -INFINITY, 3, INFINITY, 1.5e-45f};
    static const float b[] = {2, 2, -2,  -2, 3,     3, 3, 3,        INFINITY,  -INFINITY, 2,
                              0, 1, NAN, 0,  -0.0f, 7, 3, INFINITY, -INFINITY, 0,         1};
    static const float want[] = {1.5f, -1.5f, 1.5f, -1.5f, 0,   -0.0f, 0,     -0.0f, 1, -1,  NAN,
                                 NAN,  NAN,   NAN,  NAN,   NAN, 0,     -0.0f, NAN,   3, NAN, 1.5e-45f};
    float got[NNRT__COUNT_OF(a)];
    size_t i;
    cr_assert_eq(NNRT__COUNT_OF(a), NNRT__COUNT_OF(want));
    remainders(OH_NN_FLOAT32, a, b, got, (int32_t)NNRT__COUNT_OF(a), OH_NN_SUCCESS);
    for (i = 0; i < NNRT__COUNT_OF(a); i++) {
        const float expected = i == 16 ? (float)fmod((double)a[i], 7) : want[i];
        if (isnan(expected)) cr_assert(isnan(got[i]), "%g mod %g: %g", (double)a[i], (double)b[i], (double)got[i]);
        else
            cr_assert(got[i] == expected && signbit(got[i]) == signbit(expected), "%g mod %g: %g", (double)a[i],
                      (double)b[i], (double)got[i]);
    }
}

/* ------------------------------------------------------------------------------------------- two operands */

static double arithmetic(OH_NN_OperationType op, double a, double b) {
    switch (op) {
    case OH_NN_OPS_ADD: return a + b;
    case OH_NN_OPS_SUB: return a - b;
    case OH_NN_OPS_MUL: return a * b;
    case OH_NN_OPS_DIV: return a / b;
    case OH_NN_OPS_MAXIMUM: return fmax(a, b);
    case OH_NN_OPS_MINIMUM: return fmin(a, b);
    case OH_NN_OPS_SQUARED_DIFFERENCE: return (a - b) * (a - b);
    case OH_NN_OPS_MOD: return fmod(a, b);
    case OH_NN_OPS_POW: return pow(a, b);
    case OH_NN_OPS_EQUAL: return a == b;
    case OH_NN_OPS_NOT_EQUAL: return a != b;
    case OH_NN_OPS_LESS: return a < b;
    case OH_NN_OPS_LESS_EQUAL: return a <= b;
    case OH_NN_OPS_GREATER: return a > b;
    case OH_NN_OPS_GREATER_EQUAL: return a >= b;
    case OH_NN_OPS_LOGICAL_AND: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
    }
}

static size_t partner(const tensor *in, const tensor *out, size_t at) {
    size_t offset = 0, stride = 1, k;
    for (k = 0; k < out->rank; k++) {
        const size_t dim = (size_t)out->dims[out->rank - 1 - k];
        const size_t own = k < in->rank ? (size_t)in->dims[in->rank - 1 - k] : 1;
        if (own != 1) offset += at % dim * stride;
        stride *= own;
        at /= dim;
    }
    return offset;
}

static const struct {
    size_t rank[2];
    int32_t dims[2][5], out[5];
} shapes[] = {
    {{1, 1}, {{1}, {1}}, {1}},
    {{2, 2}, {{3, 5}, {3, 5}}, {3, 5}},
    {{4, 1}, {{2, 3, 4, 5}, {5}}, {2, 3, 4, 5}},
    {{4, 4}, {{2, 1, 4, 5}, {1, 3, 1, 5}}, {2, 3, 4, 5}},
    {{1, 3}, {{1}, {7, 1, 9}}, {7, 1, 9}},
    {{3, 3}, {{2, 70, 40}, {2, 70, 1}}, {2, 70, 40}},
};

/* The broadcast rank of both. */
static size_t out_rank(size_t s) {
    return shapes[s].rank[0] > shapes[s].rank[1] ? shapes[s].rank[0] : shapes[s].rank[1];
}

Test(ops_elementwise, arithmetic_in_float_and_int32_broadcasts) {
    static const OH_NN_OperationType ops[] = {
        OH_NN_OPS_ADD,     OH_NN_OPS_SUB,     OH_NN_OPS_MUL, OH_NN_OPS_DIV, OH_NN_OPS_SQUARED_DIFFERENCE,
        OH_NN_OPS_MAXIMUM, OH_NN_OPS_MINIMUM, OH_NN_OPS_MOD, OH_NN_OPS_POW};
    size_t o, s, i, d;
    for (o = 0; o < NNRT__COUNT_OF(ops); o++)
        for (s = 0; s < NNRT__COUNT_OF(shapes); s++)
            for (d = 0; d < 2; d++) {
                const OH_NN_DataType dtype = d == 0 ? OH_NN_FLOAT32 : OH_NN_INT32;
                tensor a = make(dtype, shapes[s].rank[0], shapes[s].dims[0]);
                tensor b = make(dtype, shapes[s].rank[1], shapes[s].dims[1]),
                       out = make(dtype, out_rank(s), shapes[s].out);
                tensor *in[2];
                gb_graph g;
                in[0] = &a;
                in[1] = &b;
                fill(&a, ops[o] == OH_NN_OPS_POW ? 0 : -9, 9);
                fill(&b, 1, 5);
                gb_open(&g);
                if (d == 1 && ops[o] == OH_NN_OPS_POW) {
                    cr_assert_neq(run(&g, ops[o], 2, in, &out), OH_NN_SUCCESS);
                } else {
                    cr_assert_eq(run(&g, ops[o], 2, in, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
                    for (i = 0; i < out.count; i++) {
                        double real = arithmetic(ops[o], a.real[partner(&a, &out, i)], b.real[partner(&b, &out, i)]);
                        expect(&out, i, d == 0 ? real : trunc(real), 1e-5, 0, nnrt__op_name((int)ops[o]));
                    }
                }
                gb_close(&g);
                unmake(&a);
                unmake(&b);
                unmake(&out);
            }
}

Test(ops_elementwise, arithmetic_in_int8_is_the_real_result_within_a_step) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_ADD,     OH_NN_OPS_SUB,     OH_NN_OPS_MUL,
                                              OH_NN_OPS_MAXIMUM, OH_NN_OPS_MINIMUM, OH_NN_OPS_SQUARED_DIFFERENCE};
    size_t o, s, i;
    for (o = 0; o < NNRT__COUNT_OF(ops); o++)
        for (s = 0; s < NNRT__COUNT_OF(shapes); s++) {
            tensor a = make_s8(shapes[s].rank[0], shapes[s].dims[0], 0.05, 3);
            tensor b = make_s8(shapes[s].rank[1], shapes[s].dims[1], 0.04, -9),
                   out = make_s8(out_rank(s), shapes[s].out, 0.11, 20);
            const bool fused = s % 2 != 0 && o < 3;
            static const OH_NN_TensorType types[3] = {OH_NN_ADD_ACTIVATIONTYPE, OH_NN_SUB_ACTIVATIONTYPE,
                                                      OH_NN_MUL_ACTIVATION_TYPE};
            tensor *in[2];
            gb_graph g;
            in[0] = &a;
            in[1] = &b;
            fill(&a, 0, 0);
            fill(&b, 0, 0);
            gb_open(&g);
            if (fused) gb_param_i8(&g, types[o], OH_NN_FUSED_RELU6);
            cr_assert_eq(run(&g, ops[o], 2, in, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
            for (i = 0; i < out.count; i++) {
                double real = arithmetic(ops[o], a.real[partner(&a, &out, i)], b.real[partner(&b, &out, i)]);
                if (fused) real = fmin(fmax(real, 0), 6);
                expect(&out, i, real, 0, 1.0, nnrt__op_name((int)ops[o]));
            }
            gb_close(&g);
            unmake(&a);
            unmake(&b);
            unmake(&out);
        }
}

/* Bytes are compared as they are only where all three mean the same by them. */
Test(ops_elementwise, extremes_of_int8_know_the_scales_and_zero_points_of_all_three) {
    static const struct {
        double scales[3];
        int32_t zeros[3];
    } rows[] = {{{0.05, 0.05, 0.05}, {3, 3, 3}}, {{0.05, 0.05, 0.05}, {3, 9, 3}}, {{0.05, 0.05, 0.05}, {9, 3, 3}},
                {{0.05, 0.05, 0.05}, {3, 3, 9}}, {{0.05, 0.06, 0.05}, {3, 3, 3}}, {{0.06, 0.05, 0.05}, {3, 3, 3}},
                {{0.05, 0.05, 0.06}, {3, 3, 3}}};
    static const int32_t dims[2] = {7, 9};
    size_t r, o, i;
    for (r = 0; r < NNRT__COUNT_OF(rows); r++)
        for (o = 0; o < 2; o++) {
            const OH_NN_OperationType op = o == 0 ? OH_NN_OPS_MAXIMUM : OH_NN_OPS_MINIMUM;
            tensor a = make_s8(2, dims, rows[r].scales[0], rows[r].zeros[0]);
            tensor b = make_s8(2, dims, rows[r].scales[1], rows[r].zeros[1]);
            tensor out = make_s8(2, dims, rows[r].scales[2], rows[r].zeros[2]), *in[2];
            gb_graph g;
            in[0] = &a;
            in[1] = &b;
            fill(&a, 0, 0);
            fill(&b, 0, 0);
            gb_open(&g);
            cr_assert_eq(run(&g, op, 2, in, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
            for (i = 0; i < out.count; i++)
                expect(&out, i, arithmetic(op, a.real[i], b.real[i]), 0, 0.51, nnrt__op_name((int)op));
            gb_close(&g);
            unmake(&a);
            unmake(&b);
            unmake(&out);
        }
}

Test(ops_elementwise, logical_not_is_true_for_zero) {
    static const OH_NN_DataType types[] = {OH_NN_BOOL, OH_NN_FLOAT32, OH_NN_INT32, OH_NN_INT8};
    static const int32_t dims[2] = {7, 9};
    size_t t, i;
    for (t = 0; t < NNRT__COUNT_OF(types); t++) {
        tensor in = types[t] == OH_NN_INT8 ? make_s8(2, dims, 0.5, 7) : make(types[t], 2, dims), *from[1];
        tensor out = make(OH_NN_BOOL, 2, dims);
        gb_graph g;
        from[0] = &in;
        fill(&in, -2, 2);
        memset(in.data, types[t] == OH_NN_INT8 ? 7 : 0, in.bytes / 4 / 4 * 4); /* some zeros */
        read_back(&in);
        gb_open(&g);
        cr_assert_eq(run(&g, OH_NN_OPS_LOGICAL_NOT, 1, from, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
        for (i = 0; i < out.count; i++)
            cr_assert_eq(out.real[i], in.real[i] == 0 ? 1 : 0, "type %d, element %zu", (int)types[t], i);
        gb_close(&g);
        unmake(&in);
        unmake(&out);
    }
}

/* Fewer and longer rows: what both operands cross in one stride is one axis. */
Test(ops_elementwise, axes_of_a_broadcast_that_need_not_be_apart_are_joined) {
    static const struct {
        int32_t a[4], b[4], out[4];
        uint32_t rank;
        size_t dims[3];
    } rows[] = {{{2, 3, 4, 5}, {2, 3, 4, 5}, {2, 3, 4, 5}, 1, {120, 0, 0}},
                {{2, 3, 4, 5}, {1, 1, 1, 5}, {2, 3, 4, 5}, 2, {24, 5, 0}},
                {{2, 3, 1, 1}, {2, 3, 4, 5}, {2, 3, 4, 5}, 2, {6, 20, 0}},
                {{2, 1, 1, 5}, {2, 3, 4, 5}, {2, 3, 4, 5}, 3, {2, 12, 5}},
                {{1, 1, 1, 1}, {2, 3, 4, 5}, {2, 3, 4, 5}, 1, {120, 0, 0}},
                {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, 1, {1, 0, 0}}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        nnrt__plan_value a, b, out;
        nnrt__broadcast broadcast;
        memset(&a, 0, sizeof a);
        a.rank = 4;
        b = out = a;
        memcpy(a.dims, rows[i].a, sizeof rows[i].a);
        memcpy(b.dims, rows[i].b, sizeof rows[i].b);
        memcpy(out.dims, rows[i].out, sizeof rows[i].out);
        nnrt__broadcast_make(&a, &b, &out, &broadcast);
        cr_assert_eq(broadcast.rank, rows[i].rank, "row %zu: %u axes", i, (unsigned)broadcast.rank);
        for (k = 0; k < broadcast.rank; k++) cr_assert_eq((size_t)broadcast.dims[k], rows[i].dims[k], "row %zu", i);
    }
}

Test(ops_elementwise, prelu_has_one_weight_or_one_for_each_channel) {
    static const int32_t dims[3] = {2, 7, 5}, counts[2] = {1, 5}, three[1] = {3};
    size_t kind, i;
    for (kind = 0; kind < 4; kind++) {
        const bool s8 = kind >= 2;
        tensor in = s8 ? make_s8(3, dims, 0.03, -9) : make(OH_NN_FLOAT32, 3, dims);
        tensor weight = s8 ? make_s8(1, &counts[kind % 2], 0.01, 20) : make(OH_NN_FLOAT32, 1, &counts[kind % 2]);
        tensor out = s8 ? make_s8(3, dims, 0.04, 11) : make(OH_NN_FLOAT32, 3, dims), *from[2];
        gb_graph g;
        gb_open(&g);
        fill(&in, -4, 4);
        fill(&weight, -2, 2);
        from[0] = &in;
        from[1] = &weight;
        cr_assert_eq(run(&g, OH_NN_OPS_PRELU, 2, from, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
        for (i = 0; i < in.count; i++) {
            const double x = in.real[i], w = weight.real[i % (size_t)counts[kind % 2]];
            expect(&out, i, x > 0 ? x : x * w, 1e-6, 1.01, "PRELU");
        }
        gb_close(&g);
        unmake(&in);
        unmake(&weight);
        unmake(&out);
    }
    {
        tensor in = make(OH_NN_FLOAT32, 3, dims), weight = make(OH_NN_FLOAT32, 1, three), out = in, *from[2];
        gb_graph g;
        gb_open(&g);
        from[0] = &in;
        from[1] = &weight;
        cr_assert_eq(run(&g, OH_NN_OPS_PRELU, 2, from, &out), OH_NN_FAILED);
        cr_assert_not_null(strstr(nnrt_last_error(), "neither one element nor one for each channel"), "%s",
                           nnrt_last_error());
        gb_close(&g);
        unmake(&in);
        unmake(&weight);
    }
}

Test(ops_elementwise, comparisons_and_logic_give_bool) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_EQUAL,       OH_NN_OPS_NOT_EQUAL, OH_NN_OPS_LESS,
                                              OH_NN_OPS_LESS_EQUAL,  OH_NN_OPS_GREATER,   OH_NN_OPS_GREATER_EQUAL,
                                              OH_NN_OPS_LOGICAL_AND, OH_NN_OPS_LOGICAL_OR};
    static const OH_NN_DataType types[] = {OH_NN_FLOAT32, OH_NN_INT32, OH_NN_BOOL, OH_NN_INT8};
    size_t o, s, i, d;
    for (o = 0; o < NNRT__COUNT_OF(ops); o++)
        for (s = 0; s < NNRT__COUNT_OF(shapes); s++)
            for (d = 0; d < NNRT__COUNT_OF(types); d++) {
                tensor a = make(types[d], shapes[s].rank[0], shapes[s].dims[0]);
                tensor b = make(types[d], shapes[s].rank[1], shapes[s].dims[1]),
                       out = make(OH_NN_BOOL, out_rank(s), shapes[s].out);
                tensor *in[2];
                gb_graph g;
                in[0] = &a;
                in[1] = &b;
                if (types[d] == OH_NN_INT8) a.scale = 0.5, b.scale = 0.25, b.zero_point = 4;
                fill(&a, -2, 2);
                fill(&b, -2, 2);
                gb_open(&g);
                cr_assert_eq(run(&g, ops[o], 2, in, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
                for (i = 0; i < out.count; i++)
                    expect(&out, i, arithmetic(ops[o], a.real[partner(&a, &out, i)], b.real[partner(&b, &out, i)]), 0,
                           0, nnrt__op_name((int)ops[o]));
                gb_close(&g);
                unmake(&a);
                unmake(&b);
                unmake(&out);
            }
}

/* 4/1024 and 5/1024 are one 256th, 6/1024 is two; scales of 1 and more, which the reference has not, are exact. */
Test(ops_elementwise, bytes_nearer_to_each_other_than_a_256th_may_be_equal) {
    static const struct {
        double scale;
        int8_t a, b;
        bool equal;
    } rows[] = {{1.0 / 1024, 4, 5, true}, {1.0 / 1024, 4, 6, false}, {1.0 / 1024, -4, -5, true},
                {1.0 / 256, 4, 5, false}, {1.0, 4, 5, false},        {2.5, -128, -127, false}};
    const int32_t dims[1] = {1};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        for (k = 0; k < 2; k++) {
            tensor a = make_s8(1, dims, rows[i].scale, 0), b = make_s8(1, dims, rows[i].scale, 0);
            tensor out = make(OH_NN_BOOL, 1, dims), *in[2];
            gb_graph g;
            in[0] = k == 0 ? &a : &b;
            in[1] = k == 0 ? &b : &a;
            ((int8_t *)a.data)[0] = rows[i].a;
            ((int8_t *)b.data)[0] = rows[i].b;
            gb_open(&g);
            cr_assert_eq(run(&g, OH_NN_OPS_EQUAL, 2, in, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(((uint8_t *)out.data)[0], (uint8_t)rows[i].equal, "row %zu", i);
            gb_close(&g);
            unmake(&a);
            unmake(&b);
            unmake(&out);
        }
}

Test(ops_elementwise, integer_division_by_zero_fails_the_run) {
    const int32_t dims[1] = {3};
    tensor a = make(OH_NN_INT32, 1, dims), b = make(OH_NN_INT32, 1, dims), out = make(OH_NN_INT32, 1, dims);
    tensor *in[2];
    gb_graph g;
    in[0] = &a;
    in[1] = &b;
    gb_open(&g);
    cr_assert_eq(run(&g, OH_NN_OPS_DIV, 2, in, &out), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert(strlen(nnrt_last_error()) > 0);
    gb_close(&g);
    unmake(&a);
    unmake(&b);
    unmake(&out);
}

Test(ops_elementwise, shapes_that_do_not_broadcast_and_float64_are_refused) {
    const int32_t three[1] = {3}, four[1] = {4};
    size_t k;
    for (k = 0; k < 2; k++) {
        tensor a = make(k == 0 ? OH_NN_FLOAT32 : OH_NN_FLOAT64, 1, three), b = make(a.dtype, 1, k == 0 ? four : three);
        tensor out = make(a.dtype, 1, three), *in[2];
        gb_graph g;
        in[0] = &a;
        in[1] = &b;
        gb_open(&g);
        cr_assert_neq(run(&g, OH_NN_OPS_ADD, 2, in, &out), OH_NN_SUCCESS);
        cr_assert(strlen(nnrt_last_error()) > 0);
        gb_close(&g);
        unmake(&a);
        unmake(&b);
        unmake(&out);
    }
}

/* -------------------------------------------------------------------------------------------- one operand */

static double function(OH_NN_OperationType op, double x) {
    switch (op) {
    case OH_NN_OPS_RELU: return fmax(x, 0);
    case OH_NN_OPS_RELU6: return fmin(fmax(x, 0), 6);
    case OH_NN_OPS_LEAKY_RELU: return x >= 0 ? x : (double)0.1f * x;
    case OH_NN_OPS_CLIP: return fmin(fmax(x, -1), 2);
    case OH_NN_OPS_HSWISH: return x * fmin(fmax(x + 3, 0), 6) / 6;
    case OH_NN_OPS_HARD_SIGMOID: return fmin(fmax(x + 3, 0), 6) / 6;
    case OH_NN_OPS_SIGMOID: return 1 / (1 + exp(-x));
    case OH_NN_OPS_TANH: return tanh(x);
    case OH_NN_OPS_SWISH: return x / (1 + exp(-x));
    case OH_NN_OPS_GELU: return x / 2 * (1 + erf(x / sqrt(2)));
    case OH_NN_OPS_ABS: return fabs(x);
    case OH_NN_OPS_NEG: return -x;
    case OH_NN_OPS_SQUARE: return x * x;
    case OH_NN_OPS_SQRT: return sqrt(x);
    case OH_NN_OPS_RSQRT: return 1 / sqrt(x);
    case OH_NN_OPS_EXP: return pow(2, 0.5 * x + 1);
    case OH_NN_OPS_LOG: return log(x);
    case OH_NN_OPS_SIN: return sin(x);
    case OH_NN_OPS_COS: return cos(x);
    case OH_NN_OPS_ERF: return erf(x);
    case OH_NN_OPS_CEIL: return ceil(x);
    case OH_NN_OPS_FLOOR: return floor(x);
    case OH_NN_OPS_ROUND: return nearbyint(x);
    default: return 1 / x;
    }
}

static const OH_NN_OperationType functions[] = {
    OH_NN_OPS_RELU,    OH_NN_OPS_RELU6, OH_NN_OPS_LEAKY_RELU, OH_NN_OPS_CLIP,  OH_NN_OPS_HSWISH, OH_NN_OPS_HARD_SIGMOID,
    OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH,  OH_NN_OPS_SWISH,      OH_NN_OPS_GELU,  OH_NN_OPS_ABS,    OH_NN_OPS_NEG,
    OH_NN_OPS_SQUARE,  OH_NN_OPS_EXP,   OH_NN_OPS_SIN,        OH_NN_OPS_COS,   OH_NN_OPS_ERF,    OH_NN_OPS_CEIL,
    OH_NN_OPS_FLOOR,   OH_NN_OPS_ROUND, OH_NN_OPS_SQRT,       OH_NN_OPS_RSQRT, OH_NN_OPS_LOG,    OH_NN_OPS_RECIPROCAL};

static void function_parameters(gb_graph *g, OH_NN_OperationType op) {
    if (op == OH_NN_OPS_LEAKY_RELU) gb_param_f32(g, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, 0.1f);
    if (op == OH_NN_OPS_CLIP) gb_param_f32(g, OH_NN_CLIP_MIN, -1.0f);
    if (op == OH_NN_OPS_CLIP) gb_param_f32(g, OH_NN_CLIP_MAX, 2.0f);
    if (op == OH_NN_OPS_EXP) gb_param_f32(g, OH_NN_EXP_BASE, 2.0f);
    if (op == OH_NN_OPS_EXP) gb_param_f32(g, OH_NN_EXP_SCALE, 0.5f);
    if (op == OH_NN_OPS_EXP) gb_param_f32(g, OH_NN_EXP_SHIFT, 1.0f);
}

Test(ops_elementwise, functions_of_float_and_int8_are_their_formulas) {
    static const int32_t dims[3] = {3, 50, 61};
    size_t o, i, d;
    for (o = 0; o < NNRT__COUNT_OF(functions); o++)
        for (d = 0; d < 2; d++) {
            /* an input that is never 0, and never negative where the function wants that */
            const bool positive = functions[o] == OH_NN_OPS_SQRT || functions[o] == OH_NN_OPS_RSQRT ||
                                  functions[o] == OH_NN_OPS_LOG || functions[o] == OH_NN_OPS_RECIPROCAL;
            tensor in = d == 0 ? make(OH_NN_FLOAT32, 3, dims) : make_s8(3, dims, 0.03, positive ? -128 : 5);
            tensor out = d == 0 ? make(OH_NN_FLOAT32, 3, dims) : make_s8(3, dims, 0.05, -10), *from = &in;
            gb_graph g;
            fill(&in, positive ? 0.01 : -8, 8);
            for (i = 0; d == 1 && positive && i < in.count; i++)
                if (((int8_t *)in.data)[i] == -128) ((int8_t *)in.data)[i] = 1;
            read_back(&in);
            gb_open(&g);
            function_parameters(&g, functions[o]);
            cr_assert_eq(run(&g, functions[o], 1, &from, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
            for (i = 0; i < out.count; i++) /* bytes of SQRT are cut off */
                expect(&out, i, function(functions[o], in.real[i]), 1e-5,
                       functions[o] == OH_NN_OPS_SQRT ? 1.001 : 0.751, nnrt__op_name((int)functions[o]));
            gb_close(&g);
            unmake(&in);
            unmake(&out);
        }
}

Test(ops_elementwise, casts_and_quantization_through_the_api) {
    static const int32_t dims[2] = {2, 3};
    static const float values[6] = {-1.6f, -0.4f, 0.0f, 0.6f, 2.5f, 900.0f};
    static const int32_t whole[6] = {-1, 0, 0, 0, 2, 900};
    static const double scales[3] = {0.5, 1.0, 2.0};
    static const int32_t zeros[3] = {0, 1, 2};
    static const int8_t quantized[6] = {-3, 1, 2, 1, 4, 127}; /* -3.2, -0.4 + 1, 0 + 2; 1.2, 2.5 + 1 away from 0, ... */
    int32_t got[6];
    int8_t bytes[6];
    const int32_t type = OH_NN_INT32, one = 1;
    uint32_t x[2], y;
    gb_graph g;
    gb_open(&g);
    x[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    x[1] = gb_constant(&g, OH_NN_INT32, 1, &one, &type);
    y = gb_output(&g, gb_tensor(&g, OH_NN_INT32, 2, dims));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_CAST, 2, x, 1, &y), OH_NN_SUCCESS);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_run(&g, gb_buffer((void *)(uintptr_t)values, sizeof values), gb_buffer(got, sizeof got)),
                 OH_NN_SUCCESS);
    cr_assert_arr_eq(got, whole, sizeof whole);
    gb_close(&g);
    gb_open(&g);
    x[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    y = gb_output(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_INT8, 2, dims), 3, scales, zeros));
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_SRC_T, 43);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT8);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_AXIS, -1);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_QUANT_DTYPE_CAST, 1, x, 1, &y), OH_NN_SUCCESS);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_run(&g, gb_buffer((void *)(uintptr_t)values, sizeof values), gb_buffer(bytes, sizeof bytes)),
                 OH_NN_SUCCESS);
    cr_assert_arr_eq(bytes, quantized, sizeof quantized);
    gb_close(&g);
}

/* --------------------------------------------------------------------------------------------------- rows */

/* 16 zero points fill their place in the plan to its last byte; what stands behind it is the constant of the sum. */
Test(ops_elementwise, scales_and_zero_points_of_channels_end_where_the_next_constant_begins) {
    static const int32_t dims[2] = {2, 16}, channels[1] = {16};
    float values[32], added[16], got[32];
    double scales[16];
    int32_t zeros[16];
    uint32_t x, q, in[2], y;
    gb_graph g;
    int i;
    for (i = 0; i < 16; i++) {
        scales[i] = 0.25 + i / 16.0;
        zeros[i] = i - 8;
        added[i] = (float)(100 + i);
    }
    for (i = 0; i < 32; i++) values[i] = (float)(i - 16);
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    q = gb_quantize(&g, gb_tensor(&g, OH_NN_INT8, 2, dims), 16, scales, zeros);
    in[0] = gb_tensor(&g, OH_NN_FLOAT32, 2, dims);
    in[1] = gb_constant(&g, OH_NN_FLOAT32, 1, channels, added);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_FLOAT32);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT8);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_AXIS, 1);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_QUANT_DTYPE_CAST, 1, &x, 1, &q), OH_NN_SUCCESS);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_INT8);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_FLOAT32);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_AXIS, 1);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_QUANT_DTYPE_CAST, 1, &q, 1, in), OH_NN_SUCCESS);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &y), OH_NN_SUCCESS);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_run(&g, gb_buffer(values, sizeof values), gb_buffer(got, sizeof got)), OH_NN_SUCCESS);
    for (i = 0; i < 32; i++)
        cr_assert(fabs((double)got[i] - (double)values[i] - (double)added[i % 16]) <= scales[i % 16] * 0.51,
                  "[%d]: %g for %g", i, (double)got[i], (double)values[i]);
    gb_close(&g);
}

Test(ops_elementwise, softmax_over_any_axis_in_float_and_int8) {
    static const int32_t dims[3] = {3, 7, 5};
    size_t axis, d, i, k;
    for (axis = 0; axis < 3; axis++)
        for (d = 0; d < 4; d++) { /* float; int8 in fixed point; int8 of another output range; logarithm */
            const bool bytes = d == 1 || d == 2;
            tensor in = bytes ? make_s8(3, dims, 0.06, 9) : make(OH_NN_FLOAT32, 3, dims), *from = &in;
            tensor out = d == 1   ? make_s8(3, dims, 1.0 / 256, -128)
                         : d == 2 ? make_s8(3, dims, 1.0 / 200, -100)
                                  : make(OH_NN_FLOAT32, 3, dims);
            const size_t inner = axis == 0 ? 35 : axis == 1 ? 5 : 1, n = (size_t)dims[axis];
            gb_graph g;
            fill(&in, -20, 20);
            gb_open(&g);
            gb_param_i64(&g, d == 3 ? OH_NN_LOG_SOFTMAX_AXIS : OH_NN_SOFTMAX_AXIS, (int64_t)axis - 3);
            cr_assert_eq(run(&g, d == 3 ? OH_NN_OPS_LOG_SOFTMAX : OH_NN_OPS_SOFTMAX, 1, &from, &out), OH_NN_SUCCESS,
                         "%s", nnrt_last_error());
            for (i = 0; i < out.count; i++) {
                const size_t first = i / (inner * n) * inner * n + i % inner;
                double most = -1e9, sum = 0, x;
                for (k = 0; k < n; k++) most = fmax(most, in.real[first + k * inner]);
                for (k = 0; k < n; k++) sum += exp(in.real[first + k * inner] - most);
                x = in.real[i] - most;
                expect(&out, i, d == 3 ? x - log(sum) : exp(x) / sum, 3e-6, 1.0, "softmax");
            }
            gb_close(&g);
            unmake(&in);
            unmake(&out);
        }
}

Test(ops_elementwise, normalisations_are_their_formulas) {
    static const int32_t dims[3] = {2, 4, 6}, channels[1] = {6};
    size_t kind, i, k;
    for (kind = 0; kind < 3;
         kind++) { /* layer over the last axis, instance with channels last, L2 over the last two axes */
        tensor in = make(OH_NN_FLOAT32, 3, dims), scale = make(OH_NN_FLOAT32, 1, channels);
        tensor bias = make(OH_NN_FLOAT32, 1, channels), out = make(OH_NN_FLOAT32, 3, dims), *from[3];
        const OH_NN_OperationType op = kind == 0   ? OH_NN_OPS_LAYER_NORM
                                       : kind == 1 ? OH_NN_OPS_INSTANCE_NORM
                                                   : OH_NN_OPS_L2_NORMALIZE;
        const int64_t axes[2] = {1, 2}, axis = 2;
        gb_graph g;
        fill(&in, -3, 5);
        fill(&scale, -2, 2);
        fill(&bias, -2, 2);
        from[0] = &in;
        from[1] = &scale;
        from[2] = &bias;
        gb_open(&g);
        if (kind == 0) gb_param_rank(&g, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, 1, &axis, 0);
        if (kind == 2) gb_param_i64s(&g, OH_NN_L2_NORMALIZE_AXIS, 2, axes);
        cr_assert_eq(run(&g, op, kind == 2 ? 1 : 3, from, &out), OH_NN_SUCCESS, "%s", nnrt_last_error());
        for (i = 0; i < out.count; i++) {
            const size_t n = kind == 0 ? 6 : kind == 1 ? 4 : 24, step = kind == 1 ? 6 : 1;
            const size_t first = kind == 0 ? i / 6 * 6 : kind == 1 ? i / 24 * 24 + i % 6 : i / 24 * 24;
            double mean = 0, variance = 0, squares = 0;
            for (k = 0; k < n; k++) mean += in.real[first + k * step] / (double)n;
            for (k = 0; k < n; k++) variance += pow(in.real[first + k * step] - mean, 2) / (double)n;
            for (k = 0; k < n; k++) squares += pow(in.real[first + k * step], 2);
            expect(&out, i,
                   kind == 2 ? in.real[i] / sqrt(squares)
                             : (in.real[i] - mean) / sqrt(variance + (kind == 0 ? 1e-7 : 0)) * scale.real[i % 6] +
                                   bias.real[i % 6],
                   1e-5, 0, nnrt__op_name((int)op));
        }
        gb_close(&g);
        unmake(&in);
        unmake(&scale);
        unmake(&bias);
        unmake(&out);
    }
}

Test(ops_elementwise, batch_norm_and_scale_take_constants_in_float_and_int8) {
    static const int32_t dims[3] = {3, 4, 5}, five[1] = {5}, four[1] = {4};
    static const float mean[5] = {1, -2, 0.5f, 3, 0}, variance[5] = {1, 4, 0.25f, 9, 2},
                       factor[5] = {1, 2, -1, 0.5f, 3};
    static const float offset[5] = {0, 1, -1, 2, 0.5f};
    size_t kind, d, i;
    for (kind = 0; kind < 2; kind++)
        for (d = 0; d < 2; d++) {
            tensor in = d == 0 ? make(OH_NN_FLOAT32, 3, dims) : make_s8(3, dims, 0.03, -4);
            tensor out = d == 0 ? make(OH_NN_FLOAT32, 3, dims) : make_s8(3, dims, 0.1, 7);
            const int32_t *shape = kind == 0 ? five : four;
            uint32_t x[5], y;
            gb_graph g;
            fill(&in, -5, 5);
            gb_open(&g);
            x[0] = gb_input(&g, declare(&g, &in));
            x[1] = gb_constant(&g, OH_NN_FLOAT32, 1, shape, factor);
            x[2] = gb_constant(&g, OH_NN_FLOAT32, 1, shape, offset);
            x[3] = gb_constant(&g, OH_NN_FLOAT32, 1, shape, mean);
            x[4] = gb_constant(&g, OH_NN_FLOAT32, 1, shape, variance);
            y = gb_output(&g, declare(&g, &out));
            if (kind == 1) gb_param_i64(&g, OH_NN_SCALE_AXIS, -2);
            if (kind == 1) gb_param_i8(&g, OH_NN_SCALE_ACTIVATIONTYPE, OH_NN_FUSED_RELU);
            cr_assert_eq(gb_op(&g, kind == 0 ? OH_NN_OPS_BATCH_NORM : OH_NN_OPS_SCALE, kind == 0 ? 5 : 3, x, 1, &y),
                         OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_run(&g, gb_buffer(in.data, in.bytes), gb_buffer(out.data, out.bytes)), OH_NN_SUCCESS);
            read_back(&out);
            for (i = 0; i < out.count; i++) {
                const size_t c = kind == 0 ? i % 5 : i / 5 % 4;
                const double real = kind == 0 ? (in.real[i] - (double)mean[c]) / sqrt((double)variance[c] + 0.0001) *
                                                        (double)factor[c] +
                                                    (double)offset[c]
                                              : fmax(in.real[i] * (double)factor[c] + (double)offset[c], 0);
                expect(&out, i, real, 1e-5, 0.51, kind == 0 ? "batch norm" : "scale");
            }
            gb_close(&g);
            unmake(&in);
            unmake(&out);
        }
}

/* Instance norm: [batch, channels, ...] where the input says NCHW or ND, [batch, ..., channels] where it says NHWC or
   nothing. Batch norm: the channels are the last dimension, whatever it says. */
Test(ops_elementwise, the_format_says_where_the_channels_of_instance_norm_are_and_not_those_of_batch_norm) {
    static const OH_NN_Format formats[4] = {OH_NN_FORMAT_NHWC, OH_NN_FORMAT_NONE, OH_NN_FORMAT_NCHW, OH_NN_FORMAT_ND};
    static const int32_t sizes[3][4] = {{2, 3, 4, 5}, {3, 4, 6, 0}, {5, 7, 0, 0}};
    size_t f, d, kind, i, k;
    for (f = 0; f < 4; f++)
        for (d = 0; d < 3; d++)
            for (kind = 0; kind < 2; kind++) {
                const size_t rank = 4 - d, axis = kind == 0 && f >= 2 ? 1 : rank - 1;
                const int32_t *dims = sizes[d], channels[1] = {dims[axis]}, wrong[1] = {dims[axis] + 1};
                tensor in = make(OH_NN_FLOAT32, rank, dims), out = make(OH_NN_FLOAT32, rank, dims);
                float numbers[4][8];
                uint32_t x[5], y;
                size_t inner = 1;
                gb_graph g;
                for (i = axis + 1; i < rank; i++) inner *= (size_t)dims[i];
                for (i = 0; i < 4; i++)
                    for (k = 0; k < 8; k++) numbers[i][k] = (float)noise_between(i == 3 ? 0.5 : -2, 2);
                fill(&in, -3, 3);
                gb_open(&g);
                x[0] = gb_input(&g, gb_tensor_format(&g, OH_NN_FLOAT32, rank, dims, formats[f]));
                for (i = 1; i < 5; i++) x[i] = gb_constant(&g, OH_NN_FLOAT32, 1, channels, numbers[i - 1]);
                y = gb_output(&g, declare(&g, &out));
                if (kind == 0) gb_param_f32(&g, OH_NN_INSTANCE_NORM_EPSILON, 0.5f);
                cr_assert_eq(
                    gb_op(&g, kind == 0 ? OH_NN_OPS_INSTANCE_NORM : OH_NN_OPS_BATCH_NORM, kind == 0 ? 3 : 5, x, 1, &y),
                    OH_NN_SUCCESS, "%s", nnrt_last_error());
                cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
                cr_assert_eq(gb_run(&g, gb_buffer(in.data, in.bytes), gb_buffer(out.data, out.bytes)), OH_NN_SUCCESS);
                read_back(&out);
                for (i = 0; i < out.count; i++) {
                    const size_t c = i / inner % (size_t)dims[axis], batch = in.count / (size_t)dims[0];
                    double mean = (double)numbers[2][c], variance = (double)numbers[3][c], n = 0;
                    if (kind == 0) { /* over all of this image with this channel */
                        mean = variance = 0;
                        for (k = i / batch * batch; k < (i / batch + 1) * batch; k++)
                            if (k / inner % (size_t)dims[axis] == c) mean += in.real[k], n++;
                        mean /= n;
                        for (k = i / batch * batch; k < (i / batch + 1) * batch; k++)
                            if (k / inner % (size_t)dims[axis] == c) variance += pow(in.real[k] - mean, 2) / n;
                    }
                    expect(&out, i,
                           (in.real[i] - mean) / sqrt(variance + (kind == 0 ? 0.5 : 0.0001)) * (double)numbers[0][c] +
                               (double)numbers[1][c],
                           1e-5, 0, kind == 0 ? "instance norm" : "batch norm");
                }
                gb_close(&g);
                gb_open(&g); /* as many numbers as another dimension has are too many */
                x[0] = gb_input(&g, gb_tensor_format(&g, OH_NN_FLOAT32, rank, dims, formats[f]));
                for (i = 1; i < 5; i++) x[i] = gb_constant(&g, OH_NN_FLOAT32, 1, wrong, numbers[i - 1]);
                y = gb_output(&g, declare(&g, &out));
                cr_assert_eq(
                    gb_op(&g, kind == 0 ? OH_NN_OPS_INSTANCE_NORM : OH_NN_OPS_BATCH_NORM, kind == 0 ? 3 : 5, x, 1, &y),
                    OH_NN_SUCCESS, "%s", nnrt_last_error());
                cr_assert_eq(gb_build(&g), OH_NN_FAILED);
                gb_close(&g);
                unmake(&in);
                unmake(&out);
            }
}

/* The window is of 2 * radius + 1 channels, cut where there are no more. */
Test(ops_elementwise, local_response_is_the_sum_of_squares_of_neighbouring_channels) {
    static const int32_t dims[4] = {1, 2, 3, 7}, radii[4] = {0, 2, 6, 1000};
    size_t r, d, i;
    for (r = 0; r < 4; r++)
        for (d = 0; d < 2; d++) {
            tensor in = d == 0 ? make(OH_NN_FLOAT32, 4, dims) : make_s8(4, dims, 0.03, -4);
            tensor out = d == 0 ? make(OH_NN_FLOAT32, 4, dims) : make_s8(4, dims, 0.05, 7);
            uint32_t x, y;
            gb_graph g;
            fill(&in, -3, 3);
            gb_open(&g);
            x = gb_input(&g, declare(&g, &in));
            y = gb_output(&g, declare(&g, &out));
            gb_param_i64(&g, OH_NN_LRN_DEPTH_RADIUS, radii[r]);
            gb_param_f32(&g, OH_NN_LRN_BIAS, 1.5f);
            gb_param_f32(&g, OH_NN_LRN_ALPHA, 0.25f);
            gb_param_f32(&g, OH_NN_LRN_BETA, r % 2 == 0 ? 0.75f : 0.5f);
            gb_param_i32(&g, OH_NN_LRN_NORM_REGION, 0);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_LRN, 1, &x, 1, &y), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_run(&g, gb_buffer(in.data, in.bytes), gb_buffer(out.data, out.bytes)), OH_NN_SUCCESS);
            read_back(&out);
            for (i = 0; i < out.count; i++) {
                const int32_t c = (int32_t)(i % 7);
                double sum = 0;
                int32_t k;
                for (k = 0; k < 7; k++)
                    if (k >= c - radii[r] && k <= c + radii[r])
                        sum += in.real[i - i % 7 + (size_t)k] * in.real[i - i % 7 + (size_t)k];
                expect(&out, i, in.real[i] / pow(1.5 + 0.25 * sum, r % 2 == 0 ? 0.75 : 0.5), 1e-6, 0.51, "lrn");
            }
            gb_close(&g);
            unmake(&in);
            unmake(&out);
        }
}

Test(ops_elementwise, local_response_by_hand_and_what_it_refuses) {
    static const int32_t four[1] = {4};
    const float in[4] = {1, 2, -2, 0},
                radius_one[4] = {1.0f / 6, 2.0f / 10, -2.0f / 9, 0}; /* bias 1, alpha 1, beta 1 */
    float out[4];
    int way;
    for (way = 0; way < 2; way++) {
        uint32_t x, y;
        gb_graph g;
        size_t i;
        gb_open(&g);
        x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, four));
        y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, four));
        gb_param_i64(&g, OH_NN_LRN_DEPTH_RADIUS, way == 0 ? 1 : -1);
        gb_param_f32(&g, OH_NN_LRN_BIAS, 1);
        gb_param_f32(&g, OH_NN_LRN_ALPHA, 1);
        gb_param_f32(&g, OH_NN_LRN_BETA, 1);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_LRN, 1, &x, 1, &y), OH_NN_SUCCESS, "%s", nnrt_last_error());
        if (way == 1) {
            cr_assert_neq(gb_build(&g), OH_NN_SUCCESS);
            cr_assert_not_null(strstr(nnrt_last_error(), "the radius is negative"), "%s", nnrt_last_error());
        } else {
            cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
            cr_assert_eq(gb_run(&g, gb_buffer((void *)(uintptr_t)in, sizeof in), gb_buffer(out, sizeof out)),
                         OH_NN_SUCCESS);
            for (i = 0; i < 4; i++) cr_assert_float_eq((double)out[i], (double)radius_one[i], 1e-7);
        }
        gb_close(&g);
    }
}

/* What ends a keyword spotter: int8 in, int16 out, with 16 bits behind the point. Fixed point with 12 bits before and
   19 behind the point of a sum of up to 30 numbers is within 2^-14 of the result. */
Test(elementwise, softmax_of_int8_may_have_an_int16_output) {
    static const double in_scales[3] = {0.07, 0.3, 0.004};
    int drawn;
    for (drawn = 0; drawn < 60; drawn++) {
        const int32_t dims[2] = {noise_in(1, 4), noise_in(1, 30)}, low = -32768;
        const size_t count = (size_t)(dims[0] * dims[1]);
        const double scale = drawn % 2 != 0 ? 1.0 / 65536 : 1.0 / 65535, in_scale = in_scales[drawn % 3];
        int8_t in[120];
        int16_t out[120];
        gb_graph g;
        uint32_t x, y;
        int32_t r, i;
        for (i = 0; i < dims[0] * dims[1]; i++) in[i] = (int8_t)noise_in(-128, 127);
        gb_open(&g);
        x = gb_input(&g, gb_tensor_s8(&g, 2, dims, in_scale, 3));
        y = gb_output(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_INT16, 2, dims), 1, &scale, &low));
        gb_param_i64(&g, OH_NN_SOFTMAX_AXIS, 1);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_SOFTMAX, 1, &x, 1, &y), OH_NN_SUCCESS);
        cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_eq(gb_run(&g, gb_buffer(in, count), gb_buffer(out, 2 * count)), OH_NN_SUCCESS);
        for (r = 0; r < dims[0]; r++) {
            double sum = 0;
            for (i = 0; i < dims[1]; i++) sum += exp(in_scale * in[r * dims[1] + i]);
            for (i = 0; i < dims[1]; i++) {
                const double wanted = exp(in_scale * in[r * dims[1] + i]) / sum;
                const double got = (out[r * dims[1] + i] + 32768) / 65536.0;
                cr_assert(fabs(got - wanted) <= 1.0 / 16384, "seed %u, drawn %d: %g, not %g", SEED, drawn, got, wanted);
            }
        }
        gb_close(&g);
    }
}

Test(elementwise, softmax_of_int8_with_another_int16_output_is_refused) {
    static const int32_t dims[2] = {1, 3}, zero = 0;
    const double scale = 1.0 / 32768;
    gb_graph g;
    uint32_t x, y;
    gb_open(&g);
    x = gb_input(&g, gb_tensor_s8(&g, 2, dims, 0.1, 3));
    y = gb_output(&g, gb_quantize(&g, gb_tensor(&g, OH_NN_INT16, 2, dims), 1, &scale, &zero));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_SOFTMAX, 1, &x, 1, &y), OH_NN_SUCCESS);
    cr_assert_neq(gb_build(&g), OH_NN_SUCCESS);
    gb_close(&g);
}
