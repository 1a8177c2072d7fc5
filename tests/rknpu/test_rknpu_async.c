/* SPDX-License-Identifier: Apache-2.0 */
/* test_rknpu_async.c - deadlines on simulated Rockchip boards: runs that hang, come back, or never do.

   A hanging call of the library cannot be ended, only left behind. What is tested is that nobody waits for it: not the
   run with a deadline, not the next run beyond its grace, not Destroy; that everything the call may still use lives
   until it returns; and that nothing is left afterwards. Upper bounds of times are generous, for emulators and busy
   machines; a call that hangs for ever hangs for ever, so that a test which waits for it ends by its alarm. */
#include "linked.h"

#include <criterion/criterion.h>

#include <pthread.h>

#include "graph_builder.h"
#include "rknpu_board.h"

enum {
    PROMPT_MS = 4000,
    MOST = 64
};

static const char *const plain[] = {NULL};
static const char *const native[] = {"rknn.io_layout", "native", NULL};
static const char *const general[] = {"rknn.api", "general", NULL};
static const char *const short_grace[] = {"rknn.hang_grace_ms", "150", NULL};

static uint64_t now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

static void sleep_ms(long ms) {
    struct timespec time;
    time.tv_sec = ms / 1000;
    time.tv_nsec = ms % 1000 * 1000000;
    (void)nanosleep(&time, NULL);
}

/* ---------------------------------------------------------------------------------------------- callbacks */

typedef struct events {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int done, died;
    OH_NN_ReturnCode codes[MOST];
    char sentences[MOST][256];
    uint64_t times[MOST];
} events;

static void events_init(events *e) {
    memset(e, 0, sizeof(*e));
    (void)pthread_mutex_init(&e->mutex, NULL);
    (void)pthread_cond_init(&e->changed, NULL);
}

static void on_run_done(void *user, OH_NN_ReturnCode code, void **outputs, int32_t count) {
    events *e = (events *)user;
    (void)outputs;
    (void)count;
    (void)pthread_mutex_lock(&e->mutex);
    MUST(e->done < MOST, "too many callbacks");
    e->codes[e->done] = code;
    e->times[e->done] = now_ms();
    (void)snprintf(e->sentences[e->done], sizeof(e->sentences[0]), "%s", nnrt_last_error());
    e->done++;
    (void)pthread_cond_broadcast(&e->changed);
    (void)pthread_mutex_unlock(&e->mutex);
}

static void on_died(void *user) {
    events *e = (events *)user;
    (void)pthread_mutex_lock(&e->mutex);
    e->died++;
    (void)pthread_mutex_unlock(&e->mutex);
}

/* Waits until callback number n (from 0) was there; its code. */
static OH_NN_ReturnCode event(events *e, int n) {
    OH_NN_ReturnCode code;
    (void)pthread_mutex_lock(&e->mutex);
    while (e->done <= n) (void)pthread_cond_wait(&e->changed, &e->mutex);
    code = e->codes[n];
    (void)pthread_mutex_unlock(&e->mutex);
    return code;
}

static int died(events *e) {
    int count;
    (void)pthread_mutex_lock(&e->mutex);
    count = e->died;
    (void)pthread_mutex_unlock(&e->mutex);
    return count;
}

/* ------------------------------------------------------------------------------------ a model that is run */

typedef struct stage {
    rig r;
    events e;
    uint8_t answer[64];
    size_t answer_size, answer_most; /* padding behind the classes of the model changes from run to run */
    int runs;
} stage;

static void stage_begin(stage *s, const board *b) {
    events_init(&s->e);
    s->runs = 0;
    rig_tensors(&s->r, b->npu);
    MUST_WORK(OH_NNExecutor_SetOnRunDone(s->r.executor, on_run_done));
    MUST_WORK(OH_NNExecutor_SetOnServiceDied(s->r.executor, on_died));
    rig_fill(&s->r, 1);
}

static void stage_open(stage *s, const board *b, const char *const *configs) {
    rig_open(&s->r, b, "meter", configs);
    s->answer_most = 10;
    stage_begin(s, b);
}

