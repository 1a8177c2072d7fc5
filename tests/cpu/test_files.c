/* SPDX-License-Identifier: Apache-2.0 */
/* test_files.c - files that somebody else holds: models and caches that become shorter or change after Build. */
#include "counting_alloc.h"

#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "offline_runner.h"

#include <stdio.h>
#include <sys/stat.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    METER_INPUT = 640,
    METER_OUTPUT = 10
};

static char folder[] = "/tmp/nnrt-files-XXXXXX";
static char model_path[64], blob_path[64], info_path[64];
static uint8_t *model;
static size_t model_size;

static void open_folder(void) {
    memcpy(folder, "/tmp/nnrt-files-XXXXXX", sizeof(folder));
    cr_assert_not_null(mkdtemp(folder));
    snprintf(model_path, sizeof(model_path), "%s/model.tflite", folder);
    snprintf(blob_path, sizeof(blob_path), "%s/0.nncache", folder);
    snprintf(info_path, sizeof(info_path), "%s/cache_info.nncache", folder);
    model = off_read("examples/meter/meter.tflite", &model_size);
    cr_assert_not_null(model);
}

static void close_folder(void) {
    free(model);
    unlink(model_path);
    unlink(blob_path);
    unlink(info_path);
    rmdir(folder);
}

TestSuite(files, .init = open_folder, .fini = close_folder);

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

/* Builds the model in a file, from it or from the cache of an earlier build. map NULL: no config. */
static OH_NNCompilation *build(OH_NN_PerformanceMode performance, const char *map, bool cached) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model_path);
    off_settings settings;
    memset(&settings, 0, sizeof(settings));
    settings.performance = performance;
    off_config(compilation, "nnrt.map", map);
    if (cached) IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    return compilation;
}

/* The outputs of an executor for an input that is always the same. */
static void run(OH_NNExecutor *executor, uint8_t *output) {
    uint8_t input[METER_INPUT];
    size_t i;
    for (i = 0; i < sizeof(input); i++) input[i] = (uint8_t)(i * 7 + i / 20);
    IS(off_run(executor, input, sizeof(input), output, METER_OUTPUT), OH_NN_SUCCESS);
}

/* Low performance leaves weights in the file, a cache hit the whole plan. With nnrt.map 0 neither needs the file after
   Build: without it the second run of each would be a SIGBUS. */
Test(files, with_nnrt_map_0_a_file_may_be_cut_off_after_build) {
    uint8_t first[METER_OUTPUT], second[METER_OUTPUT];
    int which;
    for (which = 0; which < 3; which++) {
        OH_NNCompilation *compilation;
        OH_NNExecutor *executor;
        write_file(model_path, model, model_size);
        if (which == 1) {
            compilation = build(OH_NN_PERFORMANCE_NONE, NULL, true);
            OH_NNCompilation_Destroy(&compilation);
        }
        compilation = build(which == 0 ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE, "0", which == 1);
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor);
        run(executor, first);
        cr_assert_eq(truncate(model_path, 0), 0);
        if (which == 1) cr_assert_eq(truncate(blob_path, 0), 0);
        run(executor, second);
        cr_assert_arr_eq(first, second, METER_OUTPUT);
        OH_NNExecutor_Destroy(&executor);
        OH_NNCompilation_Destroy(&compilation);
    }
    cr_assert_eq(counting_live(), 0);
}

Test(files, without_the_memory_for_a_file_that_is_said) {
    OH_NNCompilation *compilation;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    long n;
    write_file(model_path, model, model_size);
    for (n = 0; n < 40 && strstr(nnrt_last_error(), "does not fit into the memory") == NULL; n++) {
        compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model_path);
        IS(OH_NNCompilation_SetDevice(compilation, off_device()), OH_NN_SUCCESS);
        off_config(compilation, "nnrt.map", "0");
        counting_fail_at(n);
        code = OH_NNCompilation_Build(compilation);
        counting_fail_never();
        OH_NNCompilation_Destroy(&compilation);
    }
    IS(code, OH_NN_MEMORY_ERROR);
    cr_assert_lt(n, 40);
    cr_assert_eq(counting_live(), 0);
}
