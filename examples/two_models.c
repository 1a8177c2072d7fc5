/* SPDX-License-Identifier: Apache-2.0 */
/* two_models.c - two models of one file of Horizon's: what is in it, and both run, one of them ahead of the other.

       aarch64-linux-gnu-gcc -std=c99 -O2 -I build examples/two_models.c -o two_models -lm -lpthread -ldl
       ./two_models PACKED.bin FIRST SECOND

   Without names the sentence of the failure lists what the file has, as `nnrt inspect PACKED.bin` does. Priorities: the
   second model waits while tasks of the first one do, and is interrupted by them between two of its calls to the BPU
   if it was compiled with a limit for these. */
#define NNRT_BACKEND_BPU 1
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_TENSORS = 16
};

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "two_models: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

static void set(OH_NNCompilation *compilation, const char *name, const char *value) {
    check(OH_NNCompilation_AddExtensionConfig(compilation, name, value, strlen(value)) == OH_NN_SUCCESS, name);
}

/* An executor of one model of the file. */
static OH_NNExecutor *load(const char *path, const char *name, const char *priority) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    OH_NNExecutor *executor;
    check(compilation != NULL, path);
    if (name != NULL) set(compilation, "bpu.model", name);
    set(compilation, "bpu.priority", priority);
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, "build");
    executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL, "make an executor");
    OH_NNCompilation_Destroy(&compilation);
    return executor;
}

/* Tensors of the executor: zeros in. How many. */
static size_t make_tensors(OH_NNExecutor *executor, bool input, NN_Tensor **tensors) {
    size_t count = 0, device = 0, size = 0;
    check(nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS &&
              (input ? OH_NNExecutor_GetInputCount(executor, &count)
                     : OH_NNExecutor_GetOutputCount(executor, &count)) == OH_NN_SUCCESS &&
              count <= MAX_TENSORS,
          "count the tensors");
    for (size_t i = 0; i < count; i++) {
        NN_TensorDesc *desc = input ? OH_NNExecutor_CreateInputTensorDesc(executor, i)
                                    : OH_NNExecutor_CreateOutputTensorDesc(executor, i);
        tensors[i] = desc != NULL ? OH_NNTensor_Create(device, desc) : NULL;
        check(tensors[i] != NULL && OH_NNTensor_GetSize(tensors[i], &size) == OH_NN_SUCCESS, "make a tensor");
        memset(OH_NNTensor_GetDataBuffer(tensors[i]), 0, size);
        OH_NNTensorDesc_Destroy(&desc);
    }
    return count;
}

int main(int argc, char **argv) {
    OH_NNExecutor *executors[2];
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: two_models MODEL [FIRST SECOND]\n");
        return 1;
    }
    for (int i = 0; i < 2; i++) executors[i] = load(argv[1], argc == 4 ? argv[2 + i] : NULL, i == 0 ? "200" : "10");
    for (int i = 0; i < 2; i++) {
        NN_Tensor *in[MAX_TENSORS], *out[MAX_TENSORS];
        const size_t inputs = make_tensors(executors[i], true, in), outputs = make_tensors(executors[i], false, out);
        char name[64], time[24];
        check(OH_NNExecutor_RunSync(executors[i], in, inputs, out, outputs) == OH_NN_SUCCESS, "run");
        check(nnrt_executor_get_info(executors[i], "bpu.model_name", name, sizeof(name)) == OH_NN_SUCCESS &&
                  nnrt_executor_get_info(executors[i], "bpu.run_us", time, sizeof(time)) == OH_NN_SUCCESS,
              "ask about the run");
        printf("%s: %zu inputs, %zu outputs, %s us\n", name, inputs, outputs, time);
        for (size_t k = 0; k < inputs; k++) OH_NNTensor_Destroy(&in[k]);
        for (size_t k = 0; k < outputs; k++) OH_NNTensor_Destroy(&out[k]);
        OH_NNExecutor_Destroy(&executors[i]);
    }
    return 0;
}
