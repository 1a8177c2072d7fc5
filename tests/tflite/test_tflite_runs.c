/* SPDX-License-Identifier: Apache-2.0 */
/* Proves that .tflite models compute what their operators mean: files of one operator are made, read, compiled for the
   CPU and run, and every element is compared with a formula that is written here. */
#include "linked.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

#define SEED 60219u

#include "noise.h"
#include "run_tflite.h"

static bool same_or_near(double got, double want, double bound) {
    if (isnan(want)) return isnan(got);
    if (isinf(want)) return got == want;
    return fabs(got - want) <= bound * (1.0 + fabs(want));
}

/* ------------------------------------------------------------------------------------- one operand */

static double one_operand(int code, double x) {
    switch (code) {
    case 20: return x < -1 ? -1 : x > 1 ? 1 : x;
    case 152: return x < 0 ? 0 : x > 1 ? 1 : x;
    case 66: return sin(x);
    case 108: return cos(x);
    case 104: return ceil(x);
    case 116: return nearbyint(x); /* ties to even */
    case 73: return log(x);
    case 92: return x * x;
    case 111: return x < 0 ? expm1(x) : x;
    case 150: return 0.5 * x * (1 + erf(x / sqrt(2)));
    default: return x > 0 ? 1 : x < 0 ? -1 : 0; /* SIGN */
    }
}

Test(tflite_runs, functions_of_one_operand_are_their_formulas) {
    static const int codes[] = {20, 152, 66, 108, 104, 116, 73, 92, 111, 150, 158};
    static const float edges[] = {0.0f,  -0.0f, 0.5f,   -0.5f, 1.5f,   2.5f,    -2.5f, 1.0f,
                                  -1.0f, 1e-7f, -1e-7f, 80.0f, -80.0f, 3.4e38f, -1e30f};
    const int32_t count = 40;
    size_t k, i;
    for (k = 0; k < NNRT__COUNT_OF(codes); k++) {
        const tensor_spec t = list(FLOAT32, count);
        const spec s = operator_of(codes[k], 1, &t, t);
        float x[40], y[40];
        memory in = mem(x, sizeof x), out = mem(y, sizeof y);
        for (i = 0; i < 40; i++)
            x[i] = i < NNRT__COUNT_OF(edges) ? edges[i] : (float)noise_between(codes[k] == 73 ? 0.001 : -4.0, 4.0);
        if (codes[k] == 66 || codes[k] == 108 || codes[k] == 92) x[13] = x[14] = 1.0f;
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 40; i++)
            cr_assert(same_or_near((double)y[i], one_operand(codes[k], (double)x[i]), 3e-7),
                      "seed %u, operator %d of %g: %g, not %g", SEED, codes[k], (double)x[i], (double)y[i],
                      one_operand(codes[k], (double)x[i]));
    }
}

Test(tflite_runs, what_is_no_number_stays_one_but_for_sign) {
    static const int codes[] = {66, 104, 116, 111, 158};
    const tensor_spec t = list(FLOAT32, 3);
    size_t k;
    for (k = 0; k < NNRT__COUNT_OF(codes); k++) {
        const spec s = operator_of(codes[k], 1, &t, t);
        float x[3] = {NAN, INFINITY, -INFINITY}, y[3];
        memory in = mem(x, sizeof x), out = mem(y, sizeof y);
        run(&s, &in, 1, &out, 1);
        if (codes[k] == 158) cr_assert(y[0] == 0 && y[1] == 1 && y[2] == -1);
        else cr_assert(isnan(y[0]), "operator %d", codes[k]);
        if (codes[k] == 111) cr_assert(y[1] == INFINITY && y[2] == -1);
    }
}

/* int8: clamped at the bytes of the bounds, ties away from zero, and not rescaled: scale 0.1, zero point 3. */
Test(tflite_runs, relu_to_1_of_bytes_clamps_them) {
    static const int codes[] = {20, 152};
    tensor_spec t = list(INT8, 6);
    size_t k, i;
    t.scale = 0.1f;
    t.zero = 3;
    for (k = 0; k < 2; k++) {
        const spec s = operator_of(codes[k], 1, &t, t);
        const int8_t x[6] = {-128, -8, 2, 5, 13, 127}, want[2][6] = {{-7, -7, 2, 5, 13, 13}, {3, 3, 3, 5, 13, 13}};
        int8_t y[6];
        memory in = mem((void *)(uintptr_t)x, sizeof x), out = mem(y, sizeof y);
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 6; i++) cr_assert_eq(y[i], want[k][i], "operator %d, byte %d: %d", codes[k], x[i], y[i]);
    }
}

/* ------------------------------------------------------------------------------------- two operands */

static bool two_bools(int code, double a, double b) {
    switch (code) {
    case 58: return a < b;
    case 61: return a > b;
    case 62: return a >= b;
    case 63: return a <= b;
    case 71: return a == b;
    case 72: return a != b;
    case 84: return a != 0 || b != 0;
    default: return a != 0 && b != 0;
    }
}

/* Rows against a column: every pair. */
Test(tflite_runs, comparisons_and_logic_broadcast) {
    static const int codes[] = {58, 61, 62, 63, 71, 72, 84, 86};
    static const int32_t rows[2] = {1, 5}, column[2] = {4, 1}, both[2] = {4, 5};
    size_t k, i;
    int type;
    for (k = 0; k < NNRT__COUNT_OF(codes); k++)
        for (type = 0; type < 2; type++) {
            const bool logic = codes[k] == 84 || codes[k] == 86;
            tensor_spec in_tensors[2];
            float fa[5] = {-1, 0, 1, 2, NAN}, fb[4] = {-1, 0, 1, INFINITY};
            int32_t ia[5] = {-1, 0, 1, 2, INT32_MAX}, ib[4] = {-1, 0, 1, INT32_MIN};
            uint8_t la[5] = {0, 1, 0, 1, 1}, lb[4] = {0, 1, 1, 0}, out_bytes[20];
            memory in[2], out = mem(out_bytes, 20);
            spec s;
            in_tensors[0] = tensor(logic ? BOOL : type == 0 ? FLOAT32 : INT32, 2, rows);
            in_tensors[1] = tensor(logic ? BOOL : type == 0 ? FLOAT32 : INT32, 2, column);
            s = operator_of(codes[k], 2, in_tensors, tensor(BOOL, 2, both));
            in[0] = logic ? mem(la, 5) : type == 0 ? mem(fa, sizeof fa) : mem(ia, sizeof ia);
            in[1] = logic ? mem(lb, 4) : type == 0 ? mem(fb, sizeof fb) : mem(ib, sizeof ib);
            run(&s, in, 2, &out, 1);
            for (i = 0; i < 20; i++) {
                const double a = logic ? la[i % 5] : type == 0 ? (double)fa[i % 5] : ia[i % 5];
                const double b = logic ? lb[i / 5] : type == 0 ? (double)fb[i / 5] : ib[i / 5];
                cr_assert_eq(out_bytes[i], two_bools(codes[k], a, b), "operator %d of %g and %g", codes[k], a, b);
            }
        }
}

