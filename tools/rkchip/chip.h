/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/chip.h - Rockchip's NPU in software: its registers, its memory, its refusals.

   A .rknn of toolkit 2 holds the finished command stream of the NPU: words that write registers, and tasks that say
   which words belong together and which blocks then run. This room executes such a stream as silicon does, to the byte
   as far as anybody knows. It is no part of the library: the tool carries it (`--device sim`), and tests do.

     words.h        every register that is known: the bits that mean something, the rest that has to be as it was seen
     words_*.h      those bits, a file for each generation
     generation.h   what else differs between RV1103/RV1106 and RK3588: layouts, places of fields, modes
     arithmetic.h   shifts and rounding
     convolve.h     CNA and CORE: input, weights, sums
     pipeline.h     DPU: bias, scales, activation, second operand, table, conversion to the output
     copies.h       DPU alone: copies, layouts, nearest neighbours
     pool.h         PPU
     run.h          tasks
     flat.h         flatbuffers
     model.h        what is read from a .rknn
     mini_file.h    the .rknn of RV1103 and RV1106
     full_file.h    the .rknn of RK3588
     file.h         either of them
     job.h          a model in memory, operator by operator
     facts.h        what is told of it without a run
     device.h       all of it as a device of nnrt

   A word outside of what is known stops the job with a sentence: no result is only nearly right. README.md says of each
   behaviour how it is known. Words, tasks and addresses come from strangers' files: every read and write is checked
   against the memory of the job, and every size before it is used. */
#ifndef NNRT_TOOLS_RKCHIP_CHIP_H
#define NNRT_TOOLS_RKCHIP_CHIP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum rkchip_generation {
    RKCHIP_RV1106, /* and RV1103 */
    RKCHIP_RK3588
} rkchip_generation;

enum {
    RKCHIP_FIRST = 0x1000, /* register */
    RKCHIP_END = 0x9000,
    RKCHIP_WORDS = (RKCHIP_END - RKCHIP_FIRST) / 4,
    RKCHIP_BLOCKS = 9, /* bits 15:12 of a register are its block: 1 CNA, 3 CORE, 4 DPU, 5 DPU_RDMA, 6 PPU, 7 PPU_RDMA,
                           8 DDMA */
    RKCHIP_LANES = 16, /* int8 channels of an atom, the 16 bytes that are one pixel of one plane */
    RKCHIP_LUT = 513,  /* values of a table */
    RKCHIP_SENTENCE = 256
};

/* Memory of the job, as the NPU sees it. */
typedef struct rkchip_region {
    uint64_t address;
    uint8_t *bytes;
    uint64_t size;
} rkchip_region;

typedef struct rkchip_memory {
    const rkchip_region *regions; /* that do not overlap */
    uint32_t count;
    uint64_t base; /* that every address in a register is relative to */
} rkchip_memory;

typedef enum rkchip_kind {
    RKCHIP_EXECUTED,
    RKCHIP_CHECKED,
    RKCHIP_TIMING
} rkchip_kind;

typedef struct rkchip_rule {
    uint16_t name;
    uint8_t kind;  /* rkchip_kind */
    uint32_t free; /* bits that may have any value here; modes are looked at where they are executed */
    uint32_t rest; /* what the other bits are */
} rkchip_rule;

typedef struct rkchip_task {
    uint32_t enable; /* bits of the blocks that run: 0 CNA, 2 CORE, 3 DPU, 4 DPU_RDMA, 5 PPU, 6 PPU_RDMA */
    uint32_t amount; /* words, without the four that lead to the next task */
    uint64_t address;
} rkchip_task;

/* Memory that grows as tasks need it, and stays for the next. */
typedef struct rkchip_buffer {
    void *bytes;
    size_t size;
} rkchip_buffer;

