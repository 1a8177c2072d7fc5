/* SPDX-License-Identifier: Apache-2.0 */
/* test_dsp.c - programs of the DSP on simulated boards: the pictures that erode and dilate define, priorities and
   deadlines that are kept, and nothing left behind whichever call fails. The board notices a wrong order, a missing
   flush and memory that a task still has. */
#include "linked.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SEED 20261125u
#include "noise.h"

#include "nnie/nnie_load.h"
#include "npu_board.h"

/* --------------------------------------------------------------------------------------------------- boards */

typedef struct dsp_controls {
    void (*command)(nnrt_sim_dsp_program program, void *user);
    void (*time)(unsigned microseconds);
} dsp_controls;

static dsp_controls controls;

static bool dsp_plug(board *b, const char *chip, const char *version) {
    char path[400];
    void *library;
    if (!nnie_load(b, chip, version)) return false;
    (void)snprintf(path, sizeof(path), "%s/libsim_hisilicon.so", b->folder);
    library = dlopen(path, RTLD_NOW);
    (void)snprintf(path, sizeof(path), "%s/libdsp.so", b->folder);
    (void)setenv("NNRT_DSP_LIBRARY", path, 1);
    return library != NULL && board_symbol(library, "nnrt_sim_dsp_command", &controls.command) &&
           board_symbol(library, "nnrt_sim_dsp_time", &controls.time);
}

static const char *const with_dsp[] = {"hi3519av100", "hi3559av100", NULL};
static const char *const one_core[] = {"hi3519av100", NULL};

/* Options for a core of the board; they stay until the next call. */
static const nnrt_dsp_options *options_of(const board *b, uint32_t core) {
    static char folder[400];
    static nnrt_dsp_options options;
    memset(&options, 0, sizeof(options));
    (void)snprintf(folder, sizeof(folder), "%s/models/dsp_bin/dsp%u", b->folder, (unsigned)core);
    options.core = core;
    options.folder = folder;
    return &options;
}

static nnrt_dsp *open_core(const board *b, uint32_t core) {
    nnrt_dsp *dsp = NULL;
    MUST_WORK(nnrt_dsp_open(options_of(b, core), &dsp));
    MUST(dsp != NULL, "open");
    return dsp;
}

#define MUST_SAY(code, call, words)                                                             \
    do {                                                                                        \
        MUST_BE(code, call);                                                                    \
        MUST(strstr(nnrt_last_error(), words) != NULL, "\"%s\": %s", words, nnrt_last_error()); \
    } while (0)

/* ------------------------------------------------------------------------------------------------- pictures */

typedef struct picture {
    nnrt_dsp_memory memory;
    nnrt_dsp_image image;
} picture;

static picture picture_of(nnrt_dsp *dsp, uint32_t width, uint32_t height, uint32_t stride) {
    picture p;
    size_t i;
    MUST_WORK(nnrt_dsp_allocate(dsp, (size_t)stride * height, &p.memory));
    p.image.physical = p.memory.physical;
    p.image.data = p.memory.data;
    p.image.stride = stride;
    p.image.width = width;
    p.image.height = height;
    for (i = 0; i < p.memory.size; i++) ((uint8_t *)p.memory.data)[i] = (uint8_t)noise();
    return p;
}

/* The definition: of the pixels around that there are, and of itself. */
static uint8_t of_nine(const picture *p, int y, int x, bool most) {
    int found = most ? 0 : 255, h, w;
    for (h = y - 1; h <= y + 1; h++) {
        for (w = x - 1; w <= x + 1; w++) {
            if (h >= 0 && w >= 0 && h < (int)p->image.height && w < (int)p->image.width) {
                const int pixel = ((const uint8_t *)p->memory.data)[(size_t)h * p->image.stride + (size_t)w];
                if (most ? pixel > found : pixel < found) found = pixel;
            }
        }
    }
    return (uint8_t)found;
}

static void must_be_filtered(const picture *from, const picture *to, const uint8_t *before, bool most) {
    const uint8_t *pixels = (const uint8_t *)to->memory.data;
    uint32_t y, x;
    for (y = 0; y < to->image.height; y++) {
        for (x = 0; x < to->image.stride; x++) {
            const size_t at = (size_t)y * to->image.stride + x;
            const uint8_t should = x < to->image.width ? of_nine(from, (int)y, (int)x, most) : before[at];
            MUST(pixels[at] == should, "%s %u by %u, row %u, byte %u: %u, not %u", most ? "dilate" : "erode",
                 (unsigned)to->image.width, (unsigned)to->image.height, (unsigned)y, (unsigned)x, pixels[at], should);
        }
    }
}

