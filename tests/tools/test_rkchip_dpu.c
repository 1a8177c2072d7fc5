/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the tasks of the DPU alone in tools/rkchip, byte for byte: copies between maps whose rows and planes lie
   apart, other scales, explicit relu, sums of two maps, curves of two tables, nearest neighbours, and the three changes
   of layout that vendors' streams make. What lies between the rows of an output is left alone. */
#include <criterion/criterion.h>

#define SEED 20261126u

#include "rkchip_check.h"

/* ---------------------------------------------------------------------------------------------------- copies */

/* A map that is read, and one that is written: rows may have a gap behind them, planes may lie apart. */
typedef struct copy {
    uint32_t height, width, channels;
    uint32_t row_gap, out_row_gap;    /* pixels */
    int32_t plane_gap, out_plane_gap; /* bytes, multiples of 16 */
    bool changes;                     /* BS is on: + add, bounds, * bs_factor >> shift */
    bool moves;                       /* BS is on: + add alone */
    int32_t add, lower, upper, bs_factor;
    stages dpu;
    bool per_channel; /* the second operand is one pixel */
    const curve *curve;
} copy;

static copy copy_of(uint32_t height, uint32_t width, uint32_t channels) {
    copy c;
    memset(&c, 0, sizeof c);
    c.height = height;
    c.width = width;
    c.channels = channels;
    c.lower = INT32_MIN;
    c.upper = INT32_MAX;
    c.dpu.factor = 1;
    return c;
}

static size_t row_bytes(const copy *c) { return ((size_t)c->width + c->row_gap) * 16; }

/* From the first byte of a plane to its last. */
static size_t plane_reach(const copy *c) { return (c->height - 1) * row_bytes(c) + (size_t)c->width * 16; }

static size_t plane_bytes(const copy *c) { return (size_t)((int64_t)plane_reach(c) + c->plane_gap); }

static size_t out_row_bytes(const copy *c) { return ((size_t)c->width + c->out_row_gap) * 16; }

static size_t out_plane_bytes(const copy *c) { return c->height * out_row_bytes(c) + (size_t)c->out_plane_gap; }

static void copy_words(const copy *c, stream *s) {
    const uint32_t lanes = planes_of(c->channels) * 16;
    stream_of(s, STREAM_DPU);
    stream_set(s, c->moves ? 0x4044 : 0x4018, (uint32_t)c->add);
    stream_set(s, 0x401c, (uint32_t)c->upper);
    stream_set(s, 0x4024, (uint32_t)out_plane_bytes(c));
    stream_set(s, 0x4030, c->width - 1);
    stream_set(s, 0x4034, c->height - 1);
    stream_set(s, 0x4038, c->out_row_gap << 16 | c->out_row_gap);
    stream_set(s, 0x403c, (c->channels - 1) << 16 | (lanes - 1));
    if (c->changes) stream_set(s, 0x4040, 0x100012);
    if (c->moves) stream_set(s, 0x4040, 0x120050);
    stream_set(s, 0x4048, ((uint32_t)c->bs_factor & 0xffff) << 16);
    stream_set(s, 0x404c, (uint32_t)c->lower);
    stream_set(s, 0x40d8, (uint32_t)c->lower);
    stream_set(s, 0x40dc, (uint32_t)c->upper);
    if (c->dpu.adds && c->dpu.ew != EW_PRODUCT) stream_set(s, 0x4050, 0x30000000);
    stream_set(s, 0x405c, (c->height - 1) << 16 | (c->width - 1));
    stream_set(s, 0x40c0, (uint32_t)out_plane_bytes(c));
    stream_set(s, 0x500c, c->width - 1);
    stream_set(s, 0x5010, c->height - 1);
    stream_set(s, 0x5014, lanes - 1);
    stream_set(s, 0x5048, c->row_gap << 19);
    stream_set(s, 0x504c, (uint32_t)c->plane_gap);
    stages_set(s, &c->dpu, c->curve);
    if (c->dpu.adds) stream_set(s, 0x5040, c->per_channel ? 16 : c->width * c->height * 16);
    if (c->per_channel) stream_set(s, 0x5034, 4);
}

