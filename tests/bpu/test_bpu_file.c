/* SPDX-License-Identifier: Apache-2.0 */
/* test_bpu_file.c - what a .bin or .hbm of Horizon's tells, for which board it is, and what is wrong with a damaged
   one.

   The files are the seeds of the fuzzer, which tests/sim/bpu/make_files.py makes; what is longer than a file may be is
   written here. Every file is malloc'd to its exact size, so that a sanitizer sees the first byte behind it. */
#include "linked.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <unistd.h>

typedef struct bpu_bytes {
    uint8_t *bytes;
    size_t size;
} bpu_bytes;

static bpu_bytes copy_of(const uint8_t *from, size_t size) {
    bpu_bytes file;
    file.size = size;
    file.bytes = (uint8_t *)malloc(size + (size == 0));
    cr_assert_not_null(file.bytes);
    if (size != 0) memcpy(file.bytes, from, size);
    return file;
}

static bpu_bytes load(const char *name) {
    char path[128];
    uint8_t block[8192];
    size_t size;
    FILE *from;
    (void)snprintf(path, sizeof(path), "tests/fuzz/seeds/bpu_file/%s", name);
    from = fopen(path, "rb");
    cr_assert_not_null(from, "%s", path);
    size = fread(block, 1, sizeof(block), from);
    cr_assert(size > 0 && size < sizeof(block), "%s", path);
    (void)fclose(from);
    return copy_of(block, size);
}

static const char *const seeds[] = {"x5.bin",   "x3.bin",    "j5.bin",      "packed.bin", "twins.bin",
                                    "cpu.bin",  "mixed.bin", "x3.hbm",      "j5.hbm",     "x5.hbm",
                                    "s100.hbm", "s600.hbm",  "several.hbm", "untold.hbm"};

/* Where length bytes begin for the first time; the file has them. */
static size_t find(const bpu_bytes *file, const void *bytes, size_t length) {
    size_t at;
    for (at = 0; at + length <= file->size; at++)
        if (memcmp(file->bytes + at, bytes, length) == 0) return at;
    cr_assert_fail("the file has no such bytes");
    return 0;
}

static size_t find_text(const bpu_bytes *file, const char *text) { return find(file, text, strlen(text)); }

static void put(uint8_t *to, uint64_t value, uint32_t width) {
    uint32_t i;
    for (i = 0; i < width; i++) to[i] = (uint8_t)(value >> 8 * i);
}

/* ------------------------------------------------------------------------------------------ what they tell */

typedef struct told_text {
    size_t used;
    char text[8192]; /* "label: text\n" of each pair */
} told_text;

static void keep_pair(void *user, const char *label, const char *text) {
    told_text *t = (told_text *)user;
    const int length = snprintf(t->text + t->used, sizeof(t->text) - t->used, "%s: %s\n", label, text);
    cr_assert(length > 0 && (size_t)length < sizeof(t->text) - t->used);
    t->used += (size_t)length;
}

static OH_NN_ReturnCode ask(const bpu_bytes *file, told_text *t) {
    memset(t, 0, sizeof(*t));
    return nnrt__bpu_inspect(file->bytes, file->size, keep_pair, t);
}

static void tells(const char *name, const char *expected) {
    told_text t;
    bpu_bytes file = load(name);
    cr_expect(ask(&file, &t) == OH_NN_SUCCESS, "%s: %s", name, nnrt_last_error());
    cr_expect_str_eq(t.text, expected, "%s tells\n%snot\n%s", name, t.text, expected);
    cr_expect(nnrt__bpu_inspect(file.bytes, file.size, NULL, NULL) == OH_NN_SUCCESS, "%s", name);
    free(file.bytes);
}

#define X5 "made for: bayes-e: X5\nruntime: 3.15.55.0\ncompiler: 3.49.15\n"
#define X3 "made for: bernoulli2: X3\nruntime: 3.13.27\ncompiler: 3.27.4\n"

Test(bpu_file, a_bin_tells_its_bpu_its_versions_and_its_tensors_each_with_a_type_of_its_own) {
    tells("x5.bin", "kind: Horizon .bin\n" X5 "builder: 1.24.3\nmodels: 1\n"
                    "model 0: detector, 1 input, 3 outputs, 1 part for the BPU\n"
                    "input 0.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                    "output 0.0: output0: float32, 1 x 8 x 12 x 19\n"
                    "output 0.1: 318: int32, 1 x 10\n"
                    "output 0.2: argmax: int8, a scalar\n");
}

Test(bpu_file, inputs_tell_what_picture_they_are_and_where_they_come_from) {
    tells("x3.bin", "kind: Horizon .bin\n" X3 "builder: 1.6.8\nmodels: 1\n"
                    "model 0: words, 3 inputs, 1 output, 3 parts for the BPU\n"
                    "input 0.0: image_l: gray, 1 x 28 x 28 x 1, from the pyramid\n"
                    "input 0.1: fbank: float32, 1 x 1 x 40 x 100, from memory\n"
                    "input 0.2: crop: nv12, 1 x 128 x 64 x 3, from the resizer\n"
                    "output 0.0: output0: float32, 1 x 8 x 12 x 19\n");
}

