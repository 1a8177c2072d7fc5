/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/pipeline.h - what the DPU makes of each value, and where it writes it.

     BS    bounds, then * scale of the channel >> shift, which is another one for negative values
     BN    negative values * slope, of all channels or of each, or every value * factor; >> shift, again one for either
           sign; bounds
     EW    + (second operand + offset) * factor >> shift, or times that, or the larger; nothing below 0
     LUT   a curve of two tables
     out   (value * factor + (zero point << shift)) >> shift, cut to int8

   The same for a convolution and for a task that reads its values from memory (RDMA). */
#ifndef NNRT_TOOLS_RKCHIP_PIPELINE_H
#define NNRT_TOOLS_RKCHIP_PIPELINE_H

#include "convolve.h"

enum {
    RKCHIP_OFF_LOWER = INT32_MIN,
    RKCHIP_OFF_UPPER = INT32_MAX
};

/* What the registers of the DPU say, once a task. */
typedef struct rkchip_pipeline {
    uint32_t width, height, channels;
    uint64_t pixel_bytes, row_bytes; /* from a pixel, or row, that is written to the next */
    /* BS */
    bool bounds;
    int32_t lower, upper;
    uint32_t shift, shift_negative;
    /* BN */
    uint32_t bn; /* what it does */
    int32_t bn_factor;
    const uint8_t *slopes; /* of each channel 16 bits, in place of the factor; NULL: none */
    uint32_t bn_shift, bn_shift_negative;
    int32_t bn_lower, bn_upper;
    /* EW */
    const int8_t *operand;  /* NULL: none. [height][width][planes * 16] */
    uint32_t operand_lanes; /* 0: every pixel has the same operand */
    int32_t operand_offset, operand_factor;
    uint32_t operand_shift;
    uint32_t ew; /* what it does */
    bool operand_relu;
    /* LUT */
    bool lut;
    uint32_t lut_shift;
    int32_t lut_start, lut_middle, lut_end, lut_slope;
    uint32_t lut_slope_shift;
    /* out */
    int32_t factor, zero_point;
    uint32_t out_shift;
    bool away; /* with halves */
} rkchip_pipeline;

/* -------------------------------------------------------------------------------------------- reading registers */

static bool rkchip_read_bs(rkchip *chip, rkchip_pipeline *p) {
    p->shift = rkchip_field_get(chip, chip->layout->dpu.bs_shift);
    p->shift_negative = rkchip_field_get(chip, chip->layout->dpu.bs_shift_negative);
    if (p->shift_negative == 0 && chip->layout->dpu.negative_follows) p->shift_negative = p->shift;
    p->lower = RKCHIP_OFF_LOWER;
    p->upper = RKCHIP_OFF_UPPER;
    if (!chip->layout->dpu.sum_bounds) return true;
    p->lower = rkchip_get_signed(chip, DPU_BN_LOWER);
    p->upper = rkchip_get_signed(chip, DPU_SUM_UPPER);
    return rkchip_expect(chip, DPU_BN_LOWER_COPY, rkchip_get(chip, DPU_BN_LOWER)) &&
           rkchip_expect(chip, DPU_SUM_UPPER_COPY, rkchip_get(chip, DPU_SUM_UPPER)) &&
           rkchip_expect(chip, DPU_BS_LOWER_COPY, rkchip_get(chip, DPU_BS_LOWER)) &&
           rkchip_expect(chip, DPU_BS_UPPER_COPY, rkchip_get(chip, DPU_ADD_UPPER)) &&
           rkchip_expect(chip, DPU_EW_LOWER_COPY, rkchip_get(chip, DPU_EW_LOWER));
}

