/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_device.c - the cores of simulated HiSilicon boards: listed, shared by models and threads, given up, short
   of memory; and files that never reach the vendor's library. */
#include "linked.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nnie_board.h"

static const char *const cv500[] = {"hi3516cv500", NULL};

/* models/NAME.CHIP.wk, to be freed. */
static uint8_t *file_of(const char *name, const char *chip, const board *b, size_t *size) {
    char path[400];
    FILE *file;
    uint8_t *bytes = (uint8_t *)malloc(1 << 20);
    (void)snprintf(path, sizeof(path), "%s/models/%s.%s.wk", b->folder, name, chip);
    file = fopen(path, "rb");
    MUST(bytes != NULL && file != NULL, "%s cannot be read", path);
    *size = fread(bytes, 1, 1 << 20, file);
    (void)fclose(file);
    return bytes;
}

/* ------------------------------------------------------------------------------------------------ devices */

static void live_listed(board *b, const void *user) {
    const bool two = strcmp(b->chip, "hi3559av100") == 0;
    const size_t first = board_device("nnie_hisilicon_" NNRT_VERSION), second = board_device("nnie1_hisilicon_");
    OH_NN_DeviceType type = OH_NN_OTHERS;
    (void)user;
    MUST(first != 0 && (second != 0) == two, "%s has %d cores", b->chip, two ? 2 : 1);
    MUST_WORK(OH_NNDevice_GetType(first, &type));
    MUST(type == OH_NN_ACCELERATOR, "type %d", (int)type);
}

Test(nnie_device, each_core_of_the_chip_is_a_device) { board_each(board_all, live_listed, NULL); }

static char heard[1024];

static void hear(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    if (level == NNRT_LOG_WARNING) (void)snprintf(heard + used, sizeof(heard) - used, "%s\n", line);
}

static bool plug_without_driver(board *b, const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_DEVICE", "0", 1);
    return nnie_load(b, chip, version);
}

static void live_without_driver(board *b, const void *user) {
    (void)b;
    (void)user;
    nnrt_set_log(hear, NULL);
    MUST(board_device("nnie") == 0, "a device without a driver");
    nnrt_set_log(NULL, NULL);
    MUST(strstr(heard, "NNRT_SIM_CHIP) is not: load the modules of the SDK") != NULL, "%s", heard);
    MUST(strstr(heard, "nnie1") == NULL, "%s", heard);
}

Test(nnie_device, without_the_driver_no_device_is_listed) {
    board_on_each(plug_without_driver, cv500, live_without_driver, NULL);
}

/* -------------------------------------------------------------------------------------------------- files */

static void refused(board *b, const void *bytes, size_t size, OH_NN_ReturnCode code, const char *sentence) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(bytes, size);
    const unsigned before = b->calls("HI_MPI_SVP_NNIE_LoadModel");
    MUST(compilation != NULL, "%s", nnrt_last_error());
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_BE(code, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), sentence) != NULL, "%s", nnrt_last_error());
    MUST(b->calls("HI_MPI_SVP_NNIE_LoadModel") == before, "the library was asked about a file of %zu bytes", size);
    OH_NNCompilation_Destroy(&compilation);
}

static void live_damaged(board *b, const void *user) {
    size_t size, i;
    uint8_t *bytes = file_of("meter", b->chip, b, &size);
    (void)user;
    for (i = 0; i < 400; i++) { /* the header and the nodes: every byte; then the checksum is all that there is */
        const size_t at = i < 336 ? i : 336 + (i - 336) * 250;
        if (at >= size - 96 || (at >= 4 && at < 8)) continue; /* records of layers, and a length that nobody reads */
        bytes[at] ^= 0x40;
        refused(b, bytes, size, OH_NN_INVALID_FILE, ".wk file");
        bytes[at] ^= 0x40;
    }
    for (i = 20; i < size; i += 1 + i / 7) refused(b, bytes, i, OH_NN_INVALID_FILE, "is cut off");
    free(bytes);
    bytes = file_of("meter", strcmp(b->chip, "hi3559av100") == 0 ? "hi3516cv500" : "hi3559av100", b, &size);
    refused(b, bytes, size, OH_NN_INVALID_FILE, "map it again for that");
    free(bytes);
}

