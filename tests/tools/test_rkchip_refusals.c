/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of tools/rkchip that what it does not know stops the job with a sentence that names task, register and value:
   every bit of every register that was only ever seen as one value, every word for something that is no register,
   every mode beside those that are executed, sizes that contradict each other, addresses that are not memory of the
   job, values that leave 32 bits. Registers of timing change no result. And that a stranger's words get no more memory
   than the job has. */
#include <criterion/criterion.h>

#define SEED 20261130u

#include "rkchip_conv.h"

/* ---------------------------------------------------------------------------------------------- valid tasks */

typedef enum base {
    CONV,
    DEPTHWISE,
    PICTURE,
    PLAIN, /* a table without zero points and scales */
    BOUNDED,
    LEAKY,
    SLOPES, /* leaky, with a table */
    FUSED,  /* with a second operand */
    CURVE,
    COPY,
    RESCALE,
    SUM,
    PRODUCT,
    LARGEST,
    NEAREST,
    WORDS,
    TURN,
    DENSE,
    POOL,
    BASES
} base;

static uint32_t enable_of(base b) { return b <= CURVE ? STREAM_CONV : b == POOL ? STREAM_POOL : STREAM_DPU; }

static const curve *a_curve(void) {
    static curve c;
    c.step = 5;
    c.start = -16384;
    for (int32_t i = 0; i < 513; i++) c.values[0][i] = c.values[1][i] = (int16_t)(i * 30 - 5000);
    return &c;
}

static void conv_base(job *j, stream *s, base b) {
    conv c = conv_of(3, b == PICTURE ? 16 : 4, b == PICTURE ? 3 : 32, b == DEPTHWISE ? 32 : b == SLOPES ? 16 : 18);
    static const uint16_t slopes[16] = {0x7fff, 1};
    c.depthwise = b == DEPTHWISE;
    c.picture = c.converts = b == PICTURE;
    c.table = b == DEPTHWISE ? 0xa : b == PLAIN ? 2 : 0xe;
    c.kernel_height = c.kernel_width = 2;
    c.pad_top = c.pad_left = 1;
    for (uint32_t i = 0; i < 4; i++) {
        c.scale[i] = 16384;
        c.offset[i] = -128 * 16384;
        c.shift[i] = 14;
    }
    if (b == PLAIN) c.dpu.shift = c.dpu.shift_negative = 0;
    c.dpu.bounded = b == BOUNDED;
    c.dpu.upper = 100000;
    if (b == LEAKY || b == SLOPES) c.dpu.bn = BN_NEGATIVE;
    if (b == SLOPES) c.slopes = slopes;
    if (b == SLOPES) c.dpu.shift = 7;
    c.dpu.bn_factor = b == LEAKY ? 0x666 : 0;
    c.dpu.bn_shift_negative = b == LEAKY ? 14 : 0;
    c.dpu.adds = b == FUSED;
    c.dpu.operand_factor = b == FUSED ? 20000 : 1;
    c.dpu.operand_shift = b == FUSED ? 7 : 0;
    c.dpu.curve = b == CURVE;
    if (b == CURVE) c.curve = a_curve();
    if (b == CURVE) cr_assert(curve_load(j, c.curve), "%s", j->chip->sentence);
    conv_values(&c);
    (void)conv_memory(&c, j);
    conv_words(&c, s);
    conv_free(&c);
}

static void pool_base(job *j, stream *s) {
    fill_noise(job_memory(j, AT_INPUT, 640), 640);
    (void)job_memory(j, AT_OUTPUT, 640);
    stream_of(s, STREAM_POOL);
    stream_set(s, 0x600c, 4);
    stream_set(s, 0x6010, 3);
    stream_set(s, 0x6014, 31);
    stream_set(s, 0x6018, 4);
    stream_set(s, 0x601c, 3);
    stream_set(s, 0x6020, 31);
    stream_set(s, 0x6034, 0x202);
    stream_set(s, 0x6040, 0x1111);
    stream_set(s, 0x607c, 320);
    stream_set(s, 0x6084, 320);
    stream_set(s, 0x700c, 4);
    stream_set(s, 0x7010, 3);
    stream_set(s, 0x7014, 31);
    stream_set(s, 0x7024, 80);
    stream_set(s, 0x7028, 320);
}

/* Maps of 2 rows, 4 columns and 32 channels; what moves bytes has its own. */
static void dpu_base(job *j, stream *s, base b) {
    const uint32_t atoms = b == NEAREST ? 8 : b == TURN ? 32 : b == DENSE ? 8 : 16;
    const uint32_t out = b == NEAREST ? 4 * atoms : b == DENSE ? 7 : atoms;
    fill_noise(job_memory(j, AT_INPUT, atoms * 16), atoms * 16);
    (void)job_memory(j, AT_OUTPUT, out * 16);
    stream_of(s, STREAM_DPU);
    stream_set(s, 0x4024, 128);
    stream_set(s, 0x4030, 3);
    stream_set(s, 0x4034, 1);
    stream_set(s, 0x403c, 0x1f001f);
    stream_set(s, 0x40c0, 128);
    stream_set(s, 0x500c, 3);
    stream_set(s, 0x5010, 1);
    stream_set(s, 0x5014, 31);
    if (b >= RESCALE && b <= LARGEST) stream_set(s, 0x4040, 0x100012);
    if (b == PRODUCT) stream_set(s, 0x4040, 0x120050);
    if (b >= SUM && b <= LARGEST) {
        fill_noise(job_memory(j, AT_OPERAND, 256), 256);
        stream_set(s, 0x4048, b == PRODUCT ? 0 : 0x10000);
        stream_set(s, 0x4050, b == PRODUCT ? 0x30000002 : 0x30000000);
        stream_set(s, 0x4070, b == PRODUCT ? 0x81004094 : b == LARGEST ? 0x8000c0c0 : 0x8002c0c0);
        stream_set(s, 0x5034, 0x40000004);
        stream_set(s, 0x5038, AT_OPERAND);
        stream_set(s, 0x5040, 128);
    }
    if (b == NEAREST) {
        stream_set(s, 0x4010, 0x1000000);
        stream_set(s, 0x4038, 0x80008);
        stream_set(s, 0x4050, 0x126);
        stream_set(s, 0x5014, 3);
        stream_set(s, 0x5044, 0x927809);
        stream_set(s, 0x5048, 0x1249);
    }
    if (b == WORDS) {
        stream_set(s, 0x4010, 0x81000004);
        stream_set(s, 0x4024, 32);
        stream_set(s, 0x4030, 0x100003);
        stream_set(s, 0x4038, 0x60006);
        stream_set(s, 0x403c, 0x70007);
        stream_set(s, 0x4050, 0x80007fe);
        stream_set(s, 0x5014, 7);
        stream_set(s, 0x5044, 0x927889);
    }
    if (b == TURN) {
        stream_set(s, 0x400c, 0x321e5);
        stream_set(s, 0x4010, 0x81000004);
        stream_set(s, 0x4024, 0x10);
        stream_set(s, 0x4030, 0x100000);
        stream_set(s, 0x4034, 31);
        stream_set(s, 0x4038, 0x70007);
        stream_set(s, 0x4050, 0x2007fe);
        stream_set(s, 0x40c0, 0x100);
        stream_set(s, 0x500c, 0);
        stream_set(s, 0x5010, 31);
        stream_set(s, 0x5014, 3);
        stream_set(s, 0x5044, 0x927889);
    }
    if (b == DENSE) { /* rows of 4 atoms, the last with 8 bytes */
        stream_set(s, 0x400c, 0x20001e5 | 8 << 26 | 7 << 9);
        stream_set(s, 0x4024, 0);
        stream_set(s, 0x4030, 0x100003);
        stream_set(s, 0x403c, 0xf000f);
        stream_set(s, 0x4050, 0x30100002);
        stream_set(s, 0x40c0, 0);
        stream_set(s, 0x5014, 15);
    }
}

