/* SPDX-License-Identifier: Apache-2.0 */
/* test_bounds.c - what no model may do to the program: rescale out of 32 bits, hold a run beyond its deadline,
   take more work or memory than is allowed. */
#include "linked.h"

#include "graph_builder.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

/* ------------------------------------------------------------------------------------- rescales of integers */

/* The operators that rescale int8 sums: of an input [1,2,2,4] of scale 1 and zero point 5, weights that are all 3 of
   scale 1, an output of its own scale and zero point -9. */
typedef struct rescale_case {
    OH_NN_OperationType op;
    const char *name;
    size_t output; /* bytes */
} rescale_case;

static const rescale_case rescale_cases[] = {{OH_NN_OPS_CONV2D, "CONV2D", 8},
                                             {OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, "DEPTHWISE_CONV2D_NATIVE", 16},
                                             {OH_NN_OPS_CONV2D_TRANSPOSE, "CONV2D_TRANSPOSE", 8},
                                             {OH_NN_OPS_FULL_CONNECTION, "FULL_CONNECTION", 2},
                                             {OH_NN_OPS_ADD, "ADD", 16},
                                             {OH_NN_OPS_SUB, "SUB", 16},
                                             {OH_NN_OPS_MUL, "MUL", 16},
                                             {OH_NN_OPS_AVG_POOL, "AVG_POOL", 4},
                                             {OH_NN_OPS_REDUCE_SUM, "REDUCE_SUM", 1},
                                             {OH_NN_OPS_REDUCE_MEAN, "REDUCE_MEAN", 1}};

enum {
    RESCALE_IN_ZERO = 5,
    RESCALE_OUT_ZERO = -9,
    RESCALE_WEIGHT = 3
};

static void rescale_graph(gb_graph *g, const rescale_case *which, double scale) {
    static const int32_t x_dims[4] = {1, 2, 2, 4}, w_dims[4] = {2, 1, 1, 4}, dw_dims[4] = {1, 1, 1, 4};
    static const int32_t c_dims[4] = {1, 2, 2, 2}, p_dims[4] = {1, 1, 1, 4}, f_dims[2] = {1, 2}, fw_dims[2] = {2, 16};
    static const int32_t one_dims[1] = {1}, axes[4] = {0, 1, 2, 3};
    static const int64_t two_ones[2] = {1, 1}, two_twos[2] = {2, 2};
    const int32_t *dims = x_dims, zero = 0, bias_count = which->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE ? 4 : 2;
    const double one = 1.0;
    const int32_t bias[4] = {0, 0, 0, 0};
    size_t rank = 4;
    int8_t weights[32];
    uint32_t in[3], y, count = 1;
    memset(weights, RESCALE_WEIGHT, sizeof(weights));
    gb_open(g);
    in[0] = gb_input(g, gb_tensor_s8(g, 4, x_dims, 1.0, RESCALE_IN_ZERO));
    switch (which->op) {
    case OH_NN_OPS_CONV2D:
    case OH_NN_OPS_CONV2D_TRANSPOSE: dims = c_dims; break;
    case OH_NN_OPS_FULL_CONNECTION: dims = f_dims, rank = 2; break;
    case OH_NN_OPS_AVG_POOL: dims = p_dims; break;
    case OH_NN_OPS_REDUCE_SUM:
    case OH_NN_OPS_REDUCE_MEAN: dims = one_dims, rank = 1; break;
    default: break;
    }
    y = gb_output(g, gb_tensor_s8(g, rank, dims, scale, RESCALE_OUT_ZERO));
    switch (which->op) {
    case OH_NN_OPS_CONV2D:
    case OH_NN_OPS_CONV2D_TRANSPOSE:
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE:
    case OH_NN_OPS_FULL_CONNECTION:
        in[1] = which->op == OH_NN_OPS_FULL_CONNECTION           ? gb_constant(g, OH_NN_INT8, 2, fw_dims, weights)
                : which->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE ? gb_constant(g, OH_NN_INT8, 4, dw_dims, weights)
                                                                 : gb_constant(g, OH_NN_INT8, 4, w_dims, weights);
        (void)gb_quantize(g, in[1], 1, &one, &zero);
        in[2] = gb_constant(g, OH_NN_INT32, 1, &bias_count, bias);
        count = 3;
        if (which->op == OH_NN_OPS_CONV2D) gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, two_ones);
        if (which->op == OH_NN_OPS_CONV2D_TRANSPOSE) gb_param_i64s(g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, two_ones);
        if (which->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE)
            gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, two_ones);
        break;
    case OH_NN_OPS_ADD:
    case OH_NN_OPS_SUB:
    case OH_NN_OPS_MUL:
        in[1] = gb_constant(g, OH_NN_INT8, 4, dw_dims, weights);
        (void)gb_quantize(g, in[1], 1, &one, &zero);
        count = 2;
        break;
    case OH_NN_OPS_AVG_POOL:
        gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, two_twos);
        gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, two_twos);
        break;
    default:
        in[1] = gb_ints(g, 4, axes);
        count = 2;
        break;
    }
    IS(gb_op(g, which->op, count, in, 1, &y), OH_NN_SUCCESS);
}

/* What the operator gives for inputs that are all the byte x. */
static double rescale_wanted(const rescale_case *which, int x, double scale) {
    const double real = x - RESCALE_IN_ZERO;
    double sum = real;
    if (which->op == OH_NN_OPS_CONV2D || which->op == OH_NN_OPS_CONV2D_TRANSPOSE) sum = 4 * RESCALE_WEIGHT * real;
    if (which->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE || which->op == OH_NN_OPS_MUL) sum = RESCALE_WEIGHT * real;
    if (which->op == OH_NN_OPS_FULL_CONNECTION) sum = 16 * RESCALE_WEIGHT * real;
    if (which->op == OH_NN_OPS_ADD) sum = real + RESCALE_WEIGHT;
    if (which->op == OH_NN_OPS_SUB) sum = real - RESCALE_WEIGHT;
    if (which->op == OH_NN_OPS_REDUCE_SUM) sum = 16 * real;
    sum = floor(sum / scale + 0.5) + RESCALE_OUT_ZERO;
    return sum < -128 ? -128 : sum > 127 ? 127 : sum;
}

/* Output scales from 2^6 to 2^-40: results are right, also where they saturate, or Build refuses, with the operator and
   both scales. */
