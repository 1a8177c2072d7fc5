/* SPDX-License-Identifier: Apache-2.0 */
/* test_uint8.c - what is computed in int8 where a model says uint8 (cpu/rewrite_uint8.h): products whose weights have a
   zero point, averages, sums, against references written here in integers as TensorFlow Lite defines them for uint8.

   Results are the same bytes for every instruction set and thread count. Numbers are drawn from a fixed seed. */
#include "linked.h"

#include "graph_builder.h"

#define SEED 20261125u

#include "int16_reference.h"

/* Shapes as those of a convolution have names; a full connection has h = w = kh = kw = 1. */
typedef struct shape {
    int32_t n, h, w, ic, oc, kh, kw, sh, sw, dh, dw, group, top, left, oh, ow;
    bool same; /* padding by the rule of SAME, where top and left are what it gives */
} shape;

typedef struct quantities {
    double in, weights, out;
    int32_t in_zero, weights_zero, out_zero;
    int activation;
} quantities;

static int32_t side(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, bool same, int32_t *before) {
    const int32_t reach = (kernel - 1) * dilation + 1;
    int32_t out, all;
    if (!same) return (in + 2 * *before - reach) / stride + 1;
    out = (in + stride - 1) / stride;
    all = (out - 1) * stride + reach - in;
    *before = all > 0 ? all / 2 : 0;
    return out;
}

static shape draw(bool depthwise, int32_t group) {
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
        s.dh = noise_in(0, 3) == 0 ? noise_in(2, 3) : 1;
        s.dw = noise_in(0, 3) == 0 ? 2 : 1;
        s.same = noise_in(0, 2) == 0;
        s.top = noise_in(0, 3);
        s.left = noise_in(0, 3);
        s.ic = depthwise ? noise_in(1, 35) : group * noise_in(1, group == 1 ? 35 : 5);
        s.oc = depthwise ? s.ic * (noise_in(0, 3) == 0 ? 2 : 1) : group * noise_in(1, group == 1 ? 20 : 5);
        s.group = depthwise ? s.ic : group;
    } while (!s.same && (s.h + 2 * s.top < (s.kh - 1) * s.dh + 1 || s.w + 2 * s.left < (s.kw - 1) * s.dw + 1));
    s.oh = side(s.h, s.kh, s.sh, s.dh, s.same, &s.top);
    s.ow = side(s.w, s.kw, s.sw, s.dw, s.same, &s.left);
    return s;
}

/* How far the weights go decides how many int8 each becomes: some fit one, most need two, 255 - 0 three. */
static quantities draw_quantities(int round) {
    static const int32_t zeros[5] = {128, 0, 255, 113, 151};
    quantities q;
    q.in = (double)(float)noise_between(0.01, 0.05);
    q.weights = (double)(float)noise_between(0.005, 0.02);
    q.out = (double)(float)noise_between(0.1, 0.4);
    q.in_zero = round % 4 == 0 ? 0 : noise_in(0, 255);
    q.weights_zero = zeros[round % 5];
    q.out_zero = noise_in(0, 255);
    q.activation = noise_in(0, 2);
    return q;
}

static uint8_t limit(int64_t x, const quantities *q) {
    int64_t low = 0, high = 255;
    x += q->out_zero;
    if (q->activation != 0) low = q->out_zero;
    if (q->activation == 2) high = q->out_zero + llround((double)(6.0f / (float)q->out));
    if (high > 255) high = 255;
    return (uint8_t)(x < low ? low : x > high ? high : x);
}

/* The product of the scales is rounded to float, for convolutions, too. */
static uint8_t finish(int64_t sum, const quantities *q) {
    return limit(rescale(sum, (double)((float)q->in * (float)q->weights) / q->out), q);
}

static uint8_t *bytes_of(size_t count) {
    uint8_t *p = (uint8_t *)malloc(count);
    for (size_t i = 0; i < count; i++) p[i] = (uint8_t)(noise_in(0, 7) == 0 ? 255 * noise_in(0, 1) : noise_in(0, 255));
    return p;
}