static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

Test(tflite_runs, floor_division_rounds_down_whatever_the_signs) {
    static const int32_t a[] = {7, -7, 7, -7, 6, -6, 0, 0, 1, -1, INT32_MAX, -INT32_MAX, 5, -5};
    static const int32_t b[] = {3, 3, -3, -3, 3, 3, 5, -5, 1000, 1000, 2, 2, -INT32_MAX, INT32_MAX};
    const int32_t count = (int32_t)NNRT__COUNT_OF(a);
    tensor_spec t[2];
    size_t i;
    int code;
    for (code = 90; code <= 95; code += 5) {
        int32_t got[NNRT__COUNT_OF(a)];
        float fa[NNRT__COUNT_OF(a)], fb[NNRT__COUNT_OF(a)], fgot[NNRT__COUNT_OF(a)];
        memory in[2], out = mem(got, sizeof got);
        spec s;
        t[0] = t[1] = list(INT32, count);
        s = operator_of(code, 2, t, t[0]);
        in[0] = mem((void *)(uintptr_t)a, sizeof a);
        in[1] = mem((void *)(uintptr_t)b, sizeof b);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < NNRT__COUNT_OF(a); i++) {
            const int64_t q = floor_quotient(a[i], b[i]), want = code == 90 ? q : a[i] - q * b[i];
            cr_assert_eq(got[i], want, "operator %d of %d and %d: %d", code, (int)a[i], (int)b[i], (int)got[i]);
        }
        t[0] = t[1] = list(FLOAT32, count);
        s = operator_of(code, 2, t, t[0]);
        for (i = 0; i < NNRT__COUNT_OF(a); i++) {
            fa[i] = (float)(a[i] % 1000) * 0.25f;
            fb[i] = (float)(b[i] % 1000 == 0 ? 3 : b[i] % 1000) * 0.5f;
        }
        in[0] = mem(fa, sizeof fa);
        in[1] = mem(fb, sizeof fb);
        out = mem(fgot, sizeof fgot);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < NNRT__COUNT_OF(a); i++) {
            const double q = floor((double)fa[i] / (double)fb[i]);
            const double want = code == 90 ? q : (double)fa[i] - q * (double)fb[i]; /* exact: few bits */
            cr_assert_eq((double)fgot[i], want, "operator %d of %g and %g: %g", code, (double)fa[i], (double)fb[i],
                         (double)fgot[i]);
        }
    }
}

/* By hand: quotients rounded down, modulo 2^32, and remainders with the sign of the divisor. */
Test(tflite_runs, floor_division_at_the_ends_of_integers) {
    static const int32_t a[] = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MAX, INT32_MIN, -1, 1, 0};
    static const int32_t b[] = {-1, 1, INT32_MAX, INT32_MIN, 3, INT32_MAX, INT32_MIN, INT32_MIN};
    static const int32_t quotients[] = {INT32_MIN, INT32_MIN, -2, -1, -715827883, -1, -1, 0};
    static const int32_t remainders[] = {0, 0, INT32_MAX - 1, -1, 1, INT32_MAX - 1, -INT32_MAX, 0};
    const tensor_spec t[2] = {list(INT32, 8), list(INT32, 8)};
    int32_t got[8];
    memory in[2], out = mem(got, sizeof got);
    int code, i;
    in[0] = mem((void *)(uintptr_t)a, sizeof a);
    in[1] = mem((void *)(uintptr_t)b, sizeof b);
    for (code = 90; code <= 95; code += 5) {
        const spec s = operator_of(code, 2, t, t[0]);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < 8; i++)
            cr_assert_eq(got[i], code == 90 ? quotients[i] : remainders[i], "operator %d of %d and %d: %d", code,
                         (int)a[i], (int)b[i], (int)got[i]);
    }
}

/* A quotient is floor(a / b), so that by an infinite divisor it is a zero. A remainder of 0 keeps the sign of the
   dividend; one by an infinite divisor of the other sign is that infinity. */
Test(tflite_runs, floor_division_of_floats_that_are_no_numbers) {
    static const float a[] = {-6, 6, -0.0f, 0, 5, -5, INFINITY, 1, -1, NAN, 1, 0, -7.5f, 7.5f};
    static const float b[] = {3, -3, 3, 3, -INFINITY, INFINITY, 2, 0, 0, 1, NAN, 0, 2, -2};
    static const float quotients[] = {-2,       -2,        -0.0f, 0,   -0.0f, -0.0f, INFINITY,
                                      INFINITY, -INFINITY, NAN,   NAN, NAN,   -4,    -4};
    static const float remainders[] = {-0.0f, 0,   -0.0f, 0,   -INFINITY, INFINITY, NAN,
                                       NAN,   NAN, NAN,   NAN, NAN,       0.5f,     -0.5f};
    const tensor_spec t[2] = {list(FLOAT32, 14), list(FLOAT32, 14)};
    float got[14];
    memory in[2], out = mem(got, sizeof got);
    int code, i;
    in[0] = mem((void *)(uintptr_t)a, sizeof a);
    in[1] = mem((void *)(uintptr_t)b, sizeof b);
    for (code = 90; code <= 95; code += 5) {
        const spec s = operator_of(code, 2, t, t[0]);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < 14; i++) {
            const float want = code == 90 ? quotients[i] : remainders[i];
            if (isnan(want)) cr_assert(isnan(got[i]), "operator %d, %d: %g", code, i, (double)got[i]);
            else
                cr_assert(got[i] == want && signbit(got[i]) == signbit(want), "operator %d of %g and %g: %g", code,
                          (double)a[i], (double)b[i], (double)got[i]);
        }
    }
}

Test(tflite_runs, a_scalar_divisor_is_one_for_all) {
    static const int32_t one[1] = {1};
    tensor_spec t[2];
    int32_t a[4] = {-5, 5, -4, 4}, b = 2, got[4];
    memory in[2], out = mem(got, sizeof got);
    spec s;
    t[0] = list(INT32, 4);
    t[1] = tensor(INT32, 0, one);
    s = operator_of(95, 2, t, t[0]);
    in[0] = mem(a, sizeof a);
    in[1] = mem(&b, sizeof b);
    run(&s, in, 2, &out, 1);
    cr_assert(got[0] == 1 && got[1] == 1 && got[2] == 0 && got[3] == 0);
    b = 0;
    cr_assert_eq((int)try_run(&s, in, 2, &out, 1), (int)OH_NN_UNAVAILABLE_DEVICE);
    cr_assert_not_null(strstr(nnrt_last_error(), ": an integer is divided by zero"), "%s", nnrt_last_error());
}

