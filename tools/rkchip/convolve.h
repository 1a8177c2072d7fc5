/* SPDX-License-Identifier: Apache-2.0 */
/* tools/rkchip/convolve.h - CNA and CORE: the input with its padding, the weights, the sums.

   A feature map is made of planes of 16 channels; a pixel of a plane is an atom of 16 bytes, and rows follow one
   another without a gap. A picture of up to four channels is plain bytes, pixel by pixel; each row
   begins at a multiple of 16 pixels.

   A sum is over input * (weight - its zero point). The zero point of the input is in the bias. Lanes past the real
   channels have weights that equal the zero point, so that they count for nothing whatever lies there. */
#ifndef NNRT_TOOLS_RKCHIP_CONVOLVE_H
#define NNRT_TOOLS_RKCHIP_CONVOLVE_H

#include "arithmetic.h"
#include "generation.h"

enum {
    RKCHIP_MODE_DENSE = 0,
    RKCHIP_DENSE_PART = 32,   /* input channels of a part of a block */
    RKCHIP_LINES = 0x20000000 /* of CNA_CONV_CON1, without a picture: lines that have a gap behind them */
};

/* A product is at most 128 * 256 and 2^31 is not reached by so many of them. */
#define RKCHIP_MOST_PRODUCTS 65535u
#ifndef RKCHIP_MOST_VALUES
#define RKCHIP_MOST_VALUES ((uint64_t)1 << 28) /* of a padded input: more than any NPU has memory for */
#endif

/* One convolution. */
typedef struct rkchip_conv {
    bool depthwise, lines;
    const rkchip_conv_kind *kind;
    uint32_t kernels;              /* that have weights */
    uint32_t picture;              /* channels of a picture; 0: the input is planes */
    uint32_t width, height, lanes; /* of the input; lanes is a multiple of 16 */
    uint32_t out_width, out_height, out_channels;
    uint32_t kernel_width, kernel_height;
    uint32_t step_x, step_y, dilation_x, dilation_y;
    uint32_t spread_x, spread_y; /* from a pixel of the input to the next; between them is padding */
    uint32_t pad_left, pad_top;
    int32_t pad_value;
    uint32_t full_width, full_height; /* of the input with its padding, as far as a kernel reaches */
} rkchip_conv;

/* ---------------------------------------------------------------------------------------------------- its shape */

/* Gaps between the pixels that are written: a phase of a picture that grows. */
static bool rkchip_conv_phase(const rkchip *chip) {
    return chip->layout->dpu.phases && rkchip_get(chip, DPU_DATA_CUBE_NOTCH_ADDR) != 0;
}

/* What is written has one size in all registers. Of a phase, a row counts as one pixel of many channels. */
static bool rkchip_conv_out_agrees(rkchip *chip, const rkchip_conv *c) {
    const uint32_t last = (c->out_height - 1) << 16 | (c->out_width - 1);
    const uint32_t channels = rkchip_bits(chip, DPU_DATA_CUBE_CHANNEL, 0, 13);
    const bool phase = rkchip_conv_phase(chip);
    return rkchip_expect(chip, CORE_DATAOUT_SIZE_0, last) && rkchip_expect(chip, CORE_DATAOUT_SIZE_1, channels) &&
           rkchip_expect(chip, DPU_WDMA_SIZE_1, phase ? (c->out_height - 1) << 16 : last) &&
           (!chip->layout->dpu.phases ||
            rkchip_expect(chip, DPU_WDMA_SIZE_0, phase ? c->out_width * (channels + 1) - 1 : channels));
}

/* What the registers say more than once has to agree: it did in all convolutions that were seen, 938 of RV1103 and
   RV1106, 1,069 of RK3588. */
