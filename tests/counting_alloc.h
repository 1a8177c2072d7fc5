/* SPDX-License-Identifier: Apache-2.0 */
/* counting_alloc.h - an allocator for tests that counts calls, live blocks and bytes, and can refuse one allocation.

   Include it before nnrt.h. counting_fail_at(n) makes the n-th allocation from now on fail (0 is the next one), and
   only that one; counting_failed() says whether it was reached. To prove "out of memory leaves nothing behind", loop
   over n = 0, 1, 2 ... until the chosen allocation is no longer reached, and check each time that counting_live() is
   what it was before. counting_bytes() is the sum of the sizes allocated and not yet freed, counting_peak() its maximum
   since counting_peak_begin(), counting_calls() the number of allocations so far and counting_total() the sum of their
   sizes. counting_refuse_above(size) refuses larger blocks from now on, as a small board would, and
   counting_budget(size) what would make counting_bytes() larger than that; SIZE_MAX takes either back. Each allocation
   is filled with a different value, so that a result that depends on uninitialised bytes differs between runs; not
   under MemorySanitizer, which finds them by itself. */
#ifndef NNRT_TESTS_COUNTING_ALLOC_H
#define NNRT_TESTS_COUNTING_ALLOC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef COUNTING_SHARED /* by the object and the suite that links with it: linked.h */
#define COUNTING_FN
#else
#define COUNTING_FN __attribute__((unused)) static
#endif

COUNTING_FN long counting_live(void);
COUNTING_FN size_t counting_bytes(void);
COUNTING_FN size_t counting_calls(void);
COUNTING_FN size_t counting_total(void);
COUNTING_FN void counting_peak_begin(void);
COUNTING_FN size_t counting_peak(void);
COUNTING_FN void counting_refuse_above(size_t size);
COUNTING_FN void counting_budget(size_t size);
COUNTING_FN void counting_fail_at(long n);
COUNTING_FN void counting_fail_never(void);
COUNTING_FN bool counting_failed(void);
COUNTING_FN void *counting_malloc(size_t size);
COUNTING_FN void *counting_realloc(void *old, size_t size);
COUNTING_FN void counting_free(void *block);

#define NNRT_MALLOC(size) counting_malloc(size)
#define NNRT_REALLOC(pointer, size) counting_realloc(pointer, size)
#define NNRT_FREE(pointer) counting_free(pointer)

#ifndef COUNTING_ELSEWHERE

static long counting_live_blocks;
static size_t counting_live_bytes, counting_peak_bytes, counting_call_count, counting_total_bytes;
static size_t counting_largest = SIZE_MAX, counting_most = SIZE_MAX;
static long counting_until_failure = -1; /* < 0: no allocation fails */
static bool counting_has_failed;

COUNTING_FN long counting_live(void) { return __atomic_load_n(&counting_live_blocks, __ATOMIC_SEQ_CST); }

COUNTING_FN size_t counting_bytes(void) { return __atomic_load_n(&counting_live_bytes, __ATOMIC_SEQ_CST); }

COUNTING_FN size_t counting_calls(void) { return __atomic_load_n(&counting_call_count, __ATOMIC_SEQ_CST); }

COUNTING_FN size_t counting_total(void) { return __atomic_load_n(&counting_total_bytes, __ATOMIC_SEQ_CST); }

COUNTING_FN void counting_refuse_above(size_t size) { counting_largest = size; }

COUNTING_FN void counting_budget(size_t size) { counting_most = size; }

COUNTING_FN void counting_peak_begin(void) {
    __atomic_store_n(&counting_peak_bytes, counting_bytes(), __ATOMIC_SEQ_CST);
}

COUNTING_FN size_t counting_peak(void) { return __atomic_load_n(&counting_peak_bytes, __ATOMIC_SEQ_CST); }

COUNTING_FN void counting_fail_at(long n) {
    counting_has_failed = false;
    __atomic_store_n(&counting_until_failure, n, __ATOMIC_SEQ_CST);
}

COUNTING_FN void counting_fail_never(void) { counting_fail_at(-1); }

COUNTING_FN bool counting_failed(void) { return counting_has_failed; }

static bool counting_refuses(void) {
    if (__atomic_load_n(&counting_until_failure, __ATOMIC_SEQ_CST) < 0) return false;
    if (__atomic_fetch_sub(&counting_until_failure, 1, __ATOMIC_SEQ_CST) != 0) return false;
    counting_has_failed = true;
    return true;
}

/* Every block has its size in front, in a unit that keeps the alignment of malloc. */
enum {
    COUNTING_FRONT = 16
};

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define COUNTING_LEAVES_AS_IT_IS
#endif
#endif
#ifdef COUNTING_LEAVES_AS_IT_IS
#define COUNTING_FILL(bytes, value, size) ((void)(bytes))
#else
#define COUNTING_FILL(bytes, value, size) ((void)memset(bytes, value, size))
#endif

static void counting_note(size_t taken, size_t given_back) {
    size_t bytes = __atomic_add_fetch(&counting_live_bytes, taken - given_back, __ATOMIC_SEQ_CST);
    size_t peak = counting_peak();
    while (bytes > peak && !__atomic_compare_exchange_n(&counting_peak_bytes, &peak, bytes, false, __ATOMIC_SEQ_CST,
                                                        __ATOMIC_SEQ_CST)) {}
}

COUNTING_FN void *counting_realloc(void *old, size_t size) {
    size_t *front = old != NULL ? (size_t *)(void *)((char *)old - COUNTING_FRONT) : NULL;
    const size_t before = front != NULL ? *front : 0;
    (void)__atomic_add_fetch(&counting_call_count, 1, __ATOMIC_SEQ_CST);
    if (size > counting_largest || counting_refuses() || size > SIZE_MAX - COUNTING_FRONT) return NULL;
    if (size > counting_most || counting_bytes() - before > counting_most - size) return NULL;
    (void)__atomic_add_fetch(&counting_total_bytes, size, __ATOMIC_SEQ_CST);
    front = (size_t *)realloc(front, size + COUNTING_FRONT);
    if (front == NULL) return NULL;
    *front = size;
    if (size > before)
        COUNTING_FILL((char *)front + COUNTING_FRONT + before, (int)(counting_calls() * 151 & 0xff), size - before);
    if (old == NULL) (void)__atomic_add_fetch(&counting_live_blocks, 1, __ATOMIC_SEQ_CST);
    counting_note(size, before);
    return (char *)front + COUNTING_FRONT;
}

COUNTING_FN void *counting_malloc(size_t size) { return counting_realloc(NULL, size); }

COUNTING_FN void counting_free(void *block) {
    size_t *front;
    if (block == NULL) return;
    front = (size_t *)(void *)((char *)block - COUNTING_FRONT);
    (void)__atomic_sub_fetch(&counting_live_blocks, 1, __ATOMIC_SEQ_CST);
    counting_note(0, *front);
    free(front);
}

#endif /* COUNTING_ELSEWHERE */

#endif /* NNRT_TESTS_COUNTING_ALLOC_H */
