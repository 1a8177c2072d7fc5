/* SPDX-License-Identifier: Apache-2.0 */
/* Proves on trained models that the whole path computes what the reference computes: integer models byte for
   byte, float models within a stated bound, on every instruction set, with any number of threads, with and
   without passes, with the weights packed or left in place, from a file, from a buffer at an odd address, and
   from a plan.

   The twelve models lie in the directory NNRT_MODELS (default ../shared/models) and are not part of this
   repository; the meter model of examples/ is, and is never skipped. */
#include "linked.h"

#include "offline_runner.h"

#include <math.h>
#include <unistd.h>

typedef struct model {
    const char *name;
    double relative, absolute; /* both 0: the same bytes */
} model;

static const model models[] = {
    {"ad01_int8", 0, 0},
    {"ad01_fp32", 1e-4, 1e-5},
    {"pretrainedResnet_quant", 0, 0},
    {"pretrainedResnet", 1e-4, 1e-5},
    {"kws_ref_model", 0, 0},
    {"kws_ref_model_float32", 0, 2e-3}, /* int8 weights: activations are quantized at run time, and rounding shows */
    {"vww_96_int8", 0, 0},
    {"vww_96_float", 1e-4, 1e-5},
    {"person_detect", 0, 0},
    {"micro_speech_quantized", 0, 0},
    {"hello_world_int8", 0, 0},
    {"hello_world_float", 1e-4, 1e-5},
};

enum {
    MOST_SAMPLES = 8
};

/* A model and its samples in memory. */
typedef struct loaded {
    const model *is;
    char path[512];
    uint8_t *bytes;
    size_t size;
    uint8_t *input[MOST_SAMPLES], *expected[MOST_SAMPLES];
    size_t samples, input_size, expected_size;
} loaded;

static bool load(loaded *it, const model *is, const char *model_path, const char *samples_folder) {
    char path[512];
    size_t i, size;
    memset(it, 0, sizeof *it);
    it->is = is;
    snprintf(it->path, sizeof it->path, "%s", model_path);
    it->bytes = off_read(model_path, &it->size);
    if (it->bytes == NULL) return false;
    for (i = 0; i < MOST_SAMPLES; i++) {
        snprintf(path, sizeof path, "%s/input%zu.bin", samples_folder, i);
        it->input[i] = off_read(path, &size);
        if (it->input[i] == NULL) break;
        cr_assert(i == 0 || size == it->input_size, "%s", path);
        it->input_size = size;
        snprintf(path, sizeof path, "%s/expected%zu.bin", samples_folder, i);
        it->expected[i] = off_read(path, &size);
        cr_assert_not_null(it->expected[i], "%s", path);
        cr_assert(i == 0 || size == it->expected_size, "%s", path);
        it->expected_size = size;
    }
    it->samples = i;
    cr_assert_gt(it->samples, 0u, "%s has no samples", samples_folder);
    return true;
}

static void unload(loaded *it) {
    size_t i;
    free(it->bytes);
    for (i = 0; i < it->samples; i++) {
        free(it->input[i]);
        free(it->expected[i]);
    }
}

/* Loads model i. Where the models are not on this machine, the test is skipped. */
static void load_model(loaded *it, size_t i) {
    char path[300], folder[256];
    snprintf(folder, sizeof folder, "%s/%s", off_models_folder(), models[i].name);
    snprintf(path, sizeof path, "%s/%s.tflite", folder, models[i].name);
    if (load(it, &models[i], path, folder)) return;
    cr_assert_eq(i, 0u, "%s is missing", path);
    cr_skip_test("skipped, no models in %s", off_models_folder());
}

static void load_meter(loaded *it) {
    static const model meter = {"meter", 0, 0};
    cr_assert(load(it, &meter, "examples/meter/meter.tflite", "examples/meter/golden"), "run me where README.md is");
    cr_assert_geq(it->samples, 6u);
}

/* ------------------------------------------------------------------------------------------------ judging */

static void judge(const loaded *it, size_t sample, const uint8_t *got, const char *how) {
    size_t i;
    if (it->is->relative == 0 && it->is->absolute == 0) {
        for (i = 0; i < it->expected_size; i++)
            cr_assert_eq(got[i], it->expected[sample][i], "%s, sample %zu, %s: byte %zu is %d and should be %d",
                         it->is->name, sample, how, i, (int8_t)got[i], (int8_t)it->expected[sample][i]);
        return;
    }
    for (i = 0; i < it->expected_size / sizeof(float); i++) {
        float is, should;
        memcpy(&is, got + i * sizeof is, sizeof is);
        memcpy(&should, it->expected[sample] + i * sizeof should, sizeof should);
        cr_assert_leq(fabs((double)is - (double)should), it->is->relative * fabs((double)should) + it->is->absolute,
                      "%s, sample %zu, %s: element %zu is %.9g and should be %.9g", it->is->name, sample, how, i,
                      (double)is, (double)should);
    }
}

