/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/check_task.h - the memory that one task can reach, from its words.   >>rknpu_open_check_task

   RV1103 and RV1106 have no IOMMU: a task that leaves its memory reads or writes whatever else is in the board's RAM.
   So nothing is left to what a register held before:

     - a task writes every register of its blocks (but those of tables of curves), after the pointer of the block, and
       no register of another block;
     - modes are those that were seen, word by word, where a mode says what is read or written;
     - of what registers say twice, both have to agree, or the larger counts;
     - places are added up in 64 bits, to the last byte of the last row of the last plane, and what is written begins
       behind what the image brought.

   Known are the places that convolutions (CNA, CORE, DPU, DPU_RDMA), tasks of the DPU alone and poolings reach: seen in
   whole networks that were executed by these rules, and documented for RK3588. That silicon reaches no further is
   assumed, as for the lanes of an odd plane at the end of a map: they count as written where a register says so. */
#ifndef NNRT_RKNPU_OPEN_CHECK_TASK_H
#define NNRT_RKNPU_OPEN_CHECK_TASK_H

#include "check_rows.h"

enum {
    NNRT__OPEN_NPU_RUN_CONV = 0x1d, /* blocks: CNA, CORE, DPU, DPU_RDMA */
    NNRT__OPEN_NPU_RUN_DPU = 0x18,  /* DPU, DPU_RDMA */
    NNRT__OPEN_NPU_RUN_POOL = 0x60  /* PPU, PPU_RDMA */
};

/* Bytes of the memory: from the first to the one behind the last. */
typedef struct nnrt__open_npu_range {
    uint64_t from, to;
} nnrt__open_npu_range;

/* What is known of the task that is looked at. */
typedef struct nnrt__open_npu_check_state {
    nnrt__open_npu_chip chip;
    nnrt__open_npu_rows rows;
    uint64_t memory_size, loaded_size;
    nnrt__open_npu_range output; /* what the task can write */
    uint32_t task;
    uint32_t values[NNRT__OPEN_NPU_MOST_ROWS];
    bool written[NNRT__OPEN_NPU_MOST_ROWS];
} nnrt__open_npu_check_state;

NNRT__FN uint32_t nnrt__open_npu_get(const nnrt__open_npu_check_state *s, uint32_t name) {
    const uint32_t row = nnrt__open_npu_row_find(&s->rows, name);
    return row < s->rows.count ? s->values[row] : 0;
}

/* count bits of a register, from bit low on; count is below 32. */
NNRT__FN uint32_t nnrt__open_npu_bits(const nnrt__open_npu_check_state *s, uint32_t name, unsigned low,
                                      unsigned count) {
    return nnrt__open_npu_get(s, name) >> low & (((uint32_t)1 << count) - 1);
}

/* Two's complement of so many bits. */
NNRT__FN int64_t nnrt__open_npu_signed(uint32_t value, unsigned bits) {
    const int64_t sign = (int64_t)1 << (bits - 1);
    const int64_t magnitude = (int64_t)value & (2 * sign - 1);
    return (magnitude ^ sign) - sign;
}

/* Always false. */
NNRT__FN bool nnrt__open_npu_refuse_word(const nnrt__open_npu_check_state *s, uint32_t name, const char *why) {
    (void)why;
    (void)nnrt__fail(OH_NN_INVALID_FILE, "task %u of the NPU: register 0x%x is 0x%x: %s", (unsigned)s->task,
                     (unsigned)name, (unsigned)nnrt__open_npu_get(s, name), why);
    return false;
}

NNRT__FN bool nnrt__open_npu_expect(const nnrt__open_npu_check_state *s, uint32_t name, uint64_t value) {
    return nnrt__open_npu_get(s, name) == value ||
           nnrt__open_npu_refuse_word(s, name, "the others say something else of the same size");
}

/* --------------------------------------------------------------------------------------------------- places */

/* Rows of row bytes, row_step apart, in planes that are plane_step apart. Steps are not negative. */
typedef struct nnrt__open_npu_extent {
    uint64_t planes, plane_step; /* below 2^13 and 2^34 */
    uint64_t rows, row_step;     /* below 2^14 and 2^34 */
    uint64_t row;                /* below 2^40 */
} nnrt__open_npu_extent;

/* Looks that all of it, from the address in a register on, lies in memory, and behind what was loaded if it is
   written. Addresses are multiples of 16, as the NPU's buses have it. */
NNRT__FN bool nnrt__open_npu_lies(nnrt__open_npu_check_state *s, uint32_t name, const nnrt__open_npu_extent *extent,
                                  bool writes) {
    const uint64_t address = nnrt__open_npu_get(s, name);
    const uint64_t end =
        address + (extent->planes - 1) * extent->plane_step + (extent->rows - 1) * extent->row_step + extent->row;
    if (address % NNRT__OPEN_NPU_LANES != 0)
        return nnrt__open_npu_refuse_word(s, name, "an address that is no multiple of 16");
    if (end > s->memory_size) return nnrt__open_npu_refuse_word(s, name, "it leads out of the memory of the job");
    if (writes && address < s->loaded_size)
        return nnrt__open_npu_refuse_word(s, name, "it would write over words or weights");
    if (writes) {
        s->output.from = address;
        s->output.to = end;
    }
    return true;
}

