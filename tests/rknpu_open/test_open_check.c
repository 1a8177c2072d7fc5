/* SPDX-License-Identifier: Apache-2.0 */
/* test_open_check.c - an image for the NPU that the check accepts never leaves its memory. No silicon is asked: the
   engine of tools/rkchip, which executes real streams to the byte, refuses every place outside of the memory, and its
   memory here is a block of exactly the size that the image says.

   Every bit of every word, task, port and header of valid images is changed, and many are changed together; whatever is
   still accepted runs, finds no place outside, and leaves words and weights as they were. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/platform.h"
#include "core/log.h"

#include <criterion/criterion.h>

#define SEED 20261126u

#include "open_examples.h"

/* ------------------------------------------------------------------------------------------------- helpers */

static bool accepts(const uint8_t *bytes, size_t size) {
    const OH_NN_ReturnCode code = nnrt__open_npu_check(bytes, size);
    cr_assert(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE, "%d", (int)code);
    if (code != OH_NN_SUCCESS) cr_assert_gt(strlen(nnrt__sentence()), 30, "%s", nnrt__sentence());
    return code == OH_NN_SUCCESS;
}

static rkchip_generation generation_of(const uint8_t *bytes) {
    nnrt__open_npu_header h;
    nnrt__open_npu_header_read(bytes, &h);
    return h.chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106;
}

/* What was accepted stays in its memory, whatever becomes of it otherwise. false: the engine does not know some word of
   it, and computed nothing. */
static bool stays_inside(const uint8_t *bytes, const char *what) {
    nnrt__open_npu_header h;
    uint8_t *memory;
    rkchip *chip = rkchip_create(generation_of(bytes));
    cr_assert_not_null(chip);
    const bool done = run_on_engine(bytes, chip, &memory);
    nnrt__open_npu_header_read(bytes, &h);
    cr_assert(done || strstr(chip->sentence, "not memory of the job") == NULL, "%s: %s", what, chip->sentence);
    cr_assert(done || strstr(chip->sentence, "in front of the memory") == NULL, "%s: %s", what, chip->sentence);
    cr_assert_eq(memcmp(memory, bytes + h.loaded, h.loaded_size), 0, "%s: words or weights changed", what);
    free(memory);
    rkchip_destroy(chip);
    return done;
}

Test(open_check, valid_images_are_accepted_and_run) {
    size_t size;
    uint32_t count = 0;
    for (uint8_t *bytes; (bytes = image_example(count, &size)) != NULL; count++) {
        char what[32];
        snprintf(what, sizeof what, "image %u", (unsigned)count);
        cr_assert(accepts(bytes, size), "%s: %s", what, nnrt__sentence());
        cr_assert(stays_inside(bytes, what), "%s", what);
        free(bytes);
    }
    cr_assert_eq(count, IMAGE_EXAMPLES);
}

Test(open_check, a_convolution_of_an_image_gives_what_its_definition_gives) {
    conv c;
    for (uint32_t n = 0; conv_example(n, &c); n++) {
        nnrt__open_npu_header h;
        nnrt__open_npu_port in, out;
        uint8_t *memory;
        size_t size;
        image *i = image_begin(NNRT__OPEN_NPU_RV1106);
        image_conv(i, &c);
        uint8_t *bytes = image_make(i, &size);
        int8_t *expected = conv_reference(&c);
        rkchip *chip = rkchip_create(RKCHIP_RV1106);
        cr_assert(accepts(bytes, size), "%u: %s", (unsigned)n, nnrt__sentence());
        nnrt__open_npu_header_read(bytes, &h);
        nnrt__open_npu_port_read(bytes, &h, 0, &in);
        nnrt__open_npu_port_read(bytes, &h, h.input_count, &out);
        /* inputs lie in the memory that the image brings, for once */
        h.loaded_size = h.memory_size;
        uint8_t *grown = (uint8_t *)calloc(1, h.loaded + h.memory_size);
        memcpy(grown, bytes, size);
        memcpy(grown, &h, sizeof h);
        for (uint32_t y = 0; y < c.height; y++)
            for (uint32_t x = 0; x < c.width; x++)
                for (uint32_t k = 0; k < c.channels; k++)
                    grown[h.loaded + in.offset +
                          (c.picture ? (y * conv_pitch(&c) + x) * c.channels + k
                                     : plane_at(in.plane_bytes, (size_t)c.width * 16, y, x, k))] =
                        (uint8_t)c.input[((size_t)y * c.width + x) * c.channels + k];
        if (c.dpu.adds) {
            nnrt__open_npu_port_read(bytes, &h, 1, &in);
            to_planes(grown + h.loaded + in.offset, c.operand, out.height, out.width, c.outputs);
        }
        cr_assert(run_on_engine(grown, chip, &memory), "%u: %s", (unsigned)n, chip->sentence);
        for (uint32_t p = 0; p < out.height * out.width; p++)
            for (uint32_t k = 0; k < c.outputs; k++)
                cr_assert_eq((int8_t)memory[out.offset + plane_at(out.plane_bytes, 0, 0, p, k)],
                             expected[p * c.outputs + k], "%u: pixel %u, channel %u", (unsigned)n, (unsigned)p,
                             (unsigned)k);
        free(memory);
        free(grown);
        free(expected);
        free(bytes);
        rkchip_destroy(chip);
        conv_free(&c);
    }
}

