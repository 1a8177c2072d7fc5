/* SPDX-License-Identifier: Apache-2.0 */
/* rkchip_stream.h - streams for tools/rkchip: the words of a whole task, as vendors' streams for RV1103 have them, the
   memory of a job, and logical tensors to the layouts that the NPU reads. Define SEED before the include.

   A test takes a full set of words (stream_of), changes those that it is about (stream_set) and runs them. The words
   lie in a block of exactly their size, so do all others, and addresses are relative to a base that is not 0. */
#ifndef NNRT_TESTS_RKCHIP_STREAM_H
#define NNRT_TESTS_RKCHIP_STREAM_H

#include "../../tools/rkchip/run.h"

#include "noise.h"

#define STREAM_FN static __attribute__((unused))

enum {
    /* Addresses in registers; each is a region of its own. */
    AT_INPUT = 0x100000,
    AT_WEIGHTS = 0x2000000,
    AT_TABLE = 0x300000,
    AT_OUTPUT = 0x400000,
    AT_OPERAND = 0x500000,
    AT_SLOPES = 0x580000,
    AT_WORDS = 0x600000,
    STREAM_BASE = 0x7000000,
    STREAM_WORDS = 1400,
    STREAM_REGIONS = 8,
    STREAM_CONV = 0x1d, /* blocks that run */
    STREAM_DPU = 0x18,
    STREAM_POOL = 0x60,
    STREAM_FILL = 0xa5 /* of memory that nobody has written */
};

/* ------------------------------------------------------------------------------------------------ words */

typedef struct stream_word {
    uint32_t name, value;
} stream_word;

/* A task: what it writes, in this order. */
typedef struct stream {
    uint32_t count;
    stream_word words[STREAM_WORDS];
} stream;

/* clang-format off */
static const stream_word stream_cna[] = {
    {0x1004, 0xe}, {0x3004, 0xe}, {0x1040, 8}, {0x4004, 0xe}, {0x5004, 0xe}, {0x100c, 0}, {0x1010, 0x1a},
    {0x1014, 9}, {0x101c, 0}, {0x1020, 0}, {0x1024, 0}, {0x1028, 0}, {0x102c, 0}, {0x1030, 0}, {0x1034, 0},
    {0x1038, 0}, {0x103c, 0x500000}, {0x1040, 8}, {0x1044, 0xa00050}, {0x1048, 0x1c000000}, {0x104c, 9},
    {0x1050, 0x10001}, {0x1054, 0x10001}, {0x1058, 0}, {0x105c, 0}, {0x1060, 0}, {0x1064, 0}, {0x1068, 0},
    {0x106c, 0}, {0x1070, AT_INPUT}, {0x1074, 0}, {0x1078, 0x400f400f}, {0x107c, 0}, {0x1080, 0}, {0x1084, 0},
    {0x1088, 0}, {0x108c, 0}, {0x1094, 0}, {0x1100, 0}, {0x1104, 0}, {0x1110, AT_WEIGHTS}, {0x1140, 0}, {0x1144, 0},
    {0x1184, 0}, {0x1188, 0}, {0x118c, 0}, {0x3010, 1}, {0x3014, 0}, {0x3018, 0}, {0x301c, 0}};
