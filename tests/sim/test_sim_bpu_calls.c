/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_bpu_calls.c - what the simulated Horizon libraries answer, call by call: files, handles, memory, tensors,
   tasks, callbacks, ROIs. tests/sim/bpu/README.md says of each how it is known. */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/bpu/vendor_program.h"

#define X3 "x3", ""
#define J5 "j5", "1.24.5"
#define X5 "x5", ""
#define S100 "s100", "3.13.6"
#define S600 "s600", "3.13.6"

/* By generation: the code of 1.x, and that of UCP. */
#define CODE(p, one, other) ((p)->layout->ucp ? VENDOR_UCP_##other : VENDOR_##one)

static void begin(program *p, const char *chip, const char *release, const char *model) {
    program_open(p, chip, release);
    if (model) program_load(p, model, NULL);
}

static void clean_inputs(program *p) {
    int32_t i;
    for (i = 0; i < p->input_count; i++) PROGRAM_WORKS(program_flush(p, program_memory(p, false, i), VENDOR_CLEAN));
}

static void see_outputs(program *p) {
    int32_t i;
    for (i = 0; i < p->output_count; i++)
        PROGRAM_WORKS(program_flush(p, program_memory(p, true, i), VENDOR_INVALIDATE));
}

static void fault(program *p, const char *specification) {
    ((void (*)(const char *))program_need(p, "nnrt_sim_fault"))(specification);
}

static void nap(long microseconds) {
    const struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&pause, NULL);
}

/* ----------------------------------------------------------------------------------------------------------- files */

static void file_is(program *p, const char *name, int32_t code) {
    vendor_handle before = (vendor_handle)(uintptr_t)0x1234;
    p->packed = before;
    cr_expect_eq(program_initialize(p, name), code, "%s of %s %s: not %d", name, p->chip, p->release, (int)code);
    if (code) cr_expect_eq(p->packed, before, "%s: the handle has changed", name);
    if (p->packed != before) PROGRAM_WORKS(PROGRAM_CALL(p, "hbDNNRelease", (vendor_handle), (p->packed)));
    p->packed = NULL;
}

static void files_on(const char *chip, const char *release, int32_t other_march) {
    program p;
    char path[400];
    const char *files[1];
    begin(&p, chip, release, NULL);
    file_is(&p, "small", 0);
    file_is(&p, "no_such_file", CODE(&p, CANNOT_OPEN, CANNOT_OPEN));
    file_is(&p, "broken_short", CODE(&p, INVALID_MODEL, INVALID_MODEL));
    file_is(&p, "broken_body", CODE(&p, INVALID_MODEL, INVALID_MODEL));
    file_is(&p, "broken_magic", CODE(&p, INVALID_MODEL, INVALID_MODEL));
    file_is(&p, "broken_empty", CODE(&p, INVALID_MODEL, INVALID_MODEL));
    file_is(&p, "other_march", other_march);
    if (!p.layout->ucp) {
        file_is(&p, "version4", VENDOR_INCOMPATIBLE);
        file_is(&p, "too_old", VENDOR_INCOMPATIBLE);
        file_is(&p, "oldest", 0);
        file_is(&p, "newer", 0);
    }
    snprintf(path, sizeof(path), "%s/models", program_folder());
    files[0] = path;
    cr_expect_eq(
        PROGRAM_CALL(&p, "hbDNNInitializeFromFiles", (vendor_handle *, const char **, int32_t), (&p.packed, files, 1)),
        CODE(&p, CANNOT_OPEN, INVALID_ARGUMENT), "a folder");
    program_close(&p);
}

/* A process that has loaded an image of J5 takes no other one. */
Test(sim_bpu_calls, files_are_refused_for_their_reasons_on_x3) { files_on(X3, VENDOR_INCOMPATIBLE); }
Test(sim_bpu_calls, files_are_refused_for_their_reasons_on_j5) { files_on(J5, VENDOR_INCOMPATIBLE); }
Test(sim_bpu_calls, files_are_refused_for_their_reasons_on_s100) { files_on(S100, VENDOR_UCP_INCOMPATIBLE); }

Test(sim_bpu_calls, a_model_of_another_march_loads_on_x5_and_fails_in_the_run) {
    program p;
    begin(&p, X5, "other_march");
    clean_inputs(&p);
    program_start(&p, 0, 0);
    cr_expect_eq(program_wait(&p, p.task, 0), VENDOR_RUN_FAILED);
    PROGRAM_WORKS(program_release(&p, p.task));
    program_close(&p);
}

Test(sim_bpu_calls, an_image_without_the_bin_around_it_is_a_model_too) {
    program p;
    char path[400];
    const char *files[1];
    begin(&p, X5, NULL);
    snprintf(path, sizeof(path), "%s/models/image.x5.hbm", program_folder());
    files[0] = path;
    PROGRAM_WORKS(
        PROGRAM_CALL(&p, "hbDNNInitializeFromFiles", (vendor_handle *, const char **, int32_t), (&p.packed, files, 1)));
    program_choose(&p, "small");
    program_tensors(&p);
    program_run(&p);
    program_close(&p);
}

static void pair_on(const char *chip, const char *release, const char *const *names, int32_t count, int32_t answer) {
    program p;
    char path[2][400];
    const char *files[2] = {path[0], path[1]};
    const char **told = NULL;
    int32_t found = 0, i;
    begin(&p, chip, release, NULL);
    program_path(&p, "pair", path[0], sizeof(path[0]));
    program_path(&p, "pair_more", path[1], sizeof(path[1]));
    cr_expect_eq(
        PROGRAM_CALL(&p, "hbDNNInitializeFromFiles", (vendor_handle *, const char **, int32_t), (&p.packed, files, 2)),
        answer);
    if (answer == 0) {
        PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNGetModelNameList", (const char ***, int32_t *, vendor_handle),
                                   (&told, &found, p.packed)));
        cr_assert_eq(found, count);
        for (i = 0; i < count; i++) cr_expect_str_eq(told[i], names[i]);
        PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (p.packed)));
    }
    p.packed = NULL;
    PROGRAM_WORKS(program_initialize(&p, "pair"));
    program_choose(&p, "second");
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNGetModelHandle", (vendor_handle *, vendor_handle, const char *),
                              (&p.model, p.packed, "third")),
                 CODE(&p, INVALID_ARGUMENT, INVALID_ARGUMENT));
    p.input_count = p.output_count = 0;
    program_close(&p);
}

