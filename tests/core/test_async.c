/* SPDX-License-Identifier: Apache-2.0 */
/* test_async.c - RunAsync: one callback per accepted run, in order; deadlines with a device that is slow, that can be
   cancelled, or that hangs; death; Destroy that waits. Clean under ThreadSanitizer. */
#include "linked.h"

#include "mock_device.h"

#include <pthread.h>

enum {
    MOST = 64
};

typedef struct run_log {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count, died, inside;
    int ids[MOST];
    OH_NN_ReturnCode codes[MOST];
    OH_NNExecutor *destroy; /* what the callback tries to destroy */
} run_log;

static run_log calls = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, {0}, {OH_NN_SUCCESS}, NULL};
static int ids[MOST];
static const int32_t four[1] = {4};

static void done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t output_count) {
    pthread_mutex_lock(&calls.lock);
    cr_assert_eq(calls.inside, 0, "two callbacks at once");
    calls.inside = 1;
    pthread_mutex_unlock(&calls.lock);
    cr_assert(outputs != NULL && output_count == 1);
    if (calls.destroy != NULL) {
        OH_NNExecutor *same = calls.destroy;
        OH_NNExecutor_Destroy(&same);
        cr_assert_eq(same, calls.destroy);
    }
    if (code != OH_NN_SUCCESS) cr_assert_neq(nnrt_last_error()[0], '\0');
    pthread_mutex_lock(&calls.lock);
    calls.inside = 0;
    calls.ids[calls.count] = (int)((int *)user - ids);
    calls.codes[calls.count++] = code;
    pthread_cond_broadcast(&calls.changed);
    pthread_mutex_unlock(&calls.lock);
}

static void died(void *user) {
    cr_assert_not_null(user);
    pthread_mutex_lock(&calls.lock);
    calls.died++;
    pthread_mutex_unlock(&calls.lock);
}

static void wait_for(int count) {
    pthread_mutex_lock(&calls.lock);
    while (calls.count < count) pthread_cond_wait(&calls.changed, &calls.lock);
    pthread_mutex_unlock(&calls.lock);
}

static int finished(void) {
    int count;
    pthread_mutex_lock(&calls.lock);
    count = calls.count;
    pthread_mutex_unlock(&calls.lock);
    return count;
}

#define ASYNC(e, in, out, timeout, id) OH_NNExecutor_RunAsync(e, &(in), 1, &(out), 1, timeout, &ids[id])

/* ms until a deadline that comes while the device is at the run: enough for an emulator to start three threads. */
#define SOON 250

static OH_NNExecutor *executor;
static NN_Tensor *in, *out;

static void begin(void) {
    executor = mock_executor_of(four, 1);
    in = mock_tensor(four, 1);
    out = mock_tensor(four, 1);
    OK(OH_NNExecutor_SetOnRunDone(executor, done));
    OK(OH_NNExecutor_SetOnServiceDied(executor, died));
}

static void end(void) {
    if (executor != NULL) OH_NNExecutor_Destroy(&executor);
    if (in != NULL) OK(OH_NNTensor_Destroy(&in));
    if (out != NULL) OK(OH_NNTensor_Destroy(&out));
    cr_assert_eq(counting_live(), 0);
    cr_assert_eq(MOCK_READ(live_executors) + MOCK_READ(live_prepared), 0);
}

Test(async, every_accepted_run_ends_in_one_callback_in_order, .timeout = 20) {
    int i;
    begin();
    mock_floats(in)[0] = 41;
    for (i = 0; i < MOST; i++) OK(ASYNC(executor, in, out, i % 2 * 10000, i));
    wait_for(MOST);
    for (i = 0; i < MOST; i++) cr_assert(calls.ids[i] == i && calls.codes[i] == OH_NN_SUCCESS);
    cr_assert_eq(mock_floats(out)[0], 42);
    end();
    cr_assert_eq(calls.count, MOST);
}

/* The device has met other tensors since, so that it must not go on with those of the last synchronous run. */
Test(async, no_run_repeats_one_that_was_before_an_asynchronous_one, .timeout = 20) {
    NN_Tensor *others[2];
    begin();
    others[0] = mock_tensor(four, 1);
    others[1] = mock_tensor(four, 1);
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    cr_assert_eq(MOCK_READ(last_repeated), NNRT__REMEMBERS);
    OK(ASYNC(executor, others[0], others[1], 0, 0));
    wait_for(1);
    cr_assert_not(MOCK_READ(last_repeated));
    OK(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1));
    cr_assert_not(MOCK_READ(last_repeated));
    OK(OH_NNTensor_Destroy(&others[0]));
    OK(OH_NNTensor_Destroy(&others[1]));
    end();
}