/* Runs samples [0, samples) on a built compilation, judges them, and compares them with the bytes of `same`
   (may be NULL), one after the other; fills `keep` (may be NULL) with them. */
static void run_samples(const loaded *it, OH_NNCompilation *compilation, size_t samples, const char *how,
                        const uint8_t *same, uint8_t *keep) {
    OH_NNExecutor *executor = OH_NNExecutor_Construct(compilation);
    uint8_t *output = (uint8_t *)malloc(it->expected_size);
    size_t i;
    cr_assert_not_null(executor, "%s, %s: %s", it->is->name, how, nnrt_last_error());
    for (i = 0; i < samples; i++) {
        cr_assert_eq((int)off_run(executor, it->input[i], it->input_size, output, it->expected_size),
                     (int)OH_NN_SUCCESS, "%s, %s: %s", it->is->name, how, nnrt_last_error());
        judge(it, i, output, how);
        if (same != NULL)
            cr_assert_eq(memcmp(output, same + i * it->expected_size, it->expected_size), 0,
                         "%s, sample %zu, %s: other bytes than with default settings", it->is->name, i, how);
        if (keep != NULL) memcpy(keep + i * it->expected_size, output, it->expected_size);
    }
    free(output);
    OH_NNExecutor_Destroy(&executor);
}

static void check(const loaded *it, OH_NNCompilation *compilation, const off_settings *settings, size_t samples,
                  const char *how, const uint8_t *same, uint8_t *keep) {
    cr_assert_eq((int)off_build(compilation, settings), (int)OH_NN_SUCCESS, "%s, %s: %s", it->is->name, how,
                 nnrt_last_error());
    run_samples(it, compilation, samples, how, same, keep);
    OH_NNCompilation_Destroy(&compilation);
}

#ifdef NNRT_NO_STDIO
static OH_NNCompilation *from_file(const loaded *it) {
    return OH_NNCompilation_ConstructWithOfflineModelBuffer(it->bytes, it->size);
}

static void check_plan_file(const loaded *it, const off_settings *settings, size_t samples, const uint8_t *same,
                            const uint8_t *plan, size_t size) {
    (void)it;
    (void)settings;
    (void)samples;
    (void)same;
    (void)plan;
    (void)size;
}
#else
static OH_NNCompilation *from_file(const loaded *it) {
    return OH_NNCompilation_ConstructWithOfflineModelFile(it->path);
}

static void check_plan_file(const loaded *it, const off_settings *settings, size_t samples, const uint8_t *same,
                            const uint8_t *plan, size_t size) {
    char path[] = "/tmp/nnrt_test_models_XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, plan, size), (ssize_t)size);
    cr_assert_eq(close(fd), 0);
    check(it, OH_NNCompilation_ConstructWithOfflineModelFile(path), settings, samples, "plan from a file", same, NULL);
    cr_assert_eq(unlink(path), 0);
}
#endif

/* ------------------------------------------------------------------------------------------- the variants */

/* The plan of the model, imported from memory and opened as a file: both give the same bytes. */
static void check_plans(const loaded *it, const off_settings *settings, size_t samples, const uint8_t *same) {
    OH_NNCompilation *compilation = from_file(it);
    size_t size;
    uint8_t *plan;
    cr_assert_eq((int)off_build(compilation, settings), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
    plan = off_export(compilation, &size);
    OH_NNCompilation_Destroy(&compilation);

    compilation = OH_NNCompilation_ConstructForCache();
    cr_assert_eq((int)OH_NNCompilation_ImportCacheFromBuffer(compilation, plan, size), (int)OH_NN_SUCCESS);
    check(it, compilation, settings, samples, "plan from memory", same, NULL);

    check_plan_file(it, settings, samples, same, plan, size);
    free(plan);
}

/* Every variant of settings and sources for one model on one instruction set. */
static void check_variants(const loaded *it, const char *isa, size_t samples) {
    off_settings settings;
    uint8_t *same = (uint8_t *)malloc(samples * it->expected_size);
    const uint8_t *odd, *whole = it->is->relative == 0 && it->is->absolute == 0 ? same : NULL;
    void *block;
    memset(&settings, 0, sizeof settings);
    settings.isa = isa;
    check(it, from_file(it), &settings, samples, "file", NULL, same);
    settings.threads = "2";
    check(it, from_file(it), &settings, samples, "2 threads", same, NULL);
    settings.threads = "3";
    check(it, from_file(it), &settings, samples, "3 threads", same, NULL);
    settings.threads = "1";
    settings.passes = "none";
    check(it, from_file(it), &settings, samples, "no passes", same, NULL);
    settings.passes = NULL;
    odd = off_copy(it->bytes, it->size, 1, &block);
    check(it, OH_NNCompilation_ConstructWithOfflineModelBuffer(odd, it->size), &settings, samples, "odd address", same,
          NULL);
    check_plans(it, &settings, samples, same);
    /* Where a block of rows ends, kernels of floats add up in another order. */
    settings.stripes = "1000";
    check(it, from_file(it), &settings, samples, "stripes", whole, NULL);
    check_plans(it, &settings, samples, whole);
    settings.stripes = NULL;
    /* Kernels for weights in place may add floats up in another order. */
    settings.performance = OH_NN_PERFORMANCE_LOW;
    check(it, from_file(it), &settings, samples, "LOW", NULL, NULL);
    check(it, OH_NNCompilation_ConstructWithOfflineModelBuffer(odd, it->size), &settings, samples, "LOW, odd address",
          NULL, NULL);
    settings.threads = "2";
    check(it, from_file(it), &settings, samples, "LOW, 2 threads", NULL, NULL);
    check_plans(it, &settings, samples, NULL);
    free(block);
    free(same);
}

Test(models, every_sample_of_every_model_is_right_on_every_instruction_set) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), i, k;
    for (i = 0; i < sizeof models / sizeof models[0]; i++) {
        loaded it;
        load_model(&it, i);
        for (k = 0; k < count; k++) {
            off_settings settings;
            memset(&settings, 0, sizeof settings);
            settings.isa = isas[k];
            check(&it, from_file(&it), &settings, it.samples, isas[k], NULL, NULL);
        }
        unload(&it);
    }
}

