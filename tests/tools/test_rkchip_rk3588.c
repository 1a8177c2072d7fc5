/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of tools/rkchip what only RK3588's streams have: its layouts of weights and tables, its fields for padding and
   shifts, bounds behind the stages, a second operand whose planes come from two addresses, convolutions that write
   with gaps, lines with gaps, copies that go by what they write; each byte against plain loops that know none of the
   layouts. And that its words are not those of RV1106. */
#include <criterion/criterion.h>

#include "../../tools/rkchip/run.h"

#define SEED 20261125u
#include "noise.h"

enum {
    AT_INPUT = 0x100000,
    AT_WEIGHTS = 0x200000,
    AT_TABLE = 0x300000,
    AT_OUTPUT = 0x400000,
    AT_OPERAND = 0x500000,
    AT_WORDS = 0x600000,
    REGIONS = 6,
    MOST_WORDS = 160,
    FILL = 0x5a,
    CONV = 0x1d,
    DPU = 0x18
};

/* A job with memory of exact sizes, and the words of one task. */
typedef struct job {
    rkchip *chip;
    rkchip_region regions[REGIONS];
    struct {
        uint32_t name, value;
    } words[MOST_WORDS];
    uint32_t count;
} job;

static void begin(job *j, rkchip_generation generation) {
    memset(j, 0, sizeof *j);
    j->chip = rkchip_create(generation);
    cr_assert_not_null(j->chip);
    j->chip->memory.regions = j->regions;
}

static uint8_t *memory(job *j, uint64_t address, size_t size) {
    rkchip_region *region = &j->regions[j->chip->memory.count++];
    cr_assert_leq(j->chip->memory.count, REGIONS);
    region->address = address;
    region->size = size;
    region->bytes = (uint8_t *)malloc(size);
    cr_assert_not_null(region->bytes);
    memset(region->bytes, FILL, size);
    return region->bytes;
}

static void end(job *j) {
    while (j->chip->memory.count > 0) free(j->regions[--j->chip->memory.count].bytes);
    rkchip_destroy(j->chip);
}

static void set(job *j, uint32_t name, uint32_t value) {
    uint32_t i;
    for (i = 0; i < j->count && j->words[i].name != name; i++) {}
    cr_assert_lt(i, MOST_WORDS);
    if (i == j->count) j->count++;
    j->words[i].name = name;
    j->words[i].value = value;
}

static bool run(job *j, uint32_t enable) {
    const rkchip_task task = {enable, j->count, AT_WORDS};
    uint8_t *bytes = memory(j, AT_WORDS, (size_t)j->count * 8);
    for (uint32_t i = 0; i < j->count; i++) {
        const uint32_t block = j->words[i].name >> 12;
        const uint64_t target = block == 1 ? 0x201 : ((uint64_t)0x100 << block) + 1;
        const uint64_t word = target << 48 | (uint64_t)j->words[i].value << 16 | j->words[i].name;
        for (uint32_t b = 0; b < 8; b++) bytes[i * 8 + b] = (uint8_t)(word >> (8 * b));
    }
    const bool done = rkchip_run(j->chip, 7, &task);
    free(bytes);
    j->chip->memory.count--;
    return done;
}

/* What every task of the DPU writes, with the stages off. */
static void dpu_words(job *j, uint32_t height, uint32_t width, uint32_t channels, uint32_t stored) {
    const uint32_t last = (height - 1) << 16 | (width - 1);
    set(j, 0x4004, 0xe), set(j, 0x5004, 0xe);
    set(j, 0x400c, 0x1e5), set(j, 0x4020, AT_OUTPUT), set(j, 0x4024, height * width * 16);
    set(j, 0x4030, width - 1), set(j, 0x4034, height - 1), set(j, 0x403c, (channels - 1) << 16 | (stored - 1));
    set(j, 0x4040, 0x53), set(j, 0x4050, 2), set(j, 0x4058, stored - 1), set(j, 0x405c, last);
    set(j, 0x4060, 0x53), set(j, 0x4070, 0x383), set(j, 0x4078, 1), set(j, 0x4084, 1);
    set(j, 0x40c0, height * width * 16);
    set(j, 0x500c, width - 1), set(j, 0x5010, height - 1), set(j, 0x5014, stored - 1), set(j, 0x5018, AT_INPUT);
    set(j, 0x5034, 1), set(j, 0x5044, 0x7801), set(j, 0x5068, 0x1010101);
}

