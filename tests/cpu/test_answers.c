/* SPDX-License-Identifier: Apache-2.0 */
/* test_answers.c - what the CPU device reports before a run: the ranges of dynamic dimensions, the operators it has,
   the reason for each that it lacks, and the code of every refusal. */
#include "linked.h"

#include "graph_builder.h"
#include "mock_device.h"

#define FLOAT32 OH_NN_FLOAT32

enum {
    GIB = 1 << 30,
    OTHER_SCALE = 9 /* one scale, that no other tensor of a row has */
};

/* --------------------------------------------------------------------------------------------------- ranges */

typedef struct range_row {
    OH_NN_DataType dtype;
    size_t rank;
    int32_t dims[4], most[4];
} range_row;

static const range_row range_rows[] = {{FLOAT32, 1, {-1}, {GIB / 4}},
                                       {OH_NN_UINT8, 1, {-1}, {GIB}},
                                       {FLOAT32, 2, {-1, 1000}, {GIB / 4000, 1000}},
                                       {FLOAT32, 4, {-1, 1024, 1024, 3}, {GIB / 4 / 1024 / 1024 / 3, 1024, 1024, 3}},
                                       {OH_NN_INT8, 4, {-1, -1, -1, 3}, {GIB / 3, GIB / 3, GIB / 3, 3}},
                                       {OH_NN_FLOAT64, 4, {1, -1, -1, 16}, {1, GIB / 128, GIB / 128, 16}},
                                       {FLOAT32, 2, {-1, GIB / 4}, {1, GIB / 4}},
                                       {FLOAT32, 2, {-1, GIB / 2}, {1, GIB / 2}}};

/* An executor of ABS of one such tensor. */
static OH_NNExecutor *abs_of(gb_graph *g, const range_row *row) {
    uint32_t x, y;
    gb_open(g);
    x = gb_input(g, gb_tensor(g, row->dtype, row->rank, row->dims));
    y = gb_output(g, gb_tensor(g, row->dtype, row->rank, row->dims));
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_ABS, 1, &x, 1, &y), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_build(g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    return g->executor;
}

Test(answers, a_dynamic_dimension_can_be_as_large_as_a_tensor_of_1_gib_allows) {
    size_t i, k;
    for (i = 0; i < sizeof(range_rows) / sizeof(range_rows[0]); i++) {
        const range_row *row = &range_rows[i];
        size_t *least = NULL, *most = NULL, rank = 0;
        gb_graph g;
        OH_NNExecutor *executor = abs_of(&g, row);
        cr_assert_eq((int)OH_NNExecutor_GetInputDimRange(executor, 0, &least, &most, &rank), (int)OH_NN_SUCCESS);
        cr_assert_eq(rank, row->rank);
        for (k = 0; k < rank; k++) {
            cr_assert_eq(least[k], row->dims[k] == -1 ? 1u : (size_t)row->dims[k], "row %zu", i);
            cr_assert_eq(most[k], (size_t)row->most[k], "row %zu: %zu", i, most[k]);
        }
        gb_close(&g);
    }
}

