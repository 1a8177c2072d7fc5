/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_no_threads.h - NNRT_NO_THREADS: the names of platform_threads.h for one thread.   >>platform_no_threads

   They exist and do nothing, so that no caller needs an #if: thread creation fails, and what needs a thread (RunAsync,
   several cores) says so. No header, no thread-local storage, no atomic instruction that the processor may lack. One
   thing remains of locks: a run cannot begin inside another one (docs/interrupts.md). */
#ifndef NNRT_CORE_PLATFORM_NO_THREADS_H
#define NNRT_CORE_PLATFORM_NO_THREADS_H

#define NNRT__THREAD_LOCAL
#define NNRT__HAS_THREADS 0

typedef struct nnrt__mutex {
    char unused;
} nnrt__mutex;
typedef struct nnrt__cond {
    char unused;
} nnrt__cond;
typedef struct nnrt__thread {
    char unused;
} nnrt__thread;
#define NNRT__MUTEX_INIT \
    { 0 }
#define NNRT__ASSERT_HELD(mutex) ((void)(mutex))

NNRT__FN bool nnrt__mutex_init(nnrt__mutex *mutex) {
    (void)mutex;
    return true;
}
NNRT__FN void nnrt__mutex_destroy(nnrt__mutex *mutex) { (void)mutex; }
NNRT__FN void nnrt__mutex_lock(nnrt__mutex *mutex) { (void)mutex; }
NNRT__FN void nnrt__mutex_unlock(nnrt__mutex *mutex) { (void)mutex; }
NNRT__FN bool nnrt__cond_init(nnrt__cond *cond) {
    (void)cond;
    return true;
}
NNRT__FN void nnrt__cond_destroy(nnrt__cond *cond) { (void)cond; }
NNRT__FN void nnrt__cond_broadcast(nnrt__cond *cond) { (void)cond; }
NNRT__FN void nnrt__cond_wait(nnrt__cond *cond, nnrt__mutex *mutex) {
    (void)cond;
    (void)mutex;
}
NNRT__FN bool nnrt__cond_wait_until(nnrt__cond *cond, nnrt__mutex *mutex, uint64_t deadline_ns) {
    (void)cond;
    (void)mutex;
    (void)deadline_ns;
    return false;
}
NNRT__FN bool nnrt__thread_start(nnrt__thread *thread, void *(*body)(void *), void *argument) {
    (void)thread;
    (void)body;
    (void)argument;
    return false;
}
NNRT__FN void nnrt__thread_join(nnrt__thread *thread) { (void)thread; }
NNRT__FN void nnrt__thread_detach(nnrt__thread *thread) { (void)thread; }
NNRT__FN bool nnrt__thread_is_self(const nnrt__thread *thread) {
    (void)thread;
    return false;
}

/* Orders memory accesses before and after it for an interrupt of this core, which sees its own core in order, so that
   only the compiler must be stopped from reordering. With other compilers volatile and opaque calls have to do. */
#if defined(__GNUC__) || defined(__clang__)
NNRT__INLINE void nnrt__fence(void) { __asm__ __volatile__("" ::: "memory"); }
#else
NNRT__INLINE void nnrt__fence(void) {}
#endif

/* A mutex without waiting: a caller that finds it taken has interrupted or preempted its holder, and gets false. With
   an atomic instruction (not on a Cortex-M0) two tasks cannot both take it; without one they can only if they switch
   back and forth within a few instructions, which interrupts never do. */
typedef struct nnrt__fast_mutex {
    volatile uint32_t taken;
} nnrt__fast_mutex;
NNRT__FN bool nnrt__fast_mutex_init(nnrt__fast_mutex *fast) {
    fast->taken = 0;
    return true;
}
NNRT__FN void nnrt__fast_mutex_destroy(nnrt__fast_mutex *fast) { (void)fast; }
#if defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_4)
NNRT__INLINE bool nnrt__fast_mutex_lock(nnrt__fast_mutex *fast) {
    return __atomic_exchange_n(&fast->taken, 1u, __ATOMIC_ACQUIRE) == 0;
}
#else
NNRT__INLINE bool nnrt__fast_mutex_lock(nnrt__fast_mutex *fast) {
    if (fast->taken != 0) return false;
    fast->taken = 1;
    nnrt__fence();
    return true;
}
#endif
/* For assertions: somebody has taken it. */
NNRT__INLINE bool nnrt__fast_mutex_is_taken(const nnrt__fast_mutex *fast) { return fast->taken != 0; }
NNRT__INLINE void nnrt__fast_mutex_unlock(nnrt__fast_mutex *fast) {
    nnrt__fence();
    fast->taken = 0;
}

NNRT__FN void nnrt__thread_take_priority(OH_NN_Priority priority) { (void)priority; }
NNRT__FN void nnrt__thread_yield(void) {}
NNRT__FN void nnrt__thread_pause(void) {}
NNRT__FN int nnrt__core_count(void) { return 1; }
NNRT__FN int32_t nnrt__atomic_add(int32_t *value, int32_t delta) { return *value += delta; }
NNRT__FN int32_t nnrt__atomic_load(int32_t *value) { return *value; }
NNRT__INLINE int32_t nnrt__atomic_peek(const int32_t *value) { return *value; }
NNRT__FN void nnrt__atomic_store(int32_t *value, int32_t to) { *value = to; }
NNRT__INLINE const void *nnrt__atomic_peek_mark(const void *const *mark) { return *mark; }
NNRT__INLINE void nnrt__atomic_set_mark(const void **mark, const void *to) { *mark = to; }

#endif /* NNRT_CORE_PLATFORM_NO_THREADS_H */