Test(bpu_file, a_packed_file_tells_each_model_and_which_have_one_name) {
    tells("packed.bin", "kind: Horizon .bin\n" X5 "builder: 1.24.3\nmodels: 2\n"
                        "model 0: detector, 1 input, 3 outputs, 1 part for the BPU\n"
                        "input 0.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                        "output 0.0: output0: float32, 1 x 8 x 12 x 19\n"
                        "output 0.1: 318: int32, 1 x 10\n"
                        "output 0.2: argmax: int8, a scalar\n"
                        "model 1: words, 1 input, 1 output, 1 part for the BPU\n"
                        "input 1.0: fbank: float32, 1 x 1 x 40 x 100, from memory\n"
                        "output 1.0: 318: int32, 1 x 10\n");
    tells("twins.bin", "kind: Horizon .bin\n" X5 "builder: 1.24.3\nmodels: 2\n"
                       "model 0: detector, 1 input, 1 output, 1 part for the BPU\n"
                       "input 0.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                       "output 0.0: output0: float32, 1 x 8 x 12 x 19\n"
                       "model 1: detector, 1 input, 1 output, 1 part for the BPU; model 0 has the same name\n"
                       "input 1.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                       "output 1.0: output0: float32, 1 x 8 x 12 x 19\n");
}

Test(bpu_file, a_bin_without_a_part_for_the_bpu_tells_what_its_table_says) {
    tells("cpu.bin", "kind: Horizon .bin\nmade for: bayes: J5 and RDK Ultra\nruntime: 3.15.55.0\ncompiler: 3.49.15\n"
                     "builder: 1.24.3\nmodels: 1\n"
                     "model 0: plain, 1 input, 1 output, 0 parts for the BPU\n"
                     "input 0.0: fbank: float32, 1 x 1 x 40 x 100, from memory\n"
                     "output 0.0: output0: float32, 1 x 8 x 12 x 19\n");
}

Test(bpu_file, a_hbm_tells_its_models_and_what_is_stored_of_a_tensor) {
    tells("x5.hbm", "kind: Horizon .hbm\n" X5 "models: 3\n"
                    "model 0: stereo, 1 input, 2 outputs, 1 part for the BPU\n"
                    "input 0.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                    "output 0.0: boxes_quantized: int32, 1 x 8 x 12 x 19, stored as 1 x 8 x 12 x 32\n"
                    "output 0.1: half: int16, 1 x 1 x 8400 x 22, stored as 1 x 1 x 8400 x 32\n"
                    "model 1: words, 1 input, 1 output, 1 part for the BPU\n"
                    "input 1.0: in: int8, 1 x 1 x 1 x 8, stored as 1 x 1 x 1 x 8, from memory\n"
                    "output 1.0: half: int16, 1 x 1 x 8400 x 22, stored as 1 x 1 x 8400 x 32\n"
                    "model 2: stereo, 1 input, 1 output, 1 part for the BPU; model 0 has the same name\n"
                    "input 2.0: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                    "output 2.0: scores_quantized: int32, 1 x 1 x 1 x 10, stored as 1 x 1 x 8 x 10\n");
    tells("j5.hbm", "kind: Horizon .hbm\nmade for: bayes: J5 and RDK Ultra\nruntime: 3.15.55.0\ncompiler: 3.49.15\n"
                    "models: 1\nmodel 0: lanes, 2 inputs, 1 output, 1 part for the BPU\n"
                    "input 0.0: crop: int8, 1 x 128 x 64 x 3, stored as 1 x 128 x 64 x 3, from the resizer\n"
                    "input 0.1: images: nv12, 1 x 64 x 96 x 3, from the pyramid\n"
                    "output 0.0: boxes_quantized: int32, 1 x 8 x 12 x 19, stored as 1 x 8 x 12 x 32\n");
}

#define UCP(chip) "kind: Horizon .hbm of the UCP libraries\nmade for: " chip "\nmodels: only the library can say\n"

Test(bpu_file, a_hbm_of_s100_and_s600_tells_its_bpu_where_just_one_is_named) {
    tells("s100.hbm", UCP("nash-e: S100"));
    tells("s600.hbm", UCP("nash-p: S600"));
    tells("several.hbm", UCP("not told: S100, S100P or S600"));
    tells("untold.hbm", UCP("not told: S100, S100P or S600"));
}

Test(bpu_file, what_is_not_printable_in_a_name_is_told_as_a_question_mark) {
    told_text t;
    bpu_bytes file = load("x5.bin");
    memcpy(file.bytes + find_text(&file, "output0"), "\x1b[3\xff\n \x7f", 7);
    memcpy(file.bytes + find_text(&file, "detector"), "de\0ector", 8);
    cr_assert(ask(&file, &t) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_not_null(strstr(t.text, "output 0.0: ?[3????: float32"), "%s", t.text);
    cr_expect_not_null(strstr(t.text, "model 0: de?ector, "), "%s", t.text);
    free(file.bytes);
}

Test(bpu_file, an_odd_address_changes_nothing_and_neither_do_bytes_behind_a_hbm) {
    static const char *const names[] = {"x5.hbm", "packed.bin", "s600.hbm"};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(names); i++) {
        told_text first, second;
        bpu_bytes file = load(names[i]), moved;
        const size_t behind = i == 0 ? 7 : 0;
        cr_assert(ask(&file, &first) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        moved.size = file.size + behind;
        moved.bytes = (uint8_t *)malloc(moved.size + 1);
        memset(moved.bytes, 0xa5, moved.size + 1);
        memcpy(++moved.bytes, file.bytes, file.size);
        cr_expect(ask(&moved, &second) == OH_NN_SUCCESS, "%s: %s", names[i], nnrt_last_error());
        cr_expect_str_eq(first.text, second.text);
        free(moved.bytes - 1);
        free(file.bytes);
    }
}

Test(bpu_file, files_of_others_are_none_of_horizons) {
    static const char elf[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\267\0";
    uint8_t program[4096];
    size_t i;
    memset(program, 0, sizeof(program));
    memcpy(program, elf, sizeof(elf));
    cr_expect_eq(nnrt__bpu_inspect(program, sizeof(program), NULL, NULL), OH_NN_UNSUPPORTED);
    cr_expect_eq(nnrt__bpu_inspect("\x08\x07\x12\x07pytorch\x1a\x05", 14, NULL, NULL), OH_NN_UNSUPPORTED);
    cr_expect_eq(nnrt__bpu_inspect("*\x04\x0a\x02hi", 6, NULL, NULL), OH_NN_UNSUPPORTED);
    for (i = 0; i < 16; i++)
        cr_expect_eq(nnrt__bpu_inspect("#X2Ahbm#########", i, NULL, NULL), OH_NN_UNSUPPORTED, "%zu", i);
}

/* ------------------------------------------------------------------------------------------- files of 5 GiB */

/* begin, 5 GiB that nobody wrote, end: a file that takes some pages of a disk. */
static void tells_of_gigabytes(const bpu_bytes *begin, const bpu_bytes *end, const char *expected) {
    char path[] = "/tmp/nnrt-bpu-XXXXXX";
    const int fd = mkstemp(path);
    const off_t gap = (off_t)((uint64_t)5 << 30);
    nnrt__mapping mapping;
    told_text t;
    memset(&t, 0, sizeof(t));
    cr_assert_geq(fd, 0);
    if (pwrite(fd, begin->bytes, begin->size, 0) == (ssize_t)begin->size &&
        pwrite(fd, end->bytes, end->size, (off_t)begin->size + gap) == (ssize_t)end->size) {
        cr_assert_null(nnrt__take_file(path, false, &mapping));
        cr_expect(nnrt__bpu_inspect(mapping.data, mapping.size, keep_pair, &t) == OH_NN_SUCCESS, "%s",
                  nnrt_last_error());
        cr_expect_not_null(strstr(t.text, expected), "%s", t.text);
        nnrt__unmap_file(&mapping);
    }
    (void)close(fd);
    (void)unlink(path);
}

Test(bpu_file, files_of_more_than_4_gib_are_read_without_reading_all_of_them) {
    bpu_bytes begin, end;
    size_t table;
    if (sizeof(size_t) == 4 || sizeof(off_t) == 4) cr_skip_test("skipped, no file of 5 GiB can be mapped");
    begin = load("s100.hbm"); /* its sections are moved to the end */
    table = (size_t)nnrt__read_u32(begin.bytes + 40);
    end = copy_of(begin.bytes + table, begin.size - table);
    put(begin.bytes + 40, (uint64_t)begin.size + ((uint64_t)5 << 30), 8);
    tells_of_gigabytes(&begin, &end, "made for: nash-e: S100\n");
    free(begin.bytes);
    free(end.bytes);
}

/* ------------------------------------------------------------------------------------------------ the board */

Test(bpu_file, a_file_is_compared_with_the_board_before_the_library_sees_it) {
    static const struct {
        const char *file;
        bool is_ucp;
        const char *march;
        const char *piece, *other; /* of the sentence; NULL: it is taken */
    } boards[] = {
        {"x5.bin", false, "bayes-e", NULL, NULL},
        {"x5.bin", false, NULL, NULL, NULL},
        {"x5.bin", false, "bayes", "for X5 (march bayes-e)", "this board is J5 and RDK Ultra (bayes)"},
        {"j5.hbm", false, "bayes-e", "for J5 and RDK Ultra (march bayes)", "compile it again with march bayes-e"},
        {"x3.hbm", false, "bernoulli2", NULL, NULL},
        {"x3.bin", false, "bayes-e", "for X3 (march bernoulli2)", "this board is X5 (bayes-e)"},
        {"x3.bin", false, "tomorrow", "for X3 (march bernoulli2)", "this board is another chip (tomorrow)"},
        {"cpu.bin", false, "bayes-e", "for J5 and RDK Ultra", "X5"},
        {"x5.bin", true, "nash-e", "for X5, and this board's library is that of S100 and S600", "march nash-e"},
        {"x5.hbm", true, NULL, "for X5, and this board's library is that of S100 and S600", "again for this board"},
        {"s100.hbm", false, "bayes-e", "for S100, and this board's library is that of X3, J5 and X5", "march bayes-e"},
        {"untold.hbm", false, NULL, "for S100 or S600, and this board's", "again for this board"},
        {"s100.hbm", true, "nash-e", NULL, NULL},
        {"s100.hbm", true, NULL, NULL, NULL},
        {"s600.hbm", true, "nash-e", "for S600 (march nash-p)", "this board is S100 (nash-e)"},
        {"s100.hbm", true, "nash-m", "for S100 (march nash-e)", "this board is S100P (nash-m)"},
        {"untold.hbm", true, "nash-e", NULL, NULL},
        {"several.hbm", true, "nash-p", NULL, NULL},
    };
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(boards); i++) {
        bpu_bytes bytes = load(boards[i].file);
        nnrt__bpu_file file;
        OH_NN_ReturnCode code = nnrt__bpu_file_read(bytes.bytes, bytes.size, &file);
        cr_assert(code == OH_NN_SUCCESS, "%s: %s", boards[i].file, nnrt_last_error());
        code = nnrt__bpu_file_check_board(&file, boards[i].is_ucp, boards[i].march);
        if (boards[i].piece == NULL) cr_expect(code == OH_NN_SUCCESS, "row %zu: %s", i, nnrt_last_error());
        else
            cr_expect(code == OH_NN_INVALID_FILE && strstr(nnrt_last_error(), boards[i].piece) != NULL &&
                          strstr(nnrt_last_error(), boards[i].other) != NULL,
                      "row %zu, code %d: %s", i, (int)code, nnrt_last_error());
        free(bytes.bytes);
    }
}

/* What nine libraries of X3, J5, Ultra and X5 did with files whose numbers were changed. */
Test(bpu_file, versions_from_3_4_on_are_taken_however_new_and_no_others) {
    static const struct {
        uint32_t major, minor;
        bool is_taken;
    } versions[] = {{3, 15, true}, {3, 99, true},  {3, 0xffffffffu, true}, {3, 4, true},  {3, 3, false},
                    {3, 0, false}, {4, 15, false}, {2, 15, false},         {33, 5, false}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(versions); i++) {
        bpu_bytes bytes = load("x5.bin");
        const size_t image = find_text(&bytes, "#B2Ehbm");
        char told[32];
        nnrt__bpu_file file;
        OH_NN_ReturnCode code;
        put(bytes.bytes + image + 16, versions[i].major, 4);
        put(bytes.bytes + image + 20, versions[i].minor, 4);
        cr_assert(nnrt__bpu_file_read(bytes.bytes, bytes.size, &file) == OH_NN_SUCCESS, "%s", nnrt_last_error());
        code = nnrt__bpu_file_check_board(&file, false, "bayes-e");
        (void)snprintf(told, sizeof(told), "runtime %u.%u.55", (unsigned)versions[i].major,
                       (unsigned)versions[i].minor);
        cr_expect_eq(code, versions[i].is_taken ? OH_NN_SUCCESS : OH_NN_INVALID_FILE, "%s", told);
        if (!versions[i].is_taken) cr_expect_not_null(strstr(nnrt_last_error(), told), "%s", nnrt_last_error());
        free(bytes.bytes);
    }
}

Test(bpu_file, no_two_kinds_of_bpu_have_a_name_or_letters_in_common) {
    const nnrt__bpu_march *a, *b;
    size_t i, k;
    for (i = 0; (a = nnrt__bpu_march_at(i)) != NULL; i++) {
        cr_expect_eq(nnrt__bpu_march_named(a->name, strlen(a->name)), a);
        cr_expect(a->is_ucp == (a->letters == NULL), "%s", a->name);
        if (a->letters != NULL) cr_expect_eq(nnrt__bpu_march_of_letters(a->letters), a);
        for (k = 0; k < i; k++) {
            b = nnrt__bpu_march_at(k);
            cr_expect_str_neq(a->name, b->name);
            cr_expect(a->letters == NULL || b->letters == NULL || strcmp(a->letters, b->letters) != 0, "%s", a->name);
        }
    }
    cr_expect_null(nnrt__bpu_march_named("bayes-", 6));
    cr_expect_null(nnrt__bpu_march_of_letters("ABC"));
}

/* --------------------------------------------------------------------------------------------- damaged files */

static void refused(const bpu_bytes *file, const char *what, const char *piece, const char *other) {
    told_text t;
    const OH_NN_ReturnCode code = ask(file, &t);
    cr_expect(code == OH_NN_INVALID_FILE && t.used == 0, "%s: code %d, told %s", what, (int)code, t.text);
    cr_expect(strstr(nnrt_last_error(), piece) != NULL && strstr(nnrt_last_error(), other) != NULL,
              "%s: \"%s\" is not in \"%s\"", what, piece, nnrt_last_error());
    cr_expect(strlen(nnrt_last_error()) + 1 < NNRT__SENTENCE_SIZE, "%s: %s", what, nnrt_last_error());
}

/* Behind its graph a .bin has a table only: whether that is missing, nobody can tell. */
static size_t end_of_graph(const bpu_bytes *file) {
    const size_t at = file->bytes[0] == 0x08 ? 5 : 1;
    cr_assert(file->bytes[at] >= 128 && file->bytes[at + 1] < 128, "a length of two bytes");
    return at + 2 + (file->bytes[at] & 127u) + ((size_t)file->bytes[at + 1] << 7);
}

Test(bpu_file, a_file_that_ends_anywhere_is_refused) {
    size_t i, size, whole_graphs = 0;
    for (i = 0; i < NNRT__COUNT_OF(seeds); i++) {
        bpu_bytes whole = load(seeds[i]);
        const bool is_bin = strstr(seeds[i], ".bin") != NULL, is_elf = whole.bytes[0] == 0x7f;
        for (size = 0; size < whole.size; size++) {
            bpu_bytes file = copy_of(whole.bytes, size);
            told_text t;
            const OH_NN_ReturnCode code = ask(&file, &t);
            if (code == OH_NN_SUCCESS) {
                cr_expect(is_bin && size >= end_of_graph(&whole), "%s, %zu bytes", seeds[i], size);
                whole_graphs++;
            } else if (size < 16 || is_elf || (is_bin && whole.bytes[0] == 0x2a && size < end_of_graph(&whole))) {
                cr_expect(code == OH_NN_UNSUPPORTED || code == OH_NN_INVALID_FILE, "%s, %zu bytes", seeds[i], size);
            } else {
                cr_expect(code == OH_NN_INVALID_FILE && t.used == 0, "%s, %zu bytes: %d", seeds[i], size, (int)code);
                cr_expect(strstr(nnrt_last_error(), "cut off") != NULL || strcmp(seeds[i], "mixed.bin") == 0,
                          "%s, %zu bytes: %s", seeds[i], size, nnrt_last_error());
            }
            free(file.bytes);
        }
        free(whole.bytes);
    }
    cr_expect_eq(whole_graphs, 11, "%zu files without a table, or without the last model", whole_graphs);
}

Test(bpu_file, no_changed_byte_anywhere_makes_more_than_a_refusal_or_another_text) {
    size_t i, at, taken = 0, all = 0;
    int value;
    for (i = 0; i < NNRT__COUNT_OF(seeds); i++) {
        bpu_bytes file = load(seeds[i]);
        for (at = 0; at < file.size; at++) {
            const uint8_t was = file.bytes[at];
            for (value = 0; value < 2; value++) {
                told_text t;
                OH_NN_ReturnCode code;
                file.bytes[at] = (uint8_t)(value == 0 ? was ^ 1u << at % 8 : 0xffu);
                code = ask(&file, &t);
                cr_expect(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE || code == OH_NN_UNSUPPORTED,
                          "%s, byte %zu: %d", seeds[i], at, (int)code);
                cr_expect((t.used != 0) == (code == OH_NN_SUCCESS), "%s, byte %zu", seeds[i], at);
                taken += code == OH_NN_SUCCESS;
                all++;
            }
            file.bytes[at] = was;
        }
        free(file.bytes);
    }
    cr_expect_lt(taken, all * 4 / 5, "%zu of %zu", taken, all);
}

Test(bpu_file, changed_instructions_and_weights_are_noticed_by_their_checksums) {
    static const char *const names[] = {"x5.hbm", "packed.bin"};
    static const char *const parts[] = {"BPU code", "weights"};
    static const char *const words[] = {"checksum of instructions is 0x", "checksum of weights is 0x"};
    size_t i, k;
    for (i = 0; i < 4; i++) {
        bpu_bytes file = load(names[i / 2]);
        const size_t at = find_text(&file, parts[i % 2]);
        for (k = 0; k < strlen(parts[i % 2]); k++) {
            file.bytes[at + k] ^= (uint8_t)(1u << k);
            refused(&file, names[i / 2], words[i % 2], "and the bytes give 0x");
            cr_expect(nnrt__bpu_inspect(file.bytes, file.size, NULL, NULL) == OH_NN_SUCCESS,
                      "whose it is, is asked often, and reads no weights");
            file.bytes[at + k] ^= (uint8_t)(1u << k);
        }
        free(file.bytes);
    }
}

/* Of several models in one file the first damaged one is told, whatever comes behind it, and none before it is. */
Test(bpu_file, damage_in_any_model_of_a_packed_file_is_noticed) {
    bpu_bytes file = load("packed.bin");
    nnrt__bpu_file read;
    size_t at = 0, found = 0;
    cr_assert_eq(nnrt__bpu_file_read(file.bytes, file.size, &read), OH_NN_SUCCESS);
    cr_assert_gt(read.models, 1);
    cr_assert_eq(nnrt__bpu_file_check_sums(&read), OH_NN_SUCCESS);
    for (at = 0; at + 8 <= file.size; at++) {
        if (memcmp(file.bytes + at, "BPU code", 8) != 0) continue;
        found++;
        file.bytes[at] ^= 1;
        cr_assert_eq(nnrt__bpu_file_read(file.bytes, file.size, &read), OH_NN_SUCCESS);
        cr_expect_eq(nnrt__bpu_file_check_sums(&read), OH_NN_INVALID_FILE, "number %zu", found);
        cr_expect_not_null(strstr(nnrt__sentence(), "checksum of instructions"), "%s", nnrt__sentence());
        file.bytes[at] ^= 1;
    }
    cr_expect_gt(found, 1, "%zu", found);
    free(file.bytes);
}

/* A zero behind the bytes is not their end. */
Test(bpu_file, a_text_ends_inside_its_bytes_or_is_none) {
    static const uint8_t bytes[] = "ab\0cd";
    static const struct {
        uint64_t size, at;
        int length; /* -1: none */
    } rows[] = {{5, 0, 2}, {5, 1, 1}, {5, 2, 0},  {5, 3, -1}, {5, 4, -1},          {5, 5, -1},
                {6, 3, 2}, {6, 5, 0}, {6, 6, -1}, {2, 0, -1}, {5, UINT64_MAX, -1}, {0, 0, -1}};
    uint8_t *exact;
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        nnrt__bpu_text text;
        const bool is = nnrt__bpu_take_text(bytes, rows[i].size, rows[i].at, &text);
        cr_expect_eq(is, rows[i].length >= 0, "row %zu", i);
        if (is) cr_expect_eq(text.length, (size_t)rows[i].length, "row %zu", i);
    }
    exact = (uint8_t *)malloc(NNRT__BPU_MAX_NAME + 1);
    cr_assert_not_null(exact);
    memset(exact, 'a', NNRT__BPU_MAX_NAME);
    exact[NNRT__BPU_MAX_NAME] = '\0';
    for (i = 0; i < 2; i++) { /* one character too long, then as long as a name may be */
        nnrt__bpu_text text;
        cr_expect_eq(nnrt__bpu_take_text(exact, NNRT__BPU_MAX_NAME + 1, i, &text), i == 1);
    }
    free(exact);
}

typedef struct damage {
    const char *file;
    size_t at;
    uint32_t width;
    uint64_t value;
    const char *piece, *other; /* of the sentence */
} damage;

enum { /* in x3.hbm: its only model and, from there, its tensors and its list of inputs */
    MODEL = 16 + 184,
    LISTS = MODEL + 0x140,
    TENSORS = LISTS + 16
};

static const damage damages[] = {
    {"x3.hbm", 104, 4, 184, "its table begins at byte 184", "has to at 168"},
    {"x3.hbm", 108, 4, 0xffffffffu, "it has 832 bytes", "speaks of 4294967311"},
    {"x3.hbm", 108, 4, 817, "it has 832 bytes", "speaks of 833"},
    {"x3.hbm", 108, 4, 183, "it has 1 models in 199 bytes", "1 to 256"},
    {"x3.hbm", 108, 4, 600, "model 0 of 1 does not lie within its 616 bytes", "damaged"},
    {"x3.hbm", 112, 4, 0, "it has 0 models", "1 to 256"},
    {"x3.hbm", 112, 4, 257, "it has 257 models", "1 to 256"},
    {"x3.hbm", 112, 4, 256, "it has 256 models", "in 832 bytes"},
    {"x3.hbm", 112, 4, 0xffffffffu, "it has 4294967295 models", "1 to 256"},
    {"x3.hbm", 184, 8, 0xffffffffffffffffu, "model 0 of 1", "does not lie within"},
    {"x3.hbm", 184, 8, 0xfffffffffffffff0u, "model 0 of 1", "does not lie within"},
    {"x3.hbm", 184, 8, 816, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 128, 4, 0xffffffffu, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 228, 4, 0xffffffffu, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 228, 4, 1, "output 0 of model 0", "does not lie within"},
    {"x3.hbm", MODEL + 224, 4, 0xffffff00u, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 272, 4, 0xfffffff8u, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 276, 4, 257, "model 0 of 1", "does not lie within"},
    {"x3.hbm", MODEL + 284, 4, 0xffffffffu, "model 0 of 1", "does not lie within"},
    {"x3.hbm", LISTS, 8, 2, "input 0 of model 0", "does not lie within"},
    {"x3.hbm", LISTS + 8, 8, 0x8000000000000000u, "output 0 of model 0", "does not lie within"},
    {"x3.hbm", TENSORS, 4, 0xfffffff0u, "input 0 of model 0", "does not lie within"},
    {"x3.hbm", TENSORS + 100, 4, 0x7fffffffu, "output 0 of model 0", "does not lie within"},
    {"x3.hbm", MODEL + 172, 4, 0xffffffffu, "4294967295 bytes from byte", "of model 0 do not lie within it"},
    {"x3.hbm", MODEL + 188, 4, 0xffffffffu, "7 bytes from byte 4294967295", "of model 0 do not lie within it"},
    {"s100.hbm", 58, 2, 40, "", ""}, /* rows of another size: no .horizon section can be found */
    {"s100.hbm", 62, 2, 6, "", ""},
    {"s100.hbm", 40, 8, 0xffffffffffffffc0u, "", ""},
};

Test(bpu_file, what_is_wrong_is_told_with_both_sides) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(damages); i++) {
        const damage *d = &damages[i];
        char what[64];
        bpu_bytes file = load(d->file);
        (void)snprintf(what, sizeof(what), "%s, %llx at %zu", d->file, (unsigned long long)d->value, d->at);
        put(file.bytes + d->at, d->value, d->width);
        if (d->piece[0] != '\0') refused(&file, what, d->piece, d->other);
        else cr_expect_eq(nnrt__bpu_inspect(file.bytes, file.size, NULL, NULL), OH_NN_UNSUPPORTED, "%s", what);
        free(file.bytes);
    }
}

