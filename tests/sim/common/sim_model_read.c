/* SPDX-License-Identifier: Apache-2.0 */
/* sim_model_read.c - reads and checks a network that network.py packed; its first lines are the format.

   The bytes are untrusted: every number is checked here once, at load, for every shape of a dynamic model; what runs
   afterwards believes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_network.h"

#define SIM_MAGIC 0x4d49534eu /* "NSIM" */
#define SIM_MAX_VALUES 4096u
#define SIM_MAX_LAYERS 4096u
#define SIM_MAX_BYTES ((uint64_t)1 << 26) /* of one tensor */

/* ------------------------------------------------------------------------------------------------ reading */

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

/* ------------------------------------------------------------------------------------------------- values */

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
    t->type = (sim_type)sim_u32_up_to(r, (uint32_t)SIM_BOOL, "a tensor of an unknown type");
    t->quant = (sim_quant)sim_u32_up_to(r, (uint32_t)SIM_QUANT_AFFINE, "an unknown quantization");
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
    if (t->quant == SIM_QUANT_AFFINE && !(t->scale > 0 && t->scale < INFINITY)) {
        sim_refuse(r, "a scale is not a positive number");
        return;
    }
    if (t->quant == SIM_QUANT_AFFINE &&
        ((t->type == SIM_INT8 && (t->zp < -128 || t->zp > 127)) || t->zp < -32768 || t->zp > 32767)) {
        sim_refuse(r, "a zero point is not a value of its type");
        return;
    }
    sim_read_constant(r, value);
}

/* ------------------------------------------------------------------------------------------------- layers */

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
    return value != NULL && value->tensor.type == SIM_INT8 && value->tensor.quant == SIM_QUANT_AFFINE;
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
        if (other->tensor.type != SIM_INT8 || (bias != NULL && bias->tensor.type != SIM_INT32)) return NULL;
        if (other->n_scales == 0 && (other->tensor.quant != SIM_QUANT_AFFINE || other->tensor.zp != 0)) return NULL;
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
            return "an int8 softmax with another quantization than 1/256 and -128";
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

/* ----------------------------------------------------------------------------------------------- the body */

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
    if (sim_u32(r) != SIM_MAGIC) sim_refuse(r, "these bytes are no network for a simulated board");
    if (sim_u32(r) != 1) sim_refuse(r, "the network is of another version of network.py");
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
    sim_sum_memory(r, model);
    free(known);
}

sim_model *sim_model_load_front(const uint8_t *bytes, size_t size, size_t *left, const char **error) {
    sim_model *model = (sim_model *)calloc(1, sizeof *model);
    sim_reader reader = {NULL, 0, NULL};
    *left = 0;
    if (model == NULL) {
        *error = "no memory for the network";
        return NULL;
    }
    reader.at = bytes;
    reader.left = size;
    sim_read_body(&reader, model);
    *left = reader.left;
    *error = reader.error;
    if (*error == NULL) return model;
    sim_model_free(model);
    return NULL;
}

sim_model *sim_model_load(const uint8_t *bytes, size_t size, const char **error) {
    size_t left;
    sim_model *model = sim_model_load_front(bytes, size, &left, error);
    if (model == NULL || left == 0) return model;
    *error = "bytes are left over behind the network";
    sim_model_free(model);
    return NULL;
}

/* --------------------------------------------------------------------------------------- custom operators */

bool sim_model_attribute(const uint8_t *attributes, size_t bytes, const char *name, sim_type *type, uint32_t *elements,
                         const void **data) {
    sim_reader r = {NULL, 0, NULL};
    r.at = attributes;
    r.left = bytes;
    while (r.left != 0) {
        char found[SIM_MAX_NAME];
        uint32_t count;
        sim_text(&r, found, sizeof found);
        *type = (sim_type)sim_u32_up_to(&r, (uint32_t)SIM_BOOL, "an attribute of an unknown type");
        count = sim_u32_up_to(&r, 1u << 20, "an attribute is too long");
        *data = sim_take(&r, count * sim_type_size(*type));
        *elements = count;
        if (r.error != NULL) return false;
        if (strcmp(found, name) == 0) return true;
    }
    return false;
}
