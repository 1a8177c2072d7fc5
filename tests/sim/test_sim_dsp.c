/* SPDX-License-Identifier: Apache-2.0 */
/* test_sim_dsp.c - the simulated DSPs of Hi3519AV100 and Hi3559AV100, as a program of the vendor's meets them. Nothing
   of nnrt is in here. Each core is a thread of the board's (pthread). */
#define _GNU_SOURCE
#include <criterion/criterion.h>

#include <unistd.h>

#include "sim/nnie/sim_hisi_dsp.h"
#include "sim/nnie/vendor.h"

typedef struct dsp_api {
    vendor_api v; /* memory and reports */
    int32_t (*load)(const char *file, uint32_t memory);
    int32_t (*enable)(uint32_t core);
    int32_t (*disable)(uint32_t core);
    int32_t (*rpc)(int32_t *handle, const sim_dsp_message *message, uint32_t core, uint32_t priority);
    int32_t (*query)(uint32_t core, int32_t handle, int32_t *finished, int32_t block);
    int32_t (*power_on)(uint32_t core);
    int32_t (*power_off)(uint32_t core);
    void (*command)(nnrt_sim_dsp_program program, void *user);
    void (*time)(unsigned microseconds);
} dsp_api;

#define WORKS(call)                                                     \
    do {                                                                \
        const int32_t works_ = (call);                                  \
        cr_assert_eq(works_, 0, "%s is 0x%x", #call, (unsigned)works_); \
    } while (0)
#define ANSWERS(call, code) cr_expect_eq((uint32_t)(call), (uint32_t)(code), "%s is 0x%x", #call, (unsigned)(call))

static void board(dsp_api *d, const char *chip) {
    static const char *const names[] = {
        "HI_MPI_SVP_DSP_LoadBin",  "HI_MPI_SVP_DSP_EnableCore", "HI_MPI_SVP_DSP_DisableCore",
        "HI_MPI_SVP_DSP_RPC",      "HI_MPI_SVP_DSP_Query",      "HI_MPI_SVP_DSP_PowerOn",
        "HI_MPI_SVP_DSP_PowerOff", "nnrt_sim_dsp_command",      "nnrt_sim_dsp_time"};
    void *const slots[] = {&d->load,     &d->enable,    &d->disable, &d->rpc, &d->query,
                           &d->power_on, &d->power_off, &d->command, &d->time};
    size_t i;
    setenv("NNRT_SIM_REPORT", "0", 1);
    memset(d, 0, sizeof(*d));
    if (!vendor_open(&d->v, chip, "") || !vendor_library("", "libdsp.so", RTLD_GLOBAL))
        cr_skip_test("skipped, no simulated board in %s", vendor_folder());
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void *symbol = dlsym(RTLD_DEFAULT, names[i]);
        cr_assert_not_null(symbol, "%s", names[i]);
        memcpy(slots[i], &symbol, sizeof(symbol));
    }
}

static const char *image(char *path, size_t room, uint32_t core, uint32_t kind) {
    static const char *const names[] = {"sram", "iram0", "dram0", "dram1"};
    snprintf(path, room, "%s/models/dsp_bin/dsp%u/hi_%s.bin", vendor_folder(), (unsigned)core, names[kind]);
    return path;
}

static void start(const dsp_api *d, uint32_t core) {
    char path[512];
    uint32_t kind;
    WORKS(d->power_on(core));
    for (kind = 0; kind < 4; kind++) WORKS(d->load(image(path, sizeof(path), core, kind), 4 * core + kind));
    WORKS(d->enable(core));
}

static void stop(const dsp_api *d, uint32_t core) {
    WORKS(d->disable(core));
    WORKS(d->power_off(core));
}

static void is_clean(const dsp_api *d) {
    nnrt_sim_live live;
    d->v.get_live(&live);
    cr_expect_eq(live.contexts + live.memories + live.fds, 0, "something is left alive");
    cr_expect_eq(d->v.mistakes(), 0, "%s", d->v.mistakes() ? d->v.mistake(0) : "");
}