static uint32_t tensor_u8(gb_graph *g, size_t rank, const int32_t *dims, double scale, int32_t zero_point) {
    return gb_quantize(g, gb_tensor(g, OH_NN_UINT8, rank, dims), 1, &scale, &zero_point);
}

static uint32_t constant_u8(gb_graph *g, size_t rank, const int32_t *dims, const void *data, double scale,
                            int32_t zero_point) {
    return gb_quantize(g, gb_constant(g, OH_NN_UINT8, rank, dims, data), 1, &scale, &zero_point);
}

static void same(const uint8_t *got, const uint8_t *want, size_t count, const char *what, size_t way) {
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(got[i], want[i], "seed %u, %s, way %zu [%zu]: %d, not %d", SEED, what, way, i, got[i], want[i]);
}

/* --------------------------------------------------------------------------- convolution and its kin */

/* Weight of output channel o, tap (i, j), input channel c of the group: [oc][kh][kw][ic / group], or [1][kh][kw][oc].
 */
static int64_t weight_of(const shape *s, const uint8_t *w, bool last, int32_t o, int32_t i, int32_t j, int32_t c) {
    return last ? w[(i * s->kw + j) * s->oc + o] : w[((o * s->kh + i) * s->kw + j) * (s->ic / s->group) + c];
}

static int64_t convolve(const shape *s, const quantities *q, const uint8_t *in, const uint8_t *w, bool last,
                        const int32_t at[4]) {
    const int32_t each = s->ic / s->group, o = at[3], first = o / (s->oc / s->group) * each;
    int64_t sum = 0;
    for (int32_t i = 0; i < s->kh; i++)
        for (int32_t j = 0; j < s->kw; j++) {
            const int32_t y = at[1] * s->sh - s->top + i * s->dh, x = at[2] * s->sw - s->left + j * s->dw;
            if (y < 0 || y >= s->h || x < 0 || x >= s->w) continue;
            for (int32_t c = 0; c < each; c++)
                sum += (in[((at[0] * s->h + y) * s->w + x) * s->ic + first + c] - q->in_zero) *
                       (weight_of(s, w, last, o, i, j, c) - q->weights_zero);
        }
    return sum;
}

static void conv_params(gb_graph *g, const shape *s, bool depthwise, int activation) {
    const int64_t strides[2] = {s->sh, s->sw}, dilations[2] = {s->dh, s->dw};
    const int64_t pads[4] = {s->top, s->top, s->left, s->left};
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_STRIDES : OH_NN_CONV2D_STRIDES, 2, strides);
    gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_DILATION : OH_NN_CONV2D_DILATION, 2, dilations);
    if (s->same) gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD_MODE : OH_NN_CONV2D_PAD_MODE, 0);
    else gb_param_i64s(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_PAD : OH_NN_CONV2D_PAD, 4, pads);
    gb_param_i8(g, depthwise ? OH_NN_DEPTHWISE_CONV2D_NATIVE_ACTIVATION_TYPE : OH_NN_CONV2D_ACTIVATION_TYPE,
                activation);
    if (!depthwise) gb_param_i64(g, OH_NN_CONV2D_GROUP, s->group);
}

