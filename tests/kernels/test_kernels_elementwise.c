/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_elementwise.c - kernels of the elementwise family against formulas in double precision and
   64-bit integers that are written here another way. Buffers are malloc'd to their exact size; the seed is
   printed when something differs. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEED 77031u

#include "levels.h"
#include "noise.h"

static int8_t *bytes(size_t n) {
    int8_t *p = (int8_t *)malloc(n);
    size_t i;
    for (i = 0; i < n; i++) p[i] = (int8_t)noise_in(-128, 127);
    return p;
}

static float *floats(size_t n) {
    float *p = (float *)malloc(n * sizeof(float));
    size_t i;
    for (i = 0; i < n; i++) p[i] = (float)noise_between(-3.0, 3.0);
    return p;
}

/* Both roundings of a rescale add up: 3/4 of a step at most. */

/* x * multiplier * 2^(shift - 31) as the fixed-point arithmetic defines it, by floor divisions of 64-bit
   integers: the product rounds half up, the power of two half away from zero. */
static int64_t floor_div(int64_t x, int64_t by) { return x / by - (x % by < 0 ? 1 : 0); }

static int64_t rescale(int64_t x, int32_t multiplier, int32_t shift) {
    int64_t high =
        floor_div(x * ((int64_t)1 << (shift > 0 ? shift : 0)) * multiplier + ((int64_t)1 << 30), (int64_t)1 << 31);
    int64_t by = (int64_t)1 << (shift > 0 ? 0 : -shift);
    return high < 0 ? -((-high + by / 2) / by) : (high + by / 2) / by;
}

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

static void near(double is, double should, const char *what, size_t n, size_t i, bool clamps) {
    cr_assert_leq(fabs(is - should), 1e-5 * (1.0 + fabs(should)), "%s, element %zu of %zu, %s: %.9g, not %.9g", what, i,
                  n, clamps ? "clamped" : "not clamped", is, should);
}

/* One more float behind the row, which no bound lets through: it stays as it was. */
Test(affine_f32, scales_and_shifts_then_clamps_the_row_and_nothing_behind_it) {
    static const size_t lengths[] = {1, 2, 3, 8, 33};
    const float low = -0.5f, high = 0.75f, behind = 12345.0f;
    size_t k, i;
    int clamps;
    for (k = 0; k < NNRT__COUNT_OF(lengths); k++)
        for (clamps = 0; clamps < 2; clamps++) {
            const size_t n = lengths[k];
            float *in = floats(n), *mean = floats(n), *scale = floats(n), *bias = floats(n), *out = floats(n + 1);
            out[n] = behind;
            nnrt__affine_f32_scalar(in, mean[0], scale[0], bias[0], out, n, clamps != 0, low, high);
            for (i = 0; i < n; i++) {
                const double real = ((double)in[i] - (double)mean[0]) * (double)scale[0] + (double)bias[0];
                near((double)out[i], clamps ? fmin(fmax(real, low), high) : real, "one of each", n, i, clamps != 0);
            }
            cr_assert_eq(out[n], behind);
            nnrt__affine_row_f32_scalar(in, mean, scale, bias, out, n, clamps != 0, low, high);
            for (i = 0; i < n; i++) {
                const double real = ((double)in[i] - (double)mean[i]) * (double)scale[i] + (double)bias[i];
                near((double)out[i], clamps ? fmin(fmax(real, low), high) : real, "one per channel", n, i, clamps != 0);
            }
            cr_assert_eq(out[n], behind, "%zu", n);
            free(in), free(mean), free(scale), free(bias), free(out);
        }
}

/* Of the six comparisons, by what the first is beside the second: -1, 0, 1. */
static bool holds(uint32_t kind, int side) {
    switch (kind) {
    case NNRT__COMPARE_EQUAL: return side == 0;
    case NNRT__COMPARE_NOT_EQUAL: return side != 0;
    case NNRT__COMPARE_LESS: return side < 0;
    case NNRT__COMPARE_LESS_EQUAL: return side <= 0;
    case NNRT__COMPARE_GREATER: return side > 0;
    default: return side >= 0;
    }
}

Test(compare_s8, operands_are_compared_in_rounded_units_of_a_256th) {
    static const uint32_t kinds[6] = {NNRT__COMPARE_EQUAL,      NNRT__COMPARE_NOT_EQUAL, NNRT__COMPARE_LESS,
                                      NNRT__COMPARE_LESS_EQUAL, NNRT__COMPARE_GREATER,   NNRT__COMPARE_GREATER_EQUAL};
    size_t equal = 0, other = 0;
    int round, k;
    for (round = 0; round < 240; round++) {
        const uint32_t kind = kinds[round % 6], type = round % 4 < 2 ? NNRT__INT_S8 : NNRT__INT_U8;
        const int lowest = type == NNRT__INT_S8 ? -128 : 0;
        const size_t n = 1 + noise() % 100, a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
        const double scales[2] = {noise_between(0.0005, 0.999), noise_between(0.0005, 0.01)};
        int8_t *in[2], *out = bytes(n);
        nnrt__compare_s8_args args;
        size_t i;
        in[0] = bytes(a_step ? n : 1);
        in[1] = bytes(b_step ? n : 1);
        memset(&args, 0, sizeof args);
        args.kind = kind;
        for (k = 0; k < 2; k++) {
            const double scale = round % 3 == 0 ? scales[1] : scales[k];
            args.input_zero_point[k] = noise_in(lowest, lowest + 255);
            nnrt__quantize_multiplier(scale, &args.input_multiplier[k], &args.input_shift[k]);
        }
        nnrt__compare_s8_scalar(&args, type, in[0], a_step, in[1], b_step, (uint8_t *)out, n);
        for (i = 0; i < n; i++) {
            const size_t at[2] = {i * a_step, i * b_step};
            int64_t x[2];
            for (k = 0; k < 2; k++) {
                const int q = type == NNRT__INT_S8 ? in[k][at[k]] : (int)(uint8_t)in[k][at[k]];
                x[k] = rescale((int64_t)(q - args.input_zero_point[k]) * 256, args.input_multiplier[k],
                               args.input_shift[k]);
            }
            cr_assert_eq(out[i], (int8_t)holds(kind, x[0] < x[1] ? -1 : x[0] > x[1]), "seed %u round %d element %zu",
                         SEED, round, i);
            if (x[0] == x[1]) equal++;
            else other++;
        }
        free(in[0]), free(in[1]), free(out);
    }
    cr_assert(equal > 10 && other > 1000, "%zu are equal, %zu are not", equal, other);
}

