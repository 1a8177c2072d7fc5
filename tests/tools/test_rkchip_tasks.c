/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of tasks in tools/rkchip that each block has two groups of registers, which change with every task that runs
   the block, and with no other; that a short task inherits from the task before last; that clearing a pointer goes back
   to the first group; that tables stay until the next are loaded; and that tasks are found and read as they lie in
   memory. */
#include <criterion/criterion.h>

#define SEED 20261128u

#include "rkchip_conv.h"

/* A copy of one atom, from a place to a place. */
static void copy_words(stream *s, uint32_t from, uint32_t to) {
    stream_of(s, STREAM_DPU);
    stream_set(s, 0x4020, to);
    stream_set(s, 0x4024, 16);
    stream_set(s, 0x403c, 0xf000f);
    stream_set(s, 0x40c0, 16);
    stream_set(s, 0x5014, 15);
    stream_set(s, 0x5018, from);
}

/* Words of their own. */
static void short_words(stream *s, uint32_t name, uint32_t value) {
    s->count = 0;
    stream_append(s, name, value);
}

static uint8_t *numbered(job *j) {
    uint8_t *from = job_memory(j, AT_INPUT, 16 * 16);
    for (uint32_t i = 0; i < 16 * 16; i++) from[i] = (uint8_t)(i / 16);
    return from;
}

Test(rkchip_tasks, short_tasks_inherit_from_the_task_before_last) {
    job j;
    stream s;
    job_begin(&j);
    (void)numbered(&j);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 16 * 16);
    copy_words(&s, AT_INPUT + 1 * 16, AT_OUTPUT);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    copy_words(&s, AT_INPUT + 2 * 16, AT_OUTPUT + 16);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    for (uint32_t task = 2; task < 8; task++) {
        short_words(&s, 0x4020, AT_OUTPUT + task * 16);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    }
    for (uint32_t i = 0; i < 16 * 8; i++) cr_assert_eq(to[i], 1 + i / 16 % 2, "atom %u is %u", i / 16, to[i]);
    job_end(&j);
}

/* A task of a convolution between two of the DPU alone: DPU and DPU_RDMA change with all three, CNA and CORE with
   one. */
Test(rkchip_tasks, blocks_change_their_groups_alone) {
    conv c = conv_of(1, 1, 16, 16);
    job j;
    stream s;
    job_begin(&j);
    conv_values(&c);
    uint8_t *out = conv_memory(&c, &j);
    int8_t *wanted = conv_reference(&c);
    uint8_t *copies = job_memory(&j, AT_OPERAND, 64);
    memset(copies, 7, 32);
    conv_words(&c, &s);
    cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence); /* 1: group 0 of all four */
    copy_words(&s, AT_OPERAND, AT_OPERAND + 32);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence); /* 2: group 1 of DPU and RDMA */
    cr_assert_eq(copies[32], 7);
    /* CNA and CORE have group 1 now, which nobody has written; DPU and RDMA have group 0. */
    stream full;
    conv_words(&c, &full);
    s.count = 0;
    for (uint32_t i = 0; i < full.count; i++)
        if (full.words[i].name < 0x4000) stream_append(&s, full.words[i].name, full.words[i].value);
    memset(out, STREAM_FILL, 16);
    cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence); /* 3 */
    cr_assert_arr_eq(out, wanted, 16);
    short_words(&s, 0x4020, AT_OPERAND + 48); /* 4: group 1 of the DPU, the copy */
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    cr_assert_eq(copies[48], 7);
    memset(out, STREAM_FILL, 16);
    short_words(&s, 0x4020, AT_OUTPUT); /* 5: group 0 of all four */
    cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence);
    cr_assert_arr_eq(out, wanted, 16);
    free(wanted);
    conv_free(&c);
    job_end(&j);
}

