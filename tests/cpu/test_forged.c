/* SPDX-License-Identifier: Apache-2.0 */
/* test_forged.c - steps of hostile plans, kind by kind: if its operands are not what its kernel relies on, the kind's
   own check refuses it; if it is accepted, it runs inside its memory. A plan forged by single bytes is stopped by sizes
   that no longer fit (test_plan.c); here sizes and shapes fit, and only the step is wrong. */
#include "linked.h"

#include "graph_builder.h"
#include "offline_runner.h"

#include <math.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

/* ------------------------------------------------------------------------------------ one graph for each kind */

typedef struct operand {
    OH_NN_DataType dtype; /* OH_NN_INT8 and OH_NN_INT16 are quantized */
    uint32_t rank;
    int32_t dims[4];
    const void *data; /* of a constant; NULL: given or computed */
} operand;

typedef struct single {
    OH_NN_OperationType op;
    uint32_t inputs, outputs;
    operand operands[18]; /* inputs, then outputs */
    void (*give_params)(gb_graph *g);
} single;

static const uint8_t zeros[4096];
static const float ones_f32[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static const int32_t perm[4] = {0, 2, 3, 1}, last_axis = 3, first_axis = 0, four = 4, eight = 8, to_int32 = OH_NN_INT32;
static const int32_t four_eight[2] = {4, 8};
static const int32_t pads[8] = {0, 0, 1, 1, 1, 1, 0, 0};
static const float one_f32 = 1;

static void conv_params(gb_graph *g) {
    static const int64_t strides[2] = {1, 1};
    gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, 0);
}
static void groups_params(gb_graph *g) {
    conv_params(g);
    gb_param_i64(g, OH_NN_CONV2D_GROUP, 2);
}
static void depthwise_params(gb_graph *g) {
    static const int64_t strides[2] = {1, 1};
    gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, 0);
}
static void transposed_params(gb_graph *g) {
    static const int64_t strides[2] = {2, 2};
    gb_param_i64s(g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, strides);
    gb_param_i8(g, OH_NN_CONV2D_TRANSPOSE_PAD_MODE, 0);
}
static void max_pool_params(gb_graph *g) {
    static const int64_t window[2] = {2, 2}, strides[2] = {1, 1};
    gb_param_i64s(g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, window);
    gb_param_i64s(g, OH_NN_MAX_POOL_STRIDE, 2, strides);
}
static void avg_pool_params(gb_graph *g) {
    static const int64_t window[2] = {2, 2}, strides[2] = {1, 1};
    gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, window);
    gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, strides);
}
static void softmax_params(gb_graph *g) { gb_param_i64(g, OH_NN_SOFTMAX_AXIS, 3); }
static void narrow_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_INT8);
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT16);
}
static void quantize_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_SRC_T, OH_NN_FLOAT32);
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_DST_T, OH_NN_INT8);
}
static void norm_params(gb_graph *g) {
    static const int64_t axis = 3;
    gb_param_rank(g, OH_NN_LAYER_NORM_BEGIN_NORM_AXIS, OH_NN_INT64, 1, &axis, 0);
    gb_param_rank(g, OH_NN_LAYER_NORM_BEGIN_PARAM_AXIS, OH_NN_INT64, 1, &axis, 0);
}
static void mirror_params(gb_graph *g) { gb_param_i32(g, OH_NN_PAD_PADDING_MODE, 1); }
static void reduce_params(gb_graph *g) { gb_param_bool(g, OH_NN_REDUCE_SUM_KEEP_DIMS, true); }
static void arg_max_params(gb_graph *g) { gb_param_i64(g, OH_NN_ARG_MAX_AXIS, 3); }
static void top_k_params(gb_graph *g) { gb_param_i64(g, OH_NN_TOP_K_AXIS, 3); }
static void one_hot_params(gb_graph *g) { gb_param_i64(g, OH_NN_ONE_HOT_AXIS, -1); }
static void detection_params(gb_graph *g) {
    static const float scale[4] = {10, 10, 5, 5};
    gb_param(g, OH_NN_DETECTION_POST_PROCESS_SCALE, OH_NN_FLOAT32, 4, scale);
    gb_param_i64(g, OH_NN_DETECTION_POST_PROCESS_MAX_DETECTIONS, 5);
    gb_param_i64(g, OH_NN_DETECTION_POST_PROCESS_MAX_CLASSES_PER_DETECTION, 2);
    gb_param_i64(g, OH_NN_DETECTION_POST_PROCESS_NUM_CLASSES, 2);
    gb_param_f32(g, OH_NN_DETECTION_POST_PROCESS_NMS_IOU_THRESHOLD, 0.5f);
}
static void l2_params(gb_graph *g) { gb_param_i64(g, OH_NN_L2_NORMALIZE_AXIS, 3); }
static void lrn_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_LRN_DEPTH_RADIUS, 2);
    gb_param_f32(g, OH_NN_LRN_BIAS, 1);
}
static void assert_params(gb_graph *g) { gb_param_i64(g, OH_NN_ASSERT_SUMMARIZE, 5); }
static void resize_params(gb_graph *g) {
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 9);
    gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 7);
}

/* Input, weights, biases and states of four gates. */
static const int64_t lstm_inputs = 0x1ff | 0xf000 | 0xc0000;
static const nnrt_param lstm_present = {NNRT__TENSOR_LSTM_PRESENT, OH_NN_INT64, 1, &lstm_inputs};

#define S8 OH_NN_INT8
#define S16 OH_NN_INT16
#define I64 OH_NN_INT64
#define F32 OH_NN_FLOAT32
#define I32 OH_NN_INT32
#define X(dtype) \
    { dtype, 4, {2, 5, 6, 4}, NULL }
#define Y8(dtype) \
    { dtype, 4, {2, 5, 6, 8}, NULL }
#define LSTM(x, w, b, c)                                                                                     \
    {                                                                                                        \
        OH_NN_OPS_SEQUENCE_LSTM, 15, 3,                                                                      \
            {{x, 3, {2, 3, 4}, NULL}, {w, 2, {5, 4}, zeros}, {w, 2, {5, 4}, zeros}, {w, 2, {5, 4}, zeros},   \
             {w, 2, {5, 4}, zeros},   {w, 2, {5, 5}, zeros}, {w, 2, {5, 5}, zeros}, {w, 2, {5, 5}, zeros},   \
             {w, 2, {5, 5}, zeros},   {b, 1, {5}, zeros},    {b, 1, {5}, zeros},    {b, 1, {5}, zeros},      \
             {b, 1, {5}, zeros},      {x, 2, {2, 5}, NULL},  {c, 2, {2, 5}, NULL},  {x, 3, {2, 3, 5}, NULL}, \
             {x, 2, {2, 5}, NULL},    {c, 2, {2, 5}, NULL}},                                                 \
            NULL                                                                                             \
    }
