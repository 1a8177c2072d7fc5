/* SPDX-License-Identifier: Apache-2.0 */
/* test_compilation.c - OH_NNCompilation: sources, settings, the order of the checks of Build, states, buffers. */
#include "linked.h"

#include "mock_device.h"

#include <stdio.h>

static const int32_t four[1] = {4};

/* The bytes of a compiled mock model, to be used as offline model or cache. */
static size_t model_bytes(uint8_t *bytes, size_t capacity) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    size_t size = 0;
    OK(OH_NNCompilation_Build(c));
    OK(OH_NNCompilation_ExportCacheToBuffer(c, bytes, capacity, &size));
    OH_NNCompilation_Destroy(&c);
    return size;
}

static void destroy_unbuilt(OH_NNCompilation *c, OH_NN_ReturnCode code) {
    cr_assert_null(OH_NNExecutor_Construct(c));
    REFUSED(OH_NNCompilation_Build(c), IP); /* a second Build, unless the first said how to go on */
    (void)code;
    OH_NNCompilation_Destroy(&c);
    cr_assert_null(c);
    cr_assert_eq(mock.live_prepared, 0);
}

#define BUILD_IS(c, code)                         \
    do {                                          \
        REFUSED(OH_NNCompilation_Build(c), code); \
        destroy_unbuilt(c, code);                 \
    } while (0)

Test(compilation, constructors_refuse_nothing_to_compile) {
    REFUSED_NULL(OH_NNCompilation_Construct(NULL));
    REFUSED_NULL(OH_NNCompilation_ConstructWithOfflineModelFile(NULL));
    REFUSED_NULL(OH_NNCompilation_ConstructWithOfflineModelBuffer(NULL, 4));
    REFUSED_NULL(OH_NNCompilation_ConstructWithOfflineModelBuffer("x", 0));
    OH_NNCompilation_Destroy(NULL);
}

Test(compilation, the_model_may_be_destroyed_after_construct_and_the_graph_lives_until_the_last_executor) {
    OH_NNExecutor *executor = mock_executor_of(four, 1);
    cr_assert_eq(mock.live_prepared, 1);
    cr_assert_eq(mock.request.graph->node_count, 1);
    OH_NNExecutor_Destroy(&executor);
    cr_assert_eq(mock.live_prepared, 0);
    cr_assert_eq(counting_live(), 0);
}

Test(compilation, settings_reach_the_device) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_HIGH));
    OK(OH_NNCompilation_SetPriority(c, OH_NN_PRIORITY_LOW));
    OK(OH_NNCompilation_EnableFloat16(c, true));
    OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "one", 3));
    OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "two", 3));
    OK(OH_NNCompilation_AddExtensionConfig(c, "ModelName", "name", 4));
    OK(OH_NNCompilation_Build(c));
    cr_assert_eq(mock.request.performance, OH_NN_PERFORMANCE_HIGH);
    cr_assert_eq(mock.request.priority, OH_NN_PRIORITY_LOW);
    cr_assert(mock.request.enable_float16);
    cr_assert_eq(mock.request.config_count, 1);
    cr_assert_str_eq((const char *)mock.request.configs[0].value, "one|two");
    cr_assert_eq(mock.request.configs[0].size, 7);
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(counting_live(), 0);
}

