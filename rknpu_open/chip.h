/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/chip.h - what differs between the NPU of RV1103/RV1106 and that of RK3588.   >>rknpu_open_chip

   Sizes of blocks, places of fields, words that switch a stage: data, so that the code has one path. Seen in streams
   unless a comment says otherwise. */
#ifndef NNRT_RKNPU_OPEN_CHIP_H
#define NNRT_RKNPU_OPEN_CHIP_H

#include "templates.h"

#define NNRT__OPEN_NPU_BANK_BYTES 32768u /* of the buffer that input and weights share (CBUF) */
#define NNRT__OPEN_NPU_MOST_SIDE 2047u   /* width and height of an input: 11 bits */
#define NNRT__OPEN_NPU_MOST_KERNEL 31u   /* 5 bits; a vendor's board gave nonsense at 33 */
#define NNRT__OPEN_NPU_MOST_INPUTS 16352u
#define NNRT__OPEN_NPU_MOST_OUTPUTS 8192u /* the largest two that a board has shown right */
#define NNRT__OPEN_NPU_MOST_DILATION 17u  /* from 18 on a board was silently wrong */
#define NNRT__OPEN_NPU_MOST_STRIDE 4u     /* the field has room for 7, but no board has shown it */
#define NNRT__OPEN_NPU_LARGEST_FACTOR 32767

/* The words of a task. */
typedef struct nnrt__open_npu_template {
    const nnrt__open_npu_setting *words;
    uint32_t count;
} nnrt__open_npu_template;

typedef struct nnrt__open_npu_facts {
    nnrt__open_npu_chip chip;
    nnrt__open_npu_template conv, dpu, pool;
    uint8_t banks, most_data_banks;
    uint8_t dense_block, depthwise_block; /* output channels that are written together */
    uint8_t weight_block;                 /* output channels whose weights lie together, dense */
    uint8_t weight_channels;              /* channels whose weights lie together, depthwise */
    uint8_t depthwise_kernels;            /* that are told: 2 where a weight has its zero point beside it */
    uint8_t kernels_multiple;             /* dense kernels are filled up to it */
    uint8_t picture_lanes;                /* of which a picture's pixels have weights */
    uint8_t table_group;                  /* channels whose bias, zero point and factor lie together */
    uint8_t most_padding;                 /* left and top */
    bool has_products;                    /* and the larger of two maps */
    bool has_transposed;
    bool picture_rows_whole; /* rows of pictures have to be whole multiples of 16 pixels */
} nnrt__open_npu_facts;

#define NNRT__OPEN_NPU_TEMPLATE(words) \
    { words, NNRT__COUNT_OF(words) }

NNRT__FN const nnrt__open_npu_facts *nnrt__open_npu_facts_of(nnrt__open_npu_chip chip) {
    static const nnrt__open_npu_facts rv1106 = {NNRT__OPEN_NPU_RV1106,
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_conv_rv1106),
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_dpu_rv1106),
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_pool_rv1106),
                                                8,
                                                7,
                                                16,
                                                32,
                                                16,
                                                32,
                                                2,
                                                1,
                                                4,
                                                4,
                                                31,
                                                true,
                                                true,
                                                false};
    static const nnrt__open_npu_facts rk3588 = {NNRT__OPEN_NPU_RK3588,
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_conv_rk3588),
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_dpu_rk3588),
                                                NNRT__OPEN_NPU_TEMPLATE(nnrt__open_npu_pool_rk3588),
                                                12,
                                                11,
                                                32,
                                                64,
                                                32,
                                                64,
                                                1,
                                                2,
                                                16,
                                                8,
                                                15,
                                                false,
                                                false,
                                                true};
    NNRT_ASSERT(chip == NNRT__OPEN_NPU_RV1106 || chip == NNRT__OPEN_NPU_RK3588);
    return chip == NNRT__OPEN_NPU_RK3588 ? &rk3588 : &rv1106;
}

NNRT__INLINE uint32_t nnrt__open_npu_up(uint32_t value, uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* Planes that hold so many channels. */
NNRT__INLINE uint32_t nnrt__open_npu_planes(uint32_t channels) {
    return (channels + NNRT__OPEN_NPU_LANES - 1) / NNRT__OPEN_NPU_LANES;
}

#endif /* NNRT_RKNPU_OPEN_CHIP_H */