static const char *const three[] = {"third", "second", "first"};

Test(sim_bpu_calls, a_second_model_of_a_name_is_an_error_of_libdnn) { pair_on(X5, NULL, 0, VENDOR_INVALID_MODEL); }
Test(sim_bpu_calls, a_second_model_of_a_name_is_dropped_by_ucp) { pair_on(S100, three, 3, 0); }

Test(sim_bpu_calls, bytes_may_go_once_they_are_loaded) {
    program p;
    char path[400];
    FILE *file;
    void *bytes = malloc(1 << 20);
    const void *data[1] = {bytes};
    int32_t length;
    begin(&p, S600, NULL);
    program_path(&p, "small", path, sizeof(path));
    file = fopen(path, "rb");
    cr_assert(file && bytes);
    length = (int32_t)fread(bytes, 1, 1 << 20, file);
    fclose(file);
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNInitializeFromDDR", (vendor_handle *, const void **, int32_t *, int32_t),
                               (&p.packed, data, &length, 1)));
    memset(bytes, 0xee, (size_t)length);
    free(bytes);
    program_choose(&p, NULL);
    program_tensors(&p);
    program_run(&p);
    program_close(&p);
}

/* ---------------------------------------------------------------------------------------------------- what there is */

static void lacks(const char *chip, const char *release, const char *version, const char *const *names) {
    program p;
    const char *(*told)(void);
    void *address;
    begin(&p, chip, release, NULL);
    address = program_find(&p, "hbDNNGetVersion");
    memcpy(&told, &address, sizeof(told));
    cr_expect_eq(strncmp(told(), version, strlen(version)), 0, "%s", told());
    for (; *names; names++) {
        const bool there = program_find(&p, *names + 1) != NULL;
        cr_expect_eq(there, (*names)[0] == '+', "%s %s: %s", chip, version, *names);
    }
}

Test(sim_bpu_calls, a_release_has_the_functions_of_its_headers) {
    static const char *const old[] = {"-hbDNNSetTaskDoneCb", "+hbDNNResize", "-hbDNNGetErrorDesc", "-hbDNNInferV2",
                                      NULL};
    static const char *const middle[] = {"+hbDNNSetTaskDoneCb", "+hbDNNResize", "-hbDNNGetErrorDesc", NULL};
    static const char *const late[] = {"+hbDNNSetTaskDoneCb", "-hbDNNResize", "+hbDNNGetErrorDesc", NULL};
    lacks("x3", "1.6.1", "1.6.1_(3.13.22 HBRT)", old);
    lacks("x3", "1.9.7", "1.9.7_(", old);
    lacks("x3", "1.14.1", "1.14.1_(", old);
    lacks("x3", "1.18.4", "1.18.4_(", middle);
    lacks("x3", "1.18.6", "1.18.6_(", middle);
    lacks("x3", "", "1.23.10_(3.15.54 HBRT)", late);
    lacks("x3", "1.24.5", "1.24.5_(", late);
}

Test(sim_bpu_calls, a_release_of_ucp_has_the_functions_of_its_headers) {
    static const char *const old[] = {"+hbDNNInferV2",
                                      "+hbUCPSubmitTask",
                                      "-hbDNNGetCompileBpuCoreNum",
                                      "-hbDNNRoiInferV2",
                                      "-hbDNNInfer",
                                      "-hbSysAllocMem",
                                      NULL};
    static const char *const late[] = {"+hbDNNInferV2",    "+hbUCPSubmitTask", "+hbDNNGetCompileBpuCoreNum",
                                       "-hbDNNRoiInferV2", "-hbUCPFlushLog",   NULL};
    lacks("s100", "3.6.1", "3.6.1_(4.2.7 HBRT)", old);
    lacks("s100", "3.12.3", "3.12.3_(", late);
    lacks("s100", "3.13.6", "3.13.6_(4.7.5 HBRT)", late);
}

Test(sim_bpu_calls, a_library_finds_no_device_on_another_ones_chip) {
    program p;
    uint64_t memory[3] = {0, 0, 0};
    begin(&p, "s100", "", NULL);
    p.chip = "x5";
    cr_expect_eq(program_initialize(&p, "small"), VENDOR_INVALID_ARGUMENT);
    cr_expect_eq(program_allocate(&p, memory, 100, true), VENDOR_SYS_MEMORY);
    program_close(&p);
}

static const char *text_of(const program *p, const char *name) {
    return ((const char *(*)(void))program_need(p, name))();
}

static void soc_is(const char *chip, const char *soc) {
    program p;
    begin(&p, chip, "3.13.6", NULL);
    cr_expect_str_eq(text_of(&p, "hbUCPGetSocName"), soc);
    cr_expect_str_eq(text_of(&p, "hbUCPGetVersion"), "3.13.6");
    program_close(&p);
}

Test(sim_bpu_calls, ucp_tells_the_name_of_s100) { soc_is("s100", "D-Robotics RDK S100 V0P5"); }
Test(sim_bpu_calls, ucp_tells_the_name_of_s600) { soc_is("s600", "D-Robotics RDK S600 MCB V0p2"); }
Test(sim_bpu_calls, ucp_tells_an_empty_name_without_a_device) {
    setenv("NNRT_SIM_DEVICE", "0", 1);
    soc_is("s600", "");
}

/* Faults are found before arguments are looked at. */
static void faults_on(const char *chip, const char *release, const char *const *names) {
    program p;
    begin(&p, chip, release, NULL);
    for (; *names; names++) {
        char text[80];
        snprintf(text, sizeof(text), "%s@2=fail:-77", *names);
        fault(&p, text);
#define CALL                                                                           \
    PROGRAM_CALL(&p, *names, (void *, void *, void *, void *, void *, void *, void *), \
                 (NULL, NULL, NULL, NULL, NULL, NULL, NULL))
        cr_expect_neq(CALL, -77, "%s fails too early", *names);
        cr_expect_eq(CALL, -77, "%s does not fail", *names);
        cr_expect_eq(((unsigned (*)(const char *))program_need(&p, "nnrt_sim_calls"))(*names), 2, "%s", *names);
    }
    fault(&p, NULL);
    program_close(&p);
}

