/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs of operators that the open NPU takes, compiled as one part and run on the NPU in software: none is
   refused by the engine, nothing that tensors share is overwritten, and every output that is compared layer by layer is
   at most one step from what the CPU device makes of the same operands. NNRT_OPEN_NPU_GRAPHS says how many; without it
   1,500 for each chip. NNRT_OPEN_NPU_SEED: others than those of every run. */
#define SEED 32005
#include "linked.h"

#include <criterion/criterion.h>

#include "graph_builder.h"
#include "noise.h"

#include "open_npu_run.h"

#include "open_npu_conv.h"

enum {
    MOST_LAYERS = 8
};

/* Tensors of a graph so far, all of one scale and zero point, so that any of them can be joined or added. */
typedef struct chain {
    gb_graph g;
    uint32_t tensors[MOST_LAYERS + 1];
    int32_t dims[MOST_LAYERS + 1][4];
    uint32_t count;
    char names[256];
} chain;

static const double scale = 0.05;
static const int32_t zero = 5;

static uint32_t layer_output(chain *c, const int32_t *dims) {
    const uint32_t i = c->count++;
    memcpy(c->dims[i], dims, 4 * sizeof *dims);
    c->tensors[i] = gb_output(&c->g, gb_tensor_s8(&c->g, 4, dims, scale, zero));
    return c->tensors[i];
}

static void name(chain *c, const char *what) { strncat(c->names, what, sizeof c->names - strlen(c->names) - 1); }