static bool rkchip_conv_agrees(rkchip *chip, const rkchip_conv *c) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t multiple = layout->weights.kernels_multiple;
    const uint32_t per_kernel = rkchip_get(chip, CNA_WEIGHT_SIZE1);
    const uint32_t taps = c->kernel_width * c->kernel_height;
    return rkchip_expect(chip, CNA_DATA_SIZE2, c->out_width) &&
           rkchip_expect(chip, CNA_DATA_SIZE3, c->out_width * c->out_height) && rkchip_conv_out_agrees(chip, c) &&
           rkchip_expect(chip, CORE_MISC_CFG,
                         c->depthwise ? layout->weights.misc_depthwise : layout->weights.misc_dense) &&
           rkchip_expect(chip, CNA_FC_DATA_SIZE1, rkchip_bits(chip, CNA_DATA_SIZE1, 0, 16)) &&
           rkchip_expect(chip, CNA_WEIGHT_SIZE1, taps * (c->picture != 0 ? layout->weights.picture_lanes : c->lanes)) &&
           rkchip_expect(chip, CNA_WEIGHT_SIZE0, per_kernel * c->kernels) &&
           (c->kernels == (c->depthwise ? layout->weights.depthwise_kernels
                                        : (c->out_channels + multiple - 1) / multiple * multiple) ||
            rkchip_refuse_word(chip, CNA_WEIGHT_SIZE2, "the kernels are not as many as the output has channels"));
}

/* An int8, in as many bits as the generation has; RK3588 has it twice in 16 for depthwise. */
static bool rkchip_conv_padding(rkchip *chip, rkchip_conv *c) {
    const uint32_t word = rkchip_get(chip, CNA_PAD_CON1);
    const int32_t value = rkchip_signed(word, 8);
    const uint32_t twice = (word & 0xff) << 8 | (word & 0xff);
    uint32_t expected = (uint32_t)value;
    if (!chip->layout->input.planes_by_jump) expected &= 0xffff;
    else if (c->depthwise) expected = (uint32_t)rkchip_signed(twice, 16);
    c->pad_value = value;
    return word == expected || rkchip_refuse_word(chip, CNA_PAD_CON1, "padding that is no int8");
}