Test(compilation, null_arguments_are_refused) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    size_t size;
    char byte[1];
    REFUSED(OH_NNCompilation_SetDevice(NULL, 0), IP);
    REFUSED(OH_NNCompilation_SetCache(NULL, "/tmp", 1), IP);
    REFUSED(OH_NNCompilation_SetCache(c, NULL, 1), IP);
    REFUSED(OH_NNCompilation_SetPerformanceMode(NULL, OH_NN_PERFORMANCE_LOW), IP);
    REFUSED(OH_NNCompilation_SetPriority(NULL, OH_NN_PRIORITY_LOW), IP);
    REFUSED(OH_NNCompilation_EnableFloat16(NULL, true), IP);
    REFUSED(OH_NNCompilation_AddExtensionConfig(NULL, "a", "b", 1), IP);
    REFUSED(OH_NNCompilation_AddExtensionConfig(c, NULL, "b", 1), IP);
    REFUSED(OH_NNCompilation_AddExtensionConfig(c, "a", NULL, 1), IP);
    REFUSED(OH_NNCompilation_AddExtensionConfig(c, "a", "b", 0), IP);
    REFUSED(OH_NNCompilation_AddExtensionConfig(c, "", "b", 1), IP);
    REFUSED(OH_NNCompilation_ImportCacheFromBuffer(NULL, "b", 1), IP);
    REFUSED(OH_NNCompilation_ImportCacheFromBuffer(c, NULL, 1), IP);
    REFUSED(OH_NNCompilation_ImportCacheFromBuffer(c, "b", 0), IP);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(NULL, byte, 1, &size), IP);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, NULL, 1, &size), IP);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, byte, 0, &size), IP);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, byte, 1, NULL), IP);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, byte, 1, &size), IP); /* not built */
    REFUSED(OH_NNCompilation_Build(NULL), IP);
    OH_NNCompilation_Destroy(&c);
}

Test(compilation, after_build_every_setter_is_forbidden) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_Build(c));
    REFUSED(OH_NNCompilation_SetDevice(c, 0), FORBIDDEN);
    REFUSED(OH_NNCompilation_SetCache(c, "/tmp", 1), FORBIDDEN);
    REFUSED(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_LOW), FORBIDDEN);
    REFUSED(OH_NNCompilation_SetPriority(c, OH_NN_PRIORITY_LOW), FORBIDDEN);
    REFUSED(OH_NNCompilation_EnableFloat16(c, true), FORBIDDEN);
    REFUSED(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "b", 1), FORBIDDEN);
    REFUSED(OH_NNCompilation_ImportCacheFromBuffer(c, "b", 1), FORBIDDEN);
    REFUSED(OH_NNCompilation_Build(c), IP);
    OH_NNCompilation_Destroy(&c);
}

Test(compilation, after_a_failed_build_settings_are_stored_or_checked) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    mock.prepare_code = OH_NN_FAILED;
    REFUSED(OH_NNCompilation_Build(c), OH_NN_FAILED);
    OK(OH_NNCompilation_SetDevice(c, 0));
    OK(OH_NNCompilation_EnableFloat16(c, true));
    OK(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_LOW));
    REFUSED(OH_NNCompilation_SetPerformanceMode(c, (OH_NN_PerformanceMode)5), IP);
    REFUSED(OH_NNCompilation_SetPriority(c, (OH_NN_Priority)4), IP);
    mock_backend.capabilities = 0;
    REFUSED(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_LOW), FORBIDDEN);
    REFUSED(OH_NNCompilation_SetPriority(c, OH_NN_PRIORITY_LOW), FORBIDDEN);
    destroy_unbuilt(c, OH_NN_FAILED);
}

Test(compilation, an_unknown_device_can_be_corrected) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetDevice(c, 4711));
    REFUSED(OH_NNCompilation_Build(c), OH_NN_FAILED);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_Build(c));
    OH_NNCompilation_Destroy(&c);
}

/* How far a compilation in which everything is wrong has been put right: this, and all before it. */
typedef enum good {
    GOOD_NOTHING,
    GOOD_PERFORMANCE,
    GOOD_PRIORITY,
    GOOD_CONFIG, /* and no float16 is asked for */
    GOOD_MODEL,
    GOOD_CACHE,
    GOOD_OPERATOR
} good;

static OH_NNCompilation *right_up_to(good level) {
    OH_NNModel *unfinished = OH_NNModel_Construct();
    OH_NNCompilation *c = level >= GOOD_MODEL ? mock_compilation(four, 1) : OH_NNCompilation_Construct(unfinished);
    OH_NNModel_Destroy(&unfinished);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    if (level < GOOD_CACHE) OK(OH_NNCompilation_SetCache(c, "/no/such/directory", 1));
    if (level < GOOD_PERFORMANCE) OK(OH_NNCompilation_SetPerformanceMode(c, (OH_NN_PerformanceMode)9));
    if (level < GOOD_PRIORITY) OK(OH_NNCompilation_SetPriority(c, (OH_NN_Priority)9));
    if (level < GOOD_CONFIG) {
        OK(OH_NNCompilation_EnableFloat16(c, true));
        OK(OH_NNCompilation_AddExtensionConfig(c, "mock.what", "x", 1));
    }
    mock.refused = level >= GOOD_OPERATOR ? (OH_NN_OperationType)0 : OH_NN_OPS_RELU;
    return c;
}