Test(binary_s8, rescaled_operators_are_the_fixed_point_formula_and_near_the_real_result) {
    static const size_t lengths[] = {1, 2, 7, 16, 33, 100};
    int round, k;
    for (round = 0; round < 300; round++) {
        static const uint32_t kinds[5] = {NNRT__BINARY_ADD, NNRT__BINARY_SUB, NNRT__BINARY_MUL, NNRT__BINARY_PRELU,
                                          NNRT__BINARY_SQUARED_DIFFERENCE};
        const uint32_t kind = kinds[round % 5];
        const bool product = kind == NNRT__BINARY_MUL || kind == NNRT__BINARY_PRELU;
        const bool square = kind == NNRT__BINARY_SQUARED_DIFFERENCE;
        const size_t n = lengths[noise() % NNRT__COUNT_OF(lengths)];
        const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
        const double sa = noise_between(0.001, 0.2), sb = noise_between(0.001, 0.2), so = noise_between(0.002, 0.3);
        int8_t *a = bytes(a_step ? n : 1), *b = bytes(b_step ? n : 1), *out = bytes(n);
        nnrt__binary_s8_args args;
        size_t i;
        memset(&args, 0, sizeof args);
        args.kind = kind;
        args.input_zero_point[0] = noise_in(-128, 127);
        args.input_zero_point[1] = noise_in(-128, 127);
        args.output_zero_point = noise_in(-128, 127);
        args.clamp_min = noise_in(-128, 0);
        args.clamp_max = noise_in(0, 127);
        nnrt__binary_s8_scales(&args, sa, sb, so);
        nnrt__binary_s8_scalar(&args, a, a_step, b, b_step, out, n);
        for (i = 0; i < n; i++) {
            const int64_t x = a[i * a_step] - args.input_zero_point[0], y = b[i * b_step] - args.input_zero_point[1];
            int64_t in[2], want;
            double real;
            in[0] = x * (square ? 1 << 7 : 1 << 20);
            in[1] = y * (square ? 1 << 7 : 1 << 20);
            for (k = 0; k < 2 && !product; k++) in[k] = rescale(in[k], args.input_multiplier[k], args.input_shift[k]);
            want = product ? x * y : kind == NNRT__BINARY_ADD ? in[0] + in[1] : in[0] - in[1];
            if (square) want *= want;
            if (kind == NNRT__BINARY_PRELU && x >= 0) want = rescale(x, args.input_multiplier[0], args.input_shift[0]);
            else want = rescale(want, args.output_multiplier, args.output_shift);
            want += args.output_zero_point;
            want = clamp(want, args.clamp_min, args.clamp_max);
            cr_assert_eq(out[i], want, "seed %u round %d kind %u element %zu: %d, not %d", SEED, round, kind, i, out[i],
                         (int)want);
            real = kind == NNRT__BINARY_PRELU && x >= 0 ? sa * (double)x
                   : product                            ? sa * (double)x * sb * (double)y
                   : kind == NNRT__BINARY_SUB           ? sa * (double)x - sb * (double)y
                   : square                             ? pow(sa * (double)x - sb * (double)y, 2)
                                                        : sa * (double)x + sb * (double)y;
            real = fmin(fmax(real / so + args.output_zero_point, args.clamp_min), args.clamp_max);
            cr_assert(fabs(real - out[i]) <= (square ? 1.5 : 0.76), "seed %u round %d kind %u: %d, real %f", SEED,
                      round, kind, out[i], real);
        }
        free(a);
        free(b);
        free(out);
    }
}

Test(binary_s8, operands_may_be_the_memory_of_the_result) {
    nnrt__binary_s8_args args;
    int8_t *a = bytes(77), *b = bytes(77), *want = bytes(77);
    memset(&args, 0, sizeof args);
    args.clamp_min = -128;
    args.clamp_max = 127;
    nnrt__binary_s8_scales(&args, 0.1, 0.2, 0.3);
    nnrt__binary_s8_scalar(&args, a, 1, b, 1, want, 77);
    nnrt__binary_s8_scalar(&args, a, 1, b, 1, b, 77);
    cr_assert_arr_eq(b, want, 77);
    free(a);
    free(b);
    free(want);
}

Test(softmax_s8, is_within_one_step_of_the_real_softmax) {
    int round;
    for (round = 0; round < 300; round++) {
        const size_t n = (size_t)noise_in(1, round % 10 == 0 ? 600 : 20), stride = (size_t)noise_in(1, 3);
        const double scale = exp(noise_between(-9.0, 1.0));
        int8_t *in = bytes((n - 1) * stride + 1), *out = bytes((n - 1) * stride + 1);
        int32_t table[256];
        double most = -1e9, sum = 0;
        size_t i;
        cr_assert(nnrt__softmax_s8_table(scale, table));
        nnrt__softmax_s8_scalar(table, in, out, n, stride, NULL);
        for (i = 0; i < n; i++) most = fmax(most, scale * in[i * stride]);
        for (i = 0; i < n; i++) sum += exp(scale * in[i * stride] - most);
        for (i = 0; i < n; i++) {
            const double real = fmin(exp(scale * in[i * stride] - most) / sum * 256.0, 255.0) - 128.0;
            cr_assert(fabs(real - out[i * stride]) <= 1.0, "seed %u round %d, %zu elements, scale %f: %d, real %f",
                      SEED, round, n, scale, out[i * stride], real);
        }
        free(in);
        free(out);
    }
}

/* The fixed-point arithmetic of the original, one operation after the other. */
static int32_t softmax_byte(const int32_t *table, const int8_t *in, size_t n, size_t at, int bits) {
    int32_t most = -128, sum = 0, zeros = 0, shift, reciprocal, result;
    size_t i;
    for (i = 0; i < n; i++) most = in[i] > most ? in[i] : most;
    for (i = 0; i < n; i++) {
        const int64_t wide = (int64_t)sum + nnrt__rounding_divide_by_pot(table[most - in[i]], 12);
        sum = wide > INT32_MAX ? INT32_MAX : (int32_t)wide;
    }
    while (((uint32_t)sum << zeros & 0x80000000u) == 0) zeros++;
    reciprocal = nnrt__one_over_one_plus((int32_t)((uint32_t)sum << zeros & 0x7fffffffu));
    result = nnrt__rounding_doubling_high_mul(reciprocal, table[most - in[at]]);
    shift = 43 - zeros - bits;
    result = shift > 31 ? 0 : nnrt__rounding_divide_by_pot(result, shift);
    return result > (1 << bits) - 1 ? (1 << (bits - 1)) - 1 : result - (1 << (bits - 1));
}

Test(softmax_s8, rows_of_every_kind_have_the_bytes_of_the_fixed_point_formula) {
    static const double scales[] = {1e-4, 0.01, 0.1, 0.39, 4};
    static const size_t lengths[] = {1, 2, 3, 10, 21, 91, 255, 1001, 4100};
    int32_t table[256];
    size_t k, l, i, all;
    for (k = 0; k < NNRT__COUNT_OF(scales); k++)
        for (l = 0; l < NNRT__COUNT_OF(lengths); l++)
            for (all = 0; all < 2; all++) {
                const size_t n = lengths[l];
                int8_t *in = bytes(n), *out = bytes(n);
                int16_t *wide = (int16_t *)malloc(n * 2);
                cr_assert(nnrt__softmax_s8_table(scales[k], table));
                if (all == 1) memset(in, 5, n); /* the sum saturates */
                nnrt__softmax_s8_scalar(table, in, out, n, 1, NULL);
                nnrt__softmax_s8_to_s16_scalar(table, in, wide, n, 1, NULL);
                for (i = 0; i < n; i += n / 16 + 1) {
                    cr_assert_eq(out[i], softmax_byte(table, in, n, i, 8), "element %zu of %zu, scale %g", i, n,
                                 scales[k]);
                    cr_assert_eq(wide[i], softmax_byte(table, in, n, i, 16), "int16, element %zu of %zu, scale %g", i,
                                 n, scales[k]);
                }
                free(in), free(out), free(wide);
            }
}

/* NaN above all numbers, -0 like 0, the first of equal ones; with the smallest first, the other way round. */
Test(top, the_first_of_a_row_of_floats_is_where_the_order_says) {
    static const float numbers[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1.0f, -1.0f, 1e-45f};
    int round;
    for (round = 0; round < 20000; round++) {
        const uint32_t n = (uint32_t)noise_in(1, 9);
        float in[9], value;
        int32_t index = -1;
        nnrt__top_args args;
        nnrt__top_lane lane = nnrt__top_lane_f32(in, 1);
        uint32_t i, want = 0;
        memset(&args, 0, sizeof args);
        args.type = NNRT__TOP_F32, args.outer = args.inner = args.k = 1, args.count = n;
        args.smallest = noise() % 2;
        lane.turn = args.smallest != 0 ? -1 : 0;
        for (i = 0; i < n; i++) in[i] = numbers[noise() % NNRT__COUNT_OF(numbers)];
        for (i = 1; i < n; i++)
            if (nnrt__top_before(&lane, i, want)) want = i;
        nnrt__reduce_top_scalar(&args, in, &value, &index, 4, NULL, 0, 1, NULL);
        cr_assert_eq(index, (int32_t)want, "seed %u, round %d", SEED, round);
        cr_assert_eq(memcmp(&value, &in[want], sizeof value), 0);
    }
}

