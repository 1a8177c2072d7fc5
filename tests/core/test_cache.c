/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache.c - the cache on disk: what is found, what is refused, every damaged byte and length, a full disk. */
#include "counting_alloc.h"
#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

#include "mock_device.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const int32_t four[1] = {4}, five[1] = {5};
static char folder[] = "/tmp/nnrt-cache-XXXXXX";
static char info_path[128], blob_path[128];
static int warnings, infos;
static char info_line[256], warning_line[256];

static void count_line(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    warnings += level == NNRT_LOG_WARNING;
    infos += level == NNRT_LOG_INFO;
    if (level == NNRT_LOG_WARNING) snprintf(warning_line, sizeof(warning_line), "%s", message);
    if (level == NNRT_LOG_INFO) snprintf(info_line, sizeof(info_line), "%s", message);
}

static void open_folder(void) {
    memcpy(folder, "/tmp/nnrt-cache-XXXXXX", sizeof(folder));
    cr_assert_not_null(mkdtemp(folder));
    snprintf(info_path, sizeof(info_path), "%s/cache_info.nncache", folder);
    snprintf(blob_path, sizeof(blob_path), "%s/0.nncache", folder);
    nnrt_set_log(count_line, NULL);
}

/* Empties the folder; the number of files that were in it. */
static int close_folder(void) {
    DIR *d = opendir(folder);
    struct dirent *entry;
    char paths[8][512];
    int count = 0, known = 0, i;
    if (d == NULL) return 0;
    /* The two files of a cache by name: on 32 bits readdir fails where the system has wider numbers. */
    known += unlink(info_path) == 0;
    known += unlink(blob_path) == 0;
    while ((entry = readdir(d)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (count < 8) snprintf(paths[count], sizeof(paths[0]), "%s/%s", folder, entry->d_name);
        count++;
    }
    for (i = 0; i < count && i < 8; i++) unlink(paths[i]);
    closedir(d);
    rmdir(folder);
    return known + count;
}

TestSuite(cache, .init = open_folder, .fini = NULL);

static OH_NN_ReturnCode build(const int32_t *dims, uint32_t version, const char *name) {
    OH_NNCompilation *c = mock_compilation(dims, 1);
    OH_NNExecutor *executor;
    OH_NN_ReturnCode code;
    cr_assert_eq(OH_NNCompilation_SetCache(c, folder, version), OH_NN_SUCCESS);
    if (name != NULL) OK(OH_NNCompilation_AddExtensionConfig(c, "ModelName", name, strlen(name)));
    code = OH_NNCompilation_Build(c);
    if (code == OH_NN_SUCCESS) {
        executor = OH_NNExecutor_Construct(c);
        cr_assert_not_null(executor);
        OH_NNExecutor_Destroy(&executor);
    }
    OH_NNCompilation_Destroy(&c);
    return code;
}

static OH_NN_ReturnCode build_for_cache(uint32_t version) {
    OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
    OH_NN_ReturnCode code;
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_SetCache(c, folder, version));
    code = OH_NNCompilation_Build(c);
    OH_NNCompilation_Destroy(&c);
    return code;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t capacity) {
    int fd = open(path, O_RDONLY);
    ssize_t size;
    cr_assert_geq(fd, 0, "%s", path);
    size = read(fd, bytes, capacity);
    close(fd);
    cr_assert_geq(size, 0);
    return (size_t)size;
}

static void write_file(const char *path, const uint8_t *bytes, size_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
}

Test(cache, the_second_build_restores_and_compiles_nothing) {
    REFUSED(build_for_cache(1), IP);
    OK(build(four, 1, NULL));
    cr_assert_eq(mock.prepared, 1);
    OK(build(four, 1, NULL));
    cr_assert_eq(mock.prepared, 1);
    cr_assert_eq(mock.restored, 1);
    OK(build_for_cache(1));
    cr_assert_eq(mock.restored, 2);
    cr_assert_eq(warnings, 0);
    cr_assert_eq(close_folder(), 2, "more files than two");
    cr_assert_eq(counting_live(), 0);
}

