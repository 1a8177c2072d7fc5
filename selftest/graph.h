/* SPDX-License-Identifier: Apache-2.0 */
/* selftest/graph.h - a model of one operator, built and run through the API with a line each for a tensor, a parameter,
   a run. After the first failing call all others do nothing.   >>selftest_graph */
#ifndef NNRT_SELFTEST_GRAPH_H
#define NNRT_SELFTEST_GRAPH_H

#include "../core/api.h"
#include "../core/error.h"
#include "api.h"

enum {
    NNRT__SELF_MOST = 12 /* tensors or parameters of an operator */
};

/* Numbers that look random and are the same on every board. */
typedef struct nnrt__self_noise {
    uint64_t state;
} nnrt__self_noise;

NNRT__FN int32_t nnrt__self_draw(nnrt__self_noise *noise, int32_t low, int32_t high) {
    noise->state = noise->state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)(low + (int64_t)((uint32_t)(noise->state >> 32) % (uint32_t)(high - low + 1)));
}

typedef struct nnrt__self_graph {
    OH_NN_ReturnCode code;
    OH_NNModel *model;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    uint32_t tensors, inputs[NNRT__SELF_MOST], input_count, params[NNRT__SELF_MOST], param_count, output;
} nnrt__self_graph;

NNRT__FN void nnrt__self_open(nnrt__self_graph *graph) {
    memset(graph, 0, sizeof(*graph));
    graph->model = OH_NNModel_Construct();
    graph->code = graph->model != NULL ? OH_NN_SUCCESS : OH_NN_MEMORY_ERROR;
}

NNRT__FN void nnrt__self_close(nnrt__self_graph *graph) {
    if (graph->executor != NULL) (void)OH_NNExecutor_Destroy(&graph->executor);
    if (graph->compilation != NULL) OH_NNCompilation_Destroy(&graph->compilation);
    if (graph->model != NULL) OH_NNModel_Destroy(&graph->model);
}

/* scale 0: not quantized. */
NNRT__FN uint32_t nnrt__self_tensor(nnrt__self_graph *graph, OH_NN_DataType type, size_t rank, const int32_t *dims,
                                    double scale, int32_t zero_point) {
    NN_TensorDesc *desc = graph->code == OH_NN_SUCCESS ? OH_NNTensorDesc_Create() : NULL;
    NN_QuantParam *quant = NULL;
    const uint32_t bits = type == OH_NN_INT16 ? 16 : 8;
    if (graph->code == OH_NN_SUCCESS && desc == NULL) graph->code = OH_NN_MEMORY_ERROR;
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNTensorDesc_SetDataType(desc, type);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NHWC);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNTensorDesc_SetShape(desc, dims, rank);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNModel_AddTensorToModel(graph->model, desc);
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    if (graph->code == OH_NN_SUCCESS && scale != 0.0) {
        quant = OH_NNQuantParam_Create();
        if (quant == NULL) graph->code = OH_NN_MEMORY_ERROR;
        if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNQuantParam_SetScales(quant, &scale, 1);
        if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNQuantParam_SetZeroPoints(quant, &zero_point, 1);
        if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNQuantParam_SetNumBits(quant, &bits, 1);
        if (graph->code == OH_NN_SUCCESS)
            graph->code = OH_NNModel_SetTensorQuantParams(graph->model, graph->tensors, quant);
        if (quant != NULL) (void)OH_NNQuantParam_Destroy(&quant);
    }
    return graph->tensors++;
}

NNRT__FN void nnrt__self_contents(nnrt__self_graph *graph, uint32_t tensor, const void *data, size_t bytes) {
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNModel_SetTensorData(graph->model, tensor, data, bytes);
}

/* An input of the operator; the first one is the input of the model. */
NNRT__FN void nnrt__self_input(nnrt__self_graph *graph, uint32_t tensor) {
    graph->inputs[graph->input_count++] = tensor;
}

NNRT__FN void nnrt__self_param(nnrt__self_graph *graph, OH_NN_TensorType type, OH_NN_DataType data_type, int32_t count,
                               const void *data) {
    const uint32_t tensor = nnrt__self_tensor(graph, data_type, 1, &count, 0.0, 0);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNModel_SetTensorType(graph->model, tensor, type);
    nnrt__self_contents(graph, tensor, data, (size_t)count * nnrt__element_size(data_type));
    graph->params[graph->param_count++] = tensor;
}

NNRT__FN void nnrt__self_param_pair(nnrt__self_graph *graph, OH_NN_TensorType type, int64_t value) {
    int64_t pair[2];
    pair[0] = value;
    pair[1] = value;
    nnrt__self_param(graph, type, OH_NN_INT64, 2, pair);
}

NNRT__FN void nnrt__self_param_byte(nnrt__self_graph *graph, OH_NN_TensorType type, int8_t value) {
    nnrt__self_param(graph, type, OH_NN_INT8, 1, &value);
}

NNRT__FN void nnrt__self_operator(nnrt__self_graph *graph, OH_NN_OperationType op) {
    OH_NN_UInt32Array params, inputs, outputs;
    params.data = graph->param_count != 0 ? graph->params : NULL;
    params.size = graph->param_count;
    inputs.data = graph->inputs;
    inputs.size = graph->input_count;
    outputs.data = &graph->output;
    outputs.size = 1;
    if (graph->code == OH_NN_SUCCESS)
        graph->code = OH_NNModel_AddOperation(graph->model, op, &params, &inputs, &outputs);
    inputs.size = 1;
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNModel_SpecifyInputsAndOutputs(graph->model, &inputs, &outputs);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNModel_Finish(graph->model);
}