Test(bounds, a_scale_that_no_kernel_can_reach_is_refused_and_every_other_gives_right_results) {
    size_t i;
    int exponent;
    for (i = 0; i < NNRT__COUNT_OF(rescale_cases); i++) {
        const rescale_case *which = &rescale_cases[i];
        int refused = 0;
        for (exponent = -6; exponent <= 40; exponent++) {
            const double scale = ldexp(1.0, -exponent);
            nnrt__real_text text;
            gb_graph g;
            OH_NN_ReturnCode code;
            int x;
            rescale_graph(&g, which, scale);
            code = gb_build(&g);
            if (code != OH_NN_SUCCESS) {
                char both[96];
                snprintf(both, sizeof(both), "the scale %s of the output is too small beside 1 of the input",
                         nnrt__real_print(&text, scale));
                IS(code, OH_NN_FAILED);
                cr_assert_not_null(strstr(nnrt_last_error(), which->name), "%s", nnrt_last_error());
                cr_assert_not_null(strstr(nnrt_last_error(), both), "%s: %s", both, nnrt_last_error());
                refused++;
            } else {
                cr_assert_eq(refused, 0, "%s: 2^-%d is taken, a larger scale was not", which->name, exponent);
                for (x = -128; x <= 127; x += 15) {
                    int8_t in[16], out[16];
                    memset(in, x, sizeof(in));
                    IS(gb_run(&g, gb_buffer(in, sizeof(in)), gb_buffer(out, which->output)), OH_NN_SUCCESS);
                    cr_assert_leq(fabs(out[0] - rescale_wanted(which, x, scale)), 1.0, "%s, scale 2^-%d, byte %d: %d",
                                  which->name, exponent, x, out[0]);
                }
            }
            gb_close(&g);
        }
        cr_assert(refused > 0 && refused < 30, "%s: %d of 47 scales are refused", which->name, refused);
    }
}

Test(bounds, a_channel_without_weights_may_have_any_scale) {
    static const int32_t x_dims[2] = {1, 4}, w_dims[2] = {2, 4}, y_dims[2] = {1, 2};
    static const int8_t weights[8] = {0, 0, 0, 0, 1, 2, 3, 4};
    static const double scales[2] = {1e20, 1.0};
    int8_t in[4] = {1, 2, 3, 4}, out[2];
    gb_graph g;
    uint32_t inputs[2], y;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor_s8(&g, 2, x_dims, 1.0, 0));
    inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, weights), 2, scales, NULL);
    y = gb_output(&g, gb_tensor_s8(&g, 2, y_dims, 1.0, 0));
    IS(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, inputs, 1, &y), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    IS(gb_run(&g, gb_buffer(in, sizeof(in)), gb_buffer(out, sizeof(out))), OH_NN_SUCCESS);
    cr_assert_eq(out[0], 0);
    cr_assert_eq(out[1], 30);
    gb_close(&g);
}

Test(bounds, numbers_in_sentences_have_six_digits) {
    static const struct {
        double value;
        const char *text;
    } rows[] = {{1.0, "1"},
                {0.05, "5e-2"},
                {123456.0, "1.23456e5"},
                {1.0 / 131072, "7.62939e-6"},
                {9.9999999, "1e1"},
                {0.99999999, "1"},
                {0.9999995, "1"},
                {9.999995, "1e1"},
                {1e-30, "1e-30"},
                {10.0, "1e1"},
                {0.0, "0"},
                {-1.0, "0"},
                {NAN, "0"},
                {1e301, "infinite"}};
    nnrt__real_text text;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) cr_assert_str_eq(nnrt__real_print(&text, rows[i].value), rows[i].text);
}

/* ------------------------------------------------------------------------------------------- ends of long runs */

static uint32_t random_state = 7;

static void random_bytes(void *to, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) {
        random_state = random_state * 1664525u + 1013904223u;
        ((uint8_t *)to)[i] = (uint8_t)(random_state >> 24);
    }
}

/* Long steps, one for each way of doing much: [1,64,64,32] int8 or float. */
static const OH_NN_OperationType long_ops[] = {OH_NN_OPS_CONV2D,
                                               OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE,
                                               OH_NN_OPS_CONV2D_TRANSPOSE,
                                               OH_NN_OPS_FULL_CONNECTION,
                                               OH_NN_OPS_MAX_POOL,
                                               OH_NN_OPS_AVG_POOL,
                                               OH_NN_OPS_SOFTMAX,
                                               OH_NN_OPS_TRANSPOSE,
                                               OH_NN_OPS_EXP,
                                               OH_NN_OPS_RESIZE_BILINEAR,
                                               OH_NN_OPS_REDUCE_SUM,
                                               OH_NN_OPS_GATHER,
                                               OH_NN_OPS_TOP_K,
                                               OH_NN_OPS_ADD};

