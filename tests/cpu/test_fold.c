/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of constant folding that operators on constants leave no step, give the bytes that the run would have
   given, and that what folding refuses to do at Build is still computed. */
#include "linked.h"

#include "graph_builder.h"

#include <math.h>

static uint32_t step_count(const gb_graph *g) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    cr_assert_eq(nnrt_executor_get_profile(g->executor, &steps, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    return count;
}

/* out = in + sqrt(abs(c)), with c a constant: the whole chain on c is a constant, the ADD stays. */
Test(fold, a_chain_of_operators_on_a_constant_leaves_no_step) {
    const int32_t dims[2] = {2, 3};
    const float c[6] = {-4, 9, -16, 25, 0.25f, 0};
    float in[6] = {1, 2, 3, 4, 5, 6};
    float out[6];
    uint32_t pair[2], a, b, i;
    gb_graph g;
    gb_open(&g);
    pair[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    a = gb_constant(&g, OH_NN_FLOAT32, 2, dims, c);
    b = gb_tensor(&g, OH_NN_FLOAT32, 2, dims);
    gb_op(&g, OH_NN_OPS_ABS, 1, &a, 1, &b);
    pair[1] = gb_tensor(&g, OH_NN_FLOAT32, 2, dims);
    gb_op(&g, OH_NN_OPS_SQRT, 1, &b, 1, &pair[1]);
    a = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    gb_op(&g, OH_NN_OPS_ADD, 2, pair, 1, &a);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(step_count(&g), 1);
    cr_assert_eq(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (i = 0; i < 6; i++) cr_assert_eq(out[i], in[i] + sqrtf(fabsf(c[i])), "element %u", (unsigned)i);
    gb_close(&g);
}

/* A constant seen through RESHAPE and TRANSPOSE is moved once, at Build. */
Test(fold, constants_are_permuted_at_build) {
    const int32_t from[2] = {2, 3}, to[2] = {3, 2}, two[1] = {2}, order[2] = {1, 0};
    const int32_t c[6] = {1, 2, 3, 4, 5, 6}, want[6] = {11, 24, 32, 45, 53, 66};
    int32_t in[6] = {10, 20, 30, 40, 50, 60}, out[6];
    uint32_t pair[2], sum[2], result;
    gb_graph g;
    gb_open(&g);
    sum[0] = gb_input(&g, gb_tensor(&g, OH_NN_INT32, 2, to));
    pair[0] = gb_constant(&g, OH_NN_INT32, 2, from, c);
    pair[1] = gb_constant(&g, OH_NN_INT32, 1, two, order);
    sum[1] = gb_tensor(&g, OH_NN_INT32, 2, to);
    gb_op(&g, OH_NN_OPS_TRANSPOSE, 2, pair, 1, &sum[1]);
    result = gb_output(&g, gb_tensor(&g, OH_NN_INT32, 2, to));
    gb_op(&g, OH_NN_OPS_ADD, 2, sum, 1, &result);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(step_count(&g), 1);
    cr_assert_eq(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_arr_eq(out, want, sizeof want);
    gb_close(&g);
}

/* 4 KiB of constants must not make Build allocate without bound: an expansion past the budget is left to the run. */
Test(fold, an_expansion_past_the_budget_is_computed_by_the_run) {
    const int32_t one[2] = {1, 1}, big[2] = {2048, 1024}, two[1] = {2};
    const float c = 3;
    float in = 4;
    const int32_t multiples[2] = {2048, 1024};
    const size_t bytes = (size_t)big[0] * (size_t)big[1] * sizeof(float);
    float *out = (float *)malloc(bytes);
    uint32_t pair[2], sum[2], result;
    gb_graph g;
    cr_assert_not_null(out);
    gb_open(&g);
    sum[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, one));
    pair[0] = gb_constant(&g, OH_NN_FLOAT32, 2, one, &c);
    pair[1] = gb_constant(&g, OH_NN_INT32, 1, two, multiples);
    sum[1] = gb_tensor(&g, OH_NN_FLOAT32, 2, big);
    gb_op(&g, OH_NN_OPS_TILE, 2, pair, 1, &sum[1]);
    result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, big));
    gb_op(&g, OH_NN_OPS_ADD, 2, sum, 1, &result);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(step_count(&g), 2);
    cr_assert_eq(gb_run(&g, gb_buffer(&in, sizeof in), gb_buffer(out, bytes)), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(out[0], 7.0f);
    cr_assert_eq(out[bytes / sizeof(float) - 1], 7.0f);
    free(out);
    gb_close(&g);
}

/* The work of a window is a product of sizes: a few bytes of constants could keep Build busy for hours. */
Test(fold, a_window_over_a_constant_is_computed_by_the_run) {
    const int32_t dims[4] = {1, 2, 2, 1}, one[4] = {1, 1, 1, 1};
    const int64_t pair[2] = {2, 2};
    const float c[4] = {1, 5, -3, 2};
    float in = 10, out = 0;
    uint32_t sum[2], image, result;
    gb_graph g;
    gb_open(&g);
    sum[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, one));
    image = gb_constant(&g, OH_NN_FLOAT32, 4, dims, c);
    sum[1] = gb_tensor(&g, OH_NN_FLOAT32, 4, one);
    gb_param_i64s(&g, OH_NN_MAX_POOL_KERNEL_SIZE, 2, pair);
    gb_param_i64s(&g, OH_NN_MAX_POOL_STRIDE, 2, pair);
    gb_param_i8(&g, OH_NN_MAX_POOL_PAD_MODE, 1);
    gb_param_i8(&g, OH_NN_MAX_POOL_ACTIVATION_TYPE, 0);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MAX_POOL, 1, &image, 1, &sum[1]), OH_NN_SUCCESS, "%s", nnrt_last_error());
    result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, one));
    gb_op(&g, OH_NN_OPS_ADD, 2, sum, 1, &result);
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(step_count(&g), 2);
    cr_assert_eq(gb_run(&g, gb_buffer(&in, sizeof in), gb_buffer(&out, sizeof out)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq(out, 15.0f);
    gb_close(&g);
}

/* 90 sums over one constant of 1 MiB: reading it for each of them is more than Build may do, so the last are steps. */
Test(fold, a_constant_that_many_operators_read_is_not_read_without_end_at_build) {
    enum {
        SUMS = 90
    };
    const int32_t dims[1] = {262144}, one[1] = {1}, axis = 0;
    const nnrt_profile_step *steps = NULL;
    float *c = (float *)malloc(262144 * sizeof(float));
    uint32_t pair[2], count = 0, sums = 0, i;
    gb_graph g;
    cr_assert_not_null(c);
    for (i = 0; i < 262144; i++) c[i] = i % 4 == 0 ? 1.0f : 0.0f;
    gb_open(&g);
    gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, one));
    pair[0] = gb_constant(&g, OH_NN_FLOAT32, 1, dims, c);
    pair[1] = gb_constant(&g, OH_NN_INT32, 1, one, &axis);
    for (i = 0; i < SUMS; i++) {
        const uint32_t result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, one));
        gb_param_bool(&g, OH_NN_REDUCE_SUM_KEEP_DIMS, true);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_REDUCE_SUM, 2, pair, 1, &result), OH_NN_SUCCESS, "%s", nnrt_last_error());
    }
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (i = 0; i < count; i++) sums += strcmp(steps[i].kernel, "reduce") == 0;
    cr_assert(sums > 0 && sums < SUMS, "%u sums are steps", (unsigned)sums);
    gb_close(&g);
    free(c);
}

/* Weights that a model computes from constants, as files with float16 weights do, are weights: the operator that wants
   constants sees some, and packs them. */
Test(fold, weights_computed_from_constants_are_constants) {
    const int32_t in_dims[2] = {1, 2}, w_dims[2] = {3, 2}, out_dims[2] = {1, 3};
    const float w[6] = {1, 2, 3, 4, 5, 6}, want[3] = {-50, -110, -170};
    float in[2] = {10, 20}, out[3];
    uint32_t operands[2], constant, result;
    gb_graph g;
    gb_open(&g);
    operands[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, in_dims));
    constant = gb_constant(&g, OH_NN_FLOAT32, 2, w_dims, w);
    operands[1] = gb_tensor(&g, OH_NN_FLOAT32, 2, w_dims);
    gb_op(&g, OH_NN_OPS_NEG, 1, &constant, 1, &operands[1]);
    result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, out_dims));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 2, operands, 1, &result), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(step_count(&g), 1);
    cr_assert_eq(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out)), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_arr_eq(out, want, sizeof want);
    gb_close(&g);
}
