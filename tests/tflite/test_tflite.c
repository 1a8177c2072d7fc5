/* SPDX-License-Identifier: Apache-2.0 */
/* Proves the reader of .tflite models: the graph of real models is the one that their authors describe, every
   operator is translated to the parameters that its meaning asks for, and no byte of a file, changed or
   missing, makes the reader read outside, leak, copy much more than the file, or refuse without a sentence.

   Files are malloc'd to their exact size, so that a sanitizer sees the first byte behind them. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#include "make_tflite.h"
#include "read_tflite.h"

#define METER "examples/meter/meter.tflite"

/* ------------------------------------------------------------------------------------- files and verdicts */

static bytes load(const char *path) {
    bytes b = {NULL, 0};
    FILE *stream = fopen(path, "rb");
    long size;
    if (stream == NULL) return b;
    cr_assert_eq(fseek(stream, 0, SEEK_END), 0);
    size = ftell(stream);
    rewind(stream);
    b.size = (size_t)size;
    b.at = (uint8_t *)malloc(b.size);
    cr_assert_eq(fread(b.at, 1, b.size, stream), b.size);
    fclose(stream);
    return b;
}

/* ---------------------------------------------------------------------------------------------- operators */

Test(tflite, operators_without_options_keep_inputs_and_get_no_parameters) {
    static const int table[][2] = {{8, OH_NN_OPS_FLOOR},  {14, OH_NN_OPS_SIGMOID}, {19, OH_NN_OPS_RELU},
                                   {21, OH_NN_OPS_RELU6}, {28, OH_NN_OPS_TANH},    {47, OH_NN_OPS_EXP},
                                   {59, OH_NN_OPS_NEG},   {75, OH_NN_OPS_SQRT},    {76, OH_NN_OPS_RSQRT},
                                   {101, OH_NN_OPS_ABS},  {117, OH_NN_OPS_HSWISH}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(table); i++) {
        spec s = unary(table[i][0]);
        nnrt__graph_store *store;
        const nnrt_graph *g = graph_of(&s, &store);
        cr_assert_eq((int)g->nodes[0].op, table[i][1]);
        cr_assert_eq(g->nodes[0].param_count, 0);
        cr_assert(g->node_count == 1 && g->input_count == 1 && g->inputs[0] == 0 && g->outputs[0] == 1);
        done(store);
    }
}

Test(tflite, convolution_gets_strides_pads_groups_and_a_bias_of_zeros) {
    const float weights[3 * 2 * 2 * 1] = {1};
    spec s = unary(3);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    int64_t pair[2];
    uint32_t i;
    s.tensors[0].dims[3] = 1;
    s.tensors[1].dims[3] = 3;
    add_constant(&s, 0, 3, weights, sizeof weights);
    s.tensors[2].rank = 4;
    s.tensors[2].dims[1] = s.tensors[2].dims[2] = 2;
    s.tensors[2].dims[3] = 1;
    s.options_type = 1;
    s.option_count = 6;
    s.options[0] = 1; /* VALID */
    s.options[1] = 2; /* width */
    s.options[2] = 1;
    s.options[3] = 3; /* RELU6 */
    s.options[4] = s.options[5] = NO;
    g = graph_of(&s, &store);
    cr_assert_eq(g->nodes[0].input_count, 3);
    cr_assert_eq(g->nodes[0].inputs[2], 3);
    cr_assert_eq((int)g->tensors[3].dtype, (int)OH_NN_FLOAT32);
    cr_assert(g->tensors[3].rank == 1 && g->tensors[3].dims[0] == 3 && g->tensors[3].data_size == 12);
    for (i = 0; i < 12; i++) cr_assert_eq(((const uint8_t *)g->tensors[3].data)[i], 0);
    cr_assert_eq(nnrt__param_int_list(&g->nodes[0], OH_NN_CONV2D_STRIDES, pair, 2), 2);
    cr_assert(pair[0] == 1 && pair[1] == 2);
    cr_assert_eq(nnrt__param_int_list(&g->nodes[0], OH_NN_CONV2D_DILATION, pair, 2), 2);
    cr_assert(pair[0] == 1 && pair[1] == 1);
    cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_PAD_MODE), 1);
    cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_ACTIVATION_TYPE), OH_NN_FUSED_RELU6);
    cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_GROUP), -99);
    done(store);
    s.tensors[0].dims[3] = 3;
    g = graph_of(&s, &store);
    cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_GROUP), 3);
    done(store);
    s.options[3] = 2; /* RELU_N1_TO_1 and TANH are nodes of their own */
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 2 && g->nodes[1].op == OH_NN_OPS_CLIP && g->nodes[1].outputs[0] == 1);
    cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_ACTIVATION_TYPE), OH_NN_FUSED_NONE);
    cr_assert_eq(nnrt__param_float(&g->nodes[1], OH_NN_CLIP_MIN, 9), -1.0f);
    cr_assert_eq(nnrt__param_float(&g->nodes[1], OH_NN_CLIP_MAX, 9), 1.0f);
    done(store);
    s.options[3] = 4;
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 2 && g->nodes[1].op == OH_NN_OPS_TANH && g->nodes[1].outputs[0] == 1);
    done(store);
    s.options[3] = 5;
    refused(&s, OH_NN_UNSUPPORTED, "its fused activation");
    s.options[3] = 0;
    s.options[1] = 0;
    refused(&s, OH_NN_INVALID_FILE, "below 1");
    s.options[1] = 1;
    s.options_type = 2;
    refused(&s, OH_NN_INVALID_FILE, "options of type 2, not 1");
    s.options_type = 1;
    s.tensors[2].rank = 3;
    refused(&s, OH_NN_INVALID_FILE, "4 dimensions");
}

Test(tflite, depthwise_weights_keep_their_shape_and_place) {
    const int8_t weights[2 * 2 * 4] = {1};
    spec s = unary(4);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    s.tensors[1].dims[3] = 4;
    add_constant(&s, 9, 1, weights, sizeof weights);
    s.tensors[2].rank = 4;
    s.tensors[2].dims[1] = s.tensors[2].dims[2] = 2;
    s.tensors[2].dims[3] = 4;
    s.tensors[2].scale = 0.25f;
    s.inputs[s.input_count++] = -1;
    s.options_type = 2;
    s.option_count = 5;
    s.options[0] = 0;
    s.options[1] = s.options[2] = 1;
    s.options[3] = 2;
    s.options[4] = 1;
    g = graph_of(&s, &store);
    cr_assert_eq((int)g->nodes[0].op, (int)OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE);
    cr_assert(g->tensors[2].dims[0] == 1 && g->tensors[2].dims[3] == 4);
    cr_assert((const uint8_t *)g->tensors[2].data > file.at &&
              (const uint8_t *)g->tensors[2].data + 16 <= file.at + file.size);
    cr_assert_eq((int)g->tensors[g->nodes[0].inputs[2]].dtype, (int)OH_NN_INT32);
    cr_assert_eq(int_of(g, 0, OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE), OH_NN_FUSED_RELU);
    done(store);
    s.tensors[2].dims[0] = 2;
    s.tensors[2].dims[1] = 1;
    refused(&s, OH_NN_INVALID_FILE, "first dimension");
}

