/* SPDX-License-Identifier: Apache-2.0 */
/* test_int16.c - products of int16 activations through the API, against references written here from the definitions
   of TensorFlow Lite's 16x8 scheme: plain loops, exact sums, and its rescales in 64-bit integers.

   Results are the same elements for every instruction set and thread count. Numbers are drawn from a fixed seed. */
#include "linked.h"

#include "graph_builder.h"

#include <math.h>
#include <stdio.h>

#define SEED 20261123u

#include "int16_reference.h"

/* --------------------------------------------------------------------------- convolution and its kin */

typedef struct shape {
    int32_t n, h, w, ic, oc, kh, kw, sh, sw, dh, dw, group, top, left, oh, ow;
} shape;

static shape draw(int32_t group, int32_t multiplier) {
    shape s;
    memset(&s, 0, sizeof s);
    do {
        s.n = noise_in(1, 2);
        s.h = noise_in(1, 9);
        s.w = noise_in(1, 11);
        s.kh = noise_in(1, 4);
        s.kw = noise_in(1, 4);
        s.sh = noise_in(1, 3);
        s.sw = noise_in(1, 3);
        s.dh = noise_in(0, 2) == 0 ? 2 : 1;
        s.dw = noise_in(0, 2) == 0 ? 2 : 1;
        s.top = noise_in(0, 3);
        s.left = noise_in(0, 3);
        s.ic = noise_in(1, 35);
        s.oc = noise_in(1, 13);
        s.group = 1;
        if (group > 1) {
            s.group = group;
            s.ic = group * noise_in(1, 5);
            s.oc = group * noise_in(1, 5);
        }
        if (multiplier > 0) {
            s.group = s.ic;
            s.oc = s.ic * multiplier;
        }
        s.oh = (s.h + 2 * s.top - (s.kh - 1) * s.dh - 1) / s.sh + 1;
        s.ow = (s.w + 2 * s.left - (s.kw - 1) * s.dw - 1) / s.sw + 1;
    } while (s.h + 2 * s.top < (s.kh - 1) * s.dh + 1 || s.w + 2 * s.left < (s.kw - 1) * s.dw + 1);
    return s;
}

/* Weight of output channel o, tap (i, j), input channel c of the group: [oc][kh][kw][ic / group], or [1][kh][kw][oc].
 */
static int64_t weight_of(const shape *s, const int8_t *w, bool last, int32_t o, int32_t i, int32_t j, int32_t c) {
    return last ? w[(i * s->kw + j) * s->oc + o] : w[((o * s->kh + i) * s->kw + j) * (s->ic / s->group) + c];
}

static int64_t convolve(const shape *s, const int16_t *in, const int8_t *w, bool last, int32_t b, int32_t y, int32_t x,
                        int32_t o) {
    const int32_t each = s->ic / s->group, first = o / (s->oc / s->group) * each;
    int64_t sum = 0;
    for (int32_t i = 0; i < s->kh; i++)
        for (int32_t j = 0; j < s->kw; j++) {
            const int32_t iy = y * s->sh - s->top + i * s->dh, ix = x * s->sw - s->left + j * s->dw;
            if (iy < 0 || iy >= s->h || ix < 0 || ix >= s->w) continue;
            for (int32_t c = 0; c < each; c++)
                sum += in[((b * s->h + iy) * s->w + ix) * s->ic + first + c] * weight_of(s, w, last, o, i, j, c);
        }
    return sum;
}

/* The parameters of a convolution, or of a depthwise one: their types differ. */
static void conv_params(gb_graph *g, const shape *s, bool depthwise, int activation) {
    const int64_t strides[2] = {s->sh, s->sw}, dilations[2] = {s->dh, s->dw};
    const int64_t pads[4] = {s->top, s->top, s->left, s->left};
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION : OH_NN_CONV2D_DILATION, 2, dilations);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                activation);
    if (!depthwise) gb_param_i64(g, OH_NN_CONV2D_GROUP, s->group);
}

