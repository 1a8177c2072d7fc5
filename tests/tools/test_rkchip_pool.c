/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of pools in tools/rkchip that each lane is the largest of its window, for kernels of 1 to 16, strides,
   padding, rows and planes that lie apart on both sides, and tiles of columns, or the mean of 2 x 2, halves to even;
   and that nothing else is written. */
#include <criterion/criterion.h>

#define SEED 20261127u

#include "rkchip_stream.h"

typedef struct pool {
    uint32_t height, width, channels, out_height, out_width;
    uint32_t kernel_height, kernel_width, step_y, step_x, pad_top, pad_left;
    uint32_t row_gap, out_row_gap;     /* pixels */
    uint32_t plane_gap, out_plane_gap; /* bytes */
    bool averages;                     /* of 2 x 2 */
} pool;

static void pool_words(const pool *p, stream *s) {
    const uint32_t row = (p->width + p->row_gap) * 16, lanes = planes_of(p->channels) * 16;
    const uint32_t out_plane = (p->out_width + p->out_row_gap) * 16 * p->out_height + p->out_plane_gap;
    stream_of(s, STREAM_POOL);
    stream_set(s, 0x600c, p->width - 1);
    stream_set(s, 0x6010, p->height - 1);
    stream_set(s, 0x6014, lanes - 1);
    stream_set(s, 0x6018, p->out_width - 1);
    stream_set(s, 0x601c, p->out_height - 1);
    stream_set(s, 0x6020, lanes - 1);
    stream_set(s, 0x6024, p->out_row_gap << 16 | (p->averages ? 0x10 : 0x11));
    stream_set(s, 0x6034,
               (p->step_y - 1) << 20 | (p->step_x - 1) << 16 | (p->kernel_height - 1) << 8 | (p->kernel_width - 1));
    for (uint32_t name = 0x6038; name <= 0x603c && p->averages; name += 4) stream_set(s, name, 0x8000);
    stream_set(s, 0x6040, p->pad_top << 4 | p->pad_left);
    stream_set(s, 0x607c, out_plane);
    stream_set(s, 0x6084, out_plane);
    stream_set(s, 0x700c, p->width - 1);
    stream_set(s, 0x7010, p->height - 1);
    stream_set(s, 0x7014, lanes - 1);
    stream_set(s, 0x7024, row);
    stream_set(s, 0x7028, row * p->height + p->plane_gap);
}

static int pool_reference(const pool *p, const uint8_t *from, uint32_t y, uint32_t x, uint32_t c) {
    const size_t row = (size_t)(p->width + p->row_gap) * 16;
    int most = -1000, sum = 0;
    for (int64_t ky = 0; ky < p->kernel_height; ky++)
        for (int64_t kx = 0; kx < p->kernel_width; kx++) {
            const int64_t at_y = (int64_t)y * p->step_y + ky - p->pad_top,
                          at_x = (int64_t)x * p->step_x + kx - p->pad_left;
            if (at_y < 0 || at_x < 0 || at_y >= p->height || at_x >= p->width) continue;
            const int8_t value =
                (int8_t)from[plane_at(row * p->height + p->plane_gap, row, (uint32_t)at_y, (uint32_t)at_x, c)];
            if (value > most) most = value;
            sum += value;
        }
    return p->averages ? (int)nearest_even(sum, 2) : most;
}

static void pool_check(const pool *p) {
    const size_t row = (size_t)(p->width + p->row_gap) * 16, plane = row * p->height + p->plane_gap;
    const size_t out_row = (size_t)(p->out_width + p->out_row_gap) * 16;
    const size_t out_plane = out_row * p->out_height + p->out_plane_gap;
    const uint32_t planes = planes_of(p->channels);
    const size_t input = plane * (planes - 1) + row * (p->height - 1) + (size_t)p->width * 16;
    const size_t output = out_plane * (planes - 1) + out_row * (p->out_height - 1) + (size_t)p->out_width * 16;
    uint8_t *wanted = (uint8_t *)malloc(output);
    job j;
    stream s;
    cr_assert_not_null(wanted);
    memset(wanted, STREAM_FILL, output);
    job_begin(&j);
    uint8_t *from = job_memory(&j, AT_INPUT, input), *to = job_memory(&j, AT_OUTPUT, output);
    fill_noise(from, input);
    for (uint32_t y = 0; y < p->out_height; y++)
        for (uint32_t x = 0; x < p->out_width; x++)
            for (uint32_t c = 0; c < planes * 16; c++)
                wanted[plane_at(out_plane, out_row, y, x, c)] = (uint8_t)pool_reference(p, from, y, x, c);
    pool_words(p, &s);
    cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    for (size_t i = 0; i < output; i++)
        cr_assert_eq(to[i], wanted[i], "seed %u: %ux%ux%u, kernel %ux%u, step %ux%u: byte %zu is %u, not %u", SEED,
                     p->height, p->width, p->channels, p->kernel_height, p->kernel_width, p->step_y, p->step_x, i,
                     to[i], wanted[i]);
    job_end(&j);
    free(wanted);
}