static bool rkchip_conv_read(rkchip *chip, rkchip_conv *c) {
    const rkchip_layout *layout = chip->layout;
    const uint32_t control = rkchip_get(chip, CNA_CONV_CON1), mode = control & 15, packed = control >> 12 & 15;
    memset(c, 0, sizeof(*c));
    if (mode != RKCHIP_MODE_DENSE && mode != layout->weights.depthwise_mode)
        return rkchip_refuse_word(chip, CNA_CONV_CON1, "no mode of convolution that is known");
    c->depthwise = mode == layout->weights.depthwise_mode;
    if (packed != 0) c->picture = packed - 7;
    if (packed != 0 && (c->depthwise || (packed != 8 && packed != 10 && packed != 11)))
        return rkchip_refuse_word(chip, CNA_CONV_CON1, "no kind of picture that is known");
    c->lines = packed == 0 && layout->input.planes_by_jump && c->depthwise && control >> 16 << 16 == RKCHIP_LINES;
    if (!c->lines && control >> 16 << 16 != (packed != 0 ? layout->input.picture_bits : 0))
        return rkchip_refuse_word(chip, CNA_CONV_CON1, "its upper bits go with pictures");
    c->width = rkchip_bits(chip, CNA_DATA_SIZE0, 16, 11);
    c->height = rkchip_bits(chip, CNA_DATA_SIZE0, 0, 11);
    c->lanes = rkchip_bits(chip, CNA_DATA_SIZE1, 0, 16);
    c->out_width = rkchip_bits(chip, DPU_DATA_CUBE_WIDTH, 0, 13) + 1;
    c->out_height = rkchip_bits(chip, DPU_DATA_CUBE_HEIGHT, 0, 13) + 1;
    c->out_channels = rkchip_bits(chip, DPU_DATA_CUBE_CHANNEL, 16, 13) + 1;
    c->kernel_width = rkchip_bits(chip, CNA_WEIGHT_SIZE2, 24, 5);
    c->kernel_height = rkchip_bits(chip, CNA_WEIGHT_SIZE2, 16, 5);
    c->step_x = rkchip_bits(chip, CNA_CONV_CON3, 0, 3);
    c->step_y = rkchip_bits(chip, CNA_CONV_CON3, 3, 3);
    c->dilation_x = rkchip_bits(chip, CNA_CONV_CON3, 16, 5) + 1;
    c->dilation_y = rkchip_bits(chip, CNA_CONV_CON3, 21, 5) + 1;
    c->spread_x = rkchip_bits(chip, CNA_CONV_CON3, 8, 3) + 1;
    c->spread_y = rkchip_bits(chip, CNA_CONV_CON3, 11, 3) + 1;
    c->kernels = rkchip_bits(chip, CNA_WEIGHT_SIZE2, 0, 14);
    c->pad_left = rkchip_field_get(chip, layout->input.pad_left);
    c->pad_top = rkchip_field_get(chip, layout->input.pad_top);
    if (c->width == 0 || c->height == 0) return rkchip_refuse_word(chip, CNA_DATA_SIZE0, "the input is empty");
    if (c->lanes == 0 || c->lanes % RKCHIP_LANES != 0)
        return rkchip_refuse_word(chip, CNA_DATA_SIZE1, "the lanes are no multiple of 16");
    if (c->picture != 0 && c->lanes != RKCHIP_LANES)
        return rkchip_refuse_word(chip, CNA_DATA_SIZE1, "a picture has 16 lanes");
    if (c->depthwise && c->out_channels > c->lanes)
        return rkchip_refuse_word(chip, DPU_DATA_CUBE_CHANNEL, "more channels come out than go in");
    if (c->kernel_width == 0 || c->kernel_height == 0)
        return rkchip_refuse_word(chip, CNA_WEIGHT_SIZE2, "the kernel is empty");
    if (c->step_x == 0 || c->step_y == 0) return rkchip_refuse_word(chip, CNA_CONV_CON3, "a stride of 0");
    if ((c->spread_x > 1 || c->spread_y > 1) &&
        (c->picture != 0 || c->step_x != 1 || c->step_y != 1 || c->dilation_x != 1 || c->dilation_y != 1))
        return rkchip_refuse_word(chip, CNA_CONV_CON3, "a transposed convolution that is not known");
    if (!rkchip_conv_padding(chip, c)) return false;
    if ((uint64_t)c->kernel_width * c->kernel_height * (c->depthwise ? 1 : c->lanes) > RKCHIP_MOST_PRODUCTS)
        return rkchip_refuse_word(chip, CNA_WEIGHT_SIZE2,
                                  "a sum may leave 32 bits, and nobody knows what happens then");
    c->full_width = (c->out_width - 1) * c->step_x + (c->kernel_width - 1) * c->dilation_x + 1;
    c->full_height = (c->out_height - 1) * c->step_y + (c->kernel_height - 1) * c->dilation_y + 1;
    return rkchip_conv_agrees(chip, c);
}

/* ---------------------------------------------------------------------------------------------------- the input */

/* Pictures are converted on their way in: (pixel * scale + offset) >> shift, a channel each. */
typedef struct rkchip_convert {
    bool on, is_signed;
    int32_t scale[4], offset[4];
    uint32_t shift[4];
} rkchip_convert;

/* RK3588: how it rounds between scale and offset is not known, and makes no difference where the scale is 1. */
static bool rkchip_convert_pairs(rkchip *chip, uint32_t control, rkchip_convert *convert) {
    uint32_t i;
    convert->on = true;
    for (i = 0; i < 4; i++) {
        const uint32_t name = CNA_CVT_CON1 + 4 * i, pair = rkchip_get(chip, name);
        convert->scale[i] = rkchip_signed(pair >> 16, 16);
        convert->shift[i] = control >> (4 + 6 * i) & 63;
        if (i == 3) break; /* of a fourth channel it was never seen */
        if (convert->shift[i] > 14 || convert->scale[i] != (int32_t)1 << convert->shift[i])
            return rkchip_refuse_word(chip, name, "a conversion of the input that does more than move the zero point");
        convert->offset[i] = rkchip_signed(pair, 16) * convert->scale[i];
    }
    return rkchip_expect(chip, CNA_CVT_CON5, 0xfff);
}

