/* SPDX-License-Identifier: Apache-2.0 */
/* sim_npu.h - a kernel with a driver of the NPU, for a test program that includes this once: Rockchip's rknpu as a
   device of its own and of DRM, and mainline's rocket. ioctl by ioctl as their sources have it (rockchip-linux/kernel
   drivers/rknpu 0.8.2 to 0.9.8, Linux 6.18 drivers/accel/rocket), the engine of tools/rkchip behind it.

   It defines open() and ioctl(): what is not the NPU's goes on to the system. Memory is the pages of a memfd for the
   CPU and a copy for the device, and only syncs carry bytes from one to the other. Fresh memory is noise, other in
   each copy; so are the registers of the chip, as another program may have left them. A word that leads out of the
   memory of the device's file is a fault of the IOMMU, or on a chip without one a mistake that the test has to see.

   What the drivers do not check, a program has to do right: sentences about what it did not are in sim.mistakes. */
#ifndef NNRT_TESTS_SIM_NPU_H
#define NNRT_TESTS_SIM_NPU_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../../../tools/rkchip/run.h"

typedef enum sim_kind {
    SIM_NONE, /* a board without a driver */
    SIM_OWN,  /* /dev/rknpu, no IOMMU */
    SIM_DRM,  /* renderD129 is the NPU's, renderD128 another's */
    SIM_CARD, /* the same, but only card1 is there */
    SIM_ROCKET
} sim_kind;

/* Calls that can be made to fail. */
typedef enum sim_call {
    SIM_OPEN,
    SIM_VERSION,
    SIM_CREATE,
    SIM_MAP,
    SIM_MMAP, /* of memory that create or map gave */
    SIM_SYNC, /* FINI_BO of rocket */
    SIM_SUBMIT,
    SIM_PREP,
    SIM_DESTROY,
    SIM_CALLS
} sim_call;

typedef enum sim_behaviour {
    SIM_RUNS,
    SIM_HANGS,      /* jobs do not end */
    SIM_IS_SLOW,    /* they take sim.slow_ms */
    SIM_DROPS,      /* rocket: SUBMIT answers 0 and does nothing */
    SIM_STOPS_SHORT /* rocket: the last task of a job hangs */
} sim_behaviour;

enum {
    SIM_MOST_NODES = 16,
    SIM_MOST_OBJECTS = 64,
    SIM_CORES = 3, /* of RK3588 */
    SIM_PAGE = 4096,
    SIM_GIVES_UP_MS = 500
};

typedef struct sim_object {
    bool alive, kernel_mapping;
    int node;        /* fd of the device */
    uint32_t handle; /* or a file descriptor */
    uint64_t object, address, offset;
    size_t size;
    uint8_t *cpu, *device;
    uint64_t ready_ns; /* rocket: when its job is over */
} sim_object;

static struct sim_state {
    sim_kind kind;
    const char *compatible; /* of the device tree, its strings end with '\n' */
    bool large;             /* RK3588: three cores, addresses of DRM */
    size_t create_size;     /* of the kernel's structure: 40, or 48 since 0.9.3 */
    sim_behaviour behaviour;
    uint32_t slow_ms;
    sim_call fault;
    uint32_t fault_at; /* the n-th call, from 1 on; 0: none */
    int fault_error;
    uint32_t calls[SIM_CALLS];
    uint32_t resets, jobs, tasks, hidden;
    uint32_t pingpong_jobs;
    uint32_t queued[SIM_CORES], core_jobs[SIM_CORES]; /* tasks that wait or run, jobs so far */
    bool core_runs[SIM_CORES];
    uint32_t at_once; /* the most cores that ran a job at the same time */
    char mistakes[1024];
    int nodes[SIM_MOST_NODES];
    sim_object objects[SIM_MOST_OBJECTS];
    uint64_t next_address, next_offset; /* in the file of a device of DRM */
    rkchip *chip;
    pthread_mutex_t mutex;
    pthread_cond_t core_ends;
} sim = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Fields of an ioctl's number, which not every C library has macros for. */
static uint32_t sim_number(unsigned long number) { return number & 0xff; }
static uint32_t sim_number_size(unsigned long number) { return number >> 16 & 0x3fff; }