Test(cache, an_older_version_is_replaced_and_a_newer_one_left_alone) {
    OK(build(four, 7, NULL));
    REFUSED(build_for_cache(8), IP);
    OK(build_for_cache(7)); /* asking for a newer one has not destroyed it */
    REFUSED(build(four, 6, NULL), FORBIDDEN);
    REFUSED(build_for_cache(6), FORBIDDEN);
    OK(build_for_cache(7));
    cr_assert_eq(mock.prepared, 1);
    OK(build(four, 8, NULL));
    cr_assert_eq(mock.prepared, 2);
    OK(build_for_cache(8));
    cr_assert_eq(warnings, 0);
    close_folder();
}

Test(cache, the_cache_of_another_model_or_setting_is_not_used) {
    OH_NNCompilation *c;
    OK(build(four, 1, NULL));
    OK(build(five, 1, NULL));
    cr_assert_eq(mock.prepared, 2);
    OK(build(five, 1, NULL));
    cr_assert_eq(mock.prepared, 2);
    c = mock_compilation(five, 1);
    OK(OH_NNCompilation_SetCache(c, folder, 1));
    OK(OH_NNCompilation_SetPerformanceMode(c, OH_NN_PERFORMANCE_HIGH));
    OK(OH_NNCompilation_Build(c));
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(mock.prepared, 3);
    close_folder();
}

Test(cache, two_models_in_one_folder_without_names_say_so) {
    const int before = warnings;
    OK(build(four, 1, NULL));
    OK(build(four, 1, NULL));
    cr_assert_eq(warnings, before);
    OK(build(five, 1, NULL));
    cr_assert_eq(warnings, before + 1);
    cr_assert_not_null(strstr(warning_line, "of another model"), "%s", warning_line);
    cr_assert_not_null(strstr(warning_line, folder), "%s", warning_line);
    cr_assert_not_null(strstr(warning_line, "ModelName"), "%s", warning_line);
    OK(build(five, 2, NULL)); /* a new version is meant */
    cr_assert_eq(warnings, before + 1);
    OK(build(four, 1, "a"));
    OK(build(five, 1, "b"));
    OK(build(four, 1, "a"));
    cr_assert_eq(warnings, before + 1);
    close_folder();
}

/* Builds with mock.mode, unless NULL, and a priority. */
static void build_set(const char *mode, OH_NN_Priority priority) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetCache(c, folder, 1));
    OK(OH_NNCompilation_SetPriority(c, priority));
    if (mode != NULL) OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", mode, strlen(mode)));
    OK(OH_NNCompilation_Build(c));
    OH_NNCompilation_Destroy(&c);
}

static bool key_fails;

static OH_NN_ReturnCode mock_cache_key(void *device, const nnrt_request *request, uint64_t *key) {
    cr_assert_eq(device, (void *)&mock);
    *key = request->config_count != 0 && strcmp((const char *)request->configs[0].value, "packed") == 0;
    return key_fails ? nnrt_backend_fail(OH_NN_MEMORY_ERROR, "mock: out of memory") : OH_NN_SUCCESS;
}