static size_t plane_at(size_t plane, size_t row, uint32_t y, uint32_t x, uint32_t c) {
    return c / 16 * plane + y * row + (size_t)x * 16 + c % 16;
}

static int64_t rounded(int64_t value, uint32_t shift) { /* halves to even */
    const int64_t unit = (int64_t)1 << shift;
    int64_t down = value / unit, rest;
    if (down * unit > value) down--;
    rest = value - down * unit;
    return 2 * rest > unit || (2 * rest == unit && down % 2 != 0) ? down + 1 : down;
}

static int clipped(int64_t value) { return value < -128 ? -128 : value > 127 ? 127 : (int)value; }

/* ------------------------------------------------------------------------------------------------ convolutions */

typedef struct conv {
    uint32_t height, width, channels, outputs, kernel, step, pad;
    bool depthwise, tables; /* with zero points and scales of each channel */
    uint32_t bn, bn_upper, shift, shift_negative;
    uint32_t factor, out_shift;
    int32_t zero_point, padding;
    uint32_t gap;        /* between pixels that are written */
    uint32_t ew;         /* 0: no second operand */
    uint32_t line_atoms; /* 0: rows without a gap */
    int8_t *input, *weights, *operand;
    int32_t bias[80];
    int32_t add[80];
    uint32_t scale[80];
} conv;

static uint32_t round_up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }
static uint32_t conv_out(const conv *c, uint32_t in) { return (in + 2 * c->pad - c->kernel) / c->step + 1; }
static uint32_t stored_outputs(const conv *c) { return round_up(c->outputs, c->depthwise ? 64 : 32); }

static void conv_make(conv *c) {
    const uint32_t taps = c->kernel * c->kernel, lanes = c->depthwise ? 1 : c->channels;
    const size_t inputs = (size_t)c->height * c->width * c->channels, kernels = (size_t)c->outputs * taps * lanes;
    const size_t operands = (size_t)conv_out(c, c->height) * conv_out(c, c->width) * c->outputs;
    c->input = (int8_t *)malloc(inputs);
    c->weights = (int8_t *)malloc(kernels);
    c->operand = (int8_t *)malloc(operands);
    for (size_t i = 0; i < inputs; i++) c->input[i] = (int8_t)noise_in(-128, 127);
    for (size_t i = 0; i < kernels; i++) c->weights[i] = (int8_t)noise_in(-128, 127);
    for (size_t i = 0; i < operands; i++) c->operand[i] = (int8_t)noise_in(-128, 127);
    for (uint32_t o = 0; o < c->outputs; o++) {
        c->bias[o] = noise_in(-40000, 40000);
        c->add[o] = c->tables ? noise_in(-127, 128) : 128;
        c->scale[o] = c->tables ? (uint32_t)noise_in(1, 16384) : 1;
    }
}

static void conv_free(conv *c) {
    free(c->input);
    free(c->weights);
    free(c->operand);
}

/* Value of an output by the definition. */
static int conv_value(const conv *c, uint32_t y, uint32_t x, uint32_t o) {
    const uint32_t out_width = conv_out(c, c->width), taps = c->kernel * c->kernel;
    int64_t sum = c->bias[o], value;
    for (uint32_t t = 0; t < taps; t++) {
        const int64_t row = (int64_t)y * c->step + t / c->kernel - c->pad;
        const int64_t column = (int64_t)x * c->step + t % c->kernel - c->pad;
        const bool inside = row >= 0 && row < c->height && column >= 0 && column < c->width;
        for (uint32_t k = c->depthwise ? o : 0; k < (c->depthwise ? o + 1 : c->channels); k++) {
            const int32_t in =
                inside ? c->input[((size_t)row * c->width + (size_t)column) * c->channels + k] : c->padding;
            const size_t w = c->depthwise ? (size_t)o * taps + t : ((size_t)o * taps + t) * c->channels + k;
            sum += (int64_t)in * (c->weights[w] + c->add[o]);
        }
    }
    value = rounded(sum * c->scale[o], sum < 0 ? c->shift_negative : c->shift);
    if (c->bn != 0x53 && value < 0) value = 0;
    if (c->bn == 0x92 && value > c->bn_upper) value = c->bn_upper;
    if (c->ew != 0)
        value += rounded((c->operand[((size_t)y * out_width + x) * c->outputs + o] + 11) * (int64_t)20000, 9);
    if (c->ew == 0x904200c0 && value < 0) value = 0;
    return clipped(rounded(value * c->factor + c->zero_point * ((int64_t)1 << c->out_shift), c->out_shift));
}

