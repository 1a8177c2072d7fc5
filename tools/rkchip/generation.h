/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/generation.h - what differs between the NPU of RV1103/RV1106 and that of RK3588.

   The stages are the same, and so is their arithmetic. What differs is where a field stands, how many channels lie
   together, and the words that switch a stage: all of it data here, so that the code has one path. A combination that
   is not in these tables was in no stream. */
#ifndef NNRT_TOOLS_RKCHIP_GENERATION_H
#define NNRT_TOOLS_RKCHIP_GENERATION_H

#include "words_rk3588.h"
#include "words_rv1106.h"

/* Some bits of a register. */
typedef struct rkchip_field {
    uint16_t name;
    uint8_t low, count;
} rkchip_field;

/* What a stage does with a value. */
enum {
    RKCHIP_DOES_ADD = 1,      /* a constant */
    RKCHIP_DOES_SCALE = 2,    /* by a constant */
    RKCHIP_DOES_NEGATIVE = 4, /* only values below 0 */
    RKCHIP_DOES_BOUNDS = 8,   /* of the sums, in front of the scales */
    RKCHIP_DOES_LOWER = 16,   /* bound of a register */
    RKCHIP_DOES_RELU = 32,    /* nothing below 0 */
    RKCHIP_DOES_UPPER = 64,   /* bound of a register */
    RKCHIP_DOES_OPERAND = 128,
    RKCHIP_DOES_LUT = 256,
    RKCHIP_DOES_PRODUCT = 512,  /* of a value and the operand, not their sum */
    RKCHIP_DOES_LARGEST = 1024, /* of both */
    RKCHIP_DOES_MOVE = 2048     /* by DPU_BS_ALU_CFG */
};

/* A word that switches a stage. The first of a stage's switches it off. */
typedef struct rkchip_mode {
    uint32_t word, does;
} rkchip_mode;

/* A kind of convolution, by what the table of its channels has: bit 1 biases, 2 weights' zero points, 3 scales. */
typedef struct rkchip_conv_kind {
    bool depthwise;
    uint8_t table;                 /* of RDMA_BRDMA_CFG */
    uint32_t bs_cfg, mul_cfg, way; /* of DPU_BS_CFG and DPU_BS_MUL_CFG without shifts, DPU_BS_OW_CFG */
} rkchip_conv_kind;

enum {
    RKCHIP_MOST_MODES = 5,
    RKCHIP_MOST_KINDS = 4
};

/* How the input lies, and is converted. */
typedef struct rkchip_input_layout {
    uint32_t picture_bits; /* of CNA_CONV_CON1, beside the kind of picture */
    uint32_t convert_off;  /* of CNA_CVT_CON0 */
    bool convert_in_pairs; /* a scale and an offset in one register */
    bool planes_by_jump;   /* strides say how far the last line read is from the next plane */
    rkchip_field pad_left, pad_top;
} rkchip_input_layout;

typedef struct rkchip_weight_layout {
    uint8_t depthwise_mode;                   /* of CNA_CONV_CON1 */
    uint8_t misc_dense, misc_depthwise;       /* of CORE_MISC_CFG */
    uint8_t dense_block, depthwise_block;     /* output channels whose weights lie together */
    uint8_t kernels_multiple;                 /* of dense convolutions: filled up to it */
    uint8_t depthwise_kernels;                /* that are told */
    bool depthwise_pairs;                     /* a weight, and what is added to it */
    uint8_t picture_lanes;                    /* that have weights */
    uint8_t table_group;                      /* channels whose bias, zero points and scales lie together */
    uint8_t surface_dense, surface_depthwise; /* planes that DPU_SURFACE_ADD steps over */
} rkchip_weight_layout;

typedef struct rkchip_dpu_layout {
    uint32_t format;          /* int8, of DPU_DATA_FORMAT without shifts */
    bool sum_bounds;          /* there are registers for them */
    bool phases;              /* a convolution may leave gaps between the pixels that it writes */
    bool operand_behind;      /* of a convolution: planes come from two addresses in turn */
    uint32_t reading_free;    /* of RDMA_FEATURE_MODE_CFG beside a convolution: bits that have no say */
    uint32_t operand_reading; /* the others, with a second operand */
    uint16_t bs_add;          /* register of the constant */
    uint32_t bs_limit_off;    /* of DPU_BS_LOWER */
    rkchip_field bs_shift, bs_shift_negative;
    bool negative_follows; /* a shift of 0 for negative values is that of the others */
    uint32_t scale_bit;    /* of DPU_OUT_CVT_SCALE, goes with a second operand and with copies */
} rkchip_dpu_layout;

/* Tasks of the DPU alone. */
typedef struct rkchip_copy_layout {
    bool extent_is_written; /* they go by DPU_WDMA_SIZE_1; DPU_DATA_CUBE_* may be left from earlier tasks */
    bool packing;           /* they change layouts, too */
    uint32_t reading, nearest_reading, nearest_format;
    uint32_t ways[2]; /* of DPU_BS_OW_CFG */
} rkchip_copy_layout;