#define SENTENCE_HAS(text) cr_assert_not_null(strstr(nnrt_last_error(), text), "%s", nnrt_last_error())

/* Everything is wrong at once, and is put right one by one: the next thing in the order is what Build refuses. */
Test(compilation, build_checks_in_the_documented_order) {
    const uint32_t all = mock_backend.capabilities;
    const struct {
        uint32_t capabilities;
        good good;
        OH_NN_ReturnCode code;
        const char *sentence;
    } order[] = {{0, GOOD_NOTHING, FORBIDDEN, "cache"},
                 {NNRT_CAN_CACHE, GOOD_NOTHING, FORBIDDEN, "float16"},
                 {NNRT_CAN_CACHE | NNRT_CAN_FLOAT16, GOOD_NOTHING, FORBIDDEN, "performance"},
                 {NNRT_CAN_CACHE | NNRT_CAN_FLOAT16 | NNRT_CAN_PERFORMANCE, GOOD_NOTHING, IP, "PerformanceMode"},
                 {NNRT_CAN_CACHE | NNRT_CAN_FLOAT16 | NNRT_CAN_PERFORMANCE, GOOD_PERFORMANCE, FORBIDDEN, "priorities"},
                 {all, GOOD_PERFORMANCE, IP, "Priority"},
                 {all, GOOD_PRIORITY, IP, "mock.what"},
                 {all, GOOD_CONFIG, IP, "not finished"},
                 {all, GOOD_MODEL, IP, "/no/such/directory"},
                 {all, GOOD_CACHE, OH_NN_FAILED, "not this operator"},
                 {all, GOOD_OPERATOR, OH_NN_FAILED, "cannot prepare"}};
    size_t i;
    mock.prepare_code = OH_NN_FAILED;
    for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        OH_NNCompilation *c = right_up_to(order[i].good);
        mock_backend.capabilities = order[i].capabilities;
        REFUSED(OH_NNCompilation_Build(c), order[i].code);
        SENTENCE_HAS(order[i].sentence);
        destroy_unbuilt(c, order[i].code);
    }
    cr_assert_eq(mock.prepared, 0);
    cr_assert_eq(counting_live(), 0);
}

Test(compilation, a_config_that_the_device_cannot_use_is_named) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    char long_name[300];
    OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "bad", 3));
    REFUSED(OH_NNCompilation_Build(c), IP);
    SENTENCE_HAS("mock.mode");
    SENTENCE_HAS("cannot use it");
    destroy_unbuilt(c, IP);
    mock_backend.check_config = NULL;
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "good", 4));
    BUILD_IS(c, IP);
    memset(long_name, 'n', sizeof(long_name));
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_AddExtensionConfig(c, "ModelName", long_name, sizeof(long_name)));
    BUILD_IS(c, IP);
}

Test(compilation, codes_of_prepare_become_those_of_build) {
    static const struct {
        OH_NN_ReturnCode from, graph, offline;
    } rows[] = {{OH_NN_FAILED, OH_NN_FAILED, OH_NN_FAILED},
                {OH_NN_INVALID_PARAMETER, OH_NN_FAILED, OH_NN_FAILED},
                {OH_NN_UNSUPPORTED, OH_NN_FAILED, OH_NN_FAILED},
                {OH_NN_MEMORY_ERROR, OH_NN_MEMORY_ERROR, OH_NN_MEMORY_ERROR},
                {OH_NN_UNAVAILABLE_DEVICE, OH_NN_UNAVAILABLE_DEVICE, OH_NN_UNAVAILABLE_DEVICE},
                {OH_NN_INVALID_FILE, OH_NN_FAILED, OH_NN_INVALID_FILE}};
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        OH_NNCompilation *c = mock_compilation(four, 1);
        mock.prepare_code = rows[i].from;
        BUILD_IS(c, rows[i].graph);
        c = OH_NNCompilation_ConstructWithOfflineModelBuffer("x", 1);
        OK(OH_NNCompilation_SetDevice(c, mock_id()));
        BUILD_IS(c, rows[i].offline);
    }
}

