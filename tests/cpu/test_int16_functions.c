/* SPDX-License-Identifier: Apache-2.0 */
/* test_int16_functions.c - elementwise operators, softmax, pools, reductions, conversions and copies of int16 through
   the API, against references written here from TensorFlow Lite's definitions. */
#include "linked.h"

#include "graph_builder.h"

#define SEED 20261124u

#include "int16_reference.h"

enum {
    COUNT = 1000
};

static int16_t limit(int64_t x) { return (int16_t)(x < -32768 ? -32768 : x > 32767 ? 32767 : x); }

/* COUNT numbers, the ends and the middle of the range first. */
static void numbers(int16_t *out) {
    static const int16_t first[] = {0, 1, -1, 32767, -32768, -32767, 16384, -16384};
    for (size_t i = 0; i < COUNT; i++) out[i] = i < 8 ? first[i] : number();
}

/* ------------------------------------------------------------------------------------------- two operands */

/* b is a constant of b_count elements: COUNT, or 1. */
static void run_binary(OH_NN_OperationType op, const double *scales, int activation, const int16_t *a, const int16_t *b,
                       int32_t b_count, int16_t *out, size_t w) {
    const int32_t dims[1] = {COUNT};
    gb_graph g;
    uint32_t inputs[2], output;
    open_way(&g, w);
    inputs[0] = gb_input(&g, tensor_s16(&g, 1, dims, scales[0]));
    inputs[1] = gb_quantize(&g, gb_constant(&g, OH_NN_INT16, 1, &b_count, b), 1, &scales[1], NULL);
    output = gb_output(&g, tensor_s16(&g, 1, dims, scales[2]));
    if (op == OH_NN_OPS_ADD) gb_param_i8(&g, OH_NN_ADD_ACTIVATIONTYPE, activation);
    if (op == OH_NN_OPS_SUB) gb_param_i8(&g, OH_NN_SUB_ACTIVATIONTYPE, activation);
    if (op == OH_NN_OPS_MUL) gb_param_i8(&g, OH_NN_MUL_ACTIVATION_TYPE, activation);
    cr_assert_eq(gb_op(&g, op, 2, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g, a, COUNT * 2, out, COUNT * 2);
}

/* The reference divides the scales of SUB in float, those of ADD in double. */
static double quotient(OH_NN_OperationType op, double a, double b) {
    const float narrow = (float)a / (float)b;
    return op == OH_NN_OPS_SUB ? (double)narrow : a / b;
}

static int16_t binary_reference(OH_NN_OperationType op, const double *scales, int activation, int64_t a, int64_t b) {
    const double twice = 2 * (scales[0] > scales[1] ? scales[0] : scales[1]);
    int64_t x, y;
    if (op == OH_NN_OPS_MUL) return to_s16(rescale(a * b, scales[0] * scales[1] / scales[2]), scales[2], activation);
    if (op == OH_NN_OPS_SQUARED_DIFFERENCE) {
        x = rescale(a, scales[0] / twice) - rescale(b, scales[1] / twice);
        return limit(rescale(x * x, twice * twice / scales[2]));
    }
    x = rescale(a * 32768, quotient(op, scales[0], twice));
    y = rescale(b * 32768, quotient(op, scales[1], twice));
    return to_s16(rescale(op == OH_NN_OPS_SUB ? x - y : x + y, quotient(op, twice, 32768 * scales[2])), scales[2],
                  activation);
}

Test(int16_functions, sums_and_products_have_the_roundings_of_the_reference) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_ADD, OH_NN_OPS_SUB, OH_NN_OPS_MUL,
                                              OH_NN_OPS_SQUARED_DIFFERENCE};
    int16_t a[COUNT], b[COUNT], out[COUNT], want[COUNT];
    for (int round = 0; round < 80; round++) {
        const OH_NN_OperationType op = ops[round % 4];
        const double s = (double)(float)noise_between(0.0001, 0.001), t = (double)(float)noise_between(0.0001, 0.001);
        const bool product = op == OH_NN_OPS_MUL || op == OH_NN_OPS_SQUARED_DIFFERENCE;
        const double o = (double)(float)(product ? noise_between(1e-5, 1e-4) : noise_between(0.0005, 0.002));
        const double scales[3] = {s, round % 5 == 0 ? s : t, round % 10 == 0 ? s : o};
        const int activation = round % 5 == 0 ? OH_NN_FUSED_RELU : round % 5 == 1 ? OH_NN_FUSED_RELU6 : 0;
        const int32_t b_count = round % 7 == 0 ? 1 : COUNT;
        numbers(a);
        for (int i = 0; i < COUNT; i++) b[i] = number();
        for (int i = 0; i < COUNT; i++)
            want[i] = binary_reference(op, scales, activation, a[i], b[b_count == 1 ? 0 : i]);
        for (size_t w = 0; w < WAYS; w++) {
            if (!has_way(w)) continue;
            run_binary(op, scales, activation, a, b, b_count, out, w);
            expect(out, want, COUNT, "two operands", w);
        }
    }
}