Test(rkchip_tasks, a_task_that_no_group_was_written_for_is_refused) {
    job j;
    stream s;
    job_begin(&j);
    (void)numbered(&j);
    (void)job_memory(&j, AT_OUTPUT, 16);
    copy_words(&s, AT_INPUT, AT_OUTPUT);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    short_words(&s, 0x4020, AT_OUTPUT);
    cr_assert_not(job_run(&j, &s, STREAM_DPU));
    cr_assert_not_null(strstr(j.chip->sentence, "task 1: register 0x"), "%s", j.chip->sentence);
    job_end(&j);
}

/* 0x30 goes back to the first group, before the words behind it are written; 0xe changes nothing. */
Test(rkchip_tasks, clearing_a_pointer_goes_back_to_the_first_group) {
    static const uint32_t values[] = {0x10, 0x20, 0x30, 0xe};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        job j;
        stream s;
        job_begin(&j);
        (void)numbered(&j);
        const uint8_t *to = job_memory(&j, AT_OUTPUT, 64);
        copy_words(&s, AT_INPUT + 16, AT_OUTPUT);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        copy_words(&s, AT_INPUT + 32, AT_OUTPUT + 16);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        short_words(&s, 0x4020, AT_OUTPUT + 32);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        cr_assert_eq(to[32], 1);
        s.count = 0; /* would have group 1 */
        stream_append(&s, 0x4004, values[i]);
        stream_append(&s, 0x5004, values[i]);
        stream_append(&s, 0x4020, AT_OUTPUT + 48);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        cr_assert_eq(to[48], values[i] == 0xe ? 2 : 1, "0x%x gives %u", values[i], to[48]);
        job_end(&j);
    }
}

/* One block alone: its words are of the first group then, those of the other of the second. */
Test(rkchip_tasks, the_pointer_of_a_block_is_its_own) {
    job j;
    stream s;
    job_begin(&j);
    (void)numbered(&j);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 64);
    copy_words(&s, AT_INPUT + 16, AT_OUTPUT);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    s.count = 0;
    stream_append(&s, 0x4004, 0x30); /* the DPU has group 0 again, RDMA group 1 */
    stream_append(&s, 0x4020, AT_OUTPUT + 16);
    stream full;
    copy_words(&full, AT_INPUT + 32, 0);
    for (uint32_t i = 0; i < full.count; i++)
        if (full.words[i].name >= 0x5000 && full.words[i].name < 0x6000)
            stream_append(&s, full.words[i].name, full.words[i].value);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    cr_assert_eq(to[16], 2);
    job_end(&j);
}

/* Two shapes in turns: a block that did not change its group would have the sizes of the other. */
Test(rkchip_tasks, all_blocks_of_a_convolution_inherit) {
    conv shapes[2] = {conv_of(1, 1, 16, 16), conv_of(1, 1, 16, 32)};
    int8_t *wanted[2];
    for (int i = 0; i < 2; i++) {
        conv_values(&shapes[i]);
        wanted[i] = conv_reference(&shapes[i]);
    }
    job j;
    job_begin(&j);
    for (uint32_t task = 0; task < 6; task++) {
        const conv *c = &shapes[task % 2];
        stream s;
        job_forget(&j);
        const uint8_t *out = conv_memory(c, &j);
        if (task < 2) conv_words(c, &s);
        else short_words(&s, 0x4020, AT_OUTPUT);
        cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence);
        cr_assert_arr_eq(out, wanted[task % 2], c->outputs);
    }
    job_end(&j);
    for (int i = 0; i < 2; i++) {
        free(wanted[i]);
        conv_free(&shapes[i]);
    }
}

/* Of 1 pixel and of the larger one of 2, in turns. */
Test(rkchip_tasks, pools_inherit_as_well) {
    job j;
    stream s;
    job_begin(&j);
    (void)numbered(&j);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 96);
    for (uint32_t task = 0; task < 6; task++) {
        stream_of(&s, STREAM_POOL);
        stream_set(&s, 0x600c, task);
        stream_set(&s, 0x6014, 15);
        stream_set(&s, 0x6020, 15);
        stream_set(&s, 0x6034, task);
        stream_set(&s, 0x6070, AT_OUTPUT + task * 16);
        stream_set(&s, 0x700c, task);
        stream_set(&s, 0x7014, 15);
        stream_set(&s, 0x701c, AT_INPUT + 3 * 16);
        if (task > 1) short_words(&s, 0x6070, AT_OUTPUT + task * 16);
        cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    }
    for (uint32_t i = 0; i < 96; i++) cr_assert_eq(to[i], 3 + i / 16 % 2);
    job_end(&j);
}