Test(cache, a_config_is_part_of_the_key_unless_the_device_says_that_it_changes_no_byte) {
    int prepared = 0;
    /* a device that says nothing: every config counts, and a priority does not */
    build_set(NULL, OH_NN_PRIORITY_NONE);
    build_set("a", OH_NN_PRIORITY_NONE);
    build_set("b", OH_NN_PRIORITY_NONE);
    cr_assert_eq(mock.prepared, 3);
    build_set("b", OH_NN_PRIORITY_HIGH);
    cr_assert(mock.prepared == 3 && mock.restored == 1);
    cr_assert_eq(mock.request.priority, OH_NN_PRIORITY_HIGH); /* what is no part of the key reaches restore */
    /* one that says which */
    mock_backend.cache_key = mock_cache_key;
    build_set(NULL, OH_NN_PRIORITY_NONE);
    prepared = mock.prepared;
    build_set("a", OH_NN_PRIORITY_NONE);
    build_set("b", OH_NN_PRIORITY_NONE);
    cr_assert(mock.prepared == prepared && mock.restored == 3);
    cr_assert_eq(mock.request.config_count, 1);
    build_set("packed", OH_NN_PRIORITY_NONE);
    cr_assert_eq(mock.prepared, prepared + 1);
    key_fails = true;
    REFUSED(build(four, 1, NULL), OH_NN_MEMORY_ERROR);
    close_folder();
}

Test(cache, names_keep_models_apart_and_cannot_leave_the_directory) {
    struct stat status;
    char path[200];
    OK(build(four, 1, "a"));
    OK(build(five, 1, "../b"));
    OK(build(four, 1, "a"));
    OK(build(five, 1, "../b"));
    cr_assert_eq(mock.prepared, 2);
    snprintf(path, sizeof(path), "%s/acache_info.nncache", folder);
    cr_assert_eq(stat(path, &status), 0);
    snprintf(path, sizeof(path), "%s/.._b0.nncache", folder);
    cr_assert_eq(stat(path, &status), 0);
    unlink(path);
    snprintf(path, sizeof(path), "%s/.._bcache_info.nncache", folder);
    unlink(path);
    close_folder();
}

Test(cache, every_truncation_and_every_flipped_byte_is_noticed) {
    uint8_t bytes[2][1024], damaged[1024];
    const char *paths[2] = {info_path, blob_path};
    size_t sizes[2], file, i;
    OK(build(four, 3, NULL));
    sizes[0] = read_file(info_path, bytes[0], sizeof(bytes[0]));
    sizes[1] = read_file(blob_path, bytes[1], sizeof(bytes[1]));
    for (file = 0; file < 2; file++) {
        for (i = 0; i < 2 * sizes[file]; i++) {
            bool cut = i < sizes[file];
            int before = mock.restored;
            memcpy(damaged, bytes[file], sizes[file]);
            if (!cut) damaged[i - sizes[file]] ^= (uint8_t)(1u << (i % 8));
            write_file(paths[file], damaged, cut ? i : sizes[file]);
            cr_assert_eq(build_for_cache(3), OH_NN_INVALID_FILE, "file %zu, %zu", file, i);
            cr_assert_eq(mock.restored, before);
        }
        write_file(paths[file], bytes[file], sizes[file]);
    }
    OK(build_for_cache(3));
    /* with a model it is made again, with one warning */
    write_file(blob_path, bytes[1], sizes[1] - 1);
    OK(build(four, 3, NULL));
    cr_assert_eq(mock.prepared, 2);
    cr_assert_eq(warnings, 1);
    OK(build_for_cache(3));
    unlink(blob_path);
    REFUSED(build_for_cache(3), OH_NN_INVALID_FILE);
    OK(build(four, 3, NULL));
    cr_assert_eq(warnings, 2);
    OK(build_for_cache(3));
    close_folder();
}

/* Builds where saving fails: the code, and an executor all the same. */
static void built_but_not_saved(uint32_t version, OH_NN_ReturnCode code) {
    OH_NNCompilation *c = mock_compilation(four, 1);
    OH_NNExecutor *executor;
    OK(OH_NNCompilation_SetCache(c, folder, version));
    REFUSED(OH_NNCompilation_Build(c), code);
    executor = OH_NNExecutor_Construct(c);
    cr_assert_not_null(executor);
    REFUSED(OH_NNCompilation_SetDevice(c, 0), FORBIDDEN);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&c);
}