static void check_conv(const shape *s, const quantities *q, bool depthwise, bool last) {
    const int32_t in_dims[4] = {s->n, s->h, s->w, s->ic}, out_dims[4] = {s->n, s->oh, s->ow, s->oc};
    const int32_t rows_dims[4] = {s->oc, s->kh, s->kw, s->ic / s->group}, last_dims[4] = {1, s->kh, s->kw, s->oc};
    const size_t in_count = gb_bytes(OH_NN_UINT8, 4, in_dims), out_count = gb_bytes(OH_NN_UINT8, 4, out_dims);
    uint8_t *in = bytes_of(in_count), *out = bytes_of(out_count), *want = bytes_of(out_count);
    uint8_t *w = bytes_of(gb_bytes(OH_NN_UINT8, 4, rows_dims));
    int32_t *bias = (int32_t *)malloc((size_t)s->oc * 4);
    char what[200];
    for (int32_t o = 0; o < s->oc; o++) bias[o] = noise_in(-20000, 20000);
    for (size_t i = 0; i < out_count; i++) {
        const int32_t pixel = (int32_t)i / s->oc;
        const int32_t at[4] = {pixel / s->ow / s->oh, pixel / s->ow % s->oh, pixel % s->ow, (int32_t)i % s->oc};
        want[i] = finish(convolve(s, q, in, w, last, at) + bias[at[3]], q);
    }
    snprintf(what, sizeof what,
             "%s in %dx%dx%dx%d out c %d kernel %dx%d stride %d,%d dilation %d,%d group %d%s zero points %d %d",
             depthwise ? "depthwise" : "conv", s->n, s->h, s->w, s->ic, s->oc, s->kh, s->kw, s->sh, s->sw, s->dh, s->dw,
             s->group, s->same ? " same" : "", q->in_zero, q->weights_zero);
    for (size_t way = 0; way < WAYS; way++) {
        gb_graph g;
        uint32_t inputs[3], output;
        if (!has_way(way)) continue;
        open_way(&g, way);
        inputs[0] = gb_input(&g, tensor_u8(&g, 4, in_dims, q->in, q->in_zero));
        inputs[1] = constant_u8(&g, 4, last ? last_dims : rows_dims, w, q->weights, q->weights_zero);
        inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &s->oc, bias);
        output = gb_output(&g, tensor_u8(&g, 4, out_dims, q->out, q->out_zero));
        conv_params(&g, s, depthwise, q->activation);
        cr_assert_eq(gb_op(&g, depthwise ? OH_NN_OPS_DEPTHWISE_CONV2D_NATIVE : OH_NN_OPS_CONV2D, 3, inputs, 1, &output),
                     OH_NN_SUCCESS, "%s", nnrt_last_error());
        run_and_close(&g, in, in_count, out, out_count);
        same(out, want, out_count, what, way);
    }
    free(in), free(out), free(want), free(w), free(bias);
}

Test(uint8, convolutions_are_the_reference_whatever_the_zero_point_of_the_weights, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        const shape s = draw(false, i % 4 == 3 ? noise_in(2, 3) : 1);
        const quantities q = draw_quantities(i);
        check_conv(&s, &q, false, false);
    }
}

Test(uint8, depthwise_convolutions_are_the_reference_in_both_layouts_of_the_weights, .timeout = 300) {
    for (int i = 0; i < 40; i++) {
        const shape s = draw(true, 0);
        const quantities q = draw_quantities(i);
        check_conv(&s, &q, true, i % 2 == 0 && s.ic > 1);
    }
}

Test(uint8, full_connections_are_the_reference) {
    for (int i = 0; i < 30; i++) {
        const quantities q = draw_quantities(i);
        const int32_t rows = noise_in(1, 4), k = noise_in(1, 70), n = noise_in(1, 33), parts = i % 3 == 0 ? 2 : 1;
        /* an input of two dimensions for a row, each of which is followed by its copies */
        const int32_t in_dims[3] = {rows, parts, k}, flat_dims[2] = {rows, k}, out_dims[2] = {rows, n};
        const int32_t w_dims[2] = {n, parts * k}, all = parts * k;
        const size_t in_count = (size_t)(rows * all), out_count = (size_t)(rows * n);
        const bool with_bias = i % 4 != 0;
        uint8_t *in = bytes_of(in_count), *w = bytes_of((size_t)(n * all)), *out = bytes_of(out_count);
        uint8_t *want = bytes_of(out_count);
        int32_t *bias = (int32_t *)malloc((size_t)n * 4);
        for (int32_t o = 0; o < n; o++) bias[o] = noise_in(-20000, 20000);
        for (int32_t j = 0; j < rows * n; j++) {
            int64_t sum = with_bias ? bias[j % n] : 0;
            for (int32_t t = 0; t < all; t++)
                sum += (in[j / n * all + t] - q.in_zero) * (w[j % n * all + t] - q.weights_zero);
            want[j] = finish(sum, &q);
        }
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[3], output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            inputs[0] =
                gb_input(&g, tensor_u8(&g, parts > 1 ? 3 : 2, parts > 1 ? in_dims : flat_dims, q.in, q.in_zero));
            inputs[1] = constant_u8(&g, 2, w_dims, w, q.weights, q.weights_zero);
            inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &n, bias);
            output = gb_output(&g, tensor_u8(&g, 2, out_dims, q.out, q.out_zero));
            gb_param_bool(&g, OH_NN_FULL_CONNECTION_HAS_BIAS, with_bias);
            gb_param_i8(&g, OH_NN_FULL_CONNECTION_ACTIVATIONTYPE, q.activation);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, with_bias ? 3 : 2, inputs, 1, &output), OH_NN_SUCCESS,
                         "%s", nnrt_last_error());
            run_and_close(&g, in, in_count, out, out_count);
            same(out, want, out_count, "full connection", way);
        }
        free(in), free(w), free(out), free(want), free(bias);
    }
}