#define CONV(x, w, b) \
    { OH_NN_OPS_CONV2D, 3, 1, {X(x), {w, 4, {8, 3, 3, 4}, zeros}, {b, 1, {8}, zeros}, Y8(x)}, conv_params }
#define FC(rows, out, x, w, b)                                                                                     \
    {                                                                                                              \
        OH_NN_OPS_FULL_CONNECTION, 3, 1,                                                                           \
            {{x, 2, {rows, 16}, NULL}, {w, 2, {out, 16}, zeros}, {b, 1, {out}, zeros}, {x, 2, {rows, out}, NULL}}, \
            NULL                                                                                                   \
    }
#define DEPTHWISE(x, w, b)                                                                                      \
    {                                                                                                           \
        OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, 3, 1, {X(x), {w, 4, {1, 3, 3, 4}, zeros}, {b, 1, {4}, zeros}, X(x)}, \
            depthwise_params                                                                                    \
    }
#define MULTIPLIED(x, w, b)                                                                                      \
    {                                                                                                            \
        OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, 3, 1, {X(x), {w, 4, {1, 3, 3, 8}, zeros}, {b, 1, {8}, zeros}, Y8(x)}, \
            depthwise_params                                                                                     \
    }
#define TRANSPOSED(x, w, b)                                                                                          \
    {                                                                                                                \
        OH_NN_OPS_CONV2D_TRANSPOSE, 3, 1,                                                                            \
            {X(x), {w, 4, {4, 3, 3, 8}, zeros}, {b, 1, {8}, zeros}, {x, 4, {2, 10, 12, 8}, NULL}}, transposed_params \
    }
#define POOL(op, x, params) \
    { op, 1, 1, {X(x), {x, 4, {2, 4, 5, 4}, NULL}}, params }
#define UNARY(op, x, y, params) \
    { op, 1, 1, {X(x), X(y)}, params }
#define BINARY(op, x, y) \
    { op, 2, 1, {X(x), X(x), X(y)}, NULL }
#define RESIZE(x) \
    { OH_NN_OPS_RESIZE_BILINEAR, 1, 1, {X(x), {x, 4, {2, 9, 7, 4}, NULL}}, resize_params }