static bool rkchip_read_bn(rkchip *chip, rkchip_pipeline *p) {
    if (!rkchip_mode_find(chip->layout->bn, rkchip_get(chip, DPU_BN_CFG), &p->bn))
        return rkchip_refuse_word(chip, DPU_BN_CFG, "no mode of BN that is known");
    p->bn_factor = rkchip_signed(rkchip_bits(chip, DPU_BN_MUL_CFG, 16, 16), 16);
    p->bn_shift = rkchip_bits(chip, DPU_BN_MUL_CFG, 8, 6);
    p->bn_shift_negative = rkchip_bits(chip, DPU_DATA_FORMAT, 10, 6);
    if ((rkchip_get(chip, DPU_BN_MUL_CFG) & 1) == 0 &&
        (!rkchip_expect(chip, RDMA_NRDMA_CFG, 0) || !rkchip_expect(chip, RDMA_BN_BASE_ADDR, 0)))
        return false;
    p->bounds = (p->bn & RKCHIP_DOES_BOUNDS) != 0;
    if (!p->bounds && (p->lower != RKCHIP_OFF_LOWER || p->upper != RKCHIP_OFF_UPPER))
        return rkchip_refuse_word(chip, DPU_BN_CFG, "bounds of the sums that are not switched on");
    p->bn_lower = (p->bn & RKCHIP_DOES_RELU) != 0 ? 0 : RKCHIP_OFF_LOWER;
    p->bn_upper = (p->bn & RKCHIP_DOES_UPPER) != 0 ? rkchip_get_signed(chip, DPU_BN_LOWER) : RKCHIP_OFF_UPPER;
    if (p->bn_upper < 0) return rkchip_refuse_word(chip, DPU_BN_LOWER, "an upper bound below 0");
    return chip->layout->dpu.sum_bounds || (p->bn & RKCHIP_DOES_UPPER) != 0 || rkchip_expect(chip, DPU_BN_LOWER, 0);
}

/* All planes lie in memory of the job, each behind the other, before anything is computed: no size is larger than that
   memory. */
static bool rkchip_out_fits(rkchip *chip, const rkchip_pipeline *p) {
    const uint64_t last = (p->channels - 1) / RKCHIP_LANES, distance = rkchip_get(chip, DPU_DST_SURF_STRIDE);
    const uint64_t plane = (p->height - 1) * p->row_bytes + (p->width - 1) * p->pixel_bytes + RKCHIP_LANES;
    if (p->row_bytes < p->width * p->pixel_bytes) return rkchip_refuse_word(chip, DPU_SURFACE_ADD, "rows that overlap");
    if (last != 0 && distance < plane) return rkchip_refuse_word(chip, DPU_DST_SURF_STRIDE, "planes that overlap");
    return rkchip_span(chip, DPU_DST_BASE_ADDR, rkchip_get(chip, DPU_DST_BASE_ADDR), last * distance + plane) != NULL;
}

/* Where the second operand begins. Of a convolution of RK3588 the reader takes planes from two addresses in turn. */
static bool rkchip_operand_address(rkchip *chip, bool convolves, uint64_t *address) {
    const uint32_t stride = rkchip_get(chip, RDMA_EW_SURF_STRIDE), first = rkchip_get(chip, RDMA_SRC_BASE_ADDR);
    *address = rkchip_get(chip, RDMA_EW_BASE_ADDR);
    if (!convolves || !chip->layout->dpu.operand_behind) return true;
    *address = first;
    return rkchip_expect(chip, RDMA_EW_BASE_ADDR, first + stride) && rkchip_expect(chip, RDMA_SURF_NOTCH, stride) &&
           rkchip_expect(chip, RDMA_EW_SURF_NOTCH, stride);
}

