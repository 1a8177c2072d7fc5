/* SPDX-License-Identifier: Apache-2.0 */
/* open_image.h - images for the NPU, word by word: what a compiler or a file would bring, without either. Define SEED
   before the include.

   An image here has its words, then its constants, then an input, a second input where there is one, and an output.
   The words are those of tests/tools/rkchip_stream.h and rkchip_conv.h for RV1106; for RK3588 they are filled up from
   the rows of the check itself. run_on_engine puts an image into memory of exactly its size and runs it. */
#ifndef NNRT_TESTS_OPEN_IMAGE_H
#define NNRT_TESTS_OPEN_IMAGE_H

#include "core/platform.h"
#include "rknpu_open/check.h"

#include "../tools/rkchip_conv.h"

enum {
    IMAGE_MOST_TASKS = 64,
    IMAGE_MOST_BYTES = 1 << 19,
    CONV_EXAMPLES = 8
};

/* An image that grows; loaded is words and constants. */
typedef struct image {
    nnrt__open_npu_header header;
    nnrt__open_npu_port ports[8];
    nnrt__open_npu_task tasks[IMAGE_MOST_TASKS];
    uint8_t loaded[IMAGE_MOST_BYTES];
} image;

STREAM_FN image *image_begin(nnrt__open_npu_chip chip) {
    image *i = (image *)calloc(1, sizeof *i);
    if (i == NULL) abort();
    i->header.magic = NNRT__OPEN_NPU_MAGIC;
    i->header.version = NNRT__OPEN_NPU_VERSION;
    i->header.chip = chip;
    return i;
}

STREAM_FN void image_word(uint8_t *to, uint64_t word) {
    for (uint32_t b = 0; b < 8; b++) to[b] = (uint8_t)(word >> (8 * b));
}

/* A task with these words, whose tail is filled in by image_make. */
STREAM_FN void image_task(image *i, const uint64_t *words, uint32_t count, uint32_t enable) {
    nnrt__open_npu_task *task = &i->tasks[i->header.task_count++];
    const uint32_t bytes = (count + 8) / 8 * 64 + 64;
    if (i->header.task_count > IMAGE_MOST_TASKS || i->header.words_size + bytes > IMAGE_MOST_BYTES) abort();
    task->enable = enable;
    task->interrupt = enable == STREAM_POOL ? 0xc00 : 0x300;
    task->words = i->header.words_size;
    task->amount = count;
    for (uint32_t w = 0; w < count; w++) image_word(i->loaded + task->words + 8 * w, words[w]);
    i->header.words_size += bytes;
    i->header.loaded_size = i->header.memory_size = i->header.words_size;
}

STREAM_FN void image_stream(image *i, const stream *s, uint32_t enable) {
    uint64_t words[STREAM_WORDS];
    for (uint32_t w = 0; w < s->count; w++) words[w] = stream_encode(&s->words[w]);
    image_task(i, words, s->count, enable);
}

/* Room for size bytes of constants; where. All tasks are there, or their room is. */
STREAM_FN uint32_t image_constant(image *i, size_t size) {
    const uint32_t at = i->header.loaded_size;
    i->header.loaded_size = i->header.memory_size = at + (uint32_t)(size + 63) / 64 * 64;
    if (i->header.loaded_size > IMAGE_MOST_BYTES) abort();
    return at;
}

/* Room for size bytes behind what is loaded. */
STREAM_FN uint32_t image_room(image *i, size_t size) {
    const uint32_t at = i->header.memory_size;
    i->header.memory_size += (uint32_t)(size + 63) / 64 * 64;
    return at;
}

/* A port that has room already. Inputs come before outputs. */
STREAM_FN void image_port(image *i, bool is_output, nnrt__open_npu_layout layout, uint32_t at, uint32_t height,
                          uint32_t width, uint32_t channels, uint32_t stride) {
    nnrt__open_npu_port *port = &i->ports[i->header.input_count + i->header.output_count];
    if (is_output) i->header.output_count++;
    else i->header.input_count++;
    port->layout = layout;
    port->height = height;
    port->width = width;
    port->channels = channels;
    port->offset = at;
    port->plane_bytes = layout == NNRT__OPEN_NPU_PLANES ? stride : 0;
    port->row_bytes = layout == NNRT__OPEN_NPU_PIXELS ? stride : 0;
    port->size = (uint32_t)nnrt__open_npu_port_bytes(port);
}

