/* SPDX-License-Identifier: Apache-2.0 */
/* openharmony.c - an application as it is written for OpenHarmony, and unchanged here: its include names, its calls and
   nothing of nnrt's own.

       python3 amalgamate.py
       cc -std=c99 -I build examples/openharmony/openharmony.c examples/first/nnrt.c -o openharmony -lm -lpthread
       ./openharmony /tmp               a graph of one addition, built call by call
       ./openharmony /tmp MODEL         an offline model, .tflite on the CPU, .rknn on Rockchip's NPU

   It does what OpenHarmony's development guide teaches: takes the first device, sets a cache directory, asks for the
   most performance, a high priority and no float16, builds, runs. Wishes that a device cannot meet are hints here. */
#include <neural_network_runtime/neural_network_core.h>
#include <neural_network_runtime/neural_network_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(OH_NN_ReturnCode code, const char *what) {
    if (code == OH_NN_SUCCESS) return;
    fprintf(stderr, "openharmony: %s: code %d\n", what, (int)code);
    exit(1);
}

static void must_be(const void *made, const char *what) {
    if (made == NULL) must(OH_NN_FAILED, what);
}

static void add_tensor(OH_NNModel *model, uint32_t index, OH_NN_DataType type, const int32_t *shape, size_t rank,
                       OH_NN_TensorType meaning) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    must_be(desc, "OH_NNTensorDesc_Create");
    must(OH_NNTensorDesc_SetShape(desc, shape, rank), "OH_NNTensorDesc_SetShape");
    must(OH_NNTensorDesc_SetDataType(desc, type), "OH_NNTensorDesc_SetDataType");
    must(OH_NNTensorDesc_SetFormat(desc, OH_NN_FORMAT_NONE), "OH_NNTensorDesc_SetFormat");
    must(OH_NNModel_AddTensorToModel(model, desc), "OH_NNModel_AddTensorToModel");
    must(OH_NNModel_SetTensorType(model, index, meaning), "OH_NNModel_SetTensorType");
    must(OH_NNTensorDesc_Destroy(&desc), "OH_NNTensorDesc_Destroy");
}

/* z = x + y, all [1, 2, 2, 3]. */
static OH_NNModel *build_model(void) {
    const int32_t shape[] = {1, 2, 2, 3}, one[] = {1};
    const OH_NN_FuseType fuse = OH_NN_FUSED_NONE;
    uint32_t in[] = {0, 1}, param[] = {2}, out[] = {3};
    OH_NN_UInt32Array inputs, params, outputs;
    OH_NNModel *model = OH_NNModel_Construct();
    must_be(model, "OH_NNModel_Construct");
    add_tensor(model, 0, OH_NN_FLOAT32, shape, 4, OH_NN_TENSOR);
    add_tensor(model, 1, OH_NN_FLOAT32, shape, 4, OH_NN_TENSOR);
    add_tensor(model, 2, OH_NN_INT8, one, 1, OH_NN_ADD_ACTIVATIONTYPE);
    must(OH_NNModel_SetTensorData(model, 2, &fuse, sizeof(fuse)), "OH_NNModel_SetTensorData");
    add_tensor(model, 3, OH_NN_FLOAT32, shape, 4, OH_NN_TENSOR);
    inputs.data = in, inputs.size = 2;
    params.data = param, params.size = 1;
    outputs.data = out, outputs.size = 1;
    must(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &params, &inputs, &outputs), "OH_NNModel_AddOperation");
    must(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs), "OH_NNModel_SpecifyInputsAndOutputs");
    must(OH_NNModel_Finish(model), "OH_NNModel_Finish");
    return model;
}

static OH_NNCompilation *compile(OH_NNModel *model, const char *path, size_t device, const char *cache) {
    OH_NNCompilation *compilation =
        model != NULL ? OH_NNCompilation_Construct(model) : OH_NNCompilation_ConstructWithOfflineModelFile(path);
    must_be(compilation, "OH_NNCompilation_Construct");
    must(OH_NNCompilation_SetDevice(compilation, device), "OH_NNCompilation_SetDevice");
    must(OH_NNCompilation_SetCache(compilation, cache, 1), "OH_NNCompilation_SetCache");
    must(OH_NNCompilation_SetPerformanceMode(compilation, OH_NN_PERFORMANCE_EXTREME),
         "OH_NNCompilation_SetPerformanceMode");
    must(OH_NNCompilation_SetPriority(compilation, OH_NN_PRIORITY_HIGH), "OH_NNCompilation_SetPriority");
    must(OH_NNCompilation_EnableFloat16(compilation, false), "OH_NNCompilation_EnableFloat16");
    must(OH_NNCompilation_Build(compilation), "OH_NNCompilation_Build");
    return compilation;
}