/* Puts something that is no regular file at path. */
static void put_special(const char *path, int which) {
    unlink(path);
    if (which == 0) cr_assert_eq(mkfifo(path, 0644), 0);
    if (which == 1) cr_assert_eq(mkdir(path, 0755), 0);
    if (which == 2) cr_assert_eq(symlink("/dev/zero", path), 0);
}

static void remove_special(const char *path) {
    unlink(path);
    rmdir(path);
}

/* alarm: one that is waited for ends the test. */
Test(cache, a_fifo_a_device_or_a_directory_in_place_of_a_file_is_refused_and_never_waited_for) {
    const char *paths[2] = {info_path, blob_path};
    int file, which;
    alarm(20);
    for (file = 0; file < 2; file++) {
        for (which = 0; which < 3; which++) {
            OK(build(four, 1, NULL));
            put_special(paths[file], which);
            REFUSED(build_for_cache(1), OH_NN_INVALID_FILE);
            cr_assert_not_null(strstr(nnrt_last_error(), "is not a regular file"), "%s", nnrt_last_error());
            /* with a model it is made again: whatever has the name is replaced, but for a directory */
            OK(build(four, 1, NULL));
            if (which != 1) OK(build_for_cache(1));
            remove_special(paths[file]);
        }
    }
    alarm(0);
    close_folder();
}

Test(cache, a_fifo_or_device_in_place_of_an_offline_model_is_refused_and_never_waited_for) {
    char path[128];
    int which;
    snprintf(path, sizeof(path), "%s/model", folder);
    alarm(20);
    for (which = 0; which < 3; which++) {
        int cached;
        put_special(path, which);
        for (cached = 0; cached < 2; cached++) { /* the hash of a cache reads the model, too */
            OH_NNCompilation *c = OH_NNCompilation_ConstructWithOfflineModelFile(path);
            OK(OH_NNCompilation_SetDevice(c, mock_id()));
            if (cached) OK(OH_NNCompilation_SetCache(c, folder, 1));
            REFUSED(OH_NNCompilation_Build(c), OH_NN_INVALID_FILE);
            OH_NNCompilation_Destroy(&c);
        }
        remove_special(path);
    }
    alarm(0);
    close_folder();
}

/* nnrt.map 0: no mapping of the cache stays behind, so that nobody can pull it away. */
Test(cache, with_nnrt_map_0_files_are_read_into_memory) {
    const char *values[3] = {"1", "0", "2"};
    int i;
    OK(build(four, 1, NULL));
    for (i = 0; i < 3; i++) {
        OH_NNCompilation *c = OH_NNCompilation_ConstructForCache();
        OK(OH_NNCompilation_SetDevice(c, mock_id()));
        OK(OH_NNCompilation_SetCache(c, folder, 1));
        if (i == 2) {
            REFUSED(OH_NNCompilation_AddExtensionConfig(c, "nnrt.map", values[i], 1), IP);
            REFUSED(OH_NNCompilation_AddExtensionConfig(c, "nnrt.map", "10", 2), IP);
        } else {
            OK(OH_NNCompilation_AddExtensionConfig(c, "nnrt.map", values[i], 1));
            OK(OH_NNCompilation_Build(c));
            cr_assert_eq(mock.request.config_count, 0);
            cr_assert_eq(mock.request.read_files, i == 1);
            cr_assert_not_null(c->prepared->mapping.data);
            cr_assert_eq(c->prepared->mapping.memory == c->prepared->mapping.data, i == 1);
        }
        OH_NNCompilation_Destroy(&c);
    }
    cr_assert_eq(counting_live(), 0);
    close_folder();
}

Test(cache, what_the_device_refuses_is_made_again) {
    OK(build(four, 1, NULL));
    mock.restore_code = OH_NN_FAILED;
    REFUSED(build_for_cache(1), OH_NN_INVALID_FILE);
    OK(build(four, 1, NULL));
    cr_assert_eq(mock.prepared, 2);
    cr_assert_eq(warnings, 1);
    mock.restore_code = OH_NN_MEMORY_ERROR;
    REFUSED(build(four, 1, NULL), OH_NN_MEMORY_ERROR);
    close_folder();
}

