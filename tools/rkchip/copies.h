/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/copies.h - tasks of the DPU alone: copies, additions, nearest neighbours, other layouts.

   Most read planes, send them through the pipeline and write planes. The others are known as whole tasks, in the few
   forms that they were seen in, rather than by each of their bits:

     nearest    each atom is written four times, in a square
     words      atoms of planes to pixels that lie together: [plane][pixel] to [pixel][plane]
     dense      atoms with few bytes that count to bytes without gaps, and back
     turn       squares of 16 atoms of 16 bytes, bytes and atoms changed about */
#ifndef NNRT_TOOLS_RKCHIP_COPIES_H
#define NNRT_TOOLS_RKCHIP_COPIES_H

#include "pipeline.h"

#define RKCHIP_FORMAT_WORDS 0x81000004u
#define RKCHIP_NONALIGN 0x02000000u /* of DPU_FEATURE_MODE_CFG: bytes without gaps are counted by its other bits */

/* What is read: width atoms a row, rows that may have a gap behind them, planes that follow at a distance. */
typedef struct rkchip_source {
    uint32_t width, height, planes;
    int64_t row_bytes, plane_bytes;
} rkchip_source;

static bool rkchip_source_read(rkchip *chip, rkchip_source *s, uint32_t lanes) {
    const int64_t gap = rkchip_bits(chip, RDMA_SRC_DMA_CFG, 19, 13);
    s->width = rkchip_bits(chip, RDMA_DATA_CUBE_WIDTH, 0, 13) + 1;
    s->height = rkchip_bits(chip, RDMA_DATA_CUBE_HEIGHT, 0, 13) + 1;
    s->planes = (rkchip_bits(chip, RDMA_DATA_CUBE_CHANNEL, 0, 13) + lanes) / lanes;
    s->row_bytes = (s->width + gap) * RKCHIP_LANES;
    s->plane_bytes =
        (s->height - 1) * s->row_bytes + (int64_t)s->width * RKCHIP_LANES + rkchip_get_signed(chip, RDMA_SURF_NOTCH);
    return true;
}

/* Row y of a plane; NULL, and a refusal: it is not memory of the job. */
static const uint8_t *rkchip_source_row(rkchip *chip, const rkchip_source *s, uint32_t plane, uint32_t y) {
    const int64_t at = (int64_t)rkchip_get(chip, RDMA_SRC_BASE_ADDR) + plane * s->plane_bytes + y * s->row_bytes;
    if (at < 0) {
        (void)rkchip_refuse_word(chip, RDMA_SURF_NOTCH, "it leads in front of the memory of the job");
        return NULL;
    }
    return rkchip_span(chip, RDMA_SRC_BASE_ADDR, (uint64_t)at, (uint64_t)s->width * RKCHIP_LANES);
}

/* What BS does with a value that was read. */
typedef struct rkchip_copy {
    int32_t add, lower, upper, factor;
    bool product; /* goes with one alone */
} rkchip_copy;

static bool rkchip_copy_read(rkchip *chip, rkchip_copy *copy) {
    const rkchip_layout *layout = chip->layout;
    const int32_t limit = rkchip_get_signed(chip, DPU_BS_LOWER);
    const uint32_t word = rkchip_get(chip, DPU_BS_CFG), upper = rkchip_get(chip, DPU_ADD_UPPER);
    uint32_t does = 0;
    memset(copy, 0, sizeof(*copy));
    if (!rkchip_mode_find(layout->bs, word & ~(uint32_t)0x3e00, &does) ||
        ((does & RKCHIP_DOES_SCALE) == 0 && (word & 0x3e00) != 0))
        return rkchip_refuse_word(chip, DPU_BS_CFG, "no mode of BS that is known");
    copy->add = rkchip_get_signed(chip, layout->dpu.bs_add);
    copy->product = (does & RKCHIP_DOES_MOVE) != 0;
    copy->factor = rkchip_signed(rkchip_bits(chip, DPU_BS_MUL_CFG, 16, 16), 16);
    copy->lower = (does & RKCHIP_DOES_RELU) != 0 ? 0 : (does & RKCHIP_DOES_LOWER) != 0 ? limit : RKCHIP_OFF_LOWER;
    copy->upper = (does & RKCHIP_DOES_UPPER) != 0 ? limit : RKCHIP_OFF_UPPER;
    if (copy->upper < copy->lower) return rkchip_refuse_word(chip, DPU_BS_LOWER, "an upper bound below the lower");
    if ((rkchip_get(chip, DPU_BS_MUL_CFG) & 1) != 0)
        return rkchip_refuse_word(chip, DPU_BS_MUL_CFG, "a table of factors for a copy");
    if (((does & RKCHIP_DOES_ADD) == 0 && copy->add != 0) ||
        (layout->dpu.sum_bounds && (does & RKCHIP_DOES_MOVE) == 0 && rkchip_get(chip, DPU_BS_ALU_CFG) != 0) ||
        (layout->dpu.sum_bounds && (does & RKCHIP_DOES_LOWER) == 0 && upper != INT32_MAX) ||
        ((does & RKCHIP_DOES_SCALE) == 0 && rkchip_get(chip, DPU_BS_MUL_CFG) != 0) ||
        ((does & (RKCHIP_DOES_LOWER | RKCHIP_DOES_UPPER)) == 0 && (uint32_t)limit != layout->dpu.bs_limit_off))
        return rkchip_refuse_word(chip, DPU_BS_CFG, "a copy that changes what it copies");
    if (layout->dpu.sum_bounds && rkchip_signed(upper, 32) < INT8_MAX + (int64_t)copy->add)
        return rkchip_refuse_word(chip, DPU_ADD_UPPER, "an upper bound that cuts was never seen");
    if (copy->product) copy->add = rkchip_get_signed(chip, DPU_BS_ALU_CFG);
    return true;
}