typedef struct rkchip_layout {
    const rkchip_rule *(*rules)(size_t *count);
    rkchip_input_layout input;
    rkchip_weight_layout weights;
    rkchip_dpu_layout dpu;
    rkchip_copy_layout copy;
    rkchip_conv_kind kinds[RKCHIP_MOST_KINDS];
    rkchip_mode bs[RKCHIP_MOST_MODES]; /* of the DPU alone */
    rkchip_mode bn[RKCHIP_MOST_MODES], ew[RKCHIP_MOST_MODES];
} rkchip_layout;

static const rkchip_layout *rkchip_rv1106(void) {
    static const rkchip_layout layout = {
        rkchip_rules_rv1106,
        {0x20000000, 9, false, false, {CNA_PAD_CON0, 8, 5}, {CNA_PAD_CON0, 0, 5}},
        {7, 0x1, 0xa, 16, 32, 1, 2, true, 4, 4, 1, 2},
        {0x00800000,
         true,
         false,
         false,
         0x900008,
         0x7810,
         DPU_ADD,
         0x80000000,
         {DPU_BS_CFG, 9, 5},
         {DPU_BS_OW_OP, 24, 5},
         true,
         0x10000},
        {false, true, 0x907809, 0x927809, 0x01000000, {0x30000002, 0x30000000}},
        {{false, 0xe, 0x120180, 1, 0x30000001},
         {false, 2, 0x120180, 0, 0x30000002},
         {true, 0xa, 0x100092, 0, 0x70000125},
         {false, 0, 0, 0, 0}},
        {{0x53, 0},
         {0x100012, RKCHIP_DOES_ADD | RKCHIP_DOES_LOWER | RKCHIP_DOES_SCALE},
         {0x120050, RKCHIP_DOES_MOVE},
         {0, 0},
         {0, 0}},
        {{0x13, 0},
         {0x12, RKCHIP_DOES_BOUNDS},
         {0x22, RKCHIP_DOES_SCALE | RKCHIP_DOES_NEGATIVE},
         {0x20000, RKCHIP_DOES_SCALE},
         {0, 0}},
        {{0x010041c1, 0},
         {0x8002c0c0, RKCHIP_DOES_OPERAND},
         {0x01004140, RKCHIP_DOES_LUT},
         {0x81004094, RKCHIP_DOES_OPERAND | RKCHIP_DOES_PRODUCT},
         {0x8000c0c0, RKCHIP_DOES_OPERAND | RKCHIP_DOES_LARGEST}},
    };
    return &layout;
}

static const rkchip_layout *rkchip_rk3588(void) {
    static const rkchip_layout layout = {
        rkchip_rules_rk3588,
        {0x60000000, 0xb, true, true, {CNA_PAD_CON0, 4, 4}, {CNA_PAD_CON0, 0, 4}},
        {3, 0x1, 0x3, 32, 64, 2, 1, false, 16, 8, 2, 4},
        {0, false, true, true, 0, 0x7d00, DPU_BS_ALU_CFG, 0, {DPU_BS_MUL_CFG, 8, 6}, {DPU_DATA_FORMAT, 4, 6}, false, 0},
        {true, false, 0x7801, 0xf801, 0x04000000, {2, 2}},
        {{false, 0xe, 0x20140, 1, 0x125},
         {false, 2, 0x20150, 0, 0x124},
         {true, 0xe, 0x20140, 1, 0x36d},
         {true, 2, 0x20150, 0, 0x36c}},
        {{0x53, 0},
         {0x20050, RKCHIP_DOES_ADD},
         {0x20040, RKCHIP_DOES_ADD | RKCHIP_DOES_SCALE},
         {0x20090, RKCHIP_DOES_ADD | RKCHIP_DOES_RELU | RKCHIP_DOES_UPPER}},
        {{0x53, 0},
         {0x20040, RKCHIP_DOES_SCALE},
         {0x12, RKCHIP_DOES_RELU},
         {0x92, RKCHIP_DOES_RELU | RKCHIP_DOES_UPPER}},
        {{0x383, 0},
         {0x904202c0, RKCHIP_DOES_OPERAND},
         {0x904200c0, RKCHIP_DOES_OPERAND | RKCHIP_DOES_RELU},
         {0x302, RKCHIP_DOES_LUT}},
    };
    return &layout;
}

static const rkchip_layout *rkchip_layout_of(rkchip_generation generation) {
    return generation == RKCHIP_RK3588 ? rkchip_rk3588() : rkchip_rv1106();
}

static uint32_t rkchip_field_get(const rkchip *chip, rkchip_field field) {
    return rkchip_bits(chip, field.name, field.low, field.count);
}

/* What the word of a stage switches on. false: nobody has seen it. */
static bool rkchip_mode_find(const rkchip_mode *modes, uint32_t word, uint32_t *does) {
    uint32_t i;
    for (i = 0; i < RKCHIP_MOST_MODES; i++)
        if (modes[i].word == word && word != 0) {
            *does = modes[i].does;
            return true;
        }
    return false;
}

#endif /* NNRT_TOOLS_RKCHIP_GENERATION_H */