Test(softmax_s8, the_table_is_the_exponential_to_22_bits) {
    static const double scales[] = {0.0001, 0.01, 0.11, 0.5, 3.0};
    size_t k;
    for (k = 0; k < NNRT__COUNT_OF(scales); k++) {
        int32_t table[256], i;
        cr_assert(nnrt__softmax_s8_table(scales[k], table));
        cr_assert_eq(table[0], INT32_MAX);
        for (i = 1; i < 256; i++) {
            const double real = exp(-scales[k] * i);
            if (scales[k] * i < 30.0)
                cr_assert(fabs((double)table[i] / 2147483648.0 - real) < 1.0 / (1 << 22), "scale %f, %d: %f, not %f",
                          scales[k], i, (double)table[i] / 2147483648.0, real);
            cr_assert(table[i] >= 0);
        }
    }
}

Test(softmax_s8, a_row_of_few_elements_has_the_same_bytes_without_a_table) {
    static const double scales[] = {1e-7, 1e-4, 0.01, 0.1, 0.39, 4, 31};
    size_t k, n;
    for (k = 0; k < NNRT__COUNT_OF(scales); k++)
        for (n = 1; n <= NNRT__SOFTMAX_S8_FEW; n++) {
            int8_t *in = bytes(n), *out = bytes(n), *want = bytes(n);
            nnrt__softmax_s8_scale scale;
            int32_t table[256];
            cr_assert(nnrt__softmax_s8_table(scales[k], table));
            cr_assert(nnrt__softmax_s8_scale_of(scales[k], &scale));
            cr_assert(nnrt__softmax_s8_scale_is_right(&scale));
            if (n % 5 == 0) memset(in, -128, n), in[n / 2] = 127; /* as far apart as they can be */
            nnrt__softmax_s8_scalar(table, in, want, n, 1, NULL);
            nnrt__softmax_few_s8_scalar(&scale, in, out, n);
            cr_assert_eq(memcmp(out, want, n), 0, "seed %u, %zu elements, scale %g", SEED, n, scales[k]);
            nnrt__softmax_few_s8_scalar(&scale, in, in, n);
            cr_assert_eq(memcmp(in, want, n), 0, "in place, %zu elements, scale %g", n, scales[k]);
            free(in), free(out), free(want);
        }
}

Test(softmax_s8, a_scale_that_could_leave_the_range_of_numbers_is_seen) {
    static const nnrt__softmax_s8_scale wrong[] = {{-1, 3, 9},       {1 << 30, -1, 9}, {1 << 30, 31, 0},
                                                   {1 << 30, 30, 2}, {1 << 30, 3, -1}, {1 << 30, 0, INT32_MAX},
                                                   {1 << 30, 26, 32}};
    static const nnrt__softmax_s8_scale right[] = {{INT32_MAX, 30, 1}, {0, 0, 31 << 26}, {1 << 30, 26, 31}};
    size_t i;
    for (i = 0; i < NNRT__COUNT_OF(wrong); i++) cr_assert_not(nnrt__softmax_s8_scale_is_right(&wrong[i]), "%zu", i);
    for (i = 0; i < NNRT__COUNT_OF(right); i++) {
        const int8_t in[2] = {127, -128};
        int8_t out[2];
        cr_assert(nnrt__softmax_s8_scale_is_right(&right[i]), "%zu", i);
        nnrt__softmax_few_s8_scalar(&right[i], in, out, 2);
    }
}

Test(softmax_s8, any_table_is_harmless) {
    static const int32_t values[] = {0, 1, -1, INT32_MAX, INT32_MIN};
    int8_t *in = bytes(5000), *out = bytes(5000);
    int32_t table[256];
    size_t k, i;
    for (k = 0; k < NNRT__COUNT_OF(values); k++) {
        int sum = 0;
        for (i = 0; i < 256; i++) table[i] = values[k];
        nnrt__softmax_s8_scalar(table, in, out, 5000, 1, NULL);
        for (i = 0; i < 5000; i++) sum += out[i] == out[0];
        cr_assert_eq(sum, 5000); /* all entries equal: so are all results */
    }
    free(in);
    free(out);
}

Test(quantize, rounds_half_away_from_zero_and_saturates) {
    static const float in[] = {0.5f, -0.5f, 1.5f, -1.5f, 0.49999997f, 2.4f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN};
    static const int8_t want[] = {1 + 3, -1 + 3, 2 + 3, -2 + 3, 0 + 3, 2 + 3, 127, -128, 127, -128, -128};
    int8_t out[11];
    nnrt__quantize_f32_scalar(in, 1.0f, 3, true, out, 11);
    cr_assert_arr_eq(out, want, 11);
}

Test(quantize, bytes_survive_the_way_to_float_and_back) {
    int k, q;
    for (k = 0; k < 100; k++) {
        const float scale = (float)noise_between(0.0001, 5.0);
        const bool is_signed = k % 2 == 0;
        const int32_t zero_point = is_signed ? noise_in(-128, 127) : noise_in(0, 255);
        uint8_t in[256], out[256];
        float middle[256];
        for (q = 0; q < 256; q++) in[q] = (uint8_t)q;
        nnrt__dequantize_f32_scalar(in, scale, zero_point, is_signed, middle, 256);
        nnrt__quantize_f32_scalar(middle, scale, zero_point, is_signed, out, 256);
        cr_assert_arr_eq(in, out, 256, "seed %u scale %f", SEED, (double)scale);
    }
}

/* A float for a scale: a tie, its neighbours, anything, or what is no number. */
static float any_float(float scale) {
    static const float odd[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-40f, -1e-40f, 3e38f, -3e38f};
    const float tie = ((float)noise_in(-300, 300) + 0.5f) * scale;
    switch (noise() % 6) {
    case 0: return tie;
    case 1: return nextafterf(tie, INFINITY);
    case 2: return nextafterf(tie, -INFINITY);
    case 3: return odd[noise() % NNRT__COUNT_OF(odd)];
    default: return (float)noise_between(-300.0, 300.0) * scale;
    }
}

/* Memory of exactly so many bytes that begins `skew` elements into a block. */
static void *skewed(size_t n, size_t element, size_t skew, void **block) {
    *block = malloc((n + skew) * element + 1);
    return (uint8_t *)*block + skew * element;
}

Test(quantize, every_instruction_set_gives_the_bytes_of_portable_c_for_every_length_and_place) {
    static const float scales[] = {1.0f,   0.0235f, 0.5f, 1.0f / 3.0f, 0.007843f, 1e-3f,    512.0f,   3e-39f,
                                   1e-35f, 1e35f,   0.0f, -0.25f,      NAN,       INFINITY, 1.17e-38f};
    size_t target, n, skew;
    for (target = 0; target < NNRT__TARGET_COUNT; target++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[target].isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[target].isa);
        for (n = 0; n <= 70; n++)
            for (skew = 0; skew < 16; skew++) {
                const float scale = scales[noise() % NNRT__COUNT_OF(scales)];
                const int32_t zero_point = noise_in(-128, 255);
                const bool is_signed = noise() % 2 == 0;
                void *blocks[4];
                float *in = (float *)skewed(n, 4, skew % 4, &blocks[0]);
                uint8_t *out = (uint8_t *)skewed(n, 1, skew, &blocks[1]),
                        *want = (uint8_t *)skewed(n, 1, 0, &blocks[2]);
                float *back = (float *)skewed(2 * n, 4, skew % 3, &blocks[3]);
                size_t i;
                for (i = 0; i < n; i++) in[i] = any_float(scale == scale ? scale : 1.0f);
                nnrt__quantize_f32_scalar(in, scale, zero_point, is_signed, want, n);
                table.quantize_f32(in, scale, zero_point, is_signed, out, n);
                for (i = 0; i < n; i++)
                    cr_assert_eq(out[i], want[i], "%s, seed %u: element %zu of %zu, %.9g / %.9g + %d: %d, not %d",
                                 table.quantize_f32_isa, SEED, i, n, (double)in[i], (double)scale, (int)zero_point,
                                 out[i], want[i]);
                for (i = 0; i < n; i++) out[i] = (uint8_t)noise_in(0, 255);
                nnrt__dequantize_f32_scalar(out, scale, zero_point, is_signed, back, n);
                table.dequantize_f32(out, scale, zero_point, is_signed, back + n, n);
                for (i = 0; i < n; i++)
                    cr_assert(memcmp(&back[i], &back[n + i], 4) == 0 ||
                                  (back[i] != back[i] && back[n + i] != back[n + i]),
                              "%s, seed %u: element %zu of %zu, %d by %.9g: %.9g, not %.9g", table.dequantize_f32_isa,
                              SEED, i, n, out[i], (double)scale, (double)back[n + i], (double)back[i]);
                for (i = 0; i < 4; i++) free(blocks[i]);
            }
    }
}

