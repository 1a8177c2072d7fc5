/* SPDX-License-Identifier: Apache-2.0 */
/* sim_ops_float.c - layers in float32, for every type of tensor: inputs become float32, results the output's type.

   The NPU computes float16 models with float16 between layers, and so does this, because every value is stored in its
   own type. int16 tensors and int8 tensors with unusual neighbours come here as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_network.h"

/* ------------------------------------------------------------------------------------------------ float16 */

uint16_t sim_half(float x) {
    uint32_t bits, sign, mantissa, kept, rest, halfway;
    int32_t exponent, drop;
    memcpy(&bits, &x, sizeof bits);
    sign = bits >> 16 & 0x8000u;
    exponent = (int32_t)(bits >> 23 & 0xff);
    mantissa = bits & 0x7fffffu;
    if (exponent == 0xff) return (uint16_t)(sign | 0x7c00u | (mantissa != 0 ? 0x200u : 0u));
    if (exponent < 102) return (uint16_t)sign; /* below half of the smallest */
    mantissa |= 0x800000u;
    drop = exponent < 113 ? 126 - exponent : 13; /* bits that do not fit */
    kept = mantissa >> drop;
    rest = mantissa & ((1u << drop) - 1);
    halfway = 1u << (drop - 1);
    if (rest > halfway || (rest == halfway && (kept & 1))) kept++;
    if (exponent >= 113) kept += (uint32_t)(exponent - 113) << 10; /* the hidden bit counts one exponent */
    return (uint16_t)(sign | (kept < 0x7c00u ? kept : 0x7c00u));
}

float sim_from_half(uint16_t x) {
    int exponent = x >> 10 & 31, mantissa = x & 0x3ff;
    float magnitude;
    if (exponent == 31) magnitude = mantissa != 0 ? (float)NAN : (float)INFINITY;
    else magnitude = exponent == 0 ? ldexpf((float)mantissa, -24) : ldexpf((float)(mantissa + 1024), exponent - 25);
    return x & 0x8000 ? -magnitude : magnitude;
}

/* -------------------------------------------------------------------------------------------- conversions */

double sim_read_number(const void *data, sim_type type, size_t i) {
    switch (type) {
    case SIM_FLOAT32: return (double)((const float *)data)[i];
    case SIM_FLOAT16: return (double)sim_from_half(((const uint16_t *)data)[i]);
    case SIM_INT8: return ((const int8_t *)data)[i];
    case SIM_UINT8:
    case SIM_BOOL: return ((const uint8_t *)data)[i];
    case SIM_INT16: return ((const int16_t *)data)[i];
    case SIM_UINT16: return ((const uint16_t *)data)[i];
    case SIM_INT32: return ((const int32_t *)data)[i];
    case SIM_UINT32: return ((const uint32_t *)data)[i];
    case SIM_INT64: return (double)((const int64_t *)data)[i];
    default: return 0;
    }
}

/* x to nearest, ties to even, within low..high; NaN gives zero. */
static double sim_round_within(double x, double zero, double low, double high) {
    if (x != x) x = zero;
    x = x > low ? x : low;
    return nearbyint(x < high ? x : high);
}

void sim_write_number(void *data, sim_type type, size_t i, double x, double zero) {
    switch (type) {
    case SIM_FLOAT32: ((float *)data)[i] = (float)x; return;
    case SIM_FLOAT16: ((uint16_t *)data)[i] = sim_half((float)x); return;
    case SIM_INT8: ((int8_t *)data)[i] = (int8_t)sim_round_within(x, zero, -128, 127); return;
    case SIM_UINT8: ((uint8_t *)data)[i] = (uint8_t)sim_round_within(x, zero, 0, 255); return;
    case SIM_BOOL: ((uint8_t *)data)[i] = x != 0; return;
    case SIM_INT16: ((int16_t *)data)[i] = (int16_t)sim_round_within(x, zero, -32768, 32767); return;
    case SIM_UINT16: ((uint16_t *)data)[i] = (uint16_t)sim_round_within(x, zero, 0, 65535); return;
    case SIM_INT32: ((int32_t *)data)[i] = (int32_t)sim_round_within(x, zero, -2147483648.0, 2147483647.0); return;
    case SIM_UINT32: ((uint32_t *)data)[i] = (uint32_t)sim_round_within(x, zero, 0, 4294967295.0); return;
    case SIM_INT64: ((int64_t *)data)[i] = (int64_t)sim_round_within(x, zero, -9e18, 9e18); return;
    default: return;
    }
}

