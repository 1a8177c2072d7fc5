/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of the guesses of `nnrt diff` that a planted fault of each class is named, in quantized tensors and in floats,
   of any shape and beside a little noise, that what is planted is said with its number, and that what is none of them
   is called unknown. */
#include <criterion/criterion.h>

#include "../../tools/diff_cause.h"

#define SEED 20261124u

#include "noise.h"

enum {
    MOST = 1 << 15
};

/* A pair, and what it is made of. */
typedef struct planted {
    double a[MOST], b[MOST];
    int32_t dims[4];
    diff_pair pair;
} planted;

static planted *begin(const int32_t *dims, size_t rank, double unit) {
    planted *p = (planted *)calloc(1, sizeof *p);
    cr_assert_not_null(p);
    p->pair.a = p->a;
    p->pair.b = p->b;
    p->pair.dims = p->dims;
    p->pair.rank = rank;
    p->pair.count = 1;
    for (size_t i = 0; i < rank; i++) {
        p->dims[i] = dims[i];
        p->pair.count *= (size_t)dims[i];
    }
    cr_assert(p->pair.count <= MOST);
    p->pair.unit = unit;
    p->pair.tolerance = unit > 0.0 ? 0.0 : 1e-5;
    for (size_t i = 0; i < p->pair.count; i++) {
        p->a[i] = unit > 0.0 ? unit * noise_in(-100, 100) : noise_in(-1000000, 1000000) / 1e6;
        p->b[i] = p->a[i];
    }
    return p;
}

/* One element in a hundred of B is off by one step, as kernels that round in another way leave it. */
static void add_noise(planted *p) {
    for (size_t i = 0; i < p->pair.count; i += 97) p->b[i] += p->pair.unit * noise_in(-1, 1);
}

static void is(planted *p, diff_cause wanted, const char *part) {
    const diff_guess guess = diff_guess_cause(&p->pair);
    cr_assert_eq((int)guess.cause, (int)wanted, "seed %u, %ux%ux%ux%u: %s, not %s: %s", SEED, (unsigned)p->dims[0],
                 (unsigned)p->dims[1], (unsigned)p->dims[2], (unsigned)p->dims[3], cause_name(guess.cause),
                 cause_name(wanted), guess.sentence);
    cr_assert_not_null(strstr(guess.sentence, part), "\"%s\" is not in \"%s\"", part, guess.sentence);
    free(p);
}

static const int32_t shapes[][4] = {{1, 16, 12, 8}, {1, 9, 7, 3},   {2, 8, 10, 5},
                                    {1, 28, 28, 1}, {1, 1, 24, 16}, {1, 32, 40, 24}};
#define EACH(s) for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)

static size_t index_of(const int32_t *dims, int32_t n, int32_t y, int32_t x, int32_t c) {
    return (size_t)(((n * dims[1] + y) * dims[2] + x) * dims[3] + c);
}

Test(diff_cause, equal_tensors_have_none) {
    EACH(s) is(begin(shapes[s], 4, 0.5), CAUSE_NONE, "");
    is(begin(shapes[0], 4, 0.0), CAUSE_NONE, "");
}

Test(diff_cause, one_step_is_rounding_and_two_are_not) {
    EACH(s) {
        planted *p = begin(shapes[s], 4, 0.25);
        for (size_t i = 0; i < p->pair.count; i++) p->b[i] += 0.25 * noise_in(-1, 1);
        is(p, CAUSE_ROUNDING, "one step, 0.25");
        p = begin(shapes[s], 4, 0.25);
        for (size_t i = 0; i < p->pair.count; i++) p->b[i] += 0.25 * noise_in(-2, 2);
        is(p, CAUSE_UNKNOWN, "none of the usual");
    }
}

Test(diff_cause, half_precision_is_rounding) {
    planted *p = begin(shapes[0], 4, 0.0);
    for (size_t i = 0; i < p->pair.count; i++) p->b[i] *= 1.0 + noise_in(-90, 90) / 100.0 / 1024.0;
    is(p, CAUSE_ROUNDING, "half precision");
}

Test(diff_cause, nchw_and_nhwc_are_a_layout) {
    for (int round = 0; round < 2; round++) EACH(s) {
            planted *p = begin(shapes[s], 4, round * 0.125);
            const int32_t *d = shapes[s];
            size_t to = 0;
            if (d[1] * d[2] == 1 || d[3] == 1) {
                free(p);
                continue;
            }
            for (int32_t n = 0; n < d[0]; n++)
                for (int32_t c = 0; c < d[3]; c++)
                    for (int32_t y = 0; y < d[1]; y++)
                        for (int32_t x = 0; x < d[2]; x++) p->b[to++] = p->a[index_of(d, n, y, x, c)];
            add_noise(p);
            is(p, CAUSE_LAYOUT, d[1] == 1 ? "in the order of its axes" : "0,3,1,2, as NCHW where A has NHWC");
        }
}