static const single singles[] = {
    CONV(S8, S8, I32),
    CONV(F32, F32, F32),
    CONV(F32, S8, F32),
    CONV(S16, S8, I64),
    CONV(S16, S8, I32),
    FC(3, 8, S8, S8, I32),
    FC(3, 8, F32, F32, F32),
    FC(1, 1, S8, S8, I32),
    FC(1, 8, S8, S8, I32),
    {OH_NN_OPS_CONV2D,
     3,
     1,
     {X(S8), {S8, 4, {2, 3, 3, 2}, zeros}, {I32, 1, {2}, zeros}, {S8, 4, {2, 5, 6, 2}, NULL}},
     groups_params},
    FC(1, 1, F32, F32, F32),
    FC(3, 8, F32, S8, F32),
    FC(3, 8, S16, S8, I64),
    DEPTHWISE(S8, S8, I32),
    DEPTHWISE(F32, F32, F32),
    DEPTHWISE(S16, S8, I64),
    MULTIPLIED(S8, S8, I32),
    MULTIPLIED(F32, F32, F32),
    MULTIPLIED(S16, S8, I64),
    TRANSPOSED(S8, S8, I32),
    TRANSPOSED(F32, F32, F32),
    TRANSPOSED(S16, S8, I64),
    POOL(OH_NN_OPS_MAX_POOL, S8, max_pool_params),
    POOL(OH_NN_OPS_MAX_POOL, F32, max_pool_params),
    POOL(OH_NN_OPS_AVG_POOL, S8, avg_pool_params),
    POOL(OH_NN_OPS_AVG_POOL, F32, avg_pool_params),
    POOL(OH_NN_OPS_MAX_POOL, S16, max_pool_params),
    POOL(OH_NN_OPS_AVG_POOL, S16, avg_pool_params),
    BINARY(OH_NN_OPS_ADD, S8, S8),
    BINARY(OH_NN_OPS_ADD, S16, S16),
    BINARY(OH_NN_OPS_ADD, F32, F32),
    BINARY(OH_NN_OPS_ADD, I32, I32),
    BINARY(OH_NN_OPS_LESS, F32, OH_NN_BOOL),
    BINARY(OH_NN_OPS_LESS, S8, OH_NN_BOOL),
    UNARY(OH_NN_OPS_EXP, F32, F32, NULL),
    UNARY(OH_NN_OPS_TANH, S8, S8, NULL),
    UNARY(OH_NN_OPS_TANH, S16, S16, NULL),
    UNARY(OH_NN_OPS_RELU, S16, S16, NULL),
    UNARY(OH_NN_OPS_ABS, S16, S16, NULL),
    UNARY(OH_NN_OPS_EXP, S16, S16, NULL),
    UNARY(OH_NN_OPS_QUANT_DTYPE_CAST, S8, S16, narrow_params),
    UNARY(OH_NN_OPS_QUANT_DTYPE_CAST, F32, S8, quantize_params),
    UNARY(OH_NN_OPS_SOFTMAX, F32, F32, softmax_params),
    UNARY(OH_NN_OPS_SOFTMAX, S8, S8, softmax_params),
    {OH_NN_OPS_SOFTMAX, 1, 1, {{S8, 4, {2, 1, 1, 10}, NULL}, {S8, 4, {2, 1, 1, 10}, NULL}}, softmax_params},
    UNARY(OH_NN_OPS_SOFTMAX, S16, S16, softmax_params),
    {OH_NN_OPS_CAST, 2, 1, {X(F32), {I32, 1, {1}, &to_int32}, X(I32)}, NULL},
    {OH_NN_OPS_LAYER_NORM, 3, 1, {X(F32), {F32, 1, {4}, ones_f32}, {F32, 1, {4}, zeros}, X(F32)}, norm_params},
    {OH_NN_OPS_BATCH_NORM,
     5,
     1,
     {X(F32), {F32, 1, {4}, ones_f32}, {F32, 1, {4}, zeros}, {F32, 1, {4}, zeros}, {F32, 1, {4}, ones_f32}, X(F32)},
     NULL},
    {OH_NN_OPS_TRANSPOSE, 2, 1, {X(F32), {I32, 1, {4}, perm}, {F32, 4, {2, 6, 4, 5}, NULL}}, NULL},
    {OH_NN_OPS_PAD, 2, 1, {X(F32), {I32, 2, {4, 2}, pads}, {F32, 4, {2, 7, 8, 4}, NULL}}, mirror_params},
    {OH_NN_OPS_REDUCE_SUM, 2, 1, {X(F32), {I32, 1, {1}, &last_axis}, {F32, 4, {2, 5, 6, 1}, NULL}}, reduce_params},
    {OH_NN_OPS_ARG_MAX, 1, 1, {X(F32), {I32, 3, {2, 5, 6}, NULL}}, arg_max_params},
    {OH_NN_OPS_TOP_K, 2, 2, {X(F32), {I32, 1, {1}, &four}, X(F32), X(I32)}, top_k_params},
    {OH_NN_OPS_REDUCE_SUM, 2, 1, {X(S8), {I32, 1, {1}, &last_axis}, {S8, 4, {2, 5, 6, 1}, NULL}}, reduce_params},
    RESIZE(F32),
    RESIZE(S8),
    {OH_NN_OPS_GATHER,
     3,
     1,
     {{F32, 2, {4, 6}, NULL}, {I32, 1, {3}, NULL}, {I32, 1, {1}, &first_axis}, {F32, 2, {3, 6}, NULL}},
     NULL},
    {OH_NN_OPS_ONE_HOT,
     4,
     1,
     {{I32, 2, {3, 5}, NULL},
      {I32, 1, {1}, &eight},
      {F32, 1, {1}, &one_f32},
      {F32, 1, {1}, zeros},
      {F32, 3, {3, 5, 8}, NULL}},
     one_hot_params},
    {OH_NN_OPS_SELECT, 3, 1, {X(OH_NN_BOOL), X(F32), X(F32), X(F32)}, NULL},
    {OH_NN_OPS_DETECTION_POST_PROCESS,
     3,
     4,
     {{F32, 3, {1, 7, 4}, NULL},
      {F32, 3, {1, 7, 3}, NULL},
      {F32, 2, {7, 4}, NULL},
      {F32, 3, {1, 10, 4}, NULL},
      {F32, 2, {1, 10}, NULL},
      {F32, 2, {1, 10}, NULL},
      {F32, 1, {1}, NULL}},
     detection_params},
    UNARY(OH_NN_OPS_LRN, F32, F32, lrn_params),
    UNARY(OH_NN_OPS_L2_NORMALIZE, S8, S8, l2_params),
    {OH_NN_OPS_MATMUL, 2, 1, {{F32, 3, {2, 3, 4}, NULL}, {F32, 2, {4, 5}, NULL}, {F32, 3, {2, 3, 5}, NULL}}, NULL},
    {OH_NN_OPS_LSTM,
     6,
     3,
     {{F32, 3, {10, 2, 3}, NULL},
      {F32, 3, {1, 16, 3}, NULL},
      {F32, 3, {1, 16, 4}, NULL},
      {F32, 2, {1, 32}, NULL},
      {F32, 3, {1, 2, 4}, NULL},
      {F32, 3, {1, 2, 4}, NULL},
      {F32, 3, {10, 2, 4}, NULL},
      {F32, 3, {1, 2, 4}, NULL},
      {F32, 3, {1, 2, 4}, NULL}},
     NULL},
    {OH_NN_OPS_MATMUL, 2, 1, {{S16, 3, {2, 3, 4}, NULL}, {S16, 3, {2, 4, 5}, NULL}, {S16, 3, {2, 3, 5}, NULL}}, NULL},
    {OH_NN_OPS_MATMUL, 2, 1, {{S8, 3, {2, 1, 4}, NULL}, {S8, 3, {2, 4, 5}, NULL}, {S8, 3, {2, 1, 5}, NULL}}, NULL},
    {OH_NN_OPS_GATHER_ND, 2, 1, {{F32, 3, {2, 3, 4}, NULL}, {I32, 2, {5, 2}, NULL}, {F32, 2, {5, 4}, NULL}}, NULL},
    {OH_NN_OPS_SCATTER_ND,
     3,
     1,
     {{I32, 2, {5, 1}, NULL}, {F32, 2, {5, 8}, NULL}, {I32, 1, {2}, four_eight}, {F32, 2, {4, 8}, NULL}},
     NULL},
    {OH_NN_OPS_SPARSE_TO_DENSE,
     3,
     1,
     {{I32, 2, {3, 2}, NULL}, {F32, 1, {3}, NULL}, {I32, 1, {2}, four_eight}, {F32, 2, {4, 8}, NULL}},
     NULL},
    {OH_NN_OPS_ASSERT,
     2,
     1,
     {{OH_NN_BOOL, 1, {3}, NULL}, {F32, 1, {6}, NULL}, {OH_NN_BOOL, 1, {3}, NULL}},
     assert_params},
    {OH_NN_OPS_CUMSUM, 2, 1, {{S8, 3, {2, 3, 4}, NULL}, {I32, 1, {1}, zeros}, {S8, 3, {2, 3, 4}, NULL}}, NULL},
    {OH_NN_OPS_RESIZE_NEAREST,
     2,
     1,
     {{S8, 4, {1, 2, 3, 2}, NULL}, {I32, 1, {2}, four_eight}, {S8, 4, {1, 4, 8, 2}, NULL}},
     NULL},
    {OH_NN_OPS_DYNAMIC_UPDATE_SLICE,
     3,
     1,
     {{F32, 2, {4, 5}, NULL}, {F32, 2, {2, 3}, NULL}, {I32, 1, {2}, NULL}, {F32, 2, {4, 5}, NULL}},
     NULL},
    {OH_NN_OPS_DYNAMIC_UPDATE_SLICE,
     3,
     1,
     {{I32, 2, {2, 1}, NULL}, {I32, 2, {2, 1}, NULL}, {I32, 1, {2}, NULL}, {I32, 2, {2, 1}, NULL}},
     NULL},
    {OH_NN_OPS_SVDF,
     4,
     2,
     {{F32, 2, {2, 6}, NULL},
      {F32, 2, {6, 4}, NULL},
      {F32, 2, {2, 24}, NULL},
      {F32, 1, {3}, NULL},
      {F32, 2, {2, 3}, NULL},
      {F32, 2, {2, 24}, NULL}},
     NULL},
    {OH_NN_OPS_SVDF,
     4,
     2,
     {{S16, 2, {2, 6}, NULL},
      {S16, 2, {6, 4}, NULL},
      {S16, 2, {2, 24}, NULL},
      {I32, 1, {3}, NULL},
      {S8, 2, {2, 3}, NULL},
      {S16, 2, {2, 24}, NULL}},
     NULL},
    LSTM(F32, F32, F32, F32),
    LSTM(F32, S8, F32, F32),
    LSTM(S8, S8, I32, S16),
};

static const char *isa; /* the instruction set that plans are made for */

