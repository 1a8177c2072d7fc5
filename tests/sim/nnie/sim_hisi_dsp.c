/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hisi_dsp.c - the vector DSPs: power, images, and for each core a thread and a queue of each priority.

   A core takes the oldest task of the highest priority and finishes it. Erode and dilate are computed on bytes of MMZ;
   other commands are the test's: nnrt_sim_dsp_command, or the second half of the body becomes what the first is. An
   image of a program is a file of make_model.py: "NDSP", its kind, its length. */
#define _GNU_SOURCE
#include "sim_hisi.h"

#include "../common/sim_crew.h"
#include "../common/sim_private.h"
#include "sim_hisi_dsp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_DSP_CORES 4u
#define SIM_DSP_PRIORITIES 3u
#define SIM_DSP_MAX_NODES 30u /* of each priority: max_node_num */
#define SIM_DSP_IMAGES 4u     /* of a core: DDR, IRAM, DRAM 0, DRAM 1 */
#define SIM_DSP_IMAGE_HEADER 12u

#define SIM_DSP_CODE(name) ((int32_t)SIM_DSP_##name)

typedef char sim_dsp_check_message[sizeof(sim_dsp_message) == 24 ? 1 : -1];
typedef char sim_dsp_check_image[sizeof(sim_dsp_image) == 72 ? 1 : -1];

typedef struct sim_dsp_task {
    struct sim_dsp_task *next; /* in order of their RPC */
    uint32_t core, priority;
    int32_t handle, error;
    sim_hisi_state state;
    bool seen; /* the caller knows that it is over */
    sim_dsp_message message;
    sim_dsp_image images[2]; /* of erode and dilate, as the body had them */
    bool has_images;
} sim_dsp_task;

typedef struct sim_dsp_core {
    sim_context power; /* among what is alive while it is on */
    bool powered, enabled, broken;
    unsigned loaded; /* a bit for each image */
    int32_t next;
} sim_dsp_core;

static const sim_kind sim_dsp_kind = {"DSP"};
static sim_dsp_core sim_dsp_cores[SIM_DSP_CORES];
static sim_dsp_task *sim_dsp_tasks;
static pthread_cond_t sim_dsp_ended = PTHREAD_COND_INITIALIZER;
static sim_crew sim_dsp_crew = SIM_CREW;
static long sim_dsp_time = -1; /* microseconds */
static nnrt_sim_dsp_program sim_dsp_program;
static void *sim_dsp_user;

SIM_EXPORT void nnrt_sim_dsp_command(nnrt_sim_dsp_program program, void *user) {
    sim_lock();
    sim_dsp_program = program;
    sim_dsp_user = user;
    sim_unlock();
}

SIM_EXPORT void nnrt_sim_dsp_time(unsigned microseconds) {
    sim_lock();
    sim_dsp_time = (long)microseconds;
    sim_unlock();
}

/* ---------------------------------------------------------------------------------------------------- power, images */

/* Locked; NULL: this chip has no such core. */
static sim_dsp_core *sim_dsp_core_of(uint32_t core) {
    return core < sim_hisi_the_chip_locked()->dsps ? &sim_dsp_cores[core] : NULL;
}

static bool sim_dsp_busy(uint32_t core) {
    const sim_dsp_task *task;
    for (task = sim_dsp_tasks; task; task = task->next)
        if (task->core == core && !task->seen) return true;
    return false;
}

static int32_t sim_dsp_switch(uint32_t number, bool on) {
    sim_dsp_core *core = sim_dsp_core_of(number);
    if (!core) return SIM_DSP_CODE(ILLEGAL_PARAM);
    if (on && !core->powered) {
        memset(&core->power, 0, sizeof(core->power));
        sim_context_add(&core->power, &sim_dsp_kind);
        core->powered = true;
    }
    if (!on && core->powered) {
        if (core->enabled) {
            sim_mistake_locked("wrong order: PowerOff of DSP %u, which has not been disabled", (unsigned)number);
            if (!sim_lets_pass()) return SIM_DSP_CODE(NOT_PERM);
        }
        sim_context_unlink(&core->power);
        core->powered = core->enabled = core->broken = false;
        core->loaded = 0;
    }
    return SIM_HISI_OK;
}