/* size bytes without gaps, to the end of their line of 64. */
NNRT__FN bool nnrt__open_npu_lies_flat(nnrt__open_npu_check_state *s, uint32_t name, uint64_t size) {
    nnrt__open_npu_extent extent = {1, 0, 1, 0, 0};
    extent.row = (size + NNRT__OPEN_NPU_ALIGNMENT - 1) / NNRT__OPEN_NPU_ALIGNMENT * (uint64_t)NNRT__OPEN_NPU_ALIGNMENT;
    return nnrt__open_npu_lies(s, name, &extent, false);
}

NNRT__FN uint32_t nnrt__open_npu_check_largest(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ------------------------------------------------------------------------------------------------ the words */

/* The bits of a word that are no value and no register: the block, and that it is written. */
NNRT__FN uint32_t nnrt__open_npu_target(uint32_t name) {
    static const uint16_t targets[9] = {0x101, 0x201, 0, 0x801, 0x1001, 0x2001, 0x4001, 0x8001, 0x401};
    return name >> 12 < NNRT__COUNT_OF(targets) ? targets[name >> 12] : 0;
}

NNRT__FN uint64_t nnrt__open_npu_check_word(uint32_t target, uint32_t name, uint32_t value) {
    return (uint64_t)target << 48 | (uint64_t)value << 16 | name;
}

/* Blocks of a task, a bit for each number of a block, which is bits 15:12 of its registers. 8, the bus, is always
   there. 0: no task is known that starts these. */
NNRT__FN uint32_t nnrt__open_npu_blocks(uint32_t enable) {
    switch (enable) {
    case NNRT__OPEN_NPU_RUN_CONV: return 0x13a;
    case NNRT__OPEN_NPU_RUN_DPU: return 0x130;
    case NNRT__OPEN_NPU_RUN_POOL: return 0x1c0;
    default: return 0;
    }
}

/* Registers that only tasks with a table of curves need to write. */
NNRT__FN bool nnrt__open_npu_is_curve(uint32_t name) {
    return name >= NNRT__OPEN_NPU_DPU_LUT_ACCESS_CFG && name <= NNRT__OPEN_NPU_DPU_LUT_LO_SLOPE_SHIFT;
}

/* The pointer of a block says which of its two groups of registers is written and run: the two words that were seen
   keep both the same, if the others follow. *open: blocks whose pointer was written. */
NNRT__FN bool nnrt__open_npu_take_pointer(const nnrt__open_npu_check_state *s, uint32_t name, uint32_t *open) {
    const uint32_t block = (uint32_t)1 << (name >> 12), value = nnrt__open_npu_get(s, name);
    if (value != 0xe && value != 0x30)
        return nnrt__open_npu_refuse_word(s, name, "no use of the two groups of registers that is known");
    if ((*open & block) != 0) return nnrt__open_npu_refuse_word(s, name, "the pointer of a block, twice in a task");
    *open |= block;
    return true;
}

NNRT__FN bool nnrt__open_npu_take_word(nnrt__open_npu_check_state *s, uint64_t word, uint32_t blocks, uint32_t *open) {
    const uint32_t name = (uint32_t)(word & 0xffff), value = (uint32_t)(word >> 16), block = name >> 12;
    const uint32_t number = nnrt__open_npu_row_find(&s->rows, name);
    const nnrt__open_npu_row *row = &s->rows.rows[number];
    if (number == s->rows.count || (uint32_t)(word >> 48) != nnrt__open_npu_target(name) ||
        (blocks >> block & 1) == 0) {
        (void)nnrt__fail(OH_NN_INVALID_FILE,
                         "task %u of the NPU: a word for block 0x%x writes register 0x%x, which its blocks have not",
                         (unsigned)s->task, (unsigned)(word >> 48), (unsigned)name);
        return false;
    }
    s->values[number] = value;
    s->written[number] = true;
    if ((value & ~row->free) != row->rest)
        return nnrt__open_npu_refuse_word(s, name, "bits of it were only ever seen with another value");
    if ((name & 0xfff) == 4) return nnrt__open_npu_take_pointer(s, name, open);
    return (*open >> block & 1) != 0 ||
           nnrt__open_npu_refuse_word(s, name, "it is written before the pointer of its block");
}

/* words: amount of them. */
NNRT__FN bool nnrt__open_npu_take_words(nnrt__open_npu_check_state *s, const uint8_t *words, uint32_t amount,
                                        uint32_t enable) {
    const uint32_t blocks = nnrt__open_npu_blocks(enable);
    /* of the bus, and on RK3588 of CNA and CORE, there is no pointer in words */
    uint32_t open = s->chip == NNRT__OPEN_NPU_RK3588 ? 0x10a : 0x100, i;
    memset(s->values, 0, sizeof(s->values));
    memset(s->written, 0, sizeof(s->written));
    for (i = 0; i < amount; i++)
        if (!nnrt__open_npu_take_word(s, (uint64_t)nnrt__read_i64(words + (size_t)i * 8), blocks, &open)) return false;
    for (i = 0; i < s->rows.count; i++) {
        const uint32_t name = s->rows.rows[i].name;
        if ((blocks >> (name >> 12) & 1) != 0 && !s->written[i] && !nnrt__open_npu_is_curve(name)) {
            (void)nnrt__fail(OH_NN_INVALID_FILE,
                             "task %u of the NPU: register 0x%x is not written, and holds what another task left",
                             (unsigned)s->task, (unsigned)name);
            return false;
        }
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------- the DPU */

/* What the DPU writes. */
typedef struct nnrt__open_npu_check_out {
    uint32_t width, height;
    uint32_t planes; /* of 16 channels, by whichever register says most */
} nnrt__open_npu_check_out;

NNRT__FN void nnrt__open_npu_out_read(const nnrt__open_npu_check_state *s, nnrt__open_npu_check_out *out) {
    const uint32_t channels =
        nnrt__open_npu_check_largest(nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0, 13),
                                     nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 16, 13));
    out->width = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, 0, 13) + 1;
    out->height = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, 0, 13) + 1;
    out->planes = channels / NNRT__OPEN_NPU_LANES + 1;
}

