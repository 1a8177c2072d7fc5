/* SPDX-License-Identifier: Apache-2.0 */
/* conv_chain.h - chains of convolutions, drawn, compiled to plans past the API, and run. An includer defines SEED. */
#ifndef NNRT_TESTS_CPU_CONV_CHAIN_H
#define NNRT_TESTS_CPU_CONV_CHAIN_H

#include "graph_builder.h"
#include "noise.h"

#include <math.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    MOST_LAYERS = 7, /* of a chain that is drawn */
    LONGEST = 30
};

/* --------------------------------------------------------------------------------- chains of convolutions */

typedef struct layer {
    bool depthwise, same;
    int32_t channels, kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int64_t pads[4];
    int32_t groups;
    int pool; /* instead of a convolution: which; 0: it is none */
} layer;

typedef struct chain {
    OH_NN_DataType dtype;
    int32_t height, width, channels, layers;
    layer layer[LONGEST];
    bool looks_back; /* the output of the first layer is one of the model, too, and may not be cut */
    uint8_t *model;  /* weights of all layers, as the bytes of a model would hold them */
    size_t model_size;
} chain;

static char *describe(const chain *c, char *text, size_t size) {
    int used = snprintf(text, size, "seed %u: %dx%dx%d %s", SEED, c->height, c->width, c->channels,
                        c->dtype == OH_NN_INT8 ? "int8" : "float");
    for (int32_t i = 0; i < c->layers; i++) {
        const layer *l = &c->layer[i];
        used += snprintf(text + used, size - (size_t)used, " | %s%dx%d to %d stride %d,%d dilation %d,%d %s%d,%d",
                         l->depthwise ? "dw " : "", l->kernel_h, l->kernel_w, l->channels, l->stride_h, l->stride_w,
                         l->dilation_h, l->dilation_w, l->same ? "same " : "pad ", (int)l->pads[0], (int)l->pads[1]);
    }
    return text;
}

static int32_t out_side(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, bool same, int64_t pads) {
    const int32_t room = in + (int32_t)pads - (kernel - 1) * dilation - 1;
    if (same) return (in + stride - 1) / stride;
    return room < 0 ? 0 : room / stride + 1;
}

static void draw_layer(layer *l, int32_t channels) {
    l->pool = 0;
    l->depthwise = noise_in(0, 2) == 0;
    l->channels = l->depthwise ? channels : noise_in(1, 20);
    l->kernel_h = noise_in(0, 2) == 0 ? 1 : noise_in(1, 5);
    l->kernel_w = l->kernel_h == 1 ? 1 : noise_in(1, 4);
    l->stride_h = noise_in(0, 2) == 0 ? noise_in(1, 3) : 1;
    l->stride_w = noise_in(0, 3) == 0 ? 2 : 1;
    l->dilation_h = noise_in(0, 4) == 0 ? 2 : 1;
    l->dilation_w = 1;
    l->same = noise_in(0, 1) == 0;
    for (int i = 0; i < 4; i++) l->pads[i] = noise_in(0, 3) == 0 ? noise_in(0, 3) : 0;
}

/* Makes a convolution one of narrow groups, which planes are for. */
static void draw_groups(layer *l, int32_t channels) {
    const int32_t each = noise_in(1, 3);
    if (l->depthwise || channels % 4 != 0) return;
    l->groups = channels / 4;
    l->channels = 4 * each * l->groups;
}

/* Makes a convolution a pool without padding. */
static void draw_pool(layer *l, int32_t channels) {
    if (noise_in(0, 3) != 0) return;
    l->pool = noise_in(0, 1) == 0 ? OH_NN_OPS_MAX_POOL : OH_NN_OPS_AVG_POOL;
    l->depthwise = l->same = false;
    l->channels = channels;
    l->dilation_h = 1;
    for (int i = 0; i < 4; i++) l->pads[i] = 0;
}

/* A chain of which every tensor has at least a row. in_groups: many of its convolutions are in groups of 4 channels.
   pools: some layers are pools. */
static void draw_with(chain *c, OH_NN_DataType dtype, bool in_groups, bool pools) {
    int32_t h, w, channels;
    memset(c, 0, sizeof *c);
    c->dtype = dtype;
    h = c->height = noise_in(8, 40);
    w = c->width = noise_in(3, 12);
    channels = c->channels = in_groups ? 4 * noise_in(2, 4) : noise_in(1, 6);
    c->looks_back = noise_in(0, 7) == 0;
    const int32_t wanted = noise_in(2, MOST_LAYERS);
    while (c->layers < wanted) {
        layer *l = &c->layer[c->layers];
        draw_layer(l, channels);
        l->groups = 1;
        if (in_groups) draw_groups(l, channels);
        if (pools) draw_pool(l, channels);
        const int32_t next_h = out_side(h, l->kernel_h, l->stride_h, l->dilation_h, l->same, l->pads[0] + l->pads[1]);
        const int32_t next_w = out_side(w, l->kernel_w, l->stride_w, l->dilation_w, l->same, l->pads[2] + l->pads[3]);
        if (next_h < 1 || next_w < 1) {
            if (c->layers > 1) break;
            continue;
        }
        h = next_h;
        w = next_w;
        channels = l->channels;
        c->layers++;
    }
}

