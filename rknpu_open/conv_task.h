/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/conv_task.h - the words of a convolution.   >>rknpu_open_conv_task

   Each follows from the shape as in streams of the vendor's: RV1103 and RV1106 in 936 of 936 tasks of eleven networks,
   RK3588 in 769 of 769 of eight (test_open_compile_vendor.c). Exceptions are CNA_CONV_CON2, how many rows are fetched
   ahead, whose rule is known in part and which changes time alone, and what a comment names. */
#ifndef NNRT_RKNPU_OPEN_CONV_TASK_H
#define NNRT_RKNPU_OPEN_CONV_TASK_H

#include "pack.h"
#include "writer.h"

/* A tensor in the memory. */
typedef struct nnrt__open_npu_at {
    uint32_t offset;      /* in the area of tensors */
    uint32_t plane_bytes; /* from a plane to the next */
    uint32_t row_bytes;   /* of a picture */
} nnrt__open_npu_at;

/* A convolution that is being written. */
typedef struct nnrt__open_npu_conv_task {
    const nnrt__open_npu_conv *c;
    bool picture;
    int32_t zero_point; /* of the input */
    nnrt__open_npu_at in, out;
    uint32_t weights, table; /* in the area of constants */
    nnrt__open_npu_scales scales;
    bool bounded;         /* the sums, and on RK3588 the values behind the factors */
    int32_t lower, upper; /* INT32_MIN, INT32_MAX: not on this side */
    bool curve;           /* 128 for a step of the output go through the tables; not bounded */
    nnrt__open_npu_tiles tiles;
} nnrt__open_npu_conv_task;

/* Output channels that are written together. */
NNRT__FN uint32_t nnrt__open_npu_written(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    return nnrt__open_npu_up(c->outputs, c->depthwise ? facts->depthwise_block : facts->dense_block);
}

/* Words that both chips have alike. */
NNRT__FN void nnrt__open_npu_conv_shape_words(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_tile *tile,
                                              const nnrt__open_npu_facts *facts, nnrt__open_npu_draft *d) {
    const nnrt__open_npu_conv *c = t->c;
    const uint32_t lanes = nnrt__open_npu_up(c->channels, NNRT__OPEN_NPU_LANES);
    const uint32_t last = (tile->out_rows - 1) << 16 | (c->out_width - 1);
    const uint32_t written = nnrt__open_npu_written(c, facts);
    const uint32_t kernels = c->depthwise ? facts->depthwise_kernels : nnrt__open_npu_kernels(c, facts);
    const uint32_t in_row = t->picture ? t->in.row_bytes : c->width * NNRT__OPEN_NPU_LANES;
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON3,
                       (c->dilation_h - 1) << 21 | (c->dilation_w - 1) << 16 | (c->spread_h - 1) << 11 |
                           (c->spread_w - 1) << 8 | c->stride_h << 3 | c->stride_w);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DATA_SIZE0, c->width << 16 | tile->rows);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DATA_SIZE2, c->out_width);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DATA_SIZE3, c->out_width * tile->out_rows);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE0, (uint32_t)nnrt__open_npu_weight_bytes(c, facts, t->picture));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE1, (uint32_t)nnrt__open_npu_kernel_bytes(c, facts, t->picture));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_WEIGHT_SIZE2, c->kernel_w << 24 | c->kernel_h << 16 | kernels);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_CNA_FEATURE_DATA_ADDR, NNRT__OPEN_NPU_TENSORS,
                               t->in.offset + tile->row * in_row);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE0, c->width << 16 | tile->rows);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE1, lanes);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_CNA_DCOMP_ADDR0, NNRT__OPEN_NPU_CONSTANTS, t->weights);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CORE_DATAOUT_SIZE_0, last);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CORE_DATAOUT_SIZE_1, written - 1);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_DPU_DST_BASE_ADDR, NNRT__OPEN_NPU_TENSORS,
                               t->out.offset + tile->out_row * c->out_width * NNRT__OPEN_NPU_LANES);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DST_SURF_STRIDE, t->out.plane_bytes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_WIDTH, c->out_width - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_HEIGHT, tile->out_rows - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_CUBE_CHANNEL, (c->outputs - 1) << 16 | (written - 1));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_1, last);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_OFFSET, (uint32_t)t->scales.output.zero_point);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SCALE, (uint32_t)t->scales.output.factor);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SHIFT, t->scales.output.shift);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_WIDTH, c->out_width - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_HEIGHT, tile->out_rows - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_DATA_CUBE_CHANNEL, written - 1);
    nnrt__open_npu_set_address(d, NNRT__OPEN_NPU_RDMA_BS_BASE_ADDR, NNRT__OPEN_NPU_CONSTANTS, t->table);
    if (c->depthwise) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_FEATURE_MODE_CFG, 0x1fc);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_FEATURE_MODE_CFG, 0x7816);
    }
}