/* One factor a channel, as it was seen: of a product, in one atom, with no zero point. */
static bool rkchip_read_factors(rkchip *chip, rkchip_pipeline *p) {
    const uint8_t *from;
    int8_t *to;
    if ((p->ew & RKCHIP_DOES_PRODUCT) == 0 || p->channels > RKCHIP_LANES)
        return rkchip_refuse_word(chip, RDMA_ERDMA_CFG, "no second operand that is known");
    if (!rkchip_expect(chip, RDMA_EW_SURF_STRIDE, RKCHIP_LANES) || !rkchip_expect(chip, DPU_EW_CVT_OFFSET, 0))
        return false;
    from = rkchip_span(chip, RDMA_EW_BASE_ADDR, rkchip_get(chip, RDMA_EW_BASE_ADDR), RKCHIP_LANES);
    to = (int8_t *)rkchip_room(chip, &chip->operand, RKCHIP_LANES);
    if (from == NULL || to == NULL) return false;
    memcpy(to, from, RKCHIP_LANES);
    p->operand = to;
    p->operand_factor = 1;
    return true;
}

/* The second operand, all of it. */
static bool rkchip_read_operand(rkchip *chip, rkchip_pipeline *p, bool convolves) {
    const uint32_t planes = (p->channels + RKCHIP_LANES - 1) / RKCHIP_LANES;
    const uint64_t stride = rkchip_get(chip, RDMA_EW_SURF_STRIDE);
    const uint64_t pixels = (uint64_t)p->width * p->height;
    uint64_t address;
    int8_t *to;
    uint32_t plane;
    uint64_t i;
    if (rkchip_get(chip, RDMA_ERDMA_CFG) == 4) return rkchip_read_factors(chip, p);
    if (rkchip_get(chip, RDMA_ERDMA_CFG) != 0x40000004)
        return rkchip_refuse_word(chip, RDMA_ERDMA_CFG, "no second operand that is known");
    if (!rkchip_operand_address(chip, convolves, &address)) return false;
    if (planes > 1 && stride < pixels * RKCHIP_LANES)
        return rkchip_refuse_word(chip, RDMA_EW_SURF_STRIDE, "planes that overlap");
    p->operand_lanes = planes * RKCHIP_LANES;
    to = (int8_t *)rkchip_room(chip, &chip->operand, pixels * p->operand_lanes);
    if (to == NULL) return false;
    for (plane = 0; plane < planes; plane++) {
        const uint8_t *from = rkchip_span(chip, RDMA_EW_BASE_ADDR, address + plane * stride, pixels * RKCHIP_LANES);
        if (from == NULL) return false;
        for (i = 0; i < pixels; i++)
            memcpy(to + i * p->operand_lanes + (uint64_t)plane * RKCHIP_LANES, from + i * RKCHIP_LANES, RKCHIP_LANES);
    }
    p->operand = to;
    p->operand_offset = rkchip_get_signed(chip, DPU_EW_CVT_OFFSET);
    p->operand_factor = rkchip_signed(rkchip_bits(chip, DPU_EW_CVT_SCALE, 0, 16), 16);
    p->operand_shift = rkchip_bits(chip, DPU_EW_CVT_SCALE, 16, 6);
    return true;
}

static bool rkchip_read_lut(rkchip *chip, rkchip_pipeline *p) {
    p->lut = true;
    p->lut_shift = rkchip_bits(chip, DPU_LUT_INFO, 8, 8);
    p->lut_start = rkchip_get_signed(chip, DPU_LUT_LE_START);
    p->lut_middle = rkchip_get_signed(chip, DPU_LUT_LE_END);
    p->lut_end = rkchip_get_signed(chip, DPU_LUT_LO_END);
    p->lut_slope = rkchip_signed(rkchip_bits(chip, DPU_LUT_LO_SLOPE_SCALE, 16, 16), 16);
    p->lut_slope_shift = rkchip_bits(chip, DPU_LUT_LO_SLOPE_SHIFT, 5, 5);
    if (chip->lut_filled[0] != RKCHIP_LUT || chip->lut_filled[1] != RKCHIP_LUT)
        return rkchip_refuse(chip, "it uses a table that no task has loaded");
    if (rkchip_get(chip, DPU_LUT_CFG) != 0x68)
        return rkchip_refuse_word(chip, DPU_LUT_CFG, "no use of the table that is known");
    if (p->lut_shift != rkchip_bits(chip, DPU_LUT_INFO, 16, 8) || p->lut_shift > 15)
        return rkchip_refuse_word(chip, DPU_LUT_INFO, "steps of the table that are not known");
    if (rkchip_get_signed(chip, DPU_LUT_LO_START) != p->lut_middle ||
        (int64_t)p->lut_middle - p->lut_start != (int64_t)(RKCHIP_LUT - 1) << p->lut_shift ||
        (int64_t)p->lut_end - p->lut_middle != (int64_t)(RKCHIP_LUT - 1) << p->lut_shift)
        return rkchip_refuse_word(chip, DPU_LUT_LO_START, "a range of the tables that their steps do not fill");
    return true;
}