static void begin(job *j, stream *s, base b) {
    job_begin(j);
    if (b <= CURVE) conv_base(j, s, b);
    else if (b == POOL) pool_base(j, s);
    else dpu_base(j, s, b);
}

static const rkchip_region *region_of(const job *j, uint32_t address) {
    for (uint32_t i = 0; i < j->chip->memory.count; i++)
        if (j->regions[i].address == STREAM_BASE + address) return &j->regions[i];
    cr_assert_fail("no such memory");
    return NULL;
}

/* A task that is refused says so of this register, and has written nothing; a pool may have written planes. */
static void refused(job *j, const stream *s, base b, uint32_t name, const char *part) {
    char start[40];
    const rkchip_region *output = region_of(j, AT_OUTPUT);
    const uint32_t task = j->tasks;
    cr_assert_not(job_run(j, s, enable_of(b)), "task of kind %d, register 0x%04x", (int)b, (unsigned)name);
    snprintf(start, sizeof start, "task %u: register 0x%04x", (unsigned)task, (unsigned)name);
    cr_assert_eq(strncmp(j->chip->sentence, start, strlen(start)), 0, "kind %d: \"%s\", not \"%s\"", (int)b,
                 j->chip->sentence, start);
    cr_assert_not_null(strstr(j->chip->sentence, part), "kind %d: \"%s\" is not in \"%s\"", (int)b, part,
                       j->chip->sentence);
    for (uint64_t i = 0; i < output->size && b != POOL; i++) cr_assert_eq(output->bytes[i], STREAM_FILL);
}

Test(rkchip_refusals, the_tasks_that_are_changed_here_run) {
    for (int b = 0; b < BASES; b++) {
        job j;
        stream s;
        begin(&j, &s, (base)b);
        cr_assert(job_run(&j, &s, enable_of((base)b)), "kind %d: %s", b, j.chip->sentence);
        job_end(&j);
    }
}

/* ---------------------------------------------------------------------------------------------------- words */

Test(rkchip_refusals, bits_that_were_only_ever_seen_as_one_value) {
    size_t count, looked = 0;
    const rkchip_rule *rules = rkchip_rules_rv1106(&count);
    job j;
    job_begin(&j);
    for (size_t i = 0; i < count; i++)
        for (uint32_t bit = 0; bit < 32; bit++) {
            const stream_word word = {rules[i].name, rules[i].rest ^ (uint32_t)1 << bit};
            const uint64_t encoded = stream_encode(&word);
            char part[80];
            cr_assert_eq(rules[i].rest & rules[i].free, 0, "register 0x%04x", rules[i].name);
            cr_assert_not(job_run_words(&j, &encoded, 1, 0));
            snprintf(part, sizeof part, "task %u: register 0x%04x is to be 0x%08x, and bits 0x%08x", j.tasks - 1,
                     rules[i].name, word.value, ~rules[i].free);
            if ((rules[i].free >> bit & 1) != 0) {
                cr_assert_null(strstr(j.chip->sentence, "is to be"), "%s", j.chip->sentence);
                continue;
            }
            cr_assert_not_null(strstr(j.chip->sentence, part), "\"%s\" is not in \"%s\"", part, j.chip->sentence);
            looked++;
        }
    cr_assert(looked > 2000, "%zu bits", looked);
    job_end(&j);
}

Test(rkchip_refusals, words_for_what_is_no_register) {
    size_t count, known = 0;
    const rkchip_rule *rules = rkchip_rules_rv1106(&count);
    job j;
    job_begin(&j);
    for (uint32_t name = 0; name < 0x10000; name++) {
        const uint32_t block = name >> 12;
        const stream_word word = {name, 0};
        const uint64_t encoded = block < 9 ? stream_encode(&word) : name;
        bool is_known = false;
        for (size_t i = 0; i < count; i++) is_known = is_known || rules[i].name == name;
        known += is_known;
        if (is_known) continue;
        cr_assert_not(job_run_words(&j, &encoded, 1, 0));
        cr_assert_not_null(strstr(j.chip->sentence, "which is no register that is known"), "0x%04x: %s", name,
                           j.chip->sentence);
    }
    cr_assert_eq(known, count); /* none stands twice */
    job_end(&j);
}

Test(rkchip_refusals, words_for_another_block_than_the_registers) {
    static const uint64_t targets[] = {0,     0x1,    0x41,   0x81,   0x101,  0x200,  0x201,  0x401,
                                       0x801, 0x1001, 0x1000, 0x2001, 0x4001, 0x8001, 0xffff, 0x2000};
    size_t count;
    const rkchip_rule *rules = rkchip_rules_rv1106(&count);
    job j;
    job_begin(&j);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
            const stream_word word = {rules[i].name, rules[i].rest};
            const uint64_t own = stream_encode(&word), other = targets[k] << 48 | (own & 0xffffffffffffu);
            char part[80];
            if (other == own) continue;
            cr_assert_not(job_run_words(&j, &other, 1, 0));
            snprintf(part, sizeof part, "writes 0x%08x to 0x%04x of block 0x%x, which", word.value, word.name,
                     (unsigned)targets[k]);
            cr_assert_not_null(strstr(j.chip->sentence, part), "\"%s\" is not in \"%s\"", part, j.chip->sentence);
        }
    job_end(&j);
}

Test(rkchip_refusals, blocks_that_do_not_run_together) {
    job j;
    stream s;
    begin(&j, &s, CONV);
    for (uint32_t enable = 0; enable < 256; enable++) {
        char part[40];
        if (enable == STREAM_CONV || enable == STREAM_DPU || enable == STREAM_POOL) continue;
        cr_assert_not(job_run(&j, &s, enable));
        snprintf(part, sizeof part, "task %u: blocks 0x%x together",
                 enable - (enable > 0x18) - (enable > 0x1d) - (enable > 0x60), enable);
        cr_assert_not_null(strstr(j.chip->sentence, part), "\"%s\" is not in \"%s\"", part, j.chip->sentence);
    }
    job_end(&j);
}