static void sim_mistake(const char *what) {
    const size_t used = strlen(sim.mistakes);
    snprintf(sim.mistakes + used, sizeof sim.mistakes - used, "%s; ", what);
}

static uint64_t sim_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sim_wait_until(uint64_t when_ns) {
    while (sim_now_ns() < when_ns) {
        struct timespec moment = {0, 1000000};
        nanosleep(&moment, NULL);
    }
}

static uint32_t sim_noise(void) {
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* A board, as it is after a start. */
static void sim_begin(sim_kind kind, bool large) {
    rkchip_destroy(sim.chip);
    memset(&sim, 0, sizeof sim);
    pthread_mutex_init(&sim.mutex, NULL);
    pthread_cond_init(&sim.core_ends, NULL);
    sim.kind = kind;
    sim.large = large;
    sim.compatible = large ? "rockchip,rk3588-evb1-v10\nrockchip,rk3588\n" : "rockchip,rv1106g-evb1\nrockchip,rv1106\n";
    sim.create_size = 40;
    sim.next_address = kind == SIM_OWN ? 0x2c00000 : 0x10000;
    sim.chip = rkchip_create(large ? RKCHIP_RK3588 : RKCHIP_RV1106);
    if (sim.chip == NULL) abort();
    for (uint32_t i = 0; i < RKCHIP_WORDS; i++) sim.chip->values[0][i] = sim.chip->values[1][i] = sim_noise();
}

static uint32_t sim_alive(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++) count += sim.objects[i].alive;
    return count;
}

/* Memory that was not given back is the kernel's to free, here at the end. */
static void sim_end(void) {
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++)
        if (sim.objects[i].alive) {
            munmap(sim.objects[i].cpu, sim.objects[i].size);
            free(sim.objects[i].device);
        }
    rkchip_destroy(sim.chip);
    sim.chip = NULL;
    sim.kind = SIM_NONE;
}

/* Is this the call that fails? */
static bool sim_fails(sim_call call) {
    sim.calls[call]++;
    if (sim.fault_at == 0 || sim.fault != call || sim.calls[call] != sim.fault_at) return false;
    errno = sim.fault_error;
    return true;
}

/* -------------------------------------------------------------------------------------------------- memory */

static sim_object *sim_find(uint64_t object, int node, uint32_t handle) {
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++) {
        sim_object *o = &sim.objects[i];
        if (o->alive && (object != 0 ? o->object == object : o->node == node && o->handle == handle)) return o;
    }
    return NULL;
}

/* size bytes of a file, from offset on. */
static sim_object *sim_make(int node, int fd, uint64_t offset, size_t size) {
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++) {
        sim_object *o = &sim.objects[i];
        if (o->alive) continue;
        memset(o, 0, sizeof *o);
        o->size = (size + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
        if (ftruncate(fd, (off_t)(offset + o->size)) != 0) return NULL;
        o->cpu = (uint8_t *)mmap(NULL, o->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
        o->device = (uint8_t *)malloc(o->size);
        if (o->cpu == MAP_FAILED || o->device == NULL) abort();
        for (size_t b = 0; b < o->size; b++) o->cpu[b] = (uint8_t)sim_noise();
        for (size_t b = 0; b < o->size; b++) o->device[b] = (uint8_t)sim_noise();
        o->alive = true;
        o->offset = offset;
        o->node = node;
        o->object = 0xffffff8000000000u + ((uint64_t)i + 1) * 0x200;
        o->address = sim.next_address;
        sim.next_address += o->size + SIM_PAGE; /* nothing lies behind it */
        sim.next_offset += o->size;
        return o;
    }
    errno = ENOMEM;
    return NULL;
}

static void sim_free(sim_object *o) {
    munmap(o->cpu, o->size);
    free(o->device);
    o->alive = false;
}

/* ---------------------------------------------------------------------------------------------- the NPU */

static sim_object *sim_at(uint64_t address) {
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++) {
        sim_object *o = &sim.objects[i];
        if (o->alive && address >= o->address && address - o->address < o->size) return o;
    }
    return NULL;
}

/* 64 bits that the device reads. */
static bool sim_fetch(uint64_t address, uint64_t *word) {
    const sim_object *o = sim_at(address);
    if (o == NULL || address + 8 > o->address + o->size) return false;
    memcpy(word, o->device + (address - o->address), 8);
    return true;
}

