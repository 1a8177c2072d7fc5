/* SPDX-License-Identifier: Apache-2.0 */
/* test_choice.c - which device a compilation gets that names none: every row of the table in core/choice.h, with a
   model in a buffer and in a file, a cache in a buffer and on disk, and a graph. */
#define NNRT_NO_CPU /* so that any device can be the first */
#define NNRT__HAS_ALTERNATIVES true
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

#include <stdio.h>
#include <sys/stat.h>

enum {
    MOST_DEVICES = 4
};

/* ------------------------------------------------------------------------------------ devices of every kind */

static OH_NN_ReturnCode says_no(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    (void)bytes;
    (void)size;
    (void)tell;
    (void)user;
    return OH_NN_UNSUPPORTED;
}

static OH_NN_ReturnCode says_mine(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    (void)user;
    cr_assert_null(tell, "there is nobody to tell");
    return size >= 8 && memcmp(bytes, "mockmod", 8) == 0 ? OH_NN_SUCCESS : OH_NN_UNSUPPORTED;
}

static OH_NN_ReturnCode says_damaged(const void *bytes, size_t size, nnrt_inspect_callback tell, void *user) {
    (void)bytes;
    (void)size;
    (void)tell;
    (void)user;
    return nnrt_backend_fail(OH_NN_INVALID_FILE, "the mock is torn");
}

static nnrt_backend backends[MOST_DEVICES];
static size_t ids[MOST_DEVICES];

/* Lists one device per letter, in place of those of before: n says no, m mine, d damaged, - cannot be asked. */
static void list(const char *kinds) {
    static const char *const names[MOST_DEVICES] = {"zero", "one", "two", "three"};
    size_t i;
    nnrt__devices_lock()->count = 0;
    nnrt__devices_unlock();
    for (i = 0; kinds[i] != '\0'; i++) {
        backends[i] = mock_backend;
        backends[i].name = names[i];
        backends[i].inspect = kinds[i] == 'n'   ? says_no
                              : kinds[i] == 'm' ? says_mine
                              : kinds[i] == 'd' ? says_damaged
                                                : NULL;
        OK(nnrt_register_backend(&backends[i], &ids[i]));
    }
}

/* ---------------------------------------------------------------------------------------- the same in bytes */

static mock_prepared model_bytes(void) {
    mock_prepared bytes;
    memset(&bytes, 0, sizeof(bytes));
    memcpy(bytes.magic, "mockmod", 8);
    bytes.inputs = bytes.outputs = 1;
    bytes.ports[0].dtype = bytes.ports[1].dtype = OH_NN_FLOAT32;
    bytes.ports[0].rank = bytes.ports[1].rank = 1;
    bytes.ports[0].dims[0] = bytes.ports[1].dims[0] = 2;
    return bytes;
}

/* The number of the device that compilation was built for; ends compilation. */
static int chosen(OH_NNCompilation *compilation) {
    OH_NNExecutor *executor;
    size_t id = 0;
    int i;
    OK(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    OK(nnrt_executor_get_device(executor, &id));
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    for (i = 0; i < MOST_DEVICES; i++)
        if (ids[i] == id) return i;
    return -1;
}

static const struct {
    const char *kinds;
    int device;
} rows[] = {{"m", 0},  {"-", 0},   {"n", 0},   {"nm", 1},  {"mm", 0},  {"-m", 0}, {"--", 0},
            {"n-", 0}, {"n-m", 2}, {"nnm", 2}, {"nnn", 0}, {"ndm", 1}, {"dm", 0}, {"nmd", 1}};

Test(choice, a_model_in_a_buffer_goes_to_the_first_device_that_knows_it) {
    const mock_prepared bytes = model_bytes();
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        list(rows[i].kinds);
        cr_assert_eq(chosen(OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes))), rows[i].device,
                     "%s", rows[i].kinds);
    }
}

Test(choice, a_model_in_a_file_goes_to_the_first_device_that_knows_it) {
    const mock_prepared bytes = model_bytes();
    char path[64];
    FILE *file;
    size_t i;
    snprintf(path, sizeof(path), "/tmp/nnrt_choice_%d", (int)getpid());
    file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(&bytes, sizeof(bytes), 1, file) == 1);
    fclose(file);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        OH_NNCompilation *read = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        list(rows[i].kinds);
        cr_assert_eq(chosen(OH_NNCompilation_ConstructWithOfflineModelFile(path)), rows[i].device, "%s", rows[i].kinds);
        OK(OH_NNCompilation_AddExtensionConfig(read, "nnrt.map", "0", 1));
        cr_assert_eq(chosen(read), rows[i].device, "read, %s", rows[i].kinds);
    }
    unlink(path);
}

Test(choice, a_cache_in_a_buffer_goes_to_the_first_device_that_knows_it) {
    const mock_prepared bytes = model_bytes();
    size_t i;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        OH_NNCompilation *compilation = OH_NNCompilation_ConstructForCache();
        list(rows[i].kinds);
        OK(OH_NNCompilation_ImportCacheFromBuffer(compilation, &bytes, sizeof(bytes)));
        cr_assert_eq(chosen(compilation), rows[i].device, "%s", rows[i].kinds);
    }
}

