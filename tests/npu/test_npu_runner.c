/* SPDX-License-Identifier: Apache-2.0 */
/* test_npu_runner.c - runs that are given up, without any vendor: a run here is a list of calls that the test holds
   back and lets go. Upper bounds of times are generous, for emulators and busy machines. */
#include "linked.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "npu/gate.h"
#include "npu/runner.h"

#ifndef NNRT_NO_THREADS

#define GRACE_MS 100u
#define SOON_NS 5000000000ull /* what ends at once has ended by then */

/* A run of up to three calls. */
typedef struct work {
    nnrt__runner runner;
    nnrt__gate gate;    /* the call that hangs waits for it */
    int32_t calls;      /* made, or under way */
    int32_t returned;   /* calls that came back */
    int32_t given_back; /* calls of call_anyway */
    int32_t given_up;   /* work->give_up was called so often */
    int32_t ended;      /* work->end */
    int32_t argument;   /* of the run under way */
    int32_t wanted_calls;
    int32_t hang_at;    /* the call that waits for the gate; 0: none */
    int32_t converting; /* the run is between calls, and stays there while stay is set */
    int32_t stay;
    OH_NN_ReturnCode code; /* of the last call */
} work;

static void begin(void *user, const void *argument) { ((work *)user)->argument = *(const int32_t *)argument; }

static OH_NN_ReturnCode call(void *user) {
    work *w = (work *)user;
    if (nnrt__atomic_add(&w->calls, 1) == w->hang_at) {
        (void)nnrt__gate_enter(&w->gate);
        nnrt__gate_leave(&w->gate);
    }
    (void)nnrt__atomic_add(&w->returned, 1);
    return w->code == OH_NN_SUCCESS ? OH_NN_SUCCESS : nnrt__fail(w->code, "the call says so");
}

static void give_back(void *user) { (void)nnrt__atomic_add(&((work *)user)->given_back, 1); }

static OH_NN_ReturnCode run(void *user) {
    work *w = (work *)user;
    OH_NN_ReturnCode code = OH_NN_SUCCESS, last;
    int32_t i;
    for (i = 0; i < w->wanted_calls && code == OH_NN_SUCCESS; i++) {
        nnrt__atomic_store(&w->converting, 1);
        while (nnrt__atomic_load(&w->stay) != 0) (void)usleep(500);
        nnrt__atomic_store(&w->converting, 0);
        code = nnrt__runner_call(&w->runner, call, w);
    }
    last = nnrt__runner_call_anyway(&w->runner, give_back, w);
    return code == OH_NN_SUCCESS ? last : code;
}

static void give_up(void *user) { (void)nnrt__atomic_add(&((work *)user)->given_up, 1); }

static void end(void *user) { nnrt__atomic_store(&((work *)user)->ended, 1); }

static const nnrt__runner_work the_work = {begin, run, give_up, end};

static void set_up(work *w, nnrt__runner_group *group) {
    memset(w, 0, sizeof(*w));
    cr_assert(nnrt__gate_init(&w->gate));
    cr_assert(nnrt__runner_init(&w->runner, &the_work, w, group, GRACE_MS, "test.grace_ms"));
    w->wanted_calls = 3;
}

static void tear_down(work *w) {
    cr_assert(nnrt__runner_close(&w->runner));
    nnrt__runner_destroy(&w->runner);
    nnrt__gate_destroy(&w->gate);
    cr_assert_eq(w->ended, 0, "whoever closes ends it");
}

static OH_NN_ReturnCode start(work *w, uint32_t timeout_ms) {
    const int32_t argument = 7;
    nnrt__atomic_store(&w->calls, 0);
    nnrt__atomic_store(&w->returned, 0);
    nnrt__atomic_store(&w->given_back, 0);
    return nnrt__runner_run(&w->runner, timeout_ms, &argument);
}

static void until(int32_t *value, int32_t wanted) {
    int i;
    for (i = 0; i < 10000 && nnrt__atomic_load(value) != wanted; i++) (void)usleep(1000);
    cr_assert_eq(nnrt__atomic_load(value), wanted);
}

static void expect_sentence(const char *part) {
    cr_assert_not_null(strstr(nnrt_last_error(), part), "%s", nnrt_last_error());
}