/* The pads are what makes (H - 1) * stride + kernel - before - after + beyond the output size. */
Test(tflite, transposed_convolution_gets_the_pads_that_the_output_asks_for) {
    static const int32_t cases[][7] = {/* in, stride, kernel, out, before, after, beyond */
                                       {4, 2, 3, 8, 0, 1, 0},
                                       {4, 2, 3, 7, 1, 1, 0},
                                       {4, 2, 2, 8, 0, 0, 0},
                                       {4, 3, 2, 12, 0, 0, 1},
                                       {4, 1, 3, 6, 0, 0, 0}};
    const int32_t shape[4] = {1, 8, 8, 1};
    float weights[9] = {0};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(cases); i++) {
        const int32_t *c = cases[i];
        spec s = unary(67);
        nnrt__graph_store *store;
        const nnrt_graph *g;
        int64_t pads[4];
        s.input_count = 0;
        s.tensors[0].dims[1] = s.tensors[0].dims[2] = c[0];
        s.tensors[0].dims[3] = s.tensors[1].dims[3] = 1;
        s.tensors[1].dims[1] = s.tensors[1].dims[2] = c[3];
        add_constant(&s, 2, 4, shape, sizeof shape);
        add_constant(&s, 0, 1, weights, (uint32_t)(c[2] * c[2] * 4));
        s.tensors[3].rank = 4;
        s.tensors[3].dims[1] = s.tensors[3].dims[2] = c[2];
        s.tensors[3].dims[3] = 1;
        s.inputs[s.input_count++] = 0;
        s.options_type = 49;
        s.option_count = 3;
        s.options[1] = s.options[2] = c[1];
        g = graph_of(&s, &store);
        cr_assert_eq(g->nodes[0].inputs[0], 0);
        cr_assert_eq(g->nodes[0].inputs[1], 3);
        cr_assert_eq(nnrt__param_int_list(&g->nodes[0], OH_NN_CONV2D_TRANSPOSE_PAD, pads, 4), 4);
        cr_assert(pads[0] == c[4] && pads[1] == c[5] && pads[2] == c[4] && pads[3] == c[5], "case %zu", i);
        cr_assert_eq(nnrt__param_int(&g->nodes[0], OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, 0), c[6]);
        cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE), OH_NN_FUSED_NONE);
        done(store);
        s.option_count = 4; /* the fused activation is kept */
        s.options[3] = 1;
        g = graph_of(&s, &store);
        cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE), OH_NN_FUSED_RELU);
        done(store);
        s.options[3] = 3;
        g = graph_of(&s, &store);
        cr_assert_eq(int_of(g, 0, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE), OH_NN_FUSED_RELU6);
        done(store);
        s.options[3] = 5;
        refused(&s, OH_NN_UNSUPPORTED, "operator 0, TRANSPOSE_CONV: its fused activation");
        s.options[3] = 0;
        s.options[0] = 1; /* VALID: the output says it all */
        g = graph_of(&s, &store);
        cr_assert_eq(nnrt__param_int_list(&g->nodes[0], OH_NN_CONV2D_TRANSPOSE_PAD, pads, 4), 4);
        cr_assert(pads[0] == c[4] && pads[1] == c[5] && pads[2] == c[4] && pads[3] == c[5], "case %zu", i);
        done(store);
        s.options[0] = 2;
        refused(&s, OH_NN_INVALID_FILE, "its padding is neither SAME nor VALID");
        s.options[0] = 0;
        s.options[2] = 0;
        refused(&s, OH_NN_INVALID_FILE, "a stride is below 1");
    }
}

Test(tflite, scattering_adds_and_a_dense_tensor_has_a_default) {
    const int32_t rows[4] = {0, 1, 2, 3}, shape[4] = {1, 4, 4, 2};
    const float values[4] = {1, 2, 3, 4}, none = 0, nine = 9;
    spec s = unary(107);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    add_constant(&s, 2, 4, rows, sizeof rows);
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 1 && g->nodes[0].op == OH_NN_OPS_GATHER_ND && g->nodes[0].param_count == 0);
    done(store);
    s = unary(122);
    s.input_count = 0;
    add_constant(&s, 2, 4, rows, sizeof rows), s.inputs[s.input_count++] = 0;
    add_constant(&s, 2, 4, shape, sizeof shape);
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 1 && g->nodes[0].op == OH_NN_OPS_SCATTER_ND);
    cr_assert_eq(int_of(g, 0, NNRT__TENSOR_TFLITE), 1);
    cr_assert(g->nodes[0].inputs[0] == 2 && g->nodes[0].inputs[1] == 0 && g->nodes[0].inputs[2] == 3);
    done(store);
    s = unary(68);
    s.input_count = 0;
    add_constant(&s, 2, 4, rows, sizeof rows), add_constant(&s, 2, 4, shape, sizeof shape);
    add_constant(&s, 0, 4, values, sizeof values), add_constant(&s, 0, 1, &none, sizeof none);
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 1 && g->nodes[0].op == OH_NN_OPS_SPARSE_TO_DENSE && g->nodes[0].input_count == 3);
    cr_assert(g->nodes[0].inputs[0] == 2 && g->nodes[0].inputs[1] == 4 && g->nodes[0].inputs[2] == 3);
    done(store);
    s.tensors[5].data = &nine;
    g = graph_of(&s, &store);
    cr_assert_eq(g->node_count, 3);
    cr_assert(g->nodes[0].op == OH_NN_OPS_SPARSE_TO_DENSE && g->nodes[1].op == OH_NN_OPS_SPARSE_TO_DENSE);
    cr_assert_eq((int)g->tensors[g->nodes[0].outputs[0]].dtype, (int)OH_NN_BOOL);
    cr_assert(g->nodes[2].op == OH_NN_OPS_WHERE && g->nodes[2].inputs[0] == g->nodes[0].outputs[0]);
    cr_assert(g->nodes[2].inputs[1] == g->nodes[1].outputs[0] && g->nodes[2].inputs[2] == 5);
    cr_assert(g->nodes[2].outputs[0] == 1 && g->nodes[1].inputs[1] == 4);
    done(store);
}

Test(tflite, full_connection_keeps_dims_by_axis) {
    float weights[3 * 2] = {0};
    spec s = unary(9);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    add_constant(&s, 0, 3, weights, sizeof weights);
    s.tensors[2].rank = 2;
    s.tensors[2].dims[1] = 2;
    s.tensors[1].dims[3] = 3;
    s.options_type = 8;
    s.option_count = 3;
    s.options[2] = 1;
    g = graph_of(&s, &store);
    cr_assert_eq(g->nodes[0].input_count, 2);
    cr_assert_eq(int_of(g, 0, OH_NN_FULL_CONNECTION_AXIS), 3);
    cr_assert_eq(int_of(g, 0, OH_NN_FULL_CONNECTION_HAS_BIAS), 0);
    done(store);
    s.options[1] = 1;
    refused(&s, OH_NN_UNSUPPORTED, "shuffled");
}

Test(tflite, concatenation_with_an_activation_is_two_nodes) {
    spec s = unary(2);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    s.inputs[s.input_count++] = 0;
    s.tensors[1].dims[3] = 4;
    s.options_type = 10;
    s.option_count = 2;
    s.options[0] = -1;
    s.options[1] = 1;
    g = graph_of(&s, &store);
    cr_assert_eq(g->node_count, 2);
    cr_assert_eq((int)g->nodes[0].op, (int)OH_NN_OPS_CONCAT);
    cr_assert_eq((int)g->nodes[1].op, (int)OH_NN_OPS_RELU);
    cr_assert(g->nodes[0].outputs[0] == 2 && g->nodes[1].inputs[0] == 2 && g->nodes[1].outputs[0] == 1);
    cr_assert_eq(int_of(g, 0, OH_NN_CONCAT_AXIS), -1);
    done(store);
    s.options[1] = 0;
    g = graph_of(&s, &store);
    cr_assert_eq(g->node_count, 1);
    done(store);
}