/* Each tie of a byte and a hundred floats on both sides of it, for scales that divide exactly and others. */
Test(quantize, every_instruction_set_rounds_as_portable_c_around_every_tie) {
    static const float scales[] = {1.0f, 0.0235f, 0.1f, 1.0f / 3.0f, 0.00390625f, 1.7f, 77.7f};
    enum {
        AROUND = 100,
        COUNT = 2 * AROUND + 1
    };
    float in[COUNT];
    uint8_t want[COUNT], out[COUNT];
    size_t target, s;
    int q, i;
    for (target = 0; target < NNRT__TARGET_COUNT; target++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[target].isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[target].isa);
        for (s = 0; s < NNRT__COUNT_OF(scales); s++)
            for (q = -130; q < 130; q++) {
                in[AROUND] = ((float)q + 0.5f) * scales[s];
                for (i = AROUND + 1; i < COUNT; i++) in[i] = nextafterf(in[i - 1], INFINITY);
                for (i = AROUND - 1; i >= 0; i--) in[i] = nextafterf(in[i + 1], -INFINITY);
                nnrt__quantize_f32_scalar(in, scales[s], 0, true, want, COUNT);
                table.quantize_f32(in, scales[s], 0, true, out, COUNT);
                cr_assert_arr_eq(out, want, COUNT, "%s, scale %.9g, around %d and a half", table.quantize_f32_isa,
                                 (double)scales[s], q);
            }
    }
}

Test(lut_s8, tables_are_the_function_of_the_dequantized_byte) {
    static const uint32_t kinds[] = {NNRT__UNARY_SIGMOID, NNRT__UNARY_TANH, NNRT__UNARY_HSWISH,      NNRT__UNARY_ABS,
                                     NNRT__UNARY_SQUARE,  NNRT__UNARY_GELU, NNRT__UNARY_HARD_SIGMOID};
    size_t k;
    int q;
    for (k = 0; k < NNRT__COUNT_OF(kinds); k++) {
        nnrt__lut_quant from = {0.05, -7, true}, to = {0.03, 11, true};
        uint8_t table[256];
        nnrt__lut_unary(&from, &to, kinds[k], 0, 0, table);
        for (q = -128; q < 128; q++) {
            const double x = 0.05 * (q + 7);
            const double y = k == 0   ? 1 / (1 + exp(-x))
                             : k == 1 ? tanh(x)
                             : k == 2 ? x * fmin(fmax(x + 3, 0), 6) / 6
                             : k == 3 ? fabs(x)
                             : k == 4 ? x * x
                             : k == 5 ? x / 2 * (1 + erf(x / sqrt(2)))
                                      : fmin(fmax(x + 3, 0), 6) / 6;
            const double real = fmin(fmax(y / 0.03 + 11, -128), 127);
            cr_assert(fabs(real - (int8_t)table[(uint8_t)q]) <= 0.5001, "kind %u byte %d: %d, real %f", kinds[k], q,
                      (int8_t)table[(uint8_t)q], real);
        }
    }
}

Test(lut_s8, requantization_is_the_fixed_point_formula) {
    int k, q;
    for (k = 0; k < 200; k++) {
        nnrt__lut_quant from, to;
        uint8_t table[256];
        from.scale = exp(noise_between(-8, 2));
        to.scale = exp(noise_between(-8, 2));
        from.is_signed = noise() % 2 != 0;
        to.is_signed = noise() % 2 != 0;
        from.zero_point = from.is_signed ? noise_in(-128, 127) : noise_in(0, 255);
        to.zero_point = to.is_signed ? noise_in(-128, 127) : noise_in(0, 255);
        nnrt__lut_requantize(&from, &to, from.scale / to.scale, -INFINITY, INFINITY, table);
        for (q = 0; q < 256; q++) {
            const double x = (from.is_signed ? (int8_t)q : q) - from.zero_point;
            double real = x * from.scale / to.scale + to.zero_point;
            const int got = to.is_signed ? (int8_t)table[q] : table[q];
            real = fmin(fmax(real, to.is_signed ? -128 : 0), to.is_signed ? 127 : 255);
            cr_assert(fabs(real - got) <= 0.7501, "seed %u round %d byte %d: %d, real %f", SEED, k, q, got, real);
        }
    }
}

Test(cast, floats_saturate_and_integers_wrap) {
    static const double reals[] = {-1e300, -300.7, -128.9, -0.9, 0.0, 0.9, 127.9, 255.5, 300.7, 1e300, NAN};
    static const int8_t s8[] = {-128, -128, -128, 0, 0, 0, 127, 127, 127, 127, 0};
    static const uint8_t u8[] = {0, 0, 0, 0, 0, 0, 127, 255, 255, 255, 0};
    static const int64_t s64[] = {INT64_MIN, -300, -128, 0, 0, 0, 127, 255, 300, INT64_MAX, 0};
    static const uint64_t u64[] = {0, 0, 0, 0, 0, 0, 127, 255, 300, UINT64_MAX, 0};
    static const uint8_t booleans[] = {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1};
    static const int32_t integers[] = {-129, 256, 65535};
    int8_t got8[11];
    uint8_t gotu8[11];
    int64_t got64[11];
    uint64_t gotu64[11];
    int16_t got16[3];
    uint64_t large = UINT64_MAX;
    float real;
    nnrt__cast_scalar(NNRT__CAST_F64, reals, NNRT__CAST_S8, got8, 11);
    cr_assert_arr_eq(got8, s8, sizeof s8);
    nnrt__cast_scalar(NNRT__CAST_F64, reals, NNRT__CAST_U8, gotu8, 11);
    cr_assert_arr_eq(gotu8, u8, sizeof u8);
    nnrt__cast_scalar(NNRT__CAST_F64, reals, NNRT__CAST_S64, got64, 11);
    cr_assert_arr_eq(got64, s64, sizeof s64);
    nnrt__cast_scalar(NNRT__CAST_F64, reals, NNRT__CAST_U64, gotu64, 11);
    cr_assert_arr_eq(gotu64, u64, sizeof u64);
    nnrt__cast_scalar(NNRT__CAST_F64, reals, NNRT__CAST_BOOL, gotu8, 11);
    cr_assert_arr_eq(gotu8, booleans, sizeof booleans);
    nnrt__cast_scalar(NNRT__CAST_S32, integers, NNRT__CAST_S16, got16, 3);
    cr_assert(got16[0] == -129 && got16[1] == 256 && got16[2] == -1);
    nnrt__cast_scalar(NNRT__CAST_U64, &large, NNRT__CAST_F32, &real, 1);
    cr_assert_eq(real, 18446744073709551616.0f);
}