static NN_Tensor *make_tensor(const OH_NNExecutor *executor, size_t device, bool output, size_t index) {
    NN_TensorDesc *desc = output ? OH_NNExecutor_CreateOutputTensorDesc(executor, index)
                                 : OH_NNExecutor_CreateInputTensorDesc(executor, index);
    NN_Tensor *tensor;
    must_be(desc, "describe a tensor");
    tensor = OH_NNTensor_Create(device, desc);
    must_be(tensor, "OH_NNTensor_Create");
    must(OH_NNTensorDesc_Destroy(&desc), "OH_NNTensorDesc_Destroy");
    return tensor;
}

/* Floats are 0, 1, 2 ...; the bytes of anything else are. */
static void fill(NN_Tensor *tensor, bool floats) {
    void *data = OH_NNTensor_GetDataBuffer(tensor);
    size_t size = 0, i;
    must_be(data, "OH_NNTensor_GetDataBuffer");
    must(OH_NNTensor_GetSize(tensor, &size), "OH_NNTensor_GetSize");
    for (i = 0; floats && i < size / sizeof(float); i++) ((float *)data)[i] = (float)i;
    for (i = 0; !floats && i < size; i++) ((unsigned char *)data)[i] = (unsigned char)i;
}

static void print(NN_Tensor *tensor, bool floats) {
    const void *data = OH_NNTensor_GetDataBuffer(tensor);
    size_t size = 0, i;
    must_be(data, "OH_NNTensor_GetDataBuffer");
    must(OH_NNTensor_GetSize(tensor, &size), "OH_NNTensor_GetSize");
    printf("result");
    for (i = 0; floats && i < size / sizeof(float); i++) printf(" %g", (double)((const float *)data)[i]);
    for (i = 0; !floats && i < size && i < 16; i++) printf(" %02x", (unsigned)((const unsigned char *)data)[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    const size_t *devices = NULL;
    uint32_t device_count = 0;
    const char *name = NULL;
    OH_NNModel *model = NULL;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_Tensor *inputs[8], *outputs[8];
    size_t input_count = 0, output_count = 0, i;
    if (argc < 2 || argc > 3) return fprintf(stderr, "usage: openharmony CACHE-DIRECTORY [MODEL]\n"), 2;
    must(OH_NNDevice_GetAllDevicesID(&devices, &device_count), "OH_NNDevice_GetAllDevicesID");
    if (device_count == 0) return fprintf(stderr, "openharmony: there is no device\n"), 1;
    must(OH_NNDevice_GetName(devices[0], &name), "OH_NNDevice_GetName");
    printf("device %s\n", name);

    if (argc == 2) model = build_model();
    compilation = compile(model, argc == 3 ? argv[2] : NULL, devices[0], argv[1]);
    OH_NNModel_Destroy(&model);
    executor = OH_NNExecutor_Construct(compilation);
    must_be(executor, "OH_NNExecutor_Construct");
    OH_NNCompilation_Destroy(&compilation);

    must(OH_NNExecutor_GetInputCount(executor, &input_count), "OH_NNExecutor_GetInputCount");
    must(OH_NNExecutor_GetOutputCount(executor, &output_count), "OH_NNExecutor_GetOutputCount");
    if (input_count > 8 || output_count > 8) return fprintf(stderr, "openharmony: more than 8 tensors\n"), 1;
    for (i = 0; i < input_count; i++) {
        inputs[i] = make_tensor(executor, devices[0], false, i);
        fill(inputs[i], argc == 2);
    }
    for (i = 0; i < output_count; i++) outputs[i] = make_tensor(executor, devices[0], true, i);
    must(OH_NNExecutor_RunSync(executor, inputs, input_count, outputs, output_count), "OH_NNExecutor_RunSync");
    for (i = 0; i < output_count; i++) print(outputs[i], argc == 2);

    for (i = 0; i < input_count; i++) must(OH_NNTensor_Destroy(&inputs[i]), "OH_NNTensor_Destroy");
    for (i = 0; i < output_count; i++) must(OH_NNTensor_Destroy(&outputs[i]), "OH_NNTensor_Destroy");
    OH_NNExecutor_Destroy(&executor);
    return 0;
}
