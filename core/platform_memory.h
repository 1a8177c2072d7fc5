/* SPDX-License-Identifier: Apache-2.0 */
/* core/platform_memory.h - allocation that knows what it has handed out, checked size arithmetic.   >>platform_memory

   Every block is preceded by its size. A memory figure is therefore the sum over the blocks that an object owns
   (nnrt__block_bytes, next to the function that frees them), not a formula that goes stale; and every thread knows what
   it has allocated so far, which gives the peak of a Build. */
#ifndef NNRT_CORE_PLATFORM_MEMORY_H
#define NNRT_CORE_PLATFORM_MEMORY_H

#if defined(NNRT_MALLOC) || defined(NNRT_REALLOC) || defined(NNRT_FREE)
#if !defined(NNRT_MALLOC) || !defined(NNRT_REALLOC) || !defined(NNRT_FREE)
#error "nnrt: define all of NNRT_MALLOC, NNRT_REALLOC and NNRT_FREE, or none"
#endif
#define NNRT__CALLOC(size) NULL
#else
#define NNRT__CALLOC(size) calloc(1, size)
#define NNRT_MALLOC(size) malloc(size)
#define NNRT_REALLOC(pointer, size) realloc(pointer, size)
#define NNRT_FREE(pointer) free(pointer)
#endif

/* ------------------------------------------------------------------------------------------------- sizes */

/* a * b and a + b; false, and *out untouched, when the result does not fit. */
/*@ requires \valid(out);
    assigns *out;
    ensures \result == \true <==> a * b <= SIZE_MAX;
    ensures *out == (\result == \true ? a * b : \old(*out)); */
NNRT__FN bool nnrt__mul_size(size_t a, size_t b, size_t *out) {
    if (b != 0 && a > SIZE_MAX / b) return false;
    *out = a * b;
    return true;
}

/*@ requires \valid(out);
    assigns *out;
    ensures \result == \true <==> a + b <= SIZE_MAX;
    ensures *out == (\result == \true ? a + b : \old(*out)); */
NNRT__FN bool nnrt__add_size(size_t a, size_t b, size_t *out) {
    if (a > SIZE_MAX - b) return false;
    *out = a + b;
    return true;
}

/* size rounded up to a multiple of unit, a power of two. */
/*@ requires \valid(out) && 1 <= unit;
    assigns *out;
    ensures \result == \true <==> size + unit - 1 <= SIZE_MAX;
    ensures \result == \false ==> *out == \old(*out); */
NNRT__FN bool nnrt__round_up_size(size_t size, size_t unit, size_t *out) {
    NNRT_ASSERT(unit != 0 && (unit & (unit - 1)) == 0);
    if (size > SIZE_MAX - (unit - 1)) return false;
    *out = (size + (unit - 1)) & ~(unit - 1);
    return true;
}

/* ------------------------------------------------------------------------------------------------- tally */

/* What this thread has allocated from NNRT_MALLOC. live wraps, because a thread may free what another one allocated. */
typedef struct nnrt__tally {
    size_t live;
    size_t start; /* live at nnrt__tally_begin */
    size_t peak;  /* the maximum above start since then */
} nnrt__tally;

NNRT__FN nnrt__tally *nnrt__own_tally(void) {
    static NNRT__THREAD_LOCAL nnrt__tally tally;
    return &tally;
}

/* taken and given back in one step, as by realloc: only the difference counts. */
NNRT__FN void nnrt__tally_note(size_t taken, size_t given_back) {
    nnrt__tally *tally = nnrt__own_tally();
    size_t above;
    tally->live += taken - given_back;
    above = tally->live - tally->start;
    if (above <= SIZE_MAX / 2 && above > tally->peak) tally->peak = above;
}

/* Starts measuring a peak. Pass the result to nnrt__tally_end. */
NNRT__FN nnrt__tally nnrt__tally_begin(void) {
    nnrt__tally *tally = nnrt__own_tally(), outer = *tally;
    tally->start = tally->live;
    tally->peak = 0;
    return outer;
}

/* The most bytes that this thread held at once since nnrt__tally_begin, beyond what it held then. Pairs may nest. */
NNRT__FN size_t nnrt__tally_end(const nnrt__tally *outer) {
    nnrt__tally *tally = nnrt__own_tally();
    const size_t peak = tally->peak, above = tally->start + peak - outer->start;
    tally->start = outer->start;
    tally->peak = above <= SIZE_MAX / 2 && above > outer->peak ? above : outer->peak;
    return peak;
}

/* ------------------------------------------------------------------------------------------------ blocks */

/* Precedes every block; as large as the widest alignment. */
typedef union nnrt__block_head {
    size_t size; /* as requested from NNRT_MALLOC, this head included */
    uint64_t number;
    double real;
    void *pointer;
} nnrt__block_head;

/* Bytes requested from NNRT_MALLOC for block; 0 for NULL. block: the result of a function below, for aligned ones the
   second result. */
