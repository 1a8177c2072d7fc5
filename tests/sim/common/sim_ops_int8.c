/* SPDX-License-Identifier: Apache-2.0 */
/* sim_ops_int8.c - int8 layers in the fixed-point arithmetic of TensorFlow Lite's reference kernels.

   Written from the definition of that arithmetic and not from nnrt's kernels, so that the two can judge each other.
   Plain loops: the simulated NPU need not be fast. sim_model_read.c has checked shapes, types and parameters. */
#include <math.h>
#include <string.h>

#include "sim_network.h"

/* -------------------------------------------------------------------------------------------- fixed point */

/* round(a * b / 2^31): ties away from zero for positive products and up for negative ones. */
static int32_t sim_high_mul(int32_t a, int32_t b) {
    int64_t product = (int64_t)a * b;
    if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
    product += product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
    return (int32_t)(product / ((int64_t)1 << 31)); /* towards zero */
}

/* x / 2^exponent, 0 <= exponent <= 31, to nearest, ties away from zero. */
static int32_t sim_divide_pot(int32_t x, int exponent) {
    int64_t magnitude = x < 0 ? -(int64_t)x : x;
    magnitude = exponent == 0 ? magnitude : (magnitude + ((int64_t)1 << (exponent - 1))) >> exponent;
    return (int32_t)(x < 0 ? -magnitude : magnitude);
}

static int32_t sim_shift_left(int32_t x, int32_t by) { return (int32_t)((uint32_t)x << by); }

static int32_t sim_rescale(int32_t x, int32_t multiplier, int32_t shift) {
    return sim_divide_pot(sim_high_mul(sim_shift_left(x, shift > 0 ? shift : 0), multiplier), shift > 0 ? 0 : -shift);
}

bool sim_quantize_multiplier(double real, int32_t *multiplier, int32_t *shift) {
    int exponent;
    double fraction = frexp(real, &exponent);
    int64_t fixed = (int64_t)round(fraction * 2147483648.0);
    *multiplier = 0;
    *shift = 0;
    if (!(real > 0)) return real == 0;
    if (fixed == (int64_t)1 << 31) {
        fixed /= 2;
        exponent++;
    }
    if (exponent > 30) return false;
    if (exponent < -31) return true;
    *multiplier = (int32_t)fixed;
    *shift = exponent;
    return true;
}

static int8_t sim_clamp8(int64_t x, int32_t low, int32_t high) { return (int8_t)(x < low ? low : x > high ? high : x); }

/* The int8 range that an activation leaves. */
static void sim_range(int32_t activation, const sim_tensor *t, int32_t *low, int32_t *high) {
    double zero = t->zp;
    *low = -128;
    *high = 127;
    if (activation == SIM_RELU_ONLY || activation == SIM_RELU6) {
        if (zero > *low) *low = t->zp < 127 ? t->zp : 127;
    }
    if (activation == SIM_RELU6) {
        double top = zero + (double)roundf(6.0f / t->scale);
        if (top < *high) *high = top > -128 ? (int32_t)top : -128;
    }
    if (activation == SIM_RELU1) {
        double bottom = zero + (double)roundf(-1.0f / t->scale), top = zero + (double)roundf(1.0f / t->scale);
        if (bottom > *low) *low = bottom < 127 ? (int32_t)bottom : 127;
        if (top < *high) *high = top > -128 ? (int32_t)top : -128;
    }
}

/* ----------------------------------------------------------------------------------------------- products */

static int8_t sim_finish(const sim_layer *layer, const sim_view *out, uint32_t channel, int64_t sum, int32_t low,
                         int32_t high) {
    int32_t wrapped = (int32_t)(uint32_t)(uint64_t)sum; /* the accumulator has 32 bits */
    return sim_clamp8((int64_t)sim_rescale(wrapped, layer->multipliers[channel], layer->shifts[channel]) +
                          out->value->tensor.zp,
                      low, high);
}