Test(tflite_runs, squared_difference_power_and_sums_of_many) {
    tensor_spec t[3];
    float a[3] = {1, -2, 3}, b[3] = {4, 2, -1}, c[3] = {10, 20, 30}, y[3];
    memory in[3], out = mem(y, sizeof y);
    spec s;
    t[0] = t[1] = t[2] = list(FLOAT32, 3);
    in[0] = mem(a, sizeof a);
    in[1] = mem(b, sizeof b);
    in[2] = mem(c, sizeof c);
    s = operator_of(99, 2, t, t[0]);
    run(&s, in, 2, &out, 1);
    cr_assert(y[0] == 9 && y[1] == 16 && y[2] == 16);
    s = operator_of(78, 2, t, t[0]);
    run(&s, in, 2, &out, 1);
    cr_assert(y[0] == 1 && y[1] == 4 && fabsf(y[2] - 1.0f / 3.0f) < 1e-6f);
    s = operator_of(106, 3, t, t[0]);
    run(&s, in, 3, &out, 1);
    cr_assert(y[0] == 15 && y[1] == 20 && y[2] == 32);
    s = operator_of(106, 1, t, t[0]);
    run(&s, in, 1, &out, 1);
    cr_assert(y[0] == 1 && y[1] == -2 && y[2] == 3);
}

/* Every quarter, the axes, both zeros and infinities. */
Test(tflite_runs, atan2_is_the_angle_of_a_point) {
    float a[12] = {1, 1, -1, -1, 0, 0, -0.0f, 2, -2, INFINITY, 1, NAN},
          b[12] = {1, -1, -1, 1, 1, -1, -1, 0, 0, 1, -INFINITY, 1};
    tensor_spec t[2];
    float y[12];
    memory in[2], out = mem(y, sizeof y);
    spec s;
    size_t i;
    t[0] = t[1] = list(FLOAT32, 12);
    in[0] = mem(a, sizeof a);
    in[1] = mem(b, sizeof b);
    s = operator_of(156, 2, t, t[0]);
    run(&s, in, 2, &out, 1);
    for (i = 0; i < 12; i++)
        cr_assert(same_or_near((double)y[i], atan2((double)a[i], (double)b[i]), 3e-7), "%zu: %g", i, (double)y[i]);
    t[0] = t[1] = list(INT32, 12);
    s = operator_of(156, 2, t, t[0]);
    refused(&s, "it takes float32");
}

/* A table, as the reference kernel has: the value times the reciprocal of the scale, in float, halves away from 0. */
Test(tflite_runs, elu_of_bytes_is_a_table) {
    int round, i;
    for (round = 0; round < 40; round++) {
        tensor_spec t = list(INT8, 256), u = t;
        int8_t x[256], y[256];
        memory in = mem(x, sizeof x), out = mem(y, sizeof y);
        float inverse;
        spec s;
        t.scale = (float)exp(noise_between(-6, 1));
        u.scale = (float)exp(noise_between(-6, 1));
        t.zero = noise_in(-128, 127);
        u.zero = noise_in(-128, 127);
        inverse = 1.0f / u.scale;
        for (i = 0; i < 256; i++) x[i] = (int8_t)(i - 128);
        s = operator_of(111, 1, &t, u);
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 256; i++) {
            const float real = t.scale * (float)(x[i] - t.zero), value = real < 0 ? expm1f(real) : real;
            const float scaled = value * inverse;
            const double q = fmin(fmax((double)roundf(scaled) + (double)u.zero, -128), 127);
            cr_assert_eq((double)y[i], q, "seed %u round %d byte %d: %d, not %g", SEED, round, x[i], y[i], q);
        }
    }
}

Test(tflite_runs, select_takes_rows_and_select_v2_broadcasts) {
    static const int32_t square[2] = {2, 3}, row[2] = {1, 3}, two[1] = {2}, column[2] = {2, 1};
    tensor_spec t[3];
    uint8_t condition[2] = {1, 0};
    float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {-1, -2, -3, -4, -5, -6}, y[6];
    memory in[3], out = mem(y, sizeof y);
    spec s;
    t[0] = tensor(BOOL, 1, two);
    t[1] = t[2] = tensor(FLOAT32, 2, square);
    in[0] = mem(condition, sizeof condition);
    in[1] = mem(a, sizeof a);
    in[2] = mem(b, sizeof b);
    s = operator_of(64, 3, t, t[1]);
    run(&s, in, 3, &out, 1);
    cr_assert(y[0] == 1 && y[2] == 3 && y[3] == -4 && y[5] == -6);
    t[0] = tensor(BOOL, 2, column);
    t[2] = tensor(FLOAT32, 2, row);
    in[2] = mem(b, 12);
    s = operator_of(123, 3, t, t[1]);
    run(&s, in, 3, &out, 1);
    cr_assert(y[0] == 1 && y[2] == 3 && y[3] == -1 && y[5] == -3);
}

/* ------------------------------------------------------------------------------------- along axes */

Test(tflite_runs, any_and_all_reduce_bools_and_products_floats) {
    static const int32_t square[2] = {3, 2}, kept[2] = {3, 1}, axis = 1;
    const tensor_spec t = tensor(BOOL, 2, square), f = tensor(FLOAT32, 2, square);
    const uint8_t x[6] = {0, 0, 0, 1, 1, 1};
    const float fx[6] = {2, 3, 4, 5, -1, 7};
    uint8_t y[3];
    float fy[3];
    memory in = mem((void *)(uintptr_t)x, sizeof x), out = mem(y, sizeof y);
    int keep;
    for (keep = 0; keep < 2; keep++) {
        const int64_t options[1] = {keep};
        spec s = operator_of(91, 1, &t, keep ? tensor(BOOL, 2, kept) : list(BOOL, 3));
        option(&s, 27, 1, options);
        add_constant(&s, INT32, 1, &axis, 4);
        in = mem((void *)(uintptr_t)x, sizeof x), out = mem(y, sizeof y);
        run(&s, &in, 1, &out, 1);
        cr_assert(y[0] == 0 && y[1] == 1 && y[2] == 1);
        s.code = 140;
        run(&s, &in, 1, &out, 1);
        cr_assert(y[0] == 0 && y[1] == 0 && y[2] == 1);
        s = operator_of(81, 1, &f, keep ? tensor(FLOAT32, 2, kept) : list(FLOAT32, 3));
        option(&s, 27, 1, options);
        add_constant(&s, INT32, 1, &axis, 4);
        in = mem((void *)(uintptr_t)fx, sizeof fx), out = mem(fy, sizeof fy);
        run(&s, &in, 1, &out, 1);
        cr_assert(fy[0] == 6 && fy[1] == 20 && fy[2] == -7);
    }
}

