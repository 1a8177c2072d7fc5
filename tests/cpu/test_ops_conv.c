/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_conv.c - convolutions, full connection and pools through the API, against a reference written
   here from the definition of the operators: plain loops, exact sums in doubles, and TensorFlow Lite's
   rescale in 64-bit integers.

   int8 results must be the same bytes, for every instruction set, thread count and performance mode. Shapes
   are drawn from a fixed seed; a message names the shape. */
#include "linked.h"

#include "graph_builder.h"

#include <math.h>
#include <stdio.h>

#define SEED 20240707u

#include "noise.h"

/* ------------------------------------------------------------------------------------------ the reference */

/* round(x * factor) as TensorFlow Lite does it, in 64-bit integers. */
static int64_t rescale(int64_t x, double factor) {
    int exponent;
    const double fraction = frexp(factor, &exponent);
    int64_t multiplier = llround(fraction * 2147483648.0), product, mask;
    if (multiplier == (int64_t)1 << 31) {
        multiplier /= 2;
        exponent++;
    }
    if (exponent > 0) x *= (int64_t)1 << exponent;
    product = x * multiplier;
    product = (product + (product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    if (exponent >= 0) return product;
    mask = (int64_t)1 << -exponent;
    /* nearest, ties away from zero */
    return product >= 0 ? (product + mask / 2) / mask : -((-product + mask / 2) / mask);
}

static int64_t limit(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

static int8_t to_s8(int64_t x, int32_t zero, double scale, int activation) {
    int64_t low = -128, high = 127;
    if (activation != OH_NN_FUSED_NONE) low = limit(zero, -128, 127);
    if (activation == OH_NN_FUSED_RELU6) high = limit(zero + llround((double)(6.0f / (float)scale)), -128, 127);
    return (int8_t)limit(x + zero, low, high);
}

static double activate(double x, int activation) {
    if (activation != OH_NN_FUSED_NONE && x < 0) x = 0;
    return activation == OH_NN_FUSED_RELU6 && x > 6 ? 6 : x;
}

typedef struct shape {
    int32_t n, h, w, ic, oc, kh, kw, sh, sw, dh, dw, group;
    int32_t pad[4];
    bool same;
    int32_t oh, ow; /* made by resolve */
} shape;

static void resolve_side(int32_t in, int32_t k, int32_t s, int32_t d, bool same, int32_t *before, int32_t *after,
                         int32_t *out) {
    const int32_t ke = (k - 1) * d + 1;
    if (same) {
        int32_t total;
        *out = (in + s - 1) / s;
        total = (*out - 1) * s + ke - in;
        if (total < 0) total = 0;
        *before = total / 2;
        *after = total - *before;
    } else {
        *out = in + *before + *after < ke ? 0 : (in + *before + *after - ke) / s + 1;
    }
}

static void resolve(shape *s) {
    resolve_side(s->h, s->kh, s->sh, s->dh, s->same, &s->pad[0], &s->pad[1], &s->oh);
    resolve_side(s->w, s->kw, s->sw, s->dw, s->same, &s->pad[2], &s->pad[3], &s->ow);
}

/* The sum of one output value; in has its zero point taken off. */
static double convolve(const shape *s, const double *in, const double *w, int32_t b, int32_t y, int32_t x, int32_t o) {
    const int32_t cg = s->ic / s->group, first = o / (s->oc / s->group) * cg;
    double sum = 0;
    for (int32_t i = 0; i < s->kh; i++)
        for (int32_t j = 0; j < s->kw; j++) {
            const int32_t iy = y * s->sh - s->pad[0] + i * s->dh, ix = x * s->sw - s->pad[2] + j * s->dw;
            if (iy < 0 || iy >= s->h || ix < 0 || ix >= s->w) continue;
            for (int32_t c = 0; c < cg; c++)
                sum +=
                    in[((b * s->h + iy) * s->w + ix) * s->ic + first + c] * w[((o * s->kh + i) * s->kw + j) * cg + c];
        }
    return sum;
}

static const char *describe(const shape *s) {
    static char text[200];
    snprintf(text, sizeof text,
             "seed %u: in %dx%dx%dx%d out c %d kernel %dx%d stride %d,%d dilation %d,%d group %d pad "
             "%d,%d,%d,%d%s",
             SEED, s->n, s->h, s->w, s->ic, s->oc, s->kh, s->kw, s->sh, s->sw, s->dh, s->dw, s->group, s->pad[0],
             s->pad[1], s->pad[2], s->pad[3], s->same ? " same" : "");
    return text;
}

static const nnrt__bounds no_bounds = {UINT64_MAX, UINT64_MAX, NULL, 0};

/* ------------------------------------------------------------------------------------- running one
   operator */

enum {
    TYPE_S8,
    TYPE_F32,
    TYPE_HYBRID
};

typedef struct run_options {
    const char *isa, *threads;
    OH_NN_PerformanceMode performance;
} run_options;

static const run_options ways[] = {{NULL, NULL, OH_NN_PERFORMANCE_NONE},
                                   {"scalar", NULL, OH_NN_PERFORMANCE_NONE},
                                   {NULL, "3", OH_NN_PERFORMANCE_NONE},
                                   {NULL, NULL, OH_NN_PERFORMANCE_LOW},
                                   {NULL, NULL, OH_NN_PERFORMANCE_LOW}};

/* The last two ways compile past the API: packed, and with the weights left where they are. */
enum {
    WAYS = 5,
    WAY_BARE = 3,
    WAY_IN_PLACE = 4
};

/* A model of one operator compiled past the API, so that weights may stay where they are and buffers end
   where their data end: an access outside is a sanitizer report. */
typedef struct bare {
    void *memory;
    uint8_t *block;
    size_t size;
    nnrt__cpu_table kernels;
} bare;

static void bare_compile(bare *b, gb_graph *g, uint32_t weights, bool keep) {
    const nnrt_graph *graph = &g->model->store->graph;
    nnrt__compile_options options;
    cr_assert_eq(gb_finish(g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    memset(&options, 0, sizeof options);
    nnrt__cpu_select(&b->kernels, nnrt__cpu_detect());
    options.kernels = &b->kernels;
    options.bounds = no_bounds;
    options.threads = 1;
    options.passes = NNRT__PASS_ALL;
    options.keep_weights = keep;
    options.model = (const uint8_t *)graph->tensors[weights].data;
    options.model_size = graph->tensors[weights].data_size;
    cr_assert_eq(nnrt__compile(graph, NULL, &options, &b->memory, &b->block, &b->size), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
}

/* Loads and runs the block; false when it is refused. in and out are copied to and from blocks of exactly
   that size. kind, when not NULL, is part of the name of the first step. */
static bool bare_run(const bare *b, const gb_graph *g, uint32_t weights, const char *kind, gb_io in, gb_io out) {
    const nnrt_tensor_info *tensor = &g->model->store->graph.tensors[weights];
    nnrt__loaded_plan plan;
    nnrt__instance instance;
    void *input, *output;
    int32_t cancel = 0;
    if (nnrt__plan_load(&plan, b->block, b->size, &b->kernels, tensor->data_size, &no_bounds, 0) != OH_NN_SUCCESS)
        return false;
    if (kind != NULL) cr_assert_not_null(strstr(plan.kinds[0]->name, kind), "%s is not %s", plan.kinds[0]->name, kind);
    cr_assert_eq(nnrt__instance_open(&instance, &plan, (const uint8_t *)tensor->data, NULL), OH_NN_SUCCESS);
    input = malloc(in.size);
    output = malloc(out.size);
    memcpy(input, in.data, in.size);
    nnrt__instance_bind(&instance, &input, &output);
    cr_assert_eq(nnrt__instance_run(&instance, NULL, &output, false, &cancel, NULL), OH_NN_SUCCESS);
    memcpy(out.data, output, out.size);
    free(input);
    free(output);
    nnrt__instance_close(&instance);
    nnrt__plan_unload(&plan);
    return true;
}

/* Every word of the arguments of a sound plan replaced: it is refused, or it runs inside its buffers. */
static void bare_attack(const bare *b, const gb_graph *g, uint32_t weights, gb_io in, gb_io out) {
    static const int32_t values[] = {0, 1, 2, 3, -1, -2, 127, 128, 32768, 65536, 0x40000000, INT32_MAX, INT32_MIN};
    const nnrt__plan_header *header = (const nnrt__plan_header *)(const void *)b->block;
    uint8_t *arguments = b->block + header->arguments;
    for (size_t at = 0; at + 4 <= header->arguments_size; at += 4)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            int32_t kept;
            memcpy(&kept, arguments + at, 4);
            memcpy(arguments + at, &values[i], 4);
            (void)bare_run(b, g, weights, NULL, in, out);
            memcpy(arguments + at, &kept, 4);
        }
    cr_assert(bare_run(b, g, weights, NULL, in, out), "%s", nnrt_last_error());
}

/* Builds, runs and closes g in one of the ways. raw: the weights can stay where they are.
   attack: hostile plans, too. */
static void run_and_close(gb_graph *g, size_t way, uint32_t weights, bool raw, bool attack, gb_io in, gb_io out) {
    if (way < WAY_BARE) {
        cr_assert_eq(gb_build(g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_eq(gb_run(g, in, out), OH_NN_SUCCESS, "%s", nnrt_last_error());
    } else {
        bare b;
        bare_compile(&b, g, weights, way == WAY_IN_PLACE);
        cr_assert(bare_run(&b, g, weights, raw && way == WAY_IN_PLACE ? "_raw_" : NULL, in, out), "%s",
                  nnrt_last_error());
        if (attack) bare_attack(&b, g, weights, in, out);
        nnrt__free(b.memory);
    }
    gb_close(g);
}

static void pair(gb_graph *g, OH_NN_TensorType type, int32_t a, int32_t b) {
    int64_t list[2];
    list[0] = a;
    list[1] = b;
    gb_param_i64s(g, type, 2, list);
}

static void pad_list(gb_graph *g, OH_NN_TensorType type, const int32_t *pad) {
    int64_t list[4];
    for (int i = 0; i < 4; i++) list[i] = pad[i];
    gb_param_i64s(g, type, 4, list);
}

static void conv_params(gb_graph *g, const shape *s, bool depthwise, int activation) {
    pair(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, s->sh, s->sw);
    pair(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION : OH_NN_CONV2D_DILATION, s->dh, s->dw);
    if (s->same) gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, 0);
    else pad_list(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, s->pad);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                activation);
    if (!depthwise) gb_param_i64(g, OH_NN_CONV2D_GROUP, s->group);
}

static void check_conv(const shape *s, int type, bool depthwise, bool per_channel, int activation) {
    const int32_t in_dims[4] = {s->n, s->h, s->w, s->ic}, w_dims[4] = {s->oc, s->kh, s->kw, s->ic / s->group};
    const int32_t b_dims[1] = {s->oc}, out_dims[4] = {s->n, s->oh, s->ow, s->oc};
    const size_t in_count = gb_bytes(OH_NN_INT8, 4, in_dims), w_count = gb_bytes(OH_NN_INT8, 4, w_dims);
    const size_t out_count = gb_bytes(OH_NN_INT8, 4, out_dims), oc = (size_t)s->oc;
    const bool s8_in = type == TYPE_S8, s8_weights = type != TYPE_F32;
    const int32_t in_zero = s8_in ? noise_in(-128, 127) : 0, out_zero = noise_in(-128, 127);
    const double in_scale = 0.031, out_scale = 0.4;
    int8_t *in8 = (int8_t *)malloc(in_count), *w8 = (int8_t *)malloc(w_count), *out8 = (int8_t *)malloc(out_count);
    float *in32 = (float *)malloc(in_count * 4), *w32 = (float *)malloc(w_count * 4);
    float *out32 = (float *)malloc(out_count * 4), *bias32 = (float *)malloc(oc * 4);
    int32_t *bias = (int32_t *)malloc(oc * 4);
    double *in = (double *)malloc(in_count * 8), *w = (double *)malloc(w_count * 8);
    double *scales = (double *)malloc(oc * 8);
    const bool attack = noise_in(0, 9) == 0;
    for (size_t i = 0; i < oc; i++) {
        scales[i] = (double)(float)(0.002 + noise_in(0, 1000) * 1e-5);
        bias[i] = noise_in(-2000, 2000);
        bias32[i] = (float)noise_in(-1000, 1000) / 300.0f;
    }
    for (size_t i = 0; i < in_count; i++) {
        in8[i] = (int8_t)noise_in(-128, 127);
        in32[i] = (float)noise_in(-1000, 1000) / 500.0f;
        in[i] = s8_in ? in8[i] - in_zero : (double)in32[i];
    }
    for (size_t i = 0; i < w_count; i++) {
        w8[i] = (int8_t)noise_in(-127, 127);
        w32[i] = (float)noise_in(-1000, 1000) / 500.0f;
        w[i] = s8_weights ? w8[i] : (double)w32[i];
    }
    for (size_t way = 0; way < WAYS; way++) {
        gb_graph g;
        uint32_t inputs[3], output;
        gb_open(&g);
        g.isa = ways[way].isa;
        g.threads = ways[way].threads;
        g.performance = ways[way].performance;
        inputs[0] = gb_input(&g, s8_in ? gb_tensor_s8(&g, 4, in_dims, in_scale, in_zero)
                                       : gb_tensor(&g, OH_NN_FLOAT32, 4, in_dims));
        inputs[1] =
            gb_constant(&g, s8_weights ? OH_NN_INT8 : OH_NN_FLOAT32, 4, w_dims, s8_weights ? (void *)w8 : (void *)w32);
        if (s8_weights) gb_quantize(&g, inputs[1], per_channel ? oc : 1, scales, NULL);
        inputs[2] =
            gb_constant(&g, s8_in ? OH_NN_INT32 : OH_NN_FLOAT32, 1, b_dims, s8_in ? (void *)bias : (void *)bias32);
        output = gb_output(&g, s8_in ? gb_tensor_s8(&g, 4, out_dims, out_scale, out_zero)
                                     : gb_tensor(&g, OH_NN_FLOAT32, 4, out_dims));
        conv_params(&g, s, depthwise, activation);
        cr_assert_eq(gb_op(&g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, inputs, 1, &output),
                     OH_NN_SUCCESS, "%s", nnrt_last_error());
        run_and_close(&g, way, inputs[1], type != TYPE_HYBRID && (s->group == 1 || s->group < s->ic), attack,
                      s8_in ? gb_buffer(in8, in_count) : gb_buffer(in32, in_count * 4),
                      s8_in ? gb_buffer(out8, out_count) : gb_buffer(out32, out_count * 4));
        for (size_t i = 0; i < out_count; i++) {
            const int32_t o = (int32_t)(i % oc), x = (int32_t)(i / oc) % s->ow, y = (int32_t)(i / oc) / s->ow % s->oh;
            const double sum = convolve(s, in, w, (int32_t)(i / oc) / s->ow / s->oh, y, x, o);
            const double scale = scales[per_channel ? o : 0];
            if (s8_in) {
                const int8_t want = to_s8(rescale((int64_t)sum + bias[o], in_scale * scale / out_scale), out_zero,
                                          out_scale, activation);
                cr_assert_eq(out8[i], want, "%s way %zu [%zu]: %d, not %d", describe(s), way, i, out8[i], want);
            } else {
                const double want = activate((s8_weights ? sum * scale : sum) + (double)bias32[o], activation);
                /* int8 activations are off by half of 2/127 each */
                const double bound =
                    s8_weights ? (double)(s->kh * s->kw * s->ic / s->group) * 0.5 * 2 / 127 * 127 * scale : 1e-4;
                cr_assert(fabs((double)out32[i] - want) <= bound + 1e-4, "%s way %zu [%zu]: %g, not %g", describe(s),
                          way, i, (double)out32[i], want);
            }
        }
    }
    free(in8);
    free(w8);
    free(out8);
    free(in32);
    free(w32);
    free(out32);
    free(bias32);
    free(bias);
    free(in);
    free(w);
    free(scales);
}

static shape draw(int32_t group_kind) {
    shape s;
    memset(&s, 0, sizeof s);
    do {
        s.n = noise_in(1, 2);
        s.h = noise_in(1, 11);
        s.w = noise_in(1, 13);
        s.kh = noise_in(1, 4);
        s.kw = noise_in(1, 4);
        s.sh = noise_in(1, 3);
        s.sw = noise_in(1, 3);
        s.dh = noise_in(0, 2) == 0 ? 2 : 1;
        s.dw = noise_in(0, 2) == 0 ? 2 : 1;
        s.same = noise_in(0, 1) == 1;
        for (int i = 0; i < 4; i++) s.pad[i] = s.same ? 0 : noise_in(0, 3);
        s.ic = noise_in(1, 19);
        s.oc = noise_in(1, 37);
        s.group = 1;
        if (group_kind == 1) { /* groups */
            s.group = noise_in(2, 3);
            s.ic = s.group * noise_in(1, 5);
            s.oc = s.group * noise_in(1, 9);
        } else if (group_kind >= 2) { /* depthwise, multiplier group_kind - 1 */
            s.group = s.ic;
            s.oc = s.ic * (group_kind - 1);
        }
        resolve(&s);
    } while (s.oh < 1 || s.ow < 1);
    return s;
}

Test(conv, int8_is_the_reference_byte_for_byte, .timeout = 300) {
    for (int i = 0; i < 60; i++) {
        const shape s = draw(i % 3 == 2 ? 1 : 0);
        check_conv(&s, TYPE_S8, false, i % 2 == 0, i % 5 == 0 ? 1 : i % 5 == 1 ? 2 : 0);
    }
}

Test(conv, one_pixel_kernels_read_nothing_behind_the_input, .timeout = 300) {
    for (int32_t ic = 1; ic <= 33; ic++) {
        shape s;
        memset(&s, 0, sizeof s);
        s.n = s.kh = s.kw = s.sh = s.sw = s.dh = s.dw = s.group = 1;
        s.h = 3;
        s.w = noise_in(1, 9);
        s.ic = ic;
        s.oc = noise_in(1, 20);
        resolve(&s);
        check_conv(&s, TYPE_S8, false, true, 0);
        check_conv(&s, TYPE_F32, false, false, 0);
    }
}

Test(conv, float_is_the_reference, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        const shape s = draw(i % 3 == 2 ? 1 : 0);
        check_conv(&s, TYPE_F32, false, false, i % 3);
    }
}

Test(conv, int8_weights_under_float_activations_stay_near_the_reference, .timeout = 300) {
    for (int i = 0; i < 30; i++) {
        const shape s = draw(i % 3);
        check_conv(&s, TYPE_HYBRID, s.group == s.ic && i % 3 == 2, i % 2 == 0, 0);
    }
}

Test(depthwise, int8_is_the_reference_byte_for_byte, .timeout = 300) {
    for (int i = 0; i < 50; i++) {
        const shape s = draw(2 + i % 3);
        check_conv(&s, TYPE_S8, true, i % 2 == 0, i % 3);
    }
}

Test(depthwise, float_is_the_reference, .timeout = 300) {
    for (int i = 0; i < 30; i++) {
        const shape s = draw(2 + i % 3);
        check_conv(&s, TYPE_F32, true, false, i % 3);
    }
}

Test(depthwise, one_input_channel_with_many_filters, .timeout = 300) {
    for (int i = 0; i < 10; i++) {
        shape s = draw(2);
        s.ic = s.group = 1;
        s.oc = noise_in(1, 20);
        check_conv(&s, TYPE_S8, true, true, 0);
        check_conv(&s, TYPE_F32, true, false, 0);
    }
}

/* ---------------------------------------------------------------------------------------- full connection */

Test(full_connection, int8_is_the_reference_with_the_float_product_of_scales, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        const int32_t rows = noise_in(1, 6), k = noise_in(1, 300), n = noise_in(1, 70);
        const int32_t in_dims[3] = {rows, 1, k}, w_dims[2] = {n, k}, b_dims[1] = {n};
        const int32_t out_dims[3] = {rows, 1, n};
        const bool use_axis = i % 2 == 1, with_bias = i % 3 != 0, per_channel = i % 4 == 3;
        const double in_scale = (double)(float)(0.01 + noise_in(1, 99) * 1e-5), out_scale = (double)0.7f;
        const int32_t in_zero = noise_in(-128, 127), out_zero = noise_in(-128, 127);
        int8_t *in = (int8_t *)malloc((size_t)(rows * k)), *w = (int8_t *)malloc((size_t)(n * k));
        int8_t *out = (int8_t *)malloc((size_t)(rows * n));
        int32_t *bias = (int32_t *)malloc((size_t)n * 4);
        double *scales = (double *)malloc((size_t)n * 8);
        for (int32_t j = 0; j < rows * k; j++) in[j] = (int8_t)noise_in(-128, 127);
        for (int32_t j = 0; j < n * k; j++) w[j] = (int8_t)noise_in(-127, 127);
        for (int32_t j = 0; j < n; j++) bias[j] = noise_in(-9000, 9000);
        for (int32_t j = 0; j < n; j++) scales[j] = (double)(float)(0.004 + noise_in(0, 999) * 1e-6);
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[3], output;
            gb_open(&g);
            g.isa = ways[way].isa;
            g.threads = ways[way].threads;
            g.performance = ways[way].performance;
            inputs[0] = gb_input(&g, gb_tensor_s8(&g, 3, in_dims, in_scale, in_zero));
            inputs[1] =
                gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), per_channel ? (size_t)n : 1, scales, NULL);
            inputs[2] = gb_constant(&g, OH_NN_INT32, 1, b_dims, bias);
            if (use_axis) {
                output = gb_output(&g, gb_tensor_s8(&g, 3, out_dims, out_scale, out_zero));
                gb_param_i64(&g, OH_NN_FULL_CONNECTION_AXIS, 2);
            } else {
                const int32_t flat[2] = {rows, n};
                output = gb_output(&g, gb_tensor_s8(&g, 2, flat, out_scale, out_zero));
            }
            gb_param_bool(&g, OH_NN_FULL_CONNECTION_HAS_BIAS, with_bias);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, with_bias ? 3 : 2, inputs, 1, &output), OH_NN_SUCCESS,
                         "%s", nnrt_last_error());
            run_and_close(&g, way, inputs[1], true, i % 10 == 0, gb_buffer(in, (size_t)(rows * k)),
                          gb_buffer(out, (size_t)(rows * n)));
            for (int32_t j = 0; j < rows * n; j++) {
                int64_t sum = with_bias ? bias[j % n] : 0;
                const float product = (float)in_scale * (float)scales[0];
                const double factor = per_channel ? in_scale * scales[j % n] / out_scale : (double)product / out_scale;
                int8_t want;
                for (int32_t t = 0; t < k; t++) sum += (int64_t)(in[j / n * k + t] - in_zero) * w[j % n * k + t];
                want = to_s8(rescale(sum, factor), out_zero, out_scale, 0);
                cr_assert_eq(out[j], want, "seed %u rows %d k %d n %d way %zu [%d]: %d, not %d", SEED, rows, k, n, way,
                             j, out[j], want);
            }
        }
        free(in);
        free(w);
        free(out);
        free(bias);
        free(scales);
    }
}

