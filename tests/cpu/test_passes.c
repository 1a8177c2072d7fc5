/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the passes on the graph that they change the number of steps and never a byte of a result, but for the
   rounding of floats that are normalized: what is fused, renamed or left out, and where that would be wrong and must
   not happen. */
#include "linked.h"

#include <math.h>

#include "graph_builder.h"
#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

static uint32_t random_state;
static uint8_t random_byte(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return (uint8_t)(random_state >> 24);
}

static const int64_t one_by_one[2] = {1, 1};

/* ------------------------------------------------------------------------------------- running in two ways
 */

/* Compiles the finished graph with these passes (NULL: all), runs it on bytes from a fixed seed, and puts all
   outputs one after the other into a block of *size bytes. The number of steps. Floats are small whole
   numbers. */
static uint32_t run_with(gb_graph *g, const char *passes, const char *isa, uint8_t **bytes, size_t *size) {
    const nnrt_profile_step *profile = NULL;
    NN_Tensor *in[GB_MOST], *out[GB_MOST];
    off_settings settings;
    uint32_t steps = 0, i;
    size_t k;
    memset(&settings, 0, sizeof settings);
    settings.passes = passes;
    settings.isa = isa;
    g->compilation = OH_NNCompilation_Construct(g->model);
    IS(off_build(g->compilation, &settings), OH_NN_SUCCESS);
    g->executor = OH_NNExecutor_Construct(g->compilation);
    cr_assert_not_null(g->executor, "%s", nnrt_last_error());
    random_state = 99;
    *bytes = NULL;
    *size = 0;
    for (i = 0; i < g->input_count + g->output_count; i++) {
        const bool output = i >= g->input_count;
        NN_TensorDesc *desc = output ? OH_NNExecutor_CreateOutputTensorDesc(g->executor, i - g->input_count)
                                     : OH_NNExecutor_CreateInputTensorDesc(g->executor, i);
        OH_NN_DataType dtype = OH_NN_UNKNOWN;
        NN_Tensor *tensor;
        size_t bytes_here;
        uint8_t *data;
        cr_assert_not_null(desc);
        IS(OH_NNTensorDesc_GetByteSize(desc, &bytes_here), OH_NN_SUCCESS);
        IS(OH_NNTensorDesc_GetDataType(desc, &dtype), OH_NN_SUCCESS);
        tensor = OH_NNTensor_Create(off_device(), desc);
        cr_assert_not_null(tensor);
        IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
        data = (uint8_t *)OH_NNTensor_GetDataBuffer(tensor);
        memset(data, 0x5a, bytes_here);
        for (k = 0; !output && k < bytes_here; k++) {
            const float whole = (float)(random_byte() % 33) - 16;
            if (dtype != OH_NN_FLOAT32) data[k] = random_byte();
            else if (k % 4 == 0) memcpy(data + k, &whole, sizeof whole);
        }
        if (output) out[i - g->input_count] = tensor;
        else in[i] = tensor;
    }
    IS(OH_NNExecutor_RunSync(g->executor, in, g->input_count, out, g->output_count), OH_NN_SUCCESS);
    IS(nnrt_executor_get_profile(g->executor, &profile, &steps), OH_NN_SUCCESS);
    for (i = 0; i < g->output_count; i++) {
        size_t bytes_here;
        NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(out[i]);
        IS(OH_NNTensorDesc_GetByteSize(desc, &bytes_here), OH_NN_SUCCESS);
        *bytes = (uint8_t *)realloc(*bytes, *size + bytes_here);
        cr_assert_not_null(*bytes);
        memcpy(*bytes + *size, OH_NNTensor_GetDataBuffer(out[i]), bytes_here);
        *size += bytes_here;
        IS(OH_NNTensor_Destroy(&out[i]), OH_NN_SUCCESS);
    }
    for (i = 0; i < g->input_count; i++) IS(OH_NNTensor_Destroy(&in[i]), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&g->executor);
    OH_NNCompilation_Destroy(&g->compilation);
    return steps;
}