Test(binary_int, wraps_and_reports_division_by_zero) {
    nnrt__binary_int_args args;
    const int32_t a[3] = {INT32_MIN, 7, -7}, b[3] = {-1, 0, 2};
    int32_t out[3];
    memset(&args, 0, sizeof args);
    args.type = NNRT__INT_S32;
    args.clamp_min = INT64_MIN;
    args.clamp_max = INT64_MAX;
    args.kind = NNRT__BINARY_DIV;
    cr_assert(!nnrt__binary_int_scalar(&args, a, 1, b, 1, out, 3));
    cr_assert(out[0] == INT32_MIN && out[1] == 0 && out[2] == -3);
    args.kind = NNRT__BINARY_MOD;
    cr_assert(nnrt__binary_int_scalar(&args, a, 1, b + 2, 0, out, 3));
    cr_assert(out[0] == 0 && out[1] == 1 && out[2] == -1);
    args.kind = NNRT__BINARY_MUL;
    cr_assert(nnrt__binary_int_scalar(&args, a, 1, a, 1, out, 3));
    cr_assert(out[0] == 0 && out[1] == 49 && out[2] == 49);
}

/* ------------------------------------------------------------------------------------- two operands of int16 */

/* Any arguments that a step takes, those of scales of models more often than the rest; in place of each operand. */
Test(binary_s16, every_instruction_set_gives_the_numbers_of_portable_c_for_every_length_and_place) {
    static const uint32_t kinds[] = {NNRT__BINARY_ADD, NNRT__BINARY_SUB, NNRT__BINARY_MUL};
    size_t target, n, round;
    for (target = 0; target < NNRT__TARGET_COUNT; target++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[target].isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[target].isa);
        for (n = 0; n <= 70; n++)
            for (round = 0; round < 24; round++) {
                const size_t a_step = noise() % 4 != 0, b_step = noise() % 4 != 0;
                const size_t a_size = a_step ? n : 1, b_size = b_step ? n : 1;
                nnrt__binary_s8_args args;
                void *blocks[4];
                int16_t *a = (int16_t *)skewed(a_size, 2, round % 8, &blocks[0]);
                int16_t *b = (int16_t *)skewed(b_size, 2, round % 5, &blocks[1]);
                int16_t *out = (int16_t *)skewed(n, 2, round % 3, &blocks[2]), *to = out;
                int16_t *want = (int16_t *)skewed(n, 2, 0, &blocks[3]);
                size_t i;
                memset(&args, 0, sizeof args);
                args.kind = kinds[noise() % NNRT__COUNT_OF(kinds)];
                args.clamp_min = round % 3 == 0 ? noise_in(-32768, 0) : -32768;
                args.clamp_max = round % 3 == 0 ? noise_in(0, 32767) : 32767;
                if (round % 2 == 0) {
                    nnrt__binary_s16_scales(&args, noise_between(1e-5, 1e-3), noise_between(1e-5, 1e-3),
                                            noise_between(1e-5, 1e-3));
                } else {
                    for (i = 0; i < 2; i++) {
                        args.input_multiplier[i] = noise() % 4 == 0 ? INT32_MAX : (int32_t)(noise() >> 1);
                        args.input_shift[i] = -noise_in(0, 31);
                    }
                    args.output_multiplier = (int32_t)(noise() >> 1);
                    args.output_shift = noise_in(-31, 30);
                }
                for (i = 0; i < a_size; i++) a[i] = (int16_t)noise_in(-32768, 32767);
                for (i = 0; i < b_size; i++) b[i] = noise() % 9 == 0 ? -32768 : (int16_t)noise_in(-32768, 32767);
                nnrt__binary_s16_scalar(&args, a, a_step, b, b_step, want, n);
                if (a_step != 0 && round % 4 == 1) to = a;
                if (b_step != 0 && round % 4 == 3) to = b;
                table.binary_s16(&args, a, a_step, b, b_step, to, n);
                for (i = 0; i < n; i++)
                    cr_assert_eq(to[i], want[i], "%s, seed %u: kind %u, element %zu of %zu: %d, not %d",
                                 table.binary_s16_isa, SEED, args.kind, i, n, to[i], want[i]);
                for (i = 0; i < 4; i++) free(blocks[i]);
            }
    }
}

/* ------------------------------------------------------------------------------------------ look-up of bytes */

Test(lut_s8, every_instruction_set_looks_every_byte_up_for_every_length_and_place_and_in_place) {
    size_t target, n;
    for (target = 0; target < NNRT__TARGET_COUNT; target++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[target].isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[target].isa);
        for (n = 0; n <= 330; n++) {
            void *blocks[3];
            uint8_t *bytes = (uint8_t *)skewed(256, 1, n % 16, &blocks[0]);
            uint8_t *in = (uint8_t *)skewed(n, 1, n % 13, &blocks[1]),
                    *out = (uint8_t *)skewed(n, 1, n % 7, &blocks[2]);
            size_t i;
            for (i = 0; i < 256; i++) bytes[i] = (uint8_t)noise_in(0, 255);
            for (i = 0; i < n; i++) in[i] = n == 256 ? (uint8_t)i : (uint8_t)noise_in(0, 255);
            table.lut_s8(bytes, in, out, n);
            for (i = 0; i < n; i++)
                cr_assert_eq(out[i], bytes[in[i]], "%s, seed %u: element %zu of %zu, byte %d: %d, not %d",
                             table.lut_s8_isa, SEED, i, n, in[i], out[i], bytes[in[i]]);
            table.lut_s8(bytes, in, in, n);
            cr_assert_eq(memcmp(in, out, n), 0, "%s: %zu bytes in place", table.lut_s8_isa, n);
            for (i = 0; i < 3; i++) free(blocks[i]);
        }
    }
}

/* ------------------------------------------------------------------------------------------- broadcasting */

static nnrt__plan_value value_of(OH_NN_DataType dtype, uint32_t rank, const int32_t *dims) {
    nnrt__plan_value value;
    memset(&value, 0, sizeof value);
    value.dtype = (uint32_t)dtype;
    value.rank = rank;
    memcpy(value.dims, dims, rank * sizeof dims[0]);
    value.size = nnrt__value_count(&value) * nnrt__element_size(dtype);
    return value;
}

/* Offset in `in` of the element that goes to `at` of out. */
static size_t offset_of(const nnrt__plan_value *in, const nnrt__plan_value *out, size_t at) {
    size_t offset = 0, stride = 1, k;
    for (k = 0; k < out->rank; k++) {
        const size_t dim = (size_t)out->dims[out->rank - 1 - k];
        const size_t own = k < in->rank ? (size_t)in->dims[in->rank - 1 - k] : 1;
        if (own != 1) offset += at % dim * stride;
        stride *= own;
        at /= dim;
    }
    return offset;
}