Test(diff_cause, nhwc_of_what_is_nchw_and_transposed_pictures_are_a_layout) {
    const int32_t d[4] = {1, 3, 14, 18}; /* NCHW */
    planted *p = begin(d, 4, 1.0);
    size_t to = 0;
    for (int32_t y = 0; y < d[2]; y++)
        for (int32_t x = 0; x < d[3]; x++)
            for (int32_t c = 0; c < d[1]; c++) p->b[to++] = p->a[index_of(d, 0, c, y, x)];
    is(p, CAUSE_LAYOUT, "0,2,3,1, as NHWC where A has NCHW");
    p = begin(shapes[0], 4, 1.0);
    to = 0;
    for (int32_t x = 0; x < shapes[0][2]; x++)
        for (int32_t y = 0; y < shapes[0][1]; y++)
            for (int32_t c = 0; c < shapes[0][3]; c++) p->b[to++] = p->a[index_of(shapes[0], 0, y, x, c)];
    is(p, CAUSE_LAYOUT, "axes 0,2,1,3");
    const int32_t matrix[2] = {40, 25};
    p = begin(matrix, 2, 0.0);
    to = 0;
    for (int32_t x = 0; x < 25; x++)
        for (int32_t y = 0; y < 40; y++) p->b[to++] = p->a[y * 25 + x];
    is(p, CAUSE_LAYOUT, "axes 1,0");
}

/* B is what a device keeps as NHWC, in the order of NCHW there, and both are shown as NCHW. */
Test(diff_cause, mistakes_in_the_layout_of_the_device_are_found_in_the_layout_of_the_tensor) {
    const int32_t d[4] = {1, 10, 6, 9}, nhwc[4] = {1, 6, 9, 10}; /* NCHW, and what the device has */
    for (int stride = 0; stride < 2; stride++) {
        planted *p = begin(d, 4, 0.5);
        double inside[540], spoiled[540];
        for (int32_t y = 0; y < 6; y++)
            for (int32_t x = 0; x < 9; x++)
                for (int32_t c = 0; c < 10; c++) inside[index_of(nhwc, 0, y, x, c)] = p->a[index_of(d, 0, c, y, x)];
        for (size_t i = 0; i < 540; i++) {
            const size_t padded = i % 96 < 90 ? i / 96 * 90 + i % 96 : 540;
            spoiled[i] = stride == 0 ? inside[i % 54 * 10 + i / 54] : padded < 540 ? inside[padded] : 0.0;
        }
        for (int32_t y = 0; y < 6; y++)
            for (int32_t x = 0; x < 9; x++)
                for (int32_t c = 0; c < 10; c++) p->b[index_of(d, 0, c, y, x)] = spoiled[index_of(nhwc, 0, y, x, c)];
        if (stride == 0) is(p, CAUSE_LAYOUT, "as NCHW where A has NHWC; both seen as NHWC");
        else is(p, CAUSE_STRIDE, "rows of 90 elements (axes 2 and on) lie 96 apart in B; both seen as NHWC");
    }
}

Test(diff_cause, bgr_is_a_channel_order_in_either_layout) {
    const int32_t nhwc[4] = {1, 20, 24, 3}, nchw[4] = {1, 3, 20, 24};
    planted *p = begin(nhwc, 4, 1.0);
    for (size_t i = 0; i < p->pair.count; i++) p->b[i] = p->a[i / 3 * 3 + 2 - i % 3];
    add_noise(p);
    is(p, CAUSE_CHANNELS, "axis 3 in the opposite order, as BGR");
    p = begin(nchw, 4, 0.0);
    for (size_t i = 0; i < p->pair.count; i++) p->b[i] = p->a[(2 - i / 480) * 480 + i % 480];
    is(p, CAUSE_CHANNELS, "axis 1 in the opposite order, as BGR");
}

Test(diff_cause, a_constant_is_a_zero_point_also_where_it_runs_into_the_end) {
    EACH(s) for (int steps = -40; steps <= 40; steps += 16) {
        planted *p = begin(shapes[s], 4, 0.5);
        char part[64];
        for (size_t i = 0; i < p->pair.count; i++) {
            const double value = p->a[i] + 0.5 * steps;
            p->b[i] = value < -64.0 ? -64.0 : value > 63.5 ? 63.5 : value;
        }
        (void)snprintf(part, sizeof part, "%+d steps", steps);
        is(p, CAUSE_ZERO_POINT, part);
    }
    planted *p = begin(shapes[0], 4, 0.0);
    for (size_t i = 0; i < p->pair.count; i++) p->b[i] += 0.375;
    is(p, CAUSE_ZERO_POINT, "+0.375");
}

