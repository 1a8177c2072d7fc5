/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - several threads at once: first use of the device list, executors of one compilation, one executor
   shared, the calls of API 9, caches in one directory. For ThreadSanitizer. */
#include "linked.h"

#include "mock_device.h"

#include <pthread.h>
#include <stdio.h>

enum {
    THREADS = 4,
    RUNS = 20
};

static const int32_t four[1] = {4};
static OH_NNCompilation *shared_compilation;
static OH_NNExecutor *shared_executor;
static size_t device;

static void together(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, body, NULL), 0);
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
}

static void run_some(OH_NNExecutor *executor) {
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_Tensor *in = OH_NNTensor_Create(device, desc), *out = OH_NNTensor_Create(device, desc);
    int i;
    for (i = 0; i < RUNS; i++) {
        NN_TensorDesc *shape = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
        mock_floats(in)[0] = (float)i;
        OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
        cr_assert_eq(mock_floats(out)[0], (float)i + 1);
        OK(OH_NNTensorDesc_Destroy(&shape));
    }
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensorDesc_Destroy(&desc));
}

static void *first_use(void *unused) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    return unused;
}

static void *own_executor(void *unused) {
    OH_NNExecutor *executor = OH_NNExecutor_Construct(shared_compilation);
    cr_assert_not_null(executor);
    run_some(executor);
    OH_NNExecutor_Destroy(&executor);
    return unused;
}

static void *same_executor(void *unused) {
    run_some(shared_executor);
    return unused;
}

Test(threads, the_device_list_is_filled_once, .timeout = 30) { together(first_use); }

Test(threads, executors_of_one_compilation_run_at_once, .timeout = 30) {
    shared_compilation = mock_compilation(four, 1);
    device = mock_id();
    OK(OH_NNCompilation_Build(shared_compilation));
    together(own_executor);
    OH_NNCompilation_Destroy(&shared_compilation);
    cr_assert_eq(mock.live_executors + mock.live_prepared, 0);
}

Test(threads, runs_of_one_executor_follow_each_other, .timeout = 30) {
    shared_executor = mock_executor_of(four, 1);
    device = mock_id();
    together(same_executor);
    OH_NNExecutor_Destroy(&shared_executor);
}

/* What the four setters of API 9 need. */
static OH_NN_Tensor old_tensor;
static OH_NN_Memory *old_input, *old_output;
static float old_data[4];
static int setter, setter_is_back;

static void *old_run(void *unused) {
    OK(OH_NNExecutor_Run(shared_executor));
    return unused;
}

static void *old_setter(void *unused) {
    switch (setter) {
    case 0: OK(OH_NNExecutor_SetInput(shared_executor, 0, &old_tensor, old_data, sizeof(old_data))); break;
    case 1: OK(OH_NNExecutor_SetInputWithMemory(shared_executor, 0, &old_tensor, old_input)); break;
    case 2: OK(OH_NNExecutor_SetOutput(shared_executor, 0, old_data, sizeof(old_data))); break;
    default: OK(OH_NNExecutor_SetOutputWithMemory(shared_executor, 0, old_output)); break;
    }
    __atomic_store_n(&setter_is_back, 1, __ATOMIC_SEQ_CST);
    return unused;
}

/* Each of them takes away what the run before it may be using. */
Test(threads, what_an_old_run_uses_is_set_anew_only_after_its_end, .timeout = 30) {
    shared_executor = mock_executor_of(four, 1);
    old_tensor.dataType = OH_NN_FLOAT32;
    old_tensor.dimensionCount = 1;
    old_tensor.dimensions = four;
    old_input = OH_NNExecutor_AllocateInputMemory(shared_executor, 0, sizeof(old_data));
    old_output = OH_NNExecutor_AllocateOutputMemory(shared_executor, 0, sizeof(old_data));
    cr_assert(old_input != NULL && old_output != NULL);
    OK(OH_NNExecutor_SetInput(shared_executor, 0, &old_tensor, old_data, sizeof(old_data)));
    OK(OH_NNExecutor_SetOutput(shared_executor, 0, old_data, sizeof(old_data)));
    for (setter = 0; setter < 4; setter++) {
        pthread_t run, set;
        MOCK_WRITE(hang, 1);
        __atomic_store_n(&setter_is_back, 0, __ATOMIC_SEQ_CST);
        cr_assert_eq(pthread_create(&run, NULL, old_run, NULL), 0);
        while (MOCK_READ(running) == 0) usleep(500);
        cr_assert_eq(pthread_create(&set, NULL, old_setter, NULL), 0);
        usleep(20000);
        cr_assert_eq(__atomic_load_n(&setter_is_back, __ATOMIC_SEQ_CST), 0, "setter %d did not wait", setter);
        MOCK_WRITE(hang, 0);
        cr_assert_eq(pthread_join(run, NULL), 0);
        cr_assert_eq(pthread_join(set, NULL), 0);
    }
    OH_NNExecutor_DestroyInputMemory(shared_executor, 0, &old_input);
    OH_NNExecutor_DestroyOutputMemory(shared_executor, 0, &old_output);
    OH_NNExecutor_Destroy(&shared_executor);
}

#ifndef NNRT_NO_STDIO
static char folder[] = "/tmp/nnrt-threads-XXXXXX";

static void *same_cache(void *unused) {
    OH_NNModel *model = mock_model(four, 1);
    int i;
    for (i = 0; i < 5; i++) {
        OH_NNCompilation *c = OH_NNCompilation_Construct(model);
        OK(OH_NNCompilation_SetDevice(c, device));
        OK(OH_NNCompilation_SetCache(c, folder, (uint32_t)1));
        OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "x", 1));
        OK(OH_NNCompilation_Build(c));
        OH_NNCompilation_Destroy(&c);
    }
    OH_NNModel_Destroy(&model);
    return unused;
}

Test(threads, builds_share_one_cache_directory, .timeout = 30) {
    char path[64];
    cr_assert_not_null(mkdtemp(folder));
    mock.keep_no_request = true;
    device = mock_id();
    together(same_cache);
    snprintf(path, sizeof(path), "%s/0.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0, "temporary files stay behind");
}
#endif
