/* SPDX-License-Identifier: Apache-2.0 */
/* A function behind a convolution, compiled for the open NPU: in the task of the convolution where its results for
   neighbouring bytes are at most 3 apart. Then every byte is at most one from the function's result of a byte that is
   at most one from the convolution's. Where it is steeper, where somebody reads what lies between, and where results
   are to be equal, it has a task of its own. */
#define SEED 32011
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

static const nnrt__open_npu_chip chips[2] = {NNRT__OPEN_NPU_RV1106, NNRT__OPEN_NPU_RK3588};

/* A convolution and what is behind it. */
typedef struct curve {
    conv_model c;
    OH_NN_OperationType op;
    bool gate;    /* the map times the function of it */
    bool between; /* the convolution's output is one of the model, too */
    double scale; /* of the result */
    int32_t zero;
    double function_scale; /* of the function in a gate */
} curve;

static uint32_t convolution(const curve *is, gb_graph *g) {
    const conv_model *c = &is->c;
    const bool depthwise = c->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    const int32_t in_dims[4] = {1, c->height, c->width, c->channels};
    const int32_t out_dims[4] = {1, conv_out_h(c), conv_out_w(c), c->outputs};
    const int32_t w_dims[4] = {c->outputs, c->kernel_h, c->kernel_w, depthwise ? 1 : c->channels};
    const int64_t strides[2] = {c->stride_h, c->stride_w};
    const int64_t pads[4] = {c->pads[0], c->pads[1], c->pads[2], c->pads[3]};
    uint32_t in[3], out;
    in[0] = gb_input(g, gb_tensor_s8(g, 4, in_dims, c->in_scale, c->in_zero));
    in[1] = gb_constant(g, OH_NN_INT8, 4, w_dims, c->weights);
    gb_quantize(g, in[1], c->per_tensor ? 1 : (size_t)c->outputs, c->weight_scales, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &c->outputs, c->bias);
    out = gb_tensor_s8(g, 4, out_dims, c->out_scale, c->out_zero);
    if (is->between) out = gb_output(g, out);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                c->activation);
    cr_assert_eq((int)gb_op(g, c->op, 3, in, 1, &out), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    return out;
}