static int8_t copy_value(const copy *c, int8_t byte, int8_t operand) {
    int64_t value = (int64_t)byte + c->add;
    stages s = c->dpu;
    if (value < c->lower) value = c->lower;
    if (value > c->upper) value = c->upper;
    if (c->bs_factor != 0) {
        s.bounded = false;
        value *= c->bs_factor;
        value = nearest_even(value, value < 0 && s.shift_negative != 0 ? s.shift_negative : s.shift);
    }
    return stages_finish(&s, c->curve, value, operand);
}

/* Every byte of the memory of the output is compared: what is no pixel is as it was. */
static void copy_check(const copy *c, const char *what) {
    const uint32_t planes = planes_of(c->channels);
    const size_t pixels = (size_t)c->height * c->width, input = plane_bytes(c) * (planes - 1) + plane_reach(c);
    const size_t output =
        out_plane_bytes(c) * (planes - 1) + (c->height - 1) * out_row_bytes(c) + (size_t)c->width * 16;
    uint8_t *wanted = (uint8_t *)malloc(output);
    int8_t *values = noise_bytes(pixels * c->channels), *operand = noise_bytes(pixels * c->channels);
    job j;
    stream s;
    cr_assert_not_null(wanted);
    memset(wanted, STREAM_FILL, output);
    job_begin(&j);
    if (c->curve != NULL) cr_assert(curve_load(&j, c->curve), "%s: %s", what, j.chip->sentence);
    uint8_t *from = job_memory(&j, AT_INPUT, input), *to = job_memory(&j, AT_OUTPUT, output);
    fill_noise(from, input);
    if (c->per_channel) to_planes(job_memory(&j, AT_OPERAND, 16), operand, 1, 1, c->channels);
    else if (c->dpu.adds)
        to_planes(job_memory(&j, AT_OPERAND, pixels * 16 * planes), operand, c->height, c->width, c->channels);
    for (uint32_t y = 0; y < c->height; y++)
        for (uint32_t x = 0; x < c->width; x++)
            for (uint32_t k = 0; k < planes * 16; k++) {
                const size_t at = ((size_t)y * c->width + x) * c->channels + k;
                const size_t place = plane_at(out_plane_bytes(c), out_row_bytes(c), y, x, k);
                wanted[place] = 0;
                if (k >= c->channels) continue;
                from[plane_at(plane_bytes(c), row_bytes(c), y, x, k)] = (uint8_t)values[at];
                wanted[place] = (uint8_t)copy_value(c, values[at], operand[c->per_channel ? k : at]);
            }
    copy_words(c, &s);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s: %s", what, j.chip->sentence);
    for (size_t i = 0; i < output; i++)
        cr_assert_eq(to[i], wanted[i], "seed %u, %s: %ux%ux%u: byte %zu is %u, not %u", SEED, what, c->height, c->width,
                     c->channels, i, to[i], wanted[i]);
    job_end(&j);
    free(wanted);
    free(values);
    free(operand);
}

Test(rkchip_dpu, copies_of_any_size_with_gaps_behind_rows_and_planes) {
    static const uint32_t channels[] = {1, 15, 16, 17, 32, 33};
    for (uint32_t round = 0; round < 72; round++) {
        copy c = copy_of(1 + round % 5, 1 + round % 7, channels[round % 6]);
        c.row_gap = round % 3 * 2;
        c.out_row_gap = round / 3 % 3 * 3;
        c.plane_gap = (int32_t)(round / 9 % 3) * 48;
        c.out_plane_gap = (int32_t)(round / 27 % 3) * 16;
        copy_check(&c, "copy");
    }
}

/* Planes may overlap: the words for what lies between them have a sign. */
Test(rkchip_dpu, planes_may_begin_before_the_plane_in_front_ends) {
    copy c = copy_of(2, 3, 16);
    uint8_t *from, *to;
    job j;
    stream s;
    c.channels = 48;
    c.plane_gap = -32;
    job_begin(&j);
    from = job_memory(&j, AT_INPUT, 2 * (96 - 32) + 96);
    fill_noise(from, 2 * (96 - 32) + 96);
    to = job_memory(&j, AT_OUTPUT, 3 * 96);
    copy_words(&c, &s);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    for (uint32_t plane = 0; plane < 3; plane++) cr_assert_arr_eq(to + plane * 96, from + plane * 64, 96);
    job_end(&j);
}

