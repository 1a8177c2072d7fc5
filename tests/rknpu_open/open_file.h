/* SPDX-License-Identifier: Apache-2.0 */
/* open_file.h - a .rknn of RV1103 or RV1106 as an image: the file has the memory of the NPU as it is, and tasks whose
   words inherit from others; here each task gets all of its words, and the tails lead from one to the next. */
#ifndef NNRT_TESTS_OPEN_FILE_H
#define NNRT_TESTS_OPEN_FILE_H

#include "../../tools/rkchip/file.h"

#include "open_image.h"

/* All words of a task as the chip has them after it has taken those of the file: pointers first. */
STREAM_FN uint32_t file_words(const rkchip *chip, uint32_t enable, uint32_t shift, uint64_t *words) {
    /* what the vendor's runtime changes where int8 comes in place of pixels */
    static const stream_word int8[] = {{0x101c, 0}, {0x104c, 9}, {0x1050, 0x10001}, {0x1054, 0x10001},
                                       {0x1058, 0}, {0x105c, 0}, {0x106c, 0},       {0x108c, 0}};
    const nnrt__open_npu_rows rows = nnrt__open_npu_rows_of(NNRT__OPEN_NPU_RV1106);
    uint32_t count = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < rows.count; i++) {
            const uint32_t name = rows.rows[i].name;
            const bool is_pointer = (name & 0xfff) == 4;
            stream_word word;
            if ((nnrt__open_npu_blocks(enable) >> (name >> 12) & 1) == 0 || is_pointer != (pass == 0) ||
                name == 0x4100 || name == 0x4104)
                continue;
            word.name = name;
            word.value = name >> 12 == 8 ? rows.rows[i].rest : is_pointer ? 0xe : rkchip_get(chip, name);
            for (size_t k = 0; k < sizeof int8 / sizeof int8[0]; k++)
                if (int8[k].name == name) word.value = int8[k].value;
            if (nnrt__open_npu_is_address(name) && word.value != 0) word.value += shift;
            words[count++] = stream_encode(&word);
        }
    return count;
}

/* The image of a file; the caller frees it. Its words are longer than the file's, so that everything lies behind them,
   moved as far as they grow. */
STREAM_FN uint8_t *image_of_file(const char *path, size_t *size) {
    static uint8_t file[1 << 18];
    static rkchip_model model;
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    rkchip_region region;
    uint8_t *memory;
    uint64_t words[256];
    image *i = image_begin(NNRT__OPEN_NPU_RV1106);
    FILE *stream_of_file = fopen(path, "rb");
    size_t bytes;
    uint32_t shift, planes_end;
    if (stream_of_file == NULL) abort();
    bytes = fread(file, 1, sizeof file, stream_of_file);
    fclose(stream_of_file);
    if (chip == NULL || !rkchip_model_read(&model, file, bytes)) abort();
    memory = (uint8_t *)calloc(1, (size_t)model.memory_bytes);
    if (memory == NULL) abort();
    memcpy(memory, model.image, (size_t)model.image_bytes);
    region.address = 0;
    region.bytes = memory;
    region.size = model.memory_bytes;
    shift = model.task_count * (160 + 16) * 8;
    chip->memory.regions = &region;
    chip->memory.count = 1;
    for (uint32_t t = 0; t < model.task_count; t++) {
        const rkchip_task task = rkchip_model_task(&model, t);
        if (!rkchip_write_words(chip, &task)) abort();
        image_task(i, words, file_words(chip, task.enable, shift, words), task.enable);
        if (!rkchip_run(chip, t, &task)) abort();
    }
    if (i->header.words_size > shift) abort();
    i->header.words_size = shift;
    i->header.loaded_size = shift + (uint32_t)(model.image_bytes + 63) / 64 * 64;
    planes_end = shift + (uint32_t)(model.memory_bytes + 63) / 64 * 64;
    i->header.memory_size = planes_end + 32768; /* where a picture's atoms may end */
    memcpy(i->loaded + shift + model.words_bytes, model.image + model.words_bytes,
           (size_t)(model.image_bytes - model.words_bytes));
    for (uint32_t p = 0; p < model.input_count; p++) {
        const rkchip_tensor *t = &model.inputs[p];
        image_port(i, false, t->row_bytes != 0 ? NNRT__OPEN_NPU_PIXELS : NNRT__OPEN_NPU_PLANES,
                   shift + (uint32_t)t->address, t->dims[2], t->dims[3], t->dims[1],
                   (uint32_t)(t->row_bytes != 0 ? t->row_bytes : t->plane_bytes));
    }
    for (uint32_t p = 0; p < model.output_count; p++) {
        const rkchip_tensor *t = &model.outputs[p];
        image_port(i, true, NNRT__OPEN_NPU_PLANES, shift + (uint32_t)t->address, t->dims[2], t->dims[3], t->dims[1],
                   (uint32_t)t->plane_bytes);
    }
    rkchip_destroy(chip);
    rkchip_model_free(&model);
    free(memory);
    return image_make(i, size);
}

#endif /* NNRT_TESTS_OPEN_FILE_H */