/* ---------------------------------------------------------------------------------------------------- modes */

/* A valid task of a kind, of which one register is changed, or two. */
static const struct change {
    base b;
    uint32_t name, value;
    uint32_t other, other_value; /* 0: none */
    uint32_t blamed;             /* 0: name */
    const char *part;
} changes[] = {
    {CONV, 0x100c, 1, 0, 0, 0, "is 0x00000001: no mode of convolution that is known"},
    {CONV, 0x100c, 3, 0, 0, 0, "no mode of convolution"},
    {CONV, 0x100c, 0x9000, 0, 0, 0, "no kind of picture"},
    {CONV, 0x100c, 0xc000, 0, 0, 0, "no kind of picture"},
    {CONV, 0x100c, 0x1000, 0, 0, 0, "no kind of picture"},
    {CONV, 0x100c, 0xa000, 0, 0, 0, "its upper bits go with pictures"},
    {CONV, 0x100c, 0x20000000, 0, 0, 0, "its upper bits go with pictures"},
    {DEPTHWISE, 0x100c, 0x2000a007, 0, 0, 0, "no kind of picture"},
    {DEPTHWISE, 0x100c, 0, 0, 0, 0x3010, "0x00000001 follows from the others"},
    {CONV, 0x100c, 7, 0, 0, 0x3010, "0x0000000a follows from the others"},
    {CONV, 0x1014, 8, 0, 0, 0, "a stride of 0"},
    {CONV, 0x1014, 1, 0, 0, 0, "a stride of 0"},
    {CONV, 0x1014, 0x10a, 0, 0, 0, "a transposed convolution that is not known"},
    {CONV, 0x1014, 0x811, 0, 0, 0, "a transposed convolution that is not known"},
    {CONV, 0x1014, 0x10109, 0, 0, 0, "a transposed convolution that is not known"},
    {CONV, 0x1014, 0x200909, 0, 0, 0, "a transposed convolution that is not known"},
    {PICTURE, 0x1014, 0x109, 0, 0, 0, "a transposed convolution that is not known"},
    {CONV, 0x1020, 3, 0, 0, 0, "the input is empty"},
    {CONV, 0x1020, 0x40000, 0, 0, 0, "the input is empty"},
    {CONV, 0x1024, 0x1f0000, 0, 0, 0, "no multiple of 16"},
    {CONV, 0x1024, 0x1f0018, 0, 0, 0, "no multiple of 16"},
    {PICTURE, 0x1024, 0x20020, 0, 0, 0, "a picture has 16 lanes"},
    {CONV, 0x1028, 6, 0, 0, 0, "follows from the others"},
    {CONV, 0x102c, 6, 0, 0, 0, "follows from the others"},
    {CONV, 0x1030, 6, 0, 0, 0, "follows from the others"},
    {CONV, 0x1034, 6, 0, 0, 0, "follows from the others"},
    {CONV, 0x1038, 0x2000012, 0, 0, 0, "the kernel is empty"},
    {CONV, 0x1038, 0x20012, 0, 0, 0, "the kernel is empty"},
    {CONV, 0x1038, 0x2020011, 0x1030, 4 * 32 * 17, 0, "not as many as the output has channels"},
    {DEPTHWISE, 0x1038, 0x2020001, 0x1030, 4 * 32, 0, "not as many as the output has channels"},
    {CONV, 0x1038, 0x1f1f0012, 0x1024, 0x1f0050, 0, "a sum may leave 32 bits"},
    {CONV, 0x104c, 8, 0, 0, 0, "planes are not converted"},
    {PICTURE, 0x104c, 0x10e38e0f, 0, 0, 0, "not known"},
    {PICTURE, 0x104c, 0x0e38e4, 0, 0, 0, "not known"},
    {PICTURE, 0x104c, 0x100e38e0, 0, 0, 0, "not known"},
    {CONV, 0x1088, 48, 0, 0, 0, "follows from the others"},
    {CONV, 0x1184, 0x80, 0, 0, 0, "padding that is no int8"},
    {CONV, 0x1184, 0xff7f, 0, 0, 0, "padding that is no int8"},
    {CONV, 0x3010, 3, 0, 0, 0, "follows from the others"},
    {CONV, 0x3014, 0, 0, 0, 0, "follows from the others"},
    {CONV, 0x3018, 0x2f, 0, 0, 0, "follows from the others"},
    {CONV, 0x400c, 0x1e5, 0, 0, 0, "no way out of a convolution"},
    {CONV, 0x400c, 0x1fc, 0, 0, 0, "no way out of a convolution"},
    {DEPTHWISE, 0x400c, 0x1e4, 0, 0, 0, "no way out of a convolution"},
    {CONV, 0x4010, 0, 0, 0, 0, "another type than int8"},
    {CONV, 0x4010, 0xa0800005, 0, 0, 0, "another type than int8"},
    {CONV, 0x4018, 1, 0, 0, 0, "follows from the others"},
    {CONV, 0x4038, 1, 0, 0, 0, "follows from the others"},
    {CONV, 0x4040, 0x20140, 0, 0, 0, "no mode of BS"},
    {CONV, 0x4040, 0x100092, 0, 0, 0, "no mode of BS"},
    {DEPTHWISE, 0x4040, 0x120180, 0, 0, 0, "no mode of BS"},
    {CONV, 0x4048, 0, 0, 0, 0, "no scales of BS that are known"},
    {PLAIN, 0x4048, 1, 0, 0, 0, "no scales of BS that are known"},
    {DEPTHWISE, 0x4048, 1, 0, 0, 0, "no scales of BS that are known"},
    {CONV, 0x404c, 0, 0x40d8, 0, 0, "0x80000000 follows"},
    {CONV, 0x40d8, 0, 0, 0, 0, "follows from the others"},
    {CONV, 0x4050, 0x30000002, 0, 0, 0, "0x30000001 follows"},
    {PLAIN, 0x4050, 0x30000001, 0, 0, 0, "0x30000002 follows"},
    {DEPTHWISE, 0x4050, 0x30000001, 0, 0, 0, "0x70000125 follows"},
    {CONV, 0x405c, 1, 0, 0, 0, "follows from the others"},
    {CONV, 0x4060, 0x11, 0, 0, 0, "no mode of BN"},
    {CONV, 0x4060, 2, 0, 0, 0, "no mode of BN"},
    {CONV, 0x4060, 0x20013, 0, 0, 0, "no mode of BN"},
    {BOUNDED, 0x4060, 0x13, 0, 0, 0, "bounds of the sums that are not switched on"},
    {LEAKY, 0x406c, 0, 0x40e0, 0, 0x4060, "bounds of the sums that are not switched on"},
    {BOUNDED, 0x406c, 5, 0, 0, 0x40e0, "0x00000005 follows"},
    {BOUNDED, 0x4028, 5, 0, 0, 0x40e4, "0x00000005 follows"},
    {SLOPES, 0x4060, 0x13, 0, 0, 0x4068, "a table of slopes that is not known"},
    {SLOPES, 0x4060, 0x20000, 0, 0, 0x4068, "a table of slopes that is not known"},
    {SLOPES, 0x4068, 0x10001, 0, 0, 0, "a table of slopes that is not known"},
    {SLOPES, 0x4068, 0x101, 0, 0, 0, "a table of slopes that is not known"},
    {SLOPES, 0x4010, 0x803800, 0, 0, 0x4068, "a table of slopes that is not known"},
    {SLOPES, 0x5028, 0, 0, 0, 0, "0x00000008 follows from the others"},
    {SLOPES, 0x4068, 0x6660000, 0, 0, 0x5028, "0x00000000 follows from the others"},
    {LEAKY, 0x5028, 8, 0, 0, 0, "0x00000000 follows from the others"},
    {LEAKY, 0x502c, 16, 0, 0, 0, "0x00000000 follows from the others"},
    {LEAKY, 0x4068, 1, 0, 0, 0, "a table of slopes that is not known"},
    {RESCALE, 0x4068, 1, 0, 0, 0, "a table of slopes that is not known"},
    {COPY, 0x5028, 8, 0, 0, 0, "0x00000000 follows from the others"},
    {NEAREST, 0x5028, 8, 0, 0, 0, "0x00000000 follows from the others"},
    {CONV, 0x4070, 0x10041c0, 0, 0, 0, "no operation of EW"},
    {CONV, 0x4070, 0x8002c0c0, 0, 0, 0x4084, "bit 16 goes with a second operand"},
    {CONV, 0x4070, 0x8002c0c0, 0x4084, 0x14268, 0x5034, "no second operand that is known"},
    {CONV, 0x4084, 0x14268, 0, 0, 0, "bit 16 goes with a second operand"},
    {FUSED, 0x4070, 0x10041c1, 0x4084, 0x4268, 0x5034, "a second operand without use"},
    {FUSED, 0x5034, 0x40000005, 0, 0, 0, "no second operand that is known"},
    {CONV, 0x4080, 128, 0, 0, 0, "a zero point that is no int8"},
    {CONV, 0x4080, 0xffffff7f, 0, 0, 0, "a zero point that is no int8"},
    {CONV, 0x4088, 48, 0, 0, 0, "a shift that leaves nothing"},
    {CONV, 0x40c0, 0, 0, 0, 0, "follows from the others"},
    {DEPTHWISE, 0x40c0, 320, 0, 0, 0, "follows from the others"},
    {CURVE, 0x4108, 0x60, 0, 0, 0, "no use of the table"},
    {CURVE, 0x4108, 0, 0, 0, 0, "no use of the table"},
    {CURVE, 0x410c, 0x50400, 0, 0, 0, "steps of the table"},
    {CURVE, 0x410c, 0x40500, 0, 0, 0, "steps of the table"},
    {CURVE, 0x410c, 0x101000, 0, 0, 0, "steps of the table"},
    {CURVE, 0x410c, 0x60600, 0, 0, 0x4118, "a range of the tables"},
    {CURVE, 0x4110, 0xffffc001, 0, 0, 0x4118, "a range of the tables"},
    {CURVE, 0x4114, 1, 0, 0, 0x4118, "a range of the tables"},
    {CURVE, 0x4118, 1, 0, 0, 0, "is 0x00000001: a range of the tables"},
    {CURVE, 0x411c, 0x3fff, 0, 0, 0x4118, "a range of the tables"},
    {PLAIN, 0x501c, 0, 0, 0, 0, "no table of channels"},
    {PLAIN, 0x501c, 4, 0, 0, 0, "no table of channels"},
    {CONV, 0x501c, 0xa, 0, 0, 0, "no table of channels"},
    {DEPTHWISE, 0x501c, 0xe, 0, 0, 0, "no table of channels"},
    {DEPTHWISE, 0x501c, 8, 0, 0, 0, "no table of channels"},
    {CONV, 0x5044, 0x7816, 0, 0, 0, "no reading beside a convolution"},
    {DEPTHWISE, 0x5044, 0x7810, 0, 0, 0, "no reading beside a convolution"},
    {COPY, 0x5044, 0x7810, 0, 0, 0, "no reading that is known"},
    {NEAREST, 0x5044, 0x907809, 0, 0, 0, "no reading that is known"},
    {WORDS, 0x5044, 0x927809, 0, 0, 0, "no reading that is known"},
    {COPY, 0x400c, 0x1e4, 0, 0, 0, "no way out that is known"},
    {COPY, 0x400c, 0x3e5, 0, 0, 0, "no way out that is known"},
    {COPY, 0x4010, 0xa0000000, 0, 0, 0, "another type than int8"},
    {COPY, 0x4050, 0x30000001, 0, 0, 0, "no layout that is known"},
    {COPY, 0x4040, 0x12, 0, 0, 0, "no mode of BS"},
    {COPY, 0x4018, 1, 0, 0, 0x4040, "a copy that changes what it copies"},
    {COPY, 0x404c, 0, 0x40d8, 0, 0x4040, "a copy that changes what it copies"},
    {COPY, 0x4048, 0x10000, 0, 0, 0x4040, "a copy that changes what it copies"},
    {RESCALE, 0x4048, 1, 0, 0, 0, "a table of factors for a copy"},
    {RESCALE, 0x4060, 0x20000, 0, 0, 0, "BN without a convolution"},
    {CONV, 0x4044, 1, 0, 0, 0, "0x00000000 follows"},
    {CONV, 0x401c, 255, 0x40dc, 255, 0, "0x7fffffff follows"},
    {CONV, 0x407c, 0, 0x40e8, 0, 0, "0x80000000 follows"},
    {CONV, 0x4088, 0x40000016, 0, 0, 0, "halves that go away from 0"},
    {FUSED, 0x4088, 0x40000016, 0, 0, 0, "halves that go away from 0"},
    {FUSED, 0x4070, 0x81004094, 0, 0, 0, "no operation of EW beside a convolution"},
    {FUSED, 0x4070, 0x8000c0c0, 0, 0, 0, "no operation of EW beside a convolution"},
    {COPY, 0x4044, 1, 0, 0, 0x4040, "a copy that changes what it copies"},
    {COPY, 0x401c, 255, 0x40dc, 255, 0x4040, "a copy that changes what it copies"},
    {COPY, 0x407c, 0, 0x40e8, 0, 0, "0x80000000 follows"},
    {COPY, 0x4088, 0x40000000, 0, 0, 0, "halves that go away from 0"},
    {COPY, 0x4040, 0x120050, 0, 0, 0, "is known beside a product alone"},
    {RESCALE, 0x4044, 1, 0, 0, 0x4040, "a copy that changes what it copies"},
    {RESCALE, 0x401c, 126, 0x40dc, 126, 0, "an upper bound that cuts"},
    {RESCALE, 0x401c, 127, 0, 0, 0x40dc, "0x0000007f follows"},
    {RESCALE, 0x40dc, 127, 0, 0, 0, "0x7fffffff follows"},
    {RESCALE, 0x401c, 0xffffff7f, 0x40dc, 0xffffff7f, 0, "an upper bound that cuts"},
    {SUM, 0x4040, 0x120050, 0x4048, 0, 0, "is known beside a product alone"},
    {SUM, 0x407c, 0, 0x40e8, 0, 0, "0x80000000 follows"},
    {SUM, 0x4088, 0x40000000, 0x4080, 1, 0, "halves that go away from 0"},
    {SUM, 0x4070, 0x8001c0c0, 0, 0, 0, "no operation of EW that is known"},
    {LARGEST, 0x407c, 0, 0x40e8, 0, 0, "0x80000000 follows"},
    {LARGEST, 0x4088, 0x40000000, 0, 0, 0, "halves that go away from 0"},
    {PRODUCT, 0x407c, 0, 0, 0, 0x40e8, "0x00000000 follows"},
    {PRODUCT, 0x40e8, 0, 0, 0, 0, "0x80000000 follows"},
    {PRODUCT, 0x407c, 1, 0x40e8, 1, 0, "no lower bound of a product that is known"},
    {PRODUCT, 0x4078, 2, 0, 0, 0, "0x00000001 follows"},
    {PRODUCT, 0x4078, 0x10001, 0, 0, 0, "0x00000001 follows"},
    {PRODUCT, 0x4050, 0x30000000, 0, 0, 0, "0x30000002 follows"},
    {PRODUCT, 0x4040, 0x100012, 0x4048, 0x10000, 0x4048, "0x00000000 follows"},
    {PRODUCT, 0x4018, 1, 0, 0, 0x4040, "a copy that changes what it copies"},
    {PRODUCT, 0x404c, 0, 0x40d8, 0, 0x4040, "a copy that changes what it copies"},
    {PRODUCT, 0x4088, 0x40000000, 0, 0, 0, "halves that go away from 0"},
    {PRODUCT, 0x5034, 4, 0x5040, 16, 0, "no second operand that is known"},
    {SUM, 0x5034, 4, 0x5040, 16, 0, "no second operand that is known"},
    {LARGEST, 0x5034, 4, 0x5040, 16, 0, "no second operand that is known"},
    {NEAREST, 0x401c, 255, 0x40dc, 255, 0, "0x7fffffff follows"},
    {NEAREST, 0x4044, 1, 0, 0, 0, "0x00000000 follows"},
    {NEAREST, 0x407c, 0, 0x40e8, 0, 0, "0x80000000 follows"},
    {NEAREST, 0x4040, 0x100012, 0, 0, 0, "0x00000053 follows"},
    {NEAREST, 0x4060, 0x12, 0, 0, 0, "0x00000013 follows"},
    {NEAREST, 0x4070, 0x1004140, 0, 0, 0, "0x010041c1 follows"},
    {NEAREST, 0x4080, 1, 0, 0, 0, "0x00000000 follows"},
    {NEAREST, 0x4084, 1, 0, 0, 0, "0x00010001 follows"},
    {NEAREST, 0x4088, 1, 0, 0, 0, "0x00000000 follows"},
    {NEAREST, 0x5034, 0x40000004, 0, 0, 0, "0x00000001 follows"},
    {NEAREST, 0x5048, 0, 0, 0, 0, "0x00001249 follows"},
    {NEAREST, 0x504c, 16, 0, 0, 0, "0x00000000 follows"},
    {NEAREST, 0x4050, 0x127, 0, 0, 0, "0x00000126 follows"},
    {NEAREST, 0x4038, 8, 0, 0, 0, "0x00080008 follows"},
    {NEAREST, 0x5014, 0x10, 0, 0, 0, "more than one plane"},
    {WORDS, 0x4024, 16, 0, 0, 0, "0x00000020 follows"},
    {WORDS, 0x4030, 0x100002, 0, 0, 0, "0x00100003 follows"},
    {WORDS, 0x4034, 2, 0, 0, 0, "0x00000001 follows"},
    {WORDS, 0x4038, 6, 0, 0, 0, "0x00060006 follows"},
    {WORDS, 0x40c0, 16, 0, 0, 0, "0x00000080 follows"},
    {TURN, 0x4024, 32, 0, 0, 0, "0x00000010 follows"},
    {TURN, 0x4030, 0x100001, 0, 0, 0, "0x00100000 follows"},
    {TURN, 0x4034, 23, 0x5010, 23, 0, "no whole squares"},
    {TURN, 0x4038, 0, 0, 0, 0, "0x00070007 follows"},
    {TURN, 0x40c0, 0x80, 0, 0, 0, "0x00000100 follows"},
    {TURN, 0x500c, 1, 0, 0, 0, "0x00000000 follows"},
    {TURN, 0x5010, 15, 0, 0, 0, "0x0000001f follows"},
    {TURN, 0x5014, 7, 0, 0, 0, "0x00000003 follows"},
    {TURN, 0x5048, 0x80000, 0, 0, 0, "0x00000000 follows"},
    {DENSE, 0x400c, 0x20001e5 | 8 << 26, 0, 0, 0, "more bytes are written than read"},
    {DENSE, 0x400c, 0x20001e5 | 8 << 26 | 8 << 9, 0, 0, 0, "more bytes are written than read"},
    {DENSE, 0x4010, 0x803c00, 0, 0, 0, "0x00800000 follows"},
    {DENSE, 0x4024, 128, 0, 0, 0, "0x00000000 follows"},
    {DENSE, 0x4030, 0x100002, 0, 0, 0, "no packing that is known"},
    {DENSE, 0x4030, 0x80003, 0, 0, 0, "no packing that is known"},
    {DENSE, 0x4034, 2, 0, 0, 0, "0x00000001 follows"},
    {DENSE, 0x4050, 0x30000002, 0, 0, 0, "0x30100002 follows"},
    {DENSE, 0x5048, 0x80000, 0, 0, 0, "0x00000000 follows"},
    {DENSE, 0x504c, 16, 0, 0, 0, "0x00000000 follows"},
    {POOL, 0x6024, 0x10, 0, 0, 0, "averages"},
    {POOL, 0x6020, 15, 0, 0, 0, "0x0000001f follows"},
    {POOL, 0x700c, 5, 0, 0, 0, "0x00000004 follows"},
    {POOL, 0x7010, 5, 0, 0, 0, "0x00000003 follows"},
    {POOL, 0x7014, 15, 0, 0, 0, "0x0000001f follows"},
    {POOL, 0x6084, 16, 0, 0, 0, "0x00000140 follows"},
};