/* What is written has the size of what is read. */
static bool rkchip_copy_extent(rkchip *chip, const rkchip_source *s) {
    const uint32_t width = s->width - 1, height = s->height - 1;
    if (chip->layout->copy.extent_is_written)
        return rkchip_expect(chip, DPU_WDMA_SIZE_1, height << 16 | width) &&
               rkchip_expect(chip, DPU_WDMA_SIZE_0, rkchip_bits(chip, DPU_DATA_CUBE_CHANNEL, 0, 13));
    return (rkchip_bits(chip, DPU_DATA_CUBE_WIDTH, 0, 13) == width &&
            rkchip_bits(chip, DPU_DATA_CUBE_HEIGHT, 0, 13) == height) ||
           rkchip_refuse(chip, "what is read and what is written have not one size");
}

/* A product, as it was seen: its first operand is moved, or as it is. */
static bool rkchip_copy_product(rkchip *chip, const rkchip_copy *copy, const rkchip_pipeline *p) {
    if ((p->ew & RKCHIP_DOES_PRODUCT) != 0)
        return rkchip_expect(chip, DPU_BS_MUL_CFG, 0) && rkchip_expect(chip, DPU_BS_OW_CFG, chip->layout->copy.ways[0]);
    return !copy->product || rkchip_refuse_word(chip, DPU_BS_CFG, "it is known beside a product alone");
}

/* Copies, sums and products of two maps, other scales. */
static bool rkchip_copy_planes(rkchip *chip) {
    rkchip_pipeline p;
    rkchip_source s;
    rkchip_copy copy;
    int8_t *bytes;
    uint32_t plane, x, y, k;
    if (!rkchip_copy_read(chip, &copy) || !rkchip_source_read(chip, &s, RKCHIP_LANES) || !rkchip_copy_extent(chip, &s))
        return false;
    rkchip_pipeline_open(chip, &p, s.width, s.height);
    if (!rkchip_pipeline_read(chip, &p, false)) return false;
    if (s.planes != (p.channels + RKCHIP_LANES - 1) / RKCHIP_LANES)
        return rkchip_refuse(chip, "what is read and what is written have not one size");
    if (!rkchip_copy_product(chip, &copy, &p)) return false;
    if ((rkchip_get(chip, DPU_BN_MUL_CFG) & 1) != 0)
        return rkchip_refuse_word(chip, DPU_BN_MUL_CFG, "a table of slopes that is not known");
    if (p.bn != 0) return rkchip_refuse_word(chip, DPU_BN_CFG, "BN without a convolution");
    bytes = (int8_t *)rkchip_room(chip, &chip->sums, (uint64_t)p.width * p.height * p.channels);
    if (bytes == NULL) return false;
    for (plane = 0; plane < s.planes; plane++)
        for (y = 0; y < s.height; y++) {
            const uint8_t *row = rkchip_source_row(chip, &s, plane, y);
            if (row == NULL) return false;
            for (x = 0; x < s.width; x++)
                for (k = 0; k < RKCHIP_LANES && plane * RKCHIP_LANES + k < p.channels; k++) {
                    const size_t at = (size_t)y * p.width + x, o = (size_t)plane * RKCHIP_LANES + k;
                    int64_t value = rkchip_signed(row[x * RKCHIP_LANES + k], 8) + (int64_t)copy.add;
                    value = rkchip_clamp(value, copy.lower, copy.upper);
                    if (copy.factor != 0) value = rkchip_scale(value * copy.factor, p.shift, p.shift_negative);
                    if (!rkchip_finish(chip, &p, (uint32_t)o, value,
                                       p.operand != NULL ? p.operand + at * p.operand_lanes + o : NULL,
                                       &bytes[at * p.channels + o]))
                        return rkchip_refuse_large(chip);
                }
        }
    return rkchip_write_planes(chip, &p, bytes);
}

