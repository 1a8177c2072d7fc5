/* SPDX-License-Identifier: Apache-2.0 */
/* test_conv_kinds.c - convolutions of every kind: transposed ones by their phases, depthwise ones with a multiplier,
   those in groups, dense ones of whole rows. Against the definition in plain loops, for int8, float32 and int16
   activations, on every instruction set of the machine, on several threads and with the weights left as they are.
   Integers are compared by their bytes. */
#include "linked.h"

#include "graph_builder.h"

#define SEED 20261125u

#include "int16_reference.h"

typedef enum type {
    S8,
    F32,
    S16,
    TYPES
} type;

/* A convolution of in_c to out_c channels, dense or in groups; depthwise: as DEPTHWISE_CONV2D_NATIVE. */
typedef struct shape {
    OH_NN_OperationType op;
    int32_t n, h, w, in_c, out_c, kh, kw, sh, sw, dh, dw, group;
    int32_t pad[4];           /* top, bottom, left, right */
    int32_t extra_h, extra_w; /* output paddings of a transposed one */
    int32_t oh, ow;
} shape;

static const char *const type_names[TYPES] = {"int8", "float32", "int16"};

static const char *describe(const shape *s, type t) {
    static char text[240];
    snprintf(text, sizeof text,
             "seed %u: %s operator %d, in %dx%dx%dx%d, out %dx%dx%d, kernel %dx%d, stride %d,%d, dilation %d,%d, group "
             "%d, pad %d,%d,%d,%d",
             SEED, type_names[t], (int)s->op, s->n, s->h, s->w, s->in_c, s->oh, s->ow, s->out_c, s->kh, s->kw, s->sh,
             s->sw, s->dh, s->dw, s->group, s->pad[0], s->pad[1], s->pad[2], s->pad[3]);
    return text;
}

/* Sets the size of the output; false: there is none. */
static bool resolve(shape *s) {
    const int32_t reach_h = (s->kh - 1) * s->dh + 1, reach_w = (s->kw - 1) * s->dw + 1;
    if (s->op == OH_NN_OPS_CONV2D_TRANSPOSE) {
        s->oh = (s->h - 1) * s->sh + reach_h - s->pad[0] - s->pad[1] + s->extra_h;
        s->ow = (s->w - 1) * s->sw + reach_w - s->pad[2] - s->pad[3] + s->extra_w;
        return s->oh > 0 && s->ow > 0;
    }
    if (s->h + s->pad[0] + s->pad[1] < reach_h || s->w + s->pad[2] + s->pad[3] < reach_w) return false;
    s->oh = (s->h + s->pad[0] + s->pad[1] - reach_h) / s->sh + 1;
    s->ow = (s->w + s->pad[2] + s->pad[3] - reach_w) / s->sw + 1;
    return true;
}

/* nnrt__geometry_check as its sentence has it. */
static bool geometry_is_right(const nnrt__geometry *g, const int32_t out[2], int64_t most_taps) {
    const int32_t kernel[2] = {g->kernel_h, g->kernel_w}, stride[2] = {g->stride_h, g->stride_w};
    const int32_t dilation[2] = {g->dilation_h, g->dilation_w}, pad[2] = {g->pad_top, g->pad_left};
    int i;
    for (i = 0; i < 2; i++) {
        if (kernel[i] < 1 || stride[i] < 1 || stride[i] > 32768 || dilation[i] < 1 || dilation[i] > 32768) return false;
        if (pad[i] < -1000000000 || pad[i] > 1000000000) return false;
        if (kernel[i] > 1000000000 ||
            (int64_t)(out[i] - 1) * stride[i] + (int64_t)(kernel[i] - 1) * dilation[i] > 1000000000)
            return false;
    }
    return (int64_t)kernel[0] * kernel[1] <= most_taps;
}