/* The plan of one operator; free() it. */
static uint8_t *plan_of(const single *s, size_t *size) {
    gb_graph g;
    off_settings settings;
    uint32_t tensors[18], i;
    uint8_t *plan;
    gb_open(&g);
    for (i = 0; i < s->inputs + s->outputs; i++) {
        const operand *o = &s->operands[i];
        const bool soft = s->op == OH_NN_OPS_SOFTMAX && i == 1, half = o->dtype == S16;
        const bool unit = half && i == 1 && (soft || s->op == OH_NN_OPS_TANH); /* results of 15 bits */
        const bool length = s->op == OH_NN_OPS_L2_NORMALIZE && i == 1;
        const bool cell = s->op == OH_NN_OPS_SEQUENCE_LSTM && half;
        const double scale = unit ? 1.0 / 32768 : cell ? 1.0 / 2048 : soft ? 1.0 / 256 : length ? 1.0 / 128 : 0.5;
        const int32_t zero = soft && !half ? -128 : 0;
        tensors[i] = o->data != NULL ? gb_constant(&g, o->dtype, o->rank, o->dims, o->data)
                                     : gb_tensor(&g, o->dtype, o->rank, o->dims);
        if (o->dtype == S8 || o->dtype == S16) (void)gb_quantize(&g, tensors[i], 1, &scale, &zero);
        if (o->data == NULL) (void)(i < s->inputs ? gb_input(&g, tensors[i]) : gb_output(&g, tensors[i]));
    }
    if (s->give_params != NULL) s->give_params(&g);
    if ((int)s->op > (int)NNRT__OPS_OF_PROGRAMS)
        IS(nnrt__graph_add_node(g.model->store, s->op, tensors, s->inputs, tensors + s->inputs, s->outputs,
                                &lstm_present, s->op == OH_NN_OPS_SEQUENCE_LSTM ? 1 : 0),
           OH_NN_SUCCESS);
    else IS(gb_op(&g, s->op, s->inputs, tensors, s->outputs, tensors + s->inputs), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    memset(&settings, 0, sizeof(settings));
    settings.isa = isa;
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(off_build(g.compilation, &settings), OH_NN_SUCCESS);
    plan = off_export(g.compilation, size);
    gb_close(&g);
    return plan;
}

/* ---------------------------------------------------------------------------------------------------- forging */

static nnrt__plan_header *header_of(uint8_t *plan) { return (nnrt__plan_header *)(void *)plan; }

static nnrt__plan_step *step_of(uint8_t *plan, uint32_t i) {
    return (nnrt__plan_step *)(void *)(plan + header_of(plan)->steps) + i;
}

/* Operand k of a step; NULL: it has none there. */
static nnrt__plan_value *operand_of(uint8_t *plan, const nnrt__plan_step *step, uint32_t k) {
    const uint32_t *operands = (const uint32_t *)(const void *)(plan + header_of(plan)->operands);
    const uint32_t number = operands[step->first_operand + k];
    return number == NNRT__NONE ? NULL : (nnrt__plan_value *)(void *)(plan + header_of(plan)->values) + number;
}

/* Restores the plan, with a checksum that fits, and runs it when it is accepted. */
static OH_NN_ReturnCode restore(uint8_t *plan, size_t size) {
    nnrt_config config;
    nnrt_request request;
    void *prepared = NULL;
    const uint32_t crc = nnrt__plan_crc(plan, size);
    OH_NN_ReturnCode code;
    memcpy(plan + offsetof(nnrt__plan_header, crc), &crc, sizeof(crc));
    memset(&request, 0, sizeof(request));
    config.name = "nnrt.isa";
    config.value = isa;
    config.size = strlen(isa);
    request.configs = &config;
    request.config_count = 1;
    (void)nnrt__fail(OH_NN_FAILED, "accepted");
    code = nnrt__cpu_backend.restore(nnrt__device_find(off_device())->state, &request, plan, size, &prepared);
    if (code != OH_NN_SUCCESS) return code;
    code = off_raw_run(prepared, 7, NULL);
    cr_assert(code == OH_NN_SUCCESS || code == OH_NN_UNAVAILABLE_DEVICE, "a run answers %d", (int)code);
    nnrt__cpu_backend.release(prepared);
    return OH_NN_SUCCESS;
}

static void set_size(nnrt__plan_value *value) {
    value->size = nnrt__value_count(value) * nnrt__element_size((OH_NN_DataType)value->dtype);
}

/* What a kind may find different from the plan that was made, and still be right. */
enum {
    WINDOW = 0x1,     /* dimensions 1 and 2: a window looks at what is there */
    TILES = 0x2,      /* the last dimension: packed weights are the same for a few channels more or less */
    ROWS = 0x4,       /* dimension 0 */
    SPREAD = 0x8,     /* an input that becomes 1 somewhere is spread */
    GROWN = 0x10,     /* more elements than are used */
    UINT8 = 0x20,     /* bytes through a table, or by scale and zero point */
    INT64 = 0x40,     /* indices */
    ANY_TYPE = 0x80,  /* only bytes are moved, or every type is known */
    QUANTIZED = 0x100 /* int8, uint8 and int16, by scale and zero point */
};

/* The first row whose kind begins so; all other kinds: nothing. */
static uint32_t freedom_of(const nnrt__step_kind *kind) {
    static const struct {
        const char *kind;
        uint32_t freedom;
    } rows[] = {{"fc_raw", 0},
                {"conv", WINDOW | TILES},
                {"scatter_nd", INT64},
                {"fc", ROWS | TILES},
                {"dw", WINDOW},
                {"max_pool", WINDOW},
                {"avg_pool", WINDOW},
                {"binary", SPREAD},
                {"compare", SPREAD},
                {"copy", GROWN | ANY_TYPE},
                {"select", GROWN},
                {"lut_s8", UINT8},
                {"quantize_batches", 0},
                {"quantize", QUANTIZED},
                {"requantize", ANY_TYPE},
                {"cast", ANY_TYPE},
                {"top", INT64},
                {"gather", INT64},
                {"one_hot", INT64},
                {"assert", ROWS | ANY_TYPE},
                {"softmax_s8", QUANTIZED},
                {"softmax_few_s8", QUANTIZED},
                {"update", INT64}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++)
        if (strncmp(kind->name, rows[i].kind, strlen(rows[i].kind)) == 0) return rows[i].freedom;
    return 0;
}

/* Refused; or accepted, if it may be, and then it has run. */
static void try_it(uint8_t *plan, size_t size, const nnrt__step_kind *kind, uint32_t k, const char *what,
                   uint32_t number, bool may) {
    const OH_NN_ReturnCode code = restore(plan, size);
    cr_assert(code == OH_NN_INVALID_FILE || (may && code == OH_NN_SUCCESS), "%s, operand %u, %s %u: %d, %s", kind->name,
              (unsigned)k, what, (unsigned)number, (int)code, nnrt_last_error());
}

static void try_dims(uint8_t *plan, size_t size, const nnrt__step_kind *kind, nnrt__plan_value *value, uint32_t k) {
    const nnrt__plan_value before = *value;
    const uint32_t freedom = freedom_of(kind);
    uint32_t d;
    int grown;
    for (d = 0; d < before.rank; d++) {
        for (grown = 0; grown < 2; grown++) {
            bool may = (freedom & GROWN) != 0 && grown != 0;
            if (grown == 0 && before.dims[d] == 1) continue;
            value->dims[d] += grown != 0 ? 1 : -1;
            set_size(value);
            may = may || ((freedom & WINDOW) != 0 && (d == 1 || d == 2));
            may = may || ((freedom & TILES) != 0 && d == before.rank - 1);
            may = may || ((freedom & ROWS) != 0 && d == 0);
            may = may || ((freedom & SPREAD) != 0 && value->dims[d] == 1);
            try_it(plan, size, kind, k, grown != 0 ? "larger dimension" : "smaller dimension", d, may);
            *value = before;
        }
    }
}

static void try_types(uint8_t *plan, size_t size, const nnrt__step_kind *kind, nnrt__plan_value *value, uint32_t k) {
    static const OH_NN_DataType types[] = {F32, I32, S8, S16, OH_NN_UINT8, OH_NN_INT64, OH_NN_BOOL, OH_NN_FLOAT16};
    const nnrt__plan_value before = *value;
    const uint32_t freedom = freedom_of(kind);
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(types); i++) {
        if (before.dtype == (uint32_t)types[i]) continue;
        value->dtype = (uint32_t)types[i];
        set_size(value);
        try_it(plan, size, kind, k, "type", (uint32_t)types[i],
               (freedom & ANY_TYPE) != 0 || ((freedom & UINT8) != 0 && types[i] == OH_NN_UINT8) ||
                   ((freedom & INT64) != 0 && types[i] == OH_NN_INT64) ||
                   ((freedom & QUANTIZED) != 0 && (types[i] == S8 || types[i] == S16 || types[i] == OH_NN_UINT8)));
        *value = before;
    }
}