/* Weights [oc, kh, kw, ic], or [ic, kh, kw, oc]; no padding. */
Test(uint8, transposed_convolutions_scatter_their_sums) {
    for (int round = 0; round < 20; round++) {
        const quantities q = draw_quantities(round);
        const bool inputs_first = round % 2 != 0;
        const int32_t h = noise_in(1, 5), w = noise_in(1, 5), ic = noise_in(1, 5), oc = ic + noise_in(1, 6);
        const int32_t kh = noise_in(1, 3), kw = noise_in(1, 3), sh = noise_in(1, 2), sw = noise_in(1, 3);
        const int32_t oh = (h - 1) * sh + kh, ow = (w - 1) * sw + kw;
        const int32_t in_dims[4] = {1, h, w, ic}, out_dims[4] = {1, oh, ow, oc};
        const int32_t w_dims[4] = {inputs_first ? ic : oc, kh, kw, inputs_first ? oc : ic};
        const int64_t strides[2] = {sh, sw}, pads[4] = {0, 0, 0, 0};
        const size_t in_count = (size_t)(h * w * ic), out_count = (size_t)(oh * ow * oc);
        uint8_t *in = bytes_of(in_count), *weights = bytes_of((size_t)(oc * kh * kw * ic)), *out = bytes_of(out_count);
        uint8_t *want = bytes_of(out_count);
        int32_t *bias = (int32_t *)malloc((size_t)oc * 4);
        int64_t *sums = (int64_t *)malloc(out_count * 8);
        for (int32_t o = 0; o < oc; o++) bias[o] = noise_in(-20000, 20000);
        for (size_t i = 0; i < out_count; i++) sums[i] = bias[i % (size_t)oc];
        for (int32_t at = 0; at < h * w * ic; at++)
            for (int32_t i = 0; i < kh; i++)
                for (int32_t j = 0; j < kw; j++)
                    for (int32_t o = 0; o < oc; o++) {
                        const int32_t c = at % ic, y = at / ic / w * sh + i, x = at / ic % w * sw + j;
                        const int32_t place =
                            inputs_first ? ((c * kh + i) * kw + j) * oc + o : ((o * kh + i) * kw + j) * ic + c;
                        sums[(y * ow + x) * oc + o] += (in[at] - q.in_zero) * (weights[place] - q.weights_zero);
                    }
        for (size_t i = 0; i < out_count; i++) want[i] = finish(sums[i], &q);
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[3], output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            inputs[0] = gb_input(&g, tensor_u8(&g, 4, in_dims, q.in, q.in_zero));
            inputs[1] = constant_u8(&g, 4, w_dims, weights, q.weights, q.weights_zero);
            inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &oc, bias);
            output = gb_output(&g, tensor_u8(&g, 4, out_dims, q.out, q.out_zero));
            gb_param_i64s(&g, OH_NN_CONV2D_TRANSPOSE_STRIDES, 2, strides);
            gb_param_i64s(&g, OH_NN_CONV2D_TRANSPOSE_PAD, 4, pads);
            gb_param_i8(&g, OH_NN_CONV2D_TRANSPOSE_ACTIVATION_TYPE, q.activation);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D_TRANSPOSE, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s",
                         nnrt_last_error());
            run_and_close(&g, in, in_count, out, out_count);
            same(out, want, out_count, "transposed", way);
        }
        free(in), free(weights), free(out), free(want), free(bias), free(sums);
    }
}