Test(conv_kinds, a_geometry_is_refused_where_a_coordinate_or_a_product_is_too_large) {
    static const int32_t values[] = {
        INT32_MIN, INT32_MIN + 1, -1000000001, -1000000000, -1,         0,          1,        2,       3,
        1023,      1024,          1025,        32767,       32768,      32769,      65536,    1 << 20, (1 << 20) + 1,
        1 << 23,   (1 << 23) + 1, 1 << 30,     999999999,   1000000000, 1000000001, INT32_MAX};
    static const int32_t most[] = {NNRT__TAPS_MAX, NNRT__POOL_TAPS_MAX};
    size_t accepted = 0, round;
    for (round = 0; round < 400000; round++) {
        int32_t fields[10]; /* those of the geometry, and the size */
        nnrt__geometry g;
        size_t changes = noise() % 4, i;
        for (i = 0; i < 10; i++) fields[i] = i < 6 || i > 7 ? 1 + (int32_t)(noise() % 3) : 0;
        for (i = 0; i < changes; i++) fields[noise() % 10] = values[noise() % NNRT__COUNT_OF(values)];
        memcpy(&g, fields, sizeof g);
        if (fields[8] < 1 || fields[9] < 1) continue; /* no tensor has such a size */
        i = noise() % 2;
        cr_assert_eq(nnrt__geometry_check(&g, fields[8], fields[9], (uint32_t)most[i]),
                     geometry_is_right(&g, fields + 8, most[i]), "seed %u, round %zu", SEED, round);
        accepted += nnrt__geometry_check(&g, fields[8], fields[9], (uint32_t)most[i]);
    }
    cr_assert(accepted > 100000 && accepted < 300000, "%zu", accepted);
}

/* Everything of one convolution. Values are whole numbers; floats are these, scaled. */
typedef struct data {
    size_t in_count, w_count, out_count;
    int8_t *w;
    int32_t *in, *bias;
    int64_t *sums; /* without bias */
    float *in32, *w32, *bias32, *out32;
    int8_t *in8, *out8;
    int16_t *in16, *out16;
    int64_t *bias64;
    double *scales;
    int32_t in_zero, out_zero;
} data;

static const double in_scale = 0.031, out_scale = 0.4;

/* Index of a weight, [out_c][kh][kw][in_c / group]. */
static size_t weight_at(const shape *s, int32_t o, int32_t i, int32_t j, int32_t c) {
    return (size_t)(((o * s->kh + i) * s->kw + j) * (s->in_c / s->group) + c);
}

/* Adds what tap (i, j) contributes from input pixel (b, y, x) to output pixel (b, oy, ox). */
static void add_tap(const shape *s, data *d, int32_t b, int32_t y, int32_t x, int32_t oy, int32_t ox, int32_t i,
                    int32_t j) {
    const int32_t run = s->in_c / s->group, n = s->out_c / s->group;
    if (y < 0 || y >= s->h || x < 0 || x >= s->w || oy < 0 || oy >= s->oh || ox < 0 || ox >= s->ow) return;
    for (int32_t o = 0; o < s->out_c; o++)
        for (int32_t c = 0; c < run; c++)
            d->sums[((b * s->oh + oy) * s->ow + ox) * s->out_c + o] +=
                (int64_t)(d->in[((b * s->h + y) * s->w + x) * s->in_c + o / n * run + c] - d->in_zero) *
                d->w[weight_at(s, o, i, j, c)];
}

static void add_sums(const shape *s, data *d) {
    for (int32_t b = 0; b < s->n; b++)
        for (int32_t i = 0; i < s->kh; i++)
            for (int32_t j = 0; j < s->kw; j++) {
                if (s->op == OH_NN_OPS_CONV2D_TRANSPOSE) {
                    for (int32_t y = 0; y < s->h; y++)
                        for (int32_t x = 0; x < s->w; x++)
                            add_tap(s, d, b, y, x, y * s->sh - s->pad[0] + i * s->dh, x * s->sw - s->pad[2] + j * s->dw,
                                    i, j);
                } else {
                    for (int32_t oy = 0; oy < s->oh; oy++)
                        for (int32_t ox = 0; ox < s->ow; ox++)
                            add_tap(s, d, b, oy * s->sh - s->pad[0] + i * s->dh, ox * s->sw - s->pad[2] + j * s->dw, oy,
                                    ox, i, j);
                }
            }
}

