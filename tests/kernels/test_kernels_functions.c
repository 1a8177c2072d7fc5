/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_functions.c - float functions of one operand and softmax on every instruction set: near the formula in
   double precision by the bounds of kernels/vectors_f32.h, for every length and place, in place, and for the numbers
   that are none. Buffers are malloc'd to their exact size. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 83119u

#include "noise.h"

#if NNRT__HAVE_NEON && !defined(__aarch64__)
#define BOUND 1e-6
#else
#define BOUND 5e-7
#endif
#define LEAST 2e-38 /* what may be 0, and a factor of x before it */

/* The tables of the levels that this machine has, one after the other; false: there are no more. */
static bool next_table(nnrt__cpu_table *table, size_t *target) {
    for (; *target < NNRT__TARGET_COUNT; (*target)++) {
        if ((nnrt__targets[*target].isa & ~nnrt__cpu_detect()) != 0) continue;
        nnrt__cpu_select(table, nnrt__targets[(*target)++].isa);
        return true;
    }
    return false;
}

static float *floats(size_t n, double low, double high) {
    float *p = (float *)malloc(n * sizeof(float) + (n == 0));
    size_t i;
    cr_assert_not_null(p);
    for (i = 0; i < n; i++) p[i] = (float)noise_between(low, high);
    return p;
}