/* RV1103, RV1106: how far the input is fetched ahead. What the field means is not known, nor the rule; these are values
   that the vendor has for rows of so many atoms, here and there others. */
NNRT__FN uint32_t nnrt__open_npu_ahead(const nnrt__open_npu_conv *c, const nnrt__open_npu_tile *tile, uint32_t planes) {
    const uint32_t row = c->width * planes;
    const bool many = tile->rows * row > 4096;
    if (row > 160) return c->stride_h > 1 ? 0x15 : many ? 0xe : c->kernel_h == 1 ? 0xc : 0x10;
    if (row > 80) return many ? 0x1a : 0x14;
    if (row > 64) return c->kernel_h == 1 ? 0x1c : many ? 0x34 : 0x20;
    return row > 40 ? 0x34 : row > 20 ? 0x38 : 0x6c;
}

/* The buffer: how long a row is in it, how much of it the first tile of all takes. */
NNRT__FN void nnrt__open_npu_buffer_words_rv1106(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_tile *tile,
                                                 nnrt__open_npu_draft *d) {
    const nnrt__open_npu_conv *c = t->c;
    const nnrt__open_npu_tile first = nnrt__open_npu_tile_at(c, &t->tiles, 0);
    const uint32_t planes = nnrt__open_npu_planes(c->channels);
    const uint32_t row = t->picture ? c->width * 4 : c->width * planes * NNRT__OPEN_NPU_LANES;
    const uint32_t entries = (row + 31) / 32;
    uint32_t banks = nnrt__open_npu_banks((uint64_t)first.rows * row);
    if (banks > 7) banks = 7;
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON2, nnrt__open_npu_ahead(c, tile, planes));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_WEIGHT_ENTRIES, (t->picture ? c->width : entries) << 16);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_CON1, c->width << 16 | entries);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_BANKS, banks << 26);
    if (tile->out_row != 0 && t->tiles.keeps_weights) nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_CON0, 0x2008);
}

NNRT__FN void nnrt__open_npu_conv_words_rv1106(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_tile *tile,
                                               const nnrt__open_npu_facts *facts, nnrt__open_npu_draft *d) {
    const nnrt__open_npu_conv *c = t->c;
    const uint32_t lanes = nnrt__open_npu_up(c->channels, NNRT__OPEN_NPU_LANES);
    const uint32_t kernel = (uint32_t)nnrt__open_npu_kernel_bytes(c, facts, t->picture);
    const uint32_t shift = t->scales.shift, plane = t->out.plane_bytes;
    nnrt__open_npu_buffer_words_rv1106(t, tile, d);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DATA_SIZE1, (c->channels - 1) << 16 | lanes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_PAD_CON0, c->pad_left << 8 | tile->pad_top);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_PAD_CON1, (uint32_t)t->zero_point & 0xffff);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_KERNEL_HALF, kernel / 2);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_LINE_LAST, (c->width - 1) << 16 | (c->width - 1));
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON1, 4 * c->width);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON2, t->in.plane_bytes / NNRT__OPEN_NPU_LANES);
    if (t->picture) { /* units of 16 bytes; of other than three channels not seen */
        const uint32_t units = c->width * tile->rows * c->channels / 16;
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON1, 0x20000000u | (c->channels + 7) << 12);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_FC_DATA_SIZE0, units << 16 | 1);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON1, units);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON2, units);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_LINE_LAST,
                           (units * 2 / c->channels - 1) << 16 | ((units * 2 / c->channels - 1) & 0xffff));
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CORE_CLIP_TRUNCATE, 0x20);
    }
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, (nnrt__open_npu_written(c, facts) / 16 - 1) << 16 | 3);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_CFG, 0x120180 | shift << 9);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_OW_OP, 0x80000000u | shift << 24);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SURFACE_ADD, plane);
    if (c->depthwise) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON1, 7);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CORE_MISC_CFG, 0xa);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, (nnrt__open_npu_written(c, facts) / 16 - 1) << 16 | 7);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_CFG, 0x100092 | shift << 9);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_MUL_CFG, 0);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x70000125);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_OW_OP, shift << 24);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SURFACE_ADD, 2 * plane);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_RDMA_BRDMA_CFG, 0xa);
    }
    if (t->bounded) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_CFG, 0x12);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_LOWER, (uint32_t)t->lower);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_LOWER_COPY, (uint32_t)t->lower);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SUM_UPPER, (uint32_t)t->upper);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SUM_UPPER_COPY, (uint32_t)t->upper);
    }
}