#ifndef NNRT_NO_STDIO
Test(compilation, offline_models_come_from_a_path_or_from_memory) {
    uint8_t bytes[1024];
    char path[] = "/tmp/nnrt-offline-XXXXXX";
    char *name = (char *)malloc(sizeof(path));
    size_t size = model_bytes(bytes, sizeof(bytes));
    int file = mkstemp(path);
    OH_NNCompilation *c;
    cr_assert_eq(write(file, bytes, size), (ssize_t)size);
    close(file);
    memcpy(name, path, sizeof(path));
    c = OH_NNCompilation_ConstructWithOfflineModelFile(name);
    free(name); /* the string was copied */
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_Build(c));
    OH_NNCompilation_Destroy(&c);
    c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_Build(c));
    cr_assert(mock.request.model != (const void *)bytes && !mock.request.bytes_go); /* it says nothing of copies */
    OH_NNCompilation_Destroy(&c);
    c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(nnrt_compilation_use_in_place(c));
    OK(OH_NNCompilation_Build(c));
    cr_assert(mock.request.model == (const void *)bytes && !mock.request.bytes_go);
    REFUSED(nnrt_compilation_use_in_place(c), FORBIDDEN);
    REFUSED(nnrt_compilation_use_in_place(NULL), IP);
    OH_NNCompilation_Destroy(&c);
    mock_backend.capabilities |= NNRT_COPIES_BYTES;
    c = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_Build(c));
    cr_assert(mock.request.model == (const void *)bytes && mock.request.bytes_go); /* it copies by itself */
    OH_NNCompilation_Destroy(&c);
    unlink(path);
    c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    BUILD_IS(c, OH_NN_INVALID_FILE);
}
#endif

Test(compilation, two_sources_are_refused) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, "x", 1));
    BUILD_IS(c, IP);
    c = OH_NNCompilation_ConstructWithOfflineModelFile("/x");
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, "x", 1));
    BUILD_IS(c, IP);
}

Test(compilation, a_compiled_model_goes_through_a_buffer) {
    uint8_t bytes[1024];
    size_t size = 0, needed = 0;
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_Build(c));
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, bytes, 1, &needed), IP);
    cr_assert_gt(needed, 1);
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, bytes, needed - 1, &size), IP);
    OK(OH_NNCompilation_ExportCacheToBuffer(c, bytes, needed, &size));
    cr_assert_eq(size, needed);
    mock.save_code = OH_NN_FAILED;
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, bytes, needed, &size), OH_NN_SAVE_CACHE_EXCEPTION);
    mock_backend.capabilities &= ~NNRT_CAN_CACHE;
    REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, bytes, needed, &size), OH_NN_UNSUPPORTED);
    OH_NNCompilation_Destroy(&c);
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, bytes, needed));
    REFUSED(OH_NNCompilation_Build(c), FORBIDDEN);
    OH_NNCompilation_Destroy(&c);
    mock_backend.capabilities |= NNRT_CAN_CACHE;
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, bytes, needed));
    OK(OH_NNCompilation_Build(c));
    cr_assert_eq(mock.restored, 1);
    OH_NNCompilation_Destroy(&c);
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, bytes, needed - 1));
    BUILD_IS(c, OH_NN_INVALID_FILE);
}

Test(compilation, for_cache_without_a_cache_is_refused) {
    OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    BUILD_IS(c, IP);
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_SetCache(c, "", 1));
    BUILD_IS(c, IP);
}

