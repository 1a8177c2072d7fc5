/* SPDX-License-Identifier: Apache-2.0 */
/* test_random_graphs.c - random models: chains of five to twelve operators with branches, of int8, uint8, int16 and
   float32, built from a fixed seed that every message names. What the portable kernels make of them every other way
   makes too: each instruction set, several threads, little memory, stripes, no passes. Integers are the same bytes;
   floats are within a thousandth of the largest one. */
#include "linked.h"

#include <math.h>

#include <criterion/criterion.h>

#define SEED 20261124u

#include "graph_builder.h"
#include "noise.h"
#include "offline_runner.h"
#include "part_accelerator.h"

enum {
    TENSORS = 16, /* of a chain, the input included */
    BYTES = 1 << 16,
    GRAPHS = 25 /* of each type */
};

/* [1, h, w, c] */
typedef struct image {
    uint32_t index;
    int32_t h, w, c;
    double scale;
    int32_t zero;
} image;

typedef struct chain {
    gb_graph g;
    OH_NN_DataType type;
    image images[TENSORS];
    int count, last; /* last: what the next operator reads */
    char names[256];
} chain;

static size_t bytes_of(const chain *c, const image *i) {
    const int32_t dims[4] = {1, i->h, i->w, i->c};
    return gb_bytes(c->type, 4, dims);
}

/* ---------------------------------------------------------------------------------------------- operands */

/* Declares an image; scale 0: one of those that models have. */
static image *declare(chain *c, int32_t h, int32_t w, int32_t channels, double scale, int32_t zero) {
    const int32_t dims[4] = {1, h, w, channels};
    image *made = &c->images[c->count++];
    cr_assert_leq(c->count, (int)TENSORS);
    made->h = h, made->w = w, made->c = channels;
    made->scale = scale > 0 ? scale : c->type == OH_NN_INT16 ? 0.0004 : noise_between(0.02, 0.09);
    made->zero = scale > 0                ? zero
                 : c->type == OH_NN_INT8  ? noise_in(-20, 20)
                 : c->type == OH_NN_UINT8 ? noise_in(100, 150)
                                          : 0;
    made->index = gb_tensor(&c->g, c->type, 4, dims);
    if (c->type != OH_NN_FLOAT32) (void)gb_quantize(&c->g, made->index, 1, &made->scale, &made->zero);
    return made;
}

/* A constant of the type of the chain, or of weights: numbers of the whole range, floats up to `most`. */
static uint32_t constant(chain *c, OH_NN_DataType type, size_t rank, const int32_t *dims, double most, double scale,
                         int32_t zero) {
    const size_t size = gb_bytes(type, rank, dims);
    uint8_t *data = (uint8_t *)malloc(size);
    uint32_t index;
    size_t i;
    cr_assert_not_null(data);
    for (i = 0; i < size; i++) data[i] = (uint8_t)noise();
    for (i = 0; type == OH_NN_INT8 && i < size; i++)
        if (data[i] == 0x80) data[i] = 0x81; /* weights are symmetric */
    for (i = 0; type == OH_NN_FLOAT32 && i < size / 4; i++) {
        const float x = (float)noise_between(-most, most);
        memcpy(data + 4 * i, &x, 4);
    }
    for (i = 0; (type == OH_NN_INT32 || type == OH_NN_INT64) && i < size; i++) /* a bias: 16 bits with a sign */
        if (i % gb_bytes(type, 0, NULL) >= 2)
            data[i] = (uint8_t)((data[i - i % gb_bytes(type, 0, NULL) + 1] & 0x80) != 0 ? 0xff : 0);
    index = gb_constant(&c->g, type, rank, dims, data);
    if (scale > 0) (void)gb_quantize(&c->g, index, 1, &scale, &zero);
    free(data);
    return index;
}

