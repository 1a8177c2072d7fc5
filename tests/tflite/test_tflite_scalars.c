/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that a scalar of a .tflite file is one: each operator that makes a scalar or takes one is followed by a PACK
   with another scalar, which takes nothing that has a dimension. What the values are comes from the definitions of
   TensorFlow Lite's reference kernels. */
#include "linked.h"

#include <criterion/criterion.h>

#define SEED 2801u

#include "noise.h"
#include "run_tflite.h"

#include "make_net.h"

#define SUM 74
#define CAST 53
#define PACK 83
#define SHAPE 77
#define RESHAPE 22
#define STRIDED_SLICE 45

static float x[3] = {1.0f, -2.5f, 4.0f};
static const int32_t zero = 0, one = 1, two = 2, three = 3, seven = 7;
static const float three_f = 3.0f, seven_f = 7.0f;
static const uint8_t yes = 1;

static tensor_spec scalar(int type) { return tensor(type, 0, &zero); }

/* What an input of an operator is. */
enum {
    NOTHING,
    VECTOR,  /* x, the input of the model */
    SINGLE,  /* x[1:2] */
    SCALAR,  /* x[1] */
    WHOLE,   /* x[1] as int32 */
    TRUTH,   /* x[1] != 0 */
    TRUTHS,  /* x != 0 */
    NO_ROWS, /* [0] of floats */
    FACTOR,  /* 3.0 */
    AXIS,    /* 0 */
    INDEX,   /* 2 */
    COUNT,   /* 3 */
    INDICES, /* [2] */
    YES,     /* true */
    NO_LIST, /* [] of int32 */
    AXES,    /* [0] */
    KINDS
};

/* x[begin:begin + 1], or x[begin] */
static int32_t element_of_x(net *n, bool shrink) {
    const int64_t options[5] = {0, 0, 0, 0, shrink};
    const int32_t from = net_constant(n, INT32, 1, &one), to = net_constant(n, INT32, 1, &two);
    const int32_t at = net_add(n, STRIDED_SLICE, 0, from, to, shrink ? scalar(FLOAT32) : list(FLOAT32, 1));
    net_also(n, from); /* a stride of 1 */
    net_options(n, 32, 5, options);
    return at;
}

static int32_t operand(net *n, int kind) {
    int32_t s;
    switch (kind) {
    case VECTOR: return 0;
    case SINGLE: return element_of_x(n, false);
    case SCALAR: return element_of_x(n, true);
    case WHOLE: s = element_of_x(n, true); return net_add(n, CAST, s, -1, -1, scalar(INT32));
    case TRUTH: s = element_of_x(n, true); return net_add(n, CAST, s, -1, -1, scalar(BOOL));
    case TRUTHS: return net_add(n, CAST, 0, -1, -1, list(BOOL, 3));
    case NO_ROWS: return net_tensor(n, list(FLOAT32, 0));
    case FACTOR: return net_constant(n, FLOAT32, 0, &three_f);
    case AXIS: return net_constant(n, INT32, 0, &zero);
    case INDEX: return net_constant(n, INT32, 0, &two);
    case COUNT: return net_constant(n, INT32, 0, &three);
    case INDICES: return net_constant(n, INT32, 1, &two);
    case YES: return net_constant(n, BOOL, 0, &yes);
    case NO_LIST: return net_tensor(n, list(INT32, 0));
    case AXES: return net_constant(n, INT32, 1, &zero);
    default: return -1;
    }
}

/* Builds and runs a file with the input x; y gets the outputs, of 4 bytes an element, and ranks and dims what is told
   of the last one. */
static OH_NN_ReturnCode run_net(const net *n, void *const *y, const size_t *sizes, int32_t *dims, size_t *rank) {
    static const off_settings settings = {NULL, NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE};
    const bytes file = make_net(n);
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(file.at, file.size);
    OH_NN_ReturnCode code = off_build(compilation, &settings);
    uint32_t i;
    if (code == OH_NN_SUCCESS) {
        OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
        NN_Tensor *in, *out[NET_ENDS];
        int32_t *shape = NULL;
        cr_assert_not_null(executor, "%s", nnrt_last_error());
        in = off_tensor(OH_NNExecutor_CreateInputTensorDesc(executor, 0), sizeof x);
        memcpy(OH_NNTensor_GetDataBuffer(in), x, sizeof x);
        for (i = 0; i < n->output_count; i++)
            out[i] = result_tensor(OH_NNExecutor_CreateOutputTensorDesc(executor, i), sizes[i]);
        code = OH_NNExecutor_RunSync(executor, &in, 1, out, n->output_count);
        for (i = 0; i < n->output_count && code == OH_NN_SUCCESS; i++)
            memcpy(y[i], OH_NNTensor_GetDataBuffer(out[i]), sizes[i]);
        cr_assert_eq((int)OH_NNTensorDesc_GetShape(OH_NNTensor_GetTensorDesc(out[n->output_count - 1]), &shape, rank),
                     0);
        memcpy(dims, shape, *rank * sizeof dims[0]);
        for (i = 0; i < n->output_count; i++) cr_assert_eq((int)OH_NNTensor_Destroy(&out[i]), 0);
        cr_assert_eq((int)OH_NNTensor_Destroy(&in), 0);
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&compilation);
    free(file.at);
    return code;
}