#define ANY 0xffffffffu /* a PAD may be several steps: as many as there are without passes */

/* The bytes are the same; or they are floats, and within `bound` of the largest one. */
static void compare(const char *what, const char *isa, const uint8_t *with, const uint8_t *without, size_t size,
                    float bound) {
    float largest = 1, a, b;
    size_t k;
    for (k = 0; bound == 0 && k < size; k++)
        cr_assert_eq(with[k], without[k], "%s, %s: byte %zu is %u with passes, %u without", what, isa, k,
                     (unsigned)with[k], (unsigned)without[k]);
    for (k = 0; bound > 0 && k < size; k += 4) {
        memcpy(&a, without + k, 4);
        if (fabsf(a) > largest) largest = fabsf(a);
    }
    for (k = 0; bound > 0 && k < size; k += 4) {
        memcpy(&a, with + k, 4);
        memcpy(&b, without + k, 4);
        cr_assert_leq(fabsf(a - b), bound * largest, "%s, %s: element %zu is %g with passes, %g without", what, isa,
                      k / 4, (double)a, (double)b);
    }
}

/* Finishes g and closes it: all passes give `fused` steps, none gives `plain`, and both give the same bytes
   on every instruction set, or floats within the bound. */
static void near_with_fewer(gb_graph *g, const char *what, uint32_t fused, uint32_t plain, float bound) {
    const char *isas[NNRT__TARGET_COUNT];
    const size_t count = off_isas(isas);
    size_t i;
    cr_assert_eq((int)gb_finish(g), (int)OH_NN_SUCCESS, "%s: %s", what, nnrt_last_error());
    for (i = 0; i < count; i++) {
        uint8_t *with, *without;
        size_t with_size, without_size;
        const uint32_t with_steps = run_with(g, NULL, isas[i], &with, &with_size);
        const uint32_t without_steps = run_with(g, "none", isas[i], &without, &without_size);
        if (fused == ANY) fused = without_steps;
        if (plain == ANY) plain = without_steps;
        cr_assert_leq(fused, plain, "%s", what);
        cr_assert_eq(with_steps, fused, "%s: %u steps with all passes, not %u", what, (unsigned)with_steps,
                     (unsigned)fused);
        cr_assert_eq(without_steps, plain, "%s: %u steps without passes, not %u", what, (unsigned)without_steps,
                     (unsigned)plain);
        cr_assert_eq(with_size, without_size);
        compare(what, isas[i], with, without, with_size, bound);
        free(with);
        free(without);
    }
    gb_close(g);
}

static void same_with_fewer(gb_graph *g, const char *what, uint32_t fused, uint32_t plain) {
    near_with_fewer(g, what, fused, plain, 0);
}

/* ------------------------------------------------------------------------------------------- small graphs */

static const int32_t image[4] = {1, 5, 7, 3};

/* A tensor for data: int8 with this quantization, or float. */
static uint32_t data_tensor(gb_graph *g, bool s8, const int32_t dims[4], double scale, int32_t zero) {
    return s8 ? gb_tensor_s8(g, 4, dims, scale, zero) : gb_tensor(g, OH_NN_FLOAT32, 4, dims);
}

/* Weights and bias of a 3x3 convolution of 3 channels to 3, or depthwise. */
static void add_weights(gb_graph *g, bool s8, bool depthwise, uint32_t in[3]) {
    const int32_t conv_dims[4] = {3, 3, 3, 3}, depthwise_dims[4] = {3, 3, 3, 1}, three = 3;
    const int32_t *dims = depthwise ? depthwise_dims : conv_dims;
    const double scales[3] = {0.002, 0.003, 0.004};
    const int32_t bias[3] = {100, -200, 300};
    const float bias_f32[3] = {1, -2, 3};
    int8_t bytes[81];
    float floats[81];
    int i;
    random_state = 5;
    for (i = 0; i < 81; i++) {
        bytes[i] = (int8_t)random_byte();
        floats[i] = (float)(bytes[i] % 5);
    }
    if (s8) {
        in[1] = gb_quantize(g, gb_constant(g, OH_NN_INT8, 4, dims, bytes), 3, scales, NULL);
        in[2] = gb_constant(g, OH_NN_INT32, 1, &three, bias);
    } else {
        in[1] = gb_constant(g, OH_NN_FLOAT32, 4, dims, floats);
        in[2] = gb_constant(g, OH_NN_FLOAT32, 1, &three, bias_f32);
    }
}