static void draw(chain *c, OH_NN_DataType dtype, bool in_groups) { draw_with(c, dtype, in_groups, false); }

static uint32_t add_constant(gb_graph *g, chain *c, size_t rank, const int32_t *dims) {
    const size_t bytes = gb_bytes(c->dtype, rank, dims);
    uint8_t *data = (uint8_t *)malloc(bytes);
    cr_assert_not_null(data);
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)noise();
    for (size_t i = 0; c->dtype == OH_NN_FLOAT32 && i < bytes; i += 4) {
        const float value = (float)noise_in(-8, 8) / 16;
        memcpy(data + i, &value, 4);
    }
    const uint32_t tensor = gb_constant(g, c->dtype, rank, dims, data);
    free(data);
    if (c->dtype == OH_NN_INT8) {
        const double scale = 1.0 / 256;
        (void)gb_quantize(g, tensor, 1, &scale, NULL);
    }
    return tensor;
}

static uint32_t add_tensor(gb_graph *g, const chain *c, int32_t h, int32_t w, int32_t channels) {
    const int32_t dims[4] = {1, h, w, channels};
    if (c->dtype == OH_NN_FLOAT32) return gb_tensor(g, OH_NN_FLOAT32, 4, dims);
    return gb_tensor_s8(g, 4, dims, 0.125, noise_in(-20, 20));
}

static void add_params(gb_graph *g, const layer *l) {
    const int64_t strides[2] = {l->stride_h, l->stride_w}, dilation[2] = {l->dilation_h, l->dilation_w};
    if (l->depthwise) {
        gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, 2, strides);
        gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION, 2, dilation);
        gb_param_i8(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE, l->same ? 0 : 1);
        if (!l->same) gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD, 4, l->pads);
    } else {
        gb_param_i64s(g, OH_NN_CONV2D_STRIDES, 2, strides);
        gb_param_i64s(g, OH_NN_CONV2D_DILATION, 2, dilation);
        gb_param_i8(g, OH_NN_CONV2D_PAD_MODE, l->same ? 0 : 1);
        if (l->groups > 1) gb_param_i64(g, OH_NN_CONV2D_GROUP, l->groups);
        if (!l->same) gb_param_i64s(g, OH_NN_CONV2D_PAD, 4, l->pads);
    }
}

static void add_pool(gb_graph *g, const layer *l) {
    const bool average = l->pool == OH_NN_OPS_AVG_POOL;
    const int64_t kernel[2] = {l->kernel_h, l->kernel_w}, strides[2] = {l->stride_h, l->stride_w};
    gb_param_i64s(g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernel);
    gb_param_i64s(g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, strides);
}

static void make(gb_graph *g, chain *c) {
    int32_t h = c->height, w = c->width, channels = c->channels;
    uint32_t tensors[4];
    gb_open(g);
    tensors[0] = gb_input(g, add_tensor(g, c, h, w, channels));
    for (int32_t i = 0; i < c->layers; i++) {
        const layer *l = &c->layer[i];
        const int32_t weights[4] = {l->depthwise ? 1 : l->channels, l->kernel_h, l->kernel_w,
                                    l->groups > 1 ? channels / l->groups : channels};
        const int32_t bias = l->channels;
        int32_t *zeros = (int32_t *)calloc((size_t)bias, 4);
        h = out_side(h, l->kernel_h, l->stride_h, l->dilation_h, l->same, l->pads[0] + l->pads[1]);
        w = out_side(w, l->kernel_w, l->stride_w, l->dilation_w, l->same, l->pads[2] + l->pads[3]);
        channels = l->channels;
        tensors[1] = add_constant(g, c, 4, weights);
        tensors[2] = gb_constant(g, c->dtype == OH_NN_INT8 ? OH_NN_INT32 : OH_NN_FLOAT32, 1, &bias, zeros);
        free(zeros);
        tensors[3] = add_tensor(g, c, h, w, channels);
        if (i + 1 == c->layers || (i == 0 && c->looks_back)) (void)gb_output(g, tensors[3]);
        if (l->pool != 0) {
            add_pool(g, l);
            IS(gb_op(g, (OH_NN_OperationType)l->pool, 1, tensors, 1, &tensors[3]), OH_NN_SUCCESS);
            tensors[0] = tensors[3];
            continue;
        }
        add_params(g, l);
        IS(gb_op(g, l->depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, tensors, 1, &tensors[3]),
           OH_NN_SUCCESS);
        tensors[0] = tensors[3];
    }
    IS(gb_finish(g), OH_NN_SUCCESS);
}

/* ------------------------------------------------------------------------------------------- past the API */

