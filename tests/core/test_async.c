/* SPDX-License-Identifier: Apache-2.0 */
/* test_async.c - RunAsync: one callback per accepted run, in order; deadlines with a device that is slow, that can be
   cancelled, or that hangs; death; Destroy that waits. Clean under ThreadSanitizer. */
#include "counting_alloc.h"
#define NNRT_NO_CPU /* not needed here; a quarter of the time to compile */
#define NNRT_IMPLEMENTATION
#include "nnrt.h"

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
    OK(ASYNC(executor, in, out, 20, 0));
    wait_for(1);
    cr_assert_eq(calls.codes[0], OH_NN_TIMEOUT);
    MOCK_WRITE(hang, 0);
    OK(ASYNC(executor, in, out, 10000, 1));
    wait_for(2);
    cr_assert_eq(calls.codes[1], OH_NN_SUCCESS);
    cr_assert_eq(MOCK_READ(cancelled), 1);
    end();
    cr_assert_eq(calls.count, 2);
}

Test(async, a_device_that_hangs_delays_no_report_and_writes_nowhere_else, .timeout = 20) {
    NN_Tensor *in2 = mock_tensor(four, 1), *out2 = mock_tensor(four, 1);
    begin();
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, 20, 0));
    OK(ASYNC(executor, in, out, 30, 1)); /* waits behind it */
    OK(ASYNC(executor, in2, out2, 0, 2));
    wait_for(2);
    cr_assert(calls.ids[0] == 0 && calls.ids[1] == 1);
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

Test(async, a_tensor_of_a_run_gets_no_descriptor_before_the_run_has_ended, .timeout = 20) {
    int fd = -1;
    begin();
    MOCK_WRITE(hang, 1);
    OK(ASYNC(executor, in, out, 20, 0));
    REFUSED(OH_NNTensor_GetFd(in, &fd), FORBIDDEN);
    wait_for(1); /* past its deadline, and still at it */
    REFUSED(OH_NNTensor_GetFd(out, &fd), FORBIDDEN);
    MOCK_WRITE(hang, 0);
    OH_NNExecutor_Destroy(&executor);
    OK(OH_NNTensor_GetFd(in, &fd));
    OK(OH_NNTensor_GetFd(out, &fd));
    end();
}

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

Test(async, destroy_inside_a_callback_does_nothing, .timeout = 20) {
    begin();
    calls.destroy = executor;
    OK(ASYNC(executor, in, out, 0, 0));
    wait_for(1);
    cr_assert_eq(MOCK_READ(live_executors), 1);
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