/* Adds from -> CONV2D (or depthwise) -> to. pad: 4 numbers, NULL: SAME. */
static void add_conv(gb_graph *g, bool s8, bool depthwise, uint32_t from, uint32_t to, const int64_t *pad,
                     int activation) {
    uint32_t in[3];
    in[0] = from;
    add_weights(g, s8, depthwise, in);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, one_by_one);
    if (pad != NULL) gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pad);
    else gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, 0);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                activation);
    IS(gb_op(g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, in, 1, &to), OH_NN_SUCCESS);
}

/* Adds a + b -> to (or -, *). */
static void add_binary(gb_graph *g, OH_NN_OperationType op, uint32_t a, uint32_t b, uint32_t to) {
    uint32_t in[2];
    in[0] = a;
    in[1] = b;
    IS(gb_op(g, op, 2, in, 1, &to), OH_NN_SUCCESS);
}

/* -------------------------------------------------------------------------------------------- activations */

Test(passes, relu_and_relu6_move_into_the_operator_before_them) {
    static const OH_NN_OperationType activations[2] = {OH_NN_OPS_RELU, OH_NN_OPS_RELU6};
    static const OH_NN_OperationType binaries[3] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL};
    int s8, act, own, depthwise, i;
    for (s8 = 0; s8 < 2; s8++) {
        for (act = 0; act < 2; act++) {
            char what[128];
            gb_graph g;
            uint32_t x, middle, y;
            for (depthwise = 0; depthwise < 2; depthwise++) {
                for (own = 0; own < 3; own++) { /* the activation that the convolution has already */
                    snprintf(what, sizeof what, "conv depthwise %d s8 %d activation %d then RELU%s", depthwise, s8, own,
                             act ? "6" : "");
                    gb_open(&g);
                    x = gb_input(&g, data_tensor(&g, s8, image, 0.05, -3));
                    middle = data_tensor(&g, s8, image, 0.06, -100);
                    y = gb_output(&g, data_tensor(&g, s8, image, 0.06, -100));
                    add_conv(&g, s8, depthwise, x, middle, NULL, own);
                    IS(gb_op(&g, activations[act], 1, &middle, 1, &y), OH_NN_SUCCESS);
                    same_with_fewer(&g, what, 1, 2);
                }
            }
            for (i = 0; i < 3; i++) {
                snprintf(what, sizeof what, "binary %d s8 %d then RELU%s", i, s8, act ? "6" : "");
                gb_open(&g);
                x = gb_input(&g, data_tensor(&g, s8, image, 0.05, -3));
                middle = data_tensor(&g, s8, image, 0.06, -100);
                y = gb_output(&g, data_tensor(&g, s8, image, 0.06, -100));
                add_binary(&g, binaries[i], x, gb_input(&g, data_tensor(&g, s8, image, 0.04, 9)), middle);
                IS(gb_op(&g, activations[act], 1, &middle, 1, &y), OH_NN_SUCCESS);
                same_with_fewer(&g, what, 1, 2);
            }
        }
    }
}