/* WDMA_SIZE_0: RV1103 and RV1106 count planes, RK3588 channels, which of a phase are those of a row. */
NNRT__FN bool nnrt__open_npu_out_planes(const nnrt__open_npu_check_state *s, nnrt__open_npu_check_out *out,
                                        bool phase) {
    const uint32_t size = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0);
    if (s->chip == NNRT__OPEN_NPU_RV1106) {
        if (size >> 27 != 0 || ((size & 0xffff) != 3 && (size & 0xffff) != 7))
            return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, "no way of writing that is known");
        out->planes = nnrt__open_npu_check_largest(out->planes, (size >> 16) + 1);
        return true;
    }
    if (phase)
        return nnrt__open_npu_expect(
            s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0,
            (uint64_t)out->width * (nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0, 13) + 1) - 1);
    out->planes = nnrt__open_npu_check_largest(out->planes, size / NNRT__OPEN_NPU_LANES + 1);
    return true;
}

/* EW: whether a second operand is read. false: no word that is known, or one that the reader contradicts. */
NNRT__FN bool nnrt__open_npu_ew(const nnrt__open_npu_check_state *s, bool *operand) {
    static const uint32_t words[2][5] = {{0x010041c1, 0x01004140, 0x8002c0c0, 0x81004094, 0x8000c0c0},
                                         {0x383, 0x302, 0x904202c0, 0x904200c0, 0x383}};
    const uint32_t word = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_EW_CFG);
    const uint32_t reading = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG);
    uint32_t i = 0;
    while (i < 5 && words[s->chip == NNRT__OPEN_NPU_RK3588][i] != word) i++;
    if (i == 5) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_EW_CFG, "no operation of EW that is known");
    *operand = i >= 2;
    if (*operand ? reading != 4 && reading != 0x40000004 : reading != 1)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG, "EW asks for another second operand");
    return true;
}

/* The second operand. Beside a convolution RK3588 takes planes from two addresses in turn, one plane apart. */
NNRT__FN bool nnrt__open_npu_operand_lies(nnrt__open_npu_check_state *s, const nnrt__open_npu_check_out *out,
                                          bool convolves) {
    const bool turns = convolves && s->chip == NNRT__OPEN_NPU_RK3588;
    const uint64_t stride = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_EW_SURF_STRIDE);
    const int64_t notch = nnrt__open_npu_signed(nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_EW_SURF_NOTCH), 32);
    const uint32_t channels = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, 0, 13);
    const uint32_t outs = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 16, 13);
    nnrt__open_npu_extent extent = {1, 0, 1, 0, 0};
    extent.planes = nnrt__open_npu_check_largest(channels, outs) / NNRT__OPEN_NPU_LANES + 1;
    if (nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG) == 4)
        return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_EW_SURF_NOTCH, 0) &&
               nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_EW_SURF_STRIDE, NNRT__OPEN_NPU_LANES) &&
               nnrt__open_npu_lies_flat(s, NNRT__OPEN_NPU_RDMA_EW_BASE_ADDR, extent.planes * NNRT__OPEN_NPU_LANES);
    extent.row = (uint64_t)out->width * out->height * NNRT__OPEN_NPU_LANES;
    extent.plane_step = stride;
    if (turns)
        return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_EW_BASE_ADDR,
                                     nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR) + stride) &&
               nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, stride) &&
               nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_EW_SURF_NOTCH, stride) &&
               nnrt__open_npu_lies(s, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR, &extent, false);
    /* from the end of what is read of a plane to the end of the plane, if it is not the stride that counts */
    if (notch < 0) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_EW_SURF_NOTCH, "planes that go back");
    if (extent.row + (uint64_t)notch > extent.plane_step) extent.plane_step = extent.row + (uint64_t)notch;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_RDMA_EW_BASE_ADDR, &extent, false);
}