static void put_16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

/* Weights, in blocks of 32 outputs (64 of depthwise), and the tables, in groups of 8. */
static void conv_constants(const conv *c, job *j) {
    const uint32_t taps = c->kernel * c->kernel, block = c->depthwise ? 64 : 32, kernels = round_up(c->outputs, 2);
    const uint32_t lanes = round_up(c->channels, 16), group = c->tables ? 64 : 32;
    uint8_t *w = memory(j, AT_WEIGHTS, (size_t)taps * lanes * (c->depthwise ? 1 : kernels));
    uint8_t *t = memory(j, AT_TABLE, (size_t)round_up(c->outputs, 8) / 8 * group);
    for (uint32_t o = 0; o < (c->depthwise ? c->channels : c->outputs); o++)
        for (uint32_t tap = 0; tap < taps; tap++) {
            const uint32_t first = o / block * block;
            if (c->depthwise) {
                const uint32_t size = lanes - first < block ? lanes - first : block;
                w[first * taps + tap * size + o % block] = (uint8_t)c->weights[(size_t)o * taps + tap];
                continue;
            }
            for (uint32_t k = 0; k < lanes; k++) {
                const uint32_t size = kernels - first < block ? kernels - first : block, part = k / 32 * 32;
                const uint32_t deep = lanes - part < 32 ? lanes - part : 32;
                const size_t at = (size_t)first * taps * lanes + (size_t)part * taps * size +
                                  ((size_t)tap * size + o % block) * deep + k % 32;
                w[at] = k < c->channels ? (uint8_t)c->weights[((size_t)o * taps + tap) * c->channels + k]
                                        : (uint8_t)-c->add[o];
            }
        }
    for (uint32_t o = 0; o < c->outputs; o++) {
        uint8_t *at = t + (size_t)(o / 8) * group;
        put_16(at + o % 8 * 4, (uint32_t)c->bias[o]);
        put_16(at + o % 8 * 4 + 2, (uint32_t)c->bias[o] >> 16);
        if (!c->tables) continue;
        put_16(at + 32 + o % 8 * 2, (uint32_t)c->add[o]);
        put_16(at + 48 + o % 8 * 2, c->scale[o]);
    }
}