/* --------------------------------------------------------------------------------------------- any change */

Test(open_check, every_bit_of_an_image_may_be_wrong, .timeout = 300) {
    size_t size;
    uint32_t accepted = 0, refused = 0;
    uint8_t *bytes;
    for (uint32_t n = 0; (bytes = image_example(n, &size)) != NULL; n++) {
        nnrt__open_npu_header h;
        nnrt__open_npu_header_read(bytes, &h);
        const size_t end = h.loaded + h.words_size; /* weights may be anything */
        const size_t step =
            n == 0 || n == 2 || n == 9 || n == 12 || n == 15 || n == 16 || n >= EXAMPLE_LAYOUTS ? 1 : 29; /* one of
                                                                                                   each kind whole */
        for (size_t bit = 0; bit < end * 8; bit += step) {
            char what[64];
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            snprintf(what, sizeof what, "image %u, byte %zu, bit %u", (unsigned)n, bit / 8, (unsigned)(bit % 8));
            if (accepts(bytes, size)) {
                accepted++;
                (void)stays_inside(bytes, what);
            } else refused++;
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(bytes);
    }
    cr_assert_gt(accepted, 2000, "%u", (unsigned)accepted);
    cr_assert_gt(refused, 20000, "%u", (unsigned)refused);
}

/* Registers that have to agree, so that a change of one alone is refused at once. */
static const uint16_t pairs[][3] = {{0x6014, 0x6020, 0x7014}, {0x600c, 0x700c, 0}, {0x6010, 0x7010, 0},
                                    {0x607c, 0x6084, 0},      {0x406c, 0x40e0, 0}, {0x4028, 0x40e4, 0},
                                    {0x4024, 0x40c0, 0},      {0x1024, 0x1088, 0}, {0x4030, 0x500c, 0},
                                    {0x4034, 0x5010, 0},      {0x1020, 0x1084, 0}, {0x3014, 0x405c, 0}};

/* A word's value changes, and those that follow it; *changed: at least one. */
static void change_words(uint8_t *loaded, const nnrt__open_npu_task *task, uint32_t name, uint32_t value) {
    for (uint32_t w = 0; w < task->amount; w++) {
        uint8_t *at = loaded + task->words + 8 * w;
        if ((at[0] | at[1] << 8) == (int)name)
            for (uint32_t b = 0; b < 4; b++) at[2 + b] = (uint8_t)(value >> (8 * b));
    }
}

static void change(uint8_t *bytes, const nnrt__open_npu_header *h) {
    nnrt__open_npu_task task;
    nnrt__open_npu_task_read(bytes, h, noise() % h->task_count, &task);
    uint8_t *loaded = bytes + h->loaded;
    const uint8_t *at = loaded + task.words + 8 * (noise() % task.amount);
    const uint32_t name = at[0] | (uint32_t)at[1] << 8, how = noise() % 6;
    uint32_t value = (uint32_t)nnrt__read_i64(at) >> 16;
    value = nnrt__read_u32(at + 2);
    switch (how) {
    case 0: value ^= (uint32_t)1 << noise() % 32; break;
    case 1: value += (uint32_t)noise_in(-8, 8); break;
    case 2: value += (uint32_t)noise_in(-8, 8) * 16; break;
    case 3: value = h->memory_size - (uint32_t)noise_in(0, 64) * 16; break;
    case 4: value = (uint32_t)noise_in(0, 8) * 16; break;
    default: value = (value & 0xffff0000u) + (uint32_t)noise_in(0, 300); break;
    }
    change_words(loaded, &task, name, value);
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        if (pairs[p][0] == name && noise() % 4 != 0)
            for (uint32_t k = 1; k < 3; k++) change_words(loaded, &task, pairs[p][k], value);
    if ((name == 0x4030 || name == 0x4034) && noise() % 2 == 0) { /* the size that is written, in all its places */
        const uint32_t last = name == 0x4030 ? value & 0xffff : value << 16;
        change_words(loaded, &task, 0x405c, last);
        change_words(loaded, &task, 0x3014, last);
    }
}

Test(open_check, many_changes_at_once, .timeout = 300) {
    size_t size;
    uint32_t accepted = 0;
    uint8_t *bytes, *changed;
    for (uint32_t n = 0; (bytes = image_example(n, &size)) != NULL; n++) {
        nnrt__open_npu_header h;
        nnrt__open_npu_header_read(bytes, &h);
        changed = (uint8_t *)malloc(size);
        cr_assert_not_null(changed);
        for (uint32_t round = 0; round < 400; round++) {
            char what[64];
            memcpy(changed, bytes, size);
            for (uint32_t k = noise() % 3 + 1; k > 0; k--) change(changed, &h);
            snprintf(what, sizeof what, "image %u, round %u, seed %u", (unsigned)n, (unsigned)round, (unsigned)SEED);
            if (!accepts(changed, size)) continue;
            accepted++;
            (void)stays_inside(changed, what);
        }
        free(changed);
        free(bytes);
    }
    cr_assert_gt(accepted, 1000, "%u", (unsigned)accepted);
}

Test(open_check, an_image_that_is_cut_off_is_refused_at_every_length) {
    size_t size;
    uint8_t *bytes = image_example(8, &size);
    for (size_t length = 0; length < size; length += length < 400 ? 1 : 61) {
        uint8_t *piece = (uint8_t *)malloc(length + (length == 0));
        memcpy(piece, bytes, length);
        cr_assert_not(accepts(piece, length), "%zu", length);
        free(piece);
    }
    free(bytes);
}

/* ------------------------------------------------------------------------------------- each rule of the check */

typedef enum subject {
    MAP,
    DEPTHWISE,
    PICTURE,
    ADDS,
    SUM,
    POOL,
    LARGE,
    WORDS,
    DENSE,
    TURN,
    NEAREST
} subject;

static uint8_t *of_subject(subject s, size_t *size) {
    static const uint32_t numbers[] = {0, 2, 3, 5, 11, 13, 15, 21, 23, 25, 16};
    return image_example(numbers[s], size);
}

static const struct {
    subject of;
    uint16_t name, second; /* registers, 0: none */
    uint32_t value;        /* AT_END + x: x in front of where memory ends */
    uint32_t also;         /* value of the second */
    const char *says;
} wrong[] = {
#define AT_END 0xe0000000u
    /* places */
    {MAP, 0x1070, 0, AT_END + 16, 0, "0x1070 is 0x"},
    {MAP, 0x1070, 0, 8, 0, "no multiple of 16"},
    {MAP, 0x1110, 0, AT_END + 64, 0, "0x1110"},
    {MAP, 0x5020, 0, AT_END + 16, 0, "leads out of the memory"},
    {MAP, 0x4020, 0, AT_END + 16, 0, "leads out of the memory"},
    {MAP, 0x4020, 0, 0, 0, "would write over words or weights"},
    {MAP, 0x5018, 0, 0xfffffff0u, 0, "leads out of the memory"},
    {DEPTHWISE, 0x4024, 0x40c0, 0x10000, 0x20000, "leads out of the memory"},
    {MAP, 0x502c, 0x5028, AT_END + 16, 8, "0x502c"},
    {PICTURE, 0x107c, 0, 0x00100000, 0, "leads out of the memory"},
    {PICTURE, 0x1084, 0, 0xffff0001u, 0, "leads out of the memory"},
    {PICTURE, 0x1084, 0, 0x00100009, 0, "0x1084"},
    {ADDS, 0x5038, 0, AT_END + 64, 0, "0x5038"},
    {ADDS, 0x5040, 0, 0x100000, 0, "0x5038"},
    {ADDS, 0x506c, 0, 0x100000, 0, "0x5038"},
    {ADDS, 0x506c, 0, 0x80000000u, 0, "planes that go back"},
    {SUM, 0x5018, 0, AT_END + 16, 0, "0x5018"},
    {SUM, 0x504c, 0, 0x80000000u, 0, "planes that go back"},
    {SUM, 0x504c, 0, 0x00100000, 0, "0x5018"},
    {SUM, 0x5048, 0, 0xfff80000u, 0, "0x5018"},
    {SUM, 0x4024, 0, 0x100000, 0, "0x4020"},
    {SUM, 0x40c0, 0, 0x100000, 0, "0x4020"},
    {SUM, 0x4038, 0, 0x1fff, 0, "0x4020"},
    {SUM, 0x4038, 0, 0x1fff0000, 0, "0x4020"},
    {SUM, 0x4058, 0, 0x00ff0003, 0, "0x4020"},
    {SUM, 0x403c, 0, 0x1fff1fff, 0, "0x4020"},
    {POOL, 0x701c, 0, AT_END + 16, 0, "0x701c"},
    {POOL, 0x7024, 0, 0x100000, 0, "0x701c"},
    {POOL, 0x6070, 0, AT_END + 16, 0, "0x6070"},
    {POOL, 0x6070, 0, 64, 0, "would write over words"},
    {POOL, 0x6024, 0, 0x1fff0011, 0, "0x6070"},
    {LARGE, 0x1080, 0, 0x08000000, 0, "planes that go back"},
    {LARGE, 0x1080, 0, 0x07ffffff, 0, "0x1070"},
    {LARGE, 0x4020, 0, AT_END + 16, 0, "0x4020"},
    /* sizes that are told twice */
    {MAP, 0x1084, 0, 0x00010001, 0, "0x1084"},
    {MAP, 0x1088, 0, 0x4000, 0, "0x1088"},
    {MAP, 0x1030, 0, 0x100000, 0, "0x1030"},
    {MAP, 0x1034, 0, 0x10000, 0, "0x1034"},
    {MAP, 0x3014, 0, 0x01000100, 0, "0x3014"},
    {MAP, 0x405c, 0, 0x01000100, 0, "0x405c"},
    {MAP, 0x1028, 0, 400, 0, "0x1028"},
    {MAP, 0x40c0, 0, 0x4000, 0, "0x40c0"},
    {MAP, 0x107c, 0, 0x1000, 0, "longer than a row"},
    {SUM, 0x500c, 0, 100, 0, "0x500c"},
    {SUM, 0x4030, 0, 0x100002, 0, "0x500c"},
    {POOL, 0x7010, 0, 100, 0, "0x7010"},
    {POOL, 0x6020, 0, 100, 0, "0x6020"},
    {LARGE, 0x107c, 0, 400, 0, "lines of another width"},
    /* modes */
    {MAP, 0x100c, 0, 0x9000, 0, "no kind of convolution"},
    {MAP, 0x100c, 0, 3, 0, "no kind of convolution"},
    {MAP, 0x4010, 0, 0x20800000, 0, "another type than int8"},
    {MAP, 0x400c, 0, 0x1e5, 0, "no mode that is known"},
    {MAP, 0x4050, 0, 0x30000007, 0, "no mode that is known"},
    {MAP, 0x5044, 0, 0x7800, 0, "no mode that is known"},
    {MAP, 0x5034, 0, 4, 0, "another second operand"},
    {MAP, 0x4070, 0, 0x8002c0c0, 0, "another second operand"},
    {MAP, 0x4070, 0, 0x12345, 0, "no operation of EW"},
    {MAP, 0x1004, 0, 0x2, 0, "two groups of registers"},
    {MAP, 0x1140, 0, 1, 0, "another value"},
    {MAP, 0x4038, 0, 1, 0, "no gaps"},
    {SUM, 0x400c, 0, 0x20001e5, 0, "0x400c"},
    {SUM, 0x5048, 0, 0x1000, 0, "no reading"},
    {SUM, 0x501c, 0, 2, 0, "0x501c"},
    {POOL, 0x6024, 0, 1, 0, "another value"},
    /* other layouts: whatever says a size says the same */
    {WORDS, 0x5018, 0, AT_END + 16, 0, "0x5018"},
    {WORDS, 0x4020, 0, AT_END + 16, 0, "0x4020"},
    {WORDS, 0x4020, 0, 64, 0, "would write over words"},
    {WORDS, 0x504c, 0, 0, 0, "no blocks that follow"},
    {WORDS, 0x5048, 0, 0x80000, 0, "0x5048"},
    {WORDS, 0x4024, 0, 0x100, 0, "0x4024"},
    {WORDS, 0x40c0, 0, 0x1000, 0, "0x40c0"},
    {WORDS, 0x4058, 0, 0x8010000, 0, "0x4058"},
    {WORDS, 0x405c, 0, 0x30001, 0, "0x405c"},
    {WORDS, 0x403c, 0, 0xf000f, 0, "0x403c"},
    {WORDS, 0x4038, 0, 0, 0, "0x4038"},
    {WORDS, 0x4030, 0, 7, 0, "0x4030"},
    {WORDS, 0x5034, 0, 4, 0, "another second operand"},
    {WORDS, 0x4050, 0, 0x80007ff, 0, "no layout that is known"},
    {DENSE, 0x5018, 0, AT_END + 16, 0, "0x5018"},
    {DENSE, 0x4020, 0, AT_END + 16, 0, "0x4020"},
    {DENSE, 0x400c, 0, 0x201ffe5 | 0x20000000, 0, "0x400c"},
    {DENSE, 0x400c, 0, 0x20001e5 | 9 << 9, 0, "it writes more than it reads"},
    {DENSE, 0x4030, 0, 0x80001, 0, "no packing that is known"},
    {DENSE, 0x40c4, 0, 0x810000, 0, "0x40c4"},
    {DENSE, 0x403c, 0, 0x1f001f, 0, "0x403c"},
    {DENSE, 0x504c, 0, 0x10, 0, "0x504c"},
    {DENSE, 0x4050, 0, 0x30000002, 0, "0x4050"},
    {TURN, 0x5018, 0, AT_END + 16, 0, "0x5018"},
    {TURN, 0x4020, 0, AT_END + 16, 0, "0x4020"},
    {TURN, 0x5010, 0, 40, 0, "no whole squares"},
    {TURN, 0x4058, 0, 0x20000, 0, "0x4058"},
    {TURN, 0x400c, 0, 0x1e5 | 48 << 9, 0, "0x400c"},
    {TURN, 0x504c, 0, 0x80000000u, 0, "planes that go back"},
    {TURN, 0x40c0, 0, 0x200, 0, "0x40c0"},
    {NEAREST, 0x5018, 0, AT_END + 16, 0, "0x5018"},
    {NEAREST, 0x4020, 0, AT_END + 64, 0, "0x4020"},
    {NEAREST, 0x4030, 0, 7, 0, "0x4030"},
    {NEAREST, 0x4058, 0, 0x10003, 0, "no way of writing"},
    {NEAREST, 0x403c, 0, 0x1f001f, 0, "more than one plane"},
    {NEAREST, 0x4038, 0, 0, 0, "0x4038"},
};

Test(open_check, what_a_word_leads_to_is_refused_with_its_register) {
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        nnrt__open_npu_header h;
        nnrt__open_npu_task task;
        size_t size;
        uint8_t *bytes = of_subject(wrong[i].of, &size);
        cr_assert(accepts(bytes, size), "%zu: %s", i, nnrt__sentence());
        nnrt__open_npu_header_read(bytes, &h);
        nnrt__open_npu_task_read(bytes, &h, 0, &task);
        change_words(bytes + h.loaded, &task, wrong[i].name,
                     wrong[i].value >= AT_END && wrong[i].value < AT_END + 0x1000
                         ? h.memory_size - (wrong[i].value - AT_END)
                         : wrong[i].value);
        if (wrong[i].second != 0) change_words(bytes + h.loaded, &task, wrong[i].second, wrong[i].also);
        cr_assert_not(accepts(bytes, size), "row %zu: 0x%x", i, (unsigned)wrong[i].name);
        cr_assert_not_null(strstr(nnrt__sentence(), wrong[i].says), "row %zu: %s", i, nnrt__sentence());
        free(bytes);
    }
}

