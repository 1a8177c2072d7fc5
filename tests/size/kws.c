/* SPDX-License-Identifier: Apache-2.0 */
/* kws.c - the program that `make size` measures: a .tflite from a buffer, built and run once, nothing else.

   The options come from tests/size.sh. Sentences of errors are in; the model is no part of the program, because a
   firmware has it in a partition of its flash. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

static int run(const void *model, size_t size, const void *input, void *output) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    OH_NNExecutor *executor = NULL;
    NN_TensorDesc *descs[2] = {NULL, NULL};
    NN_Tensor *tensors[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0}, i;
    int result = 1;
    if (compilation != NULL && OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS)
        executor = OH_NNExecutor_Construct(compilation);
    OH_NNCompilation_Destroy(&compilation);
    if (executor == NULL) return 1;
    descs[0] = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    descs[1] = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    for (i = 0; i < 2; i++) {
        if (descs[i] != NULL && OH_NNTensorDesc_GetByteSize(descs[i], &bytes[i]) == OH_NN_SUCCESS)
            tensors[i] = OH_NNTensor_Create(0, descs[i]);
    }
    if (tensors[0] != NULL && tensors[1] != NULL) {
        memcpy(OH_NNTensor_GetDataBuffer(tensors[0]), input, bytes[0]);
        if (OH_NNExecutor_RunSync(executor, &tensors[0], 1, &tensors[1], 1) == OH_NN_SUCCESS) {
            memcpy(output, OH_NNTensor_GetDataBuffer(tensors[1]), bytes[1]);
            result = 0;
        }
    }
    for (i = 0; i < 2; i++) {
        OH_NNTensor_Destroy(&tensors[i]);
        OH_NNTensorDesc_Destroy(&descs[i]);
    }
    OH_NNExecutor_Destroy(&executor);
    return result;
}

/* argv stands for model, input and output: the compiler cannot know them. It is not meant to be run. */
int main(int argc, char **argv) { return argc < 4 ? 1 : run(argv[1], (size_t)argc, argv[2], argv[3]); }