Test(int16_functions, extremes_choose_and_other_operators_are_within_a_step_of_the_real_result) {
    int16_t a[COUNT], b[COUNT], out[COUNT];
    const double same[3] = {0.001, 0.001, 0.001}, other[3] = {0.001, 0.002, 0.003};
    numbers(a);
    for (int i = 0; i < COUNT; i++) b[i] = number() | 1;
    run_binary(OH_NN_OPS_MAXIMUM, same, 0, a, b, COUNT, out, 0);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], a[i] > b[i] ? a[i] : b[i]);
    run_binary(OH_NN_OPS_MINIMUM, same, 0, a, b, COUNT, out, 0);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], a[i] < b[i] ? a[i] : b[i]);
    run_binary(OH_NN_OPS_MAXIMUM, other, 0, a, b, COUNT, out, 0);
    for (int i = 0; i < COUNT; i++)
        cr_assert(fabs(out[i] * 0.003 - fmax(a[i] * 0.001, b[i] * 0.002)) <= 0.003, "%d, %d: %d", a[i], b[i], out[i]);
    run_binary(OH_NN_OPS_DIV, other, 0, a, b, COUNT, out, 0);
    for (int i = 0; i < COUNT; i++)
        cr_assert(abs(out[i] - limit(llround(a[i] * 0.001 / (b[i] * 0.002) / 0.003))) <= 1, "%d / %d: %d", a[i], b[i],
                  out[i]);
}

/* -------------------------------------------------------------------------------------------- one operand */