/* What a concatenation does with an input of another scale. */
Test(rkchip_dpu, copies_may_change_the_scale_and_the_zero_point) {
    for (uint32_t round = 0; round < 40; round++) {
        copy c = copy_of(3, 5, 1 + 7 * (round % 6));
        c.changes = true;
        c.add = noise_in(-128, 128);
        c.dpu.out_shift = (uint32_t)noise_in(12, 17);
        c.dpu.factor = noise_in(8192, 32767) * (round % 7 == 0 ? -1 : 1);
        c.dpu.zero_point = noise_in(-128, 127);
        c.row_gap = round % 2;
        copy_check(&c, "scale");
    }
}

Test(rkchip_dpu, an_explicit_relu_is_a_lower_bound_before_the_scale) {
    static const int32_t lowers[] = {0, -1, 1, 5, -100};
    for (size_t i = 0; i < sizeof lowers / sizeof lowers[0]; i++) {
        copy c = copy_of(4, 4, 16);
        c.changes = true;
        c.add = 12;
        c.lower = lowers[i];
        c.dpu.factor = 16384;
        c.dpu.out_shift = 14;
        c.dpu.zero_point = -128;
        copy_check(&c, "relu");
    }
}

Test(rkchip_dpu, sums_of_two_maps_scale_both) {
    static const uint32_t channels[] = {1, 16, 17, 48};
    for (uint32_t round = 0; round < 40; round++) {
        copy c = copy_of(2 + round % 3, 4, channels[round % 4]);
        c.changes = c.dpu.adds = true;
        c.add = noise_in(-128, 128);
        c.bs_factor = noise_in(1, 32767) * (round % 5 == 0 ? -1 : 1);
        c.dpu.shift = (uint32_t)noise_in(0, 4);
        c.dpu.shift_negative = round % 3 == 0 ? 0 : round % 3 == 1 ? c.dpu.shift : c.dpu.shift + 2;
        c.dpu.operand_offset = noise_in(-128, 128);
        c.dpu.operand_factor = noise_in(-32768, 32767);
        c.dpu.operand_shift = (uint32_t)noise_in(0, 5);
        c.dpu.factor = noise_in(16384, 32767);
        c.dpu.out_shift = (uint32_t)noise_in(29, 31);
        c.dpu.zero_point = noise_in(-128, 127);
        c.out_row_gap = round % 2;
        copy_check(&c, "sum");
    }
}

/* A product of two maps, each with its zero point taken off; BS, where it is on, has none. */
Test(rkchip_dpu, products_of_two_maps_are_scaled_on_their_way_out) {
    static const uint32_t channels[] = {1, 3, 16, 17, 48};
    for (uint32_t round = 0; round < 60; round++) {
        copy c = copy_of(2 + round % 3, 1 + round % 5, channels[round % 5]);
        c.moves = round % 3 != 0;
        c.changes = !c.moves;
        c.add = c.moves ? noise_in(-127, 128) : 0;
        c.dpu.adds = true;
        c.dpu.ew = EW_PRODUCT;
        c.dpu.relu = round % 2 != 0;
        c.dpu.operand_offset = round % 4 == 0 ? 0 : noise_in(-127, 128);
        c.dpu.operand_factor = 1;
        c.dpu.factor = noise_in(16384, 32767);
        c.dpu.out_shift = (uint32_t)noise_in(20, 24);
        c.dpu.zero_point = noise_in(-128, 127);
        c.out_row_gap = round % 2;
        copy_check(&c, "product");
    }
}

Test(rkchip_dpu, a_product_may_have_one_factor_a_channel) {
    for (uint32_t channels = 1; channels <= 16; channels++) {
        copy c = copy_of(1 + channels % 3, 4, channels);
        c.moves = channels % 2 == 0;
        c.changes = !c.moves;
        c.add = c.moves ? noise_in(-127, 128) : 0;
        c.dpu.adds = c.per_channel = true;
        c.dpu.ew = EW_PRODUCT;
        c.dpu.operand_factor = 1;
        c.dpu.factor = noise_in(16384, 32767);
        c.dpu.out_shift = (uint32_t)noise_in(20, 23);
        c.dpu.zero_point = noise_in(-128, 127);
        copy_check(&c, "factors");
    }
}