Test(rkchip_refusals, modes_that_nobody_has_looked_at) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *c = &changes[i];
        char value[24];
        job j;
        stream s;
        begin(&j, &s, c->b);
        stream_set(&s, c->name, c->value);
        if (c->other != 0) stream_set(&s, c->other, c->other_value);
        refused(&j, &s, c->b, c->blamed != 0 ? c->blamed : c->name, c->part);
        snprintf(value, sizeof value, " is 0x%08x: ", stream_get(&s, c->blamed != 0 ? c->blamed : c->name));
        cr_assert_not_null(strstr(j.chip->sentence, value), "\"%s\" is not in \"%s\"", value, j.chip->sentence);
        job_end(&j);
    }
}

/* Of more than 16 channels, or beside depthwise weights, no table of slopes was seen; nor a slope above 0x7fff, which
   may be negative. */
Test(rkchip_refusals, tables_of_slopes_that_nobody_has_seen) {
    for (uint32_t kind = 0; kind < 3; kind++) {
        static const uint16_t slopes[17] = {1, 2};
        conv c = conv_of(3, 4, kind == 1 ? 16 : 20, kind == 0 ? 17 : 16);
        job j;
        stream s;
        c.depthwise = kind == 1;
        if (kind == 1) c.table = 0xa;
        c.dpu.bn = BN_NEGATIVE;
        c.slopes = slopes;
        conv_values(&c);
        job_begin(&j);
        (void)conv_memory(&c, &j);
        if (kind == 2) region_of(&j, AT_SLOPES)->bytes[31] = 0x80;
        conv_words(&c, &s);
        refused(&j, &s, CONV, 0x4068,
                kind == 2 ? "its table has a slope that may be negative" : "a table of slopes that is not known");
        conv_free(&c);
        job_end(&j);
    }
}

