/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of tools/rkchip that it gives what a board with RV1103 gave, where that can be said in a few lines: the
   figures of six curves through which all 256 pixels went, sums and differences of all pairs of bytes, halves beside an
   odd zero point, leaky values whose two signs have shifts of their own, and sums near both ends of 32 bits. The board
   is that of github.com/dnhkng/open-rknpu (research/: lut_index_probe, add_suite, sub_suite, conv_halfway_suite,
   leaky_verified_suite, accumulator_boundary_suite), which tells in numbers and formulas what it computed. */
#include <criterion/criterion.h>

#include <math.h>

#define SEED 20261201u

#include "rkchip_check.h"

/* ---------------------------------------------------------------------------------------------------- curves */

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

/* Of 32768, as the tables have it. */
static int16_t in_q15(double value) {
    const double steps = rint(value * 32768.0);
    return (int16_t)(steps > 32767.0 ? 32767.0 : steps);
}

/* How much faster the negative half of the tables goes by for a scale of the weights: always a power of two. */
static double negative_gain(double scale) {
    const double ratio = 1.0 / 32.0 / 255.0 / scale, near = exp2(round(log2(ratio)));
    return fabs(ratio - near) <= 1e-6 * ratio ? near : exp2(ceil(log2(ratio) - 1e-9));
}

/* What those who measured expected: an index of 64 a unit, rounded, and no way between two values. */
static int expected_byte(int pixel, double gain) {
    const double half = negative_gain(gain / 255.0), stem = (pixel - 128) * gain;
    double index = rint(64.0 * (stem < 0.0 ? stem * half : stem));
    index = index < -512.0 ? -512.0 : index > 512.0 ? 512.0 : index;
    return (int)rint(in_q15(sigmoid(index / 64.0 / (index < 0.0 ? half : 1.0))) * 255 / 32768.0) - 128;
}

/* Bytes of 768 that differ from that: a board gave these figures, and nobody could say why. */
Test(rkchip_board, six_curves_differ_from_what_was_expected_in_as_many_bytes_as_on_the_board) {
    static const struct {
        double gain;
        int board;
    } stems[] = {{1.0 / 32.0, 0}, {0.02, 87}, {0.03, 69}, {1.0 / 48.0, 90}, {0.024, 84}, {0.012, 93}};
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        const float weight = (float)stems[i].gain, scale = weight / 255.0f;
        const double factor = (double)scale * 2048.0, half = negative_gain((double)scale);
        const uint32_t shift = (uint32_t)floor(log2(32767.0 / factor));
        int differ = 0;
        curve t;
        conv c = conv_of(16, 16, 3, 3);
        job j;
        stream s;
        memset(&t, 0, sizeof t);
        t.step = 5;
        t.start = -16384;
        for (int k = 0; k < 513; k++) {
            t.values[0][k] = in_q15(sigmoid((k - 512) / 64.0 / half));
            t.values[1][k] = in_q15(sigmoid(k / 64.0));
        }
        c.picture = c.converts = true;
        c.input = noise_bytes(768);
        c.weights = noise_bytes(9);
        c.zero_points = (int32_t *)malloc(3 * sizeof *c.zero_points);
        c.biases = (int32_t *)calloc(3, sizeof *c.biases);
        c.scales = (uint32_t *)malloc(3 * sizeof *c.scales);
        cr_assert(c.zero_points != NULL && c.biases != NULL && c.scales != NULL);
        for (int k = 0; k < 768; k++) c.input[k] = (int8_t)(k / 3);
        for (int k = 0; k < 9; k++) c.weights[k] = k % 4 == 0 ? 127 : -128;
        for (int k = 0; k < 3; k++) {
            c.zero_points[k] = -128;
            c.scales[k] = 16384;
            c.scale[k] = 16384;
            c.offset[k] = -128 * 16384;
            c.shift[k] = 14;
        }
        c.dpu.bn = BN_EACH;
        c.dpu.bn_factor = (int32_t)round(factor * exp2(shift));
        c.dpu.bn_shift = shift;
        c.dpu.bn_shift_negative = 16;
        c.dpu.curve = true;
        c.dpu.factor = 255;
        c.dpu.out_shift = 15;
        c.dpu.zero_point = -128;
        c.curve = &t;
        conv_values(&c);
        job_begin(&j);
        cr_assert(curve_load(&j, &t), "%s", j.chip->sentence);
        const uint8_t *out = conv_memory(&c, &j);
        conv_words(&c, &s);
        cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence);
        for (int pixel = 0; pixel < 256; pixel++)
            for (int k = 0; k < 3; k++) differ += (int8_t)out[pixel * 16 + k] != expected_byte(pixel, stems[i].gain);
        cr_assert_eq(differ, stems[i].board, "%g: %d bytes, %d on the board", stems[i].gain, differ, stems[i].board);
        job_end(&j);
        conv_free(&c);
    }
}

