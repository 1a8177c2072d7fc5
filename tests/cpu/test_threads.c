/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c - several threads at once: first use of the device list, executors of one compilation, one executor
   shared, the calls of API 9, caches in one directory, the threads that share a step. For ThreadSanitizer. */
#include "linked.h"

#include "mock_device.h"

#include <pthread.h>
#include <stdio.h>

enum {
    THREADS = 4,
    RUNS = 20
};

static const int32_t four[1] = {4};
static OH_NNCompilation *shared_compilation;
static OH_NNExecutor *shared_executor;
static size_t device;

static void together(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, body, NULL), 0);
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
}

static void run_some(OH_NNExecutor *executor) {
    NN_TensorDesc *desc = OH_NNExecutor_CreateInputTensorDesc(executor, 0);
    NN_Tensor *in = OH_NNTensor_Create(device, desc), *out = OH_NNTensor_Create(device, desc);
    int i;
    for (i = 0; i < RUNS; i++) {
        NN_TensorDesc *shape = OH_NNExecutor_CreateOutputTensorDesc(executor, 0);
        mock_floats(in)[0] = (float)i;
        OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
        cr_assert_eq(mock_floats(out)[0], (float)i + 1);
        OK(OH_NNTensorDesc_Destroy(&shape));
    }
    OK(OH_NNTensor_Destroy(&in));
    OK(OH_NNTensor_Destroy(&out));
    OK(OH_NNTensorDesc_Destroy(&desc));
}

static void *first_use(void *unused) {
    const size_t *ids = NULL;
    uint32_t count = 0;
    OK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    return unused;
}

static void *own_executor(void *unused) {
    OH_NNExecutor *executor = OH_NNExecutor_Construct(shared_compilation);
    cr_assert_not_null(executor);
    run_some(executor);
    OH_NNExecutor_Destroy(&executor);
    return unused;
}

static void *same_executor(void *unused) {
    run_some(shared_executor);
    return unused;
}

Test(threads, the_device_list_is_filled_once, .timeout = 30) { together(first_use); }

Test(threads, executors_of_one_compilation_run_at_once, .timeout = 30) {
    shared_compilation = mock_compilation(four, 1);
    device = mock_id();
    OK(OH_NNCompilation_Build(shared_compilation));
    together(own_executor);
    OH_NNCompilation_Destroy(&shared_compilation);
    cr_assert_eq(mock.live_executors + mock.live_prepared, 0);
}

Test(threads, runs_of_one_executor_follow_each_other, .timeout = 30) {
    shared_executor = mock_executor_of(four, 1);
    device = mock_id();
    together(same_executor);
    OH_NNExecutor_Destroy(&shared_executor);
}

/* What the four setters of API 9 need. */
static OH_NN_Tensor old_tensor;
static OH_NN_Memory *old_input, *old_output;
static float old_data[4];
static int setter, setter_is_back;

static void *old_run(void *unused) {
    OK(OH_NNExecutor_Run(shared_executor));
    return unused;
}

static void *old_setter(void *unused) {
    switch (setter) {
    case 0: OK(OH_NNExecutor_SetInput(shared_executor, 0, &old_tensor, old_data, sizeof(old_data))); break;
    case 1: OK(OH_NNExecutor_SetInputWithMemory(shared_executor, 0, &old_tensor, old_input)); break;
    case 2: OK(OH_NNExecutor_SetOutput(shared_executor, 0, old_data, sizeof(old_data))); break;
    default: OK(OH_NNExecutor_SetOutputWithMemory(shared_executor, 0, old_output)); break;
    }
    __atomic_store_n(&setter_is_back, 1, __ATOMIC_SEQ_CST);
    return unused;
}

