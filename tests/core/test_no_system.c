/* SPDX-License-Identifier: Apache-2.0 */
/* test_no_system.c - NNRT_NO_STDIO and NNRT_NO_THREADS together: a program without an operating system. */
#include "counting_alloc.h"
#define NNRT_NO_STDIO
#define NNRT_NO_THREADS
#define NNRT_NO_SIMD        /* what these tests look at is the same with every kernel */
#define NNRT_OPS(X) X(RELU) /* a third of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"
#include "one_profile.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())

Test(no_system, the_version_says_that_there_are_neither_threads_nor_files) {
    cr_assert_not_null(strstr(nnrt_version(), " no-threads no-files "), "%s", nnrt_version());
}

Test(no_system, without_a_clock_a_profile_counts_runs_and_has_no_times) {
    const nnrt_profile_step step = one_profile();
    cr_assert_eq(step.runs, 2u);
    cr_assert_eq(step.last_ns, 0u);
    cr_assert_eq(step.min_ns, 0u);
    cr_assert_eq(step.total_ns, 0u);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, tensors_are_zeroed_blocks_of_the_allocator_at_multiples_of_64_bytes) {
    static const int32_t sizes[] = {1, 3, 16, 1000};
    size_t i, k;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        NN_TensorDesc *desc = OH_NNTensorDesc_Create();
        NN_Tensor *tensor;
        const float *data;
        long before;
        IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), OH_NN_SUCCESS);
        IS(OH_NNTensorDesc_SetShape(desc, &sizes[i], 1), OH_NN_SUCCESS);
        before = counting_live();
        tensor = OH_NNTensor_Create(0, desc);
        cr_assert_not_null(tensor, "%s", nnrt_last_error());
        cr_assert_gt(counting_live(), before);
        data = (const float *)OH_NNTensor_GetDataBuffer(tensor);
        cr_assert_eq((uintptr_t)data % 64, 0u);
        for (k = 0; k < (size_t)sizes[i]; k++) cr_assert_eq(data[k], 0.0f);
        memset(OH_NNTensor_GetDataBuffer(tensor), 0x5a, (size_t)sizes[i] * sizeof(float));
        IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS);
        cr_assert_eq(counting_live(), before);
        IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    }
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, a_tensor_that_finds_no_memory_is_refused_and_leaves_nothing_behind) {
    const int32_t four = 4;
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    NN_Tensor *tensor;
    long before, n;
    IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(desc, &four, 1), OH_NN_SUCCESS);
    before = counting_live();
    for (n = 0;; n++) {
        counting_fail_at(n);
        tensor = OH_NNTensor_Create(0, desc);
        if (!counting_failed()) break;
        cr_assert_null(tensor);
        cr_assert_not_null(strstr(nnrt_last_error(), "out of memory"), "%s", nnrt_last_error());
        cr_assert_eq(counting_live(), before);
    }
    counting_fail_never();
    cr_assert_geq(n, 2); /* the tensor with its descriptor, and its buffer with its data */
    IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
}

Test(no_system, descriptors_are_neither_given_nor_taken) {
    const int32_t four = 4;
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    NN_Tensor *tensor;
    int fd = 99;
    IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_FLOAT32), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(desc, &four, 1), OH_NN_SUCCESS);
    tensor = OH_NNTensor_Create(0, desc);
    IS(OH_NNTensor_GetFd(tensor, &fd), OH_NN_OPERATION_FORBIDDEN);
    cr_assert_eq(fd, 99);
    cr_assert_str_eq(nnrt_last_error(), "this build has no file descriptors (NNRT_NO_STDIO)");
    (void)nnrt_backend_fail(OH_NN_FAILED, "another sentence");
    cr_assert_null(OH_NNTensor_CreateWithFd(0, desc, 0, 16, 0));
    cr_assert_str_eq(nnrt_last_error(), "this build has no file descriptors (NNRT_NO_STDIO)");
    IS(OH_NNTensor_Destroy(&tensor), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, an_asynchronous_run_is_forbidden) {
    const int32_t dims[1] = {4};
    uint32_t x, y;
    gb_graph g;
    NN_TensorDesc *desc;
    NN_Tensor *in, *out;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_build(&g), OH_NN_SUCCESS);
    desc = OH_NNExecutor_CreateInputTensorDesc(g.executor, 0);
    in = OH_NNTensor_Create(0, desc);
    out = OH_NNTensor_Create(0, desc);
    IS(OH_NNExecutor_RunAsync(g.executor, &in, 1, &out, 1, 1000, &g), OH_NN_OPERATION_FORBIDDEN);
    cr_assert_not_null(strstr(nnrt_last_error(), "this build has no threads (NNRT_NO_THREADS)"));
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    gb_close(&g);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, a_model_in_a_file_is_refused_with_the_reason) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("examples/meter/meter.tflite");
    if (compilation != NULL) cr_assert_neq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "this build has no files (NNRT_NO_STDIO)"), "%s", nnrt_last_error());
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_live(), 0);
}

