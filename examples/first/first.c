/* SPDX-License-Identifier: Apache-2.0 */
#include "nnrt.h"
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 3) return puts("usage: first MODEL INPUT"), 1;
    OH_NNCompilation *model = OH_NNCompilation_ConstructWithOfflineModelFile(argv[1]);
    if (model == NULL || OH_NNCompilation_Build(model) != OH_NN_SUCCESS) return puts(nnrt_last_error()), 1;
    OH_NNExecutor *executor = OH_NNExecutor_Construct(model);
    NN_TensorDesc *in_desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_TensorDesc *out_desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    NN_Tensor *in = OH_NNTensor_Create(0, in_desc), *out = OH_NNTensor_Create(0, out_desc);

    OH_NN_DataType type = OH_NN_UNKNOWN;
    OH_NNTensorDesc_GetDataType(out_desc, &type);
    if (type != OH_NN_INT8) return puts("this program is for models with int8 outputs"), 1;

    /* The input's bytes as the model wants them: here a picture of a digit, pixel - 128. */
    size_t size = 0, count = 0, best = 0, i;
    FILE *file = fopen(argv[2], "rb");
    if (file == NULL || OH_NNTensorDesc_GetByteSize(in_desc, &size) != OH_NN_SUCCESS) return puts("no input"), 1;
    if (fread(OH_NNTensor_GetDataBuffer(in), 1, size, file) != size || fgetc(file) != EOF)
        return printf("the input has to be %u bytes: the numbers alone, no picture file\n", (unsigned)size), 1;
    if (OH_NNExecutor_RunSync(executor, &in, 1, &out, 1) != OH_NN_SUCCESS) return puts(nnrt_last_error()), 1;

    const signed char *scores = (const signed char *)OH_NNTensor_GetDataBuffer(out); /* int8, -128 to 127 */
    OH_NNTensorDesc_GetElementCount(out_desc, &count);
    for (i = 1; i < count; i++)
        if (scores[i] > scores[best]) best = i;
    printf("class %d, %d %%\n", (int)best, (scores[best] + 128) * 100 / 256);
    return 0;
}
