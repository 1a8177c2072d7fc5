/* SPDX-License-Identifier: Apache-2.0 */
/* test_bounds.c - what no model may ask for: rescales that leave 32 bits. */
#include "counting_alloc.h"

#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "graph_builder.h"

#include <math.h>
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