Test(cache, the_cache_of_another_device_is_not_used) {
    static nnrt_backend other;
    OH_NNCompilation *c;
    size_t id;
    OK(build(four, 1, NULL));
    other = mock_backend;
    other.name = "other";
    OK(nnrt_register_backend(&other, &id));
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, id));
    OK(OH_NNCompilation_SetCache(c, folder, 1));
    REFUSED(OH_NNCompilation_Build(c), OH_NN_INVALID_FILE);
    OH_NNCompilation_Destroy(&c);
    close_folder();
}

Test(cache, a_directory_that_is_none_fails_before_compiling) {
    char file[160];
    OH_NNCompilation *c = mock_compilation(four, 1);
    snprintf(file, sizeof(file), "%s/file", folder);
    write_file(file, (const uint8_t *)"x", 1);
    OK(OH_NNCompilation_SetCache(c, file, 1));
    REFUSED(OH_NNCompilation_Build(c), IP);
    cr_assert_null(OH_NNExecutor_Construct(c));
    OH_NNCompilation_Destroy(&c);
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetCache(c, "/proc/self/nothing", 1));
    REFUSED(OH_NNCompilation_Build(c), IP);
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(mock.prepared, 0);
    close_folder();
}

Test(cache, a_full_disk_keeps_the_compiled_model_and_the_old_cache) {
    struct rlimit limit;
    rlim_t size;
    OK(build(four, 1, NULL));
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    for (size = 0; size < sizeof(mock_prepared); size += 57) {
        rlim_t old = limit.rlim_cur;
        limit.rlim_cur = size;
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        built_but_not_saved(2, OH_NN_SAVE_CACHE_EXCEPTION);
        limit.rlim_cur = old;
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    }
    OK(build_for_cache(1));
    cr_assert_eq(close_folder(), 2, "temporary files stay behind");
}

Test(cache, the_reserved_version_is_compiled_and_not_saved) {
    built_but_not_saved(0xffffffffu, IP);
    REFUSED(build_for_cache(0xffffffffu), IP);
    cr_assert_eq(close_folder(), 0);
}

Test(cache, a_device_that_cannot_save_says_so) {
    mock.save_code = OH_NN_FAILED;
    built_but_not_saved(1, OH_NN_SAVE_CACHE_EXCEPTION);
    cr_assert_eq(close_folder(), 0);
}

Test(cache, the_last_call_of_set_cache_counts_and_the_ones_before_leave_nothing) {
    char first[] = "/tmp/nnrt-first-XXXXXX", name[sizeof(folder)];
    long live = counting_live();
    OH_NNCompilation *c;
    cr_assert_not_null(mkdtemp(first));
    memcpy(name, folder, sizeof(folder));
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetCache(c, first, 9));
    OK(OH_NNCompilation_SetCache(c, name, 2));
    memset(name, 'x', sizeof(name) - 1); /* the string was copied */
    OK(OH_NNCompilation_Build(c));
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(counting_live(), live);
    cr_assert_eq(rmdir(first), 0, "something is in the directory that was set first");
    OK(build_for_cache(2));
    REFUSED(build_for_cache(1), FORBIDDEN);
    /* one that fails leaves the one before */
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetCache(c, folder, 2));
    counting_fail_at(0);
    REFUSED(OH_NNCompilation_SetCache(c, first, 3), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    OK(OH_NNCompilation_Build(c));
    cr_assert_eq(mock.prepared, 1);
    OH_NNCompilation_Destroy(&c);
    /* "" takes it away */
    c = mock_compilation(four, 1);
    OK(OH_NNCompilation_SetCache(c, folder, 1));
    OK(OH_NNCompilation_SetCache(c, "", 1));
    OK(OH_NNCompilation_Build(c)); /* a cache of version 2 would have been refused */
    cr_assert_eq(mock.prepared, 2);
    OH_NNCompilation_Destroy(&c);
    cr_assert_eq(counting_live(), live);
    cr_assert_eq(close_folder(), 2);
}