static double value_of(int type, const void *at) {
    float real;
    int32_t whole;
    memcpy(&real, at, 4);
    memcpy(&whole, at, 4);
    return type == FLOAT32 ? (double)real : type == BOOL ? (double)*(const uint8_t *)at : (double)whole;
}

/* Tensor `at` of n, of that type, is a scalar of that value. */
static void is_scalar(net *n, int32_t at, int type, double value) {
    const int64_t options[2] = {2, 0};
    const int code = n->operators[n->operator_count - 1].code;
    const size_t width = type == BOOL ? 1 : 4;
    uint8_t pack[8] = {0}, alone[4] = {0};
    void *y[2];
    size_t sizes[2], rank = 0;
    int32_t dims[NNRT_MAX_RANK] = {0}, other;
    y[0] = pack;
    y[1] = alone;
    sizes[0] = 2 * width;
    sizes[1] = width;
    other = net_constant(n, type, 0,
                         type == FLOAT32 ? (const void *)&seven_f
                         : type == BOOL  ? (const void *)&yes
                                         : &seven);
    net_output(n, net_add(n, PACK, at, other, -1, list(type, 2)));
    net_options(n, 59, 2, options);
    net_output(n, at);
    cr_assert_eq((int)run_net(n, y, sizes, dims, &rank), 0, "operator %d: %s", code, nnrt_last_error());
    cr_assert_eq(value_of(type, pack), value, "operator %d: %g, not %g", code, value_of(type, pack), value);
    cr_assert_eq(value_of(type, pack + width), type == BOOL ? 1.0 : 7.0, "operator %d", code);
    cr_assert_eq(value_of(type, alone), value, "operator %d alone: %g", code, value_of(type, alone));
    cr_assert(rank == 1 && dims[0] == 1, "operator %d: a scalar output has rank %zu", code, rank);
}

typedef struct row {
    int code, operands[3], type;
    double value;
    int options_type;
    int64_t options[3];
} row;

static net begin(void) {
    net n;
    memset(&n, 0, sizeof n);
    (void)net_input(&n, list(FLOAT32, 3));
    return n;
}

static void each_is_scalar(const row *rows, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        const row *r = &rows[i];
        net n = begin();
        int32_t in[3], at;
        size_t k;
        for (k = 0; k < 3; k++) in[k] = operand(&n, r->operands[k]);
        at = net_add(&n, r->code, in[0], in[1], in[2], scalar(r->type));
        if (r->options_type != 0) net_options(&n, r->options_type, 3, r->options);
        is_scalar(&n, at, r->type, r->value);
    }
}