Test(nnie_device, a_file_that_is_damaged_or_for_another_chip_never_reaches_the_library) {
    board_each(board_all, live_damaged, NULL);
}

/* -------------------------------------------------------------------------------------------------- meter */

static void live_meter(board *b, const void *user) {
    size_t size, i, k;
    float expected[10];
    int8_t given[640], answer[10];
    uint8_t *data;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", NULL);
    rig_tensors(&r, b->npu);
    for (i = 0; i < 6; i++) {
        data = bytes_of(r.inputs[0], &size);
        for (k = 0; k < 640; k++) { /* pixels of the engine are 0 to 255, those of the .tflite -128 to 127 */
            data[k] = rig_byte((uint32_t)i, k);
            given[k] = (int8_t)(data[k] - 128);
        }
        cpu_answer(b, "examples/meter/meter.tflite", (const uint8_t *)given, (uint8_t *)answer, 10);
        MUST_WORK(rig_run(&r));
        memcpy(expected, bytes_of(r.outputs[0], &size), sizeof(expected));
        for (k = 0; k < 10; k++)
            MUST(expected[k] * 256.0f == (float)(answer[k] + 128), "digit %zu of picture %zu: %f, not %d / 256", k, i,
                 (double)expected[k], answer[k] + 128);
    }
    rig_end(&r);
}

Test(nnie_device, the_meter_reads_what_the_cpu_device_reads) { board_each(board_all, live_meter, NULL); }

/* ------------------------------------------------------------------------------------- sharing and memory */

static size_t live_bytes(const board *b) {
    nnrt_sim_live live;
    b->get_live(&live);
    return live.bytes;
}

/* A second model takes no intermediate memory, as it needs no more than the first one, and executors none at all. */
static void live_sharing(board *b, const void *user) {
    uint64_t file, temporary;
    size_t before;
    rig a, c;
    (void)user;
    rig_open(&a, b, "three_segments", NULL);
    before = live_bytes(b);
    rig_open(&c, b, "meter", NULL);
    file = rig_number(&c, "nnie.model_bytes");
    temporary = rig_number(&c, "nnie.temporary_bytes");
    MUST(temporary == 8192, "%u bytes", (unsigned)temporary);
    MUST(live_bytes(b) - before < file + temporary, "%zu bytes more", live_bytes(b) - before);
    rig_end(&a);
    rig_tensors(&c, b->npu);
    rig_fill(&c, 1);
    MUST_WORK(rig_run(&c)); /* the memory stays as long as one model does */
    rig_end(&c);
}

Test(nnie_device, models_on_a_core_share_the_memory_for_intermediate_values) { board_each(cv500, live_sharing, NULL); }

enum {
    MANY = 36 /* executors: more than the driver lists task buffers */
};

static void live_many(board *b, const void *user) {
    OH_NNExecutor *more[MANY];
    size_t i;
    rig r;
    (void)user;
    rig_open(&r, b, "meter", NULL);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 3);
    for (i = 0; i < MANY; i++) {
        more[i] = OH_NNExecutor_Construct(r.compilation);
        MUST(more[i] != NULL, "executor %zu: %s", i, nnrt_last_error());
        MUST_WORK(OH_NNExecutor_RunSync(more[i], r.inputs, 1, r.outputs, 1));
    }
    for (i = 0; i < MANY; i++) OH_NNExecutor_Destroy(&more[i]);
    rig_end(&r);
}

Test(nnie_device, more_executors_than_task_buffers_can_be_registered_all_run) { board_each(cv500, live_many, NULL); }