static const stream_word stream_dpu[] = {
    {0x4004, 0xe}, {0x5004, 0xe}, {0x400c, 0x1e5}, {0x4010, 0x800000}, {0x4014, 0}, {0x4018, 0},
    {0x401c, 0x7fffffff}, {0x4020, AT_OUTPUT}, {0x4024, 0}, {0x4028, 0x7fffffff}, {0x402c, 0x7fffffff}, {0x4030, 0},
    {0x4034, 0}, {0x4038, 0}, {0x403c, 0}, {0x4040, 0x53}, {0x4044, 0}, {0x4048, 0}, {0x404c, 0x80000000},
    {0x4050, 0x30000002}, {0x4054, 0}, {0x4058, 3}, {0x405c, 0}, {0x4060, 0x13}, {0x4064, 0}, {0x4068, 0},
    {0x406c, 0x80000000}, {0x4070, 0x10041c1}, {0x4074, 0}, {0x4078, 1}, {0x407c, 0x80000000}, {0x4080, 0},
    {0x4084, 0x10001}, {0x4088, 0}, {0x4090, 0}, {0x4094, 0}, {0x4098, 0}, {0x409c, 0}, {0x40a0, 0}, {0x40c0, 0},
    {0x40c4, 0}, {0x40d8, 0x80000000}, {0x40dc, 0x7fffffff}, {0x40e0, 0x80000000}, {0x40e4, 0x7fffffff},
    {0x40e8, 0x80000000}, {0x40ec, 0x7fffffff}, {0x4100, 0}, {0x4104, 0}, {0x4108, 0}, {0x410c, 0}, {0x4110, 0},
    {0x4114, 0}, {0x4118, 0}, {0x411c, 0}, {0x4120, 0}, {0x4124, 0}, {0x4128, 0}, {0x412c, 0}, {0x500c, 0},
    {0x5010, 0}, {0x5014, 0}, {0x5018, AT_INPUT}, {0x501c, 0}, {0x5020, 0}, {0x5028, 0}, {0x502c, 0}, {0x5034, 1},
    {0x5038, 0}, {0x5040, 0}, {0x5044, 0x907809}, {0x5048, 0}, {0x504c, 0}, {0x5064, 0}, {0x5068, 0x1010101},
    {0x506c, 0}, {0x8028, 0xc}, {0x802c, 0xffffffff}};
static const stream_word stream_ppu[] = {
    {0x6004, 0xe}, {0x7004, 0xe}, {0x600c, 0}, {0x6010, 0}, {0x6014, 0}, {0x6018, 0}, {0x601c, 0}, {0x6020, 0},
    {0x6024, 0x11}, {0x6034, 0}, {0x6038, 0}, {0x603c, 0}, {0x6040, 0}, {0x6044, 0x7ff80}, {0x6048, 0x7ff80},
    {0x604c, 0x7ff80}, {0x6050, 0x7ff80}, {0x6054, 0}, {0x6058, 0}, {0x605c, 0}, {0x6060, 0}, {0x6064, 0},
    {0x6068, 0}, {0x606c, 0}, {0x6070, AT_OUTPUT}, {0x607c, 0}, {0x6084, 0}, {0x60dc, 3}, {0x700c, 0}, {0x7010, 0},
    {0x7014, 0}, {0x701c, AT_INPUT}, {0x7024, 0}, {0x7028, 0}, {0x7030, 0x40}, {0x8028, 0xc}, {0x802c, 0xffffffff}};
/* clang-format on */

/* One word more, whatever was written before. */
STREAM_FN void stream_append(stream *s, uint32_t name, uint32_t value) {
    if (s->count == STREAM_WORDS) abort();
    s->words[s->count].name = name;
    s->words[s->count].value = value;
    s->count++;
}

/* The value of a word that is there already, or one word more. */
STREAM_FN void stream_set(stream *s, uint32_t name, uint32_t value) {
    bool found = false;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->words[i].name == name) {
            s->words[i].value = value;
            found = true;
        }
    if (!found) stream_append(s, name, value);
}

STREAM_FN uint32_t stream_get(const stream *s, uint32_t name) {
    for (uint32_t i = s->count; i > 0; i--)
        if (s->words[i - 1].name == name) return s->words[i - 1].value;
    abort();
}

/* All words of a task of these blocks. */
STREAM_FN void stream_of(stream *s, uint32_t enable) {
    s->count = 0;
    if (enable == STREAM_CONV)
        for (size_t i = 0; i < sizeof stream_cna / sizeof stream_cna[0]; i++)
            stream_append(s, stream_cna[i].name, stream_cna[i].value);
    if ((enable & STREAM_DPU) != 0)
        for (size_t i = enable == STREAM_CONV ? 2 : 0; i < sizeof stream_dpu / sizeof stream_dpu[0]; i++)
            stream_append(s, stream_dpu[i].name, stream_dpu[i].value);
    if (enable == STREAM_POOL)
        for (size_t i = 0; i < sizeof stream_ppu / sizeof stream_ppu[0]; i++)
            stream_append(s, stream_ppu[i].name, stream_ppu[i].value);
}