static void add_conv(chain *c, uint32_t from) {
    const int32_t *in_dims = c->dims[from];
    const bool depthwise = noise() % 3 == 0 && in_dims[3] > 1;
    const int32_t kernel = noise() % 2 == 0 ? 1 : 3, outputs = depthwise ? in_dims[3] : noise_in(1, 40);
    const int32_t dims[4] = {1, in_dims[1], in_dims[2], outputs};
    const int32_t w_dims[4] = {outputs, kernel, kernel, depthwise ? 1 : in_dims[3]};
    const size_t k = (size_t)kernel * (size_t)kernel * (size_t)w_dims[3];
    const double w_scale = 1 / (40 * sqrt((double)k));
    const int64_t ones[2] = {1, 1}, pads[4] = {kernel / 2, kernel / 2, kernel / 2, kernel / 2};
    int8_t *weights = (int8_t *)malloc(k * (size_t)outputs);
    int32_t *bias = (int32_t *)calloc((size_t)outputs, sizeof *bias);
    uint32_t in[3], out;
    for (size_t i = 0; i < k * (size_t)outputs; i++) weights[i] = (int8_t)noise_in(-127, 127);
    in[0] = c->tensors[from];
    in[1] = gb_constant(&c->g, OH_NN_INT8, 4, w_dims, weights);
    gb_quantize(&c->g, in[1], 1, &w_scale, NULL);
    in[2] = gb_constant(&c->g, OH_NN_INT32, 1, &outputs, bias);
    gb_param_i64s(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, ones);
    gb_param_i64s(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i8(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                noise_in(0, 1));
    out = layer_output(c, dims);
    cr_assert_eq((int)gb_op(&c->g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, in, 1, &out),
                 (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    free(weights);
    free(bias);
    name(c, depthwise ? " depthwise" : " conv");
}

static void add_unary(chain *c, uint32_t from) {
    static const OH_NN_OperationType ops[4] = {OH_NN_OPS_RELU, OH_NN_OPS_TANH, OH_NN_OPS_HSWISH, OH_NN_OPS_SIGMOID};
    const uint32_t out = layer_output(c, c->dims[from]);
    cr_assert_eq((int)gb_op(&c->g, ops[noise() % 4], 1, &c->tensors[from], 1, &out), (int)OH_NN_SUCCESS);
    name(c, " function");
}

static void add_pool(chain *c, uint32_t from) {
    const bool average = noise() % 2 == 0;
    const int64_t kernel[2] = {3, 3}, ones[2] = {1, 1}, pads[4] = {1, 1, 1, 1}, none[4] = {0, 0, 0, 0};
    int32_t dims[4];
    uint32_t out;
    memcpy(dims, c->dims[from], sizeof dims);
    if (average && (dims[1] < 3 || dims[2] < 3)) return;
    if (average) {
        dims[1] -= 2;
        dims[2] -= 2;
    }
    gb_param_i64s(&c->g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernel);
    gb_param_i64s(&c->g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, ones);
    gb_param_i64s(&c->g, average ? OH_NN_AVG_POOL_PAD : OH_NN_MAX_POOL_PAD, 4, average ? none : pads);
    out = layer_output(c, dims);
    cr_assert_eq((int)gb_op(&c->g, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &c->tensors[from], 1, &out),
                 (int)OH_NN_SUCCESS);
    name(c, average ? " average" : " max");
}

/* A map times one value for each channel. */
static void add_factor(chain *c, uint32_t from) {
    const int32_t count = noise() % 2 == 0 ? 1 : c->dims[from][3], factor_zero = noise_in(-20, 20);
    const double factor_scale = 0.02;
    int8_t *values = (int8_t *)malloc((size_t)count);
    uint32_t in[2], out;
    for (int32_t i = 0; i < count; i++) values[i] = (int8_t)noise_in(-128, 127);
    in[0] = c->tensors[from];
    in[1] = gb_constant(&c->g, OH_NN_INT8, 1, &count, values);
    gb_quantize(&c->g, in[1], 1, &factor_scale, &factor_zero);
    out = layer_output(c, c->dims[from]);
    cr_assert_eq((int)gb_op(&c->g, OH_NN_OPS_MUL, 2, in, 1, &out), (int)OH_NN_SUCCESS);
    free(values);
    name(c, " factor");
}

/* To rows and columns of twice the number. */
static void add_transposed(chain *c, uint32_t from) {
    const int32_t *in_dims = c->dims[from];
    const int32_t kernel = noise_in(2, 4), outputs = noise_in(1, 40);
    const int32_t dims[4] = {1, 2 * in_dims[1] - 2 + kernel, 2 * in_dims[2] - 2 + kernel, outputs};
    const int32_t w_dims[4] = {outputs, kernel, kernel, in_dims[3]};
    const size_t k = (size_t)kernel * (size_t)kernel * (size_t)in_dims[3];
    const double w_scale = 1 / (20 * sqrt((double)k));
    const int64_t twos[2] = {2, 2}, ones[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
    int8_t *weights;
    int32_t *bias;
    uint32_t in[3], out;
    if (in_dims[1] * in_dims[2] > 100) return;
    weights = (int8_t *)malloc(k * (size_t)outputs);
    bias = (int32_t *)calloc((size_t)outputs, sizeof *bias);
    for (size_t i = 0; i < k * (size_t)outputs; i++) weights[i] = (int8_t)noise_in(-127, 127);
    in[0] = c->tensors[from];
    in[1] = gb_constant(&c->g, OH_NN_INT8, 4, w_dims, weights);
    gb_quantize(&c->g, in[1], 1, &w_scale, NULL);
    in[2] = gb_constant(&c->g, OH_NN_INT32, 1, &outputs, bias);
    gb_param_i64s(&c->g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, twos);
    gb_param_i64s(&c->g, OH_NN_CONV2D_TRANSPOSE_DILATION, 2, ones);
    gb_param_i64s(&c->g, OH_NN_CONV2D_TRANSPOSE_PAD, 4, pads);
    out = layer_output(c, dims);
    cr_assert_eq((int)gb_op(&c->g, OH_NN_OPS_CONV2D_TRANSPOSE, 3, in, 1, &out), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    free(weights);
    free(bias);
    name(c, " transposed");
}

/* A sum, or the larger, of two maps of one shape, or a concatenation, if there are such. */
static void add_two(chain *c, uint32_t a, bool joins) {
    const bool larger = !joins && noise() % 2 == 0;
    const uint32_t start = noise() % c->count;
    for (uint32_t n = 0; n < c->count; n++) {
        const uint32_t b = (start + n) % c->count;
        int32_t dims[4];
        uint32_t in[2], out;
        memcpy(dims, c->dims[a], sizeof dims);
        if (memcmp(dims, c->dims[b], 3 * sizeof dims[0]) != 0) continue;
        if (joins ? dims[3] % 16 != 0 || dims[3] + c->dims[b][3] > 120 : dims[3] != c->dims[b][3]) continue;
        if (joins) dims[3] += c->dims[b][3];
        in[0] = c->tensors[a];
        in[1] = c->tensors[b];
        if (joins) gb_param_i64(&c->g, OH_NN_CONCAT_AXIS, 3);
        out = layer_output(c, dims);
        cr_assert_eq((int)gb_op(&c->g,
                                joins    ? OH_NN_OPS_CONCAT
                                : larger ? OH_NN_OPS_MAXIMUM
                                         : OH_NN_OPS_ADD,
                                2, in, 1, &out),
                     (int)OH_NN_SUCCESS);
        name(c, joins ? " concat" : larger ? " larger" : " add");
        return;
    }
}

/* All tensors are outputs, so that each layer can be looked at. */
static void make(chain *c) {
    const uint32_t layers = 1 + noise() % (MOST_LAYERS - 1);
    const int32_t dims[4] = {1, noise_in(1, 10), noise_in(1, 10),
                             noise() % 2 == 0 ? 16 * noise_in(1, 2) : noise_in(1, 40)};
    memset(c, 0, sizeof *c);
    gb_open(&c->g);
    memcpy(c->dims[0], dims, sizeof dims);
    c->tensors[0] = gb_input(&c->g, gb_tensor_s8(&c->g, 4, dims, scale, zero));
    c->count = 1;
    add_conv(c, 0);
    while (c->count <= layers) {
        const uint32_t from = noise() % c->count;
        switch (noise() % 8) {
        case 0: add_unary(c, from); break;
        case 1: add_pool(c, from); break;
        case 2: add_two(c, from, false); break;
        case 3: add_two(c, from, true); break;
        case 4: add_factor(c, from); break;
        case 5: add_transposed(c, from); break;
        default: add_conv(c, from); break;
        }
    }
}

static size_t bytes_of(const chain *c, uint32_t i) {
    return (size_t)c->dims[i][1] * (size_t)c->dims[i][2] * (size_t)c->dims[i][3];
}

/* Every layer by itself: the CPU device's operator on the very bytes that the NPU had. */
static void look_at_layers(const chain *c, void *const *bytes, distance *d) {
    parts p;
    parts_of(&p, nnrt__graph_store_graph(c->g.model->store));
    for (uint32_t i = p.ir.first; i != NNRT__NONE; i = p.ir.nodes[i].next) {
        const uint32_t *from;
        nnrt__ir part;
        void *ends[8];
        int8_t *right;
        const nnrt__ir_node *node = &p.ir.nodes[i];
        const uint32_t made = p.ir.values[node->outputs[0]].output;
        cr_assert_eq((int)nnrt__ir_take_part(&p.ir, &i, 1, &part, &from), (int)OH_NN_SUCCESS);
        for (uint32_t k = 0; k < part.input_count; k++) {
            const nnrt__ir_value *value = &p.ir.values[from[part.inputs[k]]];
            ends[k] = value->input != NNRT__NONE ? bytes[0] : bytes[1 + value->output];
        }
        right = (int8_t *)malloc(part.values[part.outputs[0]].size);
        ends[part.input_count] = right;
        cpu_part_run(&p, &part, ends);
        distance_add(d, (const int8_t *)bytes[1 + made], right, part.values[part.outputs[0]].size);
        cr_assert_leq(d->most, 1u, "%s: output %u", c->names, made);
        free(right);
        nnrt__ir_free(&part);
    }
    nnrt__ir_free(&p.ir);
}

static void try_graph(nnrt__open_npu_chip chip, distance *d) {
    void *bytes[MOST_LAYERS + 2], *image;
    size_t size;
    chain c;
    make(&c);
    cr_assert_eq((int)gb_build(&c.g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)compile_whole(&c.g, chip, false, &image, &size), (int)OH_NN_SUCCESS, "%s: %s", c.names,
                 nnrt_last_error());
    for (uint32_t i = 0; i < c.count; i++) bytes[i] = malloc(bytes_of(&c, i));
    for (size_t i = 0; i < bytes_of(&c, 0); i++) ((int8_t *)bytes[0])[i] = (int8_t)noise_in(-128, 127);
    image_run(image, size, bytes, bytes + 1);
    look_at_layers(&c, bytes, d);
    for (uint32_t i = 0; i < c.count; i++) free(bytes[i]);
    nnrt__free(image);
    gb_close(&c.g);
}

static void try_graphs(nnrt__open_npu_chip chip) {
    const char *wanted = getenv("NNRT_OPEN_NPU_GRAPHS");
    const char *seed = getenv("NNRT_OPEN_NPU_SEED");
    const int count = wanted != NULL ? atoi(wanted) : 1500;
    distance d = {0, 0, 0};
    if (seed != NULL) noise_state = (uint64_t)strtoull(seed, NULL, 10);
    for (int i = 0; i < count; i++) try_graph(chip, &d);
    distance_print(&d, chip_name(chip));
}

Test(open_compile_graphs, rv1106, .timeout = 3600) { try_graphs(NNRT__OPEN_NPU_RV1106); }

Test(open_compile_graphs, rk3588, .timeout = 3600) { try_graphs(NNRT__OPEN_NPU_RK3588); }