typedef void (*forgery)(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind);

/* Each step of each plan, for the portable kernels and for the best that there are. */
static void forge_all(forgery forge) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas), most = NNRT__COUNT_OF(singles) * (count > 1 ? 2 : 1);
    size_t c, size;
    uint32_t i;
    for (c = 0; c < most; c++) {
        uint8_t *plan;
        isa = isas[c < NNRT__COUNT_OF(singles) ? 0 : count - 1];
        plan = plan_of(&singles[c % NNRT__COUNT_OF(singles)], &size);
        IS(restore(plan, size), OH_NN_SUCCESS);
        for (i = 0; i < header_of(plan)->step_count; i++) {
            nnrt__plan_step *step = step_of(plan, i);
            forge(plan, size, step, nnrt__step_kind_find(step->kind));
        }
        IS(restore(plan, size), OH_NN_SUCCESS);
        free(plan);
    }
}

static uint32_t seen[256];
static size_t seen_count;

static void note_kind(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    (void)plan;
    (void)size;
    (void)kind;
    cr_assert_lt(seen_count, NNRT__COUNT_OF(seen));
    seen[seen_count++] = step->kind;
}

/* But for those that take turns (test_stripes.c), what an accelerator does (test_accelerator.c), and those with weights
   as they are: convolutions of that sort stand in no plan that is saved, and full connections in one for kernels with
   wide tiles; all have the same checks. Portable kernels have no planes of groups. */
Test(forged, every_kind_of_step_is_tried_here) {
    uint32_t id, kinds = 0;
    size_t i;
    forge_all(note_kind);
    for (id = 0; id < 0x1000; id++) {
        const nnrt__step_kind *kind = nnrt__step_kind_find(id);
        bool found = false;
        if (kind == NULL || nnrt__kind_takes_turns(kind) || strstr(kind->name, "_raw_") != NULL) continue;
        if (id == NNRT__ID_OF_accelerated) continue;
        if (nnrt__cpu_detect() == 0 && strncmp(kind->name, "dw_groups", 9) == 0) continue;
        for (i = 0; i < seen_count; i++) found = found || seen[i] == id;
        cr_assert(found, "%s", kind->name);
        kinds++;
    }
    cr_assert_gt(kinds, 30u);
}

/* One more, one less. What has more in some models is refused for another reason then, or is right: a copy may have a
   table, a quantization scales, a function of int16 a table or none, largest elements come as values, indices or
   both, and weights of a transposed convolution that are not packed leave their constants beside them. */
static void forge_counts(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    const nnrt__plan_step before = *step;
    OH_NN_ReturnCode code;
    int way;
    for (way = 0; way < 4; way++) {
        if (way == 0) step->input_count++;
        if (way == 1) step->input_count--;
        if (way == 2) step->output_count++;
        if (way == 3) step->output_count--;
        code = restore(plan, size);
        if ((way == 0 && (strcmp(kind->name, "copy") == 0 || strcmp(kind->name, "quantize") == 0)) ||
            (way < 2 && strcmp(kind->name, "unary_s16") == 0) ||
            (way == 0 && strncmp(kind->name, "conv_transpose", 14) == 0) ||
            (way >= 2 && strcmp(kind->name, "top") == 0)) {
            cr_assert(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE, "%s, %d", kind->name, way);
        } else {
            IS(code, OH_NN_INVALID_FILE);
            cr_assert(strstr(nnrt_last_error(), "a step has a wrong number of operands"), "%s, %d: %s", kind->name, way,
                      nnrt_last_error());
        }
        *step = before;
    }
}

Test(forged, a_step_has_as_many_operands_as_its_kind) { forge_all(forge_counts); }

static void forge_operands(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    uint32_t k;
    for (k = 0; k < step->input_count + step->output_count; k++) {
        nnrt__plan_value *value = operand_of(plan, step, k);
        if (value == NULL) continue;
        try_dims(plan, size, kind, value, k);
        try_types(plan, size, kind, value, k);
    }
}

/* Sizes fit, so that only the check of the kind is left to refuse it. */
Test(forged, a_step_is_refused_whose_operands_have_other_shapes_or_types) { forge_all(forge_operands); }

static void forge_arguments(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    uint8_t *arguments = plan + header_of(plan)->arguments + step->arguments;
    size_t at;
    uint32_t i;
    for (at = 0; at + 4 <= nnrt__kind_arguments_size(kind); at += 4) {
        const uint32_t before = nnrt__read_u32(arguments + at);
        const uint32_t words[6] = {0, before + 1, before - 1, 0x7fffffffu, 0x80000000u, 0xffffffffu};
        for (i = 0; i < 6; i++) {
            memcpy(arguments + at, &words[i], 4);
            try_it(plan, size, kind, (uint32_t)at, "arguments", words[i], true);
        }
        memcpy(arguments + at, &before, 4);
    }
}