/* What kind means, with alpha 1 and beta 0; of CLIP -1 and 1, of LEAKY_RELU 0.25. */
static double formula(uint32_t kind, double x) {
    switch (kind) {
    case NNRT__UNARY_CLIP: return fmin(fmax(x, -1), 1);
    case NNRT__UNARY_LEAKY_RELU: return x < 0 ? x * 0.25 : x;
    case NNRT__UNARY_HSWISH: return x * fmin(fmax(x + 3, 0), 6) / 6;
    case NNRT__UNARY_HARD_SIGMOID: return fmin(fmax(x + 3, 0), 6) / 6;
    case NNRT__UNARY_SIGMOID: return 1 / (1 + exp(-x));
    case NNRT__UNARY_TANH: return tanh(x);
    case NNRT__UNARY_SWISH: return x / (1 + exp(-x));
    case NNRT__UNARY_GELU_TANH: return x / (1 + exp(-2 * sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
    case NNRT__UNARY_ABS: return fabs(x);
    case NNRT__UNARY_SQUARE: return x * x;
    case NNRT__UNARY_EXP: return exp(x);
    default: return x < 0 ? expm1(x) : x;
    }
}

static float alpha_of(uint32_t kind) {
    return kind == NNRT__UNARY_CLIP ? -1.0f : kind == NNRT__UNARY_LEAKY_RELU ? 0.25f : 1.0f;
}
static float beta_of(uint32_t kind) { return kind == NNRT__UNARY_CLIP ? 1.0f : 0.0f; }

static double bound(uint32_t kind, double x) {
    const double is = fabs(formula(kind, x));
    switch (kind) {
    case NNRT__UNARY_CLIP:
    case NNRT__UNARY_LEAKY_RELU:
    case NNRT__UNARY_ABS: return 0;
    case NNRT__UNARY_GELU_TANH: return is * (BOUND + 3e-7 * fabs(1.6 * x + 0.0714 * x * x * x)) + LEAST * (1 + fabs(x));
    case NNRT__UNARY_HARD_SIGMOID:
    case NNRT__UNARY_HSWISH: return fabs(x) < 3 ? BOUND * (fabs(x) + 1) : is * BOUND; /* x + 3 is rounded */
    default: return is * BOUND + LEAST * (1 + fabs(x));
    }
}

static void check_near(const char *isa, uint32_t kind, float x, float is) {
    const double want = formula(kind, (double)x);
    if (want > 3.4e38 && is > 3.4e38f) return;
    cr_assert_leq(fabs((double)is - want), bound(kind, (double)x), "%s, kind %u of %.9g: %.9g, not %.9g", isa, kind,
                  (double)x, (double)is, want);
}

/* Denormals are left out: ARMv7 has none in its vectors. */
static bool is_small(double x) { return fabs(x) < 1.2e-38; }

Test(unary_f32, every_instruction_set_is_near_the_formula_over_the_whole_range) {
    nnrt__cpu_table table;
    size_t target = 0;
    while (next_table(&table, &target)) {
        uint32_t kind;
        for (kind = 0; kind < NNRT__UNARY_KINDS; kind++) {
            static const double ranges[] = {1e-4, 1, 4, 20, 100};
            float x[512], y[512];
            size_t i, k;
            if ((table.unary_f32_kinds >> kind & 1) == 0) continue; /* portable C is as good as its library */
            for (k = 0; k < NNRT__COUNT_OF(ranges); k++) {
                for (i = 0; i < 512; i++) x[i] = (float)noise_between(-ranges[k], ranges[k]);
                table.unary_f32(kind, x, alpha_of(kind), beta_of(kind), y, 512);
                for (i = 0; i < 512; i++)
                    if (!is_small((double)x[i]) && !is_small(formula(kind, (double)x[i])))
                        check_near(table.unary_f32_isa, kind, x[i], y[i]);
            }
        }
    }
}

Test(unary_f32, exponentials_reach_the_largest_float_and_are_infinite_behind_it_and_nothing_far_below) {
    static const float numbers[] = {88.3f, 88.4f, 88.72f, 88.8f,  89.0f, 100.0f,   1e9f,    88.0f,
                                    -80.f, -87.f, -88.0f, -104.f, -1e9f, 87.9999f, 3.4e38f, -3.4e38f};
    nnrt__cpu_table table;
    size_t target = 0, i;
    while (next_table(&table, &target)) {
        float y[NNRT__COUNT_OF(numbers)];
        table.unary_f32(NNRT__UNARY_EXP, numbers, 1.0f, 0.0f, y, NNRT__COUNT_OF(numbers));
        for (i = 0; i < NNRT__COUNT_OF(numbers); i++) {
            if (exp((double)numbers[i]) > 3.402824e38) cr_assert(isinf(y[i]), "e^%g", (double)numbers[i]);
            else check_near(table.unary_f32_isa, NNRT__UNARY_EXP, numbers[i], y[i]);
        }
        table.unary_f32(NNRT__UNARY_EXP, numbers, 0.5f, 2.0f, y, NNRT__COUNT_OF(numbers));
        for (i = 0; i < NNRT__COUNT_OF(numbers); i++) {
            const double want = exp((double)(0.5f * numbers[i] + 2.0f));
            if (want > 3.402824e38) continue;
            cr_assert_leq(fabs((double)y[i] - want), want * 1e-5 + LEAST, "e^(%g / 2 + 2)", (double)numbers[i]);
        }
    }
}

/* A NaN is the low bound of CLIP, 0 of the hard ones, and else one; of an infinity there is a limit, or a NaN. */
Test(unary_f32, numbers_that_are_none_are_what_portable_c_makes_of_them) {
    const float numbers[9] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, NAN, 3e38f, -3e38f, INFINITY};
    nnrt__cpu_table table;
    size_t target = 0, i;
    while (next_table(&table, &target)) {
        uint32_t kind;
        for (kind = 0; kind < NNRT__UNARY_KINDS; kind++) {
            float is[9], want[9];
            nnrt__unary_f32_scalar(kind, numbers, alpha_of(kind), beta_of(kind), want, 9);
            table.unary_f32(kind, numbers, alpha_of(kind), beta_of(kind), is, 9);
            for (i = 0; i < 9; i++)
                cr_assert(isnan(want[i]) ? isnan(is[i]) : is[i] == want[i], "%s, kind %u of %g: %g, not %g",
                          table.unary_f32_isa, kind, (double)numbers[i], (double)is[i], (double)want[i]);
        }
    }
}

/* One by one, as the last of a row, in place: an element's result is the same wherever it stands. */
Test(unary_f32, a_result_does_not_depend_on_the_length_of_the_row_or_the_place_in_it) {
    nnrt__cpu_table table;
    size_t target = 0;
    while (next_table(&table, &target)) {
        size_t n;
        for (n = 0; n <= 130; n = n == 35 ? 62 : n == 66 ? 126 : n + 1) { /* around vectors of 64 and 128 floats, too */
            uint32_t kind;
            for (kind = 0; kind < NNRT__UNARY_KINDS; kind++) {
                float *in = floats(n, 0.1, 5), *out = floats(n + 1, 0, 1);
                size_t i;
                out[n] = 12345.0f;
                table.unary_f32(kind, in, 0.5f, 2.0f, out, n);
                cr_assert(out[n] == 12345.0f);
                for (i = 0; i < n; i++) {
                    float one;
                    table.unary_f32(kind, in + i, 0.5f, 2.0f, &one, 1);
                    cr_assert_eq(memcmp(&one, &out[i], sizeof one), 0, "%s, kind %u, element %zu of %zu",
                                 table.unary_f32_isa, kind, i, n);
                }
                table.unary_f32(kind, in, 0.5f, 2.0f, in, n);
                cr_assert_eq(memcmp(in, out, n * sizeof *in), 0, "%s, kind %u, %zu in place", table.unary_f32_isa, kind,
                             n);
                free(in), free(out);
            }
        }
    }
}

static void check_softmax(const nnrt__cpu_table *table, size_t n, size_t stride, double range, bool in_place) {
    const size_t size = (n - 1) * stride + 1;
    float *in = floats(size, -range, range), *to = in_place ? in : floats(size, 5, 6);
    double most = -1e300, sum = 0, *want = (double *)malloc(n * sizeof *want);
    size_t i;
    cr_assert_not_null(want);
    for (i = 0; i < n; i++) most = fmax(most, (double)in[i * stride]);
    for (i = 0; i < n; i++) sum += want[i] = exp((double)in[i * stride] - most);
    table->softmax_f32(in, to, n, stride, NULL);
    for (i = 0; i < n; i++) {
        /* the difference to the largest is rounded */
        const double near = want[i] / sum * (2 * BOUND + 6e-8 * 2 * range) + LEAST;
        cr_assert_leq(fabs((double)to[i * stride] - want[i] / sum), near, "%s: element %zu of %zu: %.9g, not %.9g",
                      table->softmax_f32_isa, i, n, (double)to[i * stride], want[i] / sum);
    }
    for (i = 0; i < size && !in_place; i++)
        if (i % stride != 0) cr_assert(to[i] >= 5.0f, "what lies between is left alone");
    free(want), free(in);
    if (!in_place) free(to);
}

Test(softmax_f32, rows_of_every_length_are_near_the_formula_in_place_or_not_and_with_spaces) {
    nnrt__cpu_table table;
    size_t target = 0;
    while (next_table(&table, &target)) {
        size_t n;
        for (n = 1; n <= 300; n++) {
            check_softmax(&table, n, 1, n % 3 == 0 ? 60 : 4, false);
            if (n < 40) check_softmax(&table, n, 1, 4, true), check_softmax(&table, n, 3, 4, n % 2 != 0);
        }
        check_softmax(&table, 70001, 1, 8, false);
    }
}

/* As attention masks are: what is masked is exactly 0. */
Test(softmax_f32, what_is_far_below_is_0_and_a_nan_makes_all_of_a_row_one) {
    nnrt__cpu_table table;
    size_t target = 0;
    while (next_table(&table, &target)) {
        size_t n, i, k;
        for (n = 1; n <= 20; n++)
            for (k = 0; k < n; k++) {
                float *x = floats(n, -3, 3), *y = floats(n, 0, 1);
                x[k] = n == 1 ? 0.0f : -1e9f;
                table.softmax_f32(x, y, n, 1, NULL);
                cr_assert(y[k] == (n == 1 ? 1.0f : 0.0f), "%s: %g", table.softmax_f32_isa, (double)y[k]);
                x[k] = NAN;
                table.softmax_f32(x, y, n, 1, NULL);
                for (i = 0; i < n; i++) cr_assert(isnan(y[i]), "%s: %zu of %zu", table.softmax_f32_isa, i, n);
                free(x), free(y);
            }
    }
}
