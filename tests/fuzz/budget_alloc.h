/* SPDX-License-Identifier: Apache-2.0 */
/* budget_alloc.h - an allocator for fuzzers that knows what is live and refuses what is beyond a budget.
   Include it before nnrt.h. Safe from several threads. */
#ifndef NNRT_TESTS_FUZZ_BUDGET_ALLOC_H
#define NNRT_TESTS_FUZZ_BUDGET_ALLOC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Traps, so that fuzzer and debugger stop at the very line. */
#define MUST(condition)                     \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

/* Every block has its size in front, in a unit that keeps the alignment of malloc. */
enum {
    BUDGET_FRONT = 16
};
static size_t budget_live, budget_allowed = SIZE_MAX;

static void *budget_realloc(void *block, size_t size) {
    uint8_t *old = block != NULL ? (uint8_t *)block - BUDGET_FRONT : NULL, *made;
    size_t before = 0, live = __atomic_load_n(&budget_live, __ATOMIC_SEQ_CST);
    if (old != NULL) memcpy(&before, old, sizeof(before));
    if (size > budget_allowed || live - before > budget_allowed - size) return NULL;
    made = (uint8_t *)realloc(old, size + BUDGET_FRONT);
    if (made == NULL) return NULL;
    memcpy(made, &size, sizeof(size));
    (void)__atomic_add_fetch(&budget_live, size - before, __ATOMIC_SEQ_CST);
    return made + BUDGET_FRONT;
}

static void *budget_malloc(size_t size) { return budget_realloc(NULL, size); }

static void budget_free(void *block) {
    size_t size;
    if (block == NULL) return;
    memcpy(&size, (uint8_t *)block - BUDGET_FRONT, sizeof(size));
    (void)__atomic_sub_fetch(&budget_live, size, __ATOMIC_SEQ_CST);
    free((uint8_t *)block - BUDGET_FRONT);
}

#define NNRT_MALLOC(size) budget_malloc(size)
#define NNRT_REALLOC(pointer, size) budget_realloc(pointer, size)
#define NNRT_FREE(pointer) budget_free(pointer)

#endif /* NNRT_TESTS_FUZZ_BUDGET_ALLOC_H */