/* The bytes, in a block of exactly their size, which the caller frees. */
STREAM_FN uint8_t *image_make(image *i, size_t *size) {
    const uint32_t ports = (i->header.input_count + i->header.output_count) * (uint32_t)sizeof(nnrt__open_npu_port);
    const uint32_t tasks = i->header.task_count * (uint32_t)sizeof(nnrt__open_npu_task);
    uint8_t *bytes;
    for (uint32_t t = 0; t < i->header.task_count; t++) {
        const nnrt__open_npu_task *task = &i->tasks[t], *next = &i->tasks[t + 1];
        const bool is_last = t + 1 == i->header.task_count;
        uint8_t *tail = i->loaded + task->words + 8 * task->amount;
        image_word(tail, (uint64_t)0x101 << 48 | (uint64_t)(is_last ? 0 : next->words) << 16 | 0x10);
        image_word(tail + 8, (uint64_t)0x101 << 48 | (uint64_t)(is_last ? 0 : (next->amount + 5) / 2 - 1) << 16 | 0x14);
        image_word(tail + 16, (uint64_t)0x41 << 48);
        image_word(tail + 24, (uint64_t)0x81 << 48 | (uint64_t)task->enable << 16 | 8);
    }
    i->header.ports = (uint32_t)sizeof i->header;
    i->header.tasks = i->header.ports + ports;
    i->header.loaded = i->header.tasks + tasks;
    i->header.size = i->header.loaded + i->header.loaded_size;
    *size = i->header.size;
    bytes = (uint8_t *)malloc(*size);
    if (bytes == NULL) abort();
    memcpy(bytes, &i->header, sizeof i->header);
    memcpy(bytes + i->header.ports, i->ports, ports);
    memcpy(bytes + i->header.tasks, i->tasks, tasks);
    memcpy(bytes + i->header.loaded, i->loaded, i->header.loaded_size);
    free(i);
    return bytes;
}

/* ------------------------------------------------------------------------------------------- RV1106: words */

/* The words of a convolution at places of the image, which gets its constants, ports and task. The lanes of an odd
   plane of a depthwise one have room, too. */
STREAM_FN void image_conv(image *i, const conv *c) {
    static stream s;
    const uint32_t height = conv_out_height(c), width = conv_out_width(c), plane = height * width * 16;
    const uint32_t planes = planes_of(c->outputs), written = c->depthwise ? (planes + 1) / 2 * 2 : planes;
    uint32_t weights, table, slopes, input, output;
    conv_words(c, &s);
    i->header.words_size = i->header.loaded_size = i->header.memory_size = (s.count + 8) / 8 * 64 + 64;
    weights = image_constant(i, conv_weight_bytes(c));
    table = image_constant(i, written * 16 / 4 * 32);
    slopes = image_constant(i, c->slopes != NULL ? planes * 32 : 0);
    conv_put_weights(c, i->loaded + weights);
    conv_put_table(c, i->loaded + table);
    if (c->slopes != NULL) {
        stream_set(&s, 0x502c, slopes);
        for (uint32_t b = 0; b < 2 * c->outputs; b++)
            i->loaded[slopes + b] = (uint8_t)(c->slopes[b / 2] >> (b % 2 * 8));
    }
    if (c->picture) {
        const uint32_t row = conv_pitch(c) * c->channels;
        const uint32_t atoms = (row * c->height + 15) / 16;
        input = image_room(i, (size_t)atoms * 16);
        image_port(i, false, NNRT__OPEN_NPU_PIXELS, input, c->height, c->width, c->channels, row);
        stream_set(&s, 0x107c, atoms);
        stream_set(&s, 0x1084, atoms << 16 | 1);
    } else {
        const uint32_t in_plane = (c->height * c->width + c->gap) * 16;
        input = image_room(i, (size_t)planes_of(c->channels) * in_plane);
        image_port(i, false, NNRT__OPEN_NPU_PLANES, input, c->height, c->width, c->channels, in_plane);
    }
    if (c->dpu.adds) {
        const uint32_t operand = image_room(i, (size_t)plane * planes);
        image_port(i, false, NNRT__OPEN_NPU_PLANES, operand, height, width, c->outputs, plane);
        stream_set(&s, 0x5038, operand);
    } else stream_set(&s, 0x5038, 0);
    output = image_room(i, (size_t)plane * written);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, output, height, width, c->outputs, plane);
    stream_set(&s, 0x1070, input);
    stream_set(&s, 0x1110, weights);
    stream_set(&s, 0x4020, output);
    stream_set(&s, 0x5020, table);
    stream_set(&s, 0x4058, (written - 1) << 16 | (c->depthwise ? 7 : 3));
    {
        const nnrt__open_npu_header kept = i->header;
        i->header.words_size = 0;
        image_stream(i, &s, STREAM_CONV);
        i->header.loaded_size = kept.loaded_size;
        i->header.memory_size = kept.memory_size;
    }
}