/* wide: biases and sums of 64 bits. last: depthwise weights as [1, kh, kw, oc]. */
static void check_conv(const shape *s, bool depthwise, bool wide, bool last, bool per_channel, int activation) {
    const int32_t in_dims[4] = {s->n, s->h, s->w, s->ic}, out_dims[4] = {s->n, s->oh, s->ow, s->oc};
    const int32_t rows_dims[4] = {s->oc, s->kh, s->kw, s->ic / s->group}, last_dims[4] = {1, s->kh, s->kw, s->oc};
    const size_t in_count = gb_bytes(OH_NN_INT8, 4, in_dims), out_count = gb_bytes(OH_NN_INT8, 4, out_dims);
    const size_t w_count = gb_bytes(OH_NN_INT8, 4, rows_dims), oc = (size_t)s->oc;
    const double in_scale = (double)0.00021f, out_scale = (double)0.0013f;
    int16_t *in = (int16_t *)malloc(in_count * 2), *out = (int16_t *)malloc(out_count * 2);
    int16_t *want = (int16_t *)malloc(out_count * 2);
    int8_t *w = (int8_t *)malloc(w_count);
    int64_t *bias = (int64_t *)malloc(oc * 8);
    int32_t *bias32 = (int32_t *)malloc(oc * 4);
    double *scales = (double *)malloc(oc * 8);
    char what[200];
    for (size_t i = 0; i < in_count; i++) in[i] = number();
    for (size_t i = 0; i < w_count; i++) w[i] = (int8_t)noise_in(-128, 127);
    for (size_t i = 0; i < oc; i++) {
        scales[i] = (double)(float)(0.002 + noise_in(0, 1000) * 1e-5);
        bias[i] = bias32[i] = noise_in(-4000000, 4000000);
        if (wide && i % 3 == 0) bias[i] *= 100000; /* beyond 32 bits */
    }
    for (size_t i = 0; i < out_count; i++) {
        const int32_t o = (int32_t)(i % oc), x = (int32_t)(i / oc) % s->ow, y = (int32_t)(i / oc) / s->ow % s->oh;
        const int64_t sum = convolve(s, in, w, last, (int32_t)(i / oc) / s->ow / s->oh, y, x, o) + bias[o];
        const double factor = in_scale * scales[per_channel ? o : 0] / out_scale;
        want[i] = to_s16(wide ? rescale_wide(sum, factor) : rescale(sum, factor), out_scale, activation);
    }
    snprintf(what, sizeof what, "%s%s in %dx%dx%dx%d out c %d kernel %dx%d stride %d,%d dilation %d,%d group %d",
             depthwise ? "depthwise" : "conv", wide ? " wide" : "", s->n, s->h, s->w, s->ic, s->oc, s->kh, s->kw, s->sh,
             s->sw, s->dh, s->dw, s->group);
    for (size_t way = 0; way < WAYS; way++) {
        gb_graph g;
        uint32_t inputs[3], output;
        if (!has_way(way)) continue;
        open_way(&g, way);
        inputs[0] = gb_input(&g, tensor_s16(&g, 4, in_dims, in_scale));
        inputs[1] = gb_constant(&g, OH_NN_INT8, 4, last ? last_dims : rows_dims, w);
        gb_quantize(&g, inputs[1], per_channel ? oc : 1, scales, NULL);
        inputs[2] = gb_constant(&g, wide ? OH_NN_INT64 : OH_NN_INT32, 1, &s->oc, wide ? (void *)bias : (void *)bias32);
        output = gb_output(&g, tensor_s16(&g, 4, out_dims, out_scale));
        conv_params(&g, s, depthwise, activation);
        cr_assert_eq(gb_op(&g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, inputs, 1, &output),
                     OH_NN_SUCCESS, "%s", nnrt_last_error());
        run_and_close(&g, in, in_count * 2, out, out_count * 2);
        expect(out, want, out_count, what, way);
    }
    free(in);
    free(out);
    free(want);
    free(w);
    free(bias);
    free(bias32);
    free(scales);
}

Test(int16, convolutions_are_the_reference_with_sums_of_64_and_of_32_bits, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        const shape s = draw(i % 3 == 2 ? noise_in(2, 3) : 1, 0);
        check_conv(&s, false, i % 2 == 0, false, i % 4 < 2, i % 5 == 0 ? 1 : i % 5 == 1 ? 2 : 0);
    }
}