/* Of four channels, rows that end between two multiples of 16 pixels were not seen. */
Test(rkchip_refusals, rows_of_four_channels_that_are_no_multiple_of_16) {
    for (uint32_t width = 15; width <= 17; width++) {
        conv c = conv_of(3, width, 4, 4);
        job j;
        stream s;
        c.picture = true;
        conv_values(&c);
        job_begin(&j);
        (void)conv_memory(&c, &j);
        conv_words(&c, &s);
        if (width != 16) refused(&j, &s, PICTURE, 0x1020, "no multiple of 16 pixels");
        else cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence);
        conv_free(&c);
        job_end(&j);
    }
}

/* They name no register of one's own. */
Test(rkchip_refusals, sizes_of_a_copy_that_contradict_each_other) {
    static const stream_word words[] = {{0x500c, 2}, {0x5010, 2}, {0x5014, 15}, {0x5014, 47}, {0x403c, 0x3001f}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        job j;
        stream s;
        begin(&j, &s, COPY);
        stream_set(&s, words[i].name, words[i].value);
        cr_assert_not(job_run(&j, &s, STREAM_DPU));
        cr_assert_str_eq(j.chip->sentence, "task 0: what is read and what is written have not one size");
        job_end(&j);
    }
}

Test(rkchip_refusals, zero_points_of_weights_that_are_none_of_int8) {
    static const int32_t adds[] = {-129, 129, -32768, 32767, -128, 128};
    for (size_t i = 0; i < sizeof adds / sizeof adds[0]; i++) {
        job j;
        stream s;
        begin(&j, &s, CONV);
        uint8_t *table = region_of(&j, AT_TABLE)->bytes + 32 * 4 + 16 + 2; /* of channel 17 */
        table[0] = (uint8_t)adds[i];
        table[1] = (uint8_t)((uint32_t)adds[i] >> 8);
        cr_assert_eq(job_run(&j, &s, STREAM_CONV), i >= 4);
        if (i < 4)
            cr_assert_str_eq(j.chip->sentence, "task 0: the zero point of the weights of channel 17 is none of int8");
        job_end(&j);
    }
    job j;
    stream s;
    begin(&j, &s, PLAIN);
    stream_set(&s, 0x4054, 0x80000081);
    cr_assert_not(job_run(&j, &s, STREAM_CONV));
    cr_assert_not_null(strstr(j.chip->sentence, "of channel 0 is none of int8"), "%s", j.chip->sentence);
    job_end(&j);
}