static void filter_once(nnrt_dsp *dsp, uint32_t width, uint32_t height, bool most) {
    picture from = picture_of(dsp, width, height, width + noise() % 20);
    picture to = picture_of(dsp, width, height, width + noise() % 20);
    uint8_t *before = (uint8_t *)malloc(to.memory.size);
    const nnrt_dsp_priority priority = (nnrt_dsp_priority)(noise() % 3);
    nnrt_dsp_task task;
    MUST(before != NULL, "memory");
    memcpy(before, to.memory.data, to.memory.size);
    MUST_WORK((most ? nnrt_dsp_dilate_3x3 : nnrt_dsp_erode_3x3)(dsp, &from.image, &to.image, priority, &task));
    MUST_WORK(nnrt_dsp_wait(dsp, &task, 20000));
    MUST(task.over, "over");
    must_be_filtered(&from, &to, before, most);
    free(before);
    MUST_WORK(nnrt_dsp_free(dsp, &from.memory));
    MUST_WORK(nnrt_dsp_free(dsp, &to.memory));
}

static void filters(board *b, const void *user) {
    const uint32_t cores = strcmp(b->chip, "hi3559av100") == 0 ? 4 : 1;
    const uint32_t sides[] = {1, 2, 3, 16, 37};
    uint32_t core, i;
    (void)user;
    for (core = 0; core < cores; core++) {
        nnrt_dsp *dsp = open_core(b, core);
        for (i = 0; i < 10; i++) filter_once(dsp, sides[i % 5], sides[noise() % 5], i % 2 != 0);
        MUST_WORK(nnrt_dsp_close(&dsp));
        MUST(dsp == NULL, "close");
    }
}

Test(dsp, erode_and_dilate_are_the_smallest_and_largest_of_nine_on_every_core) {
    board_on_each(dsp_plug, with_dsp, filters, NULL);
}

/* Two tasks with pictures of their own; the first of the second pair lies behind its destination in memory. */
static void filters_at_once(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    picture p[4];
    uint8_t before[4][240];
    nnrt_dsp_task tasks[2], old;
    uint32_t i;
    (void)user;
    for (i = 0; i < 4; i++) {
        p[i] = picture_of(dsp, 20 - i / 2, 12, 20);
        memcpy(before[i], p[i].memory.data, sizeof(before[i]));
    }
    MUST_WORK(nnrt_dsp_erode_3x3(dsp, &p[0].image, &p[1].image, NNRT_DSP_PRIORITY_LOW, &old));
    MUST_WORK(nnrt_dsp_wait(dsp, &old, 20000));
    controls.time(20000);
    MUST_WORK(nnrt_dsp_erode_3x3(dsp, &p[0].image, &p[1].image, NNRT_DSP_PRIORITY_LOW, &tasks[0]));
    MUST_WORK(nnrt_dsp_dilate_3x3(dsp, &p[3].image, &p[2].image, NNRT_DSP_PRIORITY_LOW, &tasks[1]));
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_wait(dsp, &old, 0), "it was over before");
    MUST_WORK(nnrt_dsp_wait(dsp, &tasks[1], 20000));
    MUST_WORK(nnrt_dsp_wait(dsp, &tasks[0], 20000));
    must_be_filtered(&p[0], &p[1], before[1], false);
    must_be_filtered(&p[3], &p[2], before[2], true);
    for (i = 0; i < 4; i++) MUST_WORK(nnrt_dsp_free(dsp, &p[i].memory));
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, tasks_that_wait_at_once_have_pictures_of_their_own) {
    board_on_each(dsp_plug, with_dsp, filters_at_once, NULL);
}

/* ----------------------------------------------------------------------------------------------------- tasks */

typedef struct order {
    uint32_t ids[16];
    uint32_t commands[16];
    unsigned count;
} order;

static void note(void *user, uint32_t core, uint32_t command, uint32_t message, uint8_t *body, size_t size) {
    order *o = (order *)user;
    (void)core;
    if (size != 0) body[0] = (uint8_t)(body[0] + 1);
    if (o->count < 16) {
        o->commands[o->count] = command;
        o->ids[o->count++] = message;
    }
}