Test(npu_runner, without_a_deadline_the_caller_runs_it, .timeout = 30) {
    work w;
    set_up(&w, NULL);
    cr_assert_eq(start(&w, 0), OH_NN_SUCCESS);
    cr_assert(w.calls == 3 && w.given_back == 1 && w.argument == 7);
    cr_assert_not(w.runner.has_thread);
    w.code = OH_NN_FAILED;
    cr_assert_eq(start(&w, 0), OH_NN_FAILED);
    expect_sentence("the call says so");
    cr_assert(w.calls == 1 && w.given_back == 1, "the first failure ends it, and what was taken is given back");
    tear_down(&w);
}

Test(npu_runner, its_thread_gives_code_and_sentence_to_whoever_asked, .timeout = 30) {
    work w;
    set_up(&w, NULL);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS, "once is enough");
    cr_assert_eq(start(&w, 20000), OH_NN_SUCCESS);
    w.code = OH_NN_FAILED;
    cr_assert_eq(start(&w, 20000), OH_NN_FAILED);
    expect_sentence("the call says so");
    tear_down(&w);
}

Test(npu_runner, a_call_that_hangs_is_left_behind_at_the_deadline, .timeout = 60) {
    work w;
    uint64_t from;
    set_up(&w, NULL);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS);
    cr_assert(nnrt__gate_enter(&w.gate));
    w.hang_at = 2;
    from = nnrt__now_ns();
    cr_assert_eq(start(&w, 30), OH_NN_TIMEOUT);
    cr_assert(nnrt__now_ns() - from >= 30000000u && nnrt__now_ns() - from < SOON_NS);
    expect_sentence("passed its deadline");
    cr_assert(w.given_up == 1 && nnrt__runner_is_given_up(&w.runner));
    from = nnrt__now_ns();
    cr_assert_eq(start(&w, 0), OH_NN_CONNECTION_EXCEPTION, "the next run waits a grace");
    cr_assert(nnrt__now_ns() - from >= GRACE_MS * 1000000u && nnrt__now_ns() - from < SOON_NS);
    expect_sentence("100 ms (test.grace_ms)");
    nnrt__gate_leave(&w.gate);
    until(&w.given_back, 1);
    w.hang_at = 0;
    cr_assert_eq(start(&w, 20000), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert(w.calls == 3 && !nnrt__runner_is_given_up(&w.runner));
    tear_down(&w);
}

Test(npu_runner, a_cancel_that_just_missed_a_run_leaves_the_next_one_its_deadline, .timeout = 60) {
    work w;
    uint64_t begun;
    set_up(&w, NULL);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS);
    nnrt__runner_cancel(&w.runner);
    cr_assert_eq(start(&w, 0), OH_NN_SUCCESS, "%s", nnrt_last_error());
    nnrt__runner_cancel(&w.runner);
    cr_assert(nnrt__gate_enter(&w.gate));
    w.hang_at = 1;
    begun = nnrt__now_ns();
    cr_assert_eq(start(&w, 700), OH_NN_TIMEOUT);
    cr_assert(nnrt__now_ns() - begun >= 700000000u, "too early");
    nnrt__gate_leave(&w.gate);
    until(&w.given_back, 1);
    tear_down(&w);
}

static void *cancel_in_conversion(void *user) {
    work *w = (work *)user;
    until(&w->converting, 1);
    nnrt__runner_cancel(&w->runner);
    (void)usleep(20000); /* the run is waited for, not given up */
    nnrt__atomic_store(&w->stay, 0);
    return NULL;
}

Test(npu_runner, a_run_that_converts_is_waited_for_and_makes_no_more_calls, .timeout = 60) {
    work w;
    nnrt__thread thread;
    set_up(&w, NULL);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS);
    w.stay = 1;
    cr_assert(nnrt__thread_start(&thread, cancel_in_conversion, &w));
    cr_assert_eq(start(&w, 0), OH_NN_TIMEOUT);
    nnrt__thread_join(&thread);
    until(&w.given_back, 1);
    cr_assert(w.calls == 0, "the program's tensors may be gone");
    tear_down(&w);
}

