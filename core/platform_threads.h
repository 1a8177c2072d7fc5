/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_threads.h - mutexes, conditions, threads and atomics, on POSIX.   >>platform_threads */
#ifndef NNRT_CORE_PLATFORM_THREADS_H
#define NNRT_CORE_PLATFORM_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#define NNRT__THREAD_LOCAL __thread
#define NNRT__HAS_THREADS 1

/* With assertions a mutex records its holder: the address of a thread-local variable, or NULL.
   NNRT__ASSERT_HELD(mutex), for either kind, is for functions that are called with the mutex held. */
#if NNRT__HAS_ASSERT
NNRT__FN const void *nnrt__this_thread(void) {
    static NNRT__THREAD_LOCAL char here;
    return &here;
}
#define NNRT__OWNER(name) const void *name;
#define NNRT__NO_OWNER , NULL
#define NNRT__SET_OWNER(mutex, thread) __atomic_store_n(&(mutex)->owner, thread, __ATOMIC_RELAXED)
#define NNRT__IS_OWNER(mutex) (__atomic_load_n(&(mutex)->owner, __ATOMIC_RELAXED) == nnrt__this_thread())
#else
#define NNRT__OWNER(name)
#define NNRT__NO_OWNER
#define NNRT__SET_OWNER(mutex, thread) ((void)(mutex))
#define NNRT__IS_OWNER(mutex) ((void)(mutex), true)
#endif
#define NNRT__ASSERT_HELD(mutex) NNRT_ASSERT(NNRT__IS_OWNER(mutex))

typedef struct nnrt__mutex {
    pthread_mutex_t handle;
    NNRT__OWNER(owner) /* atomic */
} nnrt__mutex;
typedef struct nnrt__cond {
    pthread_cond_t handle;
} nnrt__cond;
typedef struct nnrt__thread {
    pthread_t handle;
} nnrt__thread;
#define NNRT__MUTEX_INIT \
    { PTHREAD_MUTEX_INITIALIZER NNRT__NO_OWNER }

NNRT__FN bool nnrt__mutex_init(nnrt__mutex *mutex) {
    NNRT__SET_OWNER(mutex, NULL);
    return pthread_mutex_init(&mutex->handle, NULL) == 0;
}
NNRT__FN void nnrt__mutex_destroy(nnrt__mutex *mutex) { (void)pthread_mutex_destroy(&mutex->handle); }
NNRT__FN void nnrt__mutex_lock(nnrt__mutex *mutex) {
    NNRT_ASSERT(!NNRT__IS_OWNER(mutex)); /* it would wait for itself */
    (void)pthread_mutex_lock(&mutex->handle);
    NNRT__SET_OWNER(mutex, nnrt__this_thread());
}
NNRT__FN void nnrt__mutex_unlock(nnrt__mutex *mutex) {
    NNRT__ASSERT_HELD(mutex);
    NNRT__SET_OWNER(mutex, NULL);
    (void)pthread_mutex_unlock(&mutex->handle);
}

