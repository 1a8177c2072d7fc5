/* SPDX-License-Identifier: Apache-2.0 */
/* Proves of float16 tensors that they are read and rounded as IEEE 754 says, that operators compute in float32 between
   them, that constants are widened at Build, and that what only moves elements leaves their bits alone. */
#include "linked.h"

#include "graph_builder.h"

#define SEED 16
#include "noise.h"

#include <math.h>

/* The number that a float16 is, from the definition. */
static double number_of(uint16_t half) {
    const double sign = (half & 0x8000u) != 0 ? -1.0 : 1.0;
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31) return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
    return exponent == 0 ? sign * ldexp(mantissa, -24) : sign * ldexp(1024 + mantissa, exponent - 25);
}

/* The finite float16 of all that is nearest to x >= 0, the even one of two; beyond the middle of the largest and the
   next power of two infinity. */
static uint16_t nearest_of(double x) {
    uint32_t low = 0, high = 0x7c00u; /* number_of(low) <= x; number_of(high) > x, counting infinity as 65536 */
    double below, above;
    if (x >= 65520.0) return 0x7c00u;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (number_of((uint16_t)middle) <= x) low = middle;
        else high = middle;
    }
    below = x - number_of((uint16_t)low);
    above = (high == 0x7c00u ? 65536.0 : number_of((uint16_t)high)) - x;
    return (uint16_t)(below < above || (below == above && low % 2 == 0) ? low : high);
}

static uint16_t rounded(float x) { return (uint16_t)(nearest_of(fabs((double)x)) | (signbit(x) ? 0x8000u : 0u)); }

static bool is_step_count(const gb_graph *g, uint32_t want) {
    const nnrt_profile_step *steps = NULL;
    uint32_t count = 0;
    cr_assert_eq(nnrt_executor_get_profile(g->executor, &steps, &count), OH_NN_SUCCESS, "%s", nnrt_last_error());
    return count == want;
}

static void assert_available(gb_graph *g) {
    const bool *can = NULL;
    uint32_t count = 0, i;
    cr_assert_eq(OH_NNModel_GetAvailableOperations(g->model, gb_device(), &can, &count), OH_NN_SUCCESS, "%s",
                 nnrt_last_error());
    for (i = 0; i < count; i++) cr_assert(can[i], "operator %u", (unsigned)i);
}

Test(float16, every_float16_is_the_number_that_the_definition_says_and_rounds_to_itself) {
    uint32_t i;
    for (i = 0; i < 65536; i++) {
        const uint16_t half = (uint16_t)i;
        const double want = number_of(half);
        uint16_t back;
        float real;
        double wide;
        nnrt__cast_scalar(NNRT__CAST_F16, &half, NNRT__CAST_F32, &real, 1);
        nnrt__cast_scalar(NNRT__CAST_F16, &half, NNRT__CAST_F64, &wide, 1);
        if (isnan(want)) {
            cr_assert(isnan(real) && isnan(wide), "0x%04x", (unsigned)i);
            continue;
        }
        cr_assert((double)real == want && wide == want && (signbit(real) != 0) == (signbit(want) != 0), "0x%04x",
                  (unsigned)i);
        nnrt__cast_scalar(NNRT__CAST_F32, &real, NNRT__CAST_F16, &back, 1);
        cr_assert_eq(back, half, "0x%04x came back as 0x%04x", (unsigned)i, (unsigned)back);
    }
}

Test(float16, numbers_round_to_the_nearest_float16_and_ties_to_the_even_one) {
    static const float edges[] = {0.0f,      -0.0f,         65504.0f,      65519.996f,    65520.0f, -65536.0f, 1e30f,
                                  -INFINITY, 5.9604645e-8f, 2.9802322e-8f, 2.9802326e-8f, 6.1e-5f,  2049.0f,   2051.0f};
    uint32_t i;
    for (i = 0; i < 20000 + sizeof edges / sizeof edges[0]; i++) {
        const float drawn = ldexpf((float)(int32_t)noise(), -16 - (int)(noise() % 40u));
        const float x = i < 20000 ? drawn : edges[i - 20000];
        uint16_t half;
        nnrt__cast_scalar(NNRT__CAST_F32, &x, NNRT__CAST_F16, &half, 1);
        cr_assert_eq(half, rounded(x), "%.9g became 0x%04x, not 0x%04x", (double)x, (unsigned)half,
                     (unsigned)rounded(x));
    }
}