/* Each maximum with the others at their minimum; one more is refused by the tensor and by the run. */
Test(answers, the_largest_value_of_a_dimension_can_be_allocated_and_one_more_cannot) {
    size_t i, k;
    for (i = 0; i + 1 < sizeof(range_rows) / sizeof(range_rows[0]); i++) {
        const range_row *row = &range_rows[i];
        size_t *least = NULL, *most = NULL, rank = 0, n;
        int32_t dims[4];
        gb_graph g;
        OH_NNExecutor *executor = abs_of(&g, row);
        cr_assert_eq((int)OH_NNExecutor_GetInputDimRange(executor, 0, &least, &most, &rank), (int)OH_NN_SUCCESS);
        for (k = 0; k < rank; k++) {
            NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
            NN_Tensor *tensor;
            if (row->dims[k] != -1) {
                OH_NNTensorDesc_Destroy(&desc);
                continue;
            }
            for (n = 0; n < rank; n++) dims[n] = (int32_t)(n == k ? most[n] : least[n]);
            cr_assert_eq((int)OH_NNTensorDesc_SetShape(desc, dims, rank), (int)OH_NN_SUCCESS);
            tensor = OH_NNTensor_Create(gb_device(), desc);
            cr_assert_not_null(tensor, "row %zu: %s", i, nnrt_last_error());
            cr_assert_eq((int)OH_NNTensor_Destroy(&tensor), (int)OH_NN_SUCCESS);
            cr_assert_eq((int)nnrt__check_input_shape(executor, 0, (uint32_t)rank, dims), (int)OH_NN_SUCCESS);
            dims[k]++;
            cr_assert_eq((int)nnrt__check_input_shape(executor, 0, (uint32_t)rank, dims), (int)OH_NN_INVALID_PARAMETER);
            cr_assert_eq((int)OH_NNTensorDesc_SetShape(desc, dims, rank), (int)OH_NN_SUCCESS);
            cr_assert_null(OH_NNTensor_Create(gb_device(), desc), "row %zu", i);
            OH_NNTensorDesc_Destroy(&desc);
        }
        gb_close(&g);
    }
}

/* ---------------------------------------------------------------------------------------------- reasons */

/* ABS of float32, of float64 and of uint16 one behind another, and FLOOR: two that the CPU device lacks. */
static void four_operators(gb_graph *g) {
    static const OH_NN_DataType types[4] = {FLOAT32, OH_NN_FLOAT64, OH_NN_UINT16, FLOAT32};
    static const int32_t dims[2] = {2, 3};
    uint32_t x, y, i;
    gb_open(g);
    for (i = 0; i < 4; i++) {
        x = gb_input(g, gb_tensor(g, types[i], 2, dims));
        y = gb_output(g, gb_tensor(g, types[i], 2, dims));
        cr_assert_eq((int)gb_op(g, i == 3 ? OH_NN_OPS_FLOOR : OH_NN_OPS_ABS, 1, &x, 1, &y), (int)OH_NN_SUCCESS);
    }
}

Test(answers, each_operator_that_the_device_lacks_has_a_reason_of_its_own) {
    const bool *can = NULL;
    uint32_t count = 0, i;
    char text[256];
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, gb_device(), &can, &count), (int)OH_NN_SUCCESS);
    cr_assert_eq(count, 4u);
    for (i = 0; i < count; i++) {
        (void)nnrt_backend_fail(OH_NN_FAILED, "old");
        cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), i, text, sizeof(text)), (int)OH_NN_SUCCESS);
        cr_assert_str_eq(nnrt_last_error(), "old");
        cr_assert_eq(can[i], i == 0 || i == 3, "operator %u", i);
        cr_assert_eq(text[0] == '\0', can[i], "operator %u: %s", i, text);
        if (i == 1) cr_assert_not_null(strstr(text, "inputs: float64 [2,3]"), "%s", text);
        if (i == 2) cr_assert_not_null(strstr(text, "inputs: uint16 [2,3]"), "%s", text);
    }
    gb_close(&g);
}

Test(answers, a_reason_is_what_the_device_says_and_fits_any_room) {
    char *text;
    size_t size, id = 0;
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    mock.refused = OH_NN_OPS_FLOOR;
    cr_assert_eq((int)nnrt_register_backend(&mock_backend, &id), (int)OH_NN_SUCCESS);
    for (size = 1; size < 40; size++) {
        static const char said[] = "mock: not this operator";
        text = (char *)malloc(size);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, id, 3, text, size), (int)OH_NN_SUCCESS);
        cr_assert_eq(strlen(text), size - 1 < sizeof(said) - 1 ? size - 1 : sizeof(said) - 1);
        cr_assert_eq(strncmp(text, said, strlen(text)), 0, "%s", text);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, id, 0, text, size), (int)OH_NN_SUCCESS);
        cr_assert_str_eq(text, "");
        free(text);
    }
    gb_close(&g);
}

static OH_NN_ReturnCode say_nothing(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return OH_NN_UNSUPPORTED;
}