Test(sim_bpu_calls, every_function_fails_when_it_is_told_to) {
    static const char *const late[] = {"hbSysAllocMem",
                                       "hbSysAllocCachedMem",
                                       "hbSysFlushMem",
                                       "hbSysFreeMem",
                                       "hbSysWriteMem",
                                       "hbSysReadMem",
                                       "hbSysRegisterMem",
                                       "hbSysUnregisterMem",
                                       "hbDNNInitializeFromFiles",
                                       "hbDNNInitializeFromDDR",
                                       "hbDNNRelease",
                                       "hbDNNGetModelNameList",
                                       "hbDNNGetModelHandle",
                                       "hbDNNGetInputCount",
                                       "hbDNNGetOutputCount",
                                       "hbDNNGetInputName",
                                       "hbDNNGetOutputName",
                                       "hbDNNGetInputTensorProperties",
                                       "hbDNNGetOutputTensorProperties",
                                       "hbDNNGetInputSource",
                                       "hbDNNGetModelTag",
                                       "hbDNNGetEstimateLatency",
                                       "hbDNNGetInputDesc",
                                       "hbDNNGetOutputDesc",
                                       "hbDNNGetModelDesc",
                                       "hbDNNInfer",
                                       "hbDNNRoiInfer",
                                       "hbDNNWaitTaskDone",
                                       "hbDNNReleaseTask",
                                       "hbDNNGetTaskEstimateTime",
                                       "hbDNNSetTaskDoneCb",
                                       NULL};
    static const char *const old[] = {"hbDNNResize", NULL};
    faults_on(X5, late);
    faults_on("x5", "1.9.7", old);
}

Test(sim_bpu_calls, every_function_of_ucp_fails_when_it_is_told_to) {
    static const char *const names[] = {"hbUCPMalloc",
                                        "hbUCPMallocCached",
                                        "hbUCPMemFlush",
                                        "hbUCPFree",
                                        "hbUCPSubmitTask",
                                        "hbUCPWaitTaskDone",
                                        "hbUCPSetTaskDoneCb",
                                        "hbUCPReleaseTask",
                                        "hbDNNInitializeFromFiles",
                                        "hbDNNInitializeFromDDR",
                                        "hbDNNRelease",
                                        "hbDNNGetModelNameList",
                                        "hbDNNGetModelHandle",
                                        "hbDNNGetInputCount",
                                        "hbDNNGetOutputCount",
                                        "hbDNNGetInputName",
                                        "hbDNNGetOutputName",
                                        "hbDNNGetInputTensorProperties",
                                        "hbDNNGetOutputTensorProperties",
                                        "hbDNNGetInputDesc",
                                        "hbDNNGetOutputDesc",
                                        "hbDNNGetModelDesc",
                                        "hbDNNGetHBMDesc",
                                        "hbDNNGetCompileBpuCoreNum",
                                        "hbDNNInferV2",
                                        "hbDNNGetTaskOutputTensorProperties",
                                        NULL};
    faults_on(S100, names);
}

/* Lines on stdout of a child that loads the library and a model. */
static unsigned lines_of(const char *chatter) {
    int end[2], status;
    unsigned lines = 0;
    char byte;
    pid_t child;
    cr_assert_eq(pipe(end), 0);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        program p;
        dup2(end[1], 1);
        setenv("NNRT_SIM_CHATTER", chatter, 1);
        begin(&p, S100, "small");
        fflush(stdout);
        _exit(0);
    }
    close(end[1]);
    while (read(end[0], &byte, 1) == 1) lines += byte == '\n';
    close(end[0]);
    waitpid(child, &status, 0);
    return lines;
}

Test(sim_bpu_calls, ucp_prints_what_nobody_asked_for) {
    program_present("3.13.6");
    cr_expect_eq(lines_of("0"), 0);
    cr_expect_eq(lines_of("1"), 7);
}

/* -------------------------------------------------------------------------------------------------------- handles */

static void handles_on(const char *chip, const char *release) {
    program p;
    int32_t count = -7;
    vendor_handle packed, model, strange = (vendor_handle)(uintptr_t)0x77770000;
    begin(&p, chip, release, "small");
    packed = p.packed;
    model = p.model;
#define COUNT(out, handle) PROGRAM_CALL(&p, "hbDNNGetInputCount", (int32_t *, vendor_handle), (out, handle))
    cr_expect_eq(COUNT(&count, NULL), CODE(&p, MODEL_HANDLE, INVALID_ARGUMENT));
    cr_expect_eq(COUNT(&count, strange), CODE(&p, MODEL_HANDLE, INVALID_ARGUMENT));
    cr_expect_eq(COUNT(&count, packed), CODE(&p, MODEL_HANDLE, INVALID_ARGUMENT));
    cr_expect_eq(count, -7);
    cr_expect_eq(COUNT(NULL, p.model), CODE(&p, INVALID_ARGUMENT, INVALID_ARGUMENT));
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (NULL)), CODE(&p, PACKED_HANDLE, INVALID_ARGUMENT));
    cr_expect_eq(program_wait(&p, strange, 1), CODE(&p, TASK_HANDLE, TASK_HANDLE));
    cr_expect_eq(program_wait(&p, NULL, 1), CODE(&p, TASK_HANDLE, TASK_HANDLE));
    cr_expect_eq(program_release(&p, NULL), CODE(&p, TASK_HANDLE, TASK_HANDLE));
    clean_inputs(&p);
    program_start(&p, 0, 0);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (packed)), CODE(&p, MODEL_RUNNING, MODEL_IN_USE));
    PROGRAM_WORKS(program_release(&p, p.task));
    cr_expect_eq(program_release(&p, p.task), CODE(&p, TASK_HANDLE, TASK_HANDLE));
    program_close(&p);
    cr_expect_eq(COUNT(&count, model), CODE(&p, MODEL_HANDLE, INVALID_ARGUMENT));
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (packed)),
                 CODE(&p, PACKED_HANDLE, INVALID_ARGUMENT));
}

Test(sim_bpu_calls, handles_that_are_none_have_their_codes) { handles_on(X5); }
Test(sim_bpu_calls, handles_that_are_none_have_their_codes_in_ucp) { handles_on(S100); }

/* ---------------------------------------------------------------------------------------------------------- memory */

