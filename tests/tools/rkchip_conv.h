/* SPDX-License-Identifier: Apache-2.0 */
/* rkchip_conv.h - a convolution for tests of tools/rkchip: its words, its memory, and what comes out of it by the
   definition, in plain loops over [height][width][channels] and [output][row][column][input]. */
#ifndef NNRT_TESTS_RKCHIP_CONV_H
#define NNRT_TESTS_RKCHIP_CONV_H

#include "rkchip_stream.h"

typedef struct conv {
    bool depthwise;
    bool picture;   /* of 1, 3 or 4 channels */
    uint32_t table; /* what it has of each channel: bit 1 bias, 2 zero points, 3 scales */
    int32_t common; /* zero point of all weights, where the table has none */
    uint32_t height, width, channels, outputs;
    uint32_t kernel_height, kernel_width, step_y, step_x, dilation_y, dilation_x, pad_top, pad_left;
    uint32_t pad_bottom, pad_right;
    uint32_t spread_y, spread_x; /* padding between rows, and columns, of the input: a transposed convolution */
    int32_t pad_value;
    uint32_t gap;   /* pixels between planes of the input */
    bool converts;  /* a picture: (pixel * scale + offset) >> shift */
    bool is_signed; /* its pixels */
    int32_t scale[4], offset[4];
    uint32_t shift[4];
    stages dpu;
    const curve *curve;
    /* Values; what is NULL is made of noise. */
    int8_t *input;   /* of a picture with pixels of uint8: those bytes */
    int8_t *weights; /* [outputs][kernel_height][kernel_width][channels]; depthwise: [..][..][channels] */
    int8_t *operand; /* [out_height][out_width][outputs] */
    int32_t *biases, *zero_points;
    uint32_t *scales;
    const uint16_t *slopes; /* of negative values, a channel each, in place of dpu.bn_factor; not freed */
} conv;

/* A convolution of 1 by 1 without anything. */
STREAM_FN conv conv_of(uint32_t height, uint32_t width, uint32_t channels, uint32_t outputs) {
    conv c;
    memset(&c, 0, sizeof c);
    c.height = height;
    c.width = width;
    c.channels = channels;
    c.outputs = outputs;
    c.table = 0xe;
    c.kernel_height = c.kernel_width = c.step_y = c.step_x = c.dilation_y = c.dilation_x = 1;
    c.dpu.shift = 14;
    c.dpu.shift_negative = 14;
    c.dpu.factor = 17000;
    c.dpu.out_shift = 22;
    return c;
}

STREAM_FN uint32_t conv_out_height(const conv *c) {
    return ((c->height - 1) * (c->spread_y + 1) + 1 + c->pad_top + c->pad_bottom -
            (c->kernel_height - 1) * c->dilation_y - 1) /
               c->step_y +
           1;
}

STREAM_FN uint32_t conv_out_width(const conv *c) {
    return ((c->width - 1) * (c->spread_x + 1) + 1 + c->pad_left + c->pad_right -
            (c->kernel_width - 1) * c->dilation_x - 1) /
               c->step_x +
           1;
}

STREAM_FN uint32_t conv_taps(const conv *c) { return c->kernel_height * c->kernel_width; }

/* Values that a kernel has of one output. */
STREAM_FN size_t conv_per_output(const conv *c) { return (size_t)conv_taps(c) * (c->depthwise ? 1 : c->channels); }

STREAM_FN void conv_values(conv *c) {
    const size_t pixels = (size_t)conv_out_height(c) * conv_out_width(c);
    const int32_t reach = (int32_t)(conv_per_output(c) * 2000);
    if (c->input == NULL) c->input = noise_bytes((size_t)c->height * c->width * c->channels);
    if (c->weights == NULL) c->weights = noise_bytes(conv_per_output(c) * c->outputs);
    if (c->operand == NULL) c->operand = noise_bytes(pixels * c->outputs);
    if (c->biases == NULL) {
        c->biases = (int32_t *)malloc(c->outputs * sizeof *c->biases);
        if (c->biases == NULL) abort();
        for (uint32_t o = 0; o < c->outputs; o++) c->biases[o] = noise_in(-reach, reach);
    }
    if (c->zero_points == NULL) {
        c->zero_points = (int32_t *)malloc(c->outputs * sizeof *c->zero_points);
        if (c->zero_points == NULL) abort();
        for (uint32_t o = 0; o < c->outputs; o++)
            c->zero_points[o] = c->table == 2 && !c->depthwise ? c->common
                                : noise() % 4 == 0             ? (noise() % 2 == 0 ? -128 : 127)
                                                               : noise_in(-128, 127);
    }
    if (c->scales == NULL) {
        c->scales = (uint32_t *)malloc(c->outputs * sizeof *c->scales);
        if (c->scales == NULL) abort();
        for (uint32_t o = 0; o < c->outputs; o++)
            c->scales[o] = (c->table & 8) == 0 ? 1 : noise() % 8 == 0 ? 65535 : (uint32_t)noise_in(1, 16384);
    }
}