Test(passes, an_activation_stays_where_moving_it_would_show) {
    gb_graph g;
    uint32_t x, middle, y;
    /* other quantization behind it */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    middle = data_tensor(&g, true, image, 0.06, -100);
    y = gb_output(&g, data_tensor(&g, true, image, 0.03, -128));
    add_conv(&g, true, false, x, middle, NULL, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &middle, 1, &y), OH_NN_SUCCESS);
    same_with_fewer(&g, "other quantization", 2, 2);
    /* the value before it is read by another operator, too */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    middle = data_tensor(&g, true, image, 0.06, -100);
    y = gb_output(&g, data_tensor(&g, true, image, 0.06, -100));
    add_conv(&g, true, false, x, middle, NULL, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &middle, 1, &y), OH_NN_SUCCESS);
    add_binary(&g, OH_NN_OPS_ADD, middle, x, gb_output(&g, data_tensor(&g, true, image, 0.06, -100)));
    same_with_fewer(&g, "two readers", 3, 3);
    /* the value before it is a model output */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    middle = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, middle, NULL, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU6, 1, &middle, 1, &y), OH_NN_SUCCESS);
    same_with_fewer(&g, "model output before it", 2, 2);
    /* two in a row: both move, and the smaller bound holds */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    middle = data_tensor(&g, false, image, 0, 0);
    y = data_tensor(&g, false, image, 0, 0);
    add_conv(&g, false, false, x, middle, NULL, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &middle, 1, &y), OH_NN_SUCCESS);
    middle = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    IS(gb_op(&g, OH_NN_OPS_RELU6, 1, &y, 1, &middle), OH_NN_SUCCESS);
    same_with_fewer(&g, "RELU then RELU6", 1, 3);
}

/* ------------------------------------------------------------------------------------------------ padding */

/* x -> PAD -> convolution -> y; fused: whether the PAD is expected to go. */
static void check_pad(const char *what, bool s8, bool depthwise, const int32_t amounts[8], const int64_t *pad,
                      bool fused) {
    const int32_t pairs[2] = {4, 2};
    int32_t padded[4], result[4];
    gb_graph g;
    uint32_t in[2], middle, y;
    int i;
    for (i = 0; i < 4; i++) padded[i] = image[i] + amounts[2 * i] + amounts[2 * i + 1];
    memcpy(result, padded, sizeof result);
    result[3] = 3;
    for (i = 0; i < 2 && pad != NULL; i++) result[1 + i] = padded[1 + i] + (int32_t)(pad[2 * i] + pad[2 * i + 1]) - 2;
    gb_open(&g);
    in[0] = gb_input(&g, data_tensor(&g, s8, image, 0.05, -3));
    in[1] = gb_constant(&g, OH_NN_INT32, 2, pairs, amounts);
    middle = data_tensor(&g, s8, padded, 0.05, -3);
    y = gb_output(&g, data_tensor(&g, s8, result, 0.06, 20));
    IS(gb_op(&g, OH_NN_OPS_PAD, 2, in, 1, &middle), OH_NN_SUCCESS);
    add_conv(&g, s8, depthwise, middle, y, pad, 0);
    same_with_fewer(&g, what, fused ? 1 : ANY, ANY);
}

Test(passes, zeros_padded_in_front_of_a_convolution_become_its_padding) {
    static const int64_t none[4] = {0, 0, 0, 0}, some[4] = {1, 0, 0, 2};
    static const int32_t amounts[3][8] = {{0, 0, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 1, 2, 0, 0, 0}, {0, 0, 3, 0, 0, 4, 0, 0}};
    static const int32_t batch[8] = {1, 0, 1, 1, 1, 1, 0, 0};
    int i, s8, depthwise;
    for (s8 = 0; s8 < 2; s8++) {
        for (depthwise = 0; depthwise < 2; depthwise++) {
            for (i = 0; i < 3; i++) {
                check_pad("no padding of its own", s8, depthwise, amounts[i], none, true);
                check_pad("padding of its own, too", s8, depthwise, amounts[i], some, true);
                check_pad("SAME", s8, depthwise, amounts[i], NULL, false);
            }
            check_pad("batches", s8, depthwise, batch, none, false);
        }
    }
}

/* ----------------------------------------------------------------------------------------------- renaming */

/* Adds from -> RESHAPE -> to. */
static void add_reshape(gb_graph *g, uint32_t from, uint32_t to, int32_t rank, const int32_t *dims) {
    uint32_t in[2];
    in[0] = from;
    in[1] = gb_ints(g, rank, dims);
    IS(gb_op(g, OH_NN_OPS_RESHAPE, 2, in, 1, &to), OH_NN_SUCCESS);
}