/* Every row has a scale of its own, also where rows are not the first dimension. */
Test(full_connection, int8_weights_under_float_rows_stay_near_the_reference) {
    static const int32_t in_dims[3] = {2, 3, 16}, w_dims[2] = {4, 16}, out_dims[3] = {2, 3, 4};
    static const char *const threads[2] = {"1", "3"};
    const double scale = 0.01;
    float in[6 * 16], out[6 * 4], bias[4];
    int8_t w[4 * 16];
    int round, i, k;
    for (round = 0; round < 2; round++) {
        gb_graph g;
        uint32_t inputs[3], output;
        for (i = 0; i < 64; i++) w[i] = (int8_t)noise_in(-127, 127);
        for (i = 0; i < 96; i++) in[i] = (float)noise_in(-1000, 1000) / 1000.0f * (float)(1 << 2 * (i / 16));
        for (i = 0; i < 4; i++) bias[i] = (float)noise_in(-100, 100) / 300.0f;
        gb_open(&g);
        g.threads = threads[round];
        inputs[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, in_dims));
        inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), 1, &scale, NULL);
        inputs[2] = gb_constant(&g, OH_NN_FLOAT32, 1, w_dims, bias);
        output = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 3, out_dims));
        gb_param_i64(&g, OH_NN_FULL_CONNECTION_AXIS, 2);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, inputs, 1, &output), OH_NN_SUCCESS);
        cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_eq(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out)), OH_NN_SUCCESS);
        for (i = 0; i < 24; i++) {
            /* of a row up to 4^row, each value is off by half of a 127th */
            const double bound = 16 * 0.5 / 127 * (double)(1 << 2 * (i / 4)) * 127 * scale;
            double sum = (double)bias[i % 4];
            for (k = 0; k < 16; k++) sum += (double)in[i / 4 * 16 + k] * w[i % 4 * 16 + k] * scale;
            cr_assert(fabs((double)out[i] - sum) <= bound, "[%d]: %g, not %g", i, (double)out[i], sum);
        }
        gb_close(&g);
    }
}