/* Pictures of one, three or four channels, maps, depthwise, wide, with strides, a second operand ...: number `which` of
   a few that differ in what they reach. false: there are no more. */
STREAM_FN bool conv_example(uint32_t which, conv *c) {
    static const struct {
        uint32_t height, width, channels, outputs, kernel, step, pad, gap, kind; /* 1 depthwise, 2 picture, 4 adds */
    } examples[CONV_EXAMPLES] = {{3, 4, 16, 16, 3, 1, 1, 0, 0}, {3, 3, 33, 20, 1, 1, 0, 3, 0},
                                 {4, 3, 20, 20, 3, 2, 1, 0, 1}, {4, 16, 3, 8, 3, 2, 1, 0, 2},
                                 {2, 20, 1, 17, 1, 1, 0, 0, 2}, {3, 3, 16, 40, 3, 1, 1, 2, 4},
                                 {4, 3, 40, 40, 5, 1, 2, 1, 1}, {1, 1, 64, 10, 1, 1, 0, 0, 0}};
    if (which >= CONV_EXAMPLES) return false;
    *c = conv_of(examples[which].height, examples[which].width, examples[which].channels, examples[which].outputs);
    c->kernel_height = c->kernel_width = examples[which].kernel;
    c->step_y = c->step_x = examples[which].step;
    c->pad_top = c->pad_left = c->pad_bottom = c->pad_right = examples[which].pad;
    c->gap = examples[which].gap;
    c->depthwise = (examples[which].kind & 1) != 0;
    c->picture = (examples[which].kind & 2) != 0;
    c->dpu.adds = (examples[which].kind & 4) != 0;
    c->dpu.operand_factor = 77;
    if (c->depthwise) c->table = 0xa;
    conv_values(c);
    return true;
}

/* A sum of two maps, by the DPU alone. */
STREAM_FN void image_sum(image *i, uint32_t height, uint32_t width, uint32_t channels) {
    static stream s;
    const uint32_t planes = planes_of(channels), plane = height * width * 16;
    uint32_t first, second, output;
    stream_of(&s, STREAM_DPU);
    i->header.loaded_size = i->header.memory_size = (s.count + 8) / 8 * 64 + 64;
    first = image_room(i, (size_t)plane * planes);
    second = image_room(i, (size_t)plane * planes);
    output = image_room(i, (size_t)plane * planes);
    image_port(i, false, NNRT__OPEN_NPU_PLANES, first, height, width, channels, plane);
    image_port(i, false, NNRT__OPEN_NPU_PLANES, second, height, width, channels, plane);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, output, height, width, channels, plane);
    stream_set(&s, 0x4020, output);
    stream_set(&s, 0x4024, plane);
    stream_set(&s, 0x4030, width - 1);
    stream_set(&s, 0x4034, height - 1);
    stream_set(&s, 0x403c, (channels - 1) << 16 | (planes * 16 - 1));
    stream_set(&s, 0x4040, 0x100012);
    stream_set(&s, 0x4048, 0x10000);
    stream_set(&s, 0x4050, 0x30000000);
    stream_set(&s, 0x4058, (planes - 1) << 16 | 3);
    stream_set(&s, 0x405c, (height - 1) << 16 | (width - 1));
    stream_set(&s, 0x4070, 0x8002c0c0);
    stream_set(&s, 0x40c0, plane);
    stream_set(&s, 0x500c, width - 1);
    stream_set(&s, 0x5010, height - 1);
    stream_set(&s, 0x5014, planes * 16 - 1);
    stream_set(&s, 0x5018, first);
    stream_set(&s, 0x5034, 0x40000004);
    stream_set(&s, 0x5038, second);
    stream_set(&s, 0x5040, plane);
    {
        const uint32_t memory = i->header.memory_size;
        i->header.words_size = 0;
        image_stream(i, &s, STREAM_DPU);
        i->header.memory_size = memory;
    }
}

