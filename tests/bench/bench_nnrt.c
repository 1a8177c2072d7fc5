/* SPDX-License-Identifier: Apache-2.0 */
/* bench_nnrt.c - a model run by nnrt, through its public API alone, so that this program also builds with an older
   nnrt.h.

       bench_nnrt MODEL ISA THREADS             for bench.py, see serve.h
       bench_nnrt MODEL ISA THREADS runs N      N runs, for what counts instructions
       bench_nnrt MODEL ISA THREADS layers N    of each step: the name of its output, nanoseconds (least of N runs)
       bench_nnrt MODEL ISA THREADS start FORM  for bench.py, but a run is a start: from bytes in memory to an executor,
                                                and all of it given back. FORM: what the bytes are, model or plan, and
                                                low-model or low-plan with OH_NN_PERFORMANCE_LOW */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "serve.h"

static size_t device;
static const char *isa, *threads;
static int low, profiled;
static const void *source; /* of a start */
static size_t source_size;
static OH_NNCompilation *compilation;
static OH_NNExecutor *executor;
static NN_Tensor *inputs[8], *outputs[8];
static size_t input_count, output_count;

static void must(OH_NN_ReturnCode code) { serve_need(code == OH_NN_SUCCESS, nnrt_last_error()); }

static void config(const char *name, const char *value) {
    must(OH_NNCompilation_AddExtensionConfig(compilation, name, value, strlen(value)));
}

static void run(void *unused) {
    (void)unused;
    must(OH_NNExecutor_RunSync(executor, inputs, input_count, outputs, output_count));
}

static void build(void) {
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(source, source_size);
    serve_need(compilation != NULL, nnrt_last_error());
    must(OH_NNCompilation_SetDevice(compilation, device));
    if (low) must(OH_NNCompilation_SetPerformanceMode(compilation, OH_NN_PERFORMANCE_LOW));
    config("nnrt.isa", isa);
    config("nnrt.threads", threads);
    if (profiled) config("nnrt.profile", "1");
    must(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    serve_need(executor != NULL, nnrt_last_error());
}

static void give_back(void) {
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}

static void start(void *unused) {
    (void)unused;
    build();
    give_back();
}

/* What is built becomes a plan in memory, which later starts begin with. */
static void take_plan(void) {
    size_t size = 0;
    char least;
    void *plan;
    (void)OH_NNCompilation_ExportCacheToBuffer(compilation, &least, 1, &size);
    plan = malloc(size);
    serve_need(plan != NULL, "out of memory");
    must(OH_NNCompilation_ExportCacheToBuffer(compilation, plan, size, &size));
    give_back();
    source = plan;
    source_size = size;
    build();
}

static void *bytes_of(NN_Tensor *tensor, size_t *size, int *is_float) {
    NN_TensorDesc *desc = OH_NNTensor_GetTensorDesc(tensor);
    OH_NN_DataType type = OH_NN_UNKNOWN;
    must(OH_NNTensorDesc_GetDataType(desc, &type));
    must(OH_NNTensorDesc_GetByteSize(desc, size));
    *is_float = type == OH_NN_FLOAT32;
    return OH_NNTensor_GetDataBuffer(tensor);
}

static NN_Tensor *tensor_of(NN_TensorDesc *desc) {
    NN_Tensor *tensor;
    serve_need(desc != NULL, nnrt_last_error());
    tensor = OH_NNTensor_Create(device, desc);
    serve_need(tensor != NULL, nnrt_last_error());
    must(OH_NNTensorDesc_Destroy(&desc));
    return tensor;
}

static void make_tensors(void) {
    size_t size, i;
    int is_float;
    must(OH_NNExecutor_GetInputCount(executor, &input_count));
    must(OH_NNExecutor_GetOutputCount(executor, &output_count));
    serve_need(input_count <= 8 && output_count <= 8, "more than 8 inputs or outputs");
    for (i = 0; i < input_count; i++) {
        void *bytes;
        inputs[i] = tensor_of(OH_NNExecutor_CreateInputTensorDesc(executor, i));
        bytes = bytes_of(inputs[i], &size, &is_float);
        serve_fill(bytes, size, is_float);
    }
    for (i = 0; i < output_count; i++) outputs[i] = tensor_of(OH_NNExecutor_CreateOutputTensorDesc(executor, i));
}

static void print_layers(void) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i;
    must(nnrt_executor_get_profile(executor, &steps, &count));
    for (i = 0; i < count; i++) printf("%s\t%.0f\n", steps[i].name, (double)steps[i].min_ns);
}

int main(int argc, char **argv) {
    const char *mode = argc == 6 ? argv[4] : "";
    const int layers = strcmp(mode, "layers") == 0, starts = strcmp(mode, "start") == 0;
    const size_t *devices = NULL;
    uint32_t device_count = 0;
    size_t size;
    int is_float, left;
    void *bytes;
    serve_need(argc == 4 || layers || starts || strcmp(mode, "runs") == 0,
               "usage: bench_nnrt MODEL ISA THREADS [runs|layers N | start FORM]");
    serve_keep_memory();
    must(OH_NNDevice_GetAllDevicesID(&devices, &device_count));
    device = devices[0];
    isa = argv[2];
    threads = argv[3];
    low = starts && strncmp(argv[5], "low-", 4) == 0;
    profiled = layers;
    source = serve_read(argv[1], &source_size);
    build();
    if (starts && strcmp(argv[5] + (low ? 4 : 0), "plan") == 0) take_plan();
    make_tensors();
    if (argc == 6 && !starts) {
        for (left = atoi(argv[5]); left > 0; left--) run(NULL);
        if (layers) print_layers();
        return 0;
    }
    run(NULL);
    bytes = bytes_of(outputs[0], &size, &is_float);
    serve_output(bytes, size, is_float);
    if (starts) give_back();
    serve(starts ? start : run, NULL, NULL);
    return 0;
}