/* A graph instead of a model: two products, [5,40] x [40,20] x [20,10]. */
static void stage_open_graph(stage *s, const board *b, const char *const *configs) {
    static const int32_t dims[3][2] = {{5, 40}, {5, 20}, {5, 10}}, weight_dims[2][2] = {{40, 20}, {20, 10}};
    const double scale = 0.05;
    int8_t weights[800];
    uint32_t from, k;
    gb_graph g;
    for (k = 0; k < 800; k++) weights[k] = (int8_t)rig_byte(3, k);
    gb_open(&g);
    from = gb_input(&g, gb_tensor_s8(&g, 2, dims[0], 0.02, 3));
    for (k = 0; k < 2; k++) {
        uint32_t inputs[2], to = gb_tensor_s8(&g, 2, dims[k + 1], 1.0, -2);
        inputs[0] = from;
        inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT8, 2, weight_dims[k], weights), 1, &scale, NULL);
        MUST_WORK(gb_op(&g, OH_NN_OPS_MATMUL, 2, inputs, 1, &to));
        from = to;
    }
    (void)gb_output(&g, from);
    MUST_WORK(gb_finish(&g));
    memset(&s->r, 0, sizeof(s->r));
    s->r.b = b;
    s->r.compilation = OH_NNCompilation_Construct(g.model);
    MUST_WORK(OH_NNCompilation_SetDevice(s->r.compilation, b->npu));
    rig_configure(s->r.compilation, configs);
    MUST_WORK(OH_NNCompilation_Build(s->r.compilation));
    gb_close(&g);
    rig_execute(&s->r);
    s->answer_most = 50;
    stage_begin(s, b);
}

/* What is right is what a run without a fault gives: it is compared with the CPU device elsewhere. */
static void stage_learn(stage *s) {
    const uint8_t *data;
    MUST_WORK(rig_run(&s->r));
    data = bytes_of(s->r.outputs[0], &s->answer_size);
    if (s->answer_size > s->answer_most) s->answer_size = s->answer_most;
    memcpy(s->answer, data, s->answer_size);
}

static void stage_check(stage *s) {
    size_t size;
    MUST(memcmp(bytes_of(s->r.outputs[0], &size), s->answer, s->answer_size) == 0, "other bytes");
}

/* A run with a deadline, waited for: its code. */
static OH_NN_ReturnCode stage_async(stage *s, int32_t timeout_ms) {
    const uint64_t start = now_ms();
    OH_NN_ReturnCode code = OH_NNExecutor_RunAsync(s->r.executor, s->r.inputs, s->r.input_count, s->r.outputs,
                                                   s->r.output_count, timeout_ms, &s->e);
    if (code != OH_NN_SUCCESS) return code;
    code = event(&s->e, s->runs++);
    MUST(now_ms() - start < (uint64_t)timeout_ms + PROMPT_MS, "%llu ms", (unsigned long long)(now_ms() - start));
    MUST(code != OH_NN_TIMEOUT || now_ms() - start >= (uint64_t)timeout_ms, "too early");
    MUST(code == OH_NN_SUCCESS || s->e.sentences[s->runs - 1][0] != '\0', "no sentence");
    return code;
}

/* Everything of the stage; never takes long. */
static void stage_close(stage *s) {
    const uint64_t start = now_ms();
    rig_end(&s->r);
    MUST(now_ms() - start < PROMPT_MS, "Destroy took %llu ms", (unsigned long long)(now_ms() - start));
}

/* Nothing hangs any more: runs of both kinds work, nobody was told that the device died. Closes the stage. */
static void stage_recovers(stage *s) {
    s->r.b->fault(NULL);
    MUST_WORK(nnrt_executor_wait_late(s->r.executor, 20000)); /* until then the tensors are the device's */
    rig_fill(&s->r, 1);
    MUST_BE(OH_NN_SUCCESS, stage_async(s, 20000));
    stage_check(s);
    rig_fill(&s->r, 1);
    MUST_WORK(rig_run(&s->r));
    stage_check(s);
    MUST(died(&s->e) == 0, "nobody died");
    stage_close(s);
}

/* After a call that hung was let go: its thread frees what it kept. */
static void wait_until_free(const board *b) {
    nnrt_sim_live live;
    int k;
    for (k = 0; k < 500; k++) {
        b->get_live(&live);
        if (live.contexts == 0 && live.memories == 0) return;
        sleep_ms(10);
    }
}

