/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_session.c - images in the memory of the NPU, run through the kernel's drivers as they are imitated in
   tests/sim/rknpu_open: outputs, layouts, caches, chips, hangs, every call that fails, threads, and that nothing stays
   behind: no memory, no file, no mapping. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/platform.h"
#include "core/log.h"
#include "rknpu_open/session.h"

#include <criterion/criterion.h>

#include <dirent.h>

#define SEED 20261127u

#include "open_examples.h"
#include "../sim/rknpu_open/sim_npu.h"

/* ------------------------------------------------------------------------------------------------- helpers */

typedef struct board {
    sim_kind kind;
    bool large;
    const char *name;
} board;

static const board boards[] = {{SIM_OWN, false, "own device"},
                               {SIM_DRM, true, "DRM"},
                               {SIM_CARD, true, "DRM, a card node alone"},
                               {SIM_ROCKET, true, "rocket"}};

enum {
    BOARDS = sizeof boards / sizeof boards[0],
    MOST_BYTES = 1 << 16
};

/* A convolution of the board's chip; the second is another. */
static uint8_t *image_for(const board *b, uint32_t which, size_t *size) {
    image *i = image_begin(b->large ? NNRT__OPEN_NPU_RK3588 : NNRT__OPEN_NPU_RV1106);
    conv c;
    if (b->large) image_large_conv(i, 4, 5, which == 0 ? 16 : 48, which == 0 ? 40 : 16);
    else {
        cr_assert(conv_example(which, &c));
        image_conv(i, &c);
        conv_free(&c);
    }
    return image_make(i, size);
}

/* What the engine makes of the image by itself: its port `output`, channels last. The caller frees it. */
static int8_t *expected_of(const uint8_t *bytes, const int8_t *const *inputs, uint32_t output, size_t *count) {
    nnrt__open_npu_header h;
    nnrt__open_npu_port port;
    rkchip *chip;
    uint8_t *memory, *grown;
    int8_t *values;
    nnrt__open_npu_header_read(bytes, &h);
    grown = (uint8_t *)calloc(1, h.loaded + h.memory_size);
    cr_assert_not_null(grown);
    memcpy(grown, bytes, h.size);
    for (uint32_t k = 0; k < h.input_count; k++) {
        nnrt__open_npu_port_read(bytes, &h, k, &port);
        for (uint32_t p = 0; p < port.height * port.width; p++)
            for (uint32_t c = 0; c < port.channels; c++)
                grown[h.loaded + port.offset +
                      (port.layout == NNRT__OPEN_NPU_PIXELS
                           ? p / port.width * port.row_bytes + p % port.width * port.channels + c
                           : plane_at(port.plane_bytes, 0, 0, p, c))] = (uint8_t)inputs[k][p * port.channels + c];
    }
    h.loaded_size = h.memory_size;
    memcpy(grown, &h, sizeof h);
    chip = rkchip_create(h.chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106);
    cr_assert(run_on_engine(grown, chip, &memory), "%s", chip->sentence);
    nnrt__open_npu_port_read(bytes, &h, h.input_count + output, &port);
    *count = (size_t)port.height * port.width * port.channels;
    values = (int8_t *)malloc(*count);
    cr_assert_not_null(values);
    for (uint32_t p = 0; p < port.height * port.width; p++)
        for (uint32_t c = 0; c < port.channels; c++)
            values[p * port.channels + c] = (int8_t)memory[port.offset + plane_at(port.plane_bytes, 0, 0, p, c)];
    free(memory);
    free(grown);
    rkchip_destroy(chip);
    return values;
}

static int8_t *input_of(const uint8_t *bytes, uint32_t k) {
    nnrt__open_npu_header h;
    nnrt__open_npu_port port;
    nnrt__open_npu_header_read(bytes, &h);
    nnrt__open_npu_port_read(bytes, &h, k, &port);
    return noise_bytes((size_t)port.height * port.width * port.channels);
}

