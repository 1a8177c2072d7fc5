/* SPDX-License-Identifier: Apache-2.0 */
/* sim_model.c - reads the container of make_model.py, which describes it, and runs the network in it.

   The bytes are untrusted: every number is checked here once, at load, for every shape of a dynamic model; what runs
   afterwards believes it. Nothing here knows boards, padding or NPU layouts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_model.h"
#include "sim_network.h"

#define SIM_HEADER 64
#define SIM_MAGIC 0x4d49534eu /* "NSIM" */
#define SIM_MAX_VALUES 4096u
#define SIM_MAX_LAYERS 4096u
#define SIM_MAX_BYTES ((uint64_t)1 << 26) /* of one tensor */

struct sim_model {
    char platform[32];
    uint32_t format_version;
    char custom_string[1024];
    bool multi_core;
    uint32_t shapes, n_values, n_inputs, n_outputs, n_layers, n_custom;
    sim_value *values;
    uint32_t *inputs, *outputs; /* of values */
    sim_layer *layers;
    uint32_t *custom; /* of layers */
    uint32_t weight_bytes, internal_bytes;
};

/* ------------------------------------------------------------------------------------- reading */

/* A cursor that never passes its end: after the first read beyond it everything reads as zero. */
typedef struct sim_reader {
    const uint8_t *at;
    size_t left;
    const char *error;
} sim_reader;

static void sim_refuse(sim_reader *r, const char *why) {
    if (r->error == NULL) r->error = why;
    r->left = 0;
}

static const uint8_t *sim_take(sim_reader *r, size_t size) {
    const uint8_t *at = r->at;
    if (r->left < size) {
        sim_refuse(r, "the network ends in the middle of a field");
        return NULL;
    }
    r->at += size;
    r->left -= size;
    return at;
}