/* --------------------------------------------------------------------------------------------------- memory */

Test(rkchip_refusals, addresses_that_are_not_memory_of_the_job) {
    static const struct {
        base b;
        uint32_t name, at;
    } addresses[] = {{CONV, 0x1070, AT_INPUT},        {PICTURE, 0x1070, AT_INPUT}, {CONV, 0x1110, AT_WEIGHTS},
                     {DEPTHWISE, 0x1110, AT_WEIGHTS}, {CONV, 0x5020, AT_TABLE},    {DEPTHWISE, 0x5020, AT_TABLE},
                     {PLAIN, 0x5020, AT_TABLE},       {CONV, 0x4020, AT_OUTPUT},   {FUSED, 0x5038, AT_OPERAND},
                     {SLOPES, 0x502c, AT_SLOPES},     {COPY, 0x5018, AT_INPUT},    {COPY, 0x4020, AT_OUTPUT},
                     {SUM, 0x5038, AT_OPERAND},       {NEAREST, 0x5018, AT_INPUT}, {NEAREST, 0x4020, AT_OUTPUT},
                     {WORDS, 0x5018, AT_INPUT},       {WORDS, 0x4020, AT_OUTPUT},  {TURN, 0x5018, AT_INPUT},
                     {TURN, 0x4020, AT_OUTPUT},       {DENSE, 0x5018, AT_INPUT},   {DENSE, 0x4020, AT_OUTPUT},
                     {POOL, 0x701c, AT_INPUT},        {POOL, 0x6070, AT_OUTPUT}};
    static const int32_t off[] = {1, -1, 16, -16, 0x10000000, INT32_MIN};
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        for (size_t k = 0; k < sizeof off / sizeof off[0]; k++) {
            job j;
            stream s;
            begin(&j, &s, addresses[i].b);
            stream_set(&s, addresses[i].name, off[k] == INT32_MIN ? 0 : addresses[i].at + (uint32_t)off[k]);
            refused(&j, &s, addresses[i].b, addresses[i].name, " are not memory of the job");
            job_end(&j);
        }
}

