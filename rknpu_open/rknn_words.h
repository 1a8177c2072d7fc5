/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/rknn_words.h - the words of a .rknn's tasks, each made complete.   >>rknpu_open_rknn_words

   A task of the vendor's writes what changes and leaves the rest in the registers, of which every block has two groups
   that take turns: it inherits from the task before last. What a task reaches then hangs on what the groups hold, and
   when they change is assumed (tools/rkchip/README.md). So a task gets its own words, in their order, and behind them
   those that it would have inherited: wherever the groups stand, it does what was checked.

   Addresses move by as much as the words have grown; what converts pixels of uint8 becomes what the vendor's runtime
   makes of it where a program gives int8 (seen with 1.6.0 and 2.3.2). A task that loads the table of a curve copies an
   atom from address 0, its own first words, to where it is; here it copies one behind all tensors. */
#ifndef NNRT_RKNPU_OPEN_RKNN_WORDS_H
#define NNRT_RKNPU_OPEN_RKNN_WORDS_H

#include "check.h"

#define NNRT__OPEN_RKNN_BLOCKS 9u /* bits 15:12 of a register */

/* What the registers hold while the tasks of a file go by. */
typedef struct nnrt__open_rknn_registers {
    nnrt__open_npu_rows rows; /* those that are known */
    uint32_t values[2][NNRT__OPEN_NPU_MOST_ROWS];
    bool written[NNRT__OPEN_NPU_MOST_ROWS]; /* by the task that is under way */
    uint8_t group[NNRT__OPEN_RKNN_BLOCKS];  /* that is written and run next */
    uint32_t shift;                         /* of addresses */
    uint32_t scratch;                       /* where an atom may be read and written */
    bool loads;                             /* the task that is under way loads the table of a curve */
} nnrt__open_rknn_registers;

NNRT__FN void nnrt__open_rknn_registers_begin(nnrt__open_rknn_registers *r, uint32_t shift, uint32_t scratch) {
    uint32_t i;
    memset(r, 0, sizeof(*r));
    r->rows = nnrt__open_npu_rows_of(NNRT__OPEN_NPU_RV1106);
    r->shift = shift;
    r->scratch = scratch;
    /* of a register that no task has written so far: the bits that it always has */
    for (i = 0; i < r->rows.count; i++) r->values[0][i] = r->values[1][i] = r->rows.rows[i].rest;
}

/* The value that a register gets in place of the file's. */
NNRT__FN uint32_t nnrt__open_rknn_value(const nnrt__open_rknn_registers *r, uint32_t name, uint32_t value) {
    switch (name) {
    case NNRT__OPEN_NPU_CNA_CVT_CON0: return 9; /* int8, as it is */
    case NNRT__OPEN_NPU_CNA_CVT_CON1:
    case NNRT__OPEN_NPU_CNA_CVT_CON2: return 0x10001;
    case NNRT__OPEN_NPU_CNA_CVT_OFFSET0:
    case NNRT__OPEN_NPU_CNA_CVT_CON3:
    case NNRT__OPEN_NPU_CNA_CVT_CON4:
    case NNRT__OPEN_NPU_CNA_CVT_OFFSET3:
    case NNRT__OPEN_NPU_CNA_CVT_ENABLE: return 0;
    default: break;
    }
    if (value == 0 && r->loads &&
        (name == NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR || name == NNRT__OPEN_NPU_DPU_DST_BASE_ADDR))
        return r->scratch;
    if (value != 0 && (nnrt__open_npu_is_address(name) || name == NNRT__OPEN_NPU_RDMA_BN_BASE_ADDR))
        return value + r->shift; /* one that wraps around leads out of the memory, or to what is loaded */
    return value;
}

NNRT__FN void nnrt__open_rknn_put(uint8_t *words, uint32_t at, uint32_t target, uint32_t name, uint32_t value) {
    const uint64_t word = nnrt__open_npu_check_word(target, name, value);
    if (words != NULL) memcpy(words + (size_t)at * 8, &word, sizeof(word));
}

/* One word of a task's own. false: it writes no register that is known. */
NNRT__FN bool nnrt__open_rknn_take(nnrt__open_rknn_registers *r, uint64_t word, uint8_t *to, uint32_t at) {
    const uint32_t name = (uint32_t)(word & 0xffff), block = name >> 12;
    const uint32_t row = nnrt__open_npu_row_find(&r->rows, name);
    const uint32_t value = nnrt__open_rknn_value(r, name, (uint32_t)(word >> 16));
    if (row == r->rows.count || (uint32_t)(word >> 48) != nnrt__open_npu_target(name)) return false;
    r->values[r->group[block]][row] = value;
    r->written[row] = true;
    if ((name & 0xfff) == 4 && (value & 0x30) != 0) r->group[block] = 0; /* the pointer, cleared */
    nnrt__open_rknn_put(to, at, nnrt__open_npu_target(name), name, value);
    return true;
}

/* Has the table of a curve to be written by whoever needs it: is the register none that can be inherited? */
NNRT__FN bool nnrt__open_rknn_is_entry(uint32_t name) {
    return name == NNRT__OPEN_NPU_DPU_LUT_ACCESS_CFG || name == NNRT__OPEN_NPU_DPU_LUT_ACCESS_DATA;
}

/* Does one of the words open a table to be written? */
NNRT__FN bool nnrt__open_rknn_loads(const uint8_t *words, uint32_t amount) {
    uint32_t i;
    for (i = 0; i < amount; i++)
        if (nnrt__read_u16(words + (size_t)i * 8) == NNRT__OPEN_NPU_DPU_LUT_ACCESS_CFG &&
            (nnrt__read_u32(words + (size_t)i * 8 + 2) & 0x20000) != 0)
            return true;
    return false;
}

/* A task: its words, amount of them, and those of its blocks that it has not written, to `to`, which may be NULL to
   count. *count: words there, without the tail. false: a word is not known, and the sentence says which. */
NNRT__FN bool nnrt__open_rknn_complete(nnrt__open_rknn_registers *r, const uint8_t *words, uint32_t amount,
                                       uint32_t enable, uint32_t task, uint8_t *to, uint32_t *count) {
    static const uint8_t bits[][2] = {{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}; /* of enable, and their blocks */
    const uint32_t blocks = nnrt__open_npu_blocks(enable);
    uint32_t i;
    (void)task;
    memset(r->written, 0, sizeof(r->written));
    r->loads = nnrt__open_rknn_loads(words, amount);
    for (i = 0; i < amount; i++)
        if (!nnrt__open_rknn_take(r, (uint64_t)nnrt__read_i64(words + (size_t)i * 8), to, i)) {
            (void)nnrt__fail(OH_NN_INVALID_FILE, "task %u of the .rknn: word %u writes no register that is known",
                             (unsigned)task, (unsigned)i);
            return false;
        }
    *count = amount;
    for (i = 0; i < r->rows.count; i++) {
        const uint32_t name = r->rows.rows[i].name, block = name >> 12;
        if ((blocks >> block & 1) == 0 || r->written[i] || nnrt__open_rknn_is_entry(name)) continue;
        nnrt__open_rknn_put(to, (*count)++, nnrt__open_npu_target(name), name, r->values[r->group[block]][i]);
    }
    for (i = 0; i < NNRT__COUNT_OF(bits); i++)
        if ((enable >> bits[i][0] & 1) != 0) r->group[bits[i][1]] ^= 1;
    return true;
}

#endif /* NNRT_RKNPU_OPEN_RKNN_WORDS_H */