Test(rkchip_dpu, the_largest_of_two_maps_is_taken_behind_their_scales) {
    static const uint32_t channels[] = {1, 16, 17, 48};
    for (uint32_t round = 0; round < 40; round++) {
        copy c = copy_of(2 + round % 3, 4, channels[round % 4]);
        c.changes = c.dpu.adds = true;
        c.dpu.ew = EW_LARGEST;
        c.add = noise_in(-128, 128);
        c.bs_factor = noise_in(1, 32767) * (round % 5 == 0 ? -1 : 1);
        c.dpu.operand_offset = noise_in(-128, 128);
        c.dpu.operand_factor = noise_in(-32768, 32767);
        c.dpu.factor = noise_in(16384, 32767);
        c.dpu.out_shift = (uint32_t)noise_in(28, 30);
        c.dpu.zero_point = noise_in(-128, 127);
        copy_check(&c, "largest");
    }
}

/* A bound of BS from above: what follows a product that is cut to 0..6, and leaves every byte as it is. */
Test(rkchip_dpu, an_upper_bound_that_no_value_passes_is_taken) {
    copy c = copy_of(3, 5, 16);
    c.changes = true;
    c.add = 128;
    c.lower = 0;
    c.upper = 255;
    c.dpu.zero_point = -128;
    copy_check(&c, "clamp");
}

/* (-8 .. 7) / 2, as the sum of a map and another. */
Test(rkchip_dpu, halves_of_a_sum_may_go_away_from_0) {
    static const int8_t away[16] = {-4, -4, -3, -3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3, 3, 4};
    static const int8_t even[16] = {-4, -4, -3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4};
    for (uint32_t round = 0; round < 2; round++) {
        copy c = copy_of(1, 1, 16);
        job j;
        stream s;
        c.changes = c.dpu.adds = true;
        c.bs_factor = c.dpu.operand_factor = 0x4000;
        c.dpu.factor = 0x4000;
        c.dpu.out_shift = 29;
        c.dpu.away = round != 0;
        job_begin(&j);
        uint8_t *from = job_memory(&j, AT_INPUT, 16), *to = job_memory(&j, AT_OUTPUT, 16);
        uint8_t *operand = job_memory(&j, AT_OPERAND, 16);
        for (int i = 0; i < 16; i++) from[i] = (uint8_t)(2 * i), operand[i] = (uint8_t)(-8 - i);
        copy_words(&c, &s);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        for (int i = 0; i < 16; i++)
            cr_assert_eq((int8_t)to[i], (round != 0 ? away : even)[i], "%d / 2 is %d", i - 8, (int8_t)to[i]);
        job_end(&j);
        copy_check(&c, "away");
    }
}

/* (-8 .. 7) / 2 on the way of the first operand. */
Test(rkchip_dpu, halves_of_the_first_operand_go_to_the_even_neighbour) {
    static const int8_t wanted[16] = {-4, -4, -3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3, 4};
    copy c = copy_of(1, 1, 16);
    job j;
    stream s;
    c.changes = true;
    c.bs_factor = 1;
    c.dpu.shift = c.dpu.shift_negative = 1;
    job_begin(&j);
    uint8_t *from = job_memory(&j, AT_INPUT, 16), *to = job_memory(&j, AT_OUTPUT, 16);
    for (int i = 0; i < 16; i++) from[i] = (uint8_t)(i - 8);
    copy_words(&c, &s);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    for (int i = 0; i < 16; i++) cr_assert_eq((int8_t)to[i], wanted[i], "%d / 2 is %d", i - 8, (int8_t)to[i]);
    job_end(&j);
}

/* ---------------------------------------------------------------------------------------------------- curves */

static curve noise_curve(uint32_t step) {
    curve c;
    for (uint32_t i = 0; i < 513; i++) {
        c.values[0][i] = (int16_t)noise_in(-32768, 32767);
        c.values[1][i] = (int16_t)noise_in(-32768, 32767);
    }
    c.step = step;
    c.start = -(512 << step);
    c.slope = 0;
    c.slope_shift = 0;
    return c;
}