static void priorities(board *b, const void *user) {
    static const nnrt_dsp_priority as[5] = {NNRT_DSP_PRIORITY_LOW, NNRT_DSP_PRIORITY_LOW, NNRT_DSP_PRIORITY_MEDIUM,
                                            NNRT_DSP_PRIORITY_HIGH, NNRT_DSP_PRIORITY_MEDIUM};
    static const uint32_t should[5] = {100, 103, 102, 104, 101};
    static order seen;
    nnrt_dsp *dsp = open_core(b, 0);
    nnrt_dsp_task tasks[5];
    uint32_t i;
    (void)user;
    controls.command(note, &seen);
    controls.time(300000);
    for (i = 0; i < 5; i++) {
        nnrt_dsp_message message = {nnrt_dsp_user_command(dsp, 0), 100 + i, 0, 0};
        MUST_WORK(nnrt_dsp_submit(dsp, &message, as[i], &tasks[i]));
        if (i == 0) nnrt__sleep_ns(100000000); /* it runs, and is not put back */
    }
    for (i = 0; i < 5; i++) MUST_WORK(nnrt_dsp_wait(dsp, &tasks[i], 20000));
    for (i = 0; i < 5; i++) MUST(seen.ids[i] == should[i], "place %u has %u", (unsigned)i, (unsigned)seen.ids[i]);
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, a_waiting_task_of_a_higher_priority_comes_first) { board_on_each(dsp_plug, one_core, priorities, NULL); }

static void commands(board *b, const void *user) {
    static order seen;
    nnrt_dsp_options options = *options_of(b, 0);
    nnrt_dsp *dsp = open_core(b, 0);
    nnrt_dsp_memory body;
    nnrt_dsp_message message = {5, 77, 0, 0};
    nnrt_dsp_task task;
    (void)user;
    controls.command(note, &seen);
    MUST(nnrt_dsp_user_command(dsp, 0) == 5 && nnrt_dsp_user_command(dsp, 3) == 8, "behind SVP_DSP_CMD_BUTT, 4");
    MUST(nnrt_dsp_user_command(dsp, UINT32_MAX) == 0 && nnrt_dsp_user_command(NULL, 0) == 0, "none");
    MUST_WORK(nnrt_dsp_allocate(dsp, 100, &body));
    memset(body.data, 7, 100);
    MUST_WORK(nnrt_dsp_flush(dsp, &body));
    message.body = body.physical, message.size = 100;
    MUST_WORK(nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &task));
    MUST_WORK(nnrt_dsp_wait(dsp, &task, 20000));
    MUST_WORK(nnrt_dsp_flush(dsp, &body));
    MUST(((uint8_t *)body.data)[0] == 8 && ((uint8_t *)body.data)[99] == 7, "what the program wrote is seen");
    MUST(seen.count == 1 && seen.commands[0] == 5 && seen.ids[0] == 77, "command and id are handed on");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_wait(dsp, &task, 0), "no such task");
    message.command = 4;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &task), "begin at 5");
    message.command = 1;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &task), "the system's");
    MUST_WORK(nnrt_dsp_free(dsp, &body));
    MUST(body.data == NULL && body.physical == 0, "free");
    MUST_WORK(nnrt_dsp_close(&dsp));
    options.last_command = 7;
    MUST_WORK(nnrt_dsp_open(&options, &dsp));
    MUST(nnrt_dsp_user_command(dsp, 0) == 8, "with three more commands of the SDK");
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, commands_of_the_program_begin_behind_those_of_the_sdk) { board_on_each(dsp_plug, one_core, commands, NULL); }

static void full_queue(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    nnrt_dsp_message message = {5, 0, 0, 0};
    nnrt_dsp_task tasks[40], other;
    uint32_t count = 0, i;
    OH_NN_ReturnCode code = OH_NN_SUCCESS;
    (void)user;
    controls.time(2000);
    while (code == OH_NN_SUCCESS && count < 40) {
        code = nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_MEDIUM, &tasks[count]);
        count += code == OH_NN_SUCCESS;
    }
    MUST(code == OH_NN_UNAVAILABLE_DEVICE && strstr(nnrt_last_error(), "max_node_num") != NULL, "%u: %s",
         (unsigned)count, nnrt_last_error());
    MUST(count >= 30, "only %u", (unsigned)count);
    MUST_WORK(nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &other));
    for (i = 0; i < count; i++) MUST_WORK(nnrt_dsp_wait(dsp, &tasks[i], 20000));
    MUST_WORK(nnrt_dsp_wait(dsp, &other, 20000));
    MUST_WORK(nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_MEDIUM, &tasks[0]));
    MUST_WORK(nnrt_dsp_wait(dsp, &tasks[0], 20000));
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, a_full_queue_is_told_and_empties) { board_on_each(dsp_plug, one_core, full_queue, NULL); }