static void run_unary(OH_NN_OperationType op, double in_scale, double out_scale, float alpha, const int16_t *in,
                      int16_t *out, size_t w) {
    const int32_t dims[1] = {COUNT};
    gb_graph g;
    uint32_t input, output;
    open_way(&g, w);
    input = gb_input(&g, tensor_s16(&g, 1, dims, in_scale));
    output = gb_output(&g, tensor_s16(&g, 1, dims, out_scale));
    if (op == OH_NN_OPS_LEAKY_RELU) gb_param_f32(&g, OH_NN_LEAKY_RELU_NEGATIVE_SLOPE, alpha);
    cr_assert_eq(gb_op(&g, op, 1, &input, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g, in, COUNT * 2, out, COUNT * 2);
}

Test(int16_functions, relus_scale_what_is_below_zero_with_a_factor_of_its_own) {
    int16_t in[COUNT], out[COUNT], want[COUNT];
    for (int round = 0; round < 30; round++) {
        const OH_NN_OperationType op = round % 3 == 0   ? OH_NN_OPS_RELU
                                       : round % 3 == 1 ? OH_NN_OPS_RELU6
                                                        : OH_NN_OPS_LEAKY_RELU;
        const float s = (float)noise_between(0.0001, 0.001), o = (float)noise_between(0.0001, 0.001);
        const float alpha = (float)noise_between(-1.5, 1.5), slope = s * fabsf(alpha) / o, ratio = s / o;
        numbers(in);
        for (int i = 0; i < COUNT; i++) {
            const int64_t below = rescale(in[i], (double)slope) * (alpha < 0 ? -1 : 1);
            if (op == OH_NN_OPS_LEAKY_RELU) want[i] = limit(in[i] < 0 ? below : rescale(in[i], (double)ratio));
            else
                want[i] = to_s16(in[i] < 0 ? 0 : rescale(in[i], (double)ratio), (double)o,
                                 op == OH_NN_OPS_RELU ? OH_NN_FUSED_RELU : OH_NN_FUSED_RELU6);
        }
        for (size_t w = 0; w < WAYS; w++) {
            if (!has_way(w)) continue;
            run_unary(op, (double)s, (double)o, alpha, in, out, w);
            expect(out, want, COUNT, "relu", w);
        }
    }
}

Test(int16_functions, abs_rescales_what_has_no_sign_any_more) {
    int16_t in[COUNT], out[COUNT], want[COUNT];
    for (int round = 0; round < 10; round++) {
        const float s = (float)noise_between(0.0001, 0.001), o = round == 0 ? s : (float)noise_between(0.0001, 0.001);
        const float ratio = s / o;
        numbers(in);
        for (int i = 0; i < COUNT; i++) want[i] = limit(rescale(abs(in[i]), (double)ratio));
        for (size_t w = 0; w < WAYS; w++) {
            if (!has_way(w)) continue;
            run_unary(OH_NN_OPS_ABS, (double)s, (double)o, 0, in, out, w);
            expect(out, want, COUNT, "abs", w);
        }
    }
}

Test(int16_functions, logistic_and_tanh_are_straight_between_256_points) {
    int16_t in[COUNT], out[COUNT], want[COUNT];
    for (int round = 0; round < 40; round++) {
        const bool is_tanh = round % 2 == 1;
        const double scale =
            round < 12 ? ldexp(1, round / 2 - 14) : (double)(float)exp(noise_between(log(1e-5), log(2)));
        numbers(in);
        for (int i = 0; i < COUNT; i++) {
            const double real = is_tanh ? tanh(in[i] * scale) : 1 / (1 + exp(-in[i] * scale));
            want[i] = sigmoid_reference(is_tanh, scale, in[i]);
            cr_assert(fabs(want[i] - real * 32768) <= 6, "scale %g: %d is not %g", scale, want[i], real * 32768);
        }
        for (size_t w = 0; w < WAYS; w++) {
            if (!has_way(w)) continue;
            run_unary(is_tanh ? OH_NN_OPS_TANH : OH_NN_OPS_SIGMOID, scale, ldexp(1, -15), 0, in, out, w);
            expect(out, want, COUNT, is_tanh ? "tanh" : "logistic", w);
        }
    }
}

/* Scales that the table does not fit, and functions without one. */
Test(int16_functions, other_functions_are_the_real_ones_within_a_step) {
    int16_t in[COUNT], out[COUNT];
    numbers(in);
    run_unary(OH_NN_OPS_SIGMOID, 0.0005, 0.0001, 0, in, out, 0);
    for (int i = 0; i < COUNT; i++) cr_assert(fabs(out[i] * 0.0001 - 1 / (1 + exp(-in[i] * 0.0005))) <= 0.0001);
    run_unary(OH_NN_OPS_TANH, 4.0, ldexp(1, -15), 0, in, out, 0);
    for (int i = 0; i < COUNT; i++) cr_assert(abs(out[i] - limit(llround(32768 * tanh(in[i] * 4.0)))) <= 1);
    run_unary(OH_NN_OPS_GELU, 0.0005, 0.0005, 0, in, out, 0);
    for (int i = 0; i < COUNT; i++) {
        const double x = in[i] * 0.0005;
        cr_assert(fabs(out[i] * 0.0005 - x * 0.5 * (1 + erf(x / sqrt(2)))) <= 0.0006, "%g: %d", x, out[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ softmax */

static void run_softmax(double scale, double out_scale, int32_t axis, const int32_t *dims, const int16_t *in,
                        int16_t *out) {
    const size_t size = (size_t)(dims[0] * dims[1]) * 2;
    gb_graph g;
    uint32_t input, output;
    gb_open(&g);
    input = gb_input(&g, tensor_s16(&g, 2, dims, scale));
    output = gb_output(&g, tensor_s16(&g, 2, dims, out_scale));
    gb_param_i64(&g, OH_NN_SOFTMAX_AXIS, axis);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_SOFTMAX, 1, &input, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g, in, size, out, size);
}

/* Numbers that TensorFlow Lite's reference kernel gave. */
Test(int16_functions, softmax_gives_what_the_reference_kernel_gave) {
    static const int16_t in[8] = {0, 1000, -1000, 32767, -32768, 12345, 30000, 32700};
    static const float scales[3] = {0.001f, 0.0001f, 0.00002f};
    static const int16_t want[3][8] = {{1, 1, 1, 16397, 1, 1, 1031, 15335},
                                       {413, 456, 374, 10935, 15, 1419, 8293, 10863},
                                       {3129, 3193, 3068, 6027, 1625, 4006, 5702, 6018}};
    const int32_t rows[2] = {1, 8}, columns[2] = {8, 1};
    int16_t out[8];
    for (int k = 0; k < 3; k++) {
        run_softmax((double)scales[k], ldexp(1, -15), 1, rows, in, out);
        expect(out, want[k], 8, "softmax", (size_t)k);
        run_softmax((double)scales[k], ldexp(1, -15), 0, columns, in, out);
        expect(out, want[k], 8, "softmax of axis 0", (size_t)k);
    }
}

/* The reference cuts differences off at -10, where exp still is 2 steps: each element may add so much to the sum. */
Test(int16_functions, softmax_is_near_the_real_one_whatever_the_scale_of_its_output) {
    for (int round = 0; round < 60; round++) {
        const int32_t dims[2] = {3, noise_in(1, 200)};
        const double scale = exp(noise_between(log(1e-5), log(0.1))), step = round % 3 == 0 ? 0.0001 : ldexp(1, -15);
        int16_t in[600], out[600];
        for (int i = 0; i < 3 * dims[1]; i++) in[i] = number();
        run_softmax(scale, step, -1, dims, in, out);
        for (int r = 0; r < 3; r++) {
            double sum = 0, most = -1e9;
            for (int i = 0; i < dims[1]; i++) most = fmax(most, in[r * dims[1] + i] * scale);
            for (int i = 0; i < dims[1]; i++) sum += exp(in[r * dims[1] + i] * scale - most);
            for (int i = 0; i < dims[1]; i++) {
                const double want = exp(in[r * dims[1] + i] * scale - most) / sum;
                cr_assert(fabs(out[r * dims[1] + i] * step - want) <= (12 + 2 * dims[1]) * ldexp(1, -15),
                          "seed %u: %d steps of %g, not %g", SEED, out[r * dims[1] + i], step, want);
            }
        }
    }
}

/* -------------------------------------------------------------------------------------- pools, reductions */

Test(int16_functions, pools_round_away_from_zero_and_leave_the_padding_out) {
    for (int round = 0; round < 40; round++) {
        const int32_t h = noise_in(1, 7), w = noise_in(1, 7), c = noise_in(1, 9), kh = noise_in(1, 3),
                      kw = noise_in(1, 3);
        const int32_t dims[4] = {2, h, w, c};
        const bool average = round % 2 == 0;
        const double scale = 0.001, out_scale = round % 4 < 2 ? 0.001 : 0.0017;
        const int64_t kernel[2] = {kh, kw}, ones[2] = {1, 1};
        int16_t in[2 * 49 * 9], out[2 * 49 * 9], want[2 * 49 * 9];
        const size_t count = (size_t)(2 * h * w * c);
        for (size_t i = 0; i < count; i++) in[i] = number();
        for (size_t i = 0; i < count; i++) {
            const int32_t at = (int32_t)i, x = at / c % w, y = at / c / w % h, b = at / c / w / h;
            int64_t sum = 0, most = -32768, cells = 0;
            for (int32_t iy = y - (kh - 1) / 2; iy < y - (kh - 1) / 2 + kh; iy++)
                for (int32_t ix = x - (kw - 1) / 2; ix < x - (kw - 1) / 2 + kw; ix++) {
                    int16_t q;
                    if (iy < 0 || iy >= h || ix < 0 || ix >= w) continue;
                    q = in[((b * h + iy) * w + ix) * c + at % c];
                    sum += q;
                    most = q > most ? q : most;
                    cells++;
                }
            if (average) most = llround((double)sum / (double)cells);
            want[i] = limit(out_scale > scale ? rescale(most, scale / out_scale) : most);
        }
        for (size_t way = 0; way < WAYS; way++) {
            gb_graph g;
            uint32_t input, output;
            if (!has_way(way)) continue;
            open_way(&g, way);
            input = gb_input(&g, tensor_s16(&g, 4, dims, scale));
            output = gb_output(&g, tensor_s16(&g, 4, dims, out_scale));
            gb_param_i64s(&g, average ? OH_NN_AVG_POOL_KERNEL_SIZE : OH_NN_MAX_POOL_KERNEL_SIZE, 2, kernel);
            gb_param_i64s(&g, average ? OH_NN_AVG_POOL_STRIDE : OH_NN_MAX_POOL_STRIDE, 2, ones);
            gb_param_i8(&g, average ? OH_NN_AVG_POOL_PAD_MODE : OH_NN_MAX_POOL_PAD_MODE, 0);
            cr_assert_eq(gb_op(&g, average ? OH_NN_OPS_AVG_POOL : OH_NN_OPS_MAX_POOL, 1, &input, 1, &output),
                         OH_NN_SUCCESS, "%s", nnrt_last_error());
            run_and_close(&g, in, count * 2, out, count * 2);
            expect(out, want, count, average ? "average pool" : "max pool", way);
        }
    }
}

/* The division is part of the multiplier, which keeps 30 bits. */
static int16_t mean_reference(int64_t sum, int64_t count, double factor) {
    int64_t multiplier, up = 0, product;
    int exponent;
    split_factor(factor, &multiplier, &exponent);
    while (count >> up > 1) up++;
    multiplier = multiplier * ((int64_t)1 << up) / count;
    exponent -= (int)up;
    if (exponent > 0) sum *= (int64_t)1 << exponent;
    product = sum * multiplier;
    product = (product + (product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    return limit(exponent >= 0 ? product : llround(ldexp((double)product, exponent)));
}

Test(int16_functions, means_sums_and_extremes_along_axes) {
    static const OH_NN_OperationType ops[] = {OH_NN_OPS_REDUCE_MEAN, OH_NN_OPS_REDUCE_SUM, OH_NN_OPS_REDUCE_MAX,
                                              OH_NN_OPS_REDUCE_MIN};
    for (int round = 0; round < 40; round++) {
        const int32_t rows = noise_in(1, 9), n = noise_in(1, 50), dims[2] = {rows, n}, kept[1] = {rows}, axis = 1;
        const OH_NN_OperationType op = ops[round % 4];
        const double scale = (double)0.001f;
        const double out_scale = round % 4 > 1 ? scale : (double)(float)noise_between(0.0005, 0.01);
        int16_t in[450], out[9], want[9];
        gb_graph g;
        uint32_t inputs[2], output;
        for (int i = 0; i < rows * n; i++) in[i] = number();
        for (int r = 0; r < rows; r++) {
            int64_t sum = 0, most = -32768, least = 32767;
            for (int i = 0; i < n; i++) {
                const int16_t x = in[r * n + i];
                sum += x;
                most = x > most ? x : most;
                least = x < least ? x : least;
            }
            want[r] = op == OH_NN_OPS_REDUCE_MEAN  ? mean_reference(sum, n, scale / out_scale)
                      : op == OH_NN_OPS_REDUCE_SUM ? limit(rescale(sum, scale / out_scale))
                      : op == OH_NN_OPS_REDUCE_MAX ? (int16_t)most
                                                   : (int16_t)least;
        }
        gb_open(&g);
        inputs[0] = gb_input(&g, tensor_s16(&g, 2, dims, scale));
        inputs[1] = gb_ints(&g, 1, &axis);
        output = gb_output(&g, tensor_s16(&g, 1, kept, out_scale));
        cr_assert_eq(gb_op(&g, op, 2, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
        run_and_close(&g, in, (size_t)(rows * n) * 2, out, (size_t)rows * 2);
        expect(out, want, (size_t)rows, "reduction", (size_t)round % 4);
    }
}

/* -------------------------------------------------------------------------------------------- conversions */

static void convert(OH_NN_DataType from, double in_scale, int32_t in_zero, const void *in, OH_NN_DataType to,
                    double out_scale, int32_t out_zero, void *out) {
    const int32_t dims[1] = {COUNT};
    gb_graph g;
    uint32_t input, output;
    gb_open(&g);
    input = gb_input(&g, gb_tensor(&g, from, 1, dims));
    output = gb_output(&g, gb_tensor(&g, to, 1, dims));
    if (from != OH_NN_FLOAT32) gb_quantize(&g, input, 1, &in_scale, &in_zero);
    if (to != OH_NN_FLOAT32) gb_quantize(&g, output, 1, &out_scale, &out_zero);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_SRC_T, from);
    gb_param_i64(&g, OH_NN_QUANT_DTYPE_CAST_DST_T, to);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_QUANT_DTYPE_CAST, 1, &input, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    run_and_close(&g, in, gb_bytes(from, 1, dims), out, gb_bytes(to, 1, dims));
}

Test(int16_functions, numbers_become_int16_and_come_back) {
    float real[COUNT], back[COUNT];
    int16_t wide[COUNT];
    const float scale = 0.0007f;
    const int32_t zero = -300;
    for (int i = 0; i < COUNT; i++) real[i] = ((float)(i * 150 - 75000) + 0.5f) * scale;
    real[0] = NAN, real[1] = INFINITY, real[2] = -INFINITY, real[3] = -0.0f;
    convert(OH_NN_FLOAT32, 0, 0, real, OH_NN_INT16, (double)scale, zero, wide);
    convert(OH_NN_INT16, (double)scale, zero, wide, OH_NN_FLOAT32, 0, 0, back);
    cr_assert(wide[0] == -32768 && wide[1] == 32767 && wide[2] == -32768 && wide[3] == zero);
    for (int i = 4; i < COUNT; i++) {
        const float quotient = real[i] / scale;
        cr_assert_eq(wide[i], limit(llround((double)quotient) + zero), "[%d] %g: %d", i, (double)real[i], wide[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        const float want = scale * (float)(wide[i] - zero);
        cr_assert(back[i] == want);
    }
}

Test(int16_functions, integers_of_8_16_and_32_bits_become_each_other) {
    int16_t in[COUNT], out[COUNT];
    int8_t bytes[COUNT];
    int32_t words[COUNT];
    const double s = (double)0.013f, t = (double)0.0041f;
    numbers(in);
    convert(OH_NN_INT16, s, 0, in, OH_NN_INT8, t, 5, bytes);
    for (int i = 0; i < COUNT; i++) {
        const int64_t x = rescale(in[i], s / t) + 5;
        cr_assert_eq(bytes[i], x < -128 ? -128 : x > 127 ? 127 : x, "[%d] %d", i, bytes[i]);
    }
    for (int i = 0; i < COUNT; i++) bytes[i] = (int8_t)i;
    convert(OH_NN_INT8, s, -7, bytes, OH_NN_INT16, t, 0, out);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], rescale(bytes[i] + 7, s / t), "[%d] %d", i, out[i]);
    convert(OH_NN_INT16, t, 0, in, OH_NN_INT16, s, 100, out);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], limit(rescale(in[i], t / s) + 100), "[%d] %d", i, out[i]);
    convert(OH_NN_INT16, s, 0, in, OH_NN_INT32, t, 0, words);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(words[i], rescale(in[i], s / t), "[%d] %d", i, words[i]);
    for (int i = 0; i < COUNT; i++) words[i] = i < 2 ? (i ? INT32_MIN : INT32_MAX) : in[i] * 1000;
    convert(OH_NN_INT32, 1e-6, 0, words, OH_NN_INT16, t, 0, out);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], limit(rescale(words[i], 1e-6 / t)), "[%d] %d", i, out[i]);
    /* a ratio that takes everything but 0 out of range */
    convert(OH_NN_INT16, 1e4, 0, in, OH_NN_INT16, 1e-4, 0, out);
    for (int i = 0; i < COUNT; i++) cr_assert_eq(out[i], in[i] < 0 ? -32768 : in[i] > 0 ? 32767 : 0);
}

/* ------------------------------------------------------------------------------------------------- copies */

Test(int16_functions, pads_slices_transpositions_and_joins_move_two_bytes) {
    const int32_t dims[2] = {3, 4}, turned[2] = {4, 3}, padded[2] = {4, 6}, joined[2] = {8, 6}, part[2] = {3, 2};
    const int32_t perm[2] = {1, 0}, begin[2] = {2, 1}, size[2] = {3, 2}, pads[4] = {0, 0, 1, 2}, pad_dims[2] = {2, 2};
    int16_t in[12], out[6];
    gb_graph g;
    uint32_t t[8];
    for (int i = 0; i < 12; i++) in[i] = (int16_t)(1000 * i - 5000);
    gb_open(&g);
    t[0] = gb_input(&g, tensor_s16(&g, 2, dims, 0.01));
    t[1] = gb_ints(&g, 2, perm);
    t[2] = tensor_s16(&g, 2, turned, 0.01);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_TRANSPOSE, 2, t, 1, &t[2]), OH_NN_SUCCESS, "%s", nnrt_last_error());
    t[3] = gb_constant(&g, OH_NN_INT32, 2, pad_dims, pads);
    t[4] = tensor_s16(&g, 2, padded, 0.01);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_PAD, 2, &t[2], 1, &t[4]), OH_NN_SUCCESS, "%s", nnrt_last_error());
    t[5] = tensor_s16(&g, 2, joined, 0.01);
    {
        const uint32_t twice[2] = {t[4], t[4]};
        gb_param_i64(&g, OH_NN_CONCAT_AXIS, 0);
        cr_assert_eq(gb_op(&g, OH_NN_OPS_CONCAT, 2, twice, 1, &t[5]), OH_NN_SUCCESS, "%s", nnrt_last_error());
    }
    t[6] = gb_ints(&g, 2, begin);
    t[7] = gb_ints(&g, 2, size);
    {
        const uint32_t inputs[3] = {t[5], t[6], t[7]}, output = gb_output(&g, tensor_s16(&g, 2, part, 0.01));
        cr_assert_eq(gb_op(&g, OH_NN_OPS_SLICE, 3, inputs, 1, &output), OH_NN_SUCCESS, "%s", nnrt_last_error());
    }
    run_and_close(&g, in, sizeof in, out, sizeof out);
    /* rows 2, 3 and 4 of the joined tensor: column c of row r of the padded one is in[c - 1][r] */
    for (int i = 0; i < 6; i++) {
        const int r = (2 + i / 2) % 4, c = 1 + i % 2;
        cr_assert_eq(out[i], in[(c - 1) * 4 + r], "[%d]: %d", i, out[i]);
    }
}
