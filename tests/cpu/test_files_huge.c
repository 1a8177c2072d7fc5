/* SPDX-License-Identifier: Apache-2.0 */
/* test_files_huge.c - models, plans and caches followed by gigabytes of holes: only their size and first bytes are
   read, not the rest. */
#include "linked.h"

#include "model_files.h"

#include <sys/resource.h>

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

TestSuite(files_huge, .init = open_folder, .fini = close_folder);

/* Builds the model in its file, with a cache. */
static void save_cache(void) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model_path);
    off_settings settings;
    memset(&settings, 0, sizeof(settings));
    IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    OH_NNCompilation_Destroy(&compilation);
}

#define HUGE_SIZE ((uint64_t)20 << 30)

static char info_line[512];

static void keep_info(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_INFO) snprintf(info_line, sizeof(info_line), "%s", message);
}

/* A file of size bytes and a large hole after them. */
static void write_huge(const char *path, const void *bytes, size_t size) {
    write_file(path, bytes, size);
    if (SIZE_MAX < HUGE_SIZE || truncate(path, (off_t)HUGE_SIZE) != 0) cr_skip_test("skipped, no files of 20 GB");
}

/* Pages that this process has been given until now. */
static long pages(void) {
    struct rusage usage;
    cr_assert_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt + usage.ru_majflt;
}

/* Builds the model file with a cache; checks the code, and that hardly a page of the file was read. */
static OH_NN_ReturnCode build_huge(const char *map, const char *max_memory) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelFile(model_path);
    const long before = pages();
    off_settings settings;
    OH_NN_ReturnCode code;
    memset(&settings, 0, sizeof(settings));
    off_config(compilation, "nnrt.map", map);
    off_config(compilation, "nnrt.max_memory", max_memory);
    IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
    info_line[0] = '\0';
    alarm(10); /* reading it takes longer, and more memory than there is */
    code = off_build(compilation, &settings);
    alarm(0);
    /* The file has five million; an emulator keeps tables of what is mapped, of some ten thousand. */
    cr_assert_lt(pages() - before, 100000, "%ld pages", pages() - before);
    OH_NNCompilation_Destroy(&compilation);
    return code;
}

Test(files_huge, of_a_huge_file_that_is_no_model_only_the_beginning_is_looked_at) {
    write_huge(model_path, "", 0);
    IS(build_huge(NULL, NULL), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "neither a .tflite"), "%s", nnrt_last_error());
    IS(build_huge(NULL, "100G"), OH_NN_INVALID_FILE); /* it may be large, and is no model all the same */
    cr_assert_not_null(strstr(nnrt_last_error(), "neither a .tflite"), "%s", nnrt_last_error());
    IS(build_huge("0", NULL), OH_NN_INVALID_FILE); /* it would have to be read */
    cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.max_memory"), "%s", nnrt_last_error());
    cr_assert_eq(counting_live(), 0);
}

Test(files_huge, a_model_with_gigabytes_behind_it_is_compiled_and_has_no_cache) {
    write_huge(model_path, model, model_size);
    nnrt_set_log(keep_info, NULL);
    IS(build_huge(NULL, NULL), OH_NN_SUCCESS);
    cr_assert_not_null(strstr(info_line, "no cache is kept in"), "%s", info_line);
    cr_assert_not_null(strstr(info_line, "nnrt.max_memory"), "%s", info_line);
    cr_assert_eq(access(info_path, F_OK), -1);
    IS(build_huge("0", NULL), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.max_memory"), "%s", nnrt_last_error());
}

Test(files_huge, a_huge_plan_is_refused_by_its_header) {
    nnrt__plan_header header;
    uint8_t *bytes;
    size_t size;
    write_file(model_path, model, model_size);
    save_cache();
    bytes = off_read(blob_path, &size);
    memcpy(&header, bytes, sizeof(header));
    header.size = HUGE_SIZE;
    memcpy(bytes, &header, sizeof(header));
    write_huge(model_path, bytes, size);
    free(bytes);
    unlink(info_path);
    IS(build_huge(NULL, NULL), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "nnrt.max_memory allows"), "%s", nnrt_last_error());
}

/* The info is as it has to be, checksum included; only the other file is huge. */
Test(files_huge, a_huge_cache_is_not_read_and_made_again) {
    static const uint64_t sizes[3] = {HUGE_SIZE, 100, (uint64_t)3 << 30};
    int i;
    write_file(model_path, model, model_size);
    for (i = 0; i < 3; i++) {
        OH_NNCompilation *compilation;
        OH_NN_ReturnCode code;
        uint8_t *info, *bytes;
        size_t info_size, size;
        long before;
        save_cache();
        info = off_read(info_path, &info_size);
        bytes = off_read(blob_path, &size);
        nnrt__write_le(info + 32, sizes[i], 8);
        nnrt__write_le(info + 44, nnrt__crc32(0, info, 44), 4);
        write_file(info_path, info, info_size);
        write_huge(blob_path, bytes, size);
        if (i == 2) cr_assert_eq(truncate(blob_path, (off_t)sizes[i]), 0);
        before = pages();
        alarm(10);
        compilation = OH_NNCompilation_ConstructForCache();
        IS(OH_NNCompilation_SetDevice(compilation, off_device()), OH_NN_SUCCESS);
        IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
        if (i == 1) off_config(compilation, "nnrt.map", "0");
        code = OH_NNCompilation_Build(compilation);
        IS(code, OH_NN_INVALID_FILE);
        OH_NNCompilation_Destroy(&compilation);
        IS(build_huge(NULL, NULL), OH_NN_SUCCESS);
        cr_assert_lt(pages() - before, 5000);
        cr_assert_gt(access(info_path, F_OK), -1);
        free(info);
        free(bytes);
    }
}

/* What a device with an NPU is given by path; mapping one costs nothing. */
Test(files_huge, for_an_npu_it_is_not_read_into_memory_either) {
    nnrt__mapping mapping;
    write_huge(model_path, "RKNN", 4);
    alarm(10);
    IS(nnrt__npu_map_file(model_path, true, &mapping), OH_NN_INVALID_FILE);
    cr_assert_not_null(strstr(nnrt_last_error(), "1 GiB"), "%s", nnrt_last_error());
    IS(nnrt__npu_map_file(model_path, false, &mapping), OH_NN_SUCCESS);
    nnrt__unmap_file(&mapping);
    alarm(0);
}