/* The word as memory has it: the block that it is for, the value, the register. */
STREAM_FN uint64_t stream_encode(const stream_word *word) {
    const uint32_t block = word->name >> 12;
    const uint64_t target = block == 8 ? 0x401 : block == 1 ? 0x201 : ((uint64_t)0x100 << block) + 1;
    return target << 48 | (uint64_t)word->value << 16 | word->name;
}

/* -------------------------------------------------------------------------------------------------- job */

typedef struct job {
    rkchip *chip;
    rkchip_region regions[STREAM_REGIONS];
    uint32_t tasks;
} job;

STREAM_FN void job_begin(job *j) {
    memset(j, 0, sizeof *j);
    j->chip = rkchip_create(RKCHIP_RV1106);
    if (j->chip == NULL) abort();
    j->chip->memory.regions = j->regions;
    j->chip->memory.base = STREAM_BASE;
}

/* size bytes of memory of the job at an address, in a block of their own. */
STREAM_FN uint8_t *job_memory(job *j, uint64_t address, size_t size) {
    rkchip_region *region = &j->regions[j->chip->memory.count++];
    if (j->chip->memory.count > STREAM_REGIONS) abort();
    region->address = STREAM_BASE + address;
    region->size = size;
    region->bytes = (uint8_t *)malloc(size);
    if (region->bytes == NULL) abort();
    memset(region->bytes, STREAM_FILL, size);
    return region->bytes;
}

/* Memory for another task; registers and tables stay. */
STREAM_FN void job_forget(job *j) {
    while (j->chip->memory.count > 0) free(j->regions[--j->chip->memory.count].bytes);
}

STREAM_FN void job_end(job *j) {
    job_forget(j);
    rkchip_destroy(j->chip);
}

/* Runs words that are there for this task only. */
STREAM_FN bool job_run_words(job *j, const uint64_t *words, uint32_t count, uint32_t enable) {
    const rkchip_task task = {enable, count, AT_WORDS};
    uint8_t *bytes = job_memory(j, AT_WORDS, (size_t)count * 8);
    for (uint32_t i = 0; i < count * 8; i++) bytes[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
    const bool done = rkchip_run(j->chip, j->tasks++, &task);
    free(bytes);
    j->regions[--j->chip->memory.count].bytes = NULL;
    return done;
}

STREAM_FN bool job_run(job *j, const stream *s, uint32_t enable) {
    uint64_t words[STREAM_WORDS];
    for (uint32_t i = 0; i < s->count; i++) words[i] = stream_encode(&s->words[i]);
    return job_run_words(j, words, s->count, enable);
}

/* ---------------------------------------------------------------------------------------------- layouts */

STREAM_FN uint32_t planes_of(uint32_t channels) { return (channels + 15) / 16; }

/* Where a value of a map of planes is. */
STREAM_FN size_t plane_at(size_t plane_bytes, size_t row_bytes, uint32_t y, uint32_t x, uint32_t c) {
    return c / 16 * plane_bytes + y * row_bytes + (size_t)x * 16 + c % 16;
}

/* [height][width][channels] to planes without gaps; lanes past the channels are left alone. */
STREAM_FN void to_planes(uint8_t *to, const int8_t *from, uint32_t height, uint32_t width, uint32_t channels) {
    const size_t row = (size_t)width * 16;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            for (uint32_t c = 0; c < channels; c++)
                to[plane_at(row * height, row, y, x, c)] = (uint8_t)from[((size_t)y * width + x) * channels + c];
}

STREAM_FN int8_t *noise_bytes(size_t count) {
    int8_t *bytes = (int8_t *)malloc(count + 1);
    if (bytes == NULL) abort();
    for (size_t i = 0; i < count; i++) bytes[i] = (int8_t)noise_in(-128, 127);
    return bytes;
}

/* Fills memory that was not written, so that lanes that do not count hold something. */
STREAM_FN void fill_noise(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)noise();
}

/* --------------------------------------------------------------------------------------------- rounding */