/* Sums on and around every multiple of the step, far below the tables and above them. */
Test(rkchip_dpu, curves_interpolate_between_their_values_and_cut_off) {
    static const uint32_t steps[] = {0, 1, 5, 8};
    for (uint32_t round = 0; round < 24; round++) {
        curve t = noise_curve(steps[round % 4]);
        conv c = conv_of(1, 1, 1, 512);
        const int32_t unit = 1 << t.step;
        t.start += noise_in(-1000, 1000) * (int32_t)(round % 2);
        t.slope = noise_in(-32768, 32767);
        t.slope_shift = (uint32_t)noise_in(0, 31);
        c.weights = (int8_t *)calloc(512, 1);
        c.biases = (int32_t *)malloc(512 * sizeof *c.biases);
        cr_assert(c.weights != NULL && c.biases != NULL);
        for (int32_t i = 0; i < 512; i++) {
            const int32_t near = noise_in(-3, 3), at = t.start + noise_in(0, 1024) * unit;
            c.biases[i] = i == 0   ? t.start - 1
                          : i == 1 ? t.start
                          : i == 2 ? t.start + 512 * unit - 1
                          : i == 3 ? t.start + 512 * unit
                          : i == 4 ? t.start + 1024 * unit - 1
                          : i == 5 ? t.start + 1024 * unit
                          : i == 6 ? t.start + 1024 * unit + 1
                          : i == 7 ? t.start - 1000000
                          : i < 32 ? t.start + 1024 * unit + noise_in(0, 60000)
                                   : at + near;
        }
        c.zero_points = (int32_t *)calloc(512, sizeof *c.zero_points);
        c.table = 2;
        c.dpu.shift = c.dpu.shift_negative = 0;
        c.dpu.curve = true;
        c.dpu.factor = noise_in(1, 300);
        c.dpu.out_shift = (uint32_t)noise_in(14, 16);
        c.curve = &t;
        conv_check(&c, "curve");
    }
}

/* 0 and 1 a step of 32 apart, from -1 on: every part of the way is cut off to the lower, also where it is negative. */
Test(rkchip_dpu, the_way_between_two_values_is_cut_off_towards_minus_infinity) {
    curve t = noise_curve(5);
    for (int table = 0; table < 2; table++)
        for (int i = 0; i < 513; i++) t.values[table][i] = (int16_t)(i % 2 - 1);
    for (int32_t negative = 0; negative < 2; negative++) {
        conv c = conv_of(1, 1, 1, 33);
        c.table = 2;
        c.weights = (int8_t *)calloc(33, 1);
        c.zero_points = (int32_t *)calloc(33, sizeof *c.zero_points);
        c.biases = (int32_t *)malloc(33 * sizeof *c.biases);
        cr_assert(c.weights != NULL && c.zero_points != NULL && c.biases != NULL);
        for (int32_t i = 0; i < 33; i++) c.biases[i] = negative ? i - 64 : i + 64;
        c.dpu.shift = c.dpu.shift_negative = 0;
        c.dpu.curve = true;
        c.dpu.factor = 1;
        c.dpu.out_shift = 0;
        c.curve = &t;
        conv_values(&c);
        int8_t *out = conv_reference(&c);
        for (int32_t i = 0; i < 33; i++) cr_assert_eq(out[i], i == 32 ? 0 : -1, "%d of 32: %d", (int)i, out[i]);
        free(out);
        conv_check(&c, "between");
    }
}

/* SiLU as vendors' streams have it, behind BN that scales each value: the straight line above the end, too. */
Test(rkchip_dpu, curves_stand_behind_bn_and_before_the_output) {
    curve t = noise_curve(5);
    t.slope = 0x4032;
    t.slope_shift = 13;
    for (uint32_t depthwise = 0; depthwise < 2; depthwise++) {
        conv c = conv_of(6, 7, 33, 33);
        c.depthwise = depthwise != 0;
        c.table = depthwise ? 0xa : 0xe;
        c.kernel_height = c.kernel_width = 3;
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = 20000;
        c.dpu.bn_shift = depthwise ? 16 : 18;
        c.dpu.bn_shift_negative = depthwise ? 17 : 19;
        c.dpu.curve = true;
        c.dpu.factor = 0x51d7;
        c.dpu.out_shift = 0x18;
        c.dpu.zero_point = -126;
        c.curve = &t;
        conv_check(&c, "SiLU");
    }
}

/* ------------------------------------------------------------------------------------------ nearest neighbours */

