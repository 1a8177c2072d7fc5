/* SPDX-License-Identifier: Apache-2.0 */
/* counting_alloc.h - an allocator for tests that counts live blocks and can refuse one allocation.

   Include it before nnrt.h. counting_fail_at(n) makes the n-th allocation from now on fail (0 is the next
   one), and only that one; counting_failed() says whether it was reached. The loop that proves "out of
   memory leaves nothing behind" goes through n = 0, 1, 2 ... until the chosen allocation is not reached
   any more, and asks each time that counting_live() is what it was. */
#ifndef NNRT_TESTS_COUNTING_ALLOC_H
#define NNRT_TESTS_COUNTING_ALLOC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdlib.h>

static long counting_live_blocks;
static long counting_until_failure = -1; /* < 0: none fails */
static bool counting_has_failed;

__attribute__((unused)) static long counting_live(void) {
    return __atomic_load_n(&counting_live_blocks, __ATOMIC_SEQ_CST);
}

__attribute__((unused)) static void counting_fail_at(long n) {
    counting_has_failed = false;
    __atomic_store_n(&counting_until_failure, n, __ATOMIC_SEQ_CST);
}

__attribute__((unused)) static void counting_fail_never(void) { counting_fail_at(-1); }

__attribute__((unused)) static bool counting_failed(void) { return counting_has_failed; }

static bool counting_refuses(void) {
    if (__atomic_load_n(&counting_until_failure, __ATOMIC_SEQ_CST) < 0) return false;
    if (__atomic_fetch_sub(&counting_until_failure, 1, __ATOMIC_SEQ_CST) != 0) return false;
    counting_has_failed = true;
    return true;
}

__attribute__((unused)) static void *counting_malloc(size_t size) {
    void *block = counting_refuses() ? NULL : malloc(size);
    if (block != NULL) (void)__atomic_add_fetch(&counting_live_blocks, 1, __ATOMIC_SEQ_CST);
    return block;
}

__attribute__((unused)) static void *counting_realloc(void *old, size_t size) {
    void *block = counting_refuses() ? NULL : realloc(old, size);
    if (block != NULL && old == NULL) (void)__atomic_add_fetch(&counting_live_blocks, 1, __ATOMIC_SEQ_CST);
    return block;
}

__attribute__((unused)) static void counting_free(void *block) {
    if (block != NULL) (void)__atomic_sub_fetch(&counting_live_blocks, 1, __ATOMIC_SEQ_CST);
    free(block);
}

#define NNRT_MALLOC(size) counting_malloc(size)
#define NNRT_REALLOC(pointer, size) counting_realloc(pointer, size)
#define NNRT_FREE(pointer) counting_free(pointer)

#endif /* NNRT_TESTS_COUNTING_ALLOC_H */