static pool pool_of(uint32_t height, uint32_t width, uint32_t channels, uint32_t kernel_height, uint32_t kernel_width,
                    uint32_t step_y, uint32_t step_x, uint32_t pad_top, uint32_t pad_left) {
    const pool p = {height,
                    width,
                    channels,
                    (height + 2 * pad_top - kernel_height) / step_y + 1,
                    (width + 2 * pad_left - kernel_width) / step_x + 1,
                    kernel_height,
                    kernel_width,
                    step_y,
                    step_x,
                    pad_top,
                    pad_left,
                    0,
                    0,
                    0,
                    0,
                    false};
    return p;
}

Test(rkchip_pool, kernels_strides_and_padding_of_any_kind) {
    for (uint32_t kernel = 1; kernel <= 16; kernel++)
        for (uint32_t step = 1; step <= 4; step++) {
            const uint32_t pad = kernel / 2 < 7 ? kernel / 2 : 7;
            const pool p = pool_of(17, 18, 16 * (1 + kernel % 3), kernel, 17 - kernel, step, 5 - step, pad * (step % 2),
                                   (17 - kernel) / 2 < 7 ? (17 - kernel) / 2 : 7);
            pool_check(&p);
        }
}

Test(rkchip_pool, strides_of_16_and_kernels_that_leave_gaps) {
    const pool p = pool_of(35, 34, 16, 3, 2, 16, 16, 0, 1);
    pool_check(&p);
}

Test(rkchip_pool, rows_and_planes_may_lie_apart) {
    for (uint32_t round = 0; round < 16; round++) {
        pool p = pool_of(6, 7, 48, 3, 2, 1, 2, 1, 0);
        p.row_gap = round % 2 * 3;
        p.out_row_gap = round / 2 % 2 * 5;
        p.plane_gap = round / 4 % 2 * 32;
        p.out_plane_gap = round / 8 * 48;
        pool_check(&p);
    }
}

/* The two tasks that vendors' streams have for 20 columns: 12 of the input to 10 of the output, from each end, with
   padding on one side of each. Together they are the pool of the whole map. */
Test(rkchip_pool, two_tiles_of_columns_are_one_pool) {
    const pool whole = pool_of(20, 20, 32, 5, 5, 1, 1, 2, 2);
    pool tile = pool_of(20, 12, 32, 5, 5, 1, 1, 2, 2);
    const size_t plane = 20 * 20 * 16;
    job j;
    stream s;
    job_begin(&j);
    uint8_t *from = job_memory(&j, AT_INPUT, 2 * plane), *to = job_memory(&j, AT_OUTPUT, 2 * plane);
    fill_noise(from, 2 * plane);
    tile.out_width = 10;
    tile.row_gap = 8;
    tile.out_row_gap = 10;
    pool_words(&tile, &s);
    cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    tile.pad_left = 0;
    pool_words(&tile, &s);
    stream_set(&s, 0x701c, AT_INPUT + 8 * 16);
    stream_set(&s, 0x6070, AT_OUTPUT + 10 * 16);
    cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    for (uint32_t y = 0; y < 20; y++)
        for (uint32_t x = 0; x < 20; x++)
            for (uint32_t c = 0; c < 32; c++)
                cr_assert_eq((int8_t)to[plane_at(plane, 320, y, x, c)], pool_reference(&whole, from, y, x, c),
                             "at %u,%u,%u", y, x, c);
    job_end(&j);
}

Test(rkchip_pool, a_map_of_the_smallest_values_stays_one) {
    const pool p = pool_of(4, 4, 16, 3, 3, 1, 1, 1, 1);
    job j;
    stream s;
    job_begin(&j);
    memset(job_memory(&j, AT_INPUT, 256), 0x80, 256);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 256);
    pool_words(&p, &s);
    cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    for (size_t i = 0; i < 256; i++) cr_assert_eq(to[i], 0x80);
    job_end(&j);
}

Test(rkchip_pool, averages_of_2_by_2_of_any_size) {
    for (uint32_t round = 0; round < 48; round++) {
        pool p =
            pool_of(2 + round % 7, 2 + round % 5, 16 * (1 + round % 3), 2, 2, 1 + round % 2, 1 + round / 2 % 2, 0, 0);
        p.averages = true;
        p.row_gap = round / 4 % 2 * 3;
        p.out_row_gap = round / 8 % 2 * 5;
        p.plane_gap = round / 16 % 2 * 32;
        p.out_plane_gap = round / 16 % 2 * 48;
        pool_check(&p);
    }
}