Test(answers, a_device_that_gives_no_reason_is_said_to_give_none) {
    static nnrt_backend silent, open_to_all;
    size_t silent_id = 0, open_id = 0;
    char text[256];
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    silent = open_to_all = mock_backend;
    silent.name = "silent";
    silent.supports = say_nothing;
    open_to_all.name = "open";
    open_to_all.supports = NULL;
    cr_assert_eq((int)nnrt_register_backend(&silent, &silent_id), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)nnrt_register_backend(&open_to_all, &open_id), (int)OH_NN_SUCCESS);
    (void)nnrt_backend_fail(OH_NN_FAILED, "of something else");
    cr_assert_eq((int)nnrt_model_get_reason(g.model, silent_id, 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
    cr_assert_str_eq(text, "device silent_tests_1 gave no reason");
    cr_assert_eq((int)nnrt_model_get_reason(g.model, open_id, 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
    cr_assert_str_eq(text, "");
    gb_close(&g);
}

Test(answers, a_reason_cannot_be_asked_for_nothing) {
    char text[8] = "before";
    gb_graph g;
    four_operators(&g);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, text, 8), (int)OH_NN_OPERATION_FORBIDDEN);
    cr_assert_eq((int)gb_finish(&g), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)nnrt_model_get_reason(NULL, 0, 0, text, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, NULL, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 0, text, 0), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 0, 4, text, 8), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_not_null(strstr(nnrt_last_error(), "there is no operation 4, the model has 4"));
    cr_assert_eq((int)nnrt_model_get_reason(g.model, 12345, 0, text, 8), (int)OH_NN_FAILED);
    cr_assert_str_eq(text, "before");
    gb_close(&g);
}
/* ----------------------------------------------------------------------------------------- every refusal */

/* A tensor of a row: dims, whether it is a constant of zeros, how many scales it has. */
typedef struct operand {
    OH_NN_DataType dtype;
    size_t rank;
    int32_t dims[4];
    bool constant;
    size_t scales;
} operand;

typedef struct refusal {
    OH_NN_OperationType op;
    OH_NN_ReturnCode code; /* UNSUPPORTED: no such operator here; FAILED: shapes and types contradict each other */
    const char *reason;
    uint32_t input_count;
    operand inputs[3], output;
    void (*params)(gb_graph *g);
} refusal;

static void conv_params(gb_graph *g) {
    const int64_t ones[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, ones);
    gb_param_i64s(g, OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i64s(g, OH_NN_CONV2D_DILATION, 2, ones);
}

static void pool_params(gb_graph *g) {
    const int64_t twos[2] = {2, 2};
    gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, twos);
    gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, twos);
    gb_param_i8(g, OH_NN_AVG_POOL_PAD_MODE, 1);
}

static void large_pool_params(gb_graph *g) {
    const int64_t large[2] = {32768, 32768}, ones[2] = {1, 1};
    gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, large);
    gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, ones);
    gb_param_i8(g, OH_NN_AVG_POOL_PAD_MODE, 0);
}

static void resize_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 4);
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 4);
}

static void cast_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_FLOAT32);
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_UINT16);
}

static void one_third_axis(gb_graph *g) {
    const int64_t axes[2] = {0, 2};
    gb_param_i64s(g, OH_NN_L2_NORMALIZE_AXIS, 2, axes);
}

#define F32(...) \
    { OH_NN_FLOAT32, __VA_ARGS__ }
#define S8(...) \
    { OH_NN_INT8, __VA_ARGS__ }
#define REAL "it takes float32, or int8 and uint8 with one scale and zero point"
#define UNSUPPORTED OH_NN_UNSUPPORTED
#define WRONG OH_NN_FAILED
#define IMAGE \
    4, { 1, 2, 2, 1 }
#define ROWS \
    2, { 2, 3 }