/* After a first run nothing is allocated, of the heap or of MMZ. */
static void live_still(board *b, const void *user) {
    const char *const configs[][3] = {{NULL}, {"nnie.io_layout", "native", NULL}, {"nnie.pixels", "planar", NULL}};
    size_t i, k;
    (void)user;
    for (i = 0; i < 3; i++) {
        unsigned blocks;
        size_t calls;
        rig r;
        rig_open(&r, b, "three_segments", configs[i]);
        rig_tensors(&r, i == 1 ? b->cpu : b->npu);
        rig_fill(&r, 5);
        MUST_WORK(rig_run(&r));
        calls = counting_calls();
        blocks = b->calls("HI_MPI_SYS_MmzAlloc") + b->calls("HI_MPI_SYS_MmzAlloc_Cached");
        for (k = 0; k < 3; k++) MUST_WORK(rig_run(&r));
        MUST(counting_calls() == calls, "runs took memory of the heap");
        MUST(b->calls("HI_MPI_SYS_MmzAlloc") + b->calls("HI_MPI_SYS_MmzAlloc_Cached") == blocks, "runs took MMZ");
        rig_end(&r);
    }
}

Test(nnie_device, runs_after_the_first_take_no_memory) { board_each(cv500, live_still, NULL); }

static bool plug_small(board *b, const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_MEMORY", "24576", 1);
    return board_plug(b, chip, version);
}

static void live_small(board *b, const void *user) {
    char path[400];
    OH_NNCompilation *compilation;
    (void)user;
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.wk", b->folder, b->chip);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, b->npu));
    MUST_BE(OH_NN_MEMORY_ERROR, OH_NNCompilation_Build(compilation));
    MUST(strstr(nnrt_last_error(), "no MMZ memory of 8192 bytes: it is exhausted or in pieces (/proc/media-mem)") !=
             NULL,
         "%s", nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(nnie_device, mmz_that_is_exhausted_is_told_with_where_to_look) {
    board_on_each(plug_small, cv500, live_small, NULL);
}

/* ------------------------------------------------------------------------------------------- media system */

static bool plug_without_sys(board *b, const char *chip, const char *version) {
    (void)setenv("NNRT_SIM_SYS", "0", 1);
    return board_plug(b, chip, version);
}

static void live_sys(board *b, const void *user) {
    static const char *const configs[] = {"nnie.init_sys", "1", NULL};
    rig first, second;
    (void)user;
    rig_open(&first, b, "meter", NULL);
    rig_tensors(&first, b->npu);
    rig_fill(&first, 1);
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&first));
    MUST(strstr(nnrt_last_error(), "HI_MPI_SYS_Init") != NULL, "%s", nnrt_last_error());
    MUST(b->calls("HI_MPI_SYS_Init") == 0, "nobody asked for it");
    rig_open(&second, b, "meter", configs);
    MUST_WORK(rig_run(&first));
    rig_end(&second);
    MUST(b->calls("HI_MPI_SYS_Exit") == 1 && b->calls("HI_MPI_VB_Exit") == 1, "what nnrt began it ends");
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&first));
    rig_end(&first);
}

Test(nnie_device, the_media_system_is_initialised_when_a_config_asks_and_ended_again) {
    board_on_each(plug_without_sys, cv500, live_sys, NULL);
}

static void live_foreign_sys(board *b, const void *user) {
    static const char *const configs[] = {"nnie.init_sys", "1", NULL};
    rig r;
    (void)user;
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 1);
    MUST_WORK(rig_run(&r));
    rig_end(&r);
    MUST(b->calls("HI_MPI_SYS_Exit") == 0 && b->calls("HI_MPI_VB_Exit") == 0, "what others began is not ended");
}

Test(nnie_device, a_media_system_that_somebody_else_initialised_is_left_alone) {
    board_each(cv500, live_foreign_sys, NULL);
}

/* ------------------------------------------------------------------------------------------------ threads */

typedef struct worker {
    rig r;
    pthread_t thread;
} worker;

static void *work(void *argument) {
    worker *w = (worker *)argument;
    int i;
    for (i = 0; i < 5; i++) MUST_WORK(rig_run(&w->r));
    return NULL;
}