static bool rkchip_convert_read(rkchip *chip, const rkchip_conv *c, rkchip_convert *convert) {
    const uint32_t control = rkchip_get(chip, CNA_CVT_CON0);
    static const uint16_t offsets[4] = {CNA_CVT_OFFSET0, CNA_CVT_CON3, CNA_CVT_CON4, CNA_CVT_OFFSET3};
    uint32_t i;
    memset(convert, 0, sizeof(*convert));
    if (control == 9 || control == chip->layout->input.convert_off) return true; /* off, and the bytes have a sign */
    if (c->picture == 0 || (control & 7) != 0 || control >> 28 != 0)
        return rkchip_refuse_word(chip, CNA_CVT_CON0, "a conversion of the input that is not known");
    if (chip->layout->input.convert_in_pairs)
        return (control & 8) == 0 && c->picture < 4
                   ? rkchip_convert_pairs(chip, control, convert)
                   : rkchip_refuse_word(chip, CNA_CVT_CON0, "a conversion of the input that is not known");
    convert->on = true;
    convert->is_signed = (control & 8) != 0;
    for (i = 0; i < 4; i++) {
        convert->scale[i] =
            rkchip_signed(rkchip_get(chip, i < 2 ? CNA_CVT_CON1 : CNA_CVT_CON2) >> (i % 2 == 0 ? 0 : 16), 16);
        convert->offset[i] = rkchip_get_signed(chip, offsets[i]);
        convert->shift[i] = control >> (4 + 6 * i) & 63;
    }
    return true;
}

static int16_t rkchip_convert_byte(const rkchip_convert *convert, uint32_t channel, uint8_t byte) {
    int64_t value = convert->on && !convert->is_signed ? byte : rkchip_signed(byte, 8);
    if (convert->on)
        value = rkchip_clamp(
            rkchip_round_shift(value * convert->scale[channel] + convert->offset[channel], convert->shift[channel]),
            INT8_MIN, INT8_MAX);
    return (int16_t)value;
}

/* Rows of the picture into the padded input, whose padding is there already. */
static bool rkchip_take_picture(rkchip *chip, const rkchip_conv *c, int16_t *to) {
    const uint64_t pitch = ((uint64_t)c->width + 15) / 16 * 16;
    const uint64_t bytes = ((c->height - 1) * pitch + c->width) * c->picture;
    const uint8_t *from = rkchip_span(chip, CNA_FEATURE_DATA_ADDR, rkchip_get(chip, CNA_FEATURE_DATA_ADDR), bytes);
    rkchip_convert convert;
    uint32_t x, y, k;
    if (from == NULL || !rkchip_convert_read(chip, c, &convert)) return false;
    if (c->width % 16 != 0 && (chip->layout->input.planes_by_jump || c->picture == 4))
        return rkchip_refuse_word(chip, CNA_DATA_SIZE0, "the row of a picture that is no multiple of 16 pixels");
    if (chip->layout->input.planes_by_jump && !rkchip_expect(chip, CNA_DMA_CON1, c->width)) return false;
    for (y = 0; y < c->height && c->pad_top + y < c->full_height; y++)
        for (x = 0; x < c->width && c->pad_left + x < c->full_width; x++) {
            const uint8_t *pixel = from + (y * pitch + x) * c->picture;
            int16_t *lanes = to + ((uint64_t)(c->pad_top + y) * c->full_width + c->pad_left + x) * RKCHIP_LANES;
            for (k = 0; k < c->picture; k++) lanes[k] = rkchip_convert_byte(&convert, k, pixel[k]);
        }
    return true;
}

/* How far rows and planes are apart. RK3588 reads lines in groups of four, or one by one where they have gaps; its
   second stride is the jump from the last group that was read to the next plane. */