Test(tflite, inputs_that_are_parameters_change_sides) {
    const int32_t two = 2, axis = -1, size[2] = {8, 6}, shape[2] = {4, 8};
    const int8_t value = -3;
    spec s = unary(49); /* SPLIT */
    nnrt__graph_store *store;
    const nnrt_graph *g;
    s.input_count = 0;
    add_constant(&s, 2, 1, &axis, 4);
    s.inputs[s.input_count++] = 0;
    s.tensors[3] = s.tensors[1];
    s.tensor_count = 4;
    s.outputs[1] = 3;
    s.output_count = 2;
    s.options_type = 35;
    s.option_count = 1;
    s.options[0] = 2;
    g = graph_of(&s, &store);
    cr_assert(g->nodes[0].input_count == 1 && g->nodes[0].inputs[0] == 0 && g->nodes[0].output_count == 2);
    cr_assert(int_of(g, 0, OH_NN_SPLIT_AXIS) == -1 && int_of(g, 0, OH_NN_SPLIT_OUTPUT_NUM) == 2);
    done(store);
    s.options[0] = 3;
    refused(&s, OH_NN_INVALID_FILE, "number of parts");

    s = unary(23); /* RESIZE_BILINEAR */
    add_constant(&s, 2, 2, size, 8);
    s.options_type = 15;
    s.option_count = 4;
    s.options[3] = 1;
    g = graph_of(&s, &store);
    cr_assert_eq(int_of(g, 0, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT), 8);
    cr_assert_eq(int_of(g, 0, OH_NN_RESIZE_BILINEAR_NEW_WIDTH), 6);
    cr_assert_eq(int_of(g, 0, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE), 2);
    done(store);

    s = unary(22); /* RESHAPE by option, and by the output alone */
    s.options_type = 17;
    s.option_count = 1;
    s.shape_option = shape;
    g = graph_of(&s, &store);
    cr_assert(g->tensors[2].dims[0] == 2 && nnrt__read_i32(g->tensors[2].data) == 4);
    done(store);
    s.options_type = 0;
    g = graph_of(&s, &store);
    cr_assert(g->tensors[2].dims[0] == 4 && nnrt__read_i32(g->tensors[2].data) == 1);
    done(store);

    s = unary(60); /* PADV2: -3 is (-3 - 5) * 0.5 */
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    s.tensors[0].zero = 5;
    add_constant(&s, 2, 2, size, 8);
    add_constant(&s, 9, 1, &value, 1);
    g = graph_of(&s, &store);
    cr_assert_float_eq(nnrt__param_float(&g->nodes[0], OH_NN_PAD_CONSTANT_VALUE, 0), -4.0f, 0.0);
    done(store);

    s = unary(53); /* CAST */
    s.tensors[1].type = 2;
    g = graph_of(&s, &store);
    cr_assert_eq(nnrt__read_i32(g->tensors[g->nodes[0].inputs[1]].data), OH_NN_INT32);
    done(store);

    s = unary(36); /* GATHER: here it is an option that becomes an input */
    add_constant(&s, 2, 2, size, 8);
    s.options_type = 23;
    s.option_count = 2;
    s.options[0] = -1;
    g = graph_of(&s, &store);
    cr_assert(g->nodes[0].op == OH_NN_OPS_GATHER && g->nodes[0].input_count == 3);
    cr_assert(g->nodes[0].inputs[0] == 0 && g->nodes[0].inputs[1] == 2);
    cr_assert_eq(nnrt__read_i32(g->tensors[g->nodes[0].inputs[2]].data), -1);
    done(store);
    s.options[1] = 1; /* in batches: how many axes they have is an input, too */
    g = graph_of(&s, &store);
    cr_assert(g->nodes[0].op == OH_NN_OPS_GATHER && g->nodes[0].input_count == 4);
    cr_assert_eq(nnrt__read_i32(g->tensors[g->nodes[0].inputs[3]].data), 1);
    done(store);

    s = unary(83); /* PACK of one */
    s.options_type = 59;
    s.option_count = 2;
    s.options[0] = 1;
    g = graph_of(&s, &store);
    cr_assert_eq((int)g->nodes[0].op, (int)OH_NN_OPS_UNSQUEEZE);
    done(store);

    s = unary(25); /* SOFTMAX: beta is 0 when it is absent, a factor of the input */
    g = graph_of(&s, &store);
    cr_assert(g->node_count == 2 && g->nodes[0].op == OH_NN_OPS_MUL && g->nodes[1].op == OH_NN_OPS_SOFTMAX);
    done(store);
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    refused(&s, OH_NN_UNSUPPORTED, "SOFTMAX: its beta with these scales");
    s = unary(26); /* SPACE_TO_DEPTH */
    s.options_type = 19;
    s.option_count = 1;
    s.options[0] = two;
    g = graph_of(&s, &store);
    cr_assert_eq(int_of(g, 0, OH_NN_SPACE_TO_DEPTH_BLOCK_SIZE), 2);
    done(store);
}

/* Operator `code` with constants as inputs behind the first, and one option; the others are absent. */
static spec with_option(int code, uint32_t inputs, int type, uint32_t field, int64_t value) {
    static const int32_t data[2] = {1, 1};
    spec s = unary(code);
    while (s.input_count < inputs) add_constant(&s, 2, 2, data, 8);
    s.options_type = type;
    s.option_count = 6;
    while (s.option_count-- > 0) s.options[s.option_count] = s.option_count == field ? value : NO;
    s.option_count = 6;
    return s;
}