Test(passes, chains_of_reshapes_make_no_step) {
    static const int32_t flat[2] = {1, 105}, tall[2] = {105, 1};
    int s8;
    for (s8 = 0; s8 < 2; s8++) {
        gb_graph g;
        uint32_t x, a, b, c, d, y;
        gb_open(&g);
        x = gb_input(&g, data_tensor(&g, s8, image, 0.05, -3));
        a = data_tensor(&g, s8, image, 0.06, 4);
        b = s8 ? gb_tensor_s8(&g, 2, flat, 0.06, 4) : gb_tensor(&g, OH_NN_FLOAT32, 2, flat);
        c = s8 ? gb_tensor_s8(&g, 2, tall, 0.06, 4) : gb_tensor(&g, OH_NN_FLOAT32, 2, tall);
        d = data_tensor(&g, s8, image, 0.06, 4);
        y = gb_output(&g, data_tensor(&g, s8, image, 0.08, 1));
        add_conv(&g, s8, false, x, a, NULL, 0);
        add_reshape(&g, a, b, 2, flat);
        add_reshape(&g, b, c, 2, tall);
        add_reshape(&g, c, d, 4, image);
        add_conv(&g, s8, true, d, y, NULL, 0);
        same_with_fewer(&g, "reshapes between convolutions", 2, 5);
    }
}

Test(passes, outputs_may_be_inputs_constants_doubles_and_reshapes_of_them) {
    static const int32_t flat[2] = {1, 105};
    float constant[105];
    gb_graph g;
    uint32_t x, k, y, z;
    int i;
    for (i = 0; i < 105; i++) constant[i] = (float)i;
    /* a reshaped input, twice */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, flat));
    z = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, flat));
    add_reshape(&g, x, y, 2, flat);
    add_reshape(&g, x, z, 2, flat);
    same_with_fewer(&g, "two reshapes of the input", 0, 2);
    /* a reshaped constant, beside something computed */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    k = gb_constant(&g, OH_NN_FLOAT32, 4, image, constant);
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, flat));
    z = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_reshape(&g, k, y, 2, flat);
    add_binary(&g, OH_NN_OPS_ADD, x, k, z);
    same_with_fewer(&g, "a reshaped constant", 1, 2);
    /* a value and its reshape, both outputs, and read again afterwards */
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    z = gb_output(&g, data_tensor(&g, true, image, 0.06, 4));
    y = gb_output(&g, gb_tensor_s8(&g, 2, flat, 0.06, 4));
    k = gb_output(&g, data_tensor(&g, true, image, 0.1, 0));
    add_conv(&g, true, false, x, z, NULL, 0);
    add_reshape(&g, z, y, 2, flat);
    add_binary(&g, OH_NN_OPS_ADD, z, x, k);
    same_with_fewer(&g, "a value and its reshape", 2, 3);
}

/* What the API or the graph's check says of a tensor that is an input and an output, or an output twice, is
   theirs; but when it is accepted, the bytes are right. */
Test(passes, an_input_or_a_constant_that_is_an_output_is_handed_through) {
    int kind;
    for (kind = 0; kind < 3; kind++) {
        float constant[105];
        gb_graph g;
        uint32_t x, k, y, i;
        uint8_t *bytes;
        size_t size;
        for (i = 0; i < 105; i++) constant[i] = (float)i;
        gb_open(&g);
        x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
        k = gb_constant(&g, OH_NN_FLOAT32, 4, image, constant);
        y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
        (void)gb_output(&g, kind == 0 ? x : kind == 1 ? k : y);
        add_binary(&g, OH_NN_OPS_ADD, x, k, y);
        if (gb_finish(&g) != OH_NN_SUCCESS) {
            cr_assert_str_neq(nnrt_last_error(), "");
            gb_close(&g);
            continue;
        }
        cr_assert_eq(run_with(&g, NULL, NULL, &bytes, &size), 1u);
        cr_assert_eq(size, 2 * sizeof constant);
        for (i = 0; i < 105; i++) {
            float sum, second;
            memcpy(&sum, bytes + i * sizeof sum, sizeof sum);
            memcpy(&second, bytes + (105 + i) * sizeof second, sizeof second);
            if (kind == 0) cr_assert_eq(second + constant[i], sum, "input, element %u", (unsigned)i);
            if (kind == 1) cr_assert_eq(second, constant[i], "constant, element %u", (unsigned)i);
            if (kind == 2) cr_assert_eq(second, sum, "twice, element %u", (unsigned)i);
        }
        free(bytes);
        gb_close(&g);
    }
}