/* A plan, so that weights may stay where they are and every block ends where its data end. */
typedef struct compiled {
    nnrt__cpu_table kernels;
    void *memory;
    uint8_t *block;
    size_t size;
} compiled;

static const nnrt__bounds no_bounds = {UINT64_MAX, UINT64_MAX, NULL, 0};

static OH_NN_ReturnCode try_passes(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place,
                                   uint32_t passes) {
    const nnrt_graph *graph = &g->model->store->graph;
    nnrt__compile_options options;
    memset(&options, 0, sizeof options);
    nnrt__cpu_select(&p->kernels, isa);
    options.kernels = &p->kernels;
    options.bounds = no_bounds;
    options.threads = 1;
    options.passes = passes;
    options.stripes = stripes;
    options.keep_weights = in_place;
    options.model = NULL;
    if (in_place) { /* all of the address space: every constant lies in it */
        options.model = (const uint8_t *)(uintptr_t)64;
        options.model_size = SIZE_MAX - 64;
    }
    return nnrt__compile(graph, NULL, &options, &p->memory, &p->block, &p->size);
}

/* Outputs do not lie over inputs, which would make much of what stripes do needless. */
static OH_NN_ReturnCode try_compile(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place) {
    return try_passes(p, g, isa, stripes, in_place, NNRT__PASS_ALL & ~NNRT__PASS_OVERLAP);
}

static void compile(compiled *p, const gb_graph *g, unsigned isa, uint32_t stripes, bool in_place) {
    IS(try_compile(p, g, isa, stripes, in_place), OH_NN_SUCCESS);
}

static const nnrt__plan_header *header_of(const compiled *p) {
    return (const nnrt__plan_header *)(const void *)p->block;
}

static nnrt__plan_step *steps_of(const compiled *p) {
    return (nnrt__plan_step *)(void *)(p->block + header_of(p)->steps);
}

/* Runs the plan on bytes that follow from its input's size; false: it is refused. The outputs, one behind the other,
   are in *result, to be freed. */
static bool run(const compiled *p, uint8_t **result, size_t *size) {
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *inputs[2] = {NULL}, *outputs[2] = {NULL};
    int32_t cancel = 0;
    size_t at = 0;
    if (nnrt__plan_load(&plan, p->block, p->size, &p->kernels, (size_t)header_of(p)->model_size, &no_bounds,
                        NNRT__PLAN_OUTSIDE | NNRT__PLAN_TRUST_CRC) != OH_NN_SUCCESS)
        return false;
    IS(nnrt__instance_open(&instance, &plan, (const uint8_t *)(uintptr_t)64, NULL), OH_NN_SUCCESS);
    *size = 0;
    for (uint32_t i = 0; i < plan.header->input_count + plan.header->output_count; i++) {
        const nnrt__plan_value *value = plan.operand_values[i];
        void **to = i < plan.header->input_count ? &inputs[i] : &outputs[i - plan.header->input_count];
        *to = calloc((size_t)value->size, 1);
        cr_assert_not_null(*to);
        if (i >= plan.header->input_count) *size += (size_t)value->size;
        for (size_t k = 0; i == 0 && k < value->size; k++) ((uint8_t *)*to)[k] = (uint8_t)(k * 37 + k / 11);
        for (size_t k = 0; i == 0 && value->dtype == OH_NN_FLOAT32 && k < value->size; k += 4) {
            const float whole = (float)(k * 5 % 17) - 8;
            memcpy((uint8_t *)*to + k, &whole, 4);
        }
    }
    memset(instance.arena, 0x5a, (size_t)plan.header->arena_size);
    nnrt__instance_bind(&instance, inputs, outputs);
    for (int again = 0; again < 2; again++) /* windows of the run before do no harm */
        IS(nnrt__instance_run(&instance, NULL, outputs, false, &cancel, NULL), OH_NN_SUCCESS);
    *result = (uint8_t *)malloc(*size);
    cr_assert_not_null(*result);
    for (uint32_t i = 0; i < plan.header->output_count; i++) {
        const size_t bytes = (size_t)plan.operand_values[plan.header->input_count + i]->size;
        memcpy(*result + at, outputs[i], bytes);
        at += bytes;
        free(outputs[i]);
    }
    free(inputs[0]);
    nnrt__instance_close(&instance);
    nnrt__plan_unload(&plan);
    return true;
}

/* The same bytes; of floats, which are added up in another order where a block of rows ends, the same within 1e-5. */
static bool same(const uint8_t *a, const uint8_t *b, size_t size, OH_NN_DataType dtype) {
    if (dtype == OH_NN_INT8) return memcmp(a, b, size) == 0;
    for (size_t i = 0; i < size; i += 4) {
        float x, y;
        memcpy(&x, a + i, 4);
        memcpy(&y, b + i, 4);
        if (!(fabsf(x - y) <= 1e-5f * (1 + fabsf(x)))) return false;
    }
    return true;
}

#endif