static void long_graph(gb_graph *g, OH_NN_OperationType op) {
    static const int32_t x_dims[4] = {1, 64, 64, 32}, r_dims[4] = {1, 256, 256, 32}, p_dims[4] = {1, 33, 33, 32};
    static const int32_t w_dims[4] = {32, 3, 3, 32}, dw_dims[4] = {1, 33, 33, 32}, f_dims[2] = {4096, 1024};
    static const int32_t fw_dims[2] = {1024, 32}, s_dims[4] = {1, 64, 64, 1}, k_dims[4] = {1, 64, 64, 20};
    static const int32_t t_dims[4] = {32, 64, 64, 1}, perm[4] = {3, 1, 2, 0}, last = 3, k = 20, channels = 32,
                         wide = 1024;
    static const int64_t ones[2] = {1, 1}, window[2] = {32, 32}, side = 256;
    const bool s8 = op != OH_NN_OPS_EXP && op != OH_NN_OPS_ADD && op != OH_NN_OPS_RESIZE_BILINEAR &&
                    op != OH_NN_OPS_REDUCE_SUM && op != OH_NN_OPS_TOP_K;
    const int32_t *dims = x_dims;
    const double scale = 0.001;
    const int32_t zero = 0, *w = op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE ? dw_dims : w_dims;
    int8_t *weights = (int8_t *)malloc(33 * 33 * 32);
    int32_t *bias = (int32_t *)calloc(1024, sizeof(*bias)), *indices = (int32_t *)calloc(64, sizeof(*indices));
    uint32_t in[3], out[2], count = 1, outputs = 1;
    size_t rank = 4;
    cr_assert(weights != NULL && bias != NULL && indices != NULL);
    random_bytes(weights, 33 * 33 * 32);
    gb_open(g);
    in[0] = gb_input(g, s8 ? gb_tensor_s8(g, 4, x_dims, 0.1, 0) : gb_tensor(g, OH_NN_FLOAT32, 4, x_dims));
    if (op == OH_NN_OPS_FULL_CONNECTION) dims = f_dims, rank = 2;
    if (op == OH_NN_OPS_MAX_POOL || op == OH_NN_OPS_AVG_POOL) dims = p_dims;
    if (op == OH_NN_OPS_RESIZE_BILINEAR) dims = r_dims;
    if (op == OH_NN_OPS_REDUCE_SUM) dims = s_dims;
    if (op == OH_NN_OPS_TOP_K) dims = k_dims;
    if (op == OH_NN_OPS_TRANSPOSE) dims = t_dims;
    out[0] = gb_output(g, s8 ? gb_tensor_s8(g, rank, dims, op == OH_NN_OPS_SOFTMAX ? 1.0 / 256 : 0.1,
                                            op == OH_NN_OPS_SOFTMAX ? -128 : 0)
                             : gb_tensor(g, OH_NN_FLOAT32, rank, dims));
    switch (op) {
    case OH_NN_OPS_CONV2D:
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE:
    case OH_NN_OPS_CONV2D_TRANSPOSE:
        in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, w, weights), 1, &scale, &zero);
        in[2] = gb_constant(g, OH_NN_INT32, 1, &channels, bias);
        count = 3;
        if (op == OH_NN_OPS_CONV2D) {
            gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, ones);
            gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, 0);
        } else if (op == OH_NN_OPS_CONV2D_TRANSPOSE) {
            gb_param_i64s(g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, ones);
            gb_param_i8(g, OH_NN_CONV2D_TRANSPOSE_PAD_MODE, 0);
        } else {
            gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, ones);
            gb_param_i8(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, 0);
        }
        break;
    case OH_NN_OPS_FULL_CONNECTION:
        in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 2, fw_dims, weights), 1, &scale, &zero);
        in[2] = gb_constant(g, OH_NN_INT32, 1, &wide, bias);
        count = 3;
        break;
    case OH_NN_OPS_MAX_POOL:
        gb_param_i64s(g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, window);
        gb_param_i64s(g, OH_NN_MAX_POOL_STRIDE, 2, ones);
        break;
    case OH_NN_OPS_AVG_POOL:
        gb_param_i64s(g, OH_NN_AVG_POOL_KERNEL_SIZE, 2, window);
        gb_param_i64s(g, OH_NN_AVG_POOL_STRIDE, 2, ones);
        break;
    case OH_NN_OPS_SOFTMAX: gb_param_i64(g, OH_NN_SOFTMAX_AXIS, 3); break;
    case OH_NN_OPS_TRANSPOSE: in[1] = gb_ints(g, 4, perm), count = 2; break;
    case OH_NN_OPS_RESIZE_BILINEAR:
        gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, side);
        gb_param_i64(g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, side);
        break;
    case OH_NN_OPS_REDUCE_SUM:
        gb_param_bool(g, OH_NN_REDUCE_SUM_KEEP_DIMS, true);
        in[1] = gb_ints(g, 1, &last), count = 2;
        break;
    case OH_NN_OPS_GATHER: {
        const int32_t axis = 1;
        in[1] = gb_ints(g, 64, indices), in[2] = gb_constant(g, OH_NN_INT32, 0, NULL, &axis), count = 3;
        break;
    }
    case OH_NN_OPS_TOP_K:
        gb_param_i64(g, OH_NN_TOP_K_AXIS, 3);
        in[1] = gb_constant(g, OH_NN_INT32, 0, NULL, &k), count = 2;
        out[1] = gb_output(g, gb_tensor(g, OH_NN_INT32, rank, dims)), outputs = 2;
        break;
    case OH_NN_OPS_ADD: in[1] = in[0], count = 2; break;
    default: break;
    }
    IS(gb_op(g, op, count, in, outputs, out), OH_NN_SUCCESS);
    free(weights);
    free(bias);
    free(indices);
}

/* The work of a run between two checks of the flag that a deadline sets. */
Test(bounds, every_long_step_has_units_to_share_and_is_cut_into_chunks_of_some_milliseconds) {
    static const char *const isas[2] = {"scalar", NULL};
    size_t i, k;
    uint32_t s;
    for (i = 0; i < 2 * NNRT__COUNT_OF(long_ops); i++) {
        const nnrt__cpu_prepared *prepared;
        uint64_t work = 0;
        gb_graph g;
        k = i / 2;
        long_graph(&g, long_ops[k]);
        g.isa = isas[i % 2];
        IS(gb_build(&g), OH_NN_SUCCESS);
        prepared = (const nnrt__cpu_prepared *)g.compilation->prepared->object;
        for (s = 0; s < prepared->plan.header->step_count; s++) {
            const nnrt__step_view *view = &prepared->plan.views[s];
            const uint64_t unit = view->work / view->units;
            work += view->work;
            cr_assert_geq(view->units, 2u, "%s: threads have nothing to share", prepared->plan.kinds[s]->name);
            cr_assert_leq(unit, 4 * (uint64_t)NNRT__WORK_OF_A_CHUNK, "%s: a unit of %u is too long",
                          prepared->plan.kinds[s]->name, (unsigned)view->units);
            cr_assert(view->chunk == 1 || unit * view->chunk <= NNRT__WORK_OF_A_CHUNK, "%s: a chunk is too long",
                      prepared->plan.kinds[s]->name);
            cr_assert_geq(unit * ((uint64_t)view->chunk + 1), NNRT__WORK_OF_A_CHUNK / 2, "%s: a chunk is too short",
                          prepared->plan.kinds[s]->name);
        }
        cr_assert_gt(work, 4096u);
        gb_close(&g);
    }
}

/* Kinds are called for chunks, in order, and not at all once the flag is set. */
static uint32_t seen_first[16], seen_last[16], seen;
static int32_t seen_flag;

static OH_NN_ReturnCode see_units(const nnrt__step_view *view, const nnrt__step_call *call) {
    (void)view;
    cr_assert_lt(seen, 16u);
    seen_first[seen] = call->first;
    seen_last[seen++] = call->last;
    if (seen == 3) seen_flag = 1;
    return OH_NN_SUCCESS;
}

Test(bounds, a_step_is_given_up_between_two_chunks) {
    nnrt__step_kind kind;
    nnrt__step_view view;
    nnrt__step_call call;
    uint32_t i;
    memset(&kind, 0, sizeof(kind));
    memset(&view, 0, sizeof(view));
    memset(&call, 0, sizeof(call));
    kind.run = see_units;
    view.chunk = 7;
    call.first = 10;
    call.last = 100;
    call.cancel = &seen_flag;
    IS(nnrt__run_units(&kind, &view, &call), OH_NN_SUCCESS);
    cr_assert_eq(seen, 3u);
    for (i = 0; i < 3; i++) cr_assert(seen_first[i] == 10 + 7 * i && seen_last[i] == 17 + 7 * i);
    call.last = 100;
    IS(nnrt__run_units(&kind, &view, &call), OH_NN_SUCCESS);
    cr_assert_eq(seen, 3u);
    seen = 0;
    seen_flag = 0;
    call.first = 96;
    call.last = 100;
    IS(nnrt__run_units(&kind, &view, &call), OH_NN_SUCCESS);
    cr_assert(seen == 1 && seen_first[0] == 96 && seen_last[0] == 100);
}