static const refusal refusals[] = {
    /* element by element */
    {OH_NN_OPS_RELU, UNSUPPORTED, REAL, 1, {{OH_NN_FLOAT64, ROWS, 0, 0}}, {OH_NN_FLOAT64, ROWS, 0, 0}, NULL},
    {OH_NN_OPS_RELU, UNSUPPORTED, REAL, 1, {S8(ROWS, 0, 0)}, S8(ROWS, 0, 0), NULL},
    {OH_NN_OPS_RELU, UNSUPPORTED, REAL, 1, {S8(ROWS, 0, 2)}, S8(ROWS, 0, 1), NULL},
    {OH_NN_OPS_RELU, WRONG, "the data types of inputs and output differ", 1, {F32(ROWS, 0, 0)}, S8(ROWS, 0, 1), NULL},
    {OH_NN_OPS_ADD,
     UNSUPPORTED,
     "it takes float32, quantized",
     2,
     {{OH_NN_FLOAT64, ROWS, 0, 0}, {OH_NN_FLOAT64, ROWS, 0, 0}},
     {OH_NN_FLOAT64, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_ADD,
     WRONG,
     "a quantized tensor and one of another type are not promoted",
     2,
     {S8(ROWS, 0, 1), F32(ROWS, 0, 0)},
     F32(ROWS, 0, 0),
     NULL},
    {OH_NN_OPS_ADD,
     WRONG,
     "the output has not the data type of the inputs",
     2,
     {F32(ROWS, 0, 0), F32(ROWS, 0, 0)},
     {OH_NN_INT32, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_POW,
     UNSUPPORTED,
     "it takes float32, quantized",
     2,
     {{OH_NN_INT32, ROWS, 0, 0}, {OH_NN_INT32, ROWS, 0, 0}},
     {OH_NN_INT32, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_LESS,
     UNSUPPORTED,
     "it takes float32, int32, int64",
     2,
     {{OH_NN_FLOAT64, ROWS, 0, 0}, {OH_NN_FLOAT64, ROWS, 0, 0}},
     {OH_NN_BOOL, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_LESS,
     UNSUPPORTED,
     "quantized per tensor or not",
     2,
     {S8(ROWS, 0, 2), S8(ROWS, 0, 2)},
     {OH_NN_BOOL, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_LESS,
     WRONG,
     "a quantized tensor and one of another type are not promoted",
     2,
     {S8(ROWS, 0, 1), F32(ROWS, 0, 0)},
     {OH_NN_BOOL, ROWS, 0, 0},
     NULL},
    {OH_NN_OPS_LESS,
     WRONG,
     "the output is not declared as bool",
     2,
     {F32(ROWS, 0, 0), F32(ROWS, 0, 0)},
     F32(ROWS, 0, 0),
     NULL},
    {OH_NN_OPS_QUANT_DTYPE_CAST,
     UNSUPPORTED,
     "it converts between float32, int8, uint8, int16 and quantized int32",
     1,
     {F32(ROWS, 0, 0)},
     {OH_NN_UINT16, ROWS, 0, 1},
     cast_params},
    /* rows */
    {OH_NN_OPS_L2_NORMALIZE,
     UNSUPPORTED,
     "its axes must be neighbours",
     1,
     {F32(3, {2, 3, 4}, 0, 0)},
     F32(3, {2, 3, 4}, 0, 0),
     one_third_axis},
    {OH_NN_OPS_BIAS_ADD,
     UNSUPPORTED,
     "the bias is neither float32 nor a constant",
     2,
     {F32(ROWS, 0, 0), {OH_NN_INT32, 1, {3}, 0, 0}},
     F32(ROWS, 0, 0),
     NULL},
    {OH_NN_OPS_BIAS_ADD,
     WRONG,
     "the bias has not one element",
     2,
     {F32(ROWS, 0, 0), F32(1, {2}, 1, 0)},
     F32(ROWS, 0, 0),
     NULL},
    /* convolution and its kin */
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "data types must be int8, uint8 with one scale for each tensor, float32, or float32 or int16 with int8 "
     "weights",
     3,
     {{OH_NN_FLOAT64, IMAGE, 0, 0}, {OH_NN_FLOAT64, 4, {1, 1, 1, 1}, 1, 0}, F32(1, {1}, 1, 0)},
     {OH_NN_FLOAT64, IMAGE, 0, 0},
     conv_params},
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "the weights must be constant",
     3,
     {F32(IMAGE, 0, 0), F32(4, {1, 1, 1, 1}, 0, 0), F32(1, {1}, 1, 0)},
     F32(IMAGE, 0, 0),
     conv_params},
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "the bias must be constant",
     3,
     {F32(IMAGE, 0, 0), F32(4, {1, 1, 1, 1}, 1, 0), F32(1, {1}, 0, 0)},
     F32(IMAGE, 0, 0),
     conv_params},
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "the bias must be int32 for int8",
     3,
     {F32(IMAGE, 0, 0), F32(4, {1, 1, 1, 1}, 1, 0), {OH_NN_INT32, 1, {1}, 1, 0}},
     F32(IMAGE, 0, 0),
     conv_params},
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "int8 weights need one scale",
     3,
     {S8(IMAGE, 0, 1), S8(4, {1, 1, 1, 1}, 1, 2), {OH_NN_INT32, 1, {1}, 1, 0}},
     S8(IMAGE, 0, 1),
     conv_params},
    {OH_NN_OPS_CONV2D,
     UNSUPPORTED,
     "int8 activations need one scale and one zero point",
     3,
     {S8(IMAGE, 0, 0), S8(4, {1, 1, 1, 1}, 1, 1), {OH_NN_INT32, 1, {1}, 1, 0}},
     S8(IMAGE, 0, 1),
     conv_params},
    {OH_NN_OPS_CONV2D,
     WRONG,
     "the bias must have one value per output channel",
     3,
     {F32(IMAGE, 0, 0), F32(4, {1, 1, 1, 1}, 1, 0), F32(1, {2}, 1, 0)},
     F32(IMAGE, 0, 0),
     conv_params},
    {OH_NN_OPS_FULL_CONNECTION,
     WRONG,
     "the weights must have two dimensions",
     2,
     {F32(2, {1, 3}, 0, 0), F32(1, {3}, 1, 0)},
     F32(2, {1, 1}, 0, 0),
     NULL},
    {OH_NN_OPS_FULL_CONNECTION,
     WRONG,
     "the weights must have two dimensions",
     2,
     {F32(2, {1, 3}, 0, 0), F32(3, {1, 1, 3}, 1, 0)},
     F32(2, {1, 1}, 0, 0),
     NULL},
    {OH_NN_OPS_FULL_CONNECTION,
     WRONG,
     "the input is not whole rows",
     2,
     {F32(2, {1, 4}, 0, 0), F32(2, {2, 3}, 1, 0)},
     F32(2, {1, 2}, 0, 0),
     NULL},
    {OH_NN_OPS_AVG_POOL,
     UNSUPPORTED,
     "input and output must both be int8, both be int16 or both be float32",
     1,
     {{OH_NN_FLOAT64, IMAGE, 0, 0}},
     {OH_NN_FLOAT64, 4, {1, 1, 1, 1}, 0, 0},
     pool_params},
    {OH_NN_OPS_AVG_POOL,
     UNSUPPORTED,
     "must both have one scale and one zero point, or none",
     1,
     {S8(IMAGE, 0, 1)},
     S8(4, {1, 1, 1, 1}, 0, 0),
     pool_params},
    {OH_NN_OPS_AVG_POOL,
     UNSUPPORTED,
     "the window has more cells than the kernels can add",
     1,
     {F32(IMAGE, 0, 0)},
     F32(IMAGE, 0, 0),
     large_pool_params},
    /* movement */
    {OH_NN_OPS_RESIZE_BILINEAR,
     UNSUPPORTED,
     "there is no kernel for this data type",
     1,
     {{OH_NN_UINT8, IMAGE, 0, 0}},
     {OH_NN_UINT8, 4, {1, 4, 4, 1}, 0, 0},
     resize_params},
    {OH_NN_OPS_RESIZE_BILINEAR,
     WRONG,
     "the input does not have 4 dimensions",
     1,
     {F32(ROWS, 0, 0)},
     F32(4, {1, 4, 4, 1}, 0, 0),
     resize_params},
    {OH_NN_OPS_RESHAPE,
     UNSUPPORTED,
     "the input that gives the axes, shape or range depends on a model input of more than 1 KiB",
     2,
     {F32(ROWS, 0, 0), {OH_NN_INT32, 1, {257}, 0, 0}},
     F32(1, {6}, 0, 0),
     NULL},
    {OH_NN_OPS_REDUCE_MAX,
     UNSUPPORTED,
     "input and output must have the same quantization",
     2,
     {S8(ROWS, 0, 1), {OH_NN_INT32, 1, {1}, 1, 0}},
     S8(1, {3}, 0, OTHER_SCALE),
     NULL},
    {OH_NN_OPS_REDUCE_MAX,
     UNSUPPORTED,
     "there is no kernel for this data type",
     2,
     {{OH_NN_FLOAT64, ROWS, 0, 0}, {OH_NN_INT32, 1, {1}, 1, 0}},
     {OH_NN_FLOAT64, 1, {3}, 0, 0},
     NULL},
    {OH_NN_OPS_REDUCE_ALL,
     UNSUPPORTED,
     "the input must be bool",
     2,
     {F32(ROWS, 0, 0), {OH_NN_INT32, 1, {1}, 1, 0}},
     {OH_NN_BOOL, 1, {3}, 0, 0},
     NULL},
    {OH_NN_OPS_ARG_MAX,
     UNSUPPORTED,
     "there is no kernel for this data type",
     1,
     {{OH_NN_FLOAT64, ROWS, 0, 0}},
     {OH_NN_INT32, 1, {2}, 0, 0},
     NULL}};