Test(forged, arguments_of_any_value_are_refused_or_the_step_stays_inside_its_memory) { forge_all(forge_arguments); }

/* Weights that are said to be packed in another way: of one channel, or one in each group, a packing whose channels
   share a factor has the size of one whose do not. */
static void forge_packing(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    nnrt__conv_args *args = (nnrt__conv_args *)(void *)(plan + header_of(plan)->arguments + step->arguments);
    const uint32_t before = args->packing;
    if ((kind->arguments & 0xffffu) != sizeof *args || before == 0) return;
    for (args->packing = 1; args->packing < 64; args->packing++)
        try_it(plan, size, kind, 1, "packing", args->packing, true);
    args->packing = before;
}

Test(forged, weights_said_to_be_packed_otherwise_are_refused_or_the_step_stays_inside_them) {
    forge_all(forge_packing);
}

/* The factor of a reduction of int8 shifts by what its kernel can, and zero points are bytes. */
static void forge_reduction(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    static const int32_t shifts[2] = {-31, 30}, bytes[2] = {-128, 127};
    nnrt__reduce_args *args = (nnrt__reduce_args *)(void *)(plan + header_of(plan)->arguments + step->arguments);
    int32_t *fields[3];
    uint32_t i, k;
    if (strcmp(kind->name, "reduce") != 0 || operand_of(plan, step, 0)->dtype != (uint32_t)S8) return;
    fields[0] = &args->shift;
    fields[1] = &args->input_zero_point;
    fields[2] = &args->output_zero_point;
    for (i = 0; i < 3; i++) {
        const int32_t *ends = i == 0 ? shifts : bytes, before = *fields[i];
        for (k = 0; k < 2; k++) {
            *fields[i] = ends[k];
            IS(restore(plan, size), OH_NN_SUCCESS);
            *fields[i] += k == 0 ? -1 : 1;
            IS(restore(plan, size), OH_NN_INVALID_FILE);
        }
        *fields[i] = before;
    }
}

Test(forged, a_reduction_takes_exactly_what_its_kernel_can) { forge_all(forge_reduction); }

/* A full connection is a convolution of one tap without pads. */
static void forge_window(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    nnrt__conv_args *args = (nnrt__conv_args *)(void *)(plan + header_of(plan)->arguments + step->arguments);
    int32_t *fields[4];
    uint32_t i;
    if (strncmp(kind->name, "fc_", 3) != 0) return;
    fields[0] = &args->geometry.kernel_h;
    fields[1] = &args->geometry.kernel_w;
    fields[2] = &args->geometry.pad_top;
    fields[3] = &args->geometry.pad_left;
    for (i = 0; i < 4; i++) {
        ++*fields[i];
        IS(restore(plan, size), OH_NN_INVALID_FILE);
        cr_assert(strstr(nnrt_last_error(), "contradicts itself"), "%s, %u: %s", kind->name, (unsigned)i,
                  nnrt_last_error());
        --*fields[i];
    }
}

Test(forged, a_full_connection_has_no_window) { forge_all(forge_window); }

/* ------------------------------------------------------------------------------------------------- sequence LSTM */

enum {
    LSTM_STEPS = 3,
    LSTM_BATCH = 2
};

/* A sequence LSTM for its check alone: counts as large as a kernel can take need no memory. */
typedef struct lstm {
    nnrt__sequence_lstm_args args;
    nnrt__plan_value values[14];
    const nnrt__plan_value *operands[14];
    nnrt__step_view view;
} lstm;

static void lstm_put(lstm *l, uint32_t i, OH_NN_DataType dtype, uint32_t a, uint32_t b, uint32_t c) {
    nnrt__plan_value *value = &l->values[i];
    memset(value, 0, sizeof(*value));
    value->dtype = (uint32_t)dtype;
    value->rank = 3;
    value->dims[0] = (int32_t)a;
    value->dims[1] = (int32_t)b;
    value->dims[2] = (int32_t)c;
    l->operands[i] = value;
}

/* The states and the output, whose inputs begin at h. */
static void lstm_begin(lstm *l, uint32_t h, OH_NN_DataType x, OH_NN_DataType cell, uint32_t gates, uint32_t inputs,
                       uint32_t units, uint32_t outputs) {
    memset(l, 0, sizeof(*l));
    l->args.steps = LSTM_STEPS;
    l->args.batch = LSTM_BATCH;
    l->args.gates = gates;
    l->args.inputs = inputs;
    l->args.units = units;
    l->args.outputs = outputs;
    l->view.arguments = &l->args;
    l->view.operands = l->operands;
    l->view.input_count = h + 2;
    l->view.output_count = 3;
    lstm_put(l, 0, x, LSTM_STEPS, LSTM_BATCH, inputs);
    lstm_put(l, h, x, LSTM_BATCH, outputs, 1);
    lstm_put(l, h + 1, cell, LSTM_BATCH, units, 1);
    lstm_put(l, h + 2, x, LSTM_STEPS, LSTM_BATCH, outputs);
    lstm_put(l, h + 3, x, LSTM_BATCH, outputs, 1);
    lstm_put(l, h + 4, cell, LSTM_BATCH, units, 1);
}

/* With everything that may be there. */
static void lstm_of_floats(lstm *l, bool hybrid, uint32_t gates, uint32_t inputs, uint32_t units, uint32_t outputs) {
    const OH_NN_DataType weights = hybrid ? S8 : F32;
    lstm_begin(l, 9, F32, F32, gates, inputs, units, outputs);
    lstm_put(l, 1, weights, gates, units, inputs);
    lstm_put(l, 2, weights, gates, units, outputs);
    lstm_put(l, 3, F32, gates, units, 1);
    if (hybrid) lstm_put(l, 4, F32, 2 * gates + 1, 1, 1);
    lstm_put(l, 5, F32, 3, units, 1);
    lstm_put(l, 6, F32, gates, units, 1);
    lstm_put(l, 7, weights, outputs, units, 1);
    lstm_put(l, 8, F32, outputs, 1, 1);
}

/* x: S8 or S16. */
static void lstm_of_integers(lstm *l, OH_NN_DataType x, uint32_t gates, uint32_t units, uint32_t outputs) {
    nnrt__lstm_s16_args *s16 = &l->args.s16;
    lstm_begin(l, 6, x, S16, gates, 4, units, outputs);
    lstm_put(l, 1, S8, gates, units, 4);
    lstm_put(l, 2, S8, gates, units, outputs);
    lstm_put(l, 3, I32, x == S8 ? 3 : 4, gates, units);
    lstm_put(l, 4, I32, x == S8 ? 3 : 4, gates, units);
    lstm_put(l, 5, OH_NN_UINT16, NNRT__SIGMOID_TABLE, 1, 1);
    l->values[5].rank = 1;
    s16->hidden_min = x == S8 ? -128 : -32768;
    s16->hidden_max = x == S8 ? 127 : 32767;
}

