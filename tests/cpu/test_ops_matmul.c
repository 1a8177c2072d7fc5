/* SPDX-License-Identifier: Apache-2.0 */
/* test_ops_matmul.c - MATMUL through the API, against the sum of products that it is: every element's place in
   both inputs is worked out from the strides of their dimensions. int8 and int16 must be the numbers of
   TensorFlow Lite's fixed point. */
#include "linked.h"

#include <math.h>

#define SEED 20261123u

#include "one_operator.h"

typedef struct product {
    size_t rank_a, rank_b, rank;
    int32_t a[10], b[10], out[10];
    bool turned_a, turned_b, constant_a, constant_b;
    int activation;
} product;

/* Shapes of up to three axes of products, some of them 1 or not there in one input. */
static product draw(void) {
    product p;
    const size_t batches = noise() % 4;
    const bool large = noise() % 8 == 0;
    const int32_t m = noise_in(1, large ? 70 : 9), n = noise_in(1, large ? 150 : 19), k = noise_in(1, large ? 80 : 40);
    size_t i, skip_a, skip_b;
    memset(&p, 0, sizeof p);
    p.turned_a = noise() % 2 != 0, p.turned_b = noise() % 2 != 0;
    p.constant_b = noise() % 3 == 0, p.constant_a = !p.constant_b && noise() % 4 == 0;
    p.activation = (int)(noise() % 3);
    skip_a = noise() % 3 == 0 ? noise() % (batches + 1) : 0;
    skip_b = skip_a == 0 && noise() % 2 == 0 ? noise() % (batches + 1) : 0;
    for (i = 0; i < batches; i++) {
        const int32_t dim = noise_in(1, 3);
        const uint32_t side = noise() % 4;
        if (i >= skip_a) p.a[p.rank_a++] = side == 0 ? 1 : dim;
        if (i >= skip_b) p.b[p.rank_b++] = side == 1 ? 1 : dim;
        p.out[p.rank++] = i < skip_a ? p.b[p.rank_b - 1] : i < skip_b ? p.a[p.rank_a - 1] : dim;
    }
    p.a[p.rank_a++] = p.turned_a ? k : m, p.a[p.rank_a++] = p.turned_a ? m : k;
    p.b[p.rank_b++] = p.turned_b ? n : k, p.b[p.rank_b++] = p.turned_b ? k : n;
    p.out[p.rank++] = m, p.out[p.rank++] = n;
    return p;
}

static int32_t depth_of(const product *p) { return p->a[p->rank_a - (p->turned_a ? 2 : 1)]; }

/* The element of an input that is number t of the sum for a place of the output. */
static size_t element(const product *p, const int64_t *place, bool second, int32_t t) {
    const size_t rank = second ? p->rank_b : p->rank_a, before = p->rank - rank;
    const int32_t *dims = second ? p->b : p->a;
    const bool turned = second ? p->turned_b : p->turned_a;
    int64_t at[10];
    size_t i;
    for (i = 0; i + 2 < rank; i++) at[i] = dims[i] == 1 ? 0 : place[before + i];
    /* a is [m, k], b is [k, n] */
    at[rank - 2] = second ? t : place[p->rank - 2];
    at[rank - 1] = second ? place[p->rank - 1] : t;
    if (turned) {
        const int64_t kept = at[rank - 2];
        at[rank - 2] = at[rank - 1], at[rank - 1] = kept;
    }
    return index_of(rank, dims, at);
}

/* Feeds a tensor, or makes it a constant. */
static void give(model *m, const tensor *t, bool constant) {
    if (constant) m->ins[m->in_count++] = gb_constant(&m->g, t->dtype, t->rank, t->dims, t->data);
    else feed(m, t);
}

static void parameters(model *m, const product *p) {
    gb_param_bool(&m->g, OH_NN_MATMUL_TRANSPOSE_A, p->turned_a);
    gb_param_bool(&m->g, OH_NN_MATMUL_TRANSPOSE_B, p->turned_b);
    gb_param_i8(&m->g, OH_NN_MATMUL_ACTIVATION_TYPE, (int8_t)p->activation);
    if (noise() % 2 != 0) m->g.isa = "scalar";
    if (noise() % 4 == 0) m->g.performance = OH_NN_PERFORMANCE_LOW;
}