static void late_task(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    picture from = picture_of(dsp, 20, 10, 32), to = picture_of(dsp, 20, 10, 32);
    uint8_t before[320];
    nnrt_dsp_task task;
    uint64_t begin, time;
    (void)user;
    memcpy(before, to.memory.data, sizeof(before));
    b->fault("dsp_task@1=hang");
    MUST_WORK(nnrt_dsp_erode_3x3(dsp, &from.image, &to.image, NNRT_DSP_PRIORITY_HIGH, &task));
    MUST_SAY(OH_NN_TIMEOUT, nnrt_dsp_wait(dsp, &task, 0), "after 0 ms");
    begin = nnrt__now_ns();
    MUST_SAY(OH_NN_TIMEOUT, nnrt_dsp_wait(dsp, &task, 40), "after 40 ms");
    time = nnrt__now_ns() - begin;
    MUST(time >= 40000000u && time < 2000000000u, "%llu ns", (unsigned long long)time);
    MUST(!task.over, "not over");
    MUST_SAY(OH_NN_OPERATION_FORBIDDEN, nnrt_dsp_close(&dsp), "1 tasks are unfinished and 2 memories");
    MUST(dsp != NULL, "still open");
    b->release_hang();
    MUST_BE(OH_NN_UNAVAILABLE_DEVICE, nnrt_dsp_wait(dsp, &task, 20000)); /* a hang that is released fails */
    MUST(task.over, "whatever came of it");
    MUST_WORK(nnrt_dsp_dilate_3x3(dsp, &from.image, &to.image, NNRT_DSP_PRIORITY_HIGH, &task));
    MUST_WORK(nnrt_dsp_wait(dsp, &task, 20000));
    must_be_filtered(&from, &to, before, true);
    MUST_WORK(nnrt_dsp_free(dsp, &from.memory));
    MUST_SAY(OH_NN_OPERATION_FORBIDDEN, nnrt_dsp_close(&dsp), "0 tasks are unfinished and 1 memories");
    MUST_WORK(nnrt_dsp_free(dsp, &to.memory));
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, a_task_that_hangs_ends_the_wait_and_not_the_core) { board_on_each(dsp_plug, one_core, late_task, NULL); }

static void given_up(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    nnrt_dsp_message message = {5, 0, 0, 0};
    nnrt_dsp_task task;
    nnrt_sim_live live;
    (void)user;
    b->fault("dsp_task@1=hang");
    MUST_WORK(nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &task));
    MUST_BE(OH_NN_TIMEOUT, nnrt_dsp_wait(dsp, &task, 5));
    MUST_WORK(nnrt_dsp_close_hanging(&dsp));
    MUST(dsp == NULL, "gone");
    b->get_live(&live);
    MUST(live.contexts == 0 && live.memories == 0 && live.bytes == 0, "nothing is left");
    MUST(b->mistakes() == 1 && strstr(b->mistake(0), "while a task may run") != NULL, "%s", b->mistake(0));
    b->release_hang();
    _exit(BOARD_WORKS); /* the board has seen what it does not like, on purpose */
}

Test(dsp, a_core_that_hangs_can_be_given_up) { board_on_each(dsp_plug, one_core, given_up, NULL); }

static void forgotten(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    nnrt_dsp_message message = {5, 0, 0, 0};
    nnrt_dsp_task task;
    int tries = 0;
    (void)user;
    MUST_WORK(nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_HIGH, &task));
    while (nnrt_dsp_close(&dsp) == OH_NN_OPERATION_FORBIDDEN && tries++ < 2000) nnrt__sleep_ns(1000000);
    MUST(dsp == NULL, "a task that nobody waited for is over some time");
}

Test(dsp, a_task_that_nobody_waits_for_does_not_keep_the_core) { board_on_each(dsp_plug, one_core, forgotten, NULL); }

/* --------------------------------------------------------------------------------------------- open and close */