/* One run with noise at the inputs: right, or outputs as they were. */
static OH_NN_ReturnCode run_either(nnrt__open_npu_session *session, const uint8_t *bytes, uint64_t timeout_ms) {
    nnrt__open_npu_header h;
    int8_t *in[2] = {NULL, NULL}, *expected, *out;
    const void *inputs[2];
    void *outputs[1];
    size_t count;
    OH_NN_ReturnCode code;
    nnrt__open_npu_header_read(bytes, &h);
    for (uint32_t k = 0; k < h.input_count; k++) inputs[k] = in[k] = input_of(bytes, k);
    expected = expected_of(bytes, (const int8_t *const *)in, 0, &count);
    out = (int8_t *)malloc(count);
    cr_assert_not_null(out);
    memset(out, 0x33, count);
    outputs[0] = out;
    code = nnrt__open_npu_run(session, inputs, outputs, timeout_ms);
    if (code == OH_NN_SUCCESS) cr_assert_eq(memcmp(out, expected, count), 0, "wrong outputs");
    for (size_t i = 0; code != OH_NN_SUCCESS && i < count; i++)
        cr_assert_eq(out[i], 0x33, "a run that failed wrote an output");
    free(out);
    free(expected);
    free(in[0]);
    free(in[1]);
    return code;
}

/* A run that has to be right, or has to fail. */
static OH_NN_ReturnCode run_once(nnrt__open_npu_session *session, const uint8_t *bytes, uint64_t timeout_ms,
                                 bool is_right) {
    const OH_NN_ReturnCode code = run_either(session, bytes, timeout_ms);
    cr_assert_eq(code == OH_NN_SUCCESS, is_right, "%d: %s", (int)code, nnrt__sentence());
    return code;
}

static uint32_t open_files(void) {
    uint32_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    cr_assert_not_null(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

/* Mappings of the kernel's memory: those of the imitated driver itself are gone with its objects. */
static uint32_t mappings(void) {
    uint32_t count = 0;
    char line[512];
    FILE *file = fopen("/proc/self/maps", "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) count += strstr(line, "memfd:sim_") != NULL;
    fclose(file);
    return count;
}

/* What a test began with. */
static uint32_t files_before;

static void begin(const board *b) {
    sim_begin(b->kind, b->large);
    files_before = open_files();
}

static void nothing_is_left(const char *what) {
    cr_assert_eq(sim_alive(), 0, "%s: memory of the NPU is left", what);
    cr_assert_eq(open_files(), files_before, "%s: files are left", what);
    cr_assert_eq(mappings(), 0, "%s: mappings are left", what);
    cr_assert_eq(sim.mistakes[0], '\0', "%s: %s", what, sim.mistakes);
}

/* A board with a session of the image. */
static nnrt__open_npu_session *begin_with(const board *b, const uint8_t *bytes, size_t size) {
    nnrt__open_npu_session *session;
    begin(b);
    cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_SUCCESS, "%s", nnrt__sentence());
    return session;
}

static void end_with(nnrt__open_npu_session *session, const char *what, uint8_t *bytes) {
    nnrt__open_npu_close(session);
    nothing_is_left(what);
    sim_end();
    free(bytes);
}

/* -------------------------------------------------------------------------------------------------- it runs */

Test(open_session, a_convolution_runs_through_every_driver, .timeout = 120) {
    for (uint32_t n = 0; n < BOARDS; n++)
        for (uint32_t which = 0; which < (boards[n].large ? 2 : CONV_EXAMPLES); which++) {
            nnrt__open_npu_session *session;
            size_t size;
            uint8_t *bytes = image_for(&boards[n], which, &size);
            session = begin_with(&boards[n], bytes, size);
            for (uint32_t round = 0; round < 3; round++) (void)run_once(session, bytes, 0, true);
            cr_assert_eq(sim.jobs, 3);
            end_with(session, boards[n].name, bytes);
        }
}

Test(open_session, what_a_definition_gives_comes_out) {
    conv c;
    for (uint32_t which = 0; conv_example(which, &c); which++) {
        nnrt__open_npu_session *session;
        size_t size;
        image *i = image_begin(NNRT__OPEN_NPU_RV1106);
        image_conv(i, &c);
        uint8_t *bytes = image_make(i, &size);
        int8_t *expected = conv_reference(&c);
        const size_t count = (size_t)conv_out_height(&c) * conv_out_width(&c) * c.outputs;
        int8_t *out = (int8_t *)malloc(count);
        const void *inputs[2] = {c.input, c.operand};
        void *outputs[1] = {out};
        session = begin_with(&boards[0], bytes, size);
        cr_assert_eq(nnrt__open_npu_run(session, inputs, outputs, 0), OH_NN_SUCCESS, "%s", nnrt__sentence());
        cr_assert_eq(memcmp(out, expected, count), 0, "%u", (unsigned)which);
        nnrt__open_npu_close(session);
        nothing_is_left("definition");
        sim_end();
        free(out);
        free(expected);
        free(bytes);
        conv_free(&c);
    }
}

Test(open_session, sums_pools_and_a_whole_file_run) {
    for (uint32_t which = 0; which < 3; which++) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes;
        if (which == 2) bytes = image_of_file("tests/fuzz/seeds/rkchip_file/small.rknn", &size);
        else {
            image *i = image_begin(NNRT__OPEN_NPU_RV1106);
            if (which == 0) image_sum(i, 4, 6, 48);
            else image_pool(i, 4, 6, 33);
            bytes = image_make(i, &size);
        }
        session = begin_with(&boards[0], bytes, size);
        for (uint32_t round = 0; round < 2; round++) (void)run_once(session, bytes, 0, true);
        cr_assert_eq(sim.jobs, 2, "all tasks of a run are one job");
        cr_assert_eq(sim.pingpong_jobs, 2);
        end_with(session, "other tasks", bytes);
    }
}

/* Words of RK3588 get whole addresses; of mainline's driver each task stands alone. */
Test(open_session, tasks_follow_each_other_wherever_their_memory_lies) {
    for (uint32_t n = 1; n < BOARDS; n++) {
        nnrt__open_npu_session *other, *session;
        size_t size;
        image *i = image_begin(NNRT__OPEN_NPU_RK3588);
        image_large_copies(i, 3, 5, 40, 4);
        uint8_t *bytes = image_make(i, &size);
        begin(&boards[n]);
        cr_assert_eq(nnrt__open_npu_open(bytes, size, &other), OH_NN_SUCCESS, "%s", nnrt__sentence());
        cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_SUCCESS, "%s", nnrt__sentence());
        for (uint32_t round = 0; round < 2; round++) (void)run_once(session, bytes, 0, true);
        cr_assert_eq(sim.tasks, 8);
        cr_assert_eq(sim.jobs, 2);
        nnrt__open_npu_close(session);
        nnrt__open_npu_close(other);
        nothing_is_left(boards[n].name);
        sim_end();
        free(bytes);
    }
}