Test(matmul, floats_are_the_sums_of_their_products) {
    int round;
    for (round = 0; round < 200; round++) {
        const product p = draw();
        tensor a = make(OH_NN_FLOAT32, p.rank_a, p.a), b = make(OH_NN_FLOAT32, p.rank_b, p.b);
        tensor out = make(OH_NN_FLOAT32, p.rank, p.out);
        size_t i;
        model m;
        fill_f32(&a), fill_f32(&b);
        start(&m), give(&m, &a, p.constant_a), give(&m, &b, p.constant_b), parameters(&m, &p), expect(&m, &out);
        finish(&m, OH_NN_OPS_MATMUL);
        for (i = 0; i < out.count; i++) {
            double sum = 0, size = 0;
            int64_t place[10];
            int32_t t;
            place_of(p.rank, p.out, i, place);
            for (t = 0; t < depth_of(&p); t++) {
                const double x = (double)((float *)a.data)[element(&p, place, false, t)];
                const double y = (double)((float *)b.data)[element(&p, place, true, t)];
                sum += x * y, size += fabs(x * y);
            }
            if (p.activation != 0 && sum < 0) sum = 0;
            if (p.activation == 2 && sum > 6) sum = 6;
            cr_assert_float_eq((double)((float *)out.data)[i], sum, 1e-6 * size + 1e-6, "round %d, element %zu", round,
                               i);
        }
        drop(&a), drop(&b), drop(&out);
    }
}

/* round(x * 2^31 * mantissa) and so on: the fixed point of TensorFlow Lite, by its definition. */
static int32_t rescaled(int64_t x, double factor) {
    int exponent;
    int64_t mantissa = llround(frexp(factor, &exponent) * 2147483648.0), high, rest;
    if (mantissa == (int64_t)1 << 31) mantissa /= 2, exponent++;
    x = exponent > 0 ? x * ((int64_t)1 << exponent) : x;
    high = x * mantissa;
    high = (high + (high >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30))) / ((int64_t)1 << 31);
    if (exponent >= 0) return (int32_t)high;
    rest = (int64_t)1 << -exponent;
    /* nearest, ties away from zero */
    return (int32_t)(high >= 0 ? (high + rest / 2) / rest : -((-high + rest / 2) / rest));
}

/* A byte of int8, or of uint8 less 128. */
static int32_t byte_of(const tensor *t, size_t i) {
    return t->dtype == OH_NN_INT8 ? (int8_t)t->data[i] : (int32_t)t->data[i] - 128;
}

Test(matmul, bytes_are_the_fixed_point_of_every_sum) {
    int round;
    for (round = 0; round < 200; round++) {
        const product p = draw();
        const double scale_a = noise_between(0.01, 0.1), scale_b = noise_between(0.01, 0.1);
        const double scale = noise_between(0.02, 0.3), factor = (double)((float)scale_a * (float)scale_b) / scale;
        const int32_t zero_a = noise_in(-128, 127), zero_out = noise_in(-128, 127);
        const int32_t zero_b = noise() % 2 != 0 ? 0 : noise_in(-128, 127);
        const OH_NN_DataType dtype = round % 3 == 0 ? OH_NN_UINT8 : OH_NN_INT8;
        const int32_t up = round % 3 == 0 ? 128 : 0;
        tensor a = make(dtype, p.rank_a, p.a), b = make(dtype, p.rank_b, p.b);
        tensor out = make(dtype, p.rank, p.out);
        size_t i;
        model m;
        start(&m), give(&m, &a, p.constant_a), quantized(&m, true, scale_a, zero_a + up);
        give(&m, &b, p.constant_b), quantized(&m, true, scale_b, zero_b + up), parameters(&m, &p);
        expect(&m, &out), quantized(&m, false, scale, zero_out + up), finish(&m, OH_NN_OPS_MATMUL);
        for (i = 0; i < out.count; i++) {
            int64_t place[10], sum = 0;
            int32_t t, want, low = -128, high = 127;
            place_of(p.rank, p.out, i, place);
            for (t = 0; t < depth_of(&p); t++)
                sum += (byte_of(&a, element(&p, place, false, t)) - zero_a) *
                       (byte_of(&b, element(&p, place, true, t)) - zero_b);
            if (p.activation != 0 && zero_out > low) low = zero_out;
            if (p.activation == 2 && zero_out + (int32_t)lround(6.0f / (float)scale) < high)
                high = zero_out + (int32_t)lround(6.0f / (float)scale);
            want = rescaled(sum, factor) + zero_out;
            want = want < low ? low : want > high ? high : want;
            cr_assert_eq(byte_of(&out, i), want, "round %d, element %zu: %d, not %d", round, i, (int)byte_of(&out, i),
                         (int)want);
        }
        drop(&a), drop(&b), drop(&out);
    }
}

