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

enum {
    RKCHIP_FORMAT_NEAREST = 0x01000000,
    RKCHIP_FORMAT_INT8 = 0x00800000
};

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

/* Copies, sums of two maps, other scales. */
static bool rkchip_copy_planes(rkchip *chip) {
    rkchip_pipeline p;
    rkchip_source s;
    const bool plain = rkchip_get(chip, DPU_BS_CFG) == 0x53;
    const int32_t add = rkchip_get_signed(chip, DPU_ADD), lower = rkchip_get_signed(chip, DPU_BS_LOWER);
    const int32_t factor = rkchip_signed(rkchip_bits(chip, DPU_BS_MUL_CFG, 16, 16), 16);
    int8_t *bytes;
    uint32_t plane, x, y, k;
    if (!plain && (rkchip_get(chip, DPU_BS_CFG) & ~(uint32_t)0x3e00) != 0x100012)
        return rkchip_refuse_word(chip, DPU_BS_CFG, "no mode of BS that is known");
    if (plain && (add != 0 || factor != 0 || lower != INT32_MIN))
        return rkchip_refuse_word(chip, DPU_BS_CFG, "a copy that changes what it copies");
    if (rkchip_bits(chip, DPU_BS_MUL_CFG, 0, 16) != 0)
        return rkchip_refuse_word(chip, DPU_BS_MUL_CFG, "a table of factors for a copy");
    if (!rkchip_pipeline_read(chip, &p) || !rkchip_source_read(chip, &s, RKCHIP_LANES)) return false;
    if (s.width != p.width || s.height != p.height || s.planes != (p.channels + RKCHIP_LANES - 1) / RKCHIP_LANES)
        return rkchip_refuse(chip, "what is read and what is written have not one size");
    if (p.bn != RKCHIP_BN_OFF) return rkchip_refuse_word(chip, DPU_BN_CFG, "BN without a convolution");
    bytes = (int8_t *)rkchip_room(chip, &chip->sums, (uint64_t)p.width * p.height * p.channels);
    if (bytes == NULL) return false;
    for (plane = 0; plane < s.planes; plane++)
        for (y = 0; y < s.height; y++) {
            const uint8_t *row = rkchip_source_row(chip, &s, plane, y);
            if (row == NULL) return false;
            for (x = 0; x < s.width; x++)
                for (k = 0; k < RKCHIP_LANES && plane * RKCHIP_LANES + k < p.channels; k++) {
                    const size_t at = (size_t)y * p.width + x, o = (size_t)plane * RKCHIP_LANES + k;
                    int64_t value = rkchip_signed(row[x * RKCHIP_LANES + k], 8) + (int64_t)add;
                    if (value < lower) value = lower;
                    if (factor != 0) value = rkchip_scale(value * factor, p.shift, p.shift_negative);
                    if (!rkchip_finish(chip, &p, value, p.operand != NULL ? p.operand + at * p.operand_lanes + o : NULL,
                                       &bytes[at * p.channels + o]))
                        return rkchip_refuse_large(chip);
                }
        }
    return rkchip_write_planes(chip, &p, bytes);
}

/* The scaling stages of a task that only moves bytes. */
static bool rkchip_moves_only(rkchip *chip) {
    return rkchip_expect(chip, DPU_BS_CFG, 0x53) && rkchip_expect(chip, DPU_BN_CFG, RKCHIP_BN_OFF) &&
           rkchip_expect(chip, DPU_EW_CFG, RKCHIP_EW_OFF) && rkchip_expect(chip, DPU_OUT_CVT_OFFSET, 0) &&
           rkchip_expect(chip, DPU_OUT_CVT_SCALE, 0x10001) && rkchip_expect(chip, DPU_OUT_CVT_SHIFT, 0) &&
           rkchip_expect(chip, RDMA_ERDMA_CFG, 1);
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
    if (!rkchip_expect(chip, DPU_DATA_FORMAT, RKCHIP_FORMAT_INT8) || !rkchip_expect(chip, DPU_BS_OW_CFG, 0x30100002) ||
        !rkchip_expect(chip, DPU_DATA_CUBE_HEIGHT, s.height - 1) || !rkchip_expect(chip, RDMA_SRC_DMA_CFG, 0) ||
        !rkchip_expect(chip, RDMA_SURF_NOTCH, 0) || !rkchip_expect(chip, DPU_DST_SURF_STRIDE, 0))
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

/* A task of DPU and DPU_RDMA. */
static bool rkchip_dpu_alone(rkchip *chip) {
    const uint32_t mode = rkchip_get(chip, DPU_FEATURE_MODE_CFG), format = rkchip_get(chip, DPU_DATA_FORMAT);
    const uint32_t way = rkchip_get(chip, DPU_BS_OW_CFG), reading = rkchip_get(chip, RDMA_FEATURE_MODE_CFG);
    if (reading != (format == RKCHIP_FORMAT_NEAREST ? 0x927809 : format == RKCHIP_FORMAT_WORDS ? 0x927889 : 0x907809))
        return rkchip_refuse_word(chip, RDMA_FEATURE_MODE_CFG, "no reading that is known");
    if (format == RKCHIP_FORMAT_NEAREST && mode == 0x1e5) return rkchip_nearest(chip);
    if (format == RKCHIP_FORMAT_WORDS && way == 0x80007fe && mode == 0x1e5) return rkchip_words(chip);
    if (format == RKCHIP_FORMAT_WORDS && way == 0x2007fe && (mode & ~(uint32_t)0x1fffe00) == 0x1e5)
        return rkchip_turn(chip);
    if ((mode & RKCHIP_NONALIGN) != 0 && (mode & 0x1ff) == 0x1e5) return rkchip_dense(chip);
    if (mode != 0x1e5) return rkchip_refuse_word(chip, DPU_FEATURE_MODE_CFG, "no way out that is known");
    if ((format & ~(uint32_t)0xfc00) != RKCHIP_FORMAT_INT8)
        return rkchip_refuse_word(chip, DPU_DATA_FORMAT, "another type than int8");
    if (way != 0x30000002 && way != 0x30000000)
        return rkchip_refuse_word(chip, DPU_BS_OW_CFG, "no layout that is known");
    return rkchip_copy_planes(chip);
}

#endif /* NNRT_TOOLS_RKCHIP_COPIES_H */
