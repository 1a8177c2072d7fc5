/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/words.h - the registers: which are known, which of their bits mean something, what the rest has to be.

   A row says of a register which bits the engine reads (or knows to change nothing but time), and the value that all
   others have in every stream that was seen. A word that differs there is refused: it is a mode that nobody has looked
   at. Three kinds:

     EXECUTED   bits that this room computes with
     CHECKED    follow from others; convolve.h and its neighbours compare them
     TIMING     buffers, bursts, prefetching: no result depends on them

   Names are those of the RK3588's manual. The rows are words_rv1106.h and words_rk3588.h, each with the streams that it
   was taken from. */
#ifndef NNRT_TOOLS_RKCHIP_WORDS_H
#define NNRT_TOOLS_RKCHIP_WORDS_H

#include "chip.h"

enum {
    CNA_S_POINTER = 0x1004,
    CNA_CONV_CON1 = 0x100c,
    CNA_CONV_CON2 = 0x1010,
    CNA_CONV_CON3 = 0x1014,
    CNA_CVT_OFFSET0 = 0x101c, /* RV1103, RV1106 */
    CNA_DATA_SIZE0 = 0x1020,
    CNA_DATA_SIZE1 = 0x1024,
    CNA_DATA_SIZE2 = 0x1028,
    CNA_DATA_SIZE3 = 0x102c,
    CNA_WEIGHT_SIZE0 = 0x1030,
    CNA_WEIGHT_SIZE1 = 0x1034,
    CNA_WEIGHT_SIZE2 = 0x1038,
    CNA_WEIGHT_ENTRIES = 0x103c,
    CNA_CBUF_CON0 = 0x1040,
    CNA_CBUF_CON1 = 0x1044,
    CNA_CBUF_BANKS = 0x1048,
    CNA_CVT_CON0 = 0x104c,
    CNA_CVT_CON1 = 0x1050,
    CNA_CVT_CON2 = 0x1054,
    CNA_CVT_CON3 = 0x1058,
    CNA_CVT_CON4 = 0x105c,
    CNA_FC_CON0 = 0x1060,
    CNA_FC_CON1 = 0x1064,
    CNA_PAD_CON0 = 0x1068,
    CNA_CVT_OFFSET3 = 0x106c,
    CNA_FEATURE_DATA_ADDR = 0x1070,
    CNA_FC_CON2 = 0x1074,
    CNA_DMA_CON0 = 0x1078,
    CNA_DMA_CON1 = 0x107c,
    CNA_DMA_CON2 = 0x1080,
    CNA_FC_DATA_SIZE0 = 0x1084,
    CNA_FC_DATA_SIZE1 = 0x1088,
    CNA_CVT_ENABLE = 0x108c,
    CNA_FC_DATA_SIZE2 = 0x1094,
    CNA_DCOMP_CTRL = 0x1100,
    CNA_DCOMP_REGNUM = 0x1104,
    CNA_DCOMP_ADDR0 = 0x1110,
    CNA_DCOMP_AMOUNT0 = 0x1140,
    CNA_DCOMP_AMOUNT1 = 0x1144,
    CNA_CVT_CON5 = 0x1180, /* RK3588: channels whose conversion is on */
    CNA_PAD_CON1 = 0x1184,
    CNA_KERNEL_HALF = 0x1188,
    CNA_LINE_LAST = 0x118c,
    CORE_S_POINTER = 0x3004,
    CORE_MISC_CFG = 0x3010,
    CORE_DATAOUT_SIZE_0 = 0x3014,
    CORE_DATAOUT_SIZE_1 = 0x3018,
    CORE_CLIP_TRUNCATE = 0x301c,
    CORE_UNNAMED = 0x3030,
    DPU_S_POINTER = 0x4004,
    DPU_FEATURE_MODE_CFG = 0x400c,
    DPU_DATA_FORMAT = 0x4010,
    DPU_OFFSET_PEND = 0x4014,
    DPU_ADD = 0x4018, /* RV1103, RV1106: what is added to the main operand */
    DPU_ADD_UPPER = 0x401c,
    DPU_DST_BASE_ADDR = 0x4020,
    DPU_DST_SURF_STRIDE = 0x4024,
    DPU_SUM_UPPER = 0x4028, /* RV1103, RV1106: upper bound of the sums */
    DPU_SUM_UPPER_2 = 0x402c,
    DPU_DATA_CUBE_WIDTH = 0x4030,
    DPU_DATA_CUBE_HEIGHT = 0x4034,
    DPU_DATA_CUBE_NOTCH_ADDR = 0x4038,
    DPU_DATA_CUBE_CHANNEL = 0x403c,
    DPU_BS_CFG = 0x4040,
    DPU_BS_ALU_CFG = 0x4044,
    DPU_BS_MUL_CFG = 0x4048,
    DPU_BS_LOWER = 0x404c, /* RK3588: the upper bound */
    DPU_BS_OW_CFG = 0x4050,
    DPU_BS_OW_OP = 0x4054,
    DPU_WDMA_SIZE_0 = 0x4058,
    DPU_WDMA_SIZE_1 = 0x405c,
    DPU_BN_CFG = 0x4060,
    DPU_BN_ALU_CFG = 0x4064,
    DPU_BN_MUL_CFG = 0x4068,
    DPU_BN_LOWER = 0x406c, /* RV1103, RV1106: lower bound of the sums; RK3588: the upper bound behind BN */
    DPU_EW_CFG = 0x4070,
    DPU_EW_CVT_OFFSET = 0x4074,
    DPU_EW_CVT_SCALE = 0x4078,
    DPU_EW_LOWER = 0x407c,
    DPU_OUT_CVT_OFFSET = 0x4080,
    DPU_OUT_CVT_SCALE = 0x4084,
    DPU_OUT_CVT_SHIFT = 0x4088,
    DPU_EW_OP_VALUE_0 = 0x4090,
    DPU_EW_OP_VALUE_1 = 0x4094,
    DPU_EW_OP_VALUE_2 = 0x4098,
    DPU_EW_OP_VALUE_3 = 0x409c,
    DPU_EW_OP_VALUE_4 = 0x40a0,
    DPU_SURFACE_ADD = 0x40c0,
    DPU_SURFACE_ADD_2 = 0x40c4,
    DPU_BS_LOWER_COPY = 0x40d8,
    DPU_BS_UPPER_COPY = 0x40dc,
    DPU_BN_LOWER_COPY = 0x40e0,
    DPU_SUM_UPPER_COPY = 0x40e4,
    DPU_EW_LOWER_COPY = 0x40e8,
    DPU_EW_UPPER_COPY = 0x40ec,
    DPU_LUT_ACCESS_CFG = 0x4100,
    DPU_LUT_ACCESS_DATA = 0x4104,
    DPU_LUT_CFG = 0x4108,
    DPU_LUT_INFO = 0x410c,
    DPU_LUT_LE_START = 0x4110,
    DPU_LUT_LE_END = 0x4114,
    DPU_LUT_LO_START = 0x4118,
    DPU_LUT_LO_END = 0x411c,
    DPU_LUT_LE_SLOPE_SCALE = 0x4120,
    DPU_LUT_LE_SLOPE_SHIFT = 0x4124,
    DPU_LUT_LO_SLOPE_SCALE = 0x4128,
    DPU_LUT_LO_SLOPE_SHIFT = 0x412c,
    RDMA_S_POINTER = 0x5004,
    RDMA_DATA_CUBE_WIDTH = 0x500c,
    RDMA_DATA_CUBE_HEIGHT = 0x5010,
    RDMA_DATA_CUBE_CHANNEL = 0x5014,
    RDMA_SRC_BASE_ADDR = 0x5018,
    RDMA_BRDMA_CFG = 0x501c,
    RDMA_BS_BASE_ADDR = 0x5020,
    RDMA_NRDMA_CFG = 0x5028,
    RDMA_BN_BASE_ADDR = 0x502c,
    RDMA_ERDMA_CFG = 0x5034,
    RDMA_EW_BASE_ADDR = 0x5038,
    RDMA_EW_SURF_STRIDE = 0x5040,
    RDMA_FEATURE_MODE_CFG = 0x5044,
    RDMA_SRC_DMA_CFG = 0x5048,
    RDMA_SURF_NOTCH = 0x504c,
    RDMA_PAD_CFG = 0x5064,
    RDMA_WEIGHT = 0x5068,
    RDMA_EW_SURF_NOTCH = 0x506c,
    PPU_S_POINTER = 0x6004,
    PPU_IN_WIDTH = 0x600c,
    PPU_IN_HEIGHT = 0x6010,
    PPU_IN_CHANNEL = 0x6014,
    PPU_OUT_WIDTH = 0x6018,
    PPU_OUT_HEIGHT = 0x601c,
    PPU_OUT_CHANNEL = 0x6020,
    PPU_OPERATION_MODE_CFG = 0x6024,
    PPU_POOLING_KERNEL_CFG = 0x6034,
    PPU_RECIP_KERNEL_WIDTH = 0x6038,
    PPU_RECIP_KERNEL_HEIGHT = 0x603c,
    PPU_POOLING_PADDING_CFG = 0x6040,
    PPU_PAD_VALUES = 0x6044, /* and ten more */
    PPU_DST_BASE_ADDR = 0x6070,
    PPU_DST_SURF_STRIDE = 0x607c,
    PPU_DATA_FORMAT = 0x6084,
    PPU_MISC_CTRL = 0x60dc,
    PPU_RDMA_S_POINTER = 0x7004,
    PPU_RDMA_IN_WIDTH = 0x700c,
    PPU_RDMA_IN_HEIGHT = 0x7010,
    PPU_RDMA_IN_CHANNEL = 0x7014,
    PPU_RDMA_SRC_BASE_ADDR = 0x701c,
    PPU_RDMA_SRC_LINE_STRIDE = 0x7024,
    PPU_RDMA_SRC_SURF_STRIDE = 0x7028,
    PPU_RDMA_DATA_FORMAT = 0x7030,
    DDMA_WR_CFG = 0x8028,
    DDMA_WSTRB = 0x802c
};