/* ------------------------------------------------------------------------------------------ one run hangs */

/* user: which call hangs. */
static void life_recovers(board *b, const void *user) {
    static const char *const *const ways[] = {plain, native, general};
    size_t way;
    for (way = 0; way < (b->mini ? 2u : 3u); way++) {
        char fault[64];
        stage s;
        stage_open(&s, b, ways[way]);
        stage_learn(&s);
        (void)snprintf(fault, sizeof(fault), "%s@1=hang", (const char *)user);
        b->fault(fault);
        if (stage_async(&s, 150) == OH_NN_TIMEOUT) {
            b->release_hang();
        } else {
            MUST(b->calls((const char *)user) == 0, "%s was called and did not hang", fault);
        }
        stage_recovers(&s);
    }
}

Test(rknpu_async, a_run_that_hangs_times_out_and_the_next_one_works, .timeout = 120) {
    static const char *const chips[] = {"rv1106", "rk3566", "rk3588", NULL};
    board_each(chips, life_recovers, "rknn_run");
    board_each(chips + 2, life_recovers, "rknn_inputs_set");
    board_each(chips + 2, life_recovers, "rknn_outputs_get");
}

/* New tensors in the run that hangs: the call binds them, or imports them, and they are destroyed before it returns. */
static void life_binding(board *b, const void *user) {
    char fault[64];
    NN_Tensor *in, *out;
    size_t size = 0, result_size = 0;
    int frame, result;
    stage s;
    stage_open(&s, b, native);
    stage_learn(&s);
    (void)bytes_of(s.r.inputs[0], &size);
    (void)bytes_of(s.r.outputs[0], &result_size);
    frame = b->dma_alloc(size);
    result = b->dma_alloc(result_size);
    in = s.r.inputs[0];
    out = s.r.outputs[0];
    s.r.inputs[0] = rig_tensor_fd(&s.r, false, 0, frame, size, 0);
    s.r.outputs[0] = rig_tensor_fd(&s.r, true, 0, result, result_size, 0);
    rig_fill(&s.r, 1);
    (void)snprintf(fault, sizeof(fault), "%s=hang", (const char *)user);
    b->fault(fault);
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 150));
    MUST_WORK(OH_NNTensor_Destroy(&s.r.inputs[0]));
    MUST_WORK(OH_NNTensor_Destroy(&s.r.outputs[0]));
    (void)close(frame);
    (void)close(result);
    s.r.inputs[0] = in;
    s.r.outputs[0] = out;
    b->release_hang();
    b->fault(NULL);
    rig_fill(&s.r, 1);
    MUST_BE(OH_NN_SUCCESS, stage_async(&s, 20000));
    stage_check(&s);
    stage_close(&s);
    if (strcmp((const char *)user, "rknn_mem_sync@2") == 0) _exit(BOARD_WORKS); /* the library misses that very sync */
}

Test(rknpu_async, tensors_destroyed_while_a_call_uses_them_live_until_it_returns, .timeout = 120) {
    static const char *const chips[] = {"rv1106", "rk3566", NULL};
    static const char *const calls[] = {"rknn_create_mem_from_fd@1", "rknn_create_mem_from_fd@2", "rknn_set_io_mem@1",
                                        "rknn_set_io_mem@2", "rknn_run@1"};
    size_t i;
    for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) board_each(chips, life_binding, calls[i]);
    /* librknnmrt synchronises imports itself; of this version of librknnrt nobody knows. */
    board_each(chips + 1, life_binding, "rknn_mem_sync@1");
    board_each(chips + 1, life_binding, "rknn_mem_sync@2");
}

/* It comes back by itself, within the grace of the next run, which then simply is a little late. */
static void life_slow(board *b, const void *user) {
    stage s;
    (void)user;
    stage_open(&s, b, plain);
    stage_learn(&s);
    b->fault("rknn_run@1=hang:500");
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
    MUST_BE(OH_NN_TIMEOUT, nnrt_executor_wait_late(s.r.executor, 0)); /* the tensors are not to be filled yet */
    MUST_BE(OH_NN_SUCCESS, stage_async(&s, 20000));
    stage_check(&s);
    MUST_WORK(nnrt_executor_wait_late(s.r.executor, 0));
    b->fault("rknn_run@0=slow:30");
    rig_fill(&s.r, 1);
    MUST_BE(OH_NN_SUCCESS, stage_async(&s, 20000));
    stage_check(&s);
    MUST(died(&s.e) == 0, "nobody died");
    stage_close(&s);
}