Test(npu_runner, closing_while_a_call_hangs_returns_at_once_and_the_thread_ends_it, .timeout = 60) {
    work w;
    uint64_t from;
    set_up(&w, NULL);
    cr_assert_eq(nnrt__runner_start(&w.runner), OH_NN_SUCCESS);
    cr_assert(nnrt__gate_enter(&w.gate));
    w.hang_at = 1;
    cr_assert_eq(start(&w, 10), OH_NN_TIMEOUT);
    from = nnrt__now_ns();
    cr_assert_not(nnrt__runner_close(&w.runner));
    cr_assert_lt(nnrt__now_ns() - from, SOON_NS);
    cr_assert_eq(nnrt__atomic_load(&w.ended), 0);
    nnrt__gate_leave(&w.gate);
    until(&w.ended, 1);
    cr_assert(w.given_back == 1 && w.calls == 1);
    nnrt__runner_destroy(&w.runner);
    nnrt__gate_destroy(&w.gate);
}

/* ------------------------------------------------------------------------------------------------- groups */

static void *run_there(void *user) {
    work *w = (work *)user;
    w->code = OH_NN_SUCCESS;
    return (void *)(uintptr_t)(start(w, 0) == OH_NN_SUCCESS);
}

Test(npu_runner, executors_of_a_group_take_turns, .timeout = 60) {
    nnrt__runner_group group;
    work one, other;
    nnrt__thread thread;
    memset(&group, 0, sizeof(group));
    cr_assert(nnrt__mutex_init(&group.mutex));
    set_up(&one, &group);
    set_up(&other, &group);
    cr_assert_eq(nnrt__runner_start(&other.runner), OH_NN_SUCCESS);
    one.stay = 1;
    cr_assert(nnrt__thread_start(&thread, run_there, &one));
    until(&one.converting, 1);
    cr_assert_eq(start(&other, 20), OH_NN_TIMEOUT, "its deadline comes while the other one runs");
    cr_assert(other.calls == 0 && other.given_up == 0);
    nnrt__atomic_store(&one.stay, 0);
    nnrt__thread_join(&thread);
    cr_assert_eq(one.calls, 3);
    cr_assert_eq(start(&other, 20000), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert(group.holder == NULL && group.waiting == NULL);

    cr_assert(nnrt__gate_enter(&other.gate));
    other.hang_at = 1;
    cr_assert_eq(start(&other, 10), OH_NN_TIMEOUT);
    cr_assert_eq(start(&one, 0), OH_NN_CONNECTION_EXCEPTION, "the memory is still in use");
    nnrt__gate_leave(&other.gate);
    until(&other.given_back, 1);
    cr_assert_eq(start(&one, 0), OH_NN_SUCCESS, "%s", nnrt_last_error());
    tear_down(&other);
    cr_assert_eq(start(&one, 0), OH_NN_SUCCESS, "the other one is gone: %s", nnrt_last_error());
    tear_down(&one);
    nnrt__mutex_destroy(&group.mutex);
}

/* ----------------------------------------------------------------------------------------------- the gate */

Test(npu_gate, a_stuck_gate_turns_away_until_whoever_is_inside_leaves, .timeout = 30) {
    nnrt__gate gate;
    memset(&gate, 0, sizeof(gate));
    cr_assert(nnrt__gate_init(&gate));
    nnrt__gate_give_up(&gate);
    cr_assert_not(nnrt__gate_is_stuck(&gate), "nobody is inside");
    cr_assert(nnrt__gate_try(&gate));
    cr_assert_not(nnrt__gate_try(&gate));
    nnrt__gate_give_up(&gate);
    cr_assert(nnrt__gate_is_stuck(&gate));
    cr_assert_not(nnrt__gate_enter(&gate), "and at once");
    cr_assert_not(nnrt__gate_enter_until(&gate, nnrt__now_ns() + 1000000u));
    nnrt__gate_leave(&gate);
    cr_assert_not(nnrt__gate_is_stuck(&gate));
    cr_assert(nnrt__gate_enter(&gate));
    nnrt__gate_leave(&gate);
    nnrt__gate_destroy(&gate);
}

#endif
