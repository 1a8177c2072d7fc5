/* SPDX-License-Identifier: Apache-2.0 */
/* hello.c - the smallest complete program: z = relu(x + y), built call by call and run on the first device
   that can.

       cc -std=c99 -I build examples/hello.c -o hello -lm -lpthread && ./hello

   It also compiles as C++. The whole library comes in by the one include; a program with several source files
   defines NNRT_IMPLEMENTATION in one of them only. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>

/* Every call answers with a code or a pointer; nnrt_last_error() is the sentence that explains a bad one. */
static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "hello: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

static NN_TensorDesc *describe(OH_NN_DataType type, const int32_t *shape, size_t rank) {
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    check(desc != NULL, "describe a tensor");
    check(OH_NNTensorDesc_SetDataType(desc, type) == OH_NN_SUCCESS, "set a data type");
    check(OH_NNTensorDesc_SetShape(desc, shape, rank) == OH_NN_SUCCESS, "set a shape");
    return desc;
}

/* The first device that has every operator of the model. The CPU device has them all and is the last one; an
   NPU in front of it may have few. */
static size_t device_that_can(OH_NNModel *model) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    check(OH_NNDevice_GetAllDevicesID(&ids, &count) == OH_NN_SUCCESS, "list the devices");
    for (uint32_t i = 0; i < count; i++) {
        const bool *can = NULL;
        uint32_t operations = 0, known = 0;
        check(OH_NNModel_GetAvailableOperations(model, ids[i], &can, &operations) == OH_NN_SUCCESS,
              "ask a device what it can");
        while (known < operations && can[known]) known++;
        if (known == operations) return ids[i];
    }
    check(false, "no device can run this model");
    return 0;
}

int main(void) {
    const int32_t row[] = {1, 4}, one[] = {1};
    const int8_t relu = OH_NN_FUSED_RELU;
    NN_TensorDesc *floats = describe(OH_NN_FLOAT32, row, 2);
    NN_TensorDesc *parameter = describe(OH_NN_INT8, one, 1);

    /* Tensors are numbered as they are added: 0 and 1 are x and y, 2 is z, 3 a parameter of the operator. */
    uint32_t in[] = {0, 1}, out[] = {2}, param[] = {3};
    const OH_NN_UInt32Array inputs = {in, 2}, outputs = {out, 1}, params = {param, 1};
    OH_NNModel *model = OH_NNModel_Construct();
    for (int i = 0; i < 3; i++) check(OH_NNModel_AddTensorToModel(model, floats) == OH_NN_SUCCESS, "add a tensor");
    check(OH_NNModel_AddTensorToModel(model, parameter) == OH_NN_SUCCESS, "add the parameter");
    check(OH_NNModel_SetTensorType(model, 3, OH_NN_ADD_ACTIVATIONTYPE) == OH_NN_SUCCESS, "set its meaning");
    check(OH_NNModel_SetTensorData(model, 3, &relu, sizeof relu) == OH_NN_SUCCESS, "set its value");
    check(OH_NNModel_AddOperation(model, OH_NN_OPS_ADD, &params, &inputs, &outputs) == OH_NN_SUCCESS,
          "add the operator");
    check(OH_NNModel_SpecifyInputsAndOutputs(model, &inputs, &outputs) == OH_NN_SUCCESS, "name its ends");
    check(OH_NNModel_Finish(model) == OH_NN_SUCCESS, "finish the model");

    const size_t device = device_that_can(model);
    OH_NNCompilation *compilation = OH_NNCompilation_Construct(model);
    check(compilation != NULL, "begin a compilation");
    check(OH_NNCompilation_SetDevice(compilation, device) == OH_NN_SUCCESS, "choose the device");
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, "compile");
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL, "make an executor");

    NN_Tensor *xy[] = {OH_NNTensor_Create(device, floats), OH_NNTensor_Create(device, floats)};
    NN_Tensor *z[] = {OH_NNTensor_Create(device, floats)};
    check(xy[0] != NULL && xy[1] != NULL && z[0] != NULL, "make the tensors");
    for (int i = 0; i < 4; i++) {
        ((float *)OH_NNTensor_GetDataBuffer(xy[0]))[i] = (float)i;
        ((float *)OH_NNTensor_GetDataBuffer(xy[1]))[i] = -1.5f;
    }
    check(OH_NNExecutor_RunSync(executor, xy, 2, z, 1) == OH_NN_SUCCESS, "run");
    const float *result = (const float *)OH_NNTensor_GetDataBuffer(z[0]);
    printf("relu([0 1 2 3] - 1.5) =");
    for (int i = 0; i < 4; i++) printf(" %g", (double)result[i]);
    printf("\n");

    OH_NNTensor_Destroy(&xy[0]);
    OH_NNTensor_Destroy(&xy[1]);
    OH_NNTensor_Destroy(&z[0]);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    OH_NNModel_Destroy(&model);
    OH_NNTensorDesc_Destroy(&floats);
    OH_NNTensorDesc_Destroy(&parameter);
    return 0;
}