Test(open_check, memory_may_end_with_the_last_byte_that_is_reached) {
    /* the last place of each kind of task is the output: 64 bytes less are too few */
    for (subject s = MAP; s <= NEAREST; s++) {
        nnrt__open_npu_header h;
        size_t size;
        uint8_t *bytes = of_subject(s, &size);
        cr_assert(accepts(bytes, size), "%s", nnrt__sentence());
        nnrt__open_npu_header_read(bytes, &h);
        h.memory_size -= 64;
        memcpy(bytes, &h, sizeof h);
        cr_assert_not(accepts(bytes, size), "%d", (int)s);
        free(bytes);
    }
}

Test(open_check, a_register_that_is_not_written_is_refused) {
    for (subject s = MAP; s <= NEAREST; s++) {
        nnrt__open_npu_header h;
        nnrt__open_npu_task task;
        size_t size;
        uint8_t *bytes = of_subject(s, &size);
        nnrt__open_npu_header_read(bytes, &h);
        nnrt__open_npu_task_read(bytes, &h, 0, &task);
        for (uint32_t w = 0; w < task.amount; w++) {
            uint8_t *at = bytes + h.loaded + task.words + 8 * w, kept[8];
            const uint32_t name = at[0] | (uint32_t)at[1] << 8;
            if (name == 0x1040 || nnrt__open_npu_is_curve(name)) continue; /* twice in these, or not needed */
            memcpy(kept, at, 8);
            memcpy(at, w + 1 < task.amount ? at + 8 : at - 8, 8); /* its neighbour twice */
            cr_assert_not(accepts(bytes, size), "%d: 0x%x", (int)s, (unsigned)name);
            memcpy(at, kept, 8);
        }
        cr_assert(accepts(bytes, size));
        free(bytes);
    }
}