/* x / max(sqrt(sum of squares), 1e-6). */
Test(tflite_runs, l2_normalization_has_a_least_norm) {
    static const int32_t square[2] = {2, 3};
    const tensor_spec t = tensor(FLOAT32, 2, square);
    const spec s = operator_of(11, 1, &t, t);
    float x[6] = {2, -3, 6, 1e-7f, 0, 0}, y[6];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    run(&s, &in, 1, &out, 1);
    cr_assert(fabsf(y[0] - 2.0f / 7) < 1e-6f && fabsf(y[1] + 3.0f / 7) < 1e-6f && fabsf(y[2] - 6.0f / 7) < 1e-6f);
    cr_assert(fabsf(y[3] - 0.1f) < 1e-6f && y[4] == 0, "%g", (double)y[3]);
}

/* Scale 1 / 128 and zero point 0 is what the reference kernel writes: 3, -4, 12 has the norm 13. Another scale works,
   too, by way of floats. */
Test(tflite_runs, l2_normalization_of_bytes_has_128_steps) {
    static const int32_t square[2] = {2, 3};
    static const int8_t want[6] = {30, -39, 118, 0, 0, 0};
    tensor_spec t = tensor(INT8, 2, square), u = t;
    int8_t x[6] = {8, 1, 17, 5, 5, 5}, y[6];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    size_t i;
    spec s;
    t.scale = 0.3f;
    t.zero = 5;
    u.scale = 1.0f / 128.0f;
    s = operator_of(11, 1, &t, u);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], want[i], "%zu: %d", i, y[i]);
    u.scale = 1.0f / 64.0f;
    u.zero = -10;
    s = operator_of(11, 1, &t, u);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert(abs(y[i] - (want[i] / 2 - 10)) <= 1, "%zu: %d", i, y[i]);
}

Test(tflite_runs, softmax_multiplies_by_beta) {
    static const float betas[] = {0.0f, 0.5f, 1.0f, 3.0f, -2.0f};
    tensor_spec t = list(FLOAT32, 4), bytes_in = list(INT8, 4), bytes_out = bytes_in;
    size_t k, i;
    bytes_in.scale = 0.25f;
    bytes_in.zero = -5;
    bytes_out.scale = 1.0f / 256.0f;
    bytes_out.zero = -128;
    for (k = 0; k < NNRT__COUNT_OF(betas); k++) {
        const int64_t options[1] = {bits_of(betas[k])};
        int8_t q[4] = {-8, -1, -5, 1}, got[4];
        float x[4], y[4];
        double sum = 0;
        memory in = mem(x, sizeof x), out = mem(y, sizeof y);
        spec s = operator_of(25, 1, &t, t);
        option(&s, 9, 1, options);
        for (i = 0; i < 4; i++) x[i] = 0.25f * (float)(q[i] + 5);
        for (i = 0; i < 4; i++) sum += exp((double)betas[k] * (double)x[i]);
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 4; i++) cr_assert(fabs((double)y[i] - exp((double)betas[k] * (double)x[i]) / sum) < 1e-6);
        s = operator_of(25, 1, &bytes_in, bytes_out);
        option(&s, 9, 1, options);
        in = mem(q, sizeof q), out = mem(got, sizeof got);
        if (betas[k] <= 0) {
            refused(&s, "its beta with these scales");
            continue;
        }
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 4; i++) {
            const double real = 256 * exp((double)betas[k] * (double)x[i]) / sum - 128;
            cr_assert(fabs((real > 127 ? 127 : real) - got[i]) <= 0.51, "beta %g, byte %zu: %d, not %g",
                      (double)betas[k], i, got[i], real);
        }
    }
}

Test(tflite_runs, top_k_gives_the_largest_first_and_ties_by_index) {
    static const int32_t two = 2, pair[2] = {2, 2}, square[2] = {2, 4};
    const tensor_spec t = tensor(FLOAT32, 2, square);
    spec s = operator_of(48, 1, &t, tensor(FLOAT32, 2, pair));
    float x[8] = {1, 5, 5, 2, -1, -4, -2, -1}, y[4];
    int32_t at[4];
    memory in = mem(x, sizeof x), out[2];
    add_constant(&s, INT32, 1, &two, 4);
    s.tensors[s.tensor_count] = tensor(INT32, 2, pair);
    s.outputs[1] = (int32_t)s.tensor_count++;
    s.output_count = 2;
    out[0] = mem(y, sizeof y);
    out[1] = mem(at, sizeof at);
    run(&s, &in, 1, out, 2);
    cr_assert(y[0] == 5 && y[1] == 5 && y[2] == -1 && y[3] == -1);
    cr_assert(at[0] == 1 && at[1] == 2 && at[2] == 0 && at[3] == 3);
    s.output_count = 1;
    refused(&s, "does not have 2 outputs");
}

/* Two weights a byte, the first one in the lower half; of an odd number the last upper half is not looked at. */
Test(tflite_runs, weights_of_int4_are_those_of_int8) {
    static const int8_t weights[15] = {-8, 7, 0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -7};
    static const int32_t in_dims[2] = {1, 5}, w_dims[2] = {3, 5}, out_dims[2] = {1, 3};
    uint8_t packed[8];
    int8_t x[5] = {127, -128, 3, 50, -60}, y[3];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    tensor_spec t = tensor(INT8, 2, in_dims), to = tensor(INT8, 2, out_dims);
    spec s;
    int o, i;
    for (i = 0; i < 8; i++) packed[i] = (uint8_t)((weights[2 * i] & 15) | (i == 7 ? 9 : weights[2 * i + 1] & 15) << 4);
    t.scale = 0.5f;
    to.scale = 8.0f;
    s = operator_of(9, 1, &t, to);
    s.tensors[2] = tensor(INT4, 2, w_dims);
    s.tensors[2].scale = 0.25f;
    s.tensors[2].data = packed;
    s.tensors[2].data_size = 8;
    s.tensor_count = 3;
    s.inputs[1] = 2;
    s.input_count = 2;
    run(&s, &in, 1, &out, 1);
    for (o = 0; o < 3; o++) {
        double sum = 0;
        for (i = 0; i < 5; i++) sum += x[i] * 0.5 * weights[5 * o + i] * 0.25;
        cr_assert_eq(y[o], (int)lround(sum / 8), "%d: %d, not %g", o, y[o], sum / 8);
    }
    s.tensors[2].data_size = 7;
    refused(&s, "7 bytes of data for 15 elements of INT4");
    s.tensors[2].data = NULL;
    s.tensors[2].data_size = 0;
    refused(&s, "has type INT4 and is not constant");
}

