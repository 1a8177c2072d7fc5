/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_board.c - the devices of the open NPU on boards with each of its drivers, as they are imitated in
   tests/sim/rknpu_open: found by their names, compiled for and run through the API, with what a kernel may refuse.

   The shared models lie in NNRT_MODELS (default ../shared/models) and are no part of this repository. */
#include "linked.h"

#include "graph_builder.h"
#include "offline_runner.h"

#include "../sim/rknpu_open/sim_npu.h"

#define IS(code, wanted) cr_assert_eq((int)(code), (int)(wanted), "%s: %s", #code, nnrt_last_error())

typedef struct board {
    sim_kind kind;
    bool large;
    const char *device;
} board;

static const board boards[] = {{SIM_OWN, false, "rknpu_open_rv1106_" NNRT_VERSION},
                               {SIM_DRM, true, "rknpu_open_rk3588_" NNRT_VERSION},
                               {SIM_ROCKET, true, "rknpu_open_rk3588_" NNRT_VERSION}};

static char heard[4096];

static void listen(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(heard);
    (void)user;
    (void)level;
    (void)snprintf(heard + used, sizeof heard - used, "%s\n", line);
}

/* The board from now on, and its device, which tells the log its driver. Devices are looked for once in a process: once
   in a test. */
static size_t begin(const board *b) {
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    sim_begin(b->kind, b->large);
    nnrt_set_log(listen, NULL);
    IS(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    nnrt_set_log(NULL, NULL);
    cr_assert_not_null(strstr(heard, " is on this board: "), "%s", heard);
    cr_assert_not_null(strstr(heard, b->kind == SIM_ROCKET ? "rocket" : "rknpu"), "%s", heard);
    for (i = 0; i < count; i++) {
        const char *name = NULL;
        OH_NN_DeviceType type = OH_NN_OTHERS;
        IS(OH_NNDevice_GetName(ids[i], &name), OH_NN_SUCCESS);
        IS(OH_NNDevice_GetType(ids[i], &type), OH_NN_SUCCESS);
        if (strcmp(name, b->device) != 0) continue;
        cr_assert_eq((int)type, (int)OH_NN_ACCELERATOR);
        cr_assert_gt(i, 0u, "it is the default");
        return ids[i];
    }
    cr_assert_fail("%s is not listed", b->device);
    return 0;
}

static void end(void) {
    cr_assert_eq(sim_alive(), 0u, "memory of the NPU is left");
    cr_assert_eq(sim.mistakes[0], '\0', "%s", sim.mistakes);
    sim_end();
}

/* The keyword model, its first input and what TensorFlow Lite gives. */
typedef struct sample {
    uint8_t *model, *input, *expected;
    size_t model_size, input_size, size;
} sample;

static uint8_t *read_part(const char *name, size_t *size) {
    char path[512];
    uint8_t *bytes;
    (void)snprintf(path, sizeof path, "%s/kws_ref_model/%s", off_models_folder(), name);
    bytes = off_read(path, size);
    if (bytes == NULL) cr_skip_test("skipped, no %s", path);
    return bytes;
}

static void read_sample(sample *s) {
    s->model = read_part("kws_ref_model.tflite", &s->model_size);
    s->input = read_part("input0.bin", &s->input_size);
    s->expected = read_part("expected0.bin", &s->size);
}

static void free_sample(sample *s) {
    free(s->model);
    free(s->input);
    free(s->expected);
}

static OH_NNCompilation *compile(const sample *s, size_t device, const char *name, const char *value) {
    OH_NNCompilation *compilation = OH_NNCompilation_ConstructWithOfflineModelBuffer(s->model, s->model_size);
    cr_assert_not_null(compilation);
    IS(OH_NNCompilation_SetDevice(compilation, device), OH_NN_SUCCESS);
    off_config(compilation, name, value);
    IS(OH_NNCompilation_Build(compilation), OH_NN_SUCCESS);
    return compilation;
}

/* Runs it; the distance to what is expected where it succeeds. */
static OH_NN_ReturnCode run(OH_NNExecutor *executor, const sample *s, int *apart) {
    int8_t out[64];
    OH_NN_ReturnCode code;
    size_t i;
    cr_assert_leq(s->size, sizeof out);
    code = off_run(executor, s->input, s->input_size, out, s->size);
    *apart = 0;
    for (i = 0; code == OH_NN_SUCCESS && i < s->size; i++)
        if (abs(out[i] - (int8_t)s->expected[i]) > *apart) *apart = abs(out[i] - (int8_t)s->expected[i]);
    return code;
}

static void a_model_runs(const board *b) {
    const size_t device = begin(b);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    nnrt_memory memory;
    sample s;
    int apart, i;
    read_sample(&s);
    compilation = compile(&s, device, NULL, NULL);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    IS(nnrt_executor_get_memory(executor, &memory), OH_NN_SUCCESS);
    cr_assert_gt(memory.device_bytes, 0u);
    for (i = 0; i < 3; i++) {
        IS(run(executor, &s, &apart), OH_NN_SUCCESS);
        cr_assert_leq(apart, 1);
    }
    cr_assert_geq(sim.jobs, 3u, "%u jobs: no part goes to the NPU", (unsigned)sim.jobs);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free_sample(&s);
    end();
}

Test(open_board, rv1106_runs_a_model, .timeout = 120) { a_model_runs(&boards[0]); }
Test(open_board, rk3588_runs_a_model_through_rockchip_s_driver, .timeout = 120) { a_model_runs(&boards[1]); }
Test(open_board, rk3588_runs_a_model_through_mainline_s_driver, .timeout = 120) { a_model_runs(&boards[2]); }

/* A plan that a PC has made for nnrt.target runs on the board as one that the board has made. */
Test(open_board, a_plan_of_the_same_device_runs_from_its_bytes, .timeout = 120) {
    const size_t device = begin(&boards[0]);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    size_t size;
    uint8_t *plan;
    sample s, from_plan;
    int apart;
    read_sample(&s);
    compilation = compile(&s, device, NULL, NULL);
    plan = off_export(compilation, &size);
    OH_NNCompilation_Destroy(&compilation);
    from_plan = s;
    from_plan.model = plan;
    from_plan.model_size = size;
    compilation = compile(&from_plan, device, NULL, NULL);
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    IS(run(executor, &s, &apart), OH_NN_SUCCESS);
    cr_assert_leq(apart, 1);
    cr_assert_gt(sim.jobs, 0u);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free(plan);
    free_sample(&s);
    end();
}

Test(open_board, a_run_that_hangs_ends_at_nnrt_timeout_ms_and_the_next_one_runs, .timeout = 120) {
    const size_t device = begin(&boards[0]);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    sample s;
    int apart;
    read_sample(&s);
    compilation = compile(&s, device, "nnrt.timeout_ms", "50");
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    sim.behaviour = SIM_HANGS;
    IS(run(executor, &s, &apart), OH_NN_TIMEOUT);
    sim.behaviour = SIM_RUNS;
    IS(run(executor, &s, &apart), OH_NN_SUCCESS);
    cr_assert_leq(apart, 1);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free_sample(&s);
    end();
}

/* ------------------------------------------------------------------------------------ several executors at once */

enum {
    EXECUTORS = 3,
    SLOW_MS = 300
};

static struct finished {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    OH_NN_ReturnCode codes[EXECUTORS];
    uint32_t count;
} finished = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {OH_NN_SUCCESS}, 0};