static uint32_t sim_u32_at(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t sim_u64_at(const uint8_t *p) {
    return sim_u32_at(p) | (uint64_t)sim_u32_at(p + 4) << 32;
}

static uint32_t sim_u32(sim_reader *r) {
    const uint8_t *p = sim_take(r, 4);
    return p != NULL ? sim_u32_at(p) : 0;
}

static uint32_t sim_u32_up_to(sim_reader *r, uint32_t most, const char *why) {
    uint32_t value = sim_u32(r);
    if (value > most) sim_refuse(r, why);
    return value > most ? 0 : value;
}

static int32_t sim_i32(sim_reader *r) {
    uint32_t bits = sim_u32(r);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float sim_f32(sim_reader *r) {
    uint32_t bits = sim_u32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void sim_text(sim_reader *r, char *to, size_t room) {
    uint32_t length = sim_u32_up_to(r, (uint32_t)room - 1, "a name is too long");
    const uint8_t *p = sim_take(r, length);
    memset(to, 0, room);
    if (p != NULL) memcpy(to, p, length);
}

static void *sim_room(sim_reader *r, size_t count, size_t size) {
    void *block = calloc(count != 0 ? count : 1, size);
    if (block == NULL) sim_refuse(r, "no memory for the network");
    return block;
}

/* ------------------------------------------------------------------------------------- sizes */

size_t sim_elements(const uint32_t *dims, uint32_t rank) {
    size_t count = 1;
    uint32_t i;
    for (i = 0; i < rank; i++) count *= dims[i];
    return count;
}

static size_t sim_type_size(nnrt_rknn_tensor_type type) {
    switch (type) {
        case NNRT_RKNN_FLOAT32:
        case NNRT_RKNN_INT32:
        case NNRT_RKNN_UINT32: return 4;
        case NNRT_RKNN_FLOAT16:
        case NNRT_RKNN_INT16:
        case NNRT_RKNN_UINT16: return 2;
        case NNRT_RKNN_INT8:
        case NNRT_RKNN_UINT8:
        case NNRT_RKNN_BOOL: return 1;
        case NNRT_RKNN_INT64: return 8;
        default: return 0;
    }
}

size_t sim_tensor_bytes(const sim_tensor *tensor) {
    return sim_elements(tensor->dims, tensor->rank) * sim_type_size(tensor->type);
}

static size_t sim_value_bytes(const sim_value *value, uint32_t shape) {
    return sim_elements(value->dims[shape], value->tensor.rank) * sim_type_size(value->tensor.type);
}

uint32_t sim_window(uint32_t size, uint32_t window, int32_t stride, int32_t dilation, bool valid, uint32_t *before) {
    int64_t span = ((int64_t)window - 1) * dilation + 1, count, missing;
    *before = 0;
    if (valid) return size < span ? 0 : (uint32_t)((size - span) / stride + 1);
    count = ((int64_t)size + stride - 1) / stride;
    missing = (count - 1) * stride + span - size;
    if (missing > 0) *before = (uint32_t)(missing / 2);
    return (uint32_t)count;
}

/* ------------------------------------------------------------------------------------- values */

static void sim_read_scales(sim_reader *r, sim_value *value) {
    uint32_t i;
    value->n_scales = sim_u32_up_to(r, 65536, "too many scales");
    value->scale_axis = sim_u32_up_to(r, 3, "scales along a dimension that is not there");
    if (value->n_scales == 0 || r->error != NULL) return;
    if (value->scale_axis >= value->tensor.rank || value->dims[0][value->scale_axis] != value->n_scales) {
        value->n_scales = 0;
        sim_refuse(r, "scales along a dimension of another length");
        return;
    }
    value->scales = (float *)sim_room(r, value->n_scales, sizeof *value->scales);
    for (i = 0; i < value->n_scales && value->scales != NULL; i++) {
        value->scales[i] = sim_f32(r);
        if (!(value->scales[i] >= 0 && value->scales[i] < INFINITY)) sim_refuse(r, "a scale is not a number");
    }
}

static void sim_read_constant(sim_reader *r, sim_value *value) {
    uint32_t present = sim_u32_up_to(r, 1, "a constant is neither there nor not there");
    size_t bytes = sim_value_bytes(value, 0);
    const uint8_t *from;
    uint32_t shape;
    if (present == 0 || r->error != NULL) return;
    for (shape = 1; shape < SIM_MAX_SHAPES && value->dims[shape][0] != 0; shape++)
        if (memcmp(value->dims[shape], value->dims[0], sizeof value->dims[0]) != 0)
            sim_refuse(r, "a constant changes its shape");
    from = sim_take(r, bytes);
    if (from == NULL) return;
    value->data = (uint8_t *)sim_room(r, bytes, 1);
    if (value->data != NULL) memcpy(value->data, from, bytes); /* little-endian here as there */
    sim_read_scales(r, value);
}

static void sim_read_value(sim_reader *r, const sim_model *model, sim_value *value) {
    sim_tensor *t = &value->tensor;
    uint32_t shape, i;
    sim_text(r, t->name, sizeof t->name);
    t->type = (nnrt_rknn_tensor_type)sim_u32_up_to(r, (uint32_t)NNRT_RKNN_BOOL, "a tensor of an unknown type");
    t->quant = (nnrt_rknn_qnt_type)sim_u32_up_to(r, (uint32_t)NNRT_RKNN_QNT_AFFINE, "an unknown quantisation");
    i = sim_u32(r);
    t->fl = (int8_t)(i < 32 ? i : 0);
    t->zp = sim_i32(r);
    t->scale = sim_f32(r);
    t->image = sim_u32_up_to(r, 1, "an image is an image or not") != 0;
    for (i = 0; i < 4; i++) t->mean[i] = sim_f32(r);
    for (i = 0; i < 4; i++) t->std[i] = sim_f32(r);
    t->rank = sim_u32(r);
    if (t->rank < 1 || t->rank > 4) {
        t->rank = 1;
        sim_refuse(r, "a tensor has 0 or more than 4 dimensions");
    }
    for (shape = 0; shape < model->shapes; shape++) {
        uint64_t bytes = sim_type_size(t->type);
        for (i = 0; i < t->rank; i++) {
            uint32_t dim = sim_u32_up_to(r, 1u << 24, "a dimension is too large");
            if (dim == 0) sim_refuse(r, "a dimension is 0");
            value->dims[shape][i] = dim;
            bytes *= dim;
            if (bytes > SIM_MAX_BYTES) {
                sim_refuse(r, "a tensor has more than 64 MiB");
                bytes = 0;
            }
        }
    }
    memcpy(t->dims, value->dims[0], sizeof t->dims);
    if (r->error != NULL) return;
    if (t->quant == NNRT_RKNN_QNT_AFFINE && !(t->scale > 0 && t->scale < INFINITY)) {
        sim_refuse(r, "a scale is not a positive number");
        return;
    }
    if (t->quant == NNRT_RKNN_QNT_AFFINE &&
        ((t->type == NNRT_RKNN_INT8 && (t->zp < -128 || t->zp > 127)) || t->zp < -32768 || t->zp > 32767)) {
        sim_refuse(r, "a zero point is not a value of its type");
        return;
    }
    sim_read_constant(r, value);
}

/* ------------------------------------------------------------------------------------- layers */

static void sim_read_layer(sim_reader *r, const sim_model *model, sim_layer *layer, uint8_t *known) {
    const uint8_t *attributes;
    uint32_t i, count;
    layer->op = (sim_op)sim_u32_up_to(r, (uint32_t)SIM_OPS - 1, "an unknown operator");
    sim_text(r, layer->name, sizeof layer->name);
    layer->n_inputs = sim_u32_up_to(r, SIM_MAX_LAYER_IO, "a layer has too many inputs");
    for (i = 0; i < layer->n_inputs; i++) {
        uint32_t value = layer->inputs[i] = sim_u32(r);
        if (value == SIM_ABSENT && i > 0) continue;
        if (value >= model->n_values || !known[value]) {
            sim_refuse(r, "a layer reads a tensor that nothing has computed");
            return;
        }
    }
    layer->n_outputs = sim_u32_up_to(r, SIM_MAX_LAYER_IO, "a layer has too many outputs");
    for (i = 0; i < layer->n_outputs; i++) {
        uint32_t value = layer->outputs[i] = sim_u32(r);
        if (value >= model->n_values || known[value]) {
            sim_refuse(r, "a layer computes a tensor that is there already");
            return;
        }
        known[value] = 1;
    }
    count = sim_u32_up_to(r, SIM_MAX_PARAMS, "a layer has too many parameters");
    for (i = 0; i < count; i++) layer->params[i] = sim_i32(r);
    layer->attribute_bytes = sim_u32_up_to(r, 1u << 20, "the attributes of an operator have more than 1 MiB");
    attributes = sim_take(r, layer->attribute_bytes);
    if (attributes == NULL) return;
    layer->attributes = (uint8_t *)sim_room(r, layer->attribute_bytes, 1);
    if (layer->attributes != NULL && layer->attribute_bytes != 0)
        memcpy(layer->attributes, attributes, layer->attribute_bytes);
    if (layer->n_inputs == 0 || layer->n_outputs == 0) sim_refuse(r, "a layer without input or output");
}

static const sim_value *sim_in(const sim_model *model, const sim_layer *layer, uint32_t i) {
    if (i >= layer->n_inputs || layer->inputs[i] == SIM_ABSENT) return NULL;
    return &model->values[layer->inputs[i]];
}

static bool sim_param_within(const sim_layer *layer, uint32_t param, int32_t low, int32_t high) {
    return layer->params[param] >= low && layer->params[param] <= high;
}

/* The output of a window layer is as large as its input, window and strides say. */
static bool sim_window_fits(const sim_layer *layer, const uint32_t *d, const uint32_t *o, const uint32_t *window,
                            bool pool) {
    bool valid = layer->params[SIM_P_VALID] != 0;
    uint32_t before;
    return o[1] == sim_window(d[1], window[0], layer->params[SIM_P_STRIDE_H],
                              pool ? 1 : layer->params[SIM_P_DILATION_H], valid, &before) &&
           o[2] == sim_window(d[2], window[1], layer->params[SIM_P_STRIDE_W],
                              pool ? 1 : layer->params[SIM_P_DILATION_W], valid, &before) &&
           o[0] == d[0];
}

static const char *sim_check_weights(const sim_model *model, const sim_layer *layer, uint32_t channels) {
    const sim_value *filter = sim_in(model, layer, 1), *bias = sim_in(model, layer, 2);
    if (filter == NULL || filter->data == NULL || layer->n_inputs > 3) return "a layer without constant weights";
    if (bias != NULL && (bias->data == NULL || sim_elements(bias->dims[0], bias->tensor.rank) != channels))
        return "a bias that is not one constant per channel";
    return NULL;
}

static const char *sim_check_windows(const sim_model *model, const sim_layer *layer, uint32_t shape) {
    const sim_value *in = sim_in(model, layer, 0), *filter = sim_in(model, layer, 1);
    const sim_value *out = &model->values[layer->outputs[0]];
    const uint32_t *d = in->dims[shape], *o = out->dims[shape];
    bool pool = layer->op == SIM_AVERAGE_POOL || layer->op == SIM_MAX_POOL;
    uint32_t window[2];
    if (in->tensor.rank != 4 || out->tensor.rank != 4) return "a window layer needs tensors of 4 dimensions";
    if (!sim_param_within(layer, SIM_P_STRIDE_H, 1, 4096) || !sim_param_within(layer, SIM_P_STRIDE_W, 1, 4096) ||
        !sim_param_within(layer, SIM_P_DILATION_H, 1, 4096) || !sim_param_within(layer, SIM_P_DILATION_W, 1, 4096))
        return "a stride, dilation or window is below 1 or above 4096";
    if (pool) {
        window[0] = (uint32_t)layer->params[SIM_P_DILATION_H];
        window[1] = (uint32_t)layer->params[SIM_P_DILATION_W];
        if (o[3] != d[3]) return "a pool changes the number of channels";
    } else {
        const char *error = sim_check_weights(model, layer, o[3]);
        if (error != NULL) return error;
        if (filter->tensor.rank != 4) return "a filter needs 4 dimensions";
        window[0] = filter->dims[0][1];
        window[1] = filter->dims[0][2];
        if (layer->op == SIM_CONV ? filter->dims[0][0] != o[3] || filter->dims[0][3] != d[3]
                                  : filter->dims[0][0] != 1 || filter->dims[0][3] != o[3] || o[3] % d[3] != 0)
            return "a filter has other channels than its tensors";
    }
    return sim_window_fits(layer, d, o, window, pool) ? NULL : "a window layer with an output of another size";
}

static const char *sim_check_full(const sim_model *model, const sim_layer *layer, uint32_t shape) {
    const sim_value *in = sim_in(model, layer, 0), *filter = sim_in(model, layer, 1);
    const sim_value *out = &model->values[layer->outputs[0]];
    size_t k, n, elements = sim_elements(in->dims[shape], in->tensor.rank);
    const char *error;
    if (filter == NULL || filter->tensor.rank != 2) return "a full connection needs a matrix of weights";
    n = filter->dims[0][0];
    k = filter->dims[0][1];
    error = sim_check_weights(model, layer, (uint32_t)n);
    if (error != NULL) return error;
    if (elements % k != 0 || sim_elements(out->dims[shape], out->tensor.rank) != elements / k * n)
        return "a full connection whose matrix does not fit its tensors";
    return NULL;
}

static const char *sim_check_pad(const sim_layer *layer, const uint32_t *d, const uint32_t *o) {
    uint32_t i;
    for (i = 0; i < 4; i++) {
        if (!sim_param_within(layer, SIM_P_PADS + 2 * i, 0, 65536) ||
            !sim_param_within(layer, SIM_P_PADS + 2 * i + 1, 0, 65536))
            return "a padding below 0 or too large";
        if ((int64_t)o[i] != (int64_t)d[i] + layer->params[SIM_P_PADS + 2 * i] + layer->params[SIM_P_PADS + 2 * i + 1])
            return "a padded tensor of another size";
    }
    return NULL;
}

static const char *sim_check_layer(const sim_model *model, const sim_layer *layer, uint32_t shape) {
    const sim_value *in = sim_in(model, layer, 0), *other = sim_in(model, layer, 1);
    const sim_value *out = &model->values[layer->outputs[0]];
    const uint32_t *d = in->dims[shape], *o = out->dims[shape];
    uint32_t rank = in->tensor.rank;
    size_t elements = sim_elements(d, rank);
    bool same = rank == out->tensor.rank && memcmp(d, o, sizeof in->dims[0]) == 0;
    float beta;
    if (layer->op == SIM_CUSTOM) return NULL;
    if (layer->n_outputs != 1) return "an operator with several outputs";
    if (!sim_param_within(layer, SIM_P_ACTIVATION, SIM_LINEAR, SIM_RELU6)) return "an unknown activation";
    switch (layer->op) {
        case SIM_CONV:
        case SIM_DEPTHWISE:
        case SIM_AVERAGE_POOL:
        case SIM_MAX_POOL: return sim_check_windows(model, layer, shape);
        case SIM_FULL: return sim_check_full(model, layer, shape);
        case SIM_ADD:
            return same && other != NULL && other->tensor.rank == rank &&
                           memcmp(other->dims[shape], d, sizeof in->dims[0]) == 0
                       ? NULL
                       : "a sum of tensors of different shapes";
        case SIM_SOFTMAX:
            memcpy(&beta, &layer->params[SIM_P_BETA], sizeof beta);
            return same && beta > 0 && beta < INFINITY ? NULL : "a softmax with another shape behind than before";
        case SIM_PAD:
            return rank == 4 && out->tensor.rank == 4 ? sim_check_pad(layer, d, o) : "a padding without 4 dimensions";
        case SIM_RESHAPE:
            return sim_elements(o, out->tensor.rank) == elements ? NULL : "a reshape to another number of elements";
        default: return same ? NULL : "an elementwise operator that changes the shape";
    }
}

/* ------------------------------------------------------------------------------------- fixed point

   int8 in and out, with int8 weights around zero 0 and an int32 bias: TensorFlow Lite's arithmetic. */

static bool sim_is_int8(const sim_value *value) {
    return value != NULL && value->tensor.type == NNRT_RKNN_INT8 && value->tensor.quant == NNRT_RKNN_QNT_AFFINE;
}

static const char *sim_rescale_channels(const sim_model *model, sim_layer *layer) {
    const sim_value *in = sim_in(model, layer, 0), *filter = sim_in(model, layer, 1);
    const sim_value *out = &model->values[layer->outputs[0]];
    uint32_t channels = layer->op == SIM_FULL ? filter->dims[0][0] : out->dims[0][3], c;
    if (filter->n_scales != 0 && filter->n_scales != channels) return "scales along the wrong dimension of a filter";
    layer->multipliers = (int32_t *)calloc(channels, sizeof *layer->multipliers);
    layer->shifts = (int32_t *)calloc(channels, sizeof *layer->shifts);
    if (layer->multipliers == NULL || layer->shifts == NULL) return "no memory for the network";
    for (c = 0; c < channels; c++) {
        float scale = filter->n_scales != 0 ? filter->scales[c] : filter->tensor.scale;
        double product = (double)in->tensor.scale * (double)scale;
        /* The full connection with one scale multiplies in float32, and so does TensorFlow Lite. */
        if (layer->op == SIM_FULL && filter->n_scales <= 1) product = (double)(float)product;
        if (!sim_quantize_multiplier(product / (double)out->tensor.scale, &layer->multipliers[c], &layer->shifts[c]))
            return "scales of a layer are too far apart";
    }
    return NULL;
}

static const char *sim_prepare_layer(const sim_model *model, sim_layer *layer) {
    const sim_value *in = sim_in(model, layer, 0), *other = sim_in(model, layer, 1), *bias = sim_in(model, layer, 2);
    const sim_value *out = &model->values[layer->outputs[0]];
    const sim_tensor *a = &in->tensor, *b = &out->tensor;
    int32_t multiplier, shift;
    uint32_t shape;
    float larger;
    if (layer->op == SIM_CUSTOM || !sim_is_int8(in) || !sim_is_int8(out)) return NULL;
    switch (layer->op) {
        case SIM_CONV:
        case SIM_DEPTHWISE:
        case SIM_FULL:
            if (other->tensor.type != NNRT_RKNN_INT8 || (bias != NULL && bias->tensor.type != NNRT_RKNN_INT32))
                return NULL;
            if (other->n_scales == 0 && (other->tensor.quant != NNRT_RKNN_QNT_AFFINE || other->tensor.zp != 0))
                return NULL;
            layer->fixed_point = true;
            return sim_rescale_channels(model, layer);
        case SIM_ADD:
            if (!sim_is_int8(other)) return NULL;
            larger = a->scale > other->tensor.scale ? a->scale : other->tensor.scale;
            if (!sim_quantize_multiplier(2.0 * (double)larger / (1048576.0 * (double)b->scale), &multiplier, &shift) ||
                shift > 0)
                return "scales of a sum are too far apart";
            layer->fixed_point = true;
            return NULL;
        case SIM_SOFTMAX:
            if (b->zp != -128 || b->scale < 0.00390624f || b->scale > 0.00390626f)
                return "an int8 softmax with another quantisation than 1/256 and -128";
            layer->fixed_point = in->dims[0][a->rank - 1] <= 4096; /* sums of more do not fit 12 integer bits */
            for (shape = 1; shape < model->shapes; shape++)
                if (in->dims[shape][a->rank - 1] > 4096) layer->fixed_point = false;
            return NULL;
        case SIM_RELU:
            layer->fixed_point = sim_quantize_multiplier((double)(a->scale / b->scale), &multiplier, &shift);
            return NULL;
        case SIM_LOGISTIC: return NULL;
        default: /* moves and pools */
            layer->fixed_point = a->zp == b->zp && memcmp(&a->scale, &b->scale, sizeof a->scale) == 0;
            return NULL;
    }
}

/* ------------------------------------------------------------------------------------- the body */

static void sim_read_ports(sim_reader *r, const sim_model *model, uint32_t **ports, uint32_t *count) {
    uint32_t n = sim_u32_up_to(r, 64, "more than 64 inputs or outputs"), i;
    if (n == 0) sim_refuse(r, "a network without inputs or outputs");
    if (r->error != NULL) return;
    *ports = (uint32_t *)sim_room(r, n, sizeof **ports);
    if (*ports == NULL) return;
    *count = n;
    for (i = 0; i < n; i++) (*ports)[i] = sim_u32_up_to(r, model->n_values - 1, "an input or output is no tensor");
}

static void sim_check_ports(sim_reader *r, const sim_model *model, uint8_t *known) {
    uint32_t i;
    for (i = 0; i < model->n_values; i++) known[i] = model->values[i].data != NULL;
    for (i = 0; i < model->n_inputs; i++) {
        const sim_value *value = &model->values[model->inputs[i]];
        const sim_tensor *t = &value->tensor;
        if (known[model->inputs[i]]) sim_refuse(r, "a constant, or a tensor twice, among the inputs");
        known[model->inputs[i]] = 1;
        if (t->image && (t->rank != 4 || (t->dims[3] != 1 && t->dims[3] != 3 && t->dims[3] != 4)))
            sim_refuse(r, "an image has 4 dimensions and 1, 3 or 4 channels");
    }
}

static void sim_read_layers(sim_reader *r, sim_model *model, uint8_t *known) {
    uint32_t count = sim_u32_up_to(r, SIM_MAX_LAYERS, "too many layers"), i, shape;
    if (r->error != NULL) return;
    model->layers = (sim_layer *)sim_room(r, count, sizeof *model->layers);
    model->custom = (uint32_t *)sim_room(r, count, sizeof *model->custom);
    if (model->layers == NULL || model->custom == NULL) return;
    model->n_layers = count;
    for (i = 0; i < count && r->error == NULL; i++) {
        sim_layer *layer = &model->layers[i];
        const char *error = NULL;
        sim_read_layer(r, model, layer, known);
        if (r->error != NULL) return;
        for (shape = 0; shape < model->shapes && error == NULL; shape++) error = sim_check_layer(model, layer, shape);
        if (error == NULL) error = sim_prepare_layer(model, layer);
        if (error != NULL) sim_refuse(r, error);
        if (layer->op == SIM_CUSTOM) model->custom[model->n_custom++] = i;
    }
    for (i = 0; i < model->n_outputs && r->error == NULL; i++)
        if (!known[model->outputs[i]]) sim_refuse(r, "an output that no layer computes");
}

/* Weights are what is constant; internal memory holds, for the largest shape, what lies between inputs and outputs. */
static void sim_sum_memory(sim_reader *r, sim_model *model) {
    uint64_t weights = 0, internal = 0;
    uint32_t shape, i, k;
    if (r->error != NULL) return;
    for (i = 0; i < model->n_values; i++)
        if (model->values[i].data != NULL) weights += (sim_value_bytes(&model->values[i], 0) + 63) & ~(size_t)63;
    for (shape = 0; shape < model->shapes; shape++) {
        uint64_t sum = 0;
        for (i = 0; i < model->n_layers; i++)
            for (k = 0; k < model->layers[i].n_outputs; k++)
                sum += (sim_value_bytes(&model->values[model->layers[i].outputs[k]], shape) + 63) & ~(size_t)63;
        if (sum > internal) internal = sum;
    }
    if (weights > (1u << 30) || internal > (1u << 30)) sim_refuse(r, "a network of more than 1 GiB");
    model->weight_bytes = (uint32_t)weights;
    model->internal_bytes = (uint32_t)internal;
}

static void sim_read_body(sim_reader *r, sim_model *model) {
    uint32_t count, i;
    uint8_t *known;
    if (sim_u32(r) != SIM_MAGIC) sim_refuse(r, "the body of this .rknn is not a network for the simulated board");
    if (sim_u32(r) != 1) sim_refuse(r, "the network is of another version of make_model.py");
    model->multi_core = (sim_u32_up_to(r, 1, "an unknown flag of the network")) != 0;
    sim_text(r, model->custom_string, sizeof model->custom_string);
    model->shapes = sim_u32_up_to(r, SIM_MAX_SHAPES, "too many shapes");
    if (model->shapes == 0) sim_refuse(r, "a network without shapes");
    count = sim_u32_up_to(r, SIM_MAX_VALUES, "too many tensors");
    if (count == 0) sim_refuse(r, "a network without tensors");
    if (r->error != NULL) return;
    model->values = (sim_value *)sim_room(r, count, sizeof *model->values);
    if (model->values == NULL) return;
    model->n_values = count;
    for (i = 0; i < count && r->error == NULL; i++) sim_read_value(r, model, &model->values[i]);
    sim_read_ports(r, model, &model->inputs, &model->n_inputs);
    sim_read_ports(r, model, &model->outputs, &model->n_outputs);
    if (r->error != NULL) return;
    known = (uint8_t *)sim_room(r, count, 1);
    if (known == NULL) return;
    sim_check_ports(r, model, known);
    sim_read_layers(r, model, known);
    if (r->error == NULL && r->left != 0) sim_refuse(r, "bytes are left over behind the network");
    sim_sum_memory(r, model);
    free(known);
}

/* ------------------------------------------------------------------------------------- the outside */

/* The first string behind "key": in a JSON text, out of a list or not. false: there is none of 1 to room - 1 bytes. */
static bool sim_json_string(const char *json, size_t size, const char *key, char *to, size_t room) {
    size_t length = strlen(key), at, begin;
    memset(to, 0, room);
    for (at = 0; at + length + 2 <= size; at++)
        if (json[at] == '"' && memcmp(json + at + 1, key, length) == 0 && json[at + 1 + length] == '"') break;
    at += length + 2;
    while (at < size && strchr(" \t\r\n:[", json[at]) != NULL && json[at] != 0) at++;
    if (at >= size || json[at] != '"') return false;
    begin = ++at;
    while (at < size && json[at] != '"') at++;
    if (at >= size || at == begin || at - begin >= room) return false;
    memcpy(to, json + begin, at - begin);
    return true;
}

static const char *sim_read_outside(sim_model *model, const uint8_t *bytes, size_t size, sim_reader *body) {
    uint64_t length, text;
    if (size >= 8 && memcmp(bytes, "CYPTRKNN", 8) == 0) return "the model is encrypted";
    if (size < SIM_HEADER || memcmp(bytes, "RKNN\0\0\0", 8) != 0) return "not a .rknn file";
    if (sim_u64_at(bytes + 8) < 1 || sim_u64_at(bytes + 8) > 6) return "Invalid RKNN model version";
    model->format_version = (uint32_t)sim_u64_at(bytes + 8);
    length = sim_u64_at(bytes + 16);
    if (length > size - SIM_HEADER || size - SIM_HEADER - length < 8) return "the .rknn file is cut short";
    text = sim_u64_at(bytes + SIM_HEADER + length);
    if (text > size - SIM_HEADER - length - 8) return "the .rknn file is cut short";
    if (!sim_json_string((const char *)bytes + SIM_HEADER + length + 8, (size_t)text, "target_platform",
                         model->platform, sizeof model->platform))
        return "the .rknn file does not say for which chip it is";
    body->at = bytes + SIM_HEADER;
    body->left = (size_t)length;
    return NULL;
}

sim_model *sim_model_load(const uint8_t *bytes, size_t size, const char **error) {
    sim_model *model = (sim_model *)calloc(1, sizeof *model);
    sim_reader reader = {NULL, 0, NULL};
    if (model == NULL) {
        *error = "no memory for the network";
        return NULL;
    }
    *error = sim_read_outside(model, bytes, size, &reader);
    if (*error == NULL) {
        sim_read_body(&reader, model);
        *error = reader.error;
    }
    if (*error == NULL) return model;
    sim_model_free(model);
    return NULL;
}

void sim_model_free(sim_model *model) {
    uint32_t i;
    if (model == NULL) return;
    for (i = 0; i < model->n_values; i++) {
        free(model->values[i].data);
        free(model->values[i].scales);
    }
    for (i = 0; i < model->n_layers; i++) {
        free(model->layers[i].attributes);
        free(model->layers[i].multipliers);
        free(model->layers[i].shifts);
    }
    free(model->values);
    free(model->inputs);
    free(model->outputs);
    free(model->layers);
    free(model->custom);
    free(model);
}

/* ------------------------------------------------------------------------------------- questions */

const char *sim_model_platform(const sim_model *model) {
    return model->platform;
}

uint32_t sim_model_format_version(const sim_model *model) {
    return model->format_version;
}

const char *sim_model_custom_string(const sim_model *model) {
    return model->custom_string;
}

uint32_t sim_model_weight_bytes(const sim_model *model) {
    return model->weight_bytes;
}

uint32_t sim_model_internal_bytes(const sim_model *model) {
    return model->internal_bytes;
}

bool sim_model_multi_core(const sim_model *model) {
    return model->multi_core;
}

uint32_t sim_model_inputs(const sim_model *model) {
    return model->n_inputs;
}

uint32_t sim_model_outputs(const sim_model *model) {
    return model->n_outputs;
}

uint32_t sim_model_shapes(const sim_model *model) {
    return model->shapes;
}

static void sim_describe(const sim_value *value, uint32_t shape, sim_tensor *tensor) {
    *tensor = value->tensor;
    memcpy(tensor->dims, value->dims[shape], sizeof tensor->dims);
}

void sim_model_tensor(const sim_model *model, bool output, uint32_t index, uint32_t shape, sim_tensor *tensor) {
    sim_describe(&model->values[output ? model->outputs[index] : model->inputs[index]], shape, tensor);
}

uint32_t sim_model_layers(const sim_model *model) {
    return model->n_layers;
}

const char *sim_model_layer_name(const sim_model *model, uint32_t layer) {
    static const char *const names[SIM_OPS] = {"Identity", "Conv",    "ConvDepthwise", "Gemm",      "AveragePool",
                                               "MaxPool",  "Add",     "Softmax",       "Reshape",   "Pad",
                                               "Sigmoid",  "Relu",    "Custom"};
    return names[model->layers[layer].op];
}

uint32_t sim_model_custom_ops(const sim_model *model) {
    return model->n_custom;
}

const char *sim_model_custom_op(const sim_model *model, uint32_t index) {
    return model->layers[model->custom[index]].name;
}

/* ------------------------------------------------------------------------------------- custom operators */

bool sim_model_attribute(const uint8_t *attributes, size_t bytes, const char *name, nnrt_rknn_tensor_type *type,
                         uint32_t *elements, const void **data) {
    sim_reader r = {NULL, 0, NULL};
    r.at = attributes;
    r.left = bytes;
    while (r.left != 0) {
        char found[NNRT_RKNN_MAX_NAME];
        uint32_t count;
        sim_text(&r, found, sizeof found);
        *type = (nnrt_rknn_tensor_type)sim_u32_up_to(&r, (uint32_t)NNRT_RKNN_BOOL, "an attribute of an unknown type");
        count = sim_u32_up_to(&r, 1u << 20, "an attribute is too long");
        *data = sim_take(&r, count * sim_type_size(*type));
        *elements = count;
        if (r.error != NULL) return false;
        if (strcmp(found, name) == 0) return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------- running */

static int sim_run_custom(const sim_model *model, const sim_layer *layer, uint32_t shape, void *const *data,
                          sim_custom_call call, void *user) {
    sim_tensor *tensors = (sim_tensor *)calloc(2 * SIM_MAX_LAYER_IO, sizeof *tensors);
    void *in[SIM_MAX_LAYER_IO] = {NULL}, *out[SIM_MAX_LAYER_IO] = {NULL};
    uint32_t i;
    int result;
    if (tensors == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
    for (i = 0; i < layer->n_inputs; i++) {
        if (layer->inputs[i] == SIM_ABSENT) continue;
        sim_describe(&model->values[layer->inputs[i]], shape, &tensors[i]);
        in[i] = data[layer->inputs[i]];
    }
    for (i = 0; i < layer->n_outputs; i++) {
        sim_describe(&model->values[layer->outputs[i]], shape, &tensors[SIM_MAX_LAYER_IO + i]);
        out[i] = data[layer->outputs[i]];
    }
    result = call == NULL ? NNRT_RKNN_ERR_FAIL
                          : call(user, layer->name, tensors, in, layer->n_inputs, tensors + SIM_MAX_LAYER_IO, out,
                                 layer->n_outputs, layer->attributes, layer->attribute_bytes);
    free(tensors);
    return result < 0 ? NNRT_RKNN_ERR_FAIL : 0;
}

static int sim_run_layer(const sim_model *model, const sim_layer *layer, uint32_t shape, void *const *data) {
    sim_view in[SIM_MAX_LAYER_IO], out;
    uint32_t i;
    memset(in, 0, sizeof in);
    for (i = 0; i < layer->n_inputs; i++) {
        if (layer->inputs[i] == SIM_ABSENT) continue;
        in[i].value = &model->values[layer->inputs[i]];
        in[i].dims = in[i].value->data != NULL ? in[i].value->dims[0] : in[i].value->dims[shape];
        in[i].data = data[layer->inputs[i]];
    }
    out.value = &model->values[layer->outputs[0]];
    out.dims = out.value->dims[shape];
    out.data = data[layer->outputs[0]];
    return layer->fixed_point ? sim_run_int8(layer, in, &out) : sim_run_float(layer, in, &out);
}

/* data[v] of every value: constants and inputs where they are, the rest in blocks of their own. */
static int sim_place(const sim_model *model, uint32_t shape, const void *const *inputs, void **data) {
    uint32_t i, k;
    for (i = 0; i < model->n_values; i++) data[i] = model->values[i].data;
    for (i = 0; i < model->n_inputs; i++) memcpy(&data[model->inputs[i]], &inputs[i], sizeof data[0]);
    for (i = 0; i < model->n_layers; i++)
        for (k = 0; k < model->layers[i].n_outputs; k++) {
            uint32_t value = model->layers[i].outputs[k];
            data[value] = calloc(1, sim_value_bytes(&model->values[value], shape));
            if (data[value] == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
        }
    return 0;
}

static void sim_take_away(const sim_model *model, void **data) {
    uint32_t i, k;
    for (i = 0; i < model->n_layers; i++)
        for (k = 0; k < model->layers[i].n_outputs; k++) free(data[model->layers[i].outputs[k]]);
    free(data);
}

int sim_model_run(const sim_model *model, uint32_t shape, const void *const *inputs, void *const *outputs,
                  sim_custom_call custom, void *user) {
    void **data = (void **)calloc(model->n_values, sizeof *data);
    uint32_t i;
    int result;
    if (data == NULL) return NNRT_RKNN_ERR_MALLOC_FAIL;
    result = sim_place(model, shape, inputs, data);
    for (i = 0; i < model->n_layers && result == 0; i++) {
        const sim_layer *layer = &model->layers[i];
        result = layer->op == SIM_CUSTOM ? sim_run_custom(model, layer, shape, data, custom, user)
                                         : sim_run_layer(model, layer, shape, data);
    }
    for (i = 0; i < model->n_outputs && result == 0; i++)
        memcpy(outputs[i], data[model->outputs[i]], sim_value_bytes(&model->values[model->outputs[i]], shape));
    sim_take_away(model, data);
    return result;
}