typedef struct rkchip {
    const struct rkchip_layout *layout; /* what is special to the generation */
    const rkchip_rule *rules;           /* its registers */
    rkchip_memory memory;
    /* Each block has two groups of registers, so that one can be written while the other runs. */
    uint32_t values[2][RKCHIP_WORDS];
    uint8_t group[RKCHIP_BLOCKS];
    uint8_t rule[RKCHIP_WORDS]; /* number in rules, plus 1; 0: no known register */
    int16_t lut[2][RKCHIP_LUT];
    uint32_t lut_filled[2];
    bool lut_is_open, lut_was_written; /* by the words of this task */
    uint32_t lut_table;                /* that is open */
    uint32_t task;                     /* under way, for sentences */
    uint64_t macs;                     /* of all tasks so far, with those of padding */
    rkchip_buffer input, weights, sums, tables, operand;
    char sentence[RKCHIP_SENTENCE];
} rkchip;

/* Why a job was refused; always false. */
static bool rkchip_refuse(rkchip *chip, const char *format, ...) {
    va_list arguments;
    int length = snprintf(chip->sentence, sizeof(chip->sentence), "task %lu: ", (unsigned long)chip->task);
    va_start(arguments, format);
    (void)vsnprintf(chip->sentence + length, sizeof(chip->sentence) - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* bytes bytes of the buffer, not cleared. NULL, and a refusal: there is no memory. */
static void *rkchip_room(rkchip *chip, rkchip_buffer *buffer, uint64_t bytes) {
    if (bytes > SIZE_MAX / 2) {
        (void)rkchip_refuse(chip, "it needs more memory than there is");
        return NULL;
    }
    if (bytes > buffer->size || buffer->bytes == NULL) {
        void *grown;
        free(buffer->bytes);
        buffer->size = 0;
        grown = buffer->bytes = malloc((size_t)bytes + 1);
        if (grown == NULL) {
            (void)rkchip_refuse(chip, "out of memory");
            return NULL;
        }
        buffer->size = (size_t)bytes;
    }
    return buffer->bytes;
}

/* The bytes from address on, size of them at least. NULL, and a refusal that names the register: they are not all of
   one region. */
static uint8_t *rkchip_span(rkchip *chip, uint32_t name, uint64_t address, uint64_t size) {
    uint32_t i;
    const uint64_t at = chip->memory.base + address;
    for (i = 0; i < chip->memory.count; i++) {
        const rkchip_region *region = &chip->memory.regions[i];
        if (at >= region->address && at - region->address <= region->size &&
            size <= region->size - (at - region->address))
            return region->bytes + (at - region->address);
    }
    (void)rkchip_refuse(chip, "register 0x%04x: %llu bytes at 0x%llx are not memory of the job", (unsigned)name,
                        (unsigned long long)size, (unsigned long long)address);
    return NULL;
}

/* The value of a register, in the group that its block runs with. */
static uint32_t rkchip_get(const rkchip *chip, uint32_t name) {
    return chip->values[chip->group[name >> 12]][(name - RKCHIP_FIRST) / 4];
}

/* count bits of it, from bit low on. */
static uint32_t rkchip_bits(const rkchip *chip, uint32_t name, unsigned low, unsigned count) {
    return rkchip_get(chip, name) >> low & ((count < 32 ? (uint32_t)1 << count : 0) - 1);
}

/* Of two's complement, without leaning on the compiler. */
static int32_t rkchip_signed(uint32_t value, unsigned bits) {
    const uint32_t sign = (uint32_t)1 << (bits - 1);
    value &= sign | (sign - 1);
    return (int32_t)((int64_t)(value ^ sign) - (int64_t)sign);
}

static int32_t rkchip_get_signed(const rkchip *chip, uint32_t name) {
    return rkchip_signed(rkchip_get(chip, name), 32);
}

/* A register whose value is none that anybody has seen, or whose bits contradict another's. */
static bool rkchip_refuse_word(rkchip *chip, uint32_t name, const char *why) {
    return rkchip_refuse(chip, "register 0x%04x is 0x%08lx: %s", (unsigned)name, (unsigned long)rkchip_get(chip, name),
                         why);
}

static bool rkchip_expect(rkchip *chip, uint32_t name, uint32_t value) {
    char why[80];
    if (rkchip_get(chip, name) == value) return true;
    snprintf(why, sizeof(why), "0x%08lx follows from the others", (unsigned long)value);
    return rkchip_refuse_word(chip, name, why);
}

#endif /* NNRT_TOOLS_RKCHIP_CHIP_H */