Test(forged, a_sequence_lstm_has_3_or_4_gates_and_counts_that_its_kernels_can_add) {
    enum {
        MOST = NNRT__HYBRID_K_MAX
    };
    static const struct {
        uint32_t gates, inputs, units, outputs;
        bool taken;
    } rows[] = {{4, 7, 5, 6, true},         {3, 7, 5, 6, true},    {2, 7, 5, 6, false},
                {5, 7, 5, 6, false},        {0, 7, 5, 6, false},   {4, 0, 5, 6, false},
                {4, 7, 0, 6, false},        {4, 7, 5, 0, false},   {4, MOST, 5, 6, true},
                {4, 7, MOST, 6, true},      {4, 7, 5, MOST, true}, {4, MOST + 1, 5, 6, false},
                {4, 7, MOST + 1, 6, false}, {4, 1, 1, 1, true},    {4, 7, 5, MOST + 1, false}};
    lstm l;
    size_t i;
    for (i = 0; i < 2 * NNRT__COUNT_OF(rows); i++) {
        const size_t row = i / 2;
        lstm_of_floats(&l, i % 2 != 0, rows[row].gates, rows[row].inputs, rows[row].units, rows[row].outputs);
        cr_expect_eq(nnrt__sequence_lstm_f32_check(&l.view), rows[row].taken, "row %zu", row);
    }
}

Test(forged, a_sequence_lstm_of_floats_has_operands_of_its_counts_and_bounds_that_are_none_or_positive) {
    static const struct {
        float cell, projection;
        uint32_t time_major;
        bool taken;
    } rows[] = {{0, 0, 0, true},   {0, 0, 1, true},   {0, 0, 2, false},         {1, 1, 1, true},
                {-1, 1, 0, false}, {1, -1, 0, false}, {NAN, 1, 0, false},       {1, NAN, 0, false},
                {0, 1, 1, true},   {1, 0, 1, true},   {1, 1, UINT32_MAX, false}};
    lstm l;
    uint32_t k;
    size_t i;
    int hybrid;
    for (hybrid = 0; hybrid < 2; hybrid++) {
        lstm_of_floats(&l, hybrid != 0, 4, 7, 5, 6);
        for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
            l.args.cell_clip = rows[i].cell;
            l.args.projection_clip = rows[i].projection;
            l.args.time_major = rows[i].time_major;
            cr_expect_eq(nnrt__sequence_lstm_f32_check(&l.view), rows[i].taken, "row %zu", i);
        }
        for (k = 0; k < 14; k++) {
            const bool optional = k == 3 || k == 5 || k == 6 || k == 8;
            lstm_of_floats(&l, hybrid != 0, 4, 7, 5, 6);
            if (l.operands[k] == NULL) continue;
            l.values[k].dims[0]++;
            cr_expect_not(nnrt__sequence_lstm_f32_check(&l.view), "operand %u is larger", (unsigned)k);
            l.values[k].dims[0] -= 2;
            cr_expect_not(nnrt__sequence_lstm_f32_check(&l.view), "operand %u is smaller", (unsigned)k);
            l.values[k].dims[0]++;
            l.values[k].dtype = (uint32_t)S16;
            cr_expect_not(nnrt__sequence_lstm_f32_check(&l.view), "operand %u is of int16", (unsigned)k);
            l.operands[k] = NULL;
            cr_expect_eq(nnrt__sequence_lstm_f32_check(&l.view), optional, "operand %u is absent", (unsigned)k);
        }
    }
    lstm_of_floats(&l, false, 4, 7, 6, 6); /* as many outputs as units need no projection */
    l.operands[7] = NULL;
    cr_expect(nnrt__sequence_lstm_f32_check(&l.view));
}

/* Zero points of x's type, 0 those of int16; what is shifted, multiplied or cut is in the kernel's range. */
Test(forged, a_sequence_lstm_of_integers_has_four_gates_and_numbers_in_the_range_of_its_kernel) {
    int type;
    for (type = 0; type < 2; type++) {
        const OH_NN_DataType x = type == 0 ? S8 : S16;
        const int32_t low = type == 0 ? -128 : -32768, high = type == 0 ? 127 : 32767;
        const int32_t lowest_zero = type == 0 ? low : 0, highest_zero = type == 0 ? high : 0;
        lstm l;
        nnrt__lstm_s16_args *s16 = &l.args.s16;
        struct {
            int32_t *field, first, last;
        } rows[] = {{&l.args.x_zero_point, lowest_zero, highest_zero},
                    {&s16->hidden_zero_point, lowest_zero, highest_zero},
                    {&s16->hidden_min, low, low},
                    {&s16->hidden_max, high, high},
                    {&s16->forget_multiplier, 0, INT32_MAX},
                    {&s16->input_multiplier, 0, INT32_MAX},
                    {&s16->hidden_multiplier, 0, INT32_MAX},
                    {&s16->forget_shift, -31, 30},
                    {&s16->input_shift, -31, 30},
                    {&s16->hidden_shift, -31, 30},
                    {&s16->cell_clip, 0, 32767},
                    {&s16->tanh_multiplier, 0, 32767},
                    {&s16->tanh_shift, 0, 31}};
        uint32_t k;
        size_t i;
        for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
            lstm_of_integers(&l, x, 4, 5, 5);
            *rows[i].field = rows[i].first;
            cr_expect(nnrt__sequence_lstm_s16_check(&l.view), "type %d, row %zu", type, i);
            *rows[i].field = rows[i].last;
            cr_expect(nnrt__sequence_lstm_s16_check(&l.view), "type %d, row %zu", type, i);
            *rows[i].field = rows[i].first - 1;
            cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "type %d, row %zu", type, i);
            if (rows[i].last == INT32_MAX) continue;
            *rows[i].field = rows[i].last + 1;
            cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "type %d, row %zu", type, i);
        }
        lstm_of_integers(&l, x, 3, 5, 5);
        cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "three gates");
        lstm_of_integers(&l, x, 4, 5, 6);
        cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "other outputs than units");
        for (k = 0; k < 11; k++) {
            lstm_of_integers(&l, x, 4, 5, 5);
            l.values[k].dims[k == 3 || k == 4 ? 2 : 0]++;
            cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "operand %u is larger", (unsigned)k);
            lstm_of_integers(&l, x, 4, 5, 5);
            l.values[k].dtype = (uint32_t)F32;
            cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "operand %u is of float32", (unsigned)k);
            l.operands[k] = NULL;
            cr_expect_not(nnrt__sequence_lstm_s16_check(&l.view), "operand %u is absent", (unsigned)k);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- a step alone */

enum {
    MOST_OPERANDS = 24
};

