/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of a build that keeps nothing that it can compute again (NNRT__FOR_RAM: plans alone, one device, no threads,
   no files) that it gives the same bytes as the others, that its handles are small and do not grow with the steps, and
   that data made on demand are there. The plans are made by the tool (makefile). */
#include "counting_alloc.h"
#define NNRT_PLANS_ONLY
#define NNRT_ONE_DEVICE
#define NNRT_NO_THREADS
#define NNRT_NO_STDIO
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "offline_runner.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())
#define SAYS(part) cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error())

static const char meter[] = "build/plans/meter_scalar.plan";

typedef struct firmware {
    uint8_t *plan, *arena;
    OH_NNExecutor *executor;
} firmware;

/* OH_NN_SUCCESS, or what some call ended with; then nothing is left. */
static OH_NN_ReturnCode open_plan(firmware *f, const char *path, const char *profile) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
    size_t size, arena = 0;
    OH_NN_ReturnCode code;
    f->executor = NULL;
    f->arena = NULL;
    f->plan = off_read(path, &size);
    cr_assert_not_null(f->plan, "%s", path);
    code =
        compilation == NULL ? OH_NN_MEMORY_ERROR : OH_NNCompilation_ImportCacheFromBuffer(compilation, f->plan, size);
    if (code == OH_NN_SUCCESS) code = nnrt_compilation_use_in_place(compilation);
    if (code == OH_NN_SUCCESS && profile != NULL)
        code = OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.profile", profile, strlen(profile));
    if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(compilation);
    if (code == OH_NN_SUCCESS) code = nnrt_compilation_get_arena(compilation, &arena);
    if (code == OH_NN_SUCCESS) {
        f->arena = (uint8_t *)aligned_alloc(NNRT_ARENA_ALIGNMENT, arena);
        cr_assert_not_null(f->arena);
        memset(f->arena, 0x5a, arena);
        code = nnrt_executor_construct_in(compilation, f->arena, arena, &f->executor);
    }
    if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
    if (code == OH_NN_SUCCESS) return code;
    free(f->arena);
    free(f->plan);
    return code;
}

static void close_plan(firmware *f) {
    OH_NNExecutor_Destroy(&f->executor);
    free(f->arena);
    free(f->plan);
}

static uint8_t *sample(const char *kind, size_t i, size_t *size) {
    char path[64];
    uint8_t *bytes;
    snprintf(path, sizeof path, "examples/meter/golden/%s%zu.bin", kind, i);
    bytes = off_read(path, size);
    cr_assert_not_null(bytes, "%s", path);
    return bytes;
}

static void gives_the_golden_bytes(OH_NNExecutor *executor) {
    size_t i;
    for (i = 0; i < 6; i++) {
        size_t input_size, size;
        uint8_t *input = sample("input", i, &input_size), *expected = sample("expected", i, &size), output[64];
        cr_assert_leq(size, sizeof output);
        IS(off_run(executor, input, input_size, output, size), OH_NN_SUCCESS);
        cr_assert_eq(memcmp(output, expected, size), 0, "sample %zu", i);
        free(expected);
        free(input);
    }
}