static void note_end(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t count) {
    pthread_mutex_lock(&finished.mutex);
    cr_assert(outputs != NULL && count == 1);
    finished.codes[*(const uint32_t *)user] = code;
    finished.count++;
    pthread_cond_broadcast(&finished.changed);
    pthread_mutex_unlock(&finished.mutex);
}

/* An asynchronous run of each executor, all at once, until all have ended. */
static void run_at_once(OH_NNExecutor *const *executors, const sample *s, int32_t timeout_ms, int8_t (*out)[64]) {
    static uint32_t numbers[EXECUTORS] = {0, 1, 2};
    NN_Tensor *ins[EXECUTORS], *outs[EXECUTORS];
    uint32_t i;
    finished.count = 0;
    for (i = 0; i < EXECUTORS; i++) {
        ins[i] = off_tensor(OH_NNExecutor_CreateInputTensorDesc(executors[i], 0), s->input_size);
        outs[i] = off_tensor(OH_NNExecutor_CreateOutputTensorDesc(executors[i], 0), s->size);
        memcpy(OH_NNTensor_GetDataBuffer(ins[i]), s->input, s->input_size);
        IS(OH_NNExecutor_RunAsync(executors[i], &ins[i], 1, &outs[i], 1, timeout_ms, &numbers[i]), OH_NN_SUCCESS);
    }
    pthread_mutex_lock(&finished.mutex);
    while (finished.count < EXECUTORS) pthread_cond_wait(&finished.changed, &finished.mutex);
    pthread_mutex_unlock(&finished.mutex);
    for (i = 0; i < EXECUTORS; i++) {
        IS(nnrt_executor_wait_late(executors[i], 5000), OH_NN_SUCCESS);
        memcpy(out[i], OH_NNTensor_GetDataBuffer(outs[i]), s->size);
        IS(OH_NNTensor_Destroy(&ins[i]), OH_NN_SUCCESS);
        IS(OH_NNTensor_Destroy(&outs[i]), OH_NN_SUCCESS);
    }
}