static bool rkchip_read_out(rkchip *chip, rkchip_pipeline *p) {
    p->factor = rkchip_signed(rkchip_bits(chip, DPU_OUT_CVT_SCALE, 0, 16), 16);
    p->zero_point = rkchip_get_signed(chip, DPU_OUT_CVT_OFFSET);
    p->out_shift = rkchip_bits(chip, DPU_OUT_CVT_SHIFT, 0, 6);
    p->away = rkchip_bits(chip, DPU_OUT_CVT_SHIFT, 30, 1) != 0;
    if (p->zero_point < INT8_MIN || p->zero_point > INT8_MAX)
        return rkchip_refuse_word(chip, DPU_OUT_CVT_OFFSET, "a zero point that is no int8");
    if (p->out_shift > 47) return rkchip_refuse_word(chip, DPU_OUT_CVT_SHIFT, "a shift that leaves nothing");
    return true;
}

/* Sizes of what is written. */
static void rkchip_pipeline_open(rkchip *chip, rkchip_pipeline *p, uint32_t width, uint32_t height) {
    memset(p, 0, sizeof(*p));
    p->width = width;
    p->height = height;
    p->channels = rkchip_bits(chip, DPU_DATA_CUBE_CHANNEL, 16, 13) + 1;
    p->pixel_bytes = RKCHIP_LANES;
    p->row_bytes = (p->width + (uint64_t)rkchip_bits(chip, DPU_DATA_CUBE_NOTCH_ADDR, 0, 13)) * RKCHIP_LANES;
}

/* What EW does, as far as it was seen: products and the largest without a convolution, a product of an operand that is
   not scaled; its lower bound, 0, of products; halves away from 0 of sums of two maps, without a zero point. */
static bool rkchip_ew_agrees(rkchip *chip, const rkchip_pipeline *p, bool convolves) {
    const bool product = (p->ew & RKCHIP_DOES_PRODUCT) != 0, largest = (p->ew & RKCHIP_DOES_LARGEST) != 0;
    if (convolves && (product || largest))
        return rkchip_refuse_word(chip, DPU_EW_CFG, "no operation of EW beside a convolution that is known");
    if (p->away && (convolves || product || largest || (p->ew & RKCHIP_DOES_OPERAND) == 0 || p->zero_point != 0))
        return rkchip_refuse_word(chip, DPU_OUT_CVT_SHIFT, "halves that go away from 0, but in sums of two maps");
    if (!chip->layout->dpu.sum_bounds) return true;
    if (!product) return rkchip_expect(chip, DPU_EW_LOWER, 0x80000000);
    if (rkchip_get(chip, DPU_EW_LOWER) != 0 && rkchip_get(chip, DPU_EW_LOWER) != 0x80000000)
        return rkchip_refuse_word(chip, DPU_EW_LOWER, "no lower bound of a product that is known");
    return rkchip_expect(chip, DPU_EW_CVT_SCALE, 1);
}