Test(models, threads_passes_places_and_plans_change_no_byte) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), i, k;
    for (i = 0; i < sizeof models / sizeof models[0]; i++) {
        loaded it;
        load_model(&it, i);
        for (k = 0; k < count; k++) check_variants(&it, isas[k], 1);
        unload(&it);
    }
}

Test(models, the_meter_reads_its_golden_digits_in_every_way) {
    const char *isas[NNRT__TARGET_COUNT];
    size_t count = off_isas(isas), k;
    loaded it;
    load_meter(&it);
    for (k = 0; k < count; k++) check_variants(&it, isas[k], it.samples);
    unload(&it);
}

/* ---------------------------------------------------------------------------------------------- one arena */

enum {
    MOST_SHARING = 2 * (1 + sizeof models / sizeof models[0]) /* the meter and the models, packed and LOW */
};

/* The models that are on this machine, each as two compilations. */
static size_t load_all(loaded its[], OH_NNCompilation *compilations[]) {
    size_t count = 0, i, k;
    for (i = 0; i <= sizeof models / sizeof models[0]; i++) {
        loaded *it = &its[count / 2];
        char path[300], folder[256];
        if (i == 0) load_meter(it);
        else {
            snprintf(folder, sizeof folder, "%s/%s", off_models_folder(), models[i - 1].name);
            snprintf(path, sizeof path, "%s/%s.tflite", folder, models[i - 1].name);
            if (!load(it, &models[i - 1], path, folder)) continue;
        }
        for (k = 0; k < 2; k++) {
            off_settings settings;
            memset(&settings, 0, sizeof settings);
            settings.performance = k != 0 ? OH_NN_PERFORMANCE_LOW : OH_NN_PERFORMANCE_NONE;
            compilations[count] = from_file(it);
            cr_assert_eq((int)off_build(compilations[count], &settings), (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
            count++;
        }
    }
    return count;
}

Test(models, all_models_run_in_turns_in_one_arena_that_is_as_large_as_the_largest_needs) {
    static loaded its[MOST_SHARING / 2];
    OH_NNCompilation *compilations[MOST_SHARING];
    OH_NNExecutor *executors[MOST_SHARING];
    const size_t count = load_all(its, compilations);
    size_t most = 0, bytes, round, i;
    void *arena;
    for (i = 0; i < count; i++) {
        cr_assert_eq((int)nnrt_compilation_get_arena(compilations[i], &bytes), (int)OH_NN_SUCCESS);
        if (bytes > most) most = bytes;
    }
    cr_assert_eq(posix_memalign(&arena, NNRT_ARENA_ALIGNMENT, most), 0);
    memset(arena, 0x5a, most);
    for (i = 0; i < count; i++) {
        executors[i] = NULL;
        cr_assert_eq((int)nnrt_executor_construct_in(compilations[i], arena, most, &executors[i]), (int)OH_NN_SUCCESS,
                     "%s", nnrt_last_error());
        OH_NNCompilation_Destroy(&compilations[i]);
    }
    for (round = 0; round < 2; round++) {
        for (i = 0; i < count; i++) {
            const loaded *it = &its[i / 2];
            uint8_t *output = (uint8_t *)malloc(it->expected_size);
            cr_assert_eq((int)off_run(executors[i], it->input[0], it->input_size, output, it->expected_size),
                         (int)OH_NN_SUCCESS, "%s", nnrt_last_error());
            judge(it, 0, output, i % 2 != 0 ? "LOW, shared arena" : "shared arena");
            free(output);
        }
    }
    for (i = 0; i < count; i++) OH_NNExecutor_Destroy(&executors[i]);
    for (i = 0; i < count / 2; i++) unload(&its[i]);
    free(arena);
}