/* ---------------------------------------------------------------------------------------- RK3588: words */

/* All registers of the blocks, pointers first, stages off. */
STREAM_FN void large_stream(stream *s, uint32_t enable) {
    static const stream_word values[] = {{0x1078, 0x000f000f}, {0x104c, 0xb},  {0x400c, 0x1e5},  {0x4040, 0x53},
                                         {0x4050, 2},          {0x4060, 0x53}, {0x4070, 0x383},  {0x4078, 1},
                                         {0x4084, 1},          {0x5034, 1},    {0x5044, 0x7801}, {0x5068, 0x1010101},
                                         {0x6024, 0x11},       {0x60dc, 3},    {0x7030, 1}};
    const nnrt__open_npu_rows rows = nnrt__open_npu_rows_of(NNRT__OPEN_NPU_RK3588);
    s->count = 0;
    for (uint32_t i = 0; i < rows.count; i++) {
        const uint32_t name = rows.rows[i].name;
        if ((nnrt__open_npu_blocks(enable) >> (name >> 12) & 1) == 0 || nnrt__open_npu_is_curve(name)) continue;
        stream_append(s, name, (name & 0xfff) == 4 ? 0xe : rows.rows[i].rest);
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (uint32_t w = 0; w < s->count; w++)
            if (s->words[w].name == values[i].name) s->words[w].value = values[i].value;
}

/* The largest of 2 x 2, of either chip. */
STREAM_FN void image_pool(image *i, uint32_t height, uint32_t width, uint32_t channels) {
    static stream s;
    const uint32_t planes = planes_of(channels), plane = height * width * 16, made = height / 2 * (width / 2) * 16;
    uint32_t input, output;
    if (i->header.chip == NNRT__OPEN_NPU_RK3588) large_stream(&s, STREAM_POOL);
    else stream_of(&s, STREAM_POOL);
    i->header.loaded_size = i->header.memory_size = (s.count + 8) / 8 * 64 + 64;
    input = image_room(i, (size_t)plane * planes);
    output = image_room(i, (size_t)made * planes);
    image_port(i, false, NNRT__OPEN_NPU_PLANES, input, height, width, channels, plane);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, output, height / 2, width / 2, channels, made);
    for (uint32_t name = 0x600c; name <= 0x700c; name += 0x1000) {
        stream_set(&s, name, width - 1);
        stream_set(&s, name + 4, height - 1);
        stream_set(&s, name + 8, planes * 16 - 1);
    }
    stream_set(&s, 0x6018, width / 2 - 1);
    stream_set(&s, 0x601c, height / 2 - 1);
    stream_set(&s, 0x6020, planes * 16 - 1);
    stream_set(&s, 0x6034, 0x110101);
    stream_set(&s, 0x6070, output);
    stream_set(&s, 0x607c, made);
    stream_set(&s, 0x6084, made);
    stream_set(&s, 0x701c, input);
    stream_set(&s, 0x7024, width * 16);
    stream_set(&s, 0x7028, plane);
    {
        const uint32_t memory = i->header.memory_size;
        i->header.words_size = 0;
        image_stream(i, &s, STREAM_POOL);
        i->header.memory_size = memory;
    }
}

/* Nearest neighbours, of one plane: twice as wide and as high. */
STREAM_FN void image_nearest(image *i, uint32_t height, uint32_t width) {
    static stream s;
    const uint32_t plane = height * width * 16;
    uint32_t input, output;
    stream_of(&s, STREAM_DPU);
    i->header.loaded_size = i->header.memory_size = (s.count + 8) / 8 * 64 + 64;
    input = image_room(i, plane);
    output = image_room(i, 4 * (size_t)plane);
    image_port(i, false, NNRT__OPEN_NPU_PLANES, input, height, width, 16, plane);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, output, 2 * height, 2 * width, 16, 4 * plane);
    stream_set(&s, 0x4010, 0x1000000);
    stream_set(&s, 0x4020, output);
    stream_set(&s, 0x4024, 32 * width);
    stream_set(&s, 0x4030, 2 * width - 1);
    stream_set(&s, 0x4034, height - 1);
    stream_set(&s, 0x4038, 0x20002 * width);
    stream_set(&s, 0x403c, 0xf000f);
    stream_set(&s, 0x4050, 0x126);
    stream_set(&s, 0x4058, 0);
    stream_set(&s, 0x405c, (height - 1) << 16 | (2 * width - 1));
    stream_set(&s, 0x40c0, 4 * plane);
    stream_set(&s, 0x500c, width - 1);
    stream_set(&s, 0x5010, height - 1);
    stream_set(&s, 0x5014, 3);
    stream_set(&s, 0x5018, input);
    stream_set(&s, 0x5044, 0x927809);
    stream_set(&s, 0x5048, 0x1249);
    {
        const uint32_t memory = i->header.memory_size;
        i->header.words_size = 0;
        image_stream(i, &s, STREAM_DPU);
        i->header.memory_size = memory;
    }
}