int32_t sim_hisi_dsp_power(uint32_t core, bool on, bool fault) {
    int32_t answer = SIM_HISI_OK;
    sim_lock();
    if (!fault) answer = sim_dsp_switch(core, on);
    else if (!on && sim_dsp_core_of(core)) sim_dsp_cores[core].power.given_up = true;
    sim_unlock();
    return answer;
}

static int32_t sim_dsp_start(uint32_t number, bool on) {
    sim_dsp_core *core = sim_dsp_core_of(number);
    if (!core) return SIM_DSP_CODE(ILLEGAL_PARAM);
    if (on && (!core->powered || core->loaded != (1u << SIM_DSP_IMAGES) - 1)) {
        sim_mistake_locked("wrong order: EnableCore of DSP %u, which %s", (unsigned)number,
                           core->powered ? "lacks an image" : "has no power");
        return SIM_DSP_CODE(NOT_PERM);
    }
    if (on && core->broken) {
        sim_mistake_locked("wrong image: DSP %u is started with an image that is cut off or of another memory",
                           (unsigned)number);
        return SIM_DSP_CODE(SYS_TIMEOUT);
    }
    if (!on && core->enabled && sim_dsp_busy(number))
        sim_mistake_locked("wrong order: DisableCore of DSP %u while a task may run", (unsigned)number);
    core->enabled = on;
    return SIM_HISI_OK;
}

int32_t sim_hisi_dsp_enable(uint32_t core, bool on) {
    int32_t answer;
    sim_lock();
    answer = sim_dsp_start(core, on);
    sim_unlock();
    return answer;
}

uint32_t sim_hisi_dsp_memories(void) { return sim_hisi_the_chip()->dsps * SIM_DSP_IMAGES; }

int32_t sim_hisi_dsp_image(uint32_t memory, const uint8_t *bytes, size_t size) {
    sim_dsp_core *core;
    uint32_t kind = UINT32_MAX, length = 0;
    int32_t answer = SIM_HISI_OK;
    if (size >= SIM_DSP_IMAGE_HEADER && memcmp(bytes, "NDSP", 4) == 0) {
        memcpy(&kind, bytes + 4, 4);
        memcpy(&length, bytes + 8, 4);
    }
    sim_lock();
    core = sim_dsp_core_of(memory / SIM_DSP_IMAGES);
    if (!core) answer = SIM_DSP_CODE(ILLEGAL_PARAM);
    else if (!core->powered) answer = SIM_DSP_CODE(NOTREADY);
    else if (size == 0) answer = SIM_DSP_CODE(NOMEM);
    else {
        if (core->enabled) sim_mistake_locked("wrong order: LoadBin into a DSP that runs");
        core->broken = core->broken || kind != memory % SIM_DSP_IMAGES || length != size;
        core->loaded |= 1u << memory % SIM_DSP_IMAGES;
    }
    sim_unlock();
    return answer;
}

/* ------------------------------------------------------------------------------------------------------------ tasks */

static bool sim_dsp_is_filter(const sim_dsp_task *task) {
    return task->message.command == SIM_DSP_ERODE_3X3 || task->message.command == SIM_DSP_DILATE_3X3;
}

static uint64_t sim_dsp_image_bytes(const sim_dsp_image *image) { return (uint64_t)image->stride[0] * image->height; }

static bool sim_dsp_uses(const sim_dsp_task *task, uint64_t physical, uint64_t size) {
    uint32_t i;
    bool uses = physical < task->message.body + task->message.size && task->message.body < physical + size;
    for (i = 0; i < 2 && task->has_images; i++)
        uses = uses || (physical < task->images[i].physical[0] + sim_dsp_image_bytes(&task->images[i]) &&
                        task->images[i].physical[0] < physical + size);
    return uses;
}