/* int8 in, int8 out: other types have other sizes. */
NNRT__FN bool nnrt__open_npu_is_int8(const nnrt__open_npu_check_state *s) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t shifts = large ? 0xfff0u : 0xfc00u;
    return (nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT) & ~shifts) == (large ? 0 : 0x00800000u) ||
           nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT, "another type than int8");
}

/* One of two words of a register. */
NNRT__FN bool nnrt__open_npu_is_one_of(const nnrt__open_npu_check_state *s, uint32_t name, uint32_t a, uint32_t b) {
    const uint32_t word = nnrt__open_npu_get(s, name);
    return word == a || word == b || nnrt__open_npu_refuse_word(s, name, "no mode that is known");
}

/* -------------------------------------------------------------------------------------------- a convolution */

typedef struct nnrt__open_npu_conv_shape {
    bool depthwise, lines; /* lines: rows have a gap behind them */
    uint32_t picture;      /* channels of a picture; 0: planes */
    uint32_t width, height, lanes;
} nnrt__open_npu_conv_shape;

NNRT__FN bool nnrt__open_npu_check_conv_read(const nnrt__open_npu_check_state *s, nnrt__open_npu_conv_shape *c) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t control = nnrt__open_npu_get(s, NNRT__OPEN_NPU_CNA_CONV_CON1);
    const uint32_t mode = control & 15, packed = control >> 12 & 15, upper = control >> 16 << 16;
    memset(c, 0, sizeof(*c));
    c->depthwise = mode != 0;
    c->picture = packed != 0 ? packed - 7 : 0;
    c->lines = large && c->depthwise && upper == 0x20000000;
    if ((c->depthwise && mode != (large ? 3u : 7u)) || (packed != 0 && packed != 8 && packed != 10 && packed != 11) ||
        (packed != 0 && c->depthwise) ||
        (!c->lines && upper != (packed == 0 ? 0
                                : large     ? 0x60000000u
                                            : 0x20000000u)))
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_CONV_CON1, "no kind of convolution that is known");
    c->width = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_DATA_SIZE0, 16, 11);
    c->height = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_DATA_SIZE0, 0, 11);
    c->lanes = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_DATA_SIZE1, 0, 16);
    if (c->width == 0 || c->height == 0)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_DATA_SIZE0, "the input is empty");
    if (c->lanes == 0 || c->lanes % NNRT__OPEN_NPU_LANES != 0)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_DATA_SIZE1, "the lanes are no multiple of 16");
    return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE1, c->lanes);
}

/* Rows of a picture begin at every 16th pixel; the vendor's words have it read as one row of atoms of 16 bytes. */
NNRT__FN bool nnrt__open_npu_picture_lies(nnrt__open_npu_check_state *s, const nnrt__open_npu_conv_shape *c) {
    const uint32_t fetched = nnrt__open_npu_get(s, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE0);
    const uint64_t pixels = (uint64_t)c->height * ((c->width + 15) / 16 * 16);
    uint64_t atoms = nnrt__open_npu_get(s, NNRT__OPEN_NPU_CNA_DMA_CON1);
    if ((fetched & 0xffff) == 1 && atoms < fetched >> 16) atoms = fetched >> 16;
    else if ((fetched & 0xffff) != 1 &&
             !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE0, c->width << 16 | c->height))
        return false;
    atoms *= NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_lies_flat(s, NNRT__OPEN_NPU_CNA_FEATURE_DATA_ADDR,
                                    atoms > pixels * c->picture ? atoms : pixels * c->picture);
}

NNRT__FN bool nnrt__open_npu_input_lies(nnrt__open_npu_check_state *s, const nnrt__open_npu_conv_shape *c) {
    const uint32_t line = nnrt__open_npu_get(s, NNRT__OPEN_NPU_CNA_DMA_CON1);
    const uint32_t jump = nnrt__open_npu_get(s, NNRT__OPEN_NPU_CNA_DMA_CON2);
    nnrt__open_npu_extent extent;
    int64_t plane = jump;
    if (c->picture != 0) return nnrt__open_npu_picture_lies(s, c);
    if (!nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE0, c->width << 16 | c->height)) return false;
    if (s->chip == NNRT__OPEN_NPU_RV1106) {
        if (line > 4 * c->width) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_DMA_CON1, "longer than a row");
    } else {
        /* Lines are read in groups of four, or one by one where they have gaps; the second stride is the jump from the
           last group to the next plane. */
        if (c->lines ? line < c->width : line != 4 * c->width)
            return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_DMA_CON1, "lines of another width");
        plane = nnrt__open_npu_signed(jump, 28) + (c->lines ? c->width : line);
    }
    if (plane < 0) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_DMA_CON2, "planes that go back");
    extent.planes = c->lanes / NNRT__OPEN_NPU_LANES;
    extent.plane_step = (uint64_t)plane * NNRT__OPEN_NPU_LANES;
    extent.rows = c->height;
    extent.row_step = (uint64_t)(c->lines ? line : c->width) * NNRT__OPEN_NPU_LANES;
    extent.row = (uint64_t)c->width * NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_CNA_FEATURE_DATA_ADDR, &extent, false);
}