/* --------------------------------------------------------------------------- what is no product */

/* The sum of bytes as they are, and half of their number, divided: ties go up. Of int8 they go away from zero. */
Test(uint8, averages_round_their_ties_up_and_maxima_choose) {
    const int32_t in_dims[4] = {1, 6, 4, 19}, out_dims[4] = {1, 3, 2, 19};
    const int64_t two[2] = {2, 2}, pads[4] = {0, 0, 0, 0};
    for (int round = 0; round < 10; round++) {
        const quantities q = draw_quantities(round);
        const bool average = round % 2 == 0;
        uint8_t *in = bytes_of(6 * 4 * 19), *out = bytes_of(3 * 2 * 19), *want = bytes_of(3 * 2 * 19);
        for (int32_t i = 0; i < 3 * 2 * 19; i++) {
            const int32_t y = i / 38 * 2, x = i / 19 % 2 * 2, c = i % 19;
            int32_t sum = 0, most = 0;
            for (int32_t k = 0; k < 4; k++) {
                const int32_t byte = in[((y + k / 2) * 4 + x + k % 2) * 19 + c];
                sum += byte;
                most = byte > most ? byte : most;
            }
            want[i] = (uint8_t)(average ? (sum + 2) / 4 : most);
        }
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t input, output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            input = gb_input(&g, tensor_u8(&g, 4, in_dims, q.in, q.in_zero));
            output = gb_output(&g, tensor_u8(&g, 4, out_dims, q.in, q.in_zero));
            gb_param_i64s(&g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, two);
            gb_param_i64s(&g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, two);
            gb_param_i64s(&g, average ? OH_NN_AVG_POOL_PAD : OH_NN_MAX_POOL_PAD, 4, pads);
            cr_assert_eq(gb_op(&g, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &input, 1, &output),
                         OH_NN_SUCCESS, "%s", nnrt_last_error());
            run_and_close(&g, in, 6 * 4 * 19, out, 3 * 2 * 19);
            same(out, want, 3 * 2 * 19, average ? "average" : "maximum", way);
        }
        free(in), free(out), free(want);
    }
}

/* The integers of ADD, SUB, MUL and SQUARED_DIFFERENCE, one operand of which is a constant. */
static uint8_t binary_reference(OH_NN_OperationType op, const quantities *q, int64_t a, int64_t b) {
    const double twice = 2 * (q->in > q->weights ? q->in : q->weights);
    const bool square = op == OH_NN_OPS_SQUARED_DIFFERENCE;
    const int left = square ? 7 : 20;
    double first = q->in / twice, second = q->weights / twice, last = twice / ((double)(1 << 20) * q->out);
    int64_t x, y;
    if (op == OH_NN_OPS_MUL) return limit(rescale(a * b, q->in * q->weights / q->out), q);
    if (op == OH_NN_OPS_SUB) { /* its factors are quotients of floats */
        first = (double)((float)q->in / (float)twice);
        second = (double)((float)q->weights / (float)twice);
        last = (double)((float)twice / (float)((double)(1 << 20) * q->out));
    }
    x = rescale(a * (1 << left), first);
    y = rescale(b * (1 << left), second);
    if (square) return limit(rescale((x - y) * (x - y), twice * twice / ((double)(1 << 14) * q->out)), q);
    return limit(rescale(op == OH_NN_OPS_SUB ? x - y : x + y, last), q);
}

