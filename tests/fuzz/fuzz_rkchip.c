/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_rkchip.c - a .rknn brings the words that tools/rkchip runs, and is anybody's. `make fuzz`.
   Input       tasks, one behind the other: a kind, some bytes for its sizes, and what is changed in the words of a
               valid task of that kind: bits, values, addresses near the ends of memory, words that are left out or
               added; the blocks that run; how many words. Tasks of one input share registers and memory.
   Properties  (1) a task runs, or is refused with a sentence that begins with its number and is printable; (2) nothing
               outside the memory of the job is read or written; (3) a chip whose buffers hold something else, with the
               same memory elsewhere, says the same and writes the same bytes: nothing is used that nobody has written;
               (4) no task needs more memory than a small multiple of the job's.
   Seeds       make_rkchip_seeds.py: each kind of task as vendors' streams have it, tasks that inherit from others, and
               addresses at the ends of memory.
   Memory is 12 KiB and 48 bytes, so that a run is short. */
/* of a padded input, which in the engine is as large as an NPU's memory */
#define RKCHIP_MOST_VALUES ((uint64_t)1 << 18)

#define SEED 20261129u

#include "../tools/rkchip_conv.h"

#include "must.h"
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    ARENA = 0x100000, /* addresses */
    ARENA_SIZE = 0x3000,
    ARENA_OPERAND = ARENA + 0x400,
    ARENA_OUTPUT = ARENA + 0x800,
    ARENA_TABLE = ARENA + 0x2e00,
    ARENA_WEIGHTS = ARENA + 0x1000,
    ISLAND = 0x9000000,
    ISLAND_SIZE = 48,
    MOST_TASKS = 5,
    MOST_ROOM = 1 << 22
};

/* ------------------------------------------------------------------------------------------------ valid tasks */

static void a_conv(reader *r, stream *s, uint32_t kind) {
    static const uint32_t pictures[] = {1, 3, 4, 3};
    static const uint16_t slopes[17] = {0};
    const uint32_t a = take(r), b = take(r), c = take(r), d = take(r), e = take(r), f = take(r), g = take(r),
                   h = take(r);
    conv v = conv_of(1 + (a & 3), kind == 2 && (a & 16) == 0 ? 16 : 1 + (a >> 2 & 3),
                     kind == 2 ? pictures[b & 3] : 1 + b % 33, 1 + c % 17);
    curve t;
    memset(&t, 0, sizeof t);
    v.picture = kind == 2;
    v.depthwise = kind == 1;
    if (v.depthwise) v.outputs = v.channels;
    v.kernel_height = 1 + d % 3;
    v.kernel_width = 1 + (d >> 2) % 3;
    v.step_y = 1 + (d >> 4 & 1);
    v.step_x = 1 + (d >> 5);
    v.pad_top = v.pad_bottom = v.kernel_height - 1;
    v.pad_left = v.pad_right = v.kernel_width - 1;
    v.pad_value = (int32_t)e - 128;
    v.dilation_x = 1 + (f & 1);
    v.dilation_y = 1 + (f >> 1 & 1);
    v.pad_right += v.dilation_x - 1 + v.dilation_x;
    v.pad_bottom += v.dilation_y - 1 + v.dilation_y;
    if ((f & 0x60) != 0 && !v.picture) {
        v.spread_y = f >> 5 & 1;
        v.spread_x = f >> 6 & 1;
        v.step_y = v.step_x = v.dilation_y = v.dilation_x = 1;
    }
    v.table = v.depthwise ? 0xa : (f & 4) != 0 ? 2 : 0xe;
    v.dpu.bounded = g % 4 == 1;
    v.dpu.upper = 6000;
    v.dpu.bn = g % 4 == 2 ? BN_NEGATIVE : g % 4 == 3 ? BN_EACH : BN_NONE;
    v.dpu.bn_factor = 0x3000;
    v.dpu.bn_shift_negative = (f & 16) != 0 ? 0 : 14;
    v.slopes = (f & 16) != 0 ? slopes : NULL; /* memory has others */
    v.dpu.adds = (g & 16) != 0;
    v.dpu.operand_factor = 77;
    v.dpu.curve = (g & 48) == 32;
    v.dpu.zero_point = (int32_t)(h & 15) - 8;
    t.step = 5;
    t.start = -16384;
    t.slope = 0x4032;
    t.slope_shift = 13;
    v.curve = &t;
    v.converts = v.picture && (f & 8) != 0;
    for (uint32_t i = 0; i < 4; i++) {
        v.scale[i] = 0x4000;
        v.offset[i] = -0x200000;
        v.shift[i] = 14;
    }
    conv_words(&v, s);
    stream_set(s, 0x1070, ARENA);
    stream_set(s, 0x1110, ARENA_WEIGHTS);
    stream_set(s, 0x4020, ARENA_OUTPUT);
    stream_set(s, 0x5020, ARENA_TABLE);
    if (v.dpu.adds) stream_set(s, 0x5038, ARENA_OPERAND);
    if (v.slopes != NULL) stream_set(s, 0x502c, ARENA_TABLE);
}