/* The scaling stages of a task that only moves bytes. */
static bool rkchip_moves_only(rkchip *chip) {
    const rkchip_layout *layout = chip->layout;
    return rkchip_expect(chip, DPU_BS_CFG, layout->bs[0].word) && rkchip_expect(chip, DPU_BN_CFG, layout->bn[0].word) &&
           rkchip_expect(chip, DPU_EW_CFG, layout->ew[0].word) && rkchip_expect(chip, DPU_OUT_CVT_OFFSET, 0) &&
           rkchip_expect(chip, DPU_OUT_CVT_SCALE, layout->dpu.scale_bit | 1) &&
           rkchip_expect(chip, DPU_OUT_CVT_SHIFT, 0) && rkchip_expect(chip, RDMA_ERDMA_CFG, 1) &&
           rkchip_expect(chip, RDMA_NRDMA_CFG, 0) && rkchip_expect(chip, DPU_BS_ALU_CFG, 0) &&
           (!layout->dpu.sum_bounds ||
            (rkchip_expect(chip, DPU_ADD_UPPER, 0x7fffffff) && rkchip_expect(chip, DPU_EW_LOWER, 0x80000000)));
}

/* A place for size bytes of what a task moves, read before anything is written. */
static uint8_t *rkchip_moved(rkchip *chip, uint64_t size) { return (uint8_t *)rkchip_room(chip, &chip->sums, size); }

/* One plane to one of twice its width and height. */
static bool rkchip_nearest(rkchip *chip) {
    rkchip_source s;
    uint8_t *to, *moved;
    uint64_t atoms, i;
    if (!rkchip_moves_only(chip) || !rkchip_source_read(chip, &s, RKCHIP_LANES)) return false;
    if (!rkchip_expect(chip, RDMA_SRC_DMA_CFG, 0x1249) || !rkchip_expect(chip, RDMA_SURF_NOTCH, 0) ||
        !rkchip_expect(chip, DPU_BS_OW_CFG, 0x126) || !rkchip_expect(chip, DPU_DATA_CUBE_NOTCH_ADDR, s.width * 0x20002))
        return false;
    if (s.planes != 1) return rkchip_refuse_word(chip, RDMA_DATA_CUBE_CHANNEL, "more than one plane");
    atoms = (uint64_t)s.width * s.height;
    to = rkchip_span(chip, DPU_DST_BASE_ADDR, rkchip_get(chip, DPU_DST_BASE_ADDR), atoms * 4 * RKCHIP_LANES);
    if (to == NULL || (moved = rkchip_moved(chip, atoms * RKCHIP_LANES)) == NULL) return false;
    for (i = 0; i < s.height; i++) {
        const uint8_t *row = rkchip_source_row(chip, &s, 0, (uint32_t)i);
        if (row == NULL) return false;
        memcpy(moved + i * s.width * RKCHIP_LANES, row, (size_t)s.width * RKCHIP_LANES);
    }
    for (i = 0; i < atoms * 4; i++) {
        const uint64_t x = i % (2 * (uint64_t)s.width), y = i / (2 * (uint64_t)s.width);
        memcpy(to + i * RKCHIP_LANES, moved + (y / 2 * s.width + x / 2) * RKCHIP_LANES, RKCHIP_LANES);
    }
    return true;
}

/* Blocks of pixels (planes of 4-byte words, as the task has it), rows that are planes of 16 channels: every pixel's
   atoms, one behind the other. */