/* The stages, as far as a convolution and a task of the DPU alone have them in common, and the second operand. */
static bool rkchip_pipeline_read(rkchip *chip, rkchip_pipeline *p, bool convolves) {
    if (!rkchip_read_bs(chip, p) || !rkchip_read_bn(chip, p) || !rkchip_read_out(chip, p) || !rkchip_out_fits(chip, p))
        return false;
    if (!rkchip_mode_find(chip->layout->ew, rkchip_get(chip, DPU_EW_CFG), &p->ew))
        return rkchip_refuse_word(chip, DPU_EW_CFG, "no operation of EW that is known");
    if (!rkchip_ew_agrees(chip, p, convolves)) return false;
    p->operand_relu =
        (p->ew & RKCHIP_DOES_RELU) != 0 || ((p->ew & RKCHIP_DOES_PRODUCT) != 0 && rkchip_get(chip, DPU_EW_LOWER) == 0);
    if ((p->ew & RKCHIP_DOES_LUT) != 0) return rkchip_read_lut(chip, p);
    return (p->ew & RKCHIP_DOES_OPERAND) == 0 || rkchip_read_operand(chip, p, convolves);
}

/* ------------------------------------------------------------------------------------------------ values */

/* Between two values of a table a straight line, cut off. */
static int64_t rkchip_lut_between(const int16_t *points, int64_t value, int64_t start, uint32_t shift) {
    const int64_t most = (int64_t)(RKCHIP_LUT - 1) << shift;
    const int64_t at = rkchip_clamp(value - start, 0, most);
    const int64_t index = at >> shift < RKCHIP_LUT - 2 ? at >> shift : RKCHIP_LUT - 2, part = at - (index << shift);
    return rkchip_floor_shift(points[index] * (((int64_t)1 << shift) - part) + (int64_t)points[index + 1] * part,
                              shift);
}

static int64_t rkchip_lut_value(const rkchip *chip, const rkchip_pipeline *p, int64_t value) {
    if (value < p->lut_middle) return rkchip_lut_between(chip->lut[0], value, p->lut_start, p->lut_shift);
    if (value > p->lut_end)
        return chip->lut[1][RKCHIP_LUT - 1] +
               rkchip_round_shift((value - p->lut_end) * p->lut_slope, p->lut_slope_shift);
    return rkchip_lut_between(chip->lut[1], value, p->lut_middle, p->lut_shift);
}

static int64_t rkchip_bn_value(const rkchip_pipeline *p, uint32_t channel, int64_t value) {
    if ((p->bn & RKCHIP_DOES_SCALE) == 0) {
        if (p->bn_lower != RKCHIP_OFF_LOWER && value < p->bn_lower) return p->bn_lower;
        return p->bn_upper != RKCHIP_OFF_UPPER && value > p->bn_upper ? p->bn_upper : value;
    }
    if ((p->bn & RKCHIP_DOES_NEGATIVE) == 0 || value < 0)
        value *= p->slopes != NULL ? (int32_t)rkchip_read_16(p->slopes + 2 * (size_t)channel) : p->bn_factor;
    return rkchip_scale(value, p->bn_shift, p->bn_shift_negative);
}

static int64_t rkchip_ew_value(const rkchip_pipeline *p, int64_t value, int8_t operand) {
    const int64_t second =
        rkchip_round_shift((operand + (int64_t)p->operand_offset) * p->operand_factor, p->operand_shift);
    if ((p->ew & RKCHIP_DOES_PRODUCT) != 0) return value * second;
    if ((p->ew & RKCHIP_DOES_LARGEST) != 0) return value > second ? value : second;
    return value + second;
}

/* What a stage hands on, kept within most of 0. *outside is set where it leaves 32 bits. */
static int64_t rkchip_hand_on(int64_t value, int64_t most, bool *outside) {
    if (!rkchip_is_32(value)) *outside = true;
    return rkchip_clamp(value, -most - 1, most);
}