static void a_copy(reader *r, stream *s, uint32_t kind) {
    const uint32_t height = 1 + (take(r) & 3), width = 1 + (take(r) & 3), channels = 1 + take(r) % 33,
                   gap = take(r) & 1;
    const uint32_t changes = take(r) & 1, operand = take(r), adds = operand & 1, lanes = planes_of(channels) * 16;
    const bool product = adds != 0 && (operand & 6) == 2;
    stream_of(s, STREAM_DPU);
    stream_set(s, 0x4018, take(r));
    stream_set(s, 0x4020, ARENA_OUTPUT);
    stream_set(s, 0x4024, (width + gap) * height * 16);
    stream_set(s, 0x4030, width - 1);
    stream_set(s, 0x4034, height - 1);
    stream_set(s, 0x4038, gap);
    stream_set(s, 0x403c, (channels - 1) << 16 | (lanes - 1));
    stream_set(s, 0x4040, changes || adds ? 0x100012 : 0x53);
    if (!changes && !adds) stream_set(s, 0x4018, 0);
    stream_set(s, 0x4048, adds ? 0x40000000 : 0);
    if (adds) {
        stream_set(s, 0x4050, 0x30000000);
        stream_set(s, 0x4070, 0x8002c0c0);
        stream_set(s, 0x4078, 0x24000);
        stream_set(s, 0x5034, 0x40000004);
        stream_set(s, 0x5038, ARENA_OPERAND);
        stream_set(s, 0x5040, width * height * 16);
    }
    if (product) {
        stream_set(s, 0x4044, changes ? 0 : stream_get(s, 0x4018));
        stream_set(s, 0x4018, 0);
        stream_set(s, 0x4040, changes ? 0x100012 : 0x120050);
        stream_set(s, 0x4048, 0);
        stream_set(s, 0x4050, 0x30000002);
        stream_set(s, 0x4070, 0x81004094);
        stream_set(s, 0x4074, (operand & 16) != 0 ? 0 : operand);
        if ((operand & 16) != 0) stream_set(s, 0x5034, 4); /* a factor a channel */
        if ((operand & 16) != 0) stream_set(s, 0x5040, 16);
        stream_set(s, 0x4078, 1);
        for (uint32_t name = 0x407c; name <= 0x40e8 && (operand & 8) != 0; name += 0x6c) stream_set(s, name, 0);
    }
    if (adds != 0 && (operand & 6) == 4) stream_set(s, 0x4070, 0x8000c0c0);
    stream_set(s, 0x4088, (take(r) & 15) | (adds != 0 && (operand & 6) == 6 ? 0x40000000 : 0));
    stream_set(s, 0x500c, width - 1);
    stream_set(s, 0x5010, height - 1);
    stream_set(s, 0x5014, lanes - 1);
    stream_set(s, 0x5018, ARENA);
    if (kind == 4) { /* nearest */
        stream_set(s, 0x4010, 0x1000000);
        stream_set(s, 0x4038, 0x20002 * width);
        stream_set(s, 0x4050, 0x126);
        stream_set(s, 0x5014, 3);
        stream_set(s, 0x5044, 0x927809);
        stream_set(s, 0x5048, 0x1249);
    }
    if (kind == 5) { /* words */
        stream_set(s, 0x4010, 0x81000004);
        stream_set(s, 0x4024, height * 16);
        stream_set(s, 0x4030, 0x100000 | (width - 1));
        stream_set(s, 0x4038, (width - 1) * height * 0x10001);
        stream_set(s, 0x4050, 0x80007fe);
        stream_set(s, 0x40c0, width * height * 16);
        stream_set(s, 0x5014, 4 * (1 + channels / 16) - 1);
        stream_set(s, 0x5044, 0x927889);
        stream_set(s, 0x5048, gap << 19);
    }
    if (kind == 6) { /* turn */
        stream_set(s, 0x4010, 0x81000004);
        stream_set(s, 0x4024, 0x10);
        stream_set(s, 0x4030, 0x100000);
        stream_set(s, 0x4034, height * 16 - 1);
        stream_set(s, 0x4038, 0x70007);
        stream_set(s, 0x4050, 0x2007fe);
        stream_set(s, 0x40c0, 0x100);
        stream_set(s, 0x500c, 0);
        stream_set(s, 0x5010, height * 16 - 1);
        stream_set(s, 0x5014, 3);
        stream_set(s, 0x5044, 0x927889);
    }
    if (kind == 7) { /* dense */
        stream_set(s, 0x400c, 0x20001e5 | (channels & 15) << 26 | height << 9);
        stream_set(s, 0x4024, 0);
        stream_set(s, 0x4030, (gap ? 0x40000 : 0x100000) | (width - 1));
        stream_set(s, 0x4038, 0);
        stream_set(s, 0x4050, 0x30100002);
    }
    if (kind > 3) {
        stream_set(s, 0x4018, 0);
        stream_set(s, 0x4044, 0);
        stream_set(s, 0x407c, 0x80000000);
        stream_set(s, 0x40e8, 0x80000000);
        stream_set(s, 0x4040, 0x53);
        stream_set(s, 0x4048, 0);
        stream_set(s, 0x4070, 0x10041c1);
        stream_set(s, 0x4088, 0);
        stream_set(s, 0x5034, 1);
    }
}