static void conv_words(const conv *c, job *j) {
    const uint32_t height = conv_out(c, c->height), width = conv_out(c, c->width), stored = stored_outputs(c);
    const uint32_t lanes = round_up(c->channels, 16), taps = c->kernel * c->kernel, plane = height * width * 16;
    const uint32_t kernels = c->depthwise ? 1 : round_up(c->outputs, 2), padding = (uint32_t)c->padding & 0xff;
    dpu_words(j, height, width, c->outputs, stored);
    set(j, 0x100c, (c->depthwise ? 3 : 0) | (c->line_atoms != 0 ? 0x20000000 : 0));
    set(j, 0x1014, c->step << 3 | c->step), set(j, 0x1020, c->width << 16 | c->height);
    set(j, 0x1024, (c->channels - 1) << 16 | lanes), set(j, 0x1028, width), set(j, 0x102c, width * height);
    set(j, 0x1030, taps * lanes * kernels), set(j, 0x1034, taps * lanes);
    set(j, 0x1038, c->kernel << 24 | c->kernel << 16 | kernels);
    set(j, 0x104c, 0xb), set(j, 0x1068, c->pad << 4 | c->pad), set(j, 0x1070, AT_INPUT), set(j, 0x1078, 0xf000f);
    set(j, 0x107c, c->line_atoms != 0 ? c->line_atoms : 4 * c->width);
    set(j, 0x1080,
        (c->line_atoms != 0 ? c->line_atoms * c->height - c->width : c->width * c->height - 4 * c->width) & 0x0fffffff);
    set(j, 0x1084, c->width << 16 | c->height), set(j, 0x1088, lanes), set(j, 0x1110, AT_WEIGHTS);
    set(j, 0x1184, c->depthwise ? padding << 8 | padding | (c->padding < 0 ? 0xffff0000u : 0) : (uint32_t)c->padding);
    set(j, 0x3010, c->depthwise ? 3 : 1), set(j, 0x3014, (height - 1) << 16 | (width - 1)), set(j, 0x3018, stored - 1);
    set(j, 0x400c, c->depthwise ? 0x1fc : 0x1e4), set(j, 0x4010, c->shift_negative << 4);
    set(j, 0x4040, c->tables ? 0x20140 : 0x20150), set(j, 0x4048, c->tables ? c->shift << 8 | 1 : 0);
    set(j, 0x4050, (c->depthwise ? 0x36c : 0x124) | (c->tables ? 1 : 0)), set(j, 0x4054, c->tables ? 0 : 128);
    set(j, 0x4060, c->bn), set(j, 0x406c, c->bn_upper);
    set(j, 0x4080, (uint32_t)c->zero_point), set(j, 0x4084, c->factor), set(j, 0x4088, c->out_shift);
    set(j, 0x40c0, plane * (c->depthwise ? 4 : 2));
    set(j, 0x501c, c->tables ? 0xe : 2), set(j, 0x5018, 0), set(j, 0x5020, AT_TABLE);
    set(j, 0x5044, c->depthwise ? 0x7816 : 0x7810);
    if (c->gap != 0) {
        set(j, 0x4038, c->gap << 16 | c->gap), set(j, 0x40c0, (c->gap + 1) * width * 16);
        set(j, 0x4024, (c->gap + 1) * plane), set(j, 0x4058, width * stored - 1), set(j, 0x405c, (height - 1) << 16);
    }
    if (c->ew != 0) {
        set(j, 0x4070, c->ew), set(j, 0x4074, 11), set(j, 0x4078, 9u << 16 | 20000), set(j, 0x5034, 0x40000004);
        set(j, 0x5018, AT_OPERAND), set(j, 0x5038, AT_OPERAND + plane), set(j, 0x5040, plane);
        set(j, 0x504c, plane), set(j, 0x506c, plane), set(j, 0x5044, 0x7d00);
    }
}

/* Memory of a convolution; the output's. */
static uint8_t *conv_memory(const conv *c, job *j) {
    const uint32_t height = conv_out(c, c->height), width = conv_out(c, c->width);
    const uint32_t planes = round_up(c->outputs, 16) / 16, lines = c->line_atoms != 0 ? c->line_atoms : c->width;
    const size_t row = (size_t)lines * 16, plane = row * c->height, out_row = (size_t)width * 16;
    uint8_t *in = memory(j, AT_INPUT, round_up(c->channels, 16) / 16 * plane);
    for (uint32_t y = 0; y < c->height; y++)
        for (uint32_t x = 0; x < c->width; x++)
            for (uint32_t k = 0; k < c->channels; k++)
                in[plane_at(plane, row, y, x, k)] = (uint8_t)c->input[((size_t)y * c->width + x) * c->channels + k];
    conv_constants(c, j);
    if (c->ew != 0) {
        uint8_t *operand = memory(j, AT_OPERAND, planes * out_row * height);
        for (size_t i = 0; i < (size_t)height * width * c->outputs; i++)
            operand[plane_at(out_row * height, out_row, (uint32_t)(i / c->outputs / width),
                             (uint32_t)(i / c->outputs % width), (uint32_t)(i % c->outputs))] = (uint8_t)c->operand[i];
    }
    return memory(j, AT_OUTPUT, planes * out_row * height * (c->gap + 1) - c->gap * 16);
}

/* Runs it; every byte of the output's memory is what it has to be, those in gaps nobody's. */
static void conv_check(conv *c, const char *what) {
    const uint32_t height = conv_out(c, c->height), width = conv_out(c, c->width);
    const size_t pixel = (size_t)(c->gap + 1) * 16, row = width * pixel, plane = row * height;
    job j;
    conv_make(c);
    begin(&j, RKCHIP_RK3588);
    const uint8_t *out = conv_memory(c, &j);
    conv_words(c, &j);
    cr_assert(run(&j, CONV), "%s: %s", what, j.chip->sentence);
    for (size_t i = 0; i < round_up(c->outputs, 16) / 16 * plane - c->gap * 16; i++) {
        const uint32_t o = (uint32_t)(i / plane * 16 + i % 16), y = (uint32_t)(i % plane / row);
        const uint32_t x = (uint32_t)(i % row / pixel);
        const bool in_gap = i % row % pixel >= 16;
        const int wanted = in_gap ? FILL : o < c->outputs ? conv_value(c, y, x, o) : 0;
        cr_assert_eq((int8_t)out[i], wanted, "%s: at %u,%u,%u is %d, not %d", what, y, x, o, (int8_t)out[i], wanted);
    }
    end(&j);
    conv_free(c);
}