Test(async, arguments_are_checked_before_a_run_is_accepted) {
    OH_NNExecutor *other = mock_executor_of(four, 1);
    NN_Tensor *none = NULL;
    begin();
    REFUSED(ASYNC(NULL, in, out, 0, 0), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, NULL, 1, &out, 1, 0, ids), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, &in, 0, &out, 1, 0, ids), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, &in, 201, &out, 1, 0, ids), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, &in, 1, NULL, 1, 0, ids), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, &in, 1, &out, 0, 0, ids), IP);
    REFUSED(OH_NNExecutor_RunAsync(executor, &in, 1, &out, 1, 0, NULL), IP);
    REFUSED(ASYNC(executor, none, out, 0, 0), IP);
    REFUSED(ASYNC(executor, in, none, 0, 0), IP);
    REFUSED(ASYNC(other, in, out, 0, 0), FORBIDDEN); /* no callback */
    REFUSED(OH_NNExecutor_SetOnRunDone(NULL, done), IP);
    REFUSED(OH_NNExecutor_SetOnRunDone(executor, NULL), IP);
    REFUSED(OH_NNExecutor_SetOnServiceDied(NULL, died), IP);
    REFUSED(OH_NNExecutor_SetOnServiceDied(executor, NULL), IP);
    OH_NNExecutor_Destroy(&other);
    end();
    cr_assert_eq(calls.count, 0);
}

Test(async, a_run_past_its_deadline_is_cancelled_and_the_next_one_goes_on, .timeout = 20) {
    begin();
    MOCK_WRITE(heed_cancel, 1);
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, SOON, 0));
    wait_for(1);
    cr_assert_eq(calls.codes[0], OH_NN_TIMEOUT);
    MOCK_WRITE(hang, 0);
    OK(ASYNC(executor, in, out, 10000, 1));
    wait_for(2);
    cr_assert_eq(calls.codes[1], OH_NN_SUCCESS);
    cr_assert_geq(MOCK_READ(cancelled), 1);
    end();
    cr_assert_eq(calls.count, 2);
}

Test(async, a_cancel_that_comes_before_the_device_looks_for_one_is_repeated, .timeout = 20) {
    begin();
    MOCK_WRITE(late_look, 1);
    MOCK_WRITE(heed_cancel, 1);
    MOCK_WRITE(hang, 1); /* for ever: only a second cancel ends the run */
    OK(ASYNC(executor, in, out, SOON, 0));
    wait_for(1);
    cr_assert_eq(calls.codes[0], OH_NN_TIMEOUT);
    OK(nnrt_executor_wait_late(executor, 15000));
    cr_assert_geq(MOCK_READ(cancelled), 2);
    end();
    cr_assert_eq(calls.count, 1);
}

static int free_tensors; /* callbacks that came when the device had stopped */

static void look_at_the_device(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t output_count) {
    if (nnrt_executor_wait_late(executor, 0) == OH_NN_SUCCESS) {
        cr_assert_eq(MOCK_READ(running), 0);
        mock_floats(in)[0] = 1; /* the sanitizer watches */
        mock_floats(out)[0] = 1;
        free_tensors++;
    }
    done(user, code, outputs, output_count);
}

/* A busy machine may take more than the grace now and then. */
Test(async, a_device_that_stops_when_asked_has_let_go_of_the_tensors_when_the_callback_comes, .timeout = 20) {
    int i;
    begin();
    OK(OH_NNExecutor_SetOnRunDone(executor, look_at_the_device));
    MOCK_WRITE(heed_cancel, 1);
    MOCK_WRITE(hang, 1);
    for (i = 0; i < 20; i++) {
        OK(ASYNC(executor, in, out, 10, i));
        wait_for(i + 1);
        cr_assert_eq(calls.codes[i], OH_NN_TIMEOUT);
    }
    cr_assert_geq(free_tensors, 5, "%d of 20", free_tensors);
    end();
}

