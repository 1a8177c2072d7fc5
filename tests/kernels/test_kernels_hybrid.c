/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_hybrid.c - proves of the hybrid kernels of every instruction set: quantizing stays within half a step
   and rounds ties away from zero, whatever the input holds; the product stays within its bound around exact integers
   and double precision, for shared and per-channel scales, is the same floats everywhere, and touches nothing outside
   exact-size buffers. */
#include "linked_kernels.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum {
    SEED = 20240608
};

#include "levels.h"
#include "noise.h"

static void *exactly(size_t size) {
    void *p = malloc(size + (size == 0));
    cr_assert_not_null(p);
    return p;
}

/* Fills the table for the next level that this processor has and that has such kernels of its own; false after the
   last. Starts with *cap = 0. */
static bool next_table(nnrt__cpu_table *table, unsigned *cap) {
    while (*cap < NNRT__TARGET_COUNT) {
        const nnrt__target *target = &nnrt__targets[(*cap)++];
        if ((target->isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(table, target->isa);
        if (strcmp(table->gemm_hybrid_isa, target->name) == 0) return true;
    }
    return false;
}

/* What portable C makes of exact-size copies of the given values; every instruction set gives the same. */
static int8_t *quantized(const float *values, size_t count, float *scale) {
    nnrt__cpu_table table;
    float *in = (float *)exactly(count * sizeof *in);
    int8_t *out = (int8_t *)exactly(count);
    if (count) memcpy(in, values, count * sizeof *in);
    nnrt__quantize_symmetric_f32_scalar(in, count, out, scale);
    for (unsigned cap = 0; next_table(&table, &cap);) {
        int8_t *other = (int8_t *)exactly(count);
        float other_scale;
        table.quantize_symmetric_f32(in, count, other, &other_scale);
        cr_assert(other_scale == *scale, "%s: scale %g, not %g", table.quantize_symmetric_f32_isa, (double)other_scale,
                  (double)*scale);
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(other[i], out[i], "%s: %zu of %zu: %.9g of scale %.9g became %d, not %d",
                         table.quantize_symmetric_f32_isa, i, count, (double)in[i], (double)*scale, other[i], out[i]);
        free(other);
    }
    free(in);
    return out;
}

Test(hybrid, quantizing_stays_within_half_a_step_and_uses_the_whole_range) {
    static const float sizes[] = {1e-30f, 1e-3f, 1.0f, 127.0f, 1e6f, 1e38f};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t count = 1; count <= 70; count++) {
            float in[70], scale, range = 0;
            int8_t *out;
            bool full = false;
            for (size_t i = 0; i < count; i++) {
                in[i] = (float)(int32_t)noise() / 2147483648.0f * sizes[s];
                range = fabsf(in[i]) > range ? fabsf(in[i]) : range;
            }
            out = quantized(in, count, &scale);
            cr_assert(scale == range / 127.0f, "count=%zu: scale %g for range %g", count, (double)scale, (double)range);
            for (size_t i = 0; i < count; i++) {
                const double error = fabs((double)in[i] - out[i] * (double)scale);
                cr_assert(out[i] >= -127, "out[%zu] is -128", i);
                cr_assert(error <= (double)scale * (0.5 + ldexp(1, -14)), "seed=%d size=%g: %.9g became %d * %.9g",
                          (int)SEED, (double)sizes[s], (double)in[i], out[i], (double)scale);
                full = full || abs(out[i]) == 127;
            }
            cr_assert(full, "count=%zu: the largest is not 127", count);
            free(out);
        }
}

Test(hybrid, ties_go_away_from_zero_and_what_is_just_below_does_not) {
    /* the range is 127, so a step is 1 */
    static const float in[] = {127.0f, 0.5f,   -0.5f,   0.49999997f, -0.49999997f, 1.5f, -1.5f, 2.5f,
                               -2.5f,  126.5f, -126.5f, 126.49999f,  -127.0f,      0.0f, -0.0f};
    static const int want[] = {127, 1, -1, 0, 0, 2, -2, 3, -3, 127, -127, 126, -127, 0, 0};
    float scale;
    int8_t *out = quantized(in, sizeof in / sizeof *in, &scale);
    cr_assert(scale == 1.0f);
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        cr_assert_eq(out[i], want[i], "%.9g became %d, not %d", (double)in[i], out[i], want[i]);
    free(out);
}

Test(hybrid, every_float_beside_a_tie_rounds_as_it_should_in_every_lane) {
    for (int tie = 0; tie < 127; tie++)
        for (int side = -1; side <= 1; side++) {
            float in[40], scale;
            int8_t *out;
            for (int i = 0; i < 40; i++) {
                const float half = (float)tie + 0.5f;
                in[i] = side == 0 ? half : nextafterf(half, side > 0 ? 1000.0f : 0.0f);
                if (i % 2) in[i] = -in[i];
            }
            in[tie % 40] = 127.0f;
            out = quantized(in, 40, &scale);
            for (int i = 0; i < 40; i++) {
                const int want = side < 0 ? tie : tie + 1;
                if (i != tie % 40) cr_assert_eq(out[i], i % 2 ? -want : want, "%.9g became %d", (double)in[i], out[i]);
            }
            free(out);
        }
}

Test(hybrid, zeros_nans_infinities_and_denormals_have_an_answer) {
    static const float zeros[] = {0.0f, -0.0f, 0.0f}, nans[] = {NAN, 2.0f, -1.0f, NAN}, only_nan[] = {NAN};
    static const float infinite[] = {1.0f, -INFINITY, INFINITY}, tiny[] = {1e-45f, 0.0f, -1e-45f};
    float scale;
    int8_t *out = quantized(zeros, 3, &scale);
    cr_assert(scale == 1.0f && !out[0] && !out[1] && !out[2]);
    free(out);
    out = quantized(zeros, 0, &scale);
    cr_assert(scale == 1.0f);
    free(out);
    out = quantized(nans, 4, &scale);
    cr_assert(scale == 2.0f / 127.0f && out[0] == 0 && out[1] == 127 && out[2] == -64 && out[3] == 0);
    free(out);
    out = quantized(only_nan, 1, &scale);
    cr_assert(scale == 1.0f && out[0] == 0);
    free(out);
    out = quantized(infinite, 3, &scale);
    cr_assert(scale == INFINITY && !out[0] && !out[1] && !out[2]);
    free(out);
    out = quantized(tiny, 3, &scale);
    cr_assert(scale >= 0.0f && out[0] == 127 && out[1] == 0 && out[2] == -127);
    free(out);
}

static void check_gemm(const nnrt__cpu_table *table, size_t m, size_t n, size_t k, size_t gap, bool per_channel,
                       bool with_bias, bool extremes) {
    const float untouched = 12345.0f;
    const size_t stride = k + gap, c_stride = n + gap, c_count = (m - 1) * c_stride + n;
    nnrt__gemm_hybrid_args args;
    int8_t **a = (int8_t **)exactly(m * sizeof *a), *w = (int8_t *)exactly((n - 1) * stride + k);
    float *scale = (float *)exactly((per_channel ? n : 1) * sizeof *scale), *bias = (float *)exactly(n * sizeof *bias);
    float *c = (float *)exactly(c_count * sizeof *c);
    for (size_t i = 0; i < m; i++) { /* each row ends where its memory ends */
        a[i] = (int8_t *)exactly(k);
        for (size_t t = 0; t < k; t++) a[i][t] = (int8_t)(extremes ? -127 : (int)(noise() % 255) - 127);
    }
    for (size_t i = 0; i < (n - 1) * stride + k; i++) w[i] = (int8_t)(extremes ? -128 : (int)(noise() % 256) - 128);
    for (size_t i = 0; i < (per_channel ? n : 1); i++) scale[i] = (float)(noise() % 1000 + 1) * 1e-4f;
    for (size_t i = 0; i < n; i++) bias[i] = (float)(int32_t)noise() / 2147483648.0f;
    for (size_t i = 0; i < c_count; i++) c[i] = untouched;
    args.m = m, args.n = n, args.k = k;
    args.a = (const int8_t *const *)a, args.a_scale = 0.0123f;
    args.w = w, args.w_stride = stride;
    args.w_scale = scale, args.w_scale_stride = per_channel ? 1 : 0;
    args.bias = with_bias ? bias : NULL;
    args.c = c, args.c_stride = c_stride;
    args.clamp_min = k % 2 ? -0.5f : -INFINITY;
    args.clamp_max = k % 2 ? 6.0f : INFINITY;
    table->gemm_hybrid(&args);
    for (size_t at = 0; at < c_count; at++) {
        const size_t i = at / c_stride, j = at % c_stride;
        int64_t sum = 0;
        double product, addend, want, limit;
        if (j >= n) {
            cr_assert(c[at] == untouched, "m=%zu n=%zu k=%zu: wrote between rows", m, n, k);
            continue;
        }
        for (size_t t = 0; t < k; t++) sum += (int64_t)a[i][t] * w[j * stride + t];
        product = (double)sum * (double)args.a_scale * (double)scale[per_channel ? j : 0];
        addend = with_bias ? (double)bias[j] : 0.0;
        want = product + addend;
        want = want < (double)args.clamp_min ? (double)args.clamp_min : want;
        want = want > (double)args.clamp_max ? (double)args.clamp_max : want;
        limit = 5 * ldexp(fabs(product) + fabs(addend), -24);
        cr_assert(fabs((double)c[at] - want) <= limit,
                  "%s seed=%d m=%zu n=%zu k=%zu: c[%zu][%zu] is %.9g, want %.9g +- %.3g", table->gemm_hybrid_isa,
                  (int)SEED, m, n, k, i, j, (double)c[at], want, limit);
    }
    if (table->isa != 0) { /* the same floats as portable C */
        float *same = (float *)exactly(c_count * sizeof *c);
        for (size_t i = 0; i < c_count; i++) same[i] = untouched;
        args.c = same;
        nnrt__gemm_hybrid_scalar(&args);
        cr_assert_eq(memcmp(same, c, c_count * sizeof *c), 0, "%s m=%zu n=%zu k=%zu: other floats than portable C's",
                     table->gemm_hybrid_isa, m, n, k);
        free(same);
    }
    for (size_t i = 0; i < m; i++) free(a[i]);
    free(a);
    free(w);
    free(scale);
    free(bias);
    free(c);
}

Test(hybrid, the_product_stays_within_the_bound_and_leaves_the_spaces_alone) {
    nnrt__cpu_table table;
    for (unsigned cap = 0; next_table(&table, &cap);)
        for (size_t m = 1; m <= 5; m++)
            for (size_t n = 1; n <= 9; n++)
                for (size_t k = 1; k <= 70; k += k < 40 ? 1 : 7)
                    check_gemm(&table, m, n, k, (m + k) % 3, n % 4 == 1, k % 4 != 0, false);
}

Test(hybrid, blocks_of_rows_channels_and_products_end_where_they_end) {
    static const size_t rows[] = {6, 8, 9, 31, 32, 33, 41}, channels[] = {1, 15, 16, 17, 35};
    static const size_t products[] = {3, 16, 61, 64, 65, 66, 127, 128, 131};
    nnrt__cpu_table table;
    for (unsigned cap = 0; next_table(&table, &cap);)
        for (size_t m = 0; m < sizeof rows / sizeof *rows; m++)
            for (size_t n = 0; n < sizeof channels / sizeof *channels; n++)
                for (size_t k = 0; k < sizeof products / sizeof *products; k++)
                    check_gemm(&table, rows[m], channels[n], products[k], (m + n + k) % 3, (m + k) % 2 != 0, n % 3 != 0,
                               k % 4 == 1);
}

Test(hybrid, the_longest_sum_at_the_extremes_does_not_overflow) {
    nnrt__cpu_table table;
    for (unsigned cap = 0; next_table(&table, &cap);) {
        check_gemm(&table, 1, 2, 131071, 0, true, true, true);
        check_gemm(&table, 6, 2, 131071, 0, true, true, true);
    }
}
