/* SPDX-License-Identifier: Apache-2.0 */
/* test_nnie_file.c - what a .wk tells and what is wrong with a damaged one; and that a backend with files only is no
   device.

   The files are the seeds of the fuzzer, made by tests/sim/nnie/make_wk.py. Tests change fields of them and put the
   checksum right again, or leave it wrong. Every file is malloc'd to its exact size, so that a sanitizer sees the first
   byte behind it. What nodes are is written here as the vendor's library (Hi3516CV500, 2.0.0.3) tells it of these
   files, but for the one of Hi3559AV100 and the one for the simulation, which it refuses. */
#define NNRT_IMPLEMENTATION
#define NNRT_NO_CPU
#define NNRT_BACKEND_NNIE
#include "nnrt.h"

#include <criterion/criterion.h>

#include <stdio.h>

typedef struct wk {
    uint8_t *bytes;
    size_t size;
} wk;

static wk load(const char *name) {
    char path[128];
    uint8_t block[4096];
    wk file;
    FILE *from;
    (void)snprintf(path, sizeof(path), "tests/fuzz/seeds/wk_file/%s.wk", name);
    from = fopen(path, "rb");
    cr_assert_not_null(from, "%s", path);
    file.size = fread(block, 1, sizeof(block), from);
    cr_assert(file.size > 192 && file.size < sizeof(block), "%s", path);
    (void)fclose(from);
    file.bytes = (uint8_t *)malloc(file.size);
    cr_assert_not_null(file.bytes);
    memcpy(file.bytes, block, file.size);
    return file;
}