Test(async, the_end_of_a_late_run_can_be_waited_for, .timeout = 20) {
    begin();
    REFUSED(nnrt_executor_wait_late(NULL, 0), IP);
    OK(nnrt_executor_wait_late(executor, 0));
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, 500, 0));
    while (MOCK_READ(running) == 0) usleep(500);
    OK(nnrt_executor_wait_late(executor, 0)); /* it is not late */
    wait_for(1);
    REFUSED(nnrt_executor_wait_late(executor, 0), OH_NN_TIMEOUT);
    REFUSED(nnrt_executor_wait_late(executor, 30), OH_NN_TIMEOUT);
    MOCK_WRITE(hang, 0);
    OK(nnrt_executor_wait_late(executor, 15000));
    mock_floats(in)[0] = 5; /* the sanitizer watches */
    OK(ASYNC(executor, in, out, 0, 1));
    wait_for(2);
    cr_assert(calls.codes[1] == OH_NN_SUCCESS && mock_floats(out)[0] == 6);
    end();
}

static OH_NN_ReturnCode never_let_go(void *object, uint32_t timeout_ms) {
    (void)object;
    return timeout_ms < 100 ? nnrt_backend_fail(OH_NN_TIMEOUT, "mock: it has them") : OH_NN_SUCCESS;
}

Test(async, the_device_says_when_a_run_that_has_returned_has_let_go_of_its_tensors) {
    mock_backend.wait_late = never_let_go;
    begin();
    REFUSED(nnrt_executor_wait_late(executor, 50), OH_NN_TIMEOUT);
    OK(nnrt_executor_wait_late(executor, 1000));
    end();
}

static void *run_synchronously(void *other_tensors) {
    NN_Tensor **tensors = (NN_Tensor **)other_tensors;
    OK(OH_NNExecutor_RunSync(executor, &tensors[0], 1, &tensors[1], 1));
    return NULL;
}

Test(async, a_run_that_waits_for_a_synchronous_one_is_late_without_a_cancel, .timeout = 20) {
    NN_Tensor *tensors[2] = {mock_tensor(four, 1), mock_tensor(four, 1)};
    pthread_t thread;
    begin();
    MOCK_WRITE(hang, 1);
    cr_assert_eq(pthread_create(&thread, NULL, run_synchronously, tensors), 0);
    while (MOCK_READ(running) == 0) usleep(500);
    OK(ASYNC(executor, in, out, SOON, 0));
    wait_for(1);
    cr_assert_eq(calls.codes[0], OH_NN_TIMEOUT);
    cr_assert_eq(MOCK_READ(running), 1);
    MOCK_WRITE(hang, 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    OK(OH_NNTensor_Destroy(&tensors[0]));
    OK(OH_NNTensor_Destroy(&tensors[1]));
    end();
    cr_assert_eq(MOCK_READ(cancelled), 0);
    cr_assert_eq(MOCK_READ(runs), 1, "the late run was begun");
}

/* ----------------------------------------------------------------------------------- callbacks that are stuck */

static int stuck, block; /* a callback is stuck; it is to be */

static void stuck_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t output_count) {
    if (user == &ids[1]) {
        __atomic_store_n(&stuck, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&block, __ATOMIC_SEQ_CST) != 0) usleep(500);
        __atomic_store_n(&stuck, 0, __ATOMIC_SEQ_CST);
    }
    done(user, code, outputs, output_count);
}