/* Each of them takes away what the run before it may be using. */
Test(threads, what_an_old_run_uses_is_set_anew_only_after_its_end, .timeout = 30) {
    shared_executor = mock_executor_of(four, 1);
    old_tensor.dataType = OH_NN_FLOAT32;
    old_tensor.dimensionCount = 1;
    old_tensor.dimensions = four;
    old_input = OH_NNExecutor_AllocateInputMemory(shared_executor, 0, sizeof(old_data));
    old_output = OH_NNExecutor_AllocateOutputMemory(shared_executor, 0, sizeof(old_data));
    cr_assert(old_input != NULL && old_output != NULL);
    OK(OH_NNExecutor_SetInput(shared_executor, 0, &old_tensor, old_data, sizeof(old_data)));
    OK(OH_NNExecutor_SetOutput(shared_executor, 0, old_data, sizeof(old_data)));
    for (setter = 0; setter < 4; setter++) {
        pthread_t run, set;
        MOCK_WRITE(hang, 1);
        __atomic_store_n(&setter_is_back, 0, __ATOMIC_SEQ_CST);
        cr_assert_eq(pthread_create(&run, NULL, old_run, NULL), 0);
        while (MOCK_READ(running) == 0) usleep(500);
        cr_assert_eq(pthread_create(&set, NULL, old_setter, NULL), 0);
        usleep(20000);
        cr_assert_eq(__atomic_load_n(&setter_is_back, __ATOMIC_SEQ_CST), 0, "setter %d did not wait", setter);
        MOCK_WRITE(hang, 0);
        cr_assert_eq(pthread_join(run, NULL), 0);
        cr_assert_eq(pthread_join(set, NULL), 0);
    }
    OH_NNExecutor_DestroyInputMemory(shared_executor, 0, &old_input);
    OH_NNExecutor_DestroyOutputMemory(shared_executor, 0, &old_output);
    OH_NNExecutor_Destroy(&shared_executor);
}

/* ------------------------------------------------------------------------ threads that share a step */

/* A step whose units note that they were done, and by whom. */
typedef struct shared_step {
    nnrt__step_kind kind;
    nnrt__step_view view;
    unsigned char *times; /* [units] */
    void *data[1];
    pthread_t caller;
    int32_t cancel, chunks_of_others, finished; /* atomic; units */
    uint32_t kept_back;                         /* units of the chunk of: */
    bool one_waits;                             /* the first that is no caller, until all others are done */
    bool caller_waits;                          /* until another has a chunk */
    uint32_t fails_at;                          /* a unit */
    uint32_t cancels_at;
} shared_step;

static shared_step step;

static OH_NN_ReturnCode step_run(const nnrt__step_view *view, const nnrt__step_call *call) {
    shared_step *self = (shared_step *)call->data[0];
    const bool other = pthread_equal(self->caller, pthread_self()) == 0;
    uint32_t unit;
    if (other && nnrt__atomic_add(&self->chunks_of_others, 1) == 1 && self->one_waits) {
        self->kept_back = call->last - call->first;
        while ((uint32_t)nnrt__atomic_load(&self->finished) + self->kept_back < view->units) usleep(100);
    }
    while (!other && self->caller_waits && nnrt__atomic_load(&self->chunks_of_others) == 0) usleep(100);
    for (unit = call->first; unit < call->last; unit++) {
        self->times[unit]++;
        if (unit == self->cancels_at) nnrt__atomic_store(call->cancel, 1);
        if (unit == self->fails_at) return nnrt__fail(OH_NN_UNAVAILABLE_DEVICE, "unit %u is odd", (unsigned)unit);
    }
    (void)nnrt__atomic_add(&self->finished, (int32_t)(call->last - call->first));
    return OH_NN_SUCCESS;
}

static void open_step(uint32_t units, uint64_t work) {
    static const nnrt__plan_step no_product;
    memset(&step, 0, sizeof(step));
    step.view.step = &no_product;
    step.kind.run = step_run;
    step.view.units = units;
    step.view.work = work;
    step.view.chunk = units;
    step.times = (unsigned char *)calloc(units, 1);
    step.data[0] = &step;
    step.caller = pthread_self();
    step.fails_at = step.cancels_at = UINT32_MAX;
}

static OH_NN_ReturnCode run_step(nnrt__team *team, uint32_t parts) {
    return nnrt__team_run(team, parts, &step.kind, &step.view, step.data, NULL, 0, &step.cancel);
}

/* How many units were done; each once. */
static uint32_t close_step(void) {
    uint32_t unit, done = 0;
    for (unit = 0; unit < step.view.units; unit++) {
        cr_assert_leq(step.times[unit], 1, "unit %u", (unsigned)unit);
        done += step.times[unit];
    }
    free(step.times);
    return done;
}

