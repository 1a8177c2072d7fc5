/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of tools/rkchip's reader of .rknn files for RK3588 that a file becomes one memory with every address in its
   place, that the variant for one core is taken, tables of curves and all, and that a damaged file is refused without a
   byte read outside of it: cut at every length, and with each of its bytes changed. */
#include <criterion/criterion.h>

#include "../../tools/rkchip/job.h"

enum {
    FILE_BYTES = 16384
};

/* A flatbuffer, written from its beginning: a table's fields are filled in once what they lead to has a place. */
typedef struct flat {
    uint8_t bytes[FILE_BYTES];
    uint32_t size;
} flat;

static void put(flat *f, uint32_t at, uint64_t value, uint32_t bytes) {
    cr_assert_leq(at + bytes, sizeof f->bytes);
    for (uint32_t i = 0; i < bytes; i++) f->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

static uint32_t take(flat *f, uint32_t bytes) {
    const uint32_t at = (f->size + 7) / 8 * 8;
    f->size = at + bytes;
    cr_assert_leq(f->size, sizeof f->bytes);
    return at;
}

enum {
    FIELDS = 24, /* each of 8 bytes, behind the offset to their list */
    LIST = 4 + 2 * FIELDS
};

/* A table that has no field yet. */
static uint32_t table(flat *f) {
    const uint32_t list = take(f, LIST), node = take(f, 8 + 8 * FIELDS);
    put(f, list, LIST, 2);
    put(f, list + 2, 8 + 8 * FIELDS, 2);
    put(f, node, node - list, 4);
    return node;
}

/* Where field number of a table is; it has it from now on. */
static uint32_t field(flat *f, uint32_t node, uint32_t number) {
    const uint32_t list = node - (uint32_t)(f->bytes[node] | f->bytes[node + 1] << 8);
    put(f, list + 4 + 2 * number, 8 + 8 * number, 2);
    return node + 8 + 8 * number;
}

static void lead(flat *f, uint32_t at, uint32_t to) { put(f, at, to - at, 4); }

static void number(flat *f, uint32_t node, uint32_t which, uint64_t value, uint32_t bytes) {
    put(f, field(f, node, which), value, bytes);
}

static void text(flat *f, uint32_t node, uint32_t which, const char *s) {
    const uint32_t at = take(f, 4 + (uint32_t)strlen(s) + 1);
    put(f, at, strlen(s), 4);
    memcpy(f->bytes + at + 4, s, strlen(s));
    lead(f, field(f, node, which), at);
}

/* A vector of count values; where the first is. unit: values that count as one. */
static uint32_t vector(flat *f, uint32_t node, uint32_t which, uint32_t count, const uint32_t *values, uint32_t unit) {
    const uint32_t at = take(f, 4 + 4 * count);
    put(f, at, count / unit, 4);
    for (uint32_t i = 0; i < count; i++) put(f, at + 4 + 4 * i, values == NULL ? 0 : values[i], 4);
    lead(f, field(f, node, which), at);
    return at + 4;
}

static uint32_t tensor(flat *f, const char *name, uint32_t kind, uint32_t bytes, uint32_t offset, uint32_t blob) {
    static const uint32_t dims[] = {1, 16, 1, 1}, one = 0x3f800000, zero = 3;
    const uint32_t node = table(f);
    number(f, node, 0, 3, 1), number(f, node, 1, 64, 1), number(f, node, 2, kind, 1);
    vector(f, node, 4, 4, dims, 1), text(f, node, 5, name), vector(f, node, 10, 1, &one, 1);
    vector(f, node, 11, 1, &zero, 1), number(f, node, 12, bytes, 4), number(f, node, 13, offset, 4);
    number(f, node, 18, blob, 4);
    return node;
}

static void place(flat *f, uint32_t vector_first, uint32_t index, uint32_t node) {
    lead(f, vector_first + 4 * index, node);
}

enum {
    WORDS = 12,
    BETWEEN = 100
};

/* A file of one operator that has a task and one that loads a table of a curve, and of another that has a task. Six of
   its words get addresses. */
static uint32_t make(uint8_t *file) {
    static const uint32_t in = 4, out = 5, tasks[] = {1, 2, 0, 2, 0, 0}, tasks2[] = {1, 1, 0, 1, 0, 0};
    static const uint32_t curves[] = {1, 0, 0, 0, 0, 0}, starts[] = {0, 0, 0, 3, 5};
    static const uint32_t words_of[6][4] = {{0, 0}, {16, 1}, {0, 2, 8, 3}, {0, 4}, {32, 5}, {0, 6}};
    static const char *const names[] = {"weights", "between", "input", "output", "curve", "late"};
    static flat f;
    uint32_t root, graph, list, node, blob[4], i;
    memset(&f, 0, sizeof f);
    f.size = 8;
    root = table(&f);
    put(&f, 0, root, 4);
    memcpy(f.bytes + 4, "RKNN", 4);
    text(&f, root, 8, "rk3588");
    list = vector(&f, root, 2, 1, NULL, 1);
    graph = table(&f);
    place(&f, list, 0, graph);
    node = table(&f);
    lead(&f, field(&f, root, 19), node);
    number(&f, node, 0, 64, 8), number(&f, node, 1, BETWEEN, 8);
    list = vector(&f, graph, 0, 9, NULL, 1);
    place(&f, list, 0, tensor(&f, "", 0, 0, 0, 0));
    place(&f, list, 1, tensor(&f, "weights", 4, 5, 0, 1));
    place(&f, list, 2, tensor(&f, "curve", 6, 0, 0, 2));
    place(&f, list, 3, tensor(&f, "between", 3, 16, 48, 0));
    place(&f, list, 4, tensor(&f, "input", 1, 16, 0, 0));
    place(&f, list, 5, tensor(&f, "output", 2, 16, 8, 0));
    place(&f, list, 6, tensor(&f, "late", 8, 5, 0, 1));
    place(&f, list, 7, tensor(&f, "regcmd", 9, 0, 0, 3));
    place(&f, list, 8, tensor(&f, "task", 10, 0, 0, 4));
    vector(&f, graph, 2, 1, &in, 1), vector(&f, graph, 3, 1, &out, 1), vector(&f, graph, 10, 5, starts, 1);
    list = vector(&f, graph, 1, 2, NULL, 1);
    for (i = 0; i < 2; i++) {
        node = table(&f);
        text(&f, node, 1, i == 0 ? "ConvExSwish" : "Reshape"), text(&f, node, 2, i == 0 ? "Conv:first" : "Reshape:r");
        number(&f, node, 3, i == 0 ? 2 : 0, 1), vector(&f, node, 5, 1, &out, 1);
        vector(&f, node, 10, 6, i == 0 ? tasks : tasks2, 1);
        if (i == 0) vector(&f, node, 11, 6, curves, 1);
        place(&f, list, i, node);
    }
    list = vector(&f, graph, 7, 6, NULL, 1);
    for (i = 0; i < 6; i++) {
        node = table(&f);
        text(&f, node, 0, names[i]);
        vector(&f, node, 1, i == 2 ? 4 : 2, words_of[i], 2);
        place(&f, list, i, node);
    }
    list = vector(&f, root, 20, 5, NULL, 1);
    for (i = 0; i < 5; i++) place(&f, list, i, table(&f));
    for (i = 0; i < 4; i++) {
        static const uint32_t sizes[] = {5, 8, 8 * WORDS, 40 * 8};
        const uint32_t count = list + 4 * (i + 1), at = count + (uint32_t)(f.bytes[count] | f.bytes[count + 1] << 8);
        const uint32_t slot = field(&f, at, 0);
        blob[i] = take(&f, 4 + sizes[i]);
        put(&f, blob[i], sizes[i], 4);
        put(&f, slot, blob[i] - slot, 8);
        for (uint32_t k = 0; k < sizes[i]; k++) f.bytes[blob[i] + 4 + k] = (uint8_t)(0x11 * (i + 1));
    }
    for (i = 0; i < 8; i++) {
        const uint32_t at = blob[3] + 4 + 40 * i;
        put(&f, at + 8, i == 0 ? 0x18 : 0x1d, 4), put(&f, at + 24, i + 1, 4), put(&f, at + 32, 8 * i, 8);
    }
    memset(file, 0, 64);
    memcpy(file, "RKNN\0\0\0\0\6", 9);
    for (i = 0; i < 4; i++) file[16 + i] = (uint8_t)(f.size >> (8 * i));
    memcpy(file + 64, f.bytes, f.size);
    return 64 + f.size;
}

static uint32_t address_of(const rkchip_full_model *m, uint32_t word) {
    return rkchip_read_32(m->memory + word * 8 + 2);
}

static rkchip_task task_of(const rkchip_full_model *m, uint32_t i) {
    rkchip_model model;
    memset(&model, 0, sizeof model);
    model.tasks = m->tasks;
    return rkchip_model_task(&model, i);
}

Test(rkchip_full_file, every_address_is_in_its_place) {
    static uint8_t file[64 + FILE_BYTES];
    rkchip_full_model m;
    const uint32_t size = make(file);
    cr_assert(rkchip_full_read(&m, file, size), "%s", m.sentence);
    cr_assert_eq(m.words_bytes, 8 * WORDS);
    cr_assert_eq(m.input_count, 1);
    cr_assert_eq(m.output_count, 1);
    const rkchip_full_tensor *t = m.tensors;
    cr_assert_str_eq(t[m.inputs[0]].name, "input");
    cr_assert_float_eq(t[4].scale, 1.0f, 0.0f);
    cr_assert_eq(t[4].zero_point, 3);
    cr_assert_eq(t[1].address, 128, "constants follow the words, on lines of 64 bytes");
    cr_assert_eq(t[2].address, 192);
    cr_assert_eq(t[6].address, 256);
    cr_assert_eq(t[3].address, 320 + 48);
    cr_assert_eq(t[4].address, 448, "inputs and outputs have memory of their own");
    cr_assert_eq(t[5].address, 512);
    cr_assert_eq(m.memory_bytes, 528);
    cr_assert_eq(address_of(&m, 0), 128);
    cr_assert_eq(address_of(&m, 1), 320 + 48 + 16);
    cr_assert_eq(address_of(&m, 2), 448);
    cr_assert_eq(address_of(&m, 3), 448 + 8);
    cr_assert_eq(address_of(&m, 4), 512);
    cr_assert_eq(address_of(&m, 5), 192 + 32);
    cr_assert_eq(address_of(&m, 6), 256);
    cr_assert_eq(address_of(&m, 7), 0x33333333, "a word that no tensor has stays");
    cr_assert_eq(m.memory[0], 0x33, "and so does what is around an address");
    cr_assert_eq(m.memory[6], 0x33);
    cr_assert_eq(m.memory[128 + 4], 0x11);
    cr_assert_eq(m.memory[128 + 5], 0);
    rkchip_full_free(&m);
}

Test(rkchip_full_file, the_variant_for_one_core_is_taken) {
    static uint8_t file[64 + FILE_BYTES];
    rkchip_full_model m;
    const uint32_t size = make(file);
    cr_assert(rkchip_full_read(&m, file, size), "%s", m.sentence);
    cr_assert_eq(m.task_count, 3);
    cr_assert_eq(m.operator_count, 2);
    cr_assert_eq(m.operators[0].task_count, 2, "a task, and the one that loads its curve");
    cr_assert_eq(m.operators[1].first_task, 2);
    cr_assert_str_eq(m.operators[0].name, "Conv:first");
    cr_assert(m.operators[0].on_npu);
    cr_assert_not(m.operators[1].on_npu);
    cr_assert_eq(m.operators[1].result, 5);
    const rkchip_task task = task_of(&m, 2);
    cr_assert_eq(task.enable, 0x1d);
    cr_assert_eq(task.amount, 3);
    cr_assert_eq(task.address, 16);
    rkchip_full_free(&m);
}

/* Its tasks, whose words mean nothing, stop with a sentence. */
static void run_tasks(const rkchip_full_model *m) {
    const rkchip_region region = {0, m->memory, m->memory_bytes};
    rkchip *chip = rkchip_create(RKCHIP_RK3588);
    chip->memory.regions = &region;
    chip->memory.count = 1;
    for (uint32_t i = 0; i < m->task_count; i++) {
        const rkchip_task task = task_of(m, i);
        if (!rkchip_run(chip, i, &task)) cr_assert_neq(chip->sentence[0], '\0');
    }
    rkchip_destroy(chip);
}

/* The same as the model that the tool runs, which takes int8 inputs and outputs alone. */
static void becomes_a_model(const uint8_t *file, uint32_t size, bool was_read) {
    static uint8_t data[1 << 16];
    rkchip_model model;
    rkchip_job job;
    const bool read = rkchip_model_read(&model, file, size);
    if (!read) cr_assert_neq(model.sentence[0], '\0');
    cr_assert(was_read || !read);
    if (read && model.memory_bytes < sizeof data) {
        cr_assert(rkchip_job_open(&job, &model));
        for (uint32_t i = 0; i < model.input_count; i++) rkchip_job_put(&job, &model.inputs[i], data);
        for (uint32_t i = 0; i < model.operator_count; i++)
            if (!model.operators[i].is_output) (void)rkchip_job_run(&job, &model.operators[i]);
        for (uint32_t i = 0; i < model.output_count; i++) rkchip_job_get(&job, &model.outputs[i], i % 2 == 0, data);
        rkchip_job_close(&job);
    }
    rkchip_model_free(&model);
}

/* false: it is refused, with a sentence. The bytes lie in a block of their size. */
static bool reads(const uint8_t *file, uint32_t size) {
    rkchip_full_model m;
    uint8_t *exact = (uint8_t *)malloc(size + (size == 0));
    memcpy(exact, file, size);
    const bool read = rkchip_full_read(&m, exact, size);
    if (!read) cr_assert_neq(m.sentence[0], '\0');
    else if (m.memory_bytes < 65536) run_tasks(&m);
    rkchip_full_free(&m);
    becomes_a_model(exact, size, read);
    free(exact);
    return read;
}

Test(rkchip_full_file, a_damaged_file_is_refused_or_read_within_its_bounds) {
    static uint8_t file[64 + FILE_BYTES];
    const uint32_t size = make(file);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < size; i++) cr_assert_not(reads(file, i), "cut to %u bytes", i);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t bit = 0; bit < 8; bit++) {
            file[i] ^= (uint8_t)(1u << bit);
            if (!reads(file, size)) refused++;
            file[i] ^= (uint8_t)(1u << bit);
        }
    cr_assert_gt(refused, 100);
    cr_assert(reads(file, size));
}

Test(rkchip_full_file, other_files_are_refused_by_what_they_are) {
    static uint8_t file[64 + FILE_BYTES];
    rkchip_full_model m;
    const uint32_t size = make(file);
    file[8] = 2;
    cr_assert_not(rkchip_full_read(&m, file, size));
    cr_assert_str_eq(m.sentence, "of the files for RK3588 only those of format 6 are known; this one has 2");
    rkchip_full_free(&m);
    file[8] = 6;
    for (uint32_t i = 0; i + 6 < size; i++)
        if (memcmp(file + i, "rk3588", 6) == 0) memcpy(file + i, "rk3562", 6);
    cr_assert_not(rkchip_full_read(&m, file, size));
    cr_assert_str_eq(m.sentence, "it is for rk3562, not for rk3588");
    rkchip_full_free(&m);
    memcpy(file, "RKNX", 4);
    cr_assert_not(rkchip_full_read(&m, file, size));
    cr_assert_str_eq(m.sentence, "it is no .rknn file");
    rkchip_full_free(&m);
}