Test(int16, depthwise_convolutions_are_the_reference_in_both_layouts_of_the_weights, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        shape s = draw(1, i % 7 == 6 ? 2 : 1);
        const bool last = i % 2 == 0 && s.ic > 1;
        check_conv(&s, true, i % 4 < 2, last, i % 3 == 0, i % 5 == 0 ? 1 : 0);
    }
}

/* The largest sums that there are: every product is 2^22, or -32768 * 127. */
Test(int16, sums_that_leave_32_bits_are_exact) {
    static const int32_t lengths[] = {511, 512, 1023, 4079, 4080, 4081, 8175, 10000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int sign = 0; sign < 2; sign++) {
            const int32_t k = lengths[i], in_dims[2] = {1, k}, w_dims[2] = {3, k}, out_dims[2] = {1, 3}, three = 3;
            const double in_scale = 1.0 / 32768, w_scale = 1.0 / 64, out_scale = ldexp(1.0, -5);
            const double factor = (double)((float)in_scale * (float)w_scale) / out_scale;
            const int64_t bias[3] = {0, 1, -1};
            int16_t *in = (int16_t *)malloc((size_t)k * 2), out[3], want[3];
            int8_t *w = (int8_t *)malloc((size_t)k * 3);
            for (int32_t t = 0; t < k; t++) in[t] = -32768;
            memset(w, sign ? 127 : -128, (size_t)k * 3);
            for (int o = 0; o < 3; o++)
                want[o] =
                    to_s16(rescale_wide((int64_t)k * -32768 * (sign ? 127 : -128) + bias[o], factor), out_scale, 0);
            for (size_t way = 0; way < WAYS; way++) {
                gb_graph g;
                uint32_t inputs[3], output;
                if (!has_way(way)) continue;
                open_way(&g, way);
                inputs[0] = gb_input(&g, tensor_s16(&g, 2, in_dims, in_scale));
                inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), 1, &w_scale, NULL);
                inputs[2] = gb_constant(&g, OH_NN_INT64, 1, &three, bias);
                output = gb_output(&g, tensor_s16(&g, 2, out_dims, out_scale));
                gb_param_bool(&g, OH_NN_FULL_CONNECTION_HAS_BIAS, true);
                cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, inputs, 1, &output), OH_NN_SUCCESS);
                run_and_close(&g, in, (size_t)k * 2, out, sizeof out);
                expect(out, want, 3, "largest sums", way);
            }
            free(in);
            free(w);
        }
}

Test(int16, full_connections_are_the_reference, .timeout = 300) {
    for (int i = 0; i < 60; i++) {
        const int32_t rows = noise_in(1, 6), k = noise_in(1, 90), n = noise_in(1, 21);
        const int32_t in_dims[2] = {rows, k}, w_dims[2] = {n, k}, out_dims[2] = {rows, n};
        const bool with_bias = i % 3 != 0, wide = !with_bias || i % 2 == 0, per_channel = i % 4 == 3;
        const double in_scale = (double)(float)(0.0001 + noise_in(1, 99) * 1e-7), out_scale = (double)0.0007f;
        int16_t *in = (int16_t *)malloc((size_t)(rows * k) * 2), *out = (int16_t *)malloc((size_t)(rows * n) * 2);
        int16_t *want = (int16_t *)malloc((size_t)(rows * n) * 2);
        int8_t *w = (int8_t *)malloc((size_t)(n * k));
        int64_t *bias = (int64_t *)malloc((size_t)n * 8);
        int32_t *bias32 = (int32_t *)malloc((size_t)n * 4);
        double *scales = (double *)malloc((size_t)n * 8);
        for (int32_t j = 0; j < rows * k; j++) in[j] = number();
        for (int32_t j = 0; j < n * k; j++) w[j] = (int8_t)noise_in(-128, 127);
        for (int32_t j = 0; j < n; j++) bias[j] = bias32[j] = noise_in(-900000, 900000);
        for (int32_t j = 0; j < n; j++) scales[j] = (double)(float)(0.004 + noise_in(0, 999) * 1e-6);
        for (int32_t j = 0; j < rows * n; j++) {
            const double factor = per_channel ? in_scale * scales[j % n] / out_scale
                                              : (double)((float)in_scale * (float)scales[0]) / out_scale;
            int64_t sum = with_bias ? bias[j % n] : 0;
            for (int32_t t = 0; t < k; t++) sum += (int64_t)in[j / n * k + t] * w[j % n * k + t];
            want[j] = to_s16(wide ? rescale_wide(sum, factor) : rescale(sum, factor), out_scale, 0);
        }
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[3], output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            inputs[0] = gb_input(&g, tensor_s16(&g, 2, in_dims, in_scale));
            inputs[1] =
                gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), per_channel ? (size_t)n : 1, scales, NULL);
            inputs[2] = gb_constant(&g, wide ? OH_NN_INT64 : OH_NN_INT32, 1, &n, wide ? (void *)bias : (void *)bias32);
            output = gb_output(&g, tensor_s16(&g, 2, out_dims, out_scale));
            gb_param_bool(&g, OH_NN_FULL_CONNECTION_HAS_BIAS, with_bias);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, with_bias ? 3 : 2, inputs, 1, &output), OH_NN_SUCCESS,
                         "%s", nnrt_last_error());
            run_and_close(&g, in, (size_t)(rows * k) * 2, out, (size_t)(rows * n) * 2);
            expect(out, want, (size_t)(rows * n), "full connection", way);
        }
        free(in);
        free(out);
        free(want);
        free(w);
        free(bias);
        free(bias32);
        free(scales);
    }
}