/* ---------------------------------------------------------------------------------------------------- tables */

static void line(curve *c, int32_t from, int32_t slope) {
    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < 513; i++) {
        c->values[0][i] = (int16_t)(from + slope * i);
        c->values[1][i] = (int16_t)(from + slope * (512 + i));
    }
    c->start = -512;
}

/* A convolution of one value, through a curve. */
static int through(job *j, const curve *c, int32_t value, uint8_t *out) {
    conv one = conv_of(1, 1, 1, 1);
    stream s;
    one.biases = (int32_t *)malloc(sizeof *one.biases);
    one.weights = (int8_t *)calloc(1, 1);
    one.zero_points = (int32_t *)calloc(1, sizeof *one.zero_points);
    cr_assert(one.biases != NULL && one.weights != NULL && one.zero_points != NULL);
    one.biases[0] = value;
    one.table = 2;
    one.dpu.shift = one.dpu.shift_negative = one.dpu.out_shift = 0;
    one.dpu.factor = 1;
    one.dpu.curve = true;
    one.curve = c;
    conv_values(&one);
    job_forget(j);
    uint8_t *to = conv_memory(&one, j);
    conv_words(&one, &s);
    conv_free(&one);
    if (!job_run(j, &s, STREAM_CONV)) return -1000;
    *out = to[0];
    return (int8_t)to[0];
}

Test(rkchip_tasks, tables_stay_until_the_next_are_loaded) {
    curve up, down;
    uint8_t byte;
    job j;
    line(&up, -512, 1);
    line(&down, 512, -1);
    job_begin(&j);
    cr_assert_eq(through(&j, &up, 5, &byte), -1000);
    cr_assert_not_null(strstr(j.chip->sentence, "task 0: it uses a table that no task has loaded"), "%s",
                       j.chip->sentence);
    cr_assert(curve_load(&j, &up), "%s", j.chip->sentence);
    for (int32_t value = -100; value < 100; value += 7) cr_assert_eq(through(&j, &up, value, &byte), value);
    cr_assert(curve_load(&j, &down), "%s", j.chip->sentence);
    for (int32_t value = -100; value < 100; value += 7) cr_assert_eq(through(&j, &down, value, &byte), -value);
    job_end(&j);
}

/* Values may come in several tasks' words only as one run: a table that is opened begins anew. */
Test(rkchip_tasks, a_table_has_513_values_no_more_and_no_less) {
    for (uint32_t count = 511; count <= 514; count++) {
        curve c;
        uint8_t byte;
        job j;
        stream s;
        line(&c, -512, 1);
        job_begin(&j);
        cr_assert(curve_load(&j, &c), "%s", j.chip->sentence);
        stream_of(&s, STREAM_DPU);
        stream_set(&s, 0x4108, 1);
        stream_append(&s, 0x4100, 0x30000);
        for (uint32_t i = 0; i < count; i++) stream_append(&s, 0x4104, 512 + i);
        cr_assert_eq(job_run(&j, &s, STREAM_DPU), count <= 513, "%u: %s", count, j.chip->sentence);
        if (count > 513)
            cr_assert_not_null(strstr(j.chip->sentence, "task 1: a table gets more than 513 values"), "%s",
                               j.chip->sentence);
        cr_assert_eq(through(&j, &c, 3, &byte) == -1000, count < 513);
        job_end(&j);
    }
}