Test(open_session, newer_and_older_kernels_take_the_same_calls) {
    for (size_t create = 40; create <= 48; create += 8) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes = image_for(&boards[0], 0, &size);
        begin(&boards[0]);
        sim.create_size = create;
        cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_SUCCESS, "%s", nnrt__sentence());
        (void)run_once(session, bytes, 0, true);
        end_with(session, "versions", bytes);
    }
}

/* A table of curves needs the first group of registers in every task, and no change between the two. */
Test(open_session, a_job_that_goes_back_to_the_first_group_does_not_alternate) {
    nnrt__open_npu_session *session;
    nnrt__open_npu_header h;
    nnrt__open_npu_task task;
    size_t size;
    uint8_t *bytes = image_for(&boards[0], 0, &size);
    nnrt__open_npu_header_read(bytes, &h);
    nnrt__open_npu_task_read(bytes, &h, 0, &task);
    for (uint32_t w = 0; w < task.amount; w++) {
        uint8_t *at = bytes + h.loaded + task.words + 8 * w;
        if ((nnrt__read_u16(at) & 0xfff) == 4) at[2] = 0x30;
    }
    session = begin_with(&boards[0], bytes, size);
    (void)run_once(session, bytes, 0, true);
    cr_assert_eq(sim.jobs, 1);
    cr_assert_eq(sim.pingpong_jobs, 0);
    nnrt__open_npu_close(session);
    nothing_is_left("pointers");
    free(bytes);
}

/* --------------------------------------------------------------------------------------------------- layouts */