Test(rknpu_async, a_run_that_comes_back_late_delays_the_next_one_only, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_slow, NULL);
}

/* Deadlines also hold while the next run waits for the one that hangs. */
static void life_waits(board *b, const void *user) {
    static const char *const long_grace[] = {"rknn.hang_grace_ms", "60000", NULL};
    stage s;
    (void)user;
    stage_open(&s, b, long_grace);
    stage_learn(&s);
    b->fault("rknn_run@1=hang");
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 200));
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
    b->release_hang();
    MUST_BE(OH_NN_SUCCESS, stage_async(&s, 20000));
    stage_check(&s);
    stage_close(&s);
}

Test(rknpu_async, a_run_behind_one_that_hangs_keeps_its_own_deadline, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_waits, NULL);
}

/* user: the call that hangs, of the first product or the second. */
static void life_graph(board *b, const void *user) {
    stage s;
    stage_open_graph(&s, b, plain);
    stage_learn(&s);
    b->fault((const char *)user);
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 150));
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 150));
    b->release_hang();
    stage_recovers(&s);
}

Test(rknpu_async, a_graph_that_hangs_times_out_and_the_next_run_works, .timeout = 120) {
    static const char *const chips[] = {"rk3562", "rk3566", "rk3576", "rk3588", NULL};
    static const char *const calls[] = {"rknn_matmul_run@1=hang", "rknn_matmul_run@2=hang",
                                        "rknn_matmul_set_io_mem@1=hang", "rknn_mem_sync@1=hang"};
    size_t i;
    for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) board_each(chips, life_graph, calls[i]);
}

/* ---------------------------------------------------------------------------------------- the device dies */

static void life_dies(board *b, const void *user) {
    const bool lost = strcmp((const char *)user, "die") == 0, graph = strcmp((const char *)user, "graph hangs") == 0;
    stage s;
    (graph ? stage_open_graph : stage_open)(&s, b, short_grace);
    stage_learn(&s);
    b->fault(lost ? "rknn_run@1=die" : graph ? "rknn_matmul_run@2=hang" : "rknn_run@1=hang");
    if (!lost) MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
    MUST_BE(OH_NN_CONNECTION_EXCEPTION, stage_async(&s, 10000));
    MUST(died(&s.e) == 1, "told %d times", died(&s.e));
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&s.r));
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, stage_async(&s, 1000));
    MUST(died(&s.e) == 1, "told %d times", died(&s.e));
    stage_close(&s);
    if (lost) {
        b->fault(NULL);
        return;
    }
    b->release_hang();
    wait_until_free(b);
}

Test(rknpu_async, a_device_that_does_not_come_back_is_reported_dead_once, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_dies, "hang");
    board_each(chips + 1, life_dies, "graph hangs");
}

/* What a lost device keeps cannot be freed: only codes are looked at. */
static void life_lost(board *b, const void *user) {
    life_dies(b, user);
    _exit(BOARD_WORKS);
}

Test(rknpu_async, a_device_that_is_lost_is_reported_dead_once, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_lost, "die");
}

/* Everything is destroyed while the call hangs, in either order; later it returns and the rest is freed. */
static void life_destroy(board *b, const void *user) {
    static const char *const *const ways[] = {plain, native, general};
    const bool released = strcmp((const char *)user, "released") == 0;
    size_t way, k;
    for (way = 0; way < (b->mini ? 2u : 3u); way++) {
        for (k = 0; k < 2; k++) {
            stage s;
            stage_open(&s, b, ways[way]);
            b->fault("rknn_run@1=hang");
            MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
            if (k == 1) OH_NNCompilation_Destroy(&s.r.compilation);
            stage_close(&s);
            b->fault(NULL);
            if (!released) continue;
            b->release_hang();
            wait_until_free(b);
        }
    }
    if (!released) _exit(BOARD_WORKS); /* with threads that still hang */
}