/* Of one sum, halves on both sides of 0: not row by row, where (1 + 0) / 2 would be 0 twice. */
Test(rkchip_pool, halves_of_an_average_go_to_the_even_neighbour) {
    static const int8_t pixels[4][16] = {{1, 1, 3, 5, -1, -1, -3, -5, 127, -128, 1, 2, 127, -128, 0, 7},
                                         {1, 1, 3, 5, -1, -1, -3, -5, 127, -128, 0, 0, 127, -128, 0, 7},
                                         {0, 4, 0, 0, 0, -4, 0, 0, 127, -128, 1, 2, 127, -128, 0, 6},
                                         {0, 4, 0, 0, 0, -4, 0, 0, 127, -128, 0, 3, 125, -126, 0, 6}};
    static const int8_t wanted[16] = {0, 2, 2, 2, 0, -2, -2, -2, 127, -128, 0, 2, 126, -128, 0, 6};
    pool p = pool_of(2, 2, 16, 2, 2, 2, 2, 0, 0);
    job j;
    stream s;
    p.averages = true;
    job_begin(&j);
    memcpy(job_memory(&j, AT_INPUT, 64), pixels, 64);
    const uint8_t *to = job_memory(&j, AT_OUTPUT, 16);
    pool_words(&p, &s);
    cr_assert(job_run(&j, &s, STREAM_POOL), "%s", j.chip->sentence);
    for (int i = 0; i < 16; i++) cr_assert_eq((int8_t)to[i], wanted[i], "lane %d is %d", i, (int8_t)to[i]);
    job_end(&j);
}

/* How other windows are divided, and what padding counts for, is not known. */
Test(rkchip_pool, averages_of_other_windows_are_refused) {
    static const struct {
        uint32_t name, value;
        const char *part;
    } words[] = {{0x6034, 0x110201, "register 0x6024 is 0x00000010: averages"},
                 {0x6034, 0x110102, "register 0x6024 is 0x00000010: averages"},
                 {0x6034, 0x110000, "register 0x6024 is 0x00000010: averages"},
                 {0x6040, 0x0001, "register 0x6024 is 0x00000010: averages"},
                 {0x6040, 0x1000, "register 0x6024 is 0x00000010: averages"},
                 {0x6018, 2, "register 0x6024 is 0x00000010: averages"},
                 {0x601c, 2, "register 0x6024 is 0x00000010: averages"},
                 {0x6038, 0, "register 0x6038 is 0x00000000: 0x00008000 follows"},
                 {0x603c, 0, "register 0x603c is 0x00000000: 0x00008000 follows"},
                 {0x6024, 0x11, "register 0x6038 is 0x00008000: 0x00000000 follows"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        pool p = pool_of(4, 4, 16, 2, 2, 2, 2, 0, 0);
        job j;
        stream s;
        p.averages = true;
        job_begin(&j);
        memset(job_memory(&j, AT_INPUT, 256), 1, 256);
        const uint8_t *to = job_memory(&j, AT_OUTPUT, 256);
        pool_words(&p, &s);
        stream_set(&s, words[i].name, words[i].value);
        cr_assert_not(job_run(&j, &s, STREAM_POOL), "0x%04x: 0x%x", words[i].name, words[i].value);
        cr_assert_not_null(strstr(j.chip->sentence, words[i].part), "%s", j.chip->sentence);
        for (size_t k = 0; k < 256; k++) cr_assert_eq(to[k], STREAM_FILL);
        job_end(&j);
    }
}

/* Nobody knows what is written there: rows before the map of a kernel of one row, or behind it. */
Test(rkchip_pool, a_window_of_padding_alone_is_refused_and_writes_nothing) {
    for (uint32_t side = 0; side < 3; side++) {
        pool p = pool_of(3, 3, 16, 1, 1, 1, 1, 0, 0);
        job j;
        stream s;
        p.pad_top = side == 0;
        p.out_height += side < 2;
        p.out_width += side == 2;
        job_begin(&j);
        memset(job_memory(&j, AT_INPUT, 144), 1, 144);
        const uint8_t *to = job_memory(&j, AT_OUTPUT, 192);
        pool_words(&p, &s);
        cr_assert_not(job_run(&j, &s, STREAM_POOL));
        cr_assert_not_null(strstr(j.chip->sentence, "task 0: register 0x6040 is 0x000000"), "%s", j.chip->sentence);
        for (size_t i = 0; i < 192; i++) cr_assert_eq(to[i], STREAM_FILL);
        job_end(&j);
    }
}