static void memory_on(const char *chip, const char *release) {
    program p;
    union {
        uint64_t words[3];
        vendor_memory one;
    } memory, again, inner;
    begin(&p, chip, release, NULL);
    memset(&memory, 0x5a, sizeof(memory));
    again = memory;
    cr_expect_eq(program_allocate(&p, memory.words, 0, true), CODE(&p, SYS_INVALID, INVALID_ARGUMENT));
    cr_expect_eq(program_allocate(&p, NULL, 10, true), CODE(&p, SYS_INVALID, INVALID_ARGUMENT));
    cr_expect_eq(memcmp(&memory, &again, sizeof(memory)), 0);
    cr_expect_eq(program_allocate(&p, memory.words, 0x70000000, true), CODE(&p, SYS_MEMORY, ALLOC));
    cr_expect_eq(memory.words[0], p.layout->ucp ? again.words[0] : 0, "what is left of the structure");
    PROGRAM_WORKS(program_allocate(&p, memory.words, 1000, true));
    cr_expect_eq(memory.one.memSize, 1000);
    cr_expect_eq((uintptr_t)memory.one.virAddr % 4096 + memory.one.phyAddr % 4096, 0);
    cr_expect_eq(program_flush(&p, memory.words, 3), CODE(&p, SYS_INVALID, INVALID_ARGUMENT));
    cr_expect_eq(program_flush(&p, memory.words, 0), CODE(&p, SYS_INVALID, INVALID_ARGUMENT));
    cr_expect_eq(program_flush(&p, NULL, 1), CODE(&p, SYS_INVALID, INVALID_ARGUMENT));
    inner = memory;
    inner.one.phyAddr += 64;
    inner.one.virAddr = (uint8_t *)inner.one.virAddr + 64;
    inner.one.memSize = 0;
    PROGRAM_WORKS(program_flush(&p, inner.words, VENDOR_CLEAN));
    cr_expect_eq(program_mistakes(&p), 0);
    cr_expect_eq(program_free(&p, inner.words), CODE(&p, SYS_INVALID, FREE));
    again = memory;
    PROGRAM_WORKS(program_free(&p, memory.words));
    cr_expect_eq(memory.words[0] | memory.words[1] | memory.words[2], 0);
    cr_expect_eq(program_free(&p, memory.words), CODE(&p, SYS_INVALID, FREE));
    cr_expect_eq(program_free(&p, again.words), CODE(&p, SYS_INVALID, FREE));
    cr_expect_eq(program_flush(&p, again.words, VENDOR_CLEAN), CODE(&p, SYS_INVALID, FLUSH));
    cr_expect_eq(program_flush(&p, again.words, VENDOR_INVALIDATE), CODE(&p, SYS_INVALID, INVALIDATE));
}

Test(sim_bpu_calls, memory_is_refused_for_its_reasons) { memory_on(X3); }
Test(sim_bpu_calls, memory_is_refused_for_its_reasons_in_ucp) { memory_on(S600); }

Test(sim_bpu_calls, memory_of_a_camera_is_read_by_its_physical_address) {
    program p;
    uint64_t physical = 0;
    void *address = NULL;
    uint8_t picture[32 * 12 * 3 / 2];
    vendor_memory *memory, own;
    begin(&p, X5, "camera");
    memory = program_memory(&p, false, 0);
    own = *memory;
    cr_assert_eq(((int (*)(size_t, int, uint64_t *, void **))program_need(&p, "nnrt_sim_camera_alloc"))(
                     sizeof(picture), 1, &physical, &address),
                 0);
    memset(picture, 100, sizeof(picture));
    memset(own.virAddr, 100, sizeof(picture));
    program_run(&p);
    memcpy(picture, program_bytes(&p, true, 0), 60);
    memset(own.virAddr, 7, sizeof(picture));
    clean_inputs(&p);
    memory->phyAddr = physical;
    memory->virAddr = address;
    {
        uint8_t light[sizeof(picture)];
        memset(light, 100, sizeof(light));
        cr_assert_eq(((int (*)(uint64_t, const void *, size_t))program_need(&p, "nnrt_sim_memory_write"))(
                         physical, light, sizeof(light)),
                     0);
    }
    program_start(&p, 0, 0);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, p.task));
    cr_expect_eq(memcmp(picture, program_bytes(&p, true, 0), 5), 0, "the camera's picture is another one");
    *memory = own;
    ((void (*)(uint64_t))program_need(&p, "nnrt_sim_camera_free"))(physical);
    program_close(&p);
}

/* --------------------------------------------------------------------------------------------------------- tensors */

/* One field of the first input is changed, and the run refused. */
static void refused(program *p, void *field, size_t size, int64_t value) {
    uint8_t before[8];
    vendor_handle task = NULL;
    memcpy(before, field, size);
    memcpy(field, &value, size);
    cr_expect_eq(program_infer(p, &task, 0, 0, 0), CODE(p, INVALID_ARGUMENT, INVALID_ARGUMENT), "%s %s: %lld is taken",
                 p->chip, p->release, (long long)value);
    cr_expect_null(task);
    memcpy(field, before, size);
}

Test(sim_bpu_calls, tensors_that_do_not_fit_the_model_are_refused) {
    program p;
    vendor_tensor_1184 *input;
    begin(&p, X5, "camera");
    input = (vendor_tensor_1184 *)program_tensor(&p, false, 0);
    refused(&p, &input->properties.tensorType, 4, VENDOR_Y);
    refused(&p, &input->properties.validShape.dimensionSize[3], 4, 18);
    refused(&p, &input->properties.alignedShape.dimensionSize[3], 4, 24);
    refused(&p, &input->properties.alignedShape.dimensionSize[3], 4, 16);
    refused(&p, &input->properties.validShape.numDimensions, 4, 3);
    refused(&p, &input->sysMem[0].phyAddr, 8, 0x1000);
    refused(&p, &input->sysMem[0].memSize, 4, 32 * 12 * 3 / 2 - 1);
    refused(&p, &((vendor_tensor_1184 *)program_tensor(&p, true, 0))->sysMem[0].memSize, 4, 10);
    cr_expect_eq(program_mistakes(&p), 3, "memory that is none, and twice too little of it");
}

Test(sim_bpu_calls, tensors_that_do_not_fit_the_model_are_refused_by_ucp) {
    program p;
    vendor_ucp_tensor *input;
    begin(&p, S600, "camera");
    input = (vendor_ucp_tensor *)program_tensor(&p, false, 0);
    refused(&p, &input->properties.tensorType, 4, 2);
    refused(&p, &input->properties.validShape.dimensionSize[2], 4, 18);
    refused(&p, &input->properties.stride[1], 8, -1);
    refused(&p, &input->properties.stride[1], 8, 19);
    refused(&p, &input->properties.stride[1], 8, 32);
    refused(&p, &input->properties.stride[0], 8, 20);
    refused(&p, &input->sysMem.virAddr, 8, 0);
    refused(&p, &input->sysMem.virAddr, 8, (int64_t)(intptr_t)input->sysMem.virAddr + 16);
    refused(&p, &((vendor_ucp_tensor *)program_tensor(&p, true, 0))->properties.tensorType, 4, 3);
    program_close(&p);
}