Test(rkchip_dpu, nearest_writes_each_pixel_four_times) {
    for (uint32_t height = 1; height <= 4; height++)
        for (uint32_t width = 1; width <= 5; width++) {
            const size_t bytes = (size_t)height * width * 16;
            job j;
            stream s;
            job_begin(&j);
            uint8_t *from = job_memory(&j, AT_INPUT, bytes), *to = job_memory(&j, AT_OUTPUT, 4 * bytes);
            fill_noise(from, bytes);
            stream_of(&s, STREAM_DPU);
            stream_set(&s, 0x4010, 0x1000000);
            stream_set(&s, 0x4030, 2 * width - 1);
            stream_set(&s, 0x4034, height - 1);
            stream_set(&s, 0x4038, (2 * width) << 16 | 2 * width);
            stream_set(&s, 0x403c, 0xf000f);
            stream_set(&s, 0x4050, 0x126);
            stream_set(&s, 0x500c, width - 1);
            stream_set(&s, 0x5010, height - 1);
            stream_set(&s, 0x5014, 3);
            stream_set(&s, 0x5044, 0x927809);
            stream_set(&s, 0x5048, 0x1249);
            cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
            for (uint32_t y = 0; y < 2 * height; y++)
                for (uint32_t x = 0; x < 2 * width; x++)
                    cr_assert_arr_eq(to + ((size_t)y * 2 * width + x) * 16,
                                     from + ((size_t)(y / 2) * width + x / 2) * 16, 16, "%ux%u: pixel %u,%u", height,
                                     width, y, x);
            job_end(&j);
        }
}

/* ------------------------------------------------------------------------------------------------------ layouts */