/* One output pixel of channel oc. For depthwise the filter has one input channel, ic. */
static int64_t sim_window_sum(const sim_layer *layer, const sim_view *in, const int8_t *filter, size_t filter_step,
                              const uint32_t *window, uint32_t n, int64_t y0, int64_t x0, uint32_t c0, uint32_t count) {
    const int8_t *data = (const int8_t *)in[0].data;
    const uint32_t *d = in[0].dims;
    int32_t zero = in[0].value->tensor.zp;
    int64_t sum = 0;
    uint32_t ky, kx, c;
    for (ky = 0; ky < window[0]; ky++)
        for (kx = 0; kx < window[1]; kx++) {
            int64_t y = y0 + (int64_t)ky * layer->params[SIM_P_DILATION_H];
            int64_t x = x0 + (int64_t)kx * layer->params[SIM_P_DILATION_W];
            const int8_t *pixel, *weights = filter + (ky * (size_t)window[1] + kx) * filter_step;
            if (y < 0 || x < 0 || y >= d[1] || x >= d[2]) continue; /* padding is real zero */
            pixel = data + ((n * (size_t)d[1] + (size_t)y) * d[2] + (size_t)x) * d[3] + c0;
            for (c = 0; c < count; c++) sum += (pixel[c] - zero) * weights[c];
        }
    return sum;
}

static void sim_convolve(const sim_layer *layer, const sim_view *in, const sim_view *out, bool depthwise) {
    const uint32_t *d = in[0].dims, *f = in[1].dims, *o = out->dims;
    const int8_t *filter = (const int8_t *)in[1].data;
    const int32_t *bias = (const int32_t *)in[2].data;
    int8_t *to = (int8_t *)out->data;
    uint32_t top, left, n, y, x, c, multiple = o[3] / d[3];
    bool valid = layer->params[SIM_P_VALID] != 0;
    int32_t low, high;
    sim_window(d[1], f[1], layer->params[SIM_P_STRIDE_H], layer->params[SIM_P_DILATION_H], valid, &top);
    sim_window(d[2], f[2], layer->params[SIM_P_STRIDE_W], layer->params[SIM_P_DILATION_W], valid, &left);
    sim_range(layer->params[SIM_P_ACTIVATION], &out->value->tensor, &low, &high);
    for (n = 0; n < o[0]; n++)
        for (y = 0; y < o[1]; y++)
            for (x = 0; x < o[2]; x++)
                for (c = 0; c < o[3]; c++) {
                    int64_t y0 = (int64_t)y * layer->params[SIM_P_STRIDE_H] - top;
                    int64_t x0 = (int64_t)x * layer->params[SIM_P_STRIDE_W] - left;
                    int64_t sum = bias != NULL ? bias[c] : 0;
                    if (depthwise)
                        sum += sim_window_sum(layer, in, filter + c, o[3], f + 1, n, y0, x0, c / multiple, 1);
                    else
                        sum += sim_window_sum(layer, in, filter + c * (size_t)f[1] * f[2] * f[3], f[3], f + 1, n, y0,
                                              x0, 0, f[3]);
                    *to++ = sim_finish(layer, out, c, sum, low, high);
                }
}

static void sim_connect(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    uint32_t n = in[1].dims[0], k = in[1].dims[1], c, i;
    size_t rows = sim_elements(in[0].dims, in[0].value->tensor.rank) / k, row;
    const int32_t *bias = (const int32_t *)in[2].data;
    int32_t zero = in[0].value->tensor.zp, low, high;
    sim_range(layer->params[SIM_P_ACTIVATION], &out->value->tensor, &low, &high);
    for (row = 0; row < rows; row++)
        for (c = 0; c < n; c++) {
            const int8_t *a = (const int8_t *)in[0].data + row * k;
            const int8_t *w = (const int8_t *)in[1].data + (size_t)c * k;
            int64_t sum = bias != NULL ? bias[c] : 0;
            for (i = 0; i < k; i++) sum += (a[i] - zero) * w[i];
            ((int8_t *)out->data)[row * n + c] = sim_finish(layer, out, c, sum, low, high);
        }
}

/* ----------------------------------------------------------------------------------- pools, sums, padding */

