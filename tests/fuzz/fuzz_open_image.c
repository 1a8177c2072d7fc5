/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_open_image.c - an image for the NPU that the check accepts stays in its memory. `make fuzz`.
   Input       a number of an image of tests/rknpu_open/open_examples.h, or 255 and an image as it is; then changes:
               a byte somewhere, or the value of a word: other bits, sizes, places near the end of memory, alone or in
               every register of the task that has the same value.
   Properties  (1) the check answers OH_NN_SUCCESS, or OH_NN_INVALID_FILE with a sentence that is printable; (2) it
               changes nothing, and a copy at another alignment has the same answer; (3) what it accepts runs in
               tools/rkchip, or is refused there, and no place outside of the memory is named: a block of exactly the
               size that the image says; (4) words and weights are afterwards what they were.
   Seeds       each image unchanged, and what one change of a place, a stride and a tail makes of it. */
/* of a padded input, which in the engine is as large as an NPU's memory */
#define RKCHIP_MOST_VALUES ((uint64_t)1 << 18)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as nnrt.h asks for POSIX */
#endif
#include "core/platform.h"
#include "core/log.h"

#define SEED 20261201u

#include "../rknpu_open/open_examples.h"

#include "must.h"
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A word of a task; every register of it that has the same value follows, if it is asked for. */
static void change_word(reader *r, uint8_t *bytes, const uint8_t *original, const nnrt__open_npu_header *h) {
    const uint32_t how = take(r), number = take(r) | take(r) << 8, amount = take(r);
    nnrt__open_npu_task task;
    uint32_t value, old;
    uint8_t *words, *word;
    nnrt__open_npu_task_read(original, h, take(r) % h->task_count, &task);
    words = bytes + h->loaded + task.words;
    word = words + 8 * (number % (task.amount + NNRT__OPEN_NPU_TAIL));
    value = old = nnrt__read_u32(word + 2);
    switch (how & 7) {
    case 0: value ^= (uint32_t)1 << amount % 32; break;
    case 1: value = take_word(r); break;
    case 2: value += amount - 128; break;
    case 3: value += (amount - 128) * 16; break;
    case 4: value = h->memory_size - amount * 16; break;
    case 5: value = amount << (take(r) % 25); break;
    case 6: value = amount % 2 != 0 ? value * 2 : value / 2; break;
    default: value = (value & 0xffff0000u) | (amount << 4); break;
    }
    memcpy(word + 2, &value, 4);
    for (uint32_t w = 0; w < task.amount && (how & 8) != 0; w++)
        if (nnrt__read_u32(words + 8 * w + 2) == old) memcpy(words + 8 * w + 2, &value, 4);
}

static void is_sentence(void) {
    const char *text = nnrt__sentence();
    MUST(strlen(text) > 20);
    for (; *text != '\0'; text++) MUST(*text >= ' ' && *text < 0x7f);
}

static void stays_inside(const uint8_t *bytes) {
    nnrt__open_npu_header h;
    uint8_t *memory;
    rkchip *chip;
    bool done;
    nnrt__open_npu_header_read(bytes, &h);
    if (h.memory_size > 1 << 20) return;
    chip = rkchip_create(h.chip == NNRT__OPEN_NPU_RK3588 ? RKCHIP_RK3588 : RKCHIP_RV1106);
    MUST(chip != NULL);
    done = run_on_engine(bytes, chip, &memory);
    MUST(done || strstr(chip->sentence, "not memory of the job") == NULL);
    MUST(done || strstr(chip->sentence, "in front of the memory") == NULL);
    MUST(memcmp(memory, bytes + h.loaded, h.loaded_size) == 0);
    free(memory);
    rkchip_destroy(chip);
}

static void look_at(const uint8_t *bytes, size_t size) {
    uint8_t *copy = (uint8_t *)malloc(size + 3), *kept = (uint8_t *)malloc(size + 1);
    OH_NN_ReturnCode code;
    MUST(copy != NULL && kept != NULL);
    memcpy(copy + 3, bytes, size);
    memcpy(kept, bytes, size);
    code = nnrt__open_npu_check(bytes, size);
    MUST(code == OH_NN_SUCCESS || code == OH_NN_INVALID_FILE);
    if (code != OH_NN_SUCCESS) is_sentence();
    MUST(memcmp(bytes, kept, size) == 0);
    MUST(nnrt__open_npu_check(copy + 3, size) == code);
    if (code == OH_NN_SUCCESS) stays_inside(bytes);
    free(copy);
    free(kept);
}

/* The images, made once. */
static const uint8_t *original_of(uint32_t which, size_t *size) {
    static uint8_t *images[IMAGE_EXAMPLES];
    static size_t sizes[IMAGE_EXAMPLES];
    if (images[which] == NULL) images[which] = image_example(which, &sizes[which]);
    *size = sizes[which];
    return images[which];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    reader r = {data, size};
    nnrt__open_npu_header h;
    size_t image_size = size - (size != 0);
    const uint32_t which = take(&r);
    const uint8_t *original = which == 255 ? r.data : original_of(which % IMAGE_EXAMPLES, &image_size);
    uint8_t *bytes = (uint8_t *)malloc(image_size + (image_size == 0)); /* exactly its size */
    MUST(bytes != NULL);
    memcpy(bytes, original, image_size);
    if (which != 255) nnrt__open_npu_header_read(original, &h);
    for (uint32_t changes = 0; which != 255 && r.size > 0 && changes < 8; changes++) {
        if (take(&r) % 4 != 0) change_word(&r, bytes, original, &h);
        else bytes[(take(&r) | take(&r) << 8) % image_size] = (uint8_t)take(&r);
    }
    look_at(bytes, image_size);
    free(bytes);
    return 0;
}