/* Every distance that leads a later row or plane out of the memory that the first is in. */
Test(rkchip_refusals, distances_that_lead_out_of_the_memory_of_the_job) {
    static const struct {
        base b;
        uint32_t name, value, blamed;
    } distances[] = {{CONV, 0x1080, 13, 0x1070},         {CONV, 0x1080, 0xfffffff, 0x1070},
                     {CONV, 0x4024, 0x400, 0x4020},      {DEPTHWISE, 0x4024, 0xfffffff0, 0x4020},
                     {FUSED, 0x5040, 0x200, 0x5038},     {FUSED, 0x5040, 0xfffffff0, 0x5038},
                     {COPY, 0x4024, 144, 0x4020},        {COPY, 0x4038, 1, 0x4024},
                     {COPY, 0x4038, 0x1fff, 0x4024},     {COPY, 0x5048, 0x80000, 0x5018},
                     {COPY, 0x5048, 0xfff80000, 0x5018}, {COPY, 0x504c, 16, 0x5018},
                     {COPY, 0x504c, 0x7ffffff0, 0x5018}, {COPY, 0x504c, 0x80000000, 0x504c},
                     {SUM, 0x5040, 144, 0x5038},         {WORDS, 0x5048, 0x80000, 0x5018},
                     {POOL, 0x607c, 336, 0x6070},        {POOL, 0x6024, 0x10011, 0x607c},
                     {POOL, 0x6024, 0x1fff0011, 0x607c}, {POOL, 0x7024, 96, 0x7028},
                     {POOL, 0x7024, 0xfffffff0, 0x7028}, {POOL, 0x7028, 336, 0x701c},
                     {POOL, 0x7028, 0xfffffff0, 0x701c}};
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        job j;
        stream s;
        begin(&j, &s, distances[i].b);
        stream_set(&s, distances[i].name, distances[i].value);
        if (distances[i].name == 0x4024)
            stream_set(&s, 0x40c0, distances[i].value * (distances[i].b == DEPTHWISE ? 2 : 1));
        if (distances[i].name == 0x607c) stream_set(&s, 0x6084, distances[i].value);
        cr_assert_not(job_run(&j, &s, enable_of(distances[i].b)), "register 0x%04x", distances[i].name);
        char start[40];
        snprintf(start, sizeof start, "task %u: register 0x%04x", j.tasks - 1, distances[i].blamed);
        cr_assert_eq(strncmp(j.chip->sentence, start, strlen(start)), 0, "0x%04x: %s", distances[i].name,
                     j.chip->sentence);
        job_end(&j);
    }
}

Test(rkchip_refusals, words_that_are_not_memory_of_the_job) {
    static const rkchip_task tasks[] = {{STREAM_DPU, 78, AT_INPUT - 1},
                                        {STREAM_DPU, 65, AT_INPUT},
                                        {STREAM_DPU, 1, 0xfffffffffffffff8u},
                                        {STREAM_DPU, 0xffff, AT_INPUT},
                                        {STREAM_DPU, 1, AT_INPUT + 512}};
    job j;
    job_begin(&j);
    (void)job_memory(&j, AT_INPUT, 512);
    for (uint32_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        cr_assert_not(rkchip_run(j.chip, i, &tasks[i]));
        cr_assert_not_null(strstr(j.chip->sentence, "register 0x0010: "), "%s", j.chip->sentence);
        cr_assert_not_null(strstr(j.chip->sentence, " are not memory of the job"), "%s", j.chip->sentence);
    }
    const rkchip_task many = {STREAM_DPU, 0x10000, AT_INPUT};
    cr_assert_not(rkchip_run(j.chip, 7, &many));
    cr_assert_str_eq(j.chip->sentence, "task 7: 65536 words");
    job_end(&j);
}

/* Two regions that follow one another are two: what lies in both is not memory of the job. */
Test(rkchip_refusals, memory_does_not_go_on_in_the_next_region) {
    job j;
    stream s;
    job_begin(&j);
    (void)job_memory(&j, AT_INPUT, 128);
    (void)job_memory(&j, AT_INPUT + 128, 128);
    (void)job_memory(&j, AT_OUTPUT, 256);
    stream_of(&s, STREAM_DPU);
    stream_set(&s, 0x4024, 256);
    stream_set(&s, 0x4030, 15);
    stream_set(&s, 0x403c, 0xf000f);
    stream_set(&s, 0x40c0, 256);
    stream_set(&s, 0x500c, 15);
    stream_set(&s, 0x5014, 15);
    refused(&j, &s, COPY, 0x5018, "256 bytes at 0x100000 are not memory");
    job_end(&j);
}

/* ---------------------------------------------------------------------------------- what silicon does is not known */

/* One pixel with a weight of 0, behind it what is asked for. */
static conv one_sum(int32_t sum) {
    conv c = conv_of(1, 1, 1, 1);
    c.weights = (int8_t *)calloc(1, 1);
    c.zero_points = (int32_t *)calloc(1, sizeof *c.zero_points);
    c.biases = (int32_t *)malloc(sizeof *c.biases);
    c.scales = (uint32_t *)malloc(sizeof *c.scales);
    cr_assert(c.weights != NULL && c.zero_points != NULL && c.biases != NULL && c.scales != NULL);
    c.biases[0] = sum;
    c.scales[0] = 1;
    c.dpu.shift = c.dpu.shift_negative = 0;
    c.dpu.factor = 1;
    c.dpu.out_shift = 26; /* 2^31 becomes 32 */
    return c;
}

static void leaves_32_bits(conv *c, bool does) {
    job j;
    stream s;
    job_begin(&j);
    if (c->curve != NULL) cr_assert(curve_load(&j, c->curve), "%s", j.chip->sentence);
    conv_values(c);
    (void)conv_memory(c, &j);
    conv_words(c, &s);
    cr_assert_eq(job_run(&j, &s, STREAM_CONV), !does, "%d: %s", (int)c->biases[0], j.chip->sentence);
    if (does)
        cr_assert_not_null(
            strstr(j.chip->sentence, "a value leaves 32 bits, and what silicon does then shows in the result"), "%s",
            j.chip->sentence);
    job_end(&j);
    conv_free(c);
}