/* A copy whose iterations cannot be shared by threads is one unit, and checks the flag itself. */
Test(bounds, a_copy_that_is_one_unit_is_given_up_too) {
    nnrt__box box;
    nnrt__step_view view;
    nnrt__step_call call;
    nnrt__plan_value value;
    const nnrt__plan_value *operands[2] = {&value, &value};
    uint8_t from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    void *data[2];
    int32_t flag = 1;
    memset(&box, 0, sizeof(box));
    memset(&view, 0, sizeof(view));
    memset(&value, 0, sizeof(value));
    box.rank = 2;
    box.run = 1;
    box.count[0] = 2, box.src_step[0] = 4, box.dst_step[0] = 1;
    box.count[1] = 4, box.src_step[1] = 1, box.dst_step[1] = 2;
    view.arguments = &box;
    view.operands = operands;
    view.input_count = view.output_count = view.units = 1;
    data[0] = from;
    data[1] = to;
    call.data = data;
    call.scratch = NULL;
    call.first = 0;
    call.last = 1;
    call.cancel = &flag;
    cr_assert_eq(nnrt__copy_units(&view), 1u);
    IS(nnrt__copy_step_run(&view, &call), OH_NN_SUCCESS);
    cr_assert_eq(to[0] + to[7], 0);
    flag = 0;
    IS(nnrt__copy_step_run(&view, &call), OH_NN_SUCCESS);
    cr_assert(to[0] == 1 && to[1] == 5 && to[6] == 4 && to[7] == 8);
}

static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done_changed = PTHREAD_COND_INITIALIZER;
static int done_count;
static OH_NN_ReturnCode done_code;

static void run_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    (void)user;
    (void)outputs;
    (void)count;
    pthread_mutex_lock(&done_lock);
    done_count++;
    done_code = code;
    pthread_cond_broadcast(&done_changed);
    pthread_mutex_unlock(&done_lock);
}

static OH_NN_ReturnCode run_async(OH_NNExecutor *executor, NN_Tensor **in, NN_Tensor **out, int32_t timeout,
                                  uint64_t *took) {
    const uint64_t start = nnrt__now_ns();
    const int before = done_count;
    IS(OH_NNExecutor_RunAsync(executor, in, 1, out, 1, timeout, &done_count), OH_NN_SUCCESS);
    pthread_mutex_lock(&done_lock);
    while (done_count == before) pthread_cond_wait(&done_changed, &done_lock);
    pthread_mutex_unlock(&done_lock);
    *took = nnrt__now_ns() - start;
    return done_code;
}

/* One long step: with a deadline it ends in a fraction of its time, and the next run is right. */
Test(bounds, a_deadline_ends_one_long_step_within_milliseconds, .timeout = 300) {
    static const char *const threads[2] = {"1", "3"};
    int i;
    for (i = 0; i < 2; i++) {
        gb_graph g;
        NN_TensorDesc *desc;
        NN_Tensor *in, *out;
        uint64_t whole, cut, least = UINT64_MAX;
        uint32_t crc;
        size_t size = 0;
        int again;
        long_graph(&g, OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE);
        g.threads = threads[i];
        IS(gb_build(&g), OH_NN_SUCCESS);
        IS(OH_NNExecutor_SetOnRunDone(g.executor, run_done), OH_NN_SUCCESS);
        desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
        in = OH_NNTensor_Create(gb_device(), desc);
        IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
        desc = OH_NNExecutor_CreateOutputTensorDesc(g.executor, 0);
        out = OH_NNTensor_Create(gb_device(), desc);
        IS(OH_NNTensorDesc_GetByteSize(desc, &size), OH_NN_SUCCESS);
        IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
        random_bytes(OH_NNTensor_GetDataBuffer(in), size);
        IS(run_async(g.executor, &in, &out, 0, &whole), OH_NN_SUCCESS);
        crc = nnrt__crc32(0, OH_NNTensor_GetDataBuffer(out), size);
        for (again = 0; again < 8; again++) { /* on a busy machine one run in time proves nothing */
            const OH_NN_ReturnCode code = run_async(g.executor, &in, &out, (int32_t)(whole / 20000000u) + 1, &cut);
            cr_assert(code == OH_NN_TIMEOUT || code == OH_NN_SUCCESS, "%s", nnrt_last_error());
            if (code == OH_NN_TIMEOUT && cut < least) least = cut;
        }
        cr_assert_lt(least, whole / 2, "%llu ns instead of %llu", (unsigned long long)least, (unsigned long long)whole);
        IS(run_async(g.executor, &in, &out, 0, &whole), OH_NN_SUCCESS);
        cr_assert_eq(nnrt__crc32(0, OH_NNTensor_GetDataBuffer(out), size), crc);
        IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
        IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
        gb_close(&g);
    }
}

/* ----------------------------------------------------------------------------------------- work and memory */