Test(open_session, every_layout_is_there_and_back) {
    for (uint32_t channels = 1; channels < 50; channels += 3)
        for (uint32_t layout = NNRT__OPEN_NPU_PLANES; layout <= NNRT__OPEN_NPU_FLAT; layout++) {
            nnrt__open_npu_port p;
            const uint32_t height = 1 + channels % 5, width = 2 + channels % 7;
            if (layout == NNRT__OPEN_NPU_PIXELS && channels != 1 && channels != 4) continue;
            memset(&p, 0, sizeof p);
            p.layout = layout;
            p.height = height;
            p.width = width;
            p.channels = channels;
            p.plane_bytes = (height * width + 3) / 4 * 64;
            p.row_bytes = (width + 15) / 16 * 16 * channels;
            const size_t count = (size_t)height * width * channels, size = (size_t)nnrt__open_npu_port_bytes(&p);
            int8_t *values = noise_bytes(count), *back = noise_bytes(count);
            uint8_t *memory = (uint8_t *)malloc(size); /* exactly: a sanitizer sees the byte behind */
            cr_assert_not_null(memory);
            memset(memory, 0x77, size);
            nnrt__open_npu_port_put(&p, (const uint8_t *)values, memory);
            for (size_t i = 0; i < count; i++) {
                const uint32_t pixel = (uint32_t)(i / channels), c = (uint32_t)(i % channels);
                const size_t at = layout == NNRT__OPEN_NPU_PLANES ? plane_at(p.plane_bytes, 0, 0, pixel, c)
                                  : layout == NNRT__OPEN_NPU_PIXELS
                                      ? pixel / width * p.row_bytes + pixel % width * channels + c
                                      : i;
                cr_assert_eq((int8_t)memory[at], values[i]);
            }
            for (uint32_t pixel = 0; pixel < height * width && layout == NNRT__OPEN_NPU_PLANES; pixel++)
                for (uint32_t c = channels; c % 16 != 0; c++)
                    cr_assert_eq(memory[plane_at(p.plane_bytes, 0, 0, pixel, c)], 0);
            nnrt__open_npu_port_get(&p, memory, (uint8_t *)back);
            cr_assert_eq(memcmp(values, back, count), 0);
            free(memory);
            free(values);
            free(back);
        }
}

/* ------------------------------------------------------------------------------------------- what is refused */

static OH_NN_ReturnCode open_on(sim_kind kind, bool large, const char *compatible, const uint8_t *bytes, size_t size) {
    nnrt__open_npu_session *session = (nnrt__open_npu_session *)(uintptr_t)1;
    OH_NN_ReturnCode code;
    sim_begin(kind, large);
    files_before = open_files();
    if (compatible != NULL) sim.compatible = compatible;
    code = nnrt__open_npu_open(bytes, size, &session);
    cr_assert(code == OH_NN_SUCCESS || session == NULL);
    if (code == OH_NN_SUCCESS) nnrt__open_npu_close(session);
    nothing_is_left("refused");
    return code;
}

Test(open_session, a_board_without_the_npu_says_so) {
    size_t size, large_size;
    uint8_t *bytes = image_for(&boards[0], 0, &size), *large = image_for(&boards[1], 0, &large_size);
    cr_assert_eq(open_on(SIM_NONE, false, NULL, bytes, size), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt__sentence(), "no driver of the NPU is loaded"), "%s", nnrt__sentence());
    cr_assert_eq(open_on(SIM_OWN, false, "rockchip,rk3566-x\nrockchip,rk3566\n", bytes, size),
                 OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt__sentence(), "rk3566"), "%s", nnrt__sentence());
    cr_assert_eq(open_on(SIM_OWN, false, "arm,board\n", bytes, size), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt__sentence(), "no chip of Rockchip's"), "%s", nnrt__sentence());
    cr_assert_eq(open_on(SIM_DRM, true, NULL, bytes, size), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt__sentence(), "another NPU"), "%s", nnrt__sentence());
    cr_assert_eq(open_on(SIM_OWN, false, NULL, large, large_size), OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_eq(open_on(SIM_OWN, false, "x\nrockchip,rv1103\n", bytes, size), OH_NN_SUCCESS, "%s", nnrt__sentence());
    sim_end();
    free(bytes);
    free(large);
}

