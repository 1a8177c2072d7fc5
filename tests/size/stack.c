/* SPDX-License-Identifier: Apache-2.0 */
/* stack.c - the stack that the calls of a program take, measured: each call runs in a thread whose stack was painted
   before, and what is not painted any more was used.

       stack MODEL...   prints, of all models together and of the first alone, the most bytes that a call took:
                        Build of a .tflite, an executor, a run, Build of a plan

   A model that is refused counts with what its Build took until then. What a thread takes before it does anything is
   taken off: it is the C library's. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <stdio.h>

enum {
    STACK = 1 << 20,
    PAINT = 0xa5
};

typedef struct job {
    const void *model, *plan;
    size_t model_size, plan_size;
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    NN_Tensor *inputs[8], *outputs[8];
    size_t input_count, output_count;
} job;

static void *nothing(void *argument) { return argument; }

static void *build_model(void *argument) {
    job *j = (job *)argument;
    j->compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(j->model, j->model_size);
    if (j->compilation != NULL && OH_NNCompilation_Build(j->compilation) != OH_NN_SUCCESS)
        OH_NNCompilation_Destroy(&j->compilation);
    return NULL;
}

static void *make_executor(void *argument) {
    job *j = (job *)argument;
    j->executor = OH_NNExecutor_Construct(j->compilation);
    return NULL;
}

static void *run(void *argument) {
    job *j = (job *)argument;
    (void)OH_NNExecutor_RunSync(j->executor, j->inputs, j->input_count, j->outputs, j->output_count);
    return NULL;
}

static void *build_plan(void *argument) {
    job *j = (job *)argument;
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    if (OH_NNCompilation_ImportCacheFromBuffer(compilation, j->plan, j->plan_size) == OH_NN_SUCCESS &&
        nnrt_compilation_use_in_place(compilation) == OH_NN_SUCCESS)
        (void)OH_NNCompilation_Build(compilation);
    OH_NNCompilation_Destroy(&compilation);
    return NULL;
}

/* Bytes of the painted stack that work(argument) touched. */
static size_t depth(void *(*work)(void *), void *argument) {
    static unsigned char *stack;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    if (stack == NULL && posix_memalign((void **)&stack, 65536, STACK) != 0) exit(1);
    memset(stack, PAINT, STACK);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
        pthread_create(&thread, &attributes, work, argument) != 0)
        exit(1);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (untouched < STACK && stack[untouched] == PAINT) untouched++;
    return STACK - untouched;
}

/* Tensors of the shapes that the executor tells; false: it leaves one open, or has too many. */
static bool make_tensors(job *j) {
    size_t i;
    if (OH_NNExecutor_GetInputCount(j->executor, &j->input_count) != OH_NN_SUCCESS || j->input_count > 8 ||
        OH_NNExecutor_GetOutputCount(j->executor, &j->output_count) != OH_NN_SUCCESS || j->output_count > 8)
        return false;
    for (i = 0; i < j->input_count + j->output_count; i++) {
        const bool in = i < j->input_count;
        NN_TensorDesc *desc = in ? OH_NNExecutor_CreateInputTensorDesc(j->executor, i)
                                 : OH_NNExecutor_CreateOutputTensorDesc(j->executor, i - j->input_count);
        NN_Tensor *tensor = OH_NNTensor_Create(0, desc);
        OH_NNTensorDesc_Destroy(&desc);
        if (in) j->inputs[i] = tensor;
        else j->outputs[i - j->input_count] = tensor;
        if (tensor == NULL) return false;
    }
    return true;
}

static void most(size_t *to, size_t bytes, size_t less) {
    if (bytes - less > *to) *to = bytes - less;
}

/* Of each of the four calls the most bytes so far. */
static void measure(const char *path, size_t less, size_t bytes[4]) {
    static unsigned char model[1 << 20], plan[1 << 22];
    FILE *file = fopen(path, "rb");
    job j;
    size_t i;
    memset(&j, 0, sizeof(j));
    if (file == NULL) exit(1);
    j.model = model;
    j.model_size = fread(model, 1, sizeof(model), file);
    fclose(file);
    most(&bytes[0], depth(build_model, &j), less);
    if (j.compilation == NULL) return;
    if (OH_NNCompilation_ExportCacheToBuffer(j.compilation, plan, sizeof(plan), &j.plan_size) == OH_NN_SUCCESS) {
        j.plan = plan;
        most(&bytes[3], depth(build_plan, &j), less);
    }
    most(&bytes[1], depth(make_executor, &j), less);
    OH_NNCompilation_Destroy(&j.compilation);
    if (j.executor != NULL && make_tensors(&j)) most(&bytes[2], depth(run, &j), less);
    for (i = 0; i < 8; i++) {
        if (j.inputs[i] != NULL) OH_NNTensor_Destroy(&j.inputs[i]);
        if (j.outputs[i] != NULL) OH_NNTensor_Destroy(&j.outputs[i]);
    }
    if (j.executor != NULL) OH_NNExecutor_Destroy(&j.executor);
}

int main(int argc, char **argv) {
    size_t first[4] = {0, 0, 0, 0}, all[4] = {0, 0, 0, 0}, less = depth(nothing, NULL);
    int i;
    if (argc < 2) return 2;
    measure(argv[1], less, first);
    for (i = 1; i < argc; i++) measure(argv[i], less, all);
    printf("%zu %zu %zu %zu %zu %zu %zu %zu\n", first[0], first[1], first[2], first[3], all[0], all[1], all[2], all[3]);
    return 0;
}