Test(rknpu_async, destroy_never_waits_for_a_call_that_hangs, .timeout = 120) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_destroy, "released");
    board_each(chips, life_destroy, "never");
}

/* The compilation goes on: another executor of it works while one hangs, and so does a new one. */
static void life_others(board *b, const void *user) {
    stage s;
    rig other, later;
    uint8_t answer[10];
    size_t size;
    (void)user;
    stage_open(&s, b, short_grace);
    stage_learn(&s);
    memcpy(answer, s.answer, sizeof(answer));
    other = s.r;
    rig_execute(&other);
    rig_tensors(&other, b->npu);
    rig_fill(&other, 1);
    MUST_WORK(rig_run(&other));
    b->fault("rknn_run@1=hang");
    MUST_BE(OH_NN_TIMEOUT, stage_async(&s, 100));
    rig_fill(&other, 1);
    MUST_WORK(rig_run(&other));
    MUST(memcmp(bytes_of(other.outputs[0], &size), answer, sizeof(answer)) == 0, "other bytes");
    OH_NNExecutor_Destroy(&s.r.executor);
    later = s.r;
    rig_execute(&later);
    rig_tensors(&later, b->npu); /* the others are still the call's that hangs */
    rig_fill(&later, 1);
    MUST_WORK(rig_run(&later));
    MUST(memcmp(bytes_of(later.outputs[0], &size), answer, sizeof(answer)) == 0, "other bytes");
    later.compilation = NULL;
    rig_end(&later);
    other.compilation = NULL;
    rig_end(&other);
    b->release_hang();
    b->fault(NULL);
    stage_close(&s);
    wait_until_free(b);
}

Test(rknpu_async, executors_beside_one_that_hangs_go_on, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3566", "rk3588", NULL};
    board_each(chips, life_others, NULL);
}

/* ---------------------------------------------------------------------------------------- rknn.timeout_ms */

static void life_sync(board *b, const void *user) {
    static const char *const configs[] = {"rknn.timeout_ms", "150", "rknn.hang_grace_ms", "150", NULL};
    uint64_t start;
    stage s;
    (void)user;
    stage_open(&s, b, configs);
    stage_learn(&s);
    b->fault("rknn_run@1=hang");
    start = now_ms();
    MUST_BE(OH_NN_TIMEOUT, rig_run(&s.r));
    MUST(now_ms() - start >= 150 && now_ms() - start < PROMPT_MS, "%llu ms", (unsigned long long)(now_ms() - start));
    MUST(strstr(nnrt_last_error(), "deadline") != NULL, "%s", nnrt_last_error());
    b->release_hang();
    MUST_WORK(nnrt_executor_wait_late(s.r.executor, 20000));
    rig_fill(&s.r, 1);
    MUST_WORK(rig_run(&s.r));
    stage_check(&s);
    b->fault("rknn_run@1=hang");
    MUST_BE(OH_NN_TIMEOUT, rig_run(&s.r));
    start = now_ms();
    sleep_ms(1);
    MUST(rig_run(&s.r) != OH_NN_SUCCESS, "it still hangs");
    MUST(now_ms() - start < PROMPT_MS, "%llu ms", (unsigned long long)(now_ms() - start));
    stage_close(&s);
    b->release_hang();
    wait_until_free(b);
}

Test(rknpu_async, synchronous_runs_have_a_deadline_when_asked_for, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_sync, NULL);
}

/* --------------------------------------------------------------------------------- shared internal memory */

static void life_group(board *b, const void *user) {
    static const char *const full[] = {
        "rknn.memory", "internal_outside", "rknn.share_internal", "g", "rknn.hang_grace_ms", "150", NULL};
    static const char *const mini[] = {"rknn.memory", "outside", "rknn.share_internal", "g", "rknn.hang_grace_ms",
                                       "150",         NULL};
    const char *const *configs = b->mini ? mini : full;
    uint64_t start;
    stage a, c, d;
    (void)user;
    stage_open(&a, b, configs);
    stage_open(&c, b, configs);
    stage_open(&d, b, configs);
    stage_learn(&a);
    stage_learn(&c);
    stage_learn(&d);
    b->fault("rknn_run@1=hang");
    MUST_BE(OH_NN_TIMEOUT, stage_async(&a, 100));
    start = now_ms();
    MUST_BE(OH_NN_CONNECTION_EXCEPTION, rig_run(&c.r));
    MUST(now_ms() - start < PROMPT_MS, "%llu ms", (unsigned long long)(now_ms() - start));
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, rig_run(&c.r));
    stage_close(&a); /* its call still hangs, and has the memory */
    b->release_hang();
    sleep_ms(50);
    MUST_WORK(rig_run(&d.r));
    stage_check(&d);
    stage_close(&c);
    stage_close(&d);
    wait_until_free(b);
}