static uint32_t add_operand(gb_graph *g, const operand *o, bool output) {
    static const uint8_t zeros[256];
    const double scales[4] = {0.5, 0.5, 0.5, 0.5}, other = 0.25;
    uint32_t tensor =
        o->constant ? gb_constant(g, o->dtype, o->rank, o->dims, zeros) : gb_tensor(g, o->dtype, o->rank, o->dims);
    if (o->scales == OTHER_SCALE) (void)gb_quantize(g, tensor, 1, &other, NULL);
    else if (o->scales != 0) (void)gb_quantize(g, tensor, o->scales, scales, NULL);
    if (!o->constant) (void)(output ? gb_output(g, tensor) : gb_input(g, tensor));
    return tensor;
}

/* What the device lacks and what contradicts itself: GetAvailableOperations says no, the reason tells why, and Build
   answers OH_NN_FAILED with the same sentence. */
Test(answers, every_operator_that_is_refused_is_refused_by_its_code_and_its_reason) {
    size_t i;
    for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const refusal *row = &refusals[i];
        const bool *can = NULL;
        uint32_t in[3], out, count = 0, k;
        char text[256];
        gb_graph g;
        gb_open(&g);
        for (k = 0; k < row->input_count; k++) in[k] = add_operand(&g, &row->inputs[k], false);
        out = add_operand(&g, &row->output, true);
        if (row->params != NULL) row->params(&g);
        cr_assert_eq((int)gb_op(&g, row->op, row->input_count, in, 1, &out), (int)OH_NN_SUCCESS, "row %zu: %s", i,
                     nnrt_last_error());
        cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED, "row %zu, %s", i, row->reason);
        cr_assert_not_null(strstr(nnrt_last_error(), row->reason), "row %zu, not \"%s\": %s", i, row->reason,
                           nnrt_last_error());
        cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, gb_device(), &can, &count), (int)OH_NN_SUCCESS);
        cr_assert(!can[0], "row %zu, %s", i, row->reason);
        cr_assert_eq(nnrt__cpu_supports(NULL, &g.model->store->graph, 0) == OH_NN_UNSUPPORTED,
                     row->code == OH_NN_UNSUPPORTED, "row %zu, %s", i, row->reason);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
        cr_assert_not_null(strstr(text, row->reason), "row %zu: %s", i, text);
        gb_close(&g);
    }
}