Test(open_session, who_may_not_open_the_device_is_told) {
    nnrt__open_npu_chip chip = (nnrt__open_npu_chip)0;
    bool pools = false;
    char sentence[256];
    begin(&boards[0]);
    sim.fault = SIM_OPEN;
    sim.fault_at = 1;
    sim.fault_error = EACCES;
    cr_assert_not(nnrt__open_npu_find(&chip, &pools, sentence, sizeof sentence));
    cr_assert_not_null(strstr(sentence, "may not open"), "%s", sentence);
    cr_assert_eq((int)chip, 0);
    cr_assert(nnrt__open_npu_find(&chip, &pools, sentence, sizeof sentence));
    nothing_is_left("permission");
}

Test(open_session, a_board_says_what_it_has) {
    static const char *const says[BOARDS] = {
        "rv1106, driver rknpu, /dev/rknpu", "rk3588, driver rknpu of DRM, /dev/dri/renderD129",
        "rk3588, driver rknpu of DRM, /dev/dri/card1",
        "rk3588, driver rocket, /dev/accel/accel0; maxima over windows stay on the CPU"};
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_chip chip;
        bool pools;
        char sentence[256];
        begin(&boards[n]);
        cr_assert(nnrt__open_npu_find(&chip, &pools, sentence, sizeof sentence), "%s", sentence);
        cr_assert_str_eq(sentence, says[n]);
        cr_assert_eq(chip, boards[n].large ? NNRT__OPEN_NPU_RK3588 : NNRT__OPEN_NPU_RV1106);
        cr_assert_eq(pools, boards[n].kind != SIM_ROCKET);
        nothing_is_left(boards[n].name);
        sim_end();
    }
}

Test(open_session, a_hostile_image_reaches_no_driver) {
    size_t size;
    uint8_t *bytes = image_for(&boards[0], 0, &size);
    nnrt__open_npu_session *session;
    nnrt__open_npu_header h;
    nnrt__open_npu_task task;
    nnrt__open_npu_header_read(bytes, &h);
    nnrt__open_npu_task_read(bytes, &h, 0, &task);
    for (uint32_t w = 0; w < task.amount; w++) {
        uint8_t *at = bytes + h.loaded + task.words + 8 * w;
        if (nnrt__read_u16(at) == 0x4020) memset(at + 2, 0, 4); /* over its own words */
    }
    begin(&boards[0]);
    cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_INVALID_FILE);
    for (uint32_t c = 0; c < SIM_CALLS; c++) cr_assert_eq(sim.calls[c], 0);
    nothing_is_left("hostile");
    free(bytes);
}

/* A pooling never interrupts there. */
Test(open_session, rocket_refuses_pooling_before_anything_is_made) {
    nnrt__open_npu_session *session;
    size_t size;
    image *i = image_begin(NNRT__OPEN_NPU_RK3588);
    image_pool(i, 4, 4, 16);
    uint8_t *bytes = image_make(i, &size);
    begin(&boards[3]);
    cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_UNSUPPORTED, "%s", nnrt__sentence());
    cr_assert_not_null(strstr(nnrt__sentence(), "pooling"), "%s", nnrt__sentence());
    cr_assert_eq(sim.calls[SIM_CREATE], 0);
    nothing_is_left("rocket");
    sim_end();
    begin(&boards[1]); /* the other driver runs it */
    cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_SUCCESS, "%s", nnrt__sentence());
    (void)run_once(session, bytes, 0, true);
    nnrt__open_npu_close(session);
    nothing_is_left("DRM");
    free(bytes);
}

/* ------------------------------------------------------------------------------------------ what goes wrong */