/* ----------------------------------------------------------------------------------------- dead operators */

Test(passes, operators_that_nobody_reads_are_left_out) {
    gb_graph g;
    uint32_t x, y, dead, deader;
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    y = gb_output(&g, data_tensor(&g, true, image, 0.06, 4));
    dead = data_tensor(&g, true, image, 0.07, 5);
    deader = data_tensor(&g, true, image, 0.08, 6);
    add_conv(&g, true, false, x, dead, NULL, 0);
    add_conv(&g, true, true, dead, deader, NULL, 0);
    add_conv(&g, true, false, x, y, NULL, 0);
    add_binary(&g, OH_NN_OPS_ADD, deader, y, data_tensor(&g, true, image, 0.09, 7));
    same_with_fewer(&g, "a dead branch", 1, 4);
}

/* ---------------------------------------------------------------------------------------- normalization */

/* x -> product -> affine -> y. affine: 0 BATCH_NORM, 1 SCALE, 2 BIAS_ADD. */
static void add_affine(gb_graph *g, int affine, uint32_t from, uint32_t to, int activation) {
    static const OH_NN_OperationType ops[3] = {OH_NN_OPS_BATCH_NORM, OH_NN_OPS_SCALE, OH_NN_OPS_BIAS_ADD};
    static const uint32_t counts[3] = {5, 3, 2};
    const float rows[4][3] = {{0.7f, -1.3f, 2.1f}, {0.5f, 3, -4}, {10, -20, 5}, {0.8f, 2.5f, 4}};
    const int32_t three = 3;
    uint32_t in[5], k;
    in[0] = from;
    for (k = 1; k < counts[affine]; k++) in[k] = gb_constant(g, OH_NN_FLOAT32, 1, &three, rows[k - 1]);
    if (affine == 1) gb_param_i64(g, OH_NN_SCALE_AXIS, -1);
    if (affine == 1) gb_param_i8(g, OH_NN_SCALE_ACTIVATIONTYPE, activation);
    if (affine == 0) gb_param_f32(g, OH_NN_BATCH_NORM_EPSILON, 0.01f);
    IS(gb_op(g, ops[affine], counts[affine], in, 1, &to), OH_NN_SUCCESS);
}

Test(passes, normalization_moves_into_the_weights_of_the_product_before_it) {
    int depthwise, affine, activation;
    for (depthwise = 0; depthwise < 2; depthwise++)
        for (affine = 0; affine < 3; affine++)
            for (activation = 0; activation < (affine == 1 ? 3 : 1); activation++) {
                char what[96];
                gb_graph g;
                uint32_t x, middle, y;
                snprintf(what, sizeof what, "depthwise %d, affine %d, activation %d", depthwise, affine, activation);
                gb_open(&g);
                x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
                middle = data_tensor(&g, false, image, 0, 0);
                y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
                add_conv(&g, false, depthwise, x, middle, NULL, 0);
                add_affine(&g, affine, middle, y, activation);
                near_with_fewer(&g, what, 1, 2, 1e-5f);
            }
}