/* Runs the blocks that the word of a task's tail starts. false: it does not end. */
static bool sim_task(uint64_t address, uint32_t amount, uint64_t base, int node) {
    rkchip_region regions[SIM_MOST_OBJECTS];
    rkchip_task task;
    uint64_t start, ready;
    if (!sim_fetch(address + ((uint64_t)amount + 3) * 8, &start) ||
        !sim_fetch(address + ((uint64_t)amount + 2) * 8, &ready))
        return false;
    if (ready != (uint64_t)0x41 << 48 || start >> 48 != 0x81 || (start & 0xffff) != 8) {
        sim_mistake("a task's tail starts nothing");
        return false;
    }
    sim.chip->memory.count = 0;
    for (uint32_t i = 0; i < SIM_MOST_OBJECTS; i++) {
        const sim_object *o = &sim.objects[i];
        /* behind an IOMMU a file sees its own memory; without one, everybody's */
        if (!o->alive || (sim.kind != SIM_OWN && o->node != node)) continue;
        regions[sim.chip->memory.count].address = o->address;
        regions[sim.chip->memory.count].bytes = o->device;
        regions[sim.chip->memory.count++].size = o->size;
    }
    sim.chip->memory.regions = regions;
    sim.chip->memory.base = base;
    task.enable = (uint32_t)(start >> 16);
    task.amount = amount;
    task.address = address - base;
    if (!rkchip_run(sim.chip, sim.tasks, &task)) {
        if (sim.kind == SIM_OWN) sim_mistake(sim.chip->sentence);
        return false;
    }
    sim.tasks++;
    return true;
}

/* ------------------------------------------------------------------------------------------ Rockchip's driver */

typedef struct sim_rk_create {
    uint32_t handle, flags;
    uint64_t size, object, address, sram;
    int32_t domain;
    uint32_t cores;
} sim_rk_create;
typedef struct sim_rk_task {
    uint32_t flags, op, enable, mask, clear, status, amount, offset;
    uint64_t command;
} sim_rk_task;
typedef struct sim_rk_submit {
    uint32_t flags, timeout, start, number, counter;
    int32_t priority;
    uint64_t tasks, domain, base;
    int64_t elapsed;
    uint32_t cores;
    int32_t fence;
    uint32_t subcore[5][2];
} sim_rk_submit;

static int sim_error(int error) {
    errno = error;
    return -1;
}

static int sim_rk_make(int node, unsigned long number, void *argument) {
    const bool own = sim.kind == SIM_OWN;
    const size_t told = sim_number_size(number);
    sim_rk_create create;
    sim_object *o;
    int fd = -1;
    if (sim_fails(SIM_CREATE)) return -1;
    /* the device of its own copies as much as the number says into its structure on the stack */
    if (own && told > sim.create_size) sim_mistake("MEM_CREATE: the kernel's stack is overwritten");
    memset(&create, 0, sizeof create);
    memcpy(&create, argument, told < sizeof create ? told : sizeof create);
    if (create.handle != 0) return sim_error(EINVAL); /* imports are not simulated */
    if ((create.flags & ~0x7ffu) != 0 || create.size == 0 || create.size > 1u << 26) return sim_error(EINVAL);
    if (own && (create.flags & 1) != 0) return sim_error(EINVAL);
    if (own) fd = memfd_create("sim_rknpu_memory", MFD_CLOEXEC);
    o = sim_make(node, own ? fd : node, own ? 0 : sim.next_offset, (size_t)create.size);
    if (o == NULL) return -1;
    o->kernel_mapping = (create.flags & 8) != 0;
    o->handle = own ? (uint32_t)fd : (uint32_t)(o - sim.objects) + 1;
    if (own && sim.calls[SIM_MMAP] + 1 == sim.fault_at && sim.fault == SIM_MMAP) { /* a file that nobody maps */
        close(fd);
        o->handle = (uint32_t)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0);
    }
    if (own) sim.calls[SIM_MMAP]++;
    create.handle = o->handle;
    create.size = o->size;
    create.object = o->object;
    create.address = o->address;
    memcpy(argument, &create, told < sizeof create ? told : sizeof create);
    return 0;
}

