/* SPDX-License-Identifier: Apache-2.0 */
/* sim_calls.c - the way into every function: counts, faults that were asked for, and who is inside a
   context. */
#define _GNU_SOURCE
#include "sim_board.h"
#include "sim_private.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIM_MAX_FUNCTIONS 64
#define SIM_MAX_FAULTS 16
#define SIM_NAME 48

typedef enum sim_fault_kind {
    SIM_FAIL,
    SIM_HANG,
    SIM_DIE,
    SIM_SLOW
} sim_fault_kind;

typedef struct sim_fault {
    char function[SIM_NAME]; /* "*": any */
    unsigned call;           /* 1: the first; 0: every one */
    sim_fault_kind kind;
    int code; /* of SIM_FAIL */
    long ms;  /* of SIM_SLOW and SIM_HANG; -1: until released */
} sim_fault;

typedef struct sim_count {
    const char *function;
    unsigned calls;
} sim_count;

static sim_fault sim_faults[SIM_MAX_FAULTS];
static unsigned sim_fault_count;
static sim_count sim_counts[SIM_MAX_FUNCTIONS];
static unsigned sim_all_calls;
static bool sim_dead;
static unsigned sim_released; /* generation: every nnrt_sim_release_hang */
static pthread_cond_t sim_release = PTHREAD_COND_INITIALIZER;

/* One "FUNCTION@N=KIND" of length characters. */
static void sim_fault_parse(const char *text, size_t length) {
    char copy[128], *at, *equals, *colon, *end;
    sim_fault fault;
    long long number;
    bool good = length < sizeof(copy) && sim_fault_count < SIM_MAX_FAULTS;
    memset(&fault, 0, sizeof(fault));
    if (good) {
        memcpy(copy, text, length);
        copy[length] = 0;
        at = strchr(copy, '@');
        equals = at ? strchr(at, '=') : NULL;
        good = equals && (size_t)(at - copy) < sizeof(fault.function);
    }
    if (good) {
        *at = *equals = 0;
        colon = strchr(equals + 1, ':');
        if (colon) *colon = 0;
        strcpy(fault.function, copy);
        fault.call = (unsigned)strtoul(at + 1, &end, 10);
        good = end != at + 1 && !*end;
        number = colon ? strtoll(colon + 1, &end, 0) : -1;
        good = good && (!colon || (end != colon + 1 && !*end)) && number >= INT32_MIN && number <= UINT32_MAX;
        fault.ms = (long)number;
        fault.code = (int)number; /* 0xa0338003 is negative, too */
        if (strcmp(equals + 1, "fail") == 0 && colon && fault.code < 0) fault.kind = SIM_FAIL;
        else if (strcmp(equals + 1, "hang") == 0 && (!colon || fault.ms >= 0)) fault.kind = SIM_HANG;
        else if (strcmp(equals + 1, "die") == 0 && !colon) fault.kind = SIM_DIE;
        else if (strcmp(equals + 1, "slow") == 0 && colon && fault.ms >= 0) fault.kind = SIM_SLOW;
        else good = false;
    }
    if (good) sim_faults[sim_fault_count++] = fault;
    else
        sim_mistake_locked("wrong fault: \"%.*s\" is not FUNCTION@N=fail:-CODE|hang[:MS]|die|slow:MS",
                           (int)(length < 100 ? length : 100), text);
}

void sim_faults_read(const char *specification) {
    sim_fault_count = 0;
    sim_all_calls = 0;
    sim_dead = false;
    memset(sim_counts, 0, sizeof(sim_counts));
    while (specification && *specification) {
        size_t length = strcspn(specification, ",");
        if (length) sim_fault_parse(specification, length);
        specification += length + (specification[length] == ',' ? 1u : 0u);
    }
}

SIM_EXPORT void nnrt_sim_fault(const char *specification) {
    sim_lock();
    sim_faults_read(specification);
    sim_unlock();
}

SIM_EXPORT void nnrt_sim_release_hang(void) {
    sim_lock();
    ++sim_released;
    pthread_cond_broadcast(&sim_release);
    sim_unlock();
}

static sim_count *sim_count_of(const char *function) {
    unsigned i;
    for (i = 0; i < SIM_MAX_FUNCTIONS; ++i) {
        if (!sim_counts[i].function) {
            sim_counts[i].function = function; /* a literal of ours */
            return &sim_counts[i];
        }
        if (strcmp(sim_counts[i].function, function) == 0) return &sim_counts[i];
    }
    return &sim_counts[SIM_MAX_FUNCTIONS - 1];
}