Test(open_check, a_word_comes_after_the_pointer_of_its_block) {
    nnrt__open_npu_header h;
    nnrt__open_npu_task task;
    size_t size;
    uint8_t swap[8], *bytes = of_subject(SUM, &size);
    nnrt__open_npu_header_read(bytes, &h);
    nnrt__open_npu_task_read(bytes, &h, 0, &task);
    uint8_t *at = bytes + h.loaded + task.words;
    memcpy(swap, at, 8);
    memcpy(at, at + 16, 8); /* 0x4004 and 0x400c change places */
    memcpy(at + 16, swap, 8);
    cr_assert_not(accepts(bytes, size));
    cr_assert_not_null(strstr(nnrt__sentence(), "before the pointer"), "%s", nnrt__sentence());
    memcpy(at, swap, 8);
    cr_assert_not(accepts(bytes, size));
    cr_assert_not_null(strstr(nnrt__sentence(), "twice in a task"), "%s", nnrt__sentence());
    free(bytes);
}

Test(open_check, tasks_lead_to_the_next_and_nowhere_else) {
    size_t size;
    uint8_t *bytes;
    nnrt__open_npu_header h;
    bytes = image_example(EXAMPLE_FILE, &size); /* several tasks */
    nnrt__open_npu_header_read(bytes, &h);
    cr_assert_gt(h.task_count, 4);
    for (uint32_t t = 0; t < h.task_count; t++) {
        nnrt__open_npu_task task;
        nnrt__open_npu_task_read(bytes, &h, t, &task);
        for (uint32_t bit = 0; bit < 4 * 64; bit++) {
            uint8_t *at = bytes + h.loaded + task.words + 8 * (size_t)task.amount + bit / 8;
            *at ^= (uint8_t)(1 << bit % 8);
            cr_assert_not(accepts(bytes, size), "task %u, bit %u", (unsigned)t, (unsigned)bit);
            *at ^= (uint8_t)(1 << bit % 8);
        }
    }
    free(bytes);
}