static int sim_rk_map(int node, void *argument) {
    struct {
        uint32_t handle, reserved;
        uint64_t offset;
    } map;
    sim_object *o;
    if (sim_fails(SIM_MAP)) return -1;
    memcpy(&map, argument, sizeof map);
    o = sim_find(0, node, map.handle);
    if (o == NULL) return sim_error(EINVAL);
    map.offset = o->offset + (sim_fails(SIM_MMAP) ? 1 : 0);
    memcpy(argument, &map, sizeof map);
    return 0;
}

static int sim_rk_destroy(int node, void *argument) {
    struct {
        uint32_t handle, reserved;
        uint64_t object;
    } destroy;
    sim_object *o;
    if (sim_fails(SIM_DESTROY)) return -1;
    memcpy(&destroy, argument, sizeof destroy);
    o = sim_find(sim.kind == SIM_OWN ? destroy.object : 0, node, destroy.handle);
    if (o == NULL || o->object != destroy.object || o->handle != destroy.handle) {
        sim_mistake("MEM_DESTROY of nothing");
        return sim_error(EINVAL);
    }
    sim_free(o);
    return 0;
}

static int sim_rk_sync(void *argument) {
    struct {
        uint32_t flags, reserved;
        uint64_t object, offset, size;
    } sync;
    sim_object *o;
    if (sim_fails(SIM_SYNC)) return -1;
    memcpy(&sync, argument, sizeof sync);
    o = sim_find(sync.object, 0, 0);
    if (o == NULL || sync.offset > o->size || sync.size > o->size - sync.offset || sync.flags == 0 || sync.flags > 2) {
        sim_mistake("MEM_SYNC of nothing"); /* the kernel would not notice */
        return sim_error(EINVAL);
    }
    if (sync.flags == 1) memcpy(o->device + sync.offset, o->cpu + sync.offset, (size_t)sync.size);
    else memcpy(o->cpu + sync.offset, o->device + sync.offset, (size_t)sync.size);
    return 0;
}

/* All tasks of the job, from the first one's words on. */
static bool sim_rk_chain(int node, const sim_object *records, const sim_rk_submit *submit, uint32_t first,
                         uint32_t count) {
    sim_rk_task task;
    uint64_t address;
    memcpy(&task, records->cpu + first * sizeof task, sizeof task);
    address = task.command; /* whole, whatever the base is */
    for (uint32_t i = 0; i < count; i++) {
        uint64_t link, fetched;
        memcpy(&task, records->cpu + (first + i) * sizeof task, sizeof task);
        if (task.command != address) sim_mistake("the list of tasks and the words lead to different places");
        if (!sim_task(address, task.amount, submit->base, node)) return false;
        if (i + 1 == count) break;
        if (!sim_fetch(address + (uint64_t)task.amount * 8, &link) ||
            !sim_fetch(address + (uint64_t)task.amount * 8 + 8, &fetched) || (uint32_t)(link >> 16) == 0)
            return false; /* no next task: silicon waits for ever */
        memcpy(&task, records->cpu + (first + i + 1) * sizeof task, sizeof task);
        if ((uint32_t)(fetched >> 16) != (task.amount + 5) / 2 - 1) sim_mistake("a tail fetches another amount");
        address = submit->base + (uint32_t)(link >> 16);
    }
    return true;
}

/* The core of a job, 0 in its mask being the driver's choice (documented in the kernel's source): the one with the
   fewest tasks that wait or run, of several the first. */
static uint32_t sim_rk_core(const sim_rk_submit *submit) {
    uint32_t core = 0, i;
    for (i = 1; sim.large && i < SIM_CORES; i++)
        if (submit->cores == 0 ? sim.queued[i] < sim.queued[core] : (submit->cores & 1) == 0 && submit->cores >> i == 1)
            core = i;
    return core;
}

/* Waits for the core's turn; other jobs go on meanwhile, on other cores. */
static void sim_rk_core_begins(uint32_t core, uint32_t count) {
    uint32_t running = 0;
    sim.queued[core] += count;
    while (sim.core_runs[core]) pthread_cond_wait(&sim.core_ends, &sim.mutex);
    sim.core_runs[core] = true;
    sim.core_jobs[core]++;
    for (uint32_t i = 0; i < SIM_CORES; i++) running += sim.core_runs[i];
    if (running > sim.at_once) sim.at_once = running;
}