/* [block][plane][pixel] of atoms to [block][pixel][plane]. */
Test(rkchip_dpu, words_bring_the_planes_of_a_pixel_together) {
    static const uint32_t sizes[][3] = {{1, 1, 1}, {1, 4, 8}, {3, 2, 8}, {5, 3, 8}, {2, 5, 1}, {4, 1, 7}, {2, 6, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (uint32_t gap = 0; gap < 4; gap += 3) {
            const uint32_t blocks = sizes[i][0], planes = sizes[i][1], pixels = sizes[i][2];
            const size_t row = (size_t)(pixels + gap) * 16, block = planes * row, out = (size_t)planes * pixels * 16;
            job j;
            stream s;
            job_begin(&j);
            const size_t input = block * (blocks - 1) + (planes - 1) * row + pixels * 16;
            uint8_t *from = job_memory(&j, AT_INPUT, input), *to = job_memory(&j, AT_OUTPUT, out * blocks);
            fill_noise(from, input);
            stream_of(&s, STREAM_DPU);
            stream_set(&s, 0x4010, 0x81000004);
            stream_set(&s, 0x4024, planes * 16);
            stream_set(&s, 0x4030, 0x100000 | (pixels - 1));
            stream_set(&s, 0x4034, planes - 1);
            stream_set(&s, 0x4038, (pixels - 1) * planes * 0x10001);
            stream_set(&s, 0x403c, (blocks * 4 - 1) * 0x10001);
            stream_set(&s, 0x4050, 0x80007fe);
            stream_set(&s, 0x40c0, pixels * planes * 16);
            stream_set(&s, 0x500c, pixels - 1);
            stream_set(&s, 0x5010, planes - 1);
            stream_set(&s, 0x5014, blocks * 4 - 1);
            stream_set(&s, 0x5044, 0x927889);
            stream_set(&s, 0x5048, gap << 19);
            stream_set(&s, 0x504c, gap * 16);
            cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
            for (uint32_t b = 0; b < blocks; b++)
                for (uint32_t p = 0; p < planes; p++)
                    for (uint32_t x = 0; x < pixels; x++)
                        cr_assert_arr_eq(to + b * out + ((size_t)x * planes + p) * 16,
                                         from + b * block + p * row + x * 16, 16,
                                         "%u blocks, %u planes, %u pixels: %u,%u,%u", blocks, planes, pixels, b, p, x);
            job_end(&j);
        }
}

Test(rkchip_dpu, turn_changes_rows_and_columns_of_squares_of_16_bytes) {
    for (uint32_t squares = 1; squares <= 4; squares++) {
        job j;
        stream s;
        job_begin(&j);
        uint8_t *from = job_memory(&j, AT_INPUT, squares * 256), *to = job_memory(&j, AT_OUTPUT, squares * 256);
        fill_noise(from, squares * 256);
        stream_of(&s, STREAM_DPU);
        stream_set(&s, 0x400c, 0x321e5);
        stream_set(&s, 0x4010, 0x81000004);
        stream_set(&s, 0x4024, 0x10);
        stream_set(&s, 0x4030, 0x100000);
        stream_set(&s, 0x4034, squares * 16 - 1);
        stream_set(&s, 0x4038, 0x70007);
        stream_set(&s, 0x4050, 0x2007fe);
        stream_set(&s, 0x40c0, 0x100);
        stream_set(&s, 0x500c, 0);
        stream_set(&s, 0x5010, squares * 16 - 1);
        stream_set(&s, 0x5014, 3);
        stream_set(&s, 0x5044, 0x927889);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        for (uint32_t i = 0; i < squares * 256; i++)
            cr_assert_eq(to[i], from[i / 256 * 256 + i % 16 * 16 + i / 16 % 16], "%u squares: byte %u", squares, i);
        job_end(&j);
    }
}

/* Rows of which the last atom counts in part, to bytes without gaps, or to four of them an atom. */
Test(rkchip_dpu, dense_takes_the_gaps_out) {
    for (uint32_t round = 0; round < 64; round++) {
        const uint32_t width = 1 + round % 3, height = 1 + round % 5, planes = 1 + round % 2 * 2, last = round % 16;
        const uint32_t piece = round / 16 % 2 == 0 ? 16 : 4;
        const uint32_t whole = width * 16 - (last != 0 ? 16 - last : 0);
        const uint32_t count = whole * height * planes;
        const uint32_t atoms = round % 7 == 0 ? (count / piece + 1) / 2 : count / piece;
        const size_t input = (size_t)width * height * planes * 16;
        job j;
        stream s;
        if (atoms == 0) continue;
        job_begin(&j);
        uint8_t *from = job_memory(&j, AT_INPUT, input), *to = job_memory(&j, AT_OUTPUT, (size_t)atoms * 16);
        fill_noise(from, input);
        stream_of(&s, STREAM_DPU);
        stream_set(&s, 0x400c, 0x20001e5 | last << 26 | atoms << 9);
        stream_set(&s, 0x4030, piece << 16 | (width - 1));
        stream_set(&s, 0x4034, height - 1);
        stream_set(&s, 0x403c, (planes * 16 - 1) * 0x10001);
        stream_set(&s, 0x4050, 0x30100002);
        stream_set(&s, 0x500c, width - 1);
        stream_set(&s, 0x5010, height - 1);
        stream_set(&s, 0x5014, planes * 16 - 1);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        for (uint32_t i = 0; i < atoms * 16; i++) {
            const uint32_t at = i / 16 * piece + i % 16; /* of the run of bytes */
            const int wanted = i % 16 < piece ? from[at / whole * width * 16 + at % whole] : 0;
            cr_assert_eq(to[i], wanted, "seed %u, %ux%u, %u planes, last %u, pieces of %u: byte %u is %u, not %d", SEED,
                         height, width, planes, last, piece, i, to[i], wanted);
        }
        job_end(&j);
    }
}

/* Input and output of a move may be one memory: all is read before anything is written. */
Test(rkchip_dpu, moves_may_write_over_what_they_read) {
    uint8_t before[256];
    job j;
    stream s;
    job_begin(&j);
    uint8_t *bytes = job_memory(&j, AT_INPUT, 256);
    fill_noise(bytes, 256);
    memcpy(before, bytes, 256);
    stream_of(&s, STREAM_DPU);
    stream_set(&s, 0x400c, 0x321e5);
    stream_set(&s, 0x4010, 0x81000004);
    stream_set(&s, 0x4020, AT_INPUT);
    stream_set(&s, 0x4024, 0x10);
    stream_set(&s, 0x4030, 0x100000);
    stream_set(&s, 0x4034, 15);
    stream_set(&s, 0x4038, 0x70007);
    stream_set(&s, 0x4050, 0x2007fe);
    stream_set(&s, 0x40c0, 0x100);
    stream_set(&s, 0x5010, 15);
    stream_set(&s, 0x5014, 3);
    stream_set(&s, 0x5044, 0x927889);
    cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
    for (uint32_t i = 0; i < 256; i++) cr_assert_eq(bytes[i], before[i % 16 * 16 + i / 16]);
    job_end(&j);
}