bool sim_hisi_dsp_in(uint64_t physical, uint64_t size) {
    const sim_dsp_task *task;
    for (task = sim_dsp_tasks; task; task = task->next)
        if (!task->seen && (physical == 0 || sim_dsp_uses(task, physical, size))) return true;
    return false;
}

static void sim_dsp_notice_dirty(uint64_t physical, uint64_t size, bool whole, const char *what) {
    const size_t lines = sim_hisi_dirty(physical, size, whole);
    if (lines)
        sim_mistake_locked("missing sync: %lu lines of %s were written by the CPU and not flushed before the RPC",
                           (unsigned long)lines, what);
}

static void sim_dsp_notice(const sim_dsp_task *task) {
    sim_dsp_notice_dirty(task->message.body, task->message.size, false, "the message's body");
    if (!task->has_images) return;
    sim_dsp_notice_dirty(task->images[0].physical[0], sim_dsp_image_bytes(&task->images[0]), false, "the source");
    sim_dsp_notice_dirty(task->images[1].physical[0], sim_dsp_image_bytes(&task->images[1]), true, "the destination");
}

/* The body as the DSP has it. */
static void sim_dsp_read_images(sim_dsp_task *task) {
    task->has_images = sim_dsp_is_filter(task) && task->message.size >= sizeof(task->images);
    if (task->has_images) sim_hisi_read(task->message.body, task->images, sizeof(task->images));
}

static bool sim_dsp_queue_is_full(const sim_dsp_task *task) {
    const sim_dsp_task *other;
    unsigned count = 0;
    for (other = sim_dsp_tasks; other; other = other->next)
        count += other->core == task->core && other->priority == task->priority && other->state == SIM_HISI_WAITING;
    return count >= SIM_DSP_MAX_NODES;
}

static void *sim_dsp_thread(void *user);

static int32_t sim_dsp_accept(sim_dsp_task *task) {
    const sim_dsp_core *core = sim_dsp_core_of(task->core);
    const unsigned mistakes = sim_mistakes_locked();
    sim_dsp_task **end = &sim_dsp_tasks;
    if (!core || task->priority >= SIM_DSP_PRIORITIES) return SIM_DSP_CODE(ILLEGAL_PARAM);
    if (!core->enabled) {
        sim_mistake_locked("wrong order: RPC to DSP %u, which has not been enabled", (unsigned)task->core);
        return SIM_DSP_CODE(NOT_PERM);
    }
    if (task->message.size && !sim_hisi_in_mmz(task->message.body, task->message.size)) {
        sim_mistake_locked("wrong address: a message's body at physical 0x%llx, which is no memory of the board",
                           (unsigned long long)task->message.body);
        return SIM_DSP_CODE(ILLEGAL_PARAM);
    }
    if (task->message.command < SIM_DSP_ERODE_3X3) {
        sim_mistake_locked("wrong command: %u is the system's", (unsigned)task->message.command);
        return SIM_DSP_CODE(ILLEGAL_PARAM);
    }
    if (sim_dsp_queue_is_full(task)) return SIM_DSP_CODE(BUF_FULL);
    sim_dsp_read_images(task);
    sim_dsp_notice(task);
    if (!sim_lets_pass() && sim_mistakes_locked() != mistakes) return SIM_DSP_CODE(ILLEGAL_PARAM);
    if (!sim_crew_wake(&sim_dsp_crew, task->core, sim_dsp_thread)) return SIM_DSP_CODE(NOMEM);
    task->handle = sim_dsp_cores[task->core].next++;
    while (*end) end = &(*end)->next;
    *end = task;
    return SIM_HISI_OK;
}

int32_t sim_hisi_dsp_rpc(int32_t *handle, const void *message, uint32_t core, uint32_t priority) {
    sim_dsp_task *task = (sim_dsp_task *)calloc(1, sizeof(*task));
    int32_t answer;
    if (!task) return SIM_DSP_CODE(NOMEM);
    memcpy(&task->message, message, sizeof(task->message));
    task->core = core;
    task->priority = priority;
    sim_lock();
    answer = sim_dsp_accept(task);
    if (answer == SIM_HISI_OK) *handle = task->handle;
    sim_unlock();
    if (answer != SIM_HISI_OK) free(task);
    return answer;
}

