/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_device.c - the BPU of simulated Horizon boards as a device: listed, files that are refused before the
   library sees them, models chosen by name, configs, memory in place, exactly the flushes that are needed, and what it
   tells. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpu_board.h"

static const char *const two_kinds[] = {"x3", "s100", NULL};

static const char *load_function(const board *b) {
    (void)b;
    return "hbDNNInitializeFromFiles";
}

/* ------------------------------------------------------------------------------------------------ devices */

static char heard[2048];

static void hear(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    (void)level;
    (void)snprintf(heard + used, sizeof(heard) - used, "%s\n", line);
}

static bool plug_and_hear(board *b, const char *chip, const char *version) {
    if (!bpu_load(b, chip, version)) return false;
    nnrt_set_log(hear, NULL);
    board_find_devices(b, "bpu_horizon_" NNRT_VERSION);
    nnrt_set_log(NULL, NULL);
    return true;
}

/* user: what the log has to say. */
static void newer_lives(board *b, const void *user) {
    const char *part = (const char *)user;
    MUST(b->npu != 0, "%s", heard);
    MUST((strstr(heard, "the last that nnrt was made with") != NULL) == (part[0] != '\0'), "%s", heard);
    MUST(strstr(heard, part) != NULL, "%s", heard);
}

Test(bpu_device, a_library_newer_than_any_that_was_seen_is_used_and_the_log_says_so) {
    static const char *const rows[][3] = {{"x5", "1.26.0", "newer than 1.24"},
                                          {"s600", "3.14.7", "newer than 3.13"},
                                          {"j5", "1.24.5", ""},
                                          {"s600", "3.13.6", ""}};
    unsigned tried = 0;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const int answer = board_in_child(plug_and_hear, rows[i][0], rows[i][1], newer_lives, rows[i][2]);
        if (answer == BOARD_ABSENT) board_absent(tried, rows[i][0], rows[i][1]);
        else cr_assert(answer == BOARD_WORKS, "%s %s: %d", rows[i][0], rows[i][1], answer);
        tried += answer != BOARD_ABSENT;
    }
}

static void listed_lives(board *b, const void *user) {
    static const char *const marches[5][2] = {{"x3", "X3, bernoulli2"},
                                              {"j5", "J5 and RDK Ultra, bayes"},
                                              {"x5", "X5, bayes-e"},
                                              {"s100", "S100, nash-e"},
                                              {"s600", "S600, nash-p"}};
    OH_NN_DeviceType type = OH_NN_OTHERS;
    size_t i;
    (void)user;
    MUST_WORK(OH_NNDevice_GetType(b->npu, &type));
    MUST(type == OH_NN_ACCELERATOR, "type %d", (int)type);
    for (i = 0; strcmp(marches[i][0], b->chip) != 0; i++) continue;
    MUST(strstr(heard, "Horizon BPU: ") != NULL && strstr(heard, marches[i][1]) != NULL, "%s", heard);
}

Test(bpu_device, every_board_is_a_device_and_the_log_says_which) {
    board_on_each(plug_and_hear, board_all, listed_lives, NULL);
}

/* -------------------------------------------------------------------------------------------------- files */

/* Builds models/NAME of the board's folder, whatever its chip; the code is expected, and so is a piece of the sentence.
   loads: whether the library may be asked. */
static void refused_file(const board *b, const char *name, OH_NN_ReturnCode code, const char *piece, bool loads) {
    char path[400];
    OH_NNCompilation *compilation;
    const unsigned before = b->calls(load_function(b));
    (void)snprintf(path, sizeof(path), "%s/models/%s", b->folder, name);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST(compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_BE(code, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), piece) != NULL, "%s: %s", name, nnrt_last_error());
    MUST(loads || b->calls(load_function(b)) == before, "the library was asked about %s", name);
    OH_NNCompilation_Destroy(&compilation);
}