static void sim_pool(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const uint32_t *d = in[0].dims, *o = out->dims;
    const int8_t *data = (const int8_t *)in[0].data;
    int8_t *to = (int8_t *)out->data;
    uint32_t height = (uint32_t)layer->params[SIM_P_DILATION_H], width = (uint32_t)layer->params[SIM_P_DILATION_W];
    uint32_t top, left, n, y, x, c, ky, kx;
    bool valid = layer->params[SIM_P_VALID] != 0;
    int32_t low, high;
    sim_window(d[1], height, layer->params[SIM_P_STRIDE_H], 1, valid, &top);
    sim_window(d[2], width, layer->params[SIM_P_STRIDE_W], 1, valid, &left);
    sim_range(layer->params[SIM_P_ACTIVATION], &out->value->tensor, &low, &high);
    for (n = 0; n < o[0]; n++)
        for (y = 0; y < o[1]; y++)
            for (x = 0; x < o[2]; x++)
                for (c = 0; c < o[3]; c++) {
                    int64_t sum = 0, count = 0, most = -128;
                    for (ky = 0; ky < height; ky++)
                        for (kx = 0; kx < width; kx++) {
                            int64_t yy = (int64_t)y * layer->params[SIM_P_STRIDE_H] - top + ky;
                            int64_t xx = (int64_t)x * layer->params[SIM_P_STRIDE_W] - left + kx;
                            int8_t value;
                            if (yy < 0 || xx < 0 || yy >= d[1] || xx >= d[2]) continue;
                            value = data[((n * (size_t)d[1] + (size_t)yy) * d[2] + (size_t)xx) * d[3] + c];
                            sum += value;
                            count++;
                            if (value > most) most = value;
                        }
                    if (count == 0) count = 1;
                    sum = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
                    *to++ = sim_clamp8(layer->op == SIM_MAX_POOL ? most : sum, low, high);
                }
}

static void sim_add(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const sim_tensor *a = &in[0].value->tensor, *b = &in[1].value->tensor, *c = &out->value->tensor;
    double twice = 2 * (double)(a->scale > b->scale ? a->scale : b->scale);
    size_t count = sim_elements(out->dims, c->rank), i;
    int32_t multiplier[3], shift[3], low, high;
    sim_quantize_multiplier((double)a->scale / twice, &multiplier[0], &shift[0]);
    sim_quantize_multiplier((double)b->scale / twice, &multiplier[1], &shift[1]);
    sim_quantize_multiplier(twice / (1048576.0 * (double)c->scale), &multiplier[2], &shift[2]);
    sim_range(layer->params[SIM_P_ACTIVATION], c, &low, &high);
    for (i = 0; i < count; i++) {
        int32_t x = (((const int8_t *)in[0].data)[i] - a->zp) * 1048576;
        int32_t y = (((const int8_t *)in[1].data)[i] - b->zp) * 1048576;
        int32_t sum = sim_rescale(x, multiplier[0], shift[0]) + sim_rescale(y, multiplier[1], shift[1]);
        ((int8_t *)out->data)[i] = sim_clamp8((int64_t)sim_rescale(sum, multiplier[2], shift[2]) + c->zp, low, high);
    }
}

static void sim_pad(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const int32_t *pads = layer->params + SIM_P_PADS;
    const uint32_t *d = in[0].dims, *o = out->dims;
    uint32_t n, y, x;
    memset(out->data, out->value->tensor.zp & 0xff, sim_elements(o, 4));
    for (n = 0; n < d[0]; n++)
        for (y = 0; y < d[1]; y++)
            for (x = 0; x < d[2]; x++)
                memcpy((int8_t *)out->data +
                           (((n + (size_t)pads[0]) * o[1] + y + (size_t)pads[2]) * o[2] + x + (size_t)pads[4]) * o[3] +
                           pads[6],
                       (const int8_t *)in[0].data + ((n * (size_t)d[1] + y) * d[2] + x) * d[3], d[3]);
}

static void sim_relu(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const sim_tensor *from = &in[0].value->tensor, *to = &out->value->tensor;
    size_t count = sim_elements(out->dims, to->rank), i;
    int32_t multiplier, shift, low, high;
    sim_quantize_multiplier((double)(from->scale / to->scale), &multiplier, &shift);
    sim_range(layer->params[SIM_P_ACTIVATION], to, &low, &high);
    for (i = 0; i < count; i++) {
        int32_t x = ((const int8_t *)in[0].data)[i] - from->zp;
        ((int8_t *)out->data)[i] = sim_clamp8((int64_t)sim_rescale(x, multiplier, shift) + to->zp, low, high);
    }
}

/* ------------------------------------------------------------------------------------- softmax

   Fixed-point numbers with i integer bits are int32 that count 2^(i - 31). */