/* RK3588: how many rows are fetched ahead. All of a picture's tile; of planes some 4096 atoms, by a rule that is known
   in part alone. It changes time, no byte. */
NNRT__FN uint32_t nnrt__open_npu_ahead_rk3588(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_tile *tile,
                                              uint32_t row_bytes) {
    const uint32_t row = row_bytes / 16, kernel = t->c->kernel_h;
    const uint32_t behind = kernel == 1 ? 1 : t->c->stride_h > 1 ? 3 : 4;
    uint32_t ahead = nnrt__open_npu_up((4096 + row - 1) / row, 2), rows = tile->rows + (row < 160 ? behind : 0);
    if (t->picture) return tile->rows;
    if (row >= 320 && kernel > 1) ahead = t->c->stride_h > 1 ? (6656 + row - 1) / row : tile->out_row == 0 ? 16 : 15;
    if (row >= 480 && ahead < 9) ahead = 9;
    return ahead < rows ? ahead : rows;
}

NNRT__FN void nnrt__open_npu_conv_words_rk3588(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_tile *tile,
                                               const nnrt__open_npu_facts *facts, nnrt__open_npu_draft *d) {
    const nnrt__open_npu_conv *c = t->c;
    const uint32_t lanes = nnrt__open_npu_up(c->channels, NNRT__OPEN_NPU_LANES);
    const uint32_t row = nnrt__open_npu_row_bytes(c, facts, t->picture), shift = t->scales.shift;
    const uint32_t zero = (uint32_t)t->zero_point, low = zero & 0xff, twice = low << 8 | low;
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON2, nnrt__open_npu_ahead_rk3588(t, tile, row) << 4);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DATA_SIZE1, ((c->channels - 1) & 63) << 16 | lanes);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_CON0,
                       (tile->out_row != 0 && t->tiles.keeps_weights ? 0x2000u : 0u) | t->tiles.weight_banks << 4 |
                           t->tiles.data_banks);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_CON1, row / 64);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_PAD_CON0, c->pad_left << 4 | tile->pad_top);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_PAD_CON1,
                       !c->depthwise            ? zero
                       : (twice & 0x8000u) != 0 ? 0xffff0000u | twice
                                                : twice);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON1, 4 * c->width);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON2, (t->in.plane_bytes / 16 - 4 * c->width) & 0x0fffffff);
    if (t->picture) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON1, 0x60000000u | (c->channels + 7) << 12);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CVT_CON0, 9);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CVT_CON5, 0xfff);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON1, c->width);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_DMA_CON2, c->width * (c->height - 1));
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CBUF_CON1, c->width * tile->rows);
    }
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_FORMAT, shift << 4);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_MUL_CFG, shift << 8 | 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_WDMA_SIZE_0, nnrt__open_npu_written(c, facts) - 1);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_SURFACE_ADD, (c->depthwise ? 4 : 2) * t->out.plane_bytes);
    if (c->depthwise) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CNA_CONV_CON1, 3);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_CORE_MISC_CFG, 3);
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BS_OW_CFG, 0x36d);
    }
    if (t->bounded) {
        nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_CFG, t->upper == INT32_MAX ? 0x12 : 0x92);
        if (t->upper != INT32_MAX) nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_LOWER, (uint32_t)t->upper);
    }
}