Test(tflite_runs, arg_min_is_the_first_of_the_smallest) {
    static const int32_t square[2] = {2, 5}, axes[2] = {1, -1};
    static const float rows[10] = {3, -2, 7, -2, 0, INFINITY, 0.0f, -0.0f, -INFINITY, NAN};
    static const int8_t bytes_in[10] = {3, -128, 127, -128, 0, 0, 1, 2, 3, -1};
    float x[10];
    int8_t b[10];
    int32_t at[2];
    int64_t wide[2];
    memory in = mem(x, sizeof x), out = mem(at, sizeof at);
    tensor_spec t = tensor(FLOAT32, 2, square);
    spec s = operator_of(79, 1, &t, list(INT32, 2));
    memcpy(x, rows, sizeof x);
    memcpy(b, bytes_in, sizeof b);
    add_constant(&s, INT32, 1, &axes[0], 4);
    run(&s, &in, 1, &out, 1);
    cr_assert(at[0] == 1 && at[1] == 3, "%d, %d", (int)at[0], (int)at[1]);
    t.type = INT8;
    t.scale = 0.5f;
    s = operator_of(79, 1, &t, list(INT64, 2));
    add_constant(&s, INT32, 1, &axes[1], 4);
    in = mem(b, sizeof b);
    out = mem(wide, sizeof wide);
    run(&s, &in, 1, &out, 1);
    cr_assert(wide[0] == 1 && wide[1] == 4);
}

Test(tflite_runs, embedding_lookup_takes_rows) {
    static const int32_t table[2] = {4, 3}, taken[2] = {2, 3}, chosen[2] = {3, 0};
    tensor_spec t[2];
    int32_t at[2];
    float x[12], y[6];
    memory in[2], out = mem(y, sizeof y);
    spec s;
    int i;
    t[0] = list(INT32, 2);
    t[1] = tensor(FLOAT32, 2, table);
    s = operator_of(7, 2, t, tensor(FLOAT32, 2, taken));
    memcpy(at, chosen, sizeof at);
    for (i = 0; i < 12; i++) x[i] = (float)i;
    in[0] = mem(at, sizeof at);
    in[1] = mem(x, sizeof x);
    run(&s, in, 2, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], (float)(i < 3 ? 9 + i : i - 3));
}

/* Windows of 2 x 2 in steps of 2, the last ones cut off by the border; squares of nothing are not counted. */
Test(tflite_runs, l2_pool_is_the_root_of_the_mean_of_squares) {
    static const int32_t image[4] = {1, 3, 3, 1}, small[4] = {1, 2, 2, 1};
    static const int64_t fields[6] = {0, 2, 2, 2, 2, 0};
    const float x[9] = {1, -1, 3, 1, 5, -4, 6, -8, 100}, most[5] = {100, 100, 1, 6, 1};
    const float want[4] = {sqrtf(7.0f), sqrtf(12.5f), sqrtf(50.0f), 100.0f};
    const tensor_spec t = tensor(FLOAT32, 4, image);
    float copy[9], y[4];
    memory in = mem(copy, sizeof copy), out = mem(y, sizeof y);
    int activation, i;
    memcpy(copy, x, sizeof x);
    for (activation = 0; activation < 5; activation++) {
        spec s = operator_of(12, 1, &t, tensor(FLOAT32, 4, small));
        option(&s, 5, 6, fields);
        s.options[5] = activation;
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < 4; i++)
            cr_assert(same_or_near((double)y[i],
                                   (double)(activation == 4 ? tanhf(want[i]) : fminf(want[i], most[activation])), 1e-6),
                      "activation %d, window %d: %g", activation, i, (double)y[i]);
    }
}

/* ------------------------------------------------------------------------------------- shapes */

Test(tflite_runs, shape_and_rank_are_numbers) {
    static const int32_t dims[3] = {2, 3, 5}, three = 3;
    const tensor_spec t = tensor(FLOAT32, 3, dims);
    spec s = operator_of(77, 1, &t, list(INT32, 3));
    float x[30] = {0};
    int32_t shape[3], rank = 0;
    int64_t wide[3];
    memory in = mem(x, sizeof x), out = mem(shape, sizeof shape);
    run(&s, &in, 1, &out, 1);
    cr_assert(shape[0] == 2 && shape[1] == 3 && shape[2] == 5);
    s = operator_of(77, 1, &t, list(INT64, 3));
    out = mem(wide, sizeof wide);
    run(&s, &in, 1, &out, 1);
    cr_assert(wide[0] == 2 && wide[1] == 3 && wide[2] == 5);
    s = operator_of(110, 1, &t, tensor(INT32, 0, &three));
    out = mem(&rank, sizeof rank);
    run(&s, &in, 1, &out, 1);
    cr_assert_eq(rank, 3);
}

Test(tflite_runs, tile_broadcast_fill_and_one_hot_repeat) {
    static const int32_t row[2] = {1, 2}, tiled[2] = {2, 6}, wide[2] = {3, 2}, times[2] = {2, 3}, shape[2] = {3, 2};
    static const int32_t hot[2] = {2, 3}, depth = 3;
    static const float on = 5, off = -1;
    const int64_t last[1] = {-1};
    const tensor_spec t = tensor(FLOAT32, 2, row), indices = list(INT32, 2);
    float x[2] = {1, 2}, y[12];
    int32_t at[2] = {2, 0};
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    spec s = operator_of(69, 1, &t, tensor(FLOAT32, 2, tiled));
    size_t i;
    add_constant(&s, INT32, 2, times, 8);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 12; i++) cr_assert_eq(y[i], x[i % 2]);
    s = operator_of(130, 1, &t, tensor(FLOAT32, 2, wide));
    add_constant(&s, INT32, 2, shape, 8);
    out = mem(y, 6 * sizeof y[0]);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], x[i % 2]);
    s = operator_of(94, 1, &t, tensor(FLOAT32, 2, wide));
    s.tensors[0] = list(FLOAT32, 1);
    add_constant(&s, INT32, 2, shape, 8);
    s.inputs[0] = s.inputs[1];
    s.inputs[1] = 0;
    in = mem(&x[1], 4);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], 2);
    s = operator_of(85, 1, &indices, tensor(FLOAT32, 2, hot));
    add_constant(&s, INT32, 1, &depth, 4);
    add_constant(&s, FLOAT32, 1, &on, 4);
    add_constant(&s, FLOAT32, 1, &off, 4);
    option(&s, 61, 1, last);
    in = mem(at, sizeof at);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 6; i++) cr_assert_eq(y[i], i == 2 || i == 3 ? 5 : -1);
}

/* What a file writes down for a dimension that its signature leaves open is anything: 1, or 0. */
Test(tflite_runs, shapes_that_values_decide_are_open_in_the_signature) {
    static const int32_t row[2] = {1, 4}, any[3][2] = {{1, 1}, {1, 0}, {1, 7}}, open[2] = {1, -1};
    const float x[4] = {3, 1, 4, 2};
    float y[4];
    int32_t at[4], k;
    size_t i, n;
    for (i = 0; i < 3; i++)
        for (k = 1; k <= 4; k++) {
            const tensor_spec in[2] = {tensor(FLOAT32, 2, row), tensor(INT32, 0, row)};
            memory ins[2], outs[2];
            spec s = operator_of(48, 2, in, tensor(FLOAT32, 2, any[i]));
            s.tensors[3] = tensor(INT32, 2, any[i]);
            s.tensors[2].signature = s.tensors[3].signature = open;
            s.tensor_count = 4;
            s.outputs[1] = 3;
            s.output_count = 2;
            ins[0] = mem((void *)(uintptr_t)x, sizeof x);
            ins[1] = mem(&k, sizeof k);
            outs[0] = mem(y, (size_t)k * sizeof y[0]);
            outs[1] = mem(at, (size_t)k * sizeof at[0]);
            run(&s, ins, 2, outs, 2);
            for (n = 0; n < (size_t)k; n++) cr_assert_eq(y[n], (float)(4 - n));
            cr_assert_eq(at[0], 2);
        }
}