/* Two planes of rows of 48 bytes are the same picture as one memory of rows of 32. */
Test(sim_bpu_calls, a_picture_in_two_planes_is_that_picture) {
    program p;
    vendor_tensor_1184 *input;
    uint8_t one[32];
    vendor_memory first;
    uint32_t i;
    begin(&p, J5, "camera");
    input = (vendor_tensor_1184 *)program_tensor(&p, false, 0);
    for (i = 0; i < 18 * 32; i++) program_bytes(&p, false, 0)[i] = (uint8_t)(i / 32 * 13 + i % 32 * 5);
    program_run(&p);
    memcpy(one, program_bytes(&p, true, 0), sizeof(one));
    first = input->sysMem[0];
    input->properties.tensorType = VENDOR_NV12_SEPARATE;
    input->properties.alignedShape.dimensionSize[3] = 48;
    PROGRAM_WORKS(program_allocate(&p, &input->sysMem[0], 48 * 12, true));
    PROGRAM_WORKS(program_allocate(&p, &input->sysMem[1], 48 * 6, true));
    for (i = 0; i < 18; i++)
        memcpy((uint8_t *)input->sysMem[i >= 12].virAddr + (i >= 12 ? i - 12 : i) * 48,
               (uint8_t *)first.virAddr + i * 32, 20);
    PROGRAM_WORKS(program_flush(&p, &input->sysMem[1], VENDOR_CLEAN));
    program_run(&p);
    cr_expect_eq(memcmp(one, program_bytes(&p, true, 0), 5), 0);
    PROGRAM_WORKS(program_free(&p, &input->sysMem[0]));
    PROGRAM_WORKS(program_free(&p, &input->sysMem[1]));
    input->sysMem[0] = first;
    program_close(&p);
}

/* ----------------------------------------------------------------------------------------------------------- tasks */

static void many_on(const char *chip, const char *release, int32_t limit) {
    program p;
    vendor_handle task[65];
    int32_t i;
    begin(&p, chip, release, "small");
    clean_inputs(&p);
    for (i = 0; i < limit; i++) {
        task[i] = NULL;
        PROGRAM_WORKS(program_infer(&p, &task[i], 0, 0, 1));
    }
    task[limit] = NULL;
    cr_expect_eq(program_infer(&p, &task[limit], 0, 0, 1), CODE(&p, TASK_NUMBER, TASK_NUMBER));
    PROGRAM_WORKS(program_release(&p, task[3]));
    task[3] = NULL;
    PROGRAM_WORKS(program_infer(&p, &task[3], 0, 0, 1));
    for (i = 0; i < limit; i++) PROGRAM_WORKS(program_release(&p, task[i]));
    program_close(&p);
}

Test(sim_bpu_calls, thirty_two_tasks_are_alive_at_most) { many_on(X3, 32); }
Test(sim_bpu_calls, thirty_two_tasks_are_alive_at_most_in_ucp) { many_on(S100, 32); }
Test(sim_bpu_calls, the_environment_says_how_many_in_ucp) {
    setenv("HB_UCP_MAX_TASK_NUM", "64", 1);
    many_on(S100, 64);
}

Test(sim_bpu_calls, several_runs_make_one_task) {
    program p;
    vendor_handle task = NULL;
    int32_t i;
    begin(&p, X5, "small");
    clean_inputs(&p);
    for (i = 0; i < 255; i++) PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 1));
    cr_expect_eq(program_infer(&p, &task, 0, 0, 1), VENDOR_BATCH_SIZE);
    cr_expect_eq(program_wait(&p, task, 10), VENDOR_API_USE, "an unfinished one");
    PROGRAM_WORKS(program_release(&p, task));
    task = NULL;
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 1));
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 0));
    cr_expect_eq(program_infer(&p, &task, 0, 0, 0), VENDOR_TASK_HANDLE, "one that has begun");
    PROGRAM_WORKS(program_wait(&p, task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, task));
    cr_expect_eq(program_mistakes(&p), 1, "the first run's results were overwritten");
}

static void ucp_done(vendor_handle task, int32_t status, void *user) {
    (void)task;
    __atomic_store_n((int32_t *)user, status + 1, __ATOMIC_SEQ_CST);
}

#define ON_DONE(p, task, done, user)                                                \
    PROGRAM_CALL(p, (p)->layout->ucp ? "hbUCPSetTaskDoneCb" : "hbDNNSetTaskDoneCb", \
                 (vendor_handle, vendor_done, void *), (task, done, user))

Test(sim_bpu_calls, tasks_of_ucp_keep_their_order_of_calls) {
    program p;
    vendor_handle task = NULL;
    int32_t status = 0;
    begin(&p, S100, "small");
    clean_inputs(&p);
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 0));
    cr_expect_eq(program_wait(&p, task, 0), VENDOR_UCP_TASK_HANDLE, "before it was submitted");
    cr_expect_eq(PROGRAM_CALL(&p, "hbUCPSubmitTask", (vendor_handle, void *), (task, NULL)),
                 VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(program_submit(&p, task, 256, 0, 0), VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(program_submit(&p, task, -1, 0, 0), VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(program_submit(&p, task, 0, 0, (uint64_t)1 << 60), VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(program_submit(&p, task, 0, 0, 2), VENDOR_UCP_INVALID_ARGUMENT, "a core that S100 lacks");
    cr_expect_eq(ON_DONE(&p, task, NULL, NULL), VENDOR_UCP_INVALID_ARGUMENT);
    PROGRAM_WORKS(ON_DONE(&p, task, ucp_done, NULL));
    PROGRAM_WORKS(ON_DONE(&p, task, ucp_done, &status));
    PROGRAM_WORKS(program_submit(&p, task, 0, 0, 0));
    cr_expect_eq(program_submit(&p, task, 0, 0, 0), VENDOR_UCP_API_USE);
    cr_expect_eq(ON_DONE(&p, task, ucp_done, &status), VENDOR_UCP_TASK_HANDLE);
    cr_expect_eq(program_infer(&p, &task, 0, 0, 0), VENDOR_UCP_API_USE, "no run is added to it");
    PROGRAM_WORKS(program_wait(&p, task, -5));
    cr_expect_eq(__atomic_load_n(&status, __ATOMIC_SEQ_CST), 1, "the callback comes before who waits");
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, task));
    program_close(&p);
}

Test(sim_bpu_calls, a_task_that_cannot_be_dispatched_calls_back_before_submit_returns_in_3_6_1) {
    program p;
    vendor_handle task = NULL;
    int32_t status = 0;
    begin(&p, "s100", "3.6.1", "small");
    clean_inputs(&p);
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 0));
    PROGRAM_WORKS(ON_DONE(&p, task, ucp_done, &status));
    PROGRAM_WORKS(program_submit(&p, task, 0, 0, 4));
    cr_expect_eq(status, VENDOR_UCP_INVALID_ARGUMENT + 1);
    cr_expect_eq(program_wait(&p, task, 0), VENDOR_UCP_INVALID_ARGUMENT);
    PROGRAM_WORKS(program_release(&p, task));
    program_close(&p);
}