static void make_data(const shape *s, type t, data *d) {
    const size_t channels = (size_t)s->out_c;
    d->in_count = (size_t)(s->n * s->h * s->w * s->in_c);
    d->w_count = channels * (size_t)(s->kh * s->kw * (s->in_c / s->group));
    d->out_count = (size_t)(s->n * s->oh * s->ow * s->out_c);
    d->in = (int32_t *)malloc(d->in_count * 4);
    d->in32 = (float *)malloc(d->in_count * 4);
    d->in8 = (int8_t *)malloc(d->in_count);
    d->in16 = (int16_t *)malloc(d->in_count * 2);
    d->w = (int8_t *)malloc(d->w_count);
    d->w32 = (float *)malloc(d->w_count * 4);
    d->bias = (int32_t *)malloc(channels * 4);
    d->bias32 = (float *)malloc(channels * 4);
    d->bias64 = (int64_t *)malloc(channels * 8);
    d->scales = (double *)malloc(channels * 8);
    d->sums = (int64_t *)calloc(d->out_count, 8);
    d->out32 = (float *)malloc(d->out_count * 4);
    d->out8 = (int8_t *)malloc(d->out_count);
    d->out16 = (int16_t *)malloc(d->out_count * 2);
    d->in_zero = t == S8 ? noise_in(-128, 127) : 0;
    d->out_zero = t == S8 ? noise_in(-128, 127) : 0;
    for (size_t i = 0; i < d->in_count; i++) {
        d->in[i] = t == S16 ? noise_in(-2000, 2000) : noise_in(-128, 127);
        d->in8[i] = (int8_t)d->in[i];
        d->in16[i] = (int16_t)d->in[i];
        d->in32[i] = (float)d->in[i] / 64.0f;
    }
    for (size_t i = 0; i < d->w_count; i++) {
        d->w[i] = (int8_t)noise_in(-127, 127);
        d->w32[i] = (float)d->w[i] / 64.0f;
    }
    for (size_t o = 0; o < channels; o++) {
        d->scales[o] = (double)(float)(0.002 + noise_in(0, 1000) * 1e-5);
        d->bias[o] = noise_in(-2000, 2000);
        d->bias64[o] = d->bias[o];
        d->bias32[o] = (float)d->bias[o] / 64.0f;
    }
    add_sums(s, d);
}

static void free_data(data *d) {
    free(d->in);
    free(d->in32);
    free(d->in8);
    free(d->in16);
    free(d->w);
    free(d->w32);
    free(d->bias);
    free(d->bias32);
    free(d->bias64);
    free(d->scales);
    free(d->sums);
    free(d->out32);
    free(d->out8);
    free(d->out16);
}

/* One way to run it. */
typedef struct way {
    const char *isa, *threads;
    OH_NN_PerformanceMode performance;
} way;

static const way chosen[] = {{NULL, NULL, OH_NN_PERFORMANCE_NONE},       {NULL, "3", OH_NN_PERFORMANCE_NONE},
                             {NULL, NULL, OH_NN_PERFORMANCE_LOW},        {"scalar", NULL, OH_NN_PERFORMANCE_NONE},
                             {"sse41", NULL, OH_NN_PERFORMANCE_NONE},    {"avx2", NULL, OH_NN_PERFORMANCE_NONE},
                             {"avxvnni", NULL, OH_NN_PERFORMANCE_NONE},  {"neon", NULL, OH_NN_PERFORMANCE_NONE},
                             {"armv8-dot", NULL, OH_NN_PERFORMANCE_NONE}};

static void pair(gb_graph *g, OH_NN_TensorType kind, int32_t a, int32_t b) {
    const int64_t list[2] = {a, b};
    gb_param_i64s(g, kind, 2, list);
}