typedef struct block {
    uint64_t physical;
    uint8_t *bytes;
    uint32_t size;
} block;

static block memory(const dsp_api *d, uint32_t size, bool cached) {
    block b;
    void *address = NULL;
    b.size = size;
    WORKS((cached ? d->v.alloc_cached : d->v.alloc)(&b.physical, &address, "dsp", NULL, size));
    b.bytes = (uint8_t *)address;
    memset(address, 0, size);
    if (cached) WORKS(d->v.flush(b.physical, address, size));
    return b;
}

static void flush(const dsp_api *d, const block *b) { WORKS(d->v.flush(b->physical, b->bytes, b->size)); }

static void finish(const dsp_api *d, uint32_t core, int32_t handle) {
    int32_t finished = 0, answer;
    do answer = d->query(core, handle, &finished, 1);
    while ((uint32_t)answer == SIM_DSP_QUERY_TIMEOUT);
    WORKS(answer);
    cr_assert_eq(finished, 1);
}

/* ----------------------------------------------------------------------------------------------- erode and dilate */

typedef struct filter {
    block source, target, body;
    uint32_t width, height, source_stride, target_stride;
} filter;

static void filter_open(const dsp_api *d, filter *f, uint32_t width, uint32_t height) {
    sim_dsp_image images[2];
    uint32_t i;
    f->width = width;
    f->height = height;
    f->source_stride = (width + 15) / 16 * 16;
    f->target_stride = f->source_stride + 32;
    f->source = memory(d, f->source_stride * height, true);
    f->target = memory(d, f->target_stride * height, true);
    f->body = memory(d, sizeof(images), false);
    for (i = 0; i < f->source.size; i++) f->source.bytes[i] = (uint8_t)(i * 2654435761u >> 24);
    flush(d, &f->source);
    memset(images, 0, sizeof(images));
    images[0].physical[0] = f->source.physical;
    images[0].address[0] = (uint64_t)(uintptr_t)f->source.bytes;
    images[0].stride[0] = f->source_stride;
    images[1].physical[0] = f->target.physical;
    images[1].address[0] = (uint64_t)(uintptr_t)f->target.bytes;
    images[1].stride[0] = f->target_stride;
    images[0].width = images[1].width = width;
    images[0].height = images[1].height = height;
    memcpy(f->body.bytes, images, sizeof(images));
}

static void filter_close(const dsp_api *d, const filter *f) {
    WORKS(d->v.free(f->source.physical, f->source.bytes));
    WORKS(d->v.free(f->target.physical, f->target.bytes));
    WORKS(d->v.free(f->body.physical, f->body.bytes));
}

static sim_dsp_message filter_message(const filter *f, uint32_t command) {
    sim_dsp_message message;
    memset(&message, 0, sizeof(message));
    message.command = command;
    message.body = f->body.physical;
    message.size = f->body.size;
    return message;
}

/* The definition: of the nine pixels, those that are in the picture. */
static uint8_t expected(const filter *f, int y, int x, bool most) {
    uint8_t found = f->source.bytes[y * (int)f->source_stride + x];
    int i, j;
    for (i = y - 1; i <= y + 1; i++)
        for (j = x - 1; j <= x + 1; j++) {
            uint8_t pixel;
            if (i < 0 || j < 0 || i >= (int)f->height || j >= (int)f->width) continue;
            pixel = f->source.bytes[i * (int)f->source_stride + j];
            found = most == (pixel > found) && pixel != found ? pixel : found;
        }
    return found;
}

static void filter_is_right(const dsp_api *d, uint32_t core, uint32_t width, uint32_t height, uint32_t command) {
    const bool most = command == SIM_DSP_DILATE_3X3;
    sim_dsp_message message;
    int32_t handle = -1;
    uint32_t y, x;
    filter f;
    filter_open(d, &f, width, height);
    message = filter_message(&f, command);
    WORKS(d->rpc(&handle, &message, core, 1));
    finish(d, core, handle);
    flush(d, &f.target);
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++)
            cr_assert_eq(f.target.bytes[y * f.target_stride + x], expected(&f, (int)y, (int)x, most),
                         "%u, %u of %u x %u", (unsigned)y, (unsigned)x, (unsigned)width, (unsigned)height);
    for (y = 0; y + 1 < height; y++)
        cr_expect_eq(f.target.bytes[y * f.target_stride + width + 1], 0, "beside row %u", y);
    filter_close(d, &f);
}