Test(open_session, each_call_may_fail, .timeout = 300) {
    static const struct {
        int error;
        OH_NN_ReturnCode code;
    } errors[] = {{ENOMEM, OH_NN_MEMORY_ERROR},
                  {EINVAL, OH_NN_UNAVAILABLE_DEVICE},
                  {ENODEV, OH_NN_CONNECTION_EXCEPTION},
                  {EFAULT, OH_NN_UNAVAILABLE_DEVICE}};
    for (uint32_t n = 0; n < BOARDS; n++) {
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        uint32_t failed = 0;
        for (uint32_t call = SIM_CREATE; call <= SIM_PREP; call++)
            for (uint32_t at = 1; at <= 6; at++)
                for (uint32_t e = 0; e < 4; e++) {
                    nnrt__open_npu_session *session;
                    OH_NN_ReturnCode code;
                    char what[96];
                    snprintf(what, sizeof what, "%s: call %u, number %u, error %d", boards[n].name, (unsigned)call,
                             (unsigned)at, errors[e].error);
                    begin(&boards[n]);
                    sim.fault = (sim_call)call;
                    sim.fault_at = at;
                    sim.fault_error = errors[e].error;
                    code = nnrt__open_npu_open(bytes, size, &session);
                    cr_assert_eq(code == OH_NN_SUCCESS, session != NULL, "%s", what);
                    for (uint32_t round = 0; round < 2 && code == OH_NN_SUCCESS; round++)
                        code = run_either(session, bytes, 0);
                    nnrt__open_npu_close(session);
                    if (sim.calls[call] >= at) cr_assert_neq(code, OH_NN_SUCCESS, "%s", what);
                    if (sim.calls[call] >= at && call != SIM_MMAP) {
                        cr_assert_eq(code, errors[e].code, "%s: %d, %s", what, (int)code, nnrt__sentence());
                        failed++;
                    }
                    if (code != OH_NN_SUCCESS) cr_assert_gt(strlen(nnrt__sentence()), 20, "%s", what);
                    nothing_is_left(what);
                    sim_end();
                }
        cr_assert_gt(failed, 15, "%s: %u", boards[n].name, (unsigned)failed);
        free(bytes);
    }
}

Test(open_session, memory_that_cannot_be_given_back_is_closed_with_its_files) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        session = begin_with(&boards[n], bytes, size);
        sim.fault = SIM_DESTROY;
        sim.fault_at = 1;
        sim.fault_error = EINVAL;
        nnrt__open_npu_close(session);
        cr_assert_eq(open_files(), files_before, "%s", boards[n].name); /* with which the kernel frees it */
        sim_end();
        cr_assert_eq(mappings(), 0, "%s", boards[n].name);
        free(bytes);
    }
}

Test(open_session, a_run_that_hangs_ends_in_time_and_the_next_one_works, .timeout = 60) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        session = begin_with(&boards[n], bytes, size);
        (void)run_once(session, bytes, 0, true);
        for (uint32_t round = 0; round < 3; round++) { /* short ones are no hangs */
            const uint64_t before = nnrt__now_ns();
            sim.behaviour = SIM_HANGS;
            cr_assert_eq(run_once(session, bytes, 60, false), OH_NN_TIMEOUT, "%s: %s", boards[n].name,
                         nnrt__sentence());
            cr_assert_lt(nnrt__now_ns() - before, 1500000000u, "%s", boards[n].name);
            cr_assert_not_null(strstr(nnrt__sentence(), "did not finish"), "%s", nnrt__sentence());
        }
        cr_assert_eq(sim.resets, 3);
        sim.behaviour = SIM_RUNS;
        (void)run_once(session, bytes, 0, true);
        end_with(session, boards[n].name, bytes);
    }
}

Test(open_session, an_npu_that_hangs_twice_is_dead, .timeout = 60) {
    nnrt__open_npu_session *session;
    size_t size;
    uint8_t *bytes = image_for(&boards[0], 0, &size);
    session = begin_with(&boards[0], bytes, size);
    sim.behaviour = SIM_HANGS;
    cr_assert_eq(run_once(session, bytes, 1050, false), OH_NN_TIMEOUT);
    sim.behaviour = SIM_RUNS;
    (void)run_once(session, bytes, 0, true); /* the reset has helped: it begins anew */
    sim.behaviour = SIM_HANGS;
    cr_assert_eq(run_once(session, bytes, 1050, false), OH_NN_TIMEOUT);
    cr_assert_eq(run_once(session, bytes, 1050, false), OH_NN_TIMEOUT);
    sim.behaviour = SIM_RUNS;
    const uint32_t jobs = sim.jobs;
    cr_assert_eq(run_once(session, bytes, 0, false), OH_NN_CONNECTION_EXCEPTION);
    cr_assert_not_null(strstr(nnrt__sentence(), "open it again"), "%s", nnrt__sentence());
    cr_assert_eq(sim.jobs, jobs, "a dead session asks nothing of the driver");
    nnrt__open_npu_close(session);
    cr_assert_eq(nnrt__open_npu_open(bytes, size, &session), OH_NN_SUCCESS, "%s", nnrt__sentence());
    (void)run_once(session, bytes, 0, true);
    nnrt__open_npu_close(session);
    nothing_is_left("dead");
    free(bytes);
}