static int32_t sim_saturating_shift(int32_t x, int by) {
    int64_t wide = (int64_t)x * ((int64_t)1 << by);
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

/* exp(x) with 0 integer bits, x in [-1/4, 0) with 0 integer bits: a polynomial around -1/8. */
static int32_t sim_exp_quarter(int32_t x) {
    const int32_t constant = 1895147668 /* exp(-1/8) */, third = 715827883;
    int32_t t = x + (1 << 28);
    int32_t t2 = sim_high_mul(t, t), t3 = sim_high_mul(t2, t), t4 = sim_high_mul(t2, t2);
    int32_t tail = sim_divide_pot(sim_high_mul(sim_divide_pot(t4, 2) + t3, third) + t2, 1);
    return constant + sim_high_mul(constant, t + tail);
}

/* exp(x) with 0 integer bits, x <= 0 with 5 integer bits: the last quarter by polynomial, the rest by factors of
   exp(-1/4), exp(-1/2), exp(-1) ... exp(-16). */
static int32_t sim_exp(int32_t x) {
    static const int32_t factors[7] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
    const int32_t quarter = 1 << 24;
    int32_t rest = (x & (quarter - 1)) - quarter;
    int32_t result = sim_exp_quarter(sim_saturating_shift(rest, 5));
    int32_t remainder = rest - x;
    int i;
    if (x == 0) return INT32_MAX;
    for (i = 0; i < 7; i++)
        if (remainder & (quarter << i)) result = sim_high_mul(result, factors[i]);
    return result;
}

/* 1 / (1 + x) with 0 integer bits, x in [0, 1) with 0 integer bits: three steps of Newton's method, 2 integer bits. */
static int32_t sim_reciprocal(int32_t x) {
    const int32_t one = 1 << 29;
    int32_t half = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
    int32_t guess = 1515870810 /* 48/17 */ + sim_high_mul(half, -1010580540 /* -32/17 */);
    int i;
    for (i = 0; i < 3; i++) guess += sim_saturating_shift(sim_high_mul(guess, one - sim_high_mul(half, guess)), 2);
    return sim_saturating_shift(guess, 1);
}

static void sim_softmax(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const sim_tensor *t = &in[0].value->tensor;
    size_t depth = in[0].dims[t->rank - 1], rows = sim_elements(in[0].dims, t->rank) / depth, row, i;
    int32_t multiplier, shift, smallest;
    double real;
    float beta;
    memcpy(&beta, &layer->params[SIM_P_BETA], sizeof beta);
    real = (double)beta * (double)t->scale * 67108864.0;
    sim_quantize_multiplier(real < 2147483647.0 ? real : 2147483647.0, &multiplier, &shift);
    if (shift < 0) shift = 0;
    smallest = -(int32_t)floor(31.0 * 67108864.0 / (double)((int64_t)1 << shift));
    for (row = 0; row < rows; row++) {
        const int8_t *x = (const int8_t *)in[0].data + row * depth;
        int8_t *y = (int8_t *)out->data + row * depth;
        int32_t most = -128, sum = 0, scale, headroom = 0;
        for (i = 0; i < depth; i++)
            if (x[i] > most) most = x[i];
        for (i = 0; i < depth; i++)
            if (x[i] - most >= smallest)
                sum += sim_divide_pot(sim_exp(sim_high_mul(sim_shift_left(x[i] - most, shift), multiplier)), 12);
        while (headroom < 31 && !((uint32_t)sum << headroom & 0x80000000u)) headroom++;
        scale = sim_reciprocal((int32_t)(((uint32_t)sum << headroom) - 0x80000000u));
        for (i = 0; i < depth; i++) {
            int32_t value = 0;
            if (x[i] - most >= smallest) {
                int32_t e = sim_exp(sim_high_mul(sim_shift_left(x[i] - most, shift), multiplier));
                int32_t by = 12 - headroom + 31 - 8;
                value = sim_divide_pot(sim_high_mul(scale, e), by < 0 ? 0 : by > 31 ? 31 : by);
            }
            y[i] = sim_clamp8((int64_t)value - 128, -128, 127);
        }
    }
}

/* -------------------------------------------------------------------------------------------------------  */

int sim_run_int8(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    switch (layer->op) {
    case SIM_CONV: sim_convolve(layer, in, out, false); return 0;
    case SIM_DEPTHWISE: sim_convolve(layer, in, out, true); return 0;
    case SIM_FULL: sim_connect(layer, in, out); return 0;
    case SIM_AVERAGE_POOL:
    case SIM_MAX_POOL: sim_pool(layer, in, out); return 0;
    case SIM_ADD: sim_add(layer, in, out); return 0;
    case SIM_SOFTMAX: sim_softmax(layer, in, out); return 0;
    case SIM_PAD: sim_pad(layer, in, out); return 0;
    case SIM_RELU: sim_relu(layer, in, out); return 0;
    case SIM_COPY:
    case SIM_RESHAPE: memcpy(out->data, in[0].data, sim_elements(out->dims, out->value->tensor.rank)); return 0;
    default: return SIM_FAILED;
    }
}