static void filters_are_right(const char *chip, uint32_t cores) {
    uint32_t core;
    dsp_api d;
    board(&d, chip);
    for (core = 0; core < cores; core++) {
        start(&d, core);
        filter_is_right(&d, core, 1, 1, SIM_DSP_ERODE_3X3);
        filter_is_right(&d, core, 33, 5, SIM_DSP_ERODE_3X3);
        filter_is_right(&d, core, 16, 9, SIM_DSP_DILATE_3X3);
        filter_is_right(&d, core, 7, 31, SIM_DSP_DILATE_3X3);
        stop(&d, core);
    }
    is_clean(&d);
}

Test(sim_dsp, erode_and_dilate_are_what_they_are_defined_to_be_on_hi3519av100) { filters_are_right("hi3519av100", 1); }
Test(sim_dsp, erode_and_dilate_are_what_they_are_defined_to_be_on_hi3559av100) { filters_are_right("hi3559av100", 4); }

/* ------------------------------------------------------------------------------------------ commands and priorities */

static char order[16];
static unsigned at_work, most_at_work;

static void program(void *user, uint32_t core, uint32_t command, uint32_t id, uint8_t *body, size_t size) {
    (void)user;
    (void)command;
    if (__atomic_add_fetch(&at_work, 1, __ATOMIC_SEQ_CST) > most_at_work) most_at_work++;
    if (size > 0) body[0] = (uint8_t)(100 + core);
    order[strlen(order)] = (char)id;
    (void)usleep(2000);
    (void)__atomic_sub_fetch(&at_work, 1, __ATOMIC_SEQ_CST);
}

Test(sim_dsp, a_core_does_one_task_at_a_time_the_most_urgent_first) {
    static const struct {
        char id;
        uint32_t priority;
    } tasks[] = {{'a', 2}, {'b', 2}, {'c', 1}, {'d', 0}, {'e', 1}, {'f', 0}};
    int32_t handles[6];
    sim_dsp_message message;
    uint32_t i;
    dsp_api d;
    block body;
    board(&d, "hi3519av100");
    start(&d, 0);
    body = memory(&d, 64, false);
    d.command(program, NULL);
    d.v.fault("dsp_task@1=hang:60000");
    memset(&message, 0, sizeof(message));
    message.command = SIM_DSP_BUTT + 3;
    message.body = body.physical;
    message.size = 64;
    for (i = 0; i < 6; i++) {
        message.id = (uint32_t)tasks[i].id;
        WORKS(d.rpc(&handles[i], &message, 0, tasks[i].priority));
        while (d.v.calls("dsp_task") == 0) usleep(1000); /* the others wait behind the first */
    }
    d.v.release_hang();
    for (i = 0; i < 6; i++) finish(&d, 0, handles[i]);
    cr_expect_str_eq(order, "adfceb");
    cr_expect_eq(most_at_work, 1);
    cr_expect_eq(body.bytes[0], 100);
    WORKS(d.v.free(body.physical, body.bytes));
    stop(&d, 0);
    is_clean(&d);
}

Test(sim_dsp, without_a_program_the_body_comes_back_in_its_second_half) {
    sim_dsp_message message = {SIM_DSP_BUTT + 1, 0, 0, 8};
    int32_t handle = -1;
    dsp_api d;
    block body;
    board(&d, "hi3559av100");
    start(&d, 2);
    body = memory(&d, 8, false);
    memcpy(body.bytes, "abcd", 4);
    message.body = body.physical;
    WORKS(d.rpc(&handle, &message, 2, 0));
    finish(&d, 2, handle);
    cr_expect(memcmp(body.bytes, "abcdabcd", 8) == 0);
    WORKS(d.v.free(body.physical, body.bytes));
    stop(&d, 2);
    is_clean(&d);
}