Test(no_system, a_folder_for_caches_is_refused_with_the_reason) {
    const int32_t dims[1] = {4};
    uint32_t x, y;
    gb_graph g;
    gb_open(&g);
    x = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    y = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 1, dims));
    IS(gb_op(&g, OH_NN_OPS_RELU, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(&g), OH_NN_SUCCESS);
    g.compilation = OH_NNCompilation_Construct(g.model);
    IS(OH_NNCompilation_SetCache(g.compilation, "/tmp", 1), OH_NN_SUCCESS);
    cr_assert_neq((int)OH_NNCompilation_Build(g.compilation), (int)OH_NN_SUCCESS);
    cr_assert_not_null(strstr(nnrt_last_error(), "this build has no files (NNRT_NO_STDIO)"), "%s", nnrt_last_error());
    gb_close(&g);
    cr_assert_eq(counting_live(), 0);
}

/* ------------------------------------------------------------------------------------------- runs inside runs */

static OH_NNExecutor *outer_executor, *inner_executor;
static NN_Tensor *inner_in, *inner_out;
static OH_NN_ReturnCode inner_code;

/* As an interrupt: everything that waits for a run where there are threads, in the middle of one. */
static void every_call_is_forbidden(OH_NNExecutor *running) {
    const nnrt_profile_step *steps = NULL;
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(running, 0);
    OH_NNExecutor *still = running;
    const int32_t four = 4;
    const OH_NN_Tensor old = {OH_NN_FLOAT32, 1, &four, NULL, OH_NN_TENSOR};
    float numbers[4] = {0};
    const OH_NN_Memory memory = {numbers, sizeof numbers};
    nnrt_memory figures;
    char text[8];
    uint32_t count = 0;
    IS(OH_NNExecutor_RunSync(running, &inner_in, 1, &inner_out, 1), OH_NN_OPERATION_FORBIDDEN);
    cr_assert_not_null(strstr(nnrt_last_error(), "an executor of its own"), "%s", nnrt_last_error());
    IS(OH_NNExecutor_Run(running), OH_NN_OPERATION_FORBIDDEN);
    IS(OH_NNExecutor_SetInput(running, 0, &old, numbers, sizeof numbers), OH_NN_OPERATION_FORBIDDEN);
    IS(OH_NNExecutor_SetInputWithMemory(running, 0, &old, &memory), OH_NN_OPERATION_FORBIDDEN);
    IS(OH_NNExecutor_SetOutput(running, 0, numbers, sizeof numbers), OH_NN_OPERATION_FORBIDDEN);
    IS(OH_NNExecutor_SetOutputWithMemory(running, 0, &memory), OH_NN_OPERATION_FORBIDDEN);
    IS(nnrt_executor_prepare(running, &desc, 1), OH_NN_OPERATION_FORBIDDEN);
    IS(nnrt_executor_reset(running), OH_NN_OPERATION_FORBIDDEN);
    IS(nnrt_executor_get_profile(running, &steps, &count), OH_NN_OPERATION_FORBIDDEN);
    IS(nnrt_executor_get_memory(running, &figures), OH_NN_OPERATION_FORBIDDEN);
    IS(nnrt_executor_get_info(running, "mock.fact", text, sizeof text), OH_NN_OPERATION_FORBIDDEN);
    OH_NNExecutor_Destroy(&still);
    cr_assert_eq(still, running);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
}

