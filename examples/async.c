/* SPDX-License-Identifier: Apache-2.0 */
/* async.c - runs a model in the background: a callback, a deadline, and a thread that waits for the result.

       cc -std=c99 -I build examples/async.c -o async -lm -lpthread
       ./async examples/meter/meter.tflite

   OH_NNExecutor_RunAsync only queues the run. Every accepted run ends in exactly one call of the callback, on
   a thread of the executor; a run that misses its deadline ends with OH_NN_TIMEOUT. Until then the tensors,
   and the two arrays that list them, must stay alive. */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEADLINE_MS = 1000
};

/* What the callback leaves for the thread that waits. */
typedef struct run_result {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
    OH_NN_ReturnCode code;
} run_result;

static void check(bool ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "async: %s: %s\n", what, nnrt_last_error());
    exit(1);
}

/* On the executor's thread: leave a note and go. The next run of this executor waits until this returns. */
static void on_run_done(void *user_data, OH_NN_ReturnCode code, void *outputs[], int32_t output_count) {
    run_result *result = (run_result *)user_data;
    (void)outputs; /* the array given to RunAsync */
    (void)output_count;
    pthread_mutex_lock(&result->lock);
    result->code = code;
    result->done = true;
    pthread_cond_signal(&result->changed);
    pthread_mutex_unlock(&result->lock);
}

static OH_NN_ReturnCode wait_for(run_result *result) {
    OH_NN_ReturnCode code;
    pthread_mutex_lock(&result->lock);
    while (!result->done) pthread_cond_wait(&result->changed, &result->lock);
    code = result->code;
    pthread_mutex_unlock(&result->lock);
    return code;
}

int main(int argc, char **argv) {
    run_result result = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, OH_NN_FAILED};
    if (argc != 2) {
        fprintf(stderr, "usage: async MODEL (with one input and one output)\n");
        return 1;
    }
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(argv[1]);
    check(compilation != NULL, "begin a compilation");
    check(OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS, argv[1]);
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    check(executor != NULL, "make an executor");
    size_t device = 0; /* that of the model: nobody named one, so Build looked at the bytes */
    check(nnrt_executor_get_device(executor, &device) == OH_NN_SUCCESS, "ask for the device");
    OH_NNCompilation_Destroy(&compilation);

    NN_TensorDesc *input_desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_TensorDesc *output_desc = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
    check(input_desc != NULL && output_desc != NULL, "describe the tensors");
    NN_Tensor *inputs[] = {OH_NNTensor_Create(device, input_desc)};
    NN_Tensor *outputs[] = {OH_NNTensor_Create(device, output_desc)};
    check(inputs[0] != NULL && outputs[0] != NULL, "make the tensors");
    OH_NNTensorDesc_Destroy(&input_desc);
    OH_NNTensorDesc_Destroy(&output_desc);

    check(OH_NNExecutor_SetOnRunDone(executor, on_run_done) == OH_NN_SUCCESS, "set the callback");
    check(OH_NNExecutor_RunAsync(executor, inputs, 1, outputs, 1, DEADLINE_MS, &result) == OH_NN_SUCCESS,
          "queue a run");
    printf("queued; this thread is free to fetch the next picture\n");
    const OH_NN_ReturnCode code = wait_for(&result);
    if (code != OH_NN_SUCCESS) { /* nnrt_last_error() is about this thread; the run was on another one */
        fprintf(stderr, "async: the run ended with %s\n", nnrt_strerror(code));
        exit(1);
    }
    printf("done\n");

    OH_NNTensor_Destroy(&inputs[0]);
    OH_NNTensor_Destroy(&outputs[0]);
    OH_NNExecutor_Destroy(&executor); /* waits for runs that are still queued */
    pthread_cond_destroy(&result.changed);
    pthread_mutex_destroy(&result.lock);
    return 0;
}