/* Word of a stream: a register is written. */
static bool rkchip_write(rkchip *chip, uint64_t word) {
    static const uint16_t targets[RKCHIP_BLOCKS] = {0, 0x201, 0, 0x801, 0x1001, 0x2001, 0x4001, 0x8001, 0x401};
    const uint32_t name = (uint32_t)(word & 0xffff), value = (uint32_t)(word >> 16), target = (uint32_t)(word >> 48);
    const rkchip_rule *rule;
    const uint32_t slot = name >= RKCHIP_FIRST && name < RKCHIP_END ? (name - RKCHIP_FIRST) / 4 : 0;
    if (name % 4 != 0 || slot == 0 || chip->rule[slot] == 0 || target != targets[name >> 12])
        return rkchip_refuse(chip, "a word writes 0x%08lx to 0x%04x of block 0x%x, which is no register that is known",
                             (unsigned long)value, (unsigned)name, (unsigned)target);
    rule = &chip->rules[chip->rule[slot] - 1];
    if ((value & ~rule->free) != rule->rest)
        return rkchip_refuse(chip,
                             "register 0x%04x is to be 0x%08lx, and bits 0x%08lx of it were only ever seen as "
                             "0x%08lx",
                             (unsigned)name, (unsigned long)value, (unsigned long)~rule->free,
                             (unsigned long)rule->rest);
    chip->values[chip->group[name >> 12]][slot] = value;
    return true;
}

#endif /* NNRT_TOOLS_RKCHIP_WORDS_H */