/* Weights and bias for products of k numbers; *scale is of the weights. */
static void weights(chain *c, uint32_t *in, size_t rank, const int32_t *dims, int32_t out, double *scale) {
    const OH_NN_DataType type = c->type == OH_NN_INT16 ? OH_NN_INT8 : c->type;
    const OH_NN_DataType bias = c->type == OH_NN_FLOAT32                     ? OH_NN_FLOAT32
                                : c->type == OH_NN_INT16 && noise() % 2 != 0 ? OH_NN_INT64
                                                                             : OH_NN_INT32;
    *scale = noise_between(0.003, 0.02);
    in[1] = constant(c, type, rank, dims, 0.5, type == OH_NN_FLOAT32 ? 0 : *scale,
                     type == OH_NN_UINT8 ? noise_in(120, 136) : 0);
    in[2] = constant(c, bias, 1, &out, 1, 0, 0);
}

/* The scale of sums of k products: their spread fills half of the range. */
static double scale_of_sums(const chain *c, const image *in, double weight_scale, int32_t k) {
    const double spread = c->type == OH_NN_INT16 ? 12000.0 * 70 / 16000 : 60.0 * 70 / 64;
    return in->scale * weight_scale * sqrt((double)k) * spread;
}

static int32_t zero_of(const chain *c) {
    return c->type == OH_NN_INT8 ? noise_in(-30, 30) : c->type == OH_NN_UINT8 ? noise_in(98, 158) : 0;
}

/* ---------------------------------------------------------------------------------------------- operators */

static void add(chain *c, OH_NN_OperationType op, uint32_t count, const uint32_t *in, const image *out) {
    const size_t used = strlen(c->names);
    (void)snprintf(c->names + used, sizeof c->names - used, " %s", nnrt__op_name((int)op));
    cr_assert_eq((int)gb_op(&c->g, op, count, in, 1, &out->index), (int)OH_NN_SUCCESS, "%s:%s", c->names,
                 nnrt_last_error());
    c->last = (int)(out - c->images);
}

static void convolve(chain *c, const image *in, bool depthwise) {
    const int32_t kernel = in->h >= 3 && in->w >= 3 ? noise_in(1, 3) : 1, stride = noise_in(1, 2);
    const bool same = noise() % 2 != 0;
    const int32_t out_c = depthwise ? in->c * noise_in(1, 2) : noise_in(1, 20);
    const int32_t h = same ? (in->h + stride - 1) / stride : (in->h - kernel) / stride + 1;
    const int32_t w = same ? (in->w + stride - 1) / stride : (in->w - kernel) / stride + 1;
    const int32_t dims[4] = {out_c, kernel, kernel, depthwise ? 1 : in->c};
    const int64_t strides[2] = {stride, stride};
    uint32_t operands[3];
    double scale;
    const image *out;
    operands[0] = in->index;
    weights(c, operands, 4, dims, out_c, &scale);
    out = declare(c, h, w, out_c, scale_of_sums(c, in, scale, kernel * kernel * dims[3]), zero_of(c));
    gb_param_i64s(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i8(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, same ? 0 : 1);
    gb_param_i8(&c->g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                noise_in(0, 2));
    add(c, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, operands, out);
}

static void pool(chain *c, const image *in, bool average) {
    const int32_t kernel = in->h >= 2 && in->w >= 2 ? 2 : 1, stride = noise_in(1, kernel);
    const int64_t kernels[2] = {kernel, kernel}, strides[2] = {stride, stride};
    const image *out =
        declare(c, (in->h - kernel) / stride + 1, (in->w - kernel) / stride + 1, in->c, in->scale, in->zero);
    gb_param_i64s(&c->g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernels);
    gb_param_i64s(&c->g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, strides);
    add(c, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &in->index, out);
}

/* With an earlier image of the same shape, or itself, or a constant for each channel. */
static void combine(chain *c, const image *in) {
    static const OH_NN_OperationType ops[4] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL, OH_NN_OPS_MAXIMUM};
    const OH_NN_OperationType op = ops[noise() % 4];
    const bool largest = op == OH_NN_OPS_MAXIMUM;
    const int32_t channels[1] = {in->c};
    uint32_t operands[2];
    const image *out;
    int i;
    operands[0] = operands[1] = in->index;
    if (noise() % 2 != 0)
        operands[1] = constant(c, c->type, 1, channels, 2, c->type == OH_NN_FLOAT32 ? 0 : in->scale, in->zero);
    for (i = 0; i < c->count; i++) {
        const image *other = &c->images[i];
        if (noise() % 2 == 0 || other->h != in->h || other->w != in->w || other->c != in->c) continue;
        if (largest && (other->scale < in->scale || other->scale > in->scale || other->zero != in->zero)) continue;
        operands[1] = other->index;
    }
    out = largest ? declare(c, in->h, in->w, in->c, in->scale, in->zero)
                  : declare(c, in->h, in->w, in->c, in->scale * 1.7, zero_of(c));
    add(c, op, 2, operands, out);
}