/* Builds the finished graph with one config: the code of Build. */
static OH_NN_ReturnCode build_with(gb_graph *g, const char *name, const char *value) {
    OH_NN_ReturnCode code;
    if (g->compilation != NULL) OH_NNCompilation_Destroy(&g->compilation);
    g->compilation = OH_NNCompilation_Construct(g->model);
    IS(OH_NNCompilation_SetDevice(g->compilation, gb_device()), OH_NN_SUCCESS);
    if (name != NULL)
        IS(OH_NNCompilation_AddExtensionConfig(g->compilation, name, value, strlen(value)), OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(g->compilation);
    return code;
}

static void says(const char *part) {
    cr_assert_not_null(strstr(nnrt_last_error(), part), "\"%s\" is not in \"%s\"", part, nnrt_last_error());
}

/* The transposed convolution of long_graph: 64 * 64 * 32 results of 288 products. */
Test(bounds, a_model_of_more_work_or_memory_than_allowed_is_refused) {
    static const char *const wrong[] = {"", "0", "-1", "1k", "K", "1KK", "1 K", "1.5G", "9999999999999999", "2000000T"};
    gb_graph g;
    size_t i;
    long_graph(&g, OH_NN_OPS_CONV2D);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_work", "37748735"), OH_NN_FAILED);
    says("37748736 operations or more; nnrt.max_work allows 37748735");
    IS(build_with(&g, "nnrt.max_work", "37M"), OH_NN_FAILED);
    IS(build_with(&g, "nnrt.max_work", "37748736"), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_work", "38M"), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_work", "1T"), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_memory", "8K"), OH_NN_FAILED);
    says("nnrt.max_memory allows 8192");
    IS(build_with(&g, "nnrt.max_memory", "64K"), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_memory", "1M"), OH_NN_SUCCESS);
    for (i = 1; i < 2 * NNRT__COUNT_OF(wrong); i++) {
        const char *value = wrong[i / 2];
        if (value[0] == '\0') continue;
        IS(build_with(&g, i % 2 == 0 ? "nnrt.max_work" : "nnrt.max_memory", value), OH_NN_INVALID_PARAMETER);
        says(value);
    }
    gb_close(&g);
}

/* Values have an end behind them, and may count it or not. */
Test(bounds, numbers_of_configs_are_read_whole) {
    static const struct {
        const char *text;
        size_t size;
        int number; /* -1: it is none */
        uint64_t amount;
    } rows[] = {{"7", 1, 7, 7},
                {"12", 2, 12, 12},
                {"12", 3, 12, 12},
                {"12", 4, -1, 0},
                {"0", 1, 0, 0},
                {"9999", 4, 9999, 9999},
                {"10000", 5, -1, 10000},
                {"", 0, -1, 0},
                {"", 1, -1, 0},
                {"-1", 2, -1, 0},
                {"1x", 2, -1, 0},
                {"x1", 2, -1, 0},
                {" 1", 2, -1, 0},
                {"12K", 3, -1, 12000},
                {"12K", 4, -1, 12000},
                {"3M", 2, -1, 3000000},
                {"2G", 3, -1, 2000000000},
                {"1T", 2, -1, 1000000000000},
                {"999999999999999", 15, -1, 999999999999999},
                {"1000000000000000", 16, -1, 0},
                {"1152921T", 8, -1, 1152921000000000000},
                {"1152922T", 8, -1, 0}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        char *value = (char *)calloc(rows[i].size + 1, 1);
        nnrt_config config;
        uint64_t amount = 7;
        bool read;
        cr_assert_not_null(value);
        memcpy(value, rows[i].text, strlen(rows[i].text));
        config.name = "nnrt.max_work";
        config.value = value;
        config.size = rows[i].size;
        cr_assert_eq(nnrt__config_number(&config), rows[i].number, "row %zu", i);
        read = nnrt__config_amount(&config, 1000, &amount);
        cr_assert_eq(read, rows[i].amount != 0, "row %zu", i);
        cr_assert(!read || amount == rows[i].amount, "row %zu", i);
        free(value);
    }
}

/* Activations count: two RELUs of 1 MiB with one between them. */
Test(bounds, an_arena_beyond_the_bound_is_refused) {
    static const int32_t dims[1] = {262144};
    gb_graph g;
    uint32_t t[4];
    int i;
    gb_open(&g);
    t[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    for (i = 1; i < 4; i++) t[i] = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
    (void)gb_output(&g, t[3]);
    for (i = 0; i < 3; i++) IS(gb_op(&g, OH_NN_OPS_TANH, 1, &t[i], 1, &t[i + 1]), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_memory", "1M"), OH_NN_FAILED);
    says("1048576 of them for activations; nnrt.max_memory allows 1048576");
    IS(build_with(&g, "nnrt.max_memory", "1028K"), OH_NN_SUCCESS);
    gb_close(&g);
}

/* A convolution of a few hundred bytes that would run for hours: 31600 * 31600 results of 961 products. */
Test(bounds, without_a_config_a_run_of_hours_is_refused) {
    static const int32_t x_dims[4] = {1, 31630, 31630, 1}, w_dims[4] = {1, 31, 31, 1}, y_dims[4] = {1, 31600, 31600, 1};
    static const int32_t small_dims[4] = {1, 130, 130, 1}, small_y[4] = {1, 100, 100, 1}, one = 1, bias = 0;
    static const int64_t ones[2] = {1, 1};
    static const double scale = 0.01;
    static const int8_t weights[31 * 31] = {1};
    int large;
    for (large = 0; large < 2; large++) {
        gb_graph g;
        uint32_t in[3], t, y;
        gb_open(&g);
        in[0] = gb_input(&g, gb_tensor_s8(&g, 4, large ? x_dims : small_dims, 0.01, 0));
        in[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 4, w_dims, weights), 1, &scale, NULL);
        in[2] = gb_constant(&g, OH_NN_INT32, 1, &one, &bias);
        t = gb_output(&g, gb_tensor_s8(&g, 4, large ? y_dims : small_y, 0.01, 0));
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &t), OH_NN_SUCCESS);
        y = gb_output(&g, gb_tensor_s8(&g, 4, large ? y_dims : small_y, 0.02, 0));
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &y), OH_NN_SUCCESS);
        IS(gb_finish(&g), OH_NN_SUCCESS);
        IS(build_with(&g, NULL, NULL), large ? OH_NN_FAILED : OH_NN_SUCCESS);
        if (large) says("nnrt.max_work allows 1000000000000");
        gb_close(&g);
    }
}