static void done_releases(vendor_handle task, int32_t status, void *user) {
    program *p = (program *)user;
    (void)status;
    p->output[0].bytes = program_release(p, task);
}

Test(sim_bpu_calls, a_callback_of_libdnn_may_be_set_when_the_task_is_over) {
    program p;
    int32_t status = 0, i;
    begin(&p, J5, "small");
    clean_inputs(&p);
    program_start(&p, 0, 0);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(ON_DONE(&p, p.task, ucp_done, &status));
    for (i = 0; i < 20000 && __atomic_load_n(&status, __ATOMIC_SEQ_CST) == 0; i++) nap(1000);
    cr_expect_eq(status, 1);
    PROGRAM_WORKS(program_release(&p, p.task));
    program_hold(&p);
    program_start(&p, 0, 0);
    PROGRAM_WORKS(ON_DONE(&p, p.task, done_releases, &p));
    program_until(&p, "task", 1);
    program_let_go(&p);
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    cr_expect_eq(p.output[0].bytes, VENDOR_API_USE, "release inside the callback");
    PROGRAM_WORKS(program_release(&p, p.task));
    program_close(&p);
}

static void time_on(const char *chip, const char *release) {
    program p;
    begin(&p, chip, release, "small");
    clean_inputs(&p);
    program_hold(&p);
    program_start(&p, 0, 0);
    cr_expect_eq(program_wait(&p, p.task, 2), CODE(&p, TIMEOUT, TIMEOUT));
    program_until(&p, "task", 1);
    program_let_go(&p);
    PROGRAM_WORKS(program_wait(&p, p.task, 20000));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, p.task));
    fault(&p, "task@1=fail:-6000012");
    program_start(&p, 0, 0);
    cr_expect_eq(program_wait(&p, p.task, 0), -6000012);
    cr_expect_eq(program_wait(&p, p.task, 0), -6000012);
    PROGRAM_WORKS(program_release(&p, p.task));
    program_close(&p);
}

Test(sim_bpu_calls, a_wait_ends_with_the_task_or_its_time) { time_on(X3); }
Test(sim_bpu_calls, a_wait_ends_with_the_task_or_its_time_in_ucp) { time_on(S600); }

/* Release does not wait: the model is in use until the core has stopped. */
static void abandon_on(const char *chip, const char *release) {
    program p;
    int32_t answer, i;
    begin(&p, chip, release, "calls");
    clean_inputs(&p);
    program_hold(&p);
    program_start(&p, 0, 0);
    program_until(&p, "task", 1);
    PROGRAM_WORKS(program_release(&p, p.task));
    cr_expect_eq(program_wait(&p, p.task, 0), CODE(&p, TASK_HANDLE, TASK_HANDLE));
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (p.packed)), CODE(&p, MODEL_RUNNING, MODEL_IN_USE));
    program_let_go(&p);
    for (answer = -1, i = 0; answer != 0 && i < 20000; i++) {
        answer = PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (p.packed));
        nap(1000);
    }
    cr_assert_eq(answer, 0);
    PROGRAM_WORKS(program_initialize(&p, "calls"));
    program_close(&p);
}

Test(sim_bpu_calls, a_task_that_is_released_while_it_runs_stops_later) { abandon_on(X5); }
Test(sim_bpu_calls, a_task_that_is_released_while_it_runs_stops_later_in_ucp) { abandon_on(S100); }

static void history(program *p, char *text, size_t room) {
    ((size_t(*)(char *, size_t))program_need(p, "nnrt_sim_bpu_history"))(text, room);
}

/* priority, customId of each in order of submission; what the core did then. All have eight function calls. */
static void order_on(const char *chip, const char *release, const int32_t (*tasks)[2], int32_t count,
                     const char *expected) {
    program p;
    vendor_handle task[8];
    char text[400];
    int32_t i;
    begin(&p, chip, release, "calls");
    clean_inputs(&p);
    program_hold(&p);
    for (i = 0; i < count; i++) {
        task[i] = NULL;
        PROGRAM_WORKS(program_infer(&p, &task[i], tasks[i][0], tasks[i][1], 0));
        if (p.layout->ucp) PROGRAM_WORKS(program_submit(&p, task[i], tasks[i][0], tasks[i][1], VENDOR_UCP_BPU_ANY));
        if (i == 0) program_until(&p, "task", 1);
    }
    program_let_go(&p);
    for (i = 0; i < count; i++) PROGRAM_WORKS(program_wait(&p, task[i], 0));
    for (i = 0; i < count; i++) PROGRAM_WORKS(program_release(&p, task[i]));
    see_outputs(&p);
    history(&p, text, sizeof(text));
    cr_expect_str_eq(text, expected);
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNRelease", (vendor_handle), (p.packed)));
}

Test(sim_bpu_calls, higher_priorities_and_smaller_ids_come_first) {
    static const int32_t tasks[][2] = {{0, 1}, {3, 9}, {7, 4}, {7, 2}, {254, 5}};
    order_on("x5", "", tasks, 5, "b1 e1 b5 e5 b2 e2 b4 e4 b9 e9 ");
}
Test(sim_bpu_calls, priority_255_interrupts_what_runs) {
    static const int32_t tasks[][2] = {{9, 1}, {100, 2}, {255, 3}};
    order_on("x5", "", tasks, 3, "b1 b3 e3 e1 b2 e2 ");
}
Test(sim_bpu_calls, priorities_254_and_255_interrupt_in_ucp) {
    static const int32_t tasks[][2] = {{9, 1}, {254, 2}, {253, 3}};
    order_on(S100, tasks, 3, "b1 b2 e2 e1 b3 e3 ");
}