/* Behind BS, to the byte that is written. */
static int8_t rkchip_finish_within(const rkchip *chip, const rkchip_pipeline *p, uint32_t channel, int64_t value,
                                   const int8_t *operand, int64_t most, bool *outside) {
    value = rkchip_bn_value(p, channel, rkchip_hand_on(value, most, outside));
    if (operand != NULL) value = rkchip_ew_value(p, value, *operand);
    value = rkchip_hand_on(value, most, outside);
    if (p->operand_relu && value < 0) value = 0;
    if (p->lut) value = rkchip_hand_on(rkchip_lut_value(chip, p, value), most, outside);
    value = value * p->factor + p->zero_point * ((int64_t)1 << p->out_shift);
    value = p->away ? rkchip_round_away(value, p->out_shift) : rkchip_round_shift(value, p->out_shift);
    return (int8_t)rkchip_clamp(value, INT8_MIN, INT8_MAX);
}

/* false: a value leaves 32 bits on its way, and it matters whether silicon cuts it there or keeps it. */
static bool rkchip_finish(const rkchip *chip, const rkchip_pipeline *p, uint32_t channel, int64_t value,
                          const int8_t *operand, int8_t *to) {
    bool outside = false;
    *to = rkchip_finish_within(chip, p, channel, value, operand, INT32_MAX, &outside);
    return !outside || *to == rkchip_finish_within(chip, p, channel, value, operand, (int64_t)1 << 46, &outside);
}

static bool rkchip_refuse_large(rkchip *chip) {
    return rkchip_refuse(chip, "a value leaves 32 bits, and what silicon does then shows in the result");
}

/* -------------------------------------------------------------------------------------------------- writing */

/* Where row y of a plane goes; NULL, and a refusal: not into memory of the job. Lanes past the channels get 0 here;
   silicon writes what its padded kernels give, and no reader depends on it. */
static uint8_t *rkchip_out_row(rkchip *chip, const rkchip_pipeline *p, uint32_t plane, uint32_t y) {
    const uint64_t at = rkchip_get(chip, DPU_DST_BASE_ADDR) + plane * (uint64_t)rkchip_get(chip, DPU_DST_SURF_STRIDE) +
                        y * p->row_bytes;
    return rkchip_span(chip, DPU_DST_BASE_ADDR, at, (p->width - 1) * p->pixel_bytes + RKCHIP_LANES);
}