Test(passes, a_relu_behind_a_normalization_goes_along_and_a_second_one_stays) {
    gb_graph g;
    uint32_t x, a, b, c, y;
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    a = data_tensor(&g, false, image, 0, 0);
    b = data_tensor(&g, false, image, 0, 0);
    c = data_tensor(&g, false, image, 0, 0);
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, a, NULL, 0);
    add_affine(&g, 0, a, b, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &b, 1, &c), OH_NN_SUCCESS);
    add_affine(&g, 1, c, y, 0);
    near_with_fewer(&g, "product, BATCH_NORM, RELU, SCALE", 2, 4, 1e-5f);
}

Test(passes, a_product_takes_one_normalization) { /* so that Build's work is bounded by the size of the weights */
    gb_graph g;
    uint32_t x, a, b, y;
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    a = data_tensor(&g, false, image, 0, 0);
    b = data_tensor(&g, false, image, 0, 0);
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, a, NULL, 0);
    add_affine(&g, 0, a, b, 0);
    add_affine(&g, 1, b, y, 0);
    near_with_fewer(&g, "product, BATCH_NORM, SCALE", 2, 3, 1e-5f);
}

Test(passes, weights_that_two_products_read_take_no_normalization) {
    const int64_t pad[4] = {1, 1, 1, 1};
    uint32_t in[3], x, middle, y, i;
    gb_graph g;
    gb_open(&g);
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    add_weights(&g, false, false, in);
    for (i = 0; i < 2; i++) {
        in[0] = x;
        middle = data_tensor(&g, false, image, 0, 0);
        y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, one_by_one);
        gb_param_i64s(&g, OH_NN_CONV2D_PAD, 4, pad);
        IS(gb_op(&g, OH_NN_OPS_CONV2D, 3, in, 1, &middle), OH_NN_SUCCESS);
        add_affine(&g, 0, middle, y, 0);
    }
    same_with_fewer(&g, "shared weights", 4, 4);
}

Test(passes, normalization_stays_where_moving_it_would_show) {
    gb_graph g;
    uint32_t x, a, y, second;
    gb_open(&g); /* the product is an output of the model */
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    a = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, a, NULL, 0);
    add_affine(&g, 0, a, y, 0);
    same_with_fewer(&g, "an output between them", 2, 2);
    gb_open(&g); /* something else reads the product */
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    a = data_tensor(&g, false, image, 0, 0);
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    second = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, a, NULL, 0);
    add_affine(&g, 0, a, y, 0);
    add_binary(&g, OH_NN_OPS_ADD, a, x, second);
    same_with_fewer(&g, "two readers", 3, 3);
    gb_open(&g); /* an activation is between them */
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    a = data_tensor(&g, false, image, 0, 0);
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_conv(&g, false, false, x, a, NULL, 1);
    add_affine(&g, 0, a, y, 0);
    same_with_fewer(&g, "an activation between them", 2, 2);
}

/* ------------------------------------------------------------------------------------------------ casts */

/* from -> QUANT_DTYPE_CAST -> to */
static void add_cast(gb_graph *g, uint32_t from, OH_NN_DataType source, uint32_t to, OH_NN_DataType target) {
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_SRC_T, (int64_t)source);
    gb_param_i64(g, OH_NN_QUANT_DTYPE_CAST_DST_T, (int64_t)target);
    IS(gb_op(g, OH_NN_OPS_QUANT_DTYPE_CAST, 1, &from, 1, &to), OH_NN_SUCCESS);
}