Test(tflite, options_become_parameters) {
    static const struct {
        int code;
        uint32_t inputs;
        int type;
        uint32_t field;
        int64_t value;
        OH_NN_OperationType op;
        OH_NN_TensorType param;
        int64_t want;
    } rows[] = {{0, 2, 11, 0, 1, OH_NN_OPS_ADD, OH_NN_ADD_ACTIVATIONTYPE, OH_NN_FUSED_RELU},
                {41, 2, 28, 0, 3, OH_NN_OPS_SUB, OH_NN_SUB_ACTIVATIONTYPE, OH_NN_FUSED_RELU6},
                {18, 2, 21, 0, 1, OH_NN_OPS_MUL, OH_NN_MUL_ACTIVATION_TYPE, OH_NN_FUSED_RELU},
                {42, 2, 29, 0, 3, OH_NN_OPS_DIV, OH_NN_DIV_ACTIVATIONTYPE, OH_NN_FUSED_RELU6},
                {40, 2, 27, 0, 1, OH_NN_OPS_REDUCE_MEAN, OH_NN_REDUCE_MEAN_KEEP_DIMS, 1},
                {74, 2, 27, 0, 1, OH_NN_OPS_REDUCE_SUM, OH_NN_REDUCE_SUM_KEEP_DIMS, 1},
                {82, 2, 27, 0, 1, OH_NN_OPS_REDUCE_MAX, OH_NN_REDUCE_MAX_KEEP_DIMS, 1},
                {89, 2, 27, 0, 1, OH_NN_OPS_REDUCE_MIN, OH_NN_REDUCE_MIN_KEEP_DIMS, 1},
                {89, 2, 27, 0, 0, OH_NN_OPS_REDUCE_MIN, OH_NN_REDUCE_MIN_KEEP_DIMS, 0},
                {100, 2, 77, 0, 0, OH_NN_OPS_PAD, OH_NN_PAD_PADDING_MODE, 1},
                {100, 2, 77, 0, 1, OH_NN_OPS_PAD, OH_NN_PAD_PADDING_MODE, 2},
                {126, 2, 101, 0, 1, OH_NN_OPS_MATMUL, OH_NN_MATMUL_TRANSPOSE_A, 1},
                {126, 2, 101, 0, 1, OH_NN_OPS_MATMUL, OH_NN_MATMUL_TRANSPOSE_B, 0},
                {126, 2, 101, 1, 1, OH_NN_OPS_MATMUL, OH_NN_MATMUL_TRANSPOSE_B, 1},
                {126, 2, 101, 1, 1, OH_NN_OPS_MATMUL, OH_NN_MATMUL_TRANSPOSE_A, 0},
                {5, 1, 94, 0, 2, OH_NN_OPS_DEPTH_TO_SPACE, OH_NN_DEPTH_TO_SPACE_BLOCK_SIZE, 2},
                {98, 1, 75, 0, 0x3e800000, OH_NN_OPS_LEAKY_RELU, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, 0x3e800000},
                {25, 1, 9, 0, 0x3f800000, OH_NN_OPS_SOFTMAX, OH_NN_SOFTMAX_AXIS, -1},
                {50, 1, 0, 0, 0, OH_NN_OPS_LOG_SOFTMAX, OH_NN_LOG_SOFTMAX_AXIS, -1},
                {23, 2, 15, 2, 1, OH_NN_OPS_RESIZE_BILINEAR, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 1},
                {23, 2, 15, 3, 1, OH_NN_OPS_RESIZE_BILINEAR, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 2}};
    nnrt__graph_store *store;
    const nnrt_graph *g;
    int64_t axes[3] = {9, 9, 9};
    const int32_t squeezed[2] = {0, -2}, two = 2;
    spec s;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        int64_t got;
        s = with_option(rows[i].code, rows[i].inputs, rows[i].type, rows[i].field, rows[i].value);
        g = graph_of(&s, &store);
        cr_assert_eq((int)g->nodes[0].op, (int)rows[i].op, "row %zu", i);
        got = int_of(g, 0, rows[i].param);
        if (rows[i].code == 98) { /* of a float, its bits */
            const float slope = nnrt__param_float(&g->nodes[0], rows[i].param, 0);
            int32_t bits;
            memcpy(&bits, &slope, 4);
            got = bits;
        }
        cr_assert_eq(got, rows[i].want, "row %zu: %ld", i, (long)got);
        done(store);
    }
    for (i = 0; i < 5;
         i++) { /* the masks of a slice whose ends the file does not know; what it does: test_tflite_runs */
        static const OH_NN_TensorType masks[5] = {OH_NN_STRIDED_SLICE_BEGIN_MASK, OH_NN_STRIDED_SLICE_END_MASK,
                                                  OH_NN_STRIDED_SLICE_ELLIPSIS_MASK, OH_NN_STRIDED_SLICE_NEW_AXIS_MASK,
                                                  OH_NN_STRIDED_SLICE_SHRINK_AXIS_MASK};
        s = with_option(45, 4, 32, (uint32_t)i, 5);
        s.inputs[2] = 0;
        g = graph_of(&s, &store);
        cr_assert(g->node_count == 1 && int_of(g, 0, masks[i]) == 5, "mask %zu", i);
        done(store);
    }
    s = with_option(45, 4, 32, 5, 1);
    s.inputs[2] = 0;
    refused(&s, OH_NN_UNSUPPORTED, "an end that counts from the beginning");
    s = with_option(100, 2, 77, 0, 2);
    refused(&s, OH_NN_INVALID_FILE, "neither REFLECT nor SYMMETRIC");
    s = with_option(5, 1, 94, 0, 0);
    refused(&s, OH_NN_INVALID_FILE, "its block size is below 1");
    s = with_option(23, 2, 15, 2, 1);
    s.options[3] = 1;
    refused(&s, OH_NN_INVALID_FILE, "corners and half pixels cannot both be aligned");
    s = with_option(43, 1, 30, 0, 0); /* SQUEEZE */
    s.shape_option = squeezed;
    g = graph_of(&s, &store);
    cr_assert_eq(nnrt__param_int_list(&g->nodes[0], OH_NN_SQUEEZE_AXIS, axes, 3), 2u);
    cr_assert(axes[0] == 0 && axes[1] == -2 && axes[2] == 9);
    done(store);
    s = with_option(83, 2, 59, 0, 2); /* PACK of two */
    s.options[1] = -1;
    g = graph_of(&s, &store);
    cr_assert(g->nodes[0].op == OH_NN_OPS_STACK && int_of(g, 0, OH_NN_STACK_AXIS) == -1);
    done(store);
    s = unary(56); /* ARG_MAX */
    add_constant(&s, 2, 1, &two, 4);
    g = graph_of(&s, &store);
    cr_assert(g->nodes[0].input_count == 1 && int_of(g, 0, OH_NN_ARG_MAX_AXIS) == 2);
    done(store);
}

/* The schema's operators: code, type of the options (0: it is not looked at), fewest and most inputs, most outputs. */
enum {
    ANY = 9 /* more than a file of make() has */
};

static const uint8_t operators[][5] = {
    {0, 11, 2, 2, 1},     {1, 5, 1, 1, 1},     {2, 10, 1, ANY, 1},  {3, 1, 2, 3, 1},     {4, 2, 2, 3, 1},
    {5, 94, 1, 1, 1},     {6, 0, 1, 1, 1},     {7, 0, 2, 2, 1},     {8, 0, 1, 1, 1},     {9, 8, 2, 3, 1},
    {11, 0, 1, 1, 1},     {12, 5, 1, 1, 1},    {13, 13, 1, 1, 1},   {14, 0, 1, 1, 1},    {17, 5, 1, 1, 1},
    {18, 21, 2, 2, 1},    {19, 0, 1, 1, 1},    {20, 0, 1, 1, 1},    {21, 0, 1, 1, 1},    {22, 17, 1, 2, 1},
    {23, 15, 2, 2, 1},    {25, 9, 1, 1, 1},    {26, 19, 1, 1, 1},   {28, 0, 1, 1, 1},    {34, 0, 2, 2, 1},
    {36, 23, 2, 2, 1},    {37, 0, 3, 3, 1},    {38, 0, 3, 3, 1},    {39, 0, 2, 2, 1},    {40, 27, 2, 2, 1},
    {41, 28, 2, 2, 1},    {42, 29, 2, 2, 1},   {43, 30, 1, 1, 1},   {45, 32, 4, 4, 1},   {47, 0, 1, 1, 1},
    {48, 0, 2, 2, 2},     {49, 35, 2, 2, ANY}, {50, 0, 1, 1, 1},    {53, 0, 1, 1, 1},    {54, 0, 2, 2, 1},
    {55, 0, 2, 2, 1},     {56, 0, 2, 2, 1},    {57, 0, 2, 2, 1},    {58, 0, 2, 2, 1},    {59, 0, 1, 1, 1},
    {60, 0, 3, 3, 1},     {61, 0, 2, 2, 1},    {62, 0, 2, 2, 1},    {63, 0, 2, 2, 1},    {64, 0, 3, 3, 1},
    {65, 0, 3, 3, 1},     {66, 0, 1, 1, 1},    {67, 49, 3, 4, 1},   {68, 0, 4, 4, 1},    {69, 0, 2, 2, 1},
    {70, 0, 2, 2, 1},     {71, 0, 2, 2, 1},    {72, 0, 2, 2, 1},    {73, 0, 1, 1, 1},    {74, 27, 2, 2, 1},
    {75, 0, 1, 1, 1},     {76, 0, 1, 1, 1},    {77, 0, 1, 1, 1},    {78, 0, 2, 2, 1},    {79, 0, 2, 2, 1},
    {81, 27, 2, 2, 1},    {82, 27, 2, 2, 1},   {83, 59, 1, ANY, 1}, {84, 0, 2, 2, 1},    {85, 61, 4, 4, 1},
    {86, 0, 2, 2, 1},     {87, 0, 1, 1, 1},    {88, 64, 1, 1, ANY}, {89, 27, 2, 2, 1},   {90, 0, 2, 2, 1},
    {91, 27, 2, 2, 1},    {92, 0, 1, 1, 1},    {93, 0, 1, 1, 1},    {94, 0, 2, 2, 1},    {95, 0, 2, 2, 1},
    {96, 0, 3, 3, 1},     {98, 75, 1, 1, 1},   {99, 0, 2, 2, 1},    {100, 77, 2, 2, 1},  {101, 0, 1, 1, 1},
    {102, 79, 3, 3, ANY}, {104, 0, 1, 1, 1},   {105, 0, 2, 2, 1},   {106, 0, 1, ANY, 1}, {107, 0, 2, 2, 1},
    {108, 0, 1, 1, 1},    {110, 0, 1, 1, 1},   {111, 0, 1, 1, 1},   {114, 0, 1, 1, 1},   {116, 0, 1, 1, 1},
    {117, 0, 1, 1, 1},    {122, 0, 3, 3, 1},   {123, 0, 3, 3, 1},   {126, 101, 2, 2, 1}, {130, 0, 2, 2, 1},
    {140, 27, 2, 2, 1},   {150, 116, 1, 1, 1}, {152, 0, 1, 1, 1},   {156, 0, 2, 2, 1},   {158, 0, 1, 1, 1}};