Test(tflite_runs, reverse_zeros_like_and_range) {
    static const int32_t dims[3] = {2, 3, 2}, axes[2] = {0, -1}, twice[2] = {1, -2}, past = 3, numbers[3] = {7, -2, -3};
    const tensor_spec t = tensor(FLOAT32, 3, dims);
    float x[12], y[12];
    int32_t z[3];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    spec s = operator_of(105, 1, &t, t);
    int i;
    for (i = 0; i < 12; i++) x[i] = (float)(i + 1);
    add_constant(&s, INT32, 2, axes, 8);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 12; i++) cr_assert_eq(y[i], x[(1 - i / 6) * 6 + i / 2 % 3 * 2 + (1 - i % 2)], "element %d", i);
    s = operator_of(105, 1, &t, t);
    add_constant(&s, INT32, 1, &axes[0], 4);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 12; i++) cr_assert_eq(y[i], x[(i + 6) % 12]);
    s = operator_of(105, 1, &t, t);
    add_constant(&s, INT32, 2, twice, 8);
    refused(&s, "an axis is named twice");
    s = operator_of(105, 1, &t, t);
    add_constant(&s, INT32, 1, &past, 4);
    refused(&s, "an axis is none of the value");
    s = operator_of(93, 1, &t, t);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 12; i++) cr_assert_eq(bits_of(y[i]), 0u);
    s = operator_of(96, 1, &t, list(INT32, 3)); /* 7, 4, 1; -2 is not reached */
    s.input_count = 0;
    for (i = 0; i < 3; i++) {
        add_constant(&s, INT32, 1, &numbers[i], 4);
        s.tensors[s.tensor_count - 1].rank = 0;
    }
    out = mem(z, sizeof z);
    run(&s, &in, 1, &out, 1);
    cr_assert(z[0] == 7 && z[1] == 4 && z[2] == 1);
}

Test(tflite_runs, unpack_and_split_v_are_parts) {
    static const int32_t square[2] = {2, 3}, sizes[2] = {-1, 1}, axis = -1, left[2] = {2, 2}, right[2] = {2, 1};
    const int64_t options[2] = {3, 1}, wrong[2] = {2, 1}, parts[1] = {2};
    const tensor_spec t = tensor(FLOAT32, 2, square);
    float x[6] = {1, 2, 3, 4, 5, 6}, y[3][4];
    memory in = mem(x, sizeof x), out[3];
    spec s = operator_of(88, 1, &t, list(FLOAT32, 2));
    uint32_t i;
    for (i = 0; i < 3; i++) {
        s.tensors[1 + i] = list(FLOAT32, 2);
        s.outputs[i] = (int32_t)i + 1;
        out[i] = mem(y[i], 2 * sizeof x[0]);
    }
    s.tensor_count = 4;
    s.output_count = 3;
    option(&s, 64, 2, options);
    run(&s, &in, 1, out, 3);
    for (i = 0; i < 3; i++) cr_assert(y[i][0] == x[i] && y[i][1] == x[3 + i]);
    option(&s, 64, 2, wrong);
    refused(&s, "the number of parts is not that of the outputs");
    s = operator_of(102, 1, &t, tensor(FLOAT32, 2, left));
    add_constant(&s, INT32, 2, sizes, 8);
    add_constant(&s, INT32, 1, &axis, 4);
    s.tensors[s.tensor_count] = tensor(FLOAT32, 2, right);
    s.outputs[1] = (int32_t)s.tensor_count++;
    s.output_count = 2;
    option(&s, 79, 1, parts);
    out[0] = mem(y[0], 4 * sizeof x[0]);
    run(&s, &in, 1, out, 2);
    cr_assert(y[0][0] == 1 && y[0][1] == 2 && y[0][2] == 4 && y[0][3] == 5 && y[1][0] == 3 && y[1][1] == 6);
}

Test(tflite_runs, batches_become_space_and_back) {
    static const int32_t image[4] = {1, 2, 3, 1}, blocks[4] = {4, 1, 2, 1};
    static const int32_t block[2] = {2, 2}, edges[4] = {0, 0, 1, 0};
    const tensor_spec t = tensor(FLOAT32, 4, image), b = tensor(FLOAT32, 4, blocks);
    const float want[8] = {0, 2, 1, 3, 0, 5, 4, 6};
    float x[6] = {1, 2, 3, 4, 5, 6}, y[8], z[6];
    memory in = mem(x, sizeof x), middle = mem(y, sizeof y), out = mem(z, sizeof z);
    spec s = operator_of(38, 1, &t, b);
    size_t i;
    add_constant(&s, INT32, 2, block, 8);
    add_constant(&s, INT32, 4, edges, 16);
    run(&s, &in, 1, &middle, 1);
    for (i = 0; i < 8; i++) cr_assert_eq(y[i], want[i], "%zu: %g", i, (double)y[i]);
    s = operator_of(37, 1, &b, t);
    add_constant(&s, INT32, 2, block, 8);
    add_constant(&s, INT32, 4, edges, 16);
    run(&s, &middle, 1, &out, 1);
    cr_assert_arr_eq(x, z, sizeof x);
}

/* Slices as Python and TensorFlow Lite take them: ends outside are clamped. */
typedef struct one_slice {
    int32_t begin, end, stride;
    bool whole_begin, whole_end, shrink;
} one_slice;

/* The indices of an axis that a slice takes; how many. */
static int32_t taken(int32_t dim, const one_slice *k, int32_t *at) {
    int32_t begin = k->begin < 0 ? k->begin + dim : k->begin, end = k->end < 0 ? k->end + dim : k->end, i, n = 0;
    if (k->stride > 0) {
        begin = k->whole_begin || begin < 0 ? 0 : begin;
        end = k->whole_end || end > dim ? dim : end;
        if (k->shrink && begin > dim) begin = dim;
        if (k->shrink) end = begin + 1;
        for (i = begin; i < end && i < dim; i += k->stride) at[n++] = i;
    } else {
        begin = k->whole_begin || begin > dim - 1 ? dim - 1 : begin;
        end = k->whole_end || end < -1 ? -1 : end;
        if (k->shrink) end = begin - 1;
        for (i = begin; i > end && i >= 0; i += k->stride) at[n++] = i;
    }
    return n;
}

