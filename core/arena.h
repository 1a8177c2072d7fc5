/* SPDX-License-Identifier: Apache-2.0 */
/* core/arena.h - arenas supplied by the program: how large they must be, and who runs in one.   >>arena

   Executors may share memory in any way, as long as their runs do not overlap in time. This is checked: a run in a
   program's arena holds a lease on its bytes, and is refused if another run holds a lease on any of them. Waiting
   instead would hide the mistake, and would never end in an interrupt, since the interrupted run cannot go on; so this
   matters without threads, too. For an arena of nnrt's the check is one comparison. */
#ifndef NNRT_CORE_ARENA_H
#define NNRT_CORE_ARENA_H

#include "compilation.h"
#include "registry.h"

/* The arena of one executor, in a list of all of them. */
typedef struct nnrt__lease {
    uint8_t *first;           /* a multiple of NNRT_ARENA_ALIGNMENT; NULL: the arena is nnrt's */
    size_t bytes;             /* 0: it is, or nothing is in it */
    struct nnrt__lease *next; /* under the lock of the device table */
    volatile uint32_t held;   /* not 0: a run is under way in it. Same lock */
} nnrt__lease;

NNRT__FN bool nnrt__leases_overlap(const nnrt__lease *a, const nnrt__lease *b) {
    return (uintptr_t)a->first < (uintptr_t)b->first + b->bytes && (uintptr_t)b->first < (uintptr_t)a->first + a->bytes;
}

/* Adds the lease of a new executor to the list. */
NNRT__FN void nnrt__lease_list(nnrt__lease *lease) {
    nnrt__device_table *table;
    if (lease->bytes == 0) return;
    table = nnrt__devices_lock();
    lease->next = table->leases;
    nnrt__fence(); /* an interrupt always sees a consistent list */
    table->leases = lease;
    nnrt__devices_unlock();
}

/* Called before the executor is freed; does nothing if it was not listed. */
NNRT__FN void nnrt__lease_unlist(const nnrt__lease *lease) {
    nnrt__lease **link;
    if (lease->bytes == 0) return;
    link = &nnrt__devices_lock()->leases;
    while (*link != NULL && *link != lease) link = &(*link)->next;
    if (*link != NULL) *link = lease->next;
    nnrt__devices_unlock();
}

/* First takes the lease, then looks for conflicts: without threads there is no lock, and an interrupt at any point must
   see the lease held. */
NNRT__FN OH_NN_ReturnCode nnrt__lease_take(nnrt__lease *lease) {
    const nnrt__lease *other;
    if (lease->bytes == 0) return OH_NN_SUCCESS;
    NNRT_ASSERT(lease->held == 0); /* run_mutex is held */
    other = nnrt__devices_lock()->leases;
    lease->held = 1;
    nnrt__fence();
    while (other != NULL && (other == lease || other->held == 0 || !nnrt__leases_overlap(lease, other)))
        other = other->next;
    if (other != NULL) lease->held = 0;
    nnrt__devices_unlock();
    if (other == NULL) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_OPERATION_FORBIDDEN,
                      "a run is under way in the same arena: executors that share one run one after another");
}

NNRT__FN void nnrt__lease_give_back(nnrt__lease *lease) {
    if (lease->bytes == 0) return;
    NNRT_ASSERT(lease->held != 0);
    (void)nnrt__devices_lock();
    nnrt__fence();
    lease->held = 0;
    nnrt__devices_unlock();
}

/* Refuses a compilation that is NULL or not built. */
NNRT__FN OH_NN_ReturnCode nnrt__check_built(const char *function, const OH_NNCompilation *compilation) {
    if (compilation == NULL) return nnrt__fail_null(function, "compilation");
    if (compilation->state == NNRT__COMPILATION_BUILT) return OH_NN_SUCCESS;
    return nnrt__fail(OH_NN_INVALID_PARAMETER, "%s: the compilation is not built", function);
}

/* The bytes of the arena that an executor of a built compilation needs. */
NNRT__FN OH_NN_ReturnCode nnrt__arena_needed(const char *function, const OH_NNCompilation *compilation, size_t *bytes) {
    const nnrt__device *device = compilation->prepared->device;
    if (nnrt__backend_of(device)->arena_size == NULL)
        return nnrt__fail(OH_NN_UNSUPPORTED, "%s: device %s takes no arena of the program's", function, device->name);
    return nnrt__backend_of(device)->arena_size(compilation->prepared->object, bytes);
}

/* The part of the program's bytes at arena that an executor uses. */
NNRT__FN OH_NN_ReturnCode nnrt__lease_make(const char *function, const OH_NNCompilation *compilation, void *arena,
                                           size_t bytes, nnrt__lease *lease) {
    const size_t lost = (size_t)(0 - (uintptr_t)arena) & (NNRT_ARENA_ALIGNMENT - 1);
    size_t needed = 0;
    OH_NN_ReturnCode code = nnrt__arena_needed(function, compilation, &needed);
    if (code != OH_NN_SUCCESS) return code;
    if (bytes < lost || bytes - lost < needed)
        return nnrt__fail(OH_NN_INVALID_PARAMETER,
                          "%s: the arena has %zu bytes, %zu of them in front of a multiple of %u; the model needs %zu "
                          "from there",
                          function, bytes, lost < bytes ? lost : bytes, NNRT_ARENA_ALIGNMENT, needed);
    lease->first = (uint8_t *)arena + lost;
    lease->bytes = needed;
    return OH_NN_SUCCESS;
}

NNRT_API OH_NN_ReturnCode nnrt_compilation_get_arena(const OH_NNCompilation *compilation, size_t *bytes) {
    static const char function[] = "nnrt_compilation_get_arena";
    OH_NN_ReturnCode code = nnrt__check_built(function, compilation);
    size_t needed = 0;
    if (code != OH_NN_SUCCESS) return code;
    if (bytes == NULL) return nnrt__fail_null(function, "bytes");
    code = nnrt__arena_needed(function, compilation, &needed);
    if (code == OH_NN_SUCCESS) *bytes = needed;
    return code;
}

#endif /* NNRT_CORE_ARENA_H */