Test(tflite, every_operator_counts_its_inputs_and_outputs_and_knows_its_options) {
    size_t i;
    uint32_t inputs, outputs, k;
    for (i = 0; i < NNRT__COUNT_OF(operators); i++) {
        const uint8_t *want = operators[i];
        char takes[40], most[40];
        spec s = unary(want[0]);
        if (want[3] == ANY) (void)snprintf(takes, sizeof takes, "takes %u to ", (unsigned)want[2]);
        else (void)snprintf(takes, sizeof takes, "takes %u to %u inputs, not ", (unsigned)want[2], (unsigned)want[3]);
        (void)snprintf(most, sizeof most, "has 1 to %u outputs, not ", (unsigned)want[4]);
        for (k = 2; k < 8; k++) s.tensors[k] = s.tensors[0];
        s.tensor_count = 8;
        for (k = 1; k < 4; k++) s.outputs[k] = (int32_t)k + 1;
        for (inputs = 0; inputs <= 5; inputs++) {
            s.input_count = inputs;
            s.output_count = 1;
            if (inputs < want[2] || inputs > want[3]) refused(&s, OH_NN_INVALID_FILE, takes);
            else not_refused_for(&s, " inputs, not ");
        }
        s.input_count = want[2];
        for (outputs = 1; outputs <= 4; outputs++) {
            s.output_count = outputs;
            if (outputs > want[4]) refused(&s, OH_NN_INVALID_FILE, most);
            else not_refused_for(&s, " outputs, not ");
        }
        s.output_count = 1;
        s.option_count = 1;
        s.options_type = want[1] + 1;
        if (want[1] != 0) refused(&s, OH_NN_INVALID_FILE, "has options of type");
        s.options_type = want[1];
        not_refused_for(&s, "has options of type");
    }
}

Test(tflite, unsupported_operators_and_types_are_named) {
    spec s = unary(16);
    refused(&s, OH_NN_UNSUPPORTED, "LSTM");
    s = unary(118);
    refused(&s, OH_NN_UNSUPPORTED, "operator 0, IF");
    s = unary(161);
    refused(&s, OH_NN_UNSUPPORTED, "RIGHT_SHIFT");
    s = unary(209);
    refused(&s, OH_NN_UNSUPPORTED, "builtin operator 209");
    s = unary(32);
    refused(&s, OH_NN_UNSUPPORTED, "custom");
    s = unary(19);
    s.tensors[0].type = 5;
    refused(&s, OH_NN_UNSUPPORTED, "tensor 0");
    s = unary(19);
    s.tensors[1].dims[1] = 0;
    refused(&s, OH_NN_UNSUPPORTED, "a dimension of 0");
}

/* Converters leave such tensors behind as intermediates; the size that its other dimensions would have is nobody's. */
Test(tflite, a_tensor_without_elements_that_nobody_uses_is_read_whatever_its_other_dimensions) {
    spec s = unary(19);
    nnrt__graph_store *store;
    s.tensors[2] = s.tensors[0];
    s.tensor_count = 3;
    s.tensors[2].dims[1] = 0;
    (void)graph_of(&s, &store);
    done(store);
    s.tensors[2].dims[0] = s.tensors[2].dims[2] = s.tensors[2].dims[3] = 1 << 30;
    (void)graph_of(&s, &store);
    done(store);
}

/* The tensors of a model that cannot run are often odd, too: here the data type is one that nnrt has not. */
Test(tflite, operators_are_refused_before_tensors) {
    spec s = unary(16);
    s.tensors[0].type = 5;
    s.tensors[1].dims[1] = 0;
    refused(&s, OH_NN_UNSUPPORTED, "operator 0, LSTM, is not supported");
    s.code = 19; /* RELU in front of it */
    s.more[0] = 16;
    s.more_count = 1;
    refused(&s, OH_NN_UNSUPPORTED, "operator 1, LSTM, is not supported");
    s.more_count = 0;
    refused(&s, OH_NN_UNSUPPORTED, "tensor 0");
}

Test(tflite, all_operators_that_are_not_supported_are_named_once) {
    static const int codes[] = {16, 19, 112, 16, 32, 209, 112, 32, 16, 137, 136};
    spec s = unary(19);
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(codes); i++) s.more[s.more_count++] = codes[i];
    s.more_customs[4] = "Detect";
    s.more_customs[7] = "Detect2";
    refused(&s, OH_NN_UNSUPPORTED,
            "operator 1, LSTM, is not supported; nor REVERSE_SEQUENCE, \"Detect\", builtin operator 209, "
            "\"Detect2\", HASHTABLE_FIND, HASHTABLE");
    cr_assert(nnrt_last_error()[strlen(nnrt_last_error()) - 1] == 'E', "%s", nnrt_last_error());
}

Test(tflite, a_list_of_operators_without_room_ends_in_dots) {
    spec s = unary(16);
    for (; s.more_count < MOST_MORE; s.more_count++) s.more[s.more_count] = (int)(128 + s.more_count % 33);
    refused(&s, OH_NN_UNSUPPORTED, "operator 0, LSTM, is not supported; nor RFFT2D, CONV_3D, ");
    cr_assert_str_eq(nnrt_last_error() + strlen(nnrt_last_error()) - 5, ", ...");
    cr_assert_geq(strlen(nnrt_last_error()), 230);
}

Test(tflite, the_name_of_a_custom_operator_is_cut_and_the_reason_stays) {
    char name[901];
    spec s = unary(32);
    memset(name, 'n', 900);
    name[900] = '\0';
    s.custom = name;
    refused(&s, OH_NN_UNSUPPORTED, "nnn\", which is not supported");
    s.more[0] = 16;
    s.more_count = 1;
    refused(&s, OH_NN_UNSUPPORTED, "nnn\", which is not supported; nor LSTM");
}

/* ------------------------------------------------------------------------------------------ hostile files */

Test(tflite, wrong_graphs_are_refused) {
    const float four[4] = {1, 2, 3, 4};
    nnrt__graph_store *store;
    size_t i;
    spec s = unary(19);
    s.inputs[0] = 7;
    refused(&s, OH_NN_INVALID_FILE, "tensor 7");
    s.inputs[0] = -1;
    refused(&s, OH_NN_INVALID_FILE, "tensor -1");
    s.inputs[0] = 1;
    refused(&s, OH_NN_INVALID_FILE, "before it is computed");
    s = unary(19);
    s.outputs[0] = 0;
    refused(&s, OH_NN_INVALID_FILE, "a model input already");
    s = unary(19);
    s.tensors[0].dims[1] = -4;
    refused(&s, OH_NN_INVALID_FILE, "dimension 1 is -4");
    s = unary(19);
    s.input_count = 2;
    refused(&s, OH_NN_INVALID_FILE, "inputs, not 2");
    s = unary(19);
    for (i = 0; i <= NNRT_MAX_RANK; i++) s.tensors[0].dims[i] = s.tensors[1].dims[i] = 1;
    s.tensors[0].rank = s.tensors[1].rank = NNRT_MAX_RANK;
    (void)graph_of(&s, &store);
    done(store);
    s.tensors[0].rank = NNRT_MAX_RANK + 1;
    refused(&s, OH_NN_UNSUPPORTED, "11 dimensions");
    s = unary(0);
    add_constant(&s, 0, 3, four, 16);
    refused(&s, OH_NN_INVALID_FILE, "16 bytes of data");
    s = unary(19);
    s.tensors[0].dims[0] = s.tensors[0].dims[1] = s.tensors[0].dims[2] = 65536;
    refused(&s, OH_NN_INVALID_FILE, "4 GiB");
    s = unary(19);
    s.tensors[0].type = 9;
    s.tensors[0].scale = 1;
    s.tensors[0].zero = 128;
    refused(&s, OH_NN_INVALID_FILE, "zero point 0");
    s.tensors[0].zero = 0;
    s.tensors[0].scale = (float)HUGE_VAL;
    refused(&s, OH_NN_INVALID_FILE, "scale 0");
}