Test(uint8, sums_and_products_of_two_operands_have_the_roundings_of_the_reference) {
    static const OH_NN_OperationType ops[4] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL,
                                               OH_NN_OPS_SQUARED_DIFFERENCE};
    const int32_t dims[1] = {500};
    for (int round = 0; round < 40; round++) {
        const OH_NN_OperationType op = ops[round % 4];
        quantities q = draw_quantities(round);
        uint8_t *a = bytes_of(500), *b = bytes_of(500), *out = bytes_of(500), *want = bytes_of(500);
        if (op == OH_NN_OPS_SQUARED_DIFFERENCE) q.activation = 0;
        for (size_t i = 0; i < 500; i++) want[i] = binary_reference(op, &q, a[i] - q.in_zero, b[i] - q.weights_zero);
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t inputs[2], output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            inputs[0] = gb_input(&g, tensor_u8(&g, 1, dims, q.in, q.in_zero));
            inputs[1] = constant_u8(&g, 1, dims, b, q.weights, q.weights_zero);
            output = gb_output(&g, tensor_u8(&g, 1, dims, q.out, q.out_zero));
            if (op == OH_NN_OPS_ADD) gb_param_i8(&g, OH_NN_ADD_ACTIVATIONTYPE, q.activation);
            if (op == OH_NN_OPS_SUB) gb_param_i8(&g, OH_NN_SUB_ACTIVATIONTYPE, q.activation);
            if (op == OH_NN_OPS_MUL) gb_param_i8(&g, OH_NN_MUL_ACTIVATION_TYPE, q.activation);
            cr_assert_eq(gb_op(&g, op, 2, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
            run_and_close(&g, a, 500, out, 500);
            same(out, want, 500, nnrt__op_name((int)op), way);
        }
        free(a), free(b), free(out), free(want);
    }
}

/* In float, of the bytes as they are, and cut off behind a half: 2 x 2 to 3 x 3, corners aligned. */
Test(uint8, bilinear_resizing_rounds_bytes) {
    static const uint8_t in[4] = {0, 255, 101, 4}, want[9] = {0, 128, 255, 51, 90, 130, 101, 53, 4};
    const int32_t in_dims[4] = {1, 2, 2, 1}, out_dims[4] = {1, 3, 3, 1};
    for (int zero = 0; zero < 256; zero += 51) {
        uint8_t out[9];
        gb_graph g;
        uint32_t input, output;
        gb_open(&g);
        input = gb_input(&g, tensor_u8(&g, 4, in_dims, 0.3, zero));
        output = gb_output(&g, tensor_u8(&g, 4, out_dims, 0.3, zero));
        gb_param_i64(&g, OH_NN_RESIZE_BILINEAR_NEW_HEIGHT, 3);
        gb_param_i64(&g, OH_NN_RESIZE_BILINEAR_NEW_WIDTH, 3);
        gb_param_i8(&g, OH_NN_RESIZE_BILINEAR_COORDINATE_TRANSFORM_MODE, 1);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_RESIZE_BILINEAR, 1, &input, 1, &output), OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        run_and_close(&g, in, 4, out, 9);
        same(out, want, 9, "resize", (size_t)zero);
    }
}