/* A task of the DPU alone between two rooms of so many bytes, flat at the ports; *s is to be completed by the caller
   and ended by image_moved. */
STREAM_FN void image_moves(image *i, stream *s, uint32_t bytes_in, uint32_t bytes_out, uint32_t *input,
                           uint32_t *output) {
    stream_of(s, STREAM_DPU);
    i->header.loaded_size = i->header.memory_size = (s->count + 8) / 8 * 64 + 64;
    *input = image_room(i, bytes_in);
    *output = image_room(i, bytes_out);
    image_port(i, false, NNRT__OPEN_NPU_FLAT, *input, 1, bytes_in / 16, 16, 0);
    image_port(i, true, NNRT__OPEN_NPU_FLAT, *output, 1, bytes_out / 16, 16, 0);
    stream_set(s, 0x5018, *input);
    stream_set(s, 0x4020, *output);
}

STREAM_FN void image_moved(image *i, const stream *s) {
    const uint32_t memory = i->header.memory_size;
    i->header.words_size = 0;
    image_stream(i, s, STREAM_DPU);
    i->header.memory_size = memory;
}

/* Planes to pixels: blocks of so many pixels, each with an atom of every plane. */
STREAM_FN void image_words(image *i, uint32_t planes, uint32_t pixels, uint32_t blocks) {
    static stream s;
    const uint32_t bytes = planes * pixels * blocks * 16, last = 4 * blocks - 1;
    uint32_t input, output;
    image_moves(i, &s, bytes, bytes, &input, &output);
    stream_set(&s, 0x4010, 0x81000004);
    stream_set(&s, 0x4024, planes * 16);
    stream_set(&s, 0x4030, 0x100000 | (pixels - 1));
    stream_set(&s, 0x4034, planes - 1);
    stream_set(&s, 0x4038, (pixels - 1) * planes * 0x10001);
    stream_set(&s, 0x403c, last << 16 | last);
    stream_set(&s, 0x4050, 0x80007fe);
    stream_set(&s, 0x4058, 0x8000000);
    stream_set(&s, 0x405c, (blocks - 1) << 16 | (planes - 1));
    stream_set(&s, 0x40c0, planes * pixels * 16);
    stream_set(&s, 0x500c, pixels - 1);
    stream_set(&s, 0x5010, planes - 1);
    stream_set(&s, 0x5014, last);
    stream_set(&s, 0x5044, 0x927889);
    stream_set(&s, 0x5048, ((blocks - 1) * pixels) << 19);
    stream_set(&s, 0x504c, 0u - (planes - 1) * blocks * pixels * 16);
    image_moved(i, &s);
}

/* Rows of so many bytes in whole atoms to a run of them, cut into pieces of 4 or 16 bytes. */
STREAM_FN void image_dense(image *i, uint32_t rows, uint32_t bytes, uint32_t piece) {
    static stream s;
    const uint32_t width = (bytes + 15) / 16, atoms = rows * bytes / piece;
    uint32_t input, output;
    image_moves(i, &s, rows * width * 16, atoms * 16, &input, &output);
    stream_set(&s, 0x400c, 0x20001e5 | atoms << 9 | (bytes % 16) << 26);
    stream_set(&s, 0x4024, 0);
    stream_set(&s, 0x4030, piece << 16 | (width - 1));
    stream_set(&s, 0x4034, rows - 1);
    stream_set(&s, 0x403c, 0xf000f);
    stream_set(&s, 0x4050, 0x30100002);
    stream_set(&s, 0x405c, (rows - 1) << 16 | (width - 1));
    stream_set(&s, 0x40c0, 0);
    stream_set(&s, 0x40c4, piece == 4 ? atoms << 16 : 0);
    stream_set(&s, 0x500c, width - 1);
    stream_set(&s, 0x5010, rows - 1);
    stream_set(&s, 0x5014, 15);
    image_moved(i, &s);
}