/* Of rows of zeros: one more product than the kernels can add is one too many, in every type. Those at the bound are
   not built: packed, they are hundreds of megabytes. */
Test(answers, an_output_value_has_no_more_products_than_the_kernels_can_add) {
    static const struct {
        OH_NN_DataType in, weights;
        int32_t most;
    } rows[] = {{OH_NN_INT8, OH_NN_INT8, NNRT__CONV_K_MAX},
                {OH_NN_FLOAT32, OH_NN_FLOAT32, NNRT__CONV_K_MAX},
                {OH_NN_FLOAT32, OH_NN_INT8, (int32_t)NNRT__HYBRID_K_MAX}};
    static const char sentence[] = "an output value has more products than the kernels can add";
    static const double scale = 0.5;
    size_t i;
    for (i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        const bool s8 = rows[i / 2].in == OH_NN_INT8, beyond = i % 2 == 1;
        const int32_t k = rows[i / 2].most + (beyond ? 1 : 0), dims[2] = {1, k}, out_dims[2] = {1, 1};
        void *zeros = calloc((size_t)k, rows[i / 2].weights == OH_NN_INT8 ? 1 : 4);
        const bool *can = NULL;
        uint32_t in[2], out, count = 0;
        char text[256];
        gb_graph g;
        cr_assert_not_null(zeros);
        gb_open(&g);
        in[0] = gb_input(&g, s8 ? gb_tensor_s8(&g, 2, dims, 0.5, 0) : gb_tensor(&g, FLOAT32, 2, dims));
        in[1] = gb_constant(&g, rows[i / 2].weights, 2, dims, zeros);
        if (rows[i / 2].weights == OH_NN_INT8) (void)gb_quantize(&g, in[1], 1, &scale, NULL);
        out = gb_output(&g, s8 ? gb_tensor_s8(&g, 2, out_dims, 0.5, 0) : gb_tensor(&g, FLOAT32, 2, out_dims));
        cr_assert_eq((int)gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, in, 1, &out), (int)OH_NN_SUCCESS);
        cr_assert_eq((int)(beyond ? gb_build(&g) : gb_finish(&g)), (int)(beyond ? OH_NN_FAILED : OH_NN_SUCCESS),
                     "row %zu: %s", i, nnrt_last_error());
        if (beyond) cr_assert_not_null(strstr(nnrt_last_error(), sentence), "row %zu: %s", i, nnrt_last_error());
        cr_assert_eq((int)OH_NNModel_GetAvailableOperations(g.model, gb_device(), &can, &count), (int)OH_NN_SUCCESS);
        cr_assert_eq(can[0], !beyond, "row %zu", i);
        cr_assert_eq((int)nnrt_model_get_reason(g.model, gb_device(), 0, text, sizeof(text)), (int)OH_NN_SUCCESS);
        cr_assert_eq(strstr(text, sentence) != NULL, beyond, "row %zu: %s", i, text);
        gb_close(&g);
        free(zeros);
    }
}

/* Taps are bounded on their own: their number times the channels is not computed then. */
Test(answers, a_window_of_more_taps_than_the_kernels_can_add_is_refused) {
    static const int32_t dims[4] = {1, 1, 1, 1}, w_dims[4] = {1, 1025, 1024, 1}, one = 1;
    static const char sentence[] = "an output value has more products than the kernels can add";
    float *zeros = (float *)calloc(1025 * 1024, sizeof(*zeros));
    uint32_t in[3], out;
    gb_graph g;
    cr_assert_not_null(zeros);
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, FLOAT32, 4, dims));
    in[1] = gb_constant(&g, FLOAT32, 4, w_dims, zeros);
    in[2] = gb_constant(&g, FLOAT32, 1, &one, zeros);
    out = gb_output(&g, gb_tensor(&g, FLOAT32, 4, dims));
    conv_params(&g);
    cr_assert_eq((int)gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &out), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_FAILED);
    cr_assert_not_null(strstr(nnrt_last_error(), sentence), "%s", nnrt_last_error());
    gb_close(&g);
    free(zeros);
}