/* Waits against CLOCK_MONOTONIC, so that a clock set by NTP moves no deadline. */
NNRT__FN bool nnrt__cond_init(nnrt__cond *cond) {
    pthread_condattr_t attributes;
    bool ok;
    if (pthread_condattr_init(&attributes) != 0) return false;
    ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
         pthread_cond_init(&cond->handle, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return ok;
}
NNRT__FN void nnrt__cond_destroy(nnrt__cond *cond) { (void)pthread_cond_destroy(&cond->handle); }
NNRT__FN void nnrt__cond_broadcast(nnrt__cond *cond) { (void)pthread_cond_broadcast(&cond->handle); }
NNRT__FN void nnrt__cond_wait(nnrt__cond *cond, nnrt__mutex *mutex) {
    NNRT__ASSERT_HELD(mutex);
    NNRT__SET_OWNER(mutex, NULL);
    (void)pthread_cond_wait(&cond->handle, &mutex->handle);
    NNRT__SET_OWNER(mutex, nnrt__this_thread());
}
/* false when deadline_ns (of nnrt__now_ns) has passed. */
NNRT__FN bool nnrt__cond_wait_until(nnrt__cond *cond, nnrt__mutex *mutex, uint64_t deadline_ns) {
    struct timespec until;
    bool in_time;
    NNRT__ASSERT_HELD(mutex);
    until.tv_sec = (time_t)(deadline_ns / 1000000000u);
    until.tv_nsec = (long)(deadline_ns % 1000000000u);
    NNRT__SET_OWNER(mutex, NULL);
    in_time = pthread_cond_timedwait(&cond->handle, &mutex->handle, &until) == 0;
    NNRT__SET_OWNER(mutex, nnrt__this_thread());
    return in_time;
}
NNRT__FN bool nnrt__thread_start(nnrt__thread *thread, void *(*body)(void *), void *argument) {
    return pthread_create(&thread->handle, NULL, body, argument) == 0;
}
NNRT__FN void nnrt__thread_join(nnrt__thread *thread) { (void)pthread_join(thread->handle, NULL); }
/* Nobody will wait for its end. */
NNRT__FN void nnrt__thread_detach(nnrt__thread *thread) { (void)pthread_detach(thread->handle); }
NNRT__FN bool nnrt__thread_is_self(const nnrt__thread *thread) {
    return pthread_equal(thread->handle, pthread_self()) != 0;
}

/* Needed by platform_no_threads.h only; here mutexes order memory. */
NNRT__INLINE void nnrt__fence(void) {}

/* A mutex that is rarely contended, in a few instructions; pthread_mutex_lock and _unlock take fifty, and a whole model
   may take a thousand. A thread that finds it taken registers as waiting and waits under the mutex under which it is
   woken. */
enum {
    NNRT__MUTEX_FREE,
    NNRT__MUTEX_TAKEN,
    NNRT__MUTEX_AWAITED /* taken, and somebody may wait */
};
typedef struct nnrt__fast_mutex {
    int32_t state; /* atomic */
    nnrt__mutex mutex;
    nnrt__cond freed;
    NNRT__OWNER(owner) /* atomic */
} nnrt__fast_mutex;
NNRT__FN bool nnrt__fast_mutex_init(nnrt__fast_mutex *fast) {
    fast->state = NNRT__MUTEX_FREE;
    NNRT__SET_OWNER(fast, NULL);
    if (!nnrt__mutex_init(&fast->mutex)) return false;
    if (nnrt__cond_init(&fast->freed)) return true;
    nnrt__mutex_destroy(&fast->mutex);
    return false;
}
NNRT__FN void nnrt__fast_mutex_destroy(nnrt__fast_mutex *fast) {
    nnrt__cond_destroy(&fast->freed);
    nnrt__mutex_destroy(&fast->mutex);
}
NNRT__NOINLINE void nnrt__fast_mutex_wait(nnrt__fast_mutex *fast) {
    nnrt__mutex_lock(&fast->mutex);
    while (__atomic_exchange_n(&fast->state, NNRT__MUTEX_AWAITED, __ATOMIC_ACQUIRE) != NNRT__MUTEX_FREE)
        nnrt__cond_wait(&fast->freed, &fast->mutex);
    nnrt__mutex_unlock(&fast->mutex);
}
NNRT__NOINLINE void nnrt__fast_mutex_wake(nnrt__fast_mutex *fast) {
    nnrt__mutex_lock(&fast->mutex);
    nnrt__cond_broadcast(&fast->freed);
    nnrt__mutex_unlock(&fast->mutex);
}
/* Always true: a build without threads returns false instead of waiting. */
NNRT__INLINE bool nnrt__fast_mutex_lock(nnrt__fast_mutex *fast) {
    int32_t seen = NNRT__MUTEX_FREE;
    NNRT_ASSERT(!NNRT__IS_OWNER(fast)); /* it would wait for itself */
    if (!__atomic_compare_exchange_n(&fast->state, &seen, NNRT__MUTEX_TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        nnrt__fast_mutex_wait(fast);
    NNRT__SET_OWNER(fast, nnrt__this_thread());
    return true;
}
/* For assertions: somebody has taken it. */
NNRT__INLINE bool nnrt__fast_mutex_is_taken(const nnrt__fast_mutex *fast) {
    return __atomic_load_n(&fast->state, __ATOMIC_RELAXED) != NNRT__MUTEX_FREE;
}
NNRT__INLINE void nnrt__fast_mutex_unlock(nnrt__fast_mutex *fast) {
    NNRT__ASSERT_HELD(fast);
    NNRT__SET_OWNER(fast, NULL);
    if (__atomic_exchange_n(&fast->state, NNRT__MUTEX_FREE, __ATOMIC_RELEASE) == NNRT__MUTEX_AWAITED)
        nnrt__fast_mutex_wake(fast);
}
/* Sets the calling thread's system priority for runs of this priority: LOW below other threads (nice +10), HIGH above
   them (-5) where permitted; being refused is not a failure. Only on Linux does this affect one thread; in POSIX it is
   the whole process. */
#ifdef __linux__
NNRT__FN void nnrt__thread_take_priority(OH_NN_Priority priority) {
    const int delta = priority == OH_NN_PRIORITY_LOW ? 10 : priority == OH_NN_PRIORITY_HIGH ? -5 : 0;
    const int got = delta != 0 ? nice(delta) : 0;
    (void)got;
}
#else
NNRT__FN void nnrt__thread_take_priority(OH_NN_Priority priority) { (void)priority; }
#endif
/* Yields this core to another waiting thread. */
NNRT__FN void nnrt__thread_yield(void) { (void)sched_yield(); }
/* For a spin loop: leaves the core's units, or its power, to others. */
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__i386__) || defined(__x86_64__))
NNRT__INLINE void nnrt__thread_pause(void) { __builtin_ia32_pause(); }
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__ARM_ARCH) && __ARM_ARCH >= 7
NNRT__INLINE void nnrt__thread_pause(void) { __asm__ __volatile__("yield" ::: "memory"); }
#else
NNRT__INLINE void nnrt__thread_pause(void) {}
#endif
NNRT__FN int nnrt__core_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 64 ? 64 : (int)count;
}

/* GCC 4.7 and clang have these builtins on every target of ours. add returns the new value. */
NNRT__FN int32_t nnrt__atomic_add(int32_t *value, int32_t delta) {
    return __atomic_add_fetch(value, delta, __ATOMIC_ACQ_REL);
}
NNRT__FN int32_t nnrt__atomic_load(int32_t *value) { return __atomic_load_n(value, __ATOMIC_ACQUIRE); }
/* Without a barrier, for a value that is polled and implies nothing about other memory. */
NNRT__INLINE int32_t nnrt__atomic_peek(const int32_t *value) { return __atomic_load_n(value, __ATOMIC_RELAXED); }
NNRT__FN void nnrt__atomic_store(int32_t *value, int32_t to) { __atomic_store_n(value, to, __ATOMIC_RELEASE); }
/* Without a barrier, for a pointer that is only compared. */
NNRT__INLINE const void *nnrt__atomic_peek_mark(const void *const *mark) {
    return __atomic_load_n(mark, __ATOMIC_RELAXED);
}
NNRT__INLINE void nnrt__atomic_set_mark(const void **mark, const void *to) {
    __atomic_store_n(mark, to, __ATOMIC_RELAXED);
}

#endif /* NNRT_CORE_PLATFORM_THREADS_H */