/* A dynamic model is bounded shape by shape. */
Test(bounds, the_shape_of_a_run_is_bounded_as_well) {
    static const int32_t dims[2] = {1, -1}, small[2] = {1, 100}, large[2] = {1, 1000};
    float x[1000] = {0}, y[1000];
    gb_graph g;
    uint32_t in, out;
    gb_open(&g);
    in = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    out = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    IS(gb_op(&g, OH_NN_OPS_TANH, 1, &in, 1, &out), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    IS(build_with(&g, "nnrt.max_work", "4K"), OH_NN_SUCCESS);
    g.executor = OH_NNExecutor_Construct(g.compilation);
    gb_run_shape(&g, 0, 2, small);
    IS(gb_run(&g, gb_buffer(x, 400), gb_buffer(y, 400)), OH_NN_SUCCESS);
    gb_run_shape(&g, 0, 2, large);
    cr_assert_neq(gb_run(&g, gb_buffer(x, 4000), gb_buffer(y, 4000)), OH_NN_SUCCESS);
    says("8000 operations or more; nnrt.max_work allows 4000");
    gb_close(&g);
}

/* The plan of a chain of three functions, of which two values lie in the arena. */
static uint8_t *chain_plan(size_t *size) {
    static const int32_t dims[1] = {1000};
    gb_graph g;
    uint32_t t[4];
    uint8_t *plan;
    int i;
    gb_open(&g);
    t[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    for (i = 1; i < 4; i++) t[i] = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
    (void)gb_output(&g, t[3]);
    for (i = 0; i < 3; i++) IS(gb_op(&g, OH_NN_OPS_TANH, 1, &t[i], 1, &t[i + 1]), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    IS(build_with(&g, NULL, NULL), OH_NN_SUCCESS);
    plan = (uint8_t *)malloc(1u << 16);
    cr_assert_not_null(plan);
    IS(OH_NNCompilation_ExportCacheToBuffer(g.compilation, plan, 1u << 16, size), OH_NN_SUCCESS);
    gb_close(&g);
    return plan;
}

static OH_NN_ReturnCode import(uint8_t *plan, size_t size, const char *name, const char *value) {
    OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
    const uint32_t crc = nnrt__plan_crc(plan, size);
    OH_NN_ReturnCode code;
    memcpy(plan + offsetof(nnrt__plan_header, crc), &crc, sizeof(crc));
    IS(OH_NNCompilation_SetDevice(c, gb_device()), OH_NN_SUCCESS);
    if (name != NULL) IS(OH_NNCompilation_AddExtensionConfig(c, name, value, strlen(value)), OH_NN_SUCCESS);
    IS(OH_NNCompilation_ImportCacheFromBuffer(c, plan, size), OH_NN_SUCCESS);
    code = OH_NNCompilation_Build(c);
    OH_NNCompilation_Destroy(&c);
    return code;
}

Test(bounds, a_plan_cannot_ask_for_more_arena_than_its_steps_use) {
    size_t size = 0;
    uint8_t *plan = chain_plan(&size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(plan + header->values);
    const uint64_t arena = header->arena_size;
    uint32_t i;
    IS(import(plan, size, NULL, NULL), OH_NN_SUCCESS);
    header->arena_size = arena + 64; /* room that nothing lies in */
    IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
    says("its arena is larger than what lies in it");
    header->arena_size = NNRT__PLAN_MAX_ARENA; /* a value at the far end */
    for (i = 0; i < header->value_count; i++)
        if (values[i].segment == NNRT__SEGMENT_ARENA) values[i].offset = NNRT__PLAN_MAX_ARENA - 4032;
    IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
    says("its arena is larger than what lies in it");
    free(plan);
}

/* The second of the two values lies where the first one does, which a function may; 64 bytes behind it, it may not. */
Test(bounds, a_step_in_place_covers_its_input_from_the_first_byte) {
    size_t size = 0;
    uint8_t *plan = chain_plan(&size);
    nnrt__plan_header *header = (nnrt__plan_header *)(void *)plan;
    nnrt__plan_value *values = (nnrt__plan_value *)(void *)(plan + header->values), *second = NULL;
    uint32_t i, count = 0;
    for (i = 0; i < header->value_count; i++) {
        if (values[i].segment != NNRT__SEGMENT_ARENA) continue;
        cr_assert_eq(values[i].offset, 0u);
        second = &values[i];
        count++;
    }
    cr_assert_eq(count, 2u);
    second->offset = 64;
    header->arena_size += 64;
    IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
    says("a step's output overlaps its other operands");
    free(plan);
}

Test(bounds, a_plan_from_a_cache_is_bounded_by_the_configs_of_who_builds) {
    size_t size = 0;
    uint8_t *plan = chain_plan(&size);
    unsigned needed;
    char text[16];
    IS(import(plan, size, "nnrt.max_work", "24K"), OH_NN_SUCCESS);
    IS(import(plan, size, "nnrt.max_work", "23999"), OH_NN_INVALID_FILE);
    says("24000 operations or more; nnrt.max_work allows 23999");
    IS(import(plan, size, "nnrt.max_memory", "4K"), OH_NN_INVALID_FILE);
    says("nnrt.max_memory allows 4096");
    needed = (unsigned)(((nnrt__plan_header *)(void *)plan)->size + ((nnrt__plan_header *)(void *)plan)->arena_size);
    (void)snprintf(text, sizeof(text), "%u", needed);
    IS(import(plan, size, "nnrt.max_memory", text), OH_NN_SUCCESS);
    (void)snprintf(text, sizeof(text), "%u", needed - 1);
    IS(import(plan, size, "nnrt.max_memory", text), OH_NN_INVALID_FILE);
    says(text);
    free(plan);
}

Test(bounds, a_value_of_a_plan_has_a_scale_that_is_one) {
    static const struct {
        double scale;
        bool fits;
    } rows[] = {{0.0, true},   {0.5, true},  {1e30, true},     {1.001e30, false},
                {-0.5, false}, {NAN, false}, {INFINITY, false}};
    size_t size = 0, i;
    uint8_t *plan = chain_plan(&size);
    nnrt__plan_value *value = (nnrt__plan_value *)(void *)(plan + ((nnrt__plan_header *)(void *)plan)->values);
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        value->scale = rows[i].scale;
        IS(import(plan, size, NULL, NULL), rows[i].fits ? OH_NN_SUCCESS : OH_NN_INVALID_FILE);
        if (!rows[i].fits) says("a value has a bad scale");
    }
    free(plan);
}

/* The plan of a graph that is built and closed; free() it. */
static uint8_t *plan_of(gb_graph *g, size_t *size) {
    uint8_t *plan = (uint8_t *)malloc(1u << 16);
    cr_assert_not_null(plan);
    IS(gb_finish(g), OH_NN_SUCCESS);
    IS(build_with(g, NULL, NULL), OH_NN_SUCCESS);
    IS(OH_NNCompilation_ExportCacheToBuffer(g->compilation, plan, 1u << 16, size), OH_NN_SUCCESS);
    gb_close(g);
    return plan;
}

static nnrt__plan_header *header_of(uint8_t *plan) { return (nnrt__plan_header *)(void *)plan; }

/* What operand k of the first step is. */
static nnrt__plan_value *operand_of(uint8_t *plan, uint32_t k) {
    const nnrt__plan_header *header = header_of(plan);
    const nnrt__plan_step *step = (const nnrt__plan_step *)(const void *)(plan + header->steps);
    const uint32_t *operands = (const uint32_t *)(const void *)(plan + header->operands);
    return (nnrt__plan_value *)(void *)(plan + header->values) + operands[step->first_operand + k];
}

static void *arguments_of(uint8_t *plan) {
    const nnrt__plan_header *header = header_of(plan);
    const nnrt__plan_step *step = (const nnrt__plan_step *)(const void *)(plan + header->steps);
    return plan + header->arguments + step->arguments;
}

/* 70 additions, which have operands for more inputs and outputs than a plan may have. */
Test(bounds, a_plan_has_1_to_200_inputs_and_as_many_outputs) {
    static const int32_t dims[1] = {3};
    static const uint32_t counts[4][2] = {{0, 1}, {201, 1}, {1, 0}, {1, 201}};
    gb_graph g;
    size_t size = 0, i;
    uint32_t in[2], y;
    uint8_t *plan;
    gb_open(&g);
    in[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    for (i = 0; i < 70; i++) {
        in[1] = in[0];
        y = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
        if (i == 69) (void)gb_output(&g, y);
        IS(gb_op(&g, OH_NN_OPS_ADD, 2, in, 1, &y), OH_NN_SUCCESS);
        in[0] = y;
    }
    plan = plan_of(&g, &size);
    cr_assert_geq(header_of(plan)->operand_count, 202u);
    IS(import(plan, size, NULL, NULL), OH_NN_SUCCESS);
    for (i = 0; i < 4; i++) {
        header_of(plan)->input_count = counts[i][0];
        header_of(plan)->output_count = counts[i][1];
        IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
        says("bad number of inputs or outputs");
    }
    free(plan);
}

/* y = |x|, and an input that nobody reads. */
Test(bounds, an_input_of_a_plan_is_an_input) {
    static const int32_t dims[1] = {3};
    gb_graph g;
    size_t size = 0;
    uint32_t x, y, *operands;
    uint8_t *plan;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    (void)gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    IS(gb_op(&g, OH_NN_OPS_ABS, 1, &x, 1, &y), OH_NN_SUCCESS);
    plan = plan_of(&g, &size);
    IS(import(plan, size, NULL, NULL), OH_NN_SUCCESS);
    operands = (uint32_t *)(void *)(plan + header_of(plan)->operands);
    operands[1] = operands[2]; /* the output */
    IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
    says("a model input is no input");
    free(plan);
}

/* A plan from a cache may have other shapes; only a scalar may also be [1]. */
Test(bounds, an_input_of_a_run_has_the_shape_that_the_plan_has) {
    static const struct {
        uint32_t rank, given;
        int32_t dims[2], given_dims[2];
        bool fits;
    } rows[] = {{0, 1, {0, 0}, {1, 0}, true}, {0, 1, {0, 0}, {2, 0}, false}, {0, 2, {0, 0}, {1, 1}, false},
                {1, 1, {1, 0}, {1, 0}, true}, {2, 1, {1, 1}, {1, 1}, false}, {1, 2, {1, 0}, {1, 1}, false},
                {2, 2, {2, 3}, {2, 3}, true}, {2, 2, {2, 3}, {3, 2}, false}, {2, 2, {2, 3}, {2, 2}, false}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        nnrt__plan_value value;
        nnrt_io io;
        memset(&value, 0, sizeof(value));
        memset(&io, 0, sizeof(io));
        value.dtype = OH_NN_INT8;
        io.dtype = OH_NN_INT8;
        value.rank = rows[i].rank;
        io.rank = rows[i].given;
        memcpy(value.dims, rows[i].dims, sizeof(rows[i].dims));
        memcpy(io.dims, rows[i].given_dims, sizeof(rows[i].given_dims));
        value.size = 6;
        io.size = 6;
        IS(nnrt__cpu_check_io(&value, &io, false, 0), rows[i].fits ? OH_NN_SUCCESS : OH_NN_UNAVAILABLE_DEVICE);
        if (!rows[i].fits) says("the model has [");
        io.size = 5;
        IS(nnrt__cpu_check_io(&value, &io, true, 0), OH_NN_UNAVAILABLE_DEVICE);
        says("output 0 has 5 bytes, the model needs 6");
    }
}

Test(bounds, the_names_of_a_plan_end_inside_it) {
    size_t size = 0;
    uint8_t *plan = chain_plan(&size);
    nnrt__plan_header *header = header_of(plan);
    plan[header->strings + header->strings_size - 1] = 'x';
    IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
    says("the strings have no end");
    free(plan);
}

/* A depthwise convolution of one tap, [1,2,2,4]: in int8 or float, its only step. */
static uint8_t *depthwise_plan(bool s8, size_t *size) {
    static const int32_t dims[4] = {1, 2, 2, 4}, w_dims[4] = {1, 1, 1, 4}, channels = 4;
    static const int64_t ones[2] = {1, 1};
    static const double scale = 0.5;
    static const float zeros[4] = {0};
    const OH_NN_DataType weights = s8 ? OH_NN_INT8 : OH_NN_FLOAT32, bias = s8 ? OH_NN_INT32 : OH_NN_FLOAT32;
    gb_graph g;
    uint32_t in[3], y;
    gb_open(&g);
    in[0] = gb_input(&g, s8 ? gb_tensor_s8(&g, 4, dims, 0.5, 0) : gb_tensor(&g, OH_NN_FLOAT32, 4, dims));
    in[1] = gb_constant(&g, weights, 4, w_dims, zeros);
    if (s8) (void)gb_quantize(&g, in[1], 1, &scale, NULL);
    in[2] = gb_constant(&g, bias, 1, &channels, zeros);
    y = gb_output(&g, s8 ? gb_tensor_s8(&g, 4, dims, 0.5, 0) : gb_tensor(&g, OH_NN_FLOAT32, 4, dims));
    gb_param_i64s(&g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, ones);
    IS(gb_op(&g, OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, 3, in, 1, &y), OH_NN_SUCCESS);
    return plan_of(&g, size);
}

static void set_shape(nnrt__plan_value *value, OH_NN_DataType dtype, int32_t height, int32_t width, int32_t channels) {
    value->dtype = (uint32_t)dtype;
    value->dims[1] = height;
    value->dims[2] = width;
    value->dims[3] = channels;
    value->size = (uint64_t)height * (uint64_t)width * (uint64_t)channels * nnrt__element_size(dtype);
}

/* Each row has one fault, and everything else is made to fit: only the check of this step can refuse it. */
Test(bounds, a_depthwise_step_has_as_many_channels_and_groups_as_its_input) {
    static const struct {
        int32_t columns, group, in_c, out_c;
        bool other_type, fits;
    } rows[] = {{0, 4, 4, 4, false, true},  {4, 4, 4, 4, false, false}, {0, 2, 4, 4, false, false},
                {0, 1, 4, 4, false, false}, {0, 4, 4, 8, false, false}, {0, 4, 8, 4, false, false},
                {0, 2, 4, 2, false, false}, {0, 4, 4, 4, true, false},  {4, 2, 4, 8, false, false}};
    size_t i;
    for (i = 0; i < 2 * NNRT__COUNT_OF(rows); i++) {
        const bool s8 = i % 2 == 0;
        const OH_NN_DataType dtype = s8 != rows[i / 2].other_type ? OH_NN_INT8 : OH_NN_FLOAT32;
        size_t size = 0;
        uint8_t *plan = depthwise_plan(s8, &size);
        nnrt__conv_args *args = (nnrt__conv_args *)arguments_of(plan);
        cr_assert_eq(header_of(plan)->step_count, 1u);
        cr_assert(args->columns == 0 && args->group == 4);
        args->columns = rows[i / 2].columns;
        args->group = rows[i / 2].group;
        set_shape(operand_of(plan, 0), dtype, 2, 2, rows[i / 2].in_c);
        set_shape(operand_of(plan, 2), dtype, 2, 2, rows[i / 2].out_c);
        IS(import(plan, size, NULL, NULL), rows[i / 2].fits ? OH_NN_SUCCESS : OH_NN_INVALID_FILE);
        if (!rows[i / 2].fits) says(s8 ? "step 0 (dw_s8) contradicts itself" : "step 0 (dw_f32) contradicts itself");
        free(plan);
    }
}

/* With room for either in a larger arena. */
Test(bounds, scratch_of_a_plan_is_aligned_in_place_and_size) {
    int i;
    for (i = 0; i < 2; i++) {
        size_t size = 0;
        uint8_t *plan = depthwise_plan(true, &size);
        nnrt__plan_header *header = header_of(plan);
        nnrt__plan_step *step = (nnrt__plan_step *)(void *)(plan + header->steps);
        cr_assert(step->scratch_size != 0 && header->step_count == 1);
        header->arena_size += 64 * (uint64_t)header->threads;
        if (i == 0) step->scratch_offset += 8;
        else step->scratch_size += 8;
        IS(import(plan, size, NULL, NULL), OH_NN_INVALID_FILE);
        says("a step's scratch lies outside");
        free(plan);
    }
}

/* Sizes and arguments of a resize agree, up to 1 GiB and a row beyond; nothing is run, so no such memory is asked
   for. */
Test(bounds, a_plan_has_no_tensor_of_more_than_1_gib) {
    static const int32_t dims[4] = {1, 2, 2, 1};
    int i;
    for (i = 0; i < 5; i++) {
        const bool large_in = i == 1 || i == 2, beyond = i == 2 || i == 4;
        gb_graph g;
        uint32_t x, y;
        uint8_t *plan;
        nnrt__resize_args *args;
        size_t size = 0;
        gb_open(&g);
        x = gb_input(&g, gb_tensor_s8(&g, 4, dims, 0.5, 0));
        y = gb_output(&g, gb_tensor_s8(&g, 4, dims, 0.25, 0));
        gb_param_i64(&g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 2);
        gb_param_i64(&g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 2);
        IS(gb_op(&g, OH_NN_OPS_RESIZE_BILINEAR, 1, &x, 1, &y), OH_NN_SUCCESS);
        plan = plan_of(&g, &size);
        args = &((nnrt__step_resize_args *)arguments_of(plan))->resize;
        cr_assert(args->in_height == 2 && args->out_width == 2);
        if (i != 0) {
            int32_t *height = large_in ? &args->in_height : &args->out_height;
            int32_t *width = large_in ? &args->in_width : &args->out_width;
            *height = 32768 + (beyond ? 1 : 0);
            *width = 32768;
            set_shape(operand_of(plan, large_in ? 0 : 1), OH_NN_INT8, *height, *width, 1);
        }
        IS(import(plan, size, NULL, NULL), beyond ? OH_NN_INVALID_FILE : OH_NN_SUCCESS);
        if (beyond) says("a value is larger than 1 GiB");
        free(plan);
    }
}

/* --------------------------------------------------------------------------------------- many operators */

enum {
    MANY = 50000
};

/* y = -(-(... x)), or the sum of x and of all that was made on the way there, twice as many additions as the arena
   planner has the patience for. Quadratic work in any part of Build would not end within the time of a test. */
Test(bounds, fifty_thousand_operators_are_built_and_run, .timeout = 300) {
    static const int32_t dims[1] = {3};
    int shape;
    for (shape = 0; shape < 2; shape++) {
        const uint32_t half = MANY / 2;
        uint32_t *made = (uint32_t *)malloc(half * sizeof(*made)), t, next, i, in[2];
        float x[3] = {1, -2, 0.5f}, y[3];
        gb_graph g;
        cr_assert_not_null(made);
        gb_open(&g);
        t = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
        for (i = 0; i < half; i++) {
            made[i] = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
            IS(gb_op(&g, OH_NN_OPS_NEG, 1, &t, 1, &made[i]), OH_NN_SUCCESS);
            t = made[i];
        }
        for (i = half; i-- > 0;) {
            next = gb_tensor(&g, OH_NN_FLOAT32, 1, dims);
            in[0] = t;
            in[1] = made[i];
            IS(gb_op(&g, shape == 0 ? OH_NN_OPS_NEG : OH_NN_OPS_ADD, shape == 0 ? 1 : 2, in, 1, &next), OH_NN_SUCCESS);
            t = next;
        }
        (void)gb_output(&g, t);
        IS(gb_build(&g), OH_NN_SUCCESS);
        IS(gb_run(&g, gb_buffer(x, sizeof(x)), gb_buffer(y, sizeof(y))), OH_NN_SUCCESS);
        for (i = 0; i < 3; i++) cr_assert_eq(y[i], x[i], "%u: %g", (unsigned)i, (double)y[i]);
        gb_close(&g);
        free(made);
    }
}

/* Blocks of few sizes and random lives, so many that the planner changes its way: none overlap, and the whole is not
   much larger than what is alive at once. */
Test(bounds, blocks_beyond_the_planners_budget_never_overlap) {
    enum {
        BLOCKS = 20000,
        STEPS = 20000
    };
    nnrt__block *blocks = (nnrt__block *)calloc(BLOCKS, sizeof(*blocks));
    size_t *alive = (size_t *)calloc(STEPS + 64, sizeof(*alive)), total = 0, most = 0;
    uint32_t *order = (uint32_t *)calloc(BLOCKS, sizeof(*order));
    nnrt__arena_placed *placed = (nnrt__arena_placed *)calloc(BLOCKS, sizeof(*placed));
    uint64_t looks = 0, bound = 0;
    uint32_t i, k;
    bool done = true;
    cr_assert(blocks != NULL && alive != NULL && order != NULL && placed != NULL);
    for (i = 0; i < BLOCKS; i++) {
        uint32_t bytes[3];
        random_bytes(bytes, sizeof(bytes));
        blocks[i].size = 64 * (size_t)(bytes[0] % 7);
        blocks[i].first = bytes[1] % STEPS;
        blocks[i].last = blocks[i].first + bytes[2] % 64;
        for (k = blocks[i].first; k <= blocks[i].last; k++) alive[k] += blocks[i].size;
    }
    for (k = 0; k < STEPS + 64; k++) most = alive[k] > most ? alive[k] : most;
    for (i = 0; i < BLOCKS; i++) order[i] = i;
    cr_assert(nnrt__arena_in_order(blocks, order, placed, BLOCKS, &total, &looks, &done));
    cr_assert_not(done, "the budget has no end");
    looks = 0;
    cr_assert(nnrt__arena_in_order(blocks, order, placed, 8000, &total, &looks, &done));
    cr_assert(done, "8,000 blocks are within it");
    cr_assert(nnrt__arena_plan(blocks, BLOCKS, STEPS + 64, &total, &bound));
    cr_assert_eq(bound, most);
    cr_assert(total >= most && total <= 4 * most, "%zu bytes for %zu", total, most);
    for (i = 0; i < BLOCKS; i++) {
        cr_assert_leq(blocks[i].offset + blocks[i].size, total);
        for (k = 0; k < i; k++) {
            if (blocks[i].last < blocks[k].first || blocks[k].last < blocks[i].first) continue;
            cr_assert(!nnrt__overlap(blocks[i].offset, blocks[i].size, blocks[k].offset, blocks[k].size));
        }
    }
    free(blocks);
    free(order);
    free(placed);
    free(alive);
}