static conv conv_of(uint32_t channels, uint32_t outputs, uint32_t kernel) {
    const conv c = {.height = 5,
                    .width = 6,
                    .channels = channels,
                    .outputs = outputs,
                    .kernel = kernel,
                    .step = 1,
                    .pad = kernel / 2,
                    .tables = true,
                    .bn = 0x53,
                    .shift = 14,
                    .shift_negative = 14,
                    .factor = 17001,
                    .out_shift = 27,
                    .zero_point = -3,
                    .padding = -77};
    return c;
}

Test(rkchip_rk3588, dense_weights_lie_in_blocks_of_32) {
    static const uint32_t outputs[] = {1, 2, 15, 16, 31, 32, 33, 64, 65}, channels[] = {1, 16, 17, 32, 48, 70};
    for (uint32_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        for (uint32_t k = 0; k < sizeof channels / sizeof channels[0]; k++) {
            conv c = conv_of(channels[k], outputs[i], i % 2 == 0 ? 3 : 1);
            c.step = 1 + k % 2;
            conv_check(&c, "dense");
        }
}

Test(rkchip_rk3588, tables_may_have_biases_alone) {
    conv c = conv_of(20, 9, 1);
    c.tables = false;
    c.shift = c.shift_negative = 0;
    c.out_shift = 30;
    conv_check(&c, "biases alone");
    c = conv_of(20, 20, 3);
    c.depthwise = true;
    c.tables = false;
    c.shift = c.shift_negative = 0;
    c.out_shift = 24;
    conv_check(&c, "biases alone, depthwise");
}

Test(rkchip_rk3588, depthwise_weights_lie_in_blocks_of_64) {
    static const uint32_t channels[] = {1, 16, 33, 64, 80};
    for (uint32_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
        conv c = conv_of(channels[i], channels[i], 3);
        c.depthwise = true;
        c.out_shift = 25;
        c.padding = i % 2 == 0 ? -77 : 55;
        conv_check(&c, "depthwise");
    }
}

Test(rkchip_rk3588, negative_sums_have_a_shift_of_their_own) {
    conv c = conv_of(16, 16, 1);
    c.shift_negative = 11;
    conv_check(&c, "shifts");
}

Test(rkchip_rk3588, bn_bounds_what_comes_out_of_bs) {
    conv c = conv_of(16, 16, 1);
    c.bn = 0x12;
    conv_check(&c, "relu");
    c = conv_of(16, 16, 1);
    c.bn = 0x92;
    c.bn_upper = 5000;
    conv_check(&c, "relu with an upper bound");
}

Test(rkchip_rk3588, the_operand_of_a_convolution_begins_a_plane_ahead) {
    static const uint32_t outputs[] = {8, 16, 40};
    for (uint32_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        conv c = conv_of(16, outputs[i], 1);
        c.ew = i == 1 ? 0x904200c0 : 0x904202c0;
        conv_check(&c, "operand");
    }
}

/* The four phases of a picture that grows are one each. */
Test(rkchip_rk3588, depthwise_may_write_with_gaps_and_read_lines_with_gaps) {
    for (uint32_t gap = 1; gap <= 3; gap++) {
        conv c = conv_of(20, 20, 2);
        c.depthwise = true;
        c.pad = 0;
        c.tables = false;
        c.shift = c.shift_negative = 0;
        c.out_shift = 24;
        c.gap = gap;
        c.line_atoms = c.width + gap;
        conv_check(&c, "phase");
    }
}

/* ------------------------------------------------------------------------------------------- the DPU alone */

Test(rkchip_rk3588, a_copy_goes_by_what_it_writes_and_may_have_gaps) {
    const uint32_t height = 3, width = 4;
    job j;
    begin(&j, RKCHIP_RK3588);
    uint8_t *in = memory(&j, AT_INPUT, 2 * 400);
    const uint8_t *out = memory(&j, AT_OUTPUT, 2 * 512);
    for (uint32_t i = 0; i < 800; i++) in[i] = (uint8_t)noise_in(0, 255);
    dpu_words(&j, height, width, 32, 32);
    set(&j, 0x4030, 77), set(&j, 0x4034, 78); /* of a task before, and without use */
    set(&j, 0x4038, 3 << 16 | 3), set(&j, 0x4024, 512);
    set(&j, 0x5048, 2 << 19), set(&j, 0x504c, 400 - ((height - 1) * (width + 2) + width) * 16);
    cr_assert(run(&j, DPU), "%s", j.chip->sentence);
    for (uint32_t i = 0; i < 1024; i++) {
        const uint32_t plane = i / 512, y = i % 512 / 112, x = i % 512 % 112 / 16;
        const bool inside = y < height && x < width;
        cr_assert_eq(out[i], inside ? in[plane * 400 + (y * (width + 2) + x) * 16 + i % 16] : FILL, "byte %u", i);
    }
    set(&j, 0x405c, (height - 1) << 16 | width);
    cr_assert_not(run(&j, DPU), "it writes more than it reads");
    cr_assert_not_null(strstr(j.chip->sentence, "0x405c is 0x00020004"), "%s", j.chip->sentence);
    end(&j);
}

/* BS adds, scales with a shift of either sign, or bounds; a second operand is added, and may be bounded. */
Test(rkchip_rk3588, bs_and_a_second_operand_without_a_convolution) {
    for (uint32_t mode = 0; mode < 5; mode++) {
        job j;
        begin(&j, RKCHIP_RK3588);
        uint8_t *a = memory(&j, AT_INPUT, 256), *b = memory(&j, AT_OPERAND, 256);
        const uint8_t *out = memory(&j, AT_OUTPUT, 256);
        for (uint32_t i = 0; i < 256; i++) {
            a[i] = (uint8_t)i;
            b[i] = (uint8_t)noise_in(0, 255);
        }
        dpu_words(&j, 4, 4, 16, 16);
        set(&j, 0x4044, 9);
        set(&j, 0x4040, mode == 0 ? 0x20050 : mode == 1 ? 0x20090 : 0x20040);
        if (mode == 1) set(&j, 0x404c, 90);
        if (mode >= 2) set(&j, 0x4048, 1001u << 16 | 5 << 8), set(&j, 0x4010, 4 << 4);
        if (mode >= 3)
            set(&j, 0x4070, mode == 3 ? 0x904202c0 : 0x904200c0), set(&j, 0x5034, 0x40000004),
                set(&j, 0x5038, AT_OPERAND), set(&j, 0x5040, 256), set(&j, 0x4074, (uint32_t)-6),
                set(&j, 0x4078, 3u << 16 | 77);
        set(&j, 0x4080, (uint32_t)-5), set(&j, 0x4084, 20011), set(&j, 0x4088, mode < 2 ? 14 : 19);
        cr_assert(run(&j, DPU), "%u: %s", mode, j.chip->sentence);
        for (uint32_t i = 0; i < 256; i++) {
            int64_t v = (int8_t)a[i] + 9;
            if (mode == 1) v = v < 0 ? 0 : v > 90 ? 90 : v;
            if (mode >= 2) v = rounded(v * 1001, v < 0 ? 4 : 5);
            if (mode >= 3) v += rounded(((int8_t)b[i] - 6) * 77, 3);
            if (mode == 4 && v < 0) v = 0;
            const int wanted = clipped(rounded(v * 20011 - ((int64_t)5 << (mode < 2 ? 14 : 19)), mode < 2 ? 14 : 19));
            cr_assert_eq((int8_t)out[i], wanted, "mode %u: of %d is %d, not %d", mode, (int8_t)a[i], (int8_t)out[i],
                         wanted);
        }
        end(&j);
    }
}

Test(rkchip_rk3588, an_atom_becomes_a_square_of_four) {
    job j;
    begin(&j, RKCHIP_RK3588);
    uint8_t *in = memory(&j, AT_INPUT, 3 * 2 * 16);
    const uint8_t *out = memory(&j, AT_OUTPUT, 4 * 3 * 2 * 16);
    for (uint32_t i = 0; i < 96; i++) in[i] = (uint8_t)noise_in(0, 255);
    dpu_words(&j, 2, 3, 16, 16);
    set(&j, 0x4010, 0x04000000), set(&j, 0x4038, 0x60006), set(&j, 0x4050, 0x126);
    set(&j, 0x5014, 7), set(&j, 0x5044, 0xf801), set(&j, 0x5048, 0x1249);
    cr_assert(run(&j, DPU), "%s", j.chip->sentence);
    for (uint32_t i = 0; i < 384; i++)
        cr_assert_eq(out[i], in[(i / 16 / 6 / 2 * 3 + i / 16 % 6 / 2) * 16 + i % 16], "byte %u", i);
    end(&j);
}

/* ------------------------------------------------------------------------------------------------- refusals */

/* One word of a convolution that runs, changed: it stops, and the sentence has task, register and value. */
Test(rkchip_rk3588, what_nobody_has_seen_is_refused_with_its_word) {
    static const struct {
        uint32_t name, value;
        const char *part;
    } cases[] = {{0x100c, 0x120, "0x100c is to be 0x00000120"},
                 {0x100c, 7, "0x100c is 0x00000007"},
                 {0x104c, 0xe38e0, "0x104c is 0x000e38e0"},
                 {0x107c, 25, "0x107c is 0x00000019"},
                 {0x1184, 0xff, "0x1184 is 0x000000ff"},
                 {0x3010, 3, "0x3010 is 0x00000003"},
                 {0x4010, 0x80000000, "0x4010 is to be"},
                 {0x4024, 16, "0x40c0 is 0x000003c0"},
                 {0x4038, 0x10001, "0x405c is"},
                 {0x4040, 0x20150, "0x4040 is 0x00020150"},
                 {0x4058, 62, "0x4058"},
                 {0x4060, 0x13, "0x4060"},
                 {0x406c, 5, "0x406c is 0x00000005"},
                 {0x4070, 0x10041c1, "0x4070 is 0x010041c1"},
                 {0x40c0, 0x10, "0x40c0"},
                 {0x501c, 0xa, "0x501c is 0x0000000a"},
                 {0x5044, 0x907810, "0x5044"},
                 {0x4018, 0, "0x4018"},
                 {0x1110, 0x77777700, "0x1110"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        conv c = conv_of(16, 40, 3);
        job j;
        conv_make(&c);
        begin(&j, RKCHIP_RK3588);
        (void)conv_memory(&c, &j);
        conv_words(&c, &j);
        set(&j, cases[i].name, cases[i].value);
        cr_assert_not(run(&j, CONV), "case %u runs", i);
        cr_assert_not_null(strstr(j.chip->sentence, "task 7: "), "%s", j.chip->sentence);
        cr_assert_not_null(strstr(j.chip->sentence, cases[i].part), "case %u: %s", i, j.chip->sentence);
        end(&j);
        conv_free(&c);
    }
}

/* A stranger's words get no more memory than the job has. */
Test(rkchip_rk3588, planes_and_rows_that_overlap_are_refused) {
    conv c = conv_of(20, 20, 2);
    job j;
    begin(&j, RKCHIP_RK3588);
    (void)memory(&j, AT_INPUT, 2 * 256);
    (void)memory(&j, AT_OUTPUT, 2 * 256);
    dpu_words(&j, 4, 4, 32, 32);
    set(&j, 0x4024, 240);
    cr_assert_not(run(&j, DPU));
    cr_assert_not_null(strstr(j.chip->sentence, "0x4024 is 0x000000f0: planes that overlap"), "%s", j.chip->sentence);
    end(&j);
    c.depthwise = true;
    c.pad = 0;
    c.gap = 1;
    conv_make(&c);
    begin(&j, RKCHIP_RK3588);
    (void)conv_memory(&c, &j);
    conv_words(&c, &j);
    set(&j, 0x40c0, 16);
    cr_assert_not(run(&j, CONV));
    cr_assert_not_null(strstr(j.chip->sentence, "0x40c0 is 0x00000010: rows that overlap"), "%s", j.chip->sentence);
    end(&j);
    conv_free(&c);
}

Test(rkchip_rk3588, words_of_one_chip_are_none_of_the_other) {
    conv c = conv_of(16, 16, 1);
    job j;
    conv_make(&c);
    begin(&j, RKCHIP_RV1106);
    (void)conv_memory(&c, &j);
    conv_words(&c, &j);
    cr_assert_not(run(&j, CONV));
    end(&j);
    conv_free(&c);
}
