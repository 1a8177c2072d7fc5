/* SPDX-License-Identifier: Apache-2.0 */
/* test_kernels_tables.c - the byte tables of operators that TensorFlow Lite's reference kernels compute with integers,
   against the definitions of these, written here once more in 64 bits: every byte, for scales over six decades; and
   bytes that those kernels gave. */
#include "linked_kernels.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#define SEED 90417u

#include "noise.h"

#define ROUNDS 400

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* round(x / 2^bits), the halves away from zero. */
static int64_t shifted_right(int64_t x, int bits) {
    const int64_t half = bits > 0 ? (int64_t)1 << (bits - 1) : 0;
    return x < 0 ? -((-x + half) >> bits) : (x + half) >> bits;
}

/* round(a * b / 2^bits), the halves up. */
static int64_t product_high(int64_t a, int64_t b, int bits) {
    const int64_t x = a * b + ((int64_t)1 << (bits - 1)), by = (int64_t)1 << bits;
    return x / by - (x % by < 0 ? 1 : 0);
}

typedef struct factor {
    int64_t mantissa; /* within 2^30..2^31 - 1, or 0 */
    int exponent;
} factor;

static factor factor_of(double real) {
    factor f;
    f.mantissa = llround(ldexp(frexp(real, &f.exponent), 31));
    if (f.mantissa == (int64_t)1 << 31) {
        f.mantissa >>= 1;
        f.exponent++;
    }
    if (f.exponent < -31) f.mantissa = f.exponent = 0;
    return f;
}

/* x * factor; what would leave 31 bits is far outside of every byte. */
static int64_t scaled(int64_t x, factor f) {
    const int left = f.exponent > 0 ? f.exponent : 0;
    if (left > 30 || x >= (int64_t)1 << (31 - left) || x <= -((int64_t)1 << (31 - left))) return x < 0 ? -9999 : 9999;
    return shifted_right(product_high(x * ((int64_t)1 << left), f.mantissa, 31), f.exponent > 0 ? 0 : -f.exponent);
}

typedef struct case_of {
    nnrt__lut_quant from, to;
    float in, out; /* the scales */
    uint8_t table[256];
} case_of;

static case_of next_case(void) {
    case_of c;
    c.in = (float)exp(noise_between(-9, 5));
    c.out = noise() % 5 == 0 ? c.in : (float)exp(noise_between(-9, 5));
    c.from.is_signed = c.to.is_signed = noise() % 4 != 0;
    c.from.scale = (double)c.in;
    c.to.scale = (double)c.out;
    c.from.zero_point = c.from.is_signed ? noise_in(-128, 127) : noise_in(0, 255);
    c.to.zero_point = c.to.is_signed ? noise_in(-128, 127) : noise_in(0, 255);
    return c;
}

static int64_t number(const case_of *c, int byte) {
    return (c->from.is_signed ? (int8_t)byte : byte) - c->from.zero_point;
}

static void expect(const case_of *c, int byte, int64_t q, const char *what) {
    const int64_t want = c->to.is_signed ? clamp(q + c->to.zero_point, -128, 127) : clamp(q + c->to.zero_point, 0, 255);
    const int got = c->to.is_signed ? (int8_t)c->table[byte] : c->table[byte];
    cr_assert_eq(got, want, "seed %u, %s, scales %.9g and %.9g, zero points %d and %d, byte %d: %d, not %d", SEED, what,
                 (double)c->in, (double)c->out, (int)c->from.zero_point, (int)c->to.zero_point, byte, got, (int)want);
}

/* Scales are divided in float, as the reference does for these; a negative alpha negates the product of its
   magnitude. */
Test(tables, leaky_relu_has_a_factor_for_each_sign) {
    int round, byte;
    for (round = 0; round < ROUNDS; round++) {
        case_of c = next_case();
        const float alpha = (float)noise_between(-2, 2), ratio = c.in / c.out, slope = c.in * alpha / c.out;
        nnrt__lut_leaky_relu(&c.from, &c.to, alpha, c.table);
        for (byte = 0; byte < 256; byte++) {
            const int64_t x = number(&c, byte);
            expect(&c, byte,
                   x >= 0 ? scaled(x, factor_of((double)ratio))
                          : (slope < 0 ? -1 : 1) * scaled(x, factor_of(fabs((double)slope))),
                   "LEAKY_RELU");
        }
    }
}

Test(tables, abs_rescales_the_magnitude) {
    int round, byte;
    for (round = 0; round < ROUNDS; round++) {
        case_of c = next_case();
        const float ratio = c.in / c.out;
        nnrt__lut_abs(&c.from, &c.to, c.table);
        for (byte = 0; byte < 256; byte++) {
            const int64_t x = number(&c, byte), magnitude = x < 0 ? -x : x;
            expect(&c, byte, c.in == c.out ? magnitude : scaled(magnitude, factor_of((double)ratio)), "ABS");
        }
    }
}