Test(open_session, a_device_that_goes_away_is_dead_at_once) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        session = begin_with(&boards[n], bytes, size);
        sim.fault = SIM_SUBMIT;
        sim.fault_at = 1;
        sim.fault_error = ENODEV;
        cr_assert_eq(run_once(session, bytes, 0, false), OH_NN_CONNECTION_EXCEPTION);
        cr_assert_eq(run_once(session, bytes, 0, false), OH_NN_CONNECTION_EXCEPTION);
        cr_assert_eq(sim.calls[SIM_SUBMIT], 1);
        end_with(session, boards[n].name, bytes);
    }
}

Test(open_session, a_slow_run_has_the_time_that_it_was_given, .timeout = 60) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *session;
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        session = begin_with(&boards[n], bytes, size);
        sim.behaviour = SIM_IS_SLOW;
        sim.slow_ms = 150;
        cr_assert_eq(run_once(session, bytes, 50, false), OH_NN_TIMEOUT, "%s: %s", boards[n].name, nnrt__sentence());
        (void)run_once(session, bytes, 2000, true);
        end_with(session, boards[n].name, bytes);
    }
}

/* SUBMIT and PREP_BO of rocket answer 0 then. */
Test(open_session, rocket_that_does_not_tell_of_a_lost_job_is_found_out, .timeout = 60) {
    static const struct {
        sim_behaviour behaviour;
        OH_NN_ReturnCode code;
    } lost[] = {{SIM_DROPS, OH_NN_UNAVAILABLE_DEVICE}, {SIM_HANGS, OH_NN_TIMEOUT}, {SIM_STOPS_SHORT, OH_NN_TIMEOUT}};
    nnrt__open_npu_session *session;
    size_t size;
    uint8_t *bytes = image_for(&boards[3], 1, &size);
    session = begin_with(&boards[3], bytes, size);
    for (uint32_t i = 0; i < 3; i++) {
        sim.behaviour = lost[i].behaviour;
        cr_assert_eq(run_once(session, bytes, 3000, false), lost[i].code, "%u: %s", (unsigned)i, nnrt__sentence());
        sim.behaviour = SIM_RUNS;
        (void)run_once(session, bytes, 0, true);
    }
    cr_assert_eq(sim.hidden, 0, "the driver took every job that it was given");
    nnrt__open_npu_close(session);
    nothing_is_left("rocket");
    free(bytes);
}

/* The words of a job reach only what its file has, whoever else is on the board: the engine would find the rest. */
Test(open_session, two_sessions_have_memory_of_their_own) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *a, *b;
        size_t a_size, b_size;
        uint8_t *first = image_for(&boards[n], 0, &a_size), *second = image_for(&boards[n], 1, &b_size);
        begin(&boards[n]);
        cr_assert_eq(nnrt__open_npu_open(first, a_size, &a), OH_NN_SUCCESS, "%s", nnrt__sentence());
        cr_assert_eq(nnrt__open_npu_open(second, b_size, &b), OH_NN_SUCCESS, "%s", nnrt__sentence());
        for (uint32_t round = 0; round < 3; round++) {
            (void)run_once(a, first, 0, true);
            (void)run_once(b, second, 0, true);
        }
        nnrt__open_npu_close(a);
        (void)run_once(b, second, 0, true);
        nnrt__open_npu_close(b);
        nothing_is_left(boards[n].name);
        sim_end();
        free(first);
        free(second);
    }
}

typedef struct worker {
    nnrt__open_npu_session *session;
    const int8_t *input;
    const int8_t *expected;
    size_t count;
    uint32_t wrong;
} worker;