static bool rkchip_take_strides(rkchip *chip, const rkchip_conv *c, uint64_t *row, uint64_t *plane) {
    const uint32_t lines = rkchip_get(chip, CNA_DMA_CON1), jump = rkchip_get(chip, CNA_DMA_CON2);
    *row = (uint64_t)(c->lines ? lines : c->width) * RKCHIP_LANES;
    *plane = (uint64_t)jump * RKCHIP_LANES;
    if (!chip->layout->input.planes_by_jump) return true;
    if (c->lines ? lines < c->width : lines != 4 * c->width)
        return rkchip_refuse_word(chip, CNA_DMA_CON1, "lines of another width");
    *plane = (uint64_t)(((int64_t)rkchip_signed(jump, 28) + (c->lines ? c->width : lines)) * RKCHIP_LANES);
    return true;
}

static bool rkchip_take_planes(rkchip *chip, const rkchip_conv *c, int16_t *to) {
    const uint32_t control = rkchip_get(chip, CNA_CVT_CON0);
    uint64_t row_bytes, plane_bytes;
    uint32_t plane, x, y, k;
    if (!rkchip_take_strides(chip, c, &row_bytes, &plane_bytes)) return false;
    if (control != 9 && control != chip->layout->input.convert_off)
        return rkchip_refuse_word(chip, CNA_CVT_CON0, "planes are not converted");
    for (plane = 0; plane < c->lanes / RKCHIP_LANES; plane++) {
        const uint8_t *from =
            rkchip_span(chip, CNA_FEATURE_DATA_ADDR, rkchip_get(chip, CNA_FEATURE_DATA_ADDR) + plane * plane_bytes,
                        row_bytes * (c->height - 1) + (uint64_t)c->width * RKCHIP_LANES);
        if (from == NULL) return false;
        for (y = 0; y < c->height && c->pad_top + y * c->spread_y < c->full_height; y++)
            for (x = 0; x < c->width && c->pad_left + x * c->spread_x < c->full_width; x++) {
                const uint8_t *atom = from + y * row_bytes + (uint64_t)x * RKCHIP_LANES;
                const uint32_t to_y = c->pad_top + y * c->spread_y, to_x = c->pad_left + x * c->spread_x;
                int16_t *lanes =
                    to + ((uint64_t)to_y * c->full_width + to_x) * c->lanes + (uint64_t)plane * RKCHIP_LANES;
                for (k = 0; k < RKCHIP_LANES; k++) lanes[k] = (int16_t)rkchip_signed(atom[k], 8);
            }
    }
    return true;
}

/* [full_height][full_width][lanes], padding and all. */
static const int16_t *rkchip_conv_input(rkchip *chip, const rkchip_conv *c) {
    const uint64_t rows = (uint64_t)c->full_height * c->full_width;
    uint64_t i;
    int16_t *input;
    if (rows > RKCHIP_MOST_VALUES / c->lanes) {
        (void)rkchip_refuse_word(chip, CNA_DATA_SIZE0, "the input with its padding is larger than any memory");
        return NULL;
    }
    input = (int16_t *)rkchip_room(chip, &chip->input, rows * c->lanes * sizeof(*input));
    if (input == NULL) return NULL;
    for (i = 0; i < rows * c->lanes; i++) input[i] = (int16_t)c->pad_value;
    return (c->picture != 0 ? rkchip_take_picture(chip, c, input) : rkchip_take_planes(chip, c, input)) ? input : NULL;
}

/* ------------------------------------------------------------------------------------- bias, zero points, scales */

/* Of each output channel. */
typedef struct rkchip_channel {
    int32_t bias;
    int32_t add;    /* to a weight: its zero point, negated */
    uint32_t scale; /* 1 where the table has none */
} rkchip_channel;

static uint32_t rkchip_read_16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }

static uint32_t rkchip_read_32(const uint8_t *at) { return rkchip_read_16(at) | rkchip_read_16(at + 2) << 16; }