static int64_t to_16_bits(int64_t x) { return clamp(x, -32768, 32767); }

/* round(a * b / 2^15), the halves up, in 16 bits. */
static int64_t product_16(int64_t a, int64_t b) { return to_16_bits(product_high(a, b, 15)); }

static int64_t upper_half(factor f) { return clamp((f.mantissa + 32768) >> 16, 0, 32767); }

Test(tables, hswish_is_a_ramp_times_the_value_in_16_bits) {
    int round, byte, refused = 0;
    for (round = 0; round < ROUNDS; round++) {
        case_of c = next_case();
        const float fine = 1.0f / 128.0f * c.in, out_ratio = fine / c.out, ramp_ratio = fine / (3.0f / 32768.0f);
        const factor out = factor_of((double)out_ratio), ramp = factor_of((double)ramp_ratio);
        memset(c.table, 77, sizeof c.table);
        if (out.exponent > 0) { /* the reference refuses it */
            cr_assert_not(nnrt__lut_hswish(&c.from, &c.to, c.table));
            for (byte = 0; byte < 256; byte++) cr_assert_eq(c.table[byte], 77);
            refused++;
            continue;
        }
        cr_assert(nnrt__lut_hswish(&c.from, &c.to, c.table));
        for (byte = 0; byte < 256; byte++) {
            const int64_t x = 128 * number(&c, byte), value = product_16(x, upper_half(out));
            int64_t y = x;
            if (ramp.exponent > 0) y = to_16_bits(y * ((int64_t)1 << (ramp.exponent - 1)));
            y = product_16(y, upper_half(ramp));
            if (ramp.exponent > 0) y = to_16_bits(2 * y);
            else y = shifted_right(y, -ramp.exponent);
            y = (y + 32768) / 2; /* 0..32767, cut off */
            expect(&c, byte, shifted_right(y * value / 32768, -out.exponent), "HSWISH");
        }
    }
    cr_assert_gt(refused, 10);
    cr_assert_lt(refused, ROUNDS / 2);
}

/* Q3.28: y becomes y * (3 - x * y^2) / 2, five times from 1. */
static int64_t newton(int64_t x) {
    int64_t y = (int64_t)1 << 28;
    int i;
    for (i = 0; i < 5; i++) {
        const int64_t cube = product_high(product_high(y, y, 31), y, 31) * 64;
        const int64_t first = product_high(3 * ((int64_t)1 << 27), y, 31);
        const int64_t second = product_high((x + 1) / 2, cube, 31);
        y = (first - second) * 8;
    }
    return y;
}

Test(tables, rsqrt_is_five_steps_of_newton) {
    int round, byte;
    for (round = 0; round < ROUNDS; round++) {
        case_of c = next_case();
        const float divisor = sqrtf(c.in) * c.out;
        factor f = factor_of(1.0 / (double)divisor);
        nnrt__lut_rsqrt(&c.from, &c.to, c.table);
        f.exponent -= 20;
        for (byte = 0; byte < 256; byte++) {
            const int64_t x = number(&c, byte);
            int64_t up = 0, inverse;
            if (x <= 0) { /* an infinity, and what is no number */
                expect(&c, byte, x < 0 ? -9999 : 9999, "RSQRT");
                continue;
            }
            while (x << (2 * up) < (int64_t)1 << 27) up++; /* 2^27..2^29 - 1 */
            inverse = product_high(newton(x << (2 * up) >> 1), 1518500250, 31);
            /* that is 2^(29 - 11 + up) / sqrt(x) * 2^-1; with 20 bits behind the point: */
            if (up > 11) inverse *= (int64_t)1 << (up - 11);
            inverse = up > 11 ? product_high((int64_t)1 << 20, inverse, 31)
                              : product_high((int64_t)1 << (20 - (11 - up)), inverse, 31);
            if (x == 1) inverse = (int64_t)1 << 20;
            cr_assert_lt(fabs((double)inverse - 1048576.0 / sqrt((double)x)), 2.0, "1 / sqrt(%d)", (int)x);
            expect(&c, byte, f.exponent < -31 ? 0 : scaled(inverse, f), "RSQRT");
        }
    }
}