static void bad_openings(board *b, const void *user) {
    nnrt_dsp_options options = *options_of(b, 0);
    nnrt_dsp *dsp = (nnrt_dsp *)&options, *second = NULL;
    nnrt_sim_live live;
    (void)user;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, NULL), "dsp is NULL");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(NULL, &dsp), "options is NULL");
    MUST(dsp == NULL, "after a failure");
    options.core = 4;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, &dsp), "core 4");
    options.core = 1;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, &dsp), "HI_MPI_SVP_DSP_PowerOn");
    options.core = 0, options.last_command = 3;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, &dsp), "4 to 7");
    options.last_command = 8;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, &dsp), "4 to 7");
    options.last_command = 0, options.folder = NULL;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_open(&options, &dsp), "no folder has hi_iram0.bin");
    options.folder = "/nowhere";
    MUST_SAY(OH_NN_INVALID_FILE, nnrt_dsp_open(&options, &dsp), "LoadBin of /nowhere/hi_iram0.bin: the file cannot");
    options = *options_of(b, 0);
    options.images[NNRT_DSP_IMAGE_DRAM1] = "/nowhere/else.bin";
    MUST_SAY(OH_NN_INVALID_FILE, nnrt_dsp_open(&options, &dsp), "/nowhere/else.bin");
    b->get_live(&live);
    MUST(live.contexts == 0 && live.memories == 0, "the core is off again, and its memory given back");
    MUST_WORK(nnrt_dsp_open(options_of(b, 0), &dsp));
    memset(&options, 0, sizeof(options));
    options.running = true;
    MUST_WORK(nnrt_dsp_open(&options, &second));
    filter_once(second, 5, 5, true);
    MUST_WORK(nnrt_dsp_close(&second));
    filter_once(dsp, 5, 5, false);
    MUST_WORK(nnrt_dsp_close(&dsp));
    MUST_WORK(nnrt_dsp_close(&dsp));
    MUST_WORK(nnrt_dsp_close(NULL));
    MUST_WORK(nnrt_dsp_close_hanging(&dsp));
}

Test(dsp, a_core_that_cannot_be_opened_is_off_again) { board_on_each(dsp_plug, one_core, bad_openings, NULL); }

static void bad_arguments(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    picture from = picture_of(dsp, 16, 8, 16), to = picture_of(dsp, 16, 8, 16);
    const nnrt_dsp_image good = to.image;
    nnrt_dsp_memory memory = {NULL, 0, 0};
    nnrt_dsp_message message = {5, 0, 0, 4};
    nnrt_dsp_task task = {0, 0, false};
    (void)user;
#define ERODE nnrt_dsp_erode_3x3(dsp, &from.image, &to.image, NNRT_DSP_PRIORITY_LOW, &task)
#define WITH(change, words)                              \
    do {                                                 \
        to.image.change;                                 \
        MUST_SAY(OH_NN_INVALID_PARAMETER, ERODE, words); \
        to.image = good;                                 \
    } while (0)
    WITH(width = 15, "16 by 8 and the destination 15 by 8");
    WITH(height = 7, "destination 16 by 7");
    WITH(height = 0, "16 by 0");
    WITH(width = 0, "0 by 8");
    WITH(stride = 15, "rows 15 bytes apart");
    WITH(physical = 0, "physical address 0");
    WITH(physical = UINT64_MAX - 10, "is none");
    WITH(physical = from.image.physical + 127, "overlap");
    WITH(physical = from.image.physical - 127, "overlap");
    WITH(height = UINT32_MAX, "is none");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_erode_3x3(dsp, NULL, &to.image, NNRT_DSP_PRIORITY_LOW, &task), "source");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_erode_3x3(dsp, &good, NULL, NNRT_DSP_PRIORITY_LOW, &task), "source");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_erode_3x3(NULL, &good, &good, NNRT_DSP_PRIORITY_LOW, &task), "dsp");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_dilate_3x3(dsp, &from.image, &good, (nnrt_dsp_priority)3, &task),
             "priority 3");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_dilate_3x3(dsp, &from.image, &good, NNRT_DSP_PRIORITY_LOW, NULL),
             "task");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_submit(dsp, NULL, NNRT_DSP_PRIORITY_LOW, &task), "message");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_submit(dsp, &message, NNRT_DSP_PRIORITY_LOW, &task), "address 0");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_wait(dsp, &task, 0), "no such task");
    task.place = UINT32_MAX;
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_wait(dsp, &task, 0), "no such task");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_wait(dsp, NULL, 0), "task");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_allocate(dsp, 0, &memory), "not of 0 bytes");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_allocate(dsp, 16, NULL), "memory");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_allocate(NULL, 16, &memory), "dsp");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_free(dsp, &memory), "no memory");
    MUST_SAY(OH_NN_INVALID_PARAMETER, nnrt_dsp_flush(dsp, &memory), "no memory");
    MUST_SAY(OH_NN_MEMORY_ERROR, nnrt_dsp_allocate(dsp, 0xf0000000u, &memory), "no MMZ memory of 4026531840");