/* Reduces the two middle axes of [2, 3, 5, 4] bytes of dtype and quantization *q in the given way. */
static void reduce_bytes(OH_NN_OperationType op, OH_NN_DataType dtype, const quantities *q, int32_t offset, size_t way,
                         const uint8_t *in, uint8_t *out) {
    const int32_t in_dims[4] = {2, 3, 5, 4}, out_dims[2] = {2, 4}, axes[2] = {1, 2};
    const int32_t in_zero = q->in_zero - offset, out_zero = q->out_zero - offset;
    uint32_t inputs[2], output;
    gb_graph g;
    open_way(&g, way);
    inputs[0] = gb_input(&g, gb_quantize(&g, gb_tensor(&g, dtype, 4, in_dims), 1, &q->in, &in_zero));
    inputs[1] = gb_ints(&g, 2, axes);
    output = gb_output(&g, gb_quantize(&g, gb_tensor(&g, dtype, 2, out_dims), 1, &q->out, &out_zero));
    cr_assert_eq(gb_op(&g, op, 2, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g, in, 120, out, 8);
}

/* A reduction of 15 bytes from `at` on, each 4 further, as a real number between 0 and 255. */
static double reduced(OH_NN_OperationType op, const quantities *q, const uint8_t *at) {
    double sum = 0, product = 1, most = -1e9, least = 1e9, real;
    for (size_t i = 0; i < 15; i++) {
        const double x = q->in * (at[4 * i] - q->in_zero);
        sum += x, product *= x;
        most = x > most ? x : most, least = x < least ? x : least;
    }
    real = op == OH_NN_OPS_REDUCE_MEAN  ? sum / 15
           : op == OH_NN_OPS_REDUCE_SUM ? sum
           : op == OH_NN_OPS_REDUCE_MAX ? most
           : op == OH_NN_OPS_REDUCE_MIN ? least
                                        : product;
    real = q->out_zero + real / q->out;
    return real < 0 ? 0 : real > 255 ? 255 : real;
}

/* Bytes are reduced as int8 that are 128 less; means and sums are near the real numbers: the fixed point of the
   reference rounds twice. */
Test(uint8, reductions_are_those_of_int8_and_near_the_real_numbers) {
    static const OH_NN_OperationType ops[5] = {OH_NN_OPS_REDUCE_MEAN, OH_NN_OPS_REDUCE_SUM, OH_NN_OPS_REDUCE_MAX,
                                               OH_NN_OPS_REDUCE_MIN, OH_NN_OPS_REDUCE_PROD};
    for (int round = 0; round < 50; round++) {
        const OH_NN_OperationType op = ops[round % 5];
        quantities q = draw_quantities(round);
        uint8_t *in = bytes_of(120), *less = bytes_of(120), *out = bytes_of(8), *like = bytes_of(8);
        if (op == OH_NN_OPS_REDUCE_MAX || op == OH_NN_OPS_REDUCE_MIN) q.out = q.in, q.out_zero = q.in_zero;
        if (op == OH_NN_OPS_REDUCE_SUM) q.out = 4 * q.in;
        if (op == OH_NN_OPS_REDUCE_PROD) q.in = q.out = 1.0 / 128, q.in_zero = 3, q.out_zero = 100;
        for (size_t i = 0; i < 120; i++) less[i] = (uint8_t)(in[i] - 128);
        for (size_t way = 0; way < WAYS; way++) {
            if (!has_way(way)) continue;
            reduce_bytes(op, OH_NN_UINT8, &q, 0, way, in, out);
            reduce_bytes(op, OH_NN_INT8, &q, 128, way, less, like);
            for (size_t i = 0; i < 8; i++) {
                const double real = reduced(op, &q, in + i / 4 * 60 + i % 4);
                cr_assert_eq(out[i], (uint8_t)(like[i] + 128), "%s, round %d", nnrt__op_name((int)op), round);
                cr_assert(op == OH_NN_OPS_REDUCE_PROD || (out[i] >= real - 0.751 && out[i] <= real + 0.751),
                          "%s, round %d: %d for %g", nnrt__op_name((int)op), round, (int)out[i], real);
            }
        }
        free(in), free(less), free(out), free(like);
    }
}

/* --------------------------------------------------------------------------- graphs */

/* Two convolutions, the second of which takes what the first one wrote as int8; the tensor between is an output, too,
   where outputs is 2. How many steps it takes. */
static uint32_t steps_of_chain(uint32_t outputs, int32_t weights_zero) {
    const int32_t dims[4] = {1, 4, 4, 3}, w_dims[4] = {3, 1, 1, 3}, three = 3;
    const int64_t ones[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
    const uint8_t w[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int32_t bias[3] = {0, 0, 0};
    const nnrt_profile_step *steps;
    uint32_t inputs[3], between, count, k;
    OH_NNExecutor *executor;
    gb_graph g;
    gb_open(&g);
    inputs[0] = gb_input(&g, tensor_u8(&g, 4, dims, 0.1, 3));
    for (k = 0; k < 2; k++) {
        inputs[1] = constant_u8(&g, 4, w_dims, w, 0.1, weights_zero);
        inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &three, bias);
        between = tensor_u8(&g, 4, dims, 0.2, 7);
        if (k == 1 || outputs == 2) gb_output(&g, between);
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        gb_param_i64s(&g, OH_NN_CONV2D_PAD, 4, pads);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D, 3, inputs, 1, &between), OH_NN_SUCCESS, "%s", nnrt_last_error());
        inputs[0] = between;
    }
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    executor = OH_NNExecutor_Construct(g.compilation);
    cr_assert_eq(nnrt_executor_get_profile(executor, &steps, &count), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&executor);
    gb_close(&g);
    return count;
}