/* -------------------------------------------------------------------------------------------------- pools */

static void check_pool(bool average, bool s8, bool rescaled, int activation, bool ceiling, bool global) {
    shape s = draw(2);
    const double in_scale = 0.05, out_scale = rescaled ? 0.04 : 0.05;
    const int32_t in_zero = noise_in(-128, 127), out_zero = rescaled ? noise_in(-128, 127) : in_zero;
    s.dh = s.dw = 1;
    if (s.same) memset(s.pad, 0, sizeof s.pad);
    resolve(&s);
    if (!s.same) {
        const int32_t room_h = s.h + s.pad[0] + s.pad[1] - s.kh, room_w = s.w + s.pad[2] + s.pad[3] - s.kw;
        s.oh = room_h < 0 ? 1 : (room_h + (ceiling ? s.sh - 1 : 0)) / s.sh + 1;
        s.ow = room_w < 0 ? 1 : (room_w + (ceiling ? s.sw - 1 : 0)) / s.sw + 1;
    }
    if (global) {
        s.kh = s.h;
        s.kw = s.w;
        s.oh = s.ow = s.sh = s.sw = 1;
        memset(s.pad, 0, sizeof s.pad);
    }
    {
        const int32_t in_dims[4] = {s.n, s.h, s.w, s.ic}, out_dims[4] = {s.n, s.oh, s.ow, s.ic};
        const size_t in_count = gb_bytes(OH_NN_INT8, 4, in_dims), out_count = gb_bytes(OH_NN_INT8, 4, out_dims);
        int8_t *in8 = (int8_t *)malloc(in_count), *out8 = (int8_t *)malloc(out_count);
        float *in32 = (float *)malloc(in_count * 4), *out32 = (float *)malloc(out_count * 4);
        gb_graph g;
        uint32_t input, output;
        for (size_t i = 0; i < in_count; i++) {
            in8[i] = (int8_t)noise_in(-128, 127);
            in32[i] = (float)noise_in(-3000, 3000) / 256.0f;
        }
        gb_open(&g);
        input = gb_input(&g, s8 ? gb_tensor_s8(&g, 4, in_dims, in_scale, in_zero)
                                : gb_tensor(&g, OH_NN_FLOAT32, 4, in_dims));
        output = gb_output(&g, s8 ? gb_tensor_s8(&g, 4, out_dims, out_scale, out_zero)
                                  : gb_tensor(&g, OH_NN_FLOAT32, 4, out_dims));
        if (global) {
            gb_param_bool(&g, average ? OH_NN_AVG_POOL_GLOBAL : OH_NN_MAX_POOL_GLOBAL, true);
        } else {
            pair(&g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, s.kh, s.kw);
            pair(&g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, s.sh, s.sw);
            if (s.same) gb_param_i8(&g, average ? OH_NN_AVG_POOL_PAD_MODE : OH_NN_MAX_POOL_PAD_MODE, 0);
            else pad_list(&g, average ? OH_NN_AVG_POOL_PAD : OH_NN_MAX_POOL_PAD, s.pad);
            gb_param_i32(&g, average ? OH_NN_AVG_POOL_ROUND_MODE : OH_NN_MAX_POOL_ROUND_MODE, ceiling ? 1 : 0);
        }
        gb_param_i8(&g, average ? OH_NN_AVG_POOL_ACTIVATION_TYPE : OH_NN_MAX_POOL_ACTIVATION_TYPE, activation);
        cr_assert_eq(gb_op(&g, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &input, 1, &output), OH_NN_SUCCESS,
                     "%s", nnrt_last_error());
        run_and_close(&g, noise_in(0, 1) == 0 ? 0 : WAY_BARE, input, false, noise_in(0, 7) == 0,
                      s8 ? gb_buffer(in8, in_count) : gb_buffer(in32, in_count * 4),
                      s8 ? gb_buffer(out8, out_count) : gb_buffer(out32, out_count * 4));
        for (size_t i = 0; i < out_count; i++) {
            const int32_t c = (int32_t)i % s.ic, x = (int32_t)i / s.ic % s.ow, y = (int32_t)i / s.ic / s.ow % s.oh;
            const int32_t b = (int32_t)i / s.ic / s.ow / s.oh;
            int64_t count = 0, sum8 = 0, most8 = -128, value;
            double sum = 0, most = -3.402823466e38;
            for (int32_t ky = 0; ky < s.kh; ky++)
                for (int32_t kx = 0; kx < s.kw; kx++) {
                    const int32_t iy = y * s.sh - s.pad[0] + ky, ix = x * s.sw - s.pad[2] + kx;
                    const int32_t at = ((b * s.h + iy) * s.w + ix) * s.ic + c;
                    if (iy < 0 || iy >= s.h || ix < 0 || ix >= s.w) continue;
                    count++;
                    sum8 += in8[at];
                    sum += (double)in32[at];
                    if (in8[at] > most8) most8 = in8[at];
                    if ((double)in32[at] > most) most = (double)in32[at];
                }
            if (s8) {
                int8_t want;
                if (count == 0) {
                    value = average ? 0 : -128 - out_zero;
                } else {
                    value = average ? (sum8 >= 0 ? (sum8 + count / 2) / count : -((-sum8 + count / 2) / count)) : most8;
                    value = rescaled ? rescale(value - in_zero, in_scale / out_scale) : value - in_zero;
                }
                want = to_s8(value, out_zero, out_scale, activation);
                cr_assert_eq(out8[i], want, "%s [%zu]: %d, not %d", describe(&s), i, out8[i], want);
            } else {
                const double want = activate(average ? (count != 0 ? sum / (double)count : 0) : most, activation);
                cr_assert(fabs((double)out32[i] - want) <= 1e-5 * (1 + fabs(want)), "%s [%zu]: %g, not %g",
                          describe(&s), i, (double)out32[i], want);
            }
        }
        free(in8);
        free(out8);
        free(in32);
        free(out32);
    }
}