/* A sum of 64 bits: the factor has 16 bits, sign included, and what it gives is rounded once, ties up. */
static int64_t rescaled_wide(int64_t x, double factor) {
    int exponent;
    int64_t mantissa = llround(frexp(factor, &exponent) * 2147483648.0), kept, total;
    if (mantissa == (int64_t)1 << 31) mantissa /= 2, exponent++;
    kept = mantissa >= 0x7fff0000 ? 0x7fff : (mantissa + 32768) / 65536;
    total = (int64_t)1 << (15 - exponent);
    return (int64_t)floor((double)x * (double)kept / (double)total + 0.5); /* below 2^53 for these depths: exact */
}

Test(matmul, int16_is_the_exact_sum_with_a_factor_of_16_bits) {
    int round;
    for (round = 0; round < 120; round++) {
        const product p = draw();
        const double scale_a = noise_between(0.0001, 0.001), scale_b = noise_between(0.0001, 0.001);
        const double scale = noise_between(0.0001, 0.002), factor = (double)((float)scale_a * (float)scale_b) / scale;
        tensor a = make(OH_NN_INT16, p.rank_a, p.a), b = make(OH_NN_INT16, p.rank_b, p.b);
        tensor out = make(OH_NN_INT16, p.rank, p.out);
        size_t i;
        model m;
        if (round % 10 == 0) memset(a.data, 0x80, a.count * 2), memset(b.data, 0x80, b.count * 2);
        start(&m), give(&m, &a, p.constant_a), quantized(&m, true, scale_a, 0);
        give(&m, &b, p.constant_b), quantized(&m, true, scale_b, 0), parameters(&m, &p);
        expect(&m, &out), quantized(&m, false, scale, 0), finish(&m, OH_NN_OPS_MATMUL);
        for (i = 0; i < out.count; i++) {
            int64_t place[10], sum = 0, want;
            int32_t t, low = -32768, high = 32767;
            place_of(p.rank, p.out, i, place);
            for (t = 0; t < depth_of(&p); t++)
                sum += (int64_t)((const int16_t *)(const void *)a.data)[element(&p, place, false, t)] *
                       ((const int16_t *)(const void *)b.data)[element(&p, place, true, t)];
            if (p.activation != 0) low = 0;
            if (p.activation == 2 && lround(6.0f / (float)scale) < high) high = (int32_t)lround(6.0f / (float)scale);
            want = rescaled_wide(sum, factor);
            want = want < low ? low : want > high ? high : want;
            cr_assert_eq(((const int16_t *)(const void *)out.data)[i], want, "round %d, element %zu: %d, not %d", round,
                         i, ((const int16_t *)(const void *)out.data)[i], (int)want);
        }
        drop(&a), drop(&b), drop(&out);
    }
}