/* A run on the cores of bpuCoreId. */
static int32_t infer_on(program *p, vendor_handle *task, int32_t cores) {
    vendor_control control;
    void *outputs = p->outputs;
    memset(&control, 0, sizeof(control));
    control.bpuCoreId = cores;
    return PROGRAM_CALL(p, "hbDNNInfer", (vendor_handle *, void **, const void *, vendor_handle, void *),
                        (task, &outputs, p->inputs, p->model, &control));
}

/* While core 0 is held, core 1 goes on; what is for core 0 alone waits. */
Test(sim_bpu_calls, a_task_is_done_by_the_core_that_it_names) {
    program p;
    vendor_handle held = NULL, first = NULL, second = NULL, none = NULL;
    begin(&p, X3, "small");
    clean_inputs(&p);
    program_hold(&p);
    PROGRAM_WORKS(infer_on(&p, &held, 1));
    program_until(&p, "task", 1);
    PROGRAM_WORKS(infer_on(&p, &first, 1));
    PROGRAM_WORKS(infer_on(&p, &second, 2));
    PROGRAM_WORKS(program_wait(&p, second, 0));
    see_outputs(&p);
    cr_expect_eq(program_wait(&p, first, 2), VENDOR_TIMEOUT);
    cr_expect_eq(infer_on(&p, &none, 4), VENDOR_INVALID_ARGUMENT);
    cr_expect_eq(infer_on(&p, &none, -1), VENDOR_INVALID_ARGUMENT);
    program_let_go(&p);
    PROGRAM_WORKS(program_wait(&p, held, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_wait(&p, first, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, held));
    PROGRAM_WORKS(program_release(&p, first));
    PROGRAM_WORKS(program_release(&p, second));
    program_unload(&p);
}

typedef struct waiter {
    program *p;
    int32_t answer;
} waiter;

static void *wait_a_while(void *user) {
    waiter *w = (waiter *)user;
    w->answer = program_wait(w->p, w->p->task, 600);
    return NULL;
}

static void two_wait_on(const char *chip, const char *release, int32_t times_out) {
    program p;
    waiter w[2];
    pthread_t thread[2];
    int32_t i;
    begin(&p, chip, release, "small");
    clean_inputs(&p);
    program_hold(&p);
    program_start(&p, 0, 0);
    program_until(&p, "task", 1);
    for (i = 0; i < 2; i++) {
        w[i].p = &p;
        cr_assert_eq(pthread_create(&thread[i], NULL, wait_a_while, &w[i]), 0);
    }
    program_until(&p, p.layout->ucp ? "hbUCPWaitTaskDone" : "hbDNNWaitTaskDone", 2);
    nap(20000);
    program_let_go(&p);
    for (i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    cr_expect_eq((w[0].answer != 0) + (w[1].answer != 0), times_out, "%d and %d", w[0].answer, w[1].answer);
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, p.task));
    program_close(&p);
}

Test(sim_bpu_calls, all_who_wait_are_woken) { two_wait_on(X3, 0); }
Test(sim_bpu_calls, one_of_those_who_wait_is_woken_in_ucp) { two_wait_on(S100, 1); }

/* --------------------------------------------------------------------------------------------------- special to UCP */

Test(sim_bpu_calls, a_run_without_a_task_is_done_when_it_returns) {
    program p;
    begin(&p, S100, "small");
    clean_inputs(&p);
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNInferV2", (vendor_handle *, void *, const void *, vendor_handle),
                               (NULL, p.outputs, p.inputs, p.model)));
    see_outputs(&p);
    program_close(&p);
}

Test(sim_bpu_calls, a_model_of_two_cores_names_two) {
    program p;
    int32_t cores = 0;
    vendor_handle task = NULL;
    begin(&p, S600, "two_cores");
    clean_inputs(&p);
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNGetCompileBpuCoreNum", (int32_t *, vendor_handle), (&cores, p.model)));
    cr_expect_eq(cores, 2);
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNInferV2", (vendor_handle *, void *, const void *, vendor_handle),
                              (NULL, p.outputs, p.inputs, p.model)),
                 VENDOR_UCP_API_USE);
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 0));
    cr_expect_eq(program_infer(&p, &task, 0, 0, 0), VENDOR_UCP_API_USE, "no part of a task with others");
    cr_expect_eq(program_submit(&p, task, 0, 0, VENDOR_UCP_BPU_ANY), VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(program_submit(&p, task, 0, 0, 7), VENDOR_UCP_INVALID_ARGUMENT);
    PROGRAM_WORKS(program_submit(&p, task, 0, 0, 6));
    PROGRAM_WORKS(program_wait(&p, task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, task));
    program_close(&p);
}

Test(sim_bpu_calls, sizes_that_are_chosen_for_a_run_are_told_of_its_task) {
    program p;
    vendor_ucp_tensor *in, *out;
    vendor_ucp_properties told;
    vendor_handle task = NULL;
    begin(&p, S100, NULL);
    PROGRAM_WORKS(program_initialize(&p, "dynamic"));
    program_choose(&p, NULL);
    cr_expect(p.input[0].valid[1] == -1 && p.input[0].stride[1] == -1 && p.output[0].bytes == -1);
    p.input[0].valid[1] = 5;
    p.input[0].valid[2] = 7;
    p.output[0].bytes = 4096;
    program_tensors(&p);
    in = (vendor_ucp_tensor *)program_tensor(&p, false, 0);
    out = (vendor_ucp_tensor *)program_tensor(&p, true, 0);
    (void)out;
    clean_inputs(&p);
    refused(&p, &in->properties.validShape.dimensionSize[1], 4, -1);
    in->properties.validShape.dimensionSize[1] = 5;
    in->properties.validShape.dimensionSize[2] = 6;
    refused(&p, &in->properties.validShape.dimensionSize[2], 4, 6);
    in->properties.validShape.dimensionSize[2] = 7;
    PROGRAM_WORKS(program_infer(&p, &task, 0, 0, 0));
    PROGRAM_WORKS(program_submit(&p, task, 0, 0, 0));
    PROGRAM_WORKS(program_wait(&p, task, 0));
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNGetTaskOutputTensorProperties", (void *, vendor_handle, int32_t, int32_t),
                               (&told, task, 0, 0)));
    cr_expect_eq(told.validShape.dimensionSize[1], 5);
    cr_expect_eq(told.validShape.dimensionSize[2], 7);
    cr_expect_eq(told.stride[3], 2);
    cr_expect_eq(told.stride[2], 32, "five elements of two bytes in rows of 32");
    cr_expect_eq(told.alignedByteSize, told.stride[0]);
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNGetTaskOutputTensorProperties", (void *, vendor_handle, int32_t, int32_t),
                              (&told, task, 0, 1)),
                 VENDOR_UCP_INVALID_ARGUMENT);
    cr_expect_eq(PROGRAM_CALL(&p, "hbDNNGetTaskOutputTensorProperties", (void *, vendor_handle, int32_t, int32_t),
                              (&told, NULL, 0, 0)),
                 VENDOR_UCP_TASK_HANDLE);
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, task));
    program_close(&p);
}

