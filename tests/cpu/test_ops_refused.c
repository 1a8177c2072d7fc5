/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_refused.c - what operators refuse beside what docs/operators.md tells of each: sizes that only add up to too
   much, and scales that are too far apart. */
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"

/* Builds an operator; it is refused, and the sentence has the word. */
static void refused(gb_graph *g, OH_NN_OperationType op, uint32_t input_count, const uint32_t *inputs,
                    uint32_t output_count, const uint32_t *outputs, const char *word) {
    cr_assert_eq(gb_op(g, op, input_count, inputs, output_count, outputs), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_neq(gb_build(g), OH_NN_SUCCESS, "%s: not refused, wanted: %s", nnrt__op_name((int)op), word);
    cr_assert_not_null(strstr(nnrt_last_error(), word), "no \"%s\" in \"%s\"", word, nnrt_last_error());
    gb_close(g);
}

Test(ops_refused, one_slope_has_not_more_dimensions_than_the_input) {
    const int32_t dims[2] = {2, 4}, one[3] = {1, 1, 1};
    const float slope = 0.5f;
    uint32_t inputs[2], output;
    gb_graph g;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    inputs[1] = gb_constant(&g, OH_NN_FLOAT32, 3, one, &slope);
    output = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, dims));
    refused(&g, OH_NN_OPS_PRELU, 2, inputs, 1, &output, "the weight has more dimensions than the input");
}

/* Each number is allowed: a pixel, and 65536 times 65536 blocks of which it is one. */
Test(ops_refused, blocks_that_are_more_batches_than_a_dimension_can_say) {
    const int32_t dims[4] = {1, 1, 1, 1}, out_dims[4] = {-1, 1, 1, 1}, table[2] = {2, 2};
    const int64_t block[2] = {65536, 65536}, margins[4] = {0, 65535, 0, 65535};
    uint32_t input, output, paddings;
    gb_graph g;
    gb_open(&g);
    input = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, dims));
    output = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, out_dims));
    gb_param_i64s(&g, OH_NN_SPACE_TO_BATCH_ND_BLOCK_SHAPE, 2, block);
    paddings = gb_tensor(&g, OH_NN_INT64, 2, table);
    cr_assert_eq(OH_NNModel_SetTensorType(g.model, paddings, OH_NN_SPACE_TO_BATCH_ND_PADDINGS), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNModel_SetTensorData(g.model, paddings, margins, sizeof margins), OH_NN_SUCCESS);
    g.params[g.param_count++] = paddings;
    refused(&g, OH_NN_OPS_SPACE_TO_BATCH_ND, 1, &input, 1, &output, "the result is too large");
}

Test(ops_refused, a_product_of_bytes_whose_output_has_too_small_a_scale) {
    const int32_t dims[1] = {2}, one[1] = {1}, axis = 0;
    uint32_t inputs[2], output;
    gb_graph g;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor_s8(&g, 1, dims, 1000.0, 0));
    inputs[1] = gb_ints(&g, 1, &axis);
    output = gb_output(&g, gb_tensor_s8(&g, 1, one, 0.01, 0)); /* 1000 / sqrt(0.01) is above 2^7 */
    refused(&g, OH_NN_OPS_REDUCE_PROD, 2, inputs, 1, &output, "the scale of the output is too small");
}

/* No weight is a constant: nothing so large is allocated. */
Test(ops_refused, an_lstm_whose_gates_have_more_products_than_are_added) {
    const int32_t wide = NNRT__CONV_K_MAX + 1;
    const int32_t x[3] = {1, 1, wide}, w_x[3] = {1, 4, wide}, w_h[3] = {1, 4, 1}, bias[2] = {1, 8};
    const int32_t state[3] = {1, 1, 1}, y[4] = {1, 1, 1, 1};
    uint32_t inputs[6], outputs[3];
    gb_graph g;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, x));
    inputs[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, w_x));
    inputs[2] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, w_h));
    inputs[3] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, bias));
    inputs[4] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, state));
    inputs[5] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, state));
    outputs[0] = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 4, y));
    outputs[1] = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, state));
    outputs[2] = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, state));
    refused(&g, OH_NN_OPS_LSTM, 6, inputs, 3, outputs, "a gate has more products than the kernels can add");
}