static void march_lives(board *b, const void *user) {
    size_t i;
    (void)user;
    for (i = 0; board_all[i] != NULL; i++) {
        char name[40];
        if (strcmp(board_all[i], b->chip) == 0) continue;
        (void)snprintf(name, sizeof(name), "small.%s.%s", board_all[i], bpu_suffix(board_all[i]));
        refused_file(b, name, OH_NN_INVALID_FILE, "compile it again", false);
    }
}

Test(bpu_device, a_model_for_another_chip_never_reaches_the_library) { board_each(board_all, march_lives, NULL); }

static void damaged_lives(board *b, const void *user) {
    static const char *const names[] = {"broken_short", "broken_magic", "broken_empty"};
    size_t i;
    char name[40];
    (void)user;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)snprintf(name, sizeof(name), "%s.%s.%s", names[i], b->chip, bpu_suffix(b->chip));
        refused_file(b, name, OH_NN_INVALID_FILE, "", false);
    }
    (void)snprintf(name, sizeof(name), "no_such_file");
    refused_file(b, name, OH_NN_INVALID_FILE, "", false);
}

Test(bpu_device, a_damaged_file_never_reaches_the_library) { board_each(board_all, damaged_lives, NULL); }

/* A file that nnrt takes and the library does not. */
static void spoiled_lives(board *b, const void *user) {
    char name[40];
    (void)user;
    (void)snprintf(name, sizeof(name), "broken_body.%s.%s", b->chip, bpu_suffix(b->chip));
    refused_file(b, name, OH_NN_INVALID_FILE,
                 b->chip[0] == 's' ? "hbDNNInitializeFromFiles: the file is damaged" : "is damaged: its checksum",
                 true);
}

Test(bpu_device, what_the_library_refuses_is_told_with_the_likely_cause) { board_each(two_kinds, spoiled_lives, NULL); }

static bool plug_without_driver(board *b, const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_DEVICE", "0", 1);
    return bpu_load(b, chip, version);
}

static void without_driver_lives(board *b, const void *user) {
    (void)b;
    (void)user;
    nnrt_set_log(hear, NULL);
    MUST(board_device("bpu") == 0, "a device without a driver");
    nnrt_set_log(NULL, NULL);
    MUST(strstr(heard, "libdnn.so is there, but no BPU that it can reach: check that the drivers are loaded") != NULL,
         "%s", heard);
}

Test(bpu_device, a_library_without_a_bpu_behind_it_is_not_listed) {
    board_on_each(plug_without_driver, two_kinds, without_driver_lives, NULL);
}

static void unknown_bpu_lives(board *b, const void *user) {
    (void)user;
    b->fault("hbDNNInitializeFromFiles@1=fail:-100001");
    refused_file(b, "small.s100.hbm", OH_NN_UNAVAILABLE_DEVICE, "it finds no BPU that it knows", true);
}

Test(bpu_device, a_library_that_loads_no_model_at_all_knows_no_bpu_of_that_kind) {
    static const char *const chips[] = {"s100", NULL};
    board_each(chips, unknown_bpu_lives, NULL);
}

/* ---------------------------------------------------------------------------------------- several models */

static void pair_lives(board *b, const void *user) {
    static const char *const first[] = {"bpu.model", "first", NULL}, *const second[] = {"bpu.model", "second", NULL};
    char path[400], text[300];
    OH_NNCompilation *compilation;
    rig r;
    (void)user;
    (void)snprintf(path, sizeof(path), "pair.%s.%s", b->chip, bpu_suffix(b->chip));
    refused_file(b, path, OH_NN_FAILED, "the file has 2 models, choose one with bpu.model: ", true);
    MUST(strstr(nnrt_last_error(), "first") != NULL && strstr(nnrt_last_error(), "second") != NULL, "%s",
         nnrt_last_error());
    rig_open(&r, b, "pair", first);
    MUST_WORK(nnrt_executor_get_info(r.executor, "bpu.model_name", text, sizeof(text)));
    MUST(strcmp(text, "first") == 0, "%s", text);
    MUST_WORK(nnrt_executor_get_info(r.executor, "bpu.models", text, sizeof(text)));
    MUST(strstr(text, "first") != NULL && strstr(text, "second") != NULL, "%s", text);
    rig_end(&r);
    rig_open(&r, b, "pair", second);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    rig_end(&r);
    (void)snprintf(path, sizeof(path), "%s/models/pair.%s.%s", b->folder, b->chip, bpu_suffix(b->chip));
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_WORK(OH_NNCompilation_AddExtensionConfig(compilation, "bpu.model", "third", 5));
    MUST_BE(OH_NN_FAILED, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), "\"third\" is not in the file, which has ") != NULL, "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(bpu_device, a_model_of_several_is_chosen_by_its_name_and_a_choice_is_needed) {
    board_each(board_all, pair_lives, NULL);
}

