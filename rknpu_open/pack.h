/* SPDX-License-Identifier: Apache-2.0 */
/* rknpu_open/pack.h - weights and the table of channels as the NPU reads them.   >>rknpu_open_pack

   Dense: blocks of 16 kernels (RK3588: 32); in each, parts of 32 lanes; in each, the taps; in each, the kernels; in
   each, the lanes. Depthwise: blocks of 32 channels, in each the taps, in each pairs of a weight and its zero point,
   which is 0 here; RK3588: blocks of 64 channels without zero points. Pictures: as dense, of 4 lanes (RK3588: 16).
   Lanes and kernels past the last have weights of 0. The table: groups of 4 channels (RK3588: 8), in each the biases of
   32 bits, zero points of 16 (not beside pairs), factors of 16. Seen: byte for byte against files of the vendor's. */
#ifndef NNRT_RKNPU_OPEN_PACK_H
#define NNRT_RKNPU_OPEN_PACK_H

#include "tile.h"

#define NNRT__OPEN_NPU_PART 32u /* lanes of a part of a block */

NNRT__FN void nnrt__open_npu_pack_dense(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts, bool picture,
                                        uint8_t *to) {
    const uint32_t taps = c->kernel_h * c->kernel_w, stored = nnrt__open_npu_stored(c, facts, picture);
    const uint32_t kernels = nnrt__open_npu_kernels(c, facts);
    uint32_t block, part, tap, o, lane;
    for (block = 0; block < kernels; block += facts->weight_block) {
        const uint32_t rest = kernels - block, outs = rest < facts->weight_block ? rest : facts->weight_block;
        for (part = 0; part < stored; part += NNRT__OPEN_NPU_PART) {
            const uint32_t left = stored - part, lanes = left < NNRT__OPEN_NPU_PART ? left : NNRT__OPEN_NPU_PART;
            for (tap = 0; tap < taps; tap++)
                for (o = block; o < block + outs; o++)
                    for (lane = part; lane < part + lanes; lane++)
                        *to++ =
                            o < c->outputs && lane < c->channels ? (uint8_t)nnrt__open_npu_weight(c, o, tap, lane) : 0;
        }
    }
}

NNRT__FN void nnrt__open_npu_pack_depthwise(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                            uint8_t *to) {
    const uint32_t taps = c->kernel_h * c->kernel_w, stored = nnrt__open_npu_stored(c, facts, false);
    const uint32_t step = facts->depthwise_kernels;
    uint32_t block, tap, lane;
    for (block = 0; block < stored; block += facts->weight_channels) {
        const uint32_t rest = stored - block;
        const uint32_t lanes = rest < facts->weight_channels ? rest : facts->weight_channels;
        for (tap = 0; tap < taps; tap++)
            for (lane = block; lane < block + lanes; lane++, to += step)
                *to = lane < c->outputs ? (uint8_t)nnrt__open_npu_weight(c, lane, tap, lane) : 0;
    }
}

/* What goes with a channel. */
typedef struct nnrt__open_npu_channel {
    int32_t bias; /* with the input's zero point in it */
    uint16_t factor;
} nnrt__open_npu_channel;

NNRT__FN bool nnrt__open_npu_table_has_zero_points(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    return !c->depthwise || facts->depthwise_kernels == 1;
}

/* Where a group of channels begins in the table. */
NNRT__FN uint32_t nnrt__open_npu_table_offset(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                              uint32_t first) {
    return first * (nnrt__open_npu_table_has_zero_points(c, facts) ? 8u : 6u);
}

/* Of all channels, and those that fill a block of output channels up. */
NNRT__FN size_t nnrt__open_npu_table_bytes(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts) {
    return nnrt__open_npu_table_offset(
        c, facts, nnrt__open_npu_up(c->outputs, c->depthwise ? facts->depthwise_block : facts->dense_block));
}

/* to holds zeros. */
NNRT__FN void nnrt__open_npu_pack_table(const nnrt__open_npu_conv *c, const nnrt__open_npu_facts *facts,
                                        const nnrt__open_npu_channel *channels, uint8_t *to) {
    const uint32_t group = facts->table_group;
    const uint32_t before = nnrt__open_npu_table_has_zero_points(c, facts) ? 6 : 4; /* bytes of a channel */
    uint32_t o, i;
    for (o = 0; o < c->outputs; o++) {
        uint8_t *at = to + (size_t)(o / group) * group * (before + 2u);
        const uint32_t bias = (uint32_t)channels[o].bias, lane = o % group;
        for (i = 0; i < 4; i++) at[4 * lane + i] = (uint8_t)(bias >> (8 * i));
        at[before * group + 2 * lane] = (uint8_t)channels[o].factor;
        at[before * group + 2 * lane + 1] = (uint8_t)(channels[o].factor >> 8);
    }
}

#endif /* NNRT_RKNPU_OPEN_PACK_H */