/* Integers and bool go both ways. */
Test(float16, integers_become_float16_and_come_back_cut_toward_zero) {
    const int32_t from[5] = {0, -7, 2049, 65519, 100000};
    const uint16_t reals[4] = {0xbe00u /* -1.5 */, 0x7c00u /* infinity */, 0x7e00u /* NaN */, 0x5640u /* 100 */};
    const int8_t want[4] = {-1, 127, 0, 100};
    uint16_t half[5];
    int8_t bytes[4];
    size_t i;
    nnrt__cast_scalar(NNRT__CAST_S32, from, NNRT__CAST_F16, half, 5);
    for (i = 0; i < 5; i++) cr_assert_eq(half[i], rounded((float)from[i]), "%d", (int)from[i]);
    nnrt__cast_scalar(NNRT__CAST_F16, reals, NNRT__CAST_S8, bytes, 4);
    cr_assert_arr_eq(bytes, want, sizeof want);
}

/* The sum is one of float32, rounded once. */
Test(float16, an_operator_computes_in_float32_between_float16_tensors) {
    const int32_t dims[2] = {3, 7};
    uint16_t a[21], b[21], got[21];
    uint32_t operands[2], result, i;
    gb_io in[2], out[1];
    gb_graph g;
    gb_open(&g);
    for (i = 0; i < 21; i++) {
        a[i] = (uint16_t)(noise() & 0xfbffu); /* finite */
        b[i] = (uint16_t)(noise() & 0xfbffu);
    }
    operands[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, dims));
    operands[1] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, dims));
    result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT16, 2, dims));
    cr_assert_eq(gb_op(&g, OH_NN_OPS_ADD, 2, operands, 1, &result), OH_NN_SUCCESS, "%s", nnrt_last_error());
    cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
    assert_available(&g);
    in[0] = gb_buffer(a, sizeof a);
    in[1] = gb_buffer(b, sizeof b);
    out[0] = gb_buffer(got, sizeof got);
    cr_assert_eq(gb_run_many(&g, in, out), OH_NN_SUCCESS, "%s", nnrt_last_error());
    for (i = 0; i < 21; i++)
        cr_assert_eq(got[i], rounded((float)number_of(a[i]) + (float)number_of(b[i])), "element %u", (unsigned)i);
    gb_close(&g);
}

/* A full connection with weights and bias of float16, as they are or behind a CAST as files have them: one step, that
   has float32 weights. */
Test(float16, constants_are_widened_at_build) {
    const int32_t in_dims[2] = {1, 4}, w_dims[2] = {3, 4}, out_dims[2] = {1, 3}, bias_dims[1] = {3}, one[1] = {1};
    const int32_t wanted = OH_NN_FLOAT32;
    float in[4] = {1.5f, -2.0f, 0.25f, 3.0f}, got[3];
    uint16_t w[12], bias[3];
    int behind_cast;
    uint32_t i, k;
    for (i = 0; i < 12; i++) w[i] = rounded(0.1f * (float)((int)i - 5));
    for (i = 0; i < 3; i++) bias[i] = rounded(0.3f * (float)i - 1.0f);
    for (behind_cast = 0; behind_cast < 2; behind_cast++) {
        uint32_t operands[3], cast[2], result;
        gb_graph g;
        gb_open(&g);
        operands[0] = gb_input(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, in_dims));
        operands[1] = gb_constant(&g, OH_NN_FLOAT16, 2, w_dims, w);
        operands[2] = gb_constant(&g, OH_NN_FLOAT16, 1, bias_dims, bias);
        for (k = 1; behind_cast && k < 3; k++) {
            cast[0] = operands[k];
            cast[1] = gb_constant(&g, OH_NN_INT32, 1, one, &wanted);
            operands[k] = gb_tensor(&g, OH_NN_FLOAT32, k == 1 ? 2 : 1, k == 1 ? w_dims : bias_dims);
            cr_assert_eq(gb_op(&g, OH_NN_OPS_CAST, 2, cast, 1, &operands[k]), OH_NN_SUCCESS, "%s", nnrt_last_error());
        }
        result = gb_output(&g, gb_tensor(&g, OH_NN_FLOAT32, 2, out_dims));
        cr_assert_eq(gb_op(&g, OH_NN_OPS_FULL_CONNECTION, 3, operands, 1, &result), OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        cr_assert_eq(gb_build(&g), OH_NN_SUCCESS, "%s", nnrt_last_error());
        assert_available(&g);
        cr_assert(is_step_count(&g, 1));
        cr_assert_eq(gb_run(&g, gb_buffer(in, sizeof in), gb_buffer(got, sizeof got)), OH_NN_SUCCESS, "%s",
                     nnrt_last_error());
        for (i = 0; i < 3; i++) {
            double want = number_of(bias[i]);
            for (k = 0; k < 4; k++) want += (double)in[k] * number_of(w[4 * i + k]);
            cr_assert(fabs(want - (double)got[i]) < 1e-5, "output %u: %.9g, not %.9g", (unsigned)i, (double)got[i],
                      want);
        }
        gb_close(&g);
    }
}