Test(bpu_file, a_section_that_leaves_the_file_damages_it) {
    bpu_bytes file = load("s100.hbm");
    const size_t table = (size_t)nnrt__read_u32(file.bytes + 40);
    put(file.bytes + table + 4 * 64 + 32, 0xffffffffffffffffu, 8); /* length of the fourth */
    refused(&file, "s100.hbm", "its section 4 of 6 does not lie within", "608 bytes");
    free(file.bytes);
}

Test(bpu_file, a_section_that_has_no_bytes_in_the_file_is_passed_over) {
    bpu_bytes file = load("s100.hbm");
    const size_t table = (size_t)nnrt__read_u32(file.bytes + 40);
    put(file.bytes + table + 4 * 64 + 4, 8, 4); /* SHT_NOBITS */
    put(file.bytes + table + 4 * 64 + 32, 0xffffffffu, 8);
    cr_expect_eq(nnrt__bpu_inspect(file.bytes, file.size, NULL, NULL), OH_NN_SUCCESS, "%s", nnrt_last_error());
    free(file.bytes);
}

/* The only model of x3.hbm so many times, with so many inputs, all of which are its first. */
static bpu_bytes repeated(uint32_t models, uint32_t inputs) {
    bpu_bytes one = load("x3.hbm"), file;
    const size_t begin = 184 + (size_t)models * 16, length = one.size - MODEL, list = begin + length;
    uint32_t i;
    file.size = list + (size_t)inputs * 8;
    file.bytes = (uint8_t *)calloc(file.size, 1);
    cr_assert_not_null(file.bytes);
    memcpy(file.bytes, one.bytes, 184);
    memcpy(file.bytes + begin, one.bytes + MODEL, length);
    put(file.bytes + 108, file.size - 16, 4);
    put(file.bytes + 112, models, 4);
    for (i = 0; i < models; i++) put(file.bytes + 184 + (size_t)i * 8, begin - 16, 8);
    put(file.bytes + begin + 272, length, 4);
    put(file.bytes + begin + 276, inputs, 4);
    free(one.bytes);
    return file;
}