Test(matmul, int16_with_a_scale_that_no_factor_reaches_is_refused) {
    const int32_t dims[2] = {2, 2};
    const double scale = 0.5, small = 0.5 * 0.5 / 128;
    gb_graph g;
    uint32_t in[2], out;
    gb_open(&g);
    in[0] = gb_quantize(&g, gb_input(&g, gb_tensor(&g, OH_NN_INT16, 2, dims)), 1, &scale, NULL);
    in[1] = gb_quantize(&g, gb_input(&g, gb_tensor(&g, OH_NN_INT16, 2, dims)), 1, &scale, NULL);
    out = gb_quantize(&g, gb_output(&g, gb_tensor(&g, OH_NN_INT16, 2, dims)), 1, &small, NULL);
    cr_assert_eq(gb_op(&g, OH_NN_OPS_MATMUL, 2, in, 1, &out), OH_NN_SUCCESS);
    cr_assert_neq(gb_build(&g), OH_NN_SUCCESS);
    cr_assert(strstr(nnrt_last_error(), "less than 1/128") != NULL, "%s", nnrt_last_error());
    gb_close(&g);
}

Test(matmul, two_small_matrices_by_hand) {
    const int32_t dims[2] = {2, 2};
    const float a_data[4] = {1, 2, 3, 4}, b_data[4] = {5, 6, 7, 8};
    const float plain[4] = {19, 22, 43, 50}, turned_b[4] = {17, 23, 39, 53}, turned_a[4] = {26, 30, 38, 44};
    const float both[4] = {23, 31, 34, 46}, six[4] = {6, 6, 6, 6};
    const struct {
        bool a, b;
        int8_t activation;
        const float *want;
    } rows[] = {{false, false, 0, plain},
                {false, true, 1, turned_b},
                {true, false, 0, turned_a},
                {true, true, 1, both},
                {false, false, 2, six}};
    tensor a = make(OH_NN_FLOAT32, 2, dims), b = make(OH_NN_FLOAT32, 2, dims), out = make(OH_NN_FLOAT32, 2, dims);
    size_t i;
    model m;
    memcpy(a.data, a_data, sizeof a_data), memcpy(b.data, b_data, sizeof b_data);
    for (i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        start(&m), feed(&m, &a), give(&m, &b, i % 2 != 0), expect(&m, &out);
        gb_param_bool(&m.g, OH_NN_MATMUL_TRANSPOSE_A, rows[i / 2].a);
        gb_param_bool(&m.g, OH_NN_MATMUL_TRANSPOSE_B, rows[i / 2].b);
        gb_param_i8(&m.g, OH_NN_MATMUL_ACTIVATION_TYPE, rows[i / 2].activation), finish(&m, OH_NN_OPS_MATMUL);
        cr_assert_eq(memcmp(out.data, rows[i / 2].want, sizeof plain), 0, "row %zu", i / 2);
    }
    drop(&a), drop(&b), drop(&out);
}

/* float32 by int8 that is quantized for its weights, and int16 by int8: what a full connection does with them. */
Test(matmul, a_constant_matrix_is_the_weights_of_a_full_connection) {
    static const OH_NN_DataType types[2] = {OH_NN_FLOAT32, OH_NN_INT16};
    const int32_t dims_a[3] = {2, 3, 16}, dims_b[2] = {16, 5}, turned[2] = {5, 16}, dims[3] = {2, 3, 5};
    int kind, way;
    for (kind = 0; kind < 2; kind++) {
        tensor a = make(types[kind], 3, dims_a), b = make(OH_NN_INT8, 2, dims_b), rows = make(OH_NN_INT8, 2, turned);
        tensor out[2], *weights[2];
        size_t i, k;
        if (kind == 0) fill_f32(&a);
        for (i = 0; i < 16; i++)
            for (k = 0; k < 5; k++) rows.data[k * 16 + i] = b.data[i * 5 + k];
        weights[0] = &rows, weights[1] = &b;
        for (way = 0; way < 2; way++) {
            model m;
            out[way] = make(types[kind], 3, dims);
            start(&m), feed(&m, &a);
            if (kind == 1) quantized(&m, true, 0.001, 0);
            give(&m, weights[way], true), quantized(&m, true, 0.02, 0), expect(&m, &out[way]);
            if (kind == 1) quantized(&m, false, 0.004, 0);
            if (way == 0) gb_param_i64(&m.g, OH_NN_FULL_CONNECTION_AXIS, 2);
            finish(&m, way == 0 ? OH_NN_OPS_FULL_CONNECTION : OH_NN_OPS_MATMUL);
        }
        cr_assert_eq(memcmp(out[0].data, out[1].data, out[0].count * out[0].element), 0, "kind %d", kind);
        drop(&a), drop(&b), drop(&rows), drop(&out[0]), drop(&out[1]);
    }
}