/* Weights, the table of channels, slopes. */
NNRT__FN bool nnrt__open_npu_weights_lie(nnrt__open_npu_check_state *s, const nnrt__open_npu_conv_shape *c,
                                         const nnrt__open_npu_check_out *out) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t taps = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, 24, 5) *
                          nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, 16, 5);
    const uint32_t kernels = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, 0, 14);
    const uint64_t kernel = (uint64_t)taps * (c->picture == 0 ? c->lanes : large ? 16u : 4u);
    const uint32_t form = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_BRDMA_CFG), group = large ? 8 : 4;
    const uint64_t channels = (uint64_t)out->planes * NNRT__OPEN_NPU_LANES;
    const bool slopes = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_NRDMA_CFG) != 0 ||
                        nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_BN_MUL_CFG, 0, 1) != 0;
    uint64_t table = group * ((form & 4) != 0 ? 2u : 0u) + group * ((form & 8) != 0 ? 2u : 0u);
    if ((form & 2) != 0) table += (uint64_t)group * 4;
    if (taps == 0) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, "the kernel is empty");
    return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE1, kernel) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE0, kernel * kernels) &&
           nnrt__open_npu_lies_flat(s, NNRT__OPEN_NPU_CNA_DCOMP_ADDR0, kernel * kernels) &&
           nnrt__open_npu_lies_flat(s, NNRT__OPEN_NPU_RDMA_BS_BASE_ADDR, (channels + group - 1) / group * table) &&
           (!slopes || nnrt__open_npu_lies_flat(s, NNRT__OPEN_NPU_RDMA_BN_BASE_ADDR, channels * 2));
}

/* Modes that go with the kind of convolution. */
NNRT__FN bool nnrt__open_npu_conv_modes(const nnrt__open_npu_check_state *s, bool depthwise, bool operand) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t reading = depthwise ? 0x7816 : !operand ? 0x7810 : large ? 0x7d00 : 0x907818;
    if (depthwise && operand && large)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_EW_CFG, "no second operand beside this is known");
    return nnrt__open_npu_is_int8(s) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, depthwise ? 0x1fc : 0x1e4,
                                    depthwise ? 0x1fc : 0x1e4) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_CORE_MISC_CFG,
                                    !depthwise ? 1
                                    : large    ? 3
                                               : 0xa,
                                    !depthwise ? 1
                                    : large    ? 3
                                               : 0xa) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG,
                                    depthwise ? (large ? 0x36d : 0x70000125) : (large ? 0x125 : 0x30000001),
                                    depthwise ? (large ? 0x36c : 0x70000125) : (large ? 0x124 : 0x30000002)) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, reading,
                                    depthwise && operand ? 0x90781e : reading);
}

/* Where a convolution writes. A phase, of RK3588, leaves gaps between pixels. */
NNRT__FN bool nnrt__open_npu_conv_out(nnrt__open_npu_check_state *s, const nnrt__open_npu_conv_shape *c,
                                      nnrt__open_npu_check_out *out) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t last = (out->height - 1) << 16 | (out->width - 1);
    const uint32_t gap = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR);
    const uint64_t plane = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE);
    const uint64_t steps = large ? (c->depthwise ? 4 : 2) : (c->depthwise ? 2 : 1), pixel = (gap & 0x1fff) + 1;
    const bool phase = large && c->depthwise && gap != 0;
    nnrt__open_npu_extent extent;
    if (gap != 0 && (!phase || gap >> 16 != (gap & 0xffff)))
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, "no gaps that are known");
    if (!nnrt__open_npu_out_planes(s, out, phase) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CORE_DATAOUT_SIZE_0, last) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CORE_DATAOUT_SIZE_1,
                               nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0, 13)) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, phase ? last >> 16 << 16 : last) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_DATA_SIZE2, out->width) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_CNA_DATA_SIZE3, (uint64_t)out->width * out->height) ||
        (!phase && !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD, plane * steps)))
        return false;
    extent.planes = out->planes;
    extent.plane_step = plane;
    extent.rows = out->height;
    extent.row = out->width * pixel * NNRT__OPEN_NPU_LANES;
    extent.row_step = phase ? nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD) : extent.row;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