Test(bpu_file, a_hbm_has_at_most_256_models_of_at_most_256_inputs) {
    static const struct {
        uint32_t models, inputs;
        const char *piece; /* NULL: it is taken */
    } rows[] = {{256, 1, NULL}, {257, 1, "it has 257 models"}, {1, 256, NULL}, {2, 257, "model 0 of 2"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        bpu_bytes file = repeated(rows[i].models, rows[i].inputs);
        if (rows[i].piece != NULL) refused(&file, rows[i].piece, rows[i].piece, "the .hbm file is damaged");
        else cr_expect_eq(nnrt__bpu_inspect(file.bytes, file.size, NULL, NULL), OH_NN_SUCCESS, "%s", nnrt_last_error());
        free(file.bytes);
    }
}

Test(bpu_file, models_of_two_bpus_in_one_file_are_refused) {
    bpu_bytes file = load("mixed.bin");
    refused(&file, "mixed.bin", "B2E and B25", "pack those of one");
    free(file.bytes);
}

/* ------------------------------------------------------------------------------------------- files made here */

/* A message of protobuf that grows. */
typedef struct message {
    uint8_t *bytes;
    size_t size, room;
} message;

static void add_byte(message *m, uint8_t byte) {
    if (m->size == m->room) {
        m->room = m->room * 2 + 64;
        m->bytes = (uint8_t *)realloc(m->bytes, m->room);
        cr_assert_not_null(m->bytes);
    }
    m->bytes[m->size++] = byte;
}

static void add_varint(message *m, uint64_t value) {
    for (; value > 127; value >>= 7) add_byte(m, (uint8_t)(value | 128));
    add_byte(m, (uint8_t)value);
}

static void add_text(message *m, const void *bytes, size_t size) {
    size_t i;
    for (i = 0; i < size; i++) add_byte(m, ((const uint8_t *)bytes)[i]);
}

static void add(message *m, uint32_t id, const void *bytes, size_t size) {
    add_varint(m, (uint64_t)id << 3 | 2);
    add_varint(m, size);
    add_text(m, bytes, size);
}

static void add_message(message *m, uint32_t id, message *part) {
    add(m, id, part->bytes, part->size);
    free(part->bytes);
    memset(part, 0, sizeof(*part));
}

static void add_tensor(message *graph, uint32_t id, const char *name, uint32_t dims) {
    message tensor = {NULL, 0, 0}, type = {NULL, 0, 0};
    uint8_t sizes[32];
    memset(sizes, 2, sizeof(sizes));
    add_varint(&type, 1 << 3);
    add_varint(&type, 1);
    add(&type, 2, sizes, dims);
    add(&tensor, 1, name, strlen(name));
    add_message(&tensor, 2, &type);
    add_message(graph, id, &tensor);
}

/* A graph for the CPU alone with so many inputs of so many dimensions, and nodes. */
static void add_graph(message *file, uint32_t inputs, uint32_t dims, uint32_t nodes) {
    message graph = {NULL, 0, 0};
    uint32_t i;
    add(&graph, 2, "made", 4);
    for (i = 0; i < nodes; i++) add(&graph, 1, "", 0);
    for (i = 0; i < inputs; i++) add_tensor(&graph, 4, "in", dims);
    add_tensor(&graph, 5, "out", 1);
    add_message(file, 5, &graph);
}

static message begin(void) {
    static const uint8_t versions[4] = {8, 1, 16, 1};
    message file = {NULL, 0, 0};
    size_t i;
    for (i = 0; i < sizeof(versions); i++) add_byte(&file, versions[i]);
    return file;
}

/* Makes graphs of one size and asks. */
static OH_NN_ReturnCode asked(uint32_t graphs, uint32_t inputs, uint32_t dims, uint32_t nodes) {
    message file = begin();
    bpu_bytes exact;
    nnrt__bpu_file read;
    OH_NN_ReturnCode code;
    uint32_t i;
    for (i = 0; i < graphs; i++) add_graph(&file, inputs, dims, nodes);
    exact = copy_of(file.bytes, file.size);
    free(file.bytes);
    code = nnrt__bpu_file_read(exact.bytes, exact.size, &read);
    if (code == OH_NN_SUCCESS) cr_expect_eq(read.models, graphs);
    free(exact.bytes);
    return code;
}

Test(bpu_file, as_much_as_is_allowed_is_taken_and_one_more_is_not) {
    static const struct {
        uint32_t graphs, inputs, dims, nodes;
        const char *piece; /* NULL: it is taken */
    } rows[] = {{1, 1, 8, 0, NULL},
                {1, 1, 9, 0, "its graph 0 is no list"},
                {1, 256, 1, 0, NULL},
                {1, 257, 1, 0, "its graph 0 is no list"},
                {64, 1, 1, 0, NULL},
                {65, 1, 1, 0, "more than 64 models"},
                {1, 1, 1, 65529, NULL},
                {1, 1, 1, 65534, "its graph 0 is no list of up to 65536 nodes"},
                {3, 1, 1, 30000, "a list of more than 65536 parts"},
                {1, 1, 1, 65530, "a list of more than 65536 parts"},
                {1, 0, 1, 0, "its graph 0 has 0 inputs and 1 outputs"}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        const OH_NN_ReturnCode code = asked(rows[i].graphs, rows[i].inputs, rows[i].dims, rows[i].nodes);
        if (rows[i].piece == NULL) cr_expect(code == OH_NN_SUCCESS, "row %zu: %s", i, nnrt_last_error());
        else
            cr_expect((code == OH_NN_INVALID_FILE) && strstr(nnrt_last_error(), rows[i].piece) != NULL,
                      "row %zu, code %d: %s", i, (int)code, nnrt_last_error());
    }
}

Test(bpu_file, numbers_and_lengths_of_64_bits_are_read_or_refused_and_never_added_up) {
    static const struct {
        const char *bytes;
        size_t size;
    } ends[] = {{"\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}, /* a length of 2^64-1 */
                {"\x2a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10},     /* of 2^63-1 */
                {"\x2a\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 12},
                {"\x2a\xff\xff\xff\xff\x0f", 6},
                {"\x00\x00", 2},                                      /* field 0 */
                {"\x2b\x00", 2},                                      /* a group */
                {"\xfa\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 11}, /* a field of 60 bits */
                {"\x29\x00\x00", 3},                                  /* 8 bytes, of which 2 are there */
                {"\x08", 1}};
    size_t i, k;
    for (i = 0; i < NNRT__COUNT_OF(ends); i++) {
        message file = begin();
        bpu_bytes exact;
        nnrt__bpu_file read;
        add_graph(&file, 1, 1, 0);
        for (k = 0; k < ends[i].size; k++) add_byte(&file, (uint8_t)ends[i].bytes[k]);
        exact = copy_of(file.bytes, file.size);
        free(file.bytes);
        cr_expect_eq(nnrt__bpu_file_read(exact.bytes, exact.size, &read), OH_NN_INVALID_FILE, "row %zu", i);
        cr_expect(strstr(nnrt_last_error(), "cut off") != NULL, "row %zu: %s", i, nnrt_last_error());
        free(exact.bytes);
    }
}

Test(bpu_file, a_constant_of_more_than_4_gib_is_passed_over) {
    const uint64_t gap = (uint64_t)5 << 30;
    message constant = {NULL, 0, 0}, end = {NULL, 0, 0}, file = begin();
    bpu_bytes first, second;
    if (sizeof(size_t) == 4 || sizeof(off_t) == 4) cr_skip_test("skipped, no file of 5 GiB can be mapped");
    add_tensor(&end, 4, "in", 2);
    add_tensor(&end, 5, "out", 1);
    add_varint(&constant, 5 << 3 | 2); /* the bytes of a constant: all of the gap */
    add_varint(&constant, gap);
    add_varint(&file, 5 << 3 | 2);
    add_varint(&file, 1 + 5 + constant.size + gap + end.size); /* the graph */
    add_varint(&file, 3 << 3 | 2);
    add_varint(&file, constant.size + gap);
    add_text(&file, constant.bytes, constant.size);
    first.bytes = file.bytes;
    first.size = file.size;
    second.bytes = end.bytes;
    second.size = end.size;
    tells_of_gigabytes(&first, &second, "input 0.0: in: float32, 2 x 2\n");
    free(constant.bytes);
    free(file.bytes);
    free(end.bytes);
}

Test(bpu_file, a_dimension_as_large_as_a_number_can_be_is_told) {
    message file = begin(), graph = {NULL, 0, 0}, tensor = {NULL, 0, 0}, type = {NULL, 0, 0};
    bpu_bytes exact;
    told_text t;
    add_varint(&type, 2 << 3);
    add_varint(&type, 0x7fffffffffffffffu);
    add_varint(&type, 2 << 3);
    add_varint(&type, 0xffffffffffffffffu);
    add(&tensor, 1, "x", 1);
    add_message(&tensor, 2, &type);
    add(&graph, 5, tensor.bytes, tensor.size);
    add_message(&graph, 4, &tensor);
    add_message(&file, 5, &graph);
    exact = copy_of(file.bytes, file.size);
    free(file.bytes);
    cr_assert(ask(&exact, &t) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_not_null(strstr(t.text, "input 0.0: x: type not known, 9223372036854775807 x -1\n"), "%s", t.text);
    cr_expect_not_null(strstr(t.text, "model 0: -, 1 input, 1 output, 0 parts"), "%s", t.text);
    free(exact.bytes);
}

/* ------------------------------------------------------------------------------------------- the library's no */

static int32_t no_model(nnrt__bpu_handle *packed, const void *const *data, const int32_t *sizes, int32_t count) {
    *packed = (nnrt__bpu_handle)data;
    return count == 1 && sizes[0] > 0 ? NNRT__BPU_INVALID_MODEL : NNRT__BPU_INVALID_ARGUMENT;
}

/* Loads size bytes by a library that takes nothing. */
static void loads(const void *bytes, size_t size, const char *expected) {
    nnrt__bpu_device device;
    nnrt__bpu_model model;
    nnrt_request request;
    memset(&device, 0, sizeof(device));
    memset(&model, 0, sizeof(model));
    memset(&request, 0, sizeof(request));
    device.library.api.load_memory = no_model;
    model.device = &device;
    request.model = bytes;
    request.model_size = size;
    cr_expect_eq(nnrt__bpu_load_file(&model, &request), OH_NN_INVALID_FILE);
    cr_expect_null(model.packed);
    cr_expect_not_null(strstr(nnrt_last_error(), expected), "%s", nnrt_last_error());
}

Test(bpu_file, what_the_library_calls_no_model_is_looked_at_for_damage) {
    bpu_bytes file = load("x5.bin");
    loads(file.bytes, file.size, "or there is too little BPU memory for it, which looks the same (code -6000002)");
    file.bytes[find_text(&file, "weights")] ^= 1;
    loads(file.bytes, file.size, "the .hbm in the .bin file is damaged: its checksum of weights is 0x");
    free(file.bytes);
}

Test(bpu_file, a_model_in_memory_of_2_gib_is_refused_as_the_library_counts_31_bits) {
    if (sizeof(size_t) > 4) loads("#X2A", (size_t)1 << 31, "2147483648 bytes, and the library takes less than 2 GiB");
}