static sim_dsp_task *sim_dsp_find(uint32_t core, int32_t handle) {
    sim_dsp_task *task = sim_dsp_tasks;
    while (task && (task->core != core || task->handle != handle)) task = task->next;
    return task;
}

/* Tasks that are over and known to be so are forgotten. */
static void sim_dsp_forget(void) {
    sim_dsp_task **place = &sim_dsp_tasks;
    while (*place) {
        sim_dsp_task *task = *place;
        if (task->state == SIM_HISI_OVER && task->seen) {
            *place = task->next;
            free(task);
        } else place = &task->next;
    }
}

static int32_t sim_dsp_query(uint32_t core, int32_t handle, int32_t *finished, bool block) {
    const struct timespec until = sim_hisi_block_end();
    bool late = false;
    for (;;) {
        sim_dsp_task *task = sim_dsp_find(core, handle);
        if (!task) { /* over, and asked about before */
            *finished = 1;
            return SIM_HISI_OK;
        }
        if (task->state == SIM_HISI_OVER) {
            const int32_t error = task->error;
            task->seen = true;
            sim_dsp_forget();
            if (!error) *finished = 1;
            return error;
        }
        if (!block) {
            *finished = 0;
            return SIM_HISI_OK;
        }
        if (late) return SIM_DSP_CODE(QUERY_TIMEOUT);
        late = pthread_cond_timedwait(&sim_dsp_ended, sim_the_mutex(), &until) == ETIMEDOUT;
    }
}

int32_t sim_hisi_dsp_query(uint32_t core, int32_t handle, int32_t *finished, bool block) {
    int32_t answer = SIM_DSP_CODE(ILLEGAL_PARAM);
    sim_lock();
    if (sim_dsp_core_of(core) && handle >= 0 && handle < sim_dsp_cores[core].next)
        answer = sim_dsp_query(core, handle, finished, block);
    else
        sim_mistake_locked("wrong handle: Query of %ld on DSP %u, which has not been given out", (long)handle,
                           (unsigned)core);
    sim_unlock();
    return answer;
}

/* -------------------------------------------------------------------------------------------------------- computing */

/* The smallest, or the largest, of the pixels around (and of itself) that are in the picture. */
static uint8_t sim_dsp_of_nine(const uint8_t *pixels, const sim_dsp_image *image, uint32_t y, uint32_t x, bool most) {
    const uint32_t stride = image->stride[0];
    uint8_t found = pixels[(size_t)y * stride + x];
    uint32_t h, w;
    for (h = y ? y - 1 : 0; h <= y + 1 && h < image->height; h++)
        for (w = x ? x - 1 : 0; w <= x + 1 && w < image->width; w++) {
            const uint8_t pixel = pixels[(size_t)h * stride + w];
            if (most ? pixel > found : pixel < found) found = pixel;
        }
    return found;
}

static bool sim_dsp_images_fit(const sim_dsp_task *task) {
    uint32_t i;
    if (!task->has_images) return false;
    for (i = 0; i < 2; i++) {
        const sim_dsp_image *image = &task->images[i];
        if (image->type != 0 || image->width == 0 || image->height == 0 || image->stride[0] < image->width ||
            image->width != task->images[0].width || image->height != task->images[0].height ||
            !sim_hisi_in_mmz(image->physical[0], sim_dsp_image_bytes(image)))
            return false;
    }
    return true;
}

static void sim_dsp_write_rows(const sim_dsp_image *image, const uint8_t *pixels, bool late) {
    uint32_t y;
    for (y = 0; y < image->height; y++) {
        const uint64_t row = image->physical[0] + (uint64_t)y * image->stride[0];
        if (sim_hisi_unseen(row, image->width)) {
            sim_mistake_locked("missing sync: the destination is overwritten, and nobody could have read the run "
                               "before (no flush after it)");
            break;
        }
    }
    for (y = 0; y < image->height; y++)
        sim_hisi_write(image->physical[0] + (uint64_t)y * image->stride[0], pixels + (size_t)y * image->width,
                       image->width, late);
}