NNRT__FN bool nnrt__open_npu_check_conv(nnrt__open_npu_check_state *s) {
    nnrt__open_npu_conv_shape c;
    nnrt__open_npu_check_out out;
    bool operand = false;
    nnrt__open_npu_out_read(s, &out);
    return nnrt__open_npu_check_conv_read(s, &c) && nnrt__open_npu_ew(s, &operand) &&
           nnrt__open_npu_conv_modes(s, c.depthwise, operand) && nnrt__open_npu_conv_out(s, &c, &out) &&
           nnrt__open_npu_input_lies(s, &c) && nnrt__open_npu_weights_lie(s, &c, &out) &&
           (!operand || nnrt__open_npu_operand_lies(s, &out, true));
}

/* ------------------------------------------------------------------------------------- tasks of the DPU alone */

/* The size of what is read. */
NNRT__FN void nnrt__open_npu_source_read(const nnrt__open_npu_check_state *s, nnrt__open_npu_check_out *from) {
    from->width = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_WIDTH, 0, 13) + 1;
    from->height = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_HEIGHT, 0, 13) + 1;
    from->planes = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, 0, 13) / NNRT__OPEN_NPU_LANES + 1;
}

/* What a copy reads: rows and planes that may have gaps behind them. */
NNRT__FN bool nnrt__open_npu_source_lies(nnrt__open_npu_check_state *s, const nnrt__open_npu_check_out *out) {
    const uint64_t row = (uint64_t)out->width * NNRT__OPEN_NPU_LANES;
    nnrt__open_npu_extent extent;
    int64_t plane;
    extent.planes = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, 0, 13) / NNRT__OPEN_NPU_LANES + 1;
    extent.rows = out->height;
    extent.row = row;
    extent.row_step =
        row + (uint64_t)nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 19, 13) * NNRT__OPEN_NPU_LANES;
    plane = (int64_t)((extent.rows - 1) * extent.row_step + row) +
            nnrt__open_npu_signed(nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH), 32);
    if (plane < 0) return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, "planes that go back");
    extent.plane_step = (uint64_t)plane;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR, &extent, false);
}

/* Each atom of one plane four times, in a square. The writer is told the new width and the old height. */
NNRT__FN bool nnrt__open_npu_check_nearest(nnrt__open_npu_check_state *s) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    const uint32_t size = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0);
    nnrt__open_npu_check_out from;
    nnrt__open_npu_extent extent = {1, 0, 1, 0, 0};
    nnrt__open_npu_source_read(s, &from);
    if (nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0, 13) >= NNRT__OPEN_NPU_LANES ||
        nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 16, 13) >= NNRT__OPEN_NPU_LANES ||
        nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL) >= NNRT__OPEN_NPU_LANES)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, "more than one plane");
    if (large ? size >= NNRT__OPEN_NPU_LANES : size != 0 && size != 3 && size != 7)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, "no way of writing that is known");
    extent.row = (uint64_t)from.width * from.height * 4 * NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, large ? 0xf801 : 0x927809) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, 0x1e5) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, 2 * (uint64_t)from.width - 1) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, from.height - 1) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1,
                                 (uint64_t)(from.height - 1) << 16 | (2 * (uint64_t)from.width - 1)) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 0x1249) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, 0) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x126) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, (uint64_t)from.width * 0x20002) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG, 1) && nnrt__open_npu_source_lies(s, &from) &&
           nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

/* ------------------------------------------------------------------- other layouts, of RV1103 and RV1106

   Known as whole tasks, in the forms that the vendor's have; every register that says a size has the value that it has
   there, as it is not known which of them counts. */

/* Atoms of a block of pixels, rows of which are planes: every pixel's atoms one behind the other. */
NNRT__FN bool nnrt__open_npu_check_words(nnrt__open_npu_check_state *s) {
    const uint32_t last = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL), blocks = last / 4 + 1;
    nnrt__open_npu_check_out from;
    nnrt__open_npu_extent extent;
    int64_t step;
    uint64_t pixel, block;
    nnrt__open_npu_source_read(s, &from);
    pixel = (uint64_t)from.height * NNRT__OPEN_NPU_LANES;
    block = pixel * from.width;
    extent.planes = blocks;
    extent.rows = from.height;
    extent.row = (uint64_t)from.width * NNRT__OPEN_NPU_LANES;
    extent.row_step = extent.row * blocks;
    step = (int64_t)((extent.rows - 1) * extent.row_step + extent.row) +
           nnrt__open_npu_signed(nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH), 32);
    if (step != (int64_t)extent.row)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, "no blocks that follow each other");
    extent.plane_step = extent.row;
    if (!nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, 0x1e5) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, 0x927889) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG,
                               ((uint64_t)(blocks - 1) * from.width) << 19 & 0xffffffffu) ||
        (uint64_t)(blocks - 1) * from.width >= 1u << 13 ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, 0x100000 | (from.width - 1)) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, from.height - 1) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, last << 16 | last) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR,
                               (uint64_t)(from.width - 1) * from.height * 0x10001) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, 0x8000000) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, (blocks - 1) << 16 | (from.height - 1)) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, pixel) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD, block) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD_2, 0) ||
        !nnrt__open_npu_lies(s, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR, &extent, false))
        return false;
    extent.planes = extent.rows = 1;
    extent.row = blocks * block;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