/* Groups of channels, in each the biases, then the zero points, then the scales. */
static const rkchip_channel *rkchip_conv_channels(rkchip *chip, const rkchip_conv *c) {
    const uint32_t parts = c->kind->table, group = chip->layout->weights.table_group;
    const bool has_add = (parts & 4) != 0, has_scale = (parts & 8) != 0;
    const uint32_t bytes = group * (4u + (has_add ? 2u : 0u) + (has_scale ? 2u : 0u));
    const uint32_t groups = (c->out_channels + group - 1) / group;
    const uint8_t *from;
    rkchip_channel *channels;
    uint32_t i;
    from = rkchip_span(chip, RDMA_BS_BASE_ADDR, rkchip_get(chip, RDMA_BS_BASE_ADDR), (uint64_t)groups * bytes);
    if (from == NULL) return NULL;
    channels = (rkchip_channel *)rkchip_room(chip, &chip->tables, (uint64_t)c->out_channels * sizeof(*channels));
    for (i = 0; channels != NULL && i < c->out_channels; i++) {
        const uint8_t *at = from + (uint64_t)(i / group) * bytes;
        channels[i].bias = rkchip_signed(rkchip_read_32(at + 4 * (i % group)), 32);
        at += 4 * group;
        channels[i].add = has_add ? rkchip_signed(rkchip_read_16(at + 2 * (i % group)), 16)
                          : c->depthwise && chip->layout->weights.depthwise_pairs
                              ? 0 /* lies beside the weights */
                              : rkchip_signed(rkchip_get(chip, DPU_BS_OW_OP), 16);
        if (has_add) at += 2 * group;
        channels[i].scale = has_scale ? rkchip_read_16(at + 2 * (i % group)) : 1;
        if (channels[i].add < -128 || channels[i].add > 128) {
            (void)rkchip_refuse(chip, "the zero point of the weights of channel %lu is none of int8", (unsigned long)i);
            return NULL;
        }
    }
    return channels;
}

/* -------------------------------------------------------------------------------------------------- the weights */

/* Blocks of 16 or 32 output channels; in each, parts of 32 input channels; in each, the taps; in each, the channels of
   the block; in each, those of the part. The last of every kind may be short. To [channel][tap][lane], zero points
   taken off; a picture may have weights for less lanes than it takes. */
static void rkchip_dense_weights(const rkchip_layout *layout, const rkchip_conv *c, const rkchip_channel *channels,
                                 const uint8_t *from, int16_t *to) {
    const uint32_t stored = c->picture != 0 ? layout->weights.picture_lanes : c->lanes;
    const uint32_t taps = c->kernel_width * c->kernel_height, size = layout->weights.dense_block;
    uint32_t block, part, tap, o, lane;
    for (block = 0; block < c->out_channels; block += size) {
        const uint32_t left = c->kernels - block, outs = left < size ? left : size;
        for (part = 0; part < stored; part += RKCHIP_DENSE_PART) {
            const uint32_t rest = stored - part, lanes = rest < RKCHIP_DENSE_PART ? rest : RKCHIP_DENSE_PART;
            for (tap = 0; tap < taps; tap++)
                for (o = 0; o < outs; o++) {
                    int16_t *row = to + ((uint64_t)(block + o) * taps + tap) * c->lanes + part;
                    if (block + o >= c->out_channels) {
                        from += lanes; /* of a kernel that fills up */
                        continue;
                    }
                    for (lane = 0; lane < lanes; lane++)
                        row[lane] = (int16_t)(rkchip_signed(*from++, 8) + channels[block + o].add);
                }
        }
    }
}

/* Blocks of 32 channels, in each the taps, in each pairs of a weight and what is added to it, where 0x80 is +128; or
   blocks of 64, of weights alone, and the table of channels has what is added. To [tap][lane]. */
static void rkchip_depthwise_weights(const rkchip_layout *layout, const rkchip_conv *c, const rkchip_channel *channels,
                                     const uint8_t *from, int16_t *to) {
    const uint32_t taps = c->kernel_width * c->kernel_height, size = layout->weights.depthwise_block;
    uint32_t block, tap, lane;
    for (block = 0; block < c->lanes; block += size) {
        const uint32_t left = c->lanes - block, lanes = left < size ? left : size;
        for (tap = 0; tap < taps; tap++)
            for (lane = 0; lane < lanes; lane++) {
                int32_t weight = rkchip_signed(*from++, 8);
                if (layout->weights.depthwise_pairs) {
                    weight += *from == 0x80 ? 128 : rkchip_signed(*from, 8);
                    from++;
                } else if (block + lane < c->out_channels) weight += channels[block + lane].add;
                to[(uint64_t)tap * c->lanes + block + lane] = (int16_t)weight;
            }
    }
}