/* ------------------------------------------------------------------------------------------------------------ ROIs */

/* The picture of the first input is as large as the model's: one ROI is all of it. */
static void roi_on(const char *chip, const char *release) {
    static const vendor_roi whole = {0, 0, 23, 15};
    vendor_roi bad[] = {{0, 0, 24, 15}, {-2, 0, 23, 15}, {0, 0, 23, -1}, {1, 0, 22, 15}};
    const int32_t refused_rois = chip[0] == 'x' && chip[1] == '3' ? 4 : 3;
    program p;
    int32_t source = -1, i;
    uint8_t all[16];
    begin(&p, chip, release, "resizer");
    PROGRAM_WORKS(PROGRAM_CALL(&p, "hbDNNGetInputSource", (int32_t *, vendor_handle, int32_t), (&source, p.model, 0)));
    cr_expect_eq(source, VENDOR_FROM_RESIZER);
    for (i = 0; i < p.input[0].bytes; i++) program_bytes(&p, false, 0)[i] = (uint8_t)(i * 7 + i / 24);
    clean_inputs(&p);
    cr_expect_eq(program_infer(&p, &p.task, 0, 0, 0), VENDOR_INVALID_ARGUMENT, "Infer");
    for (i = 0; i < refused_rois; i++)
        cr_expect_eq(program_roi_infer(&p, &bad[i], 1), VENDOR_INVALID_ARGUMENT, "ROI %d", i);
    PROGRAM_WORKS(program_roi_infer(&p, &whole, 1));
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    PROGRAM_WORKS(program_release(&p, p.task));
    memcpy(all, program_bytes(&p, true, 0), sizeof(all));
    PROGRAM_WORKS(program_roi_infer(&p, &whole, 1));
    PROGRAM_WORKS(program_wait(&p, p.task, 0));
    see_outputs(&p);
    cr_expect_eq(memcmp(all, program_bytes(&p, true, 0), sizeof(all)), 0);
    PROGRAM_WORKS(program_release(&p, p.task));
    program_close(&p);
}

Test(sim_bpu_calls, a_roi_is_within_the_picture_on_x3) { roi_on(X3); }
Test(sim_bpu_calls, a_roi_is_within_the_picture_on_j5) { roi_on(J5); }
Test(sim_bpu_calls, a_roi_is_within_the_picture_in_the_oldest_release) { roi_on("x3", "1.6.1"); }

Test(sim_bpu_calls, a_resized_picture_of_the_same_size_is_that_picture) {
    program p;
    vendor_tensor_1184 from, to;
    vendor_resize_control control;
    vendor_roi roi = {16, 4, 31, 11};
    vendor_handle task = NULL;
    uint32_t i, y, x;
    begin(&p, "x3", "1.18.6", NULL);
    memset(&from, 0, sizeof(from));
    memset(&control, 0, sizeof(control));
    from.properties.tensorType = VENDOR_NV12;
    from.properties.tensorLayout = VENDOR_NCHW;
    from.properties.validShape.numDimensions = from.properties.alignedShape.numDimensions = 4;
    from.properties.validShape.dimensionSize[2] = 16;
    from.properties.validShape.dimensionSize[3] = 40;
    from.properties.alignedShape.dimensionSize[2] = 16;
    from.properties.alignedShape.dimensionSize[3] = 48;
    to = from;
    to.properties.validShape.dimensionSize[2] = to.properties.alignedShape.dimensionSize[2] = 8;
    to.properties.validShape.dimensionSize[3] = to.properties.alignedShape.dimensionSize[3] = 16;
    PROGRAM_WORKS(program_allocate(&p, &from, 48 * 24, true));
    PROGRAM_WORKS(program_allocate(&p, &to, 16 * 12, true));
    for (i = 0; i < 48 * 24; i++) ((uint8_t *)from.sysMem[0].virAddr)[i] = (uint8_t)(i * 31 + i / 48);
    PROGRAM_WORKS(program_flush(&p, &from, VENDOR_CLEAN));
#define RESIZE(box)                                                                                    \
    PROGRAM_CALL(&p, "hbDNNResize",                                                                    \
                 (vendor_handle *, void *, const void *, const vendor_roi *, vendor_resize_control *), \
                 (&task, &to, &from, box, &control))
    PROGRAM_WORKS(RESIZE(&roi));
    PROGRAM_WORKS(program_wait(&p, task, 0));
    PROGRAM_WORKS(program_flush(&p, &to, VENDOR_INVALIDATE));
    for (y = 0; y < 12; y++)
        for (x = 0; x < 16; x++)
            cr_expect_eq(((uint8_t *)to.sysMem[0].virAddr)[y * 16 + x],
                         ((uint8_t *)from.sysMem[0].virAddr)[(y < 8 ? 4 + y : 16 + 2 + y - 8) * 48 + 16 + x]);
    PROGRAM_WORKS(program_release(&p, task));
    task = NULL;
    roi.right = 40;
    cr_expect_eq(RESIZE(&roi), VENDOR_INVALID_ARGUMENT);
    to.properties.tensorType = VENDOR_Y;
    cr_expect_eq(RESIZE(NULL), VENDOR_INVALID_ARGUMENT, "two types");
    PROGRAM_WORKS(program_free(&p, &from));
    PROGRAM_WORKS(program_free(&p, &to));
    program_close(&p);
}