#undef WITH
#undef ERODE
    MUST_WORK(nnrt_dsp_free(dsp, &from.memory));
    MUST_WORK(nnrt_dsp_free(dsp, &to.memory));
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, arguments_that_are_wrong_are_told_and_nothing_is_submitted) {
    board_on_each(dsp_plug, one_core, bad_arguments, NULL);
}

/* --------------------------------------------------------------------------------------------------- the list */

static void listed(board *b, const void *user) {
    const size_t *ids = NULL;
    const char *name = NULL;
    uint32_t count = 0;
    OH_NN_DeviceType type = OH_NN_CPU;
    OH_NNCompilation *compilation;
    char path[400];
    (void)user;
    MUST_WORK(OH_NNDevice_GetAllDevicesID(&ids, &count));
    MUST(count >= 2, "the CPU and the DSP");
    MUST_WORK(OH_NNDevice_GetName(ids[count - 1], &name));
    MUST(strncmp(name, "dsp_hisilicon_", 14) == 0, "the last device is %s", name);
    MUST_WORK(OH_NNDevice_GetType(ids[count - 1], &type));
    MUST(type == OH_NN_OTHERS, "its type is %d", (int)type);
    (void)snprintf(path, sizeof(path), "%s/models/meter.%s.wk", b->folder, b->chip);
    compilation = OH_NNCompilation_ConstructWithOfflineModelFile(path);
    MUST_WORK(OH_NNCompilation_SetDevice(compilation, ids[count - 1]));
    MUST(OH_NNCompilation_Build(compilation) != OH_NN_SUCCESS && strstr(nnrt_last_error(), "no models") != NULL, "%s",
         nnrt_last_error());
    OH_NNCompilation_Destroy(&compilation);
}

Test(dsp, the_list_of_devices_has_it_as_the_last_one_and_it_runs_no_models) {
    board_on_each(dsp_plug, with_dsp, listed, NULL);
}

Test(dsp, without_the_library_nothing_opens_and_nothing_is_listed) {
    nnrt_dsp_options options;
    nnrt_dsp *dsp = NULL;
    const size_t *ids = NULL;
    uint32_t count = 0, i;
    memset(&options, 0, sizeof(options));
    (void)setenv("NNRT_DSP_LIBRARY", "/nowhere/libdsp.so", 1);
    cr_assert_eq(nnrt_dsp_open(&options, &dsp), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), "/nowhere/libdsp.so"), "%s", nnrt_last_error());
    cr_assert_eq(OH_NNDevice_GetAllDevicesID(&ids, &count), OH_NN_SUCCESS);
    for (i = 0; i < count; i++) {
        OH_NN_DeviceType type = OH_NN_OTHERS;
        cr_assert_eq(OH_NNDevice_GetType(ids[i], &type), OH_NN_SUCCESS);
        cr_assert_neq(type, OH_NN_OTHERS);
    }
}

/* ----------------------------------------------------------------------------------------------------- faults */