Test(broadcast, every_element_meets_its_partner_for_any_shapes_and_chunks) {
    int round;
    for (round = 0; round < 400; round++) {
        const uint32_t rank = noise() % 11;
        uint32_t ranks[2], k, j;
        int32_t dims[3][NNRT_MAX_RANK];
        nnrt__plan_value values[3];
        const nnrt__plan_value *operands[3];
        nnrt__step_view view;
        nnrt__plan_step step;
        nnrt__binary_f32_args args;
        nnrt__step_call call;
        nnrt__cpu_table table;
        void *data[3];
        float *a, *b, *out;
        size_t i, n;
        for (k = 0; k < rank; k++) dims[2][k] = round % 20 == 0 && k < 2 ? noise_in(60, 90) : noise_in(1, 3);
        for (j = 0; j < 2; j++) {
            ranks[j] = noise() % 3 == 0 && rank != 0 ? rank - noise() % rank : rank;
            for (k = 0; k < ranks[j]; k++) dims[j][k] = noise() % 3 == 0 ? 1 : dims[2][rank - ranks[j] + k];
        }
        values[0] = value_of(OH_NN_FLOAT32, ranks[0], dims[0]);
        values[1] = value_of(OH_NN_FLOAT32, ranks[1], dims[1]);
        values[2] = value_of(OH_NN_FLOAT32, rank, dims[2]);
        n = nnrt__value_count(&values[2]);
        a = (float *)malloc((size_t)values[0].size);
        b = (float *)malloc((size_t)values[1].size);
        out = (float *)malloc((size_t)values[2].size);
        for (i = 0; i < nnrt__value_count(&values[0]); i++) a[i] = (float)i;
        for (i = 0; i < nnrt__value_count(&values[1]); i++) b[i] = 0.5f + (float)i * 3.0f;
        memset(&step, 0, sizeof step);
        memset(&args, 0, sizeof args);
        args.kind = NNRT__BINARY_SUB;
        for (k = 0; k < 3; k++) operands[k] = &values[k];
        data[0] = a;
        data[1] = b;
        data[2] = out;
        view.step = &step;
        view.arguments = &args;
        view.operands = operands;
        view.input_count = 2;
        view.output_count = 1;
        view.kernels = &table;
        nnrt__cpu_select(&table, round % 2 == 0 ? 0 : nnrt__cpu_detect());
        call.data = data;
        call.scratch = NULL;
        cr_assert(nnrt__step_binary_f32.check(&view), "seed %u round %d", SEED, round);
        view.units = nnrt__step_binary_f32.units(&view);
        for (call.first = 0; call.first < nnrt__step_binary_f32.units(&view); call.first++) {
            call.last = call.first + 1;
            cr_assert_eq(nnrt__step_binary_f32.run(&view, &call), OH_NN_SUCCESS);
        }
        for (i = 0; i < n; i++) {
            const float want = a[offset_of(&values[0], &values[2], i)] - b[offset_of(&values[1], &values[2], i)];
            cr_assert_eq(out[i], want, "seed %u round %d element %zu: %f, not %f", SEED, round, i, (double)out[i],
                         (double)want);
        }
        free(a);
        free(b);
        free(out);
    }
}

/* ----------------------------------------------------------------------- rows that are given to a kernel together */

static int calls_of_a_kernel;

static void counted_add(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b,
                        size_t b_step, int8_t *out, size_t n) {
    calls_of_a_kernel++;
    nnrt__add_s8_scalar(args, a, a_step, b, b_step, out, n);
}

typedef struct form {
    const char *name;
    int32_t a[3], b[3]; /* dims; 2, 3 and 5 stand for those of the test */
    int most;           /* calls of a kernel for rows of 1 to 64 bytes, for each KiB of output and plane */
} form;

static const form forms[] = {
    {"a row for all", {1, 3, 5}, {1, 1, 5}, 2},           {"all for a row", {1, 1, 5}, {1, 3, 5}, 2},
    {"an element for each row", {1, 3, 5}, {1, 3, 1}, 2}, {"each row of one element", {1, 3, 1}, {1, 3, 5}, 2},
    {"a row in each image", {2, 3, 5}, {2, 1, 5}, 2},     {"rows by columns", {1, 3, 1}, {1, 1, 5}, 4},
    {"columns by rows", {2, 1, 5}, {2, 3, 1}, 4},         {"a plane for all", {2, 3, 5}, {1, 3, 5}, 2},
    {"a column for all", {2, 3, 5}, {1, 3, 1}, 2},        {"one for all", {2, 3, 5}, {1, 1, 1}, 2}};

/* A step of two operands of a form; what its elements meet is asked of offset_of. */
typedef struct formed {
    nnrt__plan_value values[3];
    const nnrt__plan_value *operands[3];
    nnrt__plan_step step;
    nnrt__step_view view;
    nnrt__step_call call;
    void *data[3];
    int32_t cancel;
} formed;

static void make_formed(formed *f, const form *how, OH_NN_DataType from, OH_NN_DataType to, int32_t images,
                        int32_t rows, int32_t columns, const void *args, const nnrt__cpu_table *table) {
    int32_t dims[3][3];
    size_t k, i;
    memset(f, 0, sizeof *f);
    for (k = 0; k < 3; k++) {
        const int32_t all[3] = {images, rows, columns};
        dims[0][k] = how->a[k] == 1 ? 1 : all[k];
        dims[1][k] = how->b[k] == 1 ? 1 : all[k];
        dims[2][k] = dims[0][k] > dims[1][k] ? dims[0][k] : dims[1][k];
    }
    for (k = 0; k < 3; k++) {
        f->values[k] = value_of(k < 2 ? from : to, 3, dims[k]);
        f->operands[k] = &f->values[k];
        f->data[k] = malloc((size_t)f->values[k].size);
        for (i = 0; i < f->values[k].size; i++) ((uint8_t *)f->data[k])[i] = (uint8_t)noise_in(0, 255);
    }
    f->view.step = &f->step;
    f->view.arguments = args;
    f->view.operands = f->operands;
    f->view.input_count = 2;
    f->view.output_count = 1;
    f->view.kernels = table;
    f->call.data = f->data;
    f->call.cancel = &f->cancel;
}

static void free_formed(formed *f) {
    size_t k;
    for (k = 0; k < 3; k++) free(f->data[k]);
}

/* In pieces of a random number of units, as threads take them. */
static void run_formed(formed *f, const nnrt__step_kind *kind) {
    cr_assert(kind->check(&f->view));
    f->view.units = kind->units(&f->view);
    for (f->call.first = 0; f->call.first < f->view.units; f->call.first = f->call.last) {
        f->call.last = f->call.first + 1 + noise() % (f->view.units - f->call.first);
        cr_assert_eq(kind->run(&f->view, &f->call), OH_NN_SUCCESS);
    }
}

Test(broadcast, short_rows_of_bytes_meet_their_partners_in_few_calls) {
    static const int32_t columns[] = {1, 2, 3, 7, 8, 9, 16, 24, 63, 64, 65, 127, 128, 129, 500, 512, 513, 1100};
    nnrt__binary_s8_args args;
    nnrt__cpu_table table;
    size_t h, c, i;
    memset(&args, 0, sizeof args);
    args.kind = NNRT__BINARY_ADD;
    args.clamp_min = -128;
    args.clamp_max = 127;
    nnrt__binary_s8_scales(&args, 0.1, 0.07, 0.15);
    nnrt__cpu_select(&table, 0);
    table.add_s8 = counted_add;
    for (h = 0; h < NNRT__COUNT_OF(forms); h++)
        for (c = 0; c < NNRT__COUNT_OF(columns); c++) {
            const int32_t rows = noise_in(1, 300), images = noise_in(1, 3);
            int8_t want;
            formed f;
            make_formed(&f, &forms[h], OH_NN_INT8, OH_NN_INT8, images, rows, columns[c], &args, &table);
            calls_of_a_kernel = 0;
            run_formed(&f, &nnrt__step_binary_s8);
            for (i = 0; i < f.values[2].size; i++) {
                nnrt__add_s8_scalar(&args, (int8_t *)f.data[0] + offset_of(&f.values[0], &f.values[2], i), 1,
                                    (int8_t *)f.data[1] + offset_of(&f.values[1], &f.values[2], i), 1, &want, 1);
                cr_assert_eq(((int8_t *)f.data[2])[i], want, "seed %u, %s, %d x %d x %d: element %zu", SEED,
                             forms[h].name, images, rows, columns[c], i);
            }
            if (columns[c] <= 64)
                cr_assert(calls_of_a_kernel <=
                              forms[h].most * ((int)f.values[2].size / 1024 + images + 3 * (int)f.view.units),
                          "%s, %d x %d x %d: %d calls of the kernel", forms[h].name, images, rows, columns[c],
                          calls_of_a_kernel);
            free_formed(&f);
        }
}