Test(pool, windows_are_clipped_to_the_input, .timeout = 300) {
    for (int i = 0; i < 96; i++) check_pool(i % 2 == 0, i / 2 % 2 == 0, false, i / 4 % 3, i / 12 % 2 == 0, i / 24 == 3);
}

Test(pool, another_quantization_of_the_output_is_rescaled, .timeout = 300) {
    for (int i = 0; i < 24; i++) check_pool(i % 2 == 0, true, true, i / 4 % 3, false, false);
}

/* ------------------------------------------------------------------------------------- transposed
   convolution */

static void check_transpose(bool s8, bool inputs_first, int32_t group) {
    const int32_t ic = group * noise_in(1, 4), n = noise_in(1, 2), h = noise_in(1, 5), w = noise_in(1, 5);
    const int32_t oc = group * (ic / group + 1 + noise_in(0, 2)); /* not ic: the layouts stay apart */
    const int32_t kh = noise_in(1, 4), kw = noise_in(1, 4), sh = noise_in(1, 3), sw = noise_in(1, 3);
    const int32_t dh = noise_in(1, 2), dw = noise_in(1, 2), eh = noise_in(0, sh - 1), ew = noise_in(0, sw - 1);
    const int32_t fh = (h - 1) * sh + (kh - 1) * dh + 1, fw = (w - 1) * sw + (kw - 1) * dw + 1;
    const bool same = noise_in(0, 1) == 1;
    const int32_t oh = same ? h * sh + eh : fh + eh, ow = same ? w * sw + ew : fw + ew;
    const int32_t pt = same ? (fh - oh) / 2 : 0, pl = same ? (fw - ow) / 2 : 0;
    const int32_t in_dims[4] = {n, h, w, ic}, out_dims[4] = {n, oh, ow, oc}, b_dims[1] = {oc};
    const int32_t w_dims[4] = {inputs_first ? ic : oc, kh, kw, inputs_first ? oc / group : ic / group};
    const size_t in_count = gb_bytes(OH_NN_INT8, 4, in_dims), w_count = gb_bytes(OH_NN_INT8, 4, w_dims);
    const size_t out_count = gb_bytes(OH_NN_INT8, 4, out_dims);
    const int32_t cg = ic / group, og = oc / group, in_zero = s8 ? 7 : 0, out_zero = -3, way = noise_in(0, 2);
    const double in_scale = 0.03, w_scale = 0.006, out_scale = 0.1;
    int8_t *in8 = (int8_t *)malloc(in_count), *w8 = (int8_t *)malloc(w_count), *out8 = (int8_t *)malloc(out_count);
    float *in32 = (float *)malloc(in_count * 4), *w32 = (float *)malloc(w_count * 4);
    float *out32 = (float *)malloc(out_count * 4);
    double *sums = (double *)calloc(out_count, 8);
    int32_t bias[64];
    float bias32[64];
    gb_graph g;
    uint32_t inputs[3], output;
    for (size_t i = 0; i < in_count; i++) in8[i] = (int8_t)noise_in(-128, 127), in32[i] = (float)in8[i] / 50.0f;
    for (size_t i = 0; i < w_count; i++) w8[i] = (int8_t)noise_in(-127, 127), w32[i] = (float)w8[i] / 70.0f;
    for (int32_t o = 0; o < oc; o++) bias[o] = noise_in(-500, 500), bias32[o] = (float)bias[o] / 99.0f;
    for (int32_t b = 0; b < n; b++) /* the definition: every input value scatters */
        for (int32_t at = 0; at < h * w * kh * kw; at++) {
            const int32_t j = at % kw, i = at / kw % kh, x = at / kw / kh % w, y = at / kw / kh / w;
            const int32_t oy = y * sh - pt + i * dh, ox = x * sw - pl + j * dw;
            if (oy < 0 || oy >= oh || ox < 0 || ox >= ow) continue;
            for (int32_t o = 0; o < oc; o++)
                for (int32_t c = 0; c < cg; c++) {
                    const int32_t from = o / og * cg + c;
                    const int32_t wi =
                        inputs_first ? ((from * kh + i) * kw + j) * og + o % og : ((o * kh + i) * kw + j) * cg + c;
                    const int32_t ii = ((b * h + y) * w + x) * ic + from;
                    sums[((b * oh + oy) * ow + ox) * oc + o] +=
                        s8 ? (double)((in8[ii] - in_zero) * w8[wi]) : (double)in32[ii] * (double)w32[wi];
                }
        }
    gb_open(&g);
    inputs[0] =
        gb_input(&g, s8 ? gb_tensor_s8(&g, 4, in_dims, in_scale, in_zero) : gb_tensor(&g, OH_NN_FLOAT32, 4, in_dims));
    inputs[1] = gb_constant(&g, s8 ? OH_NN_INT8 : OH_NN_FLOAT32, 4, w_dims, s8 ? (void *)w8 : (void *)w32);
    if (s8) gb_quantize(&g, inputs[1], 1, &w_scale, NULL);
    inputs[2] = gb_constant(&g, s8 ? OH_NN_INT32 : OH_NN_FLOAT32, 1, b_dims, s8 ? (void *)bias : (void *)bias32);
    output = gb_output(&g, s8 ? gb_tensor_s8(&g, 4, out_dims, out_scale, out_zero)
                              : gb_tensor(&g, OH_NN_FLOAT32, 4, out_dims));
    pair(&g, OH_NN_CONV2D_TRANSPOSE_STRIDES, sh, sw);
    pair(&g, OH_NN_CONV2D_TRANSPOSE_DILATION, dh, dw);
    pair(&g, OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, eh, ew);
    gb_param_i8(&g, OH_NN_CONV2D_TRANSPOSE_PAD_MODE, same ? 0 : 1);
    gb_param_i64(&g, OH_NN_CONV2D_TRANSPOSE_GROUP, group);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D_TRANSPOSE, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g,
                  way == 0   ? 0
                  : way == 1 ? WAY_BARE
                             : WAY_IN_PLACE,
                  inputs[1], false, noise_in(0, 7) == 0, s8 ? gb_buffer(in8, in_count) : gb_buffer(in32, in_count * 4),
                  s8 ? gb_buffer(out8, out_count) : gb_buffer(out32, out_count * 4));
    for (size_t i = 0; i < out_count; i++) {
        const size_t o = i % (size_t)oc;
        if (s8) {
            const int8_t want =
                to_s8(rescale((int64_t)sums[i] + bias[o], in_scale * w_scale / out_scale), out_zero, out_scale, 0);
            cr_assert_eq(out8[i], want, "seed %u [%zu]: %d, not %d", SEED, i, out8[i], want);
        } else {
            cr_assert(fabs((double)out32[i] - sums[i] - (double)bias32[o]) < 1e-3, "seed %u [%zu]", SEED, i);
        }
    }
    free(in8);
    free(w8);
    free(out8);
    free(in32);
    free(w32);
    free(out32);
    free(sums);
}