NNRT__FN size_t nnrt__block_bytes(const void *block) {
    return block != NULL ? ((const nnrt__block_head *)block - 1)->size : 0;
}

/* Usable bytes of block; 0 for NULL. */
NNRT__FN size_t nnrt__block_size(const void *block) {
    return block != NULL ? nnrt__block_bytes(block) - sizeof(nnrt__block_head) : 0;
}

/* Bytes to ask NNRT_MALLOC for, for a block of size bytes; 0: too many. */
NNRT__INLINE size_t nnrt__block_needs(size_t size) {
    size_t bytes;
    return nnrt__add_size(size != 0 ? size : 1, sizeof(nnrt__block_head), &bytes) ? bytes : 0;
}

/* The block behind head, of so many bytes with it, that had `before`; NULL for NULL. It is aligned to 8 bytes, enough
   for all our types, however NNRT_MALLOC aligns. */
NNRT__FN void *nnrt__block_behind(void *head, size_t bytes, size_t before) {
    nnrt__block_head *is = (nnrt__block_head *)head;
    if (is == NULL) return NULL;
    is->size = bytes;
    nnrt__tally_note(bytes, before);
    return is + 1;
}

/* size bytes, or NULL. size 0 gives a pointer that can be freed. */
NNRT__FN void *nnrt__alloc(size_t size) {
    const size_t bytes = nnrt__block_needs(size);
    return bytes != 0 ? nnrt__block_behind(NNRT_MALLOC(bytes), bytes, 0) : NULL;
}

/* count elements of size bytes, zeroed; NULL when out of memory or the product overflows. */
NNRT__FN void *nnrt__alloc_zero(size_t count, size_t size) {
    size_t bytes;
    void *block;
    if (!nnrt__mul_size(count, size, &bytes)) return NULL;
    block = nnrt__alloc(bytes);
    if (block != NULL) nnrt__clear(block, bytes);
    return block;
}

/* Grows or shrinks block, which may be NULL, to count elements of size bytes; NULL leaves it as it was. Apart from
   nnrt__alloc: a firmware never calls it, and has no realloc. */
NNRT__FN void *nnrt__realloc(void *block, size_t count, size_t size) {
    const size_t before = nnrt__block_bytes(block);
    size_t bytes;
    NNRT_ASSERT(block == NULL || before > sizeof(nnrt__block_head));
    if (!nnrt__mul_size(count, size, &bytes)) return NULL;
    if (block == NULL) return nnrt__alloc(bytes);
    bytes = nnrt__block_needs(bytes);
    return bytes != 0 ? nnrt__block_behind(NNRT_REALLOC((nnrt__block_head *)block - 1, bytes), bytes, before) : NULL;
}

NNRT__FN void nnrt__free(void *block) {
    if (block == NULL) return;
    nnrt__tally_note(0, nnrt__block_bytes(block));
    NNRT_FREE((nnrt__block_head *)block - 1);
}

/* The first multiple of alignment (a power of two) in block; NULL for NULL. */
NNRT__FN void *nnrt__align(void *block, size_t alignment) {
    NNRT_ASSERT(alignment != 0 && (alignment & (alignment - 1)) == 0);
    return (void *)(((uintptr_t)block + (alignment - 1)) & ~(uintptr_t)(alignment - 1));
}

/* size bytes at a multiple of alignment (a power of two); *block is what nnrt__free takes. */
NNRT__FN void *nnrt__alloc_aligned(size_t size, size_t alignment, void **block) {
    size_t bytes;
    *block = nnrt__add_size(size, alignment, &bytes) ? nnrt__alloc(bytes) : NULL;
    return nnrt__align(*block, alignment);
}

/* From this size on calloc makes the zeros: fresh pages of the system are zero already and stay untouched until a run.
   For smaller blocks it is slower than malloc. */
#define NNRT__CALLOC_LEAST 16384u

/* The same, zeroed. */
NNRT__FN void *nnrt__alloc_aligned_zero(size_t size, size_t alignment, void **block) {
    nnrt__block_head *head = NULL;
    size_t bytes;
    *block = NULL;
    if (!nnrt__add_size(size, alignment, &bytes) || bytes > SIZE_MAX - sizeof(*head)) return NULL;
    if (NNRT__FOR_SPEED && bytes >= NNRT__CALLOC_LEAST) head = (nnrt__block_head *)NNRT__CALLOC(bytes + sizeof(*head));
    if (head == NULL) {
        *block = nnrt__alloc_zero(bytes, 1);
        return nnrt__align(*block, alignment);
    }
    *block = nnrt__block_behind(head, bytes + sizeof(*head), 0);
    return nnrt__align(*block, alignment);
}

NNRT__FN char *nnrt__copy_string(const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = (char *)nnrt__alloc(length);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

#endif /* NNRT_CORE_PLATFORM_MEMORY_H */