/* The place of a field is in a list in front of its table, which put_table has written. */
Test(tflite, every_field_lies_inside_its_table) {
    static const struct {
        const size_t *table;
        uint32_t fields, read; /* how many the table has, and bits of those that are read */
    } tables[] = {{&place.model, 5, 0x17},   {&place.graph, 4, 0x0f},     {&place.op, 5, 0x1f},
                  {&place.options, 6, 0x3f}, {&place.tensor[0], 5, 0x1f}, {&place.code, 4, 0x0b},
                  {&place.quant, 7, 0x5c},   {&place.buffer, 3, 0x07}};
    static const float zeros[8] = {0};
    spec s = unary(3);
    size_t i, id;
    add_constant(&s, 0, 1, zeros, 8);
    s.tensors[2].rank = 4;
    s.tensors[2].dims[1] = s.tensors[2].dims[2] = 1;
    s.tensors[2].dims[3] = 2;
    s.tensors[1].dims[3] = 1;
    s.options_type = 1;
    s.option_count = 6;
    s.options[1] = s.options[2] = s.options[4] = s.options[5] = 1;
    s.tensors[0].scale = 1;
    for (i = 0; i < NNRT__COUNT_OF(tables); i++) {
        for (id = 0; id < tables[i].fields; id++) {
            bytes b = make(&s);
            const bool read = (tables[i].read >> id & 1) != 0;
            cr_assert_eq((int)verdict(b.at, b.size, 0), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
            b.at[*tables[i].table - 2 * (tables[i].fields - id) + 1] = 0x7f;
            cr_assert_eq((int)verdict(b.at, b.size, 0), (int)(read ? OH_NN_INVALID_FILE : OH_NN_SUCCESS),
                         "table %zu, field %zu: %s", i, id, nnrt_last_error());
            cr_assert(!read || strstr(nnrt_last_error(), "a field lies outside its table"), "%s", nnrt_last_error());
            free(b.at);
        }
    }
}

static void spoilt(const spec *s, size_t at, uint32_t value, const char *word) {
    bytes b = make(s);
    memcpy(b.at + at, &value, 4);
    cr_assert_eq((int)verdict(b.at, b.size, 0), (int)OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), word) != NULL, "no \"%s\" in \"%s\"", word, nnrt_last_error());
    free(b.at);
}

/* ADD of the input and a constant of bytes from the file. */
static spec with_constant(const void *data, uint32_t size) {
    spec s = unary(0);
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    add_constant(&s, 9, size, data, size);
    s.tensors[2].scale = 0.5f;
    return s;
}

/* The count of a vector that stands in the file is made larger, and the shape with it: all but the file's end
   agrees. */
Test(tflite, contents_that_end_past_the_file_are_refused) {
    static const uint8_t bytes_of_4[4] = {1, 2, 3, 4};
    spec s = with_constant(bytes_of_4, 4);
    bytes b;
    uint32_t count;
    s.tensors[2].dims[0] = 100000;
    b = make(&s);
    count = 100000;
    memcpy(b.at + place.data[2] - 4, &count, 4);
    cr_assert_eq((int)verdict(b.at, b.size, 0), (int)OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "tensor 2: a vector runs past the end of the file, at byte ") != NULL, "%s",
              nnrt_last_error());
    free(b.at);
}

Test(tflite, contents_behind_the_tables_lie_inside_the_file) {
    spec s = with_constant(NULL, 4);
    bytes b = make(&s);
    const int64_t size = (int64_t)b.size;
    const int64_t outside[][2] = {{size - 3, 4},  {size, 4}, {size + 1, 4},  {2, size - 1},
                                  {INT64_MAX, 4}, {-1, 4},   {2, INT64_MAX}, {size - 4, -4}};
    nnrt__graph_store *store;
    const nnrt_graph *g;
    size_t i;
    free(b.at);
    s.tensors[2].length = 4;
    s.tensors[2].offset = 2; /* the table of the buffer has two fields more from here on */
    b = make(&s);
    free(b.at);
    for (i = 0; i < NNRT__COUNT_OF(outside); i++) {
        s.tensors[2].offset =
            outside[i][0] + (outside[i][0] > 2 && outside[i][0] < INT64_MAX ? (int64_t)b.size - size : 0);
        s.tensors[2].length = outside[i][1] + (outside[i][1] == size - 1 ? (int64_t)b.size - size : 0);
        refused(&s, OH_NN_INVALID_FILE, "tensor 2: a buffer lies outside the file");
    }
    s.tensors[2].offset = (int64_t)b.size - 4; /* the last four bytes of the file */
    s.tensors[2].length = 4;
    g = graph_of(&s, &store);
    cr_assert_eq((const void *)g->tensors[2].data, (const void *)(file.at + file.size - 4));
    cr_assert_eq(g->tensors[2].data_size, 4);
    done(store);
}

Test(tflite, contents_are_at_one_place_only) {
    static const uint8_t bytes_of_4[4] = {1, 2, 3, 4};
    spec s = with_constant(bytes_of_4, 4);
    nnrt__graph_store *store;
    s.tensors[2].offset = 16;
    s.tensors[2].length = 4;
    refused(&s, OH_NN_INVALID_FILE, "tensor 2: a buffer has contents at two places");
    s.tensors[2].offset = 1; /* 0 and 1 say that there are none behind the tables */
    (void)graph_of(&s, &store);
    cr_assert_eq(memcmp(store->tensors[2].data, bytes_of_4, 4), 0);
    done(store);
}

/* Buffer 0 is nobody's contents; a file may leave the whole list out. */
Test(tflite, buffer_0_needs_no_list_of_buffers_and_every_other_one_does) {
    spec s = unary(19);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    s.no_buffers = true;
    g = graph_of(&s, &store);
    cr_assert_null(g->tensors[0].data);
    done(store);
    spoilt(&s, field(place.tensor[0], 2), 1, "tensor 0: its buffer does not exist");
}