Test(rkchip_tasks, values_for_a_table_that_is_not_open_go_nowhere) {
    curve c;
    uint8_t byte;
    job j;
    stream s;
    line(&c, -512, 1);
    job_begin(&j);
    cr_assert(curve_load(&j, &c), "%s", j.chip->sentence);
    (void)numbered(&j);
    (void)job_memory(&j, AT_OUTPUT, 16);
    copy_words(&s, AT_INPUT, AT_OUTPUT);
    for (uint32_t i = 0; i < 600; i++) stream_append(&s, 0x4104, 99);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    cr_assert_eq(through(&j, &c, 3, &byte), 3);
    job_end(&j);
}

/* The geometry of a task that loads a table means nothing: its addresses are 0, and no memory of the job. */
Test(rkchip_tasks, a_task_that_loads_a_table_runs_nothing_else) {
    curve c;
    job j;
    stream s;
    line(&c, -512, 1);
    job_begin(&j);
    cr_assert(curve_load(&j, &c), "%s", j.chip->sentence);
    for (uint32_t i = 0; i < 2; i++) {
        static const uint32_t enables[] = {STREAM_CONV, STREAM_POOL};
        s.count = 0;
        stream_append(&s, 0x4100, 0x20000);
        cr_assert_not(job_run(&j, &s, enables[i]));
        cr_assert_not_null(strstr(j.chip->sentence, "a table is loaded by other blocks than the DPU"), "%s",
                           j.chip->sentence);
    }
    job_end(&j);
}

/* ---------------------------------------------------------------------------------------------- where words lie */

/* Three tasks in one region, each with four words behind it that are no registers of these blocks. */
Test(rkchip_tasks, the_words_that_lead_to_the_next_task_are_not_run) {
    job j;
    stream s;
    job_begin(&j);
    (void)numbered(&j);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 48);
    uint8_t *words = job_memory(&j, AT_WORDS, 3 * 8 * 100);
    uint32_t at = 0;
    for (uint32_t task = 0; task < 3; task++) {
        copy_words(&s, AT_INPUT + (5 + task) * 16, AT_OUTPUT + task * 16);
        const rkchip_task record = {STREAM_DPU, s.count, AT_WORDS + at};
        for (uint32_t i = 0; i < s.count; i++, at += 8)
            for (uint32_t k = 0; k < 8; k++) words[at + k] = (uint8_t)(stream_encode(&s.words[i]) >> (8 * k));
        memset(words + at, 0xff, 4 * 8);
        at += 4 * 8;
        cr_assert(rkchip_run(j.chip, task, &record), "%s", j.chip->sentence);
    }
    for (uint32_t i = 0; i < 48; i++) cr_assert_eq(to[i], 5 + i / 16);
    job_end(&j);
}

/* Addresses of registers are 32 bits from the base on; the base may be anywhere. */
Test(rkchip_tasks, addresses_are_relative_to_the_base) {
    uint8_t from[16], to[16];
    const uint64_t base = 0xfffffff000000000u;
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    stream s;
    cr_assert_not_null(chip);
    copy_words(&s, 0xfffffff0, 0x10);
    memset(from, 9, sizeof from);
    uint8_t *bytes = (uint8_t *)malloc(s.count * 8);
    cr_assert_not_null(bytes);
    for (uint32_t i = 0; i < s.count * 8; i++) bytes[i] = (uint8_t)(stream_encode(&s.words[i / 8]) >> (8 * (i % 8)));
    const rkchip_region regions[] = {
        {base + 0xfffffff0, from, 16}, {base + 0x10, to, 16}, {base + 0x123456789, bytes, s.count * 8}};
    const rkchip_task task = {STREAM_DPU, s.count, 0x123456789};
    chip->memory.regions = regions;
    chip->memory.count = 3;
    chip->memory.base = base;
    cr_assert(rkchip_run(chip, 0, &task), "%s", chip->sentence);
    cr_assert_arr_eq(from, to, 16);
    rkchip_destroy(chip);
    free(bytes);
}

Test(rkchip_tasks, a_chip_that_is_none_may_be_destroyed) { rkchip_destroy(NULL); }