Test(uint8, one_product_takes_from_another_without_a_cast) {
    cr_assert_eq(steps_of_chain(1, 128), 4u); /* in, two convolutions, out */
    cr_assert_eq(steps_of_chain(2, 128), 5u); /* and the one between, for the program */
    cr_assert_eq(steps_of_chain(1, 0), 4u);
    cr_assert_eq(steps_of_chain(1, 200), 4u); /* weights down to -199: nothing is copied */
}

/* A reader that was added before the writer. */
Test(uint8, operators_may_be_added_in_any_order) {
    const int32_t dims[4] = {1, 2, 2, 1}, w_dims[4] = {1, 1, 1, 1}, one = 1;
    const int64_t ones[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
    const uint8_t w = 2, in[4] = {0, 1, 2, 3}, want[4] = {0, 4, 8, 12};
    const int32_t bias = 0;
    uint8_t out[4];
    uint32_t inputs[3], input, between, output, k;
    gb_graph g;
    gb_open(&g);
    input = gb_input(&g, tensor_u8(&g, 4, dims, 1, 0));
    between = tensor_u8(&g, 4, dims, 1, 0);
    output = gb_output(&g, tensor_u8(&g, 4, dims, 1, 0));
    for (k = 0; k < 2; k++) {
        const uint32_t to = k == 0 ? output : between;
        inputs[0] = k == 0 ? between : input;
        inputs[1] = constant_u8(&g, 4, w_dims, &w, 1, 0);
        inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &one, &bias);
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        gb_param_i64s(&g, OH_NN_CONV2D_PAD, 4, pads);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D, 3, inputs, 1, &to), OH_NN_SUCCESS, "%s", nnrt_last_error());
    }
    run_and_close(&g, in, 4, out, 4);
    same(out, want, 4, "two convolutions", 0);
}

Test(uint8, weights_that_are_computed_or_have_several_scales_are_refused) {
    static const double scales[2] = {0.1, 0.2};
    static const int32_t zeros[2] = {1, 2};
    const int32_t dims[4] = {1, 2, 2, 2}, w_dims[4] = {2, 1, 1, 2}, two = 2;
    const int64_t ones[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
    const uint8_t w[4] = {1, 2, 3, 4};
    const int32_t bias[2] = {0, 0};
    for (int way = 0; way < 2; way++) {
        uint32_t inputs[3], output;
        gb_graph g;
        gb_open(&g);
        inputs[0] = gb_input(&g, tensor_u8(&g, 4, dims, 1, 0));
        inputs[1] = way == 0 ? gb_input(&g, tensor_u8(&g, 4, w_dims, 1, 0))
                             : gb_quantize(&g, gb_constant(&g, OH_NN_UINT8, 4, w_dims, w), 2, scales, zeros);
        inputs[2] = gb_constant(&g, OH_NN_INT32, 1, &two, bias);
        output = gb_output(&g, tensor_u8(&g, 4, dims, 1, 0));
        gb_param_i64s(&g, OH_NN_CONV2D_STRIDES, 2, ones);
        gb_param_i64s(&g, OH_NN_CONV2D_PAD, 4, pads);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_CONV2D, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
        cr_assert_neq(gb_build(&g), OH_NN_SUCCESS);
        cr_assert_not_null(strstr(nnrt_last_error(), "uint8 with one scale for each tensor"), "%s", nnrt_last_error());
        gb_close(&g);
    }
}