/* ------------------------------------------------------------------------------------------- build and run */

NNRT__FN OH_NN_ReturnCode nnrt__self_cpu(size_t *device) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    OH_NN_DeviceType type;
    OH_NN_ReturnCode code = OH_NNDevice_GetAllDevicesID(&ids, &count);
    for (i = 0; code == OH_NN_SUCCESS && i < count; i++) {
        code = OH_NNDevice_GetType(ids[i], &type);
        *device = ids[i];
        if (code == OH_NN_SUCCESS && type == OH_NN_CPU) return OH_NN_SUCCESS;
    }
    return code != OH_NN_SUCCESS ? code : nnrt__fail(OH_NN_UNSUPPORTED, "nnrt_selftest: there is no CPU device");
}

/* OH_NN_UNSUPPORTED: the build has no kernels for the operator (NNRT_OPS). */
NNRT__FN OH_NN_ReturnCode nnrt__self_supported(const nnrt__self_graph *graph, size_t device) {
    const bool *supported = NULL;
    uint32_t count = 0;
    OH_NN_ReturnCode code;
    if (graph->model == NULL) return OH_NN_SUCCESS; /* a plan */
    code = OH_NNModel_GetAvailableOperations(graph->model, device, &supported, &count);
    return code != OH_NN_SUCCESS || (count == 1 && supported[0]) ? code : OH_NN_UNSUPPORTED;
}

/* Builds an existing graph->compilation for that instruction set. */
NNRT__FN void nnrt__self_build(nnrt__self_graph *graph, const char *isa) {
    size_t device = 0;
    if (graph->code != OH_NN_SUCCESS) return;
    if (graph->compilation == NULL) {
        graph->code = OH_NN_MEMORY_ERROR;
        return;
    }
    graph->code = nnrt__self_cpu(&device);
    if (graph->code == OH_NN_SUCCESS) graph->code = nnrt__self_supported(graph, device);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNCompilation_SetDevice(graph->compilation, device);
    if (graph->code == OH_NN_SUCCESS)
        graph->code = OH_NNCompilation_AddExtensionConfig(graph->compilation, "nnrt.isa", isa, strlen(isa));
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNCompilation_Build(graph->compilation);
}

NNRT__FN void nnrt__self_construct(nnrt__self_graph *graph) {
    if (graph->code != OH_NN_SUCCESS) return;
    graph->executor = OH_NNExecutor_Construct(graph->compilation);
    if (graph->executor == NULL) graph->code = OH_NN_MEMORY_ERROR;
}

/* Tensors of the one input and the one output of the executor. */
NNRT__FN void nnrt__self_tensors(nnrt__self_graph *graph, NN_Tensor **in, NN_Tensor **out) {
    size_t device = 0;
    NN_TensorDesc *desc;
    *in = NULL;
    *out = NULL;
    if (graph->code == OH_NN_SUCCESS) graph->code = nnrt__self_cpu(&device);
    if (graph->code != OH_NN_SUCCESS) return;
    desc = OH_NNExecutor_CreateInputTensorDesc(graph->executor, 0);
    if (desc != NULL) *in = OH_NNTensor_Create(device, desc);
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    desc = OH_NNExecutor_CreateOutputTensorDesc(graph->executor, 0);
    if (desc != NULL) *out = OH_NNTensor_Create(device, desc);
    if (desc != NULL) (void)OH_NNTensorDesc_Destroy(&desc);
    if (*in == NULL || *out == NULL) graph->code = OH_NN_MEMORY_ERROR;
}

/* One run: in_bytes of in, then out_bytes to out. Both are as many as the tensors have. */
NNRT__FN void nnrt__self_run(nnrt__self_graph *graph, const void *in, size_t in_bytes, void *out, size_t out_bytes) {
    NN_Tensor *input, *output;
    size_t size = 0;
    nnrt__self_tensors(graph, &input, &output);
    if (graph->code == OH_NN_SUCCESS) graph->code = OH_NNTensor_GetSize(output, &size);
    if (graph->code == OH_NN_SUCCESS && size < out_bytes)
        graph->code =
            nnrt__fail(OH_NN_FAILED, "nnrt_selftest: an output of %zu bytes should have %zu", size, out_bytes);
    if (graph->code == OH_NN_SUCCESS) {
        memcpy(OH_NNTensor_GetDataBuffer(input), in, in_bytes);
        memset(OH_NNTensor_GetDataBuffer(output), 0x5a, out_bytes);
        graph->code = OH_NNExecutor_RunSync(graph->executor, &input, 1, &output, 1);
    }
    if (graph->code == OH_NN_SUCCESS) memcpy(out, OH_NNTensor_GetDataBuffer(output), out_bytes);
    if (input != NULL) (void)OH_NNTensor_Destroy(&input);
    if (output != NULL) (void)OH_NNTensor_Destroy(&output);
}

#endif /* NNRT_SELFTEST_GRAPH_H */