Test(conv_transpose, scatters_in_both_layouts_of_the_weights, .timeout = 300) {
    for (int i = 0; i < 192; i++) check_transpose(i % 2 == 0, i / 2 % 2 == 0, i / 4 % 2 == 0 ? 1 : 2);
}

/* ----------------------------------------------------------------------------------------------- refusals */

/* Builds a float convolution of a [1, 5, 5, 4] input with [6, 3, 3, 4] weights, changed by `what`, and
   returns Build's code. */
static OH_NN_ReturnCode refused(int what) {
    static const float zeros[6 * 9 * 4];
    const int32_t in_dims[4] = {1, 5, 5, what == 1 ? 5 : 4}, w_dims[4] = {6, 3, 3, 4}, b_dims[1] = {what == 2 ? 5 : 6};
    const int32_t out_dims[4] = {1, what == 3 ? 4 : 3, 3, 6};
    const OH_NN_DataType dtype = what == 4 ? OH_NN_UINT8 : OH_NN_FLOAT32;
    gb_graph g;
    uint32_t inputs[3], output;
    OH_NN_ReturnCode code;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor(&g, dtype, 4, in_dims));
    inputs[1] = what == 5 ? gb_input(&g, gb_tensor(&g, dtype, 4, w_dims)) : gb_constant(&g, dtype, 4, w_dims, zeros);
    inputs[2] = gb_constant(&g, dtype, 1, b_dims, zeros);
    output = gb_output(&g, gb_tensor(&g, dtype, 4, out_dims));
    if (what != 6) pair(&g, OH_NN_CONV2D_STRIDES, 1, 1);
    if (what == 7) pair(&g, OH_NN_CONV2D_DILATION, 3, 1);
    if (what == 8) gb_param_i64(&g, OH_NN_CONV2D_GROUP, 3);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    code = gb_build(&g);
    gb_close(&g);
    return code;
}

Test(conv, what_cannot_be_is_refused_with_a_sentence) {
    cr_assert_eq(refused(0), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (int what = 1; what <= 8; what++) {
        cr_assert_neq(refused(what), OH_NN_SUCCESS, "case %d", what);
        cr_assert(strstr(nnrt_last_error(), "CONV2D") != NULL, "case %d: %s", what, nnrt_last_error());
    }
}