static int32_t sim_dsp_filter(const sim_dsp_task *task, bool late) {
    const sim_dsp_image *source = &task->images[0];
    uint8_t *from = NULL, *to = NULL;
    int32_t answer = SIM_DSP_CODE(ILLEGAL_PARAM);
    uint32_t y, x;
    sim_lock();
    if (sim_dsp_images_fit(task)) {
        from = (uint8_t *)malloc((size_t)sim_dsp_image_bytes(source));
        to = (uint8_t *)malloc((size_t)source->width * source->height);
    }
    if (from && to) sim_hisi_read(source->physical[0], from, (size_t)sim_dsp_image_bytes(source));
    sim_unlock();
    if (from && to) {
        for (y = 0; y < source->height; y++)
            for (x = 0; x < source->width; x++)
                to[(size_t)y * source->width + x] =
                    sim_dsp_of_nine(from, source, y, x, task->message.command == SIM_DSP_DILATE_3X3);
        sim_lock();
        sim_dsp_write_rows(&task->images[1], to, late);
        sim_unlock();
        answer = SIM_HISI_OK;
    }
    free(from);
    free(to);
    return answer;
}

static int32_t sim_dsp_program_run(const sim_dsp_task *task, bool late) {
    const size_t size = task->message.size;
    uint8_t *body = (uint8_t *)malloc(size + 1);
    nnrt_sim_dsp_program program;
    void *user;
    if (!body) return SIM_DSP_CODE(NOMEM);
    sim_lock();
    sim_hisi_read(task->message.body, body, size);
    program = sim_dsp_program;
    user = sim_dsp_user;
    sim_unlock();
    if (program) program(user, task->core, task->message.command, task->message.id, body, size);
    else memcpy(body + size / 2, body, size / 2);
    sim_lock();
    sim_hisi_write(task->message.body, body, size, late);
    sim_unlock();
    free(body);
    return SIM_HISI_OK;
}

/* ------------------------------------------------------------------------------------------------------------ cores */

static sim_dsp_task *sim_dsp_next(uint32_t core) {
    sim_dsp_task *task, *best = NULL;
    for (task = sim_dsp_tasks; task; task = task->next)
        if (task->core == core && task->state == SIM_HISI_WAITING && (!best || task->priority < best->priority))
            best = task;
    return best;
}

/* Locked, the lock is given back meanwhile. */
static void sim_dsp_take_time(void) {
    if (sim_dsp_time < 0) {
        const char *text = getenv("NNRT_SIM_DSP_TIME");
        sim_dsp_time = text && *text ? strtol(text, NULL, 10) : 0;
    }
    sim_crew_take_time(&sim_dsp_crew, sim_dsp_time);
}

static void *sim_dsp_thread(void *user) {
    const uint32_t core = (uint32_t)(uintptr_t)user;
    sim_lock();
    while (!sim_dsp_crew.stopping) {
        sim_dsp_task *task = sim_dsp_next(core);
        int answer = 0;
        bool late = false;
        if (!task) {
            sim_crew_wait(&sim_dsp_crew);
            continue;
        }
        task->state = SIM_HISI_RUNNING;
        sim_dsp_take_time();
        sim_unlock();
        if (sim_enter_late("dsp_task", &answer, &late)) {
            if (answer == sim_the_board.no_device || answer == sim_the_board.failed) answer = SIM_DSP_CODE(SYS_TIMEOUT);
        } else answer = sim_dsp_is_filter(task) ? sim_dsp_filter(task, late) : sim_dsp_program_run(task, late);
        sim_lock();
        task->error = answer;
        task->state = SIM_HISI_OVER;
        pthread_cond_broadcast(&sim_dsp_ended);
    }
    sim_crew_leave(&sim_dsp_crew);
    return NULL;
}