static void sim_rk_core_ends(uint32_t core, uint32_t count) {
    sim.queued[core] -= count;
    sim.core_runs[core] = false;
    pthread_cond_broadcast(&sim.core_ends);
}

/* The core works: nobody else waits for that. */
static void sim_rk_work_until(uint64_t when_ns) {
    pthread_mutex_unlock(&sim.mutex);
    sim_wait_until(when_ns);
    pthread_mutex_lock(&sim.mutex);
}

static int sim_rk_submit_job(int node, void *argument) {
    sim_rk_submit submit;
    sim_object *records;
    uint32_t first, count, core;
    bool done;
    if (sim_fails(SIM_SUBMIT)) return -1;
    memcpy(&submit, argument, sizeof submit);
    if (submit.number == 0 || submit.cores > (sim.large ? 7u : 1u)) return sim_error(EINVAL);
    if ((submit.flags & 1) == 0 || (submit.flags & ~0x1fu) != 0) return sim_error(EINVAL);
    records = sim_find(submit.tasks, 0, 0);
    if (records == NULL || !records->kernel_mapping) {
        sim_mistake("SUBMIT: the kernel reads tasks where there are none");
        return sim_error(EFAULT);
    }
    core = sim_rk_core(&submit);
    first = sim.large ? submit.subcore[core][0] : submit.start;
    count = sim.large ? submit.subcore[core][1] : submit.number;
    if (count == 0 || (first + (uint64_t)count) * sizeof(sim_rk_task) > records->size) {
        sim_mistake("SUBMIT: more tasks than there are");
        return sim_error(EINVAL);
    }
    sim.jobs++;
    sim.pingpong_jobs += (submit.flags & 4) != 0;
    done = sim.behaviour != SIM_HANGS && (sim.behaviour != SIM_IS_SLOW || sim.slow_ms < submit.timeout);
    sim_rk_core_begins(core, count);
    if (sim.behaviour == SIM_IS_SLOW) sim_rk_work_until(sim_now_ns() + (uint64_t)(done ? sim.slow_ms : 0) * 1000000u);
    if (done) done = sim_rk_chain(node, records, &submit, first, count);
    submit.counter = done ? submit.number : 0;
    memcpy(argument, &submit, sizeof submit);
    if (!done) sim_rk_work_until(sim_now_ns() + (uint64_t)submit.timeout * 1000000u);
    sim_rk_core_ends(core, count);
    if (done) return 0;
    sim.resets++;
    memset(sim.chip->group, 0, sizeof sim.chip->group);
    return sim_error(ETIMEDOUT);
}

static int sim_rk(int node, unsigned long number, void *argument) {
    switch (sim_number(number) - (sim.kind == SIM_OWN ? 0u : 0x40u)) {
    case 1: return sim_rk_submit_job(node, argument);
    case 2: return sim_rk_make(node, number, argument);
    case 3: return sim.kind == SIM_OWN ? sim_error(EFAULT) : sim_rk_map(node, argument);
    case 4: return sim_rk_destroy(node, argument);
    case 5: return sim_rk_sync(argument);
    default: return sim_error(EINVAL);
    }
}

/* -------------------------------------------------------------------------------------------------- rocket */

static int sim_rocket_make(int node, void *argument) {
    struct {
        uint32_t size, handle;
        uint64_t address, offset;
    } create;
    sim_object *o;
    if (sim_fails(SIM_CREATE)) return -1;
    memcpy(&create, argument, sizeof create);
    if (create.size == 0) return sim_error(EINVAL);
    o = sim_make(node, node, sim.next_offset, create.size);
    if (o == NULL) return -1;
    create.offset = o->offset + (sim_fails(SIM_MMAP) ? 1 : 0); /* no offset of a page: mmap refuses it */
    create.handle = o->handle = (uint32_t)(o - sim.objects) + 1;
    create.address = o->address;
    memcpy(argument, &create, sizeof create);
    return 0;
}