/* bytes is [height][width][channels]. */
static bool rkchip_write_planes(rkchip *chip, const rkchip_pipeline *p, const int8_t *bytes) {
    uint32_t plane, x, y;
    for (plane = 0; plane * RKCHIP_LANES < p->channels; plane++) {
        const uint32_t first = plane * RKCHIP_LANES, left = p->channels - first;
        const uint32_t count = left < RKCHIP_LANES ? left : RKCHIP_LANES;
        for (y = 0; y < p->height; y++) {
            uint8_t *row = rkchip_out_row(chip, p, plane, y);
            if (row == NULL) return false;
            for (x = 0; x < p->width; x++, row += p->pixel_bytes) {
                memcpy(row, bytes + ((size_t)y * p->width + x) * p->channels + first, count);
                memset(row + count, 0, RKCHIP_LANES - count);
            }
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------- a convolution */

/* The kind of a convolution, of its table and of BS: one of those that were seen. */
static bool rkchip_conv_kind_read(rkchip *chip, rkchip_conv *c) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t form = rkchip_get(chip, RDMA_BRDMA_CFG);
    uint32_t i;
    for (i = 0; i < RKCHIP_MOST_KINDS && c->kind == NULL; i++)
        if (layout->kinds[i].bs_cfg != 0 && layout->kinds[i].depthwise == c->depthwise &&
            layout->kinds[i].table == form)
            c->kind = &layout->kinds[i];
    if (c->kind == NULL) return rkchip_refuse_word(chip, RDMA_BRDMA_CFG, "no table of channels that is known");
    if ((rkchip_get(chip, DPU_BS_CFG) & ~(uint32_t)0x3e00) != c->kind->bs_cfg)
        return rkchip_refuse_word(chip, DPU_BS_CFG, "no mode of BS that is known");
    if ((rkchip_get(chip, DPU_BS_MUL_CFG) & ~(uint32_t)0x3f00) != c->kind->mul_cfg)
        return rkchip_refuse_word(chip, DPU_BS_MUL_CFG, "no scales of BS that are known");
    if (!layout->dpu.sum_bounds && (form & 8) == 0 &&
        (rkchip_field_get(chip, layout->dpu.bs_shift) != 0 ||
         rkchip_field_get(chip, layout->dpu.bs_shift_negative) != 0))
        return rkchip_refuse_word(chip, DPU_BS_MUL_CFG, "a shift without a scale");
    return rkchip_expect(chip, DPU_BS_OW_CFG, c->kind->way);
}

/* Where the pixels of a convolution go. */
static bool rkchip_conv_way_out(rkchip *chip, const rkchip_conv *c, rkchip_pipeline *p) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t plane = rkchip_get(chip, DPU_DST_SURF_STRIDE), gap = rkchip_get(chip, DPU_DATA_CUBE_NOTCH_ADDR);
    if (!rkchip_conv_phase(chip))
        return rkchip_expect(chip, DPU_DATA_CUBE_NOTCH_ADDR, 0) &&
               rkchip_expect(chip, DPU_SURFACE_ADD,
                             plane *
                                 (c->depthwise ? layout->weights.surface_depthwise : layout->weights.surface_dense));
    if (!c->depthwise || gap >> 16 != (gap & 0xffff))
        return rkchip_refuse_word(chip, DPU_DATA_CUBE_NOTCH_ADDR, "no gaps between pixels that are known");
    p->pixel_bytes = ((uint64_t)(gap & 0xffff) + 1) * RKCHIP_LANES;
    p->row_bytes = rkchip_get(chip, DPU_SURFACE_ADD);
    return true;
}

/* What differs between dense and depthwise, and between tables, in every convolution that was seen. */
static bool rkchip_conv_formats(rkchip *chip, const rkchip_conv *c) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t reading = rkchip_get(chip, RDMA_FEATURE_MODE_CFG) & ~layout->dpu.reading_free;
    uint32_t ew = 0;
    const bool operand =
        rkchip_mode_find(layout->ew, rkchip_get(chip, DPU_EW_CFG), &ew) && (ew & RKCHIP_DOES_OPERAND) != 0;
    if (rkchip_get(chip, DPU_FEATURE_MODE_CFG) != (c->depthwise ? 0x1fc : 0x1e4))
        return rkchip_refuse_word(chip, DPU_FEATURE_MODE_CFG, "no way out of a convolution that is known");
    if ((rkchip_get(chip, DPU_DATA_FORMAT) & ~(uint32_t)0xfff0) != layout->dpu.format)
        return rkchip_refuse_word(chip, DPU_DATA_FORMAT, "another type than int8");
    if (reading != (c->depthwise ? 0x7816 : operand ? layout->dpu.operand_reading : 0x7810))
        return rkchip_refuse_word(chip, RDMA_FEATURE_MODE_CFG, "no reading beside a convolution that is known");
    if (!operand && rkchip_get(chip, RDMA_ERDMA_CFG) != 1)
        return rkchip_refuse_word(chip, RDMA_ERDMA_CFG, "a second operand without use");
    return rkchip_expect(chip, layout->dpu.bs_add, 0) && rkchip_expect(chip, DPU_BS_ALU_CFG, 0) &&
           (!layout->dpu.sum_bounds || rkchip_expect(chip, DPU_ADD_UPPER, 0x7fffffff)) &&
           rkchip_expect(chip, DPU_BS_LOWER, layout->dpu.bs_limit_off) &&
           (rkchip_bits(chip, DPU_OUT_CVT_SCALE, 16, 1) == (operand && layout->dpu.scale_bit != 0) ||
            rkchip_refuse_word(chip, DPU_OUT_CVT_SCALE, "bit 16 goes with a second operand"));
}