STREAM_FN void conv_free(conv *c) {
    free(c->input);
    free(c->weights);
    free(c->operand);
    free(c->biases);
    free(c->zero_points);
    free(c->scales);
}

/* ------------------------------------------------------------------------------------ what has to come out */

STREAM_FN int64_t conv_pixel(const conv *c, int64_t y, int64_t x, uint32_t channel) {
    if (y % (c->spread_y + 1) != 0 || x % (c->spread_x + 1) != 0) return c->pad_value;
    y /= (int64_t)c->spread_y + 1;
    x /= (int64_t)c->spread_x + 1;
    if (y < 0 || x < 0 || y >= (int64_t)c->height || x >= (int64_t)c->width) return c->pad_value;
    int64_t value = c->input[((size_t)y * c->width + (size_t)x) * c->channels + channel];
    if (!c->converts) return value;
    if (!c->is_signed && value < 0) value += 256;
    value = nearest_even(value * c->scale[channel] + c->offset[channel], c->shift[channel]);
    return value < -128 ? -128 : value > 127 ? 127 : value;
}

STREAM_FN int64_t conv_sum(const conv *c, uint32_t y, uint32_t x, uint32_t o) {
    int64_t sum = c->biases[o];
    const uint32_t inputs = c->depthwise ? 1 : c->channels;
    for (uint32_t ky = 0; ky < c->kernel_height; ky++)
        for (uint32_t kx = 0; kx < c->kernel_width; kx++)
            for (uint32_t i = 0; i < inputs; i++) {
                const int64_t pixel =
                    conv_pixel(c, (int64_t)y * c->step_y + ky * c->dilation_y - c->pad_top,
                               (int64_t)x * c->step_x + kx * c->dilation_x - c->pad_left, c->depthwise ? o : i);
                const size_t at = ((size_t)ky * c->kernel_width + kx) * inputs + i;
                sum += pixel * (c->weights[o * conv_per_output(c) + at] - c->zero_points[o]);
            }
    return sum;
}

/* [out_height][out_width][outputs]; the caller frees it. */
STREAM_FN int8_t *conv_reference(const conv *c) {
    const uint32_t height = conv_out_height(c), width = conv_out_width(c);
    int8_t *out = (int8_t *)malloc((size_t)height * width * c->outputs);
    if (out == NULL) abort();
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t o = 0; o < c->outputs; o++) {
                const size_t at = ((size_t)y * width + x) * c->outputs + o;
                stages dpu = c->dpu;
                if (c->slopes != NULL) dpu.bn_factor = c->slopes[o];
                out[at] =
                    stages_finish(&dpu, c->curve, stages_bs(&dpu, conv_sum(c, y, x, o), c->scales[o]), c->operand[at]);
            }
    return out;
}

/* A factor and a shift of the output that use all of int8, and reach a little over its ends. */
STREAM_FN void conv_spread(conv *c) {
    int64_t most = 1;
    for (uint32_t y = 0; y < conv_out_height(c); y++)
        for (uint32_t x = 0; x < conv_out_width(c); x++)
            for (uint32_t o = 0; o < c->outputs; o++) {
                const int64_t value = stages_bs(&c->dpu, conv_sum(c, y, x, o), c->scales[o]);
                if (value > most) most = value;
                if (-value > most) most = -value;
            }
    c->dpu.out_shift = 14;
    while (c->dpu.out_shift < 40 && ((int64_t)1 << c->dpu.out_shift) * 140 < most * 16384) c->dpu.out_shift++;
    c->dpu.factor = noise_in(16384, 32767);
}

/* ------------------------------------------------------------------------------------------ words and memory */

STREAM_FN uint32_t conv_lanes(const conv *c) { return c->picture ? 16 : planes_of(c->channels) * 16; }

/* Lanes that the weights of a tap have. */
STREAM_FN uint32_t conv_stored(const conv *c) { return c->picture ? 4 : conv_lanes(c); }

STREAM_FN uint32_t conv_weight_bytes(const conv *c) {
    return conv_taps(c) * conv_stored(c) * (c->depthwise ? 2 : c->outputs);
}