Test(open_check, the_rows_are_those_that_the_engine_executes) {
    for (uint32_t chip = NNRT__OPEN_NPU_RV1106; chip <= NNRT__OPEN_NPU_RK3588; chip++) {
        const nnrt__open_npu_rows rows = nnrt__open_npu_rows_of((nnrt__open_npu_chip)chip);
        size_t count;
        const rkchip_rule *rules =
            rkchip_layout_of(chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106)->rules(&count);
        cr_assert_eq(rows.count, count);
        cr_assert_leq(count, NNRT__OPEN_NPU_MOST_ROWS);
        for (uint32_t i = 0; i < count; i++) {
            cr_assert_eq(rows.rows[i].name, rules[i].name, "%u", (unsigned)i);
            cr_assert_eq(rows.rows[i].free, rules[i].free, "0x%x", (unsigned)rules[i].name);
            cr_assert_eq(rows.rows[i].rest, rules[i].rest, "0x%x", (unsigned)rules[i].name);
            cr_assert_eq(nnrt__open_npu_row_find(&rows, rules[i].name), i);
            if (i > 0) cr_assert_lt(rows.rows[i - 1].name, rows.rows[i].name);
        }
        cr_assert_eq(nnrt__open_npu_row_find(&rows, 0), count);
        cr_assert_eq(nnrt__open_npu_row_find(&rows, 0x4021), count);
        cr_assert_eq(nnrt__open_npu_row_find(&rows, 0xffff), count);
    }
}
