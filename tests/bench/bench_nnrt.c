/* SPDX-License-Identifier: Apache-2.0 */
/* bench_nnrt.c - a model run by nnrt, through its public API alone, so that this program also builds with an older
   nnrt.h.

       bench_nnrt MODEL ISA THREADS             for bench.py, see serve.h
       bench_nnrt MODEL ISA THREADS runs N      N runs, for what counts instructions
       bench_nnrt MODEL ISA THREADS layers N    of each step: the name of its output, nanoseconds (least of N runs) */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "serve.h"

static OH_NNExecutor *executor;
static NN_Tensor *inputs[8], *outputs[8];
static size_t input_count, output_count;

static void must(OH_NN_ReturnCode code) { serve_need(code == OH_NN_SUCCESS, nnrt_last_error()); }

static void config(OH_NNCompilation *compilation, const char *name, const char *value) {
    must(OH_NNCompilation_AddExtensionConfig(compilation, name, value, strlen(value)));
}

static void run(void *unused) {
    (void)unused;
    must(OH_NNExecutor_RunSync(executor, inputs, input_count, outputs, output_count));
}

static void *bytes_of(NN_Tensor *tensor, size_t *size, int *is_float) {
    NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    must(OH_NNTensorDesc_GetDataType(desc, &type));
    must(OH_NNTensorDesc_GetByteSize(desc, size));
    *is_float = type == OH_NN_FLOAT32;
    return OH_NNTensor_GetDataBuffer(tensor);
}

static NN_Tensor *tensor_of(size_t device, NN_TensorDesc *desc) {
    NN_Tensor *tensor;
    serve_need(desc != NULL, nnrt_last_error());
    tensor = OH_NNTensor_Create(device, desc);
    serve_need(tensor != NULL, nnrt_last_error());
    must(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void print_layers(void) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i;
    must(nnrt_executor_get_profile(executor, &steps, &count));
    for (i = 0; i < count; i++) printf("%s\t%.0f\n", steps[i].name, (double)steps[i].min_ns);
}

int main(int argc, char **argv) {
    const int layers = argc == 6 && strcmp(argv[4], "layers") == 0;
    OH_NNCompilation *compilation;
    const size_t *devices = NULL;
    uint32_t device_count = 0;
    size_t size, i;
    int is_float, left;
    void *model, *bytes;
    serve_need(argc == 4 || layers || (argc == 6 && strcmp(argv[4], "runs") == 0),
               "usage: bench_nnrt MODEL ISA THREADS [runs|layers N]");
    model = serve_read(argv[1], &size);
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(model, size);
    serve_need(compilation != NULL, nnrt_last_error());
    must(OH_NNDevice_GetAllDevicesID(&devices, &device_count));
    must(OH_NNCompilation_SetDevice(compilation, devices[0]));
    config(compilation, "nnrt.isa", argv[2]);
    config(compilation, "nnrt.threads", argv[3]);
    if (layers) config(compilation, "nnrt.profile", "1");
    must(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    serve_need(executor != NULL, nnrt_last_error());
    must(OH_NNExecutor_GetInputCount(executor, &input_count));
    must(OH_NNExecutor_GetOutputCount(executor, &output_count));
    serve_need(input_count <= 8 && output_count <= 8, "more than 8 inputs or outputs");
    for (i = 0; i < input_count; i++) {
        inputs[i] = tensor_of(devices[0], OH_NNExecutor_CreateInputTensorDesc(executor, i));
        bytes = bytes_of(inputs[i], &size, &is_float);
        serve_fill(bytes, size, is_float);
    }
    for (i = 0; i < output_count; i++)
        outputs[i] = tensor_of(devices[0], OH_NNExecutor_CreateOutputTensorDesc(executor, i));
    if (argc == 6) {
        for (left = atoi(argv[5]); left > 0; left--) run(NULL);
        if (layers) print_layers();
        return 0;
    }
    run(NULL);
    bytes = bytes_of(outputs[0], &size, &is_float);
    serve_output(bytes, size, is_float);
    serve(run, NULL, NULL);
    return 0;
}
