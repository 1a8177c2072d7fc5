/* SPDX-License-Identifier: Apache-2.0 */
/* sim_state.c - the simulated board itself: which chip, what is alive, which mistakes were made. */
#define _GNU_SOURCE
#include "sim_memory.h"
#include "sim_private.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sim_state_data sim_state;

static pthread_mutex_t sim_mutex = PTHREAD_MUTEX_INITIALIZER;

/* -------------------------------------------------------------------------------- mistakes and the report */

#define SIM_MAX_MISTAKES 256

static char *sim_mistake_list[SIM_MAX_MISTAKES];
static unsigned sim_mistake_count;

static void sim_report(void);

static void sim_mistake_add(const char *format, va_list arguments) {
    char text[512];
    int length = vsnprintf(text, sizeof(text), format, arguments);
    if (length < 0) return;
    if (sim_state.log) fprintf(stderr, "sim: mistake: %s\n", text);
    if (sim_mistake_count < SIM_MAX_MISTAKES) {
        char *copy = (char *)malloc(strlen(text) + 1);
        if (copy) strcpy(copy, text);
        sim_mistake_list[sim_mistake_count] = copy;
    }
    ++sim_mistake_count;
}

void sim_mistake_locked(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sim_mistake_add(format, arguments);
    va_end(arguments);
}

void sim_mistake(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sim_lock();
    sim_mistake_add(format, arguments);
    sim_unlock();
    va_end(arguments);
}

void sim_crash(int number, const char *why) {
    sim_mistake("crash: %s", why);
    if (!sim_lets_pass()) return;
    sim_report();
    signal(number, SIG_DFL);
    raise(number);
}

bool sim_lets_pass(void) { return !sim_state.refuse; /* set before calls come from several threads */ }

SIM_EXPORT void nnrt_sim_strict(int strict) {
    sim_lock();
    sim_state.refuse = strict != 0;
    sim_unlock();
}

