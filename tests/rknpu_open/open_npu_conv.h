/* SPDX-License-Identifier: Apache-2.0 */
/* open_npu_conv.h - convolutions for rknpu_open: a model, what its bytes have to be, how far the CPU device's are.
   Include it after open_npu_run.h.

   The sums are those of the definition, from the weights that the model was given. Of the image only the factors are
   taken: what the chip makes of a sum is written down here once more. */
#ifndef NNRT_TESTS_OPEN_NPU_CONV_H
#define NNRT_TESTS_OPEN_NPU_CONV_H

#include <math.h>

typedef struct conv_model {
    OH_NN_OperationType op;
    int32_t height, width, channels, outputs; /* of depthwise, outputs is a multiple of channels */
    int32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
    int32_t pads[4]; /* top, bottom, left, right */
    int32_t group;
    int activation; /* 0, 1 ReLU, 2 ReLU6 */
    bool per_tensor;
    double spread;   /* the largest scale of a channel beside the smallest */
    bool one_large;  /* the first channel has that scale, the others scales within a third of the smallest */
    double out_part; /* of the output's scale: 1 uses all of int8 */
    int32_t in_zero, out_zero;
    bool any_out_zero; /* out_zero is drawn */
    /* made by conv_make */
    double in_scale, out_scale, *weight_scales;
    int8_t *input, *weights; /* [outputs][kernel_h][kernel_w][channels / group] */
    int32_t *bias;
} conv_model;

RUN_FN conv_model conv_model_of(int32_t height, int32_t width, int32_t channels, int32_t outputs, int32_t kernel) {
    conv_model c;
    memset(&c, 0, sizeof c);
    c.op = OH_NN_OPS_CONV2D;
    c.height = height;
    c.width = width;
    c.channels = channels;
    c.outputs = outputs;
    c.kernel_h = c.kernel_w = kernel;
    c.stride_h = c.stride_w = c.dilation_h = c.dilation_w = c.group = 1;
    c.spread = 4;
    c.out_part = 1;
    c.in_zero = noise_in(-128, 127);
    c.out_zero = noise_in(-128, 127);
    for (int i = 0; i < 4; i++) c.pads[i] = (kernel - 1) / 2;
    return c;
}

RUN_FN int32_t conv_side(int32_t size, int32_t before, int32_t after, int32_t kernel, int32_t dilation,
                         int32_t stride) {
    return (size + before + after - (kernel - 1) * dilation - 1) / stride + 1;
}
RUN_FN int32_t conv_out_h(const conv_model *c) {
    return conv_side(c->height, c->pads[0], c->pads[1], c->kernel_h, c->dilation_h, c->stride_h);
}
RUN_FN int32_t conv_out_w(const conv_model *c) {
    return conv_side(c->width, c->pads[2], c->pads[3], c->kernel_w, c->dilation_w, c->stride_w);
}
RUN_FN size_t conv_k(const conv_model *c) {
    return (size_t)c->kernel_h * (size_t)c->kernel_w * (size_t)(c->channels / c->group);
}
RUN_FN size_t conv_in_count(const conv_model *c) { return (size_t)c->height * (size_t)c->width * (size_t)c->channels; }
RUN_FN size_t conv_out_count(const conv_model *c) {
    return (size_t)conv_out_h(c) * (size_t)conv_out_w(c) * (size_t)c->outputs;
}

/* Scales and values. Sums of k products of noise are some sqrt(k) * 74 * 74 wide. */
RUN_FN void conv_make(conv_model *c) {
    const size_t k = conv_k(c);
    c->input = (int8_t *)malloc(conv_in_count(c));
    c->weights = (int8_t *)malloc(k * (size_t)c->outputs);
    c->bias = (int32_t *)malloc((size_t)c->outputs * sizeof *c->bias);
    c->weight_scales = (double *)malloc((size_t)c->outputs * sizeof *c->weight_scales);
    cr_assert(c->input != NULL && c->weights != NULL && c->bias != NULL && c->weight_scales != NULL);
    for (size_t i = 0; i < conv_in_count(c); i++) c->input[i] = (int8_t)noise_in(-128, 127);
    for (size_t i = 0; i < k * (size_t)c->outputs; i++) c->weights[i] = (int8_t)noise_in(-127, 127);
    c->in_scale = noise_between(0.005, 0.05);
    for (int32_t o = 0; o < c->outputs; o++) {
        const double least = c->one_large ? c->spread / 1.33 : 1;
        c->weight_scales[o] = 0.01 / (c->per_tensor || (c->one_large && o == 0) ? 1 : noise_between(least, c->spread));
        c->bias[o] = noise_in(-1000, 1000);
    }
    c->out_scale = c->in_scale * 0.01 * sqrt((double)k) * 74 * 100 * 2 / 127 * c->out_part;
}

