/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/run.h - tasks: their words are written, then the blocks that they enable run.

   Every block has two groups of registers, and changes to the other one each time that it runs; a task may write a few
   words only and inherit the rest from the task before last. Clearing a pointer goes back to the first group.

   The words of the tables (513 of each) come in tasks of their own, whose geometry means nothing: they are not run. */
#ifndef NNRT_TOOLS_RKCHIP_RUN_H
#define NNRT_TOOLS_RKCHIP_RUN_H

#include "copies.h"
#include "pool.h"

enum {
    RKCHIP_RUN_CONV = 0x1d, /* CNA, CORE, DPU, DPU_RDMA */
    RKCHIP_RUN_DPU = 0x18,  /* DPU, DPU_RDMA */
    RKCHIP_RUN_POOL = 0x60, /* PPU, PPU_RDMA */
    RKCHIP_POINTER_CLEAR = 0x30
};

static rkchip *rkchip_create(rkchip_generation generation) {
    rkchip *chip = (rkchip *)calloc(1, sizeof(*chip));
    size_t count, i;
    if (chip == NULL) return NULL;
    chip->layout = rkchip_layout_of(generation);
    chip->rules = chip->layout->rules(&count);
    for (i = 0; i < count; i++) chip->rule[(chip->rules[i].name - RKCHIP_FIRST) / 4] = (uint8_t)(i + 1);
    return chip;
}

/* NULL is allowed. */
static void rkchip_destroy(rkchip *chip) {
    if (chip == NULL) return;
    free(chip->input.bytes);
    free(chip->weights.bytes);
    free(chip->sums.bytes);
    free(chip->tables.bytes);
    free(chip->operand.bytes);
    free(chip);
}

/* What a write does beside keeping its value. */
static bool rkchip_effect(rkchip *chip, uint32_t name, uint32_t value) {
    if ((name & 0xfff) == 4) { /* the pointer of a block */
        if ((value & RKCHIP_POINTER_CLEAR) != 0) chip->group[name >> 12] = 0;
        return true;
    }
    if (name == DPU_LUT_ACCESS_CFG) {
        chip->lut_is_open = (value & 0x20000) != 0;
        chip->lut_table = value >> 16 & 1;
        if (chip->lut_is_open) {
            chip->lut_filled[chip->lut_table] = 0;
            chip->lut_was_written = true;
        }
        return true;
    }
    if (name != DPU_LUT_ACCESS_DATA || !chip->lut_is_open) return true;
    if (chip->lut_filled[chip->lut_table] == RKCHIP_LUT)
        return rkchip_refuse(chip, "a table gets more than 513 values");
    chip->lut[chip->lut_table][chip->lut_filled[chip->lut_table]++] = (int16_t)rkchip_signed(value, 16);
    return true;
}

static uint64_t rkchip_read_64(const uint8_t *at) {
    return (uint64_t)rkchip_read_32(at) | (uint64_t)rkchip_read_32(at + 4) << 32;
}

static bool rkchip_write_words(rkchip *chip, const rkchip_task *task) {
    const uint8_t *words = rkchip_span(chip, 0x0010, task->address, (uint64_t)task->amount * 8);
    uint32_t i;
    if (words == NULL) return false;
    chip->lut_is_open = false;
    chip->lut_was_written = false;
    for (i = 0; i < task->amount; i++, words += 8) {
        const uint64_t word = rkchip_read_64(words);
        const uint32_t name = (uint32_t)(word & 0xffff);
        /* The pointer decides where it is kept itself; nobody reads it. */
        if (!rkchip_write(chip, word) || !rkchip_effect(chip, name, (uint32_t)(word >> 16))) return false;
    }
    chip->lut_is_open = false;
    return true;
}

static bool rkchip_run_blocks(rkchip *chip, uint32_t enable) {
    if (chip->lut_was_written)
        return enable == RKCHIP_RUN_DPU || rkchip_refuse(chip, "a table is loaded by other blocks than the DPU");
    switch (enable) {
    case RKCHIP_RUN_CONV: return rkchip_convolve(chip);
    case RKCHIP_RUN_DPU: return rkchip_dpu_alone(chip);
    case RKCHIP_RUN_POOL: return rkchip_pooling(chip);
    default: return rkchip_refuse(chip, "blocks 0x%lx together are not known", (unsigned long)enable);
    }
}

/* Runs a task. false: it was refused, chip->sentence says why, and memory of the job may have changed. number is for
   that sentence. */
static bool rkchip_run(rkchip *chip, uint32_t number, const rkchip_task *task) {
    static const uint8_t blocks[][2] = {{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}; /* bit of enable, block */
    size_t i;
    chip->task = number;
    if (task->amount > 0xffff) return rkchip_refuse(chip, "%lu words", (unsigned long)task->amount);
    if (!rkchip_write_words(chip, task) || !rkchip_run_blocks(chip, task->enable)) return false;
    for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        if ((task->enable >> blocks[i][0] & 1) != 0) chip->group[blocks[i][1]] ^= 1;
    return true;
}

#endif /* NNRT_TOOLS_RKCHIP_RUN_H */