static OH_NN_ReturnCode takes_none(void *device, const nnrt_config *config) {
    (void)device;
    (void)config;
    return nnrt_backend_fail(OH_NN_INVALID_PARAMETER, "the mock takes no settings");
}

static OH_NN_ReturnCode takes_all(void *device, const nnrt_config *config) {
    (void)device;
    (void)config;
    return OH_NN_SUCCESS;
}

/* zero and one know the model; zero refuses every setting. built_in: so many of them are compiled in. */
static OH_NNCompilation *with_settings(uint32_t built_in, const char *fallback) {
    static mock_prepared bytes;
    OH_NNCompilation *compilation;
    bytes = model_bytes();
    list("mm");
    nnrt__devices_lock()->compiled_in = built_in;
    nnrt__devices_unlock();
    backends[0].check_config = takes_none;
    backends[1].check_config = takes_all;
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    OK(OH_NNCompilation_AddExtensionConfig(compilation, "mock.anything", "1", 1));
    if (fallback != NULL) OK(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.fallback", fallback, 1));
    return compilation;
}

Test(choice, a_model_that_two_know_goes_to_the_one_that_takes_the_settings) {
    cr_assert_eq(chosen(with_settings(2, NULL)), 1);
    cr_assert_eq(chosen(with_settings(2, "1")), 1);
}

/* Neither where the program has said so, nor to or from a device that was registered. */
Test(choice, settings_pass_over_no_device_that_the_program_added) {
    static const struct {
        uint32_t built_in;
        const char *fallback;
    } strict[] = {{2, "0"}, {1, NULL}, {0, NULL}};
    size_t i;
    for (i = 0; i < sizeof(strict) / sizeof(strict[0]); i++) {
        OH_NNCompilation *compilation = with_settings(strict[i].built_in, strict[i].fallback);
        cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_PARAMETER, "%zu", i);
        cr_assert_not_null(strstr(nnrt_last_error(), "the mock takes no settings"), "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&compilation);
    }
}

Test(choice, a_device_that_is_named_gets_the_bytes_whatever_they_are) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    list("nm");
    OK(OH_NNCompilation_SetDevice(compilation, ids[0]));
    cr_assert_eq(chosen(compilation), 0);
}

/* 0 is no device but the choice: after another one was named, too. */
Test(choice, device_0_is_the_choice_also_when_it_is_said) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    list("nm");
    OK(OH_NNCompilation_SetDevice(compilation, ids[0]));
    OK(OH_NNCompilation_SetDevice(compilation, 0));
    cr_assert_eq(chosen(compilation), 1);
}

Test(choice, a_file_that_cannot_be_read_is_refused_by_the_first_device) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile("/no/such/model");
    list("nm");
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "no such file"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(choice, without_any_device_every_build_fails_and_says_so) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    list("");
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_FAILED);
    cr_assert_str_eq(nnrt_last_error(), "no device is registered");
    list("m"); /* and may be tried again */
    cr_assert_eq(chosen(compilation), 0);
}

Test(choice, success_leaves_the_last_sentence_whatever_a_device_said_while_it_was_asked) {
    const mock_prepared bytes = model_bytes();
    list("ndm");
    (void)nnrt_backend_fail(OH_NN_FAILED, "old");
    cr_assert_eq(chosen(OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes))), 1);
    cr_assert_str_eq(nnrt_last_error(), "old");
}

/* A cache that stands alone goes back to the device that wrote it. */
Test(choice, a_cache_on_disk_goes_to_the_device_that_wrote_it) {
    const mock_prepared bytes = model_bytes();
    char folder[64], path[128];
    OH_NNCompilation *compilation;
    int i;
    snprintf(folder, sizeof(folder), "/tmp/nnrt_choice_%d.d", (int)getpid());
    cr_assert_eq(mkdir(folder, 0700), 0);
    for (i = 0; i < 3; i++) {
        list("---");
        compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
        OK(OH_NNCompilation_SetCache(compilation, folder, (uint32_t)i + 1));
        OK(OH_NNCompilation_SetDevice(compilation, ids[i]));
        cr_assert_eq(chosen(compilation), i);
        compilation = OH_NNCompilation_ConstructForCache();
        OK(OH_NNCompilation_SetCache(compilation, folder, (uint32_t)i + 1));
        cr_assert_eq(chosen(compilation), i);
    }
    list("-"); /* the one that wrote it is not here any more */
    compilation = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetCache(compilation, folder, 3));
    cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "of another device"), "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
    snprintf(path, sizeof(path), "%s/0.nncache", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    unlink(path);
    cr_assert_eq(rmdir(folder), 0);
}