RUN_FN void conv_drop(conv_model *c) {
    free(c->input);
    free(c->weights);
    free(c->bias);
    free(c->weight_scales);
}

/* The finished and built model. */
RUN_FN void conv_graph(const conv_model *c, gb_graph *g) {
    const bool depthwise = c->op == OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE;
    const int32_t in_dims[4] = {1, c->height, c->width, c->channels};
    const int32_t out_dims[4] = {1, conv_out_h(c), conv_out_w(c), c->outputs};
    const int32_t w_dims[4] = {c->outputs, c->kernel_h, c->kernel_w, c->channels / c->group};
    const int64_t strides[2] = {c->stride_h, c->stride_w}, dilation[2] = {c->dilation_h, c->dilation_w};
    const int64_t pads[4] = {c->pads[0], c->pads[1], c->pads[2], c->pads[3]};
    uint32_t in[3], out;
    gb_open(g);
    in[0] = gb_input(g, gb_tensor_s8(g, 4, in_dims, c->in_scale, c->in_zero));
    in[1] = gb_constant(g, OH_NN_INT8, 4, w_dims, c->weights);
    gb_quantize(g, in[1], c->per_tensor ? 1 : (size_t)c->outputs, c->weight_scales, NULL);
    in[2] = gb_constant(g, OH_NN_INT32, 1, &c->outputs, c->bias);
    out = gb_output(g, gb_tensor_s8(g, 4, out_dims, c->out_scale, c->out_zero));
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION : OH_NN_CONV2D_DILATION, 2, dilation);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                c->activation);
    if (!depthwise) gb_param_i64(g, OH_NN_CONV2D_GROUP, c->group);
    cr_assert_eq((int)gb_op(g, c->op, 3, in, 1, &out), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq((int)gb_build(g), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
}

RUN_FN int64_t conv_sum_at(const conv_model *c, int32_t y, int32_t x, int32_t o) {
    const int32_t inputs = c->channels / c->group, first = o / (c->outputs / c->group) * inputs;
    int64_t sum = c->bias[o];
    for (int32_t i = 0; i < c->kernel_h; i++)
        for (int32_t j = 0; j < c->kernel_w; j++)
            for (int32_t k = 0; k < inputs; k++) {
                const int32_t row = y * c->stride_h + i * c->dilation_h - c->pads[0];
                const int32_t column = x * c->stride_w + j * c->dilation_w - c->pads[2];
                if (row < 0 || column < 0 || row >= c->height || column >= c->width) continue;
                sum += (int64_t)(c->input[((size_t)row * (size_t)c->width + (size_t)column) * (size_t)c->channels +
                                          (size_t)(first + k)] -
                                 c->in_zero) *
                       c->weights[(size_t)o * conv_k(c) +
                                  ((size_t)i * (size_t)c->kernel_w + (size_t)j) * (size_t)inputs + (size_t)k];
            }
    return sum;
}

/* The nearest; of two that are as near the even one. */
RUN_FN int64_t nearest_even(int64_t value, uint32_t shift) {
    const int64_t unit = (int64_t)1 << shift;
    int64_t whole = value / unit, rest = value % unit;
    if (rest < 0) {
        rest += unit;
        whole--;
    }
    return whole + (2 * rest > unit || (2 * rest == unit && whole % 2 != 0) ? 1 : 0);
}

/* What the image says of factors. */
typedef struct conv_factors {
    uint32_t shift, out_shift;
    int32_t factor;
    const uint8_t *table;
    bool rk3588, depthwise;
} conv_factors;

RUN_FN conv_factors conv_factors_of(const void *image, uint32_t task) {
    conv_factors f;
    f.rk3588 = image_header(image)->chip == NNRT__OPEN_NPU_RK3588;
    f.depthwise = (image_word(image, task, 0x100c) & 15) == (f.rk3588 ? 3 : 7);
    f.shift = f.rk3588 ? image_word(image, task, 0x4048) >> 8 & 63 : image_word(image, task, 0x4040) >> 9 & 31;
    f.factor = (int32_t)(image_word(image, task, 0x4084) & 0x7fff);
    f.out_shift = image_word(image, task, 0x4088) & 63;
    f.table = image_at(image, image_word(image, task, 0x5020));
    return f;
}

RUN_FN uint32_t conv_channel_factor(const conv_factors *f, uint32_t o) {
    const uint32_t group = f->rk3588 ? 8 : 4, before = f->rk3588 || !f->depthwise ? 6 : 4;
    const uint8_t *at = f->table + (size_t)(o / group) * group * (before + 2) + before * group + 2 * (o % group);
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

RUN_FN int32_t chip_byte(const conv_factors *f, int64_t sum, uint32_t o, int32_t zero, int32_t low, int32_t high) {
    const int64_t value = nearest_even(sum * conv_channel_factor(f, o), f->shift);
    const int64_t byte = nearest_even(value * f->factor + zero * ((int64_t)1 << f->out_shift), f->out_shift);
    return (int32_t)(byte < low ? low : byte > high ? high : byte);
}

/* How far results are from the CPU device's. */
typedef struct distance {
    uint64_t bytes, other, most;
} distance;

RUN_FN void distance_add(distance *d, const int8_t *a, const int8_t *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t apart = (uint64_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
        d->bytes++;
        if (apart != 0) d->other++;
        if (apart > d->most) d->most = apart;
    }
}

RUN_FN void distance_print(const distance *d, const char *what) {
    fprintf(stderr, "%s: %llu of %llu bytes differ from the CPU device's (%.3f %%), by at most %llu\n", what,
            (unsigned long long)d->other, (unsigned long long)d->bytes,
            d->bytes == 0 ? 0 : 100.0 * (double)d->other / (double)d->bytes, (unsigned long long)d->most);
}

/* Compiles and runs c, looks at every byte. */
RUN_FN void conv_check(conv_model *c, nnrt__open_npu_chip chip, distance *d) {
    const int32_t height = conv_out_h(c), width = conv_out_w(c);
    int32_t low = -128, high = 127;
    int8_t *got, *cpu;
    void *image, *inputs[1], *outputs[1];
    size_t size;
    gb_graph g;
    conv_factors f;
    conv_make(c);
    conv_graph(c, &g);
    got = (int8_t *)malloc(conv_out_count(c));
    cpu = (int8_t *)malloc(conv_out_count(c));
    cr_assert_eq((int)gb_run(&g, gb_buffer(c->input, conv_in_count(c)), gb_buffer(cpu, conv_out_count(c))),
                 (int)OH_NN_SUCCESS);
    cr_assert_eq((int)compile_whole(&g, chip, false, &image, &size), (int)OH_NN_SUCCESS, "%dx%dx%d %dx%d to %d: %s",
                 c->height, c->width, c->channels, c->kernel_h, c->kernel_w, c->outputs, nnrt_last_error());
    inputs[0] = c->input;
    outputs[0] = got;
    image_run(image, size, inputs, outputs);
    f = conv_factors_of(image, 0);
    if (c->activation != 0) low = c->out_zero;
    if (c->activation == 2) {
        const double six = floor(6 / c->out_scale + 0.5) + c->out_zero;
        if (six < 127) high = (int32_t)six;
    }
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            for (int32_t o = 0; o < c->outputs; o++) {
                const size_t at = ((size_t)y * (size_t)width + (size_t)x) * (size_t)c->outputs + (size_t)o;
                const int64_t sum = conv_sum_at(c, y, x, o);
                double real =
                    (double)sum * c->in_scale * c->weight_scales[c->per_tensor ? 0 : o] / c->out_scale + c->out_zero;
                real = real < low ? low : real > high ? high : real;
                cr_assert_eq(got[at], chip_byte(&f, sum, (uint32_t)o, c->out_zero, low, high),
                             "%s %dx%dx%d, kernel %dx%d, %d outputs: byte (%d, %d, %d)", chip_name(chip), c->height,
                             c->width, c->channels, c->kernel_h, c->kernel_w, c->outputs, y, x, o);
                cr_assert(fabs(got[at] - real) <= 0.96, "%d is not %f", got[at], real);
            }
    distance_add(d, got, cpu, conv_out_count(c));
    cr_assert_leq(d->most, 1u);
    nnrt__free(image);
    gb_close(&g);
    free(got);
    free(cpu);
    conv_drop(c);
}

#endif /* NNRT_TESTS_OPEN_NPU_CONV_H */