/* All elements as float32, in a block that the caller frees; NULL: no memory. */
static float *sim_floats(const sim_view *view) {
    const sim_value *value = view->value;
    const sim_tensor *t = &value->tensor;
    size_t count = sim_elements(view->dims, t->rank), inner = 1, i;
    float *floats = (float *)malloc(count * sizeof *floats);
    uint32_t d;
    if (floats == NULL) return NULL;
    for (d = value->scale_axis + 1; d < t->rank; d++) inner *= view->dims[d];
    for (i = 0; i < count; i++) {
        double x = sim_read_number(view->data, t->type, i);
        if (value->n_scales != 0) x = x * (double)value->scales[i / inner % value->n_scales];
        else if (t->quant == SIM_QUANT_AFFINE) x = (double)((float)(x - t->zp) * t->scale);
        else if (t->quant == SIM_QUANT_DFP) x = ldexp(x, -t->fl);
        floats[i] = (float)x;
    }
    return floats;
}

static void sim_store(const sim_view *view, const float *floats) {
    const sim_tensor *t = &view->value->tensor;
    size_t count = sim_elements(view->dims, t->rank), i;
    for (i = 0; i < count; i++) {
        if (t->quant == SIM_QUANT_AFFINE)
            sim_write_number(view->data, t->type, i, nearbyint((double)(floats[i] / t->scale)) + t->zp, t->zp);
        else if (t->quant == SIM_QUANT_DFP)
            sim_write_number(view->data, t->type, i, ldexp((double)floats[i], t->fl), 0);
        else sim_write_number(view->data, t->type, i, (double)floats[i], 0);
    }
}

/* ------------------------------------------------------------------------------------------------- layers */

static float sim_activate(int32_t activation, float x) {
    if (activation == SIM_RELU_ONLY || activation == SIM_RELU6) x = x > 0 ? x : 0;
    if (activation == SIM_RELU1) x = x > -1 ? x : -1;
    if (activation == SIM_RELU6) x = x < 6 ? x : 6;
    if (activation == SIM_RELU1) x = x < 1 ? x : 1;
    return x;
}

/* Convolution, depthwise convolution and both pools: everything that looks through a window. */
static void sim_windows(const sim_layer *layer, const sim_view *in, float *const *data, const sim_view *out,
                        float *to) {
    const uint32_t *d = in[0].dims, *o = out->dims;
    bool pool = layer->op == SIM_AVERAGE_POOL || layer->op == SIM_MAX_POOL, depthwise = layer->op == SIM_DEPTHWISE;
    uint32_t height = pool ? (uint32_t)layer->params[SIM_P_DILATION_H] : in[1].dims[1];
    uint32_t width = pool ? (uint32_t)layer->params[SIM_P_DILATION_W] : in[1].dims[2];
    int32_t down = pool ? 1 : layer->params[SIM_P_DILATION_H], across = pool ? 1 : layer->params[SIM_P_DILATION_W];
    uint32_t top, left, n, y, x, c, ky, kx, i;
    sim_window(d[1], height, layer->params[SIM_P_STRIDE_H], down, layer->params[SIM_P_VALID] != 0, &top);
    sim_window(d[2], width, layer->params[SIM_P_STRIDE_W], across, layer->params[SIM_P_VALID] != 0, &left);
    for (n = 0; n < o[0]; n++)
        for (y = 0; y < o[1]; y++)
            for (x = 0; x < o[2]; x++)
                for (c = 0; c < o[3]; c++) {
                    float sum = 0, most = -INFINITY;
                    uint32_t count = 0;
                    for (ky = 0; ky < height; ky++)
                        for (kx = 0; kx < width; kx++) {
                            int64_t yy = (int64_t)y * layer->params[SIM_P_STRIDE_H] - top + (int64_t)ky * down;
                            int64_t xx = (int64_t)x * layer->params[SIM_P_STRIDE_W] - left + (int64_t)kx * across;
                            const float *pixel;
                            if (yy < 0 || xx < 0 || yy >= d[1] || xx >= d[2]) continue;
                            pixel = data[0] + ((n * (size_t)d[1] + (size_t)yy) * d[2] + (size_t)xx) * d[3];
                            if (pool) {
                                sum += pixel[c];
                                if (pixel[c] > most) most = pixel[c];
                                count++;
                            } else if (depthwise) {
                                sum += pixel[c / (o[3] / d[3])] * data[1][(ky * (size_t)width + kx) * o[3] + c];
                            } else {
                                const float *w = data[1] + ((c * (size_t)height + ky) * width + kx) * d[3];
                                for (i = 0; i < d[3]; i++) sum += pixel[i] * w[i];
                            }
                        }
                    if (layer->op == SIM_AVERAGE_POOL) sum /= (float)(count != 0 ? count : 1);
                    if (layer->op == SIM_MAX_POOL) sum = most;
                    if (!pool && data[2] != NULL) sum += data[2][c];
                    *to++ = sim_activate(layer->params[SIM_P_ACTIVATION], sum);
                }
}