static OH_NN_ReturnCode interrupted_run(void *executor, const nnrt_io *inputs, size_t input_count, nnrt_io *outputs,
                                        size_t output_count) {
    OH_NNExecutor *outer = outer_executor;
    outer_executor = NULL; /* the runs inside are not interrupted */
    if (outer != NULL) {
        every_call_is_forbidden(outer);
        inner_code = OH_NNExecutor_RunSync(inner_executor, &inner_in, 1, &inner_out, 1);
    }
    return mock_run(executor, inputs, input_count, outputs, output_count);
}

static OH_NN_ReturnCode no_info(void *executor, const char *name, char *text, size_t size) {
    (void)executor;
    (void)name;
    (void)size;
    text[0] = '\0';
    return OH_NN_SUCCESS;
}

/* Runs outer, with inner inside; how inner ended. */
static OH_NN_ReturnCode run_inside(OH_NNExecutor *outer, OH_NNExecutor *inner, NN_Tensor *in, NN_Tensor *out) {
    const float *result = (const float *)OH_NNTensor_GetDataBuffer(out);
    float *inner_result = (float *)OH_NNTensor_GetDataBuffer(inner_out);
    outer_executor = outer;
    inner_executor = inner;
    inner_code = OH_NN_FAILED;
    *inner_result = -7.0f;
    *(float *)OH_NNTensor_GetDataBuffer(in) = 3.0f;
    *(float *)OH_NNTensor_GetDataBuffer(inner_in) = 5.0f;
    IS(OH_NNExecutor_RunSync(outer, &in, 1, &out, 1), OH_NN_SUCCESS);
    cr_assert_eq(result[0], 4.0f);
    cr_assert_eq(*inner_result, inner_code == OH_NN_SUCCESS ? 6.0f : -7.0f);
    cr_assert_null(outer_executor);
    return inner_code;
}

Test(no_system, a_run_inside_a_run_is_forbidden_where_they_share_an_executor_or_a_byte_of_an_arena) {
    static const int32_t four[] = {4};
    static uint8_t memory[512];
    uint8_t *arena = memory + (0 - (uintptr_t)memory) % 64;
    OH_NNCompilation *compilation;
    OH_NNExecutor *own, *first, *over, *behind;
    NN_Tensor *in, *out;
    long before;
    mock_backend.run = interrupted_run;
    mock_backend.info = no_info;
    mock_backend.arena_size = mock_arena_size;
    mock_backend.open_executor_in = mock_open_executor_in;
    mock.arena_bytes = 128;
    (void)mock_id();
    before = counting_live();
    compilation = mock_compilation(four, 1);
    in = mock_tensor(four, 1);
    out = mock_tensor(four, 1);
    inner_in = mock_tensor(four, 1);
    inner_out = mock_tensor(four, 1);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    own = OH_NNExecutor_Construct(compilation);
    IS(nnrt_executor_construct_in(compilation, arena, 128, &first), OH_NN_SUCCESS);
    IS(nnrt_executor_construct_in(compilation, arena + 64, 128, &over), OH_NN_SUCCESS);
    IS(nnrt_executor_construct_in(compilation, arena + 128, 128, &behind), OH_NN_SUCCESS);
    IS(run_inside(own, first, in, out), OH_NN_SUCCESS);
    IS(run_inside(first, own, in, out), OH_NN_SUCCESS);
    IS(run_inside(first, first, in, out), OH_NN_OPERATION_FORBIDDEN);
    IS(run_inside(own, own, in, out), OH_NN_OPERATION_FORBIDDEN);
    IS(run_inside(first, over, in, out), OH_NN_OPERATION_FORBIDDEN);
    IS(run_inside(over, first, in, out), OH_NN_OPERATION_FORBIDDEN);
    IS(run_inside(over, behind, in, out), OH_NN_OPERATION_FORBIDDEN);
    IS(run_inside(first, behind, in, out), OH_NN_SUCCESS);
    IS(run_inside(behind, first, in, out), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&over); /* from the middle of those that are listed */
    IS(run_inside(behind, first, in, out), OH_NN_SUCCESS);
    OH_NNExecutor_Destroy(&behind);
    OH_NNExecutor_Destroy(&first);
    OH_NNExecutor_Destroy(&own);
    OH_NNCompilation_Destroy(&compilation);
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&inner_in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&inner_out), OH_NN_SUCCESS);
    cr_assert_eq(counting_live(), before);
}