/* --------------------------------------------------------------------------------------- sums and differences */

/* All pairs: pixels are the first byte, the planes' lanes the second. (a + b) / 2 and (a - b) / 2, halves to even. */
Test(rkchip_board, sums_and_differences_of_all_pairs_of_bytes) {
    for (int minus = 0; minus < 2; minus++) {
        job j;
        stream s;
        job_begin(&j);
        uint8_t *a = job_memory(&j, AT_INPUT, 65536), *b = job_memory(&j, AT_OPERAND, 65536);
        const uint8_t *out = job_memory(&j, AT_OUTPUT, 65536);
        for (uint32_t i = 0; i < 65536; i++) {
            a[i] = (uint8_t)(i / 16 % 256);
            b[i] = (uint8_t)(i % 16 + i / 4096 * 16);
        }
        stream_of(&s, STREAM_DPU);
        stream_set(&s, 0x4024, 4096);
        stream_set(&s, 0x4030, 15);
        stream_set(&s, 0x4034, 15);
        stream_set(&s, 0x403c, 0xff00ff);
        stream_set(&s, 0x4040, 0x100012);
        stream_set(&s, 0x4048, 0x40000000);
        stream_set(&s, 0x4050, 0x30000000);
        stream_set(&s, 0x4070, 0x8002c0c0);
        stream_set(&s, 0x4078, minus ? 0xc000 : 0x4000);
        stream_set(&s, 0x4084, 0x14000);
        stream_set(&s, 0x4088, 29);
        stream_set(&s, 0x40c0, 4096);
        stream_set(&s, 0x500c, 15);
        stream_set(&s, 0x5010, 15);
        stream_set(&s, 0x5014, 255);
        stream_set(&s, 0x5034, 0x40000004);
        stream_set(&s, 0x5038, AT_OPERAND);
        stream_set(&s, 0x5040, 4096);
        cr_assert(job_run(&j, &s, STREAM_DPU), "%s", j.chip->sentence);
        for (uint32_t i = 0; i < 65536; i++) {
            const int x = (int8_t)a[i], y = (int8_t)b[i];
            const double half = rint((minus ? x - y : x + y) / 2.0);
            cr_assert_eq((int8_t)out[i], (int)(half > 127.0 ? 127.0 : half), "%d and %d give %d", x, y, (int8_t)out[i]);
        }
        job_end(&j);
    }
}

/* ------------------------------------------------------------------------------------------------- convolutions */

/* Sums as they are: a pixel of 0 and the biases. */
static conv sums_of(uint32_t count) {
    conv c = conv_of(1, 1, 1, count);
    c.input = (int8_t *)calloc(1, 1);
    c.biases = (int32_t *)malloc(count * sizeof *c.biases);
    c.scales = (uint32_t *)malloc(count * sizeof *c.scales);
    cr_assert(c.input != NULL && c.biases != NULL && c.scales != NULL);
    for (uint32_t i = 0; i < count; i++) c.scales[i] = 16384;
    return c;
}

/* Runs it; the caller frees what comes out, a byte of each channel. */
static int8_t *bytes_of(conv *c) {
    int8_t *bytes = (int8_t *)malloc(c->outputs);
    job j;
    stream s;
    cr_assert_not_null(bytes);
    conv_values(c);
    job_begin(&j);
    const uint8_t *out = conv_memory(c, &j);
    conv_words(c, &s);
    cr_assert(job_run(&j, &s, STREAM_CONV), "%s", j.chip->sentence);
    memcpy(bytes, out, c->outputs);
    job_end(&j);
    conv_free(c);
    return bytes;
}