/* The tasks of a job, each by itself. false: one does not end. */
static bool sim_rocket_tasks(int node, const uint8_t *tasks, uint32_t count, uint32_t size) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t task[2];
        uint64_t link, fetched, start;
        memcpy(task, tasks + (size_t)i * size, sizeof task);
        if (sim.behaviour == SIM_HANGS || (sim.behaviour == SIM_STOPS_SHORT && i + 1 == count)) return false;
        if (task[1] < 5 || !sim_fetch(task[0] + ((uint64_t)task[1] - 4) * 8, &link) ||
            !sim_fetch(task[0] + ((uint64_t)task[1] - 3) * 8, &fetched) ||
            !sim_fetch(task[0] + ((uint64_t)task[1] - 1) * 8, &start))
            return false;
        if ((uint32_t)(link >> 16) != 0) sim_mistake("rocket: a task leads to another");
        if ((uint32_t)(fetched >> 16) != 0) sim_mistake("rocket: a task fetches another");
        if (!sim_task(task[0], task[1] - 4, 0, node)) return false;
        if (((uint32_t)(start >> 16) & 8) == 0) return false; /* no block of it interrupts */
    }
    return true;
}

static bool sim_rocket_job(int node, const uint8_t *bytes) {
    struct {
        uint64_t tasks, in, out;
        uint32_t task_count, task_size, in_count, out_count;
    } told;
    sim_object *out;
    bool done;
    memcpy(&told, bytes, sizeof told);
    if (told.task_count == 0 || told.task_size < 8 || told.in_count != 0 || told.out_count != 1) return false;
    out = sim_find(0, node, *(const uint32_t *)(uintptr_t)told.out);
    if (out == NULL) return false;
    done = sim_rocket_tasks(node, (const uint8_t *)(uintptr_t)told.tasks, told.task_count, told.task_size);
    out->ready_ns = sim_now_ns() + (uint64_t)(!done                          ? SIM_GIVES_UP_MS
                                              : sim.behaviour == SIM_IS_SLOW ? sim.slow_ms
                                                                             : 0) *
                                       1000000u;
    sim.resets += !done;
    return true;
}

static int sim_rocket_submit(int node, void *argument) {
    struct {
        uint64_t jobs;
        uint32_t count, size;
        uint64_t reserved;
    } submit;
    if (sim_fails(SIM_SUBMIT)) return -1;
    memcpy(&submit, argument, sizeof submit);
    if (submit.count == 0) return 0;
    if (submit.size < 40 || submit.reserved != 0) return sim_error(EINVAL);
    for (uint32_t i = 0; i < submit.count && sim.behaviour != SIM_DROPS; i++) {
        sim.jobs++;
        sim.hidden += !sim_rocket_job(node, (const uint8_t *)(uintptr_t)submit.jobs + (size_t)i * submit.size);
    }
    return 0; /* whatever became of them */
}

static int sim_rocket_prep(int node, void *argument) {
    struct {
        uint32_t handle, reserved;
        int64_t until;
    } prep;
    sim_object *o;
    bool ready;
    if (sim_fails(SIM_PREP)) return -1;
    memcpy(&prep, argument, sizeof prep);
    o = sim_find(0, node, prep.handle);
    if (prep.reserved != 0) return sim_error(EINVAL);
    if (o == NULL) return sim_error(ENOENT);
    ready = o->ready_ns <= (uint64_t)prep.until;
    sim_wait_until(ready ? o->ready_ns : (uint64_t)prep.until);
    memcpy(o->cpu, o->device, o->size);
    return ready ? 0 : sim_error(ETIMEDOUT);
}

static int sim_rocket_fini(int node, void *argument) {
    uint32_t handle[2];
    sim_object *o;
    if (sim_fails(SIM_SYNC)) return -1;
    memcpy(handle, argument, sizeof handle);
    o = sim_find(0, node, handle[0]);
    if (o == NULL || handle[1] != 0) return sim_error(ENOENT);
    if (o->ready_ns > sim_now_ns()) sim_mistake("rocket: memory is written while a job uses it");
    memcpy(o->device, o->cpu, o->size);
    return 0;
}

static int sim_rocket(int node, unsigned long number, void *argument) {
    uint32_t handle;
    sim_object *o;
    switch (sim_number(number)) {
    case 0x40: return sim_rocket_make(node, argument);
    case 0x41: return sim_rocket_submit(node, argument);
    case 0x42: return sim_rocket_prep(node, argument);
    case 0x43: return sim_rocket_fini(node, argument);
    case 9:
        if (sim_fails(SIM_DESTROY)) return -1;
        memcpy(&handle, argument, sizeof handle);
        o = sim_find(0, node, handle);
        if (o == NULL) return sim_error(EINVAL);
        sim_free(o);
        return 0;
    default: return sim_error(EINVAL);
    }
}

