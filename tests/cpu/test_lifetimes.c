/* SPDX-License-Identifier: Apache-2.0 */
/* test_lifetimes.c - the order that OpenHarmony's header allows: compilation and model are destroyed, the memory that
   they were made from is unmapped, and then the model runs. For every .tflite of the fuzzers' seeds and every way to
   give it to the CPU device the runs have the bytes that they have while all of it is there; the memory cannot be read
   any more, so that a touch ends the test. And what stays because the program has promised it is not copied. */
#include "linked.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "graph_builder.h"
#include "offline_runner.h"

#define METER "examples/meter/meter.tflite"
#define SEEDS "tests/fuzz/seeds/tflite"
#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s", nnrt_last_error())

/* ------------------------------------------------------------------------------------------ memory that goes */

/* Bytes that end at a page's end, in pages that can be unmapped. */
typedef struct leaving {
    void *pages;
    size_t size;
    uint8_t *bytes;
} leaving;

static leaving leaving_of(const void *bytes, size_t size) {
    const size_t page = 4096;
    leaving it;
    it.size = (size + page - 1) / page * page;
    it.pages = mmap(NULL, it.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(it.pages != MAP_FAILED);
    it.bytes = (uint8_t *)it.pages + (it.size - size) / 8 * 8; /* where a plan can be used in place */
    memcpy(it.bytes, bytes, size);
    IS(mprotect(it.pages, it.size, PROT_READ), 0);
    return it;
}

static void leaves(const leaving *it) { IS(mprotect(it->pages, it->size, PROT_NONE), 0); }

static void is_unmapped(const leaving *it) { IS(munmap(it->pages, it->size), 0); }

/* ------------------------------------------------------------------------------------------------------ runs */

enum {
    MOST_IO = 16,
    RUNS = 2
};

/* How runs end, and a checksum of what they write. */
typedef struct answer {
    OH_NN_ReturnCode code;
    uint32_t digest;
} answer;

static NN_Tensor *tensor_of(NN_TensorDesc *desc) {
    int32_t *dims = NULL, known[NNRT_MAX_RANK];
    NN_Tensor *tensor;
    size_t rank = 0, i;
    IS(OH_NNTensorDesc_GetShape(desc, &dims, &rank), OH_NN_SUCCESS);
    for (i = 0; i < rank; i++) known[i] = dims[i] > 0 ? dims[i] : 2;
    IS(OH_NNTensorDesc_SetShape(desc, known, rank), OH_NN_SUCCESS);
    tensor = OH_NNTensor_Create(off_device(), desc);
    IS(OH_NNTensorDesc_Destroy(&desc), OH_NN_SUCCESS);
    return tensor;
}

/* Outputs whose shapes a run decides get room for 64 elements. */
static answer runs_of(OH_NNExecutor *executor) {
    NN_Tensor *tensors[2 * MOST_IO];
    size_t inputs = 0, outputs = 0, i, k, size;
    answer it = {OH_NN_SUCCESS, 0};
    int run;
    IS(OH_NNExecutor_GetInputCount(executor, &inputs), OH_NN_SUCCESS);
    IS(OH_NNExecutor_GetOutputCount(executor, &outputs), OH_NN_SUCCESS);
    cr_assert(inputs <= MOST_IO && outputs <= MOST_IO);
    for (i = 0; i < inputs + outputs; i++) {
        tensors[i] = tensor_of(i < inputs ? OH_NNExecutor_CreateInputTensorDesc(executor, i)
                                          : OH_NNExecutor_CreateOutputTensorDesc(executor, i - inputs));
        cr_assert_not_null(tensors[i], "%s", nnrt_last_error());
        IS(OH_NNTensor_GetSize(tensors[i], &size), OH_NN_SUCCESS);
        memset(OH_NNTensor_GetDataBuffer(tensors[i]), 0, size);
    }
    for (run = 0; run < RUNS && it.code == OH_NN_SUCCESS; run++) {
        for (i = 0; i < inputs; i++) {
            uint8_t *bytes = (uint8_t *)OH_NNTensor_GetDataBuffer(tensors[i]);
            IS(OH_NNTensor_GetSize(tensors[i], &size), OH_NN_SUCCESS);
            for (k = 0; k < size; k++) bytes[k] = (uint8_t)(k % 4 == 0 ? (k / 4 + (size_t)run) % 2 : 0);
        }
        it.code = OH_NNExecutor_RunSync(executor, tensors, inputs, tensors + inputs, outputs);
        for (i = inputs; i < inputs + outputs; i++) {
            IS(OH_NNTensor_GetSize(tensors[i], &size), OH_NN_SUCCESS);
            it.digest = nnrt__crc32(it.digest, OH_NNTensor_GetDataBuffer(tensors[i]), size);
        }
    }
    for (i = 0; i < inputs + outputs; i++) IS(OH_NNTensor_Destroy(&tensors[i]), OH_NN_SUCCESS);
    return it;
}

/* ------------------------------------------------------------------------------------------------------ ways */

typedef enum way {
    MODEL,
    MODEL_LOW, /* weights stay in the .tflite */
    PLAN_AS_MODEL,
    PLAN_AS_CACHE,
    WAYS
} way;

static const char *const way_names[WAYS] = {"a .tflite", "a .tflite, LOW", "a plan as a model", "a plan as a cache"};

static OH_NNCompilation *compiled(const uint8_t *bytes, size_t size, way how, bool in_place, OH_NN_ReturnCode *code) {
    off_settings settings;
    OH_NNCompilation *compilation = how == PLAN_AS_CACHE
                                        ? OH_NNCompilation_ConstructForCache()
                                        : OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    memset(&settings, 0, sizeof settings);
    if (how == MODEL_LOW) settings.performance = OH_NN_PERFORMANCE_LOW;
    if (how == PLAN_AS_CACHE) IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, bytes, size), OH_NN_SUCCESS);
    if (in_place) IS(nnrt_compilation_use_in_place(compilation), OH_NN_SUCCESS);
    *code = off_build(compilation, &settings);
    return compilation;
}