Test(cache, of_what_is_compiled_already_is_nothing_to_do_and_a_line) {
    static const char *const folders[] = {folder, "/no/such/directory"};
    uint8_t bytes[1024];
    size_t size, i;
    OH_NNCompilation *c;
    OK(build(four, 1, NULL));
    size = read_file(blob_path, bytes, sizeof(bytes));
    unlink(blob_path);
    unlink(info_path);
    mock_backend.capabilities &= ~NNRT_CAN_CACHE;
    for (i = 0; i < 2; i++) { /* one that does not say so is refused */
        mock_backend.capabilities &= ~NNRT_NEEDS_NO_CACHE;
        c = mock_compilation(four, 1);
        OK(OH_NNCompilation_SetCache(c, folders[i], 1));
        REFUSED(OH_NNCompilation_Build(c), FORBIDDEN);
        OH_NNCompilation_Destroy(&c);
        mock_backend.capabilities |= NNRT_NEEDS_NO_CACHE;
        infos = 0;
        c = mock_compilation(four, 1);
        OK(OH_NNCompilation_SetCache(c, folders[i], 1));
        OK(OH_NNCompilation_Build(c));
        cr_assert_eq(infos, 1);
        cr_assert_not_null(strstr(info_line, folders[i]), "%s", info_line);
        REFUSED(OH_NNCompilation_ExportCacheToBuffer(c, bytes, sizeof(bytes), &size), OH_NN_UNSUPPORTED);
        OH_NNCompilation_Destroy(&c);
    }
    cr_assert_eq(warnings, 0);
    /* without a model there is nothing but the cache, and this device has none */
    REFUSED(build_for_cache(1), FORBIDDEN);
    c = OH_NNCompilation_ConstructForCache();
    OK(OH_NNCompilation_SetDevice(c, mock_id()));
    OK(OH_NNCompilation_ImportCacheFromBuffer(c, bytes, size));
    REFUSED(OH_NNCompilation_Build(c), FORBIDDEN);
    OH_NNCompilation_Destroy(&c);
    /* a device that has a cache uses it */
    mock_backend.capabilities |= NNRT_CAN_CACHE;
    OK(build(four, 1, NULL));
    OK(build_for_cache(1));
    cr_assert_eq(close_folder(), 2);
}

Test(cache, every_allocation_that_fails_leaves_nothing_behind) {
    long n, live;
    int pass;
    for (pass = 0; pass < 2; pass++) { /* saving, restoring */
        bool done = false;
        OH_NNCompilation *c = mock_compilation(four, 1);
        OH_NNCompilation_Destroy(&c);
        live = counting_live();
        for (n = 0; n < 100 && !done; n++) {
            OH_NN_ReturnCode code;
            if (pass == 0) unlink(info_path);
            c = mock_compilation(four, 1);
            OK(OH_NNCompilation_SetCache(c, folder, 1));
            (void)nnrt_backend_fail(OH_NN_FAILED, "stale");
            counting_fail_at(n);
            code = OH_NNCompilation_Build(c);
            done = !counting_failed();
            counting_fail_never();
            cr_assert_eq(code, done ? OH_NN_SUCCESS : OH_NN_MEMORY_ERROR, "pass %d, allocation %ld: %s", pass, n,
                         nnrt_last_error());
            if (!done) cr_assert_str_neq(nnrt_last_error(), "stale");
            OH_NNCompilation_Destroy(&c);
            cr_assert_eq(counting_live(), live);
        }
        cr_assert(done && n > 3);
    }
    close_folder();
}