/* A buffer instead of a file gives the same. */
static void buffer_lives(board *b, const void *user) {
    uint8_t from_file[64], *bytes = (uint8_t *)malloc(1 << 20);
    char path[400];
    FILE *file;
    size_t size, out;
    rig r;
    (void)user;
    rig_open(&r, b, "small", NULL);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 4);
    MUST_WORK(rig_run(&r));
    memcpy(from_file, bytes_of(r.outputs[0], &out), 40);
    rig_end(&r);
    (void)snprintf(path, sizeof(path), "%s/models/small.%s.%s", b->folder, b->chip, bpu_suffix(b->chip));
    file = fopen(path, "rb");
    MUST(bytes != NULL && file != NULL, "%s", path);
    size = fread(bytes, 1, 1 << 20, file);
    (void)fclose(file);
    memset(&r, 0, sizeof(r));
    r.b = b;
    r.compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    MUST_WORK(OH_NNCompilation_SetDevice(r.compilation, b->npu));
    MUST_WORK(OH_NNCompilation_Build(r.compilation));
    rig_execute(&r);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 4);
    MUST_WORK(rig_run(&r));
    MUST(memcmp(from_file, bytes_of(r.outputs[0], &out), 40) == 0, "another result");
    rig_end(&r);
    free(bytes);
}

Test(bpu_device, a_model_in_a_buffer_is_the_same_as_in_a_file) { board_each(board_all, buffer_lives, NULL); }

/* ------------------------------------------------------------------------------------------------ configs */