Test(tflite, scales_fit_the_dimension_that_they_are_for) {
    static const struct {
        uint32_t scales, zeros;
        int64_t axis;
        OH_NN_ReturnCode code;
        const char *word;
    } rows[] = {{2, 2, 3, OH_NN_SUCCESS, ""},
                {4, 4, 1, OH_NN_SUCCESS, ""},
                {3, 3, 3, OH_NN_INVALID_FILE, "tensor 0: 3 scales do not fit its dimension 3"},
                {2, 2, 1, OH_NN_INVALID_FILE, "tensor 0: 2 scales do not fit its dimension 1"},
                {2, 2, 4, OH_NN_INVALID_FILE, "tensor 0: 2 scales do not fit its dimension 4"},
                {2, 2, -1, OH_NN_INVALID_FILE, "tensor 0: 2 scales do not fit its dimension -1"},
                {2, 1, 3, OH_NN_INVALID_FILE, "tensor 0 has 2 scales and 1 zero points"},
                {1, 2, 3, OH_NN_INVALID_FILE, "tensor 0 has 1 scales and 2 zero points"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        spec s = unary(19);
        s.tensors[0].type = s.tensors[1].type = 9;
        s.tensors[0].scale = s.tensors[1].scale = 0.5f;
        s.tensors[0].scale_count = rows[i].scales;
        s.tensors[0].zero_count = rows[i].zeros;
        s.tensors[0].axis = rows[i].axis & 0xffffffff;
        if (rows[i].code == OH_NN_SUCCESS) {
            nnrt__graph_store *store;
            const nnrt_graph *g = graph_of(&s, &store);
            cr_assert_eq(g->tensors[0].quant.count, rows[i].scales);
            cr_assert_eq(g->tensors[0].quant.axis, (uint32_t)rows[i].axis);
            done(store);
        } else {
            refused(&s, rows[i].code, rows[i].word);
        }
    }
}

/* The dimension before, of a tensor that has more of them, would have fitted. */
Test(tflite, a_scale_for_a_dimension_behind_the_last_one_is_refused) {
    spec s = unary(19);
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    s.tensors[0].rank = 5;
    s.tensors[0].dims[4] = 2;
    s.tensors[1].scale_count = s.tensors[1].zero_count = 2;
    s.tensors[1].axis = 4;
    refused(&s, OH_NN_INVALID_FILE, "tensor 1: 2 scales do not fit its dimension 4");
}

/* They are the last thing in the file, one byte of which is missing. */
Test(tflite, zero_points_that_end_past_the_file_are_refused) {
    spec s = unary(19);
    bytes b;
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    b = make(&s);
    cr_assert_eq((int)verdict(b.at, b.size, 0), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)verdict(b.at, b.size - 1, 0), (int)OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "the quantization of tensor 1: a vector runs past the end of the file") != NULL,
              "%s", nnrt_last_error());
    free(b.at);
}

Test(tflite, a_parameter_tensor_has_no_more_elements_than_make_sense) {
    static const int32_t numbers[5] = {2, 2, 2, 2, 2};
    spec s = unary(23); /* RESIZE_BILINEAR: height and width */
    add_constant(&s, 2, 3, numbers, 12);
    refused(&s, OH_NN_INVALID_FILE,
            "operator 0, RESIZE_BILINEAR: input 1, tensor 2, has 3 elements; at most 2 make sense");
    s = unary(56); /* ARG_MAX: one axis */
    add_constant(&s, 2, 2, numbers, 8);
    refused(&s, OH_NN_INVALID_FILE, "operator 0, ARG_MAX: input 1, tensor 2, has 2 elements; at most 1 make sense");
    s = unary(56);
    add_constant(&s, 0, 1, numbers, 4);
    refused(&s, OH_NN_INVALID_FILE, "is float32 and must be int32 or int64");
}

/* Every word of four bytes of a file becomes each of the values that break parsers. */
Test(tflite, no_word_of_a_file_can_lead_outside) {
    static const uint32_t values[] = {0, 1, 3, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0xfffffffcu, 0x10000u, 0xffffu};
    spec s = unary(19);
    bytes b;
    size_t at, i;
    s.tensors[0].type = s.tensors[1].type = 9;
    s.tensors[0].scale = s.tensors[1].scale = 0.5f;
    b = make(&s);
    cr_assert_eq((int)verdict(b.at, b.size, 0), 0);
    for (at = 0; at + 4 <= b.size; at++) {
        for (i = 0; i < NNRT__COUNT_OF(values); i++) {
            uint8_t saved[4];
            memcpy(saved, b.at + at, 4);
            memcpy(b.at + at, &values[i], 4);
            (void)verdict(b.at, b.size, 0);
            memcpy(b.at + at, saved, 4);
        }
    }
    free(b.at);
}

Test(tflite, what_is_wrong_is_said) {
    spec s = unary(19);
    bytes b = make(&s);
    free(b.at);
    spoilt(&s, place.tensor[0], 0x7fffffffu, "vtable of a table lies outside");
    spoilt(&s, place.tensor[0], 0x80000000u, "vtable of a table lies outside");
    spoilt(&s, field(place.tensor[0], 0), 0xffffffffu, "points outside");
    spoilt(&s, field(place.tensor[0], 0), 0, "offset is zero");
    spoilt(&s, place.buffers - 4, 0xffffffffu, "vector runs past the end");
    spoilt(&s, field(place.tensor[0], 2), 3, "buffer does not exist");
    spoilt(&s, field(place.op, 0), 1, "operator code 1 of 1");
}

/* 60,000 tensors that are one table with a name of 30,000 bytes would be 1.8 GB of names. */
Test(tflite, the_same_bytes_cannot_be_copied_without_end) {
    spec s = unary(19);
    bytes b = make(&s), big;
    const uint32_t count = 60000;
    const size_t vector = b.size, size = b.size + 4 + 4 * (size_t)count + 64;
    size_t at, tensors = field(place.graph, 0), i;
    big.at = (uint8_t *)calloc(1, size);
    memcpy(big.at, b.at, b.size);
    memcpy(big.at + vector, &count, 4);
    at = vector - tensors;
    for (i = 0; i < 4; i++) big.at[tensors + i] = (uint8_t)(at >> (8 * i));
    /* One table behind the list: the vtable first. It has a name that is the list itself. */
    at = size - 60;
    big.at[at] = 12, big.at[at + 2] = 12;
    big.at[at + 10] = 4;
    big.at[at + 12] = 12;
    for (i = 0; i < count; i++) {
        const uint32_t offset = (uint32_t)(at + 12 - (vector + 4 + 4 * i));
        memcpy(big.at + vector + 4 + 4 * i, &offset, 4);
    }
    {
        const size_t name = at + 12 + 8 + 4;
        const uint32_t offset = (uint32_t)(name - (at + 16)), length = 20;
        memcpy(big.at + at + 16, &offset, 4);
        memcpy(big.at + name, &length, 4);
        memset(big.at + name + 4, 'x', length);
    }
    cr_assert_eq((int)verdict(big.at, size, 0), (int)OH_NN_INVALID_FILE);
    cr_assert(strstr(nnrt_last_error(), "too many times") != NULL, "%s", nnrt_last_error());
    free(big.at);
    free(b.at);
}

/* --------------------------------------------------------------------------------------------- real files */

Test(tflite, only_files_with_the_identifier_are_tflite) {
    cr_assert(nnrt__tflite_is("\0\0\0\0TFL3", 8));
    cr_assert(!nnrt__tflite_is("\0\0\0\0TFL3", 7));
    cr_assert(!nnrt__tflite_is("\0\0\0\0TFL2", 8));
    cr_assert(!nnrt__tflite_is(NULL, 0));
}

Test(tflite, every_truncated_prefix_returns) {
    bytes b = load(METER);
    size_t n, refusals = 0;
    cr_assert_not_null(b.at);
    for (n = 0; n < b.size; n++) refusals += verdict(b.at, n, 0) != OH_NN_SUCCESS;
    /* the end is padding */
    cr_assert(refusals + 16 > b.size, "%zu of %zu prefixes refused", refusals, b.size);
    free(b.at);
}

Test(tflite, every_flipped_byte_returns_and_the_verdict_needs_no_alignment) {
    spec s = unary(3);
    const float weights[4] = {1};
    bytes b;
    size_t i;
    unsigned mask;
    add_constant(&s, 0, 2, weights, 16);
    s.tensors[2].rank = 4;
    s.tensors[2].dims[1] = s.tensors[2].dims[2] = 1;
    s.tensors[2].dims[3] = 2;
    s.options_type = 1;
    s.option_count = 6;
    s.options[1] = s.options[2] = 1;
    s.options[4] = s.options[5] = NO;
    b = make(&s);
    cr_assert_eq((int)verdict(b.at, b.size, 1), 0, "%s", nnrt_last_error());
    for (i = 0; i < b.size; i++) {
        for (mask = 1; mask < 256; mask = mask < 128 ? mask * 2 : mask == 128 ? 255 : 256) {
            OH_NN_ReturnCode code;
            b.at[i] ^= (uint8_t)mask;
            code = verdict(b.at, b.size, 0);
            cr_assert_eq((int)verdict(b.at, b.size, 3), (int)code);
            b.at[i] ^= (uint8_t)mask;
        }
    }
    free(b.at);
}