STREAM_FN void conv_words(const conv *c, stream *s) {
    const uint32_t height = conv_out_height(c), width = conv_out_width(c), lanes = conv_lanes(c);
    const uint32_t last = (height - 1) << 16 | (width - 1), plane = height * width * 16;
    const bool scaled = (c->table & 8) != 0;
    stream_of(s, STREAM_CONV);
    if (c->picture) stream_set(s, 0x100c, 0x20000000u | (c->channels + 7) << 12);
    if (c->depthwise) stream_set(s, 0x100c, 7);
    stream_set(s, 0x1014,
               (c->dilation_y - 1) << 21 | (c->dilation_x - 1) << 16 | c->spread_y << 11 | c->spread_x << 8 |
                   c->step_y << 3 | c->step_x);
    stream_set(s, 0x1020, c->width << 16 | c->height);
    stream_set(s, 0x1024, (c->channels - 1) << 16 | lanes);
    stream_set(s, 0x1028, width);
    stream_set(s, 0x102c, width * height);
    stream_set(s, 0x1030, conv_weight_bytes(c));
    stream_set(s, 0x1034, conv_taps(c) * conv_stored(c));
    stream_set(s, 0x1038, c->kernel_width << 24 | c->kernel_height << 16 | (c->depthwise ? 2 : c->outputs));
    stream_set(s, 0x1068, c->pad_left << 8 | c->pad_top);
    stream_set(s, 0x107c, c->width * 4);
    stream_set(s, 0x1080, c->width * c->height + c->gap);
    stream_set(s, 0x1084, c->width << 16 | c->height);
    stream_set(s, 0x1088, lanes);
    stream_set(s, 0x1184, (uint32_t)c->pad_value & 0xffff);
    if (c->converts) {
        stream_set(s, 0x104c,
                   c->shift[3] << 22 | c->shift[2] << 16 | c->shift[1] << 10 | c->shift[0] << 4 |
                       (c->is_signed ? 8u : 0u));
        stream_set(s, 0x1050, ((uint32_t)c->scale[1] & 0xffff) << 16 | ((uint32_t)c->scale[0] & 0xffff));
        stream_set(s, 0x1054, ((uint32_t)c->scale[3] & 0xffff) << 16 | ((uint32_t)c->scale[2] & 0xffff));
        stream_set(s, 0x101c, (uint32_t)c->offset[0]);
        stream_set(s, 0x1058, (uint32_t)c->offset[1]);
        stream_set(s, 0x105c, (uint32_t)c->offset[2]);
        stream_set(s, 0x106c, (uint32_t)c->offset[3]);
        stream_set(s, 0x301c, 0x20);
    }
    stream_set(s, 0x3010, c->depthwise ? 0xa : 1);
    stream_set(s, 0x3014, last);
    stream_set(s, 0x3018, planes_of(c->outputs) * 16 - 1);
    stream_set(s, 0x400c, c->depthwise ? 0x1fc : 0x1e4);
    stream_set(s, 0x4024, plane);
    stream_set(s, 0x4030, width - 1);
    stream_set(s, 0x4034, height - 1);
    stream_set(s, 0x403c, (c->outputs - 1) << 16 | (planes_of(c->outputs) * 16 - 1));
    stream_set(s, 0x4040, c->depthwise ? 0x100092 : 0x120180);
    stream_set(s, 0x4048, scaled && !c->depthwise ? 1 : 0);
    stream_set(s, 0x4050, c->depthwise ? 0x70000125 : scaled ? 0x30000001 : 0x30000002);
    stream_set(s, 0x4054, c->depthwise ? 0 : 0x80000000u | (c->table == 2 ? (uint32_t)-c->common & 0xff : 0));
    stream_set(s, 0x405c, last);
    stream_set(s, 0x4084, c->dpu.adds ? 0x10001 : 1);
    stream_set(s, 0x40c0, c->depthwise ? 2 * plane : plane);
    stream_set(s, 0x500c, width - 1);
    stream_set(s, 0x5010, height - 1);
    stream_set(s, 0x5014, planes_of(c->outputs) * 16 - 1);
    stream_set(s, 0x5018, 0);
    stream_set(s, 0x501c, c->table);
    stream_set(s, 0x5020, AT_TABLE);
    stream_set(s, 0x5040, c->dpu.adds ? plane : 0);
    stream_set(s, 0x5044, c->depthwise ? 0x7816 : c->dpu.adds ? 0x907818 : 0x7810);
    stages_set(s, &c->dpu, c->curve);
    if (c->slopes != NULL) {
        stream_set(s, 0x4068, 1);
        stream_set(s, 0x5028, 8);
        stream_set(s, 0x502c, AT_SLOPES);
    }
}

/* Where a weight of a dense convolution lies: blocks of 16 outputs, in them parts of 32 inputs, in them taps, outputs,
   inputs. */
STREAM_FN size_t dense_weight_at(const conv *c, uint32_t o, uint32_t tap, uint32_t i) {
    const uint32_t taps = conv_taps(c), stored = conv_stored(c), block = o / 16 * 16, part = i / 32 * 32;
    const uint32_t outs = c->outputs - block < 16 ? c->outputs - block : 16;
    const uint32_t lanes = stored - part < 32 ? stored - part : 32;
    return (size_t)block * taps * stored + (size_t)outs * taps * part + ((size_t)tap * outs + (o - block)) * lanes +
           (i - part);
}