Test(threads, every_unit_of_a_step_is_done_once, .timeout = 30) {
    static const uint32_t units[] = {2, 3, 4, 5, 7, 16, 63, 64, 65, 1000};
    uint32_t threads, i, round, parts;
    for (threads = 2; threads <= 5; threads++) {
        nnrt__team *team = nnrt__team_new(threads, OH_NN_PRIORITY_NONE);
        cr_assert_not_null(team);
        for (round = 0; round < 20; round++)
            for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
                open_step(units[i], round % 2 != 0 ? 1000 : units[i]);
                parts = nnrt__team_parts(team, &step.view);
                cr_assert_eq(parts, units[i] < threads ? units[i] : threads);
                OK(run_step(team, parts));
                cr_assert_eq(close_step(), units[i], "%u threads, %u units", (unsigned)threads, (unsigned)units[i]);
            }
        nnrt__team_free(team);
    }
}

Test(threads, a_step_goes_to_as_many_threads_as_it_has_units_and_work_for) {
    static const struct {
        uint32_t units;
        uint64_t work;
        uint32_t parts;
    } rows[] = {{1, 1000000, 1}, {100, 0, 0},   {100, 199, 1},   {100, 200, 2},
                {100, 399, 3},   {100, 400, 4}, {3, 1000000, 3}, {100, UINT64_MAX, 4}};
    nnrt__team *team = nnrt__team_new(4, OH_NN_PRIORITY_NONE);
    size_t i;
    cr_assert_not_null(team);
    team->least = 100;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        open_step(rows[i].units, rows[i].work);
        cr_assert_eq(nnrt__team_parts(team, &step.view), rows[i].parts, "row %zu", i);
        (void)close_step();
    }
    nnrt__team_free(team);
}

Test(threads, what_rounds_many_outputs_of_few_products_counts_for_more_than_those) {
    static nnrt__plan_step product;
    static nnrt__plan_value out;
    static const nnrt__plan_value *const operands[] = {&out};
    nnrt__team *team = nnrt__team_new(4, OH_NN_PRIORITY_NONE);
    cr_assert_not_null(team);
    team->least = 100;
    product.macs = 200;
    out.dtype = OH_NN_FLOAT32;
    out.size = 4 * 50;
    open_step(100, 200);
    step.view.operands = operands;
    step.view.output_count = 1;
    cr_assert_eq(nnrt__team_leasts(team, &step.view), 2);
    step.view.step = &product;
    cr_assert_eq(nnrt__team_leasts(team, &step.view), (200 + 50 * NNRT__TEAM_PER_ELEMENT) / 100);
    (void)close_step();
    nnrt__team_free(team);
}

/* Waits until all workers sleep. */
static void all_sleep(nnrt__team *team) {
    while (nnrt__atomic_load(&team->asleep) != (int32_t)team->thread_count - 1) usleep(200);
}

Test(threads, workers_sleep_soon_after_a_step_and_are_woken_for_a_long_one, .timeout = 30) {
    int round;
    nnrt__team *team = nnrt__team_new(2, OH_NN_PRIORITY_NONE);
    cr_assert_not_null(team);
    for (round = 0; round < 3; round++) {
        all_sleep(team);
        open_step(100, 1000000);
        step.caller_waits = true;
        OK(run_step(team, 2));
        cr_assert_eq(close_step(), 100u);
    }
    nnrt__team_free(team);
}

/* A sleeper needs the mutex to go on. */
Test(threads, a_thread_that_does_not_come_is_not_waited_for, .timeout = 30) {
    nnrt__team *team = nnrt__team_new(3, OH_NN_PRIORITY_NONE);
    cr_assert_not_null(team);
    all_sleep(team);
    nnrt__mutex_lock(&team->mutex);
    team->least = 100;
    open_step(100, 100 * NNRT__TEAM_WAKE - 1);
    OK(run_step(team, 3));
    nnrt__mutex_unlock(&team->mutex);
    cr_assert_eq(step.chunks_of_others, 0);
    cr_assert_eq(close_step(), 100u);
    nnrt__team_free(team);
}