Test(tflite_runs, strided_slices_clamp_what_lies_outside) {
    int round, empty = 0, full = 0;
    for (round = 0; round < 400; round++) {
        const uint32_t rank = 1 + noise() % 3, entries = 1 + noise() % rank;
        int32_t dims[3], sizes[3], lists[3][3], at[3][8], out_dims[6], n = 1;
        int64_t options[5] = {0, 0, 0, 0, 0};
        one_slice slices[3];
        float x[512], y[512];
        uint32_t axis, out_rank = 0;
        tensor_spec t;
        memory in, out;
        spec s;
        int32_t i, total = 1;
        memset(slices, 0, sizeof slices);
        for (axis = 0; axis < rank; axis++) {
            one_slice *k = &slices[axis];
            dims[axis] = noise_in(1, 7);
            total *= dims[axis];
            k->whole_begin = k->whole_end = true;
            k->stride = 1;
            if (axis < entries) {
                k->begin = noise_in(-10, 10);
                k->end = noise_in(-10, 10);
                k->stride = noise_in(0, 1) != 0 ? noise_in(1, 3) : noise_in(-3, -1);
                k->whole_begin = noise() % 4 == 0;
                k->whole_end = noise() % 4 == 0;
                k->shrink = noise() % 6 == 0;
                if (k->shrink) k->stride = 1;
                lists[0][axis] = k->begin;
                lists[1][axis] = k->end;
                lists[2][axis] = k->stride;
                if (k->whole_begin) options[0] |= 1 << axis;
                if (k->whole_end) options[1] |= 1 << axis;
                if (k->shrink) options[4] |= 1 << axis;
            }
            sizes[axis] = taken(dims[axis], k, at[axis]);
            n *= sizes[axis];
            if (!k->shrink) out_dims[out_rank++] = sizes[axis];
        }
        t = tensor(FLOAT32, rank, dims);
        for (i = 0; i < total; i++) x[i] = (float)i;
        for (axis = 0; axis < out_rank && n == 0; axis++) out_dims[axis] = 1; /* the reader says what is wrong */
        s = operator_of(45, 1, &t, tensor(FLOAT32, out_rank, out_dims));
        for (axis = 0; axis < 3; axis++) add_constant(&s, INT32, entries, lists[axis], 4 * entries);
        option(&s, 32, 5, options);
        if (n == 0) {
            empty++;
            refused(&s, "a slice without elements");
            continue;
        }
        full++;
        in = mem(x, (size_t)total * 4);
        out = mem(y, (size_t)n * 4);
        run(&s, &in, 1, &out, 1);
        for (i = 0; i < n; i++) {
            int32_t rest = i, from = 0, stride = 1;
            for (axis = rank; axis-- > 0;) {
                from += at[axis][rest % sizes[axis]] * stride;
                rest /= sizes[axis];
                stride *= dims[axis];
            }
            cr_assert_eq(y[i], (float)from, "seed %u round %d element %d: %g, not %d", SEED, round, (int)i,
                         (double)y[i], (int)from);
        }
    }
    cr_assert(empty > 50 && full > 150, "%d and %d", empty, full);
}

/* x[..., 1] with a new axis in front, x[0:offset by 2]. */
Test(tflite_runs, strided_slices_know_ellipses_new_axes_and_offsets) {
    static const int32_t dims[3] = {2, 2, 3}, out_dims[3] = {1, 2, 2}, zeros[3] = {0, 0, 1}, ones[3] = {1, 1, 1};
    static const int32_t second = 1, count = 2;
    const int64_t options[5] = {0, 0, 2, 1, 4}, offset[6] = {0, 0, 0, 0, 0, 1};
    const tensor_spec t = tensor(FLOAT32, 3, dims), u = list(FLOAT32, 5);
    float x[12], y[4];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    spec s = operator_of(45, 1, &t, tensor(FLOAT32, 3, out_dims));
    int i;
    for (i = 0; i < 12; i++) x[i] = (float)i;
    add_constant(&s, INT32, 3, zeros, 12);
    add_constant(&s, INT32, 3, ones, 12);
    add_constant(&s, INT32, 3, ones, 12);
    option(&s, 32, 5, options);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 4; i++) cr_assert_eq(y[i], (float)(3 * i + 1), "%d: %g", i, (double)y[i]);
    s = operator_of(45, 1, &u, list(FLOAT32, 2));
    add_constant(&s, INT32, 1, &second, 4);
    add_constant(&s, INT32, 1, &count, 4);
    add_constant(&s, INT32, 1, &second, 4);
    option(&s, 32, 6, offset);
    in = mem(x, 20), out = mem(y, 8);
    run(&s, &in, 1, &out, 1);
    cr_assert(y[0] == 1 && y[1] == 2);
}

/* ------------------------------------------------------------------------------------- what changes nothing */

Test(tflite_runs, one_part_and_blocks_of_one_are_copies) {
    static const int codes[3] = {2, 26, 5}, types[3] = {10, 19, 94};
    static const int32_t image[4] = {1, 2, 2, 2};
    const tensor_spec t = tensor(FLOAT32, 4, image);
    const int64_t one[2] = {1, 0}, tanh_of[2] = {0, 4};
    float x[8] = {-3, -2, -1, -0.5f, 0, 0.5f, 2, 9}, y[8];
    memory in = mem(x, sizeof x), out = mem(y, sizeof y);
    size_t k, i;
    spec s;
    for (k = 0; k < 3; k++) {
        s = operator_of(codes[k], 1, &t, t);
        option(&s, types[k], k == 0 ? 2 : 1, one);
        run(&s, &in, 1, &out, 1);
        cr_assert_arr_eq(x, y, sizeof x, "operator %d", codes[k]);
    }
    s = operator_of(2, 1, &t, t);
    option(&s, 10, 2, tanh_of);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 8; i++) cr_assert(fabsf(y[i] - tanhf(x[i])) < 1e-6f);
}

Test(tflite_runs, activations_that_openharmony_has_not_follow_the_node) {
    const tensor_spec t[2] = {list(FLOAT32, 4), list(FLOAT32, 4)};
    float a[4] = {-3, -0.5f, 0.25f, 2}, b[4] = {0.5f, 0.25f, 0.5f, 0.5f}, y[4];
    memory in[2], out = mem(y, sizeof y);
    int64_t options[1];
    size_t i;
    in[0] = mem(a, sizeof a);
    in[1] = mem(b, sizeof b);
    for (options[0] = 2; options[0] <= 4; options[0] += 2) {
        spec s = operator_of(0, 2, t, t[0]);
        option(&s, 11, 1, options);
        run(&s, in, 2, &out, 1);
        for (i = 0; i < 4; i++) {
            const float sum = a[i] + b[i];
            const float want = options[0] == 4 ? tanhf(sum) : sum < -1 ? -1 : sum > 1 ? 1 : sum;
            cr_assert(fabsf(y[i] - want) < 1e-6f, "activation %d of %g: %g", (int)options[0], (double)sum,
                      (double)y[i]);
        }
    }
}

