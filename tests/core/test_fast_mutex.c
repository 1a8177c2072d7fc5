/* SPDX-License-Identifier: Apache-2.0 */
/* test_fast_mutex.c - the lock of an executor: one thread at a time, nobody is forgotten, whoever waits sleeps. */
#include "linked.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <time.h>

enum {
    THREADS = 4,
    TURNS = 20000
};

typedef struct shared {
    nnrt__fast_mutex mutex;
    long count;  /* under the mutex, and nothing else: ThreadSanitizer sees it when two are inside */
    long inside; /* the same */
    bool alone;
    int32_t came; /* atomic: threads that are at it, */
    int32_t spun; /* and those that used the processor while it was held */
} shared;

static void *count_up(void *argument) {
    shared *s = (shared *)argument;
    int i;
    for (i = 0; i < TURNS; i++) {
        nnrt__fast_mutex_lock(&s->mutex);
        if (++s->inside != 1) s->alone = false;
        s->count++;
        s->inside--;
        nnrt__fast_mutex_unlock(&s->mutex);
    }
    return NULL;
}

Test(fast_mutex, lets_one_thread_in_at_a_time_and_every_one_in_the_end) {
    pthread_t threads[THREADS];
    shared s;
    size_t i;
    memset(&s, 0, sizeof(s));
    s.alone = true;
    cr_assert(nnrt__fast_mutex_init(&s.mutex));
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, count_up, &s), 0);
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_expect(s.alone);
    cr_expect_eq(s.count, (long)THREADS * TURNS);
    nnrt__fast_mutex_destroy(&s.mutex);
}

static void *enter_once(void *argument) {
    shared *s = (shared *)argument;
    struct timespec used;
    (void)nnrt__atomic_add(&s->came, 1);
    nnrt__fast_mutex_lock(&s->mutex);
    s->count++;
    nnrt__fast_mutex_unlock(&s->mutex);
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0 || used.tv_sec != 0 || used.tv_nsec > 100000000)
        (void)nnrt__atomic_add(&s->spun, 1);
    return NULL;
}

/* Held for a fifth of a second; each waits without the processor, and a waiter that is woken wakes the next. */
Test(fast_mutex, those_who_wait_sleep_and_are_all_woken) {
    const struct timespec moment = {0, 200000000};
    pthread_t threads[THREADS];
    shared s;
    size_t i;
    memset(&s, 0, sizeof(s));
    cr_assert(nnrt__fast_mutex_init(&s.mutex));
    nnrt__fast_mutex_lock(&s.mutex);
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_create(&threads[i], NULL, enter_once, &s), 0);
    while (nnrt__atomic_load(&s.came) != THREADS) nnrt__thread_yield();
    cr_assert_eq(nanosleep(&moment, NULL), 0);
    cr_expect_eq(s.count, 0);
    nnrt__fast_mutex_unlock(&s.mutex);
    for (i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_expect_eq(s.count, THREADS);
    cr_expect_eq(s.spun, 0);
    nnrt__fast_mutex_destroy(&s.mutex);
}