static void a_pool(reader *r, stream *s) {
    const uint32_t height = 3 + (take(r) & 3), width = 3 + (take(r) & 3), lanes = 16 * (1 + (take(r) & 1));
    const uint32_t kernel = take(r), pad = take(r), step = take(r), gap = take(r) & 1;
    const bool averages = (kernel & 0x80) != 0;
    const uint32_t out_width = 1 + width / 2 - averages, out_height = 1 + height / 2 - averages;
    stream_of(s, STREAM_POOL);
    stream_set(s, 0x600c, width - 1);
    stream_set(s, 0x6010, height - 1);
    stream_set(s, 0x6014, lanes - 1);
    stream_set(s, 0x6018, out_width - 1);
    stream_set(s, 0x601c, out_height - 1);
    stream_set(s, 0x6020, lanes - 1);
    stream_set(s, 0x6024, gap << 16 | (averages ? 0x10 : 0x11));
    stream_set(s, 0x6034, (step & 0x11) << 16 | (kernel & 3) << 8 | (kernel >> 2 & 3));
    stream_set(s, 0x6040, pad & 0x33);
    for (uint32_t name = 0x6038; name <= 0x603c && averages; name += 4) stream_set(s, name, 0x8000);
    stream_set(s, 0x6070, ARENA_OUTPUT);
    stream_set(s, 0x607c, (out_width + gap) * out_height * 16);
    stream_set(s, 0x6084, (out_width + gap) * out_height * 16);
    stream_set(s, 0x700c, width - 1);
    stream_set(s, 0x7010, height - 1);
    stream_set(s, 0x7014, lanes - 1);
    stream_set(s, 0x701c, ARENA);
    stream_set(s, 0x7024, width * 16);
    stream_set(s, 0x7028, width * height * 16);
}

static void a_table(reader *r, stream *s) {
    const uint32_t values = take(r), tables = take(r);
    stream_of(s, STREAM_DPU);
    for (uint32_t table = 0; table < 2; table++) {
        stream_append(s, 0x4100, table == 0 ? 0x20000 : 0x30000);
        for (uint32_t i = 0; i < 513 && (tables >> table & 1) == 0; i++) stream_append(s, 0x4104, i * values);
    }
}

/* Registers beside a valid task's: what has to be equal stays equal where one of a pair is changed. */
static void follow(stream *s, uint32_t name, uint32_t value) {
    static const uint16_t pairs[][2] = {{0x6014, 0x6020}, {0x6014, 0x7014}, {0x600c, 0x700c}, {0x6010, 0x7010},
                                        {0x607c, 0x6084}, {0x406c, 0x40e0}, {0x4028, 0x40e4}, {0x404c, 0x40d8},
                                        {0x401c, 0x40dc}, {0x407c, 0x40e8}, {0x4024, 0x40c0}, {0x1024, 0x1088},
                                        {0x4114, 0x4118}, {0x4030, 0x500c}, {0x4034, 0x5010}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] == name) stream_set(s, pairs[i][1], value);
}