/* 127.5 - 1 is 126 on the board: the zero point is there before the half goes to its even neighbour. */
Test(rkchip_board, halves_go_to_the_even_neighbour_of_the_value_with_its_zero_point) {
    static const int32_t sums[8] = {255, 253, -255, -253, 1, -1, 3, -3};
    static const int8_t wanted[3][8] = {{126, 126, -128, -128, 0, -2, 0, -2}, /* 126.5 125.5 -128.5 -127.5 -0.5 ... */
                                        {127, 126, -128, -126, 0, 0, 2, -2},
                                        {127, 127, -126, -126, 2, 0, 2, 0}};
    for (int32_t zero_point = -1; zero_point <= 1; zero_point++) {
        conv c = sums_of(8);
        memcpy(c.biases, sums, sizeof sums);
        c.dpu.factor = 16384;
        c.dpu.out_shift = 15;
        c.dpu.zero_point = zero_point;
        int8_t *bytes = bytes_of(&c);
        for (int i = 0; i < 8; i++)
            cr_assert_eq(bytes[i], wanted[zero_point + 1][i], "%g%+d is %d", sums[i] / 2.0, (int)zero_point, bytes[i]);
        free(bytes);
    }
}

/* Positive products are not shifted before the end, negative ones are, by 14, and then times the slope in 14 bits. */
Test(rkchip_board, leaky_values_have_a_way_of_their_own_for_either_sign) {
    static const double slopes[] = {0.0, 0.01, 0.1, 0.2, 0.5, 1.0};
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        conv c = sums_of(512);
        int32_t sums[512];
        uint32_t scales[512];
        const int32_t slope = (int32_t)rint(slopes[i] * 16384.0), factor = noise_in(16384, 32767);
        for (int k = 0; k < 512; k++) {
            c.scales[k] = scales[k] = (uint32_t)noise_in(1, 16384);
            c.biases[k] = sums[k] = noise_in(-40000, 40000);
        }
        c.dpu.shift = 0;
        c.dpu.shift_negative = 14;
        c.dpu.bn = BN_NEGATIVE;
        c.dpu.bn_factor = slope;
        c.dpu.factor = factor;
        c.dpu.out_shift = 22 + 14;
        c.dpu.zero_point = 3;
        int8_t *bytes = bytes_of(&c);
        for (int k = 0; k < 512; k++) {
            const int64_t product = (int64_t)sums[k] * scales[k];
            const int64_t value = (product < 0 ? nearest_even(product, 14) * slope : product) * factor;
            const int64_t wanted = nearest_even(value + ((int64_t)3 << 36), 36);
            cr_assert_eq(bytes[k],
                         wanted > 127    ? 127
                         : wanted < -128 ? -128
                                         : wanted,
                         "seed %u, slope %g: %d * %u", SEED, slopes[i], sums[k], scales[k]);
        }
        free(bytes);
    }
}

/* 31 x 31 x 32 products of up to 128 * 255, and a bias: from -2,076,000,000 to as much above 0. */
Test(rkchip_board, sums_reach_both_ends_of_32_bits) {
    for (int sign = -1; sign <= 1; sign += 2)
        for (int kind = 0; kind < 4; kind++) {
            conv c = conv_of(31, 31, 32, 1);
            const size_t count = 31 * 31 * 32;
            int64_t sum = sign * (INT64_C(128) * 255 * 31 * 31 * 32 + 76500000);
            c.kernel_height = c.kernel_width = 31;
            c.input = noise_bytes(count);
            c.weights = noise_bytes(count);
            c.biases = (int32_t *)malloc(sizeof *c.biases);
            c.zero_points = (int32_t *)malloc(sizeof *c.zero_points);
            c.scales = (uint32_t *)malloc(sizeof *c.scales);
            cr_assert(c.biases != NULL && c.zero_points != NULL && c.scales != NULL);
            c.biases[0] = (int32_t)sum;
            c.zero_points[0] = sign > 0 ? -128 : 127;
            c.scales[0] = 16384;
            for (size_t i = 0; i < count; i++) {
                c.input[i] = (int8_t)(kind == 0 ? -128 : kind == 1 ? 127 : kind == 2 ? 0 : i % 2 == 0 ? -128 : 127);
                c.weights[i] = (int8_t)(sign > 0 ? 127 : -128);
                sum += (int64_t)c.input[i] * sign * 255;
            }
            if (kind == 1) cr_assert(sum * sign > 2070000000, "%lld", (long long)sum);
            c.dpu.factor = 168;
            c.dpu.out_shift = 31;
            c.dpu.zero_point = -31;
            int8_t *bytes = bytes_of(&c);
            const int64_t wanted = nearest_even(sum * 168 + (INT64_C(-31) * INT64_C(2147483648)), 31);
            cr_assert_eq(bytes[0],
                         wanted > 127    ? 127
                         : wanted < -128 ? -128
                                         : wanted,
                         "%lld gives %d", (long long)sum, bytes[0]);
            free(bytes);
        }
}