static void join(chain *c, const image *in) {
    const bool before = noise() % 2 != 0;
    uint32_t operands[2];
    const image *out;
    int i;
    operands[0] = operands[1] = in->index;
    out = declare(c, in->h, in->w, in->c * 2, in->scale, in->zero);
    for (i = 0; i < c->count - 1; i++) {
        const image *other = &c->images[i];
        if (other->h != in->h || other->w != in->w || other->c != in->c) continue;
        if (c->type == OH_NN_INT16 && (other->scale < in->scale || other->scale > in->scale)) continue;
        operands[before ? 0 : 1] = other->index;
    }
    gb_param_i64(&c->g, OH_NN_CONCAT_AXIS, -1);
    add(c, OH_NN_OPS_CONCAT, 2, operands, out);
}

static void bend(chain *c, const image *in) {
    static const OH_NN_OperationType ops[6] = {OH_NN_OPS_RELU,    OH_NN_OPS_RELU6, OH_NN_OPS_LEAKY_RELU,
                                               OH_NN_OPS_SIGMOID, OH_NN_OPS_TANH,  OH_NN_OPS_HSWISH};
    const OH_NN_OperationType op = ops[noise() % 6];
    const bool logistic = op == OH_NN_OPS_SIGMOID, hyperbolic = op == OH_NN_OPS_TANH, wide = c->type == OH_NN_INT16;
    const double scale = wide ? 1.0 / 32768 : logistic ? 1.0 / 256 : 1.0 / 128;
    const int32_t middle = c->type == OH_NN_UINT8 ? 128 : 0;
    const image *out = logistic || hyperbolic ? declare(c, in->h, in->w, in->c, scale,
                                                        wide       ? 0
                                                        : logistic ? middle - 128
                                                                   : middle)
                                              : declare(c, in->h, in->w, in->c, in->scale * 0.8, zero_of(c));
    if (op == OH_NN_OPS_LEAKY_RELU) gb_param_f32(&c->g, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, 0.15f);
    add(c, op, 1, &in->index, out);
}

static void surround(chain *c, const image *in) {
    const int32_t pairs[2] = {4, 2};
    int32_t edges[8] = {0};
    uint32_t operands[2];
    const image *out;
    int i;
    for (i = 2; i < 6; i++) edges[i] = noise_in(0, 1);
    operands[0] = in->index;
    operands[1] = gb_constant(&c->g, OH_NN_INT32, 2, pairs, edges);
    out = declare(c, in->h + edges[2] + edges[3], in->w + edges[4] + edges[5], in->c, in->scale, in->zero);
    add(c, OH_NN_OPS_PAD, 2, operands, out);
}

static void choose_channels(chain *c, const image *in) {
    const int32_t first = noise_in(0, in->c - 1), kept = noise_in(1, in->c - first);
    const int32_t begin[4] = {0, 0, 0, first}, size[4] = {1, in->h, in->w, kept};
    uint32_t operands[3];
    operands[0] = in->index;
    operands[1] = gb_ints(&c->g, 4, begin);
    operands[2] = gb_ints(&c->g, 4, size);
    add(c, OH_NN_OPS_SLICE, 3, operands, declare(c, in->h, in->w, kept, in->scale, in->zero));
}