static void put(uint8_t *to, uint32_t value, uint32_t width) {
    uint32_t i;
    for (i = 0; i < width; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* The checksum, bit by bit from its definition, over what header and payload are in the file. */
static void sum(wk *file) {
    const uint64_t end = (uint64_t)get(file->bytes + 52) + get(file->bytes + 56);
    uint32_t crc = 0;
    size_t i;
    int bit;
    if (end > file->size) return;
    for (i = 4; i < end; i++)
        for (crc ^= file->bytes[i], bit = 0; bit < 8; bit++) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
    put(file->bytes, ~crc, 4);
}

enum { /* in one_segment: the segment, its input, its output; in recurrent the first output */
    SEGMENT = 192,
    INPUT = SEGMENT + 16,
    OUTPUT = INPUT + 64,
    STATE = INPUT + 128
};

/* ------------------------------------------------------------------------------------------ what they tell */

typedef struct told {
    size_t used;
    char text[4096]; /* "label: text\n" of each pair */
} told;

static void keep_pair(void *user, const char *label, const char *text) {
    told *t = (told *)user;
    const int length = snprintf(t->text + t->used, sizeof(t->text) - t->used, "%s: %s\n", label, text);
    cr_assert(length > 0 && (size_t)length < sizeof(t->text) - t->used);
    t->used += (size_t)length;
}

static OH_NN_ReturnCode ask(const wk *file, told *t, const char **device) {
    memset(t, 0, sizeof(*t));
    return nnrt_inspect_model(file->bytes, file->size, device, keep_pair, t);
}

/* The file tells exactly this. */
static void tells(const char *name, const char *expected) {
    const char *device = NULL;
    told t;
    wk file = load(name);
    cr_expect(ask(&file, &t, &device) == OH_NN_SUCCESS, "%s: %s", name, nnrt_last_error());
    cr_expect_str_eq(t.text, expected, "%s tells\n%snot\n%s", name, t.text, expected);
    cr_expect_str_eq(device != NULL ? device : "", "nnie_hisilicon_" NNRT_VERSION);
    cr_expect(nnrt_inspect_model(file.bytes, file.size, NULL, NULL, NULL) == OH_NN_SUCCESS, "%s", name);
    free(file.bytes);
}

#define HEAD(sizes)                                                                        \
    "kind: HiSilicon .wk\n"                                                                \
    "made for: NNIE 1.2: Hi3516CV500, Hi3516DV300, Hi3516AV300, Hi3559V200, Hi3519AV100\n" \
    "mapper: 1.2.1.1.10\nmemory: " sizes " bytes for the model, 4096 for intermediate values\n"
#define ONE                                                                                                        \
    "segment 0: CNN, 1 input, 1 output, 24 bytes of instructions\ninput 0.0: data: U8, 28 x 28 x 1 channels, 896 " \
    "bytes a frame\n"

Test(nnie_file, a_model_tells_its_segments_and_what_goes_in_and_out_of_each) {
    tells("three_segments", HEAD("1376") "segments: 3\n"
                                         "segment 0: CNN, 1 input, 2 outputs, 24 bytes of instructions\n"
                                         "input 0.0: data: U8, 112 x 110 x 3 channels, 37632 bytes a frame\n"
                                         "output 0.0: conv3: S32, 27 x 27 x 8 channels, 24192 bytes a frame\n"
                                         "output 0.1: pool4: S32, 4 x 5 x 32 channels, 4096 bytes a frame\n"
                                         "segment 1: CNN, 1 input, 1 output, 32 bytes of instructions\n"
                                         "input 1.0: Inner4: S32, 1 x 64 x 1 channels, 256 bytes a frame\n"
                                         "output 1.0: Inner6: S32 vector, 10, 48 bytes a frame\n"
                                         "segment 2: CNN, 1 input, 1 output, 40 bytes of instructions\n"
                                         "input 2.0: Inner4_b: S32, 4 x 20 x 8 channels, 2560 bytes a frame\n"
                                         "output 2.0: Inner6_2: S32 vector, 10, 48 bytes a frame\n");
}

Test(nnie_file, nodes_of_one_name_are_told_apart_by_a_number) {
    tells("equal_names", HEAD("1040") "segments: 1\n"
                                      "segment 0: CNN, 1 input, 4 outputs, 24 bytes of instructions\n"
                                      "input 0.0: data: U8, 64 x 64 x 3 channels, 12288 bytes a frame\n"
                                      "output 0.0: bbox: S32, 2 x 2 x 8 channels, 256 bytes a frame\n"
                                      "output 0.1: face_rpn_cls_prob_reshape_strid#1: S32, 2 x 2 x 4 channels, "
                                      "128 bytes a frame\n"
                                      "output 0.2: face_rpn_cls_prob_reshape_strid#2: S32, 4 x 4 x 4 channels, "
                                      "256 bytes a frame\n"
                                      "output 0.3: face_rpn_cls_prob_reshape_strid#3: S32, 8 x 8 x 4 channels, "
                                      "1024 bytes a frame\n");
}

Test(nnie_file, an_input_and_an_output_of_one_name_need_no_number) {
    told t;
    wk file = load("one_segment");
    memcpy(file.bytes + OUTPUT + 16, file.bytes + INPUT + 16, 32);
    sum(&file);
    cr_assert(ask(&file, &t, NULL) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_not_null(strstr(t.text, "input 0.0: data: U8"), "%s", t.text);
    cr_expect_not_null(strstr(t.text, "output 0.0: data: S32 vector"), "%s", t.text);
    free(file.bytes);
}

Test(nnie_file, a_name_ends_after_31_characters) {
    tells("long_name", HEAD("704") "segments: 1\n" ONE
                                   "output 0.0: a_name_of_thirty_two_characters: S32 vector, 4, 16 bytes a frame\n");
}

Test(nnie_file, pictures_of_luma_and_chroma_have_their_own_sizes) {
    tells("luma_chroma", HEAD("976") "segments: 2\n"
                                     "segment 0: CNN, 1 input, 1 output, 24 bytes of instructions\n"
                                     "input 0.0: data: YVU420SP, 64 x 48 x 3 channels, 4608 bytes a frame\n"
                                     "output 0.0: prob: S32 vector, 10, 48 bytes a frame\n"
                                     "segment 1: CNN, 1 input, 1 output, 32 bytes of instructions\n"
                                     "input 1.0: data: YVU422SP, 64 x 48 x 3 channels, 6144 bytes a frame\n"
                                     "output 1.0: prob: S32 vector, 10, 48 bytes a frame\n");
}

Test(nnie_file, the_version_of_the_nnie_names_the_chips) {
    tells("hi3559a", "kind: HiSilicon .wk\nmade for: NNIE 1.1: Hi3559AV100\nmapper: 1.2.1.1.10\n"
                     "memory: 704 bytes for the model, 4096 for intermediate values\nsegments: 1\n" ONE
                     "output 0.0: prob: S32 vector, 10, 48 bytes a frame\n");
    tells("one_segment", "kind: HiSilicon .wk\n"
                         "made for: NNIE 1.2: Hi3516CV500, Hi3516DV300, Hi3516AV300, Hi3559V200, Hi3519AV100\n"
                         "mapper: 1.2.0.1.30\nmemory: 704 bytes for the model, 4096 for intermediate values\n"
                         "segments: 1\n" ONE "output 0.0: prob: S32 vector, 10, 48 bytes a frame\n");
}

Test(nnie_file, a_model_for_the_simulation_says_so) {
    told t;
    wk file = load("simulation");
    cr_assert(ask(&file, &t, NULL) == OH_NN_SUCCESS);
    cr_expect_not_null(strstr(t.text, "kind: HiSilicon .wk for the simulation on a PC: chips refuse it\n"), "%s",
                       t.text);
    free(file.bytes);
}

Test(nnie_file, sequences_tell_their_steps_and_roi_layers_are_named) {
    tells("recurrent", HEAD("928") "segments: 1\n"
                                   "segment 0: recurrent, 2 inputs, 2 outputs, 24 bytes of instructions\n"
                                   "input 0.0: words: S32 sequence, up to 20 steps of 100, 400 bytes a step\n"
                                   "input 0.1: start: S32 vector, 32, 128 bytes a frame\n"
                                   "output 0.0: text: S32 sequence, up to 20 steps of 32, 128 bytes a step\n"
                                   "output 0.1: state: S32 vector, 32, 128 bytes a frame\n");
    tells("roi", HEAD("976") "segments: 2\n" ONE "output 0.0: map: S32, 4 x 4 x 8 channels, 512 bytes a frame\n"
                             "segment 1: CNN with ROI layers, 1 input, 1 output, 32 bytes of instructions\n"
                             "input 1.0: map: S32, 4 x 4 x 8 channels, 512 bytes a frame\n"
                             "output 1.0: class: S32 vector, 5, 32 bytes a frame\n");
}

Test(nnie_file, what_is_not_printable_in_a_name_is_told_as_a_question_mark) {
    told t;
    wk file = load("one_segment");
    memcpy(file.bytes + 192 + 16 + 16, "\x1b[3\xff\n\x7f", 6); /* the name of the first node */
    sum(&file);
    cr_assert(ask(&file, &t, NULL) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_not_null(strstr(t.text, "input 0.0: ?[3???: U8"), "%s", t.text);
    free(file.bytes);
}

Test(nnie_file, bytes_behind_the_end_and_an_odd_address_change_nothing) {
    told first, second;
    wk file = load("three_segments");
    wk longer;
    cr_assert(ask(&file, &first, NULL) == OH_NN_SUCCESS);
    longer.size = file.size + 7;
    longer.bytes = (uint8_t *)malloc(longer.size + 1);
    memset(longer.bytes, 0xa5, longer.size + 1);
    memcpy(++longer.bytes, file.bytes, file.size);
    cr_assert(ask(&longer, &second, NULL) == OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_expect_str_eq(first.text, second.text);
    free(longer.bytes - 1);
    free(file.bytes);
}

/* --------------------------------------------------------------------------------------------- damaged files */

/* The file is refused, by a sentence with each piece, and tells nothing. */
static void refused(const wk *file, const char *what, const char *piece, const char *other) {
    const char *device = NULL;
    told t;
    const OH_NN_ReturnCode code = ask(file, &t, &device);
    cr_expect(code == OH_NN_INVALID_FILE && t.used == 0, "%s: code %d, told %s", what, (int)code, t.text);
    cr_expect(device != NULL && strncmp(device, "nnie_", 5) == 0, "%s: it stays HiSilicon's", what);
    cr_expect(strstr(nnrt_last_error(), piece) != NULL && strstr(nnrt_last_error(), other) != NULL,
              "%s: \"%s\" is not in \"%s\"", what, piece, nnrt_last_error());
    cr_expect(strlen(nnrt_last_error()) + 1 < NNRT__SENTENCE_SIZE, "%s: %s", what, nnrt_last_error());
}

Test(nnie_file, a_file_that_ends_anywhere_is_cut_off) {
    wk whole = load("three_segments");
    size_t size;
    for (size = 0; size < whole.size; size++) {
        char both[64];
        wk file;
        file.size = size;
        file.bytes = (uint8_t *)malloc(size + (size == 0));
        memcpy(file.bytes, whole.bytes, size);
        (void)snprintf(both, sizeof(both), "it has %zu bytes", size);
        if (size < 20) {
            cr_expect(nnrt_inspect_model(file.bytes, size, NULL, NULL, NULL) == OH_NN_UNSUPPORTED, "%zu", size);
        } else {
            refused(&file, both, both, size < 192 ? "and its header at least 192" : "its header speaks of 1376");
        }
        free(file.bytes);
    }
    free(whole.bytes);
}

Test(nnie_file, a_changed_bit_anywhere_before_the_layers_is_noticed) {
    wk file = load("three_segments");
    const size_t covered = get(file.bytes + 52) + get(file.bytes + 56);
    size_t at, by_sum = 0;
    for (at = 0; at < covered; at++) {
        const OH_NN_ReturnCode like_none = at >= 8 && at < 20 ? OH_NN_UNSUPPORTED : OH_NN_INVALID_FILE;
        OH_NN_ReturnCode code;
        file.bytes[at] ^= (uint8_t)(1u << at % 8);
        code = nnrt_inspect_model(file.bytes, file.size, NULL, NULL, NULL);
        cr_expect(code == OH_NN_INVALID_FILE || code == like_none, "byte %zu: %d", at, (int)code);
        by_sum += strstr(nnrt_last_error(), "its checksum is 0x") != NULL;
        file.bytes[at] ^= (uint8_t)(1u << at % 8);
    }
    cr_expect_gt(by_sum, covered - 32, "%zu of %zu by the checksum", by_sum, covered);
    free(file.bytes);
}

typedef struct damage {
    const char *file;
    uint32_t at, width, value;
    const char *piece, *other; /* of the sentence */
} damage;

static const damage damages[] = {
    {"one_segment", 12, 4, 0, "asks for 0 bytes", "intermediate"},
    {"one_segment", 17, 1, 2, "is of version 1.2", "1.1 is the one"},
    {"one_segment", 19, 1, 3, "for NNIE 1.3", "1.2 (Hi3516CV500"},
    {"one_segment", 48, 1, 2, "its run mode is 2", "0 (chip) and 1"},
    {"one_segment", 49, 1, 0, "it has 0 segments", "1 to 8"},
    {"one_segment", 49, 1, 9, "it has 9 segments", "1 to 8"},
    {"one_segment", 49, 1, 2, "segment 1 of 2 begins at byte 336", "the header ends at 336"},
    {"one_segment", 52, 4, 191, "its header ends at byte 191", "at least 192"},
    {"one_segment", 52, 4, 192, "segment 0 of 1 begins at byte 192", "ends at 192"},
    {"one_segment", 52, 4, 335, "the 2 nodes of segment 0 begin at byte 208", "ends at 335"},
    {"one_segment", 52, 4, 0xffffffffu, "it has 704 bytes", "speaks of 4294967663"},
    {"one_segment", 56, 4, 0xffffffffu, "its layers end at byte 704", "the payload before them at 4294967631"},
    {"one_segment", 56, 4, 200, "24 bytes of instructions from byte 192", "a payload of 200"},
    {"one_segment", 176, 4, 0xffffffffu, "it has 704 bytes", "speaks of 4294967727"},
    {"one_segment", 180, 4, 0xffffffffu, "it has 704 bytes", "speaks of 4294967903"},
    {"one_segment", 180, 4, 47, "its 1 outputs need 48 bytes of layers", "and it has 47"},
    {"three_segments", 49, 1, 2, "its segments end at byte 544", "its header at 688"},
    {"three_segments", 180, 4, 191, "its 4 outputs need 192 bytes of layers", "and it has 191"},
    {"one_segment", SEGMENT, 1, 3, "segment 0 is of type 3", "there are 0 to 2"},
    {"one_segment", SEGMENT, 1, 1, "segment 0 has 0 ROI layers", "1 to 2"},
    {"one_segment", SEGMENT, 1, 2, "for up to 0 steps", "1 to 1024"},
    {"one_segment", SEGMENT + 1, 1, 0, "0 inputs and 1 outputs", "1 to 16"},
    {"one_segment", SEGMENT + 1, 1, 17, "17 inputs and 1 outputs", "1 to 16"},
    {"one_segment", SEGMENT + 2, 1, 0, "1 inputs and 0 outputs", "1 to 16"},
    {"one_segment", SEGMENT + 2, 1, 255, "1 inputs and 255 outputs", "1 to 16"},
    {"one_segment", SEGMENT + 2, 1, 2, "the 3 nodes of segment 0", "ends at 336"},
    {"one_segment", SEGMENT + 8, 4, 0, "from byte 0", "payload of 272"},
    {"one_segment", SEGMENT + 8, 4, 273, "from byte 273", "payload of 272"},
    {"one_segment", SEGMENT + 8, 4, 0xffffffffu, "from byte 4294967295", "payload of 272"},
    {"one_segment", SEGMENT + 12, 4, 0, "0 bytes of instructions", "payload of 272"},
    {"one_segment", SEGMENT + 12, 4, 81, "81 bytes of instructions", "payload of 272"},
    {"one_segment", SEGMENT + 12, 4, 0xffffffffu, "4294967295 bytes of instructions", "payload of 272"},
    {"one_segment", INPUT, 4, 0, "input 0 of segment 0 has height 0", "a dimension is 0"},
    {"one_segment", INPUT + 4, 4, 0, "width 0", "a dimension is 0"},
    {"one_segment", INPUT + 8, 4, 0, "channels 0", "a dimension is 0"},
    {"one_segment", INPUT + 8, 4, 2, "channels 2", "1 or 3 channels"},
    {"one_segment", INPUT + 14, 1, 2, "image 2", "not known"},
    {"one_segment", INPUT + 14, 1, 4, "image 4", "not known"},
    {"one_segment", INPUT + 14, 1, 6, "image 6", "not known"},
    {"one_segment", INPUT + 14, 2, 0x101, "image 257", "not known"},
    {"one_segment", INPUT + 12, 1, 1, "mode 1", "a vector has height and width 1"},
    {"luma_chroma", INPUT + 8, 4, 1, "channels 1", "3 channels"},
    {"one_segment", INPUT, 4, 0xffffffffu, "height 4294967295", "4 GiB or more"},
    {"one_segment", INPUT + 4, 4, 0xffffffffu, "width 4294967295", "4 GiB or more"},
    {"one_segment", OUTPUT + 12, 1, 2, "output 0 of segment 0", "its mode is not known"},
    {"one_segment", OUTPUT + 12, 2, 0x100, "mode 256", "its mode is not known"},
    {"one_segment", OUTPUT, 4, 2, "height 2", "a vector has height and width 1"},
    {"one_segment", OUTPUT + 4, 4, 2, "width 2", "a vector has height and width 1"},
    {"one_segment", OUTPUT + 8, 4, 0, "channels 0", "a dimension is 0"},
    {"one_segment", OUTPUT + 8, 4, 0x3ffffffdu, "channels 1073741821", "4 GiB or more"},
    {"recurrent", SEGMENT + 4, 2, 1025, "up to 1025 steps", "1 to 1024"},
    {"recurrent", STATE + 12, 1, 0, "output 0 of segment 0", "its mode is not known"},
    {"recurrent", STATE, 4, 0, "height 0", "a dimension is 0"},
    {"roi", INPUT + 128 + 3, 1, 3, "segment 1 has 3 ROI layers", "1 to 2"},
};

Test(nnie_file, what_is_wrong_behind_a_good_checksum_is_told_with_both_sides) {
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(damages); i++) {
        const damage *d = &damages[i];
        char what[64];
        wk file = load(d->file);
        (void)snprintf(what, sizeof(what), "%s, %u at %u", d->file, (unsigned)d->value, (unsigned)d->at);
        put(file.bytes + d->at, d->value, d->width);
        sum(&file);
        refused(&file, what, d->piece, d->other);
        free(file.bytes);
    }
}

Test(nnie_file, the_largest_and_the_smallest_of_everything_is_taken) {
    static const damage largest[] = {
        {"one_segment", OUTPUT + 8, 4, 0x3ffffffcu, "S32 vector, 1073741820, 4294967280 bytes", ""},
        {"one_segment", SEGMENT + 12, 4, 80, "80 bytes of instructions", ""},
        {"recurrent", SEGMENT + 4, 2, 1024, "up to 1024 steps of 100", ""},
        {"recurrent", STATE + 14, 2, 2, "output 0.0: text: S32 vector, 32, 128 bytes", ""},
        {"three_segments", 180, 4, 192, "output 2.0: ", ""},
        {"one_segment", INPUT + 12, 2, 0x101, "data: U8, 28 x 28 x 1 channels", ""},
        {"roi", INPUT + 128 + 3, 1, 2, "CNN with ROI layers", ""},
        {"one_segment", INPUT + 8, 4, 3, "28 x 28 x 3 channels, 2688 bytes", ""},
    };
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(largest); i++) {
        told t;
        wk file = load(largest[i].file);
        put(file.bytes + largest[i].at, largest[i].value, largest[i].width);
        sum(&file);
        cr_expect(ask(&file, &t, NULL) == OH_NN_SUCCESS, "%s: %s", largest[i].piece, nnrt_last_error());
        cr_expect_not_null(strstr(t.text, largest[i].piece), "%s is not in %s", largest[i].piece, t.text);
        free(file.bytes);
    }
}

/* The width of a picture is rounded up to 16, with it 4096 rows of it below 4 GiB or not. */
Test(nnie_file, sizes_are_counted_in_64_bits) {
    static const struct {
        nnrt__nnie_blob_type type;
        uint32_t height, width, channels, size;
    } frames[] = {{NNRT__NNIE_S32, 1, 1, 1, 16},
                  {NNRT__NNIE_S32, 3, 5, 2, 192},
                  {NNRT__NNIE_U8, 3, 17, 3, 288},
                  {NNRT__NNIE_YVU420SP, 4, 20, 3, 192},
                  {NNRT__NNIE_YVU420SP, 5, 20, 3, 224},
                  {NNRT__NNIE_YVU422SP, 5, 20, 3, 320},
                  {NNRT__NNIE_VEC_S32, 1, 33, 1, 144},
                  {NNRT__NNIE_SEQ_S32, 1, 4, 1, 16},
                  {NNRT__NNIE_U8, 65535, 65535, 1, 4294901760u},
                  {NNRT__NNIE_U8, 65536, 65535, 1, 0},
                  {NNRT__NNIE_S32, 65536, 16384, 1, 0},
                  {NNRT__NNIE_S32, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0},
                  {NNRT__NNIE_S32, 0x40008000u, 4, 0x3fff8001u, 0}, /* 2^64 and 524288 */
                  {NNRT__NNIE_YVU422SP, 0xffffffffu, 1, 3, 0},
                  {NNRT__NNIE_VEC_S32, 1, 0xffffffffu, 1, 0}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(frames); i++) {
        nnrt__nnie_node node;
        memset(&node, 0, sizeof(node));
        node.type = frames[i].type;
        node.height = frames[i].height;
        node.width = frames[i].width;
        node.channels = frames[i].channels;
        cr_expect_eq(nnrt__wk_frame_size(&node), frames[i].size, "row %zu: %u", i,
                     (unsigned)nnrt__wk_frame_size(&node));
    }
}

/* ----------------------------------------------------------------------------------------------- no device */

static char warnings[512];

static void keep_warning(void *user, nnrt_log_level level, const char *line) {
    const size_t used = strlen(warnings);
    (void)user;
    if (level == NNRT_LOG_WARNING) (void)snprintf(warnings + used, sizeof(warnings) - used, "%s\n", line);
}

Test(nnie_file, without_the_library_no_device_is_listed_and_the_log_hears_it_once) {
    const size_t *ids = NULL;
    uint32_t count = 1;
    nnrt_set_log(keep_warning, NULL);
    cr_assert(OH_NNDevice_GetAllDevicesID(&ids, &count) == OH_NN_SUCCESS);
    nnrt_set_log(NULL, NULL);
    cr_expect_eq(count, 0);
    cr_expect_str_eq(warnings, "device nnie_hisilicon_" NNRT_VERSION
                               " is not listed: no library of HiSilicon: libnnie.so is not where the loader looks "
                               "(LD_LIBRARY_PATH, /usr/lib), and NNRT_NNIE_LIBRARY names none\n");
}