/* BS of one sum. false: it leaves 32 bits. */
static bool rkchip_conv_bs(const rkchip_pipeline *p, const rkchip_channel *channel, int64_t sum, int64_t *value) {
    sum += channel->bias;
    if (!rkchip_is_32(sum)) return false;
    if (p->bounds) sum = rkchip_clamp(sum, p->lower, p->upper);
    *value = rkchip_scale(sum * channel->scale, p->shift, p->shift_negative);
    return true;
}

/* The slopes of PReLU, as they were seen: beside dense weights, of one plane, no further shifts. */
static bool rkchip_conv_slopes(rkchip *chip, const rkchip_conv *c, rkchip_pipeline *p) {
    uint32_t i;
    if ((rkchip_get(chip, DPU_BN_MUL_CFG) & 1) == 0) return true;
    if (c->depthwise || c->out_channels > RKCHIP_LANES || (p->bn & RKCHIP_DOES_NEGATIVE) == 0 ||
        rkchip_get(chip, DPU_BN_MUL_CFG) != 1 || p->bn_shift_negative != 0)
        return rkchip_refuse_word(chip, DPU_BN_MUL_CFG, "a table of slopes that is not known");
    if (!rkchip_expect(chip, RDMA_NRDMA_CFG, 8)) return false;
    p->slopes = rkchip_span(chip, RDMA_BN_BASE_ADDR, rkchip_get(chip, RDMA_BN_BASE_ADDR), 2 * c->out_channels);
    if (p->slopes == NULL) return false;
    for (i = 0; i < c->out_channels; i++)
        if (p->slopes[2 * i + 1] > 0x7f)
            return rkchip_refuse_word(chip, DPU_BN_MUL_CFG, "its table has a slope that may be negative");
    return true;
}

/* A task of CNA, CORE, DPU and, for its table, DPU_RDMA. */
static bool rkchip_convolve(rkchip *chip) {
    rkchip_conv c;
    rkchip_pipeline p;
    const rkchip_channel *channels;
    const int16_t *input, *weights;
    int32_t *sums;
    int8_t *bytes;
    uint64_t pixels, i;
    uint32_t o;
    if (!rkchip_conv_read(chip, &c) || !rkchip_conv_kind_read(chip, &c) || !rkchip_conv_formats(chip, &c)) return false;
    rkchip_pipeline_open(chip, &p, c.out_width, c.out_height);
    if (!rkchip_conv_way_out(chip, &c, &p) || !rkchip_pipeline_read(chip, &p, true) ||
        !rkchip_conv_slopes(chip, &c, &p))
        return false;
    if ((channels = rkchip_conv_channels(chip, &c)) == NULL || (input = rkchip_conv_input(chip, &c)) == NULL ||
        (weights = rkchip_conv_weights(chip, &c, channels)) == NULL)
        return false;
    pixels = (uint64_t)c.out_width * c.out_height;
    sums = (int32_t *)rkchip_room(chip, &chip->sums, pixels * c.out_channels * sizeof(*sums));
    if (sums == NULL) return false;
    rkchip_conv_sums(&c, input, weights, sums);
    chip->macs += pixels * c.out_channels * c.kernel_width * c.kernel_height * (c.depthwise ? 1 : c.lanes);
    bytes = (int8_t *)sums; /* a byte lies before its sum, or is its first */
    for (i = 0; i < pixels; i++)
        for (o = 0; o < c.out_channels; o++) {
            int64_t value;
            const int8_t *operand = p.operand != NULL ? p.operand + i * p.operand_lanes + o : NULL;
            if (!rkchip_conv_bs(&p, &channels[o], sums[i * c.out_channels + o], &value) ||
                !rkchip_finish(chip, &p, o, value, operand, &bytes[i * c.out_channels + o]))
                return rkchip_refuse_large(chip);
        }
    return rkchip_write_planes(chip, &p, bytes);
}

#endif /* NNRT_TOOLS_RKCHIP_PIPELINE_H */