static bool rkchip_words(rkchip *chip) {
    const uint32_t distance = rkchip_get(chip, DPU_DST_SURF_STRIDE), block_bytes = rkchip_get(chip, DPU_SURFACE_ADD);
    rkchip_source s;
    uint8_t *moved, *to;
    uint64_t bytes;
    uint32_t block, x, y;
    if (!rkchip_moves_only(chip) || !rkchip_source_read(chip, &s, 4)) return false;
    if (!rkchip_expect(chip, DPU_DATA_CUBE_WIDTH, 0x100000 | (s.width - 1)) ||
        !rkchip_expect(chip, DPU_DATA_CUBE_HEIGHT, s.height - 1) ||
        !rkchip_expect(chip, DPU_DST_SURF_STRIDE, s.height * RKCHIP_LANES) ||
        !rkchip_expect(chip, DPU_SURFACE_ADD, s.width * distance) ||
        !rkchip_expect(chip, DPU_DATA_CUBE_NOTCH_ADDR, (s.width - 1) * s.height * 0x10001))
        return false;
    bytes = (uint64_t)s.planes * block_bytes;
    to = rkchip_span(chip, DPU_DST_BASE_ADDR, rkchip_get(chip, DPU_DST_BASE_ADDR), bytes);
    if (to == NULL || (moved = rkchip_moved(chip, bytes)) == NULL) return false;
    for (block = 0; block < s.planes; block++)
        for (y = 0; y < s.height; y++) {
            const uint8_t *row = rkchip_source_row(chip, &s, block, y);
            if (row == NULL) return false;
            for (x = 0; x < s.width; x++)
                memcpy(moved + ((uint64_t)block * s.width + x) * distance + (uint64_t)y * RKCHIP_LANES,
                       row + (size_t)x * RKCHIP_LANES, RKCHIP_LANES);
        }
    memcpy(to, moved, (size_t)bytes);
    return true;
}

/* Squares of 16 atoms. */
static bool rkchip_turn(rkchip *chip) {
    const uint32_t atoms = rkchip_bits(chip, DPU_DATA_CUBE_HEIGHT, 0, 13) + 1;
    const uint64_t bytes = (uint64_t)atoms * RKCHIP_LANES;
    const uint8_t *from;
    uint8_t *moved, *to;
    uint32_t square, row, column;
    if (!rkchip_moves_only(chip) || !rkchip_expect(chip, RDMA_DATA_CUBE_WIDTH, 0) ||
        !rkchip_expect(chip, RDMA_DATA_CUBE_HEIGHT, atoms - 1) || !rkchip_expect(chip, RDMA_DATA_CUBE_CHANNEL, 3) ||
        !rkchip_expect(chip, DPU_DATA_CUBE_WIDTH, 0x100000) || !rkchip_expect(chip, DPU_DST_SURF_STRIDE, 0x10) ||
        !rkchip_expect(chip, DPU_SURFACE_ADD, 0x100) || !rkchip_expect(chip, DPU_DATA_CUBE_NOTCH_ADDR, 0x70007) ||
        !rkchip_expect(chip, RDMA_SRC_DMA_CFG, 0))
        return false;
    if (atoms % RKCHIP_LANES != 0) return rkchip_refuse_word(chip, DPU_DATA_CUBE_HEIGHT, "no whole squares");
    from = rkchip_span(chip, RDMA_SRC_BASE_ADDR, rkchip_get(chip, RDMA_SRC_BASE_ADDR), bytes);
    to = rkchip_span(chip, DPU_DST_BASE_ADDR, rkchip_get(chip, DPU_DST_BASE_ADDR), bytes);
    if (from == NULL || to == NULL || (moved = rkchip_moved(chip, bytes)) == NULL) return false;
    for (square = 0; square < atoms / RKCHIP_LANES; square++, from += RKCHIP_LANES * RKCHIP_LANES)
        for (row = 0; row < RKCHIP_LANES; row++)
            for (column = 0; column < RKCHIP_LANES; column++)
                moved[(square * RKCHIP_LANES + row) * RKCHIP_LANES + column] = from[column * RKCHIP_LANES + row];
    memcpy(to, moved, (size_t)bytes);
    return true;
}

/* Rows of atoms, of the last of which only some bytes count, to one run of bytes, which is cut into pieces of so many
   bytes, an atom each. Pieces of 16 bytes are bytes without gaps. */