Test(broadcast, short_rows_of_every_size_of_element_meet_their_partners) {
    static const int32_t columns[] = {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129, 300};
    nnrt__cpu_table table;
    size_t h, c, i;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    for (h = 0; h < NNRT__COUNT_OF(forms); h++)
        for (c = 0; c < NNRT__COUNT_OF(columns); c++) {
            const int32_t rows = noise_in(1, 150), images = noise_in(1, 3);
            nnrt__binary_int_args wide = {NNRT__BINARY_MAXIMUM, NNRT__INT_S64, INT64_MIN, INT64_MAX};
            nnrt__compare_args less = {NNRT__COMPARE_LESS, 0};
            nnrt__binary_s8_args words;
            formed f;
            make_formed(&f, &forms[h], OH_NN_INT64, OH_NN_INT64, images, rows, columns[c], &wide, &table);
            run_formed(&f, &nnrt__step_binary_int);
            for (i = 0; i < f.values[2].size / 8; i++) {
                const int64_t x = ((int64_t *)f.data[0])[offset_of(&f.values[0], &f.values[2], i)];
                const int64_t y = ((int64_t *)f.data[1])[offset_of(&f.values[1], &f.values[2], i)];
                cr_assert(((int64_t *)f.data[2])[i] == (x > y ? x : y), "int64, %s, %d x %d x %d: element %zu",
                          forms[h].name, images, rows, columns[c], i);
            }
            free_formed(&f);
            make_formed(&f, &forms[h], OH_NN_INT32, OH_NN_BOOL, images, rows, columns[c], &less, &table);
            run_formed(&f, &nnrt__step_compare);
            for (i = 0; i < f.values[2].size; i++) {
                const int32_t x = ((int32_t *)f.data[0])[offset_of(&f.values[0], &f.values[2], i)];
                const int32_t y = ((int32_t *)f.data[1])[offset_of(&f.values[1], &f.values[2], i)];
                cr_assert(((uint8_t *)f.data[2])[i] == (x < y), "int32, %s, %d x %d x %d: element %zu", forms[h].name,
                          images, rows, columns[c], i);
            }
            free_formed(&f);
            memset(&words, 0, sizeof words);
            words.kind = NNRT__BINARY_MINIMUM;
            words.clamp_min = -32768;
            words.clamp_max = 32767;
            make_formed(&f, &forms[h], OH_NN_INT16, OH_NN_INT16, images, rows, columns[c], &words, &table);
            run_formed(&f, &nnrt__step_binary_s16);
            for (i = 0; i < f.values[2].size / 2; i++) {
                const int16_t x = ((int16_t *)f.data[0])[offset_of(&f.values[0], &f.values[2], i)];
                const int16_t y = ((int16_t *)f.data[1])[offset_of(&f.values[1], &f.values[2], i)];
                cr_assert(((int16_t *)f.data[2])[i] == (x < y ? x : y), "int16, %s, %d x %d x %d: element %zu",
                          forms[h].name, images, rows, columns[c], i);
            }
            free_formed(&f);
        }
}

/* ------------------------------------------------------------------------------------- the slot of a step */

static void put_77(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b, size_t b_step,
                   int8_t *out, size_t n) {
    (void)args, (void)a, (void)a_step, (void)b, (void)b_step;
    memset(out, 77, n);
}

static void put_78(const nnrt__binary_s8_args *args, const int8_t *a, size_t a_step, const int8_t *b, size_t b_step,
                   int8_t *out, size_t n) {
    (void)args, (void)a, (void)a_step, (void)b, (void)b_step;
    memset(out, 78, n);
}

Test(binary_s8, a_step_runs_and_names_the_slot_of_its_operator_and_portable_code_where_there_is_none) {
    static const int32_t dims[2] = {3, 5};
    static const uint32_t kinds[] = {NNRT__BINARY_ADD,   NNRT__BINARY_SUB,     NNRT__BINARY_MUL,
                                     NNRT__BINARY_PRELU, NNRT__BINARY_MAXIMUM, NNRT__BINARY_MINIMUM};
    const nnrt__plan_value value = value_of(OH_NN_INT8, 2, dims);
    uint32_t k;
    for (k = 0; k < NNRT__COUNT_OF(kinds); k++) {
        const nnrt__plan_value *operands[3] = {&value, &value, &value};
        const char *name = k < 2 ? "seventy-seven" : k < 4 ? "seventy-eight" : "scalar";
        const int number = k < 2 ? 77 : k < 4 ? 78 : 0;
        nnrt__cpu_table table;
        nnrt__binary_s8_args args;
        nnrt__plan_step step;
        nnrt__step_view view;
        nnrt__step_call call;
        int8_t a[15] = {0}, b[15] = {0}, out[15];
        void *data[3] = {a, b, out};
        nnrt__cpu_select(&table, nnrt__cpu_detect());
        table.add_s8 = put_77;
        table.add_s8_isa = "seventy-seven";
        table.mul_s8 = put_78;
        table.mul_s8_isa = "seventy-eight";
        memset(&step, 0, sizeof step);
        memset(&args, 0, sizeof args);
        args.kind = kinds[k];
        args.clamp_max = 127;
        view.step = &step;
        view.arguments = &args;
        view.operands = operands;
        view.input_count = 2;
        view.output_count = 1;
        view.kernels = &table;
        call.first = 0;
        call.last = 1;
        call.data = data;
        call.scratch = NULL;
        cr_assert(nnrt__step_binary_s8.check(&view));
        view.units = 1;
        cr_assert_eq(nnrt__step_binary_s8.run(&view, &call), OH_NN_SUCCESS);
        cr_assert_eq(out[0], number, "kind %u", kinds[k]);
        cr_assert_eq(out[14], number, "kind %u", kinds[k]);
        cr_assert_str_eq(nnrt__step_binary_s8.isa(&view), name);
    }
}

/* A profile names the instruction set that runs: an operator that a level has no vectors for is portable C. */
Test(binary_f32, a_step_names_the_level_only_for_operators_that_it_has_vectors_for) {
    size_t i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        nnrt__cpu_table table;
        nnrt__binary_f32_args args;
        nnrt__step_view view;
        if ((nnrt__targets[i].isa & ~levels_here()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[i].isa);
        memset(&args, 0, sizeof args);
        view.kernels = &table;
        view.arguments = &args;
        for (args.kind = 0; args.kind < NNRT__BINARY_KINDS; args.kind++) {
            const bool scalar = args.kind == NNRT__BINARY_MOD || args.kind == NNRT__BINARY_POW ||
                                args.kind == NNRT__BINARY_ATAN2 || (args.kind == NNRT__BINARY_DIV && NNRT__HAVE_NEON);
            cr_assert_str_eq(nnrt__step_binary_f32.isa(&view), scalar ? "scalar" : table.binary_f32_isa, "%s, kind %u",
                             nnrt__targets[i].name, args.kind);
        }
    }
}