/* One way of one model. `gone`: compilation destroyed, its memory gone, then runs. false: Build refuses it. */
static bool try_way(const uint8_t *bytes, size_t size, way how, bool gone, answer *it) {
    leaving memory = leaving_of(bytes, size);
    OH_NN_ReturnCode code;
    OH_NNCompilation *compilation = compiled(memory.bytes, size, how, false, &code);
    OH_NNExecutor *executor = code == OH_NN_SUCCESS ? OH_NNExecutor_Construct(compilation) : NULL;
    if (gone) {
        OH_NNCompilation_Destroy(&compilation);
        leaves(&memory);
    }
    if (executor != NULL) *it = runs_of(executor);
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    if (!gone) OH_NNCompilation_Destroy(&compilation);
    is_unmapped(&memory);
    return code == OH_NN_SUCCESS;
}

/* How many ways were tried. */
static int try_model(const char *path) {
    size_t size, plan_size = 0, live = (size_t)counting_live();
    uint8_t *model = off_read(path, &size), *plan = NULL;
    OH_NN_ReturnCode code;
    OH_NNCompilation *compilation = compiled(model, size, MODEL, true, &code);
    uint8_t none;
    int tried = 0;
    way how;
    if (code == OH_NN_SUCCESS && OH_NNCompilation_ExportCacheToBuffer(compilation, &none, 1, &plan_size) != 0 &&
        plan_size > 1)
        plan = off_export(compilation, &plan_size);
    OH_NNCompilation_Destroy(&compilation);
    for (how = MODEL; how < WAYS; how = (way)(how + 1)) {
        const bool is_plan = how >= PLAN_AS_MODEL;
        answer here = {OH_NN_SUCCESS, 0}, behind = {OH_NN_SUCCESS, 0};
        if (is_plan && plan == NULL) continue;
        if (!try_way(is_plan ? plan : model, is_plan ? plan_size : size, how, false, &here)) continue;
        cr_assert(try_way(is_plan ? plan : model, is_plan ? plan_size : size, how, true, &behind));
        cr_assert(behind.code == here.code && behind.digest == here.digest, "%s, %s: %s, before %s", path,
                  way_names[how], nnrt_strerror(behind.code), nnrt_strerror(here.code));
        tried++;
    }
    free(plan);
    free(model);
    cr_assert_eq((size_t)counting_live(), live, "%s", path);
    return tried;
}