Test(passes, numbers_that_become_floats_and_the_same_bytes_again_stay_bytes) {
    gb_graph g;
    uint32_t x, wide, again, y;
    int kept;
    for (kept = 0; kept < 2; kept++) { /* the floats are read by something else, too */
        gb_open(&g);
        x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
        wide = data_tensor(&g, false, image, 0, 0);
        again = data_tensor(&g, true, image, 0.05, -3);
        y = gb_output(&g, data_tensor(&g, true, image, 0.06, -100));
        if (kept) (void)gb_output(&g, wide);
        add_cast(&g, x, OH_NN_INT8, wide, OH_NN_FLOAT32);
        add_cast(&g, wide, OH_NN_FLOAT32, again, OH_NN_INT8);
        add_conv(&g, true, false, again, y, NULL, 0);
        same_with_fewer(&g, "there and back", kept ? 2 : 1, 3);
    }
    gb_open(&g); /* the result is an output of the model */
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    y = data_tensor(&g, true, image, 0.06, -100);
    wide = data_tensor(&g, false, image, 0, 0);
    again = gb_output(&g, data_tensor(&g, true, image, 0.06, -100));
    add_conv(&g, true, false, x, y, NULL, 0);
    add_cast(&g, y, OH_NN_INT8, wide, OH_NN_FLOAT32);
    add_cast(&g, wide, OH_NN_FLOAT32, again, OH_NN_INT8);
    same_with_fewer(&g, "an output", 1, 3);
    gb_open(&g); /* another scale: bytes are rounded anew */
    x = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    wide = data_tensor(&g, false, image, 0, 0);
    y = gb_output(&g, data_tensor(&g, true, image, 0.06, -3));
    add_cast(&g, x, OH_NN_INT8, wide, OH_NN_FLOAT32);
    add_cast(&g, wide, OH_NN_FLOAT32, y, OH_NN_INT8);
    same_with_fewer(&g, "another scale", 2, 2);
    gb_open(&g); /* floats first: they lose by it */
    x = gb_input(&g, data_tensor(&g, false, image, 0, 0));
    wide = data_tensor(&g, true, image, 0.05, -3);
    y = gb_output(&g, data_tensor(&g, false, image, 0, 0));
    add_cast(&g, x, OH_NN_FLOAT32, wide, OH_NN_INT8);
    add_cast(&g, wide, OH_NN_INT8, y, OH_NN_FLOAT32);
    same_with_fewer(&g, "floats that are quantized", 2, 2);
}

/* ------------------------------------------------------------------------------------------- one by one */

Test(passes, each_pass_alone_changes_no_byte) {
    static const int32_t amounts[8] = {0, 0, 1, 1, 1, 1, 0, 0}, pairs[2] = {4, 2}, padded[4] = {1, 7, 9, 3},
                         flat[2] = {1, 105};
    static const int64_t none[4] = {0, 0, 0, 0};
    uint8_t *should, *is;
    size_t should_size, is_size;
    uint32_t in[2], p, c, r, y;
    char passes[16];
    gb_graph g;
    int bits;
    gb_open(&g);
    in[0] = gb_input(&g, data_tensor(&g, true, image, 0.05, -3));
    in[1] = gb_constant(&g, OH_NN_INT32, 2, pairs, amounts);
    p = data_tensor(&g, true, padded, 0.05, -3);
    c = data_tensor(&g, true, image, 0.06, -50);
    r = data_tensor(&g, true, image, 0.06, -50);
    y = gb_output(&g, gb_tensor_s8(&g, 2, flat, 0.06, -50));
    IS(gb_op(&g, OH_NN_OPS_PAD, 2, in, 1, &p), OH_NN_SUCCESS);
    add_conv(&g, true, false, p, c, none, 0);
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &c, 1, &r), OH_NN_SUCCESS);
    add_reshape(&g, r, y, 2, flat);
    add_binary(&g, OH_NN_OPS_MUL, r, r, data_tensor(&g, true, image, 0.2, 0));
    IS(gb_finish(&g), OH_NN_SUCCESS);
    cr_assert_geq(run_with(&g, "none", NULL, &should, &should_size), 5u);
    for (bits = 1; bits <= (int)NNRT__PASS_ALL; bits++) {
        snprintf(passes, sizeof passes, "%d", bits);
        (void)run_with(&g, passes, NULL, &is, &is_size);
        cr_assert_eq(is_size, should_size);
        cr_assert_eq(memcmp(is, should, is_size), 0, "passes %d", bits);
        free(is);
    }
    cr_assert_eq(run_with(&g, NULL, NULL, &is, &is_size), 1u);
    free(is);
    free(should);
    gb_close(&g);
}