/* Model inputs: tensors 0 and 1, of which 1 is a constant. Outputs: the sum, the constant, the input. */
Test(tflite_runs, constants_are_no_inputs_and_what_is_given_is_copied) {
    const float three[2] = {3, 30};
    tensor_spec t[2] = {list(FLOAT32, 2), list(FLOAT32, 2)};
    float x[2] = {1, 2}, y[3][2];
    memory in = mem(x, sizeof x), out[3];
    spec s;
    size_t i;
    t[1].data = three;
    t[1].data_size = sizeof three;
    s = operator_of(0, 2, t, list(FLOAT32, 2));
    for (i = 0; i < 3; i++) out[i] = mem(y[i], sizeof x);
    s.model_outputs[0] = 2;
    s.model_outputs[1] = 1;
    s.model_outputs[2] = 0;
    s.model_output_count = 3;
    s.graph_twice = true; /* a second subgraph does not matter */
    run(&s, &in, 1, out, 3);
    cr_assert(y[0][0] == 4 && y[0][1] == 32 && y[1][0] == 3 && y[1][1] == 30 && y[2][0] == 1 && y[2][1] == 2);
    s.tensors[0].data = three;
    s.tensors[0].data_size = sizeof three;
    refused(&s, "the inputs of the model are constants");
}

/* Each element is the one of the input that the coordinates fall on, in float: floor(i * in / out), the nearest with
   aligned corners, or floor((i + 1/2) * in / out). */
static int nearest(int i, int in, int out, int way) {
    const float scale = way == 1 && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    const float at = (way == 2 ? (float)i + 0.5f : (float)i) * scale;
    const int source = way == 1 ? (int)roundf(at) : (int)floorf(at);
    return source < in - 1 ? source : in - 1;
}

Test(tflite_runs, resize_nearest_neighbor_in_its_three_ways) {
    static const int types[3] = {FLOAT32, INT8, INT32};
    int drawn;
    for (drawn = 0; drawn < 90; drawn++) {
        const int way = drawn % 3, type = types[drawn / 3 % 3], width = type == INT8 ? 1 : 4;
        const int32_t in_dims[4] = {noise_in(1, 2), noise_in(1, 7), noise_in(1, 7), noise_in(1, 5)};
        const int32_t out_dims[4] = {in_dims[0], noise_in(1, 15), noise_in(1, 15), in_dims[3]};
        const int32_t size[2] = {out_dims[1], out_dims[2]};
        const int64_t options[2] = {way == 1, way == 2};
        uint8_t x[2 * 7 * 7 * 5 * 4], y[2 * 15 * 15 * 5 * 4];
        tensor_spec in_tensor = tensor(type, 4, in_dims), out_tensor = tensor(type, 4, out_dims);
        const size_t pixel = (size_t)in_dims[3] * (size_t)width;
        memory in, out;
        spec s;
        size_t i;
        int b, row, column;
        if (type == INT8) in_tensor.scale = out_tensor.scale = 0.5f, in_tensor.zero = out_tensor.zero = 3;
        s = operator_of(97, 1, &in_tensor, out_tensor);
        add_constant(&s, INT32, 2, size, sizeof size);
        option(&s, 74, 2, options);
        for (i = 0; i < sizeof x; i++) x[i] = (uint8_t)noise_in(0, 127);
        in = mem(x, (size_t)(in_dims[0] * in_dims[1] * in_dims[2]) * pixel);
        out = mem(y, (size_t)(out_dims[0] * out_dims[1] * out_dims[2]) * pixel);
        run(&s, &in, 1, &out, 1);
        for (b = 0; b < out_dims[0]; b++)
            for (row = 0; row < out_dims[1]; row++)
                for (column = 0; column < out_dims[2]; column++) {
                    const int y0 = nearest(row, in_dims[1], out_dims[1], way);
                    const int x0 = nearest(column, in_dims[2], out_dims[2], way);
                    const uint8_t *from = x + (size_t)((b * in_dims[1] + y0) * in_dims[2] + x0) * pixel;
                    const uint8_t *to = y + (size_t)((b * out_dims[1] + row) * out_dims[2] + column) * pixel;
                    cr_assert_eq(memcmp(from, to, pixel), 0, "seed %u, drawn %d, pixel %d, %d", SEED, drawn, row,
                                 column);
                }
    }
}

Test(tflite_runs, a_resize_whose_size_is_not_that_of_its_output_is_refused) {
    static const int32_t in_dims[4] = {1, 2, 2, 1}, out_dims[4] = {1, 4, 4, 1}, size[2] = {4, 5};
    const tensor_spec in = tensor(FLOAT32, 4, in_dims);
    spec s = operator_of(97, 1, &in, tensor(FLOAT32, 4, out_dims));
    add_constant(&s, INT32, 2, size, sizeof size);
    refused(&s, "the result is [1,4,5,1], declared as [1,4,4,1]");
}

/* QUANTIZE of int16 to int32, as a model ends whose program wants more bits: scales 1/8 and 1/64, zero points 0. */
Test(tflite_runs, quantize_of_int16_to_int32_and_back) {
    const int16_t x[5] = {-32768, -3, 0, 5, 32767};
    int32_t y[5];
    int16_t z[5];
    tensor_spec narrow = list(INT16, 5), wide = list(INT32, 5);
    memory in = mem((void *)(uintptr_t)x, sizeof x), out = mem(y, sizeof y), back = mem(z, sizeof z);
    spec s;
    int i;
    narrow.scale = 0.125f;
    wide.scale = 0.015625f;
    s = operator_of(114, 1, &narrow, wide);
    run(&s, &in, 1, &out, 1);
    for (i = 0; i < 5; i++) cr_assert_eq(y[i], 8 * x[i]);
    s = operator_of(114, 1, &wide, narrow);
    run(&s, &out, 1, &back, 1);
    for (i = 0; i < 5; i++) cr_assert_eq(z[i], x[i]);
}

Test(tflite_runs, what_is_left_is_refused_by_name) {
    static const struct {
        int code;
        const char *word;
    } rows[] = {{119, "WHILE"}, {132, "CONV_3D"}, {112, "REVERSE_SEQUENCE"}};
    const tensor_spec t = list(FLOAT32, 4), q = {INT8, 1, {4, 0}, NULL, 0, 0.5f, 0, 0, 0, 0, 0, 0, false, NULL, 0};
    size_t i;
    spec s;
    for (i = 0; i < NNRT__COUNT_OF(rows); i++) {
        s = operator_of(rows[i].code, 1, &t, t);
        refused(&s, rows[i].word);
    }
    s = operator_of(158, 1, &q, q);
    refused(&s, "SIGN: the data type of its inputs is not supported");
}