/* value / 2^shift, and what is over: by division, as the definition has it. */
STREAM_FN int64_t floor_half(int64_t value, uint32_t shift, int64_t *twice_rest) {
    int64_t unit = 1;
    for (uint32_t i = 0; i < shift; i++) unit *= 2;
    int64_t whole = value / unit, rest = value % unit;
    if (rest < 0) {
        rest += unit;
        whole--;
    }
    *twice_rest = 2 * rest - unit; /* < 0: below the half, 0: it is one */
    return whole;
}

/* The nearest; of two that are as near the even one. */
STREAM_FN int64_t nearest_even(int64_t value, uint32_t shift) {
    int64_t side;
    const int64_t whole = floor_half(value, shift, &side);
    if (shift == 0) return value;
    if (side > 0 || (side == 0 && whole % 2 != 0)) return whole + 1;
    return whole;
}

/* The nearest; of two that are as near the one farther from 0. */
STREAM_FN int64_t nearest_away(int64_t value, uint32_t shift) {
    int64_t side;
    const int64_t whole = floor_half(value, shift, &side);
    if (shift == 0) return value;
    return side > 0 || (side == 0 && value > 0) ? whole + 1 : whole;
}

STREAM_FN int64_t round_down(int64_t value, uint32_t shift) {
    int64_t side;
    return floor_half(value, shift, &side);
}

/* ---------------------------------------------------------------------------------------------- the DPU */

/* What becomes of a value and the second operand. */
typedef enum stream_ew {
    EW_ADD,
    EW_PRODUCT,
    EW_LARGEST
} stream_ew;

/* What the DPU makes of a sum or of a value that it reads. */
typedef enum stream_bn {
    BN_NONE,
    BN_NEGATIVE, /* leaky */
    BN_EACH
} stream_bn;

typedef struct stages {
    bool bounded; /* the sums, to lower..upper */
    int32_t lower, upper;
    uint32_t shift, shift_negative; /* behind the scale of the channel; shift_negative 0: the same */
    stream_bn bn;
    int32_t bn_factor;
    uint32_t bn_shift, bn_shift_negative;
    bool adds; /* a second operand, or does what ew says */
    stream_ew ew;
    bool relu; /* of a product: nothing below 0 */
    bool away; /* halves of the output go away from 0 */
    int32_t operand_offset, operand_factor;
    uint32_t operand_shift;
    bool curve; /* through the tables */
    int32_t factor, zero_point;
    uint32_t out_shift;
} stages;

/* Tables of two halves: 513 values each, 2^step apart, and a straight line above them. */
typedef struct curve {
    int16_t values[2][513];
    int32_t start; /* the middle and the end follow */
    uint32_t step;
    int32_t slope;
    uint32_t slope_shift;
} curve;

STREAM_FN int64_t curve_at(const curve *c, int64_t value) {
    const int64_t unit = (int64_t)1 << c->step, middle = c->start + 512 * unit, end = middle + 512 * unit;
    const int16_t *table = c->values[value >= middle];
    int64_t from = value - (value >= middle ? middle : c->start);
    if (value > end) return c->values[1][512] + nearest_even((value - end) * c->slope, c->slope_shift);
    if (from < 0) from = 0;
    if (from % unit == 0) return table[from / unit];
    return round_down(table[from / unit] * (unit - from % unit) + table[from / unit + 1] * (from % unit), c->step);
}