Test(rknpu_async, a_run_that_hangs_keeps_the_memory_that_its_group_shares, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_group, NULL);
}

/* --------------------------------------------------------------------------------------- queues and races */

static void life_queue(board *b, const void *user) {
    static const int32_t deadlines[] = {100, 150, 20000, 120, 20000, 0};
    int count = (int)(sizeof(deadlines) / sizeof(deadlines[0])), k, ended[3] = {0, 0, 0};
    stage s;
    (void)user;
    stage_open(&s, b, plain);
    stage_learn(&s);
    b->fault("rknn_run@1=hang:400");
    for (k = 0; k < count; k++)
        MUST_WORK(OH_NNExecutor_RunAsync(s.r.executor, s.r.inputs, 1, s.r.outputs, 1, deadlines[k], &s.e));
    for (k = 0; k < count; k++) {
        const OH_NN_ReturnCode code = event(&s.e, k);
        ended[code == OH_NN_SUCCESS ? 0 : code == OH_NN_TIMEOUT ? 1 : 2]++;
    }
    MUST(ended[0] == 3 && ended[1] == 3 && ended[2] == 0, "%d %d %d", ended[0], ended[1], ended[2]);
    stage_check(&s);
    stage_close(&s);
    MUST(s.e.done == count, "%d callbacks", s.e.done);
}

Test(rknpu_async, each_queued_run_ends_once_and_by_its_own_deadline, .timeout = 60) {
    static const char *const chips[] = {"rv1106", "rk3588", NULL};
    board_each(chips, life_queue, NULL);
}

/* Deadlines that fall anywhere in a run: each run ends once, as success with the right bytes or as timeout. */
static void life_races(board *b, const void *user) {
    int round;
    stage s;
    (void)user;
    stage_open(&s, b, plain);
    stage_learn(&s);
    b->fault("rknn_run@0=slow:3,rknn_set_io_mem@0=slow:1");
    for (round = 0; round < MOST - 1; round++) {
        const int32_t deadline = 1 + round % 7;
        OH_NN_ReturnCode code = OH_NNExecutor_RunAsync(s.r.executor, s.r.inputs, 1, s.r.outputs, 1, deadline, &s.e);
        MUST_WORK(code);
        code = event(&s.e, round);
        MUST(code == OH_NN_SUCCESS || code == OH_NN_TIMEOUT, "%s: %s", nnrt_strerror(code), s.e.sentences[round]);
        if (code == OH_NN_SUCCESS) stage_check(&s);
        if (round % 8 == 7) { /* tensors go while the call that was left behind still uses them */
            MUST_WORK(OH_NNTensor_Destroy(&s.r.inputs[0]));
            MUST_WORK(OH_NNTensor_Destroy(&s.r.outputs[0]));
            rig_tensors(&s.r, b->npu);
            rig_fill(&s.r, 1);
        }
    }
    b->fault(NULL);
    rig_fill(&s.r, 1);
    MUST_BE(OH_NN_SUCCESS, OH_NNExecutor_RunAsync(s.r.executor, s.r.inputs, 1, s.r.outputs, 1, 20000, &s.e));
    MUST_BE(OH_NN_SUCCESS, event(&s.e, MOST - 1));
    stage_check(&s);
    stage_close(&s);
    wait_until_free(b);
}

Test(rknpu_async, deadlines_at_any_moment_of_a_run_do_no_harm, .timeout = 120) {
    static const char *const chips[] = {"rv1106", "rk3566", "rk3588", NULL};
    board_each(chips, life_races, NULL);
}