Test(int16, transposed_convolutions_scatter_their_sums, .timeout = 300) {
    for (int round = 0; round < 20; round++) {
        const int32_t h = noise_in(1, 5), w = noise_in(1, 5), ic = noise_in(1, 5), oc = noise_in(1, 6);
        const int32_t kh = noise_in(1, 3), kw = noise_in(1, 3), sh = noise_in(1, 2), sw = noise_in(1, 3);
        const int32_t oh = (h - 1) * sh + kh, ow = (w - 1) * sw + kw;
        const int32_t in_dims[4] = {1, h, w, ic}, w_dims[4] = {oc, kh, kw, ic}, out_dims[4] = {1, oh, ow, oc};
        const size_t in_count = (size_t)(h * w * ic), w_count = (size_t)(oc * kh * kw * ic);
        const size_t out_count = (size_t)(oh * ow * oc);
        const bool wide = round % 2 == 0;
        const double in_scale = (double)0.0003f, w_scale = (double)0.007f, out_scale = (double)0.0011f;
        const int64_t strides[2] = {sh, sw}, ones[2] = {1, 1}, none[4] = {0, 0, 0, 0};
        int16_t *in = (int16_t *)malloc(in_count * 2), *out = (int16_t *)malloc(out_count * 2);
        int16_t *want = (int16_t *)malloc(out_count * 2);
        int64_t *sums = (int64_t *)malloc(out_count * 8), bias[6];
        int32_t bias32[6];
        int8_t *weights = (int8_t *)malloc(w_count);
        for (size_t i = 0; i < in_count; i++) in[i] = number();
        for (size_t i = 0; i < w_count; i++) weights[i] = (int8_t)noise_in(-128, 127);
        for (int32_t o = 0; o < oc; o++) bias[o] = bias32[o] = noise_in(-100000, 100000);
        for (size_t i = 0; i < out_count; i++) sums[i] = bias[i % (size_t)oc];
        for (int32_t at = 0; at < h * w * ic; at++)
            for (int32_t i = 0; i < kh; i++)
                for (int32_t j = 0; j < kw; j++)
                    for (int32_t o = 0; o < oc; o++) {
                        const int32_t y = at / ic / w * sh + i, x = at / ic % w * sw + j;
                        sums[(y * ow + x) * oc + o] += in[at] * weights[((o * kh + i) * kw + j) * ic + at % ic];
                    }
        for (size_t i = 0; i < out_count; i++) {
            const double factor = in_scale * w_scale / out_scale;
            want[i] = to_s16(wide ? rescale_wide(sums[i], factor) : rescale(sums[i], factor), out_scale, 0);
        }
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[3], output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            inputs[0] = gb_input(&g, tensor_s16(&g, 4, in_dims, in_scale));
            inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 4, w_dims, weights), 1, &w_scale, NULL);
            inputs[2] = gb_constant(&g, wide ? OH_NN_INT64 : OH_NN_INT32, 1, &oc, wide ? (void *)bias : (void *)bias32);
            output = gb_output(&g, tensor_s16(&g, 4, out_dims, out_scale));
            gb_param_i64s(&g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, strides);
            gb_param_i64s(&g, OH_NN_CONV2D_TRANSPOSE_DILATION, 2, ones);
            gb_param_i64s(&g, OH_NN_CONV2D_TRANSPOSE_PAD, 4, none);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D_TRANSPOSE, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s",
                         nnrt_last_error());
            run_and_close(&g, in, in_count * 2, out, out_count * 2);
            expect(out, want, out_count, "transposed convolution", way);
        }
        free(in);
        free(out);
        free(want);
        free(sums);
        free(weights);
    }
}