Test(compilation, descriptions_of_the_device_are_not_believed) {
    uint8_t bytes[1024];
    size_t size = model_bytes(bytes, sizeof(bytes));
    mock_prepared *model = (mock_prepared *)(void *)bytes;
    static const int32_t wrong[][2] = {{11, 0}, {0, 11}, {11, 11}, {11, -1}};
    size_t i;
    for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
        model->ports[0].dtype = i == 0 ? 99 : 11;
        model->ports[0].rank = i == 0 ? 1 : wrong[i][1];
        OK(OH_NNCompilation_SetDevice(c, mock_id()));
        OK(OH_NNCompilation_ImportCacheFromBuffer(c, bytes, size));
        BUILD_IS(c, OH_NN_INVALID_FILE);
    }
}

static size_t told_inputs, told_outputs;

static void tell_count(void *prepared, size_t *inputs, size_t *outputs) {
    (void)prepared;
    *inputs = told_inputs;
    *outputs = told_outputs;
}

Test(compilation, a_compiled_model_has_1_to_200_inputs_and_outputs) {
    static const size_t wrong[][2] = {{0, 1}, {1, 0}, {201, 1}, {1, 201}, {0, 201}};
    size_t i;
    mock_backend.io_count = tell_count;
    for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        OH_NNCompilation *c = mock_compilation(four, 1);
        char sentence[80];
        told_inputs = wrong[i][0];
        told_outputs = wrong[i][1];
        REFUSED(OH_NNCompilation_Build(c), OH_NN_FAILED);
        snprintf(sentence, sizeof(sentence), "has %d inputs and %d outputs; 1 to 200 are possible", (int)told_inputs,
                 (int)told_outputs);
        cr_assert_not_null(strstr(nnrt_last_error(), sentence), "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&c);
        cr_assert_eq(mock.live_prepared, 0);
    }
}

Test(compilation, every_allocation_that_fails_leaves_nothing_behind) {
    NN_TensorDesc *desc = mock_desc(four, 1);
    size_t id = mock_id();
    long live = counting_live(), n;
    bool done = false;
    for (n = 0; n < 200 && !done; n++) {
        OH_NNModel *model;
        OH_NNCompilation *c = NULL;
        OH_NNExecutor *executor = NULL;
        NN_Tensor *in[1] = {NULL}, *out[1] = {NULL};
        OH_NN_ReturnCode code = OH_NN_MEMORY_ERROR;
        counting_fail_at(n);
        model = mock_model(four, 1);
        if (model != NULL) c = OH_NNCompilation_Construct(model);
        if (c != NULL) {
            code = OH_NNCompilation_SetDevice(c, id);
            if (code == OH_NN_SUCCESS) code = OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "x", 1);
            if (code == OH_NN_SUCCESS) code = OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "y", 1);
            if (code == OH_NN_SUCCESS) code = OH_NNCompilation_Build(c);
            if (code == OH_NN_SUCCESS) executor = OH_NNExecutor_Construct(c);
        }
        if (executor != NULL) {
            in[0] = OH_NNTensor_Create(id, desc);
            out[0] = OH_NNTensor_Create(id, desc);
            if (in[0] != NULL && out[0] != NULL) code = OH_NNExecutor_RunSync(executor, in, 1, out, 1);
        }
        done = !counting_failed();
        counting_fail_never();
        if (done) OK(code);
        else cr_assert(code == OH_NN_MEMORY_ERROR || executor == NULL || in[0] == NULL || out[0] == NULL);
        if (code != OH_NN_SUCCESS) cr_assert_eq(code, OH_NN_MEMORY_ERROR, "%ld: %s", n, nnrt_last_error());
        if (in[0] != NULL) (void)OH_NNTensor_Destroy(&in[0]);
        if (out[0] != NULL) (void)OH_NNTensor_Destroy(&out[0]);
        if (executor != NULL) OH_NNExecutor_Destroy(&executor);
        if (c != NULL) OH_NNCompilation_Destroy(&c);
        if (model != NULL) OH_NNModel_Destroy(&model);
        cr_assert_eq(counting_live(), live, "allocation %ld", n);
        cr_assert_eq(mock.live_prepared + mock.live_executors, 0);
    }
    cr_assert(done && n > 15);
    (void)OH_NNTensorDesc_Destroy(&desc);
}
