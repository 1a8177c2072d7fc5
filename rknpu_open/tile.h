/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/tile.h - a convolution in pieces of rows that the NPU's buffer holds.   >>rknpu_open_tile

   Input and weights share banks of 32 KiB (CBUF). RV1103 and RV1106 have 8: weights take one, or two where they have
   more than 32 KiB, and the rest holds rows of the input, width * lanes bytes each (seen: 68 of 68 first tiles).
   Weights that are larger pass through their banks; a block of kernels that is larger still gets more banks (assumed).
   RK3588 has 12, and 64 bytes are the least that a row takes. The division and the rows of every tile are the vendor's
   in all 936 and 769 tasks of files at hand (test_open_compile_vendor.c). All tiles of an operator read whole rows;
   weights that fit are kept from tile to tile. Rows that are too long: of depthwise convolutions a group of channels at
   a time, of those of 1 by 1 parts of rows; others are refused. */
#ifndef NNRT_RKNPU_OPEN_TILE_H
#define NNRT_RKNPU_OPEN_TILE_H

#include "conv.h"

typedef struct nnrt__open_npu_tiles {
    uint32_t data_banks, weight_banks;
    uint32_t rows; /* of the input, that data_banks hold */
    bool keeps_weights;
    uint32_t channels; /* depthwise: so many at a time; else 0 */
} nnrt__open_npu_tiles;

/* One task of a convolution. */
typedef struct nnrt__open_npu_tile {
    uint32_t row, rows; /* of the input */
    uint32_t pad_top;
    uint32_t out_row, out_rows;
} nnrt__open_npu_tile;

/* Kernels with those that fill up. Of pictures on RV1103 and RV1106 they come in fours (nnrt__open_npu_conv_settle). */
NNRT__INLINE uint32_t nnrt__open_npu_kernels(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    return nnrt__open_npu_up(c->outputs, facts->kernels_multiple);
}

/* Lanes of a tap that have weights. */
NNRT__INLINE uint32_t nnrt__open_npu_stored(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                            bool picture) {
    return picture ? facts->picture_lanes : nnrt__open_npu_up(c->channels, NNRT__OPEN_NPU_LANES);
}

/* Bytes of a kernel; depthwise: of a weight of every channel. */
NNRT__FN uint64_t nnrt__open_npu_kernel_bytes(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                              bool picture) {
    return (uint64_t)c->kernel_h * c->kernel_w * nnrt__open_npu_stored(c, facts, picture);
}

/* Of a chip with depthwise weights in pairs, there are twice as many. */
NNRT__FN uint64_t nnrt__open_npu_weight_bytes(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                              bool picture) {
    return nnrt__open_npu_kernel_bytes(c, facts, picture) *
           (c->depthwise ? facts->depthwise_kernels : nnrt__open_npu_kernels(c, facts));
}

/* Bytes of the buffer that a row of the input takes. RK3588: three planes behind the last four take the room of four
   (seen: 48 and 240 channels), and a pixel of a grey picture that of four bytes (seen once). */
NNRT__FN uint32_t nnrt__open_npu_row_bytes(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                           bool picture) {
    uint32_t lanes = nnrt__open_npu_stored(c, facts, picture);
    if (facts->banks == 8) return c->width * lanes;
    if (picture && c->channels == 1) lanes = 4;
    if (lanes % 64 == 48) lanes += NNRT__OPEN_NPU_LANES;
    return nnrt__open_npu_up(c->width * lanes, 64);
}

NNRT__INLINE uint32_t nnrt__open_npu_banks(uint64_t bytes) {
    return (uint32_t)((bytes + NNRT__OPEN_NPU_BANK_BYTES - 1) / NNRT__OPEN_NPU_BANK_BYTES);
}

/* Weights and rows of the input share the banks. */
NNRT__FN void nnrt__open_npu_divide(uint64_t weights, uint64_t block, uint64_t input, const nnrt__open_npu_facts *facts,
                                    nnrt__open_npu_tiles *tiles) {
    const uint32_t whole = nnrt__open_npu_banks(weights), least = nnrt__open_npu_banks(block);
    uint32_t wanted = whole < 2 ? whole : 2;
    if (facts->banks != 8) {
        const uint32_t rest = facts->banks - (input > (uint64_t)NNRT__OPEN_NPU_BANK_BYTES * facts->most_data_banks
                                                  ? (uint32_t)facts->most_data_banks
                                                  : nnrt__open_npu_banks(input));
        wanted = whole <= rest ? rest : whole < 5 ? whole : 5;
    }
    tiles->weight_banks = wanted < least ? least : wanted;
    tiles->keeps_weights = whole <= tiles->weight_banks;
    tiles->data_banks = tiles->weight_banks < facts->banks ? facts->banks - tiles->weight_banks : 0;
}