/* -------------------------------------------------------------------------------------------------- what is refused */

Test(sim_dsp, images_are_loaded_into_a_core_that_has_power) {
    char path[512], empty[] = "/tmp/nnrt_dsp_XXXXXX";
    const int fd = mkstemp(empty);
    dsp_api d;
    cr_assert(fd >= 0 && close(fd) == 0);
    board(&d, "hi3519av100");
    ANSWERS(d.load(NULL, 0), SIM_DSP_NULL_PTR);
    ANSWERS(d.load(image(path, sizeof(path), 0, 0), 4), SIM_DSP_ILLEGAL_PARAM);
    ANSWERS(d.load("/nowhere/hi_sram.bin", 0), SIM_DSP_OPEN_FILE);
    ANSWERS(d.load(path, 0), SIM_DSP_NOTREADY);
    ANSWERS(d.power_on(1), SIM_DSP_ILLEGAL_PARAM);
    WORKS(d.power_on(0));
    ANSWERS(d.load(empty, 0), SIM_DSP_NOMEM);
    WORKS(d.load(path, 0));
    WORKS(d.power_off(0));
    (void)unlink(empty);
    is_clean(&d);
}

Test(sim_dsp, a_chip_without_a_dsp_is_not_ready) {
    dsp_api d;
    board(&d, "hi3516cv500");
    ANSWERS(d.power_on(0), SIM_DSP_NOTREADY);
    ANSWERS(d.rpc(NULL, NULL, 0, 0), SIM_DSP_NOTREADY);
    is_clean(&d);
}

Test(sim_dsp, a_message_has_a_handle_a_core_a_priority_and_memory_of_the_board) {
    sim_dsp_message message;
    int32_t handle = 7, finished = 5;
    dsp_api d;
    filter f;
    board(&d, "hi3559av100");
    start(&d, 0);
    filter_open(&d, &f, 16, 16);
    message = filter_message(&f, SIM_DSP_ERODE_3X3);
    ANSWERS(d.rpc(NULL, &message, 0, 0), SIM_DSP_NULL_PTR);
    ANSWERS(d.rpc(&handle, NULL, 0, 0), SIM_DSP_NULL_PTR);
    ANSWERS(d.rpc(&handle, &message, 4, 0), SIM_DSP_ILLEGAL_PARAM);
    ANSWERS(d.rpc(&handle, &message, 0, 3), SIM_DSP_ILLEGAL_PARAM);
    ANSWERS(d.query(0, 0, NULL, 0), SIM_DSP_NULL_PTR);
    cr_expect_eq(d.v.mistakes(), 0);
    ANSWERS(d.rpc(&handle, &message, 1, 0), SIM_DSP_NOT_PERM);
    cr_expect(vendor_has_mistake(&d.v, "wrong order: RPC to DSP 1"));
    message.body = (uint64_t)(uintptr_t)f.body.bytes;
    ANSWERS(d.rpc(&handle, &message, 0, 0), SIM_DSP_ILLEGAL_PARAM);
    cr_expect(vendor_has_mistake(&d.v, "wrong address: a message's body"));
    ANSWERS(d.query(0, 0, &finished, 0), SIM_DSP_ILLEGAL_PARAM);
    cr_expect(vendor_has_mistake(&d.v, "wrong handle"));
    cr_expect(handle == 7 && finished == 5);
    filter_close(&d, &f);
    stop(&d, 0);
}