static void parameters(gb_graph *g, const shape *s) {
    const int64_t pads[4] = {s->pad[0], s->pad[1], s->pad[2], s->pad[3]};
    if (s->op == OH_NN_OPS_CONV2D) {
        pair(g, OH_NN_CONV2D_STRIDES, s->sh, s->sw);
        pair(g, OH_NN_CONV2D_DILATION, s->dh, s->dw);
        gb_param_i64s(g, OH_NN_CONV2D_PAD, 4, pads);
        gb_param_i64(g, OH_NN_CONV2D_GROUP, s->group);
    } else if (s->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE) {
        pair(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES, s->sh, s->sw);
        pair(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION, s->dh, s->dw);
        gb_param_i64s(g, OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD, 4, pads);
    } else {
        pair(g, OH_NN_CONV2D_TRANSPOSE_STRIDES, s->sh, s->sw);
        pair(g, OH_NN_CONV2D_TRANSPOSE_DILATION, s->dh, s->dw);
        gb_param_i64s(g, OH_NN_CONV2D_TRANSPOSE_PAD, 4, pads);
        gb_param_i64(g, OH_NN_CONV2D_TRANSPOSE_GROUP, s->group);
        pair(g, OH_NN_CONV2D_TRANSPOSE_OUTPUT_PADDINGS, s->extra_h, s->extra_w);
    }
}