/* A whole life. The first failure's code and sentence; everything is given back however it went. */
static OH_NN_ReturnCode whole_life(const board *b, char *sentence, size_t size) {
    nnrt_dsp *dsp = NULL;
    nnrt_dsp_memory memories[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    nnrt_dsp_task task = {0, 0, true};
    OH_NN_ReturnCode code = nnrt_dsp_open(options_of(b, 0), &dsp), after;
    int i, tries;
    for (i = 0; i < 2 && code == OH_NN_SUCCESS; i++) code = nnrt_dsp_allocate(dsp, 16 * 8, &memories[i]);
    if (code == OH_NN_SUCCESS) {
        const nnrt_dsp_image from = {memories[0].physical, memories[0].data, 16, 16, 8};
        const nnrt_dsp_image to = {memories[1].physical, memories[1].data, 16, 16, 8};
        memset(memories[0].data, 9, 128);
        code = nnrt_dsp_erode_3x3(dsp, &from, &to, NNRT_DSP_PRIORITY_HIGH, &task);
        if (code == OH_NN_SUCCESS) code = nnrt_dsp_wait(dsp, &task, 20000);
    }
    (void)snprintf(sentence, size, "%s", nnrt_last_error());
    if (code != OH_NN_SUCCESS && memories[1].data != NULL)
        (void)nnrt_dsp_flush(dsp, &memories[1]); /* where it failed */
    for (tries = 0; !task.over && tries < 3; tries++) (void)nnrt_dsp_wait(dsp, &task, 5000);
    for (i = 0; i < 2; i++) {
        after = memories[i].data != NULL ? nnrt_dsp_free(dsp, &memories[i]) : OH_NN_SUCCESS;
        if (code == OH_NN_SUCCESS && after != OH_NN_SUCCESS) {
            code = after;
            (void)snprintf(sentence, size, "%s", nnrt_last_error());
        }
    }
    after = task.over ? nnrt_dsp_close(&dsp) : nnrt_dsp_close_hanging(&dsp);
    if (code == OH_NN_SUCCESS && after != OH_NN_SUCCESS) {
        code = after;
        (void)snprintf(sentence, size, "%s", nnrt_last_error());
    }
    MUST(dsp == NULL, "it is gone");
    return code;
}

typedef struct fault {
    const char *function, *kind;
    OH_NN_ReturnCode code; /* SUCCESS: the fault is got over */
    const char *words;
} fault;

static const fault faults[] = {
    {"HI_MPI_SVP_DSP_PowerOn", "fail:0xa0348010", OH_NN_UNAVAILABLE_DEVICE, "hi*_dsp.ko"},
    {"HI_MPI_SVP_DSP_PowerOn", "fail:0xa0348003", OH_NN_INVALID_PARAMETER, "0xa0348003"},
    {"HI_MPI_SVP_DSP_LoadBin", "fail:0xa0348043", OH_NN_INVALID_FILE, "cannot be read"},
    {"HI_MPI_SVP_DSP_LoadBin", "fail:0xa0348010", OH_NN_UNAVAILABLE_DEVICE, "LoadBin of"},
    {"HI_MPI_SVP_DSP_EnableCore", "fail:0xa0348040", OH_NN_UNAVAILABLE_DEVICE, "images are whole"},
    {"HI_MPI_SVP_DSP_EnableCore", "fail:-1", OH_NN_FAILED, "does not know"},
    {"HI_MPI_SVP_DSP_RPC", "fail:0xa034800f", OH_NN_UNAVAILABLE_DEVICE, "queue of this priority"},
    {"HI_MPI_SVP_DSP_RPC", "fail:0xa034800c", OH_NN_MEMORY_ERROR, "HI_MPI_SVP_DSP_RPC"},
    {"HI_MPI_SVP_DSP_Query", "fail:0xa0348010", OH_NN_UNAVAILABLE_DEVICE, "HI_MPI_SVP_DSP_Query"},
    {"HI_MPI_SVP_DSP_Query", "fail:0xa0348041", OH_NN_SUCCESS, ""},
    {"HI_MPI_SVP_DSP_Query", "slow:30", OH_NN_SUCCESS, ""},
    {"dsp_task", "fail:0xa0348040", OH_NN_UNAVAILABLE_DEVICE, "did not answer"},
    {"HI_MPI_SVP_DSP_DisableCore", "fail:0xa0348012", OH_NN_SUCCESS, ""},
    {"HI_MPI_SVP_DSP_PowerOff", "fail:0xa0348012", OH_NN_UNAVAILABLE_DEVICE, "HI_MPI_SVP_DSP_PowerOff"},
    {"HI_MPI_SYS_MmzAlloc", "fail:-1", OH_NN_MEMORY_ERROR, "no MMZ memory"},
    {"HI_MPI_SYS_MmzAlloc_Cached", "fail:-1", OH_NN_MEMORY_ERROR, "no MMZ memory of 128"},
    {"HI_MPI_SYS_MmzFlushCache", "fail:-1", OH_NN_FAILED, "HI_MPI_SYS_MmzFlushCache"},
    {"HI_MPI_SYS_MmzFree", "fail:0xa0348003", OH_NN_INVALID_PARAMETER, "HI_MPI_SYS_MmzFree"},
    {"HI_MPI_SVP_DSP_PowerOn", "die", OH_NN_UNAVAILABLE_DEVICE, ""},
    {"HI_MPI_SVP_DSP_EnableCore", "die", OH_NN_UNAVAILABLE_DEVICE, ""},
    {"HI_MPI_SVP_DSP_RPC", "die", OH_NN_UNAVAILABLE_DEVICE, ""},
};

/* How often a whole life calls the function. */
static void count_calls(board *b, const void *user) {
    const fault *f = (const fault *)user;
    char sentence[300];
    b->fault("");
    MUST_WORK(whole_life(b, sentence, sizeof(sentence)));
    _exit((int)b->calls(f->function));
}

typedef struct try_of {
    const fault *f;
    int call;
} try_of;

static void one_fault(board *b, const void *user) {
    const try_of *t = (const try_of *)user;
    const fault *f = t->f;
    char text[120], sentence[300];
    OH_NN_ReturnCode code;
    (void)snprintf(text, sizeof(text), "%s@%d=%s", f->function, t->call, f->kind);
    b->fault(text);
    code = whole_life(b, sentence, sizeof(sentence));
    /* the last memory to be freed is nnrt's own: nobody can be told */
    if (strcmp(f->function, "HI_MPI_SYS_MmzFree") == 0 && t->call == 3) code = f->code;
    else MUST(code == OH_NN_SUCCESS || strstr(sentence, f->words) != NULL, "%s: %s", text, sentence);
    MUST(code == f->code, "%s: %s: %s", text, nnrt_strerror(code), sentence);
    b->fault("");
}

Test(dsp, whichever_call_fails_the_sentence_says_so_and_nothing_is_left) {
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        const fault *f = &faults[i];
        int calls = board_in_child(dsp_plug, one_core[0], "", count_calls, f), call;
        if (calls == BOARD_ABSENT) cr_skip_test("skipped, no simulated %s", one_core[0]);
        if (strcmp(f->function, "HI_MPI_SVP_DSP_Query") == 0) calls = 1; /* as often as it takes */
        cr_assert(calls > 0 && calls < 10, "%s: %d calls", f->function, calls);
        for (call = 1; call <= calls; call++) {
            const try_of t = {f, call};
            const int answer = board_in_child(dsp_plug, one_core[0], "", one_fault, &t);
            cr_assert_eq(answer, BOARD_WORKS, "%s@%d=%s: the child ended with %d", f->function, call, f->kind, answer);
        }
    }
}