/* Runs step `number` of a plan with output 0 in memory of its own (in < 0) or in that of input number `in`. Operands
   and scratch, which is zero, begin `shift` bytes into their blocks, a multiple of 64. result: the bytes of the output,
   left: those of the scratch afterwards; either may be NULL. */
static OH_NN_ReturnCode run_step(const nnrt__loaded_plan *plan, uint32_t number, int in, size_t shift, uint8_t *result,
                                 uint8_t *left) {
    const nnrt__plan_step *step = &plan->steps[number];
    const nnrt__step_view *view = &plan->views[number];
    const uint32_t count = step->input_count + step->output_count;
    uint8_t *blocks[MOST_OPERANDS] = {NULL}, *scratch = (uint8_t *)calloc(1, shift + (size_t)step->scratch_size + 64);
    void *data[MOST_OPERANDS] = {NULL};
    nnrt__step_call call;
    OH_NN_ReturnCode code;
    int32_t cancel = 0;
    uint32_t k;
    size_t i;
    cr_assert(count <= MOST_OPERANDS && scratch != NULL);
    for (k = 0; k < count; k++) {
        const nnrt__plan_value *value = view->operands[k];
        const size_t size = value != NULL ? (size_t)value->size : 0;
        uint8_t *bytes;
        if (value == NULL) continue;
        blocks[k] = (uint8_t *)calloc(1, shift + size);
        cr_assert_not_null(blocks[k]);
        data[k] = bytes = blocks[k] + shift;
        if (value->segment == NNRT__SEGMENT_CONSTANT) memcpy(bytes, plan->constants + value->offset, size);
        else if (value->dtype == (uint32_t)F32)
            for (i = 0; i < size / 4; i++) ((float *)data[k])[i] = (float)((i * 37 + k * 11) % 64) / 16.0f - 2.0f;
        else
            for (i = 0; i < size; i++) bytes[i] = (uint8_t)((i * 37 + k * 11) % 2);
    }
    if (in >= 0) data[step->input_count] = data[in];
    call.data = data;
    call.scratch = (uint8_t *)((((uintptr_t)scratch + 63) & ~(uintptr_t)63) + shift);
    call.first = 0;
    call.last = view->units;
    call.cancel = &cancel;
    call.turn = 0;
    code = plan->kinds[number]->run(view, &call);
    if (result != NULL) memcpy(result, data[step->input_count], (size_t)view->operands[step->input_count]->size);
    if (left != NULL) memcpy(left, call.scratch, (size_t)step->scratch_size);
    for (k = 0; k < count; k++) free(blocks[k]);
    free(scratch);
    return code;
}

static void load(nnrt__loaded_plan *loaded, nnrt__cpu_table *kernels, uint8_t *plan, size_t size) {
    nnrt__bounds bounds = {1u << 24, 1u << 24, NULL, 0};
    nnrt__cpu_select(kernels, header_of(plan)->isa);
    IS(nnrt__plan_load(loaded, plan, size, kernels, 0, &bounds, 0), OH_NN_SUCCESS);
}

static uint32_t scratch_count;

static void look_into_scratch(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    nnrt__loaded_plan loaded;
    nnrt__cpu_table kernels;
    const size_t bytes = (size_t)step->scratch_size;
    const uint32_t number = (uint32_t)(step - step_of(plan, 0));
    uint8_t *here, *there;
    if (bytes == 0 || step->turns != 0) return;
    here = (uint8_t *)malloc(bytes);
    there = (uint8_t *)malloc(bytes);
    cr_assert(here != NULL && there != NULL);
    load(&loaded, &kernels, plan, size);
    cr_assert_eq((int)run_step(&loaded, number, -1, 0, NULL, here),
                 (int)run_step(&loaded, number, -1, 192, NULL, there));
    cr_assert_eq(memcmp(here, there, bytes), 0, "%s: step %u (%s)", isa, (unsigned)number, kind->name);
    nnrt__plan_unload(&loaded);
    free(here);
    free(there);
    scratch_count++;
}

/* What a step leaves in its scratch does not depend on where its memory is. Kernels list windows by their addresses;
   another value of a hostile plan may lie where the list was, and be an output. */
Test(forged, no_address_stays_in_the_arena) {
    forge_all(look_into_scratch);
    cr_assert_gt(scratch_count, 10u);
}

/* ----------------------------------------------------------------------------------------------------- in place */

static uint32_t in_place_count;

static void compare_in_place(uint8_t *plan, size_t size, nnrt__plan_step *step, const nnrt__step_kind *kind) {
    nnrt__loaded_plan loaded;
    nnrt__cpu_table kernels;
    const nnrt__plan_value *output;
    uint32_t k;
    if (!kind->in_place || step != step_of(plan, 0)) return;
    load(&loaded, &kernels, plan, size);
    output = loaded.views[0].operands[step->input_count];
    for (k = 0; k < step->input_count; k++) {
        const nnrt__plan_value *input = loaded.views[0].operands[k];
        uint8_t *apart, *together;
        if (input == NULL || input->size != output->size) continue;
        apart = (uint8_t *)malloc((size_t)output->size);
        together = (uint8_t *)malloc((size_t)output->size);
        cr_assert(apart != NULL && together != NULL);
        IS(run_step(&loaded, 0, -1, 0, apart, NULL), OH_NN_SUCCESS);
        IS(run_step(&loaded, 0, (int)k, 0, together, NULL), OH_NN_SUCCESS);
        cr_assert_eq(memcmp(apart, together, (size_t)output->size), 0, "%s over input %u", kind->name, (unsigned)k);
        free(apart);
        free(together);
        in_place_count++;
    }
    nnrt__plan_unload(&loaded);
}

Test(forged, what_may_work_in_place_gives_the_same_there) {
    forge_all(compare_in_place);
    cr_assert_gt(in_place_count, 10u);
}

/* What a chain of such steps needs is one place in the arena. */
Test(forged, arithmetic_functions_and_normalisations_work_in_place) {
    static const char *const names[] = {"binary_f32", "binary_int",    "binary_s8",     "row_f32", "softmax_s8",
                                        "cast",       "normalize_f32", "affine_f32",    "unary",   "lut_s8",
                                        "binary_s16", "unary_s16",     "softmax_s16",   "l2_s8",   "compare_s8",
                                        "cumsum",     "update",        "softmax_few_s8"};
    uint32_t id, found = 0;
    size_t i;
    for (id = 0; id < 0x1000; id++) {
        const nnrt__step_kind *kind = nnrt__step_kind_find(id);
        bool listed = false;
        for (i = 0; kind != NULL && i < NNRT__COUNT_OF(names); i++) listed = listed || !strcmp(kind->name, names[i]);
        found += listed;
        if (kind != NULL) cr_assert_eq(kind->in_place, listed, "%s", kind->name);
    }
    cr_assert_eq(found, NNRT__COUNT_OF(names));
}