/* From behind BS to the byte. */
STREAM_FN int8_t stages_finish(const stages *s, const curve *c, int64_t value, int8_t operand) {
    if (s->bn == BN_EACH || (s->bn == BN_NEGATIVE && value < 0)) value *= s->bn_factor;
    if (s->bn != BN_NONE) value = nearest_even(value, value < 0 ? s->bn_shift_negative : s->bn_shift);
    if (s->adds) {
        const int64_t second =
            nearest_even(((int64_t)operand + s->operand_offset) * s->operand_factor, s->operand_shift);
        if (s->ew == EW_ADD) value += second;
        if (s->ew == EW_PRODUCT) value *= second;
        if (s->ew == EW_LARGEST && second > value) value = second;
        if (s->relu && value < 0) value = 0;
    }
    if (s->curve) value = curve_at(c, value);
    value = value * s->factor + s->zero_point * ((int64_t)1 << s->out_shift);
    value = s->away ? nearest_away(value, s->out_shift) : nearest_even(value, s->out_shift);
    return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

STREAM_FN int64_t stages_bs(const stages *s, int64_t value, uint32_t scale) {
    if (s->bounded && value < s->lower) value = s->lower;
    if (s->bounded && value > s->upper) value = s->upper;
    value *= scale;
    return nearest_even(value, value < 0 && s->shift_negative != 0 ? s->shift_negative : s->shift);
}

/* The words of all stages but BS's mode. */
STREAM_FN void stages_set(stream *s, const stages *p, const curve *c) {
    const uint32_t bs = stream_get(s, 0x4040) & ~0x3e00u, lower = p->bounded ? (uint32_t)p->lower : 0x80000000u;
    const uint32_t upper = p->bounded ? (uint32_t)p->upper : 0x7fffffffu;
    stream_set(s, 0x4040, bs | p->shift << 9);
    stream_set(s, 0x4054, stream_get(s, 0x4054) | p->shift_negative << 24);
    stream_set(s, 0x406c, lower);
    stream_set(s, 0x40e0, lower);
    stream_set(s, 0x4028, upper);
    stream_set(s, 0x40e4, upper);
    stream_set(s, 0x4060, p->bn == BN_EACH ? 0x20000 : p->bn == BN_NEGATIVE ? 0x22 : p->bounded ? 0x12 : 0x13);
    stream_set(s, 0x4068, ((uint32_t)p->bn_factor & 0xffff) << 16 | p->bn_shift << 8);
    stream_set(s, 0x4010, stream_get(s, 0x4010) | p->bn_shift_negative << 10);
    stream_set(s, 0x4080, (uint32_t)p->zero_point);
    stream_set(s, 0x4084, ((uint32_t)p->factor & 0xffff) | (stream_get(s, 0x4084) & 0x10000u));
    stream_set(s, 0x4088, p->out_shift | (p->away ? 0x40000000u : 0));
    if (p->adds) {
        stream_set(s, 0x4070, p->ew == EW_PRODUCT ? 0x81004094 : p->ew == EW_LARGEST ? 0x8000c0c0 : 0x8002c0c0);
        stream_set(s, 0x4074, (uint32_t)p->operand_offset);
        stream_set(s, 0x4078, p->operand_shift << 16 | ((uint32_t)p->operand_factor & 0xffff));
        stream_set(s, 0x5034, 0x40000004);
        stream_set(s, 0x5038, AT_OPERAND);
        stream_set(s, 0x407c, p->relu ? 0 : 0x80000000);
        stream_set(s, 0x40e8, p->relu ? 0 : 0x80000000);
    }
    if (p->curve) {
        const uint32_t half = 512u << c->step;
        stream_set(s, 0x4070, 0x1004140);
        stream_set(s, 0x4108, 0x68);
        stream_set(s, 0x410c, c->step << 16 | c->step << 8);
        stream_set(s, 0x4110, (uint32_t)c->start);
        stream_set(s, 0x4114, (uint32_t)c->start + half);
        stream_set(s, 0x4118, (uint32_t)c->start + half);
        stream_set(s, 0x411c, (uint32_t)c->start + 2 * half);
        stream_set(s, 0x4128, ((uint32_t)c->slope & 0xffff) << 16);
        stream_set(s, 0x412c, c->slope_shift << 5);
    }
}

/* A task that loads both tables. */
STREAM_FN bool curve_load(job *j, const curve *c) {
    stream s;
    stream_of(&s, STREAM_DPU);
    stream_set(&s, 0x4020, 0);
    stream_set(&s, 0x5018, 0);
    stream_set(&s, 0x4108, 1);
    for (uint32_t table = 0; table < 2; table++) {
        stream_append(&s, 0x4100, table == 0 ? 0x20000 : 0x30000);
        for (uint32_t i = 0; i < 513; i++) stream_append(&s, 0x4104, (uint32_t)(int32_t)c->values[table][i]);
    }
    return job_run(j, &s, STREAM_DPU);
}

#endif /* NNRT_TESTS_RKCHIP_STREAM_H */