Test(unary, a_step_names_the_level_only_for_operators_and_types_that_it_has_vectors_for) {
    static const int32_t dims[2] = {3, 5};
    const nnrt__plan_value reals = value_of(OH_NN_FLOAT32, 2, dims), whole = value_of(OH_NN_INT32, 2, dims);
    const nnrt__plan_value *operands[2];
    size_t i;
    for (i = 0; i < NNRT__TARGET_COUNT; i++) {
        nnrt__cpu_table table;
        nnrt__unary_args args;
        nnrt__step_view view;
        if ((nnrt__targets[i].isa & ~nnrt__cpu_detect()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[i].isa);
        memset(&args, 0, sizeof args);
        view.kernels = &table;
        view.arguments = &args;
        view.operands = operands;
        for (args.kind = 0; args.kind < NNRT__UNARY_KINDS; args.kind++) {
            const bool vectors = nnrt__targets[i].isa != 0 && (NNRT__UNARY_F32_VECTORS >> args.kind & 1) != 0;
            operands[0] = operands[1] = &reals;
            cr_assert_str_eq(nnrt__step_unary.isa(&view), vectors ? table.unary_f32_isa : "scalar", "%s, kind %u",
                             nnrt__targets[i].name, args.kind);
            operands[0] = operands[1] = &whole;
            cr_assert_str_eq(nnrt__step_unary.isa(&view), "scalar", "%s, kind %u", nnrt__targets[i].name, args.kind);
        }
    }
}

Test(row_f32, a_step_names_the_level_only_for_softmax_over_the_last_axis) {
    static const int32_t dims[3] = {3, 5, 7};
    const nnrt__plan_value value = value_of(OH_NN_FLOAT32, 3, dims);
    const nnrt__plan_value *operands[2] = {&value, &value};
    nnrt__cpu_table table;
    nnrt__row_args args;
    nnrt__step_view view;
    nnrt__cpu_select(&table, nnrt__cpu_detect());
    memset(&args, 0, sizeof args);
    view.kernels = &table;
    view.arguments = &args;
    view.operands = operands;
    args.first = 2, args.end = 3;
    cr_assert_str_eq(nnrt__step_row_f32.isa(&view), table.softmax_f32_isa);
    args.first = 1, args.end = 2;
    cr_assert_str_eq(nnrt__step_row_f32.isa(&view), "scalar");
    args.kind = NNRT__ROW_LOG_SOFTMAX, args.first = 2, args.end = 3;
    cr_assert_str_eq(nnrt__step_row_f32.isa(&view), "scalar");
}

/* Reduces axes 1 and 2 of [2, height, width, columns] by sums of rows, in two calls, or asks who does. */
static void check_reduction(const nnrt__cpu_table *table, OH_NN_DataType dtype, uint32_t op, const int32_t *dims) {
    const int32_t kept[2] = {dims[0], dims[3]};
    const nnrt__plan_value from = value_of(dtype, 4, dims), to = value_of(dtype, 2, kept);
    const nnrt__plan_value *operands[2] = {&from, &to};
    const size_t count = nnrt__value_count(&from), outputs = nnrt__value_count(&to);
    const size_t element = nnrt__element_size(dtype);
    const bool rows = dims[3] >= 4 && op != NNRT__REDUCE_MAX;
    void *in = malloc(count * element), *out = malloc(outputs * element), *want = malloc(outputs * element);
    void *data[2] = {in, out};
    int32_t cancel = 0;
    nnrt__reduce_args args;
    nnrt__plan_step step;
    nnrt__step_view view;
    nnrt__step_call call;
    size_t i;
    memset(&args, 0, sizeof args);
    memset(&step, 0, sizeof step);
    memset(&view, 0, sizeof view);
    memset(&call, 0, sizeof call);
    args.op = op, args.rank = 4, args.mask = 6, args.factor = 1.5f;
    args.input_zero_point = -7, args.output_zero_point = 3;
    nnrt__quantize_multiplier(0.71, &args.multiplier, &args.shift);
    nnrt__reduce_multiplier((size_t)(dims[1] * dims[2]), &args.multiplier, &args.shift);
    memcpy(args.dims, dims, 4 * sizeof dims[0]);
    for (i = 0; i < count; i++) {
        if (dtype == OH_NN_INT8) ((int8_t *)in)[i] = (int8_t)noise_in(-128, 100);
        else ((float *)in)[i] = (float)noise_between(-1, 2);
    }
    view.step = &step, view.arguments = &args, view.operands = operands;
    view.input_count = view.output_count = 1, view.kernels = table;
    call.data = data, call.cancel = &cancel;
    cr_assert(nnrt__step_reduce.check(&view));
    view.units = nnrt__step_reduce.units(&view);
    call.last = view.units / 3;
    cr_assert_eq(nnrt__step_reduce.run(&view, &call), OH_NN_SUCCESS);
    call.first = call.last, call.last = view.units;
    cr_assert_eq(nnrt__step_reduce.run(&view, &call), OH_NN_SUCCESS);
    if (dtype == OH_NN_INT8) nnrt__reduce_s8_scalar(&args, (const int8_t *)in, (int8_t *)want, 0, outputs, NULL);
    else nnrt__reduce_f32_scalar(&args, (const float *)in, (float *)want, 0, outputs, NULL);
    cr_assert_eq(memcmp(out, want, outputs * element), 0, "%s: op %u of %d x %d x %d x %d", nnrt__isa_name(table->isa),
                 op, dims[0], dims[1], dims[2], dims[3]);
    cr_assert_str_eq(nnrt__step_reduce.isa(&view), !rows                 ? "scalar"
                                                   : dtype == OH_NN_INT8 ? table->sums_s8_isa
                                                                         : table->sums_f32_isa);
    free(in), free(out), free(want);
}

Test(reduce, sums_of_rows_have_the_bytes_of_the_definition_and_name_their_level) {
    static const int32_t dims[][4] = {{2, 7, 7, 130}, {1, 1, 1, 4},    {3, 17, 16, 5}, {2, 40, 30, 66},
                                      {1, 3, 5, 3},   {1, 600, 1, 64}, {1, 2, 1, 1},   {5, 1, 9, 12}};
    size_t target, i;
    uint32_t op;
    for (target = 0; target < NNRT__TARGET_COUNT; target++) {
        nnrt__cpu_table table;
        if ((nnrt__targets[target].isa & ~nnrt__cpu_detect()) != 0) continue;
        nnrt__cpu_select(&table, nnrt__targets[target].isa);
        for (i = 0; i < NNRT__COUNT_OF(dims); i++)
            for (op = NNRT__REDUCE_SUM; op <= NNRT__REDUCE_MAX; op++)
                check_reduction(&table, OH_NN_INT8, op, dims[i]), check_reduction(&table, OH_NN_FLOAT32, op, dims[i]);
    }
}

/* ------------------------------------------------------------------------------------------ hostile steps */

/* The verdict on an int8 step whose field number `wrong` is out of range; 0: none is. */
static bool verdict(uint32_t wrong) {
    static const int32_t dims[2] = {4, 6}, others[2] = {4, 5};
    nnrt__plan_value values[3];
    const nnrt__plan_value *operands[3];
    nnrt__binary_s8_args args;
    nnrt__plan_step step;
    nnrt__step_view view;
    uint32_t k;
    for (k = 0; k < 3; k++) {
        values[k] = value_of(OH_NN_INT8, 2, dims);
        operands[k] = &values[k];
    }
    memset(&step, 0, sizeof step);
    memset(&args, 0, sizeof args);
    args.clamp_max = 127;
    if (wrong == 1) args.kind = NNRT__BINARY_KINDS;
    if (wrong == 2) args.input_shift[1] = 1;
    if (wrong == 3) args.output_shift = 31;
    if (wrong == 4) args.output_multiplier = -1;
    if (wrong == 5) args.input_zero_point[0] = 1 << 20;
    if (wrong == 6) args.clamp_min = -129;
    if (wrong == 7) values[1] = value_of(OH_NN_INT8, 2, others);
    if (wrong == 8) values[2] = value_of(OH_NN_INT32, 2, dims);
    if (wrong == 9) operands[1] = NULL;
    if (wrong == 10) args.input_shift[0] = -32;
    if (wrong == 11) values[2] = value_of(OH_NN_INT8, 1, dims);
    if (wrong == 12) args.clamp_min = args.clamp_max + 1, args.clamp_max -= 1;
    if (wrong == 13) args.kind = NNRT__BINARY_PRELU, args.input_shift[0] = 31;
    if (wrong == 14) args.kind = NNRT__BINARY_DIV;
    if (wrong == 15) args.kind = NNRT__BINARY_ADD, args.input_shift[0] = 1;
    view.step = &step;
    view.arguments = &args;
    view.operands = operands;
    view.input_count = 2;
    view.output_count = 1;
    view.kernels = NULL;
    return nnrt__step_binary_s8.check(&view);
}

Test(hostile_steps, an_int8_step_with_any_field_out_of_range_is_refused) {
    uint32_t wrong;
    cr_assert(verdict(0));
    for (wrong = 1; wrong <= 15; wrong++) cr_assert(!verdict(wrong), "case %u", wrong);
}
