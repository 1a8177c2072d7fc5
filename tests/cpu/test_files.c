/* SPDX-License-Identifier: Apache-2.0 */
/* test_files.c - files that another process changes: models and caches that are truncated or changed after Build. */
#include "linked.h"

#include "graph_builder.h"
#include "model_files.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

enum {
    METER_INPUT = 640,
    METER_OUTPUT = 10
};

TestSuite(files, .init = open_folder, .fini = close_folder);

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

/* ----------------------------------------------------------------------------- a cache that others write into */

/* x [4,6] int32 -> / constant -> GATHER of constant indices -> y: what constants decide beyond values. */
static void index_graph(gb_graph *g) {
    static const int32_t x_dims[2] = {4, 6}, y_dims[2] = {4, 5}, divisors[6] = {1, 2, 3, 4, 5, 6}, six = 6;
    static const int32_t indices[5] = {5, 0, -1, 3, 2}, axis = 1;
    uint32_t in[3], t, y;
    gb_open(g);
    in[0] = gb_input(g, gb_tensor(g, OH_NN_INT32, 2, x_dims));
    in[1] = gb_constant(g, OH_NN_INT32, 1, &six, divisors);
    t = gb_tensor(g, OH_NN_INT32, 2, x_dims);
    IS(gb_op(g, OH_NN_OPS_DIV, 2, in, 1, &t), OH_NN_SUCCESS);
    in[0] = t;
    in[1] = gb_ints(g, 5, indices);
    in[2] = gb_constant(g, OH_NN_INT32, 0, NULL, &axis);
    y = gb_output(g, gb_tensor(g, OH_NN_INT32, 2, y_dims));
    IS(gb_op(g, OH_NN_OPS_GATHER, 3, in, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

/* Builds graph 0, the meter, or 1, the one above, with the cache in folder. */
static OH_NNCompilation *build_cached(int which, gb_graph *g) {
    OH_NNCompilation *compilation =
        which == 0 ? OH_NNCompilation_ConstructWithOfflineModelFile(model_path) : OH_NNCompilation_Construct(g->model);
    off_settings settings;
    memset(&settings, 0, sizeof(settings));
    IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
    IS(off_build(compilation, &settings), OH_NN_SUCCESS);
    return compilation;
}

static OH_NN_ReturnCode run_cached(int which, OH_NNExecutor *executor, uint8_t *output) {
    uint8_t input[METER_INPUT];
    size_t i;
    for (i = 0; i < sizeof(input); i++) input[i] = (uint8_t)(i * 7 + i / 20);
    return off_run(executor, input, which == 0 ? METER_INPUT : 96, output, which == 0 ? METER_OUTPUT : 80);
}

/* Build maps the cache; then every piece of the same file gets other bytes. A run may give other values or report a bad
   index, but never leaves its memory; with the old bytes back it is right again. */
Test(files, a_cache_may_be_overwritten_after_build_and_no_run_leaves_its_memory) {
    static const uint8_t patterns[4] = {0x00, 0xff, 0x7f, 0x80};
    int which;
    write_file(model_path, model, model_size);
    for (which = 0; which < 2; which++) {
        gb_graph g;
        OH_NNCompilation *compilation;
        OH_NNExecutor *executor;
        uint8_t right[80], output[80], hostile[64], *bytes;
        size_t size, at, piece, k;
        int fd;
        index_graph(&g);
        compilation = build_cached(which, &g);
        OH_NNCompilation_Destroy(&compilation);
        compilation = build_cached(which, &g);
        cr_assert_not_null(compilation->prepared->mapping.data, "the cache is not used");
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor);
        IS(run_cached(which, executor, right), OH_NN_SUCCESS);
        bytes = off_read(blob_path, &size);
        fd = open(blob_path, O_WRONLY);
        cr_assert_geq(fd, 0);
        for (piece = 4; piece <= 64; piece *= 16) {
            for (at = 0; at + piece <= size; at += piece == 4 && which == 0 ? 52 : piece) {
                for (k = 0; k < 4; k++) {
                    OH_NN_ReturnCode code;
                    memset(hostile, patterns[k], sizeof(hostile));
                    cr_assert_eq(pwrite(fd, hostile, piece, (off_t)at), (ssize_t)piece);
                    code = run_cached(which, executor, output);
                    cr_assert(code == OH_NN_SUCCESS || code == OH_NN_UNAVAILABLE_DEVICE, "byte %zu: %s", at,
                              nnrt_last_error());
                }
                cr_assert_eq(pwrite(fd, bytes + at, piece, (off_t)at), (ssize_t)piece);
            }
        }
        for (k = 0; k < 4; k++) { /* all of it at once; a new executor, too */
            for (at = 0; at < size; at++) {
                hostile[0] = (uint8_t)(k == 0 ? at * 7 : patterns[k]);
                cr_assert_eq(pwrite(fd, hostile, 1, (off_t)at), 1);
            }
            (void)run_cached(which, executor, output);
            OH_NNExecutor_Destroy(&executor);
            executor = OH_NNExecutor_Construct(compilation);
            cr_assert_not_null(executor);
            (void)run_cached(which, executor, output);
        }
        cr_assert_eq(pwrite(fd, bytes, size, 0), (ssize_t)size);
        IS(run_cached(which, executor, output), OH_NN_SUCCESS);
        cr_assert_arr_eq(output, right, which == 0 ? METER_OUTPUT : 80);
        close(fd);
        free(bytes);
        OH_NNExecutor_Destroy(&executor);
        OH_NNCompilation_Destroy(&compilation);
        gb_close(&g);
        unlink(blob_path);
        unlink(info_path);
    }
}

/* ------------------------------------------------------------------------------------- models without a cache */

static char info_line[512];

static void keep_info(void *user, nnrt_log_level level, const char *message) {
    (void)user;
    if (level == NNRT_LOG_INFO) snprintf(info_line, sizeof(info_line), "%s", message);
}

/* x [-1,6] float32 -> ABS -> y */
static void dynamic_graph(gb_graph *g) {
    static const int32_t dims[2] = {-1, 6};
    uint32_t x, y;
    gb_open(g);
    x = gb_input(g, gb_tensor(g, OH_NN_FLOAT32, 2, dims));
    y = gb_output(g, gb_tensor(g, OH_NN_FLOAT32, 2, dims));
    IS(gb_op(g, OH_NN_OPS_ABS, 1, &x, 1, &y), OH_NN_SUCCESS);
    IS(gb_finish(g), OH_NN_SUCCESS);
}

/* As OpenHarmony's guide has every program set one. */
Test(files, a_dynamic_model_is_built_without_the_cache_that_was_set) {
    uint8_t bytes[64];
    gb_graph g;
    int i;
    nnrt_set_log(keep_info, NULL);
    dynamic_graph(&g);
    for (i = 0; i < 2; i++) {
        OH_NNCompilation *compilation = OH_NNCompilation_Construct(g.model);
        OH_NNExecutor *executor;
        off_settings settings;
        size_t size = 0;
        memset(&settings, 0, sizeof(settings));
        info_line[0] = '\0';
        IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
        IS(off_build(compilation, &settings), OH_NN_SUCCESS);
        cr_assert_not_null(strstr(info_line, "no cache is kept in"), "%s", info_line);
        cr_assert_not_null(strstr(info_line, "dynamic input shapes"), "%s", info_line);
        cr_assert_not_null(strstr(info_line, folder), "%s", info_line);
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executor);
        OH_NNExecutor_Destroy(&executor);
        /* asking for the bytes of a cache fails: there are none */
        IS(OH_NNCompilation_ExportCacheToBuffer(compilation, bytes, sizeof(bytes), &size), OH_NN_SAVE_CACHE_EXCEPTION);
        OH_NNCompilation_Destroy(&compilation);
    }
    cr_assert_eq(access(info_path, F_OK), -1);
    gb_close(&g);
}
