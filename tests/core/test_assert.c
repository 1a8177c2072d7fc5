/* SPDX-License-Identifier: Apache-2.0 */
/* test_assert.c - NNRT_ASSERT looks in every test: a condition that does not hold ends the process, in a suite and in
   the library that it links with; and who holds a mutex is known. That the product evaluates none of them is shown by
   tests/compile/run.sh, which has a build without. */
#include "linked.h"

#include <criterion/criterion.h>
#include <signal.h>

Test(assert, a_condition_that_holds_changes_nothing) {
    int looks = 0;
    NNRT_ASSERT(++looks == 1);
    cr_assert_eq(looks, 1, "the condition is evaluated once");
    cr_assert(NNRT__HAS_ASSERT);
}

Test(assert, a_condition_that_does_not_hold_ends_the_process, .signal = SIGABRT) { NNRT_ASSERT(sizeof(char) == 2); }

Test(assert, the_library_that_suites_link_with_looks_too, .signal = SIGABRT) {
    const int32_t dims[NNRT_MAX_RANK + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    (void)nnrt__desc_new("too many dimensions", OH_NN_INT8, OH_NN_FORMAT_NONE, NNRT_MAX_RANK + 1, dims);
}

#ifndef NNRT_NO_THREADS

static nnrt__mutex mutex = NNRT__MUTEX_INIT;
static nnrt__fast_mutex fast;

Test(assert, a_mutex_is_held_between_its_two_calls) {
    nnrt__mutex_lock(&mutex);
    NNRT__ASSERT_HELD(&mutex);
    nnrt__mutex_unlock(&mutex);
    cr_assert_not(NNRT__IS_OWNER(&mutex));
    cr_assert(nnrt__fast_mutex_init(&fast));
    nnrt__fast_mutex_lock(&fast);
    NNRT__ASSERT_HELD(&fast);
    nnrt__fast_mutex_unlock(&fast);
    cr_assert_not(NNRT__IS_OWNER(&fast));
    nnrt__fast_mutex_destroy(&fast);
}

static void *look(void *is_held) {
    *(bool *)is_held = NNRT__IS_OWNER(&mutex);
    return NULL;
}

Test(assert, a_mutex_that_another_thread_holds_is_not_ours) {
    nnrt__thread thread;
    bool is_held = true;
    nnrt__mutex_lock(&mutex);
    cr_assert(nnrt__thread_start(&thread, look, &is_held));
    nnrt__thread_join(&thread);
    nnrt__mutex_unlock(&mutex);
    cr_assert_not(is_held);
}

Test(assert, who_waits_for_a_condition_holds_the_mutex_afterwards) {
    nnrt__cond cond;
    cr_assert(nnrt__cond_init(&cond));
    nnrt__mutex_lock(&mutex);
    cr_assert_not(nnrt__cond_wait_until(&cond, &mutex, nnrt__now_ns() + 1000000));
    NNRT__ASSERT_HELD(&mutex);
    nnrt__mutex_unlock(&mutex);
    nnrt__cond_destroy(&cond);
}

Test(assert, a_mutex_is_not_taken_twice, .signal = SIGABRT) {
    nnrt__mutex_lock(&mutex);
    nnrt__mutex_lock(&mutex);
}

Test(assert, a_mutex_is_not_given_back_by_who_does_not_hold_it, .signal = SIGABRT) { nnrt__mutex_unlock(&mutex); }

Test(assert, a_condition_is_not_waited_for_without_the_mutex, .signal = SIGABRT) {
    nnrt__cond cond;
    cr_assert(nnrt__cond_init(&cond));
    nnrt__cond_wait(&cond, &mutex);
}

Test(assert, a_fast_mutex_is_not_given_back_by_who_does_not_hold_it, .signal = SIGABRT) {
    cr_assert(nnrt__fast_mutex_init(&fast));
    nnrt__fast_mutex_unlock(&fast);
}

#endif /* NNRT_NO_THREADS */