Test(matmul, what_does_not_fit_is_refused) {
    const int32_t square[2] = {3, 3}, wide[2] = {3, 4}, three = 3, two_of[3] = {2, 3, 3}, three_of[3] = {3, 3, 3};
    const int32_t deep[2] = {1, 33026};
    tensor a = make(OH_NN_FLOAT32, 2, square), line = make1(OH_NN_FLOAT32, three), w = make(OH_NN_FLOAT32, 2, wide);
    tensor two = make(OH_NN_FLOAT32, 3, two_of), many = make(OH_NN_FLOAT32, 3, three_of);
    tensor bytes = make(OH_NN_INT8, 2, square), ints32 = make(OH_NN_INT32, 2, square);
    tensor long_row = make(OH_NN_INT8, 2, deep), one = make(OH_NN_INT8, 0, NULL);
    const int32_t ones[2] = {1, 1};
    tensor single = make(OH_NN_INT8, 2, ones);
    model m;
    start(&m), feed(&m, &line), feed(&m, &a), expect(&m, &a);
    refused(&m, OH_NN_OPS_MATMUL, "less than two dimensions");
    start(&m), feed(&m, &w), feed(&m, &a), expect(&m, &a), refused(&m, OH_NN_OPS_MATMUL, "not as many as the rows");
    start(&m), feed(&m, &two), feed(&m, &many), expect(&m, &many), refused(&m, OH_NN_OPS_MATMUL, "broadcast");
    start(&m), feed(&m, &a), feed(&m, &a), expect(&m, &w), refused(&m, OH_NN_OPS_MATMUL, "declared as");
    start(&m), feed(&m, &ints32), feed(&m, &ints32), expect(&m, &ints32);
    refused(&m, OH_NN_OPS_MATMUL, "must be float32, int8 or int16");
    start(&m), feed(&m, &a), feed(&m, &bytes), expect(&m, &a),
        refused(&m, OH_NN_OPS_MATMUL, "must be float32, int8 or int16");
    start(&m), feed(&m, &bytes), feed(&m, &bytes), expect(&m, &bytes);
    refused(&m, OH_NN_OPS_MATMUL, "one scale and one zero point for each tensor");
    start(&m), feed(&m, &bytes), give(&m, &bytes, true), expect(&m, &bytes);
    refused(&m, OH_NN_OPS_MATMUL, "one scale and one zero point for each tensor");
    start(&m), feed(&m, &long_row), quantized(&m, true, 0.5, 0), feed(&m, &long_row), quantized(&m, true, 0.5, 0);
    gb_param_bool(&m.g, OH_NN_MATMUL_TRANSPOSE_B, true), expect(&m, &single), quantized(&m, false, 0.5, 0);
    refused(&m, OH_NN_OPS_MATMUL, "more products than the kernels can add");
    start(&m), feed(&m, &bytes), quantized(&m, true, 1e6, 0), feed(&m, &bytes), quantized(&m, true, 1e6, 0);
    expect(&m, &bytes), quantized(&m, false, 1.0, 0), refused(&m, OH_NN_OPS_MATMUL, "too small");
    drop(&a), drop(&line), drop(&w), drop(&two), drop(&many), drop(&bytes), drop(&ints32), drop(&long_row), drop(&one);
    drop(&single);
}