/* Two executors of the first core and, where there is one, one of the second, each in a thread. */
static void live_threads(board *b, const void *user) {
    const size_t second = board_device("nnie1_hisilicon_");
    const size_t count = second != 0 ? 3 : 2;
    nnie_controls controls;
    nnrt_sim_work done;
    worker w[3];
    char path[400];
    size_t i;
    (void)user;
    MUST(nnie_find_controls(b, &controls), "no controls");
    controls.task_time("3000");
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.wk", b->folder, b->chip);
    for (i = 0; i < count; i++) {
        rig_compile(&w[i].r, b, i < 2 ? b->npu : second, path, NULL);
        rig_execute(&w[i].r);
        rig_tensors(&w[i].r, i < 2 ? b->npu : second);
        rig_fill(&w[i].r, 7);
    }
    for (i = 0; i < count; i++) MUST(pthread_create(&w[i].thread, NULL, work, &w[i]) == 0, "no thread");
    for (i = 0; i < count; i++) MUST(pthread_join(w[i].thread, NULL) == 0, "no end");
    controls.get_work(&done);
    MUST(done.tasks == 5 * count, "%u tasks", done.tasks);
    MUST(done.most == count - 1, "%u at a time", done.most); /* one on each core */
    for (i = 0; i < count; i++) rig_end(&w[i].r);
}

Test(nnie_device, threads_share_a_core_in_turn_and_cores_work_at_the_same_time) {
    board_each(board_all, live_threads, NULL);
}

/* A run that passes its deadline ends then; the next one, which waits for the engine, is right. */
static void live_late(board *b, const void *user) {
    static const char *const configs[] = {"nnie.timeout_ms", "500", "nnie.hang_grace_ms", "5000", NULL};
    nnie_controls controls;
    uint8_t right[64];
    size_t size;
    rig r;
    (void)user;
    MUST(nnie_find_controls(b, &controls), "no controls");
    rig_open(&r, b, "meter", configs);
    rig_tensors(&r, b->npu);
    rig_fill(&r, 2);
    MUST_WORK(rig_run(&r));
    memcpy(right, bytes_of(r.outputs[0], &size), 40);
    controls.task_time("1000000");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r));
    MUST(strstr(nnrt_last_error(), "passed its deadline") != NULL, "%s", nnrt_last_error());
    MUST_WORK(nnrt_executor_wait_late(r.executor, 5000));
    controls.task_time("0");
    MUST_WORK(rig_run(&r));
    MUST(memcmp(right, bytes_of(r.outputs[0], &size), 40) == 0, "another result");
    controls.task_time("1000000");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&r)); /* and is closed while the task runs */
    rig_end(&r);
    (void)usleep(1200000);
}

Test(nnie_device, a_run_past_its_deadline_is_given_up_and_the_next_one_is_right) { board_each(cv500, live_late, NULL); }

/* A call that does not come back holds the core: who comes then waits the grace and is told. */
static void live_held(board *b, const void *user) {
    static const char *const given_up[] = {"nnie.timeout_ms", "300", "nnie.hang_grace_ms", "10000", NULL};
    static const char *const waits[] = {"nnie.timeout_ms", "5000", "nnie.hang_grace_ms", "50", NULL};
    rig first, second;
    (void)user;
    rig_open(&first, b, "meter", given_up);
    rig_tensors(&first, b->npu);
    rig_fill(&first, 1);
    rig_open(&second, b, "meter", waits);
    rig_tensors(&second, b->npu);
    rig_fill(&second, 2);
    b->fault("HI_MPI_SVP_NNIE_Query@1=hang");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&first));
    MUST_BE(OH_NN_CONNECTION_EXCEPTION, rig_run(&second));
    MUST(strstr(nnrt_last_error(), "did not come back within 50 ms") != NULL, "%s", nnrt_last_error());
    b->fault("");
    b->release_hang();
    MUST_WORK(nnrt_executor_wait_late(first.executor, 10000));
    rig_end(&first);
    rig_end(&second);
    rig_open(&first, b, "meter", NULL);
    rig_tensors(&first, b->npu);
    rig_fill(&first, 3);
    MUST_WORK(rig_run(&first));
    rig_end(&first);
}

Test(nnie_device, a_core_that_a_lost_call_holds_is_waited_for_a_grace_and_no_longer) {
    board_each(cv500, live_held, NULL);
}