static const int16_t *rkchip_conv_weights(rkchip *chip, const rkchip_conv *c, const rkchip_channel *channels) {
    const uint64_t taps = (uint64_t)c->kernel_width * c->kernel_height;
    const uint64_t values = taps * c->lanes * (c->depthwise ? 1 : c->out_channels);
    const uint8_t *from =
        rkchip_span(chip, CNA_DCOMP_ADDR0, rkchip_get(chip, CNA_DCOMP_ADDR0), rkchip_get(chip, CNA_WEIGHT_SIZE0));
    int16_t *to;
    if (from == NULL) return NULL;
    to = (int16_t *)rkchip_room(chip, &chip->weights, values * sizeof(*to));
    if (to == NULL) return NULL;
    if (c->picture != 0) memset(to, 0, (size_t)values * sizeof(*to));
    if (c->depthwise) rkchip_depthwise_weights(chip->layout, c, channels, from, to);
    else rkchip_dense_weights(chip->layout, c, channels, from, to);
    return to;
}

/* ----------------------------------------------------------------------------------------------------- the sums */

/* count is a multiple of 16. The inner loop has a length that compilers know: they make vectors of it. */
static int32_t rkchip_dot(const int16_t *a, const int16_t *b, size_t count) {
    int32_t sum = 0;
    size_t i, k;
    for (i = 0; i < count; i += RKCHIP_LANES)
        for (k = 0; k < RKCHIP_LANES; k++) sum += a[i + k] * b[i + k];
    return sum;
}

static int32_t rkchip_dense_sum(const rkchip_conv *c, const int16_t *at, const int16_t *weights) {
    const size_t row = (size_t)c->kernel_width * c->lanes;
    int32_t sum = 0;
    uint32_t x, y;
    for (y = 0; y < c->kernel_height; y++) {
        const int16_t *from = at + (size_t)y * c->dilation_y * c->full_width * c->lanes;
        if (c->dilation_x == 1) sum += rkchip_dot(from, weights, row);
        else
            for (x = 0; x < c->kernel_width; x++)
                sum +=
                    rkchip_dot(from + (size_t)x * c->dilation_x * c->lanes, weights + (size_t)x * c->lanes, c->lanes);
        weights += row;
    }
    return sum;
}

static int32_t rkchip_depthwise_sum(const rkchip_conv *c, const int16_t *at, const int16_t *weights) {
    int32_t sum = 0;
    uint32_t x, y;
    for (y = 0; y < c->kernel_height; y++)
        for (x = 0; x < c->kernel_width; x++, weights += c->lanes)
            sum += at[((size_t)y * c->dilation_y * c->full_width + (size_t)x * c->dilation_x) * c->lanes] * *weights;
    return sum;
}

/* [out_height][out_width][out_channels], without bias. */
static void rkchip_conv_sums(const rkchip_conv *c, const int16_t *input, const int16_t *weights, int32_t *sums) {
    const size_t kernel = (size_t)c->kernel_width * c->kernel_height * c->lanes;
    uint32_t x, y, o;
    for (y = 0; y < c->out_height; y++)
        for (o = 0; o < c->out_channels; o++) {
            const int16_t *row = input + (size_t)y * c->step_y * c->full_width * c->lanes;
            int32_t *to = sums + (size_t)y * c->out_width * c->out_channels + o;
            for (x = 0; x < c->out_width; x++, row += (size_t)c->step_x * c->lanes, to += c->out_channels)
                *to = c->depthwise ? rkchip_depthwise_sum(c, row + o, weights + o)
                                   : rkchip_dense_sum(c, row, weights + o * kernel);
        }
}

#endif /* NNRT_TOOLS_RKCHIP_CONVOLVE_H */