/* Each has a core of RK3588. A deadline is told when the submission under way has ended; then the executor runs on. */
Test(open_board, executors_run_at_once_on_a_core_each_and_keep_deadlines, .timeout = 120) {
    const size_t device = begin(&boards[1]);
    OH_NNExecutor *executors[EXECUTORS];
    OH_NNCompilation *compilation;
    int8_t out[EXECUTORS][64];
    uint32_t i, k;
    sample s;
    read_sample(&s);
    compilation = compile(&s, device, NULL, NULL);
    for (i = 0; i < EXECUTORS; i++) {
        executors[i] = OH_NNExecutor_Construct(compilation);
        cr_assert_not_null(executors[i], "%s", nnrt_last_error());
        IS(OH_NNExecutor_SetOnRunDone(executors[i], note_end), OH_NN_SUCCESS);
    }
    OH_NNCompilation_Destroy(&compilation);
    sim.behaviour = SIM_IS_SLOW;
    sim.slow_ms = SLOW_MS;
    run_at_once(executors, &s, 10000, out);
    cr_assert_eq(sim.at_once, EXECUTORS);
    for (i = 0; i < EXECUTORS; i++) {
        IS(finished.codes[i], OH_NN_SUCCESS);
        for (k = 0; k < s.size; k++) cr_assert_leq(abs(out[i][k] - (int8_t)s.expected[k]), 1);
        cr_assert_eq(sim.core_jobs[i], 1, "core %u", (unsigned)i);
    }
    run_at_once(executors, &s, SLOW_MS / 10, out);
    for (i = 0; i < EXECUTORS; i++) IS(finished.codes[i], OH_NN_TIMEOUT);
    sim.behaviour = SIM_RUNS;
    run_at_once(executors, &s, 10000, out);
    for (i = 0; i < EXECUTORS; i++) {
        IS(finished.codes[i], OH_NN_SUCCESS);
        OH_NNExecutor_Destroy(&executors[i]);
    }
    cr_assert_eq(sim.resets, 0, "a deadline resets nothing");
    free_sample(&s);
    end();
}

Test(open_board, what_the_kernel_refuses_is_a_code_and_a_sentence, .timeout = 120) {
    static const sim_call calls[] = {SIM_OPEN, SIM_CREATE, SIM_MMAP, SIM_SYNC};
    const size_t device = begin(&boards[0]);
    OH_NNCompilation *compilation;
    OH_NNExecutor *executor;
    sample s;
    size_t i;
    int apart;
    read_sample(&s);
    compilation = compile(&s, device, NULL, NULL);
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        sim.fault = calls[i];
        sim.fault_at = sim.calls[calls[i]] + 1;
        sim.fault_error = calls[i] == SIM_CREATE ? ENOMEM : EACCES;
        executor = OH_NNExecutor_Construct(compilation);
        cr_assert_null(executor, "call %zu", i);
        cr_assert_gt(strlen(nnrt_last_error()), 10u);
        cr_assert_eq(sim_alive(), 0u, "call %zu", i);
    }
    sim.fault_at = 0;
    executor = OH_NNExecutor_Construct(compilation);
    cr_assert_not_null(executor, "%s", nnrt_last_error());
    sim.fault = SIM_SUBMIT;
    sim.fault_at = sim.calls[SIM_SUBMIT] + 1;
    sim.fault_error = EINVAL;
    cr_assert_neq((int)run(executor, &s, &apart), (int)OH_NN_SUCCESS);
    cr_assert_gt(strlen(nnrt_last_error()), 10u);
    IS(run(executor, &s, &apart), OH_NN_SUCCESS);
    cr_assert_leq(apart, 1);
    OH_NNExecutor_Destroy(&executor);
    OH_NNCompilation_Destroy(&compilation);
    free_sample(&s);
    end();
}