/* Squares of 16 atoms, bytes and atoms changed about. The reader is told a second plane, whose meaning is not known: it
   has to lie in the memory, too. */
NNRT__FN bool nnrt__open_npu_check_turn(nnrt__open_npu_check_state *s) {
    nnrt__open_npu_check_out from;
    nnrt__open_npu_extent extent;
    int64_t step;
    nnrt__open_npu_source_read(s, &from);
    extent.rows = 1;
    extent.row_step = 0;
    extent.row = (uint64_t)from.height * NNRT__OPEN_NPU_LANES;
    step = (int64_t)extent.row + nnrt__open_npu_signed(nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH), 32);
    if (step < 0 || step > (int64_t)extent.row)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, "planes that go back");
    extent.planes = 2;
    extent.plane_step = (uint64_t)step;
    if (from.height % NNRT__OPEN_NPU_LANES != 0)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_HEIGHT, "no whole squares");
    if (!nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, 0x1e5 | (uint64_t)from.height << 9) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, 0x927889) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_WIDTH, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, 3) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, 0x100000) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, from.height - 1) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, 0x30003) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, 0x70007) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0,
                               (uint64_t)(from.height / NNRT__OPEN_NPU_LANES - 1) << 16) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, 0x10000) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, 0x10) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD, 0x100) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD_2, 0) ||
        !nnrt__open_npu_lies(s, NNRT__OPEN_NPU_RDMA_SRC_BASE_ADDR, &extent, false))
        return false;
    extent.planes = 1;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

/* Atoms, of the last of a row only some bytes, to a run of bytes that is cut into pieces, each of them an atom: of 16
   bytes without gaps, of 4 with 12 behind them. */
NNRT__FN bool nnrt__open_npu_check_dense(nnrt__open_npu_check_state *s) {
    const uint32_t mode = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG);
    const uint32_t channel = nnrt__open_npu_get(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL);
    const uint32_t piece = nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, 16, 5), last = mode >> 26 & 15;
    const uint64_t atoms = mode >> 9 & 0xffff;
    nnrt__open_npu_check_out from;
    nnrt__open_npu_extent extent = {1, 0, 1, 0, 0};
    uint64_t bytes;
    nnrt__open_npu_source_read(s, &from);
    bytes = ((uint64_t)from.width * NNRT__OPEN_NPU_LANES - (last != 0 ? NNRT__OPEN_NPU_LANES - last : 0)) *
            from.height * from.planes;
    if (atoms == 0 || mode >> 30 != 0 || (mode & 0x1ff) != 0x1e5)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, "no packing that is known");
    if (piece != 4 && piece != 16)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, "no packing that is known");
    if (atoms * piece > bytes)
        return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, "it writes more than it reads");
    if (!nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT, 0x800000) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, 0x907809) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_SURF_NOTCH, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x30100002) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, (uint64_t)piece << 16 | (from.width - 1)) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, from.height - 1) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, (uint64_t)channel << 16 | channel) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, 3) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, (from.height - 1) << 16 | (from.width - 1)) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD_2, piece == 4 ? atoms << 16 : 0) ||
        !nnrt__open_npu_source_lies(s, &from))
        return false;
    extent.row = atoms * NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

#define NNRT__OPEN_NPU_NONALIGN 0x02000000u     /* of DPU_FEATURE_MODE_CFG */
#define NNRT__OPEN_NPU_FORMAT_WORDS 0x81000004u /* of DPU_DATA_FORMAT */

NNRT__FN bool nnrt__open_npu_is_packing(const nnrt__open_npu_check_state *s) {
    return s->chip == NNRT__OPEN_NPU_RV1106 &&
           ((nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG) & NNRT__OPEN_NPU_NONALIGN) != 0 ||
            nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT) == NNRT__OPEN_NPU_FORMAT_WORDS);
}

NNRT__FN bool nnrt__open_npu_check_packing(nnrt__open_npu_check_state *s) {
    const uint32_t way = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG);
    if (nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT) != NNRT__OPEN_NPU_FORMAT_WORDS)
        return nnrt__open_npu_check_dense(s) && nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG, 1);
    if (!nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_ERDMA_CFG, 1)) return false;
    if (way == 0x80007fe) return nnrt__open_npu_check_words(s);
    if (way == 0x2007fe) return nnrt__open_npu_check_turn(s);
    return nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG, "no layout that is known");
}

/* ---------------------------------------------------------------------------------------- copies and sums */

/* Where a copy writes. Of a gap behind rows, and of the two strides of planes, the larger counts: which of them does
   what was only seen where they agree. But RK3588 writes planes in pairs, as convolutions have it (assumed for copies):
   twice the stride is from a pair to the next. */