static void function(const curve *is, gb_graph *g, uint32_t map, size_t rank, const int32_t *dims) {
    uint32_t t[2], made;
    t[0] = map;
    made = is->gate ? gb_tensor_s8(g, rank, dims, is->function_scale, -128)
                    : gb_output(g, gb_tensor_s8(g, rank, dims, is->scale, is->zero));
    if (is->op == OH_NN_OPS_LEAKY_RELU) gb_param_f32(g, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, 0.1f);
    cr_assert_eq((int)gb_op(g, is->op, 1, t, 1, &made), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    if (!is->gate) return;
    t[1] = made;
    made = gb_output(g, gb_tensor_s8(g, rank, dims, is->scale, is->zero));
    cr_assert_eq((int)gb_op(g, OH_NN_OPS_MUL, 2, t, 1, &made), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
}

static void whole(const curve *is, gb_graph *g) {
    const int32_t dims[4] = {1, conv_out_h(&is->c), conv_out_w(&is->c), is->c.outputs};
    gb_open(g);
    function(is, g, convolution(is, g), 4, dims);
    cr_assert_eq((int)gb_build(g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
}

/* The CPU device's byte of every byte. */
static void bytes_of_function(const curve *is, int8_t *bytes) {
    static const int32_t dims[1] = {256};
    int8_t all[256];
    gb_graph g;
    gb_open(&g);
    function(is, &g, gb_input(&g, gb_tensor_s8(&g, 1, dims, is->c.out_scale, is->c.out_zero)), 1, dims);
    cr_assert_eq((int)gb_build(&g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (int i = 0; i < 256; i++) all[i] = (int8_t)(i - 128);
    cr_assert_eq((int)gb_run(&g, gb_buffer(all, 256), gb_buffer(bytes, 256)), (int)OH_NN_SUCCESS);
    gb_close(&g);
}

static int steepest(const int8_t *bytes) {
    int most = 0;
    for (int i = 0; i < 255; i++)
        if (abs(bytes[i + 1] - bytes[i]) > most) most = abs(bytes[i + 1] - bytes[i]);
    return most;
}

/* How a function is done. */
typedef enum way {
    REFUSED,  /* the convolution is not equal, and has to be */
    TAKEN_IN, /* a table is loaded, and convolutions use it */
    APART,    /* a table is loaded, and used in a task of its own */
    A_BOUND   /* it needs no table */
} way;

static way way_of(const void *image) {
    const uint32_t count = image_header(image)->task_count;
    uint32_t convolutions = 0, loads = 0;
    for (uint32_t i = 0; i < count; i++) {
        convolutions += image_tasks(image)[i].enable == 0x1d;
        loads += image_tasks(image)[i].amount > 1000;
    }
    return loads == 0 ? A_BOUND : count == convolutions + 1 ? TAKEN_IN : APART;
}

/* Every byte beside what the CPU device makes of the convolution's. */
static void look_at_bytes(const curve *is, const int8_t *function_bytes, const int8_t *map, const int8_t *got,
                          distance *d) {
    for (size_t i = 0; i < conv_out_count(&is->c); i++) {
        bool near = false;
        for (int k = map[i] - 1; k <= map[i] + 1; k++)
            if (k >= -128 && k <= 127 && abs(got[i] - function_bytes[k + 128]) <= 1) near = true;
        cr_assert(near, "%d is the result of no byte beside %d", got[i], map[i]);
        distance_add(d, &got[i], &function_bytes[map[i] + 128], 1);
    }
}

/* Compiled and run. */
static way check_curve(curve *is, nnrt__open_npu_chip chip, bool exact, distance *d) {
    const size_t count = conv_out_count(&is->c);
    int8_t bytes[256], *map = (int8_t *)malloc(count), *got = (int8_t *)malloc(count);
    void *image, *inputs[1], *outputs[2];
    way how = REFUSED;
    size_t size;
    OH_NN_ReturnCode code;
    gb_graph g;
    bytes_of_function(is, bytes);
    conv_graph(&is->c, &g);
    cr_assert_eq((int)gb_run(&g, gb_buffer(is->c.input, conv_in_count(&is->c)), gb_buffer(map, count)),
                 (int)OH_NN_SUCCESS);
    gb_close(&g);
    whole(is, &g);
    code = compile_whole(&g, chip, exact, &image, &size);
    if (exact && code == OH_NN_UNSUPPORTED) image = NULL;
    else {
        int8_t *between = (int8_t *)malloc(count);
        cr_assert_eq((int)code, (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
        inputs[0] = is->c.input;
        outputs[0] = is->between ? between : got;
        outputs[1] = got;
        image_run(image, size, inputs, outputs);
        look_at_bytes(is, bytes, map, got, d);
        free(between);
    }
    if (image != NULL) how = way_of(image);
    nnrt__free(image);
    gb_close(&g);
    free(map);
    free(got);
    return how;
}

static curve draw_curve(int n) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_SIGMOID, OH_NN_OPS_HSWISH,     OH_NN_OPS_TANH,
                                              OH_NN_OPS_SWISH,   OH_NN_OPS_LEAKY_RELU, OH_NN_OPS_GELU};
    const bool depthwise = n % 5 == 4;
    const int32_t channels = noise_in(2, 40);
    curve is;
    memset(&is, 0, sizeof is);
    is.c = conv_model_of(noise_in(2, 12), noise_in(2, 12), channels, depthwise ? channels : noise_in(1, 40),
                         noise() % 2 == 0 ? 1 : 3);
    if (depthwise) {
        is.c.op = OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
        is.c.group = channels;
    }
    is.gate = n % 7 < 3;
    is.op = is.gate ? OH_NN_OPS_SIGMOID : ops[n % 6];
    is.c.activation = n % 4 == 3;
    conv_make(&is.c);
    is.c.out_scale = noise_between(0.02, 0.06); /* of every convolution, by the weights' scales */
    for (int32_t o = 0; o < is.c.outputs; o++)
        is.c.weight_scales[o] *= is.c.out_scale / (is.c.in_scale * 0.01 * sqrt((double)conv_k(&is.c)) * 74);
    is.function_scale = 1.0 / 256;
    is.scale = is.op == OH_NN_OPS_SIGMOID && !is.gate ? 1.0 / 128 : is.c.out_scale * noise_between(0.2, 1.2);
    is.zero = noise_in(-128, 60);
    return is;
}

Test(open_compile_curve, functions_that_are_not_steep_have_no_task) {
    for (size_t k = 0; k < 2; k++) {
        distance d = {0, 0, 0};
        int taken_in = 0, steep = 0;
        for (int n = 0; n < 140; n++) {
            curve is = draw_curve(n);
            int8_t bytes[256];
            bytes_of_function(&is, bytes);
            switch (check_curve(&is, chips[k], false, &d)) {
            case TAKEN_IN:
                cr_assert(is.c.activation != 0 || steepest(bytes) <= 3, "%d: %d", n, steepest(bytes));
                taken_in++;
                break;
            case APART:
                cr_assert_gt(steepest(bytes), 3, "%d", n);
                steep++;
                break;
            default: break;
            }
            conv_drop(&is.c);
        }
        distance_print(&d, chip_name(chips[k]));
        cr_assert_gt(taken_in, 80);
        cr_assert_gt(steep, 5);
    }
}

/* What lies between is an output of the model, or every byte has to be equal. */
Test(open_compile_curve, functions_stay_apart_where_they_have_to) {
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 42; n++) {
            curve is = draw_curve(n);
            distance d = {0, 0, 0};
            is.between = n % 2 == 0;
            cr_assert_neq((int)check_curve(&is, chips[k], !is.between, &d), (int)TAKEN_IN, "%d", n);
            conv_drop(&is.c);
        }
}

/* Of values beyond both ends of int8, and of pictures. */
Test(open_compile_curve, sums_beyond_both_ends_are_cut) {
    for (size_t k = 0; k < 2; k++)
        for (int n = 0; n < 20; n++) {
            curve is;
            distance d = {0, 0, 0};
            memset(&is, 0, sizeof is);
            is.c = conv_model_of(6, 16, 3, 16, 3);
            is.c.in_zero = n % 2 == 0 ? -128 : 127;
            is.c.out_zero = n % 3 == 0 ? -128 : n % 3 == 1 ? 127 : 0;
            is.c.out_part = 0.1; /* most sums are beyond */
            conv_make(&is.c);
            is.op = OH_NN_OPS_HSWISH;
            is.scale = is.c.out_scale;
            is.zero = noise_in(-128, 127);
            (void)check_curve(&is, chips[k], false, &d);
            conv_drop(&is.c);
        }
}
