/* SPDX-License-Identifier: Apache-2.0 */
/* sim_model_run.c - answers questions about a network and computes it; sim_model_read.c has checked every number.

   Nothing here knows boards, padding or the layouts of an NPU. */
#include <stdlib.h>
#include <string.h>

#include "sim_network.h"

/* -------------------------------------------------------------------------------------------------- sizes */

size_t sim_elements(const uint32_t *dims, uint32_t rank) {
    size_t count = 1;
    uint32_t i;
    for (i = 0; i < rank; i++) count *= dims[i];
    return count;
}

size_t sim_type_size(sim_type type) {
    switch (type) {
    case SIM_FLOAT32:
    case SIM_INT32:
    case SIM_UINT32: return 4;
    case SIM_FLOAT16:
    case SIM_INT16:
    case SIM_UINT16: return 2;
    case SIM_INT8:
    case SIM_UINT8:
    case SIM_BOOL: return 1;
    case SIM_INT64: return 8;
    default: return 0;
    }
}

size_t sim_tensor_bytes(const sim_tensor *tensor) {
    return sim_elements(tensor->dims, tensor->rank) * sim_type_size(tensor->type);
}

size_t sim_value_bytes(const sim_value *value, uint32_t shape) {
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

/* ---------------------------------------------------------------------------------------------- questions */

void sim_model_free(sim_model *model) {
    uint32_t i;
    if (model == NULL) return;
    if (model->engine.run != NULL) model->engine.release(model->engine.user);
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

const char *sim_model_custom_string(const sim_model *model) { return model->custom_string; }

uint32_t sim_model_weight_bytes(const sim_model *model) { return model->weight_bytes; }

uint32_t sim_model_internal_bytes(const sim_model *model) { return model->internal_bytes; }

bool sim_model_multi_core(const sim_model *model) { return model->multi_core; }

uint32_t sim_model_inputs(const sim_model *model) { return model->n_inputs; }

uint32_t sim_model_outputs(const sim_model *model) { return model->n_outputs; }

uint32_t sim_model_shapes(const sim_model *model) { return model->shapes; }

static void sim_describe(const sim_value *value, uint32_t shape, sim_tensor *tensor) {
    *tensor = value->tensor;
    memcpy(tensor->dims, value->dims[shape], sizeof tensor->dims);
}

void sim_model_tensor(const sim_model *model, bool output, uint32_t index, uint32_t shape, sim_tensor *tensor) {
    sim_describe(&model->values[output ? model->outputs[index] : model->inputs[index]], shape, tensor);
}

uint32_t sim_model_layers(const sim_model *model) { return model->n_layers; }

const char *sim_model_layer_name(const sim_model *model, uint32_t layer) {
    static const char *const names[SIM_OPS] = {"Identity", "Conv", "ConvDepthwise", "Gemm",    "AveragePool",
                                               "MaxPool",  "Add",  "Softmax",       "Reshape", "Pad",
                                               "Sigmoid",  "Relu", "Custom"};
    return names[model->layers[layer].op];
}

uint32_t sim_model_custom_ops(const sim_model *model) { return model->n_custom; }

const char *sim_model_custom_op(const sim_model *model, uint32_t index) {
    return model->layers[model->custom[index]].name;
}

sim_model *sim_model_of(const sim_model_engine *engine, const sim_tensor *tensors, uint32_t inputs, uint32_t outputs) {
    sim_model *model = (sim_model *)calloc(1, sizeof *model);
    uint32_t i;
    if (model == NULL) return NULL;
    model->values = (sim_value *)calloc(inputs + outputs, sizeof *model->values);
    model->inputs = (uint32_t *)calloc(inputs, sizeof *model->inputs);
    model->outputs = (uint32_t *)calloc(outputs, sizeof *model->outputs);
    if (model->values == NULL || model->inputs == NULL || model->outputs == NULL) {
        sim_model_free(model);
        return NULL;
    }
    model->shapes = 1;
    model->n_values = inputs + outputs;
    model->n_inputs = inputs;
    model->n_outputs = outputs;
    for (i = 0; i < inputs + outputs; i++) {
        model->values[i].tensor = tensors[i];
        memcpy(model->values[i].dims[0], tensors[i].dims, sizeof tensors[i].dims);
        if (i < inputs) model->inputs[i] = i;
        else model->outputs[i - inputs] = i;
    }
    model->weight_bytes = engine->weight_bytes;
    model->internal_bytes = engine->internal_bytes;
    model->engine = *engine;
    return model;
}

/* ------------------------------------------------------------------------------------------------ running */

static int sim_run_custom(const sim_model *model, const sim_layer *layer, uint32_t shape, void *const *data,
                          sim_custom_call call, void *user) {
    sim_tensor *tensors = (sim_tensor *)calloc(2 * SIM_MAX_LAYER_IO, sizeof *tensors);
    void *in[SIM_MAX_LAYER_IO] = {NULL}, *out[SIM_MAX_LAYER_IO] = {NULL};
    uint32_t i;
    int result;
    if (tensors == NULL) return SIM_NO_MEMORY;
    for (i = 0; i < layer->n_inputs; i++) {
        if (layer->inputs[i] == SIM_ABSENT) continue;
        sim_describe(&model->values[layer->inputs[i]], shape, &tensors[i]);
        in[i] = data[layer->inputs[i]];
    }
    for (i = 0; i < layer->n_outputs; i++) {
        sim_describe(&model->values[layer->outputs[i]], shape, &tensors[SIM_MAX_LAYER_IO + i]);
        out[i] = data[layer->outputs[i]];
    }
    result = call == NULL ? SIM_FAILED
                          : call(user, layer->name, tensors, in, layer->n_inputs, tensors + SIM_MAX_LAYER_IO, out,
                                 layer->n_outputs, layer->attributes, layer->attribute_bytes);
    free(tensors);
    return result < 0 ? SIM_FAILED : 0;
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
            if (data[value] == NULL) return SIM_NO_MEMORY;
        }
    return 0;
}

static void sim_take_away(const sim_model *model, void **data) {
    uint32_t i, k;
    for (i = 0; i < model->n_layers; i++)
        for (k = 0; k < model->layers[i].n_outputs; k++) free(data[model->layers[i].outputs[k]]);
    free(data);
}

/* By an engine: what the environment says that is wrong with results is done to its as well. */
static int sim_run_engine(const sim_model *model, const void *const *inputs, void *const *outputs) {
    const int result = model->engine.run(model->engine.user, inputs, outputs);
    uint32_t i;
    for (i = 0; i < model->n_outputs && result == 0; i++) {
        const sim_value *value = &model->values[model->outputs[i]];
        sim_result_spoil(outputs[i], value->dims[0], &value->tensor);
    }
    return result;
}

int sim_model_run(const sim_model *model, uint32_t shape, const void *const *inputs, void *const *outputs,
                  sim_custom_call custom, void *user) {
    void **data;
    uint32_t i;
    int result;
    if (model->engine.run != NULL) return sim_run_engine(model, inputs, outputs);
    data = (void **)calloc(model->n_values, sizeof *data);
    if (data == NULL) return SIM_NO_MEMORY;
    result = sim_place(model, shape, inputs, data);
    for (i = 0; i < model->n_layers && result == 0; i++) {
        const sim_layer *layer = &model->layers[i];
        result = layer->op == SIM_CUSTOM ? sim_run_custom(model, layer, shape, data, custom, user)
                                         : sim_run_layer(model, layer, shape, data);
    }
    for (i = 0; i < model->n_outputs && result == 0; i++) {
        const sim_value *value = &model->values[model->outputs[i]];
        memcpy(outputs[i], data[model->outputs[i]], sim_value_bytes(value, shape));
        sim_result_spoil(outputs[i], value->dims[shape], &value->tensor);
    }
    sim_take_away(model, data);
    return result;
}