Test(rkchip_refusals, values_that_leave_32_bits) {
    static const int32_t ends[2] = {INT32_MAX, INT32_MIN};
    for (int32_t end = 0; end < 2; end++)
        for (int32_t past = 0; past < 2; past++) {
            conv c = one_sum(ends[end]); /* the sum with its bias */
            c.input = noise_bytes(1);
            c.input[0] = end == 0 ? 1 : -1;
            c.weights[0] = (int8_t)past;
            leaves_32_bits(&c, past != 0);
            c = one_sum(end == 0 ? 0x3fffffff : -0x40000000); /* behind the scale of the channel */
            c.scales[0] = 2 + (uint32_t)past;
            leaves_32_bits(&c, past != 0);
            c = one_sum(ends[end] - (end == 0 ? 1000 : -1000)); /* with the second operand */
            c.dpu.adds = true;
            c.dpu.operand_factor = past != 0 ? 32767 : 1;
            c.dpu.operand_offset = (end == 0 ? 1 : -1) * (past != 0 ? 200000 : 500);
            leaves_32_bits(&c, past != 0);
            c = one_sum(end == 0 ? 0x40000000 : -0x40000001); /* behind BN */
            c.dpu.bn = BN_EACH;
            c.dpu.bn_factor = 1 + 2 * past;
            leaves_32_bits(&c, past != 0);
        }
    for (int32_t past = 0; past < 2; past++) { /* and come back: a later stage makes them small again */
        conv c = one_sum(INT32_MAX);
        c.input = noise_bytes(1);
        c.input[0] = 1;
        c.weights[0] = (int8_t)past;
        c.dpu.shift = c.dpu.shift_negative = 8;
        leaves_32_bits(&c, past != 0);
        c = one_sum(0x3fffffff);
        c.scales[0] = 2 + (uint32_t)past;
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = 1;
        c.dpu.bn_shift = c.dpu.bn_shift_negative = 20;
        c.dpu.out_shift = 5; /* 2047 becomes 64, 3071 becomes 96 */
        leaves_32_bits(&c, past != 0);
        c = one_sum(past != 0 ? 0x40000000 : 0x3fffffff); /* the curve gives one value for both */
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = 2;
        c.dpu.curve = true;
        c.curve = a_curve();
        leaves_32_bits(&c, false);
    }
    for (int32_t past = 0; past < 2; past++) { /* above the tables */
        curve t = *a_curve();
        t.slope = 32767;
        conv c = one_sum(past != 0 ? 500000000 : 16384 + 65000);
        c.dpu.curve = true;
        c.curve = &t;
        leaves_32_bits(&c, past != 0);
    }
}

/* Cut off there or kept, the byte is the largest or the smallest: an ordinary photograph does that. */
Test(rkchip_refusals, values_that_leave_32_bits_and_do_not_show_run) {
    for (int32_t end = 0; end < 2; end++) {
        conv c = one_sum(end == 0 ? 0x3fffffff : -0x40000000);
        c.scales[0] = 16384;
        c.dpu.out_shift = 0;
        leaves_32_bits(&c, false);
    }
}

/* ------------------------------------------------------------------------------------------------ other promises */

Test(rkchip_refusals, registers_of_timing_change_nothing) {
    size_t count, looked = 0;
    const rkchip_rule *rules = rkchip_rules_rv1106(&count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t bit = 0; bit < 32 && rules[i].kind == RKCHIP_TIMING; bit++) {
            const base b = rules[i].name >> 12 == 6 ? POOL : CONV;
            uint8_t before[2048];
            job j;
            stream s;
            if ((rules[i].free >> bit & 1) == 0) continue;
            begin(&j, &s, b);
            uint8_t *output = region_of(&j, AT_OUTPUT)->bytes;
            const size_t size = (size_t)region_of(&j, AT_OUTPUT)->size;
            cr_assert(job_run(&j, &s, enable_of(b)), "%s", j.chip->sentence);
            cr_assert(size <= sizeof before);
            memcpy(before, output, size);
            memset(output, STREAM_FILL, size);
            stream_set(&s, rules[i].name, stream_get(&s, rules[i].name) ^ (uint32_t)1 << bit);
            cr_assert(job_run(&j, &s, enable_of(b)), "%s", j.chip->sentence);
            cr_assert_arr_eq(output, before, size, "register 0x%04x, bit %u", rules[i].name, bit);
            looked++;
            job_end(&j);
        }
    cr_assert(looked > 100, "%zu bits", looked);
}

/* Words of 16 MiB may not ask for gigabytes: planes that all lie at one place, rows that no output takes. */
Test(rkchip_refusals, memory_that_is_asked_for_is_no_more_than_the_job_has) {
    for (uint32_t kind = 0; kind < 4; kind++) {
        const base b = kind == 0 ? COPY : kind == 1 ? SUM : kind == 2 ? CONV : DENSE;
        job j;
        stream s;
        begin(&j, &s, b);
        if (b == COPY || b == SUM) {
            stream_set(&s, 0x4024, 0);
            stream_set(&s, 0x403c, 0x1fff1fff);
            stream_set(&s, 0x5014, 0x1fff);
            stream_set(&s, 0x504c, (uint32_t)-128);
            stream_set(&s, 0x5040, 0);
        }
        if (b == CONV) {
            stream_set(&s, 0x4024, 16);
            stream_set(&s, 0x40c0, 16);
        }
        if (b == DENSE) {
            stream_set(&s, 0x4030, 0x101fff);
            stream_set(&s, 0x4034, 0x1fff);
            stream_set(&s, 0x500c, 0x1fff);
            stream_set(&s, 0x5010, 0x1fff);
            stream_set(&s, 0x5014, 0x1fff);
        }
        refused(&j, &s, b, b == DENSE ? 0x5018 : 0x4024, b == DENSE ? "not memory of the job" : "planes that overlap");
        cr_assert(j.chip->sums.size <= 4096 && j.chip->operand.size <= 4096, "kind %u: %zu, %zu", kind,
                  j.chip->sums.size, j.chip->operand.size);
        job_end(&j);
    }
    job j;
    stream s;
    begin(&j, &s, SUM);
    stream_set(&s, 0x5040, 112);
    refused(&j, &s, SUM, 0x5040, "planes that overlap");
    job_end(&j);
}

/* 512 planes at one place are 512 times the work. */
Test(rkchip_refusals, pools_have_no_more_work_than_memory) {
    static const stream_word words[] = {{0x607c, 304}, {0x607c, 0}, {0x7028, 304}, {0x7028, 0}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        job j;
        stream s;
        begin(&j, &s, POOL);
        stream_set(&s, words[i].name, words[i].value);
        if (words[i].name == 0x607c) stream_set(&s, 0x6084, words[i].value);
        refused(&j, &s, POOL, words[i].name, "planes that overlap");
        job_end(&j);
    }
}

/* 4096 rows of output that are 7 rows of input apart, two columns 32 apart, 512 channels: nearly a gigabyte. */
Test(rkchip_refusals, an_input_with_its_padding_is_no_larger_than_any_memory) {
    conv c = conv_of(1, 1, 512, 1);
    job j;
    stream s;
    c.step_y = 7;
    c.pad_bottom = 4095 * 7;
    c.kernel_width = 2;
    c.dilation_x = 32;
    c.pad_right = 32;
    conv_values(&c);
    job_begin(&j);
    (void)conv_memory(&c, &j);
    conv_words(&c, &s);
    refused(&j, &s, CONV, 0x1020, "the input with its padding is larger than any memory");
    cr_assert_eq(j.chip->input.size, 0);
    conv_free(&c);
    job_end(&j);
}

Test(rkchip_refusals, sentences_always_fit) {
    rkchip *chip = rkchip_create(RKCHIP_RV1106);
    char long_text[600];
    cr_assert_not_null(chip);
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    chip->task = 0xffffffff;
    cr_assert_not(rkchip_refuse(chip, "%s", long_text));
    cr_assert_eq(strlen(chip->sentence), RKCHIP_SENTENCE - 1);
    rkchip_destroy(chip);
}