/* Squares of 16 atoms, turned. */
STREAM_FN void image_turn(image *i, uint32_t squares) {
    static stream s;
    const uint32_t atoms = 16 * squares;
    uint32_t input, output;
    image_moves(i, &s, atoms * 16 + 64, atoms * 16, &input, &output);
    stream_set(&s, 0x400c, 0x1e5 | atoms << 9);
    stream_set(&s, 0x4010, 0x81000004);
    stream_set(&s, 0x4024, 0x10);
    stream_set(&s, 0x4030, 0x100000);
    stream_set(&s, 0x4034, atoms - 1);
    stream_set(&s, 0x4038, 0x70007);
    stream_set(&s, 0x403c, 0x30003);
    stream_set(&s, 0x4050, 0x2007fe);
    stream_set(&s, 0x4058, (squares - 1) << 16);
    stream_set(&s, 0x405c, 0x10000);
    stream_set(&s, 0x40c0, 0x100);
    stream_set(&s, 0x500c, 0);
    stream_set(&s, 0x5010, atoms - 1);
    stream_set(&s, 0x5014, 3);
    stream_set(&s, 0x5044, 0x927889);
    stream_set(&s, 0x504c, 32u - atoms * 16);
    image_moved(i, &s);
}

/* So many copies of RK3588, one behind the other, planes in pairs. */
STREAM_FN void image_large_copies(image *i, uint32_t height, uint32_t width, uint32_t channels, uint32_t count) {
    static stream s;
    const uint32_t planes = planes_of(channels), plane = height * width * 16;
    uint32_t places[IMAGE_MOST_TASKS], memory;
    large_stream(&s, STREAM_DPU);
    i->header.loaded_size = i->header.memory_size = count * ((s.count + 8) / 8 * 64 + 64);
    for (uint32_t k = 0; k <= count; k++) places[k] = image_room(i, (size_t)planes * plane);
    memory = i->header.memory_size;
    image_port(i, false, NNRT__OPEN_NPU_PLANES, places[0], height, width, channels, plane);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, places[count], height, width, channels, plane);
    stream_set(&s, 0x4024, plane);
    stream_set(&s, 0x4030, width - 1);
    stream_set(&s, 0x4034, height - 1);
    stream_set(&s, 0x403c, (channels - 1) << 16 | (planes * 16 - 1));
    stream_set(&s, 0x4058, planes * 16 - 1);
    stream_set(&s, 0x405c, (height - 1) << 16 | (width - 1));
    stream_set(&s, 0x40c0, 2 * plane);
    stream_set(&s, 0x500c, width - 1);
    stream_set(&s, 0x5010, height - 1);
    stream_set(&s, 0x5014, planes * 16 - 1);
    i->header.words_size = 0;
    for (uint32_t k = 0; k < count; k++) {
        stream_set(&s, 0x5018, places[k]);
        stream_set(&s, 0x4020, places[k + 1]);
        image_stream(i, &s, STREAM_DPU);
    }
    i->header.memory_size = memory;
}

/* A dense convolution of RK3588: planes in, blocks of 32 channels out. Weights and table are noise that the engine
   takes. */