Test(async, a_stuck_callback_delays_no_cancel_and_no_other_executor, .timeout = 20) {
    OH_NNExecutor *other;
    NN_Tensor *in2 = mock_tensor(four, 1), *out2 = mock_tensor(four, 1);
    begin();
    other = mock_executor_of(four, 1);
    OK(OH_NNExecutor_SetOnRunDone(other, done));
    OK(OH_NNExecutor_SetOnRunDone(executor, stuck_done));
    MOCK_WRITE(hang, 1);
    MOCK_WRITE(heed_cancel, 1);
    __atomic_store_n(&block, 1, __ATOMIC_SEQ_CST);
    OK(ASYNC(executor, in, out, 400, 0)); /* hangs */
    OK(ASYNC(executor, in, out, 20, 1));  /* waits behind it; its callback is stuck */
    while (__atomic_load_n(&stuck, __ATOMIC_SEQ_CST) == 0) usleep(500);
    OK(ASYNC(other, in2, out2, SOON, 2)); /* hangs, too */
    wait_for(1);
    cr_assert(calls.ids[0] == 2 && calls.codes[0] == OH_NN_TIMEOUT);
    while (MOCK_READ(running) != 0) usleep(500); /* until the first is cancelled */
    cr_assert_eq(__atomic_load_n(&stuck, __ATOMIC_SEQ_CST), 1);
    cr_assert_eq(finished(), 1, "callbacks of one executor overlap");
    __atomic_store_n(&block, 0, __ATOMIC_SEQ_CST);
    wait_for(3);
    cr_assert(calls.ids[1] == 1 && calls.codes[1] == OH_NN_TIMEOUT);
    cr_assert(calls.ids[2] == 0 && calls.codes[2] == OH_NN_TIMEOUT);
    OH_NNExecutor_Destroy(&other);
    OK(OH_NNTensor_Destroy(&in2));
    OK(OH_NNTensor_Destroy(&out2));
    end();
}

#ifdef NNRT_NO_STDIO
#define CODE_OF_GET_FD OH_NN_OPERATION_FORBIDDEN
#else
#define CODE_OF_GET_FD OH_NN_SUCCESS
#endif

/* Everything that takes a lock, from inside a callback. */
static void busy_done(void *user, OH_NN_ReturnCode code, void *outputs[], int32_t output_count) {
    static nnrt_backend more;
    const size_t *devices = NULL;
    uint32_t count = 0;
    nnrt_memory memory;
    int fd = -1;
    OH_NNExecutor *another;
    NN_Tensor *in2, *out2;
    MOCK_WRITE(hang, 0);
    if (user == &ids[0]) {
        more = mock_backend;
        more.name = "more";
        OK(nnrt_register_backend(&more, NULL));
    }
    OK(OH_NNDevice_GetAllDevicesID(&devices, &count));
    OK(nnrt_executor_wait_late(executor, 15000));
    OK(nnrt_executor_get_memory(executor, &memory));
    another = mock_executor_of(four, 1);
    in2 = mock_tensor(four, 1);
    out2 = mock_tensor(four, 1);
    cr_assert_eq((int)OH_NNTensor_GetFd(in2, &fd), (int)CODE_OF_GET_FD);
    OK(OH_NNExecutor_RunSync(another, &in2, 1, &out2, 1));
    OK(OH_NNExecutor_RunSync(executor, &in2, 1, &out2, 1));
    OH_NNExecutor_Destroy(&another);
    OK(OH_NNTensor_Destroy(&in2));
    OK(OH_NNTensor_Destroy(&out2));
    OK(OH_NNExecutor_SetOnRunDone(executor, done));
    OK(ASYNC(executor, in, out, 10000, 9));
    done(user, code, outputs, output_count);
}

Test(async, a_callback_may_use_nnrt, .timeout = 30) {
    begin();
    OK(OH_NNExecutor_SetOnRunDone(executor, busy_done));
    OK(ASYNC(executor, in, out, 0, 0)); /* its callback comes from the worker */
    wait_for(2);
    cr_assert(calls.ids[0] == 0 && calls.ids[1] == 9 && calls.codes[1] == OH_NN_SUCCESS);
    OK(OH_NNExecutor_SetOnRunDone(executor, busy_done));
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, SOON, 1)); /* and this one, while the device is at the run, from the reporter */
    wait_for(4);
    cr_assert(calls.ids[2] == 1 && calls.codes[2] == OH_NN_TIMEOUT);
    cr_assert(calls.ids[3] == 9 && calls.codes[3] == OH_NN_SUCCESS);
    end();
}

/* --------------------------------------------------------------------------------------------- hangs and ends */