Test(tflite, out_of_memory_anywhere_leaves_nothing) {
    bytes b = load(METER);
    long n;
    cr_assert_not_null(b.at);
    for (n = 0;; n++) {
        nnrt__graph_store *store;
        OH_NN_ReturnCode code;
        counting_fail_at(n);
        code = nnrt__tflite_read(b.at, b.size, &store);
        if (!counting_failed()) {
            cr_assert_eq((int)code, 0);
            nnrt__graph_store_release(store);
            break;
        }
        cr_assert_eq((int)code, (int)OH_NN_MEMORY_ERROR, "allocation %ld", n);
        cr_assert_null(store);
        cr_assert_eq(counting_live(), 0, "allocation %ld", n);
    }
    counting_fail_never();
    cr_assert(n > 50);
    cr_assert_eq(counting_live(), 0);
    free(b.at);
}

typedef struct model_facts {
    const char *name;
    /* In order; C conv, D depthwise, F full connection, A average pool, M max pool, + add, R reshape,
       S softmax */
    const char *ops;
    int32_t input[4], output;
    double in_scale, out_scale;
    int32_t in_zero, out_zero;
} model_facts;

static char letter(OH_NN_OperationType op) {
    switch (op) {
    case OH_NN_OPS_CONV2D: return 'C';
    case OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE: return 'D';
    case OH_NN_OPS_FULL_CONNECTION: return 'F';
    case OH_NN_OPS_AVG_POOL: return 'A';
    case OH_NN_OPS_MAX_POOL: return 'M';
    case OH_NN_OPS_ADD: return '+';
    case OH_NN_OPS_RESHAPE: return 'R';
    case OH_NN_OPS_SOFTMAX: return 'S';
    default: return '?';
    }
}

static void check_quant(const nnrt_tensor_info *t, double scale, int32_t zero, const char *name) {
    if (!(scale > 0)) {
        cr_assert(t->quant.count == 0 && t->dtype == OH_NN_FLOAT32, "%s", name);
        return;
    }
    cr_assert(t->quant.count == 1 && t->dtype == OH_NN_INT8 && t->quant.num_bits[0] == 8, "%s", name);
    cr_assert_float_eq(t->quant.scales[0], scale, 1e-8 * scale + 1e-9, "%s", name);
    cr_assert_eq(t->quant.zero_points[0], zero, "%s", name);
}

/* Number of models found. */
static int check_model(const char *path, const model_facts *facts) {
    bytes b = load(path);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    const nnrt_tensor_info *in, *out;
    uint32_t i;
    if (b.at == NULL) return 0;
    cr_assert_eq((int)nnrt__tflite_read(b.at, b.size, &store), 0, "%s: %s", path, nnrt_last_error());
    g = &store->graph;
    cr_assert_eq(g->node_count, strlen(facts->ops), "%s", path);
    for (i = 0; i < g->node_count; i++) cr_assert_eq(letter(g->nodes[i].op), facts->ops[i], "%s: node %u", path, i);
    cr_assert(g->input_count == 1 && g->output_count == 1);
    in = &g->tensors[g->inputs[0]];
    out = &g->tensors[g->outputs[0]];
    for (i = 0; i < in->rank; i++) cr_assert_eq(in->dims[i], facts->input[i], "%s: dimension %u", path, i);
    cr_assert(in->rank == 4 || facts->input[in->rank] == 0);
    cr_assert_eq(out->dims[out->rank - 1], facts->output, "%s", path);
    check_quant(in, facts->in_scale, facts->in_zero, path);
    check_quant(out, facts->out_scale, facts->out_zero, path);
    for (i = 0; i < g->tensor_count; i++) {
        const uint8_t *data = (const uint8_t *)g->tensors[i].data;
        if (data == NULL) continue;
        cr_assert(data > b.at && data + g->tensors[i].data_size <= b.at + b.size, "%s: tensor %u is copied", path, i);
    }
    nnrt__graph_store_release(store);
    cr_assert_eq(counting_live(), 0);
    free(b.at);
    return 1;
}

Test(tflite, the_meter_is_read_as_it_was_trained) {
    bytes b = load(METER);
    nnrt__graph_store *store;
    const nnrt_graph *g;
    uint32_t i;
    char ops[16] = {0};
    cr_assert_eq((int)nnrt__tflite_read(b.at, b.size, &store), 0, "%s", nnrt_last_error());
    g = &store->graph;
    for (i = 0; i < g->node_count && i < 15; i++) ops[i] = letter(g->nodes[i].op);
    cr_assert_str_eq(ops, "CMDCMCARFS");
    cr_assert_eq((int)g->tensors[g->inputs[0]].dtype, (int)OH_NN_INT8);
    cr_assert(g->tensors[g->nodes[0].inputs[1]].quant.count == (uint32_t)g->tensors[g->nodes[0].inputs[1]].dims[0]);
    nnrt__graph_store_release(store);
    free(b.at);
}

#define DS "DC"
#define DS13 DS DS DS DS DS DS DS DS DS DS DS DS DS

Test(tflite, trained_models_are_read_as_their_authors_describe_them) {
    static const model_facts models[] = {
        {"ad01_int8", "FFFFFFFFFF", {1, 640, 0, 0}, 640, 0.391015232, 0.364498466, 89, 96},
        {"ad01_fp32", "FFFFFFFFFF", {1, 640, 0, 0}, 640, 0, 0, 0, 0},
        {"pretrainedResnet_quant", "CCC+CCC+CCC+ARFS", {1, 32, 32, 3}, 10, 1, 0.00390625, -128, -128},
        {"pretrainedResnet", "CCC+CCC+CCC+ARFS", {1, 32, 32, 3}, 10, 0, 0, 0, 0},
        {"kws_ref_model", "CDCDCDCDCARFS", {1, 49, 10, 1}, 12, 0.584702909, 0.00390625, 83, -128},
        {"kws_ref_model_float32", "CDCDCDCDCARFS", {1, 49, 10, 1}, 12, 0, 0, 0, 0},
        {"vww_96_int8", "C" DS13 "ARFS", {1, 96, 96, 3}, 2, 0.00392156886, 0.00390625, -128, -128},
        {"vww_96_float", "C" DS13 "ARFS", {1, 96, 96, 3}, 2, 0, 0, 0, 0},
        {"person_detect", "D" DS13 "ACRS", {1, 96, 96, 1}, 2, 0.00784313772, 0.00390625, -1, -128},
        {"micro_speech_quantized", "RDFS", {1, 1960, 0, 0}, 4, 0.101715684, 0.00390625, -128, -128},
        {"hello_world_int8", "FFF", {1, 1, 0, 0}, 1, 0.0244801156, 0.00829095673, -128, 5},
        {"hello_world_float", "FFF", {1, 1, 0, 0}, 1, 0, 0, 0, 0}};
    const char *where = getenv("NNRT_MODELS");
    char path[512];
    size_t i;
    int found = 0;
    for (i = 0; i < NNRT__COUNT_OF(models); i++) {
        snprintf(path, sizeof path, "%s/%s/%s.tflite", where != NULL ? where : "../shared/models", models[i].name,
                 models[i].name);
        found += check_model(path, &models[i]);
    }
    if (found == 0) cr_skip_test("skipped, no models");
    cr_assert_eq(found, (int)NNRT__COUNT_OF(models));
}