/* The words of a table that is used: what comes out of it is 64 for a step. */
NNRT__FN void nnrt__open_npu_curve_words(const nnrt__open_npu_facts *facts, nnrt__open_npu_draft *d) {
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_OFFSET, 0);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SHIFT, 6);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_EW_CFG, facts->chip == NNRT__OPEN_NPU_RK3588 ? 0x302 : 0x1004140);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_LUT_CFG, 0x68);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_LUT_INFO, 0x50500);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_LUT_LE_START, (uint32_t)-16384);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_LUT_LO_END, 16384);
}

/* BN scales what goes into the table, with one shift for both signs, which stands in two places. */
NNRT__FN void nnrt__open_npu_conv_curve_words(const nnrt__open_npu_conv_task *t, const nnrt__open_npu_facts *facts,
                                              nnrt__open_npu_draft *d) {
    const uint32_t shift = t->scales.output.shift - 7;
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_CFG, facts->chip == NNRT__OPEN_NPU_RK3588 ? 0x20040 : 0x20000);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_BN_MUL_CFG, (uint32_t)t->scales.output.factor << 16 | shift << 8);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_DATA_FORMAT,
                       nnrt__open_npu_said(d, NNRT__OPEN_NPU_DPU_DATA_FORMAT) | shift << 10);
    nnrt__open_npu_set(d, NNRT__OPEN_NPU_DPU_OUT_CVT_SCALE, 1);
    nnrt__open_npu_curve_words(facts, d);
}

/* The tasks of a convolution, or of a group of its channels. */
NNRT__FN void nnrt__open_npu_conv_tiles(nnrt__open_npu_writer *w, const nnrt__open_npu_conv_task *t) {
    const nnrt__open_npu_conv *c = t->c;
    nnrt__open_npu_tile tile;
    nnrt__open_npu_draft draft;
    uint32_t row;
    for (row = 0; row < c->out_height && w->status == OH_NN_SUCCESS; row += tile.out_rows) {
        tile = nnrt__open_npu_tile_at(c, &t->tiles, row);
        nnrt__open_npu_draft_begin(&draft, w, NNRT__OPEN_NPU_CONV);
        nnrt__open_npu_conv_shape_words(t, &tile, w->facts, &draft);
        if (w->facts->chip == NNRT__OPEN_NPU_RK3588) nnrt__open_npu_conv_words_rk3588(t, &tile, w->facts, &draft);
        else nnrt__open_npu_conv_words_rv1106(t, &tile, w->facts, &draft);
        if (t->curve) nnrt__open_npu_conv_curve_words(t, w->facts, &draft);
        nnrt__open_npu_draft_end(w, &draft);
    }
    w->macs += (uint64_t)c->out_height * c->out_width * c->outputs * c->kernel_h * c->kernel_w *
               (c->depthwise ? 1 : c->group_channels);
}

/* All tasks of a convolution. Weights and tables of channels lie one behind the other. */
NNRT__FN void nnrt__open_npu_conv_tasks(nnrt__open_npu_writer *w, const nnrt__open_npu_conv_task *t) {
    const nnrt__open_npu_conv *c = t->c;
    const uint32_t step = t->tiles.channels != 0 ? t->tiles.channels : c->outputs;
    uint32_t first;
    for (first = 0; first < c->outputs; first += step) {
        nnrt__open_npu_conv_task part = *t;
        nnrt__open_npu_conv of_part = *c;
        part.c = &of_part;
        if (t->tiles.channels != 0) {
            of_part.channels = of_part.outputs = c->outputs - first < step ? c->outputs - first : step;
            part.in.offset += first / NNRT__OPEN_NPU_LANES * t->in.plane_bytes;
            part.out.offset += first / NNRT__OPEN_NPU_LANES * t->out.plane_bytes;
            part.weights += c->kernel_h * c->kernel_w * first * w->facts->depthwise_kernels;
            part.table += nnrt__open_npu_table_offset(c, w->facts, first);
        }
        nnrt__open_npu_conv_tiles(w, &part);
    }
}

#endif /* NNRT_RKNPU_OPEN_CONV_TASK_H */