Test(lifetimes, a_model_runs_when_its_compilation_and_its_bytes_are_gone, .timeout = 120) {
    /* By the system call, as readdir fails on 32 bits where the system has wider numbers. An entry: 8 bytes each of
       number and place, 2 of its size, 1 of its kind, its name. */
    const int folder = open(SEEDS, O_RDONLY | O_DIRECTORY);
    char entries[4096], path[sizeof SEEDS + sizeof entries];
    long size, at;
    int tried = try_model(METER);
    cr_assert_eq(tried, (int)WAYS);
    cr_assert_geq(folder, 0);
    while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        uint16_t step;
        for (at = 0; at < size; at += step) {
            const char *name = entries + at + 19;
            memcpy(&step, entries + at + 16, sizeof step);
            if (strstr(name, ".tflite") == NULL) continue;
            (void)snprintf(path, sizeof path, SEEDS "/%s", name);
            tried += try_model(path);
        }
    }
    cr_assert_eq(size, 0);
    (void)close(folder);
    cr_assert_gt(tried, 400, "%d", tried);
}

/* ---------------------------------------------------------------------------------- graphs, files, folders */

Test(lifetimes, a_graph_runs_when_its_weights_its_model_and_its_compilation_are_gone) {
    static const int32_t shape[] = {1, 8};
    static const float weights[] = {1, 2, 3, 4, 5, 6, 7, 8};
    leaving memory = leaving_of(weights, sizeof weights);
    float in[8] = {1, 1, 1, 1, 1, 1, 1, 1}, out[8];
    uint32_t inputs[2], output;
    gb_graph g;
    int i;
    gb_open(&g);
    inputs[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, shape));
    inputs[1] = gb_constant(&g, OH_NN_FLOAT32, 2, shape, memory.bytes);
    output = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, shape));
    IS(gb_op(&g, OH_NN_OPS_ADD, 2, inputs, 1, &output), OH_NN_SUCCESS);
    is_unmapped(&memory); /* OpenHarmony's header: the data are copied */
    IS(gb_build(&g), OH_NN_SUCCESS);
    OH_NNModel_Destroy(&g.model);
    OH_NNCompilation_Destroy(&g.compilation);
    IS(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(out, sizeof out)), OH_NN_SUCCESS);
    for (i = 0; i < 8; i++) cr_assert_eq(out[i], (float)(i + 2));
    gb_close(&g);
}

#ifndef NNRT_NO_STDIO
Test(lifetimes, a_model_runs_when_its_file_or_its_folder_of_caches_is_gone) {
    static const OH_NN_PerformanceMode modes[] = {OH_NN_PERFORMANCE_NONE, OH_NN_PERFORMANCE_LOW};
    char folder[] = "/tmp/nnrt_lifetimes_XXXXXX", path[64], name[96];
    size_t size, i;
    uint8_t *model = off_read(METER, &size);
    answer first = {OH_NN_SUCCESS, 0};
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/model.tflite", folder);
    for (i = 0; i < 6; i++) { /* twice each mode without a folder, then with: once written, once found */
        OH_NNCompilation *compilation;
        OH_NNExecutor *executor;
        answer it;
        FILE *file = fopen(path, "wb");
        cr_assert(file != NULL && fwrite(model, 1, size, file) == size && fclose(file) == 0);
        compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
        IS(OH_NNCompilation_SetPerformanceMode(compilation, modes[i % 2]), OH_NN_SUCCESS);
        if (i >= 2) IS(OH_NNCompilation_SetCache(compilation, folder, 1), OH_NN_SUCCESS);
        if (i >= 2) IS(OH_NNCompilation_AddExtensionConfig(compilation, "ModelName", i % 2 != 0 ? "b" : "a", 1), 0);
        IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
        executor = OH_NNExecutor_Construct(compilation);
        OH_NNCompilation_Destroy(&compilation);
        IS(unlink(path), 0);
        it = runs_of(executor);
        if (i == 0) first = it;
        IS(it.code, OH_NN_SUCCESS);
        cr_assert_eq(it.digest, first.digest);
        OH_NNExecutor_Destroy(&executor);
    }
    for (i = 0; i < 4; i++) {
        (void)snprintf(name, sizeof name, "%s/%c%s", folder, i % 2 != 0 ? 'b' : 'a',
                       i / 2 != 0 ? "0.nncache" : "cache_info.nncache");
        IS(unlink(name), 0);
    }
    IS(rmdir(folder), 0);
    free(model);
}
#endif

/* ------------------------------------------------------------------------------------------- what is copied */