static void change(reader *r, stream *s) {
    const uint32_t how = take(r), at = (take(r) | take(r) << 8) % s->count, amount = take(r);
    stream_word *word = &s->words[at];
    switch (how % 8) {
    case 0: word->value ^= (uint32_t)1 << amount % 32; break;
    case 1: word->value = take_word(r); break;
    case 2: word->value += amount - 128; break;
    case 3: word->value = ARENA + ARENA_SIZE - amount; break;
    case 4: word->value = ISLAND + ISLAND_SIZE - amount % 64; break;
    case 5: word->value = amount << (take(r) % 25); break;
    case 6: s->words[at] = s->words[--s->count]; return;
    default: word->name = take(r) % 2 == 0 ? word->name + 4 : take_word(r) & 0xffff; return;
    }
    if ((how & 8) != 0) follow(s, word->name, word->value);
}

/* ------------------------------------------------------------------------------------------------------ a job */

/* What memory holds at first: noise, and in a table of channels small numbers, in whatever form it is read. */
static void fill(uint8_t *bytes, size_t size) {
    static uint8_t noises[ARENA_SIZE];
    static bool made = false;
    uint32_t state = 1;
    for (size_t i = 0; i < ARENA_SIZE && !made; i++) {
        state = state * 1664525u + 1013904223u;
        noises[i] = (uint8_t)(state >> 24 | 1);
        if (i >= ARENA_TABLE - ARENA) noises[i] = i % 2 != 0 ? 0 : noises[i] & 0x7f;
    }
    made = true;
    memcpy(bytes, noises, size);
}

static void begin(job *j, bool spoiled) {
    rkchip_buffer *buffers[5];
    job_begin(j);
    fill(job_memory(j, ARENA, ARENA_SIZE), ARENA_SIZE);
    fill(job_memory(j, ISLAND, ISLAND_SIZE), ISLAND_SIZE);
    buffers[0] = &j->chip->input;
    buffers[1] = &j->chip->weights;
    buffers[2] = &j->chip->sums;
    buffers[3] = &j->chip->tables;
    buffers[4] = &j->chip->operand;
    for (size_t i = 0; i < 5 && spoiled; i++) {
        void *room = rkchip_room(j->chip, buffers[i], 4096);
        MUST(room != NULL);
        memset(room, 0x5c + (int)i, 4096);
    }
}

static void is_small(const job *j) {
    MUST(j->chip->input.size <= MOST_ROOM && j->chip->weights.size <= MOST_ROOM && j->chip->sums.size <= MOST_ROOM &&
         j->chip->tables.size <= MOST_ROOM && j->chip->operand.size <= MOST_ROOM);
}

static void is_sentence(const job *j, uint32_t task) {
    char start[32];
    const int length = snprintf(start, sizeof start, "task %u: ", (unsigned)task);
    const char *text = j->chip->sentence;
    MUST(memcmp(text, start, (size_t)length) == 0 && text[length] != '\0');
    for (; *text != '\0'; text++) MUST(*text >= ' ' && *text < 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    reader r = {data, size};
    job first, second;
    begin(&first, false);
    begin(&second, true);
    for (uint32_t task = 0; task < MOST_TASKS && r.size > 0; task++) {
        const uint32_t kind = take(&r) % 10;
        uint32_t enable = kind < 3 ? STREAM_CONV : kind == 8 ? STREAM_POOL : STREAM_DPU;
        uint64_t words[STREAM_WORDS];
        stream s;
        if (kind < 3) a_conv(&r, &s, kind);
        else if (kind < 8) a_copy(&r, &s, kind);
        else if (kind == 8) a_pool(&r, &s);
        else a_table(&r, &s);
        for (uint32_t changes = take(&r) % 6; changes > 0 && s.count > 0; changes--) change(&r, &s);
        const uint32_t way = take(&r);
        if (way % 16 == 1) enable = take(&r);
        if (way % 16 == 2) s.count = take(&r) < s.count ? s.count / 2 : s.count;
        for (uint32_t i = 0; i < s.count; i++) words[i] = stream_encode(&s.words[i]);
        if (way % 16 == 3 && s.count > 0) words[take(&r) % s.count] ^= (uint64_t)1 << take(&r) % 64;
        const bool done = job_run_words(&first, words, s.count, enable);
        MUST(job_run_words(&second, words, s.count, enable) == done);
        MUST(memcmp(first.regions[0].bytes, second.regions[0].bytes, ARENA_SIZE) == 0);
        MUST(memcmp(first.regions[1].bytes, second.regions[1].bytes, ISLAND_SIZE) == 0);
        is_small(&first);
        if (done) continue;
        MUST(strcmp(first.chip->sentence, second.chip->sentence) == 0);
        is_sentence(&first, task);
    }
    job_end(&first);
    job_end(&second);
    return 0;
}