Test(firmware, a_plan_gives_the_golden_bytes_and_all_memory_comes_back) {
    firmware f;
    IS(open_plan(&f, meter, NULL), OH_NN_SUCCESS);
    gives_the_golden_bytes(f.executor);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

Test(firmware, structures_are_cleared_to_their_last_byte) {
    size_t size;
    for (size = 0; size <= 80; size++) {
        uint8_t *bytes = (uint8_t *)malloc(size + 1);
        size_t i;
        cr_assert_not_null(bytes);
        memset(bytes, 0x5a, size + 1);
        nnrt__clear(bytes, size);
        for (i = 0; i < size; i++) cr_assert_eq(bytes[i], 0, "byte %zu of %zu", i, size);
        cr_assert_eq(bytes[size], 0x5a, "%zu", size);
        free(bytes);
    }
}

/* What check leaves for prepare is what prepare would find: a step is refused, or it runs inside its memory. */
Test(firmware, a_changed_plan_is_refused_or_runs) {
    size_t size, input_size, at, ran = 0, refused = 0;
    uint8_t *plan = off_read(meter, &size), *input = sample("input", 0, &input_size), output[10];
    size_t front;
    cr_assert_not_null(plan);
    front = (size_t)((const nnrt__plan_header *)(const void *)plan)->constants;
    for (at = 0; at < front; at++) {
        static const uint8_t flips[4] = {0x01, 0x80, 0xff, 0x10};
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
        OH_NNExecutor *executor = NULL;
        uint8_t *changed = (uint8_t *)aligned_alloc(64, size);
        cr_assert(compilation != NULL && changed != NULL);
        memcpy(changed, plan, size);
        changed[at] ^= flips[at / 4 % 4];
        IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, changed, size), OH_NN_SUCCESS);
        IS(nnrt_compilation_use_in_place(compilation), OH_NN_SUCCESS);
        IS(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.trust", "crc", 3), OH_NN_SUCCESS);
        if (OH_NNCompilation_Build(compilation) == OH_NN_SUCCESS) executor = OH_NNExecutor_Construct(compilation);
        OH_NNCompilation_Destroy(&compilation);
        if (executor != NULL && off_run(executor, input, input_size, output, sizeof output) == OH_NN_SUCCESS) ran++;
        if (executor != NULL) OH_NNExecutor_Destroy(&executor);
        else refused++;
        free(changed);
    }
    cr_assert(ran > front / 20 && refused > front / 4, "%zu of %zu ran, %zu were refused", ran, front, refused);
    free(input);
    free(plan);
    cr_assert_eq(counting_live(), 0);
}

Test(firmware, a_run_allocates_nothing) {
    firmware f;
    size_t input_size, size, calls;
    uint8_t *input = sample("input", 0, &input_size);
    NN_Tensor *in, *out;
    IS(open_plan(&f, meter, NULL), OH_NN_SUCCESS);
    in = off_tensor(OH_NNExecutor_CreateInputTensorDesc(f.executor, 0), input_size);
    out = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(f.executor, 0), 10);
    memcpy(OH_NNTensor_GetDataBuffer(in), input, input_size);
    calls = counting_calls();
    for (size = 0; size < 3; size++) IS(OH_NNExecutor_RunSync(f.executor, &in, 1, &out, 1), OH_NN_SUCCESS);
    cr_assert_eq(counting_calls(), calls);
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    free(input);
    close_plan(&f);
}

/* Bytes of an executor of path with a tensor of its one input and one output, without what is in the tensors. */
static size_t handles(const char *path) {
    const size_t before = counting_bytes();
    size_t in_size = 0, out_size = 0, bytes;
    NN_TensorDesc *in_desc, *out_desc;
    NN_Tensor *in, *out;
    firmware f;
    IS(open_plan(&f, path, NULL), OH_NN_SUCCESS);
    in_desc = OH_NNExecutor_CreateInputTensorDesc(f.executor, 0);
    out_desc = OH_NNExecutor_CreateOutputTensorDesc(f.executor, 0);
    IS(OH_NNTensorDesc_GetByteSize(in_desc, &in_size), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_GetByteSize(out_desc, &out_size), OH_NN_SUCCESS);
    in = OH_NNTensor_Create(0, in_desc);
    out = OH_NNTensor_Create(0, out_desc);
    cr_assert(in != NULL && out != NULL, "%s", nnrt_last_error());
    IS(OH_NNTensorDesc_Destroy(&in_desc), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&out_desc), OH_NN_SUCCESS);
    bytes = counting_bytes() - before - in_size - out_size;
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    close_plan(&f);
    cr_assert_eq(counting_bytes(), before);
    return bytes;
}

/* 1 KB on 32 bits (make bare measures it on a Cortex-M); pointers and size_t are twice as wide on most PCs. */
Test(firmware, an_executor_with_its_tensors_is_small_however_many_steps_it_has) {
    const size_t most = sizeof(void *) * 256, nine_steps = handles(meter),
                 one_step = handles("build/plans/add_scalar.plan");
    cr_assert_leq(nine_steps, most);
    cr_assert_leq(one_step, most);
    /* what prepare computes for a convolution, and no more of what nine steps have */
    cr_assert_leq(nine_steps, one_step + sizeof(nnrt__conv_ready) + 64);
}