/* ------------------------------------------------------------------------------------------------ the system */

/* DRM_IOCTL_VERSION. name: of the driver. */
static int sim_version(void *argument, const char *name) {
    struct {
        int numbers[3];
        size_t length;
        char *name;
    } version;
    if (sim_fails(SIM_VERSION)) return -1;
    memcpy(&version, argument, sizeof version);
    memcpy(version.name, name, version.length < strlen(name) ? version.length : strlen(name));
    version.length = strlen(name);
    memcpy(argument, &version, sizeof version);
    return 0;
}

static int sim_ioctl(int fd, unsigned long number, void *argument, bool *is_ours) {
    int result = 0;
    bool found = false;
    pthread_mutex_lock(&sim.mutex);
    for (uint32_t i = 0; i < SIM_MOST_NODES; i++) found = found || (sim.nodes[i] == fd + 1);
    *is_ours = found;
    if (found && sim.kind != SIM_OWN && sim_number(number) == 0)
        result = sim_version(argument, sim.kind == SIM_ROCKET ? "rocket" : "rknpu");
    else if (found) result = sim.kind == SIM_ROCKET ? sim_rocket(fd, number, argument) : sim_rk(fd, number, argument);
    pthread_mutex_unlock(&sim.mutex);
    return result;
}

/* A file with bytes in it; -1: none. */
static int sim_file(const char *name, const char *text, size_t size) {
    const int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd >= 0 && (write(fd, text, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)) abort();
    return fd;
}

static int sim_node(void) {
    const int fd = sim_file("sim_npu", "", 0);
    uint32_t i;
    for (i = 0; i < SIM_MOST_NODES && sim.nodes[i] != 0 && sim.nodes[i] != fd + 1; i++) {}
    if (i == SIM_MOST_NODES) { /* of those that were closed long ago */
        memset(sim.nodes, 0, sizeof sim.nodes);
        i = 0;
    }
    sim.nodes[i] = fd + 1;
    return fd;
}

/* -2: the path is none of the board's. */
static int sim_open(const char *path) {
    static const char *const ours[] = {"/dev/rknpu", "/dev/rknpu", "/dev/dri/renderD129", "/dev/dri/card1",
                                       "/dev/accel/accel0"};
    char text[128];
    size_t i;
    if (strcmp(path, "/proc/device-tree/compatible") == 0) {
        if (sim.compatible == NULL) return sim_error(ENOENT);
        snprintf(text, sizeof text, "%s", sim.compatible);
        for (i = 0; text[i] != '\0'; i++)
            if (text[i] == '\n') text[i] = '\0';
        return sim_file("sim_compatible", text, strlen(sim.compatible));
    }
    if (strncmp(path, "/dev/rknpu", 10) != 0 && strncmp(path, "/dev/dri/", 9) != 0 &&
        strncmp(path, "/dev/accel/", 11) != 0)
        return -2;
    if (sim.kind == SIM_NONE || strcmp(path, ours[sim.kind]) != 0) {
        if ((sim.kind == SIM_DRM && strcmp(path, "/dev/dri/renderD128") == 0))
            return sim_file("sim_gpu", "", 0); /* not the NPU's: no ioctl of ours */
        return sim_error(ENOENT);
    }
    if (sim_fails(SIM_OPEN)) return -1;
    return sim_node();
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    int mode = 0, fd;
    va_start(arguments, flags);
    if ((flags & O_CREAT) != 0) mode = va_arg(arguments, int);
    va_end(arguments);
    pthread_mutex_lock(&sim.mutex);
    fd = sim_open(path);
    pthread_mutex_unlock(&sim.mutex);
    return fd != -2 ? fd : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#ifdef __GLIBC__
int ioctl(int fd, unsigned long number, ...) {
#else
int ioctl(int fd, int number, ...) {
#endif
    va_list arguments;
    void *argument;
    bool is_ours;
    int result;
    va_start(arguments, number);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    result = sim_ioctl(fd, (unsigned long)(unsigned int)number, argument, &is_ours);
    return is_ours ? result : (int)syscall(SYS_ioctl, fd, number, argument);
}

#endif /* NNRT_TESTS_SIM_NPU_H */