void sim_log(const char *format, ...) {
    va_list arguments;
    if (!sim_state.log) return;
    va_start(arguments, format);
    fputs("sim: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

unsigned sim_mistakes_locked(void) { return sim_mistake_count; }

SIM_EXPORT unsigned nnrt_sim_mistakes(void) {
    unsigned count;
    sim_lock();
    count = sim_mistake_count;
    sim_unlock();
    return count;
}

SIM_EXPORT const char *nnrt_sim_mistake(unsigned index) {
    const char *text = NULL;
    sim_lock();
    if (index < sim_mistake_count && index < SIM_MAX_MISTAKES) text = sim_mistake_list[index];
    sim_unlock();
    return text;
}

static void sim_count_live(nnrt_sim_live *live) {
    const sim_context *context;
    const sim_memory *memory;
    memset(live, 0, sizeof(*live));
    for (context = sim_state.contexts; context; context = context->next) live->contexts += context->given_up ? 0u : 1u;
    for (memory = sim_state.memories; memory; memory = memory->next) {
        live->memories += memory->given_up ? 0u : 1u;
        live->fds += memory->fd >= 0 && !memory->given_up ? 1u : 0u;
    }
    live->fds += sim_state.leaked_fds;
    live->bytes = sim_live_bytes(false);
}

SIM_EXPORT void nnrt_sim_get_live(nnrt_sim_live *live) {
    sim_lock();
    sim_count_live(live);
    sim_unlock();
}

SIM_EXPORT void nnrt_sim_get_syncs(unsigned *to_device, unsigned *from_device) {
    sim_lock();
    *to_device = sim_state.syncs[0];
    *from_device = sim_state.syncs[1];
    sim_unlock();
}

SIM_EXPORT void nnrt_sim_get_run_syncs(unsigned *to_device, unsigned *from_device) {
    sim_lock();
    *to_device = sim_state.run_syncs[0];
    *from_device = sim_state.run_syncs[1];
    sim_unlock();
}

/* Runs when the process (or the library) ends. What a fault kept from being freed is nobody's leak. */
static void sim_report(void) {
    const sim_context *context;
    nnrt_sim_live live;
    const char *name;
    unsigned i;
    bool bad;
    sim_lock();
    name = sim_the_board.chip_name(sim_state.chip);
    sim_count_live(&live);
    bad = sim_mistake_count || live.contexts || live.memories || live.fds;
    if (sim_state.report) {
        for (i = 0; i < sim_mistake_count && i < SIM_MAX_MISTAKES; ++i)
            fprintf(stderr, "simulated %s: mistake: %s\n", name, sim_mistake_list[i] ? sim_mistake_list[i] : "?");
        if (sim_mistake_count > SIM_MAX_MISTAKES)
            fprintf(stderr, "simulated %s: and %u mistakes more\n", name, sim_mistake_count - SIM_MAX_MISTAKES);
        if (live.contexts || live.memories || live.fds)
            fprintf(stderr, "simulated %s: leak: %u contexts, %u memories, %u file descriptors, %lu bytes\n", name,
                    live.contexts, live.memories, live.fds, (unsigned long)live.bytes);
        for (context = sim_state.contexts; context; context = context->next)
            if (!context->given_up) fprintf(stderr, "simulated %s: leak: a %s\n", name, context->kind->name);
    }
    sim_unlock();
    if (bad && sim_state.strict) {
        fflush(NULL);
        _exit(97);
    }
}

/* ---------------------------------------------------------------------------------------------- the board */

static uint64_t sim_number(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? (uint64_t)strtoull(text, NULL, 0) : otherwise;
}

/* The number of the first chip of the list "NAME,NAME" that the vendor has; *known: there is such a one. A list is for
   processes with the boards of several vendors. */
static unsigned sim_chip_find(const char *names, bool *known) {
    unsigned chip = 0;
    *known = true;
    if (!names || !*names) return sim_the_board.default_chip;
    for (;;) {
        const size_t length = strcspn(names, ",");
        for (chip = 0; sim_the_board.chip_name(chip); ++chip) {
            const char *name = sim_the_board.chip_name(chip);
            if (strlen(name) == length && strncmp(name, names, length) == 0) return chip;
        }
        if (!names[length]) break;
        names += length + 1;
    }
    *known = false;
    return chip - 1;
}

static void sim_read_environment(void) {
    const char *name = getenv("NNRT_SIM_CHIP");
    bool known;
    sim_state.ready = true;
    sim_state.chip = sim_chip_find(name, &known);
    sim_state.device_node = sim_number("NNRT_SIM_DEVICE", 1) != 0 && known;
    sim_state.memory_limit = (size_t)sim_number("NNRT_SIM_MEMORY", 64u << 20);
    sim_state.handle_limit = (unsigned)sim_number("NNRT_SIM_HANDLES", 1020);
    sim_state.report = sim_number("NNRT_SIM_REPORT", 1) != 0;
    sim_state.strict = sim_state.refuse = sim_number("NNRT_SIM_STRICT", 0) != 0;
    sim_state.log = sim_number("NNRT_SIM_LOG", 0) != 0;
    sim_state.next_phys = 0x10000000u;
    sim_state.noise = 0x2545f491u;
    sim_faults_read(getenv("NNRT_SIM_FAULT"));
    atexit(sim_report);
}

void sim_lock(void) {
    pthread_mutex_lock(&sim_mutex);
    if (!sim_state.ready) sim_read_environment();
}

void sim_unlock(void) { pthread_mutex_unlock(&sim_mutex); }

pthread_mutex_t *sim_the_mutex(void) { return &sim_mutex; }

unsigned sim_chip_number(void) {
    unsigned chip;
    sim_lock();
    chip = sim_state.chip;
    sim_unlock();
    return chip;
}

bool sim_has_device(void) {
    bool has;
    sim_lock();
    has = sim_state.device_node;
    sim_unlock();
    return has;
}

uint8_t sim_poison_locked(void) {
    uint8_t value;
    do {
        sim_state.noise ^= sim_state.noise << 13;
        sim_state.noise ^= sim_state.noise >> 17;
        sim_state.noise ^= sim_state.noise << 5;
        value = (uint8_t)(sim_state.noise >> 24);
    } while (value == 0);
    return value;
}

uint8_t sim_poison(void) {
    uint8_t value;
    sim_lock();
    value = sim_poison_locked();
    sim_unlock();
    return value;
}

/* ------------------------------------------------------------------------------------------ what is alive */

sim_context *sim_context_find(sim_handle handle) {
    sim_context *context = sim_state.contexts;
    while (context && context->handle != handle) context = context->next;
    return context;
}

void sim_context_add(sim_context *context, const sim_kind *kind) {
    context->handle = 0x52000000u + 16u * ++sim_state.serial;
    /* Where handles have 64 bits both halves count: one that was cut to 32 is not found again. */
    if (sim_the_board.handle_bytes == 8) context->handle |= (sim_handle)0x7a51u << 32;
    context->kind = kind;
    context->next = sim_state.contexts;
    sim_state.contexts = context;
}

void sim_context_unlink(sim_context *context) {
    sim_context **place = &sim_state.contexts;
    while (*place && *place != context) place = &(*place)->next;
    if (*place) *place = context->next;
}

/* Does the caller still have to free a memory of it? */
static bool sim_owed(const sim_buffer *buffer) {
    const sim_memory *memory = sim_state.memories;
    while (memory && (memory->buffer != buffer || memory->given_up)) memory = memory->next;
    return memory != NULL;
}

size_t sim_live_bytes(bool all) {
    const sim_context *context, *other;
    const sim_buffer *buffer;
    size_t bytes = 0;
    for (context = sim_state.contexts; context; context = context->next) {
        if (context->given_up && !all) continue;
        bytes += context->bytes;
        for (other = sim_state.contexts; other != context && other->shared != context->shared; other = other->next)
            continue;
        if (context->shared && other == context) /* the first that has these weights */
            bytes += context->shared->bytes;
    }
    for (buffer = sim_state.buffers; buffer; buffer = buffer->next)
        bytes += all || sim_owed(buffer) ? buffer->accounted : 0;
    return bytes;
}

size_t sim_live_sram(void) {
    const sim_context *context;
    const sim_buffer *buffer;
    size_t bytes = 0;
    for (context = sim_state.contexts; context; context = context->next) bytes += context->sram;
    for (buffer = sim_state.buffers; buffer; buffer = buffer->next) bytes += buffer->sram;
    return bytes;
}

bool sim_fits(size_t bytes) {
    size_t used = sim_live_bytes(true);
    return used <= sim_state.memory_limit && bytes <= sim_state.memory_limit - used;
}