STREAM_FN void image_large_conv(image *i, uint32_t height, uint32_t width, uint32_t channels, uint32_t outputs) {
    static stream s;
    const uint32_t lanes = planes_of(channels) * 16, stored = (outputs + 31) / 32 * 32, kernels = (outputs + 1) / 2 * 2;
    const uint32_t plane = height * width * 16, last = (height - 1) << 16 | (width - 1);
    uint32_t weights, table, input, output;
    large_stream(&s, STREAM_CONV);
    i->header.words_size = i->header.loaded_size = i->header.memory_size = (s.count + 8) / 8 * 64 + 64;
    weights = image_constant(i, (size_t)lanes * kernels);
    table = image_constant(i, (size_t)stored * 8);
    for (uint32_t b = 0; b < lanes * kernels; b++) i->loaded[weights + b] = (uint8_t)noise();
    for (uint32_t o = 0; o < stored; o++) { /* groups of eight: biases, zero points, scales */
        uint8_t *group = i->loaded + table + o / 8 * 64;
        group[32 + o % 8 * 2] = (uint8_t)(o & 7);
        group[48 + o % 8 * 2 + 1] = 0x40;
    }
    input = image_room(i, (size_t)planes_of(channels) * plane);
    output = image_room(i, (size_t)stored / 16 * plane);
    image_port(i, false, NNRT__OPEN_NPU_PLANES, input, height, width, channels, plane);
    image_port(i, true, NNRT__OPEN_NPU_PLANES, output, height, width, outputs, plane);
    stream_set(&s, 0x1014, 9);
    stream_set(&s, 0x1020, width << 16 | height);
    stream_set(&s, 0x1024, (channels - 1) << 16 | lanes);
    stream_set(&s, 0x1028, width);
    stream_set(&s, 0x102c, width * height);
    stream_set(&s, 0x1030, lanes * kernels);
    stream_set(&s, 0x1034, lanes);
    stream_set(&s, 0x1038, 0x1010000 | kernels);
    stream_set(&s, 0x1070, input);
    stream_set(&s, 0x107c, 4 * width);
    stream_set(&s, 0x1080, (height * width - 4 * width) & 0x0fffffff);
    stream_set(&s, 0x1084, width << 16 | height);
    stream_set(&s, 0x1088, lanes);
    stream_set(&s, 0x1110, weights);
    stream_set(&s, 0x3010, 1);
    stream_set(&s, 0x3014, last);
    stream_set(&s, 0x3018, stored - 1);
    stream_set(&s, 0x400c, 0x1e4);
    stream_set(&s, 0x4010, 0xe0);
    stream_set(&s, 0x4020, output);
    stream_set(&s, 0x4024, plane);
    stream_set(&s, 0x4030, width - 1);
    stream_set(&s, 0x4034, height - 1);
    stream_set(&s, 0x403c, (outputs - 1) << 16 | (stored - 1));
    stream_set(&s, 0x4040, 0x20140);
    stream_set(&s, 0x4048, 0xe01);
    stream_set(&s, 0x4050, 0x125);
    stream_set(&s, 0x4058, stored - 1);
    stream_set(&s, 0x405c, last);
    stream_set(&s, 0x4084, 17000);
    stream_set(&s, 0x4088, 22);
    stream_set(&s, 0x40c0, 2 * plane);
    stream_set(&s, 0x500c, width - 1);
    stream_set(&s, 0x5010, height - 1);
    stream_set(&s, 0x5014, stored - 1);
    stream_set(&s, 0x501c, 0xe);
    stream_set(&s, 0x5020, table);
    stream_set(&s, 0x5044, 0x7810);
    {
        const nnrt__open_npu_header kept = i->header;
        i->header.words_size = 0;
        image_stream(i, &s, STREAM_CONV);
        i->header.loaded_size = kept.loaded_size;
        i->header.memory_size = kept.memory_size;
    }
}

/* ------------------------------------------------------------------------------------------------- the engine */

/* Runs what was checked in memory of exactly its size, whose first bytes are what was loaded. NULL, or why the engine
   refused it, in chip->sentence. *memory is the caller's to free. */
STREAM_FN bool run_on_engine(const uint8_t *bytes, rkchip *chip, uint8_t **memory) {
    nnrt__open_npu_header h;
    rkchip_region region;
    bool done = true;
    nnrt__open_npu_header_read(bytes, &h);
    *memory = (uint8_t *)malloc(h.memory_size);
    if (*memory == NULL) abort();
    memset(*memory, 0x11, h.memory_size);
    memcpy(*memory, bytes + h.loaded, h.loaded_size);
    region.address = 0;
    region.bytes = *memory;
    region.size = h.memory_size;
    chip->memory.regions = &region;
    chip->memory.count = 1;
    chip->memory.base = 0;
    for (uint32_t t = 0; t < h.task_count && done; t++) {
        nnrt__open_npu_task record;
        rkchip_task task;
        nnrt__open_npu_task_read(bytes, &h, t, &record);
        task.enable = record.enable;
        task.amount = record.amount;
        task.address = record.words;
        done = rkchip_run(chip, t, &task);
    }
    chip->memory.count = 0;
    return done;
}

#endif /* NNRT_TESTS_OPEN_IMAGE_H */