static void turn(chain *c, const image *in) {
    static const int32_t order[4] = {0, 2, 1, 3};
    uint32_t operands[2];
    operands[0] = in->index;
    operands[1] = gb_ints(&c->g, 4, order);
    add(c, OH_NN_OPS_TRANSPOSE, 2, operands, declare(c, in->w, in->h, in->c, in->scale, in->zero));
}

static void average_all(chain *c, const image *in) {
    static const int32_t axes[2] = {1, 2};
    uint32_t operands[2];
    operands[0] = in->index;
    operands[1] = gb_ints(&c->g, 2, axes);
    gb_param_bool(&c->g, OH_NN_REDUCE_MEAN_KEEP_DIMS, true);
    add(c, OH_NN_OPS_REDUCE_MEAN, 2, operands, declare(c, 1, 1, in->c, in->scale * 0.5, zero_of(c)));
}

static void distribute(chain *c, const image *in) {
    const image *out = c->type == OH_NN_INT16
                           ? declare(c, in->h, in->w, in->c, 1.0 / 32768, 0)
                           : declare(c, in->h, in->w, in->c, 1.0 / 256, c->type == OH_NN_UINT8 ? 0 : -128);
    gb_param_i64(&c->g, OH_NN_SOFTMAX_AXIS, -1);
    add(c, OH_NN_OPS_SOFTMAX, 1, &in->index, out);
}