Test(sim_dsp, the_queue_of_a_priority_ends_and_a_blocking_query_too) {
    sim_dsp_message message;
    int32_t handle, first = -1, finished = 5;
    unsigned i;
    dsp_api d;
    filter f;
    board(&d, "hi3519av100");
    start(&d, 0);
    filter_open(&d, &f, 16, 16);
    message = filter_message(&f, SIM_DSP_ERODE_3X3);
    d.v.fault("dsp_task@1=hang");
    d.v.block_time(10);
    WORKS(d.rpc(&first, &message, 0, 1));
    ANSWERS(d.query(0, first, &finished, 1), SIM_DSP_QUERY_TIMEOUT);
    cr_expect_eq(finished, 5);
    WORKS(d.query(0, first, &finished, 0));
    cr_expect_eq(finished, 0);
    for (i = 0; i < 30; i++) WORKS(d.rpc(&handle, &message, 0, 1));
    ANSWERS(d.rpc(&handle, &message, 0, 1), SIM_DSP_BUF_FULL);
    WORKS(d.rpc(&handle, &message, 0, 2));
    cr_expect_eq(d.v.mistakes(), 0);
    WORKS(d.v.free(f.body.physical, f.body.bytes));
    cr_expect(vendor_has_mistake(&d.v, "freed in use"));
}

/* ------------------------------------------------------------------------------------------------- planted mistakes */

typedef void (*dsp_mistake)(const dsp_api *d, filter *f, sim_dsp_message *message);

static void is_noticed(dsp_mistake make, const char *beginning) {
    sim_dsp_message message;
    dsp_api d;
    filter f;
    board(&d, "hi3519av100");
    start(&d, 0);
    filter_open(&d, &f, 20, 10);
    message = filter_message(&f, SIM_DSP_DILATE_3X3);
    make(&d, &f, &message);
    cr_expect(vendor_has_mistake(&d.v, beginning), "%s", d.v.mistakes() ? d.v.mistake(0) : "nothing");
}

static void run(const dsp_api *d, const sim_dsp_message *message) {
    int32_t handle = -1;
    WORKS(d->rpc(&handle, message, 0, 0));
    finish(d, 0, handle);
}

static void no_flush_of_the_source(const dsp_api *d, filter *f, sim_dsp_message *message) {
    f->source.bytes[0] ^= 1;
    run(d, message);
}

static void no_flush_of_the_target_before(const dsp_api *d, filter *f, sim_dsp_message *message) {
    f->target.bytes[0] ^= 1;
    run(d, message);
}

static void no_flush_of_the_target_between(const dsp_api *d, filter *f, sim_dsp_message *message) {
    (void)f;
    run(d, message);
    run(d, message);
}

static void disabled_while_it_works(const dsp_api *d, filter *f, sim_dsp_message *message) {
    int32_t handle = -1;
    (void)f;
    d->time(20000);
    WORKS(d->rpc(&handle, message, 0, 0));
    WORKS(d->disable(0));
}

static void power_off_before_disable(const dsp_api *d, filter *f, sim_dsp_message *message) {
    (void)f;
    (void)message;
    WORKS(d->power_off(0));
}

static void image_of_another_memory(const dsp_api *d, filter *f, sim_dsp_message *message) {
    char path[512];
    (void)f;
    (void)message;
    WORKS(d->disable(0));
    WORKS(d->load(image(path, sizeof(path), 0, 1), 2));
    ANSWERS(d->enable(0), SIM_DSP_SYS_TIMEOUT);
}

Test(sim_dsp, a_source_that_was_not_flushed) {
    is_noticed(no_flush_of_the_source, "missing sync: 1 lines of the source");
}
Test(sim_dsp, a_target_with_dirty_lines) {
    is_noticed(no_flush_of_the_target_before, "missing sync: 1 lines of the dest");
}
Test(sim_dsp, results_that_nobody_read) { is_noticed(no_flush_of_the_target_between, "missing sync: the destination"); }
Test(sim_dsp, a_core_that_is_disabled_while_it_works) {
    is_noticed(disabled_while_it_works, "wrong order: DisableCore");
}
Test(sim_dsp, power_that_goes_before_the_core_is_disabled) {
    is_noticed(power_off_before_disable, "wrong order: Power");
}
Test(sim_dsp, an_image_of_another_memory) { is_noticed(image_of_another_memory, "wrong image"); }