Test(async, a_device_that_hangs_delays_no_report_and_writes_nowhere_else, .timeout = 20) {
    NN_Tensor *in2 = mock_tensor(four, 1), *out2 = mock_tensor(four, 1);
    begin();
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, SOON, 0));
    OK(ASYNC(executor, in, out, SOON + 50, 1)); /* waits behind it */
    OK(ASYNC(executor, in2, out2, 0, 2));
    wait_for(2);
    cr_assert(calls.ids[0] + calls.ids[1] == 1, "%d and %d", calls.ids[0], calls.ids[1]);
    cr_assert(calls.codes[0] == OH_NN_TIMEOUT && calls.codes[1] == OH_NN_TIMEOUT);
    cr_assert_eq(MOCK_READ(running), 1);
    OK(OH_NNTensor_Destroy(&in)); /* the device still has them: the sanitizers watch its late result */
    OK(OH_NNTensor_Destroy(&out));
    cr_assert_eq(finished(), 2);
    MOCK_WRITE(hang, 0);
    OH_NNExecutor_Destroy(&executor); /* waits for the third */
    cr_assert_eq(calls.count, 3);
    cr_assert(calls.ids[2] == 2 && calls.codes[2] == OH_NN_SUCCESS);
    OK(OH_NNTensor_Destroy(&in2));
    OK(OH_NNTensor_Destroy(&out2));
    end();
}

#ifndef NNRT_NO_STDIO
Test(async, a_tensor_of_a_run_gets_no_descriptor_before_the_run_has_ended, .timeout = 20) {
    int fd = -1;
    begin();
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, SOON, 0));
    REFUSED(OH_NNTensor_GetFd(in, &fd), FORBIDDEN);
    wait_for(1); /* past its deadline, and still at it */
    REFUSED(OH_NNTensor_GetFd(out, &fd), FORBIDDEN);
    MOCK_WRITE(hang, 0);
    OH_NNExecutor_Destroy(&executor);
    OK(OH_NNTensor_GetFd(in, &fd));
    OK(OH_NNTensor_GetFd(out, &fd));
    end();
}
#endif

Test(async, a_dead_device_is_told_once_and_refuses_later_runs, .timeout = 20) {
    begin();
    mock.run_code = OH_NN_CONNECTION_EXCEPTION;
    MOCK_WRITE(hang, 0);
    OK(ASYNC(executor, in, out, 0, 0));
    wait_for(1);
    cr_assert_eq(calls.codes[0], OH_NN_CONNECTION_EXCEPTION);
    cr_assert_eq(calls.died, 1);
    REFUSED(ASYNC(executor, in, out, 0, 1), OH_NN_UNAVAILABLE_DEVICE);
    REFUSED(OH_NNExecutor_RunSync(executor, &in, 1, &out, 1), OH_NN_UNAVAILABLE_DEVICE);
    end();
    cr_assert_eq(calls.died, 1);
}

/* A busy machine may take more than the deadline to begin or than the grace to end, and the callback then gets
   OH_NN_TIMEOUT: the next attempt has more time. Where none is in time, nothing but that answer could be tried. */
Test(async, a_device_that_dies_when_it_is_cancelled_is_told_to_be_dead, .timeout = 20) {
    int i;
    for (i = 0; i < 10; i++) {
        calls.count = calls.died = 0;
        begin();
        mock.cancel_code = OH_NN_CONNECTION_EXCEPTION;
        MOCK_WRITE(heed_cancel, 1);
        MOCK_WRITE(hang, 1);
        OK(ASYNC(executor, in, out, 10 << i / 2, 0));
        wait_for(1);
        end();
        cr_assert_eq(calls.died, calls.codes[0] == OH_NN_CONNECTION_EXCEPTION);
        if (calls.died == 1) return;
        cr_assert_eq(calls.codes[0], OH_NN_TIMEOUT);
    }
    cr_skip_test("no attempt was in time");
}

Test(async, destroy_inside_a_callback_does_nothing, .timeout = 20) {
    begin();
    calls.destroy = executor;
    OK(ASYNC(executor, in, out, 0, 0));
    wait_for(1);
    MOCK_WRITE(hang, 1); /* the same from the thread that reports late runs */
    OK(ASYNC(executor, in, out, SOON, 1));
    wait_for(2);
    cr_assert_eq(MOCK_READ(live_executors), 1);
    MOCK_WRITE(hang, 0);
    end();
}

Test(async, every_allocation_that_fails_accepts_nothing, .timeout = 20) {
    long live;
    begin();
    live = counting_live();
    counting_fail_at(0);
    REFUSED(ASYNC(executor, in, out, 0, 0), OH_NN_MEMORY_ERROR);
    counting_fail_never();
    cr_assert_eq(counting_live(), live);
    end();
    cr_assert_eq(calls.count, 0);
}