Test(diff_cause, a_factor_is_a_scale) {
    static const double factors[] = {0.5, 0.8, 1.25, 2.0, 10.0};
    EACH(s) for (size_t f = 0; f < sizeof factors / sizeof factors[0]; f++) {
        planted *p = begin(shapes[s], 4, s % 2 == 0 ? 0.0 : 0.01);
        char part[64];
        for (size_t i = 0; i < p->pair.count; i++) p->b[i] *= factors[f];
        (void)snprintf(part, sizeof part, "A times %g", factors[f]);
        is(p, CAUSE_SCALE, part);
    }
}

Test(diff_cause, a_factor_and_a_constant_are_both) {
    planted *p = begin(shapes[1], 4, 0.0);
    for (size_t i = 0; i < p->pair.count; i++) p->b[i] = 1.5 * p->b[i] + 0.25;
    is(p, CAUSE_AFFINE, "times 1.5, +0.25");
}

Test(diff_cause, what_is_cut_off_at_its_ends_is_saturated) {
    EACH(s) {
        planted *p = begin(shapes[s], 4, 0.5);
        for (size_t i = 0; i < p->pair.count; i++) p->b[i] = p->a[i] < -10.0 ? -10.0 : p->a[i] > 30.0 ? 30.0 : p->a[i];
        add_noise(p);
        is(p, CAUSE_SATURATION, "cut off to -10");
    }
}

Test(diff_cause, what_wraps_around_has_overflown) {
    EACH(s) {
        planted *p = begin(shapes[s], 4, 1.0);
        for (size_t i = 0; i < p->pair.count; i++) {
            p->a[i] *= 1.5;
            p->b[i] = p->a[i] > 127.0 ? p->a[i] - 256.0 : p->a[i] < -128.0 ? p->a[i] + 256.0 : p->a[i];
        }
        is(p, CAUSE_OVERFLOW, "8 bits");
    }
}

Test(diff_cause, padded_rows_are_a_stride) {
    static const struct {
        int32_t dims[4];
        size_t length, apart;
    } rows[] = {{{1, 20, 20, 1}, 20, 32},
                {{1, 20, 21, 3}, 63, 64},
                {{1, 16, 16, 3}, 3, 4},
                {{1, 12, 10, 6}, 6, 8},
                {{1, 3, 30, 31}, 31, 48}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int way = 0; way < 2; way++) {
            planted *p = begin(rows[r].dims, 4, 1.0);
            const size_t length = rows[r].length, apart = rows[r].apart;
            char part[64];
            for (size_t i = 0; i < p->pair.count; i++) {
                const size_t in_row = way == 0 ? apart : length, row = i / in_row, x = i % in_row;
                const size_t from = row * (way == 0 ? length : apart) + x;
                p->b[i] = from >= p->pair.count || x >= length ? 0.0 : p->a[from];
            }
            (void)snprintf(part, sizeof part, "rows of %u elements", (unsigned)length);
            is(p, CAUSE_STRIDE, part);
        }
}

Test(diff_cause, what_is_moved_by_some_elements_is_shifted) {
    for (int shift = -37; shift <= 37; shift += 13) {
        planted *p = begin(shapes[5], 4, 0.5);
        char part[64];
        for (size_t i = 0; i < p->pair.count; i++) {
            const long from = (long)i - shift;
            p->b[i] = from < 0 || from >= (long)p->pair.count ? 0.0 : p->a[from];
        }
        (void)snprintf(part, sizeof part, "%d elements %s", shift < 0 ? -shift : shift,
                       shift < 0 ? "in front of" : "behind");
        if (shift != 0) is(p, CAUSE_SHIFT, part);
        else is(p, CAUSE_NONE, "");
    }
}

Test(diff_cause, other_numbers_and_a_single_wrong_one_are_unknown) {
    EACH(s) for (int round = 0; round < 2; round++) {
        planted *p = begin(shapes[s], 4, round * 0.5), *q = begin(shapes[s], 4, round * 0.5);
        memcpy(p->b, q->a, sizeof p->b);
        free(q);
        is(p, CAUSE_UNKNOWN, "");
        p = begin(shapes[s], 4, round * 0.5);
        p->b[p->pair.count / 2] += 7.0 * (round + 1);
        is(p, CAUSE_UNKNOWN, "");
    }
}

Test(diff_cause, of_scalars_and_a_few_elements_nothing_is_guessed) {
    const int32_t few[1] = {7};
    planted *p = begin(few, 1, 0.0);
    p->b[3] += 1.0;
    is(p, CAUSE_UNKNOWN, "too few");
    p = begin(few, 0, 0.0);
    p->b[0] += 1.0;
    is(p, CAUSE_UNKNOWN, "too few");
    p = begin(few, 1, 0.0);
    p->b[0] = p->a[0] = NAN;
    is(p, CAUSE_NONE, "");
    p = begin(few, 1, 0.0);
    p->b[0] = NAN;
    is(p, CAUSE_UNKNOWN, "");
}