static void *work_rounds(void *argument, uint32_t rounds) {
    worker *w = (worker *)argument;
    int8_t *out = (int8_t *)malloc(w->count);
    for (uint32_t round = 0; round < rounds && out != NULL; round++) {
        const void *inputs[1] = {w->input};
        void *outputs[1] = {out};
        if (nnrt__open_npu_run(w->session, inputs, outputs, 0) != OH_NN_SUCCESS ||
            memcmp(out, w->expected, w->count) != 0)
            w->wrong++;
    }
    free(out);
    return NULL;
}

static void *work(void *argument) { return work_rounds(argument, 20); }
static void *work_once(void *argument) { return work_rounds(argument, 1); }

/* Of `count` sessions one run each, all at once, on an NPU that takes 300 ms for a job: how many run at the same
   time. */
static uint32_t all_at_once(const board *b, uint32_t count) {
    nnrt__open_npu_session *sessions[4];
    pthread_t threads[4];
    worker workers[4];
    size_t size, bytes_out;
    uint8_t *bytes = image_for(b, 0, &size);
    const int8_t *in = input_of(bytes, 0), *expected;
    uint32_t most;
    begin(b);
    expected = expected_of(bytes, &in, 0, &bytes_out);
    sim.behaviour = SIM_IS_SLOW;
    sim.slow_ms = 300;
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(nnrt__open_npu_open(bytes, size, &sessions[i]), OH_NN_SUCCESS, "%s", nnrt__sentence());
        workers[i].session = sessions[i];
        workers[i].input = in;
        workers[i].expected = expected;
        workers[i].count = bytes_out;
        workers[i].wrong = 0;
    }
    for (uint32_t i = 0; i < count; i++) cr_assert_eq(pthread_create(&threads[i], NULL, work_once, &workers[i]), 0);
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        cr_assert_eq(workers[i].wrong, 0, "session %u", (unsigned)i);
        nnrt__open_npu_close(sessions[i]);
    }
    most = sim.at_once;
    nothing_is_left(b->name);
    free((void *)(uintptr_t)in);
    free((void *)(uintptr_t)expected);
    free(bytes);
    return most;
}

/* Rockchip's driver gives a job to the core with the least to do; nothing of ours makes one session wait for
   another. */
Test(open_session, sessions_that_run_at_once_have_a_core_each, .timeout = 60) {
    cr_assert_eq(all_at_once(&boards[1], 3), 3);
    for (uint32_t i = 0; i < SIM_CORES; i++) cr_assert_eq(sim.core_jobs[i], 1, "core %u", (unsigned)i);
    sim_end();
    cr_assert_eq(all_at_once(&boards[1], 4), 3, "the fourth waits for a core");
    sim_end();
    cr_assert_eq(all_at_once(&boards[0], 2), 1, "RV1106 has one");
    sim_end();
}

Test(open_session, threads_share_sessions, .timeout = 60) {
    for (uint32_t n = 0; n < BOARDS; n++) {
        nnrt__open_npu_session *sessions[2];
        worker workers[4];
        pthread_t threads[4];
        size_t size;
        uint8_t *bytes = image_for(&boards[n], 0, &size);
        begin(&boards[n]);
        for (uint32_t i = 0; i < 2; i++)
            cr_assert_eq(nnrt__open_npu_open(bytes, size, &sessions[i]), OH_NN_SUCCESS, "%s", nnrt__sentence());
        for (uint32_t i = 0; i < 4; i++) {
            const int8_t *in = input_of(bytes, 0);
            workers[i].session = sessions[i / 2];
            workers[i].input = in;
            workers[i].expected = expected_of(bytes, &in, 0, &workers[i].count);
            workers[i].wrong = 0;
        }
        for (uint32_t i = 0; i < 4; i++) cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
        for (uint32_t i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
            cr_assert_eq(workers[i].wrong, 0, "%s, thread %u", boards[n].name, (unsigned)i);
            free((void *)(uintptr_t)workers[i].input);
            free((void *)(uintptr_t)workers[i].expected);
        }
        nnrt__open_npu_close(sessions[0]);
        nnrt__open_npu_close(sessions[1]);
        nothing_is_left(boards[n].name);
        sim_end();
        free(bytes);
    }
}