SIM_EXPORT unsigned nnrt_sim_calls(const char *function) {
    unsigned i, calls = 0;
    sim_lock();
    if (!function) calls = sim_all_calls;
    for (i = 0; function && i < SIM_MAX_FUNCTIONS && sim_counts[i].function; ++i) {
        if (strcmp(sim_counts[i].function, function) == 0) calls = sim_counts[i].calls;
    }
    sim_unlock();
    return calls;
}

/* Waits ms milliseconds, or (ms < 0) until the hang is released; a release ends both when release is true.
   The lock is given back meanwhile. */
static void sim_wait(long ms, bool release) {
    const unsigned generation = sim_released;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (ms < 0 ? 0 : ms) / 1000;
    until.tv_nsec += (ms < 0 ? 0 : ms) % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        ++until.tv_sec;
    }
    while (!release || generation == sim_released) {
        if (ms < 0) pthread_cond_wait(&sim_release, sim_the_mutex());
        else if (pthread_cond_timedwait(&sim_release, sim_the_mutex(), &until) == ETIMEDOUT) break;
    }
}

/* Locked. Counts the call and lets its fault happen: true: *answer is to be returned. *late: it took its
   time. */
static bool sim_happen(const char *function, int *answer, bool *late) {
    sim_count *count = sim_count_of(function);
    const sim_fault *found = NULL;
    sim_fault fault;
    unsigned i;
    ++count->calls;
    ++sim_all_calls;
    if (sim_state.log) fprintf(stderr, "sim: %s, call %u\n", function, count->calls);
    *late = false;
    for (i = 0; i < sim_fault_count && !found; ++i) {
        const bool any = strcmp(sim_faults[i].function, "*") == 0;
        if ((any || strcmp(sim_faults[i].function, function) == 0) &&
            (sim_faults[i].call == 0 || sim_faults[i].call == (any ? sim_all_calls : count->calls)))
            found = &sim_faults[i];
    }
    if (found && !sim_dead) {
        fault = *found; /* the list may change while this call waits */
        switch (fault.kind) {
        case SIM_FAIL: *answer = fault.code; return true;
        case SIM_HANG:
            *late = true;
            sim_wait(fault.ms, true);
            *answer = sim_the_board.failed;
            if (fault.ms < 0) return true;
            break;
        case SIM_DIE: sim_dead = true; break;
        case SIM_SLOW:
            *late = true;
            sim_wait(fault.ms, false);
            break;
        }
    }
    *answer = sim_the_board.no_device;
    return sim_dead;
}

int sim_enter_late(const char *function, int *answer, bool *late) {
    bool stop;
    sim_lock();
    stop = sim_happen(function, answer, late);
    sim_unlock();
    return stop;
}

int sim_enter(const char *function, int *answer) {
    bool late;
    return sim_enter_late(function, answer, &late);
}

static int sim_begin_call(sim_handle handle, const sim_kind *kind, const char *function, bool ends,
                          sim_context **context) {
    sim_context *found;
    bool late = false;
    int answer = 0;
    *context = NULL;
    sim_lock();
    found = sim_context_find(handle);
    if (found && kind && found->kind != kind) {
        sim_mistake_locked("wrong context: %s of a %s context", function, found->kind->name);
        found = NULL;
    }
    if (found && found->inside) {
        sim_mistake_locked("two threads in one context: %s while %s is at work", function, found->inside);
        sim_unlock();
        return sim_the_board.failed;
    }
    if (found) found->inside = function;
    if (sim_happen(function, &answer, &late)) {
        if (found) {
            found->inside = NULL;
            found->given_up = found->given_up || ends;
        }
        sim_unlock();
        return answer;
    }
    if (found) found->delayed = late;
    sim_unlock();
    *context = found;
    return found ? 0 : sim_the_board.bad_context;
}

int sim_begin(sim_handle handle, const sim_kind *kind, const char *function, sim_context **context) {
    return sim_begin_call(handle, kind, function, false, context);
}

int sim_begin_last(sim_handle handle, const sim_kind *kind, const char *function, sim_context **context) {
    return sim_begin_call(handle, kind, function, true, context);
}

void sim_end(sim_context *context) {
    sim_lock();
    context->inside = NULL;
    sim_unlock();
}