Test(threads, a_core_that_is_busy_elsewhere_keeps_back_one_chunk_and_not_its_share, .timeout = 30) {
    uint32_t threads;
    for (threads = 2; threads <= 3; threads++) { /* the caller looks out for the end, and where cores are few sleeps */
        nnrt__team *team = nnrt__team_new(threads, OH_NN_PRIORITY_NONE);
        cr_assert_not_null(team);
        all_sleep(team);
        open_step(80 * threads, 1000000);
        step.one_waits = step.caller_waits = true;
        OK(run_step(team, threads));
        cr_assert_eq(step.kept_back, 80u / NNRT__TEAM_CHUNKS);
        cr_assert_eq(close_step(), 80 * threads);
        nnrt__team_free(team);
    }
}

Test(threads, the_first_chunk_that_fails_ends_the_step_and_tells_why, .timeout = 30) {
    nnrt__team *team = nnrt__team_new(2, OH_NN_PRIORITY_NONE);
    uint32_t unit;
    cr_assert_not_null(team);
    for (unit = 0; unit < 64; unit++) {
        char text[32];
        open_step(64, 1000000);
        step.fails_at = unit;
        step.caller_waits = unit >= 32;
        all_sleep(team); /* so that it is woken */
        snprintf(text, sizeof(text), "unit %u is odd", (unsigned)unit);
        cr_assert_eq(run_step(team, 2), OH_NN_UNAVAILABLE_DEVICE);
        cr_assert_not_null(strstr(nnrt__sentence(), text), "%s", nnrt__sentence());
        step.fails_at = UINT32_MAX;
        (void)close_step();
        open_step(64, 1000000);
        OK(run_step(team, 2));
        cr_assert_eq(close_step(), 64u);
    }
    nnrt__team_free(team);
}

Test(threads, a_step_that_is_stopped_ends_with_the_chunks_under_way, .timeout = 30) {
    nnrt__team *team = nnrt__team_new(2, OH_NN_PRIORITY_NONE);
    cr_assert_not_null(team);
    open_step(1600, 1000000);
    step.cancels_at = 0;
    step.view.chunk = 1;
    step.caller_waits = true;
    all_sleep(team);
    OK(run_step(team, 2));
    cr_assert_lt(close_step(), 1600u);
    open_step(1600, 1000000);
    step.cancel = 1;
    OK(run_step(team, 2));
    cr_assert_eq(close_step(), 0u);
    nnrt__team_free(team);
}

Test(threads, threads_that_outnumber_the_cores_never_look_out) {
    const uint32_t cores = (uint32_t)nnrt__core_count();
    uint32_t threads;
    for (threads = cores > 1 ? cores : 2; threads <= cores + 1 && threads <= NNRT__MAX_THREADS; threads++) {
        nnrt__team *team = nnrt__team_new(threads, OH_NN_PRIORITY_NONE);
        cr_assert_not_null(team);
        cr_assert_eq(team->spins, threads <= cores);
        nnrt__team_free(team);
    }
}

#ifndef NNRT_NO_STDIO
static char folder[] = "/tmp/nnrt-threads-XXXXXX";

static void *same_cache(void *unused) {
    OH_NNModel *model = mock_model(four, 1);
    int i;
    for (i = 0; i < 5; i++) {
        OH_NNCompilation *c = OH_NNCompilation_Construct(model);
        OK(OH_NNCompilation_SetDevice(c, device));
        OK(OH_NNCompilation_SetCache(c, folder, (uint32_t)1));
        OK(OH_NNCompilation_AddExtensionConfig(c, "mock.mode", "x", 1));
        OK(OH_NNCompilation_Build(c));
        OH_NNCompilation_Destroy(&c);
    }
    OH_NNModel_Destroy(&model);
    return unused;
}

Test(threads, builds_share_one_cache_directory, .timeout = 30) {
    char path[64];
    cr_assert_not_null(mkdtemp(folder));
    mock.keep_no_request = true;
    device = mock_id();
    together(same_cache);
    snprintf(path, sizeof(path), "%s/0.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/cache_info.nncache", folder);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0, "temporary files stay behind");
}
#endif