Test(firmware, descriptors_shapes_ranges_and_quantization_are_there_for_whoever_asks) {
    static const int32_t input_shape[] = {1, 32, 20, 1};
    NN_TensorDesc *desc;
    const char *name = NULL, *wanted = "digit";
    size_t *least = NULL, *most = NULL, length = 0, k;
    int32_t *shape = NULL, zero_point = 0;
    uint32_t rank = 0;
    double scale = 0;
    firmware f;
    IS(open_plan(&f, meter, NULL), OH_NN_SUCCESS);
    desc = OH_NNExecutor_CreateOutputTensorDesc(f.executor, 0);
    IS(OH_NNTensorDesc_GetName(desc, &name), OH_NN_SUCCESS);
    cr_assert_str_eq(name, wanted);
    IS(OH_NNTensorDesc_SetName(desc, "another"), OH_NN_SUCCESS); /* of this copy */
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    IS(OH_NNExecutor_GetOutputShape(f.executor, 0, &shape, &rank), OH_NN_SUCCESS);
    cr_assert(rank == 2 && shape[0] == 1 && shape[1] == 10);
    desc = OH_NNExecutor_CreateOutputTensorDesc(f.executor, 0); /* now of the one that was made */
    name = NULL;
    IS(OH_NNTensorDesc_GetName(desc, &name), OH_NN_SUCCESS);
    cr_assert_str_eq(name, wanted);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    IS(OH_NNExecutor_GetInputDimRange(f.executor, 0, &least, &most, &length), OH_NN_SUCCESS);
    cr_assert_eq(length, 4u);
    for (k = 0; k < 4; k++) cr_assert(least[k] == (size_t)input_shape[k] && most[k] == (size_t)input_shape[k]);
    IS(nnrt_executor_get_output_quant(f.executor, 0, &scale, &zero_point), OH_NN_SUCCESS);
    cr_assert(scale > 0.0039 && scale < 0.0040 && zero_point == -128);
    gives_the_golden_bytes(f.executor);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

Test(firmware, a_profile_names_every_step_and_counts_its_runs) {
    static const char *const kernels[] = {"conv_s8", "max_pool_s8", "dw_s8", "conv_s8",       "max_pool_s8",
                                          "conv_s8", "avg_pool_s8", "fc_s8", "softmax_few_s8"};
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0, i;
    firmware f;
    IS(open_plan(&f, meter, "1"), OH_NN_SUCCESS);
    gives_the_golden_bytes(f.executor);
    IS(nnrt_executor_get_profile(f.executor, &steps, &count), OH_NN_SUCCESS);
    cr_assert_eq(count, NNRT__COUNT_OF(kernels));
    for (i = 0; i < count; i++) {
        cr_assert_str_eq(steps[i].kernel, kernels[i]);
        cr_assert_str_eq(steps[i].isa, "scalar");
        cr_assert_eq(steps[i].runs, 6u);
    }
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

/* The deprecated calls keep bindings of their own, made when they are used. */
Test(firmware, the_calls_of_API_9_bind_copy_and_run) {
    static const int32_t dims[] = {1, 32, 20, 1};
    OH_NN_Tensor tensor;
    size_t input_size, size;
    uint8_t *input = sample("input", 2, &input_size), *expected = sample("expected", 2, &size), output[10] = {0};
    firmware f;
    memset(&tensor, 0, sizeof tensor);
    tensor.dataType = OH_NN_INT8;
    tensor.dimensionCount = 4;
    tensor.dimensions = dims;
    tensor.type = OH_NN_TENSOR;
    IS(open_plan(&f, meter, NULL), OH_NN_SUCCESS);
    IS(OH_NNExecutor_Run(f.executor), OH_NN_INVALID_PARAMETER);
    SAYS("input 0 is not set");
    IS(OH_NNExecutor_SetInput(f.executor, 0, &tensor, input, input_size), OH_NN_SUCCESS);
    IS(OH_NNExecutor_Run(f.executor), OH_NN_INVALID_PARAMETER);
    SAYS("output 0 is not set");
    IS(OH_NNExecutor_SetOutput(f.executor, 0, output, sizeof output), OH_NN_SUCCESS);
    IS(OH_NNExecutor_Run(f.executor), OH_NN_SUCCESS);
    cr_assert_eq(memcmp(output, expected, sizeof output), 0);
    free(expected);
    free(input);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

Test(firmware, a_tensor_of_another_shape_or_type_is_refused_and_the_next_run_is_right) {
    static const int32_t turned[] = {1, 20, 32, 1};
    NN_TensorDesc *desc = OH_NNTensorDesc_Create();
    NN_Tensor *in, *out;
    firmware f;
    IS(open_plan(&f, meter, NULL), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(desc, turned, 4), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_INT8), OH_NN_SUCCESS);
    in = OH_NNTensor_Create(0, desc);
    out = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(f.executor, 0), 10);
    IS(OH_NNExecutor_RunSync(f.executor, &in, 1, &out, 1), OH_NN_INVALID_PARAMETER);
    SAYS("the model has [1,32,20,1]");
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetShape(desc, (const int32_t[]){1, 32, 20, 1}, 4), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_SetDataType(desc, OH_NN_UINT8), OH_NN_SUCCESS);
    in = OH_NNTensor_Create(0, desc);
    IS(OH_NNExecutor_RunSync(f.executor, &in, 1, &out, 1), OH_NN_UNAVAILABLE_DEVICE);
    SAYS("the model has");
    IS(OH_NNTensor_Destroy(&in), OH_NN_SUCCESS);
    IS(OH_NNTensor_Destroy(&out), OH_NN_SUCCESS);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    gives_the_golden_bytes(f.executor);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

/* What a run leaves to the next: the same inputs give other outputs, and after a reset the first ones again. */
Test(firmware, state_goes_from_run_to_run_and_back_to_its_beginning) {
    static const float input[4] = {1, -2, 3, 0.5f};
    float first[4], second[4], again[4];
    firmware f;
    IS(open_plan(&f, "build/plans/variable_scalar.plan", NULL), OH_NN_SUCCESS);
    IS(off_run(f.executor, input, sizeof input, first, sizeof first), OH_NN_SUCCESS);
    IS(off_run(f.executor, input, sizeof input, second, sizeof second), OH_NN_SUCCESS);
    cr_assert_neq(memcmp(first, second, sizeof first), 0);
    IS(nnrt_executor_reset(f.executor), OH_NN_SUCCESS);
    IS(off_run(f.executor, input, sizeof input, again, sizeof again), OH_NN_SUCCESS);
    cr_assert_eq(memcmp(first, again, sizeof first), 0);
    IS(off_run(f.executor, input, sizeof input, again, sizeof again), OH_NN_SUCCESS);
    cr_assert_eq(memcmp(second, again, sizeof second), 0);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

Test(firmware, wherever_memory_is_out_there_is_a_code_and_nothing_is_lost) {
    firmware f;
    long n;
    for (n = 0;; n++) {
        OH_NN_ReturnCode code;
        counting_fail_at(n);
        code = open_plan(&f, "build/plans/variable_scalar.plan", "1");
        if (!counting_failed()) break;
        counting_fail_never();
        IS(code, OH_NN_MEMORY_ERROR);
        cr_assert_eq(counting_live(), 0, "allocation %ld", n);
    }
    counting_fail_never();
    cr_assert_geq(n, 8);
    close_plan(&f);
    cr_assert_eq(counting_live(), 0);
}

/* A damaged plan is detected before anything relies on it, though this build keeps less than others. */
Test(firmware, a_plan_with_a_wrong_byte_is_refused) {
    size_t size, at;
    uint8_t *plan = off_read(meter, &size);
    for (at = 8; at < size; at += 97) {
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
        plan[at] ^= 0x10;
        IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, size), OH_NN_SUCCESS);
        IS(nnrt_compilation_use_in_place(compilation), OH_NN_SUCCESS);
        IS(OH_NNCompilation_Build(compilation), OH_NN_INVALID_FILE);
        OH_NNCompilation_Destroy(&compilation);
        plan[at] ^= 0x10;
        cr_assert_eq(counting_live(), 0);
    }
    free(plan);
}