static bool rkchip_dense(rkchip *chip) {
    const uint32_t mode = rkchip_get(chip, DPU_FEATURE_MODE_CFG);
    const uint32_t last = mode >> 26 & 15, piece = rkchip_bits(chip, DPU_DATA_CUBE_WIDTH, 16, 5);
    const uint64_t atoms = mode >> 9 & 0xffff;
    rkchip_source s;
    uint8_t *moved, *to;
    uint64_t count = 0, i, whole;
    uint32_t plane, y;
    if (!rkchip_moves_only(chip) || !rkchip_source_read(chip, &s, RKCHIP_LANES)) return false;
    if (!rkchip_expect(chip, DPU_DATA_FORMAT, chip->layout->dpu.format) ||
        !rkchip_expect(chip, DPU_BS_OW_CFG, 0x30100002) || !rkchip_expect(chip, DPU_DATA_CUBE_HEIGHT, s.height - 1) ||
        !rkchip_expect(chip, RDMA_SRC_DMA_CFG, 0) || !rkchip_expect(chip, RDMA_SURF_NOTCH, 0) ||
        !rkchip_expect(chip, DPU_DST_SURF_STRIDE, 0))
        return false;
    if (rkchip_bits(chip, DPU_DATA_CUBE_WIDTH, 0, 13) + 1 != s.width || (piece != 4 && piece != 16))
        return rkchip_refuse_word(chip, DPU_DATA_CUBE_WIDTH, "no packing that is known");
    whole = (uint64_t)s.width * RKCHIP_LANES - (last != 0 ? RKCHIP_LANES - last : 0);
    if (atoms == 0 || atoms * piece > whole * s.height * s.planes)
        return rkchip_refuse_word(chip, DPU_FEATURE_MODE_CFG, "more bytes are written than read");
    to = rkchip_span(chip, DPU_DST_BASE_ADDR, rkchip_get(chip, DPU_DST_BASE_ADDR), atoms * RKCHIP_LANES);
    if (to == NULL ||
        rkchip_span(chip, RDMA_SRC_BASE_ADDR, rkchip_get(chip, RDMA_SRC_BASE_ADDR),
                    (uint64_t)s.row_bytes * s.height * s.planes) == NULL ||
        (moved = rkchip_moved(chip, whole * s.height * s.planes)) == NULL)
        return false;
    for (plane = 0; plane < s.planes; plane++)
        for (y = 0; y < s.height; y++, count += whole) {
            const uint8_t *row = rkchip_source_row(chip, &s, plane, y);
            if (row == NULL) return false;
            memcpy(moved + count, row, (size_t)whole);
        }
    for (i = 0; i < atoms; i++, to += RKCHIP_LANES) {
        memcpy(to, moved + i * piece, piece);
        memset(to + piece, 0, RKCHIP_LANES - piece);
    }
    return true;
}

/* Other layouts. false, and no refusal, which *is_other tells: it is none of them. */
static bool rkchip_other_layout(rkchip *chip, bool *is_other) {
    const uint32_t mode = rkchip_get(chip, DPU_FEATURE_MODE_CFG), format = rkchip_get(chip, DPU_DATA_FORMAT);
    const uint32_t way = rkchip_get(chip, DPU_BS_OW_CFG);
    *is_other = true;
    if (format == RKCHIP_FORMAT_WORDS && way == 0x80007fe && mode == 0x1e5) return rkchip_words(chip);
    if (format == RKCHIP_FORMAT_WORDS && way == 0x2007fe && (mode & ~(uint32_t)0x1fffe00) == 0x1e5)
        return rkchip_turn(chip);
    if ((mode & RKCHIP_NONALIGN) != 0 && (mode & 0x1ff) == 0x1e5) return rkchip_dense(chip);
    *is_other = false;
    return false;
}

/* A task of DPU and DPU_RDMA. */
static bool rkchip_dpu_alone(rkchip *chip) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t mode = rkchip_get(chip, DPU_FEATURE_MODE_CFG), format = rkchip_get(chip, DPU_DATA_FORMAT);
    const uint32_t way = rkchip_get(chip, DPU_BS_OW_CFG), reading = rkchip_get(chip, RDMA_FEATURE_MODE_CFG);
    const bool words = layout->copy.packing && format == RKCHIP_FORMAT_WORDS;
    bool is_other = false, done;
    if (reading != (format == layout->copy.nearest_format ? layout->copy.nearest_reading
                    : words                               ? 0x927889
                                                          : layout->copy.reading))
        return rkchip_refuse_word(chip, RDMA_FEATURE_MODE_CFG, "no reading that is known");
    if (format == layout->copy.nearest_format && mode == 0x1e5) return rkchip_nearest(chip);
    done = layout->copy.packing && rkchip_other_layout(chip, &is_other);
    if (is_other) return done;
    if (mode != 0x1e5) return rkchip_refuse_word(chip, DPU_FEATURE_MODE_CFG, "no way out that is known");
    if ((format & ~(uint32_t)0xfff0) != layout->dpu.format)
        return rkchip_refuse_word(chip, DPU_DATA_FORMAT, "another type than int8");
    if (way != layout->copy.ways[0] && way != layout->copy.ways[1])
        return rkchip_refuse_word(chip, DPU_BS_OW_CFG, "no layout that is known");
    return rkchip_copy_planes(chip);
}

#endif /* NNRT_TOOLS_RKCHIP_COPIES_H */