static void refused_config(const board *b, const char *name, const char *value, OH_NN_ReturnCode code,
                           const char *piece) {
    char path[400];
    OH_NNCompilation *compilation;
    OH_NN_ReturnCode answer;
    (void)snprintf(path, sizeof(path), "%s/models/camera.%s.%s", b->folder, b->chip, bpu_suffix(b->chip));
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    answer = OH_NNCompilation_AddExtensionConfig(compilation, name, value, strlen(value));
    if (answer == OH_NN_SUCCESS) answer = OH_NNCompilation_Build(compilation);
    MUST(answer == code, "%s %s: %s, %s", name, value, nnrt_strerror(answer), nnrt_last_error());
    MUST(strstr(nnrt_last_error(), piece) != NULL, "%s %s: %s", name, value, nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

static void config_lives(board *b, const void *user) {
    const bool ucp = b->chip[0] == 's';
    (void)user;
    refused_config(b, "bpu.batch", "0", OH_NN_INVALID_PARAMETER, "1 to 255");
    refused_config(b, "bpu.batch", "256", OH_NN_INVALID_PARAMETER, "0 to 255");
    refused_config(b, "bpu.priority", "256", OH_NN_INVALID_PARAMETER, "0 to 255");
    refused_config(b, "bpu.priority", "-1", OH_NN_INVALID_PARAMETER, "no number");
    refused_config(b, "bpu.custom_id", "walk", OH_NN_INVALID_PARAMETER, "neither \"run\" nor a number");
    refused_config(b, "bpu.cores", "5", OH_NN_INVALID_PARAMETER, "none of any|0|1");
    refused_config(b, "bpu.modell", "x", OH_NN_INVALID_PARAMETER, "bpu.model");
    refused_config(b, "bpu.pitch", "16", OH_NN_FAILED, "needs 20 or more, a multiple of");
    refused_config(b, "bpu.pitch", "40", OH_NN_FAILED, "needs 20 or more, a multiple of");
    if (!ucp) refused_config(b, "bpu.cores", "2", OH_NN_FAILED, "take any, 0 or 1");
}

Test(bpu_device, configs_that_are_impossible_are_refused_with_what_is_possible) {
    board_each(board_all, config_lives, NULL);
}

static void old_lives(board *b, const void *user) {
    (void)user;
    refused_config(b, "bpu.custom_id", "1", OH_NN_FAILED, "from version 1.14 on");
}

Test(bpu_device, a_number_of_the_program_needs_a_library_that_has_it) {
    cr_assert_eq(board_try("x3", "1.9.7", old_lives, NULL) & ~BOARD_ABSENT, 0);
}

/* ------------------------------------------------------------------------------------- memory and its caches */

/* Of tensors that are used in place, inputs and outputs are cleaned before and outputs invalidated after a task; own
   memory of outputs, which nobody writes to by the CPU, is cleaned once; uncached memory never. */
static void flushes_live(board *b, const void *user) {
    static const char *const uncached[] = {"bpu.memory", "uncached", NULL};
    unsigned i;
    rig r;
    (void)user;
    rig_open(&r, b, "calls", NULL);
    rig_tensors(&r, b->npu);
    for (i = 0; i < 3; i++) {
        unsigned out[2], in[2];
        rig_fill(&r, i);
        b->get_syncs(&out[0], &in[0]);
        MUST_WORK(rig_run(&r));
        b->get_syncs(&out[1], &in[1]);
        MUST(out[1] - out[0] == 2 && in[1] - in[0] == 1, "%u and %u flushes", out[1] - out[0], in[1] - in[0]);
        MUST(rig_number(&r, "bpu.cleans") == 2 && rig_number(&r, "bpu.invalidates") == 1, "facts");
        MUST(rig_number(&r, "bpu.copied_bytes") == 0, "tensors of the BPU were copied");
    }
    rig_end(&r);
    rig_open(&r, b, "calls", NULL);
    rig_tensors(&r, b->cpu);
    for (i = 0; i < 3; i++) {
        unsigned out[2], in[2];
        rig_fill(&r, i);
        b->get_syncs(&out[0], &in[0]);
        MUST_WORK(rig_run(&r));
        b->get_syncs(&out[1], &in[1]);
        MUST(out[1] - out[0] == (i == 0 ? 2u : 1u) && in[1] - in[0] == 1, "%u and %u flushes of copies in run %u",
             out[1] - out[0], in[1] - in[0], i);
        MUST(rig_number(&r, "bpu.copied_bytes") == 2 * 32, "%u bytes", (unsigned)rig_number(&r, "bpu.copied_bytes"));
    }
    rig_end(&r);
    rig_open(&r, b, "calls", uncached);
    rig_tensors(&r, b->cpu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    MUST(rig_number(&r, "bpu.cleans") == 0 && rig_number(&r, "bpu.invalidates") == 0,
         "memory without cache was flushed");
    rig_end(&r);
}

Test(bpu_device, caches_are_flushed_exactly_where_somebody_wrote) { board_each(board_all, flushes_live, NULL); }

static void still_lives(board *b, const void *user) {
    size_t live;
    unsigned i;
    rig r;
    (void)user;
    rig_open(&r, b, "padded", NULL);
    rig_tensors(&r, b->cpu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    live = (size_t)counting_live();
    b->fault("");
    for (i = 0; i < 5; i++) MUST_WORK(rig_run(&r));
    MUST((size_t)counting_live() == live, "runs take memory");
    MUST(b->calls("hbSysAllocCachedMem") + b->calls("hbUCPMallocCached") == 0, "runs take memory of the BPU");
    rig_end(&r);
}

Test(bpu_device, runs_after_the_first_take_no_memory) { board_each(two_kinds, still_lives, NULL); }

static void figures_live(board *b, const void *user) {
    nnrt_memory memory;
    const size_t before = counting_bytes();
    size_t after;
    rig r;
    (void)user;
    rig_open(&r, b, "padded", NULL);
    MUST_WORK(nnrt_executor_get_memory(r.executor, &memory));
    after = counting_bytes();
    MUST(memory.heap_bytes == after - before, "%zu bytes of the heap, not %zu", memory.heap_bytes, after - before);
    MUST(memory.device_bytes == rig_number(&r, "bpu.own_bytes"), "%zu bytes", memory.device_bytes);
    rig_end(&r);
}

Test(bpu_device, figures_of_memory_are_exact) { board_each(board_all, figures_live, NULL); }

static bool plug_with_little(board *b, const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_MEMORY", "262144", 1);
    return board_plug(b, chip, version);
}

static void exhausted_lives(board *b, const void *user) {
    NN_TensorDesc *desc;
    NN_Tensor *tensor;
    rig r;
    (void)user;
    rig_open(&r, b, "small", NULL);
    desc = rig_desc(&r, false, 0);
    tensor = OH_NNTensor_CreateWithSize(b->npu, desc, 1 << 20);
    MUST(tensor == NULL && strstr(nnrt_last_error(), "of 1048576 bytes: there is no BPU memory left") != NULL, "%s",
         nnrt_last_error());
    MUST_WORK(OH_NNTensorDesc_Destroy(&desc));
    rig_end(&r);
}

Test(bpu_device, memory_that_is_exhausted_is_told_with_the_likely_causes) {
    board_on_each(plug_with_little, two_kinds, exhausted_lives, NULL);
}

/* -------------------------------------------------------------------------------------------------- facts */

static void facts_live(board *b, const void *user) {
    const nnrt_fact *facts = NULL, *fact;
    rig r;
    (void)user;
    rig_open(&r, b, "rotated", NULL);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    MUST_WORK(nnrt_device_get_facts(b->npu, &facts));
    for (fact = facts; fact->name != NULL; fact++) {
        char text[600], name[64];
        size_t i, count = 1;
        if (fact->kind == NNRT_FACT_INPUT) count = r.input_count;
        if (fact->kind == NNRT_FACT_OUTPUT) count = r.output_count;
        for (i = 0; i < count; i++) {
            const bool numbered = fact->kind == NNRT_FACT_INPUT || fact->kind == NNRT_FACT_OUTPUT;
            if (numbered) (void)snprintf(name, sizeof(name), "%s%zu", fact->name, i);
            else (void)snprintf(name, sizeof(name), "%s", fact->name);
            MUST_WORK(nnrt_executor_get_info(r.executor, name, text, sizeof(text)));
            MUST(text[0] != '\0', "%s is empty", name);
            if (fact->kind == NNRT_FACT_OUTPUT)
                MUST((strstr(text, "strides of the library put right") != NULL) == (strcmp(b->chip, "x5") == 0), "%s",
                     text);
            MUST_BE(OH_NN_INVALID_PARAMETER, nnrt_executor_get_info(r.executor, name, text, strlen(text)));
        }
    }
    rig_end(&r);
}

Test(bpu_device, every_fact_that_is_listed_is_told) { board_each(board_all, facts_live, NULL); }

static void profile_lives(board *b, const void *user) {
    static const char *const configs[] = {"nnrt.profile", "1", NULL};
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    rig r;
    (void)user;
    rig_open(&r, b, "small", configs);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    MUST_WORK(rig_run(&r));
    MUST_WORK(nnrt_executor_get_profile(r.executor, &steps, &count));
    MUST(count == 3 && steps[1].runs == 2 && steps[1].last_ns != 0 && strcmp(steps[1].kernel, "npu") == 0, "%u steps",
         (unsigned)count);
    rig_end(&r);
}

Test(bpu_device, a_profile_has_the_times_of_inputs_task_and_outputs) { board_each(two_kinds, profile_lives, NULL); }