/* What NNRT_MALLOC was asked for by one Build, and the largest part of it that can be a copy. */
static size_t bytes_of_build(const uint8_t *bytes, size_t size, way how, bool in_place, nnrt_memory *memory) {
    const size_t before = counting_bytes();
    size_t is;
    OH_NN_ReturnCode code;
    OH_NNCompilation *compilation = compiled(bytes, size, how, in_place, &code);
    OH_NNExecutor *executor;
    IS(code, OH_NN_SUCCESS);
    is = counting_bytes() - before;
    executor = OH_NNExecutor_Construct(compilation);
    IS(nnrt_executor_get_memory(executor, memory), OH_NN_SUCCESS);
    cr_assert_eq(memory->heap_bytes, counting_bytes() - before, "%s", way_names[how]);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    cr_assert_eq(counting_bytes(), before);
    return is;
}

Test(lifetimes, only_what_runs_need_is_copied_and_nothing_in_place) {
    size_t size, plan_size;
    uint8_t *model = off_read(METER, &size), *plan;
    OH_NN_ReturnCode code;
    OH_NNCompilation *compilation = compiled(model, size, MODEL, true, &code);
    nnrt_memory memory;
    way how;
    IS(code, OH_NN_SUCCESS);
    plan = off_export(compilation, &plan_size);
    OH_NNCompilation_Destroy(&compilation);
    for (how = MODEL; how < WAYS; how = (way)(how + 1)) {
        const bool is_plan = how >= PLAN_AS_MODEL;
        const uint8_t *bytes = is_plan ? plan : model;
        const size_t length = is_plan ? plan_size : size;
        const size_t in_place = bytes_of_build(bytes, length, how, true, &memory);
        const size_t borrowed = memory.borrowed_bytes;
        const size_t safe = bytes_of_build(bytes, length, how, false, &memory);
        cr_assert_eq(memory.borrowed_bytes, 0u, "%s", way_names[how]);
        cr_assert_eq(borrowed != 0, how != MODEL, "%s", way_names[how]);
        if (how == MODEL) cr_assert_eq(safe, in_place, "packed weights need nothing of the .tflite");
        else
            cr_assert(safe >= in_place + length && safe <= in_place + length + 128, "%s: %zu and %zu", way_names[how],
                      safe, in_place);
        if (is_plan) cr_assert_lt(in_place, plan_size / 2);
    }
    free(plan);
    free(model);
}

Test(lifetimes, running_out_of_memory_for_a_copy_is_said_and_leaves_nothing) {
    size_t size, plan_size;
    uint8_t *model = off_read(METER, &size), *plan;
    OH_NN_ReturnCode code;
    OH_NNCompilation *compilation = compiled(model, size, MODEL, true, &code);
    way how;
    plan = off_export(compilation, &plan_size);
    OH_NNCompilation_Destroy(&compilation);
    for (how = MODEL_LOW; how < WAYS; how = (way)(how + 1)) {
        const bool is_plan = how >= PLAN_AS_MODEL;
        const size_t before = counting_bytes();
        long n;
        bool said = false;
        for (n = 0;; n++) {
            bool failed;
            counting_fail_at(n);
            compilation = is_plan && how == PLAN_AS_CACHE ? OH_NNCompilation_ConstructForCache()
                                                          : OH_NNCompilation_ConstructWithOfflineModelBuffer(
                                                                is_plan ? plan : model, is_plan ? plan_size : size);
            code = OH_NN_MEMORY_ERROR;
            if (compilation != NULL && how == PLAN_AS_CACHE)
                IS(OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, plan_size), OH_NN_SUCCESS);
            if (compilation != NULL)
                IS(OH_NNCompilation_SetPerformanceMode(compilation, how == MODEL_LOW ? OH_NN_PERFORMANCE_LOW
                                                                                     : OH_NN_PERFORMANCE_NONE),
                   OH_NN_SUCCESS);
            if (compilation != NULL) code = OH_NNCompilation_Build(compilation);
            failed = counting_failed();
            counting_fail_never();
            cr_assert_eq((int)code, (int)(failed ? OH_NN_MEMORY_ERROR : OH_NN_SUCCESS), "%s, %ld: %s", way_names[how],
                         n, nnrt_last_error());
            said = said || (failed && strstr(nnrt_last_error(), "nnrt_compilation_use_in_place") != NULL);
            if (compilation != NULL) OH_NNCompilation_Destroy(&compilation);
            cr_assert_eq(counting_bytes(), before, "%s, %ld", way_names[how], n);
            if (!failed) break;
        }
        cr_assert(said, "%s", way_names[how]);
    }
    free(plan);
    free(model);
}