static OH_NN_ReturnCode takes_no_graph(void *device, const nnrt_graph *graph, uint32_t node) {
    (void)device;
    (void)graph;
    (void)node;
    return nnrt_backend_fail(OH_NN_UNSUPPORTED, "no graphs");
}

/* Removes the files of the cache in folder. */
static void clear_cache(const char *folder) {
    char path[128];
    snprintf(path, sizeof(path), "%s/0.nncache", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    unlink(path);
}

/* A device that takes no graphs and keeps no cache, as an NPU, and behind it one that does both, as the CPU. */
static void list_npu_and_cpu(void) {
    list("nm");
    backends[0].supports = takes_no_graph;
    backends[0].capabilities = (backends[0].capabilities & ~NNRT_CAN_CACHE) | NNRT_NEEDS_NO_CACHE;
    nnrt__devices_lock()->compiled_in = 2;
    nnrt__devices_unlock();
}

/* What an application does that takes the first device and gives it a graph: the second start finds what the first one
   has left, with the model and without, on disk and in memory. */
Test(choice, a_cache_that_the_fallback_of_a_device_wrote_is_found_through_that_device) {
    static const int32_t dims[1] = {2};
    char folder[64];
    uint8_t bytes[1024];
    size_t size = 0;
    OH_NNCompilation *compilation;
    int named, i;
    snprintf(folder, sizeof(folder), "/tmp/nnrt_choice_%d.f", (int)getpid());
    cr_assert_eq(mkdir(folder, 0700), 0);
    for (named = 0; named < 2; named++) {
        list_npu_and_cpu();
        for (i = 0; i < 2; i++) {
            const int prepared = mock.prepared, restored = mock.restored;
            compilation = mock_compilation(dims, 1);
            OK(OH_NNCompilation_SetDevice(compilation, named ? ids[0] : 0));
            OK(OH_NNCompilation_SetCache(compilation, folder, 1));
            OK(OH_NNCompilation_Build(compilation));
            cr_assert_eq(mock.prepared - prepared, i == 0);
            cr_assert_eq(mock.restored - restored, i == 1);
            OK(OH_NNCompilation_ExportCacheToBuffer(compilation, bytes, sizeof(bytes), &size));
            OH_NNCompilation_Destroy(&compilation);
        }
        for (i = 0; i < 2; i++) {
            compilation = OH_NNCompilation_ConstructForCache();
            OK(OH_NNCompilation_SetDevice(compilation, named ? ids[0] : 0));
            if (i == 0) OK(OH_NNCompilation_SetCache(compilation, folder, 1));
            else OK(OH_NNCompilation_ImportCacheFromBuffer(compilation, bytes, size));
            cr_assert_eq(chosen(compilation), 1);
        }
        clear_cache(folder);
    }
    cr_assert_eq(rmdir(folder), 0);
}

/* nnrt.fallback 0 means that device; so does a device that nobody passes over, and a cache of a device that the program
   registered. */
Test(choice, a_cache_is_not_taken_elsewhere_where_a_graph_would_not_have_gone) {
    const mock_prepared bytes = model_bytes();
    char folder[64];
    OH_NNCompilation *compilation;
    int i;
    snprintf(folder, sizeof(folder), "/tmp/nnrt_choice_%d.g", (int)getpid());
    cr_assert_eq(mkdir(folder, 0700), 0);
    list_npu_and_cpu();
    compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    OK(OH_NNCompilation_SetDevice(compilation, ids[1]));
    OK(OH_NNCompilation_SetCache(compilation, folder, 1));
    cr_assert_eq(chosen(compilation), 1);
    for (i = 0; i < 3; i++) {
        list_npu_and_cpu();
        nnrt__devices_lock()->compiled_in = i == 1 ? 1 : 2;
        nnrt__devices_unlock();
        if (i == 2) clear_cache(folder);
        compilation = OH_NNCompilation_ConstructForCache();
        OK(OH_NNCompilation_SetDevice(compilation, ids[0]));
        OK(OH_NNCompilation_SetCache(compilation, folder, 1));
        if (i == 0) OK(OH_NNCompilation_AddExtensionConfig(compilation, "nnrt.fallback", "0", 1));
        cr_assert_eq((int)OH_NNCompilation_Build(compilation), (int)OH_NN_OPERATION_FORBIDDEN, "%d: %s", i,
                     nnrt_last_error());
        OH_NNCompilation_Destroy(&compilation);
    }
    cr_assert_eq(rmdir(folder), 0);
}

Test(choice, an_executor_without_a_place_for_its_device_is_refused) {
    const mock_prepared bytes = model_bytes();
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(&bytes, sizeof(bytes));
    OH_NNExecutor *executor;
    size_t id = 4711;
    list("m");
    OK(OH_NNCompilation_Build(compilation));
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_eq((int)nnrt_executor_get_device(executor, NULL), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq((int)nnrt_executor_get_device(NULL, &id), (int)OH_NN_INVALID_PARAMETER);
    cr_assert_eq(id, 4711);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
}