Test(tflite_scalars, what_removes_the_last_dimension_makes_one) {
    static const row rows[] = {{RESHAPE, {SINGLE, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},
                               {RESHAPE, {SINGLE, NOTHING, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},
                               {SUM, {VECTOR, AXIS, NOTHING}, FLOAT32, 2.5, 0, {0, 0, 0}},
                               {SUM, {VECTOR, AXES, NOTHING}, FLOAT32, 2.5, 27, {0, 0, 0}},
                               {40, {SINGLE, AXIS, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},     /* MEAN */
                               {81, {VECTOR, AXIS, NOTHING}, FLOAT32, -10.0, 0, {0, 0, 0}},    /* REDUCE_PROD */
                               {82, {VECTOR, AXIS, NOTHING}, FLOAT32, 4.0, 0, {0, 0, 0}},      /* REDUCE_MAX */
                               {89, {VECTOR, AXIS, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},     /* REDUCE_MIN */
                               {91, {TRUTHS, AXIS, NOTHING}, BOOL, 1.0, 0, {0, 0, 0}},         /* REDUCE_ANY */
                               {140, {TRUTHS, AXIS, NOTHING}, BOOL, 1.0, 0, {0, 0, 0}},        /* REDUCE_ALL */
                               {56, {VECTOR, AXIS, NOTHING}, INT32, 2.0, 0, {0, 0, 0}},        /* ARG_MAX */
                               {79, {VECTOR, AXIS, NOTHING}, INT32, 1.0, 0, {0, 0, 0}},        /* ARG_MIN */
                               {36, {VECTOR, INDEX, NOTHING}, FLOAT32, 4.0, 23, {0, 0, 0}},    /* GATHER */
                               {107, {VECTOR, INDICES, NOTHING}, FLOAT32, 4.0, 0, {0, 0, 0}},  /* GATHER_ND */
                               {43, {SINGLE, NOTHING, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},  /* SQUEEZE */
                               {88, {SINGLE, NOTHING, NOTHING}, FLOAT32, -2.5, 64, {1, 0, 0}}, /* UNPACK */
                               {110, {VECTOR, NOTHING, NOTHING}, INT32, 1.0, 0, {0, 0, 0}},    /* RANK */
                               {110, {SCALAR, NOTHING, NOTHING}, INT32, 0.0, 0, {0, 0, 0}},    /* RANK */
                               {94, {NO_LIST, SCALAR, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},  /* FILL */
                               {74, {NO_ROWS, AXIS, NOTHING}, FLOAT32, 0.0, 0, {0, 0, 0}},     /* SUM of nothing */
                               {81, {NO_ROWS, AXIS, NOTHING}, FLOAT32, 1.0, 0, {0, 0, 0}}};
    each_is_scalar(rows, NNRT__COUNT_OF(rows));
}

Test(tflite_scalars, what_leaves_shapes_alone_leaves_them_scalars) {
    static const row rows[] = {{0, {SCALAR, FACTOR, NOTHING}, FLOAT32, 0.5, 11, {0, 0, 0}},    /* ADD */
                               {41, {SCALAR, SCALAR, NOTHING}, FLOAT32, 0.0, 28, {0, 0, 0}},   /* SUB */
                               {18, {SCALAR, FACTOR, NOTHING}, FLOAT32, -7.5, 21, {0, 0, 0}},  /* MUL */
                               {18, {SCALAR, FACTOR, NOTHING}, FLOAT32, 0.0, 21, {1, 0, 0}},   /* MUL and RELU */
                               {42, {SCALAR, SCALAR, NOTHING}, FLOAT32, 1.0, 29, {0, 0, 0}},   /* DIV */
                               {55, {SCALAR, FACTOR, NOTHING}, FLOAT32, 3.0, 0, {0, 0, 0}},    /* MAXIMUM */
                               {57, {SCALAR, FACTOR, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},   /* MINIMUM */
                               {99, {SCALAR, FACTOR, NOTHING}, FLOAT32, 30.25, 0, {0, 0, 0}},  /* SQUARED_DIFFERENCE */
                               {78, {FACTOR, FACTOR, NOTHING}, FLOAT32, 27.0, 0, {0, 0, 0}},   /* POW of constants */
                               {90, {SCALAR, FACTOR, NOTHING}, FLOAT32, -1.0, 0, {0, 0, 0}},   /* FLOOR_DIV */
                               {90, {WHOLE, INDEX, NOTHING}, INT32, -1.0, 0, {0, 0, 0}},       /* FLOOR_DIV of int32 */
                               {95, {WHOLE, COUNT, NOTHING}, INT32, 1.0, 0, {0, 0, 0}},        /* FLOOR_MOD of int32 */
                               {95, {SCALAR, FACTOR, NOTHING}, FLOAT32, 0.5, 0, {0, 0, 0}},    /* FLOOR_MOD */
                               {106, {SCALAR, FACTOR, SCALAR}, FLOAT32, -2.0, 0, {0, 0, 0}},   /* ADD_N */
                               {106, {SCALAR, NOTHING, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}}, /* ADD_N of one */
                               {158, {SCALAR, NOTHING, NOTHING}, FLOAT32, -1.0, 0, {0, 0, 0}}, /* SIGN */
                               {101, {SCALAR, NOTHING, NOTHING}, FLOAT32, 2.5, 0, {0, 0, 0}},  /* ABS */
                               {59, {WHOLE, NOTHING, NOTHING}, INT32, 2.0, 0, {0, 0, 0}},      /* NEG */
                               {8, {SCALAR, NOTHING, NOTHING}, FLOAT32, -3.0, 0, {0, 0, 0}},   /* FLOOR */
                               {19, {SCALAR, NOTHING, NOTHING}, FLOAT32, 0.0, 0, {0, 0, 0}},   /* RELU */
                               {20, {SCALAR, NOTHING, NOTHING}, FLOAT32, -1.0, 0, {0, 0, 0}},  /* RELU_N1_TO_1 */
                               {98, {SCALAR, NOTHING, NOTHING}, FLOAT32, 0.0, 0, {0, 0, 0}},   /* LEAKY_RELU */
                               {CAST, {SCALAR, NOTHING, NOTHING}, INT32, -2.0, 0, {0, 0, 0}},
                               {61, {SCALAR, FACTOR, NOTHING}, BOOL, 0.0, 0, {0, 0, 0}},     /* GREATER */
                               {58, {SCALAR, FACTOR, NOTHING}, BOOL, 1.0, 0, {0, 0, 0}},     /* LESS */
                               {71, {SCALAR, SCALAR, NOTHING}, BOOL, 1.0, 0, {0, 0, 0}},     /* EQUAL */
                               {86, {TRUTH, YES, NOTHING}, BOOL, 1.0, 0, {0, 0, 0}},         /* LOGICAL_AND */
                               {87, {TRUTH, NOTHING, NOTHING}, BOOL, 0.0, 0, {0, 0, 0}},     /* LOGICAL_NOT */
                               {64, {TRUTH, SCALAR, FACTOR}, FLOAT32, -2.5, 0, {0, 0, 0}},   /* SELECT */
                               {123, {TRUTH, SCALAR, FACTOR}, FLOAT32, -2.5, 0, {0, 0, 0}},  /* SELECT_V2 */
                               {93, {SCALAR, NOTHING, NOTHING}, FLOAT32, 0.0, 0, {0, 0, 0}}, /* ZEROS_LIKE */
                               {93, {WHOLE, NOTHING, NOTHING}, INT32, 0.0, 0, {0, 0, 0}},
                               {SUM, {SCALAR, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},
                               {RESHAPE, {SCALAR, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},
                               {69, {SCALAR, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},   /* TILE */
                               {39, {SCALAR, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}},   /* TRANSPOSE */
                               {130, {SCALAR, NO_LIST, NOTHING}, FLOAT32, -2.5, 0, {0, 0, 0}}}; /* BROADCAST_TO */
    each_is_scalar(rows, NNRT__COUNT_OF(rows));
}

/* What is made of them has the dimensions that it should have, and no more. */
Test(tflite_scalars, what_takes_them_gives_the_shape_that_they_have_none_of) {
    static const struct {
        int code, operands[3], type;
        uint32_t rank;
        int32_t dims[2];
        double values[4];
        int options_type;
        int64_t options[2];
    } rows[] = {{70, {SCALAR, AXIS, NOTHING}, FLOAT32, 1, {1, 0}, {-2.5, 0, 0, 0}, 0, {0, 0}}, /* EXPAND_DIMS */
                {PACK, {SCALAR, NOTHING, NOTHING}, FLOAT32, 1, {1, 0}, {-2.5, 0, 0, 0}, 59, {1, 0}},
                {PACK, {SCALAR, FACTOR, SCALAR}, FLOAT32, 1, {3, 0}, {-2.5, 3, -2.5, 0}, 59, {3, 0}},
                {94, {INDICES, SCALAR, NOTHING}, FLOAT32, 1, {2, 0}, {-2.5, -2.5, 0, 0}, 0, {0, 0}},  /* FILL */
                {96, {AXIS, COUNT, INDEX}, INT32, 1, {2, 0}, {0, 2, 0, 0}, 0, {0, 0}},                /* RANGE */
                {130, {SCALAR, INDICES, NOTHING}, FLOAT32, 1, {2, 0}, {-2.5, -2.5, 0, 0}, 0, {0, 0}}, /* BROADCAST_TO */
                {0, {SCALAR, VECTOR, NOTHING}, FLOAT32, 1, {3, 0}, {-1.5, -5, 1.5, 0}, 11, {0, 0}},   /* ADD */
                {123, {TRUTH, VECTOR, SCALAR}, FLOAT32, 1, {3, 0}, {1, -2.5, 4, 0}, 0, {0, 0}},       /* SELECT_V2 */
                {36, {VECTOR, INDICES, NOTHING}, FLOAT32, 1, {1, 0}, {4, 0, 0, 0}, 23, {0, 0}}};      /* GATHER */
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        net n = begin();
        int32_t in[3], dims[NNRT_MAX_RANK];
        uint8_t y[16];
        void *out = y;
        size_t rank = 0, count = (size_t)rows[i].dims[0], size = 4 * count;
        for (k = 0; k < 3; k++) in[k] = operand(&n, rows[i].operands[k]);
        net_output(&n,
                   net_add(&n, rows[i].code, in[0], in[1], in[2], tensor(rows[i].type, rows[i].rank, rows[i].dims)));
        if (rows[i].options_type != 0) net_options(&n, rows[i].options_type, 2, rows[i].options);
        cr_assert_eq((int)run_net(&n, &out, &size, dims, &rank), 0, "row %zu: %s", i, nnrt_last_error());
        cr_assert_eq(rank, rows[i].rank, "row %zu", i);
        for (k = 0; k < count; k++)
            cr_assert_eq(value_of(rows[i].type, y + 4 * k), rows[i].values[k], "row %zu: %g", i,
                         value_of(rows[i].type, y + 4 * k));
    }
}

/* As Keras converts Flatten: tf.reshape(x, tf.stack([tf.shape(x)[0], 3])), with and without a product between. */
Test(tflite_scalars, shape_slice_pack_reshape_is_flatten) {
    static const int32_t flat[2] = {1, 3};
    const int64_t shrink[5] = {0, 0, 0, 0, 1}, options[2] = {2, 0};
    int product;
    for (product = 0; product < 2; product++) {
        net n = begin();
        const int32_t shape = net_add(&n, SHAPE, 0, -1, -1, list(INT32, 1));
        const int32_t from = net_constant(&n, INT32, 1, &zero), to = net_constant(&n, INT32, 1, &one);
        int32_t dim = net_add(&n, STRIDED_SLICE, shape, from, to, scalar(INT32)),
                rows = net_constant(&n, INT32, 0, &one);
        float y[3];
        void *out = y;
        size_t size = sizeof y, rank = 0;
        int32_t dims[NNRT_MAX_RANK];
        net_also(&n, to);
        net_options(&n, 32, 5, shrink);
        if (product == 1) dim = net_add(&n, 18, dim, rows, -1, scalar(INT32));
        dim = net_add(&n, PACK, rows, dim, -1, list(INT32, 2));
        net_options(&n, 59, 2, options);
        net_output(&n, net_add(&n, RESHAPE, 0, dim, -1, tensor(FLOAT32, 2, flat)));
        cr_assert_eq((int)run_net(&n, &out, &size, dims, &rank), 0, "%s", nnrt_last_error());
        cr_assert(rank == 2 && dims[0] == 1 && dims[1] == 3);
        cr_assert_arr_eq(y, x, sizeof x);
    }
}

/* Bytes: QUANTIZE, arithmetic of int8 and uint8, DEQUANTIZE. */
Test(tflite_scalars, bytes_are_scalars_too) {
    static const int types[] = {INT8, 3};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++) {
        net n = begin();
        tensor_spec quantized = scalar(types[i]);
        int32_t at = operand(&n, SCALAR);
        const int64_t none[2] = {0, 0};
        quantized.scale = 0.5f;
        quantized.zero = types[i] == INT8 ? 0 : 128;
        at = net_add(&n, 114, at, -1, -1, quantized);
        at = net_add(&n, 0, at, at, -1, quantized);
        net_options(&n, 11, 2, none);
        at = net_add(&n, 6, at, -1, -1, scalar(FLOAT32));
        is_scalar(&n, at, FLOAT32, -5.0);
    }
}

/* What does not hold one element becomes no scalar. */
Test(tflite_scalars, of_several_elements_there_is_no_scalar) {
    net n = begin();
    float y[3];
    void *out = y;
    size_t size = 4, rank = 0;
    int32_t dims[NNRT_MAX_RANK];
    net_output(&n, net_add(&n, RESHAPE, 0, net_tensor(&n, list(INT32, 0)), -1, scalar(FLOAT32)));
    cr_assert_neq((int)run_net(&n, &out, &size, dims, &rank), 0);
    cr_assert_not_null(strstr(nnrt_last_error(), "the shape does not hold as many elements as the input"), "%s",
                       nnrt_last_error());
}

/* A scalar is also what a model is given, and what it gives back unchanged. */
Test(tflite_scalars, inputs_and_copies_of_them_are_scalars) {
    const tensor_spec given = scalar(FLOAT32);
    spec s = operator_of(101, 1, &given, given); /* ABS */
    float y[1];
    memory in = mem(&x[1], 4), out = mem(y, 4);
    run(&s, &in, 1, &out, 1);
    cr_assert_eq(y[0], 2.5f);
    s.model_outputs[0] = 0;
    s.model_output_count = 1;
    run(&s, &in, 1, &out, 1);
    cr_assert_eq(y[0], -2.5f);
}