static void sim_full_float(const sim_layer *layer, const sim_view *in, float *const *data, float *to) {
    uint32_t n = in[1].dims[0], k = in[1].dims[1], c, i;
    size_t rows = sim_elements(in[0].dims, in[0].value->tensor.rank) / k, row;
    for (row = 0; row < rows; row++)
        for (c = 0; c < n; c++) {
            float sum = 0;
            for (i = 0; i < k; i++) sum += data[0][row * k + i] * data[1][(size_t)c * k + i];
            if (data[2] != NULL) sum += data[2][c];
            to[row * n + c] = sim_activate(layer->params[SIM_P_ACTIVATION], sum);
        }
}

static void sim_softmax_float(const sim_layer *layer, const sim_view *in, const float *x, float *y) {
    uint32_t rank = in[0].value->tensor.rank;
    size_t depth = in[0].dims[rank - 1], rows = sim_elements(in[0].dims, rank) / depth, row, i;
    float beta;
    memcpy(&beta, &layer->params[SIM_P_BETA], sizeof beta);
    for (row = 0; row < rows; row++, x += depth, y += depth) {
        float most = x[0], sum = 0;
        for (i = 1; i < depth; i++)
            if (x[i] > most) most = x[i];
        for (i = 0; i < depth; i++) sum += y[i] = expf((x[i] - most) * beta);
        for (i = 0; i < depth; i++) y[i] /= sum;
    }
}

static void sim_pad_float(const sim_layer *layer, const sim_view *in, const float *from, const sim_view *out,
                          float *to) {
    const int32_t *pads = layer->params + SIM_P_PADS;
    const uint32_t *d = in[0].dims, *o = out->dims;
    size_t count = sim_elements(o, 4), i;
    uint32_t n, y, x;
    for (i = 0; i < count; i++) to[i] = 0;
    for (n = 0; n < d[0]; n++)
        for (y = 0; y < d[1]; y++)
            for (x = 0; x < d[2]; x++)
                memcpy(to + (((n + (size_t)pads[0]) * o[1] + y + (size_t)pads[2]) * o[2] + x + (size_t)pads[4]) * o[3] +
                           pads[6],
                       from + ((n * (size_t)d[1] + y) * d[2] + x) * d[3], d[3] * sizeof *to);
}

static void sim_compute(const sim_layer *layer, const sim_view *in, float *const *data, const sim_view *out,
                        float *to) {
    size_t count = sim_elements(out->dims, out->value->tensor.rank), i;
    switch (layer->op) {
    case SIM_CONV:
    case SIM_DEPTHWISE:
    case SIM_AVERAGE_POOL:
    case SIM_MAX_POOL: sim_windows(layer, in, data, out, to); break;
    case SIM_FULL: sim_full_float(layer, in, data, to); break;
    case SIM_SOFTMAX: sim_softmax_float(layer, in, data[0], to); break;
    case SIM_PAD: sim_pad_float(layer, in, data[0], out, to); break;
    case SIM_ADD:
        for (i = 0; i < count; i++) to[i] = sim_activate(layer->params[SIM_P_ACTIVATION], data[0][i] + data[1][i]);
        break;
    case SIM_RELU:
        for (i = 0; i < count; i++) to[i] = sim_activate(layer->params[SIM_P_ACTIVATION], data[0][i]);
        break;
    case SIM_LOGISTIC:
        for (i = 0; i < count; i++) to[i] = 1.0f / (1.0f + expf(-data[0][i]));
        break;
    default: memcpy(to, data[0], count * sizeof *to); break; /* COPY, RESHAPE */
    }
}

/* Integers that float32 cannot hold stay what they are when only moved. */
static bool sim_moves_bytes(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    const sim_tensor *a = &in[0].value->tensor, *b = &out->value->tensor;
    return (layer->op == SIM_COPY || layer->op == SIM_RESHAPE) && a->type == b->type && a->quant == b->quant &&
           a->fl == b->fl && a->zp == b->zp && memcmp(&a->scale, &b->scale, sizeof a->scale) == 0;
}

int sim_run_float(const sim_layer *layer, const sim_view *in, const sim_view *out) {
    float *data[3] = {NULL, NULL, NULL}, *to = NULL;
    int result = SIM_NO_MEMORY;
    uint32_t i;
    if (sim_moves_bytes(layer, in, out)) {
        sim_tensor now = out->value->tensor;
        memcpy(now.dims, out->dims, sizeof now.dims);
        memcpy(out->data, in[0].data, sim_tensor_bytes(&now));
        return 0;
    }
    for (i = 0; i < layer->n_inputs && i < 3; i++) {
        if (in[i].data == NULL) continue;
        data[i] = sim_floats(&in[i]);
        if (data[i] == NULL) goto out;
    }
    to = (float *)malloc(sim_elements(out->dims, out->value->tensor.rank) * sizeof *to);
    if (to == NULL) goto out;
    sim_compute(layer, in, data, out, to);
    sim_store(out, to);
    result = 0;
out:
    for (i = 0; i < 3; i++) free(data[i]);
    free(to);
    return result;
}
