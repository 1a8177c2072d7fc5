/* SPDX-License-Identifier: Apache-2.0 */
/* offline_model.c - loads a model file, says what goes in and out, runs it once on zeros.

       cc -std=c99 -I build examples/offline_model.c -o offline_model -lm -lpthread
       ./offline_model examples/meter/meter.tflite

   On a Rockchip board the same program, compiled with -DNNRT_BACKEND_RKNPU, runs a .rknn as well: the model's bytes
   say whose it is. For the maps of a detector on an RV1103 or RV1106 set rknn.io_layout to nhwc before Build, as
   camera.c does: those of a YOLO are converted after every run otherwise. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TENSORS = 16
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "offline_model: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

static const char *type_name(OH_NN_DataType type) {
    static const char *const names[] = {"unknown", "bool",   "int8",   "int16",   "int32",   "int64",  "uint8",
                                        "uint16",  "uint32", "uint64", "float16", "float32", "float64"};
    return type <= OH_NN_FLOAT64 ? names[type] : "unknown";
}

/* One line about a tensor, for example: input 0 "window" int8 [1 32 20 1] */
static void print_desc(const char *role, size_t index, const NN_TensorDesc *desc) {
    const char *name = NULL; /* the getters of pointers want NULL to start with */
    int32_t *shape = NULL;
    size_t rank = 0;
    OH_NN_DataType type = OH_NN_UNKNOWN;
    check(OH_NNTensorDesc_GetName(desc, &name) == OH_NN_SUCCESS, "get a name");
    check(OH_NNTensorDesc_GetDataType(desc, &type) == OH_NN_SUCCESS, "get a data type");
    check(OH_NNTensorDesc_GetShape(desc, &shape, &rank) == OH_NN_SUCCESS, "get a shape");
    printf("%s %zu \"%s\" %s [", role, index, name, type_name(type));
    for (size_t i = 0; i < rank; i++) printf("%s%d", i == 0 ? "" : " ", (int)shape[i]);
    printf("]\n");
}

/* Element i of a tensor as a number; types that classifiers do not give count as 0. */
static double element(OH_NN_DataType type, const void *data, size_t i) {
    if (type == OH_NN_INT8) return ((const int8_t *)data)[i];
    if (type == OH_NN_UINT8) return ((const uint8_t *)data)[i];
    if (type == OH_NN_INT32) return ((const int32_t *)data)[i];
    if (type == OH_NN_FLOAT32) return (double)((const float *)data)[i];
    return 0.0;
}

static void print_top_value(size_t index, const NN_Tensor *tensor) {
    const NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    const void *data = OH_NNTensor_GetDataBuffer(tensor);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    size_t count = 0, top = 0;
    check(OH_NNTensorDesc_GetDataType(desc, &type) == OH_NN_SUCCESS, "get a data type");
    check(OH_NNTensorDesc_GetElementCount(desc, &count) == OH_NN_SUCCESS, "count elements");
    for (size_t i = 1; i < count; i++)
        if (element(type, data, i) > element(type, data, top)) top = i;
    printf("output %zu: the largest of %zu values is number %zu: %g\n", index, count, top, element(type, data, top));
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: offline_model MODEL\n");
        return 1;
    }
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(argv[1]);
    check(compilation != NULL, "begin a compilation");
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, argv[1]);
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL, "make an executor");
    size_t device = 0; /* that of the model: nobody named one, so Build looked at the bytes */
    check(nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS, "ask for the device");
    OH_NNCompilation_Destroy(&compilation); /* the executor keeps what it needs */

    NN_Tensor *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
    size_t input_count = 0, output_count = 0, size = 0;
    check(OH_NNExecutor_GetInputCount(executor, &input_count) == OH_NN_SUCCESS, "count inputs");
    check(OH_NNExecutor_GetOutputCount(executor, &output_count) == OH_NN_SUCCESS, "count outputs");
    check(input_count <= MAX_TENSORS && output_count <= MAX_TENSORS, "too many inputs or outputs");
    for (size_t i = 0; i < input_count; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, i);
        check(desc != NULL, "describe an input");
        print_desc("input", i, desc);
        inputs[i] = OH_NNTensor_Create(device, desc);
        check(inputs[i] != NULL && OH_NNTensor_GetSize(inputs[i], &size) == OH_NN_SUCCESS, "make an input");
        memset(OH_NNTensor_GetDataBuffer(inputs[i]), 0, size);
        OH_NNTensorDesc_Destroy(&desc);
    }
    for (size_t i = 0; i < output_count; i++) {
        NN_TensorDesc *desc = OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        check(desc != NULL, "describe an output");
        print_desc("output", i, desc);
        outputs[i] = OH_NNTensor_Create(device, desc);
        check(outputs[i] != NULL, "make an output");
        OH_NNTensorDesc_Destroy(&desc);
    }
    check(OH_NNExecutor_RunSync(executor, inputs, input_count, outputs, output_count) == OH_NN_SUCCESS, "run");
    for (size_t i = 0; i < output_count; i++) print_top_value(i, outputs[i]);

    for (size_t i = 0; i < input_count; i++) OH_NNTensor_Destroy(&inputs[i]);
    for (size_t i = 0; i < output_count; i++) OH_NNTensor_Destroy(&outputs[i]);
    OH_NNExecutor_Destroy(&executor);
    return 0;
}
