/* SPDX-License-Identifier: Apache-2.0 */
/* roi.c - regions of a picture on Horizon's BPU: cut out, scaled and run through a model, all of them as one task.

       aarch64-linux-gnu-gcc -std=c99 -O2 -I build examples/roi.c -o roi -lm -lpthread -ldl
       ./roi MODEL.bin PICTURE.nv12 WIDTH HEIGHT LEFT,TOP,RIGHT,BOTTOM ...

   PICTURE is raw: rows of luma, then half as many rows of U and V in turns, of any size. The model was compiled with
   its picture from the resizer, as the toy model of the simulated boards is (build/sim/models/resizer.CHIP.bin, for X3,
   J5 and X5): such a model has the regions as its second input, and as many answers as there are regions. All four
   sides are inside. What the resizer of the chip cannot do is refused with its limits. */
#define NNRT_BACKEND_BPU 1
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_REGIONS = 32
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "roi: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* A tensor of the BPU with the model's description, its shape filled in: what the model takes is not copied. */
static NN_Tensor *make_tensor(OH_NNExecutor *executor, NN_TensorDesc *desc, int32_t first, int32_t second) {
    int32_t *shape = NULL, dims[NNRT_MAX_RANK];
    const int32_t wanted[2] = {first, second};
    size_t rank = 0, device = 0, open = 0;
    NN_Tensor *tensor;
    check(desc != NULL && OH_NNTensorDesc_GetShape(desc, &shape, &rank) == OH_NN_SUCCESS, "describe a tensor");
    for (size_t i = 0; i < rank; i++) dims[i] = shape[i] == -1 && open < 2 ? wanted[open++] : shape[i];
    check(OH_NNTensorDesc_SetShape(desc, dims, rank) == OH_NN_SUCCESS &&
              nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS,
          "set a shape");
    tensor = OH_NNTensor_Create(device, desc);
    check(tensor != NULL, "make a tensor");
    OH_NNTensorDesc_Destroy(&desc);
    return tensor;
}

static OH_NNExecutor *load(const char *path) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    OH_NNExecutor *executor;
    size_t inputs = 0, outputs = 0;
    check(compilation != NULL &&
              OH_NNCompilation_AddExtensionConfig(compilation, "bpu.io_float", "1", 1) == OH_NN_SUCCESS,
          path);
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, "build");
    executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL && OH_NNExecutor_GetInputCount(executor, &inputs) == OH_NN_SUCCESS &&
              OH_NNExecutor_GetOutputCount(executor, &outputs) == OH_NN_SUCCESS,
          "make an executor");
    if (inputs != 2 || outputs != 1) {
        fprintf(stderr, "roi: a picture, its regions and one output are wanted\n");
        exit(1);
    }
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

int main(int argc, char **argv) {
    int32_t regions[MAX_REGIONS][4];
    const int32_t count = argc - 5, width = argc > 5 ? atoi(argv[3]) : 0, height = argc > 5 ? atoi(argv[4]) : 0;
    OH_NNExecutor *executor;
    NN_Tensor *inputs[2], *output;
    size_t size = 0;
    FILE *file;
    if (count < 1 || count > MAX_REGIONS || width < 2 || height < 2) {
        fprintf(stderr, "usage: roi MODEL PICTURE WIDTH HEIGHT LEFT,TOP,RIGHT,BOTTOM ...\n");
        return 1;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t *r = regions[i];
        if (sscanf(argv[5 + i], "%d,%d,%d,%d", &r[0], &r[1], &r[2], &r[3]) == 4) continue;
        fprintf(stderr, "roi: %s is no region\n", argv[5 + i]);
        return 1;
    }
    executor = load(argv[1]);
    inputs[0] = make_tensor(executor, OH_NNExecutor_CreateInputTensorDesc(executor, 0), height / 2 * 3, width);
    inputs[1] = make_tensor(executor, OH_NNExecutor_CreateInputTensorDesc(executor, 1), count, 0);
    output = make_tensor(executor, OH_NNExecutor_CreateOutputTensorDesc(executor, 0), count, 0);
    check(OH_NNTensor_GetSize(inputs[0], &size) == OH_NN_SUCCESS, "ask for a size");
    file = fopen(argv[2], "rb");
    if (file == NULL || fread(OH_NNTensor_GetDataBuffer(inputs[0]), 1, size, file) != size) {
        fprintf(stderr, "roi: %s has not the %zu bytes of the picture\n", argv[2], size);
        return 1;
    }
    fclose(file);
    memcpy(OH_NNTensor_GetDataBuffer(inputs[1]), regions, (size_t)count * sizeof(regions[0]));
    check(OH_NNExecutor_RunSync(executor, inputs, 2, &output, 1) == OH_NN_SUCCESS, "run");
    check(OH_NNTensor_GetSize(output, &size) == OH_NN_SUCCESS, "ask for a size");
    for (int32_t i = 0; i < count; i++) {
        const size_t values = size / sizeof(float) / (size_t)count;
        const float *value = (const float *)OH_NNTensor_GetDataBuffer(output) + (size_t)i * values;
        size_t best = 0;
        for (size_t k = 1; k < values; k++)
            if (value[k] > value[best]) best = k;
        printf("%s: value %zu of %zu is the highest, %g\n", argv[5 + i], best, values, (double)value[best]);
    }
    OH_NNTensor_Destroy(&inputs[0]);
    OH_NNTensor_Destroy(&inputs[1]);
    OH_NNTensor_Destroy(&output);
    OH_NNExecutor_Destroy(&executor);
    return 0;
}