NNRT__FN bool nnrt__open_npu_copy_out(nnrt__open_npu_check_state *s, nnrt__open_npu_check_out *out) {
    const uint32_t gap =
        nnrt__open_npu_check_largest(nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, 0, 13),
                                     nnrt__open_npu_bits(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_NOTCH_ADDR, 16, 13));
    const uint64_t stride = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE);
    const uint64_t add = nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_SURFACE_ADD);
    nnrt__open_npu_extent extent;
    if (!nnrt__open_npu_out_planes(s, out, false)) return false;
    extent.planes = out->planes;
    extent.plane_step = stride;
    if (add > stride && (s->chip == NNRT__OPEN_NPU_RV1106 || add != 2 * stride)) extent.plane_step = add;
    extent.rows = out->height;
    extent.row = (uint64_t)out->width * NNRT__OPEN_NPU_LANES;
    extent.row_step = extent.row + (uint64_t)gap * NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_lies(s, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, &extent, true);
}

NNRT__FN bool nnrt__open_npu_check_copy(nnrt__open_npu_check_state *s, bool operand) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    nnrt__open_npu_check_out out;
    nnrt__open_npu_out_read(s, &out);
    return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, 0x1e5) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_WIDTH, out.width - 1) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_DATA_CUBE_HEIGHT, out.height - 1) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, out.width - 1) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, (out.height - 1) << 16 | (out.width - 1)) &&
           nnrt__open_npu_is_int8(s) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, large ? 0x7801 : 0x907809,
                                    large ? 0x7801 : 0x907809) &&
           nnrt__open_npu_is_one_of(s, NNRT__OPEN_NPU_DPU_BS_OW_CFG, large ? 2 : 0x30000002, large ? 2 : 0x30000000) &&
           (nnrt__open_npu_bits(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, 0, 19) == 0 ||
            nnrt__open_npu_refuse_word(s, NNRT__OPEN_NPU_RDMA_SRC_DMA_CFG, "no reading that is known")) &&
           nnrt__open_npu_source_lies(s, &out) && nnrt__open_npu_copy_out(s, &out) &&
           (!operand || nnrt__open_npu_operand_lies(s, &out, false));
}

NNRT__FN bool nnrt__open_npu_check_dpu(nnrt__open_npu_check_state *s) {
    const bool large = s->chip == NNRT__OPEN_NPU_RK3588;
    bool operand = false;
    if (!nnrt__open_npu_ew(s, &operand) || !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_BRDMA_CFG, 0) ||
        !nnrt__open_npu_expect(s, NNRT__OPEN_NPU_RDMA_NRDMA_CFG, 0))
        return false;
    if (nnrt__open_npu_get(s, NNRT__OPEN_NPU_DPU_DATA_FORMAT) == (large ? 0x04000000u : 0x01000000u))
        return nnrt__open_npu_check_nearest(s);
    return nnrt__open_npu_is_packing(s) ? nnrt__open_npu_check_packing(s) : nnrt__open_npu_check_copy(s, operand);
}

/* ------------------------------------------------------------------------------------------------- pooling */

NNRT__FN bool nnrt__open_npu_check_pool(nnrt__open_npu_check_state *s) {
    const uint32_t channels = nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_IN_CHANNEL);
    nnrt__open_npu_extent from, to;
    from.planes = to.planes = channels / NNRT__OPEN_NPU_LANES + 1;
    from.plane_step = nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_RDMA_SRC_SURF_STRIDE);
    from.rows = (uint64_t)nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_IN_HEIGHT) + 1;
    from.row_step = nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_RDMA_SRC_LINE_STRIDE);
    from.row = ((uint64_t)nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_IN_WIDTH) + 1) * NNRT__OPEN_NPU_LANES;
    to.plane_step = nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_DST_SURF_STRIDE);
    to.rows = (uint64_t)nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_OUT_HEIGHT) + 1;
    to.row = ((uint64_t)nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_OUT_WIDTH) + 1) * NNRT__OPEN_NPU_LANES;
    to.row_step =
        to.row + (uint64_t)nnrt__open_npu_bits(s, NNRT__OPEN_NPU_PPU_OPERATION_MODE_CFG, 16, 13) * NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_expect(s, NNRT__OPEN_NPU_PPU_OUT_CHANNEL, channels) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_PPU_RDMA_IN_CHANNEL, channels) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_PPU_RDMA_IN_WIDTH,
                                 nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_IN_WIDTH)) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_PPU_RDMA_IN_HEIGHT,
                                 nnrt__open_npu_get(s, NNRT__OPEN_NPU_PPU_IN_HEIGHT)) &&
           nnrt__open_npu_expect(s, NNRT__OPEN_NPU_PPU_DATA_FORMAT, to.plane_step) &&
           nnrt__open_npu_lies(s, NNRT__OPEN_NPU_PPU_RDMA_SRC_BASE_ADDR, &from, false) &&
           nnrt__open_npu_lies(s, NNRT__OPEN_NPU_PPU_DST_BASE_ADDR, &to, true);
}

#endif /* NNRT_RKNPU_OPEN_CHECK_TASK_H */