/* Input scale 0.05, zero point -7 (RSQRT: -120); output 0.03 and 11 (RSQRT: 0.01 and -70). */
Test(tables, bytes_are_those_of_the_reference_kernels) {
    static const int8_t in[12] = {-128, -100, -64, -50, -20, -8, -6, 0, 20, 60, 101, 127};
    static const int8_t want[5][12] = {
        {-50, -36, -18, -11, 4, 10, 13, 23, 56, 123, 127, 127},      /* LEAKY_RELU, 0.3 */
        {72, 58, 40, 33, 18, 12, 13, 23, 56, 123, 127, 127},         /* LEAKY_RELU, -0.3 */
        {11, 11, 9, 1, 3, 10, 12, 18, 44, 123, 127, 127},            /* HARD_SWISH */
        {127, 127, 106, 83, 33, 13, 13, 23, 56, 123, 127, 127},      /* ABS */
        {-128, 30, -10, -17, -25, -28, -28, -29, -32, -37, -40, -42} /* RSQRT */
    };
    nnrt__lut_quant from = {(double)0.05f, -7, true}, to = {(double)0.03f, 11, true};
    nnrt__lut_quant rsqrt_from = {(double)0.05f, -120, true}, rsqrt_to = {(double)0.01f, -70, true};
    uint8_t tables[5][256];
    size_t k, i;
    nnrt__lut_leaky_relu(&from, &to, 0.3f, tables[0]);
    nnrt__lut_leaky_relu(&from, &to, -0.3f, tables[1]);
    cr_assert(nnrt__lut_hswish(&from, &to, tables[2]));
    nnrt__lut_abs(&from, &to, tables[3]);
    nnrt__lut_rsqrt(&rsqrt_from, &rsqrt_to, tables[4]);
    for (k = 0; k < 5; k++)
        for (i = 0; i < 12; i++)
            cr_assert_eq((int8_t)tables[k][(uint8_t)in[i]], want[k][i], "table %zu, byte %d: %d, not %d", k, in[i],
                         (int8_t)tables[k][(uint8_t)in[i]], want[k][i]);
}

/* Functions are of the dequantized byte, times the reciprocal of the output scale; SQRT divides and cuts off. */
Test(tables, sqrt_cuts_off_and_the_others_round) {
    int round, byte;
    for (round = 0; round < ROUNDS; round++) {
        case_of c = next_case();
        const float inverse = 1.0f / c.out;
        nnrt__lut_unary(&c.from, &c.to, NNRT__UNARY_SQRT, 0, 0, c.table);
        for (byte = 0; byte < 256; byte++) {
            const float x = c.in * (float)number(&c, byte), root = sqrtf(x) / c.out;
            expect(&c, byte, x < 0 ? -9999 : root > 9999.0f ? 9999 : (int64_t)root, "SQRT");
        }
        nnrt__lut_unary(&c.from, &c.to, NNRT__UNARY_SQUARE, 0, 0, c.table);
        for (byte = 0; byte < 256; byte++) {
            const float x = c.in * (float)number(&c, byte), square = x * x, q = square * inverse;
            expect(&c, byte, q > 9999.0f ? 9999 : llround((double)q), "SQUARE");
        }
    }
}

/* Rows of bytes over their norm: 128 / norm as a factor of 31 bits, twice rounded. A step between elements, too. */
Test(tables, rows_of_bytes_are_divided_by_their_norm) {
    int round;
    for (round = 0; round < ROUNDS; round++) {
        const size_t n = (size_t)noise_in(1, 70), stride = (size_t)noise_in(1, 3);
        const int32_t zero_point = noise_in(-128, 127), spread = round % 5 == 0 ? 0 : noise_in(1, 127);
        int8_t in[210], out[210];
        int64_t sum = 0, up = 0, inverse;
        int shift;
        size_t i;
        for (i = 0; i < n * stride; i++) in[i] = (int8_t)clamp(zero_point + noise_in(-spread, spread), -128, 127);
        memset(out, 99, sizeof out);
        for (i = 0; i < n; i++) sum += (in[i * stride] - zero_point) * (in[i * stride] - zero_point);
        while (sum > 1 && sum << (2 * up) < (int64_t)1 << 27) up++;
        inverse = sum <= 1 ? INT32_MAX : product_high(newton(sum << (2 * up) >> 1), 1518500250, 31);
        shift = sum <= 1 ? 7 : 7 - 11 + (int)up;
        if (sum > 1 && up > 11) { /* the factor is shifted before it is rounded */
            inverse *= (int64_t)1 << (up - 11);
            shift = 7;
        }
        nnrt__l2_normalize_s8_scalar(zero_point, in, out, n, stride);
        for (i = 0; i < n; i++) {
            const int64_t x = in[i * stride] - zero_point, left = shift > 0 ? shift : 0;
            const int64_t q =
                shifted_right(product_high(x * ((int64_t)1 << left), inverse, 31), shift > 0 ? 0 : -shift);
            cr_assert_eq(out[i * stride], clamp(q, -128, 127), "seed %u round %d element %zu: %d, not %d", SEED, round,
                         i, out[i * stride], (int)q);
            cr_assert(sum == 0 || fabs((double)clamp(q, -129, 129) - 128.0 * (double)x / sqrt((double)sum)) < 1.01);
            if (stride > 1 && i + 1 < n) cr_assert_eq(out[i * stride + 1], 99);
        }
    }
}