/* A graph of the one operator, not yet built. */
static void make_graph(gb_graph *g, const shape *s, type t, const data *d) {
    const int32_t in_dims[4] = {s->n, s->h, s->w, s->in_c}, out_dims[4] = {s->n, s->oh, s->ow, s->out_c};
    const int32_t w_dims[4] = {s->out_c, s->kh, s->kw, s->in_c / s->group}, b_dims[1] = {s->out_c};
    const OH_NN_DataType dtype = t == S8 ? OH_NN_INT8 : t == F32 ? OH_NN_FLOAT32 : OH_NN_INT16;
    uint32_t inputs[3], output;
    gb_open(g);
    inputs[0] = gb_input(g, gb_tensor(g, dtype, 4, in_dims));
    if (t != F32) gb_quantize(g, inputs[0], 1, &in_scale, &d->in_zero);
    inputs[1] = gb_constant(g, t == F32 ? OH_NN_FLOAT32 : OH_NN_INT8, 4, w_dims,
                            t == F32 ? (const void *)d->w32 : (const void *)d->w);
    if (t != F32) gb_quantize(g, inputs[1], (size_t)s->out_c, d->scales, NULL);
    inputs[2] = t == S8    ? gb_constant(g, OH_NN_INT32, 1, b_dims, d->bias)
                : t == F32 ? gb_constant(g, OH_NN_FLOAT32, 1, b_dims, d->bias32)
                           : gb_constant(g, OH_NN_INT64, 1, b_dims, d->bias64);
    output = gb_output(g, gb_tensor(g, dtype, 4, out_dims));
    if (t != F32) gb_quantize(g, output, 1, &out_scale, &d->out_zero);
    parameters(g, s);
    cr_assert_eq(gb_op(g, s->op, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s: %s", describe(s, t), nnrt_last_error());
}

static int64_t limit(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

static void compare(const shape *s, type t, const data *d, size_t number) {
    for (size_t i = 0; i < d->out_count; i++) {
        const size_t o = i % (size_t)s->out_c;
        const int64_t sum = d->sums[i] + d->bias[o];
        const double factor = in_scale * d->scales[o] / out_scale;
        if (t == S8) {
            const int64_t want = limit(rescale(sum, factor) + d->out_zero, -128, 127);
            cr_assert_eq(d->out8[i], want, "%s, way %zu [%zu]: %d, not %d", describe(s, t), number, i, d->out8[i],
                         (int)want);
        } else if (t == S16) {
            const int64_t want = limit(rescale_wide(sum, factor), -32768, 32767);
            cr_assert_eq(d->out16[i], want, "%s, way %zu [%zu]: %d, not %d", describe(s, t), number, i, d->out16[i],
                         (int)want);
        } else {
            const double want = (double)d->sums[i] / 4096 + (double)d->bias32[o];
            cr_assert(fabs((double)d->out32[i] - want) <= 1e-3, "%s, way %zu [%zu]: %g, not %g", describe(s, t), number,
                      i, (double)d->out32[i], want);
        }
    }
}

/* In every way that this machine has. */
static void check(shape s, type t) {
    data d;
    if (!resolve(&s)) return;
    make_data(&s, t, &d);
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        gb_graph g;
        make_graph(&g, &s, t, &d);
        g.isa = chosen[i].isa;
        g.threads = chosen[i].threads;
        g.performance = chosen[i].performance;
        if (gb_build(&g) == OH_NN_SUCCESS) {
            const gb_io in = t == S8    ? gb_buffer(d.in8, d.in_count)
                             : t == F32 ? gb_buffer(d.in32, d.in_count * 4)
                                        : gb_buffer(d.in16, d.in_count * 2);
            const gb_io out = t == S8    ? gb_buffer(d.out8, d.out_count)
                              : t == F32 ? gb_buffer(d.out32, d.out_count * 4)
                                         : gb_buffer(d.out16, d.out_count * 2);
            cr_assert_eq(gb_run(&g, in, out), OH_NN_SUCCESS, "%s: %s", describe(&s, t), nnrt_last_error());
            compare(&s, t, &d, i);
        } else {
            cr_assert(chosen[i].isa != NULL && strcmp(chosen[i].isa, "scalar") != 0, "%s: %s", describe(&s, t),
                      nnrt_last_error());
        }
        gb_close(&g);
    }
    free_data(&d);
}

static shape shape_of(OH_NN_OperationType op, int32_t in_c, int32_t out_c, int32_t group) {
    shape s;
    memset(&s, 0, sizeof s);
    s.op = op;
    s.n = 1;
    s.h = 5;
    s.w = 6;
    s.in_c = in_c;
    s.out_c = out_c;
    s.group = group;
    s.kh = s.kw = 3;
    s.sh = s.sw = s.dh = s.dw = 1;
    return s;
}

/* ------------------------------------------------------------------------------------------- transposed */

/* Every number of phases, and every number of taps in them, none included. */
Test(conv_transpose, every_stride_meets_every_kernel, .timeout = 300) {
    for (int32_t stride = 1; stride <= 4; stride++)
        for (int32_t kernel = 1; kernel <= 5; kernel++)
            for (int32_t dilation = 1; dilation <= 3; dilation++)
                for (int t = 0; t < TYPES; t++) {
                    shape s = shape_of(OH_NN_OPS_CONV2D_TRANSPOSE, 3, 5, 1);
                    s.n = noise_in(1, 2);
                    s.h = noise_in(1, 4);
                    s.w = noise_in(1, 5);
                    s.kh = kernel;
                    s.kw = noise_in(1, 5);
                    s.sh = stride;
                    s.sw = noise_in(1, 4);
                    s.dh = dilation;
                    s.dw = noise_in(1, 3);
                    s.extra_h = noise_in(0, s.sh - 1);
                    s.extra_w = noise_in(0, s.sw - 1);
                    check(s, (type)t);
                }
}

/* Channels around the widths of tiles, in groups, too. */
Test(conv_transpose, every_width_of_tiles, .timeout = 300) {
    static const int32_t channels[] = {1, 4, 7, 8, 9, 15, 16, 17, 24, 33};
    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
        for (int32_t group = 1; group <= 4; group *= 2)
            for (int t = 0; t < TYPES; t++) {
                shape s = shape_of(OH_NN_OPS_CONV2D_TRANSPOSE, group * noise_in(1, 20), group * channels[i], group);
                s.sh = s.sw = 2;
                s.pad[0] = noise_in(0, 1);
                s.pad[3] = noise_in(0, 2);
                if (s.in_c == s.out_c) s.in_c += group; /* the layouts of the weights stay apart */
                check(s, (type)t);
            }
}

/* Outputs of one pixel, one row, one column; pads that cut off whole phases. */
Test(conv_transpose, pads_leave_little, .timeout = 300) {
    for (int32_t i = 0; i < 48; i++) {
        shape s = shape_of(OH_NN_OPS_CONV2D_TRANSPOSE, 4, 6, 1);
        s.h = noise_in(1, 3);
        s.w = noise_in(1, 3);
        s.sh = noise_in(1, 5);
        s.sw = noise_in(1, 5);
        s.kh = noise_in(1, 4);
        s.kw = noise_in(1, 4);
        for (int k = 0; k < 4; k++) s.pad[k] = noise_in(0, 3);
        check(s, (type)(i % TYPES));
    }
}

/* Wide enough that blocks end inside rows and threads share the phases. */
Test(conv_transpose, many_pixels, .timeout = 300) {
    for (int t = 0; t < TYPES; t++) {
        shape s = shape_of(OH_NN_OPS_CONV2D_TRANSPOSE, 20, 24, 1);
        s.h = 13;
        s.w = 37;
        s.sh = 2;
        s.sw = 3;
        check(s, (type)t);
        s.kh = s.kw = 2; /* columns without taps */
        check(s, (type)t);
    }
}

/* ------------------------------------------------------------------------------------- multiplier and groups */

Test(conv_groups, depthwise_with_every_multiplier, .timeout = 300) {
    static const int32_t channels[] = {1, 2, 3, 7, 8, 9, 16, 24, 35};
    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
        for (int32_t multiplier = 1; multiplier <= 8; multiplier++)
            for (int t = 0; t < TYPES; t++) {
                shape s =
                    shape_of(OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, channels[i], channels[i] * multiplier, channels[i]);
                s.n = noise_in(1, 2);
                s.sh = noise_in(1, 2);
                s.sw = noise_in(1, 2);
                s.dh = noise_in(1, 2);
                s.dw = noise_in(1, 2);
                s.kh = noise_in(1, 3);
                s.kw = noise_in(1, 3);
                for (int k = 0; k < 4; k++) s.pad[k] = noise_in(0, 2);
                if (s.out_c == 1) continue; /* two layouts of the weights are one */
                check(s, (type)t);
            }
}

Test(conv_groups, groups_of_every_width, .timeout = 300) {
    static const int32_t groups[] = {1, 2, 3, 4, 5, 8, 16, 32};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (int32_t n = 1; n <= 9; n++)
            for (int t = 0; t < TYPES; t++) {
                const int32_t in = noise_in(1, groups[i] > 8 ? 3 : 17);
                shape s = shape_of(OH_NN_OPS_CONV2D, groups[i] * in, groups[i] * n, groups[i]);
                s.n = noise_in(1, 2);
                s.sh = noise_in(1, 2);
                s.sw = noise_in(1, 2);
                s.dh = noise_in(1, 2);
                s.dw = noise_in(1, 2);
                s.kh = noise_in(1, 3);
                s.kw = noise_in(1, 3);
                for (int k = 0; k < 4; k++) s.pad[k] = noise_in(0, 2);
                check(s, (type)t);
            }
}

/* Rows so wide that they are cut, windows that lie outside of the input, a stride beyond the kernel. */
Test(conv_groups, wide_rows_and_windows_outside, .timeout = 300) {
    for (int32_t i = 0; i < 48; i++) {
        shape s = shape_of(OH_NN_OPS_CONV2D, 32, 64, i % 2 == 0 ? 32 : 16);
        s.h = noise_in(1, 6);
        s.w = noise_in(1, 150);
        s.kh = noise_in(1, 4);
        s.kw = noise_in(1, 4);
        s.sh = noise_in(1, 5);
        s.sw = noise_in(1, 5);
        s.dh = noise_in(1, 3);
        s.dw = noise_in(1, 3);
        for (int k = 0; k < 4; k++) s.pad[k] = noise_in(0, 7);
        check(s, (type)(i % TYPES));
    }
}

/* ------------------------------------------------------------------------------------------------- dense */

/* Whole rows as bands have them (cpu/conv_bands.h), read in place or gathered, and maps that are too wide for one;
   windows that lie outside, on every side, and padding on some sides alone. */
static void every_width_of(const int32_t channels[6], type t) {
    for (int32_t width = 1; width <= 72; width++) {
        shape s = shape_of(OH_NN_OPS_CONV2D, 4 * noise_in(1, 9), channels[width % 6], 1);
        s.n = width % 9 == 0 ? 2 : 1;
        s.h = noise_in(1, 12);
        s.w = width;
        s.kh = noise_in(1, 5);
        s.kw = noise_in(2, 5);
        s.sh = noise_in(1, 3);
        s.sw = width % 3 == 0 ? noise_in(2, 3) : 1;
        s.dh = width % 7 == 0 ? 2 : 1;
        for (int k = 0; k < 4; k++) s.pad[k] = noise_in(0, 2) == 0 ? noise_in(0, 7) : noise_in(0, 2);
        check(s, t);
    }
}

Test(conv_dense, every_width_with_every_padding, .timeout = 300) {
    static const int32_t channels[] = {16, 32, 48, 15, 33, 64};
    every_width_of(channels, S8);
}

Test(conv_dense, few_channels_with_every_width, .timeout = 300) {
    static const int32_t channels[] = {1, 3, 2, 5, 4, 7};
    every_width_of(channels, S8);
    every_width_of(channels, F32);
}

Test(conv_dense, float_with_every_padding, .timeout = 300) {
    static const int32_t channels[] = {8, 16, 12, 15, 9, 24};
    every_width_of(channels, F32);
}

/* ----------------------------------------------------------------------------------------------- kernels */

/* The instruction set of the only step, or of the last if there are several. */
static void check_isa(shape s, type t) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    size_t size;
    gb_graph g;
    data d;
    cr_assert(resolve(&s));
    make_data(&s, t, &d);
    make_graph(&g, &s, t, &d);
    cr_assert_eq(gb_finish(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    g.compilation = OH_NNCompilation_Construct(g.model);
    cr_assert_eq(OH_NNCompilation_AddExtensionConfig(g.compilation, "nnrt.profile", "1", 1), OH_NN_SUCCESS);
    cr_assert_eq(OH_NNCompilation_Build(g.compilation), OH_NN_SUCCESS, "%s", nnrt_last_error());
    g.executor = OH_NNExecutor_Construct(g.compilation);
    size = t == S8 ? 1 : t == F32 ? 4 : 2;
    cr_assert_eq(gb_run(&g, gb_buffer(d.in32, d.in_count * size), gb_buffer(d.out32, d.out_count * size)),
                 OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(nnrt_executor_get_profile(g.executor, &steps, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_gt(count, 0u);
    cr_assert_str_neq(steps[count - 1].isa, "scalar", "%s", describe(&s, t));
    gb_close(&g);
    free_data(&d);
}

Test(conv_kinds, none_is_left_in_portable_c) {
    const char *isa = getenv("NNRT_ISA");
    if (nnrt__cpu_detect() == 0 || (isa != NULL && strcmp(isa, "scalar") == 0))
        cr_skip_test("skipped, no instruction set with kernels of its own");
    for (int t = 0; t < TYPES; t++) {
        shape s = shape_of(OH_NN_OPS_CONV2D_TRANSPOSE, 8, 16, 1);
        s.sh = s.sw = 2;
        check_isa(s, (type)t);
        check_isa(shape_of(OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE, 8, 16, 8), (type)t);
        check_isa(shape_of(OH_NN_OPS_CONV2D, 64, 64, 32), (type)t);
    }
}