/* What scales and biases may not be, with the sentence. */
Test(int16, what_no_sum_can_hold_is_refused_with_a_sentence) {
    static const struct {
        double in_scale, out_scale;
        int32_t zero_point;
        int64_t bias;
        const char *sentence;
    } cases[] = {{1.0, 1.0 / 256, 0, 0, "less than 1/128"},
                 {1.0, 1.0, 0, ((int64_t)1 << 46) + 1, "outside -2^46..2^46"},
                 {1.0, 1.0, 0, INT64_MIN, "outside -2^46..2^46"},
                 {1.0, 1.0, 3, 0, "the zero point 0"},
                 {1.0, 1.0, 0, (int64_t)1 << 46, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int32_t in_dims[2] = {1, 4}, w_dims[2] = {1, 4}, out_dims[2] = {1, 1}, one = 1;
        const int8_t w[4] = {1, 2, 3, 4};
        const double unit = 1.0;
        gb_graph g;
        uint32_t inputs[3], output;
        gb_open(&g);
        inputs[0] = gb_input(
            &g, gb_quantize(&g, gb_tensor(&g, OH_NN_INT16, 2, in_dims), 1, &cases[i].in_scale, &cases[i].zero_point));
        inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), 1, &unit, NULL);
        inputs[2] = gb_constant(&g, OH_NN_INT64, 1, &one, &cases[i].bias);
        output = gb_output(&g, tensor_s16(&g, 2, out_dims, cases[i].out_scale));
        gb_param_bool(&g, OH_NN_FULL_CONNECTION_HAS_BIAS, true);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, inputs, 1, &output), OH_NN_SUCCESS);
        if (cases[i].sentence == NULL) {
            cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        } else {
            cr_assert_neq(gb_build(&g), OH_NN_SUCCESS);
            cr_assert_not_null(strstr(nnrt_last_error(), cases[i].sentence), "%s", nnrt_last_error());
        }
        gb_close(&g);
    }
}

/* A bias of floats would have been read as zeros. */
Test(int16, a_bias_is_int32_or_int64_and_nothing_else) {
    static const OH_NN_DataType types[] = {OH_NN_INT32, OH_NN_INT64,   OH_NN_FLOAT32, OH_NN_FLOAT16,
                                           OH_NN_INT8,  OH_NN_FLOAT64, OH_NN_UINT32};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const int32_t in_dims[2] = {1, 4}, w_dims[2] = {1, 4}, out_dims[2] = {1, 1}, one = 1;
        const int8_t w[4] = {1, 2, 3, 4}, bias[8] = {0, 0, 0x40, 0x40, 0, 0, 0, 0};
        gb_graph g;
        uint32_t inputs[3], output;
        gb_open(&g);
        inputs[0] = gb_input(&g, tensor_s16(&g, 2, in_dims, 1.0));
        inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, w_dims, w), 1, &(const double){1.0}, NULL);
        inputs[2] = gb_constant(&g, types[i], 1, &one, bias);
        output = gb_output(&g, tensor_s16(&g, 2, out_dims, 4.0));
        cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, inputs, 1, &output), OH_NN_SUCCESS);
        if (i < 2) {
            cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        } else {
            cr_assert_eq(gb_build(&g), OH_NN_FAILED, "type %d", (int)types[i]);
            cr_assert_not_null(strstr(nnrt_last_error(), "the bias must be"), "%s", nnrt_last_error());
        }
        gb_close(&g);
    }
}