static void no_heap(board *b, const void *user) {
    nnrt_dsp *dsp = NULL;
    const long live = counting_live();
    long n;
    (void)user;
    for (n = 0; n < 10; n++) {
        counting_fail_at(n);
        if (nnrt_dsp_open(options_of(b, 0), &dsp) == OH_NN_SUCCESS) break;
        MUST(counting_failed() && dsp == NULL, "allocation %ld", n);
        MUST(counting_live() == live, "allocation %ld leaves something", n);
    }
    counting_fail_never();
    MUST(n > 0 && n < 10, "%ld", n);
    MUST_WORK(nnrt_dsp_close(&dsp));
    MUST(counting_live() == live, "something is left");
}

Test(dsp, without_memory_nothing_opens) { board_on_each(dsp_plug, one_core, no_heap, NULL); }

/* ---------------------------------------------------------------------------------------------------- threads */

static void *work(void *user) {
    nnrt_dsp *dsp = (nnrt_dsp *)user;
    nnrt_dsp_message message = {5, 0, 0, 0};
    int i;
    for (i = 0; i < 30; i++) {
        nnrt_dsp_task task;
        MUST_WORK(nnrt_dsp_submit(dsp, &message, (nnrt_dsp_priority)(i % 3), &task));
        MUST_WORK(nnrt_dsp_wait(dsp, &task, 20000));
    }
    return NULL;
}

static void many_threads(board *b, const void *user) {
    nnrt_dsp *dsp = open_core(b, 0);
    pthread_t threads[4];
    int i;
    (void)user;
    for (i = 0; i < 4; i++) MUST(pthread_create(&threads[i], NULL, work, dsp) == 0, "a thread");
    for (i = 0; i < 4; i++) MUST(pthread_join(threads[i], NULL) == 0, "a thread");
    MUST_WORK(nnrt_dsp_close(&dsp));
}

Test(dsp, several_threads_submit_and_wait_at_once) { board_on_each(dsp_plug, one_core, many_threads, NULL); }