/* Of all channels of c together. NULL, or why there is no way. */
NNRT__FN const char *nnrt__open_npu_tiles_of_all(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                                 bool picture, nnrt__open_npu_tiles *tiles) {
    const uint64_t weights = nnrt__open_npu_weight_bytes(c, facts, picture);
    const uint64_t kernels = c->depthwise ? facts->depthwise_kernels : nnrt__open_npu_kernels(c, facts);
    const uint64_t block = weights / kernels * (kernels < facts->weight_block ? kernels : facts->weight_block);
    const uint32_t row = nnrt__open_npu_row_bytes(c, facts, picture);
    const uint32_t reach = nnrt__open_npu_reach(c->kernel_h, c->dilation_h);
    const uint32_t least = reach < c->height ? reach : c->height;
    tiles->channels = 0;
    nnrt__open_npu_divide(weights, block, (uint64_t)row * c->height, facts, tiles);
    if (tiles->data_banks == 0) return "16 of its kernels (RK3588: 32) do not fit into the NPU's buffer";
    tiles->rows = tiles->data_banks * NNRT__OPEN_NPU_BANK_BYTES / row;
    if (tiles->rows < (c->spread_h > 1 ? c->height : least))
        return "the rows that a kernel covers do not fit into the NPU's buffer";
    return NULL;
}

/* NULL, or why there is no way. Depthwise, as few groups of channels as fit, each a convolution by itself. */
NNRT__FN const char *nnrt__open_npu_tiles_of(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                             bool picture, nnrt__open_npu_tiles *tiles) {
    const uint32_t blocks = (c->channels + facts->depthwise_block - 1u) / facts->depthwise_block;
    const char *reason = nnrt__open_npu_tiles_of_all(c, facts, picture, tiles);
    uint32_t groups;
    for (groups = 2; reason != NULL && c->depthwise && groups <= blocks; groups++) {
        nnrt__open_npu_conv part = *c;
        part.channels = part.outputs = (blocks + groups - 1) / groups * facts->depthwise_block;
        reason = nnrt__open_npu_tiles_of_all(&part, facts, picture, tiles);
        tiles->channels = part.channels;
    }
    return reason;
}

/* A convolution of 1 by 1 looks at no neighbours: rows that are too long for the buffer are as many shorter ones. */
NNRT__FN void nnrt__open_npu_shorten(nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    nnrt__open_npu_conv shorter = *c;
    nnrt__open_npu_tiles tiles;
    uint32_t parts;
    if (c->depthwise || c->kernel_h * c->kernel_w * c->stride_h * c->stride_w * c->spread_h * c->spread_w != 1 ||
        c->height != c->out_height || c->width != c->out_width)
        return;
    for (parts = 2; nnrt__open_npu_tiles_of(&shorter, facts, false, &tiles) != NULL && parts <= c->width; parts++) {
        if (c->width % parts != 0 || c->height * parts > NNRT__OPEN_NPU_MOST_SIDE) continue;
        shorter.width = shorter.out_width = c->width / parts;
        shorter.height = shorter.out_height = c->height * parts;
    }
    if (nnrt__open_npu_tiles_of(&shorter, facts, false, &tiles) == NULL) *c = shorter;
}

/* The task that makes out_row and as many rows behind it as it can. */
NNRT__FN nnrt__open_npu_tile nnrt__open_npu_tile_at(const nnrt__open_npu_conv *c, const nnrt__open_npu_tiles *tiles,
                                                    uint32_t out_row) {
    const uint32_t reach = nnrt__open_npu_reach(c->kernel_h, c->dilation_h);
    const uint32_t padded = out_row * c->stride_h; /* of the input behind its padding */
    uint32_t last;
    nnrt__open_npu_tile tile;
    tile.out_row = out_row;
    tile.out_rows = c->out_height - out_row;
    tile.pad_top = c->pad_top > padded ? c->pad_top - padded : 0;
    tile.row = padded > c->pad_top ? padded - c->pad_top : 0;
    tile.rows = c->height - tile.row;
    if (tile.rows <= tiles->rows && out_row == 0) return tile;
    last = padded + (tile.out_rows - 1) * c->stride_h + reach; /* behind the last row */
    if (last < c->height + c->pad_top) tile.rows = last - c->pad_top - tile.row;
    if (tile.rows <= tiles->rows) return tile;
    NNRT_ASSERT(tiles->rows + tile.pad_top >= reach);
    tile.out_rows = (tiles->rows + tile.pad_top - reach) / c->stride_h + 1;
    tile.rows = (tile.out_rows - 1) * c->stride_h + reach - tile.pad_top;
    return tile;
}

#endif /* NNRT_RKNPU_OPEN_TILE_H */