STREAM_FN void conv_put_weights(const conv *c, uint8_t *to) {
    const uint32_t taps = conv_taps(c), lanes = conv_stored(c);
    if (!c->depthwise) {
        for (uint32_t o = 0; o < c->outputs; o++)
            for (uint32_t tap = 0; tap < taps; tap++)
                for (uint32_t i = 0; i < lanes; i++)
                    to[dense_weight_at(c, o, tap, i)] =
                        (uint8_t)(i < c->channels ? c->weights[((size_t)o * taps + tap) * c->channels + i]
                                                  : c->zero_points[o]);
        return;
    }
    for (uint32_t lane = 0; lane < lanes; lane++)
        for (uint32_t tap = 0; tap < taps; tap++) {
            const uint32_t block = lane / 32 * 32, count = lanes - block < 32 ? lanes - block : 32;
            uint8_t *pair = to + 2 * ((size_t)block * taps + (size_t)tap * count + lane % 32);
            const bool real = lane < c->outputs;
            pair[0] = real ? (uint8_t)c->weights[(size_t)lane * taps + tap] : 0;
            pair[1] = real ? (uint8_t)-c->zero_points[lane] : 0;
        }
}

STREAM_FN size_t conv_table_bytes(const conv *c) {
    return (size_t)(c->outputs + 3) / 4 * (16u + ((c->table & 4) != 0 ? 8u : 0u) + ((c->table & 8) != 0 ? 8u : 0u));
}

/* Groups of four channels: biases, what is added to the weights, scales. */
STREAM_FN void conv_put_table(const conv *c, uint8_t *to) {
    const size_t group = conv_table_bytes(c) / ((c->outputs + 3) / 4);
    for (uint32_t o = 0; o < c->outputs; o++) {
        uint8_t *at = to + o / 4 * group;
        const uint32_t bias = (uint32_t)c->biases[o], add = (uint32_t)-c->zero_points[o];
        for (uint32_t i = 0; i < 4; i++) at[o % 4 * 4 + i] = (uint8_t)(bias >> (8 * i));
        at += 16;
        for (uint32_t i = 0; i < 2 && (c->table & 4) != 0; i++) at[o % 4 * 2 + i] = (uint8_t)(add >> (8 * i));
        if ((c->table & 4) != 0) at += 8;
        for (uint32_t i = 0; i < 2 && (c->table & 8) != 0; i++) at[o % 4 * 2 + i] = (uint8_t)(c->scales[o] >> (8 * i));
    }
}

/* Pixels from a row of a picture to the next. */
STREAM_FN uint32_t conv_pitch(const conv *c) { return (c->width + 15) / 16 * 16; }

/* All of its memory, in blocks of exactly the bytes that it may touch; returns its output. */
STREAM_FN uint8_t *conv_memory(const conv *c, job *j) {
    const uint32_t height = conv_out_height(c), width = conv_out_width(c), planes = planes_of(c->channels);
    const size_t plane = ((size_t)c->height * c->width + c->gap) * 16, pixels = (size_t)height * width;
    const size_t size = c->picture ? ((size_t)(c->height - 1) * conv_pitch(c) + c->width) * c->channels
                                   : plane * (planes - 1) + (size_t)c->height * c->width * 16;
    uint8_t *input = job_memory(j, AT_INPUT, size);
    fill_noise(input, size);
    for (uint32_t y = 0; y < c->height; y++)
        for (uint32_t x = 0; x < c->width; x++)
            for (uint32_t i = 0; i < c->channels; i++) {
                const size_t at = ((size_t)y * c->width + x) * c->channels + i;
                const size_t pixel = ((size_t)y * conv_pitch(c) + x) * c->channels + i;
                input[c->picture ? pixel : plane_at(plane, (size_t)c->width * 16, y, x, i)] = (uint8_t)c->input[at];
            }
    conv_put_weights(c, job_memory(j, AT_WEIGHTS, conv_weight_bytes(c)));
    conv_put_table(c, job_memory(j, AT_TABLE, conv_table_bytes(c)));
    if (c->dpu.adds) {
        uint8_t *operand = job_memory(j, AT_OPERAND, pixels * 16 * planes_of(c->outputs));
        to_planes(operand, c->operand, height, width, c->outputs);
    }
    if (c->slopes != NULL) {
        uint8_t *slopes = job_memory(j, AT_SLOPES, 2 * (size_t)c->outputs);
        for (uint32_t i = 0; i < 2 * c->outputs; i++) slopes[i] = (uint8_t)(c->slopes[i / 2] >> (i % 2 * 8));
    }
    return job_memory(j, AT_OUTPUT, pixels * 16 * planes_of(c->outputs));
}

#endif /* NNRT_TESTS_RKCHIP_CONV_H */