static void connect(chain *c, const image *in) {
    const int32_t k = in->h * in->w * in->c, out_c = noise_in(1, 30), dims[2] = {out_c, k}, shape[4] = {1, 1, 1, out_c};
    const int32_t flat[2] = {1, out_c};
    uint32_t operands[3], row[2];
    double scale, sums;
    int32_t zero = zero_of(c);
    const image *out;
    operands[0] = in->index;
    weights(c, operands, 2, dims, out_c, &scale);
    sums = scale_of_sums(c, in, scale, k);
    row[0] = gb_tensor(&c->g, c->type, 2, flat);
    if (c->type != OH_NN_FLOAT32) (void)gb_quantize(&c->g, row[0], 1, &sums, &zero);
    gb_param_i8(&c->g, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, noise_in(0, 2));
    cr_assert_eq((int)gb_op(&c->g, OH_NN_OPS_FULL_CONNECTION, 3, operands, 1, row), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    row[1] = gb_ints(&c->g, 4, shape);
    out = declare(c, 1, 1, out_c, sums, zero);
    add(c, OH_NN_OPS_RESHAPE, 2, row, out);
}

static void extend(chain *c) {
    const image *in = &c->images[c->last];
    if (in->c > 40) {
        choose_channels(c, in);
        return;
    }
    switch (noise() % 14) {
    case 0:
    case 1:
    case 2: convolve(c, in, false); break;
    case 3:
    case 4: convolve(c, in, true); break;
    case 5: pool(c, in, noise() % 2 != 0); break;
    case 6:
    case 7: combine(c, in); break;
    case 8: join(c, in); break;
    case 9: bend(c, in); break;
    case 10: surround(c, in); break;
    case 11: choose_channels(c, in); break;
    case 12: turn(c, in); break;
    default: noise() % 2 != 0 || c->type == OH_NN_UINT8 ? distribute(c, in) : average_all(c, in); break;
    }
}

/* -------------------------------------------------------------------------------------------------- ways */

typedef struct way {
    const char *isa, *threads, *passes, *stripes, *inputs;
    OH_NN_PerformanceMode performance;
    size_t device; /* 0: the CPU alone */
} way;

/* Runs a finished model in one way; out has the bytes of all outputs, one behind the other. */
static size_t run_way(const chain *c, const way *w, const uint8_t *in, uint8_t *out) {
    const size_t device = gb_device();
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(c->g.model);
    OH_NNExecutor *executor;
    NN_Tensor *ins[1], *outs[TENSORS];
    NN_TensorDesc *desc;
    off_settings settings;
    size_t used = 0, size, i;
    memset(&settings, 0, sizeof settings);
    settings.isa = w->isa, settings.threads = w->threads, settings.passes = w->passes, settings.stripes = w->stripes;
    settings.performance = w->performance;
    off_config(compilation, "nnrt.inputs", w->inputs);
    cr_assert_eq((int)off_build_for(compilation, &settings, w->device != 0 ? w->device : off_device()),
                 (int)OH_NN_SUCCESS, "seed %u,%s: %s", SEED, c->names, nnrt_last_error());
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    ins[0] = w->inputs != NULL ? nnrt_tensor_create_in_arena(executor, 0) : NULL; /* NULL: it is an output, too */
    if (ins[0] == NULL) ins[0] = OH_NNTensor_Create(device, desc);
    memcpy(OH_NNTensor_GetDataBuffer(ins[0]), in, bytes_of(c, &c->images[0]));
    (void)OH_NNTensorDesc_Destroy(&desc);
    for (i = 0; i < c->g.output_count; i++) {
        desc = OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        outs[i] = OH_NNTensor_Create(device, desc);
        (void)OH_NNTensorDesc_Destroy(&desc);
    }
    cr_assert_eq((int)OH_NNExecutor_RunSync(executor, ins, 1, outs, c->g.output_count), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (i = 0; i < c->g.output_count; i++) {
        desc = OH_NNTensor_GetTensorDesc(outs[i]);
        cr_assert_eq((int)OH_NNTensorDesc_GetByteSize(desc, &size), (int)OH_NN_SUCCESS);
        cr_assert_leq(used + size, (size_t)BYTES);
        memcpy(out + used, OH_NNTensor_GetDataBuffer(outs[i]), size);
        used += size;
        cr_assert_eq((int)OH_NNTensor_Destroy(&outs[i]), (int)OH_NN_SUCCESS);
    }
    cr_assert_eq((int)OH_NNTensor_Destroy(&ins[0]), (int)OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    return used;
}

static void compare(const chain *c, const way *w, int graph, const uint8_t *right, const uint8_t *got, size_t size) {
    float largest = 1, a, b;
    size_t i;
    for (i = 0; c->type == OH_NN_FLOAT32 && i < size; i += 4) {
        memcpy(&a, right + i, 4);
        if (fabsf(a) > largest) largest = fabsf(a);
    }
    for (i = 0; i < size; i += c->type == OH_NN_FLOAT32 ? 4 : 1) {
        if (c->type == OH_NN_FLOAT32) {
            memcpy(&a, right + i, 4);
            memcpy(&b, got + i, 4);
            if (fabsf(a - b) <= 1e-3f * largest) continue;
        } else if (right[i] == got[i]) {
            continue;
        }
        cr_assert_fail("seed %u, graph %d of %s,%s: %s, %s threads, passes %s, stripes %s, inputs %s, mode %d: byte "
                       "%zu of %zu differs",
                       SEED, graph, nnrt__dtype_name(c->type), c->names, w->isa, w->threads != NULL ? w->threads : "no",
                       w->passes != NULL ? w->passes : "all", w->stripes != NULL ? w->stripes : "as they come",
                       w->inputs != NULL ? w->inputs : "apart", (int)w->performance, i, size);
    }
}

/* A model of that type, finished, and an input for it. To be closed. */
static void make_graph(chain *c, OH_NN_DataType type, uint8_t *in) {
    const int length = noise_in(5, 12);
    size_t i;
    memset(c, 0, sizeof *c);
    c->type = type;
    gb_open(&c->g);
    (void)gb_input(&c->g, declare(c, noise_in(2, 9), noise_in(2, 9), noise_in(1, 20), 0, 0)->index);
    while (c->count <= length) extend(c);
    if (noise() % 2 != 0) connect(c, &c->images[c->last]);
    (void)gb_output(&c->g, c->images[c->last].index);
    if (c->last > 3) (void)gb_output(&c->g, c->images[3].index); /* a branch that has to stay */
    cr_assert_eq((int)gb_finish(&c->g), (int)OH_NN_SUCCESS, "%s: %s", c->names, nnrt_last_error());
    for (i = 0; i < bytes_of(c, &c->images[0]); i++) in[i] = (uint8_t)noise();
    for (i = 0; type == OH_NN_FLOAT32 && i < bytes_of(c, &c->images[0]); i += 4) {
        const float x = (float)noise_between(-2, 2);
        memcpy(in + i, &x, 4);
    }
}

static void try_graph(OH_NN_DataType type, int graph) {
    static uint8_t in[BYTES], right[BYTES], got[BYTES];
    static const way first = {"scalar", NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE, 0};
    const char *isas[NNRT__TARGET_COUNT];
    const size_t levels = off_isas(isas);
    size_t size, level, i;
    chain c;
    make_graph(&c, type, in);
    size = run_way(&c, &first, in, right);
    for (level = 0; level < levels; level++) {
        const way ways[4] = {
            {isas[level], NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE, 0},
            {isas[level], "3", NULL, NULL, graph % 2 == 0 ? "arena" : NULL, OH_NN_PERFORMANCE_NONE, 0},
            {isas[level], NULL, NULL, "1000", graph % 4 < 3 ? "arena" : NULL, OH_NN_PERFORMANCE_LOW, 0},
            {isas[level], NULL, "none", NULL, NULL, OH_NN_PERFORMANCE_NONE, 0}};
        for (i = 0; i < 4; i++) {
            memset(got, 0x5a, size);
            cr_assert_eq(run_way(&c, &ways[i], in, got), size);
            compare(&c, &ways[i], graph, right, got, size);
        }
    }
    gb_close(&c.g);
}

/* ------------------------------------------------------------------------------- with an accelerator */

static uint32_t share_salt, share_of;

/* So many of seven nodes, others for another salt. */
static bool takes_a_share(const nnrt__ir *ir, const nnrt__ir_node *node) {
    (void)ir;
    return ((node->origin + share_salt) * 2654435761u >> 16) % 7 < share_of;
}

/* The same bytes whatever an accelerator does of a graph, in every way that the CPU does the rest. */
static void try_with_accelerator(OH_NN_DataType type, int graph, size_t device) {
    static uint8_t in[BYTES], right[BYTES], got[BYTES];
    static const way first = {"scalar", NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE, 0};
    const way ways[4] = {{"scalar", NULL, NULL, NULL, "arena", OH_NN_PERFORMANCE_NONE, device},
                         {"scalar", "3", NULL, NULL, NULL, OH_NN_PERFORMANCE_EXTREME, device},
                         {"scalar", NULL, NULL, "1000", "arena", OH_NN_PERFORMANCE_LOW, device},
                         {"scalar", NULL, "none", NULL, NULL, OH_NN_PERFORMANCE_NONE, device}};
    size_t size, i;
    chain c;
    make_graph(&c, type, in);
    size = run_way(&c, &first, in, right);
    for (share_of = 1; share_of <= 7; share_of += 2)
        for (i = 0; i < 4; i++) {
            share_salt = (uint32_t)graph + (uint32_t)i;
            memset(got, 0x5a, size);
            cr_assert_eq(run_way(&c, &ways[i], in, got), size);
            compare(&c, &ways[i], graph, right, got, size);
        }
    gb_close(&c.g);
}

Test(random_graphs, have_the_same_bytes_whatever_an_accelerator_does_of_them, .timeout = 120) {
    static const OH_NN_DataType types[] = {OH_NN_INT8, OH_NN_UINT8};
    const size_t device = part_device("shared", &part_accelerator);
    int graph;
    size_t i;
    across.takes = takes_a_share;
    for (i = 0; i < sizeof types / sizeof types[0]; i++)
        for (graph = 0; graph < GRAPHS; graph++) try_with_accelerator(types[i], graph, device);
    cr_assert_gt(across.compiled, 16u * GRAPHS, "%u parts", (unsigned)across.compiled);
    cr_assert_gt(across.nodes, 2u * across.compiled, "most parts have several nodes");
    cr_assert_eq(across.opened, across.closed);
}

/* ---------------------------------------------------------------------------------------- cut in two */

/* A graph whose parts are compiled and run one behind the other. */
typedef struct parts {
    nnrt__ir ir;
    nnrt__ir_cut cut;
    nnrt__cpu_table kernels;
    nnrt__compile_options options;
    void **bytes;    /* of every value that goes from part to part */
    uint32_t *owner; /* of every node: the part it is in, + 1 */
} parts;

static bool draw_device(void *user, const nnrt__ir *ir, uint32_t node) {
    (void)user;
    (void)ir;
    (void)node;
    return noise() % 3 == 0;
}

/* Every node is in one part, parts of the devices take turns, and nothing is read before it is made. */
static void check_cut(parts *p, const char *names) {
    uint32_t i, j, k, count = 0;
    for (i = 0; i < p->cut.part_count; i++) {
        const nnrt__ir_part *part = &p->cut.parts[i];
        cr_assert(i == 0 || part->device != p->cut.parts[i - 1].device, "%s: part %u", names, i);
        for (j = 0; j < part->count; j++, count++) {
            const nnrt__ir_node *node = &p->ir.nodes[part->nodes[j]];
            cr_assert_eq(p->owner[part->nodes[j]], 0u, "%s", names);
            for (k = 0; k < node->input_count; k++) {
                const uint32_t producer = p->ir.values[node->inputs[k]].producer;
                cr_assert(producer == NNRT__NONE || p->owner[producer] != 0, "%s: part %u", names, i);
            }
            p->owner[part->nodes[j]] = i + 1;
        }
    }
    for (i = p->ir.first; i != NNRT__NONE; i = p->ir.nodes[i].next) count--;
    cr_assert_eq(count, 0u, "%s", names);
}

/* The bytes of value k of a part, which is `from` of the graph; `made`: room is made for them. An input that nobody
   reads is a number. */
static void *part_bytes(parts *p, const nnrt__ir *part, uint32_t k, const uint32_t *from, bool made) {
    static int32_t nothing;
    if (!made && part->values[k].uses == 0) return &nothing;
    if (made) p->bytes[from[k]] = malloc(part->values[k].size);
    cr_assert_not_null(p->bytes[from[k]]);
    return p->bytes[from[k]];
}

static void run_part(parts *p, uint32_t number) {
    const nnrt__ir_part *part = &p->cut.parts[number];
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *memory, **ends;
    const uint32_t *from;
    nnrt__ir ir;
    int32_t cancel = 0;
    uint64_t whole;
    uint8_t *block;
    uint32_t k;
    size_t size;
    cr_assert_eq((int)nnrt__ir_take_part(&p->ir, part->nodes, part->count, &ir, &from), (int)OH_NN_SUCCESS);
    ends = (void **)malloc((ir.input_count + ir.output_count) * sizeof *ends);
    for (k = 0; k < ir.input_count; k++) ends[k] = part_bytes(p, &ir, ir.inputs[k], from, false);
    for (k = 0; k < ir.output_count; k++) ends[ir.input_count + k] = part_bytes(p, &ir, ir.outputs[k], from, true);
    cr_assert_eq((int)nnrt__write_ir(&ir, &p->options, &memory, &block, &size, &whole), (int)OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    cr_assert_eq((int)nnrt__plan_load(&plan, block, size, &p->kernels, 0, &p->options.bounds, 0), (int)OH_NN_SUCCESS,
                 "%s", nnrt_last_error());
    cr_assert_eq((int)nnrt__instance_open(&instance, &plan, NULL, NULL), (int)OH_NN_SUCCESS);
    nnrt__instance_bind(&instance, ends, ends + ir.input_count);
    cr_assert_eq((int)nnrt__instance_run(&instance, NULL, ends + ir.input_count, false, &cancel, NULL),
                 (int)OH_NN_SUCCESS);
    nnrt__instance_close(&instance);
    nnrt__plan_unload(&plan);
    nnrt__free(memory);
    nnrt__ir_free(&ir);
    free(ends);
}

/* Returns the number of parts. */
static uint32_t try_cut(OH_NN_DataType type) {
    static uint8_t in[BYTES], right[BYTES];
    static const way whole = {"scalar", NULL, NULL, NULL, NULL, OH_NN_PERFORMANCE_NONE, 0};
    size_t used = 0;
    uint32_t i, count;
    parts p;
    chain c;
    make_graph(&c, type, in);
    (void)run_way(&c, &whole, in, right);
    memset(&p, 0, sizeof p);
    nnrt__cpu_select(&p.kernels, 0);
    p.options.kernels = &p.kernels;
    p.options.threads = 1;
    p.options.passes = NNRT__PASS_ALL;
    p.options.bounds.memory = NNRT__BOUNDS_MEMORY;
    p.options.bounds.work = NNRT__BOUNDS_WORK;
    cr_assert_eq((int)nnrt__ir_build(&p.ir, nnrt__graph_store_graph(c.g.model->store), NULL), (int)OH_NN_SUCCESS);
    cr_assert_eq((int)nnrt__infer_and_fold(&p.ir, &p.options), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)nnrt__ir_cut_in_two(&p.ir, draw_device, NULL, &p.cut), (int)OH_NN_SUCCESS);
    p.bytes = (void **)calloc(p.ir.value_count, sizeof *p.bytes);
    p.owner = (uint32_t *)calloc(p.ir.node_count, sizeof *p.owner);
    check_cut(&p, c.names);
    p.bytes[p.ir.inputs[0]] = malloc(bytes_of(&c, &c.images[0]));
    memcpy(p.bytes[p.ir.inputs[0]], in, bytes_of(&c, &c.images[0]));
    for (i = 0; i < p.cut.part_count; i++) run_part(&p, i);
    for (i = 0; i < p.ir.output_count; i++) {
        const nnrt__ir_value *value = &p.ir.values[p.ir.outputs[i]];
        const void *got = value->data != NULL ? value->data : p.bytes[p.ir.outputs[i]];
        cr_assert_not_null(got);
        cr_assert_eq(memcmp(got, right + used, value->size), 0, "seed %u,%s: output %u of %u parts", SEED, c.names, i,
                     p.cut.part_count);
        used += value->size;
    }
    count = p.cut.part_count;
    for (i = 0; i < p.ir.value_count; i++) free(p.bytes[i]);
    free(p.bytes);
    free(p.owner);
    nnrt__ir_cut_free(&p.cut);
    nnrt__ir_free(&p.ir);
    gb_close(&c.g);
    return count;
}

Test(random_graphs, cut_in_two_and_run_part_by_part_give_the_same_bytes, .timeout = 300) {
    static const OH_NN_DataType types[4] = {OH_NN_INT8, OH_NN_UINT8, OH_NN_INT16, OH_NN_FLOAT32};
    uint32_t several = 0;
    int i;
    for (i = 0; i < 8 * GRAPHS; i++) several += try_cut(types[i % 4]) > 2 ? 1 : 0;
    cr_assert_gt(several, (uint32_t)(4 * GRAPHS), "%u of %d graphs had more than two parts", several, 8 * GRAPHS);
}

Test(random_graphs, of_int8_are_the_same_bytes_in_every_way, .timeout = 300) {
    int i;
    for (i = 0; i < GRAPHS; i++) try_graph(OH_NN_INT8, i);
}

Test(random_graphs, of_uint8_are_the_same_bytes_in_every_way, .timeout = 300) {
    int i;
    for (i = 0; i < GRAPHS; i++) try_graph(OH_NN_UINT8, i);
}

Test(random_graphs, of_int16_are_the_same_bytes_in_every_way, .timeout = 300) {
    int i;
    for (i = 0; i < GRAPHS; i++) try_graph(OH_NN_INT16, i);
}

Test(random_graphs, of_float32_are_within_a_thousandth_in_every_way, .timeout = 300) {
    int i;
    for (i = 0; i < GRAPHS; i++) try_graph(OH_NN_FLOAT32, i);
}
